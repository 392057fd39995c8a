/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One step of a schedule as cells: which lightpath holds which channel of which link. */
#ifndef SCHEDULE_RASTER_H
#define SCHEDULE_RASTER_H

#include "rwa/schedule.h"

struct raster {
    uint32_t links, channels;       /* per direction */
    rwa_lightpath *paths;           /* of the step, orbits expanded */
    size_t count;
    uint32_t *cell;                 /* [direction][channel][link]: 1 + index of the lightpath there; 0: idle */
    uint64_t busy;                  /* cells that are not idle */
    uint32_t longest_hops;
};

/** Cells of a step's raster: both directions. */
uint64_t raster_cells(const rwa_network *net);
/** Draw a step (1 … steps).  Whatever the outcome, raster_free() must follow. */
rwa_status raster_draw(struct raster *r, const rwa_schedule *sched, uint32_t step, rwa_error *err);
void raster_free(struct raster *r);

/** The lightpath at a cell, or NULL. */
const rwa_lightpath *raster_at(const struct raster *r, rwa_direction dir, uint32_t channel, uint32_t link);
/** The first link of a lightpath in clockwise order; it covers `hops` links from there, round the ring. */
uint32_t raster_first_link(const rwa_lightpath *lp);

/** Busy cells of channels [c0, c1) and links [l0, l1) in one direction, as a share of all: 0 … 1. */
double raster_density(const struct raster *r, rwa_direction dir, uint32_t c0, uint32_t c1, uint32_t l0, uint32_t l1);

#endif
