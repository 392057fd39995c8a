/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Star, ron and ocs: every pair of nodes is one hop apart, so the only limits are ports, channels and retuning
 *  time. */
#include "bound/demand.h"

uint64_t one_hop_width(const struct bound_case *c)
{
    uint64_t ports = times_saturated(c->ports, c->slots);
    if (c->capabilities & NETWORK_PORTS)
        return ports > 0 ? ports : times_saturated(c->nodes - 1, c->channels);
    if (c->capabilities & NETWORK_SWITCHES) /* a port is a circuit, and carries all wavelengths through one switch */
        ports = times_saturated(ports, rwa_network_wavelengths(c->net));
    return limited(c->channels, ports);
}

typedef uint64_t demand_of(const rwa_collective *coll, const struct demand_side *side);

static uint64_t demand_at(const struct bound_case *c, uint32_t node, demand_of *demand)
{
    assert(node < c->nodes);
    struct demand_side side = demand_of_run(c, (struct demand_run){node, 1});
    return demand(c->coll, &side);
}

/** Return the largest demand of a single node, in blocks to receive or to send.  It is enough to examine the root, and
 * the nodes that own the most and the fewest blocks. */
static uint64_t most(const struct bound_case *c, demand_of *demand)
{
    uint64_t ends = bound_max(demand_at(c, 0, demand), demand_at(c, c->nodes - 1, demand));
    return bound_max(ends, demand_at(c, c->root, demand));
}

/** Return the steps that the node with the largest demand needs, and write the proof.
 * @param what  what the node's blocks must do, for the proof: "reach one node" */
static uint64_t steps_for(const struct bound_case *c, const char *what, demand_of *demand)
{
    bound_say_load(c, what, most(c, demand), one_hop_width(c), 0);
    return ceil_div(most(c, demand), one_hop_width(c));
}

static uint64_t compute_receive(const struct bound_case *c)
{
    return steps_for(c, "reach one node", demand_in);
}

static uint64_t compute_send(const struct bound_case *c)
{
    return steps_for(c, "leave one node", demand_out);
}

/** Return the number of blocks that each node must send at least once, added up over all nodes; saturating. */
static uint64_t sent_once(const struct bound_case *c)
{
    uint64_t sum = 0;
    for (uint32_t v = 0; v < c->nodes; v++)
        sum = plus_saturated(sum, demand_at(c, v, demand_out));
    return sum;
}

/** Return the number of nodes that must send something. */
static uint64_t senders_of(const struct bound_case *c)
{
    uint64_t senders = 0;
    for (uint32_t v = 0; v < c->nodes; v++)
        senders += demand_at(c, v, demand_out) > 0;
    return senders;
}

uint64_t one_hop_turns(const struct bound_case *c)
{
    return c->capabilities & NETWORK_STAR ? ceil_div(senders_of(c), c->lightpaths) : 0;
}

double one_hop_turns_time(const struct bound_case *c, const rwa_cost_prices *floor, double block_bytes, double above)
{
    const double us = 1e6, ns = 1e9;
    if (!(c->capabilities & NETWORK_STAR))
        return 0;
    double turn = floor->once_s + floor->step_s, channels = c->lightpaths;
    double shared = ((double)senders_of(c) * turn + floor->byte_s * block_bytes * (double)sent_once(c)) / channels;
    double longest = (double)one_hop_turns(c) * turn, least = fmax(shared, longest);
    if (least > above && shared > longest)
        bound_say(c, "%" PRIu64 " nodes set up %u channels in turn and send %" PRIu64 " blocks: (%" PRIu64 " x %.6g us"
                  " + %" PRIu64 " x %.12g bytes x %.6g ns) / %u = %.6g us", senders_of(c), c->lightpaths, sent_once(c),
                  senders_of(c), us * turn, sent_once(c), block_bytes, ns * floor->byte_s, c->lightpaths, us * shared);
    else if (least > above)
        bound_say(c, "%" PRIu64 " nodes take turns on %u channels, %s, for at least %.6g us each: %.6g us",
                  senders_of(c), c->lightpaths, QUOTIENT(senders_of(c), c->lightpaths), us * turn, us * longest);
    return least;
}

static uint64_t compute_air(const struct bound_case *c)
{
    uint64_t blocks = sent_once(c), nodes = senders_of(c);
    bound_say(c, "%" PRIu64 " block%s to send on %" PRIu64 " channel%s: %s; and the turns of %" PRIu64 " node%s: %s",
              blocks, plural(blocks), c->channels, plural(c->channels), QUOTIENT(blocks, c->channels), nodes,
              plural(nodes), QUOTIENT(nodes, c->lightpaths));
    return c->capabilities & NETWORK_STAR ? bound_max(ceil_div(blocks, c->channels), one_hop_turns(c)) : 0;
}

uint64_t one_hop_ports(const struct bound_case *c)
{
    if (c->capabilities & NETWORK_STAR)
        return 0;
    return c->capabilities & NETWORK_SWITCHES ? limited(c->fibers, c->ports) : c->ports;
}

/** Return the fewest transfers of blocks in an all-reduce.  For each block all nodes but one must send before some
 * node has the sum, and all nodes but that one must receive the sum later. 0 for other collectives, and on a star. */
static uint64_t sum_transfers(const struct bound_case *c)
{
    bool counts = c->coll->kind == RWA_ALL_REDUCE && !(c->capabilities & NETWORK_STAR);
    return counts ? times_saturated(2 * ((uint64_t)c->nodes - 1), c->coll->blocks) : 0;
}

