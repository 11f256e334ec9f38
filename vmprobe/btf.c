// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader of BTF (Documentation/bpf/btf.rst) that knows just enough: the
 * members of a structure, the values of an enumeration and the prototypes of
 * functions. It trusts nothing
 * that it reads: every offset is checked against the section that it points
 * into. It uses no kernel service but memory, so that the same file is tested
 * and fuzzed in user space.
 *
 * Kinds that this file does not know make the whole blob unusable, since the
 * length of an unknown record is unknown as well. Sections that later versions
 * append are skipped by hdr_len.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "btf.h"

/* Up to what is used here; later headers declare it longer than earlier kernels have it. */
#define HEADER_SIZE	offsetofend(struct btf_header, str_len)

/* The kinds of uapi/linux/btf.h; headers of older kernels lack the last ones. */
enum {
	KIND_INT = 1, KIND_PTR, KIND_ARRAY, KIND_STRUCT, KIND_UNION, KIND_ENUM,
	KIND_FWD, KIND_TYPEDEF, KIND_VOLATILE, KIND_CONST, KIND_RESTRICT,
	KIND_FUNC, KIND_FUNC_PROTO, KIND_VAR, KIND_DATASEC, KIND_FLOAT,
	KIND_DECL_TAG, KIND_TYPE_TAG, KIND_ENUM64,
};

#define MAX_DEPTH	32	/* typedefs and qualifiers in a row */

static u32 kind_of(const struct btf_type *t)
{
	return (t->info >> 24) & 0x1f;
}

static u32 vlen_of(const struct btf_type *t)
{
	return t->info & 0xffff;
}

static bool kind_flag(const struct btf_type *t)
{
	return t->info >> 31;
}

/* Bytes that follow the common part of a record, or -1 for an unknown kind. */
static s64 extra_of(const struct btf_type *t)
{
	switch (kind_of(t)) {
	case KIND_INT:
	case KIND_VAR:
	case KIND_DECL_TAG:
		return 4;
	case KIND_ARRAY:
	case KIND_STRUCT:
	case KIND_UNION:
	case KIND_DATASEC:
	case KIND_ENUM64:
		return 12 * (kind_of(t) == KIND_ARRAY ? 1 : (s64)vlen_of(t));
	case KIND_ENUM:
	case KIND_FUNC_PROTO:
		return 8 * (s64)vlen_of(t);
	case KIND_PTR:
	case KIND_FWD:
	case KIND_TYPEDEF:
	case KIND_VOLATILE:
	case KIND_CONST:
	case KIND_RESTRICT:
	case KIND_FUNC:
	case KIND_FLOAT:
	case KIND_TYPE_TAG:
		return 0;
	default:
		return -1;
	}
}

static const struct btf_type *type_at(const struct vmp_btf *btf, u32 id)
{
	if (id == 0 || id >= btf->count)
		return NULL;
	return (const void *)(btf->types + btf->index[id]);
}

/* The section ends with a 0, so that every offset inside it is a string. */
static const char *string_at(const struct vmp_btf *btf, u32 offset)
{
	return offset < btf->strings_len ? btf->strings + offset : "";
}

static const struct btf_type *skip_qualifiers(const struct vmp_btf *btf, u32 id)
{
	const struct btf_type *t = type_at(btf, id);
	int depth;

	for (depth = 0; t && depth < MAX_DEPTH; depth++) {
		switch (kind_of(t)) {
		case KIND_TYPEDEF:
		case KIND_VOLATILE:
		case KIND_CONST:
		case KIND_RESTRICT:
		case KIND_TYPE_TAG:
			t = type_at(btf, t->type);
			break;
		default:
			return t;
		}
	}
	return NULL;
}

/* Walk all records once: check their bounds, count them, note where they are. */
static int index_types(struct vmp_btf *btf, u32 *index)
{
	const struct btf_type *t;
	u32 at = 0, count = 1;
	s64 extra;

	while (at < btf->types_len) {
		if (btf->types_len - at < sizeof(*t)) {
			snprintf(btf->error, sizeof(btf->error), "type_%u_cut_short", count);
			return -EINVAL;
		}
		t = (const void *)(btf->types + at);
		extra = extra_of(t);
		if (extra < 0) {
			snprintf(btf->error, sizeof(btf->error),
				 "type_%u_of_unknown_kind_%u", count, kind_of(t));
			return -EOPNOTSUPP;
		}
		if (extra > btf->types_len - at - sizeof(*t)) {
			snprintf(btf->error, sizeof(btf->error), "type_%u_cut_short", count);
			return -EINVAL;
		}
		if (index)
			index[count] = at;
		at += sizeof(*t) + extra;
		count++;
	}
	btf->count = count;
	return 0;
}

static int bad_blob(struct vmp_btf *btf, const char *why)
{
	snprintf(btf->error, sizeof(btf->error), "%s", why);
	return -EINVAL;
}

