/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Route candidates of demands, and placements on them. */
#pragma once

#include "base/arena.h"

#define NO_ROUTE SIZE_MAX

struct channel {
    uint32_t link, channel;     /* channel = wavelength * fibers + fiber */
};

/**
 * The candidates of all demands.  A route is cut into segments at wavelength converters (without converters it is one
 * segment).  Each segment has one channel: a wavelength of one of the parallel fibres.  Arrays are borrowed.  Every
 * route has at least one link, and no segment has a link twice.
 */
struct candidates {
    uint32_t links;
    uint32_t fibers;            /* parallel fibres, at least 1: channel w is wavelength w / fibers of fibre w %
                                   fibers */
    const uint32_t *fibers_of;  /* NULL, or of each link its number of fibres, which are the first of `fibers` */
    uint32_t demands;
    const size_t *route;        /* demand d: routes route[d] … route[d + 1] - 1 */
    const size_t *segment;      /* route r: segments segment[r] … segment[r + 1] - 1 */
    const size_t *hop;          /* segment s: links link[hop[s]] … link[hop[s + 1] - 1] */
    const uint32_t *link;
    const struct channel *taken;    /* taken_count channels that no demand may use */
    size_t taken_count;
};

/** Return the range of a route's segments: first_segment() … end_segment() - 1, which is empty for NO_ROUTE. */
static inline size_t first_segment(const struct candidates *cand, size_t route)
{
    return route == NO_ROUTE ? 0 : cand->segment[route];
}

static inline size_t end_segment(const struct candidates *cand, size_t route)
{
    return route == NO_ROUTE ? 0 : cand->segment[route + 1];
}

/** Return the range of a route's links in cand->link: first_hop() … end_hop() - 1; route_hops() returns their number.
 *  The route must not be NO_ROUTE. */
static inline size_t first_hop(const struct candidates *cand, size_t route)
{
    return cand->hop[cand->segment[route]];
}

static inline size_t end_hop(const struct candidates *cand, size_t route)
{
    return cand->hop[cand->segment[route + 1]];
}

static inline size_t route_hops(const struct candidates *cand, size_t route)
{
    return end_hop(cand, route) - first_hop(cand, route);
}

/** A route and its channels for every demand, which the searches improve. */
struct placement {
    uint32_t channels;  /* channels 0 … channels - 1 are used */
    uint32_t placed;    /* demands with a route */
    size_t *route;      /* of each demand, an index into cand->segment; NO_ROUTE: not placed */
    uint32_t *channel;  /* of each segment; meaningful for the routes chosen */
};

/** Allocate a placement in which no demand has a route; *p must be zeros before.  placement_clear() removes all routes
 *  again. */
rwa_status placement_create(struct placement *p, const struct candidates *cand, rwa_error *err);
void placement_clear(struct placement *p, const struct candidates *cand);
void placement_free(struct placement *p);
void placement_copy(struct placement *to, const struct placement *from, const struct candidates *cand);

/** "w3", or "f1_w3" where links have several fibres; returns text. */
enum { CHANNEL_TEXT = 32 };
const char *candidates_channel_text(char text[CHANNEL_TEXT], const struct candidates *cand, uint32_t channel);