static uint64_t compute_sums(const struct bound_case *c)
{
    uint64_t sent = sum_transfers(c), width = times_saturated(c->nodes, one_hop_width(c));
    bound_say(c, "%" PRIu64 " blocks have %" PRIu64 " transfers in all, and all ports make %" PRIu64 " in a step: %s",
              c->coll->blocks, sent, width, QUOTIENT(sent, width));
    return ceil_div(sent, width);
}

void one_hop_load(struct bound_load *l, const struct bound_case *c)
{
    bound_load_add(l, c, most(c, demand_in), one_hop_width(c));
    bound_load_add(l, c, most(c, demand_out), one_hop_width(c));
    bound_load_add(l, c, sum_transfers(c), times_saturated(c->nodes, one_hop_width(c)));
    if (c->capabilities & NETWORK_STAR)
        bound_load_add(l, c, sent_once(c), c->channels);
}

/** Compute the fewest steps in which data of one node can reach all nodes; `list` receives how many nodes can have it
 * after each step (bound_list()).  After S steps these are at most N(S) = k N(S-1) + N(S-d-1), where k is `ports`,
 * and d is `delay`, the steps that a port rests when it retunes.  RWA_NOMEM. */
static rwa_status steps_to_all(uint64_t *out, char *list, const struct bound_case *c, uint64_t ports, uint64_t delay,
                               rwa_error *err)
{
    uint64_t steps = 0;
    assert(ports > 0);
    while (times_saturated(ports, steps) + 1 < c->nodes && steps < delay) /* the table is long enough: N(S) > k S */
        steps++;
    uint64_t *informed; /* the last d + 1 numbers, in a ring buffer */
    MUST(base_new(informed, (size_t)steps + 1, err));
    uint64_t now = informed[0] = 1, size = steps + 1;
    for (steps = 0; now < c->nodes; informed[steps % size] = now) {
        steps++;
        uint64_t before = steps > delay ? informed[(steps - delay - 1) % size] : 1;
        now = plus_saturated(times_saturated(ports, now), before);
        bound_list(list, (double)(now < c->nodes ? now : c->nodes));
    }
    free(informed);
    *out = steps;
    return RWA_OK;
}

/** Tell whether the data of some node must reach all other nodes; with `back`, whether some node must get the data of
 *  all others. */
static bool spreads(const rwa_collective *coll, bool back)
{
    rwa_collective_kind kind = coll->kind;
    if (kind == (back ? RWA_SCATTER : RWA_GATHER) || kind == (back ? RWA_BROADCAST : RWA_ROOTED_REDUCE))
        return false;
    bool owned = kind == (back ? RWA_GATHER : RWA_SCATTER) || kind == (back ? RWA_ALL_GATHER : RWA_REDUCE_SCATTER);
    return !owned || coll->blocks >= coll->nodes;
}

/** Compute the fewest steps in which data of one node can reach all others, or data of all others can reach one node.
 * On a ron a port rests while it retunes.  For switches no delay is counted, since the steps between two of their
 * settings are unknown. */
static rwa_status compute_growth(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    bool star = (c->capabilities & NETWORK_STAR) != 0;
    uint64_t ports = one_hop_ports(c), ears = limited(c->lightpaths, c->ports);
    char informed[RWA_ERROR_TEXT] = "", heard[RWA_ERROR_TEXT] = "";
    uint64_t delay = c->capabilities & NETWORK_SWITCHES ? 0 : c->tuning, out = 0, in = 0, least = 1;
    if (ports > 0 && spreads(c->coll, false))
        MUST(steps_to_all(&out, informed, c, ports, delay, err));
    if ((ports > 0 || star) && spreads(c->coll, true))
        MUST(steps_to_all(&in, heard, c, star ? ears : ports, 0, err));
    bool one_way = (out > 0 && c->coll->kind == RWA_BROADCAST) || (in > 0 && c->coll->kind == RWA_ROOTED_REDUCE);
    if (one_way) /* the last block leaves the root no earlier; of a reduce, the first one is complete there no later */
        least = ceil_div(c->coll->blocks, one_hop_width(c));
    b->value = plus_saturated(bound_max(out, in), least - 1);
    char rest[QUOTIENT_TEXT] = "";
    if (out >= in && delay > 0)
        snprintf(rest, sizeof rest, ", and a port rests for %" PRIu64 " step%s when it retunes", delay, plural(delay));
    bound_say_spread(c, out >= in, (double)(out < in && star ? ears : ports), rest, out >= in ? informed : heard);
    if (least > 1)
        text_append(c->proof, ", and the root needs %" PRIu64 " step%s more for %" PRIu64 " blocks, %" PRIu64
                    " in each", least - 1, plural(least - 1), c->coll->blocks, one_hop_width(c));
    return RWA_OK;
}

const struct bound_entry bound_one_hop_receive = {
    "receive", "steps", "a node takes in one block a step on each of its ports, and must receive all it does not own",
    "docs/reference/bounds.md: one hop", .formula = compute_receive};

const struct bound_entry bound_one_hop_send = {
    "send", "steps",
    "a node gives out one block a step on each of its ports, and must send each that others need at least once",
    "docs/reference/bounds.md: one hop", .formula = compute_send};

const struct bound_entry bound_one_hop_air = {
    "air", "steps", "a channel of a star carries one block of one node a step, and every block is sent at least once",
    "docs/reference/bounds.md: one hop", .formula = compute_air};

const struct bound_entry bound_one_hop_sums = {
    "sums", "steps",
    "for each block all nodes but one send before a node has the sum, and all but that one receive after",
    "docs/reference/bounds.md: one hop", .formula = compute_sums};

const struct bound_entry bound_one_hop_growth = {
    "growth", "steps", "in a step a node sends to one other on each of its ports, and hears from one on each",
    "Afsahi and Dimopoulos, eq. (1); docs/reference/bounds.md: one hop", .compute = compute_growth};
