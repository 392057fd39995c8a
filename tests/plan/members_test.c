/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives among some nodes of networks that list their links, or are one hop apart: known cases, and many random ones. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/suite.h"

#include <stdio.h>

enum { NODES = 40, FAILED = 3 };

struct setting {
    const char *spec;
    uint32_t wavelengths, ports, hops;
    uint32_t members[NODES], count;
    uint32_t links[FAILED], link_count;
    rwa_collective_kind kind;
};

static rwa_network *network_of(const struct setting *s)
{
    rwa_network_options o;
    rwa_network *whole = NULL, *net = NULL;
    rwa_faults faults = {.links = s->links, .link_count = s->link_count};
    rwa_network_options_init(&o);
    o.wavelengths = s->wavelengths;
    o.ports = s->ports;
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&whole, s->spec, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, whole, &faults, NULL), RWA_OK);
    rwa_network_free(whole);
    return net;
}

static rwa_plan *plan_on(const rwa_network *net, const struct setting *s)
{
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    rwa_plan_options_init(&o);
    o.members = s->members;
    o.max_hops = s->hops;
    o.time_limit_s = 0.1;
    o.lightpath_blocks = 1;
    bool rooted = rwa_collective_has_root(s->kind);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, s->kind, s->count, rooted ? s->count - 1 : 0, 4096, 0, NULL), RWA_OK);
    if (rwa_plan_make(&plan, net, &coll, &o, &err) != RWA_OK)
        printf("%s: %s\n", s->spec, err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    return plan;
}

/* ---- known cases ---- */

/* Leaves 1 … k of a star of fibres, one block on a lightpath: each takes in k - 1 blocks over its one link of one channel, and sends as
 * many. */
static void leaves_of_a_star(void)
{
    for (uint32_t k = 2; k <= 7; k++) {
        struct setting s = {.spec = "tree:7x1", .wavelengths = 1, .kind = RWA_ALL_GATHER, .members = {1, 2, 3, 4, 5, 6, 7}, .count = k};
        rwa_network *net = network_of(&s);
        rwa_plan *plan = plan_on(net, &s);
        CU_ASSERT(rwa_plan_summary(plan)->check->ok);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, k - 1);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->outcome, RWA_OPTIMAL);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

/* With one port and one block on a lightpath an all-gather among four takes three steps, wherever they are. */
static void few_among_many(void)
{
    struct setting s = {.spec = "nsfnet14-21", .wavelengths = 4, .ports = 1, .kind = RWA_ALL_GATHER, .members = {0, 5, 9, 13}, .count = 4};
    rwa_network *net = network_of(&s);
    rwa_plan *plan = plan_on(net, &s);
    CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, 3);
    CU_ASSERT_EQUAL(rwa_plan_summary(plan)->outcome, RWA_OPTIMAL);
    rwa_plan_free(plan);
    rwa_network_free(net);
}

/* Everyone is a member: nothing is different. */
static void all_are_members(void)
{
    struct setting s = {.spec = "torus:3x3", .wavelengths = 2, .kind = RWA_ALL_GATHER, .count = 9};
    for (uint32_t v = 0; v < 9; v++)
        s.members[v] = v;
    rwa_network *net = network_of(&s);
    rwa_plan *plan = plan_on(net, &s);
    CU_ASSERT_PTR_NULL(rwa_schedule_members(rwa_plan_schedule(plan)));
    rwa_plan_free(plan);
    rwa_network_free(net);
}

/* ---- all pairs one hop apart ---- */

static struct setting draw_one_hop(uint64_t *seed)
{
    static const char *const specs[] = {"star:9", "star:16", "ocs:8x3", "ocs:12x2", "ron:9", "ron:16"};
    struct setting s = {.spec = specs[base_random_below(seed, 6)], .wavelengths = 1 + (uint32_t)base_random_below(seed, 4),
                        .ports = (uint32_t)base_random_below(seed, 3),
                        .kind = (rwa_collective_kind)(RWA_ALL_GATHER + base_random_below(seed, 7))};
    rwa_network *net = network_of(&s);
    uint32_t nodes = rwa_network_nodes(net);
    for (uint32_t v = 0; v < nodes; v++)
        if (base_random_below(seed, 2) > 0 || (s.count < 2 && v + 2 >= nodes))
            s.members[s.count++] = v;
    rwa_network_free(net);
    return s;
}

