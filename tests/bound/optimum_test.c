/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fewest steps of any schedule on very small networks, found by trying all of them, against every bound in steps.
 * The search is kinder than a real schedule: load instead of wavelengths, and a node that gets the same contribution
 * twice does not mind.  So a bound above its answer would be above the true optimum too.
 */

#include "base/base.h"

#include "tests/support/plans.h"
#include "tests/support/bounds.h"
#include "tests/support/suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 6, LINKS = 12, ROUTES = 256, LIGHTPATHS = 4096, SEEN = 1 << 20 };

struct route {
    unsigned src;
    unsigned readers, links;    /* sets of nodes and of directed links */
};

/** One instance; a state packs, for every node and block, which nodes' contributions to the block the node has. */
struct game {
    rwa_network *net;
    const uint32_t *members;    /* NULL: all nodes */
    struct route routes[ROUTES];
    unsigned route_count;
    rwa_collective coll;
    unsigned channels, hops, drops, slots;
    unsigned bits;          /* of one node and block */
    uint64_t start, goal;
    uint64_t *seen;         /* states from which the goal is known to be too far, with the steps that were left */
    size_t used;
};

struct lightpath {
    uint64_t gain;          /* bits it adds to the state */
    unsigned links;
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
    return rwa_collective_is_reduction(g->coll.kind);
}

static bool demands(const rwa_collective *c, unsigned node, unsigned block)
{
    switch (c->kind) {
    case RWA_REDUCE_SCATTER:
    case RWA_SCATTER:
        return rwa_collective_owner(c, block) == node;
    case RWA_GATHER:
    case RWA_ROOTED_REDUCE:
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

static unsigned number_in(unsigned set)
{
    return set == 0 ? 0 : 1 + number_in(set & (set - 1));
}

/** Every simple path on from `at`, its last node, that the hop limit allows, with every choice of `drops` nodes at most that
 *  read it; those before `at` are `taps`. */
static void find_routes(struct game *g, unsigned src, unsigned at, struct route so_far, unsigned hops, unsigned visited)
{
    struct route read = {src, so_far.readers | (at != src ? 1u << at : 0), so_far.links};
    if (at != src && number_in(read.readers) <= g->drops) {
        CU_ASSERT_FATAL(g->route_count < ROUTES);
        g->routes[g->route_count++] = read;
    }
    for (unsigned l = 0; l < rwa_network_links(g->net) && hops < g->hops; l++) {
        rwa_link link = rwa_network_link(g->net, l);
        if (link.from != at || (visited >> link.to & 1) || rwa_network_is_failed(g->net, l))
            continue;
        struct route on = {src, so_far.readers, so_far.links | 1u << l}, tapped = {src, read.readers, on.links};
        find_routes(g, src, link.to, on, hops + 1, visited | 1u << link.to);
        if (at != src && number_in(read.readers) < g->drops)
            find_routes(g, src, link.to, tapped, hops + 1, visited | 1u << link.to);
    }
}

static void set_up(struct game *g)
{
    unsigned n = g->coll.nodes;
    g->bits = reduces(g) ? n : 1;
    CU_ASSERT_FATAL(rwa_network_nodes(g->net) * g->coll.blocks * g->bits <= 64);
    g->start = g->goal = 0;
    for (unsigned r = 0; r < n; r++)
        for (unsigned b = 0; b < g->coll.blocks; b++) {
            unsigned v = g->members ? g->members[r] : r;
            if (reduces(g))
                g->start |= field(g, v, b, UINT64_C(1) << r);
            else if (starts_with(&g->coll, r, b))
                g->start |= field(g, v, b, 1);
            if (demands(&g->coll, r, b))
                g->goal |= field(g, v, b, (UINT64_C(1) << g->bits) - 1);
        }
    for (unsigned v = 0; v < rwa_network_nodes(g->net); v++)
        find_routes(g, v, v, (struct route){v, 0, 0}, 0, 1u << v);
}

/** One lightpath more; of two over the same links the one whose readers gain more stands for both. */
static unsigned add(struct lightpath *list, unsigned count, struct lightpath more)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i].links == more.links && ((list[i].gain & more.gain) == list[i].gain || (list[i].gain & more.gain) == more.gain)) {
            list[i].gain |= more.gain;
            return count;
        }
    if (count == LIGHTPATHS)
        CU_FAIL_FATAL("more lightpaths than expected");
    list[count] = more;
    return count + 1;
}

