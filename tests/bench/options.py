#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether plans keep to the options of `rwa plan`, on seeded random settings.

Usage: options.py RWA [--settings N] [--seed S] [--limit SECONDS] [--jobs J]

Hops, receivers, blocks of a lightpath, reserved channels, failed links, ports, fibres, members and the number of blocks
are counted from the plan file alone (docs/reference/formats.md).  Prints a line for each fault with the commands that
show it, and exits with 1 if there is one.
"""
import argparse
import json
import os
import random
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import compare_builds as bench

NODES = {"ring:8": 8, "ring:15": 15, "ring:32": 32, "line:9": 9, "line:24": 24, "torus:4x4": 16, "torus:5x6": 30,
         "mesh:3x4": 12, "mesh:6x6": 36, "hypercube:4": 16, "hypercube:5": 32, "circulant:20:1,6": 20,
         "nsfnet14-21": 14, "tree:3x3": 13, "star:9": 9, "star:24": 24, "ocs:16x4": 16, "ron:16": 16}
UNROUTED = ("star", "ocs", "ron")
ROOTED = ("broadcast", "scatter", "gather", "reduce")


def random_options(rng, network, collective):
    """From 1 to 4 options that the kind of network knows."""
    n, kind, both = NODES[network], network.split(":")[0], ("ring", "line")
    values = {"--ports": rng.choice("1234"), "--max-drops": rng.choice("1235"), "--load-factor": rng.choice("1248"),
              "--members": ",".join(map(str, sorted({0} | set(rng.sample(range(1, n), rng.randint(1, n - 2)))))),
              "--blocks": str(n * rng.choice([1, 2, 4]))}
    if kind not in UNROUTED:
        values["--fibers"] = rng.choice("23")
        values["--max-hops"] = str(rng.randint(1, 8))
        link = rng.randrange(n - 1)
        values["--fail"] = rng.choice(["%d", "cw:%d", "ccw:%d"]) % link if kind in both else str(link)
    if kind not in ("ocs", "ron"):
        values["--reserve"] = rng.choice(["0", "1", "0-1"])
    if collective == "all-to-all":
        del values["--blocks"]
    if kind not in both or collective not in ("all-gather", "all-reduce"):
        del values["--max-drops"]
    chosen = rng.sample(sorted(values), rng.randint(1, min(4, len(values))))
    if "--blocks" in chosen and "--members" in chosen:
        chosen.remove("--members")
    if "--max-drops" in chosen and "--load-factor" in chosen:
        chosen.remove("--load-factor")
    return [(name, values[name]) for name in chosen]


def setting(rng):
    network, collective = rng.choice(sorted(NODES)), rng.choice(bench.COLLECTIVES + ["reduce"])
    return {"network": network, "w": rng.choice([3, 4, 8, 16, 64]), "collective": collective,
            "size": rng.choice(bench.MESSAGES[:4]), "cost": rng.choice(["paper", "circuit", "overlap"]),
            "options": random_options(rng, network, collective)}


def command_of(rwa, s):
    options = [word for option in s["options"] for word in option]
    return [rwa, "plan", "--network", s["network"], "-w", str(s["w"]), "--collective", s["collective"],
            "--message", s["size"], *bench.costs(s["cost"]), *options]


def plan(command, limit, path=os.devnull):
    """Seconds, or None, and why there is no plan."""
    code, out, err, _, _ = bench.run(command + ["--format", "json", "-q", "-o", path], limit)
    try:
        found = json.loads(out)
    except ValueError:
        found = {}
    why = found.get("why") or (err.splitlines() or ["exit %d" % code])[0]
    if code == 0:
        return found.get("time_seconds"), ""
    return None, "exit %d: %s" % (code, why) if code not in (1, 2) else why


def lightpaths(header, record):
    """The record's lightpaths, orbits in full: step, nodes on the way or both ends, direction, channel, taps."""
    network = header["network"]
    n, channels = network["nodes"], network.get("fibers", 1) * network["wavelengths"]
    shape = network.get("shape") or ([2] * (n.bit_length() - 1) if network["kind"] == "hypercube" else [n])
    route = record.get("path") or [record["src"], record["dst"]]
    channel, taps = record["fiber"] * network["wavelengths"] + record["wavelength"], record.get("taps", [])
    period = record.get("period") or channels

    def place(node):
        at = []
        for size in reversed(shape):
            at.insert(0, node % size)
            node //= size
        return at

    def moved(node, by):
        answer = 0
        for a, b, size in zip(place(node), place(by), shape):
            answer = answer * size + (a + b) % size
        return answer

    for i in range(record.get("orbit", 1)):
        if network["kind"] == "ring":
            own = (channel + i) % period if "orbit" in record else channel
            yield [(v + i) % n for v in route], own, [(v + i) % n for v in taps]
        elif "orbit" in record:
            first = next(k for k, (a, b) in enumerate(zip(place(record["src"]), place(record["dst"]))) if a != b)
            base = channel // period * period
            own = base + (channel - base + place(i)[first]) % period
            yield [moved(v, i) for v in route], own, [moved(v, i) for v in taps]
        else:
            yield route, channel, taps


