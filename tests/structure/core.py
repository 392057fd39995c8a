#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of docs/reference/architecture.md for the planning core that no compiler checks: types in headers,
literals; and files that comments or documents name.

A rule that the core does not keep yet has a ceiling, which may only fall.  Usage: core.py [--list]"""
import glob
import re
import sys

CORE = "scheme plan delivery bound lattice cost collective".split()
CEILINGS = {
    "types in headers that other folders include": 28,
    "types of more than 12 members in these headers": 3,
    "files named that do not exist": 0,
    "literals above 2 without a name, a unit or a formula": 0,
}
TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d[\d.]*(?:[eE][+-]?\d+)?)\w*")
# The formula itself, or where it is proven.
CITED = re.compile(r"docs/|Theorem|Lemma|Table|Section|et al|\b(?:19|20)\d\d\b|\w\^\w|[²³]|(?:ceil|floor|exp|log)\(")
# Number and line in which it is a unit, or no quantity at all.
UNITS = [
    (r"64|63", r"[/%*] *64|64 *[*)]|\+ 63\b"),          # bits of a word
    (r"32|63", r"<< *\d|>> *\d"),                        # fields of a word
    (r"8|8\.0", r"[Bb]ytes?|_bps"),                      # bits of a byte
    (r"0xff", r"memset"),
    (r"10", r"strtou"),                                  # decimal
    (r"1e3|1e6|1e9|1e12|100\.0", r""),                   # kilo, mega, giga, tera, percent
    (r"\d+|25e9", r"OPTIONS\(|\.\w+ = {0}\b"),           # defaults and rows of tables, named by their fields
    (r"\d", r"\[{0}\]"),                                 # the place of an element
    (r"\d+", r"char [^;]*\[[\w +]*{0}\]|strncmp\("),     # the length of a text
]


def blank(found):
    return re.sub(r"[^\n]", " ", found.group())


def without_asserts(code):
    for found in reversed(list(re.finditer(r"\b(?:assert|__attribute__)\(", code))):
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        code = code[:found.start()] + re.sub(r"[^\n]", " ", code[found.start():end]) + code[end:]
    return code


def is_cited(lines, at):
    """By a comment beside or in the two lines above, by one above the function, or by a string of the function."""
    begin = next((i for i in range(at, 0, -1) if re.match(r"\w", lines[i])), 0)
    end = next((i for i in range(at, len(lines)) if lines[i].startswith("}")), at)
    above = begin
    while above > 0 and re.match(r" ?[/ ]\*", lines[above - 1]):
        above -= 1
    near, function = "\n".join(lines[max(begin, at - 2):at + 1]), "\n".join(lines[begin:end])
    beside = re.findall(r"/\*.*", near) + re.findall(r'"[^"\n]*"', function)
    return CITED.search(" ".join(lines[above:begin] + beside)) is not None


def is_unit(number, line):
    return any(re.fullmatch(value, number) and re.search(context.format(number), line) for value, context in UNITS)


def literals(source):
    """Lines with literals above 2 that nothing explains, one for each literal."""
    code = without_asserts(TEXT.sub(blank, source))
    code = re.sub(r"^[ \t]*#(?:.*\\\n)*.*|\benum\b[^{};]*\{[^}]*\}|\bconst \w+ \w+ = [\d.exuUL <]+[;,]", blank, code,
                  flags=re.M)
    lines = source.split("\n")
    for found in NUMBER.finditer(code):
        number = found.group(1)
        at = code.count("\n", 0, found.start())
        value = int(number, 16) if number[:2] in ("0x", "0X") else float(number)
        if value > 2 and not is_unit(number, lines[at]) and not is_cited(lines, at):
            yield f"{at + 1}: {number} in {lines[at].strip()}"


def top_level(text, separator):
    """The parts of a text between separators outside of brackets."""
    depth, part, parts = 0, "", []
    for char in text:
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(char, 0)
        if char == separator and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += char
    return parts + [part]


def types(source):
    """Name and number of members of each type that a header defines; named enums count, and have no number."""
    code = TEXT.sub(blank, source)
    for found in re.finditer(r"^(struct|union|enum) (\w+) \{(.*?)\};", code, re.M | re.S):
        body = re.sub(r"^[ \t]*#.*", "", found.group(3), flags=re.M)
        members = sum(len(top_level(line, ",")) for line in top_level(body, ";") if line.strip())
        yield f"{found.group(1)} {found.group(2)}", 0 if found.group(1) == "enum" else members


def missing_files():
    """In comments of lib, solvers and cli, and in the guides to the code."""
    sources = [path for top in ("lib", "solvers", "cli", "include", "tests", "tools", "python", "docs")
               for path in glob.glob(f"{top}/**/*.*", recursive=True)]
    tails = {"glpk.h", "lib/scheme/published/chain.c"} | {
        "/".join(path.split("/")[i:]) for path in sources for i in range(path.count("/") + 1)}
    code = [p for p in sources if p.split("/")[0] in ("lib", "solvers", "cli")]
    for path in ["CONTRIBUTING.md", "docs/reference/architecture.md"] + code:
        if path.endswith((".md", ".c", ".h", ".inc")):
            text = open(path, encoding="utf-8").read()
            text = text if path.endswith(".md") else " ".join(re.findall(r"/\*.*?\*/", text, re.S))
            for name in re.findall(r"(?<![\w/.*-])[\w/-]+\.(?:c|h|inc|py)\b", text):
                if name not in tails:
                    yield f"{path}: {name}"


def self_test():
    probe = ("/** docs/x.md */\nint f(void)\n{\n    return 7;\n}\n"
             "int g(void)\n{\n    return x / 64 + y[3] + 9;   /* why */\n}\n")
    many = "struct a {\n    int b, c[2], d;\n    int (*e)(int f, int g);\n};\nenum { H };\nenum i { J };\n"
    if (list(literals(probe)) != ["8: 9 in return x / 64 + y[3] + 9;   /* why */"] or
            list(types(many)) != [("struct a", 4), ("enum i", 0)]):
        sys.exit(f"core: does not see a literal or counts members wrongly: {list(literals(probe))} {list(types(many))}")


def survey():
    found = {rule: [] for rule in CEILINGS}
    seen_types, large_types, missing, bare = found.values()
    missing += missing_files()
    included = {}       # header -> folders
    headers_and_sources = [path for pattern in ("lib/**/*.[ch]", "cli/**/*.[ch]", "solvers/*.[ch]")
                           for path in glob.glob(pattern, recursive=True)]
    for path in headers_and_sources:
        for header in re.findall(r'#include "([^"]+)"', open(path, encoding="utf-8").read()):
            included.setdefault(header, set()).add(path.rsplit("/", 1)[0])
    for path in sorted(path for folder in CORE for path in glob.glob(f"lib/{folder}/**/*.[ch]", recursive=True)):
        source = open(path, encoding="utf-8").read()
        bare += [f"{path}:{literal}" for literal in literals(source)]
        if included.get(path[len("lib/"):], set()) - {path.rsplit("/", 1)[0]}:
            for name, members in types(source):
                seen_types.append(f"{path}: {name}, {members} members")
                if members > 12:
                    large_types.append(seen_types[-1])
    return found


def main():
    self_test()
    failed = False
    for rule, places in survey().items():
        grown = len(places) > CEILINGS[rule]
        failed |= grown
        if grown or "--list" in sys.argv:
            print("\n".join(places))
        print(f"{rule}: {len(places)}" + (f", expected at most {CEILINGS[rule]}" if grown else
                                          f" (ceiling {CEILINGS[rule]})" if len(places) < CEILINGS[rule] else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
