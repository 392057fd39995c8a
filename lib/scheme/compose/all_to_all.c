/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/phases.h"

#include <stdlib.h>

/** Blocks of all pairs from sources from … to - 1 to destinations low … high - 1. */
static rwa_status add_pairs(struct block_set *set, const struct program *p, const uint32_t *order, uint32_t nodes, size_t from, size_t to,
                            size_t low, size_t high)
{
    rwa_status st = RWA_OK;
    if (p->timed) {
        set->count += (to - from) * (high - low) * p->pair_blocks;
        return RWA_OK;
    }
    for (size_t s = from; s < to; s++)
        for (size_t d = low; d < high; d++)
            TRY(block_set_add(set, (rwa_run){(uint32_t)((order[s] * nodes + order[d]) * p->pair_blocks), (uint32_t)p->pair_blocks, 1},
                              p->err));
done:
    return st;
}

/* ---- merge ---- */

struct merging {
    struct program *p;
    const uint32_t *order;
    uint32_t nodes;
    struct block_set set;
};

static size_t middle(size_t from, size_t to)
{
    return (from + to - 1) / 2;
}

static rwa_status send_pairs(struct merging *m, size_t src, size_t dst, bool up, size_t from, size_t to)
{
    size_t n = m->nodes;
    rwa_status st = RWA_OK;
    block_set_clear(&m->set);
    if (up) {
        TRY(add_pairs(&m->set, m->p, m->order, m->nodes, from, to, 0, from));
        TRY(add_pairs(&m->set, m->p, m->order, m->nodes, from, to, to, n));
    } else {
        TRY(add_pairs(&m->set, m->p, m->order, m->nodes, 0, from, from, to));
        TRY(add_pairs(&m->set, m->p, m->order, m->nodes, to, n, from, to));
    }
    TRY(program_send(m->p, m->order[src], m->order[dst], &m->set));
done:
    return st;
}

/** The leaders of the top segments exchange all that leaves these. */
static rwa_status exchange_tops(struct merging *m, uint32_t tops)
{
    rwa_status st = RWA_OK;
    for (size_t a = 0; a < tops; a++)
        for (size_t b = 0; b < tops; b++) {
            size_t from = segment_start(m->nodes, tops, a), to = segment_start(m->nodes, tops, a + 1);
            size_t low = segment_start(m->nodes, tops, b), high = segment_start(m->nodes, tops, b + 1);
            if (a == b)
                continue;
            block_set_clear(&m->set);
            TRY(add_pairs(&m->set, m->p, m->order, m->nodes, from, to, low, high));
            TRY(program_send(m->p, m->order[middle(from, to)], m->order[middle(low, high)], &m->set));
        }
    TRY(program_end_exchange(m->p));
done:
    return st;
}

/** Between the leader of a segment from … to - 1 and those of its parts, down to level `wanted`. */
static rwa_status walk(struct merging *m, bool up, size_t from, size_t to, size_t leader, const uint32_t *fan, unsigned level,
                       unsigned wanted)
{
    size_t count = to - from, parts = fan[level] < count ? fan[level] : count;
    rwa_status st = RWA_OK;
    for (size_t k = 0; k < parts; k++) {
        size_t low = from + segment_start(count, parts, k), high = from + segment_start(count, parts, k + 1);
        size_t holder = leader >= low && leader < high ? leader : middle(low, high);
        if (level < wanted)
            TRY(walk(m, up, low, high, holder, fan, level + 1, wanted));
        else if (holder != leader)
            TRY(send_pairs(m, up ? holder : leader, up ? leader : holder, up, low, high));
    }
done:
    return st;
}

/** Level `wanted` of the trees below all tops. */
static rwa_status walk_tops(struct merging *m, bool up, const uint32_t *fan, unsigned wanted)
{
    rwa_status st = RWA_OK;
    for (size_t a = 0; a < fan[0]; a++) {
        size_t from = segment_start(m->nodes, fan[0], a), to = segment_start(m->nodes, fan[0], a + 1);
        TRY(walk(m, up, from, to, middle(from, to), fan, 1, wanted));
    }
    TRY(program_end_exchange(m->p));
done:
    return st;
}

rwa_status phase_merge(struct program *p, const uint32_t *order, uint32_t nodes, const uint32_t *given, unsigned levels)
{
    struct merging m = {.p = p, .order = order, .nodes = nodes};
    uint32_t fan[TERM_NUMBERS + 1];
    rwa_status st = RWA_OK;
    assert(levels > 0 && levels <= TERM_NUMBERS);
    fan[0] = given[0] < nodes ? given[0] : nodes;
    for (unsigned level = 1; level < levels; level++)
        fan[level] = given[level];
    fan[levels] = nodes; /* the parts of the last level send directly */
    for (unsigned level = levels; level > 0; level--)
        TRY(walk_tops(&m, true, fan, level));
    TRY(exchange_tops(&m, fan[0]));
    for (unsigned level = 1; level <= levels; level++)
        TRY(walk_tops(&m, false, fan, level));
done:
    block_set_free(&m.set);
    return st;
}

/* ---- digits ---- */

/** Adds the blocks that node x sends to the one that differs from it only in the digit of weight `low`, which is `digit` there; `high`
 *  is the weight of the digit before, and digits above are done: their blocks are at the node of their destination's digits. */
static rwa_status add_digit(struct block_set *set, const struct program *p, const uint32_t *order, uint32_t nodes, uint32_t x,
                            uint32_t high, uint32_t low, uint32_t digit)
{
    uint32_t first = x / high * high + digit * low;
    rwa_status st = RWA_OK;
    block_set_clear(set);
    set->count = p->timed ? (uint64_t)(nodes / high) * low * p->pair_blocks : 0;
    for (uint32_t s = x % high; s < nodes && !p->timed; s += high)
        TRY(add_pairs(set, p, order, nodes, s, s + 1, first, first + low));
done:
    return st;
}

rwa_status phase_digits(struct program *p, const uint32_t *order, uint32_t nodes, const uint32_t *radix, unsigned digits)
{
    struct block_set set = {0};
    uint32_t high = nodes;
    rwa_status st = RWA_OK;
    for (unsigned d = 0; d < digits; d++) {
        uint32_t low = high / radix[d];
        assert(high % radix[d] == 0);
        for (uint32_t x = 0; x < nodes; x++)
            for (uint32_t digit = 0; digit < radix[d]; digit++) {
                uint32_t to = x / high * high + digit * low + x % low;
                if (to == x)
                    continue;
                TRY(add_digit(&set, p, order, nodes, x, high, low, digit));
                TRY(program_send(p, order[x], order[to], &set));
            }
        TRY(program_end_exchange(p));
        high = low;
    }
done:
    block_set_free(&set);
    return st;
}
