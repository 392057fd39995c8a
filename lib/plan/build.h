/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the files share that make one plan by one scheme. */
#ifndef PLAN_BUILD_H
#define PLAN_BUILD_H

#include "plan/residual.h"
#include "plan/plan.h"

/** build.c: what the scheme is to carry out: the collective itself, or the one that is it when run backwards. */
rwa_status turn_forwards(rwa_collective *out, const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll,
                         rwa_error *err);
/** The collective in the blocks of the scheme; the caller may have left their number to the scheme.  RWA_BADARG when the
 *  caller's number is not the scheme's. */
rwa_status cut_message(rwa_collective *cut, const struct scheme *scheme, const struct scheme_request *request, rwa_error *err);
/** What the options ask for on a residual: its own limit of hops, and who takes part in it. */
rwa_plan_options ask_on(const struct residual *residual, const rwa_plan_options *o);
bool suits_residual(const struct scheme *scheme, const struct residual *residual, const rwa_plan_options *o);

/** stages.c: all stages of the scheme, one after the other; or none after scheme_refuse(). */
rwa_status build_stages(rwa_plan *plan, const struct scheme *scheme, const struct scheme_request *request, rwa_error *err);

/** extent.c: whether every step is one of whole orbits, which are neither listed nor checked one by one; laid from a residual
 *  on the real network they are checked, and some are written out. */
struct extent extent_of(const struct scheme *scheme, const struct scheme_request *request, const struct residual *residual);
/** Bytes of the schedule while it is made, and of the channels and blocks that its check goes through. */
double bytes_to_plan(const struct scheme *scheme, const struct scheme_request *request, const struct residual *residual);
/** Lightpaths that the checker goes through; of whole orbits one, but in reductions all. */
double lightpaths_to_check(const struct scheme *scheme, const struct scheme_request *request, const struct residual *residual);
/** Whether the scheme does this at all, and whether what it must list, and the check, fit this machine and a patient hour:
 *  RWA_BADARG and RWA_NOMEM if not. */
rwa_status refuse_request(const struct scheme *scheme, const struct scheme_request *request, const struct residual *residual,
                          rwa_error *err);

#endif
