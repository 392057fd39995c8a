/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Seeded random settings: scheme "auto" is never slower than a scheme named instead of it, with whole blocks, with blocks in
 * stripes, with several blocks on a lightpath, with group sizes and numbers of stages, and than terms of compositions; on whole networks,
 * with failed links and reserved channels, among some of the nodes, with taps and with one block on a lightpath.  "auto" chooses among
 * these, so that a quicker one that it leaves out, prunes by a wrong estimate, or forgets to vary, shows as a ratio above 1.  Nor is it
 * slower than a collective that contains the one asked for, nor with more wavelengths, fibres, ports or hops, or a shorter message.
 * Usage: quickest_test [SETTINGS [SEED]]
 */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;
static int settings = 8;

static uint64_t any(uint64_t below)
{
    return base_random_below(&seed, below);
}

enum { NODES_MOST = 64 };
#define ROUNDING 1e-7
/** A plan as near to its bound is not worth a search. */
#define NEAR_BOUND 1e-2
/** A search prefers few blocks to such a gain. */
#define FEW_BLOCKS 2.5e-3

/** A setting: a network, a collective on it, and options with scheme "auto". */
struct setting {
    char text[400];
    const char *shape;
    rwa_network_options made;
    uint32_t channel, link;     /* reserved, and failed: 0 or 1 of each */
    size_t reserves, fails;
    uint32_t member[NODES_MOST];
    rwa_network *net;
    rwa_collective coll;
    rwa_plan_options options;
    double auto_s;
};

struct tally {
    unsigned long compared, slower, settings, missing;
    double worst;
};

/** One plan compared; missing: the one in question does not exist; ratio: its time by that of the other. */
static void count_plan(struct tally *t, bool slower, bool missing, double ratio)
{
    t->compared++;
    t->slower += slower;
    t->missing += missing;
    t->worst = ratio > t->worst ? ratio : t->worst;
}

static void print_tally(const struct tally *t, const char *found)
{
    printf(" %lu settings, %lu plans compared, %lu %s (%lu where auto has none), worst ratio %.4f ", t->settings, t->compared, t->slower,
           found, t->missing, t->worst);
}

/* ---- random settings ---- */

static const char *const shapes[] = {
    "ring:2", "ring:3", "ring:4", "ring:5", "ring:6", "ring:8", "ring:9", "ring:12", "ring:13", "ring:16", "ring:24", "ring:32",
    "line:2", "line:3", "line:5", "line:8", "line:11", "line:16", "torus:2x2", "torus:3x3", "torus:4x4", "torus:3x5", "torus:2x2x3",
    "mesh:2x3", "mesh:3x3", "mesh:4x4", "hypercube:2", "hypercube:3", "hypercube:4", "tree:2x2", "tree:2x3", "circulant:8:1,3",
    "circulant:13:1,5", "fat-tree:2", "nsfnet14-21", "abilene12-15", "star:2", "star:5", "star:8", "star:13", "ron:4", "ron:8",
    "ron:12", "ocs:4x1", "ocs:8x3", "ocs:12x2", "nobel-eu28-41", "cost239-11-26", "polska12-18", "arpanet20-32", "usnet24-43", "ring:48",
    "line:24", "line:40", "torus:5x5", "torus:4x8", "mesh:5x5", "mesh:3x8", "hypercube:5", "circulant:32:1,6", "tree:3x2", "fat-tree:4",
    "star:16", "ron:16", "ocs:8x1", "ocs:16x4"};

static bool is_one_hop(const struct setting *s)
{
    rwa_topology kind = rwa_network_topology(s->net);
    return kind == RWA_STAR || kind == RWA_RON || kind == RWA_OCS;
}

static void open_network(struct setting *s)
{
    rwa_network *faulty = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&s->net, s->shape, &s->made, NULL), RWA_OK);
    rwa_faults faults = {.channels = &s->channel, .channel_count = s->reserves, .links = &s->link, .link_count = s->fails};
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&faulty, s->net, &faults, NULL), RWA_OK);
    rwa_network_free(s->net);
    s->net = faulty;
}

