/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes, the symbols they are attached to, and how they come and go.
 */
#ifndef VMP_PROBE_H
#define VMP_PROBE_H

#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <vmprobe/instrument.h>

#include "btf.h"
#include "frame.h"
#include "keyed.h"

/* Symbols 0 and 1, and probes 0 and 1, are the module's own and not shown. */
#define VMP_FIRST_SYMBOL	2
#define VMP_FIRST_PROBE		2

enum vmp_state {
	VMP_ON,
	VMP_OFF,
	VMP_ABSENT,
	VMP_INLINED,
	VMP_GONE,
};

/* Which arguments of a function say whose pages are reclaimed. */
enum vmp_owner_is {
	VMP_OWNER_NONE,
	VMP_OWNER_LRUVEC,
	VMP_OWNER_PGDAT,
	VMP_OWNER_MEMCG,
	VMP_OWNER_MEMCG_NID,
};

#define VMP_COST_UNIT	256

/**
 * struct vmp_cost - what a probe hit costs, in units of 1 / VMP_COST_UNIT ns,
 *	since a thousand roundings would add up
 * @inner: the part of a pair between reading the clock at entry and at exit
 * @pair: all that a pair adds to the function around it
 * @entry: all that a hit adds whose exit is not wanted
 */
struct vmp_cost {
	u32 inner;
	u32 pair;
	u32 entry;
};

/**
 * struct vmp_symbol - a kernel function that a probe is attached to
 * @rp: filled anew before each registration, since the kernel changes it
 * @row: @own_row, once the symbol was found
 * @own_row: a copy of the row, less what is not known on this kernel
 * @name: kernel symbol, or empty if there is none
 * @index: of this symbol
 * @reads_sc: there is a scan_control
 * @sc_at: offset of its pointer in struct pt_regs
 * @owner_at: offset of the argument that says whose pages
 * @node_at: offset of the argument that says which node
 * @owner_is: what is at @owner_at and @node_at
 * @frame_flags: what the flags of a frame begin with
 * @context: of @row
 * @head: what a frame begins with
 * @bit: of the probe, in a frame's probes
 * @scanned_mask: all ones if scanned_pages are the sum of the calls inside
 * @freed_mask: the same for freed_pages
 * @sc_scanned_mask: all ones if scanned_pages come from the scan_control
 * @sc_freed_mask: the same for freed_pages
 * @returned_mask: ones if freed_pages are what the function returns
 * @probe: index of its probe
 * @state: a vmp_state
 * @args: which argument is what
 * @cost: of a hit
 * @attached_ns: when it was last attached; older frames will never return
 * @missed_base: the kernel's counts of missed hits at the last reset
 * @missed_before: missed by registrations that ended, since the last reset
 * @note: why it is as it is, as one word
 */
struct vmp_symbol {
	struct kretprobe rp;
	const struct vmp_row *row;
	struct vmp_row own_row;
	char name[VMP_NAME_MAX];
	u8 index;
	u8 probe;
	u8 state;
	u8 owner_is;
	u8 frame_flags;
	u8 context;
	bool reads_sc;
	u16 sc_at;
	u16 owner_at;
	u16 node_at;
	struct vmp_frame_head head;
	u64 bit;
	u64 scanned_mask;
	u64 freed_mask;
	u64 sc_scanned_mask;
	u64 sc_freed_mask;
	u64 returned_mask;
	struct vmp_args args;
	struct vmp_cost cost;
	u64 attached_ns;
	u64 missed_base;
	u64 missed_before;
	char note[VMP_ERROR_MAX];
};

/**
 * struct vmp_probes - all of them
 * @lock: taken to attach, detach, reset, and to read a table's rows
 * @symbol: the symbols; 0 is the module's own
 * @nr_symbols: in use
 * @name: of each probe
 * @nr_probes: in use
 * @maxactive: instances of a kretprobe
 * @trampoline: the address that kretprobes put in place of a return address
 * @graph_return: the address that the function graph tracer puts there; or 1
 * @loaded_ns: when recording began
 * @attached: for detaching all at once
 */
struct vmp_probes {
	struct mutex lock;
	struct vmp_symbol *symbol;
	u32 nr_symbols;
	char name[VMP_MAX_PROBES][VMP_NAME_MAX];
	u32 nr_probes;
	int maxactive;
	unsigned long trampoline;
	unsigned long graph_return;
	u64 loaded_ns;
	struct kretprobe *attached[VMP_MAX_SYMBOLS];
};

extern struct vmp_probes vmp_probes;

int vmp_probe_init(int maxactive);
void vmp_probe_detach_all(void);
void vmp_probe_exit(void);
int vmp_probe_select(const char *functions);
int vmp_probe_switch(const char *change);
bool vmp_probe_wanted(const char *function);
u64 vmp_probe_missed(const struct vmp_symbol *sym);
u8 vmp_probe_state(const struct vmp_symbol *sym);
void vmp_probe_reset(void);
int vmp_probe_attach(struct vmp_symbol *sym);
void vmp_probe_detach(struct vmp_symbol *sym);
size_t vmp_probe_bytes(void);

#endif /* VMP_PROBE_H */
