/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The quickest composition by loads: which terms a collective may take, in which order of participants, and how finely blocks are cut. */
#include "scheme/compose/search.h"

#include "collective/needs.h"

/** A composition is of use that takes hardly longer than the quickest so far. */
static double useful_s(const struct search *s)
{
    return WORTH_SCALING * fmin(s->below_s, s->count > 0 ? s->found[0].time_s : INFINITY);
}

/* ---- collectives ---- */

/** Whether a composition was found before: searches of other depths and orders meet the same one again. */
static bool is_found(const struct search *s, const struct composition *c)
{
    char text[TERM_TEXT], other[TERM_TEXT];
    composition_print(text, c);
    for (size_t k = 0; k < s->count; k++) {
        composition_print(other, &s->found[k].composition);
        if (strcmp(text, other) == 0)
            return true;
    }
    return false;
}

/** Keep a composition of one or two terms. */
static void keep_found(struct search *s, const struct choice *a, const struct choice *b, double time_s)
{
    struct found next = {.composition = a->composition, .time_s = time_s, .scale = s->scale};
    size_t at = s->count;
    next.composition.clusters = s->order.clusters;
    next.composition.rotated = s->order.rotated;
    if (a->composition.nodes == 0 || (b && b->composition.nodes == 0) || !(time_s < WORTH_SCALING * s->below_s) ||
        (b && !composition_add(&next.composition, &b->composition)) || is_found(s, &next.composition))
        return;
    while (at > 0 && time_s < s->found[at - 1].time_s)
        at--;
    if (at == KEPT)
        return;
    s->count += s->count < KEPT;
    for (size_t k = s->count - 1; k > at; k--)
        s->found[k] = s->found[k - 1];
    s->found[at] = next;
}

/** From or to a root: a tree; where lightpaths have few links, relays over so many, and fewer, so that none has too many to send to. */
static rwa_status search_rooted(struct search *s, struct parties *parties)
{
    struct choice best = {.time_s = useful_s(s)};
    MUST(try_trees(&best, s, parties, false));
    for (uint32_t links = s->p.max_hops; links > 0; links /= 2)
        MUST(try_term(&best, s, parties, term_of(PHASE_RELAYS, 1, links, 0), 0));
    keep_found(s, &best, NULL, best.time_s);
    return RWA_OK;
}

/** Trees that carry whole messages, and what follows or precedes them. */
static rwa_status search_trees(struct search *s, struct parties *parties, struct choice *scatter)
{
    rwa_collective_kind kind = s->c->request->coll->kind;
    struct choice spread = {.time_s = useful_s(s)};
    MUST(try_trees(&spread, s, parties, true));
    if (kind == RWA_BROADCAST || kind == RWA_ALL_REDUCE)
        keep_found(s, &spread, NULL, (kind == RWA_ALL_REDUCE ? 2 : 1) * spread.time_s);
    if (kind == RWA_ALL_REDUCE)
        return RWA_OK;
    scatter->time_s = useful_s(s);
    MUST(try_trees(scatter, s, parties, false));
    if (kind == RWA_REDUCE_SCATTER)
        keep_found(s, &spread, scatter, spread.time_s + scatter->time_s);
    return RWA_OK;
}

static rwa_status search_sums(struct search *s, const struct parties *parties, unsigned depth)
{
    struct parties full = {0};
    struct choice best, sums = {0};
    struct term t = {.phase = PHASE_SUMS};
    rwa_status st = RWA_OK;
    TRY(parties_with_sums(&full, parties, s->c->err));
    TRY(best_term(&best, s, &full, depth, useful_s(s)));
    if (best.composition.nodes > 0 && term_join(&sums.composition, &t, &best.composition, NULL))
        keep_found(s, &sums, NULL, best.time_s);
done:
    parties_free(&full);
    return st;
}

/** Terms of so many levels, with participants in one order. */
static rwa_status search_collective(struct search *s, struct parties *parties, unsigned depth)
{
    const rwa_collective_kind kind = s->c->request->coll->kind;
    const bool rooted = kind == RWA_SCATTER, sums = kind == RWA_ALL_REDUCE || kind == RWA_REDUCE_SCATTER;
    const double work_most = s->p.work_most;
    struct choice scatter = {0}, best;
    if (rooted)
        return depth == 1 ? search_rooted(s, parties) : RWA_OK;
    if (kind == RWA_BROADCAST || (sums && depth == 1))
        MUST(search_trees(s, parties, &scatter));
    if (kind == RWA_BROADCAST && scatter.composition.nodes == 0)
        return RWA_OK;
    s->p.work_most = sums ? (s->p.work + work_most) / 2 : work_most;
    double twice = kind == RWA_ALL_REDUCE ? 2 : 1, before_s = kind == RWA_BROADCAST ? scatter.time_s : 0;
    parties->whole = kind == RWA_ALL_REDUCE;
    if (depth == 1 && parties->payload == PAYLOAD_COPY) {
        best = (struct choice){.time_s = (useful_s(s) - before_s) / twice};
        MUST(try_roots(&best, s, parties));
        keep_found(s, kind == RWA_BROADCAST ? &scatter : &best, kind == RWA_BROADCAST ? &best : NULL, before_s + twice * best.time_s);
    }
    MUST(best_term(&best, s, parties, depth, (useful_s(s) - before_s) / twice));
    keep_found(s, kind == RWA_BROADCAST ? &scatter : &best, kind == RWA_BROADCAST ? &best : NULL, before_s + twice * best.time_s);
    s->p.work_most = work_most;
    return sums ? search_sums(s, parties, depth) : RWA_OK;
}

