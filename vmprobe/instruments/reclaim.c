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
 * Between shrink_zone and the pages that shrink_page_list freed lie slab pages, some
 * from shrink_slab, some from buffer heads that go with their pages, and credits.
 * Both are counted for shrink_cache, so that every page claimed is explained.
 *
 * requested is what remains to be asked for, nr_to_reclaim - nr_reclaimed, and
 * under kswapd nr_to_reclaim, which it sets anew for each pass while nr_reclaimed
 * may run on. scanned is the change of nr_scanned, which do_try_to_free_pages
 * sets back at each priority: there, the sum of the calls inside.
 */
#include <linux/kernel.h>
#include <linux/sched.h>

#include "../compat/reclaim.h"
#include "../frame.h"
#include "../probe.h"
#include "../scan_control.h"
#include "all.h"

/* memcg reclaim asks for at least SWAP_CLUSTER_MAX pages, whatever it is told. */
static int memcg_entry(const struct vmp_symbol *sym, struct vmp_frame *f,
		       struct pt_regs *regs)
{
	const struct vmp_args *args = &sym->args;

	vmp_sc_owner(sym, f, regs);
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
	vmp_sc_owner(sym, f, regs);
	return 0;
}

#define SC_ROW						\
	.context = VMP_NO_CONTEXT,			\
	.requested = VMP_FROM_SC,			\
	.scanned = VMP_FROM_SC,			\
	.freed = VMP_FROM_SC,			\
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
		.context = VMP_NO_CONTEXT,
		.requested = VMP_FROM_SC,
		.scanned = VMP_FROM_CHILDREN,
		.freed = VMP_FROM_SC,
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
		.watches_slab = true,
		.symbol = "shrink_cache",
		SC_ROW,
	}, {
		/* It may return 32 for a dying task without having freed a page. */
		.probe = "shrink_cache",
		.watches_slab = true,
		.symbol = "shrink_inactive_list",
		.inlined_if = "shrink_active_list",
		.context = VMP_NO_CONTEXT,
		.requested = VMP_FROM_SC,
		.scanned = VMP_FROM_SC,
		.freed = VMP_FROM_CHILDREN,
		.levels = true,
		.takes_sc = true,
	}, {
		.probe = "shrink_cache",
		.watches_slab = true,
		.symbol = "shrink_lruvec",
		SC_ROW,
	}, {
		/* The multi-generational LRU comes here without shrink_lruvec. */
		.probe = "shrink_cache",
		.watches_slab = true,
		.symbol = "try_to_shrink_lruvec",
		.with = "shrink_lruvec",
		SC_ROW,
	}, {
		.probe = "shrink_page_list",
		.symbol = "shrink_page_list",
		.context = VMP_NO_CONTEXT,
		.requested = VMP_FROM_SC,
		.scanned = VMP_FROM_SC,
		.freed = VMP_FROM_RETURN,
		.levels = true,
		.takes_sc = true,
	}, {
		/* Its name since 5.18. */
		.probe = "shrink_page_list",
		.symbol = "shrink_folio_list",
		.context = VMP_NO_CONTEXT,
		.requested = VMP_FROM_SC,
		.scanned = VMP_FROM_SC,
		.freed = VMP_FROM_RETURN,
		.levels = true,
		.takes_sc = true,
	}, {
		/* It moves pages between lists and frees none. */
		.probe = "shrink_active_list",
		.symbol = "shrink_active_list",
		.context = VMP_NO_CONTEXT,
		.requested = VMP_FROM_SC,
		.scanned = VMP_FROM_SC,
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
