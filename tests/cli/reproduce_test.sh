#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Papers from outside.  Usage: reproduce_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

run reproduce optree --formulas-only
is 0 "reproduce optree"
grep -q 'OSM .* 128  *2048!' "$dir/out" && grep -q 'WRHT .* -31.27 %' "$dir/out"
verdict $? "reproduce optree: $(grep -c . "$dir/out") lines without the one-stage model or Table 2"
run reproduce wrht --item table-I --format csv
is 0 "reproduce wrht --item"
[ "$(wc -l < "$dir/out")" -eq 6 ] && grep -q '^"Table I","Section III-D","H-Ring",.*,411,407,' "$dir/out"
verdict $? "table I: $(cat "$dir/out")"
run reproduce optree --item "Table 1" --format json
is 0 "reproduce --format json"
has '"printed":259.0,"formula":259.0,"schedule":'
bad 2 reproduce
bad 2 reproduce blob
bad 2 reproduce optree --item table-9
bad 2 reproduce optree --item fig-5 --formulas-only --plot x.png
bad 2 reproduce optree --item table-1 --formulas-only --plot x.svg
if command -v gnuplot > /dev/null 2>&1; then
    run reproduce optree --item fig-6 --formulas-only --plot "$dir/fig.svg" --format csv
    is 0 "reproduce --plot"
    grep -q '</svg>' "$dir/fig.svg"
    verdict $? "fig.svg is not a drawing"
fi
finish
