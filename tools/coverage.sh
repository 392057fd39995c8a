#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lines and branches of lib/ and solvers/ that the tests reached: a line for each file, least covered first, and the
# sums by module.
# With FILE..., the lines of these that were not reached instead.  Usage: coverage.sh BUILD [FILE...]
set -eu
build=$1
shift

for file in "$@"; do
    gcov -b -t -o "$build/${file%.c}.gcda" "$file" 2> /dev/null |
        awk -v file="$file" '/^ *[0-9#=-]+\*?: *[0-9]+:/ { line = $0 } /#####:/ { print file ":" $0; next }
            /branch.*(never|taken 0%)/ { if (line != shown && line !~ /#####/) print file ": in part:" line
                shown = line }'
done
[ $# -eq 0 ] || exit 0

find lib solvers -name '*.c' | sort | while IFS= read -r file; do
    if [ -f "$build/${file%.c}.gcda" ]; then
        gcov -n -b -o "$build/${file%.c}.gcda" "$file" 2> /dev/null | awk -v file="$file" '
            $0 == "File '\''" file "'\''" { mine = 1; next }
            /^File/ { mine = 0 }
            mine && /^Lines executed/ { split($0, p, /[:% ]+/); lines = p[5]; hit = p[3] * p[5] / 100 }
            mine && /^Taken at least once/ { split($0, p, /[:% ]+/); branches = p[7]; taken = p[5] * p[7] / 100 }
            END { printf "%s %d %d %d %d\n", file, hit + 0.5, lines, taken + 0.5, branches }'
    else
        echo "$file 0 $(grep -c ';$' "$file") 0 0"
    fi
done | awk '
    function share(a, b) { return b ? 100 * a / b : 100 }
    function show(hit, lines, taken, branches, what, order) {
        printf "%6.1f %% of %5d lines  %6.1f %% of %5d branches  %s\n", share(hit, lines), lines,
            share(taken, branches), branches, what | order
    }
    {
        show($2, $3, $4, $5, $1, "sort -n")
        module = $1; sub(/\/[^\/]*$/, "", module)
        for (i = 2; i <= 5; i++) { sum[module, i] += $i; all[i] += $i }
        seen[module] = 1
    }
    END {
        close("sort -n")
        print ""
        fflush()
        for (module in seen)
            show(sum[module, 2], sum[module, 3], sum[module, 4], sum[module, 5], module, "sort -k 12")
        show(all[2], all[3], all[4], all[5], "together", "sort -k 12")
    }'
