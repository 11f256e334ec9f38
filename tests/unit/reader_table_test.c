// SPDX-License-Identifier: GPL-2.0-only
/* Parsing: good tables, broken ones and hostile ones. */
#include <stdlib.h>

#include "table.h"
#include "text.h"

#include "tap.h"

static struct vmr_table table;
static struct vmr_error err;

/* Parse a copy of exactly that size, so that a byte too far is seen. */
static int parse_bytes(const char *text, size_t size)
{
	char *copy = malloc(size + 1);

	memcpy(copy, text, size);
	copy[size] = '\0';
	vmr_table_free(&table);
	err.text[0] = '\0';
	return vmr_table_parse(&table, "dir/file", copy, size, &err);
}

static int parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static void refused(const char *text, size_t size, const char *message, const char *what)
{
	bool refused = parse_bytes(text, size) == -1;

	tap_ok(refused && strstr(err.text, message), "%s: %s", what, err.text);
}

#define REFUSED(text, message, what)	refused(text, sizeof(text) - 1, message, what)

#define HEADER	"# vmprobe 1 t\n"

static void test_good(void)
{
	struct vmr_num num;

	tap_ok(!parse("# vmprobe 1 totals\nprobe calls x\na 0 -\nb 18446744073709551615 7\n"),
	       "a table is parsed");
	tap_is(table.name, "totals", "its name");
	tap_ok(table.format == 1 && table.nr_columns == 3 && table.nr_rows == 2, "its size");
	tap_ok(vmr_table_column(&table, "x") == 2, "a column by its name");
	tap_ok(vmr_table_column(&table, "probe") == 0, "another");
	tap_ok(vmr_table_column(&table, "pro") == -1, "a column that is not there");
	tap_is(vmr_table_cell(&table, 1, 0), "b", "a cell");
	tap_is(vmr_table_cell(&table, 1, -1), NULL, "a cell of no column");
	tap_is(vmr_table_cell(&table, 0, 2), NULL, "- is not available");

	tap_ok(!vmr_table_number(&table, 0, 1, &num, &err) && num.known && num.value == 0,
	       "0 is known to be 0");
	tap_ok(!vmr_table_number(&table, 0, 2, &num, &err) && !num.known, "- is not 0");
	tap_ok(!vmr_table_number(&table, 0, -1, &num, &err) && !num.known,
	       "a column that is not there is not 0 either");
	tap_ok(!vmr_table_number(&table, 1, 1, &num, &err) && num.value == ~0ull, "2^64 - 1");
	tap_ok(vmr_table_number(&table, 1, 0, &num, &err) == -1 && !num.known &&
	       strstr(err.text, "dir/file:4:") && strstr(err.text, "probe"),
	       "no number: %s", err.text);

	tap_ok(!parse(HEADER "a b\n"), "a table without rows");
	tap_ok(table.nr_rows == 0, "has none");
	tap_ok(!parse(HEADER "a comm\n1 \n"), "an empty last field");
	tap_is(vmr_table_cell(&table, 0, 1), "", "is an empty name");
}

static void test_numbers(void)
{
	static const char *const bad[] = {
		"18446744073709551616", "99999999999999999999", "-1", "+1", "1.5", "0x10", "1e3",
		"12a", "a12", "184467440737095516150", "\\0401",
	};
	char text[128];
	struct vmr_num num;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text), HEADER "a b\n%s x\n", bad[i]);
		parse(text);
		tap_ok(vmr_table_number(&table, 0, 0, &num, &err) == -1 && !num.known,
		       "not a number: %s", bad[i]);
	}
	parse(HEADER "a b\n000 x\n");
	tap_ok(!vmr_table_number(&table, 0, 0, &num, &err) && num.known && !num.value, "000 is 0");
}

static void test_headers(void)
{
	REFUSED("", "empty", "an empty file");
	REFUSED("\n", ":1:", "an empty line");
	REFUSED("hello\n", ":1:", "another file");
	REFUSED("# vmprobe\n", ":1:", "no format");
	REFUSED("# vmprobe 1\na\n", ":1:", "no table");
	REFUSED("# vmprobe 1 \na\n", ":1:", "an empty table name");
	REFUSED("# vmprobe 1 a b\na\n", ":1:", "two table names");
	REFUSED("# vmprobe one t\na\n", ":1:", "a format that is no number");
	REFUSED("# vmprobe 0 t\na\n", ":1:", "format 0");
	REFUSED("# vmprobe 4294967297 t\na\n", ":1:", "a format beyond 32 bits");
	REFUSED("# vmprobe -1 t\na\n", ":1:", "a negative format");
	REFUSED("#vmprobe 1 t\na\n", ":1:", "no space");
	REFUSED(HEADER, ":2:", "no column names");
	REFUSED(HEADER "\n", ":2:", "an empty line of column names");
	REFUSED(HEADER "a  b\n", ":2:", "two spaces between column names");
	REFUSED(HEADER "a b \n", ":2:", "a space behind the column names");
	REFUSED(HEADER "a b a\n", "two columns a", "two columns of one name");
	tap_ok(!parse("# vmprobe 2 t\na b new\n1 2 3\n") && table.format == 2,
	       "a higher format is parsed, and can be seen");
}

