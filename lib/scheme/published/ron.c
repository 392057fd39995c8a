/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Broadcast on a reconfigurable optical network, as explicit lightpaths (Afsahi and Dimopoulos, Section 4).  A step is
 * one unit of time, and a reconfiguration is d steps in which a port does not send.
 *
 * Beyond the paper, the question its conclusion leaves open: M messages pipelined.  A node that keeps its links for M
 * units and then retunes can send to other nodes M + d units after it began: these are the trees of latency hiding for
 * the delay d + M - 1.  A node passes each message on in the unit after it arrived, so a tree that informs all nodes of
 * one message in S units delivers M messages in S + M - 1.
 */
#include "scheme/published/ron.h"

/* ---- numbers ---- */

/** Return the number of levels of a broadcast.  On each level, every node that was informed on the level before (if
 * `all_send`, every informed node) informs one node on each of its ports. */
static uint64_t levels_of(uint64_t nodes, uint32_t ports, bool all_send)
{
    uint64_t informed = 1, senders = 1, levels = 0;
    if (ports == 1 && !all_send)
        return nodes - 1;
    for (; informed < nodes; levels++) {
        uint64_t more = times_saturated(senders, ports);
        informed = plus_saturated(informed, more);
        senders = all_send ? informed : more;
    }
    return levels;
}

uint64_t ron_tree_levels(uint64_t nodes, uint32_t ports)
{
    return levels_of(nodes, ports, false);
}

uint64_t ron_steps(enum ron_algorithm algorithm, uint64_t nodes, uint32_t ports, uint32_t delay, uint32_t units)
{
    struct ron_sets s = {0};
    switch (algorithm) {
    case RON_B1:
    case RON_B2: return ((uint64_t)delay + units) * levels_of(nodes, ports, algorithm == RON_B2);
    case RON_B3: return delay + units * levels_of(nodes, ports, false);
    case RON_HIDING: (void)ron_sets_open(&s, nodes, ports, delay, NULL);
    }
    ron_sets_close(&s);
    return s.steps;
}

/** Return an upper bound on the steps of latency hiding.  It is the smaller of two numbers: the steps of algorithm B2,
 * and the levels of the k-ary tree, since even a node that never reconfigures informs k others in its first time
 * unit. */
static uint64_t most_steps(uint64_t nodes, uint32_t ports, uint32_t delay)
{
    uint64_t rounds = ron_steps(RON_B2, nodes, ports, delay, 1), levels = ron_tree_levels(nodes, ports);
    return rounds < levels ? rounds : levels;
}

rwa_status ron_sets_open(struct ron_sets *s, uint64_t nodes, uint32_t ports, uint32_t delay, rwa_error *err)
{
    uint64_t most = most_steps(nodes, ports, delay), period = (uint64_t)delay + 1;
    *s = (struct ron_sets){.delay = delay};
    MUST(base_fits_memory((double)most * sizeof *s->informed, "the steps of this broadcast", err));
    MUST(base_new(s->informed, (size_t)most + 1, err));
    s->informed[0] = 1;
    while (s->informed[s->steps] < nodes) {
        uint64_t step = ++s->steps, more = times_saturated(s->informed[step - 1], ports);
        uint64_t now = plus_saturated(more, step < period ? 1 : s->informed[step - period]);
        s->informed[step] = now < nodes ? now : nodes;
    }
    return RWA_OK;
}

void ron_sets_close(struct ron_sets *s)
{
    free(s->informed);
}

/* ---- plans ---- */

struct ron {
    enum ron_algorithm algorithm;
    uint32_t nodes, root, ports, delay, messages;
};

uint32_t ron_ports(const rwa_network *net)
{
    uint32_t ports = rwa_network_ports(net), others = rwa_network_nodes(net) - 1;
    return ports > 0 ? lesser(ports, others) : others;
}

/** Push a lightpath with a message in a step of the stage. src and dst are numbered in the order in which nodes are
 * informed, from the root (0) on. */
static rwa_status put(struct schedule_sink *sink, const struct ron *r, uint32_t step, uint64_t src, uint64_t dst,
                      uint32_t message)
{
    rwa_lightpath lp = {.step = step,
                        .src = (uint32_t)((src + r->root) % r->nodes),
                        .dst = (uint32_t)((dst + r->root) % r->nodes),
                        .orbit = 1,
                        .block = message};
    return sink_lightpath(sink, &lp, NULL);
}

/** Push the levels of the k-ary tree (algorithms B1 and B3), or the rounds in which all informed nodes send (B2); the
 * messages follow each other on every lightpath.  Nodes tune their ports before they send; in B3 all nodes do so at
 * once before the first level. */
