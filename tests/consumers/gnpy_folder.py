# SPDX-License-Identifier: GPL-3.0-or-later
"""Judge a folder for gnpy-path-request without GNPy: types and varieties exist, connections join known elements,
every request follows links of the topology along its strict hops, slots lie in the band, and no slot is used twice on a
fibre.

Usage: gnpy_folder.py FOLDER REQUESTS"""
import collections
import json
import os
import sys

folder, expected = sys.argv[1], int(sys.argv[2])
topology, equipment, services = (json.load(open(os.path.join(folder, name + ".json"), encoding="utf-8"))
                                 for name in ("topology", "equipment", "services"))
json.load(open(os.path.join(folder, "default_edfa_config.json"), encoding="utf-8"))
kinds = {}
for element in topology["elements"]:
    assert element["uid"] not in kinds, element["uid"]
    kinds[element["uid"]] = element["type"]
    if element["type"] in ("Edfa", "Fiber"):
        assert any(e["type_variety"] == element["type_variety"] for e in equipment[element["type"]])
after = collections.defaultdict(list)
for c in topology["connections"]:
    assert c["from_node"] in kinds and c["to_node"] in kinds
    after[c["from_node"]].append(c["to_node"])


def fibre(start, end):
    """The first fibre of the chain of amplifiers and fibres from one Roadm to the next."""
    for element in after[start]:
        first = None
        while kinds[element] in ("Edfa", "Fiber"):
            if kinds[element] == "Fiber" and first is None:
                first = element
            assert len(after[element]) == 1
            element = after[element][0]
        if element == end and first:
            return first
    raise AssertionError(f"no way from {start} to {end}")


si = equipment["SI"][0]
modes = {(t["type_variety"], m["format"]): m for t in equipment["Transceiver"] for m in t["mode"]}
used = set()
requests = services["path-request"]
assert len(requests) == expected, len(requests)
for request in requests:
    te = request["path-constraints"]["te-bandwidth"]
    mode = modes[te["trx_type"], te["trx_mode"]]
    assert mode["min_spacing"] <= te["spacing"] and mode["bit_rate"] == te["path_bandwidth"]
    assert mode["baud_rate"] * (1 + mode["roll_off"]) <= te["spacing"]
    slot = te["effective-freq-slot"][0]
    centre = 193.1e12 + slot["N"] * 6.25e9
    assert slot["M"] * 12.5e9 == te["spacing"]
    assert si["f_min"] <= centre - te["spacing"] / 2 and centre + te["spacing"] / 2 <= si["f_max"]
    hops = [h["num-unnum-hop"]["node-id"] for h in request["explicit-route-objects"]["route-object-include-exclude"]]
    roadms = [h for h in hops if kinds[h] == "Roadm"]
    assert roadms[0] in after[request["source"]] and request["destination"] in after[roadms[-1]]
    for a, b in zip(roadms, roadms[1:]):
        ways = [(a, b), (b, a)] if request["bidirectional"] else [(a, b)]
        for start, end in ways:
            for n in range(slot["N"] - slot["M"], slot["N"] + slot["M"]):
                key = (fibre(start, end), n)
                assert key not in used, key
                used.add(key)
print(f"{len(requests)} requests on {len({n for _, n in used}) // 8} slots")
