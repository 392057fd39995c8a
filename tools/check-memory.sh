#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No object of the library but lib/base/memory.o allocates or frees by itself, so that rwa_set_allocator() sees
# everything.  No exported function without a status allocates: it cannot say that memory is out.  Three answer no then.
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

# From the allocators of the C library back to all that call them; exported functions are called by way of a stub.
objdump -d --no-show-raw-insn "$1/librwa.so" | awk '
    /^[0-9a-f]+ <.*>:$/ {
        sub(/^0+/, "", $1); at = $1; split($2, part, /[<>@]/); name[at] = part[2]
        if ($2 ~ /@plt/) stub[part[2]] = at
    }
    match($0, /[0-9a-f]+ <[^+>]*>$/) {
        split(substr($0, RSTART), part, " "); callers[part[1]] = callers[part[1]] " " at
    }
    END {
        todo[count = 1] = stub["calloc"]; todo[++count] = stub["realloc"]
        for (i = 1; i <= count; i++) {
            many = split(callers[todo[i]] " " stub[name[todo[i]]], next_one, " ")
            for (k = 1; k <= many; k++) if (!seen[next_one[k]]++) todo[++count] = next_one[k]
            print name[todo[i]]
        }
    }' | grep -x -F -f tests/exports.txt | sort -u > "$found"
grep -q -x rwa_plan_make "$found" || { echo "check-memory: sees no call that leads to an allocation"; exit 1; }
grep -ho 'RWA_API rwa_status [a-z0-9_]*' include/rwa/*.h | sed 's/.* //' | cat - "$found" "$found" | sort | uniq -c |
    awk '$1 == 2 && $2 !~ /^rwa_(assignment_is_file|demands_is_all_to_all|device_reach)$/ {
        print $2 "() allocates and cannot fail"; failed = 1 } END { exit failed }'
echo "memory ok"
