#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The manual pages: nothing that man warns of, and vmprobe-read(1) has every command,
# option and table that the program knows, and no other. (vmprobe(4) is compared with
# the module in a guest.) VMPROBE_READ names a program that is already built.

cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/unit/tap.sh
. tests/unit/tap.sh
page=tools/vmprobe-read.1

if [ -z "$VMPROBE_READ" ]; then
	if ! make -s -C tools O="$tmp/build" >"$tmp/make" 2>&1; then
		sed 's/^/# /' "$tmp/make"
		echo "Bail out! tools do not build"
		exit 1
	fi
	VMPROBE_READ=$tmp/build/vmprobe-read
fi

same() {	# WHAT FILE FILE
	diff "$2" "$3" >"$tmp/diff" && [ -s "$2" ]
	r=$?
	ok $r "$1"
	[ $r -eq 0 ] || sed 's/^/# /' "$tmp/diff"
}

for file in tools/*.[1-8]; do
	# In these, hyphens and quotes that the page does not escape would show.
	for device in utf8 ascii ps; do
		LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l -T$device -Z "$file" \
			2>&1 >/dev/null | grep . >"$tmp/said"
		[ $? -eq 1 ]
		ok $? "man does not warn of $file, for $device"
		sed 's/^/# /' "$tmp/said"
	done
	LC_ALL=C.UTF-8 MANWIDTH=80 man -l "$file" 2>/dev/null | col -b | grep -n '.\{81,\}' >"$tmp/said"
	[ $? -eq 1 ]
	ok $? "$file fits 80 columns"
	sed 's/^/# /' "$tmp/said"
done

# section NAME: its source.
section() {
	awk -v want="$1" '/^\.SH / { sub(/^\.SH /, ""); gsub(/"/, ""); inside = $0 == want; next }
		inside' "$page"
}

# entries: the line behind each .TP, without fonts.
entries() {
	awk 'entry { print } { entry = /^\.TP/ }' |
		sed -e 's/^\.[BIR]* //' -e 's/\\f[BIRP]//g' -e 's/"//g' -e 's/\\-/-/g'
}

"$VMPROBE_READ" -h >"$tmp/help"
sed -n '/^commands:/,/^options:/s/^  \([a-zA-Z-][a-zA-Z-]*\) .*/\1/p' "$tmp/help" | sort >"$tmp/known"
section COMMANDS | entries | cut -d ' ' -f 1 | sort >"$tmp/page"
same "each command" "$tmp/known" "$tmp/page"

sed -n '/^options:/,/^$/p' "$tmp/help" | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' |
	grep -oE -- '--?[a-zA-Z-]+' | sort >"$tmp/known"
section OPTIONS | entries | grep -oE -- '(^|[ ,])--?[a-zA-Z-]+' | tr -d ' ,' | sort >"$tmp/page"
same "each option" "$tmp/known" "$tmp/page"

"$VMPROBE_READ" list | sed 1d | cut -d ' ' -f 1 | sort >"$tmp/known"
section TABLES | sed -n '/^\.nf/,/^\.fi/s/^\([a-z_][a-z_]*\) .*/\1/p' | sort >"$tmp/page"
same "each table" "$tmp/known" "$tmp/page"

for heading in 'EXIT STATUS' OVERHEAD CAVEATS EXAMPLES FILES 'SEE ALSO'; do
	[ -n "$(section "$heading")" ]
	ok $? "there is $heading"
done

echo "1..$nr"
exit $bad
