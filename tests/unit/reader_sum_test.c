// SPDX-License-Identifier: GPL-2.0-only
/* Sums, groups and differences. */
#include <stdlib.h>

#include "delta.h"
#include "sum.h"

#include "tap.h"

static struct vmr_error err;

static void parse(struct vmr_table *table, const char *rows)
{
	static const char header[] = "# vmprobe 1 t\n"
		"key sub calls requested_pages scanned_pages freed_pages total_ns self_ns probe_ns "
		"max_ns oncpu_ns runqueue_ns blocked_ns min_priority max_order comm\n";
	char *text = malloc(sizeof(header) + strlen(rows));

	strcpy(text, header);
	strcat(text, rows);
	if (vmr_table_parse(table, "t", text, strlen(text), &err))
		tap_ok(false, "%s", err.text);
}

static bool is(const struct vmr_group *group, enum vmp_counter counter, unsigned long long value)
{
	const struct vmr_num *num = &group->sum.c[counter];

	return num->known && !num->partial && num->value == value;
}

static const char *const keys[] = { "key", NULL };

static void test_group(void)
{
	static const char *const wrong[] = { "nokey", NULL }, *const two[] = { "key", "sub", NULL };
	struct vmr_grouping grouping;
	const struct vmr_group *group;
	struct vmr_table table;

	parse(&table,
	      "b x 1 2 3 4 5 6 7 8 9 10 11 12 13 c\n"
	      "a y 100 200 300 400 500 600 700 800 900 1000 1100 3 1 d\n"
	      "b x 10 20 30 40 50 60 70 7 90 100 110 5 14 e\n"
	      "- z 1 1 1 1 1 1 1 1 1 1 1 1 1 f\n"
	      "b y 20 - 1 1 1 1 1 1 1 1 1 - - g\n"
	      "b z 0 - - - - - - - - - - - - h\n");
	tap_ok(!vmr_sum_group(&table, keys, VMR_ALL, NULL, &grouping, &err) &&
	       grouping.nr_groups == 3, "three keys");
	group = grouping.groups;
	tap_is(group[0].key[0], NULL, "- is a key of its own");
	tap_is(group[1].key[0], "a", "then a");
	tap_is(group[2].key[0], "b", "then b");
	tap_ok(group[2].nr_rows == 4 && grouping.rows[group[2].first] == 0 &&
	       grouping.rows[group[2].first + 3] == 5, "rows of a group, in order");
	tap_ok(is(&group[2], VMP_C_calls, 31) && is(&group[2], VMP_C_scanned_pages, 34) &&
	       is(&group[2], VMP_C_freed_pages, 45) && is(&group[2], VMP_C_total_ns, 56) &&
	       is(&group[2], VMP_C_self_ns, 67) && is(&group[2], VMP_C_probe_ns, 78) &&
	       is(&group[2], VMP_C_oncpu_ns, 100) && is(&group[2], VMP_C_runqueue_ns, 111) &&
	       is(&group[2], VMP_C_blocked_ns, 122), "sums");
	tap_ok(is(&group[2], VMP_C_max_ns, 8) && is(&group[2], VMP_C_max_order, 14), "the largest");
	tap_ok(is(&group[2], VMP_C_min_priority, 5), "the smallest");
	tap_ok(group[2].sum.c[VMP_C_requested_pages].known &&
	       group[2].sum.c[VMP_C_requested_pages].partial &&
	       group[2].sum.c[VMP_C_requested_pages].value == 22, "at least, where one is not known");

	vmr_sum_order(&grouping, VMP_C_total_ns);
	tap_is(grouping.groups[0].key[0], "a", "the largest first");
	tap_is(grouping.groups[2].key[0], NULL, "the smallest last");
	vmr_sum_free(&grouping);

	tap_ok(!vmr_sum_group(&table, two, VMR_ALL, NULL, &grouping, &err) &&
	       grouping.nr_groups == 5, "two keys");
	vmr_sum_free(&grouping);
	tap_ok(!vmr_sum_group(&table, two, VMR_KNOWN, "key", &grouping, &err) &&
	       grouping.nr_groups == 4, "only where it is known");
	vmr_sum_free(&grouping);
	tap_ok(!vmr_sum_group(&table, two, VMR_UNKNOWN, "key", &grouping, &err) &&
	       grouping.nr_groups == 1, "only where it is not");
	vmr_sum_free(&grouping);
	tap_ok(vmr_sum_group(&table, wrong, VMR_ALL, NULL, &grouping, &err) == -1 &&
	       strstr(err.text, "no column nokey"), "no such column: %s", err.text);
	vmr_sum_free(&grouping);
	vmr_table_free(&table);

	parse(&table, "a x 1 2 3 4 5 six 7 8 9 10 11 12 13 c\n");
	tap_ok(vmr_sum_group(&table, keys, VMR_ALL, NULL, &grouping, &err) == -1 &&
	       strstr(err.text, "t:3: column self_ns"), "no number: %s", err.text);
	vmr_sum_free(&grouping);
	vmr_table_free(&table);

	parse(&table, "");
	tap_ok(!vmr_sum_group(&table, keys, VMR_ALL, NULL, &grouping, &err) &&
	       !grouping.nr_groups, "no rows");
	vmr_sum_order(&grouping, VMP_C_calls);
	vmr_sum_free(&grouping);
	vmr_table_free(&table);
}

