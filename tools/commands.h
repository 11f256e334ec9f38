/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands: one table says what there is. */
#ifndef VMR_COMMANDS_H
#define VMR_COMMANDS_H

#include <stdio.h>

#include "options.h"

int vmr_commands_run(const struct vmr_options *options, FILE *out, struct vmr_error *err);

#endif
