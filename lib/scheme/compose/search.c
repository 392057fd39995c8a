/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The quickest composition by loads.  All-gathers by dynamic programming: the time of a term is that of its own exchanges and of its
 * subterms, which depends only on how many participants there are, how far apart, in how many groups, and how much each holds.
 */
#include "scheme/compose/search.h"

#include "collective/needs.h"

/** A composition is of use that takes hardly longer than the quickest so far. */
static double useful_s(const struct search *s)
{
    double found_s = s->count > 0 ? s->found[0].time_s : INFINITY;
    return WORTH_SCALING * (s->below_s < found_s ? s->below_s : found_s);
}

/* ---- trees ---- */

static rwa_status try_tree(struct choice *best, struct search *s, const struct parties *parties, bool whole,
                           const struct term *t)
{
    const size_t *root = s->c->root[s->clusters ? ORDER_CLUSTERS : ORDER_NUMBERS];
    const double work = s->p.work;
    double time_s;
    rwa_status st = RWA_OK;
    s->p.work = 0; /* there are few trees, and each takes little */
    TIMED(time_s, best->time_s, phase_tree(&s->p, parties, root, whole, t->number, t->numbers));
    keep_choice(best, t, NULL, NULL, time_s);
done:
    s->p.work = work;
    return st;
}

/** Balanced trees of each depth, and trees that fan out otherwise in the first one or two levels. */
static rwa_status best_tree(struct choice *best, struct search *s, const struct parties *parties, bool whole)
{
    uint32_t n = (uint32_t)parties_of(parties, 0), size[SIZES];
    size_t sizes = segment_sizes(size, s, n);
    *best = (struct choice){.time_s = useful_s(s)};
    for (unsigned levels = 1; levels <= 10; levels++) {
        uint32_t fan = (uint32_t)ceil(pow(n, 1.0 / levels) - 1e-9);
        MUST(try_tree(best, s, parties, whole, &(struct term){.phase = PHASE_TREE, .number = {fan < 2 ? 2 : fan}, .numbers = 1}));
    }
    for (size_t i = 0; i < sizes; i++) {
        uint32_t rest = (n + size[i] - 1) / size[i];
        for (unsigned levels = 1; levels <= 4; levels++) {
            uint32_t fan = (uint32_t)ceil(pow(rest, 1.0 / levels) - 1e-9);
            MUST(try_tree(best, s, parties, whole,
                         &(struct term){.phase = PHASE_TREE, .number = {size[i], fan < 2 ? 2 : fan}, .numbers = 2}));
        }
    }
    return RWA_OK;
}

/** Where lightpaths have few links: of so many, and of fewer, so that a relay has not too many to send to. */
static rwa_status best_relays(struct choice *best, struct search *s, const struct parties *parties)
{
    const size_t *root = s->c->root[s->clusters ? ORDER_CLUSTERS : ORDER_NUMBERS];
    const double work = s->p.work;
    double time_s;
    rwa_status st = RWA_OK;
    s->p.work = 0;
    for (uint32_t links = s->p.max_hops; links > 0; links /= 2) {
        TIMED(time_s, best->time_s, phase_relays(&s->p, parties, root, links));
        keep_choice(best, &(struct term){.phase = PHASE_RELAYS, .number = {links}, .numbers = 1}, NULL, NULL, time_s);
    }
done:
    s->p.work = work;
    return st;
}

/* ---- all-to-all ---- */

static rwa_status try_all_to_all(struct choice *best, struct search *s, const struct term *t)
{
    double time_s;
    uint32_t n = s->c->request->coll->nodes;
    uint32_t *const *order = s->c->order[s->clusters ? ORDER_CLUSTERS : ORDER_NUMBERS];
    rwa_status st = RWA_OK;
    if (t->phase == PHASE_MERGE)
        TIMED(time_s, best->time_s, phase_merge(&s->p, order[0], n, t->number, t->numbers));
    else
        TIMED(time_s, best->time_s, phase_digits(&s->p, order, s->rotated ? s->c->turns : 1, n, t->number, t->numbers));
    keep_choice(best, t, NULL, NULL, time_s);
done:
    return st;
}

