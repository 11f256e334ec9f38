// SPDX-License-Identifier: GPL-2.0-only
/* Sums over rows of a table. */
#include <stdlib.h>
#include <string.h>

#include "sum.h"

enum how { SUM, REST = SUM, MAX, HIGHEST = MAX, LOWEST };

static const struct {
	const char *name;
	enum how how;
} counters[VMP_NR_COUNTERS] = {
#define VMP_X(name, how)	[VMP_C_##name] = { #name, how },
	VMP_COUNTERS(VMP_X)
#undef VMP_X
};

/**
 * vmr_sum_num() - add one number to a sum
 * @sum: changed; becomes "at least" when one side is not available, and stays
 *	at 2^64 - 1 rather than wrapping round
 * @num: to add
 */
void vmr_sum_num(struct vmr_num *sum, struct vmr_num num)
{
	sum->partial |= num.partial || sum->known != num.known;
	sum->known |= num.known;
	if (num.known && __builtin_add_overflow(sum->value, num.value, &sum->value))
		sum->value = ~0ull;
}

/* For the largest and the smallest, "-" is "none yet". */
static void keep(struct vmr_num *best, struct vmr_num num, enum how how)
{
	if (!num.known)
		return;
	if (!best->known || (how == MAX ? num.value > best->value : num.value < best->value))
		*best = num;
}

/**
 * vmr_sum_add() - add the counters of one row to a sum
 * @sum: changed
 * @row: to add; a row without calls has nothing to add, and its "-" does not
 *	make the sum doubtful
 */
void vmr_sum_add(struct vmr_counters *sum, const struct vmr_counters *row)
{
	const struct vmr_num *calls = &row->c[VMP_C_calls];
	size_t i;

	if (calls->known && !calls->value)
		return;
	calls = &sum->c[VMP_C_calls];
	if (calls->known && !calls->value) {
		*sum = *row;
		return;
	}
	for (i = 0; i < VMP_NR_COUNTERS; i++) {
		if (counters[i].how == SUM)
			vmr_sum_num(&sum->c[i], row->c[i]);
		else
			keep(&sum->c[i], row->c[i], counters[i].how);
	}
}

/**
 * vmr_sum_row() - the counters of one row
 * @table: parsed; a counter for which it has no column is not known
 * @row: below nr_rows
 * @row_counters: filled in
 * @err: set on error
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_sum_row(const struct vmr_table *table, size_t row, struct vmr_counters *row_counters,
		struct vmr_error *err)
{
	size_t i;

	for (i = 0; i < VMP_NR_COUNTERS; i++)
		if (vmr_table_number(table, row, vmr_table_column(table, counters[i].name),
				     &row_counters->c[i], err))
			return -1;
	return 0;
}

/* A row while it is sorted. */
struct entry {
	const char *key[VMR_SUM_KEYS];
	size_t row;
};

static int compare_keys(const char *const *a, const char *const *b)
{
	size_t i;
	int c;

	for (i = 0; i < VMR_SUM_KEYS; i++) {
		if (!a[i] || !b[i])
			c = !!a[i] - !!b[i];
		else
			c = strcmp(a[i], b[i]);
		if (c)
			return c;
	}
	return 0;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = compare_keys(x->key, y->key);

	return c ? c : (x->row > y->row) - (x->row < y->row);
}

static struct entry *take_rows(const struct vmr_table *table, const int *columns,
			       enum vmr_where where, int by, size_t *nr)
{
	struct entry *entries = vmr_error_alloc(table->nr_rows, sizeof(*entries));
	size_t row, i;

	*nr = 0;
	for (row = 0; row < table->nr_rows; row++) {
		if (where != VMR_ALL &&
		    where != (vmr_table_cell(table, row, by) ? VMR_KNOWN : VMR_UNKNOWN))
			continue;
		for (i = 0; i < VMR_SUM_KEYS; i++)
			entries[*nr].key[i] = vmr_table_cell(table, row, columns[i]);
		entries[(*nr)++].row = row;
	}
	qsort(entries, *nr, sizeof(*entries), compare_entries);
	return entries;
}

