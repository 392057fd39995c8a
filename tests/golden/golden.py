#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden table: what plans and bounds were, setting by setting, so that a change shows what it improves or loses.

Usage: golden.py compare RWA [--every K [--offset I]] [--most N]
       golden.py record RWA

plans.csv has a row for each setting (the options of `rwa plan`), bounds.csv for each setting of `rwa bounds`.
A new setting is a line that holds nothing but its options; `record` fills in the rest.
A row of plans.csv is protected if its plan is proven optimal on a ring, line, torus or mesh of up to 64 nodes by usual
options, or is by a scheme of the literature or a wavefront: no such row may get worse.  The other plans may take up to
1.5 times as long each, and 1.03 times on average; how many are slower is printed.  exceptions.csv names meant losses:
table, setting, reason.  Processor time and memory depend on the machine: tests/bench/compare_builds.py compares them
with those of another build."""
import csv
import json
import math
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE + "/../bench")
import compare_builds as bench
COLUMNS = {
    "plans": ["setting", "exit", "scheme", "steps", "lightpaths", "bytes", "time_seconds", "bound", "optimal"],
    "bounds": ["setting", "exit", "bounds"],
}
# Of protected rows
USUAL = {"--network", "-w", "--collective", "--scheme"}
PLAIN_SCHEMES = {"wavefront", "optree", "one-stage", "ring", "neighbor-exchange", "wrht", "h-ring",
                 "recursive-doubling", "binary-tree", "tcp", "ron-b1", "ron-b2", "ron-b3", "latency-hiding", "forest"}
# Of the others: the most that one may take, and all on average, times what they took
SLOWER_MOST, MEAN_MOST = 1.5, 1.03
CPU_MOST_S = 3600


def run(arguments):
    """Exit code and standard output of one command."""
    return bench.run(arguments, CPU_MOST_S)[:2]


def measure_plan(rwa, setting, folder):
    schedule = os.path.join(folder, "schedule.jsonl")
    if os.path.exists(schedule):
        os.remove(schedule)
    words = setting.split()
    arguments = [rwa, "plan", "-q", "--format", "json", "-o", schedule] + words
    code, text = run(arguments)
    row = {"setting": setting, "exit": code}
    if code == 0:
        plan = json.loads(text)
        bound = plan["bound"]["steps"] if plan["bound"] else 0
        row.update(scheme=plan["scheme"], steps=plan["steps"], lightpaths=plan["lightpaths"],
                   bytes=os.path.getsize(schedule), time_seconds=f"{plan['time_seconds']:.9g}", bound=bound,
                   optimal=int(plan["optimal"]))
    return row


def measure_bounds(rwa, setting, _):
    code, text = run([rwa, "bounds", "-q", "--format", "json"] + setting.split())
    row = {"setting": setting, "exit": code}
    if code == 0:
        row["bounds"] = " ".join(f"{b['name']}={b['value']:.9g}" for b in json.loads(text)["bounds"] if b["holds"])
    return row


MEASURE = {"plans": measure_plan, "bounds": measure_bounds}


def read(name):
    with open(os.path.join(HERE, name + ".csv"), newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def write(name, rows):
    with open(os.path.join(HERE, name + ".csv"), "w", newline="", encoding="utf-8") as stream:
        table = csv.DictWriter(stream, COLUMNS[name], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def nodes_of(network):
    """Nodes of a ring, line, torus or mesh given by its numbers; infinite for others."""
    shape, _, size = network.partition(":")
    lengths = re.findall(r"\d+", size)
    return math.prod(map(int, lengths)) if shape in ("ring", "line", "torus", "mesh") and lengths else math.inf


def is_protected(row):
    words = row["setting"].split()
    options = dict(zip(words[::2], words[1::2]))
    scheme = options.get("--scheme", "")
    if row["exit"] != "0" or set(options) - USUAL:
        return False
    return scheme in PLAIN_SCHEMES or (not scheme and row["optimal"] == "1" and nodes_of(options["--network"]) <= 64)


def difference_of_plans(old, new):
    """(-1 worse, 0 the same, 1 better; why): by time, steps, lightpaths, then what no protected plan loses."""
    if int(old["exit"]) != new["exit"]:
        return (1 if new["exit"] == 0 else -1), f"exit {old['exit']} -> {new['exit']}"
    if new["exit"] != 0:
        return 0, ""
    if not is_protected(old):
        ratio = float(new["time_seconds"]) / float(old["time_seconds"])
        if new["bound"] > new["steps"]:
            return -1, f"bound {new['bound']} above {new['steps']} steps"
        return (1 if ratio < 1 - 1e-6 else -1 if ratio > SLOWER_MOST else 0,
                f"time_seconds {old['time_seconds']} -> {new['time_seconds']} ({old['scheme']} -> {new['scheme']})")
    for name, slack in (("time_seconds", 1e-6), ("steps", 0), ("lightpaths", 0)):
        before, after = float(old[name]), float(new[name])
        if abs(after - before) > slack * before:
            why = f"{name} {old[name]} -> {new[name]} ({old['scheme']} -> {new['scheme']})"
            return (1 if after < before else -1), why
    if new["bound"] < int(old["bound"]):
        return -1, f"bound {old['bound']} -> {new['bound']}"
    if new["optimal"] < int(old["optimal"]):
        return -1, "no longer known to be optimal"
    if new["bytes"] > 1.1 * int(old["bytes"]) + 1000:
        return -1, f"bytes {old['bytes']} -> {new['bytes']}"
    if new["bound"] > new["steps"]:
        return -1, f"bound {new['bound']} above {new['steps']} steps"
    better = new["bound"] > int(old["bound"]) or new["optimal"] > int(old["optimal"])
    return (1, f"bound {old['bound']} -> {new['bound']}, optimal {new['optimal']}") if better else (0, "")


def difference_of_bounds(old, new):
    if int(old["exit"]) != new["exit"]:
        return (1 if new["exit"] == 0 else -1), f"exit {old['exit']} -> {new['exit']}"
    before, after = ({n: float(v) for n, _, v in (pair.partition("=") for pair in (row.get("bounds") or "").split())}
                     for row in (old, new))
    # A bound may give way to one that is at least as high.
    highest = max(after.values(), default=-1)
    lost = [f"{n} {v:g} -> {after.get(n, 'missing')}" for n, v in before.items()
            if after.get(n, highest) < v * (1 - 1e-9)]
    if lost:
        return -1, ", ".join(lost)
    won = [f"{n} {before.get(n, 'new')} -> {v:g}" for n, v in after.items() if v > before.get(n, -1) * (1 + 1e-9)]
    return (1, ", ".join(won)) if won else (0, "")


DIFFERENCE = {"plans": difference_of_plans, "bounds": difference_of_bounds}


def record(rwa, folder):
    for name in ("plans", "bounds"):
        write(name, [MEASURE[name](rwa, row["setting"], folder) for row in read(name)])


def compare_table(name, rwa, options, folder, meant):
    """Print the rows that differ; how many there are, and how many got worse."""
    worse, better, ratios, rows = [], [], [], read(name)[options.offset % options.every::options.every]
    for old in rows:
        new = MEASURE[name](rwa, old["setting"], folder)
        verdict, why = DIFFERENCE[name](old, new)
        if verdict < 0 and (name, old["setting"]) not in meant:
            worse.append(f"WORSE  {name}: {old['setting']}: {why}")
        elif verdict > 0:
            better.append(f"better {name}: {old['setting']}: {why}")
        if name == "plans" and new["exit"] == 0 and old["exit"] == "0":
            ratios.append(float(new["time_seconds"]) / float(old["time_seconds"]))
    for line in worse + better[:options.most]:
        print(line)
    mean = bench.mean(ratios or [1])
    if mean > MEAN_MOST:
        worse.append(f"WORSE  {name}: {mean:.4f} of the time on average")
        print(worse[-1])
    print(f"golden {name}: {len(rows)} settings, {len(worse)} worse, {len(better)} better" +
          (f"; {mean:.4f} of the time on average, {sum(r > 1 + 1e-6 for r in ratios)} slower" if ratios else ""))
    return len(rows), len(worse)




def compare(rwa, options, folder):
    meant = {(row["table"], row["setting"]) for row in read("exceptions")}
    total = worse = 0
    for name in ("plans", "bounds"):
        count, lost = compare_table(name, rwa, options, folder, meant)
        total += count
        worse += lost
    print(f"{total - worse} passed, {worse} failed")
    return 1 if worse else 0


def main():
    options = bench.arguments(__doc__, "action", "rwa", every=1, offset=0, most=40)
    if options.action not in ("compare", "record"):
        sys.exit("%s: expected compare or record" % options.action)
    rwa = os.path.abspath(options.rwa)
    os.chdir(HERE)
    with tempfile.TemporaryDirectory() as folder:
        return compare(rwa, options, folder) if options.action == "compare" else record(rwa, folder)


if __name__ == "__main__":
    sys.exit(main())