/** Nodes that agree in the dimensions down to the one that digits of weight `high` and below still have to change. */
static uint32_t nodes_below(const struct search *s, uint32_t high)
{
    struct network_grid grid;
    uint32_t below = s->c->request->coll->nodes;
    if (s->p.members || !s->c->distances.hops || s->clusters || !network_grid(&grid, s->c->request->net))
        return 1;
    for (size_t d = 0; d < grid.dimensions && below >= high; d++)
        below /= grid.size[d];
    return below;
}

/** The ways to write n as a product of up to so many factors: those whose digits lie in a dimension of a grid each, or all others. */
static rwa_status try_digits(struct choice *best, struct search *s, struct term *t, uint32_t left, unsigned most, bool crosses,
                             bool crossed)
{
    if (left == 1)
        return t->numbers > 1 && crosses == crossed ? try_all_to_all(best, s, t) : RWA_OK;
    if (t->numbers == most)
        return RWA_OK;
    for (uint32_t r = 2, below = nodes_below(s, left); r <= left && r <= 64; r++) {
        if (left % r != 0)
            continue;
        bool within = left / r % below == 0;
        if (!within && !crosses)
            continue;
        t->number[t->numbers++] = r;
        MUST(try_digits(best, s, t, left / r, most, crosses, crossed || !within));
        t->numbers--;
    }
    return RWA_OK;
}

static rwa_status try_merges(struct choice *best, struct search *s)
{
    static const uint32_t more[] = {3, 6, 10, 12, 14, 20, 24, 28, 40, 48, 56};
    uint32_t n = s->c->request->coll->nodes, root[2 * SIZES], size[SIZES];
    size_t roots = segment_sizes(root, s, n), sizes = segment_sizes(size, s, n);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        root[roots + i] = more[i];
    root[roots + sizeof more / sizeof more[0]] = 1;
    roots += sizeof more / sizeof more[0] + 1;
    for (size_t i = 0; i < roots; i++) {
        struct term t = {.phase = PHASE_MERGE, .number = {root[i]}, .numbers = 1};
        if (root[i] > n || (double)root[i] * root[i] > exchange_most(s->c))
            continue;
        MUST(try_all_to_all(best, s, &t));
        for (size_t k = 0; k < sizes; k++) {
            t.number[1] = size[k];
            t.numbers = 2;
            if ((uint64_t)root[i] * size[k] < n)
                MUST(try_all_to_all(best, s, &t));
        }
        t.number[1] = (uint32_t)ceil(cbrt((double)n / root[i]));
        t.number[2] = t.number[1];
        t.numbers = 3;
        if (t.number[1] > 1)
            MUST(try_all_to_all(best, s, &t));
    }
    return RWA_OK;
}

