/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A frame is a call in flight.
 */
#ifndef VMP_FRAME_H
#define VMP_FRAME_H

#include <linux/ptrace.h>
#include <linux/types.h>

struct kretprobe_instance;
struct vmp_cpu;
struct vmp_symbol;
struct vmp_task;

/* What a frame's marks mean to the reading of a scan_control. */
enum { VMP_MARK_SC, VMP_MARK_RECLAIMED, VMP_MARK_SCANNED };

/**
 * struct vmp_frame_head - what a frame has from its symbol, in one word
 * @levels: the priorities seen, and the orders, see VMP_LEVEL_...
 * @node: being reclaimed; -1: unknown
 * @symbol: index
 * @probe: index of the symbol's probe
 * @place: these three, as VMP_EDGE() wants them
 */
struct vmp_frame_head {
	u32 levels;
	union {
		struct {
			s16 node;
			u8 symbol;
			u8 probe;
		};
		u32 place;
	};
} __aligned(8);

/**
 * struct vmp_frame - a call in flight
 * @start_ns: when it began; read last at entry and first at exit, so that as
 *	little as possible of the probe's own work lies between
 * @probes: bit of each probe in this frame and those around it
 * @mark: what the instrument noted at entry
 * @requested_pages: by itself, or so far by its children
 * @children_ns: corrected time of the calls directly inside
 * @inside: cost of all probe hits inside, in units of struct vmp_cost
 * @children_freed: pages freed by the calls directly inside
 * @children_scanned: pages scanned by the calls directly inside
 * @slab_pages: of the task at entry, for VMP_FRAME_SLAB only
 * @sum_exec_ns: se.sum_exec_runtime at entry
 * @oncpu_base: the same less se.exec_start
 * @run_delay_ns: sched_info.run_delay at entry
 * @cgroup: inode number of the cgroup being reclaimed; 0: unknown
 * @sp: low half of the stack pointer at entry
 * @switches: voluntary and other context switches at entry
 * @epoch: the recording in which its entry was counted
 * @head: see above
 * @cpu: of the entry
 * @context: a vmp_context, or VMP_NO_CONTEXT
 * @flags: VMP_FRAME_...
 */
struct vmp_frame {
	u64 start_ns;
	u64 probes;
	u64 mark[3];
	u64 requested_pages;
	u64 children_ns;
	u64 inside;
	u64 children_freed;
	u64 children_scanned;
	u64 slab_pages;
	u64 sum_exec_ns;
	u64 oncpu_base;
	u64 run_delay_ns;
	u64 cgroup;
	struct vmp_frame_head head;
	u32 sp;
	u32 switches;
	u32 epoch;
	u16 cpu;
	u8 context;
	u8 flags;
};

#define VMP_FRAME_HAS_REQUEST	0x01	/* requested_pages is set */
#define VMP_FRAME_IMPLAUSIBLE	0x02	/* its arguments made no sense */
#define VMP_FRAME_WANTS_FIRST	0x04	/* takes the first request inside as its own */
#define VMP_FRAME_WANTS_SUM	0x08	/* takes the sum of the requests inside */
#define VMP_FRAME_DOUBTFUL	0x10	/* its scan_control is not on the stack */
#define VMP_FRAME_NO_SC		0x20	/* it has none */
#define VMP_FRAME_SLAB		0x80	/* watches the slab allocator */
#define VMP_FRAME_HIDDEN	0x40	/* the caller was looked for at entry */

/**
 * struct vmp_link - what a kretprobe instance keeps from entry to exit
 * @task: the record that holds the frame
 * @frame: the frame; it may have been given to a later call meanwhile
 * @start_ns: of the frame; a task has no two of the same
 * @caller: set for VMP_FRAME_HIDDEN only
 */
struct vmp_link {
	struct vmp_task *task;
	struct vmp_frame *frame;
	u64 start_ns;
	unsigned long caller;
};

extern bool vmp_enabled;

int vmp_frame_enter(struct kretprobe_instance *ri, struct pt_regs *regs);
void vmp_frame_abandon(struct vmp_task *rec, struct vmp_frame *from, struct vmp_cpu *cpu,
		       u32 epoch);
int vmp_frame_exit(struct kretprobe_instance *ri, struct pt_regs *regs);

#endif /* VMP_FRAME_H */
