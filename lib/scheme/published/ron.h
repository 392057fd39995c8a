/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Broadcast on a reconfigurable optical network: the numbers and node sets of Afsahi and Dimopoulos, "Latency hiding
 * broadcasting algorithm on a reconfigurable optical interconnect".  k ports, reconfiguration delay d, a message takes
 * one unit of time.
 */
#pragma once

#include "scheme/scheme.h"

enum ron_algorithm { RON_B1, RON_B2, RON_B3, RON_HIDING };

/** Return the number of levels of the k-ary tree below the root: ceil(log_k(N (k - 1) + 1)) - 1 for N nodes with k
 * ports.  With one port the tree is a chain. */
uint64_t ron_tree_levels(uint64_t nodes, uint32_t ports);
/** Return the number of steps until all nodes have a message that occupies a link for `units` steps (Section 4.1; 1 in
 * the paper's tables).  For latency hiding (eq. (1)) `units` counts as 1. */
uint64_t ron_steps(enum ron_algorithm algorithm, uint64_t nodes, uint32_t ports, uint32_t delay, uint32_t units);

/**
 * Latency hiding (algorithm B4; k = 1: the single-port one).  Nodes are numbered in the order in which they are
 * informed: R(S) = {N(S-1) … N(S)-1}, R(0) = {0}.  Senders of unit S are, eq. (6), R(S-1), R(S-1-(d+1)), R(S-1-2(d+1))
 * …; the i-th of these nodes, in ascending order, sends to nodes N(S-1) + i k … + k-1 of R(S).
 */
struct ron_sets {
    uint32_t delay;
    uint64_t *informed; /* N(0) … N(steps), each cut off at the nodes there are */
    uint64_t steps;     /* the first S with all nodes informed */
};

/** List in s->informed how many nodes latency hiding has informed after each step.  RWA_NOMEM also if there are too
 * many steps to list (one port, huge delay).  ron_sets_close() in any case. */
rwa_status ron_sets_open(struct ron_sets *s, uint64_t nodes, uint32_t ports, uint32_t delay, rwa_error *err);
void ron_sets_close(struct ron_sets *s);

/** Return the first node that is informed in this step (the set R(step)); nodes are numbered in the order in which they
 * are informed, the root from step 0. */
static inline uint64_t ron_first_receiver(const struct ron_sets *s, uint64_t step)
{
    return step == 0 ? 0 : s->informed[step - 1];
}

/** Return the number of ports of a node; without a limit a node has a port for every other node. */
uint32_t ron_ports(const rwa_network *net);
/** Set the number of blocks of a broadcast: the caller's, one for each message. */
rwa_status ron_estimate(struct estimate *out, const struct plan_request *request, rwa_error *err);
