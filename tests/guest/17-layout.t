#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1 mem=160 timeout=600 kernels=6.1
#
# layout= gives what BTF gives; without either, pages are unknown, and that is said.
. /vm/lib.sh
. /vm/invariants.sh

setup_zram_swap 256 || bail "cannot set up the guest"
fields=nr_to_reclaim@0:u64,target_mem_cgroup@16:u64,proactive@40.7:1,order@56:s8,priority@57:s8,nr_scanned@64:u64,nr_reclaimed@72:u64
arguments=do_try_to_free_pages#1,shrink_node#1,shrink_lruvec#1,shrink_folio_list#2,shrink_active_list#2,evict_folios#1

# press PARAMETERS...: loads, presses, and leaves the tables quiet.
press()
{
	load_vmprobe "$@" || return 1
	before=$(vmstat_get pgsteal_anon pgsteal_file)
	echo 1 >$vmprobe_dir/reset
	pressure_anon 150
	quiet
	stolen=$(($(vmstat_get pgsteal_anon pgsteal_file) - before))
}

press || bail "cannot load vmprobe"
is "$(status layout)" btf "the layout is BTF's"
is "$(freed_inside)" $stolen "BTF: pages freed are pages stolen"
unload_vmprobe

press layout=$fields
is "$(status layout)" parameter "the layout is the parameter's"
is "$(freed_inside)" $stolen "layout=: pages freed are pages stolen"
slab=$(($(sum totals freed_pages probe=shrink_slab) + $(sum probes slab_pages)))
is "$(sum totals freed_pages probe=shrink_zone)" $((stolen + slab + $(sum probes credited_pages))) \
	"layout=: claims are pages, slab and credits, as with BTF"
cmp_ok "$(field totals min_priority probe=shrink_zone)" '<=' 12 "layout=: the priority is read"
is "$(sum probes implausible)" 0 "layout=: nothing is implausible"
unload_vmprobe

# A kernel without BTF: as seen by the module.
: >/tmp/empty
mount --bind /tmp/empty /sys/kernel/btf/vmlinux
press || bail "cannot load vmprobe without BTF"
is "$(status btf)" no "without BTF: status says so"
ok "[ \"$(status btf_reason)\" != - ]" "without BTF: and why: $(status btf_reason)"
for column in requested_pages scanned_pages freed_pages min_priority max_order; do
	for name in totals cpus processes callers tree contexts cgroups nodes; do
		is "$(sum $name $column)" - "without BTF: $column is unknown in $name"
	done
done
cmp_ok "$(sum totals calls probe=shrink_zone)" '>' 10 "without BTF: calls are counted"
cmp_ok "$(sum totals total_ns probe=shrink_zone)" '>' 1000 "without BTF: time is measured"
cmp_ok "$(rows processes pid)" '>' 3 "without BTF: processes are known"
cmp_ok "$(sum callers calls probe=try_to_free_pages context=direct)" '>' 10 "without BTF: callers and contexts are known"
unload_vmprobe

press "layout=$fields,$arguments" || bail "cannot load vmprobe with layout="
is "$(status btf)" no "layout= without BTF"
is "$(freed_inside)" $stolen "layout= without BTF: pages freed are pages stolen"
unload_vmprobe
umount /sys/kernel/btf/vmlinux

# Scanned for reclaimed: wrong on purpose.
press layout=nr_to_reclaim@0:u64,order@56:s8,priority@57:s8,nr_scanned@72:u64,nr_reclaimed@64:u64
ok "[ \"$(sum totals freed_pages probe=shrink_zone)\" != $stolen ]" "a wrong layout gives other numbers"
cmp_ok "$(sum totals calls probe=shrink_zone)" '>' 10 "a wrong layout: calls are counted"
unload_vmprobe
done_testing
