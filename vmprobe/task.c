// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of tasks, all allocated at load.
 *
 * A living task is found by its address in a hash whose entries are made by the
 * task itself and removed when it can never run again (sched_process_free: a
 * dying task still reclaims), so that a pid or address that is used again never
 * finds the old record. Removed records queue up, oldest first; they stay
 * readable until a new task needs one, and what it held then joins the row
 * "(evicted)". A task that finds no record uses a spare one for the time of its
 * outermost call, and its counters join the row "(overflow)".
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

#include "compat/reclaim.h"
#include "compat/tracepoint.h"
#include "probe.h"
#include "task.h"

#define CELLS_PER_TASK	8
#define NR_SPARES	256

struct vmp_tasks vmp_tasks;

/*
 * Guards the queue. Handlers only try it, and with interrupts off: tasks are freed
 * in interrupts (delayed_put_task_struct()), which wait for it.
 */
static DEFINE_RAW_SPINLOCK(queue_lock);
/* Keeps tasks from going while a reader looks at them; handlers never take it. */
static DEFINE_RAW_SPINLOCK(identity_lock);
static struct vmp_task *oldest, **youngest = &oldest;
static size_t bytes;

static void *zalloc(size_t size)
{
	void *p = vzalloc(size);

	if (p)
		bytes += PAGE_ALIGN(size);
	return p;
}

static struct vmp_slot *find_slot(const struct task_struct *task)
{
	struct vmp_slot *slot = &vmp_tasks.slots[vmp_task_hash(task)];
	int i;

	for (i = 0; i < VMP_WINDOW; i++, slot++)
		if (READ_ONCE(slot->task) == task)
			return slot;
	return NULL;
}

static struct vmp_slot *claim_slot(struct task_struct *task)
{
	struct vmp_slot *slot = &vmp_tasks.slots[vmp_task_hash(task)];
	int i;

	for (i = 0; i < VMP_WINDOW; i++, slot++)
		if (!READ_ONCE(slot->task) && !cmpxchg(&slot->task, NULL, task))
			return slot;
	return NULL;
}

static void free_slot(struct vmp_slot *slot)
{
	slot->rec = NULL;
	/* Pairs with the exchange in claim_slot(). */
	smp_store_release(&slot->task, NULL);
}

/* Put what a record counted into (evicted). The queue's lock is held. */
static void evict(struct vmp_task *rec)
{
	/* Pairs with vmp_keyed_reset(). */
	u32 epoch = smp_load_acquire(&vmp_recording)->epoch;
	struct vmp_counters sum;
	struct vmp_cell *cell;
	int i;

	lockdep_assert_held(&queue_lock);
	vmp_frame_abandon(rec, rec->frames, __this_cpu_read(vmp_cpu), epoch);
	for (i = 0; i < VMP_MAX_PROBES; i++) {
		if (!rec->cell[i])
			continue;
		cell = (void *)vmp_tasks.cells + rec->cell[i];
		memset(&sum, 0, sizeof(sum));
		vmp_cell_sum(&sum, cell, epoch);
		if (sum.calls)
			vmp_cell_add(&vmp_tasks.evicted[i], &sum, epoch);
		WRITE_ONCE(cell->epoch, 0);
	}
	vmp_tasks.nr_evicted++;
}

static struct vmp_task *take_oldest(void)
{
	struct vmp_task *rec;
	unsigned long flags;

	if (!READ_ONCE(oldest) || !raw_spin_trylock_irqsave(&queue_lock, flags))
		return NULL;
	rec = oldest;
	if (rec) {
		oldest = rec->next;
		if (!oldest)
			youngest = &oldest;
		WRITE_ONCE(rec->version, rec->version + 1);
		/* The odd version is seen before any change; see copy_record(). */
		smp_wmb();
		evict(rec);
	}
	raw_spin_unlock_irqrestore(&queue_lock, flags);
	return rec;
}

static struct vmp_task *take_spare(struct task_struct *task)
{
	struct vmp_task *rec;
	u32 at = vmp_task_hash(task), i;

