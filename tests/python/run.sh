#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python module against the library of a build folder, with NumPy and without, and as pip installs it; skipped
# without python3, and where its interpreter cannot load the library, as with sanitizers.
# Usage: run.sh BUILD [thorough]
set -eu
build=$1
python=${PYTHON:-/usr/bin/python3}
command -v "$python" > /dev/null 2>&1 || python=python3
command -v "$python" > /dev/null 2>&1 || { echo "python: skipped, there is no python3"; exit 0; }
library=$(find "$PWD/$build" -maxdepth 1 -name 'librwa.so.*.*.*' | head -n 1)
export RWA_LIBRARY="$library" PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1
"$python" -c 'import ctypes, os; ctypes.CDLL(os.environ["RWA_LIBRARY"])' 2> /dev/null ||
    { echo "python: skipped, $python cannot load $library"; exit 0; }
"$python" tests/python/rwa_test.py "$build/rwa" "${2:-short}"
"$python" -c 'import numpy' 2> /dev/null || { echo "python: no NumPy, so tested without only"; exit 0; }
PYTHONPATH=tests/python/without:python "$python" tests/python/rwa_test.py "$build/rwa" short Answers Documentation
"$python" -m pip --version > /dev/null 2>&1 || { echo "python: no pip, so not installed by it"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m pip install -q --no-build-isolation --no-deps --no-index --root-user-action ignore --target "$folder" .
(cd "$folder" && PYTHONPATH=. "$python" -c '
import rwa
assert rwa.__file__.startswith(__import__("os").getcwd()), rwa.__file__
assert rwa.check(rwa.plan(rwa.Network("ring:16")).schedule)')
echo "python: pip installs it"
