# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans collectives on optical interconnects: a thin module over the shared library librwa.

    import rwa
    net = rwa.Network("ring:64", wavelengths=8)
    plan = rwa.plan(net, "all-reduce", message=4 << 20)
    print(plan.steps, plan.bound, plan.optimal, rwa.check(plan.schedule).ok)
    plan.schedule.src           # a column of all lightpaths: a view of the library's memory, no copy

Columns are NumPy arrays where NumPy is installed, else memoryviews.  They are read-only and keep their schedule alive.
The environment variable RWA_LIBRARY names another librwa.so.
"""
import ctypes as c
import os

try:
    import numpy
except ImportError:
    numpy = None

i32, u32, u64, f64 = c.c_int, c.c_uint32, c.c_uint64, c.c_double
size_t, text, pointer = c.c_size_t, c.c_char_p, c.c_void_p
_lib = c.CDLL(os.environ.get("RWA_LIBRARY", "librwa.so.0"))
NO_NODE = 0xFFFFFFFF
CANCELLED = -6


class Error(Exception):
    """What the library says of a bad argument, a bad file, or a failure; status is its code."""

    def __init__(self, status, words):
        super().__init__(words)
        self.status = status


class Infeasible(Exception):
    """No plan or assignment keeps the limits; the words name one that is in the way, and a remedy."""


# ---- structures of the library: each begins as the library's own does, and a newer library may have more ----

def _struct(name, /, **fields):
    return type(name, (c.Structure,), {"_fields_": list(fields.items())})


_Error = _struct("rwa_error", status=i32, text=c.c_char * 512)
_Bound = _struct("rwa_bound", name=text, value=u64, unit=text, statement=text, source=text, holds=i32)
_NetworkOptions = _struct(
    "rwa_network_options", struct_size=size_t, fibers=u32, wavelengths=u32, rate_bps=f64, ports=u32, tuning=u32)
_Faults = _struct(
    "rwa_faults", channels=pointer, channel_count=size_t, links=pointer, link_count=size_t, links_from=u32)
_Collective = _struct(
    "rwa_collective", struct_size=size_t, kind=i32, nodes=u32, root=u32, blocks_given=u32, blocks=u64,
    block_bytes=u64, message_bytes=u64)
_CostOptions = _struct(
    "rwa_cost_options", struct_size=size_t, model=i32, alpha_s=f64, reconfig_s=f64, packet_bytes=u64,
    flit_bytes=u64, cycles_per_flit=f64, clock_hz=f64)
_PlanOptions = _struct(
    "rwa_plan_options", struct_size=size_t, scheme=text, solver=text, radix=pointer, radix_count=size_t, stages=u32,
    max_hops=u32,
    device=pointer, power_model=i32, order=i32, cost=_CostOptions, poll=pointer, poll_data=pointer, group=u32,
    last_exchange=i32, seed=u64, time_limit_s=f64, split_steps=u32, stripes=u32, lightpath_blocks=u32, members=pointer)
_Formula = _struct(
    "rwa_formula", known=i32, steps=u64, stages=size_t, stage_wavelengths=u64 * 64, best_steps=u64, best_stages=u32,
    source=text, tunings=u64)
_PlanReport = _struct(
    "rwa_plan_report", outcome=i32, why=c.c_char * 512, scheme=text, solver=text, stages=size_t, steps=u32,
    lightpaths=u64, wavelengths_used=u32, longest_hops=u32, formula=_Formula, bound=_Bound, time_s=f64)
_Violation = _struct("rwa_violation", kind=i32, step=u32, lightpath=u64, link=u64, wavelength=u64, text=c.c_char * 192)
_CheckReport = _struct(
    "rwa_check_report", ok=i32, violations=u64, by_kind=u64 * 16, named=size_t, first=_Violation * 20, steps=u32,
    lightpaths=u64, longest_hops=u32, wavelengths_used=u32)
_BoundOptions = _struct(
    "rwa_bound_options", struct_size=size_t, max_hops=u32, poll=pointer, poll_data=pointer, members=pointer)
_AssignOptions = _struct(
    "rwa_assignment_options", struct_size=size_t, model=i32, objective=i32, wavelengths=u32, routing=i32, solver=text)
_AssignReport = _struct(
    "rwa_assignment_report", outcome=i32, why=c.c_char * 512, lightpaths=u64, routed=u64, wavelengths=u32,
    extra_wavelengths=u32, bound_name=text, bound=u64)
_Route = _struct(
    "rwa_route", demand=size_t, copy=u32, role=i32, hops=u32, direction=i32, links=c.POINTER(u32), fiber=u32,
    wavelength=u32, fibers=pointer, wavelengths=pointer, why=text, down=i32)
_Columns = _struct(
    "rwa_columns", records=u64, src=pointer, dst=pointer, block=pointer, channel=pointer, flags=pointer, orbit=pointer,
    period=pointer)
Setting = _struct(
    "rwa_setting", node=u32, in_link=u32, out_link=u32, fiber=u32, wavelength=u32, use=u32, change=i32, src=u32,
    dst=u32, held=u32, block=u64, record=u64)
_Link = _struct("rwa_link", **{"from": u32, "to": u32, "length_km": f64, "fibers": u32})
CLEAR, SET, KEEP = 1, 2, 3      # the `change` of a Setting


# ---- functions of the library ----

def _declare(result, *names):
    for name in names:
        getattr(_lib, name).restype = result


_declare(text, "rwa_version", "rwa_network_node_name", "rwa_schedule_scheme",
         "rwa_assignment_routing_name")
_declare(pointer, "rwa_plan_schedule", "rwa_schedule_network", "rwa_schedule_collective", "rwa_assignment_network",
         "rwa_schedule_members")
_declare(u32, "rwa_network_nodes", "rwa_network_links", "rwa_network_wavelengths", "rwa_schedule_steps",
         "rwa_network_find_node")
_declare(u64, "rwa_schedule_lightpaths", "rwa_schedule_records", "rwa_schedule_first", "rwa_assignment_count")
_declare(size_t, "rwa_network_find_links", "rwa_settings_list", "rwa_settings_changes",
         "rwa_settings_nodes", "rwa_bounds_count")
_declare(c.POINTER(_PlanReport), "rwa_plan_summary")
_declare(c.POINTER(_CheckReport), "rwa_check_summary")
_declare(c.POINTER(_AssignReport), "rwa_assignment_summary")
_declare(c.POINTER(_Bound), "rwa_bounds_get")
_declare(_Link, "rwa_network_link")


def _bytes(word):
    return None if word is None else os.fsencode(word)


def _call(name, *args):
    """Call a function whose last parameter is an rwa_error."""
    err = _Error()
    status = getattr(_lib, name)(*args, c.byref(err))
    if status != 0:
        raise Error(status, err.text.decode("utf-8", "replace"))


def _options(kind, init, **values):
    opts = kind()
    getattr(_lib, init)(c.byref(opts), size_t(c.sizeof(opts)))
    for name, value in values.items():
        if value is not None:
            setattr(opts, name, value)
    return opts


def _array(kind, values):
    values = list(values)
    return (kind * len(values))(*values), len(values)


def _view(address, kind, count, owner):
    """Entries of the library's memory, which `owner` keeps alive; read-only."""
    count = count if address else 0
    array = (kind * count).from_address(address) if count else (kind * 0)()
    array.owner = owner
    view = memoryview(array).toreadonly()
    if numpy is not None:
        return numpy.frombuffer(view, dtype=numpy.dtype(kind)) if count else numpy.empty(0, numpy.dtype(kind))
    return array if issubclass(kind, c.Structure) else view.cast("B").cast({1: "B", 4: "I"}[c.sizeof(kind)])


