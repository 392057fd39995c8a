#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each line of tests/abi.txt is true of a program compiled from include/ on 64-bit Linux: the size of a public
# structure, the offset and the size of a member, the value of an enumerator.  tests/python/rwa_test.py finds what is
# missing, as the Python module reads all declarations.
# Usage: check-abi.sh [--print], which prints all lines as that module has them
set -eu
if [ "${1:-}" = --print ]; then
    echo sizeof rwa_allocator 40    # it has functions, which the module does not read
    at=0
    for member in struct_size allocate resize release data; do
        echo rwa_allocator.$member $at 8
        at=$((at + 8))
    done
    exec env PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 "${PYTHON:-python3}" -c '
from ctypes import sizeof
from rwa import _library as library
for name, value in library.constants.items():
    print(name, value)
for name in library._structs:
    kind = library.struct(name)
    print(f"sizeof rwa_{name}", sizeof(kind))
    for member, _ in kind._fields_:
        field = getattr(kind, member)
        print(f"rwa_{name}.{member}", field.offset, field.size)'
fi
compiles() { ${CC:-cc} -std=c11 -Iinclude -fsyntax-only -x c -; }
echo '_Static_assert(sizeof(long) == 8 && sizeof(void *) == 8, "");' | compiles 2> /dev/null ||
    { echo "check-abi: skipped, this is no 64-bit machine with 64-bit longs"; exit 0; }
awk 'BEGIN { print "#include \"rwa.h\"\n#include <stddef.h>" }
    $1 == "sizeof" { fact = "sizeof(" $2 ") == " $3 }
    $1 ~ /\./ { split($1, part, ".")
        fact = "offsetof(" part[1] ", " part[2] ") == " $2 " && sizeof(((" part[1] " *)0)->" part[2] ") == " $3 }
    NF == 2 { fact = $1 " == " $2 }
    { print "_Static_assert(" fact ", \"" $0 "\");" }' tests/abi.txt | compiles || {
    echo "check-abi: the layout has changed; see docs/reference/versions.md, then make and" \
        "tools/check-abi.sh --print > tests/abi.txt"
    exit 1
}
echo "abi ok"
