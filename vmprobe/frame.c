// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a call becomes numbers.
 *
 *	entry -> a frame is pushed on the task's record
 *	exit  -> the frame is popped and becomes one sample, which is added in
 *		 four places: the task's counters of the probe, the edge (symbol,
 *		 parent, caller, context), the owner (probe, cgroup, node) and
 *		 the histogram (probe, context). All are local to the CPU or the
 *		 task. Every table is a sum over these.
 *
 * A call is paired with its entry by the kretprobe instance. The frames of a
 * task nest, so a frame whose stack pointer lies at or below that of a new one
 * can never return: its exit was lost, and it is dropped and counted.
 */
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/timekeeping.h>

#include "compat/frame.h"
#include "probe.h"
#include "task.h"

bool vmp_enabled;

/* sum_exec_runtime lacks what has passed since exec_start; a tick may move both. */
static __always_inline u64 oncpu_base(const struct task_struct *task)
{
	u64 sum, base;

	do {
		sum = READ_ONCE(task->se.sum_exec_runtime);
		base = sum - READ_ONCE(task->se.exec_start);
	} while (unlikely(sum != READ_ONCE(task->se.sum_exec_runtime)));
	return base;
}

static __always_inline u32 switches(const struct task_struct *task)
{
	return (u32)task->nvcsw + (u32)task->nivcsw;
}

/* Frames above @depth will not return any more. */
static noinline void abandon(struct vmp_task *rec, u8 depth, struct vmp_cpu *cpu,
			     u32 epoch)
{
	struct vmp_hits *hits;
	struct vmp_frame *f;

	while (rec->depth > depth) {
		f = &rec->frames[rec->depth - 1];
		hits = vmp_hits_of(cpu, f->symbol, epoch);
		if (f->epoch != epoch)
			hits->entries++;
		hits->abandoned++;
		WRITE_ONCE(rec->depth, rec->depth - 1);
	}
}

/* Does another symbol of the same probe have a frame around this one? */
static bool is_nested(const struct vmp_task *rec, const struct vmp_symbol *sym)
{
	u8 i;

	for (i = 0; i < rec->depth; i++)
		if (vmp_probes.symbol[rec->frames[i].symbol].probe == sym->probe &&
		    rec->frames[i].symbol != sym->index)
			return true;
	return false;
}

/**
 * vmp_frame_enter() - a probed function was entered
 * @sym: its symbol
 * @link: what the exit will need
 * @regs: registers at the function's first instruction
 *
 * Context: kretprobe entry handler, preemption off.
 * Return: 0, or 1 if the exit is not wanted.
 */
int vmp_frame_enter(struct vmp_symbol *sym, struct vmp_link *link,
		    struct pt_regs *regs)
{
	struct task_struct *task = current;
	struct vmp_frame *f, *parent = NULL;
	struct vmp_cpu *cpu;
	struct vmp_hits *hits;
	struct vmp_task *rec;
	u32 sp, epoch;
	u64 bit;

	if (unlikely(!READ_ONCE(vmp_enabled)))
		return 1;
	cpu = __this_cpu_read(vmp_cpu);
	epoch = smp_load_acquire(&vmp_recording)->epoch;
	hits = vmp_hits_of(cpu, sym->index, epoch);
	rec = vmp_task_of(task);
	if (unlikely(!rec)) {
		hits->turned_away++;
		return 1;
	}

	sp = (u32)kernel_stack_pointer(regs);
	while (rec->depth) {
		parent = &rec->frames[rec->depth - 1];
		if (likely(parent->sp > sp))
			break;
		/* A probed function that ended in a jump to this one still lives. */
		if (parent->sp == sp && vmp_compat_return_hooked(regs))
			break;
		abandon(rec, rec->depth - 1, cpu, epoch);
		parent = NULL;
	}

