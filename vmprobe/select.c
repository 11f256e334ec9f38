// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which functions of this kernel are probed, out of the instruments' rows and of
 * what the user asks for. A probe that cannot be had is kept as a row that says
 * why, and never stops the others.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "instruments/all.h"
#include "layout.h"
#include "probe.h"

static const struct vmp_instrument *const instruments[] = {
#define VMP_X(name)	&vmp_##name##_instrument,
	VMP_INSTRUMENTS(VMP_X)
#undef VMP_X
};

#define for_each_row(row, i)							\
	for ((i) = 0; (i) < ARRAY_SIZE(instruments); (i)++)			\
		for ((row) = instruments[i]->rows;				\
		     (row) < instruments[i]->rows + instruments[i]->nr_rows; (row)++)

/* Is there such a symbol? Registering a disabled probe is the exported way to ask. */
static bool symbol_exists(const char *name)
{
	struct kprobe kp = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };

	if (register_kprobe(&kp))
		return false;
	unregister_kprobe(&kp);
	return true;
}

static int find_probe(const char *name)
{
	u32 i;

	for (i = 0; i < vmp_probes.nr_probes; i++)
		if (!strcmp(vmp_probes.name[i], name))
			return i;
	if (i == VMP_MAX_PROBES || strlen(name) >= VMP_NAME_MAX)
		return -ENOSPC;
	strscpy(vmp_probes.name[i], name, VMP_NAME_MAX);
	vmp_probes.nr_probes++;
	return i;
}

/* The place of a symbol: its old one, that of an absent row, or a new one. */
static struct vmp_symbol *find_symbol(u8 probe, const char *name)
{
	struct vmp_symbol *sym, *unused = NULL;
	u32 i;

	for (i = VMP_FIRST_SYMBOL; i < vmp_probes.nr_symbols; i++) {
		sym = &vmp_probes.symbol[i];
		if (sym->probe != probe)
			continue;
		if (!strcmp(sym->name, name))
			return sym;
		if (!*sym->name)
			unused = sym;
	}
	if (unused)
		return unused;
	if (i == VMP_MAX_SYMBOLS)
		return NULL;
	sym = &vmp_probes.symbol[i];
	sym->index = i;
	sym->probe = probe;
	sym->state = VMP_ABSENT;
	return sym;
}

static void keep_symbol(struct vmp_symbol *sym)
{
	if (sym->index == vmp_probes.nr_symbols)
		vmp_probes.nr_symbols++;
}

/*
 * Which counters of a row are known on this kernel: those that come out of a
 * scan_control need one, and sums over calls inside need it there.
 */
static void restrict_row(struct vmp_symbol *sym)
{
	const struct vmp_field *f = vmp_layout.field;
	struct vmp_row *row = &sym->own_row;

	if (f[VMP_F_nr_reclaimed].size != sizeof(u64) || f[VMP_F_nr_scanned].size != sizeof(u64))
		sym->args.sc = -1;
	if (f[VMP_F_nr_reclaimed].size != sizeof(u64) || (row->takes_sc && sym->args.sc < 0)) {
		row->requested = VMP_FROM_NOWHERE;
		row->scanned = VMP_FROM_NOWHERE;
		row->freed = VMP_FROM_NOWHERE;
	}
	if (!f[VMP_F_nr_to_reclaim].size ||
	    (row->requested == VMP_FROM_CALLBACK && sym->args.nr_pages < 0))
		row->requested = VMP_FROM_NOWHERE;
	if (row->takes_sc && sym->args.sc < 0)
		row->levels = false;
	if (!f[VMP_F_priority].size && !f[VMP_F_order].size)
		row->levels = false;
}

/* Try one row. On failure @why says why, as one word. */
static int try_row(u8 probe, const struct vmp_row *row, const char **why)
{
	const struct vmp_function *f = vmp_layout_function(row->symbol);
	struct vmp_symbol *sym = find_symbol(probe, row->symbol);
	int err;

	*why = "no_room";
	if (!sym)
		return -ENOSPC;
	if (sym->state == VMP_ON)
		return 0;
	*why = "absent";
	if (row->takes_sc && vmp_layout.btf && (!f || f->args.sc < 0)) {
		if (row->inlined_if && symbol_exists(row->inlined_if))
			*why = "inlined";
		return -ENOENT;
	}

	sym->own_row = *row;
	sym->row = &sym->own_row;
	sym->args = f ? f->args : VMP_ARGS_NONE;
	strscpy(sym->name, row->symbol, sizeof(sym->name));
	restrict_row(sym);
	err = vmp_probe_attach(sym);
	if (!err) {
		sym->note[0] = '\0';
		keep_symbol(sym);
		return 0;
	}
	if (err == -ENOENT && f && !f->by_hand)
		*why = "only_as_a_copy_with_changed_arguments";
	else if (err == -ENOENT && row->inlined_if && symbol_exists(row->inlined_if))
		*why = "inlined";
	else if (err != -ENOENT)
		*why = "cannot_be_probed";
	sym->name[0] = '\0';
	return err;
}

