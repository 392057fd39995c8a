#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plans two all-gathers, checks both files, draws them.  Usage: demo.sh RWA FOLDER
set -eu
rwa=$1
dir=$2
mkdir -p "$dir"

echo "== 16 nodes, 2 wavelengths, a tree of radices 4 and 4"
"$rwa" plan --network ring:16 --wavelengths 2 --scheme optree --radix 4,4 -o "$dir/tree.jsonl"
echo
"$rwa" check "$dir/tree.jsonl"
echo
echo "== the same by the scheme that meets the bound"
"$rwa" plan --network ring:16 --wavelengths 2 --scheme wavefront -o "$dir/wavefront.jsonl"
echo
"$rwa" check "$dir/wavefront.jsonl"
echo
echo "== 1024 nodes, 64 wavelengths: a million lightpaths"
"$rwa" compare --network ring:1024 --wavelengths 64 --scheme optree,wavefront
"$rwa" show "$dir/tree.jsonl" "$dir/wavefront.jsonl" -o "$dir/both.html"
echo
echo "Next:"
echo "  $dir/both.html  in any browser: both plans of 16 nodes, step by step"
echo "  $rwa show $dir/tree.jsonl  draws the first one here"
echo "  $rwa explain --network ring:16 --wavelengths 2 --scheme optree --radix 4,4  says how it was made"
echo "  docs/guide/tutorial.md  teaches it in lessons"
