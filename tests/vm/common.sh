# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2120 # used by those who source this
#
# What the scripts of this directory share; to be sourced.

set -euo pipefail

vm_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top_dir=$(cd "$vm_dir/../.." && pwd)
build_dir=$top_dir/build
cache_dir=${VMPROBE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/vmprobe}
default_kernel=${VMPROBE_DEFAULT_KERNEL:-6.1-cloud}

# Debian keeps depmod, mke2fs and the like where a user's PATH may not look.
PATH=$PATH:/usr/sbin:/sbin

die()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# say TEXT: one line of progress.
say()
{
	[ "${VMPROBE_QUIET:-0}" = 1 ] || printf '%s\n' "$*" >&2
}

# with_progress TEXT COMMAND...: says what is being done and, on a terminal, for
# how long, so that a slow step is never taken for a hang.  What the command
# prints on either stream is shown behind it, according to the variable "show":
# "failure" (if it fails; when unset), "always", or "never" (for steps that are
# tried again); with VMPROBE_VERBOSE=1 always.
with_progress()
{
	local text=$1 start=$SECONDS log pid status=0
	shift

	log=$(mktemp)
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	if [ -t 2 ] && [ "${VMPROBE_QUIET:-0}" != 1 ]; then
		while kill -0 "$pid" 2>/dev/null; do
			printf '\r%s ... %d s ' "$text" $((SECONDS - start)) >&2
			sleep 0.2
		done
		printf '\r%s ... ' "$text" >&2
		wait "$pid" || status=$?
		if [ $status = 0 ]; then
			printf 'done (%d s)\n' $((SECONDS - start)) >&2
		else
			printf 'failed (%d s)\n' $((SECONDS - start)) >&2
		fi
	else
		say "$text ..."
		wait "$pid" || status=$?
	fi
	case ${show:-failure}:$status:${VMPROBE_VERBOSE:-0} in
	always:* | failure:[1-9]* | *:1) cat "$log" >&2 ;;
	esac
	rm -f "$log"
	return $status
}

# kernel_row NAME: sets k_suite, k_image, k_headers and k_build from the table.
kernel_row()
{
	local name rest

	while read -r name k_suite k_image k_headers k_build rest; do
		[ "$name" = "$1" ] && return 0
	done < <(sed 's/#.*//' "$vm_dir/kernels")
	die "no kernel \"$1\"; known: $(kernel_names | tr '\n' ' ')"
}

# kernel_names [PREFIX]: the names known, or those of one version, or those that
# come as packages ("all").
kernel_names()
{
	sed 's/#.*//' "$vm_dir/kernels" |
	awk -v want="${1-}" '
		NF && (want == "" || $1 == want || index($1, want "-") == 1 ||
		       (want == "all" && $2 != "source")) { print $1 }'
}

# kernel_env NAME: sets k_release, k_vmlinuz, k_boot (what QEMU is to start),
# k_modules and k_kdir of a kernel in the cache; and what it needs to run: k_args,
# k_memory (MB more than others) and k_slow (how many times slower it is).
# Return: 1 if it is not there.
kernel_env()
{
	local dir=$cache_dir/kernels/$1 key value

	[ -f "$dir/env" ] || return 1
	k_args='' k_memory=0 k_slow=1
	while IFS='=' read -r key value; do
		case $key in
		release) k_release=$value ;;
		vmlinuz) k_vmlinuz=$dir/$value k_boot=$dir/$value ;;
		vmlinux) k_boot=$dir/$value ;;
		modules) k_modules=$dir/$value ;;
		kdir) k_kdir=$dir/$value ;;
		args) k_args=$value ;;
		memory) k_memory=$value ;;
		slow) k_slow=$value ;;
		esac
	done <"$dir/env"
	[ -e "$k_boot" ] && [ -d "$k_modules" ] && [ -d "$k_kdir" ]
}

# mirror RELEASE: where this machine's apt finds that release, such as "bookworm";
# a pattern.
mirror()
{
	apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
	awk -v release="^($1)\$" '$1 ~ release { print $2; exit }'
}

# make_root SUITE DIRECTORY SOURCES PACKAGE...: a small system of that suite, which is
# found as the file with lines of sources.list says.
make_root()
{
	local suite=$1 root=$2 sources=$3 acquire status=0
	shift 3

	# How this machine gets at its mirror holds for that system, too.
	acquire=$(mktemp)
	apt-config dump | grep '^Acquire::' >"$acquire"
	mmdebstrap --quiet --variant=minbase --aptopt="$acquire" \
		--include="$(tr ' ' , <<<"$*")" "$suite" "$root" "$sources" || status=$?
	rm -f "$acquire"
	return $status
}

# lock NAME: waits for the lock of that name and holds it until the shell ends.
lock()
{
	mkdir -p "$cache_dir"
	exec {lock_fd}>"$cache_dir/$1.lock"
	if ! flock -n "$lock_fd"; then
		say "waiting for another ${0##*/} ..."
		flock "$lock_fd"
	fi
}
