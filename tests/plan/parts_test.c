/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans among some of the nodes, beside reserved channels and failed links: known cases, and many random ones. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool thorough;

enum { NODES = 40 };

/** A setting: a ring or line, and what is missing of it. */
struct setting {
    rwa_topology kind;
    uint32_t nodes, wavelengths, fibers, hops;
    uint32_t members[NODES], member_count;      /* 0: all */
    uint32_t channels[NODES], channel_count;
    uint32_t links[2 * NODES], link_count;
    rwa_collective_kind collective;
    const char *scheme;
};

static rwa_network *network_of(const struct setting *s)
{
    rwa_network *whole = NULL, *net = NULL;
    rwa_network_options o;
    rwa_faults faults = {s->channels, s->channel_count, s->links, s->link_count, 0};
    rwa_network_options_init(&o);
    o.wavelengths = s->wavelengths;
    o.fibers = s->fibers ? s->fibers : 1;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&whole, s->kind ? s->kind : RWA_RING, s->nodes, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&net, whole, &faults, NULL), RWA_OK);
    rwa_network_free(whole);
    return net;
}

static uint32_t participants(const struct setting *s)
{
    return s->member_count > 0 ? s->member_count : s->nodes;
}

static rwa_plan *plan_of(const struct setting *s)
{
    rwa_network *net = network_of(s);
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    rwa_plan_options_init(&o);
    o.scheme = s->scheme;
    o.max_hops = s->hops;
    o.time_limit_s = 60;
    o.members = s->member_count > 0 ? s->members : NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, s->collective, participants(s), participants(s) / 2 % 3, 4096, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_plan_make(&plan, net, &coll, &o, &err), RWA_OK);
    if (!plan)
        printf("%s\n", err.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    rwa_network_free(net);
    return plan;
}

static uint32_t steps_of(const struct setting *s)
{
    rwa_plan *plan = plan_of(s);
    uint32_t steps = rwa_plan_schedule(plan) ? rwa_plan_summary(plan)->steps : 0;
    CU_ASSERT(!rwa_plan_schedule(plan) || rwa_plan_summary(plan)->check->ok);
    rwa_plan_free(plan);
    return steps;
}

/* ---- known cases ---- */

/** A wavefront of the members is one of a small ring, and a channel less is a wavelength less. */
static void like_a_smaller_ring(void)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE};
    for (size_t k = 0; k < 3; k++)
        for (uint32_t n = 2; n < 14; n += thorough ? 1 : 3)
            for (uint32_t w = 1; w < 4; w++) {
                struct setting small = {.nodes = n, .wavelengths = w, .collective = kinds[k], .scheme = "wavefront"};
                struct setting among = {.nodes = 2 * n + 5, .wavelengths = w + 2, .collective = kinds[k], .scheme = "wavefront",
                                        .member_count = n, .channels = {0, w}, .channel_count = 2};
                for (uint32_t i = 0; i < n; i++)
                    among.members[i] = i < n / 2 ? i + 1 : n + i + 3;
                CU_ASSERT_EQUAL(steps_of(&small), steps_of(&among));
            }
}

