/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Try numbers of steps, each with template trees on the ring and on larger rings (see struct coloured_tree), until a
 * tree has wavelengths in every slot.  A slot is a step and a direction. */
#include "delivery/ring/ring_schedule.h"

#include "base/arena.h"
#include "base/arithmetic.h"
#include "delivery/ring/broadcast_tree.h"
#include "delivery/ring/periodic_colouring.h"

/** An attempt to find a schedule with a given number of steps on a ring of a given size. */
struct ring_attempt {
    const struct spread_limits *limits;
    struct coloured_tree *out;
    uint32_t ring, steps;
    uint32_t *capacity;     /* of each slot: the channels, less where the lengths found no wavelengths */
    uint64_t *load;         /* of each slot */
    bool fits;
    struct budget *budget;
};

static uint32_t longest_hop(const struct spread_limits *l)
{
    return (uint32_t)limited(l->channels, l->max_hops);
}

/** Tell whether no node receives more lightpaths in a step than it has ports.  All nodes use the same tree, so a node
 * sends as many lightpaths as it receives. */
static bool keeps_to_ports(const struct coloured_tree *c, uint32_t ports)
{
    for (uint32_t s = 0; s < c->tree.steps && ports > 0; s++)
        if (c->lightpath[c->first[2 * s + 2]] - c->lightpath[c->first[2 * s]] > ports)
            return false;
    return true;
}

/** Tell whether a tree respects the limits on hops, on ports, and on the load of each slot (step and direction). */
static bool respects(const struct coloured_tree *c, const struct spread_limits *limits)
{
    for (size_t slot = 0; slot < coloured_tree_slots(c); slot++) {
        uint64_t load = 0;
        for (uint32_t k = c->first[slot]; k < c->first[slot + 1]; k++) {
            uint32_t links = c->tree.at[coloured_tree_end(c, k)].links;
            load += links;
            if (limits->max_hops > 0 && links > limits->max_hops)
                return false;
        }
        if (load > limits->channels)
            return false;
    }
    return keeps_to_ports(c, limits->ports);
}

/** Return a smaller capacity for a slot (step and direction) whose lightpaths, of `load` links together, found no
 * wavelengths.  It is a load for which wavelengths always exist or, with taps, load - 1 if that is more. */
static uint32_t less_capacity(const struct ring_attempt *a, uint64_t load)
{
    uint32_t ring = a->ring, channels = a->limits->channels;
    /* a load up to which wavelengths exist for lightpaths of any lengths */
    uint32_t safe = channels < ring ? ring / ((ring + channels - 1) / channels) : channels;
    /* with taps a load of one link less already changes the lengths */
    return a->limits->drops > 1 && load > safe ? (uint32_t)load - 1 : safe;
}

static rwa_status colour_slots(struct ring_attempt *a, rwa_error *err)
{
    struct coloured_tree *c = a->out;
    rwa_status st = coloured_tree_colour(c, &a->fits, a->load, a->limits->channels, a->budget, err);
    for (size_t slot = 0; st == RWA_OK && slot < coloured_tree_slots(c); slot++)
        if (c->first[slot + 1] > c->first[slot] && c->colouring[slot].size == 0)
            a->capacity[slot] = less_capacity(a, a->load[slot]);
    return st;
}

static rwa_status place_points(struct ring_attempt *a, const struct lattice_points *points, rwa_error *err)
{
    MUST(broadcast_tree_place(&a->out->tree, points, a->steps, err));
    return coloured_tree_cut(a->out, a->limits->drops, err);
}

/** Try the lattice points that load all slots evenly, with a lightpath for each receiver.  a->fits tells whether their
 * tree respects all limits. */
static rwa_status place_even(struct ring_attempt *a, rwa_error *err)
{
    struct lattice_points points = {0};
    rwa_status st = RWA_OK;
    coloured_tree_free(a->out);
    TRY(lattice_points_choose(&points, a->ring, a->steps, a->budget, err));
    TRY(place_points(a, &points, err));
    a->fits = respects(a->out, a->limits);
done:
    free(points.coordinate);
    return st;
}

static rwa_status place_searched(struct ring_attempt *a, rwa_error *err)
{
    const struct spread_limits *l = a->limits;
    struct lattice_points points = {0};
    struct spread_limits within = *l;
    rwa_status st = RWA_OK;
    coloured_tree_free(a->out);
    within.nodes = a->ring;
    within.max_hops = longest_hop(l);
    TRY(lattice_points_search(&points, &within, a->steps, a->capacity, a->budget, err));
    a->fits = points.count > 0;
    if (a->fits)
        TRY(place_points(a, &points, err));
done:
    free(points.coordinate);
    return st;
}

/** Choose lattice points, make their tree (a->out), and find wavelengths; a->fits tells whether all slots have some.
 * If some slots find none, repeat this a few times with less capacity for these slots. */
