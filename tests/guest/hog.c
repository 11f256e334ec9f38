// SPDX-License-Identifier: GPL-2.0-only
/*
 * hog - a workload for tests: makes a known load on memory, quietly.
 *
 * Built as one static program that needs nothing else, so that it runs in a
 * guest of little memory.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

#define PAGE 4096UL
#define MIB (1024UL * 1024UL)

static const char usage_text[] =
"usage: hog [option...] MODE [argument...]\n"
"\n"
"  anon MB        touch so much anonymous memory, page by page\n"
"  read FILE      read a file\n"
"  map FILE       map a file and read a byte of each page\n"
"  write FILE MB  write so much to a file (with -f or -n, to FILE.0, FILE.1, ...)\n"
"  madvise MB     touch anonymous memory, then ask for it to be paged out\n"
"  spin           use the processor (until killed, or for -t seconds)\n"
"  sleep          do nothing (until killed, or for -t seconds)\n"
"\n"
"  -g DIR         move to this cgroup first\n"
"  -f PROCS       so many processes, which share the MB among them and begin\n"
"                 at the same moment\n"
"  -n THREADS     so many threads in each, likewise\n"
"  -r TOTAL       so many processes in all, -f of them at once: a new one for\n"
"                 each that ends\n"
"  -l LOOPS       do it so many times (1); anon walks the same memory again,\n"
"                 which brings back what was swapped out\n"
"  -t SECONDS     do it again and again for so long, but at least once\n"
"  -C COMM        name of the processes, with the escapes \\n \\t \\\\ \\xHH \\OOO\n"
"  -s             write: fsync at the end of each loop\n"
"  -k             anon: keep the memory until killed, once touched\n"
"  -p             let others be killed first when memory is out (hog offers itself)\n"
"  -v             print what was done\n"
"  -h, --help     this text\n";

static struct {
	unsigned long procs, threads, loops, total;
	double seconds;
	bool sync, keep, verbose;
	double end_s;
} opt = { .procs = 1, .threads = 1, .loops = 1 };

struct worker {
	const struct mode *mode;
	char **args;
	unsigned long index, number;
	unsigned long loops_done;
	pthread_t thread;
};

struct mode {
	const char *name;
	int nargs;
	void (*run)(struct worker *w);
};

static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void die(const char *format, ...)
{
	va_list ap;

	fputs("hog: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double number(const char *text, const char *what)
{
	char *end;
	double value;

	errno = 0;
	value = strtod(text, &end);
	if (errno || end == text || *end || value < 0 || value > 1e15)
		die("%s is not a number: \"%s\"", what, text);
	return value;
}

/* Whether a worker is to go on; counts the loops done. */
static bool again(struct worker *w)
{
	w->loops_done++;
	if (w->loops_done < opt.loops)
		return true;
	return opt.seconds > 0 && now_s() < opt.end_s;
}

static bool out_of_time(void)
{
	return opt.seconds > 0 && now_s() >= opt.end_s;
}

