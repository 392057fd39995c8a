/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks and assignments in the formats of design tools: what their writers share. */
#pragma once

#include "assignment/assignment.h"
#include "base/json.h"
#include "foreign/foreign.h"

extern const struct export_format assignment_csv, assignment_table, assignment_openconfig, assignment_gnpy,
    assignment_sndlib;

/** Links as a file lists them: fibre pairs where all links come in pairs, else directed links. */
uint32_t design_links(const rwa_network *net);
/** Link i of those: the directed link that stands for it, with its number. */
rwa_link design_link(uint32_t *directed, const rwa_network *net, uint32_t i);

/** The names of the nodes in a file: those of the network if every node has a different one that `allowed` accepts
 * (NULL: any), else "n7". */
struct design_names {
    const rwa_network *net;
    bool own;
};
rwa_status design_names(struct design_names *names, const rwa_network *net, bool (*allowed)(const char *name),
                        rwa_error *err);
/** The name, in the caller's buffer where it is made up. */
const char *design_name(const struct design_names *names, uint32_t node, char buffer[16]);

/** Add a text as a field of CSV, in quotes where it needs them, and after a single quote where a spreadsheet would take
 * it for a formula. Control characters that the form does not know become "?". */
void text_add_csv(struct text *t, const char *text);

/** The node behind k hops of a route that starts at src, 0 <= k <= hops. */
uint32_t design_route_node(const rwa_assignment *result, uint64_t route, uint32_t src, uint32_t k);

/** The rate of a demand: its own, or that of the device, or of the network. */
double design_rate_bps(const struct export_request *x, size_t demand);

/** NODES and LINKS of SNDlib's native format, capacities in Gbit/s; links have the names "l7", by their number in the
 * file. */
void sndlib_add_head(struct text *t, const struct design_names *names, const char *origin);
/** The names of nodes in this format.  RWA_BADARG where links do not come in pairs: it has no directed links. */
rwa_status sndlib_names(struct design_names *names, const rwa_network *net, rwa_error *err);
/** A demand in Gbit/s, by its number. */
void sndlib_add_demand(struct text *t, const struct design_names *names, uint64_t id, uint32_t src, uint32_t dst,
                       double gbps);
