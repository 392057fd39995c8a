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
/** Return link i, from 0, of the design_links() that a file lists.  Set *directed to its number in the network; of a
 *  fibre pair, to that of one of its two directed links. */
rwa_link design_link(uint32_t *directed, const rwa_network *net, uint32_t i);

/** Return the node after k hops of the route with this number in the assignment; k = 0: its source, src.  k must be at
 *  most the number of hops. */
uint32_t design_route_node(const rwa_assignment *result, uint64_t route, uint32_t src, uint32_t k);

/** Return the bit rate, in bit/s, of demand number `demand` of the export, from 0: its own if it has one, else the
 *  device's, or the network's if there is no device.  Without demands in the export, `demand` is ignored. */
double design_rate_bps(const struct export_request *x, size_t demand);

/** Begin a file in SNDlib's native format: a head with the text `origin`, and the sections NODES and LINKS.  Nodes have
 *  names that SNDlib allows, link 7 is called "l7", and capacities are in Gbit/s.  RWA_BADARG: a link has no opposite
 *  link, as SNDlib knows fibre pairs only.  RWA_NOMEM */
rwa_status sndlib_add_head(struct text *t, struct export_request *r, const char *origin);
/** Add a demand for `gbps` Gbit/s to the section DEMANDS of a file in SNDlib's format.  Demand number 7 (id) is called
 *  "d7". */
void sndlib_add_demand(struct text *t, const struct export_request *r, uint64_t id, uint32_t src, uint32_t dst,
                       double gbps);
