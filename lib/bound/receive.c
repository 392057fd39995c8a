/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/ports.h"

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    (void)err;
    b->value = ports_steps(c, PORTS_IN);
    return RWA_OK;
}

const struct bound_entry bound_receive = {
    "receive", "steps",
    "a node takes in at most one block per incoming channel, or port, and step, and must receive all the blocks it does not "
    "own; those from beyond the hop limit come later",
    "docs/bounds.md: counting at a node", compute};
