#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two builds of the command beside each other: time of the plans of `auto`, planning CPU and memory, cell by cell.

Usage: compare_builds.py OLD NEW [--grid time|second|both|unseen] [--seed S] [--every N] [--offset K] [--only TEXT]
                         [--jobs J] [--limit SECONDS] [--repeat R] [--no-check] [--retime] [--save-old FILE]
                         [--save-new FILE]

OLD and NEW are commands, or one and the same command, which plans once, or files that --save-old or --save-new wrote:
these are not planned again.  Each plan is written to a file and checked by the build that made it; with --retime OLD's
plans are checked and timed by NEW, so that a change of the cost models does not count as a change of plans.  CPU is the
least of R runs.  Exit 1: a plan failed its check, or NEW has no plan where OLD had one.
"""
import argparse
import json
import math
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

COLLECTIVES = ["broadcast", "scatter", "gather", "all-gather", "reduce-scatter", "all-reduce", "all-to-all"]
MESSAGES = ["4kB", "64kB", "1MB", "16MB", "256MB"]
UNSEEN = 600    # cells of the grid that is drawn
CPU_FROM_S = 0.02   # below this the start of the program counts more than the plan


def time_grid():
    networks = ["ring:16", "ring:64", "ring:256", "ring:1024", "line:16", "line:64", "torus:8x8", "torus:32x32",
                "mesh:8x8", "hypercube:6", "circulant:64:1,8", "nsfnet14-21", "star:64", "ocs:64x4"]
    for cost, sizes in (("paper", MESSAGES), ("circuit", MESSAGES[::2]), ("overlap", MESSAGES[::2])):
        for network in networks:
            for collective in COLLECTIVES:
                for w in (4, 64):
                    for size in sizes:
                        yield network, (), collective, w, size, cost


def second_grid():
    """Nodes that are not alike, few ports, some members, failed links, and a few networks of odd sizes."""
    networks = [("mesh:5x7", ()), ("fat-tree:4", ()), ("tree:3x3", ()), ("geometric:60:3", ()), ("waxman:60:2", ()),
                ("nobel-eu28-41", ()), ("dragonfly:4:2:2", ()), ("mesh:3x3x3", ()),
                ("ring:64", ("--fail", "cw:20")), ("torus:8x8", ("--fail", "2,5")), ("mesh:8x8", ("--fail", "3-4")),
                ("ring:32", ("--ports", "1")), ("line:40", ("--ports", "2")), ("hypercube:5", ("--ports", "2")),
                ("torus:6x6", ("--members", "0-11,18-29")), ("ring:48", ("--reserve", "0", "--max-hops", "9"))]
    for network, options in networks:
        for collective in COLLECTIVES:
            for w in (2, 16):
                for size in ("4kB", "1MB", "64MB"):
                    for cost in ("paper", "circuit", "overlap"):
                        yield network, options, collective, w, size, cost


def unseen_grid(seed):
    """Networks that are in neither grid, drawn anew for each seed, some with failed links, few ports or members."""
    draw = random.Random(seed)
    number = draw.randint

    def grid(least, most):
        return "x".join(str(number(least, most)) for _ in range(number(2, 3)))

    for _ in range(UNSEEN):
        nodes = number(5, 96)
        network = draw.choice([
            "ring:%d" % nodes, "line:%d" % nodes, "torus:" + grid(3, 7), "mesh:" + grid(2, 6),
            "hypercube:%d" % number(3, 7),
            "circulant:%d:1,%d" % (nodes + 8, number(2, 6)), "tree:%dx%d" % (number(2, 4), number(2, 4)),
            "geometric:%d:%d" % (nodes, number(1, 99)), "waxman:%d:%d" % (nodes, number(1, 99)),
            "regular:%d:4:%d" % (nodes, number(1, 99)), "barabasi-albert:%d:2:%d" % (nodes, number(1, 99)),
            draw.choice(["germany17-26", "usa100-171", "cost239-11-26", "arpanet20-32", "eon19-37", "geant22-36"])])
        options = draw.choice([(), (), (), ("--ports", str(number(1, 3))), ("--max-hops", str(number(4, 9))),
                               ("--members", "0-%d" % (nodes // 9 + 2))])
        yield (network, options, draw.choice(COLLECTIVES), 2 ** number(0, 6), draw.choice(MESSAGES),
               draw.choice(["paper", "circuit", "overlap"]))


def cells_of(o):
    cells = list(unseen_grid(o.seed)) if o.grid == "unseen" else (
        (list(time_grid()) if o.grid != "second" else []) + (list(second_grid()) if o.grid != "time" else []))
    random.Random(1).shuffle(cells)
    return [c for c in cells if not o.only or o.only in name_of(c)][o.offset::o.every]


def name_of(cell):
    network, extra, collective, w, size, cost = cell
    return " ".join([network, *extra, collective, "w=%d" % w, size, cost])


def run(command, limit):
    """Exit code, output, errors, CPU seconds and peak memory in MB of the process itself."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, stdout=out, stderr=err, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1)))
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        said, complained = out.read().decode(), err.read().decode()
        return child.returncode, said, complained, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def costs(cost):
    return ["--cost", cost] + ([] if cost == "paper" else ["--alpha", "1us"])


