#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing to build and test; silent when nothing is.
missing=

for need in "${CC:-cc}:gcc" make:make pkg-config:pkg-config "${CXX:-c++}:g++" ld:binutils; do
    command -v "${need%:*}" > /dev/null 2>&1 || missing="$missing ${need##*:}"
done
# A one-line include is the test: pkg-config may be absent, and not every library has a .pc file.  Without a compiler no
# header is found.
for need in stdio.h:libc6-dev glpk.h:libglpk-dev jansson.h:libjansson-dev igraph/igraph.h:libigraph-dev \
    libxml/tree.h:libxml2-dev zlib.h:zlib1g-dev CUnit/CUnit.h:libcunit1-dev; do
    ${CC:-cc} -E -I/usr/include/libxml2 -include "${need%:*}" -x c /dev/null > /dev/null 2>&1 ||
        missing="$missing ${need#*:}"
done
[ -z "$missing" ] && exit 0

if ! command -v apt-get > /dev/null 2>&1; then
    echo "deps: please install the equivalents of:$missing" >&2
    exit 1
fi
as_root=
[ "$(id -u)" -eq 0 ] || as_root=sudo
if ! command -v "${as_root:-env}" > /dev/null 2>&1; then
    echo "deps: please install as root:$missing" >&2
    exit 1
fi
echo "deps: installing$missing"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update || exit 1
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $missing
