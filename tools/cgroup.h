/* SPDX-License-Identifier: GPL-2.0-only */
/* Cgroups: the module tells inode numbers, people want paths. */
#ifndef VMR_CGROUP_H
#define VMR_CGROUP_H

#include "table.h"

void vmr_cgroup_name(struct vmr_table *table, const char *root);
const char *vmr_cgroup_mount(void);

#endif
