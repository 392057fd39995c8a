#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds docs/examples/ against an installed librwa, with nothing but pkg-config, and runs each.
# Usage: check-examples.sh ROOT, where ROOT/usr has the installation and PKG_CONFIG_PATH leads to it
set -eu
root=$1
rwa="$root/usr/bin/rwa"
bin="$root/examples"
mkdir "$bin"
LD_LIBRARY_PATH="$root/usr/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export LD_LIBRARY_PATH

fail() {
    echo "check-examples: $*"
    exit 1
}
exits() {  # code, command...; the output is in $bin/said
    want=$1 got=0
    shift
    "$@" > "$bin/said" 2>&1 || got=$?
    [ "$got" -eq "$want" ] || fail "$* exits with $got, expected $want: $(head -n 3 "$bin/said")"
}

# $CFLAGS and $LDFLAGS belong to the build being tested, sanitizers for one.
# shellcheck disable=SC2046,SC2086
for source in docs/examples/*.c; do
    ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror ${CFLAGS:-} ${LDFLAGS:-} "$source" \
        $(pkg-config --cflags --libs librwa) -o "$bin/$(basename "$source" .c)"
done
# shellcheck disable=SC2046,SC2086
${CXX:-c++} -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror ${CFLAGS:-} ${LDFLAGS:-} docs/examples/settings.cc \
    $(pkg-config --cflags --libs librwa) -o "$bin/settings"

# The link from node 5 to node 6 fails in step 2: from then on nothing leaves node 5 clockwise.
exits 0 "$bin/controller" cw:5 2 "$bin/changes.jsonl"
grep -q 'after the failure: [0-9]* steps, checked' "$bin/said" || fail "controller said: $(cat "$bin/said")"
grep '"step":1,"node":5,' "$bin/changes.jsonl" | grep -q '"dir":"cw"[^}]*"set":"add"' ||
    fail "before the failure node 5 sends nothing clockwise, so that the next test tests nothing"
if grep -v '"step":1,' "$bin/changes.jsonl" | grep '"node":5,' | grep -q '"dir":"cw"[^}]*"set":"\(add\|pass\)"'; then
    fail "node 5 is told to use the failed link"
fi
exits 2 "$bin/controller" cw:16 2 "$bin/none"

# A right schedule, the same without its last lightpath, and none.
"$rwa" plan --network ring:16 --wavelengths 2 --quiet -o "$bin/right.jsonl" > "$bin/said"
sed '$d' "$bin/right.jsonl" > "$bin/short.jsonl"
exits 0 "$bin/auditor" aggressive "$bin/right.jsonl"
grep -q 'schedule right, power pass, least margin' "$bin/said" || fail "auditor said: $(cat "$bin/said")"
exits 1 "$bin/auditor" aggressive "$bin/right.jsonl" "$bin/short.jsonl"
grep -q 'short.jsonl: schedule WRONG' "$bin/said" || fail "auditor said: $(cat "$bin/said")"
exits 2 "$bin/auditor" aggressive "$bin/none.jsonl" "$bin/right.jsonl"

# No schedule beats its bound, and the ring scheme needs N - 1 steps.
exits 0 "$bin/sweep" 2 32
awk -F, 'NR > 1 && $3 < $4 { exit 1 } $2 == "ring" { rings++; if ($3 != $1 - 1) exit 1 } END { if (rings != 3) exit 1 }' \
    "$bin/said" || fail "sweep said: $(cat "$bin/said")"

# What is undone is as before, and the occupancy is a right assignment.
exits 0 "$bin/lightpaths" nsfnet14-21 8 17 "$bin/occupancy.jsonl"
before=$(sed -n 's/^\([0-9]*\) lightpaths up$/\1/p' "$bin/said")
after=$(sed -n 's/^all of that undone: \([0-9]*\) lightpaths up$/\1/p' "$bin/said")
[ "$before" -gt 0 ] && [ "$before" = "$after" ] || fail "lightpaths said: $(cat "$bin/said")"
grep -q '^done: ' "$bin/said" && grep -q ' hit, [1-9]' "$bin/said" || fail "lightpaths said: $(cat "$bin/said")"
[ "$(grep -c '"demand"' "$bin/occupancy.jsonl")" -eq "$before" ] || fail "not every lightpath is in the occupancy"
exits 0 "$rwa" check "$bin/occupancy.jsonl"
exits 2 "$bin/lightpaths" star:4 2 0 "$bin/none"

# In the end the node has received every block but its own: 15 of 16 parts.
exits 0 "$bin/settings" 16 2 3
blocks=$(sed -n 's/.* steps, \([0-9]*\) blocks, checked/\1/p' "$bin/said")
received=$(sed -n 's/.* receive block \([0-9]*\) .*/\1/p' "$bin/said" | sort -u | wc -l)
[ "$received" -eq $((blocks * 15 / 16)) ] || fail "node 3 receives $received of $blocks blocks"
echo "examples ok"
