#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs one test and keeps what it says in RESULTS/NAME.out and its numbers in RESULTS/NAME.sum (passed, failed,
# processor seconds): one line if all passed, all it said otherwise.  Exit 0 either way, so that the other tests run
# too; sum-tests.sh fails.  A test that counts ends with the line "N passed, N failed"; of any other the exit code
# counts as one.
# Usage: run-test.sh RESULTS NAME COMMAND ...
results=$1
name=$2
shift 2
out=$results/$name.out
mkdir -p "$(dirname "$out")"
rm -f "$results/$name.sum"
times > "$out.times" # what mkdir and rm took
"$@" > "$out" 2>&1
code=$?
times >> "$out.times"
# The second line of `times` is what the children took, user and system: 1m2.5s 0m0.25s
cpu=$(awk -F '[ms ]+' '{ t[NR] = 60 * ($1 + $3) + $2 + $4 } END { printf "%.2f", t[4] - t[2] }' "$out.times")
rm -f "$out.times"
numbers=$(tail -n 1 "$out" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
[ -n "$numbers" ] || numbers="1 0"
passed=${numbers% *}
failed=${numbers#* }
[ "$code" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
echo "$passed $failed $cpu" > "$results/$name.sum"
if [ "$failed" -eq 0 ]; then
    echo "$name: $passed passed"
else
    # One write, so that tests that run at the same time do not mix.
    printf '== %s: exit %d\n%s\n' "$name" "$code" "$(cat "$out")"
fi
