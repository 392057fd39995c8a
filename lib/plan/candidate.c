/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A candidate: a scheme on one residual network.  First its plan is estimated; then the plan is built, time-reversed
 * if necessary, widened by stripes, and mapped to the network. */
#include "plan/candidate.h"

#include "base/limits.h"
#include "collective/needs.h"
#include "network/translations.h"

bool scheme_suits(const struct scheme *scheme, const struct residual *residual, const rwa_plan_options *o)
{
    bool mends = scheme_has(scheme, MENDS) && o->stripes <= 1; /* whole blocks */
    return (scheme->needs & network_capabilities(residual->net)) && (!residual->broken || mends) &&
           (!residual->members || scheme_has(scheme, MENDS | TAKES_MEMBERS));
}

/** Tell whether the scheme plans another collective, whose time reversal is the one asked for. */
static bool is_reversed(const struct candidate *k)
{
    return k->forward.kind != k->whole.kind;
}

/** Return how often the candidate's scheme sends the message: twice for an all-reduce made of a reduce-scatter (a
 * time-reversed all-gather) and an all-gather, else once. */
static double passes_of(const struct candidate *k)
{
    return is_reversed(k) && k->whole.kind == RWA_ALL_REDUCE ? 2 : 1;
}

/** Return the network on which the scheme plans.  For a time-reversed collective on one-way links it is the network
 * with all links reversed. */
static const rwa_network *network_of(const struct candidate *k)
{
    const struct residual *r = k->residual;
    bool backwards = is_reversed(k) && r->opposite && !rwa_network_is_paired(r->net);
    return k->thin ? k->thin : backwards ? r->opposite : r->net;
}

/** Return the request to the candidate's scheme, with one set of parameters of this scheme.
 * @param why  RWA_ERROR_TEXT bytes, where the scheme writes why it has no plan; NULL: it only estimates */
static struct plan_request request_of(const struct candidate *k, const struct parameters *parameters, char *why)
{
    const struct plan_task *t = &k->task;
    bool orbits = network_has_orbits(network_of(k)) && !k->residual->node && !k->residual->own;
    double lightpaths = t->records_most > 0 ? t->records_most * (orbits ? k->forward.nodes : 1) : t->lightpaths_most;
    /* the second pass is tuned no later than the first */
    const double once_s = k->price.once_s;
    double below_s = k->below_s > 0 ? once_s + (k->below_s - once_s) / passes_of(k) : 0;
    return (struct plan_request){.scheme = k->scheme, .net = network_of(k), .coll = &k->forward,
                                 .sums = rwa_collective_is_reduction(k->whole.kind),
                                 .passes = (uint32_t)passes_of(k), .opts = &k->opts, .parameters = parameters,
                                 .price = k->price, .below_s = below_s, .lightpaths_most = lightpaths,
                                 .draft = k->estimate.draft, .why = why};
}

/* ---- open ---- */

/** Compute k->price: the seconds that a schedule takes once, for each step, and for each byte on a channel.  In every
 * cost model step_s includes the time to set up new lightpaths. */
static rwa_status find_prices(struct candidate *k, rwa_error *err)
{
    const rwa_cost_options *cost = &k->opts.cost;
    MUST(rwa_cost_floor(&k->price, rwa_network_rate_bps(network_of(k)), cost, err));
    if (k->thin && !network_has_arcs(k->thin)) /* its blocks are those of a stripe */
        k->price.byte_s /= k->opts.stripes;
    k->price.step_s = cost->model == RWA_COST_OVERLAP
                          ? fmax(cost->reconfig_s, cost->alpha_s)
                          : cost->reconfig_s + (cost->model == RWA_COST_CIRCUIT ? cost->alpha_s : 0);
    return RWA_OK;
}

/** Set k->forward, the collective that the scheme plans: k->whole itself or, if the scheme does not plan that, the
 * collective whose time reversal is k->whole (forward_kind()).  The number of blocks stays. */
