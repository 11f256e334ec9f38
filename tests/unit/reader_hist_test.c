// SPDX-License-Identifier: GPL-2.0-only
/* The geometry of the histogram, and percentiles. */
#include <stdlib.h>

#include <vmprobe/abi.h>

#include "hist.h"

#include "tap.h"

static bool inside(unsigned long long value)
{
	unsigned int bucket = vmp_hist_bucket(value);

	return bucket < VMP_HIST_BUCKETS && vmp_hist_low(bucket) <= value &&
	       value <= vmp_hist_high(bucket);
}

static void test_geometry(void)
{
	unsigned long long low, high;
	bool tiles = true, narrow = true, same = true, powers = true, mixed = true;
	unsigned long long random = 88172645463325252ull;
	unsigned int i;

	tap_ok(inside(0) && vmp_hist_bucket(0) == 0, "0");
	tap_ok(inside(1) && vmp_hist_bucket(1) == 1, "1");
	tap_ok(inside(~0ull) && vmp_hist_bucket(~0ull) == VMP_HIST_BUCKETS - 1, "2^64 - 1");
	tap_ok(vmp_hist_low(0) == 0 && vmp_hist_high(VMP_HIST_BUCKETS - 1) == ~0ull,
	       "the whole range");
	for (i = 1; i < 64; i++)
		powers = powers && inside((1ull << i) - 1) && inside(1ull << i) &&
			 inside((1ull << i) + 1) &&
			 vmp_hist_low(vmp_hist_bucket(1ull << i)) == 1ull << i;
	tap_ok(powers, "2^k - 1, 2^k, 2^k + 1; 2^k begins a bucket");
	for (i = 0; i < VMP_HIST_BUCKETS; i++) {
		low = vmp_hist_low(i);
		high = vmp_hist_high(i);
		same = same && low <= high && vmp_hist_bucket(low) == i && vmp_hist_bucket(high) == i;
		tiles = tiles && (i == VMP_HIST_BUCKETS - 1 || vmp_hist_low(i + 1) == high + 1);
		/* width - 1 = high - low; at most an eighth of low */
		narrow = narrow && (low < 8 ? low == high : high - low < low / 8 + (low % 8 != 0));
	}
	tap_ok(same, "both edges of a bucket are inside it");
	tap_ok(tiles, "no gap and no overlap between buckets");
	tap_ok(narrow, "no bucket is wider than 12.5 %%");
	for (i = 0; i < 100000; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		mixed = mixed && inside(random >> (random & 63));
	}
	tap_ok(mixed, "values of all sizes");
}

static struct vmr_hist hist;

static unsigned long long percentile(unsigned int permille)
{
	struct vmr_num num = vmr_hist_percentile(&hist, permille, (struct vmr_num) { 0 });

	return num.known ? num.value : 123456789;
}

static void test_percentile(void)
{
	struct vmr_bucket one[] = { { 16, 17, 1 } };
	struct vmr_bucket two[] = { { 0, 0, 1 }, { 8, 8, 1 } };
	struct vmr_bucket many[] = { { 10, 19, 50 }, { 20, 29, 49 }, { 30, 39, 1 } };
	struct vmr_bucket contexts[] = { { 10, 19, 1 }, { 10, 19, 1 }, { 20, 29, 1 } };
	struct vmr_bucket none[] = { { 10, 19, 0 }, { 20, 29, 0 } };
	struct vmr_bucket gap[] = { { 10, 19, 0 }, { 20, 29, 5 }, { 30, 39, 0 } };
	struct vmr_bucket huge[] = { { 1, 1, 1ull << 63 }, { 2, 2, (1ull << 63) - 1 } };
	struct vmr_bucket over[] = { { 1, 1, ~0ull }, { 2, 2, 1 } };
	struct vmr_num max = { .known = true, .value = 33 };

	tap_ok(!vmr_hist_percentile(&hist, 500, max).known, "no buckets, no percentile");
	hist = (struct vmr_hist) { none, 2 };
	tap_ok(!vmr_hist_percentile(&hist, 500, max).known, "no calls, no percentile");
	hist = (struct vmr_hist) { one, 1 };
	tap_ok(percentile(500) == 17 && percentile(990) == 17, "one call: its bucket's upper edge");
	hist = (struct vmr_hist) { two, 2 };
	tap_ok(percentile(500) == 0 && percentile(501) == 8 && percentile(990) == 8, "two calls");
	hist = (struct vmr_hist) { many, 3 };
	tap_ok(percentile(500) == 19, "50 of 100 calls");
	tap_ok(percentile(510) == 29, "51 of 100 calls");
	tap_ok(percentile(990) == 29, "99 of 100 calls");
	tap_ok(percentile(991) == 39 && percentile(1000) == 39, "beyond");
	tap_ok(percentile(0) == 19, "the smallest");
	tap_ok(vmr_hist_percentile(&hist, 1000, max).value == 33, "never more than the longest call");
	tap_ok(vmr_hist_percentile(&hist, 500, max).value == 19, "which else changes nothing");
	hist = (struct vmr_hist) { contexts, 3 };
	tap_ok(percentile(500) == 19 && percentile(990) == 29, "a bucket in two contexts");
	hist = (struct vmr_hist) { gap, 3 };
	tap_ok(percentile(0) == 29 && percentile(1000) == 29, "buckets without calls");
	hist = (struct vmr_hist) { huge, 2 };
	tap_ok(percentile(500) == 1 && percentile(501) == 2 && percentile(1000) == 2,
	       "2^64 - 1 calls");
	hist = (struct vmr_hist) { over, 2 };
	tap_ok(!vmr_hist_percentile(&hist, 500, max).known, "more calls than can be counted");
}

static int collect(const char *text, const char *probe, struct vmr_error *err)
{
	struct vmr_table table;
	int failed;

	vmr_hist_free(&hist);
	vmr_table_parse(&table, "histogram", strdup(text), strlen(text), err);
	failed = vmr_hist_collect(&table, probe, &hist, err);
	vmr_table_free(&table);
	return failed;
}

static void test_collect(void)
{
	static const char header[] = "# vmprobe 1 histogram\nprobe context low_ns high_ns calls\n";
	struct vmr_error err;
	char text[512];

	hist = (struct vmr_hist) { 0 };
	snprintf(text, sizeof(text), "%sa direct 20 29 3\nb direct 1 1 100\na kswapd 10 19 2\n",
		 header);
	tap_ok(!collect(text, "a", &err) && hist.nr == 2 && hist.buckets[0].low_ns == 10 &&
	       hist.buckets[0].high_ns == 19 && hist.buckets[0].calls == 2 &&
	       hist.buckets[1].calls == 3, "one probe's buckets, over contexts, in order");
	tap_ok(!collect(text, "c", &err) && !hist.nr, "a probe without buckets");
	snprintf(text, sizeof(text), "%sa direct 20 19 3\n", header);
	tap_ok(collect(text, "a", &err) == -1 && strstr(err.text, "histogram:3:"),
	       "edges in the wrong order: %s", err.text);
	snprintf(text, sizeof(text), "%sa direct 20 29 -\n", header);
	tap_ok(collect(text, "a", &err) == -1, "a bucket without a number: %s", err.text);
	vmr_hist_free(&hist);
}

int main(void)
{
	test_geometry();
	test_percentile();
	test_collect();
	return tap_done();
}
