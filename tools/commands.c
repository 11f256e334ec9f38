// SPDX-License-Identifier: GPL-2.0-only
/* What vmprobe-read can be asked for, and the help on it. */
#include <string.h>
#include <unistd.h>

#include <vmprobe/abi.h>

#include "cgroup.h"
#include "commands.h"
#include "print.h"
#include "snapshot.h"
#include "summary.h"
#include "text.h"

/**
 * struct command - one thing to do
 * @name: as typed
 * @operands: what may follow it, for the line of usage
 * @max_operands: how many of them
 * @options: bits of the options it has
 * @brief: one line
 * @help: what a user should know
 * @run: does it; @name is what was typed. Returns 0, or -1 with the error set.
 */
struct command {
	const char *name;
	const char *operands;
	int max_operands;
	unsigned int options;
	const char *brief;
	const char *help;
	int (*run)(const struct command *command, const char *name,
		   const struct vmr_options *options, FILE *out, struct vmr_error *err);
};

/* The tables, in the order in which one asks. Others are printed just as well. */
static const struct {
	const char *name;
	const char *brief;
} tables[] = {
	{ "totals",	"each probe and kernel function: calls, pages, times" },
	{ "processes",	"the same for each process and probe" },
	{ "callers",	"the same for each probe, calling function and context" },
	{ "tree",	"the same for each pair of calling and called probe" },
	{ "contexts",	"the same for each context (kswapd, direct, memcg ...) and probe" },
	{ "cgroups",	"the same for each cgroup that was reclaimed from and probe" },
	{ "nodes",	"the same for each memory node that was reclaimed from and probe" },
	{ "cpus",	"the same for each CPU and probe" },
	{ "slowest",	"the longest outermost calls, each with its stack" },
	{ "stacks",	"stacks above outermost calls, folded; write 1 to the file to count them" },
	{ "histogram",	"how often a call took how long, for each probe and context" },
	{ "probes",	"where the probes are, and what was lost or doubtful" },
	{ "available_functions", "functions of this kernel that could be probed" },
	{ "status",	"versions, clocks, the cost of a probe, room that is left" },
};

#define NR_TABLES	(sizeof(tables) / sizeof(*tables))

static int run_summary(const struct command *command, const char *name,
		       const struct vmr_options *options, FILE *out, struct vmr_error *err)
{
	const struct vmr_summary_style style = {
		.top = options->top,
		.raw = options->seen & VMR_OPT_RAW,
	};
	struct vmr_snapshot snapshot;
	int failed;

	(void)command;
	(void)name;
	failed = vmr_snapshot_read(&snapshot, options->root, err) ||
		 vmr_summary_print(&snapshot, &style, out, err);
	vmr_snapshot_free(&snapshot);
	return failed ? -1 : 0;
}

static int run_list(const struct command *command, const char *name,
		    const struct vmr_options *options, FILE *out, struct vmr_error *err)
{
	static const struct vmr_column columns[] = {
		{ "table", VMR_LEFT }, { "there", VMR_LEFT }, { "meaning", VMR_LEFT },
	};
	struct vmr_grid grid = { .columns = columns, .nr_columns = 3 };
	struct vmr_source source;
	bool open;
	size_t i;

	(void)command;
	(void)name;
	/* Without the module the list is still worth reading. */
	open = !vmr_read_open(&source, options->root, err);
	if (!open && options->root)
		return -1;
	for (i = 0; i < NR_TABLES; i++) {
		vmr_print_cell(&grid, tables[i].name);
		vmr_print_cell(&grid, !open ? "-" : vmr_read_has(&source, tables[i].name) ?
			       "yes" : "no");
		vmr_print_cell(&grid, tables[i].brief);
	}
	vmr_print_grid(&grid, 0, out);
	return 0;
}

