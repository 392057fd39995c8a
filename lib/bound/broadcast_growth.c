/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How many blocks all nodes of a ring or line can have received after each step, if at first only the root can send
 * (bound `ramp`). */
#include "bound/case.h"

/** Tell whether the bound applies: the network is a ring or line, and the collective is a broadcast, or an all-reduce
 * without taps.  Such an all-reduce must bring the vector of each node to all others, as a broadcast does. */
static bool applies(const struct bound_case *c)
{
    return c->arcs && (c->coll->kind == RWA_BROADCAST || (c->coll->kind == RWA_ALL_REDUCE && !c->taps));
}

/** Compute the bound in steps; 0 if it does not apply.  On a line, count only the nodes on the longer side of the root,
 * and only the links that can bring them blocks.  In an all-reduce on a line, the root is an end of the line. */
static uint64_t compute(const struct bound_case *c)
{
    uint64_t longer = c->coll->kind == RWA_ALL_REDUCE ? c->nodes - 1 : bound_max(c->root, c->nodes - 1 - c->root);
    bool ring = bound_on_cycle(c);
    char list[RWA_ERROR_TEXT] = "";
    uint64_t receivers = ring ? c->nodes - 1 : longer, links = ring ? 2 * (uint64_t)c->nodes : 2 * longer - 1;
    uint64_t demand = times_saturated(c->coll->blocks, receivers), received = 0, steps = 0, sending = 0;
    if (!applies(c))
        return 0;
    for (; received < demand && sending < links; steps++) {
        sending = times_saturated(c->drops, plus_saturated(ring ? 2 : 1, times_saturated(2, received)));
        LOWER(sending, links);
        received += sending * c->channels;
        bound_list(list, (double)received);
    }
    bound_say(c, "%sall nodes together must receive %" PRIu64 " block%s of data of one node, which alone can send them "
              "in step 1; they can have received %s after 1, 2, ... steps",
              c->reversed ? "backwards in time, " : "", demand, plural(demand), list);
    if (received < demand)
        text_append(c->proof, ", then %" PRIu64 " more in each", links * c->channels);
    if (received < demand)
        steps += ceil_div(demand - received, links * c->channels);
    return steps;
}

const struct bound_entry bound_broadcast_growth = {
    "ramp", "steps",
    "only nodes that have received something can help the root, each over its own links; all nodes must receive all "
    "blocks",
    "docs/reference/bounds.md: counting", .formula = compute};
