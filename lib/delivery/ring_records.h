/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Waves with their wavelengths, as records of a schedule. */
#ifndef SCHEME_WAVEFRONT_RECORDS_H
#define SCHEME_WAVEFRONT_RECORDS_H

#include "delivery/schedule_sink.h"
#include "delivery/ring_schedule.h"
#include "delivery/per_owner_trees.h"

/** Push the all-gather of a front, or of mixed waves, as one stage that the caller ends; block b is node b's.  RWA_NOMEM */
rwa_status push_ring_schedule(struct schedule_sink *sink, const struct ring_schedule *front, uint32_t wavelengths, rwa_error *err);
rwa_status push_owner_trees(struct schedule_sink *sink, const struct owner_trees *mixed, uint32_t wavelengths, rwa_error *err);

#endif