static rwa_status best_all_to_all(struct choice *best, struct search *s)
{
    enum { DIGITS = 4, DIGITS_WITHIN = 6 };
    const double clearly = 0.998; /* estimates of digits are less certain than those of merges */
    struct choice merged, crossed;
    struct term t = {.phase = PHASE_DIGITS};
    const uint32_t n = s->c->request->coll->nodes;
    const double work_most = s->p.work_most;
    *best = (struct choice){.time_s = useful_s(s)};
    s->p.work_most = (s->p.work + work_most) / 2; /* the other half is left for merges */
    MUST(try_digits(best, s, &t, n, nodes_below(s, n) > 1 ? DIGITS_WITHIN : DIGITS, false, false));
    s->p.work_most = work_most;
    merged = (struct choice){.time_s = best->time_s / clearly};
    if (!s->rotated)
        MUST(try_merges(&merged, s));
    *best = merged.composition.nodes > 0 ? merged : *best;
    crossed = (struct choice){.time_s = clearly * best->time_s};
    MUST(try_digits(&crossed, s, &t, n, DIGITS, true, false));
    *best = crossed.composition.nodes > 0 ? crossed : *best;
    return RWA_OK;
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

static void keep_found(struct search *s, const struct choice *a, const struct choice *b, double time_s)
{
    struct found next = {.composition = a->composition, .time_s = time_s, .scale = s->scale};
    size_t at = s->count;
    next.composition.clusters = s->clusters;
    next.composition.rotated = s->rotated;
    if (a->composition.nodes == 0 || (b && b->composition.nodes == 0))
        return;
    if (!(time_s < NEVER_S && time_s < WORTH_SCALING * s->below_s) || (b && !composition_add(&next.composition, &b->composition)))
        return;
    while (at > 0 && (time_s < s->found[at - 1].time_s ||
                      (time_s == s->found[at - 1].time_s && s->found[at - 1].composition.rotated && !s->rotated)))
        at--;
    if (at == KEPT || is_found(s, &next.composition))
        return;
    s->count += s->count < KEPT;
    for (size_t k = s->count - 1; k > at; k--)
        s->found[k] = s->found[k - 1];
    s->found[at] = next;
}

static bool has_root_only(rwa_collective_kind kind)
{
    return kind == RWA_SCATTER || kind == RWA_GATHER;
}

static rwa_status search_rooted(struct search *s, const struct parties *parties)
{
    struct choice gathered, *sent = &s->sent[s->clusters][s->rotated];
    if (s->depth == 1)
        MUST(best_tree(sent, s, parties, false));
    if (has_root_only(s->c->request->coll->kind)) {
        if (s->p.max_hops > 0)
            MUST(best_relays(sent, s, parties));
        keep_found(s, sent, NULL, sent->time_s);
        return RWA_OK;
    }
    if (s->depth == 1) {
        MUST(best_tree(&gathered, s, parties, true));
        keep_found(s, &gathered, NULL, gathered.time_s);
    }
    MUST(best_all_gather(&gathered, s, parties, s->depth, useful_s(s) - sent->time_s));
    keep_found(s, sent, &gathered, sent->time_s + gathered.time_s);
    return RWA_OK;
}

static rwa_status search_sums(struct search *s, const struct parties *parties)
{
    struct choice spread, other;
    bool all = s->c->request->coll->kind == RWA_ALL_REDUCE;
    const double work_most = s->p.work_most;
    if (s->depth == 1)
        MUST(best_tree(&spread, s, parties, true));
    if (s->depth == 1 && all)
        keep_found(s, &spread, NULL, 2 * spread.time_s);
    if (s->depth == 1 && !all) {
        MUST(best_tree(&other, s, parties, false));
        keep_found(s, &spread, &other, spread.time_s + other.time_s);
    }
    s->p.work_most = (s->p.work + work_most) / 2;
    MUST(best_all_gather(&other, s, parties, s->depth, all ? useful_s(s) / 2 : useful_s(s)));
    keep_found(s, &other, NULL, all ? 2 * other.time_s : other.time_s);
    s->p.work_most = work_most;
    MUST(best_all_sums(&other, s, parties, useful_s(s)));
    keep_found(s, &other, NULL, other.time_s);
    return RWA_OK;
}

static rwa_status search_collective(struct search *s, const struct parties *parties)
{
    struct choice best;
    switch (s->c->request->coll->kind) {
    case RWA_ALL_TO_ALL:
        MUST(best_all_to_all(&best, s));
        keep_found(s, &best, NULL, best.time_s);
        break;
    case RWA_ALL_GATHER:
        if (s->count > 0 && is_near_least(s->found[0].time_s, s, parties))
            break;
        MUST(best_all_gather(&best, s, parties, s->depth, useful_s(s)));
        keep_found(s, &best, NULL, best.time_s);
        break;
    case RWA_ALL_REDUCE:
    case RWA_REDUCE_SCATTER:
        MUST(search_sums(s, parties));
        break;
    default:
        MUST(search_rooted(s, parties));
    }
    return RWA_OK;
}

/* ---- scale ---- */

/** Blocks are cut into so many parts. */
static void set_prices(struct search *s, uint64_t scale)
{
    const rwa_collective *coll = s->c->request->coll;
    const rwa_cost_prices *price = &s->c->request->price;
    rwa_collective cut = *coll;
    rwa_status st = rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, s->c->units, NULL);
    assert(st == RWA_OK);
    (void)st;
    s->scale = scale;
    s->p.pair_blocks = scale;
    double block_s = price->byte_s * (double)cut.block_bytes / (double)scale;
    const rwa_cost_options *cost = &s->c->request->opts->cost;
    bool may_keep = cost->model != RWA_COST_PAPER && network_has_arcs(s->c->request->net); /* routes on listed links may differ */
    double kept_s = may_keep ? cost->alpha_s : price->step_s;
    s->p.prices = (struct prices){.step_s = price->step_s, .block_s = block_s, .kept_s = kept_s < price->step_s ? kept_s : price->step_s,
                                  .hop_s = block_s / (double)s->c->distances.channels};
}

