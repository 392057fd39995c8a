#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Collectives among some nodes, beside reserved channels, around failed links, from outside.
# Usage: parts_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

# 1024 nodes with 56 of 64 wavelengths: the bound itself.
# plan beside reserved channels
good plan --network ring:1024 --scheme wavefront --reserve 0-3,20,40-42 -o "$dir/a.jsonl" --format json
has '"reserved":8'
has '"optimal":true'
good check "$dir/a.jsonl"  # check beside reserved channels
no_check '1s/"reserved":\[0,/"reserved":[0,50,/' "$dir/a.jsonl"  # one more channel reserved

# Some of the nodes, by ranges.
good plan --network ring:1024 --scheme wavefront --members 0-63,128-191 -o "$dir/m.jsonl" --format json
has '"members":128'
has '"nodes":1024'
has '"check":"ok"'
good check "$dir/m.jsonl"  # check among members

no plan --network ring:12 -w 2 --fail 3,7  # two parts
says "no way from node 3 to node 4, which all-gather needs"
no plan --network ring:16 -w 2 --fail cw:1,cw:7 --load-factor 1/2  # stripes around failed links
says "--load-factor 1 would do"
good plan --network ring:16 -w 2 --fail cw:1,cw:7 --load-factor 1  # which it does as well
no plan --network torus:4x4 -w 2 --fail 3 --scheme optree  # a scheme that does not look at failed links
says "scheme optree does not plan around these failed links"
good plan --network torus:4x4 -w 2 --fail 3 --scheme auto  # auto, as it says

good plan --network ring:12 -w 2 --members 3-6,9 --root 9 --collective broadcast -o "$dir/r.jsonl"
grep -q '"root":9' "$dir/r.jsonl"
holds "the root is node 9"
good plan --network ring:12 -w 2 --members 3-6,9 --collective broadcast  # the root is the first member

good bounds --network ring:1024 --members 0-63,128-191 --fail 100 --format json  # bounds
has '{"name":"receive","value":2,'
good compare --network ring:24 -w 4 --members 0-15 --fail cw:3 --reserve 2  # compare
says "8 nodes that take no part, 1 reserved channel, 1 failed link"
# Schemes without a schedule for one reason share a footnote: no reason stands twice.
good compare --network ring:16 -w 2 --fail 3  # compare on a ring without a link
reason="this scheme does not plan around these failed links"
says "* no schedule     broken-wavefront, wavefront, ring-striped, standing: $reason"
[ "$(grep -c '^\* no' "$dir/out")" -eq 1 ]
holds "compare: expected one footnote"
good explain --network ring:24 -w 4 --members 3-15 --reserve 2 --scheme wavefront  # explain
says "from node 3"

bad_each plan --network ring:12 << 'END'
--members 3
--members 3-12
--members 5-3,1
--members 1,,3
--members 1,3,
--members ''
--members 1,3 --root 2 --collective broadcast
-w 4 --reserve 4
--fail 12
END
bad plan --network ocs:16x4 --reserve 0
bad plan --network ring:12 --fail 3 --at-step 2
finish
