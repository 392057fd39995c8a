#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --objective steps: whole blocks, one on a lightpath, fewest steps; the time is that of the model asked for.
# Usage: objective_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

# No scheme by its name takes fewer steps than `auto` under the same rules, and the plan meets the bound that proves it
# where one does.
while read -r network collective schemes; do
    run plan --network "$network" --wavelengths 4 --collective "$collective" --objective steps --format json < /dev/null
    is 0 "$network $collective"
    fewest=$(first steps)
    for scheme in $(echo "$schemes" | tr , ' '); do
        run plan --network "$network" --wavelengths 4 --collective "$collective" --objective steps --scheme "$scheme" \
            --format json < /dev/null
        [ "$(first steps)" -ge "$fewest" ]
        holds "$network $collective: $scheme takes"
    done
done <<END
ring:16 all-gather optree,wavefront,ring,ring-both,one-stage,wrht
ring:16 all-reduce optree,wavefront,ring
line:12 all-gather optree,line-wavefront,one-stage
torus:4x4 all-gather optree,torus-wavefront,one-stage,nearest
mesh:3x4 broadcast nearest
nsfnet14-21 all-to-all one-stage
star:16 all-gather listen,tcp
ocs:8x2 all-gather matchings
END

# The time alone would take more steps here: blocks on a lightpath, stripes or more of them.
run plan --network ring:16 --wavelengths 4 --format json
least=$(first time_seconds)
run plan --network ring:16 --wavelengths 4 --objective steps --format json -o "$dir/steps.jsonl"
awk "BEGIN { exit !($least < $(first time_seconds)) }"
holds "ring:16, 4 wavelengths"

# A ring of 16 nodes needs 3 steps (broadcast-tree bound), whatever the cost model; the report and the checker agree on
# the time of epochs.
for model in paper circuit overlap; do
    run plan --network ring:16 --wavelengths 4 --objective steps --cost "$model" --alpha 1us --format json \
        -o "$dir/plan.jsonl"
    [ "$(first steps)" -eq 3 ]
    holds "$model"
    planned=$(first time_seconds)
    [ "$model" = paper ] && continue
    run check "$dir/plan.jsonl" --cost "$model" --alpha 1us --format json
    [ -n "$planned" ] && [ "$(first time_seconds)" = "$planned" ]
    holds "$model: $planned s by the plan"
done

bad plan --network ring:16 --objective steps --load-factor 2
says "--load-factor"
bad plan --network ring:16 --objective hops

# The search for the least time says which plan of whole blocks with few steps it met: no fewer than are possible; the
# plan of fewest steps itself names no other.
for setting in "ring:16 4 3" "ring:64 16 5"; do
    set -- $setting
    run plan --network "$1" --wavelengths "$2" --objective steps --format json
    has '"optimal":true'
    [ "$(first steps)" -eq "$3" ]
    holds "$1"
    run plan --network "$1" --wavelengths "$2" --message 4kB --format json
    tr -d ' \n' < "$dir/out" | grep -o '"fewest_steps":{[^}]*"steps":[0-9]*' | grep -o '[0-9]*$' > "$dir/fewest"
    [ "$(cat "$dir/fewest")" -ge "$3" ]
    holds "$1: the search met"
done
run plan --network ring:16 --wavelengths 4
says "Fewer steps       3, but"
run plan --network ring:16 --wavelengths 4 --objective steps
! grep -q "^Whole blocks" "$dir/out"
holds "the plan of fewest steps names another one"

finish
