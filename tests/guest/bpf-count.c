// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpf-count - counts calls of a function by a BPF program on a kprobe or a
 * kretprobe, the way bpftrace does it, for guests that have no room for that.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PMU "/sys/bus/event_source/devices/kprobe/"

static const char usage_text[] =
"usage: bpf-count kprobe|kretprobe [MODULE:]FUNCTION\n"
"\n"
"Says \"ready\" once it is attached, and the number of calls once it is\n"
"terminated (SIGTERM). The exit status is 2 if the kernel offers no such probes.\n";

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	(void)number;
	stop = 1;
}

static void die(const char *what)
{
	fprintf(stderr, "bpf-count: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int bpf(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static uint64_t as_u64(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

/* A number in a file of sysfs, behind prefix. */
static int read_number(const char *path, const char *prefix)
{
	char text[64] = "";
	FILE *file = fopen(path, "re");
	size_t length = strlen(prefix);

	if (!file || !fgets(text, sizeof(text), file) || strncmp(text, prefix, length)) {
		fprintf(stderr, "bpf-count: %s says nothing\n", path);
		exit(2);
	}
	fclose(file);
	return atoi(text + length);
}

/* An array of one counter, which user space sees. */
static int make_map(void)
{
	union bpf_attr attr = { 0 };
	int fd;

	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = sizeof(uint32_t);
	attr.value_size = sizeof(uint64_t);
	attr.max_entries = 1;
	attr.map_flags = BPF_F_MMAPABLE;
	fd = bpf(BPF_MAP_CREATE, &attr);
	if (fd < 0)
		die("cannot make a map");
	return fd;
}

/* Adds 1 to the counter, atomically. */
static int load_program(int map)
{
	const struct bpf_insn program[] = {
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = map },
		{ 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .imm = 1 },
		{ .code = BPF_STX | BPF_DW | BPF_ATOMIC, .dst_reg = 1, .src_reg = 2, .imm = BPF_ADD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	static char log[4096];
	union bpf_attr attr = { 0 };
	int fd;

	attr.prog_type = BPF_PROG_TYPE_KPROBE;
	attr.insns = as_u64(program);
	attr.insn_cnt = sizeof(program) / sizeof(*program);
	attr.license = as_u64("GPL");
	attr.log_buf = as_u64(log);
	attr.log_size = sizeof(log);
	attr.log_level = 1;
	fd = bpf(BPF_PROG_LOAD, &attr);
	if (fd < 0) {
		fputs(log, stderr);
		die("cannot load the program");
	}
	return fd;
}

static void attach(int program, bool at_return, const char *function)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	int fd;

	attr.type = (uint32_t)read_number(PMU "type", "");
	if (at_return)
		attr.config = 1ULL << read_number(PMU "format/retprobe", "config:");
	attr.kprobe_func = as_u64(function);
	attr.sample_period = 1;
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		die("cannot make a probe");
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		die("cannot attach the program");
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t mask, old;
	volatile uint64_t *count;
	int map;

	if (argc != 3 || (strcmp(argv[1], "kprobe") && strcmp(argv[1], "kretprobe"))) {
		fputs(usage_text, stderr);
		return 1;
	}
	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	sigprocmask(SIG_BLOCK, &mask, &old);
	sigaction(SIGTERM, &action, NULL);
	map = make_map();
	count = mmap(NULL, sizeof(*count), PROT_READ, MAP_SHARED, map, 0);
	if (count == MAP_FAILED)
		die("cannot map the counter");
	attach(load_program(map), !strcmp(argv[1], "kretprobe"), argv[2]);
	puts("ready");
	fflush(stdout);
	while (!stop)
		sigsuspend(&old);
	printf("%llu\n", (unsigned long long)*count);
	return 0;
}
