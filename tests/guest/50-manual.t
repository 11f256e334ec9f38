#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=1 mem=160 timeout=120
#
# vmprobe(4) names every parameter, table, column and value of status, and no other.
. /vm/lib.sh

load_vmprobe || bail "cannot load vmprobe"

# names SECTION: what its entries are called, one a line.
names()
{
	awk -v want="$1" '
		/^\.SH / { sub(/^\.SH /, ""); gsub(/"/, ""); inside = $0 == want }
		inside && entry { sub(/^\.B[IR]* /, ""); sub(/=.*/, ""); gsub(/,/, ""); print }
		{ entry = /^\.TP/ }' /vm/vmprobe.4 |
		tr ' ' '\n'
}

# The tables as the page has them: a name and its columns on each line.
counters=$(names COUNTERS | tr '\n' ' ')
awk -v counters="$counters" '
	/^\.SH / { inside = $0 == ".SH TABLES" }
	!inside { next }
	/^\.TP/ { entry = 1; next }
	entry { name = $2; entry = 0; line = 0; next }
	/^\.br/ { line = 1; next }
	line {
		sub(/^\.IR? /, "")
		gsub(/"/, "")
		gsub(/, the counters,?/, " " counters)
		$1 = $1
		print name, $0
		line = 0
	}' /vm/vmprobe.4 | sort >/tmp/page

for file in "$vmprobe_dir"/*; do
	name=${file##*/}
	[ ! -d "$file" ] || continue
	case $(head -n 1 "$file") in
	"# vmprobe 1 $name") echo "$name $(sed -n 2p "$file")" ;;
	*) echo "$name" >>/tmp/switches ;;
	esac
done | sort >/tmp/module

# same WHAT FILE FILE: the same lines in both.
same()
{
	ok "diff $2 $3 >/tmp/diff" "$1"
	[ ! -s /tmp/diff ] || diag "$(cat /tmp/diff)"
}

same "each table with its columns, in their order" /tmp/page /tmp/module
is "$(names TABLES | grep -vxF -e "$(cut -d ' ' -f 1 /tmp/page)" | sort | tr '\n' ' ')" \
	"$(sort /tmp/switches | tr '\n' ' ')" "each switch"
cut -d ' ' -f 2- /tmp/module | tr ' ' '\n' | sort -u >/tmp/columns
{ names COUNTERS; names "OTHER COLUMNS"; } | sort >/tmp/explained
same "each column is explained, once" /tmp/explained /tmp/columns
ls /sys/module/vmprobe/parameters >/tmp/parameters
names PARAMETERS | sort >/tmp/explained
same "each parameter" /tmp/explained /tmp/parameters
sed 1,2d $vmprobe_dir/status | cut -d ' ' -f 1 | sort >/tmp/values
names STATUS | sort >/tmp/explained
same "each value of status" /tmp/explained /tmp/values
unload_vmprobe
done_testing
