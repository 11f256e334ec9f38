/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The slowest calls, and the stacks above outermost calls.
 */
#ifndef VMP_STACK_H
#define VMP_STACK_H

#include <linux/sched.h>

#include "frame.h"
#include "keyed.h"

#define VMP_MAX_SLOWEST		256

/**
 * struct vmp_slow - one of a CPU's slowest outermost calls
 * @cell: what it amounts to; its version covers the whole structure
 * @start_ns: when it began
 * @cgroup: the one being reclaimed
 * @pid: thread id in the initial namespace
 * @tgid: process id in the initial namespace
 * @comm: the task's name
 * @stack: symbol, context and callers
 */
struct vmp_slow {
	struct vmp_cell cell;
	u64 start_ns;
	u64 cgroup;
	pid_t pid;
	pid_t tgid;
	char comm[TASK_COMM_LEN];
	struct vmp_stack stack;
};

extern bool vmp_stack_enabled;

int vmp_stack_init(u32 slowest, bool stacks);
void vmp_stack_exit(void);
void vmp_stack_reset(struct vmp_recording *rec);
void vmp_stack_switch(bool on);
void vmp_stack_outermost(struct vmp_cpu *cpu, u32 epoch, const struct vmp_frame *f,
			 unsigned long caller, const struct vmp_counters *sample);
size_t vmp_stack_bytes(void);

/**
 * vmp_stack_wants() - is an outermost call of interest?
 * @cpu: this CPU's block
 * @epoch: the current recording
 * @ns: what the call took
 *
 * Return: true if vmp_stack_outermost() is to be called.
 */
static __always_inline bool vmp_stack_wants(const struct vmp_cpu *cpu, u32 epoch, u64 ns)
{
	return ns >= READ_ONCE(cpu->slow_floor_ns[epoch & 1]);
}

#endif /* VMP_STACK_H */
