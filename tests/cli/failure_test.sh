#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Failures of the machine, interrupts and huge input: the exit code, and never half a file.
# Usage: failure_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

good plan --network ring:64 -w 8 -o "$dir/good.jsonl"  # a good plan

# A line of a gigabyte, header or record, is refused after its first megabytes, in little memory.
# A sanitizer maps terabytes: its build has no such limit, the refusals stay.
little_memory() { ( ulimit -v 100000; "$rwa" --version ) > /dev/null 2>&1 && ulimit -v 100000; }
limited() { ( little_memory; "$rwa" "$@" > "$dir/out" 2> "$dir/err" ); code=$?; }
truncate -s 1G "$dir/huge"
limited check "$dir/huge"
is 2 "a header line of 1 GB"
one_line "a header line of 1 GB"
says "line longer"
head -n 1 "$dir/good.jsonl" > "$dir/huge"
truncate -s 1G "$dir/huge"
limited check "$dir/huge"
is 2 "a record line of 1 GB"
one_line "a record line of 1 GB"
says ":2: line longer"
head -c 1000000000 /dev/zero | tr '\0' x | ( little_memory; "$rwa" check - > "$dir/out" 2> "$dir/err" )
code=$?
is 2 "a line of 1 GB through a pipe"
one_line "a line of 1 GB through a pipe"
rm "$dir/huge"

# Bytes behind the end of a gzip file, which gzip readers often ignore.
gzip -c "$dir/good.jsonl" > "$dir/tail.jsonl.gz"
good check "$dir/tail.jsonl.gz"  # gzip without a tail
echo garbage >> "$dir/tail.jsonl.gz"
bad check "$dir/tail.jsonl.gz"
says "not gzip"

# A closed pipe on standard output: no death by signal, no long complaint.
( "$rwa" plan --network ring:256 --scheme optree -o - 2> "$dir/err"; echo $? > "$dir/code" ) | head -n 1 > "$dir/out"
code=$(cat "$dir/code")
is 4 "plan -o - | head -1"
[ "$(wc -l < "$dir/err")" -le 1 ] && grep -q '"rwa-schedule"' "$dir/out"
holds "plan -o - | head -1"

# Infeasible: the answer names the limit and a remedy.
no plan --network ring:64 --scheme optree --max-hops 3 -o "$dir/none.jsonl"  # --max-hops too small
says "--max-hops 3"
says "try --scheme auto"
absent "$dir/none.jsonl" "--max-hops too small"

# A limit on file sizes: a failed write, not a death by signal that leaves half a file behind.
mkdir "$dir/short"
( ulimit -f 8; "$rwa" plan --network ring:128 --scheme one-stage -o "$dir/short/x.jsonl" > "$dir/out" 2> "$dir/err" )
code=$?
is 4 "a file that may not grow"
one_line "a file that may not grow"
(
    ulimit -f 8
    "$rwa" export "$dir/good.jsonl" --to openconfig --device onoc-typical -o "$dir/short/settings" \
        > "$dir/out" 2> "$dir/err"
)
code=$?
is 4 "a folder of files that may not grow"
[ -z "$(ls -A "$dir/short")" ]
holds "a file that may not grow"
rm -r "$dir/short"

# rwa itself reports what cannot be drawn, not gnuplot.
bad compare --network ring:8 --plot "$dir/nowhere/x.svg"

# A full disk: a small file system, where one can be mounted.
mkdir "$dir/disk"
if mount -t tmpfs -o size=64k tmpfs "$dir/disk" 2> /dev/null; then
    echo precious > "$dir/disk/old.jsonl"
    for file in new.jsonl new.jsonl.gz old.jsonl; do
        fails 4 plan --network ring:256 --scheme optree -o "$dir/disk/$file"
        says "No space left"
    done
    fails 4 export "$dir/good.jsonl" --to openconfig --device onoc-typical -o "$dir/disk/settings"
    says "No space left"
    [ "$(ls -A "$dir/disk")" = old.jsonl ] && [ "$(cat "$dir/disk/old.jsonl")" = precious ]
    holds "a full disk"
    umount "$dir/disk"
