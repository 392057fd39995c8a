# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks, collectives, devices, and limits on resources."""
from __future__ import annotations

import ctypes as c
from collections import namedtuple
from typing import TYPE_CHECKING, Iterable, Sequence, TypedDict, Union

from ._library import (NONE, Error, Handle, Named, answered, array, fill, held, lib, made, opens, options, plain,
                       struct, u32)

if TYPE_CHECKING:
    from typing_extensions import Unpack

Number = Union[int, float, str]
Link = namedtuple("Link", "src dst length_km fibers")
Link.__doc__ = "A directed link: its nodes, its length (0: not known) and its parallel fibres."


class Limits(struct("limits")):
    """Limits of one call, for untrusted files: file_bytes, nodes, lightpaths, memory_bytes, time_limit_s; 0: none.

    >>> try:
    ...     rwa.Network("ring:1000", limits=rwa.Limits(nodes=100))
    ... except rwa.Error as error:
    ...     print(error)
    network "ring:1000": 1000 nodes: expected at most 100, the caller's limit
    """

    def __init__(self, **limits: Number) -> None:
        super().__init__(struct_size=c.sizeof(self))
        fill(self, limits)


class Device(Named):
    """A device profile by name or file: "onoc-typical", "conservative", "aggressive".

    >>> device = rwa.Device("onoc-typical")
    >>> device.wavelengths, device.rate_bps, device.reach(nodes=64, wavelengths=64)
    (8, 10000000000.0, 63)
    """
    _kind, _names = "device", "device_builtin"
    name: str
    description: str
    wavelengths: int
    rate_bps: float
    reconfig_s: float
    alpha_s: float

    def __init__(self, name: str) -> None:
        super().__init__()
        lib.device_open(self, name)

    def reach(self, nodes: int, wavelengths: int, power_model: str = "rings") -> int | None:
        """The most links of a lightpath that is alone; None: the profile leaves a loss open.

        >>> rwa.Device("conservative").reach(16, 4) < rwa.Device("aggressive").reach(16, 4)
        True
        """
        hops = lib.device_reach(self, power_model, nodes, wavelengths)
        return None if hops == NONE else hops


opens["device"] = Device


class NetworkOptions(TypedDict, total=False):
    """Keywords of Network() and Network.from_links(): the command's."""
    wavelengths: int
    fibers: int
    rate: Number
    ports: int
    tuning: int
    limits: Limits


