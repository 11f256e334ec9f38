// SPDX-License-Identifier: GPL-2.0-only
/*
 * fault - loads a module while the kernel lets one allocation fail: the Nth that
 * this task makes in the course of it (Documentation/fault-injection, fail-nth).
 *
 *	fault N FILE [PARAMETERS]
 *
 * Exit status: 0 loaded, 1 refused, both with the fault; 2 loaded, and there were
 * fewer than N allocations; 3 it could not be tried.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char text[32] = "";
	int module, nth;
	long err;

	if (argc < 3 || argc > 4) {
		fputs("usage: fault N FILE [PARAMETERS]\n", stderr);
		return 3;
	}
	module = open(argv[2], O_RDONLY | O_CLOEXEC);
	nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (module < 0 || nth < 0) {
		perror("fault");
		return 3;
	}
	if (write(nth, argv[1], strlen(argv[1])) < 0) {
		perror("fault: fail-nth");
		return 3;
	}
	err = syscall(SYS_finit_module, module, argc == 4 ? argv[3] : "", 0);
	/* What is left of N; 0 means that the fault has happened. */
	if (pread(nth, text, sizeof(text) - 1, 0) < 0) {
		perror("fault: fail-nth");
		return 3;
	}
	if (atoi(text) > 0) {
		if (pwrite(nth, "0", 1, 0) < 0)
			perror("fault: fail-nth");
		return err ? 3 : 2;
	}
	return err ? 1 : 0;
}
