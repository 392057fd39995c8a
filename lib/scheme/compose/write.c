/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Write a composition as a program: which terms run backwards, and what nodes hold between two terms. */
#include "scheme/compose/compose.h"

#include "base/arithmetic.h"

/** Grids of more dimensions are not rotated: their blocks would be cut into too many parts. */
enum { TURNS_MOST = 6 };

static void find_turns(struct composing *c)
{
    const rwa_network *net = c->request->net;
    struct network_grid *grid = &c->grid;
    c->turns = 1;
    if (network_has_arcs(net) || c->request->opts->members || !network_grid(grid, net) || grid->dimensions > TURNS_MOST)
        return;
    c->turns = (uint32_t)grid->dimensions;
    for (size_t d = 0; d < grid->dimensions; d++)
        c->common = (uint32_t)common_divisor(c->common, grid->size[d]);
}

rwa_status composing_open(struct composing *c, const struct plan_request *request, rwa_error *err)
{
    uint64_t nodes = request->coll->nodes;
    *c = (struct composing){
        .request = request, .err = err, .units = request->coll->kind == RWA_ALL_TO_ALL ? nodes * nodes : nodes};
    find_turns(c);
    MUST(distances_open(&c->distances, request->net, err));
    c->may_be_alike = c->distances.alike && !request->opts->members && !rwa_collective_has_root(request->coll->kind);
    return RWA_OK;
}

bool composing_divide(struct composing *c, const struct composition *composition)
{
    const rwa_collective *coll = c->request->coll;
    const struct term *t = composition->node;
    if (coll->kind != RWA_ALL_REDUCE || t->phase != PHASE_ROOTS)
        return false;
    c->units = segments_of(coll->nodes, t->number[0]);
    return true;
}

void composing_close(struct composing *c)
{
    distances_free(&c->distances);
    *c = (struct composing){0};
}

/* ---- which terms ---- */

/** Tell whether the numbers of a tree term are valid: at least one number, and each is 2 or more. */
static bool tree_suits(const struct term *t)
{
    for (uint8_t i = 0; i < t->numbers; i++)
        if (t->number[i] < 2)
            return false;
    return t->numbers > 0;
}

/** Tell whether the term at index `node` of a composition carries out, among `nodes` participants, what the payload
 * says: an all-gather (COPY), an all-to-all (SPLIT) or an all-gather of partial sums (SUM).
 * @param first  of an all-reduce: it comes first of the exchanges that run backwards and forwards, so that `sums` may
 *               take its place in both */
static bool term_suits(const struct composition *c, uint8_t node, uint32_t nodes, enum payload payload, bool first)
{
    const struct term *t = &c->node[node];
    uint32_t g = t->number[0];
    bool one = t->numbers == 1 && g > 0 && g <= nodes, divides = one && nodes % g == 0;
    if (t->subs != (t->phase == PHASE_POSITIONS ? 2 : t->phase == PHASE_LEADERS || t->phase == PHASE_SUMS))
        return false;
    switch (t->phase) {
    case PHASE_DIRECT: return t->numbers == 0;
    case PHASE_STEPS: return one && (payload == PAYLOAD_COPY || (payload == PAYLOAD_SPLIT && g == nodes / 2));
    case PHASE_ROOTS: return payload == PAYLOAD_COPY && t->numbers == 2 && g > 1 && g <= nodes && t->number[1] <= nodes;
    case PHASE_LEADERS:
        return one && g > 1 && term_suits(c, t->sub[0], (uint32_t)segments_of(nodes, g), payload, false);
    case PHASE_POSITIONS:
        return divides && term_suits(c, t->sub[0], nodes / g, payload, first) &&
               term_suits(c, t->sub[1], g, payload, false);
    case PHASE_SUMS: return first && t->numbers == 0 && term_suits(c, t->sub[0], nodes, PAYLOAD_SUM, false);
    default: return false;
    }
}

bool composition_suits(const struct composition *composition, const struct composing *c)
{
    const struct term *t = composition->node;
    uint32_t nodes = c->request->coll->nodes;
    rwa_collective_kind kind = c->request->coll->kind;
    if (composition->rotated && c->turns == 1)
        return false;
    if (rwa_collective_has_root(kind))
        return t->subs == 0 && (t->phase == PHASE_TREE ? tree_suits(t) : t->phase == PHASE_RELAYS && t->numbers == 1);
    return term_suits(composition, 0, nodes, kind == RWA_ALL_TO_ALL ? PAYLOAD_SPLIT : PAYLOAD_COPY,
                      kind == RWA_ALL_REDUCE);
}

/* ---- write ---- */

