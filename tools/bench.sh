#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the benchmark in a folder of its own.  Usage: bench.sh BENCH [NODES...]
set -eu
bench=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$bench" "$dir" "$@"
