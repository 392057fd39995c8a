#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Modules use only the modules that the table in docs/reference/architecture.md permits: their headers (#include) and
# their functions (nm on the objects: which module defines a symbol, which module uses it).  No circle of modules is
# permitted, the parts of a module taken together.  A folder holds at most 30 files.
# Usage: check-dependencies.sh [BUILD]
set -eu
LC_ALL=C
export LC_ALL
build=${1:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Libraries that end the process on an error: only the module that guards them may include their headers, as
# HEADER:MODULE ...
guarded='glpk.h:lp igraph.h:network igraph.h:files'

# The table as lines "MODULE USED ..." (modules by the last part of their folder), and as folders.
sed -n 's/^| `\([a-z/]*\)` |.*|\([a-z ]*\)|$/\1 \2/p' docs/reference/architecture.md > "$work/rows"
sed 's|^[^ ]*/||' "$work/rows" > "$work/table"
cut -d' ' -f1 "$work/rows" > "$work/folders"

# Lines "USER USED WHERE" in, complaints about those that the table does not permit out.
judge() {
    awk -v guarded="$guarded" '
        BEGIN { n = split(guarded, t, " "); for (i = 1; i <= n; i++) {
            split(t[i], p, ":"); known[p[1]] = 1; may[p[2], p[1]] = 1 } }
        NR == FNR { known[$1] = 1; for (i = 2; i <= NF; i++) may[$1, $i] = 1; next }
        $2 == ".." { print $3, $4 ": name the module, not the way to it"; next }
        $1 != $2 && ($2 in known) && !(($1, $2) in may) {
            place = $3; for (i = 4; i <= NF; i++) place = place " " $i
            print place ": " $1 " may not use " $2 }' "$work/table" -
}

# "USER USED WHERE" from the #include lines of the files named on standard input.  A module is called by the last part
# of its folder.
includes() {
    xargs awk '
        function module(path) { sub("/[^/]*$", "", path); sub(".*/", "", path); return path }
        /^[ \t]*#[ \t]*include[ \t]*["<]/ {
            split($0, part, /["<>]/)
            if (part[2] ~ /^rwa(\.h$|\/)/) next
            if (part[2] ~ /^(glpk|igraph)\.h$/) print module(FILENAME), part[2], FILENAME ": <" part[2] ">"
            else if (part[2] ~ /\.\.\//) print module(FILENAME), "..", FILENAME ": \"" part[2] "\""
            else if (part[2] ~ /\//) print module(FILENAME), module(part[2]), FILENAME ": \"" part[2] "\""
        }'
}

# "USER USED WHERE" from the symbols of the objects named on standard input.  Commands may call what is public, wherever
# it is defined.
symbols() {
    xargs nm -P -g -A | awk -v build="$build/" '
        { file = $1; sub(/:$/, "", file); if (index(file, build) == 1) file = substr(file, length(build) + 1)
          sub(/\.o$/, ".c", file); module = file; sub("/[^/]*$", "", module); sub(".*/", "", module) }
        $3 != "U" && $3 != "w" { defined[$2] = module; next }
        $3 == "U" { user[++n] = module; where[n] = file ": " $2; symbol[n] = $2 }
        END { for (i = 1; i <= n; i++)
            if (symbol[i] in defined && !((user[i] == "cli" || user[i] == "commands") && symbol[i] ~ /^rwa_/))
                print user[i], defined[symbol[i]], where[i] }'
}

objects() {  # of every source; what lies in the build folder without a source is old
    find lib solvers cli -name '*.c' | sort | while IFS= read -r file; do
        object=$build/${file%.c}.o
        [ -f "$object" ] && echo "$object" || echo "$file: not built" >&2
    done
}

# The script sees a forbidden include and a forbidden call, and permits what the table permits.
self_test() {
    mkdir "$work/check" "$work/plan"
    printf 'int scheme_count(void); int probe(void); int probe(void) { return scheme_count(); }\n' \
        > "$work/check/probe.c"
    ${CC:-cc} -c "$work/check/probe.c" -o "$work/check/probe.o"
    cp "$work/check/probe.o" "$work/plan/probe.o"
    seen=$(echo "$work/check/probe.o" "$work/plan/probe.o" "$build/lib/scheme/schemes.o" | symbols | judge | grep probe)
    [ "$seen" = "$work/check/probe.c: scheme_count: check may not use scheme" ] ||
        { echo "check-dependencies: does not tell forbidden calls from permitted ones: $seen"; exit 1; }
    printf '#include %s\n' '"base/base.h"' '"rwa/plan.h"' '"scheme/scheme.h"' '<plan/plan.h>' '<glpk.h>' '<zlib.h>' \
        > "$work/check/probe.c"
    [ "$(echo "$work/check/probe.c" | includes | judge | wc -l)" -eq 3 ] ||
        { echo "check-dependencies: does not tell forbidden includes from permitted ones"; exit 1; }
}
self_test

{
    # Every folder has its line, and every line names modules.
    find lib solvers cli -name '*.c' -exec dirname {} + | sort -u | while IFS= read -r folder; do
        grep -qx "$folder" "$work/folders" || echo "docs/reference/architecture.md: no line on $folder"
    done
    awk '{ known[$1] = 1; for (i = 2; i <= NF; i++) used[$i] = $1 }
        END { for (m in used) if (!(m in known))
            print "docs/reference/architecture.md: " used[m] " may use " m ", which is no module" }' "$work/table"
    awk '{ name = $1; sub(".*/", "", name); split($1, part, "/")
           top[name] = part[1] == "lib" ? part[1] "/" part[2] : part[1]
           for (i = 2; i <= NF; i++) { from[++n] = name; to[n] = $i } }
        END { for (i = 1; i <= n; i++) if (top[from[i]] != top[to[i]]) print top[from[i]], top[to[i]] }' "$work/rows" |
        tsort 2>&1 > "$work/order" | sed 's|^|docs/reference/architecture.md: a circle of modules: |'
    find lib solvers cli -name '*.[ch]' | sort | includes | sort -u > "$work/uses"
    objects | symbols | sort -u >> "$work/uses"
    judge < "$work/uses"
    # Tests may use what their module may use, the fuzzer the whole command.
    find tests -name '*.[ch]' | sort | includes | grep -Ev "^(fuzz|bench) " | awk '$2 != "support" && $2 != "base"' |
        judge
    find lib -type f | sed 's|/[^/]*$||' | sort | uniq -c | while read -r count folder; do
        [ "$count" -le 30 ] || echo "$folder: $count files, expected at most 30"
    done
} > "$work/found" 2>&1
if [ -s "$work/found" ]; then
    head -n 40 "$work/found"
    count=$(wc -l < "$work/found")
    echo "check-dependencies: $count complaint$([ "$count" -eq 1 ] || echo s)"
    exit 1
fi
echo "dependencies ok"
