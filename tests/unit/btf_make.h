/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Making BTF blobs by hand: types are numbered from 1 in the order in which they
 * are made, and members, arguments and other words go to the last one made.
 */
#ifndef BTF_MAKE_H
#define BTF_MAKE_H

#include <stdlib.h>
#include <string.h>

#include <linux/btf.h>
#include <linux/types.h>

/* The numbers of Documentation/bpf/btf.rst; system headers may lack some. */
enum {
	MK_INT = 1, MK_PTR, MK_ARRAY, MK_STRUCT, MK_UNION, MK_ENUM, MK_FWD, MK_TYPEDEF,
	MK_VOLATILE, MK_CONST, MK_RESTRICT, MK_FUNC, MK_FUNC_PROTO, MK_VAR, MK_DATASEC,
	MK_FLOAT, MK_DECL_TAG, MK_TYPE_TAG, MK_ENUM64, MK_UNKNOWN,
};

#define MK_FLAG	(1u << 31)	/* to be added to a kind: kind_flag */

struct mk {
	char types[65536];
	u32 types_len;
	char strings[16384];
	u32 strings_len;	/* 0 is the empty string: see mk_string() */
	u32 count;
	u32 last;		/* offset of the last type */
	u32 proto;		/* the last prototype */
};

/* The same name twice is one string, as it is in the kernel's blob. */
__attribute__((unused))
static u32 mk_string(struct mk *mk, const char *text)
{
	size_t len = strlen(text) + 1;
	u32 at;

	if (!mk->strings_len)
		mk->strings_len = 1;
	for (at = 0; at < mk->strings_len; at += strlen(mk->strings + at) + 1)
		if (!strcmp(mk->strings + at, text))
			return at;
	if (mk->strings_len + len > sizeof(mk->strings))
		abort();
	memcpy(mk->strings + at, text, len);
	mk->strings_len += len;
	return at;
}

__attribute__((unused))
static void mk_word(struct mk *mk, u32 word)
{
	if (mk->types_len + sizeof(word) > sizeof(mk->types))
		abort();
	memcpy(mk->types + mk->types_len, &word, sizeof(word));
	mk->types_len += sizeof(word);
}

/* The word after the common part of the last type by its number, 0 to begin. */
__attribute__((unused))
static u32 *mk_at(struct mk *mk, u32 word)
{
	return (u32 *)(mk->types + mk->last) + word;
}

__attribute__((unused))
static u32 mk_type(struct mk *mk, u32 kind, const char *name, u32 size_or_type)
{
	mk->last = mk->types_len;
	mk_word(mk, mk_string(mk, name));
	mk_word(mk, (kind & MK_FLAG) | (kind & ~MK_FLAG) << 24);
	mk_word(mk, size_or_type);
	mk->count++;
	if (kind == MK_FUNC_PROTO)
		mk->proto = mk->count;
	return mk->count;
}

__attribute__((unused))
static u32 mk_int_bits(struct mk *mk, const char *name, u32 size, bool is_signed, u32 offset,
		       u32 bits)
{
	u32 id = mk_type(mk, MK_INT, name, size);

	mk_word(mk, (u32)is_signed << 24 | offset << 16 | bits);
	return id;
}

__attribute__((unused))
static u32 mk_int(struct mk *mk, const char *name, u32 size, bool is_signed)
{
	return mk_int_bits(mk, name, size, is_signed, 0, 8 * size);
}

/* One more of what the last type is a list of. */
__attribute__((unused))
static void mk_more(struct mk *mk)
{
	++*mk_at(mk, 1);
}

__attribute__((unused))
static void mk_member(struct mk *mk, const char *name, u32 type, u32 offset)
{
	mk_more(mk);
	mk_word(mk, mk_string(mk, name));
	mk_word(mk, type);
	mk_word(mk, offset);
}

/* Of a structure with kind_flag. */
__attribute__((unused))
static void mk_bits(struct mk *mk, const char *name, u32 type, u32 byte, u32 bit, u32 bits)
{
	mk_member(mk, name, type, bits << 24 | (8 * byte + bit));
}

__attribute__((unused))
static void mk_arg(struct mk *mk, const char *name, u32 type)
{
	mk_more(mk);
	mk_word(mk, mk_string(mk, name));
	mk_word(mk, type);
}

/* A function of the prototype that was made last. */
__attribute__((unused))
static u32 mk_func(struct mk *mk, const char *name)
{
	return mk_type(mk, MK_FUNC, name, mk->proto);
}

/* An allocation of just the right size, so that sanitizers see each overrun. */
__attribute__((unused))
static void *mk_blob(struct mk *mk, size_t *size)
{
	struct btf_header hdr = { .magic = 0xeb9f, .version = 1, .hdr_len = sizeof(hdr) };
	char *blob;

	mk_string(mk, "");
	hdr.type_len = mk->types_len;
	hdr.str_off = mk->types_len;
	hdr.str_len = mk->strings_len;
	*size = sizeof(hdr) + mk->types_len + mk->strings_len;
	blob = malloc(*size);
	if (!blob)
		abort();
	memcpy(blob, &hdr, sizeof(hdr));
	memcpy(blob + sizeof(hdr), mk->types, mk->types_len);
	memcpy(blob + sizeof(hdr) + mk->types_len, mk->strings, mk->strings_len);
	return blob;
}

#endif
