/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A lower bound on wavelengths, undirected, that counts the fibres of odd cuts that stay dark
 *  (docs/reference/bounds.md). */
#pragma once

#include "routing/flow.h"
#include "rwa/assign.h"

/** The bound and its witness. */
struct odd_cuts {
    uint64_t value;             /* 0: none */
    uint32_t *length;           /* of each link, at least the weights of all sets that it leaves, added up */
    rwa_odd_set *sets;
    size_t set_count;
    struct arena arena;         /* of all arrays above */
};

/**
 * On every wavelength without a lightpath that has one end in a set of nodes, some fibre of an odd cut stays dark,
 * because each lightpath takes an even number of them.  So with lengths l of links with F fibres, and weights y of
 * sets,
 *   ceil((sum of amount * distance - sum of y * traffic with one end in the set) / (sum of F l - sum of y))
 * wavelengths are needed.  The linear program of the flow, with a row for each set whose fibres it uses too well.
 * @param out     starts as zeros; free it also after a failure
 * @param flow    not protected, solved for wavelengths = 0: the program begins with its trees, and leaves those that it
 *                chose in the end, whose routes may meet the bound
 * @param enough  stop at this value
 * @param budget  ends the search for better bounds
 * @return RWA_OK; RWA_NOMEM; RWA_BACKEND
 */
rwa_status odd_cuts_solve(struct odd_cuts *out, struct flow *flow, uint64_t enough, struct budget *budget,
                          rwa_error *err);
void odd_cuts_free(struct odd_cuts *cuts);

/**
 * Whether the metric's lengths and the parity of single nodes prove one wavelength more: the lightpaths take an even
 * number of the channels at a node, or an odd number, and where the number of all is of the other kind one stays dark.
 * O(nodes * links).
 * @param out         starts as zeros; value stays 0 when nothing is proven; free it also after a failure
 * @param length      of each link: they prove that `wavelengths`, at least 1, are needed
 */
rwa_status odd_cuts_at_nodes(struct odd_cuts *out, const struct routing_graph *graph, const struct traffic *traffic,
                             const uint32_t *length, uint64_t wavelengths, rwa_error *err);
