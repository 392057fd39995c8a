/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/own/rising_sums.h"

#define NO_NODE UINT32_MAX

/** A tree whose nodes begin step after step: all whose children have begun, or of those with one parent the first. */
struct start {
    struct rising *r;
    const struct disjoint_trees *t;
    size_t base;                /* of the tree in its arrays */
    bool early;
    uint32_t *waiting;          /* by node: children that have not begun */
    uint32_t *now, *next;       /* nodes that may begin, in this step and the next one */
    uint32_t ready, later;      /* how many */
    uint32_t step;
};

static uint32_t parent_of(const struct start *s, uint32_t v)
{
    return s->t->parent[s->base + v];
}

static bool is_root(const struct start *s, uint32_t v)
{
    return s->t->hops[s->base + v] == 0;
}

static void begin(struct start *s, uint32_t v)
{
    uint32_t p = parent_of(s, v), last = s->r->child[s->base + p];
    if (s->early && !is_root(s, p) && last != NO_NODE && s->r->slot[s->base + last] == s->step) {
        s->next[s->later++] = v;
        return;
    }
    s->r->slot[s->base + v] = s->step;
    s->r->sibling[s->base + v] = last;
    s->r->child[s->base + p] = v;
    if (--s->waiting[p] == 0 && !is_root(s, p))
        s->next[s->later++] = p;
}

static void begin_all(struct start *s)
{
    for (uint32_t v = 0; v < s->t->nodes; v++)
        s->waiting[v] = 0;
    for (uint32_t v = 0; v < s->t->nodes; v++)
        s->waiting[parent_of(s, v)] += !is_root(s, v);
    s->later = 0;
    for (uint32_t v = 0; v < s->t->nodes; v++)
        if (s->waiting[v] == 0)
            s->next[s->later++] = v;
    for (s->step = 1; s->later > 0; s->step++) {
        uint32_t *swap = s->now;
        s->now = s->next;
        s->next = swap;
        s->ready = s->later;
        s->later = 0;
        for (uint32_t i = 0; i < s->ready; i++)
            begin(s, s->now[i]);
    }
    s->r->steps = s->step - 1 > s->r->steps ? s->step - 1 : s->r->steps;
}

static void need_chunks(struct rising *r, uint64_t chunks)
{
    r->chunks = chunks > r->chunks ? chunks : r->chunks;
}

/** Children of one parent send shares of different chunks in a step; at the root all sums add up.  To a leaf nothing comes in place of what
 *  it has sent: if it begins late it sends its last chunks first, of which its parent sends no share. */
static void choose_shares(struct start *s)
{
    struct rising *r = s->r;
    for (uint32_t p = 0; p < s->t->nodes; p++) {
        uint32_t rank = 1;
        for (uint32_t v = r->child[s->base + p]; v != NO_NODE; v = r->sibling[s->base + v], rank += !is_root(s, p))
            if (r->slot[s->base + v] > 1 && r->child[s->base + v] != NO_NODE) {
                r->ahead[s->base + v] = rank;
                need_chunks(r, (uint64_t)r->slot[s->base + v] - 1 + rank);
            }
    }
    for (uint32_t v = 0; v < s->t->nodes; v++) {
        size_t parent = s->base + parent_of(s, v);
        if (r->slot[s->base + v] > 1 && r->child[s->base + v] == NO_NODE)
            need_chunks(r, (uint64_t)r->slot[parent] + r->ahead[parent] + r->slot[s->base + v] - 2);
    }
}

rwa_status rising_find(struct rising *out, const struct disjoint_trees *t, bool early, rwa_error *err)
{
    size_t entries = (size_t)t->trees * t->nodes;
    struct start s = {.r = out, .t = t, .early = early};
    struct arena scratch = {.err = err};
    rwa_status st = RWA_OK;
    *out = (struct rising){.chunks = 1, .nodes = t->nodes};
    arena_new(&scratch, s.waiting, t->nodes);
    arena_new(&scratch, s.now, t->nodes);
    arena_new(&scratch, s.next, t->nodes);
    TRY(arena_status(&scratch));
    TRY(base_new(out->slot, entries, err));
    TRY(base_new(out->ahead, entries, err));
    TRY(base_new(out->child, entries, err));
    TRY(base_new(out->sibling, entries, err));
    memset(out->child, 0xff, entries * sizeof *out->child);
    for (uint32_t tree = 0; tree < t->trees; tree++) {
        s.base = (size_t)tree * t->nodes;
        begin_all(&s);
        if (early)
            choose_shares(&s);
    }
done:
    arena_free(&scratch);
    return st;
}

void rising_free(struct rising *r)
{
    free_all(r->slot, r->ahead, r->child, r->sibling);
}

uint64_t rising_chunk(const struct rising *r, uint32_t tree, uint32_t node, uint64_t step, uint64_t chunks)
{
    size_t at = (size_t)tree * r->nodes + node;
    uint32_t slot = r->slot[at];
    bool last_first = slot > 1 && r->child[at] == NO_NODE;
    if (slot == 0 || (step < slot && r->ahead[at] == 0 && !last_first))
        return UINT64_MAX;
    if (step < slot)
        return last_first ? chunks - slot + step : step - 1 + r->ahead[at];
    return step - slot < chunks - (last_first ? slot - 1 : 0) ? step - slot : UINT64_MAX;
}

/** The step in which a node sends a share of a chunk ahead of time; 0: it does not. */
static uint64_t share_step(const struct rising *r, size_t at, uint64_t chunk)
{
    uint64_t step = r->ahead[at] > 0 && chunk >= r->ahead[at] ? chunk + 1 - r->ahead[at] : 0;
    return step < r->slot[at] ? step : 0;
}

/** The step in which a child first sends something of a chunk, not before that one. */
static uint64_t first_from(const struct rising *r, size_t at, uint64_t chunk, uint64_t step)
{
    uint64_t share = share_step(r, at, chunk);
    return share >= step ? share : r->slot[at] + chunk;
}

rwa_op rising_op(const struct rising *r, const struct disjoint_trees *t, uint32_t tree, uint32_t node, uint64_t step, uint64_t chunk)
{
    size_t base = (size_t)tree * r->nodes;
    uint32_t parent = t->parent[base + node];
    uint64_t sent = share_step(r, base + parent, chunk);
    if (sent == 0 || step < sent)
        return RWA_REDUCE;
    for (uint32_t v = r->child[base + parent]; v != NO_NODE; v = r->sibling[base + v])
        if (first_from(r, base + v, chunk, sent) < step)
            return RWA_REDUCE;
    return RWA_COPY;
}
