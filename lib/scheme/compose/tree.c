/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/phases.h"

#include <stdlib.h>

/** Participants from … to - 1, for which the holder among them is responsible. */
struct segment {
    size_t from, to, holder;
};

struct tree {
    struct program *p;
    const struct parties *parties;
    const struct block_set *all;
    struct segment *now, *next; /* of the level under way, and of the next */
    size_t have, made;
    struct block_set scratch;
};

static rwa_status send_segment(struct tree *t, const struct segment *s, size_t holder)
{
    const struct party *party = t->parties->party;
    rwa_status st = RWA_OK;
    if (t->all)
        return program_send(t->p, party[holder].node, party[s->holder].node, t->all);
    block_set_clear(&t->scratch);
    TRY(parties_join(&t->scratch, t->parties, s->from, s->to, SIZE_MAX, t->p->err));
    TRY(program_send(t->p, party[holder].node, party[s->holder].node, &t->scratch));
done:
    return st;
}

static rwa_status split_segment(struct tree *t, const struct segment *s, uint32_t fan)
{
    size_t count = s->to - s->from, parts = fan < count ? fan : count;
    rwa_status st = RWA_OK;
    for (size_t k = 0; k < parts; k++) {
        struct segment part = {s->from + segment_start(count, parts, k), s->from + segment_start(count, parts, k + 1), s->holder};
        bool own = s->holder >= part.from && s->holder < part.to;
        part.holder = own ? s->holder : (part.from + part.to - 1) / 2;
        if (!own)
            TRY(send_segment(t, &part, s->holder));
        t->next[t->made++] = part;
    }
done:
    return st;
}

rwa_status phase_tree(struct program *p, const struct parties *parties, size_t root, const struct block_set *all, const uint32_t *fan,
                      unsigned levels)
{
    struct tree t = {.p = p, .parties = parties, .all = all};
    rwa_status st = RWA_OK;
    assert(parties->groups == 1 && root < parties->count);
    t.now = base_array(parties->count, sizeof *t.now, p->err);
    t.next = base_array(parties->count, sizeof *t.next, p->err);
    TRY(t.now && t.next ? RWA_OK : RWA_NOMEM);
    t.now[t.have++] = (struct segment){0, parties->count, root};
    for (unsigned level = 0; t.have < parties->count; level++) { /* the last fan again, until all are single */
        t.made = 0;
        for (size_t i = 0; i < t.have; i++)
            TRY(split_segment(&t, &t.now[i], fan[level < levels ? level : levels - 1]));
        TRY(program_end_exchange(p));
        struct segment *old = t.now;
        t.now = t.next;
        t.next = old;
        t.have = t.made;
    }
done:
    block_set_free(&t.scratch);
    free(t.now);
    free(t.next);
    return st;
}
