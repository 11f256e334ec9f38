// SPDX-License-Identifier: GPL-2.0-only
/* Files below debugfs, or below a copy of it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vmprobe/abi.h>

#include "read.h"
#include "text.h"

#define DEBUGFS		"/sys/kernel/debug"
#define FILE_MAX	(1u << 30)

/**
 * vmr_read_mount() - where debugfs is mounted
 * @mounts: a file as /proc/mounts
 * @path: the mount point
 * @size: of @path
 *
 * Return: false if debugfs is not mounted; @path is then the usual place.
 */
bool vmr_read_mount(const char *mounts, char *path, size_t size)
{
	char line[8192], *device, *point, *type, *save;
	FILE *file = fopen(mounts, "re");
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		device = strtok_r(line, " ", &save);
		point = device ? strtok_r(NULL, " ", &save) : NULL;
		type = point ? strtok_r(NULL, " ", &save) : NULL;
		if (!type || strcmp(type, "debugfs"))
			continue;
		vmr_text_unescape(point);
		found = (size_t)snprintf(path, size, "%s", point) < size;
	}
	if (file)
		fclose(file);
	if (!found)
		snprintf(path, size, "%s", DEBUGFS);
	return found;
}

static bool is_directory(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	if (S_ISDIR(st.st_mode))
		return true;
	errno = ENOTDIR;
	return false;
}

static int open_copy(struct vmr_source *source, const char *root, struct vmr_error *err)
{
	const char *const below[] = { "", DEBUGFS "/" VMP_DIR };
	char status[sizeof(source->path) + 16];
	size_t i;
	int length;

	if (!is_directory(root))
		return vmr_error_set(err, "--root %s: %s", root, strerror(errno));
	for (i = 0; i < sizeof(below) / sizeof(*below); i++) {
		length = snprintf(source->path, sizeof(source->path), "%s%s", root, below[i]);
		if (length < 0 || (size_t)length >= sizeof(source->path))
			return vmr_error_set(err, "--root: the name is too long");
		snprintf(status, sizeof(status), "%s/status", source->path);
		if (!access(status, F_OK))
			return 0;
		snprintf(status, sizeof(status), "%s/totals", source->path);
		if (!access(status, F_OK))
			return 0;
	}
	return vmr_error_set(err, "--root %s: no tables there: neither %s/totals nor %s%s/totals",
			     root, root, root, below[1]);
}

/* Whether the kernel takes signed modules only; "[none]" is the mode in force if not. */
static bool locked_down(void)
{
	FILE *file = fopen("/sys/kernel/security/lockdown", "re");
	char line[64] = "";
	bool locked = false;

	if (file) {
		locked = fgets(line, sizeof(line), file) && !strstr(line, "[none]");
		fclose(file);
	}
	return locked;
}

/**
 * vmr_read_debugfs() - find the tables of the running kernel
 * @source: filled in
 * @mounts: a file as /proc/mounts
 * @err: set on error, with what to do about it
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_read_debugfs(struct vmr_source *source, const char *mounts, struct vmr_error *err)
{
	char mount[sizeof(source->path) - sizeof(VMP_DIR) - 1];
	bool mounted;

	*source = (struct vmr_source) { .live = true };
	mounted = vmr_read_mount(mounts, mount, sizeof(mount));
	snprintf(source->path, sizeof(source->path), "%s/%s", mount, VMP_DIR);
	if (!access(source->path, R_OK | X_OK))
		return 0;
	if (errno == EACCES || errno == EPERM)
		return vmr_error_set(err, "%s: %s: only root may read the tables, try: sudo %s",
				     source->path, strerror(errno), VMR_NAME);
	if (!mounted)
		return vmr_error_set(err, "debugfs is not mounted; mount it with: "
				     "sudo mount -t debugfs none %s", mount);
	if (errno == ENOENT)
		return vmr_error_set(err, "%s does not exist: is the module loaded? "
				     "sudo insmod vmprobe.ko%s", source->path, locked_down() ?
				     " (the kernel is locked down: it takes a module only with "
				     "a signature that it knows)" : "");
	return vmr_error_set(err, "%s: %s", source->path, strerror(errno));
}

/**
 * vmr_read_open() - find the tables
 * @source: filled in
 * @root: a copy of the tables or of a tree that has them; NULL for debugfs
 * @err: set on error, with what to do about it
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_read_open(struct vmr_source *source, const char *root, struct vmr_error *err)
{
	if (!root)
		return vmr_read_debugfs(source, "/proc/mounts", err);
	*source = (struct vmr_source) { 0 };
	return open_copy(source, root, err);
}

static int file_path(const struct vmr_source *source, const char *name, char *path, size_t size)
{
	int length = snprintf(path, size, "%s/%s", source->path, name);

	return length < 0 || (size_t)length >= size ? -1 : 0;
}

/**
 * vmr_read_has() - whether there is a file of that name
 * @source: opened
 * @name: of a table, not yet trusted
 *
 * Return: true if it exists; whether it is a table shows when it is read.
 */
bool vmr_read_has(const struct vmr_source *source, const char *name)
{
	char path[sizeof(source->path) + 256];

	return *name && *name != '.' && !strchr(name, '/') &&
	       !file_path(source, name, path, sizeof(path)) && !access(path, F_OK);
}

/* Until the end, not for the size: files of debugfs say that it is 0. */
static char *read_all(int fd, size_t *size)
{
	size_t room = 65536, used = 0;
	char *text = vmr_error_alloc(room, 1);
	ssize_t got;

	for (;;) {
		got = read(fd, text + used, room - used - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		used += (size_t)got;
		if (used == room - 1) {
			if (room >= FILE_MAX) {
				errno = EFBIG;
				got = -1;
				break;
			}
			room *= 2;
			text = vmr_error_realloc(text, room, 1);
		}
	}
	if (got < 0) {
		free(text);
		return NULL;
	}
	text[used] = '\0';
	*size = used;
	return text;
}

/**
 * vmr_read_table() - read and parse one table
 * @source: opened
 * @name: of the table
 * @table: filled in; needs vmr_table_free(), even after an error
 * @err: set on error
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_read_table(const struct vmr_source *source, const char *name,
		   struct vmr_table *table, struct vmr_error *err)
{
	char path[sizeof(source->path) + 256], *text;
	struct stat st;
	size_t size;
	int fd;

	*table = (struct vmr_table) { 0 };
	if (file_path(source, name, path, sizeof(path)))
		return vmr_error_set(err, "%s: the name is too long", name);
	/* Not blocking, since a copied tree may hold a pipe where a file should be. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		if (errno == ENOENT)
			return vmr_error_set(err, "%s: no such table; for those there are: %s list",
					     path, VMR_NAME);
		if (source->live && errno == EPERM)
			return vmr_error_set(err, "%s: %s: is the kernel locked down?",
					     path, strerror(errno));
		return vmr_error_set(err, "%s: %s%s", path, strerror(errno),
				     source->live && errno == EACCES ? ": try sudo" : "");
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return vmr_error_set(err, "%s: not a regular file", path);
	}
	text = read_all(fd, &size);
	if (!text) {
		vmr_error_set(err, "%s: %s", path, strerror(errno));
		close(fd);
		return -1;
	}
	close(fd);
	if (vmr_table_parse(table, path, text, size, err))
		return -1;
	if (strcmp(table->name, name))
		return vmr_error_set(err, "%s:1: this is the table %s, not %s",
				     path, table->name, name);
	return 0;
}
