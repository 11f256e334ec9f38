// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a struct scan_control that does not lie on the current task's stack,
 * where the address may be anything.
 */
#include <linux/kernel.h>
#include <linux/uaccess.h>

#include "scan_control.h"

/**
 * vmp_sc_read_with_care() - read all members
 * @sc: any address
 * @value: the members; an unknown one is 0
 *
 * Context: probe handlers.
 * Return: 0, or -EFAULT if the address cannot be read.
 */
int vmp_sc_read_with_care(unsigned long sc, s64 value[VMP_NR_FIELDS])
{
	struct vmp_field f;
	u64 raw;
	int i;

	for (i = 0; i < VMP_NR_FIELDS; i++) {
		f = vmp_layout.field[i];
		raw = 0;
		if (copy_from_kernel_nofault(&raw, (void *)sc + f.byte, f.size))
			return -EFAULT;
		f.byte = 0;
		value[i] = vmp_field_read(&raw, &f);
	}
	return 0;
}

/**
 * vmp_sc_entry_with_care() - vmp_sc_entry() for a doubtful address
 * @f: the frame
 * @sc: the address
 *
 * Return: 0 or -EFAULT.
 */
int vmp_sc_entry_with_care(struct vmp_frame *f, unsigned long sc)
{
	s64 value[VMP_NR_FIELDS], left;

	if (vmp_sc_read_with_care(sc, value))
		return -EFAULT;
	if (f->context == VMP_NO_CONTEXT)
		f->context = vmp_sc_context(value[VMP_F_proactive],
					    value[VMP_F_target_mem_cgroup]);
	f->mark[VMP_MARK_SCANNED] = value[VMP_F_nr_scanned];
	f->mark[VMP_MARK_RECLAIMED] = value[VMP_F_nr_reclaimed];
	left = value[VMP_F_nr_to_reclaim];
	if (f->context != VMP_CTX_kswapd)
		left -= value[VMP_F_nr_reclaimed];
	f->requested_pages = max_t(s64, left, 0);
	return 0;
}

/**
 * vmp_sc_exit_with_care() - vmp_sc_exit() for a doubtful address
 * @sym: the symbol
 * @f: the frame
 * @s: the sample
 *
 * Return: 0 or -EFAULT.
 */
int vmp_sc_exit_with_care(const struct vmp_symbol *sym, struct vmp_frame *f,
			  struct vmp_counters *s)
{
	s64 value[VMP_NR_FIELDS];

	if (vmp_sc_read_with_care(f->mark[VMP_MARK_SC], value))
		return -EFAULT;
	return vmp_sc_add(sym, f, s, value[VMP_F_nr_reclaimed], value[VMP_F_nr_scanned],
			  value[VMP_F_priority], value[VMP_F_order]);
}
