#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# vmprobe-read on the tables below tests/golden: every column there has its own
# value, so that a swap shows. VMPROBE_READ names a program that is already
# built. UPDATE=1 writes the expected outputs anew: read the difference.

cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/unit/tap.sh
. tests/unit/tap.sh
golden=tests/golden

if [ -z "$VMPROBE_READ" ]; then
	if ! make -s -C tools O="$tmp/build" >"$tmp/make" 2>&1; then
		sed 's/^/# /' "$tmp/make"
		echo "Bail out! tools do not build"
		exit 1
	fi
	VMPROBE_READ=$tmp/build/vmprobe-read
fi

# Compare with an expected output.
expect() {	# FILE ARGUMENTS ...
	file=$golden/$1
	shift
	"$VMPROBE_READ" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ -z "$UPDATE" ] || cp "$tmp/out" "$file"
	[ $status -eq 0 ] && [ ! -s "$tmp/err" ] && diff -u "$file" "$tmp/out" >"$tmp/diff"
	ok $? "$* gives $file"
	sed 's/^/# /' "$tmp/err"
	[ ! -s "$tmp/diff" ] || sed 's/^/# /' "$tmp/diff"
	: >"$tmp/diff"
}

# Compare exit status and what is printed (both streams) with a pattern.
check() {	# WHAT STATUS PATTERN ARGUMENTS ...
	what=$1 status=$2 pattern=$3
	shift 3
	"$VMPROBE_READ" "$@" >"$tmp/out" 2>&1
	got=$?
	[ $got -eq "$status" ] && grep -q -e "$pattern" "$tmp/out"
	r=$?
	ok $r "$what"
	[ $r -eq 0 ] || { echo "# exit status $got"; sed 's/^/# /' "$tmp/out"; }
}

# Outputs as they should be.
expect summary.txt --root $golden/tree
expect summary.txt summary --root $golden/tree
expect summary-unscaled.txt -u -n 100 --root $golden/tree
expect summary-idle.txt --root $golden/idle
expect list.txt list --root $golden/tree
for table in "$golden"/tree/*; do
	table=$(basename "$table")
	[ "$table" = enabled ] || expect "$table.txt" "$table" --root $golden/tree
done

awk 'length > 100 { exit 1 }' $golden/summary.txt $golden/summary-idle.txt
ok $? "a summary is at most 100 columns wide"
! LC_ALL=C grep -q '[^ -~]' $golden/*.txt
ok $? "nothing but printable characters is ever printed"
! grep -q ' $' $golden/*.txt
ok $? "no line ends in blanks"

# Every table, read as a program would: the same words in the same order.
for table in "$golden"/tree/*; do
	table=$(basename "$table")
	[ "$table" != enabled ] || continue
	sed -e 1d -e 's/\\040/ /g' $golden/tree/"$table" | tr -s ' ' >"$tmp/a"
	"$VMPROBE_READ" --root $golden/tree "$table" | sed -e 's/\\040/ /g' -e 's/^ *//' |
		tr -s ' ' >"$tmp/b"
	cmp -s "$tmp/a" "$tmp/b"
	ok $? "$table is printed in full"
done

# Columns are found by name: their order does not matter, but their names do.
columns() {	# AWK-PROGRAM-FOR-EACH-LINE FILE
	rm -rf "$tmp/tree"
	cp -r $golden/tree "$tmp/tree"
	awk 'NR == 1 { print; next }'" $1" $golden/tree/"$2" >"$tmp/tree/$2"
}
for table in totals tree processes callers histogram probes; do
	columns '{ for (i = NF; i > 0; i--) printf "%s%s", $i, (i > 1 ? " " : "\n") }' $table
	"$VMPROBE_READ" --root "$tmp/tree" | cmp -s - $golden/summary.txt
	ok $? "the order of columns in $table does not matter"
done
swap() {	# TABLE COLUMN OTHER
	columns "NR == 2 { for (i = 1; i <= NF; i++)
			\$i = \$i == \"$2\" ? \"$3\" : \$i == \"$3\" ? \"$2\" : \$i } 1" "$1"
	! "$VMPROBE_READ" --root "$tmp/tree" 2>&1 | cmp -s - $golden/summary.txt
	ok $? "$2 and $3 swapped in $1 are seen"
}
swap totals calls scanned_pages
swap totals requested_pages scanned_pages
swap totals freed_pages scanned_pages
swap totals total_ns probe_ns
swap totals self_ns probe_ns
swap totals max_ns probe_ns
swap tree total_ns probe_ns
swap tree oncpu_ns runqueue_ns
swap tree runqueue_ns blocked_ns
swap processes pid tgid
swap processes state cgroup
swap processes probe comm
swap processes self_ns probe_ns
swap processes freed_pages scanned_pages
swap processes max_ns probe_ns
swap processes calls requested_pages
swap callers probe caller
swap callers total_ns probe_ns
swap callers calls scanned_pages
swap histogram high_ns calls
swap probes missed implausible
swap probes backwards abandoned
swap probes active entries

