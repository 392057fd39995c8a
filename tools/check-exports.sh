#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The ABI is exactly tests/exports.txt, reviewed like code.
set -eu
nm -D --defined-only "$1" | awk '{print $3}' | LC_ALL=C sort | diff -u tests/exports.txt -
echo "exports: $(wc -l < tests/exports.txt) symbols, as recorded"
