/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading: where the tables are, and why they are not. */
#ifndef VMR_READ_H
#define VMR_READ_H

#include "table.h"

/**
 * struct vmr_source - a directory with tables
 * @path: its name
 * @live: it is the running kernel's, not a copy
 */
struct vmr_source {
	char path[4096];
	bool live;
};

int vmr_read_open(struct vmr_source *source, const char *root, struct vmr_error *err);
int vmr_read_debugfs(struct vmr_source *source, const char *mounts, struct vmr_error *err);
bool vmr_read_has(const struct vmr_source *source, const char *name);
int vmr_read_table(const struct vmr_source *source, const char *name,
		   struct vmr_table *table, struct vmr_error *err);
bool vmr_read_mount(const char *mounts, char *path, size_t size);

#endif
