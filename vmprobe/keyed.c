// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that handlers write, all of it allocated at load: two recordings, of
 * which one is current, and a block of cells for each possible CPU on its own
 * node. A key is claimed with one compare-and-exchange and never moves while its
 * recording lasts; two CPUs that claim the same key at the same moment may get a
 * cell each, which readers add up like everything else.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/clock.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "keyed.h"

DEFINE_PER_CPU(struct vmp_cpu *, vmp_cpu);
struct vmp_recording *vmp_recording;

static struct vmp_recording *recordings[2];
static size_t bytes;

static void *zalloc(size_t size, int node)
{
	void *p = vzalloc_node(size, node);

	if (p)
		bytes += PAGE_ALIGN(size);
	return p;
}

static int table_init(struct vmp_keyed *table, u32 first, u32 limit)
{
	u32 slots = roundup_pow_of_two(2 * limit);

	table->slots = zalloc(array_size(slots, sizeof(*table->slots)), NUMA_NO_NODE);
	table->by_cell = zalloc(array_size(limit, sizeof(*table->by_cell)), NUMA_NO_NODE);
	if (!table->slots || !table->by_cell)
		return -ENOMEM;
	table->mask = slots - 1;
	table->first = first;
	table->limit = limit;
	atomic_set(&table->used, first);
	return 0;
}

static void table_clear(struct vmp_keyed *table)
{
	memset(table->slots, 0, ((size_t)table->mask + 1) * sizeof(*table->slots));
	memset(table->by_cell, 0, (size_t)table->limit * sizeof(*table->by_cell));
	atomic_set(&table->used, table->first);
}

static void recording_free(struct vmp_recording *rec)
{
	if (!rec)
		return;
	vfree(rec->edges.slots);
	vfree(rec->edges.by_cell);
	vfree(rec->owners.slots);
	vfree(rec->owners.by_cell);
	vfree(rec);
}

static struct vmp_recording *recording_alloc(u32 max_callers, u32 max_owners)
{
	struct vmp_recording *rec = zalloc(sizeof(*rec), NUMA_NO_NODE);

	if (!rec)
		return NULL;
	/* The first cells take what overflows, of each symbol or probe apart. */
	if (table_init(&rec->edges, VMP_MAX_SYMBOLS, VMP_MAX_SYMBOLS + max_callers) ||
	    table_init(&rec->owners, VMP_MAX_PROBES, VMP_MAX_PROBES + max_owners)) {
		recording_free(rec);
		return NULL;
	}
	return rec;
}

static struct vmp_cpu *cpu_alloc(int cpu, u32 edges, u32 owners)
{
	struct vmp_cpu *c;
	size_t at[6] = {};
	void *block;

	at[0] = ALIGN(sizeof(*c), L1_CACHE_BYTES);
	at[1] = at[0] + ALIGN(edges * sizeof(struct vmp_cell), L1_CACHE_BYTES);
	at[2] = at[1] + ALIGN(owners * sizeof(struct vmp_cell), L1_CACHE_BYTES);
	at[3] = at[2] + ALIGN(VMP_MAX_PROBES * sizeof(struct vmp_cell), L1_CACHE_BYTES);
	at[4] = at[3] + VMP_MAX_SYMBOLS * sizeof(struct vmp_hits);
	at[5] = at[4] + (VMP_MAX_HISTOGRAMS + 1) * sizeof(struct vmp_histogram);

	block = zalloc(at[5], cpu_to_node(cpu));
	if (!block)
		return NULL;
	c = block;
	c->edges = block + at[0];
	c->owners = block + at[1];
	c->strays = block + at[2];
	c->hits = block + at[3];
	c->histograms = block + at[4];
	return c;
}

/**
 * vmp_keyed_init() - allocate the recordings and the CPUs' cells
 * @max_callers: places for combinations of symbol, parent, caller and context
 * @max_owners: places for combinations of probe, cgroup and node
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM; nothing is left allocated then.
 */
int vmp_keyed_init(u32 max_callers, u32 max_owners)
{
	struct vmp_cpu *c;
	int cpu, i;

	for (i = 0; i < 2; i++) {
		recordings[i] = recording_alloc(max_callers, max_owners);
		if (!recordings[i])
			goto err;
	}
	for_each_possible_cpu(cpu) {
		c = cpu_alloc(cpu, recordings[0]->edges.limit, recordings[0]->owners.limit);
		if (!c)
			goto err;
		per_cpu(vmp_cpu, cpu) = c;
	}
	recordings[0]->epoch = 1;
	recordings[0]->since_ns = ktime_get_mono_fast_ns();
	vmp_recording = recordings[0];
	return 0;
err:
	vmp_keyed_exit();
	return -ENOMEM;
}

