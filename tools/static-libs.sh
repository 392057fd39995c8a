#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints what a program linked statically needs behind librwa.a, jansson and zlib aside: Libs.private of rwa.pc.
# libxml2 names its own (ICU, lzma).  GLPK may load database drivers through libltdl, and ICU is C++: both where they
# are installed.
# Usage: static-libs.sh [CC]
set -eu
cc=${1:-cc}

# The compiler prints a path where it finds the library, else the bare name.
has_library() {
    for file in "lib$1.so" "lib$1.a"; do
        case $($cc -print-file-name="$file" 2> /dev/null) in /*) return 0 ;; esac
    done
    return 1
}

libs="-lglpk -ligraph $(pkg-config --static --libs libxml-2.0 2> /dev/null || echo -lxml2)"
for name in ltdl stdc++; do
    if has_library "$name"; then libs="$libs -l$name"; fi
done
# Unquoted: one blank between words.
# shellcheck disable=SC2086
echo $libs -lm
