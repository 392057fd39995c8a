/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Informing a node has a price, and a lightpath costs its links.  A holder is worth what it can earn in the steps that are left; what the
 * owner earns in all steps is the most by which the prices of all nodes exceed the links of a spread.  Any prices prove a length; good
 * ones are found by a subgradient method (Polyak 1969): nodes that are informed more often than once become cheaper, others dearer.
 */
#include "bound/spread_prices.h"

#include "bound/demand.h"
#include "bound/graph.h"

/** Rounds of the search; those that tell whether the wanted length is far off; rounds without a gain after which its pace is halved. */
enum { ROUNDS = 60, FEW_ROUNDS = 12, OTHERS = 24, PATIENCE = 4 };

/** Where steps have prices of their own: rounds; those without a gain; what a direction keeps of the last one; the last pace. */
enum { WEIGHTED_ROUNDS = 1024, WEIGHTED_PATIENCE = 10 };
static const double inertia = 0.9, weighted_pace = 0.0005;

/** Nodes of the network; and owners times nodes, where the nodes are not alike. */
enum { MOST_NODES = 1024, MOST_PAIRS = 1 << 13 };

static const double first_pace = 0.05, last_pace = 0.004, far_off = 1.25, near_by = 1.3, margin = 1e-9;

/** Nodes that look alike from an owner: by their distances to it, to those that are as far from it, and so on. */
struct classes {
    uint32_t *of;           /* of each node: its class */
    uint32_t *first, *size; /* of each class: its lowest node, and how many it has */
    uint32_t count;
};

struct spread_prices {
    struct arena memory;
    const struct bound_case *c;
    uint32_t nodes;
    bool measured;          /* distances and classes are found: by the first length that is not known yet */
    double per_link;        /* of a lightpath, for each of its readers, but 1 at least for each */
    uint32_t max_hops;      /* the limit that counts now: none while prices are sought */
    double first_step;      /* for each reader in the owner's first step; 0: by the links */
    double extra;           /* link-channels besides */
    double step_price[PRICED_STEPS + 1];    /* of a link-channel in each step: never falls */
    double enough;          /* the search ends at such a length; 0: it does not */
    uint32_t *order;        /* [node][i]: all nodes, nearest first */
    uint16_t *hops;         /* [node][i]: to them */
    double *price;          /* of each node */
    double *best;           /* the prices that proved most */
    double *profile;        /* their means by distance from the owner */
    double *value;          /* [step][node]: price of informing the node in that step, and what it earns afterwards */
    double *dearest;        /* of each step: the highest value */
    double *informed;       /* [2][node]: how often in one step, and in the next */
    double *slope;          /* of each node: 1 less how often it is informed in all */
    double *direction;      /* of each node: the slope, and a share of those before */
    struct classes alike, single; /* nodes that look alike from the root, of one owner; and each node by itself */
    const struct classes *by;   /* prices are sought with one node of each class, and what they prove is found with all nodes */
    uint64_t *look;         /* scratch, of each node */
};

/** One owner, or one that stands for all. */
static bool has_one_owner(const struct bound_case *c)
{
    return c->graph->alike || c->coll->kind == RWA_BROADCAST;
}

static bool is_known(const struct bound_case *c)
{
    const struct bound_graph *g = c->graph;
    assert(c->graph);
    return g->nodes <= MOST_NODES && (has_one_owner(c) || (c->coll->kind != RWA_ALL_REDUCE && c->nodes * g->nodes <= MOST_PAIRS));
}

/** Whether every node is within reach of every other one. */
static bool is_connected(struct bound_graph *g)
{
    return bound_graph_walk(g, 0, false) == g->nodes && bound_graph_walk(g, 0, true) == g->nodes;
}

