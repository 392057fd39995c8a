#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Give every number of small input files the sizes 2^10 ... 2^40, and see what the command makes of each.

Usage: probe-readers.py path/to/rwa [--quick] [READER ...], of: %s

An answer or a one-line refusal within 5 s of processor time and 1 GB passes; anything else is listed, and the exit code is 1.
Sizes between two that get the same slow answer (above SLOW seconds) are left out: a cost that grows shows at one of them.
"""
import json, os, re, resource, subprocess, sys, tempfile

POWERS = range(10, 41)
BORDERS = (16, 24, 31, 32)    # of types and limits: there one less is tried too
SECONDS, BYTES = 5, 1 << 30
SLOW, STRIDE = 0.2, 5    # of seconds; and of the powers, at whose multiples slow answers are asked for
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
     ["assign", "--network", "mesh:2x2", "--slots", "8", "--time-limit", "0.5", "--demands"]),
    ("rates.json", '[{"src": 0, "dst": 3, "count": 1, "width": 4, "rate": 100000000000}]',
     ["assign", "--network", "mesh:2x2", "--slots", "99", "--time-limit", "0.5", "--demands"]),
    ("fiber.json", FIBER, ["gsnr", "--spans", "3x80", "--device"]),
    ("fiber.json", FIBER, ["assign", "--network", "polska12-18", "--rate", "100G", "--time-limit", "0.5", "--demands", "random:4", "--device"]),
    ("modulations.json", MODULATIONS, ["assign", "--network", "polska12-18", "--rate", "100G", "--time-limit", "0.5", "--demands", "random:4", "--modulations"]),
    ("assignment.jsonl", ASSIGNMENT, ["check"]),
    ("assignment.jsonl", ASSIGNMENT, ["show"]),
    ("trees.xml", TREES, ["import", "--network", "line:2"]),
    ("flows.json", FLOWS, ["import", "--network", "line:2"]),
    ("program.json", PROGRAM, ["import", "--network", "line:2"]),
    ("shard.csv", SHARD, ["sweep", "--merge"]),
]

# Readers by the files from which their fuzzing starts.
NETWORK, DEMANDS = ["bounds", "--network"], ["assign", "--time-limit", "0.5", "--network", "abilene12-15", "--demands"]
IMPORT, CIRCUITS = ["import", "--network", "ring:4"], ["circuits", "--network", "ocs:4x2"]
READERS = {
    "network-graphml": NETWORK, "network-gml": NETWORK, "network-sndlib": NETWORK, "network-sndlib-xml": NETWORK,
    "network-gnpy": NETWORK, "network-json": NETWORK, "network-edges": NETWORK,
    "demands-csv": DEMANDS, "demands-json": DEMANDS, "demands-sndlib": DEMANDS, "demands-sndlib-xml": DEMANDS,
    "device": ["plan", "--network", "ring:8", "--time-limit", "0.5", "--device"],
    "fiber": ["gsnr", "--spans", "3x80", "--device"],
    "modulations": ["gsnr", "--network", "polska12-18", "--route", "0,2", "--rate", "100G", "--modulations"],
    "openconfig": ["check"], "schedule": ["check"], "assignment": ["check"],
    "import-csv": IMPORT, "import-msccl": IMPORT, "import-harvest": IMPORT, "import-mscclpp": IMPORT, "import-teccl": IMPORT,
    "import-forestcoll": IMPORT, "import-chakra": IMPORT, "traffic": CIRCUITS, "tasks": ["place", "--devices", "2"],
}


class Text:
    """A file as text, in which a number is a run of digits."""

    def __init__(self, content):
        self.text = content.decode()

    def numbers(self):
        """Every number that follows other characters than those before it: one link of many stands for all."""
        seen = set()
        for number in re.finditer(r"(?<![\w.])\d+", self.text):
            before = re.sub(r"\d+", "0", self.text[max(0, number.start() - 24):number.start()])
            if before not in seen:
                seen.add(before)
                yield number.span()

    def name(self, place):
        return f"at {place[0]}, after ...{self.text[:place[0]][-24:]!r}"

    def write(self, path, place, value):
        with open(path, "w") as file:
            file.write(self.text[:place[0]] + str(value) + self.text[place[1]:])


class Traces:
    """A folder of execution traces, whose messages stand one after the other: a number is a variable-length integer."""

    def __init__(self, content):
        self.nodes = content.split(b"\n--\n")
        self.tree = [parse(message) for message in messages(self.nodes[0])]

    def numbers(self):
        """Every number under another chain of fields and another text before it."""
        def walk(fields, chain):
            text = b""
            for number, value in fields:
                if isinstance(value, bytes):
                    text = value
                elif isinstance(value, list):
                    yield from walk(value, chain + ((number, re.sub(rb"\d", b"0", text)),))
                yield chain + ((number, text),), fields, number, value
        seen = set()
        for message in self.tree:
            for chain, fields, number, value in walk(message, ()):
                if isinstance(value, int) and chain not in seen:
                    seen.add(chain)
                    yield fields, fields.index((number, value)), str(chain)

    def name(self, place):
        return place[2]

    def write(self, path, place, value):
        fields, at, _ = place
        before = fields[at]
        fields[at] = (before[0], value)
        os.makedirs(path, exist_ok=True)
        for i, node in enumerate(self.nodes):
            with open(os.path.join(path, f"t.{i}.et"), "wb") as file:
                file.write(node if i else b"".join(varint(len(m)) + m for m in map(pack, self.tree)))
        fields[at] = before


def varint(value):
    groups = []
    while True:
        groups.append(value & 127 | (128 if value > 127 else 0))
        value >>= 7
        if not value:
            return bytes(groups)


def read_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at


def messages(data):
    at = 0
    while at < len(data):
        length, at = read_varint(data, at)
        yield data[at:at + length]
        at += length


def parse(data):
    """Pairs of a field's number and its value: an integer, text, or the pairs of a message."""
    fields, at = [], 0
    while at < len(data):
        tag, at = read_varint(data, at)
        if tag & 7 == 0:
            value, at = read_varint(data, at)
        elif tag & 7 == 2:
            length, at = read_varint(data, at)
            value, at = data[at:at + length], at + length
            if len(value) != length:
                raise ValueError("cut short")
            try:
                value = value if value.isalnum() and len(value) > 3 else parse(value)
            except (ValueError, IndexError):
                pass
        else:
            raise ValueError("another wire type")
        fields.append((tag >> 3, value))
    return fields


