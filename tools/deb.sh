#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Debian packages from what `make install` installs: librwa0 (the shared library), librwa-dev (headers, archive,
# pkg-config), rwa (the command) and python3-rwa (the module).
# Usage: deb.sh BUILD VERSION SOMAJOR; the packages are in BUILD/deb
# DEB_MAINTAINER names who packages, "Name <address>".
set -eu
build=$1 version=$2 major=$3
maintainer=${DEB_MAINTAINER:-librwa packagers <librwa@packages.invalid>}
for tool in dpkg-deb dpkg-shlibdeps dpkg-architecture; do
    command -v "$tool" > /dev/null 2>&1 || { echo "deb: $tool not found, expected dpkg-dev to be installed"; exit 1; }
done
architecture=$(dpkg-architecture -qDEB_HOST_ARCH)
libdir=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
: "${SOURCE_DATE_EPOCH:=$(stat -c %Y CHANGELOG.md)}"
export SOURCE_DATE_EPOCH
top=$PWD
work=$build/deb/work
rm -rf "$build/deb"
mkdir -p "$work/debian"
umask 022

${MAKE:-make} --no-print-directory BUILD="$build" DESTDIR="$top/$work/all" PREFIX=/usr LIBDIR="$libdir" install \
    > "$work/log" ||
    { cat "$work/log"; exit 1; }

# ---- which file is whose ----

move() {  # package, path...
    package=$1
    shift
    for path in "$@"; do
        mkdir -p "$work/$package$(dirname "$path")"
        mv "$work/all$path" "$work/$package$path"
    done
}
move "librwa$major" "$libdir/librwa.so.$version" "$libdir/librwa.so.$major"
move librwa-dev "$libdir/librwa.so" "$libdir/librwa.a" "$libdir/pkgconfig" /usr/include /usr/share/doc/librwa
move rwa /usr/bin /usr/share/man /usr/share/bash-completion /usr/share/zsh
move python3-rwa /usr/lib/python3
rest=$(find "$work/all" ! -type d)
[ -z "$rest" ] || { echo "deb: belongs to no package: $rest"; exit 1; }
strip --strip-unneeded "$work/librwa$major$libdir/librwa.so.$version" "$work/rwa/usr/bin/rwa"
strip --strip-debug --enable-deterministic-archives "$work/librwa-dev$libdir/librwa.a"
gzip -9n "$work"/rwa/usr/share/man/man1/*.1
# The command has the archives of small libraries, so that it starts soon.
mkdir -p "$work/rwa/usr/share/lintian/overrides"
echo 'rwa: embedded-library *' > "$work/rwa/usr/share/lintian/overrides/rwa"

# ---- what goes with each ----

document() {  # package
    folder=$work/$1/usr/share/doc/$1
    mkdir -p "$folder"
    printf '%s\n' 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/' 'Upstream-Name: librwa' \
        '' 'Files: *' "Copyright: $(date -u -d "@$SOURCE_DATE_EPOCH" +%Y) the authors of librwa" 'License: GPL-3+' \
        ' On Debian systems the whole text is in /usr/share/common-licenses/GPL-3.' > "$folder/copyright"
    printf '%s\n' "librwa ($version) unstable; urgency=medium" '' \
        '  * Packages of this version; what is new in it is told in its CHANGELOG.md.' '' \
        " -- $maintainer  $(LC_ALL=C date -R -u -d "@$SOURCE_DATE_EPOCH")" | gzip -9n > "$folder/changelog.gz"
}

needs() {  # file: the packages of the shared libraries it is linked with
    printf 'Source: librwa\n\nPackage: librwa\nArchitecture: any\n' > "$work/debian/control"
    (cd "$work" && dpkg-shlibdeps -O --ignore-missing-info "$top/$work/$1" 2> shlibdeps.log) |
        sed -n 's/^shlibs:Depends=//p'
}

control() {  # package, section, depends, summary, more words
    mkdir -p "$work/$1/DEBIAN"
    {
        printf '%s\n' "Package: $1" 'Source: librwa' "Version: $version" "Architecture: $architecture"
        test "$1" = rwa || test "$1" = python3-rwa || echo 'Multi-Arch: same'
        printf '%s\n' "Maintainer: $maintainer" "Installed-Size: $(du -sk --exclude=DEBIAN "$work/$1" | cut -f 1)" \
            "Depends: $3" "Section: $2" 'Priority: optional' "Description: $4" "$5"
    } > "$work/$1/DEBIAN/control"
    (cd "$work/$1" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum > DEBIAN/md5sums)
}

words=" Collectives such as all-gather and all-reduce become steps of lightpaths on
 rings, tori and other optical networks, each with a route, a fibre and a
 wavelength; an independent checker verifies them, and lower bounds say how
 far from the best they are."
document "librwa$major"
document librwa-dev
document rwa
document python3-rwa
control "librwa$major" libs "$(needs "librwa$major$libdir/librwa.so.$version")" \
    "plans collectives on optical interconnects (library)" "$words"
printf 'librwa %s librwa%s (>= %s)\n' "$major" "$major" "$version" > "$work/librwa$major/DEBIAN/shlibs"
printf 'activate-noawait ldconfig\n' > "$work/librwa$major/DEBIAN/triggers"
control librwa-dev libdevel \
    "librwa$major (= $version), libglpk-dev, libigraph-dev, libjansson-dev, libxml2-dev, zlib1g-dev" \
    "plans collectives on optical interconnects (development)" "$words
 .
 Headers, the static library and the pkg-config file."
control rwa science "$(needs rwa/usr/bin/rwa)" "plans collectives on optical interconnects (command)" "$words"
control python3-rwa python "python3, librwa$major (>= $version)" \
    "plans collectives on optical interconnects (Python module)" "$words"

for package in "librwa$major" librwa-dev rwa python3-rwa; do
    dpkg-deb --root-owner-group --build "$work/$package" "$build/deb/${package}_${version}_$architecture.deb" \
        > "$work/log" || { cat "$work/log"; exit 1; }
    echo "$build/deb/${package}_${version}_$architecture.deb"
done
rm -rf "$work"
