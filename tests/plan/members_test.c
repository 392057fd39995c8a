/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans among some of the nodes, beside reserved channels and failed links: known cases, and many random ones. */
#include "base/base.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

/* ---- known cases ---- */

/** A wavefront of the members is one of a small ring, and a channel less is a wavelength less. */
static void like_a_smaller_ring(void)
{
    static const char *const kinds[] = {"all-gather", "reduce-scatter", "all-reduce"};
    for (size_t k = 0; k < 3; k++)
        for (uint32_t n = 2; n < 14; n += 3)
            for (uint32_t w = 1; w < 4; w++) {
                struct request among =
                    request_of("ring:%u w=%u reserved=0,%u %s by wavefront", 2 * n + 5, w + 2, w, kinds[k]);
                for (uint32_t i = 0; i < n; i++)
                    among.members.at[among.members.count++] = i < n / 2 ? i + 1 : n + i + 3;
                CU_ASSERT_EQUAL(rwa_plan_summary(plan_for(among))->steps,
                                steps_on("ring:%u w=%u %s by wavefront", n, w, kinds[k]));
            }
}

/** A ring whose link failed both ways is a line that begins behind it, on which one scheme more plans. */
static void like_a_line(void)
{
    for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
        for (uint32_t n = 3; n < 14; n++)
            for (uint32_t cut = 0; cut < n; cut += 4) {
                const char *name = rwa_collective_name(kind);
                if (!rwa_collective_has_root(kind) || cut + 1 == n) /* the root keeps its place */
                    CU_ASSERT(steps_on("ring:%u w=2 root=%u failed=%u %s", n, n / 2 % 3, cut, name) <=
                              steps_on("line:%u w=2 root=%u %s", n, n / 2 % 3, name));
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
        for (uint32_t w = 1; w < 6; w++, all++) {
            uint32_t steps = steps_on("ring:%u w=%u links=1,3 by wavefront", n, w), fewest = fewest_one_way(n, w);
            CU_ASSERT(steps >= fewest && steps <= fewest + 1);
            over += steps > fewest;
        }
    CU_ASSERT(over * 4 < all);
}

static void steps_are_known(void)
{
    static const struct known rows[] = {
        /* Leaves of a star of fibres, one block on a lightpath: each takes in k - 1 blocks over its one link, and sends
           as many. */
        {"tree:7x1 w=1 load=1 members=1,2", 1}, {"tree:7x1 w=1 load=1 members=1,2,3,4", 3},
        {"tree:7x1 w=1 load=1 members=1,2,3,4,5,6,7", 6},
        /* With one port and one block on a lightpath an all-gather among four takes three steps, wherever they are. */
        {"nsfnet14-21 w=4 ports=1 load=1 members=0,5,9,13", 3},
        {"star:16 members=3,5", 1}, /* two nodes send to each other at once */
        /* A second fibre of one link, whose channels are reserved, is as good as none. */
        {"links:0-1x2,1-2,2-0 w=2 reserved=2,3", 1}};
    take_steps(rows, COUNT(rows), OPTIMAL);
    CU_ASSERT_PTR_NULL(
        rwa_schedule_members(schedule_on("torus:3x3 w=2 members=0,1,2,3,4,5,6,7,8"))); /* nothing is different */
}

/** In fewer, larger blocks an all-reduce takes fewer steps: among four rows of a torus it stays within 2.2 of its
 *  bound, in the usual number of blocks it takes 2.5; on a whole torus and on a listed network likewise. */
static void sums_in_the_number_of_blocks_that_is_quickest(void)
{
    static const struct { const char *request; double most;
    } rows[] = {
        {"torus:6x6 w=2 members=0,1,2,3,4,5,6,7,8,9,10,11,18,19,20,21,22,23,24,25,26,27,28,29 all-reduce bytes=1000000",
         2.2},
        {"torus:8x8 w=4 all-reduce bytes=1000000", 2.0},
        {"nobel-eu28-41 w=2 all-reduce bytes=1000000", 2.5}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const rwa_plan_report *r = report_on("%s", rows[i].request);
        CU_ASSERT(r->time_s <= rows[i].most * r->time_bound_s);
    }
}

/** Orbits stay where reserved channels let them, so large networks stay small. */
static void orbits_stay(void)
{
    const rwa_schedule *sched = schedule_on("ring:1024 w=64 reserved=3,17,40 by wavefront");
    CU_ASSERT_EQUAL(rwa_schedule_lightpaths(sched), 1024u * 1023u);
    CU_ASSERT(rwa_schedule_records(sched) < 1024u * 1023u / 8);
}

static void refused_with_a_reason(void)
{
    static const char *const requests[][2] = {{"ring:6 w=2 reserved=0,1", "all 2 channels are reserved"},
                                              {"ring:6 w=2 failed=1,4 broadcast", "no way from node 1 to node 2"},
                                              {"ring:12 w=2 hops=4 members=0,1,6", "more than max_hops 4"},
                                              {"ring:6 w=2 failed=cw:1,ccw:4", "no way from node 1 to node 2"},
                                              {"ring:6 w=2 failed=cw:1,ccw:4 by wavefront",
                                               "no way from node 1 to node 2"},
                                              {"ring:16 members=3,2", "BADARG"},
                                              {"ring:16 members=3,16", "BADARG"}};
    for (size_t i = 0; i < COUNT(requests); i++)
        expect_part(refusal_on("%s", requests[i][0]), requests[i][1]);
}

/* Seven open channels of eight carry light, and the reserved one none. */
static void reserved_on_a_star(void)
{
    const rwa_schedule *sched = schedule_on("star:8 w=8 reserved=3 load=1");
    bool used = false;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++)
        used = used || lightpath_of(sched, i).wavelength == 3;
    CU_ASSERT_FALSE(used);
}

