/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Greedy passes over candidates: the order of the demands, and the rule by which each takes a free channel. */
#pragma once

#include "base/bins.h"
#include "solvers/candidates.h"

/** Ties go to the route that stands first, then to the lowest channel. */
enum fit_rule {
    FIT_LOWEST = 0,     /* the lowest channel free on one of its routes */
    FIT_HIGHEST,        /* the highest of those open */
    FIT_MOST_USED,      /* the one in use on most links */
    FIT_LEAST_USED,     /* on fewest */
    FIT_RANDOM,         /* any of those open, on any route */
    FIT_SHORTEST        /* the first route on which any channel that is open is free */
};

enum fit_order {
    FIT_AS_GIVEN = 0,
    FIT_LONGEST,        /* by the length of their first routes, longest first */
    FIT_DEGREE,         /* by how many others their first routes meet, most first (Welsh and Powell 1967) */
    FIT_SATURATION      /* always the one whose first route has lost most channels, then by degree (Brélaz: New methods to
                           color the vertices of a graph, Communications of the ACM 22, 1979) */
};

/** So many demands take less than the grace of a late answer, even under a memory checker: the clock never stops them. */
enum { FIT_ALWAYS_PLACED = 1024 };

/**
 * One pass.  Channels 0 … open - 1 may be taken from the start; when a demand finds none of them free, the next wavelength
 * is opened, while there are fewer than `channels`.
 */
struct fit {
    const struct candidates *cand;
    enum fit_rule rule;
    enum fit_order order;
    const uint32_t *list;   /* NULL, or the demands in the order they shall come */
    uint32_t open, channels;
    bool first_only;        /* of each demand only its first route */
    const bool *barred;     /* NULL, or routes that are not taken */
    uint64_t *state;        /* of the random numbers */
    struct budget *budget;  /* by saturation: once it ends, the rest come as given.  base_is_late(): none comes after the
                               first FIT_ALWAYS_PLACED.  NULL: neither */
};

/**
 * @param[out] out  created by the caller; as many demands as found a place, on channels below out->channels
 * @return RWA_OK; RWA_BADARG: by degree or saturation, and too many pairs of routes meet; RWA_NOMEM
 */
rwa_status fit_run(const struct fit *fit, struct placement *out, rwa_error *err);

/** All demands by their first routes, longest first; the caller frees the list.  A counting sort. */
rwa_status fit_longest_first(uint32_t **order, const struct candidates *cand, rwa_error *err);

/** Which demands' first routes cross each link. */
struct crossings {
    const struct candidates *cand;
    struct bins demands;
    uint32_t *degree;   /* of each demand: others whose first route shares a link with its own */
};

/** Starts as zeros; free it also after a failure.  Cost and limit: the squares of the links' loads added up. */
rwa_status crossings_create(struct crossings *c, const struct candidates *cand, rwa_error *err);
void crossings_free(struct crossings *c);
/** All demands by their degree, largest first; the caller frees the list. */
rwa_status crossings_order(uint32_t **order, const struct crossings *c, rwa_error *err);

/** How many channels each demand's first route has lost while a table fills. */
struct saturation {
    struct crossings crossings;
    uint32_t words;
    uint64_t *lost;     /* bit w of lost[d * words …]: channel w is taken on a link of the first route of d */
    uint32_t *count;
};

rwa_status saturation_create(struct saturation *s, const struct candidates *cand, uint32_t channels, rwa_error *err);
void saturation_free(struct saturation *s);
/** The demand most in need among those not yet `done`.  O(demands). */
uint32_t saturation_next(const struct saturation *s, const bool *done);
/** A demand was placed. */
void saturation_note(struct saturation *s, const struct placement *at, uint32_t demand);
