/* SPDX-License-Identifier: GPL-2.0-only */
/* What happened between two readings. */
#ifndef VMR_DELTA_H
#define VMR_DELTA_H

#include "sum.h"

int vmr_delta_counters(struct vmr_counters *after, const struct vmr_counters *before);
int vmr_delta_groups(struct vmr_grouping *after, const struct vmr_grouping *before,
		     struct vmr_error *err);

#endif