def judge(answer, rwa, path, cost, limit):
    code, out, err, _, _ = run([rwa, "check", path, "--format", "json"] + costs(cost), limit)
    if code != 0:
        answer["wrong"] = (err.splitlines() or ["exit %d" % code])[0]
        return
    found = json.loads(out)["time_seconds"]
    if found is not None and rwa == answer["by"] and abs(found - answer["time"]) > 1e-9 * found:
        answer["wrong"] = "time %s, the plan says %s" % (found, answer["time"])
    answer["time"] = answer["time"] if found is None else found


def measure(rwa, judging, cell, o):
    network, extra, collective, w, size, cost = cell
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plan.jsonl")
        command = [rwa, "plan", "--network", network, "--collective", collective, "-w", str(w), "--message", size,
                   "--format", "json", "-q", "-o", path] + costs(cost) + list(extra)
        runs = [run(command, o.limit) for _ in range(o.repeat)]
        code, out, err, _, memory = runs[0]
        cpu = min(r[3] for r in runs)
        try:
            found = json.loads(out)
        except ValueError:
            found = {}
        if code == -signal.SIGXCPU or "time_seconds" not in found:
            return {"failed": found.get("why") or (err.splitlines() or ["stopped"])[0], "cpu": cpu, "memory": memory}
        answer = {"time": found["time_seconds"], "bound": found["time_bound_seconds"] or 0, "scheme": found["scheme"],
                  "cpu": cpu, "memory": memory, "steps": found["steps"], "by": rwa,
                  "first": found.get("first_plan_seconds", 0)}
        if not o.no_check:
            judge(answer, judging, path, cost, 4 * o.limit)
        return answer


def load(path):
    """name -> answer of an earlier run; None: it is a command."""
    if not path.endswith(".json"):
        return None
    with open(path) as file:
        return json.load(file)


def save(path, names, answers):
    if path:
        with open(path, "w") as out:
            json.dump(dict(zip(names, answers)), out)


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def report(cost, rows):
    ratio = [n["time"] / a["time"] for _, a, n in rows]
    bounded = [(a, n) for _, a, n in rows if n["bound"] > 0]
    slow = [(a["cpu"], n["cpu"]) for _, a, n in rows if max(a["cpu"], n["cpu"]) > CPU_FROM_S]
    after = [n["time"] / n["bound"] for _, n in bounded]
    print("%-8s %4d cells  new/old %.4f  above 1.1: %d  above 1.5: %d  below 0.9: %d   "
          "time/bound %.3f -> %.3f (worst %.2f)" % (
        cost, len(rows), mean(ratio), sum(r > 1.1 for r in ratio), sum(r > 1.5 for r in ratio),
        sum(r < .9 for r in ratio), mean([a["time"] / n["bound"] for a, n in bounded]), mean(after),
        max(after, default=0)))
    print("         CPU %.2f over %d cells (most %.1f s, sum %.0f -> %.0f s)   peak memory %.0f -> %.0f MB" % (
        mean([n / max(a, 1e-3) for a, n in slow]), len(slow), max(n["cpu"] for *_, n in rows),
        sum(a["cpu"] for _, a, _ in rows), sum(n["cpu"] for *_, n in rows),
        max(a["memory"] for _, a, _ in rows), max(n["memory"] for *_, n in rows)))
    for name, a, n in sorted(rows, key=lambda row: -row[2]["time"] / row[1]["time"])[:6]:
        if n["time"] > 1.001 * a["time"]:
            print("    %.2f  %s: %s -> %s" % (n["time"] / a["time"], name, a["scheme"], n["scheme"]))


def arguments(doc, *places, **usual):
    """What a script is given: a word at each place, and --options with their usual values, whose types they have."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in places:
        parser.add_argument(name)
    for name, value in usual.items():
        kind = {"action": "store_true"} if value is False else {"type": type(value)}
        parser.add_argument("--" + name.replace("_", "-"), default=value, **kind)
    return parser.parse_args()


def parse(doc, *places, **more):
    o = arguments(doc, *places, grid="both", seed=1, every=8, offset=0, only="", jobs=1, limit=30.0, repeat=1,
                  no_check=False, **more)
    if o.grid not in ("time", "second", "both", "unseen"):
        sys.exit("--grid %s: expected time, second, both or unseen" % o.grid)
    return o


def main():
    o = parse(__doc__, "old", "new", retime=False, save_old="", save_new="")
    old, new = load(o.old), load(o.new)
    cells = [c for c in cells_of(o) if (old is None or name_of(c) in old) and (new is None or name_of(c) in new)]
    names = [name_of(c) for c in cells]

    def pair(cell):
        name = name_of(cell)
        a = old[name] if old is not None else measure(o.old, o.new if o.retime else o.old, cell, o)
        return a, a if o.old == o.new else new[name] if new is not None else measure(o.new, o.new, cell, o)

    with ThreadPoolExecutor(o.jobs) as pool:
        pairs = list(pool.map(pair, cells))
    save(o.save_old, names, [a for a, _ in pairs])
    save(o.save_new, names, [n for _, n in pairs])
    rows = [(name, a, n) for name, (a, n) in zip(names, pairs)]
    bad = [(name, n.get("wrong") or n["failed"]) for name, a, n in rows
           if n.get("wrong") or ("failed" in n and "failed" not in a)]
    by_cost = defaultdict(list)
    for name, a, n in rows:
        if "failed" not in a and "failed" not in n:
            by_cost[name.split()[-1]].append((name, a, n))
    for cost, found in sorted(by_cost.items()):
        report(cost, found)
    for name, why in bad:
        print("WRONG or missing: %s: %s" % (name, why))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
