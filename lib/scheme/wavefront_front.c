/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/wavefront_front.h"

#include <stdlib.h>
#include <string.h>

static size_t group_of(const struct wave *w, uint32_t v)
{
    return (size_t)2 * (w->step[v] - 1) + w->direction[v];
}

/** Counting sort of the offsets by step and direction. */
static rwa_status sort_offsets(struct front *f, rwa_error *err)
{
    const struct wave *w = &f->wave;
    size_t groups = (size_t)2 * w->steps;
    f->order = base_array(w->nodes, sizeof *f->order, err);
    f->first = base_array(groups + 2, sizeof *f->first, err);
    f->tiling = base_array(groups, sizeof *f->tiling, err);
    if (!f->order || !f->first || !f->tiling)
        return RWA_NOMEM;
    for (uint32_t v = 1; v < w->nodes; v++)
        f->first[group_of(w, v) + 2]++;
    for (size_t g = 2; g <= groups; g++)
        f->first[g + 1] += f->first[g];
    for (uint32_t v = 1; v < w->nodes; v++)
        f->order[f->first[group_of(w, v) + 1]++] = v;
    return RWA_OK;
}

static bool within_hops(const struct wave *w, uint32_t max_hops)
{
    for (uint32_t v = 1; v < w->nodes && max_hops > 0; v++)
        if (wave_hops(w, v) > max_hops)
            return false;
    return true;
}

/** Wavelengths for every group; *fits says whether there are enough. */
static rwa_status tile(struct front *f, bool *fits, uint32_t channels, rwa_error *err)
{
    const struct wave *w = &f->wave;
    rwa_status st = RWA_OK;
    uint32_t *length = base_array(w->nodes, sizeof *length, err);
    if (!length)
        return RWA_NOMEM;
    *fits = true;
    for (size_t g = 0; g < (size_t)2 * w->steps && *fits; g++) {
        size_t count = f->first[g + 1] - f->first[g];
        for (size_t i = 0; i < count; i++)
            length[i] = wave_hops(w, f->order[f->first[g] + i]);
        TRY(tiling_find(&f->tiling[g], length, count, w->nodes, channels, err));
        *fits = count == 0 || f->tiling[g].size > 0;
    }
done:
    free(length);
    return st;
}

static rwa_status try_steps(struct front *f, bool *fits, uint32_t steps, const struct front_limits *limits,
                            rwa_error *err)
{
    struct points points = {0};
    rwa_status st = RWA_OK;
    *fits = false;
    TRY(points_choose(&points, limits->nodes, steps, err));
    TRY(wave_lay(&f->wave, &points, steps, err));
    if (!within_hops(&f->wave, limits->max_hops))
        goto done;
    TRY(sort_offsets(f, err));
    TRY(tile(f, fits, limits->channels, err));
done:
    free(points.part);
    return st;
}

/** Ends at the latest where every hop has length 1: one colour a hop then does on any ring. */
rwa_status front_find(struct front *f, const struct front_limits *limits, struct watch *watch, rwa_error *err)
{
    bool fits = false;
    rwa_status st = RWA_OK;
    memset(f, 0, sizeof *f);
    for (uint32_t steps = points_least_steps(limits->nodes, limits->channels); !fits; steps++) {
        front_free(f);
        if (base_must_stop(watch, "spreading", -1))
            return base_fail(err, RWA_CANCELLED, "planning was stopped at a wavefront of %u steps", steps);
        TRY(try_steps(f, &fits, steps, limits, err));
    }
done:
    return st;
}

void front_free(struct front *f)
{
    for (size_t g = 0; f->tiling && g < (size_t)2 * f->wave.steps; g++)
        tiling_free(&f->tiling[g]);
    free(f->tiling);
    free(f->order);
    free(f->first);
    wave_free(&f->wave);
    memset(f, 0, sizeof *f);
}
