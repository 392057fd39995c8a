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
    holds "$scheme: $steps steps by plan, by compare"
done
good compare --network ring:24 -w 4 --format json  # compare as JSON
has '"schemes":[{"scheme":"'
good compare --network ring:24 -w 4 --scheme one-stage -q  # compare of one scheme
[ "$(grep -c -e optree -e one-stage "$dir/out")" -eq 1 ]
holds "compare of one scheme shows others"
# The README's table: OpTree's formula is Theorem 1 at its best number of stages in every row, the schedules are those
# of compare (the largest ring takes too long here).
grep '^| [0-9]' "$(dirname "$0")/../../README.md" > "$dir/claims"
[ "$(wc -l < "$dir/claims")" -ge 5 ]
holds "the README has no table"
tr -d ' ' < "$dir/claims" | tr '|' ' ' > "$dir/claims.list"
while read -r nodes wavelengths formula tree wave bound tree_hops wave_hops; do
    least=$(awk -v n="$nodes" -v w="$wavelengths" 'BEGIN {
        for (k = 2; k <= 20; k++) {
            steps = (2 * k - 1) * exp(log(n) * (1 + 1 / k)) / (8 * w)
            up = int(steps + 1 - 1e-9)
            if (!least || up < least)
                least = up
        }
        print least }')
    [ "$formula" -eq "$least" ]
    holds "README, $nodes nodes: the formula says $formula steps, Theorem 1 at its best number of stages $least"
    [ "$nodes" -le 1024 ] || continue
    run compare --network "ring:$nodes" -w "$wavelengths" --scheme optree,wavefront --format csv
    tail -n +2 "$dir/out" | cut -d, -f9-10,14 | tr '\n' ' ' > "$dir/said"
    echo "$tree,$bound,$tree_hops $wave,$bound,$wave_hops " | tr -d '\n' | cmp -s - "$dir/said"
    holds "README, $nodes nodes: compare"
done < "$dir/claims.list"
rm "$dir"/claims* "$dir/said"
# These two schemes need more than one hop: no schedule, and one reason for both.
no compare --network ring:24 --scheme optree,one-stage --max-hops 1  # compare where nothing is feasible
[ "$(grep -c 'optree, one-stage: .*max-hops 1' "$dir/out")" -eq 1 ]
holds "compare where nothing is feasible"
# A schedule that fails the power check is shown with that verdict.
good compare --network ring:64 --scheme optree --device teraphy-2021 --format csv  # compare on a weak device
says ",fails,-"

# Any number of threads gives the same bytes, of a failure too.
run compare --network ring:24 -w 4 --format csv --threads 4
same "$dir/compare.csv" "$dir/out" "compare with four threads differs"
bad compare --network ring:24 --threads 1025

bad compare
bad_each compare --network ring:24 << 'END'
--scheme optree,blob
--plot x.png
END
bad_each sweep << 'END'

--nodes 8..4
--nodes 8,
--nodes 1
--nodes 8 --network torus
--network line
--nodes 8 --wavelengths 64..128 --device onoc-typical
END

# Doubling ranges.
good sweep --nodes 6..50,7 --wavelengths 3..8 --scheme optree  # a sweep on standard output
[ "$(cut -d, -f3,4 "$dir/out" | tail -n +2 | tr '\n' ' ')" = "6,3 6,6 12,3 12,6 24,3 24,6 48,3 48,6 7,3 7,6 " ]
holds "ranges"

# Four schemes (or as many as there are), ten node counts, four wavelength counts.
known=$("$rwa" compare --network ring:8 --format csv | tail -n +2 | cut -d, -f6 | head -n 4 | paste -s -d , -)
set -- sweep --nodes 8,12,16,24,31,48,64,96,128,192 --wavelengths 2..16 --scheme "$known" --seed 7
good "$@" --threads 1 -o "$dir/one.csv"  # the whole sweep
rows=$(($(echo "$known" | tr , '\n' | wc -l) * 40))
[ "$(wc -l < "$dir/one.csv")" -eq $((rows + 1)) ]
holds "the sweep"
# After a killed sweep: the first half of its journal, and a truncated line.
run "$@" -o - --threads 2
same "$dir/one.csv" "$dir/out" "on standard output the table differs"
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
    holds "a killed sweep kept $lines lines"
    # The last row, not planned yet, is damaged, and the line of another is cut short: both are planned again.
    printf '%d,ring\n3,ring,all-ga' $((rows - 1)) >> "$dir/half.csv.part"
    bad sweep --nodes 8 -o "$dir/half.csv"
    says "other settings"
