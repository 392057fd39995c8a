# SPDX-License-Identifier: GPL-3.0-or-later
"""Schedules and plans of collectives, their bounds, checks and comparisons."""
from __future__ import annotations

import ctypes as c
from collections import namedtuple
from itertools import product
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional, Sequence, TypedDict, Union

from ._library import (NONE, Handle, Infeasible, Table, answered, array, encode, f64, held, html_table, lib, listed,
                       made, options, plain, row, struct, text_of, u32, view)
from .network import Collective, Device, Limits, Network, Number, device_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

Nodes = Iterable[Union[int, str]]
Progress = Callable[[str, Optional[float]], Any]


class PlanOptions(TypedDict, total=False):
    """Keywords of plan(), compare(), sweep(), Schedule.repair() and plan_transfers(): the command's.

    `rwa plan --help` describes them; limits: see Limits; progress(phase, fraction) is called meanwhile, and stops the
    work by an exception.

    >>> phases = set()
    >>> rwa.plan(rwa.Network("ring:64", wavelengths=4), progress=lambda phase, fraction: phases.add(phase)).steps
    32
    >>> "checking" in phases
    True
    """
    solver: str
    radix: Sequence[int]
    stages: int
    group: int
    last_exchange: str
    split_steps: int
    load_factor: float
    objective: str
    order: str
    max_hops: int
    max_drops: int
    time_limit: float
    seed: int
    device: Device | str
    power_model: str
    cost: str
    alpha: Number
    reconfig: Number
    packet: Number
    flit: Number
    clock: Number
    limits: Limits
    progress: Progress


_COST = {"cost": "model", "alpha": "alpha_s", "reconfig": "reconfig_s", "packet": "packet_bytes", "flit": "flit_bytes",
         "clock": "clock_hz"}
Bound = namedtuple("Bound", "name value unit statement source holds proof")
Bound.__doc__ = "A lower bound; one that does not hold is printed in a paper, but is none on this network."
_OP = {"copy": 0, "reduce": 1}
CLEAR, SET, KEEP = 1, 2, 3      # `change` of the records of Settings


def cost_options(given, device=None):
    """rwa_cost_options from keywords; a device gives those that are left out."""
    of_device = {name: getattr(device, name) for name in ("alpha_s", "reconfig_s") if device}
    return options("cost_options", **{**of_device, **{_COST.get(name, name): value for name, value in given.items()}})


def plan_options(given, **more):
    """rwa_plan_options from keywords."""
    given, device = dict(given), device_of(given.get("device"))
    cost = cost_options({name: given.pop(name) for name in _COST if name in given}, device)
    factor, radix = given.pop("load_factor", None), given.pop("radix", ())
    if factor:
        more["lightpath_blocks" if factor >= 1 else "stripes"] = round(factor if factor >= 1 else 1 / factor)
    more.update(cost=cost, device=device, radix=array(u32, radix), radix_count=len(radix),
                time_limit_s=given.pop("time_limit", None))
    return options("plan_options", **{**given, **more})


def _task(net, collective, message, root, blocks,
          members):
    """The collective, and the members as an array; the root is counted among the members."""
    numbers = None if members is None else sorted({net.node(m) for m in members})
    if isinstance(collective, str):
        root = net.node(root) if numbers is None or net.node(root) not in numbers else numbers.index(net.node(root))
        collective = Collective(collective, len(numbers or range(net.nodes)), message, root, blocks)
    return collective, numbers and array(u32, numbers)


class Settings(Handle):
    """What the nodes set in a step: rwa.Schedule.settings().

    >>> settings = rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule.settings(1)
    >>> settings.changes == len(settings.records)       # before step 1 nothing is up
    True
    """
    _kind = "settings"
    changes: int

    def _list(self, name, kind):
        first = c.pointer(kind())
        count = getattr(lib, name)(c.byref(first), self)
        return view(first, kind, count, self)

    @property
    def records(self) -> Any:
        """The settings: by node, first those to clear, then those to set, then those kept."""
        return self._list("settings_list", struct("setting"))

    @property
    def nodes(self) -> Any:
        """The nodes, those with the fewest settings to push first."""
        return self._list("settings_nodes", u32)


