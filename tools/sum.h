/* SPDX-License-Identifier: GPL-2.0-only */
/* Adding rows up: by counter as abi.h says, and by any columns as keys. */
#ifndef VMR_SUM_H
#define VMR_SUM_H

#include <vmprobe/abi.h>

#include "table.h"

#define VMR_SUM_KEYS	4

struct vmr_counters {
	struct vmr_num c[VMP_NR_COUNTERS];
};

/**
 * struct vmr_group - rows that have the same keys
 * @key: the cells of the key columns, NULL where the table has "-"
 * @sum: of the rows
 * @first: index of the first of them in the rows of the grouping
 * @nr_rows: number of rows
 */
struct vmr_group {
	const char *key[VMR_SUM_KEYS];
	struct vmr_counters sum;
	size_t first;
	size_t nr_rows;
};

/**
 * struct vmr_grouping - a table grouped by some of its columns
 * @rows: indices of rows of the table, group by group
 * @groups: sorted by their keys
 * @nr_groups: number of groups
 */
struct vmr_grouping {
	size_t *rows;
	struct vmr_group *groups;
	size_t nr_groups;
};

/* Which rows to take, by one column. */
enum vmr_where { VMR_ALL, VMR_KNOWN, VMR_UNKNOWN };

void vmr_sum_num(struct vmr_num *sum, struct vmr_num num);
void vmr_sum_add(struct vmr_counters *sum, const struct vmr_counters *row);
int vmr_sum_row(const struct vmr_table *table, size_t row, struct vmr_counters *counters,
		struct vmr_error *err);
int vmr_sum_group(const struct vmr_table *table, const char *const *keys,
		  enum vmr_where where, const char *column,
		  struct vmr_grouping *grouping, struct vmr_error *err);
void vmr_sum_order(struct vmr_grouping *grouping, enum vmp_counter counter);
const struct vmr_group *vmr_sum_find(const struct vmr_grouping *grouping,
				     const char *const *keys);
void vmr_sum_free(struct vmr_grouping *grouping);

#endif