static bool all_digits(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

static bool is_numeric(const struct vmr_table *table, int column)
{
	bool any = false;
	const char *cell;
	size_t row;

	for (row = 0; row < table->nr_rows; row++) {
		cell = vmr_table_cell(table, row, column);
		if (cell && !all_digits(cell))
			return false;
		any |= !!cell;
	}
	return any;
}

static void print_table(const struct vmr_table *table, FILE *out)
{
	struct vmr_column columns[VMR_TABLE_COLUMNS];
	struct vmr_grid grid = { .columns = columns, .nr_columns = table->nr_columns };
	char headers[VMR_TABLE_COLUMNS][128];
	size_t row, i;

	for (i = 0; i < table->nr_columns; i++) {
		vmr_text_escape(table->columns[i], true, headers[i], sizeof(headers[i]));
		columns[i].header = headers[i];
		columns[i].align = is_numeric(table, (int)i) ? VMR_RIGHT : VMR_LEFT;
	}
	for (row = 0; row < table->nr_rows; row++)
		for (i = 0; i < table->nr_columns; i++)
			/* Only in the last column can a space not be taken for a gap. */
			vmr_print_name(&grid, vmr_table_cell(table, row, (int)i),
				       i + 1 < table->nr_columns);
	vmr_print_grid(&grid, 0, out);
}

/* The initial pid namespace has this number on all kernels (PROC_PID_INIT_INO). */
static void note_namespace(void)
{
	char where[64] = "";
	ssize_t length = readlink("/proc/self/ns/pid", where, sizeof(where) - 1);

	if (length > 0 && strcmp(where, "pid:[4026531836]"))
		fputs("note: pids are those of the initial pid namespace, not of this one\n",
		      stderr);
}

static int run_table(const struct command *command, const char *name,
		     const struct vmr_options *options, FILE *out, struct vmr_error *err)
{
	struct vmr_source source;
	struct vmr_error newer;
	struct vmr_table table;
	int failed;

	(void)command;
	if (vmr_read_open(&source, options->root, err))
		return -1;
	failed = vmr_read_table(&source, name, &table, err);
	if (!failed && table.format > VMP_FORMAT) {
		vmr_error_set(&newer, "%s:1: format %u is newer than this program: what a column "
			      "means may have changed", table.path, table.format);
		vmr_error_print(&newer);
	}
	if (!failed && source.live) {
		vmr_cgroup_name(&table, vmr_cgroup_mount());
		if (vmr_table_column(&table, "pid") >= 0)
			note_namespace();
	}
	if (!failed)
		print_table(&table, out);
	vmr_table_free(&table);
	return failed;
}

static int run_help(const struct command *command, const char *name,
		    const struct vmr_options *options, FILE *out, struct vmr_error *err);

static const struct command commands[] = {
	{
		.name = "summary",
		.options = VMR_OPT_TOP | VMR_OPT_RAW | VMR_OPT_ROOT,
		.brief = "what ran, how long, for whom; this is also what no command means",
		.help =
"A headline, warnings if numbers cannot be trusted, the probes, the processes\n"
"that spent most time in reclaim, and the callers whose calls took most.\n"
"\n"
"  requested, freed  pages. Do not add requests up over probes: they are nested,\n"
"                    and each asks again for what its caller asked for.\n"
"  freed/req.        pages freed for each page requested\n"
"  total             time in the function and in all that it called\n"
"  self              time in the function outside of other probes\n"
"  p50, p99          half of the calls, 99 of 100 calls took no longer: the upper\n"
"                    edge of the histogram's bucket, at most 12.5 % too much\n"
"  max               the longest call, exactly\n"
"  time in reclaim   sum of self over all probes: each moment once\n"
"  -                 not available; 0 is printed as 0\n"
"  +                 behind a number: at least that, as some part is not available\n",
		.run = run_summary,
	}, {
		.name = "list",
		.options = VMR_OPT_ROOT,
		.brief = "the tables and what they hold",
		.help =
"The column \"there\" says whether this module has the table: yes, no, or - if\n"
"the module is not loaded or the tables may not be read.\n",
		.run = run_list,
	}, {
		.name = "help",
		.operands = " [COMMAND]",
		.max_operands = 1,
		.brief = "this text, or help on a command",
		.help = "The same as COMMAND -h.\n",
		.run = run_help,
	},
};

#define NR_COMMANDS	(sizeof(commands) / sizeof(*commands))

/* Any table: not in the list, since it is called by the table's name. */
static const struct command table_command = {
	.name = "TABLE",
	.options = VMR_OPT_ROOT,
	.brief = "one table, aligned; all numbers as they are",
	.help =
"Prints one table with aligned columns. Nothing is added up, left out or scaled:\n"
"_ns are nanoseconds, _pages pages. For programs, read the file itself, which has\n"
"two lines of header and single spaces between the fields.\n",
	.run = run_table,
};

static void help_all(FILE *out)
{
	size_t i;

	fputs("usage: " VMR_NAME " [OPTION ...] [COMMAND]\n"
	      "\n"
	      "Shows what the kernel module vmprobe has recorded of page reclaim: which\n"
	      "functions ran, how long they took, how many pages they were asked for and\n"
	      "freed, for which process, and who called them. Needs root.\n"
	      "\n"
	      "commands:\n", out);
	for (i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].brief);
	fprintf(out, "  %-10s %s:\n", table_command.name, table_command.brief);
	for (i = 0; i < NR_TABLES; i++)
		fprintf(out, "%s%s%s", i % 7 ? " " : "             ", tables[i].name,
			i % 7 == 6 || i == NR_TABLES - 1 ? "\n" : "");
	fputs("\noptions:\n", out);
	vmr_options_help(~0u, out);
	fputs("\n"
	      "examples:\n"
	      "  sudo insmod vmprobe.ko                       load the module, then\n"
	      "  sudo " VMR_NAME "                            see what was recorded\n"
	      "  sudo " VMR_NAME " -n 20                      longer lists\n"
	      "  sudo " VMR_NAME " callers                    one table in full\n"
	      "  echo 1 | sudo tee /sys/kernel/debug/vmprobe/reset   begin anew\n"
	      "  sudo cp -r /sys/kernel/debug/vmprobe copy    take the tables along, and\n"
	      "  " VMR_NAME " --root copy                     read them elsewhere\n"
	      "\n"
	      "exit status: 0 fine, 1 error, 2 reserved for a threshold that was crossed\n"
	      "\n"
	      "what next: " VMR_NAME " summary -h explains the columns, " VMR_NAME " list\n"
	      "the tables; more in " VMR_NAME "(1).\n", out);
}

