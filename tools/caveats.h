/* SPDX-License-Identifier: GPL-2.0-only */
/* What a reader must know before believing the numbers. */
#ifndef VMR_CAVEATS_H
#define VMR_CAVEATS_H

#include <stdio.h>

#include "snapshot.h"

int vmr_caveats_warnings(const struct vmr_snapshot *snapshot, FILE *out, struct vmr_error *err);
int vmr_caveats_notes(const struct vmr_snapshot *snapshot, FILE *out, struct vmr_error *err);
int vmr_caveats_sum(const struct vmr_table *table, const char *column, struct vmr_num *sum,
		    struct vmr_error *err);
bool vmr_caveats_off(const char *value);

#endif