/** Links that are alike, without what failed or is reserved, are a network like any other: schemes that know of neither
 *  plan on it. */
static void what_is_left_is_a_network(void)
{
    static const char *const specs[] = {"nsfnet14-21", "circulant:9:1,3", "mesh:3x4"}, *const faults[] = {"reserved=1",
                                                                                                          "links=4",
                                                                                                          "links=4,5"};
    for (size_t i = 0; i < COUNT(specs); i++)
        for (size_t k = 0; k < COUNT(faults); k++)
            CU_ASSERT(time_on("%s w=4 %s bytes=100000 by logical-topology", specs[i], faults[k]) > 0);
}

/* ---- random cases ---- */

/** Half of the nodes, two at least. */
static void choose_members(struct request *r)
{
    uint32_t nodes = rwa_network_nodes(request_network(*r));
    for (uint32_t v = 0; v < nodes; v++)
        if (any(2) || (r->members.count < 2 && v + 2 >= nodes))
            r->members.at[r->members.count++] = v;
}

/* Which nodes take part makes no difference where every pair is one hop apart: as many steps, the same time, the same
   bound. */
static void one_hop_apart(void)
{
    static const char *const specs[][2] = {{"star:9", "star:%u"},    {"star:16", "star:%u"}, {"ocs:8x3", "ocs:%ux3"},
                                           {"ocs:12x2", "ocs:%ux2"}, {"ron:9", "ron:%u"},    {"ron:16", "ron:%u"}};
    seed = 11;
    for (int i = 0; i < 100; i++) {
        uint32_t which = any(6);
        rwa_collective_kind kind = (rwa_collective_kind)(RWA_ALL_GATHER + any(7));
        struct request r = request_of("%s w=%u ports=%u load=1 %s", specs[which][0], 1 + any(4),
                                      any(3), rwa_collective_name(kind)),
                       alone = r;
        choose_members(&r);
        r.root = alone.root = rwa_collective_has_root(kind) ? (uint32_t)r.members.count - 1 : 0;
        snprintf(alone.spec, sizeof alone.spec, specs[which][1], (unsigned)r.members.count);
        const rwa_plan_report *s = rwa_plan_summary(plan_for(r)), *other = rwa_plan_summary(plan_for(alone));
        CU_ASSERT(s->steps == other->steps && s->time_s == other->time_s && s->bound.value == other->bound.value);
    }
}

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

