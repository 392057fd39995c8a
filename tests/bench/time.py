#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time against its bound over a fixed grid: network x collective x wavelengths x message x cost model, scheme auto.

Usage: time.py RWA [--cost paper,circuit,overlap] [--only TEXT] [--every N] [--offset K] [--check] [--cells FILE] [--write FILE.md] [--limit SECONDS]
Prints tables of geometric means, shares within 1.25 and worst cells in Markdown; --write puts them between the marks in a file.
"""
import argparse
import json
import math
import os
import re
import signal
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import compare_builds as builds

NETWORKS = ["ring:16", "ring:64", "ring:256", "ring:1024", "line:16", "line:64", "torus:8x8", "torus:32x32", "mesh:8x8",
            "hypercube:6", "circulant:64:1,8", "nsfnet14-21", "star:64", "ocs:64x4"]
COLLECTIVES = ["broadcast", "scatter", "gather", "all-gather", "reduce-scatter", "all-reduce", "all-to-all"]
WAVELENGTHS = [4, 64]
MESSAGES = ["4kB", "64kB", "1MB", "16MB", "256MB"]
COSTS = {"paper": MESSAGES, "circuit": MESSAGES[::2], "overlap": MESSAGES[::2]}    # the messages of each cost model
DEVICE = os.path.join(os.path.dirname(__file__), "..", "..", "data", "devices", "optree-paper.json")
CPU_MOST, CLOSE = 5.0, 1.25
BEGIN, END = "<!-- time: begin -->", "<!-- time: end -->"


def cells(only, costs):
    for cost in costs:
        for network in NETWORKS:
            for collective in COLLECTIVES:
                for w in WAVELENGTHS:
                    for message in COSTS[cost]:
                        cell = (cost, network, collective, w, message)
                        if not only or only in " ".join(map(str, cell)):
                            yield cell


def family(cell):
    name = cell[1].split(":")[0]
    return "nsfnet" if name.startswith("nsfnet") else name


def start_up():
    """The start-up of a step in the profile of the paper's device."""
    with open(DEVICE) as profile:
        return "%gus" % json.load(profile)["parameters"]["alpha_us"]


def cost_options(cost):
    return ["--cost", cost] + ([] if cost == "paper" else ["--alpha", start_up()])


def run_timed(command, limit):
    """The finished process and its own CPU time; a child's usage is known once it is waited for."""
    return builds.run(command, limit)[:4]


def judge(rwa, cell, schedule, seconds, limit):
    """What the checker says against a schedule file; None: it is valid, and takes as long as the plan says."""
    code, out, err, _ = run_timed([rwa, "check", schedule, "--format", "json"] + cost_options(cell[0]), limit)
    if code != 0:
        return "check: " + (err.splitlines() or ["exit %d" % code])[0]
    found = json.loads(out)["time_seconds"]
    if found is None or abs(found - seconds) > 1e-9 * seconds:
        return "check: time %s, the plan says %s" % (found, seconds)
    return None


