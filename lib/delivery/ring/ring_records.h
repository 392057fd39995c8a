/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Coloured trees on a ring, as finished lightpaths. */
#pragma once

#include "delivery/ring/coloured_tree.h"
#include "delivery/schedule_sink.h"

/* Each pushes an all-gather as one stage that the caller ends; block b is node b's.  RWA_NOMEM; whatever the sink
 * returns. */

rwa_status push_coloured_tree(struct schedule_sink *sink, const struct coloured_tree *tree, uint32_t wavelengths);
/** Trees of offsets with channels, one for each owner. */
rwa_status push_owner_trees(struct schedule_sink *sink, const struct delivery_tree *trees, uint32_t wavelengths);
