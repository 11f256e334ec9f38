// SPDX-License-Identifier: GPL-2.0-only
/*
 * Losses and doubts. A warning says that numbers are wrong or missing, and
 * stands above them; a note tells why something is not there, and stands below.
 */
#include <stdarg.h>
#include <string.h>

#include <vmprobe/abi.h>

#include "caveats.h"
#include "format.h"
#include "print.h"

static void say(const char *prefix, FILE *out, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say(const char *prefix, FILE *out, const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	vmr_print_wrapped(prefix, text, out);
}

#define warn(out, ...)	say("warning: ", out, __VA_ARGS__)
#define note(out, ...)	say("note: ", out, __VA_ARGS__)

/**
 * vmr_caveats_off() - whether a value of status means no
 * @value: of the table status, or NULL
 *
 * Return: true for "no" with or without a reason behind it, and for "0".
 */
bool vmr_caveats_off(const char *value)
{
	return value && (!strcmp(value, "0") || !strcmp(value, "off") ||
			 (!strncmp(value, "no", 2) && strcspn(value + 2, " :,(") == 0));
}

/**
 * vmr_caveats_sum() - add up one column of a table
 * @table: parsed, or one that is not there
 * @column: its name
 * @sum: of what is available; not known if nothing is
 * @err: set on error
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_caveats_sum(const struct vmr_table *table, const char *column, struct vmr_num *sum,
		    struct vmr_error *err)
{
	int index = vmr_table_column(table, column);
	struct vmr_num num;
	size_t row;

	*sum = (struct vmr_num) { 0 };
	for (row = 0; row < table->nr_rows; row++) {
		if (vmr_table_number(table, row, index, &num, err))
			return -1;
		if (!num.known)
			continue;
		sum->known = true;
		if (__builtin_add_overflow(sum->value, num.value, &sum->value))
			sum->value = ~0ull;
	}
	return 0;
}

static void warn_status(const struct vmr_snapshot *snapshot, FILE *out)
{
	const struct vmr_table *status = &snapshot->tables[VMR_T_status];
	/* A copy tells nothing of where debugfs was. */
	const char *directory = snapshot->source.live ? snapshot->source.path :
				"/sys/kernel/debug/" VMP_DIR;
	const char *version = vmr_table_lookup(status, "version");

	if (version && strcmp(version, VMP_VERSION))
		warn(out, "the module is version %s, this %s is version %s: use the one that came "
		     "with the module", version, VMR_NAME, VMP_VERSION);
	if (vmr_caveats_off(vmr_table_lookup(status, "enabled")))
		warn(out, "recording is off; switch it on: "
		     "echo 1 | sudo tee %s/enabled", directory);
	if (vmr_caveats_off(vmr_table_lookup(status, "probing")))
		warn(out, "probes do not fire: the module called a probed function of its own and "
		     "saw nothing; see /sys/kernel/debug/kprobes/enabled and sysctl kernel.ftrace_enabled");
}

/* How much of a column of the table probes there is, and the probe with most of it. */
static int worst(const struct vmr_table *probes, const char *column, struct vmr_num *sum,
		 const char **probe, struct vmr_error *err)
{
	int names = vmr_table_column(probes, "probe"), index = vmr_table_column(probes, column);
	unsigned long long most = 0;
	struct vmr_num num;
	size_t row;

	if (vmr_caveats_sum(probes, column, sum, err))
		return -1;
	*probe = NULL;
	for (row = 0; row < probes->nr_rows; row++) {
		if (vmr_table_number(probes, row, index, &num, err))
			return -1;
		if (num.value > most) {
			most = num.value;
			*probe = vmr_table_cell(probes, row, names);
		}
	}
	return 0;
}

static int warn_losses(const struct vmr_table *probes, FILE *out, struct vmr_error *err)
{
	static const struct {
		const char *column;
		const char *text;
	} losses[] = {
		{ "missed", "not measured, so sums are too low; raise the parameter maxactive" },
		{ "implausible", "had a scan_control that cannot be right; pages not added" },
		{ "backwards", "had a clock or counter run backwards; that part not added" },
		{ "abandoned", "never seen to end; in no sum" },
	};
	char count[VMR_FORMAT_SIZE];
	const char *probe;
	struct vmr_num sum;
	size_t i;

	for (i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
		if (worst(probes, losses[i].column, &sum, &probe, err))
			return -1;
		if (sum.value)
			warn(out, "%s: %s call%s, most in %s: %s", losses[i].column,
			     vmr_format_count(sum, false, count), sum.value == 1 ? "" : "s",
			     probe ? probe : "-", losses[i].text);
	}
	return 0;
}

