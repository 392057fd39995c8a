/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fewest steps of any schedule on very small networks, found by trying all of them, against every bound in steps.
 * The search is kinder than a real schedule: load instead of wavelengths, and a node that gets the same contribution
 * twice does not mind.  So a bound above its answer would be above the true optimum too.
 */
#include "rwa/bound.h"

#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 5, LIGHTPATHS = 512, SEEN = 1 << 20 };

/** One instance; a state packs, for every node and block, which nodes' contributions to the block the node has. */
struct game {
    rwa_network_kind net;
    rwa_collective coll;
    unsigned channels, hops;
    unsigned bits;          /* of one node and block */
    uint64_t start, goal;
    uint64_t *seen;         /* states from which the goal is known to be too far, with the steps that were left */
    size_t used;
};

struct lightpath {
    uint64_t gain;          /* bits it adds to the state */
    unsigned links;         /* a set: clockwise in the low, counter-clockwise in the high half */
};

static uint64_t field(const struct game *g, unsigned node, unsigned block, uint64_t bits)
{
    return bits << ((node * (unsigned)g->coll.blocks + block) * g->bits);
}

static uint64_t get(const struct game *g, uint64_t state, unsigned node, unsigned block)
{
    return state >> ((node * (unsigned)g->coll.blocks + block) * g->bits) & ((UINT64_C(1) << g->bits) - 1);
}

static bool reduces(const struct game *g)
{
    return g->coll.kind == RWA_ALL_REDUCE || g->coll.kind == RWA_REDUCE_SCATTER;
}

static bool demands(const rwa_collective *c, unsigned node, unsigned block)
{
    switch (c->kind) {
    case RWA_REDUCE_SCATTER:
    case RWA_SCATTER:
        return rwa_collective_owner(c, block) == node;
    case RWA_GATHER:
        return c->root == node;
    case RWA_ALL_TO_ALL:
        return block % c->nodes == node;
    default:
        return true;
    }
}

static bool starts_with(const rwa_collective *c, unsigned node, unsigned block)
{
    return c->kind == RWA_SCATTER ? node == c->root : node == rwa_collective_owner(c, block);
}

static void set_up(struct game *g)
{
    unsigned n = g->coll.nodes;
    g->bits = reduces(g) ? n : 1;
    g->start = g->goal = 0;
    for (unsigned v = 0; v < n; v++)
        for (unsigned b = 0; b < g->coll.blocks; b++) {
            if (reduces(g))
                g->start |= field(g, v, b, UINT64_C(1) << v);
            else if (starts_with(&g->coll, v, b))
                g->start |= field(g, v, b, 1);
            if (demands(&g->coll, v, b))
                g->goal |= field(g, v, b, (UINT64_C(1) << g->bits) - 1);
        }
}

/** The links of a route, and how many; none on a line that ends before. */
static unsigned route(const struct game *g, unsigned src, unsigned dst, bool ccw, unsigned *hops)
{
    unsigned n = g->coll.nodes, links = 0;
    *hops = 0;
    for (unsigned at = src; at != dst; ++*hops) {
        unsigned link = ccw ? (at + n - 1) % n : at;
        if (g->net == RWA_LINE && link == n - 1)
            return 0;
        links |= 1u << (link + (ccw ? n : 0));
        at = ccw ? link : (at + 1) % n;
    }
    return *hops <= g->hops ? links : 0;
}

static unsigned useful(struct lightpath *list, const struct game *g, uint64_t state)
{
    unsigned count = 0, n = g->coll.nodes, hops;
    for (unsigned b = 0; b < g->coll.blocks; b++)
        for (unsigned src = 0; src < n; src++)
            for (unsigned dst = 0; dst < n; dst++) {
                uint64_t gain = get(g, state, src, b) & ~get(g, state, dst, b);
                for (int ccw = 0; gain && ccw < 2; ccw++) {
                    unsigned links = route(g, src, dst, ccw, &hops);
                    if (links)
                        list[count++] = (struct lightpath){field(g, dst, b, gain), links};
                }
            }
    return count;
}

static bool load(unsigned *used, unsigned links, const struct game *g)
{
    for (unsigned l = 0; l < 2 * g->coll.nodes; l++)
        if ((links >> l & 1) && used[l] == g->channels)
            return false;
    for (unsigned l = 0; l < 2 * g->coll.nodes; l++)
        used[l] += links >> l & 1;
    return true;
}

static void unload(unsigned *used, unsigned links, const struct game *g)
{
    for (unsigned l = 0; l < 2 * g->coll.nodes; l++)
        used[l] -= links >> l & 1;
}

static bool reachable(struct game *g, uint64_t state, unsigned steps);

/** Whether one more lightpath would help and fit; then the set with it is tried as well, and is no worse. */
static bool has_room(const struct lightpath *list, unsigned count, const unsigned *used, uint64_t state,
                     const struct game *g)
{
    for (unsigned i = 0; i < count; i++) {
        bool fits = (list[i].gain & ~state) != 0;
        for (unsigned l = 0; fits && l < 2 * g->coll.nodes; l++)
            fits = !(list[i].links >> l & 1) || used[l] < g->channels;
        if (fits)
            return true;
    }
    return false;
}

/** Try every set of the lightpaths from `from` on, beside those whose load and gain are given. */
static bool choose(struct game *g, const struct lightpath *list, unsigned count, unsigned from, unsigned *used,
                   uint64_t state, unsigned steps)
{
    if ((state & g->goal) == g->goal)
        return true;
    for (; from < count; from++) {
        if ((list[from].gain & ~state) == 0 || !load(used, list[from].links, g))
            continue;
        bool found = choose(g, list, count, from + 1, used, state | list[from].gain, steps);
        unload(used, list[from].links, g);
        if (found)
            return true;
    }
    return steps > 0 && !has_room(list, count, used, state, g) && reachable(g, state, steps);
}

