/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of instruments. The rows of an instrument appear in the tables in
 * the order of this list.
 */
#ifndef VMP_INSTRUMENTS_ALL_H
#define VMP_INSTRUMENTS_ALL_H

#include <vmprobe/instrument.h>

#define VMP_INSTRUMENTS(X)	\
	X(reclaim)		\
	X(slab)

#define VMP_X(name)	extern const struct vmp_instrument vmp_##name##_instrument;
VMP_INSTRUMENTS(VMP_X)
#undef VMP_X

/* What a function gets that takes a scan_control and is in no row. */
extern const struct vmp_row vmp_reclaim_other_row;

#endif /* VMP_INSTRUMENTS_ALL_H */
