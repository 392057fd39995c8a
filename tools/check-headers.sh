#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every public header compiles alone, as C11 and as C++17, with warnings as errors.  Usage: check-headers.sh
set -eu
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Werror"

alone() {  # language, standard, compiler...
    language=$1 standard=$2
    shift 2
    for header in include/rwa.h include/rwa/*.h; do
        # Twice: the second time the guard must hold.
        # shellcheck disable=SC2086
        printf '#include "%s"\n#include "%s"\nint used(void);\nint used(void) { return RWA_OK; }\n' \
            "${header#include/}" "${header#include/}" |
            "$@" -std="$standard" $warnings -Iinclude -fsyntax-only -x "$language" - ||
            { echo "check-headers: $header does not compile alone as $standard with $1"; exit 1; }
    done
}

tried=
for compiler in "${CC:-cc}" clang; do
    command -v "$compiler" > /dev/null 2>&1 || continue
    alone c c11 "$compiler" -Wstrict-prototypes -Wmissing-prototypes
    tried="$tried $compiler"
done
for compiler in "${CXX:-c++}" clang++; do
    command -v "$compiler" > /dev/null 2>&1 || continue
    alone c++ c++17 "$compiler"
    tried="$tried $compiler"
done
echo "headers ok:$tried"
