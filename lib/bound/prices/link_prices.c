/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Link-capacity on listed links: a price for each link and step, and one for each owner and node that it must inform.  A holder is
 * worth what it can earn in the steps that are left; a lightpath costs the cheapest way at the prices of its step.  Both kinds of
 * prices are found together by a subgradient method (Polyak 1969): full links and nodes that no one informs become dearer.  Prices
 * are whole numbers in doubles, so that ways of equal cost are seen to be, and sums are exact.
 */
#include "bound/prices/link_prices.h"

#include "bound/demand.h"
#include "bound/graph.h"
#include "network/network.h"

enum { MOST_STEPS = 4, MOST_ROUNDS = 300, LEAST_ROUNDS = 80, EVEN_ROUND = 10, PATIENCE = 20 };
enum { MOST_GAIN = 2 };     /* a plan farther above what the others say gains little from it */

static const double most_work = 8e7;        /* steps times nodes cubed, in all rounds */
static const double unit = 1 << 20;         /* the price of a link at first */
static const double exact = 1e15;           /* whole numbers up to this, and sums of two, are doubles */
static const double margin = 1e-9;          /* more than rounding can take away from the sum over all owners */
static const double ahead = 0.06, slower = 0.7, last_pace = 0.02;   /* a proof seems to be so far away; the pace of the steps towards it */
static const double node_pace = 0.3, link_pace = 0.2, most_move = 0.3, inertia = 0.6;
static const double even = 1.02;            /* of loads that differ by no more */

struct link_prices {
    struct arena memory;
    const struct bound_case *c;
    uint32_t nodes, links, steps;
    double *blocks;             /* [node] owned, so many times as other owners do */
    uint32_t *from, *to;        /* of each link, as blocks spread */
    double *channels;           /* of each link, for each block of an owner */
    uint64_t *first_in;         /* the links into node v are in[first_in[v]] … in[first_in[v + 1] - 1] */
    uint64_t *first_out;
    uint32_t *in;
    double *price;              /* [step][link] */
    double *worth;              /* [owner][node]: of informing the node */
    double *cost;               /* [step][from][to]: of the cheapest way */
    uint32_t *order;            /* [step][from][i]: all nodes, nearest first */
    double *lightpaths;         /* [step][from][to] */
    double *load;               /* [step][link] */
    double *slope;              /* [owner][node]: how often it is not informed */
    double *best;               /* the prices, and then the worths, that proved most */
    double *direction;          /* of prices and worths: slopes, and a share of those before */
    double *value;              /* [step][node] for one owner: worth of informing the node in that step */
    double *earned;             /* [node]: in the steps from one on */
    double *holders;            /* [2][node]: how often informed by now, and in one step */
    double ratio, most;         /* what spreads cost at the prices, so many times what all channels are worth; the most so far */
};

static size_t prices_of(const struct link_prices *p)
{
    return (size_t)p->steps * p->links;
}

static size_t worths_of(const struct link_prices *p)
{
    return (size_t)p->nodes * p->nodes;
}

static bool is_receiver(const struct link_prices *p, uint32_t owner, uint32_t v)
{
    return v != owner && p->c->graph->rank[v] != BOUND_NO_RANK;
}

static double work_of_round(uint64_t steps, const struct bound_case *c)
{
    return (double)steps * c->graph->nodes * c->graph->nodes * c->graph->nodes;
}

/* ---- the case ---- */

static rwa_status allocate(struct link_prices *p)
{
    size_t n = p->nodes, prices = prices_of(p), pairs = worths_of(p) * p->steps;
    arena_new(&p->memory, p->blocks, n);
    arena_new(&p->memory, p->from, p->links);
    arena_new(&p->memory, p->to, p->links);
    arena_new(&p->memory, p->channels, p->links);
    arena_new(&p->memory, p->in, p->links);
    arena_new(&p->memory, p->first_in, n + 2);
    arena_new(&p->memory, p->price, prices + worths_of(p));
    arena_new(&p->memory, p->best, prices + worths_of(p));
    arena_new(&p->memory, p->direction, prices + worths_of(p));
    arena_new(&p->memory, p->cost, pairs);
    arena_new(&p->memory, p->order, pairs);
    arena_new(&p->memory, p->lightpaths, pairs);
    arena_new(&p->memory, p->load, prices);
    arena_new(&p->memory, p->slope, worths_of(p));
    arena_new(&p->memory, p->value, (size_t)p->steps * n);
    arena_new(&p->memory, p->earned, n);
    arena_new(&p->memory, p->holders, 2 * n);
    p->worth = p->price ? p->price + prices : NULL;
    return arena_status(&p->memory);
}

