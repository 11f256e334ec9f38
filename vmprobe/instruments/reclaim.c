// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instrument "reclaim": the functions of mm/vmscan.c that work on a struct
 * scan_control, and those around them. It advertises the pages requested,
 * scanned and freed, the priority and order, and for whom reclaim runs: context,
 * cgroup and node.
 *
 * freed is what the kernel itself says:
 *  - shrink_page_list: its return value, pages that went to the allocator;
 *  - shrink_inactive_list: those of the shrink_page_list inside;
 *  - others with a scan_control: the change of nr_reclaimed. That is what
 *    reclaim claims: shrink_node adds slab pages to it, and a task that is being
 *    killed is credited pages that nobody freed;
 *  - without a scan_control: the sum of the calls directly inside.
 *
 * requested is what remains to be asked for, nr_to_reclaim - nr_reclaimed, and
 * under kswapd nr_to_reclaim, which it sets anew for each pass while nr_reclaimed
 * may run on. scanned is the change of nr_scanned, which do_try_to_free_pages
 * sets back at each priority: there, the sum of the calls inside.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "../compat/reclaim.h"
#include "../frame.h"
#include "../layout.h"
#include "../probe.h"
#include "all.h"

enum { MARK_SC, MARK_RECLAIMED, MARK_SCANNED };

/**
 * struct sc - what is read of a scan_control
 */
struct sc {
	u64 nr_to_reclaim;
	u64 nr_scanned;
	u64 nr_reclaimed;
	s64 priority;
	s64 order;
	u64 target_mem_cgroup;
	bool proactive;
};

/*
 * Every scan_control of mm/vmscan.c is a local variable of a caller in the same
 * task, so a pointer into the task's own stack is believed.
 */
static __always_inline bool on_own_stack(unsigned long sc)
{
	return sc - (unsigned long)task_stack_page(current) < THREAD_SIZE - vmp_layout.extent;
}

/*
 * The slow way to read members: the address may be anything, and so may their
 * types.
 */
static noinline int read_with_care(unsigned long sc, struct sc *v)
{
	s64 value[VMP_NR_FIELDS];
	struct vmp_field f;
	u64 raw;
	int i;

	for (i = 0; i < VMP_NR_FIELDS; i++) {
		f = vmp_layout.field[i];
		raw = 0;
		if (copy_from_kernel_nofault(&raw, (void *)sc + f.byte, f.size))
			return -EFAULT;
		f.byte = 0;
		value[i] = vmp_field_read(&raw, &f);
	}
	v->nr_to_reclaim = value[VMP_F_nr_to_reclaim];
	v->nr_scanned = value[VMP_F_nr_scanned];
	v->nr_reclaimed = value[VMP_F_nr_reclaimed];
	v->priority = value[VMP_F_priority];
	v->order = value[VMP_F_order];
	v->target_mem_cgroup = value[VMP_F_target_mem_cgroup];
	v->proactive = value[VMP_F_proactive];
	return 0;
}

#define MEMBER(sc, name)	vmp_fetch(sc, &vmp_layout.fetch[VMP_F_##name])

/* The progress of reclaim, which is read at entry and at exit. */
static __always_inline int read_progress(unsigned long sc, struct sc *v)
{
	if (unlikely(!on_own_stack(sc)))
		return read_with_care(sc, v);
	v->nr_scanned = MEMBER(sc, nr_scanned);
	v->nr_reclaimed = MEMBER(sc, nr_reclaimed);
	v->priority = MEMBER(sc, priority);
	v->order = MEMBER(sc, order);
	return 0;
}

/* Its target, which only the entry needs. */
static __always_inline int read_all(unsigned long sc, struct sc *v)
{
	if (unlikely(!on_own_stack(sc)))
		return read_with_care(sc, v);
	v->nr_to_reclaim = MEMBER(sc, nr_to_reclaim);
	v->target_mem_cgroup = MEMBER(sc, target_mem_cgroup);
	v->proactive = MEMBER(sc, proactive);
	return read_progress(sc, v);
}

