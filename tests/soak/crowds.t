#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: cpus=2 mem=512 timeout=3000
#
# More than the quick tests have: ten thousand processes that come and go.
# shellcheck disable=SC2034 # for 24-crowds.t
count=10000
. /vm/24-crowds.t
