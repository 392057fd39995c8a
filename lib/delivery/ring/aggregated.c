/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Grouping helps where many lightpaths of a step are equally long, and cannot in the first step, when there is one block to send.
 * So a slot may carry between W and cW link-channels, which depends on its tree: every slot begins with capacity for cW, and gets
 * less wherever its groups turn out not to fit W channels.
 */
#include "delivery/ring/aggregated.h"

#include "delivery/ring/broadcast_tree.h"

struct group_attempt {
    const struct aggregated_limits *limits;
    struct coloured_tree *out;
    uint32_t steps;
    uint32_t *capacity;     /* of each slot, before grouping */
    uint64_t *load;         /* of each slot, in groups */
    bool found, fits;
    struct budget *budget;
};

/** Link-channels of a slot full of groups. */
static uint32_t most_load(const struct aggregated_limits *l)
{
    uint64_t most = (uint64_t)l->channels * l->slots;
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

static uint32_t longest_hop(const struct aggregated_limits *l)
{
    return l->max_hops > 0 && l->max_hops < l->channels ? l->max_hops : l->channels;
}

/** Less capacity where groups are too many or too long, or find no wavelengths. */
static rwa_status colour_groups(struct group_attempt *a, rwa_error *err)
{
    struct coloured_tree *c = a->out;
    uint32_t channels = a->limits->channels;
    rwa_status st = coloured_tree_colour(c, &a->fits, a->load, channels, a->budget, err);
    for (size_t slot = 0; st == RWA_OK && slot < coloured_tree_slots(c); slot++) {
        if (c->first[slot + 1] == c->first[slot] || c->colouring[slot].size > 0)
            continue;
        uint64_t load = a->load[slot] > channels ? a->load[slot] : (uint64_t)channels + 1;
        uint32_t *capacity = &a->capacity[slot], less = (uint32_t)((uint64_t)*capacity * channels / load);
        *capacity = less < *capacity ? less : *capacity - (*capacity > 0);
    }
    return st;
}

static rwa_status place_groups(struct group_attempt *a, rwa_error *err)
{
    const struct aggregated_limits *l = a->limits;
    struct point_limits within = {l->nodes, a->steps, longest_hop(l), 1, a->capacity, 0};
    struct lattice_points points = {0};
    rwa_status st = RWA_OK;
    coloured_tree_free(a->out);
    TRY(lattice_points_search(&points, &within, l->seed, a->budget, err));
    a->found = points.count > 0;
    if (a->found) {
        TRY(broadcast_tree_place(&a->out->tree, &points, a->steps, err));
        TRY(coloured_tree_cut(a->out, SHARE_BLOCKS, l->slots, err));
    }
done:
    free(points.coordinate);
    return st;
}

/** A tree of so many steps; *fits says whether one was found. */
static rwa_status try_group_steps(struct coloured_tree *out, bool *fits, uint32_t steps, const struct aggregated_limits *l,
                                  struct budget *budget, rwa_error *err)
{
    enum { ATTEMPTS = 32 };
    struct group_attempt a = {.limits = l, .out = out, .steps = steps, .budget = budget, .found = true};
    size_t slots = (size_t)2 * steps;
    a.capacity = base_array(slots, sizeof *a.capacity, err);
    a.load = base_array(slots, sizeof *a.load, err);
    rwa_status st = a.capacity && a.load ? RWA_OK : RWA_NOMEM;
    TRY(st);
    for (size_t slot = 0; slot < slots; slot++)
        a.capacity[slot] = slot < 2 ? l->channels : most_load(l);
    for (int i = 0; i < ATTEMPTS && a.found && !a.fits; i++) {
        TRY(place_groups(&a, err));
        if (a.found)
            TRY(colour_groups(&a, err));
    }
done:
    *fits = a.fits;
    free_all(a.capacity, a.load);
    return st;
}

/** A lower bound on the steps of any tree of grouped lightpaths. */
static uint32_t least_group_steps(const struct aggregated_limits *l)
{
    uint64_t ends = 2 * (uint64_t)longest_hop(l);
    uint32_t by_load = lattice_least_steps(l->nodes, most_load(l), 1, false);
    uint32_t by_hops = (uint32_t)((l->nodes + ends - 2) / ends);
    return by_load > by_hops ? by_load : by_hops;
}

/** Bisection over the steps: mostly, more steps are easier. */
rwa_status aggregated_find(struct coloured_tree *out, const struct aggregated_limits *l, struct budget *budget, rwa_error *err)
{
    uint32_t low = least_group_steps(l), high = l->fewer_than;
    struct coloured_tree tried = {.order = NULL};
    rwa_status st = RWA_OK;
    memset(out, 0, sizeof *out);
    while (low < high && !base_must_stop(budget, "grouping blocks", -1)) {
        uint32_t steps = low + (high - low) / 2;
        bool fits = false;
        TRY(try_group_steps(&tried, &fits, steps, l, budget, err));
        if (fits) {
            coloured_tree_free(out);
            *out = tried;
            memset(&tried, 0, sizeof tried);
            high = steps;
        } else {
            low = steps + 1;
        }
    }
    if (budget->cancelled)
        st = base_fail(err, RWA_CANCELLED, "planning was stopped while blocks were grouped");
done:
    coloured_tree_free(&tried);
    return st;
}
