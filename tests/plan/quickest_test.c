/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Seeded random settings: scheme "auto" is never slower than a scheme named instead of it, with whole blocks, with
 * blocks in stripes, with several blocks on a lightpath, with group sizes and numbers of stages, and than terms of
 * compositions; on whole networks, with failed links and reserved channels, among some of the nodes, with taps and with
 * one block on a lightpath.  "auto" chooses among these, so that a quicker one that it leaves out, prunes by a wrong
 * estimate, or forgets to vary, shows as a ratio above 1.  Nor is it slower than a collective that contains the one
 * asked for, nor with more wavelengths, fibres, ports or hops, or a shorter message. Usage: quickest_test [SETTINGS
 * [SEED]]
 */
#include "tests/support/random.h"
#include "tests/support/suite.h"

static int settings = 8;

/** A plan as near to its bound is not worth a search. */
#define NEAR_BOUND 1e-2
/** A search prefers few blocks to such a gain. */
#define FEW_BLOCKS 2.5e-3

struct tally {
    unsigned long compared, slower, settings, missing;
    double worst;
};

/** A plan that takes `ratio` times as long as it should at most; NAN: there is none. */
static void count_plan(struct tally *t, double ratio, double most, const char *line, const char *than)
{
    bool slower = !(ratio <= most);
    t->compared++;
    t->slower += slower;
    t->missing += isnan(ratio) != 0;
    t->worst = fmax(ratio, t->worst);
    if (slower)
        fprintf(stderr, "%.4f %s: %s\n", ratio, line, than);
}

static void print_tally(const struct tally *t, const char *found)
{
    printf(" %lu settings, %lu plans compared, %lu %s (%lu where auto has none), worst ratio %.4f ", t->settings,
           t->compared, t->slower, found, t->missing, t->worst);
}

/* ---- random settings ---- */

static const char *const shapes[] = {
    "ring:2", "ring:3", "ring:4", "ring:5", "ring:6", "ring:8", "ring:9", "ring:12", "ring:13", "ring:16", "ring:24",
    "ring:32", "line:2", "line:3", "line:5", "line:8", "line:11", "line:16", "torus:2x2", "torus:3x3", "torus:4x4",
    "torus:3x5", "torus:2x2x3", "mesh:2x3", "mesh:3x3", "mesh:4x4", "hypercube:2", "hypercube:3", "hypercube:4",
    "tree:2x2", "tree:2x3", "circulant:8:1,3", "circulant:13:1,5", "fat-tree:2", "nsfnet14-21", "abilene12-15",
    "star:2", "star:5", "star:8", "star:13", "ron:4", "ron:8", "ron:12", "ocs:4x1", "ocs:8x3", "ocs:12x2",
    "nobel-eu28-41", "cost239-11-26", "polska12-18", "arpanet20-32", "usnet24-43", "ring:48", "line:24", "line:40",
    "torus:5x5", "torus:4x8", "mesh:5x5", "mesh:3x8", "hypercube:5", "circulant:32:1,6", "tree:3x2", "fat-tree:4",
    "star:16", "ron:16", "ocs:8x1", "ocs:16x4"};

/** Where nodes are more than one hop apart: a channel that is reserved, a link that failed, some of the nodes. */
static void add_faults(struct request *r)
{
    const rwa_network *net = request_network(*r);
    uint32_t nodes = rwa_network_nodes(net), channels = rwa_network_channels(net);
    r->reserved.at[0] = any(channels);
    r->reserved.count = channels > 1 && any(8) == 0;
    r->links.at[0] = any(rwa_network_links(net));
    r->links.count = any(8) == 0;
    for (uint32_t v = 0, some = nodes > 2 && any(8) == 0; v < nodes && some; v++)
        if (any(3) > 0 || r->members.count + nodes - v <= 3)
            r->members.at[r->members.count++] = v;
}

