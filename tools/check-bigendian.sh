#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Unit tests built for s390x, a machine of the other byte order, and run by qemu: readers, writers, checkers and what
# they use.
# Searches are left out: qemu takes about ten times as long.  igraph is not in Debian for s390x: tools/igraph_absent.c
# stands in.
# Needs gcc-s390x-linux-gnu and qemu-user, and Debian's packages for s390x (dpkg --add-architecture s390x; apt-get
# update), which are unpacked in the folder and not installed.  Usage: check-bigendian.sh FOLDER
set -eu
make=${MAKE:-make}
mkdir -p "$1/debs" "$1/tools" "$1/root"
work=$(cd "$1" && pwd)
root=$work/root
lib=$root/usr/lib/s390x-linux-gnu
# igraph reads GraphML and GML and finds positions for files and views; the others plan by the hundred.
skipped='network/files network/positions network/alloc view/view foreign/design foreign/msccl foreign/mscclpp'
skipped="$skipped foreign/table state/blocking state/spectrum state/model check/property fiber/gsnr"
modules='fuzz schedule check assignment foreign network collective state fiber power view cost'

unpack() {
    packages=
    for p in libc6 libgcc-s1 libstdc++6 libgomp1 libglpk40 libglpk-dev libgmp10 libamd2 libcolamd2 \
        libsuitesparseconfig5 libltdl7 libjansson4 libjansson-dev libxml2 libxml2-dev libicu72 liblzma5 \
        zlib1g zlib1g-dev libcunit1 libcunit1-dev; do
        packages="$packages $p:s390x"
    done
    # shellcheck disable=SC2086
    (cd "$work/debs" && apt-get download -qq $packages 2> /dev/null)
    for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$root"; done
}

# The tools of make's rules by their plain names.
cross_tools() {
    for tool in ar ld objcopy; do ln -sf "$(command -v s390x-linux-gnu-$tool)" "$work/tools/$tool"; done
}

build() {  # targets
    headers=$root/usr/include
    PATH=$work/tools:$PATH $make -j2 BUILD="$work/build" CC=s390x-linux-gnu-gcc LDFLAGS="$flags" \
        LIBS="-lglpk -ljansson -lxml2 -lz -lm" \
        CFLAGS="-O1 -g -isystem $headers -isystem $headers/s390x-linux-gnu -isystem $headers/libxml2" "$@"
}

# Functions of igraph that no caller reaches, because the ones before them fail.
absent() {
    s390x-linux-gnu-gcc -O1 -isystem /usr/include/igraph -c tools/igraph_absent.c -o "$work/igraph.o"
    s390x-linux-gnu-nm --defined-only "$work/igraph.o" | awk '{ print $3 }' | sort > "$work/defined"
    s390x-linux-gnu-nm -u "$work/build/librwa-test.a" | awk '{ print $2 }' | grep -iE '^igraph_' |
        grep -v igraph_guard | sort -u | comm -23 - "$work/defined" | sed 's/.*/-Wl,--defsym=&=igraph_absent/'
}

tests() {
    for module in $modules; do
        for test in tests/"$module"/*_test.c; do
            name=${test#tests/}
            name=${name%_test.c}
            case " $skipped " in *" $name "*) ;; *) echo "$name" ;; esac
        done
    done
}

unpack
cross_tools
flags=
build "$work/build/librwa-test.a" > "$work/log"
flags="-L$lib -Wl,-rpath-link,$lib:$root/lib/s390x-linux-gnu $work/igraph.o $(absent | tr '\n' ' ')"
failed=0
for name in $(tests); do
    build "$work/build/tests/${name}_test" > "$work/log"
    if qemu-s390x -L "$root" "$work/build/tests/${name}_test" > "$work/said" 2>&1; then
        echo "$name: $(tail -n 1 "$work/said")"
    else
        echo "$name: FAILED"
        grep -E '^ +[0-9]+\. ' "$work/said" || tail -n 3 "$work/said"
        failed=1
    fi
done
exit $failed
