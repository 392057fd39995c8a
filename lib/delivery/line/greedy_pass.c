/* SPDX-License-Identifier: GPL-3.0-or-later */
/** On a line the lightpaths of a step and direction are intervals.  If no link carries more lightpaths than it has
 * channels, channels for all of them exist, so only the load of links matters.  The nodes at the ends limit most:
 * each has one link, and every block must come over it.
 * So in every step the fronts of all blocks (their outermost holders) send first, about as far as there are
 * channels. This fills the links towards an end with blocks that are new there.  Near an end the hops are shorter,
 * since the gaps that they leave can be filled mainly from one side.  Capacity that is left is used for the widest
 * gaps. */
#include "delivery/line/greedy_pass.h"

#include "base/arena.h"
#include "delivery/line/line_position.h"

enum { NONE = INT32_MAX, UNIT = 64 };

/** Parameters of a pass.  A front with d nodes between it and the end sends over share * channels + slope * d links, in
 * units of 1 / UNIT.  The next node informed in a gap divides it at 1 / parts of its length. */
static const struct pass_parameters {
    uint32_t share, slope, parts;
} passes[GREEDY_PASSES] = {{.share = 16, .slope = 20, .parts = 8},
                           {.share = 16, .slope = 12, .parts = 12},
                           {.share = 32, .slope = 40, .parts = 3},
                           {.share = UNIT, .slope = UNIT, .parts = 3}};

/** A gap: uninformed nodes between two holders, with the nearest holder on either side that may send, or NONE. */
struct free_interval {
    uint32_t block, low, high, below, above;
};

static bool is_wider(const struct free_interval *a, const struct free_interval *b)
{
    return a->high - a->low > b->high - b->low;
}

HEAP(intervals, struct free_interval, is_wider)

struct pass {
    struct arena memory;
    const struct spread_limits *limits;
    struct delivery_tree *trees;        /* nodes that lack the block have step NONE */
    struct pass_parameters parameters;
    uint32_t step;
    uint64_t missing, random;
    uint32_t *front[2];                 /* of each block */
    uint32_t *capacity[2];              /* free channels of each link */
    uint32_t *sends, *reads;            /* lightpaths of each position in this step */
    uint32_t *order;                    /* of the blocks */
    struct free_interval *heap;
    size_t waiting;
};

/** Return the number of links from place a to place b if b lies in direction `way` from a, else 0. */
static uint32_t ahead(int way, uint32_t a, uint32_t b)
{
    return way == RISING ? (b > a ? b - a : 0) : (a > b ? a - b : 0);
}

static uint32_t onward(int way, uint32_t place, uint32_t links)
{
    return way == RISING ? place + links : place - links;
}

static bool is_old(const struct pass *g, const struct delivery *d)
{
    return d->step < g->step;
}

/* ---- sending ---- */

/** Return the counter of free channels for link i (from 0) of a route in direction `way` that begins at position
 * `at`. */
static uint32_t *channels_of(const struct pass *g, int way, uint32_t at, uint32_t i)
{
    uint32_t n = g->limits->nodes;
    return &g->capacity[way][way == RISING ? (at + i) % n : (at + n - 1 - i) % n];
}

/** Return the number of links, at most `links`, over which a lightpath from position `at` in direction `way` can go.
 * It ends before a link without a free channel; a rising one also ends at the first cut position (line_position.h) on
 * its way. */
static uint32_t free_links(const struct pass *g, int way, uint32_t at, uint32_t links)
{
    uint32_t count = 0;
    while (count < links && *channels_of(g, way, at, count) > 0 &&
           !(way == RISING && count > 0 && line_is_cut(g->limits, (at + count) % g->limits->nodes)))
        count++;
    return count;
}

static bool has_ports(const struct pass *g, uint32_t from, uint32_t to)
{
    uint32_t ports = g->limits->ports;
    return ports == 0 || (g->reads[to] < ports && g->sends[from] < ports);
}

/** Let nodes that a lightpath passes before its end, place `end`, receive the block too (taps).  Go from the end back
 * to the sender, and stop at the first node that has the block or would exceed a limit on receivers or ports. */
