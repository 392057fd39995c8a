# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared library: declarations read from its headers, calls by them, views of its memory, tables of answers.

Structures, enumerators and functions are those of include/rwa/*.h, which are installed beside this file, so that they
cannot differ.  `lib.plan_make(...)` calls rwa_plan_make(); a call whose last parameter is an rwa_error raises Error."""
from __future__ import annotations

import ctypes as c
import os
import re
import signal
import threading
from collections import namedtuple
from difflib import get_close_matches
from functools import cache
from html import escape
from math import isfinite
from pathlib import Path
from typing import Any

try:
    import numpy
except ImportError:
    numpy = None

u32, u64, size_t, f64 = c.c_uint32, c.c_uint64, c.c_size_t, c.c_double
NONE = 0xFFFFFFFF
SONAME = "librwa.so.0"


class Error(Exception):
    """Bad input, a bad file, or a failure of the machine, in the library's words; `status` is its code.

    >>> try:
    ...     rwa.Network("ring:1")
    ... except rwa.Error as error:
    ...     print(error)
    network "ring:1": ring: expected a number of nodes, as in ring:16, and 2 to 16777216 nodes
    """

    def __init__(self, words: str, status: int = -1) -> None:
        super().__init__(words)
        self.status = status


class Infeasible(Exception):
    """No plan keeps the limits; the words name the limit that is in the way, and a remedy.

    >>> try:
    ...     rwa.plan(rwa.Network("line:6", fail=["2-3"]))
    ... except rwa.Infeasible as reason:
    ...     print(str(reason)[:16])
    the failed links
    """


# ---- the headers ----

_HERE = Path(__file__).resolve().parent
_SOURCE = _HERE.parents[1]
_headers = re.sub(r"/\*.*?\*/|\brwa_", "", "".join(
    path.read_text("utf-8") for path in sorted(
        (_HERE / "include" if (_HERE / "include").is_dir() else _SOURCE / "include/rwa").glob("*.h"))), flags=re.S)
_headers = re.sub(r"RWA_INIT\((\w+)\)", r"RWA_API void \1_init_sized(\1 *opts, size_t size);", _headers)
_maps = {name: re.findall(r"X\((\w+), (-?\d+)", body)
         for name, body in re.findall(r"#define (RWA_\w+_MAP)\(X\)((?:.*\\\n)*.*)", _headers)}
_structs = dict(re.findall(r"typedef struct (\w+) \{([^{}(]*)\} \1;", _headers))
_functions = {name: (result, parameters) for result, name, parameters in re.findall(
    r"^RWA_API\s+([\w\s*]*?)(\w+)\(([^;{]*)\);", _headers, re.M)}
constants = {}      # RWA_... of enumerations


def _read_enum(name, body):
    """The enumerators of an enumeration, and a type whose instances know their words."""
    mapped, members, value = re.search(r"(\w+)##id.*?(RWA_\w+_MAP)", body, re.S), {}, -1
    entries = _maps[mapped[2]] if mapped else re.findall(r"RWA_(\w+)(?: = (\d+))?", body)
    for entry, number in entries:
        value = members[(mapped[1] if mapped else "RWA_") + entry] = int(number or value + 1)
    constants.update(members)
    prefix = os.path.commonprefix(list(members)).rpartition("_")[0] + "_"
    words = {value: member[len(prefix):].lower().replace("_", "-") for member, value in members.items()}
    if all(re.match("most|least|fewest", word) for word in words.values()):     # an objective: "time" of "least-time"
        words = {value: word.partition("-")[2] for value, word in words.items()}
    return type(name, (c.c_int,), {"words": words, "__str__": lambda self: words.get(self.value, str(self.value)),
                                   "__eq__": lambda self, other: self.value == other})


# Types by name, without "rwa_"
kinds = {"void": None, "char": c.c_char, "int": c.c_int, "uint8_t": c.c_uint8, "uint32_t": u32, "uint64_t": u64,
         "size_t": size_t, "double": f64, "poll": c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_char_p, f64),
         "write": c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p, size_t)}
for _name, _body in re.findall(r"enum (?:(\w+) )?\{(.*?)\}", _headers, re.S):
    kinds[_name] = _read_enum(_name, _body)


