/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/phases.h"

/** Participants from … to - 1, for which the holder among them is responsible. */
struct branch {
    size_t from, to, holder, group;
};

struct tree {
    struct program *p;
    const struct parties *parties;
    struct block_set *all;      /* of each group; NULL: participants are sent what they hold */
    struct branch *now, *next; /* of the level under way, and of the next */
    size_t have, made;
    struct block_set scratch;
};

static rwa_status send_segment(struct tree *t, const struct branch *s, size_t holder)
{
    const struct party *party = t->parties->party;
    if (t->all)
        return program_send(t->p, party[holder].node, party[s->holder].node, &t->all[s->group], NULL);
    block_set_clear(&t->scratch);
    MUST(parties_join(&t->scratch, t->parties, false, s->from, s->to, SIZE_MAX, t->p->err));
    return program_send(t->p, party[holder].node, party[s->holder].node, &t->scratch, NULL);
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

static rwa_status begin_tree(struct tree *t, const size_t *root, bool whole)
{
    const struct parties *parties = t->parties;
    t->now = base_array(parties->count, sizeof *t->now, t->p->err);
    t->next = base_array(parties->count, sizeof *t->next, t->p->err);
    t->all = whole ? base_array(parties->groups, sizeof *t->all, t->p->err) : NULL;
    MUST(t->now && t->next && (t->all || !whole) ? RWA_OK : RWA_NOMEM);
    for (size_t g = 0; g < parties->groups; g++) {
        size_t from = parties->first[g], to = parties->first[g + 1];
        assert(root[g] < to - from);
        t->now[t->have++] = (struct branch){from, to, from + root[g], g};
        if (whole)
            MUST(parties_join(&t->all[g], parties, false, from, to, SIZE_MAX, t->p->err));
    }
    return RWA_OK;
}

static void end_tree(struct tree *t)
{
    for (size_t g = 0; t->all && g < t->parties->groups; g++)
        block_set_free(&t->all[g]);
    free(t->all);
    block_set_free(&t->scratch);
    free_all(t->now, t->next);
}

rwa_status phase_tree(struct program *p, const struct parties *parties, const uint32_t *fan, unsigned levels)
{
    struct tree t = {.p = p, .parties = parties};
    rwa_status st = RWA_OK;
    TRY(begin_tree(&t, parties->root, parties->whole));
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
    end_tree(&t);
    return st;
}
