#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every command and every way to fail: 2 for bad input and for a path that cannot be written, 4 for a full disk.
# Usage: exit_codes_test.sh RWA
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

# A wrong file is checked record by record and never opened as a whole, so the report must not ask it for its network.
good plan --network ocs:8x2 -w 2 -o "$dir/ocs.jsonl"
no_check '$d' "$dir/ocs.jsonl"

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

finish
