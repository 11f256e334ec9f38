// SPDX-License-Identifier: GPL-2.0-only
/* Files: where they are, what they may be, and what is said if they are not. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "read.h"

#include "tap.h"

static char dir[] = "/tmp/reader_read_test.XXXXXX";
static struct vmr_source source;
static struct vmr_table table;
static struct vmr_error err;

static const char *path(const char *name)
{
	static char text[512];

	snprintf(text, sizeof(text), "%s/%s", dir, name);
	return text;
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(path(name), "w");

	fputs(text, file);
	fclose(file);
}

static void test_mount(void)
{
	char point[64];

	write_file("mounts", "proc /proc proc rw 0 0\nbad\n"
		   "debugfs /mnt/a\\040b debugfs rw 0 0\nnone /other debugfs rw 0 0\n");
	tap_ok(vmr_read_mount(path("mounts"), point, sizeof(point)), "debugfs is mounted");
	tap_is(point, "/mnt/a b", "where it is mounted");
	write_file("mounts", "debugfs /not tmpfs rw 0 0\n");
	tap_ok(!vmr_read_mount(path("mounts"), point, sizeof(point)), "debugfs is not mounted");
	tap_is(point, "/sys/kernel/debug", "the usual place");
	tap_ok(!vmr_read_mount(path("none"), point, sizeof(point)), "no list of mounts");
	unlink(path("mounts"));
}

static bool no_table(const char *name, const char *message)
{
	bool failed = vmr_read_table(&source, name, &table, &err) == -1;

	vmr_table_free(&table);
	return failed && strstr(err.text, message);
}

static void test_files(void)
{
	char *long_table = malloc(1 << 20);
	size_t used, rows;

	tap_ok(vmr_read_open(&source, path("none"), &err) == -1 && strstr(err.text, "No such file"),
	       "no directory: %s", err.text);
	tap_ok(vmr_read_open(&source, dir, &err) == -1 && strstr(err.text, "no tables there"),
	       "no tables: %s", err.text);
	write_file("totals", "# vmprobe 1 totals\na b\n1 2\n");
	tap_ok(vmr_read_open(&source, path("totals"), &err) == -1 && strstr(err.text, "Not a directory"),
	       "no directory either: %s", err.text);
	tap_ok(!vmr_read_open(&source, dir, &err), "a directory with tables");
	tap_ok(!source.live, "is a copy");
	tap_ok(!vmr_read_table(&source, "totals", &table, &err) && table.nr_rows == 1, "a table");
	vmr_table_free(&table);
	tap_ok(vmr_read_has(&source, "totals") && !vmr_read_has(&source, "tree"), "what there is");
	tap_ok(!vmr_read_has(&source, "") && !vmr_read_has(&source, ".") &&
	       !vmr_read_has(&source, "..") && !vmr_read_has(&source, "../totals") &&
	       !vmr_read_has(&source, "/etc/passwd"), "nothing outside");
	tap_ok(no_table("tree", "no such table"), "a table that is not there: %s", err.text);

	write_file("tree", "# vmprobe 1 totals\na b\n1 2\n");
	tap_ok(no_table("tree", "this is the table totals"), "another table: %s", err.text);
	unlink(path("tree"));
	mkfifo(path("tree"), 0600);
	tap_ok(no_table("tree", "not a regular file"), "a pipe does not block: %s", err.text);
	unlink(path("tree"));
	mkdir(path("tree"), 0700);
	tap_ok(no_table("tree", "not a regular file"), "a directory: %s", err.text);
	rmdir(path("tree"));

	used = (size_t)sprintf(long_table, "# vmprobe 1 tree\na b\n");
	for (rows = 0; used < (1 << 20) - 64; rows++)
		used += (size_t)sprintf(long_table + used, "%zu name\n", rows);
	write_file("tree", long_table);
	tap_ok(!vmr_read_table(&source, "tree", &table, &err) && table.nr_rows == rows,
	       "a long table, %zu rows", rows);
	vmr_table_free(&table);
	free(long_table);
	unlink(path("tree"));
	unlink(path("totals"));
}

static void test_below(void)
{
	mkdir(path("sys"), 0700);
	mkdir(path("sys/kernel"), 0700);
	mkdir(path("sys/kernel/debug"), 0700);
	mkdir(path("sys/kernel/debug/vmprobe"), 0700);
	write_file("sys/kernel/debug/vmprobe/status", "# vmprobe 1 status\nname value\n");
	tap_ok(!vmr_read_open(&source, dir, &err), "tables below sys/kernel/debug/vmprobe");
	tap_ok(!vmr_read_table(&source, "status", &table, &err), "one of them");
	vmr_table_free(&table);
	unlink(path("sys/kernel/debug/vmprobe/status"));
	rmdir(path("sys/kernel/debug/vmprobe"));
	rmdir(path("sys/kernel/debug"));
	rmdir(path("sys/kernel"));
	rmdir(path("sys"));
}

/* Root may do everything, so somebody else has to try. */
static bool told_to_sudo(const char *mounts)
{
	pid_t child = fork();
	int status;

	if (!child) {
		if (!getuid() && setresuid(65534, 65534, 65534))
			_exit(1);
		_exit(vmr_read_debugfs(&source, mounts, &err) == -1 &&
		      strstr(err.text, "sudo vmprobe-read") ? 0 : 1);
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
}

static void test_debugfs(void)
{
	char mounts[256], line[256];

	snprintf(mounts, sizeof(mounts), "%s", path("mounts"));
	snprintf(line, sizeof(line), "debugfs %s/sys debugfs rw 0 0\n", dir);
	write_file("mounts", line);
	mkdir(path("sys"), 0700);
	tap_ok(vmr_read_debugfs(&source, mounts, &err) == -1 &&
	       strstr(err.text, "is the module loaded? sudo insmod vmprobe.ko"),
	       "no module: %s", err.text);
	mkdir(path("sys/vmprobe"), 0700);
	tap_ok(!vmr_read_debugfs(&source, mounts, &err) && source.live &&
	       !strcmp(source.path, path("sys/vmprobe")), "a module");
	/* Others may come as far as to the door. */
	chmod(dir, 0755);
	chmod(path("sys"), getuid() ? 0 : 0700);
	tap_ok(told_to_sudo(mounts), "no permission");
	chmod(path("sys"), 0700);
	rmdir(path("sys/vmprobe"));
	rmdir(path("sys"));
	if (access("/sys/kernel/debug/vmprobe", F_OK) && errno == ENOENT)
		tap_ok(vmr_read_debugfs(&source, path("none"), &err) == -1 &&
		       strstr(err.text, "mount -t debugfs"), "not mounted: %s", err.text);
	unlink(mounts);
}

int main(void)
{
	if (!mkdtemp(dir)) {
		printf("Bail out! %s: %s\n", dir, strerror(errno));
		return 1;
	}
	test_mount();
	test_files();
	test_below();
	test_debugfs();
	tap_ok(!rmdir(dir), "nothing is left behind");
	return tap_done();
}
