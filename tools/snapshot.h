/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables that an overview needs, read one after the other. */
#ifndef VMR_SNAPSHOT_H
#define VMR_SNAPSHOT_H

#include "read.h"

#define VMR_SNAPSHOT(X)	\
	X(status)	\
	X(probes)	\
	X(totals)	\
	X(histogram)	\
	X(tree)		\
	X(processes)	\
	X(callers)

enum vmr_snapshot_table {
#define X(name)	VMR_T_##name,
	VMR_SNAPSHOT(X)
#undef X
	VMR_NR_T
};

/**
 * struct vmr_snapshot - tables of one moment, as far as that can be had
 * @source: where they were read
 * @tables: by enum vmr_snapshot_table; one that is not there has no columns
 *	and no rows
 */
struct vmr_snapshot {
	struct vmr_source source;
	struct vmr_table tables[VMR_NR_T];
};

int vmr_snapshot_read(struct vmr_snapshot *snapshot, const char *root, struct vmr_error *err);
bool vmr_snapshot_has(const struct vmr_snapshot *snapshot, enum vmr_snapshot_table which);
void vmr_snapshot_free(struct vmr_snapshot *snapshot);

#endif
