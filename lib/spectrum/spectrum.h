/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Neighbouring slots for lightpaths on candidate routes: greedy rules, search, branch and bound. */
#pragma once

#include "solvers/candidates.h"

/** Lightpaths (the candidates' demands), each of which takes `span` neighbouring slots of one fibre on every link of a route. */
struct spectrum {
    const struct candidates *cand;
    const uint32_t *span;       /* of each route: slots, the guard included; at least 1 */
    const uint64_t *value;      /* of each lightpath: what serving it counts; NULL: 1 */
};

/** ---- occupancy (map.c) ---- */

/** The free slots of every link: bit slot * fibers + fiber. */
struct map {
    const struct spectrum *spectrum;
    uint32_t slots, channels, words;
    uint64_t *free;             /* links * words */
    uint64_t *places;           /* of a segment; words */
    struct arena arena;
};

/** All slots are free but those taken.  Free it also after a failure. */
rwa_status map_create(struct map *map, const struct spectrum *spectrum, uint32_t slots, rwa_error *err);
void map_free(struct map *map);
/** Free all slots again, and use only the lowest so many of those it was created with. */
void map_clear(struct map *map, uint32_t slots);
/** Fill map->places with the channels from which on `span` slots are free all along a segment; how many there are. */
uint32_t map_places(struct map *map, size_t segment, uint32_t span);
/** The lowest of those channels, word by word; UINT32_MAX: none. */
uint32_t map_lowest(struct map *map, size_t segment, uint32_t span);
/** Take, or give back, the slots of a segment from a channel on. */
void map_take(struct map *map, size_t segment, uint32_t channel, uint32_t span);
void map_give(struct map *map, size_t segment, uint32_t channel, uint32_t span);

/** ---- greed (rules.c) ---- */

/** The place of a segment.  Lowest and highest; the low end of the smallest free block; any; the one that leaves the fewest blocks. */
enum spectrum_rule { SPECTRUM_LOWEST, SPECTRUM_HIGHEST, SPECTRUM_EXACT, SPECTRUM_RANDOM, SPECTRUM_LEAST_FRAGMENTATION };

struct spectrum_fit {
    enum spectrum_rule rule;
    bool best_route;            /* of all routes that of least 16 * (slot above the end) + hop_cost * span * hops; else the first that
                                   fits */
    uint32_t hop_cost;
    const uint32_t *order;      /* of the lightpaths */
    uint64_t *random;           /* SPECTRUM_RANDOM */
    struct budget *budget;      /* when it ends, the rest stays without a route; NULL: none */
};

/** Lightpaths by falling (span times hops of the first route), or by falling span, then hops; ties by number. */
void spectrum_order(uint32_t *order, const struct spectrum *spectrum, bool by_area);
/** Place the lightpaths in order on an empty map, as many as have room; fills `at`. */
void spectrum_place(struct placement *at, struct map *map, const struct spectrum_fit *fit);
/** Value of the lightpaths placed, and the slots of a fibre that they need. */
uint64_t spectrum_value(const struct placement *at, const struct spectrum *spectrum);
uint32_t spectrum_slots(const struct placement *at, const struct spectrum *spectrum);

/** ---- search ---- */

/** Goal of a search. */
struct spectrum_goal {
    uint32_t slots;             /* of a fibre; 0: the fewest that serve all */
    bool most;                  /* serve as much value as fits `slots`; else serve all */
    uint64_t bound;             /* no fewer slots, or (most) no more value */
    struct budget *budget;
    uint64_t *random;
    rwa_error *err;
};

/** search.c: passes of greed, in which lightpaths without free slots move to the front; `best` is improved, at first it may be empty. */
rwa_status spectrum_search(struct placement *best, const struct spectrum *spectrum, const struct spectrum_goal *goal);
/**
 * exact.c: go through all placements on the candidate routes.
 * @param[out] proven  true: `best` is the best there is
 */
rwa_status spectrum_exact(struct placement *best, bool *proven, const struct spectrum *spectrum, const struct spectrum_goal *goal);
