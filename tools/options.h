/* SPDX-License-Identifier: GPL-2.0-only */
/* Options: one list, in which a letter means the same for every command. */
#ifndef VMR_OPTIONS_H
#define VMR_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "error.h"

#define VMR_OPT_ROOT	(1u << 0)
#define VMR_OPT_TOP	(1u << 1)
#define VMR_OPT_RAW	(1u << 2)
#define VMR_OPT_HELP	(1u << 3)
#define VMR_OPT_VERSION	(1u << 4)
/* What makes sense everywhere. */
#define VMR_OPT_ALWAYS	(VMR_OPT_HELP | VMR_OPT_VERSION)

/**
 * struct vmr_options - what was asked for
 * @seen: a bit for each option that was given
 * @root: directory to read from, or NULL for debugfs
 * @top: rows in each list
 * @operands: the command or table and what follows
 * @nr_operands: number of @operands
 */
struct vmr_options {
	unsigned int seen;
	const char *root;
	unsigned long top;
	char **operands;
	int nr_operands;
};

int vmr_options_parse(int argc, char **argv, struct vmr_options *options,
		      struct vmr_error *err);
int vmr_options_check(const struct vmr_options *options, unsigned int allowed,
		      const char *command, struct vmr_error *err);
void vmr_options_synopsis(unsigned int allowed, FILE *out);
void vmr_options_help(unsigned int allowed, FILE *out);

#endif
