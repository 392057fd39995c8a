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
    uint32_t *start, *end;      /* its arc */
    uint32_t *colour;           /* step * channels + channel */
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

/** The links of a route. */
struct links {
    const uint32_t *link;
    size_t count;
};

static inline struct links piece_route(const struct pieces *c, const struct packing *p, size_t piece)
{
    const uint64_t *first = p->routed.first + c->transfer[piece];
    return (struct links){p->routed.link + first[0], (size_t)(first[1] - first[0])};
}

/**
 * Give each piece a channel that is free on all links of its route, step by step, in `steps` if that can be.  c->colours stays 0 when a
 * piece fits no empty step.  O(pieces * steps * links * channels / 64).  RWA_NOMEM
 */
rwa_status colour_paths(struct pieces *c, const struct packing *p, uint64_t steps);

/** eject.c: bring all pieces, which have colours, into so many steps; *done: whether that was found.  If not, colours are spoilt.  Steps
 *  of work are limited.  RWA_NOMEM */
rwa_status eject_paths(bool *done, struct pieces *c, const struct packing *p, uint32_t steps);
