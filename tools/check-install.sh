#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs into an empty folder and builds the README's example and the installed ones there, as a user would: with
# nothing but pkg-config.
# Usage: check-install.sh BUILD
set -eu
build=$1
command -v pkg-config > /dev/null 2>&1 || { echo "check-install: skipped, there is no pkg-config"; exit 0; }
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

fail() {
    echo "check-install: $*"
    exit 1
}
${MAKE:-make} --no-print-directory BUILD="$build" DESTDIR="$root" PREFIX=/usr LIBDIR=/usr/lib install > "$root/log" ||
    { cat "$root/log"; exit 1; }
"$root/usr/bin/rwa" --version > /dev/null

# Every command has its page, and the formatter nothing to say against it.
for name in plan explain check assign bounds show compare sweep reproduce export import network traffic gsnr circuits \
    place; do
    page="$root/usr/share/man/man1/rwa-$name.1"
    grep -q '^\.SH OPTIONS' "$page" || fail "there is no manual page of rwa $name"
    command -v groff > /dev/null 2>&1 || continue
    groff -man -Tutf8 -ww -z "$page" > "$root/said" 2>&1
    [ ! -s "$root/said" ] || fail "rwa-$name.1: $(cat "$root/said")"
done
export PKG_CONFIG_SYSROOT_DIR="$root"
PKG_CONFIG_PATH="$root/usr/lib/pkgconfig:$(pkg-config --variable pc_path pkg-config)"
export PKG_CONFIG_PATH
env -u PKG_CONFIG_SYSROOT_DIR pkg-config --define-prefix --libs librwa | grep -q "^-L$root/usr/lib -lrwa" ||
    fail "librwa.pc does not follow its folder to another place"

# The first ```c block of the README.
sed -n '/^```c$/,/^```$/p' README.md | sed '/^```/d' > "$root/example.c"
test -s "$root/example.c" || fail "the README has no C example"

# $CFLAGS and $LDFLAGS belong to the build being tested, sanitizers for one.
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror ${CFLAGS:-} ${LDFLAGS:-} "$root/example.c" \
    $(pkg-config --cflags --libs librwa) -o "$root/shared"
readelf -d "$root/shared" | grep -q 'NEEDED.*librwa\.so\.[0-9]' ||
    fail "the shared example does not need librwa.so by its versioned name"
LD_LIBRARY_PATH="$root/usr/lib" "$root/shared" > "$root/said"
grep -q 'steps' "$root/said" || fail "the example said: $(cat "$root/said")"

sh tools/check-examples.sh "$root"

rm "$root"/usr/lib/librwa.so*
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c11 ${CFLAGS:-} ${LDFLAGS:-} "$root/example.c" $(pkg-config --static --cflags --libs librwa) \
    -o "$root/static"
"$root/static" | cmp -s - "$root/said" ||
    fail "linked statically the example says something else"

# With static libraries only, where all of them are installed and no sanitizer asks for shared ones.
has_archive() { case $(${CC:-cc} -print-file-name="lib$1.a") in /*) ;; *) return 1 ;; esac; }
absent=
for word in $(pkg-config --static --libs librwa); do
    case $word in -lrwa | -lltdl) ;; -l*) has_archive "${word#-l}" || absent="$absent ${word#-l}" ;; esac
done
case ${CFLAGS:-}${LDFLAGS:-} in *-fsanitize*) absent="$absent sanitizers" ;; esac
# GLPK's ODBC and MySQL readers call libltdl, which is seldom installed as an archive; a stand-in that finds no driver
# will do.
if ! has_archive ltdl; then
    echo 'int lt_dlinit(void) { return 1; } int lt_dlexit(void) { return 0; }
        int lt_dlclose(void *h) { (void)h; return 0; }
        void *lt_dlopen(const char *n) { (void)n; return 0; } const char *lt_dlerror(void) { return ""; }
        void *lt_dlsym(void *h, const char *n) { (void)h; (void)n; return 0; }' > "$root/ltdl.c"
    ${CC:-cc} -c "$root/ltdl.c" -o "$root/ltdl.o"
    ar rcs "$root/libltdl.a" "$root/ltdl.o"
fi
if [ -z "$absent" ]; then
    # shellcheck disable=SC2046,SC2086
    ${CC:-cc} -std=c11 ${CFLAGS:-} ${LDFLAGS:-} -static "$root/example.c" \
        $(pkg-config --static --cflags --libs librwa) -L"$root" $(has_archive ltdl || echo -lltdl) \
        -o "$root/alone" 2> "$root/log" || { cat "$root/log"; exit 1; }
    "$root/alone" | cmp -s - "$root/said" ||
        fail "linked with -static the example says something else"
else
    echo "check-install: -static skipped, there is no archive of:$absent"
fi

${MAKE:-make} --no-print-directory BUILD="$build" DESTDIR="$root" PREFIX=/usr LIBDIR=/usr/lib uninstall > "$root/log"
left=$(find "$root/usr" ! -type d)
[ -z "$left" ] && [ ! -d "$root/usr/include/rwa" ] || fail "uninstall leaves $left"
echo "install ok"