static uint64_t gain_of(const struct game *g, uint64_t state, const struct route *r, unsigned block)
{
    uint64_t gain = 0;
    for (unsigned v = 0; v < NODES; v++)
        if (r->readers >> v & 1)
            gain |= field(g, v, block, get(g, state, r->src, block) & ~get(g, state, v, block));
    return gain;
}

static unsigned add_full(struct lightpath *list, unsigned count, const struct game *g, uint64_t state, const struct route *r)
{
    uint64_t gain = 0;
    for (unsigned b = 0; b < g->coll.blocks; b++)
        gain |= gain_of(g, state, r, b);
    return gain ? add(list, count, (struct lightpath){gain, r->links}) : count;
}

/** A lightpath over the route with some of the blocks from `block` on, `slots` of them at most, beside those it has. */
static unsigned load_blocks(struct lightpath *list, unsigned count, const struct game *g, uint64_t state, const struct route *r,
                            unsigned block, unsigned slots, uint64_t gain)
{
    if (gain)
        count = add(list, count, (struct lightpath){gain, r->links});
    if (slots >= g->coll.blocks) /* all there are, on the fullest lightpath alone */
        return add_full(list, count, g, state, r);
    for (unsigned b = block; b < g->coll.blocks && slots > 0; b++) {
        uint64_t more = gain_of(g, state, r, b);
        if (more)
            count = load_blocks(list, count, g, state, r, b + 1, slots - 1, gain | more);
    }
    return count;
}

static unsigned useful(struct lightpath *list, const struct game *g, uint64_t state)
{
    unsigned count = 0;
    for (unsigned i = 0; i < g->route_count; i++)
        count = load_blocks(list, count, g, state, &g->routes[i], 0, g->slots, 0);
    return count;
}

static bool load(unsigned *used, unsigned links, const struct game *g)
{
    for (unsigned l = 0; l < LINKS; l++)
        if ((links >> l & 1) && used[l] == g->channels)
            return false;
    for (unsigned l = 0; l < LINKS; l++)
        used[l] += links >> l & 1;
    return true;
}

static void unload(unsigned *used, unsigned links)
{
    for (unsigned l = 0; l < LINKS; l++)
        used[l] -= links >> l & 1;
}

static bool reachable(struct game *g, uint64_t state, unsigned steps);

/** Whether one more lightpath would help and fit; then the set with it is tried as well, and is no worse. */
static bool has_room(const struct lightpath *list, unsigned count, const unsigned *used, uint64_t state,
                     const struct game *g)
{
    for (unsigned i = 0; i < count; i++) {
        bool fits = (list[i].gain & ~state) != 0;
        for (unsigned l = 0; fits && l < LINKS; l++)
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
        unload(used, list[from].links);
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
    unsigned used[LINKS] = {0};
    if (tried(g, state, steps))
        return false;
    return choose(g, list, useful(list, g, state), 0, used, state, steps - 1);
}

static unsigned optimum(struct game *g)
{
    for (unsigned steps = 1; steps < 20; steps++) {
        memset(g->seen, 0, 2 * SEEN * sizeof *g->seen);
        g->used = 0;
        if (reachable(g, g->start, steps))
            return steps;
    }
    return 0;
}

/** The schedule found takes that long at most, each step as long as its fullest lightpath may be, and perhaps an epoch of its own. */
static void compare_times(const struct game *g, const rwa_bound_options *bo, unsigned steps, const char *title)
{
    static const rwa_cost_prices prices[] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 1, 1, 0}, {0, 1, 0.1, 0}, {0, 0.1, 1, 0}, {3, 1, 0.01, 0}};
    unsigned fullest = g->slots < g->coll.blocks ? g->slots : (unsigned)g->coll.blocks;
    for (size_t i = 0; i < sizeof prices / sizeof prices[0]; i++) {
        double least = 0, step = prices[i].step_s + prices[i].byte_s * fullest * (double)g->coll.block_bytes;
        CU_ASSERT_EQUAL_FATAL(rwa_bound_time(&least, g->net, &g->coll, &prices[i], bo, NULL), RWA_OK);
        step += prices[i].once_s;
        CU_ASSERT(least <= steps * step);
        if (least > steps * step)
            printf("%s: time says %g, but %u steps of %g suffice\n", title, least, steps, step);
    }
}

