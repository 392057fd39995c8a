/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The nearest-holder greedy, on any network of fibres: `nearest` where links are listed; `relay` on rings and lines, as the
 *  last resort where links failed in one direction, or ports or hops are few. */
#include "bound/bound.h"
#include "delivery/nearest_holder.h"
#include "delivery/negotiated_trees.h"
#include "network/network.h"
#include "scheme/scheme.h"

/** Node-block pairs: of all tries with one folding, and without; of a plan without a folding after one that hinders.  Foldings
 *  end after one that saves no step; each has so many times as many cosets as the one before. */
enum { FOLDED_PAIRS = 1 << 14, PLAIN_PAIRS = 1 << 17, HINDERED_PAIRS = 1 << 20, FINER = 4 };

/** Steps at most of the trees of each owner that are sought: plans of many steps are hardly ever quicker than those of fewer, with several
 *  blocks on a lightpath. */
enum { TREES_STEPS = 12 };

/** Of the blocks of a broadcast that the scheme itself chooses. */
enum { BLOCK_PAIRS = 1 << 15, PORT_BLOCKS = 16 };

/** Tries without a shorter plan; of a broadcast of many blocks, where the first few tell nearly always. */
enum { PATIENCE = 24, PIPELINE_PATIENCE = 6 };

struct nearest {
    const rwa_network *net;
    struct nearest_answer best;
    struct folding folding;     /* of the best plan; link NULL: none */
    bool folded;                /* some folding was tried */
    bool hindered;              /* by the last of them */
};

static rwa_status refuse(const struct plan_request *request, const struct nearest_answer *answer)
{
    uint32_t hops = request->opts->max_hops;
    char limit[64] = "";
    if (hops > 0)
        snprintf(limit, sizeof limit, " by lightpaths of at most %u hop%s", hops, hops == 1 ? "" : "s");
    return scheme_refuse(request, "node %u cannot be reached from node %u%s over the links and channels that are left; more working "
                         "links%s would help", answer->to, answer->from, limit, hops > 0 ? ", or a larger max_hops," : "");
}

/* Keep what was found, if anything was. */
static void keep(struct nearest *n, struct nearest_answer *answer, struct folding *folding)
{
    if (answer->plan.steps > 0 || answer->cut_off) {
        deliveries_free(&n->best.plan);
        folding_free(&n->folding);
        n->best = *answer;
        n->folding = folding ? *folding : (struct folding){.link = NULL};
        *answer = (struct nearest_answer){.cut_off = false};
        if (folding)
            *folding = (struct folding){.link = NULL};
    }
}

/* A folding finds links by their nodes, and the two nodes of a ring:2 have parallel ones. */
static bool can_fold(struct translations *group, const struct plan_request *request)
{
    const rwa_collective *coll = request->coll;
    return coll->kind == RWA_ALL_GATHER && coll->blocks == coll->nodes && coll->nodes > 2 && !request->opts->members &&
           network_is_uniform(request->net) && translations_of(group, request->net);
}

static rwa_status plan_folded(struct nearest *n, const struct translations *group, uint32_t cosets, struct nearest_request *ask,
                              bool *useful, rwa_error *err)
{
    struct nearest_answer answer = {.cut_off = false};
    struct folding folding = {.link = NULL};
    rwa_network *listed = NULL;
    rwa_status st = RWA_OK;
    TRY(network_list_links(&listed, ask->net, err));
    TRY(folding_create(&folding, group, listed, cosets, err));
    ask->folding = &folding;
    TRY(nearest_holder_plan(&answer, ask, err));
    *useful = answer.plan.steps > 0;
    n->hindered = answer.hindered;
    if (!answer.cut_off)
        keep(n, &answer, &folding);
done:
    deliveries_free(&answer.plan);
    folding_free(&folding);
    rwa_network_free(listed);
    ask->folding = NULL;
    ask->below = n->best.plan.steps > 0 ? n->best.plan.steps : ask->below;
    return st;
}

