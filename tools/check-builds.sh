#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds of the sources in ways in which users build them: a path with spaces, read-only sources with the build
# elsewhere, one job, clang, twice to the same bytes, for 32 bits, for the other byte order, under gcc's and clang's
# analysers, and packages without a complaint of lintian.  Parts whose tools are missing are skipped by name.
# The analysers take about ten minutes each.  Usage: check-builds.sh [PART ...], of: spaces readonly job clang
# reproducible bits bigendian analyser clang-analyser lintian
set -eu
make=${MAKE:-make}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
failed=0
CCACHE_DISABLE=1 # two builds of the same bytes are two builds
export CCACHE_DISABLE

verdict() {  # 0 or not, what
    if [ "$1" -eq 0 ]; then
        echo "$2: ok"
    else
        echo "$2: FAILED"
        failed=1
    fi
}

copy_to() {
    mkdir -p "$1"
    git ls-files -z | xargs -0 cp --parents -t "$1"
}

spaces() {
    copy_to "$work/a path/of spaces"
    (cd "$work/a path/of spaces" && $make -j2 all build/tests/base/allocator_test && build/tests/base/allocator_test &&
        build/rwa plan --network ring:16 -q) \
        > "$work/said" 2>&1
}

readonly_sources() {
    copy_to "$work/sources"
    chmod -R a-w "$work/sources"
    ls "$work/sources" > "$work/before"
    # Root may write everywhere: what the build leaves is compared.
    $make -C "$work/sources" -j2 BUILD="$work/elsewhere" all > "$work/said" 2>&1 &&
        ls "$work/sources" | cmp -s - "$work/before" &&
        "$work/elsewhere/rwa" plan --network ring:16 -q > "$work/said" 2>&1
}

reproducible() {
    for copy in one another; do
        copy_to "$work/$copy"
        $make -C "$work/$copy" -j2 all > "$work/said" 2>&1 || return 1
    done
    for file in rwa librwa.a librwa.so.0.1.0; do
        cmp "$work/one/build/$file" "$work/another/build/$file" > "$work/said" 2>&1 || return 1
    done
}

objects() {  # folder: the objects of the library and the command in it
    git ls-files 'lib/*.c' 'solvers/*.c' 'cli/*.c' | sed "s|^|$1/|; s|\.c$|.o|"
}

# Sizes and formats: the libraries that it links are those of the machine.  The kernel's headers are those of the
# machine too: gcc-multilib, which has them for 32 bits, cannot be installed beside the compiler for s390x;
# gcc-12-multilib can.
kernel_headers="-idirafter /usr/include/$(${CC:-cc} -print-multiarch 2> /dev/null || true)"
bits() {
    # shellcheck disable=SC2046
    $make -j2 BUILD="$work/bits" CFLAGS="-m32 -O1 -Werror -Wno-conversion $kernel_headers" $(objects "$work/bits") \
        > "$work/said" 2>&1
}

analyser() {
    # shellcheck disable=SC2046
    $make -k -j2 BUILD="$work/analyser" CC=gcc CFLAGS="-O1 -fanalyzer -Werror" $(objects "$work/analyser") \
        > "$work/said" 2>&1
}

clang_analyser() {
    # shellcheck disable=SC2046
    $make -k -j2 BUILD="$work/clang" CC="clang --analyze --analyzer-output text -Xclang -analyzer-werror" \
        CFLAGS="-O1 -g" \
        $(objects "$work/clang") > "$work/said" 2>&1
}

one_job() {
    copy_to "$work/one job"
    $make -C "$work/one job" -j1 all > "$work/said" 2>&1
}

clang_build() {
    $make -j2 BUILD="$work/by-clang" CC=clang CFLAGS="-O1 -g -Werror" all > "$work/said" 2>&1 &&
        "$work/by-clang/rwa" plan --network ring:16 -q > "$work/said" 2>&1
}

big_endian() {
    sh tools/check-bigendian.sh "$work/s390x" > "$work/said" 2>&1
}

packages() {
    copy_to "$work/packages"
    $make -C "$work/packages" deb > "$work/said" 2>&1 &&
        lintian --allow-root --fail-on error,warning "$work"/packages/build/deb/*.deb > "$work/said" 2>&1
}

part() {  # name, function, what it is, what it needs
    case " $wanted " in *" $1 "*) ;; *) return ;; esac
    if ! eval "$4" > /dev/null 2>&1; then
        echo "$3: skipped, there is no $5"
        return
    fi
    code=0
    $2 || code=$?
    [ "$code" -eq 0 ] || grep -E '(error|warning):' "$work/said" | sort -u | head -n 20
    [ "$code" -eq 0 ] || tail -n 5 "$work/said"
    verdict "$code" "$3"
}

wanted=${*:-spaces readonly job clang reproducible bits bigendian analyser clang-analyser lintian}
part spaces spaces "a path with spaces" true ""
part readonly readonly_sources "read-only sources, built elsewhere" true ""
part job one_job "one job" true ""
part clang clang_build "clang" "command -v clang" "clang"
part reproducible reproducible "two builds of the same bytes" true ""
part bits bits "32 bits" "echo 'int main(void){return 0;}' | \${CC:-cc} -m32 -include stdio.h -x c -fsyntax-only -" \
    "32-bit libc (gcc-multilib, or gcc-12-multilib and libc6-dev-i386)"
part bigendian big_endian "big-endian" \
    "command -v qemu-s390x && command -v s390x-linux-gnu-gcc && apt-cache show libglpk40:s390x" \
    "qemu-user, gcc-s390x-linux-gnu or Debian's packages for s390x"
part analyser analyser "gcc -fanalyzer" "gcc -fanalyzer --version" "gcc"
part clang-analyser clang_analyser "clang --analyze" "command -v clang" "clang"
part lintian packages "lintian" "command -v lintian" "lintian"
exit $failed
