#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Link budgets against an independent script and against sums by hand.  Usage: budget_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"
devices=$(dirname "$0")/../../data/devices

if python3 -c '' 2> /dev/null; then
    python3 "$(dirname "$0")/../power/link_budget.py" "$rwa" "$devices" "$dir" > "$dir/out" 2> "$dir/err"
    code=$?
    is 0 "link budgets of the script"
fi

near() {  # key, value: of the last JSON answer
    sed -i 's/.*"link_budget"//' "$dir/out"
    awk -v a="$(grep -o "\"$1\": [-0-9.e]*" "$dir/out" | head -1 | sed 's/.*: //')" -v b="$2" \
        'BEGIN { d = a - b; exit !(a != "" && d < 1e-9 && d > -1e-9) }'
    verdict $? "$1 is not $2: $(head -c 600 "$dir/out")"
}

# On networks that list their links a node costs 0.12 dB.  Laser 14, modulator 0.72, so h hops leave 13.28 - 0.12 h dBm;
# the crosstalk of h nodes and the transmitter is h 10^-6.4 + 10^-6 mW, the receiver's noise 10^-4 mW.
for network in torus:4x4 mesh:3x5; do
    good plan --network $network -w 4 --collective all-to-all --device synthetic-64 -o "$dir/plan.jsonl"
    good check "$dir/plan.jsonl" --device synthetic-64 --format json --lightpath 7
    hops=$(sed 's/.*"link_budget"//' "$dir/out" | grep -o '"hops": [0-9]*' | sed 's/.*: //')
    near nodes_db "$(awk "BEGIN { print 0.12 * $hops }")"
    near received_dbm "$(awk "BEGIN { print 13.28 - 0.12 * $hops }")"
    near snr_db "$(awk "BEGIN { lg = log(10) / 10; s = exp(lg * (13.28 - 0.12 * $hops))
        printf \"%.12f\", log(s / ($hops * exp(-64 * lg) + exp(-60 * lg) + exp(-40 * lg))) / lg }")"
done
# The hops are those of the route: a lightpath of the longest loses the most.
good check "$dir/plan.jsonl" --device synthetic-64 --format json
worst=$(number worst_lightpath)
near_loss=$(first worst_loss_db)
longest=$(number longest_hops)
awk "BEGIN { d = $near_loss - 0.72 - 0.12 * $longest; exit !(d < 1e-9 && d > -1e-9) }"
holds "loss of the longest, $longest hops: $near_loss"
good check "$dir/plan.jsonl" --device synthetic-64 --format json --lightpath "$worst"
near nodes_db "$(awk "BEGIN { print 0.12 * $longest }")"

# A node that costs 12 dB lets light pass two of them: auto plans within that, and a scheme that cannot is refused.
sed 's/"paper_pass_db": [0-9][0-9.]*/"paper_pass_db": 12/' "$devices/synthetic-64.json" > "$dir/lossy.json"
good plan --network torus:4x4 -w 4 --device "$dir/lossy.json"
no plan --network torus:8x8 -w 4 --scheme one-stage --device "$dir/lossy.json"
says "the longest feasible lightpath has 2 hops, this plan needs 8"

# The losses add up to what arrives at a tap or behind it.
good plan --network ring:16 -w 2 --scheme wavefront --max-drops 4 --device aggressive -o "$dir/taps.jsonl"
grep -q '"taps":' "$dir/taps.jsonl"
holds "no taps"
for lightpath in 0 5 70; do
    good check "$dir/taps.jsonl" --device aggressive --format json --lightpath $lightpath
    near received_dbm "$(sed 's/.*"link_budget"//; s/"crosstalk".*//' "$dir/out" | tr ',{' '\n\n' | awk -F': ' '
        $1 ~ /"laser_dbm"/ { sum += $2 }
        $1 ~ /"(modulator|parked|tuned|spans|nodes|share|drop)_db"/ { sum -= $2 }
        END { printf "%.13f", sum }')"
