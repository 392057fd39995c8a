#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Finishing a plan after a failure, from outside.  Usage: repair_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

run plan --network ring:16 -w 2 --scheme wavefront -o "$dir/a.jsonl"
is 0 "plan"
run plan --repair "$dir/a.jsonl" --fail 3 --at-step 2 --format json -o "$dir/b.jsonl"
is 0 "repair"
has '"check":"ok"'
has '"slots":1'
before=$(head -n 1 "$dir/a.jsonl" | sed 's/.*"steps":\([0-9]*\).*/\1/')
after=$(tr -d ' \n' < "$dir/out" | sed 's/.*"steps":\([0-9]*\),"stages".*/\1/')
has "\"failed\":\"3\",\"at_step\":2,\"steps_before\":$before,\"kept_steps\":1,\"extra_steps\":$((after - before))"
run plan --repair "$dir/a.jsonl" --fail 3 --at-step 2
says "after the failure of link 3 in step 2"
says "1 of $before steps"
run check "$dir/b.jsonl"
is 0 "check of the repaired plan"
sed 's/"failed_from":2/"failed_from":1/' "$dir/b.jsonl" > "$dir/c.jsonl"
run check "$dir/c.jsonl"
is 1 "the same when the link failed a step earlier"
says 'which failed'

bad 2 plan --repair "$dir/a.jsonl" --fail 16 --at-step 2
bad 2 plan --repair "$dir/a.jsonl" --fail cw: --at-step 2
bad 2 plan --repair "$dir/a.jsonl" --at-step 2
bad 2 plan --repair "$dir/a.jsonl" --fail 3
bad 2 plan --repair "$dir/a.jsonl" --fail 3 --at-step 99
bad 2 plan --repair "$dir/none.jsonl" --fail 3 --at-step 2
run plan --repair "$dir/a.jsonl" --fail 3,4 --at-step 1
is 1 "node 4 cut off"
finish
