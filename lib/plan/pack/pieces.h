/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The lightpaths of an exchange while they get routes and channels; for exchange.c, paths.c, eject.c and graph_stage.c. */
#pragma once

#include "base/arena.h"
#include "delivery/exchange_load.h"
#include "plan/pack/pack.h"

/** Pieces of transfers, each a lightpath; on rings and lines clockwise ones stand first. */
struct pieces {
    size_t count, clockwise;
    uint32_t *transfer, *share; /* piece k carries share[k] of its transfer */
    uint32_t *start, *end;      /* its arc */
    uint64_t *first;            /* its route where links are listed: link[first[k]] … link[first[k + 1] - 1] */
    uint32_t *link;
    uint32_t *colour;           /* step * channels + channel */
    uint32_t colours;
    uint64_t tau;               /* blocks on the fullest */
    struct arena memory;        /* of the arrays */
};

/** Lightpaths that each node still may send, and receive, in a step. */
struct free_ports {
    uint32_t nodes, ports;      /* 0: no limit */
    uint32_t *sends, *receives;
};


struct packing {
    struct routed routed;
    const struct plan_request *request;
    rwa_error *err;
    uint32_t channels;          /* colours of a step */
    bool mirrored;              /* of the exchange backwards: each lightpath leads from the end of its route to the beginning */
    double step_s, block_s;
};

/**
 * Give each piece a shortest route and a channel that is free on all its links, step by step; in up to a few rounds, if more than
 * `steps` are taken, the pieces that came last go first.  c->colours stays 0 when a piece fits no empty step.
 * O(rounds * pieces * links of the shortest routes * channels / 64).  RWA_NOMEM
 */
rwa_status colour_paths(struct pieces *c, const struct packing *p, uint64_t steps);

/** ports.c: their arrays are of the arena.  RWA_NOMEM */
rwa_status free_ports_open(struct free_ports *out, const rwa_network *net, struct arena *memory);
void free_ports_begin_step(struct free_ports *f);
bool free_ports_has(const struct free_ports *f, uint32_t src, uint32_t dst);
void free_ports_take(struct free_ports *f, uint32_t src, uint32_t dst);
/** The transfers of an exchange so that those over equal differences of node numbers, which no node sends or receives twice, follow each
 *  other.  RWA_NOMEM */
rwa_status order_by_shift(uint32_t **order, const struct exchange *e, uint32_t nodes, struct arena *memory);
/** On a ring or line with few ports: first-fit, the longest first, step by step.  O(steps * pieces + links of all).  RWA_NOMEM */
rwa_status colour_within_ports(struct pieces *c, const struct packing *p);

/** graph_stage.c: bring all pieces into one step by an assignment of routes and wavelengths; *done: whether that was found.  RWA_NOMEM;
 *  RWA_CANCELLED; RWA_BACKEND */
rwa_status assign_pieces(bool *done, struct pieces *c, const struct packing *p);

/** eject.c: bring all pieces, which have routes and colours, into so many steps; *done: whether that was found.  If not, routes and
 *  colours are spoilt.  Steps of work are limited.  RWA_NOMEM */
rwa_status eject_paths(bool *done, struct pieces *c, const struct packing *p, uint32_t steps);
