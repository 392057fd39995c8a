#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Networks and demands from files through `rwa assign`; its answers through `rwa check`; every kind of bad file.
# Usage: assign_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

# The answer is written, and the checker agrees with it; tests/assign has networks of all kinds.
good assign --network torus:3x4 --model undirected --time-limit 2 --format json -o "$dir/a.jsonl.gz"
for member in nodes links demands routed wavelengths bound optimal solver seconds '"check":"ok"' \
    '"model":"undirected"'; do
    has "$member"
done
[ "$(number routed)" -eq "$(number demands)" ]
holds "not all are routed"
good check "$dir/a.jsonl.gz"

# NSFNET: 91 pairs over 21 fibre pairs.
run assign --network nsfnet14-21 --time-limit 2 --format json
has '"links":21'
has '"demands":91'
# 195 hops in all over 21 fibre pairs: lower bound 10
run assign --network nsfnet14-21 --time-limit 2 -w 9 --format json
is 1 "nsfnet14-21 in 9 wavelengths"
# as many demands as 4 wavelengths serve
good assign --network nsfnet14-21 --time-limit 2 -w 4 --objective demands --format json -o "$dir/a.jsonl"
good check "$dir/a.jsonl"  # check an answer that serves some
routed=$(grep -c '"path":\[' "$dir/a.jsonl")
says "Not served        $((91 - routed)) demands"
says "and $((81 - routed)) more"
grep -q '"path":null,"why"' "$dir/a.jsonl"
holds "what is not served says why"

bad assign --solvers --network ring:5

# With the assignment on standard output the report goes to standard error.
"$rwa" assign --network ring:5 -o - > "$dir/a.jsonl" 2> "$dir/err"
grep -q Wavelengths "$dir/err"
holds "the summary goes to standard error"
good check "$dir/a.jsonl"  # check what -o - wrote

# First-fit over shortest routes: other routes need 13 wavelengths, so the load of its links bounds these routes only,
# even if the file does not say so.  Routes of a tree are the only ones.
run assign --network nsfnet14-21 --solver first-fit -o "$dir/first.jsonl"
says '16 wavelengths for these routes (load)'
sed 's/"fixed_routes":true,//' "$dir/first.jsonl" > "$dir/silent.jsonl"
for file in first silent; do
    good check "$dir/$file.jsonl"  # check of a bound for fixed routes
    says 'Lower bound       16 wavelengths for these routes (recomputed: it holds)'
    run check "$dir/$file.jsonl" --format json
    has '"value":16,"fixed_routes":true,"verified":true}'
done
# So is the load of a network whose links are not in pairs: another route leads from node 0 to node 3.
echo '{"directed":true,"nodes":4,"links":[[0,1],[1,2],[2,3],[3,0],[0,2],[1,3]]}' > "$dir/single.json"
echo 0,3,3 > "$dir/three.csv"
run assign --network "$dir/single.json" --demands "$dir/three.csv" --routing shortest -o "$dir/first.jsonl"
sed 's/"fixed_routes":true,//' "$dir/first.jsonl" > "$dir/silent.jsonl"
run check "$dir/silent.jsonl"
says 'Lower bound       3 wavelengths for these routes (recomputed: it holds)'
run assign --network line:5 --model directed --solver first-fit -o "$dir/tree.jsonl"
run check "$dir/tree.jsonl" --format json
has '"value":6,"fixed_routes":false,"verified":true}'

# Odd cuts: 57 rests on one set with 3 links.
good assign --network tree:2x3 --model undirected -o "$dir/odd.jsonl"  # an assignment proven by odd cuts
says '57 wavelengths (odd-cuts)'
good check "$dir/odd.jsonl"  # check odd cuts
says '57 wavelengths (recomputed: it holds)'

# A changed wavelength and a lost line are violations; a truncated line is bad input.
no_check 's/"wavelength":[0-9]*/"wavelength":0/' "$dir/a.jsonl"  # all on one wavelength
says channel
no_check 3d "$dir/a.jsonl"  # a demand without its line
says completeness
head -c -20 "$dir/a.jsonl" > "$dir/cut.jsonl"
bad check "$dir/cut.jsonl"

# A backup is no lightpath of its own.
"$rwa" assign --network ring:5 --demands random:3 --protection -o "$dir/backed.jsonl" > "$dir/out"
good check "$dir/backed.jsonl"
says "Lightpaths        3 and 3 backups, "
good explain "$dir/backed.jsonl"
says "Assignment        3 demands of 5 nodes"

