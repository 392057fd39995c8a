/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/ports.h"

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    (void)err;
    b->value = c->coll->kind == RWA_ALL_GATHER ? 0 : ports_steps(c, PORTS_OUT);
    return RWA_OK;
}

const struct bound_entry bound_send = {
    "send", "steps",
    "a node sends at most one block per outgoing channel, or port, and step, and must send (its share of) every block that "
    "others are to have; those for nodes beyond the hop limit leave earlier",
    "docs/bounds.md: counting at a node", compute};
