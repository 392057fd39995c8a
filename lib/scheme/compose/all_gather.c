/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/phases.h"

#include "delivery/ring/broadcast_tree.h"

rwa_status phase_direct(struct program *p, const struct parties *parties)
{
    p->times = parties->times;
    for (size_t g = 0; g < parties->groups; g++)
        for (size_t i = parties->first[g]; i < parties->first[g + 1] && !program_gives_up(p); i++)
            for (size_t j = parties->first[g]; j < parties->first[g + 1]; j++)
                if (i != j)
                    MUST(program_send(p, parties->party[i].node, parties->party[j].node, &parties->party[i].holds));
    return program_end_exchange(p);
}

/* ---- steps ---- */

/** In a step, offset `from` of every owner's tree sends the owner's blocks to offset `to`: to - from places on. */
struct hop {
    uint32_t step, from;
    int64_t ahead;
};

COMPARATOR(by_step_and_way, struct hop, UP(step) UP(ahead) UP(from))

/** All hops of the template tree, those of one step and way together. */
static rwa_status list_hops(struct hop **out, uint32_t nodes, uint32_t steps, struct budget *budget, rwa_error *err)
{
    struct lattice_points points = {0};
    struct delivery_tree tree = {0};
    rwa_status st = RWA_OK;
    size_t count = 0;
    *out = base_array(nodes, sizeof **out, err);
    TRY(*out ? RWA_OK : RWA_NOMEM);
    TRY(lattice_points_choose(&points, nodes, steps, budget, err));
    TRY(broadcast_tree_place(&tree, &points, steps, err));
    for (uint32_t v = 0; v < nodes; v++) {
        const struct delivery *d = &tree.at[v];
        if (d->step > 0)
            (*out)[count++] = (struct hop){d->step, d->from, d->way == 0 ? d->links : -(int64_t)d->links};
    }
    assert(count == nodes - 1);
    qsort(*out, count, sizeof **out, by_step_and_way);
done:
    free(points.coordinate);
    delivery_tree_free(&tree);
    return st;
}

/** Whether all participants of each group hold equally many blocks, of which a timed program knows no more. */
static bool only_counts(const struct program *p, const struct parties *parties)
{
    for (size_t g = 0; p->timed && g < parties->groups; g++)
        for (size_t i = parties->first[g]; i < parties->first[g + 1]; i++)
            if (parties->party[i].holds.count != parties->party[parties->first[g]].holds.count)
                return false;
    return p->timed;
}

/** The blocks of the owners that hops from … to - 1 say, as participant i of a group sends them. */
static rwa_status join_owners(struct block_set *set, const struct program *p, const struct parties *parties, size_t group, size_t i,
                              const struct hop *hop, size_t hops)
{
    size_t n = parties_of(parties, group);
    block_set_clear(set);
    for (size_t h = 0; h < hops; h++)
        MUST(block_set_join(set, &parties->party[parties->first[group] + (i + n - hop[h].from) % n].holds, p->err));
    return RWA_OK;
}

/** One transfer from each participant of a group, of the blocks of the owners that these hops say. */
static rwa_status send_hops(struct program *p, const struct parties *parties, size_t group, const struct hop *hop, size_t hops, bool counts)
{
    struct block_set set = {0};
    size_t n = parties_of(parties, group), ahead = (size_t)(hop->ahead + (int64_t)n) % n;
    const struct party *party = parties->party + parties->first[group];
    rwa_status st = RWA_OK;
    set.count = hops * party->holds.count;
    for (size_t i = 0, to = ahead; i < n; i++, to = to + 1 < n ? to + 1 : 0) {
        if (!counts)
            TRY(join_owners(&set, p, parties, group, i, hop, hops));
        TRY(program_send(p, party[i].node, party[to].node, &set));
    }
done:
    block_set_free(&set);
    return st;
}

