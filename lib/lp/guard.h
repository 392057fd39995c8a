/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The adapter to GLPK: turns an internal error of GLPK, which would end the process, into a status. */
#pragma once

#include "base/base.h"

/**
 * Run work(job) with GLPK silent and its internal errors caught.
 * @param[out] fresh  true when this call created the thread's GLPK environment: pass it to lp_leave() at the end
 * @return RWA_OK; RWA_NOMEM or RWA_BACKEND with GLPK's own words after an internal error: then every GLPK object of
 *         this thread is gone and must not be used any more, not even to delete it
 */
rwa_status lp_guard(void (*work)(void *job), void *job, bool *fresh, rwa_error *err);

/** Free the thread's GLPK environment, with all its objects, if lp_guard() created it. */
void lp_leave(bool fresh);

/** Return the version of the running GLPK, a constant text. */
const char *lp_version(void);

/** Return GLPK's constant for the bounds lower <= x <= upper of a row or column; an infinite bound: no limit. */
int lp_limits(double lower, double upper);
