#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fails when a room includes a room that the architecture does not let it see.
# rwa.h and rwa/*.h are open to all, and a room to itself.
set -eu

allowed() {  # the rooms that room $1 may include
    case $1 in
    lib/base) echo "" ;;
    lib/lp | lib/network) echo "base" ;;
    lib/collective) echo "base network" ;;
    lib/scheme) echo "base network collective" ;;
    lib/routing) echo "base lp network" ;;
    solvers) echo "base lp routing" ;;
    lib/schedule) echo "base network collective" ;;
    lib/bound) echo "base lp network collective" ;;
    lib/power) echo "base network schedule" ;;
    lib/check) echo "base network collective schedule power" ;;
    lib/cost) echo "base schedule power" ;;
    lib/plan) echo "base lp network collective scheme routing solvers schedule bound power check cost" ;;
    lib/paper) echo "base network collective scheme plan" ;;
    lib/state) echo "base network routing solvers" ;;
    lib/place) echo "base lp network schedule" ;;
    lib/foreign) echo "base network collective schedule power" ;;
    lib/view) echo "base network schedule power" ;;
    cli) echo "" ;;
    tests/fuzz) echo "base support cli" ;;   # the whole command is fuzzed too
    tests/*) echo "base support" ;;
    *) echo "?" ;;
    esac
}

room_of() {  # lib/plan/plan.c -> lib/plan, solvers/x.c -> solvers
    case $1 in
    lib/*/* | tests/*/*) echo "$1" | cut -d/ -f1,2 ;;
    *) echo "$1" | cut -d/ -f1 ;;
    esac
}

check_file() {  # $1: path as the table knows it, $2: where the text is
    room=$(room_of "$1")
    may=$(allowed "$room")
    own=${room##*/}
    sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$2" | while IFS= read -r header; do
        case $header in
        rwa.h | rwa/*) continue ;;
        */../* | ../*) echo "$1: \"$header\": an include names its room, not a way around it"; continue ;;
        */*) target=$(echo "$header" | sed 's|^lib/||; s|^tests/||' | cut -d/ -f1) ;;
        *) continue ;;  # beside the file
        esac
        [ "$target" = "$own" ] && continue
        case " $may " in
        *" $target "*) ;;
        *) echo "$1: \"$header\": $room may include only: ${may:-nothing but rwa.h}" ;;
        esac
    done
}

# The script must see a forbidden arrow, and let an allowed one pass.
probe=$(mktemp)
found=$(mktemp)
trap 'rm -f "$probe" "$found"' EXIT
printf '#include "scheme/scheme.h"\n' > "$probe"
[ -n "$(check_file lib/check/probe.c "$probe")" ] || { echo "check-arrows: does not see a forbidden include"; exit 1; }
printf '#include "base/base.h"\n#include "rwa/plan.h"\n' > "$probe"
[ -z "$(check_file lib/check/probe.c "$probe")" ] || { echo "check-arrows: refuses an allowed include"; exit 1; }

# docs/architecture.md shows the same table.
sed -n 's/^| `\(.*\)` |.*| *\([a-z ]*\)|$/\1:\2/p' docs/architecture.md | while IFS=: read -r room may; do
    [ "$(allowed "$room")" = "${may% }" ] || echo "docs/architecture.md: $room may include \"$(allowed "$room")\", not \"$may\""
done > "$found"
for room in lib/* solvers cli; do
    grep -q "^| \`$room\` |" docs/architecture.md || echo "docs/architecture.md: no line on $room"
done >> "$found"

find lib solvers cli tests -name '*.[ch]' | sort | while IFS= read -r file; do check_file "$file" "$file"; done >> "$found"
if [ -s "$found" ]; then
    cat "$found"
    exit 1
fi
echo "arrows ok"
