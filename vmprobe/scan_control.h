/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading a struct scan_control at entry and exit. Most hits need this, so it is
 * inlined into the handlers, and costs are counted in single instructions here.
 */
#ifndef VMP_SCAN_CONTROL_H
#define VMP_SCAN_CONTROL_H

#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "compat/reclaim.h"
#include "frame.h"
#include "layout.h"
#include "probe.h"
#include "sample.h"

int vmp_sc_read_with_care(unsigned long sc, s64 value[VMP_NR_FIELDS]);
int vmp_sc_entry_with_care(struct vmp_frame *f, unsigned long sc);
int vmp_sc_exit_with_care(const struct vmp_symbol *sym, struct vmp_frame *f,
			  struct vmp_counters *s);

#define VMP_SC(sc, name)	vmp_fetch(sc, &vmp_layout.fetch[VMP_F_##name])
/* The counts of pages are unsigned long, or else not known at all. */
#define VMP_SC_COUNT(sc, name)	\
	READ_ONCE(*(const u64 *)((sc) + vmp_layout.fetch[VMP_F_##name].byte))

static __always_inline unsigned long vmp_sc_argument(const struct pt_regs *regs, u16 at)
{
	return *(const unsigned long *)((const void *)regs + at);
}

/*
 * Every scan_control of mm/vmscan.c is a local variable of a caller in the same
 * task, so a pointer into the task's own stack is believed.
 */
static __always_inline bool vmp_sc_on_stack(unsigned long sc)
{
	return sc - (unsigned long)task_stack_page(current) < vmp_layout.stack_room;
}

/* Why reclaim runs, if no function around tells. */
static __always_inline u8 vmp_sc_context(bool proactive, bool for_memcg)
{
	if (current->flags & PF_KSWAPD)
		return VMP_CTX_kswapd;
	return unlikely(proactive) ? VMP_CTX_proactive :
	       for_memcg ? VMP_CTX_memcg : VMP_CTX_other;
}

/* A cgroup pointer out of a layout that was given by hand may be anything. */
static __always_inline u64 vmp_sc_target_ino(u64 memcg)
{
	if (unlikely(vmp_layout.by_hand && memcg))
		return 0;
	return vmp_compat_memcg_ino((void *)memcg);
}

/**
 * vmp_sc_owner() - whose pages, if the arguments say
 * @sym: the symbol
 * @f: the frame, which has what the one around it has
 * @regs: at the function's first instruction
 */
static __always_inline void vmp_sc_owner(const struct vmp_symbol *sym, struct vmp_frame *f,
					 struct pt_regs *regs)
{
	unsigned long owner;

	if (sym->owner_is == VMP_OWNER_NONE)
		return;
	owner = vmp_sc_argument(regs, sym->owner_at);
	if (sym->owner_is == VMP_OWNER_LRUVEC) {
		f->cgroup = vmp_compat_lruvec_ino((void *)owner);
		f->head.node = vmp_compat_lruvec_node((void *)owner);
	} else if (sym->owner_is == VMP_OWNER_PGDAT) {
		f->head.node = ((struct pglist_data *)owner)->node_id;
	} else {
		f->cgroup = vmp_compat_memcg_ino((void *)owner);
		if (sym->owner_is == VMP_OWNER_MEMCG_NID)
			f->head.node = (int)vmp_sc_argument(regs, sym->node_at);
	}
}

/**
 * vmp_sc_entry() - a function with a scan_control was entered
 * @sym: the symbol
 * @f: its new frame
 * @regs: at the function's first instruction
 *
 * Return: 0, or -EFAULT if the pointer leads nowhere.
 */
static __always_inline int vmp_sc_entry(const struct vmp_symbol *sym, struct vmp_frame *f,
					struct pt_regs *regs)
{
	unsigned long sc = vmp_sc_argument(regs, sym->sc_at);
	u64 target;
	s64 left;

	vmp_sc_owner(sym, f, regs);
	f->mark[VMP_MARK_SC] = sc;
	if (unlikely(!vmp_sc_on_stack(sc))) {
		f->flags |= VMP_FRAME_DOUBTFUL;
		return vmp_sc_entry_with_care(f, sc);
	}

	if (unlikely(!f->cgroup)) {
		target = VMP_SC(sc, target_mem_cgroup);
		f->cgroup = vmp_sc_target_ino(target);
		if (f->context == VMP_NO_CONTEXT)
			f->context = vmp_sc_context(VMP_SC(sc, proactive), target);
	}
	if (unlikely(f->context == VMP_NO_CONTEXT))
		f->context = vmp_sc_context(VMP_SC(sc, proactive),
					    VMP_SC(sc, target_mem_cgroup));
	f->mark[VMP_MARK_SCANNED] = VMP_SC_COUNT(sc, nr_scanned);
	f->mark[VMP_MARK_RECLAIMED] = VMP_SC_COUNT(sc, nr_reclaimed);
	left = VMP_SC(sc, nr_to_reclaim);
	/* kswapd sets a new target for each pass, while nr_reclaimed may run on. */
	if (f->context != VMP_CTX_kswapd)
		left -= f->mark[VMP_MARK_RECLAIMED];
	f->requested_pages = left > 0 ? left : 0;
	return 0;
}

/**
 * vmp_sc_add() - what a call did, from the values at its exit
 * @sym: the symbol
 * @f: its frame
 * @s: the sample
 * @reclaimed: nr_reclaimed
 * @scanned: nr_scanned
 * @priority: a loop over priorities that gave up ends at -1; the last one that it
 *	tried is then 0
 * @order: of the allocation
 *
 * Return: 0, or -EFAULT if this cannot have been a scan_control.
 */
static __always_inline int vmp_sc_add(const struct vmp_symbol *sym, struct vmp_frame *f,
				      struct vmp_counters *s, u64 reclaimed, u64 scanned,
				      u64 priority, u64 order)
{
	reclaimed -= f->mark[VMP_MARK_RECLAIMED];
	scanned -= f->mark[VMP_MARK_SCANNED];
	/* nr_scanned may be set back where it is not taken from here. */
	scanned &= sym->sc_scanned_mask;
	if (unlikely((s64)(reclaimed | scanned) < 0 || priority > VMP_LEVEL_MAX ||
		     order > VMP_LEVEL_MAX)) {
		if ((s64)(reclaimed | scanned) < 0 || priority + 1 || order > VMP_LEVEL_MAX)
			return -EFAULT;
		priority = 0;
	}
	s->freed_pages |= reclaimed & sym->sc_freed_mask;
	s->scanned_pages |= scanned;
	f->head.levels |= (VMP_LEVEL_PRIORITY(priority) | VMP_LEVEL_ORDER(order)) &
		     vmp_layout.levels_mask;
	return 0;
}

/**
 * vmp_sc_exit() - a function with a scan_control on the stack returned
 * @sym: the symbol
 * @f: its frame
 * @s: the sample, which gets pages; what is from elsewhere is in it
 *
 * Return: 0, or -EFAULT if this cannot have been a scan_control.
 */
static __always_inline int vmp_sc_exit(const struct vmp_symbol *sym, struct vmp_frame *f,
				       struct vmp_counters *s)
{
	unsigned long sc = f->mark[VMP_MARK_SC];

	return vmp_sc_add(sym, f, s, VMP_SC_COUNT(sc, nr_reclaimed),
			  VMP_SC_COUNT(sc, nr_scanned),
			  VMP_SC(sc, priority), VMP_SC(sc, order));
}

#endif /* VMP_SCAN_CONTROL_H */
