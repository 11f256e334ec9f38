/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between kernels in kretprobes. Features are found by Kbuild from
 * the headers and are called VMP_HAVE_...
 */
#ifndef VMP_COMPAT_FRAME_H
#define VMP_COMPAT_FRAME_H

#include <linux/kprobes.h>
#include "../probe.h"

/*
 * Kernels may be built to clear all local variables, which is no use where each
 * member is set before it is read.
 */
#if __has_attribute(uninitialized)
#define VMP_COMPAT_UNINITIALIZED	__attribute__((uninitialized))
#else
#define VMP_COMPAT_UNINITIALIZED
#endif

/* get_kretprobe() came with 5.11; before, the instance pointed to its owner. */
static __always_inline struct kretprobe *
vmp_compat_kretprobe(struct kretprobe_instance *ri)
{
#ifdef VMP_HAVE_GET_KRETPROBE
	return get_kretprobe(ri);
#else
	return ri->rp;
#endif
}

/*
 * Who called the function: the return address that the instance keeps. If
 * another kretprobe hooked the same return first, or the function was reached
 * by a jump from a probed one, that is the trampoline; the real address is then
 * with one of the older instances of this task, as it is for the kernel itself
 * (rethook_trampoline_handler() in kernel/trace/rethook.c, since 6.1). Before
 * rethook the instance's address is right when ours was registered first.
 */
static __always_inline unsigned long
vmp_compat_caller(struct kretprobe_instance *ri)
{
#if defined(CONFIG_KRETPROBE_ON_RETHOOK) && defined(VMP_HAVE_RETADDR)
	unsigned long addr = get_kretprobe_retaddr(ri);
	struct llist_node *node = &ri->node.llist;

	while (unlikely(addr == vmp_probes.trampoline)) {
		node = node->next;
		if (!node)
			return 0;
		addr = container_of(node, struct rethook_node, llist)->ret_addr;
	}
	return addr;
#else
	unsigned long addr = (unsigned long)ri->ret_addr;

	return likely(addr != vmp_probes.trampoline) ? addr : 0;
#endif
}

/*
 * The return address, at the first instruction of a function, as others may have
 * replaced it already. On x86 it is on top of the stack.
 */
static __always_inline unsigned long vmp_compat_return_address(struct pt_regs *regs)
{
#ifdef CONFIG_X86_64
	return *(unsigned long *)kernel_stack_pointer(regs);
#else
	return 0;
#endif
}

#endif /* VMP_COMPAT_FRAME_H */
