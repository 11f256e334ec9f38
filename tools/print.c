// SPDX-License-Identifier: GPL-2.0-only
/* Columns and lines on a terminal. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "print.h"
#include "text.h"

/* Below that a name tells nothing. */
#define CELL_MIN	10

/**
 * vmr_print_cell() - add a cell to a grid
 * @grid: set up with its columns
 * @text: known to be harmless: a number or a word of this program's
 */
void vmr_print_cell(struct vmr_grid *grid, const char *text)
{
	if (grid->nr_cells == grid->room) {
		grid->room = grid->room ? grid->room * 2 : 64;
		grid->cells = vmr_error_realloc(grid->cells, grid->room, sizeof(*grid->cells));
	}
	grid->cells[grid->nr_cells++] = vmr_error_strdup(text);
}

/**
 * vmr_print_name() - add a cell with a name that was read
 * @grid: set up with its columns
 * @name: anything; NULL for "not available"
 * @spaces: whether spaces are escaped, so that the name stays one field
 */
void vmr_print_name(struct vmr_grid *grid, const char *name, bool spaces)
{
	size_t size = name ? VMR_TEXT_ESCAPED(strlen(name)) : 0;
	char *safe;

	if (!name) {
		vmr_print_cell(grid, "-");
		return;
	}
	safe = vmr_error_alloc(size, 1);
	vmr_text_escape(name, spaces, safe, size);
	vmr_print_cell(grid, safe);
	free(safe);
}

/* The part of a header that stands in a line, counted from the last one. */
static const char *header_line(const char *header, size_t from_last, size_t *length)
{
	const char *end = header + strlen(header), *start;

	for (;;) {
		start = end;
		while (start > header && start[-1] != '\n')
			start--;
		*length = (size_t)(end - start);
		if (!from_last--)
			return start;
		if (start == header) {
			*length = 0;
			return header;
		}
		end = start - 1;
	}
}

static size_t header_lines(const char *header)
{
	size_t nr = 1;

	for (; (header = strchr(header, '\n')); header++)
		nr++;
	return nr;
}

static void measure(const struct vmr_grid *grid, size_t *widths)
{
	size_t column, line, length, i;

	for (column = 0; column < grid->nr_columns; column++) {
		widths[column] = 0;
		for (line = 0; line < header_lines(grid->columns[column].header); line++) {
			header_line(grid->columns[column].header, line, &length);
			if (length > widths[column])
				widths[column] = length;
		}
	}
	for (i = 0; i < grid->nr_cells; i++) {
		length = strlen(grid->cells[i]);
		if (length > widths[i % grid->nr_columns])
			widths[i % grid->nr_columns] = length;
	}
}

/* Make the widest names narrower until the line fits, or nothing helps. */
static size_t fit(const struct vmr_grid *grid, size_t *widths, size_t limit)
{
	size_t gap = 2, total, column, widest;

	for (;;) {
		total = (grid->nr_columns - 1) * gap;
		widest = grid->nr_columns;
		for (column = 0; column < grid->nr_columns; column++) {
			total += widths[column];
			if (grid->columns[column].align == VMR_LEFT && widths[column] > CELL_MIN &&
			    (widest == grid->nr_columns || widths[column] > widths[widest]))
				widest = column;
		}
		if (!limit || total <= limit)
			return gap;
		if (gap == 2)
			gap = 1;
		else if (widest < grid->nr_columns)
			widths[widest]--;
		else
			return gap;
	}
}

/* A line while it is printed; blanks wait until something follows them. */
struct line {
	const struct vmr_grid *grid;
	const size_t *widths;
	size_t gap;
	size_t blanks;
	FILE *out;
};

static void put(struct line *line, size_t column, const char *text, size_t length)
{
	size_t width = line->widths[column], shown = length > width ? width - 1 : length;
	size_t pad = length > width ? 0 : width - length;
	bool right = line->grid->columns[column].align == VMR_RIGHT;

	line->blanks += (column ? line->gap : 0) + (right ? pad : 0);
	if (length) {
		fprintf(line->out, "%*s%.*s%s", (int)line->blanks, "", (int)shown, text,
			length > width ? "~" : "");
		line->blanks = 0;
	}
	line->blanks += right ? 0 : pad;
	if (column == line->grid->nr_columns - 1) {
		fputc('\n', line->out);
		line->blanks = 0;
	}
}

/**
 * vmr_print_grid() - print a grid and empty it
 * @grid: with whole rows of cells
 * @width: of the screen: names are cut and end in ~ where a line would be
 *	longer; 0 for no limit
 * @out: where to
 */
void vmr_print_grid(struct vmr_grid *grid, size_t width, FILE *out)
{
	size_t *widths = vmr_error_alloc(grid->nr_columns, sizeof(*widths));
	struct line line = { .grid = grid, .widths = widths, .out = out };
	size_t column, lines = 1, length, i;
	const char *text;

	measure(grid, widths);
	line.gap = fit(grid, widths, width);
	for (column = 0; column < grid->nr_columns; column++)
		if (header_lines(grid->columns[column].header) > lines)
			lines = header_lines(grid->columns[column].header);
	while (lines--) {
		for (column = 0; column < grid->nr_columns; column++) {
			text = header_line(grid->columns[column].header, lines, &length);
			put(&line, column, text, length);
		}
	}
	for (i = 0; i < grid->nr_cells; i++) {
		put(&line, i % grid->nr_columns, grid->cells[i], strlen(grid->cells[i]));
		free(grid->cells[i]);
	}
	free(widths);
	free(grid->cells);
	grid->cells = NULL;
	grid->nr_cells = 0;
	grid->room = 0;
}

/**
 * vmr_print_wrapped() - print a text in lines of VMR_PRINT_WIDTH
 * @prefix: in front of the first line; the others are indented as far
 * @text: words between single spaces, anything in them
 * @out: where to
 */
void vmr_print_wrapped(const char *prefix, const char *text, FILE *out)
{
	size_t indent = strlen(prefix), used = indent, size = VMR_TEXT_ESCAPED(strlen(text));
	char *safe = vmr_error_alloc(size, 1), *word, *save = NULL;
	bool first = true;

	vmr_text_safe(text, safe, size);
	fputs(prefix, out);
	for (word = strtok_r(safe, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (!first && used + 1 + strlen(word) > VMR_PRINT_WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			used = indent;
			first = true;
		}
		fprintf(out, "%s%s", first ? "" : " ", word);
		used += strlen(word) + !first;
		first = false;
	}
	fputc('\n', out);
	free(safe);
}

/**
 * vmr_print_close() - make sure that everything was written
 * @out: closed
 *
 * Return: 0, or -1 after an error such as a full disk, with errno set.
 */
int vmr_print_close(FILE *out)
{
	bool failed = ferror(out);

	errno = 0;
	if (fclose(out) || failed) {
		if (!errno)
			errno = EIO;
		return -1;
	}
	return 0;
}
