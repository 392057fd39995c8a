/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The quickest composition by loads: which terms a collective may take, and how finely blocks are cut. */
#include "scheme/compose/search.h"

#include "collective/needs.h"

/* ---- collectives ---- */

/** Keep a composition in s->best if it takes less time than the best one so far. */
static void keep_quicker(struct compose_search *s, const struct composition *composition, double time_s)
{
    if (composition->nodes == 0 || time_s >= s->best.time_s)
        return;
    s->best = (struct found){.composition = *composition, .time_s = time_s, .scale = s->scale};
    s->best.composition.rotated = s->rotated;
}

/** Search for the quickest composition of a collective with a root.  It is a tree or, if the length of lightpaths is
 * limited, relays over lightpaths of at most max_hops links, or half as many, a quarter … */
static rwa_status search_rooted(struct compose_search *s, const struct parties *parties)
{
    struct compose_choice best = {.time_s = s->best.time_s};
    MUST(try_trees(&best, s, parties));
    for (uint32_t links = s->p.max_hops; links > 0; links /= 2)
        MUST(try_term(&best, s, parties, term_of(PHASE_RELAYS, 1, links, 0), 0));
    keep_quicker(s, &best.composition, best.time_s);
    return RWA_OK;
}

/** Search among terms with at most `depth` levels of subterms.  An all-reduce carries out the term twice, as a
 * reduction and as an all-gather, so each of the two may take half the time limit. */
static rwa_status search_collective(struct compose_search *s, const struct parties *parties, unsigned depth)
{
    const double times = parties->sums ? 2 : 1;
    struct compose_choice best = {.time_s = s->best.time_s / times};
    if (rwa_collective_has_root(s->c->request->coll->kind))
        return depth == 1 ? search_rooted(s, parties) : RWA_OK;
    if (depth == 1 && parties->payload == PAYLOAD_COPY)
        MUST(try_roots(&best, s, parties));
    keep_quicker(s, &best.composition, times * best.time_s);
    MUST(best_term(&best, s, parties, depth, best.time_s));
    keep_quicker(s, &best.composition, times * best.time_s);
    return RWA_OK;
}

/** Search terms of each depth, with and without rotated dimensions of a grid.  Each of these searches gets a part of
 * the work limit.  Terms with few levels of subterms come first, since their times limit the later searches. */
static rwa_status search_depths(struct compose_search *s)
{
    struct parties parties = {0};
    rwa_status st = RWA_OK;
    for (unsigned depth = 1; depth <= DEPTH; depth++)
        for (int rotated = 0; rotated <= (s->c->turns > 1 && s->scale >= s->c->turns); rotated++) {
            s->rotated = rotated;
            s->p.work_most = WORK_MOST * (2.0 * depth - 1 + rotated) / (2 * DEPTH);
            TRY(composing_parties(&parties, s->c, rotated, s->scale, true));
            TRY(search_collective(s, &parties, depth));
            parties_free(&parties);
        }
done:
    parties_free(&parties);
    return st;
}

/* ---- scale ---- */

/** Set the number of parts into which each block is cut, and the cost of a step and of a part. */
static void set_prices(struct compose_search *s, uint64_t scale)
{
    const struct plan_request *request = s->c->request;
    const rwa_cost_options *cost = &request->opts->cost;
    const double step_s = s->step_s, part_bytes = scheme_block_bytes(request, s->c->units * scale);
    assert(isfinite(part_bytes));
    s->scale = scale;
    /* routes on listed links may differ */
    bool may_keep = cost->model != RWA_COST_PAPER && network_has_arcs(request->net);
    s->p.routed.step_s = step_s;
    s->p.routed.block_bytes = (uint64_t)part_bytes;
    s->p.routed.model = cost;
    s->p.kept_s = may_keep ? fmin(cost->alpha_s, step_s) : step_s;
}

static rwa_status time_at(struct found *out, struct compose_search *s, const struct composition *composition,
                          uint64_t scale)
{
    program_restart(&s->p, INFINITY);
    s->p.alike = s->alike;
    s->p.work_most = INFINITY;
    s->p.lightpaths = 0;
    set_prices(s, scale);
    MUST(composition_write(&s->p, composition, s->c, scale));
    *out = (struct found){.composition = *composition, .time_s = s->p.time_s, .lightpaths = s->p.lightpaths,
                          .scale = scale, .alike = s->alike};
    return RWA_OK;
}

/** Tell whether each block reaches all nodes (broadcast and all-gather): then every node needs at least one lightpath
 * per block. */
static bool is_spread(const struct composing *c)
{
    rwa_collective_kind kind = c->request->coll->kind;
    return !c->request->sums && (kind == RWA_BROADCAST || kind == RWA_ALL_GATHER);
}

/** Tell whether the checker can examine plans with each block cut into `scale` parts; larger plans are not made. */
static bool is_checked(const struct compose_search *s, double scale)
{
    /* of blocks for all, of which a lightpath brings many; of owners whose records stay whole, one stands for all */
    enum { SPREAD_HELD_MOST = HELD_MOST / 2 };
    const double at_one_node = 2147483648;
    const struct composing *c = s->c;
    double held = (double)c->request->coll->nodes * (double)c->units;
    double most = c->request->sums ? SUMS_HELD_MOST : is_spread(c) ? SPREAD_HELD_MOST : HELD_MOST;
    return scale * held <= (s->alike ? at_one_node : most);
}

/** Return the largest number of parts of a block to try: more parts would be too small, or too many for the checker.
 * If possible it is the number of channels times or divided by a power of 2, so that the channels of a link share the
 * parts evenly. */
