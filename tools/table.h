/* SPDX-License-Identifier: GPL-2.0-only */
/* Parsing: the text of one table becomes rows, whose columns have names. */
#ifndef VMR_TABLE_H
#define VMR_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* Far more than any table has; what goes beyond is no table. */
#define VMR_TABLE_COLUMNS	128
#define VMR_TABLE_LINE		65536

/* Records begin after the two header lines; lines are counted from 1. */
#define VMR_TABLE_ROW_LINE(row)	((row) + 3)

/**
 * struct vmr_num - a number that may be missing
 * @known: there is a value; without it the table has "-"
 * @partial: a sum in which some addend was not available: "at least"
 * @value: meaningless unless @known
 */
struct vmr_num {
	bool known;
	bool partial;
	unsigned long long value;
};

/**
 * struct vmr_table - one table, every cell a text with the escapes undone
 * @path: where it came from, for messages
 * @name: the table's name, as its first line says
 * @format: the format, as its first line says
 * @text: the memory the names and cells lie in
 * @nr_columns: number of columns
 * @columns: names of the columns
 * @nr_rows: number of records
 * @cells: row by row; NULL where the table has "-"
 * @kept: texts that were put in place of others
 * @nr_kept: their number
 */
struct vmr_table {
	char *path;
	char *name;
	unsigned int format;
	char *text;
	size_t nr_columns;
	char **columns;
	size_t nr_rows;
	char **cells;
	char **kept;
	size_t nr_kept;
};

int vmr_table_parse(struct vmr_table *table, const char *path, char *text, size_t size,
		    struct vmr_error *err);
void vmr_table_free(struct vmr_table *table);
char *vmr_table_keep(struct vmr_table *table, const char *text);
int vmr_table_column(const struct vmr_table *table, const char *name);
const char *vmr_table_cell(const struct vmr_table *table, size_t row, int column);
int vmr_table_number(const struct vmr_table *table, size_t row, int column,
		     struct vmr_num *num, struct vmr_error *err);
const char *vmr_table_lookup(const struct vmr_table *table, const char *name);
struct vmr_num vmr_table_lookup_number(const struct vmr_table *table, const char *name);

#endif
