#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random commands under --time-limit: none takes more processor time than the limit, 10 % of it and 0.2 s.

usage: limits.py RWA [--count N] [--seed S] [--verbose]

Processor time and not the clock is measured, as other programs may run beside; SLACK_S covers sanitizers and slow machines.
Exit 1 when a command takes longer, is killed by a signal, or prints a plan that did not pass its check.
"""
import argparse
import random
import resource
import subprocess
import sys

SLACK_S = 0.3
LIMITS = (0.2, 1, 5)
NETWORKS = ("ring:16", "ring:64", "ring:256", "ring:1024", "line:64", "line:256", "torus:8x8", "torus:16x16", "torus:4x4x4",
            "torus:8x8x8", "mesh:8x8", "mesh:16x16", "hypercube:6", "hypercube:8", "hypercube:9", "circulant:128:1,8",
            "fat-tree:6", "tree:3x4", "nsfnet14-21", "star:16", "ron:16")
COLLECTIVES = ("all-gather", "all-reduce", "reduce-scatter", "broadcast", "scatter", "gather", "all-to-all")


def draw(rng):
    """A random command and its limit."""
    limit = rng.choice(LIMITS)
    command = [rng.choice(("plan", "plan", "plan", "compare", "explain"))]
    command += ["--network", rng.choice(NETWORKS), "-w", str(rng.choice((1, 2, 4, 16, 64)))]
    command += ["--collective", rng.choice(COLLECTIVES), "--time-limit", str(limit), "-q"]
    if rng.random() < 0.2:
        command += ["--ports", str(rng.choice((1, 2, 4)))]
    if rng.random() < 0.2:
        command += ["--max-hops", str(rng.choice((1, 2, 5)))]
    return command, limit


def run(rwa, command):
    """The exit code, what was printed, and the processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([rwa] + command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def fault_of(command, limit, done, seconds):
    if done.returncode < 0:
        return "killed by signal %d" % -done.returncode
    if seconds > 1.1 * limit + 0.2 + SLACK_S:
        return "took %.2f s" % seconds
    if command[0] == "plan" and done.returncode == 0 and "Check             ok" not in done.stdout:
        return "printed a plan that did not pass its check"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rwa")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    faults = 0
    for _ in range(args.count):
        command, limit = draw(rng)
        done, seconds = run(args.rwa, command)
        fault = fault_of(command, limit, done, seconds)
        faults += fault is not None
        if fault or args.verbose:
            print("%s: exit %d, %.2f s: rwa %s" % (fault or "ok", done.returncode, seconds, " ".join(command)))
    print("%d commands, %d overran or failed" % (args.count, faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
