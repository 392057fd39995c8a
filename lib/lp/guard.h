/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The adapter to GLPK: turns an internal error of GLPK, which would end the process, into a status. */
#pragma once

#include "base/base.h"

/**
 * Run work(job) with GLPK silent and its internal errors caught.
 * @param[out] fresh  true if this call created the thread's GLPK environment: pass it to lp_leave() at the end
 * @return RWA_OK; after an internal error RWA_NOMEM or RWA_BACKEND, with GLPK's own words.  Every GLPK object of this
 *         thread is then gone: do not use it, not even to delete it
 */
rwa_status lp_guard(void (*work)(void *job), void *job, bool *fresh, rwa_error *err);

/** Free the thread's GLPK environment, with all its objects, if `fresh`, which means that lp_guard() created it. */
void lp_leave(bool fresh);

/** Return the version of the running GLPK, a constant text. */
const char *lp_version(void);

/** Return GLPK's constant for the kind of limits lower <= x <= upper of a row or column; an infinite number is no
 *  limit. */
int lp_limits(double lower, double upper);
