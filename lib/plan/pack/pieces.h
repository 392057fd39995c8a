/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The lightpaths of an exchange (pieces) while they get routes and channels; used by exchange.c, paths.c, orbits.c and
 * eject.c. */
#pragma once

#include "base/arena.h"
#include "delivery/exchange_load.h"
#include "plan/pack/pack.h"

/** Pieces: parts of transfers, each of which is one lightpath.  On rings and lines the clockwise ones come first. */
struct pieces {
    size_t count, clockwise;
    uint32_t *transfer, *share; /* piece k carries share[k] of its transfer */
    uint32_t *start, *end;      /* its arc; of an orbit: the end of its first link if that begins at node 0, and its
                                   number of links */
    uint64_t *first;            /* its route in paths.c: link[first[k]] … link[first[k + 1] - 1] */
    uint32_t *link;
    uint32_t *colour;           /* step * channels + channel */
    uint32_t *period;           /* if each piece is an orbit: period of its channel; else NULL */
    uint32_t colours;
    uint64_t tau;               /* most blocks on a lightpath */
    struct arena memory;        /* of the arrays above */
};

struct packing {
    struct routed routed;
    const struct plan_request *request;
    rwa_error *err;
    uint32_t channels;          /* colours of a step */
};

/** paths.c: give each piece (lightpath) a route and a channel that is free on all its links, step by step; aim at
 * `steps` steps.  The route is a shortest one; on a ring or line it is the given arc. c->colours, the number of
 * colours used, stays 0 if a piece does not fit into an empty step.  O(pieces * links of the shortest routes *
 * channels / 64).  RWA_NOMEM */
rwa_status colour_paths(struct pieces *c, const struct packing *p, uint64_t steps);

/** orbits.c: if each piece is an orbit (a lightpath and all its translations), give each piece a route and a channel
 * by first-fit. c->colours, the number of colours used, stays 0 if that is impossible. */
rwa_status colour_orbits(struct pieces *c, const struct packing *p);
/** orbits.c: write into path[] the nodes on the route of piece k, the first lightpath of an orbit; path[0] must be
 * set.  Return the number of nodes. */
uint32_t orbit_path(uint32_t *path, const struct pieces *c, size_t k, const rwa_network *net);
/** orbits.c: write out the transfers of an exchange in which each stands for all its translations (e->alike); *out
 * receives them one by one.  RWA_NOMEM; call exchange_free() in any case */
rwa_status exchange_expand(struct exchange *out, const struct exchange *e, const struct plan_request *request,
                           rwa_error *err);

/** eject.c: try to move all pieces (lightpaths), which have routes and colours, into `steps` steps, with limited work.
 * RWA_NOMEM
 * @param[out] done  whether it succeeded; if not, routes and colours are invalid */
rwa_status eject_paths(bool *done, struct pieces *c, const struct packing *p, uint32_t steps);
