/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Points under limits, by prices.  Every slot (a step and a sign) has a price for each link crossed.  Points are
 * taken by ascending price while the slots have capacity.  If they are too few, prices rise in slots that would be
 * overloaded and fall in the others, and the search begins again.
 *
 * Let a lightpath extend point p by a first hop in slot s.  It crosses as many links as there are points that begin
 * with p and continue in slot s.  These sets of points are nested, and a point costs no less than the points it
 * needs, so that taking the cheapest first is exact but for the capacity (a greedy over a laminar family).  Without
 * the capacity it yields the least total price of all points.  If that exceeds the price of all capacity, no points
 * fit.
 */
#include "base/arena.h"
#include "lattice/lattice_points.h"

enum { ROUNDS = 64 };

/** A point that was taken.  It differs from the point `before` in its last coordinate, which is stored here. */
struct lattice_node {
    uint32_t before, head;      /* head: the first point taken in this slot after `before` */
    uint32_t slot, hops;
    uint32_t beyond;            /* of a head: points beyond the hop to it, itself included */
    double price;
};

/** A point that could be taken: one more hop than `before` in the same slot (step and direction), or, if fresh, a first
 *  hop in another slot. */
struct lattice_candidate {
    double price;
    uint32_t before;
    uint32_t rank;              /* fresh: place of the slot among all, the cheapest first */
    bool fresh;
};

struct lattice_search {
    const struct spread_limits *limits;
    const uint32_t *capacity;   /* most load of each slot */
    uint32_t slots;
    struct arena memory;        /* of the arrays but the heap */
    double *price;              /* of each slot: 2 (step - 1) + (sign < 0) */
    uint32_t *ranked;           /* slots with capacity, the cheapest first */
    uint32_t open;              /* how many those are */
    uint64_t *load;
    uint32_t *receivers;        /* points whose last step this is, from 0 */
    struct lattice_node *node;
    uint32_t taken;
    struct lattice_candidate *heap;
    size_t waiting;
    double sum;                 /* of the prices of the points taken */
    uint64_t random;
};

static uint32_t step_of(uint32_t slot)
{
    return slot / 2 + 1;
}

static bool is_before(const struct lattice_candidate *a, const struct lattice_candidate *b)
{
    if (a->price != b->price)
        return a->price < b->price;
    return a->before != b->before ? a->before < b->before : a->fresh < b->fresh;
}

HEAP(candidates, struct lattice_candidate, is_before)

/** Push a candidate on the heap: the lattice point `before` (an index in s->node), extended by a first hop in a later
 *  step.  The hop is in the cheapest slot (step and direction) of the later steps, from place `rank` of s->ranked on.
 *  If there is none, push nothing. */
static rwa_status push_fresh(struct lattice_search *s, uint32_t before, uint32_t rank, rwa_error *err)
{
    uint32_t step = before > 0 ? step_of(s->node[before].slot) : 0;
    while (rank < s->open && step_of(s->ranked[rank]) <= step)
        rank++;
    if (rank == s->open)
        return RWA_OK;
    struct lattice_candidate c = {s->node[before].price + s->price[s->ranked[rank]], before, rank, true};
    return candidates_push(&s->heap, &s->waiting, c, err);
}

/** Return the channels of a link that `hops` deliveries take in one step and direction: ceil(hops / K), since
 * lightpaths have up to K = s->limits->drops receivers. */
static uint32_t shared(const struct lattice_search *s, uint32_t hops)
{
    return (hops + s->limits->drops - 1) / s->limits->drops;
}

/** Push a candidate on the heap: the lattice point `before` with one more hop in its last step and direction.  The hop
 *  costs nothing if it only adds a receiver to a lightpath that can have more; else the price of that step and
 *  direction. */
static rwa_status push_more(struct lattice_search *s, uint32_t before, rwa_error *err)
{
    const struct lattice_node *b = &s->node[before];
    double more = shared(s, b->hops + 1) > shared(s, b->hops) ? s->price[b->slot] : 0;
    struct lattice_candidate c = {b->price + more, before, 0, false};
    return candidates_push(&s->heap, &s->waiting, c, err);
}

static struct lattice_node node_of(const struct lattice_search *s, const struct lattice_candidate *c)
{
    const struct lattice_node *b = &s->node[c->before];
    if (c->fresh)
        return (struct lattice_node){c->before, s->taken, s->ranked[c->rank], 1, 0, c->price};
    return (struct lattice_node){b->before, b->head, b->slot, b->hops + 1, 0, c->price};
}

/** Tell whether the lattice point `new` can be taken.  No lightpath may get longer than s->limits->max_hops.  Unless
 * `unlimited`, no step and direction may exceed its capacity, and no node may receive more lightpaths in a step than
 * it has ports. */
static bool is_free(const struct lattice_search *s, const struct lattice_node *new, bool unlimited)
{
    const struct spread_limits *l = s->limits;
    if (!unlimited && l->ports > 0 && s->receivers[new->slot / 2] >= l->ports)
        return false;
    for (const struct lattice_node *p = new; p->hops > 0; p = &s->node[p->before]) {
        if (p->head < s->taken && s->node[p->head].beyond == l->max_hops)
            return false;
        if (!unlimited && s->load[p->slot] + shared(s, p->hops) > s->capacity[p->slot])
            return false;
    }
    return true;
}

static rwa_status take(struct lattice_search *s, const struct lattice_node *new, rwa_error *err)
{
    uint32_t at = s->taken++;
    assert(at < s->limits->nodes && new->before <= at);
    s->node[at] = *new;
    for (struct lattice_node *p = &s->node[at]; p->hops > 0; p = &s->node[p->before]) {
        s->node[p->head].beyond++;
        s->load[p->slot] += shared(s, p->hops);
    }
    s->sum += new->price;
    s->receivers[new->slot / 2] += at > 0;
    MUST(push_fresh(s, at, 0, err));
    if (at > 0)
        MUST(push_more(s, at, err));
    return RWA_OK;
}

