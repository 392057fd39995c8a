#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rwa gsnr from outside: formats of one answer that agree, drawings, bad input.
# Usage: gsnr_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"
# The first of the reference rows in tests/fiber.
good gsnr --spans 80 --spacing 50 --baud 32 --launch 0 --carriers 95 --first 191.4 --format csv
[ "$(wc -l < "$dir/out")" -eq 96 ] && grep -q '^1,191.400000,32.9[0-9]*,31.7[0-9]*,29.[23][0-9]*,' "$dir/out"
holds "a row for each carrier"
# 2100 km: 64QAM and 16QAM do not reach, QPSK carries 400 Gbit/s on two carriers of 64 Gbaud, 12 slots.
good gsnr --network nsfnet14-21 --route 0,1,3 --rate 400G --format json  # gsnr on nsfnet
has '"length_km":2100.0'
has '"choice":{"modulation":"QPSK-64","carriers":2,"slots":12'
# gsnr with names
good gsnr --network nsfnet14-21 --route "Seattle (WA),Palo Alto (CA),Salt Lake City (UT)" --rate 400G \
    -o "$dir/route.svg"
says "QPSK-64 for 400 Gbit/s: 2 carriers, 12 slots"
says "16QAM-64 would take 6 slots, but lacks 1.48 dB"
says "16QAM-64"
grep -q "required 7.8" "$dir/route.svg"
holds "the drawing has no line of the required GSNR"

# Formats of a table of one's own; none of them reaches: the answer is no.
printf '{"name": "one", "modulations": [{"name": "64QAM", %s}]}' \
    '"bits_per_symbol": 12, "baud_gbd": 32, "slots": 3, "gsnr_db": 20' > "$dir/one.json"
no gsnr --network nsfnet14-21 --route 0,1,3 --rate 300G --modulations "$dir/one.json"  # no format reaches
says "none: no format carries 300 Gbit/s over 2100.0 km"

# The lightpaths of an assignment, as many as it has; the checker sees the same least margin.
"$rwa" assign --network polska12-18 --device ssmf-roadm --rate 100G -o "$dir/a.jsonl" > /dev/null
good gsnr "$dir/a.jsonl" --device ssmf-roadm --format csv  # gsnr of an assignment
[ "$(wc -l < "$dir/out")" -eq 67 ]
holds "lines"
least=$(tail -n +2 "$dir/out" | cut -d, -f10 | sort -g | head -n 1)
run check "$dir/a.jsonl" --device ssmf-roadm
says "least margin $(printf '%.2f' "$least") dB"
run gsnr "$dir/a.jsonl" --device ssmf-roadm --format json
has '"lightpaths":[{"demand":0'
run gsnr "$dir/a.jsonl" --device ssmf-roadm
says "nonlinear interference"
bad gsnr "$dir/a.jsonl" --spans 80
bad gsnr "$dir/none.jsonl"
"$rwa" assign --network polska12-18 -o "$dir/b.jsonl" > /dev/null
bad_each gsnr << 'END'
"$dir/b.jsonl"

--spans 80 --network nsfnet14-21
--network nsfnet14-21
--route 0,1
--network nsfnet14-21 --route 0,9
--network nsfnet14-21 --route 0
--network nsfnet14-21 --route 0,Nowhere
--network ring:4 --route 0,1
END
for spans in '' 0 -80 x 10x 0x80 1e9 80, 1e400 '999999999x80' 80km; do
    bad gsnr --spans "$spans"
done
bad_each gsnr --spans 80 << 'END'
--launch loud
--launch 99
--baud 60
--spacing 0
--first 300
--carrier 900
--rate 100G
-o curve.png
--device onoc-typical
--modulations reach
END
for profile in '{' '[]' '{"name": "x"}' '{"name": "x", "parameters": {}}' \
    '{"name": "x", "parameters": {"span_km": "80"}}' \
    '{"name": "x", "parameters": [], "more": 1}'; do
    printf '%s' "$profile" > "$dir/profile.json"
    bad gsnr --spans 80 --device "$dir/profile.json"
done
here=$(cd "$(dirname "$0")/../.." && pwd)
for spoilt in 's/"span_km": 80/"span_km": 1e-9/' 's/"slots": 384/"slots": 1e12/' \
    's/"launch_dbm": 0/"launch_dbm": "loud"/'; do
    sed "$spoilt" "$here/data/fibers/ssmf.json" > "$dir/profile.json"
    bad gsnr --network nsfnet14-21 --route 0,1 --device "$dir/profile.json"
done

# What is written says what each lightpath must carry: with too few slots for its rate it is wrong.
# formats on slots
good assign --network nsfnet14-21 --slots 320 --device ssmf --rate 400G --routing shortest -o "$dir/rates.jsonl"
grep -q '"width":6,"rate_bps":400000000000,' "$dir/rates.jsonl"
holds "no rates"
good check "$dir/rates.jsonl" --device ssmf  # a check of rates
no_check 's/"width":6/"width":3/' "$dir/rates.jsonl" --device ssmf  # a check of too few slots
says "too few for 400 Gbit/s"
# The lightpaths of an assignment as one step of a schedule have the same GSNR.
good assign --network nsfnet14-21 --model directed --device ssmf -w 16 -o "$dir/all.jsonl"
good check "$dir/all.jsonl" --device ssmf --format json
worst=$(first worst_gsnr_db)
weakest=$(number worst_lightpath)
good plan --network nsfnet14-21 -w 16 --collective all-to-all --scheme one-stage -o "$dir/step.jsonl"
awk -F'[:,]' 'FNR > 1 && FNR == NR {
        sub(/"demand":[0-9]*,/, "\"step\":1,\"block\":" $4 * 14 + $6 ",")
        body = body $0 "\n"
    }
    FNR < NR && FNR == 1 { print; printf "%s", body }' "$dir/all.jsonl" "$dir/step.jsonl" > "$dir/same.jsonl"
good check "$dir/same.jsonl" --device ssmf --format json
has '"gsnr":{"lightpaths":182,'
[ "$(first worst_gsnr_db)" = "$worst" ]
holds "worst GSNR $worst of the assignment"
# A link too long for any format: each lightpath over it is named.
sed '1s/"lengths_km":\[1100/"lengths_km":[30000/' "$dir/same.jsonl" > "$dir/long.jsonl"
no check "$dir/long.jsonl" --device ssmf
says "power: step 1: lightpath 0: GSNR"
bad check "$dir/step.jsonl" --device ssmf --rate 4T
# Each lightpath of the step has the GSNR of the assignment's, one of them the least.
same=0
for lightpath in 0 77 "$weakest"; do
    good check "$dir/all.jsonl" --device ssmf --lightpath "$lightpath" --format json
    theirs=$(first gsnr_db)
    good check "$dir/same.jsonl" --device ssmf --lightpath "$lightpath" --format json
    [ "$theirs" = "$(first gsnr_db)" ] && same=$((same + 1))
done
[ $same -eq 3 ] && [ "$theirs" = "$worst" ]
holds "GSNR of $same of 3 lightpaths: $theirs, the worst $worst"
bad check "$dir/step.jsonl" --device ssmf --lightpath 182
bad check "$dir/step.jsonl" --device ssmf --power-model paper
good plan --network ring:8 -o "$dir/ring.jsonl"
bad check "$dir/ring.jsonl" --device ssmf

finish
