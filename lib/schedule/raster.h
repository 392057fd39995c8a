/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One step of a schedule as cells: which lightpath holds which channel of which link. */
#pragma once

#include "base/arena.h"
#include "rwa/settings.h"
#include "schedule/schedule.h"

/** Rings and lines have two sides, one for each direction; networks that list their links have one side with all
 *  directed links. */
struct raster {
    struct arena memory;            /* of the arrays below */
    uint32_t sides;
    uint32_t links, channels;       /* per side */
    struct walk *paths;             /* the lightpaths of the step, with orbits expanded */
    size_t count;
    uint32_t *cell;                 /* [side][channel][link]: 1 + index of the lightpath there; 0: free */
    const rwa_schedule *sched;      /* borrowed */
    uint64_t busy;                  /* number of cells that are not free */
    uint32_t longest_hops;
};

/** Return the number of sides of a raster of this network: 2 on a ring or line (one for each direction), else 1.
 * raster_channels() returns the number of channels on a side: those of the link with the most fibres. */
uint32_t raster_sides(const rwa_network *net);
uint32_t raster_channels(const rwa_network *net);
/** Return the number of cells that stand for a channel of a link.  On a ring or line, the channels of both directions
 * count.  0: every pair of nodes is one hop apart, so there are no links to draw. */
uint64_t raster_cells(const rwa_network *net);
/** Draw a step (1 … steps) into a raster, which is {0} or holds an earlier drawing.  Call raster_free() in any case. */
rwa_status raster_draw(struct raster *r, const rwa_schedule *sched, uint32_t step, rwa_error *err);
void raster_free(struct raster *r);

/** Return the lightpath that holds a channel of a link; NULL: the channel is free.
 * @param side  on a ring or line 0 for clockwise, 1 for counterclockwise; else 0 */
const struct walk *raster_at(const struct raster *r, uint32_t side, uint32_t channel, uint32_t link);
/** Return the link of a lightpath on a ring or line that comes first clockwise; the lightpath covers `hops` links from
 *  there on. */
uint32_t raster_first_link(const rwa_lightpath *lp);
/** Narrow a part of a lightpath on a ring or line to its longest section without a receiver inside.  *from … *to - 1
 * are links, counted clockwise from the lightpath's first link (raster_first_link()). */
void raster_widest_unread(const struct walk *w, uint32_t *from, uint32_t *to);

/** Return the first item of bucket i when `items` items are divided in order among `buckets` buckets of nearly equal
 *  size. */
static inline uint32_t raster_bucket(uint32_t i, uint32_t buckets, uint32_t items)
{
    assert(buckets > 0 && i <= buckets);
    return (uint32_t)((uint64_t)i * items / buckets);
}
/** Divide a side into `rows` rows of channels and `columns` columns of links.  Return the share (0 … 1) of busy
 * channels in one row and column. */
double raster_density(const struct raster *r, uint32_t side, uint32_t row, uint32_t rows, uint32_t column,
                      uint32_t columns);
