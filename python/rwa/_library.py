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
from html import escape
from pathlib import Path
from typing import Any, Callable, Iterable

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
_maps = {name: re.findall(r"X\((\w+), (-?\d+)", body)
         for name, body in re.findall(r"#define (RWA_\w+_MAP)\(X\)((?:.*\\\n)*.*)", _headers)}
_structs = dict(re.findall(r"typedef struct (\w+) \{([^{}(]*)\} \1;", _headers))
_functions = {name: (result, parameters) for result, name, parameters in re.findall(
    r"RWA_API\s+([\w\s*]*?)(\w+)\(([^;{]*)\);", _headers)}
constants = {}      # RWA_... of enumerations


def _read_enum(name, body):
    """The enumerators of an enumeration, and a type whose instances know their words."""
    mapped, members, value = re.search(r"(\w+)##id.*?(RWA_\w+_MAP)", body, re.S), {}, -1
    if mapped:
        members = {mapped[1] + entry: int(number) for entry, number in _maps[mapped[2]]}
    else:
        for member, number in re.findall(r"(RWA_\w+)(?: = (\d+))?", body):
            value = members[member] = int(number or value + 1)
    constants.update(members)
    prefix = os.path.commonprefix(list(members)).rpartition("_")[0] + "_"
    words = {value: member[len(prefix):].lower().replace("_", "-") for member, value in members.items()}
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
    return c.POINTER(kind) if kind not in (None, c.c_char) and stars == 1 else c.c_void_p


def _argument(words, stars):
    """The type of a parameter: a handle must be of the right kind, as the library cannot tell."""
    kind, base = _kind(words, stars), re.sub(r"\bconst\b|\*", "", words).split()[0]
    if stars != 1 or kind is not c.c_void_p or base in ("void", "char"):
        return kind

    def from_param(_class, value):
        if isinstance(value, Handle) and value._kind != base:
            raise TypeError(f"expected a {base}, not {value!r}")
        return c.c_void_p.from_param(value)
    return type(base, (c.c_void_p,), {"from_param": classmethod(from_param)})


def _members(body):
    for declaration in filter(str.strip, body.split(";")):
        words, rest = re.match(r"\s*((?:const )?\w+)\s(.*)", declaration, re.S).groups()
        for declarator in rest.split(","):
            name, length = re.search(r"(\w+)\s*(?:\[(\w+)\])?\s*$", declarator).groups()
            kind = _kind(words, declarator.count("*"))
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
    places = [place / SONAME for place in (_HERE, _SOURCE / "build") if (place / SONAME).exists()]
    try:
        return c.CDLL(os.environ.get("RWA_LIBRARY") or str((places + [SONAME])[0]))
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
        parameters = text.split(",") if text != "void" else []
        function = getattr(self._cdll, "rwa_" + name)
        function.restype = _kind(result, result.count("*"))
        function.argtypes = [_argument(p, p.count("*") + p.count("[")) for p in parameters]
        call = (lambda *args: _checked(function, args)) if text.endswith("error *err") else function
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
    return int(work["stop"] is not None)


def _checked(function, args):
    """Call a function that may fail.  Ctrl-C stops it: the handler waits until the library has returned."""
    error, outer = struct("error")(), getattr(_work, "now", None)
    progress = [arg.progress for arg in args if hasattr(arg, "progress")]
    if not progress:
        status = function(*args, error)
    else:
        work = _work.now = {"progress": progress[0], "stop": None}
        main = threading.current_thread() is threading.main_thread()
        handler = signal.getsignal(signal.SIGINT) if main else None
        if callable(handler):
            signal.signal(signal.SIGINT, lambda *signalled: work.update(stop=signalled))
        try:
            status = function(*args, error)
        finally:
            _work.now = outer
            if callable(handler):
                signal.signal(signal.SIGINT, handler)
        if isinstance(work["stop"], BaseException):
            raise work["stop"]
        if work["stop"]:
            handler(*work["stop"])
    if int(status.value) != 0:
        raise Error(error.text.decode("utf-8", "replace"), status.value)


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


def encode(word):
    found = None if word is None else os.fsencode(word)
    if found and b"\0" in found:
        raise ValueError(f"{word!r}: expected a text without zero bytes")
    return found


def choice(kind, word, what):
    """The enumerator that ends in a word: "tree" is RWA_LAST_TREE."""
    word = {"1+1": "dedicated", "best-fit": "most-used"}.get(word, word)
    for value, name in kind.words.items():
        if f"-{name}".endswith(f"-{word}"):
            return value
    raise Error(f"no {what} {word!r}, expected {', '.join(kind.words.values())}")


