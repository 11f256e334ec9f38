// SPDX-License-Identifier: GPL-2.0-only
/* The layout of struct scan_control: by hand, from BTF, from both; reading by it. */
#include <stdlib.h>

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kernel_read_file.h>
#include <linux/mm.h>

#include "layout.h"

#include "btf_make.h"
#include "btf_walk.h"
#include "tap.h"

#define MAX_FUNCTIONS	256

static struct vmp_layout layout;

static void begin(void)
{
	free(layout.functions);
	memset(&layout, 0, sizeof(layout));
	layout.functions = calloc(MAX_FUNCTIONS, sizeof(*layout.functions));
}

/* From an allocation of just the right size, to see each overrun. */
static int parse_more(const char *text, size_t len)
{
	char *copy = malloc(len + 1);
	int err;

	memcpy(copy, text, len);
	copy[len] = '\0';
	err = vmp_layout_parse(&layout, copy);
	free(copy);
	return err;
}

static int parse(const char *text)
{
	begin();
	return parse_more(text, strlen(text));
}

static u32 nr_fields(void)
{
	u32 i, nr = 0;

	for (i = 0; i < VMP_NR_FIELDS; i++)
		nr += !!layout.field[i].size;
	return nr;
}

static bool only_sc(const struct vmp_function *f, const char *name, int sc, bool by_hand)
{
	struct vmp_args args = VMP_ARGS_NONE;

	args.sc = sc;
	return !strcmp(f->name, name) && !memcmp(&f->args, &args, sizeof(args)) &&
	       f->by_hand == by_hand;
}

static void test_good(void)
{
	static const struct {
		const char *type;
		u32 byte, bit, bits, size;
		bool is_signed;
	} table[] = {
		{ "72:u8", 72, 0, 0, 1, false }, { "72:u16", 72, 0, 0, 2, false },
		{ "72:u32", 72, 0, 0, 4, false }, { "72:u64", 72, 0, 0, 8, false },
		{ "72:s8", 72, 0, 0, 1, true }, { "72:s16", 72, 0, 0, 2, true },
		{ "72:s32", 72, 0, 0, 4, true }, { "72:s64", 72, 0, 0, 8, true },
		{ "0:u8", 0, 0, 0, 1, false }, { "4095:u64", 4095, 0, 0, 8, false },
		{ "40.0:u8", 40, 0, 0, 1, false },
		{ "40:1", 40, 0, 1, 1, false }, { "40.0:1", 40, 0, 1, 1, false },
		{ "40.7:1", 40, 7, 1, 1, false }, { "40.7:2", 40, 7, 2, 2, false },
		{ "40:8", 40, 0, 8, 1, false }, { "40.1:8", 40, 1, 8, 2, false },
		{ "40.4:12", 40, 4, 12, 2, false }, { "40.5:12", 40, 5, 12, 4, false },
		{ "40:32", 40, 0, 32, 4, false }, { "40.1:32", 40, 1, 32, 8, false },
		{ "40:64", 40, 0, 64, 8, false }, { "40.7:57", 40, 7, 57, 8, false },
	};
	char text[64];
	size_t i;

	tap_ok(!parse("") && !nr_fields() && !layout.nr_functions && !layout.by_hand, "nothing");
	for (i = 0; i < ARRAY_SIZE(table); i++) {
		snprintf(text, sizeof(text), "priority@%s", table[i].type);
		tap_ok(!parse(text) && nr_fields() == 1 && layout.by_hand && !layout.nr_functions &&
		       is_field(&layout.field[VMP_F_priority], table[i].byte, table[i].bit,
				table[i].bits, table[i].size, table[i].is_signed), "%s", text);
	}
	tap_ok(!parse("nr_to_reclaim@0:u64,target_mem_cgroup@16:u64,proactive@40.7:1,order@56:s8,"
		      "priority@57:s8,nr_scanned@64:u64,nr_reclaimed@72:u64,shrink_node#1") &&
	       nr_fields() == VMP_NR_FIELDS && layout.nr_functions == 1 &&
	       is_field(&layout.field[VMP_F_nr_to_reclaim], 0, 0, 0, 8, false) &&
	       is_field(&layout.field[VMP_F_nr_scanned], 64, 0, 0, 8, false) &&
	       is_field(&layout.field[VMP_F_nr_reclaimed], 72, 0, 0, 8, false) &&
	       is_field(&layout.field[VMP_F_priority], 57, 0, 0, 1, true) &&
	       is_field(&layout.field[VMP_F_order], 56, 0, 0, 1, true) &&
	       is_field(&layout.field[VMP_F_target_mem_cgroup], 16, 0, 0, 8, false) &&
	       is_field(&layout.field[VMP_F_proactive], 40, 7, 1, 1, false) &&
	       only_sc(&layout.functions[0], "shrink_node", 1, true), "all of 6.1");

	tap_ok(!parse("a#0,shrink_node.isra.0#5,_B9#3") && !layout.by_hand && !nr_fields() &&
	       layout.nr_functions == 3 && only_sc(&layout.functions[0], "a", 0, true) &&
	       only_sc(&layout.functions[1], "shrink_node.isra.0", 5, true) &&
	       only_sc(&layout.functions[2], "_B9", 3, true), "functions alone");
	tap_ok(!parse("nr_scanned#2") && layout.nr_functions == 1 && !nr_fields(),
	       "a function may be called as a member is");
	tap_ok(!parse("a#0,ab#1,a#2") && layout.nr_functions == 2 &&
	       only_sc(&layout.functions[0], "a", 2, true) &&
	       only_sc(&layout.functions[1], "ab", 1, true), "of a function twice the last counts");
	snprintf(text, sizeof(text), "%061d#1", 0);
	tap_ok(!parse(text) && strlen(layout.functions[0].name) == 61, "a long name");
}

