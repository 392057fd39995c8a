#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random commands under --time-limit: none takes more processor time than the limit, 10 % of it and 0.2 s.

usage: limits.py RWA [--count N] [--seed S] [--small] [--stop] [--verbose]

All commands with a --time-limit: plan, its --repair, compare, explain, sweep (a limit for each row), check, import,
assign, place and circuits.  Every fourth plan is made a second time with a longer limit, and must then not be slower.
--small: inputs and limits for a run of seconds.  Processor time and not the clock is measured, as other programs may
run beside; SLACK_S covers sanitizers and slow machines.  --stop: each command is stopped 3 to 300 ms after its start,
by SIGINT or by its --time-limit, and only its end counts: an exit code of 0 to 3, soon after, and no signal.  Exit 1
when a command takes longer, is killed by a signal, fails otherwise than by its contract, or prints a plan that did not
pass its check.
"""
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, sys.path[0] + "/../bench")
import compare_builds as bench

SLACK_S = {False: 0.1, True: 0.4}  # with --small, in every test run, a busy machine is no failure
# A command that goes on for so long after SIGINT does not poll; the first relaxation of an integer program takes 10 s.
STOPPED_S = 30
ROUNDING = 1e-9
CPU_MOST_S = 3600
NETWORKS = ("ring:16", "ring:64", "ring:256", "ring:1024", "ring:1048576", "ring:16777216", "line:64", "line:256",
            "torus:8x8", "torus:16x16", "torus:4x4x4", "torus:8x8x8", "mesh:8x8", "mesh:16x16", "hypercube:6",
            "hypercube:8", "hypercube:9", "circulant:128:1,8", "fat-tree:6", "tree:3x4", "tree:2x3", "nsfnet14-21",
            "waxman:100:3", "regular:200:4:1", "star:16", "star:64", "ron:16", "ocs:16x4", "ocs:64x4")
GRAPHS = ("nsfnet14-21", "conus75-99", "waxman:100:3", "waxman:300:1", "geometric:100:7", "regular:200:4:1",
          "mesh:12x12", "torus:8x8", "torus:12x12", "ring:64", "ring:300", "fat-tree:6", "hypercube:7",
          "barabasi-albert:100:2:7")
COLLECTIVES = ("all-gather", "all-reduce", "reduce-scatter", "broadcast", "scatter", "gather", "all-to-all", "reduce")
DEVICES = ("onoc-typical", "aggressive", "conservative")
SOLVERS = ("auto", "exact", "first-fit", "best-fit", "most-used", "random", "longest-first", "dsatur", "ilp")


# ---- inputs ----

def write_traffic(path, rng, nodes, flows):
    with open(path, "w", encoding="utf-8") as to:
        to.write("src,dst,bytes\n")
        for _ in range(flows):
            src, dst = rng.sample(range(nodes), 2)
            to.write("%d,%d,%d\n" % (src, dst, rng.randrange(1, 10 ** 9)))


def write_tasks(path, rng, tasks):
    """Layers of 8 tasks, each fed by three of the layer before."""
    nodes = [{"name": "t%d" % i, "duration": rng.random() * 1e-3, "memory": 1e6} for i in range(tasks)]
    edges = [["t%d" % rng.randrange((i // 8 - 1) * 8, i // 8 * 8), "t%d" % i, rng.randrange(1, 10 ** 7)]
             for i in range(8, tasks) for _ in range(3)]
    pairs = {(a, b): [a, b, w] for a, b, w in edges}
    with open(path, "w", encoding="utf-8") as to:
        json.dump({"tasks": nodes, "edges": list(pairs.values())}, to)


def make_inputs(rwa, folder, rng, small):
    """Files by command: plans for check and import, traffic for circuits, tasks for place."""
    names = {"plan": [], "csv": [], "traffic": [], "tasks": []}
    sources = [("ring:64", "4"), ("torus:8x8", "2")]
    if not small:
        sources = [("ring:1024", "64"), ("torus:16x16", "4"), ("hypercube:9", "8")]
    for number, (network, wavelengths) in enumerate(sources):
        plan, table = (os.path.join(folder, "%d.%s" % (number, end)) for end in ("jsonl", "csv"))
        subprocess.run([rwa, "plan", "--network", network, "-w", wavelengths, "--load-factor", "1", "-q", "-o", plan],
                       check=True, capture_output=True)
        subprocess.run([rwa, "export", plan, "--to", "csv", "-q", "-o", table], check=True, capture_output=True)
        names["plan"].append(plan)
        names["csv"].append(table)
    for nodes in (8, 16, 64):
        names["traffic"].append((nodes, os.path.join(folder, "traffic%d.csv" % nodes)))
        write_traffic(names["traffic"][-1][1], rng, nodes, 6 * nodes)
    for tasks in (16, 64) if small else (16, 64, 512):
        names["tasks"].append(os.path.join(folder, "tasks%d.json" % tasks))
        write_tasks(names["tasks"][-1], rng, tasks)
    return names


# ---- commands ----

def some(rng, share, *options):
    return list(options) if rng.random() < share else []


def draw_planning(rng, small):
    networks = [n for n in NETWORKS if not small or n not in ("ring:1024", "hypercube:9", "torus:8x8x8")]
    options = ["--network", rng.choice(networks), "-w", str(rng.choice((1, 2, 4, 16, 64)))]
    options += ["--collective", rng.choice(COLLECTIVES)]
    options += some(rng, 0.2, "--ports", str(rng.choice((1, 2, 4))))
    options += some(rng, 0.2, "--max-hops", str(rng.choice((1, 2, 5))))
    options += some(rng, 0.2, "--cost", rng.choice(("circuit", "overlap")))
    options += some(rng, 0.2, "--message", rng.choice(("4kB", "1MB", "256MB")))
    return options + some(rng, 0.1, "--device", rng.choice(DEVICES))


def draw_sweep(rng, _):
    network = rng.choice(("torus:8x8", "ring", "line", "mesh:6x6", "hypercube:6", "nsfnet14-21"))
    options = ["--network", network] + (["--nodes", "32,64"] if network in ("ring", "line") else [])
    options += ["-w", rng.choice(("4", "2,8", "1..4")), "--threads", "1"]
    return options + ["--collective", rng.choice(("all-gather", "all-reduce", "all-gather,broadcast"))]


def draw_assign(rng, small):
    options = ["--network", rng.choice([g for g in GRAPHS if not small or ":300" not in g])]
    options += some(rng, 0.4, "--demands", "random:%d" % rng.choice((50, 1000) if small else (50, 1000, 30000)))
    options += some(rng, 0.4, rng.choice(("-w", "--slots")), str(rng.choice((8, 40, 96, 320))))
    options += some(rng, 0.5, "--solver", rng.choice(SOLVERS))
    if "-w" in options or "--slots" in options:
        options += some(rng, 0.3, "--objective", rng.choice(("demands", "traffic")))
    options += some(rng, 0.3, "--width", str(rng.choice((2, 4)))) if "--slots" in options else []
    options += some(rng, 0.2, "--protection")
    return options + some(rng, 0.2, "--model", rng.choice(("directed", "undirected")))


def draw_circuits(rng, inputs):
    nodes, path = rng.choice(inputs["traffic"])
    if rng.random() < 0.5:
        options = ["--network", "ocs:%dx%d" % (nodes, rng.choice((4, 8))),
                   "--method", rng.choice(("auto", "exact", "ilp"))]
        options += some(rng, 0.3, "--episodes", rng.choice(("auto", "2")))
    else:
        options = ["--network", "ring:%d" % nodes, "-w", str(rng.choice((4, 16, 64))),
                   "--method", rng.choice(("auto", "flow", "ilp"))]
    return [path] + options


def draw_place(rng, inputs):
    devices = rng.choice((4, 8, 16))
    options = [rng.choice(inputs["tasks"]), "--devices", str(devices)] + some(rng, 0.3, "--degree", "3")
    network = rng.choice(("ocs:%dx8" % devices, "ring:%d" % devices))
    return options + ["--network", network] + some(rng, 0.5, "--method", "ilp")


def draw(rng, inputs, small):
    """A random command and its limit."""
    name = rng.choice(("plan", "plan", "plan", "compare", "explain", "sweep", "check", "import", "assign", "assign",
                       "assign", "place", "circuits", "circuits"))
    limit = rng.choice((0.1, 0.3) if small else (0.2, 1, 5))
    draws = {"check": lambda: [rng.choice(inputs["plan"])] + some(rng, 0.5, "--device", rng.choice(DEVICES)),
             "import": lambda: [rng.choice(inputs["csv"])],
             "assign": lambda: draw_assign(rng, small), "sweep": lambda: draw_sweep(rng, small),
             "place": lambda: draw_place(rng, inputs), "circuits": lambda: draw_circuits(rng, inputs)}
    options = draws[name]() if name in draws else draw_planning(rng, small)
    return [name] + options + ["--time-limit", str(limit), "-q"], limit


def draw_repair(rng, inputs):
    return ["--repair", rng.choice(inputs["plan"]), "--fail", str(rng.randrange(16)), "--at-step", "1"]


def draw_stopped(rng, inputs, small):
    """A random command, and whether a signal is to stop it, after so many seconds; else its limit does."""
    delay = 0.003 * 100 ** rng.random()
    name = rng.choice(("repair", "traffic", "bounds", "reproduce", "show", "export",
                       None, None, None, None, None, None))
    draws = {"repair": lambda: ["plan"] + draw_repair(rng, inputs),
             "traffic": lambda: ["traffic", "--network", rng.choice(GRAPHS), "-w", "16", "--load", "60..140"],
             "bounds": lambda: ["bounds"] + draw_planning(rng, small)[:6],
             "reproduce": lambda: ["reproduce", rng.choice(("optree", "wrht", "star", "ron"))],
             "show": lambda: ["show", rng.choice(inputs["plan"])],
             "export": lambda: ["export", rng.choice(inputs["plan"]), "--to", "csv", "-o", "-"]}
    command = draws[name]() + ["-q"] if name else draw(rng, inputs, small)[0][:-3] + ["-q"]
    limited = name in (None, "repair") and rng.random() < 0.5
    return command + (["--time-limit", "%.3f" % delay] if limited else []), not limited, delay


# ---- verdicts ----

def ignores_signals(pid):
    """Whether the process has not taken over SIGINT yet: it would die of it, as any program that just starts."""
    try:
        with open("/proc/%d/status" % pid, encoding="ascii") as status:
            caught = re.search(r"SigCgt:\t([0-9a-f]+)", status.read())
    except OSError:
        return False
    return caught is not None and not int(caught.group(1), 16) >> (signal.SIGINT - 1) & 1


def stop(rwa, command, delay):
    """The exit code of a command that is interrupted after the delay, its errors, and how long it went on."""
    with tempfile.TemporaryFile("w+") as errors:
        with subprocess.Popen([rwa] + command, stdout=subprocess.DEVNULL, stderr=errors) as process:
            time.sleep(delay)
            while ignores_signals(process.pid) and process.poll() is None:
                time.sleep(0.001)
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
        errors.seek(0)
        return process.returncode, errors.read(), time.monotonic() - begin


def fault_of_stopped(rwa, command, interrupted, delay):
    after = 0
    if interrupted:
        code, errors, after = stop(rwa, command, delay)
    else:
        code, _, errors, _, _ = run(rwa, command)
    refused = code == 4 and "would need about" in errors
    if code not in (0, 1, 2, 3) and not refused or "Sanitizer" in errors or "runtime error" in errors:
        return "exit %d: %s" % (code, errors.strip())
    if errors.count("\n") > 1:
        return "more than one line: %s" % errors
    return "went on for %.1f s" % after if after > STOPPED_S else None


def try_stopped(rwa, rng, inputs, count, small, verbose):
    """How many random commands do not end as they should when they are stopped."""
    faults = 0
    for _ in range(count):
        command, interrupted, delay = draw_stopped(rng, inputs, small)
        fault = fault_of_stopped(rwa, command, interrupted, delay)
        faults += fault is not None
        if fault or verbose:
            stop = "SIGINT after" if interrupted else "limit"
            print("%s: %s %.0f ms: rwa %s" % (fault or "ok", stop, 1000 * delay, " ".join(command)), flush=True)
    return faults


def run(rwa, command):
    return bench.run([rwa] + command, CPU_MOST_S)


def shares_of(command, out):
    """A sweep has a limit for each row."""
    return max(1, len(out.splitlines()) - 1) if command[0] == "sweep" else 1


def fault_of(command, limit, answer, slack):
    code, out, errors, seconds, _ = answer
    misused = code == 2 and re.search("unexpected '|no network|see rwa", errors)
    refused = code == 4 and "would need about" in errors    # memory, before any work
    if code not in (0, 1, 2, 3) and not refused or misused:
        return "exit %d: %s" % (code, errors.strip())
    if seconds > shares_of(command, out) * (1.1 * limit + 0.2) + slack:
        return "took %.2f s" % seconds
    if command[0] == "plan" and code == 0 and "Check             ok" not in out:
        return "printed a plan that did not pass its check"
    return None


def time_of(rwa, command, limit):
    """The time of the plan by a limit; infinite where there is none."""
    given = command[:command.index("--time-limit")] + ["--time-limit", str(limit), "-q", "--format", "json"]
    code, out, *_ = run(rwa, given)
    return json.loads(out)["time_seconds"] if code == 0 else float("inf")


def is_slower(rwa, command, limit):
    """Whether a plan by five times the limit is slower than by the limit.  The clock decides what a limit leaves time
    for: a second answer by the shorter limit excuses a machine that was busy."""
    short = time_of(rwa, command, limit)
    return (time_of(rwa, command, 5 * limit) > short * (1 + ROUNDING) and
            time_of(rwa, command, 5 * limit) > short * (1 + ROUNDING))


def main():
    args = bench.arguments(__doc__, "rwa", count=200, seed=1, small=False, stop=False, verbose=False)
    rng = random.Random(args.seed)
    faults = plans = 0
    with tempfile.TemporaryDirectory() as folder:
        inputs = make_inputs(args.rwa, folder, rng, args.small)
        if args.stop:
            faults = try_stopped(args.rwa, rng, inputs, args.count, args.small, args.verbose)
        for _ in range(0 if args.stop else args.count):
            command, limit = draw(rng, inputs, args.small)
            answer = run(args.rwa, command)
            fault = fault_of(command, limit, answer, SLACK_S[args.small])
            if command[0] == "plan" and not fault and answer[0] == 0:
                plans += 1
                if plans % 4 == 0 and is_slower(args.rwa, command, limit):
                    fault = "a longer limit gives a slower plan"
            faults += fault is not None
            if fault or args.verbose:
                print("%s: exit %d, %.2f s: rwa %s" % (fault or "ok", answer[0], answer[3], " ".join(command)),
                      flush=True)
    print("%d commands, %d overran or failed" % (args.count, faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
