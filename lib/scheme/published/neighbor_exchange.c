/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Neighbour exchange: pairs of neighbours swap, in turn with the one on either side; first their own blocks, then always
 * the two blocks that the last swap completed (Chen, Sun, Zhang, Zhao: Performance Evaluation of Allgather Algorithms on
 * Terascale Linux Cluster with Fast Ethernet, 2005).  N / 2 steps (OpTree, Table 1) where a link carries two blocks at
 * once, N - 1 on a single wavelength.  The pairs need an even N.
 */
#include "scheme/scheme.h"

struct pairs {
    uint32_t nodes, step;
    bool cycle;
    uint32_t *newest, *next;    /* of each node: the lower of the two blocks completed last; after the coming swap */
};

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

static rwa_status push_swap(struct schedule_sink *sink, const struct pairs *p, rwa_error *err)
{
    uint32_t blocks = p->step == 0 ? 1 : 2;
    struct transfers t;
    MUST(transfers_create(&t, (size_t)p->nodes * 2, p->cycle ? WITH_DIRECTION : 0, err));
    for (uint32_t v = 0; v < p->nodes; v++)
        for (uint32_t i = 0; i < blocks; i++) {
            if (p->cycle)
                t.direction[t.count] = looks_ahead(p, v) ? RWA_CW : RWA_CCW;
            transfer_add(&t, v, partner(p, v), p->newest[v] + i);
        }
    return sink_transfers(sink, &t, err);
}

static rwa_status plan_pairs(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(request->net);
    struct pairs p = {.nodes = n, .cycle = network_is_cycle(request->net)};
    rwa_status st = RWA_OK;
    if (n % 2 != 0)
        return scheme_refuse(request, "neighbor-exchange pairs the nodes off, and %u is odd; an even number of nodes, or "
                             "the scheme ring-both, would do", n);
    TRY(base_new(p.newest, n, err));
    TRY(base_new(p.next, n, err));
    for (uint32_t v = 0; v < n; v++)
        p.newest[v] = v;
    while (p.step < n / 2) {
        TRY(push_swap(sink, &p, err));
        swap_done(&p);
    }
done:
    free_all(p.newest, p.next);
    return st;
}

/** With one channel on a link the two blocks of a swap take a step each. */
static rwa_status estimate_pairs(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(request->net);
    (void)err;
    if (n % 2 == 0 && network_is_cycle(request->net))
        e->steps = rwa_network_channels(request->net) > 1 ? n / 2 : n - 1;
    return RWA_OK;
}

static void pairs_formula(rwa_formula *f, const struct plan_request *request)
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
    .needs = NETWORK_ARCS,
    .solver_needs = NETWORK_ARCS,
    .traits = REVERSIBLE,
    .estimate = estimate_pairs,
    .plan = plan_pairs,
    .formula = pairs_formula,
};
