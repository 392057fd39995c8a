/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Counting at single nodes: what must come in, or go out, over their own links (docs/bounds.md, "receive, send"). */
#ifndef BOUND_PORTS_H
#define BOUND_PORTS_H

#include "bound/bound.h"

enum ports_way { PORTS_IN, PORTS_OUT };

/** Steps that the busiest node needs, hop limit included; 0 when no node needs any. */
uint64_t ports_steps(const struct bound_case *c, enum ports_way way);

/** Blocks that a node sends, or takes in, in a step: what its links have room for, or fewer by its ports. */
uint64_t ports_width(const struct bound_case *c, uint64_t width);

#endif
