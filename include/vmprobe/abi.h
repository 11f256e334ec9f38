/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module and its readers share: names, units and the geometry of
 * the histogram. Everything here compiles in the kernel and in user space.
 */
#ifndef VMPROBE_ABI_H
#define VMPROBE_ABI_H

#define VMP_VERSION	"0.1"

/* Raised when a column changes its meaning; columns are only ever appended. */
#define VMP_FORMAT	1

/* Where the tables are, below the mount point of debugfs. */
#define VMP_DIR		"vmprobe"

/*
 * The one list of counters: X(column, how two values become one). Structure
 * members, column names, sums and the reader follow from it.
 *
 *   SUM             add
 *   REST            add; what runqueue_ns and blocked_ns leave of total_ns
 *   MAX, HIGHEST    keep the larger; HIGHEST is of small numbers
 *   LOWEST          keep the smaller, of small numbers
 */
#define VMP_COUNTERS(X)			\
	X(calls,		SUM)	\
	X(requested_pages,	SUM)	\
	X(scanned_pages,	SUM)	\
	X(freed_pages,		SUM)	\
	X(total_ns,		SUM)	\
	X(self_ns,		SUM)	\
	X(probe_ns,		SUM)	\
	X(max_ns,		MAX)	\
	X(oncpu_ns,		REST)	\
	X(runqueue_ns,		SUM)	\
	X(blocked_ns,		SUM)	\
	X(min_priority,		LOWEST)	\
	X(max_order,		HIGHEST)

enum vmp_counter {
#define VMP_X(name, how)	VMP_C_##name,
	VMP_COUNTERS(VMP_X)
#undef VMP_X
	VMP_NR_COUNTERS
};

/* Why reclaim runs, decided at the outermost frame of reclaim. */
#define VMP_CONTEXTS(X)	\
	X(kswapd)	\
	X(direct)	\
	X(memcg)	\
	X(proactive)	\
	X(node)		\
	X(other)

enum vmp_context {
#define VMP_X(name)	VMP_CTX_##name,
	VMP_CONTEXTS(VMP_X)
#undef VMP_X
	VMP_NR_CONTEXTS
};

/*
 * Log-linear histogram: values below 8 have a bucket each, every octave above
 * has 8 buckets of equal width, so that a bucket is at most 12.5 % wide and
 * the whole range of 64 bits is covered: no value falls off either end.
 */
#define VMP_HIST_SUB_BITS	3
#define VMP_HIST_SUB		(1u << VMP_HIST_SUB_BITS)
#define VMP_HIST_BUCKETS	((64 - VMP_HIST_SUB_BITS + 1) * VMP_HIST_SUB)

/**
 * vmp_hist_bucket() - the bucket a value falls into
 * @value: any value, in the caller's unit
 *
 * Return: an index from 0 to VMP_HIST_BUCKETS - 1.
 */
static inline unsigned int vmp_hist_bucket(unsigned long long value)
{
	unsigned int shift;

	if (value < VMP_HIST_SUB)
		return value;
	shift = 63 - __builtin_clzll(value) - VMP_HIST_SUB_BITS;
	return (shift << VMP_HIST_SUB_BITS) + (value >> shift);
}

/**
 * vmp_hist_low() - the smallest value of a bucket
 * @bucket: an index below VMP_HIST_BUCKETS
 *
 * Return: the value, in the unit of what was put in.
 */
static inline unsigned long long vmp_hist_low(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < VMP_HIST_SUB)
		return bucket;
	shift = (bucket >> VMP_HIST_SUB_BITS) - 1;
	return (unsigned long long)(bucket - (shift << VMP_HIST_SUB_BITS)) << shift;
}

/**
 * vmp_hist_high() - the largest value of a bucket
 * @bucket: an index below VMP_HIST_BUCKETS
 *
 * Return: the value itself is still inside the bucket.
 */
static inline unsigned long long vmp_hist_high(unsigned int bucket)
{
	return bucket + 1 < VMP_HIST_BUCKETS ? vmp_hist_low(bucket + 1) - 1 : ~0ull;
}

#endif /* VMPROBE_ABI_H */
