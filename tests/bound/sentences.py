#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers in the sentences that prove bounds, recomputed from the links, the demands and the routes alone: pairs
over cut links, lengths of routes, cliques, degrees, balls, lattice points.  Nothing is shared with the library.

Usage: sentences.py RWA FOLDER; prints how many sentences of each form agree."""
import collections
import itertools
import json
import math
import re
import subprocess
import sys

RWA, FOLDER = sys.argv[1:]
AGREED = collections.Counter()


def run(*words):
    return subprocess.run([RWA, *words], capture_output=True, text=True, check=False).stdout


def agree(form, facts, proof, about):
    """All facts (pairs of numbers) hold, or the test ends."""
    for said, true in facts:
        if isinstance(said, float) and abs(said - true) < 1e-5 * max(1, abs(true)):
            continue
        if said != true:
            sys.exit(f"{about}: the sentence says {said}, it is {true}: {proof}")
    AGREED[form] += 1


def distances(nodes, arcs, source):
    """Bellman and Ford: arcs [from, to, length]."""
    d = [math.inf] * nodes
    d[source] = 0
    changed = True
    while changed:
        changed = False
        for a, b, length in arcs:
            if d[a] + length < d[b]:
                d[b], changed = d[a] + length, True
    return d


# ---- assignments ----

def crossings(lines, links, both):
    """The links, by number, of each lightpath's path."""
    number = {(a, b): i for i, (a, b) in enumerate(links)}
    if both:
        number.update({(b, a): i for i, (a, b) in enumerate(links)})
    return [{number[hop] for hop in zip(line["path"], line["path"][1:])} for line in lines if line["path"]]


