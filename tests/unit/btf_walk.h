/* SPDX-License-Identifier: GPL-2.0-only */
/* Asking a blob, which may be anything, all that can be asked. */
#ifndef BTF_WALK_H
#define BTF_WALK_H

#include <stdio.h>
#include <string.h>

#include <linux/errno.h>
#include <linux/types.h>

#include "btf.h"

static inline bool is_field(const struct vmp_field *f, u32 byte, u32 bit, u32 bits,
			    u32 size, bool is_signed)
{
	if (f->byte == byte && f->bit == bit && f->bits == bits && f->size == size &&
	    f->is_signed == is_signed)
		return true;
	printf("# byte %u bit %u bits %u size %u signed %d\n", f->byte, f->bit, f->bits, f->size,
	       f->is_signed);
	return false;
}

static inline bool walk_one_word(const char *text)
{
	return *text && strlen(text) < VMP_ERROR_MAX && !strpbrk(text, " \t\n");
}

static inline bool walk_good_field(const struct vmp_field *f)
{
	if (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8)
		return false;
	return f->bits ? f->bit < 8 && f->bit + f->bits <= 8 * f->size : !f->bit;
}

/* Each argument is a position that an s8 holds, or -1. */
static inline bool walk_good_args(const struct vmp_args *args)
{
	return args->sc >= -1 && args->lruvec >= -1 && args->memcg >= -1 &&
	       args->pgdat >= -1 && args->nid >= -1 && args->nr_pages >= -1 &&
	       args->reclaim_options >= -1;
}

/* Return: what vmp_btf_open() did; *wrong says if anything did not hold. */
static inline int walk_btf(const void *data, size_t size, const char **wrong)
{
	static const char * const members[] = {
		"nr_to_reclaim", "nr_scanned", "nr_reclaimed", "priority", "order",
		"target_mem_cgroup", "proactive", "",
	};
	struct vmp_field field;
	struct vmp_args args;
	struct vmp_btf btf;
	const char *name;
	u32 id, i;
	int err;

	*wrong = NULL;
	err = vmp_btf_open(&btf, data, size);
	if (err) {
		if (err != -EINVAL && err != -EOPNOTSUPP && err != -ENOMEM)
			*wrong = "an error that is not documented";
		if (!walk_one_word(btf.error))
			*wrong = "the reason is not one word";
		vmp_btf_close(&btf);
		return err;
	}
	if (*btf.error || !btf.count)
		*wrong = "opened, yet an error or no void";

	id = vmp_btf_struct(&btf, "scan_control", "nr_reclaimed");
	if (id >= btf.count || (id && vmp_btf_field(&btf, id, "nr_reclaimed", &field)))
		*wrong = "a structure without the member asked for";
	id = vmp_btf_struct(&btf, "scan_control", NULL);
	for (i = 0; i < sizeof(members) / sizeof(*members); i++) {
		if (!vmp_btf_field(&btf, id, members[i], &field) && !walk_good_field(&field))
			*wrong = "a member that cannot be read";
	}
	/* What is no structure has no members; the last two are no types. */
	for (id = 0; id < btf.count + 2; id++) {
		if (!vmp_btf_field(&btf, id, "nr_reclaimed", &field) && !walk_good_field(&field))
			*wrong = "a member that cannot be read";
	}
	for (id = 1; !vmp_btf_func(&btf, &id, &name, &args); id++) {
		if (id >= btf.count || strlen(name) >= btf.strings_len || !walk_good_args(&args))
			*wrong = "a function that cannot be";
	}
	vmp_btf_close(&btf);
	if (btf.index || btf.count)
		*wrong = "closed, yet there is something left";
	return 0;
}

#endif