/** Its line says all of it. */
static struct request random_request(void)
{
    static const uint32_t wavelengths[] = {
        1, 2, 3, 4, 5, 8, 12, 16, 32, 64}, bytes[] = {1, 4000, 65536, 1000000, 16777216, 268435456};
    static const char *const models[] = {
        "paper", "circuit", "overlap"}, *const alpha[] = {"0", "1e-6", "5e-6"}, *const reconfig[] = {"0", "1e-6",
        "25e-6", "1e-3"};
    const char *shape = shapes[any(COUNT(shapes))];
    bool one_hop = strchr("so", *shape) || strncmp(shape, "ron", 3) == 0;
    struct request r =
        request_of("%s w=%u f=%u ports=%u tuning=%u bytes=%u model=%s alpha=%s reconfig=%s hops=%u drops=%u load=%u %s",
                   shape, wavelengths[any(COUNT(wavelengths))], one_hop || any(4) > 0 ? 1 : 2, any(4) ? 0 : 1 + any(3),
                   strncmp(shape, "ron", 3) == 0 ? any(3) : 0, bytes[any(COUNT(bytes))], models[any(3)], alpha[any(3)],
                   reconfig[any(4)], any(4) ? 0 : 1 + any(5), any(8) ? 0 : 2 + any(2), any(8) == 0,
                   rwa_collective_name(RWA_ALL_GATHER + any(RWA_ROOTED_REDUCE)));
    if (!one_hop)
        add_faults(&r);
    r.root = rwa_collective_has_root(r.kind) ? any(places_of(&r)) : 0;
    r.options.lightpath_blocks = r.options.stripes = r.options.max_drops == 0 && r.options.lightpath_blocks > 0;
    char *end = r.line + strlen(r.line);
    end += sprintf(end, " root=%u stripes=%u", r.root, r.options.stripes);
    for (size_t i = 0; i < r.reserved.count + r.links.count; i++)
        end += sprintf(end, i < r.reserved.count ? " reserved=%u" : " links=%u",
                       i < r.reserved.count ? *r.reserved.at : *r.links.at);
    for (size_t i = 0; i < r.members.count; i++)
        end += sprintf(end, "%s%u", i ? "," : " members=", r.members.at[i]);
    return r;
}

/* ---- compare ---- */

/** NULL: there is none, or it has more blocks on a lightpath than asked for. */
static rwa_plan *plan_of(const struct request *r)
{
    rwa_plan *plan = NULL;
    rwa_status st = request_plan(&plan, r, NULL);
    CU_ASSERT(st == RWA_OK || st == RWA_BADARG);
    if (!plan || !rwa_plan_schedule(plan))
        return NULL;
    CU_ASSERT_PTR_NULL(plan_fault(plan, &r->options));
    bool loaded = r->options.lightpath_blocks == 1 && rwa_schedule_lightpath_blocks(rwa_plan_schedule(plan)) > 1;
    return loaded ? NULL : plan;
}

/** NAN: there is none. */
static double time_of(const struct request *r)
{
    const rwa_plan *plan = plan_of(r);
    return plan ? rwa_plan_summary(plan)->time_s : NAN;
}

/** One plan with options named, which may be so much quicker. */
static void compare_with(struct tally *t, const struct request *r, double auto_s, double most)
{
    char than[2 * LINE_MOST];
    double seconds = time_of(r);
    if (isnan(seconds))
        return;
    snprintf(than, sizeof than, "by %s stripes=%u load=%u group=%u stages=%u", r->scheme, r->options.stripes,
             r->options.lightpath_blocks, r->options.group, r->options.stages);
    count_plan(t, auto_s / seconds, 1 + most, r->line, than);
}

/** The blocks of a lightpath; with a load factor "auto" leaves such schemes out. */
static bool chooses_blocks(const char *scheme)
{
    return strstr("compose,standing,logical-topology,pipelined-trees", scheme) != NULL;
}

static void compare_scheme(struct tally *t, struct request r, double auto_s)
{
    rwa_plan_options *o = &r.options;
    if (o->lightpath_blocks > 0 && chooses_blocks(r.scheme))
        return;
    compare_with(t, &r, auto_s, NEAR_BOUND);
    if (o->lightpath_blocks > 0 || o->max_drops > 1)
        return;
    for (o->stripes = 2; o->stripes <= rwa_network_channels(request_network(r)) && o->stripes <= 64; o->stripes *= 2)
        compare_with(t, &r, auto_s, NEAR_BOUND);
    o->stripes = 0;
    for (o->lightpath_blocks = 2; o->lightpath_blocks <= 4; o->lightpath_blocks += 2)
        compare_with(t, &r, auto_s, FEW_BLOCKS);
    o->lightpath_blocks = 0;
    for (int i = 0; i < 3; i++) {
        o->group = 2 + any(rwa_network_nodes(request_network(r)));
        compare_with(t, &r, auto_s, NEAR_BOUND);
    }
    o->group = 0;
    for (o->stages = 1; o->stages <= 3; o->stages++)
        compare_with(t, &r, auto_s, NEAR_BOUND);
}

