/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/phases.h"

/** Blocks of all pairs from sources from … to - 1 to destinations low … high - 1. */
static rwa_status add_pairs(struct block_set *set, const struct program *p, const uint32_t *order, uint32_t nodes, size_t from, size_t to,
                            size_t low, size_t high)
{
    if (p->timed) {
        set->count += (to - from) * (high - low) * p->pair_blocks;
        return RWA_OK;
    }
    for (size_t s = from; s < to; s++)
        for (size_t d = low; d < high; d++)
            MUST(block_set_add(set, (rwa_run){(uint32_t)((order[s] * nodes + order[d]) * p->pair_blocks), (uint32_t)p->pair_blocks, 1},
                               p->err));
    return RWA_OK;
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
    block_set_clear(&m->set);
    if (up) {
        MUST(add_pairs(&m->set, m->p, m->order, m->nodes, from, to, 0, from));
        MUST(add_pairs(&m->set, m->p, m->order, m->nodes, from, to, to, n));
    } else {
        MUST(add_pairs(&m->set, m->p, m->order, m->nodes, 0, from, from, to));
        MUST(add_pairs(&m->set, m->p, m->order, m->nodes, to, n, from, to));
    }
    return program_send(m->p, m->order[src], m->order[dst], &m->set);
}

/** The leaders of the top segments exchange all that leaves these. */
static rwa_status exchange_roots(struct merging *m, uint32_t roots)
{
    for (size_t a = 0; a < roots; a++)
        for (size_t b = 0; b < roots; b++) {
            size_t from = segment_start(m->nodes, roots, a), to = segment_start(m->nodes, roots, a + 1);
            size_t low = segment_start(m->nodes, roots, b), high = segment_start(m->nodes, roots, b + 1);
            if (a == b)
                continue;
            block_set_clear(&m->set);
            MUST(add_pairs(&m->set, m->p, m->order, m->nodes, from, to, low, high));
            MUST(program_send(m->p, m->order[middle(from, to)], m->order[middle(low, high)], &m->set));
        }
    return program_end_exchange(m->p);
}

/** Between the leader of a segment from … to - 1 and those of its parts, down to level `wanted`. */
static rwa_status walk(struct merging *m, bool up, size_t from, size_t to, size_t leader, const uint32_t *fan, unsigned level,
                       unsigned wanted)
{
    size_t count = to - from, parts = fan[level] < count ? fan[level] : count;
    for (size_t k = 0; k < parts; k++) {
        size_t low = from + segment_start(count, parts, k), high = from + segment_start(count, parts, k + 1);
        size_t holder = leader >= low && leader < high ? leader : middle(low, high);
        if (level < wanted)
            MUST(walk(m, up, low, high, holder, fan, level + 1, wanted));
        else if (holder != leader)
            MUST(send_pairs(m, up ? holder : leader, up ? leader : holder, up, low, high));
    }
    return RWA_OK;
}

/** Level `wanted` of the trees below all roots. */
static rwa_status walk_roots(struct merging *m, bool up, const uint32_t *fan, unsigned wanted)
{
    for (size_t a = 0; a < fan[0]; a++) {
        size_t from = segment_start(m->nodes, fan[0], a), to = segment_start(m->nodes, fan[0], a + 1);
        MUST(walk(m, up, from, to, middle(from, to), fan, 1, wanted));
    }
    return program_end_exchange(m->p);
}

rwa_status phase_merge(struct program *p, const uint32_t *order, uint32_t nodes, const uint32_t *given, unsigned levels)
{
    struct merging m = {.p = p, .order = order, .nodes = nodes};
    uint32_t fan[TERM_NUMBERS + 1];
    rwa_status st = RWA_OK;
    assert(levels > 0 && levels <= TERM_NUMBERS);
    p->times = 1;
    fan[0] = given[0] < nodes ? given[0] : nodes;
    for (unsigned level = 1; level < levels; level++)
        fan[level] = given[level];
    fan[levels] = nodes; /* the parts of the last level send directly */
    for (unsigned level = levels; level > 0; level--)
        TRY(walk_roots(&m, true, fan, level));
    TRY(exchange_roots(&m, fan[0]));
    for (unsigned level = 1; level <= levels; level++)
        TRY(walk_roots(&m, false, fan, level));
done:
    block_set_free(&m.set);
    return st;
}

