#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python module against the library of a build folder; skipped without python3, and where its interpreter cannot
# load the library, as with sanitizers.  Usage: run.sh BUILD
set -eu
build=$1
python=${PYTHON:-python3}
command -v "$python" > /dev/null 2>&1 || { echo "python: skipped, there is no python3"; exit 0; }
library=$(find "$PWD/$build" -maxdepth 1 -name 'librwa.so.*.*.*' | head -n 1)
export RWA_LIBRARY="$library" PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1
"$python" -c 'import ctypes, os; ctypes.CDLL(os.environ["RWA_LIBRARY"])' 2> /dev/null ||
    { echo "python: skipped, $python cannot load $library"; exit 0; }
"$python" tests/python/rwa_test.py "$build/rwa"
