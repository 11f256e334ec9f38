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
#include "stack.h"

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

static void recording_clear(struct vmp_recording *rec)
{
	u32 i;

	memset(rec->slots, 0, ((size_t)rec->mask + 1) * sizeof(*rec->slots));
	memset(rec->by_cell, 0, (size_t)rec->limit * sizeof(*rec->by_cell));
	memset(rec->histogram, 0, sizeof(rec->histogram));
	atomic_set(&rec->histograms, 0);
	atomic_set(&rec->used, VMP_MAX_SYMBOLS);
	for (i = 0; i < VMP_MAX_SYMBOLS; i++) {
		rec->overflow[i].cell = i * sizeof(struct vmp_cell);
		rec->overflow[i].histogram = VMP_MAX_HISTOGRAMS * sizeof(struct vmp_histogram);
	}
}

static void recording_free(struct vmp_recording *rec)
{
	if (!rec)
		return;
	vfree(rec->slots);
	vfree(rec->by_cell);
	vfree(rec->stacks);
	vfree(rec);
}

static struct vmp_recording *recording_alloc(u32 max_edges)
{
	struct vmp_recording *rec = zalloc(sizeof(*rec), NUMA_NO_NODE);
	u32 slots = roundup_pow_of_two(2 * max_edges);

	if (!rec)
		return NULL;
	rec->mask = slots - 1;
	rec->limit = VMP_MAX_SYMBOLS + max_edges;
	rec->slots = zalloc(array_size(slots, sizeof(*rec->slots)), NUMA_NO_NODE);
	rec->by_cell = zalloc(array_size(rec->limit, sizeof(*rec->by_cell)), NUMA_NO_NODE);
	rec->stacks = zalloc(VMP_MAX_STACKS * sizeof(*rec->stacks), NUMA_NO_NODE);
	if (!rec->slots || !rec->by_cell || !rec->stacks) {
		recording_free(rec);
		return NULL;
	}
	recording_clear(rec);
	return rec;
}

static struct vmp_cpu *cpu_alloc(int cpu, u32 edges)
{
	struct vmp_cpu *c;
	size_t at[5];
	void *block;

	at[0] = ALIGN(sizeof(*c), L1_CACHE_BYTES);
	at[1] = at[0] + ALIGN(edges * sizeof(struct vmp_cell), L1_CACHE_BYTES);
	at[2] = at[1] + ALIGN(VMP_MAX_PROBES * sizeof(struct vmp_cell), L1_CACHE_BYTES);
	at[3] = at[2] + VMP_MAX_SYMBOLS * sizeof(struct vmp_hits);
	at[4] = at[3] + (VMP_MAX_HISTOGRAMS + 1) * sizeof(struct vmp_histogram);

	block = zalloc(at[4], cpu_to_node(cpu));
	if (!block)
		return NULL;
	c = block;
	c->edges = block + at[0];
	c->strays = block + at[1];
	c->hits = block + at[2];
	c->histograms = block + at[3];
	return c;
}

/**
 * vmp_keyed_init() - allocate the recordings and the CPUs' cells
 * @max_edges: places for combinations of symbol, parent, caller, context, cgroup
 *	and node
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM; nothing is left allocated then.
 */
int vmp_keyed_init(u32 max_edges)
{
	struct vmp_cpu *c;
	int cpu, i;

	for (i = 0; i < 2; i++) {
		recordings[i] = recording_alloc(max_edges);
		if (!recordings[i])
			goto err;
	}
	for_each_possible_cpu(cpu) {
		c = cpu_alloc(cpu, recordings[0]->limit);
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
	recording_clear(new);
	/* Even and odd alternate, and 0 is no epoch. */
	new->epoch = old->epoch + 1 ?: 2;
	vmp_stack_reset(new);
	new->since_ns = ktime_get_mono_fast_ns();
	/* Who sees the new one finds it clear; pairs with all who load it to write. */
	smp_store_release(&vmp_recording, new);
	/* The last handler that saw the old one must be gone before the next reset. */
	synchronize_rcu();
}

/* Index of the histogram of a probe and context, claimed if it has none yet. */
static u32 claim_histogram(struct vmp_recording *rec, u8 probe, u8 context)
{
	u8 *place = &rec->histogram[probe][context];
	u32 index;

	if (READ_ONCE(*place))
		return *place - 1;
	if (atomic_read(&rec->histograms) >= VMP_MAX_HISTOGRAMS)
		return VMP_MAX_HISTOGRAMS;
	index = atomic_inc_return(&rec->histograms);
	if (index > VMP_MAX_HISTOGRAMS)
		return VMP_MAX_HISTOGRAMS;
	/* If another CPU was faster, then this one stays unused. */
	cmpxchg(place, 0, index);
	return *place - 1;
}

/**
 * vmp_keyed_claim() - look a key up beyond its first slot, and claim it if new
 * @rec: the current recording
 * @name: see VMP_EDGE()
 * @caller: return address, or 0
 * @cgroup: inode number, or 0
 *
 * Context: probe handlers; takes no lock.
 * Return: the key, or the symbol's overflow key when the table is full.
 */
const struct vmp_key *vmp_keyed_claim(struct vmp_recording *rec, u64 name, u64 caller,
				      u64 cgroup)
{
	struct vmp_key *key, *overflow = &rec->overflow[VMP_EDGE_SYMBOL(name)];
	u32 at = vmp_key_hash(name, caller, cgroup) & rec->mask, tries, cell;
	u64 found;

	for (tries = 0; tries <= rec->mask; tries++, at = (at + 1) & rec->mask) {
		key = &rec->slots[at];
		/* Pairs with the release of a name below. */
		found = smp_load_acquire(&key->name);
		if (found == name && key->caller == caller && key->cgroup == cgroup)
			return key;
		if (found)
			continue;
		if (atomic_read(&rec->used) >= rec->limit)
			return overflow;
		if (cmpxchg(&key->name, 0, VMP_KEY_BUSY))
			continue;
		cell = atomic_inc_return(&rec->used) - 1;
		if (cell >= rec->limit) {
			WRITE_ONCE(key->name, 0);
			return overflow;
		}
		key->caller = caller;
		key->cgroup = cgroup;
		key->cell = cell * sizeof(struct vmp_cell);
		key->histogram = claim_histogram(rec, VMP_EDGE_PROBE(name),
						 VMP_EDGE_CONTEXT(name)) *
				 sizeof(struct vmp_histogram);
		/* Who finds the name finds the rest; pairs with vmp_keyed_edge(), too. */
		smp_store_release(&key->name, name);
		/* Readers take a place without this link as empty; pairs with decode_edge(). */
		smp_store_release(&rec->by_cell[cell], at + 1);
		return key;
	}
	return overflow;
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
