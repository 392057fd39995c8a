/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Stages on the rows of a torus or mesh are planned on one row, as a ring or line of its own, and repeated on all
 * rows. */
#include "plan/pack/pack.h"

rwa_status row_network(rwa_network **out, const struct stage_rows *rows, const rwa_network *net, rwa_error *err)
{
    /* In a dimension of 2 nodes these are joined by one link, not two. */
    struct network_grid grid;
    bool ring = network_grid(&grid, net) && grid.cyclic && rows->nodes > 2;
    rwa_network_options opts;
    *out = NULL;
    if (rows->nodes == 0)
        return RWA_OK;
    rwa_network_options_init(&opts);
    opts.fibers = rwa_network_fibers(net);
    opts.wavelengths = rwa_network_wavelengths(net);
    return rwa_network_create(out, ring ? RWA_RING : RWA_LINE, rows->nodes, &opts, err);
}

uint32_t row_count(const struct stage_rows *rows, const rwa_network *net)
{
    assert(rows->nodes == 0 || rwa_network_nodes(net) % ((uint64_t)rows->nodes * rows->stride) == 0);
    return rows->nodes == 0 ? 1 : rwa_network_nodes(net) / rows->nodes;
}

/** Write into path[] the nodes that lightpath `lp` visits on the row that begins with node `first`, and return their
 * number. */
static uint32_t visit(uint32_t *path, const struct stage_rows *rows, const rwa_lightpath *lp, uint32_t first)
{
    uint32_t count = 0, place = lp->src, onward = lp->direction == RWA_CW ? 1 : rows->nodes - 1;
    path[count++] = first + place * rows->stride;
    assert(lp->src < rows->nodes && lp->dst < rows->nodes);
    while (place != lp->dst) {
        place = (place + onward) % rows->nodes;
        path[count++] = first + place * rows->stride;
    }
    return count;
}

rwa_status row_add(rwa_schedule *sched, const struct stage_rows *rows, const rwa_lightpath *lp, rwa_error *err)
{
    uint32_t slab = rows->nodes * rows->stride, nodes = rwa_network_nodes(rwa_schedule_network(sched));
    if (rows->nodes == 0)
        return rwa_schedule_add(sched, lp, err);
    uint32_t *path;
    rwa_status st = base_new(path, rows->nodes, err);
    for (uint32_t from = 0; from < nodes && st == RWA_OK; from += slab)
        for (uint32_t i = 0; i < rows->stride && st == RWA_OK; i++) {
            rwa_lightpath here = *lp;
            uint32_t count = visit(path, rows, lp, from + i);
            here.src = path[0];
            here.dst = path[count - 1];
            here.block = from + lp->block;
            here.direction = RWA_CW; /* the path determines the route */
            st = rwa_schedule_add_path(sched, &here, path, count, err);
        }
    free(path);
    return st;
}
