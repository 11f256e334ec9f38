/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the fuzzers share. What does not hold is a crash, as anything that a
 * sanitizer finds. How many inputs got beyond the first checks is printed at the
 * end, so that a fuzzer which is turned away at the door is told from one that
 * finds nothing.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_WANT(what)								\
	do {									\
		if (!(what)) {							\
			fprintf(stderr, "%s:%d: does not hold: %s\n",		\
				__FILE__, __LINE__, #what);			\
			abort();						\
		}								\
	} while (0)

/* Inputs that were accepted. */
static unsigned long fuzz_accepted;

static void fuzz_end(void)
{
	fprintf(stderr, "stat::accepted_inputs: %lu\n", fuzz_accepted);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	return atexit(fuzz_end);
}

/*
 * A copy to be freed, of just the right size, so that sanitizers see each overrun,
 * with so many zeros behind it.
 */
static inline void *fuzz_copy(const void *data, size_t size, size_t zeros)
{
	char *copy = malloc(size + zeros ? size + zeros : 1);

	if (!copy)
		abort();
	if (size)
		memcpy(copy, data, size);
	memset(copy + size, 0, zeros);
	return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
