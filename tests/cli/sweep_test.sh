#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compare and sweep from outside: the same figures as plan, the same bytes however often a sweep was interrupted.
# Usage: sweep_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

# A line of compare agrees with plan.
run compare --network ring:24 -w 4 --format csv
is 0 compare
cp "$dir/out" "$dir/compare.csv"
for scheme in optree one-stage; do
    run plan --network ring:24 -w 4 --scheme $scheme --format json
    steps=$(tr -d ' \n' < "$dir/out" | sed -n 's/.*,"steps":\([0-9]*\),"stages".*/\1/p')
    grep -q "^ring,all-gather,24,4,1,$scheme,[a-z]*,$(number formula_steps),$steps," "$dir/compare.csv"
    verdict $? "$scheme: $steps steps by plan, by compare: $(grep ",$scheme," "$dir/compare.csv")"
done
run compare --network ring:24 -w 4 --format json
is 0 "compare as JSON"
has '"schemes":[{"scheme":"'
run compare --network ring:24 -w 4 --scheme one-stage
is 0 "compare of one scheme"
[ "$(grep -c -e optree -e one-stage "$dir/out")" -eq 1 ]
verdict $? "compare of one scheme shows others"
# The README's table agrees with compare (its largest ring takes too long here).
grep '^| [0-9]' "$(dirname "$0")/../../README.md" > "$dir/claims"
[ "$(wc -l < "$dir/claims")" -ge 5 ]
verdict $? "the README has no table"
tr -d ' ' < "$dir/claims" | tr '|' ' ' > "$dir/claims.list"
while read -r nodes wavelengths formula tree wave bound tree_hops wave_hops; do
    [ "$nodes" -le 1024 ] || continue
    run compare --network "ring:$nodes" -w "$wavelengths" --scheme optree,wavefront --format csv
    tail -n +2 "$dir/out" | cut -d, -f8-10,14 | tr '\n' ' ' > "$dir/said"
    echo "$formula,$tree,$bound,$tree_hops ,$wave,$bound,$wave_hops " | tr -d '\n' | cmp -s - "$dir/said"
    verdict $? "README, $nodes nodes: compare says $(cat "$dir/said")"
done < "$dir/claims.list"
rm "$dir"/claims* "$dir/said"
# These two schemes need more than one hop: no schedule, and each gives the reason.
run compare --network ring:24 --scheme optree,one-stage --max-hops 1
is 1 "compare where nothing is feasible"
[ "$(grep -c 'max-hops 1' "$dir/out")" -eq 2 ]
verdict $? "compare where nothing is feasible: $(cat "$dir/out")"
# A schedule that fails the power check is shown with that verdict.
run compare --network ring:64 --scheme optree --device teraphy-2021 --format csv
is 0 "compare on a weak device"
says ",fails,-"

bad 2 compare
bad 2 compare --network ring:24 --scheme optree,blob
bad 2 compare --network ring:24 --plot x.png
bad 2 sweep
bad 2 sweep --nodes 8..4
bad 2 sweep --nodes 8,
bad 2 sweep --nodes 1
bad 2 sweep --nodes 8 --network torus
bad 2 sweep --nodes 8 --wavelengths 64..128 --device onoc-typical

# Doubling ranges.
run sweep --nodes 6..50,7 --wavelengths 3..8 --scheme optree
is 0 "a sweep on standard output"
[ "$(cut -d, -f3,4 "$dir/out" | tail -n +2 | tr '\n' ' ')" = "6,3 6,6 12,3 12,6 24,3 24,6 48,3 48,6 7,3 7,6 " ]
verdict $? "ranges: $(cut -d, -f3,4 "$dir/out" | tr '\n' ' ')"

# Four schemes (or as many as there are), ten node counts, four wavelength counts.
known=$("$rwa" compare --network ring:8 --format csv | tail -n +2 | cut -d, -f6 | head -n 4 | paste -s -d , -)
set -- sweep --nodes 8,12,16,24,31,48,64,96,128,192 --wavelengths 2..16 --scheme "$known" --seed 7
run "$@" --threads 1 -o "$dir/one.csv"
is 0 "the whole sweep"
rows=$(($(echo "$known" | tr , '\n' | wc -l) * 40))
[ "$(wc -l < "$dir/one.csv")" -eq $((rows + 1)) ]
verdict $? "the sweep has $(wc -l < "$dir/one.csv") lines, expected $((rows + 1))"
run "$@" --threads 2 -o "$dir/two.csv"
cmp -s "$dir/one.csv" "$dir/two.csv"
verdict $? "with two threads the table differs"
# After a killed sweep: the first half of its journal, and a truncated line.
run "$@" -o - --threads 2
cmp -s "$dir/one.csv" "$dir/out"
verdict $? "on standard output the table differs"
"$rwa" "$@" --threads 1 -o "$dir/half.csv" > "$dir/out" 2> "$dir/err" &
started=$!
waited=0
while [ $waited -lt 200 ] && [ "$(cat "$dir/half.csv.part" 2> /dev/null | wc -l)" -lt $((rows / 2)) ]; do
    sleep 0.02
    waited=$((waited + 1))