/** The hops of a step, those of one way together. */
static rwa_status send_step(struct program *p, const struct parties *parties, const struct hop *hop, size_t hops, bool counts)
{
    for (size_t from = 0, to = 0; from < hops && !program_gives_up(p); from = to) {
        while (to < hops && hop[to].ahead == hop[from].ahead)
            to++;
        for (size_t g = 0; g < parties->groups; g++)
            MUST(send_hops(p, parties, g, hop + from, to - from, counts));
    }
    return program_end_exchange(p);
}

/** Whether two steps of so many hops send equally many blocks each way. */
static bool are_alike(const struct hop *a, const struct hop *b, size_t hops)
{
    size_t i = 0;
    while (i < hops && a[i].ahead == b[i].ahead)
        i++;
    return i == hops;
}

rwa_status phase_steps(struct program *p, const struct parties *parties, uint32_t steps)
{
    size_t n = parties_of(parties, 0), before = 0;
    bool counts = only_counts(p, parties);
    struct hop *hop = NULL;
    rwa_status st = RWA_OK;
    assert(steps > 0);
    p->times = parties->times;
    if (n < 2)
        return RWA_OK;
    TRY(list_hops(&hop, (uint32_t)n, steps, p->budget, p->err));
    for (size_t from = 0, to = 0; from < n - 1 && !program_gives_up(p); before = to - from, from = to) {
        while (to < n - 1 && hop[to].step == hop[from].step)
            to++;
        if (counts && to - from == before && are_alike(hop + from, hop + from - before, before))
            TRY(program_repeat(p));
        else
            TRY(send_step(p, parties, hop + from, to - from, counts));
    }
done:
    free(hop);
    return st;
}

/* ---- leaders ---- */

rwa_status phase_gather(struct program *p, struct parties *leaders, const struct parties *parties, uint32_t size)
{
    p->times = parties->times;
    MUST(parties_create(leaders, parties->count, parties->groups, p->err));
    for (size_t g = 0; g < parties->groups; g++) {
        size_t n = parties_of(parties, g), segments = segments_of(n, size);
        for (size_t k = 0; k < segments; k++) {
            size_t from = parties->first[g] + segment_start(n, segments, k), to = parties->first[g] + segment_start(n, segments, k + 1);
            struct party *leader = parties_add(leaders, parties->party[segment_leader(from, to)].node);
            MUST(parties_join(&leader->holds, parties, from, to, SIZE_MAX, p->err));
            for (size_t i = from; i < to; i++)
                if (parties->party[i].node != leader->node)
                    MUST(program_send(p, parties->party[i].node, leader->node, &parties->party[i].holds));
        }
        parties_end_group(leaders);
    }
    leaders->cycle = parties->cycle && parties_of(parties, 0) % size == 0;
    leaders->times = parties->times;
    return program_end_exchange(p);
}

static uint64_t blocks_of(const struct parties *parties, size_t low, size_t high)
{
    uint64_t sum = 0;
    for (size_t i = low; i < high; i++)
        sum += parties->party[i].holds.count;
    return sum;
}

/** Blocks that participants low … high - 1 of all hold, but for `but`; a timed program knows how many all of them hold. */
static rwa_status part_but(struct block_set *set, const struct program *p, const struct parties *parties, size_t low, size_t high,
                           size_t but, uint64_t total)
{
    block_set_clear(set);
    if (!p->timed)
        return parties_join(set, parties, low, high, but, p->err);
    set->count = total - (but >= low && but < high ? parties->party[but].holds.count : 0);
    return RWA_OK;
}

/** The leader sends all others what they lack of the `total` blocks of the group. */
static rwa_status inform(struct program *p, const struct parties *parties, size_t g, size_t from, size_t to, uint64_t total)
{
    struct block_set set = {0};
    size_t leader = segment_leader(from, to), low = parties->first[g], high = parties->first[g + 1];
    rwa_status st = RWA_OK;
    for (size_t i = from; i < to; i++) {
        if (i == leader)
            continue;
        TRY(part_but(&set, p, parties, low, high, i, total));
        TRY(program_send(p, parties->party[leader].node, parties->party[i].node, &set));
    }
done:
    block_set_free(&set);
    return st;
}