static void measure(struct spread_prices *p)
{
    const struct bound_case *c = p->c;
    struct bound_graph *g = c->graph;
    bool against = c->coll->kind == RWA_REDUCE_SCATTER || c->coll->kind == RWA_ALL_REDUCE;
    for (uint32_t v = 0; v < p->nodes; v++) {
        bound_graph_walk(g, v, against);
        for (uint32_t i = 0; i < p->nodes; i++) {
            p->order[(size_t)v * p->nodes + i] = g->order[i];
            p->hops[(size_t)v * p->nodes + i] = (uint16_t)g->hops[g->order[i]];
        }
    }
}

static rwa_status allocate(struct spread_prices *p)
{
    size_t nodes = p->nodes;
    arena_new(&p->memory, p->order, nodes * nodes);
    arena_new(&p->memory, p->hops, nodes * nodes);
    arena_new(&p->memory, p->price, nodes);
    arena_new(&p->memory, p->best, nodes);
    arena_new(&p->memory, p->profile, nodes);
    arena_new(&p->memory, p->value, (PRICED_STEPS + 1) * nodes);
    arena_new(&p->memory, p->dearest, PRICED_STEPS + 1);
    arena_new(&p->memory, p->informed, 2 * nodes);
    arena_new(&p->memory, p->slope, nodes);
    arena_new(&p->memory, p->direction, nodes);
    arena_new(&p->memory, p->look, nodes);
    for (struct classes *c = &p->alike; c; c = c == &p->alike ? &p->single : NULL) {
        arena_new(&p->memory, c->of, nodes);
        arena_new(&p->memory, c->first, nodes);
        arena_new(&p->memory, c->size, nodes);
    }
    return arena_status(&p->memory);
}

/** Nodes of equal looks are of one class. */
static void divide(struct classes *c, const uint64_t *look, uint32_t nodes)
{
    c->count = 0;
    for (uint32_t v = 0; v < nodes; v++) {
        uint32_t k = 0;
        while (k < c->count && look[c->first[k]] != look[v])
            k++;
        if (k == c->count) {
            c->first[c->count] = v;
            c->size[c->count++] = 0;
        }
        c->of[v] = k;
        c->size[k]++;
    }
}

/** The sum over all nodes of a number for each class and distance. */
static uint64_t look_from(const struct spread_prices *p, uint32_t v)
{
    const uint32_t *node = p->order + (size_t)v * p->nodes, *of = p->alike.of;
    const uint16_t *hops = p->hops + (size_t)v * p->nodes;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->nodes; i++) {
        uint64_t number = ((uint64_t)of[node[i]] << 16 | hops[i]) * UINT64_C(0x9e3779b97f4a7c15);
        sum += (number ^ number >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    }
    return sum;
}

/** Look from every node at the classes of all others, until no class is divided any more. */
static void find_classes(struct spread_prices *p, uint32_t owner)
{
    struct classes *c = &p->alike;
    for (uint32_t v = 0; v < p->nodes; v++)
        p->look[v] = v == owner ? 1 : p->c->graph->rank[v] == BOUND_NO_RANK ? 2 : 0;
    divide(c, p->look, p->nodes);
    for (uint32_t before = 0; c->count > before && c->count < p->nodes;) {
        before = c->count;
        for (uint32_t v = 0; v < p->nodes; v++)
            p->look[v] = look_from(p, v);
        divide(c, p->look, p->nodes);
    }
}

static void set_classes(struct spread_prices *p)
{
    for (uint32_t v = 0; v < p->nodes; v++)
        p->look[v] = v;
    divide(&p->single, p->look, p->nodes);
    p->by = &p->single;
    if (has_one_owner(p->c))
        find_classes(p, p->c->graph->member[p->c->root]);
}

