/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/raster.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

uint64_t raster_cells(const rwa_network *net)
{
    return (uint64_t)2 * rwa_network_links(net) * rwa_network_channels(net);
}

uint32_t raster_first_link(const rwa_lightpath *lp)
{
    return lp->direction == RWA_CW ? lp->src : lp->dst;
}

static void paint(struct raster *r, const rwa_network *net, size_t i)
{
    const rwa_lightpath *lp = &r->paths[i];
    uint32_t hops = rwa_network_hops(net, lp->src, lp->dst, lp->direction);
    uint32_t channel = lp->fiber * rwa_network_wavelengths(net) + lp->wavelength;
    uint32_t *row = r->cell + ((size_t)(lp->direction == RWA_CCW) * r->channels + channel) * r->links;
    uint32_t link = raster_first_link(lp);
    for (uint32_t k = 0; k < hops; k++, link = link + 1 == r->links ? 0 : link + 1) {
        r->busy += row[link] == 0;
        row[link] = (uint32_t)i + 1;
    }
    if (hops > r->longest_hops)
        r->longest_hops = hops;
}

static uint64_t lightpaths_of(const rwa_schedule *sched, uint64_t from, uint64_t to)
{
    uint64_t count = 0;
    for (uint64_t i = from; i < to; i++) {
        rwa_lightpath record;
        rwa_schedule_get(sched, i, &record);
        count += record.orbit;
    }
    return count;
}

rwa_status raster_draw(struct raster *r, const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    const rwa_collective *coll = rwa_schedule_collective(sched);
    uint64_t from = rwa_schedule_first(sched, step), to = rwa_schedule_first(sched, step + 1);
    uint64_t count = lightpaths_of(sched, from, to);
    memset(r, 0, sizeof *r);
    r->links = rwa_network_links(net);
    r->channels = rwa_network_channels(net);
    rwa_status st = base_fits_memory((double)count * sizeof *r->paths + 4.0 * (double)raster_cells(net),
                                     "drawing this step", err);
    if (st != RWA_OK)
        return st;
    r->paths = base_array((size_t)count, sizeof *r->paths, err);
    r->cell = base_array((size_t)raster_cells(net), sizeof *r->cell, err);
    if (!r->paths || !r->cell)
        return RWA_NOMEM;
    for (uint64_t i = from; i < to; i++) {
        rwa_lightpath record;
        rwa_schedule_get(sched, i, &record);
        for (uint32_t k = 0; k < record.orbit; k++) {
            rwa_lightpath_of_orbit(&r->paths[r->count], &record, k, net, coll);
            paint(r, net, r->count++);
        }
    }
    return RWA_OK;
}

void raster_free(struct raster *r)
{
    free(r->paths);
    free(r->cell);
    memset(r, 0, sizeof *r);
}

const rwa_lightpath *raster_at(const struct raster *r, rwa_direction dir, uint32_t channel, uint32_t link)
{
    uint32_t i = r->cell[((size_t)(dir == RWA_CCW) * r->channels + channel) * r->links + link];
    return i == 0 ? NULL : &r->paths[i - 1];
}

double raster_density(const struct raster *r, rwa_direction dir, uint32_t c0, uint32_t c1, uint32_t l0, uint32_t l1)
{
    uint64_t busy = 0;
    for (uint32_t c = c0; c < c1; c++)
        for (uint32_t l = l0; l < l1; l++)
            busy += raster_at(r, dir, c, l) != NULL;
    return (double)busy / ((double)(c1 - c0) * (double)(l1 - l0));
}