static void help_command(const struct command *command, const char *name, FILE *out)
{
	fprintf(out, "usage: " VMR_NAME " %s%s", name, command->operands ? command->operands : "");
	vmr_options_synopsis(command->options, out);
	fprintf(out, "\n\n%s\n\n%s\noptions:\n", command->brief, command->help);
	vmr_options_help(command->options | VMR_OPT_HELP, out);
}

/* What a word stands for; NULL if it is neither a command nor a table. */
static const struct command *find(const char *name, const struct vmr_options *options)
{
	struct vmr_source source;
	struct vmr_error ignored;
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	for (i = 0; i < NR_TABLES; i++)
		if (!strcmp(name, tables[i].name))
			return &table_command;
	/* A table that a newer module has. */
	if (!vmr_read_open(&source, options->root, &ignored) && vmr_read_has(&source, name))
		return &table_command;
	return NULL;
}

static int unknown(const char *name, struct vmr_error *err)
{
	const char *words[NR_COMMANDS + NR_TABLES], *nearest;
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		words[i] = commands[i].name;
	for (i = 0; i < NR_TABLES; i++)
		words[NR_COMMANDS + i] = tables[i].name;
	nearest = vmr_text_nearest(name, words, NR_COMMANDS + NR_TABLES);
	if (nearest)
		return vmr_error_set(err, "no command or table %s: did you mean %s?",
				     name, nearest);
	return vmr_error_set(err, "no command or table %s; what there is: %s -h", name, VMR_NAME);
}

static int run_help(const struct command *command, const char *name,
		    const struct vmr_options *options, FILE *out, struct vmr_error *err)
{
	(void)name;
	if (options->nr_operands < 2) {
		help_all(out);
		return 0;
	}
	command = find(options->operands[1], options);
	if (!command)
		return unknown(options->operands[1], err);
	help_command(command, options->operands[1], out);
	return 0;
}

/**
 * vmr_commands_run() - do what was asked for
 * @options: parsed
 * @out: where to print; closed by the caller
 * @err: set on error
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_commands_run(const struct vmr_options *options, FILE *out, struct vmr_error *err)
{
	const char *name = options->nr_operands ? options->operands[0] : commands[0].name;
	const struct command *command;

	if (options->seen & VMR_OPT_VERSION) {
		fprintf(out, VMR_NAME " %s (table format %d)\n", VMP_VERSION, VMP_FORMAT);
		return 0;
	}
	if (options->seen & VMR_OPT_HELP && !options->nr_operands) {
		help_all(out);
		return 0;
	}
	command = find(name, options);
	if (!command)
		return unknown(name, err);
	if (options->seen & VMR_OPT_HELP) {
		help_command(command, name, out);
		return 0;
	}
	if (options->nr_operands - 1 > command->max_operands)
		return vmr_error_set(err, "%s does not know what to do with %s; see: %s %s -h",
				     name, options->operands[command->max_operands + 1],
				     VMR_NAME, name);
	if (vmr_options_check(options, command->options, name, err))
		return -1;
	return command->run(command, name, options, out, err);
}
