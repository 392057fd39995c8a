# SPDX-License-Identifier: GPL-3.0-or-later
"""Schedules and plans of collectives, their bounds, checks and comparisons."""
from __future__ import annotations

import ctypes as c
from collections import namedtuple
from itertools import product
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Sequence, TypedDict, Union

from ._library import (NONE, Handle, Infeasible, Table, _kind, answered, array, f64, lib, listed, made, options, plain,
                       row, struct, taken, text_of, u32, view)
from .network import Collective, Device, Limits, Network, Number, OnNetwork

if TYPE_CHECKING:
    from typing_extensions import Unpack

Nodes = Iterable[Union[int, str]]
Progress = Callable[[str, Optional[float]], Any]


class CostOptions(TypedDict, total=False):
    """Keywords of Schedule.time(): the cost model, "paper", "circuit" or "overlap", and its times and sizes."""
    cost: str
    alpha: Number
    reconfig: Number
    packet: Number
    flit: Number
    clock: Number


class BoundOptions(TypedDict, total=False):
    """Keywords of bounds().

    >>> len(rwa.bounds(rwa.Network("ring:8"), members=range(4), root=2, blocks=8, max_hops=2)) > 3
    True
    """
    root: int | str
    blocks: int
    members: Nodes
    max_hops: int
    max_drops: int
    progress: Progress


class PlanOptions(BoundOptions, CostOptions, total=False):
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
    time_limit: float
    seed: int
    device: Device | str
    power_model: str
    limits: Limits


class ExportOptions(TypedDict, total=False):
    """Keywords of export(): the command's."""
    step: int
    changes: bool
    device: Device | str
    progress: Progress


Bound = namedtuple("Bound", "name value unit statement source holds proof")
Bound.__doc__ = "A lower bound; one that does not hold is printed in a paper, but is none on this network."
CLEAR, SET, KEEP = 1, 2, 3      # `change` of the records of Settings


def some(given, names, take=dict.get):
    """The keywords with these names that are given; with dict.pop they are taken out."""
    return {name: take(given, name) for name in names if name in given}


def cost_options(given, device=None):
    """rwa_cost_options from keywords; a device gives those that are left out."""
    if isinstance(device, Device):
        given = {"alpha": device.alpha_s, "reconfig": device.reconfig_s, **given}
    return options("cost_options", **given)


def plan_options(given, **more):
    """rwa_plan_options from keywords."""
    given = dict(given)
    device, factor = given.get("device"), given.pop("load_factor", None)
    device = Device(device) if isinstance(device, str) else device
    if factor:
        factor = taken(f64, factor, "load_factor")
        more["lightpath_blocks" if factor >= 1 else "stripes"] = round(factor if factor >= 1 else 1 / factor)
    cost = cost_options(some(given, CostOptions.__annotations__, dict.pop), device)
    return options("plan_options", **{**given, **more, "cost": cost, "device": device})


def _task(net, collective, message, given):
    """The collective, and the members; the root is counted among the members."""
    root, blocks, members = given.pop("root", 0), given.pop("blocks", 0), given.pop("members", None)
    # Network.node() says so if net is no network
    numbers = None if members is None else sorted({Network.node(net, m) for m in members})
    if isinstance(collective, str):
        root = Network.node(net, root)
        root = numbers.index(root) if root in (numbers or ()) else root
        collective = Collective(collective, len(numbers or range(net.nodes)), message, root, blocks)
    return collective, numbers


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


class Exported(OnNetwork):
    """What schedules and assignments have."""

    def export(self, path: str, format: str, *, node: int | str | None = None,
               **given: Unpack[ExportOptions]) -> None:
        """Write it in another format: csv, table, nodes, settings, openconfig, gnpy, sndlib, msccl, chakra ...

        >>> rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule.export("plan.csv", "csv")
        >>> rwa.assign(rwa.Network("nsfnet14-21")).export("routes.csv", "csv")
        """
        getattr(lib, self._kind + "_export")(self, format, path,
                                             options("export_options", node=self._node(node), **given))

    def _node(self, node):
        return None if node is None else self.network.node(node)


