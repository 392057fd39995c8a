/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The caller's limits, checked before anything is allocated. */
#pragma once

#include "rwa/limits.h"

/** Copy the caller's limits, `theirs` (NULL: no limits), to `ours`.  RWA_BADARG: a struct_size that is too small or too
 *  large, a time_limit_s that is negative or not finite. */
rwa_status limits_take(rwa_limits *ours, const rwa_limits *theirs, rwa_error *err);
/** Return RWA_BADARG if a network has more nodes than the caller allows. */
rwa_status limits_refuse_nodes(const rwa_limits *limits, uint64_t nodes, rwa_error *err);
/** Return RWA_BADARG if there are more lightpaths than the caller allows. */
rwa_status limits_refuse_lightpaths(const rwa_limits *limits, double lightpaths, rwa_error *err);
/** Return RWA_NOMEM if `what` needs more bytes than the caller allows. */
rwa_status limits_allow(const rwa_limits *limits, double bytes, const char *what, rwa_error *err);
/** Return RWA_NOMEM if `what` needs more bytes than the caller allows, or than the process may have
 *  (base_fits_memory()). */
rwa_status limits_fit(const rwa_limits *limits, double bytes, const char *what, rwa_error *err);
