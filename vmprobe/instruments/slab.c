// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instrument "slab": shrink_slab, which asks the shrinkers of kernel caches. It
 * advertises the pages freed: the slab allocator counts the pages that it gives
 * back on behalf of a reclaiming task in task_struct.reclaim_state, and
 * shrink_node adds that count to nr_reclaimed and clears it. Shrinkers count
 * objects, not pages, so there are no pages requested or scanned.
 */
#include <linux/kernel.h>
#include <linux/sched.h>

#include "../frame.h"
#include "../probe.h"
#include "../scan_control.h"
#include "all.h"

static int slab_entry(const struct vmp_symbol *sym, struct vmp_frame *f,
		      struct pt_regs *regs)
{
	f->mark[VMP_MARK_RECLAIMED] = vmp_compat_slab_pages();
	vmp_sc_owner(sym, f, regs);
	return 0;
}

static int slab_exit(const struct vmp_symbol *sym, struct vmp_frame *f,
		     struct pt_regs *regs, struct vmp_counters *s)
{
	u64 now = vmp_compat_slab_pages();

	if (unlikely(now < f->mark[VMP_MARK_RECLAIMED]))
		return -EFAULT;
	s->freed_pages = now - f->mark[VMP_MARK_RECLAIMED];
	return 0;
}

static const struct vmp_row rows[] = {
	{
		.probe = "shrink_slab",
		.symbol = "shrink_slab",
		.entry = slab_entry,
		.exit = slab_exit,
		.context = VMP_CTX_other,
		.freed = VMP_FROM_CALLBACK,
	},
};

const struct vmp_instrument vmp_slab_instrument = {
	.name = "slab",
	.rows = rows,
	.nr_rows = ARRAY_SIZE(rows),
};
