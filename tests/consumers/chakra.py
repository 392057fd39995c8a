# SPDX-License-Identifier: GPL-3.0-or-later
"""Carry out a folder of Chakra traces: every operation once those it depends on are over, a receive once its send is;
count bytes and blocks.  With protoc the first operations of each file are decoded by the schema, too.

Usage: chakra.py FOLDER NODES BYTES-PER-BLOCK [all-gather|all-reduce BLOCKS]"""
import collections
import os
import re
import shutil
import subprocess
import sys

COMP, SEND, RECV = 4, 5, 6
folder, nodes, block_bytes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
schema = os.path.join(os.path.dirname(os.path.abspath(__file__)), "chakra.proto")


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            assert key & 7 == 2, key
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size
        yield key >> 3, value


def numbers(data):
    at = 0
    while at < len(data):
        value, at = varint(data, at)
        yield value


def decode(data):
    op = {"deps": [], "attr": {}}
    for number, value in fields(data):
        if number in (1, 3):
            op["id" if number == 1 else "type"] = value
        elif number == 2:
            op["name"] = value.decode()
        elif number == 5:
            op["deps"] += numbers(value)
        else:
            assert number == 10, number
            parts = dict(fields(value))
            name = parts.pop(1).decode()
            op["attr"][name] = next(iter(parts.values()))
    return op


protoc, decoded = shutil.which("protoc"), 0
ops = {}
for v in range(nodes):
    with open(os.path.join(folder, f"trace.{v}.et"), "rb") as file:
        data = file.read()
    at, count = 0, 0
    while at < len(data):
        size, at = varint(data, at)
        message, at = data[at:at + size], at + size
        if count > 0:
            op = decode(message)
            assert (v, op["id"]) not in ops
            ops[v, op["id"]] = op
        if protoc and count < 4:
            kind = "Node" if count else "GlobalMetadata"
            decode = [protoc, f"--proto_path={os.path.dirname(schema)}", f"--decode=ChakraProtoMsg.{kind}", schema]
            text = subprocess.run(decode, input=message, stdout=subprocess.PIPE, check=True).stdout.decode()
            assert not re.search(r"^\d+:", text, re.M), text   # a field that the schema has not
            assert count == 0 or f"id: {op['id']}\n" in text and f"name: \"{op['name']}\"" in text
            decoded += 1
        count += 1

holds = collections.defaultdict(lambda: collections.Counter())
kind, blocks = (sys.argv[4], int(sys.argv[5])) if len(sys.argv) > 5 else (None, 0)
for v in range(nodes):
    for b in range(blocks):
        if kind == "all-reduce" or b * nodes // blocks == v:
            holds[v, b] = collections.Counter({v: 1})
sent, arrived, over = {}, {}, set()
waiting = list(ops)
while waiting:
    left = []
    for key in waiting:
        v, op = key[0], ops[key]
        a = op["attr"]
        pair = (a.get("comm_src"), a.get("comm_dst"), a.get("comm_tag"))
        if any((v, d) not in over for d in op["deps"]) or (op["type"] == RECV and pair not in sent):
            left.append(key)
            continue
        if op["type"] == SEND:
            assert a["comm_src"] == v and pair not in sent, (v, a)
            assert a["comm_size"] == a["blocks"] * block_bytes, (a, block_bytes)
            sent[pair] = [holds[v, a["block"] + i].copy() for i in range(a["blocks"])] if blocks else []
        elif op["type"] == RECV:
            assert a["comm_dst"] == v
            arrived[key] = (a["block"], sent[pair])
            added = any(ops[v, k]["type"] == COMP and op["id"] in ops[v, k]["deps"] for w, k in ops if w == v)
            if not added:
                for i, value in enumerate(sent[pair]):
                    holds[v, a["block"] + i] = value
        else:
            received = [d for d in op["deps"] if ops[v, d]["type"] == RECV and (v, d) in arrived]
            first, values = arrived.pop((v, received[-1]))
            for i, value in enumerate(values):
                holds[v, first + i] = holds[v, first + i] + value
        over.add(key)
    assert len(left) < len(waiting), "the traces wait for each other"
    waiting = left
for v in range(nodes):
    for b in range(blocks):
        want = collections.Counter(range(nodes) if kind == "all-reduce" else [b * nodes // blocks])
        assert holds[v, b] == want, (v, b, holds[v, b])
print(f"{len(ops)} operations, {decoded} decoded by protoc")
