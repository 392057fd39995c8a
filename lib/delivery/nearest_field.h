/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A network that lists its links, in the middle of a collective: who holds what, and which channels the step has left. */
#ifndef SCHEME_NEAREST_FIELD_H
#define SCHEME_NEAREST_FIELD_H

#include "base/base.h"
#include "rwa/schedule.h"

enum { NODE_LACKS = 0, NODE_HOLDS = 1, NODE_GETS = 2 };

/** What was sent, step after step; the path of lightpath i: path[path_first[i]] … path[path_first[i + 1] - 1]. */
struct deliveries {
    rwa_lightpath *list;
    uint32_t *path;
    size_t *path_first;
    size_t count, list_room, path_room, first_room;
    uint32_t steps;
};

struct nearest_field {
    const rwa_network *net;     /* borrowed */
    uint32_t nodes, links, wavelengths;
    uint64_t blocks;
    size_t words;               /* of 64 channels each */
    uint32_t *from;             /* of each link */
    uint32_t *in_first, *in;    /* links into node v: in[in_first[v]] … in[in_first[v + 1] - 1] */
    uint64_t *open, *free;      /* [link][word]: channels of an empty step, and of this one */
    uint8_t *state;             /* [node][block] */
    uint32_t *in_left;          /* of each node: free channels that lead in */
    uint32_t *may_send, *may_receive; /* how much more each node may in this step, by its ports */
    /* The search: nodes met, each with the channels on which it was met at that distance. */
    uint32_t *met, *slot;
    uint64_t *bits, *seen;
    uint32_t *stamp, token;
    size_t met_room, bits_room;
    struct deliveries sent;
    rwa_error *err;
};

/**
 * A node has no more lightpaths that begin, nor that end at it in a step than the network's ports.
 * Channels that are reserved or failed are never open; with links in pairs neither is the same channel of the way back, so
 * that everything may also be run backwards.  `field` starts as zeros; free it also after a failure.
 */
rwa_status nearest_open(struct nearest_field *f, const rwa_network *net, uint64_t blocks, rwa_error *err);
void nearest_free(struct nearest_field *f);
void deliveries_free(struct deliveries *d);

/** Nobody holds anything, nothing is sent. */
void nearest_reset(struct nearest_field *f);
void nearest_begin_step(struct nearest_field *f);
/** What became of a node that waits.  CUT_OFF: no holder at whatever distance, and none later in this step, since channels and
 *  ports only become fewer until it ends. */
enum nearest_answer { NEAREST_SENT, NEAREST_TOO_FAR, NEAREST_CUT_OFF };

/** Serve a node a block from a nearest holder, at most `reach` links away, with a channel free all along and a port at both
 *  ends. */
rwa_status nearest_serve(struct nearest_field *f, uint32_t node, uint64_t block, uint32_t reach, enum nearest_answer *answer);
/** What was sent in this step is now held. */
void nearest_end_step(struct nearest_field *f);

static inline uint8_t *nearest_at(const struct nearest_field *f, uint32_t node, uint64_t block)
{
    return &f->state[node * f->blocks + block];
}

#endif
