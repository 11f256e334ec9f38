# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034 # used by those who source this
#
# Results of tests that are shell scripts on the host; to be sourced.

nr=0
bad=0

ok() {		# STATUS WHAT
	nr=$((nr + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $nr - $2"
	else
		echo "not ok $nr - $2"
		bad=1
	fi
}

skip() {	# WHAT WHY
	nr=$((nr + 1))
	echo "ok $nr - $1 # SKIP $2"
}
