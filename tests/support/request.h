/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Requests as a line of words, and their plans: "torus:4x4 w=2 ports=1 failed=3>4 all-gather bytes=64 by nearest".
 * First the network: a shape, a name, a file, or links as in "links:0-1,1>2x3,2-0@80", both ways or one way, with 3
 * fibres, of 80 km.  Then, in any order, a collective and words and fields of the tables below; "by" and a scheme or
 * solver at the end.  What is left out is the default, of the collective all-gather of 4096 bytes.  A line that names
 * no scheme is planned by "auto".  Plans, networks and schedules belong to this file, which frees each once KEPT more
 * of its kind were made.  For assignments see assigning.h.
 */
#pragma once

#include "rwa.h"

#include "tests/support/suite.h"

#include <math.h>
#include <stdarg.h>

enum { KEPT = 64, NUMBERS_MOST = 64, LINE_MOST = 512 };

struct numbers {
    uint32_t at[NUMBERS_MOST];
    size_t count;
};

struct request {
    char line[LINE_MOST], scheme[LINE_MOST], spec[512], failed[128], device[64], solver[32], pairs[512];
    rwa_network_options network;
    const rwa_network *net;     /* in place of `spec`, see on_network() */
    /* Channels; failed links, besides those of `failed`; no members: all nodes. */
    struct numbers reserved, links, members;
    uint32_t links_from, taps; /* the step from which links fail, 0: all; for bounds: any number of receivers */
    rwa_collective_kind kind;
    uint32_t root;
    uint64_t bytes, blocks;
    rwa_plan_options options;                   /* without scheme, solver, members and device */
    struct numbers radices;
    rwa_assignment_options assign;              /* without solver */
    struct numbers random, widths;              /* so many demands of a seed; slots of each demand */
};

#define KEEPER(thing)                                           \
    static inline rwa_##thing *keep_##thing(rwa_##thing *made)  \
    {                                                           \
        static rwa_##thing *kept[KEPT];                         \
        static size_t next;                                     \
        rwa_##thing##_free(kept[next]);                         \
        kept[next] = made;                                      \
        next = (next + 1) % KEPT;                               \
        return made;                                            \
    }
KEEPER(plan)
KEEPER(network)
KEEPER(schedule)