/** Terms that a search might miss; most fit only some collectives and networks. */
static void compare_terms(struct tally *t, const struct request *r, double auto_s)
{
    static const char *const terms[] = {
        "compose:direct", "compose:steps(2)", "compose:steps(3)", "compose:steps(4)", "compose:leaders(2,direct)",
        "compose:leaders(4,direct)", "compose:positions(2,direct,direct)", "compose:positions(4,direct,direct)",
        "compose:rotated:positions(4,direct,direct)", "compose:sums(direct)", "compose:tree(4,2)",
        "compose:tree(2,2,2)", "compose:tree(4)+positions(4,direct,direct)", "compose:leaders(2,leaders(2,direct))",
        "compose:positions(8,direct,positions(4,direct,positions(2,direct,direct)))", "matchings:digits(8)",
        "matchings:digits(2,4)", "matchings:digits(4,4)", "matchings:windows(2,2,2)", "matchings:windows(chain 8)",
        "matchings:windows(3,3)", "matchings:sums(2,2,2)", "matchings:windows(2,2)+sums(2)", "matchings:circles",
        "matchings:copies", "matchings:trees(8)", "matchings:flow(4)", "matchings:tree"};
    struct request named = *r;
    for (size_t i = 0; i < COUNT(terms) && r->options.max_drops <= 1; i++) {
        strcpy(named.scheme, terms[i]);
        if (r->options.lightpath_blocks == 0 || terms[i][0] != 'c')
            compare_with(t, &named, auto_s, FEW_BLOCKS);
    }
}

