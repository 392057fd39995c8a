#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command from outside: output, exit codes, files left behind.  Usage: cli_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

plan() { run plan --network ring:16 -w 2 --format json "$@"; is 0 "plan $*"; }

# OpTree on 16 nodes and 2 wavelengths: its own worked example, 12 steps where one stage takes 16.
plan --scheme optree --radix 4,4 -o "$dir/a.jsonl"
has '"formula_steps":12,'
has '"formula_stage_wavelengths":[8,16]'
good check "$dir/a.jsonl" --format json  # check of radix 4,4
has '"ok":true'
has '"violations":0'

plan --scheme one-stage
has '"formula_steps":16,'
has '"stage_wavelengths":[32]'
has '"steps":16,'

# With the schedule on standard output the report goes to standard error.
good plan --network ring:8 -w 2 -o -  # plan -o -
head -n 1 "$dir/out" | grep -q '"rwa-schedule"'
holds "plan -o -: standard output is not the schedule"
grep -q Steps "$dir/err"
holds "plan -o -: no summary on standard error"

run bounds --network ring:16 -w 2 --format json
is 0 bounds
has '"bounds":[{"name":'

for word in --help --version "plan --help" "check --help" "bounds --help" "export --help"; do
    # shellcheck disable=SC2086
    good $word  # $word
    [ -s "$dir/out" ] && [ ! -s "$dir/err" ]
    holds "$word: expected text on standard output only"
done

# Help and prose fit 80 columns, and a wider terminal; wrapping keeps every word.  "help COMMAND" is "COMMAND --help".
widest() {
    awk '{ gsub(/[\200-\277]/, "") } length($0) > most { most = length($0) } END { print most + 0 }' "$dir/out"
}
for word in help \
    $("$rwa" help | awk '/^Commands:/ { inside = 1; next } !NF { inside = 0 } inside { print "help-" $1 }') \
            "explain --network nsfnet14-21" "bounds --network ring:9"; do
    # shellcheck disable=SC2046
    LC_ALL=C COLUMNS=80 "$rwa" $(echo "$word" | sed 's/help-/help /') > "$dir/out" 2> "$dir/err"
    [ "$(widest)" -le 80 ] && [ "$(widest)" -gt 0 ]
    holds "$word"
done
"$rwa" compare --network ring:9 --collective all-reduce --device onoc-typical |
    sed '1d; /^\*/d; /^  *rwa /d' > "$dir/out"
[ "$(widest)" -le 80 ]
holds "the table of compare"
run help plan
cp "$dir/out" "$dir/help"
run plan --help
same "$dir/help" "$dir/out" "help plan differs from plan --help"
rm "$dir/help"
bad help plam
says "plan"
COLUMNS=200 "$rwa" bounds --network ring:9 | tr -s ' \n' ' ' > "$dir/out"
COLUMNS=44 "$rwa" bounds --network ring:9 | tr -s ' \n' ' ' | cmp -s - "$dir/out"
holds "folding changes more than blanks"

# Reports are wrapped like that, but commands to copy are whole; without COLUMNS all lines are.
COLUMNS=60 "$rwa" plan --network ring:9 --message 4kB > "$dir/wrapped"
env -u COLUMNS "$rwa" plan --network ring:9 --message 4kB > "$dir/whole"
grep -v '^  *rwa ' "$dir/wrapped" > "$dir/out"
[ "$(widest)" -le 60 ] && [ "$(wc -l < "$dir/wrapped")" -gt "$(wc -l < "$dir/whole")" ]
holds "the plan's report at 60 columns"
grep '^  *rwa ' "$dir/whole" > "$dir/out"
[ "$(widest)" -gt 60 ] && grep '^  *rwa ' "$dir/wrapped" | cmp -s - "$dir/out"
holds "a command to copy is broken"
rm "$dir/wrapped" "$dir/whole"

# A schedule with too many lightpaths is wrong, not unreadable.
no_check '$p' "$dir/a.jsonl"  # check of a record given twice

run
is 0 "rwa alone prints the help"
says "Usage: rwa COMMAND"
bad plan
bad frobnicate
for spec in ring:1 ''; do
    bad plan --network "$spec" -o "$dir/none.jsonl"
done
for option in '-w 0' '-w -3' '-w 2x' '-w 99999999999999999999' '--fibers 0' '--radix 4,' \
    '--scheme blob' '--solver blob' '--device blob' '--blob' '-z' '--message 0' '--message 4Mi' '--message -1' \
    '--rate 0' '--rate nan' '--rate 40X' '--reconfig 25' '--reconfig -1us' '--clock 0' '--packet 0' '--max-hops 0' \
    '--root -1' '--seed x' '--order blob' '--cost blob' '--format blob' '--collective blob' '--time-limit -1' \
    '--stages 0' '--quiet=1' '-o'; do
    # shellcheck disable=SC2086
    bad plan --network ring:16 -o "$dir/none.jsonl" $option
done
bad plan --network ring:16 extra

# A mistyped word is answered with a suggestion, an unrelated one is not.
bad paln
says "did you mean plan?"
bad plan --networt ring:4
says "did you mean --network?"
bad plan --network ring:4 --scheme op-tree
says "did you mean optree?"
# The options that begin so are meant, however much is missing, while they are few.
bad plan --mem ring:4
says "did you mean --members or --memory-limit?"
bad quixotic
! grep -q 'did you mean' "$dir/err"
holds "quixotic"

# Progress is shown on terminals only.
run plan --network ring:600 --scheme optree
[ ! -s "$dir/err" ]
holds "progress without a terminal"
if script -q -e -c true /dev/null > /dev/null 2>&1 < /dev/null; then   # where a terminal can be had
    script -q -e -c "$rwa plan --network ring:600 --scheme optree" /dev/null > "$dir/out" 2> "$dir/err" < /dev/null
    grep -q "$(printf '\033')\[K" "$dir/out"
    holds "no progress on a terminal"
    script -q -e -c "$rwa plan --network ring:600 --scheme optree -q" /dev/null > "$dir/out" 2> "$dir/err" < /dev/null
    ! grep -q "$(printf '\033')\[K" "$dir/out"
    holds "progress on a terminal despite -q"
fi

: > "$dir/empty.jsonl"
head -c "$(($(wc -c < "$dir/a.jsonl") - 5))" "$dir/a.jsonl" > "$dir/short.jsonl"
printf '\000\001\377\376binary\000' > "$dir/binary.jsonl"
printf '\037\213\010broken' > "$dir/broken.jsonl.gz"
for file in empty.jsonl short.jsonl binary.jsonl broken.jsonl.gz; do
    bad check "$dir/$file"
    bad export "$dir/$file" --expand -o "$dir/none.jsonl"
done
bad check
bad export "$dir/a.jsonl"

if [ -w /dev/full ]; then
    "$rwa" plan --network ring:16 -w 2 -o - > /dev/full 2> "$dir/err"
    code=$?
    is 4 "schedule to a full device"
    [ "$(grep -c '^rwa: ' "$dir/err")" -eq 1 ]
    holds "schedule to a full device"
fi

# No run above may have left an unfinished file.
left=$(cd "$dir" && for f in * .[!.]*; do
    case $f in
    out | err | a.jsonl | spoilt.jsonl | empty.jsonl | short.jsonl | binary.jsonl | broken.jsonl.gz | \
        '.[!.]*') ;;
    *) echo "$f" ;;
    esac
done)
[ -z "$left" ]
holds "left behind: $left"

finish