static void choose_network(struct setting *s)
{
    static const uint32_t wavelengths[] = {1, 2, 3, 4, 5, 8, 12, 16, 32, 64};
    rwa_network_options *o = &s->made;
    s->shape = shapes[any(sizeof shapes / sizeof *shapes)];
    rwa_network_options_init(o);
    bool one_hop = strchr("so", s->shape[0]) || strncmp(s->shape, "ron", 3) == 0;
    o->wavelengths = wavelengths[any(sizeof wavelengths / sizeof *wavelengths)];
    o->fibers = one_hop || any(4) > 0 ? 1 : 2;
    o->ports = any(4) ? 0 : 1 + (uint32_t)any(3);
    o->tuning = s->shape[0] == 'r' && s->shape[1] == 'o' ? (uint32_t)any(3) : 0;
    open_network(s);
    snprintf(s->text, sizeof s->text, "%s -w %u --fibers %u --ports %u --tuning %u", s->shape, o->wavelengths, o->fibers, o->ports,
             o->tuning);
}

/** Where nodes are more than one hop apart: a channel that is reserved, or a link that failed. */
static void choose_faults(struct setting *s)
{
    uint32_t channels = rwa_network_channels(s->net);
    size_t used = strlen(s->text);
    s->channel = (uint32_t)any(channels);
    s->link = (uint32_t)any(rwa_network_links(s->net));
    s->reserves = channels > 1 && any(8) == 0;
    s->fails = any(8) == 0;
    rwa_network_free(s->net);
    open_network(s);
    if (s->reserves)
        used += (size_t)snprintf(s->text + used, sizeof s->text - used, " reserved channel %u", s->channel);
    if (s->fails)
        snprintf(s->text + used, sizeof s->text - used, " failed link %u", s->link);
}

/** Some of the nodes, three at least; returns how many. */
static uint32_t choose_members(struct setting *s)
{
    uint32_t nodes = rwa_network_nodes(s->net), count = 0;
    CU_ASSERT_FATAL(nodes <= NODES_MOST);
    for (uint32_t v = 0; v < nodes; v++)
        if (any(3) > 0 || count + nodes - v <= 3)
            s->member[count++] = v;
    for (uint32_t i = 0; i < count; i++) {
        size_t used = strlen(s->text);
        snprintf(s->text + used, sizeof s->text - used, "%s%u", i == 0 ? " --members " : ",", s->member[i]);
    }
    return count;
}

static void choose_collective(struct setting *s)
{
    static const uint64_t message[] = {1, 4000, 65536, 1000000, 16777216, 268435456};
    uint32_t nodes = rwa_network_nodes(s->net);
    rwa_plan_options_init(&s->options);
    if (!is_one_hop(s)) {
        choose_faults(s);
        if (nodes > 2 && any(8) == 0) {
            nodes = choose_members(s);
            s->options.members = s->member;
        }
    }
    rwa_collective_kind kind = (rwa_collective_kind)(RWA_ALL_GATHER + any(RWA_ROOTED_REDUCE));
    uint64_t bytes = message[any(sizeof message / sizeof *message)];
    uint32_t root = (uint32_t)any(nodes);
    size_t used = strlen(s->text);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&s->coll, kind, nodes, root, bytes, 0, NULL), RWA_OK);
    snprintf(s->text + used, sizeof s->text - used, " --collective %s --root %u -m %lluB", rwa_collective_name(kind), root,
             (unsigned long long)bytes);
}