class Schedule(Handle):
    """Steps of lightpaths.

    Columns, one entry for each record: src, dst, block, channel, flags (bit 0: counter-clockwise, bit 1: reduce), orbit
    and period.  They are read-only views of the library's memory, NumPy arrays where NumPy is installed.

    >>> schedule = rwa.plan(rwa.Network("ring:8", wavelengths=2), scheme="wavefront").schedule.expand()
    >>> schedule.steps, schedule.lightpaths, len(schedule.src)
    (3, 56, 56)
    >>> sorted(set(schedule.channel.tolist()))
    [0, 1]
    """
    _kind = "schedule"
    steps: int
    records: int
    lightpaths: int
    scheme: str
    src: Any
    dst: Any
    block: Any
    channel: Any
    flags: Any
    orbit: Any
    period: Any

    def __repr__(self) -> str:
        return f"<rwa.Schedule: {self.steps} steps, {self.lightpaths} lightpaths>"

    def _repr_html_(self):
        return self.draw()

    def __getattr__(self, name: str) -> Any:
        if name == "records" or name not in dict(struct("columns")._fields_):
            return super().__getattr__(name)
        found = answered("columns", "schedule_columns", self)
        return view(getattr(found, name), c.c_uint8 if name == "flags" else u32, found.records, self)

    @property
    def network(self) -> Network:
        """The network, as long as the schedule is kept."""
        return held(Network, lib.schedule_network(self), self)

    @property
    def collective(self) -> Collective:
        """The collective, with its blocks."""
        return c.cast(lib.schedule_collective(self), c.POINTER(Collective)).contents

    def step(self, number: int) -> slice:
        """The records of a step, 1 … steps, as a slice for the columns.

        >>> schedule = rwa.plan(rwa.Network("ring:8", wavelengths=2), scheme="ring").schedule
        >>> schedule.src[schedule.step(2)].tolist()
        [0]
        """
        first, end = (lib.schedule_first(self, int(number) + i) for i in (0, 1))
        return slice(first, end)

    def path(self, record: int) -> list[int]:
        """The nodes that a record passes; on ring and line none: there the direction gives the route.

        >>> rwa.plan(rwa.Network("torus:3x3"), scheme="one-stage").schedule.path(4)
        [0, 2, 5]
        """
        count = u32()
        nodes = lib.schedule_path(count, self, record)
        return nodes[:count.value] if nodes else []

    def expand(self) -> Schedule:
        """A copy with every orbit written out.

        >>> rwa.plan(rwa.Network("ring:8"), scheme="ring").schedule.expand().records
        56
        """
        return made(Schedule, "schedule_expand", self)

    def write(self, path: str) -> None:
        """Write the schedule to a file, which read() and `rwa check` read.

        >>> rwa.plan(rwa.Network("ring:8")).schedule.write("plan.jsonl")
        """
        lib.schedule_write(self, encode(path))

    def export(self, path: str, format: str, *, step: int = 0, node: int | str | None = None, changes: bool = False,
               device: Device | str | None = None, progress: Progress | None = None) -> None:
        """Write the schedule in another format: csv, nodes, settings, openconfig, harvest, msccl, mscclpp or chakra.

        >>> rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule.export("plan.csv", "csv")
        """
        opts = options("export_options", progress, step=step, node=None if node is None else self.network.node(node),
                       changes=int(changes), device=device_of(device))
        lib.schedule_export(self, encode(format), encode(path), opts)

    def settings(self, step: int, node: int | str | None = None) -> Settings:
        """The settings of a step (of one node): what to clear, to set and to keep.

        >>> schedule = rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule
        >>> all(record["change"] == rwa.SET for record in schedule.settings(1).records) if rwa.numpy else True
        True
        """
        return made(Settings, "settings_make", self, step, NONE if node is None else self.network.node(node), None)

    def repair(self, fail: Iterable[str | int], at_step: int, **given: Unpack[PlanOptions]) -> Plan:
        """A plan that finishes the collective after these links failed at the beginning of a step.

        >>> schedule = rwa.plan(rwa.Network("ring:12", wavelengths=2), scheme="wavefront").schedule
        >>> schedule.steps, schedule.repair(["3-4"], at_step=3).steps
        (4, 6)
        """
        links = array(u32, self.network.links(*fail))
        return made(Plan, "plan_repair", self, links, len(links), at_step, plan_options(given))._feasible()

    def time(self, **cost: Number) -> float:
        """The seconds that the schedule takes by cost="paper", "circuit" or "overlap", alpha, reconfig, packet ...

        >>> schedule = rwa.plan(rwa.Network("ring:16", wavelengths=2)).schedule
        >>> round(1e3 * schedule.time(), 3), round(1e3 * schedule.time(cost="circuit", reconfig="1ms"), 3)
        (3.837, 4.637)
        """
        found = f64()
        lib.cost_schedule(found, self, cost_options(cost))
        return found.value

    def draw(self, *, step: int = 0, title: str | None = None) -> str:
        """An SVG drawing of the schedule, or of one step; notebooks show it.

        >>> rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule.draw()[:4]
        '<svg'
        """
        return text_of("view_svg", self, options("view_options", step=step, title=title))

    def page(self, other: Schedule | None = None) -> str:
        """An interactive HTML page of the schedule, or of two side by side.

        >>> page = rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule.page()
        """
        schedules = array(c.c_void_p, [s._as_parameter_.value for s in (self, other) if s])
        return text_of("view_html", schedules, len(schedules), options("view_options"))

    def show(self, *, step: int = 0, node: int | str | None = None, block: int | None = None) -> str:
        """The schedule in characters, as `rwa show` draws it.

        >>> print(rwa.plan(rwa.Network("ring:8", wavelengths=2), scheme="wavefront").schedule.show()[:31])
        all-gather on a ring of 8 nodes
        """
        node = None if node is None else self.network.node(node)
        return text_of("view_text", self, options("view_options", step=step, node=node, block=block))

    def power(self, device: Device | str, step: int, power_model: str = "rings") -> Table:
        """Loss, crosstalk, SNR and bit errors of each lightpath of a step.

        >>> schedule = rwa.plan(rwa.Network("ring:8", wavelengths=2), scheme="wavefront").schedule
        >>> round(min(schedule.power("onoc-typical", 1).column("margin_db")), 1)
        24.4
        """
        whole, record = self.expand(), struct("lightpath")
        rows = whole.step(step)
        paths, found = (record * (rows.stop - rows.start))(), (struct("power") * (rows.stop - rows.start))()
        for i, path in enumerate(paths):
            lib.schedule_get(path, whole, rows.start + i)
        lib.power_step(found, device_of(device), ("rings", "paper").index(power_model),
                       lib.schedule_network(whole), paths, len(paths))
        return Table(row(power, src=path.src, dst=path.dst) for power, path in zip(found, paths))


