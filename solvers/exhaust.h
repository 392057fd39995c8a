/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Search through all there is: is there a placement of so many demands on so many waves? */
#ifndef SOLVERS_EXHAUST_H
#define SOLVERS_EXHAUST_H

#include "solvers/menu.h"

struct exhaust {
    const struct menu *menu;
    uint32_t waves;
    uint32_t need;          /* demands to place, at most all */
    bool named;             /* waves are not interchangeable */
    const uint32_t *twin;   /* of each demand the one before it that is the same in all, or UINT32_MAX */
    struct budget *budget;
};

enum exhausted { EXHAUST_FOUND, EXHAUST_NONE, EXHAUST_STOPPED };

/**
 * Backtracking: the demand with the fewest ways left comes first, waves not used yet stand for each other, and so do
 * demands that are the same.
 * @param[out] out     on EXHAUST_FOUND the placement; created by the caller
 * @param[out] answer  EXHAUST_NONE proves that there is no such placement of these routes
 * @return RWA_OK; RWA_NOMEM.  Exponential in the demands
 */
rwa_status exhaust_run(const struct exhaust *run, struct placement *out, enum exhausted *answer, rwa_error *err);

/**
 * The textbook integer program over the menu: a variable for each route and wave, one for each wavelength in use.
 * Fewest wavelengths below `waves` for all demands; or, with `most`, as many demands as fit on them.
 */
struct textbook {
    const struct menu *menu;
    uint32_t waves;
    bool most;
    struct budget *budget;
};

/**
 * @param[in,out] best  a placement below `waves`, replaced by a better one
 * @param[out] bound    wavelengths that these routes need at least (0: not known), or most: demands that can be served
 * @return RWA_OK also when stopped; RWA_BADARG: more variables than GLPK can be expected to handle; RWA_NOMEM; RWA_BACKEND
 */
rwa_status textbook_run(const struct textbook *run, struct placement *best, uint32_t *bound, rwa_error *err);

#endif