static rwa_status find_forward(struct candidate *k, rwa_error *err)
{
    const rwa_collective *coll = &k->whole;
    rwa_collective_kind kind = forward_kind(coll->kind);
    uint64_t message = kind == RWA_ALL_GATHER ? ceil_div(coll->message_bytes, coll->nodes) : coll->message_bytes;
    k->forward = *coll;
    if ((k->scheme->collectives >> coll->kind & 1) || kind == coll->kind)
        return RWA_OK;
    MUST(rwa_collective_init(&k->forward, kind, coll->nodes, coll->root, message, coll->blocks, err));
    k->forward.blocks_given = coll->blocks_given;
    return RWA_OK;
}

/** Tell whether the caller chose a number of blocks that the scheme does not use. */
static bool recuts(const struct candidate *k)
{
    return chose_blocks(&k->whole) && k->whole.blocks != k->forward.blocks;
}

/** Cut the message of k->forward into the blocks that the scheme wants.  RWA_BADARG: the caller's blocks are no
 * multiple of the pairs of nodes of an all-to-all; blocks in stripes are no multiple of the nodes that own them; the
 * scheme does not use the number of blocks that the planner chose (k->blocks) */
static rwa_status cut_message(struct candidate *k, rwa_error *err)
{
    const rwa_collective given = k->forward;
    uint64_t usual = rwa_collective_default_blocks(given.kind, given.nodes),
             blocks = k->estimate.blocks > 0 ? k->estimate.blocks : usual;
    MUST(rwa_collective_init(&k->forward, given.kind, given.nodes, given.root, given.message_bytes, blocks, err));
    uint64_t pairs = (uint64_t)given.nodes * given.nodes;
    if (recuts(k) && (k->blocks > 0 || (k->whole.kind == RWA_ALL_TO_ALL && given.blocks % pairs != 0)))
        return base_refuse(err, "%llu blocks: expected a multiple of the %llu pairs of nodes of an all-to-all",
                           (unsigned long long)given.blocks, (unsigned long long)pairs);
    if (k->thin && collective_has_owners(k->whole.kind) && (recuts(k) ? given.blocks : blocks) % given.nodes != 0)
        return base_refuse(err,
                           "blocks in stripes: expected a multiple of the %u nodes that take part, as stripes go where "
                           "their block does", given.nodes);
    return RWA_OK;
}

static rwa_status open_stripes(struct candidate *k, rwa_error *err)
{
    if (k->opts.stripes <= 1)
        return RWA_OK;
    if (k->whole.kind == RWA_ALL_TO_ALL)
        return base_refuse(err, "stripes: an all-to-all has one block for each pair of nodes");
    return thin_network(&k->thin, k->residual->net, k->opts.stripes, err);
}

/** Set the candidate's collective (k->whole), hop limit and members (k->opts) to those of its residual network.  Number
 * and size of the blocks stay those of the task, unless the planner chose the number (k->blocks). */
static void take_residual(struct candidate *k)
{
    const rwa_collective *coll = k->task.coll;
    k->whole = k->residual->coll;
    k->whole.blocks = k->blocks > 0 ? k->blocks : coll->blocks;
    k->whole.block_bytes = coll->block_bytes;
    k->whole.blocks_given = coll->blocks_given;
    k->opts.max_hops = k->residual->max_hops;
    k->opts.members = k->residual->members;
}

static rwa_status estimate(struct candidate *k, rwa_error *err)
{
    take_residual(k);
    MUST(open_stripes(k, err));
    MUST(find_forward(k, err));
    MUST(find_prices(k, err));
    struct plan_request request = request_of(k, NULL, NULL);
    if (k->scheme->validate)
        MUST(k->scheme->validate(&request, err));
    if (k->scheme->estimate)
        MUST(k->scheme->estimate(&k->estimate, &request, err));
    assert(k->estimate.sets <= PARAMETER_SETS);
    return cut_message(k, err);
}

