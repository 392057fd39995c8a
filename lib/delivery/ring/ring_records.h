/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Push coloured trees on a ring into a sink, as finished lightpaths. */
#pragma once

#include "delivery/ring/coloured_tree.h"
#include "delivery/schedule_sink.h"

/* Each function pushes an all-gather as one stage, which the caller ends; block b belongs to node b.  RWA_NOMEM;
 * whatever the sink returns. */

rwa_status push_coloured_tree(struct schedule_sink *sink, const struct coloured_tree *tree);
/** Push trees that differ from owner to owner, with the channel of each delivery; nodes of a tree are offsets from its
 * owner. */
rwa_status push_owner_trees(struct schedule_sink *sink, const struct delivery_tree *trees);
