#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What every source file keeps to: a licence line, at most 140 columns (aim at 120), no tab, no blank at a line's end, no carriage
# return, a newline at the end, fewer than 800 lines.  Tables are aligned by hand, so .clang-format is a help and no law.
# Usage: check-format.sh
set -eu
LC_ALL=C
export LC_ALL
found=$(mktemp)
trap 'rm -f "$found"' EXIT

find lib solvers cli include tests docs/examples -name '*.[ch]' -o -name '*.cc' 2> /dev/null | sort | while IFS= read -r file; do
    awk -v file="$file" '
        NR == 1 && !/SPDX-License-Identifier: GPL-3.0-or-later/ { print file ":1: no licence line" }
        # Columns, not bytes: the bytes that continue a UTF-8 character are not counted.
        { text = $0; gsub(/[\200-\277]/, "", text) }
        length(text) > 140 { print file ":" NR ": " length(text) " columns" }
        /\t/ { print file ":" NR ": a tab" }
        /[ \r]$/ { print file ":" NR ": a blank at the end" }
        END { if (NR >= 800) print file ": " NR " lines" }' "$file"
    [ -z "$(tail -c 1 "$file")" ] || echo "$file: no newline at the end"
done > "$found"
find tools tests -name '*.sh' | while IFS= read -r file; do
    head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || echo "$file: no licence line"
done >> "$found"
if [ -s "$found" ]; then
    cat "$found"
    exit 1
fi
echo "format ok"
