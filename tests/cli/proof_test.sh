#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sentences that prove bounds, files explained, and solvers compared on the same routes.  Usage: proof_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

# The output on one line.
flat() { tr -s '\n ' ' ' < "$dir/out" > "$dir/flat" && mv "$dir/flat" "$dir/out"; }

if python3 -c '' 2> /dev/null; then
    python3 "$(dirname "$0")/../bound/sentences.py" "$rwa" "$dir" > "$dir/out" 2> "$dir/err"
    code=$?
    is 0 "sentences recomputed by a script"
fi

# Three arcs of half a ring meet pairwise, though no link carries more than two.
net='"network":{"nodes":6,"links":[[0,1],[1,2],[2,3],[3,4],[4,5],[5,0]],"fibers":1}'
bound='"bound":{"name":"clique","value":3,"fixed_routes":true,"clique":[0,1,2]}'
head='{"format":"rwa-assignment","version":1,"model":"undirected","demands":3,"wavelengths":3,'"$net,$bound}"
arc() { echo "{\"demand\":$1,\"src\":$2,\"dst\":$3,\"path\":[$4],\"fiber\":0,\"wavelength\":$5}"; }
{ echo "$head"; arc 0 0 3 0,1,2,3 0; arc 1 2 5 2,3,4,5 1; arc 2 4 1 4,5,0,1 2; } > "$dir/clique.jsonl"
good explain "$dir/clique.jsonl"
flat
says "Any two of 3 lightpaths, as routed, share a link, so no two have the same channel: 3."
says "Wavelengths 3, as few as the lower bound Lower bound 3 wavelengths for these routes"
says "crossed by 2 lightpaths"
sed '/"demand":1/s/"wavelength":1/"wavelength":0/' "$dir/clique.jsonl" > "$dir/clash.jsonl"
no explain "$dir/clash.jsonl"
flat
says "clash.jsonl:3: channel"
says "carries one lightpath at a time in each direction of a link;"

# What is not served is said with its reason, and the bound of serving all is none for the file.
no assign --network nsfnet14-21 -w 6 -o "$dir/six.jsonl" -q
good explain "$dir/six.jsonl"
flat
says "no wavelength is left for it"
says "13 wavelengths to serve all"
grep -q "as few as" "$dir/out"
[ $? -eq 1 ]
verdict $? "a file that serves some meets the bound for all"

# OpTree takes 12 steps of whole blocks, the bound is 5.
good explain --network ring:16 -w 2 --scheme optree
says "Steps             12 with whole blocks of 4 MiB; 7 above the lower bound"

# A schedule that forwards a block too early.
good plan --network ring:6 -w 1 --scheme wavefront -o "$dir/plan.jsonl"
good explain "$dir/plan.jsonl"
mv "$dir/out" "$dir/named"
"$rwa" explain - < "$dir/plan.jsonl" | cmp -s - "$dir/named"
verdict $? "a file from standard input is not explained as by its name"
sed '2s/"src":0/"src":1/' "$dir/plan.jsonl" > "$dir/liar.jsonl"
no explain "$dir/liar.jsonl"
says "liar.jsonl:2: "
says "Rules"
# Of each kind one violation is named at least, however many there are of the first.
sed '2,4s/"src":[0-9]*/"src":5/' "$dir/plan.jsonl" | sed '$d' | sed '$d' > "$dir/liars.jsonl"
no check "$dir/liars.jsonl"
kinds=$(sed -n '1s/.*(\(.*\))/\1/p' "$dir/out" | tr , '\n' | sed 's/.* of //')
[ "$(echo "$kinds" | wc -l)" -gt 1 ]
holds "violations of several kinds: $(cat "$dir/out")"
for kind in $kinds; do
    sed '/^Rules/,$d' "$dir/out" | grep -q " $kind: "
    holds "no violation of $kind is named"
done

# Every solver of a comparison finds what it finds alone with these --paths, which mean k-shortest: 15, 14 and 13
# wavelengths.
good assign --network nsfnet14-21 --compare first-fit,best-fit,exact --paths 3 -q
[ "$(awk '$1 ~ /^(first-fit|best-fit|exact)$/ {print $3, $4}' "$dir/out" | tr '\n' ' ')" = "15 13 14 13 13 13 " ]
verdict $? "compared: $(cat "$dir/out")"
says "273 for"
for solver in first-fit best-fit exact; do
    good assign --network nsfnet14-21 --solver $solver --paths 3 -q --format json
    echo "$(number wavelengths)"
done > "$dir/alone"
[ "$(tr '\n' ' ' < "$dir/alone")" = "15 14 13 " ]
verdict $? "alone: $(cat "$dir/alone")"
# A solver that does not suit is a row, which names --paths; the rest of the table stays.
good assign --network nsfnet14-21 --compare ilp,exact -q --format json
has '"wavelengths":13,'
has '"refused":[{"solver":"ilp","why":"thelink-pathprogramhas'
good assign --network nsfnet14-21 --compare first-fit,ilp --paths 1 -q
says "Routes offered    1 for each lightpath, k-shortest; every solver chooses among the same"
[ "$(grep -c "^[a-z].* on these routes" "$dir/out")" -eq 2 ]
verdict $? "one route each: its fullest link proves both answers: $(cat "$dir/out")"
no assign --network nsfnet14-21 --compare first-fit,exact -w 8 -q
says "no, not all served"
good assign --network nsfnet14-21 --solver ilp -q
says "not needed: a greedy answer meets the bound"
# The formats of routes decide the slots of a demand, which no witness of links shows.
good assign --network nsfnet14-21 --slots 320 --device ssmf --demands random:20 --rate 100G -q
says "  It has no witness that can be checked"
bad assign --network nsfnet14-21 --compare first-fit --solver ilp
good assign --network nsfnet14-21 --compare ilp,first-fit -q
says "try --paths 2 or 1"
bad assign --network nsfnet14-21 --compare ilp
bad assign --network nsfnet14-21 --compare first-fit --format csv
finish
