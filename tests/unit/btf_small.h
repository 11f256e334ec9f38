/* SPDX-License-Identifier: GPL-2.0-only */
/* The BTF of a kernel with nothing but a scan_control, made of types of each kind. */
#ifndef BTF_SMALL_H
#define BTF_SMALL_H

#include "btf_make.h"

/* Return: to be freed. */
static inline void *btf_small(size_t *size)
{
	static struct mk mk;
	u32 number, node, sc, i;

	memset(&mk, 0, sizeof(mk));
	number = mk_int(&mk, "unsigned long", 8, false);
	mk_int(&mk, "signed char", 1, true);				/* 2 */
	mk_type(&mk, MK_TYPEDEF, "s8", 2);
	mk_type(&mk, MK_CONST, "", 3);
	mk_type(&mk, MK_VOLATILE, "", 4);
	mk_type(&mk, MK_TYPE_TAG, "tag", 5);				/* 6 */
	mk_type(&mk, MK_FWD, "mem_cgroup", 0);
	mk_type(&mk, MK_PTR, "", 7);
	mk_type(&mk, MK_RESTRICT, "", 8);				/* 9 */
	/* So large that a member can be anywhere. */
	sc = mk_type(&mk, MK_STRUCT | MK_FLAG, "scan_control", 65536);
	mk_bits(&mk, "nr_reclaimed", number, 8, 0, 0);
	mk_bits(&mk, "nr_scanned", number, 16, 0, 0);
	mk_bits(&mk, "target_mem_cgroup", 9, 24, 0, 0);
	mk_bits(&mk, "priority", 6, 32, 0, 0);
	mk_bits(&mk, "proactive", number, 33, 7, 1);
	sc = mk_type(&mk, MK_PTR, "", sc);
	node = mk_type(&mk, MK_STRUCT, "pglist_data", 8);
	mk_member(&mk, "node", number, 0);
	node = mk_type(&mk, MK_PTR, "", node);
	mk_type(&mk, MK_FUNC_PROTO, "", number);
	mk_arg(&mk, "nr_pages", number);
	mk_arg(&mk, "sc", sc);
	mk_func(&mk, "shrink_node");
	mk_type(&mk, MK_FUNC_PROTO, "", 0);
	mk_arg(&mk, "nid", number);
	mk_arg(&mk, "pgdat", node);
	mk_arg(&mk, "memcg", 8);
	mk_func(&mk, "s");
	mk_type(&mk, MK_DECL_TAG, "tag", mk.count);
	mk_word(&mk, 0);
	mk_type(&mk, MK_ARRAY, "", 0);
	mk_word(&mk, number);
	mk_word(&mk, number);
	mk_word(&mk, 3);
	mk_type(&mk, MK_UNION, "u", 8);
	mk_member(&mk, "a", number, 0);
	mk_type(&mk, MK_ENUM, "e", 4);
	mk_more(&mk);
	mk_word(&mk, mk_string(&mk, "first"));
	mk_word(&mk, 0);
	mk_type(&mk, MK_ENUM64, "e64", 8);
	mk_more(&mk);
	for (i = 0; i < 3; i++)
		mk_word(&mk, 0);
	mk_type(&mk, MK_FLOAT, "double", 8);
	mk_type(&mk, MK_VAR, "v", number);
	mk_word(&mk, 0);
	mk_type(&mk, MK_DATASEC, ".data", 8);
	mk_more(&mk);
	mk_word(&mk, mk.count - 1);
	mk_word(&mk, 0);
	mk_word(&mk, 8);
	return mk_blob(&mk, size);
}

#endif
