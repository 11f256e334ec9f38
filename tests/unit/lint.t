#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The static checks, which speak TAP themselves.

exec "$(dirname "$0")/../vm/lint"
