#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No object of the library but lib/base/memory.o allocates or frees by itself, so that rwa_set_allocator() sees
# everything.
# Usage: check-memory.sh BUILD
set -eu
found=$(mktemp)
trap 'rm -f "$found"' EXIT

ways='malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|strdup|strndup|getline|getdelim'
ways="$ways|asprintf|vasprintf|json_dumps|free"
find lib solvers -name '*.c' ! -path lib/base/memory.c | sort | sed "s|.*|\"$1/&\"|; s|\.c\"|.o\"|" | xargs nm -A -u |
    awk -v ways="^($ways)\$" '$NF ~ ways { name = $NF; sub(/: *U .*/, "")
        print $0 ": " name "(), expected lib/base to do it" }' > "$found"
if [ -s "$found" ]; then
    cat "$found"
    exit 1
fi
# The check must see what it looks for.
nm -u "$1/lib/base/memory.o" | awk '{ print $2 }' | grep -q '^calloc$' ||
    { echo "check-memory: sees no allocation at all"; exit 1; }
echo "memory ok"