class _Handle:
    """A handle of the library; _free names the function that releases it, None where an owner does."""
    _free = None

    def __init__(self, handle, owner=None):
        self._handle, self._owner = pointer(handle), owner

    def __del__(self):
        if self._free and getattr(self, "_owner", None) is None and getattr(self, "_handle", None):
            getattr(_lib, self._free)(self._handle)


def _made(kind, name, *args):
    """A new handle, which the function writes through its first parameter."""
    new = kind(None)
    _call(name, c.byref(new._handle), *args)
    return new


def _told(name):
    """A property that a function of the library tells of the handle."""
    return property(lambda self: getattr(_lib, name)(self._handle))


def _reported(name):
    """A property that stands in the handle's report."""
    return property(lambda self: getattr(self._report, name))


class Network(_Handle):
    """A network by specification ("ring:64", "torus:8x8"), built-in name, or file.

    reserve: channels that no lightpath may use; fail: links, as "5-6", "Berlin>Leipzig" or numbers."""
    _free = "rwa_network_free"

    def __init__(self, spec, wavelengths=None, fibers=None, rate=None, ports=None, tuning=None, reserve=(), fail=()):
        super().__init__(None)
        opts = _options(_NetworkOptions, "rwa_network_options_init_sized", wavelengths=wavelengths, fibers=fibers,
                        rate_bps=rate, ports=ports, tuning=tuning)
        _call("rwa_network_open", c.byref(self._handle), _bytes(spec), c.byref(opts))
        if reserve or fail:
            channels, count = _array(u32, reserve)
            links, failed = _array(u32, self.links(*fail))
            faults = _Faults(c.addressof(channels), count, c.addressof(links), failed, 0)
            whole, self._handle = self._handle, pointer()
            try:
                _call("rwa_network_with_faults", c.byref(self._handle), whole, c.byref(faults))
            finally:
                _lib.rwa_network_free(whole)

    @classmethod
    def _of(cls, handle, owner):
        net = cls.__new__(cls)
        _Handle.__init__(net, handle, owner)
        return net

    nodes = _told("rwa_network_nodes")
    wavelengths = _told("rwa_network_wavelengths")

    def __repr__(self):
        return f"<rwa.Network: {self.nodes} nodes, {self.wavelengths} wavelengths>"

    def node(self, name):
        """The number of a node, by name or number."""
        number = _lib.rwa_network_find_node(self._handle, _bytes(str(name)))
        if number == NO_NODE:
            raise Error(-1, f"no node {name!r}, expected a name or a number")
        return number

    def links(self, *names):
        """The directed links of names such as "5-6", "5>6" or 17."""
        found, pair = [], (u32 * 2)()
        for name in names:
            count = _lib.rwa_network_find_links(pair, self._handle, _bytes(str(name)))
            if count == 0:
                raise Error(-1, f"no link {name!r}, expected two nodes as A-B or A>B, or a number")
            found += pair[:count]
        return found

    def link(self, number):
        """The nodes (from, to) of a directed link."""
        link = _lib.rwa_network_link(self._handle, u32(number))
        return getattr(link, "from"), link.to


