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

# The fibre pair between nodes 5 and 6 fails in step 3: from then on nothing begins or goes on there, and only differences are pushed.
exits 0 "$bin/controller" 5-6
# Clockwise link 5 leads from node 5, counter-clockwise link 64 + 5 into it.
grep -q '^step [12] node 5 set .* out 5$' "$bin/said" || fail "before the failure node 5 sends nothing to node 6, so the next test tests nothing"
if grep -E '^step ([3-9]|[1-9][0-9]+) .* set ' "$bin/said" | grep -qE ' (in|out) (5|69)( |$)'; then
    fail "a node is told to use the failed link"
fi
# What is set is cleared in the end, and nothing is set twice or cleared unset.
awk '{ key = $4 " " $7 " " $9 " " $11 } $5 == "set" { if (up[key]++) exit 1 } $5 == "clear" { if (up[key]-- != 1) exit 1 }
     END { for (key in up) if (up[key]) exit 1 }' "$bin/said" || fail "the controller pushes more than differences"
exits 3 "$bin/controller" 5-6 1
[ "$(sed -n 's/^cancelled after \([0-9]*\) ms more$/\1/p' "$bin/said")" -le "${CANCEL_MS:-50}" ] || fail "controller said: $(cat "$bin/said")"
exits 2 "$bin/controller" 64-65
if command -v valgrind > /dev/null && [ -z "${CFLAGS:-}${LDFLAGS:-}" ]; then
    exits 0 valgrind -q --error-exitcode=9 --leak-check=full "$bin/controller" 5-6
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

# The notebook: with one wavelength the ring needs most steps; the repaired plan is right.
if command -v python3 > /dev/null && RWA_LIBRARY="$root/usr/lib/librwa.so.0" python3 -c \
    'import ctypes, os; ctypes.CDLL(os.environ["RWA_LIBRARY"])' 2> /dev/null; then
    exits 0 env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$root/usr/lib/python3/dist-packages" RWA_LIBRARY="$root/usr/lib/librwa.so.0" \
        python3 docs/examples/notebook.py
    grep -q 'steps after the failure, right' "$bin/said" && grep -q '13 wavelengths, optimal' "$bin/said" ||
        fail "notebook said: $(cat "$bin/said")"
fi
echo "examples ok"
