#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lightpaths with several receivers, from outside: planned, bounded, shown, exported or refused.
# Usage: taps_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

# The guide's table agrees with plan, each proven the fewest steps (its largest ring takes too long here).
header=$(grep '^| nodes | wavelengths | K = 1 ' "$(dirname "$0")/../../docs/reference/schemes.md" |
    sed 's/K = //; s/[^0-9 ]//g' | tr -s ' ')
grep -E '^\| [0-9]+ \| [0-9]+ \| [0-9]+ \| [0-9]+ \| [0-9]+ \| [0-9]+ \| [0-9]+ \| [0-9]+ \|$' \
    "$(dirname "$0")/../../docs/reference/schemes.md" |
    tr -d '|' | grep -v '^ *4096' > "$dir/claims"
[ "$(wc -l < "$dir/claims")" -ge 4 ] && [ "$header" = " 1 2 3 4 5 8 " ]
holds "the guide has no table of taps"
while read -r nodes wavelengths k1 k2 k3 k4 k5 k8; do
    for claim in 1:$k1 2:$k2 3:$k3 4:$k4 5:$k5 8:$k8; do
        run plan --network "ring:$nodes" -w "$wavelengths" --scheme wavefront --max-drops "${claim%:*}" --format json \
            < /dev/null
        has "\"optimal\":true"
        [ "$(number steps)" -eq "${claim#*:}" ] && [ "$(number drops)" -le "${claim%:*}" ]
        holds "$nodes nodes, $wavelengths wavelengths, ${claim%:*} drops"
    done
done < "$dir/claims"

good plan --network ring:64 -w 8 --scheme wavefront --max-drops 5 -o "$dir/taps.jsonl"  # a plan with taps
says "up to 5 nodes receive a lightpath"
good check "$dir/taps.jsonl"  # its check
says "Taps              up to 5 nodes receive a lightpath"
run check "$dir/taps.jsonl" --format json
[ "$(number drops)" -eq 5 ]
holds "its check"
run bounds --network ring:64 -w 8 --max-drops 5
says "broadcast-tree                5 steps"
run compare --network ring:64 -w 8 --max-drops 5 --scheme wavefront --format csv
says ",wavefront,optimal,"
grep -q ',5,5,yes,' "$dir/out"
holds "compare with taps"

# Without the option there are no taps, and the file has version 1.
run plan --network ring:64 -w 8 --scheme wavefront -o "$dir/plain.jsonl"
run check "$dir/plain.jsonl"
! grep -q Taps "$dir/out"
holds "taps in the check of a plan without"
run show "$dir/plain.jsonl" --node 3
! grep -q -e 'reading one' -e 'taps ' "$dir/out"
holds "taps in the drawing of a plan without"
grep -q '"version":1' "$dir/plain.jsonl" && ! grep -q taps "$dir/plain.jsonl" && grep -q taps "$dir/taps.jsonl"
holds "taps where none were allowed"

# The path of a block names its receivers, and all nodes receive it; the explanation too.
run show "$dir/taps.jsonl" --block 3
! grep '^step 5' "$dir/out" | grep -q '·' && grep -q '^step 5' "$dir/out"
holds "block 3 does not come to all"
run show "$dir/taps.jsonl" -o "$dir/taps.html"
grep -q '\[0,7,0,6,0,0,1,7,0,\[2,3,4,5,\],0\]' "$dir/taps.html"
holds "the page has no taps"
LC_ALL=C COLUMNS=80 "$rwa" show "$dir/taps.jsonl" --node 3 > "$dir/out"
says "up to 5 nodes reading one lightpath"
says "by a tap"
says "  taps     block "
[ "$(awk '{ print length($0) }' "$dir/out" | sort -n | tail -n 1)" -le 80 ]
holds "a line is wider than the terminal"
# A lightpath too long for one line continues on the next.
LC_ALL=C COLUMNS=60 "$rwa" show "$dir/taps.jsonl" --node 3 > "$dir/out"
[ "$(awk '{ print length($0) }' "$dir/out" | sort -n | tail -n 1)" -le 60 ]
holds "a line is wider than 60 columns"
grep -q '^                  (c*w, .*), on to' "$dir/out"
holds "no lightpath goes on below"
run explain --network ring:16 -w 4 --scheme wavefront --max-drops 4
says "(tapped at"

# The csv table carries taps and comes back; formats without taps refuse.
good export "$dir/taps.jsonl" --to csv -o "$dir/taps.csv"  # a table of taps
good import "$dir/taps.csv" --network ring:64 -w 8 --format json  # the table read
has '"steps":5'
has '"optimal":true'
# A repair after the last step keeps every lightpath, each of an orbit with taps of its own.
good plan --repair "$dir/taps.jsonl" --fail 3 --at-step 6 -o "$dir/kept.jsonl"
good check "$dir/kept.jsonl"
for format in nodes sndlib harvest msccl; do
    bad export "$dir/taps.jsonl" --to $format -o "$dir/none"
    says "nodes read"
done
bad_each plan --network ring:64 --max-drops << 'END'
0
3 --load-factor 2
END

# The power check covers every receiver, in plan and check alike.
run plan --network ring:64 -w 8 --scheme wavefront --max-drops 5 --device onoc-typical --format json
has '"drops":5'
loss=$(tr -d ' \n' < "$dir/out" | sed -n 's/.*\("worst_loss_db":[0-9.]*\).*/\1/p')
good check "$dir/taps.jsonl" --device onoc-typical --format json  # power of taps
has '"feasible":true'
has "$loss"
finish
