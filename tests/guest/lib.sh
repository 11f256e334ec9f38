# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash disable=SC3043 # busybox has "local"
#
# What the tests of this directory share; each begins with ". /vm/lib.sh".
# They run in a guest, in busybox's shell, and print TAP.
#
# A table is named as its file is ("totals"); a place in it is a column's name
# and any number of key=value pairs, which rows must have to count.

vmprobe_dir=/sys/kernel/debug/vmprobe
cgroup_dir=/sys/fs/cgroup
tests_run=0
tests_failed=0
tests_planned=

# --- results ---------------------------------------------------------------

# plan N: how many tests will be run.  plan skip REASON ends the script.
plan()
{
	if [ "$1" = skip ]; then
		shift
		echo "1..0 # SKIP $*"
		exit 0
	fi
	tests_planned=$1
	echo "1..$1"
}

# done_testing: the plan of those who did not make one; the end of the script.
done_testing()
{
	[ -n "$tests_planned" ] || echo "1..$tests_run"
	exit 0
}

diag()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

# say TEXT: what is being done now, for whoever waits.
say()
{
	echo "# vm: say $*"
}

# expect_dmesg REGEX: the kernel will say this (extended regular expression),
# which would else be a failure; that it does not is one.
expect_dmesg()
{
	echo "# vm: expect $1"
}

# skip N REASON: N tests that cannot be run here.
skip()
{
	local n="$1"
	shift
	while [ "$n" -gt 0 ]; do
		tests_run=$((tests_run + 1))
		echo "ok $tests_run # SKIP $*"
		n=$((n - 1))
	done
}

# bail REASON: ends the script as failed.
bail()
{
	echo "Bail out! $*"
	exit 1
}

pass()
{
	tests_run=$((tests_run + 1))
	echo "ok $tests_run - $*"
}

fail()
{
	tests_run=$((tests_run + 1))
	tests_failed=$((tests_failed + 1))
	echo "not ok $tests_run - $*"
	return 1
}

# ok CONDITION DESCRIPTION: CONDITION is a shell command, run by eval.
ok()
{
	if eval "$1"; then
		pass "$2"
	else
		fail "$2"
		diag "not true: $1"
		return 1
	fi
}

# is GOT WANT DESCRIPTION: equal as text, so exact for numbers of any size.
is()
{
	if [ "x$1" = "x$2" ]; then
		pass "$3"
	else
		fail "$3"
		diag "got:  $1"
		diag "want: $2"
		return 1
	fi
}

# like TEXT REGEX DESCRIPTION
like()
{
	if printf '%s\n' "$1" | grep -q -E -e "$2"; then
		pass "$3"
	else
		fail "$3"
		diag "got:          $1"
		diag "to match:     $2"
		return 1
	fi
}

is_integer()
{
	case ${1#-} in
	'' | *[!0-9]*) return 1 ;;
	esac
}

# cmp_ok A OPERATOR B DESCRIPTION: of integers up to 2^63; operators as in C.
cmp_ok()
{
	local op

	case $2 in
	==) op=-eq ;; !=) op=-ne ;; '<') op=-lt ;; '<=') op=-le ;; '>') op=-gt ;; '>=') op=-ge ;;
	*) bail "cmp_ok: no operator $2" ;;
	esac
	if is_integer "$1" && is_integer "$3" && test "$1" "$op" "$3"; then
		pass "$4"
	else
		fail "$4"
		diag "not true: $1 $2 $3"
		return 1
	fi
}

# within GOT WANT PERCENT DESCRIPTION: GOT differs from WANT by at most so much.
within()
{
	if is_integer "$1" && is_integer "$2" &&
	   awk "BEGIN { d = $1 - $2; w = $2; if (d < 0) d = -d; if (w < 0) w = -w; exit !(d * 100 <= w * $3) }"; then
		pass "$4"
	else
		fail "$4"
		diag "$1 is not within $3 % of $2"
		return 1
	fi
}

# --- the module and its tables -----------------------------------------------

# load_vmprobe [PARAMETER=VALUE...]
load_vmprobe()
{
	insmod /vm/vmprobe.ko "$@"
}

unload_vmprobe()
{
	rmmod vmprobe
}

# load_fixture [PARAMETER=VALUE...]: a module with functions that tests call.
load_fixture()
{
	insmod /vm/vmprobe_fixture.ko "$@"
}

unload_fixture()
{
	rmmod vmprobe_fixture
}

# table NAME: prints it.
table()
{
	cat "$vmprobe_dir/$1"
}