	for (i = 0; i < VMP_WINDOW; i++) {
		rec = &vmp_tasks.recs[vmp_tasks.limit + (at + i) % vmp_tasks.spares];
		if (!READ_ONCE(rec->task) && !cmpxchg(&rec->task, NULL, task))
			return rec;
	}
	return NULL;
}

/* Name and cgroup; the task is current, or identity_lock keeps it from going. */
static void look_up(struct vmp_identity *id, struct task_struct *task)
{
	memcpy(id->comm, task->comm, TASK_COMM_LEN);
	rcu_read_lock();
	id->cgroup = vmp_compat_task_ino(task);
	rcu_read_unlock();
}

/**
 * vmp_task_identify() - who the task of a record is
 * @rec: a record that is or was in use
 * @id: what is known of it
 *
 * Context: readers of tables.
 */
void vmp_task_identify(struct vmp_task *rec, struct vmp_identity *id)
{
	struct task_struct *task;
	unsigned long flags;

	raw_spin_lock_irqsave(&identity_lock, flags);
	*id = rec->id;
	task = READ_ONCE(rec->task);
	if (task && id->state == VMP_TASK_RUNNING)
		look_up(id, task);
	raw_spin_unlock_irqrestore(&identity_lock, flags);
}

/**
 * vmp_task_claim() - find or make the record of a task
 * @task: current
 *
 * Context: probe handlers. The queue's lock is tried, never waited for.
 * Return: the record, or NULL if even the spare ones are in use.
 */
struct vmp_task *vmp_task_claim(struct task_struct *task)
{
	struct vmp_slot *slot = find_slot(task);
	struct vmp_task *rec = NULL;
	u32 index;

	if (slot)
		return slot->rec;
	slot = claim_slot(task);
	if (!slot)
		return NULL;

	if (atomic_read(&vmp_tasks.fresh) < vmp_tasks.limit) {
		index = atomic_inc_return(&vmp_tasks.fresh) - 1;
		if (index < vmp_tasks.limit) {
			rec = &vmp_tasks.recs[index];
			WRITE_ONCE(rec->version, rec->version + 1);
			/* As in take_oldest(). */
			smp_wmb();
		}
	}
	if (!rec)
		rec = take_oldest();
	if (rec) {
		rec->task = task;
		rec->top = rec->frames;
		rec->id = (struct vmp_identity){
			.start_ns = task->start_time,
			.pid = task->pid,
			.tgid = task->tgid,
			.state = VMP_TASK_RUNNING,
		};
		/* All changes are seen before the even version; see copy_record(). */
		smp_wmb();
		WRITE_ONCE(rec->version, rec->version + 1);
	} else {
		rec = take_spare(task);
		if (!rec) {
			free_slot(slot);
			return NULL;
		}
		rec->top = rec->frames;
	}
	slot->rec = rec;
	return rec;
}

/**
 * vmp_task_release_spare() - the outermost call of a task without record is over
 * @rec: a spare record
 *
 * Context: probe handlers.
 */
void vmp_task_release_spare(struct vmp_task *rec)
{
	struct vmp_slot *slot = find_slot(rec->task);

	if (slot)
		free_slot(slot);
	/* Pairs with the exchange in take_spare(). */
	smp_store_release(&rec->task, NULL);
}

/**
 * vmp_task_claim_cell() - counters of a probe that a task has not used before
 * @rec: the current task's record
 * @probe: index of the probe
 *
 * Context: probe handlers.
 * Return: the cell, or NULL if none is left or the record is a spare one.
 */
struct vmp_cell *vmp_task_claim_cell(struct vmp_task *rec, u8 probe)
{
	u32 index;

	if (rec->spare || atomic_read(&vmp_tasks.cells_used) >= vmp_tasks.cell_limit)
		return NULL;
	index = atomic_inc_return(&vmp_tasks.cells_used);
	if (index > vmp_tasks.cell_limit)
		return NULL;
	WRITE_ONCE(rec->cell[probe], index * sizeof(struct vmp_cell));
	return &vmp_tasks.cells[index];
}