class Plan(Handle):
    """A checked schedule and what is known about it; times are in seconds.

    >>> plan = rwa.plan(rwa.Network("ring:16", wavelengths=2))
    >>> plan.scheme, plan.steps, plan.bound, plan.optimal, round(plan.time_seconds, 6)
    ('standing', 8, 8, True, 0.003837)
    """
    _kind = "plan"
    outcome: str
    scheme: str
    solver: str | None
    stages: int
    steps: int
    lightpaths: int
    wavelengths_used: int
    longest_hops: int
    time_seconds: float
    paper_seconds: float
    circuit_seconds: float
    overlap_seconds: float
    time_bound_seconds: float
    stripes: int
    lightpath_blocks: int
    plan_seconds: float
    check_seconds: float

    def __repr__(self) -> str:
        return f"<rwa.Plan: {self.scheme}, {self.steps} steps, lower bound {self.bound}>"

    def _repr_html_(self):
        coll = self.schedule.collective
        return html_table(["scheme", "steps", "lower bound", "time", "least time", "lightpaths", "wavelengths"],
                          [[self.scheme, self.steps, self.bound, f"{self.time_seconds * 1e3:.6g} ms",
                            f"{self.time_bound_seconds * 1e3:.6g} ms", self.lightpaths, self.wavelengths_used]],
                          f"{coll.name} among {coll.nodes} nodes, {coll.blocks} blocks of {coll.block_bytes} bytes")

    def _feasible(self):
        if not lib.plan_schedule(self) or self.outcome == "infeasible":
            raise Infeasible(plain(self._report.why))
        return self

    @property
    def schedule(self) -> Schedule:
        """The lightpaths, step by step."""
        return Schedule(lib.plan_schedule(self), self)

    @property
    def bound(self) -> int:
        """The lower bound on the steps with these blocks; 0: none is known."""
        return self._report.bound.value

    @property
    def optimal(self) -> bool:
        """Whether the steps equal the bound."""
        return self.outcome == "optimal"

    @property
    def formula_steps(self) -> int | None:
        """The steps by the paper's formula; None: the scheme has none here."""
        return self._report.formula.steps if self._report.formula.known else None

    @property
    def check(self) -> Any:
        """The numbers of the independent checker, with those of the optical power where a device was given."""
        return plain(self._report.check)

    @property
    def alternatives(self) -> Table:
        """The other schemes that auto compared, the quickest first."""
        return Table(listed("plan_alternative", self))

    @property
    def left_out(self) -> Table:
        """The schemes that auto left out: each with the reason, or the least time that it takes."""
        return Table(listed("plan_left_out", self))

    def explain(self, stage: int = 0, device: Device | str | None = None) -> str:
        """The task, the way of a block step by step, the bound, and the optical power, in words.

        >>> print(rwa.plan(rwa.Network("ring:16", wavelengths=2)).explain()[:4])
        Task
        """
        return text_of("plan_explain", self, device_of(device), stage)