def array(kind, values):
    values = [value.item() if hasattr(value, "item") else value for value in values]
    return (kind * len(values))(*values)


def listed(name, *args):
    """What a function answers for 0, 1, … as its last argument, until there is nothing."""
    found, get = [], getattr(lib, name)
    while get(*args, len(found)):
        found.append(plain(get(*args, len(found))))
    return found


def fill(record, values):
    """Set members from Python's values; None leaves the default."""
    kinds = dict(record._fields_)
    for name, value in values.items():
        if name not in kinds:
            raise TypeError(f"no option {name}; near it: {', '.join(get_close_matches(name, kinds, cutoff=0))}")
        kind = kinds[name]
        if value is None:
            continue
        if isinstance(value, Handle):
            value = value._as_parameter_
        elif isinstance(value, c.Structure) and not isinstance(value, kind):
            value = kind(value)
        elif hasattr(kind, "words") and isinstance(value, str):
            value = choice(kind, value, name)
        elif kind is c.c_char_p:
            value = encode(value)
        elif kind in (u32, u64, size_t, f64):
            value = amount(value) if kind is f64 else int(amount(value))
        setattr(record, name, value)
    return record


def options(name, progress=None, **values):
    """Options with the library's defaults, and these values; handles among them live as long as the options."""
    opts = struct(name)()
    getattr(lib, name + "_init_sized")(opts, c.sizeof(opts))
    opts.borrowed = values
    if hasattr(opts, "poll"):
        opts.progress, opts.poll = progress, _poll
    return fill(opts, values)


def answered(kind, name, *args):
    """The answer of a function that takes the answer's size."""
    found = struct(kind)()
    getattr(lib, name + "_sized")(found, c.sizeof(found), *args)
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

def seconds(name):
    """Members in seconds are named as in the command's JSON: time_s is time_seconds."""
    return re.sub("_s$", "_seconds", name)


def plain(value):
    """A value of the library as Python's own: texts, words of enumerators, lists, named tuples."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, c.Structure):
        return row(value)
    if hasattr(value, "contents"):
        return row(value.contents)
    if isinstance(value, c.Array):
        return [plain(each) for each in value]
    return str(value) if hasattr(value, "words") else value


_rows = {}


def row(record, **more):
    """A structure as a named tuple, without its pointers, and with more members in front."""
    kind, key = type(record), (type(record), *more)
    if key not in _rows:
        names = [name for name, of in kind._fields_ if name not in ("struct_size", *more) and
                 not hasattr(of, "contents") and of is not c.c_void_p]
        _rows[key] = names, namedtuple(kind.__name__.title().replace("_", ""), [*more, *map(seconds, names)],
                                       rename=True)
    names, made = _rows[key]
    return made(*more.values(), *(plain(getattr(record, name)) for name in names))


class Handle:
    """An object of the library; _kind names the functions that release it and that report on it."""
    _kind = ""

    def __init__(self, handle: int | None = None, owner: Any = None) -> None:
        self._as_parameter_, self._owner = c.c_void_p(handle), owner    # ctypes passes the first

    def __del__(self) -> None:
        if getattr(self, "_owner", None) is None and getattr(self, "_as_parameter_", None):
            getattr(lib, self._kind + "_free")(self)

    def __reduce__(self):
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled: write it to a file")

    def _become(self, other):
        """Take the place of another object of the same kind, which takes this one's and frees it."""
        self._as_parameter_, other._as_parameter_ = other._as_parameter_, self._as_parameter_

    @property
    def _report(self):
        return getattr(lib, self._kind + "_summary")(self).contents

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
    """A new object, which the function writes through its first parameter."""
    new = held(kind, None, None)
    getattr(lib, name)(c.byref(new._as_parameter_), *args)
    return new


# ---- tables ----

def html_table(header, rows, caption=""):
    """A small table; every text is escaped."""
    def line(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{escape(_shown(cell))}</{tag}>" for cell in cells) + "</tr>"
    return (f"<table><caption>{escape(caption)}</caption>{line(header, 'th')}"
            f"{''.join(line(cells, 'td') for cells in rows)}</table>")


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

        >>> rwa.bounds(rwa.Network("ring:8", wavelengths=1)).only("name", "value")[-1]
        Row(name='broadcast-tree', value=4)
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
        return html_table(self._cells()[0], self)