def blocks_of(record):
    return len(record["blocks"]) if "blocks" in record else sum(r[1] for r in record["runs"]) if "runs" in record else 1


def links_of(network, record, route):
    """Directed links: ring and line by direction and number, else pairs of nodes."""
    if network["kind"] in ("ring", "line"):
        n, (src, dst) = network["nodes"], (route[0], route[-1])
        cw = record["dir"] == "cw"
        hops = (dst - src if cw else src - dst) % n
        return [("cw", (src + k) % n) if cw else ("ccw", (src - k - 1) % n) for k in range(hops)]
    return list(zip(route, route[1:]))


def failed_links(network, text):
    if network["kind"] in ("ring", "line"):
        direction, _, number = text.rpartition(":")
        return {(d, int(number)) for d in ([direction] if direction else ["cw", "ccw"])}
    return {tuple(network["links"][int(text)])}


def expand(text):
    parts = [part.partition("-") for part in text.split(",")]
    return {k for first, _, last in parts for k in range(int(first), int(last or first) + 1)}


def faults_of(path, asked):
    """The options that the plan does not keep to."""
    with open(path) as file:
        header, found = json.loads(file.readline()), set()
        network = header["network"]
        kind, fibers = network["kind"], int(asked.get("--fibers", network.get("fibers", 1)))
        failed = failed_links(network, asked["--fail"]) if "--fail" in asked else set()
        reserved = expand(asked.get("--reserve", "")) if "--reserve" in asked else set()
        members = expand(asked["--members"]) if "--members" in asked else None
        sent, heard = Counter(), Counter()
        once = set()   # transmissions of a star and circuits of an ocs that are counted
        used = set()
        if "--blocks" in asked and header["blocks"] != int(asked["--blocks"]):
            found.add("--blocks: %d" % header["blocks"])
        if members is not None and set(header.get("members", range(network["nodes"]))) != members:
            found.add("--members: the header names others")
        for record in map(json.loads, file):
            step = record["step"]
            if blocks_of(record) > int(asked.get("--load-factor", "1000000")):
                found.add("--load-factor: %d blocks" % blocks_of(record))
            for route, channel, taps in lightpaths(header, record):
                links = links_of(network, record, route)
                if kind not in UNROUTED and len(links) > int(asked.get("--max-hops", "1000000")):
                    found.add("--max-hops: %d" % len(links))
                if 1 + len(taps) > int(asked.get("--max-drops", "1")):
                    found.add("--max-drops: %d" % (1 + len(taps)))
                if failed & set(links):
                    found.add("--fail: step %d uses the link" % step)
                if channel in reserved:
                    found.add("--reserve: step %d uses channel %d" % (step, channel))
                if kind != "ocs" and channel // network["wavelengths"] >= fibers:
                    found.add("--fibers: step %d" % step)
                if members is not None and not {route[0], route[-1], *taps} <= members:
                    found.add("--members: another node ends a lightpath")
                if kind not in UNROUTED:
                    if any((step, link, channel) in used for link in links):
                        found.add("channel: used twice in step %d" % step)
                    used.update((step, link, channel) for link in links)
                key = {"star": (step, route[0], channel), "ocs": (step, *route, record["fiber"])}.get(kind)
                if key is None or key not in once:
                    sent[step, route[0]] += 1
                if kind != "ocs" or key not in once:
                    for node in [route[-1], *taps]:
                        heard[step, node] += 1
                once.add(key)
    most = max([0, *sent.values(), *heard.values()])
    if "--ports" in asked and most > int(asked["--ports"]):
        found.add("--ports: %d in a step" % most)
    return sorted(found)


def judge(rwa, s, limit):
    """Lines of faults, and whether there is a plan."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plan.jsonl")
        command = command_of(rwa, s)
        time, why = plan(command, limit, path)
        lines = []
        if time is not None:
            words = " ".join(command)
            lines += ["NOT RESPECTED %s: %s" % (what, words) for what in faults_of(path, dict(s["options"]))]
        elif why.startswith("exit"):
            lines.append("STOPPED %s: %s" % (why, " ".join(command)))
        return lines, time is not None


def parse(doc):
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rwa")
    for name, value in (("--settings", 100), ("--seed", 1), ("--limit", 20), ("--jobs", 1)):
        parser.add_argument(name, type=int, default=value)
    return parser.parse_args()


def main():
    o = parse(__doc__)
    rng = random.Random(o.seed)
    settings = [setting(rng) for _ in range(o.settings)]
    faults = planned = 0
    with ThreadPoolExecutor(o.jobs) as pool:
        for lines, has_plan in pool.map(lambda s: judge(o.rwa, s, o.limit), settings):
            planned += has_plan
            faults += len(lines)
            for line in lines:
                print(line, flush=True)
    print("%d settings, %d with a plan, %d faults" % (o.settings, planned, faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