/**
 * vmp_keyed_exit() - free what vmp_keyed_init() allocated
 *
 * Context: no handler can run any more.
 */
void vmp_keyed_exit(void)
{
	int cpu, i;

	for_each_possible_cpu(cpu) {
		vfree(per_cpu(vmp_cpu, cpu));
		per_cpu(vmp_cpu, cpu) = NULL;
	}
	for (i = 0; i < 2; i++) {
		recording_free(recordings[i]);
		recordings[i] = NULL;
	}
	vmp_recording = NULL;
	bytes = 0;
}

/**
 * vmp_keyed_reset() - begin a new recording
 *
 * Handlers go on meanwhile: each adds either to the old recording or to the new
 * one, so nothing is lost or counted twice.
 *
 * Context: may sleep; the caller keeps other resets and the readers out.
 */
void vmp_keyed_reset(void)
{
	struct vmp_recording *old = vmp_recording, *new;

	new = old == recordings[0] ? recordings[1] : recordings[0];
	table_clear(&new->edges);
	table_clear(&new->owners);
	memset(new->histogram, 0, sizeof(new->histogram));
	atomic_set(&new->histograms, 0);
	new->epoch = old->epoch + 1 ?: 1;
	new->since_ns = ktime_get_mono_fast_ns();
	smp_store_release(&vmp_recording, new);
	/* The last handler that saw the old one must be gone before the next reset. */
	synchronize_rcu();
}

/**
 * vmp_keyed_claim() - look a key up beyond its first slot, and claim it if new
 * @table: of the current recording
 * @name: the packed part, with VMP_KEY_VALID set
 * @value: the other part
 * @overflow: index of the cell that takes the call when the table is full
 *
 * Context: probe handlers; takes no lock.
 * Return: an index below @table->limit.
 */
u32 vmp_keyed_claim(struct vmp_keyed *table, u64 name, u64 value, u32 overflow)
{
	u32 at = vmp_key_hash(name, value) & table->mask, tries, cell;
	struct vmp_key *key;
	u64 found;

	for (tries = 0; tries <= table->mask; tries++, at = (at + 1) & table->mask) {
		key = &table->slots[at];
		found = smp_load_acquire(&key->name);
		if (found == name && key->value == value)
			return key->cell;
		if (found)
			continue;
		if (atomic_read(&table->used) >= table->limit)
			return overflow;
		if (cmpxchg(&key->name, 0, VMP_KEY_BUSY))
			continue;
		cell = atomic_inc_return(&table->used) - 1;
		if (cell >= table->limit) {
			WRITE_ONCE(key->name, 0);
			return overflow;
		}
		key->value = value;
		key->cell = cell;
		smp_store_release(&key->name, name);
		/* Readers take a place without this link as empty. */
		smp_store_release(&table->by_cell[cell], at + 1);
		return cell;
	}
	return overflow;
}

/**
 * vmp_keyed_histogram() - the histogram of a probe and context
 * @rec: the current recording
 * @probe: index of the probe
 * @context: a vmp_context or VMP_NO_CONTEXT
 *
 * Context: probe handlers, on the first call of this probe and context.
 * Return: an index into vmp_cpu.histograms; VMP_MAX_HISTOGRAMS when all are
 * given out.
 */
u32 vmp_keyed_histogram(struct vmp_recording *rec, u8 probe, u8 context)
{
	u8 *place = &rec->histogram[probe][context];
	u32 index;

	if (atomic_read(&rec->histograms) >= VMP_MAX_HISTOGRAMS)
		return VMP_MAX_HISTOGRAMS;
	index = atomic_inc_return(&rec->histograms);
	if (index > VMP_MAX_HISTOGRAMS)
		return VMP_MAX_HISTOGRAMS;
	/* If another CPU was faster, then this index stays unused. */
	cmpxchg(place, 0, index);
	return *place - 1;
}

/**
 * vmp_keyed_bytes() - memory held by the tables of this file
 *
 * Return: bytes.
 */
size_t vmp_keyed_bytes(void)
{
	return bytes;
}
