#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1,4 mem=192 timeout=300
#
# Levels and events are the kernel's own, name by name.
. /vm/lib.sh

setup_zram_swap 256 && setup_ext4 || bail "cannot set up the guest"
load_vmprobe || bail "cannot load vmprobe"
pressure_anon 180
pressure_file 160
hog -k anon 150 &
hog=$!
wait_for 60 '[ "$(awk "/^Vm(RSS|Swap):/ { s += \$2 } END { print s + 0 }" /proc/$hog/status)" -gt 150000 ]'
dd if=/mnt/lost+found of=/dev/null 2>/dev/null
dd if=/dev/zero of=/mnt/dirty bs=64k count=20 2>/dev/null
cat /vm/hog >/dev/null

# compare: reads what the kernel says before and after the tables. What was the same both
# times must be in the table; what rises must not leave its bounds.
compare()
{
	# The results are in memory, too: they only grow.
	rm -f /tmp/all /tmp/before.zoneinfo /tmp/after.zoneinfo
	echo 1 >/proc/sys/vm/stat_refresh
	grep -E '^Node|pages free|^ +(min|low|high|managed) |^ +nr_' /proc/zoneinfo >/tmp/before.zoneinfo
	cat /proc/meminfo /proc/vmstat $vmprobe_dir/levels $vmprobe_dir/events /proc/vmstat /proc/meminfo >/tmp/all
	grep -E '^Node|pages free|^ +(min|low|high|managed) |^ +nr_' /proc/zoneinfo >/tmp/after.zoneinfo
	awk '
		FNR == 1 { file++ }
		# zoneinfo
		file == 1 || file == 3 {
			which = file == 1 ? "was" : "is"
			if (/^Node/) { node = $2 + 0; split("", zone); next }
			if ($1 == "pages") zone["nr_free_pages"] = $3
			else if ($1 ~ /^(min|low|high|managed)$/) zone[$1] = $2
			# Statistics of a node come once, with its first zone; those of a zone with each.
			else if ($1 != "nr_free_pages") sum[which, node, $1] += $2
			# The last of them. A zone without pages has watermarks, but they mean nothing.
			if ($1 == "managed" && $2) for (name in zone) {
				sum[which, node, name] += zone[name]
				sum[which, "all", name] += zone[name]
			}
			next
		}
		/^# vmprobe/ { table = $4; header = 1; next }
		header { header = 0; next }
		/^MemTotal/ { table = ""; part++ }
		/^nr_free_pages/ && table == "events" { table = "" }
		part && $1 == "SwapFree:" { sum[part == 1 ? "was" : "is", "all", "swap_free"] = $2 / 4; next }
		/:/ { next }
		table == "levels" && NF == 3 { got["levels " $1 " " $2] = $3; next }
		table == "events" && NF == 2 && !($1 in event) { event[$1] = $2; next }
		NF == 2 { if ($1 in vm) later[$1] = $2; else vm[$1] = $2 }
		END {
			for (name in event) {
				if (!(name in vm)) {
					if (event[name] != "-") print "# not in vmstat: " name; else absent++
					continue
				}
				if (event[name] == "-") { print "# missing: " name; bad++ }
				if (event[name] + 0 < vm[name] + 0 || event[name] + 0 > later[name] + 0) {
					print "# " name ": " vm[name] " " event[name] " " later[name]; bad++
				}
				if (vm[name] == later[name]) equal++
				checked++
			}
			for (key in got) {
				split(key, k, " ")
				node = k[2]; name = k[3]
				source = name; scale = 1
				if (name == "kernel_stack") { source = "nr_kernel_stack"; scale = 4 }
				if (node == "all" && source in vm) { was = vm[source]; is = later[source] }
				else if (("was", node, source) in sum) { was = sum["was", node, source]; is = sum["is", node, source] }
				else { if (got[key] != "-") { print "# no source: " key " " got[key] } else none++; continue }
				if (was != is) { moved++; continue }
				levels++
				if (got[key] == "-" || got[key] * scale != was) { print "# " key ": " was " " got[key] * scale; bad++ }
			}
			print "events", checked + 0, equal + 0, "levels", levels + 0, moved + 0, "bad", bad + 0, "absent", absent + 0, none + 0
		}' /tmp/before.zoneinfo /tmp/all /tmp/after.zoneinfo
}

# A counter that moved and came back between two readings differs, but not time and again;
# nor does the system move for long.
for attempt in 1 2 3 4 5; do
	compare >/tmp/result
	read -r _ events equal _ levels moved _ bad _ <<END
$(tail -n 1 /tmp/result)
END
	[ "$bad" != 0 ] || [ "$levels" -le $((2 * moved)) ] || break
	sleep 1
done
diag "$(cat /tmp/result)" "attempt $attempt"
is "$(grep -c '^# not in' /tmp/result)" 0 "every event is one of /proc/vmstat"
is "$bad" 0 "levels and events are what the kernel says"
cmp_ok "$events" '>=' 50 "events that were compared"
cmp_ok "$equal" '>=' 40 "most of them were at rest"
cmp_ok "$levels" '>=' 30 "levels that were compared"
cmp_ok "$levels" '>' $((2 * moved)) "most of them were at rest, too"
is "$(field levels pages node=0 level=swap_free)" - "swap belongs to no node"
is "$(field levels pages node=all level=nr_slab_reclaimable)" \
	"$(field levels pages node=0 level=nr_slab_reclaimable)" "one node is all there is"
cmp_ok "$(field events count event=pgsteal_anon)" '>' 10000 "events go on"
kill $hog
wait $hog 2>/dev/null
unload_vmprobe
done_testing
