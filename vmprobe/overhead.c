// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calibration: what a probe hit costs, measured with the real handlers on empty
 * functions of the module's own, one reached through ftrace and one through a
 * breakpoint or the jump that replaces it.
 *
 * Each round runs with interrupts off, so that nothing else is measured; the
 * smallest round counts, since whatever disturbs can only add.
 *
 *	bare	a loop of calls without a probe
 *	inner	what the probe itself saw, less the bare call
 *	pair	the same loop probed, inside a frame of another probe, less the
 *		bare one
 *	entry	the same inside a frame of the same probe: hits whose exit is not
 *		wanted
 */
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "frame.h"
#include "instruments/all.h"
#include "layout.h"
#include "overhead.h"
#include "task.h"

#define UNROLL	16
#define CALLS	(16 * UNROLL)
#define ROUNDS	12
#define EMPTY_SC	256	/* bytes of a scan_control that holds nothing */

enum { BY_FTRACE, BY_BREAKPOINT, NR_WAYS };

static struct vmp_cost cost[NR_WAYS][VMP_NR_WORKS];
static unsigned long return_address;
static unsigned long heartbeats;
static bool heart_attached;

/* The store keeps the compiler from dropping the call and tells the trampoline. */
static noinline __noclone void call_by_ftrace(void *sc)
{
	asm volatile("" : : "r" (sc));
	WRITE_ONCE(return_address, (unsigned long)__builtin_return_address(0));
}

static noinline __noclone notrace void call_by_breakpoint(void *sc)
{
	asm volatile("" : : "r" (sc));
	WRITE_ONCE(return_address, (unsigned long)__builtin_return_address(0));
}

static void *const functions[NR_WAYS] = {
	[BY_FTRACE] = call_by_ftrace,
	[BY_BREAKPOINT] = call_by_breakpoint,
};

#define CALL_4(call)	do { call; call; call; call; } while (0)
#define CALL_16(call)	CALL_4(CALL_4(call))

/*
 * One round; nanoseconds for CALLS calls. Unrolled, so that what a bare call takes
 * is what the function takes, and not the loop.
 */
static noinline __noclone u64 loop(void *sc, int way)
{
	u64 start_ns;
	int i;

	start_ns = ktime_get_mono_fast_ns();
	for (i = 0; i < CALLS / UNROLL; i++) {
		if (way == BY_FTRACE)
			CALL_16(call_by_ftrace(sc));
		else
			CALL_16(call_by_breakpoint(sc));
	}
	return ktime_get_mono_fast_ns() - start_ns;
}

static noinline __noclone u64 loop_inside_frame(void *sc, int way)
{
	return loop(sc, way);
}

static u64 self_total_ns(void)
{
	struct vmp_task *rec = vmp_task_claim(current);

	return rec ? vmp_task_cell(rec, __this_cpu_read(vmp_cpu), 0)->sum.total_ns : 0;
}

/* The fastest of ROUNDS rounds; @seen_ns is what the probe saw in its fastest. */
static u64 fastest(u64 (*round)(void *sc, int way), int way, u64 *seen_ns)
{
	u64 sc[EMPTY_SC / sizeof(u64)] = {};
	u64 best_ns = U64_MAX, ns, before;
	unsigned long flags;
	int i;

	*seen_ns = U64_MAX;
	for (i = 0; i < ROUNDS; i++) {
		local_irq_save(flags);
		before = self_total_ns();
		ns = round(sc, way);
		*seen_ns = min(*seen_ns, self_total_ns() - before);
		local_irq_restore(flags);
		best_ns = min(best_ns, ns);
	}
	return best_ns;
}

/* In units of 1 / VMP_COST_UNIT nanoseconds. */
static u32 per_call(u64 ns, u64 less_ns)
{
	return ns > less_ns ? (u32)div_u64((ns - less_ns) * VMP_COST_UNIT, CALLS) : 0;
}

static struct vmp_row work_rows[VMP_NR_WORKS];

static void prepare_rows(void)
{
	work_rows[VMP_WORK_NONE] = (struct vmp_row){ .context = VMP_CTX_other };
	work_rows[VMP_WORK_SC] = vmp_reclaim_other_row;
	work_rows[VMP_WORK_SC_AND_SLAB] = vmp_reclaim_other_row;
	work_rows[VMP_WORK_SC_AND_SLAB].watches_slab = true;
}

static int attach_self(u8 index, u8 probe, void *function, enum vmp_work work)
{
	struct vmp_symbol *sym = &vmp_probes.symbol[index];

	memset(sym, 0, sizeof(*sym));
	sym->index = index;
	sym->probe = probe;
	sym->row = &work_rows[work];
	sym->args = VMP_ARGS_NONE;
	if (work != VMP_WORK_NONE)
		sym->args.sc = 0;
	sym->rp.kp.addr = function;
	return vmp_probe_attach(sym);
}