/** By each order, rotated and not, with as much work each; terms of few levels first, which tell how much time others may take. */
static rwa_status search_orders(struct search *s)
{
    const struct composing *c = s->c;
    struct parties parties = {0};
    double runs = 0;
    rwa_status st = RWA_OK;
    for (unsigned depth = 1; depth <= DEPTH; depth++)
        for (int kind = 0; kind < ORDER_KINDS; kind++)
            for (int rotated = 0; rotated < 2; rotated++) {
                s->order = (struct composition){.clusters = kind == ORDER_CLUSTERS, .rotated = rotated};
                s->p.work_most = WORK_MOST * ++runs / (2 * ORDER_KINDS * DEPTH);
                if (!c->order[kind][0] || (rotated && (c->turns == 1 || s->scale < c->turns)))
                    continue;
                TRY(composing_parties(&parties, c, &s->order, s->scale, true));
                TRY(search_collective(s, &parties, depth));
                parties_free(&parties);
            }
done:
    parties_free(&parties);
    return st;
}

/* ---- scale ---- */

/** Blocks are cut into so many parts. */
static void set_prices(struct search *s, uint64_t scale)
{
    const rwa_collective *coll = s->c->request->coll;
    const rwa_cost_prices *price = &s->c->request->price;
    const rwa_cost_options *cost = &s->c->request->opts->cost;
    rwa_collective cut = *coll;
    rwa_status st = rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, s->c->units, NULL);
    assert(st == RWA_OK);
    (void)st;
    double block_s = price->byte_s * (double)cut.block_bytes / (double)scale;
    bool may_keep = cost->model != RWA_COST_PAPER && network_has_arcs(s->c->request->net); /* routes on listed links may differ */
    s->scale = scale;
    s->p.prices = (struct prices){.step_s = price->step_s, .block_s = block_s,
                                  .kept_s = may_keep ? fmin(cost->alpha_s, price->step_s) : price->step_s,
                                  .hop_s = block_s / (double)s->c->distances.channels};
}

static rwa_status time_at(struct found *out, struct search *s, const struct composition *composition, uint64_t scale)
{
    program_restart(&s->p, INFINITY);
    s->p.work_most = INFINITY;
    s->p.lightpaths = 0;
    set_prices(s, scale);
    MUST(composition_write(&s->p, composition, s->c, scale));
    *out = (struct found){.composition = *composition, .time_s = s->p.time_s, .lightpaths = s->p.lightpaths, .scale = scale};
    return RWA_OK;
}

/** Whether each block reaches all nodes: a lightpath, or more, for each of them. */
static bool is_spread(const struct composing *c)
{
    rwa_collective_kind kind = c->request->coll->kind;
    return !c->request->sums && (kind == RWA_BROADCAST || kind == RWA_ALL_GATHER);
}

/** Whether so many parts are not too many to check: the planner leaves out what is. */
static bool is_checked(const struct composing *c, double scale)
{
    double held = (double)c->request->coll->nodes * (double)c->units, most = c->request->sums ? 1 << 24 : is_spread(c) ? 1 << 27 : 1 << 28;
    return scale * held <= most;
}

/** Parts of a block beyond which cutting finer gains nothing: of few bytes, or too many to check.  The channels of a link share them
 *  evenly. */
static uint64_t largest_scale(const struct composing *c)
{
    enum { PART_BYTES = 64 };
    const rwa_collective *coll = c->request->coll;
    double held = (double)coll->nodes * (double)c->units, half_more = is_spread(c) ? 1 : 1.5;
    bool whole = collective_message_is_whole(coll->kind) || coll->kind == RWA_ALL_TO_ALL;
    uint64_t bytes = coll->message_bytes / (whole ? coll->nodes : 1);
    uint64_t scale = rwa_network_channels(c->request->net), parts = 2 * scale; /* or half as many again */
    while (scale % 2 == 0)
        scale /= 2;
    if (scale * PART_BYTES > bytes || !is_checked(c, half_more * (double)scale))
        scale = 1;
    while (2 * scale <= parts && 2 * scale * PART_BYTES <= bytes && is_checked(c, 2 * half_more * (double)scale))
        scale *= 2;
    if (coll->kind == RWA_ALL_TO_ALL && scale < c->turns && c->turns * PART_BYTES <= bytes && c->turns * held <= (double)(1ULL << 31))
        scale = c->turns; /* a part for each rotation */
    return scale;
}

/** 1, 2, 3, 4, 6, 8, 12 …: degrees and sizes of networks divide some of them. */
static uint64_t next_scale(uint64_t scale)
{
    bool power = (scale & (scale - 1)) == 0;
    return scale == 1 ? 2 : power ? scale + scale / 2 : scale / 3 * 4;
}

