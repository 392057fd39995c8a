#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzzes the readers one after the other, or one of them, for some seconds each; inputs that broke it are left in
# BUILD/broken.
# Usage: run.sh ENGINE BUILD RWA SECONDS [READER], ENGINE one of libfuzzer and afl
set -u
here=$(cd "$(dirname "$0")" && pwd)
engine=$1
build=$(cd "$2" && pwd)
rwa=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
seconds=$4
readers=${5:-$(ls "$here/corpus")}
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

fuzz_libfuzzer() {  # reader
    "$build/fuzz" "--reader=$1" -dict="$(words "$1")" -max_total_time="$seconds" -max_len=8192 -timeout=20 \
        -rss_limit_mb=2500 -malloc_limit_mb=600 -close_fd_mask=3 -print_final_stats=1 \
        -artifact_prefix="$build/broken/$1-" "$build/grown/$1" "$here/corpus/$1" "$build/seeds/$1" \
        "$here/found/$1" < /dev/null > "$build/$1.log" 2>&1
    code=$?
    awk '/number_of_executed_units/ { runs = $2 } /cov:/ { for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1) }
        END { printf "%d runs, %s edges covered", runs, cov }' "$build/$1.log"
}

# Goes on from the queue of the last run.  Leaks are looked for once, over the queue at the end: a run of AFL++ is one
# process for many inputs.
fuzz_afl() {  # reader
    mkdir -p "$build/in/$1" "$build/afl"
    cp "$here/corpus/$1"/* "$build/in/$1"
    for more in "$here/found/$1" "$build/seeds/$1"; do
        find "$more" -type f -size -8k -exec cp {} "$build/in/$1" \;
    done
    mutator=
    [ "$1" != schedule ] || mutator=$build/schedule_mutator.so
    AFL_AUTORESUME=1 AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
        AFL_CUSTOM_MUTATOR_LIBRARY=$mutator ASAN_OPTIONS=$ASAN_OPTIONS:abort_on_error=1:symbolize=0:detect_leaks=0 \
        UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:symbolize=0 \
        afl-fuzz -i "$build/in/$1" -o "$build/afl/$1" -x "$(words "$1")" -V "$seconds" -G 8192 -t 10000 -m none \
        -- "$build/fuzz" "--reader=$1" < /dev/null > "$build/$1.log" 2>&1
    code=$?
    out=$build/afl/$1/default
    for broken in "$out"/crashes/id* "$out"/hangs/id*; do
        [ -f "$broken" ] || continue
        cp "$broken" "$build/broken/$1-$(basename "$(dirname "$broken")")-$(basename "$broken" | cut -c 1-9)"
        code=1
    done
    "$build/fuzz" "--reader=$1" "$out"/queue/id* > "$build/$1-leaks.log" 2>&1 || code=1
    awk -F' *: ' '/^execs_done/ { runs = $2 } /^edges_found/ { cov = $2 }
        END { printf "%d runs, %s edges covered", runs, cov }' "$out/fuzzer_stats"
}

cd "$build/files" || exit 1     # where the command finds files to read
status=0
for reader in $readers; do
    mkdir -p "$build/grown/$reader" "$build/seeds/$reader" "$here/found/$reader"
    printf '%-20s ' "$reader"
    "fuzz_$engine" "$reader"
    if [ $code -eq 0 ]; then echo; else echo ", BROKEN: see $build/$reader.log and $build/broken"; status=1; fi
    rmdir "$here/found/$reader" 2> /dev/null
done
exit $status
