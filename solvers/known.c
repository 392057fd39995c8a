/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A colouring given with the problem. */
#include "solvers/solver.h"

/* Whether the n arcs in `order`, sorted by start, are disjoint: each ends before the next one starts, and the last
 * before the first starts again. */
static bool arcs_disjoint(const rwa_problem *p, const uint32_t *order, size_t n)
{
    assert(p->start);
    for (size_t i = 0; i < n; i++) {
        uint64_t next = i + 1 < n ? p->start[order[i + 1]] : (uint64_t)p->links + p->start[order[0]];
        if ((uint64_t)p->start[order[i]] + path_length(p, order[i]) > next)
            return false;
    }
    return true;
}

static bool lists_disjoint(const rwa_problem *p, const uint32_t *order, size_t n, uint32_t *seen, uint32_t stamp)
{
    for (size_t i = 0; i < n; i++)
        for (uint64_t k = p->first[order[i]]; k < p->first[order[i] + 1]; k++) {
            if (seen[p->link[k]] == stamp)
                return false;
            seen[p->link[k]] = stamp;
        }
    return true;
}

/* Whether p->known is a colouring without conflicts; if so, write it to `colour`, renumbered as 0 … *used - 1.  `order`
 * lists the paths by colour, and arcs of one colour by start.  seen: workspace, an entry for each link. */
static bool verify_groups(const rwa_problem *p, const uint32_t *order, uint32_t *seen, uint32_t *colour, uint32_t *used)
{
    for (size_t from = 0, to = 0; from < p->paths; from = to) {
        while (to < p->paths && p->known[order[to]] == p->known[order[from]])
            colour[order[to++]] = *used;
        ++*used;
        if (p->first ? !lists_disjoint(p, order + from, to - from, seen, *used)
                     : !arcs_disjoint(p, order + from, to - from))
            return false;
    }
    return true;
}

rwa_status known_try(struct solve *run)
{
    const rwa_problem *p = run->problem;
    rwa_status st = RWA_OK;
    uint32_t used = 0;
    uint32_t *order = NULL;
    uint32_t *colour = NULL;
    uint32_t *seen = NULL;
    if (!p->known)
        return RWA_OK;
    for (size_t i = 0; i < p->paths; i++)
        if (p->known[i] >= p->paths) /* no constructed colouring has such a number, and the sort needs the limit */
            return RWA_OK;
    TRY(base_new(order, p->paths, run->err));
    TRY(base_new(colour, p->paths, run->err));
    TRY(base_new(seen, p->links, run->err));
    for (size_t i = 0; i < p->paths; i++)
        order[i] = (uint32_t)i;
    if (p->start)
        TRY(sort_by(order, p->paths, p->start, p->links, run->err));
    TRY(sort_by(order, p->paths, p->known, (uint32_t)p->paths, run->err));
    if (verify_groups(p, order, seen, colour, &used))
        solve_keep(run, colour, used, "exact");
done:
    free_all(seen, colour, order);
    return st;
}
