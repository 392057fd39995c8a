# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python module beside the command and the headers: same answers, the library's layouts, views without copies.

Usage: RWA_LIBRARY=build/librwa.so.N PYTHONPATH=python python3 tests/python/rwa_test.py RWA [short|thorough]"""
import ast
import contextlib
import ctypes
import doctest
import gc
import glob
import importlib
import inspect
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
import unittest
from xml.etree import ElementTree

import rwa
from rwa import _library

COMMAND = "build/rwa"
THOROUGH = False
MODULES = [importlib.import_module(f"rwa.{os.path.basename(path)[:-3]}") for path in glob.glob("python/rwa/[!_]*.py")]
MODULES.append(_library)
numpy = _library.numpy


def said(*words):
    return json.loads(subprocess.run([COMMAND, *words, "--format", "json"], check=True, capture_output=True).stdout)


def rounded(values):
    """The command prints 15 digits."""
    return [rounded(each) if isinstance(each, (list, tuple)) else float(f"{each:.12g}") if isinstance(each, float) else
            each for each in values]


def public():
    """The public functions and classes, and the public methods and properties of the classes."""
    for name in rwa.__all__:
        thing = getattr(rwa, name)
        if inspect.isfunction(thing) or inspect.isclass(thing):
            yield name, thing
        if inspect.isclass(thing) and thing.__module__.startswith("rwa"):
            for member, value in vars(thing).items():
                value = getattr(value, "__func__", value)       # of class and static methods
                if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    yield f"{name}.{member}", value


class Declarations(unittest.TestCase):
    def test_layouts_are_those_of_the_library(self):
        """Every member of every structure lies where tests/abi.txt has it, which has all and which tools/check-abi.sh
        compares with a compiled program; so do the values of enumerators."""
        layout = {}
        with open("tests/abi.txt", encoding="ascii") as lines:
            for line in lines:
                *name, numbers = re.match(r"(sizeof )?(\S+) (.*)", line).groups()
                layout["".join(filter(None, name))] = tuple(map(int, numbers.split()))
        del layout["sizeof rwa_allocator"]      # has functions; Python does not set it
        seen = set()
        for name in (f"rwa_{name}" for name in _library._structs):
            kind = _library.struct(name[4:])
            self.assertEqual((ctypes.sizeof(kind),), layout.pop(f"sizeof {name}"), name)
            for member, _ in kind._fields_:
                field = getattr(kind, member)
                self.assertEqual(layout[f"{name}.{member}"], (field.offset, field.size), f"{name}.{member}")
                seen.add(f"{name}.{member}")
        self.assertEqual({name for name in layout if "." in name and not name.startswith("rwa_allocator")}, seen)
        self.assertEqual({name: number for name, (number, *_) in layout.items() if "." not in name}, _library.constants)

    def test_functions_are_those_of_the_library(self):
        """Each exported function is declared, with a type for each parameter."""
        with open("tests/exports.txt", encoding="ascii") as lines:
            names = lines.read().split()
        self.assertEqual(sorted(names), sorted("rwa_" + name for name in _library._functions))
        for name in _library._functions:
            if name != "set_allocator":
                getattr(_library.lib, name)

    def test_the_library_named_is_that_of_the_build(self):
        with open("Makefile", encoding="utf-8") as lines:
            self.assertIn(f"SOMAJOR = {_library.SONAME[-1]}\n", lines.read())


class Documentation(unittest.TestCase):
    def test_examples_are_true(self):
        here, found = os.getcwd(), 0
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for module in MODULES:
                    result = doctest.testmod(module, extraglobs={"rwa": rwa}, optionflags=doctest.NORMALIZE_WHITESPACE)
                    self.assertEqual(result.failed, 0, module.__name__)
                    found += result.attempted
            finally:
                os.chdir(here)
        self.assertGreater(found, 90)

    def test_all_that_is_public_has_hints_and_an_example(self):
        for name, thing in public():
            if inspect.isclass(thing) and issubclass(thing, tuple):
                self.assertTrue(thing.__doc__, name)
                continue
            self.assertTrue(inspect.getdoc(thing), name)
            if not isinstance(thing, property):
                self.assertIn(">>>", thing.__doc__, f"{name} has no example")
            function = thing.__init__ if inspect.isclass(thing) else getattr(thing, "fget", thing)
            if inspect.isfunction(function):
                hints = function.__annotations__
                self.assertIn("return", hints, name)
                parameters = list(inspect.signature(function).parameters)
                self.assertEqual([p for p in parameters if p not in hints and p not in ("self", "cls")], [], name)

    def test_every_attribute_that_is_declared_is_there(self):
        """Annotations of a class are what its report or its getters answer."""
        net = rwa.Network("ring:8", wavelengths=2)
        plan, answer = rwa.plan(net), rwa.assign(net)
        for thing in (net, plan, plan.schedule, rwa.check(plan), answer, rwa.Device("aggressive"), rwa.Demands(net)):
            self.assertGreater(len(type(thing).__annotations__), 1)
            for name in type(thing).__annotations__:
                self.assertNotIsInstance(getattr(thing, name), (bytes, ctypes.c_int), name)

    def test_the_source_is_python_3_9(self):
        for path in glob.glob("python/rwa/*.py"):
            with open(path, encoding="utf-8") as source:
                ast.parse(source.read(), feature_version=(3, 9))

    def test_blocks_of_the_guide_run(self):
        """Each block ```python of the pages, a document at a time; "# 13" behind a last expression is its value."""
        here, ran = os.getcwd(), 0
        for path in ["README.md", *sorted(glob.glob("docs/*/*.md"))]:
            with open(path, encoding="utf-8") as document:
                blocks = re.findall(r"^```python\n(.*?)^```", document.read(), re.M | re.S)
            names = {}
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                try:
                    for block in blocks:
                        ran += 1
                        with self.subTest(path, block=block), contextlib.redirect_stdout(io.StringIO()):
                            *body, last = ast.parse(block).body
                            exec(compile(ast.Module(body, []), path, "exec"), names)
                            expected = re.search(r"  # (.*)\n$", block)
                            if isinstance(last, ast.Expr) and expected:
                                got = eval(compile(ast.Expression(last.value), path, "eval"), names)
                                self.assertEqual(str(got), expected[1])
                            else:
                                self.assertFalse(expected, "a value, but no expression")
                                exec(compile(ast.Module([last], []), path, "exec"), names)
                finally:
                    os.chdir(here)
        self.assertGreater(ran, 10)


class Interruption(unittest.TestCase):
    def setUp(self):
        signal.signal(signal.SIGINT, signal.default_int_handler)    # a shell ignores it in what runs in the background

    def interrupted_s(self, work, after_s):
        """Processor seconds from SIGINT to KeyboardInterrupt: a busy machine adds time in which nothing runs."""
        sent = []

        def send():
            time.sleep(after_s)
            sent.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)
        sender = threading.Thread(target=send)
        sender.start()
        with self.assertRaises(KeyboardInterrupt):
            work()
            sender.join()       # done before: the signal comes here
            time.sleep(1)
        arrived = time.process_time()
        sender.join()
        return arrived - sent[0]

    def test_ctrl_c_stops_within_a_tenth_of_a_second(self):
        """At random moments of long calls; the library is usable afterwards, and the handler is Python's own."""
        net, wide = rwa.Network("torus:16x16", wavelengths=8), rwa.Network("cost266-37-57")
        works = [lambda: rwa.plan(net, "all-to-all", max_hops=9), lambda: rwa.assign(wide, solver="ilp", time_limit=60),
                 lambda: rwa.traffic(wide, 400, requests=10**8), lambda: rwa.compare(net, "all-reduce")]
        delays = [self.interrupted_s(works[i % len(works)], 0.05 + 0.037 * (i % 11))
                  for i in range(50 if THOROUGH else 8)]
        self.assertLess(max(delays), 0.1, f"seconds until KeyboardInterrupt: {sorted(delays)[-5:]}")
        if THOROUGH:
            print(f"KeyboardInterrupt after {1e3 * max(delays):.1f} ms at most, {len(delays)} times")
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        self.assertEqual(rwa.plan(rwa.Network("ring:16", wavelengths=2), scheme="wavefront").steps, 5)

    def test_progress_is_told_and_may_stop(self):
        phases = []
        rwa.plan(rwa.Network("ring:64", wavelengths=4), progress=lambda *told: phases.append(told))
        self.assertTrue(phases)
        self.assertTrue(all(fraction is None or 0 <= fraction <= 1 for _, fraction in phases))

        def stop(phase, fraction):
            raise LookupError(phase)
        with self.assertRaises(LookupError):
            rwa.plan(rwa.Network("ring:64", wavelengths=4), progress=stop)

    def test_threads_work_at_the_same_time(self):
        """Each call has its own progress, in the thread that called."""
        seen = {}

        def work(n):
            net = rwa.Network(f"ring:{n}", wavelengths=4)
            rwa.plan(net, progress=lambda phase, fraction: seen.setdefault(n, set()).add(threading.get_ident()))
        threads = [threading.Thread(target=work, args=(n,)) for n in (32, 48, 64)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([len(idents) for idents in seen.values()], [1, 1, 1])

    def test_memory_does_not_grow(self):
        """What 1000 plans leave behind (100 in the short test) the next nine times as many do not add to."""
        def plans(count):
            for i in range(count):
                plan = rwa.plan(rwa.Network("ring:8", wavelengths=1 + i % 4), "all-reduce")
                rwa.check(plan), plan.schedule.src, rwa.bounds(plan.schedule.network)
            gc.collect()
            with open("/proc/self/statm", encoding="ascii") as pages:
                return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        first = 1000 if THOROUGH else 10
        before = plans(first)
        grown = plans(9 * first) - before
        if THOROUGH:
            print(f"resident after {first} plans {before / 1e6:.1f} MB, {grown / 1e6:.2f} MB more after {10 * first}")
        self.assertLess(grown, 4e6)


class Answers(unittest.TestCase):
    def test_tables_are_those_of_the_command(self):
        net, fiber = rwa.Network("ring:16", wavelengths=2), rwa.Fiber("ssmf")
        lines = said("compare", "--network", "ring:16", "-w", "2")["schemes"]
        names = ("asked", "objective", "scheme", "outcome", "steps", "paper_seconds", "circuit_seconds", "lightpaths")
        for row, line in zip(rwa.compare(net), lines):
            self.assertEqual(rounded(getattr(row, name) for name in names), rounded(line[name] for name in names))
            self.assertEqual((row.formula, row.bound), (line["formula_steps"], line["bound"]["steps"]))
        self.assertEqual(len(rwa.compare(net)), len(lines))
        lines = said("bounds", "--network", "ring:16", "-w", "2")["bounds"]
        self.assertEqual([{**row._asdict(), "holds": bool(row.holds)} for row in rwa.bounds(net)], lines)
        points = said("traffic", "--network", "nsfnet14-21", "-w", "8", "--load", "20,40", "--requests", "20000",
                      "--routing", "shortest,alternate")["points"]
        table = rwa.traffic(rwa.Network("nsfnet14-21", wavelengths=8), [20, 40], routing=["shortest", "alternate"],
                            requests=20000)
        self.assertEqual(sorted((row.erlang, row.routing, row.blocked) for row in table),
                         sorted((point["erlang"], point["routing"], point["blocked"]) for point in points))
        route = said("gsnr", "--network", "nsfnet14-21", "--route", "0,1,3", "--rate", "400G")
        nsfnet = rwa.Network("nsfnet14-21")
        self.assertEqual(rounded(fiber.gsnr(nsfnet, [0, 1, 3]).column("gsnr_db")),
                         rounded(carrier["gsnr_db"] for carrier in route["carriers"]))
        self.assertEqual(rounded((row.format, row.margin_db, row.reaches) for row in fiber.formats(nsfnet, [0, 1, 3])),
                         rounded((row["modulation"], row["margin_db"], row["reaches"]) for row in route["formats"]))
        self.assertEqual(fiber.choose(nsfnet, [0, 1, 3], "400G").format, route["choice"]["modulation"])

    @unittest.skipUnless(numpy, "without NumPy there are lists only")
    def test_arrays_are_taken_as_lists_are(self):
        net = rwa.Network("nsfnet14-21", wavelengths=4)
        pairs = numpy.array([[0, 5], [3, 9], [2, 11]])
        matrix = numpy.zeros((14, 14), int)
        matrix[pairs[:, 0], pairs[:, 1]] = 1
        lists = [tuple(pair) for pair in pairs.tolist()]
        self.assertEqual([route.nodes for route in rwa.assign(net, pairs).routes()],
                         [route.nodes for route in rwa.assign(net, lists).routes()])
        for demands in (pairs, lists, rwa.Demands.matrix(net, matrix)):
            answer = rwa.assign(net, demands)
            self.assertEqual(sorted((route.nodes[0], route.nodes[-1]) for route in answer.routes()), sorted(lists))
            self.assertEqual(answer.lightpaths, 3)
        rates = rwa.Demands(net, pairs, rates=numpy.full(3, 1e11), widths=numpy.array([1, 2, 3]))
        self.assertEqual(rates.lightpaths, 3)
        plan = rwa.plan(net, "broadcast", members=numpy.arange(4), root=numpy.int64(3), radix=numpy.array([])[:0])
        self.assertEqual(plan.schedule.collective.root, 3)
        self.assertEqual(rwa.Network.from_links(pairs - pairs.min()).nodes, 12)
        ring = numpy.array([(s, v, (v + 1) % 5, (v - s + 1) % 5) for s in range(1, 5) for v in range(5)])
        self.assertEqual(rwa.plan_transfers(rwa.Network("ring:5"), "all-gather", ring).steps, 4)

    def test_transfers_that_do_not_complete_are_refused(self):
        with self.assertRaisesRegex(rwa.Infeasible, "node"):
            rwa.plan_transfers(rwa.Network("ring:4"), "all-gather", [(1, 0, 1, 0)])
        with self.assertRaises(rwa.Error):
            rwa.plan_transfers(rwa.Network("ring:4"), "all-gather", [(1, 0, 7, 0)])

    def test_notebooks_show_tables_with_every_text_escaped(self):
        net = rwa.Network.from_links([("<b>&1", "b"), ("b", "c"), ("c", "<b>&1")], wavelengths=4)
        self.assertEqual(net.name(0), "<b>&1")
        plan, answer = rwa.plan(net), rwa.assign(net)
        for thing in (plan, rwa.check(plan), answer, rwa.compare(net, scheme=["nearest"]), rwa.bounds(net),
                      rwa.Table([rwa.Link("<i>", "&", 0, 0)])):
            text = ElementTree.fromstring(thing._repr_html_())
            self.assertEqual(text.tag, "table")
        self.assertEqual([cell.text for cell in text.iter("td")][:2], ["<i>", "&"])
        self.assertIsNone(net._repr_html_())        # its repr() is shown
        self.assertEqual(ElementTree.fromstring(plan.schedule._repr_html_()).tag.rpartition("}")[2], "svg")

    def test_members_outside_their_range_are_refused(self):
        """By the library, for programs in C: in every structure that a caller fills in, every enumerator past the last
        one, and every amount that is negative or no number."""
        made, answered = _library.made, _library.answered
        net, traffic = rwa.Network("ring:6", wavelengths=2), rwa.Traffic([(0, 1, 5)], nodes=6)
        state, coll, schedule = rwa.State(net), rwa.Collective("all-gather", 6), rwa.plan(net).schedule
        tasks = rwa.Tasks([(1,)])
        numbers, problem = (ctypes.c_uint32 * 2)(0, 1), _library.struct("problem")
        problem = problem(ctypes.sizeof(problem), 2, 1, numbers, (ctypes.c_uint32 * 1)(1))
        calls = {"plan_options": lambda of: made("plan", "plan_make", net, coll, of),
                 "collective": lambda of: made("plan", "plan_make", net, of, None),
                 "network_options": lambda of: made("network", "network_open", "ring:6", of),
                 "check_options": lambda of: made("check", "check_schedule", schedule, of),
                 "cost_options": lambda of: answered("cost_schedule", schedule, of),
                 "view_options": lambda of: _library.text_of("view_svg", schedule, of),
                 "import_options": lambda of: made("schedule", "schedule_import_sized", None, 0, "none", net, of),
                 "assignment_options": lambda of: made("assignment", "assignment_make", net, rwa.Demands(net), of),
                 "state_options": lambda of: made("state", "state_create", net, of),
                 "request": lambda of: answered("state_add", state, of),
                 "blocking_options": lambda of: answered("blocking_simulate", net, 1, of),
                 "circuits_options": lambda of: made("circuits", "circuits_make", traffic, 2, of),
                 "allocation_options": lambda of: made("allocation", "allocation_make", traffic, net, of),
                 "placement_options": lambda of: made("placement", "placement_make", tasks, of),
                 "limits": lambda of: made("schedule", "schedule_read", "none", of),
                 "solver_options": lambda of: _library.lib.solver_run_sized(
                     numbers, _library.struct("solver_result")(), 0, "first-fit", problem, of)}
        for name in _library._structs:
            members = dict(_library.struct(name)._fields_)
            for member, kind in members.items() if "struct_size" in members else ():
                values = [max(kind.words) + 1] if hasattr(kind, "words") else []
                for value in values or [-1, float("nan"), float("inf")] * (kind is ctypes.c_double):
                    given = _library.struct(name)()
                    more = {"collective": (1, 6, 0, 6, 0), "request": (0, 1)}.get(name, ())
                    getattr(_library.lib, f"{name}_init_sized")(given, ctypes.sizeof(given), *more)
                    setattr(given, member, value)
                    with self.subTest(f"{name}.{member} {value}"):
                        with self.assertRaises(rwa.Error) as refused:
                            calls[name](given)
                        self.assertEqual(refused.exception.status, -1, refused.exception)

    def test_unknown_options_are_refused(self):
        for call in (lambda: rwa.plan(rwa.Network("ring:8"), max_hop=3), lambda: rwa.check("none", cots="paper"),
                     lambda: rwa.plan("ring:8"), lambda: rwa.assign("ring:8")):
            with self.assertRaises(TypeError):
                call()

    def test_nothing_is_cut_and_no_name_completed(self):
        """C's conversions would take each of these for something else: what is said names the argument, and what may
        stand there."""
        net, state = rwa.Network("ring:8"), rwa.State(rwa.Network("ring:8"))
        schedule = rwa.plan(net).schedule
        for call, words in (
                (lambda: state.undo(2**32 + 1), "count: expected a whole number from 0 to 4294967295, not 4294967297"),
                (lambda: state.release(2**64 + 1), "id: .*from 0 to 18446744073709551615"),
                (lambda: state.release(-1), "id: "), (lambda: state.release(1.5), "id: "),
                (lambda: state.add(0, 2, width=2**32 + 1), "width: "), (lambda: state.fail(2**32), "link"),
                (lambda: state.add(0, 2, policy="fit"), "no policy 'fit', expected first-fit, .*, exact-fit"),
                (lambda: state.find("up"), "no condition 'up', expected unprotected"),
                (lambda: rwa.Network("ring:8", wavelengths=2.7), "wavelengths: "),
                (lambda: rwa.Network("ring:8", wavelengths=2**32 + 8), "wavelengths: "),
                (lambda: rwa.Network("ring:8", reserve=[2**32]), "reserve: "),
                (lambda: rwa.Network("ring:8", rate=float("inf")), "rate: expected a finite number"),
                (lambda: rwa.Limits(time_limit_s=float("nan")), "time_limit_s: "),
                (lambda: rwa.plan(net, time_limit=float("inf")), "time_limit: "),
                (lambda: rwa.plan(net, message=2.5), "message"), (lambda: rwa.plan(net, max_hops=-1), "max_hops: "),
                (lambda: rwa.plan(net, objective="least"), "no objective 'least', expected time, steps"),
                (lambda: rwa.plan(net, cost="free"), "no cost 'free', expected paper, circuit, overlap"),
                (lambda: rwa.assign(net, [(0, 1, 2**32 + 1)]), "count: "),
                (lambda: rwa.traffic(net, float("nan")), "erlang: "),
                (lambda: rwa.Device("aggressive").reach(4, 4, "ring"), "no power_model 'ring', expected rings, paper"),
                (lambda: schedule.step(2**32 + 1), "step: "), (lambda: rwa.Schedule().src, "sched: "),
                (lambda: rwa.plan(net, radix="44"), "radix: "), (lambda: rwa.plan(net, scheme=3), "scheme: "),
                (lambda: rwa.plan(net, device=rwa.Fiber()), "device: expected a device"),
                (lambda: rwa.Traffic([(0, 1, 5, 6)], nodes=2), "flows: expected src, dst, bytes"),
                (lambda: rwa.Traffic([(0, 1)], nodes=4), "flows: expected src, dst, bytes"),
                (lambda: rwa.Tasks([b"x"]), "tasks: expected a list"), (lambda: rwa.Tasks([()]), "tasks: expected dur"),
                (lambda: rwa.Tasks([(1,)] * 2, [(0, 1)]), "edges: expected from, to, bytes"),
                (lambda: state.restore(None), "order: expected a number"), (lambda: state.restore([1]), "order: "),
                (lambda: state.restore(1.5), "order: expected a whole number from .*, not 1.5"),
                (lambda: state.add(0, 2, routing=2**32 + 1), "routing: "),
                (lambda: rwa.State(net, model=2**64), "model: "), (lambda: schedule.time(cost=-2**70), "cost: "),
                (lambda: rwa.plan(net, order=99), "rwa_plan_options: order is 99, expected 0 to 2"),
                (lambda: len(rwa.State.__new__(rwa.State)), "state: expected a state, not an empty State"),
                (lambda: rwa.Playbook.__new__(rwa.Playbook).plays(), "expected a playbook, not an empty Playbook"),
                (lambda: rwa.plan(net, wavelengths=2), "no option wavelengths; rwa.Network.* has it"),
                (lambda: schedule.page("x"), "other: "), (lambda: schedule.step(1.5), "step: "),
                (lambda: rwa.playbook(schedule, "/nowhere", "linkss"), "no kind 'linkss', expected links, nodes")):
            with self.subTest(words), self.assertRaisesRegex((ValueError, TypeError, rwa.Error), words):
                call()

    def test_what_lives_until_python_ends_is_released_silently(self):
        """A handle is released by a function looked up before: at the end nothing can be imported any more."""
        for script in ("f = lambda: state", "state.itself = state"):
            script = f"import rwa; state = rwa.State(rwa.Network('ring:8')); {script}"
            ended = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
            self.assertEqual(ended.stderr, b"", script)

    def test_a_million_lightpaths_without_a_copy(self):
        """1024 nodes receive 1023 blocks each: over a million lightpaths, in columns of the library's own memory,
        arrays with their types where NumPy is."""
        sched = rwa.plan(rwa.Network("ring:1024", wavelengths=64)).schedule.expand()
        self.assertGreater(sched.records, 1000000)
        tracemalloc.start()
        columns = [sched.src, sched.dst, sched.block, sched.channel]
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertLess(peak, 100000)               # a copy of one column would take four million bytes
        for name, column in zip(("src", "dst", "block", "channel"), columns):
            self.assertEqual(len(column), sched.records)
            again = getattr(sched, name)    # a copy would lie elsewhere
            self.assertEqual(address(column), address(again))
            if numpy:
                self.assertEqual((column.dtype, column.shape), (numpy.uint32, (sched.records,)))
                self.assertFalse(column.flags.owndata or column.flags.writeable)
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


def address(column):
    return column.__array_interface__["data"][0] if numpy else ctypes.addressof(column.obj)


if __name__ == "__main__":
    COMMAND, THOROUGH = sys.argv.pop(1), sys.argv.pop(1) == "thorough"
    unittest.main()
