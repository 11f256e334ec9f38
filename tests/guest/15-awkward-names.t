#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1 mem=128 timeout=600
#
# A name with everything that breaks columns stays one field of one record.
. /vm/lib.sh
. /vm/invariants.sh

setup_zram_swap 256 || bail "cannot set up the guest"
load_vmprobe || bail "cannot load vmprobe"
pressure_anon 96 -C 'a (b) "'\''\n\\\xff\x01%'
pressure_anon 96 -C -
quiet
want='a\040(b)\040"'\''\012\134\377\001%'
cmp_ok "$(table processes | awk -v n="$(table processes | sed -n 2p | wc -w)" 'NR > 2 && NF != n' | wc -l)" \
	== 0 "every record has as many fields as the header"
cmp_ok "$(table processes | grep -c -F " $want")" '>=' 3 "the name is there, escaped, once for each probe"
# A reader of the file undoes it: \\ooo to a byte.
field processes comm | grep -m 1 -F "$want" | sed 's/\\/\\0/g' >/tmp/escaped
printf '%b' "$(cat /tmp/escaped)" >/tmp/decoded
printf 'a (b) "\047\n\\\377\001%%' >/tmp/original
ok "cmp -s /tmp/decoded /tmp/original" "decoded, it is the name"
cmp_ok "$(table processes | grep -c ' \\055$')" '>=' 3 "a name that is - is no missing name"
is "$(vmprobe-read processes | tr -d '\n -~' | wc -c)" 0 "the reader prints nothing but printable characters"
is "$(vmprobe-read | tr -d '\n -~' | wc -c)" 0 "nor in the summary"
ok "vmprobe-read | grep -q -F '(b)'" "the summary has the name"
unload_vmprobe
done_testing
