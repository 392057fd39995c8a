/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The search for the lengths of jumps: geometric series and all lengths up to one, each with few and with many of the long ones. */
#include "scheme/own/standing_search.h"

/* ---- time ---- */

/** Time of all steps, of which step i of the tree sends for transfer_s[i]: all lightpaths fit together, so that they are tuned once. */
static double time_of_steps(const struct standing_choice *c, const struct plan_request *request, const double *transfer_s)
{
    const rwa_cost_options *cost = &request->opts->cost;
    double each_s = cost->model == RWA_COST_PAPER ? cost->reconfig_s : cost->alpha_s, seconds = 0;
    for (uint32_t step = 1; step <= c->tree.steps; step++)
        seconds += standing_passes(request) * (each_s + transfer_s[step]);
    switch (cost->model) {
    case RWA_COST_PAPER: break;
    case RWA_COST_CIRCUIT: return seconds + cost->reconfig_s;
    case RWA_COST_OVERLAP: return seconds + fmax(cost->reconfig_s - cost->alpha_s, 0);
    }
    return seconds;
}

/** Parts of a block on the fullest lightpath of a step, of so many parts each; 0: blocks, divided as finely as one likes. */
static double fullest(const struct standing_choice *c, uint32_t step, uint64_t parts)
{
    const uint32_t *count = c->tree.count + (size_t)step * c->jumps.count;
    double most = 0;
    for (size_t j = 0; j < c->jumps.count; j++) {
        uint32_t lightpaths = c->jumps.list[j].lightpaths;
        double load = parts > 0 ? (double)ceil_div(count[j] * (parts / c->tree.shares), lightpaths)
                                : (double)count[j] / c->tree.shares / lightpaths;
        most = load > most ? load : most;
    }
    return most;
}

bool standing_runs_backwards(rwa_collective_kind kind)
{
    return kind == RWA_REDUCE_SCATTER || kind == RWA_ALL_REDUCE;
}

uint64_t standing_units(const struct plan_request *request)
{
    const rwa_collective *coll = request->coll;
    return coll->kind == RWA_ALL_TO_ALL ? (uint64_t)coll->nodes * coll->nodes : coll->nodes;
}

uint32_t standing_passes(const struct plan_request *request)
{
    return request->coll->kind == RWA_ALL_REDUCE ? 2 : 1;
}

static double cut_bytes(const struct plan_request *request, uint64_t parts)
{
    const rwa_collective *coll = request->coll;
    rwa_collective cut;
    uint64_t blocks = standing_units(request) * parts;
    rwa_status st = rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks, NULL);
    return st == RWA_OK ? (double)cut.block_bytes : INFINITY;
}

/** With blocks in so many parts; 0: divided as finely as one likes. */
static rwa_status time_in_parts(double *seconds, const struct standing_choice *c, const struct plan_request *request, uint64_t parts,
                                rwa_error *err)
{
    const rwa_cost_options *cost = &request->opts->cost;
    double bytes = cut_bytes(request, parts > 0 ? parts : 1), rate = rwa_network_rate_bps(request->net);
    double *transfer_s = base_array((size_t)c->tree.steps + 1, sizeof *transfer_s, err);
    MUST(transfer_s ? RWA_OK : RWA_NOMEM);
    for (uint32_t step = 1; step <= c->tree.steps; step++) {
        double fullest_bytes = bytes * fullest(c, step, parts);
        transfer_s[step] = parts > 0 ? rwa_cost_steps(1, (uint64_t)fullest_bytes, rate, cost) - cost->reconfig_s
                                     : request->price.byte_s * fullest_bytes;
    }
    *seconds = isfinite(bytes) ? time_of_steps(c, request, transfer_s) : INFINITY;
    free(transfer_s);
    return RWA_OK;
}

/* ---- parts ---- */

/** Blocks at nodes that are quickly checked: sums of orbits, too, are followed at one node. */
static double most_held(const struct plan_request *request)
{
    bool orbits = network_has_orbits(request->net) && !network_has_arcs(request->net);
    if (standing_runs_backwards(request->coll->kind))
        return orbits ? 1 << 26 : 1 << 24;
    return request->coll->kind == RWA_ALL_TO_ALL ? 1 << 30 : 1 << 27;
}

