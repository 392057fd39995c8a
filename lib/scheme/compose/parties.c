/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/parties.h"

#include "network/translations.h"

rwa_status parties_create(struct parties *out, const struct parties *like, size_t count, size_t groups, rwa_error *err)
{
    *out = like ? *like : (struct parties){0};
    out->count = out->groups = 0;
    out->first = NULL;
    MUST(base_new(out->party, count, err));
    return base_new(out->first, groups + 1, err);
}

void parties_free(struct parties *p)
{
    for (size_t i = 0; p->party && i < p->count; i++) {
        block_set_free(&p->party[i].holds);
        block_set_free(&p->party[i].needs);
    }
    free_all(p->party, p->first);
    *p = (struct parties){0};
}

struct party *parties_add(struct parties *p, uint32_t node)
{
    struct party *party = &p->party[p->count++];
    *party = (struct party){.node = node};
    return party;
}

void parties_end_group(struct parties *p)
{
    p->first[++p->groups] = p->count;
}

bool parties_go_round(const struct parties *p, const rwa_network *net)
{
    struct translations all;
    if (!translations_of(&all, net))
        return false;
    for (size_t g = 0; g < p->groups; g++) {
        const struct party *party = p->party + p->first[g];
        for (size_t i = 0, n = parties_of(p, g); i < n && n > 1; i++)
            if (translations_move(&all, party[i].node, party[0].node, party[1].node) != party[(i + 1) % n].node)
                return false;
    }
    return true;
}

/** Tell whether a group has all nodes of a box of a network with the dimensions t->radix, or, if `row`, of a row. */
static bool is_box(const struct parties *p, size_t group, const struct translations *t, bool row)
{
    size_t count = parties_of(p, group), box = 1;
    for (size_t k = 0; k < t->digits; k++) {
        uint32_t low = UINT32_MAX, high = 0;
        for (size_t i = p->first[group]; i < p->first[group + 1]; i++) {
            uint32_t digit = translations_digit(t, p->party[i].node, k);
            RAISE(high, digit);
            LOWER(low, digit);
        }
        size_t size = high - low + 1;
        /* shortest routes between the ends of a longer part of a cycle lead round the other side */
        bool fits = (size == t->radix[k] || 2 * size <= t->radix[k]) && (!row || size == 1 || size == count);
        box *= fits ? size : 0;
    }
    return box == count;
}

bool parties_apart(const struct parties *p, const rwa_network *net, bool turned)
{
    struct translations t;
    struct network_grid grid;
    bool cyclic = translations_of(&t, net); /* t: else a single dimension, that of a line */
    /* rotations share nodes, but no links of rows */
    bool apart = p->groups > 1 && !network_has_failed_links(net) && !(turned && rwa_network_ports(net) > 0);
    if (network_grid(&grid, net)) {
        t.digits = grid.dimensions;
        memcpy(t.radix, grid.size, grid.dimensions * sizeof *grid.size);
    } else
        apart = apart && (cyclic ? net->kind == RWA_HYPERCUBE : network_capabilities(net) == NETWORK_PATH);
    for (size_t g = 0; g < (turned ? p->groups : 1) && apart; g++) /* else all are translations of the first */
        apart = is_box(p, g, &t, turned);
    return apart;
}

size_t parties_root(const struct parties *p, size_t group)
{
    size_t place = p->first[group];
    while (p->party[place].node != p->root)
        place++;
    assert(place < p->first[group + 1]);
    return place;
}

bool segment_next(struct segment *s, const struct parties *p, uint32_t size)
{
    if (s->to > 0 && s->to == p->first[s->group + 1]) {
        s->group++;
        s->index = 0;
    }
    if (s->group == p->groups)
        return false;
    size_t first = p->first[s->group], count = parties_of(p, s->group), segments = segments_of(count, size);
    size_t most = (count + segments - 1) / segments;
    s->from = first + segment_start(count, segments, s->index);
    s->leader = first + place_of(count, most, most * segments, most * s->index);
    s->to = first + segment_start(count, segments, ++s->index);
    assert(s->from <= s->leader && s->leader < s->to);
    return true;
}

