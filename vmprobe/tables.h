/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files in debugfs.
 */
#ifndef VMP_TABLES_H
#define VMP_TABLES_H

#include <linux/seq_file.h>
#include <linux/types.h>

/**
 * struct vmp_table - one table
 * @name: of the file
 * @columns: their names, separated by spaces
 * @rows: number of row positions, some of which may have nothing to show
 * @show: print one row without the end of the line, or return SEQ_SKIP
 * @prepare: called before the first row and whenever reading goes on; @first tells
 * @change: carry out what was written to the file; NULL for files to be read only
 *
 * Context: the functions run with vmp_probes.lock held.
 */
struct vmp_table {
	const char *name;
	const char *columns;
	u64 (*rows)(void);
	int (*show)(struct seq_file *m, u64 row);
	void (*prepare)(bool first);
	int (*change)(const char *text);
};

extern const struct vmp_table vmp_keyed_tables[];
extern const u32 vmp_nr_keyed_tables;
extern const struct vmp_table vmp_state_tables[];
extern const u32 vmp_nr_state_tables;
extern const struct vmp_table vmp_memory_tables[];
extern const u32 vmp_nr_memory_tables;
extern const struct vmp_table vmp_stack_tables[];
extern const u32 vmp_nr_stack_tables;

int vmp_rows_init(void);
void vmp_rows_exit(void);

int vmp_tables_init(void);
void vmp_tables_exit(void);

#endif /* VMP_TABLES_H */