void candidate_free(struct candidate *k)
{
    if (k && k->estimate.draft)
        k->estimate.draft->release(k->estimate.draft);
    if (k) {
        rwa_network_free(k->thin);
        rwa_plan_free(k->plan);
    }
    free(k);
}

bool chose_blocks(const rwa_collective *coll)
{
    return coll->blocks_given || coll->blocks != rwa_collective_default_blocks(coll->kind, coll->nodes);
}

/* ---- size ---- */

/** Estimate the size of the plan: its records, the lightpaths that the checker visits, and the bytes of memory for
 * schedule and check (k->rating). */
static void rate_size(struct candidate *k)
{
    enum { SHARE_OF_OTHERS = 4 };
    const rwa_network *net = network_of(k);
    const rwa_collective *coll = &k->forward;
    double nodes = coll->nodes, stripes = k->thin ? k->opts.stripes : 1, least = least_lightpaths(coll);
    /* the checker follows an orbit of all nodes at one node, unless the plan is mapped from a residual network */
    bool whole = k->estimate.periodic && !k->residual->node && !k->residual->own;
    double channels = network_has_arcs(net) ? 2.0 * rwa_network_pairs(net) * rwa_network_channels(net) : 0;
    double check = whole ? (double)coll->blocks / 8 : channels / 8 + bytes_to_check(coll);   /* bytes, a bit for each */
    double records = k->estimate.records > 0 && !k->residual->node ? k->estimate.records : least;
    k->rating.least_lightpaths = passes_of(k) * least;
    double to_check = whole ? passes_of(k) * records : k->rating.least_lightpaths;
    /* orbits stay whole only if the number of channels of all stripes divides the number of nodes */
    bool round = stripes <= 1 || k->forward.nodes % (rwa_network_channels(net) * k->opts.stripes) == 0;
    k->rating.records = records * stripes;
    k->rating.to_check = (round ? to_check : fmax(to_check, nodes * nodes)) * stripes;
    k->rating.bytes = (records * RECORD_BYTES + check) * SHARE_OF_OTHERS / (SHARE_OF_OTHERS - 1);
}

/** Tell whether the plan would have more records or, with orbits written out, more lightpaths than the task allows. */
static bool has_too_many(const struct candidate *k)
{
    const struct rating *r = &k->rating;
    double known = k->estimate.records > 0 ? r->records : r->to_check, most = k->task.records_most;
    double lightpaths = known * (k->estimate.records > 0 && k->estimate.periodic ? k->forward.nodes : 1);
    return (most > 0 && known > most) || (k->task.lightpaths_most > 0 && lightpaths > k->task.lightpaths_most);
}

/** Return an error if the plan is too large.  RWA_NOMEM: plan and check need more memory than the machine has or the
 * caller allows.  RWA_BADARG: it has more lightpaths than the caller allows, or so many that their check takes too
 * long. */
static rwa_status refuse_size(const struct candidate *k, rwa_error *err)
{
    rwa_limits limits;
    MUST(limits_take(&limits, k->opts.limits, err));
    MUST(limits_refuse_lightpaths(&limits, k->rating.least_lightpaths, err));
    if (k->rating.to_check > MOST_TO_CHECK)
        return base_refuse(err,
                           "%s by scheme %s on %u nodes has %.0f lightpaths to check one by one, expected at most %.0f",
                           rwa_collective_name(k->whole.kind), k->scheme->name, k->whole.nodes, k->rating.to_check,
                           MOST_TO_CHECK);
    return limits_fit(&limits, k->rating.bytes, "this plan, with its check,", err);
}

/* ---- time ---- */

/** Tell whether the scheme's estimate gives the exact number of steps.  It does with the default solver, on a residual
 * network without failures. */
static bool has_steps(const struct candidate *k)
{
    bool usual = !k->opts.solver || strcmp(k->opts.solver, "auto") == 0;
    return k->estimate.steps > 0 && usual && !k->residual->broken;
}

