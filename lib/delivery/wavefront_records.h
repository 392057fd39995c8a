/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Waves with their wavelengths, as records of a schedule. */
#ifndef SCHEME_WAVEFRONT_RECORDS_H
#define SCHEME_WAVEFRONT_RECORDS_H

#include "scheme/scheme.h"
#include "delivery/wavefront_front.h"
#include "delivery/wavefront_mixed.h"

/** Fill a zeroed stage with the all-gather of a front, or of mixed waves; block b is node b's.  RWA_NOMEM; the stage is
 *  then as it was. */
rwa_status records_of_front(struct stage *stage, const struct front *front, uint32_t wavelengths, rwa_error *err);
rwa_status records_of_mixed(struct stage *stage, const struct mixed *mixed, uint32_t wavelengths, rwa_error *err);

#endif
