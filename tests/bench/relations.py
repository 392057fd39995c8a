#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of `auto` that are slower than those of a tighter setting, or than those of the same network by another name.

Usage: relations.py RWA [--settings N] [--seed S] [--limit SECONDS] [--jobs J]

More wavelengths, fibres, ports or hops, fewer members and half the message must not be slower by more than 2 %; another name or the mirrored root of
a line must give the same time.  Prints a line for each fault with both commands, and exits with 1 if there is one.
"""
import argparse
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import compare_builds as bench
import options

SAME = [("hypercube:3", "torus:4x2"), ("hypercube:3", "torus:2x2x2"), ("hypercube:3", "mesh:2x2x2"), ("ring:16", "circulant:16:1"),
        ("hypercube:4", "torus:4x4"), ("torus:5x6", "torus:6x5"), ("mesh:3x4", "mesh:4x3"), ("line:12", "mesh:12"), ("ring:24", "torus:24")]
NETWORKS = [n for n in sorted(options.NODES) if n.split(":")[0] not in options.UNROUTED]
SYMMETRIC = ["all-gather", "reduce-scatter", "all-reduce", "all-to-all"]


def base(rng, network, collective):
    return {"network": network, "w": rng.choice([2, 3, 4, 8, 16]), "collective": collective, "size": rng.choice(bench.MESSAGES[:4]),
            "cost": rng.choice(["paper", "circuit", "overlap"]), "options": []}


def relation(rng):
    """What it says, two settings, and how much slower than the first the second may be; `both`: nor the first than the second."""
    kind = rng.choice(["wavelengths", "--fibers", "--ports", "--max-hops", "--members", "half", "name", "root"])
    if kind == "name":
        names = rng.choice(SAME)
        a = base(rng, names[0], rng.choice(SYMMETRIC))
        return kind, a, dict(a, network=names[1]), True
    if kind == "root":
        n, collective = rng.randint(4, 30), rng.choice(options.ROOTED)
        root = rng.randrange(n // 2)
        a = base(rng, "line:%d" % n, collective)
        return kind, dict(a, options=[("--root", str(root))]), dict(a, options=[("--root", str(n - 1 - root))]), True
    a = base(rng, rng.choice(NETWORKS), rng.choice(bench.COLLECTIVES + ["reduce"]))
    if kind == "wavelengths":
        return kind, a, dict(a, w=a["w"] + rng.choice([1, 2, a["w"]])), False
    if kind == "half":
        return kind, a, dict(a, size={"4kB": "2kB", "64kB": "32kB", "1MB": "500kB", "16MB": "8MB"}[a["size"]]), False
    if kind == "--members":
        more = rng.sample(range(1, options.NODES[a["network"]]), rng.randint(3, 6))
        return (kind, *(dict(a, options=[(kind, ",".join(map(str, sorted([0, *some]))))]) for some in (more, more[1:])), False)
    value = rng.randint(1, 4)
    return kind, dict(a, options=[(kind, str(value))]), dict(a, options=[(kind, str(value + 1))]), False


def judge(rwa, found, limit):
    kind, a, b, both = found
    commands = [options.command_of(rwa, s) for s in (a, b)]
    (before, _), (after, why) = (options.plan(c, limit) for c in commands)
    if before is None or (after is None and both):
        return None
    ratio = after / before if after else float("inf")
    worst = max(ratio, 1 / ratio) if both else ratio
    if worst <= (1.001 if both else 1.02):
        return ""
    return "%s %.3f%s: %s   %s" % (kind, ratio, "" if after else " (%s)" % why, *map(" ".join, commands))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rwa")
    for name, value in (("--settings", 100), ("--seed", 1), ("--limit", 20), ("--jobs", 1)):
        parser.add_argument(name, type=int, default=value)
    o = parser.parse_args()
    rng = random.Random(o.seed)
    relations = [relation(rng) for _ in range(o.settings)]
    with ThreadPoolExecutor(o.jobs) as pool:
        lines = list(pool.map(lambda r: judge(o.rwa, r, o.limit), relations))
    faults = [line for line in lines if line]
    for line in faults:
        print(line)
    print("%d relations, %d with plans, %d faults" % (len(lines), sum(line is not None for line in lines), len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
