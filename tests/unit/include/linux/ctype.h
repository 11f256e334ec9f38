/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's take any char, negative ones too, and know no locale. */
#ifndef SHIM_LINUX_CTYPE_H
#define SHIM_LINUX_CTYPE_H

static inline int isdigit(int c)
{
	return '0' <= c && c <= '9';
}

static inline int isalnum(int c)
{
	return isdigit(c) || ('a' <= (c | 0x20) && (c | 0x20) <= 'z');
}

#define isascii(c)	((unsigned char)(c) <= 0x7f)

#endif