#define LONG_63	"a23456789012345678901234567890123456789012345678901234567890123"

static void test_bad(void)
{
	static const struct {
		const char *text;
		const char *error;	/* NULL: all of it */
	} table[] = {
		/* Lists. */
		{ ",", "" },
		{ ",order@56:s8", "" },
		{ "order@56:s8,", "order@56:s8" },
		{ "order@56:s8,,priority@57:s8", "" },
		{ "order@56:s8,,", "" },
		{ "f#1,", "f#1" },
		{ "order@56:s8,x", "x" },
		{ "order@56:s8;priority@57:s8", NULL },
		{ "order@56:s8 priority@57:s8", NULL },
		{ "order@56:s8,priority@57:s9,f#1", "priority@57:s9" },
		/* Names of members. */
		{ "@56:s8", NULL }, { "orde@56:s8", NULL }, { "orders@56:s8", NULL },
		{ "Order@56:s8", NULL }, { "may_swap@40:1", NULL }, { " order@56:s8", NULL },
		{ "order @56:s8", NULL }, { "order@56:s8, priority@57:s8", " priority@57:s8" },
		{ "order@56:s8,order@57:s8", "order@57:s8" },
		{ "order@56:s8,order@56:s8", "order@56:s8" },
		/* Offsets. */
		{ "order", NULL }, { "order@", NULL }, { "order@:s8", NULL }, { "order@x:s8", NULL },
		{ "order@-1:s8", NULL }, { "order@+1:s8", NULL }, { "order@ 1:s8", NULL },
		{ "order@1 :s8", NULL }, { "order@0x10:s8", NULL }, { "order@1k:s8", NULL },
		{ "order@4096:s8", NULL }, { "order@4294967296:s8", NULL },
		{ "order@4294967352:s8", NULL }, { "order@18446744073709551616:s8", NULL },
		{ "order@99999999999999999999999999999999:s8", NULL }, { "order@@56:s8", NULL },
		{ "order@56@s8", NULL }, { "order@1#1", NULL },
		/* Bits. */
		{ "order@56.:1", NULL }, { "order@.7:1", NULL }, { "order@56.8:1", NULL },
		{ "order@56.-1:1", NULL }, { "order@56.7", NULL }, { "order@56.7:", NULL },
		{ "order@56.1.1:1", NULL }, { "order@56.7:u8", NULL }, { "order@56.7:s64", NULL },
		{ "order@56.4294967296:1", NULL }, { "order@56..1:1", NULL },
		/* Types. */
		{ "order@56", NULL }, { "order@56:", NULL }, { "order@56:u", NULL },
		{ "order@56:s", NULL }, { "order@56:u0", NULL }, { "order@56:u1", NULL },
		{ "order@56:u7", NULL }, { "order@56:s24", NULL }, { "order@56:u128", NULL },
		{ "order@56:u4294967304", NULL }, { "order@56:U8", NULL }, { "order@56:x8", NULL },
		{ "order@56:i8", NULL }, { "order@56:us8", NULL }, { "order@56:u8x", NULL },
		{ "order@56:8u", NULL }, { "order@56:u8 ", NULL }, { "order@56: u8", NULL },
		{ "order@56:u 8", NULL }, { "order@56:u-8", NULL }, { "order@56:u8\n", NULL },
		{ "order@56::u8", NULL }, { "order@56:u8:u8", NULL }, { "order@56u8", NULL },
		{ "order@56:0", NULL }, { "order@56:65", NULL }, { "order@56:-1", NULL },
		{ "order@56.1:64", NULL }, { "order@56.7:58", NULL }, { "order@56:4294967297", NULL },
		{ "order@56:\xb1", NULL },
		/* Functions. */
		{ "#1", NULL }, { "f#", NULL }, { "f#6", NULL }, { "f#10", NULL }, { "f#-1", NULL },
		{ "f#x", NULL }, { "f#1x", NULL }, { "f#1 ", NULL }, { "f# 1", NULL },
		{ " f#1", NULL }, { "f #1", NULL }, { "f g#1", NULL }, { "a#1, f#1", " f#1" },
		{ "f#1.2", NULL }, { "f#1:u8", NULL }, { "f##1", NULL }, { "f#1#1", NULL },
		{ "f#1@1", NULL }, { "f#4294967296", NULL }, { "f#4294967297", NULL },
		{ "f", NULL }, { "f:1", NULL }, { "f-g#1", NULL }, { "f\t#1", NULL },
		{ "f\xe9#1", NULL }, { "f#\xb1", NULL }, { "f\n#1", NULL },
		{ LONG_63 "4#1", NULL },
	};
	char text[8192], *end;
	const char *error;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		char shown[128];

		error = table[i].error ?: table[i].text;
		snprintf(shown, sizeof(shown), "%s", table[i].text);
		for (end = shown; *end; end++)
			if (*end < ' ' || *end > '~')
				*end = '?';
		tap_ok(parse(table[i].text) == -EINVAL && !strcmp(layout.error, error),
		       "refused: \"%s\"", shown);
	}
	tap_ok(!parse(LONG_63 "#1") && only_sc(&layout.functions[0], LONG_63, 1, true),
	       "a name of 63 letters");

	memset(text, 'x', 200);
	strcpy(text + 200, "#1");
	tap_ok(parse(text) == -EINVAL && strlen(layout.error) == VMP_ERROR_MAX - 1 &&
	       !strncmp(layout.error, text, VMP_ERROR_MAX - 1), "as much of an item as fits");

	for (end = text, i = 0; i < MAX_FUNCTIONS; i++)
		end += sprintf(end, "%sf%u#%u", i ? "," : "", i, i % 6);
	tap_ok(!parse(text) && layout.nr_functions == MAX_FUNCTIONS &&
	       only_sc(&layout.functions[255], "f255", 3, true), "256 functions");
	strcpy(end, ",f7#5");
	tap_ok(!parse(text) && layout.nr_functions == MAX_FUNCTIONS &&
	       only_sc(&layout.functions[7], "f7", 5, true), "256, and one of them again");
	strcpy(end, ",f256#1");
	tap_ok(parse(text) == -EINVAL && !strcmp(layout.error, "f256#1") &&
	       layout.nr_functions == MAX_FUNCTIONS, "257 functions are too many");
}

