/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/raster.h"

#include "base/base.h"
#include "network/network.h"

#include <stdlib.h>
#include <string.h>

uint32_t raster_sides(const rwa_network *net)
{
    return network_has_arcs(net) ? 2 : 1;
}

/* Links may have more fibres than the network has in general. */
uint32_t raster_channels(const rwa_network *net)
{
    return network_most_fibers(net) * rwa_network_wavelengths(net);
}

uint64_t raster_cells(const rwa_network *net)
{
    return network_is_full(net) ? 0 : (uint64_t)raster_sides(net) * rwa_network_links(net) * raster_channels(net);
}

uint32_t raster_first_link(const rwa_lightpath *lp)
{
    return lp->direction == RWA_CW ? lp->src : lp->dst;
}

uint32_t raster_hops(const rwa_schedule *sched, uint64_t record)
{
    const rwa_network *net = rwa_schedule_network(sched);
    rwa_lightpath lp;
    uint32_t nodes = 0;
    rwa_schedule_get(sched, record, &lp);
    if (network_has_arcs(net))
        return rwa_network_hops(net, lp.src, lp.dst, lp.direction);
    return rwa_schedule_path(sched, record, &nodes) ? nodes - 1 : 1;
}

static void paint_cell(struct raster *r, uint32_t *row, uint32_t link)
{
    r->busy += row[link] == 0;
    row[link] = (uint32_t)r->count + 1;
}

static void paint_arc(struct raster *r, uint32_t *row, const rwa_lightpath *lp, uint32_t hops)
{
    uint32_t link = raster_first_link(lp);
    for (uint32_t k = 0; k < hops; k++, link = link + 1 == r->links ? 0 : link + 1)
        paint_cell(r, row, link);
}

static void paint_path(struct raster *r, uint32_t *row, const rwa_schedule *sched, uint64_t record)
{
    uint32_t nodes = 0;
    const uint32_t *path = rwa_schedule_path(sched, record, &nodes);
    size_t at = r->route_from[r->count];
    for (uint32_t k = 0; k + 1 < nodes; k++) {
        r->route[at] = rwa_network_find_link(rwa_schedule_network(sched), path[k], path[k + 1]);
        paint_cell(r, row, r->route[at++]);
    }
    r->route_from[r->count + 1] = at;
}

/** The next lightpath into the raster. */
static void paint(struct raster *r, const rwa_schedule *sched, uint64_t record, uint32_t hops)
{
    const rwa_lightpath *lp = &r->paths[r->count];
    uint32_t channel = lp->fiber * rwa_network_wavelengths(rwa_schedule_network(sched)) + lp->wavelength;
    size_t side = r->sides == 2 && lp->direction == RWA_CCW;
    uint32_t *row = r->cell + (side * r->channels + channel) * r->links;
    if (r->sides == 2)
        paint_arc(r, row, lp, hops);
    else
        paint_path(r, row, sched, record);
    r->count++;
    if (hops > r->longest_hops)
        r->longest_hops = hops;
}

/** How many lightpaths, and how many links they take, a step has. */
static void size_up(uint64_t *lightpaths, uint64_t *hops, const rwa_schedule *sched, uint64_t from, uint64_t to)
{
    *lightpaths = *hops = 0;
    for (uint64_t i = from; i < to; i++) {
        rwa_lightpath record;
        rwa_schedule_get(sched, i, &record);
        *lightpaths += record.orbit;
        *hops += (uint64_t)record.orbit * raster_hops(sched, i);
    }
}

static rwa_status make_room(struct raster *r, uint64_t lightpaths, uint64_t hops, rwa_error *err)
{
    size_t cells = (size_t)r->sides * r->links * r->channels;
    double bytes = (double)lightpaths * sizeof *r->paths + (double)cells * sizeof *r->cell;
    if (r->sides == 1)
        bytes += (double)hops * sizeof *r->route + ((double)lightpaths + 1) * sizeof *r->route_from;
    rwa_status st = base_fits_memory(bytes, "drawing this step", err);
    if (st != RWA_OK)
        return st;
    r->paths = base_array((size_t)lightpaths, sizeof *r->paths, err);
    r->cell = base_array(cells, sizeof *r->cell, err);
    if (r->sides == 1) {
        r->route = base_array((size_t)hops, sizeof *r->route, err);
        r->route_from = base_array((size_t)lightpaths + 1, sizeof *r->route_from, err);
    }
    return r->paths && r->cell && (r->sides == 2 || (r->route && r->route_from)) ? RWA_OK : RWA_NOMEM;
}

rwa_status raster_draw(struct raster *r, const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    const rwa_collective *coll = rwa_schedule_collective(sched);
    uint64_t from = rwa_schedule_first(sched, step), to = rwa_schedule_first(sched, step + 1), lightpaths, hops;
    size_up(&lightpaths, &hops, sched, from, to);
    *r = (struct raster){.sides = raster_sides(net), .links = rwa_network_links(net), .channels = raster_channels(net)};
    rwa_status st = make_room(r, lightpaths, hops, err);
    for (uint64_t i = from; i < to && st == RWA_OK; i++) {
        rwa_lightpath record;
        uint32_t length = raster_hops(sched, i);
        rwa_schedule_get(sched, i, &record);
        for (uint32_t k = 0; k < record.orbit; k++) {
            rwa_lightpath_of_orbit(&r->paths[r->count], &record, k, net, coll);
            paint(r, sched, i, length);
        }
    }
    return st;
}

void raster_free(struct raster *r)
{
    free(r->paths);
    free(r->cell);
    free(r->route);
    free(r->route_from);
    memset(r, 0, sizeof *r);
}

const rwa_lightpath *raster_at(const struct raster *r, uint32_t side, uint32_t channel, uint32_t link)
{
    uint32_t i = r->cell[((size_t)side * r->channels + channel) * r->links + link];
    return i == 0 ? NULL : &r->paths[i - 1];
}

double raster_density(const struct raster *r, uint32_t side, uint32_t c0, uint32_t c1, uint32_t l0, uint32_t l1)
{
    uint64_t busy = 0;
    for (uint32_t c = c0; c < c1; c++)
        for (uint32_t l = l0; l < l1; l++)
            busy += raster_at(r, side, c, l) != NULL;
    return (double)busy / ((double)(c1 - c0) * (double)(l1 - l0));
}
