/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Broadcast on a reconfigurable optical network, as explicit lightpaths (Afsahi and Dimopoulos, Section 4).  A step is one
 * unit of time, and a reconfiguration is d steps in which a port does not send.
 *
 * Beyond the paper, the question its conclusion leaves open: M messages pipelined.  A node that holds its links for M units
 * and then turns them sends again M + d units after it began: the trees of latency hiding for the delay d + M - 1.  A node
 * passes message b on in the unit after it came, so a tree that informs all nodes in S units for one message brings M of
 * them in S + M - 1.
 */
#include "scheme/published/ron.h"

enum algorithm { B1, B2, B3, HIDING };

struct ron {
    enum algorithm algorithm;
    uint32_t nodes, root, ports, delay, messages;
    uint32_t informed, level_start; /* B1, B2, B3: nodes informed so far, and the first of the last level */
    struct ron_sets sets;           /* HIDING */
};

uint32_t ron_ports(const rwa_network *net)
{
    uint32_t ports = rwa_network_ports(net), others = rwa_network_nodes(net) - 1;
    return ports > 0 && ports < others ? ports : others;
}

/** Nodes are numbered in the order in which they are informed, from the root on. */
static rwa_status put(struct schedule_sink *sink, const struct ron *r, uint32_t step, uint64_t src, uint64_t dst, uint32_t message,
                      rwa_error *err)
{
    rwa_lightpath lp = {.step = step, .src = (uint32_t)((src + r->root) % r->nodes), .dst = (uint32_t)((dst + r->root) % r->nodes),
                        .orbit = 1, .block = message};
    return sink_lightpath(sink, &lp, NULL, err);
}

/** Receivers of the next level, or of the next round of all informed nodes. */
static uint32_t next_informed(const struct ron *r)
{
    uint64_t senders = r->algorithm == B2 ? r->informed : r->informed - r->level_start;
    uint64_t after = r->informed + senders * r->ports;
    return after < r->nodes ? (uint32_t)after : r->nodes;
}

/** One level of the k-ary tree (B1, B3), or one round in which everyone informed sends (B2), the messages one by one. */
static rwa_status push_unit_level(struct schedule_sink *sink, struct ron *r, uint32_t pause, rwa_error *err)
{
    uint32_t after = next_informed(r), first = r->algorithm == B2 ? 0 : r->level_start;
    assert(r->algorithm != HIDING && r->ports > 0);
    assert(after > r->informed);
    for (uint32_t message = 0; message < r->messages; message++)
        for (uint32_t node = r->informed; node < after; node++)
            MUST(put(sink, r, pause + 1 + message, first + (node - r->informed) / r->ports, node, message, err));
    MUST(sink_end_stage(sink, err));
    r->level_start = r->informed;
    r->informed = after;
    return RWA_OK;
}

static rwa_status push_all_units(struct schedule_sink *sink, struct ron *r, rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (bool begun = false; r->informed < r->nodes && st == RWA_OK; begun = true) /* B3 turns all ports before it begins */
        st = push_unit_level(sink, r, r->algorithm == B3 && begun ? 0 : r->delay, err);
    return st;
}

/** Message number `message` over the links that were set for unit `start`. */
static rwa_status send_along(struct schedule_sink *sink, const struct ron *r, uint64_t start, uint32_t message, rwa_error *err)
{
    struct ron_set to = ron_receivers(&r->sets, start);
    assert(message < r->messages && to.first <= to.end && to.end <= r->nodes);
    uint64_t node = to.first, sets = ron_sender_sets(&r->sets, start);
    for (uint64_t i = 0; i < sets; i++) {
        struct ron_set from = ron_senders(&r->sets, start, i);
        for (uint64_t src = from.first; src < from.end && node < to.end; src++)
            for (uint32_t port = 0; port < r->ports && node < to.end; port++)
                MUST(put(sink, r, 1, src, node++, message, err));
    }
    return RWA_OK;
}