/** A ring whose link failed both ways is a line that begins behind it, on which one scheme more plans. */
static void like_a_line(void)
{
    for (int kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
        for (uint32_t n = 3; n < 14; n++)
            for (uint32_t cut = 0; cut < n; cut += 4) {
                struct setting line = {.kind = RWA_LINE, .nodes = n, .wavelengths = 2, .collective = (rwa_collective_kind)kind};
                struct setting ring = {.nodes = n, .wavelengths = 2, .collective = (rwa_collective_kind)kind,
                                       .links = {cut, n + cut}, .link_count = 2};
                bool rooted = rwa_collective_has_root(kind);
                if (!rooted || cut + 1 == n) /* the root keeps its place */
                    CU_ASSERT(steps_of(&ring) > 0 && steps_of(&ring) <= steps_of(&line));
            }
}

/** Hops one way round: the cheapest N points of coordinates that are not negative must fit, here by counting them. */
static uint32_t fewest_one_way(uint32_t nodes, uint32_t channels)
{
    for (uint32_t t = 1;; t++) {
        uint64_t left = nodes, cost = 0, size = 1;
        for (uint32_t v = 0; left > 0; v++) {
            size = v == 0 ? 1 : size * (t + v - 1) / v;
            uint64_t take = size < left ? size : left;
            cost += take * v;
            left -= take;
        }
        if (cost <= (uint64_t)t * channels)
            return t;
    }
}

static void one_way_round(void)
{
    uint32_t over = 0, all = 0;
    for (uint32_t n = 5; n < 40; n++)
        for (uint32_t w = 1; w < 6; w++) {
            struct setting s = {.nodes = n, .wavelengths = w, .collective = RWA_ALL_GATHER, .scheme = "wavefront",
                                .links = {1, 3}, .link_count = 2};
            uint32_t steps = steps_of(&s), fewest = fewest_one_way(n, w);
            CU_ASSERT(steps >= fewest && steps <= fewest + 1);
            over += steps > fewest;
            all++;
        }
    CU_ASSERT(over * 4 < all);
}

/** Orbits stay where reserved channels let them, so large networks stay small. */
static void orbits_stay(void)
{
    struct setting s = {.nodes = 4096 / 4, .wavelengths = 64, .collective = RWA_ALL_GATHER, .scheme = "wavefront",
                        .channels = {3, 17, 40}, .channel_count = 3};
    rwa_plan *plan = plan_of(&s);
    CU_ASSERT_EQUAL(rwa_schedule_lightpaths(rwa_plan_schedule(plan)), 1024u * 1023u);
    CU_ASSERT(rwa_schedule_records(rwa_plan_schedule(plan)) < 1024u * 1023u / 8);
    rwa_plan_free(plan);
}

static void expect_refusal(const struct setting *s, const char *says)
{
    rwa_plan *plan = plan_of(s);
    CU_ASSERT_PTR_NULL(rwa_plan_schedule(plan));
    CU_ASSERT_PTR_NOT_NULL(strstr(rwa_plan_summary(plan)->why, says));
    if (!strstr(rwa_plan_summary(plan)->why, says))
        printf("expected \"%s\", got \"%s\"\n", says, rwa_plan_summary(plan)->why);
    rwa_plan_free(plan);
}

static void refused_with_a_reason(void)
{
    struct setting full = {.nodes = 6, .wavelengths = 2, .collective = RWA_ALL_GATHER, .channels = {0, 1}, .channel_count = 2};
    struct setting apart = {.nodes = 6, .wavelengths = 2, .collective = RWA_BROADCAST, .links = {1, 7, 4, 10}, .link_count = 4};
    struct setting far = {.nodes = 12, .wavelengths = 2, .collective = RWA_ALL_GATHER, .members = {0, 1, 6}, .member_count = 3, .hops = 4};
    struct setting trapped = {.nodes = 6, .wavelengths = 2, .collective = RWA_ALL_GATHER, .links = {1, 10}, .link_count = 2};
    expect_refusal(&full, "all 2 channels are reserved");
    expect_refusal(&apart, "no way from node 1 to node 2");
    expect_refusal(&far, "more than max_hops 4");
    expect_refusal(&trapped, "no way from node 1 to node 2"); /* clockwise link 1 is gone, counter-clockwise link 4 */
    trapped.scheme = "wavefront";
    expect_refusal(&trapped, "no way from node 1 to node 2");
}

static void bad_members(void)
{
    static const uint32_t falling[] = {3, 2}, outside[] = {3, 16};
    rwa_network *net = NULL, *star = NULL;
    rwa_collective two;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    rwa_plan_options_init(&o);
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "ring:16", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&star, "star:16", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&two, RWA_ALL_GATHER, 2, 0, 1, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_plan_make(&plan, net, &two, &o, NULL), RWA_BADARG);
    o.members = falling;
    CU_ASSERT_EQUAL(rwa_plan_make(&plan, net, &two, &o, NULL), RWA_BADARG);
    o.members = outside;
    CU_ASSERT_EQUAL(rwa_plan_make(&plan, net, &two, &o, NULL), RWA_BADARG);
    o.members = (const uint32_t[]){3, 5};
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, star, &two, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, 1); /* two nodes of a star send to each other at once */
    rwa_plan_free(plan);
    rwa_network_free(net);
    rwa_network_free(star);
}

