#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lightpaths per second of planning and checking, and bytes of file per lightpath.  Usage: bench.sh RWA
set -eu
rwa=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

number() { sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" "$2"; }

printf '%8s %12s %10s %10s %14s %12s\n' nodes lightpaths plan_s check_s lightpaths/s bytes/path
for nodes in ${BENCH_NODES:-64 256 1024}; do
    "$rwa" plan --network "ring:$nodes" --scheme optree --format json -q -o "$dir/plan.jsonl" > "$dir/plan.json"
    bytes=$(wc -c < "$dir/plan.jsonl")
    awk -v n="$nodes" -v l="$(number lightpaths "$dir/plan.json")" -v p="$(number plan_seconds "$dir/plan.json")" \
        -v c="$(number check_seconds "$dir/plan.json")" -v b="$bytes" \
        'BEGIN { printf "%8d %12d %10.3f %10.3f %14.0f %12.2f\n", n, l, p, c, l / (p + c + 1e-9), b / l }'
done
