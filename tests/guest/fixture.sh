# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
#
# For tests that use the fixture module; sourced behind lib.sh.

fixture_layout=nr_to_reclaim@32:s32,nr_scanned@8:u64,nr_reclaimed@16:u64,priority@36:u32,shrink_caches#1,shrink_zone#1,shrink_cache#1
fixture_probes=shrink_caches,shrink_zone,shrink_cache

# load_both [PARAMETER=VALUE...]: the fixture, and vmprobe for it and $fixture_more.
load_both()
{
	load_fixture && load_vmprobe "functions=${fixture_more-}$fixture_probes" layout=$fixture_layout "$@"
}

# run KEY=VALUE...: see the fixture's source; returns when all calls are done.
run()
{
	echo "$*" >/sys/kernel/debug/vmprobe_fixture/run
}

reset()
{
	echo 1 >$vmprobe_dir/reset
}

# everywhere COLUMN WANT PROBE: the same in each table that has all calls.
everywhere()
{
	local table

	for table in totals cpus processes callers tree contexts cgroups nodes; do
		is "$(sum $table "$1" probe="$3")" "$2" "$3: $2 $1 in $table"
	done
}

# elapsed: how many nanoseconds the last run took.
elapsed()
{
	cat /sys/kernel/debug/vmprobe_fixture/run
}
