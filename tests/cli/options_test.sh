#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every option is read or refused by name, never ignored.  Usage: options_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

refused() {  # OPTION COMMAND ...: exit 2, one line that begins with the option
    option=$1
    shift
    bad "$@"
    grep -q -e "^rwa: $option\\b" "$dir/err"
    holds "rwa $*: expected a line that begins with $option, got"
}

# plan: an option that the scheme does not read; the line names the schemes that do.  tests/plan/settings_test asks all
# schemes for all options.
refused --order plan --network ring:16 --scheme wavefront --order start
says one-stage
refused --radix plan --network nsfnet14-21 --radix 4,4
says "elsewhere by optree"
refused --max-drops plan --network ocs:9x2 --max-drops 3
says "elsewhere by line-wavefront, wavefront"
refused --group plan --network star:9 --group 3
refused --split-steps plan --network ring:9 --split-steps 1
says "by tcp"

# Read by the scheme, but not for this collective.
refused --max-drops plan --network ring:16 --max-drops 3 --collective broadcast
says "by no scheme for broadcast on a ring"

# Two options need one scheme that reads both.
refused "--last-exchange and --max-drops" plan --network ring:16 -w 2 --collective all-reduce --last-exchange tree \
    --max-drops 3
refused --solver plan --network star:8 --collective broadcast --split-steps 1 --solver ilp

# An unsuitable value is refused by the option's name; a group larger than the network is one of all nodes.
refused --radix plan --network ring:16 --radix 3,5
refused --radix plan --network ring:16 --radix 1,16
refused --radix plan --network torus:4x4 --radix 4
refused --stages plan --network ring:16 --stages 9
refused --stages plan --network torus:4x4 --stages 2
for scheme in wrht h-ring; do
    refused --group plan --network ring:16 --collective all-reduce --scheme "$scheme" --group 1
    run plan --network ring:16 -w 4 --collective all-reduce --scheme "$scheme" --group 100
    says "$scheme, groups of 16"
done
refused --group plan --network ring:16 --collective broadcast --group 2

# compare: each scheme reads its own options; an option that none reads is refused.
refused --radix compare --network ring:16 --scheme ring,wrht --radix 4,4
says "radix: read by none of the schemes compared, but by optree"
refused --split-steps sweep --nodes 16 --split-steps 1 --scheme ring

# Any number of blocks, by auto and each scheme.
good plan --network ring:16 -w 2 --blocks 17
says "17 blocks of"
good compare --network ring:16 -w 2 --blocks 32

# A load factor of 1 is one block on each lightpath, or no plan.
no plan --network ring:64 -w 8 --message 1kB --scheme standing --load-factor 1
says "allowed; scheme auto, or no --load-factor, would do"

# A group of the tree is a holder and as many nodes on each side: of 4 nodes it has 3, and says so.
for group in 3 4; do
    run plan --network ring:16 -w 4 --collective broadcast --scheme tree --group $group --format json \
        -o "$dir/tree$group.jsonl"
    has '"group":3,'
    has '"formula_steps":3,'
done
same "$dir/tree3.jsonl" "$dir/tree4.jsonl" "groups of 4 are groups of 3"
run plan --network ring:16 -w 4 --collective broadcast --scheme tree --group 5
says "tree, groups of 5"

# The report stays narrow, whatever schemes are compared.
run plan --network torus:4x4 -w 4 --message 100MB -q
[ "$code" -eq 0 ] && [ "$(awk '{ if (length($0) > most) most = length($0) } END { print most }' "$dir/out")" -le 160 ]
holds "no line of a report has more than 160 characters"

# Options that depend on another option, on the collective or on the network.
refused --root plan --network ring:8 --root 3
refused --root bounds --network ring:8 --root 3 --collective all-to-all
refused --root sweep --nodes 8 --root 3
refused --power-model plan --network ring:8 --power-model paper
refused --tuning plan --network ring:8 --tuning 2
refused --fibers plan --network ocs:8x2 --fibers 3
refused --alpha bounds --network ring:8 --alpha 5us
good bounds --network ring:8 --alpha 5us --cost circuit  # a start-up in the circuit model
refused --at-step plan --network ring:8 --at-step 2
run plan --network ring:8 -w 2 -o "$dir/plan.jsonl"
run plan --network ring:8 -w 2 --scheme wavefront --max-drops 3 -o "$dir/taps.jsonl"
refused --repair plan --repair "$dir/taps.jsonl" --fail 2 --at-step 1
says "taps.jsonl: a lightpath that several nodes read"
says "without --max-drops"
for option in --scheme=ring --collective=broadcast --radix=4,4 --wavelengths=3 --message=1kB --max-drops=3 \
    --members=0-3; do
    refused "${option%%=*}" plan --repair "$dir/plan.jsonl" --fail 2 --at-step 1 "$option"
done
refused --paths assign --network ring:5 --routing shortest --paths 3
refused --rate assign --network ring:5 --rate 10G
refused --paths traffic --network ring:5 --load 5 --paths 3
refused --power-model check "$dir/plan.jsonl" --power-model paper
refused --power-model show "$dir/plan.jsonl" --power-model paper
refused --device export "$dir/plan.jsonl" --to csv --device onoc-typical -o "$dir/x"
refused --changes export "$dir/plan.jsonl" --to csv --changes -o "$dir/x"
refused --node export "$dir/plan.jsonl" --to harvest --node 1 -o "$dir/x"
refused --format export "$dir/plan.jsonl" --to csv --format json -o "$dir/x"
refused --step export "$dir/plan.jsonl" --expand --step 1 -o "$dir/x"
refused --node show "$dir/plan.jsonl" --node 1 -o "$dir/x.html"
refused --node show "$dir/plan.jsonl" --node 1 -o "$dir/x.svg"
refused --device show "$dir/plan.jsonl" --device onoc-typical
refused --power-model show "$dir/plan.jsonl" --gantt --device onoc-typical --power-model paper -o "$dir/x.svg"
refused --gantt show "$dir/plan.jsonl" --gantt
refused --step show "$dir/plan.jsonl" --gantt --step 1 -o "$dir/x.svg"
run export "$dir/plan.jsonl" --to csv -o "$dir/plan.csv"
for option in --root=3 --message=7kB --solver=ilp; do
    refused "${option%%=*}" import "$dir/plan.csv" "$option"
done
bad import "$dir/plan.csv" --blocks 3
run plan --network ring:8 -w 2 --scheme wavefront -o "$dir/far.jsonl"
run export "$dir/far.jsonl" --to csv -o "$dir/far.csv"
no import "$dir/far.csv" --max-hops 1  # an imported lightpath longer than the limit
says "more than --max-hops 1"
printf 'src,dst,bytes\n0,1,100\n1,2,100\n' > "$dir/traffic.csv"
refused --wavelengths circuits "$dir/traffic.csv" --network ocs:4x2 -w 4
refused --one-way place "$dir/traffic.csv" --devices 2 --one-way

finish
