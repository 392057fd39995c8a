/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with a schedule or an assignment: violations, and the rules that they break. */
#include "print.h"

/* The rule that a violation of each kind breaks. */
static const char *const rules[] = {
    [RWA_VIOLATION_CHANNEL] = "a wavelength of a fibre carries one lightpath at a time in each direction of a link; "
                              "each that meets earlier ones counts once",
    [RWA_VIOLATION_CONTINUITY] = "a lightpath follows links that exist from its source to its destination, and keeps "
                                 "its wavelength except at a converter",
    [RWA_VIOLATION_CAUSALITY] = "a node sends only blocks that it holds at the start of the step",
    [RWA_VIOLATION_COMPLETENESS] = "in the end nothing is missing that the task asks for, and nothing counted twice",
    [RWA_VIOLATION_PORTS] = "a node has no more lightpaths at a time than ports, and a port needs time to retune",
    [RWA_VIOLATION_POWER] = "each signal arrives with enough power, and with few enough bit errors",
    [RWA_VIOLATION_RANGE] = "nodes, fibres, wavelengths, blocks and steps are those of the header",
    [RWA_VIOLATION_ORDER] = "steps count up from 1, and none is skipped",
    [RWA_VIOLATION_ORBIT] = "the lightpaths of one record are shifted round the ring as its channels allow",
    [RWA_VIOLATION_HEADER] = "the header says what the records show, and a bound that its witness proves",
    [RWA_VIOLATION_PROTECTION] = "a backup shares no link and no risk group with its route",
};

void say_kinds(const rwa_check_report *check, const char *file)
{
    const char *before = " (";
    say("WRONG: %s, %s", file, counted(check->violations, "violation"));
    for (size_t kind = 0; kind < sizeof rules / sizeof *rules; kind++)
        if (check->by_kind[kind] > 0) {
            say("%s%" PRIu64 " of %s", before, check->by_kind[kind], rwa_violation_name((rwa_violation_kind)kind));
            before = ", ";
        }
    say(")\n");
}

/* Tell whether a violation before number i, in the order of the report, is of the same line and kind. */
static int is_repeated(const rwa_check_report *check, size_t i)
{
    size_t k = 0;
    while (k < i && (check->first_line[i] == 0 || check->first_line[k] != check->first_line[i] ||
                     check->first[k].kind != check->first[i].kind))
        k++;
    return k < i;
}

void say_violations(const rwa_check_report *check, const char *file)
{
    size_t said = 0;
    for (size_t i = 0; i < check->named; i++) {
        if (is_repeated(check, i))
            continue;
        said++;
        say("  ");
        if (file && check->first_line[i] > 0)
            say("%s:%" PRIu64 ": ", file, check->first_line[i]);
        say("%s: %s\n", rwa_violation_name(check->first[i].kind), check->first[i].text);
    }
    say_more(check->violations, said);
}

void say_broken(const rwa_check_report *check, const char *file)
{
    say_violations(check, file);
    say("Rules, where a line with \"orbit\":K stands for lightpaths k = 0 ... K - 1: nodes\n"
        "and owners of blocks + k, channel + k modulo \"period\"\n");
    for (size_t kind = 0; kind < sizeof rules / sizeof *rules; kind++)
        if (check->by_kind[kind] > 0)
            say("  %s: %s.\n", rwa_violation_name((rwa_violation_kind)kind), rules[kind]);
}
