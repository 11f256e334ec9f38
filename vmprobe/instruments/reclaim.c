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

#define MAX_PRIORITY	12	/* DEF_PRIORITY, include/linux/mmzone.h */
#define MAX_PLAUSIBLE_ORDER	20

/*
 * Every scan_control of mm/vmscan.c is a local variable of a caller in the same
 * task, so a pointer into the task's own stack is believed.
 */
static __always_inline bool on_own_stack(const void *sc)
{
	unsigned long offset = (unsigned long)sc - (unsigned long)task_stack_page(current);

	return offset < THREAD_SIZE - vmp_layout.extent;
}

/* The slow way to read members: the address may be anything. */
static noinline int read_doubtful(const void *sc, s64 value[VMP_NR_FIELDS])
{
	const struct vmp_field *f;
	struct vmp_field at_0;
	u64 raw;
	int i;

	for (i = 0; i < VMP_NR_FIELDS; i++) {
		f = &vmp_layout.field[i];
		raw = 0;
		if (copy_from_kernel_nofault(&raw, sc + f->byte, f->size))
			return -EFAULT;
		at_0 = *f;
		at_0.byte = 0;
		value[i] = vmp_field_read(&raw, &at_0);
	}
	if (value[VMP_F_priority] < -1 || value[VMP_F_priority] > MAX_PRIORITY ||
	    value[VMP_F_order] < -1 || value[VMP_F_order] > MAX_PLAUSIBLE_ORDER)
		return -EFAULT;
	return 0;
}

static __always_inline int read_sc(const void *sc, s64 value[VMP_NR_FIELDS])
{
	if (unlikely(!on_own_stack(sc)))
		return read_doubtful(sc, value);
#define VMP_X(name)	value[VMP_F_##name] = vmp_field_read(sc, &vmp_layout.field[VMP_F_##name]);
	VMP_FIELDS(VMP_X)
#undef VMP_X
	return 0;
}

static __always_inline void note_level(struct vmp_frame *f, const s64 value[VMP_NR_FIELDS])
{
	s64 priority = value[VMP_F_priority];

	/* A loop that gave up ends at -1; the last one that was tried is 0. */
	if (priority < 0)
		priority = 0;
	if (vmp_layout.field[VMP_F_priority].size &&
	    (f->priority < 0 || priority < f->priority))
		f->priority = min_t(s64, priority, S8_MAX);
	if (vmp_layout.field[VMP_F_order].size && value[VMP_F_order] > f->order)
		f->order = min_t(s64, value[VMP_F_order], S8_MAX);
}

/* A cgroup pointer out of a layout that was given by hand may be anything. */
static u64 target_ino(u64 memcg)
{
	u64 probe;

	if (memcg && vmp_layout.by_hand &&
	    copy_from_kernel_nofault(&probe, (void *)memcg, sizeof(probe)))
		return 0;
	if (vmp_layout.by_hand && memcg)
		return 0;
	return vmp_compat_memcg_ino((void *)memcg);
}

/* Whose pages: what the arguments say, else what the calls around say. */
static __always_inline void note_owner(const struct vmp_args *args, struct vmp_frame *f,
				       struct pt_regs *regs)
{
	const struct lruvec *lruvec;
	const struct pglist_data *pgdat;

	if (args->lruvec >= 0) {
		lruvec = (void *)regs_get_kernel_argument(regs, args->lruvec);
		f->cgroup = vmp_compat_lruvec_ino(lruvec);
		f->node = vmp_compat_lruvec_node(lruvec);
		return;
	}
	if (args->memcg >= 0)
		f->cgroup = vmp_compat_memcg_ino((void *)
				regs_get_kernel_argument(regs, args->memcg));
	if (args->pgdat >= 0) {
		pgdat = (void *)regs_get_kernel_argument(regs, args->pgdat);
		f->node = pgdat->node_id;
	} else if (args->nid >= 0) {
		f->node = (int)regs_get_kernel_argument(regs, args->nid);
	}
}

