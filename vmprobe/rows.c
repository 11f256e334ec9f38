// SPDX-License-Identifier: GPL-2.0-only
/*
 * What rows of all tables have in common: the counters, and names as fields.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "layout.h"
#include "rows.h"

const char * const vmp_context_names[] = {
#define VMP_X(name)	[VMP_CTX_##name] = #name,
	VMP_CONTEXTS(VMP_X)
#undef VMP_X
	[VMP_NO_CONTEXT] = "-",
};

const char * const vmp_state_names[] = {
	[VMP_ON] = "on",
	[VMP_OFF] = "off",
	[VMP_ABSENT] = "absent",
	[VMP_INLINED] = "inlined",
	[VMP_GONE] = "gone",
};

/**
 * vmp_row_symbols() - positions of a table with a row for each symbol
 *
 * Return: their number.
 */
u64 vmp_row_symbols(void)
{
	return vmp_probes.nr_symbols - VMP_FIRST_SYMBOL;
}

/* Which counters of a probe are known: those that all its symbols know. */
static struct vmp_row known_of_probe(u8 probe)
{
	struct vmp_row known = { .requested = 1, .scanned = 1, .freed = 1, .levels = true };
	const struct vmp_symbol *sym;
	u32 i;

	for (i = VMP_FIRST_SYMBOL; i < vmp_probes.nr_symbols; i++) {
		sym = &vmp_probes.symbol[i];
		if (sym->probe != probe || !*sym->name)
			continue;
		known.requested &= !!sym->row->requested;
		known.scanned &= !!sym->row->scanned;
		known.freed &= !!sym->row->freed;
		known.levels &= sym->row->levels;
	}
	return known;
}

/* A number, or "-" if it is not known. */
static void put_number(struct seq_file *m, u64 value, bool known)
{
	if (known)
		seq_put_decimal_ull(m, " ", value);
	else
		seq_puts(m, " -");
}

/**
 * vmp_row_counters_of_row() - print the counters
 * @m: the file
 * @c: the counters
 * @known: which of them are known
 */
void vmp_row_counters_of_row(struct seq_file *m, const struct vmp_counters *c,
			     const struct vmp_row *known)
{
	unsigned long priorities, orders;

	put_number(m, c->calls, true);
	put_number(m, c->requested_pages, known->requested);
	put_number(m, c->scanned_pages, known->scanned);
	put_number(m, c->freed_pages, known->freed);
	put_number(m, c->total_ns, true);
	put_number(m, c->self_ns, true);
	put_number(m, c->probe_ns, true);
	put_number(m, c->max_ns - 1, c->max_ns);
	put_number(m, c->total_ns - c->runqueue_ns - c->blocked_ns, true);
	put_number(m, c->runqueue_ns, true);
	put_number(m, c->blocked_ns, true);
	priorities = known->levels ? c->levels & VMP_LEVEL_PRIORITIES : 0;
	orders = known->levels ? c->levels & VMP_LEVEL_ORDERS : 0;
	put_number(m, priorities ? __ffs(priorities) : 0, priorities);
	put_number(m, orders ? __fls(orders) - __ffs(VMP_LEVEL_ORDERS) : 0, orders);
}

/**
 * vmp_row_counters() - print the counters of a probe
 * @m: the file
 * @c: the counters
 * @probe: index of the probe, which says what is known
 */
void vmp_row_counters(struct seq_file *m, const struct vmp_counters *c, u8 probe)
{
	struct vmp_row known = known_of_probe(probe);

	vmp_row_counters_of_row(m, c, &known);
}

/**
 * vmp_row_escape() - print a name as one field
 * @m: the file
 * @text: the name, ended by a 0 or by @max
 * @max: bytes that may be read
 *
 * What is not printable ASCII, the space and the backslash come as \ooo, as in
 * /proc/mounts. No name at all is "-", and a name "-" is \055.
 */
void vmp_row_escape(struct seq_file *m, const char *text, size_t max)
{
	size_t i, len = strnlen(text, max);

	if (!len)
		seq_putc(m, '-');
	if (len == 1 && *text == '-') {
		seq_puts(m, "\\055");
		return;
	}
	for (i = 0; i < len; i++) {
		u8 c = text[i];

		if (c > ' ' && c < 0x7f && c != '\\')
			seq_putc(m, c);
		else
			seq_printf(m, "\\%03o", c);
	}
}
