// SPDX-License-Identifier: GPL-2.0-only
/*
 * vmprobe: what page reclaim does, for whom, and what it costs.
 *
 * Loading climbs a ladder, unloading goes down the same one. Recording starts
 * when everything is in place.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/timekeeping.h>

#include "frame.h"
#include "layout.h"
#include "overhead.h"
#include "stack.h"
#include "tables.h"
#include "task.h"

static char *functions;
module_param(functions, charp, 0400);
MODULE_PARM_DESC(functions, "probes to attach, separated by commas; +NAME and -NAME change the defaults");

static unsigned int max_tasks = 4096;
module_param(max_tasks, uint, 0400);
MODULE_PARM_DESC(max_tasks, "tasks that are told apart, 16 to 65536 (default 4096)");

static unsigned int max_callers = 2048;
module_param(max_callers, uint, 0400);
MODULE_PARM_DESC(max_callers, "combinations of function, parent, caller, context, cgroup and node that are told apart, 16 to 8192 (default 2048)");

static unsigned int maxactive = 1024;
module_param(maxactive, uint, 0400);
MODULE_PARM_DESC(maxactive, "tasks that can be inside one function at once, 1 to 65536 (default 1024)");

static unsigned int slowest = 32;
module_param(slowest, uint, 0400);
MODULE_PARM_DESC(slowest, "how many of the slowest outermost calls are kept, 1 to 256 (default 32)");

static bool stacks;
module_param(stacks, bool, 0400);
MODULE_PARM_DESC(stacks, "count the stacks above outermost calls from the start; 0 or 1 can be written to the table later (default 0)");

static char *layout;
module_param(layout, charp, 0400);
MODULE_PARM_DESC(layout, "layout of struct scan_control, instead of the kernel's BTF: MEMBER@BYTE[.BIT]:TYPE,FUNCTION#ARGUMENT,...");

static int check(const char *name, unsigned int value, unsigned int min, unsigned int max)
{
	if (value >= min && value <= max)
		return 0;
	pr_err("%s: %u is not within %u to %u\n", name, value, min, max);
	return -EINVAL;
}

static int __init vmp_init(void)
{
	int err;

	err = check("max_tasks", max_tasks, 16, 65536) ?:
	      check("max_callers", max_callers, 16, 8192) ?:
	      check("maxactive", maxactive, 1, 65536) ?:
	      check("slowest", slowest, 1, VMP_MAX_SLOWEST);
	if (err)
		return err;

	err = vmp_layout_init(layout, vmp_probe_wanted);
	if (err)
		return err;
	err = vmp_probe_init(maxactive);
	if (err)
		goto err_layout;
	err = vmp_keyed_init(max_callers);
	if (err)
		goto err_probe;
	err = vmp_stack_init(slowest, stacks);
	if (err)
		goto err_stack;
	err = vmp_task_init(max_tasks);
	if (err)
		goto err_stack;
	err = vmp_rows_init();
	if (err)
		goto err_task;

	mutex_lock(&vmp_probes.lock);
	err = vmp_overhead_init() ?: vmp_probe_select(functions);
	mutex_unlock(&vmp_probes.lock);
	if (err)
		goto err_detach;
	/* What calibration recorded is not of interest. */
	vmp_keyed_reset();
	vmp_probes.loaded_ns = vmp_recording->since_ns;
	WRITE_ONCE(vmp_enabled, true);
	err = vmp_tables_init();
	if (err)
		goto err_disable;
	return 0;

err_disable:
	WRITE_ONCE(vmp_enabled, false);
err_detach:
	vmp_overhead_exit();
	vmp_probe_detach_all();
	vmp_rows_exit();
err_task:
	vmp_task_exit();
err_stack:
	vmp_stack_exit();
	vmp_keyed_exit();
err_probe:
	vmp_probe_exit();
err_layout:
	vmp_layout_exit();
	return err;
}

static void __exit vmp_exit(void)
{
	vmp_tables_exit();
	WRITE_ONCE(vmp_enabled, false);
	vmp_overhead_exit();
	vmp_probe_detach_all();
	vmp_rows_exit();
	vmp_task_exit();
	vmp_stack_exit();
	vmp_keyed_exit();
	vmp_probe_exit();
	vmp_layout_exit();
}

module_init(vmp_init);
module_exit(vmp_exit);

MODULE_DESCRIPTION("Measures page reclaim: time, callers, pages requested and freed, per process and CPU");
MODULE_VERSION(VMP_VERSION);
MODULE_LICENSE("GPL");
