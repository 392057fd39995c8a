# SPDX-License-Identifier: GPL-3.0-or-later
"""The network in use: lightpaths set up, moved, released, failed and restored; plays for failures."""
from __future__ import annotations

import ctypes as c
from collections import namedtuple
from typing import TYPE_CHECKING, Any, Iterator, TypedDict

from ._library import Handle, Table, answered, choice, fill, held, kinds, lib, made, options, plain, row, struct
from .assigning import Assignment, Fiber
from .network import Network, Number, OnNetwork
from .planning import Nodes, PlanOptions, Schedule, plan_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

Lightpath = namedtuple("Lightpath", "id src dst nodes links fiber wavelength width tag condition")
Lightpath.__doc__ = """A lightpath of a state, as it was when it was asked for; id 0: not set up.

Its condition: unprotected or protected; exposed: its backup cannot take over any more; on-backup; down."""


class StateOptions(TypedDict, total=False):
    """Keywords of State()."""
    model: str
    paths: int
    max_hops: int
    history: int
    seed: int
    sync: bool
    batch: bool


class RequestOptions(TypedDict, total=False):
    """Keywords of State.add(), which describes them."""
    routing: str
    policy: str
    route: Nodes
    fiber: int
    wavelength: int
    width: int
    guard: int
    device: Fiber | str
    rate: Number
    protection: str
    tag: str


