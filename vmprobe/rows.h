/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files that make rows share.
 */
#ifndef VMP_ROWS_H
#define VMP_ROWS_H

#include "probe.h"
#include "tables.h"

#define VMP_OVERFLOW	"(overflow)"

/* " calls requested_pages ...", to follow the key columns. */
#define VMP_ROW_NAME(name, how)	" " #name
#define VMP_ROW_COUNTERS	VMP_COUNTERS(VMP_ROW_NAME)

extern const char * const vmp_context_names[];
extern const char * const vmp_state_names[];

u64 vmp_row_symbols(void);
void vmp_row_sum_symbol(struct vmp_counters *sum, u8 symbol);
void vmp_row_counters_of_row(struct seq_file *m, const struct vmp_counters *c,
			     const struct vmp_row *known);
void vmp_row_counters(struct seq_file *m, const struct vmp_counters *c, u8 probe);
void vmp_row_caller(struct seq_file *m, unsigned long addr);
int vmp_row_switch(const char *text, bool *on);
void vmp_row_escape(struct seq_file *m, const char *text, size_t max);

#endif /* VMP_ROWS_H */
