/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The phases in which groups of participants exchange all their blocks.  Some cut a group into segments of consecutive
 * participants, of which the middle one is the leader. */
#include "scheme/compose/phases.h"

/** Write the phase `direct`: every participant of a group sends its blocks to every other one.  Partial sums must all
 * be sent in one step. */
static rwa_status run_direct(struct program *p, const struct parties *parties)
{
    bool split = parties->payload == PAYLOAD_SPLIT;
    for (size_t i = 0, more = 1; more > 0; i++) {
        more = 0;
        for (size_t g = 0; g < parties->groups; g++) {
            const struct party *from = &parties->party[parties->first[g] + i],
                               *end = &parties->party[parties->first[g + 1]];
            for (const struct party *to = &parties->party[parties->first[g]]; from < end && to < end; to++)
                if (to != from && program_lists(p, from->node))
                    MUST(program_send(p, from->node, to->node, &from->holds, split ? &to->needs : NULL));
            more += from + 1 < end;
        }
    }
    return parties->payload == PAYLOAD_SUM ? program_end_sums(p, true) : program_end_exchange(p);
}

/** Write an all-to-all in which blocks move from each participant to the next one, half of them in each direction
 * round a circle.  In step t, of `steps`, a participant passes on the blocks of the source t - 1 places behind it,
 * except those that are at their destinations. */
static rwa_status run_circles(struct program *p, const struct parties *parties, size_t steps)
{
    struct block_set set = {0};
    rwa_status st = RWA_OK;
    for (size_t t = 1; t <= steps; t++) {
        for (size_t i = 0; i < 2 * parties->count; i++) {
            size_t n = parties_of(parties, 0), at = i / 2 % n, on = i % 2 ? 1 : n - 1;
            size_t most = i % 2 ? n / 2 : (n - 1) / 2;
            const struct party *group = &parties->party[i / 2 - at], *owner = &group[(at + (n - on) * (t - 1)) % n];
            block_set_clear(&set);
            for (size_t k = t; k <= most; k++)
                TRY(block_set_join(&set, &group[(at + on * (k - t + 1)) % n].needs, p->err));
            TRY(program_send(p, group[at].node, group[(at + on) % n].node, &owner->holds, &set));
        }
        TRY(program_end_exchange(p));
    }
done:
    block_set_free(&set);
    return st;
}

/* ---- leaders ---- */

/** The number of blocks that all participants of a group together hold and need. */
struct totals {
    size_t group;
    uint64_t holds, needs;
};

static void add_up(struct totals *t, const struct parties *parties, size_t group)
{
    *t = (struct totals){.group = group};
    for (size_t i = parties->first[group]; i < parties->first[group + 1]; i++) {
        t->holds += parties->party[i].holds.count;
        t->needs += parties->party[i].needs.count;
    }
}

/** Collect in `set` the blocks that all participants of group t->group except participant `but` hold, or need if
 * `needs`.  If the program is only timed, just compute their number from `t`, the totals of the group. */
static rwa_status join_others(struct block_set *set, const struct program *p, const struct parties *parties,
                              const struct totals *t, bool needs, size_t but)
{
    const struct party *one = &parties->party[but];
    block_set_clear(set);
    if (!p->timed)
        return parties_join(set, parties, needs, parties->first[t->group], parties->first[t->group + 1], but, p->err);
    set->count = needs ? t->needs - one->needs.count : t->holds - one->holds.count;
    return RWA_OK;
}

/** Send those blocks of participant i that others need to the leader of its segment.  `i` and `leader` are indices in
 * parties->party, `t` has the totals of the group, and `set` is scratch. */
static rwa_status send_up(struct program *p, const struct parties *parties, const struct totals *t, size_t i,
                          size_t leader, struct block_set *set)
{
    const struct party *one = &parties->party[i];
    bool split = parties->payload == PAYLOAD_SPLIT;
    if (split)
        MUST(join_others(set, p, parties, t, true, i));
    return program_send(p, one->node, parties->party[leader].node, &one->holds, split ? set : NULL);
}

/** Send participant i, from the leader of its segment, the blocks of the group that it does not hold.  In a phase of
 * sums, send it the finished sums of the blocks that it holds.  `i` and `leader` are indices in parties->party, `t`
 * has the totals of the group, and `set` is scratch. */
static rwa_status send_down(struct program *p, const struct parties *parties, const struct totals *t, size_t i,
                            size_t leader, struct block_set *set)
{
    const struct party *one = &parties->party[i];
    bool sums = parties->payload == PAYLOAD_SUM;
    if (!sums)
        MUST(join_others(set, p, parties, t, false, i));
    return program_send(p, parties->party[leader].node, one->node, sums ? &one->holds : set,
                        parties->payload == PAYLOAD_SPLIT ? &one->needs : NULL);
}

static rwa_status send_in_segments(struct program *p, const struct parties *parties, uint32_t size, bool down)
{
    struct block_set set = {0};
    struct totals totals;
    rwa_status st = RWA_OK;
    for (struct segment s = {0}; segment_next(&s, parties, size);) {
        if (s.index == 1)
            add_up(&totals, parties, s.group);
        for (size_t i = s.from; i < s.to; i++)
            if (i != s.leader)
                TRY((down ? send_down : send_up)(p, parties, &totals, i, s.leader, &set));
    }
    TRY(parties->payload == PAYLOAD_SUM && !down ? program_end_sums(p, false) : program_end_exchange(p));
done:
    block_set_free(&set);
    return st;
}

