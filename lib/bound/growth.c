/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of listed links: how many nodes a block can have reached after each step, averaged over all blocks. */
#include "bound/case.h"
#include "bound/graph.h"

/** The most nodes within d links of any one node, for each d; the last entry is the most that any node can reach. */
struct balls {
    uint64_t *size;
    uint32_t count;
};

static rwa_status measure(struct balls *b, const struct bound_case *c, bool against, rwa_error *err)
{
    struct bound_graph *g = c->graph;
    MUST(base_new(b->size, g->nodes, err));
    for (uint32_t v = 0; v < (g->alike ? 1 : g->nodes); v++) {
        uint32_t found = bound_graph_walk(g, v, against), last = g->hops[g->order[found - 1]];
        for (uint32_t i = 0; i < found; i++)
            if (i + 1 == found || g->hops[g->order[i + 1]] > g->hops[g->order[i]])
                RAISE(b->size[g->hops[g->order[i]]], i + 1);
        RAISE(b->count, last + 1);
    }
    for (uint32_t d = 1; d < b->count; d++)
        RAISE(b->size[d], b->size[d - 1]);
    assert(b->count >= 1 && b->size[0] == 1 && b->size[b->count - 1] <= g->nodes);
    return RWA_OK;
}

/** Return an upper bound on the average number of holders (nodes that have a block) after a step that begins with
 * `holders` of them.  Each holder uses an equal share of the capacity, and informs its nearest nodes first.
 * @param capacity  link-channels (channels of a link in a step) that a block can use on average */
static double next_holders(double holders, double capacity, const struct balls *b, const struct bound_case *c)
{
    assert(holders >= 1 && capacity > 0);
    /* a lightpath has at least as many links as receivers (`most`), and as the average distance of its receivers
       (`left`) */
    double informed = 1, left = c->drops * (capacity / holders), most = 1 + capacity / holders;
    for (uint32_t d = 1; d < b->count && d <= c->max_hops && left > 0; d++) {
        double sphere = (double)(b->size[d] - b->size[d - 1]), affordable = left / d;
        informed += fmin(sphere, affordable);
        left -= sphere * d;
    }
    return holders * fmin(informed, most);
}

/* ---- bytes: how long a spread is at least, in so many steps ---- */

enum { GRID = 512 }; /* numbers of holders from 1 to nodes, in geometric progression */

/** Return the link-channels (channels of a link in a step) that one holder of a block needs to inform holders - 1 other
 * nodes in one step, the nearest first; INFINITY if it cannot reach so many.
 * @param drops     most receivers of a lightpath
 * @param max_hops  most links of a lightpath */
static double length_of_step(const struct balls *b, double holders, uint32_t drops, uint32_t max_hops)
{
    assert(holders >= 1 && drops >= 1);
    double informed = 1, length = 0;
    for (uint32_t d = 1; d < b->count && d <= max_hops && informed < holders; d++) {
        double sphere = (double)(b->size[d] - b->size[d - 1]), wanted = holders - informed;
        length += d * fmin(sphere, wanted);
        informed += sphere;
    }
    if (informed < holders * (1 - 1e-12))
        return INFINITY;
    return fmax(length / drops, holders - 1);
}

/** Lengths (in link-channels) of the spreads of a block along the links, or against them. */
struct spreads {
    double in_step[GRID + 1];   /* length_of_step() of each number of holders */
    double length[2][GRID + 1]; /* lengths of spreads in t steps: length[t % 2] */
    double part;                /* least_part() of the newest lengths */
    double extra;               /* additional link-channels */
};

struct growth {
    const struct bound_case *c;
    double holders[GRID + 1];
    struct spreads way[2];
    size_t ways;
    uint64_t steps;             /* number of steps computed so far */
    double length[GROWTH_STEPS + 1], share[GROWTH_STEPS + 1];
    double sent[GROWTH_STEPS + 1], rest[GROWTH_STEPS + 1];  /* the terms of each share */
};

static rwa_status add_way(struct growth *g, bool against, uint32_t drops, double extra, rwa_error *err)
{
    const struct bound_case *c = g->c;
    struct spreads *s = &g->way[g->ways];
    struct balls balls = {0};
    rwa_status st = measure(&balls, c, against, err);
    if (st != RWA_OK || balls.size[balls.count - 1] < c->nodes) /* no memory, or no node can reach all others */
        goto done;
    s->extra = extra;
    for (int i = 0; i <= GRID; i++)
        s->in_step[i] = length_of_step(&balls, g->holders[i], drops, c->max_hops);
    g->ways++;
done:
    free(balls.size);
    return st;
}