class Check(Handle):
    """The verdict of the independent checker; true where nothing is wrong.

    >>> verdict = rwa.check(rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule, device="onoc-typical")
    >>> verdict.ok, verdict.power.verdict, bool(verdict)
    (True, 'pass', True)
    """
    _kind = "check"
    violations: int
    steps: int
    lightpaths: int
    longest_hops: int
    wavelengths_used: int
    power: Any
    time_seconds: float
    unserved: int
    down: int
    worst_gsnr_db: float
    gsnr_margin_db: float
    bound_proof: str
    budget: Any

    @property
    def ok(self) -> bool:
        """Whether there is no violation."""
        return bool(self._report.ok)

    @property
    def first(self) -> list[str]:
        """The first violations in words."""
        return [plain(v.text) for v in self._report.first[:self._report.named]]

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        return f"<rwa.Check: {'ok' if self.ok else '; '.join(self.first)}>"

    def _repr_html_(self):
        return html_table(["verdict"], [[text] for text in self.first or ["ok"]])


# ---- calls ----

def version() -> str:
    """The version of the library.

    >>> rwa.version().count(".")
    2
    """
    return plain(lib.version())


def schemes() -> list[str]:
    """The names of the schemes; docs/reference/schemes.md describes them.

    >>> "wavefront" in rwa.schemes()
    True
    """
    return listed("scheme_name")


def plan(net: Network, collective: str | Collective = "all-gather", message: Number = "4MiB", *,
         root: int | str = 0, blocks: int = 0, members: Nodes | None = None, scheme: str | None = None,
         **given: Unpack[PlanOptions]) -> Plan:
    """Plan a collective; the schedule has passed the independent checker.  Raises Infeasible.

    >>> rwa.plan(rwa.Network("torus:4x4", wavelengths=2), "all-reduce", "1MiB", cost="circuit", reconfig="10us")
    <rwa.Plan: standing, 8 steps, lower bound 5>
    """
    coll, numbers = _task(net, collective, message, root, blocks, members)
    opts = plan_options(given, scheme=scheme, members=numbers)
    return made(Plan, "plan_make", net, coll, opts)._feasible()


def plan_transfers(net: Network, collective: str | Collective, transfers: Iterable[Sequence],
                   message: Number = "4MiB", *, root: int | str = 0, blocks: int = 0, scheme: str = "own",
                   **given: Unpack[PlanOptions]) -> Plan:
    """A scheme of one's own: transfers (step, src, dst, block[, "reduce"]) get routes and wavelengths.

    A step that needs more channels than there are becomes several.  Raises Infeasible where the transfers do not
    complete the collective.  Here every node passes on what it received last:

    >>> ring = [(step, node, (node + 1) % 8, (node - step + 1) % 8) for step in range(1, 8) for node in range(8)]
    >>> plan = rwa.plan_transfers(rwa.Network("ring:8", wavelengths=2), "all-gather", ring)
    >>> plan.steps, plan.bound, plan.check.ok
    (7, 3, 1)
    """
    coll, _ = _task(net, collective, message, root, blocks, None)
    rows = sorted((int(step), int(src), int(dst), _OP[op[0] if op else "copy"], int(block))
                  for step, src, dst, block, *op in transfers)
    opts = plan_options(given)
    schedule = made(Schedule, "plan_transfers", net, coll, encode(scheme), array(struct("transfer"), rows),
                    len(rows), opts)
    judged = (*_COST, "device", "limits", "progress")
    return plan_of(schedule, **{name: value for name, value in given.items() if name in judged})


def plan_of(schedule: Schedule, **given: Unpack[PlanOptions]) -> Plan:
    """A plan of a schedule that was read or imported: checked, timed and bounded.  Raises Infeasible where it is wrong.

    >>> schedule = rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule
    >>> rwa.plan_of(schedule, cost="circuit").steps == schedule.steps
    True
    """
    return made(Plan, "plan_from_schedule", schedule, plan_options(given))._feasible()


