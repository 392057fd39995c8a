/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All blocks must leave one node, so many in a step, and the last of them has yet to reach all nodes. */
#include "bound/demand.h"
#include "bound/graph.h"

/** Return the blocks that the channels of all links out of the root carry in a step; 0 on networks without
 *  links (star, ron, switches). */
static uint64_t root_width(const struct bound_case *c)
{
    if (c->arcs)
        return demand_width_out(c, (struct demand_run){c->root, 1});
    return c->graph ? c->graph->out.width[c->graph->member[c->coll->root]] : 0;
}

/** Tell whether the bound applies: to a broadcast, and to an all-reduce without taps, which must bring the vector of
 * each node to all others.  For an all-reduce the network must be a ring or line, or have nodes that are all alike;
 * the node from which a spread takes longest counts as root. */
static bool applies(const struct bound_case *c)
{
    bool all_roots = c->arcs || (c->graph && c->graph->alike);
    return c->coll->kind == RWA_BROADCAST || (c->coll->kind == RWA_ALL_REDUCE && all_roots && !c->taps);
}

/** Compute the bound in steps; 0 if it does not apply.  It consists of the steps until the last block leaves the root,
 * and those until this block has reached all nodes.  On a line only the root's link towards the longer side counts. */
static uint64_t compute(const struct bound_case *c)
{
    uint64_t width = applies(c) ? ports_width(c, bound_on_path(c) ? c->channels : root_width(c)) : 0;
    uint64_t before = width > 0 ? ceil_div(c->coll->blocks, width) - 1 : 0, spread = width > 0 ? spread_steps(c) : 0;
    bound_say(c, "%" PRIu64 " block%s must leave one node, at most %" PRIu64 " in a step, so the last leaves after %"
              PRIu64 " step%s and takes %" PRIu64 " more to reach all", c->coll->blocks, plural(c->coll->blocks), width,
              before, plural(before), spread);
    return before + spread;
}

const struct bound_entry bound_pipeline = {"pipeline", "steps",
                                           "a node sends at most one lightpath per outgoing channel, or port, and "
                                           "step, and the block that leaves it last has yet to reach all nodes",
                                           "docs/reference/bounds.md: counting",
                                           .formula = compute};
