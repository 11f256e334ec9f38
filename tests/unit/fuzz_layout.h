/* SPDX-License-Identifier: GPL-2.0-only */
/* What holds for any layout, wherever it comes from. */
#ifndef FUZZ_LAYOUT_H
#define FUZZ_LAYOUT_H

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kernel_read_file.h>
#include <linux/thread_info.h>

#include "layout.h"

#include "btf_walk.h"
#include "fuzz.h"

/* What vmp_layout_init() finds in place of the kernel's BTF, if anything. */
static const void *fuzz_btf;
static size_t fuzz_btf_size;

ssize_t kernel_read_file_from_path(const char *path, loff_t offset, void **buf,
				   size_t buf_size, size_t *file_size,
				   enum kernel_read_file_id id)
{
	(void)path, (void)offset, (void)id;
	if (!fuzz_btf)
		return -ENOENT;
	if (!fuzz_btf_size)
		return -EINVAL;
	if (fuzz_btf_size > buf_size)
		return -EFBIG;
	*buf = fuzz_copy(fuzz_btf, fuzz_btf_size, 0);
	*file_size = fuzz_btf_size;
	return *file_size;
}

/* Of functions without a scan_control some are wanted, and some are not. */
static bool fuzz_wanted(const char *name)
{
	return name[0] == 's' || name[0] == 't';
}

/* All that is read of a scan_control lies in what is known to be readable. */
static inline void fuzz_check_reads(void)
{
	const struct vmp_field *field;
	unsigned char *base;
	u32 i;

	base = malloc(vmp_layout.extent ? vmp_layout.extent : 1);
	for (i = 0; i < vmp_layout.extent; i++)
		base[i] = 151 * i + (i >> 8);
	for (i = 0; i < VMP_NR_FIELDS; i++) {
		field = &vmp_layout.field[i];
		if (!field->size)
			continue;
		FUZZ_WANT(walk_good_field(field));
		FUZZ_WANT(vmp_fetch((unsigned long)base, &vmp_layout.fetch[i]) ==
			  vmp_field_read(base, field));
	}
	free(base);
}

static inline void fuzz_check_layout(void)
{
	const struct vmp_function *f;
	u32 i;

	/* A scan_control lies on a stack. */
	FUZZ_WANT(vmp_layout.extent <= THREAD_SIZE);
	FUZZ_WANT(vmp_layout.stack_room == THREAD_SIZE - vmp_layout.extent);
	fuzz_check_reads();
	FUZZ_WANT(vmp_layout.btf ? !*vmp_layout.error : walk_one_word(vmp_layout.error));
	FUZZ_WANT(vmp_layout.nr_functions <= 256);
	for (i = 0; i < vmp_layout.nr_functions; i++) {
		f = &vmp_layout.functions[i];
		FUZZ_WANT(*f->name && strnlen(f->name, sizeof(f->name)) < sizeof(f->name));
		FUZZ_WANT(vmp_layout_function(f->name) == f);
		FUZZ_WANT(walk_good_args(&f->args));
		FUZZ_WANT(f->args.sc >= 0 || fuzz_wanted(f->name));
		FUZZ_WANT(!f->by_hand || f->args.sc <= 5);
	}
}

#endif
