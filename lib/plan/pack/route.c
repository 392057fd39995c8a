/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Choose the direction of each transfer round a ring. */
#include "plan/pack/pack.h"

#include "routing/exchange.h"

static uint32_t rank_of(const struct transfers *s, uint32_t node)
{
    return base_mapped(s->rank_of, node);
}

static rwa_direction direction_of(const struct transfers *s, size_t i, uint32_t *known)
{
    rwa_direction dir = s->dst[i] > s->src[i] ? RWA_CW : RWA_CCW;
    if (s->direction)
        return (rwa_direction)s->direction[i];
    if (s->ranks)
        exchange_assign(s->ranks, s->copies, rank_of(s, s->src[i]), rank_of(s, s->dst[i]), s->copy ? s->copy[i] : 0,
                        &dir, known);
    return dir;
}

static void swap_transfers(struct coloured *c, size_t a, size_t b)
{
    struct transfers *s = &c->t;
    uint32_t *words[] = {s->src, s->dst, s->block, s->colour, c->known};
    uint8_t *bytes[] = {s->direction, s->early};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k]) {
            uint32_t kept = words[k][a];
            words[k][a] = words[k][b];
            words[k][b] = kept;
        }
    for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++)
        if (bytes[k]) {
            uint8_t kept = bytes[k][a];
            bytes[k][a] = bytes[k][b];
            bytes[k][b] = kept;
        }
}

rwa_status route_stage(struct coloured *c)
{
    struct transfers *s = &c->t;
    uint32_t colour = 0;
    bool constructed = s->ranks && !s->direction;
    c->clockwise = 0;
    if (constructed)
        MUST(arena_arrays(&s->memory, s->count, c->known));
    for (size_t i = 0; i < s->count; i++) {
        rwa_direction dir = direction_of(s, i, &colour);
        if (c->known)
            c->known[i] = colour;
        if (dir == RWA_CW)
            swap_transfers(c, i, c->clockwise++);
    }
    return RWA_OK;
}
