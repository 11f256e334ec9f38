#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests in guests are written with, tried here in the same shell:
# sums that must not take what is absent for nothing, comparisons of numbers
# that need all their bits.

# shellcheck source=tests/vm/common.sh
. "$(dirname "$0")/common.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# "one a" is a row whose name needs the escape of the tables.
cat >"$tmp/sample" <<'END'
# vmprobe 1 sample
name kind calls time_ns none
one a 1 9007199254740000 -
one b 2 992 -
two a 40 - -
one\040a c 4000000000 - -
END

number=0
# check DESCRIPTION OUTPUT COMMANDS: these print so much.
check()
{
	local got

	# shellcheck disable=SC2016 # for busybox
	got=$(/usr/bin/busybox sh -c '. "$1"; vmprobe_dir=$2; eval "$3"' sh \
		"$top_dir/tests/guest/lib.sh" "$tmp" "$3" 2>&1) || true
	number=$((number + 1))
	if [ "$got" = "$2" ]; then
		printf 'ok %d - %s\n' $number "$1"
	else
		printf 'not ok %d - %s\n' $number "$1"
		printf '%s\n' "got:" "$got" "want:" "$2" | sed 's/^/# /'
	fi
}

check 'sum: of all rows' 4000000043 'sum sample calls'
check 'sum: of those with a key' 3 'sum sample calls name=one'
check 'sum: of those with two' 2 'sum sample calls name=one kind=b'
check 'sum: exact beyond 32 bits, absent values left out' 9007199254740992 'sum sample time_ns'
check 'sum: all absent is absent' - 'sum sample none'
check 'sum: all that match absent' - 'sum sample time_ns name=two'
check 'sum: no row is 0' 0 'sum sample calls name=three'
check 'sum: an escaped key' 4000000000 "sum sample calls 'name=one\\040a'"
check 'sum: no such column' "no column call in sample
no-column" 'sum sample call'
check 'sum: no such key' "no column nam in sample
no-column" 'sum sample calls nam=one'
check 'field: each value' "1
2" 'field sample calls name=one'
check 'rows' 2 'rows sample name kind=a'
check 'absent' 2 'absent sample time_ns'

check 'is: numbers above 2^53 differ' "not ok 1 - x
# got:  9007199254740993
# want: 9007199254740992" 'is 9007199254740993 9007199254740992 x'
check 'cmp_ok: numbers above 2^53' "ok 1 - x" "cmp_ok 9007199254740993 '>' 9007199254740992 x"
check 'cmp_ok: equal' "ok 1 - x" 'cmp_ok 9223372036854775807 == 9223372036854775807 x'
check 'cmp_ok: an absent value is not a number' "not ok 1 - x
# not true: - >= 0" "cmp_ok - '>=' 0 x"
check 'within: at the edge' "ok 1 - x" 'within 90 100 10 x'
check 'within: beyond' "not ok 1 - x
# 89 is not within 10 % of 100" 'within 89 100 10 x'
check 'within: an absent value' "not ok 1 - x
# - is not within 10 % of 100" 'within - 100 10 x'
check 'done_testing: the plan' "ok 1 - a
ok 2 # SKIP why not
ok 3 # SKIP why not
1..3" 'pass a; skip 2 why not; done_testing'
check 'plan skip' '1..0 # SKIP no reason' 'plan skip no reason'

printf '1..%d\n' $number