/* Folded as far as possible first: what is planned for one node holds for all, so that large networks take little time. */
static rwa_status plan_all_folded(struct nearest *n, struct nearest_request *ask, const struct plan_request *request, rwa_error *err)
{
    struct translations group;
    bool useful = true;
    if (!can_fold(&group, request))
        return RWA_OK;
    n->folded = n->hindered = true;
    ask->effort = FOLDED_PAIRS;
    ask->patience = PATIENCE;
    for (uint32_t cosets = 1, least = 1; cosets < group.nodes && !n->best.shortest && n->hindered && useful; cosets++)
        if (cosets >= least && folding_exists(&group, cosets)) {
            MUST(plan_folded(n, &group, cosets, ask, &useful, err));
            least = FINER * cosets;
        }
    return RWA_OK;
}

/* Without a folding; unless it would take long, and promises nothing: the folded plan was not hindered, or came to too many steps. */
static rwa_status plan_plainly(struct nearest *n, struct nearest_request *ask, rwa_error *err)
{
    struct nearest_answer answer = {.cut_off = false};
    uint64_t pairs = ask->coll->nodes * ask->coll->blocks;
    bool in_vain = n->folded && n->best.plan.steps == 0 && ask->below > 0;
    rwa_status st = RWA_OK;
    if (n->best.shortest || ((n->best.plan.steps > 0 || in_vain) && pairs > (n->hindered && !in_vain ? HINDERED_PAIRS : PLAIN_PAIRS)))
        return RWA_OK;
    ask->effort = PLAIN_PAIRS;
    ask->patience = ask->coll->kind == RWA_BROADCAST && ask->coll->blocks > 1 ? PIPELINE_PATIENCE : PATIENCE;
    TRY(nearest_holder_plan(&answer, ask, err));
    keep(n, &answer, NULL);
done:
    deliveries_free(&answer.plan);
    return st;
}

/** Without one, tries go on: so a failure is none of the plan's. */
static uint64_t bound_in_steps(const struct nearest_request *r, uint64_t reached)
{
    rwa_bound_options o;
    rwa_bound best;
    rwa_bound_options_init(&o);
    o.max_hops = r->max_hops;
    o.members = r->members;
    return bound_best_for(&best, r->net, r->coll, &o, reached, NULL) == RWA_OK ? best.value : 0;
}

/* Trees of fewer and fewer steps; those of many steps are not worth the search. */
static rwa_status plan_trees(struct nearest *n, struct nearest_request *ask, rwa_error *err)
{
    const rwa_collective *coll = ask->coll;
    struct nearest_answer answer = {.cut_off = false};
    uint32_t below = n->best.plan.steps > 0 ? n->best.plan.steps : ask->below;
    bool few = rwa_network_nodes(ask->net) * coll->blocks <= NEGOTIATED_PAIRS && below <= TREES_STEPS + 1;
    rwa_status st = RWA_OK;
    if (n->best.shortest || n->best.cut_off || network_has_arcs(ask->net) || ask->net->ports > 0 || !few)
        return RWA_OK;
    for (uint64_t least = bound_in_steps(ask, below); least < below && below > 1; below--) {
        struct negotiated_request r = {ask->net, coll, ask->members, ask->max_hops, below - 1, ask->seed, ask->budget};
        TRY(negotiated_trees_find(&answer.plan, &r, err));
        if (answer.plan.steps == 0)
            break;
        keep(n, &answer, NULL);
    }
done:
    deliveries_free(&answer.plan);
    return st;
}

/* Lightpath i as the translation by a member of the folding has it; the path is written to `path`. */
static rwa_lightpath unfolded(const struct nearest *n, size_t i, uint32_t member, uint32_t *path)
{
    const struct deliveries *d = &n->best.plan;
    const struct translations *t = &n->folding.group;
    rwa_lightpath lp = d->list[i];
    size_t nodes = d->path_first[i + 1] - d->path_first[i];
    assert(i < d->count && nodes >= 2);
    memcpy(path, d->path + d->path_first[i], nodes * sizeof *path);
    for (size_t k = 0; k < nodes && member > 0; k++)
        path[k] = translations_add(t, path[k], member);
    if (member > 0)
        lp.block = translations_add(t, (uint32_t)lp.block, member);
    lp.src = path[0];
    lp.dst = path[nodes - 1];
    lp.step = 1;
    return lp;
}

