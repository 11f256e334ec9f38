/* SPDX-License-Identifier: GPL-2.0-only */
/* Percentiles from the table histogram. */
#ifndef VMR_HIST_H
#define VMR_HIST_H

#include "table.h"

struct vmr_bucket {
	unsigned long long low_ns;
	unsigned long long high_ns;
	unsigned long long calls;
};

struct vmr_hist {
	struct vmr_bucket *buckets;
	size_t nr;
};

int vmr_hist_collect(const struct vmr_table *table, const char *probe, struct vmr_hist *hist,
		     struct vmr_error *err);
struct vmr_num vmr_hist_percentile(const struct vmr_hist *hist, unsigned int permille,
				   struct vmr_num max_ns);
void vmr_hist_free(struct vmr_hist *hist);

#endif
