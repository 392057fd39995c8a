/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/published/star.h"

#include <stdlib.h>

void airs_close(struct airs *a)
{
    free(a->air);
    free(a->listener);
    free(a->block);
}

static bool grow(struct airs *a, void *array, size_t *room, size_t need, size_t size)
{
    if (a->status == RWA_OK)
        a->status = base_grow(array, room, need, size, a->err);
    return a->status == RWA_OK;
}

void airs_begin(struct airs *a, uint32_t src, uint32_t wavelength)
{
    if (grow(a, &a->air, &a->room, a->count + 1, sizeof *a->air))
        a->air[a->count++] = (struct air){src, wavelength, a->listeners, 0, a->blocks, 0};
}

void airs_block(struct airs *a, uint64_t block)
{
    if (!grow(a, &a->block, &a->block_room, a->blocks + 1, sizeof *a->block))
        return;
    a->block[a->blocks++] = (uint32_t)block;
    a->air[a->count - 1].blocks++;
}

void airs_listen(struct airs *a, uint32_t node, uint32_t heard, uint32_t port)
{
    if (!grow(a, &a->listener, &a->listener_room, a->listeners + 1, sizeof *a->listener))
        return;
    a->listener[a->listeners++] = (struct listener){node, heard, port};
    a->air[a->count - 1].listeners++;
}

static size_t count_records(const struct airs *a)
{
    size_t all = 0;
    for (size_t i = 0; i < a->count; i++)
        for (size_t l = 0; l < a->air[i].listeners; l++) {
            uint32_t heard = a->listener[a->air[i].listener + l].heard;
            all += heard < a->air[i].blocks ? heard : a->air[i].blocks;
        }
    return all;
}

/** What a transmission says in its step number `at`, from 0. */
static void say(struct stage *s, const struct airs *a, const struct air *air, size_t at, uint32_t step, uint32_t channel,
                uint32_t wavelengths)
{
    for (size_t l = 0; l < air->listeners; l++) {
        const struct listener *to = &a->listener[air->listener + l];
        if (at < to->heard)
            s->records[s->record_count++] = (rwa_lightpath){
                .step = step, .src = air->src, .dst = to->node, .fiber = channel / wavelengths,
                .wavelength = channel % wavelengths, .orbit = 1, .block = a->block[air->block + at]};
    }
}

/** Transmissions first … end - 1, all at once; returns how many steps they take. */
static uint32_t say_all(struct stage *s, const struct airs *a, size_t first, size_t end, uint32_t before, bool named,
                        const rwa_network *net)
{
    size_t longest = 0;
    for (size_t i = first; i < end; i++)
        longest = a->air[i].blocks > longest ? a->air[i].blocks : longest;
    for (size_t at = 0; at < longest; at++)
        for (size_t i = first; i < end; i++)
            if (at < a->air[i].blocks)
                say(s, a, &a->air[i], at, before + (uint32_t)at + 1, named ? a->air[i].wavelength : (uint32_t)(i - first),
                    rwa_network_wavelengths(net));
    return (uint32_t)longest;
}

rwa_status airs_finish(struct stage *stage, struct airs *a, const rwa_network *net)
{
    uint32_t channels = rwa_network_channels(net), step = 0;
    bool named = true;
    if (a->status != RWA_OK)
        return a->status;
    for (size_t i = 0; i < a->count; i++)
        named = named && a->air[i].wavelength < channels;
    size_t turn = named ? a->count : channels;
    stage->records = base_array(count_records(a), sizeof *stage->records, a->err);
    if (!stage->records)
        return RWA_NOMEM;
    for (size_t first = 0; first < a->count; first += turn) {
        size_t end = a->count - first < turn ? a->count : first + turn;
        step += say_all(stage, a, first, end, step, named, net);
    }
    return RWA_OK;
}

/** What a transmission says in step `step` of the stage. */
static void say_on_circuits(struct stage *s, const struct airs *a, const struct air *air, uint32_t step, uint32_t wavelengths)
{
    size_t from = (size_t)(step - 1) * wavelengths;
    for (size_t l = 0; l < air->listeners; l++) {
        const struct listener *to = &a->listener[air->listener + l];
        for (size_t at = from; at < from + wavelengths && at < air->blocks && at < to->heard; at++)
            s->records[s->record_count++] = (rwa_lightpath){
                .step = step, .src = air->src, .dst = to->node, .fiber = to->port, .wavelength = (uint32_t)(at - from),
                .orbit = 1, .block = a->block[air->block + at]};
    }
}

rwa_status airs_finish_circuits(struct stage *stage, struct airs *a, const rwa_network *net)
{
    uint32_t wavelengths = rwa_network_wavelengths(net);
    size_t longest = 0, records = count_records(a);
    if (a->status != RWA_OK)
        return a->status;
    for (size_t i = 0; i < a->count; i++)
        longest = a->air[i].blocks > longest ? a->air[i].blocks : longest;
    stage->records = base_array(records, sizeof *stage->records, a->err);
    if (!stage->records)
        return RWA_NOMEM;
    for (uint32_t step = 1; stage->record_count < records && step <= ceil_div(longest, wavelengths); step++)
        for (size_t i = 0; i < a->count; i++)
            say_on_circuits(stage, a, &a->air[i], step, wavelengths);
    return RWA_OK;
}