rwa_status spread_prices_open(struct spread_prices **out, const struct bound_case *c, rwa_error *err)
{
    bool reduces = c->coll->kind == RWA_ALL_REDUCE;
    *out = NULL;
    if (!is_known(c) || !is_connected(c->graph))
        return RWA_OK;
    MUST(base_new(*out, 1, err));
    struct spread_prices *p = *out;
    p->c = c;
    p->nodes = c->graph->nodes;
    p->per_link = reduces ? 1 : 1.0 / c->drops;
    p->max_hops = UINT32_MAX;
    for (int t = 0; t <= PRICED_STEPS; t++)
        p->step_price[t] = 1;
    p->extra = reduces ? c->nodes - 1 : 0;
    p->memory.err = err;
    return RWA_OK;
}

/** Whether there is memory for the tables, which are found when they are first needed. */
static bool is_measured(struct spread_prices *p)
{
    if (!p->measured && allocate(p) == RWA_OK) {
        measure(p);
        set_classes(p);
        p->measured = true;
    }
    return p->measured;
}

rwa_status spread_prices_status(const struct spread_prices *p)
{
    return p ? arena_status(&p->memory) : RWA_OK;
}

void spread_prices_close(struct spread_prices *p)
{
    if (p)
        arena_free(&p->memory);
    free(p);
}

/* ---- what given prices prove ---- */

/** Entries of the row of node v up to the last node that it can inform at a gain in one step: farther lightpaths cost more than any
 *  value of that step. */
static uint32_t entries_within(const struct spread_prices *p, uint32_t v, uint64_t step, double dearest)
{
    const uint16_t *hops = p->hops + (size_t)v * p->nodes;
    double most = dearest / (p->per_link * p->step_price[step]);
    uint32_t end = 1;
    while (end < p->nodes && hops[end] < most && hops[end] <= p->max_hops)
        end++;
    return end;
}

static double cost_of(const struct spread_prices *p, uint16_t hops)
{
    double cost = hops * p->per_link;
    return cost > 1 ? cost : 1;
}

/** Gains of node v in a step, added up; counts the nodes informed, where `informed` is not NULL, `times` each. */
static double gain_of(const struct spread_prices *p, uint32_t v, uint64_t step, double times, double *informed)
{
    const uint32_t *node = p->order + (size_t)v * p->nodes;
    const uint16_t *hops = p->hops + (size_t)v * p->nodes;
    const double *value = p->value + step * p->nodes;
    uint32_t end = entries_within(p, v, step, p->dearest[step]);
    double sum = 0;
    for (uint32_t i = 1; i < end; i++) {
        double gain = value[node[i]] - p->step_price[step] * cost_of(p, hops[i]);
        if (gain <= 0)
            continue;
        sum += gain;
        if (informed)
            informed[node[i]] += times;
    }
    return sum;
}

/** Each node by the owner's first step, or else by its second. */
static double gain_at_root(const struct spread_prices *p, uint32_t owner, double *first, double *second)
{
    const uint32_t *node = p->order + (size_t)owner * p->nodes;
    const uint16_t *hops = p->hops + (size_t)owner * p->nodes;
    double sum = 0;
    for (uint32_t i = 1; i < p->nodes; i++) {
        double now = p->value[p->nodes + node[i]] - p->first_step, later = p->value[2 * p->nodes + node[i]] - cost_of(p, hops[i]);
        double gain = fmax(now, hops[i] <= p->max_hops ? later : 0);
        if (gain <= 0)
            continue;
        sum += gain;
        if (first)
            (now == gain ? first : second)[node[i]]++;
    }
    return sum;
}

static double gain_of_owner(const struct spread_prices *p, uint32_t owner, double *first, double *second)
{
    return p->first_step > 0 ? gain_at_root(p, owner, first, second) : gain_of(p, owner, 1, 1, first);
}

/** The owner is worth nothing, since it holds the block. */
static void set_values(struct spread_prices *p, uint32_t owner, uint64_t steps)
{
    for (uint64_t t = steps; t >= 1; t--) {
        double *value = p->value + t * p->nodes;
        p->dearest[t] = 0;
        for (uint32_t v = 0; v < p->nodes; v++) {
            uint32_t first = p->by->first[p->by->of[v]];
            double same = value[first];
            value[v] = v == owner ? 0 : v != first ? same : p->price[v] + (t < steps ? gain_of(p, v, t + 1, 0, NULL) : 0);
            p->dearest[t] = fmax(p->dearest[t], value[v]);
        }
    }
}

