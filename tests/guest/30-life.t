#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1,2 mem=192 timeout=900
#
# What a host goes through: nothing breaks, and the numbers still agree.
. /vm/lib.sh
. /vm/fixture.sh
. /vm/invariants.sh

tracing=/sys/kernel/tracing
setup_zram_swap 256 || bail "cannot set up the guest"

# Pages that were stolen since "begin" are those that were freed, as ever.
begin()
{
	load_vmprobe || bail "cannot load vmprobe"
	stolen=$(vmstat_get pgsteal_anon pgsteal_file)
	reset
}
end()
{
	quiet
	check_invariants "$@"
	is "$(freed_inside)" $(($(vmstat_get pgsteal_anon pgsteal_file) - stolen)) \
		"$1: pages freed are pages stolen"
	unload_vmprobe || fail "$1: unload"
}

# Unloading in the middle of calls.
load_both || bail "cannot load the modules"
run op=zone threads=300 calls=300 sleep_us=2000000 &
wait_for 20 '[ "$(sum probes active probe=shrink_cache)" = 300 ]'
is "$(sum probes active probe=shrink_zone)" 300 "300 tasks sleep in probed functions"
ok unload_vmprobe "vmprobe unloads meanwhile"
wait
load_vmprobe functions=$fixture_probes layout=$fixture_layout
run op=zone threads=300 calls=300 sleep_us=500000 &
wait_for 20 '[ "$(sum probes active probe=shrink_cache)" = 300 ]'
unload_vmprobe
load_vmprobe functions=$fixture_probes layout=$fixture_layout
wait
is "$(sum totals calls)" 0 "calls that began before a load are not counted by it"
run op=zone threads=8 calls=1009
is "$(sum totals calls probe=shrink_zone)" 1009 "and new ones are"
unload_vmprobe
unload_fixture

# Killed for want of memory: of the system, then of a cgroup. Without swap, on which
# the kernel may go on for minutes before it gives up.
say "out of memory"
swapoff /dev/zram0
begin
expect_dmesg 'oom-kill:'
hog -f 3 anon $((VM_MEM_MB + 100)) 2>/dev/null
ok "dmesg | grep -q 'oom-kill:constraint=CONSTRAINT_NONE'" "the kernel ran out of memory"
mkdir -p $cgroup_dir/small
echo 8M >$cgroup_dir/small/memory.max
echo 0 >$cgroup_dir/small/memory.swap.max
hog -g $cgroup_dir/small anon 24 2>/dev/null
ok "dmesg | grep -q 'oom-kill:constraint=CONSTRAINT_MEMCG'" "a cgroup ran out of memory"
end "out of memory"
swapon /dev/zram0

# Processors that come and go.
if [ "$VM_CPUS" -gt 1 ] && [ -w /sys/devices/system/cpu/cpu1/online ]; then
	say "processors that come and go"
	begin
	hog -f 2 -t 1000 anon 190 &
	hogs=$!
	for _ in 1 2 3 4; do
		echo 0 >/sys/devices/system/cpu/cpu1/online
		sleep 1
		echo 1 >/sys/devices/system/cpu/cpu1/online
		sleep 1
	done
	kill $hogs
	wait $hogs 2>/dev/null
	cmp_ok "$(sum cpus calls cpu=1)" '>' 0 "CPU hotplug: what a processor counted stays"
	end "CPU hotplug"
else
	skip 1 "one processor cannot go"
fi

# Everything that can be read or written at the same time.
say "two readers and a writer for every file"
begin
hog -f 2 -t 1000 anon 180 &
hogs=$!
# Let them fill memory before they share the processor with so many.
wait_for 60 '[ "$(sum totals calls probe=shrink_page_list)" -gt 100 ]'
users=
for file in "$vmprobe_dir"/*; do
	(while :; do cat "$file" >/dev/null; done) & users="$users $!"
	(while :; do dd if="$file" bs=100 of=/dev/null 2>/dev/null; done) & users="$users $!"
	(while :; do echo nonsense >"$file"; done 2>/dev/null) & users="$users $!"
done
(while :; do
	echo 0 >$vmprobe_dir/enabled
	echo 1 >$vmprobe_dir/enabled
	echo 1 >$vmprobe_dir/stacks
	echo 0 >$vmprobe_dir/stacks
	usleep 100000
done) & users="$users $!"
sleep 20
kill $users $hogs
wait $users $hogs 2>/dev/null
echo 1 >$vmprobe_dir/enabled
quiet
# Recording stopped in between, so there are calls without what was inside them.
check_invariants "readers and writers" "tree process"
unload_vmprobe || fail "readers and writers: unload"

# Switched off and on in the middle of calls. On one processor: under emulation a
# second one may run half-patched code, whoever attaches kprobes.
if [ "$VM_CPUS" = 1 ]; then
	say "probes off and on under pressure"
	begin
	hog -f 2 -t 1000 anon 180 &
	hogs=$!
	for _ in 1 2 3 4 5 6 7 8; do
		for probe in shrink_zone shrink_cache shrink_slab; do
			echo -$probe >$vmprobe_dir/available_functions
		done
		usleep 300000
		for probe in shrink_slab shrink_zone shrink_cache; do
			echo +$probe >$vmprobe_dir/available_functions
		done
		usleep 300000
	done
	kill $hogs
	wait $hogs 2>/dev/null
	quiet
	# A call that was abandoned is in no row, but those inside it are.
	check_invariants "off and on" tree
	unload_vmprobe || fail "off and on: unload"
else
	skip 1 "probes are switched under pressure on one processor"
fi

# Other tracers on the same functions.
if [ -w $tracing/kprobe_events ]; then
	say "other tracers"
	begin
	echo 'r:theirs shrink_node' >$tracing/kprobe_events
	echo 'p:entry shrink_node' >>$tracing/kprobe_events
	echo 1 >$tracing/events/kprobes/enable
	reset
	before=$(awk '$1 == "entry" { print $2 }' $tracing/kprobe_profile)
	if grep -qw function_graph $tracing/available_tracers; then
		echo shrink_node >$tracing/set_ftrace_filter
		echo function_graph >$tracing/current_tracer
	fi
	stolen=$(vmstat_get pgsteal_anon pgsteal_file)
	pressure_anon 180
	echo nop >$tracing/current_tracer
	echo >$tracing/set_ftrace_filter
	quiet
	is "$(($(sum probes entries symbol=shrink_node) + $(sum probes missed symbol=shrink_node)))" \
		$(($(awk '$1 == "entry" { print $2 }' $tracing/kprobe_profile) - before)) \
		"other tracers: a kprobe event has the same hits"
	is "$(table callers | grep -c -E 'trampoline|return_to_handler|rethook')" 0 \
		"other tracers: no trampoline among the callers"
	echo 0 >$tracing/events/kprobes/enable
	echo >$tracing/kprobe_events
	end "other tracers"
else
	skip 1 "this kernel has no kprobe_events"
fi
ok "! dmesg | grep -q 'vmprobe.*error'" "the log has no complaint of the module"
done_testing
