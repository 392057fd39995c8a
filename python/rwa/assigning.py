# SPDX-License-Identifier: GPL-3.0-or-later
"""Lightpaths for demands: amplified fibre, assignments, blocking; and files and checks of schedules and assignments."""
from __future__ import annotations

import ctypes as c
from collections import namedtuple
from itertools import product
from typing import Any, Iterable, Iterator, Sequence

from ._library import (NONE, Error, Handle, Table, amount, answered, array, choice, encode, f64, held, html_table,
                       kinds, lib, listed, made, options, plain, row, struct, text_of, u32)
from .network import Device, Limits, Network, Number, device_of
from .planning import Check, Nodes, Plan, Progress, Schedule, cost_options

Route = namedtuple("Route", "demand src dst nodes links fiber wavelength width modulation role down why")
Route.__doc__ = "A lightpath of an assignment, or of a demand without a route: no nodes and links, and `why` says why."
Witness = namedtuple("Witness", "kind lengths routes sets")
Witness.__doc__ = "What proves a bound: lengths of links (pairs, when undirected) by number, routes, or sets of nodes."


class Fiber(Handle):
    """Amplified fibre and the modulation formats that reach: a profile and a table, by names or files.

    >>> fiber, net = rwa.Fiber("ssmf"), rwa.Network("nsfnet14-21")
    >>> best = fiber.choose(net, [0, 1], "400G")
    >>> best.format, best.width, round(best.margin_db, 2)
    ('16QAM-64', 6, 1.33)
    """
    _kind = "transmission"

    def __init__(self, profile: str | None = "ssmf", modulations: str = "coherent", slots: int = 0) -> None:
        super().__init__()
        plant = profile and made(_Profile, "fiber_profile_open", encode(profile))
        table = made(_Modulations, "modulations_open", encode(modulations))
        lib.transmission_create(c.byref(self._as_parameter_), table, plant, slots)

    @staticmethod
    def builtin() -> list[str]:
        """The names of the built-in profiles.

        >>> "ssmf" in rwa.Fiber.builtin()
        True
        """
        return listed("fiber_profile_builtin")

    def _format(self, i):
        found = struct("modulation")()
        lib.modulations_get(found, lib.transmission_modulations(self), i)
        return found

    def choose(self, net: Network, route: Nodes, rate: Number) -> Any:
        """The narrowest format that carries a rate over a route in the worst case; format None: none does.

        >>> rwa.Fiber().choose(rwa.Network("nsfnet14-21"), [0, 1, 3], "400G").format
        'QPSK-64'
        """
        found, links = struct("modulation_choice")(), net.route(route)
        lib.transmission_choose_route(found, self, net, links, len(links), amount(rate), 0)
        return row(found, format=None if found.modulation == NONE else plain(self._format(found.modulation).name))

    def _spans(self, net, route):
        profile = lib.transmission_profile(self)
        lengths = array(f64, [net.link(link).length_km for link in net.route(route)])
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
            found, form = struct("modulation_choice")(), self._format(i)
            lib.transmission_worst_case(found, self, spans, len(spans), i)
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
        first, band = lib.fiber_profile_first_hz(profile), lib.fiber_profile_slots(profile) * 12.5e9
        carriers = array(struct("carrier"), [(first + (i + 0.5) * spacing, baud, launch)
                                             for i in range(int(band / spacing + 1e-9))])
        found = (struct("gsnr") * len(carriers))()
        lib.gsnr_line(found, profile, spans, len(spans), carriers, len(carriers))
        return Table(row(each, frequency_hz=carrier.frequency_hz) for each, carrier in zip(found, carriers))


class _Profile(Handle):
    _kind = "fiber_profile"


class _Modulations(Handle):
    _kind = "modulations"


