#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time against its bound: tables, in Markdown, of the plans that compare_builds.py saved.

Usage: time.py FILE.json [--write FILE.md]
--write puts them between the marks in a file.  Exit 1: a plan failed its check.
"""
import json
import os
import re
import sys
from collections import defaultdict

import compare_builds as builds

COSTS = ["paper", "circuit", "overlap"]
CPU_MOST, CLOSE = 3.0, 1.25
BEGIN, END = "<!-- time: begin -->", "<!-- time: end -->"


def family(cell):
    name = cell[0].split(":")[0]
    return "nsfnet" if name.startswith("nsfnet") else name


def network(cell):
    return " ".join([cell[0], *cell[1]])


def ratio(r):
    """Time by its bound; None without a plan or a bound."""
    return r["time"] / r["bound"] if r.get("bound", 0) > 0 and "failed" not in r else None


def figures(rows):
    """Geometric mean, share within CLOSE, worst; None when no row has a ratio."""
    good = [ratio(r) for r in rows if ratio(r) is not None]
    if not good:
        return None
    return builds.mean(good), sum(x <= CLOSE for x in good) / len(good), max(good)


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
    return "| %s | %d | %s%s | %s | %.1f |" % (name, len(rows), columns, middle, missing or "-",
                                              max(r["cpu"] for r in rows))


def totals(results, key, title):
    yield "| %s | cells | geometric mean | within %g | worst | no plan or bound | most CPU (s) |" % (title, CLOSE)
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, rows in grouped(results, key).items():
        yield line(name, rows, "")
    yield ""


def families(results, messages):
    """Family x collective x message: the mean for each message, the rest over all of them."""
    yield "| network, collective | cells | %s | mean | within %g | worst | no plan or bound | most CPU (s) |" % (
        " | ".join(messages), CLOSE)
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
        yield "| %s | %s | %d | %.3g | %.3g | %.2f |" % (
            builds.name_of(r["cell"]), r["scheme"], r["steps"], r["time"], r["bound"], ratio(r))
    yield ""


def time_tables(results):
    yield from totals(results, lambda c: c[5], "cost model")
    for cost in COSTS:
        rows = [r for r in results if r["cell"][5] == cost]
        messages = [m for m in builds.MESSAGES if any(r["cell"][4] == m for r in rows)]
        if not rows:
            continue
        yield "### Cost model %s" % cost
        yield ""
        yield from totals(rows, family, "network")
        yield from totals(rows, lambda c: c[2], "collective")
        yield from families(rows, messages)
        yield from worst_cells(rows, 10)


def second_tables(results):
    yield "### Nodes that are not alike, few ports, members, failed links"
    yield ""
    for key, title in ((lambda c: c[5], "cost model"), (network, "network"), (lambda c: c[2], "collective")):
        yield from totals(results, key, title)
    yield from worst_cells(results, 10)


def report(results):
    failed = [r for r in results if "failed" in r]
    slow = sorted((r for r in results if r["cpu"] > CPU_MOST), key=lambda r: -r["cpu"])
    grid = {builds.name_of(c) for c in builds.time_grid()}
    yield "%d of %d plans passed `rwa check`, which finds the same time. More than %g s of CPU: %d cells." % (
        len(results) - len(failed), len(results), CPU_MOST, len(slow))
    yield ""
    for tables, here in ((time_tables, True), (second_tables, False)):
        rows = [r for r in results if (builds.name_of(r["cell"]) in grid) == here]
        yield from tables(rows) if rows else ()
    for r in failed[:40]:
        yield "No plan: %s: %s" % (builds.name_of(r["cell"]), r["failed"])
        yield ""
    for r in slow[:20]:
        yield "%.1f s of CPU: %s, %s" % (r["cpu"], builds.name_of(r["cell"]), r.get("scheme", "no plan"))
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


def read(path):
    """The answers with their cells, in the order of the grids."""
    answers = builds.load(path)
    for cell in [*builds.time_grid(), *builds.second_grid()]:
        answer = answers.get(builds.name_of(cell))
        if answer:
            yield {**answer, "cell": cell, **({"failed": answer["wrong"]} if answer.get("wrong") else {})}


def main():
    asked = builds.arguments(__doc__, "answers", write="")
    results = list(read(asked.answers))
    text = "\n".join(report(results))
    if asked.write:
        write_between_marks(asked.write, text)
    else:
        print(text)
    return 1 if any(r.get("wrong") for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
