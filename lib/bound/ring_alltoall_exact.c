/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/bound.h"

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    (void)err;
    if (c->kind == RWA_RING && c->lost_count == 0 && bound_is_exchange(c))
        b->value = bound_divide_up(bound_quarter_square(c->nodes), 2);
    return RWA_OK;
}

const struct bound_entry bound_ring_alltoall_exact = {
    "ring-alltoall-exact", "wavelengths",
    "a one-stage exchange on a ring needs exactly ceil(floor(N^2/4)/2) wavelengths (over all fibres): the shortest "
    "routes add up to N floor(N^2/4) hops on 2N directed links",
    "docs/bounds.md: counting of shortest routes; reached by a construction", compute};