# Files of every format and their options.
printf '0 1 10\n1 2 10\n2 0 10\n2 3 10\n' > "$dir/net.txt"
printf 'src,dst,count\n0,3,2\n1,2\n' > "$dir/demands.csv"
good assign --network "$dir/net.txt" --demands "$dir/demands.csv" --format json  # an edge list and a CSV of demands
has '"demands":3'
has '"model":"undirected"'
# no way around node 2 to node 3
no assign --network "$dir/net.txt" --demands random:20 --seed 3 --avoid 2 --format json
good assign --network "$dir/net.txt" --demands random:20 --seed 3 --format json  # random demands

# Bad files: one line, exit 2; the readers' tests have all kinds.
file() { printf "$2" > "$dir/$1"; }
file d.json '{"nodes":2,"nodes":3,"links":[[0,1]]}'
bad assign --network "$dir/d.json"
says "duplicate"
says d.json
file d.csv '0,9\n'
bad assign --network "$dir/net.txt" --demands "$dir/d.csv"
says "is unknown"
says d.csv

# Options that do not fit.
bad_each assign << 'END'

--network star:5
--network nowhere.graphml
--network ring:5 --demands nowhere.csv
--network ring:5 --demands random:0
--network ring:5 --model both
--network ring:5 --solver magic
--network ring:5 --avoid 7
--network ring:5 --objective demands
END
file directed.json '{"directed":true,"nodes":2,"links":[[0,1]]}'
bad assign --network "$dir/directed.json" --model undirected
run assign --network ring:5 -o "$dir/none/a.jsonl"
is 2 "a folder that is not there"
absent "$dir/none/a.jsonl" "no half file"
good assign --help  # help
says random:COUNT
# Slots: 13 wavelengths of NSFNET are 13 times the width and its guard; a file gives widths, and a demand without slots
# is named.
good assign --network nsfnet14-21 --width 3 --guard 1 --slots 100 -o "$dir/wide.jsonl"  # slots
says "52 of 12.5 GHz"
says "273 of 273 slots served"
good check "$dir/wide.jsonl"  # a check of slots
says "52 slots"
grep -q '"version":2' "$dir/wide.jsonl" && grep -q '"width":3,"guard":1' "$dir/wide.jsonl" &&
    grep -q '"slot_ghz":12.5' "$dir/wide.jsonl"
holds "the file of slots"
no_check 's/"width":3/"width":4/' "$dir/wide.jsonl"  # lightpaths wider than their slots
grep -q ', slot [0-9]* of link [0-9]* ([0-9]* - [0-9]*) is taken' "$dir/out" &&
    ! grep 'jsonl:[0-9]*: ' "$dir/out" | grep -q wavelength
holds "violations on slots"
# A refusal for want of time names the next step, by its flag.
run assign --network nsfnet14-21 --demands random:1000000 --solver exact --time-limit 2
is 3 "a million lightpaths in two seconds"
says "expected a longer --time-limit"
# By constants of the library, on any machine, auto takes 6 s for its first answer and first-fit 1.8 s.
good assign --network nsfnet14-21 --demands random:2000000 --time-limit 5.9  # two million lightpaths in 6 seconds
says "Found by          first-fit in "
says "Routes offered    1 for each lightpath, shortest"
says "auto would not keep the time limit of 5.9 s"
says "Check             ok"
# Very many lightpaths on few slots: the limit ends the search for slots for all, and those given still serve what they
# can.
no assign --network nsfnet14-21 --demands random:200000 --width 2 --slots 320 --time-limit 0.5
says "320 slots serve "
no assign --network nsfnet14-21 --width 4 --slots 30 --format json  # too few slots
has '"slots_requested":364'
has '"outcome":"infeasible"'
good assign --network nsfnet14-21 --width 4 --slots 30 --objective traffic  # most traffic
file widths.csv 'src,dst,count,via,width,rate\n0,1,2,,4,100G\n0,2,1,,1\n1,3\n'
good assign --network ring:4 --model undirected --demands "$dir/widths.csv" --guard 1 --solver best-fit
says "of 12.5 GHz"
good assign --network line:3 --demands random:1 --solver least-fragmentation
# Two lightpaths of 3 slots, one each way round: either way has room for one on 3 slots.
file twice.csv '0,2,2\n'
good assign --network ring:4 --demands "$dir/twice.csv" --width 3 --slots 8 --routing min-load --solver first-fit
says "Slots             3 of"
bad_each assign --network ring:4 << 'END'
--demands "$dir/widths.csv" --width 2
--width 2 -w 8
--slots 8 -w 8
--width 0
--guard -1
--slots 0
--width 2 --solver dsatur
--objective traffic
END
file slots.json '{"nodes":3,"slots":8,"links":[[0,1],[1,2]]}'
good assign --network "$dir/slots.json" --width 3  # slots of a network file
says "6 of 12.5 GHz"
bad assign --network "$dir/slots.json" -w 4
for slots in 0 -1 '"8"' 1.5 9999999; do
    file slots.json '{"nodes":3,"slots":'"$slots"',"links":[[0,1],[1,2]]}'
    bad assign --network "$dir/slots.json"
