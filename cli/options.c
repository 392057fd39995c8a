/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fold.h"
#include "near.h"
#include "options.h"
#include "plot.h"
#include "values.h"

#include <stdio.h>
#include <string.h>

enum option_id {
    O_NETWORK, O_WAVELENGTHS, O_FIBERS, O_RATE, O_COLLECTIVE, O_ROOT, O_MESSAGE, O_SCHEME, O_RADIX, O_STAGES, O_GROUP,
    O_LAST_EXCHANGE, O_SOLVER, O_ORDER, O_TIME_LIMIT, O_DEVICE, O_POWER_MODEL, O_MAX_HOPS, O_MAX_DROPS, O_COST, O_ALPHA,
    O_RECONFIG, O_PACKET, O_FLIT, O_CLOCK, O_FORMAT, O_OUTPUT, O_SEED, O_EXPAND, O_SCHEMES, O_TABLE_FORMAT, O_PLOT,
    O_NODES, O_WAVELENGTH_RANGE, O_THREADS, O_ITEM, O_FORMULAS, O_STEP, O_NODE, O_BLOCK, O_METHOD, O_EPISODES,
    O_DUTY, O_ONE_WAY, O_PORTS, O_TUNING, O_BLOCKS, O_SPLIT_STEPS, O_DEVICES, O_REPLICAS, O_DEGREE, O_QUANTUM,
    O_MEMORY, O_TO, O_FROM, O_CHANGES, O_EXPORT_FORMAT, O_REPAIR, O_FAIL, O_AT_STEP, O_DEMANDS, O_MODEL, O_OBJECTIVE,
    O_MEMBERS, O_RESERVE, O_ROUTING, O_ASSIGN_SOLVER, O_PATHS, O_PROTECTION, O_AVOID, O_CONVERTERS, O_STAGE, O_LOAD,
    O_LOAD_FACTOR,
    O_POLICIES, O_ROUTINGS, O_REQUESTS, O_WARM_UP, O_BATCHES, O_QUIET, O_VERBOSE, O_HELP
};

typedef struct option {
    enum option_id id;
    unsigned commands;
    char letter;
    const char *name;
    const char *argument;   /* NULL: takes none */
    const char *help;
} option;

#define CMD_TABLE (CMD_COMPARE | CMD_SWEEP)
#define CMD_PLANNING (CMD_PLAN | CMD_EXPLAIN | CMD_TABLE)
#define CMD_TARGET (CMD_PLANNING | CMD_BOUNDS)
#define CMD_COSTED (CMD_TARGET | CMD_IMPORT)
#define CMD_SETTING (CMD_TARGET & ~CMD_SWEEP)
#define CMD_POWER (CMD_PLANNING | CMD_CHECK | CMD_SHOW | CMD_IMPORT)
#define CMD_JOIN (CMD_CIRCUITS | CMD_PLACE)
#define CMD_REPORT (CMD_PLAN | CMD_CHECK | CMD_BOUNDS | CMD_ASSIGN | CMD_IMPORT)

