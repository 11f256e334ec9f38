// SPDX-License-Identifier: GPL-2.0-only
/* A table that the reader is given, or the list of mounts, is anything: the input. */
#include <sys/mman.h>
#include <unistd.h>

#include "hist.h"
#include "read.h"
#include "sum.h"
#include "text.h"

#include "fuzz.h"

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void check_same(const struct vmr_table *a, const struct vmr_table *b)
{
	size_t i;

	FUZZ_WANT(same(a->name, b->name) && a->format == b->format);
	FUZZ_WANT(a->nr_columns == b->nr_columns && a->nr_rows == b->nr_rows);
	for (i = 0; i < a->nr_columns; i++)
		FUZZ_WANT(same(a->columns[i], b->columns[i]));
	for (i = 0; i < a->nr_rows * a->nr_columns; i++)
		FUZZ_WANT(same(a->cells[i], b->cells[i]));
}

/* What was understood, written again, is the same table. */
static void check_again(const struct vmr_table *table)
{
	struct vmr_table again;
	struct vmr_error err;
	size_t size, i, j;
	const char *cell;
	char *text, *out;
	FILE *file;

	file = open_memstream(&text, &size);
	fprintf(file, "# vmprobe %u %s\n", table->format, table->name);
	for (j = 0; j < table->nr_columns; j++)
		fprintf(file, "%s%s", j ? " " : "", table->columns[j]);
	fputc('\n', file);
	for (i = 0; i < table->nr_rows; i++) {
		for (j = 0; j < table->nr_columns; j++) {
			cell = vmr_table_cell(table, i, j);
			out = cell ? malloc(VMR_TEXT_ESCAPED(strlen(cell))) : NULL;
			if (out)
				vmr_text_escape(cell, true, out, VMR_TEXT_ESCAPED(strlen(cell)));
			fprintf(file, "%s%s", j ? " " : "", out ? out : "-");
			free(out);
		}
		fputc('\n', file);
	}
	fclose(file);
	/* The table's own text ends with a NUL, as open_memstream()'s does. */
	FUZZ_WANT(!vmr_table_parse(&again, "again", text, size, &err));
	check_same(table, &again);
	vmr_table_free(&again);
}

/* Cells lie in the text, one behind the other. */
static void check_cells(const struct vmr_table *table, size_t size)
{
	const char *end = table->text;
	size_t i;

	for (i = 0; i < table->nr_rows * table->nr_columns; i++) {
		if (!table->cells[i])
			continue;
		FUZZ_WANT(table->cells[i] > end);
		end = table->cells[i] + strlen(table->cells[i]);
		FUZZ_WANT(end < table->text + size);
	}
}

/* Whatever takes a single table. */
static void use(const struct vmr_table *table)
{
	const char *keys[VMR_SUM_KEYS + 1] = { NULL };
	struct vmr_grouping grouping;
	struct vmr_hist hist;
	struct vmr_num num;
	struct vmr_error err;
	const char *cell;
	size_t i, j, rows;

	for (j = 0; j < table->nr_columns; j++) {
		FUZZ_WANT(vmr_table_column(table, table->columns[j]) == (int)j);
		for (i = 0; i < table->nr_rows; i++) {
			cell = vmr_table_cell(table, i, j);
			if (vmr_table_number(table, i, j, &num, &err))
				FUZZ_WANT(cell && !num.known);
			else
				FUZZ_WANT(num.known == !!cell);
			if (!j && cell)
				vmr_table_lookup_number(table, cell);
		}
	}
	for (j = 0; j < table->nr_columns && j < VMR_SUM_KEYS; j++)
		keys[j] = table->columns[j];
	if (!vmr_sum_group(table, keys, VMR_ALL, NULL, &grouping, &err)) {
		for (i = rows = 0; i < grouping.nr_groups; i++)
			rows += grouping.groups[i].nr_rows;
		FUZZ_WANT(rows == table->nr_rows);
		vmr_sum_order(&grouping, VMP_C_total_ns);
	}
	vmr_sum_free(&grouping);
	if (!vmr_hist_collect(table, "shrink_zone", &hist, &err)) {
		num = vmr_hist_percentile(&hist, 990, (struct vmr_num) { 0 });
		FUZZ_WANT(!num.known || hist.nr);
	}
	vmr_hist_free(&hist);
}

/* The same through a file, and as a file of another kind. */
static void check_file(const char *data, size_t size, const struct vmr_table *table, bool good)
{
	struct vmr_source source = { .path = "/proc/self/fd" };
	char name[16], path[64], point[32];
	struct vmr_table read;
	struct vmr_error err;
	int fd;

	fd = memfd_create("fuzz", MFD_CLOEXEC);
	FUZZ_WANT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(name, sizeof(name), "%d", fd);
	snprintf(path, sizeof(path), "%s/%s", source.path, name);
	FUZZ_WANT(vmr_read_has(&source, name));
	vmr_read_table(&source, name, &read, &err);
	if (good)
		check_same(table, &read);
	vmr_table_free(&read);
	vmr_read_mount(path, point, sizeof(point));
	FUZZ_WANT(strnlen(point, sizeof(point)) < sizeof(point));
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size, 1);
	struct vmr_table table;
	struct vmr_error err;
	bool good;

	/* The text belongs to the table from now on. */
	good = !vmr_table_parse(&table, "table", text, size, &err);
	if (good) {
		check_cells(&table, size);
		use(&table);
		check_again(&table);
	}
	/* A list of mounts hardly begins as a table does, and files take their time. */
	if (!size || *data != '#' || size % 8 == 0)
		check_file((const char *)data, size, &table, good);
	fuzz_accepted += good && table.nr_rows;
	vmr_table_free(&table);
	return 0;
}
