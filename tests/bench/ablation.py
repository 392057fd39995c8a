#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `auto` loses without a scheme, or without several, over both grids of compare_builds.py: a table in Markdown.

Usage: ablation.py FOLDER [--base FILE.json] [--only NAME+NAME,...] [--jobs J] [options of compare_builds.py]
FOLDER holds the command `rwa`; `make FOLDER/rwa-without-NAME+NAME` builds one whose table of schemes lacks these.  Only
cells where the full table's plan names one of them are planned again: all others keep their plan.  --base: an earlier
run of the full table.
"""
import math
import os
import re
import subprocess
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import compare_builds as bench

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib", "scheme", "schemes.inc")


def table():
    with open(TABLE) as file:
        return re.findall(r"^SCHEME\((\w+)\)", file.read(), re.M)


def names_it(scheme, left_out):
    words = set(re.findall(r"[\w-]+", scheme.replace("_", "-")))
    return any(name.replace("_", "-") in words or (name == "logical" and "logical-topology" in words)
               for name in left_out)


def grid_of(cell, first):
    return "time" if bench.name_of(cell) in first else "second"


def loss(rwa, cells, base, left_out, o):
    """Per grid: cells that named a scheme left out, mean loss in percent, cells above 1.1, without a plan, worst."""
    first = {bench.name_of(c) for c in bench.time_grid()}
    touched = [c for c in cells if names_it(base[bench.name_of(c)].get("scheme", ""), left_out)]
    with ThreadPoolExecutor(o.jobs) as pool:
        answers = list(pool.map(lambda c: bench.measure(rwa, rwa, c, o), touched))
    ratios = defaultdict(list)
    for cell, answer in zip(touched, answers):
        before = base[bench.name_of(cell)]
        ratio = answer["time"] / before["time"] if "time" in answer else math.inf
        ratios[grid_of(cell, first)].append((ratio, bench.name_of(cell)))
    for grid in ("time", "second"):
        total = sum(grid_of(c, first) == grid for c in cells)
        found = sorted(ratios[grid], reverse=True)
        finite = [r for r, _ in found if r != math.inf]
        mean = bench.mean(finite + [1.0] * (total - len(found)))
        worst = "%.2f %s" % found[0] if found and found[0][0] > 1.005 else "-"
        yield "%d | %+.2f %% | %d | %d | %s" % (
            len(found), 100 * (mean - 1), sum(r > 1.1 for r in finite), len(found) - len(finite), worst)


def main():
    o = bench.parse(__doc__, "folder", base="")
    groups, o.only = o.only.split(",") if o.only else table(), ""     # here no part of a cell's name
    cells, base = bench.cells_of(o), bench.load(o.base)
    rwa = os.path.join(o.folder, "rwa")
    if base is None:
        with ThreadPoolExecutor(o.jobs) as pool:
            base = dict(zip(map(bench.name_of, cells), pool.map(lambda c: bench.measure(rwa, rwa, c, o), cells)))
    cells = [c for c in cells if "time" in base.get(bench.name_of(c), {})]
    columns = "plans by it | mean loss | above 1.1 | none | worst"
    print("| left out | %s | second grid: %s |\n|---|%s" % (columns, columns, 2 * "--:|--:|--:|--:|---|"))
    for group in groups:
        target = os.path.join(o.folder, "rwa-without-" + group)
        subprocess.run(["make", "-s", "BUILD=" + o.folder, target], check=True, stdout=subprocess.DEVNULL)
        print("| %s | %s |" % (group, " | ".join(loss(target, cells, base, group.split("+"), o))), flush=True)


if __name__ == "__main__":
    main()
