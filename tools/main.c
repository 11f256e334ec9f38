// SPDX-License-Identifier: GPL-2.0-only
/* vmprobe-read: the tables of the kernel module vmprobe, for people. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "commands.h"
#include "print.h"

int main(int argc, char **argv)
{
	struct vmr_options options;
	struct vmr_error err;
	int failed;

	/* "vmprobe-read | head" ends without a word, whoever started it. */
	signal(SIGPIPE, SIG_DFL);

	failed = vmr_options_parse(argc, argv, &options, &err) ||
		 vmr_commands_run(&options, stdout, &err);
	if (failed) {
		fflush(stdout);
		vmr_error_print(&err);
	}
	if (vmr_print_close(stdout)) {
		vmr_error_set(&err, "cannot write the output: %s", strerror(errno));
		vmr_error_print(&err);
		failed = 1;
	}
	return failed ? 1 : 0;
}