rwa_status phase_inform(struct program *p, const struct parties *parties, uint32_t size)
{
    p->times = parties->times;
    for (size_t g = 0; g < parties->groups && !program_gives_up(p); g++) {
        size_t n = parties_of(parties, g), segments = segments_of(n, size), base = parties->first[g];
        uint64_t total = blocks_of(parties, parties->first[g], parties->first[g + 1]);
        for (size_t k = 0; k < segments; k++)
            MUST(inform(p, parties, g, base + segment_start(n, segments, k), base + segment_start(n, segments, k + 1), total));
    }
    return program_end_exchange(p);
}

/* ---- positions ---- */

rwa_status parties_at_places(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err)
{
    MUST(parties_create(out, parties->count, parties->groups * size, err));
    for (size_t g = 0; g < parties->groups; g++)
        for (size_t j = 0; j < size; j++) {
            assert(parties_of(parties, g) % size == 0);
            for (size_t i = parties->first[g] + j; i < parties->first[g + 1]; i += size)
                MUST(block_set_join(&parties_add(out, parties->party[i].node)->holds, &parties->party[i].holds, err));
            parties_end_group(out);
        }
    out->cycle = parties->cycle;
    out->times = parties->times;
    return RWA_OK;
}

rwa_status parties_by_segments(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err)
{
    MUST(parties_create(out, parties->count, parties->count / size, err));
    for (size_t i = 0; i < parties->count; i++) {
        MUST(block_set_join(&parties_add(out, parties->party[i].node)->holds, &parties->party[i].holds, err));
        if (i % size == size - 1) /* `size` divides every group */
            parties_end_group(out);
    }
    out->times = parties->times;
    return RWA_OK;
}

rwa_status parties_in_segments(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err)
{
    MUST(parties_create(out, parties->count, parties->count / size, err));
    for (size_t g = 0; g < parties->groups; g++)
        for (size_t i = parties->first[g]; i < parties->first[g + 1]; i++) {
            struct party *party = parties_add(out, parties->party[i].node);
            size_t place = (i - parties->first[g]) % size;
            for (size_t k = parties->first[g] + place; k < parties->first[g + 1]; k += size)
                MUST(block_set_join(&party->holds, &parties->party[k].holds, err));
            if (place == size - 1)
                parties_end_group(out);
        }
    out->times = parties->times;
    return RWA_OK;
}

/* ---- terms ---- */

static rwa_status write_leaders(struct program *p, const struct parties *parties, const struct composition *c, const struct term *t)
{
    struct parties leaders = {0};
    rwa_status st = RWA_OK;
    TRY(phase_gather(p, &leaders, parties, t->number[0]));
    TRY(write_all_gather(p, &leaders, c, t->sub[0]));
    TRY(phase_inform(p, parties, t->number[0]));
done:
    parties_free(&leaders);
    return st;
}

rwa_status write_positions(struct program *p, const struct parties *parties, const struct composition *c, const struct term *t,
                           write_term *write, parties_divide *segments)
{
    struct parties part = {0};
    rwa_status st = RWA_OK;
    TRY(parties_at_places(&part, parties, t->number[0], p->err));
    TRY(parties_fold(&part, p));
    TRY(write(p, &part, c, t->sub[0]));
    parties_free(&part);
    TRY(segments(&part, parties, t->number[0], p->err));
    TRY(parties_fold(&part, p));
    TRY(write(p, &part, c, t->sub[1]));
done:
    parties_free(&part);
    return st;
}

rwa_status write_all_gather(struct program *p, const struct parties *parties, const struct composition *c, uint8_t node)
{
    const struct term *t = &c->node[node];
    switch (t->phase) {
    case PHASE_STEPS:
        return phase_steps(p, parties, t->number[0]);
    case PHASE_LEADERS:
        return write_leaders(p, parties, c, t);
    case PHASE_POSITIONS:
        return write_positions(p, parties, c, t, write_all_gather, parties_in_segments);
    default:
        assert(t->phase == PHASE_DIRECT);
        return phase_direct(p, parties);
    }
}
