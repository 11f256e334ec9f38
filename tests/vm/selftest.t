#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A guest that goes wrong is reported as a failed test, with the kernel's words
# and in time: what all other guest tests rely on.

# shellcheck source=tests/vm/common.sh
. "$(dirname "$0")/common.sh"

kernel=${VMPROBE_KERNEL:-$default_kernel}
export VMPROBE_TIMEOUT_SCALE=1
prelude='. /vm/lib.sh; pass one; '
number=0

check()
{
	local ok=$1 text=$2

	number=$((number + 1))
	if [ "$ok" = 1 ]; then
		printf 'ok %d - %s\n' $number "$text"
	else
		printf 'not ok %d - %s\n' $number "$text"
		sed 's/^/# /' <<<"$output"
	fi
}

# try WHAT REGEX SECONDS OPTION...: boots with these options; expects a failure
# that REGEX matches, within so many seconds.
try()
{
	local what=$1 regex=$2 seconds=$3 start=$SECONDS status=0
	shift 3

	output=$("$vm_dir/boot" "$@" "$kernel" 2>&1) || status=$?
	check $((status != 0)) "$what: the exit status tells"
	check "$(grep -c -m 1 -E "^not ok [0-9]+ - guest: .*$regex" <<<"$output")" "$what: a failed test tells why"
	check "$(grep -c -m 1 '^# kernel console:' <<<"$output")" "$what: the kernel's log is shown"
	check "$(grep -c -m 1 '^1\.\.[0-9]' <<<"$output")" "$what: the plan is there"
	check $((SECONDS - start <= seconds)) "$what: in time"
}

if [ "${VMPROBE_NO_BUILD:-0}" != 1 ]; then
	"$vm_dir/fetch-kernel" "$kernel" >/dev/null
	"$vm_dir/build" "$kernel"
fi

try 'a crash' 'the guest ended before the script did' 60 \
	-e "$prelude echo c >/proc/sysrq-trigger; done_testing"
check "$(grep -c -m 1 'sysrq: Trigger a crash\|Kernel panic' <<<"$output")" "a crash: the panic is in the log"

try 'a hang' 'the script did not end within 3 s' 60 -t 3 -e "$prelude sleep 10000; done_testing"
check "$(grep -c -m 1 '^ok 1 - one$' <<<"$output")" "a hang: what was reported before it is kept"

try 'a dead guest' 'did not end within 21 s and was killed' 80 -t 1 -a 'rdinit=/bin/sleep -- 10000' \
	-e "$prelude done_testing"

try 'an exit status' "the script's exit status was 3" 60 -e "$prelude plan 1; exit 3"

try 'no plan' 'no plan' 60 -e "$prelude"

try 'a short plan' '2 tests planned, 1 seen' 60 -e "plan() { echo 1..2; }; plan; echo ok 1"

try 'a bail' 'bailed out: so it is' 60 -e "$prelude bail so it is"

# shellcheck disable=SC2016 # for the guest
try 'a warning' 'the kernel complained: .*WARNING: CPU: 0 PID: 1 at' 60 \
	-e "$prelude"' echo "WARNING: CPU: 0 PID: 1 at mm/vmscan.c:1" >/dev/kmsg; done_testing'

try 'a failed test' 'the script' 60 -e "$prelude fail two; exit 1"
check "$(grep -c -m 1 '^not ok 2 - two' <<<"$output")" "a failed test: is passed on"

# What was announced is not a failure, unless it does not come.
# shellcheck disable=SC2016 # for the guest
expecting='expect_dmesg "WARNING: CPU: 0 PID: 1 at"; echo "WARNING: CPU: 0 PID: 1 at mm/x.c" >/dev/kmsg;'
status=0
output=$("$vm_dir/boot" -e "$prelude $expecting done_testing" "$kernel" 2>&1) || status=$?
check $((status == 0)) "an expected warning is no failure"
check "$(grep -c -m 1 '^1\.\.2$' <<<"$output")" "the guest's own end is a test"

try 'an expected warning that does not come' 'the kernel did not say "WARNING: CPU"' 60 \
	-e "$prelude expect_dmesg 'WARNING: CPU'; done_testing"

printf '1..%d\n' $number
