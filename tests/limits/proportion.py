#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small inputs that ask for much: each gets an answer or a refusal at a cost in proportion.  Large numbers in files of
every format: tools/probe-readers.py.

usage: proportion.py RWA [--only WORD]

Prints a table: input, command, exit code, processor seconds, MB.  A row may cost 2 s and 200 MB, or the cost of what it
asks for, which it states.  Exit 1 when a row costs more, is killed by a signal, or ends otherwise than by the contract
of exit codes.
"""
import gzip
import json
import os
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../bench")
import compare_builds as bench

SECONDS, MEGABYTES = 2, 200
CPU_MOST_S = 60
# Cost of a network that lists its links, for each directed link; planning makes its canonical network beside it.
LINK_S, LINK_MB = 0.15e-6, 75e-6
BOUNDS_S = 0.7e-6   # bounds, for each directed link
NODE_S, NODE_MB = 0.8e-6, 130e-6    # a plan whose orbits or trees have a few records a node
COLLECTIVES = "all-gather reduce-scatter all-reduce broadcast scatter gather all-to-all reduce".split()

RECORD = '{"step":1,"src":0,"dst":1,%s"fiber":0,"wavelength":0,"block":0}\n'


class Row:
    def __init__(self, name, words, text=None, links=0, link_s=LINK_S, honest=None):
        """@param text    of the file that stands for FILE in the words, or bytes
           @param links   directed links of the network it asks for
           @param honest  seconds, MB, and what costs them"""
        self.name, self.words, self.text = name, words.split(), text
        if links:
            honest = (links * link_s, links * LINK_MB,
                      "%.3g directed links, %.2g us and %.0f bytes each" % (links, link_s * 1e6, LINK_MB * 1e6))
        self.seconds, self.megabytes, self.why = honest or (0, 0, "")
        self.seconds, self.megabytes = max(SECONDS, self.seconds), max(MEGABYTES, self.megabytes)


def header(kind="ring", collective="all-gather", nodes=4, blocks=4, **network):
    return json.dumps({"format": "rwa-schedule", "version": 1,
                       "network": {"kind": kind, "nodes": nodes, "fibers": 1, "wavelengths": 2, **network},
                       "collective": collective, "blocks": blocks, "block_bytes": 1, "steps": 1, "scheme": "x"}) + "\n"


def schedule(kind="ring", more=None, **members):
    return header(kind, **members) + RECORD % (more if more is not None else '"dir":"cw",')


def graphml(nodes):
    return ('<graphml><graph edgedefault="undirected">' + "".join('<node id="n%d"/>' % v for v in range(nodes)) +
            "".join('<edge source="n%d" target="n%d"/>' % (v, (v + 1) % nodes) for v in range(nodes)) +
            "</graph></graphml>")


def listed(nodes, **more):
    return json.dumps({"nodes": nodes, "links": [[v, (v + 1) % nodes] for v in range(nodes)], **more})


def reserved(nodes):
    links = [{"from": v, "to": (v + 1) % nodes, "reserved": "0-1048575"} for v in range(nodes)]
    return json.dumps({"nodes": nodes, "links": links})


def nested(opening, closing, depth, inside=""):
    return opening * depth + inside + closing * depth


def bomb(head, unit, count):
    """A gzip file that is a thousandth of what it holds."""
    return gzip.compress((head + unit * count).encode(), 9)


def rows():
    yield Row("schedule of 249 bytes: ring of 300,000 nodes and blocks", "check FILE.jsonl",
              schedule(nodes=300000, blocks=300000))
    for network in ("mesh:2x2", "nsfnet14-21", "ring:64"):
        yield Row("11 bytes of demands: 0,3,262144", "assign --network %s --demands FILE.csv" % network, "0,3,262144")
        yield Row("11 bytes of demands: 0,3,262144", "assign --network %s -w 64 --demands FILE.csv" % network,
                  "0,3,262144")
    for name, text, end in (("GraphML", graphml(66000), "graphml"), ("JSON", listed(66000), "json")):
        what = "%s network of 66,000 nodes" % name
        yield Row(what, "bounds --network FILE." + end, text)
        yield Row(what, "plan --network FILE." + end, text)
        yield Row(what, "plan --collective broadcast --network FILE." + end, text,
                  honest=(66e3 * 80e-6, 66e3 * 10e-3, "the quickest of all schemes: 80 us and 10 kB a node"))
        yield Row(what, "assign --demands random:4 --network FILE." + end, text,
                  honest=(10, 200, "the default --time-limit of 10 s"))
    links = 2 * (244 ** 3 // 4 + 2 * 244 * 122 ** 2)
    yield Row("fat-tree:244", "plan --network fat-tree:244", links=links)
    yield Row("fat-tree:244", "bounds --network fat-tree:244", links=links, link_s=BOUNDS_S)
    yield Row("fat-tree:244", "assign --network fat-tree:244", links=links)
    yield Row("tree:1x1000000", "network --network tree:1x1000000", links=2000000)
    for words in ("bounds --network", "plan --network", "assign --network"):
        yield Row('"nodes":16777216', "%s FILE.json" % words, '{"nodes":16777216,"links":[[0,1]]}')
        yield Row('"nodes":16777216, count only', "%s FILE.json" % words, '{"nodes":16777216,"links":[]}')
    for words in ("bounds --network", "plan --network", "assign --network"):
        yield Row("reserved 0-1048575 on every link", "%s FILE.json" % words, reserved(64))
        yield Row("reserved 0-1048574 on 1,000 links", "%s FILE.json" % words,
                  reserved(1000).replace("0-1048575", "0-1048574"))
        yield Row("reserved: as many as may be", "%s FILE.json" % words, reserved(4),
                  honest=(2, 400, "8388608 directed channels, 0.2 us and 48 B"))
    for depth in (128, 100000):
        yield Row("%d-fold nested JSON network" % depth, "bounds --network FILE.json", nested('{"a":', "}", depth, "1"))
        yield Row("%d-fold nested reserved lists" % depth, "bounds --network FILE.json",
                  '{"nodes":2,"links":[{"from":0,"to":1,"reserved":%s}]}'
                  % nested('{"fiber":0,"wavelengths":', "}", depth, "[0]"))
        yield Row("%d-fold nested GraphML" % depth, "bounds --network FILE.graphml",
                  "<graphml>" + nested("<graph>", "</graph>", depth) + "</graphml>")
        yield Row("%d-fold nested GML" % depth, "bounds --network FILE.gml", nested("graph [ ", "] ", depth))
        yield Row("%d-fold nested schedule header" % depth, "check FILE.jsonl", nested('{"a":', "}", depth, "1") + "\n")
        yield Row("%d-fold nested demands" % depth, "assign --network ring:8 --demands FILE.json",
                  nested("[", "]", depth))
    yield Row("gz bomb: network, ratio 1000", "bounds --network FILE.json.gz",
              bomb('{"nodes":2,"links":[', " ", 1 << 28))
    yield Row("gz bomb: schedule, one long record", "check FILE.jsonl.gz", bomb(header(), " ", 1 << 28))
    yield Row("gz bomb: schedule, records of nothing", "check FILE.jsonl.gz", bomb(header(), "\n", 1 << 28))
    yield Row("gz bomb: demands", "assign --network ring:8 --demands FILE.csv.gz", bomb("", "0,1,1\n", 1 << 24))
    yield Row("gz bomb: import", "import --network ring:8 FILE.csv.gz",
              bomb("step,src,dst,block\n", "1,0,1,0\n", 1 << 24))
    yield Row("all-reduce schedule of 16,777,216 blocks", "check FILE.jsonl",
              schedule(collective="all-reduce", blocks=16777216))
    yield Row("torus schedule of 1,048,576 nodes", "check FILE.jsonl",
              schedule("torus", '"path":[0,1],', nodes=1048576, blocks=1048576))
    yield Row("torus schedule of 1,048,576 nodes, its shape", "check FILE.jsonl",
              schedule("torus", '"path":[0,1],', nodes=1048576, blocks=1048576, shape=[1024, 1024]))
    yield Row("torus:4096x4096", "plan --network torus:4096x4096", links=4 << 24)
    yield Row("hypercube:20", "plan --network hypercube:20", links=20 << 20)
    for nodes in (1 << 16, 1 << 24):
        for collective in COLLECTIVES:
            yield Row("ring of %d nodes" % nodes, "plan --network ring:%d --collective %s" % (nodes, collective),
                      honest=(nodes * NODE_S, nodes * NODE_MB,
                              "%.2g us and %.0f bytes a node" % (NODE_S * 1e6, NODE_MB * 1e6)))
    for cost in ("circuit", "overlap"):
        yield Row("ring of 65536 nodes", "plan --network ring:65536 --cost %s" % cost)
        yield Row("ring of 65536 nodes", "plan --network ring:65536 --collective all-reduce --cost %s" % cost,
                  honest=(65536 * 50e-6, 200, "50 us a node: when the channels of each plan in question are free"))
    for collective in COLLECTIVES:
        yield Row("line of 1048576 nodes", "plan --network line:1048576 --collective %s" % collective,
                  honest=(2, 450, "300 bytes a node"))
    for words in ("bounds", "compare", "explain", "assign", "sweep --nodes 65536 --wavelengths 2"):
        yield Row("ring of 1048576 nodes", words + " --network ring:1048576")


def run(rwa, row, folder, number):
    words = list(row.words)
    for i, word in enumerate(words):
        if word.startswith("FILE"):
            words[i] = os.path.join(folder, "%d%s" % (number, word[4:]))
            with open(words[i], "wb") as file:
                file.write(row.text if isinstance(row.text, bytes) else row.text.encode())
    return bench.run([rwa] + words, CPU_MOST_S)


def main():
    args = bench.arguments(__doc__, "rwa", only="")
    failed = passed = 0
    rwa = os.path.abspath(args.rwa)
    with tempfile.TemporaryDirectory() as folder:
        for number, row in enumerate(rows()):
            if args.only not in row.name + " " + " ".join(row.words):
                continue
            code, _, said, seconds, megabytes = run(rwa, row, folder, number)
            good = 0 <= code <= 4 and seconds <= row.seconds and megabytes <= row.megabytes and said.count("\n") <= 1
            passed, failed = passed + good, failed + (not good)
            print("%-6s %-46s %-58s exit %d %6.2f s %6.0f MB  %s" % (
                "ok" if good else "FAILED", row.name, " ".join(row.words)[:58], code, seconds, megabytes, row.why),
                flush=True)
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