static void choose_options(struct setting *s)
{
    static const char *const models[] = {"paper", "circuit", "overlap"};
    static const double alpha[] = {0, 1e-6, 5e-6}, reconfig[] = {0, 1e-6, 25e-6, 1e-3};
    rwa_plan_options *o = &s->options;
    size_t used = strlen(s->text);
    o->cost.model = (rwa_cost_model)any(3);
    o->cost.alpha_s = alpha[any(3)];
    o->cost.reconfig_s = reconfig[any(4)];
    o->max_hops = any(4) ? 0 : 1 + (uint32_t)any(5);
    o->max_drops = any(8) ? 0 : 2 + (uint32_t)any(2);
    o->lightpath_blocks = o->stripes = o->max_drops == 0 && any(8) == 0;
    snprintf(s->text + used, sizeof s->text - used, " --max-hops %u --max-drops %u --cost %s --alpha %gs --reconfig %gs --load-factor %s",
             o->max_hops, o->max_drops, models[o->cost.model], o->cost.alpha_s, o->cost.reconfig_s, o->stripes ? "1" : "auto");
}

/* ---- compare ---- */

/** The plan, for the caller to free; NULL: there is none. */
static rwa_plan *plan_of(const struct setting *s, const rwa_plan_options *o)
{
    rwa_plan *plan = NULL;
    rwa_status st = rwa_plan_make(&plan, s->net, &s->coll, o, NULL);
    CU_ASSERT(st == RWA_OK || st == RWA_BADARG);
    if (plan && rwa_plan_schedule(plan))
        return plan;
    rwa_plan_free(plan);
    return NULL;
}

/** Seconds of the plan; 0: there is none, or it has more blocks on a lightpath than "auto" may put there. */
static double time_of(const struct setting *s, const rwa_plan_options *o)
{
    rwa_plan *plan = plan_of(s, o);
    bool loaded = plan && s->options.lightpath_blocks > 0 && rwa_schedule_lightpath_blocks(rwa_plan_schedule(plan)) > 1;
    double seconds = plan && !loaded ? rwa_plan_summary(plan)->time_s : 0;
    rwa_plan_free(plan);
    return seconds;
}

/** One plan with options named, which may be so much quicker. */
static void compare_with(struct tally *t, const struct setting *s, const rwa_plan_options *o, double most)
{
    double seconds = time_of(s, o);
    if (seconds == 0)
        return;
    double ratio = s->auto_s / seconds;
    bool slower = s->auto_s == 0 || ratio > 1 + most;
    count_plan(t, slower, s->auto_s == 0, ratio);
    if (slower)
        fprintf(stderr, "%.4f %s: --scheme %s stripes %u blocks %u group %u stages %u\n", ratio, s->text, o->scheme, o->stripes,
                o->lightpath_blocks, o->group, o->stages);
    CU_ASSERT_FALSE(slower);
}

/** The blocks of a lightpath; with a load factor "auto" leaves such schemes out. */
static bool chooses_blocks(const char *scheme)
{
    static const char *const such[] = {"compose", "standing", "logical-topology", "pipelined-trees"};
    for (size_t i = 0; i < sizeof such / sizeof *such; i++)
        if (strcmp(scheme, such[i]) == 0)
            return true;
    return false;
}

static void compare_scheme(struct tally *t, const struct setting *s, const char *scheme)
{
    rwa_plan_options o = s->options;
    o.scheme = scheme;
    if (o.lightpath_blocks > 0 && chooses_blocks(scheme))
        return;
    compare_with(t, s, &o, NEAR_BOUND);
    if (o.lightpath_blocks > 0 || o.max_drops > 1)
        return;
    for (o.stripes = 2; o.stripes <= rwa_network_channels(s->net) && o.stripes <= 64; o.stripes *= 2)
        compare_with(t, s, &o, NEAR_BOUND);
    o.stripes = 0;
    for (o.lightpath_blocks = 2; o.lightpath_blocks <= 4; o.lightpath_blocks += 2)
        compare_with(t, s, &o, FEW_BLOCKS);
    o.lightpath_blocks = 0;
    for (int i = 0; i < 3; i++) {
        o.group = 2 + (uint32_t)any(s->coll.nodes);
        compare_with(t, s, &o, NEAR_BOUND);
    }
    o.group = 0;
    for (o.stages = 1; o.stages <= 3; o.stages++)
        compare_with(t, s, &o, NEAR_BOUND);
}