static uint64_t largest_scale(const struct compose_search *s)
{
    enum { PART_BYTES = 64 };
    const struct composing *c = s->c;
    const rwa_collective *coll = c->request->coll;
    double half_more = is_spread(c) ? 1 : 1.5;
    bool whole = collective_message_is_whole(coll->kind) || coll->kind == RWA_ALL_TO_ALL;
    uint64_t bytes = coll->message_bytes / (whole ? coll->nodes : 1);
    uint64_t scale = rwa_network_channels(c->request->net), parts = 2 * scale; /* or half as many again */
    while (scale % 2 == 0)
        scale /= 2;
    if (scale * PART_BYTES > bytes || !is_checked(s, half_more * (double)scale))
        scale = 1;
    while (2 * scale <= parts && 2 * scale * PART_BYTES <= bytes && is_checked(s, 2 * half_more * (double)scale))
        scale *= 2;
    if (coll->kind == RWA_ALL_TO_ALL && scale < c->turns && c->turns * PART_BYTES <= bytes && is_checked(s, c->turns))
        scale = c->turns; /* a part for each rotation */
    return scale;
}

/** Return the number of parts to try after `scale`, in the order 1, 2, 3, 4, 6, 8, 12 … (2^k and 3 * 2^k), since many
 * degrees and sizes of networks divide such a number. */
static uint64_t next_scale(uint64_t scale)
{
    bool power = (scale & (scale - 1)) == 0;
    return scale == 1 ? 2 : power ? scale + scale / 2 : scale / 3 * 4;
}

/** Set out->least_s, a lower bound on the time of a plan of out->composition: every step is timed as if its lightpaths
 * stayed up from the step before, or were set up while others sent. */
static rwa_status find_least(struct found *out, struct compose_search *s)
{
    const struct plan_request *request = s->c->request;
    rwa_cost_prices floor;
    struct found least;
    MUST(rwa_cost_floor(&floor, rwa_network_rate_bps(request->net), &request->opts->cost, s->c->err));
    s->step_s = floor.step_s;
    MUST(time_at(&least, s, &out->composition, out->scale));
    out->least_s = floor.once_s + least.time_s;
    return RWA_OK;
}

/** Choose the number of parts of a block for the composition s->best, and time it there.  It is the smallest number
 * with which the composition takes at most 0.2 % longer than with `most` parts, or than with 1.5 * `most` parts if
 * these are quicker. */
static rwa_status choose_scale(struct compose_search *s, uint64_t most)
{
    const struct composition composition = s->best.composition;
    struct found next;
    MUST(time_at(&s->best, s, &composition, most));
    if (!is_spread(s->c) || is_checked(s, 1.5 * (double)most)) {
        MUST(time_at(&next, s, &composition, most + most / 2));
        if (next.time_s < s->best.time_s)
            s->best = next;
    }
    for (uint64_t scale = 1; scale < s->best.scale; scale = next_scale(scale)) {
        MUST(time_at(&next, s, &composition, scale));
        if (next.time_s <= 1.002 * s->best.time_s) {
            s->best = next;
            break;
        }
    }
    return RWA_OK;
}

/** Search with blocks cut as finely as the checker allows.  If all nodes may do the same, search again among the
 * compositions in which they do, unless these allow fewer parts. */
static rwa_status search_scales(struct compose_search *s)
{
    for (int alike = 0; alike <= s->c->may_be_alike; alike++) {
        uint64_t before = s->scale;
        s->alike = alike;
        set_prices(s, largest_scale(s));
        s->p.work = 0;
        memo_close(&s->memo);
        if (s->scale < before)
            continue;
        for (size_t i = 0; i < PARAMETER_SETS; i++) /* else the same roots stand there twice, and are built twice */
            s->roots[i] = (struct compose_choice){.time_s = INFINITY};
        MUST(search_depths(s));
    }
    return RWA_OK;
}

/** Copy to out->other the quickest compositions of the phase `roots` (s->roots), except those whose first term is that
 * of out->composition. */
static void add_others(struct found *out, const struct compose_search *s)
{
    size_t others = 0;
    for (size_t i = 0; i < PARAMETER_SETS && others < PARAMETER_SETS - 1; i++) {
        const struct composition *root = &s->roots[i].composition;
        if (root->nodes > 0 && memcmp(root->node, out->composition.node, sizeof *root->node) != 0)
            out->other[others++] = *root;
    }
}

rwa_status compose_search(struct found *out, const struct composing *c, const struct composition *given)
{
    const rwa_plan_options *o = c->request->opts;
    /* in the model `paper` no plan is quicker than its estimate; in the others hardly any takes less than half of it */
    const double most = o->cost.model == RWA_COST_PAPER ? 1 : 2;
    const double below_s = c->request->below_s > 0 ? most * c->request->below_s : INFINITY;
    struct compose_search s = {.c = c, .step_s = c->request->price.step_s,
                               .budget = base_budget(0, o->poll, o->poll_data), .best.time_s = below_s};
    rwa_status st = RWA_OK;
    s.p = (struct program){.timed = true, .distances = &c->distances, .routed.distances = &c->distances,
                           .max_hops = o->max_hops, .err = c->err, .budget = &s.budget};
    *out = (struct found){.time_s = INFINITY};
    if (given)
        s.best.composition = *given;
    else
        TRY(search_scales(&s));
    if (s.best.composition.nodes == 0) /* nothing suits */
        goto done;
    assert(composition_suits(&s.best.composition, c));
    TRY(composition_is_alike(&s.alike, &s.best.composition, c));
    TRY(choose_scale(&s, largest_scale(&s)));
    if (given || s.best.time_s < below_s)
        *out = s.best;
    if (!given && out->composition.node[0].phase == PHASE_ROOTS)
        add_others(out, &s);
    if (out->composition.nodes > 0)
        TRY(find_least(out, &s));
done:
    program_free(&s.p);
    memo_close(&s.memo);
    return st;
}