def run(rwa, cell, limit, check):
    cost, network, collective, w, message = cell
    answer = {"cell": cell, "cpu": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        schedule = os.path.join(folder, "plan.jsonl")
        command = [rwa, "plan", "--network", network, "--collective", collective, "-w", str(w), "--message", message,
                   "--format", "json"] + cost_options(cost) + (["-o", schedule] if check else [])
        code, out, err, answer["cpu"] = run_timed(command, limit)
        if code == -signal.SIGXCPU:
            answer["failed"] = "stopped after %g s of CPU" % limit
            return answer
        try:
            plan = json.loads(out)
        except ValueError:
            plan = {}
        if code != 0 or "time_seconds" not in plan:
            answer["failed"] = plan.get("why") or (err.splitlines() or ["exit %d after %.0f s" % (code, answer["cpu"])])[0]
            return answer
        answer.update(time=plan["time_seconds"], bound=plan["time_bound_seconds"] or 0, scheme=plan["scheme"], steps=plan["steps"])
        wrong = judge(rwa, cell, schedule, plan["time_seconds"], limit) if check else None
        if wrong:
            answer["failed"] = wrong
    return answer


def ratio(r):
    """Time by its bound; None without a plan or a bound."""
    return r["time"] / r["bound"] if r.get("bound", 0) > 0 and "failed" not in r else None


def figures(rows):
    """Geometric mean, share within CLOSE, worst; None when no row has a ratio."""
    good = [ratio(r) for r in rows if ratio(r) is not None]
    if not good:
        return None
    return math.exp(sum(map(math.log, good)) / len(good)), sum(x <= CLOSE for x in good) / len(good), max(good)


def mean_text(rows):
    found = figures(rows)
    return "-" if found is None else "%.2f" % found[0]


def grouped(results, key):
    groups = defaultdict(list)
    for r in results:
        groups[key(r["cell"])].append(r)
    return groups


def line(name, rows, columns):
    found = figures(rows)
    missing = sum(ratio(r) is None for r in rows)
    middle = " - | - | -" if found is None else "%.2f | %.0f %% | %.2f" % (found[0], 100 * found[1], found[2])
    return "| %s | %d | %s%s | %s | %.1f |" % (name, len(rows), columns, middle, missing or "-", max(r["cpu"] for r in rows))


def totals(results, key, title):
    yield "| %s | cells | geometric mean | within %g | worst | no plan or bound | most CPU (s) |" % (title, CLOSE)
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, rows in grouped(results, key).items():
        yield line(name, rows, "")
    yield ""


def families(results, messages):
    """Family x collective x message: the mean for each message, the rest over all of them."""
    yield "| network, collective | cells | %s | mean | within %g | worst | no plan or bound | most CPU (s) |" % (" | ".join(messages), CLOSE)
    yield "|---|--:|" + "--:|" * (len(messages) + 5)
    for name, rows in grouped(results, lambda c: "%s %s" % (family(c), c[2])).items():
        by_message = grouped(rows, lambda c: c[4])
        yield line(name, rows, "".join("%s | " % mean_text(by_message[m]) for m in messages))
    yield ""


def worst_cells(results, most):
    rows = sorted((r for r in results if ratio(r) is not None), key=lambda r: -ratio(r))[:most]
    yield "| worst cells | scheme | steps | time (s) | bound (s) | ratio |"
    yield "|---|---|--:|--:|--:|--:|"
    for r in rows:
        yield "| %s | %s | %d | %.3g | %.3g | %.2f |" % (" ".join(map(str, r["cell"])), r["scheme"], r["steps"], r["time"], r["bound"],
                                                       ratio(r))
    yield ""


def report(results, checked, every, offset):
    costs = [c for c in COSTS if any(r["cell"][0] == c for r in results)]
    messages = [m for m in MESSAGES if any(r["cell"][4] == m for r in results)]
    slow = [r for r in results if r["cpu"] > CPU_MOST]
    failed = [r for r in results if "failed" in r]
    if every > 1:
        yield "A sample: every %dth cell of the grid%s." % (every, ", from cell %d on" % offset if offset else "")
        yield ""
    yield from totals(results, lambda c: c[0], "cost model")
    yield "%d of %d plans %s. More than %g s of CPU: %d cells." % (len(results) - len(failed), len(results),
        "passed `rwa check`, which finds the same time" if checked else "made", CPU_MOST, len(slow))
    yield ""
    for cost in costs:
        rows = [r for r in results if r["cell"][0] == cost]
        yield "### Cost model %s" % cost
        yield ""
        yield from totals(rows, family, "network")
        yield from totals(rows, lambda c: c[2], "collective")
        yield from families(rows, messages)
        yield from worst_cells(rows, 10)
    for r in failed[:40]:
        yield "No plan: %s: %s" % (" ".join(map(str, r["cell"])), r["failed"])
        yield ""
    for r in sorted(slow, key=lambda r: -r["cpu"])[:20]:
        yield "%.1f s of CPU: %s, %s" % (r["cpu"], " ".join(map(str, r["cell"])), r.get("scheme", "no plan"))
        yield ""


def write_between_marks(path, text):
    with open(path) as document:
        before = document.read()
    pattern = re.escape(BEGIN) + ".*" + re.escape(END)
    if not re.search(pattern, before, re.S):
        sys.exit("time.py: %s: the marks %s and %s are missing" % (path, BEGIN, END))
    with open(path + ".new", "w") as document:
        document.write(re.sub(pattern, lambda _: BEGIN + "\n\n" + text + "\n" + END, before, flags=re.S))
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rwa")
    parser.add_argument("--cost", default=",".join(COSTS))
    parser.add_argument("--only", default="", help="cells whose line has this text")
    parser.add_argument("--every", type=int, default=1, help="only each N-th cell")
    parser.add_argument("--offset", type=int, default=0, help="begin with the cell of this number, from 0")
    parser.add_argument("--check", action="store_true", help="verify each plan and its time with rwa check")
    parser.add_argument("--cells", help="write every cell as JSON Lines")
    parser.add_argument("--write", help="put the tables between the marks of this file")
    parser.add_argument("--limit", type=float, default=60, help="seconds of CPU for a plan or its check")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    every = list(cells(asked.only, asked.cost.split(",")))[asked.offset::asked.every]
    results = []
    with ThreadPoolExecutor(asked.jobs) as pool:
        for i, r in enumerate(pool.map(lambda c: run(asked.rwa, c, asked.limit, asked.check), every)):
            results.append(r)
            if sys.stderr.isatty():
                print("\r%d of %d" % (i + 1, len(every)), end="", file=sys.stderr)
    if asked.cells:
        with open(asked.cells, "w") as out:
            for r in results:
                print(json.dumps(r), file=out)
    text = "\n".join(report(results, asked.check, asked.every, asked.offset))
    if asked.write:
        write_between_marks(asked.write, text)
    else:
        print(text)
    return 1 if any(r.get("failed", "").startswith("check:") for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