/*
 * Priority and order, which also tell whether this is a scan_control at all. A
 * loop over priorities that gave up ends at -1; the last one tried is then 0.
 */
static __always_inline int note_levels(struct vmp_frame *f, const struct sc *v)
{
	u64 priority = v->priority, order = v->order;

	if (unlikely(priority > VMP_LEVEL_MAX || order > VMP_LEVEL_MAX)) {
		if (v->priority != -1 || order > VMP_LEVEL_MAX)
			return -EFAULT;
		priority = 0;
	}
	f->levels |= (VMP_LEVEL_PRIORITY(priority) | VMP_LEVEL_ORDER(order)) &
		     vmp_layout.levels_mask;
	return 0;
}

/* A cgroup pointer out of a layout that was given by hand may be anything. */
static __always_inline u64 target_ino(u64 memcg)
{
	if (unlikely(vmp_layout.by_hand && memcg))
		return 0;
	return vmp_compat_memcg_ino((void *)memcg);
}

static __always_inline unsigned long argument(const struct pt_regs *regs, u16 at)
{
	return *(const unsigned long *)((const void *)regs + at);
}

/* Whose pages, if the arguments say; else the frame has it from the one around. */
static __always_inline void note_owner(const struct vmp_symbol *sym, struct vmp_frame *f,
				       struct pt_regs *regs)
{
	unsigned long owner;

	if (sym->owner_is == VMP_OWNER_NONE)
		return;
	owner = argument(regs, sym->owner_at);
	switch (sym->owner_is) {
	case VMP_OWNER_LRUVEC:
		f->cgroup = vmp_compat_lruvec_ino((void *)owner);
		f->node = vmp_compat_lruvec_node((void *)owner);
		break;
	case VMP_OWNER_PGDAT:
		f->node = ((struct pglist_data *)owner)->node_id;
		break;
	case VMP_OWNER_MEMCG:
		f->cgroup = vmp_compat_memcg_ino((void *)owner);
		break;
	case VMP_OWNER_MEMCG_NID:
		f->cgroup = vmp_compat_memcg_ino((void *)owner);
		f->node = (int)argument(regs, sym->node_at);
		break;
	}
}

/* Why, if the function that usually tells is not around this one. */
static noinline u8 context_of(const struct sc *v)
{
	if (current->flags & PF_KSWAPD)
		return VMP_CTX_kswapd;
	if (v->proactive)
		return VMP_CTX_proactive;
	if (v->target_mem_cgroup)
		return VMP_CTX_memcg;
	return VMP_CTX_other;
}

static int sc_entry(const struct vmp_symbol *sym, struct vmp_frame *f,
		    struct pt_regs *regs)
{
	unsigned long sc;
	struct sc v;
	s64 left;

	note_owner(sym, f, regs);
	if (unlikely(!sym->sc_at)) {
		v = (struct sc){};
		if (f->context == VMP_NO_CONTEXT)
			f->context = context_of(&v);
		return 0;
	}
	sc = argument(regs, sym->sc_at - 1);
	f->mark[MARK_SC] = sc;
	if (unlikely(read_all(sc, &v)))
		return -EFAULT;

	if (unlikely(f->context == VMP_NO_CONTEXT))
		f->context = context_of(&v);
	f->mark[MARK_RECLAIMED] = v.nr_reclaimed;
	f->mark[MARK_SCANNED] = v.nr_scanned;
	left = v.nr_to_reclaim;
	if (!(current->flags & PF_KSWAPD))
		left -= v.nr_reclaimed;
	f->requested_pages = left > 0 ? left : 0;
	f->flags |= VMP_FRAME_HAS_REQUEST;
	if (!f->cgroup)
		f->cgroup = target_ino(v.target_mem_cgroup);
	return note_levels(f, &v);
}

