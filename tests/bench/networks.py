# SPDX-License-Identifier: GPL-3.0-or-later
"""All-to-all on known networks: wavelengths, proven bound and time of `rwa assign`, beside what is known and others.

Prints docs/reference/benchmarks.md.  Usage: networks.py RWA IGRAPH_GREEDY [SECONDS for each run of an integer program]
Rivals are left out where they are not installed: glpsol (glpk-utils), cbc (coinor-cbc), networkx (python3-networkx).
"""
import json
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

try:
    import networkx
except ImportError:
    networkx = None

RWA, IGRAPH = sys.argv[1:3]
ILP_SECONDS = int(sys.argv[3]) if len(sys.argv) > 3 else 20
PATHS = 4  # routes a pair may take in the integer program

FILES = ("nsfnet14-20 nsfnet14-21 nsfnet14-22 eon18-33 eon19-37 uknet21-39 arpanet20-32 cost239-11-26 eurocore11-25 "
         "german17-24 germany17-26 usnet24-43 jpn12-17 jpn25-43 polska12-18 nobel-eu28-41 cost266-37-57 geant22-36 "
         "abilene12-15 janos-us26-42 conus75-99 usa100-171").split()
SHAPES = ("ring:16 ring:32 ring:64 ring:128 ring:256 torus:4x4 torus:5x5 torus:6x6 torus:7x7 torus:8x8 torus:9x9 "
          "torus:10x10 torus:4x8 torus:6x8 torus:4x4x4 hypercube:4 hypercube:5 hypercube:6 hypercube:7 tree:2x3 "
          "tree:3x2 mesh:3x4 mesh:4x4").split()
RIVALS = ("nsfnet14-21 nsfnet14-22 cost239-11-26 abilene12-15 polska12-18 uknet21-39 eon18-33 nobel-eu28-41 ring:8 "
          "ring:12 ring:16 ring:32").split()
# Specification and the seconds it may take, on a wall clock; growth curves are of the random kinds.
LARGE = (("waxman", (100, 200, 500, 1000), "7"), ("geometric", (100, 200, 500, 1000), "7"),
         ("barabasi-albert", (100, 200, 500), "2:7"), ("regular", (100, 200, 500), "4:7"))
LARGE_SHAPES = "torus:12x12 torus:16x16 torus:32x32 torus:8x8x8 hypercube:10 mesh:16x16 mesh:32x32".split()
LARGE_SECONDS = {100: 5, 200: 5, 500: 30, 1000: 120}
SHAPE_SECONDS = 40
COLLECTIVES = "nsfnet14-21 cost266-37-57 usa100-171 mesh:8x8 hypercube:6 fat-tree:6 tree:2x5 circulant:64:1,8".split()
ILP_MOST = 130  # pairs; beyond, no integer program here ends in an hour
QUOTED = {"nsfnet14-21": 13, "arpanet20-32": 33, "uknet21-39": 19}  # Baroni and Bayvel 1997, as commonly quoted


def sizes(spec):
    return [int(x) for x in re.split("[:x]", spec)[1:]]