static const option table[] = {
    {O_NETWORK, CMD_SWEEP, 0, "network", "KIND", "ring or line, its nodes by --nodes (ring)"},
    {O_NODES, CMD_SWEEP, 0, "nodes", "RANGE", "as 64,128,256 or 64..1024, which doubles: 64,128,...,1024; needed"},
    {O_WAVELENGTH_RANGE, CMD_SWEEP, 'w', "wavelengths", "RANGE", "of each fibre, as 4,16 or 16..128 (64, or the device's grid)"},
    {O_NETWORK, CMD_IMPORT, 0, "network", "SPEC|FILE", "what it runs on, as ring:16 or torus:8x8 (as a csv says; others need it)"},
    {O_FROM, CMD_IMPORT, 0, "from", "FORMAT", "csv, harvest or msccl (told by how the file begins)"},
    {O_NETWORK, CMD_TARGET & ~CMD_SWEEP, 0, "network", "SPEC|FILE",
     "as ring:16, torus:8x8, star:64, nsfnet14-21 or net.graphml (docs/networks.md); needed"},
    {O_WAVELENGTHS, CMD_COSTED & ~CMD_SWEEP, 'w', "wavelengths", "W", "of each fibre (64, or the device's grid; star: enough for all)"},
    {O_FIBERS, CMD_COSTED, 0, "fibers", "F", "fibres of each link and direction (1)"},
    {O_RATE, CMD_COSTED, 0, "rate", "RATE", "bit/s of one wavelength, as 40G (40G, or the device's)"},
    {O_COLLECTIVE, CMD_IMPORT, 0, "collective", "NAME", "that the file carries out, where it does not say so (all-gather)"},
    {O_COLLECTIVE, CMD_TARGET, 0, "collective", "NAME", "all-gather, all-reduce, reduce-scatter, broadcast, ... (all-gather)"},
    {O_ROOT, CMD_COSTED, 0, "root", "NODE", "of broadcast, scatter and gather (0)"},
    {O_MESSAGE, CMD_COSTED, 0, "message", "SIZE", "bytes per node, or per vector in reductions, as 4MiB or 25kB (4MiB)"},
    {O_BLOCKS, CMD_IMPORT, 0, "blocks", "M", "that the message was cut into (as the file says, or the usual number)"},
    {O_BLOCKS, CMD_TARGET & ~CMD_SWEEP, 0, "blocks", "M", "cut the message into so many blocks (the usual number, or the scheme's)"},
    {O_PORTS, CMD_COSTED & ~CMD_SWEEP, 0, "ports", "K", "transmissions, and receptions, of a node at a time (no limit)"},
    {O_TUNING, CMD_TARGET & ~CMD_SWEEP, 0, "tuning", "D", "star, ron, ocs: steps that setting something anew takes (0)"},
    {O_SCHEME, CMD_PLAN | CMD_EXPLAIN, 0, "scheme", "NAME", "one of those below, or auto (auto)"},
    {O_SCHEMES, CMD_TABLE, 0, "scheme", "LIST", "names with commas (all that can)"},
    {O_RADIX, CMD_PLANNING, 0, "radix", "LIST", "the tree's radices, as 4,4: each at least 2, product at least the nodes"},
    {O_STAGES, CMD_PLANNING, 0, "stages", "K", "number of stages, where --radix does not say it"},
    {O_GROUP, CMD_PLANNING, 0, "group", "M", "nodes in a group: wrht, h-ring, rotated-trees, tree (chosen)"},
    {O_LAST_EXCHANGE, CMD_PLANNING, 0, "last-exchange", "HOW", "wrht: auto, all-to-all or tree (auto)"},
    {O_SPLIT_STEPS, CMD_PLANNING, 0, "split-steps", "H", "tcp: stages of a broadcast that split the message (what costs least)"},
    {O_LOAD_FACTOR, CMD_PLANNING, 0, "load-factor", "C",
     "4: up to 4 blocks on a lightpath; 1/4: a block in 4 stripes; auto: what is quickest, with scheme auto (auto)"},
    {O_SOLVER, CMD_PLANNING | CMD_IMPORT, 0, "solver", "NAME", "who assigns wavelengths, where the scheme leaves that open (auto)"},
    {O_ORDER, CMD_PLANNING, 0, "order", "ORDER", "of greedy solvers: longest, given or start (longest)"},
    {O_TIME_LIMIT, CMD_PLANNING | CMD_IMPORT, 0, "time-limit", "SECONDS", "for searching solvers; 0: none (10)"},
    {O_SEED, CMD_PLANNING | CMD_IMPORT, 0, "seed", "N", "of randomised search (1)"},
    {O_STAGE, CMD_EXPLAIN, 0, "stage", "S", "only this stage of a tree, or this step"},
    {O_REPAIR, CMD_PLAN, 0, "repair", "FILE", "finish this schedule after the links of --fail failed in step --at-step"},
    {O_MEMBERS, CMD_SETTING, 0, "members", "LIST", "only these nodes take part, as 0-63,128-191; light may pass the others"},
    {O_RESERVE, CMD_SETTING, 0, "reserve", "LIST", "channels not to be used, fiber * wavelengths + wavelength, as 0-7,12"},
    {O_FAIL, CMD_SETTING, 0, "fail", "LIST",
     "failed links: on ring and line 17 in both directions, cw:17 or ccw:17 in one; else directed ones; with commas"},
    {O_AT_STEP, CMD_PLAN, 0, "at-step", "T", "with --repair: the step in which the links failed"},
    {O_MAX_HOPS, CMD_COSTED, 0, "max-hops", "H", "no lightpath longer than H links"},
    {O_MAX_DROPS, CMD_TARGET, 0, "max-drops", "K", "up to K nodes may read one lightpath, its end and taps on its way (1)"},
    {O_DEVICE, CMD_POWER | CMD_BOUNDS, 0, "device", "NAME|FILE", "device profile: checks power, sets wavelengths, rate, reconfiguration"},
    {O_DEVICE, CMD_EXPORT, 0, "device", "NAME|FILE", "device profile: the grid of openconfig and gnpy"},
    {O_POWER_MODEL, CMD_POWER, 0, "power-model", "MODEL", "rings or paper (rings)"},
    {O_COST, CMD_PLAN | CMD_BOUNDS | CMD_IMPORT, 0, "cost", "MODEL", "paper or circuit (paper)"},
    {O_ALPHA, CMD_COSTED, 0, "alpha", "TIME", "start-up of a step, circuit model (0us)"},
    {O_RECONFIG, CMD_COSTED, 0, "reconfig", "TIME", "one reconfiguration (25us, or the device's)"},
    {O_PACKET, CMD_COSTED, 0, "packet", "SIZE", "bytes of a packet (128)"},
    {O_FLIT, CMD_COSTED, 0, "flit", "SIZE", "bytes of a flit (32)"},
    {O_CLOCK, CMD_COSTED, 0, "clock", "FREQ", "of O/E/O conversion (1GHz)"},
    {O_DEVICES, CMD_PLACE, 0, "devices", "K", "over which one replica of the model is spread; needed"},
    {O_REPLICAS, CMD_PLACE, 0, "replicas", "L", "replicas of the model, each on K devices of its own (1)"},
    {O_DEGREE, CMD_PLACE, 0, "degree", "D", "to how many others a device may send, the next replica among them (all)"},
    {O_QUANTUM, CMD_PLACE, 0, "quantum", "TIME", "split tasks into parts of about this time, at most K (no splitting)"},
    {O_MEMORY, CMD_PLACE, 0, "memory", "SIZE", "of a device, as 40GiB (no limit)"},
    {O_NETWORK, CMD_ASSIGN, 0, "network", "SPEC|FILE", "as nsfnet14-21, net.graphml or ring:16 (docs/networks.md); needed"},
    {O_DEMANDS, CMD_ASSIGN, 0, "demands", "SET|FILE", "all-to-all, random:COUNT, or a file (all-to-all)"},
    {O_MODEL, CMD_ASSIGN, 0, "model", "MODEL", "undirected: one lightpath serves a pair both ways; or directed (as the network is)"},
    {O_WAVELENGTHS, CMD_ASSIGN, 'w', "wavelengths", "W", "of each fibre (as few as can be)"},
    {O_OBJECTIVE, CMD_ASSIGN, 0, "objective", "WHAT", "wavelengths: serve all; or demands: with W, as many as can be (wavelengths)"},
    {O_FIBERS, CMD_ASSIGN, 0, "fibers", "F", "fibres of each link and direction, where a file says nothing else (1)"},
    {O_RATE, CMD_ASSIGN, 0, "rate", "RATE", "bit/s of one wavelength, for demands in bit/s (40G)"},
    {O_ROUTING, CMD_ASSIGN, 0, "routing", "NAME", "shortest, k-shortest, min-load or auto (auto)"},
    {O_PATHS, CMD_ASSIGN, 0, "paths", "K", "routes tried for each demand (chosen)"},
    {O_MAX_HOPS, CMD_ASSIGN, 0, "max-hops", "H", "no route longer than H links"},
    {O_AVOID, CMD_ASSIGN, 0, "avoid", "NODES", "nodes that no route passes, with commas"},
    {O_CONVERTERS, CMD_ASSIGN, 0, "converters", "NODES", "nodes that can change a lightpath's wavelength, with commas"},
    {O_PROTECTION, CMD_ASSIGN, 0, "protection", NULL, "1+1: a second lightpath apart from the first for each"},
    {O_ASSIGN_SOLVER, CMD_ASSIGN, 0, "solver", "NAME", "one of those below, or auto (auto)"},
    {O_TIME_LIMIT, CMD_ASSIGN, 0, "time-limit", "SECONDS", "keep the best answer so far; 0: no limit (10)"},
    {O_SEED, CMD_ASSIGN, 0, "seed", "N", "of random demands and of the search (1)"},
    {O_OUTPUT, CMD_ASSIGN, 'o', "output", "FILE", "write the assignment; .gz compresses, - is standard output"},
    {O_NETWORK, CMD_TRAFFIC, 0, "network", "SPEC|FILE", "as nsfnet14-21, net.graphml or ring:16 (docs/networks.md); needed"},
    {O_LOAD, CMD_TRAFFIC, 0, "load", "RANGE", "Erlang offered in all, as 60,80,100, or 60..140:20, or 60..140: nine loads; needed"},
    {O_WAVELENGTHS, CMD_TRAFFIC, 'w', "wavelengths", "W", "of each fibre (64)"},
    {O_FIBERS, CMD_TRAFFIC, 0, "fibers", "F", "fibres of each link and direction, where a file says nothing else (1)"},
    {O_MODEL, CMD_TRAFFIC, 0, "model", "MODEL", "undirected: a lightpath takes both directions; or directed (as the network is)"},
    {O_ROUTINGS, CMD_TRAFFIC, 0, "routing", "LIST", "shortest, alternate, least-loaded; with commas (shortest)"},
    {O_PATHS, CMD_TRAFFIC, 0, "paths", "K", "routes known for each pair of nodes: alternate, least-loaded (3)"},
    {O_MAX_HOPS, CMD_TRAFFIC, 0, "max-hops", "H", "no route longer than H links"},
    {O_POLICIES, CMD_TRAFFIC, 0, "policy", "LIST", "first-fit, last-fit, most-used, least-used, random; with commas (first-fit)"},
    {O_REQUESTS, CMD_TRAFFIC, 0, "requests", "N", "counted at each load (200000)"},
    {O_WARM_UP, CMD_TRAFFIC, 0, "warm-up", "N", "requests before counting begins (10000)"},
    {O_BATCHES, CMD_TRAFFIC, 0, "batches", "N", "that the confidence interval is taken over (20)"},
    {O_SEED, CMD_TRAFFIC, 0, "seed", "N", "of the traffic, the same for every policy and routing, and of random (1)"},
    {O_NETWORK, CMD_CIRCUITS, 0, "network", "SPEC", "circuit switches, as ocs:64x8, or a ring, as ring:64; needed"},
    {O_NETWORK, CMD_PLACE, 0, "network", "SPEC", "find circuits too: as ocs:64x8 or ring:64"},
    {O_WAVELENGTHS, CMD_JOIN, 'w', "wavelengths", "W", "ring: wavelengths of each fibre (64)"},
    {O_FIBERS, CMD_JOIN, 0, "fibers", "F", "ring: fibres of each link and direction (1)"},
    {O_RATE, CMD_JOIN, 0, "rate", "RATE", "bit/s of one circuit or wavelength, as 25G (40G)"},
    {O_METHOD, CMD_JOIN, 0, "method", "NAME", "switches: exact or ilp; ring: flow or ilp; or auto (auto)"},
    {O_EPISODES, CMD_JOIN, 0, "episodes", "E", "switches: set so many times, or auto: what takes least time (1)"},
    {O_DUTY, CMD_JOIN, 0, "duty", "SHARE", "with --episodes auto: transmit at least this share of the time, as 0.9"},
    {O_ONE_WAY, CMD_JOIN, 0, "one-way", NULL, "ring: clockwise lightpaths only"},
    {O_TIME_LIMIT, CMD_JOIN, 0, "time-limit", "SECONDS", "for the integer program; 0: none (10)"},
    {O_RECONFIG, CMD_JOIN, 0, "reconfig", "TIME", "one reconfiguration (switches 10ms, ring 25us)"},
    {O_EXPAND, CMD_EXPORT, 0, "expand", NULL, "write every orbit out, one lightpath a line"},
    {O_TO, CMD_EXPORT, 0, "to", "FORMAT", "csv, nodes, openconfig, harvest, msccl, gnpy or sndlib"},
    {O_CHANGES, CMD_EXPORT, 0, "changes", NULL, "nodes: only what is set differently from the step before"},
    {O_STEP, CMD_SHOW | CMD_EXPORT, 0, "step", "S", "only this step"},
    {O_NODE, CMD_SHOW, 0, "node", "V", "follow a node: what it sends, receives and lets pass"},
    {O_NODE, CMD_EXPORT, 0, "node", "V", "only this node"},
    {O_BLOCK, CMD_SHOW, 0, "block", "B", "follow a block; assignment: source * nodes + destination"},
    {O_OUTPUT, CMD_PLAN | CMD_EXPORT | CMD_IMPORT, 'o', "output", "FILE", "write the schedule; .gz compresses, - is standard output"},
    {O_OUTPUT, CMD_SHOW, 'o', "output", "FILE", "a drawing (.svg), an interactive page (.html), or text (.txt)"},
    {O_OUTPUT, CMD_SWEEP, 'o', "output", "FILE", "write the table; what is done waits in FILE.part for the next try"},
    {O_OUTPUT, CMD_JOIN, 'o', "output", "FILE", "write the JSON report; - is standard output"},
    {O_PLOT, CMD_TABLE, 0, "plot", "FILE.svg", "draw the steps, with gnuplot"},
    {O_THREADS, CMD_SWEEP, 0, "threads", "N", "plan so many at a time (all processors)"},
    {O_ITEM, CMD_REPRODUCE, 0, "item", "NAME", "one table or figure, as table-2 or fig-5 (all tables)"},
    {O_FORMULAS, CMD_REPRODUCE, 0, "formulas-only", NULL, "make no schedules"},
    {O_PLOT, CMD_TRAFFIC, 0, "plot", "FILE.svg", "draw the blocking over the load, with gnuplot"},
    {O_PLOT, CMD_REPRODUCE, 0, "plot", "FILE.svg", "draw the figure of --item, with gnuplot"},
    {O_TABLE_FORMAT, CMD_CIRCUITS, 0, "format", "FORMAT", "text, json, or csv: every circuit or lightpath (text)"},
    {O_TABLE_FORMAT, CMD_PLACE, 0, "format", "FORMAT", "text, json, or csv: the traffic, to be read by circuits (text)"},
    {O_TABLE_FORMAT, CMD_COMPARE | CMD_REPRODUCE | CMD_TRAFFIC, 0, "format", "FORMAT", "text, json or csv (text)"},
    {O_EXPORT_FORMAT, CMD_EXPORT, 0, "format", "FORMAT", "of --to nodes: json or csv (json)"},
    {O_FORMAT, CMD_REPORT, 0, "format", "FORMAT", "text or json (text)"},
    {O_QUIET, CMD_ALL, 'q', "quiet", NULL, "no progress"},
    {O_VERBOSE, CMD_ALL, 'v', "verbose", NULL, "say more"},
    {O_HELP, CMD_ALL, 'h', "help", NULL, "this text"},
};
enum { TABLE_SIZE = sizeof table / sizeof *table };