/** A stage for each step, with every translation; where directions say the routes there are no paths. */
static rwa_status push_deliveries(struct schedule_sink *sink, const struct nearest *n, uint32_t *path, rwa_error *err)
{
    const struct deliveries *d = &n->best.plan;
    size_t members = n->folding.by.order > 0 ? n->folding.by.order : 1;
    bool arcs = network_has_arcs(n->net);
    for (size_t i = 0; i < d->count; i++) {
        rwa_lists lists = {.path = arcs ? NULL : path, .path_nodes = arcs ? 0 : (uint32_t)(d->path_first[i + 1] - d->path_first[i])};
        for (size_t m = 0; m < members; m++) {
            rwa_lightpath lp = unfolded(n, i, members > 1 ? n->folding.by.member[m] : 0, path);
            MUST(sink_lightpath(sink, &lp, &lists, err));
        }
        if (i + 1 == d->count || d->list[i + 1].step != d->list[i].step)
            MUST(sink_end_stage(sink, err));
    }
    return RWA_OK;
}

/** Links from the root to the node farthest from it. */
static rwa_status find_depth(uint32_t *depth, const rwa_network *net, uint32_t root, rwa_error *err)
{
    uint32_t *hops = base_array(net->nodes, sizeof *hops, err), *queue = base_array(net->nodes, sizeof *queue, err);
    uint32_t head = 0, tail = 0;
    rwa_status st = hops && queue ? RWA_OK : RWA_NOMEM;
    TRY(st);
    queue[tail++] = root;
    hops[root] = 1; /* plus 1: 0 says that a node is new */
    for (; head < tail; head++)
        for (uint32_t k = net->first[queue[head]]; k < net->first[queue[head] + 1]; k++) {
            uint32_t to = net->links[net->out[k]].to;
            if (hops[to] == 0) {
                hops[to] = hops[queue[head]] + 1;
                queue[tail++] = to;
            }
        }
    *depth = hops[queue[tail - 1]] - 1;
done:
    free(hops);
    free(queue);
    return st;
}

/** Blocks that leave the root in a step, or enter the node with the fewest channels; no more for each port than were quickest on any of
 *  63 networks. */
static rwa_status find_width(uint64_t *width, const rwa_network *net, uint32_t root, rwa_error *err)
{
    uint64_t *in = base_array(net->nodes, sizeof *in, err), out = 0;
    if (!in)
        return RWA_NOMEM;
    for (uint32_t l = 0; l < net->link_count; l++)
        in[net->links[l].to] += (uint64_t)net->links[l].fibers * net->wavelengths;
    for (uint32_t k = net->first[root]; k < net->first[root + 1]; k++)
        out += (uint64_t)net->links[net->out[k]].fibers * net->wavelengths;
    *width = out;
    for (uint32_t v = 0; v < net->nodes; v++)
        *width = v != root && in[v] < *width ? in[v] : *width;
    uint64_t ports = (uint64_t)PORT_BLOCKS * net->ports;
    *width = ports > 0 && ports < *width ? ports : *width;
    free(in);
    return RWA_OK;
}

/**
 * Blocks of a broadcast that follow each other: c times as many as leave the root in a step take about c steps, and then as many more
 * as the farthest node is links away.  One block where that is not clearly quicker, or the time is short.  Many blocks take long to plan,
 * so other schemes come first, and tell which plans are still of interest.
 */
static rwa_status choose_blocks(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    const double clearly = 1.15, pairs_a_second = 5000;
    const rwa_collective *coll = request->coll;
    const double step_s = request->price.step_s, message_s = request->price.byte_s * (double)coll->message_bytes;
    uint64_t width = 0;
    uint32_t depth = 0;
    MUST(find_width(&width, request->net, coll->root, err));
    MUST(find_depth(&depth, request->net, coll->root, err));
    if (width == 0 || depth == 0 || step_s <= 0)
        return RWA_OK;
    double whole_steps = coll->nodes - 1 <= width ? 1 : 2;
    double pairs = request->opts->time_limit_s > 0 ? fmin(BLOCK_PAIRS, pairs_a_second * request->opts->time_limit_s) : BLOCK_PAIRS;
    double most = floor(pairs / coll->nodes / (double)width), rounds = ceil(sqrt(depth * message_s / (double)width / step_s));
    rounds = rounds < most ? rounds : most;
    if (rounds < 1 || clearly * (rounds + depth) * (step_s + message_s / rounds / (double)width) > whole_steps * (step_s + message_s))
        return RWA_OK;
    e->blocks = (uint64_t)rounds * width;
    e->least_steps = (uint64_t)rounds + depth / 2; /* of 118 plans none took fewer than 0.56 of the depth after the rounds */
    return RWA_OK;
}

