// SPDX-License-Identifier: GPL-2.0-only
/* What ran, for how long, for whom and called by whom, on one screen. */
#include <stdlib.h>
#include <string.h>

#include <vmprobe/abi.h>

#include "caveats.h"
#include "format.h"
#include "hist.h"
#include "print.h"
#include "sum.h"
#include "summary.h"

/* The probe whose return value is the number of pages that really went. */
#define FREEING_PROBE	"shrink_page_list"

static size_t width(const struct vmr_summary_style *style)
{
	return style->raw ? 0 : VMR_PRINT_WIDTH;
}

static void count_cell(struct vmr_grid *grid, struct vmr_num num,
		       const struct vmr_summary_style *style)
{
	char text[VMR_FORMAT_SIZE];

	vmr_print_cell(grid, vmr_format_count(num, style->raw, text));
}

static void time_cell(struct vmr_grid *grid, struct vmr_num ns,
		      const struct vmr_summary_style *style)
{
	char text[VMR_FORMAT_SIZE];

	vmr_print_cell(grid, vmr_format_time(ns, style->raw, text));
}

/* How long ago something was by the module's own clock; 0 if it cannot be said. */
static unsigned long long age(const struct vmr_table *status, const char *name)
{
	struct vmr_num now = vmr_table_lookup_number(status, "now_ns");
	struct vmr_num then = vmr_table_lookup_number(status, name);

	return now.known && then.known && then.value && then.value <= now.value ?
	       now.value - then.value : 0;
}

static int print_headline(const struct vmr_snapshot *snapshot, FILE *out, struct vmr_error *err)
{
	const struct vmr_table *status = &snapshot->tables[VMR_T_status];
	const char *version = vmr_table_lookup(status, "version");
	const char *kernel = vmr_table_lookup(status, "kernel");
	const char *lru = vmr_table_lookup(status, "lru");
	const char *enabled = vmr_table_lookup(status, "enabled");
	unsigned long long loaded = age(status, "loaded_ns"), reset = age(status, "reset_ns");
	char line[1024], span[VMR_FORMAT_SIZE], count[VMR_FORMAT_SIZE];
	struct vmr_num missed;

	snprintf(line, sizeof(line), "vmprobe %.64s on Linux %.256s%s%.64s%s%s%s",
		 version ? version : "-", kernel ? kernel : "-",
		 lru ? ", LRU " : "", lru ? lru : "",
		 loaded ? ", loaded " : "", loaded ? vmr_format_span(loaded, span) : "",
		 loaded ? " ago" : "");
	vmr_print_wrapped("", line, out);

	if (vmr_caveats_sum(&snapshot->tables[VMR_T_probes], "missed", &missed, err))
		return -1;
	reset = reset && reset != loaded ? reset : 0;
	snprintf(line, sizeof(line), "recording: %s%s%s%s; calls missed: %s",
		 !enabled ? "-" : vmr_caveats_off(enabled) ? "off" : "on",
		 reset ? ", counted since the reset " : loaded ? ", counted since the load" : "",
		 reset ? vmr_format_span(reset, span) : "", reset ? " ago" : "",
		 vmr_format_count(missed, false, count));
	vmr_print_wrapped("", line, out);
	return 0;
}

/*
 * The rows of the tree without a parent hold each moment once, so only there
 * can the parts of the time be given for everything together.
 */
static int print_outermost(const struct vmr_snapshot *snapshot, FILE *out, struct vmr_error *err)
{
	static const char *const keys[] = { "parent", NULL };
	char calls[VMR_FORMAT_SIZE], total[VMR_FORMAT_SIZE], line[512];
	char oncpu[VMR_FORMAT_SIZE], runqueue[VMR_FORMAT_SIZE], blocked[VMR_FORMAT_SIZE];
	const struct vmr_num *c;
	struct vmr_grouping tree = { 0 };
	int failed = 0;

	if (!vmr_snapshot_has(snapshot, VMR_T_tree))
		return 0;
	failed = vmr_sum_group(&snapshot->tables[VMR_T_tree], keys, VMR_UNKNOWN, "parent",
			       &tree, err);
	if (!failed && tree.nr_groups) {
		c = tree.groups[0].sum.c;
		snprintf(line, sizeof(line), "outermost calls: %s, taking %s: %s on CPU, "
			 "%s waiting for a CPU, %s blocked",
			 vmr_format_count(c[VMP_C_calls], false, calls),
			 vmr_format_time(c[VMP_C_total_ns], false, total),
			 vmr_format_share(c[VMP_C_oncpu_ns], c[VMP_C_total_ns], oncpu),
			 vmr_format_share(c[VMP_C_runqueue_ns], c[VMP_C_total_ns], runqueue),
			 vmr_format_share(c[VMP_C_blocked_ns], c[VMP_C_total_ns], blocked));
		vmr_print_wrapped("", line, out);
	}
	vmr_sum_free(&tree);
	return failed;
}

