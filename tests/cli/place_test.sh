#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Circuits and placement from outside.  Usage: place_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"
data=$(dirname "$0")/../../data/demands

# The 5-cycle: load 2 on every link, three wavelengths.
printf 'src,dst,bytes\n0,2,1000\n1,3,1000\n2,4,1000\n3,0,1000\n4,1,1000\n' > "$dir/five.csv"
no circuits "$dir/five.csv" --network ring:5 -w 2 --one-way --format json  # five arcs on two wavelengths
has '"served":4'
says '; 3 do'
run circuits "$dir/five.csv" --network ring:5 -w 3 --one-way --format csv
[ "$(wc -l < "$dir/out")" -ge 6 ]
holds "five lightpaths in CSV"

printf '0,6,3,1\n0,0,0,0\n0,0,0,0\n0,0,0,0\n' > "$dir/one.csv"
good circuits "$dir/one.csv" --network ocs:4x5 --method exact --rate 8 --reconfig 1s --format json
has '"load_bytes":3.0'
has '"time_seconds":4.0'
has '"duty":0.75'
has '"optimal":true'
run circuits - --network ocs:4x2 < "$dir/one.csv"
is 1 "three peers, two switches"
says 'node 0 sends to 3 others'
# three peers, two switches, several episodes
good circuits "$dir/one.csv" --network ocs:4x2 --episodes auto --rate 8 --reconfig 1s --format json
good circuits "$dir/one.csv" --network ocs:4x5 -o "$dir/c.json"  # circuits to a file
grep -q '"matchings"' "$dir/c.json"
holds "the file holds the matchings"

# The paper's setting: k = 4, l = 2, D = 3, Delta = 2, and the whole chain in one command.
# the chain
good place "$data/four-operations.json" --devices 4 --replicas 2 --degree 3 --quantum 1ms --network ocs:8x3 --rate 25G \
    --format json
has '"distance":2'
has '"iteration":{"'
has '"nodes":8'
good place "$data/four-operations.json" --devices 4 --replicas 2 --degree 3 --quantum 1ms  # placement alone
says '11 tasks on 4 devices'
good place "$data/four-operations.json" --devices 4 --replicas 2 --degree 3 --quantum 1ms --format csv  # traffic
cp "$dir/out" "$dir/t.csv"
good circuits "$dir/t.csv" --network ocs:8x3  # its circuits
good circuits "$dir/t.csv" --network ring:8 -w 8  # its lightpaths
no place "$data/four-operations.json" --devices 4 --memory 5MB  # no memory
says 'expected at least'

bad_each circuits << 'END'
"$dir/one.csv"
--network ocs:4x5
"$dir/none.csv" --network ocs:4x5
"$dir/one.csv" --network ring:3
"$dir/one.csv" --network line:4
"$dir/one.csv" --network ring:4 --episodes 2
"$dir/one.csv" --network ocs:4x5 --one-way
"$dir/one.csv" --network ocs:4x5 --duty 0.9
"$dir/one.csv" --network ocs:4x5 --duty 1
"$dir/one.csv" --network ocs:4x5 --method best
END
bad place "$data/four-operations.json"
bad place "$dir/one.csv" --devices 4
bad place "$data/four-operations.json" --devices 4 --degree 0
bad circuits "$dir/one.csv" --network ocs:4x5 -o "$dir/none/c.json"
finish