rwa_status growth_open(struct growth **out, const struct bound_case *c, rwa_error *err)
{
    bool reduces = c->coll->kind == RWA_ALL_REDUCE, against = c->coll->kind == RWA_REDUCE_SCATTER;
    struct growth *g;
    MUST(base_new(*out, 1, err));
    g = *out;
    g->c = c;
    for (int t = 0; t <= GROWTH_STEPS; t++)
        g->length[t] = (reduces ? 2.0 : 1.0) * (c->nodes - 1);
    if (bound_graph_is_large(c->graph))
        return RWA_OK;
    for (int i = 0; i <= GRID; i++)
        g->holders[i] = pow(c->nodes, (double)i / GRID);
    MUST(add_way(g, against, c->drops, 0, err));
    return reduces ? add_way(g, true, 1, c->nodes - 1, err)
                   : RWA_OK; /* a sum must also come back from the node that completes it */
}

void growth_close(struct growth *g)
{
    free(g);
}

/** Return the largest factor f <= 1 with f * holders[i] <= length[i] + 1 for all i.
 * @param length  the least length, in link-channels, of a spread to holders[i] nodes */
static double least_part(const double *length, const double *holders)
{
    double part = 1;
    for (int i = 0; i <= GRID; i++)
        part = length[i] + 1 < part * holders[i] ? (length[i] + 1) / holders[i] : part;
    return part;
}

/** Return a lower bound on the length, in link-channels, of a spread from one node to holders[i] nodes in t steps.
 * After the first step there are holders[j] holders, each of which starts a spread of t - 1 steps to equally many
 * nodes.  The least length over all j counts.
 * @param before  lengths of spreads in t - 1 steps */
static double least_length(const struct growth *g, const struct spreads *s, const double *before, int i)
{
    double others = i > 0 ? s->part * g->holders[i - 1] : 0, least = INFINITY;
    /* until the first step alone rules out larger j */
    for (int j = 0; j <= i && s->in_step[j] - g->holders[j] + others < least; j++) {
        double now = s->in_step[j] + g->holders[j] * before[i > j ? i - j - 1 : 0];
        LOWER(least, now);
    }
    return least;
}

/** Compute the least lengths, in link-channels, of spreads in t steps to each number of holders, from those in t - 1
 * steps.  Return the array of lengths, which `s` owns. */
static const double *fill_lengths(const struct growth *g, struct spreads *s, uint64_t t)
{
    double *length = s->length[t % 2];
    for (int i = 0; i <= GRID; i++)
        length[i] = t > 1    ? least_length(g, s, s->length[(t + 1) % 2], i)
                    : t == 1 ? s->in_step[i > 0 ? i - 1 : 0]
                    : i == 0 ? 0
                             : INFINITY;
    s->part = least_part(length, g->holders);
    return length;
}

/** Return the channels of all links out of the root. */
static double root_channels(const struct bound_case *c)
{
    return (double)c->graph->out.width[c->graph->member[c->root]];
}

/** Set g->share[g->steps] to a lower bound on the time that a byte takes from the root to all nodes, in units of the
 * time that a channel takes for it; 0: the steps do not suffice.  In the first step only the root sends, over its own
 * links.  In the later steps the nodes that have the byte spread it over all links.
 * @param before   lengths of spreads in the later steps
 * @param in_step  lengths of spreads in one step */
static void share_from_root(struct growth *g, const double *before, const double *in_step)
{
    const struct bound_case *c = g->c;
    double least = INFINITY, root = root_channels(c), all = (double)c->graph->channels;
    for (int j = 0; j <= GRID; j++) {
        double sent = (g->holders[j] - 1) / c->drops, rest = g->holders[j] * before[GRID > j ? GRID - j - 1 : 0];
        double share = isfinite(in_step[j]) ? sent / root + rest / all : INFINITY;
        if (share >= least)
            continue;
        least = share;
        g->sent[g->steps] = sent;
        g->rest[g->steps] = rest;
    }
    g->share[g->steps] = isfinite(least) ? least * (1 - 1e-9) : 0;
}

/** Increase g->steps by one, and compute g->length for that many steps.  For a collective that starts at a root, also
 * compute g->share. */
static void grow(struct growth *g)
{
    uint64_t t = ++g->steps;
    for (struct spreads *s = g->way; s < g->way + g->ways; s++) {
        const double *before = fill_lengths(g, s, t - 1);
        double least = least_length(g, s, before, GRID) * (1 - 1e-9) + s->extra;
        if (isfinite(least) && least > g->length[t])
            g->length[t] = ceil(least); /* a spread takes a whole number of link-channels */
        if (s == g->way && bound_starts_at_root(g->c))
            share_from_root(g, before, s->in_step);
    }
}

double growth_length(struct growth *g, uint64_t steps)
{
    assert(steps <= GROWTH_STEPS);
    while (g->steps < steps)
        grow(g);
    return g->length[steps];
}

double growth_share(struct growth *g, uint64_t steps, char *terms)
{
    growth_length(g, steps);
    text_append(terms, " (one node can send it in step 1): %.6g / %.0f + %.6g / %.0f", g->sent[steps],
                root_channels(g->c), g->rest[steps], (double)g->c->graph->channels);
    return g->share[steps];
}

