// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout of struct scan_control, which is private to mm/vmscan.c and moves
 * between kernels: from the running kernel's BTF, or by hand from layout=.
 *
 * layout= is a list of items separated by commas:
 *
 *	MEMBER@BYTE[.BIT]:TYPE	a member; TYPE is u8 to u64, s8 to s64, or the
 *				width in bits of a bit field
 *	FUNCTION#ARGUMENT	FUNCTION takes a struct scan_control * as its
 *				ARGUMENT, counted from 0
 *
 * If it names any member, then all members come from it, since a mixture of two
 * layouts could only be wrong. Functions are added to those of BTF.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kernel_read_file.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/thread_info.h>
#include <linux/vmalloc.h>

#include "layout.h"

#define VMP_MAX_FUNCTIONS	256
/* Where a member can begin: a scan_control lies on a stack, and so must all that is read. */
#define VMP_MAX_BYTE		4095
#define VMP_BTF_FILE		"/sys/kernel/btf/vmlinux"
#define VMP_BTF_MAX		(64 << 20)

struct vmp_layout vmp_layout;

static const char * const field_names[] = {
#define VMP_X(name)	[VMP_F_##name] = #name,
	VMP_FIELDS(VMP_X)
#undef VMP_X
};

static struct vmp_function *add_function(struct vmp_layout *layout,
					 const char *name, size_t len)
{
	struct vmp_function *f;
	u32 i;

	if (len == 0 || len >= VMP_NAME_MAX)
		return NULL;
	for (i = 0; i < layout->nr_functions; i++) {
		f = &layout->functions[i];
		if (strlen(f->name) == len && !memcmp(f->name, name, len))
			return f;
	}
	if (layout->nr_functions == VMP_MAX_FUNCTIONS)
		return NULL;
	f = &layout->functions[layout->nr_functions++];
	memset(f, 0, sizeof(*f));
	memcpy(f->name, name, len);
	f->args = VMP_ARGS_NONE;
	return f;
}

/* A decimal number without sign; moves @text behind it. */
static int parse_number(const char **text, u32 max, u32 *value)
{
	u32 v = 0;

	if (!isdigit(**text))
		return -EINVAL;
	for (; isdigit(**text); (*text)++) {
		v = v * 10 + (**text - '0');
		if (v > max)
			return -EINVAL;
	}
	*value = v;
	return 0;
}