/** The length that the prices prove. */
static double proven_length(struct spread_prices *p, uint32_t owner, uint64_t steps)
{
    double prices = 0, earned;
    set_values(p, owner, steps);
    earned = gain_of_owner(p, owner, NULL, NULL);
    for (uint32_t v = 0; v < p->nodes; v++)
        prices += p->price[v];
    return prices - earned - margin * (prices + earned);
}

/** Nodes of a class are informed equally often. */
static void share_alike(const struct spread_prices *p, double *informed)
{
    for (uint32_t v = 0; v < p->nodes; v++) {
        uint32_t first = p->by->first[p->by->of[v]];
        informed[first] += v != first ? informed[v] : 0;
    }
    for (uint32_t k = 0; k < p->by->count; k++)
        informed[p->by->first[k]] /= p->by->size[k];
    for (uint32_t v = 0; v < p->nodes; v++)
        informed[v] = informed[p->by->first[p->by->of[v]]];
}

/** How the proven length changes with each price. */
static void find_slope(struct spread_prices *p, uint32_t owner, uint64_t steps)
{
    double *now = p->informed, *next = p->informed + p->nodes;
    memset(p->informed, 0, 2 * p->nodes * sizeof *p->informed);
    gain_of_owner(p, owner, now, next);
    for (uint32_t v = 0; v < p->nodes; v++)
        p->slope[v] = 1 - now[v];
    for (uint64_t t = 2; t <= steps; t++) {
        double *done = now;
        for (uint32_t k = 0; k < p->by->count; k++) {
            uint32_t v = p->by->first[k];
            if (now[v] > 0)
                gain_of(p, v, t, now[v] * p->by->size[k], next);
        }
        share_alike(p, next);
        for (uint32_t v = 0; v < p->nodes; v++)
            p->slope[v] -= next[v];
        memset(done, 0, p->nodes * sizeof *done);
        now = next;
        next = done;
    }
}

/* ---- good prices ---- */

/** Only receivers have one. */
static bool has_price(const struct spread_prices *p, uint32_t v, uint32_t owner)
{
    return v != owner && p->c->graph->rank[v] != BOUND_NO_RANK;
}

/** A step along the slope, towards a length a little above the best. */
static bool move_prices(struct spread_prices *p, uint32_t owner, double missing)
{
    double square = 0, share = p->enough > 0 ? inertia : 0;
    for (uint32_t v = 0; v < p->nodes; v++) {
        p->direction[v] = p->slope[v] + share * p->direction[v];
        if (has_price(p, v, owner))
            square += p->direction[v] * p->direction[v];
    }
    for (uint32_t v = 0; v < p->nodes && square > 0; v++)
        if (has_price(p, v, owner))
            p->price[v] = fmax(0, p->price[v] + missing / square * p->direction[v]);
    return square > 0;
}

/** All alike; or, of nodes as far from their owner, the mean of the last owner's best prices. */
static void first_prices(struct spread_prices *p, uint32_t owner, double each)
{
    for (uint32_t i = 0; i < p->nodes; i++) {
        size_t at = (size_t)owner * p->nodes + i;
        double same = each < 0 ? p->profile[p->hops[at]] : each;
        p->price[p->order[at]] = has_price(p, p->order[at], owner) ? same : 0;
    }
}

/** The means of the best prices by distance from the owner. */
static void keep_profile(struct spread_prices *p, uint32_t owner)
{
    uint32_t alike = 0, last = 0;
    for (uint32_t i = 0; i < p->nodes; i++) {
        size_t at = (size_t)owner * p->nodes + i;
        alike = i > 0 && p->hops[at] == last ? alike + 1 : 1;
        last = p->hops[at];
        p->profile[last] += (p->best[p->order[at]] - p->profile[last]) / alike;
    }
    for (uint32_t h = last + 1; h < p->nodes; h++)
        p->profile[h] = p->profile[last];
}

