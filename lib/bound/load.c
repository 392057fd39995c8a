/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/bound.h"

/** On a ring the fullest directed link carries at least half of floor(N^2/4), rounded up before the fibres share it. */
static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    (void)err;
    if (bound_has_arcs(c) && bound_is_exchange(c)) {
        uint64_t fullest = bound_divide_up(bound_quarter_square(c->nodes), c->kind == RWA_RING ? 2 : 1);
        b->value = bound_divide_up(fullest, c->fibers);
    }
    return RWA_OK;
}

const struct bound_entry bound_load = {
    "load", "wavelengths",
    "a one-stage exchange needs, per fibre, at least the lightpaths over the fullest directed link divided by the "
    "fibres (on a ring: all shortest routes spread evenly over both directions)",
    "docs/bounds.md: counting of link loads", compute};
