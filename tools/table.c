// SPDX-License-Identifier: GPL-2.0-only
/* The format of the tables; nothing here knows what a column means. */
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "text.h"

/* Strict: digits only, and it fits. */
static bool number(const char *text, unsigned long long *value)
{
	unsigned long long v = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (unsigned long long)(*text - '0'), &v))
			return false;
	}
	*value = v;
	return true;
}

/* Cut the next line off: NULL at the end of the text. */
static char *next_line(char **rest)
{
	char *line = *rest, *end;

	if (!*line)
		return NULL;
	end = strchr(line, '\n');
	*end = '\0';
	*rest = end + 1;
	return line;
}

/* Cut the next field off at a single space: NULL when there is none left. */
static char *next_field(char **rest)
{
	char *field = *rest, *end;

	if (!field)
		return NULL;
	end = strchr(field, ' ');
	if (end)
		*end++ = '\0';
	*rest = end;
	return field;
}

/* What can be said about the text as a whole, before it is cut up. */
static int check_text(struct vmr_table *table, size_t size, struct vmr_error *err)
{
	size_t line = 1, length = 0, i;

	if (!size)
		return vmr_error_set(err, "%s: empty; if it is a copy, mind that files of debugfs "
				     "have no size: copy them with cp or cat", table->path);
	for (i = 0; i < size; i++) {
		if (!table->text[i])
			return vmr_error_set(err, "%s:%zu: a NUL byte, so this is no table",
					     table->path, line);
		if (table->text[i] == '\n') {
			line++;
			length = 0;
		} else if (++length > VMR_TABLE_LINE) {
			return vmr_error_set(err, "%s:%zu: a line of more than %d bytes",
					     table->path, line, VMR_TABLE_LINE);
		}
	}
	if (length)
		return vmr_error_set(err, "%s:%zu: the last line has no end: was the file cut off?",
				     table->path, line);
	return 0;
}

static int parse_header(struct vmr_table *table, char **rest, struct vmr_error *err)
{
	char *line = next_line(rest), *magic, *format;
	unsigned long long value;

	magic = strncmp(line, "# ", 2) ? NULL : line + 2;
	if (magic && !strncmp(magic, "vmprobe ", 8)) {
		line = magic + 8;
		format = next_field(&line);
		if (number(format, &value) && value && value <= 1000000 &&
		    line && *line && !strchr(line, ' ')) {
			table->format = (unsigned int)value;
			table->name = line;
			return 0;
		}
	}
	return vmr_error_set(err, "%s:1: does not begin with \"# vmprobe FORMAT TABLE\", "
			     "so this is no table of vmprobe", table->path);
}

static int parse_columns(struct vmr_table *table, char **rest, struct vmr_error *err)
{
	char *line = next_line(rest), *name;
	size_t i;

	if (!line)
		return vmr_error_set(err, "%s:2: the line of column names is missing", table->path);
	table->columns = vmr_error_alloc(VMR_TABLE_COLUMNS, sizeof(*table->columns));
	while ((name = next_field(&line))) {
		if (!*name)
			return vmr_error_set(err, "%s:2: a column without a name", table->path);
		if (table->nr_columns == VMR_TABLE_COLUMNS)
			return vmr_error_set(err, "%s:2: more than %d columns",
					     table->path, VMR_TABLE_COLUMNS);
		for (i = 0; i < table->nr_columns; i++)
			if (!strcmp(name, table->columns[i]))
				return vmr_error_set(err, "%s:2: two columns %s",
						     table->path, name);
		table->columns[table->nr_columns++] = name;
	}
	return 0;
}

static int parse_row(struct vmr_table *table, char *line, struct vmr_error *err)
{
	size_t line_number = VMR_TABLE_ROW_LINE(table->nr_rows), columns = table->nr_columns, i;
	char **cells = table->cells + table->nr_rows * columns, *field;
	/* A value of status may be a sentence. */
	bool sentence = !strcmp(table->name, "status");

	for (i = 0; i < columns; i++) {
		if (sentence && i == columns - 1) {
			field = line;
			line = NULL;
		} else {
			field = next_field(&line);
		}
		if (!field)
			return vmr_error_set(err, "%s:%zu: %zu fields, but there are %zu columns",
					     table->path, line_number, i, columns);
		/* A task may have taken its own name away; nothing else is ever empty. */
		if (!*field && i != columns - 1)
			return vmr_error_set(err, "%s:%zu: nothing in column %s",
					     table->path, line_number, table->columns[i]);
		if (!strcmp(field, "-")) {
			cells[i] = NULL;
		} else {
			vmr_text_unescape(field);
			cells[i] = field;
		}
	}
	if (line)
		return vmr_error_set(err, "%s:%zu: more than %zu fields, but there are %zu columns",
				     table->path, line_number, columns, columns);
	table->nr_rows++;
	return 0;
}

