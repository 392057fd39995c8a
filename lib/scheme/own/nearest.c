/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The nearest-holder greedy, on any network of fibres.  Scheme `nearest` is used on listed links; scheme `relay` on
 * rings and lines, as the last resort if links failed in one direction, ports or hops are few, or the number of blocks
 * is not the usual one.  On networks with translations the search first folds the network (network/translations.h): it
 * plans for one node of each class of alike nodes, and all nodes of the class do the same.  The classes are cosets of a
 * group of translations. */
#include "bound/bound.h"
#include "delivery/delivery_search.h"
#include "network/network.h"
#include "scheme/scheme.h"

/** Limits on the effort, in node-block pairs.  FOLDED_PAIRS: all tries with one folding (which plans for one node of
 * each coset only).  PLAIN_PAIRS: tries without a folding.  HINDERED_PAIRS: the largest plan without a folding if a
 * folding hindered.  Each folding has at least FINER times as many cosets as the one before; the first that saves no
 * step is the last. */
enum { FOLDED_PAIRS = 1 << 14, PLAIN_PAIRS = 1 << 17, HINDERED_PAIRS = 1 << 20, FINER = 4 };

/** Negotiated trees are only searched for fewer steps than a limit, which is at most this: a plan of many steps is
 * hardly ever quicker than one of few steps with several blocks on a lightpath. */
enum { TREES_STEPS = 13 };

enum { TRIES = 40 };

struct nearest {
    struct delivery_found best;
    struct folding folding;     /* of the best plan; link NULL: none */
    bool folded;                /* some folding was tried */
    /* by the last search: it found a plan; some lightpath would have met its translations */
    bool useful, hindered;
};

static rwa_status refuse(const struct plan_request *request, const struct delivery_found *answer)
{
    uint32_t hops = request->opts->max_hops;
    char limit[64] = "";
    if (hops > 0)
        snprintf(limit, sizeof limit, " by lightpaths of at most %u hop%s", hops, hops == 1 ? "" : "s");
    return scheme_refuse(
        request,
        "node %u cannot be reached from node %u%s over the links and channels that are left; more working "
        "links%s would help",
        answer->to, answer->from, limit, hops > 0 ? ", or a larger max_hops," : "");
}

/* Make `answer`, with its `folding`, the best plan in `n`, which takes over their memory; both become empty. */
static void keep(struct nearest *n, struct delivery_found *answer, struct folding *folding)
{
    deliveries_free(&n->best.plan);
    folding_free(&n->folding);
    n->best = *answer;
    n->folding = *folding;
    *answer = (struct delivery_found){.cut_off = false};
    *folding = (struct folding){.link = NULL};
}

/* Tell whether the network may be folded: nodes that translations map to each other send alike, so a plan for one of
 * them serves all.  *group receives the translations.  A folding identifies a link by its nodes, so ring:2, which has
 * parallel links, is excluded. */
static bool can_fold(struct translations *group, const struct plan_request *request)
{
    const rwa_collective *coll = request->coll;
    return coll->kind == RWA_ALL_GATHER && coll->blocks == coll->nodes && coll->nodes > 2 && !request->opts->members &&
           network_is_uniform(request->net) && translations_of(group, request->net);
}

static rwa_bound_options bounding(uint32_t max_hops, const uint32_t *members)
{
    rwa_bound_options o;
    rwa_bound_options_init(&o);
    o.max_hops = max_hops;
    o.members = members;
    return o;
}

/** Return a lower bound on the steps, 0 if its computation fails.  `reached` is the number of steps of a known plan (0:
 * none); slow bounds that cannot prove that plan the shortest are skipped. */
static uint64_t bound_in_steps(const struct delivery_request *r, uint64_t reached)
{
    const rwa_bound_options o = bounding(r->max_hops, r->members);
    rwa_bound best;
    return bound_best_for(&best, NULL, r->net, r->coll, &o, reached, NULL) == RWA_OK ? best.value : 0;
}

typedef rwa_status search_function(struct delivery_found *, const struct delivery_request *, rwa_error *);

/* Search, with the function `search`, for a plan of fewer steps than the best so far.  If `group` is given, fold the
 * network into `cosets` classes of alike nodes, and plan only for one node of each.  Without it, keep an answer, too,
 * that only says which node is cut off. */
static rwa_status plan_by(struct nearest *n, struct delivery_request *ask, search_function *search,
                          const struct translations *group, uint32_t cosets, rwa_error *err)
{
    struct delivery_found answer = {.cut_off = false};
    struct folding folding = {.link = NULL};
    rwa_network *listed = NULL;
    rwa_status st = RWA_OK;
    if (group) {
        TRY(network_list_links(&listed, ask->net, err));
        TRY(folding_create(&folding, group, listed, cosets, err));
        ask->folding = &folding;
    }
    TRY(search(&answer, ask, err));
    n->useful = answer.plan.steps > 0;
    n->hindered = answer.hindered;
    if (n->useful || (answer.cut_off && !group))
        keep(n, &answer, &folding);
done:
    deliveries_free(&answer.plan);
    folding_free(&folding);
    rwa_network_free(listed);
    ask->folding = NULL;
    ask->below = n->best.plan.steps > 0 ? n->best.plan.steps : ask->below;
    return st;
}

/* Search for plans on the network folded into 1, then more and more classes of alike nodes (cosets).  Unless `all`, go
 * on only if the last search found a plan (n->useful), but some lightpath was not used because it would have met its
 * translations (n->hindered). */
