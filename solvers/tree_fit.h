/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Channels for very many lightpaths (units), whose routes are paths of trees. */
#pragma once

#include "routing/source_trees.h"
#include "solvers/spectrum.h"

/**
 * A unit is one lightpath.  Pair i of the traffic has amount[i] units, numbered in the order of the pairs.  Channels
 * are those of a link; all links have the same ones.  A unit takes one byte for its route, and no list of links is
 * kept: whenever a route is needed, its tree is followed.
 */
struct tree_fit {
    const struct source_trees *routes;
    uint32_t units;
    size_t *unit_first;     /* of pair i: units unit_first[i] … unit_first[i + 1] - 1 */
    uint32_t *pair;         /* of each unit */
    uint8_t *route;         /* of each unit: the number of a route of its pair; TREE_FIT_OWN: a path of its own */
    uint32_t *channel;      /* of each unit; TREE_FIT_NONE: none */
    uint32_t channels;      /* in use: 0 … channels - 1; 0: no units have channels yet */

    size_t *own_first;      /* NULL, or of each unit with a path of its own: index in `own` of its hops, which its
                               arcs follow */
    uint32_t *own;
    size_t own_count;
    struct {                /* what tree_fit_save() kept */
        uint8_t *route;
        uint32_t *channel, channels;
        size_t *own_first;  /* NULL until tree_fit_refine() begins */
    } saved;
    uint32_t enough;        /* a channel below this one is low enough for any unit */
    struct candidates cand; /* only its links are used */
    struct spectrum spectrum;
    struct channel_map map;         /* has the channels that there is memory for */
    uint32_t *order;        /* of the units */
    uint32_t *link;         /* scratch: the links of a route */
    double *price;          /* scratch: of each link */
    uint64_t *load;         /* scratch: of each link */
    struct arena arena;
    rwa_error *err;
};

#define TREE_FIT_NONE UINT32_MAX
#define TREE_FIT_OWN UINT8_MAX

/** Number the lightpaths of the traffic of `routes`, none of which has a channel yet.  *fit starts as zeros and must
 *  not move in memory; free it also after a failure.  `routes` is borrowed. */
rwa_status tree_fit_open(struct tree_fit *fit, const struct source_trees *routes, rwa_error *err);
void tree_fit_free(struct tree_fit *fit);

/**
 * Choose one route for each lightpath so that the most loaded link has little load.  Each takes the cheapest route,
 * under link prices that grow exponentially with the load; further passes follow as long as they help.
 * @return RWA_OK; RWA_CANCELLED when the caller cancelled.  O(passes * hops of all routes)
 */
rwa_status tree_fit_balance(struct tree_fit *fit, struct budget *budget);

/** How tree_fit_first() starts; all borrowed. */
struct tree_fit_start {
    const uint8_t *route;       /* of each unit that has a channel in `channel`: its route */
    const uint32_t *channel;    /* of each unit: its channel, free of conflicts with all others; TREE_FIT_NONE: find
                                   one */
    const uint32_t *key;        /* of each unit, below `keys`: units with low keys come first */
    uint32_t keys;
};

/** Place each lightpath on the lowest channel that is free on any of its routes, in the order of `start` or, if that is
 *  NULL, longest routes first.  RWA_CANCELLED: the caller cancelled or, if an older answer remains (has_answer), the
 *  time is over; RWA_NOMEM. */
rwa_status tree_fit_first(struct tree_fit *fit, const struct tree_fit_start *start, bool has_answer,
                          struct budget *budget);

/**
 * Place all lightpaths again, those of one channel after those of another, each on the lowest channel that is free on
 * any of its routes.  This never takes more channels than before (Culberson: Iterated greedy graph coloring and the
 * difficulty landscape, 1992).  RWA_CANCELLED, also when the time is over: routes and channels are as before.
 * @param random  state of the random numbers
 */
rwa_status tree_fit_again(struct tree_fit *fit, uint64_t *random, struct budget *budget);

/**
 * Reduce the channels in use (tree_refine.c), in attempts that each clear the emptiest channels.  The lightpaths of
 * these channels move to any free path on another channel or, if there is none, push out a few others, which then move
 * in the same way.  Lightpaths left over at the end of an attempt get channels above the others.  An attempt that saves
 * no channel is undone.  Do nothing on networks that are too large for it.  The budget ends the search.
 * @param target  stop at this number of channels
 * @param moves   an attempt ends after this many moves in a row without a new least number of lightpaths left over
 * @param random  state of the random numbers
 * @return RWA_OK; RWA_NOMEM
 */
rwa_status tree_fit_refine(struct tree_fit *fit, uint32_t target, uint64_t moves, uint64_t *random,
                           struct budget *budget);

/** For tree_fit.c and tree_refine.c: write the links of a lightpath's route to fit->link, and return the hops.
 *  tree_fit_route_links() takes route number `route` of its pair of nodes instead, from destination to source.
 *  tree_fit_is_distinct() tells whether that route differs from those with lower numbers. */
uint32_t tree_fit_links(const struct tree_fit *fit, uint32_t unit);
uint32_t tree_fit_route_links(const struct tree_fit *fit, uint32_t unit, uint32_t route);
bool tree_fit_is_distinct(const struct tree_fit *fit, uint32_t unit, uint32_t route);
/** For tree_fit.c and tree_refine.c: take a channel on the first `hops` links of fit->link or, if `open`, free it.
 *  tree_fit_place() puts a lightpath on the lowest channel that is free on one of its routes. */
void tree_fit_set(struct tree_fit *fit, uint32_t hops, uint32_t channel, bool open);
rwa_status tree_fit_place(struct tree_fit *fit, uint32_t unit);
/** For tree_fit.c and tree_refine.c: tree_fit_save() stores the routes and channels of all lightpaths,
 *  tree_fit_go_back() restores those stored last. */
void tree_fit_save(struct tree_fit *fit);
void tree_fit_go_back(struct tree_fit *fit);

/** For tree_fit.c and tree_refine.c: renumber the channels, those with the most lightpaths first, then take the
 *  lightpaths off all channels from number `kept` on. */
rwa_status tree_fit_keep_fullest(struct tree_fit *fit, uint32_t kept);

/** Return the number of lightpaths on the most loaded link under the routes that tree_fit_balance() chose. */
uint64_t tree_fit_most_loaded(const struct tree_fit *fit);

/** Keep only `channels` channels, those with the most lightpaths; more must be in use.  Every other lightpath moves to
 *  one of them that is free on one of its routes, or loses its channel. */
rwa_status tree_fit_cut(struct tree_fit *fit, uint32_t channels);

/** Write the arcs of a lightpath's route, in order from src to dst, to `arc` (one entry for each node), and return the
 *  hops. */
uint32_t tree_fit_path(const struct tree_fit *fit, uint32_t unit, uint32_t *arc);
