/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_THREAD_INFO_H
#define SHIM_THREAD_INFO_H
#define THREAD_SIZE	16384
#endif
