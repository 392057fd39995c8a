/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reduce is a broadcast run backwards: over links reversed it takes as long, and no less than the bounds of either. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <stdbool.h>

static bool thorough;

/* The request of a plan. */
struct setting {
    const char *spec;
    uint32_t wavelengths, root, members, max_hops, ports, stripes;
    uint64_t message;
    const char *scheme;
    uint32_t reserved;          /* channels 0 … reserved - 1 */
    const char *failed;         /* directed links by their nodes, as "3>4"; NULL: none */
    bool overlap;               /* under that cost model, a step taking 1 us */
};

static void fail_link(rwa_network **net, const char *failed, bool reversed)
{
    uint32_t from = (uint32_t)atoi(failed), to = (uint32_t)atoi(strchr(failed, '>') + 1);
    uint32_t link = rwa_network_find_link(*net, reversed ? to : from, reversed ? from : to);
    rwa_faults faults = {.links = &link, .link_count = 1};
    rwa_network *less = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&less, *net, &faults, NULL), RWA_OK);
    rwa_network_free(*net);
    *net = less;
}

static rwa_network *network_for(const struct setting *s, bool reversed)
{
    static const uint32_t channels[] = {0, 1, 2, 3};
    rwa_network_options o;
    rwa_network *net = NULL, *less = NULL;
    rwa_faults faults = {.channels = channels, .channel_count = s->reserved};
    rwa_network_options_init(&o);
    o.wavelengths = s->wavelengths;
    o.ports = s->ports;
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, s->spec, &o, NULL), RWA_OK);
    if (s->reserved > 0) {
        CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&less, net, &faults, NULL), RWA_OK);
        rwa_network_free(net);
        net = less;
    }
    if (s->failed)
        fail_link(&net, s->failed, reversed);
    return net;
}

/* reversed: failed links fail the other way round. */
static rwa_plan *plan_for(const struct setting *s, rwa_collective_kind kind, bool reversed)
{
    static const uint32_t members[] = {1, 2, 5, 6, 9};
    rwa_network *net = network_for(s, reversed);
    uint32_t nodes = s->members ? s->members : rwa_network_nodes(net);
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, nodes, s->root, s->message, 0, NULL), RWA_OK);
    rwa_plan_options_init(&o);
    o.members = s->members ? members : NULL;
    o.max_hops = s->max_hops;
    o.scheme = s->scheme;
    o.stripes = s->stripes;
    if (s->overlap) {
        o.cost.model = RWA_COST_OVERLAP;
        o.cost.alpha_s = 1e-6;
    }
    if (rwa_plan_make(&plan, net, &coll, &o, &err) != RWA_OK)
        fprintf(stderr, "%s: %s\n", s->spec, err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    rwa_network_free(net);
    return plan;
}

/* Backwards every lightpath of a step takes the same link the other way, with the same blocks. */
static void expect_alike(const struct setting *s)
{
    rwa_plan *reduce = plan_for(s, RWA_ROOTED_REDUCE, false), *broadcast = plan_for(s, RWA_BROADCAST, true);
    const rwa_plan_report *r = rwa_plan_summary(reduce), *b = rwa_plan_summary(broadcast);
    bool alike = r->steps == b->steps && r->time_s <= b->time_s * (1 + 1e-9) && r->time_s >= b->time_s * (1 - 1e-9);
    CU_ASSERT_EQUAL(rwa_plan_schedule(reduce) != NULL, rwa_plan_schedule(broadcast) != NULL);
    CU_ASSERT(alike);
    if (!alike)
        fprintf(stderr, "%s, %u wavelengths, %llu bytes: reduce %u steps, %g s; broadcast %u steps, %g s\n", s->spec, s->wavelengths,
                (unsigned long long)s->message, r->steps, r->time_s, b->steps, b->time_s);
    if (rwa_plan_schedule(reduce)) {
        CU_ASSERT(r->check->ok);
        CU_ASSERT_EQUAL(r->bound.value, b->bound.value);
        CU_ASSERT(r->bound.value <= r->steps && r->time_bound_s <= r->time_s * (1 + 1e-9));
        CU_ASSERT_DOUBLE_EQUAL(r->time_bound_s, b->time_bound_s, 1e-9 * b->time_bound_s);
    }
    rwa_plan_free(reduce);
    rwa_plan_free(broadcast);
}

