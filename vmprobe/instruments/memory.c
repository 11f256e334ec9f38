// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instrument "memory": what memory holds and what the kernel counts of its use, read
 * in the same pass as the probes, so that both can be set against each other. No
 * function is probed; all work is done when a table is read. The sources are those of
 * /proc/vmstat and /proc/zoneinfo, with the same delay: what a CPU has counted is
 * folded into them every second or so (vm.stat_interval; a write to
 * /proc/sys/vm/stat_refresh does it at once).
 *
 * Table "levels": pages, for each node and for all. Names are those of /proc/vmstat,
 * but kernel_stack (there in KiB, nr_kernel_stack); min, low and high are sums of the
 * zones' watermarks, managed of their pages, as in /proc/zoneinfo; swap_free is the
 * SwapFree of /proc/meminfo and belongs to no node.
 *
 * Table "events": counts since boot, with the names of /proc/vmstat, which pgpgin and
 * pgpgout are given in KiB by.
 *
 * What this kernel does not count, or no longer, is "-"; so is everything without BTF.
 */
#include <linux/kernel.h>
#include <linux/mmzone.h>
#include <linux/nodemask.h>
#include <linux/seq_file.h>
#include <linux/swap.h>
#include <linux/vmstat.h>

#include "../layout.h"
#include "../tables.h"

static const char * const names[] = {
#define VMP_X(enumerator, name)	[VMP_N_##enumerator] = #name,
	VMP_LEVELS(VMP_X)
	VMP_EVENTS(VMP_X)
#undef VMP_X
};

/* Levels that are in no enumeration, behind those that are. */
enum { MIN, LOW, HIGH, MANAGED, SWAP_FREE, NR_OTHERS };

static const char * const others[NR_OTHERS] = {
	[MIN] = "min", [LOW] = "low", [HIGH] = "high", [MANAGED] = "managed",
	[SWAP_FREE] = "swap_free",
};

#define NR_ROWS		(VMP_NR_LEVELS + NR_OTHERS)
#define ABSENT		(-1L)

/* Counters are folded late, so that some can be below 0 for a while. */
static long at_least_0(long value)
{
	return max(value, 0L);
}

static long read_global(const struct vmp_counted *c)
{
	if (c->where == VMP_COUNTED_NODE && c->index < NR_VM_NODE_STAT_ITEMS)
		return at_least_0(atomic_long_read(&vm_node_stat[c->index]));
	if (c->where == VMP_COUNTED_ZONE && c->index < NR_VM_ZONE_STAT_ITEMS)
		return at_least_0(atomic_long_read(&vm_zone_stat[c->index]));
	return ABSENT;
}

static long read_zones(const struct vmp_counted *c, const pg_data_t *pgdat)
{
	long sum = 0;
	u32 i;

	for (i = 0; i < MAX_NR_ZONES; i++)
		sum += at_least_0(atomic_long_read(&pgdat->node_zones[i].vm_stat[c->index]));
	return sum;
}

static long read_node(const struct vmp_counted *c, const pg_data_t *pgdat)
{
	if (c->where == VMP_COUNTED_NODE && c->index < NR_VM_NODE_STAT_ITEMS)
		return at_least_0(atomic_long_read(&pgdat->vm_stat[c->index]));
	if (c->where == VMP_COUNTED_ZONE && c->index < NR_VM_ZONE_STAT_ITEMS)
		return read_zones(c, pgdat);
	return ABSENT;
}

static long add_zones(u32 which, pg_data_t *pgdat)
{
	struct zone *zone;
	long sum = 0;
	u32 i;

	for (i = 0; i < MAX_NR_ZONES; i++) {
		zone = &pgdat->node_zones[i];
		if (!populated_zone(zone))
			continue;
		sum += which == MIN ? min_wmark_pages(zone) :
		       which == LOW ? low_wmark_pages(zone) :
		       which == HIGH ? high_wmark_pages(zone) : zone_managed_pages(zone);
	}
	return sum;
}

static long read_other(u32 which, int node)
{
	long sum = 0;

	if (which == SWAP_FREE)
		return IS_ENABLED(CONFIG_SWAP) && node == NUMA_NO_NODE ?
			at_least_0(get_nr_swap_pages()) : ABSENT;
	if (node != NUMA_NO_NODE)
		return add_zones(which, NODE_DATA(node));
	for_each_online_node(node)
		sum += add_zones(which, NODE_DATA(node));
	return sum;
}

static long read_level(u32 level, int node)
{
	const struct vmp_counted *c;
	long value;

	if (level >= VMP_NR_LEVELS)
		return read_other(level - VMP_NR_LEVELS, node);
	c = &vmp_layout.counted[level];
	value = node == NUMA_NO_NODE ? read_global(c) : read_node(c, NODE_DATA(node));
	if (level == VMP_N_NR_KERNEL_STACK_KB && value != ABSENT)
		value /= PAGE_SIZE / 1024;
	return value;
}

static void put(struct seq_file *m, long value)
{
	if (value == ABSENT)
		seq_puts(m, " -");
	else
		seq_printf(m, " %ld", value);
}

static u64 levels_rows(void)
{
	return (u64)(nr_node_ids + 1) * NR_ROWS;
}

/* All nodes together first. */
static int show_levels(struct seq_file *m, u64 row)
{
	u32 level = row % NR_ROWS;
	int node = (int)(row / NR_ROWS) - 1;

	if (node != NUMA_NO_NODE && !node_online(node))
		return SEQ_SKIP;
	if (node == NUMA_NO_NODE)
		seq_puts(m, "all");
	else
		seq_printf(m, "%d", node);
	seq_printf(m, " %s", level < VMP_NR_LEVELS ? names[level] : others[level - VMP_NR_LEVELS]);
	put(m, read_level(level, node));
	return 0;
}

/* Under the lock of the tables, like all that follows. */
static unsigned long event[NR_VM_EVENT_ITEMS];

static void prepare_events(bool first)
{
	all_vm_events(event);
}

static u64 events_rows(void)
{
	return VMP_NR_COUNTED - VMP_NR_LEVELS;
}

static int show_events(struct seq_file *m, u64 row)
{
	u32 i = VMP_NR_LEVELS + row;
	const struct vmp_counted *c = &vmp_layout.counted[i];
	unsigned long value;

	seq_puts(m, names[i]);
	if (c->where != VMP_COUNTED_EVENT) {
		put(m, read_global(c));
	} else if (IS_ENABLED(CONFIG_VM_EVENT_COUNTERS) && c->index < NR_VM_EVENT_ITEMS) {
		value = event[c->index];
		/* Counted in sectors. */
		if (i == VMP_N_PGPGIN || i == VMP_N_PGPGOUT)
			value /= 2;
		seq_printf(m, " %lu", value);
	} else {
		put(m, ABSENT);
	}
	return 0;
}

const struct vmp_table vmp_memory_tables[] = {
	{ "levels", "node level pages", levels_rows, show_levels },
	{ "events", "event count", events_rows, show_events, prepare_events },
};

const u32 vmp_nr_memory_tables = ARRAY_SIZE(vmp_memory_tables);
