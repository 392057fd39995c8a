#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rwa traffic from outside: three formats of the same figures, drawings, bad input.
# Usage: traffic_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

# Ranges; every routing with every policy; the same figures in every format.
set -- traffic --network nsfnet14-21 -w 8 --requests 2000 --warm-up 500 --batches 4 --routing alternate,shortest \
    --policy best-fit,random --load 20,40..60:10
good "$@" --format csv  # traffic as CSV
[ "$(cut -d, -f3 "$dir/out" | tail -n +2 | tr '\n' ' ')" = "20 40 50 60 20 40 50 60 20 40 50 60 20 40 50 60 " ]
holds "loads"
[ "$(cut -d, -f1,2 "$dir/out" | tail -n +2 | uniq -c | awk '{ printf "%s %s ", $1, $2 }')" = \
    "4 alternate,most-used 4 alternate,random 4 shortest,most-used 4 shortest,random " ]
holds "routings and policies"
cp "$dir/out" "$dir/first.csv"
good "$@" --format json  # traffic as JSON
has '"links":21'
has '"model":"undirected"'
[ "$(tr ',' '\n' < "$dir/out" | sed -n 's/.*"blocked": *\([0-9]*\).*/\1/p' | tr '\n' ' ')" = \
    "$(cut -d, -f5 "$dir/first.csv" | tail -n +2 | tr '\n' ' ')" ]
holds "JSON and CSV differ"
good "$@"  # traffic as text
[ "$(wc -l < "$dir/out")" -eq 20 ]
holds "text"
run traffic --network ring:5 --load 10..90 --requests 100 --format csv
[ "$(cut -d, -f3 "$dir/out" | tail -n +2 | tr '\n' ' ')" = "10 20 30 40 50 60 70 80 90 " ]
holds "a range without its step"
[ ! -s "$dir/err" ]
holds "progress where there is no terminal"

# Bit rates by format: 16QAM of 50 Gbit/s a slot over short links, other formats over long ones.
# traffic by rate
good traffic --network nsfnet14-21 --slots 80 --widths 1:1:25G,1:1:100G --modulations reach --load 60 --requests 5000
says "100 Gbit/s"
good traffic --network nsfnet14-21 --device ssmf --load 60 --requests 2000  # traffic on fixed channels with a device
bad_each traffic << 'END'
--network nsfnet14-21 --slots 400 --device ssmf --load 60
--network nsfnet14-21 --slots 80 --widths 1 --modulations reach --scattered --load 60
--network ring:5 --device ssmf --load 3
--network nsfnet14-21 --device nothing --load 3

--network ring:5
--network star:5 --load 3
END
for load in 0 -1 x 5..4 5..5 1..2:0 1,,2 1..2000:1 '' 1e999; do
    bad traffic --network ring:5 --load "$load"
done
bad_each traffic --network ring:5 --load 3 << 'END'
--policy first-fit,worst-fit
--routing scenic
--batches 1
--requests 0
END

# Where a formula is exact it stands beside the losses counted: Erlang B, B(1, 1) = 1/2; Kaufman and Roberts for slots
# of widths 1 and 2, here 5/17 and 9/17.
run traffic --network line:2 --model undirected -w 1 --load 1 --requests 100 --format json
has '"erlang_b":0.5'
good traffic --network line:2 --model undirected --slots 2 --widths 1,2 --load 1 --scattered --requests 100 \
    --format json
has '"exact":0.29411764'
has '"exact":0.5294117647'
# traffic of slots as text
good traffic --network nsfnet14-21 --slots 40 --widths 2:1:25G,4:1:100G --guard 1 --load 40 --requests 2000 \
    --policy exact-fit,least-fragmentation
grep -q "21 fibre pairs of 40 slots" "$dir/out" && grep -q "^  width 4 .* +- " "$dir/out" &&
    grep -q "fragmentation 0" "$dir/out"
holds "slots as text"
run traffic --network nsfnet14-21 --slots 40 --widths 2:1:25G,4:1:100G --load 40 --requests 2000 --format csv
has ",erlang_b,bandwidth,bandwidth_half_width,fragmentation,class_1_width,class_1_rate_bps,class_1_requests,"
# Every row has as many columns as the head, and the classes' requests and losses add up to all.
awk -F, 'NR == 1 { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
    NF != n || $at["class_1_requests"] + $at["class_2_requests"] != $at["requests"] ||
    $at["class_1_blocked"] + $at["class_2_blocked"] != $at["blocked"] || $at["class_2_width"] != 4 { wrong = 1 }
    END { exit NR < 2 || wrong }' "$dir/out"
holds "losses of the widths"
for widths in 0 '' 1, 1:0 1:-1 1:2:x 1:2:3:4 2000000 x; do
    bad traffic --network ring:5 --load 3 --slots 8 --widths "$widths"
done
bad_each traffic --network ring:5 --load 3 --slots << 'END'
0
8 -w 8
8 --guard x
8 --scattered --guard 1
END

# Backups: of their own, and shared.
good traffic --network nsfnet14-21 -w 40 --load 100 --requests 2000 --protection --format json  # traffic --protection
has '"protection":"1+1"'
# traffic --protection --shared
good traffic --network nsfnet14-21 -w 40 --load 100 --requests 2000 --protection --shared --format json
has '"protection":"shared"'
good traffic --network line:5 -w 40 --load 1 --requests 100 --protection --format csv  # a line has no second routes
has ",100,100,1,"
bad_each traffic --network nsfnet14-21 --load 100 << 'END'
--shared
--scattered --protection
--protection 1
END

# After a signal it reports its progress.
signalled TERM 0.3 traffic --network nsfnet14-21 --load 60 --requests 1000000000
is 3 "traffic told to stop"
one_line "traffic told to stop"

# Any number of threads gives the same bytes.
for threads in 1 2 4 0; do
    # traffic on $threads threads
    good traffic --network nsfnet14-21 -w 8 --load 20..60:10 --routing shortest,alternate --requests 3000 \
        --threads $threads --format csv
    [ $threads -eq 1 ] && cp "$dir/out" "$dir/one"
    same "$dir/one" "$dir/out" "traffic on $threads threads differs"
done
rm -f "$dir/one"

# Drawings: complete or absent, and a device is written to, not replaced.
if command -v gnuplot > /dev/null 2>&1; then
    good traffic --network nsfnet14-21 -w 4 --load 20,40 --requests 2000 --plot "$dir/blocking.svg"  # traffic --plot
    grep -q '</svg>' "$dir/blocking.svg"
    holds "blocking.svg is not a drawing"
    no traffic --network ring:5 --load 0.01 --requests 100 --plot "$dir/nothing.svg"  # a drawing of no blocking
    absent "$dir/nothing.svg" "a drawing of no blocking"
fi

# Routes of a quarter of a million links: 200,000 requests would take minutes, some do not.
bad traffic --network ring:1048576 --load 10
says "expected at most 45776 in all"
good traffic --network ring:1048576 --load 10 --requests 20 --warm-up 0  # some requests on a giant ring
finish
