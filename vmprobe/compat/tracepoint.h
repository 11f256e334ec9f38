/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints by name: most are not exported to modules, but all can be walked.
 * A probe function may take fewer arguments than a later kernel passes, since
 * they only ever gain some at the end.
 */
#ifndef VMP_COMPAT_TRACEPOINT_H
#define VMP_COMPAT_TRACEPOINT_H

#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

/**
 * struct vmp_compat_tracepoint - a tracepoint of the scheduler to attach to
 * @name: of the tracepoint
 * @func: called with NULL and the tracepoint's first argument
 * @tp: found; NULL while not attached
 */
struct vmp_compat_tracepoint {
	const char *name;
	void (*func)(void *data, struct task_struct *task);
	struct tracepoint *tp;
};

struct vmp_compat_lookup {
	const char *name;
	struct tracepoint *tp;
};

static inline void vmp_compat_compare(struct tracepoint *tp, void *data)
{
	struct vmp_compat_lookup *lookup = data;

	if (!strcmp(tp->name, lookup->name))
		lookup->tp = tp;
}

/* Detach what is attached, and wait until no probe function runs any more. */
static inline void vmp_compat_tracepoints_detach(struct vmp_compat_tracepoint *t, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (!t[i].tp)
			continue;
		tracepoint_probe_unregister(t[i].tp, t[i].func, NULL);
		t[i].tp = NULL;
	}
	tracepoint_synchronize_unregister();
}

/* Attach all or none. */
static inline int vmp_compat_tracepoints_attach(struct vmp_compat_tracepoint *t, int n)
{
	struct vmp_compat_lookup lookup;
	int i, err;

	for (i = 0; i < n; i++) {
		lookup = (struct vmp_compat_lookup){ .name = t[i].name };
		for_each_kernel_tracepoint(vmp_compat_compare, &lookup);
		err = lookup.tp ? tracepoint_probe_register(lookup.tp, t[i].func, NULL) :
				  -ENOENT;
		if (err) {
			pr_err("cannot follow tracepoint %s: error %d\n", t[i].name, err);
			vmp_compat_tracepoints_detach(t, n);
			return err;
		}
		t[i].tp = lookup.tp;
	}
	return 0;
}

#endif /* VMP_COMPAT_TRACEPOINT_H */