static rwa_status time_at(struct found *out, struct search *s, const struct composition *composition, uint64_t scale)
{
    program_restart(&s->p, 0);  /* as much work as it takes */
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

static bool has_sums(const struct found *f)
{
    return f->composition.node[f->composition.part[0]].phase == PHASE_SUMS;
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

/** Those that take about as long as the quickest, with its scale.  Sums may turn out not to fit one step: something else is among them. */
static rwa_status keep_near(struct search *s, struct found out[FOUND_MOST], size_t *count)
{
    const double worth_building = 1.1;
    bool safe = false;
    for (size_t k = 0; k < s->count && *count < FOUND_MOST; k++) {
        struct found *f = &out[*count];
        if (k > 0 && *count == FOUND_MOST - 1 && !safe && has_sums(&s->found[k]))
            continue;
        if (k > 0 && s->found[k].time_s > worth_building * out[0].time_s && (safe || has_sums(&s->found[k])))
            continue;
        *f = s->found[k];
        if (k > 0)
            MUST(time_at(f, s, &s->found[k].composition, out[0].scale));
        safe = safe || !has_sums(f);
        (*count)++;
    }
    return RWA_OK;
}

/** Whether participants can be ordered so. */
static bool can_order(const struct search *s, enum order_kind kind, bool rotated)
{
    const struct composing *c = s->c;
    bool turns = c->turns > 1 && s->scale >= c->turns;
    return c->order[kind][0] && (turns || !rotated);
}

static rwa_status search_order(struct search *s, enum order_kind kind, bool rotated)
{
    const struct composition order = {.clusters = kind == ORDER_CLUSTERS, .rotated = rotated};
    struct parties parties = {0};
    rwa_status st = RWA_OK;
    s->clusters = order.clusters;
    s->rotated = order.rotated;
    s->known = 0;
    TRY(composing_parties(&parties, s->c, &order, s->scale, true));
    TRY(search_collective(s, &parties));
done:
    parties_free(&parties);
    return st;
}

/** By each order, rotated and not, with as much work each; terms of few levels first, which tell how much time others may take, and so do
 *  rotated orders in an all-to-all. */
static rwa_status search_orders(struct search *s)
{
    const bool levels = s->c->request->coll->kind != RWA_ALL_TO_ALL && !has_root_only(s->c->request->coll->kind);
    double runs = 0;
    const double work = levels ? WORK_MOST : WORK_OF_ONE_LEVEL;
    for (s->depth = 1; s->depth <= (levels ? DEPTH : 1); s->depth++)
        for (int kind = 0; kind < ORDER_KINDS; kind++)
            for (int turn = 0; turn < 2; turn++) {
                bool rotated = levels || has_root_only(s->c->request->coll->kind) ? turn == 1 : turn == 0;
                s->p.work_most = work * ++runs / (2 * ORDER_KINDS * DEPTH);
                if (can_order(s, (enum order_kind)kind, rotated))
                    MUST(search_order(s, (enum order_kind)kind, rotated));
            }
    return RWA_OK;
}

static uint64_t widest_node(const rwa_network *net)
{
    uint64_t most = 1, *width;
    if (network_has_arcs(net))
        return 2ULL * rwa_network_channels(net);
    width = base_array(net->nodes, sizeof *width, NULL);
    for (uint32_t l = 0; width && l < net->link_count; l++)
        width[net->links[l].to] += (uint64_t)net->links[l].fibers * net->wavelengths;
    for (uint32_t v = 0; width && v < net->nodes; v++)
        most = width[v] > most ? width[v] : most;
    most = width ? most : UINT32_MAX;
    free(width);
    return most;
}

/** Routes that are chosen again while lightpaths get channels lower the load of listed links by this factor at most, as measured. */
#define REROUTED 0.85

static struct search search_of(const struct composing *c)
{
    const rwa_plan_options *o = c->request->opts;
    return (struct search){.c = c,
                           .p = {.timed = true, .distances = &c->distances, .members = o->members, .max_hops = o->max_hops, .err = c->err},
                           .budget = base_budget(0, o->poll, o->poll_data)};
}

/** Model `overlap`, all tuning but the first hidden: a step then takes its start-up and its longest lightpath. */
static rwa_status least_if_hidden(double *least_s, const struct composing *c, const struct found *found)
{
    const rwa_cost_options *cost = &c->request->opts->cost;
    struct search s = search_of(c);
    rwa_status st = RWA_OK;
    set_prices(&s, found->scale);
    s.p.prices.step_s = s.p.prices.kept_s = cost->alpha_s;
    program_restart(&s.p, 0);
    TRY(composition_write(&s.p, &found->composition, c, found->scale));
    *least_s = s.p.time_s * (network_has_arcs(c->request->net) ? 1 : REROUTED) + fmax(cost->reconfig_s - cost->alpha_s, 0);
done:
    program_free(&s.p);
    return st;
}

static double least_of(const struct plan_request *request, double time_s)
{
    const rwa_cost_options *cost = &request->opts->cost;
    bool repeats = cost->model == RWA_COST_CIRCUIT; /* a step may use the circuits of the one before */
    double least_s = time_s * (network_has_arcs(request->net) ? 1 : REROUTED) - (repeats ? cost->reconfig_s : 0);
    return least_s > 0 ? least_s : time_s * 1e-9;
}

rwa_status compose_least_s(double *least_s, const struct composing *c, const struct found *found, size_t count)
{
    *least_s = INFINITY;
    for (size_t k = 0; k < count; k++) {
        double next_s = least_of(c->request, found[k].time_s);
        if (c->request->opts->cost.model == RWA_COST_OVERLAP)
            MUST(least_if_hidden(&next_s, c, &found[k]));
        *least_s = next_s < *least_s ? next_s : *least_s;
    }
    return RWA_OK;
}

/** Estimates from here on are of no interest.  A plan hides little of its tuning, since its steps fill all channels: in the model
 *  `overlap`, of 70 plans, none took less than 0.58 of its estimate. */
static double estimate_above(const struct plan_request *request)
{
    const double hidden = 2;
    const rwa_cost_options *cost = &request->opts->cost;
    if (request->below_s <= 0)
        return NEVER_S;
    if (cost->model == RWA_COST_OVERLAP)
        return hidden * request->below_s;
    return (request->below_s + (cost->model == RWA_COST_CIRCUIT ? cost->reconfig_s : 0)) / (network_has_arcs(request->net) ? 1 : REROUTED);
}

rwa_status compose_search(struct found out[FOUND_MOST], size_t *count, const struct composing *c, const struct composition *given)
{
    uint64_t scale = largest_scale(c);
    struct search s = search_of(c);
    rwa_status st = RWA_OK;
    s.widest = widest_node(c->request->net);
    s.below_s = estimate_above(c->request);
    s.p.budget = &s.budget;
    *count = 0;
    set_prices(&s, scale);
    if (c->request->coll->kind == RWA_ALL_TO_ALL)
        s.p.pairs_s = (double)distances_of_pairs(&c->distances, s.p.members, c->request->coll->nodes) * (double)scale * s.p.prices.hop_s;
    if (given)
        s.found[s.count++].composition = *given;
    else
        TRY(search_orders(&s));
    if (s.count == 0) /* nothing suits */
        goto done;
    assert(composition_suits(&s.found[0].composition, c));
    TRY(scale_found(&s, scale));
    if (!given && s.found[0].time_s >= s.below_s)
        goto done;
    TRY(keep_near(&s, out, count));
done:
    program_free(&s.p);
    free(s.memory);
    return st;
}
