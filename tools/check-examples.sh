#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the installed examples against an installed librwa, with nothing but pkg-config, and runs each.
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
for source in "$root"/usr/share/doc/librwa/examples/*.c; do
    ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror ${CFLAGS:-} ${LDFLAGS:-} "$source" \
        $(pkg-config --cflags --libs librwa) -o "$bin/$(basename "$source" .c)"
done
# shellcheck disable=SC2046,SC2086
${CXX:-c++} -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror ${CFLAGS:-} ${LDFLAGS:-} \
    "$root/usr/share/doc/librwa/examples/settings.cc" $(pkg-config --cflags --libs librwa) -o "$bin/settings"

# The fibre pair between nodes 5 and 6 fails in step 3: from then on node 5 sends nothing to node 6, and node 6 nothing
# to node 5.
# Channels: 64 wavelengths each of cw-in to cw-out, added cw, dropped cw, and the same ccw.
store="$bin/datastore"
mkdir "$store"
lines() { wc -l < "$bin/said"; }
held() { cat "$store"/*.json | grep -c '"index"' || true; }
sends() {  # node, out; how many of its channels lead there
    grep -c "\"dest\": {\"config\": {\"port-name\": \"$2\"" "$store/n$1.json" || true
}
exits 0 "$bin/controller" "$store" 5-6 2
[ "$(sends 5 cw-out)" -gt 0 ] && [ "$(sends 6 ccw-out)" -gt 0 ] ||
    fail "before the failure node 5 sends nothing to node 6, so the next test tests nothing"
[ "$(grep -c ' merge ' "$bin/said")" -eq $(($(grep -c ' delete ' "$bin/said" || true) + $(held))) ] ||
    fail "the datastore holds something else than was pushed"
# yanglint and the modules of OpenConfig, in YANG, find every document right beside the ports of such a node, and a
# spoilt one wrong.
yang=${YANG:-../shared/yang/openconfig}
accepts() {  # a document
    yanglint -m -p "$yang" -t config "$yang/openconfig-wavelength-router.yang" "$bin/ports.json" "$1" > "$bin/yang" 2>&1
}
if command -v yanglint > /dev/null && [ -r "$yang/openconfig-wavelength-router.yang" ]; then
    for port in cw-in cw-out add-cw drop-cw ccw-in ccw-out add-ccw drop-ccw; do
        echo "{\"name\": \"$port\", \"config\": {\"name\": \"$port\"}}"
    done | paste -s -d , | sed 's/.*/{"openconfig-platform:components": {"component": [&]}}/' > "$bin/ports.json"
    for document in "$store"/*.json; do
        accepts "$document" || fail "yanglint refuses $document: $(tail -n 2 "$bin/yang")"
    done
    sed 's/"cw-out"/"none"/' "$store/n5.json" > "$bin/spoilt.json"
    ! accepts "$bin/spoilt.json" || fail "yanglint accepts a port that the node does not have"
else
    echo "yanglint or the modules not found: the controller's documents not put before it"
fi
# A controller that begins again finds what is there: the same step needs nothing, and a channel that was lost is pushed
# alone.
exits 0 "$bin/controller" "$store" 5-6 1
exits 0 "$bin/controller" "$store" 5-6 1
[ "$(lines)" -eq 0 ] || fail "a datastore that is right gets $(lines) changes"
lost=$(sed -n 's/.*"index": \([0-9]*\),.*/\1/p' "$store/n5.json" | head -n 1)
sed "/{\"index\": $lost,/d" "$store/n5.json" > "$bin/n5.json"
mv "$bin/n5.json" "$store/n5.json"
exits 0 "$bin/controller" "$store" 5-6 1
[ "$(cat "$bin/said")" = "step 1 node 5 merge $lost" ] || fail "after channel $lost was lost: $(head -n 3 "$bin/said")"
for last in 3 4 5; do
    exits 0 "$bin/controller" "$store" 5-6 "$last"
    [ "$(sends 5 cw-out)" -eq 0 ] && [ "$(sends 6 ccw-out)" -eq 0 ] || fail "the failed link is used in step $last"
