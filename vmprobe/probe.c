// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kretprobes of symbols: attaching and detaching them, what they miss, and
 * what the handlers are told of each beforehand. Which symbols there are is for
 * select.c to say.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "frame.h"
#include "overhead.h"
#include "probe.h"

struct vmp_probes vmp_probes;

/* Where register argument @n lies in struct pt_regs, found by asking for it. */
static u16 argument_at(int n)
{
	unsigned long words[sizeof(struct pt_regs) / sizeof(long)];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = i * sizeof(long);
	return regs_get_kernel_argument((struct pt_regs *)words, n);
}

/* What the handlers would otherwise look up for each call. */
static void prepare_symbol(struct vmp_symbol *sym)
{
	const struct vmp_args *args = &sym->args;
	const struct vmp_row *row = sym->row;

	sym->reads_sc = args->sc >= 0;
	sym->sc_at = sym->reads_sc ? argument_at(args->sc) : 0;
	sym->context = row->context;
	sym->bit = 1ull << sym->probe;
	sym->head = (struct vmp_frame_head){
		.node = -1, .symbol = sym->index, .probe = sym->probe,
	};
	sym->owner_is = VMP_OWNER_NONE;
	if (args->lruvec >= 0) {
		sym->owner_is = VMP_OWNER_LRUVEC;
		sym->owner_at = argument_at(args->lruvec);
	} else if (args->memcg >= 0) {
		sym->owner_is = args->nid >= 0 ? VMP_OWNER_MEMCG_NID : VMP_OWNER_MEMCG;
		sym->owner_at = argument_at(args->memcg);
		sym->node_at = args->nid >= 0 ? argument_at(args->nid) : 0;
	} else if (args->pgdat >= 0) {
		sym->owner_is = VMP_OWNER_PGDAT;
		sym->owner_at = argument_at(args->pgdat);
	}
	sym->scanned_mask = row->scanned == VMP_FROM_CHILDREN ? ~0ull : 0;
	sym->freed_mask = row->freed == VMP_FROM_CHILDREN ? ~0ull : 0;
	sym->sc_scanned_mask = row->scanned == VMP_FROM_SC ? ~0ull : 0;
	sym->sc_freed_mask = row->freed == VMP_FROM_SC ? ~0ull : 0;
	sym->returned_mask = row->freed == VMP_FROM_RETURN ? U32_MAX : 0;
	sym->frame_flags = row->requested == VMP_FROM_CHILDREN ? VMP_FRAME_WANTS_SUM :
			   row->requested == VMP_FROM_FIRST_CHILD ? VMP_FRAME_WANTS_FIRST :
			   row->requested == VMP_FROM_SC ? VMP_FRAME_HAS_REQUEST : 0;
	if (!sym->reads_sc)
		sym->frame_flags |= VMP_FRAME_NO_SC;
	if (row->watches_slab)
		sym->frame_flags |= VMP_FRAME_SLAB;
}

/**
 * vmp_probe_attach() - register a symbol's kretprobe
 * @sym: the symbol; @sym->rp.kp.addr may name the address instead of @sym->name
 *
 * Context: may sleep; vmp_probes.lock is held or nobody else knows the symbol.
 * Return: 0, or what register_kretprobe() says.
 */
int vmp_probe_attach(struct vmp_symbol *sym)
{
	kprobe_opcode_t *addr = *sym->name ? NULL : sym->rp.kp.addr;
	int err;

	memset(&sym->rp, 0, sizeof(sym->rp));
	sym->rp.kp.addr = addr;
	sym->rp.kp.symbol_name = addr ? NULL : sym->name;
	sym->rp.entry_handler = vmp_frame_enter;
	sym->rp.handler = vmp_frame_exit;
	sym->rp.data_size = sizeof(struct vmp_link);
	sym->rp.maxactive = vmp_probes.maxactive;
	sym->missed_base = 0;
	sym->attached_ns = ktime_get_mono_fast_ns();
	prepare_symbol(sym);
	err = register_kretprobe(&sym->rp);
	if (!err) {
		sym->cost = *vmp_overhead_cost(&sym->rp.kp,
				!sym->reads_sc ? VMP_WORK_NONE :
				sym->row->watches_slab ? VMP_WORK_SC_AND_SLAB : VMP_WORK_SC);
		sym->state = VMP_ON;
	}
	return err;
}

static u64 missed_by_kernel(const struct vmp_symbol *sym)
{
	return (u32)READ_ONCE(sym->rp.nmissed) + READ_ONCE(sym->rp.kp.nmissed);
}

