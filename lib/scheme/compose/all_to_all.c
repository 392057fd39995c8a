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
    for (size_t a = 0; a < roots && !program_gives_up(m->p); a++)
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
    for (size_t a = 0; a < fan[0] && !program_gives_up(m->p); a++) {
        size_t from = segment_start(m->nodes, fan[0], a), to = segment_start(m->nodes, fan[0], a + 1);
        MUST(walk(m, up, from, to, middle(from, to), fan, 1, wanted));
    }
    return program_end_exchange(m->p);
}

/** Exchanges up that move something: as many go down. */
static double count_levels(const uint32_t *fan, unsigned levels, uint32_t nodes)
{
    uint64_t segments = fan[0];
    double count = 0;
    for (unsigned level = 1; level <= levels && segments < nodes; level++, segments *= fan[level - 1])
        count++;
    return count;
}

/** The time in which what nodes send beyond their top segments comes to the leaders of these. */
static double time_to_leaders(const struct merging *m, uint32_t roots)
{
    struct way_load load[WAYS_MOST] = {{0}};
    for (size_t a = 0; a < roots; a++) {
        size_t from = segment_start(m->nodes, roots, a), to = segment_start(m->nodes, roots, a + 1), leader = middle(from, to);
        double beyond = (double)(m->nodes - (to - from)) * (double)m->p->pair_blocks;
        for (size_t i = from; i < to; i++)
            if (i != leader)
                way_load_add(load, m->p, m->order[i], m->order[leader], 1, beyond);
    }
    return way_load_s(load, m->p);
}

/** The exchange among the leaders first, which may take too long by itself: other terms have it, too. */
static rwa_status time_merge(struct merging *m, const uint32_t *fan, unsigned levels)
{
    struct program *p = m->p;
    double levels_s = count_levels(fan, levels, m->nodes) * p->prices.kept_s, one_way_s = levels_s + time_to_leaders(m, fan[0]);
    p->to_come_s = fmax(2 * one_way_s, 2 * levels_s + p->pairs_s) + (fan[0] > 1 ? p->prices.kept_s : 0);
    MUST(exchange_roots(m, fan[0]));
    for (unsigned level = levels; level > 0; level--) {
        p->to_come_s = (level == levels ? 2 : 1) * one_way_s;
        MUST(walk_roots(m, true, fan, level));
    }
    for (unsigned level = 1; level <= levels; level++) {
        p->to_come_s = level == 1 ? one_way_s : 0;
        MUST(walk_roots(m, false, fan, level));
    }
    return RWA_OK;
}

rwa_status phase_merge(struct program *p, const uint32_t *order, uint32_t nodes, const uint32_t *given, unsigned levels)
{
    struct merging m = {.p = p, .order = order, .nodes = nodes};
    uint32_t fan[TERM_NUMBERS + 1];
    rwa_status st = RWA_OK;
    assert(levels > 0 && levels <= TERM_NUMBERS);
    p->times = (struct times){1, 1};
    fan[0] = given[0] < nodes ? given[0] : nodes;
    for (unsigned level = 1; level < levels; level++)
        fan[level] = given[level];
    fan[levels] = nodes; /* the parts of the last level send directly */
    if (p->timed) {
        TRY(time_merge(&m, fan, levels));
        goto done;
    }
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
            if (to == x)
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

/** Whether coordinates of nodes in a grid, or places round a ring, are those of one digit and of all others added up. */
static bool digit_adds(const struct program *p, const uint32_t *order, uint32_t nodes, uint32_t high, uint32_t low)
{
    const struct distances *d = p->distances;
    if (p->members || !d->place)
        return !p->members && network_has_arcs(d->net);
    for (uint32_t x = 0; x < nodes; x++) {
        uint32_t digit = x % high / low * low;
        for (size_t w = 0; w < d->ways; w++)
            if (d->place[order[x] * d->ways + w] != d->place[order[x - digit] * d->ways + w] + d->place[order[digit] * d->ways + w])
                return false;
    }
    return true;
}

/** What nodes send to those that differ in one digit alone, where distances depend on that digit only; false: they may not. */
static bool load_of_digit(struct way_load load[WAYS_MOST], const struct program *p, uint32_t *const *order, uint32_t turns, uint32_t nodes,
                          uint32_t high, uint32_t low)
{
    for (uint32_t k = 0; k < turns; k++) {
        struct turn t = turn_of(p, order, turns, k);
        double alike = (double)(nodes / high) * low, blocks = alike * (double)(t.to - t.from);
        if (!digit_adds(p, t.order, nodes, high, low))
            return false;
        for (uint32_t a = 0; a < high && blocks > 0; a += low)
            for (uint32_t b = 0; b < high; b += low)
                if (a != b)
                    way_load_add(load, p, t.order[a], t.order[b], alike, blocks);
    }
    return true;
}

/** The exchange for a digit takes no less. */
static double least_of_digit(const struct program *p, uint32_t *const *order, uint32_t turns, uint32_t nodes, uint32_t high, uint32_t low)
{
    struct way_load load[WAYS_MOST] = {{0}};
    if (!load_of_digit(load, p, order, turns, nodes, high, low))
        return p->prices.kept_s;
    return p->pair_blocks % turns > 0 ? p->prices.kept_s + way_load_s(load, p) /* transfers differ */
                                      : way_load_least_s(load, p, p->pair_blocks / turns * (nodes / high) * low);
}

static rwa_status time_digits(struct program *p, uint32_t *const *order, uint32_t turns, uint32_t nodes, const uint32_t *radix,
                              unsigned digits)
{
    double least_s[TERM_NUMBERS], left_s = 0;
    for (uint32_t d = 0, high = nodes; d < digits; high /= radix[d++]) {
        least_s[d] = least_of_digit(p, order, turns, nodes, high, high / radix[d]);
        left_s += least_s[d];
    }
    p->to_come_s = fmax(left_s, digits * p->prices.kept_s + p->pairs_s);
    for (uint32_t d = 0, high = nodes; d < digits && !program_gives_up(p); high /= radix[d++]) {
        MUST(time_digit(p, order, turns, nodes, high, high / radix[d]));
        left_s -= least_s[d];
        p->to_come_s = left_s;
    }
    return RWA_OK;
}

rwa_status phase_digits(struct program *p, uint32_t *const *order, uint32_t turns, uint32_t nodes, const uint32_t *radix, unsigned digits)
{
    if (p->timed)
        return time_digits(p, order, turns, nodes, radix, digits);
    for (uint32_t d = 0, high = nodes, low; d < digits; d++, high = low) {
        low = high / radix[d];
        assert(high % radix[d] == 0);
        for (uint32_t k = 0; k < turns; k++) {
            struct turn t = turn_of(p, order, turns, k);
            MUST(write_digit(p, &t, nodes, high, low));
        }
        MUST(program_end_exchange(p));
    }
    return RWA_OK;
}
