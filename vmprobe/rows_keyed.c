// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows that are sums over keyed cells.
 *
 * A row is found by its position, and a position has nothing to show if it is
 * empty or was shown with an earlier one.
 */
#include <linux/cpumask.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "layout.h"
#include "probe.h"
#include "rows.h"
#include "task.h"

#define ALL_CPUS		(-1)

/* Start of the function that each edge's return address lies in, filled when read. */
static u64 *caller_start;
static u32 caller_epoch;

/* A decoded key of the edge table; of an overflow key, only symbol and probe are known. */
struct edge {
	u8 symbol;
	u8 probe;
	u8 parent;
	u8 context;
	s16 node;
	bool overflow;
	u64 caller;
	u64 cgroup;
};

static bool decode_edge(u32 cell, struct edge *e)
{
	const struct vmp_recording *rec = vmp_recording;
	const struct vmp_key *key;
	u32 slot;

	memset(e, 0, sizeof(*e));
	if (cell < VMP_MAX_SYMBOLS) {
		e->overflow = true;
		e->symbol = cell;
		e->parent = VMP_NONE;
		e->context = VMP_NO_CONTEXT;
		e->node = -1;
	} else {
		/* Pairs with vmp_keyed_claim(). */
		slot = smp_load_acquire(&rec->by_cell[cell]);
		if (!slot)
			return false;
		key = &rec->slots[slot - 1];
		e->symbol = VMP_EDGE_SYMBOL(key->name);
		e->parent = VMP_EDGE_PARENT(key->name);
		e->context = VMP_EDGE_CONTEXT(key->name);
		e->node = VMP_EDGE_NODE(key->name);
		e->caller = key->caller;
		e->cgroup = key->cgroup;
	}
	if (e->symbol < VMP_FIRST_SYMBOL || e->symbol >= vmp_probes.nr_symbols)
		return false;
	e->probe = vmp_probes.symbol[e->symbol].probe;
	return true;
}

static u32 nr_edges(void)
{
	return min_t(u32, atomic_read(&vmp_recording->used), vmp_recording->limit);
}

static void sum_edge(struct vmp_counters *sum, u32 cell, int only_cpu)
{
	u32 epoch = vmp_recording->epoch;
	int cpu;

	for_each_possible_cpu(cpu)
		if (only_cpu == ALL_CPUS || cpu == only_cpu)
			vmp_cell_sum(sum, &per_cpu(vmp_cpu, cpu)->edges[cell], epoch);
}

#define for_each_edge(e, cell)						\
	for ((cell) = 0; (cell) < nr_edges(); (cell)++)			\
		if (decode_edge(cell, e))

static const char *probe_name(u8 probe)
{
	return probe == VMP_NONE ? "-" : vmp_probes.name[probe];
}

/**
 * vmp_row_sum_symbol() - what all calls of a symbol amount to
 * @sum: is added to
 * @symbol: index of the symbol
 *
 * Context: vmp_probes.lock is held.
 */
void vmp_row_sum_symbol(struct vmp_counters *sum, u8 symbol)
{
	struct edge e;
	u32 cell;

	for_each_edge(&e, cell)
		if (e.symbol == symbol)
			sum_edge(sum, cell, ALL_CPUS);
}

static int show_totals(struct seq_file *m, u64 row)
{
	const struct vmp_symbol *sym = &vmp_probes.symbol[VMP_FIRST_SYMBOL + row];
	struct vmp_counters sum = {};

	if (!*sym->name)
		return SEQ_SKIP;
	vmp_row_sum_symbol(&sum, sym->index);
	seq_printf(m, "%s %s", vmp_probes.name[sym->probe], sym->name);
	vmp_row_counters_of_row(m, &sum, sym->row);
	return 0;
}

/* cpus */

static u64 cpus_rows(void)
{
	return (u64)nr_cpu_ids * vmp_probes.nr_probes;
}

static int show_cpus(struct seq_file *m, u64 row)
{
	u32 probe = row % vmp_probes.nr_probes, cell;
	int cpu = row / vmp_probes.nr_probes;
	struct vmp_counters sum = {};
	struct edge e;

	if (!cpu_possible(cpu) || probe < VMP_FIRST_PROBE)
		return SEQ_SKIP;
	for_each_edge(&e, cell)
		if (e.probe == probe)
			sum_edge(&sum, cell, cpu);
	if (!sum.calls)
		return SEQ_SKIP;
	seq_printf(m, "%d %s", cpu, vmp_probes.name[probe]);
	vmp_row_counters(m, &sum, probe);
	return 0;
}

/* callers: edges of the same probe, calling function and context are one row */

static char name[KSYM_SYMBOL_LEN];	/* what resolve() found */

/*
 * Resolve a return address to its function's start and name, never an address.
 * What is no function, or stands in place of a return address, is unknown.
 */
static u64 resolve(u64 addr)
{
	static const char * const hooks[] = {
		"arch_rethook_trampoline", "kretprobe_trampoline",
		"__kretprobe_trampoline", "return_to_handler",
	};
	char *plus, *module;
	unsigned long offset;
	size_t i;

	lockdep_assert_held(&vmp_probes.lock);
	/* A call may be the last instruction of its function: look before it. */
	if (addr)
		sprint_symbol(name, addr - 1);
	plus = addr ? strchr(name, '+') : NULL;
	if (!plus) {
		strcpy(name, "-");
		return 0;
	}
	offset = simple_strtoul(plus + 1, NULL, 16);
	module = strchr(plus, '[');
	*plus = '\0';
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!strcmp(name, hooks[i])) {
			strcpy(name, "-");
			return 0;
		}
	}
	if (module)
		memmove(plus, module, strlen(module) + 1);
	return addr - 1 - offset;
}