static void auto_is_never_slower_than_a_named_scheme(void)
{
    struct tally t = {.settings = (unsigned long)settings};
    for (int i = 0; i < settings; i++) {
        struct request r = random_request(), named = r;
        double auto_s = time_of(&r);
        for (size_t k = 0; rwa_scheme_name(k); k++)
            if (rwa_scheme_fits(k, request_network(r), r.kind)) {
                strcpy(named.scheme, rwa_scheme_name(k));
                compare_scheme(&t, named, auto_s);
            }
        compare_terms(&t, &r, auto_s);
    }
    print_tally(&t, "quicker");
    CU_ASSERT(t.compared > t.settings);
    CU_ASSERT_EQUAL(t.slower, 0);
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

/** The larger collective may set lightpaths up at once that here have nothing to send yet: a broadcast takes a setting
 * for each time that nodes without the message are informed (docs/reference/bounds.md, "Time").  Then each step may
 * take one, but not more. Blocks are whole bytes, and may be rounded up; so may the parts into which the inner
 * collective cuts them. */
static double allowed_s(const struct request *r, const rwa_plan *outer)
{
    const rwa_plan_report *sum = rwa_plan_summary(outer);
    const rwa_cost_options *cost = &r->options.cost;
    bool may_wait = cost->model == RWA_COST_CIRCUIT || (cost->model == RWA_COST_OVERLAP && r->network.ports > 0);
    const rwa_collective *cut = rwa_schedule_collective(rwa_plan_schedule(outer));
    bool parts = cut->blocks % cut->nodes != 0;
    double rounding =
        1e-7 + 8.0 * cut->nodes / (double)r->bytes + (parts ? (double)cut->nodes / (double)cut->block_bytes : 0);
    return sum->time_s * (1 + rounding) +
           (may_wait && rwa_collective_has_root(r->kind) ? (sum->steps - 1) * cost->reconfig_s : 0);
}

/** No part of larger plans is taken. */
enum { RESTRICTED_MOST = 1 << 18 };

static void compare_outer(struct tally *t, const struct request *r, double auto_s, const struct containment *c)
{
    struct request larger = *r;
    larger.kind = c->outer;
    larger.bytes *= c->together ? places_of(r) : 1;
    larger.root = rwa_collective_has_root(c->outer) ? r->root : 0;
    const rwa_plan *outer = plan_of(&larger);
    if (outer && rwa_schedule_lightpaths(rwa_plan_schedule(outer)) <= RESTRICTED_MOST)
        count_plan(t, auto_s / allowed_s(r, outer), 1, r->line, rwa_collective_name(c->outer));
}

static void auto_is_never_slower_than_what_contains_the_collective(void)
{
    struct tally t = {.settings = 2 * (unsigned long)settings};
    for (int i = 0; i < 2 * settings; i++) {
        struct request r = random_request();
        r.options.max_drops = r.options.stripes = r.options.lightpath_blocks = 0;
        double auto_s = time_of(&r);
        for (size_t k = 0; k < COUNT(containments); k++)
            if (containments[k].inner == r.kind)
                compare_outer(&t, &r, auto_s, &containments[k]);
    }
    print_tally(&t, "quicker");
    CU_ASSERT(t.compared > t.settings / 2);
    CU_ASSERT_EQUAL(t.slower, 0);
}

/* ---- more of everything ---- */

/** A request with more of one thing, or a shorter message; false: it has all that it can have. */
static bool extend(struct request *r, int what)
{
    rwa_network_options *o = &r->network;
    uint32_t *most = what == 3 ? &r->options.max_hops : &o->ports;
    switch (what) {
    case 0: o->wavelengths += 1 + any(o->wavelengths); return r->reserved.count == 0;
    case 1: o->fibers++; return !is_one_hop(r);
    case 2:
    case 3: return *most > 0 && (*most = (*most + 1) % (what == 3 ? 6 : 4), true);
    case 4: return o->tuning > 0 && (o->tuning--, true);
    default: return r->bytes > 1 && (r->bytes = 1 + any((uint32_t)r->bytes - 1), true);
    }
}

/** A plan of the smaller setting carries out the larger one too, but for blocks of whole bytes.  Searches that break
 * ties by chance may miss it, so that a few settings take a little longer. */
static void auto_is_never_slower_with_more_of_anything(void)
{
    static const char *const more[] = {"wavelengths", "fibers", "ports", "max_hops", "tuning", "message"};
    struct tally t = {.settings = 2 * (unsigned long)settings};
    for (int i = 0; i < 2 * settings; i++) {
        struct request r = random_request();
        double seconds = time_of(&r), rounding = 1e-7 + 8.0 * rwa_network_nodes(request_network(r)) / (double)r.bytes;
        for (int what = 0; what < (int)COUNT(more); what++) {
            struct request larger = r;
            if (!isnan(seconds) && extend(&larger, what))
                count_plan(&t, time_of(&larger) / (seconds * (1 + rounding)), 1, r.line, more[what]);
        }
    }
    print_tally(&t, "slower");
    CU_ASSERT(t.compared > t.settings && t.missing == 0);
    CU_ASSERT(t.slower <= 1 + t.compared / 50 && t.worst < 1.25);
}

/* ---- known relations ---- */

/** Once a broadcast of one block has reached all nodes, each can keep the lightpaths of an all-reduce up from its first
 * step on: a broadcast of all blocks takes no longer than both, one after the other.  Rings and lines come first. */
static void a_broadcast_takes_no_longer_than_a_first_block_and_an_all_reduce(void)
{
    static const char *const nets[] = {
        "ring:8", "ring:16", "line:8", "line:16", "torus:4x4", "mesh:4x4", "hypercube:4", "circulant:16:1,4"};
    for (size_t i = 0; i < COUNT(nets); i++)
        for (uint32_t w = 1; w <= 4; w *= 2) {
            static const char format[] = "%s w=%u model=circuit alpha=1e-6 bytes=%u %s";
            const rwa_plan *outer = plan_on(format, nets[i], w, 1000000, "all-reduce");
            uint32_t bytes = (uint32_t)rwa_schedule_collective(rwa_plan_schedule(outer))->block_bytes;
            double first_s = time_on(format, nets[i], w, bytes,
                                     i < 4 ? "blocks=1 broadcast by tree" : "blocks=1 broadcast by nearest");
            CU_ASSERT(time_on(format, nets[i], w, 1000000, "broadcast") <=
                      (rwa_plan_summary(outer)->time_s + first_s) * (1 + 1e-4));
        }
}

/** A plan for fewer ports or hops is a plan for more, and "auto" plans for all fewer ones, too. */
static void more_ports_and_hops_take_no_longer(void)
{
    static const char *const lines[] = {"mesh:6x6 w=2 bytes=4096 ports=%u all-to-all",
                                        "mesh:6x6 w=16 bytes=1048576 model=overlap alpha=1e-6 hops=%u scatter",
                                        /* with more ports, lightpaths of a plan for fewer stay up longer */
                                        "ring:8 w=16 bytes=4000 model=circuit alpha=1e-6 hops=1 ports=%u broadcast "
                                        "blocks=16"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        double before_s = INFINITY;
        for (uint32_t most = 1; most <= 3; most++) {
            double seconds = time_on(lines[i], most);
            CU_ASSERT(seconds <= before_s);
            before_s = seconds;
        }
    }
}

static void less_takes_no_longer(void)
{
    static const char *const lines[][3] = {
        /* With few ports and long settings both go through one node: the sums are the all-reduce's, and what follows is
           less. */
        {"tree:2x3 w=3 ports=3 hops=3 bytes=65536 model=overlap alpha=5e-6 reconfig=1e-3", "reduce-scatter",
         "all-reduce"},
        /* A first try of the broadcast that comes to more steps than the scatter has is followed by others; around
         * failed links of 64 nodes parts are planned where plans are far from the bound. */
        {"polska12-18 w=1", "scatter bytes=512", "broadcast bytes=6144"},
        {"nobel-eu28-41 w=2", "gather bytes=512", "reduce bytes=14336"},
        {"ring:64 w=1 links=5 model=circuit", "gather bytes=512", "reduce bytes=32768"},
        /* More wavelengths than a power of 2; a term whose routes are symmetric. */
        {"circulant:8:1,3 members=1,3,5,6,7 hops=3 load=1 stripes=1 bytes=1000000 all-to-all", "w=5", "w=4"},
        {"torus:4x4 w=2 model=overlap alpha=1e-6 reconfig=1e-6 bytes=65536 all-to-all", "by auto",
         "by compose:rotated:positions(4,direct,direct)"},
        /* Trees on a line, here of the nodes of a fat tree, keep to the hops allowed. */
        {"fat-tree:2 w=3 root=5 hops=1 bytes=16777216 reconfig=1e-3 reduce", "by auto", "by pipelined-trees"},
        /* A message of few bytes fills no packet, so that steps cost more than its bytes. */
        {"mesh:3x8 w=16 f=2 ports=1 members=0,3,4,7,8,9,10,11,12,13,15 root=9 reconfig=0 bytes=1 scatter", "by auto",
         "by compose:tree(2,2,2)"},
        /* Circuits whose first plan is slow, and whose finer parts save most. */
        {"line:40 w=64 hops=3 bytes=16777216 model=overlap alpha=5e-6 reconfig=0 all-to-all", "by auto",
         "load=4 by logical-topology"},
        /* Plans whose power costs much to check, were not one lightpath to stand for all its copies. */
        {"ring:256 w=64 device=synthetic-64", "by auto", "by wavefront"},
        /* Few blocks, where many are far from the bound. */
        {"torus:4x4 w=3 root=5 model=overlap alpha=0 reconfig=0 bytes=4000 broadcast", "by auto", "by nearest"}};
    for (size_t i = 0; i < COUNT(lines); i++)
        CU_ASSERT(time_on("%s %s", lines[i][0], lines[i][1]) <= time_on("%s %s", lines[i][0], lines[i][2]));
}

/** On nodes that are not alike both go over one tree; where links failed these are two. */
static void an_all_reduce_takes_no_longer_than_a_reduce_and_a_broadcast(void)
{
    static const char *const nets[] = {
        "nobel-eu28-41 w=8", "line:33 w=4", "mesh:3x8 w=2 hops=2 links=3", "abilene12-15 w=4 hops=2 links=3"};
    for (size_t i = 0; i < COUNT(nets); i++)
        CU_ASSERT(time_on("%s bytes=4000 all-reduce", nets[i]) <=
                  (time_on("%s bytes=4000 reduce", nets[i]) + time_on("%s bytes=4000 broadcast", nets[i])) *
                      (1 + NEAR_BOUND));
}

/** A step of a larger collective of which nothing is left may be one in which ports rest: it stays between others. */
static void a_part_leaves_ports_time_to_tune(void)
{
    for (uint32_t tuning = 1; tuning <= 3; tuning++)
        for (uint32_t root = 0; root < 8; root += 3)
            plan_on("ron:8 w=6 ports=1 tuning=%u root=%u bytes=97347 model=overlap scatter", tuning, root);
}

int main(int argc, char **argv)
{
    settings = argc > 1 ? atoi(argv[1]) : settings;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 2;
    return RUN_TESTS("quickest", auto_is_never_slower_than_a_named_scheme,
                     auto_is_never_slower_than_what_contains_the_collective, auto_is_never_slower_with_more_of_anything,
                     a_broadcast_takes_no_longer_than_a_first_block_and_an_all_reduce,
                     more_ports_and_hops_take_no_longer, less_takes_no_longer,
                     an_all_reduce_takes_no_longer_than_a_reduce_and_a_broadcast, a_part_leaves_ports_time_to_tune);
}
