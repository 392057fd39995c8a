#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Schedules with orbits beside the same written out: every command says the same.
# Usage: orbit_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

# A record that is wrong is named by its line, whichever it is: a node outside the network breaks nothing but its
# record's range.
wrong_line() {  # a file and the line made wrong
    sed "$2s/\"src\":[0-9]*/\"src\":999999/" "$1" > "$dir/wrong.jsonl"
    no check "$dir/wrong.jsonl"  # line $2 of $1 made wrong
    says "$dir/wrong.jsonl:$2: range: "
    run check "$dir/wrong.jsonl" --format json
    has "\"line\":$2}"
}
run plan --network ring:16 -w 2 --scheme wavefront -o "$dir/lines.jsonl"
run assign --network nsfnet14-21 -o "$dir/assigned.jsonl"
for line in 2 4 7; do
    wrong_line "$dir/lines.jsonl" "$line"
    wrong_line "$dir/assigned.jsonl" "$line"
done
# Without the first record the orbits of later ones send what no node holds: each such line is reported once.
no_check 2d "$dir/lines.jsonl"  # a schedule without its first record
says "  ... and "
[ "$(grep -o 'wrong.jsonl:[0-9]*: [a-z]*' "$dir/out" | sort | uniq -d | wc -l)" -eq 0 ]
holds "a line is told twice"


# An orbit of paths on a torus: its cycles of 3 one after the other.  Every command says the same of it as of its
# lightpaths.
run plan --network torus:3x3 -w 3 --fibers 2 --collective all-gather -q -o "$dir/any.jsonl"
torus() {  # blocks of the records of the second step
    head -1 "$dir/any.jsonl" | sed 's/"version":[0-9]*/"version":4/; s/"steps":[0-9]*/"steps":2/; s/"slots":[0-9]*,//;
        s/"scheme":"[^"]*"/"scheme":"x"/; s/"blocks":[0-9]*/"blocks":9/; s/"lightpaths":[0-9]*/"slots":3/'
    echo '{"step":1,"src":0,"dst":1,"path":[0,1],"fiber":0,"wavelength":0,"block":0,"orbit":9,"period":3}'
    echo '{"step":1,"src":4,"dst":3,"path":[4,3],"fiber":1,"wavelength":2,"block":4,"orbit":9,"period":3}'
    printf '{"step":2,"src":0,"dst":6,"path":[0,3,6],"fiber":0,"wavelength":1,"blocks":%s,%s}\n' "$1" \
        '"taps":[3],"orbit":9,"period":3'
}
says_as_written_out() {  # a command, FILE for its file
    for file in orbits all; do
        # shellcheck disable=SC2046
        "$rwa" $(echo "$*" | sed "s|FILE|$dir/$file.jsonl|") 2>&1 |
            sed "s|$file.jsonl||; s/.version.:[24]//" > "$dir/$file.said"
    done
    same "$dir/orbits.said" "$dir/all.said" "rwa $*: with orbits"
}
torus '[0,1,2]' > "$dir/orbits.jsonl"
good export "$dir/orbits.jsonl" --expand -o "$dir/all.jsonl"  # export of a torus
[ "$(wc -l < "$dir/all.jsonl")" -eq 28 ] &&
    grep -q '"src":8,"dst":5,"path":\[8,2,5\].*"wavelength":0,"blocks":\[8,6,7\],"taps":\[2\]' "$dir/all.jsonl"
holds "the lightpaths of node 8"
for command in "check FILE" "check FILE --cost overlap --alpha 1us" "check FILE --cost circuit" "show FILE" \
    "show FILE --node 4" "show FILE --block 5" "export FILE --to csv -o -" "export FILE --to settings -o -" \
    "export FILE --to settings --node 7 -o -" "export FILE --to mscclpp -o -" "export FILE --to sndlib --step 1 -o -" \
    "export FILE --to harvest --step 1 -o -" "plan --repair FILE --fail 0-1 -o -"; do
    # shellcheck disable=SC2086
    says_as_written_out $command
done
for file in orbits all; do
    "$rwa" show "$dir/$file.jsonl" -o "$dir/$file.svg" > "$dir/out"
done
same "$dir/orbits.svg" "$dir/all.svg" "the drawing of a torus"
good check "$dir/orbits.jsonl"  # a torus
torus '[0,1,3]' > "$dir/orbits.jsonl"
no check "$dir/orbits.jsonl"  # a torus, a block not held
says "orbits.jsonl:4: causality: "
wrong_orbit() {  # sed of the records, what it says
    torus '[0,1,2]' | sed "$1" > "$dir/wrong.jsonl"
    run show "$dir/wrong.jsonl"
    is 2 "$1"
    says "$2"
}
wrong_orbit '3s/"orbit":9/"orbit":8/' 'wrong.jsonl:3: orbit 8: expected 1 or all 9 nodes where records have a path'
wrong_orbit '3s/"period":3/"period":4/' 'wrong.jsonl:3: period 4: expected channels from a multiple of it on, below 6'
wrong_orbit '4s/"period":3/"period":0/' 'wrong.jsonl:4: period 0: expected channels'

# The power of a ring's orbits is that of each lightpath.
run plan --network ring:16 -w 8 --scheme wavefront -o "$dir/orbits.jsonl"
good export "$dir/orbits.jsonl" --expand -o "$dir/all.jsonl"
[ "$(wc -l < "$dir/all.jsonl")" -gt "$(wc -l < "$dir/orbits.jsonl")" ]
holds "nothing was written out"
for model in rings paper; do
    says_as_written_out check FILE --format json --device onoc-typical --power-model $model
done
finish