/** The links as blocks spread over them: in a reduce-scatter, time-reversed, against their direction. */
static void take_links(struct link_prices *p, const struct bound_ends *out)
{
    double readers = p->c->drops;
    p->first_out = out->first;
    for (uint32_t v = 0; v < p->nodes; v++)
        for (uint64_t k = out->first[v]; k < out->first[v + 1]; k++) {
            p->from[k] = v;
            p->to[k] = out->node[k];
            p->channels[k] = readers * (double)out->channels[k];
            p->first_in[p->to[k] + 2]++;
        }
    for (uint32_t v = 0; v < p->nodes; v++)
        p->first_in[v + 2] += p->first_in[v + 1];
    for (uint32_t k = 0; k < p->links; k++)
        p->in[p->first_in[p->to[k] + 1]++] = k;
}

/** Counted in the blocks of an owner, on the average: then the pace does not depend on how many there are. */
static void take_blocks(struct link_prices *p)
{
    const struct bound_case *c = p->c;
    double owners = 0;
    for (uint32_t r = 0; r < c->nodes; r++) {
        struct demand_side own = {0};
        demand_add(&own, c->coll, r);
        p->blocks[c->graph->member[r]] = (double)own.blocks;
        owners += own.blocks > 0;
    }
    double each = (double)c->coll->blocks / owners;
    for (uint32_t v = 0; v < p->nodes; v++)
        p->blocks[v] /= each;
    for (uint32_t k = 0; k < p->links; k++)
        p->channels[k] /= each;
}

/** In the first step owners alone send, so that its channels are worth less. */
static void first_prices(struct link_prices *p)
{
    for (size_t i = 0; i < prices_of(p); i++)
        p->price[i] = i < p->links ? unit / 2 : unit;
    for (uint32_t r = 0; r < p->nodes; r++)
        for (uint32_t v = 0; v < p->nodes; v++)
            p->worth[(size_t)r * p->nodes + v] = is_receiver(p, r, v) ? unit : 0;
}

static rwa_status open_prices(struct link_prices *p, uint64_t steps, const struct bound_case *c, rwa_error *err)
{
    bool against = c->coll->kind == RWA_REDUCE_SCATTER;
    *p = (struct link_prices){.memory.err = err, .c = c, .nodes = c->graph->nodes, .links = c->graph->links, .steps = (uint32_t)steps};
    MUST(allocate(p));
    take_links(p, against ? &c->graph->in : &c->graph->out);
    take_blocks(p);
    first_prices(p);
    return RWA_OK;
}

/* ---- what given prices prove ---- */

/** The cheapest ways from a node (Dijkstra 1959), without a heap: networks are small. */
static void find_ways(struct link_prices *p, uint32_t step, uint32_t node)
{
    double *cost = p->cost + ((size_t)step * p->nodes + node) * p->nodes;
    uint32_t *order = p->order + ((size_t)step * p->nodes + node) * p->nodes;
    const double *price = p->price + (size_t)step * p->links;
    for (uint32_t v = 0; v < p->nodes; v++) {
        order[v] = v;
        cost[v] = v == node ? 0 : INFINITY;
    }
    for (uint32_t i = 0; i < p->nodes; i++) {
        uint32_t next = i;
        for (uint32_t k = i + 1; k < p->nodes; k++)
            next = cost[order[k]] < cost[order[next]] ? k : next;
        uint32_t v = order[next];
        order[next] = order[i];
        order[i] = v;
        for (uint64_t k = p->first_out[v]; k < p->first_out[v + 1]; k++)
            if (cost[v] + price[k] < cost[p->to[k]])
                cost[p->to[k]] = cost[v] + price[k];
    }
}

/** What the owner earns in all steps, which is less what its spread costs: set p->value. */
static double earned_by(struct link_prices *p, uint32_t owner)
{
    memset(p->earned, 0, p->nodes * sizeof *p->earned);
    for (uint32_t t = p->steps; t-- > 0;) {
        double *value = p->value + (size_t)t * p->nodes;
        for (uint32_t v = 0; v < p->nodes; v++)
            value[v] = v == owner ? 0 : p->worth[(size_t)owner * p->nodes + v] + p->earned[v];
        for (uint32_t v = 0; v < p->nodes; v++) {
            const double *cost = p->cost + ((size_t)t * p->nodes + v) * p->nodes;
            double sum = 0;
            for (uint32_t w = 0; w < p->nodes; w++)
                sum += value[w] > cost[w] && w != v ? value[w] - cost[w] : 0;
            p->earned[v] += sum;
        }
    }
    return p->earned[owner];
}

