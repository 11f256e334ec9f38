/* SPDX-License-Identifier: GPL-2.0-only */
/* The system's own, and what only the kernel's declares. */
#ifndef SHIM_LINUX_TYPES_H
#define SHIM_LINUX_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

/* Not __u64 and so on: the kernel's are printed with %llu everywhere. */
typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef signed short s16;
typedef unsigned int u32;
typedef signed int s32;
typedef unsigned long long u64;
typedef signed long long s64;

#endif
