#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Power from outside: every profile, both models, and the effect of changes of the profile.  Usage: power_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"
devices=$(dirname "$0")/../../data/devices

figure() { sed -n "s/.*\"$1\": \(-\{0,1\}[0-9.e+-]*\).*/\1/p" "$dir/out"; }

# Each profile gives a plan that the checker confirms with the same figures, or a refusal that gives the reach.
for file in "$devices"/*.json; do
    device=$(basename "$file" .json)
    for network in ring:16 line:9; do
        rm -f "$dir/plan.jsonl"
        run plan --network $network --device "$device" --format json -o "$dir/plan.jsonl"
        if [ $code -eq 1 ]; then
            says "longest feasible lightpath has"
            absent "$dir/plan.jsonl" "$network on $device"
            continue
        fi
        is 0 "$network on $device"
        sed -n 's/.*"power": \({[^}]*}\).*/\1/p' "$dir/out" > "$dir/planned"
        good check "$dir/plan.jsonl" --device "$device" --format json  # check of $network on $device
        sed -n 's/.*"power": \({[^}]*}\).*/\1/p' "$dir/out" | cmp -s - "$dir/planned" && [ -s "$dir/planned" ]
        holds "$network on $device: the plan"
    done
done

# A value missing from the profile leaves the verdict open.
run plan --network ring:16 --device optree-paper --format json
has '"feasible":null'
has '"unchecked":["laser_dbm"'

# A plan that lacks power is no alternative: optree's has lightpaths of 8 hops, and the device reaches 1.
run plan --network ring:16 -w 2 --device conservative --format json
tr -d ' \n' < "$dir/out" | sed 's/.*"runners_up":\[//; s/\].*//' | grep -o '"scheme":"[^"]*' |
    cut -c 11- > "$dir/others"
while read -r scheme; do
    good plan --network ring:16 -w 2 --device conservative --scheme "$scheme" < /dev/null
done < "$dir/others"
[ -s "$dir/others" ] && ! grep -q optree "$dir/others"
holds "alternatives: $(cat "$dir/others")"

# A device that cannot reach the next node.
sed 's/"laser_dbm": [0-9.][0-9.]*/"laser_dbm": -30/' "$devices/onoc-typical.json" > "$dir/dark.json"
no plan --network ring:16 --device "$dir/dark.json" -o "$dir/none.jsonl"  # a laser too weak
says "longest feasible lightpath has 0 hops"
absent "$dir/none.jsonl" "a laser too weak"

# Many micro-rings at every node: the work must not grow with their number times the lightpaths times the hops.
sed 's/"wavelengths": [0-9][0-9]*/"wavelengths": 4096/; s/"spacing_ghz": [0-9][0-9]*/"spacing_ghz": 10/
    s/"ring_pass_db": [0-9.][0-9.]*/"ring_pass_db": 0/' "$devices/onoc-typical.json" > "$dir/wide.json"
timeout 20 "$rwa" plan --network ring:96 --scheme one-stage --device "$dir/wide.json" > "$dir/out" 2> "$dir/err"
code=$?
is 1 "4096 wavelengths"
says "lightpaths fail under device"

# A thousand: the power of plans with all of them at work takes minutes to compute, so "auto" leaves them out.
sed 's/"wavelengths": [0-9][0-9]*/"wavelengths": 1000/' "$devices/onoc-typical.json" > "$dir/thousand.json"
timeout 30 "$rwa" plan --network ring:16 --device "$dir/thousand.json" > "$dir/out" 2> "$dir/err"
code=$?
is 0 "1000 wavelengths"
says "Power             ok"

# A plan of more wavelengths than the grid of a device: each lightpath outside is named with its record and the grid.
header='{"format":"rwa-schedule","version":1,"network":{"kind":"line","nodes":3,"fibers":1,"wavelengths":64},'
printf '%s\n' "$header"'"collective":"broadcast","root":0,"blocks":2,"block_bytes":8,"steps":2,"scheme":"hand"}' \
    '{"step":1,"src":0,"dst":2,"dir":"cw","fiber":0,"wavelength":0,"block":0}' \
    '{"step":1,"src":0,"dst":1,"dir":"cw","fiber":0,"wavelength":1,"block":0}' \
    '{"step":2,"src":0,"dst":2,"dir":"cw","fiber":0,"wavelength":15,"block":1}' \
    '{"step":2,"src":0,"dst":1,"dir":"cw","fiber":0,"wavelength":16,"block":1}' > "$dir/wide.jsonl"
