/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The cheapest integer points, evenly loaded.
 *
 * There are T steps.  A slot is a step and a sign (a direction), numbered 0 … 2T-1 so that the two signs of a step are
 * opposite: T apart.  A point is then a multiset of slots without opposites.  Adding 1 to each slot, modulo 2T, rotates
 * the point into one of equal cost.  All rotations of a point together (its orbit) load all slots equally.  The
 * outermost sphere is rarely needed whole: whole orbits are taken from it, and at last some rotations of one point.
 * If k <= T, it is {0, 1, …, k-1}, in an order that tiles the circle of slots, so that the loads differ by at most one.
 */
#include "lattice/lattice_points.h"

#include "base/arena.h"
#include "base/arithmetic.h"
#include "lattice/spheres.h"

uint32_t lattice_point_cost(const struct coordinate *point)
{
    uint32_t cost = 0;
    for (; point->step > 0; point++)
        cost += (uint32_t)abs(point->hops);
    return cost;
}

struct point_choice {
    struct lattice_points *points;
    uint64_t most;          /* points wanted */
    uint32_t steps, cost;   /* of the outermost sphere */
    struct coordinate *now;       /* the point under construction; its last row entry stays 0 */
    uint64_t *slot;         /* a rotating point's slots, rising */
    uint64_t *last;         /* the slots of the point whose rotations are taken last */
    bool last_set;
    struct budget *budget;  /* NULL: none */
    uint32_t visits;        /* of points of the outermost sphere, between two questions to the budget */
    bool stopped;           /* by it: fewer points are kept */
};