def _kind(words, stars):
    """The ctypes type of a declaration such as "const uint32_t" with so many stars."""
    base = re.sub(r"\bconst\b|\*", "", words).split()[0]
    kind = struct(base) if base in _structs else kinds.get(base)
    if stars == 0:
        return kind
    if base == "char" and stars == 1 and "const" in words:
        return c.c_char_p
    if stars == 1 and base not in ("void", "char"):
        return c.POINTER(kind) if kind else type(base, (c.c_void_p,), {"handle": base})
    return c.c_void_p


def _declared(words, declarator):
    """The name of a declaration such as "const uint32_t", "*links", its type, and its number of elements or None."""
    name, length = re.search(r"(\w+)\s*(?:\[(\w+)\])?\s*$", declarator).groups()
    return name, _kind(words, declarator.count("*")), length


def _members(body):
    for declaration in filter(str.strip, body.split(";")):
        words, rest = re.match(r"\s*((?:const )?\w+)\s(.*)", declaration, re.S).groups()
        for name, kind, length in (_declared(words, declarator) for declarator in rest.split(",")):
            yield name, kind * int(constants.get(length, length)) if length else kind


def struct(name):
    """The structure rwa_NAME."""
    if name not in kinds:
        kinds[name] = type(name, (c.Structure,), {"_fields_": list(_members(_structs[name]))})
    return kinds[name]


for _name in _structs:      # all at once, so that threads share them
    struct(_name)


# ---- the library ----

def _load():
    """The library named by RWA_LIBRARY, or else beside the module, of the source folder's build, or the system's."""
    built = (str(place / SONAME) for place in (_HERE, _SOURCE / "build") if (place / SONAME).exists())
    try:
        return c.CDLL(os.environ.get("RWA_LIBRARY") or next(built, SONAME))
    except OSError as error:
        raise ImportError(f"{error}: expected the library {SONAME}: `make` before `pip install`, `make install`, or "
                          "its file named by the environment variable RWA_LIBRARY") from None


class _Library:
    """Functions by name without "rwa_", declared when they are first called."""
    _cdll = _load()

    def __getattr__(self, name):
        if name not in _functions:
            raise AttributeError(name)
        result, text = _functions[name]
        text = re.sub(r"(\w+)\[\w*\]", r"*\1", text)      # arrays are passed as pointers
        parameters = [_declared(p, p) for p in text.split(",") if text != "void"]
        function = getattr(self._cdll, "rwa_" + name)
        function.restype = _kind(result, result.count("*"))
        function.argtypes = [c.c_void_p if hasattr(kind, "handle") else kind for _, kind, _ in parameters]
        run = _checked if text.endswith("error *err") else lambda function, args: function(*args)

        def call(*args):
            return run(function, [taken(kind, value, name) for (name, kind, _), value in zip(parameters, args)])
        call.kinds = function.argtypes
        setattr(self, name, call)
        return call


lib = _Library()
_work = threading.local()


@kinds["poll"]
def _poll(_data, phase, fraction):
    """Runs in the thread of the call: lets Python handle signals, and asks the caller's `progress`."""
    work = _work.now
    try:
        if work["progress"] and not work["stop"]:
            work["progress"](phase.decode(), fraction if fraction >= 0 else None)
    except BaseException as error:      # raised again by _checked(); nothing may pass through the library
        work["stop"] = error
    return work["stop"] is not None


def _checked(function, args):
    """Call a function that may fail, and raise its error."""
    error = struct("error")()
    progress = [arg.progress for arg in args if hasattr(arg, "progress")]
    status = _stoppable(function, (*args, error), *progress) if progress else function(*args, error)
    if status.value:
        raise Error(error.text.decode("utf-8", "replace"), status.value)


def _stoppable(function, args, progress):
    """Call a function that polls.  Ctrl-C stops it: the handler waits until the library has returned."""
    outer, work = getattr(_work, "now", None), {"progress": progress, "stop": None}
    handler = signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
    _work.now = work
    if callable(handler):
        signal.signal(signal.SIGINT, lambda *signalled: work.update(stop=signalled))
    try:
        status = function(*args)
    finally:
        _work.now = outer
        if callable(handler):
            signal.signal(signal.SIGINT, handler)
    if isinstance(work["stop"], BaseException):
        raise work["stop"]
    if work["stop"]:
        handler(*work["stop"])
    return status


