#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What every source file keeps to: a licence line, at most 120 columns, no tab, no blank at a line's end, no carriage
# return, a newline at the end, at most 600 lines.  Tables are aligned by hand, so .clang-format is a help and no law.
# Usage: check-format.sh
set -eu
LC_ALL=C
export LC_ALL
found=$(mktemp)
trap 'rm -f "$found"' EXIT

find lib solvers cli include tests docs/examples -name '*.[ch]' -o -name '*.cc' 2> /dev/null | sort | xargs awk '
    function finish() { if (file != "" && lines > 600) print file ": " lines " lines" }
    FNR == 1 {
        finish()
        file = FILENAME
        if (!/SPDX-License-Identifier: GPL-3.0-or-later/) print file ":1: no licence line"
    }
    # Columns, not bytes: the bytes that continue a UTF-8 character are not counted.
    { lines = FNR; text = $0; gsub(/[\200-\277]/, "", text) }
    length(text) > 120 { print file ":" FNR ": " length(text) " columns" }
    /\t/ { print file ":" FNR ": a tab" }
    /[ \r]$/ { print file ":" FNR ": a blank at the end" }
    END { finish() }' > "$found"
find lib solvers cli include tests docs/examples -name '*.[ch]' -o -name '*.cc' 2> /dev/null | sort | xargs tail -q -c 1 | tr -d '\n' |
    grep -q . && echo "a file without newline at the end" >> "$found"
find tools tests -name '*.sh' | xargs awk '
    FNR == 1 { if (file != "" && !found) print file ": no licence line"; file = FILENAME; found = 0 }
    FNR <= 2 && /SPDX-License-Identifier: GPL-3.0-or-later/ { found = 1 }
    END { if (!found) print file ": no licence line" }' >> "$found"
if [ -s "$found" ]; then
    cat "$found"
    exit 1
fi
echo "format ok"