/* The task is on its way out; it may still reclaim until it is freed. */
static void on_exit(void *data, struct task_struct *task)
{
	struct vmp_slot *slot = find_slot(task);
	struct vmp_task *rec = slot ? slot->rec : NULL;
	unsigned long flags;

	if (!rec || rec->spare)
		return;
	raw_spin_lock_irqsave(&identity_lock, flags);
	look_up(&rec->id, task);
	rec->id.state = VMP_TASK_EXITED;
	raw_spin_unlock_irqrestore(&identity_lock, flags);
}

/* The task can never run again: nobody but readers looks at its record. */
static void on_free(void *data, struct task_struct *task)
{
	struct vmp_slot *slot = find_slot(task);
	struct vmp_task *rec;
	unsigned long flags;
	u32 epoch;

	if (!slot)
		return;
	rec = slot->rec;
	free_slot(slot);
	if (!rec)
		return;
	if (rec->spare) {
		local_irq_save(flags);
		/* Pairs with vmp_keyed_reset(). */
		epoch = smp_load_acquire(&vmp_recording)->epoch;
		vmp_frame_abandon(rec, rec->frames, __this_cpu_read(vmp_cpu), epoch);
		local_irq_restore(flags);
		/* As in vmp_task_release_spare(). */
		smp_store_release(&rec->task, NULL);
		return;
	}
	raw_spin_lock_irqsave(&identity_lock, flags);
	rec->id.state = VMP_TASK_EXITED;
	WRITE_ONCE(rec->task, NULL);
	raw_spin_unlock_irqrestore(&identity_lock, flags);
	rec->next = NULL;
	raw_spin_lock_irqsave(&queue_lock, flags);
	*youngest = rec;
	youngest = &rec->next;
	raw_spin_unlock_irqrestore(&queue_lock, flags);
}

static struct vmp_compat_tracepoint tracepoints[] = {
	{ .name = "sched_process_exit", .func = on_exit },
	{ .name = "sched_process_free", .func = on_free },
};

/**
 * vmp_task_init() - allocate the pool and begin to follow the ends of tasks
 * @max_tasks: number of records
 *
 * Context: may sleep; before any probe is attached.
 * Return: 0, -ENOMEM, or -ENOENT if the kernel lacks a tracepoint.
 */
int vmp_task_init(u32 max_tasks)
{
	u32 slots = roundup_pow_of_two(2 * (max_tasks + NR_SPARES)), i;
	struct vmp_tasks *t = &vmp_tasks;
	int err = -ENOMEM;

	t->limit = max_tasks;
	t->spares = NR_SPARES;
	t->slot_mask = slots - 1;
	t->cell_limit = max_tasks * CELLS_PER_TASK;
	t->slots = zalloc(array_size(slots + VMP_WINDOW, sizeof(*t->slots)));
	t->recs = zalloc(array_size(max_tasks + NR_SPARES, sizeof(*t->recs)));
	t->cells = zalloc(array_size(t->cell_limit + 1, sizeof(*t->cells)));
	if (!t->slots || !t->recs || !t->cells)
		goto err_free;
	for (i = 0; i < max_tasks + NR_SPARES; i++) {
		t->recs[i].spare = i >= max_tasks;
		t->recs[i].top = t->recs[i].frames;
	}

	err = vmp_compat_tracepoints_attach(tracepoints, ARRAY_SIZE(tracepoints));
	if (err)
		goto err_free;
	return 0;

err_free:
	vmp_task_exit();
	return err;
}

/**
 * vmp_task_exit() - stop following tasks and free the pool
 *
 * Context: may sleep; no probe is attached any more.
 */
void vmp_task_exit(void)
{
	vmp_compat_tracepoints_detach(tracepoints, ARRAY_SIZE(tracepoints));
	vfree(vmp_tasks.slots);
	vfree(vmp_tasks.recs);
	vfree(vmp_tasks.cells);
	memset(&vmp_tasks, 0, sizeof(vmp_tasks));
	oldest = NULL;
	youngest = &oldest;
	bytes = 0;
}

/**
 * vmp_task_bytes() - memory held by the pool
 *
 * Return: bytes.
 */
size_t vmp_task_bytes(void)
{
	return bytes;
}
