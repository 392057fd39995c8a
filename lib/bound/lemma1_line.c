/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/bound.h"

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    (void)err;
    if (c->kind == RWA_LINE && bound_is_exchange(c))
        b->value = bound_quarter_square(c->nodes);
    return RWA_OK;
}

const struct bound_entry bound_lemma1_line = {
    "lemma1-line", "wavelengths",
    "a one-stage exchange on a line needs at least floor(N^2/4) wavelengths (over all fibres), the lightpaths over its "
    "middle link",
    "OpTree, Lemma 1", compute};
