#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Node names of strangers: markup, quotes, newlines, escape sequences, slashes, formulas, in every output.
# Usage: names_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

esc=$(printf '\033')
cat > "$dir/names.json" <<'END'
{"nodes": [{"id": 0, "label": "<b>x</b><script>alert(1)</script>"},
  {"id": 1, "label": "\"q\" & 'a' onload=\"alert(2)\""}, {"id": 2, "label": "=cmd|calc"},
  {"id": 3, "label": "a/b/../c"}, {"id": 4, "label": "esc\u001b[31mred"}, {"id": 5, "label": "new\nline"},
  {"id": 6, "label": "../../etc/passwd"}, {"id": 7, "label": "-rf"}],
 "links": [{"source": 0, "target": 1}, {"source": 1, "target": 2}, {"source": 2, "target": 3},
  {"source": 3, "target": 4}, {"source": 4, "target": 5},
  {"source": 5, "target": 6}, {"source": 6, "target": 7}, {"source": 7, "target": 0}]}
END
good plan --network "$dir/names.json" -w 4 -o "$dir/plan.jsonl"  # a plan with such names
good check "$dir/plan.jsonl"  # its check
good assign --network "$dir/names.json" --time-limit 1 -o "$dir/assignment.jsonl"  # an assignment with such names

clean() {  # a file without the text
    ! grep -q -F -e "$2" "$1"
    holds "$1 holds $2"
}

for file in plan assignment; do
    good show "$dir/$file.jsonl"  # show $file
    clean "$dir/out" "$esc[31m"
    for form in svg html; do
        good show "$dir/$file.jsonl" -o "$dir/$file.$form"  # show $file as $form
        clean "$dir/$file.$form" "<b>x"
        clean "$dir/$file.$form" "<script>alert(1)"
        clean "$dir/$file.$form" "$esc"
    done
    if command -v xmllint > /dev/null 2>&1; then
        xmllint --noout "$dir/$file.svg" 2> "$dir/err"
        holds "$file.svg"
    fi
done
# The name of a scheme is a stranger's too.
run plan --network ring:8 -w 2 -q -o "$dir/ring.jsonl"
sed 's/"scheme":"[^"]*"/"scheme":"<b>\\u001b[31m:"/' "$dir/ring.jsonl" > "$dir/red.jsonl"
for command in explain check show; do
    good $command "$dir/red.jsonl"  # $command with such a scheme
    clean "$dir/out" "$esc[31m"
done
good network --network "$dir/names.json" --format graphml -o "$dir/names.graphml"  # the network as GraphML
good network --network "$dir/names.graphml"  # GraphML read back
good export "$dir/assignment.jsonl" --to csv -o "$dir/table.csv"  # the assignment as a table
clean "$dir/table.csv" "$esc"
! grep -q -E '(^|,)[=@+-][a-z]' "$dir/table.csv"
holds "a formula in the table"

# Text names a node that has a name beside its number; grids, CSV and JSON keep the numbers.
run assign --network nsfnet14-21 -w 10 --seed 1
says "0 (Seattle (WA)) to "
run explain --network nsfnet14-21 -w 4 --scheme nearest
says "begins at node 0 (Seattle (WA))"
says "(Seattle (WA)) to "
run plan --network nsfnet14-21 -w 4 --scheme nearest -o "$dir/named.jsonl"
run show "$dir/named.jsonl" --node 3
says "node 3 (Salt Lake City (UT)):"
says " 4 (Boulder (CO))"
run show "$dir/named.jsonl" --block 0
says "block 0 of node 0 (Seattle (WA))"
run show "$dir/named.jsonl" -o "$dir/named.svg"
grep -q '<title>0 (Seattle (WA)) to 1 (Palo Alto (CA)), ' "$dir/named.svg"
holds "the drawing names no nodes"
run explain --network ring:8
says "distances from node 0, the owner"

# Paths hold escape sequences too, and 0x9b after 0xc2 begins one in UTF-8: no command prints them, whether it succeeds
# or fails.
csi=$(printf '\302\233')
odd="$dir/$esc[31m${csi}5m"
mkdir "$odd"
cp "$dir/names.json" "$odd/net.json"
cp "$dir/plan.jsonl" "$odd/plan.jsonl"
sed 's/"dst":[0-9]*/"dst":0/' "$dir/plan.jsonl" > "$odd/wrong.jsonl"
hidden() {
    run "$@"
    clean "$dir/out" "$esc[31m"
    clean "$dir/err" "$esc[31m"
    clean "$dir/out" "${csi}5m"
    clean "$dir/err" "${csi}5m"
}
hidden plan --network "$odd/net.json" -w 4 -o "$odd/out.jsonl"
is 0 "a plan in such a folder"
says "Written           "
for command in check show explain; do
    hidden $command "$odd/plan.jsonl"
    is 0 "$command in such a folder"
    hidden $command "$odd/wrong.jsonl"
    hidden $command "$odd/none.jsonl"
    is 2 "$command of no file in such a folder"
done
hidden network --network "$odd/net.json"
hidden compare --network "$odd/net.json" -w 4
hidden compare --network "$odd/net.json" -w 4 --format csv
hidden sweep --network "$odd/net.json" -w 4
hidden assign --network "$odd/net.json" -w 1 --time-limit 1
hidden traffic --network "$odd/net.json" -w 4 --load 1 --requests 100
hidden plan --network "$odd/net.json" -w "$esc[31m${csi}5m"
is 2 "such a number of wavelengths"
hidden "$esc[31m${csi}5m"
is 2 "such a command"

# Folders: every file lies in the folder that was named.
mkdir "$dir/inside"
run export "$dir/assignment.jsonl" --to gnpy -o "$dir/inside/gnpy"
[ "$code" -eq 2 ] || [ "$(find "$dir/inside" -type f | grep -c -v "^$dir/inside/gnpy/")" -eq 0 ]
holds "files outside the folder"
finish
