#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The answer of plan in words: its numbers agree with the JSON report, and the commands it proposes work.
# Usage: answer_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"
rwa=$(cd "$(dirname "$rwa")" && pwd)/rwa

# Whole blocks of 4 MiB take 5 steps (broadcast-tree bound) of 4 MiB / 40 Gbit/s + 25 us = 0.995 ms each; the headline
# relates the time to its bound.
run plan --network ring:16 -w 2 --scheme wavefront --format json
bound=$(grep -o '"time_bound_seconds": [0-9.e-]*' "$dir/out")
# "At most" is rounded up, here to tenths.
above=$(awk "BEGIN { printf \"%.1f\", 1000 * ($(first time_seconds) / ${bound#*: } - 1) / 10 + 0.05 }")
run plan --network ring:16 -w 2 --scheme wavefront
says "all-gather of 4 MiB a node on ring:16: 4.975 ms, at most $above % above the least possible"
says "Steps             5 with whole blocks of 4 MiB; the fewest for such blocks"
says "Time              4.975 ms"

# 16 nodes receive 15 times 4 MiB over 2 x 2 channels of 40 Gbit/s, which takes 3.15 ms at least, whatever the blocks; a
# block in 2 parts has 2 MiB.
run plan --network ring:16 -w 2
says "Time              3.837 ms as if all"
# 8 steps of 25 us, and 15 MiB down each of 4 channels at 8 bit / 40 Gbit/s + 1 ns / 32 B.
line=$(grep "^  the sum of" "$dir/out" | tr -d '(')
echo "$line" | awk '{ exit $4 != 8 || $11 != 15 * 1048576 || ($4 * $6 + ($18 + $24) * $11 / 1e3 - 3837) ^ 2 > 1 }'
holds "the time from its parts: $line"
says "Steps             8 with 64 blocks of 1 MiB, up to 2 on a lightpath; the fewest for such blocks"
says "Fewer steps       5, but 4.975 ms: whole blocks of 4 MiB, by wavefront"
grep -q "^  *4.08 ms  *8  2 MiB  *wavefront, blocks in 2 parts$" "$dir/out"
holds "blocks in 2 parts of 2 MiB"

# Sizes in the unit that gives the shorter number; a message that is no round number in either.
for size in 64MB:64 4KiB:4 1000:1 12345678:12.35; do
    run plan --network ring:4 --collective broadcast --message "${size%:*}" --scheme direct
    says "broadcast of ${size#*:} "
done

# The plan's scheme, the others planned and those left out are all that compare plans.
run plan --network ring:16 -w 2 --format json
tr -d ' \n' < "$dir/out" | grep -o '"scheme":"[^"]*","least_seconds":[0-9][0-9.e-]*' | tr -d '"' | tr : , > "$dir/least"
tr -d ' \n' < "$dir/out" | sed 's/"left_out".*//' | grep -o '"scheme":"[^"]*"' | sed 's/.*:"//; s/"//' > "$dir/known"
run plan --network ring:16 -w 2
sed -n '/^Left out/,/^Check/ { /^Check/d; s/^Left out//; s/:.*//; p; }' "$dir/out" | tr -d ' ' | tr , '\n' > "$dir/left"
[ -s "$dir/left" ] && ! grep -q -x -F -f "$dir/known" "$dir/left"
holds "a scheme left out has a plan"
sort -u "$dir/known" "$dir/left" > "$dir/all"
run compare --network ring:16 -w 2 --format csv
cut -d , -f 6 "$dir/out" | tail -n +2 | sort -u | cmp -s - "$dir/all"
holds "some scheme is neither planned nor left out"
# The bounds for which schemes are left out hold for their plans, and are above the time of the chosen one, 3.837 ms.
tail -n +2 "$dir/out" | awk -F , '
    NR == FNR { least[$2] = $4; n++; next }
    $6 in least && $12 < least[$6] || $12 == "" { exit 1 }
    END { for (s in least) if (least[s] < 0.003837) exit 1; if (n == 0) exit 1 }' "$dir/least" -
holds "bounds of schemes left out: $(cat "$dir/least")"

