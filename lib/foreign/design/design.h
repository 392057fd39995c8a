/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks and assignments in the formats of design tools: what their writers share. */
#pragma once

#include "rwa/foreign.h"

#include "assignment/assignment.h"
#include "base/base.h"
#include "base/json.h"
#include "base/sink.h"

/** A file that is written in pieces: add to `text`, then design_flush() now and then. */
struct design_file {
    struct sink sink;
    struct text text;
};

/** The target of an export. */
struct design_target {
    const char *path;
    rwa_write write;            /* takes the bytes in place of the file; NULL: the file */
    void *write_data;
};

rwa_status design_open(struct design_file *f, const struct design_target *to, rwa_error *err);
/** Write a whole text. */
rwa_status design_save(const struct design_target *to, const struct text *t, rwa_error *err);
/** Write the text once it is long. */
rwa_status design_flush(struct design_file *f);
/** Write the rest and give the file its name. */
rwa_status design_finish(struct design_file *f);
/** Also after a failure. */
void design_drop(struct design_file *f);

struct network_format {
    const char *name, *summary;
    rwa_status (*write)(const rwa_network *net, const struct design_target *to, rwa_error *err);
};

extern const struct network_format network_graphml, network_json, network_sndlib, network_gnpy;

struct assignment_export {
    const rwa_assign_result *result;
    const rwa_network *net;
    const rwa_demands *demands;
    struct design_target to;
    const rwa_device *device;   /* NULL: the writer's own grid */
    bool undirected;
    rwa_error *err;
};

struct assignment_format {
    const char *name, *summary;
    rwa_status (*write)(const struct assignment_export *x);
};

extern const struct assignment_format assignment_csv, assignment_table, assignment_openconfig, assignment_gnpy, assignment_sndlib;

/** Links as a file lists them: fibre pairs where all links come in pairs, else directed links. */
uint32_t design_links(const rwa_network *net);
/** Link i of those: the directed link that stands for it, with its number. */
rwa_link design_link(uint32_t *directed, const rwa_network *net, uint32_t i);
/** RWA_BADARG for networks whose nodes share one coupler or switches: `format` lists links between nodes. */
rwa_status design_needs_links(const rwa_network *net, const char *format, rwa_error *err);

/** How a file calls a node: its name where all nodes have one of their own that `allowed` accepts (NULL: any), else "n7". */
struct design_names {
    const rwa_network *net;
    bool own;
};
rwa_status design_names(struct design_names *names, const rwa_network *net, bool (*allowed)(const char *name), rwa_error *err);
/** The name, in the caller's buffer where it is made up. */
const char *design_name(const struct design_names *names, uint32_t node, char buffer[16]);

/** Write the text that `add` makes of a network whose names are `allowed`. */
rwa_status design_save_network(const rwa_network *net, const struct design_target *to,
                               void (*add)(struct text *t, const struct design_names *names), bool (*allowed)(const char *name),
                               rwa_error *err);

/** Add a text as a field of CSV, in quotes where it needs them, and after a single quote where a spreadsheet would take it for a formula.
 *  Control characters that the form does not know become "?". */
void text_add_csv(struct text *t, const char *text);

/** The node behind k hops of a route that starts at src, 0 <= k <= hops. */
uint32_t design_route_node(const rwa_assign_result *result, uint64_t route, uint32_t src, uint32_t k);

/** NODES and LINKS of SNDlib's native format, capacities in Gbit/s; links have the names "l7", by their number in the file. */
void sndlib_add_head(struct text *t, const struct design_names *names, const char *origin);
bool sndlib_allows(const char *name);
/** RWA_BADARG where links do not come in pairs: SNDlib has no directed links. */
rwa_status sndlib_needs_pairs(const rwa_network *net, rwa_error *err);
