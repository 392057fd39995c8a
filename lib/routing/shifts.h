/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks that look the same from every node: nodes add up like the elements of an Abelian group. */
#ifndef ROUTING_SHIFTS_H
#define ROUTING_SHIFTS_H

#include "network/translations.h"
#include "routing/graph.h"

/** A set of nodes that is closed under adding. */
struct subgroup {
    uint32_t order;
    uint32_t *member;   /* ascending; 0 comes first */
    uint32_t *coset;    /* of each node: its coset, numbered from 0 by the lowest node in it */
    uint32_t index;     /* cosets */
};

struct subgroups {
    struct subgroup *list;
    size_t count, capacity;
};

/** Subgroups of index at most `index`, larger ones first, but no more than `most` of them; what they are cut out by are
 *  the kernels of the group's characters.  `out` starts as zeros; free it also after a failure. */
rwa_status subgroups_find(struct subgroups *out, const struct translations *shifts, uint32_t index, size_t most, rwa_error *err);
void subgroups_free(struct subgroups *subgroups);
/** Whether inner is part of outer. */
bool subgroup_holds(const struct subgroup *outer, const struct subgroup *inner);

/** The directed link that another becomes. */
uint32_t shifts_arc(const struct translations *shifts, const struct routing_graph *graph, uint32_t arc, uint32_t by);
/** Number the links of the model by the orbits they fall into; *lanes: how many.  lane has graph->links entries. */
void shifts_lanes(const struct translations *shifts, const struct routing_graph *graph, const struct subgroup *by, uint32_t *lane,
                  uint32_t *lanes);

#endif