#define RANGE_EXPECTED "counts with commas, such as 64,128,256, or a doubling range, such as 16..128"

static int read_radices(options *o, const char *text)
{
    const char *p = text;
    size_t count = 0;
    for (;;) {
        uint64_t value;
        const char *end;
        if (count == RWA_STAGES_MAX || !read_digits(&value, p, &end) || value < 2 || value > RWA_NODES_MAX)
            return 0;
        o->radix[count++] = (uint32_t)value;
        if (*end == '\0')
            break;
        if (*end != ',')
            return 0;
        p = end + 1;
    }
    o->plan.radix = o->radix;
    o->plan.radix_count = count;
    return 1;
}

/* "64,128,256", "64..1024" (doubling; the last is not passed), or a mix of both. */
static int read_range(range *out, const char *text, uint64_t most)
{
    const char *p = text;
    out->count = 0;
    for (;;) {
        uint64_t first, last;
        const char *end;
        if (!read_digits(&first, p, &end) || first < 1 || first > most)
            return 0;
        last = first;
        if (strncmp(end, "..", 2) == 0 && (!read_digits(&last, end + 2, &end) || last < first || last > most))
            return 0;
        for (; first <= last; first *= 2) {
            if (out->count == RANGE_MAX)
                return 0;
            out->values[out->count++] = (uint32_t)first;
        }
        if (*end == '\0')
            return 1;
        if (*end != ',')
            return 0;
        p = end + 1;
    }
}