class Schedule(_Handle):
    """Steps of lightpaths.

    Columns: src, dst, block, channel, flags (bit 0: counter-clockwise, bit 1: reduce), orbit, period.
    """
    _free = "rwa_schedule_free"

    steps = _told("rwa_schedule_steps")
    records = _told("rwa_schedule_records")
    lightpaths = _told("rwa_schedule_lightpaths")
    network = property(lambda self: Network._of(_lib.rwa_schedule_network(self._handle), self))

    def __repr__(self):
        return f"<rwa.Schedule: {self.steps} steps, {self.lightpaths} lightpaths>"

    def __getattr__(self, name):
        if name not in ("src", "dst", "block", "channel", "flags", "orbit", "period"):
            raise AttributeError(name)
        columns = _Columns()
        _lib.rwa_schedule_columns_sized(c.byref(columns), size_t(c.sizeof(columns)), self._handle)
        return _view(getattr(columns, name), c.c_uint8 if name == "flags" else u32, columns.records, self)

    def step(self, number):
        """The records of a step, 1 … steps, as a slice for the columns."""
        first, end = (_lib.rwa_schedule_first(self._handle, u32(s)) for s in (number, number + 1))
        return slice(first, end)

    def expand(self):
        """A copy with every orbit written out."""
        return _made(Schedule, "rwa_schedule_expand", self._handle)

    def write(self, path):
        _call("rwa_schedule_write", self._handle, _bytes(path))

    def settings(self, step, node=NO_NODE):
        """The settings of a step (of one node) as Setting records: what to CLEAR, to SET and to KEEP."""
        return _made(Settings, "rwa_settings_make", self._handle, u32(step), u32(node), None)

    def repair(self, fail, at_step):
        """A plan that finishes the collective after these links failed at the beginning of a step."""
        links, count = _array(u32, self.network.links(*fail))
        return _made(Plan, "rwa_plan_repair", self._handle, links, size_t(count), u32(at_step), None)._feasible()


