// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on the reader of BTF, and on the reader of layout= when the first byte
 * is a letter: no blob begins with one.
 */
#include <stdlib.h>

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kernel_read_file.h>

#include "layout.h"

#include "btf_make.h"
#include "btf_walk.h"

static struct vmp_layout layout;

ssize_t kernel_read_file_from_path(const char *path, loff_t offset, void **buf,
				   size_t buf_size, size_t *file_size,
				   enum kernel_read_file_id id)
{
	(void)path, (void)offset, (void)buf, (void)buf_size, (void)file_size, (void)id;
	return -ENOENT;
}

static bool wanted(const char *name)
{
	return name[0] == 's';
}

static void begin(void)
{
	free(layout.functions);
	memset(&layout, 0, sizeof(layout));
	layout.functions = calloc(256, sizeof(*layout.functions));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const char *wrong;
	char *copy;
	u32 i;
	int err;

	begin();
	/* The data need not be aligned, but what the kernel allocates is. */
	copy = malloc(size + 1);
	if (size && ((data[0] | 0x20) >= 'a' && (data[0] | 0x20) <= 'z')) {
		memcpy(copy, data, size);
		copy[size] = '\0';
		err = vmp_layout_parse(&layout, copy);
		if (err && err != -EINVAL)
			abort();
		free(copy);
	} else {
		copy = realloc(copy, size ? size : 1);
		memcpy(copy, data, size);
		walk_btf(copy, size, &wrong);
		if (wrong) {
			fprintf(stderr, "%s\n", wrong);
			abort();
		}
		err = vmp_layout_from_btf(&layout, copy, size, wanted);
		if (!err != layout.btf)
			abort();
		free(copy);
	}
	for (i = 0; i < VMP_NR_FIELDS; i++)
		if (layout.field[i].size && !walk_good_field(&layout.field[i]))
			abort();
	if (layout.nr_functions > 256)
		abort();
	return 0;
}

/* Something to begin with, since no accident would make it; see Makefile. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char text[] = "order@56:s8,proactive@40.7:1,shrink_node#1";
	static struct mk mk;
	const char *dir;
	char name[4096];
	size_t size, i;
	void *blob;
	FILE *file;
	u32 id;

	(void)argc, (void)argv;
	dir = getenv("FUZZ_SEEDS");
	if (!dir)
		return 0;
	mk_int(&mk, "long", 8, true);
	mk_type(&mk, MK_TYPEDEF, "scan_control", 1);
	mk_type(&mk, MK_CONST, "", 2);
	id = mk_type(&mk, MK_STRUCT | MK_FLAG, "scan_control", 64);
	mk_bits(&mk, "nr_reclaimed", 3, 8, 0, 0);
	mk_bits(&mk, "proactive", 1, 16, 7, 1);
	id = mk_type(&mk, MK_PTR, "", id);
	mk_type(&mk, MK_FUNC_PROTO, "", 0);
	mk_arg(&mk, "nid", 1);
	mk_arg(&mk, "sc", id);
	mk_func(&mk, "shrink_node");
	mk_type(&mk, MK_ENUM64, "e", 8);
	mk_more(&mk);
	for (i = 0; i < 3; i++)
		mk_word(&mk, 0);
	blob = mk_blob(&mk, &size);
	for (i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "%s/seed-%zu", dir, i);
		file = fopen(name, "w");
		if (!file || fwrite(i ? text : blob, i ? sizeof(text) - 1 : size, 1, file) != 1 ||
		    fclose(file)) {
			perror(name);
			exit(1);
		}
	}
	free(blob);
	return 0;
}