/** Parts of a block beyond which cutting finer gains nothing: of few bytes, or too many to check. */
static uint32_t most_parts(const struct plan_request *request)
{
    enum { PART_BYTES = 64, PARTS = 128 };
    double pairs = (double)request->coll->nodes * (double)standing_units(request);
    double held = most_held(request);
    double most = cut_bytes(request, 1) / PART_BYTES;
    most = most < PARTS ? most : PARTS;
    most = most < held / pairs ? most : held / pairs;
    return most > 1 ? (uint32_t)most : 1;
}

/** Side by side: more than parts of a block would leave some idle, unless many blocks go together. */
static uint32_t most_lightpaths(const struct plan_request *request)
{
    uint32_t nodes = request->coll->nodes;
    return request->coll->kind == RWA_ALL_TO_ALL && nodes > most_parts(request) ? nodes : most_parts(request);
}

/** Of a share, so that in every step each lightpath of a jump carries some, or none does. */
static uint64_t least_parts(const struct standing_choice *c)
{
    uint64_t least = 1;
    for (size_t i = c->jumps.count; i < ((size_t)c->tree.steps + 1) * c->jumps.count; i++) {
        uint64_t needed = c->tree.count[i] > 0 ? ceil_div(c->jumps.list[i % c->jumps.count].lightpaths, c->tree.count[i]) : 1;
        least = needed > least ? needed : least;
    }
    return least;
}

/** As few parts as take hardly longer. */
static rwa_status choose_parts(struct standing_choice *c, const struct plan_request *request, rwa_error *err)
{
    const double hardly = 1.01;
    uint64_t least = least_parts(c), most = most_parts(request) / c->tree.shares;
    assert(least <= most);
    c->time_s = INFINITY;
    for (uint64_t parts = least, next; parts <= most; parts = parts < most && next > most ? most : next) {
        double time_s;
        MUST(time_in_parts(&time_s, c, request, parts * c->tree.shares, err));
        if (time_s * hardly < c->time_s) {
            c->parts = parts * c->tree.shares;
            c->time_s = time_s;
        }
        next = parts + 1 + parts / 3;
    }
    return RWA_OK;
}

/* ---- search ---- */

struct search {
    const struct standing_network *network;
    const struct plan_request *request;
    struct standing_choice next;
    struct budget budget;
};

void standing_choice_free(struct standing_choice *c)
{
    standing_tree_free(&c->tree);
    free(c->jumps.slot);
    *c = (struct standing_choice){0};
}

/** More steps than this take longer than the best so far, were nothing sent. */
static uint32_t worthwhile_steps(const struct search *s, double best_s)
{
    const rwa_cost_options *cost = &s->request->opts->cost;
    bool paper = cost->model == RWA_COST_PAPER;
    double first_s = paper ? cost->reconfig_s : fmax(cost->reconfig_s, cost->alpha_s), each_s = paper ? cost->reconfig_s : cost->alpha_s;
    if (best_s <= first_s)
        return 0;
    double most = isfinite(best_s) && each_s > 0 ? (1 + (best_s - first_s) / each_s) / standing_passes(s->request) : INFINITY;
    return most < UINT32_MAX - 1 ? (uint32_t)most : UINT32_MAX - 1;
}

double standing_lightpaths(const struct standing_choice *c, const struct plan_request *request)
{
    double lightpaths = 0;
    for (size_t i = c->jumps.count; i < ((size_t)c->tree.steps + 1) * c->jumps.count; i++)
        lightpaths += c->tree.count[i] > 0 ? c->jumps.list[i % c->jumps.count].lightpaths : 0;
    return lightpaths * request->coll->nodes * standing_passes(request);
}

/** Grow trees over the jumps of s->next, and keep them if they are quicker. */
static rwa_status try_shares(struct standing_choice *best, struct search *s, uint32_t shares, rwa_error *err)
{
    struct standing_use use = {shares, s->request->coll->kind == RWA_ALL_TO_ALL, worthwhile_steps(s, best->time_s)};
    double time_s;
    if (base_must_stop(&s->budget, "choosing lightpaths that stay", -1))
        return base_fail(err, RWA_CANCELLED, "planning was stopped while lightpaths that stay were chosen");
    if (use.steps_most == 0)
        return RWA_OK;
    MUST(standing_tree_grow(&s->next.tree, s->network, &s->next.jumps, &use, err));
    if (s->next.tree.steps == 0 || least_parts(&s->next) * shares > most_parts(s->request))
        return RWA_OK;
    if (s->request->lightpaths_most > 0 && standing_lightpaths(&s->next, s->request) > s->request->lightpaths_most)
        return RWA_OK;
    MUST(time_in_parts(&time_s, &s->next, s->request, 0, err));
    if (time_s < best->time_s) {
        struct standing_choice slower = *best;
        *best = s->next;
        best->time_s = time_s;
        s->next = slower;
    }
    return RWA_OK;
}

