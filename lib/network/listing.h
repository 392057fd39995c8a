/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads and writes the lists of links and nodes in the header of a schedule or of an assignment, which describe its
 *  network. */
#pragma once

#include "base/json.h"
#include "rwa/network.h"

/** The lists in a network's header while they are read.  Start with {0}. */
struct listing {
    rwa_link *links;
    size_t count;
    const char **names;         /* of the nodes, borrowed from the JSON; NULL: none */
    rwa_position *positions;    /* of the nodes; NULL: none is known */
    rwa_reserved *reserved;
    size_t reserved_count;
    bool channels;              /* "reserved" may also have numbers of channels, which are left out */
};

/**
 * Read the lists of a network in JSON into `l`: "links" and, where they are given, "link_fibers", "lengths_km",
 * "names", "positions" and "reserved".
 * @param[out] opts  gets pointers to the names, the positions and the reserved channels, which stay the listing's
 * @param channels   true: "reserved" may also have single numbers, of channels reserved on all links; they are left out
 * @return RWA_OK; RWA_FORMAT, which names the member; RWA_NOMEM.  Call listing_release() also after a failure
 */
rwa_status listing_take(struct listing *l, rwa_network_options *opts, const json_t *net, uint32_t nodes, bool channels,
                        rwa_error *err);
void listing_release(struct listing *l);

/* ---- writing ---- */

/** Writes entry i of a list.  Returns false if it has the value that a reader assumes when the list is absent. */
typedef bool listing_entry(struct text *t, const rwa_network *net, uint32_t i);
/** Write the ends [from,to] of link i, its number of fibres, or the name of node i (null if it has none). */
listing_entry listing_ends, listing_fibers, listing_name;

/** Append to t the member ,"NAME":[…] with `count` entries.  entry() writes them, entry i for the link or node of
 *  number i * each.  Append nothing if all entries have the value that a reader assumes when the list is absent. */
void listing_add(struct text *t, const char *name, listing_entry *entry, const rwa_network *net, uint32_t count,
                 uint32_t each);
/** Append ,"NAME":[…] with these numbers to t, or nothing if count is 0. */
void listing_numbers(struct text *t, const char *name, const uint32_t *numbers, size_t count);