/** A stage for each unit: every message goes over the links set for it. */
static rwa_status push_units(struct schedule_sink *sink, struct ron *r, rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(ron_sets_open(&r->sets, r->nodes, r->ports, r->delay + r->messages - 1, err));
    for (uint64_t unit = 1; unit < r->sets.steps + r->messages; unit++) {
        uint64_t oldest = unit > r->messages ? unit - r->messages + 1 : 1, newest = unit < r->sets.steps ? unit : r->sets.steps;
        for (uint64_t start = oldest; start <= newest; start++)
            TRY(send_along(sink, r, start, (uint32_t)(unit - start), err));
        TRY(sink_end_stage(sink, err));
    }
done:
    ron_sets_close(&r->sets);
    return st;
}

static rwa_status plan_ron(struct schedule_sink *sink, const struct plan_request *request, enum algorithm algorithm, rwa_error *err)
{
    const rwa_collective *coll = request->coll;
    struct ron r = {.algorithm = algorithm, .nodes = coll->nodes, .root = coll->root, .ports = ron_ports(request->net),
                    .delay = rwa_network_tuning(request->net), .messages = (uint32_t)coll->blocks, .informed = 1};
    return algorithm == HIDING ? push_units(sink, &r, err) : push_all_units(sink, &r, err);
}

static rwa_status plan_b1(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    return plan_ron(sink, request, B1, err);
}

static rwa_status plan_b2(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    return plan_ron(sink, request, B2, err);
}

static rwa_status plan_b3(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    return plan_ron(sink, request, B3, err);
}

static rwa_status plan_hiding(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    return plan_ron(sink, request, HIDING, err);
}

rwa_status ron_estimate(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    (void)err;
    e->blocks = request->coll->blocks;
    return RWA_OK;
}

static void set_formula(rwa_formula *f, uint64_t steps, const char *source)
{
    f->known = 1;
    f->steps = steps;
    f->source = source;
}

static void b1_formula(rwa_formula *f, const struct plan_request *q)
{
    set_formula(f, ron_b1_steps(q->coll->nodes, ron_ports(q->net), rwa_network_tuning(q->net), (uint32_t)q->coll->blocks),
         "Afsahi and Dimopoulos, Section 4.1, B1");
}

static void b2_formula(rwa_formula *f, const struct plan_request *q)
{
    set_formula(f, ron_b2_steps(q->coll->nodes, ron_ports(q->net), rwa_network_tuning(q->net), (uint32_t)q->coll->blocks),
         "Afsahi and Dimopoulos, Section 4.1, B2");
}

static void b3_formula(rwa_formula *f, const struct plan_request *q)
{
    set_formula(f, ron_b3_steps(q->coll->nodes, ron_ports(q->net), rwa_network_tuning(q->net), (uint32_t)q->coll->blocks),
         "Afsahi and Dimopoulos, Section 4.1, B3");
}

/** Of one message; the paper has none for several. */
static void hiding_formula(rwa_formula *f, const struct plan_request *q)
{
    if (q->coll->blocks == 1)
        set_formula(f, ron_latency_hiding_steps(q->coll->nodes, ron_ports(q->net), rwa_network_tuning(q->net)),
             "Afsahi and Dimopoulos, eqs. (4) and (5)");
}

#define RON_BROADCAST .collectives = 1u << RWA_BROADCAST, .needs = NETWORK_PORTS, .estimate = ron_estimate

const struct scheme scheme_ron_b1 = {
    .name = "ron-b1",
    .summary = "k-ary tree; a node turns its ports when it has the message",
    .source = "Afsahi and Dimopoulos, Section 4.1",
    .plan = plan_b1, .formula = b1_formula, RON_BROADCAST,
};

const struct scheme scheme_ron_b2 = {
    .name = "ron-b2",
    .summary = "in every round everyone informed turns its ports and informs k others",
    .source = "Afsahi and Dimopoulos, Section 4.1",
    .plan = plan_b2, .formula = b2_formula, RON_BROADCAST,
};

const struct scheme scheme_ron_b3 = {
    .name = "ron-b3",
    .summary = "k-ary tree whose ports are all tuned beforehand, at once",
    .source = "Afsahi and Dimopoulos, Section 4.1",
    .plan = plan_b3, .formula = b3_formula, RON_BROADCAST,
};

const struct scheme scheme_latency_hiding = {
    .name = "latency-hiding",
    .summary = "while some nodes turn their ports others send (B4); several messages are pipelined",
    .source = "Afsahi and Dimopoulos, Section 4.1.1",
    .plan = plan_hiding, .formula = hiding_formula, RON_BROADCAST,
};