/** Where there are few jumps, a share for each: then all of them can be as full, even if they inform a single node. */
static rwa_status try_weight(struct standing_choice *best, struct search *s, const struct lengths *lengths, rwa_error *err)
{
    enum { SHARES_MOST = 8 };
    for (int shared = 0; shared < 2; shared++) {
        jumps_choose(&s->next.jumps, s->network, lengths);
        uint32_t count = (uint32_t)s->next.jumps.count;
        if (count > 0 && (!shared || (count > 1 && count <= SHARES_MOST)))
            MUST(try_shares(best, s, shared ? count : 1, err));
    }
    return RWA_OK;
}

/** With no more lightpaths than a block has parts none is ever idle; more may be idle, or not. */
static rwa_status try_lengths(struct standing_choice *best, struct search *s, struct lengths *lengths, rwa_error *err)
{
    static const double weights[] = {0.5, 1};
    const uint32_t most[] = {most_parts(s->request), most_lightpaths(s->request)};
    for (size_t i = 0; i < (lengths->count > 1 ? 2 : 1); i++)
        for (size_t k = 0; k < (most[0] == most[1] ? 1 : 2); k++) {
            lengths->weight = weights[i];
            lengths->most = most[k];
            MUST(try_weight(best, s, lengths, err));
        }
    return RWA_OK;
}

/** The longest jump that any cycle has channels for. */
static uint32_t longest_jump(const struct standing_network *n)
{
    uint32_t order = 1, most = n->channels < n->max_hops ? n->channels : n->max_hops;
    for (size_t c = 0; c < n->cycles; c++)
        order = n->cycle[c].order > order ? n->cycle[c].order : order;
    return order / 2 < most ? order / 2 : most;
}

/** 1, r, r² … */
static rwa_status try_series(struct standing_choice *best, struct search *s, rwa_error *err)
{
    static const uint32_t ratios[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32};
    uint32_t longest = longest_jump(s->network);
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        struct lengths lengths = {.links = {1}, .count = 1};
        for (uint32_t links = ratios[i]; links <= longest && lengths.count < LENGTHS_MOST; links *= ratios[i]) {
            lengths.links[lengths.count++] = links;
            MUST(try_lengths(best, s, &lengths, err));
        }
    }
    return RWA_OK;
}

/** 1, 2, 3 … */
static rwa_status try_all_up_to(struct standing_choice *best, struct search *s, rwa_error *err)
{
    uint32_t longest = longest_jump(s->network);
    struct lengths lengths = {.count = 0};
    while (lengths.count < LENGTHS_MOST && (lengths.count == 0 || lengths.count < longest)) {
        lengths.links[lengths.count] = (uint32_t)lengths.count + 1;
        lengths.count++;
        MUST(try_lengths(best, s, &lengths, err));
    }
    return RWA_OK;
}

static rwa_status open_slots(struct standing_choice *c, const struct standing_network *network, rwa_error *err)
{
    return base_new(c->jumps.slot, network->cycles * network->channels, err);
}

rwa_status standing_search(struct standing_choice *out, const struct standing_network *network, const struct plan_request *request,
                           rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    struct search s = {.network = network, .request = request, .budget = base_budget(0, o->poll, o->poll_data)};
    rwa_status st = RWA_OK;
    *out = (struct standing_choice){.time_s = scheme_time_limit(request)};
    TRY(open_slots(out, network, err));
    TRY(open_slots(&s.next, network, err));
    TRY(try_all_up_to(out, &s, err));
    TRY(try_series(out, &s, err));
    if (out->tree.steps > 0)
        TRY(choose_parts(out, request, err));
done:
    standing_choice_free(&s.next);
    return st;
}