def published(spec, directed):
    """The optimum as printed or as a closed form gives it, and whose it is; None where none was printed."""
    kind, s = spec.split(":")[0], sizes(spec) if ":" in spec else []
    if kind == "ring" and directed:
        return (s[0] ** 2 // 4 + 1) // 2, "a"
    if kind == "torus" and directed and len(s) == 2 and s[0] == s[1]:
        return s[0] * (s[0] ** 2 // 4) // 2, "b"
    if kind == "hypercube" and directed:
        return 2 ** (s[0] - 1), "c"
    if kind == "tree" and directed:
        below = sum(s[0] ** d for d in range(s[1]))  # nodes under a child of the root
        return below * sum(s[0] ** d for d in range(s[1] + 1)) - below ** 2, "d"
    return (QUOTED[spec], "e") if spec in QUOTED else None


def run(command, **options):
    """Output and processor seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds(s):
    return f"{1000 * s:.0f} ms" if s < 1 else f"{s:.1f} s"


def answer(*words):
    text, spent = run([RWA, *words, "--format", "json"])
    return json.loads(text[text.index("{"):]), spent


def assign(spec, directed, *more, limit=30):
    return answer("assign", "--network", spec, "--model", "directed" if directed else "undirected", "--time-limit",
                  str(limit), *more)


def bold(value, optimal):
    return f"**{value}**" if optimal else str(value)


def print_ours():
    print("| network | model | lightpaths | wavelengths | proven bound | published optimum | time |")
    print("|---|---|---|---|---|---|---|")
    for spec in FILES + SHAPES:
        for directed in ([True, False] if spec.startswith("ring") else [":" in spec]):
            a, spent = assign(spec, directed)
            bound, known = a["bound"], published(spec, directed)
            print(f"| {spec} | {a['model']} | {a['demands']} | {bold(a['wavelengths'], a['optimal'])} "
                  f"| {bound['value']} ({bound['name']}) "
                  f"| {f'{known[0]} ({known[1]})' if known else '-'} | {seconds(spent)} |", flush=True)


def shortest_load(spec, folder):
    """Wavelengths that any colouring of networkx' shortest routes, one for each ordered pair, needs at least."""
    if not networkx:
        return "-"
    graph, load = graph_of(spec, folder), {}
    for source, paths in networkx.all_pairs_shortest_path(graph):
        for path in paths.values():
            for link in zip(path, path[1:]):
                load[link] = load.get(link, 0) + 1
    return str(max(load.values()))


def print_large_row(spec, limit, folder):
    a, spent = assign(spec, True, limit=limit)
    bound = a["bound"]["value"]
    rival = shortest_load(spec, folder) if a["demands"] < 50000 else "-"
    print(f"| {spec} | {a['demands']} | {bold(a['wavelengths'], a['optimal'])} | {bound} "
          f"| {100 * (a['wavelengths'] / bound - 1):.1f} % | {rival} | {seconds(spent)} |", flush=True)
    return a["wavelengths"], bound, spent


def print_large():
    print("| network | lightpaths | wavelengths | proven bound | gap | networkx | time |")
    print("|---|---|---|---|---|---|---|")
    curves = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind, counts, rest in LARGE:
            curves[kind] = [(n, *print_large_row(f"{kind}:{n}:{rest}", LARGE_SECONDS[n], folder)) for n in counts]
        for spec in LARGE_SHAPES:
            print_large_row(spec, SHAPE_SECONDS, folder)
    return curves


def draw_growth(curves, path):
    """Wavelengths, gap and processor time over the nodes; without gnuplot nothing is drawn."""
    if not shutil.which("gnuplot"):
        return
    blocks = "".join(f"${k.replace('-', '_')} << END\n" + "".join("%d %d %d %g\n" % row for row in rows) + "END\n"
                     for k, rows in curves.items())
    plots = {"wavelengths": ("2", "[10:100000]"), "gap to the bound, %": ("(100 * ($2 / $3 - 1))", "[0:25]"),
             "processor time, s": ("4", "[0.1:10000]")}
    script = (f"{blocks}set terminal svg size 1200,400 noenhanced background 'white'\nset output '{path}'\n"
              "set multiplot layout 1,3\nset logscale x\n"
              "set key top left\nset xrange [80:1250]\nset xtics (100, 200, 500, 1000)\nset grid\nset xlabel 'nodes'\n")
    for title, (column, shown) in plots.items():
        scale = "unset" if "%" in title else "set"
        script += f"set title '{title}'\n{scale} logscale y\nset yrange {shown}\nplot " + ", ".join(
            f"${k.replace('-', '_')} using 1:{column} with linespoints pointtype 7 title '{k}'" for k in curves) + "\n"
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def print_most():
    print("| wavelengths | pairs served | no more than | time |")
    print("|---|---|---|---|")
    for w in range(2, 14, 2):
        a, spent = assign("nsfnet14-21", False, "--objective", "demands", "-w", str(w))
        print(f"| {w} | {bold(a['routed'], a['optimal'])} | {a['bound']['value']} | {seconds(spent)} |", flush=True)


def print_collectives():
    kinds = ("all-gather", "all-to-all", "broadcast", "all-reduce")
    print("| network | wavelengths | " + " | ".join(kinds) + " | time |")
    print("|---|---|" + "---|" * (len(kinds) + 1))
    for spec in COLLECTIVES:
        for wavelengths in (4, 64):
            cells, total = [], 0
            for kind in kinds:
                p, spent = answer("plan", "--network", spec, "--collective", kind, "-w", str(wavelengths))
                total += spent
                cells.append(f"{1e3 * p['time_seconds']:.3g} ms ({p['time_seconds'] / p['time_bound_seconds']:.2f})")
            print(f"| {spec} | {wavelengths} | " + " | ".join(cells) + f" | {seconds(total)} |", flush=True)


# ---- rivals: undirected, one lightpath for each pair ----

def graph_of(spec, folder):
    """Links as the assignment file of the same network lists them."""
    path = os.path.join(folder, "a.jsonl")
    run([RWA, "assign", "--network", spec, "--model", "undirected", "--solver", "first-fit", "--time-limit", "1",
         "-o", path])
    with open(path, encoding="utf-8") as file:
        network = json.loads(file.readline())["network"]
    graph = networkx.Graph()
    graph.add_nodes_from(range(network["nodes"]))
    graph.add_edges_from(network["links"])
    return graph


def hops(path):
    return [tuple(sorted(e)) for e in zip(path, path[1:])]


def shortest_routes(graph):
    routes = dict(networkx.all_pairs_shortest_path(graph))
    return [hops(routes[u][v]) for u in graph for v in graph if u < v]


def conflicts(routes):
    users = {}
    for i, route in enumerate(routes):
        for link in route:
            users.setdefault(link, []).append(i)
    return {(a, b) for group in users.values() for k, a in enumerate(group) for b in group[k + 1:]}


def dsatur(graph):
    routes = shortest_routes(graph)
    conflict = networkx.Graph()
    conflict.add_nodes_from(range(len(routes)))
    conflict.add_edges_from(conflicts(routes))
    return 1 + max(networkx.greedy_color(conflict, strategy="DSATUR").values())


def igraph_greedy(graph):
    """Its Python module does not offer the colouring: a small program in C does."""
    routes = shortest_routes(graph)
    edges = conflicts(routes)
    text = f"{len(routes)} {len(edges)}\n" + "".join(f"{a} {b}\n" for a, b in edges)
    colours, spent = run([IGRAPH], input=text)[0].split()
    return f"{colours}, {seconds(float(spent))}"


def measured_dsatur(graph):
    begin = time.process_time()
    return f"{dsatur(graph)}, {seconds(time.process_time() - begin)}"


def write_program(path, graph, waves):
    """The textbook one: a route and a wavelength for each pair, as few wavelengths as possible in use."""
    pairs = [(u, v) for u in graph for v in graph if u < v]
    names, one, load = [], [], {}
    for d, (u, v) in enumerate(pairs):
        row = []
        for p, route in enumerate(networkx.shortest_simple_paths(graph, u, v)):
            if p == PATHS:
                break
            for w in range(waves):
                names.append(f"x{d}_{p}_{w}")
                row.append(names[-1])
                for link in hops(route):
                    load.setdefault((link, w), []).append(names[-1])
        one.append(row)
    used = [f"y{w}" for w in range(waves)]
    with open(path, "w", encoding="ascii") as file:
        file.write("Minimize\n obj: " + " + ".join(used) + "\nSubject To\n")
        for d, row in enumerate(one):
            file.write(f" d{d}: " + "\n + ".join(row) + " = 1\n")
        for i, ((_, w), row) in enumerate(sorted(load.items())):
            file.write(f" l{i}: " + "\n + ".join(row) + f" - y{w} <= 0\n")
        file.write("Binary\n " + "\n ".join(names + used) + "\nEnd\n")


def glpsol(path, folder):
    out = os.path.join(folder, "out")
    _, spent = run(["glpsol", "--lp", path, "--tmlim", str(ILP_SECONDS), "-o", out])
    with open(out, encoding="ascii") as file:
        text = file.read()
    value = re.search(r"Objective:\s+obj = (\d+)", text)
    return verdict(value and value[1], "INTEGER OPTIMAL" in text, "INTEGER EMPTY" in text or "UNDEFINED" in text, spent)


def cbc(path, _):
    text, spent = run(["cbc", path, "sec", str(ILP_SECONDS), "solve"])
    value = re.search(r"Objective value:\s+(\d+)", text)
    return verdict(value and value[1], "Optimal solution found" in text, "No feasible solution found" in text, spent)


def verdict(value, optimal, empty, spent):
    if empty or not value:
        return f"none in {ILP_SECONDS} s"
    return f"{value}, {seconds(spent)}" if optimal else f"{value}, not proven in {ILP_SECONDS} s"


def print_rivals():
    if not networkx:
        print("(networkx is not installed: no rivals were run.)")
        return
    tools = {"glpsol": shutil.which("glpsol"), "cbc": shutil.which("cbc")}
    print("| network | rwa | time | networkx DSATUR | igraph greedy | ILP, glpsol | ILP, cbc |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for spec in RIVALS:
            a, spent = assign(spec, False)
            graph, cells = graph_of(spec, folder), []
            routes = shortest_routes(graph)
            cells += [measured_dsatur(graph), igraph_greedy(graph)]
            path = os.path.join(folder, "model.lp")
            if len(routes) <= ILP_MOST:
                write_program(path, graph, int(cells[0].split(",")[0]))
            for name, solver in (("glpsol", glpsol), ("cbc", cbc)):
                cells.append("not installed" if not tools[name] else "not tried" if len(routes) > ILP_MOST
                             else solver(path, folder))
            print(f"| {spec} | {bold(a['wavelengths'], a['optimal'])} | {seconds(spent)} | " + " | ".join(cells) + " |",
                  flush=True)


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        cpu = re.search(r"model name\s*:\s*(.*)", file.read())
    tools = [run([RWA, "--version"])[0].split("\n")[0]]
    for name, flag in (("glpsol", "--version"), ("cbc", "-quit")):
        if shutil.which(name):
            version = re.search(r"(?:GLPSOL|Version:?)\D*(\d[\w.]*\w)", run([name, flag])[0])
            tools.append(f"{name} {version[1] if version else ''}".strip())
    tools += [f"networkx {networkx.__version__}"] if networkx else []
    processor = cpu[1] if cpu else platform.machine()
    return f"{processor}, {os.cpu_count()} processors, {platform.system()}; {', '.join(tools)}."


print("""# Benchmarks: routing and wavelength assignment, and time

Written by `make bench-networks`, the last section by `make bench-time`; every figure is measured. Times are \
processor seconds of the whole command
(networkx: without starting Python; igraph: from the list of conflicts on). Bold: proven optimal, wavelengths equal \
the bound, which `rwa check`
verifies again from its witness.
""")
print("Measured on:", machine())
print("""
## All-to-all

One lightpath for each pair of nodes (undirected) or each ordered pair (directed, a fibre each way), any simple route.
""")
print_ours()
print("""
Published optima: (a) ceil(floor(N²/4)/2) directed rings; (b) k floor(k²/4)/2 on a torus of k x k, Beauquier; \
(c) 2^(d-1) on a
hypercube; (d) the heaviest cut of a tree, Gargano, Hell, Perennes; (e) Baroni and Bayvel, J. Lightwave Technol. \
15, 1997,
as commonly quoted, on networks of these names.

## Very many lightpaths

All ordered pairs, directed. The other tools below cannot solve networks of this size. The column networkx is \
therefore the greatest load of a link
when each pair takes one shortest route: a colouring of these routes needs at least as many wavelengths. The search \
ends when the bound is
met, or after 5 s on 100 and 200 nodes, 30 s on 500, 120 s on 1000; on tori, hypercubes and meshes after 40 s.

![Wavelengths, gap and processor time over the nodes](figures/assign-growth.svg)
""")
draw_growth(print_large(), os.path.join(os.path.dirname(__file__), "../../docs/figures/assign-growth.svg"))
print("""
## As many pairs as possible on nsfnet14-21

`rwa assign --network nsfnet14-21 --objective demands -w W`. Bold: no assignment serves more.
""")
print_most()
print("""
## Collectives on any network

`rwa plan` with a message of 4 MiB in the cost model `paper`: the time of the plan, and in brackets that time divided \
by its lower bound. The
last column is the processor time of planning all four.
""")
print_collectives()
print(f"""
## Beside other tools

The same job, undirected. DSATUR of networkx and the greedy colouring of igraph colour the conflict graph of \
one shortest
route for each pair; the integer program is the textbook one, with the {PATHS} shortest routes of each pair \
and as many wavelengths
as DSATUR needed, {ILP_SECONDS} s for each run.
""")
print_rivals()
print()