# ---- values ----

def amount(value):
    """A number, or a text with a unit: "4MiB", "25kB", "40G", "25us"."""
    if not isinstance(value, str):
        return value
    found = re.fullmatch(r"([\d.]+)\s*([numkMGT]?)(i?)(?:B|s|Hz|bit/s)?", value.strip())
    if not found:
        raise Error(f"{value!r}: expected a number, with a unit if need be, as 4MiB, 25kB, 40G or 25us")
    number, prefix, binary = found.groups()
    power = "num kMGT".index(prefix or " ") - 3
    return float(number) * 1024 ** power if binary else float(f"{number}e{3 * power}")


def choice(words, word, what):
    """The number of a word."""
    for value, name in words.items():
        if name == {"1+1": "dedicated", "best-fit": "most-used"}.get(word, word):
            return value
    raise Error(f"no {what} {word!r}, expected {', '.join(words.values())}")


# What whole numbers hold
_RANGES = {c.c_int: (-1 << 31, (1 << 31) - 1),
           **{kind: (0, 256 ** c.sizeof(kind) - 1) for kind in (c.c_uint8, u32, u64, size_t)}}


def _number(kind, value, name):
    """A number that the type holds as it is."""
    value = amount(getattr(value, "value", value))      # the second of an enumeration
    if not hasattr(value, "__float__"):
        raise TypeError(f"{name}: expected a number, not {value!r}")
    if kind is f64:
        if not isfinite(value):
            raise ValueError(f"{name}: expected a finite number, not {value!r}")
        return float(value)
    low, high = _RANGES.get(kind, _RANGES[c.c_int])     # of an enumeration that of the library
    if not low <= value <= high or int(value) != value:
        raise ValueError(f"{name}: expected a whole number from {low} to {high}, not {value!r}")
    return int(value)


opens = {}      # classes of handles that a name or file stands for
_required = {"link": 2, "task": 1, "traffic_class": 2}      # the members that a row has; of other structures all


def taken(kind, value, name):
    """Python's value for a member or parameter of a type: texts, words, numbers with units, lists, objects."""
    if hasattr(kind, "words") and isinstance(value, str):
        return choice(kind.words, value, name)
    if kind is f64 or kind in _RANGES or hasattr(kind, "words"):
        return _number(kind, value, name)
    if value is None or isinstance(value, (c.Array, c.Structure)):
        return value
    if hasattr(kind, "handle"):
        value = opens[kind.handle](value) if isinstance(value, str) and kind.handle in opens else value
        fits = isinstance(value, c.c_void_p) or getattr(value, "_kind", None) == kind.handle
        if not fits or not getattr(value, "_as_parameter_", value):     # the library would crash
            raise TypeError(f"{name}: expected a {kind.handle}, not {'an empty ' * fits}{type(value).__name__}")
    elif kind is c.c_char_p:
        if not isinstance(value, (str, bytes, os.PathLike)) or b"\0" in os.fsencode(value):
            raise TypeError(f"{name}: expected a text without zero bytes, not {value!r}")
        return os.fsencode(value)
    elif kind is c.c_void_p and isinstance(value, Handle):      # a new object
        return c.byref(value._as_parameter_)
    elif isinstance(value, (str, bytes, int, float)):
        raise TypeError(f"{name}: expected a list or an object, not {value!r}")
    elif hasattr(value, "__iter__") and hasattr(kind, "contents"):
        return array(kind._type_, value, name)
    elif hasattr(value, "__iter__"):
        members, _ = _members_of(kind)
        if not _required.get(kind.__name__, len(members)) <= len(value) <= len(members):
            raise TypeError(f"{name}: expected {', '.join(members)}, not {value!r}")
        return kind(*(taken(members[member], each, member) for member, each in zip(members, value)))
    return value


def array(kind, values, name="values"):
    values = [taken(kind, value, name) for value in values]
    return (kind * len(values))(*values)


def listed(name, *args):
    """What a function answers for 0, 1, … as its last argument, until there is nothing."""
    found, get = [], getattr(lib, name)
    while get(*args, len(found)):
        found.append(plain(get(*args, len(found))))
    return found


