/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/phases.h"

/** Participants from … to - 1, for which the holder among them is responsible. */
struct branch {
    size_t from, to, holder, group;
};

struct tree {
    struct program *p;
    const struct parties *parties;
    struct block_set *set;      /* of each group: all blocks, where participants get these; else scratch */
    struct branch *now, *next; /* of the level under way, and of the next */
    size_t have, made;
};

static rwa_status send_segment(struct tree *t, const struct branch *s, size_t holder)
{
    const struct party *party = t->parties->party;
    struct block_set *set = &t->set[s->group];
    if (!t->parties->whole) {
        block_set_clear(set);
        MUST(parties_join(set, t->parties, false, s->from, s->to, SIZE_MAX, t->p->err));
    }
    return program_send(t->p, party[holder].node, party[s->holder].node, set, NULL);
}

static rwa_status split_segment(struct tree *t, const struct branch *s, uint32_t fan)
{
    size_t count = s->to - s->from, parts = fan < count ? fan : count;
    for (size_t k = 0; k < parts; k++) {
        struct branch part = {s->from + segment_start(count, parts, k), s->from + segment_start(count, parts, k + 1), s->holder, s->group};
        bool own = s->holder >= part.from && s->holder < part.to;
        part.holder = own ? s->holder : (part.from + part.to - 1) / 2;
        if (!own)
            MUST(send_segment(t, &part, s->holder));
        t->next[t->made++] = part;
    }
    return RWA_OK;
}

rwa_status phase_tree(struct program *p, const struct parties *parties, const uint32_t *fan, unsigned levels)
{
    struct tree t = {.p = p, .parties = parties, .have = parties->groups};
    rwa_status st = RWA_OK;
    TRY(base_new(t.now, parties->count, p->err));
    TRY(base_new(t.next, parties->count, p->err));
    TRY(base_new(t.set, parties->groups, p->err));
    for (size_t g = 0; g < parties->groups; g++) {
        t.now[g] = (struct branch){parties->first[g], parties->first[g + 1], parties_root(parties, g), g};
        if (parties->whole)
            TRY(parties_join(&t.set[g], parties, false, t.now[g].from, t.now[g].to, SIZE_MAX, p->err));
    }
    for (unsigned level = 0; t.have < parties->count; level++) { /* the last fan again, until all are single */
        t.made = 0;
        for (size_t i = 0; i < t.have; i++)
            TRY(split_segment(&t, &t.now[i], fan[level < levels ? level : levels - 1]));
        TRY(program_end_exchange(p));
        struct branch *old = t.now;
        t.now = t.next;
        t.next = old;
        t.have = t.made;
    }
done:
    for (size_t g = 0; t.set && g < parties->groups; g++)
        block_set_free(&t.set[g]);
    free_all(t.now, t.next, t.set);
    return st;
}
