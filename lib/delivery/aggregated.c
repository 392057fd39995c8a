/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Merging helps where many hops of a step are equally long, and cannot in the first step, when there is one block to send.
 * So a step may carry between W and cW link-channels of hops, which only its wave tells: every half of a step begins with room
 * for cW, and gets less wherever its bundles turn out not to fit W channels.
 */
#include "delivery/aggregated.h"

#include <stdlib.h>
#include <string.h>

void aggregated_free(struct aggregated *m)
{
    for (size_t g = 0; m->colouring && g < (size_t)2 * m->wave.steps; g++)
        colouring_free(&m->colouring[g]);
    free(m->colouring);
    free(m->order);
    free(m->bundle);
    free(m->group);
    wave_free(&m->wave);
    memset(m, 0, sizeof *m);
}

/* ---- bundles ---- */

/** What offsets are sorted by: group, then length. */
struct sorted {
    uint64_t key;
    uint32_t offset;
};

static int by_key(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static size_t group_of(const struct wave *w, uint32_t v)
{
    return (size_t)2 * (w->step[v] - 1) + w->direction[v];
}

/** Up to `slots` hops of a key to a bundle. */
static void cut_bundles(struct aggregated *m, const struct sorted *hops, uint32_t slots)
{
    uint32_t count = m->wave.nodes - 1, held = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || hops[i].key != hops[i - 1].key || held == slots) {
            m->group[group_of(&m->wave, hops[i].offset) + 1]++;
            m->bundle[m->bundles++] = i;
            held = 0;
        }
        m->order[i] = hops[i].offset;
        held++;
    }
    m->bundle[m->bundles] = count;
    for (size_t g = 0; g < (size_t)2 * m->wave.steps; g++)
        m->group[g + 1] += m->group[g];
}

static rwa_status bundle(struct aggregated *m, uint32_t slots, rwa_error *err)
{
    const struct wave *w = &m->wave;
    rwa_status st = RWA_NOMEM;
    struct sorted *hops = base_array(w->nodes, sizeof *hops, err);
    m->order = base_array(w->nodes, sizeof *m->order, err);
    m->bundle = base_array((size_t)w->nodes + 1, sizeof *m->bundle, err);
    m->group = base_array((size_t)2 * w->steps + 1, sizeof *m->group, err);
    m->colouring = base_array((size_t)2 * w->steps, sizeof *m->colouring, err);
    if (!hops || !m->order || !m->bundle || !m->group || !m->colouring)
        goto done;
    st = RWA_OK;
    for (uint32_t v = 1; v < w->nodes; v++)
        hops[v - 1] = (struct sorted){(uint64_t)group_of(w, v) << 32 | wave_hops(w, v), v};
    qsort(hops, w->nodes - 1, sizeof *hops, by_key);
    cut_bundles(m, hops, slots);
done:
    free(hops);
    return st;
}

static uint32_t length_of(const struct aggregated *m, size_t k)
{
    return wave_hops(&m->wave, m->order[m->bundle[k]]);
}

/* ---- channels ---- */

/** Less room where bundles are too many or too long, or find no wavelengths; *fits says that none are. */
static rwa_status settle(struct aggregated *m, bool *fits, uint32_t *room, const struct aggregated_limits *l, rwa_error *err)
{
    rwa_status st = RWA_OK;
    uint32_t *length = base_array(m->bundles, sizeof *length, err);
    *fits = true;
    if (!length)
        return RWA_NOMEM;
    for (size_t g = 0; g < (size_t)2 * m->wave.steps; g++) {
        uint64_t load = 0;
        size_t count = m->group[g + 1] - m->group[g];
        for (size_t k = 0; k < count; k++)
            load += length[k] = length_of(m, m->group[g] + k);
        if (load <= l->channels)
            TRY(colouring_find(&m->colouring[g], length, count, l->nodes, l->channels, err));
        if (count == 0 || m->colouring[g].size > 0)
            continue;
        uint64_t less = (uint64_t)room[g] * l->channels / (load > l->channels ? load : l->channels + 1);
        room[g] = (uint32_t)(less < room[g] ? less : room[g] - (room[g] > 0));
        *fits = false;
    }
done:
    free(length);
    return st;
}

static rwa_status lay(struct aggregated *m, bool *found, uint32_t steps, const uint32_t *room, const struct aggregated_limits *l,
                      struct budget *budget, rwa_error *err)
{
    uint32_t longest = l->max_hops > 0 && l->max_hops < l->channels ? l->max_hops : l->channels;
    struct point_limits within = {l->nodes, steps, longest, 1, room, 0};
    struct lattice_points points = {0};
    rwa_status st = RWA_OK;
    aggregated_free(m);
    TRY(lattice_points_search(&points, &within, l->seed, budget, err));
    *found = points.count > 0;
    if (*found) {
        TRY(wave_lay(&m->wave, &points, steps, err));
        TRY(bundle(m, l->slots, err));
    }
done:
    free(points.coordinate);
    return st;
}