def fiber_of(device):
    return Fiber(device) if isinstance(device, str) else device


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
            lib.demands_open(c.byref(self._as_parameter_), encode(demands), net, model_of(net, model), seed)
        else:
            given = ((*each, *(1, None)[len(each) - 2:]) for each in map(list, demands))
            rows = [(net.node(src), net.node(dst), int(count), NONE if via is None else net.node(via))
                    for src, dst, count, via in given]
            lib.demands_create(c.byref(self._as_parameter_), net.nodes, array(struct("demand"), rows), len(rows))
        for values, name, kind in ((widths, "demands_with_widths", u32), (rates, "demands_with_rates", f64)):
            if values is not None:
                each = [values] * self.count if isinstance(values, (str, int, float)) else list(values)
                if len(each) != self.count:
                    raise Error(f"{len(each)} values for {self.count} demands, expected one for each")
                self._become(made(Demands, name, self, array(kind, map(amount, each))))

    @classmethod
    def matrix(cls, net: Network, counts: Sequence[Sequence[int]]) -> Demands:
        """Demands from a square matrix of counts, an array or lists.

        >>> rwa.Demands.matrix(rwa.Network("ring:3"), [[0, 1, 0], [0, 0, 2], [1, 0, 0]]).lightpaths
        4
        """
        return cls(net, [(src, dst, int(count)) for src, line in enumerate(counts) for dst, count in enumerate(line)
                         if count])


def model_of(net, model):
    return choice(kinds["model"], model or net.model, "model")


class Assignment(Handle):
    """Routes and wavelengths of demands, checked, with a lower bound.

    >>> answer = rwa.assign(rwa.Network("nsfnet14-21"))
    >>> answer.wavelengths, answer.bound, answer.optimal
    (13, 13, True)
    >>> answer.proof[:28], answer.witness.lengths
    ('A cut of 4 links (2-5, 3-10,', {5: 1, 7: 1, 8: 1, 13: 1})
    """
    _kind = "assignment"
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

    def __repr__(self) -> str:
        return (f"<rwa.Assignment: {self.routed} of {self.lightpaths} lightpaths, {self.wavelengths} wavelengths, "
                f"{'most served' if self._report.bound.most_served else 'lower bound'} {self.bound}>")

    def _repr_html_(self):
        return html_table(["lightpaths", "served", "wavelengths", self.bound_name or "bound", "solver"],
                          [[self.lightpaths, self.routed, self.wavelengths, self.bound, self.solver]],
                          self.why or self.proof)

    @property
    def network(self) -> Network:
        """The network."""
        return held(Network, lib.assignment_network(self), self)

    @property
    def bound(self) -> int:
        """The lower bound on the wavelengths (or, on given ones, the upper one on the lightpaths served); 0: none."""
        return self._report.bound.value

    @property
    def bound_name(self) -> str | None:
        """The name of the bound."""
        return plain(self._report.bound.name)

    @property
    def optimal(self) -> bool:
        """Whether the bound is met."""
        return self.outcome == "optimal"

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
        found, net = struct("route")(), self.network
        demands = lib.demands_list(lib.assignment_demands(self))
        for i in range(lib.assignment_count(self)):
            lib.assignment_get(found, self, i)
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
        lib.assignment_gsnr(found, self, fiber_of(device))
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

    def write(self, path: str) -> None:
        """Write the assignment to a file, which read() and `rwa check` read.

        >>> rwa.assign(rwa.Network("nsfnet14-21")).write("assignment.jsonl")
        >>> rwa.read("assignment.jsonl").lightpaths
        91
        """
        lib.assignment_write(self, encode(path))

    def export(self, path: str, format: str, device: Device | str | None = None) -> None:
        """Write the assignment in another format: csv, table, openconfig, gnpy or sndlib.

        >>> rwa.assign(rwa.Network("nsfnet14-21")).export("routes.csv", "csv")
        """
        opts = options("export_options", device=device_of(device))
        lib.assignment_export(self, encode(format), encode(path), opts)


# ---- calls ----

def read(path: str, limits: Limits | None = None) -> Schedule | Assignment:
    """A schedule or an assignment from a file.

    >>> rwa.plan(rwa.Network("ring:8")).schedule.write("ring8.jsonl.gz")
    >>> rwa.read("ring8.jsonl.gz").network.nodes
    8
    """
    if lib.assignment_is_file(encode(path)):
        return made(Assignment, "assignment_read", encode(path))
    return made(Schedule, "schedule_read", encode(path), limits)


