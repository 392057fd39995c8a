#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tables for docs/reference/comparison.md from `rwa reproduce PAPER --item comparison --format csv`.
# Usage: comparison.sh FILE.csv...
# A line for each number of nodes and wavelengths: how many times as long as auto's plan what is published takes.  Fails
# when some published scheme's schedule takes less time; what a formula promises need not be possible.
slower=0
for file; do
    awk -F'"' '
    NR == 1 { next }
    {
        row = $6; message = $8; chosen = $12
        split($11, figure, ",")     # x, printed, formula, schedule, between commas
        sub(/.*auto: /, "", chosen)
        if (!(row in schedule)) { rows[++count] = row; schedule[row] = figure[5] + 0; formula[row] = figure[4] + 0 }
        if (figure[5] + 0 < schedule[row]) schedule[row] = figure[5] + 0
        if (figure[4] + 0 < formula[row]) formula[row] = figure[4] + 0
        ratio[row, message] = sprintf("%.2f", figure[5])
        if (chosen != last[row]) path[row] = path[row] (last[row] ? ", " : "") chosen " from " message
        last[row] = chosen
    }
    END {
        print "| setting | 32 kB | 1024 kB | 16 MB | 256 MB | 4096 MB | least | least, by formula | auto takes |"
        print "|---|--:|--:|--:|--:|--:|--:|--:|---|"
        for (i = 1; i <= count; i++) {
            r = rows[i]
            printf "| %s | %s | %s | %s | %s | %s | %.2f | %.2f | %s |\n", r, ratio[r, "32 kB"], ratio[r, "1024 kB"],
                ratio[r, "16 MB"], ratio[r, "256 MB"], ratio[r, "4096 MB"], schedule[r], formula[r], path[r]
        }
        print ""
        for (i = 1; i <= count; i++)
            if (schedule[rows[i]] < 1 - 1e-9) {
                print "auto is slower than a published schedule at " rows[i] > "/dev/stderr"
                slower = 1
            }
        exit slower
    }' "$file" || slower=1
done
exit $slower
