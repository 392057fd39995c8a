/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Accesses to blocks at nodes, in the order of a program, and the earlier accesses that each must wait for. */
#pragma once

#include "foreign/program/messages.h"

#define ACCESS_NONE UINT32_MAX

/** Numbers of operations, ascending. */
struct awaits {
    uint32_t *list;
    size_t count;
};

/**
 * Write an operation, and set *operation to its number, larger than those before it.  The operation is the send of
 * message `number`, which reads its blocks at the source or, if `receives`, its receive, which writes them at the
 * destination.  The operations in `awaits` must end before: the last writes of the blocks; for a write in a reduction
 * also the reads since then.
 */
typedef rwa_status (*access_writer)(void *data, uint32_t number, bool receives, struct awaits *awaits,
                                    uint32_t *operation);

/** Call write() for every send and receive, in an order in which they can run: group by group, the sends of a group
 *  before its receives.  Return the first failure of write().  RWA_NOMEM, also if the machine cannot hold a table of
 *  nodes * blocks entries. */
rwa_status accesses_walk(const struct messages *p, access_writer write, void *data);
