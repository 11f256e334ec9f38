// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows that are not sums over keyed cells: processes, histograms, the state of the
 * probes, the functions that can be probed, and the state of the module.
 */
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/utsname.h>

#include "layout.h"
#include "overhead.h"
#include "rows.h"
#include "stack.h"
#include "task.h"

/* processes: the records, then what was evicted, then what found no record */

static u64 processes_rows(void)
{
	return (u64)(vmp_tasks.limit + 2) * vmp_probes.nr_probes;
}

/* Identity and counters of a record as they were at one moment. */
static void copy_record(struct vmp_task *rec, u8 probe, struct vmp_identity *id,
			struct vmp_counters *sum)
{
	u32 version;
	u32 cell;

	do {
		while ((version = READ_ONCE(rec->version)) & 1)
			cpu_relax();
		/* Pairs with the even version in vmp_task_claim(). */
		smp_rmb();
		memset(sum, 0, sizeof(*sum));
		cell = READ_ONCE(rec->cell[probe]);
		if (cell)
			vmp_cell_sum(sum, (void *)vmp_tasks.cells + cell, vmp_recording->epoch);
		vmp_task_identify(rec, id);
		/* Pairs with the odd version there and in take_oldest(). */
		smp_rmb();
	} while (READ_ONCE(rec->version) != version);
}

static int show_special(struct seq_file *m, u64 which, u8 probe)
{
	u32 epoch = vmp_recording->epoch;
	struct vmp_counters sum = {};
	int cpu;

	if (!which)
		vmp_cell_sum(&sum, &vmp_tasks.evicted[probe], epoch);
	else
		for_each_possible_cpu(cpu)
			vmp_cell_sum(&sum, &per_cpu(vmp_cpu, cpu)->strays[probe], epoch);
	if (!sum.calls)
		return SEQ_SKIP;
	seq_printf(m, "- - - - - %s", vmp_probes.name[probe]);
	vmp_row_counters(m, &sum, probe);
	seq_puts(m, which ? " " VMP_OVERFLOW : " (evicted)");
	return 0;
}

static int show_processes(struct seq_file *m, u64 row)
{
	u64 index = div_u64(row, vmp_probes.nr_probes);
	u32 probe = row - index * vmp_probes.nr_probes;
	struct vmp_counters sum;
	struct vmp_identity id;

	if (probe < VMP_FIRST_PROBE)
		return SEQ_SKIP;
	if (index >= vmp_tasks.limit)
		return show_special(m, index - vmp_tasks.limit, probe);
	copy_record(&vmp_tasks.recs[index], probe, &id, &sum);
	if (!sum.calls)
		return SEQ_SKIP;

	seq_printf(m, "%d %d %llu %s ", id.pid, id.tgid, id.start_ns,
		   id.state == VMP_TASK_EXITED ? "exited" : "running");
	if (id.cgroup)
		seq_printf(m, "%llu", id.cgroup);
	else
		seq_putc(m, '-');
	seq_printf(m, " %s", vmp_probes.name[probe]);
	vmp_row_counters(m, &sum, probe);
	seq_putc(m, ' ');
	vmp_row_escape(m, id.comm, sizeof(id.comm));
	return 0;
}

/* histogram: one position for each probe, context and bucket */

#define HIST_ROWS	((VMP_NR_CONTEXTS + 1) * VMP_HIST_BUCKETS)

static u64 sum_bucket(u32 index, u32 bucket)
{
	const struct vmp_histogram *h;
	u64 calls = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		h = &per_cpu(vmp_cpu, cpu)->histograms[index];
		/* Pairs with add_histogram(). */
		if (smp_load_acquire(&h->epoch) == vmp_recording->epoch)
			calls += READ_ONCE(h->calls[bucket]);
	}
	return calls;
}

/* The last position is that of the histogram which takes what overflows. */
static u64 histogram_rows(void)
{
	return (u64)vmp_probes.nr_probes * HIST_ROWS + VMP_HIST_BUCKETS;
}

static int show_histogram(struct seq_file *m, u64 row)
{
	u32 probe = div_u64(row, HIST_ROWS), rest = row - (u64)probe * HIST_ROWS;
	u32 context = rest / VMP_HIST_BUCKETS, bucket = rest % VMP_HIST_BUCKETS;
	bool overflow = probe == vmp_probes.nr_probes;
	u32 index = overflow ? VMP_MAX_HISTOGRAMS + 1 :
			       READ_ONCE(vmp_recording->histogram[probe][context]);
	u64 calls;

	if (!index || probe < VMP_FIRST_PROBE)
		return SEQ_SKIP;
	calls = sum_bucket(index - 1, bucket);
	if (!calls)
		return SEQ_SKIP;
	seq_printf(m, "%s %s %llu %llu %llu",
		   overflow ? VMP_OVERFLOW : vmp_probes.name[probe],
		   overflow ? "-" : vmp_context_names[context],
		   vmp_hist_low(bucket), vmp_hist_high(bucket), calls);
	return 0;
}

