# SPDX-License-Identifier: GPL-3.0-or-later
"""Lightpaths for demands: amplified fibre, assignments, blocking; and files and checks of schedules and assignments."""
from __future__ import annotations

import ctypes as c
from collections import namedtuple
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Sequence, TypedDict

from ._library import (NONE, Error, Handle, Named, Table, answered, amount, array, lib, listed, made, opens, options,
                       plain, row, struct, text_of)
from .network import Device, Limits, Network, Number
from .planning import Bounded, Check, CostOptions, Exported, Nodes, Plan, Progress, Schedule, cost_options, some

if TYPE_CHECKING:
    from typing_extensions import Unpack

Route = namedtuple("Route", "demand src dst nodes links fiber wavelength width modulation role down why")
Route.__doc__ = "A lightpath of an assignment, or of a demand without a route: no nodes and links, and `why` says why."
Witness = namedtuple("Witness", "kind lengths routes sets")
Witness.__doc__ = "What proves a bound: lengths of links (pairs, when undirected) by number, routes, or sets of nodes."


class Fiber(Named):
    """Amplified fibre and the modulation formats that reach: a profile and a table, by names or files.

    >>> fiber, net = rwa.Fiber("ssmf"), rwa.Network("nsfnet14-21")
    >>> best = fiber.choose(net, [0, 1], "400G")
    >>> best.format, best.width, round(best.margin_db, 2)
    ('16QAM-64', 6, 1.33)
    """
    _kind, _names = "transmission", "fiber_profile_builtin"

    def __init__(self, profile: str | None = "ssmf", modulations: str = "coherent", slots: int = 0) -> None:
        super().__init__()
        lib.transmission_create(self, modulations, profile, slots)

    def _format(self, i):
        return answered("modulations_get", lib.transmission_modulations(self), i)

    def choose(self, net: Network, route: Nodes, rate: Number) -> Any:
        """The narrowest format that carries a rate over a route in the worst case; format None: none does.

        >>> rwa.Fiber().choose(rwa.Network("nsfnet14-21"), [0, 1, 3], "400G").format
        'QPSK-64'
        """
        links = net.route(route)
        found = answered("transmission_choose_route", self, net, links, len(links), rate, 0)
        return row(found, format=None if found.modulation == NONE else plain(self._format(found.modulation).name))

    def _spans(self, net, route):
        profile = lib.transmission_profile(self)
        lengths = [net.link(link).length_km for link in net.route(route)]
        spans = (struct("span") * lib.fiber_profile_place(None, profile, lengths, len(lengths)))()
        lib.fiber_profile_place(spans, profile, lengths, len(lengths))
        return spans

    def formats(self, net: Network, route: Nodes) -> Table:
        """Every format over a route in the worst case: its GSNR, what it needs, the margin, and whether it reaches.

        >>> print(rwa.Fiber().formats(rwa.Network("nsfnet14-21"), [0, 1]).only("format", "reaches")[2])
        Row(format='16QAM-32', reaches=True)
        """
        table, spans = Table(), self._spans(net, route)
        for i in range(lib.modulations_count(lib.transmission_modulations(self))):
            found, form = answered("transmission_worst_case", self, spans, len(spans), i), self._format(i)
            table.append(row(found, format=plain(form.name), rate_bps=form.rate_bps,
                             required_gsnr_db=form.required_gsnr_db,
                             reaches=bool(lib.modulation_choice_reaches(found, self))))
        return table

    def gsnr(self, net: Network, route: Nodes, *, spacing: Number = "50GHz", baud: Number = "32GHz",
             launch_dbm: float | None = None) -> Table:
        """OSNR, NLI and GSNR behind a route of each of the equal carriers that fill the band.

        >>> round(min(rwa.Fiber().gsnr(rwa.Network("nsfnet14-21"), [0, 1]).column("gsnr_db")), 2)
        16.62
        """
        profile, spans = lib.transmission_profile(self), self._spans(net, route)
        spacing, baud = amount(spacing), amount(baud)
        launch = lib.fiber_profile_launch_dbm(profile, baud) if launch_dbm is None else launch_dbm
        first = lib.fiber_profile_first_hz(profile)
        carriers = array(struct("carrier"), [
            (first + (i + 0.5) * spacing, baud, launch)
            for i in range(int(lib.fiber_profile_slots(profile) * 12.5e9 / spacing + 1e-9))])
        found = (struct("gsnr") * len(carriers))()
        lib.gsnr_line(found, profile, spans, len(spans), carriers, len(carriers))
        return Table(row(each, frequency_hz=carrier.frequency_hz) for each, carrier in zip(found, carriers))


