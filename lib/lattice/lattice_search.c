/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Points under limits, by prices.  Every half (a step and a sign) has a price for a link crossed; points are taken in the
 * order of their price while the halves' room lasts.  When they are too few, prices rise where load is wanted beyond
 * the room and fall where it is not, and all begins again.
 *
 * A hop is as long as there are points beyond it: those that begin like its own and whose coordinate of its step has
 * its sign.  These sets are nested, and a point costs no less than the points it needs, so that taking the cheapest first
 * is exact but for the room (a greedy over a laminar family).  Without the room it therefore tells the least price
 * of all points, and when that exceeds what all rooms are worth no prices and no luck will help: impossible.
 */
#include "lattice/lattice_points.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 64 };

/** A point taken: what it adds to the point `before` (its last coordinate). */
struct spot {
    uint32_t before, head;      /* head: the first point taken in this half after `before` */
    uint32_t half, hops;
    uint32_t beyond;            /* of a head: points beyond the hop to it, itself included */
    double price;
};

/** A point that could be taken: one more hop than `before` in its half, or (fresh) a first hop in another. */
struct candidate {
    double price;
    uint32_t before;
    uint32_t rank;              /* fresh: place of the half among all, the cheapest first */
    bool fresh;
};

struct search {
    const struct point_limits *limits;
    uint32_t halves;
    double *price;              /* of each half: 2 (step - 1) + (sign < 0) */
    uint32_t *ranked;           /* halves with room, the cheapest first */
    uint32_t open;              /* how many those are */
    uint64_t *load;
    uint32_t *told;             /* points whose last step this is, from 0 */
    struct spot *spot;
    uint32_t taken;
    struct candidate *heap;
    size_t waiting, room;
    double sum;                 /* of the prices of the points taken */
    uint64_t random;
};

static uint32_t step_of(uint32_t half)
{
    return half / 2 + 1;
}

static bool is_before(const struct candidate *a, const struct candidate *b)
{
    if (a->price != b->price)
        return a->price < b->price;
    return a->before != b->before ? a->before < b->before : a->fresh < b->fresh;
}

