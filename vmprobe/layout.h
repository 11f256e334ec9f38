/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the fields of struct scan_control lie and which functions take one.
 */
#ifndef VMP_LAYOUT_H
#define VMP_LAYOUT_H

#include "btf.h"
#include "counted.h"

/* A set of priorities in bits 0 to 15, a set of orders in bits 16 to 31. */
#define VMP_LEVEL_MAX			15
#define VMP_LEVEL_PRIORITY(priority)	(1u << (priority))
#define VMP_LEVEL_ORDER(order)		(0x10000u << (order))
#define VMP_LEVEL_PRIORITIES		0x0000ffffu
#define VMP_LEVEL_ORDERS		0xffff0000u

/* The members of struct scan_control that are read, by their kernel names. */
#define VMP_FIELDS(X)		\
	X(nr_to_reclaim)	\
	X(nr_scanned)		\
	X(nr_reclaimed)		\
	X(priority)		\
	X(order)		\
	X(target_mem_cgroup)	\
	X(proactive)

enum vmp_field_index {
#define VMP_X(name)	VMP_F_##name,
	VMP_FIELDS(VMP_X)
#undef VMP_X
	VMP_NR_FIELDS
};

/**
 * struct vmp_function - a function that can be probed by name
 * @name: the kernel symbol
 * @args: which of its arguments is what
 * @by_hand: given by layout=, not by BTF
 */
struct vmp_function {
	char name[VMP_NAME_MAX];
	struct vmp_args args;
	bool by_hand;
};

/**
 * struct vmp_fetch - a member as vmp_fetch() reads it: always 8 bytes, shifted up
 *	so that the member's highest bit is bit 63, and down again
 * @byte: offset from the start of the structure
 * @up: bits to shift up
 * @down: bits to shift down, with the sign
 * @mask: takes the sign off again where there is none; 0 for an unknown member
 */
struct vmp_fetch {
	u16 byte;
	u8 up;
	u8 down;
	u64 mask;
};

/**
 * struct vmp_layout - what is known of the running kernel's types
 * @field: the members of struct scan_control; size 0 for an unknown one
 * @by_hand: the members come from layout=, so pointers read through them are
 *	not to be trusted
 * @extent: bytes from the start of a scan_control to the end of what is read
 * @stack_room: where, in a stack, one can begin at most
 * @fetch: the same for quick reading
 * @counted: where the kernel's own counters are
 * @levels_mask: which halves of a frame's levels are known, see frame.h
 * @btf: the functions come from BTF, so that one which is not listed takes no
 *	struct scan_control
 * @error: why there is no BTF, as one word; empty if there is
 * @functions: sorted as BTF has them, those given by hand first
 * @nr_functions: their number
 */
struct vmp_layout {
	struct vmp_field field[VMP_NR_FIELDS];
	struct vmp_fetch fetch[VMP_NR_FIELDS];
	bool by_hand;
	u32 extent;
	u32 stack_room;
	struct vmp_counted counted[VMP_NR_COUNTED];
	u32 levels_mask;
	bool btf;
	char error[VMP_ERROR_MAX];
	struct vmp_function *functions;
	u32 nr_functions;
};

extern struct vmp_layout vmp_layout;

int vmp_layout_init(const char *by_hand, bool (*wanted)(const char *name));
void vmp_layout_exit(void);
int vmp_layout_parse(struct vmp_layout *layout, const char *text);
int vmp_layout_from_btf(struct vmp_layout *layout, const void *data, size_t size,
			bool (*wanted)(const char *name));
const struct vmp_function *vmp_layout_function(const char *name);

/**
 * vmp_field_read() - read a member
 * @base: address of the structure; it must be readable
 * @f: where the member lies; size 0 reads as 0
 *
 * Return: the value, sign-extended where its type is signed.
 */
static __always_inline s64 vmp_field_read(const void *base,
					  const struct vmp_field *f)
{
	const void *at = base + f->byte;
	u64 value;

	switch (f->size) {
	case 8:
		value = READ_ONCE(*(const u64 *)at);
		break;
	case 4:
		value = f->is_signed ? (u64)(s64)READ_ONCE(*(const s32 *)at) :
				       READ_ONCE(*(const u32 *)at);
		break;
	case 2:
		value = f->is_signed ? (u64)(s64)READ_ONCE(*(const s16 *)at) :
				       READ_ONCE(*(const u16 *)at);
		break;
	case 1:
		value = f->is_signed ? (u64)(s64)READ_ONCE(*(const s8 *)at) :
				       READ_ONCE(*(const u8 *)at);
		break;
	default:
		return 0;
	}
	if (unlikely(f->bits)) {
		value <<= 64 - f->bits - f->bit;
		value = f->is_signed ? (u64)((s64)value >> (64 - f->bits)) :
				       value >> (64 - f->bits);
	}
	return value;
}

/**
 * vmp_fetch() - read a member quickly, whatever its type
 * @base: address of the structure, of which @vmp_layout.extent bytes are readable
 * @f: the member; an unknown one reads as 0
 *
 * Little-endian only, as are all machines with a BTF of interest here.
 *
 * Return: the value, sign-extended where its type is signed.
 */
static __always_inline s64 vmp_fetch(unsigned long base, const struct vmp_fetch *f)
{
	u64 raw = READ_ONCE(*(const u64 *)(base + f->byte));

	return ((s64)(raw << f->up) >> f->down) & f->mask;
}

#endif /* VMP_LAYOUT_H */
