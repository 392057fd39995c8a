# SPDX-License-Identifier: GPL-3.0-or-later
"""Task graphs on devices, traffic, circuits for it; and the tables of papers."""
from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any, Iterable, Sequence, TypedDict

from ._library import NONE, Handle, Table, answered, choice, lib, made, opens, options, row
from .network import Network, Number
from .planning import Progress

if TYPE_CHECKING:
    from typing_extensions import Unpack


class PlaceOptions(TypedDict, total=False):
    """Keywords of place() and circuits(): `rwa place --help` and `rwa circuits --help` describe them."""
    replicas: int
    degree: int
    memory: Number
    method: str
    episodes: int
    duty: float
    one_way: bool
    reconfig: Number
    time_limit: float
    progress: Progress


class Traffic(Handle):
    """Bytes from node to node: a file, or rows (src, dst, bytes) among this many nodes.

    >>> traffic = rwa.Traffic([(0, 1, 5e6), (2, 0, 1e6)], nodes=4)
    >>> traffic.nodes, traffic.flows.column("bytes")
    (4, [5000000.0, 1000000.0])
    """
    _kind, _text = "traffic", "{0.nodes} nodes"
    nodes: int

    def __init__(self, flows: str | Iterable[Sequence], nodes: int = 0) -> None:
        super().__init__()
        if isinstance(flows, str):
            lib.traffic_read(self, flows)
        else:
            flows = list(flows)
            lib.traffic_create(self, nodes, flows, len(flows))

    @property
    def flows(self) -> Table:
        """The flows, by src and dst."""
        return Table(row(lib.traffic_flow(self, i)) for i in range(lib.traffic_flows(self)))


class Circuits(Handle):
    """Circuits of switches, each set in every episode; report.why says if not all pairs can be served.

    >>> found = rwa.circuits(rwa.Traffic([(0, 1, 8e6), (0, 2, 2e6)], nodes=4), rwa.Network("ocs:4x5"))
    >>> found.report.load_bytes, [found.peer(0, switch, 0) for switch in range(5)].count(1)
    (2000000.0, 4)
    """
    _kind, _text = "circuits", "{0.report.circuits} circuits, {0.report.outcome}"

    def peer(self, episode: int, switch: int, node: int) -> int | None:
        """The node that a switch joins to a node's transmitter in an episode.

        >>> rwa.circuits(rwa.Traffic([(0, 1, 8e6)], nodes=2), rwa.Network("ocs:2x1")).peer(0, 0, node=1)
        """
        if not (0 <= episode < self.report.episodes and 0 <= switch < self.report.switches and
                0 <= node < self.report.nodes):
            raise IndexError((episode, switch, node))
        found = lib.circuits_peer(self, episode, switch, node)
        return None if found == NONE else found


class Allocation(Handle):
    """Lightpaths of a ring for traffic; report.why says if not all pairs can be served.

    >>> found = rwa.circuits(rwa.Traffic([(0, 3, 6e6)], nodes=8), rwa.Network("ring:8", wavelengths=2))
    >>> found, found.report.load_bytes
    (<rwa.Allocation: 4 lightpaths, optimal>, 1500000.0)
    """
    _kind, _text = "allocation", "{0.report.lightpaths} lightpaths, {0.report.outcome}"

    def routes(self) -> Table:
        """The ends, direction, fibre and wavelength of each lightpath.

        >>> found = rwa.circuits(rwa.Traffic([(0, 3, 6e6)], nodes=8), rwa.Network("ring:8", wavelengths=1))
        >>> found.routes().column("direction")
        ['cw', 'ccw']
        """
        return Table(row(lib.allocation_lightpath(self, i)) for i in range(self.report.lightpaths))


def circuits(traffic: Traffic | str, net: Network, **given: Unpack[PlaceOptions]) -> Circuits | Allocation:
    """Circuits of switches, or lightpaths of a ring, that make the slowest transfer as fast as possible.

    >>> rwa.circuits(rwa.Traffic([(0, 1, 8e6), (0, 2, 2e6)], nodes=4), rwa.Network("ocs:4x5"), episodes=2)
    <rwa.Circuits: 10 circuits, optimal>
    """
    kind = choice({Circuits: "ocs", Allocation: "ring"}, net.topology, "circuits on a network")
    if kind is Allocation:
        return made(kind, "allocation_make", traffic, net, options("allocation_options", **given))
    return made(kind, "circuits_make", traffic, net.fibers, options("circuits_options", rate=net.rate_bps, **given))


