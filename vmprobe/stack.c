// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is kept of single outermost calls: the slowest of each CPU with their
 * stacks, and, if asked for, a count for each stack.
 *
 * Most calls are faster than a CPU's slowest ones, which one comparison tells. A
 * CPU that wants all calls, for their stacks, has a floor of 0. There is a floor for
 * even and one for odd epochs, so that no late handler of the old recording raises
 * that of the new one.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "probe.h"
#include "rows.h"
#include "stack.h"

bool vmp_stack_enabled;

static u32 nr_slowest;
static size_t bytes;

/* For readers: the slowest of all CPUs, as they were when reading began. */
static struct vmp_slow *shown, *candidate;
static u32 nr_shown;

/**
 * vmp_stack_init() - allocate
 * @slowest: how many calls each CPU keeps, and how many are shown
 * @stacks: count all stacks from the start
 *
 * Return: 0 or -ENOMEM; vmp_stack_exit() frees what was allocated.
 */
int vmp_stack_init(u32 slowest, bool stacks)
{
	struct vmp_cpu *c;
	int cpu;

	nr_slowest = slowest;
	shown = vzalloc(array_size(slowest + 1, sizeof(*shown)));
	if (!shown)
		return -ENOMEM;
	candidate = shown + slowest;
	bytes = PAGE_ALIGN((slowest + 1) * sizeof(*shown));
	for_each_possible_cpu(cpu) {
		c = per_cpu(vmp_cpu, cpu);
		c->slowest = vzalloc_node(array_size(slowest, sizeof(*c->slowest)),
					  cpu_to_node(cpu));
		c->stacks = vzalloc_node((VMP_MAX_STACKS + 1) * sizeof(*c->stacks),
					 cpu_to_node(cpu));
		if (!c->slowest || !c->stacks)
			return -ENOMEM;
		bytes += PAGE_ALIGN(slowest * sizeof(*c->slowest)) +
			 PAGE_ALIGN((VMP_MAX_STACKS + 1) * sizeof(*c->stacks));
	}
	vmp_stack_enabled = stacks;
	return 0;
}

/**
 * vmp_stack_exit() - free what vmp_stack_init() allocated
 *
 * Context: no handler can run any more.
 */
void vmp_stack_exit(void)
{
	struct vmp_cpu *c;
	int cpu;

	for_each_possible_cpu(cpu) {
		c = per_cpu(vmp_cpu, cpu);
		vfree(c->slowest);
		vfree(c->stacks);
	}
	vfree(shown);
	shown = NULL;
}

/**
 * vmp_stack_reset() - prepare the recording that is to begin
 * @rec: not current, and no handler uses it
 */
void vmp_stack_reset(struct vmp_recording *rec)
{
	int cpu;

	memset(rec->stacks, 0, VMP_MAX_STACKS * sizeof(*rec->stacks));
	for_each_possible_cpu(cpu)
		per_cpu(vmp_cpu, cpu)->slow_floor_ns[rec->epoch & 1] = 0;
}

/**
 * vmp_stack_switch() - begin or end to count stacks
 * @on: which
 *
 * Context: process context; vmp_probes.lock is held.
 */
void vmp_stack_switch(bool on)
{
	int cpu;

	WRITE_ONCE(vmp_stack_enabled, on);
	/* Either a handler that raises its floor sees this, or we come later. */
	smp_mb();
	for_each_possible_cpu(cpu) {
		WRITE_ONCE(per_cpu(vmp_cpu, cpu)->slow_floor_ns[0], 0);
		WRITE_ONCE(per_cpu(vmp_cpu, cpu)->slow_floor_ns[1], 0);
	}
}

/*
 * The stack from the caller of the probed function on. What lies below it is the
 * kernel's and our handling of the return. Kernels before 6.1 cannot look through
 * their own trampoline: then the caller is all.
 */
static void take_stack(struct vmp_stack *stack, const struct vmp_frame *f,
		       unsigned long caller)
{
	unsigned long entry[VMP_STACK_DEPTH + 12];
	u32 n, i;

	n = stack_trace_save(entry, ARRAY_SIZE(entry), 1);
	for (i = 0; i < n && entry[i] != caller; i++)
		;
	if (i == n) {
		entry[0] = caller;
		i = 0;
		n = caller ? 1 : 0;
	}
	stack->symbol = f->head.symbol;
	stack->context = f->context;
	stack->depth = min_t(u32, n - i, VMP_STACK_DEPTH);
	memcpy(stack->entry, entry + i, stack->depth * sizeof(*entry));
}