opens["transmission"] = Fiber
for _name in ("fiber_profile", "modulations"):
    opens[_name] = partial(made, _name, _name + "_open")


class Demands(Handle):
    """Demands on a network: "all-to-all", "random:40", a file, or rows (src, dst[, count[, via]]), names or numbers.

    widths: neighbouring slots of each, one number or one for each demand; rates: bit/s likewise.

    >>> net = rwa.Network("nsfnet14-21")
    >>> rwa.Demands(net, [(0, 5), (3, 9, 2)]).lightpaths
    3
    """
    _kind = "demands"
    count: int
    lightpaths: int

    def __init__(self, net: Network, demands: str | Iterable[Sequence] = "all-to-all", *,
                 widths: int | Sequence[int] | None = None, rates: Number | Sequence[Number] | None = None,
                 model: str | None = None, seed: int = 1) -> None:
        super().__init__()
        if isinstance(demands, str):
            lib.demands_open(self, demands, net, model or lib.network_model(net), seed)
        else:
            given = [(*each, *(1, None)[len(each) - 2:]) for each in map(list, demands)]
            rows = [(net.node(src), net.node(dst), count, NONE if via is None else net.node(via))
                    for src, dst, count, via in given]
            lib.demands_create(self, net.nodes, rows, len(rows))
        for values, name in ((widths, "demands_with_widths"), (rates, "demands_with_rates")):
            if values is not None:
                each = [values] * self.count if isinstance(values, (str, int, float)) else list(values)
                if len(each) != self.count:
                    raise Error(f"{len(each)} values for {self.count} demands, expected one for each")
                self._become(made(Demands, name, self, each))

    @classmethod
    def matrix(cls, net: Network, counts: Sequence[Sequence[int]]) -> Demands:
        """Demands from a square matrix of counts, an array or lists.

        >>> rwa.Demands.matrix(rwa.Network("ring:3"), [[0, 1, 0], [0, 0, 2], [1, 0, 0]]).lightpaths
        4
        """
        return cls(net, [(src, dst, count) for src, line in enumerate(counts) for dst, count in enumerate(line)
                         if count])