class Tasks(Handle):
    """A task graph: a file, or rows (seconds[, bytes of memory[, of gradients]]) and edges (from, to, bytes).

    >>> rwa.Tasks([(1e-3,), (2e-3, 4e6)], [(0, 1, 5e5)]).count
    2
    """
    _kind, _text = "tasks", "{0.count} tasks"
    count: int

    def __init__(self, tasks: str | Iterable[Sequence], edges: Iterable[Sequence] = ()) -> None:
        super().__init__()
        if isinstance(tasks, str):
            lib.tasks_read(self, tasks)
        else:
            tasks, edges = list(tasks), list(edges)
            lib.tasks_create(self, tasks, None, len(tasks), edges, len(edges))


class Placement(Handle):
    """A device and a start for each task; report.why says if they do not fit.

    >>> placement = rwa.place(rwa.Tasks([(1e-3,), (2e-3,), (3e-3,)], [(0, 1, 5e5), (0, 2, 5e5)]), devices=2)
    >>> placement.report.outcome, placement.report.makespan_seconds
    ('optimal', 0.004)
    """
    _kind, _text = "placement", "{0.report.devices} devices, {0.report.makespan_seconds:.6g} s"

    def tasks(self) -> Table:
        """The device and start of each task.

        >>> rwa.place(rwa.Tasks([(1e-3,), (2e-3,)], [(0, 1, 5e5)]), devices=2).tasks()
        device  start_seconds
             0              0
             0          0.001
        """
        return Table(Task(lib.placement_device(self, i), lib.placement_start(self, i)) for i in range(self._count))

    def traffic(self) -> Traffic:
        """The bytes from node to node in an iteration.

        >>> placement = rwa.place(rwa.Tasks([(1e-3,), (2e-3,), (3e-3,)], [(0, 1, 5e5), (0, 2, 5e5)]), devices=2)
        >>> placement.traffic().flows
        src  dst   bytes
          0    1  500000
        """
        return made(Traffic, "placement_traffic", self)

    def time(self, circuits: Circuits, rate: Number) -> Any:
        """The seconds of an iteration with its communication, over circuits of this bit rate.

        >>> placement = rwa.place(rwa.Tasks([(1e-3,), (2e-3,)], [(0, 1, 5e6)]), devices=2, degree=1)
        >>> placement.time(rwa.circuits(placement.traffic(), rwa.Network("ocs:2x1")), "40G").time_seconds
        0.003
        """
        return row(answered("placement_time", self, circuits, rate))


Task = namedtuple("Task", "device start_seconds")


def place(tasks: Tasks | str, devices: int, *, quantum: Number | None = None,
          **given: Unpack[PlaceOptions]) -> Placement:
    """Place tasks on devices, after a split into parts of about `quantum` seconds.

    >>> rwa.place(rwa.Tasks([(1e-3,), (2e-3,)], [(0, 1, 5e6)]), devices=2, quantum="500us", replicas=2, degree=2)
    <rwa.Placement: 2 devices, 0.0015 s>
    """
    tasks = Tasks(tasks) if isinstance(tasks, str) else tasks
    if quantum is not None:
        tasks = made(Tasks, "tasks_split", tasks, quantum, devices)
    placement = made(Placement, "placement_make", tasks, options("placement_options", devices=devices, **given))
    placement._count = tasks.count
    return placement


def reproduce(paper: str, item: str | None = None, *, schedules: bool = True,
              progress: Progress | None = None) -> Table:
    """A paper's printed figures beside their formulas and checked schedules: `rwa reproduce` without a name lists them.

    >>> rwa.reproduce("optree", "table-1", schedules=False).only("row", "printed", "formula")[0]
    Row(row='Ring', printed=1023.0, formula=1023.0)
    """
    found = made("paper", "paper_make", paper, options("paper_options", progress, item=item, schedules=schedules))
    return Table(row(lib.paper_get(found, i).contents) for i in range(lib.paper_rows(found)))


opens["traffic"] = Traffic