/** Write the phase `leaders`: every segment sends its blocks to its leader, the leaders carry out the subterm, and each
 * leader informs its segment.  A program that is only timed adds the time of this last exchange before that of the
 * subterm, so that a time limit ends it earlier. */
static rwa_status run_leaders(struct program *p, const struct parties *parties, uint32_t size, carry_out *sub,
                              void *data)
{
    struct parties leaders = {0};
    rwa_status st = RWA_OK;
    TRY(send_in_segments(p, parties, size, false));
    if (p->timed)
        TRY(send_in_segments(p, parties, size, true));
    if (program_gives_up(p))
        goto done;
    TRY(parties_leaders(&leaders, parties, size, p->err));
    TRY(sub(data, p, &leaders, 0));
    if (!p->timed)
        TRY(send_in_segments(p, parties, size, true));
done:
    parties_free(&leaders);
    return st;
}

/** Bring the blocks of each segment to its leader, from the leaders of bundles, which collect them first. */
static rwa_status collect(struct program *p, const struct parties *parties, uint32_t size)
{
    struct block_set set = {0};
    rwa_status st = RWA_OK;
    for (int level = 0; level < 2; level++) {
        for (struct segment s = {0}; segment_next(&s, parties, size);)
            for (size_t i = s.from; i < s.to; i++) {
                struct segment b = segment_bundle(&s, i, rwa_network_channels(p->distances->net));
                size_t to = level ? s.leader : b.leader;
                if (i == to || (level && i != b.leader))
                    continue;
                block_set_clear(&set);
                TRY(parties_join(&set, parties, false, level ? b.from : i, level ? b.to : i + 1, SIZE_MAX, p->err));
                TRY(program_send(p, parties->party[i].node, parties->party[to].node, &set, NULL));
            }
        TRY(program_end_exchange(p));
    }
done:
    block_set_free(&set);
    return st;
}

/** Write the phase `positions`: first the participants at the same place of all segments carry out subterm 0, then each
 * segment carries out subterm 1. */
static rwa_status run_positions(struct program *p, const struct parties *parties, uint32_t size, carry_out *sub,
                                void *data)
{
    struct parties places = {0}, segments = {0};
    rwa_status st = RWA_OK;
    TRY(parties_at_places(&places, parties, size, p->err));
    TRY(parties_in_segments(&segments, parties, size, p->err));
    if (!program_gives_up(p))
        TRY(sub(data, p, &places, 0));
    if (!program_gives_up(p))
        TRY(sub(data, p, &segments, 1));
done:
    parties_free(&places);
    parties_free(&segments);
    return st;
}

/** Write the phase `sums`: carry out the subterm with partial sums in place of blocks; every participant contributes to
 * all blocks of its group.  Where these are to be reversed (not parties->sums), write nothing. */
static rwa_status run_sums(struct program *p, const struct parties *parties, carry_out *sub, void *data)
{
    struct parties full = {0};
    if (!parties->sums)
        return RWA_OK;
    rwa_status st = parties_with_sums(&full, parties, p->err);
    if (st == RWA_OK)
        st = sub(data, p, &full, 0);
    parties_free(&full);
    return st;
}

static bool stays_alike(const struct program *p, const struct parties *parties, const struct term *t)
{
    bool alone = t->phase == PHASE_DIRECT || (t->phase == PHASE_STEPS && parties->payload == PAYLOAD_COPY);
    return t->phase == PHASE_POSITIONS || (alone && parties_go_round(parties, p->distances->net));
}

rwa_status phase_run(struct program *p, const struct parties *parties, const struct term *t, carry_out *sub, void *data)
{
    if (p->alike && !stays_alike(p, parties, t)) {
        p->alike = false;
        p->time_s = INFINITY;
        return RWA_OK;
    }
    switch (t->phase) {
    case PHASE_STEPS:
        return parties->payload == PAYLOAD_SPLIT ? run_circles(p, parties, t->number[0])
                                                 : phase_roots(p, parties, 1, t->number[0]);
    case PHASE_ROOTS: /* if everyone gets all blocks, leaders have those of their segments from the start */
        MUST(parties->whole ? RWA_OK : collect(p, parties, t->number[0]));
        return phase_roots(p, parties, t->number[0], t->number[1]);
    case PHASE_LEADERS: return run_leaders(p, parties, t->number[0], sub, data);
    case PHASE_POSITIONS: return run_positions(p, parties, t->number[0], sub, data);
    case PHASE_SUMS: return run_sums(p, parties, sub, data);
    case PHASE_TREE: return phase_tree(p, parties, t);
    case PHASE_RELAYS: return phase_relays(p, parties, t->number[0]);
    default: return run_direct(p, parties);
    }
}

struct phase_writing {
    const struct composition *composition;
    const uint8_t *sub;
};

static rwa_status write_sub(void *data, struct program *p, const struct parties *parties, unsigned sub)
{
    const struct phase_writing *w = data;
    return phase_write(p, parties, w->composition, w->sub[sub]);
}

rwa_status phase_write(struct program *p, const struct parties *parties, const struct composition *c, uint8_t node)
{
    return phase_run(p, parties, &c->node[node], write_sub, &(struct phase_writing){c, c->node[node].sub});
}
