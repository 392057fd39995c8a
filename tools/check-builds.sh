#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds of the sources in ways in which users build them: a path with spaces, read-only sources with the build elsewhere, twice to
# the same bytes, for 32 bits, under gcc's analyser, and packages without a complaint of lintian.  Parts whose tools are
# missing are skipped by name.  Usage: check-builds.sh [PART ...], of: spaces readonly reproducible bits analyser lintian
set -eu
make=${MAKE:-make}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
failed=0
CCACHE_DISABLE=1 # two builds of the same bytes are two builds
export CCACHE_DISABLE
includes="-Iinclude -Ilib -I. $(pkg-config --cflags igraph libxml-2.0 | sed 's/-I/-isystem/g')"

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
    (cd "$work/a path/of spaces" && $make -j2 all build/tests/base/allocator_test && build/tests/base/allocator_test && build/rwa plan --network ring:16 -q) \
        > "$work/said" 2>&1
}

readonly_sources() {
    copy_to "$work/sources"
    chmod -R a-w "$work/sources"
    ls "$work/sources" > "$work/before"
    # Root may write everywhere: what the build leaves is compared.
    $make -C "$work/sources" -j2 BUILD="$work/elsewhere" all > "$work/said" 2>&1 && ls "$work/sources" | cmp -s - "$work/before" &&
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

# Sizes and conversions: the libraries that it links are those of the machine.
bits() {
    # shellcheck disable=SC2086
    git ls-files 'lib/*.c' 'solvers/*.c' 'cli/*.c' | xargs ${CC:-cc} -m32 -std=c11 -D_XOPEN_SOURCE=700 '-DRWA_VERSION="0"' -Wall -Wextra -Werror \
        $includes -fsyntax-only > "$work/said" 2>&1
}

analyser() {
    # shellcheck disable=SC2086
    git ls-files 'lib/*.c' 'solvers/*.c' 'cli/*.c' | xargs -n 1 -P 2 gcc -O1 -fanalyzer -Werror -std=c11 -D_XOPEN_SOURCE=700 '-DRWA_VERSION="0"' \
        $includes -c -o /dev/null > "$work/said" 2>&1
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
    [ "$code" -eq 0 ] || tail -n 5 "$work/said"
    verdict "$code" "$3"
}

wanted=${*:-spaces readonly reproducible bits analyser lintian}
part spaces spaces "a path with spaces" true ""
part readonly readonly_sources "read-only sources, built elsewhere" true ""
part reproducible reproducible "two builds of the same bytes" true ""
part bits bits "32 bits" "echo 'int main(void){return 0;}' | \${CC:-cc} -m32 -include stdio.h -x c -fsyntax-only -" "32-bit libc (gcc-multilib)"
part analyser analyser "gcc -fanalyzer" "gcc -fanalyzer --version" "gcc"
part lintian packages "lintian" "command -v lintian" "lintian"
exit $failed
