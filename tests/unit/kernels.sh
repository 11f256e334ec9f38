# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154,SC3043 # used, and set, by those who source this
#
# The type information of the kernels that are at hand; to be sourced. Needs a
# directory $tmp.

running_btf=/sys/kernel/btf/vmlinux

# cached_kernels: the images in the cache of the guests, one a line.
cached_kernels() {
	local roots="${VMPROBE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/vmprobe}/kernels"

	for image in "$roots"/*/root/boot/vmlinu[xz]-* "$roots"/*/root/usr/lib/modules/*/vmlinuz; do
		[ -r "$image" ] || continue
		# A kernel that is there unpacked too need not be unpacked again.
		case $image in
		*/vmlinuz-*) [ ! -r "${image%/*}/vmlinux-${image##*/vmlinuz-}" ] || continue ;;
		esac
		echo "$image"
	done
}

# release_of IMAGE: which kernel it is; the directory says so if the file does not.
release_of() {
	case $1 in
	*/vmlinuz) basename "$(dirname "$1")" ;;
	*) echo "${1##*/vmlinu[xz]-}" ;;
	esac
}

# take_btf IMAGE FILE: its type information, or the reason why not.
take_btf() {
	command -v objcopy >/dev/null || { echo "no objcopy"; return 1; }
	case $1 in
	*/vmlinux-*) elf=$1 ;;
	*)
		elf=$tmp/elf
		tests/vm/unpack "$1" "$elf" || return 1
		;;
	esac
	objcopy -O binary --only-section=.BTF "$elf" "$2" 2>/dev/null
	rm -f "$tmp/elf"
	[ -s "$2" ] || { echo "no section .BTF"; return 1; }
}