/* ---- digits ---- */

/** The parts of the blocks of each pair that take the digits in the order of this turn: from … to - 1. */
struct turn {
    const uint32_t *order;
    uint64_t from, to;
};

static struct turn turn_of(const struct program *p, uint32_t *const *order, uint32_t turns, uint32_t turn)
{
    return (struct turn){order[turn], p->pair_blocks * turn / turns, p->pair_blocks * (turn + 1) / turns};
}

/** Adds the blocks that node x sends to the one that differs from it only in the digit of weight `low`, which is `digit` there; `high`
 *  is the weight of the digit before, and digits above are done: their blocks are at the node of their destination's digits. */
static rwa_status add_digit(struct block_set *set, const struct program *p, const struct turn *t, uint32_t nodes, uint32_t x, uint32_t high,
                            uint32_t low, uint32_t digit)
{
    uint32_t first = x / high * high + digit * low;
    block_set_clear(set);
    for (uint32_t s = x % high; s < nodes && t->to > t->from; s += high)
        for (uint32_t d = first; d < first + low; d++) {
            uint64_t pair = (uint64_t)t->order[s] * nodes + t->order[d];
            MUST(block_set_add(set, (rwa_run){(uint32_t)(pair * p->pair_blocks + t->from), (uint32_t)(t->to - t->from), 1}, p->err));
        }
    return RWA_OK;
}

static rwa_status write_digit(struct program *p, const struct turn *t, uint32_t nodes, uint32_t high, uint32_t low)
{
    struct block_set set = {0};
    rwa_status st = RWA_OK;
    for (uint32_t x = 0; x < nodes; x++)
        for (uint32_t digit = 0; digit < high / low; digit++) {
            uint32_t to = x / high * high + digit * low + x % low;
            if (to == x || !program_lists(p, t->order[x]))
                continue;
            TRY(add_digit(&set, p, t, nodes, x, high, low, digit));
            TRY(program_send(p, t->order[x], t->order[to], &set));
        }
done:
    block_set_free(&set);
    return st;
}

/** Nodes that differ in the digit alone form a group, in which each sends equally much to each. */
static void group_by_digit(struct parties *parties, const struct turn *t, uint32_t nodes, uint32_t high, uint32_t low)
{
    for (uint32_t above = 0; above < nodes; above += high)
        for (uint32_t below = above; below < above + low; below++) {
            for (uint32_t x = below; x < above + high; x += low)
                parties_add(parties, t->order[x])->holds.count = (uint64_t)(nodes / high) * low * (t->to - t->from);
            parties_end_group(parties);
        }
}

static rwa_status time_digit(struct program *p, uint32_t *const *order, uint32_t turns, uint32_t nodes, uint32_t high, uint32_t low)
{
    struct parties parties = {0};
    rwa_status st = RWA_OK;
    assert(low > 0 && high >= low);
    TRY(parties_create(&parties, (size_t)turns * nodes, (size_t)turns * nodes / (high / low), p->err));
    for (uint32_t k = 0; k < turns; k++) {
        struct turn t = turn_of(p, order, turns, k);
        group_by_digit(&parties, &t, nodes, high, low);
    }
    TRY(parties_fold(&parties, p));
    TRY(phase_direct(p, &parties));
done:
    parties_free(&parties);
    return st;
}

rwa_status phase_digits(struct program *p, uint32_t *const *order, uint32_t turns, uint32_t nodes, const uint32_t *radix, unsigned digits)
{
    for (uint32_t d = 0, high = nodes, low; d < digits; d++, high = low) {
        low = high / radix[d];
        assert(high % radix[d] == 0);
        if (p->timed) {
            MUST(time_digit(p, order, turns, nodes, high, low));
            continue;
        }
        for (uint32_t k = 0; k < turns; k++) {
            struct turn t = turn_of(p, order, turns, k);
            MUST(write_digit(p, &t, nodes, high, low));
        }
        MUST(program_end_exchange(p));
    }
    return RWA_OK;
}
