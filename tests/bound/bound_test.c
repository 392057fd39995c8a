/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/case.h"

#include "tests/support/bounds.h"

enum { PLAIN = 64 };

/** The bound of this name; value 0: it does not apply.  As if a schedule of one step were known: what is costly has its
 *  own test, link_capacity_test.c. */
static rwa_bound named(const char *name, struct request r)
{
    struct bound_task t = bound_task_of(&r);
    struct rwa_bounds list = {.side = NULL};
    rwa_bound found = {0};
    OK(bound_list_for(&list, t.net, &t.coll, &t.opts, 1, NULL));
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.at[i].bound.name, name) == 0)
            found = list.at[i].bound;
    return found;
}

#define value_on(name, ...) named(name, request_of(__VA_ARGS__)).value

/** The recurrences as they stand, every split tried. */
static uint64_t plain_tree(bool ring, size_t n, uint64_t w, size_t hops)
{
    const uint64_t far = UINT64_MAX / 1024;
    uint64_t c[PLAIN + 1], d[PLAIN + 1], a[PLAIN + 1], next[PLAIN + 1];
    for (size_t g = 0; g <= n; g++) {
        c[g] = g <= 1 ? 0 : far;
        d[g] = g == 0 ? 0 : far;
    }
    for (uint64_t t = 1;; t++) {
        a[0] = 0;
        for (size_t x = 1; x <= n; x++) {
            a[x] = far;
            for (size_t y = 0; y < x && (hops == 0 || x <= hops); y++)
                if (x + a[y] + c[x - y] < a[x])
                    a[x] = x + a[y] + c[x - y];
        }
        for (size_t g = 0; g <= n; g++) {
            next[g] = far;
            for (size_t y = 0; y <= g; y++)
                if (a[y] + d[g - y] < next[g])
                    next[g] = a[y] + d[g - y];
        }
        memcpy(d, next, sizeof d[0] * (n + 1));
        for (size_t g = 0; g <= n; g++) {
            next[g] = far;
            for (size_t y = 0; y <= g; y++)
                for (size_t z = 0; y + z <= g; z++)
                    if (a[y] + c[g - y - z] + a[z] < next[g])
                        next[g] = a[y] + c[g - y - z] + a[z];
        }
        memcpy(c, next, sizeof c[0] * (n + 1));
        uint64_t sides = 0;
        for (size_t owner = 0; owner < n; owner++)
            sides += d[owner] + d[n - 1 - owner];
        if (ring ? c[n] <= 2 * w * t : sides <= 2 * (n - 1) * w * t)
            return t;
    }
}

static void fast_is_plain(void)
{
    static const uint32_t ws[] = {1, 2, 3, 8}, hs[] = {0, 1, 2, 5};
    for (uint32_t n = 2; n <= 60; n += n < 20 ? 1 : 5)
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++)
                for (int ring = 0; ring < 2; ring++)
                    CU_ASSERT_EQUAL(
                        value_on("broadcast-tree", "%s:%u w=%u hops=%u", ring ? "ring" : "line", n, ws[i], hs[j]),
                        plain_tree(ring, n, ws[i], hs[j]));
}

static uint64_t up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static void recount(void)
{
    for (uint32_t n = 2; n <= 200; n++) {
        uint64_t hops = 0, fullest = 0;
        for (uint32_t s = 0; s < n; s++)
            for (uint32_t d = 0; d < n; d++) {
                uint32_t gap = s < d ? d - s : s - d;
                hops += gap < n - gap ? gap : n - gap;
            }
        for (uint32_t link = 0; link + 1 < n; link++) {
            uint64_t load = 0;
            for (uint32_t s = 0; s <= link; s++)
                load += n - 1 - link;
            fullest = load > fullest ? load : fullest;
        }
        rwa_bound lemma = named("lemma1-ring", request_of("ring:%u", n));
        CU_ASSERT(lemma.value == up((uint64_t)n * n, 8) && lemma.holds == (n % 2 == 0));
        CU_ASSERT_EQUAL(value_on("ring-alltoall-exact", "ring:%u", n), up(hops, 2 * n));
        CU_ASSERT_EQUAL(value_on("load", "ring:%u f=3", n), up(up(hops, 2 * n), 3));
        CU_ASSERT_EQUAL(value_on("lemma1-line", "line:%u", n), fullest);
        CU_ASSERT_EQUAL(value_on("load", "line:%u f=2", n), up(fullest, 2));
        CU_ASSERT_EQUAL(value_on("receive", "ring:%u f=2 w=3", n), up(n - 1, 12));
        CU_ASSERT_EQUAL(value_on("receive", "line:%u f=2 w=3", n), up(n - 1, 6));
    }
}

static void large_and_refused(void)
{
    struct request r = request_of("ring:1024 bytes=1");
    struct bound_task t = bound_task_of(&r);
    rwa_bound best;
    /* as many as a node must receive */
    CU_ASSERT_EQUAL(value_on("broadcast-tree", "ring:16777216 w=1"), 1u << 23);
    CU_ASSERT_EQUAL(value_on("receive", "ring:16777216 w=1"), 1u << 23);
    CU_ASSERT_EQUAL(value_on("ring-alltoall-exact", "ring:16777216 w=1"), (uint64_t)1 << 45);
    OK(rwa_bound_best(&best, t.net, &t.coll, NULL, NULL));
    CU_ASSERT(best.value == 19 && strcmp(best.name, "broadcast-tree") == 0);
    t.coll.nodes = 16;
    CU_ASSERT_EQUAL(rwa_bound_best(&best, t.net, &t.coll, NULL, NULL), RWA_BADARG);
}

