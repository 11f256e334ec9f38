// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf_show FILE [FUNCTION...]: what the module sees in a BTF blob, an item a line:
 * members and functions as layout= takes them, then for each FUNCTION
 *
 *	FUNCTION: ARGUMENT=POSITION ...
 *
 * Exit status: 1 for a blob that is of no use, with the reason; 2 for any other error.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>
#include <linux/kernel_read_file.h>
#include <linux/mm.h>

#include "layout.h"

#include "layout_text.h"
#include "read_file.h"

static char **wanted_names;

static bool wanted(const char *name)
{
	char **n;

	for (n = wanted_names; *n; n++)
		if (!strcmp(*n, name))
			return true;
	return false;
}

ssize_t kernel_read_file_from_path(const char *path, loff_t offset, void **buf,
				   size_t buf_size, size_t *file_size,
				   enum kernel_read_file_id id)
{
	(void)path, (void)offset, (void)buf, (void)buf_size, (void)file_size, (void)id;
	return -ENOENT;
}

static void show_args(const struct vmp_function *f)
{
	static const char * const names[] = {
		"sc", "lruvec", "memcg", "pgdat", "nid", "nr_pages", "reclaim_options",
	};
	const s8 args[] = {
		f->args.sc, f->args.lruvec, f->args.memcg, f->args.pgdat, f->args.nid,
		f->args.nr_pages, f->args.reclaim_options,
	};
	size_t i;

	printf("%s:", f->name);
	for (i = 0; i < ARRAY_SIZE(args); i++)
		if (args[i] >= 0)
			printf(" %s=%d", names[i], args[i]);
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct vmp_layout layout = {}, again = {};
	char by_hand[1024], *end;
	size_t size;
	char *data;
	u32 i;

	if (argc < 2)
		errx(2, "usage: btf_show FILE [FUNCTION...]");
	wanted_names = argv + 2;
	data = read_file(argv[1], &size);
	layout.functions = calloc(256, sizeof(*layout.functions));
	again.functions = calloc(256, sizeof(*again.functions));
	if (vmp_layout_from_btf(&layout, data, size, wanted))
		errx(1, "%s: %s", argv[1], layout.error);

	layout_text(by_hand, &layout);
	/* What is shown can be given by hand, and means the same. */
	if (vmp_layout_parse(&again, by_hand))
		errx(2, "layout=%s would be refused", by_hand);
	for (i = 0; i < VMP_NR_FIELDS; i++)
		if (memcmp(&layout.field[i], &again.field[i], sizeof(layout.field[i])))
			errx(2, "%s would be another member", layout_names[i]);

	for (end = by_hand; *end; end++)
		if (*end == ',')
			*end = '\n';
	puts(by_hand);
	for (i = 0; i < layout.nr_functions; i++)
		if (layout.functions[i].args.sc >= 0)
			printf("%s#%d\n", layout.functions[i].name, layout.functions[i].args.sc);
	for (i = 0; i < layout.nr_functions; i++)
		if (wanted(layout.functions[i].name))
			show_args(&layout.functions[i]);
	free(layout.functions);
	free(again.functions);
	free(data);
	return 0;
}
