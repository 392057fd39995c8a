/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scatter, gather, broadcast of several messages, all-gather ("multiple all-to-all") and all-to-all ("personalised") on a
 * passive star, Section 3 of the paper.  Through circuit switches (ours) the same patterns are matchings, one a switch, and
 * a circuit carries as many blocks a step as it has wavelengths.
 */
#include "scheme/published/star.h"

/** Whole blocks a step, and the paper's sum of all tunings. */
static double broadcast_cost(const struct star *s, uint32_t splits, double tuning)
{
    double cost = tuning * ((double)s->nodes - 1 + (double)splits * s->nodes * s->ports), part = (double)s->blocks / s->width;
    for (uint32_t i = 1; i <= splits; i++) {
        part /= s->ports + 1.0;
        cost += 2 * ceil(part);
    }
    return cost + (s->stages - splits) * ceil(part);
}

/** Through switches no circuit is to spare for a last group that lacks some parts. */
static bool can_split(const struct star *s, uint32_t splits)
{
    uint64_t classes = star_power(s, splits);
    return !s->circuits || classes >= s->nodes || s->nodes % classes == 0;
}

/** h' as given, or with the least total cost; a message split into more parts than nodes is split into one a node. */
static void set_splits(struct star *s, const struct plan_request *request)
{
    uint32_t given = request->opts->split_steps;
    double tuning = rwa_network_tuning(request->net);
    s->splits = given <= s->stages ? given : 0;
    for (uint32_t splits = 1; given > s->stages && splits <= s->stages; splits++)
        if (can_split(s, splits) && broadcast_cost(s, splits, tuning) < broadcast_cost(s, s->splits, tuning))
            s->splits = splits;
    uint64_t classes = star_power(s, s->splits);
    s->classes = classes < s->nodes ? (uint32_t)classes : s->nodes;
    assert(s->splits <= s->stages && s->classes >= 1);
}

static struct star star_of(const struct plan_request *request)
{
    const rwa_collective *coll = request->coll;
    bool circuits = network_capabilities(request->net) == NETWORK_SWITCHES;
    uint32_t most = circuits ? rwa_network_fibers(request->net) : coll->nodes - 1, ports = rwa_network_ports(request->net);
    struct star s = {.nodes = coll->nodes, .root = coll->root, .blocks = coll->blocks, .kind = coll->kind,
                     .classes = coll->nodes, .circuits = circuits,
                     .width = circuits ? rwa_network_wavelengths(request->net) : 1};
    most = most < coll->nodes ? most : coll->nodes - 1;
    s.ports = ports > 0 && ports < most ? ports : most;
    assert(s.ports >= 1);
    while (star_power(&s, s.stages) < s.nodes)
        s.stages++;
    s.whole = star_power(&s, s.stages) == s.nodes;
    if (s.kind == RWA_BROADCAST)
        set_splits(&s, request);
    return s;
}

/** Split, copy, put together. */
static void broadcast_stage(struct airs *a, const struct star *s, uint32_t stage)
{
    if (stage < s->splits)
        star_tree(a, s, stage, false);
    else if (stage < s->stages)
        star_copy(a, s, stage - s->splits);
    else
        star_exchange(a, s, stage - s->stages);
}

static void fill_stage(struct airs *a, const struct star *s, uint32_t stage)
{
    switch (s->kind) {
    case RWA_SCATTER: star_tree(a, s, stage, false); break;
    case RWA_GATHER: star_tree(a, s, s->stages - 1 - stage, true); break;
    case RWA_ALL_GATHER: star_exchange(a, s, stage); break;
    case RWA_ALL_TO_ALL: star_personalised(a, s, stage); break;
    default: broadcast_stage(a, s, stage);
    }
}

static rwa_status tcp_plan(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct star star = star_of(request);
    rwa_status st = RWA_OK;
    for (uint32_t stage = 0; st == RWA_OK && stage < star.stages + star.splits; stage++) {
        struct airs airs = {.err = err};
        fill_stage(&airs, &star, stage);
        st = (star.circuits ? airs_push_circuits : airs_push)(sink, &airs, request->net);
        airs_close(&airs);
    }
    return st;
}

/** A message for each node is one block, or several; a broadcast has as many as it is given. */
static rwa_status tcp_estimate(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    const rwa_collective *coll = request->coll;
    (void)err;
    if (coll->kind == RWA_BROADCAST || (coll->kind != RWA_ALL_TO_ALL && coll->blocks % coll->nodes == 0))
        e->blocks = coll->blocks;
    return RWA_OK;
}

static rwa_status tcp_validate(const struct plan_request *request, rwa_error *err)
{
    uint32_t given = request->opts->split_steps;
    struct star s = star_of(request);
    if (given != RWA_SPLIT_BEST && (s.kind != RWA_BROADCAST || given > s.stages))
        return base_fail(err, RWA_BADARG, "%u split steps, expected 0 to %u, for a broadcast", given, s.stages);
    if (given != RWA_SPLIT_BEST && !can_split(&s, given))
        return base_fail(err, RWA_BADARG, "%u split steps make %llu parts, which do not divide %u nodes; expected others through "
                         "circuit switches", given, (unsigned long long)star_power(&s, given), s.nodes);
    return RWA_OK;
}

/** Section 3 with P filled up to a power of k + 1, which is P itself where the paper's formulas are for it. */
static uint64_t formula_steps(const struct star *s)
{
    uint64_t power = star_power(s, s->stages), parts = star_power(s, s->splits), all;
    switch (s->kind) {
    case RWA_BROADCAST: /* (2/k ((k+1)^h' - 1) + h - h') m / (k+1)^h' */
        all = 2 * ((parts - 1) / s->ports) + s->stages - s->splits;
        return ceil_div(all * s->blocks, parts);
    case RWA_ALL_TO_ALL:
        return s->stages * (power / (s->ports + 1));
    default:
        return (power - 1) / s->ports * (s->blocks / s->nodes);
    }
}

static void tcp_formula(rwa_formula *f, const struct plan_request *request)
{
    struct star s = star_of(request);
    if (s.circuits)
        return; /* the paper is on stars */
    uint64_t tree = s.nodes - 1, exchange = (uint64_t)s.nodes * s.ports;
    f->known = 1;
    f->steps = formula_steps(&s);
    f->source = "Desprez, Ferreira, Tourancheau, Section 3";
    f->tunings = s.kind == RWA_BROADCAST ? tree + s.splits * exchange
                 : s.kind == RWA_SCATTER || s.kind == RWA_GATHER ? tree : s.stages * exchange;
}

const struct scheme scheme_tcp = {
    .name = "tcp",
    .summary = "tuning communication patterns: k-way trees (TCP1) and exchanges in cliques (TCP2)",
    .source = "Desprez, Ferreira, Tourancheau, Section 3",
    .collectives = 1u << RWA_SCATTER | 1u << RWA_GATHER | 1u << RWA_BROADCAST | 1u << RWA_ALL_GATHER | 1u << RWA_ALL_TO_ALL,
    .needs = NETWORK_STAR | NETWORK_SWITCHES,
    .reads = READS_SPLIT_STEPS,
    .validate = tcp_validate,
    .estimate = tcp_estimate,
    .plan = tcp_plan,
    .formula = tcp_formula,
};
