/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef READ_FILE_H
#define READ_FILE_H

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

/* The whole of a file, or the end of the program. */
static char *read_file(const char *name, size_t *size)
{
	FILE *file = fopen(name, "r");
	char *data = NULL;
	size_t got;

	if (!file)
		err(2, "%s", name);
	*size = 0;
	do {
		data = realloc(data, *size + (1 << 20));
		if (!data)
			err(2, "%s", name);
		got = fread(data + *size, 1, 1 << 20, file);
		*size += got;
	} while (got);
	if (ferror(file))
		err(2, "%s", name);
	fclose(file);
	/* Of just the right size, so that sanitizers see each overrun. */
	return *size ? realloc(data, *size) : data;
}

#endif
