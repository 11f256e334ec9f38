// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a call becomes numbers.
 *
 *	entry -> a frame is pushed on the task's record
 *	exit  -> the frame is popped and becomes one sample, which is added in
 *		 three places: the task's counters of the probe, the edge
 *		 (symbol, parent, caller, context, cgroup, node) and the
 *		 histogram (probe, context), which the edge knows. All are local
 *		 to the CPU or the task. Every table is a sum over these.
 *
 * A call is paired with its entry by the kretprobe instance. The frames of a
 * task nest, so a frame whose stack pointer lies at or below that of a new one
 * can never return: its exit was lost, and it is dropped and counted.
 */
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/stacktrace.h>
#include <linux/timekeeping.h>

#include "compat/frame.h"
#include "probe.h"
#include "scan_control.h"
#include "stack.h"
#include "task.h"

bool vmp_enabled;

/* sum_exec_runtime lacks what has passed since exec_start; a tick may move both. */
static __always_inline u64 oncpu_base(const struct task_struct *task, u64 *sum)
{
	u64 base;

	do {
		*sum = READ_ONCE(task->se.sum_exec_runtime);
		base = *sum - READ_ONCE(task->se.exec_start);
	} while (unlikely(*sum != READ_ONCE(task->se.sum_exec_runtime)));
	return base;
}

/* The kretprobe is the first member of its symbol. */
static __always_inline struct vmp_symbol *vmp_frame_symbol(struct kretprobe_instance *ri)
{
	return container_of(vmp_compat_kretprobe(ri), struct vmp_symbol, rp);
}

static __always_inline u32 switches(const struct task_struct *task)
{
	return (u32)task->nvcsw + (u32)task->nivcsw;
}

/**
 * vmp_frame_abandon() - drop frames that will not return any more
 * @rec: the task's record
 * @from: the outermost frame to drop
 * @cpu: this CPU's block, where they are counted
 * @epoch: the current recording
 *
 * What was counted inside them is passed on to the frame around, so that it is not
 * taken for time of its own.
 *
 * Context: the task's own handlers, or, once it can never run again, preemption off.
 */
noinline void vmp_frame_abandon(struct vmp_task *rec, struct vmp_frame *from,
				struct vmp_cpu *cpu, u32 epoch)
{
	struct vmp_frame *f, *parent;
	struct vmp_hits *hits;

	while (rec->top > from) {
		f = rec->top - 1;
		WRITE_ONCE(rec->top, f);
		hits = vmp_hits_of(cpu, f->head.symbol, epoch);
		if (f->epoch != epoch)
			hits->entries++;
		hits->abandoned++;
		if (f == rec->frames)
			break;
		parent = f - 1;
		parent->children_ns += f->children_ns;
		parent->inside += f->inside;
		parent->children_freed += f->children_freed;
		parent->children_scanned += f->children_scanned;
		parent->head.levels |= f->head.levels;
	}
}

/* Does another symbol of the same probe have a frame around this one? */
static bool is_nested(const struct vmp_task *rec, const struct vmp_symbol *sym)
{
	const struct vmp_frame *f;

	for (f = rec->frames; f < rec->top; f++)
		if (f->head.probe == sym->probe && f->head.symbol != sym->index)
			return true;
	return false;
}

/* The innermost frame that can be around a call with this stack pointer. */
static noinline struct vmp_frame *find_parent(struct vmp_task *rec, struct pt_regs *regs,
					      struct vmp_cpu *cpu, u32 epoch)
{
	u32 sp = (u32)kernel_stack_pointer(regs);

	while (rec->top != rec->frames) {
		if (rec->top[-1].sp > sp)
			break;
		/* A probed function that ended in a jump to this one still lives. */
		if (rec->top[-1].sp == sp &&
		    vmp_compat_return_address(regs) == vmp_probes.trampoline)
			break;
		vmp_frame_abandon(rec, rec->top - 1, cpu, epoch);
	}
	return rec->top - 1;
}

/*
 * The caller of a function whose return address the function graph tracer has
 * replaced: the unwinder knows it. It follows the place where the function was
 * interrupted, which is its first few bytes.
 */
static noinline unsigned long find_caller(const struct vmp_symbol *sym)
{
	unsigned long entry[20];
	u32 n, i;

	n = stack_trace_save(entry, ARRAY_SIZE(entry), 0);
	for (i = 0; i + 1 < n; i++)
		if (entry[i] - (unsigned long)sym->rp.kp.addr < 16)
			return entry[i + 1];
	return 0;
}

