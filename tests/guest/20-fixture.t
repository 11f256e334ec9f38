#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1,4 mem=256 timeout=600
#
# Calls of which everything is known come out as exactly that.
. /vm/lib.sh
. /vm/fixture.sh

load_both || bail "cannot load the modules"

# Threads: prime counts, in every table.
run op=zone calls=10007 threads=8 caches=2 requested=11 scanned=5 freed=3
everywhere calls 10007 shrink_zone
everywhere requested_pages 110077 shrink_zone
everywhere scanned_pages 100070 shrink_zone
everywhere freed_pages 60042 shrink_zone
everywhere calls 20014 shrink_cache
# The second shrink_cache of a call is asked for 3 less.
everywhere requested_pages $((10007 * (11 + 8))) shrink_cache
everywhere freed_pages 60042 shrink_cache
is "$(sum histogram calls probe=shrink_zone)" 10007 "the histogram counts the same"
is "$(sum histogram calls probe=shrink_cache)" 20014 "the histogram counts the same inside"
is "$(sum tree calls parent=shrink_zone probe=shrink_cache)" 20014 "tree: the parent is known"
is "$(sum tree calls parent=- probe=shrink_zone)" 10007 "tree: the outermost is known"
is "$(sum callers calls probe=shrink_cache "caller=shrink_zone[vmprobe_fixture]")" 20014 \
	"callers: the function that called"
is "$(rows processes pid probe=shrink_zone)" 8 "a row for each thread"
is "$(field totals min_priority probe=shrink_zone)" 12 "the priority is kept"
is "$(field totals max_order probe=shrink_zone)" - "an order that nobody tells is not 0"
is "$(sum probes entries probe=shrink_zone)" 10007 "entries are calls"
is "$(sum probes missed)" 0 "no call is missed"

# Nesting: self is total less the children, at each level.
reset
run op=caches calls=13 zones=3 caches=2 freed=1 sleep_us=1000
is "$(sum totals calls probe=shrink_caches)" 13 "reset: only what came later"
is "$(sum totals calls probe=shrink_zone)" 39 "three inside each"
is "$(sum totals calls probe=shrink_cache)" 78 "two inside each of those"
is "$(sum totals freed_pages probe=shrink_caches)" 78 "freed pages are inclusive"
for pair in shrink_caches:shrink_zone shrink_zone:shrink_cache; do
	parent=${pair%:*}
	is "$(sum totals total_ns probe="$parent")" \
		$(($(sum totals self_ns probe="$parent") + $(sum tree total_ns parent="$parent"))) \
		"$parent: total is self and children"
done
cmp_ok "$(sum totals self_ns probe=shrink_cache)" '>=' 78000000 "the inner function has the sleep"
cmp_ok "$(sum totals self_ns probe=shrink_caches)" '<' 39000000 "the outer ones do not"

# Recursion: calls count each, inclusive time and pages once.
reset
run op=zone calls=7 depth=3 freed=5 scanned=5 requested=9 sleep_us=2000
is "$(sum totals calls probe=shrink_zone)" 28 "recursion: each call counts"
is "$(sum totals freed_pages probe=shrink_zone)" 35 "recursion: pages count once"
is "$(sum totals requested_pages probe=shrink_zone)" 63 "recursion: requests count once"
is "$(sum totals total_ns probe=shrink_zone)" \
	$(($(sum totals self_ns probe=shrink_zone) + $(sum totals total_ns probe=shrink_cache))) \
	"recursion: time counts once"
is "$(sum tree calls parent=shrink_zone probe=shrink_zone)" 21 "recursion is seen in the tree"
is "$(sum histogram calls probe=shrink_zone)" 28 "recursion: the histogram has each call"

# A scan_control that is not on the stack is read with care, a bad one not at all.
reset
run op=cache calls=11 heap=1 freed=2
is "$(sum totals freed_pages probe=shrink_cache)" 22 "a scan_control elsewhere is read"
is "$(sum probes implausible)" 0 "and is plausible"
run op=cache calls=5 bad=1
is "$(sum probes implausible probe=shrink_cache)" 5 "a bad pointer is counted"
is "$(sum totals calls probe=shrink_cache)" 16 "its call counts"
is "$(sum totals freed_pages probe=shrink_cache)" 22 "but no pages"

# Recording off: nothing is added, and nothing is lost of what was.
reset
run op=cache calls=3
echo 0 >$vmprobe_dir/enabled
run op=cache calls=100
is "$(sum totals calls probe=shrink_cache)" 3 "enabled 0: nothing is added"
echo 1 >$vmprobe_dir/enabled
run op=cache calls=2
is "$(sum totals calls probe=shrink_cache)" 5 "enabled 1: it goes on"
run op=cache calls=1 threads=1 sleep_us=500000 &
usleep 200000
echo 0 >$vmprobe_dir/enabled
is "$(sum probes active probe=shrink_cache)" 1 "a call is in flight"
wait
is "$(sum totals calls probe=shrink_cache)" 6 "a call in flight is finished and counted"
echo 1 >$vmprobe_dir/enabled

# Reset with a call in flight: entries begin at 1.
run op=cache calls=1 threads=1 sleep_us=500000 &
usleep 200000
reset
is "$(sum probes entries probe=shrink_cache)" 1 "reset: entries begin with those in flight"
is "$(sum probes calls probe=shrink_cache)" 0 "reset: calls begin at 0"
wait
is "$(sum probes entries probe=shrink_cache)" 1 "reset: its entry is not counted twice"
is "$(sum totals calls probe=shrink_cache)" 1 "reset: its end is counted"

# Switched off in the middle of a call: abandoned, never a false parent.
reset
run op=zone calls=1 threads=1 sleep_us=500000 &
usleep 200000
echo -shrink_zone >$vmprobe_dir/available_functions
is "$(sum probes active probe=shrink_zone)" 0 "switched off: nothing is in flight"
is "$(sum probes abandoned probe=shrink_zone)" 1 "switched off: the call is abandoned"
wait
is "$(field probes state probe=shrink_zone)" off "switched off"
is "$(sum totals calls probe=shrink_cache)" 1 "the inner call is counted"
echo +shrink_zone >$vmprobe_dir/available_functions
run op=zone calls=4 threads=2
is "$(sum totals calls probe=shrink_zone)" 4 "switched on: calls are counted again"

# The function's module goes away.
unload_fixture
is "$(field probes state probe=shrink_cache)" gone "a function that is gone is said to be"
ok unload_vmprobe "the module unloads"
done_testing
