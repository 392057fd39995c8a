/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How much a plan, and its check, will hold and take. */
#include "plan/build.h"

#include "network/network.h"

/** The fewest lightpaths any schedule has: one for each block at each node that must be told it, or asked for it. */
static double least_lightpaths(const rwa_collective *coll)
{
    double others = coll->nodes - 1.0, blocks = (double)coll->blocks;
    switch (coll->kind) {
    case RWA_ALL_REDUCE:
        return 2 * others * blocks;
    case RWA_ALL_TO_ALL:
        return others * coll->nodes;
    case RWA_SCATTER:
    case RWA_GATHER:
        return others * blocks / coll->nodes;
    default:
        return others * blocks;
    }
}

/** What the checker keeps of who holds what. */
static double bytes_to_check(const rwa_collective *coll)
{
    bool sums = coll->kind == RWA_ALL_REDUCE || coll->kind == RWA_REDUCE_SCATTER;
    return (double)coll->nodes * (double)coll->blocks * (sums ? 16 : 1.0 / 8);
}

struct extent extent_of(const struct scheme *scheme, const struct scheme_request *request, const struct residual *residual)
{
    struct extent e = {.records = least_lightpaths(request->coll)};
    if (scheme->extent && !residual->node)
        scheme->extent(&e, request);
    e.whole = e.whole && !residual->own;
    return e;
}

double bytes_to_plan(const struct scheme *scheme, const struct scheme_request *request, const struct residual *residual)
{
    enum { RECORD = 48, SHARE_OF_OTHERS = 4 };
    const rwa_network *net = request->net;
    struct extent e = extent_of(scheme, request, residual);
    double lanes = network_has_arcs(net) ? 2.0 * rwa_network_pairs(net) * rwa_network_channels(net) / 8 : 0;
    double check = e.whole ? (double)request->coll->blocks / 8 : lanes + bytes_to_check(request->coll);
    return (e.records * RECORD + check) * SHARE_OF_OTHERS / (SHARE_OF_OTHERS - 1);
}

double lightpaths_to_check(const struct scheme *scheme, const struct scheme_request *request, const struct residual *residual)
{
    struct extent e = extent_of(scheme, request, residual);
    bool turned = request->coll->kind != residual->coll.kind;
    double passes = turned && residual->coll.kind == RWA_ALL_REDUCE ? 2 : 1;
    return e.whole && !turned ? e.records : passes * least_lightpaths(request->coll);
}

rwa_status refuse_request(const struct scheme *scheme, const struct scheme_request *request, const struct residual *residual,
                          rwa_error *err)
{
    const double most = (double)((uint64_t)1 << 31);
    rwa_status st = RWA_OK;
    if (lightpaths_to_check(scheme, request, residual) > most)
        return base_fail(err, RWA_BADARG,
                         "%s by scheme %s on %u nodes has %.0f lightpaths to check one by one, expected at most %.0f",
                         rwa_collective_name(residual->coll.kind), scheme->name, residual->coll.nodes,
                         lightpaths_to_check(scheme, request, residual), most);
    TRY(base_fits_memory(bytes_to_plan(scheme, request, residual), "this plan, with its check,", err));
    if (scheme->validate)
        TRY(scheme->validate(request, err));
done:
    return st;
}