class Assignment(Bounded, Exported):
    """Routes and wavelengths of demands, checked, with a lower bound.

    >>> answer = rwa.assign(rwa.Network("nsfnet14-21"))
    >>> answer.wavelengths, answer.bound, answer.optimal
    (13, 13, True)
    >>> answer.proof[:28], answer.witness.lengths
    ('A cut of 4 links (2-5, 3-10,', {5: 1, 7: 1, 8: 1, 13: 1})
    """
    _kind, _text = "assignment", "{0.routed} of {0.lightpaths} lightpaths, {0.wavelengths} wavelengths, {0._limit}"
    outcome: str
    why: str
    lightpaths: int
    routed: int
    wavelengths: int
    extra_wavelengths: int
    routing: str
    solver: str
    seconds: float
    routes_offered: int
    model: str

    _shown = "lightpaths routed wavelengths bound bound_name solver why proof"

    @property
    def _limit(self):
        return f"{'most served' if self._report.bound.most_served else 'lower bound'} {self.bound}"

    @property
    def bound_name(self) -> str | None:
        """The name of the bound."""
        return plain(self._report.bound.name)

    @property
    def proof(self) -> str:
        """Sentences that lead from the witness to the bound, with numbers that the checker recomputed."""
        return plain(self._report.check.contents.bound_proof)

    @property
    def witness(self) -> Witness:
        """What proves the bound without the solver."""
        report, bound = self._report, self._report.bound
        lengths = enumerate(bound.lengths[:bound.length_count])
        return Witness(str(bound.kind), {link: length for link, length in lengths if length},
                       bound.routes[:bound.route_count],
                       [(each.weight, each.nodes[:each.count]) for each in report.odd_sets[:report.odd_set_count]])

    @property
    def remedies(self) -> Table:
        """One change that lets each lightpath without a route in; `where` is wavelengths, a link, a node, or hops."""
        first = c.pointer(struct("remedy")())
        count = lib.assignment_remedies(c.byref(first), self)
        return Table(row(each) for each in first[:count])

    def routes(self) -> Iterator[Route]:
        """Every lightpath, by demand.

        >>> route = next(rwa.assign(rwa.Network("nsfnet14-21"), [(0, 5)]).routes())
        >>> route.nodes, route.wavelength
        ([0, 2, 5], 0)
        """
        net, demands = self.network, lib.demands_list(lib.assignment_demands(self))
        for i in range(lib.assignment_count(self)):
            found = answered("assignment_get", self, i)
            links = [lib.assignment_link(self, i, k) for k in range(found.hops)]
            src, dst = demands[found.demand].src, demands[found.demand].dst
            yield Route(found.demand, src, dst, [src] * bool(links) + [net.link(link).dst for link in links], links,
                        found.fiber, found.wavelength, lib.assignment_width(self, i),
                        plain(lib.assignment_modulation(self, i)), str(found.role), bool(found.down),
                        plain(found.why))

    def gsnr(self, device: Fiber | str = "ssmf") -> Table:
        """GSNR of every lightpath among its real neighbours.

        >>> answer = rwa.assign(rwa.Network("nsfnet14-21"), device="ssmf", rate="100G")
        >>> len(answer.gsnr("ssmf"))
        91
        """
        found = (struct("gsnr") * lib.assignment_count(self))()
        lib.assignment_gsnr(found, self, device)
        return Table(row(each) for each in found)

    def schedule(self) -> Schedule:
        """The assignment as a schedule of one step.

        >>> rwa.assign(rwa.Network("nsfnet14-21")).schedule().steps
        1
        """
        return made(Schedule, "assignment_schedule", self)

    def draw(self, what: str = "assignment") -> str:
        """An SVG drawing: the map of the network with its load, or the "spectrum" of its links.

        >>> rwa.assign(rwa.Network("nsfnet14-21")).draw()[:4]
        '<svg'
        """
        return text_of(f"view_{what}_svg", self, options("view_options"))


# ---- calls ----

def read(path: str, limits: Limits | None = None) -> Schedule | Assignment:
    """A schedule or an assignment from a file.

    >>> rwa.plan(rwa.Network("ring:8")).schedule.write("ring8.jsonl.gz")
    >>> rwa.read("ring8.jsonl.gz").network.nodes
    8
    """
    if lib.assignment_is_file(path):
        return made(Assignment, "assignment_read", path)
    return made(Schedule, "schedule_read", path, limits)


class CheckOptions(CostOptions, total=False):
    """Keywords of check()."""
    power_model: str
    lightpath: int
    rate: Number
    limits: Limits
    progress: Progress


