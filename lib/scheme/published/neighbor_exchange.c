/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Neighbour exchange: pairs of neighbours swap, in turn with the one on either side; first their own blocks, then always
 * the two blocks that the last swap completed (Chen, Sun, Zhang, Zhao: Performance Evaluation of Allgather Algorithms on
 * Terascale Linux Cluster with Fast Ethernet, 2005).  N / 2 steps (OpTree, Table 1) where a link carries two blocks at
 * once, N - 1 on a single wavelength.  The pairs need an even N.
 */
#include "scheme/scheme.h"

#include "base/base.h"

#include <stdlib.h>

struct pairs {
    uint32_t nodes, step;
    bool ring;
    uint32_t *newest, *next;    /* of each node: the lower of the two blocks completed last; after the coming swap */
};

static void pairs_close(void *state)
{
    struct pairs *p = state;
    if (!p)
        return;
    free(p->newest);
    free(p->next);
    free(p);
}

static rwa_status pairs_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(request->net);
    *out = NULL;
    if (n % 2 != 0)
        return scheme_refuse(request, "neighbor-exchange pairs the nodes off, and %u is odd; an even number of nodes, or "
                             "the scheme ring-both, would do", n);
    struct pairs *p = base_array(1, sizeof *p, err);
    if (!p)
        return RWA_NOMEM;
    *p = (struct pairs){.nodes = n, .ring = rwa_network_topology(request->net) == RWA_RING};
    p->newest = base_array(n, sizeof *p->newest, err);
    p->next = base_array(n, sizeof *p->next, err);
    if (!p->newest || !p->next) {
        pairs_close(p);
        return RWA_NOMEM;
    }
    for (uint32_t v = 0; v < n; v++)
        p->newest[v] = v;
    *out = p;
    return RWA_OK;
}

/** Swap number k (from 0) joins v with the next node when v + k is even, otherwise with the one before. */
static bool looks_ahead(const struct pairs *p, uint32_t v)
{
    return (v + p->step) % 2 == 0;
}

static uint32_t partner(const struct pairs *p, uint32_t v)
{
    return looks_ahead(p, v) ? (v + 1) % p->nodes : (v + p->nodes - 1) % p->nodes;
}

/** After the first swap a node's newest blocks are its own pair, after any other those its partner had as newest. */
static void swap_done(struct pairs *p)
{
    for (uint32_t v = 0; v < p->nodes; v++)
        p->next[v] = p->step == 0 ? v - v % 2 : p->newest[partner(p, v)];
    uint32_t *kept = p->newest;
    p->newest = p->next;
    p->next = kept;
    p->step++;
}

static rwa_status pairs_next(void *state, struct stage *s, rwa_error *err)
{
    struct pairs *p = state;
    uint32_t blocks = p->step == 0 ? 1 : 2;
    rwa_status st = RWA_OK;
    if (p->step == p->nodes / 2)
        return RWA_OK;
    TRY(stage_create(s, (size_t)p->nodes * 2, err));
    s->direction = p->ring ? base_array((size_t)p->nodes * 2, sizeof *s->direction, err) : NULL;
    if (p->ring && !s->direction)
        return RWA_NOMEM;
    for (uint32_t v = 0; v < p->nodes; v++)
        for (uint32_t i = 0; i < blocks; i++) {
            if (p->ring)
                s->direction[s->count] = looks_ahead(p, v) ? RWA_CW : RWA_CCW;
            stage_add(s, v, partner(p, v), p->newest[v] + i);
        }
    swap_done(p);
done:
    return st;
}

/** On a ring; with one channel on a link the two blocks of a swap take a step each. */
static bool pairs_forecast(struct forecast *f, const struct scheme_request *request)
{
    uint32_t n = rwa_network_nodes(request->net);
    f->steps = rwa_network_channels(request->net) > 1 ? n / 2 : n - 1;
    return n % 2 == 0 && rwa_network_topology(request->net) == RWA_RING;
}

static void pairs_formula(rwa_formula *f, const struct scheme_request *request)
{
    f->known = 1;
    f->steps = scheme_passes(request) * ceil_div(rwa_network_nodes(request->net), 2);
    f->source = "OpTree, Table 1";
}

const struct scheme scheme_neighbor_exchange = {
    .name = "neighbor-exchange",
    .summary = "pairs of neighbours swap what the last swap completed, in turn on either side; N even",
    .source = "OpTree, Table 1",
    .collectives = 1u << RWA_ALL_GATHER,
    .networks = 1u << RWA_RING | 1u << RWA_LINE,
    .solved = 1u << RWA_RING | 1u << RWA_LINE,
    .reversible = true,
    .forecast = pairs_forecast,
    .open = pairs_open,
    .next = pairs_next,
    .close = pairs_close,
    .formula = pairs_formula,
};
