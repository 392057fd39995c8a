#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pages of plans and of an assignment, and tries them in a headless browser; or saves the view of a page.
# Usage: run.sh BUILD [PAGE.html#VIEW FILE.svg]
# Skipped where there is no chromium or npm; what npm brings stays in BUILD/browser.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
folder=$build/browser
skip() {
    echo "browser: skipped, $*"
    exit 0
}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "there is no chromium"
command -v node > /dev/null || skip "there is no node"
command -v npm > /dev/null || skip "there is no npm"

mkdir -p "$folder"
cp "$here/package.json" "$here/package-lock.json" "$folder"
if [ ! -d "$folder/node_modules/playwright-core" ]; then
    (cd "$folder" && npm ci --no-audit --no-fund --ignore-scripts > npm.log 2>&1) ||
        skip "npm could not fetch playwright-core: $(grep -m 1 'npm error' "$folder/npm.log")"
fi

if [ $# -eq 3 ]; then
    NODE_PATH="$folder/node_modules" exec node "$here/save_view.js" "$browser" "$2" "$3"
fi

rwa() {
    "$build/rwa" "$@" > "$folder/log"
}
plan() {  # name, network, wavelengths, scheme and options, options for the page
    rwa plan --network "$2" --wavelengths "$3" --scheme $4 --quiet -o "$folder/orbits.jsonl"
    rwa export "$folder/orbits.jsonl" --expand -o "$folder/$1.jsonl"
    rwa show "$folder/$1.jsonl" $5 -o "$folder/$1.html"
}
plan optree ring:16 2 optree "--device aggressive --proof"
plan wavefront ring:16 2 wavefront "--device aggressive"
plan wide ring:64 8 wavefront "--device aggressive"
plan torus torus:4x4 2 torus-wavefront "--proof"
plan across mesh:2x4 2 "auto --collective all-to-all" "--proof"
plan many ring:16 64 wavefront ""
plan line line:16 2 line-wavefront ""
plan sums ring:12 2 "auto --collective all-reduce" ""
for name in sums torus; do
    for model in paper circuit overlap; do
        rwa show "$folder/$name.jsonl" --cost $model --gantt -o "$folder/$name-$model.svg"
    done
done
plan tapped ring:24 12 "wavefront --max-drops 4" "--device aggressive"
rwa plan --network ring:80 --wavelengths 8 --scheme wavefront --quiet -o "$folder/dense.jsonl"
rwa show "$folder/dense.jsonl" -o "$folder/dense.html"
rwa plan --network nsfnet14-21 --wavelengths 4 --scheme compose --quiet -o "$folder/whole.jsonl"
rwa plan --repair "$folder/whole.jsonl" --fail 'Salt Lake City-Ann Arbor' --at-step 2 --quiet \
    -o "$folder/repaired.jsonl"
sed "s/Seattle/$(printf '%0300d' 0)/" "$folder/whole.jsonl" > "$folder/long.jsonl"
rwa show "$folder/long.jsonl" -o "$folder/long.html"
rwa show "$folder/repaired.jsonl" -o "$folder/repaired.html"
rwa assign --network nsfnet14-21 --wavelengths 8 -o "$folder/blocked.jsonl" || [ $? -eq 1 ]
rwa show "$folder/blocked.jsonl" -o "$folder/blocked.html"
rwa assign --network nsfnet14-21 --quiet -o "$folder/proven.jsonl"
rwa show "$folder/proven.jsonl" --proof -o "$folder/proven.html"
rwa show "$folder/optree.jsonl" "$folder/wavefront.jsonl" --device aggressive -o "$folder/pair.html"
rwa show "$folder/proven.jsonl" "$folder/blocked.jsonl" --proof -o "$folder/twins.html"
rwa show "$folder/optree.jsonl" "$folder/torus.jsonl" "$folder/blocked.jsonl" -o "$folder/kinds.html"
NODE_PATH="$folder/node_modules" exec node "$here/page_test.js" "$browser" "$folder"
