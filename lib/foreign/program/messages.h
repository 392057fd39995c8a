/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A schedule as a program: messages between nodes, in an order in which they can be carried out one after the
 * other. */
#pragma once

#include "foreign/foreign.h"

/** Blocks first … first + count - 1 from src to dst. */
struct message {
    uint32_t step, src, dst, first, count;
    uint32_t group;         /* messages of one group are sent before any of them is received */
    bool reduces;           /* the receiver adds */
};

struct messages {
    struct export_request *r;
    uint32_t nodes;
    uint64_t blocks;
    bool reduction;         /* receivers add: an all-reduce or a reduce-scatter */
    struct message *list;   /* by group */
    size_t count;
};

/**
 * Set p to the messages of the exported steps.  A message carries at most `most` consecutive blocks between two nodes.
 * Without reductions each message is a group of its own, and its blocks are either all the sender's own or none is.  In
 * a reduction, the messages of a step that have the same blocks form a group; messages with different blocks have none
 * in common.
 * @param format  the name of the format, for error messages
 * @param any     accept every collective; false: all-gather and all-reduce only
 * @param most    at least 1
 * @return RWA_OK; RWA_BADARG: another collective, a single step, members, taps, 2^31 blocks that move or more;
 *         RWA_NOMEM; RWA_CANCELLED.  Cost O(m log m) for m blocks that move
 */
rwa_status messages_collect(struct messages *p, struct export_request *r, const char *format, bool any, uint32_t most);
