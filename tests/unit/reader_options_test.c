// SPDX-License-Identifier: GPL-2.0-only
/* The command line: what it means, and what is refused. */
#include "options.h"

#include "tap.h"

static struct vmr_options options;
static struct vmr_error err;

/* Parse words separated by spaces; _ stands for an empty word. */
static int parse(const char *line)
{
	static char text[256];
	static char *argv[32];
	char *word, *save = NULL;
	int argc = 0;

	snprintf(text, sizeof(text), "vmprobe-read %s", line);
	for (word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (!strcmp(word, "_"))
			*word = '\0';
		argv[argc++] = word;
	}
	argv[argc] = NULL;
	err.text[0] = '\0';
	return vmr_options_parse(argc, argv, &options, &err);
}

static void refused(const char *line, const char *message)
{
	bool refused = parse(line) == -1;

	tap_ok(refused && strstr(err.text, message), "%s: %s", line, err.text);
}

static bool operand(int i, const char *expected)
{
	return i < options.nr_operands && !strcmp(options.operands[i], expected);
}

static void test_good(void)
{
	tap_ok(!parse("") && !options.seen && !options.nr_operands && options.top == 5 &&
	       !options.root, "nothing");
	tap_ok(!parse("totals") && options.nr_operands == 1 && operand(0, "totals"), "a command");
	tap_ok(!parse("-n 7 -u summary") && options.top == 7 && operand(0, "summary") &&
	       options.seen == (VMR_OPT_TOP | VMR_OPT_RAW), "options in front");
	tap_ok(!parse("summary -u -n7") && options.top == 7 && options.nr_operands == 1 &&
	       options.seen & VMR_OPT_RAW, "options behind, no space");
	tap_ok(!parse("-un 7") && options.top == 7 && options.seen & VMR_OPT_RAW, "letters together");
	tap_ok(!parse("--top=7 --unscaled") && options.top == 7 && options.seen & VMR_OPT_RAW,
	       "long ones, with =");
	tap_ok(!parse("--top 7 --root dir") && options.top == 7 && !strcmp(options.root, "dir"),
	       "long ones, with a space");
	tap_ok(!parse("--root=a=b") && !strcmp(options.root, "a=b"), "a second = belongs to the value");
	tap_ok(!parse("--root -x") && !strcmp(options.root, "-x"), "a value that looks like an option");
	tap_ok(!parse("-n 0") && options.top == 0, "no rows");
	tap_ok(!parse("-n 1000000") && options.top == 1000000, "the most rows");
	tap_ok(!parse("-n 3 -n 4") && options.top == 4, "the last one counts");
	tap_ok(!parse("stat -- ls -l") && options.nr_operands == 3 && operand(0, "stat") &&
	       operand(1, "ls") && operand(2, "-l") && !options.seen, "nothing behind -- is an option");
	tap_ok(!parse("-- -h") && operand(0, "-h") && !options.seen, "nor right behind it");
	tap_ok(!parse("-") && operand(0, "-"), "- is an operand");
	tap_ok(!parse("-h") && options.seen == VMR_OPT_HELP, "-h");
	tap_ok(!parse("--help --version") && options.seen == (VMR_OPT_HELP | VMR_OPT_VERSION),
	       "--help --version");
	tap_ok(!parse("a -u b") && options.nr_operands == 2 && operand(0, "a") && operand(1, "b"),
	       "an option between operands");
}

static void test_bad(void)
{
	refused("-x", "unknown option -x");
	refused("-ux", "unknown option -ux");
	refused("--frobnicate", "unknown option --frobnicate");
	refused("--unscale", "did you mean --unscaled?");
	refused("--hlep", "did you mean --help?");
	refused("--top5", "did you mean --top?");
	refused("-n", "-n needs a value: N");
	refused("--top", "--top needs a value: N");
	refused("--root", "--root needs a value: DIR");
	refused("--root=", "--root needs");
	refused("--root _", "--root needs");
	refused("--unscaled=1", "takes no value");
	refused("-n x", "-n needs a number");
	refused("-n -1", "-n needs a number");
	refused("-n +1", "-n needs a number");
	refused("-n 1x", "-n needs a number");
	refused("-n _", "-n needs a number");
	refused("-n 1000001", "-n needs a number");
	refused("-n 99999999999999999999999", "-n needs a number");
	refused("-nu 5", "-n needs a number");
	refused("-x\033[2J", "\\033[2J");
}

static void test_check(void)
{
	parse("-n 3 --root x");
	tap_ok(!vmr_options_check(&options, VMR_OPT_TOP | VMR_OPT_ROOT, "c", &err), "allowed");
	tap_ok(vmr_options_check(&options, VMR_OPT_ROOT, "c", &err) == -1 &&
	       strstr(err.text, "--top means nothing to c"), "not allowed: %s", err.text);
	parse("-h -V");
	tap_ok(!vmr_options_check(&options, 0, "c", &err), "help is always allowed");
}

int main(void)
{
	test_good();
	test_bad();
	test_check();
	return tap_done();
}