/** Write into the proof the link-channels that a step offers each block, how many nodes lie within 1, 2, … links of a
 * node, and the numbers of holders that follow (`holders`, as text). */
static void say_holders(const struct bound_case *c, const struct balls *b, double capacity, const char *holders)
{
    char near[RWA_ERROR_TEXT] = "";
    double left = c->drops * capacity;
    for (uint32_t d = 1; d < b->count && d <= c->max_hops && left > 0; d++) {
        bound_list(near, (double)b->size[d]);
        left -= (double)(b->size[d] - b->size[d - 1]) * d;
    }
    bound_say(c, "all links have %" PRIu64 " channels a step, %" PRIu64 " / %" PRIu64 " = %.6g for each block; at most "
              "%s nodes lie within 1, 2, ... links of one; informing the nearest first, a block has at most %s holders "
              "on average after 0, 1, ... steps", c->graph->channels, c->graph->channels, c->coll->blocks, capacity,
              near, holders);
    if (c->drops > 1)
        text_append(c->proof, ", with %u receivers on a lightpath", c->drops);
}

/** Compute the fewest steps in which the average number of holders of a block can grow from 1 to all nodes, if in each
 * step all blocks share the channels of all links.  *steps stays 0 if no node can reach all others. */
static rwa_status steps_of_growth(uint64_t *steps, const struct bound_case *c, rwa_error *err)
{
    const double margin = 1e-9; /* exceeds all rounding errors */
    struct balls balls = {0};
    rwa_status st = RWA_OK;
    double holders = 1, capacity;
    char list[RWA_ERROR_TEXT] = "";
    TRY(measure(&balls, c, c->coll->kind == RWA_REDUCE_SCATTER, err));
    if (balls.size[balls.count - 1] < c->nodes) /* no node can reach all others */
        goto done;
    capacity = (double)c->graph->channels / (double)c->coll->blocks;
    bound_list(list, holders);
    while (holders * (1 + margin) < c->nodes && capacity > holders * (double)(balls.size[1] - 1)) {
        holders = next_holders(holders, capacity, &balls, c);
        bound_list(list, fmin(holders, c->nodes));
        (*steps)++;
    }
    say_holders(c, &balls, capacity, list);
    if (holders * (1 + margin) < c->nodes) { /* from here on informing direct neighbours alone takes all the capacity */
        *steps += (uint64_t)ceil((c->nodes - holders) / capacity * (1 - margin));
        text_append(c->proof, ", then %.6g more in each: all %u after %" PRIu64, capacity, c->nodes, *steps);
    }
done:
    free(balls.size);
    return st;
}

/** Tell whether bringing all blocks to all nodes takes more link-channels than `steps` steps have. */
static bool is_too_long(struct growth *g, uint64_t steps)
{
    const struct bound_case *c = g->c;
    double capacity = (double)(c->graph->channels / c->slots) * (double)bound_filled(c, steps) * (1 + 1e-9);
    return (double)c->coll->blocks * growth_length(g, steps) > capacity;
}

/** Raise *steps to the fewest steps that have enough link-channels to bring all blocks to all nodes, by the lengths of
 * spreads (growth_length()). */
static rwa_status steps_of_lengths(uint64_t *steps, const struct bound_case *c, rwa_error *err)
{
    struct growth *g = NULL;
    rwa_status st = growth_open(&g, c, err);
    uint64_t t = 1;
    TRY(st);
    while (t <= GROWTH_STEPS && is_too_long(g, t))
        t++;
    if (t > GROWTH_STEPS) /* length[0] holds for any number of steps */
        t = bound_max(t, bound_steps_to_pass(c, times_saturated(c->coll->blocks, (uint64_t)growth_length(g, 0)),
                                             c->graph->channels));
    uint64_t length = (uint64_t)growth_length(g, t > GROWTH_STEPS + 1 ? 0 : t - 1);
    char sum[RWA_ERROR_TEXT] = "";
    bound_split_sum(sum, c, (double)length);
    if (t > *steps)
        bound_say_need(c, t - 1, length * c->coll->blocks, sum, c->graph->channels / c->slots);
    RAISE(*steps, t);
done:
    growth_close(g);
    return st;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    if (!c->graph || !bound_is_spread(c) || c->graph->channels == 0 || bound_graph_is_large(c->graph))
        return RWA_OK;
    rwa_status st = steps_of_growth(&b->value, c, err);
    if (st == RWA_OK && b->value > 0 && c->coll->kind == RWA_ALL_REDUCE)
        st = steps_of_lengths(&b->value, c, err);
    return st;
}

const struct bound_entry bound_growth = {
    "growth", "steps",
    "to inform a node d links away takes d channels of links, so in a step the blocks reach only as many further nodes "
    "as the channels of all links allow; a sum is collected over N - 1 links before it goes out",
    "docs/reference/bounds.md: this work", .compute = compute};
