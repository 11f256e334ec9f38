// SPDX-License-Identifier: GPL-2.0-only
/* The distribution of one probe's times, over all contexts. */
#include <stdlib.h>
#include <string.h>

#include "hist.h"

static int compare_buckets(const void *a, const void *b)
{
	const struct vmr_bucket *x = a, *y = b;

	return (x->low_ns > y->low_ns) - (x->low_ns < y->low_ns);
}

/**
 * vmr_hist_collect() - the buckets of one probe
 * @table: the table histogram
 * @probe: name of the probe
 * @hist: filled in, in rising order; buckets of several contexts stay apart,
 *	which makes no difference to a percentile; needs vmr_hist_free(), even
 *	after an error
 * @err: set on error
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_hist_collect(const struct vmr_table *table, const char *probe, struct vmr_hist *hist,
		     struct vmr_error *err)
{
	int probes = vmr_table_column(table, "probe"), calls = vmr_table_column(table, "calls");
	int low = vmr_table_column(table, "low_ns"), high = vmr_table_column(table, "high_ns");
	struct vmr_num num[3];
	const char *cell;
	size_t row;

	*hist = (struct vmr_hist) {
		.buckets = vmr_error_alloc(table->nr_rows, sizeof(*hist->buckets)),
	};
	for (row = 0; row < table->nr_rows; row++) {
		cell = vmr_table_cell(table, row, probes);
		if (!cell || strcmp(cell, probe))
			continue;
		if (vmr_table_number(table, row, low, &num[0], err) ||
		    vmr_table_number(table, row, high, &num[1], err) ||
		    vmr_table_number(table, row, calls, &num[2], err))
			return -1;
		if (!num[0].known || !num[1].known || !num[2].known || num[0].value > num[1].value)
			return vmr_error_set(err, "%s:%zu: this is no bucket",
					     table->path, VMR_TABLE_ROW_LINE(row));
		hist->buckets[hist->nr++] = (struct vmr_bucket) {
			.low_ns = num[0].value,
			.high_ns = num[1].value,
			.calls = num[2].value,
		};
	}
	qsort(hist->buckets, hist->nr, sizeof(*hist->buckets), compare_buckets);
	return 0;
}

/**
 * vmr_hist_percentile() - a time that so many of the calls did not exceed
 * @hist: in rising order
 * @permille: 500 for the median, 990 for the 99th percentile
 * @max_ns: the longest call, if known
 *
 * The nearest rank: the smallest bucket up to which at least that part of the
 * calls lies. Its upper edge is what is returned, so the true value is never
 * larger and at most one bucket's width (12.5 %) smaller. The longest call is
 * known exactly and no percentile exceeds it.
 *
 * Return: the time, or not known without any calls.
 */
struct vmr_num vmr_hist_percentile(const struct vmr_hist *hist, unsigned int permille,
				   struct vmr_num max_ns)
{
	unsigned long long total = 0, seen = 0, rank;
	struct vmr_num result = { 0 };
	size_t i;

	for (i = 0; i < hist->nr; i++)
		if (__builtin_add_overflow(total, hist->buckets[i].calls, &total))
			return result;
	if (!total)
		return result;
	/* total * permille / 1000, rounded up, without an overflow */
	rank = total / 1000 * permille + (total % 1000 * permille + 999) / 1000;
	if (!rank)
		rank = 1;
	for (i = 0; i < hist->nr; i++) {
		seen += hist->buckets[i].calls;
		if (seen >= rank)
			break;
	}
	result.known = true;
	result.value = hist->buckets[i].high_ns;
	if (max_ns.known && max_ns.value < result.value)
		result.value = max_ns.value;
	return result;
}

/**
 * vmr_hist_free() - give the memory of a histogram back
 * @hist: from vmr_hist_collect(), or all zero
 */
void vmr_hist_free(struct vmr_hist *hist)
{
	free(hist->buckets);
	*hist = (struct vmr_hist) { 0 };
}