static void test_nums(void)
{
	struct vmr_num sum = { .known = true, .value = ~0ull - 1 };
	const struct vmr_num one = { .known = true, .value = 1 }, none = { 0 };

	vmr_sum_num(&sum, one);
	tap_ok(sum.value == ~0ull && !sum.partial, "up to 2^64 - 1");
	vmr_sum_num(&sum, one);
	tap_ok(sum.value == ~0ull, "and no further");
	sum = none;
	vmr_sum_num(&sum, none);
	tap_ok(!sum.known && !sum.partial, "nothing and nothing");
	vmr_sum_num(&sum, one);
	tap_ok(sum.known && sum.partial && sum.value == 1, "nothing and something");
}

static int difference(const char *before, const char *after, struct vmr_counters *counters,
		      size_t *nr)
{
	struct vmr_grouping old, new;
	struct vmr_table old_table, new_table;
	int failed;

	parse(&old_table, before);
	parse(&new_table, after);
	vmr_sum_group(&old_table, keys, VMR_ALL, NULL, &old, &err);
	vmr_sum_group(&new_table, keys, VMR_ALL, NULL, &new, &err);
	failed = vmr_delta_groups(&new, &old, &err);
	*counters = new.groups[0].sum;
	*nr = new.nr_groups;
	vmr_sum_free(&old);
	vmr_sum_free(&new);
	vmr_table_free(&old_table);
	vmr_table_free(&new_table);
	return failed;
}

static void test_delta(void)
{
	struct vmr_counters d;
	size_t nr;

	tap_ok(!difference("a x 1 2 3 4 5 6 7 8 9 10 11 6 2 c\n",
			   "a x 11 22 33 44 55 66 77 88 99 110 121 5 3 c\n", &d, &nr), "a difference");
	tap_ok(d.c[VMP_C_calls].value == 10 && d.c[VMP_C_requested_pages].value == 20 &&
	       d.c[VMP_C_scanned_pages].value == 30 && d.c[VMP_C_freed_pages].value == 40 &&
	       d.c[VMP_C_total_ns].value == 50 && d.c[VMP_C_self_ns].value == 60 &&
	       d.c[VMP_C_probe_ns].value == 70 && d.c[VMP_C_oncpu_ns].value == 90 &&
	       d.c[VMP_C_runqueue_ns].value == 100 && d.c[VMP_C_blocked_ns].value == 110,
	       "of the sums");
	tap_ok(d.c[VMP_C_max_ns].value == 88 && d.c[VMP_C_min_priority].value == 5 &&
	       d.c[VMP_C_max_order].value == 3, "a new largest and smallest");
	difference("a x 1 2 3 - 5 6 7 8 9 10 11 6 2 c\n", "a x 1 2 3 4 5 6 7 8 9 10 11 7 2 c\n",
		   &d, &nr);
	tap_ok(d.c[VMP_C_calls].known && d.c[VMP_C_calls].value == 0, "no calls are 0 calls");
	tap_ok(!d.c[VMP_C_max_ns].known && !d.c[VMP_C_min_priority].known &&
	       !d.c[VMP_C_max_order].known, "the old largest and smallest say nothing");
	tap_ok(!d.c[VMP_C_freed_pages].known, "from not available to something is not available");
	difference("a x 1 2 3 4 5 6 7 8 9 10 11 - - c\n", "a x 2 2 3 4 5 6 7 8 9 10 11 0 0 c\n",
		   &d, &nr);
	tap_ok(d.c[VMP_C_min_priority].known && d.c[VMP_C_max_order].known, "the first ones are new");
	tap_ok(!difference("b x 9 9 9 9 9 9 9 9 9 9 9 9 9 c\n", "a x 1 2 3 4 5 6 7 8 9 10 11 12 13 c\n",
			   &d, &nr) && nr == 1 && d.c[VMP_C_calls].value == 1, "a new key");
	tap_ok(!difference("", "a x 1 2 3 4 5 6 7 8 9 10 11 12 13 c\n", &d, &nr) &&
	       d.c[VMP_C_calls].value == 1, "nothing before");
	tap_ok(difference("a x 2 2 3 4 5 6 7 8 9 10 11 6 2 c\n", "a x 1 2 3 4 5 6 7 8 9 10 11 6 2 c\n",
			  &d, &nr) == -1 && strstr(err.text, "reset"), "a counter went back: %s",
	       err.text);
}

int main(void)
{
	test_group();
	test_nums();
	test_delta();
	return tap_done();
}
