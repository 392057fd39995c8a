/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sums by the same dynamic program as all-gathers; what participants hold does not grow. */
#include "scheme/compose/search.h"

#include "base/arithmetic.h"

static rwa_status best_sums(struct choice *out, struct search *s, const struct parties *parties, unsigned depth, double limit_s);

static rwa_status try_direct_sums(struct choice *best, struct search *s, const struct parties *parties)
{
    double time_s;
    rwa_status st = RWA_OK;
    if (parties->times.mean * (double)(parties->count * (parties_of(parties, 0) - 1)) > exchange_most(s->c))
        return RWA_OK;
    TIMED(time_s, best->time_s, phase_direct_sums(&s->p, parties));
    keep_choice(best, &(struct term){.phase = PHASE_DIRECT}, NULL, NULL, time_s);
done:
    return st;
}

static rwa_status try_sums_of_leaders(struct choice *best, struct search *s, const struct parties *parties, uint32_t size, unsigned depth)
{
    struct parties leaders = {0};
    struct choice among;
    double fold_s, among_s = size < parties_of(parties, 0) ? s->p.prices.step_s : 0;
    rwa_status st = RWA_OK;
    if (best->time_s <= among_s)
        return RWA_OK;
    TIMED(fold_s, (best->time_s - among_s) / 2, phase_fold(&s->p, &leaders, parties, size));
    if (2 * fold_s + among_s >= best->time_s) /* sums come back as they went */
        goto done;
    TRY(best_sums(&among, s, &leaders, depth - 1, best->time_s - 2 * fold_s));
    keep_choice(best, &(struct term){.phase = PHASE_LEADERS, .number = {size}, .numbers = 1}, &among, NULL, 2 * fold_s + among.time_s);
done:
    parties_free(&leaders);
    return st;
}

/** Of the sums of shares within segments, which take as long as their all-gather, and of those at one place in between. */
static void least_of_shares(double *near_s, double *far_s, const struct search *s, const struct parties *parties, uint32_t size)
{
    uint64_t most = parties->party[0].holds.count;
    double near = 0, far = 0, step_s = s->p.prices.step_s + s->p.prices.block_s * (double)(most - ceil_div(most, size)) / (double)s->widest;
    for (size_t g = 0; g < parties->groups; g++) {
        double share = held_by(parties, g) / size;
        near += share * (size - 1);
        far += parties_of(parties, g) > size ? share : 0;
    }
    *near_s = fmax(step_s, least_carried(s, parties, near));
    *far_s = far > 0 ? least_carried(s, parties, far) : 0;
}

static rwa_status try_shares(struct choice *best, struct search *s, const struct parties *parties, uint32_t size, unsigned depth)
{
    struct parties share = {0}, part = {0};
    struct choice near, far;
    double near_s, far_s;
    rwa_status st = RWA_OK;
    least_of_shares(&near_s, &far_s, s, parties, size);
    if (2 * near_s + far_s >= best->time_s)
        return RWA_OK;
    TRY(parties_with_shares(&share, parties, size, s->c->err));
    TRY(parties_by_segments(&part, &share, size, s->c->err));
    TRY(parties_fold(&part, &s->p));
    TRY(best_all_gather(&near, s, &part, depth - 1, (best->time_s - far_s) / 2));
    if (2 * near.time_s + far_s >= best->time_s)
        goto done;
    parties_free(&part);
    TRY(parties_at_places(&part, &share, size, s->c->err));
    TRY(parties_fold(&part, &s->p));
    TRY(best_sums(&far, s, &part, depth - 1, best->time_s - 2 * near.time_s));
    keep_choice(best, &(struct term){.phase = PHASE_SHARES, .number = {size}, .numbers = 1}, &near, &far, 2 * near.time_s + far.time_s);
done:
    parties_free(&share);
    parties_free(&part);
    return st;
}

static rwa_status try_all_sums(struct choice *best, struct search *s, const struct parties *parties, unsigned depth)
{
    uint32_t n = (uint32_t)parties_of(parties, 0), size[SIZES];
    MUST(try_direct_sums(best, s, parties));
    if (depth == 0)
        return RWA_OK;
    size_t sizes = divisors(size, n);
    for (size_t i = 0; i < sizes; i++) {
        if (!divides_all(parties, size[i]))
            continue;
        MUST(try_positions(best, s, parties, size[i], depth, best_sums, parties_by_segments));
        MUST(try_shares(best, s, parties, size[i], depth));
    }
    sizes = segment_sizes(size, s, n);
    for (size_t i = 0; i < sizes; i++)
        MUST(try_sums_of_leaders(best, s, parties, size[i], depth));
    return RWA_OK;
}

static rwa_status best_sums(struct choice *out, struct search *s, const struct parties *parties, unsigned depth, double limit_s)
{
    struct key key = key_of(parties, depth, true);
    if (is_known_choice(out, s, parties, &key, limit_s))
        return RWA_OK;
    if (out->time_s >= limit_s)
        *out = (struct choice){.time_s = limit_s};
    MUST(try_all_sums(out, s, parties, depth));
    return remember(s, &key, out, limit_s);
}

/** Each participant begins with a partial sum of all blocks. */
rwa_status best_all_sums(struct choice *out, struct search *s, const struct parties *parties, double limit_s)
{
    struct parties full = {0};
    struct choice sums;
    rwa_status st = RWA_OK;
    *out = (struct choice){.time_s = INFINITY};
    TRY(parties_with_all(&full, parties, s->c->err));
    TRY(best_sums(&sums, s, &full, s->depth, limit_s));
    keep_choice(out, &(struct term){.phase = PHASE_SUMS}, &sums, NULL, sums.time_s);
done:
    parties_free(&full);
    return st;
}