done
kill -s KILL $started 2> /dev/null
wait $started 2> /dev/null
if [ ! -e "$dir/half.csv" ]; then
    lines=$(wc -l < "$dir/half.csv.part")
    [ "$lines" -gt 1 ] && [ "$lines" -le $((rows + 1)) ]
    verdict $? "a killed sweep kept $lines lines"
    printf '3,ring,all-ga' >> "$dir/half.csv.part"
    bad 2 sweep --nodes 8 -o "$dir/half.csv"
    says "other settings"
fi
run "$@" --threads 2 -o "$dir/half.csv"
is 0 "the sweep taken up again"
cmp -s "$dir/one.csv" "$dir/half.csv"
verdict $? "taken up again the table differs"
# By hand too, since a quick machine may finish before it is killed: a journal may hold any subset.
"$rwa" "$@" --threads 1 -o "$dir/hand.csv" > "$dir/out" 2> "$dir/err" &
started=$!
sleep 0.05
kill -s TERM $started 2> /dev/null
wait $started
code=$?
[ $code -eq 3 ] || [ $code -eq 0 ]
verdict $? "a sweep told to stop: exit $code"
[ $code -eq 0 ] || { one_line "a sweep told to stop"; says "continues from"; absent "$dir/hand.csv" "a sweep told to stop"; }
run "$@" --threads 2 -o "$dir/hand.csv"
cmp -s "$dir/one.csv" "$dir/hand.csv"
verdict $? "stopped and taken up again the table differs"
left=$(ls -A "$dir" | grep -v -x -e out -e err -e compare.csv -e one.csv -e two.csv -e half.csv -e hand.csv)
[ -z "$left" ]
verdict $? "left behind: $left"

# Devices and pipes are written to, not replaced: a full device is reported and stays a device, a pipe gets the table.
# Through links, so that even a faulty program could not harm the device.
ln -s /dev/full "$dir/full.csv"
bad 4 sweep --nodes 8 --wavelengths 4 --scheme optree -o "$dir/full.csv"
[ -h "$dir/full.csv" ] && [ ! -e "$dir/full.csv.part" ]
verdict $? "sweep -o replaced a link to a device, or left a journal"
run sweep --nodes 8..32 --wavelengths 4 --scheme optree
cp "$dir/out" "$dir/table.csv"
mkfifo "$dir/pipe"
cat "$dir/pipe" > "$dir/got.csv" &
reading=$!
run sweep --nodes 8..32 --wavelengths 4 --scheme optree -o "$dir/pipe"
is 0 "sweep -o to a pipe"
wait $reading
cmp -s "$dir/table.csv" "$dir/got.csv" && [ -p "$dir/pipe" ]
verdict $? "a pipe got: $(head -n 2 "$dir/got.csv")"
rm -f "$dir/full.csv" "$dir/pipe" "$dir/table.csv" "$dir/got.csv"

# Drawings with gnuplot; without it the table is printed, and the message says how to install it.
if command -v gnuplot > /dev/null 2>&1; then
    run compare --network ring:16 -w 4 --plot "$dir/compare.svg"
    is 0 "compare --plot"
    run sweep --nodes 8..32 --wavelengths 2,4 -o "$dir/plot.csv" --plot "$dir/sweep.svg"
    is 0 "sweep --plot"
    mkdir "$dir/empty"
    ln -s /dev/full "$dir/full.svg"
    TMPDIR="$dir/empty" "$rwa" compare --network ring:16 -w 4 --plot "$dir/full.svg" > "$dir/out" 2> "$dir/err"
    code=$?
    is 4 "compare --plot to a full device"
    one_line "compare --plot to a full device"
    [ -h "$dir/full.svg" ] && [ -z "$(ls -A "$dir/empty")" ]
    verdict $? "--plot replaced a link to a device, or left something behind"
    for file in compare.svg sweep.svg; do
        grep -q '<svg' "$dir/$file" && grep -q '</svg>' "$dir/$file"
        verdict $? "$file is not a drawing"
    done
fi
mkdir "$dir/bin"
PATH="$dir/bin" "$rwa" compare --network ring:16 -w 4 --plot "$dir/none.svg" > "$dir/out" 2> "$dir/err"
code=$?
is 4 "--plot without gnuplot"
says "gnuplot-nox"
grep -q optree "$dir/out"
verdict $? "--plot without gnuplot: no table"
absent "$dir/none.svg" "--plot without gnuplot"
finish
