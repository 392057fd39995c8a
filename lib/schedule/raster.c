/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/raster.h"

#include "network/network.h"

uint32_t raster_sides(const rwa_network *net)
{
    return network_has_arcs(net) ? 2 : 1;
}

/* Return the number of channels of the link that has most fibres: single links may have more than the network's
 * default. */
uint32_t raster_channels(const rwa_network *net)
{
    return network_most_fibers(net) * rwa_network_wavelengths(net);
}

uint64_t raster_cells(const rwa_network *net)
{
    uint64_t fibers = 0;
    if (network_is_one_hop(net))
        return 0;
    if (raster_sides(net) == 2)
        return 2ull * network_links_each_way(net) * raster_channels(net);
    for (uint32_t l = 0; l < rwa_network_links(net); l++)
        fibers += rwa_network_link(net, l).fibers;
    return fibers * rwa_network_wavelengths(net);
}

uint32_t raster_first_link(const rwa_lightpath *lp)
{
    return lp->direction == RWA_CW ? lp->src : lp->dst;
}

/** Append the current lightpath of the walk to r->paths, and enter it into the cells of its channel on its links. */
static void paint(struct raster *r, const struct walk *w)
{
    const rwa_lightpath *lp = &w->lp;
    uint32_t hops = walk_hops(w);
    uint32_t channel = lightpath_channel(w->sched->net, lp);
    size_t side = r->sides == 2 && lp->direction == RWA_CCW;
    uint32_t *row = r->cell + (side * r->channels + channel) * r->links;
    assert(channel < r->channels);
    r->paths[r->count++] = *w;
    for (uint32_t k = 0; k < hops; k++) {
        uint32_t *cell = &row[walk_hop_link(w, k) - side * r->links];
        r->busy += *cell == 0;
        *cell = (uint32_t)r->count;
    }
    RAISE(r->longest_hops, hops);
}

static rwa_status allocate_raster(struct raster *r, uint32_t step, rwa_error *err)
{
    size_t cells = (size_t)r->sides * r->links * r->channels, lightpaths = 0;
    for (uint64_t i = first_of_step(r->sched, step); i < first_of_step(r->sched, step + 1); i++)
        lightpaths += r->sched->orbit ? r->sched->orbit[i] : 1;
    MUST(base_fits_memory(((double)lightpaths + 1) * sizeof *r->paths + (double)cells * sizeof *r->cell,
                          "drawing this step", err));
    r->memory.err = err;
    arena_new(&r->memory, r->paths, lightpaths);
    return arena_arrays(&r->memory, cells, r->cell);
}

rwa_status raster_draw(struct raster *r, const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    raster_free(r);
    *r = (struct raster){.sides = raster_sides(net), .links = network_links_each_way(net),
                         .channels = raster_channels(net), .sched = sched};
    rwa_status st = allocate_raster(r, step, err);
    for (struct walk w = walk_step(sched, step); st == RWA_OK && walk_next(&w);)
        paint(r, &w);
    return st;
}

void raster_free(struct raster *r)
{
    arena_free(&r->memory);
    memset(r, 0, sizeof *r);
}

void raster_widest_unread(const struct walk *w, uint32_t *from, uint32_t *to)
{
    const rwa_lists *lists = &w->lists;
    uint32_t links = network_links_each_way(w->sched->net), first = raster_first_link(&w->lp), begin = *from, end = *to,
             widest = 0;
    for (uint32_t k = 0; k <= lists->tap_count; k++) {
        uint32_t here = end;
        if (k < lists->tap_count) {
            uint32_t tap = walk_node(w, lists->taps[w->lp.direction == RWA_CW ? k : lists->tap_count - 1 - k]);
            here = tap >= first ? tap - first : tap + links - first;
        }
        if (here <= begin || here > end)
            continue;
        if (here - begin > widest) {
            widest = here - begin;
            *from = begin;
            *to = here;
        }
        begin = here;
    }
}

const struct walk *raster_at(const struct raster *r, uint32_t side, uint32_t channel, uint32_t link)
{
    uint32_t i = r->cell[((size_t)side * r->channels + channel) * r->links + link];
    assert(i <= r->count);
    return i == 0 ? NULL : &r->paths[i - 1];
}

double raster_density(const struct raster *r, uint32_t side, uint32_t row, uint32_t rows, uint32_t column,
                      uint32_t columns)
{
    uint32_t c0 = raster_bucket(row, rows, r->channels), c1 = raster_bucket(row + 1, rows, r->channels),
             l0 = raster_bucket(column, columns, r->links), l1 = raster_bucket(column + 1, columns, r->links);
    uint64_t busy = 0;
    assert(c0 < c1 && c1 <= r->channels && l0 < l1 && l1 <= r->links);
    for (uint32_t c = c0; c < c1; c++)
        for (uint32_t l = l0; l < l1; l++)
            busy += raster_at(r, side, c, l) != NULL;
    return (double)busy / ((double)(c1 - c0) * (double)(l1 - l0));
}
