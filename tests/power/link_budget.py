#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random lightpaths on rings, their link budgets by a ring-by-ring walk straight from the definition in
docs/guide/power.md, against those of `rwa check --lightpath`.  Usage: link_budget.py RWA DEVICES FOLDER"""
import json
import math
import random
import subprocess
import sys

rwa, devices, folder = sys.argv[1:]
NODES, PER_PROFILE, TOLERANCE = 9, 13, 1e-9
PROFILES = ["onoc-typical", "aggressive", "conservative", "teraphy-2021"]
lg = lambda ratio: 10 * math.log10(ratio)
mw = lambda dbm: 10 ** (dbm / 10)


class Step:
    def __init__(self, p, wavelengths, paths):
        self.p, self.W, self.paths = p, wavelengths, paths

    def response(self, gap):
        return 1 / (1 + (2 * gap * self.p["ring_q"] / self.p["grid_base_ghz"]) ** (2 * self.p.get("filter_order", 1)))

    def passed(self, w, r, tuned):
        gap = (r - w) * self.p["spacing_ghz"] + (0 if tuned else self.p["park_offset_ghz"])
        depth = 1 - mw(-self.p["ring_through_er_db"])
        return self.p["ring_pass_db"] - lg(1 - depth * self.response(gap))

    def walk(self, path):
        """Follow a signal once round the ring.  Yields each ring as (kind, node, ring, power before it, loss)."""
        src, dst, way, w = path
        p = self.p
        tuned = {"rx": {(d, v) for _, d, y, v in self.paths if y == way},
                 "tx": {(s, v) for s, _, y, v in self.paths if y == way}}
        dbm = p["laser_dbm"] - p["modulator_loss_db"]
        node, banks = src, [("tx", range(w + 1, self.W))]
        for hop in range(NODES + 1):
            for kind, rings in banks:
                for r in rings:
                    on = (node, r) in tuned[kind]
                    loss = self.passed(w, r, on)
                    yield kind, hop, node, r, on, dbm, loss
                    dbm -= loss
            node = (node + way) % NODES
            dbm -= self.span()
            banks = [("rx", range(self.W)), ("tx", range(self.W) if hop + 1 < NODES else [])]

    def span(self):
        p = self.p
        return (p["waveguide_db_per_cm"] * p["waveguide_cm_per_hop"] + p["fiber_db_per_km"] * p["fiber_km_per_hop"]
                + 2 * p["coupling_db"])

    def budget(self, i):
        p, (src, dst, way, w) = self.p, self.paths[i]
        b = {"parked_rings": 0, "parked_db": 0, "tuned_rings": 0, "tuned_db": 0}
        hops = (dst - src) * way % NODES
        for kind, hop, node, r, on, dbm, loss in self.walk(self.paths[i]):
            if hop == hops and kind == "rx" and r == w:
                b["received_dbm"] = dbm - p["ring_drop_db"]
                break
            b["tuned_rings" if on else "parked_rings"] += 1
            b["tuned_db" if on else "parked_db"] += loss
        er = mw(p["extinction_ratio_db"])
        b["margin_db"] = b["received_dbm"] - p["rx_sensitivity_dbm"] - lg((er + 1) / (er - 1)) - p["margin_db"]
        b["spans_db"] = hops * self.span()
        heard = {}
        for j, other in enumerate(self.paths):
            if j == i or other[2] != way:
                continue
            for kind, hop, node, r, on, dbm, loss in self.walk(other):
                if hop > 0 and kind == "rx" and (node, r) == (dst, w):
                    gap = (w - other[3]) * p["spacing_ghz"]
                    heard[j] = mw(dbm - p["ring_drop_db"]) * self.response(gap)
        snr = mw(b["received_dbm"]) / (sum(heard.values()) + mw(p["other_noise_dbm"]))
        b["snr_db"] = lg(snr)
        b["log10_ber"] = math.log10(0.5) - snr / 4 / math.log(10)
        return b, heard


def random_step(rng, wavelengths):
    paths, used = [], set()
    for _ in range(60):
        path = (rng.randrange(NODES), rng.randrange(NODES), rng.choice((1, -1)), rng.randrange(wavelengths))
        src, dst, way, w = path
        links = {((src + way * h) % NODES, way, w) for h in range((dst - src) * way % NODES)}
        if links and not links & used:
            used |= links
            paths.append(path)
    return paths


def write(name, wavelengths, steps):
    head = {"format": "rwa-schedule", "version": 1, "collective": "all-gather", "blocks": NODES, "block_bytes": 8,
            "steps": len(steps), "scheme": "random",
            "network": {"kind": "ring", "nodes": NODES, "fibers": 1, "wavelengths": wavelengths}}
    with open(name, "w") as out:
        print(json.dumps(head), file=out)
        for number, step in enumerate(steps, 1):
            for src, dst, way, w in step.paths:
                print(json.dumps({"step": number, "src": src, "dst": dst, "dir": "cw" if way > 0 else "ccw",
                                  "fiber": 0, "wavelength": w, "block": src}), file=out)


def near(what, ours, theirs):
    assert abs(ours - theirs) <= TOLERANCE * max(1, abs(ours)), f"{what}: {ours} here, {theirs} by rwa"


def compare(step, index, first, theirs):
    ours, heard = step.budget(index)
    for key, value in ours.items():
        near(key, value, theirs[key])
    losses = sum(theirs[k] for k in ("modulator_db", "parked_db", "tuned_db", "spans_db", "share_db", "drop_db"))
    near("sum", theirs["laser_dbm"] - losses, theirs["received_dbm"])
    loudest = sorted(heard, key=lambda j: -heard[j])[:len(theirs["crosstalk"])]
    assert len(theirs["crosstalk"]) == min(8, theirs["aggressors"]) and theirs["aggressors"] <= len(heard)
    for j, other in zip(loudest, theirs["crosstalk"]):
        near("crosstalk", lg(heard[j]), other["dbm"])
        near("aggressor", lg(heard[other["lightpath"] - first]), other["dbm"])


rng, compared = random.Random(20), 0
for profile in PROFILES:
    with open(f"{devices}/{profile}.json") as file:
        parameters = json.load(file)["parameters"]
    wavelengths = int(parameters["wavelengths"])
    steps = [Step(parameters, wavelengths, random_step(rng, wavelengths)) for _ in range(2)]
    firsts = [0, len(steps[0].paths)]
    write(f"{folder}/{profile}.jsonl", wavelengths, steps)
    for _ in range(PER_PROFILE):
        at = rng.randrange(2)
        index = rng.randrange(len(steps[at].paths))
        command = [rwa, "check", f"{folder}/{profile}.jsonl", "--device", profile, "--format", "json",
                   "--lightpath", str(firsts[at] + index)]
        answer = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)["link_budget"]
        assert (answer["src"], answer["dst"], answer["step"]) == (*steps[at].paths[index][:2], at + 1)
        compare(steps[at], index, firsts[at], answer)
        compared += 1
print(f"{compared} link budgets agree")
