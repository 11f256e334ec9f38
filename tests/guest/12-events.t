#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1,2 mem=224 timeout=600
#
# Calls and pages are those of the kernel's own trace events.
. /vm/lib.sh
. /vm/invariants.sh

tracing=/sys/kernel/tracing
setup_zram_swap 256 || bail "cannot set up the guest"
# The other LRU has no event for what it frees.
echo n >/sys/kernel/mm/lru_gen/enabled 2>/dev/null
load_vmprobe || bail "cannot load vmprobe"

echo 16384 >$tracing/buffer_size_kb
for event in direct_reclaim_begin direct_reclaim_end memcg_reclaim_begin memcg_reclaim_end \
	lru_shrink_inactive; do
	echo 1 >$tracing/events/vmscan/mm_vmscan_$event/enable
done
throttled=0
if echo 'r:throttled throttle_direct_reclaim ret=$retval:u8' >$tracing/kprobe_events 2>/dev/null; then
	echo 'ret == 1' >$tracing/events/kprobes/throttled/filter
	echo 1 >$tracing/events/kprobes/throttled/enable
fi

# counted PATTERN: events; summed PATTERN FIELD: over events.
counted()
{
	grep -c "$1:" /tmp/trace
}
summed()
{
	awk -v p="$1:" -v f="$2=" 'index($0, p) {
		for (i = 1; i <= NF; i++) if (index($i, f) == 1) s += substr($i, length(f) + 1) }
		END { printf "%.0f\n", s }' /tmp/trace
}

echo 1 >$vmprobe_dir/reset
echo >$tracing/trace
pressure_anon 240
pressure_memcg 24 40
quiet
cat $tracing/trace >/tmp/trace
lost=0
for stats in $tracing/per_cpu/cpu*/stats; do
	lost=$((lost + $(awk '/overrun|dropped/ { s += $NF } END { print s }' "$stats")))
done
is $lost 0 "no event was lost"
throttled=$(counted throttled)
cmp_ok "$(counted mm_vmscan_direct_reclaim_begin)" '>' 10 "there was direct reclaim"
is "$(sum totals calls probe=try_to_free_pages)" \
	$(($(counted mm_vmscan_direct_reclaim_begin) + throttled)) \
	"try_to_free_pages: as often as it began, and was turned away"
# Where compaction is ready, reclaim frees nothing and says 1.
ones=$(grep -c 'mm_vmscan_direct_reclaim_end:.*nr_reclaimed=1$' /tmp/trace)
extra=$(($(summed mm_vmscan_direct_reclaim_end nr_reclaimed) -
	$(sum totals freed_pages probe=try_to_free_pages)))
diag "pages in end events but not in the table $extra, events of 1 page $ones, throttled $throttled"
ok "[ $extra -ge 0 ] && [ $extra -le $ones ]" \
	"try_to_free_pages: pages are those of the end events"
cmp_ok "$(counted mm_vmscan_memcg_reclaim_begin)" '>' 10 "there was memcg reclaim"
is "$(sum totals calls probe=try_to_free_mem_cgroup_pages)" \
	"$(counted mm_vmscan_memcg_reclaim_begin)" "memcg reclaim: calls are those of the events"
is "$(sum totals freed_pages probe=try_to_free_mem_cgroup_pages)" \
	"$(summed mm_vmscan_memcg_reclaim_end nr_reclaimed)" "memcg reclaim: pages, too"
is "$(freed_inside)" "$(summed mm_vmscan_lru_shrink_inactive nr_reclaimed)" \
	"shrink_page_list: pages are those of the inactive lists"
is "$(sum totals scanned_pages probe=shrink_cache)" "$(sum totals scanned_pages probe=shrink_page_list)" \
	"scanned pages are those of shrink_page_list"
unload_vmprobe
done_testing