static size_t count_lines(const char *text)
{
	size_t nr = 0;

	for (; (text = strchr(text, '\n')); text++)
		nr++;
	return nr;
}

/**
 * vmr_table_parse() - the text of a file becomes a table
 * @table: filled in; needs vmr_table_free(), even after an error
 * @path: name of the file, for messages
 * @text: the whole file and a NUL behind it, from malloc(); belongs to @table
 *	from now on and is changed
 * @size: bytes in the file
 * @err: set on error, with file and line
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_table_parse(struct vmr_table *table, const char *path, char *text, size_t size,
		    struct vmr_error *err)
{
	char *rest = text, *line;

	*table = (struct vmr_table) {
		.path = vmr_error_strdup(path),
		.text = text,
	};
	if (check_text(table, size, err) || parse_header(table, &rest, err) ||
	    parse_columns(table, &rest, err))
		return -1;
	table->cells = vmr_error_realloc(NULL, count_lines(rest),
					 table->nr_columns * sizeof(*table->cells));
	while ((line = next_line(&rest)))
		if (parse_row(table, line, err))
			return -1;
	return 0;
}

/**
 * vmr_table_free() - give a table's memory back
 * @table: parsed, with or without success, or all zero
 */
void vmr_table_free(struct vmr_table *table)
{
	while (table->nr_kept)
		free(table->kept[--table->nr_kept]);
	free(table->kept);
	free(table->path);
	free(table->text);
	free(table->columns);
	free(table->cells);
	*table = (struct vmr_table) { 0 };
}

/**
 * vmr_table_keep() - a text that lives as long as the table
 * @table: parsed
 * @text: is copied
 *
 * Return: the copy, which may take a cell's place; NULL without memory.
 */
char *vmr_table_keep(struct vmr_table *table, const char *text)
{
	char **kept = realloc(table->kept, (table->nr_kept + 1) * sizeof(*kept));

	if (!kept)
		return NULL;
	table->kept = kept;
	kept[table->nr_kept] = strdup(text);
	return kept[table->nr_kept] ? kept[table->nr_kept++] : NULL;
}

/**
 * vmr_table_column() - find a column by its name
 * @table: parsed
 * @name: of the column
 *
 * Return: its index, or -1 if this table has no such column.
 */
int vmr_table_column(const struct vmr_table *table, const char *name)
{
	size_t i;

	for (i = 0; i < table->nr_columns; i++)
		if (!strcmp(table->columns[i], name))
			return (int)i;
	return -1;
}

/**
 * vmr_table_cell() - one cell
 * @table: parsed
 * @row: below nr_rows
 * @column: an index, or -1 for a column that does not exist
 *
 * Return: the text with escapes undone, or NULL for "not available".
 */
const char *vmr_table_cell(const struct vmr_table *table, size_t row, int column)
{
	return column < 0 ? NULL : table->cells[row * table->nr_columns + (size_t)column];
}

/**
 * vmr_table_number() - one cell as a number
 * @table: parsed
 * @row: below nr_rows
 * @column: an index, or -1 for a column that does not exist
 * @num: the value, or "not known" for "-" and for a missing column
 * @err: set on error, with file and line
 *
 * Return: 0, or -1 with @err set if there is something else than a number.
 */
int vmr_table_number(const struct vmr_table *table, size_t row, int column,
		     struct vmr_num *num, struct vmr_error *err)
{
	const char *cell = vmr_table_cell(table, row, column);

	*num = (struct vmr_num) { .known = cell };
	if (!cell || number(cell, &num->value))
		return 0;
	*num = (struct vmr_num) { 0 };
	return vmr_error_set(err, "%s:%zu: column %s is not a number from 0 to 2^64 - 1: %s",
			     table->path, VMR_TABLE_ROW_LINE(row), table->columns[column], cell);
}

/**
 * vmr_table_lookup() - the value of a name in a table of names and values
 * @table: with the columns name and value, as the table status
 * @name: to look for
 *
 * Return: the value, or NULL if it is not there or not available.
 */
const char *vmr_table_lookup(const struct vmr_table *table, const char *name)
{
	int names = vmr_table_column(table, "name"), values = vmr_table_column(table, "value");
	const char *cell;
	size_t row;

	for (row = 0; row < table->nr_rows; row++) {
		cell = vmr_table_cell(table, row, names);
		if (cell && !strcmp(cell, name))
			return vmr_table_cell(table, row, values);
	}
	return NULL;
}

/**
 * vmr_table_lookup_number() - the same, as a number
 * @table: with the columns name and value
 * @name: to look for
 *
 * Return: the number; not known if it is not there or no number.
 */
struct vmr_num vmr_table_lookup_number(const struct vmr_table *table, const char *name)
{
	const char *text = vmr_table_lookup(table, name);
	struct vmr_num num = { 0 };

	num.known = text && number(text, &num.value);
	return num;
}
