/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A composition becomes a program: which terms run backwards, and what nodes hold between two terms. */
#include "scheme/compose/compose.h"

static size_t place_in(const uint32_t *order, uint32_t node)
{
    size_t place = 0;
    while (order[place] != node)
        place++;
    return place;
}

/** On a ring trees begin with the root in the middle of the order. */
static void turn_order(uint32_t *order, uint32_t nodes, uint32_t root)
{
    for (uint32_t i = 0; i < nodes; i++)
        order[i] = (uint32_t)(((uint64_t)i + root + nodes - (nodes - 1) / 2) % nodes);
}

/** An order of all nodes becomes one of the participants. */
static void keep_members(uint32_t *order, const struct plan_request *request)
{
    const uint32_t *members = request->opts->members;
    uint32_t count = request->coll->nodes, kept = 0;
    for (uint32_t i = 0; members && i < rwa_network_nodes(request->net); i++)
        for (uint32_t m = 0; m < count; m++)
            if (members[m] == order[i]) {
                order[kept++] = m;
                break;
            }
    assert(!members || kept == count);
}

static rwa_status open_orders(struct composing *c)
{
    const rwa_collective *coll = c->request->coll;
    bool listed = c->distances.hops;
    uint32_t nodes = rwa_network_nodes(c->request->net);
    uint32_t root = rwa_collective_has_root(coll->kind) ? coll->root : (coll->nodes - 1) / 2;
    c->turns = listed ? orders_turns(c->request->net) : 1;
    for (int kind = 0; kind < (listed ? ORDER_KINDS : 1); kind++)
        for (uint32_t turn = 0; turn < c->turns; turn++) {
            uint32_t *order = c->order[kind][turn] = base_array(nodes, sizeof *order, c->err);
            MUST(order ? RWA_OK : RWA_NOMEM);
            MUST(listed ? orders_make(order, &c->distances, (enum order_kind)kind, turn, c->err) : RWA_OK);
            for (uint32_t i = 0; !listed && i < nodes; i++)
                order[i] = i;
            keep_members(order, c->request);
            if (network_is_cycle(c->request->net) && rwa_collective_has_root(coll->kind))
                turn_order(order, coll->nodes, root);
            c->root[kind][turn] = place_in(order, root);
        }
    return RWA_OK;
}

rwa_status composing_open(struct composing *c, const struct plan_request *request, rwa_error *err)
{
    const rwa_collective *coll = request->coll;
    *c = (struct composing){.request = request, .err = err,
                            .units = coll->kind == RWA_ALL_TO_ALL ? (uint64_t)coll->nodes * coll->nodes : coll->nodes};
    MUST(distances_open(&c->distances, request->net, err));
    return open_orders(c);
}

void composing_close(struct composing *c)
{
    distances_free(&c->distances);
    for (int kind = 0; kind < ORDER_KINDS; kind++)
        for (uint32_t turn = 0; turn < TURNS_MOST; turn++)
            free(c->order[kind][turn]);
    *c = (struct composing){0};
}

/* ---- which terms ---- */

static bool is_tree(const struct composition *c, unsigned part)
{
    return c->node[c->part[part]].phase == PHASE_TREE;
}

static bool tree_suits(const struct term *t)
{
    for (uint8_t i = 0; i < t->numbers; i++)
        if (t->number[i] < 2)
            return false;
    return t->numbers > 0;
}

/** A term of an all-gather, an all-to-all, or partial sums. */
static bool term_suits(const struct composition *c, uint8_t node, uint32_t nodes, enum payload payload)
{
    const struct term *t = &c->node[node];
    uint32_t g = t->number[0];
    bool one = t->numbers == 1 && g > 0 && g <= nodes, divides = one && nodes % g == 0;
    switch (t->phase) {
    case PHASE_DIRECT: return t->numbers == 0;
    case PHASE_STEPS: return payload == PAYLOAD_COPY && one;
    case PHASE_ROOTS: return payload == PAYLOAD_COPY && t->numbers == 2 && g > 1 && g <= nodes && t->number[1] <= nodes;
    case PHASE_LEADERS: return one && g > 1 && term_suits(c, t->sub[0], (uint32_t)segments_of(nodes, g), payload);
    case PHASE_POSITIONS: return divides && term_suits(c, t->sub[0], nodes / g, payload) && term_suits(c, t->sub[1], g, payload);
    case PHASE_SHARES:
        return payload == PAYLOAD_SUM && divides && term_suits(c, t->sub[0], g, PAYLOAD_COPY) &&
               term_suits(c, t->sub[1], nodes / g, PAYLOAD_SUM);
    default: return false;
    }
}

