/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Branch and bound over routes and places (channels from which all slots of a lightpath are free).  The next lightpath
 * is always the one with the fewest places left.  A branch ends when a lightpath has no place, or when the lightpaths
 * still to be placed cannot raise the value.
 */
#include "solvers/spectrum.h"

#include "solvers/runs.h"

enum { POLL_EVERY = 256 };

struct branch_tree {
    const struct spectrum *spectrum;
    const struct spectrum_goal *goal;
    struct placement *best;     /* the best placement so far */
    struct placement at;
    struct channel_map map;
    uint64_t *depth_places;     /* of each depth: the places of each segment of the route being tried; `words` words
                                   each */
    size_t most_segments;       /* of a route */
    bool *fixed;                /* lightpaths decided: placed, or left out */
    uint64_t left_value, value, best_value;
    uint64_t nodes;
    uint32_t used;              /* channels in use, where they are interchangeable */
    bool stopped, found, interchangeable;
    struct arena arena;
};

/* ---- the next lightpath ---- */

/** Return how many channels need no trial: where channels are interchangeable, all unused ones but one; otherwise 0. */
static uint32_t idle_channels(const struct branch_tree *t)
{
    return t->interchangeable && t->used < t->map.channels ? t->map.channels - t->used - 1 : 0;
}

/** Return the number of places for lightpath u (channels from which all its slots are free), added up over its routes.
 *  Of the segments of a route (parts between converters), the one with the fewest places counts.  Stop counting at
 *  `enough`. */
static uint32_t count_places(struct branch_tree *t, uint32_t u, uint32_t enough)
{
    const struct candidates *c = t->spectrum->cand;
    uint32_t count = 0, idle = idle_channels(t);
    for (size_t r = c->route[u]; r < c->route[u + 1] && count < enough; r++) {
        uint32_t least = UINT32_MAX;
        for (size_t s = c->segment[r]; s < c->segment[r + 1]; s++) {
            uint32_t here = map_places(&t->map, s, spectrum_span(t->spectrum, r)) - idle;
            LOWER(least, here);
        }
        count += least;
    }
    return count;
}

/** Return the lightpath with the fewest places among those not yet decided, and set *places to that number; UINT32_MAX:
 *  all are decided. */
static uint32_t next_unit(struct branch_tree *t, uint32_t *places)
{
    uint32_t best = UINT32_MAX, n = t->spectrum->cand->demands;
    *places = UINT32_MAX;
    for (uint32_t u = 0; u < n && *places > 0; u++) {
        if (t->fixed[u])
            continue;
        uint32_t count = count_places(t, u, *places);
        if (best == UINT32_MAX || count < *places) {
            best = u;
            *places = count;
        }
    }
    return best;
}

/* ---- branches ---- */

static bool must_stop(struct branch_tree *t)
{
    if ((t->nodes++ % POLL_EVERY == 0 && base_must_stop(t->goal->budget, "exact", -1)) ||
        t->nodes == t->goal->most_nodes)
        t->stopped = true;
    return t->stopped || (t->found && (!t->goal->most || t->best_value >= t->goal->bound));
}

static void search(struct branch_tree *t, uint32_t depth);

/** Try every free place for a segment of lightpath u's route.  After each, go on with the next segment of the route or,
 *  after the last segment, with the next lightpath.  depth: how many lightpaths were decided before u. */
static void place_segment(struct branch_tree *t, uint32_t u, size_t route, size_t segment, uint32_t depth)
{
    const struct candidates *c = t->spectrum->cand;
    uint32_t span = spectrum_span(t->spectrum, route), words = t->map.words, used = t->used;
    uint64_t *places = t->depth_places + ((size_t)depth * t->most_segments + segment - c->segment[route]) * words;
    if (segment == c->segment[route + 1]) {
        t->at.route[u] = route;
        search(t, depth + 1);
        return;
    }
    map_places(&t->map, segment, span);
    memcpy(places, t->map.places, words * sizeof *places);
    for (uint32_t p = runs_next(places, words, 0); p != UINT32_MAX && !must_stop(t);
         p = runs_next(places, words, p + 1)) {
        if (t->interchangeable && p > used)
            break;
        t->at.channel[segment] = p;
        map_set_span(&t->map, segment, p, span, false);
        t->used = p < used ? used : p + 1;
        place_segment(t, u, route, segment + 1, depth);
        t->used = used;
        map_set_span(&t->map, segment, p, span, true);
    }
}

static void take_answer(struct branch_tree *t)
{
    t->at.placed = 0;
    for (uint32_t u = 0; u < t->spectrum->cand->demands; u++)
        t->at.placed += t->at.route[u] != NO_ROUTE;
    t->at.channels = spectrum_slots(&t->at, t->spectrum) * t->spectrum->cand->fibers;
    placement_copy(t->best, &t->at, t->spectrum->cand);
    t->best_value = t->value;
    t->found = true;
}