static void a_reduce_takes_as_long_as_a_broadcast(void)
{
    static const char *const specs[] = {"ring:2", "ring:5", "ring:16", "ring:33", "line:4", "line:17", "torus:4x4", "torus:3x5", "mesh:3x4",
                                        "hypercube:4", "nsfnet14-21", "circulant:20:1,6", "tree:2x3"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint32_t w = 1; w <= 16; w *= 4)
            for (uint64_t message = 100; message < 100000000; message *= 1000)
                if (thorough || (w == 4) == (message > 100)) /* few and many wavelengths for short messages, some for long ones */
                    expect_alike(&(struct setting){.spec = specs[i], .wavelengths = w, .root = w % 2, .message = message});
}

/* Circuits are matchings, which run backwards are matchings. */
static void also_through_switches(void)
{
    static const char *const specs[] = {"ocs:8x1", "ocs:12x3", "ocs:16x4", "ron:9", "ron:16"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint32_t ports = 0; ports <= 3; ports++)
            for (uint64_t message = 100; message < 100000000; message *= 1000)
                expect_alike(&(struct setting){.spec = specs[i], .wavelengths = 4, .root = 3, .ports = ports, .message = message,
                                               .scheme = "matchings"});
}

static void every_scheme_runs_backwards(void)
{
    static const struct { const char *spec, *scheme; } cases[] = {
        {"ring:20", "tree"}, {"ring:20", "direct"}, {"line:13", "tree"}, {"line:13", "direct"}, {"mesh:4x5", "nearest"},
        {"nsfnet14-21", "nearest"}, {"ring:20", "compose:tree(3)"}, {"torus:4x5", "compose:tree(4)"},
        {"nsfnet14-21", "compose:tree(2,4)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t w = 1; w <= 8; w *= 2) {
            struct setting s = {.spec = cases[i].spec, .wavelengths = w, .root = 6, .message = 100000, .scheme = cases[i].scheme};
            rwa_plan *reduce = plan_for(&s, RWA_ROOTED_REDUCE, false), *broadcast = plan_for(&s, RWA_BROADCAST, false);
            CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(reduce));
            CU_ASSERT(rwa_plan_summary(reduce)->time_s <= rwa_plan_summary(broadcast)->time_s * (1 + 1e-9));
            rwa_plan_free(reduce);
            rwa_plan_free(broadcast);
        }
}