fi
good "$@" --threads 2 -o "$dir/half.csv"  # the sweep taken up again
same "$dir/one.csv" "$dir/half.csv" "taken up again the table differs"
# By hand too, since a quick machine may finish before it is killed: a journal may hold any subset.
signalled TERM 0.05 "$@" --threads 1 -o "$dir/hand.csv"
[ $code -eq 3 ] || [ $code -eq 0 ]
holds "a sweep told to stop: exit $code"
if [ $code -ne 0 ]; then
    one_line "a sweep told to stop"
    says "continues from"
    absent "$dir/hand.csv" "a sweep told to stop"
fi
run "$@" --threads 2 -o "$dir/hand.csv"
same "$dir/one.csv" "$dir/hand.csv" "stopped and taken up again the table differs"
left=$(ls -A "$dir" | grep -v -x -e out -e err -e compare.csv -e one.csv -e half.csv -e hand.csv)
[ -z "$left" ]
holds "left behind: $left"

# Shards, each by threads of its own, in any order, are the whole table.
for shard in 1 2 3 4; do
    good "$@" --threads 2 --shard $shard/4 -o "$dir/shard.$shard"  # shard $shard
done
good sweep --merge "$dir/shard.3" "$dir/shard.1" "$dir/shard.4" "$dir/shard.2"  # shards merged
same "$dir/one.csv" "$dir/out" "shards merged differ from the table"
run sweep --merge "$dir"/shard.[1234] -o "$dir/merged.csv"
same "$dir/one.csv" "$dir/merged.csv" "shards merged into a file differ from the table"
bad sweep --merge "$dir"/shard.[124] -o "$dir/none.csv"
says "4 shards"
absent "$dir/none.csv" "a table without a shard"
bad sweep --merge "$dir"/shard.[124] "$dir/shard.1"
says "again"
bad sweep --merge "$dir/one.csv"
says "first line of a shard"
bad sweep --merge
bad sweep --merge "$dir"/shard.[1234] --nodes 8
bad sweep "$dir/shard.1"
run sweep --nodes 8..64 --wavelengths 2 --scheme "$known" --shard 2/4 -o "$dir/other"
bad sweep --merge "$dir"/shard.[134] "$dir/other"
says "another table"
head -n 5 "$dir/shard.2" > "$dir/short"
bad sweep --merge "$dir"/shard.[134] "$dir/short"
says "incomplete"
for shard in 0/4 5/4 4 a/4 1/0 1/4x; do
    bad sweep --nodes 8 --shard $shard
done
rm "$dir"/shard.* "$dir/other" "$dir/short" "$dir/merged.csv"

# By GNU parallel; the first job of one shard is killed, and the same command completes the table.
if command -v parallel > /dev/null 2>&1; then
    cat > "$dir/wrapper" <<END
#!/bin/sh
case "\$*" in *"--shard 2/4"*)
    if [ ! -e "$dir/killed" ]; then
        : > "$dir/killed"
        "$rwa" "\$@" & sleep 0.02; kill -s KILL \$!; exit 137
    fi
esac
exec "$rwa" "\$@"
END
    chmod +x "$dir/wrapper"
    examples=$(dirname "$0")/../../docs/examples
    parallel_sweep() {
        shift
        RWA="$dir/wrapper" sh "$examples/sweep.parallel.sh" "$dir/parallel.csv" 4 "$@" > "$dir/out" 2> "$dir/err"
    }
    parallel_sweep "$@"
    [ $? -ne 0 ] && [ ! -e "$dir/parallel.csv" ] && [ -e "$dir/killed" ]
    holds "a killed job"
    parallel_sweep "$@"
    holds "the same command again"
    same "$dir/one.csv" "$dir/parallel.csv" "by GNU parallel the table differs"
    rm -f "$dir/wrapper" "$dir/killed" "$dir"/parallel.csv*
else
    echo "no GNU parallel: its script was not tried"
fi

# Networks of any shape, collectives and messages; ranges with a step.
# a sweep over networks
good sweep --network "torus:3x3 circulant:8:1,2" --collective all-gather,broadcast --message 1kB..4kB \
    --wavelengths 2..6:2 --scheme nearest
[ "$(tail -n +2 "$dir/out" | wc -l)" -eq $((2 * 2 * 3 * 3)) ]
holds "a sweep over networks"
[ "$(grep -c '^torus:3x3,' "$dir/out")" -eq 18 ] &&
    [ "$(grep -c '^"circulant:8:1,2",broadcast,8,[246],' "$dir/out")" -eq 9 ]
