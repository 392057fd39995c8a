#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every command and every way to fail: 2 for bad input and for a path that cannot be written, 3 for a signal, 4 for a
# full disk.
# Usage: exit_codes_test.sh RWA [thorough]
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

good plan --network ring:16 -w 4 -o "$dir/plan.jsonl"  # a plan to work with
echo 'from,to,amount
0,1,1' > "$dir/traffic.csv"

# A line for each command: arguments with which it succeeds.
cat > "$dir/commands" <<END
plan --network ring:16 -w 4
explain --network ring:16 -w 4
check $dir/plan.jsonl
assign --network nsfnet14-21
traffic --network nsfnet14-21 --load 60 --requests 2000
bounds --network ring:16 -w 4
show $dir/plan.jsonl
compare --network ring:16 -w 4
sweep --nodes 8,16 --wavelengths 2
network --network nsfnet14-21
export $dir/plan.jsonl --expand -o -
END
while read -r line; do
    command=${line%% *}
    # shellcheck disable=SC2086
    good $line  # rwa $line
    bad "$command" --no-such-option
    bad "$command" "$dir/no-such-file" "$dir/neither-this"
    # shellcheck disable=SC2086
    "$rwa" $line > /dev/full 2> "$dir/err"
    code=$?
    is 4 "rwa $line > /dev/full"
    one_line "rwa $line > /dev/full"
done < "$dir/commands"

# Paths that cannot be written are refused before any work.
for command in "plan --network ring:16 -w 4" "assign --network nsfnet14-21" "show $dir/plan.jsonl" \
    "sweep --nodes 8 -w 2" \
    "export $dir/plan.jsonl --expand" "network --network nsfnet14-21 --format json"; do
    for path in "$dir/nowhere/x.html" "$dir/plan.jsonl/x.html" "$dir" ""; do
        # shellcheck disable=SC2086
        bad $command -o "$path"
    done
done

# An output replaces a symbolic link, not the file that it leads to.
echo precious > "$dir/victim"
ln -s victim "$dir/link.jsonl"
good plan --network ring:8 -w 2 -o "$dir/link.jsonl"  # an output over a symbolic link
[ "$(cat "$dir/victim")" = precious ] && [ ! -L "$dir/link.jsonl" ]
holds "an output went through a symbolic link"

# SIGTERM, SIGINT and SIGHUP stop long work of every command with exit 3 in one line, or with the best answer so far.
cat > "$dir/long" <<END
plan --network ring:3000 --scheme optree -w 64
bounds --network waxman:900:3 --collective all-to-all
compare --network ring:2000 -w 4
assign --network waxman:400:1 --time-limit 100
traffic --network nsfnet14-21 --load 60 --requests 400000000
sweep --nodes 3000,3001 --wavelengths 2
END
run plan --network ring:1024 -w 64 --scheme wavefront -q -o "$dir/large.jsonl"
# The command leaves an ignored SIGHUP ignored, which it inherits when the tests run under nohup.
default=
if env --default-signal=HUP true 2> /dev/null; then default="env --default-signal=HUP"; fi
for signal in TERM INT HUP; do
    while read -r line; do
        # One handler for all signals: every command gets SIGTERM, plan and traffic the others too.
        case "${2:-} $line $signal" in thorough* | " plan"* | " traffic"* | *TERM) ;; *) continue ;; esac
        # shellcheck disable=SC2086
        $default "$rwa" $line > "$dir/out" 2> "$dir/err" < /dev/null &
        started=$!
        sleep 0.4
        kill -s $signal $started 2> /dev/null
        ( sleep 3; kill -s KILL $started ) 2> /dev/null &
        watchdog=$!
        wait $started
        code=$?
        kill $watchdog 2> /dev/null
        [ $code -eq 0 ] || [ $code -eq 3 ]
        holds "SIG$signal: rwa $line: exit $code"
        [ "$(wc -l < "$dir/err")" -le 1 ]
        holds "SIG$signal: rwa $line"
    done < "$dir/long"
    # Stopped, it leaves nothing behind.
    $default "$rwa" export "$dir/large.jsonl" --to csv -o "$dir/half.csv" -q 2> /dev/null &
    started=$!
    sleep 0.1
    kill -s $signal $started 2> /dev/null
    wait $started
    [ -f "$dir/half.csv" ] || [ "$(ls "$dir" | grep -c half)" -eq 0 ]
    holds "SIG$signal: rwa export"
done
finish
