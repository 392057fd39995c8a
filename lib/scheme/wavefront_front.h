/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A wave whose every step has found its wavelengths. */
#ifndef SCHEME_WAVEFRONT_FRONT_H
#define SCHEME_WAVEFRONT_FRONT_H

#include "scheme/wavefront.h"
#include "scheme/wavefront_tiling.h"

struct front {
    struct wave wave;
    uint32_t *order;        /* offsets 1 … nodes-1 by group; group 2 (step - 1) + direction */
    uint32_t *first;        /* of each group, and the end: groups + 1 entries into order */
    struct tiling *tiling;  /* of each group: its hops in the order of `order` */
};

/** What a front must respect. */
struct front_limits {
    uint32_t nodes, channels;
    uint32_t max_hops;      /* 0: no limit */
};

/**
 * The front of fewest steps that was found.  Cost O(N log N) for each number of steps tried.
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED.  front_free() in any case.
 */
rwa_status front_find(struct front *out, const struct front_limits *limits, struct watch *watch, rwa_error *err);
void front_free(struct front *front);

#endif
