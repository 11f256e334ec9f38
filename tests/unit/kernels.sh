# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154 # used, and set, by those who source this
#
# The type information of the kernels that are at hand; to be sourced. Needs a
# directory $tmp.

running_btf=/sys/kernel/btf/vmlinux

# cached_kernels: the images in the cache of the guests, one a line.
cached_kernels() {
	for image in "${VMPROBE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/vmprobe}"/kernels/*/root/boot/vmlinu[xz]-*; do
		[ -r "$image" ] || continue
		# A kernel that is there unpacked too need not be unpacked again.
		case $image in
		*/vmlinuz-*) [ ! -r "${image%/*}/vmlinux-${image##*/vmlinuz-}" ] || continue ;;
		esac
		echo "$image"
	done
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
