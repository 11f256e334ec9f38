/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_KERNEL_H
#define SHIM_LINUX_KERNEL_H

#include <stdio.h>

#include <linux/types.h>

#define U16_MAX		((u16)~0)
#define S8_MAX		((s8)0x7f)

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define offsetofend(type, member)	\
	(__builtin_offsetof(type, member) + sizeof(((type *)0)->member))

#define min_t(type, x, y)	((type)(x) < (type)(y) ? (type)(x) : (type)(y))
#define max_t(type, x, y)	((type)(x) > (type)(y) ? (type)(x) : (type)(y))

#ifndef __always_inline
#define __always_inline	inline __attribute__((__always_inline__))
#endif
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

/* As the kernel is built, so that a load need not be aligned. */
#define READ_ONCE(x)							\
	(((const volatile struct { __typeof__(x) v; }			\
	   __attribute__((__packed__)) *)&(x))->v)

/* The last line that was logged. One definition, wherever it is included. */
__attribute__((weak)) char shim_log[512];

#define pr_err(...)	snprintf(shim_log, sizeof(shim_log), __VA_ARGS__)

#endif
