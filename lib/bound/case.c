/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Make a case: the request as all bounds see it, on the canonical network, time-reversed if it is a reduce. */
#include "bound/case.h"
#include "bound/graph.h"
#include "network/network.h"

static rwa_status check_participants(const rwa_network *net, const rwa_collective *coll, const uint32_t *members,
                                     rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net);
    if (!members && coll->nodes != nodes)
        return base_refuse(err, "a collective on %u nodes does not fit a network of %u", coll->nodes, nodes);
    for (uint32_t i = 0; members && i < coll->nodes; i++)
        if (members[i] >= nodes || (i > 0 && members[i] <= members[i - 1]))
            return base_refuse(err, "members: expected ascending nodes below %u", nodes);
    return RWA_OK;
}

static rwa_status take_contracted(struct bound_case *c, const rwa_faults *faults, const uint32_t *members,
                                  rwa_error *err)
{
    struct contracted s;
    rwa_status st = contracted_open(&s, c->net, faults, members, c->nodes, 0, err);
    c->capabilities = s.kind == RWA_RING ? NETWORK_CYCLE : NETWORK_PATH;
    c->first = s.first;
    c->lost = s.lost;
    c->lost_count = s.lost_count;
    return st;
}

/** Return the most receivers of a lightpath that a bound may count, if the caller allows `asked`.  It is 1 for
 * collectives that are bounded in reversed time, where a lightpath informs only its sender.  These are the reductions,
 * but an all-reduce only on a ring or line. */
static uint32_t drops_of(const rwa_network *net, const rwa_collective *coll, uint32_t asked)
{
    if (coll->kind == RWA_REDUCE_SCATTER || coll->kind == RWA_ROOTED_REDUCE ||
        (coll->kind == RWA_ALL_REDUCE && network_has_arcs(net)))
        return 1;
    return asked < coll->nodes ? asked : coll->nodes;
}

/** Set the channels, the blocks per lightpath, the hop limit and the receivers per lightpath from the options and
 *  faults. */
static void set_limits(struct bound_case *c, const rwa_bound_options *opts)
{
    uint32_t open = network_open_channels(c->net, rwa_network_fibers(c->net));
    uint32_t drops = opts->max_drops > 0 ? opts->max_drops : opts->taps ? UINT32_MAX : 1;
    c->max_hops = opts->max_hops ? opts->max_hops : UINT32_MAX;
    c->drops = drops_of(c->net, c->coll, drops);
    c->taps = drops > 1;
    c->lightpaths = open > 0 ? open : 1;
    c->slots = opts->lightpath_blocks < c->coll->blocks ? opts->lightpath_blocks : (uint32_t)c->coll->blocks;
    c->channels = (uint64_t)c->lightpaths * c->slots;
}

/** Turn a reduce to one root into a broadcast over reversed links, which is the same schedule read backwards in time.
 *  Only for networks where lightpaths have routes. */
static void reverse_case(struct bound_case *c)
{
    c->reversed = true;
    c->task.coll.kind = RWA_BROADCAST;
    for (size_t i = 0; i < c->lost_count; i++) {
        bool cw = c->lost[i].cw;
        c->lost[i].cw = c->lost[i].ccw;
        c->lost[i].ccw = cw;
    }
    if (c->graph) {
        struct bound_ends out = c->graph->out;
        c->graph->out = c->graph->in;
        c->graph->in = out;
    }
}

rwa_status bound_case_open(struct bound_case *c, const rwa_network *net, const rwa_collective *coll,
                           const rwa_bound_options *opts, struct budget *budget, rwa_error *err)
{
    rwa_faults faults;
    *c = (struct bound_case){.nodes = coll->nodes, .budget = budget};
    MUST(check_participants(net, coll, opts->members, err));
    if (opts->lightpath_blocks < 1 || opts->lightpath_blocks > RWA_LIGHTPATH_BLOCKS_MAX)
        return base_refuse(err, "%u blocks per lightpath: expected 1 to %u", opts->lightpath_blocks,
                           RWA_LIGHTPATH_BLOCKS_MAX);
    MUST(canonical_open(&c->task, net, coll, opts->members, err));
    c->net = c->task.net;
    c->coll = &c->task.coll;
    c->root = c->coll->root;
    c->capabilities = network_capabilities(c->net);
    c->arcs = network_has_arcs(c->net);
    c->fibers = rwa_network_fibers(c->net);
    c->ports = rwa_network_ports(c->net);
    c->tuning = rwa_network_tuning(c->net);
    bound_take_faults(&faults, c->net);
    set_limits(c, opts);
    if (c->arcs) {
        MUST(take_contracted(c, &faults, c->task.members, err));
        c->root = (c->coll->root + c->nodes - c->first) % c->nodes;
        LOWER(c->max_hops, c->nodes - 1);
    } else if (!network_is_one_hop(c->net)) {
        MUST(base_new(c->cuts, 1, err));
        MUST(bound_graph_open(&c->graph, c->net, c->task.members, c->nodes, c->slots, err));
    }
    if (coll->kind == RWA_ROOTED_REDUCE && !network_is_one_hop(c->net))
        reverse_case(c);
    assert(c->root < c->nodes && c->slots > 0 && c->drops > 0 && c->max_hops > 0);
    return RWA_OK;
}

void bound_case_close(struct bound_case *c)
{
    free_all(c->lost, c->cuts);
    bound_graph_close(c->graph);
    canonical_close(&c->task);
}

void bound_say_load(const struct bound_case *c, const char *place, uint64_t blocks, uint64_t width, uint64_t steps)
{
    if (width == 0) /* the bound does not apply */
        return;
    char each[RWA_ERROR_TEXT] = "";
    uint64_t before = steps > 0 ? steps - 1 : 0, filled = bound_filled(c, before), paths = width / c->slots;
    if (c->slots > 1 && width % c->slots == 0)
        text_append(each, " (%u on each of %" PRIu64 " lightpath%s)", c->slots, paths, plural(paths));
    bound_say(c, "%" PRIu64 " block%s must %s, and %" PRIu64 "%s pass%s in a step: %s", blocks, plural(blocks), place,
              width, each, width == 1 ? "es" : "", QUOTIENT(blocks, width));
    if (steps > ceil_div(blocks, width) && times_saturated(paths, filled) < blocks)
        text_append(c->proof, ", but %" PRIu64 ": a lightpath of the %s step carries only blocks that its %s owns, "
                    "so %" PRIu64 " x %" PRIu64 " = %" PRIu64 " pass in %" PRIu64 " step%s", steps,
                    c->reversed ? "last" : "first", c->reversed ? "receiver" : "sender", paths, filled,
                    paths * filled, before, plural(before));
}

void bound_list(char *list, double number)
{
    enum { LIST_MOST = RWA_ERROR_TEXT / 2 }; /* leaves room for the rest of the sentence */
    size_t used = list ? strlen(list) : 0;
    if (used < LIST_MOST)
        text_append(list, used > 0 ? ", %.8g" : "%.8g", number);
    else if (list[used - 1] != '.')
        text_append(list, ", ...");
}

uint64_t bound_links(const struct bound_case *c)
{
    uint64_t links = 2 * (uint64_t)(bound_on_cycle(c) ? c->nodes : c->nodes - 1);
    for (size_t i = 0; i < c->lost_count && links > 1; i++)
        links -= c->lost[i].cw && c->lost[i].ccw ? 2 : 1;
    return links > 0 ? links : 1;
}

uint32_t bound_farthest(const struct bound_case *c)
{
    return bound_on_cycle(c) ? c->nodes / 2 : c->nodes - 1;
}
