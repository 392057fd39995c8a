#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What every source file keeps to: a licence line, at most 120 columns, no tab, no blank at a line's end, no carriage
# return, a newline at the end, at most 600 lines.  Tables are aligned by hand, so .clang-format is a help and no law.
# The Makefile has tabs and no licence line.  Usage: check-format.sh
set -eu
LC_ALL=C
export LC_ALL
found=$(mktemp)
trap 'rm -f "$found"' EXIT

sources() {
    find Makefile .ci/run lib solvers cli include python tools tests docs/examples | sort |
        grep -E '\.([ch]|cc|inc|sh|js|html|css|py)$|^Makefile$|^\.ci/run$'
}

sources | xargs awk '
    function finish() {
        if (lines > 600) print file ": " lines " lines"
        if (!licensed) print file ": no licence line"
    }
    FNR == 1 { if (NR > 1) finish(); file = FILENAME; licensed = file == "Makefile" }
    FNR <= 2 && /SPDX-License-Identifier: GPL-3.0-or-later/ { licensed = 1 }
    # Columns, not bytes: the bytes that continue a UTF-8 character are not counted.
    { lines = FNR; text = $0; gsub(/[\200-\277]/, "", text) }
    length(text) > 120 { print file ":" FNR ": " length(text) " columns" }
    /\t/ && file != "Makefile" { print file ":" FNR ": a tab" }
    /[ \r]$/ { print file ":" FNR ": a blank at the end" }
    END { finish() }' > "$found"
sources | xargs tail -q -c 1 | tr -d '\n' | grep -q . && echo "a file without newline at the end" >> "$found"
if [ -s "$found" ]; then
    cat "$found"
    exit 1
fi
echo "format ok"
