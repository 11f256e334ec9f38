// SPDX-License-Identifier: GPL-2.0-only
/* Tables read together, all of a format that is understood. */
#include <vmprobe/abi.h>

#include "snapshot.h"

static const char *const names[VMR_NR_T] = {
#define X(name)	[VMR_T_##name] = #name,
	VMR_SNAPSHOT(X)
#undef X
};

/**
 * vmr_snapshot_read() - read the tables of an overview
 * @snapshot: filled in; needs vmr_snapshot_free(), even after an error
 * @root: a copy, or NULL for the running kernel
 * @err: set on error; all but totals may be missing
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_snapshot_read(struct vmr_snapshot *snapshot, const char *root, struct vmr_error *err)
{
	struct vmr_table *table;
	size_t i;

	*snapshot = (struct vmr_snapshot) { 0 };
	if (vmr_read_open(&snapshot->source, root, err))
		return -1;
	for (i = 0; i < VMR_NR_T; i++) {
		if (i != VMR_T_totals && !vmr_read_has(&snapshot->source, names[i]))
			continue;
		table = &snapshot->tables[i];
		if (vmr_read_table(&snapshot->source, names[i], table, err))
			return -1;
		/* A column may mean something else now, so sums would be wrong. */
		if (table->format > VMP_FORMAT)
			return vmr_error_set(err, "%s:1: format %u, but this %s knows formats up "
					     "to %d: use the one that came with the module, or "
					     "look at one table: %s %s", table->path,
					     table->format, VMR_NAME, VMP_FORMAT, VMR_NAME,
					     names[i]);
	}
	return 0;
}

/**
 * vmr_snapshot_has() - whether a table was there
 * @snapshot: read
 * @which: the table
 *
 * Return: true if it was there, with or without rows.
 */
bool vmr_snapshot_has(const struct vmr_snapshot *snapshot, enum vmr_snapshot_table which)
{
	return snapshot->tables[which].nr_columns;
}

/**
 * vmr_snapshot_free() - give the memory of a snapshot back
 * @snapshot: read, with or without success
 */
void vmr_snapshot_free(struct vmr_snapshot *snapshot)
{
	size_t i;

	for (i = 0; i < VMR_NR_T; i++)
		vmr_table_free(&snapshot->tables[i]);
}