class Network(Named):
    """A network by specification ("ring:64", "torus:8x8"), built-in name ("nsfnet14-21") or file ("net.graphml").

    reserve: channels that no lightpath may use; fail: failed links, as "5-6", "Berlin>Leipzig" or numbers; device:
    gives wavelengths and rate; slots: of a flexible grid, 12.5 GHz each, in place of wavelengths.  The wavelengths are
    those of plans, traffic and states; assign() has its own, as it also finds the fewest.

    >>> net = rwa.Network("torus:4x4", wavelengths=4, rate="25G")
    >>> net.nodes, net.wavelengths, net.topology, net.model
    (16, 4, 'torus', 'directed')
    """
    _kind, _names = "network", "network_builtin"
    _text = "{0.topology}, {0.nodes} nodes, {0.wavelengths} wavelengths"
    nodes: int
    fibers: int
    wavelengths: int
    channels: int
    rate_bps: float
    slot_hz: float
    ports: int
    tuning: int
    topology: str
    model: str

    def __init__(self, spec: str, *, slots: int | None = None, reserve: Iterable[int] = (),
                 fail: Iterable[str | int] = (), device: Device | str | None = None,
                 **given: Unpack[NetworkOptions]) -> None:
        super().__init__()
        if device is not None:
            device = Device(device) if isinstance(device, str) else device
            given = {"wavelengths": device.wavelengths, "rate": device.rate_bps, **given}
        if slots is not None:
            given.update(wavelengths=slots, slot=12.5e9)
        lib.network_open(self, spec, options("network_options", **given))
        reserve, fail = list(reserve), list(fail)
        if reserve or fail:
            self._become(self.with_faults(reserve, fail))

    @classmethod
    def from_links(cls, links: Iterable[Sequence], *, one_way: bool = False,
                   risk_groups: Iterable[Sequence[int]] = (), **given: Unpack[NetworkOptions]) -> Network:
        """A network of links (node, node[, length_km[, fibers]]); nodes are numbers from 0, or any labels.

        Each link runs both ways, unless one_way.  networkx: from_links(graph.edges).

        >>> net = rwa.Network.from_links([("Rome", "Oslo", 2000), ("Oslo", "Bonn", 1000), ("Bonn", "Rome", 1100)])
        >>> net.nodes, net.node("Bonn"), net.link(2)
        (3, 2, Link(src=1, dst=2, length_km=1000.0, fibers=1))
        """
        links = list(map(list, links))
        labels = list(dict.fromkeys(end for link in links for end in link[:2]))
        numbered = all(hasattr(label, "__index__") for label in labels)
        nodes = range(max(labels, default=0) + 1) if numbered else labels
        number = {label: i for i, label in enumerate(nodes)}
        names = None if numbered else array(c.c_char_p, map(str, labels))
        opts = options("network_options", **given, both_ways=not one_way,
                       risk_groups=[(array(u32, group), len(group)) for group in risk_groups])
        opts.node_names = names and c.addressof(names)
        return made(cls, "network_create_graph", len(nodes), [(number[a], number[b], *more) for a, b, *more in links],
                    len(links), opts)

    def node(self, name: str | int) -> int:
        """The number of a node, by name or number.

        >>> rwa.Network("polska12-18").node("Legowo")
        0
        """
        number = lib.network_find_node(self, str(name))
        if number == NONE:
            raise Error(f"no node {name!r}, expected a name or a number")
        return number

    def name(self, node: int) -> str:
        """The name of a node, or its number as text.

        >>> rwa.Network("polska12-18").name(0), rwa.Network("ring:8").name(0)
        ('Legowo', '0')
        """
        return plain(lib.network_node_name(self, node)) or str(node)

    def links(self, *names: str | int) -> list[int]:
        """The numbers of directed links named as "5-6" (both ways), "5>6" or 17; without names all of them.

        >>> rwa.Network("ring:16").links("5-6")
        [5, 21]
        """
        return self._links(names) if names else list(range(lib.network_links(self)))

    def _links(self, names):
        """As links(), but without names none."""
        found, pair = [], (u32 * 2)()
        for name in names:
            count = lib.network_find_links(pair, self, str(name))
            if count == 0:
                raise Error(f"no link {name!r}, expected two nodes as A-B or A>B, or a number")
            found += pair[:count]
        return found

    def link(self, number: int) -> Link:
        """A directed link by its number.

        >>> rwa.Network("nsfnet14-21").link(0)
        Link(src=0, dst=1, length_km=1100.0, fibers=1)
        """
        if not 0 <= number < lib.network_links(self):
            raise Error(f"no link {number}, expected 0 to {lib.network_links(self) - 1}")
        link = lib.network_link(self, number)
        return Link(getattr(link, "from"), link.to, link.length_km, link.fibers)

    def route(self, nodes: Iterable[str | int]) -> list[int]:
        """The directed links from node to node.

        >>> rwa.Network("nsfnet14-21").route([0, 2, 5])
        [2, 10]
        """
        nodes = [self.node(node) for node in nodes]
        links = [lib.network_find_link(self, *ends) for ends in zip(nodes, nodes[1:])]
        if not links or NONE in links:
            raise Error(f"no route {nodes}, expected neighbouring nodes")
        return links

    @property
    def failed(self) -> list[int]:
        """The numbers of the failed directed links."""
        faults = answered("network_faults", self)
        return faults.links[:faults.link_count]

    def with_faults(self, reserve: Iterable[int] = (), fail: Iterable[str | int] = ()) -> Network:
        """A copy with these reserved channels and failed links in place of its own.

        >>> rwa.Network("ring:8").with_faults(fail=["2>3"]).failed
        [2]
        """
        faults = fill(struct("faults")(), {"reserve": reserve, "links": self._links(fail)})
        return made(Network, "network_with_faults", self, faults)

    def write(self, path: str, format: str = "graphml") -> None:
        """Write the network to a file: graphml, json, gnpy or sndlib.

        >>> rwa.Network("torus:3x3").write("torus.json", "json")
        >>> rwa.Network("torus.json").nodes
        9
        """
        lib.network_write(self, format, path)


class OnNetwork(Handle):
    """What schedules, assignments and states have."""

    @property
    def network(self) -> Network:
        """Its network, as long as it is kept."""
        return held(Network, getattr(lib, self._kind + "_network")(self), self)

    def write(self, path: str) -> None:
        """Write it to a file, which read() and `rwa check` read.

        >>> rwa.plan(rwa.Network("ring:8")).schedule.write("plan.jsonl")
        >>> rwa.assign(rwa.Network("nsfnet14-21")).write("assignment.jsonl")
        >>> rwa.read("assignment.jsonl").lightpaths
        91
        >>> state = rwa.State(rwa.Network("nsfnet14-21"))       # with ids and tags; State.take() takes what is read
        >>> path = state.add(0, 5)
        >>> state.write("state.jsonl")
        >>> rwa.read("state.jsonl").lightpaths
        1
        """
        getattr(lib, self._kind + "_write")(self, path)


class Collective(struct("collective")):
    """A collective among a number of nodes; message: bytes of a node, or of the vector of a reduction.

    >>> coll = rwa.Collective("all-gather", 16, message="1MiB")
    >>> coll.blocks, coll.block_bytes, coll.owner(5)
    (16, 1048576, 5)
    """

    def __init__(self, kind: str, nodes: int, message: Number = "4MiB", root: int = 0, blocks: int = 0) -> None:
        super().__init__()
        lib.collective_init_sized(self, c.sizeof(self), {"reduce": "rooted-reduce"}.get(kind, kind),
                                  nodes, root, message, blocks)

    def __repr__(self) -> str:
        return f"<rwa.Collective: {self.name} of {self.nodes} nodes, {self.blocks} blocks of {self.block_bytes} bytes>"

    @property
    def name(self) -> str:
        """Its kind: "all-gather"."""
        return plain(lib.collective_name(self.kind))

    def owner(self, block: int) -> int:
        """The node that owns a block.

        >>> rwa.Collective("all-to-all", 4).owner(7)
        1
        """
        return lib.collective_owner(self, block)