/**
 * vmp_btf_open() - check a BTF blob and index its types
 * @btf: what is filled in; @btf->error says what is wrong if anything is
 * @data: the blob, aligned to 4 bytes, which must outlive @btf
 * @size: its length in bytes
 *
 * Context: may sleep; allocates 4 bytes for each type.
 * Return: 0, or -EINVAL for a malformed blob, -EOPNOTSUPP for one that holds
 * an unknown kind of type, -ENOMEM.
 */
int vmp_btf_open(struct vmp_btf *btf, const void *data, size_t size)
{
	const struct btf_header *hdr = data;
	int err;

	memset(btf, 0, sizeof(*btf));
	if (size < HEADER_SIZE)
		return bad_blob(btf, "shorter_than_its_header");
	if (hdr->magic != 0xeb9f)
		return bad_blob(btf, "wrong_magic");
	if (hdr->version != 1)
		return bad_blob(btf, "unknown_version");
	if (hdr->hdr_len < HEADER_SIZE || hdr->hdr_len > size)
		return bad_blob(btf, "wrong_header_length");

	size -= hdr->hdr_len;
	if (hdr->type_off > size || hdr->type_len > size - hdr->type_off ||
	    hdr->type_off % 4)
		return bad_blob(btf, "types_out_of_bounds");
	if (hdr->str_off > size || hdr->str_len > size - hdr->str_off ||
	    hdr->str_len == 0)
		return bad_blob(btf, "strings_out_of_bounds");
	if (hdr->hdr_len % 4)
		return bad_blob(btf, "wrong_header_length");

	btf->types = (const char *)data + hdr->hdr_len + hdr->type_off;
	btf->types_len = hdr->type_len;
	btf->strings = (const char *)data + hdr->hdr_len + hdr->str_off;
	btf->strings_len = hdr->str_len;
	if (btf->strings[btf->strings_len - 1] != '\0')
		return bad_blob(btf, "strings_not_terminated");

	err = index_types(btf, NULL);
	if (err)
		return err;
	btf->index = kvmalloc_array(btf->count, sizeof(*btf->index), GFP_KERNEL);
	if (!btf->index) {
		bad_blob(btf, "out_of_memory");
		return -ENOMEM;
	}
	btf->index[0] = 0;
	return index_types(btf, btf->index);
}

/**
 * vmp_btf_close() - free what vmp_btf_open() allocated
 * @btf: an opened blob, or one whose opening failed
 */
void vmp_btf_close(struct vmp_btf *btf)
{
	kvfree(btf->index);
	btf->index = NULL;
	btf->count = 0;
}

/**
 * vmp_btf_struct() - find a structure by name
 * @btf: an opened blob
 * @name: tag of the structure
 * @member: a member that it must have, or NULL
 *
 * Return: its type id, or 0 if there is none.
 */
u32 vmp_btf_struct(const struct vmp_btf *btf, const char *name,
		   const char *member)
{
	struct vmp_field field;
	u32 id;

	for (id = 1; id < btf->count; id++) {
		const struct btf_type *t = type_at(btf, id);

		if (kind_of(t) == KIND_STRUCT &&
		    !strcmp(string_at(btf, t->name_off), name) &&
		    (!member || !vmp_btf_field(btf, id, member, &field)))
			return id;
	}
	return 0;
}

/* Size of a number or pointer and its sign; anything else is no value. */
static int describe_value(const struct vmp_btf *btf, u32 id,
			  struct vmp_field *field)
{
	const struct btf_type *t = skip_qualifiers(btf, id);
	u32 size, encoding;

	if (!t)
		return -EINVAL;
	field->is_signed = false;
	switch (kind_of(t)) {
	case KIND_PTR:
		size = sizeof(void *);
		break;
	case KIND_INT:
		/*
		 * The word behind an int: sign in bit 24, first bit in 16 to 23,
		 * width in 0 to 7. Not all bits: a bit field as it was stated
		 * before kind_flag, which no kernel with its own BTF has.
		 */
		encoding = *(const u32 *)(t + 1);
		size = t->size;
		if ((encoding & 0xffffff) != 8 * size)
			return -EINVAL;
		/* pahole of 5.10's days took no char for signed, whatever its name. */
		field->is_signed = (encoding >> 24) & 1 ||
				   !strcmp(string_at(btf, t->name_off), "signed char");
		break;
	case KIND_ENUM:
	case KIND_ENUM64:
		field->is_signed = kind_flag(t);
		size = t->size;
		break;
	default:
		return -EINVAL;
	}
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return -EINVAL;
	field->size = size;
	return 0;
}

/**
 * vmp_btf_field() - find a member of a structure
 * @btf: an opened blob
 * @id: the structure's type id
 * @name: the member's name; members of members are not looked at
 * @field: where it lies
 *
 * Return: 0, -ENOENT if there is no such member, -EINVAL if it is not a number
 * or pointer that can be read in one piece.
 */
int vmp_btf_field(const struct vmp_btf *btf, u32 id, const char *name,
		  struct vmp_field *field)
{
	const struct btf_type *t = type_at(btf, id);
	const struct btf_member *m;
	u32 i, bit, bits;
	int err;

	if (!t || kind_of(t) != KIND_STRUCT)
		return -ENOENT;

