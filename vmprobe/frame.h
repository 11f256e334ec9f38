/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A frame is a call in flight.
 */
#ifndef VMP_FRAME_H
#define VMP_FRAME_H

#include <linux/ptrace.h>
#include <linux/types.h>

struct vmp_symbol;
struct vmp_task;

/**
 * struct vmp_frame - a call in flight
 * @start_ns: when it began; read last at entry and first at exit, so that as
 *	little as possible of the probe's own work lies between
 * @probes: bit of each probe in this frame and those around it
 * @mark: what the instrument noted at entry
 * @requested_pages: by itself, or so far by its children
 * @children_ns: corrected time of the calls directly inside
 * @inside_ns: cost of all probe hits inside
 * @children_freed: pages freed by the calls directly inside
 * @children_scanned: pages scanned by the calls directly inside
 * @oncpu_base: sum_exec_runtime - exec_start at entry
 * @run_delay_ns: sched_info.run_delay at entry
 * @cgroup: inode number of the cgroup being reclaimed; 0: unknown
 * @sp: low half of the stack pointer at entry
 * @switches: voluntary and other context switches at entry
 * @id: tells the frame from others that had the same place
 * @epoch: the recording in which its entry was counted
 * @node: being reclaimed; -1: unknown
 * @symbol: index
 * @context: a vmp_context, or VMP_NO_CONTEXT
 * @priority: lowest one seen, or -1
 * @order: highest one seen, or -1
 * @has_request: @requested_pages is set
 * @implausible: its arguments made no sense
 */
struct vmp_frame {
	u64 start_ns;
	u64 probes;
	u64 mark[3];
	u64 requested_pages;
	u64 children_ns;
	u64 inside_ns;
	u64 children_freed;
	u64 children_scanned;
	u64 oncpu_base;
	u64 run_delay_ns;
	u64 cgroup;
	u32 sp;
	u32 switches;
	u32 id;
	u32 epoch;
	s16 node;
	u8 symbol;
	u8 context;
	s8 priority;
	s8 order;
	bool has_request;
	bool implausible;
};

/**
 * struct vmp_link - what a kretprobe instance keeps from entry to exit
 * @task: the record that holds the frame
 * @id: of the frame
 * @depth: its place
 */
struct vmp_link {
	struct vmp_task *task;
	u32 id;
	u8 depth;
};

extern bool vmp_enabled;

int vmp_frame_enter(struct vmp_symbol *sym, struct vmp_link *link,
		    struct pt_regs *regs);
void vmp_frame_exit(struct vmp_symbol *sym, struct vmp_link *link,
		    unsigned long caller, struct pt_regs *regs, u64 now_ns);

#endif /* VMP_FRAME_H */
