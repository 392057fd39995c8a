/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Every owner has the inner spheres and some points of the outermost one.  A random walk exchanges one such point of one
 * owner at a time, and undoes what puts more load where there is no room, but for a rare exception.  When that leads
 * nowhere it begins afresh, every other time with owners i and N-i bound to mirror each other: a smaller space, which
 * holds a solution more often than not.
 */
#include "delivery/per_owner_trees.h"

#include <stdlib.h>
#include <string.h>

/* Channels that are not found cost as much time as that many moves. */
enum { STALL = 50000, BETWEEN_POLLS = 1024, COLOURING = 1000, SPHERE_MOST = 1 << 16 };

struct walk {
    struct owner_trees *out;
    uint32_t nodes, channels, steps, cost;
    struct lattice_points base;             /* of a wave: its inner points come first */
    struct lattice_points sphere;           /* all points of the outermost sphere; point i ^ 1 is the mirror image of i */
    uint32_t inner, outer;          /* points of a wave */
    uint32_t *chosen;               /* of each owner: `outer` points of the sphere */
    uint32_t *load;                 /* of each group and link; groups as half numbers */
    uint32_t over;                  /* load beyond the channels, all links together */
    bool mirrored;
    const struct coordinate **point;      /* scratch of `nodes` entries */
    uint32_t *stack;
    uint32_t *start, *length, *order, *colour, *place; /* arcs of one group */
    uint64_t random;
};

uint32_t point_cost(const struct coordinate *point)
{
    uint32_t cost = 0;
    for (; point->step > 0; point++)
        cost += (uint32_t)abs(point->hops);
    return cost;
}

/** A point and its mirror image; only counted without room. */
static void list_pair(struct lattice_points *sphere, const struct coordinate *point)
{
    struct coordinate *at = sphere->coordinate ? sphere->coordinate + sphere->count * sphere->width : NULL;
    sphere->count += 2;
    for (size_t i = 0; at && i < sphere->width; i++) {
        at[i] = point[i];
        at[sphere->width + i] = (struct coordinate){point[i].step, -point[i].hops};
    }
}

/** All points of the outermost sphere that begin like the first `used` parts of `now`. */
static void list_sphere(struct walk *w, struct coordinate *now, size_t used, uint32_t budget)
{
    if (budget == 0) {
        list_pair(&w->sphere, now);
        return;
    }
    for (uint32_t t = used > 0 ? now[used - 1].step + 1 : 1; t <= w->steps && w->sphere.count < SPHERE_MOST; t++)
        for (uint32_t hops = 1; hops <= budget; hops++)
            for (int32_t sign = 1; sign >= (used > 0 ? -1 : 1); sign -= 2) {
                now[used] = (struct coordinate){t, sign * (int32_t)hops};
                list_sphere(w, now, used + 1, budget - hops);
                now[used] = (struct coordinate){0, 0};
            }
}

static rwa_status create_sphere(struct walk *w, rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(lattice_points_choose(&w->base, w->nodes, w->steps, err));
    w->cost = point_cost(w->base.coordinate + (w->base.count - 1) * w->base.width);
    while (point_cost(w->base.coordinate + w->inner * w->base.width) < w->cost)
        w->inner++;
    w->outer = w->nodes - w->inner;
    w->sphere.width = w->base.width;
    struct coordinate *now = base_array(w->sphere.width + 1, sizeof *now, err);
    if (!now)
        return RWA_NOMEM;
    list_sphere(w, now, 0, w->cost);
    w->sphere.coordinate = base_array(w->sphere.count * w->sphere.width, sizeof *w->sphere.coordinate, err);
    w->sphere.count = 0;
    if (w->sphere.coordinate)
        list_sphere(w, now, 0, w->cost);
    free(now);
    st = w->sphere.coordinate ? RWA_OK : RWA_NOMEM;
done:
    return st;
}

