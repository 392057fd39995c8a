/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Explanations for demands that are not served. */
#pragma once

#include "assign/assign.h"

#include "assignment/assignment.h"

/** Of a demand without any route, or without two routes apart: the link or risk group that all of them need, if there
 *  is one. */
rwa_status why_unroutable(char *text, size_t size, const struct job *job, uint32_t demand);

/** The obstacle to serving all, and the remedies, into the summary's `why`. */
rwa_status why_not_all(rwa_assignment *result, const struct job *job);

/** remedies.c: changes that would each let a demand in, into the result. */
rwa_status remedies_find(rwa_assignment *result, const struct job *job);
