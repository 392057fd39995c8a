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
#include "scheme/scheme.h"

#include <stdlib.h>

enum algorithm { B1, B2, B3, HIDING };

struct ron {
    enum algorithm algorithm;
    uint32_t nodes, root, ports, delay, messages;
    uint32_t informed, level_start; /* B1, B2, B3: nodes informed so far, and the first of the last level */
    struct ron_sets sets;           /* HIDING */
    uint64_t step;
};

uint32_t ron_ports(const rwa_network *net)
{
    uint32_t ports = rwa_network_ports(net), others = rwa_network_nodes(net) - 1;
    return ports > 0 && ports < others ? ports : others;
}

static void ron_close(void *state)
{
    struct ron *r = state;
    if (!r)
        return;
    ron_sets_close(&r->sets);
    free(r);
}

static rwa_status ron_create(void **out, const struct scheme_request *request, enum algorithm algorithm, rwa_error *err)
{
    const rwa_collective *coll = request->coll;
    rwa_status st = RWA_OK;
    struct ron *r = base_array(1, sizeof *r, err);
    *out = NULL;
    if (!r)
        return RWA_NOMEM;
    *r = (struct ron){.algorithm = algorithm, .nodes = coll->nodes, .root = coll->root, .ports = ron_ports(request->net),
                      .delay = rwa_network_tuning(request->net), .messages = (uint32_t)coll->blocks, .informed = 1};
    if (algorithm == HIDING)
        TRY(ron_sets_open(&r->sets, r->nodes, r->ports, r->delay + r->messages - 1, err));
    *out = r;
    r = NULL;
done:
    ron_close(r);
    return st;
}

/** Nodes are numbered in the order in which they are informed, from the root on. */
static void put(const struct ron *r, struct stage *s, uint32_t step, uint64_t src, uint64_t dst, uint32_t message)
{
    s->records[s->record_count++] = (rwa_lightpath){
        .step = step, .src = (uint32_t)((src + r->root) % r->nodes), .dst = (uint32_t)((dst + r->root) % r->nodes),
        .orbit = 1, .block = message};
}

static rwa_status room_for(struct stage *s, size_t records, rwa_error *err)
{
    s->records = base_array(records, sizeof *s->records, err);
    return s->records ? RWA_OK : RWA_NOMEM;
}

/** Receivers of the next level, or of the next round of all who are informed. */
static uint32_t next_informed(const struct ron *r)
{
    uint64_t senders = r->algorithm == B2 ? r->informed : r->informed - r->level_start;
    uint64_t after = r->informed + senders * r->ports;
    return after < r->nodes ? (uint32_t)after : r->nodes;
}

/** One level of the k-ary tree (B1, B3), or one round in which everyone informed sends (B2), the messages one by one. */
static rwa_status level_next(void *state, struct stage *s, rwa_error *err)
{
    struct ron *r = state;
    uint32_t after = next_informed(r), first = r->algorithm == B2 ? 0 : r->level_start;
    uint32_t pause = r->algorithm == B3 && r->step > 0 ? 0 : r->delay; /* B3 turns all ports before it begins */
    if (r->informed == r->nodes)
        return RWA_OK;
    rwa_status st = room_for(s, (size_t)(after - r->informed) * r->messages, err);
    if (st != RWA_OK)
        return st;
    for (uint32_t message = 0; message < r->messages; message++)
        for (uint32_t node = r->informed; node < after; node++)
            put(r, s, pause + 1 + message, first + (node - r->informed) / r->ports, node, message);
    r->level_start = r->informed;
    r->informed = after;
    r->step++;
    return RWA_OK;
}

/** Message number `message` over the links that were set for unit `start`. */
static void send_along(const struct ron *r, struct stage *s, uint64_t start, uint32_t message)
{
    struct ron_set to = ron_receivers(&r->sets, start);
    uint64_t node = to.first, sets = ron_sender_sets(&r->sets, start);
    for (uint64_t i = 0; i < sets; i++) {
        struct ron_set from = ron_senders(&r->sets, start, i);
        for (uint64_t src = from.first; src < from.end && node < to.end; src++)
            for (uint32_t port = 0; port < r->ports && node < to.end; port++)
                put(r, s, 1, src, node++, message);
    }
}

