// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf_cut IN OUT [N]: a small blob out of a kernel's: struct scan_control, the
 * functions that take one, and what both are made of; with N, the first N types.
 * Other structures lose their members, so that not all of the kernel comes along.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>

#include "btf.h"

#include "btf_make.h"
#include "read_file.h"

#define ENUM_MAX	4	/* what is kept of an enum */

/*
 * What is in a record: n is the offset of a name, t is a type, w any other word;
 * first in its third word, then in each of what follows.
 */
static const struct {
	const char *third;
	const char *item;
	bool many;
} kinds[] = {
	[MK_INT]	= { "w", "w", false },
	[MK_PTR]	= { "t", "", false },
	[MK_ARRAY]	= { "w", "ttw", false },
	[MK_STRUCT]	= { "w", "ntw", true },
	[MK_UNION]	= { "w", "ntw", true },
	[MK_ENUM]	= { "w", "nw", true },
	[MK_FWD]	= { "w", "", false },
	[MK_TYPEDEF]	= { "t", "", false },
	[MK_VOLATILE]	= { "t", "", false },
	[MK_CONST]	= { "t", "", false },
	[MK_RESTRICT]	= { "t", "", false },
	[MK_FUNC]	= { "t", "", false },
	[MK_FUNC_PROTO]	= { "t", "nt", true },
	[MK_VAR]	= { "t", "w", false },
	[MK_DATASEC]	= { "w", "tww", true },
	[MK_FLOAT]	= { "w", "", false },
	[MK_DECL_TAG]	= { "t", "w", false },
	[MK_TYPE_TAG]	= { "t", "", false },
	[MK_ENUM64]	= { "w", "nww", true },
};

static struct vmp_btf btf;
static bool everything;
static u32 *number;		/* of each type in the new blob, 0 for one that is not kept */
static struct mk mk;

static const u32 *record(u32 id)
{
	return (const u32 *)(btf.types + btf.index[id]);
}

static u32 kind_of(u32 id)
{
	return record(id)[1] >> 24 & 0x1f;
}

static const char *name_at(u32 offset)
{
	return offset < btf.strings_len ? btf.strings + offset : "";
}

/* How many items of a type are kept. */
static u32 kept(u32 id)
{
	u32 n = record(id)[1] & 0xffff;

	switch (kind_of(id)) {
	case MK_STRUCT:
	case MK_UNION:
		return everything || !strcmp(name_at(record(id)[0]), "scan_control") ? n : 0;
	case MK_ENUM:
	case MK_ENUM64:
		return min_t(u32, n, ENUM_MAX);
	}
	return kinds[kind_of(id)].many ? n : 1;
}

/* Calls fn(kind of word, word) for each word but the first two. */
static void each_word(u32 id, void (*fn)(char what, u32 word))
{
	const u32 *word = record(id) + 2;
	const char *item;
	u32 i;

	fn(*kinds[kind_of(id)].third, *word++);
	for (i = 0; i < kept(id); i++)
		for (item = kinds[kind_of(id)].item; *item; item++)
			fn(*item, *word++);
}

static void keep(u32 id);

static void keep_word(char what, u32 word)
{
	if (what == 't')
		keep(word);
}

static void keep(u32 id)
{
	if (!id || id >= btf.count || number[id])
		return;
	number[id] = 1;
	each_word(id, keep_word);
}

static void write_word(char what, u32 word)
{
	if (what == 'n')
		word = mk_string(&mk, name_at(word));
	else if (what == 't' && !everything)
		word = number[word];
	mk_word(&mk, word);
}

static void write_type(u32 id)
{
	const u32 *old = record(id);

	write_word('n', old[0]);
	mk_word(&mk, kinds[kind_of(id)].many ? (old[1] & ~0xffff) | kept(id) : old[1]);
	each_word(id, write_word);
}

/* Those of interest even if they take no scan_control. */
static bool wanted(const char *name)
{
	return !strcmp(name, "try_to_free_mem_cgroup_pages") || !strcmp(name, "balance_pgdat") ||
	       !strcmp(name, "try_to_free_pages") || !strcmp(name, "shrink_slab");
}

int main(int argc, char **argv)
{
	struct vmp_args args;
	const char *name;
	size_t size;
	void *data, *blob;
	FILE *out;
	u32 id, n;

	if (argc < 3)
		errx(2, "usage: btf_cut IN OUT [N]");
	data = read_file(argv[1], &size);
	if (vmp_btf_open(&btf, data, size))
		errx(1, "%s: %s", argv[1], btf.error);
	number = calloc(btf.count, sizeof(*number));
	if (!number)
		err(2, "%s", argv[1]);

	if (argc > 3) {
		everything = true;
		for (id = 1; id < btf.count && id <= strtoul(argv[3], NULL, 10); id++)
			number[id] = 1;
	} else {
		keep(vmp_btf_struct(&btf, "scan_control", "nr_reclaimed"));
		for (id = 1; !vmp_btf_func(&btf, &id, &name, &args); id++)
			if (args.sc >= 0 || wanted(name))
				keep(id);
	}
	for (id = 1, n = 0; id < btf.count; id++)
		if (number[id])
			number[id] = ++n;
	for (id = 1; id < btf.count; id++)
		if (number[id])
			write_type(id);

	blob = mk_blob(&mk, &size);
	out = fopen(argv[2], "w");
	if (!out || fwrite(blob, size, 1, out) != 1 || fclose(out))
		err(2, "%s", argv[2]);
	vmp_btf_close(&btf);
	free(blob);
	free(number);
	free(data);
	return 0;
}
