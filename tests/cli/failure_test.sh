#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# When the machine fails, the user interrupts or the input is monstrous: the exit code, and never half a file.
# Usage: failure_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

run plan --network ring:64 -w 8 -o "$dir/good.jsonl"
is 0 "a good plan"

# A line of a gigabyte, header or record, is refused after its first megabytes: in little memory, without reading on.
limited() { ( ulimit -v 100000; "$rwa" "$@" > "$dir/out" 2> "$dir/err" ); code=$?; }
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
head -c 1000000000 /dev/zero | tr '\0' x | ( ulimit -v 100000; "$rwa" check - > "$dir/out" 2> "$dir/err" )
code=$?
is 2 "a line of 1 GB through a pipe"
one_line "a line of 1 GB through a pipe"
rm "$dir/huge"

# Bytes behind the end of a gzip file, which gzip readers like to ignore.
gzip -c "$dir/good.jsonl" > "$dir/tail.jsonl.gz"
run check "$dir/tail.jsonl.gz"
is 0 "gzip without a tail"
echo garbage >> "$dir/tail.jsonl.gz"
bad 2 check "$dir/tail.jsonl.gz"
says "not gzip"

# A reader that goes away early is no reason to die of a signal, or to complain at length.
( "$rwa" plan --network ring:256 --scheme optree -o - 2> "$dir/err"; echo $? > "$dir/code" ) | head -n 1 > "$dir/out"
code=$(cat "$dir/code")
is 4 "plan -o - | head -1"
[ "$(wc -l < "$dir/err")" -le 1 ] && grep -q '"rwa-schedule"' "$dir/out"
verdict $? "plan -o - | head -1: $(cat "$dir/err")"

# The honest no: the limit, and what would help.
run plan --network ring:64 --scheme optree --max-hops 3 -o "$dir/none.jsonl"
is 1 "--max-hops too small"
says "--max-hops 3"
says "would help"
absent "$dir/none.jsonl" "--max-hops too small"

# Where nothing can be written.
bad 4 plan --network ring:16 -o "$dir"
bad 4 plan --network ring:16 -o "$dir/good.jsonl/none.jsonl"
bad 4 export "$dir/good.jsonl" --expand -o "$dir/no/such/folder/none.jsonl"

# A file that may not grow: a failed write, not a death by signal that leaves half a file behind.
mkdir "$dir/short"
( ulimit -f 8; "$rwa" plan --network ring:128 --scheme one-stage -o "$dir/short/x.jsonl" > "$dir/out" 2> "$dir/err" )
code=$?
is 4 "a file that may not grow"
one_line "a file that may not grow"
[ -z "$(ls -A "$dir/short")" ]
verdict $? "a file that may not grow: left $(ls -A "$dir/short")"
rm -r "$dir/short"

# What cannot be drawn is said by us, not by the program that draws.
bad 4 compare --network ring:8 --plot "$dir/nowhere/x.svg"

# A full disk: a small file system of our own, where the machine lets us have one.
mkdir "$dir/disk"
if mount -t tmpfs -o size=64k tmpfs "$dir/disk" 2> /dev/null; then
    echo precious > "$dir/disk/old.jsonl"
    for file in new.jsonl new.jsonl.gz old.jsonl; do
        bad 4 plan --network ring:256 --scheme optree -o "$dir/disk/$file"
        says "No space left"
    done
    [ "$(ls -A "$dir/disk")" = old.jsonl ] && [ "$(cat "$dir/disk/old.jsonl")" = precious ]
    verdict $? "a full disk: left $(ls -A "$dir/disk")"
    umount "$dir/disk"
else
    echo "(no file system of our own here: the full disk is tried with /dev/full only)"
fi
rmdir "$dir/disk"

# A signal while planning stops it: exit 3, one line, no file.
for signal in INT TERM; do
    "$rwa" plan --network ring:3000 --scheme optree -o "$dir/none.jsonl" > "$dir/out" 2> "$dir/err" &
    started=$!
    sleep 0.3
    kill -s $signal $started
    wait $started
    code=$?
    is 3 "SIG$signal while planning"
    one_line "SIG$signal while planning"
    says "at least"
    absent "$dir/none.jsonl" "SIG$signal while planning"
done

# Killed without warning at some moment: under the file's name is nothing, or all of it.
for delay in 0.05 0.12 0.2 0.3 0.4 0.5 0.65; do
    rm -f "$dir/killed.jsonl"
    "$rwa" plan --network ring:768 --scheme optree -q -o "$dir/killed.jsonl" > "$dir/out" 2> "$dir/err" &
    started=$!
    sleep $delay
    kill -s KILL $started 2> /dev/null
    wait $started 2> /dev/null
    if [ -e "$dir/killed.jsonl" ]; then
        run check "$dir/killed.jsonl"
        is 0 "the file after kill -9 at $delay s"
    else
        verdict 0 ""
    fi
done
rm -f "$dir"/killed.jsonl*

# Nothing else may be left; of the killed, only what nobody could have removed.
left=$(ls -A "$dir" | grep -v -x -e out -e err -e code -e good.jsonl -e tail.jsonl.gz)
[ -z "$left" ]
verdict $? "left behind: $left"
finish
