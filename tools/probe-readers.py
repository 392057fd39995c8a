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
CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "fuzz", "corpus")

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


FIBER = """{"name": "probe", "parameters": {"fiber_db_per_km": 0.2, "dispersion_ps_nm_km": 16.7, "effective_area_um2": 83,
 "nonlinear_index_m2_per_w": 2.6e-20, "span_km": 80, "connector_db": 1, "noise_figure_db": 5.5, "node_loss_db": 20,
 "node_noise_figure_db": 6, "launch_dbm": 0, "launch_baud_gbd": 32, "transmitter_osnr_db": 40, "margin_db": 2,
 "first_ghz": 191300, "slots": 384}}"""
MODULATIONS = """{"name": "probe", "modulations": [
 {"name": "A", "bits_per_symbol": 4, "baud_gbd": 32, "slots": 3, "rate_gbps": 100, "reach_km": 9000},
 {"name": "B", "bits_per_symbol": 8, "baud_gbd": 44, "slots": 5, "rate_gbps": 300, "reach_km": 1250}]}"""
ASSIGNMENT = """{"format": "rwa-assignment", "version": 2, "model": "directed", "network": {"kind": "graph", "nodes": 3,
 "links": [[0, 1], [1, 2]], "fibers": 1, "lengths_km": [100, 100], "slot_ghz": 12.5, "rate_bps": 40000000000},
 "demands": 1, "wavelengths": 4}""".replace("\n", "") + """
{"demand": 0, "src": 0, "dst": 2, "width": 3, "guard": 1, "path": [0, 1, 2], "fiber": 0, "wavelength": 0}
"""
TREES = """<trees nchunks="2"><tree root="(0, 'GPU', 0)" index="0" nchunks="1" height="1">
<send src="(0, 'GPU', 0)" dst="(0, 'GPU', 1)" path="(0, 'GPU', 0),(0, 'GPU', 1)"/></tree>
<tree root="(0, 'GPU', 1)" index="0" nchunks="1" height="1">
<send src="(0, 'GPU', 1)" dst="(0, 'GPU', 0)" path="(0, 'GPU', 1),(0, 'GPU', 0)"/></tree></trees>
"""
FLOWS = """{"1-Epoch_Duration": 1, "3-Epochs_Required": 2, "7-Flows": ["Chunk 0 from 1 traveled over 1->2 in epoch 0",
 "Chunk 0 from 2 traveled over 2->1 in epoch 1 via switches 0"], "8-Chunk paths": {}}"""
PROGRAM = """{"name": "probe", "collective": "allgather", "protocol": "Simple", "inplace": true, "reuse_resources": false, "gpus": [
 {"id": 0, "input_chunks": 1, "output_chunks": 2, "scratch_chunks": 0, "threadblocks": [{"id": 0, "ops": [
  {"name": "put", "src_buff": [{"type": "o", "index": 0, "size": 1}], "dst_buff": [{"buffer_id": 0, "index": 0, "size": 1}],
   "channel_ids": [0], "channel_type": "memory"}],
  "channels": [{"channel_type": "memory", "channel_ids": [0]}],
  "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0]}]}],
  "channels": [{"channel_type": "memory", "connected_to": [1]}],
  "remote_buffers": [{"rank": 1, "type": "o", "access_channel_types": ["memory"]}], "semaphores": []},
 {"id": 1, "input_chunks": 1, "output_chunks": 2, "scratch_chunks": 0, "threadblocks": [], "channels": [], "remote_buffers": []}]}"""
SHARD = "# rwa-sweep shard 1/1 of 1 rows, settings 0\nnetwork,nodes,steps\nring,4,1\n"

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
    ("widths.csv", "source,target,count,width\n0,3,1,2\n", 
     ["assign", "--network", "mesh:2x2", "--slots", "8", "--time-limit", "2", "--demands"]),
    ("rates.json", '[{"src": 0, "dst": 3, "count": 1, "width": 4, "rate": 100000000000}]',
     ["assign", "--network", "mesh:2x2", "--slots", "99", "--time-limit", "2", "--demands"]),
    ("fiber.json", FIBER, ["gsnr", "--spans", "3x80", "--device"]),
    ("fiber.json", FIBER, ["assign", "--network", "polska12-18", "--rate", "100G", "--demands", "random:4", "--device"]),
    ("modulations.json", MODULATIONS, ["assign", "--network", "polska12-18", "--rate", "100G", "--demands", "random:4", "--modulations"]),
    ("assignment.jsonl", ASSIGNMENT, ["check"]),
    ("assignment.jsonl", ASSIGNMENT, ["show"]),
    ("trees.xml", TREES, ["import", "--network", "line:2"]),
    ("flows.json", FLOWS, ["import", "--network", "line:2"]),
    ("program.json", PROGRAM, ["import", "--network", "line:2"]),
    ("shard.csv", SHARD, ["sweep", "--merge"]),
]

# Readers by the files from which their fuzzing starts.
NETWORK, DEMANDS = ["bounds", "--network"], ["assign", "--time-limit", "2", "--network", "abilene12-15", "--demands"]
IMPORT, CIRCUITS = ["import", "--network", "ring:4"], ["circuits", "--network", "ocs:4x2"]
READERS = [
    ("network-graphml/small.graphml", NETWORK), ("network-gml/small.gml", NETWORK), ("network-sndlib/small.txt", NETWORK),
    ("network-sndlib-xml/small.xml", NETWORK), ("network-gnpy/small.json", NETWORK), ("network-json/small.json", NETWORK),
    ("network-json/slots.json", NETWORK), ("network-edges/numbered.txt", NETWORK), ("demands-json/matrix.json", DEMANDS),
    ("demands-csv/matrix.csv", DEMANDS), ("demands-sndlib/small.txt", DEMANDS), ("demands-sndlib-xml/small.xml", DEMANDS),
    ("device/small.json", ["plan", "--network", "ring:8", "--time-limit", "2", "--device"]), ("openconfig/small.json", ["check"]),
    ("import-csv/all-gather", IMPORT), ("import-msccl/all-gather", IMPORT), ("import-harvest/all-gather", IMPORT),
    ("traffic/flows.csv", CIRCUITS), ("traffic/flows.json", CIRCUITS),
    ("traffic/matrix.csv", CIRCUITS), ("tasks/small.json", ["place", "--devices", "2"]),
    ("schedule/graph.jsonl", ["check"]), ("schedule/line.jsonl", ["check"]), ("schedule/runs.jsonl", ["show"]),
    ("assignment/failed.jsonl", ["check"]),
]


def read(reader):
    with open(os.path.join(CORPUS, reader)) as file:
        return file.read()


def numbers(text):
    """Every number that follows other characters than those before it: one link of many stands for all."""
    seen = set()
    for number in re.finditer(r"(?<![\w.])\d+", text):
        before = re.sub(r"\d+", "0", text[max(0, number.start() - 24):number.start()])
        if before not in seen:
            seen.add(before)
            yield number


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
        for name, text, arguments in CASES + [(reader, read(reader), arguments) for reader, arguments in READERS]:
            path = os.path.join(folder, os.path.basename(name))
            for number in numbers(text):
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
