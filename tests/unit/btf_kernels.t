#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What the module sees in the type information of real kernels: the running one
# and those in the cache of the guests. Where there is pahole it is asked as well.
# BTF_SHOW names a program that is already built.

cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/unit/tap.sh
. tests/unit/tap.sh
# shellcheck source=tests/unit/kernels.sh
. tests/unit/kernels.sh

if [ -z "$BTF_SHOW" ]; then
	if ! make -s -C tests/unit O="$tmp" "$tmp/btf_show" >"$tmp/make" 2>&1; then
		sed 's/^/# /' "$tmp/make"
		echo "Bail out! btf_show does not build"
		exit 1
	fi
	BTF_SHOW=$tmp/btf_show
fi

# Lines "MEMBER BIT" of what btf_show, or pahole, says of struct scan_control.
bits_shown() {
	sed -n 's/^\([a-z_]*\)@\([0-9]*\)[.]\([0-9]*\):.*/\1 \2 \3/p
		s/^\([a-z_]*\)@\([0-9]*\):.*/\1 \2 0/p' "$1" | awk '{ print $1, 8 * $2 + $3 }' | sort
}

bits_of_pahole() {
	sed -n 's,^.*[ *]\([a-z_]*\)\(:[0-9]*\)*; */\* *\([0-9]*\): *\([0-9]*\) .*,\1 \3 \4,p
		s,^.*[ *]\([a-z_]*\); */\* *\([0-9]*\)  *[0-9].*,\1 \2 0,p' "$1" |
		awk '{ print $1, 8 * $2 + $3 }' | sort
}

# All that holds for any kernel; leaves what was shown in $tmp/shown.
check_any() {	# WHAT FILE
	"$BTF_SHOW" "$2" try_to_free_mem_cgroup_pages balance_pgdat >"$tmp/shown" 2>"$tmp/err"
	r=$?
	ok $r "$1: read"
	if [ $r -ne 0 ]; then
		sed 's/^/# /' "$tmp/err"
		return
	fi
	missing=
	for member in nr_to_reclaim nr_scanned nr_reclaimed priority order target_mem_cgroup; do
		grep -q "^$member@" "$tmp/shown" || missing="$missing $member"
	done
	[ -z "$missing" ]
	ok $? "$1: has every member$missing"
	grep -q '^shrink_node#1$' "$tmp/shown" && grep -q '^do_try_to_free_pages#1$' "$tmp/shown" &&
		grep -q '^balance_pgdat: pgdat=0$' "$tmp/shown"
	ok $? "$1: has functions and their arguments"
	if ! command -v pahole >/dev/null; then
		skip "$1: pahole sees the same" "no pahole"
		return
	fi
	pahole -C scan_control "$2" >"$tmp/pahole" 2>/dev/null
	bits_shown "$tmp/shown" >"$tmp/ours"
	bits_of_pahole "$tmp/pahole" | grep -F -x -f "$tmp/ours" >"$tmp/theirs"
	diff "$tmp/ours" "$tmp/theirs" >"$tmp/diff"
	r=$?
	ok $r "$1: pahole sees the same"
	[ $r -eq 0 ] || sed 's/^/# /' "$tmp/diff"
}

# What is known of this version from its source.
check_6_1() {	# WHAT
	missing=
	for line in nr_to_reclaim@0:u64 target_mem_cgroup@16:u64 proactive@40.7:1 order@56:s8 \
			priority@57:s8 nr_scanned@64:u64 nr_reclaimed@72:u64 shrink_node#1 \
			shrink_lruvec#1 shrink_folio_list#2 shrink_active_list#2; do
		grep -q -x -F -e "$line" "$tmp/shown" || missing="$missing $line"
	done
	grep -q '^try_to_free_mem_cgroup_pages: .*nr_pages=1 reclaim_options=3$' "$tmp/shown" ||
		missing="$missing reclaim_options"
	[ -z "$missing" ]
	ok $? "$1: all is where 6.1 has it$missing"
}

if [ -r "$running_btf" ]; then
	check_any "running kernel" "$running_btf"
else
	skip "running kernel" "no $running_btf"
fi

cached_kernels >"$tmp/images"
while read -r image; do
	release=$(release_of "$image")
	if ! why=$(take_btf "$image" "$tmp/btf"); then
		skip "$release" "$why"
		continue
	fi
	check_any "$release" "$tmp/btf"
	case $release in
	6.1.*) check_6_1 "$release" ;;
	esac
done <"$tmp/images"
[ -s "$tmp/images" ] || skip "kernels of the cache" "there are none"

echo "1..$nr"
exit $bad
