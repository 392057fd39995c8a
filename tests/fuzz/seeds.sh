#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the command itself writes, as seeds for its readers, and files for its command line to read.
# Usage: seeds.sh RWA BUILD
rwa=$1
build=$2
data=$(cd "$(dirname "$0")/../.." && pwd)/data
mkdir -p "$build/files"
for reader in schedule assignment network-json device fiber modulations demands-json openconfig; do
    mkdir -p "$build/seeds/$reader"
done

plan() {  # name, arguments
    name=$1
    shift
    "$rwa" plan -q "$@" -o "$build/seeds/schedule/$name.jsonl" > /dev/null 2>&1
}
for kind in all-gather all-reduce reduce-scatter broadcast scatter gather all-to-all reduce; do
    plan "ring-$kind" --network ring:6 -w 2 --collective $kind
    plan "star-$kind" --network star:5 --ports 1 --tuning 1 --collective $kind
    plan "torus-$kind" --network torus:3x3 -w 2 --collective $kind
done
plan ron --network ron:6 --ports 2 --collective broadcast
plan ocs --network ocs:5x2
plan line --network line:7 -w 2 --scheme optree
plan split --network ring:9 --collective broadcast --scheme tcp --blocks 3
gzip -n -c "$build/seeds/schedule/ring-all-gather.jsonl" > "$build/seeds/schedule/ring.jsonl.gz"

for kind in all-gather all-reduce broadcast; do
    plan "four-$kind" --network ring:4 -w 2 --collective $kind
    for format in csv msccl harvest; do
        mkdir -p "$build/seeds/import-$format"
        "$rwa" export "$build/seeds/schedule/four-$kind.jsonl" --to $format -o "$build/seeds/import-$format/$kind" \
            > /dev/null 2>&1
    done
done

for net in abilene12-15 polska12-18; do
    cp "$data/networks/$net.json" "$build/seeds/network-json/"
    "$rwa" assign -q --network $net --demands random:9 --time-limit 1 -o "$build/seeds/assignment/$net.jsonl" \
        > /dev/null 2>&1
done
"$rwa" assign -q --network mesh:3x3 --protection --demands random:5 --time-limit 1 \
    -o "$build/seeds/assignment/mesh.jsonl" > /dev/null 2>&1
cp "$data"/devices/*.json "$build/seeds/device/"
cp "$data"/fibers/*.json "$build/seeds/fiber/"
cp "$data"/modulations/*.json "$build/seeds/modulations/"
cp "$data"/demands/*.json "$build/seeds/demands-json/"

cp "$build/seeds/schedule/ring-all-gather.jsonl" "$build/files/plan.jsonl"
cp "$build/seeds/schedule/ring-all-reduce.jsonl" "$build/files/sum.jsonl"
cp "$build/seeds/assignment/polska12-18.jsonl" "$build/files/a.jsonl"
cp "$data/networks/polska12-18.json" "$build/files/net.json"
cp "$data/devices/synthetic-64.json" "$build/files/dev.json"
printf 'src,dst,bytes\n0,1,1e6\n1,2,5e5\n2,0,3\n' > "$build/files/traffic.csv"
printf '0,3,2\n4,5\n' > "$build/files/demands.csv"
printf '{"tasks":[{"name":"A","duration":1},{"name":"B","duration":2}],"edges":[["A","B",5e5]]}' \
    > "$build/files/tasks.json"
"$rwa" export "$build/files/plan.jsonl" --to csv -o "$build/files/plan.csv" > /dev/null 2>&1
"$rwa" export "$build/files/plan.jsonl" --to openconfig --device onoc-typical --node 1 --step 1 \
    -o "$build/seeds/openconfig/n1.json" > /dev/null 2>&1
[ -s "$build/files/plan.jsonl" ] && [ -s "$build/seeds/openconfig/n1.json" ]