@cache
def _members_of(kind):
    """The types of a structure's members, and the members by the words of keywords."""
    return dict(kind._fields_), {re.sub("_(s|bps|bytes|hz)$", "", member): member for member, _ in kind._fields_}


def fill(record, values):
    """Set members from Python's values, time_s by `time`, and the number of a list's entries; None: the default."""
    kinds, words = _members_of(type(record))
    record.borrowed = []
    for name, value in values.items():
        member = name if name in kinds else words.get(_others.get(name, name))
        if member is None:
            _, of_networks = _members_of(struct("network_options"))
            raise TypeError(f"no option {name}; " + (
                "rwa.Network() has it" if name in of_networks else
                f"near it: {', '.join(get_close_matches(name, words, cutoff=0))}"))
        if value is None:
            continue
        kind, value = kinds[member], taken(kinds[member], value, name)
        record.borrowed.append(value)       # lives as long
        if isinstance(value, c.Array):
            for count in kinds:
                if count.endswith("_count") and member.startswith(count[:-6]):
                    setattr(record, count, len(value))
        if isinstance(value, Handle):
            value = value._as_parameter_.value
        elif isinstance(value, c.Structure) and not isinstance(value, kind):
            value = kind(value)
        setattr(record, member, value)
    return record


# words for members
_others = {"cost": "model", "device": "transmission", "avoid": "forbidden", "reserve": "channels"}


def options(name, progress=None, **values):
    """Options with the library's defaults, and these values."""
    opts = struct(name)()
    getattr(lib, name + "_init_sized")(opts, c.sizeof(opts))
    if hasattr(opts, "poll"):
        opts.progress, opts.poll = progress, _poll
    return fill(opts, values)


def answered(name, *args):
    """What a function writes through its first parameter, perhaps told its size."""
    sized = name + "_sized" in _functions
    call = getattr(lib, name + "_sized" * sized)
    found = call.kinds[0]._type_()
    call(found, *[c.sizeof(found)] * sized, *args)
    return found


def text_of(name, *args):
    """A text that the library makes, by a function whose first parameter is char **."""
    text = c.c_void_p()
    getattr(lib, name)(c.byref(text), *args)
    try:
        return c.string_at(text).decode()
    finally:
        lib.text_free(text)


def view(address, kind, count, owner):
    """Entries of the library's memory, which `owner` keeps alive: read-only, a NumPy array or a memoryview."""
    entries = (kind * count).from_address(c.cast(address, c.c_void_p).value) if address and count else (kind * 0)()
    entries.owner = owner
    window = memoryview(entries).toreadonly()
    if numpy is not None:
        return numpy.asarray(window)
    return entries if issubclass(kind, c.Structure) else window.cast("B").cast({1: "B", 4: "I"}[c.sizeof(kind)])


# ---- handles ----

def plain(value):
    """A value of the library as Python's own: texts, words of enumerators, lists, named tuples."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    value = getattr(value, "contents", value)
    if isinstance(value, c.Structure):
        return row(value)
    if isinstance(value, c.Array):
        return [plain(each) for each in value]
    return str(value) if hasattr(value, "words") else value


_rows = {}


def row(record, **more):
    """A structure as a named tuple, without its pointers, with more members in front; time_s is time_seconds."""
    kind, key = type(record), (type(record), *more)
    if key not in _rows:
        names = [name for name, of in kind._fields_ if name not in ("struct_size", *more) and
                 not hasattr(of, "contents") and not issubclass(of, c.c_void_p)]
        _rows[key] = names, namedtuple(kind.__name__.title().replace("_", ""), [
            *more, *(re.sub("_s$", "_seconds", name) for name in names)], rename=True)
    names, made = _rows[key]
    return made(*more.values(), *(plain(getattr(record, name)) for name in names))


class Handle:
    """An object of the library; _kind names the functions that release it and that report on it."""
    _kind, _text, _shown = "", "{0._kind}", None     # _text, or a table of _shown: what notebooks show
    _as_parameter_ = None       # what ctypes passes

    def __init__(self, handle: Any = None, owner: Any = None) -> None:
        self._as_parameter_, self._owner = handle or c.c_void_p(), owner
        self._free = getattr(lib._cdll, f"rwa_{self._kind}_free")       # needs no module, for when Python shuts down

    def __del__(self):
        if self._as_parameter_ and self._owner is None:
            self._free(self)

    def __reduce__(self):
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled: write it to a file")

    def _become(self, other):
        """Take the place of another object of the same kind, which takes this one's and frees it."""
        self._as_parameter_, other._as_parameter_ = other._as_parameter_, self._as_parameter_

    def __repr__(self) -> str:
        return f"<rwa.{type(self).__name__}: {self._text.format(self)}>"

    def _repr_html_(self):
        return self._shown and Table([self]).only(*self._shown.split())._repr_html_()

    @property
    def _report(self):
        return getattr(lib, self._kind + "_summary")(self).contents

    @property
    def report(self) -> Any:
        """All figures that are known about it."""
        return row(self._report)

    def __getattr__(self, name: str) -> Any:
        if name not in type(self).__annotations__:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        getter = f"{self._kind}_{name}"
        if getter in _functions:
            return plain(getattr(lib, getter)(self))
        return plain(getattr(self._report, re.sub("_seconds$", "_s", name)))


