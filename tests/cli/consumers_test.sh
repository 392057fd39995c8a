#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is written for other tools, read by them where they are installed: igraph, networkx, GNPy.  Usage: consumers_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"
judges=$(dirname "$0")/../consumers
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# Networks: NAME NODES EDGES
while read -r spec nodes edges; do
    run network --network "$spec" --format graphml -o "$dir/n.graphml"
    is 0 "graphml of $spec"
    "$python" "$judges/graphs.py" "$dir/n.graphml" "$nodes" "$edges" > "$dir/out" 2>&1
    verdict $? "graphml of $spec: $(tail -n 1 "$dir/out")"
    run network --network "$dir/n.graphml"
    is 0 "graphml of $spec read back"
done <<END
nsfnet14-21 14 21
ring:16 16 16
line:9 9 8
torus:4x4 16 32
mesh:3x5 15 22
hypercube:4 16 32
tree:2x3 15 14
fat-tree:4 36 48
circulant:9:1,2 9 18
star:8 9 8
ron:6 7 6
ocs:6x3 9 18
END
run network --network torus:4x4
is 0 "a network in words"
says '64 directed links, in 32 fibre pairs'
for format in json sndlib gnpy; do
    run network --network nsfnet14-21 --format "$format" -o "$dir/n.$format"
    is 0 "$format"
done
cp "$dir/n.gnpy" "$dir/n-gnpy.json"
run network --network "$dir/n-gnpy.json"
says '21 fibre pairs'
bad 2 network
bad 2 network --network ring:8 --format excel
bad 2 network --network ring:8 -o "$dir/x"
bad 2 network --network star:8 --format json
says 'lists no links'
bad 4 network --network ring:8 --format json -o "$dir/none/x"
absent "$dir/x" "refused networks"

# Assignments
run assign --network nsfnet14-21 -o "$dir/a.jsonl"
is 0 "an assignment"
run export "$dir/a.jsonl" --to gnpy -o "$dir/gnpy"
is 0 "export to gnpy"
"$python" "$judges/gnpy_folder.py" "$dir/gnpy" 91 > "$dir/out" 2>&1
verdict $? "gnpy: $(tail -n 1 "$dir/out")"
says '91 requests on 13 slots'
if "$python" -c 'import gnpy' 2> "$dir/null"; then
    "$python" -c 'from gnpy.tools.cli_examples import path_requests_run as run; run()' "$dir/gnpy/topology.json" \
        "$dir/gnpy/services.json" -e "$dir/gnpy/equipment.json" -o "$dir/reply.json" > "$dir/out" 2>&1
    verdict $? "GNPy refuses the folder: $(tail -n 1 "$dir/out")"
else
    echo "GNPy not found: the folder is judged by tests/consumers/gnpy_folder.py alone"
fi
run assign --network torus:4x4 --model directed -o "$dir/d.jsonl"
run export "$dir/d.jsonl" --to gnpy --device optree-paper -o "$dir/directed"
is 0 "directed requests on the grid of a device"
"$python" "$judges/gnpy_folder.py" "$dir/directed" 240 > "$dir/out" 2>&1
verdict $? "gnpy, directed: $(tail -n 1 "$dir/out")"
run export "$dir/a.jsonl" --to sndlib -o "$dir/a.txt"
is 0 "export to sndlib"
run assign --network "$dir/a.txt" --demands "$dir/a.txt" --format json
has '"demands":91'
has '"wavelengths":13'
run export "$dir/a.jsonl" --to table -o -
says 'demand  from'
run assign --network nsfnet14-21 --format csv
says 'demand,copy,role,src,dst,route,hops,fiber,wavelength,width,why'
run assign --network nsfnet14-21 --format table -o "$dir/b.jsonl"
is 0 "a table and a file"
run assign --network nsfnet14-21 --wavelengths 5 --format table
is 1 "a table of what is served"
says 'not served'
bad 2 assign --network nsfnet14-21 --format csv -o -
bad 2 export "$dir/a.jsonl" --to msccl -o "$dir/x"
bad 2 export "$dir/a.jsonl" --expand -o "$dir/x"
bad 2 export "$dir/a.jsonl" --to csv --step 1 -o "$dir/x"
bad 2 export "$dir/a.jsonl" --to gnpy -o -
bad 4 export "$dir/a.jsonl" --to gnpy -o "$dir/gnpy"
run plan --network ring:8 -w 2 -o "$dir/p.jsonl"
bad 2 export "$dir/p.jsonl" --to table -o "$dir/x"
absent "$dir/x" "refused exports"
finish
