#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lines and branches of lib/ and solvers/ that the tests reached: a line for each file, least covered first, and the
# sums by room.
# With FILE..., the lines of these that were not reached instead.  Usage: coverage.sh BUILD [FILE...]
set -eu
build=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# -gt 0 ]; then
    here=$(pwd)
    for file in "$@"; do
        (cd "$work" && gcov -b -s "$here" -o "$here/$build/$file.gcda" "$here/$file" > /dev/null 2>&1
         awk -v file="$file" '/^ *[0-9#=-]+\*?: *[0-9]+:/ { line = $0 } /#####:/ { print file ":" $0; next }
             /branch.*(never|taken 0%)/ { if (line != shown && line !~ /#####/) print file ": in part:" line
                 shown = line }' ./*.gcov
         rm -f ./*.gcov)
    done
    exit 0
fi

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
done > "$work/files"

show='function share(a, b) { return b ? 100 * a / b : 100 }
    function show(hit, lines, taken, branches, what) { printf "%6.1f %% of %5d lines  %6.1f %% of %5d branches  %s\n",
        share(hit, lines), lines, share(taken, branches), branches, what }'
awk "$show"' { show($2, $3, $4, $5, $1) }' "$work/files" | sort -n
echo
awk "$show"' {
        room = $1; sub(/\/[^\/]*$/, "", room)
        for (i = 2; i <= 5; i++) { sum[room, i] += $i; all[i] += $i }
        seen[room] = 1
    }
    END {
        for (room in seen) show(sum[room, 2], sum[room, 3], sum[room, 4], sum[room, 5], room)
        show(all[2], all[3], all[4], all[5], "together")
    }' "$work/files" | sort -k 12