/** As few parts as take hardly longer. */
static rwa_status choose_scale(struct search *s, struct found *found, uint64_t most)
{
    const struct composition composition = found->composition;
    struct found next;
    MUST(time_at(found, s, &composition, most));
    if (!is_spread(s->c) || is_checked(s->c, 1.5 * (double)most)) {
        MUST(time_at(&next, s, &composition, most + most / 2));
        if (next.time_s < found->time_s)
            *found = next;
    }
    for (uint64_t scale = 1; scale < found->scale; scale = next_scale(scale)) {
        MUST(time_at(&next, s, &composition, scale));
        if (next.time_s <= 1.002 * found->time_s) {
            *found = next;
            break;
        }
    }
    return RWA_OK;
}

/** Give each of those found the best scale, the quickest first. */
static rwa_status scale_found(struct search *s, uint64_t most)
{
    double limit = WORTH_SCALING * s->found[0].time_s;
    for (size_t k = 0; k < s->count; k++) {
        if (k > 0 && s->found[k].time_s > limit)
            continue;
        MUST(choose_scale(s, &s->found[k], most));
        for (size_t at = k; at > 0 && s->found[at].time_s < s->found[at - 1].time_s; at--) {
            struct found slower = s->found[at - 1];
            s->found[at - 1] = s->found[at];
            s->found[at] = slower;
        }
    }
    return RWA_OK;
}

static bool has_sums(const struct found *f)
{
    return f->composition.node[f->composition.part[0]].phase == PHASE_SUMS;
}

/** Those that take about as long as the quickest, with its scale.  Sums may turn out not to fit one step: something else is among them. */
static rwa_status keep_near(struct search *s, struct found out[FOUND_MOST], size_t *count)
{
    const double worth_building = 1.1;
    bool safe = false;
    for (size_t k = 0; k < s->count && *count < FOUND_MOST; k++) {
        struct found *f = &s->found[k];
        bool slow = k > 0 && f->time_s > worth_building * out[0].time_s, last = *count == FOUND_MOST - 1;
        if ((slow && safe) || (has_sums(f) && (slow || (last && !safe))))
            continue;
        safe = safe || !has_sums(f);
        out[*count] = *f;
        if (k > 0)
            MUST(time_at(&out[*count], s, &f->composition, out[0].scale));
        (*count)++;
    }
    return RWA_OK;
}

/** Channels into the node that has most. */
static double widest_node(const rwa_network *net)
{
    double most = 1;
    if (network_has_arcs(net))
        return 2.0 * rwa_network_channels(net);
    for (uint32_t v = 0; v < net->nodes; v++) {
        double width = 0;
        for (uint32_t l = 0; l < net->link_count; l++)
            width += net->links[l].to == v ? net->links[l].fibers * (double)net->wavelengths : 0;
        most = fmax(most, width);
    }
    return most;
}

/* ---- what a plan may take ---- */

/** A plan may be quicker than loads say: in the model `overlap` tuning is hidden, and in the model `circuit` a step may use the circuits
 *  of the one before.  It takes at least this share of its estimate, less *saved_s. */
static double least_share(double *saved_s, const struct plan_request *request)
{
    const double hidden = 0.5;
    const rwa_cost_options *cost = &request->opts->cost;
    *saved_s = cost->model == RWA_COST_CIRCUIT ? cost->reconfig_s : 0;
    return cost->model == RWA_COST_OVERLAP ? hidden : 1;
}

double compose_least_s(const struct plan_request *request, double time_s)
{
    double saved_s, share = least_share(&saved_s, request);
    return fmax(time_s * share - saved_s, time_s * 1e-9);
}

/** Estimates from here on are of no interest. */
static double estimate_above(const struct plan_request *request)
{
    double saved_s, share = least_share(&saved_s, request);
    return request->below_s > 0 ? (request->below_s + saved_s) / share : INFINITY;
}

rwa_status compose_search(struct found out[FOUND_MOST], size_t *count, const struct composing *c, const struct composition *given)
{
    const rwa_plan_options *o = c->request->opts;
    uint64_t scale = largest_scale(c);
    struct search s = {.c = c, .budget = base_budget(0, o->poll, o->poll_data), .below_s = estimate_above(c->request)};
    rwa_status st = RWA_OK;
    s.p = (struct program){.timed = true, .distances = &c->distances, .members = o->members, .max_hops = o->max_hops, .err = c->err,
                           .widest = widest_node(c->request->net), .budget = &s.budget};
    *count = 0;
    set_prices(&s, scale);
    if (given)
        s.found[s.count++].composition = *given;
    else
        TRY(search_orders(&s));
    if (s.count == 0) /* nothing suits */
        goto done;
    assert(composition_suits(&s.found[0].composition, c));
    TRY(scale_found(&s, scale));
    if (given || s.found[0].time_s < s.below_s)
        TRY(keep_near(&s, out, count));
done:
    program_free(&s.p);
    free(s.memory);
    return st;
}
