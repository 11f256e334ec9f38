#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: icount=1 mem=192 timeout=600
#
# Why reclaim ran and whose pages went, for whom; what time was spent on; and the
# pool of processes.
. /vm/lib.sh
. /vm/fixture.sh
. /vm/invariants.sh

setup_zram_swap 256 || bail "cannot set up the guest"

# take_back DIR MB: asks a cgroup for so much, by the means that this kernel has.
take_back()
{
	local current

	if [ -e "$1/memory.reclaim" ]; then
		echo "$2M" >"$1/memory.reclaim"
	else
		read -r current <"$1/memory.current"
		echo $((current - $2 * 1048576)) >"$1/memory.high"
		echo max >"$1/memory.high"
	fi
}

# Pages of A, asked for from B: A is reclaimed, the writer is in B.
load_vmprobe || bail "cannot load vmprobe"
mkdir -p $cgroup_dir/A/leaf $cgroup_dir/B
echo +memory >$cgroup_dir/A/cgroup.subtree_control
# Older kernels know no proactive reclaim; setting a limit is the cgroup's own.
why=proactive
[ -e $cgroup_dir/A/memory.reclaim ] || why=memcg
setup_ext4 || bail "cannot mount the disk"
hog -g $cgroup_dir/A/leaf write /mnt/pages 40
sync
reset
(echo 0 >$cgroup_dir/B/cgroup.procs && take_back $cgroup_dir/A 16) 2>/dev/null
leaf=$(cgroup_id $cgroup_dir/A/leaf)
cmp_ok "$(sum contexts freed_pages context=$why probe=shrink_page_list)" '>' 1000 \
	"the request is $why"
cmp_ok "$(sum cgroups freed_pages cgroup="$leaf" probe=shrink_page_list)" '>' 1000 \
	"the leaf whose pages went is shown"
cmp_ok "$(sum cgroups calls cgroup="$(cgroup_id $cgroup_dir/A)" probe=try_to_free_mem_cgroup_pages)" '>' 0 \
	"the cgroup that was asked for is shown above"
cmp_ok "$(sum processes calls cgroup="$(cgroup_id $cgroup_dir/B)" probe=try_to_free_mem_cgroup_pages)" '>' 0 \
	"the process row has the cgroup of the process"
is "$(sum cgroups freed_pages cgroup="$(cgroup_id $cgroup_dir/B)")" 0 "which lost no page"
ok "vmprobe-read cgroups | grep -q '/A/leaf '" "the reader prints the path"
reset
pressure_memcg 16 32 limited
cmp_ok "$(sum contexts calls context=memcg probe=try_to_free_mem_cgroup_pages)" '>' 10 \
	"a cgroup at its limit is memcg"
is "$(sum contexts calls context=proactive)" 0 "and not proactive"

# Anonymous pages of A, which go to zram.
rm /mnt/pages
hog -g $cgroup_dir/A/leaf -k anon 40 &
hog=$!
wait_for 60 '[ "$(awk "/^anon / { print \$2 }" $cgroup_dir/A/memory.stat)" -gt 40000000 ]'
reset
before=$(vmstat_get pswpout)
(echo 0 >$cgroup_dir/B/cgroup.procs && take_back $cgroup_dir/A 16) 2>/dev/null
swapped=$(($(vmstat_get pswpout) - before))
cmp_ok "$swapped" '>' 1000 "pages were swapped"
cmp_ok "$(sum cgroups freed_pages cgroup="$leaf" probe=shrink_page_list)" '>' 1000 \
	"anonymous pages are their owner's, too"
kill $hog
wait $hog 2>/dev/null

# What the scheduler says of a single-threaded process is more: all it ever did.
reset
hog -k -C single anon 170 &
hog=$!
wait_for 60 '[ "$(awk "/^Vm(RSS|Swap):/ { s += \$2 } END { print s + 0 }" /proc/$hog/status)" -gt 174000 ]'
sleep 1
is "$(field processes pid comm=single probe=try_to_free_pages)" $hog "a process reclaimed"
oncpu=0 waited=0
for probe in try_to_free_pages try_to_free_mem_cgroup_pages; do
	oncpu=$((oncpu + $(sum processes oncpu_ns pid=$hog probe=$probe)))
	waited=$((waited + $(sum processes runqueue_ns pid=$hog probe=$probe)))
done
read -r ran delayed _ <"/proc/$hog/schedstat"
diag "single: on the CPU $oncpu of $ran, on the run queue $waited of $delayed"
cmp_ok "$oncpu" '>' 0 "it took time on the CPU"
cmp_ok "$oncpu" '<=' "$ran" "time on the CPU is no more than the scheduler's"
cmp_ok "$waited" '<=' "$delayed" "nor is time on the run queue"
kill $hog
wait $hog 2>/dev/null

