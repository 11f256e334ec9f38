/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel itself counts of memory, as /proc/vmstat shows it. Counters move
 * between its enumerations, and come and go: each is looked up by its name in the
 * kernel's BTF, in all of them.
 */
#ifndef VMP_COUNTED_H
#define VMP_COUNTED_H

#include <linux/types.h>

/* Levels, in pages: X(enumerator, name in /proc/vmstat, but for kernel_stack). */
#define VMP_LEVELS(X)	\
	X(NR_FREE_PAGES, nr_free_pages)	\
	X(NR_ACTIVE_ANON, nr_active_anon)	\
	X(NR_INACTIVE_ANON, nr_inactive_anon)	\
	X(NR_ACTIVE_FILE, nr_active_file)	\
	X(NR_INACTIVE_FILE, nr_inactive_file)	\
	X(NR_UNEVICTABLE, nr_unevictable)	\
	X(NR_ISOLATED_ANON, nr_isolated_anon)	\
	X(NR_ISOLATED_FILE, nr_isolated_file)	\
	X(NR_ANON_MAPPED, nr_anon_pages)	\
	X(NR_FILE_PAGES, nr_file_pages)	\
	X(NR_FILE_MAPPED, nr_mapped)	\
	X(NR_SHMEM, nr_shmem)	\
	X(NR_FILE_DIRTY, nr_dirty)	\
	X(NR_WRITEBACK, nr_writeback)	\
	X(NR_SLAB_RECLAIMABLE_B, nr_slab_reclaimable)	\
	X(NR_SLAB_UNRECLAIMABLE_B, nr_slab_unreclaimable)	\
	X(NR_KERNEL_MISC_RECLAIMABLE, nr_kernel_misc_reclaimable)	\
	X(NR_KERNEL_STACK_KB, kernel_stack)	\
	X(NR_PAGETABLE, nr_page_table_pages)	\
	X(NR_SWAPCACHE, nr_swapcached)

/* Counts of what happened: X(enumerator, name in /proc/vmstat). */
#define VMP_EVENTS(X)	\
	X(PGPGIN, pgpgin)	\
	X(PGPGOUT, pgpgout)	\
	X(PSWPIN, pswpin)	\
	X(PSWPOUT, pswpout)	\
	X(PGALLOC_DMA, pgalloc_dma)	\
	X(PGALLOC_DMA32, pgalloc_dma32)	\
	X(PGALLOC_NORMAL, pgalloc_normal)	\
	X(PGALLOC_MOVABLE, pgalloc_movable)	\
	X(ALLOCSTALL_DMA, allocstall_dma)	\
	X(ALLOCSTALL_DMA32, allocstall_dma32)	\
	X(ALLOCSTALL_NORMAL, allocstall_normal)	\
	X(ALLOCSTALL_MOVABLE, allocstall_movable)	\
	X(PGFREE, pgfree)	\
	X(PGACTIVATE, pgactivate)	\
	X(PGDEACTIVATE, pgdeactivate)	\
	X(PGLAZYFREE, pglazyfree)	\
	X(PGLAZYFREED, pglazyfreed)	\
	X(PGFAULT, pgfault)	\
	X(PGMAJFAULT, pgmajfault)	\
	X(PGREFILL, pgrefill)	\
	X(PGREUSE, pgreuse)	\
	X(PGROTATED, pgrotated)	\
	X(PGSTEAL_KSWAPD, pgsteal_kswapd)	\
	X(PGSTEAL_DIRECT, pgsteal_direct)	\
	X(PGSTEAL_KHUGEPAGED, pgsteal_khugepaged)	\
	X(PGSTEAL_PROACTIVE, pgsteal_proactive)	\
	X(PGSTEAL_ANON, pgsteal_anon)	\
	X(PGSTEAL_FILE, pgsteal_file)	\
	X(PGSCAN_KSWAPD, pgscan_kswapd)	\
	X(PGSCAN_DIRECT, pgscan_direct)	\
	X(PGSCAN_KHUGEPAGED, pgscan_khugepaged)	\
	X(PGSCAN_PROACTIVE, pgscan_proactive)	\
	X(PGSCAN_ANON, pgscan_anon)	\
	X(PGSCAN_FILE, pgscan_file)	\
	X(PGSCAN_DIRECT_THROTTLE, pgscan_direct_throttle)	\
	X(PGDEMOTE_KSWAPD, pgdemote_kswapd)	\
	X(PGDEMOTE_DIRECT, pgdemote_direct)	\
	X(PGINODESTEAL, pginodesteal)	\
	X(KSWAPD_INODESTEAL, kswapd_inodesteal)	\
	X(SLABS_SCANNED, slabs_scanned)	\
	X(KSWAPD_LOW_WMARK_HIT_QUICKLY, kswapd_low_wmark_hit_quickly)	\
	X(KSWAPD_HIGH_WMARK_HIT_QUICKLY, kswapd_high_wmark_hit_quickly)	\
	X(PAGEOUTRUN, pageoutrun)	\
	X(DROP_PAGECACHE, drop_pagecache)	\
	X(DROP_SLAB, drop_slab)	\
	X(OOM_KILL, oom_kill)	\
	X(SWAP_RA, swap_ra)	\
	X(SWAP_RA_HIT, swap_ra_hit)	\
	X(COMPACTSTALL, compact_stall)	\
	X(COMPACTFAIL, compact_fail)	\
	X(COMPACTSUCCESS, compact_success)	\
	X(COMPACTMIGRATE_SCANNED, compact_migrate_scanned)	\
	X(COMPACTFREE_SCANNED, compact_free_scanned)	\
	X(COMPACTISOLATED, compact_isolated)	\
	X(KCOMPACTD_WAKE, compact_daemon_wake)	\
	X(WORKINGSET_REFAULT_ANON, workingset_refault_anon)	\
	X(WORKINGSET_REFAULT_FILE, workingset_refault_file)	\
	X(WORKINGSET_ACTIVATE_ANON, workingset_activate_anon)	\
	X(WORKINGSET_ACTIVATE_FILE, workingset_activate_file)	\
	X(WORKINGSET_RESTORE_ANON, workingset_restore_anon)	\
	X(WORKINGSET_RESTORE_FILE, workingset_restore_file)	\
	X(WORKINGSET_NODERECLAIM, workingset_nodereclaim)	\
	X(NR_VMSCAN_WRITE, nr_vmscan_write)	\
	X(NR_VMSCAN_IMMEDIATE, nr_vmscan_immediate_reclaim)	\
	X(NR_DIRTIED, nr_dirtied)	\
	X(NR_WRITTEN, nr_written)

enum vmp_counted_index {
#define VMP_X(enumerator, name)	VMP_N_##enumerator,
	VMP_LEVELS(VMP_X)
	VMP_NR_LEVELS,
	VMP_LAST_LEVEL = VMP_NR_LEVELS - 1,
	VMP_EVENTS(VMP_X)
#undef VMP_X
	VMP_NR_COUNTED
};

/* Which of the kernel's arrays a counter is in. */
enum vmp_counted_where {
	VMP_COUNTED_NOWHERE,
	VMP_COUNTED_EVENT,	/* enum vm_event_item */
	VMP_COUNTED_NODE,	/* enum node_stat_item */
	VMP_COUNTED_ZONE,	/* enum zone_stat_item */
	VMP_NR_WHERE
};

/**
 * struct vmp_counted - where a counter is
 * @where: in which array
 * @index: its place there
 */
struct vmp_counted {
	u8 where;
	u16 index;
};

#endif /* VMP_COUNTED_H */
