#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Give every number of small input files the sizes 2^10 ... 2^40, and see what the command makes of each.

Usage: probe-readers.py path/to/rwa [--quick] [READER ...], of: %s

An answer or a one-line refusal within 5 s of processor time and 1 GB passes; anything else is listed, and the exit code
is 1.  Sizes between two that get the same slow answer (above SLOW seconds) are left out: a cost that grows shows at one
of them.
"""
import glob, os, re, resource, subprocess, sys, tempfile

POWERS = range(10, 41)
BORDERS = (16, 24, 31, 32)    # of types and limits: there one less is tried too
SECONDS, BYTES = 5, 1 << 30
SLOW, STRIDE = 0.2, 5    # of seconds; and of the powers, at whose multiples slow answers are asked for
CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "fuzz", "corpus")

# What reads the files from which fuzzing starts: those of a reader, or one of them.
NETWORK, DEMANDS = ["bounds", "--network"], ["assign", "--time-limit", "0.5", "--network", "abilene12-15", "--demands"]
SLOTS = ["assign", "--network", "mesh:2x2", "--slots", "99", "--time-limit", "0.5", "--demands"]
SIGNALS = ["assign", "--network", "polska12-18", "--rate", "100G", "--time-limit", "0.5", "--demands", "random:4"]
IMPORT, PAIR = ["import", "--network", "ring:4"], ["import", "--network", "line:2"]
CIRCUITS = ["circuits", "--network", "ocs:4x2"]
READERS = [
    ("network-graphml", NETWORK), ("network-gml", NETWORK), ("network-sndlib", NETWORK),
    ("network-sndlib-xml", NETWORK), ("network-gnpy", NETWORK), ("network-json", NETWORK), ("network-edges", NETWORK),
    ("demands-csv", DEMANDS), ("demands-csv/widths.csv", SLOTS), ("demands-json", DEMANDS),
    ("demands-json/rates.json", SLOTS), ("demands-sndlib", DEMANDS), ("demands-sndlib-xml", DEMANDS),
    ("device", ["plan", "--network", "ring:8", "--time-limit", "0.5", "--device"]),
    ("fiber", ["gsnr", "--spans", "3x80", "--device"]), ("fiber/slots.json", SIGNALS + ["--device"]),
    ("modulations", ["gsnr", "--network", "polska12-18", "--route", "0,2", "--rate", "100G", "--modulations"]),
    ("modulations/two.json", SIGNALS + ["--modulations"]), ("openconfig", ["check"]), ("schedule", ["check"]),
    ("schedule/ring.jsonl", ["show"]), ("assignment", ["check"]), ("assignment/slots.jsonl", ["show"]),
    ("import-csv", IMPORT), ("import-msccl", IMPORT), ("import-harvest", IMPORT), ("import-mscclpp", IMPORT),
    ("import-mscclpp/pair", PAIR), ("import-teccl", IMPORT), ("import-teccl/pair", PAIR),
    ("import-forestcoll", IMPORT), ("import-forestcoll/pair", PAIR), ("import-chakra", IMPORT), ("traffic", CIRCUITS),
    ("tasks", ["place", "--devices", "2"]), ("../shard.csv", ["sweep", "--merge"]),
]


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

    def numbers(self):
        """Every number under another chain of fields and another text before it: its place, and those of the lengths of
        the messages around it."""
        data, at, seen = self.nodes[0], 0, set()
        while at < len(data):
            length, begin = read_varint(data, at)
            for chain, place, around in walk(data, begin, begin + length, (), ((at, begin),)):
                if chain not in seen:
                    seen.add(chain)
                    yield (*around, place), chain
            at = begin + length

    def name(self, place):
        return str(place[1])

    def write(self, path, place, value):
        data, grown = self.nodes[0], 0
        for at, end in reversed(place[0]):      # the number, then the lengths, which grow with it
            new = varint(read_varint(data, at)[0] + grown if end != place[0][-1][1] else value)
            data, grown = data[:at] + new + data[end:], grown + len(new) - (end - at)
        os.makedirs(path, exist_ok=True)
        for i, node in enumerate(self.nodes):
            with open(os.path.join(path, f"t.{i}.et"), "wb") as file:
                file.write(node if i else data)


def varint(value):
    return bytes([value & 127 | 128]) + varint(value >> 7) if value > 127 else bytes([value])


def read_varint(data, at):
    """A number, and where it ends."""
    low = data[at] & 127
    if data[at] < 128:
        return low, at + 1
    value, at = read_varint(data, at + 1)
    return value << 7 | low, at


def walk(data, at, end, chain, around):
    """The numbers of the message at data[at:end]: a chain of fields, each with the text before it, and places."""
    text = b""
    while at < end:
        tag, begin = read_varint(data, at)
        number, after = read_varint(data, begin)
        if tag & 7 not in (0, 2) or after + (number if tag & 7 else 0) > end:
            raise ValueError("no message")
        if tag & 7 == 0:
            yield (*chain, (tag >> 3, text)), (begin, after), around
            at = after
            continue
        at, part = after + number, data[after:after + number]
        below = (*chain, (tag >> 3, re.sub(rb"\d", b"0", text)))
        try:
            inner = None
            if not part.isalnum() or number <= 3:
                inner = list(walk(data, after, at, below, (*around, (begin, after))))
        except (ValueError, IndexError):
            inner = None
        if inner is None:
            text = part
        else:
            yield from inner


class Probe:
    """Runs of the command, and what the dearest took."""

    def __init__(self, rwa):
        self.rwa = rwa
        self.passed = self.failed = self.seconds = self.size = self.answers = 0

    def run(self, arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 1, SECONDS + 2))
        job = subprocess.Popen([self.rwa] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, preexec_fn=limit)
        complaint = job.stderr.read()
        _, status, usage = os.wait4(job.pid, 0)
        seconds, size = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
        code = os.waitstatus_to_exitcode(status)
        good = 0 <= code <= 4 and seconds <= SECONDS and size <= BYTES and complaint.count(b"\n") <= 1
        self.seconds, self.size = max(self.seconds, seconds), max(self.size, size)
        self.passed, self.failed = self.passed + good, self.failed + (not good)
        self.answers += code <= 1
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
    for reader, arguments in READERS:
        place = os.path.join(CORPUS, reader)
        for path in sorted(glob.glob(os.path.join(place, "*")) or [place]) if not wanted or reader in wanted else []:
            with open(path, "rb") as file:
                content = file.read()
            yield os.path.relpath(path, CORPUS), (Traces if reader == "import-chakra" else Text)(content), arguments


def main():
    names = [reader for reader, _ in READERS]
    wanted = [word for word in sys.argv[2:] if word != "--quick"]
    if len(sys.argv) < 2 or set(wanted) - set(names):
        sys.exit(__doc__ % " ".join(names))
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