static int add_load(options *o, double load)
{
    if (o->load_count == RANGE_MAX)
        return 0;
    o->loads[o->load_count++] = load;
    return 1;
}

/* "60", or "60..140:20" for 60, 80, ... 140, or "60..140" in eight equal steps. */
static int read_load(options *o, char *item)
{
    char *dots = strstr(item, ".."), *colon = dots != NULL ? strchr(dots, ':') : NULL;
    double first, last, step;
    if (colon != NULL)
        *colon = '\0';
    if (dots != NULL)
        *dots = '\0';
    if (!read_quantity(&first, item, plain_units, 0))
        return 0;
    if (dots == NULL)
        return add_load(o, first);
    if (!read_quantity(&last, dots + 2, plain_units, 0) || last <= first)
        return 0;
    step = (last - first) / 8;
    if (colon != NULL && !read_quantity(&step, colon + 1, plain_units, 0))
        return 0;
    for (size_t i = 0; first + (double)i * step <= last * (1 + 1e-9); i++)
        if (!add_load(o, first + (double)i * step))
            return 0;
    return 1;
}

/* Cut off the item before the next comma; *text moves behind it, NULL at the end.  0: it is too long. */
static int next_item(char item[64], const char **text)
{
    size_t length = strcspn(*text, ",");
    if (length >= 64)
        return 0;
    memcpy(item, *text, length);
    item[length] = '\0';
    *text = (*text)[length] == ',' ? *text + length + 1 : NULL;
    return 1;
}