static rwa_status push_levels(struct schedule_sink *sink, const struct ron *r)
{
    for (uint32_t informed = 1, first = 0, after; informed < r->nodes; informed = after) {
        uint32_t pause = r->algorithm == RON_B3 && informed > 1 ? 0 : r->delay;
        after = lesser(informed + (uint64_t)(informed - first) * r->ports, r->nodes);
        for (uint32_t message = 0; message < r->messages; message++)
            for (uint32_t node = informed; node < after; node++)
                MUST(put(sink, r, pause + 1 + message, first + (node - informed) / r->ports, node, message));
        MUST(sink_end_stage(sink));
        first = r->algorithm == RON_B2 ? 0 : informed;
    }
    return RWA_OK;
}

/** Push message number `message` over the lightpaths by which the first message reached new nodes in time unit
 * `start`. */
static rwa_status send_along(struct schedule_sink *sink, const struct ron *r, const struct ron_sets *s, uint64_t start,
                             uint32_t message)
{
    uint64_t period = (uint64_t)s->delay + 1, node = ron_first_receiver(s, start), end = s->informed[start];
    assert(message < r->messages && end <= r->nodes);
    for (uint64_t unit = (start - 1) % period; unit < start; unit += period)
        for (uint64_t src = ron_first_receiver(s, unit); src < s->informed[unit]; src++)
            for (uint32_t port = 0; port < r->ports && node < end; port++)
                MUST(put(sink, r, 1, src, node++, message));
    return RWA_OK;
}

/** Push a stage for each time unit: every message that is on its way goes over the lightpaths that are set up for
 * it. */
static rwa_status push_units(struct schedule_sink *sink, const struct ron *r)
{
    struct ron_sets s;
    rwa_status st = RWA_OK;
    TRY(ron_sets_open(&s, r->nodes, r->ports, r->delay + r->messages - 1, sink->err));
    for (uint64_t unit = 1; unit < s.steps + r->messages; unit++) {
        uint64_t oldest = unit > r->messages ? unit - r->messages + 1 : 1, newest = unit < s.steps ? unit : s.steps;
        for (uint64_t start = oldest; start <= newest; start++)
            TRY(send_along(sink, r, &s, start, (uint32_t)(unit - start)));
        TRY(sink_end_stage(sink));
    }
done:
    ron_sets_close(&s);
    return st;
}

static rwa_status plan_ron(struct schedule_sink *sink, const struct plan_request *request)
{
    const rwa_collective *coll = request->coll;
    struct ron r = {.algorithm = request->scheme->variant,
                    .nodes = coll->nodes,
                    .root = coll->root,
                    .ports = ron_ports(request->net),
                    .delay = rwa_network_tuning(request->net),
                    .messages = (uint32_t)coll->blocks};
    return (r.algorithm == RON_HIDING ? push_units : push_levels)(sink, &r);
}

rwa_status ron_estimate(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    (void)err;
    e->blocks = request->coll->blocks;
    return RWA_OK;
}

/** Compute the paper's number of steps; for latency hiding only with one message, as the paper has no formula for
 * several. */
static void ron_formula(rwa_formula *f, const struct plan_request *q)
{
    static const char *const sources[] = {
        "Afsahi and Dimopoulos, Section 4.1, B1", "Afsahi and Dimopoulos, Section 4.1, B2",
        "Afsahi and Dimopoulos, Section 4.1, B3", "Afsahi and Dimopoulos, eqs. (4) and (5)"};
    if (q->scheme->variant == RON_HIDING && q->coll->blocks > 1)
        return;
    f->steps = ron_steps(q->scheme->variant, q->coll->nodes, ron_ports(q->net), rwa_network_tuning(q->net),
                         (uint32_t)q->coll->blocks);
    f->source = sources[q->scheme->variant];
}

#define RON_BROADCAST                                                                                                  \
    .collectives = 1u << RWA_BROADCAST, .needs = NETWORK_PORTS, .estimate = ron_estimate, .plan = plan_ron,            \
    .formula = ron_formula

const struct scheme scheme_ron_b1 = {
    .name = "ron-b1",
    .summary = "k-ary tree; a node turns its ports when it has the message",
    .source = "Afsahi and Dimopoulos, Section 4.1",
    .variant = RON_B1,
    RON_BROADCAST,
};

const struct scheme scheme_ron_b2 = {
    .name = "ron-b2",
    .summary = "in every round everyone informed turns its ports and informs k others",
    .source = "Afsahi and Dimopoulos, Section 4.1",
    .variant = RON_B2,
    RON_BROADCAST,
};

const struct scheme scheme_ron_b3 = {
    .name = "ron-b3",
    .summary = "k-ary tree whose ports are all tuned beforehand, at once",
    .source = "Afsahi and Dimopoulos, Section 4.1",
    .variant = RON_B3,
    RON_BROADCAST,
};

const struct scheme scheme_latency_hiding = {
    .name = "latency-hiding",
    .summary = "while some nodes turn their ports others send (B4); several messages are pipelined",
    .source = "Afsahi and Dimopoulos, Section 4.1.1",
    .variant = RON_HIDING,
    RON_BROADCAST,
};
