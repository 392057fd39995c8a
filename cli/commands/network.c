/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"

static const char *format = "text", *file = "-";
static int list;

/* Return name number i for --format: those of the library, then text; NULL past the end. */
static const char *format_name(size_t i)
{
    return i == 0 ? "text" : rwa_network_format_name(i - 1);
}

static const option own_options[] = {
    {"network", "SPEC|FILE", "as nsfnet14-21, net.graphml or torus:8x8 (docs/guide/networks.md) (required)",
     IS_TEXT(target.spec)},
    {"list", NULL, "the built-in networks: name, nodes, links, what is known of lengths and positions", IS_FLAG(list)},
    {"format", "FORMAT", "text, graphml, json, sndlib or gnpy (text)", IS_NAME(format, format_name)},
    {"output", "FILE", "write there; .gz compresses, - is standard output (-)", IS_FILE(file)},
    {0}};

/* Return the number of directed links that have a length, and set *km to the sum of these lengths. */
static uint32_t measured_links(const rwa_network *net, double *km)
{
    uint32_t known = 0;
    *km = 0;
    for (uint32_t l = 0; l < rwa_network_links(net); l++) {
        rwa_link link = rwa_network_link(net, l);
        known += link.length_km > 0;
        *km += link.length_km;
    }
    return known;
}

static void say_network(void)
{
    const rwa_network *net = target.net;
    uint32_t named = 0;
    double km;
    uint32_t known = measured_links(net, &km);
    for (uint32_t v = 0; v < rwa_network_nodes(net); v++)
        named += rwa_network_node_name(net, v) != NULL;
    say("Network           %s, %s of %u nodes%s\n", target.spec, rwa_topology_name(rwa_network_topology(net)),
        rwa_network_nodes(net), named > 0 ? " with names" : "");
    say("Links             %s", counted(rwa_network_links(net), "directed link"));
    if (rwa_network_is_paired(net))
        say(", in %s", counted(rwa_network_pairs(net), "fibre pair"));
    say("\n");
    if (known > 0)
        say("Lengths           %u known, %.1f km on average\n", known, km / known);
    say("Channels          %u wavelengths x ", rwa_network_wavelengths(net));
    say_fibers(net);
    say(" each way, %g Gbit/s each\n", rwa_network_rate_bps(net) / 1e9);
    if (rwa_network_ports(net) > 0)
        say("Ports             %u of a node\n", rwa_network_ports(net));
    if (rwa_network_risk_groups(net) > 0)
        say("Risk groups       %zu\n", rwa_network_risk_groups(net));
    print_said(-1, 0);
}

/* Return "yes" if all of `all` values are known, "no" if none is, else a text such as "3 of 5". */
static const char *known_text(uint32_t known, uint32_t all)
{
    return known == all ? "yes" : known == 0 ? "no" : phrase("%u of %u", known, all);
}

static void print_listed(const char *name, const rwa_network *net)
{
    double km;
    uint32_t nodes = rwa_network_nodes(net), placed = 0, each = rwa_network_is_paired(net) ? 2 : 1,
             links = rwa_network_links(net) / each;
    for (uint32_t v = 0; v < nodes; v++) {
        rwa_position where;
        placed += rwa_network_position(&where, net, v) != 0;
    }
    printf("%-16s %5u %5u  %-8s %s\n", name, nodes, links, known_text(measured_links(net, &km) / each, links),
           known_text(placed, nodes));
}

static int list_builtin(void)
{
    MUST(refuse_others("list", "does not go with --list"));
    printf("%-16s %5s %5s  %-8s %s\n", "network", "nodes", "links", "lengths", "positions");
    for (size_t i = 0; rwa_network_builtin(i); i++) {
        rwa_network *net = NULL;
        MUST(CALL(rwa_network_open, &net, rwa_network_builtin(i), NULL));
        print_listed(rwa_network_builtin(i), net);
        rwa_network_free(net);
    }
    return EXIT_YES;
}

static int run(void)
{
    int text = strcmp(format, "text") == 0;
    if (list)
        return list_builtin();
    if (!target.spec)
        return BAD_INPUT("no network given, expected for example: rwa network --network nsfnet14-21 --format graphml");
    if (text)
        MUST(refuse_given("output", "needs --format graphml, json, sndlib or gnpy"));
    MUST(open_faulty());
    if (!text)
        return WRITE(rwa_network_write, target.net, format, file);
    say_network();
    return EXIT_YES;
}

const command command_network =
    {"network",
     "describe a network, or write it for other tools",
     "rwa network --network SPEC|FILE [--format FORMAT] [-o FILE]\n"
     "       rwa network --list\n\n"
     "Formats: graphml, for igraph and networkx, every network (of star, ron and ocs the "
     "coupler or the switches are further "
     "nodes); json, the project's own (docs/guide/networks.md); sndlib, native; gnpy, a topology "
     "of Roadms, fibres and amplifiers.\n\n"
     "Examples:\n"
     "  rwa network --list\n"
     "  rwa network --network nsfnet14-21\n"
     "  rwa network --network torus:8x8 --format graphml -o torus.graphml\n",
     TABLES(own_options, channel_options),
     0,
     run,
     NULL};