# Quicker plans with all 8 wavelengths fail, so that schemes are planned with 4: each scheme is named once.
run plan --network ring:64 -w 8 --device conservative -q
says "a plan on 8 wavelengths has too much crosstalk, so every second, fourth, ... one was tried"
sed -n '/^Also/,/^Check/ { s/^Left out//; s/^  *[0-9.]* ms .*  //; /^Also/d; /^Check/d; s/[:;].*//; p; }' "$dir/out" |
    tr -d ' ' | tr , '\n' | sort > "$dir/named"
[ "$(wc -l < "$dir/named")" -gt 8 ] && [ -z "$(uniq -d "$dir/named")" ] && ! grep -qx standing "$dir/named"
holds "a scheme is named twice: $(cat "$dir/named")"

# The rows of auto: no scheme by its name is quicker, none takes fewer steps of whole blocks.  A block in 2 parts has
# half its bytes.
run compare --network ring:16 -w 2 --seed 7 --format csv
awk -F , -v version="$("$rwa" --version | sed 's,^[^0-9]*,,; s, .*,,; q')" '
    NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $c["seed"] != 7 || $c["version"] != version || $c["parts"] * $c["block_bytes"] != 4194304 { exit 1 }
    $c["asked"] == "auto" { auto[$c["objective"]] = $c["objective"] == "time" ? $c["paper_seconds"] : $c["steps"]
        next }
    { rows++ }
    $c["asked"] != $c["scheme"] || $c["paper_seconds"] < auto["time"] { exit 1 }
    $c["load_factor"] == 1 && $c["block_bytes"] == 4194304 && $c["steps"] < auto["steps"] { exit 1 }
    END { if (rows < 5 || auto["time"] <= 0 || auto["steps"] != 5) exit 1 }' "$dir/out"
holds "rows of auto: $(cat "$dir/out")"
run compare --network ring:16 -w 2 --scheme auto,wavefront --objective time --load-factor 1/2 --format csv
[ "$(cut -d, -f17,25,27 "$dir/out" | tail -n +2 | tr '\n' ' ')" = "2097152,auto,2 2097152,wavefront,2 " ]
holds "2 parts: $(cat "$dir/out")"

# Every proposed command is one that a shell can run; -q proposes none.
while read -r options; do
    eval "run plan $options" < /dev/null
    sed -n '/^Next/,$ s/^\(Next\)\{0,1\} *rwa //p' "$dir/out" > "$dir/next"
    [ "$(wc -l < "$dir/next")" -eq 3 ]
    holds "3 proposals for $options"
    while read -r proposal; do
        cd "$dir" && eval "good $proposal" < /dev/null
    done < "$dir/next"
done <<END
--network ring:8 -w 2 --fail '3>2' --message 25kB
--network ring:16 -w 4 --scheme 'compose:positions(4,direct,direct)' -o '$dir/a plan.jsonl'
--network ring:16 -w 4 --collective all-reduce -o $dir/plan.jsonl
END
run plan --network ring:8 -w 2 -q
! grep -q ^Next "$dir/out"
holds "-q proposes commands"

# Lightpaths of one hop need ceil(15 / 2) steps; 8 is the bound of those only.  15 hops reach every node: no limit then.
good plan --network ring:16 -w 4 --max-hops 1 --objective steps
says "lower bound     8 with such blocks and lightpaths of at most 1 hop"
good compare --network ring:16 -w 8 --max-hops 15 --scheme auto,wrht
says "~ no schedule of wrht takes only 1"
grep -q "^wrht  *[0-9]*~ " "$dir/out" && ! grep -q "of at most" "$dir/out"
holds "formulas that no schedule keeps, and limits that limit nothing"
# With 4 wavelengths the formula says 19, and a schedule takes 17.
good compare --network ring:16 -w 4 --scheme wrht
! grep -q "~" "$dir/out"
holds "a formula is called too low where a schedule takes fewer steps"

# Half of an all-reduce adds up, then the sum goes out from one node.
good explain --network ring:8 -w 2 --collective all-reduce
says "Step 5: the sum of block 0 goes 0 to +1, 0 to -1"
says "..*#*..."

good plan --network ring:8 -w 2 -q -o "$dir/eight.jsonl"
good export "$dir/eight.jsonl" --to csv -o "$dir/eight.csv"
says "Written           $dir/eight.csv, as csv"
good export "$dir/eight.jsonl" --to csv -o -
same "$dir/out" "$dir/eight.csv" "only the export on standard output"

finish