/** Set the number of blocks and steps in k->rating, and the time, which stays 0 if no closed form gives it. */
static void rate_time(struct candidate *k)
{
    const struct estimate *e = &k->estimate;
    const rwa_collective *coll = &k->whole;
    const rwa_cost_options *cost = &k->opts.cost;
    struct rating *r = &k->rating;
    bool stays = scheme_has(k->scheme, KEEPS_LIGHTPATHS);
    rwa_collective cut;
    /* with stripes: as many steps as without, and each stripe counts as a block */
    r->blocks = k->forward.blocks * (k->thin ? k->opts.stripes : 1);
    r->steps = e->steps * (uint64_t)passes_of(k);
    if (e->time_s > 0 && (cost->model != RWA_COST_OVERLAP || stays)) { /* the lightpaths of both passes are set up
                                                                          once */
        r->time_s = e->time_s * passes_of(k) - (stays ? (passes_of(k) - 1) * k->price.once_s : 0);
    } else if (cost->model == RWA_COST_PAPER && has_steps(k) && /* in the other models only the schedule tells the
                                                                   time */
               rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, r->blocks, NULL) ==
                   RWA_OK) {
        r->time_s = rwa_cost_steps(r->steps, cut.block_bytes, rwa_network_rate_bps(network_of(k)), cost);
    }
}

/** Set k->rating.least_s, a lower bound on the time of the plan.  It is the larger of two: the time of the fewest
 * steps, each with one block (or stripe), and the scheme's own bound (k->estimate.least_s). */
static rwa_status rate_least_time(struct candidate *k, rwa_error *err)
{
    double known = (double)(has_steps(k) ? k->estimate.steps : k->estimate.least_steps),
           steps = fmax(known, 1) * passes_of(k);
    double bytes = (double)k->forward.block_bytes / (k->thin ? k->opts.stripes : 1);
    rwa_cost_prices floor;
    MUST(rwa_cost_floor(&floor, rwa_network_rate_bps(network_of(k)), &k->opts.cost, err));
    /* where the planner chose the number of blocks each step counts as reconfigured: plans that keep their
       lightpaths are other candidates */
    double step_s = k->blocks > 0 ? k->price.step_s : floor.step_s;
    double by_steps = floor.once_s + steps * (step_s + floor.byte_s * bytes);
    double by_scheme = floor.once_s + passes_of(k) * (k->estimate.least_s - floor.once_s);
    k->rating.least_s = fmax(by_steps, by_scheme);
    return RWA_OK;
}

rwa_status candidate_rate(struct candidate *k, rwa_error *err)
{
    assert(k->state == UNRATED);
    k->state = RATED;
    if (!k->scheme)
        return k->composition ? composition_least_time(&k->rating.least_s, k->composition, &k->task, err) : RWA_OK;
    MUST(estimate(k, err));
    if (recuts(k)) {            /* written out, and timed when it is built */
        k->estimate.periodic = false;
        k->estimate.records = 0;
    }
    RAISE(k->load, (uint32_t)k->estimate.load);
    rate_size(k);
    if (base_fits_memory(k->rating.bytes, "", NULL) == RWA_OK)
        rate_time(k);
    else
        k->rating.records = INFINITY;
    if (recuts(k)) {
        k->estimate.least_s = fmax(k->estimate.least_s, k->rating.time_s);
        k->rating.time_s = 0;
    }
    MUST(rate_least_time(k, err));
    if (has_too_many(k))
        k->state = OUT;
    return RWA_OK;
}

/* ---- build ---- */

static rwa_status build_forward(rwa_plan *plan, const struct scheme *scheme, const struct plan_request *request,
                                rwa_error *err)
{
    char name[TERM_TEXT + 32];
    snprintf(name, sizeof name, "%s%s%s", scheme->name, request->parameters->term[0] ? ":" : "",
             request->parameters->term);
    MUST(rwa_schedule_create_among(&plan->schedule, request->net, request->coll, request->opts->members, name, err));
    return build_stages(plan, scheme, request, err);
}

