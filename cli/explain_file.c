/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain_file.h"

#include "print.h"

#include <sys/stat.h>

/* The rule that a violation of each kind breaks. */
static const char *const rules[] = {
    [RWA_VIOLATION_CHANNEL] = "a wavelength of a fibre carries one lightpath at a time on each link, and direction",
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

void say_broken(const rwa_check_report *check, const char *file)
{
    say_violations(check, file);
    say("Rules\n");
    for (size_t kind = 0; kind < sizeof rules / sizeof *rules; kind++)
        if (check->by_kind[kind] > 0)
            say("  %s: %s.\n", rwa_violation_name((rwa_violation_kind)kind), rules[kind]);
}

static const rwa_check_report *check;   /* of the file */

/* Check a file within the limits of the command. */
static int check_file(const char *file)
{
    static rwa_check *verdict;
    rwa_check_options opts;
    rwa_limits limits;
    rwa_limits_init(&limits);
    check_options(&opts);
    limits.time_limit_s = planning.time_limit_s;
    opts.limits = &limits;
    MUST(CALL(rwa_check_file, &verdict, file, &opts));
    check = rwa_check_summary(verdict);
    return 0;
}

/* Report the link, or fibre pair, that most lightpaths cross. */
static int say_fullest(const rwa_assignment *a)
{
    const rwa_network *net = rwa_assignment_network(a);
    int both = rwa_assignment_model(a) == RWA_UNDIRECTED;
    static uint32_t *load;
    uint32_t most = 0;
    rwa_link fullest = {0};
    rwa_route route;
    if (OUT_OF_MEMORY(load, rwa_network_links(net)))
        return fail_memory();
    for (uint64_t i = 0; i < rwa_assignment_count(a); i++) {
        rwa_assignment_get(&route, a, i);
        for (uint32_t k = 0; k < route.hops; k++) {
            uint32_t link = rwa_assignment_link(a, i, k), now = ++load[both ? rwa_network_pair(net, link) : link];
            fullest = now > most ? rwa_network_link(net, link) : fullest;
            most = now > most ? now : most;
        }
    }
    say("Fullest link      %s %s %s, crossed by %s\n", node_text(net, fullest.from), both ? "-" : "to",
        node_text(net, fullest.to), counted(most, "lightpath"));
    return 0;
}

static int explain(const rwa_assignment *a, const char *file)
{
    const rwa_check_report *c = check;
    const rwa_network *net = rwa_assignment_network(a);
    say("Assignment        %s of %u nodes, over %u %s\n", counted(c->lightpaths - c->backups + c->unserved, "demand"),
        rwa_network_nodes(net), model_links(net, rwa_assignment_model(a)),
        rwa_assignment_model(a) == RWA_UNDIRECTED ? "fibre pairs" : "directed links");
    say_lightpaths(c);
    MUST(say_fullest(a));
    say_unserved(a);
    say_used(c, rwa_assignment_summary(a)->wavelengths);
    if (!c->ok) {
        say_kinds(c, file);
        say_broken(c, file);
    }
    print_said(WRAP_HANG, WRAP_PROSE);
    return c->ok ? EXIT_YES : EXIT_NO;
}

int explain_wrong(const char *file)
{
    struct stat about;
    if (stat(file, &about) != 0 || !S_ISREG(about.st_mode)) /* what comes through a pipe can be read only once */
        return EXIT_YES;
    MUST(check_file(file));
    if (check->ok)
        return EXIT_YES;
    say_kinds(check, file);
    say_broken(check, file);
    print_said(-1, WRAP_PROSE);
    return EXIT_NO;
}

int explain_assignment(const char *file)
{
    static rwa_assignment *a;
    MUST(CALL(rwa_assignment_read, &a, file));
    MUST(check_file(file));
    return explain(a, file);
}