class Schedule(Exported):
    """Steps of lightpaths.

    Columns, one entry for each record: src, dst, block, channel, flags (bit 0: counter-clockwise, bit 1: reduce), orbit
    and period.  They are read-only views of the library's memory, NumPy arrays where NumPy is installed.

    >>> schedule = rwa.plan(rwa.Network("ring:8", wavelengths=2), scheme="wavefront").schedule.expand()
    >>> schedule.steps, schedule.lightpaths, len(schedule.src)
    (3, 56, 56)
    >>> sorted(set(schedule.channel.tolist()))
    [0, 1]
    """
    _kind, _text = "schedule", "{0.steps} steps, {0.lightpaths} lightpaths"
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

    def _repr_html_(self):
        return self.draw()

    def __getattr__(self, name: str) -> Any:
        if name == "records" or name not in dict(struct("columns")._fields_):
            return super().__getattr__(name)
        found = answered("schedule_columns", self)
        column = getattr(found, name)
        return view(column, column._type_, found.records, self)

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
        return slice(*(lib.schedule_first(self, number + i) for i in (0, 1)))

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

    def settings(self, step: int, node: int | str | None = None) -> Settings:
        """The settings of a step (of one node): what to clear, to set and to keep.

        >>> schedule = rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule
        >>> all(record["change"] == rwa.SET for record in schedule.settings(1).records) if rwa.numpy else True
        True
        """
        return made(Settings, "settings_make", self, step, NONE if node is None else self._node(node), None)

    def repair(self, fail: Iterable[str | int], at_step: int, **given: Unpack[PlanOptions]) -> Plan:
        """A plan that finishes the collective after these links failed at the beginning of a step.

        >>> schedule = rwa.plan(rwa.Network("ring:12", wavelengths=2), scheme="wavefront").schedule
        >>> schedule.steps, schedule.repair(["3-4"], at_step=3).steps
        (4, 5)
        """
        links = self.network._links(fail)
        return made(Plan, "plan_repair", self, links, len(links), at_step, plan_options(given))._feasible()

    def time(self, **cost: Unpack[CostOptions]) -> float:
        """The seconds that the schedule takes by cost="paper", "circuit" or "overlap", alpha, reconfig, packet ...

        >>> schedule = rwa.plan(rwa.Network("ring:16", wavelengths=2)).schedule
        >>> round(1e3 * schedule.time(), 3), round(1e3 * schedule.time(cost="circuit", reconfig="1ms"), 3)
        (3.837, 4.637)
        """
        return answered("cost_schedule", self, cost_options(cost)).value

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
        schedules = array(c.c_size_t, [taken(_kind("schedule", 1), s, "other")._as_parameter_.value
                                       for s in (self, other) if s])
        return text_of("view_html", schedules, len(schedules), options("view_options"))

    def show(self, *, step: int = 0, node: int | str | None = None, block: int | None = None) -> str:
        """The schedule in characters, as `rwa show` draws it.

        >>> print(rwa.plan(rwa.Network("ring:8", wavelengths=2), scheme="wavefront").schedule.show()[:31])
        all-gather on a ring of 8 nodes
        """
        return text_of("view_text", self, options("view_options", step=step, node=self._node(node), block=block))

    def power(self, device: Device | str, step: int, power_model: str = "rings") -> Table:
        """Loss, crosstalk, SNR and bit errors of each lightpath of a step.

        >>> schedule = rwa.plan(rwa.Network("ring:8", wavelengths=2), scheme="wavefront").schedule
        >>> round(min(schedule.power("onoc-typical", 1).column("margin_db")), 1)
        24.4
        """
        whole = self.expand()
        paths = [answered("schedule_get", whole, i) for i in range(whole.records)[whole.step(step)]]
        found = (struct("power") * len(paths))()
        lib.power_step(found, device, power_model, lib.schedule_network(whole), paths, len(paths))
        return Table(row(power, src=path.src, dst=path.dst) for power, path in zip(found, paths))


