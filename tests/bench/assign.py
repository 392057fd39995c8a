#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two builds of `rwa assign` over known, random and regular networks: none may need more, prove less or serve fewer.

Usage: assign.py OLD NEW [--every N] [--offset K] [--only TEXT] [--limit SECONDS]

Each solver on 22 known networks, 20 random and some regular ones, and `auto` with several models, limits, widths,
backups and converters.  Prints a line for each setting that came out worse, then the settings with another answer of
the same worth, and the geometric mean of the processor seconds, new to old.  Exits with 1 if one is worse.  Searches
that the clock ended find what the machine has time for: they are named, and counted apart.
"""
import json
import os
import sys

import compare_builds as bench

KNOWN = sorted(name[:-5] for name in os.listdir(os.path.join(os.path.dirname(__file__), "../../data/networks")))
RANDOM = ["%s:%d:%s%d" % (kind, 8 + 2 * i, "3:" if kind == "barabasi-albert" else "4:" if kind == "regular" else "", i)
          for i, kind in enumerate(["waxman", "geometric", "barabasi-albert", "regular"] * 5)]
REGULAR = ["ring:9", "ring:16", "line:12", "torus:4x4", "torus:5x5", "torus:4x6", "torus:5x6", "torus:5x7",
           "torus:3x3x3", "mesh:4x5", "mesh:6x6", "hypercube:4", "circulant:15:1,4", "tree:2x3", "fat-tree:4"]
LARGE = ["waxman:120:1", "mesh:12x12", "mesh:11x11", "geometric:130:2", "ring:200", "line:150", "torus:12x12"]
GREEDY = ("first-fit best-fit last-fit most-used least-used random longest-first largest-degree-first dsatur "
          "least-fragmentation").split()
VARIANTS = ["", "--solver exact", "--model undirected", "--protection", "-w 4 --objective demands", "-w 5",
            "--width 3 --guard 1", "--slots 16 --width 2 --objective traffic", "--routing min-load",
            "--routing k-shortest", "--converters 1,3", "--max-hops 4", "--fibers 2", "--avoid 2",
            "--demands random:40", "--demands random:12 --solver exact", "--demands random:9 --width 2",
            "--demands random:8 --solver ilp", "--device ssmf --slots 320 --demands random:60"]
# Of the limit: half of it is for all lightpaths where wavelengths are given, less what the answer is left.
CLOCK_SHARE = 0.4
LEAST_S = 0.005     # shorter runs measure the start of a process
CPU_MOST_S = 3600


def settings():
    for network in KNOWN + RANDOM + REGULAR:
        for variant in VARIANTS + ["--solver " + name for name in GREEDY]:
            yield network, variant
    for network in LARGE:
        for variant in ["", "--model undirected", "-w 30", "--solver first-fit", "--solver longest-first"]:
            yield network, variant


def run(rwa, network, variant, limit):
    _, out, err, cpu, _ = bench.run([rwa, "assign", "-q", "--network", network, "--time-limit", str(limit), "--format",
                                     "json", *variant.split()], CPU_MOST_S)
    return json.loads(out) if out.startswith("{") else {"refused": err.strip()}, cpu


def worth(answer):
    """What counts, larger is better; a bound on what is served is better when it is lower."""
    bound = answer.get("bound") or {}
    return {"plan": "refused" not in answer, "routed": answer.get("routed", 0),
            "wavelengths": -answer.get("wavelengths", 0),
            "outcome": answer.get("outcome") in ("optimal", "infeasible"), "checked": answer.get("check", "ok") == "ok",
            "bound": bound.get("value") or 0}


def judge(old, new, variant):
    a, b = worth(old), worth(new)
    if "objective" in variant:
        a["bound"], b["bound"] = -a["bound"], -b["bound"]
    if a["routed"] < b["routed"]:
        a["wavelengths"] = b["wavelengths"]
    return ["%s %s -> %s" % (key, abs(a[key]), abs(b[key])) for key in a if b[key] < a[key]]


def main():
    o = bench.arguments(__doc__, "old", "new", every=1, offset=0, only="", limit=3.0)
    chosen = [s for s in settings() if o.only in " ".join(s)][o.offset::o.every]
    worse, by_clock, other, ratios, total = 0, [], [], [], [0.0, 0.0]
    for network, variant in chosen:
        (old, old_s), (new, new_s) = (run(rwa, network, variant, o.limit) for rwa in (o.old, o.new))
        lost = judge(old, new, variant)
        late = max(answer.get("seconds", 0) for answer in (old, new)) > CLOCK_SHARE * o.limit
        if lost:
            what = "worse, by the clock" if late else "worse"
            print("%s: %s %s: %s" % (what, network, variant, "; ".join(lost)), flush=True)
        if late:
            by_clock.append((sum(worth(new).values()) > sum(worth(old).values())) - bool(lost))
            continue
        worse += bool(lost)
        if any(old.get(key) != new.get(key) for key in old if key != "seconds"):
            other.append("%s %s" % (network, variant))
        ratios.append(max(new_s, LEAST_S) / max(old_s, LEAST_S))
        total = [total[0] + old_s, total[1] + new_s]
    print("another answer:", "; ".join(other) or "none")
    print("%d settings, %d worse, processor seconds new/old %.3f (sum %.1f -> %.1f s); "
          "%d ended by the clock, %d of them better and %d worse"
          % (len(ratios), worse, bench.mean(ratios), *total,
             len(by_clock), by_clock.count(1), by_clock.count(-1)))
    return worse > 0


if __name__ == "__main__":
    sys.exit(main())
