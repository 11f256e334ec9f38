#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fuzz.t [TARGET...]: feeds what a fuzzer (libFuzzer, of clang) invents to the
# readers of what others wrote, each for FUZZ_SECONDS (20):
#
#   btf     the module's reader of the kernel's BTF, and what follows from it
#   param   the module's parameter layout=
#   table   the reader's tables, and its list of mounts
#
# Anything that a sanitizer finds, a leak, an input that takes too long, or an
# expectation of fuzz_TARGET.c that does not hold is a failure; so is a fuzzer
# that does not get far. It is built in FUZZ_DIR (build/unit); in fuzz/TARGET there are
#
#   seeds   to begin with: made here, out of the kernels that are at hand
#   corpus  what led further; the next run goes on from there
#   found   what failed; tried first by the next run, until it is deleted
#   log     what the fuzzer said

cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/unit/tap.sh
. tests/unit/tap.sh
# shellcheck source=tests/unit/kernels.sh
. tests/unit/kernels.sh

seconds=${FUZZ_SECONDS:-20}
# Make takes a relative name for relative to the makefile.
bin=$(realpath -m "${FUZZ_DIR:-build/unit}")
dir=$bin/fuzz
pid=

command -v "${FUZZ_CC:-clang}" >/dev/null || { echo "1..0 # SKIP no clang"; exit; }
build() {	# WORD...
	make -s -C tests/unit "$@" >>"$tmp/make" 2>&1
}
if ! build O="$bin" fuzzers "$bin/btf_show" "$bin/btf_cut" "$bin/btf_seed" ||
		! build O="$dir/plain" FUZZ_SANITIZE= fuzzers; then
	sed 's/^/# /' "$tmp/make"
	echo "Bail out! the fuzzers do not build (Debian has them in clang and libclang-rt-14-dev)"
	exit 1
fi

# Functions that are of interest even if they take no scan_control.
others="try_to_free_mem_cgroup_pages balance_pgdat try_to_free_pages shrink_slab"

# add_kernel NAME BTF: seeds out of a kernel; what is cut down means the same.
add_kernel() {
	# shellcheck disable=SC2086 # a list of words
	"$bin/btf_cut" "$2" "$tmp/cut" && "$bin/btf_cut" "$2" "$tmp/first" 100 &&
		"$bin/btf_show" "$2" $others | sort >"$tmp/whole" && [ -s "$tmp/whole" ] &&
		"$bin/btf_show" "$tmp/cut" $others >"$tmp/shown" &&
		sort "$tmp/shown" | cmp -s - "$tmp/whole"
	r=$?
	ok $r "btf: $1, cut down"
	[ $r = 0 ] || return
	grep '[@#]' "$tmp/shown" | paste -s -d , | tr -d '\n' >"$dir/param/seeds/$1"
	mv "$tmp/first" "$dir/btf/seeds/$1-first"
	mv "$tmp/cut" "$dir/btf/seeds/$1"
}

seeds_of_kernels() {
	mkdir -p "$dir/btf/seeds" "$dir/param/seeds"
	if [ -r "$running_btf" ]; then
		add_kernel running "$running_btf"
	fi
	cached_kernels >"$tmp/images"
	while read -r image; do
		release=$(release_of "$image")
		# Unpacking a kernel takes a while.
		if [ "$dir/btf/seeds/$release" -nt "$image" ] &&
				[ "$dir/btf/seeds/$release" -nt "$bin/btf_cut" ]; then
			continue
		fi
		if why=$(take_btf "$image" "$tmp/btf"); then
			add_kernel "$release" "$tmp/btf"
		else
			echo "# no seed of $release: $why"
		fi
	done <"$tmp/images"
}

