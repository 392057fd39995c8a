/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The search for the quickest composition, for its files. */
#pragma once

#include "scheme/compose/compose.h"

/** By how much longer a composition may seem to take that is looked at more closely. */
#define WORTH_SCALING 1.15

/** Links of all routes that are timed, at most: about half a second; and where only terms of one level are tried, of which each has a
 *  third of it. */
#define WORK_MOST 2e7
#define WORK_OF_ONE_LEVEL 1e8

/** A term for some participants and its time. */
struct choice {
    struct composition composition;
    double time_s;
};

/** Key of a subproblem. */
struct key {
    size_t count, groups;
    uint32_t stride;
    uint64_t holds;
    bool cycle, sums;
    unsigned depth;
};

/** A choice of NEVER_S or more: nothing takes less than limit_s. */
struct memory {
    struct key key;
    struct choice choice;
    double limit_s;
};

enum { DEPTH = 3, SIZES = 24, CIRCLE_MOST = 64, KEPT = 6 };

struct search {
    const struct composing *c;
    struct program p;           /* timed */
    struct memory *memory;
    size_t known, capacity;
    struct budget budget;
    uint64_t scale;                     /* parts into which each block is cut */
    struct found found[KEPT];           /* quickest first */
    size_t count;
    bool clusters, rotated;             /* how the participants are ordered */
    struct choice sent[2][2];           /* of each such order: the tree of a scatter or gather */
    unsigned depth;                     /* levels of terms */
    double below_s;                     /* what takes no less is of no interest */
    uint64_t widest;                    /* channels into the node that has most */
};

/** The time of what a function writes, about where it is beyond the limit. */
#define TIMED(seconds, limit, call) \
    do {                            \
        program_restart(&s->p, (limit)); \
        TRY(call);                  \
        (seconds) = s->p.time_s;    \
    } while (0)

/** Transfers of the largest exchange that is looked at: fewer where routes are paths. */
double exchange_most(const struct composing *c);
/** Of segments: powers of 2, one more, what 2W channels reach, thirds, and all.  Returns their number. */
size_t segment_sizes(uint32_t size[SIZES], const struct search *s, uint32_t most);
/** Those near the square root first: rows and columns of a grid.  How many. */
size_t divisors(uint32_t size[SIZES], uint32_t of);
bool divides_all(const struct parties *parties, uint32_t size);

/** Blocks that the participants of a group have. */
double held_by(const struct parties *parties, size_t group);
/** What all links carry of so many takes that long, and a step. */
double least_carried(const struct search *s, const struct parties *parties, double blocks);
/** *best becomes the term with these subterms, if that is quicker and fits. */
void keep_choice(struct choice *best, const struct term *head, const struct choice *a, const struct choice *b, double time_s);
struct key key_of(const struct parties *parties, unsigned depth, bool sums);
/** Nothing to do, or found before, or too long in any case; else *out is no choice yet. */
bool is_known_choice(struct choice *out, const struct search *s, const struct parties *parties, const struct key *key, double limit_s);
/** Keep what the search for a subproblem ended with, up to a limit.  RWA_NOMEM */
rwa_status remember(struct search *s, const struct key *key, struct choice *choice, double limit_s);

/** The quickest term of at most so many levels that takes less than limit_s: best_all_gather(), or the same of sums. */
typedef rwa_status best_term(struct choice *out, struct search *s, const struct parties *parties, unsigned depth, double limit_s);
/** First among nodes of equal position in segments of so many nodes, then within the segments. */
rwa_status try_positions(struct choice *best, struct search *s, const struct parties *parties, uint32_t size, unsigned depth,
                         best_term *best_of, parties_divide *segments);

/** Whether an all-gather takes hardly longer than the blocks that a participant lacks, over the links into it, and one step: other
 *  terms gain next to nothing. */
bool is_near_least(double time_s, const struct search *s, const struct parties *parties);
/** The quickest all-gather of at most so many levels that takes less than limit_s; else of NEVER_S or more.  RWA_NOMEM; RWA_CANCELLED */
rwa_status best_all_gather(struct choice *out, struct search *s, const struct parties *parties, unsigned depth, double limit_s);
/** search_sums.c: the same for sums(T) of what all participants have.  RWA_NOMEM; RWA_CANCELLED */
rwa_status best_all_sums(struct choice *out, struct search *s, const struct parties *parties, double limit_s);
