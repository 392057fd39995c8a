/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Declarations shared by the files of OpTree. */
#pragma once

#include "scheme/scheme.h"

/** List in *out the sets of radices that are worth building, best first, or only the set that the caller gives.  Also
 * set a lower bound on the steps. */
rwa_status optree_estimate(struct estimate *out, const struct plan_request *request, rwa_error *err);

/** Check the caller's radices and stages: they must be able to separate all nodes.  RWA_BADARG */
rwa_status optree_validate(const struct plan_request *request, rwa_error *err);

void optree_formula(rwa_formula *out, const struct plan_request *request);

/** Return the index of the first item of part c, from 0, if `size` items are cut into `parts` consecutive parts.  Sizes
 * differ by at most one, and larger parts lie in the middle.  A part never becomes smaller when there are more
 * items. */
uint32_t middle_start(uint32_t size, uint32_t parts, uint32_t c);

/** A row of the network along one dimension: its number of nodes, the difference of their numbers, and whether it is a
 * cycle.  A ring or a line is itself the only row, in one dimension. */
struct optree_row {
    uint32_t nodes, stride;
    bool cycle;
};
size_t optree_dimensions(const rwa_network *net);
struct optree_row optree_row(const rwa_network *net, size_t dimension);

/** Return how many of the radices, in order, are needed to separate `nodes` nodes; most + 1 if all `most` do not
 * suffice. */
size_t optree_needed(const uint32_t *radix, size_t most, uint32_t nodes);

/** Return the number of radices in a set of parameters. */
size_t optree_levels(const struct parameters *parameters);
