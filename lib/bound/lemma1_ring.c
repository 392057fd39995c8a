/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/bound.h"

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    (void)err;
    if (c->kind == RWA_RING && c->lost_count == 0 && bound_is_exchange(c))
        b->value = bound_divide_up((uint64_t)c->nodes * c->nodes, 8);
    b->holds = c->nodes % 2 == 0;
    return RWA_OK;
}

const struct bound_entry bound_lemma1_ring = {
    "lemma1-ring", "wavelengths",
    "a one-stage exchange on a ring needs ceil(N^2/8) wavelengths (over all fibres) as printed; for odd N one fewer "
    "suffices, so it is no lower bound there",
    "OpTree, Lemma 1", compute};
