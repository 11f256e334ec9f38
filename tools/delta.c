// SPDX-License-Identifier: GPL-2.0-only
/* The difference of two readings, by counter as abi.h says. */
#include "delta.h"

enum how { SUM, REST = SUM, MAX, HIGHEST = MAX, LOWEST };

static const enum how hows[VMP_NR_COUNTERS] = {
#define VMP_X(name, how)	[VMP_C_##name] = how,
	VMP_COUNTERS(VMP_X)
#undef VMP_X
};

/**
 * vmr_delta_counters() - the counters of what happened in between
 * @after: the later reading; becomes the difference. A sum that is available
 *	on one side only is not available. The largest and the smallest are
 *	known only if they were surpassed in between.
 * @before: the earlier reading
 *
 * Return: 0, or -1 if a sum has become smaller, which only a reset can do.
 */
int vmr_delta_counters(struct vmr_counters *after, const struct vmr_counters *before)
{
	const struct vmr_num *old;
	struct vmr_num *new;
	size_t i;

	for (i = 0; i < VMP_NR_COUNTERS; i++) {
		new = &after->c[i];
		old = &before->c[i];
		if (!new->known || !old->known) {
			/* Nothing to compare with: for a largest, then, it is new. */
			if (hows[i] == SUM)
				*new = (struct vmr_num) { 0 };
		} else if (hows[i] == SUM) {
			if (new->value < old->value)
				return -1;
			new->value -= old->value;
			new->partial |= old->partial;
		} else if (hows[i] == MAX ? new->value <= old->value : new->value >= old->value) {
			*new = (struct vmr_num) { 0 };
		}
	}
	return 0;
}

/**
 * vmr_delta_groups() - the difference of two readings of one table
 * @after: the later reading, grouped; becomes the difference. A group that
 *	was not there before stays as it is.
 * @before: the earlier reading, grouped by the same columns, in the order of
 *	its keys
 * @err: set on error
 *
 * Return: 0, or -1 with @err set if the table was reset in between.
 */
int vmr_delta_groups(struct vmr_grouping *after, const struct vmr_grouping *before,
		     struct vmr_error *err)
{
	const struct vmr_group *old;
	size_t i;

	for (i = 0; i < after->nr_groups; i++) {
		old = vmr_sum_find(before, after->groups[i].key);
		if (old && vmr_delta_counters(&after->groups[i].sum, &old->sum))
			return vmr_error_set(err, "a counter went back between two readings: "
					     "was the module reset or loaded again?");
	}
	return 0;
}
