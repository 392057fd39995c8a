/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Neighbouring slots for lightpaths on candidate routes: greedy rules, search, branch and bound. */
#pragma once

#include "solvers/candidates.h"

/** Lightpaths (the candidates' demands), each of which takes `span` neighbouring slots of one fibre on every link of a
 *  route. */
struct spectrum {
    const struct candidates *cand;
    const uint32_t *span;       /* of each route: slots, the guard included; at least 1; NULL: 1 */
    const uint64_t *value;      /* of each lightpath: what serving it counts; NULL: 1 */
};

static inline uint32_t spectrum_span(const struct spectrum *spectrum, size_t route)
{
    return spectrum->span ? spectrum->span[route] : 1;
}

static inline uint64_t spectrum_value_of(const struct spectrum *spectrum, uint32_t lightpath)
{
    return spectrum->value ? spectrum->value[lightpath] : 1;
}

/** ---- occupancy (map.c) ---- */

/** The free slots of every link: bit slot * fibers + fiber. */
struct channel_map {
    const struct spectrum *spectrum;
    const struct candidates *cand;  /* of it */
    uint32_t slots, channels;   /* in use: those below */
    uint32_t most;              /* channels that it was created with */
    uint32_t words;
    uint64_t *free;             /* links * words; channels not in use have bits too */
    uint32_t *begin;            /* of each link: no word before this one has a free bit */
    uint64_t *places;           /* the places of the current segment; words */
    uint64_t *load;             /* of each channel: the links on which it is taken, kept for the rules that need it */
    struct arena arena;
};

/** Create a map of `slots` slots of each fibre, all free except reserved channels.  Free the map also after a
 *  failure. */
rwa_status map_create(struct channel_map *map, const struct spectrum *spectrum, uint32_t slots, rwa_error *err);
void map_free(struct channel_map *map);
/** Make all slots free again except reserved channels, and from now on use only the lowest `slots`. */
void map_clear(struct channel_map *map, uint32_t slots);
/** map_set() marks a channel of a link as free if `open`, else as taken.  map_has() tells whether a channel is free and
 *  below map->channels. */
void map_set(struct channel_map *map, uint32_t link, uint32_t channel, bool open);
bool map_has(const struct channel_map *map, uint32_t link, uint64_t channel);
/** Set the bits in map->places of all channels from which `span` neighbouring slots are free on all links of a segment,
 *  and return their number. */
uint32_t map_places(struct channel_map *map, size_t segment, uint32_t span);
/** Return the lowest channel from which `span` neighbouring slots are free on all links of a segment; UINT32_MAX: none.
 *  May overwrite map->places. */
uint32_t map_lowest(struct channel_map *map, size_t segment, uint32_t span);
/** Mark `span` neighbouring slots, of which `channel` is the lowest, as free if `open`, else as taken, on all links of
 *  a segment. */
void map_set_span(struct channel_map *map, size_t segment, uint32_t channel, uint32_t span, bool open);
/** Double the slots of the map; channels that were free or taken before remain so.  For lightpaths of one slot. */
rwa_status map_grow(struct channel_map *map, rwa_error *err);
/** Return the lowest channel that is free on all these links; UINT32_MAX: none. */
uint32_t map_lowest_on(const struct channel_map *map, const uint32_t *link, size_t hops);
/** Whether a channel is below map->channels and free on all these links. */
bool map_has_all(const struct channel_map *map, const uint32_t *link, size_t hops, uint32_t channel);

/** ---- greed (fit.c) ---- */

/** Which free place a lightpath takes.  Ties go to the first route, then to the lowest channel. */
enum fit_rule {
    FIT_LOWEST = 0,     /* the lowest place on any of its routes */
    FIT_HIGHEST,        /* the highest place among the channels in use */
    FIT_MOST_USED,      /* the place whose channel is in use on most links */
    FIT_LEAST_USED,     /* the place whose channel is in use on fewest links */
    FIT_RANDOM,         /* a random place among the channels in use, on any route */
    FIT_SHORTEST,       /* the first route with a free place, and the lowest place there */
    FIT_SMALLEST_BLOCK, /* the first route with a free place, and there the low end of the smallest block of free
                           slots */
    FIT_FEWEST_BLOCKS   /* the first route with a free place, and there the place that leaves the fewest blocks of
                           free slots */
};

enum fit_order {
    FIT_AS_GIVEN = 0,
    FIT_LONGEST,        /* by span times hops of their first routes, largest first */
    FIT_DEGREE,         /* by how many others their first routes meet, most first (Welsh and Powell 1967) */
    FIT_SATURATION      /* always the lightpath whose first route has lost most channels, then by degree (Brélaz: New
                           methods to color the vertices of a graph, Communications of the ACM 22, 1979) */
};