def held(kind, handle, owner):
    """An object that `owner` frees, as long as anybody holds it."""
    new = kind.__new__(kind)
    Handle.__init__(new, handle, owner)
    return new


def made(kind, name, *args):
    """A new object, which the function writes through its first parameter; of a class, or of a kind without one."""
    kind = type(kind, (Handle,), {"_kind": kind}) if isinstance(kind, str) else kind
    new = held(kind, None, None)
    getattr(lib, name)(new, *args)
    return new


class Named(Handle):
    """An object that a name of the library's, or a file, stands for."""
    _names = ""

    @classmethod
    def builtin(cls) -> list[str]:
        """The names of those that are built in.

        >>> [some in kind.builtin() for some, kind in (("ssmf", rwa.Fiber), ("onoc-typical", rwa.Device))]
        [True, True]
        >>> "nsfnet14-21" in rwa.Network.builtin()
        True
        """
        return listed(cls._names)


# ---- tables ----

def _shown(value):
    return "" if value is None or value != value else f"{value:.6g}" if isinstance(value, float) else str(value)


class Table(list):
    """Rows of an answer: a list of named tuples, which notebooks show as a table and pandas.DataFrame() takes as it is.

    >>> table = rwa.compare(rwa.Network("ring:8", wavelengths=2), scheme=["ring", "wavefront"])
    >>> table.column("steps")
    [7, 3]
    >>> print(table.only("scheme", "steps"))
    scheme     steps
    ring           7
    wavefront      3
    """

    def column(self, name: str) -> list:
        """One member of every row.

        >>> rwa.compare(rwa.Network("ring:8"), scheme=["ring"]).column("scheme")
        ['ring']
        """
        return [getattr(each, name) for each in self]

    def only(self, *names: str) -> Table:
        """The table with these columns alone.

        >>> rwa.bounds(rwa.Network("ring:8", wavelengths=1)).only("name", "value")[0]
        Row(name='receive', value=4)
        """
        kind = namedtuple("Row", names)
        return Table(kind(*(getattr(each, name) for name in names)) for each in self)

    def _cells(self):
        return [self[0]._fields, *self] if self else [()]

    def __str__(self) -> str:
        cells = [[_shown(cell) for cell in line] for line in self._cells()]
        numbers = [all(isinstance(cell, (int, float)) for cell in column) for column in zip(*self)]
        widths = [max(map(len, column)) for column in zip(*cells)]
        return "\n".join("  ".join(cell.rjust(width) if number else cell.ljust(width) for cell, width, number in
                                   zip(line, widths, numbers)).rstrip() for line in cells)

    __repr__ = __str__

    def _repr_html_(self):
        """Every text is escaped."""
        tags = ["th"] + ["td"] * len(self)
        cells = ["".join(f"<{tag}>{escape(_shown(cell))}</{tag}>" for cell in line)
                 for tag, line in zip(tags, self._cells())]
        return f"<table><tr>{'</tr><tr>'.join(cells)}</tr></table>"
