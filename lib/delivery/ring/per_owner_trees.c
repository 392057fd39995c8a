/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Each owner's tree consists of all lattice points of the inner spheres, which cost least, and some points of the
 * outermost sphere.  A random walk exchanges one such point of one owner at a time.  Moves that put more load on full
 * links are undone, with rare exceptions.  If the walk makes no progress it begins again.  Every other time owners i
 * and N-i are bound to mirror each other: that space is smaller, and holds a solution more often than not. */
#include "delivery/ring/per_owner_trees.h"

#include "delivery/ring/broadcast_tree.h"
#include "base/arena.h"
#include "delivery/congestion.h"
#include "rwa/network.h"
#include "solvers/solver.h"

/** STALL: moves without fewer crowded links after which a walk begins again.  COLOURING: moves that take as long as a
 * failed search for channels.  RARELY: one in so many moves is kept that crowds one more link (with mirrored owners
 * two). */
enum { STALL = 50000, COLOURING = 1000, RARELY = 250 };
enum { BETWEEN_POLLS = 1024, SPHERE_MOST = 1 << 16 };

struct owner_walk {
    struct delivery_tree *out;
    uint32_t nodes, channels, steps, cost;
    struct lattice_points base;     /* of a template: its inner points come first */
    struct lattice_points sphere;   /* all points of the outermost sphere; point i ^ 1 is the mirror image of i */
    uint32_t inner, outer;          /* points of a tree */
    uint32_t *chosen;               /* of each owner: `outer` points of the sphere */
    struct congestion load;
    bool mirrored;
    const struct coordinate **point;        /* scratch of `nodes` entries */
    uint32_t *stack;
    uint32_t *start, *end, *colour, *place; /* arcs of one slot */
    struct arena memory;        /* of the arrays from `chosen` on */
    uint64_t random;
};

/** Append a lattice point and its mirror image, with all directions reversed, to the sphere.  If sphere->coordinate is
 * NULL, only raise sphere->count by 2. */
static void list_pair(struct lattice_points *sphere, const struct coordinate *point)
{
    struct coordinate *at = sphere->coordinate ? lattice_point(sphere, sphere->count) : NULL;
    sphere->count += 2;
    for (size_t i = 0; at && i < sphere->width; i++) {
        at[i] = point[i];
        at[sphere->width + i] = (struct coordinate){point[i].step, -point[i].hops};
    }
}

/** Add to w->sphere all lattice points that begin with the first `used` coordinates of `now` and whose further
 * coordinates add `budget` to the cost. */
static void list_sphere(struct owner_walk *w, struct coordinate *now, size_t used, uint32_t budget)
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

static rwa_status create_sphere(struct owner_walk *w, rwa_error *err)
{
    MUST(lattice_points_choose(&w->base, w->nodes, w->steps, NULL, err));
    w->cost = lattice_point_cost(lattice_point(&w->base, w->base.count - 1));
    while (lattice_point_cost(lattice_point(&w->base, w->inner)) < w->cost)
        w->inner++;
    w->outer = w->nodes - w->inner;
    w->sphere.width = w->base.width;
    struct coordinate *now;
    MUST(base_new(now, w->sphere.width + 1, err));
    list_sphere(w, now, 0, w->cost);
    rwa_status st = base_new(w->sphere.coordinate, w->sphere.count * w->sphere.width, err);
    w->sphere.count = 0;
    if (st == RWA_OK)
        list_sphere(w, now, 0, w->cost);
    free(now);
    return st;
}

static rwa_status create(struct owner_walk *w, rwa_error *err)
{
    size_t n = w->nodes;
    MUST(create_sphere(w, err));
    MUST(congestion_create(&w->load, (size_t)2 * w->steps, w->nodes, w->channels, err));
    MUST(delivery_tree_create(w->out, w->nodes, w->nodes, w->steps, err));
    w->memory.err = err;
    arena_new(&w->memory, w->chosen, n * w->outer);
    arena_arrays(&w->memory, n, w->point, w->stack);
    return arena_arrays(&w->memory, n * n, w->start, w->end, w->colour, w->place);
}

static void destroy(struct owner_walk *w)
{
    free_all(w->base.coordinate, w->sphere.coordinate);
    congestion_free(&w->load);
    arena_free(&w->memory);
}

/** Return the first link, in clockwise order, of the route by which the node at offset v from an owner receives the
 * owner's block. */
static uint32_t first_link(const struct owner_walk *w, uint32_t owner, uint32_t v)
{
    const struct delivery *d = &delivery_tree_row(w->out, owner)[v];
    return (owner + (d->way == RWA_CW ? d->from : v)) % w->nodes;
}

/** Add the lightpaths of an owner's tree to the loads of the links (in), or subtract them (not in). */
static void count_tree(struct owner_walk *w, uint32_t owner, bool in)
{
    const struct delivery *row = delivery_tree_row(w->out, owner);
    for (uint32_t v = 1; v < w->nodes; v++)
        if (in)
            congestion_add(&w->load, delivery_slot(&row[v], 2), first_link(w, owner, v), row[v].links);
        else
            congestion_remove(&w->load, delivery_slot(&row[v], 2), first_link(w, owner, v), row[v].links);
}

static void place_owner(struct owner_walk *w, uint32_t owner)
{
    for (uint32_t i = 0; i < w->inner; i++)
        w->point[i] = lattice_point(&w->base, i);
    for (uint32_t i = 0; i < w->outer; i++)
        w->point[w->inner + i] = lattice_point(&w->sphere, w->chosen[owner * w->outer + i]);
    broadcast_tree_arrange(delivery_tree_row(w->out, owner), w->nodes, w->point, w->stack);
}