struct segment segment_bundle(const struct segment *s, size_t i, size_t channels)
{
    size_t count = s->to - s->from, bundles = count / (2 * channels + 1) | 1;
    size_t k = ((i - s->from + 1) * bundles - 1) / count;
    struct segment b = {.from = s->from + segment_start(count, bundles, k),
                        .to = s->from + segment_start(count, bundles, k + 1)};
    b.leader = k == bundles / 2 ? s->leader : (b.from + b.to - 1) / 2;
    assert(b.from <= b.leader && b.leader < b.to);
    return b;
}

rwa_status parties_join(struct block_set *set, const struct parties *p, bool needs, size_t from, size_t to, size_t but,
                        rwa_error *err)
{
    for (size_t i = from; i < to; i++)
        if (i != but)
            MUST(block_set_join(set, needs ? &p->party[i].needs : &p->party[i].holds, err));
    return RWA_OK;
}

rwa_status parties_at_places(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err)
{
    MUST(parties_create(out, parties, parties->count, parties->groups * size, err));
    for (size_t g = 0; g < parties->groups; g++)
        for (size_t j = 0; j < size; j++) {
            assert(parties_of(parties, g) % size == 0);
            for (size_t from = parties->first[g]; from < parties->first[g + 1]; from += size) {
                struct party *one = parties_add(out, parties->party[from + j].node);
                MUST(block_set_join(&one->holds, &parties->party[from + j].holds, err));
                if (parties->payload == PAYLOAD_SPLIT)
                    MUST(parties_join(&one->needs, parties, true, from, from + size, SIZE_MAX, err));
            }
            parties_end_group(out);
        }
    return RWA_OK;
}

rwa_status parties_in_segments(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err)
{
    bool joined = parties->payload != PAYLOAD_SUM;
    MUST(parties_create(out, parties, parties->count, parties->count / size, err));
    out->cycle = out->sums = false;
    for (size_t g = 0; g < parties->groups; g++)
        for (size_t first = parties->first[g], i = first; i < parties->first[g + 1]; i++) {
            struct party *one = parties_add(out, parties->party[i].node);
            size_t place = (i - first) % size;
            MUST(block_set_join(&one->needs, &parties->party[i].needs, err));
            if (!joined || i >= first + size)
                MUST(block_set_join(&one->holds, joined ? &out->party[first + place].holds : &parties->party[i].holds,
                                    err));
            for (size_t k = i; joined && i < first + size && k < parties->first[g + 1]; k += size)
                MUST(block_set_join(&one->holds, &parties->party[k].holds, err));
            if (place == size - 1)
                parties_end_group(out);
        }
    return RWA_OK;
}

rwa_status parties_leaders(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err)
{
    bool sums = parties->payload == PAYLOAD_SUM;
    MUST(parties_create(out, parties, parties->count, parties->groups, err));
    out->cycle = parties->cycle && parties_of(parties, 0) % size == 0;
    out->sums = false;
    for (struct segment s = {0}; segment_next(&s, parties, size);) {
        struct party *leader = parties_add(out, parties->party[s.leader].node);
        MUST(parties_join(&leader->holds, parties, false, sums ? s.leader : s.from, sums ? s.leader + 1 : s.to,
                          SIZE_MAX, err));
        MUST(parties_join(&leader->needs, parties, true, s.from, s.to, SIZE_MAX, err));
        if (s.to == parties->first[s.group + 1])
            parties_end_group(out);
    }
    return RWA_OK;
}

rwa_status parties_with_sums(struct parties *out, const struct parties *parties, rwa_error *err)
{
    MUST(parties_create(out, parties, parties->count, parties->groups, err));
    out->payload = PAYLOAD_SUM;
    out->sums = false;
    for (size_t g = 0; g < parties->groups; g++) {
        size_t from = parties->first[g], to = parties->first[g + 1];
        for (size_t i = from; i < to; i++)
            MUST(parties_join(&parties_add(out, parties->party[i].node)->holds, parties, false, from, to, SIZE_MAX,
                              err));
        parties_end_group(out);
    }
    return RWA_OK;
}
