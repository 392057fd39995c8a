#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Without a time limit a plan depends on the request alone: random settings of tests/bench/settings.py, planned again
and again beside processes that keep every core busy, and by `compare` on one thread and on several.

Usage: busy.py RWA [--settings N] [--runs R] [--seed S]
The files of all runs must have the same bytes.  Prints a line for each fault with its command, and exits with 1 if
there is one.
"""
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../bench")
import settings


def spin():
    while True:
        pass


def output_of(command, folder):
    path = os.path.join(folder, "plan.jsonl")
    if os.path.exists(path):
        os.remove(path)
    code = subprocess.run(command + ["-q", "-o", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode
    if not os.path.exists(path):
        return code, b""
    with open(path, "rb") as file:
        return code, file.read()


def table_of(command, threads):
    words = [command[0], "compare"] + command[2:] + ["--format", "csv", "-q", "--threads", str(threads)]
    return subprocess.run(words, capture_output=True, check=False).stdout


def main():
    o = settings.bench.arguments(__doc__, "rwa", settings=20, runs=3, seed=1)
    rng = random.Random(o.seed)
    busy = [multiprocessing.Process(target=spin, daemon=True) for _ in range(2 * os.cpu_count())]
    for process in busy:
        process.start()
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for i in range(o.settings):
            command = settings.command_of(o.rwa, settings.setting(rng))
            answers = {output_of(command, folder) for _ in range(o.runs)}
            if len(answers) > 1:
                faults += 1
                print("DIFFERS:", " ".join(command), flush=True)
            if i % 5 == 0 and table_of(command, 1) != table_of(command, 2):
                faults += 1
                print("DIFFERS WITH THREADS:", " ".join(command), flush=True)
    for process in busy:
        process.terminate()
    print("%d settings, %d runs each, %d faults" % (o.settings, o.runs, faults))
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
