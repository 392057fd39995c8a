#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing to build and test; silent when nothing is.
missing=

have_header() {  # a one-line include is the test: pkg-config may be absent, and not every library has a .pc file
    ${CC:-cc} -E -I/usr/include/libxml2 -include "$1" -x c /dev/null >/dev/null 2>&1
}

need_compiler=
command -v "${CC:-cc}" >/dev/null 2>&1 || need_compiler=1
if [ -n "$need_compiler" ]; then missing="$missing gcc libc6-dev"; fi
if ! command -v make >/dev/null 2>&1; then missing="$missing make"; fi
if ! command -v pkg-config >/dev/null 2>&1; then missing="$missing pkg-config"; fi
if ! command -v "${CXX:-c++}" >/dev/null 2>&1; then missing="$missing g++"; fi
if ! command -v ld >/dev/null 2>&1; then missing="$missing binutils"; fi
if [ -n "$need_compiler" ]; then
    missing="$missing libglpk-dev libjansson-dev libigraph-dev libxml2-dev zlib1g-dev libcunit1-dev"
else
    have_header stdio.h || missing="$missing libc6-dev"
    have_header glpk.h || missing="$missing libglpk-dev"
    have_header jansson.h || missing="$missing libjansson-dev"
    have_header igraph/igraph.h || missing="$missing libigraph-dev"
    have_header libxml/tree.h || missing="$missing libxml2-dev"
    have_header zlib.h || missing="$missing zlib1g-dev"
    have_header CUnit/CUnit.h || missing="$missing libcunit1-dev"
fi
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "deps: please install the equivalents of:$missing" >&2
    exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "deps: please install as root:$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "deps: installing$missing"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update || exit 1
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $missing