static int print_probe(struct vmr_grid *grid, const struct vmr_group *group,
		       const struct vmr_table *histogram,
		       const struct vmr_summary_style *style, struct vmr_error *err)
{
	const struct vmr_num *c = group->sum.c;
	struct vmr_hist hist = { 0 };
	char text[VMR_FORMAT_SIZE];
	int failed = 0;

	vmr_print_name(grid, group->key[0], style->raw);
	count_cell(grid, c[VMP_C_calls], style);
	count_cell(grid, c[VMP_C_requested_pages], style);
	count_cell(grid, c[VMP_C_freed_pages], style);
	vmr_print_cell(grid, vmr_format_ratio(c[VMP_C_freed_pages], c[VMP_C_requested_pages],
					      style->raw, text));
	time_cell(grid, c[VMP_C_total_ns], style);
	time_cell(grid, c[VMP_C_self_ns], style);
	if (group->key[0])
		failed = vmr_hist_collect(histogram, group->key[0], &hist, err);
	time_cell(grid, vmr_hist_percentile(&hist, 500, c[VMP_C_max_ns]), style);
	time_cell(grid, vmr_hist_percentile(&hist, 990, c[VMP_C_max_ns]), style);
	time_cell(grid, c[VMP_C_max_ns], style);
	vmr_hist_free(&hist);
	return failed;
}

static int print_probes(const struct vmr_snapshot *snapshot, const struct vmr_grouping *totals,
			const struct vmr_summary_style *style, FILE *out, struct vmr_error *err)
{
	static const struct vmr_column human[] = {
		{ "\nprobe", VMR_LEFT }, { "\ncalls", VMR_RIGHT },
		{ "pages\nrequested", VMR_RIGHT }, { "pages\nfreed", VMR_RIGHT },
		{ "freed/\nreq.", VMR_RIGHT }, { "time\ntotal", VMR_RIGHT },
		{ "time\nself", VMR_RIGHT }, { "call\np50", VMR_RIGHT },
		{ "call\np99", VMR_RIGHT }, { "call\nmax", VMR_RIGHT },
	}, raw[] = {
		{ "probe", VMR_LEFT }, { "calls", VMR_RIGHT },
		{ "requested_pages", VMR_RIGHT }, { "freed_pages", VMR_RIGHT },
		{ "freed_per_requested", VMR_RIGHT }, { "total_ns", VMR_RIGHT },
		{ "self_ns", VMR_RIGHT }, { "p50_ns", VMR_RIGHT },
		{ "p99_ns", VMR_RIGHT }, { "max_ns", VMR_RIGHT },
	};
	struct vmr_grid grid = {
		.columns = style->raw ? raw : human,
		.nr_columns = sizeof(human) / sizeof(*human),
	};
	const struct vmr_num *calls;
	const char *name;
	char idle[2048] = "";
	size_t i, used = 0;
	int failed = 0;

	for (i = 0; i < totals->nr_groups && !failed; i++) {
		calls = &totals->groups[i].sum.c[VMP_C_calls];
		name = totals->groups[i].key[0];
		if (!calls->known || calls->value)
			failed = print_probe(&grid, &totals->groups[i],
					     &snapshot->tables[VMR_T_histogram], style, err);
		else if (used < sizeof(idle))
			used += (size_t)snprintf(idle + used, sizeof(idle) - used, "%s%s",
						 used ? ", " : "", name ? name : "-");
	}
	fputc('\n', out);
	vmr_print_grid(&grid, width(style), out);
	if (used)
		vmr_print_wrapped("never called: ", idle, out);
	return failed;
}

/* What the summary says of a process beyond the sums of its rows. */
struct process {
	const char *comm;
	const char *state;
	const char *probe;
	struct vmr_num total_ns;
	struct vmr_num calls;
	struct vmr_num freed_pages;
};

/*
 * Its outermost probe is the one in which it spent most time, since times
 * include what is called. Pages are counted where they go, once.
 */