def _known(formula):
    return formula.steps if formula.known else None


class Bounded(Handle):
    """What plans and assignments have: a lower bound, and whether it is met."""

    @property
    def bound(self) -> int:
        """The lower bound on steps or wavelengths (on given wavelengths the most lightpaths served); 0: none is known.
        """
        return self._report.bound.value

    @property
    def optimal(self) -> bool:
        """Whether the bound is met."""
        return self.outcome == "optimal"


class Plan(Bounded):
    """A checked schedule and what is known about it; times are in seconds.

    >>> plan = rwa.plan(rwa.Network("ring:16", wavelengths=2))
    >>> plan.scheme, plan.steps, plan.bound, plan.optimal, round(plan.time_seconds, 6)
    ('standing', 8, 8, True, 0.003837)
    """
    _kind, _text = "plan", "{0.scheme}, {0.steps} steps, lower bound {0.bound}"
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

    _shown = "scheme steps bound time_seconds time_bound_seconds lightpaths wavelengths_used"

    def _feasible(self):
        if not lib.plan_schedule(self) or self.outcome == "infeasible":
            raise Infeasible(plain(self._report.why))
        return self

    @property
    def schedule(self) -> Schedule:
        """The lightpaths, step by step."""
        return Schedule(lib.plan_schedule(self), self)

    @property
    def formula_steps(self) -> int | None:
        """The steps by the paper's formula; None: the scheme has none here."""
        return _known(self._report.formula)

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

    def explain(self, stage: int = 0) -> str:
        """The task, and the path of a block step by step, in words.

        >>> print(rwa.plan(rwa.Network("ring:16", wavelengths=2)).explain()[:10])
        Every node
        """
        return text_of("plan_explain", self, stage)


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
    backups: int
    backups_down: int
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
        return f"<rwa.Check: {'; '.join(self.first) or 'ok'}>"

    _shown = "ok first"


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
         scheme: str | None = None, **given: Unpack[PlanOptions]) -> Plan:
    """Plan a collective; the schedule has passed the independent checker.  Raises Infeasible.

    >>> rwa.plan(rwa.Network("torus:4x4", wavelengths=2), "all-reduce", "1MiB", cost="circuit", reconfig="10us")
    <rwa.Plan: standing, 8 steps, lower bound 5>
    """
    coll, members = _task(net, collective, message, given)
    return made(Plan, "plan_make", net, coll, plan_options(given, scheme=scheme, members=members))._feasible()


def plan_transfers(net: Network, collective: str | Collective, transfers: Iterable[Sequence],
                   message: Number = "4MiB", *, scheme: str = "own", **given: Unpack[PlanOptions]) -> Plan:
    """A scheme of one's own: transfers (step, src, dst, block[, "reduce"]) get routes and wavelengths.

    A step that needs more channels than there are becomes several.  Raises Infeasible where the transfers do not
    complete the collective.  Here every node passes on what it received last:

    >>> ring = [(step, node, (node + 1) % 8, (node - step + 1) % 8) for step in range(1, 8) for node in range(8)]
    >>> plan = rwa.plan_transfers(rwa.Network("ring:8", wavelengths=2), "all-gather", ring)
    >>> plan.steps, plan.bound, plan.check.ok
    (7, 3, 1)
    """
    coll, members = _task(net, collective, message, given)
    judged = some(given, (*CostOptions.__annotations__, "device", "limits", "progress"))
    rows = [(step, src, dst, op[0] if op else "copy", block)
            for step, src, dst, block, *op in sorted(map(tuple, transfers))]
    opts = plan_options(given, members=members)
    return plan_of(made(Schedule, "plan_transfers", net, coll, scheme, rows, len(rows), opts), **judged)