/** Terms that a search might miss; most fit only some collectives and networks. */
static void compare_terms(struct tally *t, const struct setting *s)
{
    static const char *const terms[] = {
        "compose:direct", "compose:steps(2)", "compose:steps(3)", "compose:steps(4)", "compose:leaders(2,direct)",
        "compose:leaders(4,direct)", "compose:positions(2,direct,direct)", "compose:positions(4,direct,direct)",
        "compose:rotated:positions(4,direct,direct)", "compose:sums(direct)",
        "compose:tree(4,2)", "compose:tree(2,2,2)", "compose:tree(4)+positions(4,direct,direct)",
        "compose:leaders(2,leaders(2,direct))",
        "compose:positions(8,direct,positions(4,direct,positions(2,direct,direct)))", "matchings:digits(8)", "matchings:digits(2,4)",
        "matchings:digits(4,4)", "matchings:windows(2,2,2)", "matchings:windows(chain 8)", "matchings:windows(3,3)",
        "matchings:sums(2,2,2)", "matchings:windows(2,2)+sums(2)", "matchings:circles", "matchings:copies",
        "matchings:trees(8)", "matchings:flow(4)", "matchings:tree"};
    rwa_plan_options o = s->options;
    for (size_t i = 0; i < sizeof terms / sizeof *terms && o.max_drops <= 1; i++) {
        o.scheme = terms[i];
        if (o.lightpath_blocks > 0 && terms[i][0] == 'c')
            continue;
        compare_with(t, s, &o, FEW_BLOCKS);
    }
}

static void compare_setting(struct tally *t)
{
    struct setting s = {.net = NULL};
    choose_network(&s);
    choose_collective(&s);
    choose_options(&s);
    s.options.scheme = "auto";
    rwa_plan *quickest = plan_of(&s, &s.options);
    s.auto_s = quickest ? rwa_plan_summary(quickest)->time_s : 0;
    rwa_plan_free(quickest);
    t->settings++;
    for (size_t i = 0; rwa_scheme_name(i); i++)
        if (rwa_scheme_fits(i, s.net, s.coll.kind))
            compare_scheme(t, &s, rwa_scheme_name(i));
    compare_terms(t, &s);
    rwa_network_free(s.net);
}

static void auto_is_never_slower_than_a_named_scheme(void)
{
    struct tally t = {0};
    for (int i = 0; i < settings; i++)
        compare_setting(&t);
    print_tally(&t, "quicker");
    CU_ASSERT(t.compared > t.settings);
}

/* ---- a collective that contains another ---- */

/** The outer collective moves all that the inner one has to. */
static const struct containment {
    rwa_collective_kind inner, outer;
    bool together;              /* the message of the outer one is as much as all nodes have in the inner one */
} containments[] = {
    {RWA_REDUCE_SCATTER, RWA_ALL_REDUCE, false}, {RWA_ROOTED_REDUCE, RWA_ALL_REDUCE, false},
    {RWA_ROOTED_REDUCE, RWA_REDUCE_SCATTER, true}, {RWA_BROADCAST, RWA_ALL_REDUCE, false},
    {RWA_BROADCAST, RWA_ALL_GATHER, false}, {RWA_GATHER, RWA_ALL_GATHER, false}, {RWA_ALL_GATHER, RWA_ALL_REDUCE, true},
    {RWA_SCATTER, RWA_BROADCAST, true}, {RWA_SCATTER, RWA_REDUCE_SCATTER, true},
    {RWA_GATHER, RWA_ROOTED_REDUCE, true}, {RWA_SCATTER, RWA_ALL_TO_ALL, true},
    {RWA_GATHER, RWA_ALL_TO_ALL, true}, {RWA_ALL_GATHER, RWA_ALL_TO_ALL, true}};