else
    echo "(no file system of our own here: the full disk is tried with /dev/full only)"
fi
rmdir "$dir/disk"

# A signal while planning stops it: exit 3, one line, no file.  The command leaves an ignored SIGHUP ignored, which it
# inherits when the tests run under nohup.
if env --default-signal=HUP true 2> /dev/null; then default="env --default-signal=HUP"; fi
for signal in INT TERM HUP; do
    signalled $signal 0.3 plan --network ring:3000 --scheme optree -o "$dir/none.jsonl"
    is 3 "SIG$signal while planning"
    one_line "SIG$signal while planning"
    says "lower bound"
    absent "$dir/none.jsonl" "SIG$signal while planning"
done

# An interrupted search for wavelengths reports its best answer, checked; without one, one line.
signalled INT 1 assign --network regular:100:3:1 --model undirected --time-limit 60
case $code in
0) grep -q 'Check *ok' "$dir/out" ;;
*) [ $code -eq 3 ] && [ "$(wc -l < "$dir/err")" -eq 1 ] ;;
esac
holds "rwa assign, interrupted: exit $code"

# Killed at 50 moments of writing, with or without an older file: the name holds the new file, the old one or none.
good export "$dir/good.jsonl" --expand -o "$dir/whole.jsonl"  # what is written
echo old > "$dir/old"
cut=0
begun=$(date +%s%N)
"$rwa" export "$dir/good.jsonl" --expand -o "$dir/killed.jsonl" > "$dir/out"
needs=$((($(date +%s%N) - begun) / 1000))
for moment in $(awk -v needs=$needs 'BEGIN { srand(7)
    for (i = 0; i < 50; i++) printf "%.4f\n", 2e-6 * needs * rand() }'); do
    cp "$dir/old" "$dir/killed.jsonl"
    signalled KILL "$moment" export "$dir/good.jsonl" --expand -o "$dir/killed.jsonl"
    cmp -s "$dir/killed.jsonl" "$dir/whole.jsonl" || { cut=$((cut + 1)); cmp -s "$dir/killed.jsonl" "$dir/old"; }
    holds "half a file after kill -9 at $moment s"
done
[ $cut -ge 5 ] && [ $cut -le 45 ]
holds "of 50 writers that need $needs us $cut were killed in time: that shows little"
good export "$dir/good.jsonl" --expand -o "$dir/killed.jsonl"  # a writer after killed ones
[ "$(cd "$dir" && ls -A | grep -c '^killed')" -eq 1 ]
holds "killed writers left"
rm -f "$dir"/killed.jsonl* "$dir/whole.jsonl" "$dir/old"

# Many processes in one folder, half of them writing the same file: each succeeds, every file is whole, nothing else is
# left.
mkdir "$dir/shared"
i=0
while [ $i -lt 200 ]; do
    name=$((i % 2 ? i : 0))
    { "$rwa" plan -q --network ring:16 -w 2 --scheme optree -o "$dir/shared/$name.jsonl" > "$dir/shared/$i.out" 2>&1 ||
        echo failed >> "$dir/failed"; } &
    i=$((i + 1))
    [ $((i % 50)) -ne 0 ] || wait