/** One unit: every message goes over the links set for it. */
static rwa_status hiding_next(void *state, struct stage *s, rwa_error *err)
{
    struct ron *r = state;
    uint64_t step = ++r->step, oldest = step > r->messages ? step - r->messages + 1 : 1;
    uint64_t newest = step < r->sets.steps ? step : r->sets.steps;
    if (oldest > newest)
        return RWA_OK;
    rwa_status st = room_for(s, (size_t)(r->sets.informed[newest] - r->sets.informed[oldest - 1]), err);
    for (uint64_t start = oldest; st == RWA_OK && start <= newest; start++)
        send_along(r, s, start, (uint32_t)(step - start));
    return st;
}

static rwa_status b1_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    return ron_create(out, request, B1, err);
}

static rwa_status b2_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    return ron_create(out, request, B2, err);
}

static rwa_status b3_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    return ron_create(out, request, B3, err);
}

static rwa_status hiding_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    return ron_create(out, request, HIDING, err);
}

uint64_t ron_messages(const struct scheme_request *request)
{
    return request->coll->blocks;
}

static void tell(rwa_formula *f, uint64_t steps, const char *source)
{
    f->known = 1;
    f->steps = steps;
    f->source = source;
}

static void b1_formula(rwa_formula *f, const struct scheme_request *q)
{
    tell(f, ron_b1_steps(q->coll->nodes, ron_ports(q->net), rwa_network_tuning(q->net), (uint32_t)q->coll->blocks),
         "Afsahi and Dimopoulos, Section 4.1, B1");
}

static void b2_formula(rwa_formula *f, const struct scheme_request *q)
{
    tell(f, ron_b2_steps(q->coll->nodes, ron_ports(q->net), rwa_network_tuning(q->net), (uint32_t)q->coll->blocks),
         "Afsahi and Dimopoulos, Section 4.1, B2");
}

static void b3_formula(rwa_formula *f, const struct scheme_request *q)
{
    tell(f, ron_b3_steps(q->coll->nodes, ron_ports(q->net), rwa_network_tuning(q->net), (uint32_t)q->coll->blocks),
         "Afsahi and Dimopoulos, Section 4.1, B3");
}

/** Of one message; the paper has none for several. */
static void hiding_formula(rwa_formula *f, const struct scheme_request *q)
{
    if (q->coll->blocks == 1)
        tell(f, ron_latency_hiding_steps(q->coll->nodes, ron_ports(q->net), rwa_network_tuning(q->net)),
             "Afsahi and Dimopoulos, eqs. (4) and (5)");
}

#define RON_BROADCAST .collectives = 1u << RWA_BROADCAST, .networks = 1u << RWA_RON, .close = ron_close

const struct scheme scheme_ron_b1 = {
    .name = "ron-b1",
    .summary = "k-ary tree; a node turns its ports when it has the message",
    .source = "Afsahi and Dimopoulos, Section 4.1",
    .blocks = ron_messages, .open = b1_open, .next = level_next, .formula = b1_formula, RON_BROADCAST,
};

const struct scheme scheme_ron_b2 = {
    .name = "ron-b2",
    .summary = "in every round everyone informed turns its ports and informs k others",
    .source = "Afsahi and Dimopoulos, Section 4.1",
    .blocks = ron_messages, .open = b2_open, .next = level_next, .formula = b2_formula, RON_BROADCAST,
};

const struct scheme scheme_ron_b3 = {
    .name = "ron-b3",
    .summary = "k-ary tree whose ports are all turned beforehand, at once",
    .source = "Afsahi and Dimopoulos, Section 4.1",
    .blocks = ron_messages, .open = b3_open, .next = level_next, .formula = b3_formula, RON_BROADCAST,
};

const struct scheme scheme_latency_hiding = {
    .name = "latency-hiding",
    .summary = "while some nodes turn their ports others send (B4); several messages are pipelined",
    .source = "Afsahi and Dimopoulos, Section 4.1.1",
    .blocks = ron_messages, .open = hiding_open, .next = hiding_next, .formula = hiding_formula, RON_BROADCAST,
};