static u32 random_u32(void)
{
	static u32 state = 2463534242u;

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

static void test_random(void)
{
	static const char * const pieces[] = {
		"nr_to_reclaim", "nr_scanned", "nr_reclaimed", "priority", "order",
		"target_mem_cgroup", "proactive", "shrink_node", "f", "@", "@", "#", "#", ":", ":",
		".", ",", ",", "0", "1", "7", "8", "16", "64", "72", "4095", "u8", "u64", "s16",
		"u", "s", " ", "\xff", "\x80",
	};
	u32 i, j, good = 0, good_pieces = 0, bad = 0;
	char text[512];

	for (i = 0; i < 100000; i++) {
		size_t len = 0;

		if (i % 2) {
			len = random_u32() % 200;
			for (j = 0; j < len; j++)
				text[j] = 1 + (random_u32() >> 8) % 255;
		} else {
			for (j = random_u32() % 16; j; j--) {
				const char *piece = pieces[(random_u32() >> 8) % ARRAY_SIZE(pieces)];

				memcpy(text + len, piece, strlen(piece));
				len += strlen(piece);
			}
		}
		begin();
		switch (parse_more(text, len)) {
		case 0:
			good++;
			good_pieces += len > 0;
			bad += *layout.error != '\0';
			break;
		case -EINVAL:
			bad += strlen(layout.error) > len;
			break;
		default:
			bad++;
		}
		for (j = 0; j < VMP_NR_FIELDS; j++)
			bad += layout.field[j].size && !walk_good_field(&layout.field[j]);
		bad += layout.nr_functions > MAX_FUNCTIONS;
	}
	tap_ok(!bad && good_pieces, "100000 random texts, %u of them a layout", good);
}

/* Layouts made at random are understood as they were meant. */
static void test_meant(void)
{
	static const char * const names[] = {
#define VMP_X(name)	#name,
		VMP_FIELDS(VMP_X)
#undef VMP_X
	};
	struct vmp_field meant[VMP_NR_FIELDS], *f;
	u32 i, j, bad = 0;
	char text[1024], *end;

	for (i = 0; i < 10000; i++) {
		memset(meant, 0, sizeof(meant));
		end = text;
		*end = '\0';
		for (j = 0; j < VMP_NR_FIELDS; j++) {
			f = &meant[j];
			if (random_u32() >> 31)
				continue;
			f->byte = (random_u32() >> 8) % 4096;
			end += sprintf(end, "%s%s@%u", end == text ? "" : ",", names[j], f->byte);
			if (random_u32() >> 31) {
				f->size = 1 << (random_u32() >> 30);
				f->is_signed = random_u32() >> 31;
				end += sprintf(end, ":%c%u", f->is_signed ? 's' : 'u', 8 * f->size);
				continue;
			}
			f->bit = random_u32() >> 29;
			f->bits = 1 + (random_u32() >> 8) % (64 - f->bit);
			for (f->size = 1; f->bit + f->bits > 8 * f->size; )
				f->size *= 2;
			end += sprintf(end, ".%u:%u", f->bit, f->bits);
		}
		if (parse(text)) {
			bad++;
			continue;
		}
		for (j = 0; j < VMP_NR_FIELDS; j++) {
			f = &meant[j];
			bad += !is_field(&layout.field[j], f->byte, f->bit, f->bits, f->size,
					 f->is_signed);
		}
	}
	tap_ok(!bad, "10000 random layouts are understood as they are meant");
}

static struct mk mk;

/* As 6.1 has it, but for the names that a test needs. */
static void *make_blob(size_t *size, u32 nr_more)
{
	u32 ulong_id, int_id, uint_id, s8_id, sc, memcg, nodemask, i;
	char name[16];

	memset(&mk, 0, sizeof(mk));
	ulong_id = mk_int(&mk, "unsigned long", 8, false);
	int_id = mk_int(&mk, "int", 4, true);
	uint_id = mk_int(&mk, "unsigned int", 4, false);
	s8_id = mk_type(&mk, MK_TYPEDEF, "s8", mk_int(&mk, "signed char", 1, true));
	memcg = mk_type(&mk, MK_PTR, "", mk_type(&mk, MK_STRUCT, "mem_cgroup", 8));
	nodemask = mk_type(&mk, MK_STRUCT, "scan_control", 8);
	mk_member(&mk, "nr_to_reclaim", ulong_id, 0);
	sc = mk_type(&mk, MK_STRUCT | MK_FLAG, "scan_control", 120);
	mk_bits(&mk, "nr_to_reclaim", ulong_id, 0, 0, 0);
	mk_bits(&mk, "target_mem_cgroup", memcg, 16, 0, 0);
	mk_bits(&mk, "proactive", uint_id, 40, 7, 1);
	mk_bits(&mk, "order", s8_id, 56, 0, 0);
	mk_bits(&mk, "priority", nodemask, 57, 0, 0);
	mk_bits(&mk, "nr_reclaimed", ulong_id, 72, 0, 0);
	sc = mk_type(&mk, MK_PTR, "", sc);

	mk_type(&mk, MK_FUNC_PROTO, "", 0);
	mk_arg(&mk, "x", int_id);
	mk_arg(&mk, "sc", sc);
	mk_func(&mk, "shrink_node");
	mk_type(&mk, MK_FUNC_PROTO, "", 0);
	mk_arg(&mk, "nid", int_id);
	mk_func(&mk, "wanted");
	mk_func(&mk, "other");
	mk_type(&mk, MK_FUNC_PROTO, "", 0);
	mk_arg(&mk, "memcg", memcg);
	mk_arg(&mk, "sc", sc);
	mk_func(&mk, "shrink_lruvec");
	mk_func(&mk, LONG_63 "4");
	mk_func(&mk, "");
	for (i = 0; i < nr_more; i++) {
		mk_type(&mk, MK_FUNC_PROTO, "", 0);
		mk_arg(&mk, "sc", sc);
		snprintf(name, sizeof(name), "f%u", i);
		mk_func(&mk, name);
	}
	return mk_blob(&mk, size);
}

static bool wanted(const char *name)
{
	return !strcmp(name, "wanted");
}

static void test_btf(void)
{
	struct vmp_layout before;
	struct btf_header *hdr;
	size_t size;
	void *blob;

	blob = make_blob(&size, 0);
	hdr = blob;
	begin();
	tap_ok(!vmp_layout_from_btf(&layout, blob, size, wanted) && layout.btf && !*layout.error &&
	       !layout.by_hand, "from BTF alone");
	tap_ok(nr_fields() == 5 &&
	       is_field(&layout.field[VMP_F_nr_to_reclaim], 0, 0, 0, 8, false) &&
	       is_field(&layout.field[VMP_F_nr_reclaimed], 72, 0, 0, 8, false) &&
	       is_field(&layout.field[VMP_F_order], 56, 0, 0, 1, true) &&
	       is_field(&layout.field[VMP_F_target_mem_cgroup], 16, 0, 0, 8, false) &&
	       is_field(&layout.field[VMP_F_proactive], 40, 7, 1, 1, false),
	       "members that can be read, of the structure that is the right one");
	tap_ok(is_field(&layout.field[VMP_F_nr_scanned], 0, 0, 0, 0, false) &&
	       is_field(&layout.field[VMP_F_priority], 0, 0, 0, 0, false),
	       "nothing of those that are absent or cannot be");
	tap_ok(layout.nr_functions == 3 &&
	       only_sc(&layout.functions[0], "shrink_node", 1, false) &&
	       !strcmp(layout.functions[1].name, "wanted") &&
	       layout.functions[1].args.nid == 0 && layout.functions[1].args.sc == -1 &&
	       !strcmp(layout.functions[2].name, "shrink_lruvec") &&
	       layout.functions[2].args.memcg == 0 && layout.functions[2].args.sc == 1,
	       "functions that take a scan_control, or are wanted, and have a fit name");

	tap_ok(!parse("nr_scanned@8:u32") &&
	       !vmp_layout_from_btf(&layout, blob, size, wanted) && layout.by_hand &&
	       nr_fields() == 1 && is_field(&layout.field[VMP_F_nr_scanned], 8, 0, 0, 4, false) &&
	       layout.nr_functions == 3, "one member by hand: none from BTF, but functions");
	tap_ok(!parse("shrink_lruvec#3,mine#4") &&
	       !vmp_layout_from_btf(&layout, blob, size, wanted) && !layout.by_hand &&
	       nr_fields() == 5 && layout.nr_functions == 4 &&
	       only_sc(&layout.functions[0], "shrink_lruvec", 3, true) &&
	       only_sc(&layout.functions[1], "mine", 4, true) &&
	       only_sc(&layout.functions[2], "shrink_node", 1, false) &&
	       !strcmp(layout.functions[3].name, "wanted"),
	       "functions by hand come first and override; members from BTF");

	parse("order@56:s8,mine#4");
	before = layout;
	hdr->magic++;
	tap_ok(vmp_layout_from_btf(&layout, blob, size, wanted) == -EINVAL &&
	       !strcmp(layout.error, "wrong_magic"), "a broken blob: the reason");
	hdr->magic--;
	memset(layout.error, 0, sizeof(layout.error));
	tap_ok(!memcmp(&layout, &before, sizeof(layout)), "and nothing else is changed");
	tap_ok(vmp_layout_from_btf(&layout, blob, 0, wanted) == -EINVAL &&
	       !strcmp(layout.error, "shorter_than_its_header"), "an empty one");
	shim_no_memory = true;
	tap_ok(vmp_layout_from_btf(&layout, blob, size, wanted) == -ENOMEM &&
	       !strcmp(layout.error, "out_of_memory") && !layout.btf, "no memory");
	shim_no_memory = false;
	free(blob);

	memset(&mk, 0, sizeof(mk));
	mk_type(&mk, MK_STRUCT, "scan_control", 8);
	mk_member(&mk, "nr_scanned", mk.count + 1, 0);
	mk_int(&mk, "unsigned long", 8, false);
	blob = mk_blob(&mk, &size);
	begin();
	tap_ok(vmp_layout_from_btf(&layout, blob, size, wanted) == -ENOENT && !layout.btf &&
	       !nr_fields() && !strcmp(layout.error, "no_struct_scan_control"),
	       "a scan_control without nr_reclaimed is none");
	mk_type(&mk, MK_UNKNOWN, "", 0);
	free(blob);
	blob = mk_blob(&mk, &size);
	begin();
	tap_ok(vmp_layout_from_btf(&layout, blob, size, wanted) == -EOPNOTSUPP && !layout.btf &&
	       !strcmp(layout.error, "type_3_of_unknown_kind_20"), "an unknown kind");
	free(blob);

	blob = make_blob(&size, 300);
	tap_ok(!parse("f299#5") && !vmp_layout_from_btf(&layout, blob, size, wanted) &&
	       layout.nr_functions == MAX_FUNCTIONS &&
	       only_sc(&layout.functions[0], "f299", 5, true) &&
	       only_sc(&layout.functions[255], "f251", 0, false),
	       "more functions than there are places for");
	free(blob);

	memset(&mk, 0, sizeof(mk));
	mk_type(&mk, MK_STRUCT, "scan_control", 1 << 20);
	mk_member(&mk, "nr_reclaimed", mk.count + 1, 8 * 4088);
	mk_member(&mk, "nr_scanned", mk.count + 1, 8 * 4096);
	mk_member(&mk, "nr_to_reclaim", mk.count + 1, 8 * 65528);
	mk_int(&mk, "unsigned long", 8, false);
	blob = mk_blob(&mk, &size);
	begin();
	tap_ok(!vmp_layout_from_btf(&layout, blob, size, wanted) && nr_fields() == 1 &&
	       is_field(&layout.field[VMP_F_nr_reclaimed], 4088, 0, 0, 8, false),
	       "no members so far away that they cannot be on a stack");
	free(blob);
}

/* What kernel_read_file_from_path() finds. */
static int file_error;
static void *file_data;
static size_t file_len;
static u32 nr_reads, bad_reads;

ssize_t kernel_read_file_from_path(const char *path, loff_t offset, void **buf,
				   size_t buf_size, size_t *file_size,
				   enum kernel_read_file_id id)
{
	nr_reads++;
	bad_reads += strcmp(path, "/sys/kernel/btf/vmlinux") || offset || *buf ||
		     buf_size < (16 << 20) || id != READING_POLICY;
	if (file_error)
		return file_error;
	*buf = malloc(file_len ? file_len : 1);
	memcpy(*buf, file_data, file_len);
	*file_size = file_len;
	return file_len;
}

static bool forgotten(void)
{
	static const struct vmp_layout none;

	return !memcmp(&vmp_layout, &none, sizeof(none)) && !vmp_layout_function("shrink_node");
}

/* To the end of the last member, or to that of the longest load at its offset. */
static bool reaches(u32 byte, u32 size)
{
	return vmp_layout.extent >= byte + size && vmp_layout.extent <= byte + 8;
}

static void test_init(void)
{
	const struct vmp_function *f;
	void *blob;

	blob = file_data = make_blob(&file_len, 0);
	tap_ok(!vmp_layout_init(NULL, wanted) && vmp_layout.btf && !*vmp_layout.error,
	       "the kernel's BTF");
	tap_ok(reaches(72, 8), "nothing beyond its last member is read");
	f = vmp_layout_function("shrink_node");
	tap_ok(f && only_sc(f, "shrink_node", 1, false), "a function by its name");
	tap_ok(!vmp_layout_function("shrink_nod") && !vmp_layout_function("shrink_nodes") &&
	       !vmp_layout_function("other") && !vmp_layout_function(""), "no other");
	vmp_layout_exit();
	tap_ok(forgotten(), "which is forgotten");
	vmp_layout_exit();
	tap_ok(forgotten(), "twice, if need be");

	tap_ok(!vmp_layout_init("", wanted) && vmp_layout.btf && !vmp_layout.by_hand,
	       "nothing by hand");
	vmp_layout_exit();
	tap_ok(!vmp_layout_init("order@100:u16,priority@99:s8,shrink_node#2", wanted) &&
	       vmp_layout.btf && vmp_layout.by_hand && reaches(100, 2),
	       "both: members by hand, and what is read ends with them");
	f = vmp_layout_function("shrink_node");
	tap_ok(f && f->args.sc == 2 && vmp_layout_function("shrink_lruvec"),
	       "functions of both");
	vmp_layout_exit();
	tap_ok(!vmp_layout_init("proactive@4095.7:57", wanted) && reaches(4095, 8),
	       "bits to the last byte that holds them");
	vmp_layout_exit();
	tap_ok(!vmp_layout_init("shrink_slab#2", wanted) && reaches(72, 8),
	       "a function by hand, members of BTF");
	vmp_layout_exit();

	nr_reads = 0;
	tap_ok(vmp_layout_init("order@56:s8,priority@57", wanted) == -EINVAL && !nr_reads &&
	       strstr(shim_log, "\"priority@57\"") && forgotten(),
	       "a bad item is named, and nothing is left: %.*s", (int)strcspn(shim_log, "\n"),
	       shim_log);
	shim_no_memory = true;
	tap_ok(vmp_layout_init("order@56:s8", wanted) == -ENOMEM && forgotten(), "no memory");
	shim_no_memory = false;

	file_error = -ENOENT;
	tap_ok(!vmp_layout_init(NULL, wanted) && !vmp_layout.btf && !vmp_layout.extent &&
	       !vmp_layout.nr_functions && !strcmp(vmp_layout.error, "kernel_has_none"),
	       "a kernel without BTF");
	vmp_layout_exit();
	tap_ok(!vmp_layout_init("order@56:s8,f#1", wanted) && !vmp_layout.btf &&
	       reaches(56, 1) && vmp_layout_function("f") &&
	       !strcmp(vmp_layout.error, "kernel_has_none"), "the same, with a layout by hand");
	vmp_layout_exit();
	file_error = -EACCES;
	tap_ok(!vmp_layout_init(NULL, wanted) && !strcmp(vmp_layout.error, "reading_failed_13"),
	       "BTF that cannot be read");
	vmp_layout_exit();
	file_error = 0;
	file_len--;
	tap_ok(!vmp_layout_init("f#1", wanted) && !vmp_layout.btf && vmp_layout_function("f") &&
	       !strcmp(vmp_layout.error, "strings_out_of_bounds"), "BTF that was cut short");
	vmp_layout_exit();
	file_len = 0;
	tap_ok(!vmp_layout_init(NULL, wanted) && !vmp_layout.btf && *vmp_layout.error,
	       "an empty file");
	vmp_layout_exit();
	tap_ok(!bad_reads, "the file that was read is the right one");
	free(blob);
}

/* One bit after the other. */
static s64 slow_read(const unsigned char *base, u32 bit, u32 bits, bool is_signed)
{
	u64 value = 0;
	u32 i;

	for (i = 0; i < bits; i++)
		value |= (u64)(base[(bit + i) / 8] >> (bit + i) % 8 & 1) << i;
	if (is_signed && value >> (bits - 1) & 1)
		for (; i < 64; i++)
			value |= 1ull << i;
	return value;
}

static void test_read(void)
{
	unsigned char *base = malloc(24);
	u32 i, round, size, bit, bits, bad = 0, nr = 0;
	struct vmp_field f;

	memset(base, 0xff, 24);
	memset(&f, 0, sizeof(f));
	tap_ok(vmp_field_read(base, &f) == 0, "a member that there is not reads as 0");
	f.size = 3;
	tap_ok(vmp_field_read(base, &f) == 0, "so does one of 3 bytes");

	/* Each kind at each byte, the end of the allocation included. */
	for (round = 0; round < 64; round++) {
		for (i = 0; i < 24; i++)
			base[i] = round == 0 ? 0 : round == 1 ? 0xff : round == 2 ? 0x80 :
				  round == 3 ? 0x7f : random_u32() >> 8;
		for (size = 1; size <= 8; size *= 2) {
			for (i = 0; i + size <= 24; i++) {
				for (f.is_signed = false; ; f.is_signed = true) {
					f.byte = i;
					f.bit = f.bits = 0;
					f.size = size;
					nr++;
					bad += vmp_field_read(base, &f) !=
					       slow_read(base, 8 * i, 8 * size, f.is_signed);
					if (f.is_signed)
						break;
				}
			}
		}
	}
	tap_ok(!bad, "%u numbers of all sizes, with and without sign", nr);

	nr = 0;
	for (round = 0; round < 16; round++) {
		for (i = 0; i < 24; i++)
			base[i] = round == 0 ? 0 : round == 1 ? 0xff : random_u32() >> 8;
		for (bit = 0; bit < 8; bit++) {
			for (bits = 1; bits + bit <= 64; bits++) {
				for (size = 1; 8 * size < bits + bit; )
					size *= 2;
				f = (struct vmp_field){ .byte = 24 - size, .bit = bit, .bits = bits,
							.size = size };
				bad += vmp_field_read(base, &f) !=
				       slow_read(base, 8 * f.byte + bit, bits, false);
				f.is_signed = true;
				bad += vmp_field_read(base, &f) !=
				       slow_read(base, 8 * f.byte + bit, bits, true);
				nr += 2;
			}
		}
	}
	tap_ok(!bad, "%u bit fields of all widths, with and without sign", nr);
	free(base);
}

int main(void)
{
	test_good();
	test_bad();
	test_random();
	test_meant();
	test_btf();
	test_init();
	test_read();
	free(layout.functions);
	return tap_done();
}
