/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Assign wavelengths by a closed formula: every node of a ring starts one lightpath of each of some lengths, all in
 * one direction.
 *
 * A channel carries one lightpath after the other.  Line the lengths up as intervals of [0, size).  If every channel
 * goes through all of them in turn, a lightpath that starts at node i has channel (i + end of its interval) mod size,
 * and after any multiple of `size` nodes all channels are as at the beginning.  If N is no multiple of `size`, the
 * interval [0, size) is cut into periods for the rest of the ring: there a channel stays within its period, and after a
 * multiple of every period's size all channels are again as at the beginning. */
#pragma once

#include "base/base.h"

struct colouring {
    uint32_t nodes, size;
    uint32_t uncut;             /* nodes 0 … uncut-1 see [0, size) in one piece: a multiple of size */
    size_t hops, periods;
    uint32_t *start;            /* of each hop: its channel at node 0 */
    uint32_t *period;          /* of each hop */
    uint32_t *base;             /* of each period, and the end of the last: periods + 1 entries */
};

/** Find channels, at most `channels`, for lightpaths on a ring of `nodes` nodes: each node starts one lightpath of each
 * of `count` lengths.  `out` gets an interval for each length, and the periods.
 * @return RWA_OK, also when none were found (out->size is then 0); RWA_NOMEM.  Free with colouring_free() in any
 * case. */
rwa_status colouring_find(struct colouring *out, const uint32_t *length, size_t count, uint32_t nodes,
                          uint32_t channels, rwa_error *err);
void colouring_free(struct colouring *colouring);

/** Return the channel of the lightpath of the hop-th length whose route begins, in clockwise order, at `node`.  The
 * channel rises by one from node to node, modulo *period; *run is set to the number of nodes, `node` included, for
 * which that holds. */
uint32_t colouring_channel(const struct colouring *t, size_t hop, uint32_t node, uint32_t *run, uint32_t *period);
