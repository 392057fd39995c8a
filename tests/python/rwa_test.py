# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python module beside the command and the headers: same answers, the library's layouts, views without copies.

Usage: RWA_LIBRARY=build/librwa.so.N PYTHONPATH=python python3 tests/python/rwa_test.py RWA"""
import ctypes
import gc
import json
import subprocess
import sys
import tempfile
import tracemalloc
import unittest

import rwa

COMMAND = "build/rwa"


def said(*words):
    return json.loads(subprocess.run([COMMAND, *words, "--format", "json"], check=True, capture_output=True).stdout)


class Module(unittest.TestCase):
    def test_layouts_are_those_of_the_library(self):
        """Every member lies where tests/abi.txt has it; a structure may be the beginning of the library's."""
        layout = {}
        with open("tests/abi.txt", encoding="ascii") as lines:
            for line in lines:
                name, *numbers = line.split()
                layout[name] = tuple(map(int, numbers)) if numbers and numbers[0].isdigit() else None
        seen = 0
        for kind in vars(rwa).values():
            if not isinstance(kind, type) or not issubclass(kind, ctypes.Structure):
                continue
            for name, _ in kind._fields_:
                member = f"{kind.__name__}.{name}"
                if kind.__name__ == "rwa_assignment_report" and name.startswith("bound"):
                    continue    # the members of a nested certificate
                field = getattr(kind, name)
                self.assertEqual(layout[member], (field.offset, field.size), member)
                seen += 1
        self.assertGreater(seen, 100)

    def test_plans_are_those_of_the_command(self):
        for network, kind in (("ring:16", "all-gather"), ("torus:4x4", "all-reduce"), ("star:6", "broadcast")):
            plan = rwa.plan(rwa.Network(network, wavelengths=4), kind)
            figures = said("plan", "--network", network, "-w", "4", "--collective", kind)
            self.assertEqual((plan.steps, plan.lightpaths, plan.bound, plan.optimal, plan.scheme),
                             (figures["steps"], figures["lightpaths"], figures["bound"]["steps"], figures["optimal"],
                              figures["scheme"]))
            self.assertAlmostEqual(plan.time_seconds, figures["time_seconds"], delta=1e-6 * plan.time_seconds)
            self.assertTrue(rwa.check(plan.schedule).ok)

    def test_a_million_lightpaths_without_a_copy(self):
        """1024 nodes receive 1023 blocks each: over a million lightpaths, in columns of the library's own memory."""
        sched = rwa.plan(rwa.Network("ring:1024", wavelengths=64)).schedule.expand()
        self.assertGreater(sched.records, 1000000)
        columns = [sched.src, sched.dst, sched.block, sched.channel]
        for name, column in zip(("src", "dst", "block", "channel"), columns):
            self.assertEqual(len(column), sched.records)
            again = getattr(sched, name)    # a copy would lie elsewhere
            self.assertEqual(address(column), address(again))
        with self.assertRaises((TypeError, ValueError)):
            columns[0][0] = 1
        first = sched.step(1)
        self.assertEqual(first.start, 0)
        pairs = set(zip(columns[1].tolist(), columns[2].tolist()))
        self.assertEqual(len(pairs), sched.records)     # every node receives every block that is not its own once
        self.assertEqual(len(pairs) * 1024, 1023 * 1024 * (1 + max(block for _, block in pairs)))
        column, last = columns[0], columns[0][-1]
        del sched, columns
        gc.collect()
        self.assertEqual(column[-1], last)          # the view keeps its schedule alive

    @unittest.skipUnless(rwa.numpy, "without NumPy columns are memoryviews")
    def test_numpy_arrays_own_no_memory(self):
        """Arrays of a million lightpaths take none: views of the library's columns, with their types."""
        sched = rwa.plan(rwa.Network("ring:1024", wavelengths=64)).schedule.expand()
        tracemalloc.start()
        columns = [sched.src, sched.dst, sched.block, sched.channel]
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertLess(peak, 100000)               # a copy of one column would take four million bytes
        for column in columns:
            self.assertIsInstance(column, rwa.numpy.ndarray)
            self.assertEqual((column.dtype, column.shape), (rwa.numpy.uint32, (sched.records,)))
            self.assertFalse(column.flags.owndata or column.flags.writeable)
        received = rwa.numpy.bincount(columns[1])   # by each node, the blocks of all others
        self.assertTrue((received * 1024 == sched.records).all())
        self.assertEqual(int(columns[3].max()), 63)

    def test_settings_add_up(self):
        """What is set in a step is cleared or kept in the next."""
        sched = rwa.plan(rwa.Network("ring:12", wavelengths=3)).schedule
        up = 0
        for step in range(1, sched.steps + 2):
            settings = sched.settings(step)
            change = [int(r["change"]) if rwa.numpy else r.change for r in settings.records]
            self.assertEqual(change.count(rwa.CLEAR) + change.count(rwa.KEEP), up)
            self.assertEqual(settings.changes, len(change) - change.count(rwa.KEEP))
            up = change.count(rwa.SET) + change.count(rwa.KEEP)
            waiting = [sched.settings(step, node).changes for node in list(settings.nodes)]
            self.assertEqual((waiting, sum(waiting)), (sorted(waiting), settings.changes))
        self.assertEqual(up, 0)

    def test_repair_members_and_names(self):
        net = rwa.Network("ring:16", wavelengths=4, reserve=[1])
        plan = rwa.plan(net, "all-reduce", members=range(0, 16, 2))
        self.assertNotIn(1, list(plan.schedule.channel))
        after = plan.schedule.repair(["9>10"], at_step=2)
        self.assertTrue(rwa.check(after.schedule))
        self.assertEqual(net.links("5-6"), [5, 21])
        self.assertEqual(rwa.Network("nsfnet14-21").link(0), (0, 1))

    def test_assignment_and_bounds(self):
        figures = said("assign", "--network", "nsfnet14-21")
        answer = rwa.assign(rwa.Network("nsfnet14-21"))
        self.assertEqual((answer.wavelengths, answer.bound, answer.optimal),
                         (figures["wavelengths"], figures["bound"]["value"], figures["optimal"]))
        self.assertEqual(len(list(answer.routes())), 91)
        self.assertTrue(rwa.check(answer).ok)
        self.assertEqual(repr(answer), "<rwa.Assignment: 91 of 91 lightpaths, 13 wavelengths, lower bound 13>")
        self.assertEqual(repr(rwa.check(answer)), "<rwa.Check: ok>")
        self.assertIn(19, [value for _, value, unit, _ in rwa.bounds(rwa.Network("ring:1024")) if unit == "steps"])

    def test_files_and_wrong_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            sched = rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule
            sched.write(folder + "/plan.jsonl")
            self.assertEqual(rwa.read(folder + "/plan.jsonl").lightpaths, sched.lightpaths)
            self.assertTrue(rwa.check(folder + "/plan.jsonl").ok)
        with self.assertRaises(rwa.Error):
            rwa.Network("ring:1")
        with self.assertRaises(rwa.Error):
            rwa.Network("ring:8").links("2-4")
        with self.assertRaises(rwa.Infeasible):
            rwa.plan(rwa.Network("line:6", fail=["2-3"]))


def address(column):
    return column.__array_interface__["data"][0] if rwa.numpy else ctypes.addressof(column.obj)


if __name__ == "__main__":
    COMMAND = sys.argv.pop(1)
    unittest.main()
