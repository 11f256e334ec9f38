// SPDX-License-Identifier: GPL-2.0-only
/* How a number is written. */
#include <stdio.h>

#include "format.h"

/* Three digits; the caller has seen to it that the value rounds below 1000. */
static int digits(double value, char *out)
{
	return snprintf(out, VMR_FORMAT_SIZE, "%.*f",
			value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
}

static const char *unknown(char *out)
{
	snprintf(out, VMR_FORMAT_SIZE, "-");
	return out;
}

static const char *whole(struct vmr_num num, const char *unit, char *out)
{
	snprintf(out, VMR_FORMAT_SIZE, "%llu%s%s", num.value, unit, num.partial ? "+" : "");
	return out;
}

/**
 * vmr_format_count() - write a number of calls or pages
 * @num: the number; "at least" is shown as a + behind it
 * @raw: all digits, else K, M, G ... from 100,000 on
 * @out: of VMR_FORMAT_SIZE bytes
 *
 * Return: @out.
 */
const char *vmr_format_count(struct vmr_num num, bool raw, char *out)
{
	static const char units[] = "KMGTPE";
	double value = (double)num.value / 1e3;
	size_t unit = 0;
	int length;

	if (!num.known)
		return unknown(out);
	if (raw || num.value < 100000)
		return whole(num, "", out);
	while (value >= 999.5 && units[unit + 1]) {
		value /= 1e3;
		unit++;
	}
	length = digits(value, out);
	snprintf(out + length, VMR_FORMAT_SIZE - (size_t)length, "%c%s", units[unit],
		 num.partial ? "+" : "");
	return out;
}

/**
 * vmr_format_time() - write a length of time
 * @ns: the time in nanoseconds; "at least" is shown as a + behind it
 * @raw: all digits and no unit, else ns, us, ms or s
 * @out: of VMR_FORMAT_SIZE bytes
 *
 * Return: @out.
 */
const char *vmr_format_time(struct vmr_num ns, bool raw, char *out)
{
	static const char *const units[] = { "us", "ms", "s" };
	double value = (double)ns.value / 1e3;
	size_t unit = 0;
	int length;

	if (!ns.known)
		return unknown(out);
	if (raw || ns.value < 1000)
		return whole(ns, raw ? "" : "ns", out);
	while (value >= 999.5 && unit < 2) {
		value /= 1e3;
		unit++;
	}
	length = digits(value, out);
	snprintf(out + length, VMR_FORMAT_SIZE - (size_t)length, "%s%s", units[unit],
		 ns.partial ? "+" : "");
	return out;
}

/**
 * vmr_format_ratio() - write how much of one there is for each of another
 * @part: divided by @whole
 * @whole: what it is related to
 * @raw: four decimals, else as many as tell something
 * @out: of VMR_FORMAT_SIZE bytes
 *
 * Return: @out, "-" unless both are known in full and @whole is not 0.
 */
const char *vmr_format_ratio(struct vmr_num part, struct vmr_num whole, bool raw, char *out)
{
	double value;

	if (!part.known || !whole.known || part.partial || whole.partial || !whole.value)
		return unknown(out);
	value = (double)part.value / (double)whole.value;
	if (raw)
		snprintf(out, VMR_FORMAT_SIZE, "%.4f", value);
	else if (value < 999.5)
		digits(value, out);
	else
		vmr_format_count((struct vmr_num) {
			.known = true,
			.value = part.value / whole.value,
		}, false, out);
	return out;
}

/**
 * vmr_format_share() - write which part of the whole something is
 * @part: at most @whole
 * @whole: 100 %
 * @out: of VMR_FORMAT_SIZE bytes
 *
 * Return: @out, in whole per cent; what is more than nothing and less than
 * all is never shown as 0 % or 100 %.
 */
const char *vmr_format_share(struct vmr_num part, struct vmr_num whole, char *out)
{
	double percent;

	if (!part.known || !whole.known || !whole.value)
		return unknown(out);
	percent = (double)part.value / (double)whole.value * 100;
	if (part.value && percent < 1)
		snprintf(out, VMR_FORMAT_SIZE, "<1%%");
	else if (part.value < whole.value && percent > 99)
		snprintf(out, VMR_FORMAT_SIZE, ">99%%");
	else
		snprintf(out, VMR_FORMAT_SIZE, "%.0f%%", percent);
	return out;
}

/**
 * vmr_format_span() - write how long ago something was
 * @ns: in nanoseconds
 * @out: of VMR_FORMAT_SIZE bytes, such as "3d 4h", "2h 5m", "5m 3s" or "12s"
 *
 * Return: @out.
 */
const char *vmr_format_span(unsigned long long ns, char *out)
{
	unsigned long long s = ns / 1000000000;

	if (s >= 86400)
		snprintf(out, VMR_FORMAT_SIZE, "%llud %lluh", s / 86400, s / 3600 % 24);
	else if (s >= 3600)
		snprintf(out, VMR_FORMAT_SIZE, "%lluh %llum", s / 3600, s / 60 % 60);
	else if (s >= 60)
		snprintf(out, VMR_FORMAT_SIZE, "%llum %llus", s / 60, s % 60);
	else if (s)
		snprintf(out, VMR_FORMAT_SIZE, "%llus", s);
	else
		snprintf(out, VMR_FORMAT_SIZE, "%llums", ns / 1000000);
	return out;
}
