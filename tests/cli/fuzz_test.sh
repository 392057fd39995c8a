#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Command lines of the fuzzing corpus and of its findings, a word a line.  Each ends with one of the five exit codes.
# Usage: fuzz_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"
fuzz=$(cd "$(dirname "$0")/../fuzz" && pwd)
case $rwa in /*) ;; *) rwa=$(pwd)/$rwa ;; esac

sh "$fuzz/seeds.sh" "$rwa" "$dir/made"
holds "seeds.sh makes its files"
cd "$dir/made/files" || exit 1
for input in "$fuzz"/corpus/command/* "$fuzz"/found/command/*; do
    [ -f "$input" ] || continue
    set --
    while IFS= read -r word || [ -n "$word" ]; do
        [ -z "$word" ] || set -- "$@" "$word"
    done < "$input"
    timeout 20 "$rwa" "$@" > "$dir/out" 2> "$dir/err" < /dev/null
    code=$?
    [ $code -le 4 ] && [ "$(wc -l < "$dir/err")" -le 1 ]
    holds "rwa $*: exit $code"
done
finish
