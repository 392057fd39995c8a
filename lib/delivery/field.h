/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A ring or line in the middle of a collective: who holds what, and which channels the step being filled has left. */
#ifndef SCHEME_FIELD_H
#define SCHEME_FIELD_H

#include "rwa/schedule.h"

#include "base/base.h"

enum { FIELD_WITHOUT = 0, FIELD_HOLDS = 1, FIELD_GETS = 2 };

struct field {
    const rwa_network *net;     /* borrowed; with its faults */
    uint32_t nodes, links, wavelengths;
    uint64_t blocks;
    size_t words;               /* of 64 channels each */
    uint8_t *state;             /* [node][block] */
    uint64_t *open, *free;      /* [direction][link][word]: channels of an empty step, and of this one */
    uint32_t *may_send, *may_receive; /* how much more each node may in this step, by its ports */
    uint32_t step;              /* being filled */
    rwa_lightpath *sent;        /* of all steps so far */
    size_t count, room;
    rwa_error *err;
};

/** Where everything is at the start of a collective.  Whatever the outcome, field_close() must follow. */
rwa_status field_open(struct field *f, const rwa_network *net, const rwa_collective *coll, rwa_error *err);
void field_close(struct field *f);

/** Start the next step, on all channels the network has left (healthy: also those of failed links). */
void field_begin(struct field *f, bool healthy);
/** Send exactly this lightpath when its source holds the block, its destination lacks it, and its channels and a port
 *  at both ends are free. */
rwa_status field_send(struct field *f, const rwa_lightpath *lp, bool *sent);
/** Serve a node a block from the nearest holder no more than `reach` links away that has a free channel and port. */
rwa_status field_serve(struct field *f, uint32_t node, uint64_t block, uint32_t reach, bool *sent);
/** What arrived is now held. */
void field_end(struct field *f);

static inline uint8_t *field_at(const struct field *f, uint32_t node, uint64_t block)
{
    return &f->state[node * f->blocks + block];
}

#endif
