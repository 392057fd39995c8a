/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Everyone sends straight to everyone: ceil(N^2 / 8w) steps on a ring as printed (OpTree, Lemma 1), and not more here. */
#include "scheme/scheme.h"

#include "base/base.h"

#include <stdlib.h>

struct exchange {
    uint32_t nodes;
    bool ring, personal;        /* personal: a block for each pair, otherwise one for each sender */
    bool done;
};

static rwa_status exchange_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    struct exchange *x = base_array(1, sizeof *x, err);
    *out = x;
    if (!x)
        return RWA_NOMEM;
    *x = (struct exchange){.nodes = rwa_network_nodes(request->net),
                           .ring = rwa_network_topology(request->net) == RWA_RING,
                           .personal = request->coll->kind == RWA_ALL_TO_ALL};
    return RWA_OK;
}

/** Every node is its own place in the one exchange round the ring. */
static rwa_status name_places(struct stage *s, uint32_t nodes, rwa_error *err)
{
    s->rank_of = base_array(nodes, sizeof *s->rank_of, err);
    s->copy_of = base_array(nodes, sizeof *s->copy_of, err);
    if (!s->rank_of || !s->copy_of)
        return RWA_NOMEM;
    s->ranks = nodes;
    s->copies = 1;
    for (uint32_t v = 0; v < nodes; v++)
        s->rank_of[v] = v;
    return RWA_OK;
}

static rwa_status exchange_next(void *state, struct stage *s, rwa_error *err)
{
    struct exchange *x = state;
    uint32_t n = x->nodes;
    rwa_status st = RWA_OK;
    if (x->done)
        return RWA_OK;
    TRY(stage_create(s, (size_t)n * (n - 1), err));
    s->radix = n;
    if (x->ring)
        TRY(name_places(s, n, err));
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t to = 0; to < n; to++)
            if (to != v)
                stage_add(s, v, to, x->personal ? v * n + to : v);
    x->done = true;
done:
    return st;
}

/** The channels of an exchange are known exactly: docs/bounds.md, "One stage". */
static bool exchange_forecast(struct forecast *f, const struct scheme_request *request)
{
    uint64_t n = rwa_network_nodes(request->net);
    bool ring = rwa_network_topology(request->net) == RWA_RING;
    if (!ring && rwa_network_topology(request->net) != RWA_LINE)
        return false;
    f->steps = ceil_div(ring ? ceil_div(n * n / 4, 2) : n * n / 4, rwa_network_channels(request->net));
    return true;
}

static void exchange_formula(rwa_formula *f, const struct scheme_request *request)
{
    uint64_t n = rwa_network_nodes(request->net), channels = rwa_network_channels(request->net);
    bool ring = rwa_network_topology(request->net) == RWA_RING;
    if (!ring && rwa_network_topology(request->net) != RWA_LINE)
        return;
    f->known = 1;
    f->stages = 1;
    f->stage_wavelengths[0] = ring ? ceil_div(n * n, 8) : n * n / 4;
    f->steps = f->best_steps = scheme_passes(request) * ceil_div(f->stage_wavelengths[0], channels);
    f->best_stages = 1;
    f->source = "OpTree, Lemma 1";
}

const struct scheme scheme_one_stage = {
    .name = "one-stage",
    .summary = "every node sends straight to every other",
    .source = "OpTree, Lemma 1",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_ALL_TO_ALL,
    .networks = 1u << RWA_RING | 1u << RWA_LINE | 1u << RWA_TORUS | 1u << RWA_MESH | 1u << RWA_HYPERCUBE | 1u << RWA_TREE |
                1u << RWA_FAT_TREE | 1u << RWA_CIRCULANT | 1u << RWA_GRAPH,
    .solved = 1u << RWA_RING | 1u << RWA_LINE,
    .reversible = true,
    .forecast = exchange_forecast,
    .open = exchange_open,
    .next = exchange_next,
    .close = base_free,
    .formula = exchange_formula,
};
