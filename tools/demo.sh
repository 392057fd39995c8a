#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plans two all-gathers, checks both files.  Usage: demo.sh RWA
set -eu
rwa=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

echo "== 16 nodes, 2 wavelengths, a tree of radices 4 and 4"
"$rwa" plan --network ring:16 --wavelengths 2 --scheme optree --radix 4,4 -o "$dir/small.jsonl"
echo
"$rwa" check "$dir/small.jsonl"
echo
echo "== 1024 nodes, 64 wavelengths"
"$rwa" plan --network ring:1024 --wavelengths 64 --scheme optree -o "$dir/large.jsonl.gz"
echo
"$rwa" check "$dir/large.jsonl.gz"
echo
echo "== the same by the scheme that meets the bound"
"$rwa" compare --network ring:1024 --wavelengths 64 --scheme optree,wavefront
