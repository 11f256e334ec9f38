// SPDX-License-Identifier: GPL-2.0-only
/* The reader of BTF, on blobs made by hand, whole, cut short and changed. */
#include <stdlib.h>

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>

#include "btf.h"

#include "btf_make.h"
#include "btf_walk.h"
#include "tap.h"

static struct mk mk;
static struct vmp_btf btf;
static void *blob;

static void begin(void)
{
	memset(&mk, 0, sizeof(mk));
}

static int open_blob(void)
{
	size_t size;

	blob = mk_blob(&mk, &size);
	return vmp_btf_open(&btf, blob, size);
}

static void close_blob(void)
{
	vmp_btf_close(&btf);
	free(blob);
}

/* Types that members are made of, and what is to be seen of each. */
static struct type_case {
	const char *name;
	u32 id;
	u8 size;	/* 0: it cannot be read */
	bool is_signed;
} cases[48];
static u32 nr_cases;

static void type_case(const char *name, u32 id, u8 size, bool is_signed)
{
	cases[nr_cases++] = (struct type_case){ name, id, size, is_signed };
}

static u32 chain(u32 id, unsigned int length)
{
	static const u32 kinds[] = {
		MK_TYPEDEF, MK_CONST, MK_VOLATILE, MK_RESTRICT, MK_TYPE_TAG,
	};

	while (length--)
		id = mk_type(&mk, kinds[length % 5], "link", id);
	return id;
}

static void make_types(void)
{
	u32 u8_id, s32_id, ulong_id, s8_id, inner, id;

	u8_id = mk_int(&mk, "unsigned char", 1, false);
	s8_id = mk_int(&mk, "signed char", 1, true);
	s32_id = mk_int(&mk, "int", 4, true);
	ulong_id = mk_int(&mk, "unsigned long", 8, false);
	inner = mk_type(&mk, MK_STRUCT, "inner", 4);
	mk_member(&mk, "nr_reclaimed", s32_id, 0);

	type_case("an unsigned char", u8_id, 1, false);
	type_case("a signed char", s8_id, 1, true);
	type_case("a signed char without a sign, as old tools made it",
		  mk_int(&mk, "signed char", 1, false), 1, true);
	type_case("an unsigned short", mk_int(&mk, "unsigned short", 2, false), 2, false);
	type_case("a short", mk_int(&mk, "short", 2, true), 2, true);
	type_case("an unsigned int", mk_int(&mk, "unsigned int", 4, false), 4, false);
	type_case("an int", s32_id, 4, true);
	type_case("an unsigned long", ulong_id, 8, false);
	type_case("a long", mk_int(&mk, "long", 8, true), 8, true);
	type_case("an integer of 16 bytes", mk_int(&mk, "__int128", 16, true), 0, false);
	type_case("an integer of 3 bytes", mk_int(&mk, "odd", 3, true), 0, false);
	type_case("an integer of no bytes", mk_int(&mk, "none", 0, true), 0, false);
	type_case("a pointer to void", mk_type(&mk, MK_PTR, "", 0), 8, false);
	type_case("a pointer to a structure", mk_type(&mk, MK_PTR, "", inner), 8, false);
	type_case("a pointer to nothing known", mk_type(&mk, MK_PTR, "", 9999), 8, false);
	id = mk_type(&mk, MK_FUNC_PROTO, "", 0);
	type_case("a prototype", id, 0, false);
	type_case("a pointer to a function", mk_type(&mk, MK_PTR, "", id), 8, false);
	type_case("a typedef", mk_type(&mk, MK_TYPEDEF, "gfp_t", s8_id), 1, true);
	type_case("31 typedefs and qualifiers in a row", chain(s32_id, 31), 4, true);
	type_case("too many in a row", chain(s32_id, 32), 0, false);
	type_case("a typedef of a structure", mk_type(&mk, MK_TYPEDEF, "t", inner), 0, false);
	type_case("a typedef of void", mk_type(&mk, MK_TYPEDEF, "t", 0), 0, false);
	type_case("a typedef of itself",
		  mk_type(&mk, MK_TYPEDEF, "t", mk.count + 1), 0, false);
	mk_type(&mk, MK_CONST, "", mk.count + 2);
	type_case("two that are typedefs of each other",
		  mk_type(&mk, MK_TYPEDEF, "t", mk.count), 0, false);
	id = mk_type(&mk, MK_ENUM, "e", 4);
	mk_more(&mk);
	mk_word(&mk, mk_string(&mk, "ONE"));
	mk_word(&mk, 1);
	type_case("an enum", id, 4, false);
	type_case("an enum of 1 byte", mk_type(&mk, MK_ENUM, "e", 1), 1, false);
	type_case("a signed enum", mk_type(&mk, MK_ENUM | MK_FLAG, "e", 4), 4, true);
	id = mk_type(&mk, MK_ENUM64, "e64", 8);
	mk_more(&mk);
	mk_word(&mk, mk_string(&mk, "ONE"));
	mk_word(&mk, 1);
	mk_word(&mk, 0);
	type_case("an enum of 8 bytes", id, 8, false);
	type_case("a signed enum of 8 bytes", mk_type(&mk, MK_ENUM64 | MK_FLAG, "e64", 8), 8, true);
	type_case("a structure", inner, 0, false);
	id = mk_type(&mk, MK_UNION, "either", 4);
	mk_member(&mk, "nr_reclaimed", s32_id, 0);
	type_case("a union", id, 0, false);
	id = mk_type(&mk, MK_ARRAY, "", 0);
	mk_word(&mk, u8_id);
	mk_word(&mk, s32_id);
	mk_word(&mk, 4);
	type_case("an array", id, 0, false);
	type_case("a float", mk_type(&mk, MK_FLOAT, "double", 8), 0, false);
	type_case("a forward declaration", mk_type(&mk, MK_FWD, "later", 0), 0, false);
	type_case("void", 0, 0, false);
	type_case("a type that there is not", 9999, 0, false);
	type_case("a type of the largest number", ~0u, 0, false);
	/* Bit fields as they were before kind_flag: what they hold is not all. */
	type_case("1 bit of an int", mk_int_bits(&mk, "unsigned int", 4, false, 0, 1), 0, false);
	type_case("7 bits of a char", mk_int_bits(&mk, "char", 1, true, 0, 7), 0, false);
	type_case("an int from its second bit on",
		  mk_int_bits(&mk, "unsigned int", 4, false, 1, 32), 0, false);

	/* Kinds that are only stepped over. */
	id = mk_type(&mk, MK_VAR, "variable", s32_id);
	mk_word(&mk, 1);
	mk_type(&mk, MK_DATASEC, ".data", 4);
	mk_more(&mk);
	mk_word(&mk, id);
	mk_word(&mk, 0);
	mk_word(&mk, 4);
	mk_type(&mk, MK_DECL_TAG, "tag", id);
	mk_word(&mk, ~0u);
}