static void branch(struct branch_tree *t, uint32_t u, uint32_t depth)
{
    const struct candidates *c = t->spectrum->cand;
    t->fixed[u] = true;
    t->left_value -= spectrum_value_of(t->spectrum, u);
    t->value += spectrum_value_of(t->spectrum, u);
    for (size_t r = c->route[u]; r < c->route[u + 1] && !t->stopped; r++)
        place_segment(t, u, r, c->segment[r], depth);
    t->value -= spectrum_value_of(t->spectrum, u);
    t->at.route[u] = NO_ROUTE;
    if (t->goal->most && !t->stopped)
        search(t, depth + 1);   /* leave it out */
    t->left_value += spectrum_value_of(t->spectrum, u);
    t->fixed[u] = false;
}

static void search(struct branch_tree *t, uint32_t depth)
{
    uint32_t places = 0, u = UINT32_MAX;
    if (must_stop(t) || (t->goal->most && t->value + t->left_value <= t->best_value))
        return;
    u = next_unit(t, &places);
    if (u == UINT32_MAX)
        take_answer(t);
    else if (places > 0 || t->goal->most)
        branch(t, u, depth);
}

static rwa_status tree_open(struct branch_tree *t, uint32_t slots)
{
    const struct candidates *c = t->spectrum->cand;
    MUST(map_create(&t->map, t->spectrum, slots, t->goal->err));
    MUST(placement_create(&t->at, c, t->goal->err));
    t->interchangeable = c->taken_count == 0 && !c->fibers_of;
    for (size_t r = 0; r < c->route[c->demands]; r++) {
        RAISE(t->most_segments, c->segment[r + 1] - c->segment[r]);
        t->interchangeable = t->interchangeable && spectrum_span(t->spectrum, r) == 1;
    }
    MUST(base_fits_memory(8.0 * t->map.words * (c->demands + 1.0) * (double)t->most_segments, "this search",
                          t->goal->err));
    t->arena.err = t->goal->err;
    arena_new(&t->arena, t->depth_places, (size_t)t->map.words * (c->demands + (size_t)1) * t->most_segments);
    MUST(arena_arrays(&t->arena, c->demands, t->fixed));
    t->left_value = spectrum_total(t->spectrum);
    return RWA_OK;
}

static void tree_close(struct branch_tree *t)
{
    map_free(&t->map);
    placement_free(&t->at);
    arena_free(&t->arena);
}

/** Search the placements on `slots` slots of a fibre.  Set *found to whether all lightpaths fit or, with goal->most,
 *  whether `best` improved.  Set *stopped to whether the search was cut short. */
static rwa_status try_slots(struct placement *best, bool *found, bool *stopped, const struct spectrum *spectrum,
                            const struct spectrum_goal *goal, uint32_t slots)
{
    struct branch_tree t = {.spectrum = spectrum,
                            .goal = goal,
                            .best = best,
                            .best_value = spectrum_value(best, spectrum)};
    rwa_status st = tree_open(&t, slots);
    if (st == RWA_OK)
        search(&t, 0);
    *found = t.found;
    *stopped = t.stopped;
    tree_close(&t);
    return st;
}

/** Search for a placement of all lightpaths on fewer and fewer slots, until there is none or the goal's bound is met.
 *  `best` is a valid placement at any time.  Set *proven to whether it is optimal. */
static rwa_status fewest_slots(struct placement *best, bool *proven, const struct spectrum *spectrum,
                               const struct spectrum_goal *goal)
{
    bool found = true, stopped = false;
    while (found && !stopped && best->placed == spectrum->cand->demands &&
           spectrum_slots(best, spectrum) > goal->bound) {
        uint32_t slots = spectrum_slots(best, spectrum) - 1;
        MUST(try_slots(best, &found, &stopped, spectrum, goal, slots));
    }
    *proven = best->placed == spectrum->cand->demands && !stopped;
    return RWA_OK;
}

rwa_status spectrum_exact(struct placement *best, bool *proven, const struct spectrum *spectrum,
                          const struct spectrum_goal *goal)
{
    bool found = false, stopped = false;
    *proven = false;
    if (!goal->most && goal->slots > 0 && best->placed < spectrum->cand->demands) {
        MUST(try_slots(best, &found, &stopped, spectrum, goal, goal->slots));
        *proven = !stopped && !found;
        if (!found)
            return RWA_OK;
    }
    if (!goal->most)
        return fewest_slots(best, proven, spectrum, goal);
    MUST(try_slots(best, &found, &stopped, spectrum, goal, goal->slots));
    *proven = !stopped;
    return RWA_OK;
}
