#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Install what is missing to build and test, and only that.
set -u
missing=""
has_header() { printf '#include <stddef.h>\n#include <stdio.h>\n#include <%s>\n' "$1" | ${CC:-cc} -E - >/dev/null 2>&1; }
command -v "${CC:-cc}" >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
has_header glpk.h || missing="$missing libglpk-dev"
has_header jansson.h || missing="$missing libjansson-dev"
has_header zlib.h || missing="$missing zlib1g-dev"
has_header CUnit/Basic.h || missing="$missing libcunit1-dev"
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null 2>&1; then
    echo "rwa: please install a C compiler and the headers of GLPK, jansson, zlib and CUnit (missing here:$missing)" >&2
    exit 1
fi
as_root=""
[ "$(id -u)" -eq 0 ] || as_root=sudo
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q >/dev/null && $as_root apt-get install -yq --no-install-recommends $missing