/* Ordinary members, the same in a structure with kind_flag and in one without. */
static void test_members(bool flag)
{
	const char *with = flag ? ", with bit fields about" : "";
	struct vmp_field f;
	u32 id, first, other;
	char name[16];
	u32 i;

	begin();
	nr_cases = 0;
	make_types();
	first = cases[0].id;
	other = mk_type(&mk, MK_STRUCT, "scan_control", 8);
	mk_member(&mk, "other", first, 0);
	mk_type(&mk, MK_STRUCT, "scan_control", 8);
	mk_member(&mk, "nr_reclaimed", 0, 0);
	mk_type(&mk, MK_UNION, "scan_control", 8);
	mk_member(&mk, "nr_reclaimed", first, 0);
	mk_type(&mk, MK_FWD, "scan_control", 0);
	mk_type(&mk, MK_TYPEDEF, "scan_control", first);
	id = mk_type(&mk, MK_STRUCT | (flag ? MK_FLAG : 0), "scan_control", 65535);
	mk_member(&mk, "nr_reclaimed", first, 8);
	for (i = 0; i < nr_cases; i++) {
		snprintf(name, sizeof(name), "m%u", i);
		mk_member(&mk, name, cases[i].id, 8 * 16 * (i + 1));
	}
	tap_ok(!open_blob() && btf.count == mk.count + 1, "each type counts%s", with);
	tap_ok(vmp_btf_struct(&btf, "scan_control", NULL) == other, "a structure by its name");
	tap_ok(vmp_btf_struct(&btf, "scan_control", "nr_reclaimed") == id,
	       "the one that has the member");
	tap_ok(!vmp_btf_struct(&btf, "scan_control", "nr_reclaime") &&
	       !vmp_btf_struct(&btf, "scan_contro", NULL) &&
	       !vmp_btf_struct(&btf, "scan_control2", NULL) && !vmp_btf_struct(&btf, "", NULL) &&
	       !vmp_btf_struct(&btf, "variable", NULL), "no other, part or whole");
	for (i = 0; i < nr_cases; i++) {
		int err;

		snprintf(name, sizeof(name), "m%u", i);
		err = vmp_btf_field(&btf, id, name, &f);
		if (cases[i].size)
			tap_ok(!err && is_field(&f, 16 * (i + 1), 0, 0, cases[i].size,
						cases[i].is_signed), "%s%s", cases[i].name, with);
		else
			tap_ok(err == -EINVAL, "%s is no value%s", cases[i].name, with);
	}
	tap_ok(vmp_btf_field(&btf, id, "m", &f) == -ENOENT &&
	       vmp_btf_field(&btf, id, "m999", &f) == -ENOENT &&
	       vmp_btf_field(&btf, id, "", &f) == -ENOENT, "members that there are not");
	tap_ok(vmp_btf_field(&btf, first, "m1", &f) == -ENOENT &&
	       vmp_btf_field(&btf, 0, "m1", &f) == -ENOENT &&
	       vmp_btf_field(&btf, btf.count, "m1", &f) == -ENOENT &&
	       vmp_btf_field(&btf, ~0u, "m1", &f) == -ENOENT, "members of what is no structure");
	close_blob();
}

