/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Shared by the files of OpTree. */
#pragma once

#include "scheme/scheme.h"

/** Radix sequences worth building, best first. */
rwa_status optree_estimate(struct estimate *out, const struct plan_request *request, rwa_error *err);

/** The caller's radices must be able to separate all nodes. */
rwa_status optree_validate(const struct plan_request *request, rwa_error *err);

void optree_formula(rwa_formula *out, const struct plan_request *request);

/** First of part c of `size` things cut into `parts`: sizes differ by at most one, larger ones in the middle.  A part
 *  never shrinks when there are more things. */
uint32_t middle_start(uint32_t size, uint32_t parts, uint32_t c);

/** A row of the network along one dimension: its nodes, how far apart their numbers are, whether it closes.  A ring or
 * a line is a row by itself, of one dimension. */
struct optree_row {
    uint32_t nodes, stride;
    bool cycle;
};
size_t optree_dimensions(const rwa_network *net);
struct optree_row optree_row(const rwa_network *net, size_t dimension);

/** How many of `most` radices separate so many nodes; most + 1 when all of them do not. */
size_t optree_needed(const uint32_t *radix, size_t most, uint32_t nodes);

/** How many radices there are. */
size_t optree_levels(const struct parameters *parameters);