/** Return the node of participant i in rotation `turn` of a grid's dimensions.  The last digits of i are the node's
 * coordinates modulo c->common, a common divisor of all sizes, in rotated order of the dimensions.  The digits before
 * them are the quotients. */
static uint32_t rotated(const struct composing *c, uint32_t i, uint32_t turn)
{
    uint32_t node = 0;
    /* the common digits come last, so segments of a common size lie in another dimension in each rotation */
    for (int rest = 0; rest < 2; rest++)
        for (uint32_t k = c->turns; k-- > 0;) {
            uint32_t d = (k + turn) % c->turns, radix = rest ? c->grid.size[d] / c->common : c->common,
                     stride = rest ? c->common : 1;
            for (uint32_t below = d + 1; below < c->turns; below++)
                stride *= c->grid.size[below];
            node += i % radix * stride;
            i /= radix;
        }
    return node;
}

static uint32_t participant(const struct composing *c, uint32_t i, uint32_t turn)
{
    const rwa_collective *coll = c->request->coll;
    uint32_t nodes = coll->nodes;
    if (network_is_cycle(c->request->net) && rwa_collective_has_root(coll->kind))
        return (uint32_t)(((uint64_t)i + coll->root + nodes - (nodes - 1) / 2) % nodes);
    return turn > 0 ? rotated(c, i, turn) : i;
}

rwa_status composing_parties(struct parties *out, const struct composing *c, bool turned, uint64_t scale, bool timed)
{
    const rwa_collective *coll = c->request->coll;
    uint32_t turns = turned ? c->turns : 1;
    bool pairs = coll->kind == RWA_ALL_TO_ALL;
    uint64_t owners = pairs ? coll->nodes : c->units;
    const uint32_t *members = c->request->opts->members;
    MUST(parties_create(out, NULL, (size_t)coll->nodes * turns, turns, c->err));
    out->payload = pairs ? PAYLOAD_SPLIT : PAYLOAD_COPY;
    out->root = base_mapped(members, coll->root);
    out->cycle = network_is_cycle(c->request->net);
    out->sums = coll->kind == RWA_ALL_REDUCE;
    out->whole = coll->kind == RWA_BROADCAST || coll->kind == RWA_ALL_REDUCE;
    for (uint32_t turn = 0; turn < turns; turn++) {
        uint64_t from = scale * turn / turns, count = scale * (turn + 1) / turns - from;
        for (uint32_t i = 0; i < coll->nodes; i++) {
            uint32_t node = participant(c, i, turn);
            uint64_t own = ceil_div(node * owners, coll->nodes), have = own * coll->nodes / owners == node ? count : 0;
            struct party *party = parties_add(out, base_mapped(members, node));
            struct block_set *blocks = pairs ? &party->needs : &party->holds;
            if (timed) {
                party->holds.count = 1;
                blocks->count = have;
                continue;
            }
            if (pairs)
                MUST(block_set_add(&party->holds, (rwa_run){node, 1, 1}, c->err));
            if (have > 0)
                MUST(block_set_add(blocks, (rwa_run){(uint32_t)(own * scale + from), (uint32_t)have, 1}, c->err));
        }
        parties_end_group(out);
    }
    return RWA_OK;
}

/** Write or time a composition: a reduce-scatter by its term backwards in time, an all-reduce backwards and then
 * forwards, other collectives forwards.  The phase `sums` runs once, before all that runs forwards. */
rwa_status composition_write(struct program *p, const struct composition *composition, const struct composing *c,
                             uint64_t scale)
{
    rwa_collective_kind kind = c->request->coll->kind;
    struct parties parties = {0};
    rwa_status st = RWA_OK;
    p->row = c->request->coll->nodes * scale;
    TRY(composing_parties(&parties, c, composition->rotated, scale, p->timed));
    parties.sums = false;
    TRY(phase_write(p, &parties, composition, 0));
    parties.sums = true;
    if (kind == RWA_REDUCE_SCATTER || kind == RWA_ALL_REDUCE)
        program_reverse(p, 0, RWA_REDUCE);
    if (kind == RWA_ALL_REDUCE)
        TRY(phase_write(p, &parties, composition, 0));
done:
    parties_free(&parties);
    return st;
}

rwa_status composition_is_alike(bool *alike, const struct composition *composition, const struct composing *c)
{
    struct program p = {.timed = true, .alike = c->may_be_alike, .distances = &c->distances, .limit_s = INFINITY,
                        .work_most = INFINITY, .routed.model = &c->request->opts->cost, .err = c->err};
    rwa_status st = p.alike ? composition_write(&p, composition, c, 1) : RWA_OK;
    *alike = p.alike;
    program_free(&p);
    return st;
}
