#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzzes the readers one after the other, or one of them, for some seconds each; what broke is left in BUILD/broken.
# Usage: run.sh BUILD RWA SECONDS [READER]
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
rwa=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
seconds=$3
readers=${4:-$(ls "$here/corpus")}
# An allocation larger than this comes back empty-handed, as on a small machine: the answer must then be a status.
export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=512
export UBSAN_OPTIONS=print_stacktrace=1
mkdir -p "$build/files" "$build/broken"
sh "$here/seeds.sh" "$rwa" "$build" || exit 1

words() {
    case $1 in
    *gml | *sndlib | *edges | *csv | words | command) echo "$here/words.dict" ;;
    *xml | *graphml | *msccl) echo "$here/xml.dict" ;;
    *) echo "$here/json.dict" ;;
    esac
}

cd "$build/files" || exit 1     # where the command finds files to read
status=0
for reader in $readers; do
    mkdir -p "$build/grown/$reader" "$build/seeds/$reader" "$here/found/$reader"
    printf '%-20s ' "$reader"
    "$build/fuzz" "--reader=$reader" -dict="$(words "$reader")" -max_total_time="$seconds" -max_len=8192 -timeout=20 \
        -rss_limit_mb=2500 -malloc_limit_mb=600 -close_fd_mask=3 -print_final_stats=1 \
        -artifact_prefix="$build/broken/$reader-" "$build/grown/$reader" "$here/corpus/$reader" "$build/seeds/$reader" \
        "$here/found/$reader" < /dev/null > "$build/$reader.log" 2>&1
    code=$?
    awk -v s="$seconds" '/number_of_executed_units/ { runs = $2 } /cov:/ { for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1) }
        END { printf "%d runs, %s edges covered", runs, cov }' "$build/$reader.log"
    if [ $code -eq 0 ]; then echo; else echo ", BROKEN: see $build/$reader.log"; status=1; fi
    rmdir "$here/found/$reader" 2> /dev/null
done
exit $status