/** Build the plan of a time-reversed collective: let the scheme plan the forward collective on the network with
 * reversed links, then reverse the plan in time.  For an all-reduce, append the all-gather that follows.  This is the
 * plan before the reversal or, if links were reversed or taps are allowed, a plan of its own.
 * @param request  for the forward collective
 * @param cut      the collective of the finished plan, in the scheme's blocks */
static rwa_status build_reversed(rwa_plan *plan, const struct candidate *k, const struct plan_request *request,
                                 const rwa_collective *cut, rwa_error *err)
{
    const rwa_network *net = k->thin ? k->thin : k->residual->net, *opposite = k->residual->opposite;
    rwa_network *thin = NULL;
    rwa_plan onward = {.schedule = NULL};
    rwa_plan_options untapped = k->opts;
    struct plan_request back = *request, forth = *request;
    bool differs = opposite || (scheme_has(k->scheme, TAPS) && k->opts.max_drops > 1);
    bool twice = differs && cut->kind == RWA_ALL_REDUCE;
    rwa_status st = RWA_OK;
    if (opposite && k->thin)
        TRY(thin_network(&thin, opposite, k->opts.stripes, err));
    /* in reverse all receivers of a lightpath would have to send on it */
    untapped.max_drops = 1;
    back.net = thin ? thin : opposite ? opposite : net;
    back.opts = &untapped;
    forth.net = net;
    TRY(build_forward(plan, k->scheme, &back, err));
    if (twice && request->why[0] == '\0')
        TRY(build_forward(&onward, k->scheme, &forth, err));
    if (request->why[0] == '\0')
        TRY(reverse_plan(plan, twice ? &onward : plan, net, cut, err));
done:
    rwa_schedule_free(onward.schedule);
    rwa_network_free(thin);
    return st;
}

/** Build the schedule on the residual network.  Also evaluate the scheme's published formula, if it has one, into
 * plan->summary.formula. */
static rwa_status build_schedule(rwa_plan *plan, const struct candidate *k, const struct parameters *parameters,
                                 rwa_error *err)
{
    const rwa_collective *coll = &k->whole;
    struct plan_request request = request_of(k, parameters, plan->summary.why);
    rwa_collective cut = k->forward;
    plan->summary.group = parameters->group;
    if (is_reversed(k)) {
        MUST(rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, k->forward.blocks,
                                 err));
        MUST(build_reversed(plan, k, &request, &cut, err));
    } else {
        MUST(build_forward(plan, k->scheme, &request, err));
    }
    request.coll = &cut;
    if (k->scheme->formula)
        k->scheme->formula(&plan->summary.formula, &request);
    plan->summary.formula.known = plan->summary.formula.source != NULL;
    return RWA_OK;
}

/** Widen the plan by its stripes, and map it from the residual network to the real network. */
static rwa_status map_to_network(rwa_plan *plan, const struct candidate *k, rwa_error *err)
{
    rwa_schedule *mapped = NULL;
    assert(rwa_schedule_steps(plan->schedule) > 0);
    plan->summary.lightpath_blocks = rwa_schedule_lightpath_blocks(plan->schedule);
    if (k->thin)
        MUST(widen_plan(plan, k->residual->net, &k->whole, k->opts.stripes, err));
    if (k->residual->net == k->residuals->real)
        return RWA_OK;
    MUST(residual_map(&mapped, plan->schedule, k->residuals, k->residual, err));
    plan_replace_schedule(plan, mapped);
    return RWA_OK;
}

/** Divide or join the blocks of the finished plan, so that it has the caller's number of blocks.  RWA_BADARG: that is
 * impossible */
