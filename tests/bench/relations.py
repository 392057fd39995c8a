#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of `auto` that are slower than those of a tighter setting.

Usage: relations.py RWA [--settings N] [--seed S] [--limit SECONDS] [--jobs J]

More wavelengths, fibres, ports or hops and half the message must not be slower by more than 2 %, nor fewer members that
need no more (below).  Prints a line for each fault with both commands, and exits with 1 if there is one.
"""
import json
import os
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import compare_builds as bench
import settings

NETWORKS = [n for n in sorted(settings.NODES) if n.split(":")[0] not in settings.UNROUTED]
BYTES = {"4kB": 4000, "64kB": 64000, "1MB": 1000000, "16MB": 16000000}


def base(rng, network, collective):
    return {"network": network, "w": rng.choice([2, 3, 4, 8, 16]), "collective": collective,
            "size": rng.choice(bench.MESSAGES[:4]), "cost": rng.choice(["paper", "circuit", "overlap"]), "options": []}


def nodes_that_pass_on(path):
    """The nodes that receive a block in a step and send it in a later one."""
    got, passing = {}, set()
    with open(path) as file:
        next(file)   # the header
        # Steps never go down; without translations, as members are some of the nodes.
        for record in map(json.loads, file):
            runs = [r[0] + i * r[2] for r in record.get("runs", []) for i in range(r[1])]
            numbers = record.get("blocks") or runs or [record["block"]]
            ends = [record["dst"], *record.get("taps", [])]
            for block in numbers:
                if got.get((record["src"], block), record["step"]) < record["step"]:
                    passing.add(record["src"])
                for node in ends:
                    got.setdefault((node, block), record["step"])
    return passing


def fewer_members(rng, rwa, limit, a):
    """The setting without a member that a's plan needs for nothing, or None.

    Members pass blocks on, and other nodes may not, so that fewer members can take longer: only a member that forwards
    nothing may go.  Without it the same plan, less the lightpaths that end there or begin there, serves the others: its
    contributions are zero, its blocks nobody's.  All blocks keep their size if a block that is for each member
    (all-to-all), or sums of one (reduce-scatter), is a share of a message that shrinks with the members: of message m
    and k members it has ceil(m / (k p)) bytes in p parts, and with floor(m (k - 1) / k) and k - 1 members no more.
    In the other collectives it does not depend on k.
    """
    members = a["options"][0][1].split(",")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plan.jsonl")
        if settings.plan(settings.command_of(rwa, a), limit, path)[0] is None:
            return None
        idle = [v for v in members[1:] if int(v) not in nodes_that_pass_on(path)]
    if not idle:
        return None
    gone, k, shares = rng.choice(idle), len(members), a["collective"] in ("all-to-all", "reduce-scatter")
    size = str(BYTES[a["size"]] * (k - 1) // k) if shares else a["size"]
    return dict(a, size=size, options=[("--members", ",".join(v for v in members if v != gone))])


def relation(rng):
    """What it says, and two settings of which the second must not be slower."""
    kind = rng.choice(["wavelengths", "--fibers", "--ports", "--max-hops", "--members", "half"])
    a = base(rng, rng.choice(NETWORKS), rng.choice(bench.COLLECTIVES + ["reduce"]))
    if kind == "wavelengths":
        return kind, a, dict(a, w=a["w"] + rng.choice([1, 2, a["w"]]))
    if kind == "half":
        return kind, a, dict(a, size=str(BYTES[a["size"]] // 2))
    if kind == "--members":
        chosen = rng.sample(range(1, settings.NODES[a["network"]]), rng.randint(3, 6))
        return kind, dict(a, options=[(kind, ",".join(map(str, sorted([0, *chosen]))))]), rng.random()
    value = rng.randint(1, 4)
    return kind, dict(a, options=[(kind, str(value))]), dict(a, options=[(kind, str(value + 1))])


def judge(rwa, found, limit):
    kind, a, b = found
    if kind == "--members":
        b = fewer_members(random.Random(b), rwa, limit, a)
    if b is None:
        return None
    commands = [settings.command_of(rwa, s) for s in (a, b)]
    (before, _), (after, why) = (settings.plan(c, limit) for c in commands)
    if before is None:
        return None
    ratio = after / before if after else float("inf")
    if ratio <= 1.02:
        return ""
    return "%s %.3f%s: %s   %s" % (kind, ratio, "" if after else " (%s)" % why, *map(" ".join, commands))


def main():
    o = bench.arguments(__doc__, "rwa", settings=100, seed=1, limit=20, jobs=1)
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
