/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks and assignments in the formats of design tools: what their writers share. */
#pragma once

#include "assignment/assignment.h"
#include "base/json.h"
#include "foreign/foreign.h"

extern const struct export_format assignment_csv, assignment_table, assignment_openconfig, assignment_gnpy,
    assignment_sndlib;

/** Return the number of links that a file lists: fibre pairs if all links of the network come in pairs, else directed
 *  links. */
uint32_t design_links(const rwa_network *net);
/** Return link i of those that a file lists; *directed gets the number of this directed link or, for a fibre pair, of
 *  one of its two links. */
rwa_link design_link(uint32_t *directed, const rwa_network *net, uint32_t i);

/** Return the node that route number `route`, which starts at src, reaches after k hops, 0 <= k <= its hops. */
uint32_t design_route_node(const rwa_assignment *result, uint64_t route, uint32_t src, uint32_t k);

/** Return the bit rate of a demand, or of a lightpath where there are no demands: its own if it has one, else that of
 *  the device, else that of the network. */
double design_rate_bps(const struct export_request *x, size_t demand);

/** Add the head of a file in SNDlib's native format, with names of nodes that it allows, and its sections NODES and
 *  LINKS with capacities in Gbit/s.  Links are named by their number in the file: "l7".  RWA_BADARG: the links do not
 *  come in pairs, and SNDlib has no directed links. */
rwa_status sndlib_add_head(struct text *t, struct export_request *r, const char *origin);
/** Add demand number `id`, of `gbps` Gbit/s. */
void sndlib_add_demand(struct text *t, const struct export_request *r, uint64_t id, uint32_t src, uint32_t dst,
                       double gbps);