static int describe(const struct vmr_table *table, const struct vmr_grouping *by_pid,
		    const struct vmr_group *group, struct process *process,
		    struct vmr_error *err)
{
	int probes = vmr_table_column(table, "probe"), comms = vmr_table_column(table, "comm");
	int states = vmr_table_column(table, "state");
	struct vmr_counters counters;
	const char *probe;
	size_t i, row;

	*process = (struct process) { 0 };
	for (i = 0; i < group->nr_rows; i++) {
		row = by_pid->rows[group->first + i];
		if (vmr_sum_row(table, row, &counters, err))
			return -1;
		probe = vmr_table_cell(table, row, probes);
		if (!process->probe || counters.c[VMP_C_total_ns].value > process->total_ns.value) {
			process->probe = probe;
			process->total_ns = counters.c[VMP_C_total_ns];
			process->calls = counters.c[VMP_C_calls];
		}
		if (probe && !strcmp(probe, FREEING_PROBE))
			process->freed_pages = counters.c[VMP_C_freed_pages];
		process->comm = vmr_table_cell(table, row, comms);
		process->state = vmr_table_cell(table, row, states);
	}
	return 0;
}

static int print_processes(const struct vmr_snapshot *snapshot,
			   const struct vmr_summary_style *style, FILE *out,
			   struct vmr_error *err)
{
	static const struct vmr_column human[] = {
		{ "\npid", VMR_RIGHT }, { "\ncomm", VMR_LEFT }, { "\nstate", VMR_LEFT },
		{ "time in\nreclaim", VMR_RIGHT }, { "\nshare", VMR_RIGHT },
		{ "pages\nfreed", VMR_RIGHT }, { "call\nmax", VMR_RIGHT },
		{ "\ncalls", VMR_RIGHT }, { "\nof its outermost probe", VMR_LEFT },
	}, raw[] = {
		{ "pid", VMR_RIGHT }, { "comm", VMR_LEFT }, { "state", VMR_LEFT },
		{ "self_ns", VMR_RIGHT }, { "share", VMR_RIGHT },
		{ "freed_pages", VMR_RIGHT }, { "max_ns", VMR_RIGHT },
		{ "calls", VMR_RIGHT }, { "outermost_probe", VMR_LEFT },
	};
	static const char *const keys[] = { "pid", "start_ns", NULL };
	const struct vmr_table *table = &snapshot->tables[VMR_T_processes];
	struct vmr_grid grid = {
		.columns = style->raw ? raw : human,
		.nr_columns = sizeof(human) / sizeof(*human),
	};
	struct vmr_grouping by_pid = { 0 };
	char text[VMR_FORMAT_SIZE];
	struct process process;
	struct vmr_num all;
	int failed;
	size_t i;

	if (!style->top || !table->nr_rows)
		return 0;
	failed = vmr_sum_group(table, keys, VMR_KNOWN, "pid", &by_pid, err) ||
		 vmr_caveats_sum(table, "self_ns", &all, err);
	if (!failed)
		vmr_sum_order(&by_pid, VMP_C_self_ns);
	for (i = 0; !failed && i < by_pid.nr_groups && i < style->top; i++) {
		const struct vmr_group *group = &by_pid.groups[i];
		const struct vmr_num *c = group->sum.c;

		failed = describe(table, &by_pid, group, &process, err);
		if (failed)
			break;
		vmr_print_name(&grid, group->key[0], true);
		vmr_print_name(&grid, process.comm, style->raw);
		vmr_print_name(&grid, process.state, true);
		time_cell(&grid, c[VMP_C_self_ns], style);
		vmr_print_cell(&grid, vmr_format_share(c[VMP_C_self_ns], all, text));
		count_cell(&grid, process.freed_pages, style);
		time_cell(&grid, c[VMP_C_max_ns], style);
		count_cell(&grid, process.calls, style);
		vmr_print_name(&grid, process.probe, style->raw);
	}
	if (grid.nr_cells) {
		fprintf(out, "\nprocesses, by time in reclaim (%zu of %zu)\n",
			i, by_pid.nr_groups);
		vmr_print_grid(&grid, width(style), out);
	}
	vmr_sum_free(&by_pid);
	return failed;
}

