#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Other tools' formats from outside.  With yanglint and the OpenConfig modules (in the folder YANG) it validates every
# document.  Usage: export_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

good plan --network ring:16 -w 2 --scheme optree --radix 4,4 -o "$dir/a.jsonl"  # plan to export
for format in csv nodes harvest msccl sndlib; do
    good export "$dir/a.jsonl" --to "$format" -o "$dir/a.$format"  # export to $format
    [ -s "$dir/a.$format" ]
    holds "a.$format is not empty"
done
[ "$(wc -l < "$dir/a.csv")" -eq 242 ]   # 16 x 15 lightpaths, a line on the collective and a heading
holds "a.csv"
good export "$dir/a.jsonl" --to nodes --node 3 --step 2 --changes --format csv -o -  # changes of a node
says '2,3,cw,0,1,drop'
run plan --network line:9 -w 2 --collective broadcast -o "$dir/line.jsonl"
run export "$dir/line.jsonl" --to csv --cost circuit -o -
is 2 "a table has no settings"
run export "$dir/line.jsonl" --to nodes --changes -o -
awk -F'[:,]' '{ changes = gsub(/"set"/, "x"); if ($2 == step && changes < before) exit 1
    step = $2; before = changes }' "$dir/out"
holds "nodes with fewer changes come later"
run export "$dir/line.jsonl" --to settings --step 1 --node 0 -o -
[ "$(wc -l < "$dir/out")" -eq 1 ]
holds "settings of one node in one step are not one line"

good export "$dir/a.jsonl" --to gnpy --step 1 --device optree-paper -o "$dir/a.gnpy"  # export to gnpy
good export "$dir/a.jsonl" --to openconfig --device optree-paper -o "$dir/oc"  # export to openconfig
good export "$dir/a.jsonl" --to openconfig --device optree-paper --step 2 --node 3 -o "$dir/one.json"  # one document
same "$dir/one.json" "$dir/oc/step-2/n3.json" "one document differs from its place in the folder"

good check "$dir/one.json" --device optree-paper  # a sound document
# slots that end before they begin
no_check 's/"lower-frequency":"[0-9]*"/"lower-frequency":"999000000"/' "$dir/one.json"

# Import: a table comes back as it went, the others with new routes.
good import "$dir/a.csv" --network ring:16 -w 2 --format json -o "$dir/csv.jsonl"  # import of csv
has '"steps":12'
has '"routes_assigned":false'
good import "$dir/a.csv" -o "$dir/same.jsonl"  # import of csv that says its network
same "$dir/same.jsonl" "$dir/csv.jsonl" "the table comes back differently where it says its network"
bad_each import << 'END'
"$dir/a.csv" -w 4
"$dir/a.csv" --collective all-reduce
"$dir/a.csv" --blocks 3
"$dir/a.msccl"
END
says "expected a network"
sed 1d "$dir/a.csv" > "$dir/plain.csv"
good import "$dir/plain.csv" --network ring:16 -w 2  # import of csv without what it is about
bad import "$dir/plain.csv"
says "expected a network"

# With members and failed links the plan of auto comes back too; formats without them refuse.
good plan --network ring:16 -w 2 --members 0-9 --fail cw:12 -o "$dir/some.jsonl"  # plan among some
run export "$dir/some.jsonl" --to csv -o "$dir/some.csv"
good import "$dir/some.csv" -o "$dir/back.jsonl"  # import among some
good check "$dir/back.jsonl"  # check among some
bad export "$dir/some.jsonl" --to msccl -o "$dir/x"
bad export "$dir/some.jsonl" --to harvest -o "$dir/x"
bad export "$dir/some.jsonl" --to table -o "$dir/x"
says '--to "table": unknown'

good import "$dir/a.msccl" --network ring:16 -w 64 -o "$dir/msccl.jsonl"  # import of msccl
says 'Verdict           valid'
good check "$dir/msccl.jsonl"  # what was imported
run import - --network torus:4x4 -w 8 -o - < "$dir/a.harvest"
is 0 "import from standard input, to standard output"
sed '$d' "$dir/plain.csv" > "$dir/short.csv"
no import "$dir/short.csv" --network ring:16 -w 2 -o "$dir/short.jsonl"  # a schedule that lacks its last lightpath
says 'lacks'
absent "$dir/short.jsonl" "a wrong schedule"

# A header that contradicts its rows.
sed '$d' "$dir/a.csv" > "$dir/short.csv"
bad import "$dir/short.csv"
says 'short.csv:1: the header says 240 lightpaths, expected 239 as in the rows'
sed '1s/"steps":[0-9]*/"steps":99/' "$dir/a.csv" > "$dir/steps.csv"
bad import "$dir/steps.csv"
says "steps.csv:1: the header says 99 steps, expected $(tail -n 1 "$dir/a.csv" | cut -d, -f1) as in the rows"
bad_each import << 'END'
--network ring:16
"$dir/a.csv" --network ring:16 --from excel
"$dir/none" --network ring:16
"$dir/a.csv" --network ring:15 -w 2
END

yang=${YANG:-$(dirname "$0")/../../../shared/yang/openconfig}
if command -v yanglint > "$dir/null" && [ -r "$yang/openconfig-wavelength-router.yang" ]; then
    for step in 1 12; do
        for file in "$dir/oc/step-$step"/*.json; do
            yanglint -p "$yang" -t config "$yang/openconfig-wavelength-router.yang" "$file" > "$dir/null" 2>&1
            holds "yanglint refuses ${file#"$dir"/}"
        done
    done
else
    echo "yanglint or the modules not found: documents not put before it"
fi

bad_each export "$dir/a.jsonl" << 'END'
--to excel -o "$dir/x"
-o "$dir/x"
--to csv
--to openconfig -o "$dir/x"
--to gnpy --device optree-paper -o "$dir/x"
--to csv --step 13 -o "$dir/x"
--to openconfig --device optree-paper -o "$dir/oc"
END
absent "$dir/x" "refused exports"
finish