static bool has_root(rwa_collective_kind kind)
{
    return kind == RWA_BROADCAST || kind == RWA_ROOTED_REDUCE || kind == RWA_SCATTER || kind == RWA_GATHER;
}

/** The larger collective may set lightpaths up at once that here have nothing to send yet: a broadcast takes a setting for each time
 *  that nodes without the message are informed (docs/reference/bounds.md, "Time").  Then each step may take one, but not more.
 *  Blocks are whole bytes, and may be rounded up; so may the parts into which the inner collective cuts them. */
static double allowed_s(const struct setting *s, const rwa_plan *outer)
{
    const rwa_plan_report *sum = rwa_plan_summary(outer);
    const rwa_cost_options *cost = &s->options.cost;
    bool may_wait = cost->model == RWA_COST_CIRCUIT || (cost->model == RWA_COST_OVERLAP && rwa_network_ports(s->net) > 0);
    const rwa_collective *cut = rwa_schedule_collective(rwa_plan_schedule(outer));
    bool parts = cut->blocks % cut->nodes != 0;
    double rounding = 1e-7 + 8.0 * (double)s->coll.nodes / (double)s->coll.message_bytes +
                      (parts ? (double)cut->nodes / (double)cut->block_bytes : 0);
    return sum->time_s * (1 + rounding) + (may_wait && has_root(s->coll.kind) ? (sum->steps - 1) * cost->reconfig_s : 0);
}

/** No part of larger plans is taken. */
enum { RESTRICTED_MOST = 1 << 18 };

static void compare_outer(struct tally *t, struct setting *s, const rwa_plan *plan, const struct containment *c)
{
    const rwa_collective inner = s->coll;
    uint64_t bytes = inner.message_bytes * (c->together ? inner.nodes : 1);
    uint32_t root = has_root(c->outer) ? inner.root : 0;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&s->coll, c->outer, inner.nodes, root, bytes, 0, NULL), RWA_OK);
    rwa_plan *outer = plan_of(s, &s->options);
    s->coll = inner;
    if (!outer || rwa_schedule_lightpaths(rwa_plan_schedule(outer)) > RESTRICTED_MOST) {
        rwa_plan_free(outer);
        return;
    }
    double outer_s = rwa_plan_summary(outer)->time_s;
    bool slower = !plan || s->auto_s > allowed_s(s, outer);
    count_plan(t, slower, !plan, s->auto_s / outer_s);
    if (slower)
        fprintf(stderr, "%.4f %s: %s takes %.9g s, not %.9g\n", s->auto_s / outer_s, s->text, rwa_collective_name(c->outer), outer_s,
                s->auto_s);
    CU_ASSERT_FALSE(slower);
    rwa_plan_free(outer);
}

static void auto_is_never_slower_than_what_contains_the_collective(void)
{
    struct tally t = {0};
    for (int i = 0; i < 2 * settings; i++) {
        struct setting s = {.net = NULL};
        choose_network(&s);
        choose_collective(&s);
        choose_options(&s);
        s.options.max_drops = s.options.stripes = s.options.lightpath_blocks = 0;
        rwa_plan *plan = plan_of(&s, &s.options);
        s.auto_s = plan ? rwa_plan_summary(plan)->time_s : 0;
        t.settings++;
        for (size_t k = 0; k < sizeof containments / sizeof *containments; k++)
            if (containments[k].inner == s.coll.kind)
                compare_outer(&t, &s, plan, &containments[k]);
        rwa_plan_free(plan);
        rwa_network_free(s.net);
    }
    print_tally(&t, "quicker");
    CU_ASSERT(t.compared > t.settings / 2);
}

/* ---- more of everything ---- */