static void tap(struct pass *g, uint32_t block, uint32_t end)
{
    struct delivery *row = delivery_tree_row(g->trees, block);
    for (uint32_t i = 1; i < row[end].links && i < g->limits->drops; i++) {
        uint32_t at = onward(!row[end].way, end, i), to = line_position(g->limits, block, at);
        if (row[at].step != NONE || (g->limits->ports > 0 && g->reads[to] >= g->limits->ports))
            break;
        row[at] = row[end];
        row[at].links -= i;
        row[at].ends = false;
        g->reads[to]++;
        g->missing--;
    }
}

/** Send a block from place `src` in direction `way` to place `dst`, or as far towards it as free channels, max_hops and
 * cut positions permit.  Send nothing if the lightpath would not get beyond place `past`.
 * @return the place where the lightpath ends; NONE: nothing is sent */
static uint32_t send(struct pass *g, int way, uint32_t block, uint32_t src, uint32_t past, uint32_t dst)
{
    uint32_t from = line_position(g->limits, block, src), links = ahead(way, src, dst), max_hops = g->limits->max_hops;
    links = free_links(g, way, from, max_hops > 0 && links > max_hops ? max_hops : links);
    uint32_t at = onward(way, src, links), to = line_position(g->limits, block, at);
    struct delivery *d = delivery_tree_row(g->trees, block) + at;
    if (ahead(way, past, at) == 0 || !has_ports(g, from, to))
        return NONE;
    assert(d->step == NONE && links > 0 && g->missing > 0);
    for (uint32_t i = 0; i < links; i++)
        --*channels_of(g, way, from, i);
    *d = (struct delivery){.from = src, .step = g->step, .links = links, .way = (uint8_t)way, .ends = true};
    g->sends[from]++;
    g->reads[to]++;
    g->missing--;
    tap(g, block, at);
    return at;
}

/** Let the front of a block (its outermost holder in direction `way`) send outwards; `distance` nodes lie beyond
 * it. */
static void advance(struct pass *g, int way, uint32_t block, uint32_t distance)
{
    uint32_t src = g->front[way][block], channels = g->limits->channels;
    uint64_t speed = (uint64_t)g->parameters.share * channels + (uint64_t)g->parameters.slope * distance;
    uint64_t most = (uint64_t)UNIT * channels;
    uint64_t nodes = ((speed < most ? speed : most) + base_random_below(&g->random, UNIT)) / UNIT;
    if (distance == 0)
        return;
    nodes = nodes < 1 ? 1 : nodes < distance ? nodes : distance;
    uint32_t at = send(g, way, block, src, src, onward(way, src, (uint32_t)nodes));
    g->front[way][block] = at == NONE ? src : at;
}

/* ---- gaps ---- */

static rwa_status add_interval(struct pass *g, struct free_interval i, rwa_error *err)
{
    const struct delivery *row = delivery_tree_row(g->trees, i.block);
    for (; i.low < i.high && row[i.low + 1].step != NONE;)
        i.low++;
    for (; i.low < i.high && row[i.high - 1].step != NONE;)
        i.high--;
    return i.high < i.low + 2 ? RWA_OK : intervals_push(&g->heap, &g->waiting, i, err);
}

/** Add the gaps of a block to g->heap: the ranges of uninformed nodes between its two fronts (the outermost
 * holders). */
static rwa_status list_intervals(struct pass *g, uint32_t block, rwa_error *err)
{
    const struct delivery *row = delivery_tree_row(g->trees, block);
    uint32_t first = g->front[FALLING][block], last = g->front[RISING][block];
    struct free_interval i = {.block = block, .low = first, .below = is_old(g, &row[first]) ? first : NONE};
    for (i.high = first + 1; i.high <= last; i.high++) {
        if (row[i.high].step == NONE)
            continue;
        for (i.above = i.high; i.above <= last && !is_old(g, &row[i.above]);)
            i.above++;
        i.above = i.above > last ? NONE : i.above;
        MUST(add_interval(g, i, err));
        i.low = i.high;
        i.below = is_old(g, &row[i.high]) ? i.high : i.below;
    }
    return RWA_OK;
}