/** Take the cheapest lattice points within s->limits, until as many points are taken as there are nodes, or no
 * candidate is left.  `unlimited` ignores capacity and ports, but not the limit on hops. */
static rwa_status fill(struct lattice_search *s, bool unlimited, rwa_error *err)
{
    memset(s->load, 0, s->slots * sizeof *s->load);
    memset(s->receivers, 0, s->slots / 2 * sizeof *s->receivers);
    s->taken = 0;
    s->waiting = 0;
    s->sum = 0;
    MUST(take(s, &(struct lattice_node){0}, err)); /* the owner's own point */
    while (s->taken < s->limits->nodes && s->waiting > 0) {
        struct lattice_candidate c = candidates_pop(s->heap, &s->waiting);
        struct lattice_node new = node_of(s, &c);
        if (c.fresh)
            MUST(push_fresh(s, c.before, c.rank + 1, err));
        if (is_free(s, &new, unlimited))
            MUST(take(s, &new, err));
    }
    return RWA_OK;
}

/** Sort the slots (steps with a direction) by price.  Insertion sort is quick enough: only few slots change their order
 *  from round to round. */
static void rank_slots(struct lattice_search *s)
{
    for (uint32_t i = 1; i < s->open; i++) {
        uint32_t slot = s->ranked[i], at = i;
        for (; at > 0 && s->price[s->ranked[at - 1]] > s->price[slot]; at--)
            s->ranked[at] = s->ranked[at - 1];
        s->ranked[at] = slot;
    }
}

/** Return a random factor from 1 to 1.01, so that prices that would be equal differ. */
static double uneven(struct lattice_search *s)
{
    enum { SHADES = 1000 };
    return 1 + 0.01 * (double)base_random_below(&s->random, SHADES) / SHADES;
}

/** Adapt the prices of the slots (steps with a direction) to the loads that they get if capacity is ignored: raise the
 *  price of overloaded slots, lower the others.  The later the round, from 0, the smaller the changes. */
static void move_prices(struct lattice_search *s, uint32_t round)
{
    double sum = 0, rate = 0.5 / (1 + 0.1 * round);
    for (uint32_t h = 0; h < s->slots; h++) {
        double capacity = s->capacity[h] > 0 ? s->capacity[h] : 0.5;
        double factor = 1 + rate * ((double)s->load[h] / capacity - 1);
        s->price[h] *= (factor < 2 ? factor : 2) * uneven(s);
        sum += s->price[h];
    }
    for (uint32_t h = 0; h < s->slots; h++)
        s->price[h] *= s->slots / sum;
    rank_slots(s);
}

/** Return the price of the capacity of all steps and directions minus the price of the lattice points taken.  If these
 *  were taken without regard to capacity and the result is negative, no points fit the capacity. */
static double slack(const struct lattice_search *s)
{
    double worth = 0;
    for (uint32_t h = 0; h < s->slots; h++)
        worth += s->price[h] * s->capacity[h];
    return worth - s->sum; /* points that fit cost at least s->sum and at most all capacity */
}

static uint32_t coordinates(const struct lattice_search *s, uint32_t at)
{
    uint32_t count = 0;
    for (const struct lattice_node *p = &s->node[at]; p->hops > 0; p = &s->node[p->before])
        count++;
    return count;
}

static rwa_status write_points(struct lattice_points *out, const struct lattice_search *s, rwa_error *err)
{
    out->width = 1;
    for (uint32_t i = 0; i < s->taken; i++)
        RAISE(out->width, coordinates(s, i) + (size_t)1);
    MUST(base_new(out->coordinate, s->taken * out->width, err));
    out->count = s->taken;
    for (uint32_t i = 0; i < s->taken; i++) {
        struct coordinate *end = out->coordinate + i * out->width + coordinates(s, i);
        for (const struct lattice_node *p = &s->node[i]; p->hops > 0; p = &s->node[p->before])
            *--end = (struct coordinate){step_of(p->slot), p->slot % 2 == 0 ? (int32_t)p->hops : -(int32_t)p->hops};
    }
    return RWA_OK;
}

static rwa_status create(struct lattice_search *s, const struct spread_limits *limits, uint32_t steps,
                         const uint32_t *capacity, rwa_error *err)
{
    *s = (struct lattice_search){.limits = limits, .capacity = capacity, .slots = 2 * steps, .random = limits->seed,
                                 .memory = {.err = err}};
    arena_arrays(&s->memory, s->slots, s->price, s->ranked, s->load);
    arena_new(&s->memory, s->receivers, steps);
    MUST(arena_arrays(&s->memory, (size_t)limits->nodes + 1, s->node));
    for (uint32_t h = 0; h < s->slots; h++) {
        s->price[h] = uneven(s);
        if (capacity[h] > 0)
            s->ranked[s->open++] = h;
    }
    rank_slots(s);
    return RWA_OK;
}

rwa_status lattice_points_search(struct lattice_points *out, const struct spread_limits *limits, uint32_t steps,
                                 const uint32_t *capacity, struct budget *budget, rwa_error *err)
{
    struct lattice_search s;
    rwa_status st = create(&s, limits, steps, capacity, err);
    memset(out, 0, sizeof *out);
    TRY(st);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        if (base_must_stop(budget, "broadcast trees", (double)round / ROUNDS)) {
            if (budget->cancelled)
                st = base_fail(err, RWA_CANCELLED, "planning was stopped at broadcast trees of %u steps", steps);
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
    free(s.heap);
    arena_free(&s.memory);
    return st;
}
