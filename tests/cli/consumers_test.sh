#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is written for other tools, read by them where they are installed: igraph, networkx, GNPy.
# Usage: consumers_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"
judges=$(dirname "$0")/../consumers
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# Networks: NAME NODES EDGES
while read -r spec nodes edges; do
    good network --network "$spec" --format graphml -o "$dir/n.graphml"  # graphml of $spec
    "$python" "$judges/graphs.py" "$dir/n.graphml" "$nodes" "$edges" > "$dir/out" 2>&1
    holds "graphml of $spec"
    good network --network "$dir/n.graphml"  # graphml of $spec read back
done <<END
nsfnet14-21 14 21
ring:16 16 16
line:9 9 8
mesh:3x5 15 22
star:8 9 8
ron:6 7 6
ocs:6x3 9 18
END
good network --network torus:4x4  # a network in words
says '64 directed links, in 32 fibre pairs'
for format in json sndlib gnpy; do
    good network --network nsfnet14-21 --format "$format" -o "$dir/n.$format"  # $format
done
cp "$dir/n.gnpy" "$dir/n-gnpy.json"
run network --network "$dir/n-gnpy.json"
says '21 fibre pairs'
bad_each network << 'END'

--network ring:8 --format excel
--network ring:8 -o "$dir/x"
--network star:8 --format json
END
says 'lists no links'
bad network --network ring:8 --format json -o "$dir/none/x"
absent "$dir/x" "refused networks"

# Assignments
good assign --network nsfnet14-21 -o "$dir/a.jsonl"  # an assignment
good export "$dir/a.jsonl" --to gnpy -o "$dir/gnpy"  # export to gnpy
"$python" "$judges/gnpy_folder.py" "$dir/gnpy" 91 > "$dir/out" 2>&1
holds "gnpy"
says '91 requests on 13 slots'
if "$python" -c 'import gnpy' 2> "$dir/null"; then
    "$python" -c 'from gnpy.tools.cli_examples import path_requests_run as run; run()' "$dir/gnpy/topology.json" \
        "$dir/gnpy/services.json" -e "$dir/gnpy/equipment.json" -o "$dir/reply.json" > "$dir/out" 2>&1
    holds "GNPy refuses the folder"
else
    echo "GNPy not found: the folder is judged by tests/consumers/gnpy_folder.py alone"
fi
run assign --network torus:4x4 --model directed -o "$dir/d.jsonl"
# directed requests on the grid of a device
good export "$dir/d.jsonl" --to gnpy --device optree-paper -o "$dir/directed"
"$python" "$judges/gnpy_folder.py" "$dir/directed" 240 > "$dir/out" 2>&1
holds "gnpy, directed"
good export "$dir/a.jsonl" --to sndlib -o "$dir/a.txt"  # export to sndlib
run assign --network "$dir/a.txt" --demands "$dir/a.txt" --format json
has '"demands":91'
has '"wavelengths":13'
run export "$dir/a.jsonl" --to table -o -
says 'demand  from'
run assign --network nsfnet14-21 --format csv
says 'demand,copy,role,src,dst,route,hops,fiber,wavelength,width,why'
good assign --network nsfnet14-21 --format table -o "$dir/b.jsonl"  # a table and a file
no assign --network nsfnet14-21 --wavelengths 5 --format table  # a table of what is served
says 'not served'
bad assign --network nsfnet14-21 --format csv -o -

command=$(cd "$(dirname "$rwa")" && pwd)/$(basename "$rwa")
# Figures, where a program makes them of SVG
run plan --network ring:8 -w 2 -o "$dir/p.jsonl"
good show "$dir/p.jsonl" -o "$dir/p.svg"  # SVG
for kind in pdf png; do
    if command -v rsvg-convert > "$dir/null" || command -v inkscape > "$dir/null"; then
        good show "$dir/p.jsonl" -o "$dir/p.$kind"  # $kind
        head -c 5 "$dir/p.$kind" | grep -a -q -e '%PDF' -e 'PNG'
        holds "p.$kind is a $kind"
    else
        echo "rsvg-convert and inkscape not found: no $kind made"
    fi
    mkdir -p "$dir/empty"
    (PATH=$dir/empty; export PATH; exec "$command" show "$dir/p.jsonl" -o "$dir/q.$kind") > "$dir/out" 2> "$dir/err"
    code=$?
    is 2 "$kind without a program that makes it"
    one_line "$kind without a program"
    absent "$dir/q.$kind" "a figure that nothing makes"
    bad show "$dir/p.jsonl" -o "$dir/p.$kind.gz"
done