static int parse_type(const char **text, struct vmp_field *f)
{
	bool plain = **text == 'u' || **text == 's';
	u32 bits;

	f->is_signed = **text == 's';
	if (plain)
		(*text)++;
	if (parse_number(text, 64, &bits) || bits == 0)
		return -EINVAL;
	if (plain) {
		if (f->bit || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
			return -EINVAL;
		f->size = bits / 8;
		return 0;
	}
	if (bits + f->bit > 64)
		return -EINVAL;
	f->bits = bits;
	f->size = bits + f->bit <= 8 ? 1 : bits + f->bit <= 16 ? 2 :
		  bits + f->bit <= 32 ? 4 : 8;
	return 0;
}

static int parse_field(struct vmp_layout *layout, const char *name, size_t len,
		       const char **text)
{
	struct vmp_field f = {};
	u32 i, value;

	for (i = 0; i < VMP_NR_FIELDS; i++)
		if (strlen(field_names[i]) == len && !memcmp(field_names[i], name, len))
			break;
	if (i == VMP_NR_FIELDS || layout->field[i].size)
		return -EINVAL;
	if (parse_number(text, VMP_MAX_BYTE, &value))
		return -EINVAL;
	f.byte = value;
	if (**text == '.') {
		(*text)++;
		if (parse_number(text, 7, &value))
			return -EINVAL;
		f.bit = value;
	}
	if (**text != ':')
		return -EINVAL;
	(*text)++;
	if (parse_type(text, &f))
		return -EINVAL;
	layout->field[i] = f;
	layout->by_hand = true;
	return 0;
}

/* What a symbol may be called, with what compilers append after a point. */
static bool is_symbol(const char *name, size_t len)
{
	for (; len; name++, len--)
		if (!isascii(*name) || (!isalnum(*name) && *name != '_' && *name != '.'))
			return false;
	return true;
}

static int parse_function(struct vmp_layout *layout, const char *name, size_t len,
			  const char **text)
{
	struct vmp_function *f;
	u32 arg;

	/* Six arguments travel in registers; more are not worth the reading. */
	if (!is_symbol(name, len) || parse_number(text, 5, &arg))
		return -EINVAL;
	f = add_function(layout, name, len);
	if (!f)
		return -EINVAL;
	f->args.sc = arg;
	f->by_hand = true;
	return 0;
}

/**
 * vmp_layout_parse() - read a layout given by hand
 * @layout: what is filled in; @layout->functions has VMP_MAX_FUNCTIONS places
 * @text: the value of the parameter layout=
 *
 * Return: 0, or -EINVAL with the offending item in @layout->error.
 */
int vmp_layout_parse(struct vmp_layout *layout, const char *text)
{
	const char *item;
	size_t len;
	int err;

	while (*text) {
		item = text;
		len = strcspn(text, "@#,");
		text += len;
		err = -EINVAL;
		if (*text == '@') {
			text++;
			err = parse_field(layout, item, len, &text);
		} else if (*text == '#') {
			text++;
			err = parse_function(layout, item, len, &text);
		}
		if (err || (*text && *text != ',') || (*text == ',' && !text[1])) {
			snprintf(layout->error, sizeof(layout->error), "%.*s",
				 (int)strcspn(item, ","), item);
			return -EINVAL;
		}
		if (*text == ',')
			text++;
	}
	return 0;
}

static void find_counted(struct vmp_layout *layout, const struct vmp_btf *btf)
{
	static const char * const enumerators[] = {
#define VMP_X(enumerator, name)	[VMP_N_##enumerator] = #enumerator,
		VMP_LEVELS(VMP_X)
		VMP_EVENTS(VMP_X)
#undef VMP_X
	};
	const u32 ids[VMP_NR_WHERE] = {
		[VMP_COUNTED_EVENT] = vmp_btf_enum(btf, "vm_event_item"),
		[VMP_COUNTED_NODE] = vmp_btf_enum(btf, "node_stat_item"),
		[VMP_COUNTED_ZONE] = vmp_btf_enum(btf, "zone_stat_item"),
	};
	u32 i, where;
	s32 value;

	for (i = 0; i < VMP_NR_COUNTED; i++) {
		for (where = VMP_COUNTED_EVENT; where < VMP_NR_WHERE; where++) {
			if (vmp_btf_enumerator(btf, ids[where], enumerators[i], &value) ||
			    value < 0 || value > U16_MAX)
				continue;
			layout->counted[i].where = where;
			layout->counted[i].index = value;
		}
	}
}

/**
 * vmp_layout_from_btf() - take what layout= did not give from BTF
 * @layout: what is filled in, and @layout->error if the blob is no good
 * @data: the blob
 * @size: its length in bytes
 * @wanted: says of a function's name whether its arguments matter even if it
 *	takes no struct scan_control
 *
 * The kernel's counters are found even if there is no struct scan_control.
 *
 * Return: 0, or a negative error; @layout is else as before.
 */
int vmp_layout_from_btf(struct vmp_layout *layout, const void *data, size_t size,
			bool (*wanted)(const char *name))
{
	struct vmp_function *f;
	struct vmp_btf btf;
	struct vmp_args args;
	const char *name;
	u32 id, i;
	int err;

	err = vmp_btf_open(&btf, data, size);
	if (err) {
		strscpy(layout->error, btf.error, sizeof(layout->error));
		goto out;
	}

	find_counted(layout, &btf);
	id = vmp_btf_struct(&btf, "scan_control", "nr_reclaimed");
	if (!id) {
		strscpy(layout->error, "no_struct_scan_control", sizeof(layout->error));
		err = -ENOENT;
		goto out;
	}
	for (i = 0; i < VMP_NR_FIELDS && !layout->by_hand; i++)
		if (vmp_btf_field(&btf, id, field_names[i], &layout->field[i]) ||
		    layout->field[i].byte > VMP_MAX_BYTE)
			memset(&layout->field[i], 0, sizeof(layout->field[i]));

	for (id = 1; !vmp_btf_func(&btf, &id, &name, &args); id++) {
		if (args.sc < 0 && !wanted(name))
			continue;
		f = add_function(layout, name, strlen(name));
		if (!f || f->by_hand)
			continue;
		f->args = args;
	}
	layout->btf = true;
out:
	vmp_btf_close(&btf);
	return err;
}

/* Everything that follows from the members. */
static void prepare(struct vmp_layout *layout)
{
	const struct vmp_field *field;
	struct vmp_fetch *fetch;
	u32 i, bits;

	for (i = 0; i < VMP_NR_FIELDS; i++) {
		field = &layout->field[i];
		fetch = &layout->fetch[i];
		if (!field->size)
			continue;
		bits = field->bits ?: 8 * field->size;
		fetch->byte = field->byte;
		fetch->up = 64 - field->bit - bits;
		fetch->down = 64 - bits;
		fetch->mask = field->is_signed ? ~0ull : ~0ull >> fetch->down;
		layout->extent = max_t(u32, layout->extent, field->byte + sizeof(u64));
	}
	layout->stack_room = THREAD_SIZE - layout->extent;
	layout->levels_mask = (layout->field[VMP_F_priority].size ? VMP_LEVEL_PRIORITIES : 0) |
			      (layout->field[VMP_F_order].size ? VMP_LEVEL_ORDERS : 0);
}

static void read_btf(struct vmp_layout *layout, bool (*wanted)(const char *name))
{
	void *data = NULL;
	size_t size = 0;
	int got;

	got = kernel_read_file_from_path(VMP_BTF_FILE, 0, &data, VMP_BTF_MAX, &size,
					 READING_POLICY);
	if (got < 0) {
		snprintf(layout->error, sizeof(layout->error),
			 got == -ENOENT ? "kernel_has_none" : "reading_failed_%d", -got);
		return;
	}
	vmp_layout_from_btf(layout, data, got, wanted);
	vfree(data);
}

/**
 * vmp_layout_init() - learn the running kernel's types
 * @by_hand: the value of the parameter layout=, or "" or NULL
 * @wanted: see vmp_layout_from_btf()
 *
 * Context: may sleep. A kernel without BTF is no error, see @vmp_layout.error.
 * Return: 0, -EINVAL for a bad layout=, or -ENOMEM.
 */
int vmp_layout_init(const char *by_hand, bool (*wanted)(const char *name))
{
	struct vmp_layout *layout = &vmp_layout;
	int err;

	layout->functions = kvcalloc(VMP_MAX_FUNCTIONS, sizeof(*layout->functions),
				     GFP_KERNEL);
	if (!layout->functions)
		return -ENOMEM;
	if (by_hand && *by_hand) {
		err = vmp_layout_parse(layout, by_hand);
		if (err) {
			pr_err("layout: bad item \"%s\"; MEMBER@BYTE[.BIT]:TYPE or FUNCTION#ARGUMENT is wanted\n",
			       layout->error);
			vmp_layout_exit();
			return err;
		}
	}
	read_btf(layout, wanted);
	prepare(layout);
	return 0;
}

/**
 * vmp_layout_exit() - forget what vmp_layout_init() learnt
 */
void vmp_layout_exit(void)
{
	kvfree(vmp_layout.functions);
	memset(&vmp_layout, 0, sizeof(vmp_layout));
}

/**
 * vmp_layout_function() - look up a function by name
 * @name: kernel symbol
 *
 * Return: what is known of it, or NULL.
 */
const struct vmp_function *vmp_layout_function(const char *name)
{
	u32 i;

	for (i = 0; i < vmp_layout.nr_functions; i++)
		if (!strcmp(vmp_layout.functions[i].name, name))
			return &vmp_layout.functions[i];
	return NULL;
}
