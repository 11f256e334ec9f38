/* SPDX-License-Identifier: GPL-2.0-only */
/* The screen that a person wants first. */
#ifndef VMR_SUMMARY_H
#define VMR_SUMMARY_H

#include <stdio.h>

#include "snapshot.h"

/**
 * struct vmr_summary_style - how the summary is to look
 * @top: rows in each list
 * @raw: plain numbers, and lines as long as they need to be
 */
struct vmr_summary_style {
	unsigned long top;
	bool raw;
};

int vmr_summary_print(const struct vmr_snapshot *snapshot,
		      const struct vmr_summary_style *style, FILE *out, struct vmr_error *err);

#endif