	m = (const void *)(t + 1);
	for (i = 0; i < vlen_of(t); i++, m++) {
		if (strcmp(string_at(btf, m->name_off), name))
			continue;
		bit = m->offset;
		bits = 0;
		if (kind_flag(t)) {
			bit = m->offset & 0xffffff;
			bits = m->offset >> 24;
		}
		err = describe_value(btf, m->type, field);
		if (err)
			return err;
		if (bit / 8 > U16_MAX || (!bits && bit % 8))
			return -EINVAL;
		/* Narrow the read to the bytes that hold the bits. */
		if (bits) {
			if (bits + bit % 8 > 64)
				return -EINVAL;
			field->size = bits + bit % 8 <= 8 ? 1 :
				      bits + bit % 8 <= 16 ? 2 :
				      bits + bit % 8 <= 32 ? 4 : 8;
		}
		field->byte = bit / 8;
		field->bit = bits ? bit % 8 : 0;
		field->bits = bits;
		if (t->size < field->byte + field->size)
			return -EINVAL;
		return 0;
	}
	return -ENOENT;
}

/**
 * vmp_btf_enum() - find an enumeration by name
 * @btf: an opened blob
 * @name: its tag
 *
 * Return: its type id, or 0 if there is none.
 */
u32 vmp_btf_enum(const struct vmp_btf *btf, const char *name)
{
	u32 id;

	for (id = 1; id < btf->count; id++) {
		const struct btf_type *t = type_at(btf, id);

		if (kind_of(t) == KIND_ENUM && vlen_of(t) &&
		    !strcmp(string_at(btf, t->name_off), name))
			return id;
	}
	return 0;
}

/**
 * vmp_btf_enumerator() - the value of a name in an enumeration
 * @btf: an opened blob
 * @id: the enumeration's type id, or 0 for none
 * @name: the name
 * @value: set to what it stands for
 *
 * Return: 0, or -ENOENT if there is no such name.
 */
int vmp_btf_enumerator(const struct vmp_btf *btf, u32 id, const char *name, s32 *value)
{
	const struct btf_type *t = type_at(btf, id);
	const struct btf_enum *e;
	u32 i;

	if (!t || kind_of(t) != KIND_ENUM)
		return -ENOENT;
	e = (const void *)(t + 1);
	for (i = 0; i < vlen_of(t); i++, e++) {
		if (strcmp(string_at(btf, e->name_off), name))
			continue;
		*value = e->val;
		return 0;
	}
	return -ENOENT;
}

/* The tag of the structure that a pointer argument points to, or "". */
static const char *pointee(const struct vmp_btf *btf, u32 id)
{
	const struct btf_type *t = skip_qualifiers(btf, id);

	if (!t || kind_of(t) != KIND_PTR)
		return "";
	t = skip_qualifiers(btf, t->type);
	if (!t || (kind_of(t) != KIND_STRUCT && kind_of(t) != KIND_FWD))
		return "";
	return string_at(btf, t->name_off);
}

static bool is_integer(const struct vmp_btf *btf, u32 id)
{
	const struct btf_type *t = skip_qualifiers(btf, id);

	return t && (kind_of(t) == KIND_INT || kind_of(t) == KIND_ENUM);
}

static void describe_args(const struct vmp_btf *btf, const struct btf_type *proto,
			  struct vmp_args *args)
{
	const struct btf_param *p = (const void *)(proto + 1);
	const char *tag, *name;
	s8 i, n = min_t(u32, vlen_of(proto), S8_MAX);

	*args = VMP_ARGS_NONE;
	for (i = 0; i < n; i++, p++) {
		tag = pointee(btf, p->type);
		name = string_at(btf, p->name_off);

		if (!strcmp(tag, "scan_control"))
			args->sc = i;
		else if (!strcmp(tag, "lruvec"))
			args->lruvec = i;
		else if (!strcmp(tag, "mem_cgroup"))
			args->memcg = i;
		else if (!strcmp(tag, "pglist_data"))
			args->pgdat = i;
		else if (!is_integer(btf, p->type))
			continue;
		else if (!strcmp(name, "nid"))
			args->nid = i;
		else if (!strcmp(name, "nr_pages"))
			args->nr_pages = i;
		else if (!strcmp(name, "reclaim_options"))
			args->reclaim_options = i;
	}
}

/**
 * vmp_btf_func() - the next function at or behind a type id
 * @btf: an opened blob
 * @id: where to look from (1 to begin with); moved to the function found
 * @name: the function's name
 * @args: which of its arguments is what
 *
 * Return: 0, or -ENOENT when there are no more.
 */
int vmp_btf_func(const struct vmp_btf *btf, u32 *id, const char **name,
		 struct vmp_args *args)
{
	const struct btf_type *t, *proto;

	for (; *id < btf->count; (*id)++) {
		t = type_at(btf, *id);
		if (!t || kind_of(t) != KIND_FUNC)
			continue;
		proto = type_at(btf, t->type);
		if (!proto || kind_of(proto) != KIND_FUNC_PROTO)
			continue;
		*name = string_at(btf, t->name_off);
		describe_args(btf, proto, args);
		return 0;
	}
	return -ENOENT;
}
