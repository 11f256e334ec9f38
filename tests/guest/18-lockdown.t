#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1 mem=160 timeout=120
#
# A kernel that is locked down: what still works does, what does not says so.
. /vm/lib.sh

lockdown=/sys/kernel/security/lockdown
mount -t securityfs securityfs /sys/kernel/security 2>/dev/null
[ -w $lockdown ] || plan skip "this kernel has no lockdown"
expect_dmesg 'Lockdown: insmod: unsigned module loading is restricted'

load_vmprobe || bail "cannot load vmprobe"
unload_vmprobe
like "$(vmprobe-read 2>&1)" 'is the module loaded\? sudo insmod vmprobe.ko$' "without it: no word of lockdown"
load_vmprobe
echo integrity >$lockdown
cmp_ok "$(rows totals calls)" '>' 3 "loaded before: tables can be read"
ok "vmprobe-read >/tmp/summary" "and summed up"
# What is said of it goes to the log of the kernel.
ok "! echo 1 2>/dev/null >$vmprobe_dir/reset" "switches can not be written"
unload_vmprobe
ok "! load_vmprobe 2>/tmp/message" "a module without a signature is refused"
like "$(cat /tmp/message)" 'Operation not permitted' "with a word"
ok "! vmprobe-read >/dev/null 2>/tmp/message" "the reader finds nothing"
like "$(cat /tmp/message)" 'locked down.*signature' "and says why"
done_testing