/** Fewer steps than any broadcast of so many blocks takes are none of this scheme's. */
static rwa_status find_least_steps(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    rwa_bound_options o;
    rwa_bound_options_init(&o);
    o.max_hops = request->opts->max_hops;
    o.members = request->opts->members;
    return bound_soon(&e->least_steps, request->net, request->coll, &o, err);
}

/** Translations keep the planning of a large network cheap: the plan of one node stands for all. */
static rwa_status estimate_nearest(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    const rwa_collective *coll = request->coll;
    struct translations group;
    bool usual = !coll->blocks_given && coll->blocks == rwa_collective_default_blocks(coll->kind, coll->nodes);
    if (coll->kind == RWA_BROADCAST && usual && !request->opts->members)
        MUST(choose_blocks(e, request, err));
    if (!usual && coll->kind != RWA_ALL_TO_ALL)
        e->blocks = coll->blocks;
    if (!usual && coll->kind == RWA_BROADCAST)
        MUST(find_least_steps(e, request, err));
    if (can_fold(&group, request))
        e->records = (double)request->coll->nodes * (request->coll->nodes - 1);
    return RWA_OK;
}

static rwa_status plan_nearest(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct budget budget = base_budget(request->opts->time_limit_s, request->opts->poll, request->opts->poll_data);
    struct nearest_request ask = {.net = request->net, .coll = request->coll, .members = request->opts->members,
                                  .max_hops = request->opts->max_hops, .seed = request->opts->seed,
                                  .below = scheme_steps_below(request), .bound = bound_in_steps, .budget = &budget};
    struct nearest n = {.net = request->net};
    uint32_t *path = base_array((size_t)rwa_network_nodes(request->net) + 1, sizeof *path, err);
    rwa_status st = path ? RWA_OK : RWA_NOMEM;
    TRY(st);
    TRY(plan_all_folded(&n, &ask, request, err));
    TRY(plan_plainly(&n, &ask, err));
    TRY(plan_trees(&n, &ask, err));
    if (n.best.cut_off)
        TRY(refuse(request, &n.best));
    else if (n.best.plan.steps == 0 && ask.below == 0)
        TRY(scheme_refuse(request, "no node lacks a block of its own, so that nothing is to be sent"));
    else if (n.best.plan.steps == 0)
        TRY(scheme_refuse(request, "no plan of fewer than %u steps was found", ask.below));
    else
        TRY(push_deliveries(sink, &n, path, err));
done:
    deliveries_free(&n.best.plan);
    folding_free(&n.folding);
    free(path);
    return st;
}

const struct scheme scheme_nearest = {
    .name = "nearest",
    .former_names = "torus-wavefront",
    .summary = "on any network: a node that lacks a block gets it from the nearest holder with a free channel",
    .source = "this work",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_BROADCAST | 1u << RWA_SCATTER | 1u << RWA_ALL_TO_ALL,
    .needs = NETWORK_LISTED,
    .traits = REVERSIBLE | SHORTENS | MENDS | SLOW,
    .estimate = estimate_nearest,
    .plan = plan_nearest,
};

const struct scheme scheme_relay = {
    .name = "relay",
    .summary = "around failed links and with few ports: a node that lacks a block gets it from the nearest holder that is free",
    .source = "this work; a last resort",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_BROADCAST | 1u << RWA_SCATTER | 1u << RWA_ALL_TO_ALL,
    .needs = NETWORK_ARCS,
    .traits = REVERSIBLE | SHORTENS | MENDS | LAST_RESORT,
    .plan = plan_nearest,
};
