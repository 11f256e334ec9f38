#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=4 mem=192 timeout=900
#
# Tables read while their numbers move: counters only rise, and whoever resets or
# stops recording meanwhile loses and invents nothing.
. /vm/lib.sh
. /vm/fixture.sh
. /vm/invariants.sh

setup_zram_swap 256 || bail "cannot set up the guest"
load_vmprobe || bail "cannot load vmprobe"
tables="totals cpus processes callers tree contexts cgroups nodes histogram probes"
hog -f 3 -t 2000 -l 1000000 anon 210 &
hogs=$!

# falling OLD NEW: rows of two copies whose counters went the wrong way. A process
# that was evicted meanwhile may be gone; what is there must have risen.
falling()
{
	awk '
		/^# vmprobe/ { t = $4; header = 1; next }
		header {
			header = 0; n = NF; split("", up); split("", key)
			for (i = 1; i <= NF; i++) {
				if ($i ~ /^(calls|.*_pages|total_ns|self_ns|probe_ns|max_ns|oncpu_ns|runqueue_ns|blocked_ns|entries|abandoned|nested|missed|implausible|backwards|clamped|max_order)$/)
					up[i] = 1
				else if ($i == "min_priority")
					up[i] = -1
				else if ($i !~ /^(state|active|note|comm|cgroup)$/ || ($i == "cgroup" && t == "cgroups"))
					key[i] = 1
				name[i] = $i
			}
			next
		}
		{
			k = t
			for (i = 1; i <= n; i++) if (i in key) k = k " " $i
			for (i = 1; i <= n; i++) if (i in up) {
				if (FNR == NR) { was[k, i] = $i; continue }
				if ((k, i) in was && was[k, i] != "-" && ($i - was[k, i]) * up[i] < 0)
					print k ": " name[i] " was " was[k, i] ", is " $i
			}
			rows++
		}' "$1" "$2"
}

copy()
{
	local name

	for name in $tables; do
		table $name
	done >"$1"
}

say "reading for a minute"
copy /tmp/old
end=$(($(date +%s) + 60))
copies=0 : >/tmp/fell
while [ "$(date +%s)" -lt $end ] || [ $copies -lt 6 ]; do
	copy /tmp/new
	falling /tmp/old /tmp/new >>/tmp/fell
	mv /tmp/new /tmp/old
	copies=$((copies + 1))
done
is "$(head -n 3 /tmp/fell)" "" "no counter fell in a minute of reading"
diag "read $copies times, $(sum totals calls) calls"
cmp_ok $copies '>' 5 "the tables were read many times"
kill $hogs
wait $hogs 2>/dev/null
quiet
check_invariants "read under load"
unload_vmprobe

# The fixture's calls among all the others, with tables being read.
# The layout is the fixture's, so only what has no scan_control goes with it.
# shellcheck disable=SC2034 # for load_both
fixture_more=try_to_free_pages,balance_pgdat,shrink_slab,
load_both ||
	bail "cannot load the modules"
hog -f 3 -t 2000 -l 1000000 anon 210 &
hogs=$!
(while :; do copy /tmp/unused; done) &
reader=$!
for round in 1 2 3; do
	say "reset and enabled under load, round $round"
	reset
	run op=zone calls=10007 threads=8 freed=3
	is "$(sum callers calls probe=shrink_zone "caller=call_on_stack[vmprobe_fixture]")" 10007 \
		"round $round: a reset under load loses and invents nothing"
	echo 0 >$vmprobe_dir/enabled
	run op=zone calls=1009 threads=8
	echo 1 >$vmprobe_dir/enabled
	run op=zone calls=10007 threads=8 freed=3
	is "$(sum callers calls probe=shrink_zone "caller=call_on_stack[vmprobe_fixture]")" 20014 \
		"round $round: nor does switching off and on"
	is "$(sum totals freed_pages probe=shrink_zone)" 60042 "round $round: pages, too"
	# In the middle of the calls: what is counted is of the new recording, once.
	run op=zone calls=10007 threads=8 spin_us=20 &
	runner=$!
	usleep 20000
	reset
	wait $runner
	# A thread may be in an outer call whose inner one had ended before the reset.
	zones=$(sum callers calls probe=shrink_zone "caller=call_on_stack[vmprobe_fixture]")
	late=$((zones - $(sum tree calls probe=shrink_cache parent=shrink_zone)))
	diag "round $round: $zones calls after the reset, $late of them begun before"
	ok "[ $zones -le 10007 ] && [ $late -ge 0 ] && [ $late -le 8 ]" \
		"round $round: a reset in the middle of calls"
done
kill $reader $hogs
wait $reader $hogs 2>/dev/null
quiet
# What was in flight at a reset is whole in the new recording, what had ended inside
# it is not there.
check_invariants "reset under load" "tree process"
unload_vmprobe
done_testing
