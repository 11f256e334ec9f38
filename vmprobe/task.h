/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record of a task: its frames and what its calls amount to.
 */
#ifndef VMP_TASK_H
#define VMP_TASK_H

#include <linux/sched.h>

#include "frame.h"
#include "keyed.h"

#define VMP_MAX_DEPTH	12

enum vmp_task_state {
	VMP_TASK_FREE,		/* never used */
	VMP_TASK_RUNNING,
	VMP_TASK_EXITED,
};

/**
 * struct vmp_identity - who a task is
 * @start_ns: task_struct.start_time, CLOCK_MONOTONIC
 * @cgroup: inode number of the memory cgroup that the task is in; 0: unknown
 * @pid: thread id in the initial namespace
 * @tgid: process id in the initial namespace
 * @state: a vmp_task_state
 * @comm: the task's name
 */
struct vmp_identity {
	u64 start_ns;
	u64 cgroup;
	pid_t pid;
	pid_t tgid;
	u8 state;
	char comm[TASK_COMM_LEN];
};

/**
 * struct vmp_task - the record of a task
 * @task: whose it is; NULL once the task can never run again
 * @id: what is known of it; name and cgroup are looked up by readers while the task
 *	lives, and kept when it exits
 * @version: odd while the record changes hands
 * @spare: has no counters of its own and lasts for one outermost call only
 * @next: the next younger record whose task is gone
 * @top: the first frame that is free; those before it are in flight
 * @cell: where the counters of each probe lie in vmp_tasks.cells, in bytes; 0: none
 * @frames: the calls in flight, outermost first
 */
struct vmp_task {
	struct task_struct *task;
	struct vmp_frame *top;
	u32 version;
	bool spare;
	struct vmp_task *next;
	struct vmp_identity id;
	u32 cell[VMP_MAX_PROBES];
	struct vmp_frame frames[VMP_MAX_DEPTH];
};

/**
 * struct vmp_slot - finds a living task's record
 * @task: NULL if free
 * @rec: its record
 */
struct vmp_slot {
	struct task_struct *task;
	struct vmp_task *rec;
};

/**
 * struct vmp_tasks - the pool of records
 * @slots: hash from task to record; a key lies within VMP_WINDOW of its place
 * @slot_mask: number of slots - VMP_WINDOW - 1
 * @recs: the records, then the spare ones
 * @limit: number of records without the spare ones
 * @spares: number of spare records
 * @fresh: records given out the first time
 * @cells: counters of tasks, each for one probe; the first is not used
 * @cell_limit: their number
 * @cells_used: given out; a record keeps its cells when it changes hands
 * @evicted: of each probe, what recycled records had
 * @nr_evicted: recycled records
 */
struct vmp_tasks {
	struct vmp_slot *slots;
	u32 slot_mask;
	struct vmp_task *recs;
	u32 limit;
	u32 spares;
	atomic_t fresh;
	struct vmp_cell *cells;
	u32 cell_limit;
	atomic_t cells_used;
	struct vmp_cell evicted[VMP_MAX_PROBES];
	u64 nr_evicted;
};

extern struct vmp_tasks vmp_tasks;

#define VMP_WINDOW	16

int vmp_task_init(u32 max_tasks);
void vmp_task_exit(void);
struct vmp_task *vmp_task_claim(struct task_struct *task);
void vmp_task_release_spare(struct vmp_task *rec);
struct vmp_cell *vmp_task_claim_cell(struct vmp_task *rec, u8 probe);
void vmp_task_identify(struct vmp_task *rec, struct vmp_identity *id);
size_t vmp_task_bytes(void);

static __always_inline u32 vmp_task_hash(const struct task_struct *task)
{
	return (u32)(((unsigned long)task * 0x9e3779b97f4a7c15ull) >> 32) &
		vmp_tasks.slot_mask;
}

/**
 * vmp_task_slot() - where a task's record is found first
 * @task: current
 *
 * Return: the slot; if it is another task's, vmp_task_claim() goes on looking.
 */
static __always_inline struct vmp_slot *vmp_task_slot(const struct task_struct *task)
{
	return &vmp_tasks.slots[vmp_task_hash(task)];
}

/**
 * vmp_task_cell() - the task's counters of a probe
 * @rec: the current task's record
 * @cpu: this CPU's block
 * @probe: index of the probe
 *
 * Context: probe handlers.
 * Return: the cell; if none is left, the one that all such tasks share on this CPU.
 */
static __always_inline struct vmp_cell *vmp_task_cell(struct vmp_task *rec,
						      struct vmp_cpu *cpu, u8 probe)
{
	u32 cell = rec->cell[probe];

	if (likely(cell))
		return (void *)vmp_tasks.cells + cell;
	return vmp_task_claim_cell(rec, probe) ?: &cpu->strays[probe];
}

#endif /* VMP_TASK_H */