/** Whether all who must can inform all who must be informed, by lightpaths within the limit of hops, from member to
 *  member. */
static bool is_possible(const struct request *r)
{
    bool reached[NUMBERS_MOST][NUMBERS_MOST];
    const rwa_network *net = request_network(*r);
    uint32_t hops[NUMBERS_MOST], count = r->members.count ? (uint32_t)r->members.count : rwa_network_nodes(net);
    bool out = r->kind != RWA_GATHER && r->kind != RWA_ROOTED_REDUCE,
         in = r->kind != RWA_BROADCAST && r->kind != RWA_SCATTER;
    bool possible = r->reserved.count < rwa_network_channels(net);
    for (uint32_t a = 0; a < count; a++) {
        walk(hops, net, r->members.count ? r->members.at[a] : a);
        for (uint32_t b = 0; b < count; b++)
            reached[a][b] = hops[r->members.count ? r->members.at[b] : b] <=
                            (r->options.max_hops ? r->options.max_hops : NUMBERS_MOST);
    }
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; b < count; b++)
                reached[a][b] = reached[a][b] || (reached[a][k] && reached[k][b]);
    for (uint32_t v = 0; v < count; v++)
        possible = possible && (!out || reached[r->root][v]) && (!in || reached[v][r->root]);
    return possible;
}

static struct request draw(bool listed)
{
    static const char *const specs[] = {"mesh:3x4", "torus:3x4",       "hypercube:3",
                                        "tree:2x2", "circulant:9:1,3", "nsfnet14-21"};
    rwa_collective_kind kind = (rwa_collective_kind)(RWA_ALL_GATHER + any(RWA_ROOTED_REDUCE));
    struct request r = request_of("%s:%u w=%u f=%u limit=60 %s", any(4) ? "ring" : "line", 3 + any(22),
                                  1 + any(5), listed ? 1 : 1 + any(2), rwa_collective_name(kind));
    if (listed) {
        strcpy(r.spec, specs[any(6)]);
        r.network.ports = any(3);
        r.options.lightpath_blocks = 1;
    }
    const rwa_network *net = request_network(r);
    uint32_t links = rwa_network_links(net), failed = any(2) * any(4), nodes = rwa_network_nodes(net);
    if (listed || any(2))
        choose_members(&r);
    for (uint32_t c = 0; c < rwa_network_channels(net) && !listed && failed % 2; c++)
        if (any(3) == 0)
            r.reserved.at[r.reserved.count++] = c;
    while (failed-- > 0)
        r.links.at[r.links.count++] = any(links);
    r.root = rwa_collective_has_root(kind) ? any(r.members.count ? (uint32_t)r.members.count : nodes) : 0;
    return r;
}

/* A plan if and only if one is possible.  On listed links of which some failed one way, "nearest" misses one in a
 * hundred of those that are possible where all nodes can inform each other, members or not. */
static void at_random(void)
{
    seed = 5;
    unsigned none = 0, missed = 0;
    for (int i = 0; i < 1000; i++) {
        bool listed = i % 2;
        struct request r = draw(listed), whole;
        if (i % 5 == 0) {
            r.options.max_hops = (listed ? 1 : 2) + any(listed ? 3 : 9);
            r.kind = RWA_ALL_GATHER;
            r.root = 0;
        }
        whole = r;
        if (listed) {
            whole.kind = RWA_ALL_GATHER;
            whole.members.count = whole.root = 0;
        }
        bool planned = plan_if_any(r) != NULL, possible = is_possible(&r);
        CU_ASSERT(planned ? possible : !possible || listed);
        missed += !planned && possible && is_possible(&whole);
        none += !planned;
    }
    CU_ASSERT(none > 50 && missed <= 10);
}

TESTS("members", like_a_smaller_ring, like_a_line, one_way_round, steps_are_known,
      sums_in_the_number_of_blocks_that_is_quickest, orbits_stay, refused_with_a_reason, reserved_on_a_star,
      what_is_left_is_a_network, one_hop_apart, at_random)
