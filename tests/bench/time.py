#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time against its bound over a fixed grid: network x collective x wavelengths x message, scheme auto.

Usage: time.py RWA [--cost paper,circuit] [--only TEXT] [--cells FILE] [--limit SECONDS]
Prints one table of geometric means, shares within 1.25 and worst cells by network and collective, in Markdown.
"""
import argparse
import json
import math
import os
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

NETWORKS = ["ring:16", "ring:64", "ring:256", "ring:1024", "line:16", "line:64", "torus:8x8", "torus:32x32", "mesh:8x8",
            "hypercube:6", "circulant:64:1,8", "nsfnet14-21"]
ONE_HOP = ["star:64", "ocs:64x4"]
COLLECTIVES = ["broadcast", "scatter", "gather", "all-gather", "reduce-scatter", "all-reduce", "all-to-all"]
WAVELENGTHS = [4, 64]
MESSAGES = ["4kB", "64kB", "1MB", "16MB", "256MB"]


def cells(only, costs):
    for cost in costs:
        for network in NETWORKS + ONE_HOP:
            for collective in COLLECTIVES:
                for w in WAVELENGTHS:
                    for message in MESSAGES:
                        cell = (cost, network, collective, w, message)
                        if not only or only in " ".join(map(str, cell)):
                            yield cell


def run(rwa, cell, limit):
    cost, network, collective, w, message = cell
    command = [rwa, "plan", "--network", network, "--collective", collective, "-w", str(w), "--message", message,
               "--cost", cost, "--format", "json"]
    try:
        done = subprocess.run(["/usr/bin/env", "bash", "-c", 'TIMEFORMAT="%U %S"; time "$@"', "-"] + command,
                              capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"cell": cell, "failed": "over %g s" % limit}
    cpu = sum(map(float, done.stderr.strip().splitlines()[-1].split()[:2])) if done.stderr else 0.0
    try:
        plan = json.loads(done.stdout)
    except ValueError:
        return {"cell": cell, "failed": (done.stderr.splitlines() or ["no answer"])[0], "cpu": cpu}
    if done.returncode != 0:
        return {"cell": cell, "failed": plan.get("why") or "exit %d" % done.returncode, "cpu": cpu}
    return {"cell": cell, "time": plan["time_seconds"], "bound": plan["time_bound_seconds"], "cpu": cpu,
            "scheme": plan["scheme"], "steps": plan["steps"]}


def summary(rows):
    good = [r["time"] / r["bound"] for r in rows if "time" in r and r["bound"] > 0]
    if not good:
        return None
    mean = math.exp(sum(map(math.log, good)) / len(good))
    return mean, sum(x <= 1.25 for x in good) / len(good), max(good), len(rows) - len(good)


def show(name, rows, out):
    s = summary(rows)
    if s is None:
        return
    print("| %s | %d | %.2f | %.0f %% | %.2f | %d | %.1f |" %
          (name, len(rows), s[0], 100 * s[1], s[2], s[3], max(r.get("cpu", 0) for r in rows)), file=out)


def table(results, key, title, out):
    groups = defaultdict(list)
    for r in results:
        groups[key(r)].append(r)
    print("\n| %s | cells | geometric mean | within 1.25 | worst | no plan | most CPU (s) |" % title, file=out)
    print("|---|--:|--:|--:|--:|--:|--:|", file=out)
    for name in sorted(groups, key=str):
        show(name, groups[name], out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rwa")
    parser.add_argument("--cost", default="paper")
    parser.add_argument("--only", default="")
    parser.add_argument("--cells", help="write every cell as JSON Lines")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    every = list(cells(asked.only, asked.cost.split(",")))
    results = []
    with ThreadPoolExecutor(asked.jobs) as pool:
        for i, r in enumerate(pool.map(lambda c: run(asked.rwa, c, asked.limit), every)):
            results.append(r)
            if sys.stderr.isatty():
                print("\r%d of %d" % (i + 1, len(every)), end="", file=sys.stderr)
    if asked.cells:
        with open(asked.cells, "w") as out:
            for r in results:
                print(json.dumps(r), file=out)
    listed = [r for r in results if r["cell"][1] not in ONE_HOP]
    out = sys.stdout
    table(results, lambda r: r["cell"][1], "network", out)
    table(listed, lambda r: r["cell"][2], "collective (stars and switches aside)", out)
    table(listed, lambda r: r["cell"][4], "message (stars and switches aside)", out)
    table(listed, lambda r: r["cell"][0], "all (stars and switches aside), cost model", out)
    worst = sorted((r for r in results if "time" in r and r["bound"] > 0), key=lambda r: -r["time"] / r["bound"])[:20]
    print("\n| worst cells | scheme | steps | time (s) | bound (s) | ratio |\n|---|---|--:|--:|--:|--:|", file=out)
    for r in worst:
        print("| %s | %s | %d | %.3g | %.3g | %.2f |" % (" ".join(map(str, r["cell"][1:])), r["scheme"], r["steps"], r["time"],
                                                       r["bound"], r["time"] / r["bound"]), file=out)
    failed = [r for r in results if "failed" in r]
    for r in failed[:40]:
        print("\nno plan: %s: %s" % (" ".join(map(str, r["cell"])), r["failed"]), file=out)
    slow = [r for r in results if r.get("cpu", 0) > 5]
    print("\ncells above 5 s of CPU: %d; no plan: %d" % (len(slow), len(failed)), file=out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
