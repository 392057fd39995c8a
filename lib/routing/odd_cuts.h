/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A lower bound on wavelengths, undirected, that counts the fibres of odd cuts that must stay dark
 *  (docs/reference/bounds.md). */
#pragma once

#include "routing/flow.h"
#include "rwa/assign.h"

/** The bound and its witness. */
struct odd_cuts {
    uint64_t value;             /* 0: none */
    uint32_t *length;           /* of each link: at least the sum of the weights of the sets that it leaves */
    rwa_odd_set *sets;
    size_t set_count;
    struct arena arena;         /* of all arrays above */
};

/**
 * Find a lower bound on the wavelengths by odd cuts.  The cut of a set of nodes is odd if an odd number of fibres lead
 * out of it.  Each lightpath between nodes on the same side uses an even number of these, so on a wavelength where no
 * lightpath has exactly one end in the set, a fibre stays dark.  Let y be a weight of each set, and l a length of each
 * link (F fibres) that is at least the sum of the weights of the sets that the link leaves.  Then the wavelengths
 * needed are at least ceil((sum of amount * distance - sum of y * traffic with one end in the set) / (sum of F l - sum
 * of y)).  The linear program is that of the flow, with a row for each set found: the load on its n fibres is at most
 * (n - 1) * wavelengths + traffic with one end in it.
 * @param out     starts as zeros; free it also after a failure
 * @param flow    not protected, of flow_solve() with wavelengths = 0.  Its trees start the program, and those that the
 *                program chose replace them: their routes may meet the bound
 * @param enough  stop at this value
 * @param budget  ends the search for better bounds
 * @return RWA_OK; RWA_NOMEM; RWA_BACKEND
 */
rwa_status odd_cuts_solve(struct odd_cuts *out, struct flow *flow, uint64_t enough, struct budget *budget,
                          rwa_error *err);
void odd_cuts_free(struct odd_cuts *cuts);

/**
 * Try to prove one wavelength more than link lengths prove, by the parity of single nodes.  A lightpath takes two
 * channels at a node that it passes and one at each end.  So the lightpaths that end at a node decide whether an even
 * or an odd number of its channels is used; if the number of all its channels has the other parity, one stays dark.
 * O(nodes * links).
 * @param out         starts as zeros; value stays 0 when nothing is proven; free it also after a failure
 * @param length      of each link: they prove that `wavelengths`, at least 1, are needed
 */
rwa_status odd_cuts_at_nodes(struct odd_cuts *out, const struct routing_graph *graph, const struct traffic *traffic,
                             const uint32_t *length, uint64_t wavelengths, rwa_error *err);
