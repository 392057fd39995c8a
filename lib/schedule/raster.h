/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One step of a schedule as cells: which lightpath holds which channel of which link. */
#pragma once

#include "base/arena.h"
#include "rwa/settings.h"
#include "schedule/schedule.h"

/** Ring and line have two sides, one for each direction; networks that list their links have one, of all directed
 *  links. */
struct raster {
    struct arena memory;            /* of the arrays below */
    uint32_t sides;
    uint32_t links, channels;       /* of each side */
    rwa_lightpath *paths;           /* of the step, orbits expanded */
    size_t count;
    uint32_t *cell;                 /* [side][channel][link]: 1 + index of the lightpath there; 0: idle */
    uint32_t *route;                /* one side: the links of lightpath i are route[route_from[i]] … route[route_from[i
                                       + 1] - 1] */
    size_t *route_from;             /* two sides: NULL, the direction determines the route */
    uint32_t *tap;                  /* nodes that read lightpath i on its way, in travel order: from tap[tap_from[i]]
                                       on */
    size_t *tap_from;               /* NULL: there are none in this schedule */
    const rwa_schedule *sched;      /* borrowed */
    uint64_t *record;               /* lightpath i is number turn[i] of the orbit of this record; NULL: each carries one
                                       block */
    uint32_t *turn;
    uint64_t busy;                  /* cells that are not idle */
    uint32_t longest_hops;
};

/** Sides that a raster of this network has, and channels of each: those of the link that has most. */
uint32_t raster_sides(const rwa_network *net);
uint32_t raster_channels(const rwa_network *net);
/** Channels of all links together, on all sides; 0: the network has no links to draw. */
uint64_t raster_cells(const rwa_network *net);
/** Draw a step (1 … steps).  raster_free() must follow, also after a failure. */
rwa_status raster_draw(struct raster *r, const rwa_schedule *sched, uint32_t step, rwa_error *err);
/** Draw what is up in a step, as rwa_cost_holds() says: of a lightpath that several steps use, the first of them that
 *  holds it. */
rwa_status raster_draw_held(struct raster *r, const rwa_schedule *sched, uint32_t step, const rwa_hold *hold,
                            rwa_error *err);
void raster_free(struct raster *r);

/** The lightpath at a cell, or NULL. */
const rwa_lightpath *raster_at(const struct raster *r, uint32_t side, uint32_t channel, uint32_t link);
/** Hops of a record's lightpaths on any network; 1 where there are neither directions nor links. */
uint32_t raster_hops(const rwa_schedule *sched, uint64_t record);
/** The taps of lightpath i (a part of r->tap), and their number. */
uint32_t raster_taps(const struct raster *r, size_t i, const uint32_t **taps);
bool raster_is_tap(const struct raster *r, size_t i, uint32_t node);
/** Lightpath i as a walk has it. */
struct walk raster_walk(const struct raster *r, size_t i);
/** Ring and line: the first link of a lightpath in clockwise order; it covers `hops` links from there, round the
 *  ring. */
uint32_t raster_first_link(const rwa_lightpath *lp);
/** Ring and line: how many links of lightpath i's run, counted clockwise, come before one of its nodes. */
uint32_t raster_links_before(const struct raster *r, size_t i, uint32_t node);
/** Ring and line: narrows the links [*from, *to) of lightpath i's run, counted clockwise, to the longest part inside
 *  which no node reads it. */
void raster_widest_unread(const struct raster *r, size_t i, uint32_t *from, uint32_t *to);

/** Busy cells of channels [c0, c1) and links [l0, l1) of one side, as a share of all: 0 … 1. */
double raster_density(const struct raster *r, uint32_t side, uint32_t c0, uint32_t c1, uint32_t l0, uint32_t l1);
