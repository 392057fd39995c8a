#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Table for docs/reference/comparison.md: all-reduce on 1024 nodes and 64 wavelengths in the cost models paper and
# overlap, beside published schemes.  Usage: comparison-models.sh RWA
set -eu
rwa=$1
echo "| message | model | auto | WRHT | ring | OpTree | compose | lower bound | auto takes |"
echo "|---|---|--:|--:|--:|--:|--:|--:|---|"
for message in 4kB 1MB 552MB; do
    for model in paper overlap; do
        alpha=
        [ "$model" = paper ] || alpha="--alpha 1us"
        # shellcheck disable=SC2086
        "$rwa" compare --network ring:1024 --wavelengths 64 --collective all-reduce --message "$message" \
            --cost "$model" $alpha --scheme auto,wrht,ring,optree,compose --objective time --format csv |
        awk -F, -v message="$message" -v model="$model" '
        function text(s) { return s == "" ? "-" : s < 1e-3 ? sprintf("%.1f us", s * 1e6) : sprintf("%.2f ms", s * 1e3) }
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        {
            line = $0
            gsub(/"[^"]*"/, "", line)   # a reason may have commas
            split(line, cell, ",")
            row++
            seconds = cell[column[model "_seconds"]]
            cells = cells " " text(seconds) " |"
            if (row == 1) { bound = cell[column["time_bound_seconds"]]
                scheme = cell[column["scheme"]]; steps = cell[column["steps"]] }
        }
        END { printf "| %s | %s |%s %s | %s, %s steps |\n", message, model, cells, text(bound), scheme, steps }'
    done
done