/* ---- random cases ---- */

/** Whether light gets from one participant straight to another, told by walking. */
static bool joined(const rwa_network *net, const struct setting *s, uint32_t from, uint32_t to)
{
    uint32_t all = rwa_network_pairs(net), n = s->nodes;
    for (int dir = 0; dir < 2; dir++) {
        uint32_t hops = rwa_network_hops(net, from, to, (rwa_direction)dir), at = from;
        bool open = hops > 0 && (s->hops == 0 || hops <= s->hops);
        for (uint32_t k = 0; k < hops; k++) {
            uint32_t next = dir == RWA_CW ? (at + 1) % n : (at + n - 1) % n;
            open = open && !rwa_network_is_failed(net, dir == RWA_CW ? at : all + next);
            at = next;
        }
        if (open)
            return true;
    }
    return false;
}

static uint32_t node_of(const struct setting *s, uint32_t rank)
{
    return s->member_count > 0 ? s->members[rank] : rank;
}

/** Whether everyone can be told, over others that take part, what starts with `from`; against: whether all can tell it. */
static bool reaches_all(const rwa_network *net, const struct setting *s, uint32_t from, bool against)
{
    uint32_t count = participants(s), found = 1, order[NODES] = {from};
    bool seen[NODES] = {false};
    seen[from] = true;
    for (uint32_t i = 0; i < found; i++)
        for (uint32_t r = 0; r < count; r++) {
            uint32_t a = node_of(s, against ? r : order[i]), b = node_of(s, against ? order[i] : r);
            if (!seen[r] && joined(net, s, a, b)) {
                seen[r] = true;
                order[found++] = r;
            }
        }
    return found == count;
}

static bool is_possible(const struct setting *s)
{
    rwa_network *net = network_of(s);
    uint32_t root = participants(s) / 2 % 3;
    bool out = reaches_all(net, s, root, false), in = reaches_all(net, s, root, true);
    rwa_network_free(net);
    if (s->channel_count == s->wavelengths * s->fibers)
        return false;
    if (s->collective == RWA_BROADCAST || s->collective == RWA_SCATTER)
        return out;
    return s->collective == RWA_GATHER || s->collective == RWA_ROOTED_REDUCE ? in : out && in;
}

/** No lightpath of a schedule uses what is missing; told by walking it, link after link. */
static bool keeps_off(const rwa_schedule *all, const struct setting *s)
{
    const rwa_network *net = rwa_schedule_network(all);
    uint32_t links = rwa_network_pairs(net);
    for (uint64_t i = 0; i < rwa_schedule_records(all); i++) {
        rwa_lightpath lp;
        bool src = s->member_count == 0, dst = src;
        rwa_schedule_get(&lp, all, i);
        for (uint32_t r = 0; r < s->member_count; r++) {
            src = src || s->members[r] == lp.src;
            dst = dst || s->members[r] == lp.dst;
        }
        if (!src || !dst || rwa_network_is_reserved_everywhere(net, lp.fiber * s->wavelengths + lp.wavelength))
            return false;
        for (uint32_t v = lp.src; v != lp.dst;) {
            uint32_t next = lp.direction == RWA_CW ? (v + 1) % s->nodes : (v + s->nodes - 1) % s->nodes;
            if (rwa_network_is_failed(net, lp.direction == RWA_CW ? v : links + next))
                return false;
            v = next;
        }
    }
    return true;
}