static void test_rows(void)
{
	REFUSED(HEADER "a b\n1\n", ":3: 1 fields, but there are 2", "a field too few");
	REFUSED(HEADER "a b\n1 2\n1 2 3\n", ":4: more than 2", "a field too many");
	REFUSED(HEADER "a b\n1 2 \n", ":3:", "a space at the end");
	REFUSED(HEADER "a b\n 1\n", ":3:", "a space in front");
	REFUSED(HEADER "a b c\n1  2\n", "column b", "two spaces");
	REFUSED(HEADER "a b\n1 2\n\n1 2\n", ":4:", "an empty line");
	REFUSED(HEADER "a b\n1 2\n1 2", ":4: the last line has no end", "cut off");
	REFUSED(HEADER "a b", ":2: the last line has no end", "cut off in the names");
	REFUSED("# vmprobe 1", ":1: the last line has no end", "cut off in the header");
	REFUSED(HEADER "a b\n1 \0002\n", ":3: a NUL byte", "a NUL byte");
	REFUSED("\0", ":1: a NUL byte", "only a NUL byte");
	tap_ok(!parse("# vmprobe 1 status\nname value\nbtf no, it is not\nlayout -\n"),
	       "a value of status may be a sentence");
	tap_is(vmr_table_lookup(&table, "btf"), "no, it is not", "the sentence");
	tap_is(vmr_table_lookup(&table, "layout"), NULL, "a value that is not available");
	tap_is(vmr_table_lookup(&table, "other"), NULL, "a name that is not there");
	tap_ok(!vmr_table_lookup_number(&table, "btf").known, "a sentence is no number");
}

static void test_sizes(void)
{
	size_t size = VMR_TABLE_LINE, i, used;
	char *text = malloc(size + 64);

	used = (size_t)sprintf(text, HEADER "a\n");
	memset(text + used, 'x', size);
	strcpy(text + used + size, "\n");
	tap_ok(!parse(text) && strlen(vmr_table_cell(&table, 0, 0)) == size, "the longest line");
	strcpy(text + used + size, "x\n");
	tap_ok(parse(text) == -1 && strstr(err.text, ":3: a line of more"), "a longer one: %s",
	       err.text);

	used = (size_t)sprintf(text, HEADER);
	for (i = 0; i < VMR_TABLE_COLUMNS; i++)
		used += (size_t)sprintf(text + used, "%sc%zu", i ? " " : "", i);
	strcpy(text + used, "\n");
	tap_ok(!parse(text) && table.nr_columns == VMR_TABLE_COLUMNS, "the most columns");
	strcpy(text + used, " more\n");
	tap_ok(parse(text) == -1 && strstr(err.text, ":2: more than"), "one more: %s", err.text);
	free(text);
}

static void test_escapes(void)
{
	static const struct {
		const char *in;
		const char *out;
	} names[] = {
		{ "a\\040b", "a b" }, { "a\\011b", "a\tb" }, { "a\\012b", "a\nb" },
		{ "a\\134b", "a\\b" }, { "\\134040", "\\040" }, { "\\055", "-" },
		{ "\\303\\251", "\303\251" }, { "\\377", "\377" },
		/* what is no escape of a byte stays */
		{ "\\000", "\\000" }, { "\\400", "\\400" }, { "\\777", "\\777" },
		{ "\\", "\\" }, { "a\\", "a\\" }, { "\\0", "\\0" }, { "\\04", "\\04" },
		{ "\\089", "\\089" }, { "\\x20", "\\x20" }, { "\\\\040", "\\ " },
	};
	char text[64], back[64];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		strcpy(text, names[i].in);
		vmr_text_unescape(text);
		tap_is(text, names[i].out, names[i].in);
		/* Whatever it is, it can be printed and read back. */
		vmr_text_escape(names[i].out, true, text, sizeof(text));
		strcpy(back, text);
		vmr_text_unescape(back);
		tap_ok(!strcmp(back, names[i].out) && strcmp(text, "-") &&
		       strspn(text, "abcdefghijklmnopqrstuvwxyz\\0123456789") == strlen(text),
		       "and back: %s", text);
	}
	tap_ok(!parse(HEADER "a b\n\\055 \\040\n") && vmr_table_cell(&table, 0, 0),
	       "an escaped - is a name");
	vmr_text_escape("\033[31m", true, text, 9);
	tap_is(text, "\\033[31m", "an escape sequence is shown");
	vmr_text_escape("abc\033", true, text, 7);
	tap_is(text, "abc", "no half of an escape");
	vmr_text_safe("a \\ b\n\033", text, sizeof(text));
	tap_is(text, "a \\ b\\012\\033", "a message is harmless");
	vmr_error_set(&err, "%s", "x\033]0;y\007");
	tap_is(err.text, "x\\033]0;y\\007", "an error is harmless");
}

int main(void)
{
	test_good();
	test_numbers();
	test_headers();
	test_rows();
	test_sizes();
	test_escapes();
	vmr_table_free(&table);
	return tap_done();
}
