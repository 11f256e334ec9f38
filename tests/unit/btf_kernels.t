#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What the module sees in the type information of real kernels: the running one
# and those in the cache of the guests. Where there is pahole it is asked as well.
# BTF_SHOW names a program that is already built.

cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
nr=0
bad=0

if [ -z "$BTF_SHOW" ]; then
	if ! make -s -C tests/unit O="$tmp" "$tmp/btf_show" >"$tmp/make" 2>&1; then
		sed 's/^/# /' "$tmp/make"
		echo "Bail out! btf_show does not build"
		exit 1
	fi
	BTF_SHOW=$tmp/btf_show
fi

ok() {		# STATUS WHAT
	nr=$((nr + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $nr - $2"
	else
		echo "not ok $nr - $2"
		bad=1
	fi
}

skip() {	# WHAT WHY
	nr=$((nr + 1))
	echo "ok $nr - $1 # SKIP $2"
}

# unpack IMAGE FILE: the kernel proper of a bzImage. Offsets of its setup header
# are in Documentation/arch/x86/boot.rst; the last four bytes of the payload are
# its unpacked size.
unpack() {
	command -v perl >/dev/null || { echo "no perl"; return 1; }
	# shellcheck disable=SC2016 # for perl
	perl -0777 -ne '
		exit 1 if substr($_, 0x202, 4) ne "HdrS";
		($sects, $offset, $length) = (unpack("C", substr($_, 0x1f1, 1)),
			unpack("VV", substr($_, 0x248, 8)));
		print substr($_, ($sects + 1) * 512 + $offset, $length - 4)' "$1" >"$2.z" ||
		{ echo "not a bzImage"; return 1; }
	case $(od -An -tx1 -N4 "$2.z" | tr -d ' \n') in
	1f8b*) with=gzip ;;
	fd377a58) with=xz ;;
	28b52ffd) with=zstd ;;
	02214c18) with=lz4 ;;
	425a68*) with=bzip2 ;;
	*) echo "compressed in an unknown way"; return 1 ;;
	esac
	command -v $with >/dev/null || { echo "no $with"; return 1; }
	$with -dc <"$2.z" >"$2" 2>/dev/null || { echo "$with fails"; return 1; }
	rm -f "$2.z"
}

# take_btf IMAGE FILE: its type information, or the reason why not.
take_btf() {
	command -v objcopy >/dev/null || { echo "no objcopy"; return 1; }
	case $1 in
	*/vmlinux-*) elf=$1 ;;
	*)
		elf=$tmp/elf
		unpack "$1" "$elf" || return 1
		;;
	esac
	objcopy -O binary --only-section=.BTF "$elf" "$2" 2>/dev/null
	rm -f "$tmp/elf"
	[ -s "$2" ] || { echo "no section .BTF"; return 1; }
}

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

running=/sys/kernel/btf/vmlinux
if [ -r $running ]; then
	check_any "running kernel" $running
else
	skip "running kernel" "no $running"
fi

found=0
for image in "${VMPROBE_CACHE:-$HOME/.cache}"/vmprobe/kernels/*/root/boot/vmlinu[xz]-*; do
	[ -r "$image" ] || continue
	# A kernel that is there unpacked too need not be unpacked again.
	case $image in
	*/vmlinuz-*) [ ! -r "${image%/*}/vmlinux-${image##*/vmlinuz-}" ] || continue ;;
	esac
	found=1
	release=${image##*/vmlinu[xz]-}
	if ! why=$(take_btf "$image" "$tmp/btf"); then
		skip "$release" "$why"
		continue
	fi
	check_any "$release" "$tmp/btf"
	case $release in
	6.1.*) check_6_1 "$release" ;;
	esac
done
[ $found = 1 ] || skip "kernels of the cache" "there are none"

echo "1..$nr"
exit $bad
