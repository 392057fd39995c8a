#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every test function asserts something: itself, or a function of its file or of tests/support that it calls.  Every
exported function is called in tests/ or by the command, and each that can fail in tests/api/every_export.h.

Usage: check-tests.py"""
import glob
import re
import sys

FUNCTION = re.compile(r"^(?:static |inline |extern )*[a-z_][\w *]*?\b(\w+)\([^;{}]*\)\s*\{(.*?)^\}", re.M | re.S)
MACRO = re.compile(r"^#define (\w+)\([^)]*\) (.*)$", re.M)


def functions(text):
    """Bodies of functions, and of macros that call one."""
    return {match.group(1): match.group(2) for match in (*FUNCTION.finditer(text), *MACRO.finditer(text))}


def asserting(bodies):
    """The names of the functions that assert, themselves or through another one."""
    found = {name for name, body in bodies.items() if re.search(r"\bCU_(ASSERT|FAIL)", body)}
    grown = True
    while grown:
        more = {name for name, body in bodies.items() if name not in found and found & set(re.findall(r"\w+", body))}
        found |= more
        grown = bool(more)
    return found


def names_of_tests(text):
    runs = re.findall(r'\b(?:RUN_)?TESTS\("[^"]*",([^)]*)\)', text)
    return re.findall(r"\w+", " ".join(runs))


def silent_tests(text, support):
    tests = names_of_tests(text)
    bodies = {**support, **functions(text)}
    return [name for name in tests if name not in asserting(bodies)]


def text_of(*patterns):
    return "\n".join(open(path, encoding="utf-8").read() for pattern in patterns for path in sorted(glob.glob(pattern)))


def uncalled():
    called = set(re.findall(r"rwa_\w+", text_of("tests/*/*.[ch]", "cli/*.c", "cli/commands/*.c")))
    rows = set(re.findall(r"^[A-Z]+\((rwa_\w+)", text_of("tests/api/every_export.h"), re.M)) | {"rwa_set_allocator"}
    exports = text_of("tests/exports.txt").split()
    failing = re.findall(r"^RWA_API rwa_status (\w+)", text_of("include/rwa/*.h"), re.M)
    return [f"{name}() is not called by a test" for name in exports
            if name not in called and name.removesuffix("_sized") not in called] + \
           [f"{name}() can fail and is not in tests/api/every_export.h" for name in failing if name not in rows]


def main():
    probe = "static void loud(void)\n{\n    CU_ASSERT(x);\n}\nstatic void by(void)\n{\n    loud();\n}\n" \
            "static void mute(void)\n{\n    run();\n}\n" \
            "int main(void)\n{\n    return RUN_TESTS(\"name\", loud, by, mute);\n}\n"
    if silent_tests(probe, {}) != ["mute"]:
        sys.exit("check-tests: does not see a test without an assertion")
    support = {}
    for path in glob.glob("tests/support/*.h"):
        support.update(functions(open(path, encoding="utf-8").read()))
    count, silent = 0, uncalled()
    for path in sorted(glob.glob("tests/*/*_test.c")):
        text = open(path, encoding="utf-8").read()
        count += len(names_of_tests(text))
        silent += [f"{path}: {name}() asserts nothing" for name in silent_tests(text, support)]
    for line in silent:
        print(line)
    print(f"tests ok: {count} functions" if not silent else f"{len(silent)} faults in {count} functions")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