seeds_by_hand() {
	"$bin/btf_seed" >"$dir/btf/seeds/small" || return 1
	printf 'order@56:s8,proactive@40.7:1,shrink_node#1' >"$dir/param/seeds/small"
	# As much as is allowed.
	printf 'order@4095.7:57,priority@0:64,proactive@4095:u64,shrink_node.isra.0#5' \
		>"$dir/param/seeds/large"
	seq -f 'f%g#1' -s , 256 | tr -d '\n' >"$dir/param/seeds/many"
	mkdir -p "$dir/table/seeds"
	for file in tests/golden/tree/* tests/golden/idle/*; do
		name=${file#tests/golden/}
		cp "$file" "$dir/table/seeds/$(echo "$name" | tr / -)" || return 1
	done
	{
		echo '# vmprobe 1 wide'
		seq -s ' ' 128
		seq -s ' ' 128
	} >"$dir/table/seeds/wide"
	printf 'proc /proc proc rw 0 0\ndebugfs /mnt/a\\040b debugfs rw 0 0\n' \
		>"$dir/table/seeds/mounts"
}

# value NAME: a number that the fuzzer printed at its end, or 0.
value() {
	sed -n "s/^stat::$1: *\([0-9]*\)$/\1/p" "$log" | tail -n 1 | grep . || echo 0
}

# fuzz TARGET MAX_LEN PERCENT ACCEPTED: how long inputs are at most; of what is
# tested, how many percent must have been run through; and how many of a thousand
# inputs must have been accepted.
fuzz() {
	at=$dir/$1
	log=$at/log
	mkdir -p "$at/corpus" "$at/found"
	echo "fuzzing $1 for $seconds s, see $log" >&2
	# Twice as long for what was tried before, and still not forever.
	timeout $((2 * seconds + 120)) "$bin/fuzz_$1" -max_total_time="$seconds" -max_len="$2" \
		-timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=256 -reload=0 \
		-print_final_stats=1 -artifact_prefix="$at/found/" \
		"$at/corpus" "$at/found" "$at/seeds" >"$log" 2>&1 &
	pid=$!
	wait $pid
	r=$?
	pid=
	ok $r "$1: no crash, leak or delay"
	if [ $r -ne 0 ]; then
		grep -v '^#[0-9]' "$log" | tail -n 60 | sed 's/^/# /'
		input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
		# One that is found again was not written again.
		echo "# exit status $r; again: $bin/fuzz_$1 ${input:-$at/found/*}"
		return
	fi
	executed=$(value number_of_executed_units)
	accepted=$(value accepted_inputs)
	"$dir/plain/fuzz_$1" -runs=0 -max_len="$2" "$at/corpus" "$at/seeds" >"$tmp/cover" 2>&1
	edges=$(sed -n 's/^INFO: Loaded .* (\([0-9]*\) inline 8-bit counters).*/\1/p' "$tmp/cover")
	covered=$(sed -n 's/^#[0-9]*[[:space:]]*DONE *cov: \([0-9]*\) .*/\1/p' "$tmp/cover")
	percent=$((100 * ${covered:-0} / ${edges:-1}))
	echo "# $1: $executed inputs, $(value average_exec_per_sec) a second, $accepted of them" \
		"accepted; coverage ${covered:-0} of ${edges:-?} edges, $percent %;" \
		"$(value new_units_added) inputs kept"
	[ "$percent" -ge "$3" ]
	ok $? "$1: covers at least $3 %"
	[ "$accepted" -gt 100 ] && [ $((1000 * accepted)) -ge $(($4 * executed)) ]
	ok $? "$1: at least $4 of 1000 inputs get past all checks"
}

trap 'rm -rf "$tmp"; [ -z "$pid" ] || kill $pid' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
seeds_of_kernels
seeds_by_hand
ok $? "seeds"
[ $# -gt 0 ] || set -- btf param table
for target in "$@"; do
	case $target in
	btf) fuzz btf 12288 50 5 ;;
	param) fuzz param 4096 50 5 ;;
	table) fuzz table 8192 50 5 ;;
	*) echo "Bail out! unknown target $target"; exit 1 ;;
	esac
done
echo "1..$nr"
exit $bad
