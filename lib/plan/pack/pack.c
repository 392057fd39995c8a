/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Steps: W colours of a stage each, or as the scheme has already laid them out. */
#include "plan/pack/pack.h"

#include "schedule/schedule.h"

rwa_status order_by_step(uint32_t **order, const uint32_t *colour, size_t count, uint32_t channels, rwa_error *err)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = colour[i] > most ? colour[i] : most;
    size_t *fill = base_array((size_t)most / channels + 2, sizeof *fill, err);
    uint32_t *step = base_array((size_t)most + 1, sizeof *step, err);   /* of each colour */
    *order = base_array(count, sizeof **order, err);
    rwa_status st = RWA_OK;
    TRY(fill && step && *order ? RWA_OK : RWA_NOMEM);
    for (uint32_t c = 0; c <= most; c++)
        step[c] = c / channels;
    for (size_t i = 0; i < count; i++)
        fill[step[colour[i]] + 1]++;
    for (size_t t = 0; t <= most / channels; t++)
        fill[t + 1] += fill[t];
    assert(fill[most / channels + 1] == count);
    for (size_t i = 0; i < count; i++)
        (*order)[fill[step[colour[i]]]++] = (uint32_t)i;
done:
    free(fill);
    free(step);
    return st;
}

rwa_status pack_stage(rwa_schedule *sched, const struct coloured *c, const rwa_network *net, struct budget *budget, rwa_error *err)
{
    enum { POLL_EVERY = 1 << 16, AHEAD = 16 };
    uint32_t channels = rwa_network_channels(net), w = rwa_network_wavelengths(net);
    uint32_t base = rwa_schedule_steps(sched) + 1, *order = NULL;
    rwa_status st = RWA_OK;
    TRY(order_by_step(&order, c->colour, c->t.count, channels, err));
    TRY(schedule_reserve(sched, (uint64_t)c->t.count * row_count(&c->t.rows, rwa_schedule_network(sched)), err));
    for (size_t k = 0; k < c->t.count; k++) {
        size_t i = order[k];
        if (k + AHEAD < c->t.count) { /* a step takes transfers from all over a stage, which may have millions: fetch them in time */
            size_t later = order[k + AHEAD];
            __builtin_prefetch(&c->colour[later]);
            __builtin_prefetch(&c->t.src[later]);
            __builtin_prefetch(&c->t.dst[later]);
            __builtin_prefetch(&c->t.block[later]);
        }
        uint32_t channel = c->colour[i] % channels;
        if (k % POLL_EVERY == 0 && base_must_stop(budget, "writing a stage", -1))
            TRY(base_fail(err, RWA_CANCELLED, "planning was stopped in a stage of %zu lightpaths", c->t.count));
        assert(c->colour[i] < c->wavelengths);
        uint32_t fiber = channel < w ? 0 : channel / w; /* nearly always, which saves the division */
        rwa_lightpath lp = {.step = base + c->colour[i] / channels, .src = c->t.src[i], .dst = c->t.dst[i],
                            .fiber = fiber, .wavelength = channel - fiber * w, .orbit = 1, .block = c->t.block[i],
                            .direction = i < c->clockwise ? RWA_CW : RWA_CCW, .op = c->t.op};
        TRY(row_add(sched, &c->t.rows, &lp, err));
    }
done:
    free(order);
    return st;
}

rwa_status pack_spare(rwa_schedule *sched, const struct coloured *part, uint32_t used, uint32_t colours,
                       const rwa_network *net, rwa_error *err)
{
    uint32_t w = rwa_network_wavelengths(net);
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < part->t.count && st == RWA_OK; i++) {
        uint32_t channel = used + part->colour[i];
        if (part->colour[i] >= colours)
            continue;
        assert(channel < rwa_network_channels(net));
        rwa_lightpath lp = {.step = rwa_schedule_steps(sched), .src = part->t.src[i], .dst = part->t.dst[i],
                            .fiber = channel / w, .wavelength = channel % w, .orbit = 1,
                            .block = part->t.block[i], .direction = i < part->clockwise ? RWA_CW : RWA_CCW, .op = part->t.op};
        st = row_add(sched, &part->t.rows, &lp, err);
    }
    return st;
}
