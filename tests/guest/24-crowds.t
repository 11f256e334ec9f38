#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=2 mem=512 timeout=900 kernels=6.1
#
# Crowds: hundreds of processes in direct reclaim at once, and thousands that come
# and go ($count of them), of whom only some can have a record. How much memory makes
# them reclaim differs between kernels; these sizes are for 6.1.
. /vm/lib.sh
. /vm/fixture.sh
. /vm/invariants.sh

tracing=/sys/kernel/tracing
count=${count:-1000}
setup_zram_swap 640 && setup_ext4 || bail "cannot set up the guest"

# 768 at once, under the defaults.
load_vmprobe || bail "cannot load vmprobe"
say "768 hogs"
hog -f 768 -C crowd -t 20 anon 576
quiet
diag "768 hogs: $(sum totals calls probe=try_to_free_pages) direct calls, of $(table processes | grep -c 'try_to_free_pages.* crowd$') hogs, backwards $(sum probes backwards)"
cmp_ok "$(table processes | grep -c 'try_to_free_pages.* crowd$')" '>' 100 \
	"768 hogs: hundreds were in direct reclaim"
is "$(sum probes missed)" 0 "768 hogs: nothing is missed"
is "$(sum processes calls "comm=(overflow)")" 0 "768 hogs: each has a record"
check_invariants "768 hogs"
unload_vmprobe

# $count that reclaim and end, for 256 records: each asks for pages of a cgroup that
# one reader keeps full.
hog write /mnt/file 64
sync
echo 3 >/proc/sys/vm/drop_caches
mkdir -p $cgroup_dir/crowd
load_vmprobe max_tasks=256 || bail "cannot load with max_tasks=256"
echo 700 >/proc/sys/kernel/pid_max
hog -g $cgroup_dir/crowd -t 5000 read /mnt/file &
reader=$!
sleep 3
say "$count processes"
echo 'hist:keys=common_pid:size=4096' >$tracing/events/vmscan/mm_vmscan_memcg_reclaim_begin/trigger
reset
i=0
while [ $i -lt $((count / 4)) ]; do
	pids=
	for _ in 1 2 3 4; do
		(echo 4096 >$cgroup_dir/crowd/memory.reclaim) 2>/dev/null &
		pids="$pids $!"
	done
	wait $pids
	i=$((i + 1))
done
kill $reader
wait $reader 2>/dev/null
quiet
events=$(awk '/Hits:/ { print $2 }' $tracing/events/vmscan/mm_vmscan_memcg_reclaim_begin/hist)
calls=$(sum totals calls probe=try_to_free_mem_cgroup_pages)
diag "$count processes: $calls calls, $events events, $(sum processes calls probe=try_to_free_mem_cgroup_pages "comm=(evicted)") by those evicted, $(sum processes calls probe=try_to_free_mem_cgroup_pages "comm=(overflow)") without a record"
is "$calls" "$events" "$count processes: each call is counted"
cmp_ok "$calls" '>=' $count "$count processes: they all reclaimed"
cmp_ok "$(sum processes calls "comm=(evicted)")" '>' "$(sum processes calls "comm=(overflow)")" \
	"$count processes: most had a record while they lived"
is "$(table processes | awk 'NR > 2 && $1 != "-" { print $1, $3, $6 }' | sort | uniq -d | wc -l)" 0 \
	"$count processes: pid and start are one row"
check_invariants "$count processes"
unload_vmprobe

# $count that call the fixture seven times each: no row has another number.
load_both max_tasks=256 || bail "cannot load the modules with max_tasks=256"
reset
say "$count processes with seven calls each"
i=0
while [ $i -lt $((count / 4)) ]; do
	for _ in 1 2 3 4; do
		(echo op=cache calls=7 freed=3 >/sys/kernel/debug/vmprobe_fixture/run) &
	done
	wait
	i=$((i + 1))
done
is "$(sum totals calls probe=shrink_cache)" $((count * 7)) "seven calls each: all are counted"
is "$(sum totals freed_pages probe=shrink_cache)" $((count * 21)) "seven calls each: and their pages"
is "$(sum processes calls probe=shrink_cache)" $((count * 7)) "seven calls each: processes and special rows are all"
is "$(table processes | awk 'NR > 2 && $1 != "-" && $7 != 7' | wc -l)" 0 \
	"seven calls each: no counter moved to a later process"
cmp_ok "$(table processes | awk 'NR > 2 && $1 != "-"' | wc -l)" '>' 200 "seven calls each: the latest have rows"
is "$(table processes | awk 'NR > 2 && $1 != "-" { print $1, $3 }' | sort | uniq -d | wc -l)" 0 \
	"seven calls each: pid and start are one row"
is "$(sum probes missed)" 0 "seven calls each: nothing is missed"
unload_vmprobe
done_testing
