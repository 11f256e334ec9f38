/* SPDX-License-Identifier: GPL-2.0-only */
/* The Test Anything Protocol for a program of one file. */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_nr, tap_failed;

__attribute__((format(printf, 2, 3), unused))
static bool tap_ok(bool good, const char *what, ...)
{
	va_list args;

	printf("%s %d - ", good ? "ok" : "not ok", ++tap_nr);
	va_start(args, what);
	vprintf(what, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	tap_failed += !good;
	return good;
}

__attribute__((unused))
static void tap_is(const char *got, const char *expected, const char *what)
{
	if (!got || !expected ? got == expected : !strcmp(got, expected)) {
		tap_ok(true, "%s", what);
		return;
	}
	tap_ok(false, "%s", what);
	printf("#      got: %s\n# expected: %s\n", got ? got : "NULL",
	       expected ? expected : "NULL");
}

/* To be returned from main(). */
__attribute__((unused))
static int tap_done(void)
{
	printf("1..%d\n", tap_nr);
	return tap_failed ? 1 : 0;
}

#endif
