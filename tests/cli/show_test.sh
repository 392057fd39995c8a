#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures from outside: what show prints and writes.  Usage: show_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

good plan --network ring:16 -w 2 --scheme optree --radix 4,4 -o "$dir/a.jsonl"  # plan to draw

# Its first exchange, four groups round the ring, fills every channel of its steps; none of this needs a terminal.
good show "$dir/a.jsonl"  # show
says 'step 1: 16 lightpaths, 100.0 % of the channels busy'
good show "$dir/a.jsonl" --step 2 --node 3  # show a node
says 'sends 2, receives 2'
good show "$dir/a.jsonl" --cost overlap --alpha 1us --reconfig 10us  # show with times
says 'step 1: 16 lightpaths, 100.0 % of the channels busy, 10 to '
bad show "$dir/a.jsonl" --alpha 1us
good show "$dir/a.jsonl" --cost circuit --gantt -o "$dir/time.svg"  # draw against time
steps=$(sed -n '1s/.*"steps":\([0-9]*\).*/\1/p' "$dir/a.jsonl")
[ "$(grep -c 'class="send" d="M' "$dir/time.svg")" -eq "$steps" ]
holds "a path for each step"
rate=$(sed -n 's/.*"rate_gbps": \([0-9]*\),/\1/p' "$(dirname "$0")/../../data/devices/aggressive.json")
run show "$dir/a.jsonl" --cost paper --gantt --rate "${rate}Gbps" -o "$dir/time.svg"
good show "$dir/a.jsonl" --gantt --device aggressive -o "$dir/device.svg"  # the default cost, a device's times
same "$dir/time.svg" "$dir/device.svg" "the times are those of the device"

# No links to draw on: the message says what can be shown.
run plan --network ocs:8x2 -q -o "$dir/ocs.jsonl"
for end in "" "--block 0 -o $dir/ocs.svg" "-o $dir/ocs.html"; do
    bad show "$dir/ocs.jsonl" $end
    says 'text that follows a node or a block, such as block 0'
done
good show "$dir/ocs.jsonl" --block 0  # follow a block
says 'on an ocs of 8 nodes'

good show "$dir/a.jsonl" --block 3  # show a block
says 'block 3 of node 3'

# A terminal of 80 columns is wide enough for every line; without UTF-8 a byte is a column.
LC_ALL=C COLUMNS=80 "$rwa" show "$dir/a.jsonl" > "$dir/out"
[ "$(awk '{ print length($0) }' "$dir/out" | sort -n | tail -n 1)" -le 80 ]
holds "a line is wider than the terminal"
[ "$(awk '/lightpaths  busy/ { print index($0, "idle") + 3 } / 50\.0 % / { sub(/ *[0-9]*$/, ""); print length($0) }' \
    "$dir/out" | sort -u | wc -l)" -eq 1 ]
holds "the figures are not below their heading"

# The spectrum of a flexible grid.
good assign --network ring:5 --width 2 --guard 1 -o "$dir/wide.jsonl"  # slots to draw
good show "$dir/wide.jsonl"  # a spectrum
says 'slots of 12.5 GHz'
for end in txt svg html; do
    good show "$dir/wide.jsonl" -o "$dir/wide.$end"  # a spectrum as $end
    grep -Eq 'slots of 12.5 GHz|flexible:1,' "$dir/wide.$end"
    holds "the spectrum in wide.$end"
done
bad show "$dir/wide.jsonl" --node 1
bad show "$dir/wide.jsonl" --step 1

good show "$dir/a.jsonl" -o "$dir/a.svg"  # draw
head -c 4 "$dir/a.svg" | grep -q '<svg'
holds "a.svg begins as SVG"
good show "$dir/a.jsonl" "$dir/a.jsonl" -o "$dir/a.html" --device onoc-typical  # page of two
grep -q '</html>' "$dir/a.html"
holds "a.html is whole"

# An assignment is a map of its network; in characters, and with --step, a schedule of one step.
good assign --network nsfnet14-21 -o "$dir/assigned.jsonl"  # assign
good show "$dir/assigned.jsonl"  # show an assignment
says "91 of 91 two-way lightpaths on a network of 14 nodes: 13 wavelengths"
good show "$dir/assigned.jsonl" -o "$dir/assigned.html"  # page of an assignment
grep -q '"Seattle (WA)"' "$dir/assigned.html" && ! grep -q 'Play' "$dir/assigned.html" &&
    ! grep -Eq '(src|href)="?http' "$dir/assigned.html"
holds "the page names its nodes, has one step to play, and asks for nothing else"
good show "$dir/assigned.jsonl" -o "$dir/assigned.svg"  # map of an assignment
[ "$(grep -c 'class="link"' "$dir/assigned.svg")" -eq 21 ] && grep -q 'nearly full' "$dir/assigned.svg"
holds "a line for each of 21 links, and a legend"
good show "$dir/assigned.jsonl" --proof -o "$dir/proof.svg"  # the cut that proves an assignment
[ "$(grep -c 'class="link cut"' "$dir/proof.svg")" -eq 4 ] && grep -q '7 x 7 = 49' "$dir/proof.svg"
holds "a cut of 4 links, and its sum"
bad show "$dir/assigned.jsonl" --proof
run plan --network ring:8 -w 1 --collective scatter -q -o "$dir/scatter.jsonl"
good show "$dir/scatter.jsonl" --proof -o "$dir/proof.svg"  # the node that bounds a schedule
[ "$(grep -c 'class="link cut"' "$dir/proof.svg")" -eq 2 ] &&
    [ "$(grep -c 'class="node side"' "$dir/proof.svg")" -eq 1 ] &&
    grep -q 'At least 4 steps (send): 14 blocks must leave one node' "$dir/proof.svg"
holds "the two links of a node"
good show "$dir/a.jsonl" --proof -o "$dir/proof.svg"  # a bound that counts all links
grep -q 'At least 5 steps (broadcast-tree)' "$dir/proof.svg" && grep -q 'Nothing is marked' "$dir/proof.svg" &&
    ! grep -Eq 'class="(link cut|node side)"' "$dir/proof.svg"
holds "the words of what is not marked"
bad show "$dir/a.jsonl" --proof --step 1 -o "$dir/proof.svg"
good show "$dir/assigned.jsonl" --step 1 -o "$dir/step.svg"  # a step of an assignment, as of a schedule

# Blocked demands keep their remedies in the file, and the page shows them; a remedy for a node outside the network is
# refused.
no assign --network nsfnet14-21 -w 8 -o "$dir/blocked.jsonl"  # not all are served
grep -q '"demand":[0-9]*,.*"remedies":\[\["wavelength",9\]\]' "$dir/blocked.jsonl"
holds "a remedy in the file"
good show "$dir/blocked.jsonl" -o "$dir/blocked.html"  # a page of blocked demands
grep -q 'remedies:\[\[[0-9]*,"wavelength",9\]' "$dir/blocked.html"
holds "a remedy in the page"
sed 's/\["wavelength",9\]/["converter",14]/' "$dir/blocked.jsonl" > "$dir/outside.jsonl"
bad show "$dir/outside.jsonl" -o "$dir/outside.html"
says 'remedies'

# The drawing of a ring says of what its rows have numbers; one without numbers does not.
run plan --network ring:8 -w 2 --load-factor 1 -q -o "$dir/eight.jsonl"
run show "$dir/eight.jsonl" -o "$dir/eight.svg"
[ "$(grep -c 'Numbers in the rows: blocks' "$dir/eight.svg")" -eq 1 ]
holds "the legend explains the numbers"
! grep -q 'Numbers in the rows' "$dir/assigned.svg"
holds "a map has no rows"
# Links are drawn by the numbers of their nodes; the legend gives the names.
printf '{"nodes": [{"id": "Bern"}, {"id": "Basel"}, {"id": "Chur"}], "links": [[0, 1], [1, 2], [0, 2]]}' \
    > "$dir/towns.json"
run assign --network "$dir/towns.json" -o "$dir/towns.jsonl"
good show "$dir/towns.jsonl"  # show an assignment on named nodes
says "Nodes: 0 Bern, 1 Basel, 2 Chur"
# A long name is cut to its place, at both ends of its two links.
sed "s/Bern/$(printf '%060d' 0)/" "$dir/towns.json" > "$dir/long.json"
run plan --network "$dir/long.json" -w 1 -q -o "$dir/long.jsonl"
good show "$dir/long.jsonl" --gantt -o "$dir/long.svg"  # draw long names
[ "$(grep -Ec '>0+… &gt; |&gt; 0+…<' "$dir/long.svg")" -eq 4 ] && ! grep -q "$(printf '%030d' 0)" "$dir/long.svg"
holds "the names are cut"
# Blocks are numbered by pairs, and the picture names them; without a served demand there is none: exit 1.
good assign --network ring:8 -w 1 --objective demands -o "$dir/some.jsonl"  # assign some
run show "$dir/some.jsonl"
says "Block 8 s + d is what node s has for node d."
good show "$dir/some.jsonl" --block 10  # show a pair
says "block 10 of node 1 for node 2:"
echo "0 4" > "$dir/far.txt"
no assign --network ring:8 --max-hops 1 --demands "$dir/far.txt" -o "$dir/unserved.jsonl"  # no node within reach
fails 1 show "$dir/unserved.jsonl"
says "0 of 1 lightpaths"

# The ending of the name selects the drawing; an unknown one is refused.
for name in a.eps a.GIF a.svg.gz.bz2 a.; do
    bad show "$dir/a.jsonl" -o "$dir/$name"
    says ".svg"
    absent "$dir/$name" "a name that says something else"
done
for name in b.svg b.SVG b.htm b.txt b b.svg.gz; do
    good show "$dir/a.jsonl" -o "$dir/$name"  # show -o $name
done
gzip -dc "$dir/b.svg.gz" | cmp -s - "$dir/a.svg"
holds "a compressed drawing is the same"

# Links with different numbers of fibres: channels that no link has are neither idle nor drawn, and every report counts
# the same.
echo '{"nodes": 3, "links": [[0, 1], {"from": 1, "to": 2, "fibers": 2}]}' > "$dir/mixed.json"
run plan --network "$dir/mixed.json" -w 2 --scheme nearest -o "$dir/mixed.jsonl"
says "2 wavelengths x 1 to 2 fibres each way"
run network --network "$dir/mixed.json"
says "64 wavelengths x 1 to 2 fibres each way"
run explain "$dir/mixed.jsonl"
says "2 wavelengths x 1 to 2 fibres each way"
says "6 lightpaths, 67 % of all channels busy"
run show "$dir/mixed.jsonl"
says "66.7 %         4        2"
says "f0w0  f0w1  f1w0  f1w1"
run show "$dir/mixed.jsonl" -o "$dir/mixed.svg"
grep -q 'f1 w1</text>' "$dir/mixed.svg"
holds "the legend names the fibre"

run show
is 2 "no file"
run show "$dir/a.jsonl" "$dir/a.jsonl"
is 2 "two files without a page"
finish
