#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: icount=1 mem=256 timeout=600
#
# Times, where one instruction is one nanosecond: delays come out as they were,
# and the cost of the probes does not.
. /vm/lib.sh
. /vm/fixture.sh

load_fixture || bail "cannot load the fixture"
# A system that has just started has other things to do. Instructions are counted,
# so that to wait takes next to no time.
sleep 20
# Some kernels call it tsc-early for a while.
like "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)" '^tsc' \
	"the clock is the TSC"

# quickest KEY=VALUE...: nanoseconds of the quickest of three runs, since there are
# other things to do in between.
quickest()
{
	local best='' _

	for _ in 1 2 3; do
		run "$@"
		[ -n "$best" ] && [ "$best" -le "$(elapsed)" ] || best=$(elapsed)
	done
	echo "$best"
}

# bare LOOPS CALLS: what a shrink_cache takes, in nanoseconds for all calls.
bare()
{
	echo $(($(quickest op=cache loops="$1" calls="$2") - $(quickest op=none calls="$2")))
}

# Before there are probes: what the functions take by themselves.
# shellcheck disable=SC2034 # found by name below
bare_0=$(bare 0 100000) bare_1000=$(bare 1000 100000) bare_10000=$(bare 10000 100000)
uninstrumented=$(quickest op=zone calls=100000)

load_vmprobe functions=$fixture_probes layout=$fixture_layout || bail "cannot load vmprobe"

# A sleep of 100 ms, in the right bucket and spent blocked.
run op=cache calls=3 sleep_us=100000
mean=$(($(sum totals total_ns probe=shrink_cache) / 3))
within "$mean" 100000000 1 "a sleep of 100 ms takes 100 ms"
within "$(sum totals blocked_ns probe=shrink_cache)" 300000000 1 "it is spent blocked"
ok "table histogram | awk '\$1 == \"shrink_cache\" { n++; ok += \$3 <= 100100000 && \$4 >= 100000000 } END { exit !(n && n == ok) }'" \
	"it lands in the right bucket"

# near GOT WANT DESCRIPTION: by 10 % or 20 instructions, whichever is more.
near()
{
	local bound=$(($2 / 10 > 20 ? $2 / 10 : 20))

	cmp_ok "$1" '<=' $(($2 + bound)) "$3: not more"
	cmp_ok "$1" '>=' $(($2 - bound)) "$3: not less"
}

diag "overhead: inner $(status overhead_inner_ns), pair $(status overhead_pair_ns), entry $(status overhead_entry_ns)"
calls=100000
for loops in 0 1000 10000; do
	eval "want=\$((bare_$loops / calls))"
	for how in op=cache op=zone op=caches; do
		reset
		run $how loops=$loops calls=$calls
		got=$(($(sum totals total_ns probe=shrink_cache) / calls))
		diag "$how loops=$loops: $got, by itself $want"
		near "$got" "$want" "$how, $loops instructions"
	done
	is "$(sum probes clamped)" 0 "$loops instructions: no time was clamped"
	# 50 inside a probed parent: the parent's own share is small.
	reset
	run op=zone calls=$((calls / 50)) caches=50 loops=$loops
	got=$(($(sum totals total_ns probe=shrink_zone) / calls))
	diag "50 times loops=$loops: $got each, by itself $want"
	near "$got" $((want + 5)) "50 inside, $loops instructions"
	is "$(sum probes clamped)" 0 "50 inside, $loops instructions: no time was clamped"
done

# What it costs.
echo -shrink_cache >$vmprobe_dir/available_functions
reset
run op=zone calls=100000
cost=$(( ($(elapsed) - uninstrumented) / 100000))
diag "a call of shrink_zone costs $cost instructions more than without a probe"
# The figure is of one flavour; others are configured to do more for each probe.
if [ "$VM_KERNEL" = 6.1-cloud ]; then
	cmp_ok "$cost" '<=' 890 "a call costs at most 890 instructions"
else
	skip 1 "the limit is for 6.1-cloud"
fi
unload_vmprobe
done_testing
