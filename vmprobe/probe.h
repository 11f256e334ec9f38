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
#include "keyed.h"

/* Symbols 0 and 1, and probe 0, are the module's own and not shown. */
#define VMP_FIRST_SYMBOL	2
#define VMP_FIRST_PROBE		1

enum vmp_state {
	VMP_ON,
	VMP_OFF,
	VMP_ABSENT,
	VMP_INLINED,
	VMP_GONE,
};

/**
 * struct vmp_cost - what a probe hit costs, in nanoseconds
 * @inner_ns: the part of a pair between reading the clock at entry and at exit
 * @pair_ns: all that a pair adds to the function around it
 * @entry_ns: all that a hit adds whose exit is not wanted
 */
struct vmp_cost {
	u32 inner_ns;
	u32 pair_ns;
	u32 entry_ns;
};

/**
 * struct vmp_symbol - a kernel function that a probe is attached to
 * @rp: filled anew before each registration, since the kernel changes it
 * @row: @own_row, once the symbol was found
 * @own_row: a copy of the row, less what is not known on this kernel
 * @name: kernel symbol, or empty if there is none
 * @index: of this symbol
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
