#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A repair takes no longer than the collective once more from the failure on.  Usage: restart_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

# Searches end within 1 % of the bound, so that plans may differ by as much.  Before step 2 one step was made, which
# takes no longer than the whole plan.
while read -r network wavelengths collective fail; do
    run plan --network "$network" -w "$wavelengths" --collective "$collective" -o "$dir/plan.jsonl" --format json \
        < /dev/null
    is 0 "$network $collective"
    whole=$(first time_seconds)
    run plan --network "$network" -w "$wavelengths" --collective "$collective" --fail "$fail" --format json < /dev/null
    is 0 "$network $collective --fail $fail"
    again=$(first time_seconds)
    for step in 1 2; do
        run plan --repair "$dir/plan.jsonl" --fail "$fail" --at-step "$step" -o "$dir/repaired.jsonl" --format json \
            < /dev/null
        is 0 "$network $collective: a repair at step $step"
        awk "BEGIN { exit !($(first time_seconds) <= ($again + ($step - 1) * $whole) * 1.01) }"
        holds "$network $collective, step $step"
        run check "$dir/repaired.jsonl" < /dev/null
        is 0 "the check of $network $collective repaired at step $step"
    done
done <<END
nsfnet14-21 8 all-gather 0-1
nsfnet14-21 4 broadcast 0-1
ring:32 8 all-gather cw:3
ring:12 2 all-to-all cw:3
torus:4x4 4 all-gather 0-1
mesh:4x4 4 scatter 5-6
END

# Sums that began are not added twice: only before the first step a reduction begins again.
run plan --network nsfnet14-21 -w 8 --collective all-reduce -o "$dir/plan.jsonl"
run plan --network nsfnet14-21 -w 8 --collective all-reduce --fail 0-1 --format json
again=$(first time_seconds)
run plan --repair "$dir/plan.jsonl" --fail 0-1 --at-step 1 -o "$dir/repaired.jsonl" --format json
awk "BEGIN { exit !($(first time_seconds) <= $again * 1.01) }"
holds "all-reduce repaired at step 1"
good check "$dir/repaired.jsonl"  # its check
good plan --repair "$dir/plan.jsonl" --fail 0-1 --at-step 2 -o "$dir/repaired.jsonl"  # all-reduce repaired at step 2
good check "$dir/repaired.jsonl"  # its check

finish
