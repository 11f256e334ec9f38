#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1 mem=160 timeout=900
#
# Loads and unloads under pressure leave nothing behind. On one processor: under
# emulation, a second one may run half-patched code whoever attaches kprobes (the
# same with kprobe_events alone), which is no test of this module.
. /vm/lib.sh

setup_zram_swap 256 || bail "cannot set up the guest"

press()
{
	hog -t 2000 -l 1000000 anon 150 &
	hog=$!
}

# Unreclaimable slab, vmalloc and per-CPU memory in kB, without pressure.
memory()
{
	kill $hog
	wait $hog 2>/dev/null
	sleep 3
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1
	awk '/^(SUnreclaim|VmallocUsed|Percpu):/ { s += $2 } END { print s }' /proc/meminfo
}
cycle()
{
	load_vmprobe || { fail "load $i"; return 1; }
	[ -z "${1-}" ] || usleep "$1"
	unload_vmprobe || { fail "unload $i"; return 1; }
}

press
for i in 1 2 3 4 5; do
	cycle 100000
done
memory >/tmp/before
press
done=0
for i in $(seq 1 "$VM_LOADS"); do
	cycle 20000 || break
	done=$i
done
is $done "$VM_LOADS" "$VM_LOADS loads and unloads under pressure"
memory >/tmp/after
before=$(cat /tmp/before) after=$(cat /tmp/after)
diag "unreclaimable slab, vmalloc and per-CPU memory: $before kB before, $after kB after"
# As many leaks of the smallest of its tables, of 16 kB, would be far above this.
cmp_ok "$after" '<' $((before + 8 * VM_LOADS)) "memory is level"
ok "[ ! -e $vmprobe_dir ]" "no directory in debugfs"
ok "! grep -q -E 'shrink_|try_to_free|balance_pgdat|vmprobe' /sys/kernel/debug/kprobes/list" \
	"no kprobe is left"
ok "! grep -q vmprobe /proc/modules" "no module is left"
ok "load_vmprobe && unload_vmprobe" "and it loads again"
done_testing