def pack(fields):
    out = b""
    for number, value in fields:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            value = pack(value) if isinstance(value, list) else value
            out += varint(number << 3 | 2) + varint(len(value)) + value
    return out


class Probe:
    """Runs of the command, and what the dearest took."""

    def __init__(self, rwa):
        self.rwa = rwa
        self.passed = self.failed = self.seconds = self.size = self.answers = 0

    def run(self, arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 1, SECONDS + 2))
        job = subprocess.Popen([self.rwa] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               preexec_fn=limit)
        complaint = job.stderr.read()
        _, status, usage = os.wait4(job.pid, 0)
        seconds, size = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
        code = os.waitstatus_to_exitcode(status)
        good = 0 <= code <= 4 and seconds <= SECONDS and size <= BYTES and complaint.count(b"\n") <= 1
        self.seconds, self.size = max(self.seconds, seconds), max(self.size, size)
        self.passed, self.failed, self.answers = self.passed + good, self.failed + (not good), self.answers + (code <= 1)
        return good, (code, seconds > SLOW), f"exit {code}, {seconds:.1f} s, {size >> 20} MiB"

    def number(self, reader, content, place, path, arguments, powers):
        last = None
        for power in powers:
            if last and last[1] and power % STRIDE:
                continue
            for value in (1 << power, (1 << power) - 1)[:1 + (power in BORDERS)]:
                content.write(path, place, value)
                good, answer, figures = self.run(arguments + [path])
                if not good:
                    print(f"{reader}: {value} {content.name(place)}: {figures}")
                if answer == last and answer[1]:
                    break
                last = answer


def files(wanted):
    """Name, content and arguments."""
    for name, text, arguments in CASES:
        if not wanted or name in wanted:
            yield name, Text(text.encode()), arguments
    for reader, arguments in READERS.items():
        for name in sorted(os.listdir(os.path.join(CORPUS, reader))) if not wanted or reader in wanted else []:
            with open(os.path.join(CORPUS, reader, name), "rb") as file:
                content = file.read()
            yield reader + "/" + name, (Traces if reader == "import-chakra" else Text)(content), arguments


def main():
    names = [name for name, _, _ in CASES] + list(READERS)
    wanted = [word for word in sys.argv[2:] if word != "--quick"]
    if len(sys.argv) < 2 or set(wanted) - set(names):
        sys.exit(__doc__ % " ".join(dict.fromkeys(names)))
    failed = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        for index, (name, content, arguments) in enumerate(files(wanted)):
            probe = Probe(os.path.abspath(sys.argv[1]))
            path = os.path.join(folder, f"{index}-{os.path.basename(name)}")
            for place in content.numbers():
                probe.number(name, content, place, path, arguments, (20, 32, 40) if "--quick" in sys.argv else POWERS)
            failed, runs = failed + probe.failed, runs + probe.passed + probe.failed
            print(f"{name} ({arguments[0]}): {probe.passed} passed, {probe.failed} failed; {probe.answers} answers; "
                  f"at most {probe.seconds:.1f} s, {probe.size >> 20} MiB", flush=True)
    print(f"{runs - failed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