static void test_bits(void)
{
	static const struct {
		u32 byte, bit, bits;
		u8 size;	/* of what is read; 0: cannot be read */
	} table[] = {
		{ 40, 0, 1, 1 }, { 40, 7, 1, 1 }, { 40, 6, 2, 1 }, { 40, 7, 2, 2 }, { 41, 0, 8, 1 },
		{ 41, 1, 8, 2 }, { 40, 4, 12, 2 }, { 41, 5, 11, 2 }, { 40, 5, 12, 4 },
		{ 40, 3, 20, 4 }, { 40, 0, 32, 4 }, { 40, 1, 32, 8 }, { 40, 5, 30, 8 },
		{ 40, 0, 64, 8 }, { 40, 7, 57, 8 }, { 40, 1, 64, 0 }, { 40, 7, 58, 0 },
		{ 40, 0, 65, 0 }, { 40, 0, 255, 0 },
		/* The structure ends at 64; the file knows nothing beyond. */
		{ 63, 7, 1, 1 }, { 62, 7, 9, 2 }, { 63, 7, 2, 0 }, { 56, 7, 57, 8 },
		{ 61, 0, 24, 0 }, { 64, 0, 1, 0 }, { 0x1fffff, 7, 1, 0 },
	};
	struct vmp_field f;
	u32 unsigned_id, signed_id, typedef_id, inner, id, plain, i;
	char name[16];
	int err;

	begin();
	unsigned_id = mk_int(&mk, "unsigned int", 4, false);
	signed_id = mk_int(&mk, "int", 4, true);
	typedef_id = chain(unsigned_id, 3);
	inner = mk_type(&mk, MK_STRUCT, "inner", 4);
	id = mk_type(&mk, MK_STRUCT | MK_FLAG, "scan_control", 64);
	for (i = 0; i < ARRAY_SIZE(table); i++) {
		snprintf(name, sizeof(name), "u%u", i);
		mk_bits(&mk, name, unsigned_id, table[i].byte, table[i].bit, table[i].bits);
		snprintf(name, sizeof(name), "s%u", i);
		mk_bits(&mk, name, signed_id, table[i].byte, table[i].bit, table[i].bits);
	}
	mk_bits(&mk, "typedef", typedef_id, 1, 2, 3);
	mk_bits(&mk, "struct", inner, 0, 0, 1);
	mk_bits(&mk, "between bytes", unsigned_id, 4, 1, 0);
	plain = mk_type(&mk, MK_STRUCT, "plain", 65535);
	mk_member(&mk, "between bytes", unsigned_id, 33);
	mk_member(&mk, "last", unsigned_id, 8 * 65531);
	mk_member(&mk, "beyond", unsigned_id, 8 * 65532);
	mk_member(&mk, "far", unsigned_id, 8 * 65536);
	mk_member(&mk, "farthest", unsigned_id, ~7u);

	tap_ok(!open_blob(), "a structure of bit fields");
	for (i = 0; i < 2 * ARRAY_SIZE(table); i++) {
		bool is_signed = i % 2;

		snprintf(name, sizeof(name), "%c%u", is_signed ? 's' : 'u', i / 2);
		err = vmp_btf_field(&btf, id, name, &f);
		tap_ok(table[i / 2].size ?
		       !err && is_field(&f, table[i / 2].byte, table[i / 2].bit, table[i / 2].bits,
					table[i / 2].size, is_signed) : err == -EINVAL,
		       "%s %u bits at %u.%u%s", is_signed ? "signed" : "unsigned", table[i / 2].bits,
		       table[i / 2].byte, table[i / 2].bit,
		       table[i / 2].size ? "" : " are not to be had");
	}
	tap_ok(!vmp_btf_field(&btf, id, "typedef", &f) && is_field(&f, 1, 2, 3, 1, false),
	       "bits of a typedef");
	tap_ok(vmp_btf_field(&btf, id, "struct", &f) == -EINVAL, "bits of a structure");
	tap_ok(vmp_btf_field(&btf, id, "between bytes", &f) == -EINVAL &&
	       vmp_btf_field(&btf, plain, "between bytes", &f) == -EINVAL,
	       "an ordinary member begins with a byte");
	tap_ok(!vmp_btf_field(&btf, plain, "last", &f) && is_field(&f, 65531, 0, 0, 4, false),
	       "a member at the end");
	tap_ok(vmp_btf_field(&btf, plain, "beyond", &f) == -EINVAL &&
	       vmp_btf_field(&btf, plain, "far", &f) == -EINVAL &&
	       vmp_btf_field(&btf, plain, "farthest", &f) == -EINVAL, "members beyond the end");
	close_blob();
}