/** Whether this state was tried before with as many steps left; otherwise it is noted. */
static bool tried(struct game *g, uint64_t state, unsigned steps)
{
    size_t i = (size_t)((state * 0x9E3779B97F4A7C15u + steps) >> 40) % SEEN;
    while (g->seen[2 * i + 1] != 0 && (g->seen[2 * i] != state || g->seen[2 * i + 1] != steps))
        i = (i + 1) % SEEN;
    if (g->seen[2 * i + 1] != 0)
        return true;
    if (++g->used >= SEEN)
        CU_FAIL_FATAL("the search needs a larger table");
    g->seen[2 * i] = state;
    g->seen[2 * i + 1] = steps;
    return false;
}

static bool reachable(struct game *g, uint64_t state, unsigned steps)
{
    struct lightpath list[LIGHTPATHS];
    unsigned used[2 * NODES] = {0};
    if (tried(g, state, steps))
        return false;
    return choose(g, list, useful(list, g, state), 0, used, state, steps - 1);
}

static unsigned optimum(struct game *g)
{
    for (unsigned steps = 1;; steps++) {
        memset(g->seen, 0, 2 * SEEN * sizeof *g->seen);
        g->used = 0;
        if (reachable(g, g->start, steps))
            return steps;
    }
}

static unsigned tested, reached;

static void compare(struct game *g, const char *title)
{
    rwa_bound list[32];
    rwa_network_options no;
    rwa_bound_options bo;
    rwa_network *net = NULL;
    size_t count = 0;
    uint64_t best = 0;
    rwa_network_options_init(&no);
    no.wavelengths = g->channels;
    rwa_bound_options_init(&bo);
    bo.max_hops = g->hops;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, g->net, g->coll.nodes, &no, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_bounds(list, 32, &count, net, &g->coll, &bo, NULL), RWA_OK);
    unsigned steps = optimum(g);
    for (size_t i = 0; i < count; i++)
        if (list[i].holds && strcmp(list[i].unit, "steps") == 0) {
            CU_ASSERT(list[i].value <= steps);
            if (list[i].value > steps)
                printf("%s: %s says %u, but %u steps suffice\n", title, list[i].name, (unsigned)list[i].value, steps);
            best = list[i].value > best ? list[i].value : best;
        }
    tested++;
    reached += best == steps;
    if (best != steps && getenv("RWA_TEST_VERBOSE"))
        printf("%s: bound %u, optimum %u\n", title, (unsigned)best, steps);
    rwa_network_free(net);
}

static uint64_t *seen;

static void play(rwa_network_kind net, rwa_collective_kind kind, unsigned nodes, unsigned root, uint64_t blocks,
                 unsigned channels, unsigned hops)
{
    struct game g = {.net = net, .channels = channels, .hops = hops, .seen = seen};
    char title[128];
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&g.coll, kind, nodes, root, 1, blocks, NULL), RWA_OK);
    snprintf(title, sizeof title, "%s on %s:%u, root %u, %u blocks, %u channels, %u hops", rwa_collective_name(kind),
             rwa_network_kind_name(net), nodes, root, (unsigned)g.coll.blocks, channels, hops);
    set_up(&g);
    compare(&g, title);
}

/** Every hop limit and both kinds of network. */
static void play_all(rwa_collective_kind kind, unsigned nodes, unsigned roots, uint64_t blocks, unsigned channels)
{
    for (unsigned root = 0; root < roots; root++)
        for (unsigned hops = 1; hops < nodes; hops++) {
            play(RWA_LINE, kind, nodes, root, blocks, channels, hops);
            if (root == 0)
                play(RWA_RING, kind, nodes, root, blocks, channels, hops);
        }
}

static void without_root(void)
{
    for (unsigned w = 1; w <= 2; w++) {
        for (unsigned n = 2; n <= 5; n++)
            play_all(RWA_ALL_GATHER, n, 1, 0, w);
        for (unsigned n = 2; n <= 4; n++)
            play_all(RWA_ALL_REDUCE, n, 1, 1, w);
        for (unsigned n = 2; n <= 3; n++) {
            play_all(RWA_REDUCE_SCATTER, n, 1, 0, w);
            play_all(RWA_ALL_REDUCE, n, 1, n, w);
            play_all(RWA_ALL_TO_ALL, n, 1, 0, w);
        }
    }
}

static void with_root(void)
{
    for (unsigned n = 2; n <= 5; n++)
        for (unsigned w = 1; w <= 2; w++) {
            play_all(RWA_SCATTER, n, (n + 1) / 2, 0, w);
            play_all(RWA_GATHER, n, (n + 1) / 2, 0, w);
            for (unsigned blocks = 1; blocks <= 3; blocks++)
                play_all(RWA_BROADCAST, n, (n + 1) / 2, blocks, w);
        }
}

static void are_tight(void)
{
    printf("bound reached in %u of %u cases ", reached, tested);
    CU_ASSERT(reached > tested / 2);
}

int main(void)
{
    unsigned failures = 1;
    seen = calloc(2 * (size_t)SEEN, sizeof *seen);
    if (!seen || CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("optimum", NULL, NULL);
    if (suite && CU_add_test(suite, "without root", without_root) && CU_add_test(suite, "with root", with_root) &&
        CU_add_test(suite, "are tight", are_tight)) {
        CU_basic_run_tests();
        failures = CU_get_number_of_failures();
    }
    CU_cleanup_registry();
    free(seen);
    return failures != 0;
}