class State(OnNetwork):
    """The lightpaths that are up on a network, which the state copies.

    paths: candidate routes of each pair of nodes (3); max_hops: of a candidate (0: any); history: operations that can
    be undone (1024); seed: of the policy random (1).  journal: a file that keeps every operation, so that the state
    outlives a crash; sync=1: of the machine, too; batch=1: kept at commit() only.

    >>> state = rwa.State(rwa.Network("nsfnet14-21", wavelengths=2))
    >>> first = state.add(0, 5, tag="order 17")
    >>> first.id, first.nodes, len(state), state[1].tag
    (1, [0, 2, 5], 1, 'order 17')
    >>> state.fail("0-2")
    >>> state.find("down"), state.move(1, routing="alternate").nodes
    ([1], [0, 1, 2, 5])
    >>> kept = rwa.State(rwa.Network("nsfnet14-21"), journal="orders.jsonl")
    >>> number = kept.add(3, 9, tag="order 18").id
    >>> del kept
    >>> rwa.State(rwa.Network("nsfnet14-21"), journal="orders.jsonl")[number].tag
    'order 18'
    """
    _kind = "state"

    @property
    def _text(self):
        return f"{len(self)} lightpaths, {len(self.find('down'))} down"

    def __init__(self, net: Network, *, journal: str | None = None, **given: Unpack[StateOptions]) -> None:
        super().__init__()
        opts = options("state_options", **given)
        if journal is None:
            lib.state_create(self, net, opts)
        else:
            lib.state_open(self, net, opts, journal)

    def __len__(self) -> int:
        return lib.state_count(self)

    def __iter__(self) -> Iterator[Lightpath]:
        return map(self.__getitem__, self._ids())

    def __getitem__(self, id: int) -> Lightpath:
        if id not in self:
            raise KeyError(id)
        return self._placed("state_get", self, id)

    def __contains__(self, id: int) -> bool:
        return bool(lib.state_get(struct("placed")(), self, id))

    def _ids(self, conditions=0, tag=None):
        id = 0
        while id := lib.state_next_in(self, id, conditions, tag):
            yield id

    def _placed(self, call, *args):
        """The lightpath that a call tells; None: it is blocked."""
        found = answered(call, *args)
        if found.hops == 0:
            return None
        net, links = self.network, found.links[:found.hops]
        return Lightpath(found.id, found.src, found.dst, [found.src] + [net.link(link).dst for link in links], links,
                         found.fiber, found.wavelength, found.width, plain(found.tag),
                         kinds["condition"].words.get(lib.state_condition(self, found.id)))

    def _request(self, src, dst, given):
        """A request: the keywords of add(), try_add(), move() and explain()."""
        request = struct("request")()
        lib.request_init_sized(request, c.sizeof(request), self.network.node(src), self.network.node(dst))
        if given.get("route") is not None:
            links = self.network.route(given.pop("route"))
            given.update(links=links, hops=len(links))
        return fill(request, given)

    def add(self, src: int | str, dst: int | str, **request: Unpack[RequestOptions]) -> Lightpath | None:
        """Set up a lightpath; None: it is blocked, and explain() says by what.

        routing: shortest, alternate or least-loaded; policy: first-fit, last-fit, most-used, least-used, random,
        exact-fit or least-fragmentation; route: its nodes; fiber, wavelength: the channel; width, guard: slots; device,
        rate: fibre on which a format must reach; protection: none, 1+1 or shared; tag: a text that the state keeps.

        >>> state = rwa.State(rwa.Network("line:3", wavelengths=1))
        >>> state.add(0, 2).wavelength, state.add(1, 2)
        (0, None)
        """
        return self._placed("state_add", self, self._request(src, dst, request))

    def try_add(self, src: int | str, dst: int | str, **request: Unpack[RequestOptions]) -> Lightpath | None:
        """The lightpath that add() would set up now; nothing changes.

        >>> state = rwa.State(rwa.Network("line:3", wavelengths=1))
        >>> state.try_add(0, 2).nodes, len(state)
        ([0, 1, 2], 0)
        """
        return self._placed("state_try", self, self._request(src, dst, request))

    def move(self, id: int, **request: Unpack[RequestOptions]) -> Lightpath | None:
        """Reroute a lightpath, by keywords as in add(); it keeps its id.  None: blocked, and it stays as it is.

        >>> state = rwa.State(rwa.Network("line:3", wavelengths=2))
        >>> state.move(state.add(0, 2).id, wavelength=1).wavelength
        1
        """
        return self._placed("state_move", self, id, self._request(*self[id][1:3], request))

    def release(self, id: int) -> None:
        """Take a lightpath down, with its backup.

        >>> state = rwa.State(rwa.Network("line:3"))
        >>> state.release(state.add(0, 2).id)
        >>> len(state)
        0
        """
        lib.state_release(self, id)

    def explain(self, src: int | str, dst: int | str, **request: Unpack[RequestOptions]) -> Any:
        """What blocks a request, and one change that lets it in.

        >>> state = rwa.State(rwa.Network("line:3", wavelengths=1))
        >>> path = state.add(0, 2)
        >>> print(state.explain(1, 2).remedy)
        release
        """
        return row(answered("state_explain", self, self._request(src, dst, request)))

    def find(self, *conditions: str, tag: str | None = None) -> list[int]:
        """The ids of lightpaths in one of the conditions, or with a tag: see Lightpath.

        >>> state = rwa.State(rwa.Network("line:3"))
        >>> path, other = state.add(0, 2, tag="blue"), state.add(0, 1)
        >>> state.find(tag="blue"), state.find("down"), state.find("unprotected", "exposed")
        ([1], [], [1, 2])
        """
        return list(self._ids(sum(choice(kinds["condition"].words, word, "condition") for word in conditions), tag))

    def backup(self, id: int) -> Lightpath | None:
        """The backup of a lightpath, with its own route and channel.

        >>> state = rwa.State(rwa.Network("ring:5"))
        >>> state.backup(state.add(0, 2, protection="shared").id).nodes
        [0, 4, 3, 2]
        """
        return self._placed("state_backup", self, id)

    def protect(self, id: int, **request: Unpack[RequestOptions]) -> Lightpath | None:
        """Give a lightpath a new backup, beside the route that carries it now; None: there is no place for one.

        >>> state = rwa.State(rwa.Network("torus:3x3"))
        >>> state.add(0, 4, protection="shared").nodes
        [0, 3, 4]
        >>> state.fail("3-4")
        >>> state.find("exposed", "on-backup"), state.protect(1).nodes[-1], state[1].condition
        ([1], 4, 'protected')
        """
        return self._placed("state_protect", self, id, self._request(*self[id][1:3], request))

    def _events(self, call, links, node, group):
        """Call for each link, node or risk group."""
        for kind, numbers in (("link", self.network._links(links)),
                              ("node", () if node is None else [self.network.node(node)]),
                              ("group", () if group is None else [group])):
            for number in numbers:
                call(self, kind, number)

    def fail(self, *links: str | int, node: str | int | None = None, group: int | None = None) -> None:
        """A failure: of links, as "5-6", "5>6" or numbers, of a node, or of a risk group, by its number.

        >>> state = rwa.State(rwa.Network("ring:5"))
        >>> first, other = state.add(0, 2, protection="1+1"), state.add(0, 1)
        >>> state.fail("1-2")
        >>> state[1].condition, state[2].condition
        ('on-backup', 'unprotected')
        >>> state.fail(node=4)
        >>> state.find("down")
        [1]
        """
        self._events(lib.state_fail, links, node, group)

    def repair(self, *links: str | int, node: str | int | None = None, group: int | None = None) -> None:
        """The end of a failure.

        >>> state = rwa.State(rwa.Network("line:3", fail=["1-2"]))
        >>> state.repair("1-2")
        >>> state.add(0, 2).nodes
        [0, 1, 2]
        """
        self._events(lib.state_repair, links, node, group)

    def mark(self) -> int:
        """A mark for rollback().

        >>> state = rwa.State(rwa.Network("line:3"))
        >>> mark, path = state.mark(), state.add(0, 2)
        >>> state.rollback(mark)
        >>> len(state)
        0
        """
        return lib.state_mark(self)

    def rollback(self, mark: int) -> None:
        """Undo all operations since a mark; see mark().

        >>> state = rwa.State(rwa.Network("line:3"))
        >>> state.rollback(state.mark())
        """
        lib.state_rollback(self, mark)

    def undo(self, count: int = 1) -> None:
        """Undo the last operations.

        >>> state = rwa.State(rwa.Network("line:3"))
        >>> path = state.add(0, 2)
        >>> state.undo()
        >>> len(state)
        0
        """
        lib.state_undo(self, count)

    def commit(self) -> None:
        """Write what a journal opened with batch=1 holds back.

        >>> state = rwa.State(rwa.Network("line:3"), journal="batches.jsonl", batch=1)
        >>> path = state.add(0, 2)
        >>> state.commit()
        """
        lib.state_commit(self)

    def free_channels(self, link: str | int) -> int:
        """The free channels of a directed link.

        >>> rwa.State(rwa.Network("line:3", wavelengths=8)).free_channels("0>1")
        8
        """
        return lib.state_free_channels(self, *self.network.links(link)[:1])

    def fragmentation(self) -> Any:
        """How the free slots of the links are cut up: external, entropy, blocks, highest.

        >>> rwa.State(rwa.Network("line:3", slots=16)).fragmentation().external
        0.0
        """
        return row(answered("state_fragmentation", self))

    def restore(self, fewest_moves: bool = False) -> Any:
        """Move lightpaths that are down to new routes: those with most traffic first, or with the fewest moves.

        >>> state = rwa.State(rwa.Network("ring:5"))
        >>> path = state.add(0, 2)
        >>> state.fail("0-1")
        >>> state.restore().restored, state[1].nodes
        (1, [0, 4, 3, 2])
        """
        return row(answered("state_restore", self, fewest_moves, None))

    def defragment(self, most: int = 0) -> Any:
        """Move lightpaths to lower slots, each without an interruption: how many moved, and the slots before and after.

        >>> state = rwa.State(rwa.Network("line:3", slots=16))
        >>> path = state.add(0, 2, wavelength=9)
        >>> state.defragment().moves, state[1].wavelength
        (1, 0)
        """
        return row(answered("state_defragment", self, most))

    def assignment(self) -> Assignment:
        """A snapshot, to be drawn, checked, exported or written.

        >>> state = rwa.State(rwa.Network("nsfnet14-21"))
        >>> path = state.add(0, 5)
        >>> rwa.check(state.assignment())
        <rwa.Check: ok>
        """
        return made(Assignment, "state_export", self)

    def residual(self) -> Network:
        """The network that is left for plans: what is in use is reserved, link by link.

        >>> state = rwa.State(rwa.Network("ring:8"))
        >>> path = state.add(0, 4)
        >>> state.hold(rwa.plan(state.residual()).schedule, "plan:a")
        >>> state.release_tag("plan:a")
        >>> len(state)
        1
        """
        return made(Network, "state_residual", self)

    def hold(self, schedule: Schedule, tag: str, step: int = 0) -> None:
        """Hold the channels of a schedule, or of one step of it, under a tag that begins with "plan:".

        >>> state = rwa.State(rwa.Network("ring:4", wavelengths=1))
        >>> state.hold(rwa.plan(state.residual()).schedule, "plan:a")
        >>> state.add(0, 1) is None  # all-gathers light every link both ways
        True
        """
        lib.state_hold(self, schedule, step, tag)

    def release_tag(self, tag: str) -> None:
        """Release all lightpaths, and channels held, that have a tag.

        >>> state = rwa.State(rwa.Network("ring:4"))
        >>> first, second = state.add(0, 1, tag="a"), state.add(1, 2, tag="a")
        >>> state.release_tag("a")
        >>> len(state)
        0
        """
        lib.state_release_tag(self, tag)

    def take(self, what: Assignment) -> None:
        """Set up all lightpaths of an assignment on the same network.

        >>> net = rwa.Network("nsfnet14-21")
        >>> state = rwa.State(net)
        >>> state.take(rwa.assign(net))
        >>> len(state)
        91
        """
        lib.state_import(self, what)


