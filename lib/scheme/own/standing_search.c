/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The search for the lengths of jumps: geometric series and all lengths up to one, each with few and with many of the long ones. */
#include "scheme/own/standing_search.h"

#include "rwa/cost.h"

/* ---- time ---- */

/** Steps that need lightpaths which the step before did not have, the tree forwards or backwards, after its first. */
static uint32_t settings_within(const struct standing_choice *c, bool backwards)
{
    uint32_t settings = 0;
    for (uint32_t step = 2; step <= c->tree.steps; step++) {
        const uint32_t *later = c->tree.count + (size_t)step * c->jumps.count, *now = later - c->jumps.count;
        bool sets = false;
        for (size_t j = 0; j < c->jumps.count; j++)
            sets = sets || (backwards ? now[j] > 0 && later[j] == 0 : later[j] > 0 && now[j] == 0);
        settings += sets;
    }
    return settings;
}

static uint32_t settings_of(const struct standing_choice *c, rwa_collective_kind kind)
{
    bool back = kind != RWA_ALL_GATHER, forth = kind != RWA_REDUCE_SCATTER; /* an all-reduce goes on with the lightpaths it has */
    return 1 + (back ? settings_within(c, true) : 0) + (forth ? settings_within(c, false) : 0);
}

/** Start-up and tuning of all steps. */
static double latency_s(const struct plan_request *request, double steps, double settings)
{
    const rwa_cost_options *cost = &request->opts->cost;
    switch (cost->model) {
    case RWA_COST_CIRCUIT:
        return settings * cost->reconfig_s + steps * cost->alpha_s;
    case RWA_COST_OVERLAP: /* nothing is tuned while the first step starts up */
        return settings * fmax(cost->reconfig_s, cost->alpha_s) + (steps - settings) * cost->alpha_s;
    default:
        return steps * cost->reconfig_s;
    }
}

/** Parts of a block on the fullest lightpath of a step, of `parts` each; parts 0: blocks, divided as finely as one likes. */
static double fullest(const struct standing_choice *c, uint32_t step, uint64_t parts)
{
    const uint32_t *count = c->tree.count + (size_t)step * c->jumps.count;
    double most = 0;
    for (size_t j = 0; j < c->jumps.count; j++) {
        uint32_t lightpaths = c->jumps.list[j].lightpaths;
        double load = parts > 0 ? (double)ceil_div(count[j] * parts, lightpaths) : (double)count[j] / lightpaths;
        most = load > most ? load : most;
    }
    return most;
}

uint32_t standing_passes(const struct plan_request *request)
{
    return request->coll->kind == RWA_ALL_REDUCE ? 2 : 1;
}

static double cut_bytes(const struct plan_request *request, uint64_t parts)
{
    const rwa_collective *coll = request->coll;
    rwa_collective cut;
    rwa_status st = rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, coll->nodes * parts, NULL);
    return st == RWA_OK ? (double)cut.block_bytes : INFINITY;
}

/** With blocks in so many parts. */
static double time_in_parts(const struct standing_choice *c, const struct plan_request *request, uint64_t parts)
{
    const rwa_cost_options *cost = &request->opts->cost;
    double passes = standing_passes(request), bytes = cut_bytes(request, parts), time_s = 0;
    if (!isfinite(bytes))
        return INFINITY;
    for (uint32_t step = 1; step <= c->tree.steps; step++)
        time_s += passes * (rwa_cost_steps(1, (uint64_t)(bytes * fullest(c, step, parts)), rwa_network_rate_bps(request->net), cost) -
                            cost->reconfig_s);
    return time_s + latency_s(request, passes * c->tree.steps, c->settings);
}

static double time_of_whole(const struct standing_choice *c, const struct plan_request *request)
{
    double loads = 0, passes = standing_passes(request);
    for (uint32_t step = 1; step <= c->tree.steps; step++)
        loads += fullest(c, step, 0);
    return latency_s(request, passes * c->tree.steps, c->settings) + passes * loads * request->price.byte_s * cut_bytes(request, 1);
}

/* ---- parts ---- */