static u32 pointer_to(u32 kind, const char *name)
{
	return mk_type(&mk, MK_PTR, "", mk_type(&mk, kind, name, 0));
}

static bool same_args(const struct vmp_args *a, struct vmp_args b)
{
	return !memcmp(a, &b, sizeof(b));
}

static bool next_func(u32 *id, const char *expected, struct vmp_args args)
{
	struct vmp_args got;
	const char *name;
	bool good;

	if (vmp_btf_func(&btf, id, &name, &got))
		return false;
	good = !strcmp(name, expected) && same_args(&got, args);
	if (!good)
		printf("# %s sc %d lruvec %d memcg %d pgdat %d nid %d nr_pages %d options %d\n",
		       name, got.sc, got.lruvec, got.memcg, got.pgdat, got.nid, got.nr_pages,
		       got.reclaim_options);
	++*id;
	return good;
}

static void test_functions(void)
{
	u32 sc, const_sc, fwd_sc, union_sc, sc_sc, sc_typedef, lruvec, memcg, pgdat, int_id, u8_id,
	    int_ptr, sc_struct, enum_id, loop, id, i;
	struct vmp_args args, got;
	const char *text;
	char name[16];

	begin();
	int_id = mk_int(&mk, "int", 4, true);
	u8_id = mk_int(&mk, "unsigned char", 1, false);
	int_ptr = mk_type(&mk, MK_PTR, "", int_id);
	enum_id = mk_type(&mk, MK_ENUM, "e", 4);
	sc_struct = mk_type(&mk, MK_STRUCT, "scan_control", 8);
	sc = mk_type(&mk, MK_PTR, "", sc_struct);
	const_sc = mk_type(&mk, MK_CONST, "", mk_type(&mk, MK_PTR, "",
			   mk_type(&mk, MK_CONST, "", sc_struct)));
	sc_typedef = mk_type(&mk, MK_TYPEDEF, "sc_t", sc);
	sc_sc = mk_type(&mk, MK_PTR, "", sc);
	fwd_sc = pointer_to(MK_FWD, "scan_control");
	union_sc = pointer_to(MK_UNION, "scan_control");
	lruvec = pointer_to(MK_STRUCT, "lruvec");
	memcg = pointer_to(MK_STRUCT, "mem_cgroup");
	pgdat = pointer_to(MK_FWD, "pglist_data");
	loop = mk_type(&mk, MK_TYPEDEF, "loop", mk.count + 1);

	for (i = 0; i < 6; i++) {
		u32 j;

		mk_type(&mk, MK_FUNC_PROTO, "", int_id);
		for (j = 0; j < 6; j++)
			mk_arg(&mk, i == j ? "sc" : "x", i == j ? sc : int_id);
		snprintf(name, sizeof(name), "sc_at_%u", i);
		mk_func(&mk, name);
	}
	mk_type(&mk, MK_FUNC_PROTO, "", 0);
	mk_func(&mk, "nothing");
	mk_type(&mk, MK_FUNC_PROTO, "", int_id);
	mk_arg(&mk, "lruvec", lruvec);
	mk_arg(&mk, "memcg", memcg);
	mk_arg(&mk, "pgdat", pgdat);
	mk_arg(&mk, "nid", int_id);
	mk_arg(&mk, "nr_pages", int_id);
	mk_arg(&mk, "reclaim_options", u8_id);
	mk_arg(&mk, "", 0);
	mk_func(&mk, "all_others");
	mk_type(&mk, MK_FUNC_PROTO, "", int_id);
	mk_arg(&mk, "nid", int_ptr);
	mk_arg(&mk, "nr_pages", sc_struct);
	mk_arg(&mk, "reclaim_options", 0);
	mk_arg(&mk, "nid", loop);
	mk_func(&mk, "names_of_no_integers");
	mk_type(&mk, MK_FUNC_PROTO, "", int_id);
	mk_arg(&mk, "a", const_sc);
	mk_arg(&mk, "nid", enum_id);
	mk_func(&mk, "const_pointer_to_const");
	mk_type(&mk, MK_FUNC_PROTO, "", int_id);
	mk_arg(&mk, "nid", sc_typedef);
	mk_func(&mk, "typedef_of_pointer");
	mk_type(&mk, MK_FUNC_PROTO, "", int_id);
	mk_arg(&mk, "a", fwd_sc);
	mk_func(&mk, "pointer_to_declared");
	mk_type(&mk, MK_FUNC_PROTO, "", int_id);
	mk_arg(&mk, "sc", sc_sc);
	mk_arg(&mk, "sc", union_sc);
	mk_arg(&mk, "scan_control", int_id);
	mk_arg(&mk, "sc", sc_struct);
	mk_arg(&mk, "sc", loop);
	mk_arg(&mk, "sc", 9999);
	mk_func(&mk, "nearly");
	mk_type(&mk, MK_FUNC, "of_an_int", int_id);
	mk_type(&mk, MK_FUNC, "of_nothing", 0);
	mk_type(&mk, MK_FUNC, "of_no_type", 9999);
	mk_type(&mk, MK_FUNC_PROTO, "", int_id);
	for (i = 0; i < 200; i++)
		mk_arg(&mk, "x", i == 126 || i == 127 || i == 199 ? sc : int_id);
	mk_func(&mk, "too_many");

	tap_ok(!open_blob(), "functions");
	id = 1;
	for (i = 0; i < 6; i++) {
		args = VMP_ARGS_NONE;
		args.sc = i;
		snprintf(name, sizeof(name), "sc_at_%u", i);
		tap_ok(next_func(&id, name, args), "a scan_control as argument %u", i);
	}
	tap_ok(next_func(&id, "nothing", VMP_ARGS_NONE), "no arguments");
	tap_ok(next_func(&id, "all_others", (struct vmp_args){ -1, 0, 1, 2, 3, 4, 5 }),
	       "every other argument, and a variable number of more");
	tap_ok(next_func(&id, "names_of_no_integers", VMP_ARGS_NONE),
	       "what has an integer's name but is none");
	args = VMP_ARGS_NONE;
	args.sc = 0;
	args.nid = 1;
	tap_ok(next_func(&id, "const_pointer_to_const", args), "const twice, and an enum");
	args.nid = -1;
	tap_ok(next_func(&id, "typedef_of_pointer", args), "the type counts more than the name");
	tap_ok(next_func(&id, "pointer_to_declared", args), "a structure only declared");
	tap_ok(next_func(&id, "nearly", VMP_ARGS_NONE), "what is nearly a pointer to scan_control");
	args.sc = 126;
	tap_ok(next_func(&id, "too_many", args), "200 arguments; what has no prototype is none");
	tap_ok(vmp_btf_func(&btf, &id, &text, &got) == -ENOENT && id == btf.count, "no more");
	id = ~0u;
	tap_ok(vmp_btf_func(&btf, &id, &text, &got) == -ENOENT, "nor far beyond");
	close_blob();
}

