#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What "make install" and its like put where, into a directory of ours; DKMS builds the
# module in a small system of its own, and removes it again.

cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/unit/tap.sh
. tests/unit/tap.sh

# run WHAT COMMAND...: it succeeds; what it says is shown if not.
run()
{
	local what=$1 status=0
	shift

	"$@" >"$tmp/said" 2>&1 </dev/null || status=$?
	ok $status "$what"
	[ $status = 0 ] || sed 's/^/# /' "$tmp/said"
	return $status
}

done_testing()
{
	echo "1..$nr"
	exit $bad
}

# there PATH...: all of them are files below $tmp/root.
there()
{
	local path missing=''

	for path in "$@"; do
		[ -f "$tmp/root/$path" ] || missing+=" $path"
	done
	[ -z "$missing" ]
	ok $? "installed: $*${missing:+, missing:$missing}"
}

# A copy, so that what is built leaves no trace.
mkdir "$tmp/src" "$tmp/root"
cp -r -t "$tmp/src" Kbuild LICENSE Makefile README.md include tools vmprobe
version=$(sed -n 's/.*VMP_VERSION[^"]*"\(.*\)".*/\1/p' include/vmprobe/abi.h)

kdir=$(tests/vm/fetch-kernel 6.1-generic 2>/dev/null | sed -n 's/^kdir=//p')
if [ -z "$kdir" ]; then
	skip "make install" "no kernel headers"
else
	run "make install with DESTDIR and PREFIX" make -C "$tmp/src" KDIR="$kdir" CC=gcc-12 \
		DESTDIR="$tmp/root" PREFIX=/usr install
	there usr/sbin/vmprobe-read usr/share/man/man1/vmprobe-read.1 \
		usr/share/man/man4/vmprobe.4 usr/share/doc/vmprobe/vmprobe.modprobe.conf
	module=$(cd "$tmp/root" && find lib/modules -name 'vmprobe.ko*')
	[ "$(modinfo -F version "$tmp/root/$module")" = "$version" ]
	ok $? "installed: $module, version $version"
	[ "$(find "$tmp/root/lib/modules" -type f | wc -l)" = 1 ]
	ok $? "nothing beside it that belongs to the kernel's package"
	! find "$tmp/root" -type f -exec grep -l "$tmp" {} + | grep -v -e '\.ko' -e sbin/
	ok $? "no file names the directory that it was installed into"
	[ "$("$tmp/root/usr/sbin/vmprobe-read" -V | cut -d ' ' -f 2)" = "$version" ]
	ok $? "the reader that was installed runs"

	# The example, with all that it suggests in force, read as modprobe does.
	mkdir "$tmp/modprobe.d"
	sed 's/^#options/options/' tools/vmprobe.modprobe.conf >"$tmp/modprobe.d/vmprobe.conf"
	modprobe -C "$tmp/modprobe.d" --showconfig |
		sed -n 's/^options vmprobe //p' | tr ' ' '\n' | sed 's/=.*//' | sort -u >"$tmp/used"
	modinfo -F parm "$tmp/root/$module" | sed 's/:.*//' | sort >"$tmp/known"
	[ -s "$tmp/used" ] && [ -z "$(comm -23 "$tmp/used" "$tmp/known")" ]
	ok $? "parameters in the example for modprobe.d are the module's"
	! grep -v '^#' tools/vmprobe.modprobe.conf | grep -q .
	ok $? "it sets nothing by itself"
fi

[ "$(. tools/dkms.conf && echo "$PACKAGE_NAME/$PACKAGE_VERSION")" = "vmprobe/$version" ]
ok $? "dkms.conf has the version"

if [ "$(id -u)" != 0 ]; then
	skip "DKMS" "only root can make a system for it"
	done_testing
fi
if ! root=$(tests/vm/fetch-chroot dkms dkms make gcc openssl linux-headers-amd64 2>"$tmp/said"); then
	sed 's/^/# /' "$tmp/said"
	skip "DKMS" "no system for it"
	done_testing
fi

# What goes on inside. Its mounts end with it, and what it writes, too.
cat >"$tmp/inside" <<'END'
set -e
release=$(cd /lib/modules && echo *)
say() { echo "ok $*"; }
made() { find /lib/modules/"$release" -name 'vmprobe.ko*'; }
dkms install "vmprobe/$1" -k "$release" >/tmp/log 2>&1 || { cat /tmp/log /var/lib/dkms/vmprobe/*/build/make.log; exit 1; }
[ -n "$(made)" ] && say "DKMS built and installed the module"
[ "$(modinfo -F vermagic "$(made)" | cut -d ' ' -f 1)" = "$release" ] && say "for the kernel there is"
dkms status | grep -q "^vmprobe/$1, $release,.*: installed" && say "DKMS says so"
grep -q vmprobe "/lib/modules/$release/modules.dep" && say "modprobe knows it"
[ -n "$(modinfo -F signer "$(made)")" ] && [ -s /var/lib/dkms/mok.pub ] && say "signed with the key of this machine"
openssl x509 -inform der -in /var/lib/dkms/mok.pub -noout && say "which can be enrolled"
case $(made) in
*.xz) unxz -c "$(made)" ;;
*) cat "$(made)" ;;
esac >/tmp/by-hand.ko
strip --strip-debug /tmp/by-hand.ko
[ -z "$(modinfo -F signer /tmp/by-hand.ko)" ] && "/lib/modules/$release/build/scripts/sign-file" sha256 \
	/var/lib/dkms/mok.key /var/lib/dkms/mok.pub /tmp/by-hand.ko &&
	[ -n "$(modinfo -F signer /tmp/by-hand.ko)" ] && say "signed by hand as vmprobe(4) has it"
! grep -iE 'warning:' /var/lib/dkms/vmprobe/"$1"/"$release"/*/log/make.log && say "built without a warning"
dkms remove "vmprobe/$1" --all >/tmp/log 2>&1 || { cat /tmp/log; exit 1; }
[ -z "$(made)" ] && [ -z "$(dkms status)" ] && say "removed without a trace"
END
mkdir "$tmp/upper"
run "DKMS's tree is installed" make -C "$tmp/src" DESTDIR="$tmp/dkms" install-dkms
unshare --mount sh -ec '
	mount -t tmpfs tmpfs "$2/upper"
	mkdir "$2/upper/up" "$2/upper/work" "$2/upper/root"
	mount -t overlay -o "lowerdir=$1,upperdir=$2/upper/up,workdir=$2/upper/work" overlay "$2/upper/root"
	root=$2/upper/root
	mount -t proc proc "$root/proc"
	cp -r "$2/dkms/usr/src/." "$root/usr/src/"
	cp "$2/inside" "$root/tmp/inside"
	exec chroot "$root" sh /tmp/inside "$3"' sh "$root" "$tmp" "$version" >"$tmp/said" 2>&1 </dev/null
r=$?
while read -r word what; do
	[ "$word" != ok ] || ok 0 "$what"
done <"$tmp/said"
ok $r "DKMS: to the end"
[ $r = 0 ] || grep -v '^ok ' "$tmp/said" | sed 's/^/# /'
done_testing
