/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Explanations for demands that are not served. */
#pragma once

#include "assign/assign.h"

#include "assignment/assignment.h"

/** Write to `text` why demand number `demand` has no route, or no two disjoint routes: name the link or risk group that
 *  all of them need, if there is one. */
rwa_status why_unroutable(char *text, size_t size, const struct job *job, uint32_t demand);

/** Write into result->summary.why the obstacle to serving all demands, and the remedies. */
rwa_status why_not_all(rwa_assignment *result, const struct job *job);

/** remedies.c: add to the result the single changes that would each let an unserved demand in: a wavelength, a fibre, a
 *  converter, more hops, or a forbidden node to pass. */
rwa_status remedies_find(rwa_assignment *result, const struct job *job);