def plan_of(schedule: Schedule, **given: Unpack[PlanOptions]) -> Plan:
    """A plan of a schedule that was read or imported: checked, timed and bounded.  Raises Infeasible where it is wrong.

    >>> schedule = rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule
    >>> rwa.plan_of(schedule, cost="circuit").steps == schedule.steps
    True
    """
    return made(Plan, "plan_from_schedule", schedule, plan_options(given))._feasible()


def import_schedule(path: str, net: Network | None = None, format: str | None = None,
                    **given: Unpack[PlanOptions]) -> Schedule:
    """A schedule of another planner: csv, msccl, mscclpp, harvest, teccl, forestcoll or chakra; check() it.

    net: its network (a csv has it); missing routes and wavelengths are assigned.

    >>> rwa.plan(rwa.Network("ring:8", wavelengths=2)).schedule.export("ring8.csv", "csv")
    >>> rwa.check(rwa.import_schedule("ring8.csv"))
    <rwa.Check: ok>
    """
    opts = options("import_options", format=format, blocks=given.pop("blocks", 0), plan=plan_options(given))
    opts.progress = given.get("progress")
    return made(Schedule, "schedule_import_sized", None, 0, path, net, opts)


def bounds(net: Network, collective: str | Collective = "all-gather", message: Number = "4MiB",
           **given: Unpack[BoundOptions]) -> Table:
    """Every lower bound, those on the steps first from the highest down: value, statement, source and proof.

    >>> best = rwa.bounds(rwa.Network("ring:16", wavelengths=2))[0]
    >>> best.name, best.value, best.unit
    ('broadcast-tree', 5, 'steps')
    >>> best.proof[:71]
    'in 4 steps 16 blocks take 22 channels of links each at least (8 nodes x'
    """
    coll, members = _task(net, collective, message, given)
    found = made("bounds", "bounds_make", net, coll, options("bound_options", members=members, **given))
    return Table(Bound(*each, proof) for each, proof in zip(listed("bounds_get", found), listed("bounds_proof", found)))


def _lines(net, collective, message, scheme, given):
    """The lines of a comparison: auto for least time and for fewest steps, and every scheme that fits."""
    coll, members = _task(net, collective, message, given)
    names = scheme or ["auto", *(name for i, name in enumerate(schemes()) if lib.scheme_fits(i, net, coll.kind))]
    asked = [(name, given.get("objective", "time")) for name in names]
    if not scheme and "objective" not in given:
        asked.insert(1, ("auto", "steps"))
    for name, objective in asked:
        found = answered("compare_scheme", name, net, coll, plan_options({**given, "objective": objective},
                                                                         members=members))
        yield dict(asked=name, objective=objective, formula=_known(found.formula), bound=found.bound.value), found


def compare(net: Network, collective: str | Collective = "all-gather", message: Number = "4MiB", *,
            scheme: Iterable[str] | None = None, **given: Unpack[PlanOptions]) -> Table:
    """Schemes side by side, each planned and checked; without names auto, for time and for steps, and all that fit.

    >>> rwa.compare(rwa.Network("ring:16", wavelengths=2)).only("asked", "objective", "scheme", "steps")[:2]
    [Row(asked='auto', objective='time', scheme='standing', steps=8),
     Row(asked='auto', objective='steps', scheme='wavefront', steps=5)]
    """
    return Table(row(found, **more) for more, found in _lines(net, collective, message, scheme, given))


def sweep(networks: Iterable[str], wavelengths: Iterable[int] = (64,), collective: Iterable[str] = ("all-gather",),
          message: Iterable[Number] = ("4MiB",), *, scheme: Iterable[str] | None = None, fibers: int = 1,
          rate: Number | None = None, **given: Unpack[PlanOptions]) -> Table:
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
        table += [row(found, network=spec, wavelengths=channels, collective=kind, message=size, **more)
                  for more, found in _lines(net, kind, size, scheme, dict(given))]
    return table
