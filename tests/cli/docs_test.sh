#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every console block of the README and of docs/ is run, and must print the output shown: a line "$ COMMAND", then its
# output; a line of three dots stands for anything.  The blocks of one document share a folder.  Usage: docs_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$(cd "$(dirname "$rwa")" && pwd):$PATH
NO_COLOR=1 LC_ALL=C.UTF-8
export PATH NO_COLOR LC_ALL

# $1 has lines of three dots, each for any number of lines; does $2 fit it?
fits() {
    awk '
        FNR == NR { want[++n] = $0; next }
        { got[++m] = $0 }
        # Reach want[i..] from got[j..]; the documents are short.
        function match_from(i, j) {
            while (i <= n && want[i] != "...") {
                if (j > m || want[i] != got[j])
                    return 0
                i++
                j++
            }
            if (i > n)
                return j == m + 1
            for (; j <= m + 1; j++)
                if (match_from(i + 1, j))
                    return 1
            return 0
        }
        END { exit !match_from(1, 1) }' "$1" "$2"
}

# Cut a document into N.cmd and N.want.
cut_blocks() {  # document, folder
    awk -v folder="$2" '
        /^```console$/ { inside = 1; next }
        /^```$/ { inside = 0; next }
        inside && /^\$ / { n++; print substr($0, 3) > (folder "/" n ".cmd"); printf "" > (folder "/" n ".want"); next }
        inside { print > (folder "/" n ".want") }' "$1"
}

try_document() {  # document, columns of the screen (none: lines are whole)
    work=$(mktemp -d "$dir/doc.XXXXXX")
    mkdir "$work/blocks" "$work/here"
    cut_blocks "$1" "$work/blocks"
    n=1
    while [ -e "$work/blocks/$n.cmd" ]; do
        (cd "$work/here" && COLUMNS=$2 sh "$work/blocks/$n.cmd" > "$work/out" 2>&1 < /dev/null)
        if fits "$work/blocks/$n.want" "$work/out"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED: ${1#"$top"/}: $(cat "$work/blocks/$n.cmd")"
            diff "$work/blocks/$n.want" "$work/out" | head -n 12
        fi
        n=$((n + 1))
    done
}

# A document with a wrong figure must fail this test.
printf '```console\n$ echo 5 steps\n6 steps\n```\n' > "$dir/wrong.md"
before=$failed
try_document "$dir/wrong.md" "" > "$dir/null"
[ "$failed" -eq $((before + 1)) ]
caught=$?
failed=$before
verdict $caught "a wrong output in a document is not noticed"

try_document "$top/README.md" 80
for document in "$top"/docs/*/*.md; do
    try_document "$document" ""
done
finish
