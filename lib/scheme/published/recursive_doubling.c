/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Recursive-doubling all-reduce (Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in
 * MPICH, 2005): participants at distance 1, 2, 4 … swap their sums.  log2 N exchanges for a power of two; otherwise the
 * first nodes pair off before and are told after, two steps more.  Over distance D a link carries D lightpaths each way
 * (half as many in the last exchange of a ring, which goes round both ways), so wavelengths can be too few.
 * A pair's two lightpaths carry sums of the same step, or they would count each other twice: they share a colour.
 */
#include "scheme/scheme.h"

#include "base/base.h"

#include <stdlib.h>

struct doubling {
    uint32_t nodes;
    uint32_t ranks;             /* the largest power of two that is not above nodes */
    uint32_t extra;             /* nodes - ranks: so many pairs (2i, 2i + 1) act as one */
    bool ring;
    uint32_t stage;
};

static uint32_t log2_down(uint32_t n)
{
    uint32_t k = 0;
    while (n >> (k + 1) > 0)
        k++;
    return k;
}

static rwa_status doubling_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(request->net);
    struct doubling *d = base_array(1, sizeof *d, err);
    *out = d;
    if (!d)
        return RWA_NOMEM;
    *d = (struct doubling){.nodes = n, .ranks = (uint32_t)1 << log2_down(n),
                           .ring = rwa_network_topology(request->net) == RWA_RING};
    d->extra = n - d->ranks;
    return RWA_OK;
}

static uint32_t node_of(const struct doubling *d, uint32_t rank)
{
    return rank < d->extra ? 2 * rank : rank + d->extra;
}

/** Before and after the exchanges: the odd node of every extra pair gives, or gets. */
static rwa_status pair_off(const struct doubling *d, struct stage *s, bool before, rwa_error *err)
{
    rwa_status st = stage_create(s, d->extra, err);
    s->op = before ? RWA_REDUCE : RWA_COPY;
    for (uint32_t i = 0; i < d->extra && st == RWA_OK; i++)
        stage_add(s, 2 * i + before, 2 * i + !before, 0);
    return st;
}

static void add_swap(struct stage *s, uint32_t u, uint32_t v, rwa_direction there, rwa_direction back, uint32_t colour)
{
    s->direction[s->count] = (uint8_t)there;
    s->colour[s->count] = colour;
    stage_add(s, u, v, 0);
    s->direction[s->count] = (uint8_t)back;
    s->colour[s->count] = colour;
    stage_add(s, v, u, 0);
}

/** All pairs of a block of 2 * apart ranks meet over its middle.  Half way round a ring, a pair fills one direction. */
static rwa_status swap_all(const struct doubling *d, struct stage *s, uint32_t apart, rwa_error *err)
{
    bool round = d->ring && 2 * apart == d->ranks;
    rwa_status st = RWA_OK;
    TRY(stage_create(s, d->ranks, err));
    s->direction = base_array(d->ranks, sizeof *s->direction, err);
    s->colour = base_array(d->ranks, sizeof *s->colour, err);
    if (!s->direction || !s->colour)
        return RWA_NOMEM;
    s->op = RWA_REDUCE;
    for (uint32_t r = 0; r < d->ranks; r++) {
        uint32_t pair = r % apart;
        rwa_direction way = pair % 2 == 0 ? RWA_CW : RWA_CCW;
        if (r / apart % 2 == 0 && round)
            add_swap(s, node_of(d, r), node_of(d, r + apart), way, way, pair / 2);
        else if (r / apart % 2 == 0)
            add_swap(s, node_of(d, r), node_of(d, r + apart), RWA_CW, RWA_CCW, pair);
    }
done:
    return st;
}

static rwa_status doubling_next(void *state, struct stage *s, rwa_error *err)
{
    struct doubling *d = state;
    uint32_t swaps = log2_down(d->ranks), stage = d->stage++;
    if (d->extra > 0 && stage == 0)
        return pair_off(d, s, true, err);
    stage -= d->extra > 0;
    if (stage < swaps)
        return swap_all(d, s, (uint32_t)1 << stage, err);
    if (d->extra > 0 && stage == swaps)
        return pair_off(d, s, false, err);
    return RWA_OK;
}

static void doubling_formula(rwa_formula *f, const struct scheme_request *request)
{
    uint32_t n = rwa_network_nodes(request->net), swaps = log2_down(n);
    f->known = 1;
    f->steps = swaps + (((uint32_t)1 << swaps) < n ? 2u : 0u);
    f->source = "Thakur et al. 2005: log2 N exchanges, two more when N is no power of two";
}

const struct scheme scheme_recursive_doubling = {
    .name = "recursive-doubling",
    .summary = "nodes at distance 1, 2, 4, ... swap their sums",
    .source = "Thakur, Rabenseifner, Gropp 2005; WRHT, Section IV-C",
    .collectives = 1u << RWA_ALL_REDUCE,
    .networks = 1u << RWA_RING | 1u << RWA_LINE,
    .blocks = scheme_whole_message,
    .open = doubling_open,
    .next = doubling_next,
    .close = base_free,
    .formula = doubling_formula,
};
