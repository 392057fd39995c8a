/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/published/star.h"

void airs_close(struct airs *a)
{
    free_all(a->air, a->listener, a->block);
}

static bool grow(struct airs *a, void *array, size_t *capacity, size_t need, size_t size)
{
    if (a->status == RWA_OK)
        a->status = base_grow(array, capacity, need, size, a->err);
    return a->status == RWA_OK;
}

void airs_begin(struct airs *a, uint32_t src, uint32_t wavelength)
{
    if (grow(a, &a->air, &a->capacity, a->count + 1, sizeof *a->air))
        a->air[a->count++] = (struct air){src, wavelength, a->listeners, 0, a->blocks, 0};
}

void airs_block(struct airs *a, uint64_t block)
{
    if (!grow(a, &a->block, &a->block_capacity, a->blocks + 1, sizeof *a->block))
        return;
    assert(a->count > 0 && block <= UINT32_MAX);
    a->block[a->blocks++] = (uint32_t)block;
    a->air[a->count - 1].blocks++;
}

void airs_listen(struct airs *a, uint32_t node, uint32_t heard, uint32_t port)
{
    if (!grow(a, &a->listener, &a->listener_capacity, a->listeners + 1, sizeof *a->listener))
        return;
    assert(a->count > 0 && node != a->air[a->count - 1].src);
    a->listener[a->listeners++] = (struct listener){node, heard, port};
    a->air[a->count - 1].listeners++;
}

/** Block number `at` of a transmission, to all listeners that still hear. */
static rwa_status push_block(struct schedule_sink *sink, const struct airs *a, const struct air *air, size_t at, uint32_t step,
                             uint32_t channel, uint32_t wavelengths)
{
    assert(at < air->blocks && air->listener + air->listeners <= a->listeners);
    for (size_t l = 0; l < air->listeners; l++) {
        const struct listener *to = &a->listener[air->listener + l];
        rwa_lightpath lp = {.step = step, .src = air->src, .dst = to->node, .fiber = channel / wavelengths,
                            .wavelength = channel % wavelengths, .orbit = 1, .block = a->block[air->block + at]};
        if (at < to->heard)
            MUST(sink_lightpath(sink, &lp, NULL, a->err));
    }
    return RWA_OK;
}

static size_t longest_of(const struct airs *a, size_t first, size_t end)
{
    size_t longest = 0;
    assert(end <= a->count);
    for (size_t i = first; i < end; i++)
        longest = a->air[i].blocks > longest ? a->air[i].blocks : longest;
    return longest;
}

/** Transmissions first … end - 1, all at once, after `before` steps; in `named` channels each has its own. */
static rwa_status push_group(struct schedule_sink *sink, const struct airs *a, size_t first, size_t end, uint32_t before, bool named,
                             const rwa_network *net)
{
    size_t longest = longest_of(a, first, end);
    for (size_t at = 0; at < longest; at++)
        for (size_t i = first; i < end; i++)
            if (at < a->air[i].blocks)
                MUST(push_block(sink, a, &a->air[i], at, before + (uint32_t)at + 1,
                                named ? a->air[i].wavelength : (uint32_t)(i - first), rwa_network_wavelengths(net)));
    return RWA_OK;
}

rwa_status airs_push(struct schedule_sink *sink, struct airs *a, const rwa_network *net)
{
    uint32_t channels = rwa_network_channels(net), step = 0;
    bool named = true;
    rwa_status st = a->status;
    for (size_t i = 0; i < a->count; i++)
        named = named && a->air[i].wavelength < channels;
    size_t turn = named ? a->count : channels;
    for (size_t first = 0; first < a->count && st == RWA_OK; first += turn) {
        size_t end = a->count - first < turn ? a->count : first + turn;
        st = push_group(sink, a, first, end, step, named, net);
        step += (uint32_t)longest_of(a, first, end);
    }
    return st == RWA_OK ? sink_end_stage(sink, a->err) : st;
}

/** The block that a transmission carries in step `step` of the stage. */
static rwa_status push_circuits(struct schedule_sink *sink, const struct airs *a, const struct air *air, uint32_t step,
                                uint32_t wavelengths)
{
    size_t from = (size_t)(step - 1) * wavelengths;
    for (size_t l = 0; l < air->listeners; l++) {
        const struct listener *to = &a->listener[air->listener + l];
        for (size_t at = from; at < from + wavelengths && at < air->blocks && at < to->heard; at++) {
            rwa_lightpath lp = {.step = step, .src = air->src, .dst = to->node, .fiber = to->port, .wavelength = (uint32_t)(at - from),
                                .orbit = 1, .block = a->block[air->block + at]};
            MUST(sink_lightpath(sink, &lp, NULL, a->err));
        }
    }
    return RWA_OK;
}

rwa_status airs_push_circuits(struct schedule_sink *sink, struct airs *a, const rwa_network *net)
{
    uint32_t wavelengths = rwa_network_wavelengths(net);
    rwa_status st = a->status;
    for (uint32_t step = 1; st == RWA_OK && step <= ceil_div(longest_of(a, 0, a->count), wavelengths); step++)
        for (size_t i = 0; i < a->count && st == RWA_OK; i++)
            st = push_circuits(sink, a, &a->air[i], step, wavelengths);
    return st == RWA_OK ? sink_end_stage(sink, a->err) : st;
}