/** The same number of switches, channels and ports, and no other nodes than the members. */
static rwa_network *network_of_members(const struct setting *s)
{
    rwa_network_options o;
    rwa_network *whole = network_of(s), *net = NULL;
    rwa_network_options_init(&o);
    o.wavelengths = s->wavelengths;
    o.ports = s->ports;
    o.fibers = rwa_network_fibers(whole);
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, rwa_network_topology(whole), s->count, &o, NULL), RWA_OK);
    rwa_network_free(whole);
    return net;
}

/* Which nodes take part makes no difference where every pair is one hop apart: as many steps, the same time, the same bound. */
static void one_hop_apart(void)
{
    uint64_t seed = 11;
    for (int i = 0; i < 100; i++) {
        struct setting s = draw_one_hop(&seed), alone = s;
        rwa_network *net = network_of(&s), *own = network_of_members(&s);
        for (uint32_t r = 0; r < s.count; r++)
            alone.members[r] = r;
        rwa_plan *plan = plan_on(net, &s), *expected = plan_on(own, &alone);
        const rwa_plan_report *sum = rwa_plan_summary(plan), *other = rwa_plan_summary(expected);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
        CU_ASSERT(sum->check->ok);
        CU_ASSERT_EQUAL(sum->steps, other->steps);
        CU_ASSERT_EQUAL(sum->time_s, other->time_s);
        CU_ASSERT_EQUAL(sum->bound.value, other->bound.value);
        rwa_plan_free(plan);
        rwa_plan_free(expected);
        rwa_network_free(net);
        rwa_network_free(own);
    }
}

/* Seven open channels of eight carry light, and the reserved one none. */
static void reserved_on_a_star(void)
{
    rwa_network_options o;
    rwa_network *whole = NULL, *net = NULL;
    uint32_t channel = 3;
    rwa_faults faults = {.channels = &channel, .channel_count = 1};
    struct setting s = {.spec = "star:8", .kind = RWA_ALL_GATHER, .members = {0, 1, 2, 3, 4, 5, 6, 7}, .count = 8};
    rwa_network_options_init(&o);
    o.wavelengths = 8;
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&whole, s.spec, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, whole, &faults, NULL), RWA_OK);
    rwa_plan *plan = plan_on(net, &s);
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sched);
    CU_ASSERT(rwa_plan_summary(plan)->check->ok);
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lightpath lp;
        rwa_schedule_get(&lp, sched, i);
        CU_ASSERT_NOT_EQUAL(lp.wavelength, channel);
    }
    rwa_plan_free(plan);
    rwa_network_free(net);
    rwa_network_free(whole);
}

/* ---- random cases ---- */

/** How far all nodes are from one over links that work; UINT32_MAX: no way. */
static void walk(uint32_t *hops, const rwa_network *net, uint32_t from)
{
    bool more = true;
    for (uint32_t v = 0; v < rwa_network_nodes(net); v++)
        hops[v] = v == from ? 0 : UINT32_MAX;
    for (uint32_t d = 0; more; d++) {
        more = false;
        for (uint32_t l = 0; l < rwa_network_links(net); l++) {
            rwa_link link = rwa_network_link(net, l);
            if (hops[link.from] == d && hops[link.to] == UINT32_MAX && !rwa_network_is_failed(net, l)) {
                hops[link.to] = d + 1;
                more = true;
            }
        }
    }
}

static bool is_member(const struct setting *s, uint32_t node)
{
    for (uint32_t r = 0; r < s->count; r++)
        if (s->members[r] == node)
            return true;
    return false;
}

/** Whether members can tell each other, by lightpaths that are no longer than the limit: all all, from member to member. */
static bool all_reach_all(const rwa_network *net, const struct setting *s)
{
    uint32_t hops[NODES];
    bool reached[NODES][NODES] = {{false}};
    for (uint32_t a = 0; a < s->count; a++) {
        walk(hops, net, s->members[a]);
        for (uint32_t b = 0; b < s->count; b++)
            reached[a][b] = hops[s->members[b]] <= (s->hops > 0 ? s->hops : NODES);
    }
    for (uint32_t k = 0; k < s->count; k++)
        for (uint32_t a = 0; a < s->count; a++)
            for (uint32_t b = 0; b < s->count; b++)
                reached[a][b] = reached[a][b] || (reached[a][k] && reached[k][b]);
    for (uint32_t a = 0; a < s->count; a++)
        for (uint32_t b = 0; b < s->count; b++)
            if (!reached[a][b])
                return false;
    return true;
}