/* Replace the fastest of the slowest; what is of an older recording is faster. */
static void keep_slow(struct vmp_cpu *cpu, u32 epoch, const struct vmp_frame *f,
		      const struct vmp_stack *stack, const struct vmp_counters *sample)
{
	struct vmp_slow *slow = NULL;
	u64 floor = U64_MAX, second = U64_MAX, ns;
	u32 i;

	for (i = 0; i < nr_slowest; i++) {
		ns = cpu->slowest[i].cell.epoch == epoch ? cpu->slowest[i].cell.sum.max_ns : 0;
		if (ns < floor) {
			second = floor;
			floor = ns;
			slow = &cpu->slowest[i];
		} else if (ns < second) {
			second = ns;
		}
	}
	if (slow && sample->max_ns > floor) {
		vmp_cell_begin(&slow->cell, epoch);
		slow->cell.sum = *sample;
		slow->start_ns = f->start_ns;
		slow->cgroup = f->cgroup;
		slow->pid = current->pid;
		slow->tgid = current->tgid;
		memcpy(slow->comm, current->comm, TASK_COMM_LEN);
		slow->stack = *stack;
		vmp_cell_end(&slow->cell);
		floor = min(second, sample->max_ns);
	}
	/* max_ns is kept plus one: what takes less than this is of no interest. */
	WRITE_ONCE(cpu->slow_floor_ns[epoch & 1], floor);
	/* Pairs with vmp_stack_switch(). */
	smp_mb();
	if (READ_ONCE(vmp_stack_enabled))
		WRITE_ONCE(cpu->slow_floor_ns[epoch & 1], 0);
}

/* The cell of a stack, claimed if it is new, as vmp_keyed_claim() does. */
static u32 find_stack(struct vmp_recording *rec, struct vmp_stack *stack)
{
	u64 hash = stack->symbol | stack->context << 8;
	struct vmp_stack *slot;
	u32 i, at;
	u64 found;

	for (i = 0; i < stack->depth; i++)
		hash = (hash ^ stack->entry[i]) * 0x9e3779b97f4a7c15ull;
	stack->name = hash | 1;
	at = (hash >> 32) % VMP_MAX_STACKS;
	for (i = 0; i < VMP_MAX_STACKS; i++, at = (at + 1) % VMP_MAX_STACKS) {
		slot = &rec->stacks[at];
		/* Pairs with the release of a name below. */
		found = smp_load_acquire(&slot->name);
		if (found == stack->name && slot->symbol == stack->symbol &&
		    slot->context == stack->context && slot->depth == stack->depth &&
		    !memcmp(slot->entry, stack->entry, stack->depth * sizeof(*stack->entry)))
			return at;
		if (found || cmpxchg(&slot->name, 0, VMP_KEY_BUSY))
			continue;
		slot->symbol = stack->symbol;
		slot->context = stack->context;
		slot->depth = stack->depth;
		memcpy(slot->entry, stack->entry, stack->depth * sizeof(*stack->entry));
		/* Who finds the name finds the rest; pairs with show_stacks(), too. */
		smp_store_release(&slot->name, stack->name);
		return at;
	}
	return VMP_MAX_STACKS;
}

/**
 * vmp_stack_outermost() - an outermost call that vmp_stack_wants() has ended
 * @cpu: this CPU's block
 * @epoch: of the recording
 * @f: the frame
 * @caller: return address, or 0
 * @sample: what the call amounts to
 *
 * Context: probe handlers, preemption off.
 */
noinline void vmp_stack_outermost(struct vmp_cpu *cpu, u32 epoch, const struct vmp_frame *f,
				  unsigned long caller, const struct vmp_counters *sample)
{
	struct vmp_recording *rec = READ_ONCE(vmp_recording);
	struct vmp_stack *stack = &cpu->taken;

	take_stack(stack, f, caller);
	keep_slow(cpu, epoch, f, stack, sample);
	if (READ_ONCE(vmp_stack_enabled) && rec->epoch == epoch)
		vmp_cell_add(&cpu->stacks[find_stack(rec, stack)], sample, epoch);
}

/**
 * vmp_stack_bytes() - memory held by this file
 *
 * Return: bytes.
 */
size_t vmp_stack_bytes(void)
{
	return bytes;
}

/* "outermost;...;caller;symbol", as flame graphs want it. */
static void put_stack(struct seq_file *m, const struct vmp_stack *stack)
{
	u32 i;

	for (i = stack->depth; i > 0; i--) {
		vmp_row_caller(m, stack->entry[i - 1]);
		seq_putc(m, ';');
	}
	seq_puts(m, vmp_probes.symbol[stack->symbol].name);
}

