/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Bounds of stars, reconfigurable networks and switches against the least steps and the least time of all schedules of
 * small settings, found by exhaustive search: every matching, every choice of blocks, steps of any length.
 */
#include "tests/support/bounds.h"
#include "tests/support/suite.h"
#include "tests/support/wants.h"

enum { BITS = 9, STATES = 1 << BITS, NODES = 4 };

/** Bit node * blocks + block of a state: the node holds the block; of a reduce, whose one block lightpaths carry as far
 * as it is added up, bit node * blocks + v: it counts the contribution of v. */
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

/** All choices of up to length * lanes blocks that `dst` lacks; more of them are never worse, so exactly as many as
 * there can be. */
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
        for (uint32_t set = holds(g, state, src); set > 0 && sent[src] < g->ears;
             set = (set - 1) & holds(g, state, src))
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

/** The blocks that a node starts with, or must have at the end; of sums, the contributions. */
static uint32_t set_of(const struct game *g, uint32_t v, bool at_end)
{
    uint32_t set = 0;
    for (uint32_t b = 0; b < g->blocks; b++)
        if (g->sums ? (at_end ? v == g->coll.root : v == b) : (at_end ? wants : starts_with)(&g->coll, v, b))
            set |= 1u << b;
    return set;
}

static uint32_t start_of(const struct game *g)
{
    uint32_t state = 0;
    for (uint32_t v = 0; v < g->nodes; v++)
        state |= set_of(g, v, false) << v * g->blocks;
    return state;
}

static bool is_goal(const struct game *g, uint32_t state)
{
    for (uint32_t v = 0; v < g->nodes; v++)
        if (set_of(g, v, true) & ~holds(g, state, v))
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

static struct game game_of(const struct request *r)
{
    const rwa_network *net = request_network(*r);
    uint32_t channels = rwa_network_channels(net), fibers = rwa_network_fibers(net), ports = r->network.ports;
    rwa_topology kind = rwa_network_topology(net);
    struct game g = {.coll = request_collective(r, net), .nodes = rwa_network_nodes(net), .star = kind == RWA_STAR,
                     .channels = channels, .sums = r->kind == RWA_ROOTED_REDUCE};
    g.circuits = kind == RWA_OCS ? fibers : g.nodes - 1;
    g.circuits = ports > 0 && ports < g.circuits ? ports : g.circuits;
    g.lanes = kind == RWA_OCS ? r->network.wavelengths : ports == 0 ? channels : 1;
    g.ears = ports > 0 && ports < channels ? ports : channels;
    g.blocks = g.sums ? g.nodes : (uint32_t)g.coll.blocks;
    CU_ASSERT_FATAL(g.nodes * g.blocks <= BITS && g.nodes <= NODES);
    return g;
}

static void expect_below(double bound, double least, const struct request *r)
{
    CU_ASSERT_TRUE(bound <= least * (1 + 1e-9));
    if (bound > least * (1 + 1e-9))
        printf("%s, %g bytes: bound %g, least %g\n", r->line, (double)r->bytes, bound, least);
}

/* The least steps, with any number of blocks on a lightpath, and the least time of this number of blocks: whole
 * packets, so that nothing is rounded. */
static void compare(struct request r)
{
    static struct game g;
    for (r.bytes = 128 * 12; r.bytes <= 128 * 12000000; r.bytes *= 100) {
        g = game_of(&r);
        double setting_s = r.options.cost.reconfig_s,
               block_s = rwa_cost_steps(1, g.coll.block_bytes, 40e9, NULL) - setting_s;
        expect_below(time_bound_for(r), least_cost(&g, setting_s, block_s), &r);
    }
    r.bytes /= 100;
    r.options.lightpath_blocks = g.blocks;
    expect_below((double)steps_bound_for(r), least_cost(&g, 1, 0), &r);
}

static void no_schedule_beats_a_bound(void)
{
    static const char *const nets[] = {
        "ocs:2x1 w=1", "ocs:3x1 w=1", "ocs:3x1 w=2", "ocs:3x2 w=1", "ocs:3x2 w=1 ports=1", "ocs:4x1 w=1", "ocs:4x1 w=2",
        "ocs:4x3 w=1 ports=2", "ron:3 w=1 ports=1", "ron:3 w=1 ports=2", "ron:3 w=2", "ron:4 w=1 ports=1", "star:3 w=1",
        "star:3 w=2", "star:3 w=2 ports=1", "star:4 w=1", "star:4 w=2"};
    static const char *const kinds[] = {"root=1 broadcast", "root=1 scatter", "root=1 gather", "all-gather"};
    for (size_t i = 0; i < COUNT(nets); i++) {
        uint32_t nodes = (uint32_t)(strchr(nets[i], ':')[1] - '0');
        for (uint32_t blocks = 1; blocks * nodes <= BITS && blocks <= 4; blocks++)
            for (size_t k = 0; k < COUNT(kinds); k++)
                compare(request_of("%s blocks=%u %s", nets[i], blocks, kinds[k]));
        if (nodes * nodes <= BITS)
            compare(request_of("%s blocks=1 root=1 reduce", nets[i]));
    }
}

int main(void)
{
    return RUN_TESTS("one_hop", no_schedule_beats_a_bound);
}
