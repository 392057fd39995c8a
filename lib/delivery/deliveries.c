/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/deliveries.h"

void deliveries_free(struct deliveries *d)
{
    free_all(d->list, d->path, d->path_first);
    memset(d, 0, sizeof *d);
}

rwa_status deliveries_reserve(struct deliveries *d, uint32_t path_nodes, rwa_error *err)
{
    size_t place = d->count > 0 ? d->path_first[d->count] : 0;
    MUST(base_reserve(d->list, d->count + 1, err));
    MUST(base_reserve(d->path_first, d->count + 2, err));
    MUST(base_reserve(d->path, place + path_nodes, err));
    d->path_first[d->count] = place;
    d->path_first[d->count + 1] = place + path_nodes;
    return RWA_OK;
}

rwa_status deliveries_add(struct deliveries *d, const rwa_lightpath *lp, const uint32_t *path, uint32_t path_nodes,
                          rwa_error *err)
{
    assert(lp->step >= d->steps && path_nodes > 1);
    MUST(deliveries_reserve(d, path_nodes, err));
    memcpy(d->path + d->path_first[d->count], path, path_nodes * sizeof *path);
    d->list[d->count++] = *lp;
    d->steps = lp->step;
    return RWA_OK;
}

void deliveries_compact(struct deliveries *d)
{
    size_t kept = 0;
    uint32_t before = 0, steps = 0;
    for (size_t i = 0; i < d->count; i++) {
        const rwa_lightpath lp = d->list[i];
        size_t place = d->path_first[kept], nodes = d->path_first[i + 1] - d->path_first[i];
        if (lp.orbit == 0)
            continue;
        memmove(d->path + place, d->path + d->path_first[i], nodes * sizeof *d->path);
        steps += lp.step != before;
        before = lp.step;
        d->list[kept] = lp;
        d->list[kept].step = steps;
        d->path_first[++kept] = place + nodes;
    }
    assert(steps <= d->steps);
    d->count = kept;
    d->steps = steps;
}

/** Return the node to which the m-th translation of the folding moves a node; the node itself without a folding. */
static uint32_t translated(const struct folding *by, size_t m, uint32_t node)
{
    return by && m > 0 ? translations_add(&by->group, node, by->by.member[m]) : node;
}

rwa_status deliveries_push(struct schedule_sink *sink, const struct deliveries *d, bool arcs, const struct folding *by)
{
    size_t longest = 0;
    for (size_t i = 0; i < d->count; i++)
        RAISE(longest, d->path_first[i + 1] - d->path_first[i]);
    uint32_t *path;
    rwa_status st = base_new(path, longest, sink->err);
    for (size_t i = 0; i < d->count && st == RWA_OK; i++) {
        size_t nodes = d->path_first[i + 1] - d->path_first[i];
        rwa_lists lists = {.path = arcs ? NULL : path, .path_nodes = arcs ? 0 : (uint32_t)nodes};
        for (size_t m = 0; m < (by ? by->by.order : 1); m++) {
            rwa_lightpath lp = d->list[i];
            for (size_t k = 0; k < nodes; k++)
                path[k] = translated(by, m, d->path[d->path_first[i] + k]);
            lp.src = path[0];
            lp.dst = path[nodes - 1];
            lp.block = by ? translated(by, m, (uint32_t)lp.block) : lp.block;
            lp.step = 1;
            TRY(sink_lightpath(sink, &lp, &lists));
        }
        if (i + 1 == d->count || d->list[i + 1].step != d->list[i].step)
            st = sink_end_stage(sink);
    }
done:
    free(path);
    return st;
}