static unsigned tested, reached;

static void compare(struct game *g, const char *title)
{
    rwa_bound list[BOUNDS_ROOM];
    rwa_bound_options bo;
    size_t count = 0;
    uint64_t best = 0;
    rwa_bound_options_init(&bo);
    bo.max_hops = g->hops;
    bo.max_drops = g->drops;
    bo.lightpath_blocks = g->slots;
    bo.members = g->members;
    CU_ASSERT_EQUAL_FATAL(list_bounds(list, &count, g->net, &g->coll, &bo), RWA_OK);
    unsigned steps = optimum(g);
    CU_ASSERT_FATAL(steps > 0);
    for (size_t i = 0; i < count; i++)
        if (list[i].holds && strcmp(list[i].unit, "steps") == 0) {
            CU_ASSERT(list[i].value <= steps);
            if (list[i].value > steps)
                printf("%s: %s says %u, but %u steps suffice\n", title, list[i].name, (unsigned)list[i].value, steps);
            best = list[i].value > best ? list[i].value : best;
        }
    compare_times(g, &bo, steps, title);
    tested++;
    reached += best == steps;
    if (best != steps && getenv("RWA_TEST_VERBOSE"))
        printf("%s: bound %u, optimum %u\n", title, (unsigned)best, steps);
}

static uint64_t *seen;
static unsigned drops = 1, slots = 1;   /* of the games now played */
static bool thorough;                   /* also what takes minutes */

/** The network is the game's from here on. */
static void play_on(rwa_network *net, const char *name, rwa_collective_kind kind, unsigned root, uint64_t blocks,
                    unsigned hops, const uint32_t *members, unsigned count)
{
    struct game g = {.net = net, .members = members, .hops = hops, .drops = drops, .slots = slots, .seen = seen};
    rwa_faults faults;
    char title[160];
    unsigned nodes = members ? count : rwa_network_nodes(net);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&g.coll, kind, nodes, root, 60, blocks, NULL), RWA_OK);
    CU_ASSERT_FATAL(rwa_network_links(net) <= LINKS && rwa_network_nodes(net) <= NODES);
    snprintf(title, sizeof title, "%s of %u on %s, root %u, %u blocks, %u channels, %u hops, %u drops, %u slots",
             rwa_collective_name(kind), nodes, name, root, (unsigned)g.coll.blocks, rwa_network_channels(net), hops, drops, slots);
    rwa_network_faults(&faults, net);
    g.channels = rwa_network_channels(net) - (unsigned)faults.channel_count;
    set_up(&g);
    compare(&g, title);
    rwa_network_free(net);
}

static void play(const char *net, rwa_collective_kind kind, unsigned root, uint64_t blocks, unsigned channels,
                 unsigned hops)
{
    play_on(network_of(net, channels), net, kind, root, blocks, hops, NULL, 0);
}

/** Every hop limit and both kinds of network. */
static void play_all(rwa_collective_kind kind, unsigned nodes, unsigned roots, uint64_t blocks, unsigned channels)
{
    char net[32];
    for (unsigned root = 0; root < roots; root++)
        for (unsigned hops = 1; hops < nodes; hops++) {
            snprintf(net, sizeof net, "line:%u", nodes);
            play(net, kind, root, blocks, channels, hops);
            snprintf(net, sizeof net, "ring:%u", nodes);
            if (root == 0)
                play(net, kind, root, blocks, channels, hops);
        }
}