/* probes: one row for each symbol, with what is in flight right now */

static struct {
	u64 active;	/* will return and be counted */
	u64 lost;	/* will never return: abandoned, but not popped yet */
	u64 carried;	/* entered before the last reset */
} flight[VMP_MAX_SYMBOLS];

static void prepare_probes(bool first)
{
	const struct vmp_symbol *sym;
	const struct vmp_task *rec;
	const struct vmp_frame *f, *top;
	u32 i;

	memset(flight, 0, sizeof(flight));
	for (i = 0; i < vmp_tasks.limit + vmp_tasks.spares; i++) {
		rec = &vmp_tasks.recs[i];
		top = READ_ONCE(rec->top);
		for (f = rec->frames; f < top; f++) {
			sym = &vmp_probes.symbol[READ_ONCE(f->head.symbol)];
			if (!READ_ONCE(rec->task) || vmp_probe_state(sym) != VMP_ON ||
			    f->start_ns < sym->attached_ns)
				flight[sym->index].lost++;
			else
				flight[sym->index].active++;
			flight[sym->index].carried += f->epoch != vmp_recording->epoch;
		}
	}
}

static int show_probes(struct seq_file *m, u64 row)
{
	const struct vmp_symbol *sym = &vmp_probes.symbol[VMP_FIRST_SYMBOL + row];
	const struct vmp_hits *hits;
	struct vmp_counters calls = {};
	struct vmp_hits sum = {};
	int cpu;

	vmp_row_sum_symbol(&calls, sym->index);
	for_each_possible_cpu(cpu) {
		hits = &per_cpu(vmp_cpu, cpu)->hits[sym->index];
		if (READ_ONCE(hits->epoch) != vmp_recording->epoch)
			continue;
#define VMP_X(name)	sum.name += READ_ONCE(hits->name);
		VMP_HITS(VMP_X)
#undef VMP_X
	}
	seq_printf(m, "%s %s %s", vmp_probes.name[sym->probe], *sym->name ? sym->name : "-",
		   vmp_state_names[vmp_probe_state(sym)]);
	if (*sym->name)
		seq_printf(m, " %llu %llu %llu %llu %llu %llu %llu %llu",
			   sum.entries + flight[sym->index].carried, calls.calls,
			   flight[sym->index].active,
			   sum.abandoned + flight[sym->index].lost, sum.nested,
			   vmp_probe_missed(sym) + sum.turned_away,
			   sum.implausible, sum.backwards);
	else
		seq_puts(m, " - - - - - - - -");
	seq_putc(m, ' ');
	vmp_row_escape(m, sym->note, sizeof(sym->note));
	if (*sym->name)
		seq_printf(m, " %llu", sum.clamped);
	else
		seq_puts(m, " -");
	if (*sym->name && sym->row->watches_slab && sym->reads_sc)
		seq_printf(m, " %llu %llu", sum.slab_pages, sum.credited_pages);
	else
		seq_puts(m, " - -");
	return 0;
}

/* available_functions: what takes a scan_control */

static u64 functions_rows(void)
{
	return vmp_layout.nr_functions;
}

static int show_functions(struct seq_file *m, u64 row)
{
	const struct vmp_function *f = &vmp_layout.functions[row];
	const char *state = "off";
	u32 i;

	if (f->args.sc < 0)
		return SEQ_SKIP;
	for (i = VMP_FIRST_SYMBOL; i < vmp_probes.nr_symbols; i++)
		if (!strcmp(vmp_probes.symbol[i].name, f->name))
			state = vmp_state_names[vmp_probe_state(&vmp_probes.symbol[i])];
	seq_printf(m, "%s %d %s", f->name, f->args.sc, state);
	return 0;
}

/* status: "name value" lines */

static u64 one_row(void)
{
	return 1;
}

/* Which LRU is on; the switch is a static key that modules cannot see. */
static const char *lru_name(void)
{
	char text[16] = "";
	struct file *file;
	loff_t pos = 0;
	unsigned int caps = 0;

	file = filp_open("/sys/kernel/mm/lru_gen/enabled", O_RDONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file) == -ENOENT ? "classic" : "-";
	if (kernel_read(file, text, sizeof(text) - 1, &pos) > 0)
		caps = simple_strtoul(text, NULL, 0);
	filp_close(file, NULL);
	return caps & 1 ? "mglru" : "classic";
}

static void put_pool(struct seq_file *m, const char *name, u64 used, u64 limit)
{
	seq_printf(m, "\n%s_used %llu\n%s_limit %llu", name, min(used, limit), name, limit);
}