/** The node behind a link that lost a direction hears all others the long way round: the farthest N - 1 links away, and
 *  the one before the break as far.  Channels are many, so that distances alone count. */
static void distances_go_round_a_break(void)
{
    for (uint32_t n = 3; n <= 24; n++)
        for (uint32_t hops = 1; hops < n; hops++)
            for (uint32_t link = 0; link < 2 * n; link += n - 1)
                CU_ASSERT_EQUAL(value_on("receive", "ring:%u links=%u hops=%u", n, link, hops), up(n - 1, hops));
    CU_ASSERT_EQUAL(value_on("receive", "torus:8 links=2 hops=1"), 7);
}

/** The blocks whose owner is on the side that sends and that somebody on the other side needs, over the channels of the
 *  links that lead there: both counted here, one by one, they give bound i. */
static void expect_sum(const rwa_bounds *list, size_t i, const struct bound_task *t, const char *line)
{
    uint64_t channels = 0, crossing = 0, n = t->coll.nodes;
#define SENDS(v) rwa_bounds_sends(list, i, t->opts.members ? t->opts.members[v] : (uint32_t)(v))
    for (uint32_t l = 0; l < rwa_network_links(t->net); l++) {
        rwa_link ends = rwa_network_link(t->net, l);
        if (rwa_bounds_sends(list, i, ends.from) == 1 && rwa_bounds_sends(list, i, ends.to) == 0 &&
            !rwa_network_is_failed(t->net, l))
            channels += (uint64_t)ends.fibers * rwa_network_wavelengths(t->net);
    }
    for (uint64_t b = 0; b < t->coll.blocks; b++) {
        int needed = 0;
        for (uint32_t v = 0; v < n; v++)
            needed |= SENDS(v) == 0 && (t->coll.kind == RWA_ALL_TO_ALL ? b % n == v :
                                        t->coll.kind != RWA_GATHER || v == t->coll.root);
        crossing += needed && SENDS(rwa_collective_owner(&t->coll, b)) == 1;
    }
    const rwa_bound *b = rwa_bounds_get(list, i);
    CU_ASSERT_FATAL(channels > 0);
    if (b->value != up(crossing, channels))
        fprintf(stderr, "%s: %s %llu, %llu over %llu\n", line, b->name, (unsigned long long)b->value,
                (unsigned long long)crossing, (unsigned long long)channels);
    CU_ASSERT_EQUAL(b->value, up(crossing, channels));
}

/** Bounds over a cut or at a node say which nodes they divide, the latter one from all others; no other bound does. */
static void cuts_are_the_sum_of_their_links(void)
{
    static const char *const lines[] = {
        "ring:16 w=2", "ring:7 w=1 f=2", "ring:16 w=2 broadcast root=3", "ring:12 w=1 links=4",
        "ring:12 w=2 links=4,16", "ring:12 w=1 all-to-all", "ring:20 w=1 members=2,3,9,15", "line:9 w=1",
        "line:12 w=1 members=4,5,8", "line:8 w=1 gather root=2", "torus:8 w=1", "torus:4x6 w=1 all-to-all",
        "torus:4x4 w=1 broadcast root=5", "mesh:4x5 w=1", "mesh:3x7 w=1 all-to-all", "hypercube:4 w=1",
        "nsfnet14-21 w=2", "nsfnet14-21 w=1 all-to-all", "germany17-26 w=1 all-to-all",
        "germany17-26 w=2 members=0,3,5,9", "usa100-171 w=1", "usa100-171 w=4 all-to-all",
        "links:0-1,1-2x3,2-3,3-0,1>3 w=1", "links:0-1,1-2,2-0,2-3,3-4,4-5,5-3 w=2 all-to-all"};
    for (size_t k = 0; k < COUNT(lines); k++) {
        struct request r = request_of("%s", lines[k]);
        struct bound_task t = bound_task_of(&r);
        const rwa_bounds *list = bounds_for(r);
        size_t cuts = 0;
        for (size_t i = 0; i < rwa_bounds_count(list); i++) {
            const char *name = rwa_bounds_get(list, i)->name;
            bool cut = strcmp(name, "cut") == 0, node = strcmp(name, "receive") == 0 || strcmp(name, "send") == 0;
            uint32_t nodes = rwa_network_nodes(t.net), senders = 0;
            for (uint32_t v = 0; v < nodes; v++)
                senders += rwa_bounds_sends(list, i, v) == 1;
            CU_ASSERT_EQUAL(senders > 0 && senders < nodes, cut || node || strcmp(name, "pairs") == 0);
            if (node && !t.opts.members)
                CU_ASSERT_EQUAL(senders, *name == 's' ? 1 : nodes - 1);
            if (cut || node)
                expect_sum(list, i, &t, lines[k]);
            cuts += cut;
        }
        CU_ASSERT_EQUAL(cuts, 1);
    }
}

TESTS("bound", fast_is_plain, recount, large_and_refused, distances_go_round_a_break,
      cuts_are_the_sum_of_their_links)