/** Every holder informs whom it gains from: how often each node is, and the lightpaths between any two. */
static void count_lightpaths(struct link_prices *p, uint32_t owner)
{
    double *holders = p->holders, *informed = p->holders + p->nodes, *slope = p->slope + (size_t)owner * p->nodes;
    for (uint32_t v = 0; v < p->nodes; v++) {
        holders[v] = v == owner;
        slope[v] = is_receiver(p, owner, v);
    }
    for (uint32_t t = 0; t < p->steps; t++) {
        const double *value = p->value + (size_t)t * p->nodes;
        memset(informed, 0, p->nodes * sizeof *informed);
        for (uint32_t v = 0; v < p->nodes; v++) {
            size_t row = ((size_t)t * p->nodes + v) * p->nodes;
            for (uint32_t w = 0; holders[v] > 0 && w < p->nodes; w++)
                if (value[w] > p->cost[row + w] && w != v) {
                    informed[w] += holders[v];
                    p->lightpaths[row + w] += p->blocks[owner] * holders[v];
                }
        }
        for (uint32_t v = 0; v < p->nodes; v++) {
            holders[v] += informed[v];
            slope[v] -= is_receiver(p, owner, v) ? informed[v] : 0;
        }
    }
}

/** Lightpaths from a node to its links, the farthest first; over all cheapest ways alike, so that symmetric links stay alike. */
static void load_ways(struct link_prices *p, uint32_t step, uint32_t node)
{
    size_t row = ((size_t)step * p->nodes + node) * p->nodes;
    const double *cost = p->cost + row, *price = p->price + (size_t)step * p->links;
    double *passing = p->lightpaths + row, *load = p->load + (size_t)step * p->links;
    for (uint32_t i = p->nodes; i-- > 1;) {
        uint32_t v = p->order[row + i], ways = 0;
        if (passing[v] <= 0)
            continue;
        for (uint64_t k = p->first_in[v]; k < p->first_in[v + 1]; k++)
            ways += cost[p->from[p->in[k]]] + price[p->in[k]] <= cost[v];
        for (uint64_t k = p->first_in[v]; k < p->first_in[v + 1]; k++) {
            uint32_t link = p->in[k];
            if (cost[p->from[link]] + price[link] > cost[v])
                continue;
            load[link] += passing[v] / ways;
            passing[p->from[link]] += passing[v] / ways;
        }
    }
}

/** Find the ratio that the prices prove, and the slopes of all. */
static void solve(struct link_prices *p)
{
    double least = 0, rounded = 0, channels = 0;
    bool is_exact = true;
    memset(p->lightpaths, 0, worths_of(p) * p->steps * sizeof *p->lightpaths);
    memset(p->load, 0, prices_of(p) * sizeof *p->load);
    for (uint32_t t = 0; t < p->steps; t++)
        for (uint32_t v = 0; v < p->nodes; v++)
            find_ways(p, t, v);
    for (uint32_t r = 0; r < p->nodes; r++) {
        double worth = 0;
        if (p->blocks[r] <= 0)
            continue;
        for (uint32_t v = 0; v < p->nodes; v++)
            worth += p->worth[(size_t)r * p->nodes + v];
        double earned = earned_by(p, r);
        is_exact = is_exact && worth < exact && earned < exact;
        least += p->blocks[r] * (worth - earned);
        rounded += p->blocks[r] * (worth + earned);
        count_lightpaths(p, r);
    }
    for (uint32_t t = 0; t < p->steps; t++)
        for (uint32_t v = 0; v < p->nodes; v++)
            load_ways(p, t, v);
    for (size_t i = 0; i < prices_of(p); i++)
        channels += p->channels[i % p->links] * p->price[i];
    p->ratio = is_exact ? (least - margin * rounded) / (channels * (1 + margin)) : -INFINITY;
}

/* ---- good prices ---- */

/** Whether all links of each step are equally full: then prices of links say no more than prices of steps do. */
static bool is_even(const struct link_prices *p)
{
    for (uint32_t t = 0; t < p->steps; t++) {
        double least = INFINITY, most = 0;
        for (uint32_t k = 0; k < p->links; k++) {
            least = fmin(least, p->load[(size_t)t * p->links + k] / p->channels[k]);
            most = fmax(most, p->load[(size_t)t * p->links + k] / p->channels[k]);
        }
        if (most > even * least)
            return false;
    }
    return true;
}

