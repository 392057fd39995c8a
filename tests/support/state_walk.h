/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Random operations on a state, the same for the same seed; and whether two states are the same. */
#pragma once

#include "rwa.h"
#include "base/base.h"

enum { WALK_PLACES = 300 };

struct walk {
    rwa_state *state;
    uint64_t random;
    uint64_t ids[WALK_PLACES];  /* lightpaths that were set up, released or not */
    rwa_status st;              /* of the last operation */
};

static inline uint32_t walk_below(struct walk *w, uint32_t below)
{
    return (uint32_t)base_random_below(&w->random, below);
}

static inline void walk_add(struct walk *w, uint64_t *id)
{
    rwa_request q;
    rwa_placed placed;
    char tag[24];
    uint32_t nodes = rwa_network_nodes(rwa_state_network(w->state)), src = walk_below(w, nodes);
    rwa_request_init(&q, src, (src + 1 + walk_below(w, nodes - 1)) % nodes);
    q.routing = (rwa_routing)walk_below(w, 3);
    q.policy = (rwa_policy)walk_below(w, 7);
    q.protection = (rwa_protection)(walk_below(w, 2) * walk_below(w, 3));
    q.width = 1 + walk_below(w, 2);
    q.guard = walk_below(w, 2);
    q.rate_bps = walk_below(w, 3) ? 0 : 1e9 / 7;
    snprintf(tag, sizeof tag, "order \"%u\"", walk_below(w, 50));
    q.tag = walk_below(w, 2) ? tag : NULL;
    w->st = rwa_state_add(&placed, w->state, &q, NULL);
    *id = placed.id;
}

static inline void walk_move(struct walk *w, uint64_t id, bool protect)
{
    rwa_request q;
    rwa_placed placed;
    if (!rwa_state_get(&placed, w->state, id))
        return;
    rwa_request_init(&q, placed.src, placed.dst);
    q.routing = RWA_ROUTING_ALTERNATE;
    q.policy = (rwa_policy)walk_below(w, 7);
    q.width = walk_below(w, 3);
    q.protection = protect ? (rwa_protection)walk_below(w, 3) : RWA_PROTECTION_NONE;
    w->st = (protect ? rwa_state_protect : rwa_state_move)(&placed, w->state, id, &q, NULL);
}

/** Something fails, or the next thing that has failed is repaired. */
static inline void walk_fail(struct walk *w)
{
    const rwa_network *net = rwa_state_network(w->state);
    rwa_failure kind = (rwa_failure)walk_below(w, 3);
    uint32_t count = kind == RWA_FAILURE_LINK   ? rwa_network_links(net)
                     : kind == RWA_FAILURE_NODE ? rwa_network_nodes(net)
                                                : (uint32_t)rwa_network_risk_groups(net);
    uint32_t number = walk_below(w, count);
    if (walk_below(w, 3) == 0) {
        w->st = rwa_state_fail(w->state, kind, number, NULL);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (rwa_state_is_failed(w->state, kind, (number + i) % count) == 1) {
            w->st = rwa_state_repair(w->state, kind, (number + i) % count, NULL);
            return;
        }
}

/** One operation, or none where it is refused or blocked. */
static inline void walk_on(struct walk *w)
{
    rwa_defragmentation moved;
    uint64_t *id = &w->ids[walk_below(w, WALK_PLACES)], mark = rwa_state_mark(w->state);
    uint32_t kind = walk_below(w, 100);
    w->st = RWA_OK;
    if (kind < 6)
        walk_fail(w);
    else if (kind < 9)
        w->st = rwa_state_undo(w->state, walk_below(w, 4), NULL);
    else if (kind < 10)
        w->st = rwa_state_rollback(w->state, mark - walk_below(w, mark < 20 ? (uint32_t)mark + 1 : 20), NULL);
    else if (kind < 14)
        w->st = rwa_state_defragment(&moved, w->state, 1, NULL);
    else if (kind < 24)
        walk_move(w, *id, kind % 2);
    else if (rwa_state_condition(w->state, *id))
        w->st = rwa_state_release(w->state, *id, NULL);
    else
        walk_add(w, id);
}

/* ---- comparing ---- */

static inline bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static inline bool same_placed(const rwa_placed *a, const rwa_placed *b)
{
    return a->id == b->id && a->src == b->src && a->dst == b->dst && a->hops == b->hops && a->fiber == b->fiber &&
           a->wavelength == b->wavelength && a->down == b->down && a->width == b->width && a->guard == b->guard &&
           a->protection == b->protection && a->rate_bps == b->rate_bps && same_text(a->modulation, b->modulation) &&
           same_text(a->tag, b->tag) &&
           (a->hops == 0 || memcmp(a->links, b->links, a->hops * sizeof *a->links) == 0);
}

static inline bool same_lightpath(const rwa_state *a, const rwa_state *b, uint64_t id)
{
    rwa_placed one[2], backup[2];
    return rwa_state_get(&one[0], a, id) && rwa_state_get(&one[1], b, id) && same_placed(&one[0], &one[1]) &&
           rwa_state_backup(&backup[0], a, id) == rwa_state_backup(&backup[1], b, id) &&
           same_placed(&backup[0], &backup[1]) && rwa_state_condition(a, id) == rwa_state_condition(b, id);
}

/** Everything that can be asked of a state. */
static inline bool same_state(const rwa_state *a, const rwa_state *b)
{
    const rwa_network *net = rwa_state_network(a);
    uint64_t id = rwa_state_next(a, RWA_NO_LIGHTPATH);
    if (rwa_state_count(a) != rwa_state_count(b) || rwa_state_mark(a) != rwa_state_mark(b))
        return false;
    for (; id != RWA_NO_LIGHTPATH; id = rwa_state_next(a, id))
        if (!same_lightpath(a, b, id))
            return false;
    for (uint32_t l = 0; l < rwa_network_links(net); l++) {
        for (rwa_failure kind = RWA_FAILURE_LINK; kind <= RWA_FAILURE_GROUP; kind++)
            if (rwa_state_is_failed(a, kind, l) != rwa_state_is_failed(b, kind, l))
                return false;
        for (uint32_t f = 0; f < rwa_network_fibers(net); f++)
            for (uint32_t w = 0; w < rwa_network_wavelengths(net); w++)
                if (rwa_state_is_free(a, l, f, w) != rwa_state_is_free(b, l, f, w))
                    return false;
    }
    return true;
}

/** The same also after `steps` more operations, which need the same random numbers, ids and routes; and, step by step,
 *  as far back as the history reaches. */
static inline bool same_walk(struct walk a, struct walk b, uint32_t steps)
{
    rwa_status st = RWA_OK;
    b.random = a.random;
    memcpy(b.ids, a.ids, sizeof b.ids);
    for (uint32_t i = 0; i < steps; i++) {
        walk_on(&a);
        walk_on(&b);
    }
    if (!same_state(a.state, b.state))
        return false;
    while (st == RWA_OK && same_state(a.state, b.state)) {
        st = rwa_state_undo(a.state, 1, NULL);
        if (rwa_state_undo(b.state, 1, NULL) != st)
            return false;
    }
    return same_state(a.state, b.state);
}
