// SPDX-License-Identifier: GPL-2.0-only
/* Error texts, and memory that is there or ends the program. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "text.h"

/**
 * vmr_error_set() - state what went wrong and what to do
 * @err: filled in
 * @format: as of printf; bytes that could harm a terminal are escaped, since
 *	file contents and arguments end up in messages
 *
 * Return: always -1, so that a caller can return it.
 */
int vmr_error_set(struct vmr_error *err, const char *format, ...)
{
	char raw[sizeof(err->text)];
	va_list args;

	va_start(args, format);
	vsnprintf(raw, sizeof(raw), format, args);
	va_end(args);
	vmr_text_safe(raw, err->text, sizeof(err->text));
	return -1;
}

/**
 * vmr_error_print() - print an error on standard error
 * @err: set by vmr_error_set()
 */
void vmr_error_print(const struct vmr_error *err)
{
	fprintf(stderr, VMR_NAME ": %s\n", err->text);
}

static void *have(void *memory)
{
	if (memory)
		return memory;
	fputs(VMR_NAME ": out of memory\n", stderr);
	exit(1);
}

/**
 * vmr_error_alloc() - zeroed memory, or the end of the program
 * @nr: number of elements, may be 0
 * @size: bytes in each
 *
 * Return: memory to free(), never NULL.
 */
void *vmr_error_alloc(size_t nr, size_t size)
{
	return have(calloc(nr ? nr : 1, size));
}

/**
 * vmr_error_realloc() - memory of another size, or the end of the program
 * @old: from vmr_error_alloc() or this, or NULL
 * @nr: number of elements
 * @size: bytes in each
 *
 * Return: memory to free(), never NULL.
 */
void *vmr_error_realloc(void *old, size_t nr, size_t size)
{
	if (!nr)
		nr = 1;
	return have(nr > SIZE_MAX / size ? NULL : realloc(old, nr * size));
}

/**
 * vmr_error_strdup() - a copy of a text, or the end of the program
 * @text: to copy
 *
 * Return: memory to free(), never NULL.
 */
char *vmr_error_strdup(const char *text)
{
	return have(strdup(text));
}
