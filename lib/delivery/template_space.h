/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The parts of a plan that all owners of a network with translations share: lightpaths by displacement, and channels that follow the
 * phase of the owner.  The phase of a node is the sum modulo the period of the digits that have it; the owner at phase p uses channel
 * c - c mod period + (c + p) mod period where owner 0 uses c, so that two lightpaths of all owners meet only where those of owner 0 have
 * one slot in common: a link out of node 0, a block of channels and a phase in it.
 */
#pragma once

#include "base/arena.h"
#include "network/translations.h"

enum {
    TEMPLATE_HOPS = 32,     /* of a lightpath, at most */
    TEMPLATE_ROUTES = 6,    /* of each displacement, at most */
    TEMPLATE_FAR = 255      /* instead of the hops of a displacement without a route */
};

struct template_space {
    struct arena memory;        /* of the arrays */
    const struct translations *group;   /* borrowed */
    uint32_t nodes, channels;   /* of the network; of each link */
    uint32_t ways;              /* links out of a node */
    uint32_t *way;              /* of each way: where it leads from node 0 */
    uint32_t period;            /* at most the channels */
    uint32_t *phase;            /* of each node */
    uint8_t *hops;              /* [from][to]: of a lightpath, TEMPLATE_FAR: none */
    uint16_t *order;            /* [from][i]: all nodes, nearest first */
    uint32_t *turned;           /* of each node: its image by a symmetry that keeps all hops, and node 0 */
    uint8_t *routes;            /* of each node: so many routes from node 0 … */
    uint8_t *route;             /* [node][route][hop]: … by their ways, in the order of travel */
};

/**
 * @param listed    the network of the group, its links listed and alike; at most TEMPLATE_NODES
 * @param period    at least 1
 * @param max_hops  of a lightpath; 0: no limit
 * @return RWA_OK; RWA_NOMEM.  template_space_close() in any case.  Cost O(nodes² * ways)
 */
enum { TEMPLATE_NODES = 1024 };
rwa_status template_space_open(struct template_space *s, const struct translations *group, const rwa_network *listed, uint32_t period,
                               uint32_t max_hops, rwa_error *err);
void template_space_close(struct template_space *s);

static inline uint32_t template_hops(const struct template_space *s, uint32_t from, uint32_t to)
{
    return s->hops[(size_t)from * s->nodes + to];
}

/** The slot of a hop of owner 0's lightpath on channel c. */
static inline size_t template_slot(const struct template_space *s, uint32_t way, uint32_t from, uint32_t c)
{
    uint32_t block = c - c % s->period;
    assert(way < s->ways && from < s->nodes && c < s->channels);
    if (block + s->period > s->channels) /* too few channels are left for all phases: all owners use the same one */
        return (size_t)way * s->channels + c;
    return (size_t)way * s->channels + block + (c - block + s->period - s->phase[from]) % s->period;
}

/** The channel of an owner where owner 0 has channel c. */
static inline uint32_t template_channel(const struct template_space *s, uint32_t owner, uint32_t c)
{
    uint32_t block = c - c % s->period;
    return block + s->period > s->channels ? c : block + (c - block + s->phase[owner]) % s->period;
}
