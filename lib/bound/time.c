/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bound on time, whatever is striped or merged: bytes are split as finely as one likes, so that only link-channels
 * times time count; more steps allow shorter ways (broadcast-tree) but each costs its share.  docs/bounds.md, "Time".
 */
#include "bound/bound.h"

#include <math.h>

static const double rounding = 1e-12;

/** Blocks of equal size, whatever stripes or merged blocks a schedule makes of them; owners as the collective has them. */
struct payload {
    rwa_collective coll;
    double block_bytes;
};

/** At least so many bytes were asked for; blocks read from a file may be rounded up. */
static double all_bytes(const rwa_collective *coll)
{
    bool whole = coll->kind == RWA_ALL_REDUCE || coll->kind == RWA_REDUCE_SCATTER || coll->kind == RWA_BROADCAST;
    if (coll->message_bytes > 0)
        return (double)coll->message_bytes * (whole ? 1 : coll->nodes);
    return (double)(coll->block_bytes - 1) * (double)coll->blocks + 1;
}

static struct payload payload_of(const rwa_collective *coll)
{
    double bytes = all_bytes(coll);
    struct payload p = {*coll, 0};
    switch (coll->kind) {
    case RWA_ALL_TO_ALL:
    case RWA_ALL_REDUCE:
    case RWA_BROADCAST: /* how many blocks there are says nothing about who has what */
        p.coll.blocks = rwa_collective_default_blocks(coll->kind, coll->nodes);
        break;
    default: /* equal owners own one block each, others as many as they do */
        if (coll->blocks % coll->nodes == 0)
            p.coll.blocks = coll->nodes;
    }
    p.block_bytes = bytes / (double)p.coll.blocks;
    return p;
}

struct search {
    const struct bound_case *c;
    const rwa_cost_prices *floor;
    double block_bytes;
    double passing;         /* blocks that must pass somewhere, by what passes there in a step */
    double best;
};

static double seconds_of(const struct search *s, uint64_t steps, double share)
{
    return s->floor->once_s + s->floor->step_s * (double)steps + s->floor->byte_s * s->block_bytes * share;
}

static double share_of(const struct search *s, const struct spheres *spheres)
{
    struct tree_need need = tree_need(spheres, s->c);
    double share = (double)need.cost / (double)need.room;
    return share > s->passing ? share : s->passing;
}

/** Take one number of steps into account. @return false when more steps cannot be better */
static bool consider(struct search *s, uint64_t steps, double share, double least_share)
{
    double seconds = seconds_of(s, steps, share);
    if (seconds < s->best)
        s->best = seconds;
    return share > least_share && seconds_of(s, steps + 1, least_share) < s->best;
}

/** Over all numbers of steps from the fewest on; from as many as there are nodes, all lightpaths may be one link long. */
static rwa_status search_steps(struct search *s, uint64_t fewest, rwa_error *err)
{
    enum { POLL_EVERY = 65536 };
    struct spheres last = spheres_of(s->c->nodes, s->c->drops);
    double least_share = share_of(s, &last);
    bool hops = s->c->max_hops < bound_farthest(s->c), more = s->floor->step_s > 0;
    struct hop_spheres limited = {0};
    rwa_status st = hops && more ? hop_spheres_open(&limited, s->c->max_hops, s->c->drops, 2 * s->c->nodes, err) : RWA_OK;
    if (!more)
        consider(s, 0, least_share, least_share);
    for (uint64_t steps = 1; st == RWA_OK && more; steps++) {
        if (hops)
            hop_spheres_step(&limited);
        if (steps < fewest)
            continue;
        struct spheres spheres = hops ? hop_spheres_view(&limited) : spheres_of(steps, s->c->drops);
        more = consider(s, steps, share_of(s, &spheres), least_share) && steps < s->c->nodes;
        if (steps % POLL_EVERY == 0 && base_must_stop(s->c->budget, "bound on time", -1))
            st = base_fail(err, RWA_CANCELLED, "stopped while computing the bound on time");
    }
    hop_spheres_close(&limited);
    return st;
}

static rwa_status load_of(struct search *s, rwa_error *err)
{
    struct bound_load l = {0};
    rwa_status st = cut_load(&l, s->c, CUT_BLOCKS, err);
    if (st == RWA_OK)
        st = distance_load(&l, s->c, err);
    s->passing = l.share;
    return st;
}

rwa_status rwa_bound_time(double *seconds, const rwa_network *net, const rwa_collective *coll,
                          const rwa_cost_prices *floor, const rwa_bound_options *opts, rwa_error *err)
{
    base_begin(err);
    struct payload payload = payload_of(coll);
    struct bound_case c = {0};
    rwa_bound_options o;
    rwa_status st = RWA_OK;
    *seconds = 0;
    rwa_bound_options_init(&o);
    TRY(base_take_options(&o, sizeof o, opts, "bound options", err));
    o.lightpath_blocks = 1; /* merged blocks take longer steps, which is counted in bytes */
    struct budget budget = base_budget(0, o.poll, o.poll_data);
    TRY(bound_case_open(&c, net, &payload.coll, &o, &budget, err));
    struct search s = {&c, floor, payload.block_bytes, 0, INFINITY};
    TRY(load_of(&s, err));
    uint64_t fewest;
    TRY(pairs_steps(&fewest, &c, err));
    fewest = bound_max(fewest, spread_steps(&c));
    if (c.arcs && bound_is_spread(&c))
        TRY(search_steps(&s, fewest, err));
    else
        consider(&s, fewest > 0 ? fewest : 1, s.passing, s.passing);
    *seconds = s.best * (1 - rounding);
done:
    bound_case_close(&c);
    return st;
}