/** This many lightpaths are placed within the grace period of a late answer, even under a memory checker: the clock
 *  never stops them. */
enum { FIT_ALWAYS_PLACED = 1024 };

/** One pass.  Lightpaths that find no free place are left out. */
struct spectrum_fit {
    enum fit_rule rule;
    enum fit_order order;
    const uint32_t *list;       /* NULL, or the lightpaths in the order in which they are placed */
    uint32_t hop_cost;          /* FIT_LOWEST: a route costs 16 * channel + hop_cost * hops * the channels of a span */
    bool grows;                 /* a lightpath that finds no free place opens the next slot of the map */
    uint64_t *random;           /* FIT_RANDOM */
    struct budget *budget;      /* when it ends, the rest stays without a route; NULL: none */
    bool patient;               /* ask the budget only after FIT_ALWAYS_PLACED lightpaths, and stop only when it
                                   ended some time ago */
};

/** Write all lightpaths to `order`, the largest first: by area (span times hops of the first route), then span, if
 *  by_area; else by span, then hops.  Ties go by number. */
void spectrum_order(uint32_t *order, const struct spectrum *spectrum, bool by_area);
/** Place all lightpaths on an empty map, in the order of fit->list (NULL: by number), by fit->rule, and write the
 *  placement to `at`. */
void spectrum_place(struct placement *at, struct channel_map *map, const struct spectrum_fit *fit);
/**
 * Place the lightpaths in one pass on `slots` slots of a fibre, in fit->order unless fit->list is set.  At first only
 * the lowest `open` slots are used; fit->grows adds others as needed.
 * @return RWA_OK; RWA_BADARG: order by degree or saturation, and too many pairs of routes share links; RWA_NOMEM
 */
rwa_status spectrum_fit_run(struct placement *at, const struct spectrum *spectrum, uint32_t slots, uint32_t open,
                            const struct spectrum_fit *fit, rwa_error *err);
/** Place all lightpaths by greedy passes like that of spectrum_fit_run(), the first on `slots` slots and each further
 *  one on twice as many, until all lightpaths are placed or fit->budget ends. */
rwa_status spectrum_fit_all(struct placement *at, const struct spectrum *spectrum, uint64_t slots, uint32_t open,
                            const struct spectrum_fit *fit, rwa_error *err);
/** Move each lightpath of a placement to the first of its routes with a free channel, on no more slots than the
 *  placement uses: a search may leave it on a longer route.  For lightpaths of one slot.  RWA_NOMEM.  O(segments *
 *  channels) */
rwa_status spectrum_shorten(struct placement *at, const struct spectrum *spectrum, rwa_error *err);
/** spectrum_total() returns the value of all lightpaths, spectrum_value() that of the placed ones (their number if each
 *  counts 1).  spectrum_channels() returns how many channels of a link a placement needs, spectrum_slots() how many
 *  slots of a fibre. */
uint64_t spectrum_total(const struct spectrum *spectrum);
uint64_t spectrum_value(const struct placement *at, const struct spectrum *spectrum);
uint32_t spectrum_channels(const struct placement *at, const struct spectrum *spectrum);
uint32_t spectrum_slots(const struct placement *at, const struct spectrum *spectrum);

/** ---- search ---- */

/** Goal of a search. */
struct spectrum_goal {
    uint32_t slots;             /* of a fibre; 0: the fewest that serve all */
    bool most;                  /* serve as much value as fits `slots`; else serve all */
    uint64_t bound;             /* lower bound on the slots or, with `most`, upper bound on the value */
    uint64_t most_nodes;        /* of branch and bound; 0: until the budget stops it */
    struct budget *budget;
    uint64_t *random;
    rwa_error *err;
};

/** Whether a placement meets the goal.  Without goal->most: it places all lightpaths on no more slots than the bound.
 *  With goal->most: it places all lightpaths, or serves at least as much value as the bound. */
bool spectrum_met(const struct placement *at, const struct spectrum *spectrum, const struct spectrum_goal *goal);

/** passes.c: improve `best` by greedy passes; a lightpath that finds no free slots comes earlier in the next pass.
 *  `best` has all lightpaths, unless goal->slots is given. */
rwa_status spectrum_search(struct placement *best, const struct spectrum *spectrum, const struct spectrum_goal *goal);
/**
 * branch_bound.c: search all placements on the candidate routes.
 * @param[out] proven  true: `best` is optimal
 */
rwa_status spectrum_exact(struct placement *best, bool *proven, const struct spectrum *spectrum,
                          const struct spectrum_goal *goal);