	bit = 1ull << sym->probe;
	if (parent && unlikely(parent->probes & bit) && is_nested(rec, sym)) {
		hits->entries++;
		hits->nested++;
		parent->inside += sym->cost.entry;
		return 1;
	}
	if (unlikely(rec->depth == VMP_MAX_DEPTH)) {
		hits->turned_away++;
		parent->inside += sym->cost.entry;
		return 1;
	}
	hits->entries++;

	f = &rec->frames[rec->depth];
	if (parent) {
		f->probes = parent->probes | bit;
		f->context = parent->context != VMP_NO_CONTEXT ? parent->context :
								 sym->row->context;
		f->cgroup = parent->cgroup;
		f->node = parent->node;
	} else {
		f->probes = bit;
		f->context = sym->row->context;
		f->cgroup = 0;
		f->node = -1;
	}
	f->requested_pages = 0;
	f->children_ns = 0;
	f->inside = 0;
	f->children_freed = 0;
	f->children_scanned = 0;
	f->oncpu_base = oncpu_base(task);
	f->run_delay_ns = task->sched_info.run_delay;
	f->switches = switches(task);
	f->sp = sp;
	f->epoch = epoch;
	f->levels = 0;
	f->symbol = sym->index;
	f->probe = sym->probe;
	f->flags = sym->frame_flags;
	if (sym->row->entry && unlikely(sym->row->entry(sym, f, regs)))
		f->flags |= VMP_FRAME_IMPLAUSIBLE;

