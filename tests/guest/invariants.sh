# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
#
# What must hold in all tables when the system is quiet; sourced behind lib.sh.

# quiet: waits until no reclaim goes on, and stops recording.
quiet()
{
	local before now=-

	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		before=$now
		now=$(sum probes entries)
		[ "$now" = "$before" ] && [ "$(sum probes active)" = 0 ] && break
		sleep 1
	done
	echo 0 >$vmprobe_dir/enabled
}

resume()
{
	echo 1 >$vmprobe_dir/enabled
}

# check_invariants LABEL [LEFT OUT]: one test for each invariant, but for those to
# leave out; says which row breaks it.
check_invariants()
{
	for table in totals cpus processes callers tree contexts cgroups nodes histogram probes; do
		table $table
	done | awk -v OFMT=%.0f -v CONVFMT=%.0f '
		function bad(what, text) { broken[what] = broken[what] "; " text }
		function known(v) { return v == "-" ? "-" : v + 0 }
		function add(t, p, c, v) {
			if (v == "-") { dash[t, p, c]++; return }
			got[t, p, c] += v
		}
		/^# vmprobe/ { t = $4; header = 1; next }
		header { header = 0; delete at; for (i = 1; i <= NF; i++) at[$i] = i; next }
		t == "probes" {
			probes++
			if ($(at["symbol"]) == "-") next
			s = $(at["probe"]) "/" $(at["symbol"])
			if ($(at["entries"]) != $(at["calls"]) + $(at["active"]) + $(at["abandoned"]) + $(at["nested"]))
				bad("entries", s " " $0)
			if ($(at["active"]) != 0) bad("active", s)
			if ($(at["missed"]) != 0) bad("missed", s " " $(at["missed"]))
			if ($(at["implausible"]) != 0) bad("implausible", s)
			symcalls[$(at["probe"])] += $(at["calls"])
			next
		}
		t == "histogram" { hist[$(at["probe"])] += $(at["calls"]); next }
		{
			p = $(at["probe"]); seen[p] = 1
			for (i = 1; i <= n; i++) add(t, p, cs[i], $(at[cs[i]]))
			if ($(at["oncpu_ns"]) + $(at["runqueue_ns"]) + $(at["blocked_ns"]) != $(at["total_ns"]))
				bad("split", t " " $0)
			if (t == "tree") children[$(at["parent"])] += $(at["total_ns"])
			if (t == "processes" && $(at["pid"]) != "-") {
				k = $(at["pid"]) ":" $(at["start_ns"])
				self[k] += $(at["self_ns"])
				if (p == "try_to_free_pages" || p == "balance_pgdat" || p == "try_to_free_mem_cgroup_pages")
					outer[k] += $(at["total_ns"])
			}
		}
		BEGIN {
			n = split("calls requested_pages scanned_pages freed_pages total_ns self_ns probe_ns", cs, " ")
			m = split("cpus processes callers tree contexts cgroups nodes", ts, " ")
		}
		END {
			for (p in seen) {
				if (got["totals", p, "calls"]) rows++
				for (i = 1; i <= n; i++) for (j = 1; j <= m; j++) {
					# "-" is not 0: where totals has no value, no row has one.
					# (Looking at an element makes it, so look for it first.)
					if (j == 1) has = ("totals", p, cs[i]) in got
					if (((ts[j], p, cs[i]) in got) != has && got[ts[j], p, "calls"] > 0)
						bad("sums", p " " cs[i] " in " ts[j] ": known, or not, unlike in totals")
					if (got["totals", p, cs[i]] != got[ts[j], p, cs[i]])
						bad("sums", p " " cs[i] " in " ts[j] ": " got[ts[j], p, cs[i]] ", in totals " got["totals", p, cs[i]])
				}
				if (hist[p] + 0 != got["totals", p, "calls"] + 0) bad("histogram", p)
				if (symcalls[p] + 0 != got["totals", p, "calls"] + 0) bad("calls", p)
				if (got["totals", p, "total_ns"] != got["totals", p, "self_ns"] + children[p])
					bad("tree", p ": total " got["totals", p, "total_ns"] ", self " got["totals", p, "self_ns"] ", children " children[p])
			}
			for (k in outer) {
				people++
				if (self[k] != outer[k]) bad("process", k ": self " self[k] ", outermost " outer[k])
			}
			print "reached " (rows + 0) " " (people + 0)
			k = split("sums histogram calls entries active missed implausible tree process split", ws, " ")
			for (i = 1; i <= k; i++) print ws[i] " " (ws[i] in broken ? substr(broken[ws[i]], 3) : "fine")
		}' >/tmp/invariants
	cmp_ok "$(awk '$1 == "reached" { print $2 }' /tmp/invariants)" '>=' 4 "$1: several probes were called"
	cmp_ok "$(awk '$1 == "reached" { print $3 }' /tmp/invariants)" '>=' 1 "$1: by some process"
	while read -r what text; do
		case " reached ${2-} " in
		*" $what "*) continue ;;
		esac
		is "$text" fine "$1: $what"
	done </tmp/invariants
}

# freed_inside: pages that shrink_page_list freed for the kernel's LRU counters.
freed_inside()
{
	echo $(($(sum tree freed_pages parent=shrink_cache probe=shrink_page_list) +
		$(sum tree freed_pages parent=evict_folios probe=shrink_page_list)))
}
