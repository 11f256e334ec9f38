// SPDX-License-Identifier: GPL-2.0-only
/* The command line, before anybody knows what the command is. */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "text.h"

#define DEFAULT_TOP	5
#define LARGEST_TOP	1000000

struct option {
	unsigned int bit;
	char letter;
	const char *name;
	const char *value;
	const char *help;
};

static const struct option all[] = {
	{ VMR_OPT_TOP, 'n', "top", "N", "rows in each list (default 5)" },
	{ VMR_OPT_RAW, 'u', "unscaled", NULL,
	  "all digits, in nanoseconds and pages; lines may be long" },
	{ VMR_OPT_ROOT, 0, "root", "DIR",
	  "read a copy: the tables themselves, or a tree with\n"
	  "sys/kernel/debug/vmprobe in it" },
	{ VMR_OPT_HELP, 'h', "help", NULL, "this text; behind a command, help on the command" },
	{ VMR_OPT_VERSION, 'V', "version", NULL, "the version" },
};

#define NR_ALL	(sizeof(all) / sizeof(*all))

static const struct option *by_letter(char letter)
{
	size_t i;

	for (i = 0; i < NR_ALL; i++)
		if (letter && all[i].letter == letter)
			return &all[i];
	return NULL;
}

static const struct option *by_name(const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < NR_ALL; i++)
		if (strlen(all[i].name) == length && !strncmp(all[i].name, name, length))
			return &all[i];
	return NULL;
}

static int unknown_option(const char *argument, struct vmr_error *err)
{
	const char *names[NR_ALL], *nearest = NULL;
	char name[32];
	size_t i;

	for (i = 0; i < NR_ALL; i++)
		names[i] = all[i].name;
	if (!strncmp(argument, "--", 2)) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(argument + 2, "="), argument + 2);
		nearest = vmr_text_nearest(name, names, NR_ALL);
	}
	if (nearest)
		return vmr_error_set(err, "unknown option %s: did you mean --%s?",
				     argument, nearest);
	return vmr_error_set(err, "unknown option %s; all there are: %s -h", argument, VMR_NAME);
}

static int set(struct vmr_options *options, const struct option *option, const char *value,
	       struct vmr_error *err)
{
	char *end;

	options->seen |= option->bit;
	if (option->bit == VMR_OPT_ROOT) {
		if (!*value)
			return vmr_error_set(err, "--root needs the name of a directory");
		options->root = value;
	} else if (option->bit == VMR_OPT_TOP) {
		options->top = strtoul(value, &end, 10);
		if (*value < '0' || *value > '9' || *end || options->top > LARGEST_TOP)
			return vmr_error_set(err, "-n needs a number from 0 to %d, not %s",
					     LARGEST_TOP, *value ? value : "nothing");
	}
	return 0;
}

/* --name, --name=value or --name value: how many arguments it took, or -1. */
static int parse_long(char **argv, int left, struct vmr_options *options,
		      struct vmr_error *err)
{
	const char *name = argv[0] + 2, *equals = strchr(name, '=');
	const struct option *option;

	option = by_name(name, equals ? (size_t)(equals - name) : strlen(name));
	if (!option)
		return unknown_option(argv[0], err);
	if (!option->value) {
		if (equals)
			return vmr_error_set(err, "--%s takes no value", option->name);
		return set(options, option, NULL, err) ? -1 : 1;
	}
	if (equals)
		return set(options, option, equals + 1, err) ? -1 : 1;
	if (left < 2)
		return vmr_error_set(err, "--%s needs a value: %s", option->name, option->value);
	return set(options, option, argv[1], err) ? -1 : 2;
}

/* -a, -ab, -nVALUE or -n VALUE: how many arguments it took, or -1. */
static int parse_short(char **argv, int left, struct vmr_options *options,
		       struct vmr_error *err)
{
	const struct option *option;
	const char *letter;

	for (letter = argv[0] + 1; *letter; letter++) {
		option = by_letter(*letter);
		if (!option)
			return unknown_option(argv[0], err);
		if (!option->value) {
			set(options, option, NULL, err);
			continue;
		}
		if (letter[1])
			return set(options, option, letter + 1, err) ? -1 : 1;
		if (left < 2)
			return vmr_error_set(err, "-%c needs a value: %s",
					     option->letter, option->value);
		return set(options, option, argv[1], err) ? -1 : 2;
	}
	return 1;
}

/**
 * vmr_options_parse() - take the command line apart
 * @argc: as of main()
 * @argv: as of main(); put in another order
 * @options: filled in; options may stand before and behind the command, and
 *	what follows "--" is no option
 * @err: set on error
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_options_parse(int argc, char **argv, struct vmr_options *options,
		      struct vmr_error *err)
{
	int i = 1, taken;

	*options = (struct vmr_options) { .top = DEFAULT_TOP, .operands = argv };
	while (i < argc) {
		if (!strcmp(argv[i], "--")) {
			for (i++; i < argc; i++)
				options->operands[options->nr_operands++] = argv[i];
			break;
		}
		if (argv[i][0] != '-' || !argv[i][1]) {
			options->operands[options->nr_operands++] = argv[i++];
			continue;
		}
		if (argv[i][1] == '-')
			taken = parse_long(argv + i, argc - i, options, err);
		else
			taken = parse_short(argv + i, argc - i, options, err);
		if (taken < 0)
			return -1;
		i += taken;
	}
	return 0;
}

/**
 * vmr_options_check() - refuse options that the command does not have
 * @options: parsed
 * @allowed: bits of the options it has
 * @command: its name, for the message
 * @err: set on error
 *
 * Return: 0, or -1 with @err set.
 */
int vmr_options_check(const struct vmr_options *options, unsigned int allowed,
		      const char *command, struct vmr_error *err)
{
	size_t i;

	for (i = 0; i < NR_ALL; i++)
		if (options->seen & all[i].bit & ~(allowed | VMR_OPT_ALWAYS))
			return vmr_error_set(err, "--%s means nothing to %s; see: %s %s -h",
					     all[i].name, command, VMR_NAME, command);
	return 0;
}

/**
 * vmr_options_synopsis() - print options as in a line of usage
 * @allowed: bits of the options to print
 * @out: where to
 */
void vmr_options_synopsis(unsigned int allowed, FILE *out)
{
	size_t i;

	for (i = 0; i < NR_ALL; i++) {
		if (!(allowed & all[i].bit))
			continue;
		if (all[i].letter)
			fprintf(out, " [-%c", all[i].letter);
		else
			fprintf(out, " [--%s", all[i].name);
		fprintf(out, all[i].value ? " %s]" : "]", all[i].value);
	}
}

/**
 * vmr_options_help() - print options, one a line
 * @allowed: bits of the options to print
 * @out: where to
 */
void vmr_options_help(unsigned int allowed, FILE *out)
{
	char name[32];
	const char *help, *end;
	size_t i;

	for (i = 0; i < NR_ALL; i++) {
		if (!(allowed & all[i].bit))
			continue;
		snprintf(name, sizeof(name), "--%s%s%s", all[i].name,
			 all[i].value ? " " : "", all[i].value ? all[i].value : "");
		if (all[i].letter)
			fprintf(out, "  -%c, %-14s", all[i].letter, name);
		else
			fprintf(out, "      %-14s", name);
		for (help = all[i].help; (end = strchr(help, '\n')); help = end + 1)
			fprintf(out, " %.*s\n%20s", (int)(end - help), help, "");
		fprintf(out, " %s\n", help);
	}
}