done
wait
absent "$dir/failed" "200 processes in one folder"
cat "$dir"/shared/*.jsonl | sort | uniq -c | awk '$1 != 101 { bad = 1 } END { exit bad }'
holds "200 processes in one folder: not all files are alike"
good check "$dir/shared/0.jsonl"  # the file that 100 processes wrote
[ "$(ls "$dir/shared" | grep -c -v '\.out$')" -eq 101 ]
holds "200 processes in one folder"
rm -r "$dir/shared"

# Unreadable: a folder, a cyclic link, a dangling link, an endless device.
ln -s round "$dir/round"
ln -s nowhere "$dir/broken"
for what in "$dir" "$dir/round" "$dir/broken" "$dir/none" "$dir/good.jsonl/x"; do
    bad check "$what"
    bad show "$what"
    bad assign --network "$what/"
    bad circuits "$what" --network ocs:4x2
    bad place "$what" --devices 2
    bad plan --network ring:8 --device "$what/"
    bad assign --network nsfnet14-21 --demands "$what"
done
limited check /dev/zero
is 2 "an endless file"
one_line "an endless file"
rm "$dir/round" "$dir/broken"
if [ "$(id -u)" -ne 0 ]; then
    cp "$dir/good.jsonl" "$dir/closed.jsonl"
    chmod 000 "$dir/closed.jsonl"
    bad check "$dir/closed.jsonl"
    rm -f "$dir/closed.jsonl"
fi

# A pipe is a file that can be read once.
mkfifo "$dir/pipe"
gzip -c "$dir/good.jsonl" > "$dir/pipe" &
good check "$dir/pipe"  # check PIPE
wait
rm "$dir/pipe"

# Reading a pipe without a writer waits until an interrupt.
mkfifo "$dir/pipe"
for command in "check $dir/pipe" "assign --network $dir/pipe.json" "circuits $dir/pipe --network ocs:4x2"; do
    [ -p "$dir/pipe.json" ] || mkfifo "$dir/pipe.json"
    # shellcheck disable=SC2086
    "$rwa" $command > "$dir/out" 2> "$dir/err" &
    started=$!
    sleep 0.2
    kill -s INT $started
    ( sleep 5; kill -s KILL $started ) 2> /dev/null &
    watchdog=$!
    wait $started
    code=$?
    kill $watchdog 2> /dev/null
    [ $code -eq 2 ] || [ $code -eq 3 ]
    holds "rwa $command, interrupted: exit $code"
    one_line "rwa $command, interrupted"
done
rm "$dir/pipe" "$dir/pipe.json"

# A header with a million million nodes costs no memory.
for member in '"nodes":1000000000000' '"nodes":4294967295' '"nodes":4,"fibers":1000000000000' \
    '"nodes":4,"wavelengths":4294967295'; do
    printf '{"format":"rwa-schedule","version":1,"network":{"kind":"ring",%s,"wavelengths":2},%s\n' "$member" \
        '"collective":"all-gather","blocks":4,"block_bytes":8,"steps":1,"scheme":"x"}' > "$dir/vast.jsonl"
    limited check "$dir/vast.jsonl"
    is 2 "a header with $member"
    one_line "a header with $member"
    printf '{"format":"rwa-assignment","version":1,"model":"directed","network":{%s,"links":[[0,1]]},%s\n' "$member" \
        '"demands":1000000000000,"wavelengths":2}' > "$dir/vast.jsonl"
    limited check "$dir/vast.jsonl"
    is 2 "an assignment with $member"
    printf '{%s,"links":[[0,1]]}\n' "$member" > "$dir/vast.json"
    limited assign --network "$dir/vast.json"
    is 2 "a network with $member"
done
printf '{"nodes":16777216,"flows":[[0,16777215,1]]}\n' > "$dir/vast.json"
limited circuits "$dir/vast.json" --network ocs:16777216x2
[ "$code" -eq 2 ] || [ "$code" -eq 4 ]
holds "traffic of 16777216 nodes: exit $code"
rm "$dir"/vast.json*

# No other file may be left, except by killed processes.
left=$(ls -A "$dir" | grep -v -x -e out -e err -e code -e good.jsonl -e tail.jsonl.gz)
[ -z "$left" ]
holds "left behind: $left"
# A signal sent to the process and to its group counts once: the bound is still reported.
"$rwa" plan --network line:2048 --wavelengths 3 --scheme line-wavefront --quiet > "$dir/out" 2> "$dir/err" &
pid=$!
sleep 1
kill -TERM $pid $pid
wait $pid
code=$?
is 3 "two signals at once"
says "no schedule yet"

finish