/** A setting with more of one thing, or a shorter message; false: it has all that it can have. */
static bool extend(struct setting *more, uint64_t what)
{
    rwa_network_options *o = &more->made;
    const rwa_collective *coll = &more->coll;
    switch (what) {
    case 0: o->wavelengths += more->reserves ? 0 : 1 + (uint32_t)any(o->wavelengths); return !more->reserves;
    case 1: o->fibers += !is_one_hop(more); return !is_one_hop(more);
    case 2: return o->ports > 0 && (o->ports = o->ports < 3 ? o->ports + 1 : 0, true);
    case 3: return more->options.max_hops > 0 && (more->options.max_hops = (more->options.max_hops + 1) % 6, true);
    case 4: return o->tuning > 0 && (o->tuning--, true);
    default:
        return coll->message_bytes > 1 && rwa_collective_init(&more->coll, coll->kind, coll->nodes, coll->root,
                                                              1 + any(coll->message_bytes - 1), 0, NULL) == RWA_OK;
    }
}

/** Blocks are whole bytes. */
static double rounded_s(const struct setting *s)
{
    return s->auto_s * (1 + 1e-7 + 8.0 * (double)s->coll.nodes / (double)s->coll.message_bytes);
}

static void compare_extended(struct tally *t, const struct setting *s, uint64_t what)
{
    static const char *const name[] = {"wavelengths", "fibers", "ports", "max_hops", "tuning", "message"};
    struct setting more = *s;
    if (s->auto_s == 0 || !extend(&more, what))
        return;
    open_network(&more);
    double seconds = time_of(&more, &more.options);
    bool slower = seconds == 0 || seconds > rounded_s(s);
    count_plan(t, slower, seconds == 0, seconds / s->auto_s);
    if (slower)
        fprintf(stderr, "%.4f %s: %s -w %u --fibers %u --ports %u --tuning %u --max-hops %u -m %lluB\n",
                seconds / s->auto_s, s->text, name[what], more.made.wavelengths, more.made.fibers, more.made.ports, more.made.tuning,
                more.options.max_hops, (unsigned long long)more.coll.message_bytes);
    CU_ASSERT(seconds > 0);
    rwa_network_free(more.net);
}

/** A plan of the smaller setting carries out the larger one too.  Searches that break ties by chance may miss it, so that a few settings
 *  take a little longer. */
static void auto_is_never_slower_with_more_of_anything(void)
{
    struct tally t = {0};
    for (int i = 0; i < 2 * settings; i++) {
        struct setting s = {.net = NULL};
        choose_network(&s);
        choose_collective(&s);
        choose_options(&s);
        s.auto_s = time_of(&s, &s.options);
        t.settings++;
        for (uint64_t what = 0; what <= 5; what++)
            compare_extended(&t, &s, what);
        rwa_network_free(s.net);
    }
    print_tally(&t, "slower");
    CU_ASSERT(t.compared > t.settings);
    CU_ASSERT(t.slower <= 1 + t.compared / 50);
    CU_ASSERT(t.worst < 1.25);
}

/* ---- a seed ---- */

/** Seconds; *block_bytes: into which the plan cuts the message. */
static double circuit_time(const rwa_network *net, const char *scheme, rwa_collective_kind kind, uint64_t bytes, uint64_t *block_bytes)
{
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    rwa_plan_options_init(&o);
    o.scheme = scheme;
    o.cost.model = RWA_COST_CIRCUIT;
    o.cost.alpha_s = 1e-6;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, bytes, scheme ? 1 : 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
    double seconds = rwa_plan_summary(plan)->time_s;
    *block_bytes = rwa_schedule_collective(rwa_plan_schedule(plan))->block_bytes;
    rwa_plan_free(plan);
    return seconds;
}

/** Once a broadcast of one block has reached all nodes, each can keep the lightpaths of an all-reduce up from its first step on: a
 *  broadcast of all blocks takes no longer than both, one after the other.  Rings and lines come first. */