static int print_callers(const struct vmr_snapshot *snapshot,
			 const struct vmr_summary_style *style, FILE *out,
			 struct vmr_error *err)
{
	static const struct vmr_column human[] = {
		{ "\nprobe", VMR_LEFT }, { "\ncaller", VMR_LEFT }, { "\ncalls", VMR_RIGHT },
		{ "pages\nfreed", VMR_RIGHT }, { "time\ntotal", VMR_RIGHT },
		{ "time\nself", VMR_RIGHT }, { "call\nmax", VMR_RIGHT },
	}, raw[] = {
		{ "probe", VMR_LEFT }, { "caller", VMR_LEFT }, { "calls", VMR_RIGHT },
		{ "freed_pages", VMR_RIGHT }, { "total_ns", VMR_RIGHT },
		{ "self_ns", VMR_RIGHT }, { "max_ns", VMR_RIGHT },
	};
	static const char *const keys[] = { "probe", "caller", NULL };
	const struct vmr_table *table = &snapshot->tables[VMR_T_callers];
	struct vmr_grid grid = {
		.columns = style->raw ? raw : human,
		.nr_columns = sizeof(human) / sizeof(*human),
	};
	struct vmr_grouping by_caller = { 0 };
	const struct vmr_num *c;
	int failed;
	size_t i;

	if (!style->top || !table->nr_rows)
		return 0;
	failed = vmr_sum_group(table, keys, VMR_ALL, NULL, &by_caller, err);
	if (!failed)
		vmr_sum_order(&by_caller, VMP_C_total_ns);
	for (i = 0; !failed && i < by_caller.nr_groups && i < style->top; i++) {
		c = by_caller.groups[i].sum.c;
		if (c[VMP_C_calls].known && !c[VMP_C_calls].value)
			break;
		vmr_print_name(&grid, by_caller.groups[i].key[0], style->raw);
		vmr_print_name(&grid, by_caller.groups[i].key[1], style->raw);
		count_cell(&grid, c[VMP_C_calls], style);
		count_cell(&grid, c[VMP_C_freed_pages], style);
		time_cell(&grid, c[VMP_C_total_ns], style);
		time_cell(&grid, c[VMP_C_self_ns], style);
		time_cell(&grid, c[VMP_C_max_ns], style);
	}
	if (grid.nr_cells) {
		fprintf(out, "\ncallers, by time of what they called (%zu of %zu)\n",
			i, by_caller.nr_groups);
		vmr_print_grid(&grid, width(style), out);
	}
	vmr_sum_free(&by_caller);
	return failed;
}

static void print_nothing(const struct vmr_table *status, FILE *out)
{
	if (vmr_caveats_off(vmr_table_lookup(status, "enabled")) ||
	    vmr_caveats_off(vmr_table_lookup(status, "probing"))) {
		fputs("\nNothing has been recorded: see the warnings above.\n\n", out);
		return;
	}
	fputs("\nNothing has been recorded yet: the kernel had no need to reclaim memory.\n"
	      "Look again after some memory pressure, or cause a little reclaim at once with\n"
	      "\n"
	      "    echo 2 | sudo tee /proc/sys/vm/drop_caches              (slab caches only)\n"
	      "    echo 16M | sudo tee /sys/fs/cgroup/GROUP/memory.reclaim (Linux 5.19 or later)\n"
	      "\n", out);
}

static bool recorded(const struct vmr_grouping *totals)
{
	size_t i;

	for (i = 0; i < totals->nr_groups; i++)
		if (totals->groups[i].sum.c[VMP_C_calls].value)
			return true;
	return false;
}

/**
 * vmr_summary_print() - print the summary
 * @snapshot: read
 * @style: how it is to look
 * @out: where to
 * @err: set on error
 *
 * Return: 0, or -1 with @err set; part of it may then be printed.
 */
int vmr_summary_print(const struct vmr_snapshot *snapshot,
		      const struct vmr_summary_style *style, FILE *out, struct vmr_error *err)
{
	static const char *const keys[] = { "probe", NULL };
	struct vmr_grouping totals = { 0 };
	int failed;

	failed = print_headline(snapshot, out, err) || print_outermost(snapshot, out, err) ||
		 vmr_caveats_warnings(snapshot, out, err) ||
		 vmr_sum_group(&snapshot->tables[VMR_T_totals], keys, VMR_ALL, NULL, &totals, err);
	if (!failed && !recorded(&totals)) {
		print_nothing(&snapshot->tables[VMR_T_status], out);
	} else if (!failed) {
		vmr_sum_order(&totals, VMP_C_total_ns);
		failed = print_probes(snapshot, &totals, style, out, err) ||
			 print_processes(snapshot, style, out, err) ||
			 print_callers(snapshot, style, out, err);
		fputc('\n', out);
	}
	vmr_sum_free(&totals);
	return failed || vmr_caveats_notes(snapshot, out, err) ? -1 : 0;
}