/* A small blob that has a bit of everything. */
static void make_small(void)
{
	u32 int_id, ulong_id, sc, id;

	begin();
	int_id = mk_int(&mk, "int", 4, true);
	ulong_id = mk_int(&mk, "long", 8, false);
	mk_type(&mk, MK_STRUCT, "scan_control", 1);
	mk_member(&mk, "order", int_id, 0);
	id = mk_type(&mk, MK_TYPEDEF, "s8", mk_type(&mk, MK_CONST, "", int_id));
	sc = mk_type(&mk, MK_STRUCT | MK_FLAG, "scan_control", 40);
	mk_bits(&mk, "nr_to_reclaim", ulong_id, 0, 0, 0);
	mk_bits(&mk, "proactive", int_id, 8, 7, 1);
	mk_bits(&mk, "priority", id, 12, 0, 0);
	mk_bits(&mk, "nr_reclaimed", ulong_id, 16, 0, 0);
	sc = mk_type(&mk, MK_PTR, "", sc);
	id = mk_type(&mk, MK_ARRAY, "", 0);
	mk_word(&mk, int_id);
	mk_word(&mk, int_id);
	mk_word(&mk, 3);
	mk_type(&mk, MK_ENUM, "e", 4);
	mk_more(&mk);
	mk_word(&mk, mk_string(&mk, "e"));
	mk_word(&mk, 1);
	mk_type(&mk, MK_ENUM64, "e", 8);
	mk_more(&mk);
	mk_word(&mk, mk_string(&mk, "e"));
	mk_word(&mk, 1);
	mk_word(&mk, 0);
	mk_type(&mk, MK_FUNC_PROTO, "", int_id);
	mk_arg(&mk, "nid", int_id);
	mk_arg(&mk, "sc", sc);
	mk_func(&mk, "f");
	id = mk_type(&mk, MK_VAR, "e", int_id);
	mk_word(&mk, 1);
	mk_type(&mk, MK_DATASEC, "e", 4);
	mk_more(&mk);
	mk_word(&mk, id);
	mk_word(&mk, 0);
	mk_word(&mk, 4);
	mk_type(&mk, MK_DECL_TAG, "e", id);
	mk_word(&mk, 0);
	mk_type(&mk, MK_FLOAT, "e", 4);
}

