#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1,4 mem=160 timeout=900
#
# Under each kind of pressure the tables agree with one another, and the pages
# freed with the kernel's own counters, to the page.
. /vm/lib.sh
. /vm/invariants.sh

setup_zram_swap 256 && setup_ext4 || bail "cannot set up the guest"

# claimed_outside: what outermost reclaim claims.
claimed_outside()
{
	local claimed=0 probe

	for probe in try_to_free_pages balance_pgdat try_to_free_mem_cgroup_pages; do
		claimed=$((claimed + $(sum tree freed_pages parent=- probe=$probe)))
	done
	echo $claimed
}

# press LABEL COMMAND...: from a fresh load to quiet.
press()
{
	local label="$1" before stolen claimed freed slab
	shift

	load_vmprobe || bail "cannot load vmprobe"
	before=$(vmstat_get pgsteal_anon pgsteal_file)
	echo 1 >$vmprobe_dir/reset
	"$@"
	quiet
	stolen=$(($(vmstat_get pgsteal_anon pgsteal_file) - before))
	check_invariants "$label"
	freed=$(freed_inside)
	cmp_ok "$freed" '>' 1000 "$label: pages were freed"
	is "$freed" "$stolen" "$label: pages freed are pages stolen"
	claimed=$(claimed_outside)
	slab=$(($(sum totals freed_pages probe=shrink_slab) + $(sum probes slab_pages)))
	credits=$(sum probes credited_pages)
	diag "$label: freed $freed, claimed outside $claimed, by slab $slab, credits $credits, missed $(sum probes missed), backwards $(sum probes backwards)"
	# What the outermost functions claim beyond that is explained to the page.
	is "$((claimed - freed))" "$((slab + credits))" "$label: claims are pages, slab and credits"
	unload_vmprobe
}

many_files()
{
	mkdir -p /mnt/many && (cd /mnt/many && for d in 1 2 3 4 5 6; do
		mkdir -p $d && for i in $(seq 1 400); do : >$d/$i; done; done)
	sync
	pressure_file 128
}

press anon pressure_anon 180
press file pressure_file 200
press memcg pressure_memcg 24 48
press slab many_files

# The multi-generational LRU, where there is one.
if echo y >/sys/kernel/mm/lru_gen/enabled 2>/dev/null; then
	press "mglru anon" pressure_anon 180
	press "mglru file" pressure_file 160
	press "mglru memcg" pressure_memcg 24 48 again
else
	skip 3 "this kernel has no multi-generational LRU"
fi
done_testing