static rwa_status recut(rwa_plan *plan, const struct candidate *k, rwa_error *err)
{
    const rwa_plan_options *o = k->task.opts;
    uint32_t most = o->stripes > 1 ? 1 : o->lightpath_blocks, load = rwa_schedule_lightpath_blocks(plan->schedule);
    rwa_collective coll = *rwa_schedule_collective(plan->schedule);
    rwa_schedule *cut = NULL;
    MUST(rwa_collective_init(&coll, coll.kind, coll.nodes, coll.root, k->whole.message_bytes,
                             k->whole.blocks * plan->summary.stripes, err));
    MUST(restrict_schedule(&cut, plan->schedule, &coll, most == 0 ? UINT32_MAX : most > load ? most / load : 1,
                           rwa_schedule_scheme(plan->schedule), err));
    if (!cut)
        return base_refuse(err, "%llu blocks: scheme %s cuts the message otherwise", (unsigned long long)coll.blocks,
                           k->scheme->name);
    plan->summary.formula.known = 0;
    plan->summary.lightpath_blocks = rwa_schedule_lightpath_blocks(cut);
    plan_replace_schedule(plan, cut);
    if (rwa_schedule_steps(cut) > 0)
        return RWA_OK;
    snprintf(plan->summary.why, RWA_ERROR_TEXT, "no node lacks a block, so that nothing is to be sent");
    plan_refuse(plan);
    return RWA_OK;
}

/** Refuse the plan if one of its lightpaths carries more blocks than the caller allows.  Some schemes choose that
 * number themselves. */
static void keep_to_load(rwa_plan *plan, const struct candidate *k)
{
    uint32_t most = k->task.opts->lightpath_blocks, load = plan->summary.lightpath_blocks;
    if (most == 0 || load <= most)
        return;
    snprintf(plan->summary.why, RWA_ERROR_TEXT,
             "scheme %s puts up to %u blocks on a lightpath, of %u allowed%s", k->scheme->name, load, most,
             scheme_is_open(k->task.opts) ? "" : "; scheme auto, or no load_factor, would do");
    plan_refuse(plan);
}

/** Build the plan for one set of parameters of the scheme. */
static rwa_status build_set(rwa_plan **out, const struct candidate *k, const struct parameters *parameters,
                            rwa_error *err)
{
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    TRY(plan_create(&plan, k->scheme->name, err));
    TRY(build_schedule(plan, k, parameters, err));
    plan->summary.stripes = k->thin ? k->opts.stripes : 1;
    if (plan->summary.why[0] != '\0') {
        plan_replace_schedule(plan, NULL);  /* unfinished, so it breaks no limit */
        plan_refuse(plan);
    } else {
        TRY(map_to_network(plan, k, err));
        if (recuts(k))
            TRY(recut(plan, k, err));
    }
    if (plan->schedule) {
        TRY(plan_times(&plan->summary, plan->schedule, &k->opts.cost, err));
        keep_to_load(plan, k);
        deadline_note_plan(k->task.deadline);
    }
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return st;
}

rwa_status candidate_build(rwa_plan **out, const struct candidate *k, rwa_error *err)
{
    rwa_plan *best = NULL, *next = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    if (k->composition)
        return composition_plan(out, k->composition, &k->task, k->below_s > 0 ? k->below_s : INFINITY, err);
    if (!k->scheme)
        return composed_by_name(out, &k->task, err);
    MUST(refuse_size(k, err));
    for (size_t set = 0; set == 0 || set < k->estimate.sets; set++) {
        st = build_set(&next, k, &k->estimate.set[set], err);
        if (best && best->schedule && deadline_ended(k->task.deadline, st)) {
            base_begin(err);
            st = RWA_OK;
            break;
        }
        TRY(st);
        plan_keep_one(&best, next, !best || plan_takes_less(next, best));
    }
    assert(best->schedule || best->summary.why[0] != '\0');
    *out = best;
    best = NULL;
done:
    rwa_plan_free(best);
    return st;
}
