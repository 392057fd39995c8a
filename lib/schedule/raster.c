/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/raster.h"

#include "network/network.h"

uint32_t raster_sides(const rwa_network *net)
{
    return network_has_arcs(net) ? 2 : 1;
}

/* Single links may have more fibres than the network's default. */
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

static void paint_path(struct raster *r, uint32_t *row, const struct walk *w)
{
    rwa_lists lists = schedule_lists(w->sched, w->record);
    size_t at = r->route_from[r->count];
    for (uint32_t k = 0; k + 1 < lists.path_nodes; k++) {
        r->route[at] = walk_hop_link(w, &lists, k);
        paint_cell(r, row, r->route[at++]);
    }
    r->route_from[r->count + 1] = at;
}

/** Append the taps of the next lightpath. */
static void list_taps(struct raster *r, const struct walk *w)
{
    size_t at = r->tap_from[r->count];
    rwa_lists lists = schedule_lists(w->sched, w->record);
    for (uint32_t k = 0; k < lists.tap_count; k++)
        r->tap[at++] = walk_node(w, lists.taps[k]);
    r->tap_from[r->count + 1] = at;
}

/** Draw the next lightpath into the raster. */
static void paint(struct raster *r, const struct walk *w)
{
    const rwa_lightpath *lp = &w->lp;
    uint32_t hops = schedule_hops(w->sched, w->record);
    uint32_t channel = lp->fiber * rwa_network_wavelengths(rwa_schedule_network(w->sched)) + lp->wavelength;
    size_t side = r->sides == 2 && lp->direction == RWA_CCW;
    uint32_t *row = r->cell + (side * r->channels + channel) * r->links;
    assert(channel < r->channels);
    r->paths[r->count] = *lp;
    if (r->sides == 2)
        paint_arc(r, row, lp, hops);
    else
        paint_path(r, row, w);
    list_taps(r, w);
    if (r->record) {
        r->record[r->count] = w->record;
        r->turn[r->count] = w->turn;
    }
    r->count++;
    if (hops > r->longest_hops)
        r->longest_hops = hops;
}

/** Numbers of lightpaths, of all their links, and of all their taps in a step. */
struct step_size {
    uint64_t lightpaths, hops, taps;
};

static struct step_size size_up(const rwa_schedule *sched, uint32_t step)
{
    struct step_size size = {0};
    for (uint64_t i = first_of_step(sched, step); i < first_of_step(sched, step + 1); i++) {
        uint64_t orbit = sched->orbit ? sched->orbit[i] : 1;
        rwa_lists lists = schedule_lists(sched, i);
        size.lightpaths += orbit;
        size.hops += orbit * schedule_hops(sched, i);
        size.taps += orbit * lists.tap_count;
    }
    return size;
}

static rwa_status allocate_raster(struct raster *r, const struct step_size *size, rwa_error *err)
{
    bool listed = r->sched->slots > 1;
    size_t cells = (size_t)r->sides * r->links * r->channels, lightpaths = (size_t)size->lightpaths,
           hops = r->sides == 1 ? (size_t)size->hops : 0;
    double each = sizeof *r->paths + sizeof *r->route_from + sizeof *r->tap_from +
                  (listed ? sizeof *r->record + sizeof *r->turn : 0);
    MUST(base_fits_memory(((double)lightpaths + 1) * each +
                          ((double)cells + (double)hops + (double)size->taps) * sizeof *r->cell,
                          "drawing this step", err));
    r->memory.err = err;
    arena_new(&r->memory, r->paths, lightpaths);
    arena_new(&r->memory, r->cell, cells);
    arena_new(&r->memory, r->route, hops);
    arena_new(&r->memory, r->tap, (size_t)size->taps);
    if (listed)
        arena_arrays(&r->memory, lightpaths, r->record, r->turn);
    return arena_arrays(&r->memory, lightpaths + 1, r->route_from, r->tap_from);
}

rwa_status raster_draw(struct raster *r, const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    struct step_size size = size_up(sched, step);
    raster_free(r);
    *r = (struct raster){.sides = raster_sides(net), .links = network_links_each_way(net),
                         .channels = raster_channels(net), .sched = sched};
    rwa_status st = allocate_raster(r, &size, err);
    for (struct walk w = walk_step(sched, step); st == RWA_OK && walk_next(&w);)
        paint(r, &w);
    return st;
}

struct walk raster_walk(const struct raster *r, size_t i)
{
    struct walk w = {.sched = r->sched,
                     .record = r->record ? r->record[i] : 0,
                     .turn = r->record ? r->turn[i] : 0,
                     .lp = r->paths[i]};
    return w;
}

void raster_free(struct raster *r)
{
    arena_free(&r->memory);
    memset(r, 0, sizeof *r);
}

uint32_t raster_taps(const struct raster *r, size_t i, const uint32_t **taps)
{
    *taps = r->tap + r->tap_from[i];
    return (uint32_t)(r->tap_from[i + 1] - r->tap_from[i]);
}

bool raster_is_tap(const struct raster *r, size_t i, uint32_t node)
{
    const uint32_t *taps = NULL;
    uint32_t count = raster_taps(r, i, &taps), k = 0;
    while (k < count && taps[k] != node)
        k++;
    return k < count;
}

/** Return how many links of lightpath i on a ring or line, counted clockwise, come before one of its nodes. */
static uint32_t links_before(const struct raster *r, size_t i, uint32_t node)
{
    uint32_t first = raster_first_link(&r->paths[i]);
    return node >= first ? node - first : node + r->links - first;
}

void raster_widest_unread(const struct raster *r, size_t i, uint32_t *from, uint32_t *to)
{
    const uint32_t *taps = NULL;
    uint32_t count = raster_taps(r, i, &taps), begin = *from, end = *to, widest = 0;
    for (uint32_t k = 0; k <= count; k++) {
        uint32_t tap = k == count ? 0 : taps[r->paths[i].direction == RWA_CW ? k : count - 1 - k];
        uint32_t here = k == count ? end : links_before(r, i, tap);
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

const rwa_lightpath *raster_at(const struct raster *r, uint32_t side, uint32_t channel, uint32_t link)
{
    uint32_t i = r->cell[((size_t)side * r->channels + channel) * r->links + link];
    assert(i <= r->count);
    return i == 0 ? NULL : &r->paths[i - 1];
}

double raster_density(const struct raster *r, uint32_t side, uint32_t c0, uint32_t c1, uint32_t l0, uint32_t l1)
{
    uint64_t busy = 0;
    assert(c0 < c1 && c1 <= r->channels && l0 < l1 && l1 <= r->links);
    for (uint32_t c = c0; c < c1; c++)
        for (uint32_t l = l0; l < l1; l++)
            busy += raster_at(r, side, c, l) != NULL;
    return (double)busy / ((double)(c1 - c0) * (double)(l1 - l0));
}