static void without_root(void)
{
    for (unsigned w = 1; w <= 2; w++) {
        for (unsigned n = 2; n <= (thorough ? 5 : 6 - w); n++)
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
        for (unsigned w = 1; w <= (thorough || n < 5 ? 2u : 1u); w++) {
            play_all(RWA_SCATTER, n, (n + 1) / 2, 0, w);
            play_all(RWA_GATHER, n, (n + 1) / 2, 0, w);
            for (unsigned blocks = 1; blocks <= 3; blocks += thorough || n < 5 ? 1 : 2)
                play_all(RWA_BROADCAST, n, (n + 1) / 2, blocks, w);
            for (unsigned blocks = 1; blocks <= (n < 4 ? 3u : n < 5 && (thorough || w < 2) ? 2u : 1u); blocks++)
                play_all(RWA_ROOTED_REDUCE, n, (n + 1) / 2, blocks, w);
        }
}

static void listed_links(void)
{
    static const char *nets[] = {"mesh:2x2", "tree:3x1", "circulant:4:1,2", "circulant:5:1"};
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++)
        for (unsigned w = 1; w <= 2; w++)
            for (unsigned hops = 1; hops <= 2; hops++) {
                play(nets[i], RWA_ALL_GATHER, 0, 0, w, hops);
                play(nets[i], RWA_BROADCAST, 0, 1, w, hops);
                play(nets[i], RWA_BROADCAST, 1, 3, w, hops);
                play(nets[i], RWA_ROOTED_REDUCE, 1, 1, w, hops);
                play(nets[i], RWA_GATHER, 1, 0, w, hops);
                play(nets[i], RWA_SCATTER, 1, 0, w, hops);
                if (i < 3)
                    play(nets[i], RWA_ALL_REDUCE, 0, 1, w, hops);
            }
}

/** Some nodes only pass on; a link, or one direction of it, is gone. */
static void parts(void)
{
    static const char *nets[] = {"ring:5", "line:5", "tree:3x1", "circulant:5:1"};
    static const uint32_t members[] = {0, 2, 3};
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++)
        for (unsigned w = 1; w <= 2; w++)
            for (unsigned hops = 1; hops <= 4; hops++) {
                play_on(network_of(nets[i], w), nets[i], RWA_ALL_GATHER, 0, 0, hops, members, 3);
                play_on(network_of(nets[i], w), nets[i], RWA_GATHER, 1, 0, hops, members, 3);
                play_on(network_of(nets[i], w), nets[i], RWA_BROADCAST, 2, 2, hops, members, 3);
                play_on(network_of(nets[i], w), nets[i], RWA_ROOTED_REDUCE, 2, 2, hops, members, 3);
            }
}

static rwa_network *broken(const char *spec, const uint32_t *links, size_t count)
{
    rwa_network *net = network_of(spec, 2), *less = NULL;
    uint32_t reserved = 1;
    rwa_faults faults = {&reserved, 1, links, count, 0};
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&less, net, &faults, NULL), RWA_OK);
    rwa_network_free(net);
    return less;
}

static void with_faults(void)
{
    static const char *nets[] = {"ring:4", "circulant:4:1"};
    static const uint32_t failed[2][3][2] = {{{1, 5}, {2, 1}, {6, 6}}, {{2, 3}, {4, 2}, {5, 5}}};
    for (size_t i = 0; i < 2; i++)
        for (unsigned links = 0; links < 3; links++)
            for (unsigned hops = 1; hops <= 3; hops++) {
                play_on(broken(nets[i], failed[i][links], 2), nets[i], RWA_ALL_GATHER, 0, 0, hops, NULL, 0);
                play_on(broken(nets[i], failed[i][links], 2), nets[i], RWA_SCATTER, 1, 0, hops, NULL, 0);
                play_on(broken(nets[i], failed[i][links], 2), nets[i], RWA_BROADCAST, 2, 2, hops, NULL, 0);
                play_on(broken(nets[i], failed[i][links], 2), nets[i], RWA_ROOTED_REDUCE, 2, 1, hops, NULL, 0);
                play_on(broken(nets[i], failed[i][links], 2), nets[i], RWA_ALL_REDUCE, 0, 1, hops, NULL, 0);
            }
}

