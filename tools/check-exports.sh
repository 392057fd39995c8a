#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The library exports exactly tests/exports.txt.  Usage: check-exports.sh SO
set -eu
LC_ALL=C
export LC_ALL
list=$(mktemp)
trap 'rm -f "$list"' EXIT
# Sanitizers and linkers add names of their own, which begin with an underscore.
nm -D --defined-only "$1" | awk '{ print $3 }' | grep -v '^_' | sort > "$list"
diff -u tests/exports.txt "$list" && echo "exports ok"