static void what_is_left_of_a_network_is_enough(void)
{
    static const struct setting settings[] = {
        {.spec = "ring:12", .wavelengths = 3, .message = 1000, .root = 2, .failed = "3>4"},
        {.spec = "ring:12", .wavelengths = 3, .message = 1000000, .root = 7, .failed = "4>3"},
        {.spec = "ring:12", .wavelengths = 4, .message = 1000000, .root = 7, .reserved = 2},
        {.spec = "ring:12", .wavelengths = 2, .message = 1000, .root = 3, .members = 5},
        {.spec = "ring:12", .wavelengths = 2, .message = 1000000, .root = 1, .members = 5, .failed = "2>3"},
        {.spec = "line:12", .wavelengths = 2, .message = 1000, .root = 4, .members = 5},
        {.spec = "ring:12", .wavelengths = 4, .message = 1000, .root = 4, .max_hops = 3},
        {.spec = "ring:12", .wavelengths = 4, .message = 1000, .root = 4, .ports = 1},
        {.spec = "ring:12", .wavelengths = 4, .message = 1000, .root = 4, .ports = 3, .failed = "7>8"},
        {.spec = "ring:12", .wavelengths = 4, .message = 1000, .root = 4, .stripes = 2},
        {.spec = "mesh:3x4", .wavelengths = 2, .message = 1000, .root = 4, .members = 5},
        {.spec = "mesh:3x4", .wavelengths = 2, .message = 1000000, .root = 5, .reserved = 1},
        {.spec = "mesh:3x4", .wavelengths = 2, .message = 1000, .root = 5, .max_hops = 1},
        {.spec = "mesh:3x4", .wavelengths = 2, .message = 1000, .root = 5, .ports = 1},
        {.spec = "mesh:3x4", .wavelengths = 2, .message = 100000, .root = 5, .failed = "6>5"},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        expect_alike(&settings[i]);
}

/* A cycle through all nodes and some links across, all of them one way. */
static rwa_network *one_way(uint64_t *seed, uint32_t nodes, bool reversed)
{
    rwa_link links[32];
    size_t count = 0;
    rwa_network_options o;
    rwa_network *net = NULL;
    rwa_network_options_init(&o);
    o.wavelengths = 2;
    o.both_ways = 0;
    while (count < 2 * nodes) {
        uint32_t from = count < nodes ? (uint32_t)count : (uint32_t)base_random_below(seed, nodes);
        uint32_t to = count < nodes ? (from + 1) % nodes : (from + 2 + (uint32_t)base_random_below(seed, nodes - 2)) % nodes;
        links[count++] = (rwa_link){.from = reversed ? to : from, .to = reversed ? from : to};
    }
    CU_ASSERT_EQUAL_FATAL(rwa_network_create_graph(&net, nodes, links, count, &o, NULL), RWA_OK);
    return net;
}

static double time_on(const rwa_network *net, rwa_collective_kind kind, uint32_t root, const char *scheme)
{
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), root, 100000, 0, NULL), RWA_OK);
    rwa_plan_options_init(&o);
    o.scheme = scheme;
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
    CU_ASSERT(rwa_plan_summary(plan)->check->ok && rwa_plan_summary(plan)->time_bound_s <= rwa_plan_summary(plan)->time_s * (1 + 1e-9));
    double time_s = rwa_plan_summary(plan)->time_s;
    rwa_plan_free(plan);
    return time_s;
}

/* Where no link leads back a reduction is planned on the links reversed; "nearest" does so for all of them. */
static void links_may_lead_one_way_only(void)
{
    static const rwa_collective_kind others[] = {RWA_GATHER, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE};
    uint64_t seed = 4;
    for (uint32_t nodes = 3; nodes < 14; nodes++) {
        uint64_t again = seed;
        rwa_network *net = one_way(&seed, nodes, false), *reversed = one_way(&again, nodes, true);
        for (int named = 0; named < 2; named++) {
            double reduce_s = time_on(net, RWA_ROOTED_REDUCE, nodes / 2, named ? "nearest" : NULL);
            double broadcast_s = time_on(reversed, RWA_BROADCAST, nodes / 2, named ? "nearest" : NULL);
            CU_ASSERT_DOUBLE_EQUAL(reduce_s, broadcast_s, 1e-9 * broadcast_s);
        }
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            time_on(net, others[i], others[i] == RWA_GATHER ? 1 : 0, "nearest");
        rwa_network_free(net);
        rwa_network_free(reversed);
    }
}

/* Every contribution to a block leaves its node once: N - 1 blocks move for each. */
static void nothing_is_added_twice(void)
{
    struct setting s = {.spec = "ring:16", .wavelengths = 2, .message = 1000000, .scheme = "compose:tree(2)"};
    rwa_plan *plan = plan_for(&s, RWA_ROOTED_REDUCE, false);
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    uint64_t moved = 0;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lists lists;
        rwa_schedule_lists(&lists, sched, i);
        moved += lists.block_count ? lists.block_count : 1;
    }
    CU_ASSERT_EQUAL(moved, 15 * rwa_schedule_collective(sched)->blocks);
    rwa_plan_free(plan);
}

/* A star has no listeners to spare: each other node sends its whole vector, a channel's worth in a step. */
static void a_star_takes_turns(void)
{
    for (uint32_t n = 3; n < 30; n += 4)
        for (uint32_t w = 1; w <= 8; w *= 2) {
            char spec[16];
            snprintf(spec, sizeof spec, "star:%u", n);
            rwa_plan *plan = plan_for(&(struct setting){.spec = spec, .wavelengths = w, .root = n / 2, .message = 100}, RWA_ROOTED_REDUCE,
                                      false);
            CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, (n - 1 + w - 1) / w);
            CU_ASSERT_EQUAL(rwa_plan_summary(plan)->outcome, RWA_OPTIMAL);
            rwa_plan_free(plan);
        }
}