# What newer modules may do.
columns '{ print $0, NR == 2 ? "new_column" : NR * 7 }' totals
"$VMPROBE_READ" --root "$tmp/tree" | cmp -s - $golden/summary.txt
ok $? "a column that was appended does not matter"
sed -i '1s/1/2/' "$tmp/tree/totals"
check "no summary of a newer format" 1 'totals:1: format 2' --root "$tmp/tree"
check "but a table, with a warning" 0 'totals:1: format 2 is newer' totals --root "$tmp/tree"
sed 's/totals/zones/' $golden/tree/totals >"$tmp/tree/zones"
check "a table that nobody knows yet" 0 'shrink_inactive_list' zones --root "$tmp/tree"
rm -rf "$tmp/tree"
mkdir "$tmp/tree"
cp $golden/tree/totals "$tmp/tree"
check "totals alone give a summary" 0 'try_to_free_pages *1201' --root "$tmp/tree"
mkdir -p "$tmp/other/sys/kernel/debug"
cp -r $golden/tree "$tmp/other/sys/kernel/debug/vmprobe"
"$VMPROBE_READ" --root "$tmp/other" | cmp -s - $golden/summary.txt
ok $? "a tree with sys/kernel/debug/vmprobe in it"

# What goes wrong is said, with the place.
printf '# vmprobe 1 totals\nprobe calls\na 1 2\n' >"$tmp/tree/totals"
check "a broken row" 1 'totals:3: more than 2 fields' totals --root "$tmp/tree"
check "a broken row in the summary" 1 'totals:3: more than 2 fields' --root "$tmp/tree"
: >"$tmp/tree/totals"
check "an empty file" 1 'totals: empty' --root "$tmp/tree"
check "a switch is no table" 1 'enabled:1: .*no table' enabled --root $golden/tree
check "a table that is not there" 1 'nodes: no such table' nodes --root $golden/tree
check "no such directory" 1 'none: No such file' --root "$tmp/none"
check "no tables" 1 'no tables there' --root "$tmp/other/sys"
check "a misspelt command" 1 'did you mean summary' sumary --root $golden/tree
check "a misspelt table" 1 'did you mean processes' proceses
check "the beginning of a table" 1 'did you mean histogram' hist
check "no command at all" 1 'no command or table xyzzy; what there is: vmprobe-read -h' xyzzy
check "a path is no table" 1 'no command or table ../tree/totals' ../tree/totals --root $golden/tree
check "too many words" 1 'does not know what to do with now' totals now --root $golden/tree
check "an option of another command" 1 '\-\-top means nothing to list' list -n 1
check "a misspelt option" 1 'did you mean --root' --rot=x
check "an empty command" 1 'no command or table' ''

# Help.
check "help" 0 '^examples:' -h
check "help, as a word" 0 '^examples:' help
check "help on a command" 0 '^usage: vmprobe-read summary' summary -h
check "help on a command, as a word" 0 '^usage: vmprobe-read list' help list
check "help on a table" 0 '^usage: vmprobe-read callers' callers --help
check "help on nothing" 1 'no command or table nothing' help nothing
check "version" 0 '^vmprobe-read [0-9]' --version
for table in "$golden"/tree/*; do
	table=$(basename "$table")
	[ "$table" = enabled ] || check "help names $table" 0 "$table" -h
done

# Nothing recorded, and no reason to doubt that.
cp -r $golden/idle "$tmp/idle"
sed -i -e 's/^enabled 0/enabled 1/' -e 's/^probing no/probing yes/' "$tmp/idle/status"
check "what to do while nothing was recorded" 0 'drop_caches' --root "$tmp/idle"
rm "$tmp/idle/status"
check "without a status as well" 0 'drop_caches' --root "$tmp/idle"

# Lists of another length.
lines() { "$VMPROBE_READ" --root $golden/tree "$@" | wc -l; }
[ "$(lines -n 1)" -eq $(($(lines -n 3) - 4)) ]
ok $? "-n sets the length of both lists"
"$VMPROBE_READ" --root $golden/tree -n 0 | grep -q ', by time'
[ $? -eq 1 ]
ok $? "-n 0 leaves them out"

# Writing.
if [ -w /dev/full ]; then
	"$VMPROBE_READ" --root $golden/tree >/dev/full 2>"$tmp/err"
	[ $? -eq 1 ] && grep -q 'No space left' "$tmp/err"
	ok $? "a full disk is an error"
	"$VMPROBE_READ" -h >/dev/full 2>/dev/null
	[ $? -eq 1 ]
	ok $? "so it is for the help"
fi
{ "$VMPROBE_READ" --root $golden/tree processes; } 2>"$tmp/err" | true
[ ! -s "$tmp/err" ]
ok $? "a reader that goes away is no error"
"$VMPROBE_READ" --root $golden/tree >&- 2>"$tmp/err"
[ $? -eq 1 ] && [ -s "$tmp/err" ]
ok $? "no output at all is an error"

echo "1..$nr"
exit $bad