done
good check "$dir/taps.jsonl" --device aggressive --lightpath 70 --plot "$dir/budget.svg"
grep -q 'Link budget of lightpath 70' "$dir/budget.svg"
holds "a waterfall"
bad check "$dir/taps.jsonl" --device aggressive --plot "$dir/budget.svg"
# Without losses in the profile there are none in the budget.
run check "$dir/taps.jsonl" --device optree-paper --format json --lightpath 0
has '"spans_db":null'

# The paper's model on a ring has a profile that answers fully.
good plan --network ring:16 --device synthetic-64 --power-model paper
says "Power             ok on synthetic-64"

# A refused plan: its number of failing lightpaths leads to the budget of the worst, whose rate is above the limit.
no plan --network ring:8 -w 8 --scheme ring-striped --device conservative
ber=$(sed -n 's/.*the worst in .*bit error rate of \([0-9.e-]*\), above \([0-9.e-]*\);.*/\1 \2/p' "$dir/out")
echo "$ber" | awk '{ exit !($1 > $2 && $2 == 1e-9) }'
holds "the limit that the bit error rate exceeds: $ber"
says "; try --scheme auto"
says "rwa explain"
no explain --network ring:8 -w 8 --scheme ring-striped --device conservative
says "FAILS: above 1e-09"
says "Link budget of lightpath"
# Without the plan's own numbers of nodes the budget would name others: the root of a canonical plan is node 0.
no explain --network ring:8 -w 8 --collective broadcast --root 3 --scheme direct --device conservative
says ": 3 to"

# Schemes that auto leaves out for their power fail by their names, too.
run plan --network ring:16 -w 8 --device conservative
sed -n '/: a plan on 8 wavelengths has too much crosstalk/p' "$dir/out" | grep -q ring-striped.*compose
holds "schemes left out for their power"
says "Scheme            standing"
says "a plan on 8 wavelengths has too much crosstalk"
run compare --network ring:16 -w 8 --device conservative --format csv --scheme ring-striped,standing
[ "$(grep -c ',fails,' "$dir/out")" -eq 2 ]
holds "quicker schemes pass the power check"

# Rates below 1e-15 say so, and others do not.
good plan --network ring:8 -w 8 --scheme ring-striped --device onoc-typical -o "$dir/quiet.jsonl"
says "bit error rate below 1e-15"
no check "$dir/quiet.jsonl" --device conservative --lightpath 0
! grep -q "rate below" "$dir/out"
holds "a rate above 1e-15"
# The lightpaths that the summary names have the margin and the rate that it says; the violations are not listed again.
run check "$dir/quiet.jsonl" --device conservative
sed -n 2p "$dir/out" | grep "^Power  *FAILS.*, above 1e-09" > "$dir/power"
holds "power first, and its limit"
for figure in "least margin" "bit error rate"; do
    number=$(sed "s/.*$figure \([^ ]*\)[^(]*(lightpath \([0-9]*\)).*/\2/" "$dir/power")
    value=$(sed "s/.*$figure \([^ ]*\).*/\1/" "$dir/power")
    no check "$dir/quiet.jsonl" --device conservative --lightpath "$number"
    grep -q "^  ${figure#least }.* $value[, ]" "$dir/out" && ! grep -q "power: step" "$dir/out"
    holds "$figure of lightpath $number: $value"
done
[ "$(grep -n -m1 ^Link "$dir/out" | cut -d: -f1)" -lt "$(grep -n ^WRONG "$dir/out" | cut -d: -f1)" ]
holds "the budget that was asked for comes first"
run check "$dir/quiet.jsonl" --device conservative --format json
for figure in least_margin worst_ber; do
    grep "^Power" "$dir/power" | grep -q "(lightpath $(number ${figure}_lightpath))"
    holds "$figure in JSON"
done
[ "$(number failing)" -eq "$(number violations)" ]
holds "each violation is a failing lightpath"
fails 2 check "$dir/quiet.jsonl" --device conservative --lightpath 1000000
fails 2 check "$dir/quiet.jsonl" --lightpath 0
finish
