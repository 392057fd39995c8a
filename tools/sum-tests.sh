#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Adds up what run-test.sh left of the named tests; exit 1 when one failed or did not end.
# Usage: sum-tests.sh RESULTS NAME ...
results=$1
shift
for name in "$@"; do
    if [ -f "$results/$name.sum" ]; then sed "s|\$| $name|" "$results/$name.sum"; else echo "0 1 $name"; fi
done | awk '{ passed += $1; failed += $2; if ($2) print "FAILED: " $3 } END { print passed " passed, " failed " failed"; exit failed > 0 }'
