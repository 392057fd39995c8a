/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BOUND_TREE_H
#define BOUND_TREE_H

#include "bound/bound.h"
#include "lattice/shells.h"

/** T steps are enough for the spreads of all blocks, whose shells are those of T steps, only if cost <= room * T; less where
 *  lightpaths cannot be full. */
struct tree_need {
    uint64_t cost;      /**< link-channels, each for one block; saturating */
    uint64_t room;      /**< of one step of full lightpaths */
};

/** Ring and line; collectives whose blocks spread to all. */
struct tree_need tree_need(const struct shells *s, const struct bound_case *c);

#endif
