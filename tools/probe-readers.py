#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Give every number of small input files the sizes 2^10 ... 2^40, and see what the command makes of each.

Usage: probe-readers.py path/to/rwa [--quick].  An answer or a one-line refusal within 5 s of processor time and 1 GB passes;
anything else is listed, and the exit code is 1.
"""
import json, os, re, resource, subprocess, sys, tempfile

RWA = os.path.abspath(sys.argv[1])
QUICK = "--quick" in sys.argv
POWERS = (20, 32, 40) if QUICK else range(10, 41)
SECONDS, BYTES = 5, 1 << 30

RECORD = {"step": 1, "src": 0, "dst": 1, "dir": "cw", "fiber": 0, "wavelength": 0, "block": 0}


def schedule(kind="ring", collective="all-gather", record=None, **header):
    head = {"format": "rwa-schedule", "version": 1, "network": {"kind": kind, "nodes": 4, "fibers": 1, "wavelengths": 2},
            "collective": collective, "blocks": 4, "block_bytes": 1, "steps": 1, "scheme": "probe"}
    head.update(header)
    return json.dumps(head) + "\n" + json.dumps(dict(RECORD, **(record or {}))) + "\n"


def without_direction(text):
    return text.replace('"dir": "cw"', '"path": [0, 1]')


def runs(collective):
    text = schedule(collective=collective, version=3, slots=4, record={"runs": [[0, 2, 1]]})
    return text.replace('"block": 0, ', "")


CASES = [
    ("ring.jsonl", schedule(), ["check"]),
    ("orbit.jsonl", schedule(record={"orbit": 4, "period": 1}), ["check"]),
    ("sums.jsonl", schedule(collective="all-reduce"), ["check"]),
    ("gather.jsonl", schedule(collective="gather", root=0), ["check"]),
    ("runs.jsonl", runs("all-gather"), ["check"]),
    ("runsums.jsonl", runs("all-reduce"), ["check"]),
    ("star.jsonl", without_direction(schedule("star")), ["check"]),
    ("ron.jsonl", without_direction(schedule("ron")), ["check"]),
    ("ocs.jsonl", without_direction(schedule("ocs")), ["check"]),
    ("show.jsonl", schedule(), ["show"]),
    ("net.json", '{"nodes": 3, "links": [[0, 1], [1, 2]], "wavelengths": 4}', ["bounds", "--network"]),
    ("net.txt", "0 1 10\n1 2 10\n2 0 10\n", ["bounds", "--network"]),
    ("net.gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]", ["bounds", "--network"]),
    ("demands.csv", "0,3,1\n", ["assign", "--network", "mesh:2x2", "--demands"]),
]


def run(arguments):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 1, SECONDS + 2))
    job = subprocess.Popen([RWA] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           preexec_fn=limit)
    complaint = job.stderr.read()
    _, status, usage = os.wait4(job.pid, 0)
    seconds, size = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
    code = os.waitstatus_to_exitcode(status)
    good = 0 <= code <= 4 and seconds <= SECONDS and size <= BYTES and complaint.count(b"\n") <= 1
    return good, f"exit {code}, {seconds:.1f} s, {size >> 20} MiB"


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text, arguments in CASES:
            path = os.path.join(folder, name)
            for number in re.finditer(r"(?<![\w.\"])\d+", text):
                for power in POWERS:
                    for value in {1 << power, (1 << power) - 1} if not QUICK else {1 << power}:
                        with open(path, "w") as file:
                            file.write(text[:number.start()] + str(value) + text[number.end():])
                        good, figures = run(arguments + [path])
                        passed, failed = passed + good, failed + (not good)
                        if not good:
                            print(f"{name}: {value} at {number.start()}, after ...{text[:number.start()][-24:]!r}: {figures}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
