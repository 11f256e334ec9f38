/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings, and the tables in them whose rows are claimed by key.
 *
 * A recording begins with a reset. It names its epoch and holds the keys that
 * have been seen since; the numbers are in cells, one for each CPU and key, that
 * clear themselves when a new epoch first touches them. Handlers fetch the
 * current recording once for each call, so that all that a call adds belongs to
 * one recording.
 */
#ifndef VMP_KEYED_H
#define VMP_KEYED_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/percpu.h>

#include "sample.h"

#define VMP_MAX_SYMBOLS		64
#define VMP_MAX_PROBES		64
#define VMP_MAX_HISTOGRAMS	56	/* and one that takes what does not fit */
#define VMP_NO_CONTEXT		VMP_NR_CONTEXTS	/* "-" */
#define VMP_NONE		0xff		/* no probe, no symbol */

/**
 * struct vmp_key - a slot of the edge table
 * @name: symbol, parent probe, context and node, see VMP_EDGE(); 0 is a free slot, VMP_KEY_BUSY
 *	one that is being filled
 * @caller: return address, or 0
 * @cgroup: inode number, or 0
 * @cell: where its cell lies in vmp_cpu.edges, in bytes
 * @histogram: where its histogram lies in vmp_cpu.histograms, in bytes
 */
struct vmp_key {
	u64 name;
	u64 caller;
	u64 cgroup;
	u32 cell;
	u32 histogram;
};

#define VMP_KEY_BUSY	(~0ull)
#define VMP_KEY_VALID	BIT_ULL(63)

#define VMP_STACK_DEPTH		24
#define VMP_MAX_STACKS		512	/* and one that takes what does not fit */

/**
 * struct vmp_stack - a stack that was seen
 * @name: hash of the rest; 0 is a free slot, VMP_KEY_BUSY one that is being filled
 * @symbol: index of the outermost symbol
 * @context: a vmp_context
 * @depth: number of entries
 * @entry: return addresses, the caller of the symbol first
 */
struct vmp_stack {
	u64 name;
	u8 symbol;
	u8 context;
	u8 depth;
	unsigned long entry[VMP_STACK_DEPTH];
};

/**
 * struct vmp_recording - what has been seen since the last reset
 * @epoch: never 0
 * @since_ns: when it began
 * @mask: number of slots - 1
 * @limit: number of cells; those of the first VMP_MAX_SYMBOLS take, for each
 *	symbol, what does not fit
 * @slots: of the edges; open addressing, at most half full
 * @overflow: a key for each symbol
 * @stacks: above outermost calls
 * @used: cells given out; may run past @limit when the table is full
 * @by_cell: slot of each cell plus 1, for readers
 * @histogram: index plus 1 of the histogram of a probe and context
 * @histograms: histograms given out
 */
struct vmp_recording {
	u32 epoch;
	u32 mask;
	u32 limit;
	struct vmp_key *slots;
	u64 since_ns;
	atomic_t used;
	atomic_t histograms;
	u32 *by_cell;
	struct vmp_stack *stacks;
	u8 histogram[VMP_MAX_PROBES][VMP_NR_CONTEXTS + 1];
	struct vmp_key overflow[VMP_MAX_SYMBOLS];
};

/**
 * struct vmp_histogram - one CPU's histogram of a probe and context
 * @epoch: the recording that @calls belong to
 * @calls: in each bucket
 */
struct vmp_histogram {
	u32 epoch;
	u64 calls[VMP_HIST_BUCKETS];
};

/*
 * What happened to the hits of a symbol on one CPU: X(name). entries are calls,
 * which the edges count, or in flight, or abandoned, or nested. The others are
 * doubts about calls.
 */
#define VMP_HITS(X)	\
	X(entries)	\
	X(abandoned)	\
	X(nested)	\
	X(turned_away)	\
	X(implausible)	\
	X(backwards)	\
	X(clamped)		\
	X(slab_pages)		\
	X(credited_pages)

/**
 * struct vmp_hits - the counts of VMP_HITS
 * @epoch: the recording they belong to
 *
 * One more member for each line of VMP_HITS, of which
 * turned_away: there was no place for a frame; shown as missed
 * clamped: the probes' cost came to more than the call took
 * slab_pages: freed by the slab allocator during calls that watch it
 * credited_pages: added to nr_reclaimed during such calls, though nobody freed them
 */