static rwa_status attempt(struct ring_attempt *a, rwa_error *err)
{
    enum { ATTEMPTS = 4, TAPPED_ATTEMPTS = 16 };
    const struct spread_limits *l = a->limits;
    bool worth = l->drops > 1 || a->ring == l->nodes || a->ring % l->channels == 0;
    int attempts = l->drops > 1 ? TAPPED_ATTEMPTS : ATTEMPTS;
    for (size_t slot = 0; slot < (size_t)2 * a->steps; slot++)
        a->capacity[slot] = l->one_way && slot % 2 != (size_t)l->way ? 0 : l->channels;
    if (!l->one_way && l->drops == 1)
        MUST(place_even(a, err));
    if (a->fits)
        MUST(colour_slots(a, err));
    for (int i = 0; i < attempts && !a->fits && worth; i++) {
        MUST(place_searched(a, err));
        if (!a->fits)
            break;
        MUST(colour_slots(a, err));
    }
    return RWA_OK;
}

static rwa_status try_ring(struct coloured_tree *out, bool *fits, uint32_t ring, uint32_t steps,
                           const struct spread_limits *limits, struct budget *budget, rwa_error *err)
{
    struct ring_attempt a = {.limits = limits, .out = out, .ring = ring, .steps = steps, .budget = budget};
    struct arena scratch = {.err = err};
    if (base_must_stop(budget, "broadcast trees", -1) && budget->cancelled)
        return base_fail(err, RWA_CANCELLED, "planning was stopped at a wavefront of %u steps", steps);
    rwa_status st = arena_arrays(&scratch, (size_t)2 * steps, a.capacity, a.load);
    if (st == RWA_OK)
        st = attempt(&a, err);
    *fits = a.fits;
    arena_free(&scratch);
    return st;
}

/** Look for a schedule of `steps` steps on the ring, then on larger rings, up to the next multiple of the number of
 * channels.  With limited ports only the ring itself is tried.  *fits tells whether *s is such a schedule. */
static rwa_status try_steps(struct coloured_tree *s, bool *fits, uint32_t steps, const struct spread_limits *limits,
                            struct budget *budget, rwa_error *err)
{
    const uint32_t effort = 1u << 22;
    uint32_t nodes = limits->nodes, sure = nodes + (limits->channels - nodes % limits->channels) % limits->channels;
    /* on a ring of a multiple of the channels wavelengths always exist; but there the network's
       last node stands for several of a larger ring, and might need more ports than it has */
    sure = limits->ports > 0 ? nodes : sure;
    *fits = false;
    for (uint32_t ring = nodes; ring <= sure && !*fits; ring++) {
        if (ring - nodes > effort / nodes && ring < sure)
            ring = sure;
        if (lattice_least_steps(ring, limits->channels, limits->drops, limits->one_way) > steps)
            break;
        MUST(try_ring(s, fits, ring, steps, limits, budget, err));
    }
    return RWA_OK;
}

uint32_t ring_schedule_fewest_steps(const struct spread_limits *l)
{
    uint64_t ends = l->one_way ? 1 : 2, others = l->nodes - 1;
    uint32_t fewest = lattice_least_steps(l->nodes, l->channels, l->drops, l->one_way);
    if (l->max_hops > 0)
        RAISE(fewest, (uint32_t)ceil_div(others, ends * longest_hop(l)));
    if (l->ports > 0)
        RAISE(fewest, (uint32_t)ceil_div(others, l->ports));
    return fewest;
}

/** Look for a schedule with as many steps as the lower bound, then with more, up to fewer_than - 1 (0: no limit).  Go
 * up one by one at first, in larger increments after SINGLE_STEPS failures.  *fits, false at the call, tells whether *s
 * is a schedule. */
static rwa_status find_upwards(struct coloured_tree *s, bool *fits, const struct spread_limits *limits,
                               uint32_t fewer_than, struct budget *budget, rwa_error *err)
{
    enum { SINGLE_STEPS = 16 };
    uint32_t steps = ring_schedule_fewest_steps(limits), tries = 0;
    while (!*fits && (fewer_than == 0 || steps < fewer_than)) {
        MUST(try_steps(s, fits, steps, limits, budget, err));
        steps += tries++ < SINGLE_STEPS ? 1 : steps / SINGLE_STEPS + 1;
    }
    return RWA_OK;
}

rwa_status ring_schedule_find(struct coloured_tree *s, const struct spread_limits *limits, uint32_t fewer_than,
                              struct budget *budget, rwa_error *err)
{
    bool fits = false;
    assert(limits->drops >= 1);
    memset(s, 0, sizeof *s);
    MUST(find_upwards(s, &fits, limits, fewer_than, budget, err));
    s->nodes = limits->nodes;
    if (!fits)
        coloured_tree_free(s);
    return RWA_OK;
}