static int sc_exit(const struct vmp_symbol *sym, struct vmp_frame *f,
		   struct pt_regs *regs, struct vmp_counters *s)
{
	s64 freed, scanned;
	struct sc v;

	if (unlikely(!sym->sc_at))
		return 0;
	if (unlikely(read_progress(f->mark[MARK_SC], &v)))
		return -EFAULT;

	freed = v.nr_reclaimed - f->mark[MARK_RECLAIMED];
	scanned = v.nr_scanned - f->mark[MARK_SCANNED];
	/* nr_scanned may be set back where it is not taken from here. */
	if (unlikely(freed < 0 || (scanned < 0 && !sym->scanned_mask)))
		return -EFAULT;
	if (likely(!sym->freed_mask))
		s->freed_pages = freed;
	if (likely(!sym->scanned_mask))
		s->scanned_pages = scanned;
	return note_levels(f, &v);
}

/* shrink_page_list() returns an unsigned int: the pages that it freed. */
static int list_exit(const struct vmp_symbol *sym, struct vmp_frame *f,
		     struct pt_regs *regs, struct vmp_counters *s)
{
	if (sc_exit(sym, f, regs, s))
		return -EFAULT;
	/* What the kernel counts as stolen, too. */
	s->freed_pages = (u32)regs_return_value(regs);
	return 0;
}

/* memcg reclaim asks for at least SWAP_CLUSTER_MAX pages, whatever it is told. */
static int memcg_entry(const struct vmp_symbol *sym, struct vmp_frame *f,
		       struct pt_regs *regs)
{
	const struct vmp_args *args = &sym->args;

	note_owner(sym, f, regs);
	if (args->nr_pages >= 0) {
		f->requested_pages = max_t(unsigned long, SWAP_CLUSTER_MAX,
					   regs_get_kernel_argument(regs, args->nr_pages));
		f->flags |= VMP_FRAME_HAS_REQUEST;
	}
	if (args->reclaim_options >= 0 && f->context == VMP_CTX_memcg &&
	    vmp_compat_is_proactive(regs_get_kernel_argument(regs, args->reclaim_options)))
		f->context = VMP_CTX_proactive;
	return 0;
}

/* Global reclaim: from the root's hierarchy, so from everyone. */
static int global_entry(const struct vmp_symbol *sym, struct vmp_frame *f,
			struct pt_regs *regs)
{
	f->cgroup = vmp_compat_memcg_ino(NULL);
	note_owner(sym, f, regs);
	return 0;
}

#define SC_ROW						\
	.entry = sc_entry,				\
	.exit = sc_exit,				\
	.context = VMP_NO_CONTEXT,			\
	.requested = VMP_FROM_CALLBACK,			\
	.scanned = VMP_FROM_CALLBACK,			\
	.freed = VMP_FROM_CALLBACK,			\
	.levels = true,					\
	.takes_sc = true