def check(what: Schedule | Plan | Assignment | str, *, device: Device | Fiber | str | None = None,
          power_model: str = "rings", lightpath: int | None = None, rate: Number | None = None,
          limits: Limits | None = None, progress: Progress | None = None, **cost: Number) -> Check:
    """Check a schedule, an assignment, or a file of either, and time a schedule: cost="circuit", alpha=...

    device: a profile of devices for power, or of fibre for GSNR; lightpath: the one whose link budget is reported.

    >>> schedule = rwa.plan(rwa.Network("ring:16", wavelengths=4), scheme="wavefront").schedule
    >>> rwa.check(schedule, device="conservative").power.verdict
    'fail'
    """
    if isinstance(device, str):
        device = Fiber(device) if device in Fiber.builtin() else Device(device)
    opts = options("check_options", progress, power_model=power_model, lightpath=lightpath, rate_bps=rate,
                   limits=limits, cost=cost_options(cost, device if isinstance(device, Device) else None),
                   **{"transmission" if isinstance(device, Fiber) else "device": device})
    if isinstance(what, Plan):
        what = what.schedule
    name = {Schedule: "check_schedule", Assignment: "check_assignment"}.get(type(what), "check_file")
    return made(Check, name, what if isinstance(what, Handle) else encode(what), opts)


def solvers() -> list[str]:
    """The names of the solvers of assign().

    >>> "first-fit" in rwa.solvers()
    True
    """
    return listed("assignment_solver_name")


def assign(net: Network, demands: str | Demands | Iterable[Sequence] = "all-to-all", wavelengths: int = 0, *,
           model: str | None = None, objective: str = "wavelengths", guard: int = 0, routing: str = "auto",
           paths: int = 0, max_hops: int = 0, avoid: Nodes = (), converters: Nodes = (), protection: bool = False,
           solver: str | None = None, time_limit: float = 10, seed: int = 1, device: Fiber | str | None = None,
           rate: Number | None = None, progress: Progress | None = None) -> Assignment:
    """Give every demand a route and a wavelength: on the fewest wavelengths, or as many as possible on given ones.

    Where not all are served, outcome and why say so.  rate: of each demand, with a device of fibre.

    >>> rwa.assign(rwa.Network("nsfnet14-21"), wavelengths=13)
    <rwa.Assignment: 91 of 91 lightpaths, 13 wavelengths, lower bound 13>
    """
    if not isinstance(demands, Demands):
        demands = Demands(net, demands, model=model, seed=seed, rates=rate)
    forbidden, changing = (array(u32, map(net.node, nodes)) for nodes in (avoid, converters))
    opts = options("assignment_options", progress, model=model_of(net, model), objective=objective, guard=guard,
                   wavelengths=wavelengths or (net.wavelengths if net.slot_hz else 0), routing=routing, paths=paths,
                   max_hops=max_hops, forbidden=forbidden, forbidden_count=len(forbidden), converters=changing,
                   converter_count=len(changing), protection=int(protection), solver=solver, time_limit_s=time_limit,
                   seed=seed, transmission=fiber_of(device))
    return made(Assignment, "assignment_make", net, demands, opts)


def traffic(net: Network, load: float | Iterable[float], *, routing: str | Sequence[str] = "shortest",
            policy: str | Sequence[str] = "first-fit", widths: Iterable[Sequence] = (), guard: int = 0,
            protection: str = "none", scattered: bool = False, model: str | None = None, paths: int = 3,
            max_hops: int = 0, requests: int = 200000, warm_up: int = 10000, batches: int = 20, seed: int = 1,
            device: Fiber | str | None = None, progress: Progress | None = None) -> Table:
    """Blocking of random traffic, a row for each load (in Erlang), routing and policy.

    widths: a mix of requests (slots[, share[, rate]]), whose numbers are in the column `classes`; protection: none, 1+1
    or shared.

    >>> row, = rwa.traffic(rwa.Network("line:2", wavelengths=8), 16, model="undirected", requests=20000)
    >>> abs(row.probability - row.exact) < 0.02
    True
    """
    mix = array(struct("traffic_class"), [(width, *(amount(x) for x in (*more, *(1, 0)[len(more):])))
                                          for width, *more in widths])
    state = options("state_options", model=model_of(net, model), paths=paths, max_hops=max_hops, seed=seed)
    table = Table()
    for erlang, route, choose in product(*([each] if isinstance(each, (str, int, float)) else each
                                           for each in (load, routing, policy))):
        classes = (struct("class_blocking") * len(mix))()
        opts = options("blocking_options", progress, state=state, routing=route, policy=choose, warm_up=warm_up,
                       batches=batches, requests=requests, classes=mix, class_count=len(mix), class_answers=classes,
                       guard=guard, scattered=int(scattered), transmission=fiber_of(device),
                       protection=protection)
        found = answered("blocking", "blocking_simulate", net, erlang, opts)
        table.append(row(found, routing=route, policy=choose, classes=Table(map(row, classes))))
    return table