static bool sees_small(const void *data, size_t size)
{
	struct vmp_args args;
	struct vmp_field f;
	const char *name;
	bool good;
	u32 id = 1;

	good = !vmp_btf_open(&btf, data, size) &&
	       !vmp_btf_field(&btf, vmp_btf_struct(&btf, "scan_control", "nr_reclaimed"),
			      "proactive", &f) && is_field(&f, 8, 7, 1, 1, true) &&
	       !vmp_btf_func(&btf, &id, &name, &args) && !strcmp(name, "f") &&
	       args.nid == 0 && args.sc == 1;
	if (!good)
		printf("# %s\n", btf.error);
	vmp_btf_close(&btf);
	return good;
}

static bool refused(const void *data, size_t size, int expected, const char *why)
{
	const char *wrong;
	int err;

	err = vmp_btf_open(&btf, data, size);
	vmp_btf_close(&btf);
	if (err != expected || strcmp(btf.error, why)) {
		printf("# %d, %s\n", err, btf.error);
		return false;
	}
	return walk_btf(data, size, &wrong) == expected && !wrong;
}

static void test_header(void)
{
	struct btf_header *hdr, good;
	char *data, *longer;
	size_t size;

	make_small();
	hdr = blob = mk_blob(&mk, &size);
	good = *hdr;
	tap_ok(sees_small(blob, size), "a small blob");

#define BAD(field, value, why) do {						\
	*hdr = good;								\
	hdr->field = (value);							\
	tap_ok(refused(hdr, size, -EINVAL, why), "%s = %s: %s", #field, #value, why);	\
} while (0)

	BAD(magic, 0x9feb, "wrong_magic");
	BAD(magic, 0, "wrong_magic");
	BAD(version, 0, "unknown_version");
	BAD(version, 2, "unknown_version");
	BAD(hdr_len, 0, "wrong_header_length");
	BAD(hdr_len, 20, "wrong_header_length");
	BAD(hdr_len, 23, "wrong_header_length");
	BAD(hdr_len, size + 1, "wrong_header_length");
	BAD(hdr_len, 0xffffffff, "wrong_header_length");
	BAD(hdr_len, 0x80000000, "wrong_header_length");
	BAD(hdr_len, size, "types_out_of_bounds");
	BAD(type_off, 1, "types_out_of_bounds");
	BAD(type_off, 2, "types_out_of_bounds");
	BAD(type_off, 0xfffffffc, "types_out_of_bounds");
	BAD(type_off, 0x80000000, "types_out_of_bounds");
	BAD(type_len, size, "types_out_of_bounds");
	BAD(type_len, size - 23, "types_out_of_bounds");
	BAD(type_len, 0xffffffff, "types_out_of_bounds");
	BAD(type_len, good.type_len - 4, "type_16_cut_short");
	BAD(type_len, good.type_len - 1, "type_16_cut_short");
	BAD(str_off, good.str_off + 1, "strings_out_of_bounds");
	BAD(str_off, 0xffffffff, "strings_out_of_bounds");
	BAD(str_len, good.str_len + 1, "strings_out_of_bounds");
	BAD(str_len, 0, "strings_out_of_bounds");
	BAD(str_len, 0xffffffff, "strings_out_of_bounds");
	BAD(str_len, good.str_len - 1, "strings_not_terminated");
#undef BAD
	*hdr = good;
	hdr->type_off = 4;
	hdr->type_len = -4;
	tap_ok(refused(hdr, size, -EINVAL, "types_out_of_bounds"), "types whose end wraps to 0");
	*hdr = good;
	hdr->str_off = 4;
	hdr->str_len = -3;
	tap_ok(refused(hdr, size, -EINVAL, "strings_out_of_bounds"), "strings whose end wraps to 1");
	*hdr = good;
	((char *)blob)[size - 1] = 'x';
	tap_ok(refused(hdr, size, -EINVAL, "strings_not_terminated"), "the last string has no end");
	((char *)blob)[size - 1] = '\0';
	hdr->type_len = 0;
	tap_ok(!vmp_btf_open(&btf, blob, size) && btf.count == 1 && !*btf.error &&
	       !vmp_btf_struct(&btf, "scan_control", NULL), "no types");
	vmp_btf_close(&btf);
	vmp_btf_close(&btf);
	*hdr = good;
	hdr->flags = 0xff;
	tap_ok(sees_small(blob, size), "flags mean nothing here");
	*hdr = good;

	/* As a later version might be: more of a header, sections in another order. */
	longer = calloc(1, size + 64);
	memcpy(longer, blob, sizeof(*hdr));
	memset(longer + sizeof(*hdr), 0xa5, 24);
	data = longer + sizeof(*hdr) + 24;
	hdr = (void *)longer;
	hdr->hdr_len = sizeof(*hdr) + 24;
	memset(data, 0x5a, 40);
	hdr->str_off = 9;
	memcpy(data + 9, blob + sizeof(good) + good.str_off, good.str_len);
	hdr->type_off = (9 + good.str_len + 3) / 4 * 4;
	memcpy(data + hdr->type_off, blob + sizeof(good), good.type_len);
	tap_ok(sees_small(longer, size + 64),
	       "a longer header, strings before types, more at the end");
	hdr->hdr_len++;
	tap_ok(refused(longer, size + 64, -EINVAL, "wrong_header_length"),
	       "a header that would misalign the types");
	free(longer);
	longer = malloc(size + 8);
	memcpy(longer, blob, sizeof(*hdr));
	memset(longer + sizeof(*hdr), 0xff, 8);
	memcpy(longer + sizeof(*hdr) + 8, blob + sizeof(*hdr), size - sizeof(*hdr));
	((struct btf_header *)longer)->hdr_len += 8;
	tap_ok(sees_small(longer, size + 8), "a longer header alone");
	free(longer);

	shim_no_memory = true;
	tap_ok(refused(blob, size, -ENOMEM, "out_of_memory"), "no memory");
	shim_no_memory = false;
	free(blob);
}

