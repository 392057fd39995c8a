/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Bounds of stars, reconfigurable networks and switches against the least steps and the least time of all schedules of small settings,
 * found by exhaustive search: every matching, every choice of blocks, steps of any length.
 */
#include "rwa.h"

#include "tests/support/suite.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { BITS = 9, STATES = 1 << BITS, NODES = 4 };

/** Bit node * blocks + block of a state: the node holds the block; of a reduce, whose one block lightpaths carry as far as it is added
 *  up, bit node * blocks + v: it counts the contribution of v. */
struct game {
    rwa_collective coll;
    uint32_t nodes, blocks;     /* of a reduce: contributions */
    bool sums;
    uint32_t circuits, lanes;   /* of a node in a step, and lightpaths of each */
    uint32_t channels, ears;    /* star */
    bool star;
    uint32_t length;            /* blocks on a lightpath in the step under way */
    double cost[STATES], step_s, now_s;
    bool done[STATES];
};

static uint32_t holds(const struct game *g, uint32_t state, uint32_t v)
{
    return state >> v * g->blocks & ((1u << g->blocks) - 1);
}

static void reach(struct game *g, uint32_t state)
{
    if (g->now_s < g->cost[state])
        g->cost[state] = g->now_s;
}

/* ---- circuits: every node sends on each to a node of a permutation, itself: to none ---- */

struct matching {
    uint32_t from, circuit, node, used;
};

static void next_sender(struct game *g, struct matching m, uint32_t to);

/** All choices of up to length * lanes blocks that `dst` lacks; more of them are never worse, so exactly as many as there can be. */
static void choose_blocks(struct game *g, struct matching m, uint32_t dst, uint32_t to)
{
    uint32_t useful = holds(g, m.from, m.node) & ~holds(g, to, dst), most = g->length * g->lanes;
    if (g->sums)
        most = BITS;
    uint32_t take = (uint32_t)__builtin_popcount(useful) < most ? (uint32_t)__builtin_popcount(useful) : most;
    struct matching next = m;
    next.node++;
    next.used |= 1u << dst;
    for (uint32_t set = useful;; set = (set - 1) & useful) {
        if ((uint32_t)__builtin_popcount(set) == take)
            next_sender(g, next, to | set << dst * g->blocks);
        if (set == 0)
            break;
    }
}

static void next_sender(struct game *g, struct matching m, uint32_t to)
{
    if (m.node == g->nodes)
        m = (struct matching){m.from, m.circuit + 1, 0, 0};
    if (m.circuit == g->circuits) {
        reach(g, to);
        return;
    }
    for (uint32_t dst = 0; dst < g->nodes; dst++)
        if (!(m.used >> dst & 1))
            choose_blocks(g, m, dst, to);
}

/* ---- a star: each channel has a sender, each node hears some ---- */

struct air {
    uint32_t src, set;
};

static void hear_channels(struct game *g, const struct air *air, uint32_t node, uint32_t to)
{
    if (node == g->nodes) {
        reach(g, to);
        return;
    }
    uint32_t all = (1u << g->channels) - 1;
    for (uint32_t heard = g->ears < g->channels ? 0 : all; heard <= all; heard++) {
        uint32_t got = 0;
        for (uint32_t c = 0; c < g->channels; c++)
            got |= heard >> c & 1 ? air[c].set : 0;
        if ((uint32_t)__builtin_popcount(heard) <= g->ears)
            hear_channels(g, air, node + 1, to | got << node * g->blocks);
    }
}

static void fill_channels(struct game *g, struct air *air, uint32_t channel, uint32_t state)
{
    uint32_t sent[NODES] = {0};
    if (channel == g->channels) {
        hear_channels(g, air, 0, state);
        return;
    }
    for (uint32_t c = 0; c < channel; c++)
        sent[air[c].src] += air[c].set > 0;
    air[channel] = (struct air){0, 0};
    fill_channels(g, air, channel + 1, state);
    for (uint32_t src = 0; src < g->nodes; src++)
        for (uint32_t set = holds(g, state, src); set > 0 && sent[src] < g->ears; set = (set - 1) & holds(g, state, src))
            if (g->sums ? set == holds(g, state, src) : (uint32_t)__builtin_popcount(set) <= g->length) {
                air[channel] = (struct air){src, set};
                fill_channels(g, air, channel + 1, state);
            }
}