uint32_t lattice_least_steps(uint32_t nodes, uint32_t channels, uint32_t drops, bool one_way)
{
    const uint64_t sides = one_way ? 1 : 2;
    uint32_t low = 1, high = nodes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct spheres all = {.steps = middle, .alone = sides * drops, .here = 1};
        if (spheres_cost(all, nodes) <= sides * channels * middle)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/** Return the largest cost (lattice_point_cost()) among the `nodes` cheapest lattice points of `steps` coordinates. */
static uint32_t outermost(uint32_t nodes, uint32_t steps)
{
    struct spheres s = spheres_of(steps, 1);
    uint64_t points = spheres_next(&s);
    while (points < nodes)
        points += spheres_next(&s);
    return (uint32_t)s.distance - 1;
}

static void keep(struct point_choice *c, const struct coordinate *point)
{
    struct lattice_points *p = c->points;
    if (p->count < c->most)
        memcpy(p->coordinate + p->count++ * p->width, point, p->width * sizeof *point);
}

/** Add to c->points all lattice points that begin with the first `used` coordinates of c->now and whose further
 * coordinates have absolute values of at most `budget` in all. */
static void keep_inner(struct point_choice *c, size_t used, uint32_t budget)
{
    uint32_t from = used > 0 ? c->now[used - 1].step + 1 : 1;
    keep(c, c->now);
    for (uint32_t t = from; t <= c->steps && budget > 0 && used < c->points->width; t++) {
        c->now[used].step = t;
        for (int32_t hops = 1; hops <= (int32_t)budget; hops++) {
            c->now[used].hops = hops;
            keep_inner(c, used + 1, budget - (uint32_t)hops);
            c->now[used].hops = -hops;
            keep_inner(c, used + 1, budget - (uint32_t)hops);
        }
        c->now[used] = (struct coordinate){0, 0};
    }
}

COMPARATOR(by_step, struct coordinate, UP(step))

/** Rotate a lattice point, and add it to c->points.  The point is given by its slots c->slot[0 … cost - 1]: steps with
 * a direction, of which there are 2T in T steps.  The rotation adds `rotation` to each slot, modulo 2T. */
static void keep_rotated(struct point_choice *c, uint64_t rotation)
{
    uint64_t circle = (uint64_t)2 * c->steps;
    size_t used = 0;
    memset(c->now, 0, c->points->width * sizeof *c->now);
    for (uint32_t i = 0; i < c->cost; i++) {
        uint64_t slot = (c->slot[i] + rotation) % circle;
        uint32_t step = (uint32_t)(slot % c->steps) + 1;
        int32_t sign = slot < c->steps ? 1 : -1;
        size_t at = 0;
        while (at < used && c->now[at].step != step)
            at++;
        used += at == used;
        c->now[at].step = step;
        c->now[at].hops += sign;
    }
    qsort(c->now, used, sizeof *c->now, by_step);
    keep(c, c->now);
    memset(c->now, 0, c->points->width * sizeof *c->now);
}

static uint64_t gap(const struct point_choice *c, uint32_t i)
{
    uint32_t next = i + 1 < c->cost ? i + 1 : 0;
    return next ? c->slot[next] - c->slot[i] : (uint64_t)2 * c->steps - c->slot[i];
}

/** Return the number of different rotations of the lattice point c->slot: a rotation adds the same number to each of
 *  its slots (a step and a direction).  Return 0 if the enumeration of points has visited one of these rotations
 *  before, so that they are taken only once. */
static uint64_t orbit_size(const struct point_choice *c)
{
    for (uint32_t shift = 1; shift < c->cost; shift++) {
        uint32_t i = 0;
        while (i < c->cost && gap(c, i) == gap(c, (i + shift) % c->cost))
            i++;
        if (i == c->cost)
            return c->slot[shift];
        if (gap(c, i) > gap(c, (i + shift) % c->cost))
            return 0;
    }
    return (uint64_t)2 * c->steps;
}

/** Tell whether c->last is set and equals the lattice point c->slot.  Of this point only some rotations are used: they
 * fill the rest of c->points. */
static bool is_last(const struct point_choice *c)
{
    return c->last_set && memcmp(c->slot, c->last, c->cost * sizeof *c->slot) == 0;
}

static uint64_t missing(const struct point_choice *c)
{
    assert(c->points->count <= c->most);
    return c->most - c->points->count;
}

static bool has_opposite(const struct point_choice *c, uint32_t used)
{
    for (uint32_t i = 0; i < used; i++)
        if (c->slot[used] - c->slot[i] == c->steps)
            return true;
    return false;
}

/** Add all rotations of the lattice point c->slot to c->points, if there is space for them.  Otherwise the point
 * becomes c->last, unless there is one already. */
static void keep_orbit(struct point_choice *c)
{
    uint64_t size = is_last(c) ? 0 : orbit_size(c);
    if (size <= missing(c)) {
        for (uint64_t rotation = 0; rotation < size; rotation++)
            keep_rotated(c, rotation);
    } else if (!c->last_set) {
        memcpy(c->last, c->slot, c->cost * sizeof *c->slot);
        c->last_set = true;
    }
}

/** Tell whether the caller has stopped the search.  Only every VISITS-th call polls the budget. */
static bool is_stopped(struct point_choice *c)
{
    enum { VISITS = 1 << 12 };
    if (c->budget && ++c->visits % VISITS == 0)
        c->stopped = c->stopped || (base_must_stop(c->budget, "broadcast trees", -1) && c->budget->cancelled);
    return c->stopped;
}

/** Add lattice points to c->points as long as there is space: those that begin with the first `used` slots (steps with
 * a direction) of c->slot, each with all its rotations. */
static void keep_orbits(struct point_choice *c, uint32_t used)
{
    uint64_t least = used > 1 ? c->slot[1] : 0;     /* no gap is smaller than the first */
    if (is_stopped(c))
        return;
    if (used == c->cost) {
        keep_orbit(c);
        return;
    }
    for (uint64_t h = c->slot[used - 1] + least; h < (uint64_t)2 * c->steps; h++) {
        c->slot[used] = h;
        if (c->stopped || missing(c) == 0 || (c->last_set && missing(c) < (uint64_t)2 * c->steps))
            return;
        if (!has_opposite(c, used))
            keep_orbits(c, used + 1);
    }
}

/** Return by how many slots to rotate the lattice point of the slots 0, 1, …, k-1, k = c->cost, when it is added for
 *  the i-th time, from 0. */
static uint64_t tiling_rotation(const struct point_choice *c, uint64_t i)
{
    uint64_t circle = (uint64_t)2 * c->steps, lap = circle / common_divisor(circle, c->cost);
    /* the slots behind those of the time before; each lap round the circle begins one slot later */
    return i / lap + i % lap * c->cost;
}

/** Return by how many slots to rotate the lattice point c->last when it is added for the i-th time, from 0.  `orbit` is
 *  the number of its different rotations. */
static uint64_t pairing_rotation(const struct point_choice *c, uint64_t i, uint64_t orbit)
{
    /* rotations T slots apart follow each other: both directions of a step get equal loads */
    return orbit == (uint64_t)2 * c->steps ? i / 2 + i % 2 * c->steps : i;
}

/** Fill the rest of c->points with rotations of the lattice point c->last. */
static void keep_last(struct point_choice *c)
{
    uint64_t count = missing(c);
    assert(count == 0 || c->last_set);
    memcpy(c->slot, c->last, c->cost * sizeof *c->slot);
    uint64_t orbit = orbit_size(c);
    for (uint64_t i = 0; i < count; i++)
        keep_rotated(c, c->cost <= c->steps ? tiling_rotation(c, i) : pairing_rotation(c, i, orbit));
}

/** Fill the rest of c->points with lattice points of the outermost sphere, all of which cost c->cost > 0. */
static void keep_outer(struct point_choice *c)
{
    if (c->cost <= c->steps) {
        for (uint32_t i = 0; i < c->cost; i++)
            c->last[i] = i;
        c->last_set = true;
    }
    c->slot[0] = 0;
    keep_orbits(c, 1);
    if (!c->stopped)
        keep_last(c);
}

rwa_status lattice_points_choose(struct lattice_points *out, uint32_t nodes, uint32_t steps, struct budget *budget,
                                 rwa_error *err)
{
    struct point_choice c = {.points = out, .most = nodes, .steps = steps, .budget = budget};
    struct arena scratch = {.err = err};
    rwa_status st = RWA_OK;
    memset(out, 0, sizeof *out);
    c.cost = outermost(nodes, steps);
    out->width = (c.cost < steps ? c.cost : steps) + (size_t)1;
    MUST(base_new(out->coordinate, nodes * out->width, err));
    arena_new(&scratch, c.now, out->width + 1);
    TRY(arena_arrays(&scratch, (size_t)c.cost + 1, c.slot, c.last));
    keep_inner(&c, 0, c.cost > 0 ? c.cost - 1 : 0);
    if (c.cost > 0)
        keep_outer(&c);
    assert(out->count == nodes || c.stopped);
    if (c.stopped)
        st = base_fail(err, RWA_CANCELLED, "planning was stopped at broadcast trees");
done:
    arena_free(&scratch);
    return st;
}
