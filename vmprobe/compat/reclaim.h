/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between kernels in memory cgroups and in what reclaim keeps on
 * the task.
 */
#ifndef VMP_COMPAT_RECLAIM_H
#define VMP_COMPAT_RECLAIM_H

#include <linux/cgroup.h>
#include <linux/memcontrol.h>
#include <linux/mmzone.h>
#include <linux/sched.h>
#include <linux/swap.h>

/*
 * Slab pages freed so far on behalf of the current reclaim, in pages. The member
 * was called reclaimed_slab until 6.4, when other pages joined it. 0 outside of
 * reclaim.
 */
static inline unsigned long vmp_compat_slab_pages(void)
{
	if (!current->reclaim_state)
		return 0;
#ifdef VMP_HAVE_RECLAIM_STATE_RECLAIMED
	return current->reclaim_state->reclaimed;
#else
	return current->reclaim_state->reclaimed_slab;
#endif
}

/*
 * MEMCG_RECLAIM_PROACTIVE, since 6.0: a bit of try_to_free_mem_cgroup_pages()'s
 * argument reclaim_options. Headers have it up to 7.2; later it is mm's own.
 */
#ifdef MEMCG_RECLAIM_PROACTIVE
#define VMP_RECLAIM_PROACTIVE	MEMCG_RECLAIM_PROACTIVE
#else
#define VMP_RECLAIM_PROACTIVE	BIT(2)
#endif

/* Is the reclaim asked for through memory.reclaim? */
static inline bool vmp_compat_is_proactive(unsigned long reclaim_options)
{
	return reclaim_options & VMP_RECLAIM_PROACTIVE;
}

#define VMP_ROOT_CGROUP	1	/* kernfs numbers a hierarchy's root 1 */

/* Inode number of a memory cgroup's directory; NULL stands for the root. */
static inline u64 vmp_compat_memcg_ino(const struct mem_cgroup *memcg)
{
#ifdef CONFIG_MEMCG
	if (mem_cgroup_disabled())
		return 0;
	return memcg ? cgroup_id(memcg->css.cgroup) : VMP_ROOT_CGROUP;
#else
	return 0;
#endif
}

/* The memory cgroup of an lruvec, by its inode number. */
static inline u64 vmp_compat_lruvec_ino(const struct lruvec *lruvec)
{
#ifdef CONFIG_MEMCG
	if (mem_cgroup_disabled())
		return 0;
	return vmp_compat_memcg_ino(container_of(lruvec, struct mem_cgroup_per_node,
						 lruvec)->memcg);
#else
	return 0;
#endif
}

/* The node of an lruvec; -1 where the lruvec does not say. */
static inline int vmp_compat_lruvec_node(const struct lruvec *lruvec)
{
#ifdef CONFIG_MEMCG
	return lruvec->pgdat ? lruvec->pgdat->node_id : -1;
#else
	return container_of(lruvec, struct pglist_data, __lruvec)->node_id;
#endif
}

/* The memory cgroup that a task is charged to; the caller holds off its end. */
static inline u64 vmp_compat_task_ino(struct task_struct *task)
{
#ifdef CONFIG_MEMCG
	struct mem_cgroup *memcg;

	if (mem_cgroup_disabled())
		return 0;
	memcg = mem_cgroup_from_task(task);
	return memcg ? cgroup_id(memcg->css.cgroup) : VMP_ROOT_CGROUP;
#else
	return 0;
#endif
}

#endif /* VMP_COMPAT_RECLAIM_H */