class Settings(_Handle):
    _free = "rwa_settings_free"

    changes = _told("rwa_settings_changes")

    def _list(self, name, kind):
        first = pointer()
        count = getattr(_lib, name)(c.byref(first), self._handle)
        return _view(first.value, kind, count, self)

    @property
    def records(self):
        return self._list("rwa_settings_list", Setting)

    @property
    def nodes(self):
        """The nodes, those with the fewest settings to push first."""
        return self._list("rwa_settings_nodes", u32)


class Plan(_Handle):
    """A checked schedule and what is known about it."""
    _free = "rwa_plan_free"

    def __repr__(self):
        return f"<rwa.Plan: {self.scheme}, {self.steps} steps, lower bound {self.bound}>"

    def _feasible(self):
        report = self._report
        if not _lib.rwa_plan_schedule(self._handle) or report.outcome == 3:
            raise Infeasible(report.why.decode())
        return self

    _report = property(lambda self: _lib.rwa_plan_summary(self._handle).contents)
    schedule = property(lambda self: Schedule(_lib.rwa_plan_schedule(self._handle), self))
    scheme = property(lambda self: self._report.scheme.decode())
    steps = _reported("steps")
    lightpaths = _reported("lightpaths")
    bound = property(lambda self: self._report.bound.value)
    optimal = property(lambda self: self._report.outcome == 1)
    time_seconds = _reported("time_s")


class Check(_Handle):
    """The verdict of the independent checker."""
    _free = "rwa_check_free"

    _report = property(lambda self: _lib.rwa_check_summary(self._handle).contents)
    ok = property(lambda self: bool(self._report.ok))
    violations = _reported("violations")
    first = property(lambda self: [v.text.decode() for v in self._report.first[:self._report.named]])

    def __bool__(self):
        return self.ok

    def __repr__(self):
        return f"<rwa.Check: {'ok' if self.ok else '; '.join(self.first)}>"


class Assignment(_Handle):
    """Routes and wavelengths of a set of demands."""
    _free = "rwa_assignment_free"

    _report = property(lambda self: _lib.rwa_assignment_summary(self._handle).contents)
    wavelengths = _reported("wavelengths")
    routed = _reported("routed")
    lightpaths = _reported("lightpaths")
    bound = _reported("bound")
    optimal = property(lambda self: self._report.outcome == 1)

    def __repr__(self):
        return (f"<rwa.Assignment: {self.routed} of {self.lightpaths} lightpaths, "
                f"{self.wavelengths} wavelengths, lower bound {self.bound}>")

    def routes(self):
        """(demand, links, fiber, wavelength) of each lightpath; links is None on rings and lines."""
        route = _Route()
        for i in range(_lib.rwa_assignment_count(self._handle)):
            _lib.rwa_assignment_get(c.byref(route), self._handle, u64(i))
            yield route.demand, route.links[:route.hops] if route.links else None, route.fiber, route.wavelength

    def write(self, path):
        _call("rwa_assignment_write", self._handle, _bytes(path))