holds "a sweep over networks"
[ "$(tail -n +2 "$dir/out" | sed 's/,nearest,time,.*//; s/.*,//' | sort -n | uniq -c | tr -s ' \n' ' ')" \
    = " 12 1000 12 2000 12 4000 " ]
holds "messages of a sweep"
run sweep --network "line ring" --nodes 6..10:2 --wavelengths 4 --scheme one-stage
[ "$(tail -n +2 "$dir/out" | cut -d, -f1,3 | tr '\n' ' ')" = "line,6 line,8 line,10 ring,6 ring,8 ring,10 " ]
holds "rings and lines"
bad_each sweep << 'END'
--network "torus:3x3 ring"
--network torus:3x3 --nodes 8
--network " "
--network torus:3x3 --collective all-gather,everything
--network torus:3x3 --root 1 --collective broadcast,all-gather
--nodes 8..16:0
--nodes 8 --message 1kB..0
--network "torus:3x3 torus:4x4" --plot "$dir/x.svg"
END

# A scheme that suits one network only is a row with its reason on the others.
good sweep --network "torus:3x3 ring:9" --wavelengths 4 --scheme wrht,optree
[ "$(cut -d, -f1,6,7 "$dir/out" | tail -n +2 | tr '\n' ' ')" \
    = "torus:3x3,wrht,infeasible torus:3x3,optree,feasible ring:9,wrht,feasible ring:9,optree,feasible " ]
holds "schemes that suit one network"
says "does not do this collective on this network"
good sweep --nodes 16,25 --wavelengths 4 --scheme optree --radix 4,4
[ "$(cut -d, -f3,7 "$dir/out" | tail -n +2 | tr '\n' ' ')" = "16,feasible 25,infeasible " ]
holds "radices for one of two rings"
bad sweep --nodes 25 --wavelengths 4 --scheme optree --radix 4,4

# Devices and pipes are written to, not replaced: a full device is reported and stays a device, a pipe gets the table.
# Through links, so that even a faulty program could not harm the device.
ln -s /dev/full "$dir/full.csv"
fails 4 sweep --nodes 8 --wavelengths 4 --scheme optree -o "$dir/full.csv"
[ -h "$dir/full.csv" ] && [ ! -e "$dir/full.csv.part" ]
holds "sweep -o replaced a link to a device, or left a journal"
run sweep --nodes 8..32 --wavelengths 4 --scheme optree
cp "$dir/out" "$dir/table.csv"
mkfifo "$dir/pipe"
cat "$dir/pipe" > "$dir/got.csv" &
reading=$!
good sweep --nodes 8..32 --wavelengths 4 --scheme optree -o "$dir/pipe"  # sweep -o to a pipe
wait $reading
cmp -s "$dir/table.csv" "$dir/got.csv" && [ -p "$dir/pipe" ]
holds "a pipe got"
rm -f "$dir/full.csv" "$dir/pipe" "$dir/table.csv" "$dir/got.csv"

# Drawings with gnuplot; without it nothing is planned, and the message says how to install it.
if command -v gnuplot > /dev/null 2>&1; then
    good compare --network ring:16 -w 4 --plot "$dir/compare.svg"  # compare --plot
    good sweep --nodes 8..32 --wavelengths 2,4 -o "$dir/plot.csv" --plot "$dir/sweep.svg"  # sweep --plot
    mkdir "$dir/empty"
    ln -s /dev/full "$dir/full.svg"
    TMPDIR="$dir/empty" "$rwa" compare --network ring:16 -w 4 --plot "$dir/full.svg" > "$dir/out" 2> "$dir/err"
    code=$?
    is 4 "compare --plot to a full device"
    one_line "compare --plot to a full device"
    [ -h "$dir/full.svg" ] && [ -z "$(ls -A "$dir/empty")" ]
    holds "--plot replaced a link to a device, or left something behind"
    for file in compare.svg sweep.svg; do
        grep -q '<svg' "$dir/$file" && grep -q '</svg>' "$dir/$file"
        holds "$file is not a drawing"
    done
fi
mkdir "$dir/bin"
PATH="$dir/bin" "$rwa" compare --network ring:16 -w 4 --plot "$dir/none.svg" > "$dir/out" 2> "$dir/err"
code=$?
is 4 "--plot without gnuplot"
says "gnuplot-nox"
[ ! -s "$dir/out" ]
holds "--plot without gnuplot is refused before the work"
absent "$dir/none.svg" "--plot without gnuplot"
finish