/**
 * vmp_row_caller() - print the function that an address lies in
 * @m: the file
 * @addr: return address, or 0
 *
 * Context: vmp_probes.lock is held.
 */
void vmp_row_caller(struct seq_file *m, unsigned long addr)
{
	resolve(addr);
	seq_puts(m, name);
}

static void prepare_callers(bool first)
{
	struct edge e;
	u32 cell;

	if (caller_epoch != vmp_recording->epoch)
		memset(caller_start, 0, vmp_recording->limit * sizeof(*caller_start));
	caller_epoch = vmp_recording->epoch;
	for_each_edge(&e, cell)
		if (!caller_start[cell])
			caller_start[cell] = resolve(e.caller) + 1;
}

static u64 edge_rows(void)
{
	return vmp_recording->limit;
}

/* The key columns of a table over edges, besides the probe. */
enum by { BY_CALLER, BY_PARENT, BY_CONTEXT, BY_CGROUP, BY_NODE };

static bool same_row(const struct edge *a, u32 cell_a, const struct edge *b, u32 cell_b,
		     enum by by)
{
	if (a->probe != b->probe || a->overflow != b->overflow)
		return false;
	switch (by) {
	case BY_CALLER:
		return a->context == b->context && caller_start[cell_a] == caller_start[cell_b];
	case BY_PARENT:
		return a->parent == b->parent;
	case BY_CONTEXT:
		return a->context == b->context;
	case BY_CGROUP:
		return a->cgroup == b->cgroup;
	case BY_NODE:
		return a->node == b->node;
	}
	return false;
}

/* A row is shown in the place of the first edge that belongs to it. */
static int show_edges(struct seq_file *m, u64 row, enum by by)
{
	struct vmp_counters sum = {};
	struct edge e, other;
	const char *probe;
	u32 cell;

	if (row >= nr_edges() || !decode_edge(row, &e))
		return SEQ_SKIP;
	for_each_edge(&other, cell) {
		if (!same_row(&e, row, &other, cell, by))
			continue;
		if (cell < row)
			return SEQ_SKIP;
		sum_edge(&sum, cell, ALL_CPUS);
	}
	if (!sum.calls)
		return SEQ_SKIP;

	probe = vmp_probes.name[e.probe];
	if (by == BY_CALLER) {
		resolve(e.caller);
		seq_printf(m, "%s %s %s", probe, e.overflow ? VMP_OVERFLOW : name,
			   vmp_context_names[e.context]);
	} else {
		if (e.overflow)
			seq_puts(m, VMP_OVERFLOW);
		else if (by == BY_PARENT)
			seq_puts(m, probe_name(e.parent));
		else if (by == BY_CONTEXT)
			seq_puts(m, vmp_context_names[e.context]);
		else if (by == BY_CGROUP ? !e.cgroup : e.node < 0)
			seq_putc(m, '-');
		else
			seq_printf(m, "%llu", by == BY_CGROUP ? e.cgroup : (u64)e.node);
		seq_printf(m, " %s", probe);
	}
	vmp_row_counters(m, &sum, e.probe);
	return 0;
}

static int show_callers(struct seq_file *m, u64 row)
{
	return show_edges(m, row, BY_CALLER);
}

static int show_tree(struct seq_file *m, u64 row)
{
	return show_edges(m, row, BY_PARENT);
}

static int show_contexts(struct seq_file *m, u64 row)
{
	return show_edges(m, row, BY_CONTEXT);
}

static int show_cgroups(struct seq_file *m, u64 row)
{
	return show_edges(m, row, BY_CGROUP);
}

static int show_nodes(struct seq_file *m, u64 row)
{
	return show_edges(m, row, BY_NODE);
}

#define COUNTED		VMP_ROW_COUNTERS

const struct vmp_table vmp_keyed_tables[] = {
	{ "totals", "probe symbol" COUNTED, vmp_row_symbols, show_totals },
	{ "cpus", "cpu probe" COUNTED, cpus_rows, show_cpus },
	{ "callers", "probe caller context" COUNTED, edge_rows, show_callers, prepare_callers },
	{ "tree", "parent probe" COUNTED, edge_rows, show_tree },
	{ "contexts", "context probe" COUNTED, edge_rows, show_contexts },
	{ "cgroups", "cgroup probe" COUNTED, edge_rows, show_cgroups },
	{ "nodes", "node probe" COUNTED, edge_rows, show_nodes },
};

const u32 vmp_nr_keyed_tables = ARRAY_SIZE(vmp_keyed_tables);

/**
 * vmp_rows_init() - allocate what readers need to merge callers
 *
 * Return: 0 or -ENOMEM.
 */
int vmp_rows_init(void)
{
	caller_start = kvcalloc(vmp_recording->limit, sizeof(*caller_start), GFP_KERNEL);
	caller_epoch = 0;
	return caller_start ? 0 : -ENOMEM;
}

/**
 * vmp_rows_exit() - free what vmp_rows_init() allocated
 */
void vmp_rows_exit(void)
{
	kvfree(caller_start);
	caller_start = NULL;
}
