/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BOUND_SPREAD_H
#define BOUND_SPREAD_H

#include "bound/bound.h"

/** Steps in which one block, with all channels to itself, can reach all nodes from its owner (a root, or the worst). */
uint64_t spread_steps(const struct bound_case *c);

#endif