def import_schedule(path: str, net: Network | None = None, format: str | None = None, *, blocks: int = 0,
                    **given: Unpack[PlanOptions]) -> Schedule:
    """A schedule of another planner: csv, msccl, mscclpp, harvest, teccl, forestcoll or chakra; check() it.

    net: its network (a csv has it); missing routes and wavelengths are assigned.

    >>> rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule.export("ring8.csv", "csv")
    >>> rwa.check(rwa.import_schedule("ring8.csv"))
    <rwa.Check: ok>
    """
    opts = options("import_options", format=format, blocks=blocks, plan=plan_options(given))
    opts.progress = given.get("progress")
    return made(Schedule, "schedule_import_sized", None, 0, encode(path), net, opts)


def bounds(net: Network, collective: str | Collective = "all-gather", message: Number = "4MiB", *,
           root: int | str = 0, blocks: int = 0, members: Nodes | None = None, max_hops: int = 0,
           max_drops: int = 0, progress: Progress | None = None) -> Table:
    """Every lower bound, with its value, statement, source and a proof from numbers of this task.

    >>> best = rwa.bounds(rwa.Network("ring:16", wavelengths=2))[-1]
    >>> best.name, best.value, best.unit
    ('broadcast-tree', 5, 'steps')
    >>> best.proof[:70]
    'in 4 steps the cheapest trees of all blocks take 352 channels of links'
    """
    coll, numbers = _task(net, collective, message, root, blocks, members)
    opts = options("bound_options", progress, members=numbers, max_hops=max_hops, max_drops=max_drops)
    found = made(_Bounds, "bounds_make", net, coll, opts)
    return Table(Bound(*each, proof) for each, proof in zip(listed("bounds_get", found), listed("bounds_proof", found)))


class _Bounds(Handle):
    """The library's list of bounds, while it is read."""
    _kind = "bounds"


def _lines(net, coll, numbers, scheme, given):
    """The lines of a comparison: auto for least time and for fewest steps, and every scheme that fits."""
    names = scheme or ["auto", *(name for i, name in enumerate(schemes()) if lib.scheme_fits(i, net, coll.kind))]
    asked = [(name, given.get("objective", "time")) for name in names]
    if not scheme and "objective" not in given:
        asked.insert(1, ("auto", "steps"))
    for name, objective in asked:
        opts = plan_options({**given, "objective": objective}, members=numbers)
        found = answered("comparison", "compare_scheme", encode(name), net, coll, opts)
        yield dict(asked=name, objective=objective, formula=found.formula.steps if found.formula.known else None,
                   bound=found.bound.value), found


def compare(net: Network, collective: str | Collective = "all-gather", message: Number = "4MiB", *,
            root: int | str = 0, blocks: int = 0, members: Nodes | None = None,
            scheme: Iterable[str] | None = None, **given: Unpack[PlanOptions]) -> Table:
    """Schemes side by side, each planned and checked; without names auto, for time and for steps, and all that fit.

    >>> rwa.compare(rwa.Network("ring:16", wavelengths=2)).only("asked", "objective", "scheme", "steps")[:2]
    [Row(asked='auto', objective='time', scheme='standing', steps=8),
     Row(asked='auto', objective='steps', scheme='wavefront', steps=5)]
    """
    coll, numbers = _task(net, collective, message, root, blocks, members)
    return Table(row(found, **more) for more, found in _lines(net, coll, numbers, scheme, given))


def sweep(networks: Iterable[str], wavelengths: Iterable[int] = (64,), collective: Iterable[str] = ("all-gather",),
          message: Iterable[Number] = ("4MiB",), *, scheme: Iterable[str] | None = None, root: int | str = 0,
          fibers: int = 1, rate: Number | None = None, **given: Unpack[PlanOptions]) -> Table:
    """compare() for every combination of networks, wavelengths, collectives and messages.

    Calls let other threads run: to use all processors, map sweep() over networks with concurrent.futures.

    >>> table = rwa.sweep([f"ring:{n}" for n in (16, 32)], [2, 4], scheme=["wavefront", "ring"])
    >>> print(table.only("network", "wavelengths", "scheme", "steps"))
    network  wavelengths  scheme     steps
    ring:16            2  wavefront      5
    ring:16            2  ring          15
    ring:16            4  wavefront      3
    ring:16            4  ring          15
    ring:32            2  wavefront     11
    ring:32            2  ring          31
    ring:32            4  wavefront      7
    ring:32            4  ring          31
    """
    table = Table()
    for spec, channels, kind, size in product(networks, wavelengths, collective, message):
        net = Network(spec, wavelengths=channels, fibers=fibers, rate=rate)
        coll, _ = _task(net, kind, size, root, 0, None)
        table += [row(found, network=spec, wavelengths=channels, collective=kind, message=size, **more)
                  for more, found in _lines(net, coll, None, scheme, given)]
    return table