/** A step along the slopes, each price in proportion to itself; afterwards all channels are worth what they were. */
static void move_prices(struct link_prices *p, double pace)
{
    size_t prices = prices_of(p);
    double nodes = 0, links = 0, before = 0, after = 0;
    for (size_t i = 0; i < prices; i++) {
        double channels = p->channels[i % p->links];
        p->direction[i] = inertia * p->direction[i] + (1 - inertia) * (p->load[i] - p->ratio * channels);
        links += p->direction[i] * p->direction[i] * p->price[i];
        before += channels * p->price[i];
    }
    for (size_t i = 0; i < worths_of(p); i++) {
        double *direction = p->direction + prices + i;
        *direction = inertia * *direction + (1 - inertia) * p->blocks[i / p->nodes] * p->slope[i];
        nodes += *direction * *direction;
    }
    double missing = pace * (p->most * (1 + ahead) - p->ratio) * before;
    for (size_t i = 0; i < worths_of(p) && nodes > 0; i++)
        p->worth[i] = fmax(0, rint(p->worth[i] + node_pace * missing / nodes * p->direction[prices + i]));
    for (size_t i = 0; i < prices && links > 0; i++) {
        p->price[i] *= exp(fmin(most_move, fmax(-most_move, link_pace * missing / links * p->direction[i])));
        after += p->channels[i % p->links] * p->price[i];
    }
    for (size_t i = 0; i < prices && links > 0; i++)
        p->price[i] = rint(p->price[i] * before / after);
}

/** Whether what is still missing can be made up in the rounds that are left. */
static bool is_hopeless(int round, double ratio)
{
    static const struct { int round; double most; } known[] = {{40, 1.2}, {100, 1.08}, {200, 1.03}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (round == known[i].round && ratio * known[i].most < 1)
            return true;
    return false;
}

static void keep_best(struct link_prices *p)
{
    p->most = p->ratio;
    memcpy(p->best, p->price, (prices_of(p) + worths_of(p)) * sizeof *p->best);
}

/** Begin again at the best prices. */
static void return_to_best(struct link_prices *p)
{
    memcpy(p->price, p->best, (prices_of(p) + worths_of(p)) * sizeof *p->best);
    memset(p->direction, 0, (prices_of(p) + worths_of(p)) * sizeof *p->direction);
    solve(p);
}

/** Where a proof lies does not count, so that whatever is proven for some channels is proven for fewer. */
static rwa_status trade(bool *proven, struct link_prices *p, int rounds, rwa_error *err)
{
    double pace = 1;
    for (int round = 0, vain = 0; round < rounds && pace > last_pace && !is_hopeless(round, p->most); round++) {
        if (base_must_stop(p->c->budget, "link-capacity bound", (double)round / rounds))
            return base_fail(err, RWA_CANCELLED, "stopped while computing the link-capacity bound");
        solve(p);
        vain = p->ratio > p->most ? 0 : vain + 1;
        if (round == EVEN_ROUND && p->c->graph->alike && is_even(p))
            break;
        if (p->ratio > p->most)
            keep_best(p);
        *proven = p->most > 1;
        if (*proven)
            break;
        if (vain == PATIENCE) {
            vain = 0;
            pace *= slower;
            return_to_best(p);
        }
        move_prices(p, pace);
    }
    return RWA_OK;
}

static rwa_status find_proof(bool *proven, uint64_t steps, const struct bound_case *c, rwa_error *err)
{
    struct link_prices p;
    double rounds = most_work / work_of_round(steps, c);
    rwa_status st = open_prices(&p, steps, c, err);
    TRY(st);
    TRY(trade(proven, &p, rounds < MOST_ROUNDS ? (int)rounds : MOST_ROUNDS, err));
done:
    arena_free(&p.memory);
    return st;
}

/* ---- the bound ---- */

struct link_key {
    uint32_t note, kind, steps, drops;
    uint64_t channels, blocks;
};

/** Whether so many steps are too few; on all nodes of a network it is found once. */
static rwa_status too_few(bool *answer, uint64_t steps, const struct bound_case *c, rwa_error *err)
{
    struct link_key key = {NOTE_LINK_PRICES, (uint32_t)c->coll->kind, (uint32_t)steps, c->drops, c->lightpaths, c->coll->blocks};
    bool whole = c->nodes == c->graph->nodes;
    const bool *known = whole ? network_note(c->net, &key, sizeof key) : NULL;
    *answer = known && *known;
    if (known)
        return RWA_OK;
    MUST(find_proof(answer, steps, c, err));
    if (whole)
        network_keep_note(c->net, &key, sizeof key, answer, sizeof *answer);
    return RWA_OK;
}

static bool applies(const struct bound_case *c)
{
    bool everywhere = c->coll->kind == RWA_ALL_GATHER || c->coll->kind == RWA_REDUCE_SCATTER;
    return c->graph && everywhere && c->slots == 1 && c->graph->channels > 0;
}

rwa_status link_prices_steps(uint64_t *steps, const struct bound_case *c, rwa_error *err)
{
    uint64_t proven = c->proven;
    bool more = applies(c) && proven >= 2 && (c->reached == 0 || c->reached <= proven + MOST_GAIN);
    while (more && proven != c->reached && proven <= MOST_STEPS && work_of_round(proven, c) * LEAST_ROUNDS <= most_work) {
        MUST(too_few(&more, proven, c, err));
        proven += more;
    }
    *steps = proven > c->proven ? proven : 0;
    return RWA_OK;
}