/* Why, if the function that usually tells is not around this one. */
static u8 context_of(const s64 value[VMP_NR_FIELDS])
{
	if (current->flags & PF_KSWAPD)
		return VMP_CTX_kswapd;
	if (value[VMP_F_proactive])
		return VMP_CTX_proactive;
	if (value[VMP_F_target_mem_cgroup])
		return VMP_CTX_memcg;
	return VMP_CTX_other;
}

static int sc_entry(const struct vmp_symbol *sym, struct vmp_frame *f,
		    struct pt_regs *regs)
{
	s64 value[VMP_NR_FIELDS], left;
	const void *sc;

	note_owner(&sym->args, f, regs);
	if (sym->args.sc < 0) {
		if (f->context == VMP_NO_CONTEXT)
			f->context = current->flags & PF_KSWAPD ? VMP_CTX_kswapd :
								  VMP_CTX_other;
		return 0;
	}
	sc = (void *)regs_get_kernel_argument(regs, sym->args.sc);
	f->mark[MARK_SC] = (unsigned long)sc;
	if (unlikely(read_sc(sc, value)))
		return -EFAULT;

	if (f->context == VMP_NO_CONTEXT)
		f->context = context_of(value);
	f->mark[MARK_RECLAIMED] = value[VMP_F_nr_reclaimed];
	f->mark[MARK_SCANNED] = value[VMP_F_nr_scanned];
	left = value[VMP_F_nr_to_reclaim];
	if (!(current->flags & PF_KSWAPD))
		left -= value[VMP_F_nr_reclaimed];
	f->requested_pages = max_t(s64, left, 0);
	f->has_request = true;
	if (!f->cgroup)
		f->cgroup = target_ino(value[VMP_F_target_mem_cgroup]);
	note_level(f, value);
	return 0;
}

static int sc_exit(const struct vmp_symbol *sym, struct vmp_frame *f,
		   struct pt_regs *regs, struct vmp_counters *s)
{
	s64 value[VMP_NR_FIELDS], freed, scanned;

	if (sym->args.sc < 0)
		return 0;
	if (unlikely(read_sc((void *)(unsigned long)f->mark[MARK_SC], value)))
		return -EFAULT;

	freed = value[VMP_F_nr_reclaimed] - f->mark[MARK_RECLAIMED];
	scanned = value[VMP_F_nr_scanned] - f->mark[MARK_SCANNED];
	if (unlikely(freed < 0 || (scanned < 0 && sym->row->scanned == VMP_FROM_CALLBACK)))
		return -EFAULT;
	if (sym->row->freed == VMP_FROM_CALLBACK)
		s->freed_pages = freed;
	if (sym->row->scanned == VMP_FROM_CALLBACK)
		s->scanned_pages = scanned;
	note_level(f, value);
	return 0;
}

/* shrink_page_list() returns an unsigned int: the pages that it freed. */
static int list_exit(const struct vmp_symbol *sym, struct vmp_frame *f,
		     struct pt_regs *regs, struct vmp_counters *s)
{
	if (sc_exit(sym, f, regs, s))
		return -EFAULT;
	s->freed_pages = (u32)regs_return_value(regs);
	return 0;
}

/* memcg reclaim asks for at least SWAP_CLUSTER_MAX pages, whatever it is told. */
static int memcg_entry(const struct vmp_symbol *sym, struct vmp_frame *f,
		       struct pt_regs *regs)
{
	const struct vmp_args *args = &sym->args;

	note_owner(args, f, regs);
	if (args->nr_pages >= 0) {
		f->requested_pages = max_t(unsigned long, SWAP_CLUSTER_MAX,
					   regs_get_kernel_argument(regs, args->nr_pages));
		f->has_request = true;
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
	note_owner(&sym->args, f, regs);
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
