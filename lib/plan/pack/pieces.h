/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The lightpaths of an exchange while they get routes and channels; for exchange.c, paths.c and eject.c. */
#pragma once

#include "base/arena.h"
#include "delivery/exchange_load.h"
#include "plan/pack/pack.h"

/** Pieces of transfers, each a lightpath; on rings and lines clockwise ones stand first. */
struct pieces {
    size_t count, clockwise;
    uint32_t *transfer, *share; /* piece k carries share[k] of its transfer */
    uint32_t *start, *end;      /* its arc; of an orbit where its first link leads from node 0, and its links */
    uint64_t *first;            /* its route in paths.c: link[first[k]] … link[first[k + 1] - 1] */
    uint32_t *link;
    uint32_t *colour;           /* step * channels + channel */
    uint32_t *period;           /* of the channel, where each piece is an orbit; else NULL */
    uint32_t colours;
    uint64_t tau;               /* blocks on the fullest */
    struct arena memory;        /* of the arrays */
};

struct packing {
    struct routed routed;
    const struct plan_request *request;
    rwa_error *err;
    uint32_t channels;          /* colours of a step */
    double step_s, block_s;
};

/**
 * Give each piece a shortest route, on rings and lines its arc, and a channel that is free on all its links, step by
 * step, in `steps` if that can be.  c->colours stays 0 when a piece fits no empty step.  O(pieces * links of the
 * shortest routes * channels / 64).  RWA_NOMEM
 */
rwa_status colour_paths(struct pieces *c, const struct packing *p, uint64_t steps);

/** orbits.c: the same where each piece stands for its translations, in as few steps as first-fit finds. */
rwa_status colour_orbits(struct pieces *c, const struct packing *p);
/** orbits.c: the nodes of such a piece's route, the first of which is known; how many. */
uint32_t orbit_path(uint32_t *path, const struct pieces *c, size_t k, const rwa_network *net);
/** orbits.c: all transfers for which those of an exchange stand, one by one.  RWA_NOMEM; exchange_free() in any case */
rwa_status exchange_expand(struct exchange *out, const struct exchange *e, const struct plan_request *request,
                           rwa_error *err);

/** eject.c: bring all pieces, which have routes and colours, into so many steps; *done: whether that was found.  If
 *  not, routes and colours are spoilt.  Steps of work are limited.  RWA_NOMEM */
rwa_status eject_paths(bool *done, struct pieces *c, const struct packing *p, uint32_t steps);