/** The ends of all lightpaths take part, and no link of a path has failed. */
static bool keeps_to(const rwa_schedule *sched, const struct setting *s)
{
    const rwa_network *net = rwa_schedule_network(sched);
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lightpath lp;
        uint32_t nodes = 0;
        const uint32_t *path = rwa_schedule_path(&nodes, sched, i);
        rwa_schedule_get(&lp, sched, i);
        if (!is_member(s, lp.src) || !is_member(s, lp.dst) || (s->hops > 0 && nodes > s->hops + 1))
            return false;
        for (uint32_t k = 0; k + 1 < nodes; k++)
            if (rwa_network_is_failed(net, rwa_network_find_link(net, path[k], path[k + 1])))
                return false;
    }
    return true;
}

static struct setting draw(uint64_t *seed)
{
    static const char *const specs[] = {"mesh:3x4", "torus:3x4", "hypercube:3", "tree:2x2", "circulant:9:1,3", "nsfnet14-21"};
    struct setting s = {.spec = specs[base_random_below(seed, 6)], .wavelengths = 1 + (uint32_t)base_random_below(seed, 4),
                        .ports = (uint32_t)base_random_below(seed, 3),
                        .kind = (rwa_collective_kind)(RWA_ALL_GATHER + base_random_below(seed, 7))};
    rwa_network *net = network_of(&s);
    uint32_t nodes = rwa_network_nodes(net), links = rwa_network_links(net);
    for (uint32_t v = 0; v < nodes; v++)
        if (base_random_below(seed, 2) > 0 || (s.count < 2 && v + 2 >= nodes))
            s.members[s.count++] = v;
    for (uint64_t failed = base_random_below(seed, 2) * base_random_below(seed, FAILED + 1); failed > 0; failed--)
        s.links[s.link_count++] = (uint32_t)base_random_below(seed, links);
    rwa_network_free(net);
    return s;
}

static void look_at(const struct setting *s)
{
    rwa_network *net = network_of(s);
    rwa_plan *plan = plan_on(net, s);
    const rwa_plan_report *sum = rwa_plan_summary(plan);
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    CU_ASSERT(!sched || (sum->check->ok && keeps_to(sched, s) && sum->bound.value <= sum->steps));
    CU_ASSERT(sched || sum->why[0] != '\0');
    if (all_reach_all(net, s) && s->hops == 0)
        CU_ASSERT_PTR_NOT_NULL(sched);
    if (s->kind == RWA_ALL_GATHER)
        CU_ASSERT_EQUAL(sched != NULL, all_reach_all(net, s));
    rwa_plan_free(plan);
    rwa_network_free(net);
}

static void at_random(void)
{
    uint64_t seed = 5;
    for (int i = 0; i < 300; i++) {
        struct setting s = draw(&seed);
        look_at(&s);
        s.hops = 1 + (uint32_t)base_random_below(&seed, 3);
        s.kind = RWA_ALL_GATHER;
        look_at(&s);
    }
}

/** Links that are alike, without what failed or is reserved, are a network like any other: schemes that know of neither plan on it. */
static void what_is_left_is_a_network(void)
{
    static const char *const specs[] = {"nsfnet14-21", "circulant:9:1,3", "mesh:3x4"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (int failed = 0; failed <= 2; failed++) {
            const uint32_t links[] = {4, 5}, channel = 1;
            rwa_faults faults = {.channels = &channel, .channel_count = failed == 0, .links = links, .link_count = (size_t)failed};
            rwa_network *net = NULL, *healthy = network_of(&(struct setting){.spec = specs[i], .wavelengths = 4});
            rwa_plan_options o;
            rwa_collective coll;
            rwa_plan *plan = NULL;
            rwa_plan_options_init(&o);
            o.scheme = "logical-topology";
            CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, healthy, &faults, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 100000, 0, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
            CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
            CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok);
            rwa_plan_free(plan);
            rwa_network_free(healthy);
            rwa_network_free(net);
        }
}

int main(void)
{
    static const struct test tests[] = {
        TEST(leaves_of_a_star), TEST(few_among_many), TEST(all_are_members), TEST(one_hop_apart),
        TEST(reserved_on_a_star), TEST(at_random), TEST(what_is_left_is_a_network), {0}};
    return run_tests("members", tests);
}