/* A worker's share of the MB in its argument, in whole pages. */
static size_t share(const struct worker *w, const char *mb)
{
	size_t pages = (size_t)(number(mb, "MB") * (double)MIB / (double)PAGE);
	size_t mine = pages / w->number + (w->index < pages % w->number);

	return mine * PAGE;
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/*
 * No two pages alike, and each next to nothing once compressed: swap in memory
 * that took much of it would leave a small guest on the brink, where the kernel
 * may go round for minutes before it gets on or gives up.
 */
static void fill_page(uint64_t *page, uint64_t *state)
{
	page[0] = next_random(state);
}

static char *map_anon(size_t size)
{
	char *p = mmap(NULL, size ? size : PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap of %zu bytes: %s", size, strerror(errno));
	/* Pages of 2 MB would hide what is reclaimed page by page. */
	madvise(p, size, MADV_NOHUGEPAGE);
	return p;
}

static void run_anon(struct worker *w)
{
	uint64_t state = 0x9e3779b97f4a7c15u + w->index;
	size_t size = share(w, w->args[0]), at;
	char *p = map_anon(size);

	for (at = 0; at < size; at += PAGE)
		fill_page((uint64_t *)(p + at), &state);
	while (again(w))
		for (at = 0; at < size; at += PAGE)
			((volatile char *)p)[at + PAGE - 1]++;
	while (opt.keep)
		pause();
	munmap(p, size ? size : PAGE);
}

static void run_madvise(struct worker *w)
{
	uint64_t state = 0x9e3779b97f4a7c15u + w->index;
	size_t size = share(w, w->args[0]), at;
	char *p = map_anon(size);

	do {
		for (at = 0; at < size; at += PAGE)
			fill_page((uint64_t *)(p + at), &state);
		if (madvise(p, size, MADV_PAGEOUT))
			die("MADV_PAGEOUT: %s", strerror(errno));
	} while (again(w));
	while (opt.keep)
		pause();
	munmap(p, size ? size : PAGE);
}

static void run_read(struct worker *w)
{
	static __thread char buffer[65536];
	int fd = open(w->args[0], O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		die("%s: %s", w->args[0], strerror(errno));
	do {
		off_t at = 0;

		while ((n = pread(fd, buffer, sizeof(buffer), at)) > 0 && !out_of_time())
			at += n;
		if (n < 0)
			die("%s: %s", w->args[0], strerror(errno));
	} while (again(w));
	close(fd);
}

static void run_map(struct worker *w)
{
	int fd = open(w->args[0], O_RDONLY | O_CLOEXEC);
	volatile char sum = 0;
	struct stat st;
	char *p;
	off_t at;

	if (fd < 0 || fstat(fd, &st))
		die("%s: %s", w->args[0], strerror(errno));
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		die("%s: mmap: %s", w->args[0], strerror(errno));
	do {
		for (at = 0; at < st.st_size; at += (off_t)PAGE)
			sum += p[at];
	} while (again(w));
	munmap(p, (size_t)st.st_size);
	close(fd);
}

static void run_write(struct worker *w)
{
	static __thread uint64_t buffer[65536 / sizeof(uint64_t)];
	uint64_t state = 0x9e3779b97f4a7c15u + w->index;
	size_t size = share(w, w->args[1]), at, i;
	char path[4096];
	int fd;

	if (w->number == 1)
		snprintf(path, sizeof(path), "%s", w->args[0]);
	else
		snprintf(path, sizeof(path), "%s.%lu", w->args[0], w->index);
	for (i = 0; i < sizeof(buffer) / sizeof(*buffer); i++)
		buffer[i] = next_random(&state);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	do {
		for (at = 0; at < size && !out_of_time(); ) {
			size_t want = size - at < sizeof(buffer) ? size - at : sizeof(buffer);
			ssize_t n = pwrite(fd, buffer, want, (off_t)at);

			if (n < 0)
				die("%s: %s", path, strerror(errno));
			at += (size_t)n;
		}
		if (opt.sync && fsync(fd))
			die("%s: fsync: %s", path, strerror(errno));
	} while (again(w));
	close(fd);
}

static void run_spin(struct worker *w)
{
	(void)w;
	while (!out_of_time())
		;
}

static void run_sleep(struct worker *w)
{
	struct timespec ts = {
		.tv_sec = (time_t)opt.seconds,
		.tv_nsec = (long)((opt.seconds - (double)(time_t)opt.seconds) * 1e9),
	};

	(void)w;
	if (opt.seconds > 0)
		nanosleep(&ts, NULL);
	else
		for (;;)
			pause();
}

static const struct mode modes[] = {
	{ "anon", 1, run_anon },
	{ "read", 1, run_read },
	{ "map", 1, run_map },
	{ "write", 2, run_write },
	{ "madvise", 1, run_madvise },
	{ "spin", 0, run_spin },
	{ "sleep", 0, run_sleep },
};

static void write_file(const char *path, const char *text, bool must)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t len = strlen(text);

	if ((fd < 0 || write(fd, text, len) != (ssize_t)len) && must)
		die("%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

static void join_cgroup(const char *dir)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	write_file(path, "0", true);
}

static void set_comm(const char *text)
{
	char comm[16] = "";
	size_t n = 0;

	while (*text && n < sizeof(comm) - 1) {
		char c = *text++;
		int used = 0;
		unsigned int value;

		if (c == '\\' && *text) {
			if (*text == 'x' && sscanf(text + 1, "%2x%n", &value, &used) == 1) {
				c = (char)value;
				text += 1 + used;
			} else if (*text >= '0' && *text <= '7' &&
				   sscanf(text, "%3o%n", &value, &used) == 1) {
				c = (char)value;
				text += used;
			} else {
				c = *text++;
				c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
			}
		}
		comm[n++] = c;
	}
	if (prctl(PR_SET_NAME, comm))
		die("PR_SET_NAME: %s", strerror(errno));
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	w->mode->run(w);
	return NULL;
}

/* One process: its threads, the first of them being the process itself. */
static void run_process(const struct mode *mode, char **args, unsigned long index)
{
	struct worker *w = calloc(opt.threads, sizeof(*w));
	unsigned long i;

	if (!w)
		die("out of memory");
	for (i = 0; i < opt.threads; i++) {
		w[i].mode = mode;
		w[i].args = args;
		w[i].index = index * opt.threads + i;
		w[i].number = opt.procs * opt.threads;
	}
	for (i = 1; i < opt.threads; i++)
		if ((errno = pthread_create(&w[i].thread, NULL, worker_main, &w[i])))
			die("thread: %s", strerror(errno));
	worker_main(&w[0]);
	for (i = 1; i < opt.threads; i++)
		pthread_join(w[i].thread, NULL);
	if (opt.verbose)
		for (i = 0; i < opt.threads; i++)
			printf("hog: %s %lu: %lu loops\n", mode->name, w[i].index, w[i].loops_done);
	free(w);
}

/* A process that begins when nobody holds the other end of the pipe any more. */
static void start_process(const struct mode *mode, char **args, unsigned long index,
			  const int *gate)
{
	pid_t pid = fork();
	char unused;

	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(gate[1]);
		if (read(gate[0], &unused, 1))
			die("gate: %s", strerror(errno));
		opt.end_s = now_s() + opt.seconds;
		run_process(mode, args, index);
		exit(0);
	}
}

static int run_processes(const struct mode *mode, char **args)
{
	unsigned long i;
	int status, result = 0, gate[2];

	if (opt.procs == 1 && !opt.total) {
		opt.end_s = now_s() + opt.seconds;
		run_process(mode, args, 0);
		return 0;
	}
	if (pipe(gate))
		die("pipe: %s", strerror(errno));
	for (i = 0; i < opt.procs; i++)
		start_process(mode, args, i, gate);
	close(gate[1]);
	while (wait(&status) > 0) {
		if (WIFSIGNALED(status))
			result = 128 + WTERMSIG(status);
		else if (WEXITSTATUS(status) && !result)
			result = WEXITSTATUS(status);
		if (i < opt.total)
			start_process(mode, args, i++ % opt.procs, gate);
	}
	return result;
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *cgroup = NULL, *comm = NULL;
	const struct mode *mode = NULL;
	bool protect = false;
	size_t i;
	int c;

	while ((c = getopt_long(argc, argv, "+g:f:n:l:r:t:C:skpvh", longs, NULL)) != -1) {
		switch (c) {
		case 'g': cgroup = optarg; break;
		case 'f': opt.procs = (unsigned long)number(optarg, "-f"); break;
		case 'n': opt.threads = (unsigned long)number(optarg, "-n"); break;
		case 'l': opt.loops = (unsigned long)number(optarg, "-l"); break;
		case 'r': opt.total = (unsigned long)number(optarg, "-r"); break;
		case 't': opt.seconds = number(optarg, "-t"); break;
		case 'C': comm = optarg; break;
		case 's': opt.sync = true; break;
		case 'k': opt.keep = true; break;
		case 'p': protect = true; break;
		case 'v': opt.verbose = true; break;
		case 'h': fputs(usage_text, stdout); return 0;
		default: fputs(usage_text, stderr); return 2;
		}
	}
	for (i = 0; optind < argc && i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(argv[optind], modes[i].name))
			mode = &modes[i];
	if (!mode || argc - optind - 1 != mode->nargs || !opt.procs || !opt.threads) {
		fputs(usage_text, stderr);
		return 2;
	}

	if (cgroup)
		join_cgroup(cgroup);
	if (comm)
		set_comm(comm);
	write_file("/proc/self/oom_score_adj", protect ? "-1000" : "1000", false);
	return run_processes(mode, argv + optind + 1);
}