static bool has_chosen(const struct owner_walk *w, uint32_t owner, uint32_t count, uint32_t point)
{
    for (uint32_t i = 0; i < count; i++)
        if (w->chosen[owner * w->outer + i] == point)
            return true;
    return false;
}

/** Return the owner whose tree is the mirror image of the tree of `owner`, or `owner` itself if trees are not
 * mirrored. */
static uint32_t partner(const struct owner_walk *w, uint32_t owner)
{
    return w->mirrored ? (w->nodes - owner) % w->nodes : owner;
}

static void choose(struct owner_walk *w, uint32_t owner)
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

static void begin(struct owner_walk *w)
{
    memset(w->load.load, 0, w->load.slots * w->load.links * sizeof *w->load.load);
    w->load.over = 0;
    w->mirrored = !w->mirrored;
    for (uint32_t owner = 0; owner < w->nodes; owner++) {
        choose(w, owner);
        place_owner(w, owner);
        count_tree(w, owner, true);
    }
}

static void exchange_one(struct owner_walk *w, uint32_t owner, uint32_t which, uint32_t point)
{
    count_tree(w, owner, false);
    w->chosen[owner * w->outer + which] = point;
    place_owner(w, owner);
    count_tree(w, owner, true);
}

static void exchange(struct owner_walk *w, uint32_t owner, uint32_t which, uint32_t point)
{
    exchange_one(w, owner, which, point);
    if (partner(w, owner) != owner)
        exchange_one(w, partner(w, owner), which, point ^ 1);
}

static void wander(struct owner_walk *w)
{
    uint32_t owner = (uint32_t)base_random_below(&w->random, w->nodes),
             which = (uint32_t)base_random_below(&w->random, w->outer);
    uint32_t old = w->chosen[owner * w->outer + which];
    uint32_t point = (uint32_t)base_random_below(&w->random, w->sphere.count);
    uint64_t before = w->load.over, worse = partner(w, owner) != owner ? 2 : 1;
    if (has_chosen(w, owner, w->outer, point))
        return;
    exchange(w, owner, which, point);
    if (w->load.over > before && (w->load.over > before + worse || base_random_below(&w->random, RARELY) > 0))
        exchange(w, owner, which, old);
}

/** Store channels for the lightpaths of each slot (step and direction) in w->out; *found: whether the channels are
 * enough. */
static rwa_status colour(bool *found, struct owner_walk *w, rwa_error *err)
{
    *found = true;
    for (size_t slot = 0; slot < w->load.slots && *found; slot++) {
        rwa_problem arcs = {.struct_size = sizeof arcs, .links = w->nodes, .start = w->start, .end = w->end};
        rwa_solver_result result;
        for (uint32_t owner = 0; owner < w->nodes; owner++)
            for (uint32_t v = 1; v < w->nodes; v++) {
                const struct delivery *d = &delivery_tree_row(w->out, owner)[v];
                if (delivery_slot(d, 2) != slot)
                    continue;
                w->place[arcs.paths] = owner * w->nodes + v;
                w->start[arcs.paths] = first_link(w, owner, v);
                w->end[arcs.paths++] = (first_link(w, owner, v) + d->links) % w->nodes;
            }
        MUST(solver_run(w->colour, &result, sizeof result, solver_brief.name, &arcs, NULL, NULL, err));
        *found = result.wavelengths <= w->channels;
        for (size_t i = 0; i < arcs.paths; i++)
            w->out->at[w->place[i]].channel = w->colour[i];
    }
    if (*found)
        delivery_tree_check(w->out);
    return RWA_OK;
}

static rwa_status walk(struct owner_walk *w, bool *found, uint64_t moves, struct budget *budget, rwa_error *err)
{
    uint32_t stall = 0;
    uint64_t next_poll = 0, least = UINT64_MAX;
    for (uint64_t i = 0; i < moves && !*found; i++) {
        if (i >= next_poll && base_must_stop(budget, "per-owner trees", (double)i / (double)moves))
            return budget->cancelled ? base_fail(err, RWA_CANCELLED, "planning was stopped at trees of each owner")
                                     : RWA_OK;
        next_poll = i / BETWEEN_POLLS * BETWEEN_POLLS + BETWEEN_POLLS;
        if (i == 0 || stall++ > STALL) {
            begin(w);
            least = UINT64_MAX;
        }
        wander(w);
        stall = w->load.over < least ? 0 : stall;
        LOWER(least, w->load.over);
        if (w->load.over > 0)
            continue;
        MUST(colour(found, w, err));
        i += COLOURING;
        stall += COLOURING;
    }
    return RWA_OK;
}

/** Return the number of moves that a walk may make on a ring of `nodes` nodes. */
static uint64_t effort(uint64_t nodes)
{
    const uint64_t work = 1 << 26;      /* more saves no step on rings of up to 32 nodes and 8 channels */
    return work / (nodes * nodes);
}

rwa_status owner_trees_find(struct delivery_tree *out, uint32_t nodes, uint32_t channels, uint32_t steps, uint64_t seed,
                            struct budget *budget, rwa_error *err)
{
    struct owner_walk w = {.out = out, .nodes = nodes, .channels = channels, .steps = steps, .random = seed};
    bool found = false;
    rwa_status st = RWA_OK;
    memset(out, 0, sizeof *out);
    if (effort(nodes) < STALL)
        return RWA_OK;
    TRY(create(&w, err));
    if (w.sphere.count < SPHERE_MOST && w.sphere.count > w.outer)
        TRY(walk(&w, &found, effort(nodes), budget, err));
done:
    destroy(&w);
    if (!found)
        delivery_tree_free(out);
    return st;
}
