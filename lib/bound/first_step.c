/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A broadcast on a ring or line: in the first step only the root can send, on the few channels of its links.
 * docs/reference/bounds.md, "Time". */
#include "bound/demand.h"

/** Return the longest distance, in links, between two holders of a byte such that all nodes between them can be
 * informed in `steps` steps. */
static uint64_t fillable_gap(const struct bound_case *c, uint64_t steps)
{
    uint64_t gap = 1;
    for (; steps > 0 && gap < c->nodes; steps--) {
        uint64_t reach = times_saturated(times_saturated(c->lightpaths, c->drops), gap);
        gap = plus_saturated(gap, 2 * (reach < c->max_hops ? reach : c->max_hops));
    }
    return gap;
}

/** Return the least total length, in links, of lightpaths that inform all nodes of a ring from `holders` nodes that are
 *  spaced as evenly as possible. */
static double length_between(const struct spheres *s, uint64_t nodes, uint64_t holders)
{
    uint64_t gap = nodes / holders, longer = nodes % holders;
    assert(holders >= 1 && holders <= nodes);
    return (double)longer * (double)spheres_cost(*s, gap + 1) +
           (double)(holders - longer) * (double)spheres_cost(*s, gap);
}

double first_step_share(const struct bound_case *c, uint64_t steps, char *terms)
{
    double root = (double)demand_width_out(c, (struct demand_run){c->root, 1}),
           all = (double)(bound_links(c) * c->channels);
    double least = INFINITY, best_length = 0;
    uint64_t best_sent = 0;
    if (steps < 2)
        return 0;
    uint64_t longest = fillable_gap(c, steps - 1);
    struct spheres s = spheres_of(steps - 1, c->drops);
    for (uint64_t sent = 0; sent < c->nodes; sent++) {
        uint64_t holders = plus_saturated(1, times_saturated(sent, c->drops));
        LOWER(holders, c->nodes);
        if (ceil_div(c->nodes, holders) > longest)
            continue;
        double length = length_between(&s, c->nodes, holders), share = (double)sent / root + length / all;
        if (share >= least) /* the time is convex in what the first step sends */
            break;
        least = share;
        best_sent = sent;
        best_length = length;
    }
    text_append(terms, " (one node can send it in step 1): %" PRIu64 " / %.0f + %.6g / %.0f", best_sent, root,
                best_length, all);
    return isfinite(least) ? least : 0;
}