/**
 * vmp_probe_detach() - unregister a symbol's kretprobe
 * @sym: an attached symbol
 *
 * Calls in flight will not be seen to end; their frames count as abandoned.
 *
 * Context: may sleep. When it returns, no handler of this symbol runs any more.
 */
void vmp_probe_detach(struct vmp_symbol *sym)
{
	sym->missed_before += missed_by_kernel(sym) - sym->missed_base;
	sym->missed_base = 0;
	unregister_kretprobe(&sym->rp);
	sym->rp.nmissed = 0;
	sym->rp.kp.nmissed = 0;
	sym->state = VMP_OFF;
}

/**
 * vmp_probe_missed() - hits of a symbol that became no call
 * @sym: the symbol
 *
 * Return: what the kernel missed since the last reset: no free instance, or hit
 * while another probe's handler ran on the CPU.
 */
u64 vmp_probe_missed(const struct vmp_symbol *sym)
{
	return sym->missed_before + missed_by_kernel(sym) - sym->missed_base;
}

/**
 * vmp_probe_state() - the state of a symbol
 * @sym: the symbol
 *
 * Return: a vmp_state; VMP_GONE if the module that held the function is gone.
 */
u8 vmp_probe_state(const struct vmp_symbol *sym)
{
	if (sym->state == VMP_ON && (READ_ONCE(sym->rp.kp.flags) & KPROBE_FLAG_GONE))
		return VMP_GONE;
	return sym->state;
}

/**
 * vmp_probe_reset() - take the kernel's counts of misses as the new zero
 *
 * Context: vmp_probes.lock is held.
 */
void vmp_probe_reset(void)
{
	struct vmp_symbol *sym;
	u32 i;

	lockdep_assert_held(&vmp_probes.lock);
	for (i = 0; i < vmp_probes.nr_symbols; i++) {
		sym = &vmp_probes.symbol[i];
		sym->missed_base = missed_by_kernel(sym);
		sym->missed_before = 0;
	}
}

/*
 * The address of a symbol that cannot be probed: registering finds it before it
 * refuses. 1 is the address of nothing.
 */
static unsigned long address_of(const char *name)
{
	struct kprobe kp = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };

	if (!register_kprobe(&kp))
		unregister_kprobe(&kp);
	return (unsigned long)kp.addr ?: 1;
}

/**
 * vmp_probe_init() - prepare for attaching
 * @maxactive: instances of each kretprobe
 *
 * Return: 0 or -ENOMEM.
 */
int vmp_probe_init(int maxactive)
{
	mutex_init(&vmp_probes.lock);
	vmp_probes.maxactive = maxactive;
	vmp_probes.graph_return = address_of("return_to_handler");
	vmp_probes.symbol = kvcalloc(VMP_MAX_SYMBOLS, sizeof(*vmp_probes.symbol), GFP_KERNEL);
	return vmp_probes.symbol ? 0 : -ENOMEM;
}

/**
 * vmp_probe_detach_all() - detach everything
 *
 * Context: may sleep. When it returns, no handler runs any more.
 */
void vmp_probe_detach_all(void)
{
	struct vmp_symbol *sym;
	u32 i, n = 0;

	/* In one go, since each unregistering waits for all CPUs. */
	for (i = 0; i < vmp_probes.nr_symbols; i++) {
		sym = &vmp_probes.symbol[i];
		if (sym->state == VMP_ON)
			vmp_probes.attached[n++] = &sym->rp;
		sym->state = VMP_OFF;
	}
	unregister_kretprobes(vmp_probes.attached, n);
}

/**
 * vmp_probe_exit() - free what vmp_probe_init() allocated
 *
 * Context: vmp_probe_detach_all() was called, if anything was attached.
 */
void vmp_probe_exit(void)
{
	kvfree(vmp_probes.symbol);
	memset(&vmp_probes, 0, sizeof(vmp_probes));
}

/* What kmalloc() makes of a size between 33 and 256. */
static size_t slab_size(size_t size)
{
	return size <= 64 ? 64 : size <= 96 ? 96 : size <= 128 ? 128 :
	       size <= 192 ? 192 : 256;
}

/**
 * vmp_probe_bytes() - memory held by the symbols and the kretprobes' instances
 *
 * Return: bytes.
 */
size_t vmp_probe_bytes(void)
{
	size_t bytes = VMP_MAX_SYMBOLS * sizeof(*vmp_probes.symbol);
	u32 i;

	for (i = 0; i < vmp_probes.nr_symbols; i++)
		if (vmp_probes.symbol[i].state == VMP_ON)
			bytes += (size_t)vmp_probes.maxactive *
				 slab_size(sizeof(struct kretprobe_instance) +
					   sizeof(struct vmp_link));
	return bytes;
}