static rwa_status create(struct walk *w, rwa_error *err)
{
    size_t n = w->nodes, groups = (size_t)2 * w->steps;
    rwa_status st = RWA_OK;
    TRY(create_sphere(w, err));
    w->chosen = base_array(n * w->outer, sizeof *w->chosen, err);
    w->load = base_array(groups * n, sizeof *w->load, err);
    w->point = base_array(n, sizeof *w->point, err);
    w->stack = base_array(n, sizeof *w->stack, err);
    uint32_t **arcs[] = {&w->start, &w->length, &w->order, &w->colour, &w->place};
    for (size_t i = 0; i < 5; i++) {
        *arcs[i] = base_array(n * n, sizeof **arcs[i], err);
        st = *arcs[i] ? st : RWA_NOMEM;
    }
    w->out->channel = base_array(n * n, sizeof *w->out->channel, err);
    w->out->wave = base_array(n, sizeof *w->out->wave, err);
    if (!w->chosen || !w->load || !w->point || !w->stack || !w->out->channel || !w->out->wave)
        st = RWA_NOMEM;
    TRY(st);
    for (uint32_t i = 0; i < n; i++)
        TRY(wave_create(&w->out->wave[i], w->nodes, w->steps, err));
done:
    return st;
}

static void destroy(struct walk *w)
{
    free(w->base.coordinate);
    free(w->sphere.coordinate);
    free(w->chosen);
    free(w->load);
    free(w->point);
    free(w->stack);
    free(w->start);
    free(w->length);
    free(w->order);
    free(w->colour);
    free(w->place);
}

static uint32_t group_of(const struct wave *wave, uint32_t v)
{
    return 2 * (wave->step[v] - 1) + wave->direction[v];
}

/** Where the route of an owner's hop begins, seen clockwise. */
static uint32_t first_link(const struct walk *w, uint32_t owner, uint32_t v)
{
    const struct wave *wave = &w->out->wave[owner];
    return (owner + (wave->direction[v] == RWA_CW ? wave->from[v] : v)) % w->nodes;
}

/** Count an owner's hops into the load (by 1) or out of it (by -1). */
static void count_wave(struct walk *w, uint32_t owner, int by)
{
    const struct wave *wave = &w->out->wave[owner];
    for (uint32_t v = 1; v < w->nodes; v++) {
        uint32_t *row = w->load + (size_t)group_of(wave, v) * w->nodes;
        uint32_t hops = wave_hops(wave, v), link = first_link(w, owner, v);
        for (uint32_t i = 0; i < hops; i++, link = link + 1 == w->nodes ? 0 : link + 1) {
            if (by > 0)
                w->over += ++row[link] > w->channels;
            else
                w->over -= row[link]-- > w->channels;
        }
    }
}

static void lay_owner(struct walk *w, uint32_t owner)
{
    for (uint32_t i = 0; i < w->inner; i++)
        w->point[i] = w->base.coordinate + i * w->base.width;
    for (uint32_t i = 0; i < w->outer; i++)
        w->point[w->inner + i] = w->sphere.coordinate + w->chosen[owner * w->outer + i] * w->sphere.width;
    wave_arrange(&w->out->wave[owner], w->point, w->stack);
}

static bool has_chosen(const struct walk *w, uint32_t owner, uint32_t count, uint32_t point)
{
    for (uint32_t i = 0; i < count; i++)
        if (w->chosen[owner * w->outer + i] == point)
            return true;
    return false;
}

/** The owner bound to this one, or itself. */
static uint32_t partner(const struct walk *w, uint32_t owner)
{
    return w->mirrored ? (w->nodes - owner) % w->nodes : owner;
}

static void choose(struct walk *w, uint32_t owner)
{
    uint32_t *own = w->chosen + owner * w->outer, other = partner(w, owner);
    for (uint32_t i = 0; i < w->outer;) {
        uint32_t point = (uint32_t)base_random_below(&w->random, w->sphere.count);
        if (other < owner)
            own[i] = w->chosen[other * w->outer + i] ^ 1, i++;
        else if (!has_chosen(w, owner, i, point))
            own[i++] = point;
    }
}

static void begin(struct walk *w)
{
    memset(w->load, 0, (size_t)2 * w->steps * w->nodes * sizeof *w->load);
    w->over = 0;
    w->mirrored = !w->mirrored;
    for (uint32_t owner = 0; owner < w->nodes; owner++) {
        choose(w, owner);
        lay_owner(w, owner);
        count_wave(w, owner, 1);
    }
}