/* Everything but a scan_control and nothing else to look at. */
static noinline int enter_otherwise(const struct vmp_symbol *sym, struct vmp_frame *f,
				    struct vmp_link *link, struct pt_regs *regs)
{
	if (f->flags & VMP_FRAME_HIDDEN)
		link->caller = vmp_compat_return_address(regs) == vmp_probes.graph_return ?
			       find_caller(sym) : 0;
	if (f->flags & VMP_FRAME_SLAB)
		f->slab_pages = vmp_compat_slab_pages();
	if (!(f->flags & VMP_FRAME_NO_SC))
		return vmp_sc_entry(sym, f, regs);
	return sym->row->entry ? sym->row->entry(sym, f, regs) : 0;
}

/**
 * vmp_frame_enter() - a probed function was entered
 * @ri: its kretprobe instance, of whose owner the symbol is part
 * @regs: registers at the function's first instruction
 *
 * Context: kretprobe entry handler, preemption off.
 * Return: 0, or 1 if the exit is not wanted.
 */
int vmp_frame_enter(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct vmp_symbol *sym = vmp_frame_symbol(ri);
	struct vmp_link *link = (void *)ri->data;
	struct task_struct *task = current;
	const struct vmp_slot *slot;
	struct vmp_frame *f, *parent;
	struct vmp_hits *hits;
	struct vmp_task *rec;
	u32 sp, epoch;

	if (unlikely(!READ_ONCE(vmp_enabled)))
		return 1;
	/* Pairs with vmp_keyed_reset(). */
	epoch = smp_load_acquire(&vmp_recording)->epoch;
	hits = vmp_hits_of(__this_cpu_read(vmp_cpu), sym->index, epoch);
	slot = vmp_task_slot(task);
	rec = slot->rec;
	if (unlikely(slot->task != task)) {
		rec = vmp_task_claim(task);
		if (!rec) {
			hits->turned_away++;
			return 1;
		}
	}

	sp = (u32)kernel_stack_pointer(regs);
	f = rec->top;
	parent = f - 1;
	if (f != rec->frames && unlikely(parent->sp <= sp)) {
		parent = find_parent(rec, regs, __this_cpu_read(vmp_cpu), epoch);
		f = parent + 1;
	}
	if (f != rec->frames) {
		if (unlikely(parent->probes & sym->bit) && is_nested(rec, sym)) {
			hits->entries++;
			hits->nested++;
			parent->inside += sym->cost.entry;
			return 1;
		}
		if (unlikely(f == rec->frames + VMP_MAX_DEPTH)) {
			hits->turned_away++;
			parent->inside += sym->cost.entry;
			return 1;
		}
		f->head = sym->head;
		f->probes = parent->probes | sym->bit;
		f->context = likely(parent->context != VMP_NO_CONTEXT) ? parent->context :
									 sym->context;
		f->cgroup = parent->cgroup;
		f->head.node = parent->head.node;
	} else {
		f->head = sym->head;
		f->probes = sym->bit;
		f->context = sym->context;
		f->cgroup = 0;
	}
	hits->entries++;
	f->requested_pages = 0;
	f->children_ns = 0;
	f->inside = 0;
	f->children_freed = 0;
	f->children_scanned = 0;
	f->oncpu_base = oncpu_base(task, &f->sum_exec_ns);
	f->cpu = raw_smp_processor_id();
	f->run_delay_ns = task->sched_info.run_delay;
	f->switches = switches(task);
	f->sp = sp;
	f->epoch = epoch;
	f->flags = sym->frame_flags;
	if (unlikely(likely(!(f->flags & (VMP_FRAME_NO_SC | VMP_FRAME_SLAB | VMP_FRAME_HIDDEN)))
		     ? vmp_sc_entry(sym, f, regs) : enter_otherwise(sym, f, link, regs)))
		f->flags |= VMP_FRAME_IMPLAUSIBLE;

	WRITE_ONCE(rec->top, f + 1);
	link->task = rec;
	link->frame = f;
	link->start_ns = f->start_ns = ktime_get_mono_fast_ns();
	return 0;
}

/*
 * The scheduler's clock is read once for each switch, somewhere inside it, so
 * its sums are as exact as a switch is long.
 */
#define SCHED_GRAIN_NS	(100 * NSEC_PER_USEC)

/*
 * The call left the CPU: which part of its time was spent on it, which waiting
 * for it, which blocked. On-CPU time is sum_exec_runtime brought up to now at both
 * ends, where "now" differs by @raw_ns: so the clock itself cancels out. exec_start
 * is on a clock that each CPU stops for its interrupts, so this does not hold between
 * two CPUs: then sum_exec_runtime is taken as it is, exact to a tick.
 */
