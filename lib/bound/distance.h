/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BOUND_DISTANCE_H
#define BOUND_DISTANCE_H

#include "bound/bound.h"

/** The distances of all blocks by the channels of all links; `share` without, `steps` with the hop limit. */
rwa_status distance_load(struct bound_load *l, const struct bound_case *c, rwa_error *err);

#endif