static void exchange_one(struct walk *w, uint32_t owner, uint32_t which, uint32_t point)
{
    count_wave(w, owner, -1);
    w->chosen[owner * w->outer + which] = point;
    lay_owner(w, owner);
    count_wave(w, owner, 1);
}

static void exchange(struct walk *w, uint32_t owner, uint32_t which, uint32_t point)
{
    exchange_one(w, owner, which, point);
    if (partner(w, owner) != owner)
        exchange_one(w, partner(w, owner), which, point ^ 1);
}

static void wander(struct walk *w)
{
    uint32_t owner = (uint32_t)base_random_below(&w->random, w->nodes), before = w->over;
    uint32_t which = (uint32_t)base_random_below(&w->random, w->outer), old = w->chosen[owner * w->outer + which];
    uint32_t point = (uint32_t)base_random_below(&w->random, w->sphere.count);
    uint32_t worse = partner(w, owner) != owner ? 2 : 1;
    if (has_chosen(w, owner, w->outer, point))
        return;
    exchange(w, owner, which, point);
    if (w->over > before && (w->over > before + worse || base_random_below(&w->random, 250) > 0))
        exchange(w, owner, which, old);
}

/** Channels for all lightpaths of one step and direction. */
static bool colour_group(struct walk *w, uint32_t group)
{
    size_t count = 0;
    for (uint32_t owner = 0; owner < w->nodes; owner++)
        for (uint32_t v = 1; v < w->nodes; v++)
            if (group_of(&w->out->wave[owner], v) == group) {
                w->place[count] = owner * w->nodes + v;
                w->start[count] = first_link(w, owner, v);
                w->length[count++] = wave_hops(&w->out->wave[owner], v);
            }
    if (!arcs_colour(w->colour, w->start, w->length, count, w->nodes, w->channels, w->order))
        return false;
    for (size_t i = 0; i < count; i++)
        w->out->channel[w->place[i]] = w->colour[i];
    return true;
}

static bool colour(struct walk *w)
{
    for (uint32_t g = 0; g < 2 * w->steps; g++)
        if (!colour_group(w, g))
            return false;
    return true;
}

static rwa_status walk(struct walk *w, bool *found, uint64_t moves, struct budget *budget, rwa_error *err)
{
    uint32_t least = UINT32_MAX, stall = 0;
    uint64_t next_poll = 0;
    for (uint64_t i = 0; i < moves && !*found; i++) {
        if (i >= next_poll && base_must_stop(budget, "mixing waves", (double)i / (double)moves))
            return budget->cancelled ? base_fail(err, RWA_CANCELLED, "planning was stopped while waves were mixed") : RWA_OK;
        next_poll = i / BETWEEN_POLLS * BETWEEN_POLLS + BETWEEN_POLLS;
        if (i == 0 || stall++ > STALL) {
            begin(w);
            least = UINT32_MAX;
        }
        wander(w);
        stall = w->over < least ? 0 : stall;
        least = w->over < least ? w->over : least;
        if (w->over > 0)
            continue;
        *found = colour(w);
        i += COLOURING;
        stall += COLOURING;
    }
    return RWA_OK;
}

/** Rings up to 16 nodes get the effort that solves all of them up to 4 channels. */
static uint64_t effort(uint32_t nodes)
{
    return ((uint64_t)1 << (nodes <= 16 ? 26 : 20)) / nodes;
}

rwa_status owner_trees_find(struct owner_trees *out, uint32_t nodes, uint32_t channels, uint32_t steps, uint64_t seed,
                      struct budget *budget, rwa_error *err)
{
    struct walk w = {.out = out, .nodes = nodes, .channels = channels, .steps = steps, .random = seed};
    bool found = false;
    rwa_status st = RWA_OK;
    *out = (struct owner_trees){.nodes = nodes, .steps = steps};
    TRY(create(&w, err));
    if (w.sphere.count < SPHERE_MOST && w.sphere.count > w.outer)
        TRY(walk(&w, &found, effort(nodes), budget, err));
done:
    destroy(&w);
    if (!found)
        owner_trees_free(out);
    return st;
}

void owner_trees_free(struct owner_trees *m)
{
    for (uint32_t i = 0; m->wave && i < m->nodes; i++)
        wave_free(&m->wave[i]);
    free(m->wave);
    free(m->channel);
    memset(m, 0, sizeof *m);
}