static void a_broadcast_takes_no_longer_than_a_seed_and_an_all_reduce(void)
{
    static const char *const nets[] = {"ring:8", "ring:16", "line:8", "line:16", "torus:4x4", "mesh:4x4", "hypercube:4",
                                       "circulant:16:1,4"};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
        for (uint32_t w = 1; w <= 4; w *= 2) {
            rwa_network *net = NULL;
            rwa_network_options no;
            uint64_t bytes, any_bytes;
            rwa_network_options_init(&no);
            no.wavelengths = w;
            CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, nets[i], &no, NULL), RWA_OK);
            double outer_s = circuit_time(net, NULL, RWA_ALL_REDUCE, 1000000, &bytes);
            double seed_s = circuit_time(net, i < 4 ? "tree" : "nearest", RWA_BROADCAST, bytes, &any_bytes);
            double seconds = circuit_time(net, NULL, RWA_BROADCAST, 1000000, &any_bytes);
            CU_ASSERT(seconds <= (outer_s + seed_s) * (1 + 1e-4));
            if (seconds > (outer_s + seed_s) * (1 + 1e-4))
                fprintf(stderr, "%s -w %u: %g s, not %g + %g\n", nets[i], w, seconds, outer_s, seed_s);
            rwa_network_free(net);
        }
}

/** With few ports and long settings both go through one node: the sums are the all-reduce's, and what follows is less. */
static void a_reduce_scatter_takes_no_longer_than_the_all_reduce(void)
{
    rwa_network *net = NULL;
    rwa_network_options o;
    double seconds[2];
    rwa_network_options_init(&o);
    o.wavelengths = 3;
    o.ports = 3;
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, "tree:2x3", &o, NULL), RWA_OK);
    for (int i = 0; i < 2; i++) {
        struct setting s = {.net = net};
        rwa_plan_options_init(&s.options);
        s.options.max_hops = 3;
        s.options.cost.model = RWA_COST_OVERLAP;
        s.options.cost.alpha_s = 5e-6;
        s.options.cost.reconfig_s = 1e-3;
        CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&s.coll, i ? RWA_ALL_REDUCE : RWA_REDUCE_SCATTER, 15, 0, 65536, 0, NULL), RWA_OK);
        seconds[i] = time_of(&s, &s.options);
    }
    CU_ASSERT(seconds[0] > 0);
    CU_ASSERT(seconds[0] <= seconds[1]);
    rwa_network_free(net);
}

/** The network of the setting, with its failed links, and options that limit nothing. */
static void open_plainly(struct setting *s, uint32_t wavelengths)
{
    rwa_network_options_init(&s->made);
    s->made.wavelengths = wavelengths;
    open_network(s);
    rwa_plan_options_init(&s->options);
}

/** On nodes that are not alike both go over one tree; where links failed these are two. */
static void an_all_reduce_takes_no_longer_than_a_reduce_and_a_broadcast(void)
{
    static const struct {
        const char *shape;
        uint32_t wavelengths, max_hops;
        size_t failed;
    } nets[] = {{"nobel-eu28-41", 8, 0, 0}, {"line:33", 4, 0, 0}, {"mesh:3x8", 2, 2, 1}, {"abilene12-15", 4, 2, 1}};
    static const rwa_collective_kind kinds[] = {RWA_ALL_REDUCE, RWA_ROOTED_REDUCE, RWA_BROADCAST};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        struct setting s = {.shape = nets[i].shape, .link = 3, .fails = nets[i].failed};
        double seconds[3];
        open_plainly(&s, nets[i].wavelengths);
        s.options.max_hops = nets[i].max_hops;
        for (int k = 0; k < 3; k++) {
            CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&s.coll, kinds[k], rwa_network_nodes(s.net), 0, 4000, 0, NULL), RWA_OK);
            seconds[k] = time_of(&s, &s.options);
            CU_ASSERT(seconds[k] > 0);
        }
        CU_ASSERT(seconds[0] <= (seconds[1] + seconds[2]) * (1 + NEAR_BOUND));
        if (seconds[0] > (seconds[1] + seconds[2]) * (1 + NEAR_BOUND))
            fprintf(stderr, "%s: %g s, not %g + %g\n", s.shape, seconds[0], seconds[1], seconds[2]);
        rwa_network_free(s.net);
    }
}

