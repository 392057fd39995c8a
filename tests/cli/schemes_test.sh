#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The schemes from outside: every collective has a plan, written and checked again; refusals give the reason.
# Usage: schemes_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

for kind in all-gather all-reduce reduce-scatter broadcast scatter gather all-to-all reduce; do
    good plan --network ring:15 -w 2 --collective $kind --root 0 -o "$dir/$kind.jsonl"  # plan $kind
    good check "$dir/$kind.jsonl"  # check $kind
done

# No plan is an answer, with its reason.
no plan --network ring:15 --scheme neighbor-exchange  # neighbor-exchange on 15 nodes
says "15 is odd"

# What would take minutes is refused at once.
no plan --network ring:16384 --scheme compose  # compose on 16384 nodes
says "more than 8192 nodes"
bad_each plan --network ring:16 --scheme << 'END'
wrht --group 1
optree --collective broadcast
END
says "one of tree, direct"

# A number of blocks that does not fit one scheme may fit another: auto tries all.  Here only whole vectors fit.
# auto with a block for each vector
good plan --network line:10 --wavelengths 1 --collective all-reduce --blocks 1 --format json
has '"block_bytes":4194304'
good plan --network ring:3 --wavelengths 2 --blocks 7 --format json
has '"block_bytes":1797559'

finish