static rwa_status plan_folded(struct nearest *n, struct delivery_request *ask, search_function *search,
                              const struct translations *group, bool all, rwa_error *err)
{
    n->folded = n->hindered = n->useful = true;
    ask->effort = FOLDED_PAIRS;
    for (uint32_t cosets = 1, least = 1;
         cosets < group->nodes && !n->best.shortest && (all || (n->hindered && n->useful)); cosets++)
        if (cosets >= least && folding_exists(group, cosets)) {
            MUST(plan_by(n, ask, search, group, cosets, err));
            least = FINER * cosets;
        }
    return RWA_OK;
}

/** Search for a plan without a folding, unless the best one is proven shortest.  Large networks are skipped if a folded
 * search gave a plan, or none of fewer than ask->below steps.  The limit on the size is higher if it gave one, but the
 * last folding kept lightpaths from being used (n->hindered). */
static rwa_status plan_plainly(struct nearest *n, struct delivery_request *ask, rwa_error *err)
{
    uint64_t pairs = ask->coll->nodes * ask->coll->blocks;
    bool in_vain = n->folded && n->best.plan.steps == 0 && ask->below > 0;
    if (n->best.shortest ||
        ((n->best.plan.steps > 0 || in_vain) && pairs > (n->hindered && !in_vain ? HINDERED_PAIRS : PLAIN_PAIRS)))
        return RWA_OK;
    ask->effort = PLAIN_PAIRS;
    return plan_by(n, ask, nearest_holder_plan, NULL, 0, err);
}

/* Search for negotiated trees with fewer steps than the best plan: with foldings into more and more classes of nodes,
 * then without.  There is no search on rings and lines, for more than TREES_STEPS steps, or for a broadcast of several
 * blocks. */
static rwa_status plan_trees(struct nearest *n, struct delivery_request *ask, const struct translations *group,
                             rwa_error *err)
{
    bool many = ask->coll->kind == RWA_BROADCAST && ask->coll->blocks > 1;
    if (n->best.shortest || n->best.cut_off || ask->below > TREES_STEPS || many || network_has_arcs(ask->net))
        return RWA_OK;
    ask->least = bound_in_steps(ask, ask->below);
    if (group)
        MUST(plan_folded(n, ask, negotiated_trees_find, group, true, err));
    return n->best.shortest ? RWA_OK : plan_by(n, ask, negotiated_trees_find, NULL, 0, err);
}

/** Set the number of blocks and a lower bound on the steps.  If the network can be folded, also set the number of
 * records, so that the planner accepts larger schedules. */
static rwa_status estimate_nearest(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    const rwa_collective *coll = request->coll;
    const rwa_bound_options o = bounding(request->opts->max_hops, request->opts->members);
    struct translations group;
    bool usual = !coll->blocks_given && coll->blocks == rwa_collective_default_blocks(coll->kind, coll->nodes);
    if (!usual && coll->kind != RWA_ALL_TO_ALL)
        e->blocks = coll->blocks;
    if (network_has_arcs(request->net)) /* a reversal may be planned on links that failed the other way */
        return RWA_OK;
    MUST(bound_soon(&e->least_steps, request->net, coll, &o, err));
    if (can_fold(&group, request))
        e->records = (double)request->coll->nodes * (request->coll->nodes - 1);
    return RWA_OK;
}

static rwa_status plan_nearest(struct schedule_sink *sink, const struct plan_request *request)
{
    struct budget budget = base_budget(request->opts->time_limit_s, request->opts->poll, request->opts->poll_data);
    struct delivery_request ask = {.net = request->net, .coll = request->coll, .members = request->opts->members,
                                  .max_hops = request->opts->max_hops, .seed = request->opts->seed,
                                  .tries = TRIES, .below = scheme_steps_below(request), .bound = bound_in_steps,
                                  .budget = &budget};
    struct nearest n = {.folded = false};
    struct translations group;
    bool folds = can_fold(&group, request);
    rwa_status st = RWA_OK;
    if (folds)
        TRY(plan_folded(&n, &ask, nearest_holder_plan, &group, false, sink->err));
    TRY(plan_plainly(&n, &ask, sink->err));
    TRY(plan_trees(&n, &ask, folds ? &group : NULL, sink->err));
    if (n.best.cut_off)
        TRY(refuse(request, &n.best));
    else if (n.best.plan.steps == 0 && ask.below == 0)
        TRY(scheme_refuse(request, "no node lacks a block of its own, so that nothing is to be sent"));
    else if (n.best.plan.steps == 0)
        TRY(scheme_refuse(request, "no plan of fewer than %u steps was found", ask.below));
    else
        TRY(deliveries_push(sink, &n.best.plan, network_has_arcs(request->net), n.folding.link ? &n.folding : NULL));
done:
    deliveries_free(&n.best.plan);
    folding_free(&n.folding);
    return st;
}

const struct scheme scheme_nearest = {
    .name = "nearest",
    .former_names = "torus-wavefront",
    .summary = "on any network: a node that lacks a block gets it from the nearest holder with a free channel; "
               "sums are collected like this backwards in time",
    .source = "rwa's own, unpublished",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_BROADCAST | 1u << RWA_SCATTER | 1u << RWA_ALL_TO_ALL,
    .needs = NETWORK_LISTED,
    .traits = REVERSIBLE | SHORTENS | MENDS | SLOW | ANY_BLOCKS,
    .estimate = estimate_nearest,
    .plan = plan_nearest,
};

const struct scheme scheme_relay = {
    .name = "relay",
    .summary = "last resort on rings and lines: a node that lacks a block gets it from the nearest holder that is free",
    .source = "rwa's own, unpublished; a last resort",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_BROADCAST | 1u << RWA_SCATTER | 1u << RWA_ALL_TO_ALL,
    .needs = NETWORK_ARCS,
    .traits = REVERSIBLE | SHORTENS | MENDS | LAST_RESORT,
    .estimate = estimate_nearest,
    .plan = plan_nearest,
};
