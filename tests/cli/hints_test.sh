#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The remedies that refusals name work.  Usage: hints_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

# A load factor above 1 is a limit, so that plans with one block on a lightpath keep to it as well.
for what in "line:8 --scheme one-stage" "ring:8 --fail cw:3" "ring:8 --fail 3" \
    "ring:8 --collective broadcast" "star:8"; do
    # shellcheck disable=SC2086
    good plan --network $what --load-factor 2  # plan $what --load-factor 2
done

run assign --network ring:5 -o "$dir/assigned.jsonl"
run plan --network ring:8 -o "$dir/plan.jsonl"
# First attempts of newcomers: each gets a suggestion.
hint() { meant=$1; shift; bad "$@"; says "$meant"; }
hint "expected --network ring:16" plan ring:16
hint "did you mean ring:32?" plan --network ring32
hint "did you mean torus:8x8?" bounds --network torus8x8
hint "did you mean nsfnet14-20, nsfnet14-21 or nsfnet14-22?" plan --network nsfnet
says "rwa network --list"
hint "did you mean nsfnet14-21?" assign --network NSFnet14-21
hint "did you mean torus?" sweep --network tours:4x4 --wavelengths 4
hint "did you mean cost239-11-26 or cost266-37-57?" network --network cost
hint "did you mean Seattle (WA)?" plan --network nsfnet14-21 --collective broadcast --root seatle
hint "did you mean Houston (TX)?" plan --network nsfnet14-21 --members Seattle,Huston
hint "did you mean Houston (TX)?" plan --network nsfnet14-21 --fail "San Diego-Huston"
hint "did you mean Boulder (CO)?" gsnr --network nsfnet14-21 --route Seattle,Bolder
hint "did you mean synthetic-64?" plan --network ring:8 --device syntetic-64
hint "did you mean ssmf?" gsnr --spans 10x80 --device smf
hint "did you mean coherent?" gsnr --spans 10x80 --modulations coherant
hint "did you mean exact-fit?" traffic --network nsfnet14-21 --load 10 --policy first-fit,exactfit
hint "did you mean optree?" reproduce opttree
# An option of other commands only.
hint "unknown option --shared; traffic has it" assign --network ring:5 --shared
hint "--slots; assign, traffic have it" plan --network ring:5 --slots 4
hint "--members; plan, explain, bounds and others have it" traffic --network ring:5 --members 3
# Nothing is near these, and what is right is not asked for.
for option in "--network ring:0" "--network xyzzy" "--network nsfnet14-21 --collective broadcast --root 99" \
    "--network ring:8 --fail 99"; do
    # shellcheck disable=SC2086 # words
    bad plan $option
    ! grep -q 'did you mean' "$dir/err"
    holds "$option"
done
# A name up to its parenthesis does where it is the only one.
# The root by the short form of its name.
good plan --network nsfnet14-21 --collective broadcast --root Seattle --format json
cp "$dir/out" "$dir/short"
run plan --network nsfnet14-21 --collective broadcast --root "Seattle (WA)" --format json
sed 's/"[a-z_]*seconds": [^,}]*//g' "$dir/short" > "$dir/short.json"
sed 's/"[a-z_]*seconds": [^,}]*//g' "$dir/out" | cmp -s - "$dir/short.json"
holds "Seattle is not Seattle (WA)"
# Of a list the later one would drop the earlier one.
hint '--fail "1,5"' plan --network ring:8 --fail 1 --fail 5
hint 'one list: --network "ring:8 line:8"' sweep --network ring:8 --network line:8
good plan --network ring:8 -w 4 -w2  # of other values the last one holds
says "2 wavelengths"
hint "show FILE -o x.html" plan --network ring:8 -o x.html
hint "at most 1 argument" check "$dir/plan.jsonl" "$dir/plan.jsonl"
hint "write ./tests" plan --network tests
hint "does not go with --list" network --list --format json
hint "random:COUNT" assign --network ring:5 --demands 20
hint "an assignment, expected a schedule" export "$dir/assigned.jsonl" --to nodes -o "$dir/x"
hint "a schedule already" import "$dir/plan.jsonl"
hint "expected csv" export "$dir/plan.jsonl" --to auto -o "$dir/x"
hint "at most 8388607TiB" plan --network ring:8 --message 99999999999GiB
hint "at most 8388607TiB" plan --network ring:8 --message 99999999999999999999999
hint "at least one byte" plan --network ring:8 --message 0GiB
hint 'blanks between networks, in quotes: "ring:16 torus:4x4"' sweep --network ring:16,torus:4x4 --wavelengths 4
hint "to 8388607TiB" sweep --network ring:8 --message 1kB,99999999999GiB

# A file is explained as its plan; a wrong one gets its first violation and exit 1.
run explain --network ring:8 -w 2 --scheme wavefront
cp "$dir/out" "$dir/explained"
run plan --network ring:8 -w 2 --scheme wavefront -o "$dir/file.jsonl"
good explain "$dir/file.jsonl"  # explain a file
same "$dir/out" "$dir/explained" "a file is not explained as its plan"
bad explain "$dir/file.jsonl" --wavelengths 2
sed '$d' "$dir/file.jsonl" > "$dir/short.jsonl"
no explain "$dir/short.jsonl"  # explain a schedule that is incomplete
says "WRONG: $dir/short.jsonl, "

# Every scheme has its line, and can be asked for.
good plan --schemes  # plan --schemes
[ "$(grep -c '^[a-z]' "$dir/out")" -eq "$("$rwa" --version | sed -n 's/ schemes.*//p')" ]
holds "not one line for each scheme"
bad plan --schemes --network ring:8
good plan --network ring:8 -w=2 --rate 40  # -w=2
says "40 bit/s"

finish