/* What a hit costs inside a frame of @probe, less the bare call. */
static int measure_inside(int way, u8 probe, enum vmp_work work, u64 bare_ns,
			  u32 *result)
{
	u64 ns, ignored;
	int err = attach_self(1, probe, loop_inside_frame, work);

	if (err)
		return err;
	ns = fastest(loop_inside_frame, way, &ignored);
	vmp_probe_detach(&vmp_probes.symbol[1]);
	*result = per_call(ns, bare_ns);
	return 0;
}

static int measure(int way, enum vmp_work work)
{
	struct vmp_cost *to = &cost[way][work];
	struct vmp_symbol *inner = &vmp_probes.symbol[0];
	u64 bare_ns, seen_ns, ignored;
	int err;

	bare_ns = fastest(loop, way, &ignored);
	err = attach_self(0, 0, functions[way], work);
	if (err)
		return err;
	/* Breakpoints are replaced by jumps a little later, by a work item. */
	if (way == BY_BREAKPOINT)
		msleep(20);
	memset(&inner->cost, 0, sizeof(inner->cost));
	fastest(loop, way, &seen_ns);
	if (way == BY_FTRACE)
		vmp_probes.trampoline = READ_ONCE(return_address);

	to->inner = per_call(seen_ns, bare_ns);
	err = measure_inside(way, 1, work, bare_ns, &to->pair) ?:
	      measure_inside(way, 0, work, bare_ns, &to->entry);
	vmp_probe_detach(inner);
	return err;
}

/**
 * vmp_overhead_calibrate() - measure what probe hits cost on this machine
 *
 * Context: may sleep; vmp_probes.lock is held. Recording is on meanwhile, and the
 * module's own calls belong to a probe that is not shown.
 * Return: 0 or a negative error.
 */
int vmp_overhead_calibrate(void)
{
	bool enabled = READ_ONCE(vmp_enabled);
	int way, work, err = 0;

	WRITE_ONCE(vmp_enabled, true);
	prepare_rows();
	for (way = 0; way < NR_WAYS; way++) {
		for (work = 0; work < VMP_NR_WORKS && !err; work++) {
			/* Without a known scan_control there is nothing to read. */
			if (work && (!vmp_layout.extent || vmp_layout.extent > EMPTY_SC))
				cost[way][work] = cost[way][VMP_WORK_NONE];
			else
				err = measure(way, work);
		}
	}
	WRITE_ONCE(vmp_enabled, enabled);
	return err;
}

/**
 * vmp_overhead_cost() - what hits of a registered probe cost
 * @kp: the probe, or NULL for the kind that most functions get
 * @work: what its handlers do
 *
 * Return: the cost of its kind.
 */
const struct vmp_cost *vmp_overhead_cost(const struct kprobe *kp, enum vmp_work work)
{
	return &cost[!kp || kp->flags & KPROBE_FLAG_FTRACE ? BY_FTRACE : BY_BREAKPOINT]
		    [work];
}

static int on_heartbeat(struct kprobe *kp, struct pt_regs *regs)
{
	WRITE_ONCE(heartbeats, heartbeats + 1);
	return 0;
}

static noinline __noclone void heartbeat(void)
{
	WRITE_ONCE(return_address, 0);
}

static struct kprobe heart;

/**
 * vmp_overhead_probing() - do probes fire at all?
 *
 * Return: false if someone switched them off behind our back, as
 * kernel.ftrace_enabled=0 and debugfs kprobes/enabled do.
 */
bool vmp_overhead_probing(void)
{
	unsigned long before;
	bool alive;

	preempt_disable();
	before = READ_ONCE(heartbeats);
	heartbeat();
	alive = READ_ONCE(heartbeats) != before;
	preempt_enable();
	return alive;
}

/**
 * vmp_overhead_init() - calibrate, and attach the probe that shows life
 *
 * Context: may sleep; vmp_probes.lock is held, no probe is attached yet.
 * Return: 0 or a negative error.
 */
int vmp_overhead_init(void)
{
	int err;

	vmp_probes.nr_symbols = VMP_FIRST_SYMBOL;
	vmp_probes.nr_probes = VMP_FIRST_PROBE;
	strscpy(vmp_probes.name[0], "-", VMP_NAME_MAX);
	strscpy(vmp_probes.name[1], "-", VMP_NAME_MAX);
	err = vmp_overhead_calibrate();
	if (err)
		return err;
	memset(&heart, 0, sizeof(heart));
	heart.addr = (void *)heartbeat;
	heart.pre_handler = on_heartbeat;
	err = register_kprobe(&heart);
	heart_attached = !err;
	return err;
}

/**
 * vmp_overhead_exit() - detach what vmp_overhead_init() attached
 */
void vmp_overhead_exit(void)
{
	if (heart_attached)
		unregister_kprobe(&heart);
	heart_attached = false;
}