static int read_loads(options *o, const char *text)
{
    char item[64];
    o->load_count = 0;
    while (text != NULL)
        if (!next_item(item, &text) || !read_load(o, item))
            return 0;
    return 1;
}

/* Names with commas, by the numbers that `find` gives them; how many, or 0 when one is unknown or there are too many. */
static size_t read_names(int numbers[LIST_MAX], const char *text, int (*find_name)(const char *name))
{
    char item[64];
    size_t count = 0;
    while (text != NULL) {
        if (count == LIST_MAX || !next_item(item, &text) || (numbers[count] = find_name(item)) < 0)
            return 0;
        count++;
    }
    return count;
}

static int take_policies(options *o, const char *text)
{
    int numbers[LIST_MAX];
    o->policy_count = read_names(numbers, text, rwa_policy_find);
    for (size_t i = 0; i < o->policy_count; i++)
        o->policies[i] = (rwa_policy)numbers[i];
    return o->policy_count > 0;
}

static int take_routings(options *o, const char *text)
{
    int numbers[LIST_MAX];
    o->routing_count = read_names(numbers, text, rwa_routing_find);
    for (size_t i = 0; i < o->routing_count; i++)
        o->routings[i] = (rwa_routing)numbers[i];
    return o->routing_count > 0;
}

/* The index of a word in a list that NULL ends, or -1. */
static int read_word(const char *text, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], text) == 0)
            return i;
    return -1;
}

static int bad(const option *opt, const char *value, const char *expected)
{
    return fail(EXIT_BAD_INPUT, "--%s %s: expected %s", opt->name, value, expected);
}

static int take_count(uint32_t *out, const option *opt, const char *value, uint32_t least, uint32_t most)
{
    uint64_t n;
    if (!read_count(&n, value, least, most))
        return fail(EXIT_BAD_INPUT, "--%s %s: expected a whole number, %lu to %lu", opt->name, value,
                    (unsigned long)least, (unsigned long)most);
    *out = (uint32_t)n;
    return 0;
}

static int take_size(uint64_t *out, const option *opt, const char *value)
{
    return read_size(out, value) ? 0 : bad(opt, value, "a size of at least one byte, such as 128, 25kB or 4MiB");
}

/* Blocks on a lightpath, or lightpaths of a block. */
static int take_load(rwa_plan_options *plan, const option *opt, const char *value)
{
    uint64_t count = 0;
    int striped = strncmp(value, "1/", 2) == 0, chosen = strcmp(value, "auto") == 0;
    if (!chosen && !read_count(&count, value + (striped ? 2 : 0), 1, striped ? RWA_CHANNELS_MAX : RWA_BOUND_SLOTS_MAX))
        return bad(opt, value, "auto, blocks on a lightpath, such as 4, or a part of a block, such as 1/4");
    plan->stripes = chosen ? 0 : striped ? (uint32_t)count : 1;
    plan->slots = chosen ? 0 : striped ? 1 : (uint32_t)count;
    return 0;
}

static int take_time(double *out, const option *opt, const char *value)
{
    return read_quantity(out, value, time_units, 1) ? 0 : bad(opt, value, "a time with its unit, such as 25us or 1.5ms");
}

static int take_word(int *out, const option *opt, const char *value, const char *const *words, const char *expected)
{
    *out = read_word(value, words);
    return *out >= 0 ? 0 : bad(opt, value, expected);
}

/* One of the names, or auto where the choice may be left to others. */
static int take_name(const option *opt, const char *value, const char *(*name)(size_t), int has_auto)
{
    char known[512] = "", question[64];
    size_t used = has_auto ? (size_t)snprintf(known, sizeof known, "auto") : 0;
    near_name near;
    if (has_auto && strcmp(value, "auto") == 0)
        return 0;
    near_init(&near, value, strlen(value));
    for (size_t i = 0; name(i) != NULL; i++) {
        if (strcmp(name(i), value) == 0)
            return 0;
        near_try(&near, name(i));
        if (strcmp(name(i), "auto") != 0 && used + strlen(name(i)) + 3 < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", name(i));
    }
    return fail(EXIT_BAD_INPUT, "--%s %s: unknown%s; expected one of %s", opt->name, value,
                near_question(&near, "", question, sizeof question), known);
}

static int take_scheme(const char **name, const option *opt, const char *value)
{
    *name = strcmp(value, "turned-trees") == 0 ? "rotated-trees" : value;   /* its former name */
    return take_name(opt, *name, rwa_scheme_name, 1);
}

/* The names point into the table of schemes. */
static int take_schemes(options *o, const option *opt, const char *value)
{
    char word[64];
    const char *name;
    o->scheme_count = 0;
    for (const char *p = value;; p++) {
        size_t length = strcspn(p, ","), i = 0;
        snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : (int)sizeof word, p);
        int code = take_scheme(&name, opt, word);
        while (rwa_scheme_name(i) != NULL && strcmp(rwa_scheme_name(i), name) != 0)
            i++;
        if (code != 0)
            return code;
        if (o->scheme_count == RWA_STAGES_MAX)
            return bad(opt, value, "fewer names");
        o->schemes[o->scheme_count++] = rwa_scheme_name(i);     /* NULL: auto */
        p += length;
        if (*p == '\0')
            return 0;
    }
}