/* Calls in rows whose key column is a word in parentheses. */
static int special(const struct vmr_table *table, const char *column, const char *word,
		   struct vmr_num *sum, struct vmr_error *err)
{
	int names = vmr_table_column(table, column), calls = vmr_table_column(table, "calls");
	/* A process may call itself what it likes, but it has a pid. */
	int pids = vmr_table_column(table, "pid");
	struct vmr_num num;
	const char *cell;
	size_t row;

	*sum = (struct vmr_num) { 0 };
	for (row = 0; row < table->nr_rows; row++) {
		cell = vmr_table_cell(table, row, names);
		if (!cell || strcmp(cell, word) || vmr_table_cell(table, row, pids))
			continue;
		if (vmr_table_number(table, row, calls, &num, err))
			return -1;
		if (!num.known)
			continue;
		sum->known = true;
		if (__builtin_add_overflow(sum->value, num.value, &sum->value))
			sum->value = ~0ull;
	}
	return 0;
}

static int warn_overflow(const struct vmr_table *table, const char *column, const char *what,
			 FILE *out, struct vmr_error *err)
{
	char count[VMR_FORMAT_SIZE];
	struct vmr_num sum;

	if (special(table, column, "(overflow)", &sum, err))
		return -1;
	if (sum.known && sum.value)
		warn(out, "overflow: %s call%s in no row of %s, whose table was full; for more "
		     "room see: modinfo vmprobe", vmr_format_count(sum, false, count),
		     sum.value == 1 ? "" : "s", what);
	return 0;
}

/**
 * vmr_caveats_warnings() - print what makes the numbers doubtful
 * @snapshot: read
 * @out: where to; nothing is printed if there is no doubt
 * @err: set on error
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_caveats_warnings(const struct vmr_snapshot *snapshot, FILE *out, struct vmr_error *err)
{
	warn_status(snapshot, out);
	if (warn_losses(&snapshot->tables[VMR_T_probes], out, err) ||
	    warn_overflow(&snapshot->tables[VMR_T_processes], "comm", "processes", out, err) ||
	    warn_overflow(&snapshot->tables[VMR_T_callers], "caller", "callers", out, err))
		return -1;
	return 0;
}

/* The probes in one state, on one line; a probe with a symbol that works is well. */
static void note_state(const struct vmr_table *probes, const char *state, const char *text,
		       FILE *out)
{
	int names = vmr_table_column(probes, "probe"), states = vmr_table_column(probes, "state");
	char list[2048] = "";
	const char *probe, *cell;
	size_t row, other, used = 0;
	bool skip;

	for (row = 0; row < probes->nr_rows; row++) {
		cell = vmr_table_cell(probes, row, states);
		probe = vmr_table_cell(probes, row, names);
		if (!cell || !probe || strcmp(cell, state))
			continue;
		skip = false;
		for (other = 0; other < probes->nr_rows && !skip; other++) {
			const char *name = vmr_table_cell(probes, other, names);

			cell = vmr_table_cell(probes, other, states);
			skip = name && cell && !strcmp(name, probe) &&
			       (!strcmp(cell, "on") || (other < row && !strcmp(cell, state)));
		}
		if (skip || used >= sizeof(list))
			continue;
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
					 used ? ", " : "", probe);
	}
	if (used)
		note(out, "%s: %s", text, list);
}

/**
 * vmr_caveats_notes() - print what is not there, and why
 * @snapshot: read
 * @out: where to
 * @err: set on error
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_caveats_notes(const struct vmr_snapshot *snapshot, FILE *out, struct vmr_error *err)
{
	const struct vmr_table *probes = &snapshot->tables[VMR_T_probes];
	const struct vmr_table *status = &snapshot->tables[VMR_T_status];
	const char *btf = vmr_table_lookup(status, "btf"), *reason;
	char count[VMR_FORMAT_SIZE];
	struct vmr_num sum;

	if (vmr_caveats_off(btf)) {
		reason = vmr_table_lookup(status, "btf_reason");
		note(out, "no type information of the kernel (btf %s%s%s), so pages show as -; "
		     "the module's parameter layout can give it by hand",
		     btf, reason ? ": " : "", reason ? reason : "");
	}
	if (special(&snapshot->tables[VMR_T_processes], "comm", "(evicted)", &sum, err))
		return -1;
	if (sum.known && sum.value)
		note(out, "evicted: %s call%s of processes that have ended, in the row (evicted)",
		     vmr_format_count(sum, false, count), sum.value == 1 ? "" : "s");
	if (vmr_caveats_sum(probes, "active", &sum, err))
		return -1;
	if (sum.known && sum.value)
		note(out, "active: %s call%s not over yet, in no sum",
		     vmr_format_count(sum, false, count), sum.value == 1 ? "" : "s");
	note_state(probes, "absent", "absent, not in this kernel", out);
	note_state(probes, "inlined", "inlined by the compiler, so not measured", out);
	note_state(probes, "gone", "gone with their module", out);
	return 0;
}
