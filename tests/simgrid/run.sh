#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plans timed by SimGrid and by rwa: within 0.1 %.  A plan of which two lightpaths share a channel must take longer.
# Usage: run.sh RWA BUILD; skips where SimGrid (Debian: libsimgrid-dev) is not installed.
set -eu
rwa=$1
build=$2
here=$(dirname "$0")
printf '#include <simgrid/s4u.hpp>\nint main() {}\n' > "$build/simgrid-probe.cpp"
if ! g++ -std=c++17 "$build/simgrid-probe.cpp" -lsimgrid -o "$build/simgrid-probe" 2> "$build/simgrid-probe.log"; then
    echo "SimGrid not found: plans not simulated"
    exit 0
fi
[ "$build/simgrid-judge" -nt "$here/judge.cpp" ] ||
    g++ -std=c++17 -O1 "$here/judge.cpp" -lsimgrid -o "$build/simgrid-judge"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
figure() { tr ',{}' '\n\n\n' < "$work/plan.json" | sed -n "s/^ *\"time_$1_seconds\": *//p" | head -n 1; }
simulate() { "$build/simgrid-judge" "$work/plan.csv" "$1" "$2" "$3" "$4" --log=root.thres:critical 2> "$work/log"; }
compare() {  # name, rwa, simgrid
    if awk -v a="$2" -v b="$3" 'BEGIN { d = (a - b) / a; if (d < 0) d = -d; exit !(a > 0 && d <= 0.001) }'; then
        passed=$((passed + 1))
        awk -v n="$1" -v a="$2" -v b="$3" 'BEGIN { printf "%-58s %12.6g s  %+.4f %%\n", n, a, 100 * (b - a) / a }'
    else
        failed=$((failed + 1))
        echo "FAILED: $1: rwa says $2 s, SimGrid $3 s: $(head -n 1 "$work/log")"
    fi
}
# network wavelengths collective scheme message alpha reconfig
while read -r network w collective scheme message alpha reconfig; do
    [ -n "$network" ] || continue
    "$rwa" plan --network "$network" -w "$w" --collective "$collective" --scheme "$scheme" --message "$message" \
        --alpha "$alpha"us \
        --reconfig "$reconfig"us --cost circuit --format json -o "$work/plan.jsonl" > "$work/plan.json" || {
        failed=$((failed + 1))
        continue
    }
    "$rwa" export "$work/plan.jsonl" --to csv -o "$work/plan.csv"
    for model in paper circuit overlap; do
        simulated=$(simulate 40e9 "$model" "${alpha}e-6" "${reconfig}e-6") || simulated=0
        compare "$network w=$w $collective $scheme $message $model" "$(figure "$model")" "$simulated"
    done
done <<END
ring:16 2 all-gather wavefront 4MiB 0 25
ring:32 4 all-gather optree 64kB 1 25
ring:32 4 all-reduce wavefront 1MiB 2 25
ring:32 2 all-reduce compose:roots(8,2) 256kB 0 10
ring:24 4 all-reduce h-ring 1MiB 0 25
ring:16 1 all-to-all auto 64kB 0.5 25
ring:16 4 broadcast auto 1MiB 0 25
ring:12 2 all-gather ring 1MiB 1 25
line:12 2 all-gather auto 256kB 0 25
line:9 4 all-reduce auto 64kB 1 25
torus:4x4 2 all-gather auto 1MiB 0 25
torus:4x4 4 all-reduce auto 64kB 2 25
mesh:3x4 2 all-gather nearest 256kB 0 10
hypercube:4 2 all-reduce auto 1MiB 1 25
circulant:12:1,3 2 all-gather auto 128kB 0 25
tree:2x3 4 broadcast auto 1MiB 0 25
nsfnet14-21 4 all-gather auto 1MiB 0.5 25
nsfnet14-21 4 all-to-all auto 64kB 0 25
ocs:8x4 1 all-gather auto 1MiB 0 25
fat-tree:4 4 reduce-scatter auto 256kB 1 25
END
# A judge that cannot say no is no judge: both lightpaths of the second step on one channel.
{
    echo '# {"network":{"kind":"ring","nodes":4},"block_bytes":1000000}'
    echo 'step,src,dst,dir,fiber,wavelength,block,op,hops'
    echo '1,0,1,cw,0,0,0,copy,1'
    echo '2,1,2,cw,0,0,0,copy,1'
    echo '2,1,3,cw,0,0,1,copy,2'
} > "$work/plan.csv"
clash=$(simulate 40e9 paper 0 0)
if awk -v t="$clash" 'BEGIN { exit !(t > 2.9 * 8e6 / 40e9) }'; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAILED: a clash takes $clash s, no longer than without"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