# A task that does nothing but reclaim, while another wants the same CPU: the
# scheduler says the same of it, but for what the write itself takes.
hog -g $cgroup_dir/A/leaf -k anon 40 &
hog=$!
wait_for 60 '[ "$(awk "/^anon / { print \$2 }" $cgroup_dir/A/memory.stat)" -gt 40000000 ]'
hog spin &
spinner=$!
reset
(
	read -r ran delayed _ </proc/self/schedstat
	take_back $cgroup_dir/A 30
	read -r ran_then delayed_then _ </proc/self/schedstat
	echo $((ran_then - ran)) $((delayed_then - delayed)) >/tmp/schedstat
)
kill $spinner $hog
wait $spinner $hog 2>/dev/null
read -r ran delayed </tmp/schedstat
oncpu=$(sum contexts oncpu_ns context=$why probe=try_to_free_mem_cgroup_pages)
waited=$(sum contexts runqueue_ns context=$why probe=try_to_free_mem_cgroup_pages)
spent=$(sum contexts probe_ns context=$why probe=try_to_free_mem_cgroup_pages)
diag "only reclaim: on the CPU $oncpu and $spent in probes of $ran, on the run queue $waited of $delayed"
cmp_ok "$delayed" '>' 20000000 "a task that only reclaims had to wait"
within $((oncpu + spent)) "$ran" 5 "its time on the CPU is the scheduler's"
within "$waited" "$delayed" 5 "and so is its time on the run queue"
unload_vmprobe

# What time was spent on.
load_both || bail "cannot load the modules"
run op=cache threads=1 calls=20 spin_us=10000
total=$(sum totals total_ns)
within "$(sum totals oncpu_ns)" "$total" 15 "spinning is time on the CPU"
reset
run op=cache threads=1 calls=20 sleep_us=10000
total=$(sum totals total_ns)
within "$(sum totals blocked_ns)" "$total" 15 "sleeping is time blocked"
reset
run op=cache threads=2 calls=200 cpu=0 spin_us=10000
total=$(sum totals total_ns)
wait_ns=$(sum totals runqueue_ns)
diag "two that spin: $wait_ns on the run queue of $total"
within "$wait_ns" $((total / 2)) 15 "two that spin on one CPU wait half of the time"
within "$((wait_ns + $(sum totals oncpu_ns) + $(sum totals blocked_ns)))" "$total" 0 "the shares add up"

# Hundreds asleep inside one function.
reset
run op=cache threads=512 calls=512 sleep_us=3000000 &
wait_for 20 '[ "$(sum probes active probe=shrink_cache)" = 512 ]'
is "$(sum probes active probe=shrink_cache)" 512 "512 tasks asleep inside"
wait
is "$(sum probes missed)" 0 "none is missed"
is "$(sum totals calls probe=shrink_cache)" 512 "each is counted"
unload_vmprobe
unload_fixture

# Fewer instances than tasks: what is missed is counted.
load_both maxactive=1 || bail "cannot load with maxactive=1"
run op=cache threads=20 calls=20 sleep_us=200000
is "$(($(sum probes entries probe=shrink_cache) + $(sum probes missed probe=shrink_cache)))" 20 \
	"maxactive=1: entries and missed are all"
cmp_ok "$(sum probes missed probe=shrink_cache)" '>' 0 "maxactive=1: some are missed"
cmp_ok "$(field totals max_ns probe=shrink_cache)" '<' 10000000000 "maxactive=1: no latency is absurd"
unload_vmprobe
unload_fixture

# Fewer records than tasks: totals stay exact.
load_both max_tasks=16 || bail "cannot load with max_tasks=16"
for _ in 1 2 3 4 5; do
	run op=zone threads=100 calls=1009 freed=1
done
sleep 1
run op=zone threads=10 calls=101 freed=1
total=$((5 * 1009 + 101))
is "$(sum totals calls probe=shrink_zone)" $total "max_tasks=16: no call is lost"
is "$(sum processes calls probe=shrink_zone)" $total "max_tasks=16: processes and special rows are all"
is "$(sum processes freed_pages probe=shrink_cache)" $total "max_tasks=16: pages, too"
cmp_ok "$(sum processes calls "comm=(evicted)")" '>' 0 "max_tasks=16: some were evicted"
cmp_ok "$(sum processes calls "comm=(overflow)")" '>' 0 "max_tasks=16: some found no record"
is "$(table processes | awk 'NR > 2 && $1 != "-" && $7 > 12' | wc -l)" 0 \
	"max_tasks=16: no counter moved to another process"
is "$(sum probes missed)" 0 "max_tasks=16: nothing is missed"
unload_vmprobe
done_testing