bool composition_suits(const struct composition *composition, const struct composing *c)
{
    uint32_t nodes = c->request->coll->nodes;
    rwa_collective_kind kind = c->request->coll->kind;
    const struct term *first = &composition->node[composition->part[0]], *second = &composition->node[composition->part[1]];
    bool two = composition->parts == 2, tree = is_tree(composition, 0), relays = first->phase == PHASE_RELAYS;
    enum payload payload = kind == RWA_ALL_TO_ALL ? PAYLOAD_SPLIT : PAYLOAD_COPY;
    bool gathers = !two && term_suits(composition, composition->part[0], nodes, payload);
    bool sums = first->phase == PHASE_SUMS && !two && first->numbers == 0 && term_suits(composition, first->sub[0], nodes, PAYLOAD_SUM);
    if ((composition->clusters && !c->order[ORDER_CLUSTERS][0]) || (composition->rotated && c->turns == 1) || (tree && !tree_suits(first)))
        return false;
    switch (kind) {
    case RWA_SCATTER: return !two && (tree || (relays && first->numbers == 1 && first->number[0] > 0));
    case RWA_BROADCAST: return tree && (!two || term_suits(composition, composition->part[1], nodes, PAYLOAD_COPY));
    case RWA_REDUCE_SCATTER: return gathers || sums || (two && tree && is_tree(composition, 1) && tree_suits(second));
    case RWA_ALL_REDUCE: return gathers || sums || (tree && !two);
    default: return gathers;
    }
}

/* ---- write ---- */

rwa_status composing_parties(struct parties *out, const struct composing *c, const struct composition *composition, uint64_t scale,
                             bool timed)
{
    uint32_t nodes = c->request->coll->nodes, turns = composition->rotated ? c->turns : 1;
    int kind = composition->clusters ? ORDER_CLUSTERS : ORDER_NUMBERS;
    bool pairs = c->request->coll->kind == RWA_ALL_TO_ALL;
    MUST(parties_create(out, NULL, (size_t)nodes * turns, turns, c->err));
    out->payload = pairs ? PAYLOAD_SPLIT : PAYLOAD_COPY;
    out->root = c->root[kind];
    out->cycle = network_is_cycle(c->request->net);
    for (uint32_t turn = 0; turn < turns; turn++) {
        uint64_t from = scale * turn / turns, count = scale * (turn + 1) / turns - from;
        for (uint32_t i = 0; i < nodes; i++) {
            uint32_t node = c->order[kind][turn][i];
            struct party *party = parties_add(out, node);
            struct block_set *blocks = pairs ? &party->needs : &party->holds;
            if (timed) {
                party->holds.count = 1;
                blocks->count = count;
                continue;
            }
            if (pairs)
                MUST(block_set_add(&party->holds, (rwa_run){node, 1, 1}, c->err));
            if (count > 0)
                MUST(block_set_add(blocks, (rwa_run){(uint32_t)(node * scale + from), (uint32_t)count, 1}, c->err));
        }
        parties_end_group(out);
    }
    return RWA_OK;
}

static rwa_status write_sums(struct program *p, const struct composition *composition, const struct parties *parties, const struct term *t)
{
    struct parties full = {0};
    rwa_status st = RWA_OK;
    TRY(parties_with_sums(&full, parties, p->err));
    TRY(phase_write(p, &full, composition, t->sub[0]));
done:
    parties_free(&full);
    return st;
}

/** A term for each half of the collective: what it is, and whether it moves whole messages, or runs backwards. */
rwa_status composition_write(struct program *p, const struct composition *composition, const struct composing *c, uint64_t scale)
{
    rwa_collective_kind kind = c->request->coll->kind;
    const struct term *first = &composition->node[composition->part[0]];
    bool two = composition->parts == 2;
    struct parties parties = {0};
    rwa_status st = RWA_OK;
    p->row = c->request->coll->nodes * scale;
    TRY(composing_parties(&parties, c, composition, scale, p->timed));
    if (first->phase == PHASE_SUMS) {
        TRY(write_sums(p, composition, &parties, first));
        goto done;
    }
    parties.whole = (kind == RWA_BROADCAST && !two) || (kind == RWA_REDUCE_SCATTER && two) || kind == RWA_ALL_REDUCE;
    TRY(phase_write(p, &parties, composition, composition->part[0]));
    if (kind == RWA_REDUCE_SCATTER || kind == RWA_ALL_REDUCE)
        program_reverse(p, 0, RWA_REDUCE);
    parties.whole = kind == RWA_ALL_REDUCE;
    if (two || kind == RWA_ALL_REDUCE)
        TRY(phase_write(p, &parties, composition, composition->part[two ? 1 : 0]));
done:
    parties_free(&parties);
    return st;
}
