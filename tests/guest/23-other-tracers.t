#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1 mem=192 timeout=600
#
# Other tracers on the same functions: callers stay right or are "-", and calls
# are counted all the same.
. /vm/lib.sh
. /vm/fixture.sh

tracing=/sys/kernel/tracing
load_both || bail "cannot load the modules"

# check_callers WHAT: 100 calls have the right callers, no trampoline is seen.
check_callers()
{
	reset
	run op=caches calls=100
	is "$(sum totals calls probe=shrink_cache)" 100 "$1: calls are counted"
	is "$(sum callers calls probe=shrink_cache "caller=shrink_zone[vmprobe_fixture]")" 100 \
		"$1: the caller of shrink_cache"
	is "$(sum callers calls probe=shrink_zone "caller=shrink_caches[vmprobe_fixture]")" 100 \
		"$1: the caller of shrink_zone"
	is "$(table callers | grep -c -E 'trampoline|return_to_handler|rethook')" 0 \
		"$1: no trampoline among the callers"
	is "$(sum probes missed)" 0 "$1: nothing is missed"
}

check_callers "alone"

if echo 'r:later vmprobe_fixture:shrink_zone' >$tracing/kprobe_events 2>/dev/null; then
	echo 1 >$tracing/events/kprobes/later/enable
	check_callers "a kretprobe registered later"
	echo 0 >$tracing/events/kprobes/later/enable
	echo >$tracing/kprobe_events
	check_callers "after it is gone"
else
	skip 10 "this kernel has no kprobe_events"
fi

if grep -qw function_graph $tracing/available_tracers; then
	echo 'shrink_zone shrink_cache shrink_caches' >$tracing/set_ftrace_filter
	echo function_graph >$tracing/current_tracer
	# It is noticed with the first call, whose caller stays unknown on most kernels.
	reset
	run op=caches calls=1
	is "$(($(sum callers calls probe=shrink_cache caller=-) +
		$(sum callers calls probe=shrink_cache "caller=shrink_zone[vmprobe_fixture]")))" 1 \
		"the function graph tracer: a caller that is not known is not made up"
	check_callers "the function graph tracer"
	ok "grep -q shrink_zone $tracing/trace" "the function graph tracer sees the calls too"
	echo nop >$tracing/current_tracer
	echo >$tracing/set_ftrace_filter
else
	skip 7 "this kernel has no function graph tracer"
fi

# BPF programs, as bpftrace makes them.
for kind in kprobe kretprobe; do
	bpf-count $kind vmprobe_fixture:shrink_zone >/tmp/bpf 2>/tmp/bpf-error &
	bpf=$!
	wait_for 20 'grep -q ready /tmp/bpf || ! kill -0 $bpf 2>/dev/null'
	if ! grep -q ready /tmp/bpf; then
		wait $bpf
		[ $? = 2 ] || bail "$(cat /tmp/bpf-error)"
		skip 6 "this kernel has no probes for BPF"
		continue
	fi
	check_callers "a BPF program on a $kind"
	kill $bpf
	wait $bpf
	is "$(tail -n 1 /tmp/bpf)" 100 "a BPF program on a $kind sees the calls too"
done

# Silenced behind our back: that is said.
is "$(status probing)" yes "probes fire"
echo 0 >/sys/kernel/debug/kprobes/enabled
is "$(status probing)" no "kprobes switched off: status says so"
echo 1 >/sys/kernel/debug/kprobes/enabled
is "$(status probing)" yes "and on again"
if [ -w /proc/sys/kernel/ftrace_enabled ] && echo 0 >/proc/sys/kernel/ftrace_enabled; then
	is "$(status probing)" no "ftrace switched off: status says so"
	echo 1 >/proc/sys/kernel/ftrace_enabled
	is "$(status probing)" yes "and on again"
else
	skip 2 "ftrace cannot be switched off"
fi
check_callers "after all"

# Stacks: the outermost call's, from its caller on.
echo 1 >$vmprobe_dir/stacks
reset
run op=caches calls=7
like "$(field stacks stack probe=shrink_caches)" ';shrink_caches$' "a stack ends with the function"
like "$(field stacks stack probe=shrink_caches)" '(^|;)call_on_stack\[vmprobe_fixture\];' "and has its caller"
is "$(sum stacks calls)" 7 "stacks: each outermost call is counted"
is "$(rows slowest pid)" 7 "slowest: each is kept"
is "$(sum slowest calls probe=shrink_caches)" 7 "slowest: one call a row"
ok "field slowest max_ns | sort -n -r -c" "slowest: the longest first"
echo 0 >$vmprobe_dir/stacks
run op=caches calls=9
is "$(sum stacks calls)" 7 "stacks: switched off"
run op=cache calls=1 sleep_us=50000
cmp_ok "$(field slowest max_ns | head -n 1)" '>=' 50000000 "slowest: a longer one is first"
unload_vmprobe
done_testing