static int show_status(struct seq_file *m, u64 row)
{
	const struct vmp_cost *cost = vmp_overhead_cost(NULL, VMP_WORK_SC);

	seq_puts(m, "version " VMP_VERSION "\nkernel ");
	vmp_row_escape(m, utsname()->release, sizeof(utsname()->release));
	seq_printf(m, "\nlru %s", lru_name());
	seq_printf(m, "\nbtf %s\nbtf_reason ", vmp_layout.btf ? "yes" : "no");
	vmp_row_escape(m, vmp_layout.error, sizeof(vmp_layout.error));
	seq_printf(m, "\nlayout %s", vmp_layout.by_hand ? "parameter" :
					vmp_layout.btf ? "btf" : "-");
	seq_printf(m, "\nenabled %d", READ_ONCE(vmp_enabled));
	seq_printf(m, "\nprobing %s", vmp_overhead_probing() ? "yes" : "no");
	seq_printf(m, "\nnow_ns %llu", ktime_get_mono_fast_ns());
	seq_printf(m, "\nloaded_ns %llu", vmp_probes.loaded_ns);
	seq_printf(m, "\nreset_ns %llu", vmp_recording->since_ns);
	seq_printf(m, "\noverhead_inner_ns %u\noverhead_pair_ns %u\noverhead_entry_ns %u",
		   cost->inner / VMP_COST_UNIT, cost->pair / VMP_COST_UNIT,
		   cost->entry / VMP_COST_UNIT);
	put_pool(m, "tasks", atomic_read(&vmp_tasks.fresh), vmp_tasks.limit);
	put_pool(m, "task_cells", atomic_read(&vmp_tasks.cells_used), vmp_tasks.cell_limit);
	put_pool(m, "callers", atomic_read(&vmp_recording->used) - VMP_MAX_SYMBOLS,
		 vmp_recording->limit - VMP_MAX_SYMBOLS);
	put_pool(m, "histograms", atomic_read(&vmp_recording->histograms), VMP_MAX_HISTOGRAMS);
	put_pool(m, "symbols", vmp_probes.nr_symbols, VMP_MAX_SYMBOLS);
	seq_printf(m, "\nstacks %d", READ_ONCE(vmp_stack_enabled));
	seq_printf(m, "\nmaxactive %d", vmp_probes.maxactive);
	seq_printf(m, "\nevicted %llu", vmp_tasks.nr_evicted);
	seq_printf(m, "\nmemory_bytes %zu",
		   vmp_keyed_bytes() + vmp_task_bytes() + vmp_probe_bytes() + vmp_stack_bytes());
	return 0;
}

/* The switches */

/**
 * vmp_row_switch() - read what was written to a switch
 * @text: without the end of the line
 * @on: the result
 *
 * Return: 0, or -EINVAL for anything but "0" and "1".
 */
int vmp_row_switch(const char *text, bool *on)
{
	if (strcmp(text, "0") && strcmp(text, "1"))
		return -EINVAL;
	*on = *text == '1';
	return 0;
}

static int show_enabled(struct seq_file *m, u64 row)
{
	seq_printf(m, "%d", READ_ONCE(vmp_enabled));
	return 0;
}

static int change_enabled(const char *text)
{
	bool on;

	if (vmp_row_switch(text, &on))
		return -EINVAL;
	WRITE_ONCE(vmp_enabled, on);
	return 0;
}

static int show_zero(struct seq_file *m, u64 row)
{
	seq_putc(m, '0');
	return 0;
}

static int change_reset(const char *text)
{
	bool on;

	if (vmp_row_switch(text, &on) || !on)
		return -EINVAL;
	vmp_keyed_reset();
	vmp_probe_reset();
	return 0;
}

static int change_calibrate(const char *text)
{
	bool on;

	if (vmp_row_switch(text, &on) || !on)
		return -EINVAL;
	return vmp_overhead_calibrate();
}

#define PROBES_COLUMNS	"probe symbol state entries calls active abandoned nested missed "	\
			"implausible backwards note clamped slab_pages credited_pages"

const struct vmp_table vmp_state_tables[] = {
	{ "processes", "pid tgid start_ns state cgroup probe" VMP_ROW_COUNTERS " comm",
	  processes_rows, show_processes },
	{ "histogram", "probe context low_ns high_ns calls", histogram_rows, show_histogram },
	{ "probes", PROBES_COLUMNS, vmp_row_symbols, show_probes, prepare_probes },
	{ "available_functions", "function argument state", functions_rows, show_functions,
	  .change = vmp_probe_switch },
	{ "status", "name value", one_row, show_status },
	{ "enabled", NULL, one_row, show_enabled, .change = change_enabled },
	{ "reset", NULL, one_row, show_zero, .change = change_reset },
	{ "calibrate", NULL, one_row, show_zero, .change = change_calibrate },
};

const u32 vmp_nr_state_tables = ARRAY_SIZE(vmp_state_tables);
