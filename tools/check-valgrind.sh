#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every command of rwa on small inputs, and unit tests of the readers (fuzz/replay reads, draws and plans with every
# small input of the fuzzer, good and bad) and of what holds memory for long, under valgrind: a read of memory that is
# not set or not there, or a leak, fails.
# Usage: check-valgrind.sh BUILD (a build without NDEBUG)
set -u
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

judge() {  # the highest exit code that is an answer, then a command
    most=$1
    shift
    code=0
    valgrind -q --leak-check=full --error-exitcode=99 --log-file="$work/valgrind" "$@" > "$work/out" 2> "$work/err" ||
        code=$?
    if [ "$code" -le "$most" ] && [ ! -s "$work/valgrind" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: exit $code: $*"
        head -n 30 "$work/valgrind"
    fi
}

rwa() { judge 3 "$build/rwa" "$@"; }

commands() {
    for network in ring:8 line:5 torus:3x3 mesh:2x3 hypercube:3 tree:2x2 fat-tree:2 circulant:8:1,2 star:6 ron:5 \
        ocs:6x2; do
        rwa plan --network $network -w 2 -o "$network.jsonl"
        rwa check "$network.jsonl"
        rwa show "$network.jsonl"
        rwa bounds --network $network -w 2
    done
    for collective in all-reduce reduce-scatter broadcast scatter gather all-to-all reduce; do
        rwa plan --network ring:6 --collective $collective -w 2
    done
    for cost in circuit overlap; do rwa plan --network ring:6 -w 2 --cost $cost --format json; done
    rwa plan --network ring:8 --device onoc-typical -v
    rwa plan --network mesh:3x3 --members 0,2,4,6,8
    rwa plan --schemes
    rwa plan --network line:64 -w 2 --time-limit 0.01
    rwa plan --repair ring:8.jsonl --fail 1 -o repaired.jsonl
    rwa explain --network ring:8 -w 2
    rwa explain ring:8.jsonl
    for format in csv harvest msccl mscclpp chakra openconfig nodes settings table; do
        rwa export ring:8.jsonl --to $format -o "ring-$format"
    done
    for format in csv harvest msccl mscclpp chakra; do rwa import "ring-$format" --network ring:8 -w 2; done
    for end in svg html; do rwa show ring:8.jsonl -o "ring.$end"; done
    rwa assign --network nsfnet14-21 -o assigned.jsonl
    rwa assign --network ring:6 --demands random:9 --protection
    rwa assign --network polska12-18 --slots 99 --rate 100G --demands random:6 -o wide.jsonl
    for file in assigned.jsonl wide.jsonl; do rwa check $file; rwa show $file; done
    rwa traffic --network nsfnet14-21 -w 4 --load 20 --requests 500 --protection --shared
    rwa gsnr --spans 3x80
    rwa gsnr --network nsfnet14-21 --route 0,1,3 --rate 100G
    rwa compare --network ring:8 -w 2
    rwa sweep --nodes 6,8 --wavelengths 1,2
    rwa reproduce optree --item table-2 --formulas-only
    rwa network --network nsfnet14-21
    for format in graphml gnpy sndlib json; do
        rwa network --network nsfnet14-21 --format $format -o "net-$format.$format"
    done
    rwa completion bash
    rwa help plan
}

commands
for name in $UNITS; do judge 0 "$build/tests/${name}_test"; done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
