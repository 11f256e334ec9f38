/* SPDX-License-Identifier: GPL-2.0-only */
/* Printing: grids of aligned columns, and wrapped text. */
#ifndef VMR_PRINT_H
#define VMR_PRINT_H

#include <stdbool.h>
#include <stdio.h>

/* What a screen is taken to have. */
#define VMR_PRINT_WIDTH	100

enum vmr_align { VMR_LEFT, VMR_RIGHT };

/**
 * struct vmr_column - one column of a grid
 * @header: one line, or several with newlines between
 * @align: of the header and the cells
 */
struct vmr_column {
	const char *header;
	enum vmr_align align;
};

/**
 * struct vmr_grid - cells that are printed as aligned columns
 * @columns: what each is
 * @nr_columns: number of columns
 * @cells: row by row
 * @nr_cells: cells so far
 * @room: cells that fit
 */
struct vmr_grid {
	const struct vmr_column *columns;
	size_t nr_columns;
	char **cells;
	size_t nr_cells;
	size_t room;
};

void vmr_print_cell(struct vmr_grid *grid, const char *text);
void vmr_print_name(struct vmr_grid *grid, const char *name, bool spaces);
void vmr_print_grid(struct vmr_grid *grid, size_t width, FILE *out);
void vmr_print_wrapped(const char *prefix, const char *text, FILE *out);
int vmr_print_close(FILE *out);

#endif
