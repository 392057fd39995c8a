/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Arcs of a ring grouped by equality, and the heaviest set of disjoint arcs. */
#pragma once

#include "solvers/solver.h"

/**
 * Positions 0 … links are the nodes, the first one twice.  Kind k covers the links from[k] … to[k] - 1.  Kinds that
 * pass node 0 have to[k] > links and stand behind the others.  Sorted by `to`, then by `from`.
 */
struct arcs {
    uint32_t links;
    size_t paths;
    int kinds;
    int straight;       /* kinds that do not pass the node */
    uint32_t *from;
    uint32_t *to;
    uint32_t *many;     /* arcs of each kind */
    size_t *first;      /* the paths of kind k: member[first[k]] … member[first[k + 1] - 1] */
    uint32_t *member;
    int *ends;          /* straight kinds that end at position x: ends[x] … ends[x + 1] - 1 */
    struct arena arena;
};

/** Group the paths of the run's problem, on a ring, into kinds of equal arcs.  The caller sets *arcs to zeros before,
 *  and calls arcs_free() after, also after a failure (RWA_NOMEM). */
rwa_status arcs_create(struct arcs *arcs, const struct solve *run);
void arcs_free(struct arcs *arcs);

/** Workspace of arcs_pack(): links + 1 entries each. */
struct arc_packing {
    int64_t *best;      /* best[x]: largest weight of disjoint kinds between the window's start and position x */
    int *last;          /* last[x]: the kind that ends there in that set; -1: none */
};

/**
 * Find the heaviest set of disjoint kinds in which kind `over` passes the node of position 0 or, for over = -1, no kind
 * passes it.
 * @param weight    of each kind, all positive
 * @param[out] set  its kinds; `links` entries
 * @param[out] n    how many
 * @return its weight.  O(links + kinds)
 */
int64_t arcs_pack(const struct arcs *arcs, struct arc_packing *work, const int64_t *weight, int over, int *set, int *n);