/** A function that opens a thing that is built in, or that of a file. */
#define OPENER(name, thing)                                     \
    KEEPER(thing)                                               \
    static inline rwa_##thing *name(const char *which)          \
    {                                                           \
        rwa_##thing *opened = NULL;                             \
        OK(rwa_##thing##_open(&opened, which, NULL));           \
        return keep_##thing(opened);                            \
    }
OPENER(device_named, device)

/* ---- words ---- */

enum field_type { NUMBER, LARGE, REAL, LIST, TEXT, MODEL };

static const struct {
    const char *name;
    size_t at;
    enum field_type type;
} request_fields[] = {
#define FIELD(name, member, type) {name, offsetof(struct request, member), type}
    FIELD("w", network.wavelengths, NUMBER),
    FIELD("f", network.fibers, NUMBER),
    FIELD("ports", network.ports, NUMBER),
    FIELD("tuning", network.tuning, NUMBER),
    FIELD("slot", network.slot_hz, REAL),
    FIELD("rate", network.rate_bps, REAL),
    FIELD("failed", failed, TEXT),
    FIELD("reserved", reserved, LIST),
    FIELD("links", links, LIST),
    FIELD("from", links_from, NUMBER),
    FIELD("taps", taps, NUMBER),
    FIELD("members", members, LIST),
    FIELD("root", root, NUMBER),
    FIELD("bytes", bytes, LARGE),
    FIELD("blocks", blocks, LARGE),
    FIELD("device", device, TEXT),
    FIELD("hops", options.max_hops, NUMBER),
    FIELD("drops", options.max_drops, NUMBER),
    FIELD("stripes", options.stripes, NUMBER),
    FIELD("load", options.lightpath_blocks, NUMBER),
    FIELD("group", options.group, NUMBER),
    FIELD("stages", options.stages, NUMBER),
    FIELD("splits", options.split_steps, NUMBER),
    FIELD("radix", radices, LIST),
    FIELD("last", options.last_exchange, NUMBER),
    FIELD("solver", solver, TEXT),
    FIELD("limit", options.time_limit_s, REAL),
    FIELD("model", options.cost.model, MODEL),
    FIELD("alpha", options.cost.alpha_s, REAL),
    FIELD("reconfig", options.cost.reconfig_s, REAL),
    FIELD("flit", options.cost.cycles_per_flit, REAL),
    FIELD("given", assign.wavelengths, NUMBER),
    FIELD("paths", assign.paths, NUMBER),
    FIELD("guard", assign.guard, NUMBER),
    FIELD("seconds", assign.time_limit_s, REAL),
    FIELD("random", random, LIST),
    FIELD("widths", widths, LIST),
    FIELD("pairs", pairs, TEXT),
#undef FIELD
};

/** Words that stand alone. */
static const struct {
    const char *word;
    size_t at;
    int value;
} request_words[] = {
#define WORD(word, member, value) {word, offsetof(struct request, assign.member), value}
    WORD("directed", model, RWA_DIRECTED),
    WORD("undirected", model, RWA_UNDIRECTED),
    WORD("shortest", routing, RWA_ROUTES_SHORTEST),
    WORD("min-load", routing, RWA_ROUTES_MIN_LOAD),
    WORD("most", objective, RWA_MOST_DEMANDS),
    WORD("protected", protection, RWA_PROTECTION_DEDICATED),
#undef WORD
};

static inline void read_numbers(struct numbers *list, const char *text)
{
    list->count = 0;
    for (char *end; *text; text = *end ? end + 1 : end)
        list->at[list->count++] = (uint32_t)strtoul(text, &end, 10);
}

static inline void read_field(struct request *r, const char *name, size_t length, const char *value)
{
    size_t i = 0;
    while (i < COUNT(request_fields) &&
           (strncmp(request_fields[i].name, name, length) != 0 || request_fields[i].name[length]))
        i++;
    if (i == COUNT(request_fields))
        CU_FAIL_FATAL(name);
    void *at = (char *)r + request_fields[i].at;
    switch (request_fields[i].type) {
    case NUMBER: *(uint32_t *)at = (uint32_t)strtoul(value, NULL, 10); break;
    case LARGE: *(uint64_t *)at = strtoull(value, NULL, 10); break;
    case REAL: *(double *)at = strtod(value, NULL); break;
    case LIST: read_numbers(at, value); break;
    case TEXT: strcpy(at, value); break;
    default:
        *(rwa_cost_model *)at = *value == 'p' ? RWA_COST_PAPER : *value == 'c' ? RWA_COST_CIRCUIT : RWA_COST_OVERLAP;
    }
}

static inline void read_word(struct request *r, const char *word)
{
    const char *equals = strchr(word, '=');
    if (equals) {
        read_field(r, word, (size_t)(equals - word), equals + 1);
        return;
    }
    for (size_t i = 0; i < COUNT(request_words); i++)
        if (strcmp(request_words[i].word, word) == 0) {
            *(int *)((char *)r + request_words[i].at) = request_words[i].value;
            return;
        }
    r->kind = RWA_ALL_GATHER;
    while (rwa_collective_name(r->kind) && strcmp(rwa_collective_name(r->kind), word) != 0)
        r->kind++;
    if (!rwa_collective_name(r->kind))
        CU_FAIL_FATAL(word);
}

__attribute__((format(printf, 1, 2))) static inline struct request request_of(const char *format, ...)
{
    struct request r = {.kind = RWA_ALL_GATHER, .bytes = 4096};
    char words[LINE_MOST];
    va_list values;
    rwa_network_options_init(&r.network);
    rwa_plan_options_init(&r.options);
    rwa_assignment_options_init(&r.assign);
    va_start(values, format);
    vsnprintf(r.line, sizeof r.line, format, values);
    va_end(values);
    strcpy(words, r.line);
    char *by = strstr(words, " by ");
    if (by) {
        strcpy(r.scheme, by + strlen(" by "));
        *by = '\0';
    }
    char *word = strtok(words, " ");
    strcpy(r.spec, word);
    while ((word = strtok(NULL, " ")) != NULL)
        read_word(&r, word);
    return r;
}

/* ---- networks and plans ---- */

/** Whether every pair of nodes is one hop apart: no link fails there. */
static inline bool is_one_hop(const struct request *r)
{
    return strncmp(r->spec, "star", 4) == 0 || strncmp(r->spec, "ron", 3) == 0 || strncmp(r->spec, "ocs", 3) == 0;
}

static inline void fail_links(struct request *r, const rwa_network *net)
{
    for (char *name = strtok(r->failed, ","); name; name = strtok(NULL, ",")) {
        size_t found = rwa_network_find_links(&r->links.at[r->links.count], net, name);
        CU_ASSERT_NOT_EQUAL_FATAL(found, 0);
        r->links.count += found;
    }
}

/** "0-1,1>2x3,2-0@80", see above. */
static inline rwa_network *network_of_links(const char *text, rwa_network_options o)
{
    rwa_link links[2 * NUMBERS_MOST];
    rwa_network *net = NULL;
    uint32_t nodes = 0;
    size_t count = 0;
    for (char *at = (char *)text; *at; at += *at == ',') {
        rwa_link *link = &links[count++];
        *link = (rwa_link){.from = (uint32_t)strtoul(at, &at, 10)};
        o.both_ways = *at == '-';
        link->to = (uint32_t)strtoul(at + 1, &at, 10);
        if (*at == 'x')
            link->fibers = (uint32_t)strtoul(at + 1, &at, 10);
        if (*at == '@')
            link->length_km = strtod(at + 1, &at);
        for (uint32_t end = 0; end < 2; end++)
            nodes = (end ? link->from : link->to) < nodes ? nodes : (end ? link->from : link->to) + 1;
    }
    OK(rwa_network_create_graph(&net, nodes, links, count, &o, NULL));
    return net;
}

static inline rwa_network *request_network(struct request r)
{
    rwa_network *net = NULL, *faulty = NULL;
    if (r.net)
        return (rwa_network *)r.net;
    if (strncmp(r.spec, "links:", 6) == 0)
        net = network_of_links(r.spec + 6, r.network);
    else
        OK(rwa_network_open(&net, r.spec, &r.network, NULL));
    keep_network(net);
    fail_links(&r, net);
    rwa_faults faults = {.channels = r.reserved.at,
                         .channel_count = r.reserved.count,
                         .links = r.links.at,
                         .link_count = r.links.count,
                         .links_from = r.links_from};
    if (faults.channel_count + faults.link_count > 0)
        OK(rwa_network_with_faults(&faulty, net, &faults, NULL));
    return faulty ? keep_network(faulty) : net;
}

/** The request on this network, whatever its first word. */
static inline struct request on_network(const rwa_network *net, struct request r)
{
    r.net = net;
    return r;
}

static inline rwa_collective request_collective(const struct request *r, const rwa_network *net)
{
    rwa_collective coll;
    uint32_t nodes = r->members.count > 0 ? (uint32_t)r->members.count : rwa_network_nodes(net);
    OK(rwa_collective_init(&coll, r->kind, nodes, r->root, r->bytes, r->blocks, NULL));
    return coll;
}

/** A schedule without lightpaths, among the members; `by` names its scheme. */
static inline rwa_schedule *empty_for(struct request r)
{
    const rwa_network *net = request_network(r);
    rwa_collective coll = request_collective(&r, net);
    rwa_schedule *sched = NULL;
    OK(rwa_schedule_create_among(&sched, net, &coll, r.members.count > 0 ? r.members.at : NULL,
                                 r.scheme[0] ? r.scheme : "by hand", NULL));
    return keep_schedule(sched);
}

/** The plan is kept; NULL: refused. */
static inline rwa_status request_plan(rwa_plan **out, const struct request *r, rwa_error *err)
{
    rwa_network *net = request_network(*r);
    rwa_plan_options o = r->options;
    rwa_collective coll = request_collective(r, net);
    *out = NULL;
    o.device = r->device[0] ? device_named(r->device) : NULL;
    o.scheme = r->scheme[0] ? r->scheme : NULL;
    o.solver = r->solver[0] ? r->solver : NULL;
    o.members = r->members.count > 0 ? r->members.at : NULL;
    o.radix = r->radices.at;
    o.radix_count = r->radices.count;
    rwa_status st = rwa_plan_make(out, net, &coll, &o, err);
    keep_plan(*out);
    return st;
}

/** Why no right plan is like this one; NULL: nothing is wrong with it. */
static inline const char *plan_fault(const rwa_plan *plan, const rwa_plan_options *o)
{
    const rwa_plan_report *s = rwa_plan_summary(plan);
    if (!rwa_plan_schedule(plan))
        return "no reason why there is no schedule";
    if (!s->check->ok)
        return s->check->first[0].text;
    if (s->steps < s->bound.value || s->time_s < s->time_bound_s)
        return "below its bound";
    if ((s->outcome == RWA_OPTIMAL) != (s->steps == s->bound.value))
        return "optimal is not at its bound";
    if (s->longest_hops > (o->max_hops ? o->max_hops : UINT32_MAX) || s->receivers > (o->max_drops ? o->max_drops : 1))
        return "more hops or receivers than allowed";
    return NULL;
}

/** NULL: the request has no plan, for a reason. */
static inline rwa_plan *plan_if_any(struct request r)
{
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    if (request_plan(&plan, &r, &err) == RWA_OK && !rwa_plan_schedule(plan) && rwa_plan_summary(plan)->why[0])
        return NULL;
    const char *fault = plan ? plan_fault(plan, &r.options) : err.text;
    if (fault)
        fprintf(stderr, "%s: %s\n", r.line, fault);
    CU_ASSERT_PTR_NULL_FATAL(fault);
    return plan;
}

static inline rwa_plan *plan_for(struct request r)
{
    rwa_plan *plan = plan_if_any(r);
    if (!plan)
        fprintf(stderr, "%s: no plan\n", r.line);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    return plan;
}

/** Why a request has no plan, in words until the next call; of one that cannot be: the error, behind "BADARG: ".
 *  NULL: it has one. */
static inline const char *refusal_for(struct request r)
{
    static char text[sizeof "BADARG: " + RWA_ERROR_TEXT];
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    rwa_status st = request_plan(&plan, &r, &err);
    CU_ASSERT_FATAL(st == RWA_OK ? plan != NULL : st == RWA_BADARG && !plan);
    const rwa_schedule *refused = plan ? rwa_plan_refused(plan) : NULL;
    CU_ASSERT(!refused || rwa_schedule_collective(refused)->kind == r.kind);
    snprintf(text, sizeof text, "%s%s", plan ? "" : "BADARG: ", plan ? rwa_plan_summary(plan)->why : err.text);
    return plan && rwa_plan_schedule(plan) ? NULL : text;
}

#define network_on(...) request_network(request_of(__VA_ARGS__))
#define empty_on(...) empty_for(request_of(__VA_ARGS__))
#define plan_on(...) plan_for(request_of(__VA_ARGS__))
#define plan_in(net, ...) plan_for(on_network(net, request_of("net " __VA_ARGS__)))
#define schedule_on(...) rwa_plan_schedule(plan_on(__VA_ARGS__))
#define report_on(...) rwa_plan_summary(plan_on(__VA_ARGS__))
#define steps_on(...) (report_on(__VA_ARGS__)->steps)
#define time_on(...) (report_on(__VA_ARGS__)->time_s)
#define refusal_on(...) refusal_for(request_of(__VA_ARGS__))

/** A request, and the steps of its plan. */
struct known {
    const char *line;
    uint32_t steps;
};

/** The plans take these steps; or these, which are the fewest by their bounds; or these at most. */
enum known_steps { EXACT, OPTIMAL, AT_MOST };

static inline void take_steps(const struct known *rows, size_t count, enum known_steps how)
{
    for (size_t i = 0; i < count; i++) {
        const rwa_plan_report *s = report_on("%s", rows[i].line);
        bool right = how == AT_MOST ? s->steps <= rows[i].steps
                                    : s->steps == rows[i].steps && (how == EXACT || s->outcome == RWA_OPTIMAL);
        if (!right)
            fprintf(stderr, "%s: %u steps, bound %u, expected %u\n", rows[i].line, s->steps, (unsigned)s->bound.value,
                    rows[i].steps);
        CU_ASSERT(right);
    }
}

/** A request, and how many times its bound its plan takes at most. */
struct near_bound {
    const char *line;
    double most;
};

static inline void stay_near_bound(const struct near_bound *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const rwa_plan_report *s = report_on("%s", rows[i].line);
        if (s->time_s > rows[i].most * s->time_bound_s)
            fprintf(stderr, "%s: %.4f times the bound\n", rows[i].line, s->time_s / s->time_bound_s);
        CU_ASSERT(s->time_s <= rows[i].most * s->time_bound_s);
    }
}

