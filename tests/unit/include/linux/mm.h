/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_MM_H
#define SHIM_LINUX_MM_H

#include <stdlib.h>

#include <linux/types.h>

#define GFP_KERNEL	0

/* Set, and no memory is to be had. One definition, wherever it is included. */
__attribute__((weak)) bool shim_no_memory;

static inline void *kvmalloc_array(size_t n, size_t size, unsigned int flags)
{
	size_t bytes;

	(void)flags;
	if (shim_no_memory || __builtin_mul_overflow(n, size, &bytes))
		return NULL;
	return malloc(bytes);
}

static inline void *kvcalloc(size_t n, size_t size, unsigned int flags)
{
	(void)flags;
	return shim_no_memory ? NULL : calloc(n, size);
}

static inline void kvfree(const void *at)
{
	free((void *)at);
}

#endif
