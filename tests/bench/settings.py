# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded random settings of `rwa plan`, each with 1 to 4 options: for relations.py and tests/limits/busy.py."""
import json
import os

import compare_builds as bench

NODES = {"ring:8": 8, "ring:15": 15, "ring:32": 32, "line:9": 9, "line:24": 24, "torus:4x4": 16, "torus:5x6": 30,
         "mesh:3x4": 12, "mesh:6x6": 36, "hypercube:4": 16, "hypercube:5": 32, "circulant:20:1,6": 20,
         "nsfnet14-21": 14, "tree:3x3": 13, "star:9": 9, "star:24": 24, "ocs:16x4": 16, "ron:16": 16}
UNROUTED = ("star", "ocs", "ron")


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
