/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/print.h"
#include "cli/target.h"
#include "cli/wrap.h"
#include "commands.h"

typedef struct network_options {
    common common;
    network_choice network;
    const char *format, *file;
    int list;
} network_options;

/* The names of --format: those of the library, and text. */
static const char *format_name(size_t i)
{
    return i == 0 ? "text" : rwa_network_format_name(i - 1);
}

static const option own_options[] = {
    {"network", 0, "SPEC|FILE", "as nsfnet14-21, net.graphml or torus:8x8 (docs/networks.md)", "required",
     IS_TEXT(network_options, network.spec)},
    {"list", 0, NULL, "the built-in networks: name, nodes, links, what is known of lengths and positions", NULL,
     IS_FLAG(network_options, list)},
    {"format", 0, "FORMAT", "text, graphml, json, sndlib or gnpy", "text", IS_NAME(network_options, format, format_name)},
    {"output", 'o', "FILE", "write there; .gz compresses, - is standard output", "-", IS_FILE(network_options, file)},
    {0}};
static const option_group groups[] = {
    {own_options, 0, NULL}, NETWORK_GROUPS(network_options, network.opts), {NULL, 0, NULL}};

/* Links of both kinds, and those that have a length. */
static void print_links(FILE *to, const rwa_network *net)
{
    uint32_t links = rwa_network_links(net), known = 0;
    double km = 0;
    for (uint32_t l = 0; l < links; l++) {
        rwa_link link = rwa_network_link(net, l);
        known += link.length_km > 0;
        km += link.length_km;
    }
    fprintf(to, "Links             %" PRIu32 " directed link%s", links, plural(links));
    if (rwa_network_is_paired(net))
        fprintf(to, ", in %" PRIu32 " fibre pair%s", rwa_network_pairs(net), plural(rwa_network_pairs(net)));
    fputc('\n', to);
    if (known > 0)
        fprintf(to, "Lengths           %" PRIu32 " known, %.1f km on average\n", known, km / known);
}

static int describe(const network_options *o, const rwa_network *net)
{
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, stdout);
    const char *kind = rwa_topology_name(rwa_network_topology(net));
    uint32_t named = 0;
    for (uint32_t v = 0; v < rwa_network_nodes(net); v++)
        named += rwa_network_node_name(net, v) != NULL;
    fprintf(to, "Network           %s, a %s of %" PRIu32 " nodes%s\n", o->network.spec, kind, rwa_network_nodes(net),
            named > 0 ? " with names" : "");
    print_links(to, net);
    fprintf(to, "Channels          %" PRIu32 " wavelengths x ", rwa_network_wavelengths(net));
    print_fibers(to, net);
    fprintf(to, " each way, %g Gbit/s each\n", rwa_network_rate_bps(net) / 1e9);
    if (rwa_network_ports(net) > 0)
        fprintf(to, "Ports             %" PRIu32 " of a node\n", rwa_network_ports(net));
    if (rwa_network_risk_groups(net) > 0)
        fprintf(to, "Risk groups       %zu\n", rwa_network_risk_groups(net));
    wrap_close(&wrapped, -1, 0);
    return finish(EXIT_YES);
}

/* "yes", "no", or how many of them are known. */
static const char *known_text(char text[32], uint32_t known, uint32_t all)
{
    snprintf(text, 32, "%" PRIu32 " of %" PRIu32, known, all);
    return known == all ? "yes" : known == 0 ? "no" : text;
}

static void print_listed(FILE *to, const char *name, const rwa_network *net)
{
    char lengths[32], positions[32];
    uint32_t links = rwa_network_links(net), nodes = rwa_network_nodes(net), measured = 0, placed = 0;
    for (uint32_t l = 0; l < links; l++)
        measured += rwa_network_link(net, l).length_km > 0;
    for (uint32_t v = 0; v < nodes; v++) {
        rwa_position where;
        placed += rwa_network_position(&where, net, v) != 0;
    }
    uint32_t each = rwa_network_is_paired(net) ? 2 : 1;
    fprintf(to, "%-16s %5" PRIu32 " %5" PRIu32 "  %-8s %s\n", name, nodes, links / each, known_text(lengths, measured / each, links / each),
            known_text(positions, placed, nodes));
}

static int list_builtin(const network_options *o)
{
    rwa_error err = {0};
    int code = refuse_others(&o->common, NAMES("list"), "does not go with --list");
    if (code != 0)
        return code;
    printf("%-16s %5s %5s  %-8s %s\n", "network", "nodes", "links", "lengths", "positions");
    for (size_t i = 0; rwa_network_builtin(i) != NULL && code == 0; i++) {
        rwa_network *net = NULL;
        code = fail_status(rwa_network_open(&net, rwa_network_builtin(i), NULL, &err), &err, 0);
        if (code == 0)
            print_listed(stdout, rwa_network_builtin(i), net);
        rwa_network_free(net);
    }
    return code != 0 ? code : finish(EXIT_YES);
}

static int run(void *options)
{
    network_options *o = options;
    rwa_network *net = NULL;
    rwa_error err = {0};
    int code = 0, text = o->format == NULL || strcmp(o->format, "text") == 0;
    if (o->list)
        return list_builtin(o);
    if (o->network.spec == NULL)
        return fail(EXIT_BAD_INPUT, "no network given, expected for example: rwa network --network nsfnet14-21 --format graphml");
    if (text)
        code = refuse_given(&o->common, NAMES("output"), "needs --format graphml, json, sndlib or gnpy");
    THEN(fail_status(network_open(&net, o->network.spec, &o->network.opts, &err), &err, 0));
    THEN(refuse_fibers(&o->network, net, &o->common));
    THEN(text ? describe(o, net) : fail_status(rwa_network_write(net, o->format, o->file != NULL ? o->file : "-", &err), &err, 1));
    rwa_network_free(net);
    return code != 0 ? code : finish(EXIT_YES);
}

const command command_network = {
    "network", "describe a network, or write it for other tools",
    "rwa network --network SPEC|FILE [--format FORMAT] [-o FILE]\n"
    "       rwa network --list\n\n"
    "Formats: graphml, for igraph and networkx, every network (of star, ron and ocs the coupler or the switches are further "
    "nodes); json, the project's own (docs/networks.md); sndlib, native; gnpy, a topology of Roadms, fibres and amplifiers.\n\n"
    "Examples:\n"
    "  rwa network --list\n"
    "  rwa network --network nsfnet14-21\n"
    "  rwa network --network torus:8x8 --format graphml -o torus.graphml\n",
    groups, sizeof(network_options), 0, run, NULL};
