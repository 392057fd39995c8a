#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Finishing a plan after a failure, from outside.  Usage: repair_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

good plan --network ring:16 -w 2 --scheme wavefront -o "$dir/a.jsonl"  # plan
good plan --repair "$dir/a.jsonl" --fail 3 --at-step 2 --format json -o "$dir/b.jsonl"  # repair
has '"check":"ok"'
before=$(head -n 1 "$dir/a.jsonl" | sed 's/.*"steps":\([0-9]*\).*/\1/')
after=$(tr -d ' \n' < "$dir/out" | sed 's/.*"steps":\([0-9]*\),"stages".*/\1/')
has "\"failed\":\"3\",\"at_step\":2,\"steps_before\":$before,\"kept_steps\":1,\"extra_steps\":$((after - before))"
run plan --repair "$dir/a.jsonl" --fail 3 --at-step 2
says "after the failure of link 3 in step 2"
says "1 of $before steps"
good check "$dir/b.jsonl"  # check of the repaired plan
no_check 's/"failed_from":2/"failed_from":1/' "$dir/b.jsonl"  # the same when the link failed a step earlier
says 'which failed'

# A link that failed before the plan stays failed in the steps before the second failure, in which the other link still
# works.
good plan --network ring:64 -w 4 --fail cw:10 -o "$dir/e.jsonl"  # plan without a link
good plan --repair "$dir/e.jsonl" --fail cw:40 --at-step 3 -o "$dir/f.jsonl"  # repair after a second failure
grep -q '"failed":\["cw:10","cw:40"\],"failed_from":\[0,3\]' "$dir/f.jsonl"
holds "each failed link has its step"
grep -q '"step":1,"src":40,"dst":[0-9]*,"dir":"cw"' "$dir/f.jsonl"
holds "step 1 uses the link that fails in step 3"
good check "$dir/f.jsonl"  # check of the plan repaired after a second failure
good plan --repair "$dir/f.jsonl" --fail cw:41 --at-step 4 -o "$dir/h.jsonl"  # repair after a third failure
grep -q '"failed":\["cw:10","cw:40","cw:41"\],"failed_from":\[0,3,4\]' "$dir/h.jsonl"
holds "the earlier failures keep their steps"

no plan --repair "$dir/e.jsonl" --fail 40,ccw:10 --at-step 3  # a ring cut in two by an earlier failure and a later one
says 'leave no way from node'

# A link by its nodes: the same on every network, both ways with "-", one way with ">".
good plan --repair "$dir/a.jsonl" --fail 3-4 --at-step 2 -o "$dir/d.jsonl"  # a fibre pair by its nodes
same "$dir/b.jsonl" "$dir/d.jsonl" "--fail 3-4 is --fail 3 on a ring"
bad plan --repair "$dir/a.jsonl" --fail 3-5 --at-step 2
says "no such link, expected two neighbours as A-B"
# a root and a link by name
good plan --network polska12-18 -w 4 --collective broadcast --root Zabrze --fail Zabrze-Piekary -o "$dir/p.jsonl"
good show "$dir/p.jsonl" --node Zabrze  # a node by name
bad show "$dir/p.jsonl" --node Paris
says "no such node"
good plan --network polska12-18 -w 4 --members Zabrze,Ochota,3-5  # members by name and number
says "8 nodes that take no part"
good assign --network nsfnet14-21 --fail '0>1' -o "$dir/s.jsonl"  # an assignment around a failed link
sed 1d "$dir/s.jsonl" | grep -q '[[,]0,1[],]\|[[,]1,0[],]' && crossed=1 || crossed=0
[ "$crossed" -eq 0 ]
holds "a route of the assignment crosses the failed link"
good traffic --network line:3 -w 1 --load 5 --requests 20000 --fail 0-1  # traffic with a failed link
bad traffic --network line:3 -w 1 --load 5 --fail 0-2

bad_each plan --repair << 'END'
"$dir/a.jsonl" --fail 16 --at-step 2
"$dir/a.jsonl" --fail cw: --at-step 2
"$dir/a.jsonl" --at-step 2
"$dir/a.jsonl" --fail 3
"$dir/a.jsonl" --fail 3 --at-step 99
"$dir/none.jsonl" --fail 3 --at-step 2
END
# The blocks of an all-to-all move round the ring with both their ends: written out, none goes on to the next owner's.
run plan --network ring:10 -w 2 --fibers 3 --collective all-to-all --message 100 --cost overlap --alpha 1us \
    --scheme standing -o "$dir/e.jsonl"
for step in 1 2 3; do
    good plan --repair "$dir/e.jsonl" --fail ccw:0 --at-step "$step" -o "$dir/f.jsonl"
    good check "$dir/f.jsonl"  # the repaired exchange is right
done

good plan --network ring:6 -w 2 --playbook nodes -o "$dir/plays"  # a playbook of failed nodes
says '6 nodes, each in'
good check "$dir/plays/plan.jsonl"  # the plan of a playbook
good plan --network mesh:2x3 -w 2 --playbook links -o "$dir/pairs" --format json  # a playbook of failed links
has '"failures":7'
has '"missing":0'   # each of 7 fibre pairs has a way round
bad plan --network ring:6 --playbook links
bad plan --network ring:6 --playbook links -o "$dir/plays"
bad plan --network ring:6 --playbook links -o "$dir/a.jsonl"
ln -s "$dir/nowhere" "$dir/dangling"
bad plan --network ring:6 --playbook links -o "$dir/dangling"
says 'needs a new folder'
bad plan --network star:6 --playbook nodes -o "$dir/other"
[ ! -e "$dir/other" ]
holds "no folder is left of a playbook that was refused"
finish
