/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of an assignment, for the modules that build and check it. */
#pragma once

#include "base/arena.h"
#include "base/names.h"
#include "rwa/state.h"

/** One route; 32 bytes, since an all-to-all on a ring of 1024 nodes has a million.  Its lists stand in `numbers`. */
struct assignment_route {
    uint32_t demand, copy;
    uint32_t fiber, wavelength;
    uint32_t hops;
    unsigned role : 2;
    unsigned lost : 2;  /**< of a working route: the role of the backup that it has lost, RWA_WORKING: of none */
    unsigned direction : 1, has_links : 1, has_fibers : 1, has_wavelengths : 1, down : 1;
    uint64_t first;     /**< index in `numbers` of its links, then fibres, then wavelengths; without a route: index
                             in `text` */
};

/** The slots of a route, beginning at its wavelength. */
struct extent {
    uint32_t width, guard;
};

/** What has failed in a state: an rwa_failure and its number, of a link as in rwa_network_link(). */
struct assignment_failure {
    uint32_t kind, number;
};

/** The names of rwa_failure in files and messages; NULL at the end. */
extern const char *const assignment_failures_of[];
/** The names of rwa_role in files; NULL at the end. */
extern const char *const assignment_roles[];

/** Names of modulation formats, and the format of each route. */
struct format_names {
    struct names names;
    uint16_t *of;       /**< of each route below of_count: 0 for none, or the number of its name plus 1 */
    size_t of_count;
};

struct rwa_assignment {
    rwa_network *net;
    rwa_demands *demands;
    rwa_model model;
    struct assignment_route *routes;
    size_t count;
    struct extent *extents;         /**< of each route; NULL: all have width 1 and no guard */
    struct format_names formats;
    uint32_t *numbers;
    size_t number_count;
    char *text;
    size_t text_count;
    uint64_t *ids;                  /**< of each demand: the number of its lightpath in a state, 0: it has none;
                                         NULL: no demand has one */
    uint64_t next_id;               /**< the next number of the state; 0: the assignment comes from no state */
    const char **tags;              /**< of each demand: the tag of its lightpath, NULL: none; NULL: no demand has
                                         one */
    bool protection;                /**< every lightpath has a backup */
    struct assignment_failure *failures;    /**< what made links of `net` fail; empty: only they failed */
    size_t failure_count;
    uint32_t *converters;           /**< the nodes where a lightpath may change fibre and wavelength */
    size_t converter_count;
    rwa_remedy *remedies;
    size_t remedy_count;
    struct arena arena;             /**< of ids, tags, converters, remedies, names of formats and the arrays of the
                                         certificate */
    rwa_assignment_report summary;
    rwa_check_report check;         /**< summary.check points here */
};

/** Set a list of an assignment, and the number of its entries, to a copy of an array: assignment_keep(result, remedies,
 *  remedy_count, list, count, err).  RWA_NOMEM */
#define assignment_keep(result, list, number, from, count, error)                                        \
    ((result)->arena.err = (error), (result)->number = (count),                                          \
     arena_copy(&(result)->arena, (result)->list, (from), (count)), arena_status(&(result)->arena))
/** In debug builds, abort unless routes are in order, inside their arrays, and counted in the summary.  O(routes). */
#ifndef NDEBUG
void assignment_check(const struct rwa_assignment *result);
#else
#define assignment_check(result) ((void)(result))
#endif
static inline rwa_route result_route(const struct rwa_assignment *result, uint64_t i)
{
    rwa_route route;
    rwa_assignment_get(&route, result, i);
    return route;
}

/** Return the fibre of a route on its hop k, from 0. */
static inline uint32_t route_fiber(const rwa_route *route, uint32_t k)
{
    return route->fibers ? route->fibers[k] : route->fiber;
}
/** Return the wavelength of a route on its hop k, from 0; on a flexible grid the lowest of its slots. */
static inline uint32_t route_channel(const rwa_route *route, uint32_t k)
{
    return route->wavelengths ? route->wavelengths[k] : route->wavelength;
}

/** Store a copy of `ids` in the result.  ids[i] is the number of the lightpath of demand i in a state; 0: it has none.
 *  `next` is the number that the state will give to the lightpath set up next.  RWA_NOMEM. */
rwa_status assignment_number(struct rwa_assignment *result, const uint64_t *ids, uint64_t next, rwa_error *err);
/** Tell whether a text can be the tag of a lightpath: 1 to RWA_TAG_MAX bytes of UTF-8 without control characters. */
bool assignment_is_tag(const char *text);
/** Tag the lightpath of a demand with a copy of the text.  RWA_NOMEM. */
rwa_status assignment_tag(struct rwa_assignment *result, size_t demand, const char *tag, rwa_error *err);
/** Return the width and guard of route i in slots.  assignment_is_wide() tells whether routes or demands may have more
 *  than 1 slot, or a guard. */
struct extent assignment_extent(const struct rwa_assignment *result, uint64_t i);
bool assignment_is_wide(const struct rwa_assignment *result);
/** Store a bound and its witness (a certificate) in the result, with copies of its arrays.  RWA_NOMEM. */
rwa_status assignment_certify(struct rwa_assignment *result, const rwa_certificate *certificate, rwa_error *err);
/** Store in the result copies of the sets of nodes that are the witness of a bound by odd cuts.  RWA_NOMEM. */
rwa_status assignment_odd_sets(struct rwa_assignment *result, const rwa_odd_set *sets, size_t count, rwa_error *err);
