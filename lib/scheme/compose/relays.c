/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A scatter over lightpaths of few links.  What is for the farthest participants leaves the root first, and goes on from relay to relay
 * while what is for nearer ones follows: so all of it is under way in as few exchanges as the farthest is lightpaths away.
 */
#include "scheme/compose/phases.h"

struct relays {
    struct program *p;
    const struct parties *parties;
    uint32_t links;             /* of a lightpath, at most */
    uint32_t *away;             /* of each participant: links from its root, */
    uint32_t *level;            /* and lightpaths */
    size_t *from;               /* the relay that sends to it */
    uint32_t *load;             /* of each relay: participants behind it */
    struct block_set *set;      /* what comes to each in the exchange being written */
    uint32_t depth;
    struct arena memory;
};

static uint32_t links_between(const struct relays *r, size_t a, size_t b)
{
    uint32_t from = r->parties->party[a].node, to = r->parties->party[b].node;
    return from == to ? 0 : program_hops(r->p, from, to);
}

/** Whether u is a better relay before i than `best`: on a shortest way, far from the root, with little behind it. */
static bool is_better(const struct relays *r, size_t u, size_t best, size_t i)
{
    bool on_way = r->away[u] + links_between(r, u, i) == r->away[i], was = r->away[best] + links_between(r, best, i) == r->away[i];
    if (on_way != was)
        return on_way;
    return r->away[u] != r->away[best] ? r->away[u] > r->away[best] : r->load[u] < r->load[best];
}

/** The relay before participant i of a group; SIZE_MAX: there is none. */
static size_t choose_relay(const struct relays *r, size_t group, size_t i)
{
    size_t best = SIZE_MAX;
    for (size_t u = r->parties->first[group]; u < r->parties->first[group + 1]; u++)
        if (r->level[u] + 1 == r->level[i] && links_between(r, u, i) <= r->links && (best == SIZE_MAX || is_better(r, u, best, i)))
            best = u;
    return best;
}

/** From the farthest level on.  Whether all have one. */
static bool choose_relays(struct relays *r, size_t group)
{
    for (uint32_t level = r->depth; level > 0; level--)
        for (size_t i = r->parties->first[group]; i < r->parties->first[group + 1]; i++) {
            if (r->level[i] != level)
                continue;
            r->from[i] = choose_relay(r, group, i);
            if (r->from[i] == SIZE_MAX)
                return false;
            r->load[r->from[i]] += 1 + r->load[i];
        }
    return true;
}

static void find_levels(struct relays *r, size_t group, size_t root)
{
    for (size_t i = r->parties->first[group]; i < r->parties->first[group + 1]; i++) {
        r->away[i] = links_between(r, root, i);
        r->level[i] = (uint32_t)ceil_div(r->away[i], r->links);
        r->depth = r->level[i] > r->depth ? r->level[i] : r->depth;
    }
}

static rwa_status open_relays(struct relays *r, bool *possible)
{
    size_t count = r->parties->count;
    r->memory = (struct arena){.err = r->p->err};
    arena_new(&r->memory, r->away, count);
    arena_new(&r->memory, r->level, count);
    arena_new(&r->memory, r->from, count);
    arena_new(&r->memory, r->load, count);
    arena_new(&r->memory, r->set, count);
    MUST(arena_status(&r->memory));
    for (size_t g = 0; g < r->parties->groups; g++)
        find_levels(r, g, parties_root(r->parties, g));
    *possible = true;
    for (size_t g = 0; g < r->parties->groups && *possible; g++)
        *possible = choose_relays(r, g);
    return RWA_OK;
}

/** Exchange number `step` from 1: what is for level l comes to its level step - depth + l, if that is one of 1 … l. */
static rwa_status write_step(struct relays *r, uint32_t step)
{
    const struct party *party = r->parties->party;
    for (size_t i = 0; i < r->parties->count; i++) {
        size_t at = i;
        if (step + r->level[i] <= r->depth || r->level[i] == 0 || step > r->depth)
            continue;
        for (uint32_t level = r->level[i]; level > step + r->level[i] - r->depth; level--)
            at = r->from[at];
        MUST(block_set_join(&r->set[at], &party[i].holds, r->p->err));
    }
    for (size_t i = 0; i < r->parties->count; i++) {
        if (r->set[i].count > 0)
            MUST(program_send(r->p, party[r->from[i]].node, party[i].node, &r->set[i], NULL));
        block_set_clear(&r->set[i]);
    }
    return program_end_exchange(r->p);
}

rwa_status phase_relays(struct program *p, const struct parties *parties, uint32_t links)
{
    struct relays r = {.p = p, .parties = parties, .links = links};
    bool possible;
    rwa_status st = RWA_OK;
    TRY(open_relays(&r, &possible));
    if (!possible)
        p->time_s = INFINITY;
    for (uint32_t step = 1; step <= r.depth && possible && !program_gives_up(p); step++)
        TRY(write_step(&r, step));
done:
    for (size_t i = 0; r.set && i < parties->count; i++)
        block_set_free(&r.set[i]);
    arena_free(&r.memory);
    return st;
}
