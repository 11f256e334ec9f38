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
 *
 * One member for each line of VMP_COUNTERS. Members that keep an extreme hold
 * it in a form whose maximum is wanted and whose zero says "none": a MAX value
 * plus one, or VMP_MIN_BASE minus a MIN value. So adding is one loop without
 * cases, and clearing is memset(). A REST value is not kept but made when a row
 * is printed.
 */
struct vmp_counters {
#define VMP_X(name, how)	u64 name;
	VMP_COUNTERS(VMP_X)
#undef VMP_X
};

#define VMP_MIN_BASE		256
#define VMP_ENCODE_MAX(v)	((u64)(v) + 1)
#define VMP_ENCODE_MIN(v)	((u64)(VMP_MIN_BASE - (v)))

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

#define VMP_ADD_SUM(to, from)	((to) += (from))
#define VMP_ADD_REST(to, from)	do { } while (0)
#define VMP_ADD_MAX(to, from)	do { if (unlikely((from) > (to))) (to) = (from); } while (0)
#define VMP_ADD_MIN(to, from)	VMP_ADD_MAX(to, from)

/**
 * vmp_counters_add() - add one set of counters to another
 * @to: the sum
 * @from: what is added
 */
static __always_inline void vmp_counters_add(struct vmp_counters *to,
					     const struct vmp_counters *from)
{
#define VMP_X(name, how)	VMP_ADD_##how(to->name, from->name);
	VMP_COUNTERS(VMP_X)
#undef VMP_X
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
					 const struct vmp_counters *sample,
					 u32 epoch)
{
	WRITE_ONCE(cell->seq, cell->seq + 1);
	smp_wmb();
	if (unlikely(cell->epoch != epoch)) {
		memset(&cell->sum, 0, sizeof(cell->sum));
		cell->epoch = epoch;
	}
	vmp_counters_add(&cell->sum, sample);
	smp_wmb();
	WRITE_ONCE(cell->seq, cell->seq + 1);
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
		smp_rmb();
		of = READ_ONCE(cell->epoch);
		copy = cell->sum;
		smp_rmb();
	} while (READ_ONCE(cell->seq) != seq);

	if (of == epoch)
		vmp_counters_add(to, &copy);
}

#endif /* VMP_SAMPLE_H */
