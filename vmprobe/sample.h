/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one sample type and the cell that sums it.
 *
 * A cell has a single writer at any time: per-CPU cells are written by probe
 * handlers, which run with preemption off, a task's cells by that task alone.
 * Readers never stop the writer; they copy a cell and try again if it changed
 * meanwhile, so that a row is consistent in itself.
 */
#ifndef VMP_SAMPLE_H
#define VMP_SAMPLE_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>
#include <vmprobe/abi.h>

/**
 * struct vmp_counters - what one call, or a sum of calls, amounts to
 * @levels: the priorities that were seen, and the orders, see VMP_LEVEL_...; the
 *	lowest and the highest are found when a row is printed
 *
 * One more member for each line of VMP_COUNTERS. max_ns is kept plus one, so that
 * 0 says "none" everywhere, and clearing is memset().
 */
struct vmp_counters {
	/* private: described above */
#define VMP_X(name, how)	VMP_MEMBER_##how(name)
#define VMP_MEMBER_SUM(name)		u64 name;
#define VMP_MEMBER_MAX(name)		u64 name;
#define VMP_MEMBER_REST(name)
#define VMP_MEMBER_LOWEST(name)
#define VMP_MEMBER_HIGHEST(name)
	VMP_COUNTERS(VMP_X)
#undef VMP_X
	/* public: */
	u64 levels;
};

#define VMP_ENCODE_MAX(v)	((u64)(v) + 1)

/**
 * struct vmp_cell - a sum of samples with one writer and any number of readers
 * @seq: odd while the writer is inside
 * @epoch: the recording that @sum belongs to; of an older one, it is zero
 * @sum: the counters
 */
struct vmp_cell {
	u32 seq;
	u32 epoch;
	struct vmp_counters sum;
};

#define VMP_ADD_SUM(to, from, name)	(to)->name += (from)->name;
#define VMP_ADD_MAX(to, from, name)	\
	do { if (unlikely((from)->name > (to)->name)) (to)->name = (from)->name; } while (0);
#define VMP_ADD_REST(to, from, name)
#define VMP_ADD_LOWEST(to, from, name)
#define VMP_ADD_HIGHEST(to, from, name)

/**
 * vmp_counters_add() - add one set of counters to another
 * @to: the sum
 * @from: what is added
 */
static __always_inline void vmp_counters_add(struct vmp_counters *to,
					     const struct vmp_counters *from)
{
#define VMP_X(name, how)	VMP_ADD_##how(to, from, name)
	VMP_COUNTERS(VMP_X)
#undef VMP_X
	to->levels |= from->levels;
}

/* Begin to write: nobody trusts the cell until vmp_cell_end(). */
static __always_inline void vmp_cell_begin(struct vmp_cell *cell, u32 epoch)
{
	cell->seq++;
	/* The odd number is seen before any change; pairs with vmp_cell_sum(). */
	smp_wmb();
	if (unlikely(cell->epoch != epoch)) {
		memset(&cell->sum, 0, sizeof(cell->sum));
		cell->epoch = epoch;
	}
}

static __always_inline void vmp_cell_end(struct vmp_cell *cell)
{
	/* All changes are seen before the even number; pairs with vmp_cell_sum(). */
	smp_wmb();
	cell->seq++;
}

/**
 * vmp_cell_add() - add a sample to a cell
 * @cell: the cell; the caller is its only writer
 * @sample: what is added
 * @epoch: the current recording; a cell of an older one starts from zero
 *
 * Context: probe handlers. Takes no lock.
 */
static __always_inline void vmp_cell_add(struct vmp_cell *cell,
					 const struct vmp_counters *sample, u32 epoch)
{
	vmp_cell_begin(cell, epoch);
	vmp_counters_add(&cell->sum, sample);
	vmp_cell_end(cell);
}

/**
 * vmp_cell_add_both() - add a sample to two cells at once
 * @a: a cell
 * @b: another cell
 * @sample: what is added
 * @epoch: the current recording
 *
 * Each value is fetched once. Context: as vmp_cell_add().
 */
static __always_inline void vmp_cell_add_both(struct vmp_cell *a, struct vmp_cell *b,
					      const struct vmp_counters *sample, u32 epoch)
{
	vmp_cell_begin(a, epoch);
	vmp_cell_begin(b, epoch);
#define VMP_X(name, how)		\
	VMP_ADD_##how(&a->sum, sample, name)	\
	VMP_ADD_##how(&b->sum, sample, name)
	VMP_COUNTERS(VMP_X)
#undef VMP_X
	a->sum.levels |= sample->levels;
	b->sum.levels |= sample->levels;
	vmp_cell_end(a);
	vmp_cell_end(b);
}

/**
 * vmp_cell_sum() - add what a cell holds to a sum
 * @to: the sum
 * @cell: the cell, which may be written meanwhile
 * @epoch: the recording asked for; a cell of another one counts as zero
 *
 * Context: readers of tables. A writer is inside for some 50 instructions.
 */
static inline void vmp_cell_sum(struct vmp_counters *to,
				const struct vmp_cell *cell, u32 epoch)
{
	struct vmp_counters copy;
	u32 seq, of;

	do {
		while ((seq = READ_ONCE(cell->seq)) & 1)
			cpu_relax();
		/* Pairs with vmp_cell_end(). */
		smp_rmb();
		of = READ_ONCE(cell->epoch);
		copy = cell->sum;
		/* Pairs with vmp_cell_begin(). */
		smp_rmb();
	} while (READ_ONCE(cell->seq) != seq);

	if (of == epoch)
		vmp_counters_add(to, &copy);
}

#endif /* VMP_SAMPLE_H */
