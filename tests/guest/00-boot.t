#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1,4 mem=128 timeout=60
#
# The guest is what the other tests take for granted.
. /vm/lib.sh

for dir in /proc /sys /dev /sys/kernel/debug /sys/kernel/tracing /sys/fs/cgroup; do
	ok "grep -q ' $dir ' /proc/mounts" "$dir is mounted"
done
is "$(nproc)" "$VM_CPUS" "as many processors as asked for"
ok "grep -qw memory /sys/fs/cgroup/cgroup.subtree_control" "cgroups can limit memory"
ok "setup_zram_swap 256" "swap is set up"
ok "setup_ext4" "the disk is mounted"

before=$(vmstat_get pgsteal_anon)
pressure_anon 96
cmp_ok "$(vmstat_get pgsteal_anon)" '>' "$((before + 1000))" "anonymous memory is reclaimed"

before=$(vmstat_get pgsteal_file)
pressure_file 96
cmp_ok "$(vmstat_get pgsteal_file)" '>' "$((before + 1000))" "page cache is reclaimed"

before=$(vmstat_get pgsteal_anon pgsteal_file)
pressure_memcg 16 24
cmp_ok "$(vmstat_get pgsteal_anon pgsteal_file)" '>' "$((before + 1000))" "a cgroup at its limit is reclaimed"
done_testing
