#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Node names of strangers: markup, quotes, newlines, escape sequences, slashes, formulas, in every output.
# Usage: names_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

esc=$(printf '\033')
cat > "$dir/names.json" <<'END'
{"nodes": [{"id": 0, "label": "<b>x</b><script>alert(1)</script>"}, {"id": 1, "label": "\"q\" & 'a' onload=\"alert(2)\""},
  {"id": 2, "label": "=cmd|calc"}, {"id": 3, "label": "a/b/../c"}, {"id": 4, "label": "esc\u001b[31mred"}, {"id": 5, "label": "new\nline"},
  {"id": 6, "label": "../../etc/passwd"}, {"id": 7, "label": "-rf"}],
 "links": [{"source": 0, "target": 1}, {"source": 1, "target": 2}, {"source": 2, "target": 3}, {"source": 3, "target": 4},
  {"source": 4, "target": 5}, {"source": 5, "target": 6}, {"source": 6, "target": 7}, {"source": 7, "target": 0}]}
END
run plan --network "$dir/names.json" -w 4 -o "$dir/plan.jsonl"
is 0 "a plan with such names"
run check "$dir/plan.jsonl"
is 0 "its check"
run assign --network "$dir/names.json" --time-limit 1 -o "$dir/assignment.jsonl"
is 0 "an assignment with such names"

clean() {  # a file without the text
    ! grep -q -F -e "$2" "$1"
    verdict $? "$1 holds $2"
}

for file in plan assignment; do
    run show "$dir/$file.jsonl"
    is 0 "show $file"
    clean "$dir/out" "$esc[31m"
    for form in svg html; do
        run show "$dir/$file.jsonl" -o "$dir/$file.$form"
        is 0 "show $file as $form"
        clean "$dir/$file.$form" "<b>x"
        clean "$dir/$file.$form" "<script>alert(1)"
        clean "$dir/$file.$form" "$esc"
    done
    if command -v xmllint > /dev/null 2>&1; then
        xmllint --noout "$dir/$file.svg" 2> "$dir/err"
        verdict $? "$file.svg: $(head -n 1 "$dir/err")"
    fi
done
# The name of a scheme is a stranger's too.
run plan --network ring:8 -w 2 -q -o "$dir/ring.jsonl"
sed 's/"scheme":"[^"]*"/"scheme":"<b>\\u001b[31m:"/' "$dir/ring.jsonl" > "$dir/red.jsonl"
for command in explain check show; do
    run $command "$dir/red.jsonl"
    is 0 "$command with such a scheme"
    clean "$dir/out" "$esc[31m"
done
run network --network "$dir/names.json" --format graphml -o "$dir/names.graphml"
is 0 "the network as GraphML"
run network --network "$dir/names.graphml"
is 0 "GraphML read back"
run export "$dir/assignment.jsonl" --to csv -o "$dir/table.csv"
is 0 "the assignment as a table"
clean "$dir/table.csv" "$esc"
! grep -q -E '(^|,)[=@+-][a-z]' "$dir/table.csv"
verdict $? "a formula in the table: $(grep -m 1 -E '(^|,)[=@+-][a-z]' "$dir/table.csv")"

# Text names a node that has a name beside its number; grids, CSV and JSON keep the numbers.
run assign --network nsfnet14-21 -w 10 --seed 1
says "0 (Seattle (WA)) to "
run explain --network nsfnet14-21 -w 4
says "begins at node 0 (Seattle (WA))"
says "0 (Seattle (WA)) to 1 (Palo Alto (CA))"
run plan --network nsfnet14-21 -w 4 -o "$dir/named.jsonl"
run show "$dir/named.jsonl" --node 3
says "node 3 (Salt Lake City (UT)):"
says " 4 (Boulder (CO))"
run show "$dir/named.jsonl" --block 0
says "block 0 of node 0 (Seattle (WA))"
run show "$dir/named.jsonl" -o "$dir/named.svg"
grep -q '<title>0 (Seattle (WA)) to 1 (Palo Alto (CA)), ' "$dir/named.svg"
verdict $? "the drawing names no nodes: $(grep -m 1 -o '<title>[^<]*' "$dir/named.svg")"
run explain --network ring:8
says "distances from node 0, the owner"

# Folders: every file lies in the folder that was named.
mkdir "$dir/inside"
run export "$dir/assignment.jsonl" --to gnpy -o "$dir/inside/gnpy"
[ "$code" -eq 2 ] || [ "$(find "$dir/inside" -type f | grep -c -v "^$dir/inside/gnpy/")" -eq 0 ]
verdict $? "files outside the folder"
finish
