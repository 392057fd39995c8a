#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Judging other planners' schedules beside a plan of librwa.  Usage: against_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"
corpus=$(dirname "$0")/../fuzz/corpus

close() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a / b < 1 + 1e-9 && b / a < 1 + 1e-9) }'; }
own() { sed 's/.*"against"//' "$dir/out" | grep -o "\"$1\": [-0-9.e]*" | head -1 | sed 's/.*: //'; }

# librwa's plan is the one that it makes for a message of the same size, in whatever blocks the file cuts it.
while read -r file collective message; do
    good import "$corpus/$file" --network ring:4 -w 4 --collective "$collective" --against auto --format json
    time=$(first time_seconds)
    ratio=$(own time_ratio)
    mine=$(own time_seconds)
    bound=$(own time_bound_seconds)
    awk "BEGIN { exit !($time > $mine && $mine >= $bound * (1 - 1e-9)) }"
    holds "$file: theirs $time, librwa's $mine, bound $bound"
    close "$(own bound_ratio)" "$(awk "BEGIN { printf \"%.15g\", $time / $bound }")" &&
        close "$ratio" "$(awk "BEGIN { printf \"%.15g\", $time / $mine }")"
    holds "$file: ratios"
    good plan --network ring:4 -w 4 --collective "$collective" --message "$message" --format json
    close "$mine" "$(first time_seconds)"
    holds "$file: $mine is not the time of librwa's plan"
done <<END
import-mscclpp/all-gather all-gather 4MiB
import-mscclpp/all-reduce all-reduce 4MiB
import-teccl/all-gather all-gather 4MiB
import-forestcoll/all-gather all-gather 4MiB
END

# A schedule that passes a chunk on before it has it is not valid, and has no time.
sed '/from 1 traveled over 3->4/s/epoch 4/epoch 1/' "$corpus/import-teccl/all-gather" > "$dir/early"
no import "$dir/early" --network ring:4 --collective all-gather --against auto --format json
has '"time_ratio":null'
no import "$dir/early" --network ring:4 --collective all-gather --against auto
says "NOT valid"
# The line is that of the file.
line=$(grep -n "from 1 traveled over 3->4" "$dir/early" | cut -d : -f 1)
says "early:$line: causality: step 2: node 2 sends block 0"
good plan --network ring:4 -w 1 --scheme ring -o "$dir/four.jsonl"
good export "$dir/four.jsonl" --to csv -o "$dir/four.csv"
sed '3s/^1,0,1,cw,0,0,0/1,0,1,cw,0,0,2/' "$dir/four.csv" > "$dir/wrong.csv"
no import "$dir/wrong.csv"
says "wrong.csv:3: causality: step 1: node 0 sends block 2"
# librwa's plan keeps to the options, and may be slower than the file's.
good import "$corpus/import-mscclpp/all-gather" --network ring:4 -w 4 --against ring --format json
has '"scheme":"ring"'
# Without wavelengths for it, the reason takes the place of the plan.
good import "$corpus/import-forestcoll/all-gather" --network ring:4 -w 8 --against one-stage --device conservative
says "has no plan here: power"
bad import "$corpus/import-forestcoll/all-gather" --network ring:4 --against fastest

# A file that names its own network is judged with its wavelengths: librwa's own plan takes as long as itself.  Its
# schedule may be named .json, too.
good plan --network ring:8 -w 2 -o "$dir/own.json"
good check "$dir/own.json"
good export "$dir/own.json" --to csv -o "$dir/own.csv"
good import "$dir/own.csv" --network ring:8 --against auto --format json
close "$(own time_ratio)" 1
holds "librwa's own plan takes $(own time_ratio) times as long as itself"
finish
