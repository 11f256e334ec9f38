#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1 mem=512 timeout=1800
#
# Each allocation of the load path fails once, until a load gets through: whatever
# fails leaves nothing behind. Registering makes allocations, too. Only kernels
# built for it can do that; there kmemleak looks for what was lost when all is over.
. /vm/lib.sh

debug=/sys/kernel/debug
[ -d $debug/failslab ] && [ -d $debug/fail_page_alloc ] && [ -e /proc/self/fail-nth ] ||
	plan skip "this kernel cannot let allocations fail"
for what in failslab fail_page_alloc; do
	echo N >$debug/$what/ignore-gfp-wait
	echo 0 >$debug/$what/verbose
	[ ! -e $debug/$what/cache-filter ] || echo N >$debug/$what/cache-filter
done
echo N >$debug/fail_page_alloc/ignore-gfp-highmem
echo 0 >$debug/fail_page_alloc/min-order

# Few instances, since each is an allocation like the others.
parameters="maxactive=2 max_tasks=16 max_callers=16 layout=nr_scanned@64:u64"
load_vmprobe $parameters && unload_vmprobe || bail "a plain load works"

nth=0 refused=0 loaded=0 dirty=
while :; do
	nth=$((nth + 1))
	fault $nth /vm/vmprobe.ko "$parameters" 2>/tmp/fault
	case $? in
	0) loaded=$((loaded + 1))
		unload_vmprobe || { dirty="$nth: does not unload"; break; } ;;
	1) refused=$((refused + 1)) ;;
	2) unload_vmprobe
		break ;;
	*) dirty="$nth: $(cat /tmp/fault)"
		break ;;
	esac
	[ ! -e $vmprobe_dir ] || dirty="$nth: left in debugfs"
	! grep -q -E 'shrink_|try_to_free|balance_pgdat|vmprobe' $debug/kprobes/list || dirty="$nth: left a kprobe"
	! grep -q vmprobe /proc/modules || dirty="$nth: left the module"
	[ -z "$dirty" ] || break
	[ $((nth % 100)) != 0 ] || say "allocation $nth"
done
diag "$nth allocations: $refused loads refused, $loaded did without"
is "$dirty" "" "no failure left anything behind"
cmp_ok $refused '>' 50 "many loads were refused"
ok "load_vmprobe && unload_vmprobe" "and then it loads as ever"
done_testing
