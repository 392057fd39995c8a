#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The paper's 16-node example and the 1024-node ring: planned, written, and judged by the independent checker.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
show() { echo "\$ rwa $*"; "$RWA" "$@"; echo; }
RWA=$1
show plan --network ring:16 --wavelengths 2 --scheme optree --radix 4,4 -o "$dir/ring16.jsonl"
show check "$dir/ring16.jsonl"
show plan --network ring:1024 -o "$dir/ring1024.jsonl.gz"
show check "$dir/ring1024.jsonl.gz"