/** Lightpaths that carry several blocks. */
static void fuller(void)
{
    for (slots = 2; slots <= (thorough ? 3u : 2u); slots++) {
        for (unsigned w = 1; w <= 2; w++) {
            for (unsigned n = 2; n <= 4; n++) {
                play_all(RWA_ALL_GATHER, n, 1, 0, w);
                play_all(RWA_ALL_REDUCE, n, 1, 1, w);
                play_all(RWA_SCATTER, n, 2, 0, w);
                play_all(RWA_GATHER, n, 2, 0, w);
                play_all(RWA_BROADCAST, n, 2, 3, w);
                play_all(RWA_ROOTED_REDUCE, n, 2, n < 4 ? 3 : 2, w);
            }
            play_all(RWA_REDUCE_SCATTER, 3, 1, 0, w);
            play_all(RWA_ALL_REDUCE, 3, 1, 3, w);
            play_all(RWA_ALL_TO_ALL, 3, 1, 0, w);
            play("ring:5", RWA_ALL_GATHER, 0, 0, w, 4);
            play("circulant:4:1,2", RWA_ALL_GATHER, 0, 0, w, 2);
        }
        with_faults();
        for (drops = 2; drops <= 3; drops++) /* several owners may read a lightpath that has a block for each of them */
            for (unsigned n = 3; n <= 4; n++) {
                play_all(RWA_SCATTER, n, 2, 0, 1);
                play_all(RWA_GATHER, n, 2, 0, 1);
                play_all(RWA_ALL_GATHER, n, 1, 0, 1);
                if (n == 3)
                    play_all(RWA_REDUCE_SCATTER, n, 1, 0, 1);
            }
        drops = 1;
    }
    slots = 1;
}

/** Lightpaths that several nodes read; in reductions these all add what the lightpath brings. */
static void with_taps(void)
{
    static const char *nets[] = {"tree:3x1", "circulant:4:1,2", "circulant:5:1"};
    for (drops = 2; drops <= 4; drops += thorough ? 1 : 2) {
        for (unsigned w = 1; w <= 2; w++) {
            for (unsigned n = 3; n <= 5; n++) {
                if (n < 5)
                    play_all(RWA_ALL_GATHER, n, 1, 0, w);
                for (unsigned blocks = 1; blocks <= 3; blocks += thorough || n < 5 ? 1 : 2)
                    play_all(RWA_BROADCAST, n, (n + 1) / 2, blocks, w);
                if (n < 5)
                    play_all(RWA_ROOTED_REDUCE, n, 2, n < 4 ? 2 : 1, w);
            }
            for (unsigned n = 2; n <= 4; n++)
                play_all(RWA_ALL_REDUCE, n, 1, 1, w);
            play_all(RWA_REDUCE_SCATTER, 3, 1, 0, w);
            play_all(RWA_ALL_REDUCE, 3, 1, 3, w);
            play_all(RWA_SCATTER, 4, 2, 0, w);
            for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++) {
                play(nets[i], RWA_ALL_GATHER, 0, 0, w, 3);
                play(nets[i], RWA_BROADCAST, 1, 2, w, 3);
                if (i == 0)
                    play(nets[i], RWA_ALL_REDUCE, 0, 1, w, 3);
            }
        }
        with_faults();
    }
    drops = 1;
}

/** Lightpaths that carry all their src has; fewer blocks than owners. */
static void aggregated(void)
{
    static const char *nets[] = {"ring:4", "line:4", "ring:5", "line:5", "mesh:2x2", "tree:3x1", "circulant:4:1,2", "line:6", "ring:6"};
    unsigned count = thorough ? 9 : 7;
    slots = 25;
    for (size_t i = 0; i < count; i++)
        for (unsigned w = 1; w <= 2; w++)
            for (unsigned hops = 1; hops <= 5; hops += 2) {
                if ((i >= 7 && (hops < 5 || w > 1)) || (!thorough && hops != 1 + 2 * ((i + w) % 3)))
                    continue;
                for (drops = 1; drops <= 2 && (i < 7 || drops == 1); drops++) {
                    play(nets[i], RWA_ALL_GATHER, 0, 0, w, hops);
                    play(nets[i], RWA_ALL_REDUCE, 0, 1, w, hops);
                    play(nets[i], RWA_SCATTER, 1, 0, w, hops);
                    play(nets[i], RWA_GATHER, 1, 0, w, hops);
                    play(nets[i], RWA_ROOTED_REDUCE, 1, 1, w, hops);
                    play(nets[i], RWA_ALL_GATHER, 0, 2, w, hops);
                    play(nets[i], RWA_SCATTER, 0, 3, w, hops);
                    if (i < 7)
                        play(nets[i], RWA_REDUCE_SCATTER, 0, 2, w, hops);
                }
            }
    slots = drops = 1;
}