/* Attach a probe of the instruments: the first of its rows, and what goes with it. */
static int attach_rows(const char *name)
{
	char note[VMP_ERROR_MAX] = "";
	const struct vmp_row *row, *taken = NULL;
	struct vmp_symbol *sym;
	bool inlined = false;
	const char *why;
	int probe, i;

	probe = find_probe(name);
	if (probe < 0)
		return probe;
	for_each_row(row, i) {
		if (strcmp(row->probe, name))
			continue;
		if (row->with ? !taken || strcmp(taken->symbol, row->with) : !!taken)
			continue;
		if (!try_row(probe, row, &why)) {
			if (!row->with)
				taken = row;
			continue;
		}
		if (row->with)
			continue;
		inlined |= !strcmp(why, "inlined");
		snprintf(note + strlen(note), sizeof(note) - strlen(note), "%s%s:%s",
			 *note ? "," : "", row->symbol, why);
	}
	sym = find_symbol(probe, taken ? taken->symbol : "");
	if (!sym)
		return -ENOSPC;
	strscpy(sym->note, note, sizeof(sym->note));
	if (taken)
		return 0;
	sym->row = &vmp_reclaim_other_row;
	sym->state = inlined ? VMP_INLINED : VMP_ABSENT;
	keep_symbol(sym);
	return 0;
}

static const struct vmp_row *find_row(const char *symbol)
{
	const struct vmp_row *row;
	int i;

	for_each_row(row, i)
		if (!strcmp(row->symbol, symbol))
			return row;
	return NULL;
}

static bool is_row_probe(const char *name)
{
	const struct vmp_row *row;
	int i;

	for_each_row(row, i)
		if (!strcmp(row->probe, name))
			return true;
	return false;
}

/* Attach a function by its own name: a symbol of a row, or any with a scan_control. */
static int attach_function(const char *name)
{
	const struct vmp_function *f = vmp_layout_function(name);
	const struct vmp_row *row = find_row(name);
	struct vmp_row own;
	const char *why;
	int probe, err;

	if (!row && (!f || f->args.sc < 0))
		return -EINVAL;
	if (!row) {
		own = vmp_reclaim_other_row;
		own.probe = f->name;
		own.symbol = f->name;
		row = &own;
	}
	probe = find_probe(row->probe);
	if (probe < 0)
		return probe;
	err = try_row(probe, row, &why);
	if (err)
		pr_warn("%s: %s\n", name, why);
	return err;
}

static int detach_name(const char *name)
{
	struct vmp_symbol *sym;
	int found = -EINVAL;
	u32 i;

	/* A row without a symbol has no name, either. */
	if (!*name)
		return -EINVAL;
	for (i = VMP_FIRST_SYMBOL; i < vmp_probes.nr_symbols; i++) {
		sym = &vmp_probes.symbol[i];
		if (strcmp(sym->name, name) && strcmp(vmp_probes.name[sym->probe], name))
			continue;
		if (sym->state == VMP_ON)
			vmp_probe_detach(sym);
		found = 0;
	}
	if (found && vmp_layout_function(name))
		found = 0;
	return found;
}

/**
 * vmp_probe_switch() - switch one probe or function on or off
 * @change: "+NAME" or "-NAME"
 *
 * Context: may sleep; vmp_probes.lock is held.
 * Return: 0; -EINVAL for an unknown name or another first character; -ENOENT if
 * the kernel has no such symbol to probe; -ENOSPC when all places are taken.
 */
int vmp_probe_switch(const char *change)
{
	lockdep_assert_held(&vmp_probes.lock);
	if (*change == '-')
		return detach_name(change + 1);
	if (*change != '+')
		return -EINVAL;
	if (is_row_probe(change + 1))
		return attach_rows(change + 1);
	return attach_function(change + 1);
}

static int attach_defaults(void)
{
	const struct vmp_row *row;
	int i, err;

	for_each_row(row, i) {
		if (row->optional)
			continue;
		err = attach_rows(row->probe);
		if (err)
			return err;
	}
	return 0;
}

/**
 * vmp_probe_select() - attach what the parameter functions= asks for
 * @functions: names separated by commas, which are attached instead of the
 *	defaults; or, each with + or - before it, as changes to the defaults; or
 *	NULL or "" for the defaults
 *
 * Context: may sleep; vmp_probes.lock is held.
 * Return: 0, -EINVAL for an unknown name, -ENOENT for a function that this kernel
 * does not have. What was attached stays so until vmp_probe_exit().
 */
int vmp_probe_select(const char *functions)
{
	char change[VMP_NAME_MAX + 1];
	size_t len;
	int err = 0;

	lockdep_assert_held(&vmp_probes.lock);
	if (!functions || !*functions || *functions == '+' || *functions == '-')
		err = attach_defaults();
	while (!err && functions && *functions) {
		len = strcspn(functions, ",");
		if (*functions == '+' || *functions == '-')
			snprintf(change, sizeof(change), "%.*s", (int)len, functions);
		else
			snprintf(change, sizeof(change), "+%.*s", (int)len, functions);
		err = len < VMP_NAME_MAX ? vmp_probe_switch(change) : -EINVAL;
		if (err)
			pr_err("functions: cannot use \"%.*s\" (error %d); debugfs vmprobe/available_functions lists what can be used\n",
			       (int)len, functions, err);
		functions += len;
		if (*functions == ',' && !*++functions && !err) {
			pr_err("functions: a name is missing behind the last comma\n");
			err = -EINVAL;
		}
	}
	return err;
}

/**
 * vmp_probe_wanted() - does any row name this function?
 * @function: kernel symbol
 *
 * Return: true if its arguments matter although it takes no scan_control.
 */
bool vmp_probe_wanted(const char *function)
{
	return find_row(function);
}