static void look_at(const struct setting *s)
{
    rwa_plan *plan = plan_of(s);
    const rwa_plan_report *sum = rwa_plan_summary(plan);
    rwa_schedule *all = NULL;
    bool planned = rwa_plan_schedule(plan) != NULL, possible = is_possible(s);
    CU_ASSERT_EQUAL(planned, possible);
    if (planned != possible)
        printf("%u nodes, %u members, %u failed, %u hops, %s: %s\n", s->nodes, s->member_count, s->link_count, s->hops,
               rwa_collective_name(s->collective), sum->why);
    if (planned) {
        rwa_check_report verdict;
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&all, rwa_plan_schedule(plan), NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(report_schedule(&verdict, all, NULL, NULL), RWA_OK);
        CU_ASSERT(verdict.ok && keeps_off(all, s));
        CU_ASSERT(sum->bound.value <= sum->steps);
        CU_ASSERT_EQUAL(sum->outcome == RWA_OPTIMAL, sum->bound.value == sum->steps);
        rwa_schedule_free(all);
    } else {
        CU_ASSERT(sum->why[0] != '\0');
    }
    rwa_plan_free(plan);
}

static uint32_t below(uint64_t *seed, uint32_t count)
{
    return (uint32_t)base_random_below(seed, count);
}

static struct setting draw(uint64_t *seed)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE,
                                                RWA_BROADCAST,  RWA_SCATTER,    RWA_GATHER,         RWA_ALL_TO_ALL, RWA_ROOTED_REDUCE};
    struct setting s = {.kind = below(seed, 4) ? RWA_RING : RWA_LINE, .nodes = 3 + below(seed, 22),
                        .wavelengths = 1 + below(seed, 5), .fibers = 1 + below(seed, 2), .collective = kinds[below(seed, 9)]};
    uint32_t links = s.kind == RWA_RING ? s.nodes : s.nodes - 1, channels = s.wavelengths * s.fibers;
    if (below(seed, 2))
        for (uint32_t v = 0; v < s.nodes; v++)
            if (below(seed, 2) || (s.member_count < 2 && v + 2 >= s.nodes))
                s.members[s.member_count++] = v;
    if (below(seed, 2))
        for (uint32_t c = 0; c < channels; c++)
            if (!below(seed, 3))
                s.channels[s.channel_count++] = c;
    uint32_t how = below(seed, 5), at = below(seed, links);
    if (how == 1 || how == 2)
        s.links[s.link_count++] = at + (below(seed, 2) ? links : 0);
    if (how == 2)
        s.links[s.link_count++] = (s.links[0] + links) % (2 * links);
    for (uint32_t i = 0; how == 3 && i < 3; i++)
        s.links[s.link_count++] = below(seed, links);
    for (uint32_t i = 0; how == 4 && i < 2; i++)
        s.links[s.link_count++] = below(seed, 2 * links);
    return s;
}

static void at_random(void)
{
    uint64_t seed = 7;
    for (int i = 0; i < 400; i++) {
        struct setting s = draw(&seed);
        look_at(&s);
    }
}

/** With a limit of hops the members must not be too far apart, and no lightpath is longer. */
static void at_random_within_hops(void)
{
    uint64_t seed = 11;
    for (int i = 0; i < 200; i++) {
        struct setting s = draw(&seed);
        s.hops = 2 + below(&seed, 9);
        s.collective = RWA_ALL_GATHER;
        rwa_plan *plan = plan_of(&s);
        const rwa_plan_report *sum = rwa_plan_summary(plan);
        CU_ASSERT(!rwa_plan_schedule(plan) || (sum->longest_hops <= s.hops && sum->bound.value <= sum->steps && is_possible(&s)));
        CU_ASSERT(rwa_plan_schedule(plan) || sum->why[0] != '\0');
        rwa_plan_free(plan);
    }
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(like_a_smaller_ring), TEST(like_a_line), TEST(one_way_round), TEST(orbits_stay),
        TEST(refused_with_a_reason), TEST(bad_members), TEST(at_random), TEST(at_random_within_hops), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("parts", tests);
}