# table_awk PROGRAM TABLE COLUMN [KEY=VALUE...]: runs an awk program for each
# row that has these keys, with the column's value in v.
table_awk()
{
	local program="$1" name="$2" column="$3"
	shift 3
	{ echo "$column"; for key in "$@"; do printf '%s\n' "$key"; done; echo; table "$name"; } | awk '
		!body && !want { want = $0; next }
		!body && NF == 0 { body = 1; next }
		# Values may hold "=" and, escaped, backslashes: no -v, no split().
		!body { eq = index($0, "="); key[++keys] = substr($0, 1, eq - 1)
			val[keys] = substr($0, eq + 1); next }
		/^#/ && !header { next }
		!header { header = 1
			for (i = 1; i <= NF; i++) at[$i] = i
			key[0] = want
			for (k = 0; k <= keys; k++)
				if (!(key[k] in at)) {
					print "no column " key[k] " in '"$name"'" >"/dev/stderr"
					print "no-column"
					bad = 1
					exit 1
				}
			next }
		{ for (k = 1; k <= keys; k++)
			if (($at[key[k]] "") != (val[k] "")) next
		  v = $at[want]
		  rows++ }
		'"$program"
}

# sum TABLE COLUMN [KEY=VALUE...]: the sum over the rows that have a value; "-"
# if none of them has; 0 if there is no such row.  Exact up to 2^53.
sum()
{
	# shellcheck disable=SC2016 # for awk
	table_awk '
		v == "-" { absent++; next }
		{ s += v }
		END { if (!bad) { if (rows && rows == absent) print "-"; else printf "%.0f\n", s } }' "$@"
}

# field TABLE COLUMN [KEY=VALUE...]: the values of that column, one a line.
field()
{
	# shellcheck disable=SC2016 # for awk
	table_awk '{ print v }' "$@"
}

# rows TABLE COLUMN [KEY=VALUE...]: how many rows have these keys.
rows()
{
	table_awk 'END { if (!bad) print rows + 0 }' "$@"
}

# absent TABLE COLUMN [KEY=VALUE...]: how many of them have no value.
absent()
{
	# shellcheck disable=SC2016 # for awk
	table_awk 'v == "-" { absent++ } END { if (!bad) print absent + 0 }' "$@"
}

# status NAME: a value of the table of that name.
status()
{
	table status | awk -v name="$1" '$1 == name { $1 = ""; sub(/^ /, ""); print }'
}

# --- what the kernel says ------------------------------------------------------

# vmstat_get NAME...: the sum of these counters of /proc/vmstat, up to date.
vmstat_get()
{
	echo 1 >/proc/sys/vm/stat_refresh
	awk -v names="$*" '
		BEGIN { n = split(names, list, " "); for (i = 1; i <= n; i++) want[list[i]] = 1 }
		$1 in want { s += $2; found++ }
		END { if (found == n) printf "%.0f\n", s; else print "-" }' /proc/vmstat
}

# cgroup_id DIR: what a cgroup is called in the tables.
cgroup_id()
{
	stat -c %i "$1"
}

# wait_for SECONDS COMMAND: until the command, run by eval, is true.
wait_for()
{
	local tries=$(($1 * 10))

	until eval "$2"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		usleep 100000
	done
}

# --- setting up -----------------------------------------------------------------

# setup_zram_swap MB [ALGORITHM]
setup_zram_swap()
{
	modprobe zram
	[ -z "${2-}" ] || echo "$2" >/sys/block/zram0/comp_algorithm || return
	echo "$1"M >/sys/block/zram0/disksize &&
	mkswap /dev/zram0 >/dev/null &&
	swapon /dev/zram0
}

# setup_ext4 [DIR]: mounts the scratch disk, empty at boot, at /mnt.
setup_ext4()
{
	modprobe ext4 2>/dev/null
	mount -t ext4 -o noinit_itable /dev/vda "${1:-/mnt}"
}

# --- pressure ---------------------------------------------------------------------

# pressure_anon MB [HOG OPTION...]: anonymous memory, walked twice.
pressure_anon()
{
	local mb="$1"
	shift
	hog -l 2 "$@" anon "$mb"
}

# pressure_file MB [HOG OPTION...]: page cache, dirty at first; wants setup_ext4.
pressure_file()
{
	local mb="$1"
	shift
	hog "$@" write /mnt/pressure "$mb"
	for file in /mnt/pressure*; do
		hog read "$file"
	done
	rm -f /mnt/pressure*
}

# pressure_memcg LIMIT_MB SIZE_MB [NAME]: anonymous memory beyond the limit of a
# cgroup, which stays (its name is "pressure" unless given).
pressure_memcg()
{
	local dir="$cgroup_dir/${3:-pressure}"

	mkdir -p "$dir" && echo "${1}M" >"$dir/memory.max" || return
	hog -g "$dir" -l 2 anon "$2"
}