def check(what: Schedule | Plan | Assignment | str, *, device: Device | Fiber | str | None = None,
          **given: Unpack[CheckOptions]) -> Check:
    """Check a schedule, an assignment, or a file of either, and time a schedule: cost="circuit", alpha=...

    device: a profile of devices for power, or of fibre for GSNR; lightpath: the one whose link budget is reported.

    >>> schedule = rwa.plan(rwa.Network("ring:16", wavelengths=4), scheme="wavefront").schedule
    >>> rwa.check(schedule, device="conservative").power.verdict
    'fail'
    """
    if isinstance(device, str):
        device = Fiber(device) if device in Fiber.builtin() else Device(device)
    cost = cost_options(some(given, CostOptions.__annotations__, dict.pop), device)
    kind = "transmission" if isinstance(device, Fiber) else "device"
    opts = options("check_options", **given, **{"cost": cost, kind: device})
    if isinstance(what, Plan):
        what = what.schedule
    name = {Schedule: "check_schedule", Assignment: "check_assignment"}.get(type(what), "check_file")
    return made(Check, name, what, opts)


def solvers() -> list[str]:
    """The names of the solvers of assign().

    >>> "first-fit" in rwa.solvers()
    True
    """
    return listed("assignment_solver_name")


class SearchOptions(TypedDict, total=False):
    """Keywords of assign() and traffic()."""
    model: str
    guard: int
    paths: int
    max_hops: int
    device: Fiber | str
    progress: Progress


class AssignOptions(SearchOptions, total=False):
    """Keywords of assign(): `rwa assign --help` describes them."""
    objective: str
    routing: str
    avoid: Nodes
    converters: Nodes
    protection: bool
    solver: str
    time_limit: float


def assign(net: Network, demands: str | Demands | Iterable[Sequence] = "all-to-all", wavelengths: int | None = None, *,
           rate: Number | None = None, seed: int = 1, **given: Unpack[AssignOptions]) -> Assignment:
    """Give every demand a route and a wavelength: on the fewest wavelengths, or as many as possible on given ones.

    Where not all are served, outcome and why say so.  rate: of each demand, with a device of fibre.  The network's
    number of wavelengths is no limit, unless it has slots: for `rwa assign`, too, a limit is what is asked for here.

    >>> rwa.assign(rwa.Network("nsfnet14-21"), wavelengths=13)
    <rwa.Assignment: 91 of 91 lightpaths, 13 wavelengths, lower bound 13>
    """
    if not isinstance(demands, Demands):
        demands = Demands(net, demands, model=given.get("model"), seed=seed, rates=rate)
    nodes = {name: [net.node(node) for node in given[name]] for name in ("avoid", "converters") if name in given}
    return made(Assignment, "assignment_make", net, demands, options(
        "assignment_options", **{**given, **nodes}, seed=seed,
        wavelengths=wavelengths or (net.wavelengths if net.slot_hz else None)))


class TrafficOptions(SearchOptions, total=False):
    """Keywords of traffic(): `rwa traffic --help` describes them."""
    protection: str
    scattered: bool
    requests: int
    warm_up: int
    batches: int
    seed: int


def traffic(net: Network, load: float | Iterable[float], *, routing: str | Sequence[str] = "shortest",
            policy: str | Sequence[str] = "first-fit", widths: Iterable[Sequence] = (),
            **given: Unpack[TrafficOptions]) -> Table:
    """Blocking of random traffic, a row for each load (in Erlang), routing and policy.

    widths: a mix of requests (slots[, share[, rate]]), whose numbers are in the column `classes`; protection: none, 1+1
    or shared.

    >>> row, = rwa.traffic(rwa.Network("line:2", wavelengths=8), 16, model="undirected", requests=20000)
    >>> abs(row.probability - row.exact) < 0.02
    True
    """
    mix = array(struct("traffic_class"), [(width, *(more or [1])) for width, *more in widths], "widths")
    state = options("state_options", **some(given, ("model", "paths", "max_hops", "seed"), dict.pop))
    table = Table()
    for erlang, route, choose in product(*([each] if isinstance(each, (str, int, float)) else each
                                           for each in (load, routing, policy))):
        classes = (struct("class_blocking") * len(mix))()
        opts = options("blocking_options", state=state, routing=route, policy=choose, classes=mix,
                       class_answers=classes, **given)
        found = answered("blocking_simulate", net, erlang, opts)
        table.append(row(found, routing=route, policy=choose, classes=Table(map(row, classes))))
    return table