# ---- the main calls ----

def version():
    return _lib.rwa_version().decode()


def collective(kind, nodes, message=4 << 20, root=0, blocks=0):
    number = _lib.rwa_collective_find(_bytes(kind))
    coll = _Collective()
    if number == 0:
        raise Error(-1, f"no collective {kind!r}, expected all-gather, all-reduce, reduce-scatter, broadcast, scatter, "
                    "gather, all-to-all or reduce")
    _call("rwa_collective_init_sized", c.byref(coll), size_t(c.sizeof(coll)), number, u32(nodes), u32(root),
          u64(message), u64(blocks))
    return coll


def _members(net, members):
    if members is None:
        return None, net.nodes
    return _array(u32, sorted({net.node(m) for m in members}))


def plan(net, kind="all-gather", message=4 << 20, root=0, scheme=None, members=None, max_hops=None, time_limit=None,
         seed=None):
    """Plan a collective; the schedule has passed the independent checker.  Raises Infeasible."""
    numbers, count = _members(net, members)
    coll = collective(kind, count, message, root)
    opts = _options(_PlanOptions, "rwa_plan_options_init_sized", scheme=_bytes(scheme), max_hops=max_hops,
                    time_limit_s=time_limit, seed=seed,
                    members=c.addressof(numbers) if numbers is not None else None)
    return _made(Plan, "rwa_plan_make", net._handle, c.byref(coll), c.byref(opts))._feasible()


def read(path):
    """A schedule from a file."""
    return _made(Schedule, "rwa_schedule_read", _bytes(path), None)


def check(what):
    """Check a schedule, an assignment, or a file of either."""
    name = {Schedule: "rwa_check_schedule", Assignment: "rwa_check_assignment"}.get(type(what), "rwa_check_file")
    subject = what._handle if isinstance(what, _Handle) else _bytes(what)
    return _made(Check, name, subject, None)


def bounds(net, kind="all-gather", message=4 << 20, root=0, members=None):
    """Lower bounds, as (name, value, unit, statement)."""
    numbers, count = _members(net, members)
    coll, found = collective(kind, count, message, root), pointer()
    opts = _options(_BoundOptions, "rwa_bound_options_init_sized",
                    members=c.addressof(numbers) if numbers is not None else None)
    _call("rwa_bounds_make", c.byref(found), net._handle, c.byref(coll), c.byref(opts))
    try:
        all_bounds = [_lib.rwa_bounds_get(found, size_t(i)).contents for i in range(_lib.rwa_bounds_count(found))]
        return [(b.name.decode(), b.value, b.unit.decode(), b.statement.decode()) for b in all_bounds if b.holds]
    finally:
        _lib.rwa_bounds_free(found)


def _routing(name):
    number = 0
    while _lib.rwa_assignment_routing_name(number) not in (None, _bytes(name)):
        number += 1
    if _lib.rwa_assignment_routing_name(number) is None:
        raise Error(-1, f"no routing {name!r}, expected auto, shortest, k-shortest or min-load")
    return number


def assign(net, demands="all-to-all", wavelengths=0, routing="auto", solver=None, seed=1):
    """Give every demand a route and a wavelength, on the fewest wavelengths or on so many."""
    model = _lib.rwa_network_model(net._handle)
    wanted = pointer()
    opts = _options(_AssignOptions, "rwa_assignment_options_init_sized", model=model, wavelengths=wavelengths,
                    routing=_routing(routing), solver=_bytes(solver))
    _call("rwa_demands_open", c.byref(wanted), _bytes(demands), net._handle, model, u64(seed))
    try:
        return _made(Assignment, "rwa_assignment_make", net._handle, wanted, c.byref(opts))
    finally:
        _lib.rwa_demands_free(wanted)