done
# Pushed whole from an empty datastore, what is merged is deleted in the end, and nothing twice; in each step no node
# has more changes than one behind it.
rm "$store"/*.json
exits 0 "$bin/controller" "$store" 5-6
awk '{ key = $4 " " $6 } $5 == "merge" { if (up[key]++) exit 1 } $5 == "delete" { if (up[key]-- != 1) exit 1 }
     $2 != step { step = $2; before = 0; node = "" } $4 != node { if (changes < before && same == step) exit 1
         before = same == step ? changes : 0; same = step; node = $4; changes = 0 } { changes++ }
     END { for (key in up) if (up[key]) exit 1 }' "$bin/said" ||
    fail "the controller pushes more than differences, or in another order"
[ "$(held)" -eq 0 ] || fail "the datastore is not empty in the end"
if command -v python3 > /dev/null; then
    python3 -c 'import json, sys; [json.load(open(name)) for name in sys.argv[1:]]' "$store"/*.json ||
        fail "the datastore is no JSON"
fi
exits 3 "$bin/controller" "$store" 5-6 9 1
[ "$(sed -n 's/.* stopped after \([0-9]*\) ms$/\1/p' "$bin/said")" -le "${CANCEL_MS:-50}" ] ||
    fail "controller said: $(cat "$bin/said")"
exits 2 "$bin/controller" "$store" 64-65
exits 1 "$bin/controller" "$bin/none" 5-6
if command -v valgrind > /dev/null && [ -z "${CFLAGS:-}${LDFLAGS:-}" ]; then
    exits 0 valgrind -q --error-exitcode=9 --leak-check=full "$bin/controller" "$store" 5-6
fi

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
awk -F, 'NR > 1 && $3 < $4 { exit 1 } $2 == "ring" { rings++; if ($3 != $1 - 1) exit 1 }
    END { if (rings != 3) exit 1 }' "$bin/said" || fail "sweep said: $(cat "$bin/said")"

# What was answered before the crash is there after it; without the collective's channels all are protected again.
exits 3 "$bin/lightpaths" nsfnet14-21 16 4 17 "$bin/journal"
before=$(sed -n '$s/^mended: //p' "$bin/said")
exits 0 "$bin/lightpaths" nsfnet14-21 16 4 17 "$bin/journal"
after=$(sed -n 's/^begun again: //p' "$bin/said")
[ -n "$before" ] && [ "$before" = "$after" ] || fail "lightpaths said: $(cat "$bin/said")"
grep -q '^collective done: 14 protected, .* 0 blocks' "$bin/said" || fail "lightpaths said: $(cat "$bin/said")"
exits 2 "$bin/lightpaths" star:4 2 0 1 "$bin/none"

# In the end the node has received every block but its own: 15 of 16 parts.
exits 0 "$bin/settings" 16 2 3
blocks=$(sed -n 's/.* steps, \([0-9]*\) blocks, checked/\1/p' "$bin/said")
received=$(sed -n 's/.* receive block \([0-9]*\) .*/\1/p' "$bin/said" | sort -u | wc -l)
[ "$received" -eq $((blocks * 15 / 16)) ] || fail "node 3 receives $received of $blocks blocks"

# The notebook: with one wavelength the ring needs most steps; the repaired plan is right.
if command -v python3 > /dev/null && RWA_LIBRARY="$root/usr/lib/librwa.so.0" python3 -c \
    'import ctypes, os; ctypes.CDLL(os.environ["RWA_LIBRARY"])' 2> /dev/null; then
    exits 0 env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$root/usr/lib/python3/dist-packages" \
        RWA_LIBRARY="$root/usr/lib/librwa.so.0" \
        python3 "$root/usr/share/doc/librwa/examples/notebook.py"
    grep -q 'steps after the failure, right' "$bin/said" && grep -q '13 wavelengths, optimal' "$bin/said" ||
        fail "notebook said: $(cat "$bin/said")"
fi
echo "examples ok"
