#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: icount=1 mem=128 timeout=600
#
# The function graph tracer on the same functions in the same run counts the same
# calls and measures the same times. Instructions are counted, so that neither pays
# for what else the host does.
. /vm/lib.sh
. /vm/invariants.sh

tracing=/sys/kernel/tracing
grep -qw function_graph $tracing/available_tracers || plan skip "no function graph tracer"
setup_zram_swap 256 || bail "cannot set up the guest"
load_vmprobe || bail "cannot load vmprobe"

echo 8192 >$tracing/buffer_size_kb
functions="try_to_free_pages balance_pgdat do_try_to_free_pages shrink_node shrink_lruvec shrink_folio_list shrink_slab"
echo "$functions" >$tracing/set_ftrace_filter
echo function_graph >$tracing/current_tracer
echo 1 >$tracing/options/funcgraph-tail
echo >$tracing/trace
echo 1 >$vmprobe_dir/reset
pressure_anon 80
quiet
echo 0 >$tracing/tracing_on
cat $tracing/trace >/tmp/trace
is "$(awk '/overrun|dropped/ { s += $NF } END { print s }' $tracing/per_cpu/cpu0/stats)" 0 \
	"no event was lost"

seen=0 timed=0
# Leaf calls end in "f();", others in "}" with the name behind it.
for f in $functions; do
	row=$(awk -v f="$f" '
		# DURATION us | [spaces] f(); or } /* f */
		$0 ~ "[ |]" f "\\(\\);" || $0 ~ "/\\* " f "( \\[[a-z_]*\\])? \\*/" {
			n++
			if (match($0, /[0-9.]+ us/)) t += substr($0, RSTART, RLENGTH - 3) }
		END { printf "%d %.0f\n", n, t * 1000 }' /tmp/trace)
	calls=$(($(sum totals calls symbol=$f) + $(sum probes nested symbol=$f)))
	is "$calls" "${row% *}" "$f: calls"
	raw=$(($(sum totals total_ns symbol=$f) + $(sum totals probe_ns symbol=$f)))
	diag "$f: $calls calls, raw $raw, graph ${row#* }"
	if [ "$calls" -gt 0 ] && [ $((raw / calls)) -gt 100000 ]; then
		within "$raw" "${row#* }" 10 "$f: time"
		timed=$((timed + 1))
	fi
	seen=$((seen + (calls > 0)))
done
cmp_ok "$seen" '>=' 4 "several functions were called"
cmp_ok "$timed" '>=' 1 "some took long enough to compare"
echo nop >$tracing/current_tracer
unload_vmprobe
done_testing