struct vmp_hits {
	u32 epoch;
	/* private: described above */
#define VMP_X(name)	u64 name;
	VMP_HITS(VMP_X)
#undef VMP_X
};

/**
 * struct vmp_cpu - everything that handlers on one CPU write
 * @slow_floor_ns: in even and odd epochs, outermost calls that take less are of no
 *	further interest
 * @slowest: the slowest outermost calls
 * @stacks: a cell for each of the recording's stacks
 * @taken: the stack being looked at
 * @edges: a cell for each of the recording's edges
 * @strays: a cell for each probe, for calls of tasks without a record
 * @histograms: given out by the recording; the last one takes what overflows
 * @hits: of each symbol
 */
struct vmp_cpu {
	u64 slow_floor_ns[2];
	struct vmp_slow *slowest;
	struct vmp_cell *stacks;
	struct vmp_stack taken;
	struct vmp_cell *edges;
	struct vmp_cell *strays;
	struct vmp_histogram *histograms;
	struct vmp_hits *hits;
};

DECLARE_PER_CPU(struct vmp_cpu *, vmp_cpu);
extern struct vmp_recording *vmp_recording;

int vmp_keyed_init(u32 max_edges);
void vmp_keyed_exit(void);
void vmp_keyed_reset(void);
const struct vmp_key *vmp_keyed_claim(struct vmp_recording *rec, u64 name, u64 caller,
				      u64 cgroup);
size_t vmp_keyed_bytes(void);

/* What a frame knows of its place (node, symbol, probe), the parent probe, and why. */
#define VMP_EDGE(place, parent, context)				\
	(VMP_KEY_VALID | (u64)(place) | (u64)(parent) << 32 | (u64)(context) << 40)
#define VMP_EDGE_NODE(name)	((s16)(name))
#define VMP_EDGE_SYMBOL(name)	((u8)((name) >> 16))
#define VMP_EDGE_PROBE(name)	((u8)((name) >> 24))
#define VMP_EDGE_PARENT(name)	((u8)((name) >> 32))
#define VMP_EDGE_CONTEXT(name)	((u8)((name) >> 40))

static __always_inline u32 vmp_key_hash(u64 name, u64 caller, u64 cgroup)
{
	return (u32)(((name ^ caller ^ (cgroup << 40)) * 0x9e3779b97f4a7c15ull) >> 32);
}

/**
 * vmp_keyed_edge() - the key of a call
 * @rec: the current recording
 * @name: see VMP_EDGE()
 * @caller: return address, or 0
 * @cgroup: inode number, or 0
 *
 * Context: probe handlers; takes no lock, writes nothing for a known key.
 * Return: the key, or the symbol's overflow key when the table is full.
 */
static __always_inline const struct vmp_key *
vmp_keyed_edge(struct vmp_recording *rec, u64 name, u64 caller, u64 cgroup)
{
	const struct vmp_key *key;

	key = &rec->slots[vmp_key_hash(name, caller, cgroup) & rec->mask];
	/* Pairs with vmp_keyed_claim(). */
	if (likely(smp_load_acquire(&key->name) == name && key->caller == caller &&
		   key->cgroup == cgroup))
		return key;
	return vmp_keyed_claim(rec, name, caller, cgroup);
}

/**
 * vmp_hits_of() - this CPU's counts of a symbol
 * @cpu: the CPU's block
 * @symbol: index of the symbol
 * @epoch: the current recording
 *
 * Context: probe handlers, preemption off.
 * Return: counts that belong to @epoch.
 */
static __always_inline struct vmp_hits *vmp_hits_of(struct vmp_cpu *cpu, u8 symbol,
						    u32 epoch)
{
	struct vmp_hits *hits = &cpu->hits[symbol];

	if (unlikely(hits->epoch != epoch)) {
		memset(hits, 0, sizeof(*hits));
		WRITE_ONCE(hits->epoch, epoch);
	}
	return hits;
}

#endif /* VMP_KEYED_H */
