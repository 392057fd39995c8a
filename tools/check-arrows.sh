#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which room may include which: an arrow that the table does not allow fails.
set -u
allowed() {
    case $1 in
    base) echo "" ;;
    lp | network) echo "base" ;;
    collective) echo "base network" ;;
    scheme) echo "base network collective" ;;
    routing) echo "base lp network" ;;
    solvers) echo "base lp routing" ;;
    schedule) echo "base network collective" ;;
    bound) echo "base lp network collective" ;;
    power) echo "base network schedule" ;;
    check) echo "base network collective schedule power" ;;
    cost) echo "base schedule power" ;;
    plan) echo "base lp network collective scheme routing solvers schedule bound power check cost" ;;
    tests) echo "base $mirrored" ;;
    cli) echo "" ;;
    esac
}
bad=0
look() { # room, files
    room=$1
    shift
    for arrow in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$@" | sort -u); do
        case " $(allowed "$room") $room rwa " in
        *" $arrow "*) ;;
        *) echo "arrow not allowed: $room -> $arrow" && bad=1 ;;
        esac
    done
}
for dir in lib/*/; do
    room=$(basename "$dir")
    set -- "$dir"*.[ch]
    [ -f "$1" ] && look "$room" "$@"
done
look solvers solvers/*.[ch]
look cli cli/*.[ch]
# a test may look into the room it mirrors, besides base
for dir in tests/*/; do
    mirrored=$(basename "$dir")
    set -- "$dir"*.c
    [ -f "$1" ] && look tests "$@"
done
[ $bad -eq 0 ] && echo "includes: every arrow is allowed"
exit $bad