/** By the best prices with so many hops at most: without a limit they prove no more, so that the bound never rises with what is allowed. */
static double length_within(struct spread_prices *p, uint32_t owner, uint64_t steps, uint32_t max_hops)
{
    memcpy(p->price, p->best, p->nodes * sizeof *p->price);
    p->max_hops = max_hops;
    double length = proven_length(p, owner, steps);
    p->max_hops = UINT32_MAX;
    return length;
}

/** A part of the length of a spread in which every holder informs as many nodes in every step, the nearest ones: from below the search
 *  ends higher. */
static double usual_length(const struct spread_prices *p, uint32_t owner, uint64_t steps)
{
    const double part = 0.7;
    const uint16_t *hops = p->hops + (size_t)owner * p->nodes;
    double times = pow(p->c->nodes, 1.0 / (double)steps), holders = 1, length = 0, each = 0;
    uint32_t informed = (uint32_t)ceil(times - 1);
    for (uint32_t i = 1; i <= informed && i < p->nodes; i++)
        each += cost_of(p, hops[i]);
    for (uint64_t t = 1; t <= steps; t++) {
        length += p->step_price[t] * holders * each * (times - 1) / informed;
        holders *= times;
    }
    return part * length;
}

/** @param each  where its prices begin; below 0: at those of the owner before */
static double length_from(struct spread_prices *p, uint32_t owner, uint64_t steps, double each, int rounds)
{
    double best = -INFINITY, pace = first_pace, last = p->enough > 0 ? weighted_pace : last_pace;
    int patience = p->enough > 0 ? WEIGHTED_PATIENCE : PATIENCE;
    bool moved = true;
    p->by = has_one_owner(p->c) ? &p->alike : &p->single;
    first_prices(p, owner, each);
    memset(p->direction, 0, p->nodes * sizeof *p->direction);
    for (int round = 0, vain = 0; round < rounds && moved && pace > last && (p->enough == 0 || best <= p->enough); round++) {
        double now = proven_length(p, owner, steps);
        vain = now > best ? 0 : vain + 1;
        if (now > best) {
            best = now;
            memcpy(p->best, p->price, p->nodes * sizeof *p->best);
        } else if (vain == patience) {
            vain = 0;
            pace /= 2;
            memcpy(p->price, p->best, p->nodes * sizeof *p->best);
            now = proven_length(p, owner, steps);
        }
        find_slope(p, owner, steps);
        moved = move_prices(p, owner, best + pace * (fabs(best) + 1) - now);
    }
    keep_profile(p, owner);
    p->by = &p->single;
    return fmax(length_within(p, owner, steps, UINT32_MAX), length_within(p, owner, steps, p->c->max_hops));
}

/** Over all blocks, by rounds for each owner.  Where all own as many, their number says nothing. */
static double find_mean_length(struct spread_prices *p, uint64_t steps, int rounds)
{
    const struct bound_case *c = p->c;
    uint64_t unit = demand_owners_differ(c->coll) ? 1 : c->coll->blocks / c->nodes;
    double sum = 0, each = usual_length(p, c->graph->member[c->root], steps) / (c->nodes - 1);
    if (has_one_owner(c))
        return length_from(p, c->graph->member[c->root], steps, each, rounds);
    for (uint32_t r = 0; r < c->nodes; r++) {
        struct demand_side own = {0};
        demand_add(&own, c->coll, r);
        if (own.blocks == 0)
            continue;
        sum += (double)(own.blocks / unit) * length_from(p, c->graph->member[r], steps, each, sum > 0 && rounds > OTHERS ? OTHERS : rounds);
        each = -1;
    }
    return sum / (double)(c->coll->blocks / unit);
}

