/* SPDX-License-Identifier: GPL-2.0-only */
/* Each test that needs it says what is in the file. */
#ifndef SHIM_LINUX_KERNEL_READ_FILE_H
#define SHIM_LINUX_KERNEL_READ_FILE_H

#include <sys/types.h>

#include <linux/types.h>

enum kernel_read_file_id {
	READING_POLICY = 7,
};

ssize_t kernel_read_file_from_path(const char *path, loff_t offset, void **buf,
				   size_t buf_size, size_t *file_size,
				   enum kernel_read_file_id id);

#endif
