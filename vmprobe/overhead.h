/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the probes themselves cost.
 */
#ifndef VMP_OVERHEAD_H
#define VMP_OVERHEAD_H

#include "probe.h"

/* What handlers do besides measuring time, as far as it costs. */
enum vmp_work {
	VMP_WORK_NONE,
	VMP_WORK_SC,		/* read a scan_control */
	VMP_WORK_SC_AND_SLAB,	/* and watch the slab allocator */
	VMP_NR_WORKS,
};

int vmp_overhead_init(void);
void vmp_overhead_exit(void);
int vmp_overhead_calibrate(void);
const struct vmp_cost *vmp_overhead_cost(const struct kprobe *kp, enum vmp_work work);
bool vmp_overhead_probing(void);

#endif /* VMP_OVERHEAD_H */
