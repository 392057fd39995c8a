#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Collectives that take longer than one that contains them, on seeded random settings, scheme auto.

Usage: contained.py RWA [--settings N] [--seed S] [--limit SECONDS]
The all-reduce of a vector contains its reduce-scatter, its reduce and its broadcast, the all-gather of messages the gather and
the broadcast of one. An all-reduce of as much as all nodes gather contains the all-gather; an all-to-all of as much contains the
scatter, the gather and the all-gather. A ratio above 1 is a plan that "auto" misses, unless the bound of the inner one proves
that there is none: a broadcast keeps no lightpath up that has nothing to carry yet. Blocks are rounded up to whole bytes, so that
0.1 % more is not slower. Prints the settings that are not proven, worst first, and how many pairs were compared.
"""
import argparse
import importlib.util
import os
import random
from concurrent.futures import ThreadPoolExecutor

NODES = {"ring:8": 8, "ring:13": 13, "ring:16": 16, "ring:32": 32, "ring:64": 64, "line:8": 8, "line:16": 16, "line:33": 33,
         "torus:4x4": 16, "torus:5x5": 25, "torus:8x8": 64, "mesh:4x4": 16, "mesh:6x6": 36, "hypercube:4": 16, "hypercube:5": 32,
         "circulant:32:1,6": 32, "nsfnet14-21": 14, "star:9": 9, "star:16": 16, "ocs:8x1": 8, "ocs:16x4": 16, "ron:16": 16}
MESSAGES = [4000, 64000, 1000000, 16000000]
WAVELENGTHS = [1, 2, 4, 8, 16, 64]
CONTAINED = [  # the inner collective, the outer one, and whether its message is that of all nodes together
    ("reduce-scatter", "all-reduce", False), ("reduce", "all-reduce", False), ("broadcast", "all-reduce", False),
    ("broadcast", "all-gather", False), ("gather", "all-gather", False), ("all-gather", "all-reduce", True), ("scatter", "broadcast", True),
    ("scatter", "all-to-all", True), ("gather", "all-to-all", True), ("all-gather", "all-to-all", True)]


def load_bench():
    """The script time.py beside this one; `import time` would find the standard module."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "time.py")
    spec = importlib.util.spec_from_file_location("bench_time", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compare(bench, rwa, setting, limit):
    """Rows (ratio, text, proven) of all pairs on one setting; ratio None: no plan."""
    cost, network, w, message = setting
    plans, rows = {}, []

    def plan(collective, size):
        if (collective, size) not in plans:
            plans[collective, size] = bench.run(rwa, (cost, network, collective, w, "%dB" % size), limit, False)
        return plans[collective, size]

    for inner, outer, together in CONTAINED:
        a, b = plan(inner, message), plan(outer, message * NODES[network] if together else message)
        where = "%s -w %d %d B %s: %s" % (network, w, message, cost, inner)
        if "failed" in a or "failed" in b:
            rows.append((None, "%s, %s: %s" % (where, outer, a.get("failed", b.get("failed"))), False))
        else:
            rows.append((a["time"] / b["time"], "%s %.4g s (%s), %s %.4g s (%s)" %
                         (where, a["time"], a["scheme"], outer, b["time"], b["scheme"]), a["bound"] > b["time"]))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rwa")
    parser.add_argument("--settings", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60, help="seconds of CPU for a plan")
    asked = parser.parse_args()
    bench, rng = load_bench(), random.Random(asked.seed)
    settings = [(rng.choice(list(bench.COSTS)), rng.choice(list(NODES)), rng.choice(WAVELENGTHS), rng.choice(MESSAGES))
                for _ in range(asked.settings)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = [r for rows in pool.map(lambda s: compare(bench, asked.rwa, s, asked.limit), settings) for r in rows]
    slower = sorted((r for r in rows if r[0] and r[0] > 1.001), reverse=True)
    for ratio, text, proven in slower:
        if not proven:
            print("%.3f %s" % (ratio, text))
    for ratio, text, _ in rows:
        if ratio is None:
            print("no plan: " + text)
    proven = sum(r[2] for r in slower)
    print("%d of %d slower than what contains them; %d more proven to be" % (len(slower) - proven, len(rows), proven))


if __name__ == "__main__":
    main()
