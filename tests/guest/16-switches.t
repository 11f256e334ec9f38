#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1 mem=160 timeout=600
#
# Bad input is refused and changes nothing; files are for root alone.
. /vm/lib.sh

clean()
{
	[ ! -e $vmprobe_dir ] && ! grep -q vmprobe /proc/modules &&
		! grep -q -E 'shrink_|try_to_free|balance_pgdat' /sys/kernel/debug/kprobes/list
}

long=$(awk 'BEGIN { for (i = 0; i < 200; i++) printf "x" }')
huge=$(awk 'BEGIN { for (i = 0; i < 10000; i++) printf "+shrink_slab," }')
# refuse PARAMETER=VALUE: the load fails, the log names the parameter.
refuse()
{
	dmesg -c >/dev/null
	if load_vmprobe "$1" 2>/dev/null; then
		fail "refused: $1"
		unload_vmprobe
		return
	fi
	ok "clean && dmesg | grep -q -E '${1%%=*}'" "refused, with a word and without a trace: $1"
}
for value in 0 -1 15 65537 99999999999 nonsense 1x ''; do
	refuse "max_tasks=$value"
	refuse "max_callers=$value"
done
for value in 0 -5 65537 99999999999 nonsense ''; do
	refuse "maxactive=$value"
done
for value in 0 257 -1 x; do
	refuse "slowest=$value"
done
refuse "stacks=maybe"
for value in nosuch "$long" shrink_zone,nosuch -nosuch + - "," "shrink_zone," "shrink_zone,,shrink_cache" "shrink zone"; do
	refuse "functions=$value"
done
for value in nonsense nr_reclaimed@72 nr_reclaimed@x:u64 nr_reclaimed@72:u63 nosuch@0:u64 \
	"nr_reclaimed@72:u64," shrink_node# shrink_node#6 shrink_node#-1 nr_reclaimed@99999:u64 \
	nr_reclaimed@72:u64,nr_reclaimed@72:u64 "$long"; do
	refuse "layout=$value"
done

load_vmprobe || bail "a plain load works"
is "$(stat -c %a $vmprobe_dir)" 700 "the directory is for root alone"
for file in "$vmprobe_dir"/*; do
	case ${file##*/} in
	enabled | reset | calibrate | available_functions | stacks) want=600 ;;
	*) want=400 ;;
	esac
	is "$(stat -c %a "$file")" $want "mode of ${file##*/}"
done

# wrong FILE VALUE: the write fails with EINVAL, and the tables say the same.
wrong()
{
	local before after message
	before=$(table probes; table available_functions; table enabled; status stacks)
	printf '%b' "$2" >/tmp/input
	message=$(dd if=/tmp/input of="$vmprobe_dir/$1" bs=200000 conv=notrunc 2>&1)
	after=$(table probes; table available_functions; table enabled; status stacks)
	like "$message" 'Invalid argument' "$1 refuses '$(printf '%.30s' "$2")'"
	is "$after" "$before" "and is as before"
}
for file in enabled reset calibrate stacks; do
	for value in '\n' 2 -1 01 '1 ' on + '\0377\0376' '1\n1' '\0001' '1\0000' "$long" "$huge" 99999999999999999999; do
		wrong $file "$value"
	done
done
wrong reset 0
wrong calibrate 0
for value in '\n' "$huge" '\0377\0376' 1 + - +nosuch -nosuch shrink_zone '+shrink_zone x' '++shrink_zone' "+$long" '+shrink_node.cold' '+\0001' '+schedule'; do
	wrong available_functions "$value"
done

# Switching for real.
is "$(field probes state probe=shrink_slab)" on "a default probe is on"
echo -shrink_slab >$vmprobe_dir/available_functions
is "$(field probes state probe=shrink_slab)" off "switched off"
echo +shrink_slab >$vmprobe_dir/available_functions
is "$(field probes state probe=shrink_slab)" on "switched on"
setup_zram_swap 256
# What either LRU calls, under the names of old and new kernels.
candidates="isolate_lru_folios isolate_lru_pages prepare_scan_count get_scan_count"
[ "$(status lru)" != mglru ] || candidates="isolate_folios scan_folios $candidates"
for function in $candidates; do
	echo +$function 2>/dev/null >$vmprobe_dir/available_functions && break
done
is "$(field available_functions state function=$function)" on "$function is switched on by its name"
pressure_anon 150
cmp_ok "$(sum totals calls probe=$function)" '>' 10 "and is called"
echo 0 >$vmprobe_dir/enabled
before=$(sum totals calls)
pressure_anon 120
is "$(sum totals calls)" "$before" "with recording off, nothing is added"
echo 1 >$vmprobe_dir/enabled
echo 1 >$vmprobe_dir/reset
echo 1 >$vmprobe_dir/calibrate
cmp_ok "$(status overhead_pair_ns)" '>' 0 "calibration gives a cost"

# No address in any file, whatever the kernel would show.
echo 1 >$vmprobe_dir/stacks
pressure_anon 120
cmp_ok "$(table stacks | wc -l)" '>' 3 "there are stacks"
for restrict in 0 1 2; do
	echo $restrict >/proc/sys/kernel/kptr_restrict
	is "$(cat $vmprobe_dir/* | grep -c -i -E 'ffff[0-9a-f]{12}|0x[0-9a-f]{9}')" 0 \
		"no kernel address with kptr_restrict $restrict"
done

# An ordinary user gets nothing.
echo 'nobody:x:65534:65534::/:/bin/sh' >>/etc/passwd
chmod 755 / /sys/kernel/debug 2>/dev/null
is "$(su -s /bin/sh nobody -c 'id -u')" 65534 "there is an ordinary user"
is "$(su -s /bin/sh nobody -c "cat $vmprobe_dir/totals $vmprobe_dir/status; ls $vmprobe_dir" 2>/dev/null | wc -c)" 0 \
	"an ordinary user reads nothing"

# An open table pins the module.
exec 5<$vmprobe_dir/totals
ok "! rmmod vmprobe 2>/dev/null" "rmmod fails while a table is open"
exec 5<&-
ok "rmmod vmprobe" "and works once it is closed"
ok clean "nothing is left"
done_testing