static int take_collective(options *o, const option *opt, const char *value)
{
    int kind = rwa_collective_find(value);
    if (kind == 0)
        return bad(opt, value, "all-gather, all-reduce, reduce-scatter, broadcast, scatter, gather or all-to-all");
    o->collective = (rwa_collective_kind)kind;
    return 0;
}

static int take(options *o, const option *opt, const char *value)
{
    static const char *const formats[] = {"text", "json", NULL}, *const costs[] = {"paper", "circuit", NULL},
        *const tables[] = {"json", "csv", NULL},
        *const models[] = {"rings", "paper", NULL}, *const last_exchanges[] = {"auto", "all-to-all", "tree", NULL},
        *const table_formats[] = {"text", "json", "csv", NULL}, *const orders[] = {"longest", "given", "start", NULL},
        *const assign_models[] = {"directed", "undirected", NULL}, *const objectives[] = {"wavelengths", "demands", NULL},
        *const methods[] = {"auto", "exact", "flow", "ilp", NULL};
    int word = 0, code = 0;
    switch (opt->id) {
    case O_NETWORK: o->network = value; break;
    case O_WAVELENGTHS: return take_count(&o->net.wavelengths, opt, value, 1, RWA_CHANNELS_MAX);
    case O_FIBERS: return take_count(&o->net.fibers, opt, value, 1, RWA_CHANNELS_MAX);
    case O_RATE:
        return read_quantity(&o->net.rate_bps, value, rate_units, 0) ? 0 : bad(opt, value, "bits per second, such as 40G");
    case O_COLLECTIVE: return take_collective(o, opt, value);
    case O_MEMBERS: o->members = value; break;
    case O_RESERVE: o->reserved = value; break;
    case O_ROOT: return take_count(&o->root, opt, value, 0, RWA_NODES_MAX - 1);
    case O_MESSAGE: return take_size(&o->message, opt, value);
    case O_SCHEME: return take_scheme(&o->plan.scheme, opt, value);
    case O_RADIX: return read_radices(o, value) ? 0 : bad(opt, value, "numbers of at least 2 with commas, such as 4,4");
    case O_STAGES: return take_count(&o->plan.stages, opt, value, 1, RWA_STAGES_MAX);
    case O_GROUP: return take_count(&o->plan.group, opt, value, 2, RWA_NODES_MAX);
    case O_LAST_EXCHANGE:
        code = take_word(&word, opt, value, last_exchanges, "auto, all-to-all or tree");
        o->plan.last_exchange = word == 1 ? RWA_LAST_ALL_TO_ALL : word == 2 ? RWA_LAST_TREE : RWA_LAST_AUTO;
        break;
    case O_SOLVER: o->plan.solver = value; return take_name(opt, value, rwa_solver_name, 1);
    case O_ORDER:
        code = take_word(&word, opt, value, orders, "longest, given or start");
        o->plan.solving.order = word == 1 ? RWA_ORDER_GIVEN : word == 2 ? RWA_ORDER_START : RWA_ORDER_LONGEST;
        break;
    case O_TIME_LIMIT:
        if (!read_quantity(&o->plan.time_limit_s, value, limit_units, 1))
            return bad(opt, value, "seconds");
        o->plan.solving.time_limit_s = o->plan.time_limit_s;
        break;
    case O_DEVICE: o->device = value; break;
    case O_POWER_MODEL:
        code = take_word(&word, opt, value, models, "rings or paper");
        o->plan.power_model = word == 1 ? RWA_POWER_PAPER : RWA_POWER_RINGS;
        break;
    case O_MAX_HOPS: return take_count(&o->plan.max_hops, opt, value, 1, RWA_NODES_MAX);
    case O_MAX_DROPS: return take_count(&o->plan.max_drops, opt, value, 1, RWA_NODES_MAX);
    case O_COST:
        code = take_word(&word, opt, value, costs, "paper or circuit");
        o->plan.cost.model = word == 1 ? RWA_COST_CIRCUIT : RWA_COST_PAPER;
        break;
    case O_ALPHA: return take_time(&o->plan.cost.alpha_s, opt, value);
    case O_RECONFIG: return take_time(&o->plan.cost.reconfig_s, opt, value);
    case O_PACKET: return take_size(&o->plan.cost.packet_bytes, opt, value);
    case O_FLIT: return take_size(&o->plan.cost.flit_bytes, opt, value);
    case O_CLOCK:
        return read_quantity(&o->plan.cost.clock_hz, value, clock_units, 0) ? 0 : bad(opt, value, "a frequency, such as 1GHz");
    case O_FORMAT: code = take_word(&o->json, opt, value, formats, "text or json"); break;
    case O_TABLE_FORMAT:
        code = take_word(&word, opt, value, table_formats, "text, json or csv");
        o->json = word == 1;
        o->csv = word == 2;
        break;
    case O_SCHEMES: return take_schemes(o, opt, value);
    case O_NODES: return read_range(&o->nodes, value, RWA_NODES_MAX) ? 0 : bad(opt, value, RANGE_EXPECTED);
    case O_WAVELENGTH_RANGE:
        return read_range(&o->wavelengths, value, RWA_CHANNELS_MAX) ? 0 : bad(opt, value, RANGE_EXPECTED);
    case O_ITEM: o->item = value; break;
    case O_FORMULAS: o->formulas_only = 1; break;
    case O_PLOT: o->plot = value; return plot_check(value);
    case O_THREADS: return take_count(&o->threads, opt, value, 1, 1024);
    case O_OUTPUT:
        o->output = value;
        return *value != '\0' ? 0 : bad(opt, "''", "the name of a file");
    case O_SEED:
        if (!read_count(&o->plan.seed, value, 0, UINT64_MAX))
            return bad(opt, value, "a whole number");
        o->plan.solving.seed = o->plan.seed;
        break;
    case O_EXPAND: o->expand = 1; break;
    case O_STAGE: return take_count(&o->stage, opt, value, 1, UINT32_MAX);
    case O_REPAIR: o->repair = value; break;
    case O_FAIL: o->failed = value; break;
    case O_AT_STEP: return take_count(&o->at_step, opt, value, 1, UINT32_MAX);
    case O_FROM: o->from = value; return take_name(opt, value, rwa_import_name, 0);
    case O_TO: o->to = value; return take_name(opt, value, rwa_export_name, 0);
    case O_CHANGES: o->changes = 1; break;
    case O_EXPORT_FORMAT: code = take_word(&o->csv, opt, value, tables, "json or csv"); break;
    case O_STEP: return take_count(&o->step, opt, value, 1, UINT32_MAX);
    case O_NODE: return take_count(&o->node, opt, value, 0, RWA_NODES_MAX - 1);
    case O_BLOCK:
        return read_count(&o->block, value, 0, UINT32_MAX) ? 0 : bad(opt, value, "a block, counted from 0");
    case O_METHOD:
        code = take_word(&word, opt, value, methods, "auto, exact, flow or ilp");
        o->method = value;
        break;
    case O_EPISODES:
        o->episodes = 0;
        return strcmp(value, "auto") == 0 ? 0 : take_count(&o->episodes, opt, value, 1, 1u << 20);
    case O_DUTY:
        return read_quantity(&o->duty, value, share_units, 0) && o->duty < 1 ? 0 : bad(opt, value, "a share below 1, such as 0.9");
    case O_ONE_WAY: o->one_way = 1; break;
    case O_PORTS: return take_count(&o->net.ports, opt, value, 1, RWA_CHANNELS_MAX);
    case O_TUNING: return take_count(&o->net.tuning, opt, value, 0, UINT32_MAX / 2);
    case O_BLOCKS: return read_count(&o->blocks, value, 1, UINT32_MAX) ? 0 : bad(opt, value, "a whole number of at least 1");
    case O_LOAD_FACTOR: return take_load(&o->plan, opt, value);
    case O_SPLIT_STEPS: return take_count(&o->plan.split_steps, opt, value, 0, 64);
    case O_DEVICES: return take_count(&o->devices, opt, value, 1, 1u << 20);
    case O_REPLICAS: return take_count(&o->replicas, opt, value, 1, RWA_NODES_MAX);
    case O_DEGREE: return take_count(&o->degree, opt, value, 1, RWA_NODES_MAX);
    case O_QUANTUM: return read_quantity(&o->quantum_s, value, time_units, 0) ? 0 : bad(opt, value, "a time, such as 50us");
    case O_MEMORY: return take_size(&o->memory, opt, value);
    case O_DEMANDS: o->demands = value; break;
    case O_MODEL:
        code = take_word(&word, opt, value, assign_models, "directed or undirected");
        o->assign.model = word == 1 ? RWA_UNDIRECTED : RWA_DIRECTED;
        break;
    case O_OBJECTIVE:
        code = take_word(&word, opt, value, objectives, "wavelengths or demands");
        o->assign.objective = word == 1 ? RWA_MOST_DEMANDS : RWA_FEWEST_WAVELENGTHS;
        break;
    case O_ROUTING:
        o->assign.routing = value;
        code = take_name(opt, value, rwa_assign_routing_name, 1);
        break;
    case O_ASSIGN_SOLVER: o->assign.solver = value; return take_name(opt, value, rwa_assign_solver_name, 1);
    case O_PATHS: return take_count(&o->assign.paths, opt, value, 1, 1u << 16);
    case O_PROTECTION: o->assign.protection = 1; break;
    case O_AVOID: o->avoid = value; break;
    case O_CONVERTERS: o->converters = value; break;
    case O_LOAD: return read_loads(o, value) ? 0 : bad(opt, value, "loads above 0 with commas, or a range, such as 60..140:20");
    case O_POLICIES:
        return take_policies(o, value) ? 0 : bad(opt, value, "first-fit, last-fit, most-used, least-used or random, with commas");
    case O_ROUTINGS: return take_routings(o, value) ? 0 : bad(opt, value, "shortest, alternate or least-loaded, with commas");
    case O_REQUESTS: return read_count(&o->blocking.requests, value, 1, 1u << 31) ? 0 : bad(opt, value, "a whole number above 0");
    case O_WARM_UP: return read_count(&o->blocking.warm_up, value, 0, 1u << 31) ? 0 : bad(opt, value, "a whole number");
    case O_BATCHES: return take_count(&o->blocking.batches, opt, value, 2, 1000);
    case O_QUIET: o->quiet = 1; break;
    case O_VERBOSE: o->verbose = 1; break;
    case O_HELP: o->help = 1; break;
    }
    return code;
}

