/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of a network, for the rooms of the library. */
#ifndef NETWORK_NETWORK_H
#define NETWORK_NETWORK_H

#include "rwa/network.h"

#include <stdbool.h>

/** Ascending, nothing twice. */
struct faults {
    uint32_t *channels;
    size_t channel_count;
    uint32_t *links;        /**< directed */
    size_t link_count;
    uint32_t links_from;
};

struct rwa_network {
    rwa_network_kind kind;
    uint32_t nodes;
    uint32_t fibers;
    uint32_t wavelengths;
    double rate_bps;
    uint32_t ports;
    uint32_t tuning;
    uint32_t shape[RWA_SHAPE_MAX];
    size_t shape_count;
    /* Kinds that list their links; nothing of it for the others. */
    bool paired;
    uint32_t link_count;
    rwa_link *links;
    uint32_t *first;        /**< nodes + 1: the links that leave node v are out[first[v]] … out[first[v + 1] - 1], */
    uint32_t *out;          /**< sorted by where they lead, then by number */
    char **names;           /**< NULL, or nodes of them; each may be NULL */
    struct faults *faults;  /**< NULL: none */
    rwa_reserved *reserved; /**< of directed links, ascending, none twice */
    size_t reserved_count;
    uint32_t *group_links;  /**< of risk group g: group_links[group_first[g]] … group_links[group_first[g + 1] - 1], ascending */
    size_t *group_first;    /**< group_count + 1 of them; NULL: no groups */
    size_t group_count;
};

/** A copy; NULL when memory is out. */
struct rwa_network *network_copy(const struct rwa_network *net, rwa_error *err);

/** Ring and line: a direction says the route. */
bool network_has_arcs(const struct rwa_network *net);
/** Star, ron and ocs: every ordered pair of nodes is one hop.  What is neither lists its links. */
bool network_is_full(const struct rwa_network *net);

/** Fibres of the link that has most. */
uint32_t network_most_fibers(const struct rwa_network *net);

/** RWA_BADARG, said in words, unless the network is a ring or a line.  what: "the planner", "this bound". */
rwa_status network_needs_arcs(const struct rwa_network *net, const char *what, rwa_error *err);

/**
 * The same network with its links listed in pairs, whatever its kind: ring and line become links 2i (clockwise) and
 * 2i + 1 (counter-clockwise) of a graph; kinds that list links are copied; star, ron and ocs are RWA_BADARG, they have
 * no links to route over.
 */
rwa_status network_list_links(struct rwa_network **out, const struct rwa_network *net, rwa_error *err);

/** Inside the room. */

/** Nodes of a shape, and RWA_BADARG when the kind allows no such shape. */
rwa_status shape_nodes(uint32_t *nodes, rwa_network_kind kind, const uint32_t *shape, size_t count, rwa_error *err);
/** The fibre pairs of a shape: counted when pairs is NULL, else written too. */
uint64_t shape_pairs(rwa_link *pairs, rwa_network_kind kind, const uint32_t *shape, size_t count);
/** Give a network its links (pairs of them with both_ways), checked, and the table that finds them. */
rwa_status graph_take_links(struct rwa_network *net, const rwa_link *links, size_t count, bool both_ways, rwa_error *err);
rwa_status graph_take_reserved(struct rwa_network *net, const rwa_reserved *reserved, size_t count, rwa_error *err);
rwa_status graph_take_groups(struct rwa_network *net, const rwa_risk_group *groups, size_t count, rwa_error *err);
rwa_status limits_copy(struct rwa_network *copy, const struct rwa_network *net, rwa_error *err);
void limits_release(struct rwa_network *net);
rwa_status graph_take_names(struct rwa_network *net, const char *const *names, rwa_error *err);
rwa_status graph_copy(struct rwa_network *copy, const struct rwa_network *net, rwa_error *err);
void graph_release(struct rwa_network *net);
uint32_t graph_find_link(const struct rwa_network *net, uint32_t from, uint32_t to);
/** Replace the faults; on failure they are as they were. */
rwa_status faults_set(struct rwa_network *net, const rwa_faults *faults, rwa_error *err);
rwa_status faults_copy(struct rwa_network *copy, const struct rwa_network *net, rwa_error *err);
/** The faults of a ring or line for the same network with its links listed in pairs. */
rwa_status faults_list(struct rwa_network *listed, const struct rwa_network *arcs, rwa_error *err);
void faults_free(struct rwa_network *net);

#endif