class Playbook(Handle):
    """The plays of a schedule in a folder: for each failure in each step, the schedule that takes over.

    >>> book = rwa.playbook(rwa.plan(rwa.Network("ring:6", wavelengths=2)).schedule, "links of ring 6")
    >>> book.kind, book.failures, book.plays()[0].name
    ('link', 6, '0-1')
    """
    _kind = "playbook"
    kind: str
    failures: int

    def __init__(self, folder: str, **given: Unpack[PlanOptions]) -> None:
        super().__init__()
        lib.playbook_read(self, folder, plan_options(given))

    @property
    def plan(self) -> Schedule:
        """The schedule without a failure."""
        return held(Schedule, lib.playbook_plan(self), self)

    def plays(self) -> Table:
        """Every play: its failure and step, the steps and time of its schedule, and why there is none.

        >>> book = rwa.playbook(rwa.plan(rwa.Network("ring:6", wavelengths=2)).schedule, "nodes of ring 6", "nodes")
        >>> len(book.plays()) == book.failures * book.plan.steps
        True
        """
        return Table(row(lib.playbook_play(self, failure, step).contents)
                     for failure in range(self.failures) for step in range(1, self.plan.steps + 1))

    def schedule(self, failure: int, step: int) -> Schedule:
        """The schedule of a play, checked.

        >>> book = rwa.playbook(rwa.plan(rwa.Network("ring:6", wavelengths=2)).schedule, "again links of ring 6")
        >>> rwa.check(book.schedule(failure=3, step=2))
        <rwa.Check: ok>
        """
        return made(Schedule, "playbook_schedule", self, failure, step)


def playbook(schedule: Schedule, folder: str, kind: str = "links", **given: Unpack[PlanOptions]) -> Playbook:
    """Make the plays for every single failure of links or nodes, in a new folder, and read them.

    Keywords are those of plan() that do not choose a scheme: max_hops, device, cost, time_limit ...

    >>> schedule = rwa.plan(rwa.Network("ring:12", wavelengths=2), scheme="wavefront").schedule
    >>> rwa.playbook(schedule, "links of ring 12").schedule(failure=3, step=3).steps
    5
    """
    number = choice({0: "links", 1: "nodes"}, kind, "kind")
    lib.playbook_make(folder, schedule, number, plan_options(given))
    return Playbook(folder, **given)
