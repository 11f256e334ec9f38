// SPDX-License-Identifier: GPL-2.0-only
/* The paths of cgroups, found by walking their file system once. */
#include <ftw.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>

#include "cgroup.h"

/* nftw() hands nothing to its function. */
static struct vmr_table *naming;
static int column;
static size_t root_length;

static int visit(const char *path, const struct stat *st, int type, struct FTW *where)
{
	char number[24], *name;
	const char *cell;
	size_t row;

	(void)where;
	if (type != FTW_D)
		return 0;
	snprintf(number, sizeof(number), "%llu", (unsigned long long)st->st_ino);
	name = NULL;
	for (row = 0; row < naming->nr_rows; row++) {
		cell = vmr_table_cell(naming, row, column);
		if (!cell || strcmp(cell, number))
			continue;
		if (!name)
			name = vmr_table_keep(naming, path[root_length] ?
					      path + root_length : "/");
		if (!name)
			return -1;
		naming->cells[row * naming->nr_columns + (size_t)column] = name;
	}
	return 0;
}

/**
 * vmr_cgroup_name() - put paths in place of the numbers in the column "cgroup"
 * @table: changed; a cgroup that is gone keeps its number
 * @root: where cgroups are mounted
 */
void vmr_cgroup_name(struct vmr_table *table, const char *root)
{
	column = vmr_table_column(table, "cgroup");
	if (column < 0)
		return;
	naming = table;
	root_length = strlen(root);
	nftw(root, visit, 16, FTW_PHYS | FTW_MOUNT);
}

/**
 * vmr_cgroup_mount() - where cgroups that can limit memory are mounted
 *
 * Return: a path; the usual one if /proc does not tell.
 */
const char *vmr_cgroup_mount(void)
{
	static char path[4096] = "/sys/fs/cgroup";
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	const struct mntent *entry;

	while (mounts && (entry = getmntent(mounts))) {
		if (!strcmp(entry->mnt_type, "cgroup") ? !hasmntopt(entry, "memory") :
							 strcmp(entry->mnt_type, "cgroup2"))
			continue;
		snprintf(path, sizeof(path), "%s", entry->mnt_dir);
		/* With both versions, memory is where the option is. */
		if (!strcmp(entry->mnt_type, "cgroup"))
			break;
	}
	if (mounts)
		endmntent(mounts);
	return path;
}