static void defaults(options *o, const char *command)
{
    memset(o, 0, sizeof *o);
    o->command = command;
    rwa_network_options_init(&o->net);
    rwa_plan_options_init(&o->plan);
    rwa_assign_options_init(&o->assign);
    rwa_blocking_options_init(&o->blocking);
    o->collective = RWA_ALL_GATHER;
    o->message = 4u << 20;
    o->method = "auto";
    o->episodes = 1;
    o->replicas = 1;
}

static const option *find(const char *word, size_t length, unsigned which)
{
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        const option *opt = &table[i];
        if (!(opt->commands & which))
            continue;
        if (word[1] == '-' ? strlen(opt->name) == length - 2 && strncmp(opt->name, word + 2, length - 2) == 0
                           : opt->letter != 0 && opt->letter == word[1] && (length == 2 || opt->argument != NULL))
            return opt;
    }
    return NULL;
}

/* A network needs its option. */
static int unexpected(const char *word, unsigned which, const char *command)
{
    const option *network = find("--network", strlen("--network"), which);
    int meant = network != NULL && strchr(word, ':') != NULL && !(which & CMD_SWEEP);
    return fail(EXIT_BAD_INPUT, "unexpected '%s'%s%s; see rwa %s --help", word, meant ? ", expected --network " : "", meant ? word : "",
                command);
}