/** A mean length follows from these and the network.  On all nodes of a network it is the same for many collectives. */
struct prices_key {
    uint32_t note, owner, against, reduces, reversed, drops, max_hops, steps;
    uint64_t rounds, blocks;
    double enough, owner_step;
    double first, second;       /* prices of the first steps: those of the others follow */
};

static struct prices_key key_of(const struct spread_prices *p, uint64_t steps, int rounds)
{
    const struct bound_case *c = p->c;
    bool one = has_one_owner(c), reduces = c->coll->kind == RWA_ALL_REDUCE;
    return (struct prices_key){NOTE_PRICES, one ? c->graph->member[c->root] : UINT32_MAX, c->coll->kind == RWA_REDUCE_SCATTER, reduces,
                               c->reversed, c->drops, c->max_hops, (uint32_t)steps, (uint64_t)rounds,
                               !one && demand_owners_differ(c->coll) ? c->coll->blocks : 0, p->enough, p->first_step, p->step_price[1],
                               p->step_price[2]};
}

/** 0: there is no memory to find it. */
static double mean_length(struct spread_prices *p, uint64_t steps, int rounds)
{
    const struct bound_case *c = p->c;
    struct prices_key key = key_of(p, steps, rounds);
    bool whole = c->nodes == c->graph->nodes;
    const double *known = whole ? network_note(c->net, &key, sizeof key) : NULL;
    if (!known && !is_measured(p))
        return 0;
    double length = known ? *known : find_mean_length(p, steps, rounds);
    if (whole && !known)
        network_keep_note(c->net, &key, sizeof key, &length, sizeof length);
    return length;
}

/** A price of each step as those below, but 1 on the average. */
static void set_step_prices(struct spread_prices *p, uint64_t steps, const double *price)
{
    double sum = 0;
    for (uint64_t t = 1; t <= steps; t++)
        sum += price[t - 1];
    for (uint64_t t = 1; t <= steps; t++)
        p->step_price[t] = price[t - 1] * (double)steps / sum;
}

double spread_prices_of_steps(struct spread_prices *p, uint64_t steps, double wanted)
{
    static const double prices[][PRICED_STEPS] = {{1, 1, 1, 1, 1}, {1, 2, 2, 2, 2}, {2, 3, 6, 6, 6}, {3, 4, 6, 6, 6}};
    double most = spread_prices_length(p, steps, wanted);
    if (!has_one_owner(p->c) || p->extra > 0 || p->c->slots > 1)
        return most;
    p->enough = wanted;
    for (size_t i = 1; i < sizeof prices / sizeof prices[0] && most <= wanted && near_by * most > wanted; i++) {
        set_step_prices(p, steps, prices[i]);
        most = fmax(most, mean_length(p, steps, WEIGHTED_ROUNDS));
    }
    set_step_prices(p, PRICED_STEPS, prices[0]);
    p->enough = 0;
    return most;
}

double spread_prices_length(struct spread_prices *p, uint64_t steps, double wanted)
{
    assert(steps >= 2 && steps <= PRICED_STEPS);
    if (wanted > 0) {
        double soon = mean_length(p, steps, FEW_ROUNDS) + p->extra;
        if (far_off * soon < wanted)
            return soon;
    }
    return mean_length(p, steps, ROUNDS) + p->extra;
}

double spread_prices_share(struct spread_prices *p, uint64_t steps)
{
    const struct bound_case *c = p->c;
    uint32_t root = c->graph->member[c->root];
    double channels = (double)c->graph->channels;
    assert(c->coll->kind == RWA_BROADCAST && steps >= 2 && steps <= PRICED_STEPS);
    p->first_step = p->per_link * channels / (double)c->graph->out.width[root];
    double length = mean_length(p, steps, ROUNDS);
    p->first_step = 0;
    return length / channels;
}
