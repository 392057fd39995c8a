/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The border to GLPK: an internal error there, which would end the process, becomes a status here. */
#pragma once

#include "base/base.h"

/**
 * Run work(job) with GLPK silent and its internal errors caught.
 * @param[out] fresh  true when this call set up the thread's GLPK environment: hand it to lp_leave() at the end
 * @return RWA_OK; RWA_NOMEM or RWA_BACKEND with GLPK's own words after such an error: then every GLPK object of this
 *         thread is gone and must not be touched any more, not even to delete it
 */
rwa_status lp_guard(void (*work)(void *job), void *job, bool *fresh, rwa_error *err);

/** Give the thread's GLPK environment back when it was ours; frees every GLPK object of the thread. */
void lp_leave(bool fresh);

/** The version of GLPK that is running; a constant. */
const char *lp_version(void);

/** GLPK's constant for lower <= a row or column <= upper, infinite where there is no limit. */
int lp_limits(double lower, double upper);
