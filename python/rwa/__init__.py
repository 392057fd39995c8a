# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans collectives on optical interconnects, assigns wavelengths, checks optical power: librwa for notebooks.

    import rwa
    net = rwa.Network("ring:64", wavelengths=8)
    plan = rwa.plan(net, "all-reduce", message="4MiB")
    print(plan.steps, plan.bound, plan.optimal, rwa.check(plan.schedule).ok)
    plan.schedule.src           # a column of all lightpaths: a view of the library's memory, no copy

Names of keywords and their defaults are those of the command `rwa`.  Sizes, rates and times are numbers in bytes, bit/s
and seconds, or texts such as "4MiB", "40G" and "25us".  Columns are NumPy arrays where NumPy is installed, else
memoryviews; arrays and plain lists are taken alike.  Ctrl-C stops any call.  Objects keep alive what they need.
The library is librwa.so.0: the one that RWA_LIBRARY names, else beside this module, else the system's.
"""
from ._library import Error, Infeasible, Table, numpy
from .assigning import Assignment, Demands, Fiber, Route, assign, check, read, solvers, traffic
from .network import Collective, Device, Limits, Link, Network
from .placing import Allocation, Circuits, Placement, Task, Tasks, Traffic, circuits, place, reproduce
from .planning import (CLEAR, KEEP, SET, Bound, Check, Plan, PlanOptions, Schedule, Settings, bounds, compare,
                       import_schedule, plan, plan_of, plan_transfers, schemes, sweep, version)
from .state import Lightpath, Playbook, State, playbook

_modules = ("assigning", "network", "placing", "planning", "state", "numpy")
__all__ = [name for name in dir() if name[0] != "_" and name not in _modules]
