/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How to write an instrument: one file in vmprobe/instruments/ with a comment
 * that says what it is for, a table of rows, and up to two small functions that
 * read arguments at entry and exit. It is listed in Kbuild and in
 * vmprobe/instruments/all.h; nothing else needs to know it.
 */
#ifndef VMPROBE_INSTRUMENT_H
#define VMPROBE_INSTRUMENT_H

#include <linux/ptrace.h>
#include <linux/types.h>
#include <vmprobe/abi.h>

struct vmp_symbol;
struct vmp_frame;
struct vmp_counters;

/* How a row gets a number of pages that the function's arguments do not hold. */
enum vmp_from {
	VMP_FROM_NOWHERE,	/* "-" */
	VMP_FROM_CALLBACK,	/* the instrument's own functions */
	VMP_FROM_SC,		/* the scan_control */
	VMP_FROM_RETURN,	/* freed only: the return value, an unsigned int */
	VMP_FROM_CHILDREN,	/* the sum of the calls directly inside */
	VMP_FROM_FIRST_CHILD,	/* requests only: the first call inside has it */
};

/**
 * struct vmp_row - one place in the kernel that an instrument measures
 * @probe: the stable name, the same on all kernels
 * @symbol: a kernel function. Rows of one probe are tried in their order, and
 *	the first that can be probed is taken
 * @with: tried only if this symbol, a row of the same probe, was taken: the
 *	probe then has several symbols
 * @inlined_if: if @symbol is missing while this function exists, then the
 *	compiler inlined @symbol; otherwise the kernel does not have it
 * @entry: reads arguments when the function is entered. Returns 0, or -EFAULT
 *	if they make no sense, which is counted; no pages are added then
 * @exit: fills in what the function did. Returns as @entry does
 * @context: why reclaim runs if this is its outermost function
 * @requested: where requested_pages come from
 * @scanned: where scanned_pages come from
 * @freed: where freed_pages come from
 * @request_counts: a parent that sums its children's requests counts this one
 * @watches_slab: what the slab allocator frees meanwhile on behalf of the task is
 *	counted apart, as is what nr_reclaimed is credited without a page freed
 * @levels: min_priority and max_order are known
 * @takes_sc: it is only this function if it takes a struct scan_control
 * @optional: off unless it is asked for by name
 */
struct vmp_row {
	const char *probe;
	const char *symbol;
	const char *with;
	const char *inlined_if;
	int (*entry)(const struct vmp_symbol *sym, struct vmp_frame *frame,
		     struct pt_regs *regs);
	int (*exit)(const struct vmp_symbol *sym, struct vmp_frame *frame,
		    struct pt_regs *regs, struct vmp_counters *sample);
	u8 context;
	u8 requested;
	u8 scanned;
	u8 freed;
	bool request_counts;
	bool watches_slab;
	bool levels;
	bool takes_sc;
	bool optional;
};

/**
 * struct vmp_instrument - a set of rows
 * @name: of the file
 * @rows: the table
 * @nr_rows: its length
 */
struct vmp_instrument {
	const char *name;
	const struct vmp_row *rows;
	u32 nr_rows;
};

#endif /* VMPROBE_INSTRUMENT_H */
