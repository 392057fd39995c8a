/* SPDX-License-Identifier: GPL-3.0-or-later */
/** On a line the links near the ends take in what all others send, and those in the middle pass it on: no two are worth
 * the same, nor are the two directions of one. */
#include "bound/bound.h"
#include "bound/market.h"
#include "lattice/line_spread.h"

enum { MOST_PARTS = 49 };   /* longer lines are contracted in the middle */
enum { WHOLE_LINE = 320 };  /* prices of a line that is not */
enum { MOST_GAIN = 3 };     /* it never exceeds the others by more: a plan farther above them gains nothing from it */
enum { LAST_STEPS = 8 };    /* in these a lightpath is of less and less use */

struct spreads {
    struct line_spread line;
    uint32_t *owners;       /* of each part of the line: so many of its nodes */
};

/** Under a hop limit lengths must stay what they are. */
static uint32_t parts_of(uint64_t steps, const struct bound_case *c)
{
    bool contracted = c->nodes > MOST_PARTS && c->max_hops + 1 >= c->nodes && steps * (c->nodes - 1) > WHOLE_LINE;
    return contracted ? MOST_PARTS : c->nodes;
}

/** Spreads need the links up in the upper half most, but for the last steps; of those in the lower half the last, near
 * the end. */
static double first_weight(uint32_t step, uint32_t steps, uint32_t link, uint32_t links)
{
    double left = steps - step < LAST_STEPS ? (double)(steps - step) / LAST_STEPS : 1, done = (step + 1.0) / steps;
    return link >= links / 2 ? left : done / (2 * sqrt(link + 1.0));
}

static rwa_status open_spreads(struct market *m, uint64_t steps, const struct bound_case *c)
{
    uint32_t parts = parts_of(steps, c), links = parts - 1;
    struct spreads *s = m->spreads = arena_array(&m->memory, 1, sizeof *s);
    assert(steps >= 1 && c->nodes >= 2 && bound_on_path(c));
    MUST(s ? RWA_OK : RWA_NOMEM);
    MUST(market_new(m, (size_t)steps * links));
    arena_new(&m->memory, s->owners, parts);
    MUST(arena_status(&m->memory));
    m->factor = c->coll->blocks / c->nodes;
    for (size_t i = 0; i < m->count; i++) {
        m->room[i] = c->channels;
        m->weight[i] = first_weight((uint32_t)(i / links), (uint32_t)steps, (uint32_t)(i % links), links);
    }
    for (uint32_t i = 0; i < parts; i++)
        s->owners[i] = i == parts / 2 ? c->nodes - parts + 1 : 1;
    return line_spread_open(&s->line, parts, (uint32_t)steps, c->max_hops, c->drops, m->memory.err);
}

static void close_spreads(struct market *m)
{
    struct spreads *s = m->spreads;
    if (s)
        line_spread_close(&s->line);
}

static uint64_t cost(void *spreads, const uint64_t *price)
{
    struct spreads *s = spreads;
    uint64_t sum = 0;
    memcpy(s->line.price, price, (size_t)s->line.steps * (s->line.nodes - 1) * sizeof *price);
    line_spread_solve(&s->line);
    for (uint32_t owner = 0; owner < s->line.nodes; owner++)
        sum = plus_saturated(sum, times_saturated(s->owners[owner], s->line.right[owner]));
    return sum;
}

static void links(void *spreads, uint64_t *load)
{
    struct spreads *s = spreads;
    line_spread_links(&s->line, load, s->owners);
}

/** Operations of one solution: in each step the parts³ / 6 triples of places in order, for each receiver of a lightpath
 * and for the gaps. */
static double work(uint64_t steps, const struct bound_case *c)
{
    double parts = parts_of(steps, c);
    return (double)steps * parts * parts * parts * c->drops / 3;
}

static bool applies(const struct bound_case *c)
{
    bool everywhere = c->coll->kind == RWA_ALL_GATHER || c->coll->kind == RWA_REDUCE_SCATTER;
    return bound_on_path(c) && everywhere && c->coll->blocks >= c->nodes;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    static const struct market_kind kind = {"link-capacity", open_spreads, close_spreads, cost, links, work};
    uint64_t steps;
    if (!applies(c))
        return RWA_OK;
    MUST(bound_start(&steps, c, err));
    if (c->reached <= steps + MOST_GAIN)
        MUST(market_raise(&steps, c, &kind, err));
    b->value = steps;
    return RWA_OK;
}

const struct bound_entry bound_link_capacity = {
    "link-capacity", "steps",
    "the spreads of all blocks must fit the channels of every link in every step and direction, whatever price each of "
    "them has",
    "docs/bounds.md: this work; prices from a market, checked in whole numbers", .compute = compute};