/** Parts of a block beyond which cutting finer gains nothing: of few bytes, or too many to check. */
static uint32_t most_parts(const struct plan_request *request)
{
    enum { PART_BYTES = 64, PARTS = 128 };
    const rwa_collective *coll = request->coll;
    double pairs = (double)coll->nodes * coll->nodes, held = coll->kind == RWA_ALL_GATHER ? 1 << 27 : 1 << 24;
    double most = cut_bytes(request, 1) / PART_BYTES;
    most = most < PARTS ? most : PARTS;
    most = most < held / pairs ? most : held / pairs;
    return most > 1 ? (uint32_t)most : 1;
}

/** A third more, and at last the most. */
static uint64_t next_parts(uint64_t parts, uint64_t most)
{
    uint64_t next = parts + 1 + parts / 3;
    return parts < most && next > most ? most : next;
}

/** As few as take hardly longer, and at least one for each lightpath of a jump. */
static void choose_parts(struct standing_choice *c, const struct plan_request *request)
{
    const double hardly = 1.01;
    uint64_t least = 1, best = 0, most = most_parts(request);
    double best_s = INFINITY;
    for (size_t j = 0; j < c->jumps.count; j++)
        least = c->jumps.list[j].lightpaths > least ? c->jumps.list[j].lightpaths : least;
    assert(least <= most);
    for (uint64_t parts = least; parts <= most; parts = next_parts(parts, most)) {
        double time_s = time_in_parts(c, request, parts);
        if (time_s * hardly < best_s) {
            best = parts;
            best_s = time_s;
        }
    }
    c->parts = best;
    c->time_s = best_s;
}

/* ---- search ---- */

struct search {
    const struct standing_network *network;
    const struct plan_request *request;
    struct standing_choice next;
    struct budget budget;
    uint32_t lightpaths_most;
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
    double passes = standing_passes(s->request), once = latency_s(s->request, passes, 1);
    double each = (latency_s(s->request, 2 * passes, 1) - once);
    if (!isfinite(best_s) || each <= 0)
        return best_s <= once ? 0 : UINT32_MAX - 1;
    double most = 1 + (best_s - once) / each;
    return most < 1 ? 0 : most < UINT32_MAX - 1 ? (uint32_t)most : UINT32_MAX - 1;
}

static rwa_status try_lengths(struct standing_choice *best, struct search *s, struct lengths *lengths, rwa_error *err)
{
    static const double weights[] = {0.5, 1};
    uint32_t worthwhile = worthwhile_steps(s, best->time_s);
    lengths->most = s->lightpaths_most;
    for (size_t i = 0; i < (lengths->count > 1 ? 2 : 1) && worthwhile > 0; i++) {
        lengths->weight = weights[i];
        jumps_choose(&s->next.jumps, s->network, lengths);
        if (s->next.jumps.count == 0)
            continue;
        if (base_must_stop(&s->budget, "choosing lightpaths that stay", -1))
            return base_fail(err, RWA_CANCELLED, "planning was stopped while lightpaths that stay were chosen");
        MUST(standing_tree_grow(&s->next.tree, s->network, &s->next.jumps, worthwhile, err));
        s->next.settings = settings_of(&s->next, s->request->coll->kind);
        s->next.time_s = s->next.tree.steps > 0 ? time_of_whole(&s->next, s->request) : INFINITY;
        if (s->next.time_s < best->time_s) {
            struct standing_choice slower = *best;
            *best = s->next;
            s->next = slower;
        }
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
    struct search s = {.network = network, .request = request, .budget = base_budget(0, o->poll, o->poll_data),
                       .lightpaths_most = most_parts(request)};
    rwa_status st = RWA_OK;
    *out = (struct standing_choice){.time_s = request->below_s > 0 ? request->below_s : INFINITY};
    TRY(open_slots(out, network, err));
    TRY(open_slots(&s.next, network, err));
    TRY(try_all_up_to(out, &s, err));
    TRY(try_series(out, &s, err));
    if (out->tree.steps > 0)
        choose_parts(out, request);
done:
    standing_choice_free(&s.next);
    return st;
}
