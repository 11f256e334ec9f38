/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_VMALLOC_H
#define SHIM_LINUX_VMALLOC_H

#include <stdlib.h>

static inline void vfree(const void *at)
{
	free((void *)at);
}

#endif