# Integer programs as files
good assign --network mesh:3x3 --solver ilp --write-lp "$dir/p.lp"  # assign with --write-lp
says 'Integer programs  1 written'
grep -q '^Subject To' "$dir/p.lp"
holds "p.lp is an LP"
# Each lightpath of the 72 has a row of its own variables.
tr '\n' ' ' < "$dir/p.lp" | sed 's/ \([a-z0-9_]*:\)/\n\1/g' |
    awk '/^demand_d/ { sub(":", "", $1); n = substr($1, 9); rows++
        for (i = 2; i <= NF && $i != "="; i++) if ($i != "+" && index($i, "x_d" n "_r") != 1) wrong++ }
        END { exit rows != 72 || wrong > 0 }'
holds "the names of p.lp"
! grep -q '[zr]_[0-9]' "$dir/p.lp"
holds "a number for a name in p.lp"
run assign --network nsfnet14-21 --routing min-load --write-lp "$dir/p.mps"
grep -q '^ROWS' "$dir/p.mps"
holds "p.mps is MPS"
grep -q ' x_k0_r0 ' "$dir/p.mps" && grep -q 'link_l0$' "$dir/p.mps"
holds "the names of p.mps"
run assign --network tree:2x2 --slots 12 --guard 1 --solver ilp --write-lp "$dir/s.lp"
grep -q "x_d0_r0_w0" "$dir/s.lp" && grep -q "used_w0" "$dir/s.lp"
holds "the names of s.lp"
run plan --network ring:9 -w 2 --scheme one-stage --solver ilp --write-lp "$dir/q.lp"
says 'Integer programs  2 written'
[ -s "$dir/q.lp" ] && [ -s "$dir/q-2.lp" ]
holds "both directions of the ring are written"
printf 'src,dst,bytes\n0,1,100\n1,2,50\n2,3,70\n' > "$dir/t.csv"
run circuits "$dir/t.csv" --network ocs:4x2 --method ilp --write-lp "$dir/c.lp"
says 'Integer programs  1 written'
grep -q ' flow_2_3: .*x_2_3' "$dir/c.lp"
holds "the names of c.lp"
run assign --network mesh:3x3 --solver first-fit --write-lp "$dir/none.lp"
says 'none was solved'
absent "$dir/none.lp" "a program of first-fit"
bad assign --network mesh:3x3 --solver ilp --write-lp "$dir/none/p.lp"
bad_each export "$dir/a.jsonl" << 'END'
--to msccl -o "$dir/x"
--expand -o "$dir/x"
--to csv --step 1 -o "$dir/x"
--to gnpy -o -
--to gnpy -o "$dir/gnpy"
END

# Programs: Chakra traces are carried out by a model; protoc decodes them by the schema where it is installed.
for plan in "ring:8 all-reduce wavefront" "ring:8 all-gather wavefront" "torus:3x3 all-reduce auto" \
    "line:6 all-gather auto"; do
    # shellcheck disable=SC2086
    set -- $plan
    good plan --network "$1" -w 2 --collective "$2" --scheme "$3" -o "$dir/p.jsonl"  # plan $plan
    bytes=$(head -n 1 "$dir/p.jsonl" | sed 's/.*"block_bytes":\([0-9]*\).*/\1/')
    blocks=$(head -n 1 "$dir/p.jsonl" | sed 's/.*"blocks":\([0-9]*\).*/\1/')
    nodes=$(head -n 1 "$dir/p.jsonl" | sed 's/.*"nodes":\([0-9]*\).*/\1/')
    good export "$dir/p.jsonl" --to chakra -o "$dir/chakra"  # chakra of $plan
    "$python" "$judges/chakra.py" "$dir/chakra" "$nodes" "$bytes" "$2" "$blocks" > "$dir/out" 2>&1
    holds "chakra of $plan"
    good import "$dir/chakra" --network "$1" -w 2 -o "$dir/back.jsonl"  # chakra of $plan read back
    good check "$dir/back.jsonl"  # chakra of $plan read back and checked
    rm -r "$dir/chakra"
    good export "$dir/p.jsonl" --to mscclpp -o "$dir/p.json"  # mscclpp of $plan
done
run plan --network ring:6 -w 2 --collective all-to-all -o "$dir/p.jsonl"
good export "$dir/p.jsonl" --to chakra -o "$dir/chakra"  # chakra of an all-to-all
bytes=$(head -n 1 "$dir/p.jsonl" | sed 's/.*"block_bytes":\([0-9]*\).*/\1/')
"$python" "$judges/chakra.py" "$dir/chakra" 6 "$bytes" > "$dir/out" 2>&1
holds "chakra of an all-to-all"
bad export "$dir/p.jsonl" --to mscclpp -o "$dir/x"
bad export "$dir/p.jsonl" --to chakra --step 1 -o "$dir/y"
run plan --network ring:64 -w 4 -o "$dir/p.jsonl"
bad export "$dir/p.jsonl" --to mscclpp -o "$dir/x"
says 'at most 64'
run plan --network ring:8 -w 2 -o "$dir/p.jsonl"
bad export "$dir/p.jsonl" --to table -o "$dir/x"
absent "$dir/x" "refused exports"
finish
