#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Papers from outside.  Usage: reproduce_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

good reproduce optree --formulas-only  # reproduce optree
grep -q 'OSM .* 128  *2048!' "$dir/out" && grep -q 'WRHT .* -31.27 %' "$dir/out"
holds "reproduce optree"
good reproduce wrht --item table-I --format csv  # reproduce wrht --item
[ "$(wc -l < "$dir/out")" -eq 6 ] && grep -q '^"Table I","Section III-D","H-Ring",.*,411,407,' "$dir/out"
holds "table I"
good reproduce optree --item "Table 1" --format json  # reproduce --format json
has '"printed":259.0,"formula":259.0,"schedule":'
bad_each reproduce << 'END'

blob
optree --item table-9
optree --item fig-5 --formulas-only --plot x.png
optree --item table-1 --formulas-only --plot x.svg
END
# Every item that the message lists exists, but for those that take minutes; a mistyped one, and none, get the list.
for paper in optree wrht star ron; do
    run reproduce $paper --item blob
    is 2 "an unknown item of $paper"
    sed -n 's/.*expected one of //p' "$dir/err" | tr -d , | tr ' ' '\n' > "$dir/items"
    [ "$(wc -l < "$dir/items")" -ge 2 ] && [ -z "$(sort "$dir/items" | uniq -d)" ]
    holds "items of $paper"
    while read -r item; do
        [ "$item" = comparison ] || good reproduce $paper --item "$item" --formulas-only < /dev/null
    done < "$dir/items"
    bad reproduce $paper --item
    says "expected one of $(head -n 1 "$dir/items"), "
done
if command -v gnuplot > /dev/null 2>&1; then
    good reproduce optree --item fig-6 --formulas-only --plot "$dir/fig.svg" --format csv  # reproduce --plot
    grep -q '</svg>' "$dir/fig.svg"
    holds "fig.svg is not a drawing"
fi

# In a terminal of 80 columns no line is longer; the bar overwrites itself and is cleared before the answer.
printf 'src,dst,bytes\n0,1,100\n2,3,123456789\n' > "$dir/t.csv"
if script -q -e -c true /dev/null > /dev/null 2>&1 < /dev/null; then
    for words in 'reproduce star' 'reproduce optree --formulas-only' 'reproduce wrht --formulas-only' \
        "circuits $dir/t.csv --network ocs:8x2" "circuits $dir/t.csv --network ring:8" \
        'traffic --network line:2 -w 8 --load 2,4 --requests 1000' \
        'traffic --network nsfnet14-21 -w 4 --load 30 --requests 500 --routing least-loaded --policy least-used'; do
        script -q -e -c "stty cols 80; exec env -u COLUMNS $rwa $words -q" /dev/null < /dev/null 2> /dev/null |
            tr -d '\r' > "$dir/out"
        [ "$(wc -l < "$dir/out")" -gt 1 ] && ! grep -q '.\{81\}' "$dir/out"
        holds "rwa $words in 80 columns"
    done
fi
finish