/**
 * vmr_sum_group() - add up the rows that have the same keys
 * @table: parsed
 * @keys: names of key columns, at most VMR_SUM_KEYS, NULL at the end
 * @where: which rows to take
 * @column: name of the column that @where looks at, or NULL
 * @grouping: filled in; needs vmr_sum_free(), even after an error
 * @err: set on error
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_sum_group(const struct vmr_table *table, const char *const *keys,
		  enum vmr_where where, const char *column,
		  struct vmr_grouping *grouping, struct vmr_error *err)
{
	int columns[VMR_SUM_KEYS] = { -1, -1, -1, -1 };
	struct vmr_group *group = NULL;
	struct vmr_counters row;
	struct entry *entries;
	size_t nr, i;

	*grouping = (struct vmr_grouping) { 0 };
	for (i = 0; i < VMR_SUM_KEYS && keys[i]; i++) {
		columns[i] = vmr_table_column(table, keys[i]);
		if (columns[i] < 0)
			return vmr_error_set(err, "%s:2: there is no column %s",
					     table->path, keys[i]);
	}
	entries = take_rows(table, columns, where,
			    column ? vmr_table_column(table, column) : -1, &nr);
	grouping->rows = vmr_error_alloc(nr, sizeof(*grouping->rows));
	grouping->groups = vmr_error_alloc(nr, sizeof(*grouping->groups));
	for (i = 0; i < nr; i++) {
		if (vmr_sum_row(table, entries[i].row, &row, err)) {
			free(entries);
			return -1;
		}
		if (!group || compare_keys(group->key, entries[i].key)) {
			group = &grouping->groups[grouping->nr_groups++];
			memcpy(group->key, entries[i].key, sizeof(group->key));
			group->sum = row;
			group->first = i;
		} else {
			vmr_sum_add(&group->sum, &row);
		}
		grouping->rows[i] = entries[i].row;
		group->nr_rows++;
	}
	free(entries);
	return 0;
}

/* qsort() hands no context through, so the key is stored with each. */
struct ordered {
	unsigned long long value;
	size_t index;
	struct vmr_group group;
};

static int compare_ordered(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/**
 * vmr_sum_order() - the largest first
 * @grouping: its groups are put in another order; equal ones stay as they are
 * @counter: to order by; what is not known counts as the smallest
 */
void vmr_sum_order(struct vmr_grouping *grouping, enum vmp_counter counter)
{
	struct ordered *ordered = vmr_error_alloc(grouping->nr_groups, sizeof(*ordered));
	size_t i;

	for (i = 0; i < grouping->nr_groups; i++) {
		ordered[i].group = grouping->groups[i];
		ordered[i].index = i;
		ordered[i].value = grouping->groups[i].sum.c[counter].value;
	}
	qsort(ordered, grouping->nr_groups, sizeof(*ordered), compare_ordered);
	for (i = 0; i < grouping->nr_groups; i++)
		grouping->groups[i] = ordered[i].group;
	free(ordered);
}

static int compare_group(const void *a, const void *b)
{
	const char *const *keys = a;
	const struct vmr_group *group = b;

	return compare_keys(keys, group->key);
}

/**
 * vmr_sum_find() - the group with given keys
 * @grouping: in the order of its keys, as vmr_sum_group() leaves it
 * @keys: VMR_SUM_KEYS of them, NULL for "-" and behind the last
 *
 * Return: the group, or NULL if there is none.
 */
const struct vmr_group *vmr_sum_find(const struct vmr_grouping *grouping,
				     const char *const *keys)
{
	return bsearch(keys, grouping->groups, grouping->nr_groups, sizeof(*grouping->groups),
		       compare_group);
}

/**
 * vmr_sum_free() - give the memory of a grouping back
 * @grouping: from vmr_sum_group(), or all zero
 */
void vmr_sum_free(struct vmr_grouping *grouping)
{
	free(grouping->rows);
	free(grouping->groups);
	*grouping = (struct vmr_grouping) { 0 };
}