static int unknown_option(const char *word, size_t length, unsigned which, const char *command)
{
    near_name near;
    char question[64];
    near_init(&near, word + 2, word[1] == '-' ? length - 2 : 0);
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if (table[i].commands & which)
            near_try(&near, table[i].name);
    return fail(EXIT_BAD_INPUT, "unknown option %.*s%s; see rwa %s --help", (int)(length < 200 ? length : 200), word,
                near_question(&near, "--", question, sizeof question), command);
}

/* check, export, import, show, circuits and place take a file, show a second one. */
static int take_operand(options *o, unsigned which, const char *word)
{
    if ((which & (CMD_CHECK | CMD_EXPORT | CMD_IMPORT | CMD_SHOW | CMD_JOIN | CMD_REPRODUCE)) && o->file == NULL)
        o->file = word;
    else if ((which & CMD_SHOW) && o->file2 == NULL)
        o->file2 = word;
    else
        return 0;
    return 1;
}

int options_parse(options *o, const char *command, unsigned which, int argc, char **argv)
{
    int only_operands = 0;
    defaults(o, command);
    for (int i = 2; i < argc; i++) {
        const char *word = argv[i];
        if (!only_operands && strcmp(word, "--") == 0) {
            only_operands = 1;
            continue;
        }
        if (only_operands || word[0] != '-' || word[1] == '\0') {
            if (!take_operand(o, which, word))
                return unexpected(word, which, command);
            continue;
        }
        const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
        size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
        const option *opt = find(word, length, which);
        if (opt == NULL)
            return unknown_option(word, length, which, command);
        const char *value = equals != NULL ? equals + 1 : NULL;
        if (word[1] != '-' && word[2] != '\0')
            value = word + 2 + (word[2] == '=');    /* -w2 */
        if (opt->argument == NULL && value != NULL)
            return fail(EXIT_BAD_INPUT, "option --%s takes no value", opt->name);
        if (opt->argument != NULL && value == NULL) {
            if (i + 1 == argc)
                return fail(EXIT_BAD_INPUT, "option --%s needs %s, see rwa %s --help", opt->name, opt->argument, command);
            value = argv[++i];
        }
        int code = take(o, opt, value);
        if (code != 0)
            return code;
        option_note(o, opt->name);
        if (o->help)
            return 0;
    }
    return 0;
}

static void schemes_help(void)
{
    fold folded;
    FILE *to = fold_open(&folded, stdout);
    fprintf(to, "\nSchemes:\n");
    for (size_t i = 0; rwa_scheme_name(i) != NULL; i++)
        fprintf(to, "  %-20s %s (%s)\n", rwa_scheme_name(i), rwa_scheme_summary(i), rwa_scheme_source(i));
    fold_close(&folded, 23, FOLD_PROSE);
}

static void solvers_help(void)
{
    fold folded;
    FILE *to = fold_open(&folded, stdout);
    fprintf(to, "\nSolvers:\n");
    for (size_t i = 0; rwa_assign_solver_name(i) != NULL; i++)
        fprintf(to, "  %-20s %s\n", rwa_assign_solver_name(i), rwa_assign_solver_summary(i));
    fold_close(&folded, 23, FOLD_PROSE);
}

void options_help(unsigned which)
{
    fold folded;
    FILE *to = fold_open(&folded, stdout);
    fprintf(to, "\nOptions:\n");
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        char left[64];
        const option *opt = &table[i];
        if (!(opt->commands & which))
            continue;
        int used = opt->letter != 0 ? snprintf(left, sizeof left, "-%c, ", opt->letter) : snprintf(left, sizeof left, "    ");
        snprintf(left + used, sizeof left - (size_t)used, "--%s %s", opt->name, opt->argument != NULL ? opt->argument : "");
        fprintf(to, "  %-27s %s\n", left, opt->help);
    }
    fold_close(&folded, 30, FOLD_PROSE);
    if (which & CMD_PLANNING)
        schemes_help();
    if (which & CMD_ASSIGN)
        solvers_help();
}

int device_apply(rwa_device **device, options *o)
{
    rwa_error err = {0};
    *device = NULL;
    if (o->device == NULL)
        return refuse_power_model(o);
    rwa_status status = rwa_device_open(device, o->device, &err);
    if (status != RWA_OK)
        return fail_status(status, &err, 0);
    uint32_t grid = rwa_device_wavelengths(*device);
    if (!option_given(o, "wavelengths"))
        o->net.wavelengths = grid;
    if (!option_given(o, "rate"))
        o->net.rate_bps = rwa_device_rate_bps(*device);
    if (!option_given(o, "reconfig"))
        o->plan.cost.reconfig_s = rwa_device_reconfig_s(*device);
    if (o->net.wavelengths > grid)
        return fail(EXIT_BAD_INPUT, "--wavelengths %lu: device %s has a grid of %lu, expected no more",
                    (unsigned long)o->net.wavelengths, rwa_device_name(*device), (unsigned long)grid);
    o->plan.device = *device;
    return 0;
}
