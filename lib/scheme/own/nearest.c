/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The nearest-holder greedy, on any network of fibres: `nearest` where links are listed; `relay` on rings and lines, as the
 *  last resort where links failed in one direction or ports are few. */
#include "delivery/nearest_holder.h"
#include "network/network.h"
#include "scheme/scheme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct nearest {
    struct deliveries plan;
    bool arcs;                  /* directions say the routes */
    size_t at;                  /* lightpaths handed out */
};

static void nearest_close(void *state)
{
    struct nearest *n = state;
    if (n)
        deliveries_free(&n->plan);
    free(n);
}

static rwa_status refuse(const struct scheme_request *request, const struct nearest_unreached *pair)
{
    uint32_t hops = request->opts->max_hops;
    char limit[64] = "";
    if (hops > 0)
        snprintf(limit, sizeof limit, " by lightpaths of at most %u hop%s", hops, hops == 1 ? "" : "s");
    return scheme_refuse(request, "node %u cannot be reached from node %u%s over the links and channels that are left; more working "
                         "links%s would help", pair->to, pair->from, limit, hops > 0 ? ", or a larger max_hops," : "");
}

static rwa_status nearest_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    struct budget budget = base_budget(request->opts->time_limit_s, request->opts->poll, request->opts->poll_data);
    struct nearest_request ask = {.net = request->net, .coll = request->coll, .members = request->opts->members,
                                  .max_hops = request->opts->max_hops, .seed = request->opts->seed, .budget = &budget};
    struct nearest_unreached pair;
    struct nearest *n = base_array(1, sizeof *n, err);
    rwa_status st = n ? RWA_OK : RWA_NOMEM;
    *out = n;
    TRY(st);
    n->arcs = network_has_arcs(request->net);
    TRY(nearest_holder_plan(&n->plan, &pair, &ask, err));
    if (n->plan.steps == 0)
        st = refuse(request, &pair);
done:
    return st;
}

/* One step. */
static rwa_status nearest_next(void *state, struct stage *stage, rwa_error *err)
{
    struct nearest *n = state;
    const struct deliveries *d = &n->plan;
    size_t first = n->at, end = first;
    while (end < d->count && d->list[end].step == d->list[first].step)
        end++;
    if (end == first)
        return RWA_OK;
    stage->record_count = end - first;
    stage->records = base_array(end - first, sizeof *stage->records, err);
    stage->path_first = base_array(end - first + 1, sizeof *stage->path_first, err);
    stage->path = base_array(d->path_first[end] - d->path_first[first], sizeof *stage->path, err);
    if (!stage->records || !stage->path_first || !stage->path)
        return RWA_NOMEM;
    memcpy(stage->path, d->path + d->path_first[first], (d->path_first[end] - d->path_first[first]) * sizeof *stage->path);
    for (size_t i = first; i < end; i++) {
        stage->records[i - first] = d->list[i];
        stage->records[i - first].step = 1;
        stage->path_first[i + 1 - first] = d->path_first[i + 1] - d->path_first[first];
    }
    if (n->arcs) {
        free(stage->path);
        free(stage->path_first);
        stage->path = NULL;
        stage->path_first = NULL;
    }
    n->at = end;
    return RWA_OK;
}

const struct scheme scheme_nearest = {
    .name = "nearest",
    .summary = "on any network: whoever lacks a block gets it from the nearest holder with a free channel",
    .source = "own",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_BROADCAST | 1u << RWA_SCATTER | 1u << RWA_ALL_TO_ALL,
    .networks = 1u << RWA_TORUS | 1u << RWA_MESH | 1u << RWA_HYPERCUBE | 1u << RWA_TREE | 1u << RWA_FAT_TREE |
                1u << RWA_CIRCULANT | 1u << RWA_GRAPH,
    .reversible = true,
    .shortens = true,
    .mends = true,
    .open = nearest_open,
    .next = nearest_next,
    .close = nearest_close,
};

const struct scheme scheme_relay = {
    .name = "relay",
    .summary = "around failed links and with few ports: who lacks a block gets it from the nearest holder that is free",
    .source = "own; a last resort",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_BROADCAST | 1u << RWA_SCATTER | 1u << RWA_ALL_TO_ALL,
    .networks = 1u << RWA_RING | 1u << RWA_LINE,
    .reversible = true,
    .shortens = true,
    .mends = true,
    .last_resort = true,
    .open = nearest_open,
    .next = nearest_next,
    .close = nearest_close,
};