good check "$dir/wide.jsonl"  # 17 wavelengths without a device
no check "$dir/wide.jsonl" --device aggressive  # wavelength 16 of a grid of 16
says "wide.jsonl:5: power: step 2: lightpath 0 to 1 on wavelength 16, outside the device's grid of wavelengths 0..15"
says "Power             FAILS on aggressive, 1 lightpath outside its grid of wavelengths 0..15"
run check "$dir/wide.jsonl" --device aggressive --format json
has '"violations":1'
has '"kind":"power","step":2,"lightpath":3,"link":null,"wavelength":16'
has '"feasible":false'
sed 's/"laser_dbm": [0-9.][0-9.]*/"laser_dbm": -30/; s/"wavelengths": [0-9]*/"wavelengths": 64/
    s/"spacing_ghz": [0-9.]*/"spacing_ghz": 50/' "$devices/onoc-typical.json" > "$dir/dark.json"
no check "$dir/wide.jsonl" --device "$dir/dark.json" --format json  # a dark laser
has '"kind":"power","step":1,"lightpath":0,'
has '"kind":"power","step":1,"lightpath":1,'
has '"kind":"power","step":2,"lightpath":2,'
has '"kind":"power","step":2,"lightpath":3,'

# Where no device profile describes the network, the report says that this is why.
run plan --network torus:3x3 -w 4 --device aggressive --scheme one-stage -o "$dir/torus.jsonl"
says "not checked on aggressive: beyond rings and lines a profile must give paper_pass_db (dB per node)"
for command in "plan --network torus:3x3 -w 4 --scheme one-stage" "check $dir/torus.jsonl" \
    "compare --network torus:3x3 -w 4 --scheme one-stage"; do
    # shellcheck disable=SC2086 # words
    good $command --device aggressive --format json  # $command
    has '"unchecked":["beyondringsandlinesaprofilemustgivepaper_pass_db(dBpernode)"]'
done
run compare --network torus:3x3 -w 4 --scheme one-stage --device aggressive
says "Power is not checked: beyond rings and lines a profile must give paper_pass_db (dB per node)."

# A group size that the planner tried itself is not the caller's mistake.
no plan --network ring:16 --scheme optree --device conservative
says "No plan: power"
# Lightpaths of one link pass.
good plan --network ring:16 --collective broadcast --device conservative
says "Power             ok"
# Light whose power is not fully checked may go farther than the reach of a device, which then says nothing about the
# fewest steps.
# a scatter over paths of many hops
good plan --network mesh:14x14 -w 4 --collective scatter --cost circuit --device conservative --scheme compose \
    --format json
says '"gap_steps": 3,'

# A lightpath of one hop passes 63 rings of others in banks of 64, whatever they lose: also where the loss of a bank
# is beyond the range of a double, and all light is dark, where half of all bits are wrong.
good plan --network ring:16 --scheme ring -q -o "$dir/ring.jsonl"
for loss in 10 60; do
    sed "s/\"ring_pass_db\": [0-9.]*,/\"ring_pass_db\": $loss,/" "$devices/synthetic-64.json" > "$dir/lossy.json"
    no check "$dir/ring.jsonl" --device "$dir/lossy.json" --format json
    figure margin_db >> "$dir/margins"
    awk -v ber="$(figure worst_log10_ber)" 'BEGIN { exit !((ber - log(0.5) / log(10)) ^ 2 < 1e-12) }'
    holds "bit errors in the dark at $loss dB"
done
awk '{ m[NR] = $1 } END { exit !((m[1] - m[2] - 63 * 50) ^ 2 < 1e-12) }' "$dir/margins"
holds "63 rings of 10 and 60 dB: $(cat "$dir/margins")"
finish