def check_lengths(proof, value, head, lines, lengths, about):
    """Forms that rest on lengths of links: the routes' sum, what a wavelength offers, and the sides of a cut."""
    both, fibers, failed = head["model"] == "undirected", head["network"]["fibers"], head["network"].get("failed", [])
    links, lengths = zip(*(x for i, x in enumerate(zip(head["network"]["links"], lengths)) if i not in failed))
    arcs = [[a, b, k] for (a, b), k in zip(links, lengths)]
    arcs += [[b, a, k] for a, b, k in arcs] if both else []
    nodes, needed, offered = head["network"]["nodes"], 0, fibers * sum(lengths)
    for line in lines:
        needed += distances(nodes, arcs, line["src"])[line["dst"]]
    numbers = re.search(r"offers (\d+): (?:(\d+) / \d+ = )?([\d.]+)(?:, so (\d+))?", proof)
    facts = [(int(numbers[1]), offered), (int(numbers[4] or numbers[3]), -(-needed // offered)),
             (int(numbers[4] or numbers[3]), value)]
    cut = re.match(r"A cut of (\d+) [a-z ]+\((.*)\) separates (\d+) nodes? from the other (\d+): "
                   r"(?:(\d+) x (\d+) = )?(\d+) lightpaths? must cross", proof)
    if cut:
        first = next(i for i, k in enumerate(lengths) if k > 0)
        side = sum(d == 0 for d in distances(nodes, arcs, links[first][0]))
        named = set(re.findall(r"\d+[->]\d+", cut[2]))
        mark = "-" if both else ">"
        facts += [(int(cut[1]), offered), (int(cut[3]), side), (int(cut[4]), nodes - side), (int(cut[7]), needed),
                  (named <= {f"{a}{mark}{b}" for (a, b), k in zip(links, lengths) if k > 0}, True)]
        if cut[5]:
            facts += [(int(cut[5]) * int(cut[6]), needed), (int(cut[5]), side)]
        return agree("cut", facts, proof, about)
    form = next(f for f in ("shortest routes of all lightpaths have", "Routes must take", "With these link lengths")
                if f in proof)
    said = {"shor": r"have (\d+) hops", "Rout": r"\) (\d+) times?", "With": r"add up to (\d+)"}[form[:4]]
    return agree(form, facts + [(int(re.search(said, proof)[1]), needed)], proof, about)


def check_assignment(*words):
    path = FOLDER + "/a.jsonl"
    if not run("assign", *words, "-q", "-o", path):
        sys.exit(f"no assignment: {words}")
    with open(path, encoding="utf-8") as file:
        head, *lines = map(json.loads, file)
    bound = json.loads(run("check", path, "--format", "json"))["bound"]
    proof, value, both = bound["proof"], bound["value"], head["model"] == "undirected"
    links, crossed = head["network"]["links"], crossings(lines, head["network"]["links"], both)
    if "as routed, cross" in proof:
        form = r"(\d+) lightpaths?, as routed, cross link (\d+)[->](\d+).*: (\d+)$"
        count, a, b, end = re.match(form, proof).groups()
        at = links.index([int(a), int(b)])
        facts = [(int(count), sum(at in c for c in crossed)), (int(end), value), (int(count), value)]
        agree("link", facts, proof, words)
    elif "Any two of" in proof:
        clique = [crossed[i] for i in head["bound"]["clique"]]
        agree("clique", [(all(a & b for a, b in itertools.combinations(clique, 2)), True), (len(clique), value),
                         (int(re.search(r"two of (\d+)", proof)[1]), value)], proof, words)
    elif "On a ring" in proof:
        n = head["network"]["nodes"]
        facts = [(int(re.search(r": (\d+)$", proof)[1]), n * n // 8 + 1), (value, n * n // 8 + 1)]
        agree("ring", facts, proof, words)
    elif "lengths" in head["bound"] and "odd" not in proof:
        check_lengths(proof, value, head, lines, head["bound"]["lengths"], words)
    elif not proof:
        sys.exit(f"no sentence: {words} {bound}")


def check_assignments():
    for n, seed in itertools.product(("ring:6", "ring:7", "torus:3x4", "regular:10:3:2", "nsfnet14-21", "waxman:12:3"),
                                     range(1, 5)):
        for model in ("directed", "undirected"):
            check_assignment("--network", n, "--model", model, "--demands", f"random:{4 * seed + 5}", "--seed",
                             str(seed), *(["--routing", "shortest", "--solver", "dsatur"] if seed % 2 else []))
    for n in ("ring:8", "ring:12", "line:7", "torus:4x4", "torus:3x5", "abilene12-15", "cost239-11-26", "nsfnet14-21",
              "geant22-36", "polska12-18", "tree:2x3", "ring:9", "usnet24-43"):
        for model in ("directed", "undirected"):
            check_assignment("--network", n, "--model", model)
            check_assignment("--network", n, "--model", model, "--routing", "shortest", "--solver", "first-fit")
    for n, fail, model in itertools.product(("nsfnet14-21", "ring:9", "torus:4x4"), ("0-1", "0>1"),
                                            ("directed", "undirected")):
        check_assignment("--network", n, "--model", model, "--fail", fail)
    for seed in range(1, 40):
        check_assignment("--network", "ring:7", "--model", "undirected", "--demands", "random:9", "--seed", str(seed),
                         "--routing", "shortest")


# ---- bounds on schedules ----

def blocks_over(kind, nodes, inside, root_inside):
    """Blocks that must leave a set of `inside` nodes, and pairs that it must join with the others."""
    outside = nodes - inside
    return {"all-gather": inside, "reduce-scatter": outside, "all-reduce": nodes, "all-to-all": inside * outside,
            "broadcast": int(root_inside)}[kind]


def cuts(nodes, arcs):
    for size in range(1, nodes):
        for chosen in itertools.combinations(range(nodes), size):
            inside = set(chosen)
            yield inside, sum(a in inside and b not in inside for a, b, _ in arcs)


def lattice_cost(steps, count):
    """The sum of the `count` least distances of points other than the origin of Z^steps, by counting points."""
    points, cost, distance = [1] + [0] * count, 0, 0
    for _ in range(steps):          # convolve with 1, 2, 2, 2, ...
        points = [points[d] + 2 * sum(points[:d]) for d in range(count + 1)]
    while count > 0:
        distance += 1
        taken = min(count, points[distance])
        cost, count = cost + taken * distance, count - taken
    return cost


def numbers_of(proof):
    return [float(x) for x in re.findall(r"[\d.]+\d|\d", proof)]


def informed(nodes, arcs, w, ring):
    """How many nodes data of one node has reached after each step at most, from the farthest-reaching source down."""
    out = collections.Counter(a for a, _, _ in arcs)
    for source in range(nodes):
        if ring:
            yield [min(nodes, (1 + 2 * w) ** t) for t in range(nodes)]
            return
        now, list_ = 1, [1]
        while now < nodes:
            grow = out[source] if len(list_) == 1 else max(out.values())
            now = min(now * (grow * w + 1), nodes)
            list_.append(now)
        yield list_


def check_bound(b, kind, nodes, arcs, w, ring, about):
    name, value, proof = b["name"], b["value"], b["proof"]
    n, hops = nodes, sum(sum(distances(nodes, arcs, v)) for v in range(nodes))
    degree = collections.Counter(b for _, b, _ in arcs)
    said = numbers_of(proof)
    if not said:
        sys.exit(f"no number: {about}: {proof}")
    facts = None
    if name == "lemma1-ring":
        facts = [(said[-1], math.ceil(n * n / 8)), (value, said[-1])]
    elif name == "lemma1-line":
        facts = [(said[0] * said[1], n * n // 4), (said[0] + said[1], n), (value, said[0] * said[1])]
    elif name == "ring-alltoall-exact":
        facts = [(said[2], hops), (said[3], len(arcs)), (value, math.ceil(hops / len(arcs)))]
    elif name == "load":
        facts = [(said[0], math.ceil(hops / len(arcs)) if ring else n * n // 4), (value, said[-1])]
    elif name in ("receive", "send") and len(said) > 1:
        need = {"broadcast": 1, "all-reduce": n}.get(kind, n - 1)
        facts = [(said[0], need), (said[1] in {w * d for d in degree.values()}, True),
                 (value, math.ceil(need / said[1]))]
    elif name == "cut":
        blocks, inside, outside, width = said[:4]
        facts = [(inside + outside, n), (value, math.ceil(blocks / width)),
                 (any(len(s) == inside and w * cross == width and blocks_over(kind, n, len(s), 0 in s) == blocks
                      for s, cross in cuts(nodes, arcs)), True)]
    elif name == "distance":
        facts = [(said[0], hops), (said[1], w * len(arcs)), (value, math.ceil(hops / (w * len(arcs))))]
    elif name == "spread" and "towards" not in proof:
        widest = 2 * w if ring else w * max(degree.values())
        steps = [int(x) for x in re.search(r"at most ([\d, ]+) nodes", proof)[1].split(", ")]
        facts = [(len(steps) - 1, value), (steps[-1], n), (said[0], widest),
                 (any(steps == list_[:len(steps)] for list_ in informed(nodes, arcs, w, ring)), True)]
    elif name == "pairs" and "must be joined" in proof:
        pairs, width, each = said[:3]
        facts = [(each, pairs / width),
                 (any(len(s) * (n - len(s)) == pairs and w * cross == width for s, cross in cuts(nodes, arcs)), True)]
        facts += joined(proof, value, n, 2 * w if ring else w * max(degree.values()), each)
    elif name == "pairs" and ring:
        way, here, last, there, senders, receivers, needed, steps, again, each, most = said
        inner = [min(n, (1 + 2 * w) ** t) for t in range(value)]
        facts = [(way, 2 * w), (here, n // 2), (last, way), (there, n - n // 2), (senders, here - way), (again, way),
                 (receivers, there - way), (needed, senders * receivers), (steps, value - 3), (most, way * each),
                 (each, sum(a * b for a, b in zip(inner[1:value - 2], inner[value - 3:0:-1]))), (most < needed, True)]
    elif name == "broadcast-tree" and ring and value > 1:
        cost, count = lattice_cost(value - 1, n - 1), 1 if kind == "broadcast" else n
        near = [int(x) for x in re.findall(r"(\d+) (?:nodes )?x \d+(?: link| \+|\)|,)", proof.split(" in all")[0])]
        facts = [(sum(near), n - 1), (sum(d * k for d, k in enumerate(near, 1)), cost)]
        said = numbers_of(re.sub(r" \(.*\)", "", proof))
        cost = count * (cost + (n - 1 if kind == "all-reduce" else 0))
        facts += [(said[0], value - 1), (said[1], count), (said[1] * said[2], cost), (said[3], cost),
                  (said[4] * said[5], said[6]), (said[6], 2 * n * w * (value - 1)), (said[3] > said[6], True)]
    elif name == "pipeline":
        facts = [(said[-2] + said[-1], value), (said[0], n if kind == "all-reduce" else 1),
                 (said[2], math.ceil(said[0] / said[1]) - 1)]
    elif name == "ramp" and ring:
        list_, received, wanted = re.search(r"received ([\d, ]+) after", proof)[1].split(", "), 0, int(said[0])
        for item in list_:
            received += w * min(2 * n, 2 + 2 * received)
            facts = (facts or []) + [(int(item), received)]
        more = math.ceil(max(0, wanted - received) / (2 * n * w))
        facts += [(wanted, (n - 1) * (n if kind == "all-reduce" else 1)), (value, len(list_) + more)]
    elif name == "growth" and "collect the sum" in proof:
        facts = [(said.pop(3), said[2] - (n - 1)), (said.pop(3), n - 1)]
        facts += [(said[0], value - 1), (said[1], n), (said[1] * said[2], said[3]), (said[4], w * len(arcs)),
                  (said[5], said[0]), (said[6], said[4] * said[5]), (said[3] > said[6], True)]
    elif name == "growth" and "holders" in proof:
        near, list_ = ([float(x) for x in re.search(form, proof)[1].split(", ")]
                       for form in (r"at most ([\d, ]+) nodes lie", r"at most ([\d., ]+) holders"))
        more = re.search(r"then ([\d.]+) more in each: all (\d+) after (\d+)", proof)
        facts = [(said[0], w * len(arcs)), (said[1], said[0]), (said[3], said[1] / said[2]),
                 (near, [float(b) for b in balls(nodes, arcs)[1:1 + len(near)]]),
                 (list_, averages(nodes, arcs, said[1] / said[2], len(list_)))]
        facts += [(float(more[1]), said[3]), (int(more[2]), n), (int(more[3]), value),
                  (math.ceil((n - list_[-1]) / said[3] - 1e-6), value + 1 - len(list_))] if more else \
                 [(list_[-1], float(n)), (len(list_), value + 1)]
    if facts:
        agree(name, facts, proof, about)


def joined(proof, value, n, most, each):
    """Pairs that the lightpaths of a channel join: nodes heard from times nodes that can still be informed."""
    now = [1]
    while len(now) < value:
        now.append(min(n, now[-1] * (1 + most)))
    terms = [(int(a), int(b)) for a, b in re.findall(r"(\d+) x (\d+)", proof)]
    if value == 1:
        return [(terms, [])]
    steps, end = re.search(r"in (\d+) steps? .* = (\d+), too few$", proof).groups()
    return [(terms, list(zip(now[:value - 1], now[value - 2::-1]))), (int(steps), value - 1),
            (int(end), sum(a * b for a, b in terms)), (int(end) < each, True)]


def balls(nodes, arcs):
    """The most nodes within 0, 1, ... links of a node."""
    return [max(sum(d <= r for d in distances(nodes, arcs, v)) for v in range(nodes)) for r in range(nodes)]


def averages(nodes, arcs, room, count):
    """Holders of a block on average: each informs its nearest nodes, as far as its share of the channels goes."""
    near, holders = balls(nodes, arcs), [1.0]
    while len(holders) < count:
        left, new = room / holders[-1], 1
        for d in range(1, nodes):
            new += min(near[d] - near[d - 1], max(left, 0) / d)
            left -= (near[d] - near[d - 1]) * d
        holders.append(min(nodes, holders[-1] * min(new, 1 + room / holders[-1])))
    return [float(f"{h:.8g}") for h in holders]


def check_time(proof, seconds, about):
    """Microseconds, steps x microseconds, bytes x nanoseconds, and their sum."""
    once = re.search(r"([\d.]+) us of set-up", proof)
    steps = re.search(r"(\d+) steps? x ([\d.]+) us", proof)
    size, per_byte, total = re.search(r"(\d+) bytes x ([\d.]+) ns = ([\d.e+]+) us", proof).groups()
    carried = re.search(r"at least (\d+) bytes", proof).group(1)
    cut = re.match(r"(\d+) x ([\d.]+) bytes must pass (\d+) channels?", proof)
    if cut:
        agree("cut of bytes", [(float(carried), round(int(cut[1]) * float(cut[2]) / int(cut[3])))], proof, about)
    copies = re.match(r"in \d+ steps? each byte takes (.*) = ([\d.]+), and there are (\d+) bytes", proof)
    if copies:
        first = int(re.findall(r"after steps (\d+)|$", copies[1])[0] or 1)
        terms = [(float(p), float(q), t) for t, (p, q) in
                 enumerate(re.findall(r"([\d.]+) / ([\d.]+)", copies[1]), first)]
        share, listed = float(copies[2]), sum(p / q for p, q, _ in terms)
        facts = [(listed < share, True) if "..." in copies[1] else (share, listed)]
        facts += [(float(carried), share * int(copies[3]))]
        agree("copies of bytes", facts + about_copies(terms, copies[1], int(steps[1]), about), proof, about)
    hops = re.match(r"a node has at most ([\d, ]+) others .* away, so (\d+) hops to all, and (\d+) channels: "
                    r"(\d+) / (\d+) x ([\d.]+) bytes", proof)
    if hops:
        near = [int(x) for x in hops[1].split(", ")]
        agree("hops of bytes", [(int(hops[2]), sum(d * k for d, k in enumerate(near, 1))), (hops[4], hops[2]),
                                (hops[5], hops[3]), (sum(near), about[3] - 1),
                                (float(carried), round(int(hops[2]) / int(hops[3]) * float(hops[6])))], proof, about)
    if not cut and not copies and not hops and "takes at least" not in proof:
        sys.exit(f"no term for the bytes: {about}: {proof}")
    trees = re.match(r"each of (\d+) bytes takes at least ([\d.]+)(?: \((.*)\))? of the (\d+) channels", proof)
    if trees:
        each = int(trees[1]) * float(trees[2]) / int(trees[4])
        sums = [int(a) * int(b) for a, b in re.findall(r"(\d+) (?:nodes )?x (\d+)", trees[3] or "")]
        sums += [int(a) for a in re.findall(r"(\d+) to", trees[3] or "")]
        agree("sum of a tree", [(float(trees[2]), float(sum(sums)))] if sums else [], proof, about)
        agree("trees of bytes", [(float(carried), round(each))], proof, about)
    fewer = re.search(r"fewer than (\d+) steps (?:[^;]*?at least (\d+) bytes)?", proof)
    agree("steps of time", [((fewer or steps)[1], steps[1])], proof, about)
    if fewer and fewer[2]:
        less = (int(steps[1]) - 1) * float(steps[2]) + int(fewer[2]) * float(per_byte) / 1e3
        facts = [(less > float(total), True)]
        fewest = re.search(r"lightpaths, ([\d.e+]+) us in", proof)
        facts += [(float(fewest[1]), less)] if fewest else []
        longer = re.search(r"([\d.]+) channels a byte", proof)
        if trees and longer:
            facts.append((float(fewer[2]), float(longer[1]) * int(trees[1]) / int(trees[4])))
        shares = re.search(r": ([\d. /+]+) of all bytes: at least", proof)
        if trees and shares:
            facts.append((float(fewer[2]), int(trees[1]) * eval(shares[1])))
        agree("fewer steps", facts, proof, about)
    more = re.search(r"more steps take at least ([\d.e+]+) us \((\d+) with (\d+) bytes", proof)
    if more:
        longer = int(more[2]) * float(steps[2]) + int(more[3]) * float(per_byte) / 1e3
        agree("more steps", [(float(more[1]), longer), (longer >= float(total), True)], proof, about)
    added = float(size) * float(per_byte) / 1e3 + (float(once.group(1)) if once else 0)
    added += int(steps.group(1)) * float(steps.group(2)) if steps else 0
    agree("time", [(carried, size), (float(total), added), (float(total), seconds * 1e6)], proof, about)


def check_bounds():
    specs = ("ring:5", "ring:6", "ring:8", "ring:9", "line:7", "torus:3x3", "regular:9:4:1", "tree:2x2")
    kinds = ("all-gather", "all-to-all", "all-reduce", "broadcast")
    for spec, w, kind in itertools.product(specs, ("1", "2"), kinds):
        net = json.loads(run("network", "--network", spec, "--format", "json", "-o", "-"))
        arcs = [[a, b, 1] for a, b, *_ in (link if isinstance(link, list) else [link["from"], link["to"]]
                                           for link in net["links"])]
        arcs += [] if net.get("directed") else [[b, a, k] for a, b, k in arcs]
        answer = json.loads(run("bounds", "--network", spec, "-w", w, "--collective", kind, "--format", "json"))
        check_time(answer["time_proof"], answer["time_seconds"], (spec, w, kind))
        for b in answer["bounds"]:
            if not b["proof"]:
                sys.exit(f"no sentence: {spec} {b}")
            nodes = net["nodes"] if isinstance(net["nodes"], int) else len(net["nodes"])
            check_bound(b, kind, nodes, arcs, int(w), spec.startswith("ring"), (spec, w, kind, b["name"]))


def about_copies(terms, said, steps, about):
    """Where every pair is one hop apart a node informs one other a step on each port: `ports` ports, `width` channels
    of a node.  In T steps at most 1 / (1 + ports)^(T - t) of the nodes can be left for the steps after t."""
    if len(about) < 6:
        return []
    *_, nodes, ports, width = about
    left = [1] + [max(1, nodes / (1 + ports) ** (steps - t)) for t in range(1, steps + 1)]
    senders = [min((1 + ports) ** t, nodes) for t in range(steps)]
    listed = [[float(x) for x in re.search(form, said)[1].split(", ")]
              for form in (r"so ([\d., ]*\d)(?:, ...)? or more", r"and ([\d., ]*\d)(?:, ...)? nodes or fewer")]
    held = [[float(f"{left[t]:.6g}") for *_, t in terms], [senders[t - 1] for *_, t in terms]]
    return [(listed, held), ([p for p, *_ in terms], [float(f"{left[t] - left[t - 1]:.6g}") for *_, t in terms])] + \
           [(q, senders[t - 1] * width) for _, q, t in terms]


def check_one_hop():
    """Star, ron and ocs: what a node sends and receives, how data spreads, and the time."""
    specs = {("ocs:32x3", "-w", "64"): (32, 3, 192, 0), ("ocs:16x1", "-w", "4"): (16, 1, 4, 0),
             ("ocs:16x1", "-w", "4", "--cost", "overlap", "--alpha", "1us"): (16, 1, 4, 0),
             ("ron:12", "-w", "9", "--ports", "2"): (12, 2, 2, 0), ("star:8", "-w", "5"): (8, 5, 5, 0),
             ("ron:16", "-w", "9", "--ports", "2", "--tuning", "3"): (16, 2, 2, 3),
             ("ron:1000", "-w", "4", "--ports", "1"): (1000, 1, 1, 0)}
    for (words, (n, ports, width, rest)), kind in itertools.product(
            specs.items(), ("all-gather", "all-to-all", "all-reduce", "broadcast")):
        answer = json.loads(run("bounds", "--network", *words, "--collective", kind, "--format", "json"))
        check_time(answer["time_proof"], answer["time_seconds"], (words, kind, 0, n, ports, width))
        for b in answer["bounds"]:
            said = numbers_of(b["proof"])
            if b["name"] in ("receive", "send"):
                need = {"broadcast": 1, "all-reduce": n}.get(kind, 1 if (kind, b["name"]) == ("all-gather", "send")
                                                             else n - 1)
                agree("one hop " + b["name"], [(said[0], need), (said[1], width), (b["value"], -(-need // width))],
                      b["proof"], words)
            if b["name"] == "growth":
                spread, slow = [1], rest if "sends to" in b["proof"] else 0
                while spread[-1] < n:
                    spread.append(min(n, ports * spread[-1] + spread[max(0, len(spread) - 1 - slow)]))
                list_ = [int(x) for x in re.search(r"at most ([\d, ]+) nodes", b["proof"])[1].split(", ")]
                more = -(-1 // width) - 1 if kind == "broadcast" else 0
                agree("one hop growth", [(said[0], ports), (list_, spread), (b["value"], len(spread) - 1 + more)] +
                      ([(said[1], rest)] if slow else []), b["proof"], words)


check_assignments()
ASSIGNMENTS = sum(AGREED.values())
check_bounds()
check_one_hop()
print(ASSIGNMENTS, "assignments and", sum(AGREED.values()) - ASSIGNMENTS, "bounds:", dict(AGREED))
if min(ASSIGNMENTS, sum(AGREED.values()) - ASSIGNMENTS) < 100:
    sys.exit("too few sentences")
