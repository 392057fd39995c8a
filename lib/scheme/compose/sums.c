/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sums: partial sums of the same blocks are exchanged and added, so that messages do not grow. */
#include "scheme/compose/phases.h"

rwa_status phase_direct_sums(struct program *p, const struct parties *parties)
{
    p->op = RWA_REDUCE;
    p->at_once = true;
    rwa_status st = phase_direct(p, parties);
    p->op = RWA_COPY;
    p->at_once = false;
    return st;
}

/* ---- leaders ---- */

/** Between the leader of each segment and the others: towards it, or back. */
static rwa_status send_in_segments(struct program *p, const struct parties *parties, uint32_t size, bool back)
{
    p->times = parties->times;
    for (size_t g = 0; g < parties->groups; g++) {
        size_t n = parties_of(parties, g), segments = segments_of(n, size);
        for (size_t k = 0; k < segments; k++) {
            size_t from = parties->first[g] + segment_start(n, segments, k), to = parties->first[g] + segment_start(n, segments, k + 1);
            const struct party *leader = &parties->party[segment_leader(from, to)];
            for (const struct party *one = parties->party + from; one < parties->party + to; one++)
                if (one != leader)
                    MUST(program_send(p, back ? leader->node : one->node, back ? one->node : leader->node, &one->holds));
        }
    }
    return program_end_exchange(p);
}

static rwa_status take_leaders(struct parties *leaders, const struct parties *parties, uint32_t size, rwa_error *err)
{
    MUST(parties_create(leaders, parties->count, parties->groups, err));
    for (size_t g = 0; g < parties->groups; g++) {
        size_t n = parties_of(parties, g), segments = segments_of(n, size);
        for (size_t k = 0; k < segments; k++) {
            size_t from = parties->first[g] + segment_start(n, segments, k), to = parties->first[g] + segment_start(n, segments, k + 1);
            const struct party *leader = &parties->party[segment_leader(from, to)];
            MUST(block_set_join(&parties_add(leaders, leader->node)->holds, &leader->holds, err));
        }
        parties_end_group(leaders);
    }
    leaders->cycle = parties->cycle && parties_of(parties, 0) % size == 0;
    leaders->times = parties->times;
    return RWA_OK;
}

rwa_status phase_fold(struct program *p, struct parties *leaders, const struct parties *parties, uint32_t size)
{
    rwa_status st = RWA_OK;
    p->op = RWA_REDUCE;
    TRY(send_in_segments(p, parties, size, false));
    TRY(take_leaders(leaders, parties, size, p->err));
done:
    p->op = RWA_COPY;
    return st;
}

static rwa_status write_sums_of_leaders(struct program *p, const struct parties *parties, const struct composition *c, const struct term *t)
{
    struct parties leaders = {0};
    rwa_status st = RWA_OK;
    TRY(phase_fold(p, &leaders, parties, t->number[0]));
    TRY(write_sums(p, &leaders, c, t->sub[0]));
    TRY(send_in_segments(p, parties, t->number[0], true));
done:
    parties_free(&leaders);
    return st;
}

/* ---- positions and shares ---- */

rwa_status parties_with_shares(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err)
{
    MUST(parties_create(out, parties->count, parties->groups, err));
    for (size_t g = 0; g < parties->groups; g++) {
        for (size_t i = 0; i < parties_of(parties, g); i++) {
            const struct party *one = &parties->party[parties->first[g] + i];
            uint64_t from = one->holds.count * (i % size) / size, to = one->holds.count * (i % size + 1) / size;
            MUST(block_set_slice(&parties_add(out, one->node)->holds, &one->holds, from, to - from, err));
        }
        parties_end_group(out);
    }
    out->cycle = parties->cycle;
    out->times = parties->times;
    return RWA_OK;
}

static rwa_status write_shares(struct program *p, const struct parties *parties, const struct composition *c, const struct term *t)
{
    struct parties share = {0}, segments = {0}, places = {0};
    size_t from = p->steps;
    rwa_status st = RWA_OK;
    TRY(parties_with_shares(&share, parties, t->number[0], p->err));
    TRY(parties_by_segments(&segments, &share, t->number[0], p->err));
    TRY(parties_fold(&segments, p));
    TRY(parties_at_places(&places, &share, t->number[0], p->err));
    TRY(parties_fold(&places, p));
    TRY(write_all_gather(p, &segments, c, t->sub[0]));
    program_reverse(p, from, RWA_REDUCE);
    TRY(write_sums(p, &places, c, t->sub[1]));
    TRY(write_all_gather(p, &segments, c, t->sub[0]));
done:
    parties_free(&share);
    parties_free(&segments);
    parties_free(&places);
    return st;
}

rwa_status write_sums(struct program *p, const struct parties *parties, const struct composition *c, uint8_t node)
{
    const struct term *t = &c->node[node];
    switch (t->phase) {
    case PHASE_LEADERS:
        return write_sums_of_leaders(p, parties, c, t);
    case PHASE_POSITIONS:
        return write_positions(p, parties, c, t, write_sums, parties_by_segments);
    case PHASE_SHARES:
        return write_shares(p, parties, c, t);
    default:
        assert(t->phase == PHASE_DIRECT);
        return phase_direct_sums(p, parties);
    }
}
