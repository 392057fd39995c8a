/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a collective forces over the border of a set of nodes, whoever sends it when (docs/bounds.md). */
#ifndef BOUND_DEMAND_H
#define BOUND_DEMAND_H

#include "bound/bound.h"

/** A set of nodes that follow each other, first, first + 1, … (mod nodes); 1 <= count < nodes. */
struct node_run {
    uint32_t first;
    uint32_t count;
};

/** Blocks of which a lightpath must leave the set, and enter it; 0 where the collective says nothing. */
uint64_t demand_out(const rwa_collective *coll, struct node_run run);
uint64_t demand_in(const rwa_collective *coll, struct node_run run);

#endif
