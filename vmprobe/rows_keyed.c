// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows that are sums over keyed cells.
 *
 * totals, cpus, callers, tree and contexts are sums over the edges; cgroups and
 * nodes over the owners. A row is found by its position, and a position has
 * nothing to show if it is empty or was shown with an earlier one.
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

/**
 * struct edge - a decoded key of the edge table
 * @overflow: only @symbol and @probe are known
 */
struct edge {
	u8 symbol;
	u8 probe;
	u8 parent;
	u8 context;
	bool overflow;
	u64 caller;
};

static bool decode_edge(u32 cell, struct edge *e)
{
	const struct vmp_keyed *t = &vmp_recording->edges;
	const struct vmp_key *key;
	u32 slot;

	memset(e, 0, sizeof(*e));
	if (cell < t->first) {
		e->overflow = true;
		e->symbol = cell;
		e->parent = VMP_NONE;
		e->context = VMP_NO_CONTEXT;
	} else {
		slot = smp_load_acquire(&t->by_cell[cell]);
		if (!slot)
			return false;
		key = &t->slots[slot - 1];
		e->symbol = VMP_EDGE_SYMBOL(key->name);
		e->parent = VMP_EDGE_PARENT(key->name);
		e->context = VMP_EDGE_CONTEXT(key->name);
		e->caller = key->value;
	}
	if (e->symbol < VMP_FIRST_SYMBOL || e->symbol >= vmp_probes.nr_symbols)
		return false;
	e->probe = vmp_probes.symbol[e->symbol].probe;
	return true;
}

static u32 nr_edges(void)
{
	return min_t(u32, atomic_read(&vmp_recording->edges.used), vmp_recording->edges.limit);
}

