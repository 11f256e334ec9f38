/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the probes themselves cost.
 */
#ifndef VMP_OVERHEAD_H
#define VMP_OVERHEAD_H

#include "probe.h"

int vmp_overhead_init(void);
void vmp_overhead_exit(void);
int vmp_overhead_calibrate(void);
const struct vmp_cost *vmp_overhead_cost(const struct kprobe *kp, bool reads_sc);
bool vmp_overhead_probing(void);

#endif /* VMP_OVERHEAD_H */