/* Make the small blob with one more type, and see it refused. */
static void refuse_type(u32 kind, u32 vlen, u32 words, int expected, const char *why)
{
	size_t size;
	u32 i;

	make_small();
	mk_type(&mk, kind, "", 4);
	*mk_at(&mk, 1) |= vlen;
	for (i = 0; i < words; i++)
		mk_word(&mk, 0);
	blob = mk_blob(&mk, &size);
	tap_ok(refused(blob, size, expected, why), "kind %u, %u in it, %u words: %s",
	       kind, vlen, words, why);
	free(blob);
}

static void test_records(void)
{
	static const struct {
		u32 kind, vlen, words;
	} table[] = {
		{ MK_INT, 0, 0 }, { MK_ARRAY, 0, 2 }, { MK_STRUCT, 1, 2 }, { MK_STRUCT, 65535, 4 },
		{ MK_UNION, 2, 5 }, { MK_UNION, 65535, 0 }, { MK_ENUM, 1, 1 }, { MK_ENUM, 65535, 0 },
		{ MK_FUNC_PROTO, 3, 5 }, { MK_FUNC_PROTO, 65535, 0 }, { MK_VAR, 0, 0 },
		{ MK_DATASEC, 1, 2 }, { MK_DATASEC, 65535, 0 }, { MK_DECL_TAG, 0, 0 },
		{ MK_ENUM64, 1, 2 }, { MK_ENUM64, 65535, 0 },
	};
	struct vmp_field f;
	size_t i, size;
	u32 kind, id;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		refuse_type(table[i].kind, table[i].vlen, table[i].words, -EINVAL,
			    "type_17_cut_short");
	refuse_type(0, 0, 0, -EOPNOTSUPP, "type_17_of_unknown_kind_0");
	for (kind = MK_UNKNOWN; kind < 32; kind++) {
		char why[64];

		snprintf(why, sizeof(why), "type_17_of_unknown_kind_%u", kind);
		refuse_type(kind, 0, 16, -EOPNOTSUPP, why);
	}

	/* As many members as a record can say. */
	size = sizeof(struct btf_header) + 12 + 16 + 65535 * 12 + 3;
	blob = calloc(1, size);
	*(struct btf_header *)blob = (struct btf_header){
		.magic = 0xeb9f, .version = 1, .hdr_len = sizeof(struct btf_header),
		.type_len = size - sizeof(struct btf_header) - 3,
		.str_off = size - sizeof(struct btf_header) - 3, .str_len = 3,
	};
	memcpy(blob + size - 3, "\0m", 3);
	memcpy(blob + sizeof(struct btf_header),
	       (u32[]){ 0, MK_INT << 24, 4, 32, 0, MK_STRUCT << 24 | 65535, 65535 }, 28);
	memcpy(blob + size - 3 - 12, (u32[]){ 1, 1, 8 * 16 }, 12);
	tap_ok(!vmp_btf_open(&btf, blob, size) && !vmp_btf_field(&btf, 2, "m", &f) &&
	       is_field(&f, 16, 0, 0, 4, false), "the last of 65535 members");
	vmp_btf_close(&btf);
	free(blob);

	/* Names that are no strings are empty. */
	begin();
	mk_int(&mk, "int", 4, true);
	id = mk_type(&mk, MK_STRUCT, "scan_control", 8);
	mk_member(&mk, "m", 1, 0);
	*mk_at(&mk, 3) = ~0u;
	mk_member(&mk, "n", 1, 0);
	*mk_at(&mk, 6) = mk.strings_len;
	tap_ok(!open_blob() && !vmp_btf_field(&btf, id, "", &f) &&
	       vmp_btf_field(&btf, id, "m", &f) == -ENOENT &&
	       vmp_btf_field(&btf, id, "n", &f) == -ENOENT, "names beyond the strings");
	close_blob();
}