/* slowest: sorted once, when reading begins */

static void copy_slow(struct vmp_slow *to, const struct vmp_slow *from)
{
	u32 seq;

	do {
		while ((seq = READ_ONCE(from->cell.seq)) & 1)
			cpu_relax();
		/* Pairs with vmp_cell_end(). */
		smp_rmb();
		*to = *from;
		/* Pairs with vmp_cell_begin(). */
		smp_rmb();
	} while (READ_ONCE(from->cell.seq) != seq);
}

static void prepare_slowest(bool first)
{
	int cpu;
	u32 i, j;

	if (!first)
		return;
	nr_shown = 0;
	for_each_possible_cpu(cpu) {
		for (i = 0; i < nr_slowest; i++) {
			copy_slow(candidate, &per_cpu(vmp_cpu, cpu)->slowest[i]);
			if (candidate->cell.epoch != vmp_recording->epoch)
				continue;
			for (j = nr_shown; j > 0; j--) {
				if (shown[j - 1].cell.sum.max_ns >= candidate->cell.sum.max_ns)
					break;
				if (j < nr_slowest)
					shown[j] = shown[j - 1];
			}
			if (j < nr_slowest) {
				shown[j] = *candidate;
				nr_shown = min(nr_shown + 1, nr_slowest);
			}
		}
	}
}

static u64 slowest_rows(void)
{
	return nr_slowest;
}

static int show_slowest(struct seq_file *m, u64 row)
{
	const struct vmp_slow *slow = &shown[row];
	u8 probe;

	if (row >= nr_shown)
		return SEQ_SKIP;
	probe = vmp_probes.symbol[slow->stack.symbol].probe;
	seq_printf(m, "%s %s %d %d %llu ", vmp_probes.name[probe],
		   vmp_context_names[slow->stack.context], slow->pid, slow->tgid,
		   slow->start_ns);
	if (slow->cgroup)
		seq_printf(m, "%llu", slow->cgroup);
	else
		seq_putc(m, '-');
	vmp_row_counters(m, &slow->cell.sum, probe);
	seq_putc(m, ' ');
	put_stack(m, &slow->stack);
	seq_putc(m, ' ');
	vmp_row_escape(m, slow->comm, sizeof(slow->comm));
	return 0;
}

/* stacks */

static u64 stacks_rows(void)
{
	return VMP_MAX_STACKS + 1;
}

static int show_stacks(struct seq_file *m, u64 row)
{
	const struct vmp_stack *stack = &vmp_recording->stacks[row];
	bool overflow = row == VMP_MAX_STACKS;
	struct vmp_row unknown = { .levels = true, .requested = 1, .scanned = 1, .freed = 1 };
	struct vmp_counters sum = {};
	u64 name;
	int cpu;

	/* Pairs with find_stack(). */
	name = overflow ? 0 : smp_load_acquire(&stack->name);
	if (!overflow && (!name || name == VMP_KEY_BUSY))
		return SEQ_SKIP;
	for_each_possible_cpu(cpu)
		vmp_cell_sum(&sum, &per_cpu(vmp_cpu, cpu)->stacks[row], vmp_recording->epoch);
	if (!sum.calls)
		return SEQ_SKIP;
	if (overflow) {
		seq_puts(m, VMP_OVERFLOW " -");
		vmp_row_counters_of_row(m, &sum, &unknown);
		seq_puts(m, " " VMP_OVERFLOW);
		return 0;
	}
	seq_printf(m, "%s %s", vmp_probes.name[vmp_probes.symbol[stack->symbol].probe],
		   vmp_context_names[stack->context]);
	vmp_row_counters(m, &sum, vmp_probes.symbol[stack->symbol].probe);
	seq_putc(m, ' ');
	put_stack(m, stack);
	return 0;
}

static int change_stacks(const char *text)
{
	bool on;

	if (vmp_row_switch(text, &on))
		return -EINVAL;
	vmp_stack_switch(on);
	return 0;
}

const struct vmp_table vmp_stack_tables[] = {
	{ "slowest", "probe context pid tgid start_ns cgroup" VMP_ROW_COUNTERS " stack comm",
	  slowest_rows, show_slowest, prepare_slowest },
	{ "stacks", "probe context" VMP_ROW_COUNTERS " stack", stacks_rows, show_stacks,
	  .change = change_stacks },
};

const u32 vmp_nr_stack_tables = ARRAY_SIZE(vmp_stack_tables);
