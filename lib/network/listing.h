/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The lists of links and nodes in the header of a schedule or of an assignment, from which its network is made. */
#pragma once

#include "base/json.h"
#include "rwa/network.h"

/** Starts with {0}. */
struct listing {
    rwa_link *links;
    size_t count;
    const char **names;         /* of the nodes, borrowed from the JSON; NULL: none */
    rwa_position *positions;    /* of the nodes; NULL: none is known */
    rwa_reserved *reserved;
    size_t reserved_count;
};

/**
 * Read "links" and, where they are given, "link_fibers", "lengths_km", "names", "positions" and "reserved" of a network
 * in JSON.
 * @param[out] opts  receives the lists of nodes and of reserved channels, borrowed from the listing
 * @param channels   "reserved" may also have numbers of channels, which are left out here
 * @return RWA_OK; RWA_FORMAT, which names the member; RWA_NOMEM.  listing_release() also after a failure
 */
rwa_status listing_take(struct listing *l, rwa_network_options *opts, const json_t *net, uint32_t nodes, bool channels,
                        rwa_error *err);
void listing_release(struct listing *l);

/* ---- writing ---- */

/** Add entry i of a list.  false: it says no more than a list that is absent. */
typedef bool listing_entry(struct text *t, const rwa_network *net, uint32_t i);
/** [from,to] and the fibres of a link; the name of a node, or null. */
listing_entry listing_ends, listing_fibers, listing_name;

/** Add ,"NAME":[…] with the entries of links or nodes 0, each, 2 * each, … of the network, `count` of them; nothing
 * where none of them says more than an absent list. */
void listing_add(struct text *t, const char *name, listing_entry *entry, const rwa_network *net, uint32_t count,
                 uint32_t each);
/** Add ,"NAME":[…] with these numbers; nothing where there are none. */
void listing_numbers(struct text *t, const char *name, const uint32_t *numbers, size_t count);