static rwa_status push(struct search *s, const struct candidate *c, rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(base_grow((void **)&s->heap, &s->room, s->waiting + 1, sizeof *s->heap, err));
    size_t at = s->waiting++;
    for (; at > 0 && is_before(c, &s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = *c;
done:
    return st;
}

static struct candidate pop(struct search *s)
{
    struct candidate first = s->heap[0], moved = s->heap[--s->waiting];
    size_t at = 0;
    for (size_t child = 1; child < s->waiting; child = 2 * at + 1) {
        child += child + 1 < s->waiting && is_before(&s->heap[child + 1], &s->heap[child]);
        if (!is_before(&s->heap[child], &moved))
            break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = moved;
    return first;
}

/** The cheapest later half from `rank` on for a first hop after a point; none: nothing to do. */
static rwa_status push_fresh(struct search *s, uint32_t before, uint32_t rank, rwa_error *err)
{
    uint32_t step = before > 0 ? step_of(s->spot[before].half) : 0;
    while (rank < s->open && step_of(s->ranked[rank]) <= step)
        rank++;
    if (rank == s->open)
        return RWA_OK;
    struct candidate c = {s->spot[before].price + s->price[s->ranked[rank]], before, rank, true};
    return push(s, &c, err);
}

/** Links that so many hops of one node, step and direction take of a channel where they share lightpaths. */
static uint32_t shared(const struct search *s, uint32_t hops)
{
    return (hops + s->limits->drops - 1) / s->limits->drops;
}

/** One hop more is for nothing while the lightpath has readers to spare. */
static rwa_status push_more(struct search *s, uint32_t before, rwa_error *err)
{
    const struct spot *b = &s->spot[before];
    double more = shared(s, b->hops + 1) > shared(s, b->hops) ? s->price[b->half] : 0;
    struct candidate c = {b->price + more, before, 0, false};
    return push(s, &c, err);
}

static struct spot spot_of(const struct search *s, const struct candidate *c)
{
    const struct spot *b = &s->spot[c->before];
    if (c->fresh)
        return (struct spot){c->before, s->taken, s->ranked[c->rank], 1, 0, c->price};
    return (struct spot){b->before, b->head, b->half, b->hops + 1, 0, c->price};
}

/** Whether a hop would get too long, or (with `roomy` false) a half too full, or too many would be told in a step. */
static bool is_free(const struct search *s, const struct spot *new, bool roomy)
{
    const struct point_limits *l = s->limits;
    if (!roomy && l->told > 0 && s->told[new->half / 2] >= l->told)
        return false;
    for (const struct spot *p = new; p->hops > 0; p = &s->spot[p->before]) {
        if (p->head < s->taken && s->spot[p->head].beyond == l->max_hops)
            return false;
        if (!roomy && s->load[p->half] + shared(s, p->hops) > l->room[p->half])
            return false;
    }
    return true;
}

static rwa_status take(struct search *s, const struct spot *new, rwa_error *err)
{
    rwa_status st = RWA_OK;
    uint32_t at = s->taken++;
    s->spot[at] = *new;
    for (struct spot *p = &s->spot[at]; p->hops > 0; p = &s->spot[p->before]) {
        s->spot[p->head].beyond++;
        s->load[p->half] += shared(s, p->hops);
    }
    s->sum += new->price;
    s->told[new->half / 2] += at > 0;
    TRY(push_fresh(s, at, 0, err));
    if (at > 0)
        TRY(push_more(s, at, err));
done:
    return st;
}

/** Take the cheapest points until there are enough, or no more can be taken. */
static rwa_status fill(struct search *s, bool roomy, rwa_error *err)
{
    rwa_status st = RWA_OK;
    memset(s->load, 0, s->halves * sizeof *s->load);
    memset(s->told, 0, s->limits->steps * sizeof *s->told);
    s->taken = 0;
    s->waiting = 0;
    s->sum = 0;
    TRY(take(s, &(struct spot){0}, err)); /* the owner's own point */
    while (s->taken < s->limits->nodes && s->waiting > 0) {
        struct candidate c = pop(s);
        struct spot new = spot_of(s, &c);
        if (c.fresh)
            TRY(push_fresh(s, c.before, c.rank + 1, err));
        if (is_free(s, &new, roomy))
            TRY(take(s, &new, err));
    }
done:
    return st;
}

/** Heapsort would do; there are few halves whose order changes from round to round. */
static void rank_halves(struct search *s)
{
    for (uint32_t i = 1; i < s->open; i++) {
        uint32_t half = s->ranked[i], at = i;
        for (; at > 0 && s->price[s->ranked[at - 1]] > s->price[half]; at--)
            s->ranked[at] = s->ranked[at - 1];
        s->ranked[at] = half;
    }
}

static double uneven(struct search *s)
{
    return 1 + 0.01 * (double)base_random_below(&s->random, 1000) / 1000;
}

/** Prices follow the load that a fill without regard to room has put on each half; small differences break ties. */
static void move_prices(struct search *s, uint32_t round)
{
    double sum = 0, pace = 0.5 / (1 + 0.1 * round);
    for (uint32_t h = 0; h < s->halves; h++) {
        double room = s->limits->room[h] > 0 ? s->limits->room[h] : 0.5;
        double factor = 1 + pace * ((double)s->load[h] / room - 1);
        s->price[h] *= (factor < 2 ? factor : 2) * uneven(s);
        sum += s->price[h];
    }
    for (uint32_t h = 0; h < s->halves; h++)
        s->price[h] *= s->halves / sum;
    rank_halves(s);
}

/** What the rooms of all halves are worth, less the least price of all points: negative when they cannot fit. */
static double slack(const struct search *s)
{
    double worth = 0;
    for (uint32_t h = 0; h < s->halves; h++)
        worth += s->price[h] * s->limits->room[h];
    return worth - s->sum;
}

static uint32_t coordinates(const struct search *s, uint32_t at)
{
    uint32_t count = 0;
    for (const struct spot *p = &s->spot[at]; p->hops > 0; p = &s->spot[p->before])
        count++;
    return count;
}

static rwa_status write_points(struct lattice_points *out, const struct search *s, rwa_error *err)
{
    out->width = 1;
    for (uint32_t i = 0; i < s->taken; i++)
        out->width = coordinates(s, i) + 1 > out->width ? coordinates(s, i) + (size_t)1 : out->width;
    out->coordinate = base_array(s->taken * out->width, sizeof *out->coordinate, err);
    if (!out->coordinate)
        return RWA_NOMEM;
    out->count = s->taken;
    for (uint32_t i = 0; i < s->taken; i++) {
        struct coordinate *end = out->coordinate + i * out->width + coordinates(s, i);
        for (const struct spot *p = &s->spot[i]; p->hops > 0; p = &s->spot[p->before])
            *--end = (struct coordinate){step_of(p->half), p->half % 2 == 0 ? (int32_t)p->hops : -(int32_t)p->hops};
    }
    return RWA_OK;
}

static rwa_status create(struct search *s, const struct point_limits *limits, uint64_t seed, rwa_error *err)
{
    *s = (struct search){.limits = limits, .halves = 2 * limits->steps, .random = seed};
    s->price = base_array(s->halves, sizeof *s->price, err);
    s->ranked = base_array(s->halves, sizeof *s->ranked, err);
    s->load = base_array(s->halves, sizeof *s->load, err);
    s->told = base_array(limits->steps, sizeof *s->told, err);
    s->spot = base_array((size_t)limits->nodes + 1, sizeof *s->spot, err);
    if (!s->price || !s->ranked || !s->load || !s->told || !s->spot)
        return RWA_NOMEM;
    for (uint32_t h = 0; h < s->halves; h++) {
        s->price[h] = uneven(s);
        if (limits->room[h] > 0)
            s->ranked[s->open++] = h;
    }
    rank_halves(s);
    return RWA_OK;
}

rwa_status lattice_points_search(struct lattice_points *out, const struct point_limits *limits, uint64_t seed, struct budget *budget,
                         rwa_error *err)
{
    struct search s;
    rwa_status st = create(&s, limits, seed, err);
    memset(out, 0, sizeof *out);
    if (st != RWA_OK)
        goto done;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        if (base_must_stop(budget, "spreading", (double)round / ROUNDS)) {
            if (budget->cancelled)
                st = base_fail(err, RWA_CANCELLED, "planning was stopped at a wavefront of %u steps", limits->steps);
            break;
        }
        TRY(fill(&s, false, err));
        if (s.taken == limits->nodes) {
            st = write_points(out, &s, err);
            break;
        }
        TRY(fill(&s, true, err));
        if (s.taken < limits->nodes || slack(&s) < -1e-6 * limits->nodes)
            break;
        move_prices(&s, round);
    }
done:
    free(s.price);
    free(s.ranked);
    free(s.load);
    free(s.told);
    free(s.spot);
    free(s.heap);
    return st;
}