/** A wave of so many steps; *fits says whether one was found. */
static rwa_status try_steps(struct aggregated *m, bool *fits, uint32_t steps, const struct aggregated_limits *l, struct budget *budget,
                            rwa_error *err)
{
    enum { ATTEMPTS = 32 };
    uint64_t most = (uint64_t)l->channels * l->slots;
    bool found = true;
    rwa_status st = RWA_OK;
    uint32_t *room = base_array((size_t)2 * steps, sizeof *room, err);
    *fits = false;
    if (!room)
        return RWA_NOMEM;
    for (size_t h = 0; h < (size_t)2 * steps; h++)
        room[h] = h < 2 ? l->channels : most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    for (int i = 0; i < ATTEMPTS && found && !*fits; i++) {
        TRY(lay(m, &found, steps, room, l, budget, err));
        if (found)
            TRY(settle(m, fits, room, l, err));
    }
done:
    free(room);
    return st;
}

/** Fewer steps than which no merged wave can do. */
static uint32_t least_steps(const struct aggregated_limits *l)
{
    uint64_t most = (uint64_t)l->channels * l->slots;
    uint32_t hop = l->max_hops > 0 && l->max_hops < l->channels ? l->max_hops : l->channels;
    uint32_t by_load = lattice_least_steps(l->nodes, most < UINT32_MAX ? (uint32_t)most : UINT32_MAX, 1, false);
    uint32_t by_hops = (uint32_t)(((uint64_t)l->nodes + 2 * (uint64_t)hop - 2) / (2 * (uint64_t)hop));
    return by_load > by_hops ? by_load : by_hops;
}

/** Halving the steps in question: what is found with few is mostly found with more, too. */
rwa_status aggregated_find(struct aggregated *m, const struct aggregated_limits *l, struct budget *budget, rwa_error *err)
{
    uint32_t low = least_steps(l), high = l->fewer_than;
    struct aggregated tried = {.bundles = 0};
    rwa_status st = RWA_OK;
    memset(m, 0, sizeof *m);
    while (low < high && !base_must_stop(budget, "merging", -1)) {
        uint32_t steps = low + (high - low) / 2;
        bool fits = false;
        TRY(try_steps(&tried, &fits, steps, l, budget, err));
        if (fits) {
            aggregated_free(m);
            *m = tried;
            tried = (struct aggregated){.bundles = 0};
            high = steps;
        } else {
            low = steps + 1;
        }
    }
    if (budget->cancelled)
        st = base_fail(err, RWA_CANCELLED, "planning was stopped while blocks were merged");
done:
    aggregated_free(&tried);
    return st;
}

/* ---- records ---- */

/** The blocks of a bundle whose route begins, clockwise, at a node. */
static void put_blocks(uint32_t *block, const struct aggregated *m, size_t k, uint32_t lowest)
{
    const struct wave *w = &m->wave;
    for (uint32_t i = m->bundle[k]; i < m->bundle[k + 1]; i++) {
        uint32_t v = m->order[i], near = w->direction[v] == RWA_CW ? w->from[v] : v;
        *block++ = (lowest + w->nodes - near) % w->nodes;
    }
}

/** A bundle at all nodes, in as few orbits as the tiling allows.  `blocks` has room for those of a bundle. */
static rwa_status push_bundle(struct schedule_sink *sink, const struct aggregated *m, size_t group, size_t k, uint32_t wavelengths,
                              uint32_t *blocks, rwa_error *err)
{
    const struct colouring *t = &m->colouring[group];
    uint32_t n = m->wave.nodes, v = m->order[m->bundle[k]], hops = length_of(m, k);
    bool onward = m->wave.direction[v] == RWA_CW;
    rwa_lists lists = {.blocks = blocks, .block_count = m->bundle[k + 1] - m->bundle[k]};
    rwa_status st = RWA_OK;
    if (lists.block_count == 1)
        lists.block_count = 0; /* the record says it */
    for (uint32_t node = 0, run = 0, period = 0; node < n; node += run) {
        uint32_t channel = colouring_channel(t, k - m->group[group], node, &run, &period), far = (node + hops) % n;
        put_blocks(blocks, m, k, node);
        rwa_lightpath lp = {
            .step = m->wave.step[v], .src = onward ? node : far, .dst = onward ? far : node,
            .direction = (rwa_direction)m->wave.direction[v], .block = blocks[0], .orbit = run, .period = period,
            .fiber = channel / wavelengths, .wavelength = channel % wavelengths};
        TRY(sink_lightpath(sink, &lp, &lists, err));
    }
done:
    return st;
}

rwa_status push_aggregated(struct schedule_sink *sink, const struct aggregated *m, uint32_t wavelengths, rwa_error *err)
{
    uint32_t *blocks = base_array(m->wave.nodes, sizeof *blocks, err);
    rwa_status st = blocks ? RWA_OK : RWA_NOMEM;
    for (size_t g = 0; g < (size_t)2 * m->wave.steps; g++)
        for (size_t k = m->group[g]; k < m->group[g + 1]; k++)
            if (st == RWA_OK)
                st = push_bundle(sink, m, g, k, wavelengths, blocks, err);
    free(blocks);
    return st;
}
