/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which candidates there are: schemes, whole, striped or merged, in group sizes and numbers of blocks. */
#include "plan/candidates.h"

static rwa_status add_candidate(struct candidates *c, const struct plan_task *t, const struct scheme *scheme, uint32_t stripes,
                                uint32_t blocks, uint32_t group, rwa_error *err)
{
    rwa_plan_options o = *t->opts;
    rwa_status st = base_grow((void **)&c->list, &c->capacity, c->count + 1, sizeof *c->list, err);
    struct attempt *a = st == RWA_OK ? base_array(1, sizeof *a, err) : NULL;
    if (!a)
        return RWA_NOMEM;
    o.stripes = stripes;
    o.lightpath_blocks = scheme_has(scheme, LIMITS_LOAD) ? t->opts->lightpath_blocks : blocks;
    o.group = group;
    attempt_open(a, scheme, scheme_has(scheme, SEARCHES) && t == c->task ? &c->searching : t, &o);
    assert(c->count < c->capacity && stripes >= 1 && blocks >= 1);
    c->list[c->count++] = (struct candidate){.attempt = a, .stripes = stripes, .lightpath_blocks = 1};
    return RWA_OK;
}

/** In each number of blocks that the scheme offers beside its own, which the last candidate has. */
static rwa_status add_cuts(struct candidates *c, const struct scheme *scheme, rwa_error *err)
{
    const rwa_collective *whole = c->task->coll;
    const struct attempt *any = c->list[c->count - 1].attempt;
    for (size_t i = 0; any->jobs > 0 && i < any->job[0].estimate.cuts; i++) {
        c->cut[i] = *c->task;
        c->cut[i].coll = &c->cut_coll[i];
        c->cut[i].below_s = 0; /* far from what is of interest its first try ends all, though others may come there */
        MUST(rwa_collective_init(&c->cut_coll[i], whole->kind, whole->nodes, whole->root, whole->message_bytes,
                                 any->job[0].estimate.cut[i], err));
        MUST(add_candidate(c, &c->cut[i], scheme, 1, 1, 0, err));
        c->list[c->count - 1].cut = true;
    }
    return RWA_OK;
}

/** Doubling, each number as large as the channels of its stripes allow, to as many as there are channels: but a wavefront on one channel
 *  would only be ring-striped, which other limits may refuse. */
static rwa_status add_striped(struct candidates *c, const struct plan_task *t, const struct scheme *scheme, rwa_error *err)
{
    uint32_t most = stripes_most(t->net) / (scheme_has(scheme, MERGES) && !task_may_refuse(c->task) ? 2 : 1);
    rwa_status st = RWA_OK;
    for (uint32_t s = 2; s <= most && st == RWA_OK; s++)
        st = !stripes_are_round(t, s) ? RWA_OK : add_candidate(c, t, scheme, s, 1, t->opts->group, err);
    return st;
}

rwa_status candidates_list(struct candidates *c, const struct plan_task *t, const struct scheme *searching, rwa_error *err)
{
    const struct scheme *scheme;
    uint32_t stripes = t->opts->stripes ? t->opts->stripes : 1, blocks = t->opts->lightpath_blocks ? t->opts->lightpath_blocks : 1;
    bool open = scheme_is_open(t->opts), merging = open && blocks > 1 && merging_scheme(t->net, t->coll);
    size_t at = 0;
    MUST(pick_scheme(&scheme, &at, t, err));
    do {
        if ((searching ? scheme != searching : scheme_has(scheme, SEARCHES)) || is_unwanted(scheme, t))
            continue;
        if ((merging && !scheme_has(scheme, MERGES)) || (open && !scheme_reads_shape(scheme, t)) || is_left_out(scheme, t))
            continue;
        MUST(add_candidate(c, t, scheme, stripes, blocks, t->opts->group, err));
        if (open && t == c->task && stripes == 1 && blocks == 1)
            MUST(add_cuts(c, scheme, err));
        if (may_stripe(scheme, t))
            MUST(add_striped(c, t, scheme, err));
    } while (pick_scheme(&scheme, &at, t, NULL) == RWA_OK);
    return RWA_OK;
}