/** How often a schedule's lightpaths are set up in the model `circuit`. */
static inline uint32_t settings_of(const rwa_schedule *sched)
{
    rwa_cost_options o;
    double set_s = 0, free_s = 0;
    rwa_cost_options_init(&o);
    o.model = RWA_COST_CIRCUIT;
    o.reconfig_s = 0;
    OK(rwa_cost_schedule(&free_s, sched, &o, NULL));
    o.reconfig_s = 1e-3;
    OK(rwa_cost_schedule(&set_s, sched, &o, NULL));
    uint32_t settings = (uint32_t)lround((set_s - free_s) / o.reconfig_s);
    CU_ASSERT_DOUBLE_EQUAL(set_s - free_s, settings * o.reconfig_s, 1e-12 * settings);
    return settings;
}

/** The defaults of an export, with a device or without. */
static inline rwa_export_options exporting(const rwa_device *device)
{
    rwa_export_options o;
    rwa_export_options_init(&o);
    o.device = device;
    return o;
}

/** The schedule with its orbits written out. */
static inline rwa_schedule *expanded(const rwa_schedule *sched)
{
    rwa_schedule *all = NULL;
    OK(rwa_schedule_expand(&all, sched, NULL));
    return keep_schedule(all);
}

/** Record number i of a schedule. */
static inline rwa_lightpath lightpath_of(const rwa_schedule *sched, uint64_t i)
{
    rwa_lightpath lp;
    rwa_schedule_get(&lp, sched, i);
    return lp;
}

static inline rwa_lists lists_of(const rwa_schedule *sched, uint64_t i)
{
    rwa_lists lists;
    rwa_schedule_lists(&lists, sched, i);
    return lists;
}
