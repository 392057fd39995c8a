#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the Debian packages, unpacks them into an empty root, and builds and runs docs/examples/minimal.c there, as C
# and as C++, with nothing but pkg-config.  Usage: check-deb.sh BUILD
set -eu
build=$1
command -v dpkg-shlibdeps > /dev/null 2>&1 || { echo "check-deb: skipped, there is no dpkg-dev"; exit 0; }
command -v pkg-config > /dev/null 2>&1 || { echo "check-deb: skipped, there is no pkg-config"; exit 0; }
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

fail() {
    echo "check-deb: $*"
    exit 1
}
# Compression is the slowest part, and not what is tested.
DPKG_DEB_COMPRESSOR_TYPE=none ${MAKE:-make} --no-print-directory BUILD="$build" deb > "$root/said" ||
    fail "$(cat "$root/said")"
for package in librwa0 librwa-dev rwa python3-rwa; do
    file=$(ls "$build/deb/${package}"_*.deb) || fail "no package $package"
    dpkg-deb -x "$file" "$root/installed"
done
dpkg-deb -f "$(ls "$build"/deb/librwa0_*.deb)" Depends | grep -q 'libglpk' ||
    fail "librwa0 does not depend on what it is linked with"
dpkg-deb -f "$(ls "$build"/deb/librwa-dev_*.deb)" Depends | grep -q 'librwa0 (= ' ||
    fail "librwa-dev does not depend on its librwa0"

libdir="$root/installed/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)"
PKG_CONFIG_PATH="$libdir/pkgconfig:$(pkg-config --variable pc_path pkg-config)"
PKG_CONFIG_SYSROOT_DIR="$root/installed"
LD_LIBRARY_PATH="$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH

# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror ${CFLAGS:-} ${LDFLAGS:-} docs/examples/minimal.c \
    $(pkg-config --cflags --libs librwa) -o "$root/minimal"
# shellcheck disable=SC2046,SC2086
${CXX:-c++} -std=c++17 -Wall -Wextra -Wpedantic -Werror ${CFLAGS:-} ${LDFLAGS:-} -x c++ docs/examples/minimal.c \
    -x none \
    $(pkg-config --cflags --libs librwa) -o "$root/minimal++"
"$root/minimal" > "$root/settings"
"$root/minimal++" | cmp - "$root/settings" || fail "in C++ the example says something else"

# The command of the package plans the same; node 3 is told what to do in each step.
"$root/installed/usr/bin/rwa" plan --network ring:16 --message 4MiB --quiet -o "$root/plan.jsonl" > "$root/said"
"$root/installed/usr/bin/rwa" export "$root/plan.jsonl" --to nodes --node 3 -o - | cmp - "$root/settings" ||
    fail "the example prints other settings than the command"
if command -v lintian > /dev/null 2>&1; then
    lintian --allow-root --fail-on error "$build"/deb/*.deb > "$root/said" 2>&1 || fail "lintian: $(cat "$root/said")"
fi
echo "deb ok"
