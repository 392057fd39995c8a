/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Send blocks from the root of each group to all its participants along a tree.  In a tree of segments, a node sends a
 * child at once all that the child's branch needs, level after level.  With relays, where each participant gets blocks
 * of its own, those of the farthest leave first and those of nearer ones follow.  That takes equally many exchanges,
 * but each carries fewer blocks, over lightpaths of few links. */
#include "scheme/compose/phases.h"

struct compose_tree {
    struct program *p;
    const struct parties *parties;
    uint32_t *level;            /* of each participant: lightpaths from its root */
    size_t *from;               /* its parent */
    uint32_t depth;
    /* what comes to each in the exchange being written; where all comes, of the first of a group: that */
    struct block_set *set;
    struct arena memory;
};

static rwa_status open_tree(struct compose_tree *t, struct program *p, const struct parties *parties)
{
    *t = (struct compose_tree){.p = p, .parties = parties, .memory = {.err = p->err}};
    MUST(arena_arrays(&t->memory, parties->count, t->level, t->from, t->set));
    for (size_t g = 0; g < parties->groups && parties->whole; g++)
        MUST(parties_join(&t->set[parties->first[g]], parties, false, parties->first[g], parties->first[g + 1],
                          SIZE_MAX, p->err));
    return RWA_OK;
}

static void close_tree(struct compose_tree *t)
{
    for (size_t i = 0; t->set && i < t->parties->count; i++)
        block_set_free(&t->set[i]);
    arena_free(&t->memory);
}

static rwa_status write_step(struct compose_tree *t, uint32_t step, bool farthest_first)
{
    const struct parties *parties = t->parties;
    for (size_t i = 0; i < parties->count && !parties->whole; i++) {
        /* 0: it waits */
        uint32_t waits = farthest_first ? t->depth - t->level[i] : 0, level = step > waits ? step - waits : 0;
        size_t at = i;
        while (level > 0 && t->level[at] > level)
            at = t->from[at];
        if (level > 0 && t->level[at] == level)
            MUST(block_set_join(&t->set[at], &parties->party[i].holds, t->p->err));
    }
    for (size_t g = 0; g < parties->groups; g++)
        for (size_t i = parties->first[g]; i < parties->first[g + 1]; i++) {
            struct block_set *set = &t->set[parties->whole ? parties->first[g] : i];
            if (!parties->whole ? set->count > 0 : t->level[i] == step)
                MUST(program_send(t->p, parties->party[t->from[i]].node, parties->party[i].node, set, NULL));
            if (!parties->whole)
                block_set_clear(set);
        }
    return program_end_exchange(t->p);
}

static rwa_status write_tree(struct compose_tree *t, bool farthest_first)
{
    for (size_t i = 0; i < t->parties->count; i++)
        RAISE(t->depth, t->level[i]);
    for (uint32_t step = 1; step <= t->depth && !program_gives_up(t->p); step++)
        MUST(write_step(t, step, farthest_first));
    return RWA_OK;
}

/* ---- segments ---- */

/** Let `holder` serve the participants from … to - 1: split them into parts, make `holder` the parent of one node in
 * each part, and let that node serve its part in the same way, one level deeper.  `fans` gives the number of parts on
 * each level. */
static void split_segment(struct compose_tree *t, size_t from, size_t to, size_t holder, const struct term *fans,
                          uint32_t level)
{
    /* the last again, until all are single */
    uint32_t fan = fans->number[level < fans->numbers ? level : fans->numbers - 1U];
    size_t count = to - from, parts = fan < count ? fan : count;
    for (size_t k = 0; k < parts && count > 1; k++) {
        size_t first = from + segment_start(count, parts, k), end = from + segment_start(count, parts, k + 1);
        bool own = holder >= first && holder < end;
        size_t next = own ? holder : (first + end - 1) / 2;
        if (!own) {
            t->from[next] = holder;
            t->level[next] = level + 1;
        }
        split_segment(t, first, end, next, fans, level + 1);
    }
}

rwa_status phase_tree(struct program *p, const struct parties *parties, const struct term *fans)
{
    struct compose_tree t;
    rwa_status st = open_tree(&t, p, parties);
    for (size_t g = 0; g < parties->groups && st == RWA_OK; g++)
        split_segment(&t, parties->first[g], parties->first[g + 1], parties_root(parties, g), fans, 0);
    if (st == RWA_OK)
        st = write_tree(&t, false);
    close_tree(&t);
    return st;
}

/* ---- relays ---- */

static uint32_t links_between(const struct compose_tree *t, size_t a, size_t b)
{
    return a == b ? 0 : distances_hops(t->p->distances, t->parties->party[a].node, t->parties->party[b].node);
}

/** Return the nearest participant that is one level closer to the root than participant i and at most `links` links
 * away.  Of several it is the one that relays to the fewest others so far (`behind`).  SIZE_MAX: there is none. */
static size_t nearest_relay(const struct compose_tree *t, size_t group, size_t i, uint32_t links,
                            const uint32_t *behind)
{
    size_t best = SIZE_MAX;
    uint32_t least = links + 1;
    for (size_t u = t->parties->first[group]; u < t->parties->first[group + 1]; u++) {
        uint32_t away = t->level[u] + 1 == t->level[i] ? links_between(t, u, i) : UINT32_MAX;
        if (away < least || (best != SIZE_MAX && away == least && behind[u] < behind[best])) {
            best = u;
            least = away;
        }
    }
    return best;
}

/** Choose the parent (relay) of each participant of a group, at most `links` links away, from the farthest level
 * inwards.  Returns whether each has one.  behind[u] becomes the number of participants that are reached through u. */
static bool choose_relays(struct compose_tree *t, size_t group, uint32_t links, uint32_t *behind)
{
    size_t first = t->parties->first[group], end = t->parties->first[group + 1], root = parties_root(t->parties, group);
    uint32_t depth = 0;
    for (size_t i = first; i < end; i++) {
        t->level[i] = (uint32_t)ceil_div(links_between(t, root, i), links);
        RAISE(depth, t->level[i]);
    }
    for (uint32_t level = depth; level > 0; level--)
        for (size_t i = first; i < end; i++) {
            if (t->level[i] != level)
                continue;
            t->from[i] = nearest_relay(t, group, i, links, behind);
            if (t->from[i] == SIZE_MAX)
                return false;
            behind[t->from[i]] += 1 + behind[i];
        }
    return true;
}

rwa_status phase_relays(struct program *p, const struct parties *parties, uint32_t links)
{
    struct compose_tree t;
    uint32_t *behind;
    bool possible = true;
    rwa_status st = RWA_OK;
    TRY(open_tree(&t, p, parties));
    TRY(arena_new(&t.memory, behind, parties->count) ? RWA_OK : RWA_NOMEM);
    for (size_t g = 0; g < parties->groups && possible; g++)
        possible = choose_relays(&t, g, links, behind);
    if (possible)
        TRY(write_tree(&t, true));
    else
        p->time_s = INFINITY;
done:
    close_tree(&t);
    return st;
}