static void fewer_blocks(void)
{
    static const char *nets[] = {"ring:4", "line:4", "ring:5", "line:5", "tree:3x1", "circulant:4:1,2"};
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++)
        for (unsigned w = 1; w <= 2; w++)
            for (unsigned hops = 1; hops <= 4; hops++)
                for (unsigned blocks = 1; blocks <= 3; blocks++) {
                    play(nets[i], RWA_ALL_GATHER, 0, blocks, w, hops);
                    play(nets[i], RWA_SCATTER, 2, blocks, w, hops);
                    play(nets[i], RWA_GATHER, 1, blocks, w, hops);
                    if (blocks == 1)
                        play(nets[i], RWA_REDUCE_SCATTER, 0, blocks, w, hops);
                }
}

static uint32_t any(uint32_t below)
{
    static uint64_t seed = 20;
    return (uint32_t)base_random_below(&seed, below);
}

/** One link less, or one direction of it, or a reserved channel of two. */
static rwa_network *spoilt(const char *spec, unsigned w)
{
    rwa_network *net = network_of(spec, w), *less = NULL;
    uint32_t reserved = 1, links[2] = {any(rwa_network_links(net))};
    links[1] = any(2) ? rwa_network_pair(net, links[0]) : links[0];
    rwa_faults faults = {&reserved, w - 1, links, any(4) == 0 ? 0 : links[1] == links[0] ? 1 : 2, 0};
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&less, net, &faults, NULL), RWA_OK);
    rwa_network_free(net);
    return less;
}

/** Whether every node reaches every other: otherwise no number of steps suffices. */
static bool is_connected(const rwa_network *net)
{
    for (uint32_t v = 0; v < rwa_network_nodes(net); v++) {
        unsigned reached_nodes = 1u << v, before = 0;
        while (before != reached_nodes) {
            before = reached_nodes;
            for (uint32_t l = 0; l < rwa_network_links(net); l++)
                if (!rwa_network_is_failed(net, l) && (reached_nodes >> rwa_network_link(net, l).from & 1))
                    reached_nodes |= 1u << rwa_network_link(net, l).to;
        }
        if (number_in(reached_nodes) < rwa_network_nodes(net))
            return false;
    }
    return true;
}

static void random_cases(void)
{
    static const char *nets[] = {"ring:3", "ring:4", "line:3", "line:4", "tree:3x1", "mesh:2x2", "circulant:4:1"};
    static const uint32_t members[] = {0, 2, 3};
    for (unsigned i = 0; i < (thorough ? 10000 : 300); i++) {
        const char *spec = nets[any(sizeof nets / sizeof nets[0])];
        rwa_network *net = any(2) ? spoilt(spec, 2) : network_of(spec, 1 + any(2));
        rwa_collective_kind kind = RWA_ALL_GATHER + any(8);
        unsigned nodes = rwa_network_nodes(net), part = nodes > 3 && any(3) == 0 ? 3 : nodes;
        bool sums = rwa_collective_is_reduction(kind);
        uint64_t most = 64 / (nodes * (sums ? part : 1)), pairs = (uint64_t)part * part;
        uint64_t blocks = kind == RWA_ALL_TO_ALL ? pairs : 1 + any(part + 1);
        drops = 1 + any(2);
        slots = any(2) ? 25 : 1 + any(2);
        if (blocks <= most && blocks <= (sums ? 2 : 4) && is_connected(net))
            play_on(net, spec, kind, any(part), blocks, 1 + any(nodes), part < nodes ? members : NULL, part);
        else
            rwa_network_free(net);
    }
    slots = drops = 1;
}

static void are_tight(void)
{
    printf("bound reached in %u of %u cases, ", reached, tested);
    CU_ASSERT(reached > tested / 2);
}

/** Usage: optimum_test [thorough]: also larger networks */
int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(without_root), TEST(with_root), TEST(listed_links), TEST(parts), TEST(with_faults), TEST(fuller), TEST(with_taps),
        TEST(aggregated), TEST(fewer_blocks), TEST(random_cases),
        TEST(are_tight), {0}};
    thorough = is_thorough(argc, argv);
    seen = calloc(2 * (size_t)SEEN, sizeof *seen);
    if (!seen)
        return EXIT_FAILURE;
    int failed = run_tests("optimum", tests);
    free(seen);
    return failed;
}