/* A schedule of two plans names both, with their terms: by that name the same is planned again. */
static void plan_again(const struct setting *first, rwa_collective_kind kind, const rwa_plan *plan)
{
    struct setting named = *first;
    named.scheme = rwa_schedule_scheme(rwa_plan_schedule(plan));
    CU_ASSERT_PTR_NOT_NULL(strstr(named.scheme, " after "));
    rwa_plan *again = plan_for(&named, kind, false);
    const rwa_plan_report *s = rwa_plan_summary(again);
    CU_ASSERT(s->check->ok);
    CU_ASSERT_STRING_EQUAL(rwa_schedule_scheme(rwa_plan_schedule(again)), named.scheme);
    CU_ASSERT_DOUBLE_EQUAL(s->time_s, rwa_plan_summary(plan)->time_s, 1e-9 * s->time_s);
    rwa_plan_free(again);
}

/* The whole moves all that the part does, in the same steps. */
static void parts_are_planned_by_name(void)
{
    static const struct { const char *whole, *part; } cases[] = {{"ring", "part of all-reduce by ring"},
                                                                 {"compose:steps(3)", "part of all-reduce by compose:steps(3)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct setting s = {.spec = "ring:12", .wavelengths = 3, .message = 1000000, .scheme = cases[i].whole};
        rwa_plan *whole = plan_for(&s, RWA_ALL_REDUCE, false);
        s.scheme = cases[i].part;
        rwa_plan *part = plan_for(&s, RWA_BROADCAST, false);
        CU_ASSERT(rwa_plan_summary(part)->check->ok && rwa_plan_summary(part)->part_of == RWA_ALL_REDUCE);
        CU_ASSERT(rwa_plan_summary(part)->time_s <= rwa_plan_summary(whole)->time_s * (1 + 1e-9));
        CU_ASSERT_STRING_EQUAL(rwa_schedule_scheme(rwa_plan_schedule(part)), cases[i].part);
        rwa_plan_free(whole);
        rwa_plan_free(part);
    }
}

static void names_that_plan_nothing_are_refused(void)
{
    static const char *const names[] = {"part of all-reduce by nothing", "part of nothing by ring", "part of gather by ring",
                                        "all-gather by ring after gather by tree", "broadcast by tree after reduce by tree",
                                        "all-gather by nothing after scatter by tree", "part of part of all-reduce by ring", " by "};
    rwa_network *net = network_for(&(struct setting){.spec = "ring:12", .wavelengths = 3}, false);
    rwa_collective coll;
    rwa_plan_options o;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_BROADCAST, 12, 0, 4000, 0, NULL), RWA_OK);
    rwa_plan_options_init(&o);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rwa_plan *plan = NULL;
        o.scheme = names[i];
        CU_ASSERT_EQUAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_BADARG);
        CU_ASSERT_PTR_NULL(plan);
    }
    rwa_network_free(net);
}

/* A tree sends the whole message on each lightpath.  A scatter sends each node its share, and in the all-gather too every lightpath carries
 * shares: on these networks that is quicker than any scheme for the whole broadcast.  A reduce, backwards, takes as long. */
