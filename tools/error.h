/* SPDX-License-Identifier: GPL-2.0-only */
/* Errors are texts handed up to the command, which prints them. */
#ifndef VMR_ERROR_H
#define VMR_ERROR_H

#include <stddef.h>

#define VMR_NAME	"vmprobe-read"

struct vmr_error {
	char text[1024];
};

int vmr_error_set(struct vmr_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void vmr_error_print(const struct vmr_error *err);
void *vmr_error_alloc(size_t nr, size_t size);
void *vmr_error_realloc(void *old, size_t nr, size_t size);
char *vmr_error_strdup(const char *text);

#endif