static noinline void split_time(struct vmp_counters *s, const struct vmp_frame *f,
				u64 raw_ns, struct vmp_hits *hits)
{
	s64 delay = current->sched_info.run_delay - f->run_delay_ns, oncpu;
	u64 sum;

	oncpu = oncpu_base(current, &sum) - f->oncpu_base + raw_ns;
	if (raw_smp_processor_id() != f->cpu)
		oncpu = sum - f->sum_exec_ns;
	if (oncpu < -(s64)SCHED_GRAIN_NS || delay < 0)
		hits->backwards++;
	oncpu = clamp_t(s64, oncpu, 0, raw_ns);
	delay = clamp_t(s64, delay, 0, raw_ns - oncpu);

	/* The probes' cost was time on the CPU, so it is not in the other two. */
	s->runqueue_ns = min_t(u64, delay, s->total_ns);
	s->blocked_ns = min_t(u64, raw_ns - oncpu - delay, s->total_ns - s->runqueue_ns);
}

/* A parent that has no request of its own takes those of the calls inside. */
static noinline void tell_request(struct vmp_frame *parent, const struct vmp_frame *f,
				  const struct vmp_row *row, u64 pages)
{
	if (parent->flags & VMP_FRAME_WANTS_SUM) {
		if (row->request_counts)
			parent->requested_pages += pages;
	} else if (f->flags & VMP_FRAME_HAS_REQUEST) {
		parent->requested_pages = pages;
		parent->flags &= ~VMP_FRAME_WANTS_FIRST;
		parent->flags |= VMP_FRAME_HAS_REQUEST;
	}
}

static __always_inline void add_histogram(struct vmp_histogram *h, u32 epoch, u64 ns)
{
	if (unlikely(h->epoch != epoch)) {
		memset(h->calls, 0, sizeof(h->calls));
		/* Who sees the new epoch sees the zeros; pairs with sum_bucket(). */
		smp_store_release(&h->epoch, epoch);
	}
	h->calls[vmp_hist_bucket(ns)]++;
}

/* What is inclusive was or will be counted by the outer call. */
static noinline void drop_inclusive(struct vmp_counters *s)
{
	s->requested_pages = 0;
	s->scanned_pages = 0;
	s->freed_pages = 0;
	s->total_ns = 0;
	s->probe_ns = 0;
	s->runqueue_ns = 0;
	s->blocked_ns = 0;
}

static noinline void drop_pages(struct vmp_counters *s, struct vmp_hits *hits)
{
	hits->implausible++;
	s->requested_pages = 0;
	s->scanned_pages = 0;
	s->freed_pages = 0;
}

/*
 * The function graph tracer replaced the return address before we did. From the
 * next call on, look for the caller at entry.
 */
static noinline unsigned long hidden_caller(struct vmp_symbol *sym, const struct vmp_frame *f,
					    const struct vmp_link *link)
{
	if (f->flags & VMP_FRAME_HIDDEN)
		return link->caller;
	sym->frame_flags |= VMP_FRAME_HIDDEN;
	return 0;
}

/* Everything but a scan_control on the stack and nothing else to look at. */
static noinline int exit_otherwise(const struct vmp_symbol *sym, struct vmp_frame *f,
				   struct pt_regs *regs, struct vmp_counters *s,
				   struct vmp_cpu *cpu, u32 epoch)
{
	struct vmp_hits *hits;

	if (f->flags & VMP_FRAME_IMPLAUSIBLE)
		return -EFAULT;
	if (f->flags & VMP_FRAME_SLAB && !(f->flags & (VMP_FRAME_NO_SC | VMP_FRAME_DOUBTFUL))) {
		if (vmp_sc_exit(sym, f, s))
			return -EFAULT;
		hits = vmp_hits_of(cpu, f->head.symbol, epoch);
		hits->slab_pages += vmp_compat_slab_pages() - f->slab_pages;
		hits->credited_pages += s->freed_pages - f->children_freed;
		return 0;
	}
	if (f->flags & VMP_FRAME_DOUBTFUL)
		return vmp_sc_exit_with_care(sym, f, s);
	return sym->row->exit ? sym->row->exit(sym, f, regs, s) : 0;
}

/**
 * vmp_frame_exit() - a probed function returned
 * @ri: its kretprobe instance
 * @regs: registers behind the return
 *
 * Context: kretprobe handler, preemption off.
 * Return: 0, which nobody reads.
 */
