#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Adds up what run-test.sh left of the named tests: which failed, the processor time of all and of the slowest, and the
# sum.  Exit 1 when one failed or did not end.
# Usage: sum-tests.sh RESULTS NAME ...
results=$1
shift
for name in "$@"; do
    if [ -f "$results/$name.sum" ]; then sed "s|\$| $name|" "$results/$name.sum"; else echo "0 1 0 $name"; fi
done | sort -k 3 -rn | awk '
    { passed += $1; failed += $2; cpu += $3 }
    $2 { print "FAILED: " $4 }
    NR <= 4 { slowest = slowest sprintf("%s%s %.1f s", NR > 1 ? ", " : "", $4, $3) }
    END { printf "CPU time: %.0f s; slowest: %s\n%.0f passed, %.0f failed\n", cpu, slowest, passed, failed
        exit failed > 0 }'
