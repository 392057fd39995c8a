/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Waves with their wavelengths, as records of a schedule. */
#ifndef SCHEME_WAVEFRONT_RECORDS_H
#define SCHEME_WAVEFRONT_RECORDS_H

#include "scheme/scheme.h"
#include "delivery/ring_schedule.h"
#include "delivery/per_owner_trees.h"

/** Fill a zeroed stage with the all-gather of a front, or of mixed waves; block b is node b's.  RWA_NOMEM; the stage is
 *  then as it was. */
rwa_status records_of_schedule(struct stage *stage, const struct ring_schedule *front, uint32_t wavelengths, rwa_error *err);
rwa_status records_of_owner_trees(struct stage *stage, const struct owner_trees *mixed, uint32_t wavelengths, rwa_error *err);

#endif