static void expand(struct game *g, uint32_t state, double block_s)
{
    struct air air[4];
    for (g->length = 1; g->length <= (g->sums ? 1 : g->blocks); g->length++) {
        g->now_s = g->cost[state] + g->step_s + g->length * block_s;
        if (g->star)
            fill_channels(g, air, 0, state);
        else
            next_sender(g, (struct matching){state, 0, 0, 0}, state);
    }
}

/* ---- search ---- */

static uint32_t owned(const struct game *g, uint32_t v)
{
    uint32_t set = 0;
    if (g->sums)
        return 1u << v;
    for (uint32_t b = 0; b < g->blocks; b++)
        set |= (uint32_t)(rwa_collective_owner(&g->coll, b) == v) << b;
    return set;
}

static uint32_t wanted(const struct game *g, uint32_t v)
{
    uint32_t all = (1u << g->blocks) - 1;
    if (g->coll.kind == RWA_GATHER || g->sums)
        return v == g->coll.root ? all : 0;
    return g->coll.kind == RWA_SCATTER ? owned(g, v) : all;
}

static uint32_t start_of(const struct game *g)
{
    uint32_t state = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        bool rooted = g->coll.kind == RWA_SCATTER || g->coll.kind == RWA_BROADCAST;
        uint32_t set = rooted ? (v == g->coll.root ? (1u << g->blocks) - 1 : 0) : owned(g, v);
        state |= set << v * g->blocks;
    }
    return state;
}

static bool is_goal(const struct game *g, uint32_t state)
{
    for (uint32_t v = 0; v < g->nodes; v++)
        if (wanted(g, v) & ~holds(g, state, v))
            return false;
    return true;
}

/** Dijkstra. */
static double least_cost(struct game *g, double step_s, double block_s)
{
    g->step_s = step_s;
    for (uint32_t s = 0; s < STATES; s++) {
        g->cost[s] = INFINITY;
        g->done[s] = false;
    }
    g->cost[start_of(g)] = 0;
    for (;;) {
        uint32_t best = STATES;
        for (uint32_t s = 0; s < STATES; s++)
            if (!g->done[s] && g->cost[s] < INFINITY && (best == STATES || g->cost[s] < g->cost[best]))
                best = s;
        CU_ASSERT_FATAL(best < STATES);
        if (is_goal(g, best))
            return g->cost[best];
        g->done[best] = true;
        expand(g, best, block_s);
    }
}

struct setting {
    const char *spec;
    uint32_t wavelengths, ports;
};

static struct game game_of(const rwa_network *net, const struct setting *s, rwa_collective_kind kind, uint32_t blocks, uint64_t bytes)
{
    struct game g = {.nodes = rwa_network_nodes(net), .star = rwa_network_topology(net) == RWA_STAR, .lanes = 1};
    uint32_t channels = rwa_network_channels(net);
    g.circuits = s->ports > 0 && s->ports < g.nodes ? s->ports : g.nodes - 1;
    if (rwa_network_topology(net) == RWA_OCS) {
        g.circuits = s->ports > 0 && s->ports < rwa_network_fibers(net) ? s->ports : rwa_network_fibers(net);
        g.lanes = s->wavelengths;
    } else if (s->ports == 0) {
        g.lanes = channels;
    }
    g.channels = channels;
    g.ears = s->ports > 0 && s->ports < channels ? s->ports : channels;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&g.coll, kind, g.nodes, kind == RWA_ALL_GATHER ? 0 : 1, bytes, blocks, NULL), RWA_OK);
    g.sums = kind == RWA_ROOTED_REDUCE;
    g.blocks = g.sums ? g.nodes : (uint32_t)g.coll.blocks;
    CU_ASSERT_FATAL(g.nodes * g.blocks <= BITS && g.nodes <= NODES);
    return g;
}