static void a_scatter_and_an_all_gather_broadcast(void)
{
    static const struct setting cases[] = {{.spec = "ring:12", .wavelengths = 3, .root = 3, .message = 1000000},
                                           {.spec = "ring:64", .wavelengths = 4, .message = 16000000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *plan = plan_for(&cases[i], RWA_BROADCAST, false), *back = plan_for(&cases[i], RWA_ROOTED_REDUCE, false);
        const rwa_plan_report *s = rwa_plan_summary(plan), *b = rwa_plan_summary(back);
        CU_ASSERT(s->check->ok && b->check->ok && s->time_bound_s <= s->time_s);
        CU_ASSERT(s->scatter_scheme && b->scatter_scheme);
        CU_ASSERT_DOUBLE_EQUAL(s->time_s, b->time_s, 1e-9 * s->time_s);
        plan_again(&cases[i], RWA_BROADCAST, plan);
        plan_again(&cases[i], RWA_ROOTED_REDUCE, back);
        rwa_plan_free(plan);
        rwa_plan_free(back);
    }
}

static uint64_t records_of(const rwa_schedule *sched, uint32_t step)
{
    return rwa_schedule_first(sched, step + 1) - rwa_schedule_first(sched, step);
}

/* On one wavelength all nodes' lightpaths take turns: a broadcast backwards, which brings the sums to its root, and then forwards takes
 * less than any scheme for the all-reduce.  Each of its lightpaths adds up going in and copies going out. */
static void a_reduce_and_a_broadcast_reduce_all(void)
{
    static const struct setting cases[] = {{.spec = "ring:48", .wavelengths = 1, .message = 4000, .overlap = true},
                                           {.spec = "line:64", .wavelengths = 1, .message = 4000, .overlap = true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *plan = plan_for(&cases[i], RWA_ALL_REDUCE, false);
        const rwa_plan_report *s = rwa_plan_summary(plan);
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        uint32_t steps = rwa_schedule_steps(sched);
        CU_ASSERT(s->check->ok && s->scatter_scheme && s->time_bound_s <= s->time_s);
        CU_ASSERT(rwa_plan_alternative(plan, 0)->time_s > s->time_s);
        plan_again(&cases[i], RWA_ALL_REDUCE, plan);
        for (uint64_t k = 0; k < rwa_schedule_records(sched); k++) {
            rwa_lightpath lp;
            rwa_schedule_get(&lp, sched, k);
            CU_ASSERT_EQUAL(lp.op, lp.step <= steps / 2 ? RWA_REDUCE : RWA_COPY);
        }
        for (uint32_t t = 1; t <= steps; t++)
            CU_ASSERT_EQUAL(records_of(sched, t), records_of(sched, steps + 1 - t));
        rwa_plan_free(plan);
    }
}

/* On a short line sums go up a tree while earlier chunks come down, which the two after each other cannot: that is quicker. */
static void sums_go_up_while_chunks_come_down(void)
{
    static const uint32_t lines[] = {8, 16, 24};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char spec[16];
        snprintf(spec, sizeof spec, "line:%u", lines[i]);
        struct setting s = {.spec = spec, .wavelengths = 1, .message = 4000, .overlap = true};
        rwa_plan *plan = plan_for(&s, RWA_ALL_REDUCE, false);
        s.scheme = "broadcast by pipelined-trees after reduce by pipelined-trees";
        rwa_plan *sequence = plan_for(&s, RWA_ALL_REDUCE, false);
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        uint32_t steps = rwa_schedule_steps(sched), last_sum = 0, first_copy = steps;
        for (uint64_t k = 0; k < rwa_schedule_records(sched); k++) {
            rwa_lightpath lp;
            rwa_schedule_get(&lp, sched, k);
            if (lp.op == RWA_REDUCE)
                last_sum = lp.step > last_sum ? lp.step : last_sum;
            else
                first_copy = lp.step < first_copy ? lp.step : first_copy;
        }
        CU_ASSERT(first_copy < last_sum);
        CU_ASSERT(rwa_plan_summary(plan)->check->ok && rwa_plan_summary(sequence)->check->ok);
        CU_ASSERT(rwa_plan_summary(plan)->time_s < rwa_plan_summary(sequence)->time_s);
        CU_ASSERT_STRING_EQUAL(rwa_schedule_scheme(rwa_plan_schedule(sequence)), s.scheme);
        rwa_plan_free(plan);
        rwa_plan_free(sequence);
    }
}

/* In the model paper a scatter backwards takes as long: its routes spread over the links of the root, and so must those of a gather, which
 * end there. */
static void a_gather_takes_as_long_as_a_scatter(void)
{
    static const struct setting cases[] = {{.spec = "torus:32x32", .wavelengths = 64, .message = 64000},
                                           {.spec = "mesh:32x32", .wavelengths = 8, .message = 64000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *scatter = plan_for(&cases[i], RWA_SCATTER, false), *gather = plan_for(&cases[i], RWA_GATHER, false);
        CU_ASSERT(rwa_plan_summary(gather)->check->ok);
        CU_ASSERT(rwa_plan_summary(gather)->time_s <= rwa_plan_summary(scatter)->time_s * (1 + 1e-9));
        rwa_plan_free(scatter);
        rwa_plan_free(gather);
    }
}

/* What every node keeps of the sums is a part of them all: on a long line and on a graph a reduce-scatter takes no longer than the
 * all-reduce, whose sums come together in the middle. */
static void a_reduce_scatter_takes_no_longer_than_the_all_reduce(void)
{
    static const struct setting cases[] = {{.spec = "line:128", .wavelengths = 16, .message = 1024000, .overlap = true},
                                           {.spec = "usnet24-43", .wavelengths = 1, .message = 4000, .overlap = true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *all = plan_for(&cases[i], RWA_ALL_REDUCE, false), *plan = plan_for(&cases[i], RWA_REDUCE_SCATTER, false);
        const rwa_plan_report *s = rwa_plan_summary(plan);
        CU_ASSERT(s->check->ok && s->time_bound_s <= s->time_s);
        CU_ASSERT(s->time_s <= rwa_plan_summary(all)->time_s * (1 + 1e-9));
        CU_ASSERT(rwa_plan_alternative(plan, 0)->time_s > s->time_s);
        rwa_plan_free(all);
        rwa_plan_free(plan);
    }
}

/* A gather and then a broadcast take as long as a reduce and a scatter of the same shares, which are the two backwards. */
static void two_ways_through_one_node(void)
{
    static const char *const specs[] = {"hypercube:4", "mesh:3x4", "torus:4x4", "nsfnet14-21", "tree:2x3"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct setting s = {.spec = specs[i], .wavelengths = 2, .message = 96000, .scheme = "broadcast by nearest after gather by nearest"};
        rwa_plan *gather = plan_for(&s, RWA_ALL_GATHER, false);
        s.message *= rwa_schedule_collective(rwa_plan_schedule(gather))->nodes;
        s.scheme = "scatter by nearest after reduce by nearest";
        rwa_plan *scatter = plan_for(&s, RWA_REDUCE_SCATTER, false);
        const rwa_plan_report *g = rwa_plan_summary(gather), *r = rwa_plan_summary(scatter);
        CU_ASSERT(g->check->ok && r->check->ok && g->time_bound_s <= g->time_s && r->time_bound_s <= r->time_s);
        CU_ASSERT_DOUBLE_EQUAL(g->time_s, r->time_s, 1e-9 * g->time_s);
        rwa_plan_free(gather);
        rwa_plan_free(scatter);
    }
}

/* All pairs of a torus of even dimensions 2m fill N 2m / 8 channels of each link (docs/bounds.md): with so many, every node sends its
 * vector straight to all others, and one step longer by the vector beats two steps with shares. */
static void short_vectors_take_one_step(void)
{
    static const struct setting cases[] = {{.spec = "torus:4x4", .wavelengths = 8, .message = 64000},
                                           {.spec = "torus:8x8", .wavelengths = 64, .message = 4000},
                                           {.spec = "torus:8x8", .wavelengths = 64, .message = 64000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_plan *plan = plan_for(&cases[i], RWA_ALL_REDUCE, false);
        const rwa_plan_report *s = rwa_plan_summary(plan);
        CU_ASSERT(s->check->ok && s->steps == 1 && s->time_bound_s <= s->time_s);
        rwa_plan_free(plan);
    }
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(a_reduce_takes_as_long_as_a_broadcast), TEST(also_through_switches),
                                        TEST(every_scheme_runs_backwards), TEST(what_is_left_of_a_network_is_enough),
                                        TEST(links_may_lead_one_way_only), TEST(nothing_is_added_twice), TEST(a_star_takes_turns),
                                        TEST(a_scatter_and_an_all_gather_broadcast), TEST(a_reduce_and_a_broadcast_reduce_all),
                                        TEST(sums_go_up_while_chunks_come_down), TEST(a_gather_takes_as_long_as_a_scatter),
                                        TEST(a_reduce_scatter_takes_no_longer_than_the_all_reduce), TEST(two_ways_through_one_node),
                                        TEST(parts_are_planned_by_name), TEST(names_that_plan_nothing_are_refused),
                                        TEST(short_vectors_take_one_step), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("reduce", tests);
}