/** Inform a node in a gap by a lightpath from the nearer of the two holders, i->below and i->above, or from the other
 * one if the nearer cannot send.  The node lies at most 1 / g->parameters.parts of the gap's length inside the gap.
 * Return its place; NONE: no node is informed. */
static uint32_t split_interval(struct pass *g, const struct free_interval *i)
{
    uint32_t part = (i->high - i->low + g->parameters.parts - 1) / g->parameters.parts, at = NONE;
    bool below = i->below != NONE, above = i->above != NONE;
    bool first = below && (!above || i->low - i->below <= i->above - i->high);
    for (int turn = 0; turn < 2 && at == NONE; turn++)
        if ((turn == 0) == first)
            at = below ? send(g, RISING, i->block, i->below, i->low, i->low + part) : NONE;
        else
            at = above ? send(g, FALLING, i->block, i->above, i->high, i->high - part) : NONE;
    return at;
}

static rwa_status use_rest(struct pass *g, rwa_error *err)
{
    g->waiting = 0;
    for (uint32_t k = 0; k < g->limits->nodes; k++)
        MUST(list_intervals(g, g->order[k], err));
    while (g->waiting > 0) {
        struct free_interval lower = intervals_pop(g->heap, &g->waiting), upper = lower;
        uint32_t at = split_interval(g, &lower);
        if (at == NONE)
            continue;
        lower.high = upper.low = at;
        MUST(add_interval(g, lower, err));
        MUST(add_interval(g, upper, err));
    }
    return RWA_OK;
}

/* ---- steps ---- */

static rwa_status make_step(struct pass *g, rwa_error *err)
{
    uint32_t n = g->limits->nodes;
    for (uint32_t e = 0; e < n; e++) {
        g->capacity[RISING][e] = g->limits->channels;
        g->capacity[FALLING][e] = line_is_cut(g->limits, e) ? 0 : g->limits->channels;
        g->sends[e] = g->reads[e] = 0;
    }
    base_shuffle(g->order, n, &g->random);
    for (uint32_t i = 0; i < n; i++) {
        advance(g, RISING, g->order[i], n - 1 - g->front[RISING][g->order[i]]);
        advance(g, FALLING, g->order[i], g->front[FALLING][g->order[i]]);
    }
    return use_rest(g, err);
}

static void begin(struct pass *g)
{
    uint32_t n = g->limits->nodes;
    for (size_t i = 0; i < (size_t)n * n; i++)
        g->trees->at[i] = (struct delivery){.step = NONE};
    for (uint32_t b = 0; b < n; b++) {
        g->order[b] = b;
        g->front[RISING][b] = g->front[FALLING][b] = line_owner(g->limits, b);
        delivery_tree_row(g->trees, b)[line_owner(g->limits, b)].step = 0;
    }
}

rwa_status greedy_pass(struct delivery_tree *trees, const struct spread_limits *limits, uint32_t pass, uint32_t most,
                       struct budget *budget, rwa_error *err)
{
    uint64_t n = limits->nodes;
    struct pass g = {.memory.err = err,
                     .limits = limits,
                     .trees = trees,
                     .parameters = passes[pass % GREEDY_PASSES],
                     .missing = n * (n - 1),
                     .random = limits->seed + pass};
    rwa_status st = RWA_OK;
    TRY(arena_arrays(&g.memory, n, g.front[RISING], g.front[FALLING], g.capacity[RISING], g.capacity[FALLING], g.sends,
                     g.reads, g.order));
    begin(&g);
    while (g.missing > 0 && g.step < most) {
        if (base_must_stop(budget, "greedy passes", -1) && budget->cancelled)
            TRY(base_fail(err, RWA_CANCELLED, "planning was stopped"));
        g.step++;
        TRY(make_step(&g, err));
    }
    trees->steps = g.missing > 0 ? UINT32_MAX : g.step;
    if (g.missing == 0)
        delivery_tree_check(trees);
done:
    arena_free(&g.memory);
    free(g.heap);
    return st;
}
