// SPDX-License-Identifier: GPL-2.0-only
/* Units, rounding, and grids. */
#include <stdlib.h>

#include "format.h"
#include "print.h"

#include "tap.h"

static struct vmr_num num(unsigned long long value)
{
	return (struct vmr_num) { .known = true, .value = value };
}

static const struct vmr_num unknown, at_least = { .known = true, .partial = true, .value = 1234567 };

static void test_numbers(void)
{
	static const struct {
		unsigned long long value;
		const char *count;
		const char *time;
	} table[] = {
		{ 0, "0", "0ns" },
		{ 1, "1", "1ns" },
		{ 999, "999", "999ns" },
		{ 1000, "1000", "1.00us" },
		{ 1004, "1004", "1.00us" },
		{ 9994, "9994", "9.99us" },
		{ 9996, "9996", "10.0us" },
		{ 99949, "99949", "99.9us" },
		{ 99960, "99960", "100us" },
		{ 99999, "99999", "100us" },
		{ 100000, "100K", "100us" },
		{ 999499, "999K", "999us" },
		{ 999500, "1.00M", "1.00ms" },
		{ 1234567, "1.23M", "1.23ms" },
		{ 999499999, "999M", "999ms" },
		{ 999500000, "1.00G", "1.00s" },
		{ 59400000000, "59.4G", "59.4s" },
		{ 12345678900000, "12.3T", "12346s" },
		{ ~0ull, "18.4E", "18446744074s" },
	};
	char text[VMR_FORMAT_SIZE], digits[32];
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(*table); i++) {
		tap_is(vmr_format_count(num(table[i].value), false, text), table[i].count,
		       table[i].count);
		tap_is(vmr_format_time(num(table[i].value), false, text), table[i].time,
		       table[i].time);
		snprintf(digits, sizeof(digits), "%llu", table[i].value);
		tap_is(vmr_format_count(num(table[i].value), true, text), digits, "all digits");
		tap_is(vmr_format_time(num(table[i].value), true, text), digits, "nanoseconds");
	}
	tap_is(vmr_format_count(unknown, false, text), "-", "a count that is not available");
	tap_is(vmr_format_count(unknown, true, text), "-", "the same, raw");
	tap_is(vmr_format_time(unknown, false, text), "-", "a time that is not available");
	tap_is(vmr_format_time(unknown, true, text), "-", "the same, raw");
	tap_is(vmr_format_count(at_least, false, text), "1.23M+", "at least");
	tap_is(vmr_format_time(at_least, false, text), "1.23ms+", "at least, a time");
	tap_is(vmr_format_count(at_least, true, text), "1234567+", "at least, raw");
}

static void test_ratios(void)
{
	char text[VMR_FORMAT_SIZE];

	tap_is(vmr_format_ratio(num(0), num(5), false, text), "0.00", "nothing freed");
	tap_is(vmr_format_ratio(num(1), num(3), false, text), "0.33", "a third");
	tap_is(vmr_format_ratio(num(1), num(3), true, text), "0.3333", "a third, raw");
	tap_is(vmr_format_ratio(num(100), num(8), false, text), "12.5", "more than asked for");
	tap_is(vmr_format_ratio(num(~0ull), num(1), false, text), "18.4E", "far more");
	tap_is(vmr_format_ratio(num(5), num(0), false, text), "-", "nothing asked for");
	tap_is(vmr_format_ratio(num(5), unknown, false, text), "-", "not known what for");
	tap_is(vmr_format_ratio(unknown, num(5), false, text), "-", "not known how much");
	tap_is(vmr_format_ratio(at_least, num(5), false, text), "-", "not known in full");

	tap_is(vmr_format_share(num(0), num(7), text), "0%", "no share");
	tap_is(vmr_format_share(num(7), num(7), text), "100%", "all");
	tap_is(vmr_format_share(num(1), num(1000), text), "<1%", "little is not nothing");
	tap_is(vmr_format_share(num(999), num(1000), text), ">99%", "much is not all");
	tap_is(vmr_format_share(num(1), num(2), text), "50%", "half");
	tap_is(vmr_format_share(num(1), num(0), text), "-", "a share of nothing");
	tap_is(vmr_format_share(unknown, num(7), text), "-", "an unknown share");

	tap_is(vmr_format_span(5000000, text), "5ms", "5 ms ago");
	tap_is(vmr_format_span(59999999999, text), "59s", "59 s");
	tap_is(vmr_format_span(60000000000, text), "1m 0s", "1 min");
	tap_is(vmr_format_span(3600000000000, text), "1h 0m", "1 h");
	tap_is(vmr_format_span(90061000000000, text), "1d 1h", "1 d");
}

static void grid(const char *const *cells, size_t nr, size_t width, const char *expected,
		 const char *what)
{
	static const struct vmr_column columns[] = {
		{ "\nname", VMR_LEFT }, { "two\nlines", VMR_RIGHT }, { "\nend", VMR_LEFT },
	};
	struct vmr_grid grid = { .columns = columns, .nr_columns = 3 };
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; i < nr; i++)
		vmr_print_name(&grid, cells[i], false);
	vmr_print_grid(&grid, width, out);
	fclose(out);
	tap_is(text, expected, what);
	free(text);
}

static void test_grid(void)
{
	static const char *const cells[] = {
		"a", "12345678", "x", "long-name-of-something", "1", "y z", "\033", NULL, "",
	};

	grid(cells, 9, 0,
	     "                             two\n"
	     "name                       lines  end\n"
	     "a                       12345678  x\n"
	     "long-name-of-something         1  y z\n"
	     "\\033                           -\n", "columns are aligned");
	grid(cells, 9, 30,
	     "                       two\n"
	     "name                 lines end\n"
	     "a                 12345678 x\n"
	     "long-name-of-som~        1 y z\n"
	     "\\033                     -\n", "a name is cut to fit");
	grid(cells, 9, 1,
	     "                two\n"
	     "name          lines end\n"
	     "a          12345678 x\n"
	     "long-name~        1 y z\n"
	     "\\033              -\n", "but no number ever is");
	grid(cells, 0, 0, "        two\nname  lines  end\n", "only a header");
}

static void test_wrapped(void)
{
	char *text = NULL, *line, *save, words[400] = "";
	bool fits = true, indented = true;
	size_t size, i;
	FILE *out;

	for (i = 0; i < 60; i++)
		strcat(words, i % 3 ? "word " : "a ");
	out = open_memstream(&text, &size);
	vmr_print_wrapped("note: ", words, out);
	fclose(out);
	tap_ok(!strncmp(text, "note: a word", 12), "a prefix");
	for (line = strtok_r(text, "\n", &save), i = 0; line; line = strtok_r(NULL, "\n", &save), i++) {
		fits = fits && strlen(line) <= VMR_PRINT_WIDTH;
		indented = indented && (!i || !strncmp(line, "      ", 6)) && line[6] != ' ';
	}
	tap_ok(i == 3 && fits && indented, "lines that fit, indented");
	free(text);
}

int main(void)
{
	test_numbers();
	test_ratios();
	test_grid();
	test_wrapped();
	return tap_done();
}
