/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Waves with their wavelengths, as records of a schedule. */
#ifndef SCHEME_WAVEFRONT_RECORDS_H
#define SCHEME_WAVEFRONT_RECORDS_H

#include "scheme/scheme.h"
#include "scheme/wavefront_front.h"
#include "scheme/wavefront_mixed.h"

/**
 * Fill a zeroed stage with the records of a front, or of mixed waves: an all-gather, or backwards (in time, in space,
 * adding up) a reduce-scatter.  Block b is node b's.  RWA_NOMEM; the stage is then as it was.
 */
rwa_status records_of_front(struct stage *stage, const struct front *front, bool backwards, uint32_t wavelengths,
                            rwa_error *err);
rwa_status records_of_mixed(struct stage *stage, const struct mixed *mixed, bool backwards, uint32_t wavelengths,
                            rwa_error *err);

#endif