/** A first try of the broadcast that comes to more steps than the scatter has is followed by others; around failed links of 64 nodes
 *  parts are planned where plans are far from the bound. */
static void what_one_node_has_of_each_takes_no_longer_than_as_many_bytes_for_all(void)
{
    static const struct {
        const char *shape;
        uint32_t wavelengths;
        size_t failed;
        rwa_cost_model model;
        rwa_collective_kind inner, outer;
    } cases[] = {{"polska12-18", 1, 0, RWA_COST_PAPER, RWA_SCATTER, RWA_BROADCAST},
                 {"nobel-eu28-41", 2, 0, RWA_COST_PAPER, RWA_GATHER, RWA_ROOTED_REDUCE},
                 {"ring:64", 1, 1, RWA_COST_CIRCUIT, RWA_GATHER, RWA_ROOTED_REDUCE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct setting s = {.shape = cases[i].shape, .link = 5, .fails = cases[i].failed};
        double seconds[2];
        open_plainly(&s, cases[i].wavelengths);
        s.options.cost.model = cases[i].model;
        for (int k = 0; k < 2; k++) {
            uint32_t nodes = rwa_network_nodes(s.net);
            CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&s.coll, k ? cases[i].outer : cases[i].inner, nodes, 0, k ? 512 * nodes : 512, 0,
                                                      NULL), RWA_OK);
            seconds[k] = time_of(&s, &s.options);
        }
        CU_ASSERT(seconds[0] > 0);
        CU_ASSERT(seconds[0] <= seconds[1]);
        rwa_network_free(s.net);
    }
}

/** A step of a larger collective of which nothing is left may be one in which ports rest: it stays between others. */
static void a_part_leaves_ports_time_to_tune(void)
{
    for (uint32_t tuning = 1; tuning <= 3; tuning++)
        for (uint32_t root = 0; root < 8; root += 3) {
            struct setting s = {.net = NULL};
            rwa_network_options o;
            rwa_network_options_init(&o);
            o.wavelengths = 6;
            o.ports = 1;
            o.tuning = tuning;
            rwa_plan_options_init(&s.options);
            s.options.cost.model = RWA_COST_OVERLAP;
            CU_ASSERT_EQUAL_FATAL(rwa_network_open(&s.net, "ron:8", &o, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&s.coll, RWA_SCATTER, 8, root, 97347, 0, NULL), RWA_OK);
            rwa_plan *plan = plan_of(&s, &s.options); /* it passed the checker, or is none */
            CU_ASSERT_PTR_NOT_NULL(plan);
            rwa_plan_free(plan);
            rwa_network_free(s.net);
        }
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(auto_is_never_slower_than_a_named_scheme),
                                        TEST(auto_is_never_slower_than_what_contains_the_collective),
                                        TEST(auto_is_never_slower_with_more_of_anything),
                                        TEST(a_broadcast_takes_no_longer_than_a_seed_and_an_all_reduce),
                                        TEST(a_reduce_scatter_takes_no_longer_than_the_all_reduce),
                                        TEST(an_all_reduce_takes_no_longer_than_a_reduce_and_a_broadcast),
                                        TEST(what_one_node_has_of_each_takes_no_longer_than_as_many_bytes_for_all),
                                        TEST(a_part_leaves_ports_time_to_tune), {0}};
    settings = argc > 1 ? atoi(argv[1]) : settings;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : seed;
    return run_tests("quickest", tests);
}