static void test_prefixes(void)
{
	bool all_refused = true, good = true, types_good = true;
	const char *wrong;
	size_t size, len;
	char *part;
	u32 opened = 0;

	make_small();
	blob = mk_blob(&mk, &size);
	for (len = 0; len < size; len++) {
		part = malloc(len ? len : 1);
		memcpy(part, blob, len);
		all_refused = all_refused && walk_btf(part, len, &wrong) == -EINVAL;
		good = good && !wrong;
		free(part);
	}
	tap_ok(all_refused && good, "each of %zu beginnings is refused", size);

	/* The same of the types alone: no more than whole records are accepted. */
	for (len = 0; len <= mk.types_len; len++) {
		struct btf_header *hdr;
		size_t short_size = size - mk.types_len + len;

		part = malloc(short_size);
		hdr = (void *)part;
		memcpy(part, blob, sizeof(*hdr) + len);
		memcpy(part + sizeof(*hdr) + len, blob + sizeof(*hdr) + mk.types_len,
		       mk.strings_len);
		hdr->type_len = len;
		hdr->str_off = len;
		opened += !walk_btf(part, short_size, &wrong);
		types_good = types_good && !wrong;
		free(part);
	}
	tap_ok(types_good && opened == mk.count + 1, "types cut short: %u of %u are whole", opened,
	       mk.types_len);
	free(blob);
}

static void test_mutations(void)
{
	static const u32 words[] = {
		0, 1, 2, 3, 17, 18, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0xffff, 0x10000,
		MK_STRUCT << 24 | 0xffff, 0x1fu << 24,
	};
	u32 runs = 0, opened = 0, bad = 0;
	unsigned char *byte;
	const char *wrong;
	size_t size, i, j;
	u32 random = 2463534242u;

	make_small();
	blob = mk_blob(&mk, &size);
	byte = blob;
	for (i = 0; i < size; i++) {
		unsigned char old = byte[i];

		for (j = 0; j < 256; j++) {
			byte[i] = j;
			opened += !walk_btf(blob, size, &wrong);
			bad += !!wrong;
			runs++;
		}
		byte[i] = old;
	}
	for (i = 0; i + 4 <= size; i += 4) {
		u32 *word = blob + i, old = *word;

		for (j = 0; j < ARRAY_SIZE(words); j++) {
			*word = words[j];
			opened += !walk_btf(blob, size, &wrong);
			bad += !!wrong;
			runs++;
		}
		*word = old;
	}
	tap_ok(!bad, "%u single changes, %u of them opened", runs, opened);

	/* Several at once, in the types only: the header would only be refused. */
	opened = 0;
	for (runs = 0; runs < 100000; runs++) {
		unsigned char saved[16384];

		memcpy(saved, blob, size);
		for (i = 0; i < 1 + runs % 8; i++) {
			random ^= random << 13;
			random ^= random >> 17;
			random ^= random << 5;
			byte[sizeof(struct btf_header) + (random >> 8) % mk.types_len] = random;
		}
		opened += !walk_btf(blob, size, &wrong);
		bad += !!wrong;
		memcpy(blob, saved, size);
	}
	tap_ok(!bad, "%u changes of several bytes, %u of them opened", runs, opened);
	free(blob);
}

int main(void)
{
	test_members(false);
	test_members(true);
	test_bits();
	test_functions();
	test_header();
	test_records();
	test_prefixes();
	test_mutations();
	return tap_done();
}