done

# Formats: by reach all are served, BPSK has no limit; by GSNR of a lossy plant some demands are too far.
good assign --network nsfnet14-21 --modulations reach --format json  # formats by reach
has '"device":null,"modulations":"reach"'
has '"outcome":"optimal"'
no assign --network nsfnet14-21 --device ssmf-roadm --rate 100G -w 16 --format json  # formats by GSNR
has '"routed":75'
has '"formats":[{"modulation":"QPSK-32","lightpaths":75}]'
has '"outcome":"infeasible"'
no assign --network nsfnet14-21 --device ssmf-roadm --rate 100G -w 16  # formats by GSNR in text
says "no modulation format carries 100 Gbit/s over a route"
good assign --network polska12-18 --device ssmf-roadm --rate 100G -o "$dir/light.jsonl"  # an assignment with formats
good check "$dir/light.jsonl" --device ssmf-roadm  # its GSNR
says "GSNR              66 lightpaths; least margin"
run check "$dir/light.jsonl" --device ssmf-roadm --format json
has '"gsnr":{"lightpaths":66'
no_check 's/QPSK-32/64QAM-32/' "$dir/light.jsonl" --device ssmf-roadm  # formats that do not reach
says "64QAM-32 needs 22.00 dB"
bad_check 's/"modulation":"QPSK-32"/"modulation":7/' "$dir/light.jsonl"
bad_check 's/,"modulation":"QPSK-32"//' "$dir/light.jsonl" --device ssmf-roadm  # nothing is violated
says "names no modulation formats, expected an assignment made with a device"
no assign --network polska12-18 --device ssmf -w 4 --rate 10T -o "$dir/dark.jsonl"  # no lightpath, so no format
good check "$dir/dark.jsonl" --device ssmf
bad plan --network ring:8 --device ssmf
says "a fibre profile is for rwa assign, gsnr and check"
bad_check 's/"lengths_km":\[[0-9]*,/"lengths_km":[-5,/' "$dir/light.jsonl"
bad check "$dir/light.jsonl" --device onoc-typical
bad check "$dir/light.jsonl" --device ssmf --power-model paper
# Flexible grids: 400 Gbit/s take 6 slots of 16QAM over one hop of 1100 km, 12 of QPSK over 2100 km.
printf '0,1,1,,,400G\n0,3,1,,,400G\n2,9,1,,,100G\n' > "$dir/rates.csv"
# demands by rate
good assign --network nsfnet14-21 --demands "$dir/rates.csv" --device ssmf --routing shortest -o "$dir/rates.jsonl"
grep -q '"src":0,"dst":1,"width":6,.*"modulation":"16QAM-64"' "$dir/rates.jsonl" &&
    grep -q '"dst":3,"width":12,' "$dir/rates.jsonl"
holds "widths by format"
good check "$dir/rates.jsonl" --device ssmf  # their GSNR
bad_each assign --network nsfnet14-21 << 'END'
--slots 400 --device ssmf --rate 400G
--slots 320 --device ssmf --width 3
--device nothing
--device onoc-typical
--device ssmf --modulations reach
END
bad check "$dir/absent.jsonl" --modulations reach
says "cannot read"
bad_each assign --network << 'END'
nsfnet14-21 --modulations coherent
nsfnet14-21 --device ssmf -w 97
ring:8 --device ssmf
nsfnet14-20 --device ssmf
END

finish