/* The least steps, with single blocks and with any number of them on a lightpath, and the least time of this number of blocks: whole
 * packets, so that nothing is rounded. */
static void compare(const struct setting *s, rwa_collective_kind kind, uint32_t blocks)
{
    static struct game g;
    rwa_network_options no;
    rwa_network *net = NULL;
    rwa_cost_options cost;
    rwa_cost_prices floor;
    rwa_bound_options bo;
    rwa_bound bound;
    double seconds;
    rwa_network_options_init(&no);
    rwa_cost_options_init(&cost);
    rwa_bound_options_init(&bo);
    no.wavelengths = s->wavelengths;
    no.ports = s->ports;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, s->spec, &no, NULL), RWA_OK);
    for (uint64_t bytes = 128 * 12; bytes <= 128 * 12000000; bytes *= 100) {
        g = game_of(net, s, kind, blocks, bytes);
        double block_s = rwa_cost_steps(1, g.coll.block_bytes, rwa_network_rate_bps(net), &cost) - cost.reconfig_s;
        CU_ASSERT_EQUAL_FATAL(rwa_cost_floor(&floor, rwa_network_rate_bps(net), &cost, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_bound_time(&seconds, net, &g.coll, &floor, &bo, NULL), RWA_OK);
        double least_s = least_cost(&g, cost.reconfig_s, block_s);
        CU_ASSERT_TRUE(seconds <= least_s * (1 + 1e-9));
        if (seconds > least_s * (1 + 1e-9))
            printf("%s w=%u ports=%u %s of %u blocks, %g bytes: bound %g, least %g\n", s->spec, s->wavelengths, s->ports,
                   rwa_collective_name(kind), blocks, (double)bytes, seconds, least_s);
    }
    bo.lightpath_blocks = g.blocks;
    CU_ASSERT_EQUAL_FATAL(rwa_bound_best(&bound, net, &g.coll, &bo, NULL), RWA_OK);
    double steps = least_cost(&g, 1, 0);
    CU_ASSERT_TRUE((double)bound.value <= steps);
    if ((double)bound.value > steps)
        printf("%s w=%u ports=%u %s of %u blocks: bound %u, least %g steps\n", s->spec, s->wavelengths, s->ports,
               rwa_collective_name(kind), blocks, (unsigned)bound.value, steps);
    rwa_network_free(net);
}

static void no_schedule_beats_a_bound(void)
{
    static const struct setting settings[] = {
        {"ocs:2x1", 1, 0}, {"ocs:3x1", 1, 0}, {"ocs:3x1", 2, 0}, {"ocs:3x2", 1, 0}, {"ocs:3x2", 1, 1}, {"ocs:4x1", 1, 0},
        {"ocs:4x1", 2, 0}, {"ocs:4x3", 1, 2}, {"ron:3", 1, 1},   {"ron:3", 1, 2},   {"ron:3", 2, 0},   {"ron:4", 1, 1},   {"star:3", 1, 0},
        {"star:3", 2, 0},  {"star:3", 2, 1},  {"star:4", 1, 0},  {"star:4", 2, 0},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        uint32_t nodes = (uint32_t)(strchr(settings[i].spec, ':')[1] - '0');
        for (uint32_t blocks = 1; blocks * nodes <= BITS && blocks <= 4; blocks++) {
            compare(&settings[i], RWA_BROADCAST, blocks);
            compare(&settings[i], RWA_SCATTER, blocks);
            compare(&settings[i], RWA_GATHER, blocks);
            compare(&settings[i], RWA_ALL_GATHER, blocks);
        }
        if (nodes * nodes <= BITS)
            compare(&settings[i], RWA_ROOTED_REDUCE, 1);
    }
}

int main(void)
{
    static const struct test tests[] = {TEST(no_schedule_beats_a_bound), {0}};
    return run_tests("one_hop", tests);
}
