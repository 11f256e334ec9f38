/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the kernel's own type information (BTF).
 */
#ifndef VMP_BTF_H
#define VMP_BTF_H

#ifdef __KERNEL__
#include <uapi/linux/btf.h> /* linux/btf.h of some kernels lacks what it needs */
#else
#include <linux/btf.h>
#endif
#include <linux/types.h>

#define VMP_NAME_MAX	64	/* functions and fields, with the final 0 */
#define VMP_ERROR_MAX	96

/**
 * struct vmp_btf - an opened BTF blob; the memory stays the caller's
 * @types: the type section
 * @types_len: its length in bytes
 * @strings: the string section, which ends with a 0
 * @strings_len: its length in bytes
 * @index: byte offset of each type in @types; type 0 is void
 * @count: number of types, void included
 * @error: why opening failed, as one word
 */
struct vmp_btf {
	const char *types;
	u32 types_len;
	const char *strings;
	u32 strings_len;
	u32 *index;
	u32 count;
	char error[VMP_ERROR_MAX];
};

/**
 * struct vmp_field - where a member of a structure lies
 * @byte: offset from the start of the structure
 * @bit: first bit of a bit field, counted from the lowest bit of @byte
 * @bits: width of a bit field; 0 for an ordinary member
 * @size: bytes to read: 1, 2, 4 or 8; 0 says "there is no such member"
 * @is_signed: the value is to be sign-extended
 */
struct vmp_field {
	u16 byte;
	u8 bit;
	u8 bits;
	u8 size;
	bool is_signed;
};

/**
 * struct vmp_args - which argument of a function is what; -1 says "none"
 * @sc: struct scan_control *
 * @lruvec: struct lruvec *
 * @memcg: struct mem_cgroup *
 * @pgdat: struct pglist_data *
 * @nid: an integer called nid
 * @nr_pages: an integer called nr_pages
 * @reclaim_options: an integer called reclaim_options
 */
struct vmp_args {
	s8 sc;
	s8 lruvec;
	s8 memcg;
	s8 pgdat;
	s8 nid;
	s8 nr_pages;
	s8 reclaim_options;
};

#define VMP_ARGS_NONE	((struct vmp_args){ -1, -1, -1, -1, -1, -1, -1 })

int vmp_btf_open(struct vmp_btf *btf, const void *data, size_t size);
void vmp_btf_close(struct vmp_btf *btf);
u32 vmp_btf_struct(const struct vmp_btf *btf, const char *name,
		   const char *member);
int vmp_btf_field(const struct vmp_btf *btf, u32 id, const char *name,
		  struct vmp_field *field);
u32 vmp_btf_enum(const struct vmp_btf *btf, const char *name);
int vmp_btf_enumerator(const struct vmp_btf *btf, u32 id, const char *name, s32 *value);
int vmp_btf_func(const struct vmp_btf *btf, u32 *id, const char **name,
		 struct vmp_args *args);

#endif /* VMP_BTF_H */