static u32 nr_owners(void)
{
	return min_t(u32, atomic_read(&vmp_recording->owners.used), vmp_recording->owners.limit);
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


static int show_totals(struct seq_file *m, u64 row)
{
	const struct vmp_symbol *sym = &vmp_probes.symbol[VMP_FIRST_SYMBOL + row];
	struct vmp_counters sum = {};
	struct edge e;
	u32 cell;

	if (!*sym->name)
		return SEQ_SKIP;
	for_each_edge(&e, cell)
		if (e.symbol == sym->index)
			sum_edge(&sum, cell, ALL_CPUS);
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

static void prepare_callers(void)
{
	struct edge e;
	u32 cell;

	if (caller_epoch != vmp_recording->epoch)
		memset(caller_start, 0, vmp_recording->edges.limit * sizeof(*caller_start));
	caller_epoch = vmp_recording->epoch;
	for_each_edge(&e, cell)
		if (!caller_start[cell])
			caller_start[cell] = resolve(e.caller) + 1;
}

static bool same_caller(const struct edge *a, u32 cell_a, const struct edge *b, u32 cell_b)
{
	return a->probe == b->probe && a->context == b->context &&
	       a->overflow == b->overflow && caller_start[cell_a] == caller_start[cell_b];
}

static int show_callers(struct seq_file *m, u64 row)
{
	struct vmp_counters sum = {};
	struct edge e, other;
	u32 cell;

	if (row >= nr_edges() || !decode_edge(row, &e))
		return SEQ_SKIP;
	for_each_edge(&other, cell) {
		if (!same_caller(&e, row, &other, cell))
			continue;
		if (cell < row)
			return SEQ_SKIP;
		sum_edge(&sum, cell, ALL_CPUS);
	}
	if (!sum.calls)
		return SEQ_SKIP;
	resolve(e.caller);
	seq_printf(m, "%s %s %s", vmp_probes.name[e.probe], e.overflow ? VMP_OVERFLOW : name,
		   vmp_context_names[e.context]);
	vmp_row_counters(m, &sum, e.probe);
	return 0;
}

static u64 edge_rows(void)
{
	return vmp_recording->edges.limit;
}

/* tree and contexts: edges of the same probe and parent, or context */

static int show_edges_by(struct seq_file *m, u64 row, bool by_parent)
{
	struct vmp_counters sum = {};
	struct edge e, other;
	u32 cell;

	if (row >= nr_edges() || !decode_edge(row, &e))
		return SEQ_SKIP;
	for_each_edge(&other, cell) {
		if (other.probe != e.probe || other.overflow != e.overflow ||
		    (by_parent ? other.parent != e.parent : other.context != e.context))
			continue;
		if (cell < row)
			return SEQ_SKIP;
		sum_edge(&sum, cell, ALL_CPUS);
	}
	if (!sum.calls)
		return SEQ_SKIP;
	seq_printf(m, "%s %s", e.overflow ? VMP_OVERFLOW :
		   by_parent ? probe_name(e.parent) : vmp_context_names[e.context],
		   vmp_probes.name[e.probe]);
	vmp_row_counters(m, &sum, e.probe);
	return 0;
}

static int show_tree(struct seq_file *m, u64 row)
{
	return show_edges_by(m, row, true);
}

static int show_contexts(struct seq_file *m, u64 row)
{
	return show_edges_by(m, row, false);
}

/* cgroups and nodes: owners of the same probe and cgroup, or node */

static bool decode_owner(u32 cell, u8 *probe, s16 *node, u64 *cgroup)
{
	const struct vmp_keyed *t = &vmp_recording->owners;
	u32 slot;

	*node = -1;
	*cgroup = 0;
	if (cell < t->first) {
		*probe = cell;
	} else {
		slot = smp_load_acquire(&t->by_cell[cell]);
		if (!slot)
			return false;
		*probe = VMP_OWNER_PROBE(t->slots[slot - 1].name);
		*node = VMP_OWNER_NODE(t->slots[slot - 1].name);
		*cgroup = t->slots[slot - 1].value;
	}
	return *probe >= VMP_FIRST_PROBE && *probe < vmp_probes.nr_probes;
}

static int show_owners_by(struct seq_file *m, u64 row, bool by_cgroup)
{
	u32 first = vmp_recording->owners.first, epoch = vmp_recording->epoch, cell;
	struct vmp_counters sum = {};
	u64 cgroup, other_cgroup;
	u8 probe, other_probe;
	s16 node, other_node;
	int cpu;

	if (row >= nr_owners() || !decode_owner(row, &probe, &node, &cgroup))
		return SEQ_SKIP;
	for (cell = 0; cell < nr_owners(); cell++) {
		if (!decode_owner(cell, &other_probe, &other_node, &other_cgroup) ||
		    other_probe != probe || (cell < first) != (row < first) ||
		    (by_cgroup ? other_cgroup != cgroup : other_node != node))
			continue;
		if (cell < row)
			return SEQ_SKIP;
		for_each_possible_cpu(cpu)
			vmp_cell_sum(&sum, &per_cpu(vmp_cpu, cpu)->owners[cell], epoch);
	}
	if (!sum.calls)
		return SEQ_SKIP;
	if (row < first)
		seq_puts(m, VMP_OVERFLOW);
	else if (by_cgroup ? !cgroup : node < 0)
		seq_putc(m, '-');
	else
		seq_printf(m, "%llu", by_cgroup ? cgroup : (u64)node);
	seq_printf(m, " %s", vmp_probes.name[probe]);
	vmp_row_counters(m, &sum, probe);
	return 0;
}

static u64 owner_rows(void)
{
	return vmp_recording->owners.limit;
}

static int show_cgroups(struct seq_file *m, u64 row)
{
	return show_owners_by(m, row, true);
}

static int show_nodes(struct seq_file *m, u64 row)
{
	return show_owners_by(m, row, false);
}

#define COUNTED		VMP_ROW_COUNTERS

const struct vmp_table vmp_keyed_tables[] = {
	{ "totals", "probe symbol" COUNTED, vmp_row_symbols, show_totals },
	{ "cpus", "cpu probe" COUNTED, cpus_rows, show_cpus },
	{ "callers", "probe caller context" COUNTED, edge_rows, show_callers, prepare_callers },
	{ "tree", "parent probe" COUNTED, edge_rows, show_tree },
	{ "contexts", "context probe" COUNTED, edge_rows, show_contexts },
	{ "cgroups", "cgroup probe" COUNTED, owner_rows, show_cgroups },
	{ "nodes", "node probe" COUNTED, owner_rows, show_nodes },
};
const u32 vmp_nr_keyed_tables = ARRAY_SIZE(vmp_keyed_tables);

/**
 * vmp_rows_init() - allocate what readers need to merge callers
 *
 * Return: 0 or -ENOMEM.
 */
int vmp_rows_init(void)
{
	caller_start = kvcalloc(vmp_recording->edges.limit, sizeof(*caller_start), GFP_KERNEL);
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
