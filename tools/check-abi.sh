#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every public structure (its size) and its members (offset and size), and the values of enumerators, as a program
# compiled from include/ sees them on 64-bit Linux, are those of tests/abi.txt.  Usage: check-abi.sh [--print]
set -eu
LC_ALL=C
export LC_ALL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Every header, macros expanded, without what comes from elsewhere; one declaration a line.
printf '#include "rwa.h"\n' | ${CC:-cc} -std=c11 -Iinclude -E - |
    awk '/^#/ { ours = index($0, "\"include/") > 0; next } ours' | tr '\n' ' ' |
    sed 's/__attribute__ *(([^()]*\(([^()]*)\)*[^()]*))//g; s/  */ /g; s/[;{}]/&\n/g' > "$work/declarations"

# A program that prints them.
awk '
    function ask(what, expression) { printf "    printf(\"%s %%ld\\n\", (long)(%s));\n", what, expression }
    function ask_member(type, name) {
        printf "    printf(\"%s.%s %%ld %%ld\\n\", (long)offsetof(%s, %s), (long)sizeof(((%s *)0)->%s));\n",
            type, name, type, name, type, name
    }
    function member(name) {
        sub(/^[ *]+/, "", name)
        sub(/[ []+.*$/, "", name)
        members[++count] = name
    }
    BEGIN { print "#include \"rwa.h\"\n#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{" }
    /^ *typedef struct [a-z_]+ *\{/ { inside = "struct"; count = 0; next }
    /^ *(typedef )?enum *[a-z_]* *\{/ { inside = "enum"; next }
    inside == "enum" && /\}/ {
        sub(/\}.*/, "")
        n = split($0, each, ",")
        for (i = 1; i <= n; i++) {
            name = each[i]
            gsub(/^ +| *=.*$| +$/, "", name)
            if (name != "")
                ask(name, name)
        }
        inside = ""
        next
    }
    inside == "struct" && /^ *\}/ { inside = "named"; next }
    inside == "struct" && /\(\*/ { sub(/^[^(]*\(\*/, ""); sub(/\).*/, ""); member($0); next }
    inside == "struct" {
        sub(/;.*/, "")
        n = split($0, each, ",")
        sub(/^.*[ *]/, "", each[1])
        for (i = 1; i <= n; i++)
            member(each[i])
        next
    }
    inside == "named" {
        gsub(/[ ;]/, "")
        ask("sizeof " $0, "sizeof(" $0 ")")
        for (i = 1; i <= count; i++)
            ask_member($0, members[i])
        inside = ""
    }
    END { print "    return 0;\n}" }' "$work/declarations" > "$work/layout.c"
${CC:-cc} -std=c11 -Iinclude "$work/layout.c" -o "$work/layout"
"$work/layout" > "$work/abi"

[ "${1:-}" != --print ] || { cat "$work/abi"; exit 0; }
# The extraction must see every structure and member there is.
structures=$(grep -c '^typedef struct [a-z_]* {' include/rwa/*.h | awk -F: '{ sum += $2 } END { print sum }')
seen=$(grep -c '^sizeof ' "$work/abi")
[ "$structures" -eq "$seen" ] || { echo "check-abi: $structures structures in include/, $seen were seen"; exit 1; }
printf 'int main(void) { return sizeof(long) == 8 && sizeof(void *) == 8 ? 0 : 1; }\n' > "$work/wide.c"
${CC:-cc} "$work/wide.c" -o "$work/wide"
"$work/wide" || { echo "check-abi: skipped, this is no 64-bit machine with 64-bit longs"; exit 0; }
diff -u tests/abi.txt "$work/abi" || {
    echo "check-abi: the layout has changed; see docs/reference/versions.md," \
        "then tools/check-abi.sh --print > tests/abi.txt"
    exit 1
}
echo "abi ok"