int vmp_frame_exit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	u64 raw_ns = ktime_get_mono_fast_ns(), left_ns, cost_ns;
	struct vmp_symbol *sym = vmp_frame_symbol(ri);
	struct vmp_link *link = (void *)ri->data;
	struct vmp_frame *f = link->frame, *parent;
	struct vmp_task *rec = link->task;
	struct vmp_recording *recording;
	struct vmp_counters s VMP_COMPAT_UNINITIALIZED;
	const struct vmp_key *key;
	struct vmp_cell *cell;
	struct vmp_cpu *cpu;
	unsigned long caller;
	u8 parent_probe;
	u32 epoch;

	cpu = __this_cpu_read(vmp_cpu);
	/* Pairs with vmp_keyed_reset(). */
	recording = smp_load_acquire(&vmp_recording);
	epoch = recording->epoch;
	if (unlikely(f + 1 != rec->top || f->start_ns != link->start_ns)) {
		/* Dropped as abandoned, and counted, before its exit came? */
		if (f >= rec->top || f->start_ns != link->start_ns)
			return 0;
		vmp_frame_abandon(rec, f + 1, cpu, epoch);
	}
	if (unlikely(f->epoch != epoch))
		vmp_hits_of(cpu, f->head.symbol, epoch)->entries++;

	raw_ns -= f->start_ns;
	if (unlikely((s64)raw_ns < 0)) {
		vmp_hits_of(cpu, f->head.symbol, epoch)->backwards++;
		raw_ns = 0;
	}
	/* What the call took without the probes; at least what it took inside. */
	cost_ns = (f->inside + sym->cost.inner) / VMP_COST_UNIT;
	left_ns = raw_ns - cost_ns;
	if (unlikely((s64)left_ns < (s64)f->children_ns)) {
		/* The cost is known as a mean only; a sum stays a sum. */
		left_ns = f->children_ns;
		cost_ns = max_t(s64, raw_ns - left_ns, 0);
		vmp_hits_of(cpu, f->head.symbol, epoch)->clamped++;
	}

	s.calls = 1;
	s.requested_pages = f->requested_pages;
	s.scanned_pages = f->children_scanned & sym->scanned_mask;
	s.freed_pages = (f->children_freed & sym->freed_mask) |
			(regs_return_value(regs) & sym->returned_mask);
	s.total_ns = left_ns;
	s.self_ns = left_ns - f->children_ns;
	s.probe_ns = cost_ns;
	s.max_ns = VMP_ENCODE_MAX(left_ns);
	s.runqueue_ns = 0;
	s.blocked_ns = 0;
	if (unlikely(switches(current) != f->switches))
		split_time(&s, f, raw_ns, vmp_hits_of(cpu, f->head.symbol, epoch));
	if (likely(!(f->flags & (VMP_FRAME_NO_SC | VMP_FRAME_SLAB | VMP_FRAME_DOUBTFUL |
				     VMP_FRAME_IMPLAUSIBLE)))
	    ? vmp_sc_exit(sym, f, &s) : exit_otherwise(sym, f, regs, &s, cpu, epoch))
		drop_pages(&s, vmp_hits_of(cpu, f->head.symbol, epoch));
	s.levels = f->head.levels;

	caller = vmp_compat_caller(ri);
	if (unlikely(caller == vmp_probes.graph_return))
		caller = hidden_caller(sym, f, link);

	WRITE_ONCE(rec->top, f);
	if (likely(f != rec->frames)) {
		parent = f - 1;
		parent_probe = parent->head.probe;
		parent->children_ns += left_ns;
		parent->inside += f->inside + sym->cost.pair;
		parent->children_freed += s.freed_pages;
		parent->children_scanned += s.scanned_pages;
		parent->head.levels |= f->head.levels;
		if (unlikely(parent->flags & (VMP_FRAME_WANTS_FIRST | VMP_FRAME_WANTS_SUM)))
			tell_request(parent, f, sym->row, s.requested_pages);
		if (unlikely(parent->head.symbol == f->head.symbol))
			drop_inclusive(&s);
	} else {
		parent_probe = VMP_NONE;
		if (unlikely(vmp_stack_wants(cpu, epoch, left_ns)))
			vmp_stack_outermost(cpu, epoch, f, caller, &s);
	}

	cell = vmp_task_cell(rec, cpu, f->head.probe);
	key = vmp_keyed_edge(recording,
			     VMP_EDGE(f->head.place, parent_probe, f->context),
			     caller, f->cgroup);
	vmp_cell_add_both(cell, (void *)cpu->edges + key->cell, &s, epoch);
	add_histogram((void *)cpu->histograms + key->histogram, epoch, left_ns);
	if (unlikely(rec->spare && f == rec->frames))
		vmp_task_release_spare(rec);
	return 0;
}