	link->task = rec;
	link->depth = rec->depth;
	WRITE_ONCE(rec->depth, rec->depth + 1);
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
 * ends, where "now" differs by @raw_ns: so the clock itself cancels out.
 */
static noinline void split_time(struct vmp_counters *s, const struct vmp_frame *f,
				u64 raw_ns, struct vmp_hits *hits)
{
	s64 oncpu = oncpu_base(current) - f->oncpu_base + raw_ns;
	s64 delay = current->sched_info.run_delay - f->run_delay_ns;

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

static __always_inline void add_histogram(struct vmp_cpu *cpu, struct vmp_recording *rec,
					  u8 probe, u8 context, u64 ns)
{
	u32 index = rec->histogram[probe][context];
	struct vmp_histogram *h;

	index = likely(index) ? index - 1 : vmp_keyed_histogram(rec, probe, context);
	h = &cpu->histograms[index];
	if (unlikely(h->epoch != rec->epoch)) {
		memset(h->calls, 0, sizeof(h->calls));
		smp_store_release(&h->epoch, rec->epoch);
	}
	h->calls[vmp_hist_bucket(ns)]++;
}

/**
 * vmp_frame_exit() - a probed function returned
 * @sym: its symbol
 * @link: what the entry left
 * @caller: return address, or 0 if unknown
 * @regs: registers behind the return
 * @now_ns: the time, read as early as possible
 *
 * Context: kretprobe handler, preemption off.
 */
void vmp_frame_exit(struct vmp_symbol *sym, struct vmp_link *link,
		    unsigned long caller, struct pt_regs *regs, u64 now_ns)
{
	struct vmp_task *rec = link->task;
	struct vmp_frame *f = &rec->frames[link->depth], *parent = NULL;
	struct vmp_recording *recording;
	const struct vmp_row *row = sym->row;
	u8 parent_probe = VMP_NONE;
	struct vmp_counters s;
	struct vmp_cell *cell;
	struct vmp_hits *hits;
	struct vmp_cpu *cpu;
	u64 raw_ns, left_ns;
	u32 epoch;

	/* The frame was dropped as abandoned, and counted, before its exit came. */
	if (unlikely(link->depth >= rec->depth || f->start_ns != link->start_ns))
		return;

	cpu = __this_cpu_read(vmp_cpu);
	recording = smp_load_acquire(&vmp_recording);
	epoch = recording->epoch;
	hits = vmp_hits_of(cpu, sym->index, epoch);
	if (unlikely(rec->depth > link->depth + 1))
		abandon(rec, link->depth + 1, cpu, epoch);
	if (unlikely(f->epoch != epoch))
		hits->entries++;
	hits->calls++;

	raw_ns = now_ns - f->start_ns;
	if (unlikely((s64)raw_ns < 0)) {
		hits->backwards++;
		raw_ns = 0;
	}
	/* What the call took without the probes; at least what it took inside. */
	left_ns = raw_ns - (f->inside + sym->cost.inner) / VMP_COST_UNIT;
	if (unlikely((s64)left_ns < (s64)f->children_ns)) {
		/* The cost is known as a mean only; a sum stays a sum. */
		left_ns = f->children_ns;
		hits->clamped++;
	}

	s.calls = 1;
	s.requested_pages = f->requested_pages;
	s.scanned_pages = f->children_scanned & sym->scanned_mask;
	s.freed_pages = f->children_freed & sym->freed_mask;
	s.total_ns = left_ns;
	s.self_ns = left_ns - f->children_ns;
	s.probe_ns = raw_ns > left_ns ? raw_ns - left_ns : 0;
	s.max_ns = VMP_ENCODE_MAX(left_ns);
	s.runqueue_ns = 0;
	s.blocked_ns = 0;
	if (unlikely(switches(current) != f->switches))
		split_time(&s, f, raw_ns, hits);
	if (row->exit && likely(!(f->flags & VMP_FRAME_IMPLAUSIBLE)) &&
	    unlikely(row->exit(sym, f, regs, &s)))
		f->flags |= VMP_FRAME_IMPLAUSIBLE;
	if (unlikely(f->flags & VMP_FRAME_IMPLAUSIBLE)) {
		hits->implausible++;
		s.requested_pages = 0;
		s.scanned_pages = 0;
		s.freed_pages = 0;
	}
	s.min_priority = 0;
	s.max_order = 0;
	if (likely(f->levels & 0xffff))
		s.min_priority = VMP_ENCODE_MIN(__ffs(f->levels));
	if (likely(f->levels >> 16))
		s.max_order = VMP_ENCODE_MAX(__fls(f->levels) - 16);

	WRITE_ONCE(rec->depth, link->depth);
	if (link->depth) {
		parent = f - 1;
		parent_probe = parent->probe;
		parent->children_ns += s.total_ns;
		parent->inside += f->inside + sym->cost.pair;
		parent->children_freed += s.freed_pages;
		parent->children_scanned += s.scanned_pages;
		parent->levels |= f->levels;
		if (unlikely(parent->flags & (VMP_FRAME_WANTS_FIRST | VMP_FRAME_WANTS_SUM)))
			tell_request(parent, f, row, s.requested_pages);
		if (unlikely(parent->symbol == f->symbol)) {
			/* What is inclusive was or will be counted by the outer call. */
			s.requested_pages = 0;
			s.scanned_pages = 0;
			s.freed_pages = 0;
			s.total_ns = 0;
			s.probe_ns = 0;
			s.runqueue_ns = 0;
			s.blocked_ns = 0;
		}
	} else {
		vmp_task_refresh(rec);
	}

	cell = vmp_task_cell(rec, sym->probe);
	vmp_cell_add(cell ?: &cpu->strays[sym->probe], &s, epoch);
	cell = &cpu->edges[vmp_keyed_cell(&recording->edges,
			VMP_EDGE(sym->index, parent_probe, f->context),
			caller, sym->index)];
	vmp_cell_add(cell, &s, epoch);
	cell = &cpu->owners[vmp_keyed_cell(&recording->owners,
			VMP_OWNER(sym->probe, f->node), f->cgroup, sym->probe)];
	vmp_cell_add(cell, &s, epoch);
	add_histogram(cpu, recording, sym->probe, f->context, left_ns);
	if (unlikely(rec->spare && !link->depth))
		vmp_task_release_spare(rec);
}
