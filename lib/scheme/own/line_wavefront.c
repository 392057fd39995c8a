/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The scheme "wavefront" on a line, where every block must reach each end over one link, and on a ring that lost links
 * in one direction. */
#include "delivery/delivery_search.h"
#include "delivery/line/line_schedule.h"
#include "lattice/lattice_points.h"
#include "scheme/scheme.h"

/** The positions of a line, or of a ring with failed links, as in delivery/line/line_position.h. */
struct line_positions {
    uint32_t *node;
    bool *cut;                  /* NULL: a line */
    uint32_t *origin;           /* of each block: the position of the nearest cut below; NULL: a line */
    rwa_direction rising;
};

/** Number the positions round a ring with failed links, in the direction in which no link failed.  Set in `p` which
 * positions are cut (line_position.h), and for each block its origin, the lowest position to which it can fall. */
static rwa_status cut_ring(struct line_positions *p, const rwa_network *net, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(net), first = 0;
    rwa_faults faults = network_faults(net);
    MUST(base_new(p->cut, n, err));
    /* links failed in one direction only: otherwise some node could not be reached */
    p->rising = faults.link_count > 0 && faults.links[0] >= n ? RWA_CW : RWA_CCW;
    for (size_t i = faults.link_count; i-- > 0;) {
        uint32_t link = faults.links[i] % n, behind = p->rising == RWA_CW ? link : (link + 1) % n;
        first = i + 1 == faults.link_count ? behind : first;
        p->cut[p->rising == RWA_CW ? (behind + n - first) % n : (first + n - behind) % n] = true;
    }
    for (uint32_t i = 0; i < n; i++)
        p->node[i] = (p->rising == RWA_CW ? first + i : first + n - i) % n;
    MUST(base_new(p->origin, n, err));
    assert(p->cut[0]);
    for (uint32_t b = 1; b < n; b++)
        p->origin[b] = p->cut[b - 1] ? b : p->origin[b - 1];
    p->origin[0] = p->cut[n - 1] ? 0 : p->origin[n - 1];
    return RWA_OK;
}

static rwa_status find_positions(struct line_positions *p, const rwa_network *net, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(net);
    p->rising = RWA_CW;
    MUST(base_new(p->node, n, err));
    for (uint32_t i = 0; i < n; i++)
        p->node[i] = i;
    return network_is_cycle(net) ? cut_ring(p, net, err) : RWA_OK;
}

static struct spread_limits limits_of(const struct plan_request *request)
{
    const rwa_plan_options *o = request->opts;
    uint32_t nodes = request->coll->nodes,
             drops = o->max_drops > 1 && !network_is_cycle(request->net) ? o->max_drops : 1;
    return (struct spread_limits){.nodes = nodes,
                                  .channels = rwa_network_channels(request->net),
                                  .max_hops = o->max_hops,
                                  .drops = drops < nodes ? drops : nodes,
                                  .ports = rwa_network_ports(request->net),
                                  .seed = o->seed};
}

static rwa_status plan_line(struct schedule_sink *sink, const struct plan_request *request)
{
    const rwa_plan_options *o = request->opts;
    struct spread_limits limits = limits_of(request);
    struct budget budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    struct delivery_tree trees = {0};
    struct delivery_request fewer = {.net = request->net,
                                     .coll = request->coll,
                                     .max_hops = o->max_hops,
                                     .seed = o->seed,
                                     .least = line_fewest_steps(&limits),
                                     .budget = &budget};
    struct delivery_found found = {.cut_off = false};
    struct line_positions p = {.node = NULL};
    rwa_status st = RWA_OK;
    TRY(find_positions(&p, request->net, sink->err));
    limits.cut = p.cut;
    limits.origin = p.origin;
    TRY(line_schedule_find(&trees, &limits, &budget, sink->err));
    fewer.below = trees.steps;
    TRY(negotiated_trees_find(&found, &fewer, sink->err));
    if (found.plan.steps > 0)
        TRY(deliveries_push(sink, &found.plan, true, NULL));
    else
        TRY(push_line_schedule(sink, &trees, &limits, p.node, p.rising));
done:
    deliveries_free(&found.plan);
    delivery_tree_free(&trees);
    free_all(p.node, p.cut, p.origin);
    return st;
}

/** Compute a lower bound on the steps: the larger of the bound for a ring of equally many nodes, and the steps in which
 * an end of the line receives all blocks over its one link. */
static rwa_status estimate_line(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    struct spread_limits limits = limits_of(request);
    (void)err;
    e->least_steps = line_fewest_steps(&limits);
    if (limits.nodes > 2)
        RAISE(e->least_steps, lattice_least_steps(limits.nodes, limits.channels, limits.drops, false));
    return RWA_OK;
}

const struct scheme scheme_line_wavefront = {
    .name = "line-wavefront",
    .summary = "every block runs to both ends by long hops and fills the gaps behind them",
    .source = "rwa's own, unpublished",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_PATH,
    .traits = REVERSIBLE | STRIPES | TAPS | SHORTENS | SLOW,
    .estimate = estimate_line,
    .plan = plan_line,
};

const struct scheme scheme_broken_wavefront = {
    .name = "broken-wavefront",
    .summary = "around failed links: every block runs down the whole direction and fills the gaps from both sides",
    .source = "rwa's own, unpublished",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_CYCLE,
    .traits = REVERSIBLE | SHORTENS | MENDS | ONLY_FAILED,
    .plan = plan_line,
};