static const struct vmp_row rows[] = {
	{
		.probe = "try_to_free_pages",
		.symbol = "try_to_free_pages",
		.entry = global_entry,
		.context = VMP_CTX_direct,
		.requested = VMP_FROM_FIRST_CHILD,
		.scanned = VMP_FROM_CHILDREN,
		.freed = VMP_FROM_CHILDREN,
		.levels = true,
	}, {
		.probe = "try_to_free_mem_cgroup_pages",
		.symbol = "try_to_free_mem_cgroup_pages",
		.entry = memcg_entry,
		.context = VMP_CTX_memcg,
		.requested = VMP_FROM_CALLBACK,
		.scanned = VMP_FROM_CHILDREN,
		.freed = VMP_FROM_CHILDREN,
		.levels = true,
	}, {
		.probe = "balance_pgdat",
		.symbol = "balance_pgdat",
		.entry = global_entry,
		.context = VMP_CTX_kswapd,
		.requested = VMP_FROM_CHILDREN,
		.scanned = VMP_FROM_CHILDREN,
		.freed = VMP_FROM_CHILDREN,
		.levels = true,
	}, {
		.probe = "node_reclaim",
		.symbol = "node_reclaim",
		.entry = global_entry,
		.context = VMP_CTX_node,
		.requested = VMP_FROM_FIRST_CHILD,
		.scanned = VMP_FROM_CHILDREN,
		.freed = VMP_FROM_CHILDREN,
		.levels = true,
	}, {
		.probe = "shrink_caches",
		.symbol = "shrink_caches",
		SC_ROW,
	}, {
		.probe = "shrink_caches",
		.symbol = "shrink_zones",
		.inlined_if = "do_try_to_free_pages",
		SC_ROW,
	}, {
		/* It sets nr_scanned back at each priority. */
		.probe = "shrink_caches",
		.symbol = "do_try_to_free_pages",
		.entry = sc_entry,
		.exit = sc_exit,
		.context = VMP_NO_CONTEXT,
		.requested = VMP_FROM_CALLBACK,
		.scanned = VMP_FROM_CHILDREN,
		.freed = VMP_FROM_CALLBACK,
		.levels = true,
		.takes_sc = true,
	}, {
		.probe = "shrink_zone",
		.symbol = "shrink_zone",
		.request_counts = true,
		SC_ROW,
	}, {
		.probe = "shrink_zone",
		.symbol = "shrink_node",
		.request_counts = true,
		SC_ROW,
	}, {
		.probe = "shrink_cache",
		.symbol = "shrink_cache",
		SC_ROW,
	}, {
		/* It may return 32 for a dying task without having freed a page. */
		.probe = "shrink_cache",
		.symbol = "shrink_inactive_list",
		.inlined_if = "shrink_active_list",
		.entry = sc_entry,
		.exit = sc_exit,
		.context = VMP_NO_CONTEXT,
		.requested = VMP_FROM_CALLBACK,
		.scanned = VMP_FROM_CALLBACK,
		.freed = VMP_FROM_CHILDREN,
		.levels = true,
		.takes_sc = true,
	}, {
		.probe = "shrink_cache",
		.symbol = "shrink_lruvec",
		SC_ROW,
	}, {
		/* The multi-generational LRU comes here without shrink_lruvec. */
		.probe = "shrink_cache",
		.symbol = "try_to_shrink_lruvec",
		.with = "shrink_lruvec",
		SC_ROW,
	}, {
		.probe = "shrink_page_list",
		.symbol = "shrink_page_list",
		.entry = sc_entry,
		.exit = list_exit,
		.context = VMP_NO_CONTEXT,
		.requested = VMP_FROM_CALLBACK,
		.scanned = VMP_FROM_CALLBACK,
		.freed = VMP_FROM_CALLBACK,
		.levels = true,
		.takes_sc = true,
	}, {
		/* Its name since 5.18. */
		.probe = "shrink_page_list",
		.symbol = "shrink_folio_list",
		.entry = sc_entry,
		.exit = list_exit,
		.context = VMP_NO_CONTEXT,
		.requested = VMP_FROM_CALLBACK,
		.scanned = VMP_FROM_CALLBACK,
		.freed = VMP_FROM_CALLBACK,
		.levels = true,
		.takes_sc = true,
	}, {
		/* It moves pages between lists and frees none. */
		.probe = "shrink_active_list",
		.symbol = "shrink_active_list",
		.entry = sc_entry,
		.exit = sc_exit,
		.context = VMP_NO_CONTEXT,
		.requested = VMP_FROM_CALLBACK,
		.scanned = VMP_FROM_CALLBACK,
		.freed = VMP_FROM_NOWHERE,
		.levels = true,
		.takes_sc = true,
	}, {
		.probe = "evict_folios",
		.symbol = "evict_folios",
		SC_ROW,
	},
};

const struct vmp_instrument vmp_reclaim_instrument = {
	.name = "reclaim",
	.rows = rows,
	.nr_rows = ARRAY_SIZE(rows),
};

const struct vmp_row vmp_reclaim_other_row = { SC_ROW };
