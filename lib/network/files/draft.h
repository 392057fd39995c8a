/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A network while its file is being read: nodes and links in the order of the file, each checked when it is read. */
#pragma once

#include "base/names.h"
#include "network/network.h"

#define DRAFT_ALL_FIBERS UINT32_MAX
/** The most reserved channels of all links of a file. */
enum { DRAFT_RESERVED_MAX = 1 << 22 };

struct draft_node {
    char *label;            /**< the name that people read; NULL: the id is this name */
    rwa_position at;        /**< NaN: not known */
};

/** Start with {.file = …, .err = …}. */
struct network_draft {
    const char *file;       /**< as messages call it */
    size_t line;            /**< of what is being read; 0: not known, then item names the place */
    char item[64];          /**< "links[3]"; empty: none */
    rwa_error *err;
    bool directed;
    uint32_t slots;         /**< of each fibre on a flexible grid; 0: the file names none */
    uint32_t nodes;
    struct names ids;       /**< of the nodes; empty when they are only counted */
    struct draft_node *list;    /**< the nodes; NULL when they are only counted */
    rwa_link *links;
    size_t link_count;
    rwa_reserved *reserved;
    size_t reserved_count;
    uint32_t *group_links;  /**< of all risk groups, one after the other */
    size_t grouped;
    size_t *group_ends;
    size_t group_count;
};

/** Report a format error as "FILE:LINE: …" or "FILE: ITEM: …", and return RWA_FORMAT. */
#define draft_fail(d, ...) base_fail_at((d)->err, (d)->file, (d)->line, (d)->item, __VA_ARGS__)

/** Add `nodes` nodes without names; call it before any other node is added. */
rwa_status draft_count_nodes(struct network_draft *d, uint64_t nodes);
/** Add a node; if label is NULL, its id is its name. */
rwa_status draft_add_node(struct network_draft *d, const char *id, const char *label);
/** Set the position of the last node added: x to the east and y to the north, in the unit of the file. */
rwa_status draft_position(struct network_draft *d, double x, double y);
/** Set *node to the node with this id; a format error if there is none. */
rwa_status draft_find_node(struct network_draft *d, const char *id, uint32_t *node);
/** Add a link from node `from` to node `to`.  If the draft is not directed, the link stands for a fibre pair.
 *  length_km 0: unknown.  fibers 0: the number in the network options. */
rwa_status draft_add_link(struct network_draft *d, uint64_t from, uint64_t to, double length_km, uint64_t fibers);
/** Reserve wavelengths, such as "0,3,8-15", of the last link added, on one fibre or on all (DRAFT_ALL_FIBERS). */
rwa_status draft_reserve(struct network_draft *d, uint32_t fiber, const char *wavelengths);
/** Begin a risk group; draft_group_link() adds a link to it. */
rwa_status draft_begin_group(struct network_draft *d);
rwa_status draft_group_link(struct network_draft *d, uint64_t link);

/** Set *number to the decimal number that the whole text must be; `what` names it in the error message. */
rwa_status draft_number(struct network_draft *d, const char *text, const char *what, double *number);

/** Build the network in *out; what its file does not say comes from `opts`.  The links must join all nodes, whatever
 *  the directions of the links. */
rwa_status draft_finish(rwa_network **out, struct network_draft *d, const rwa_network_options *opts);
void draft_free(struct network_draft *d);
