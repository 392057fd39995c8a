/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The wavefront: all nodes spread their blocks alike, along the cheapest trees that the ring's channels allow. */
#include "scheme/scheme.h"
#include "scheme/wavefront_front.h"

#include <stdlib.h>
#include <string.h>

struct wavefront {
    struct front front;
    struct front_limits limits;
    const struct scheme_request *request;
    struct watch watch;
    unsigned stages_done;
};

/** Settings of trees say that a tree is wanted. */
static bool asks_for_tree(const rwa_plan_options *o)
{
    return o->radix_count > 0 || o->stages > 0 || o->group > 0;
}

static rwa_status wavefront_validate(const struct scheme_request *request, rwa_error *err)
{
    const char *scheme = request->opts->scheme;
    if (asks_for_tree(request->opts) && scheme && strcmp(scheme, "wavefront") == 0)
        return base_fail(err, RWA_BADARG, "scheme wavefront takes no radices, stages or groups");
    return RWA_OK;
}

static rwa_status wavefront_open(void **state, const struct scheme_request *request, rwa_error *err)
{
    struct wavefront *w = base_array(1, sizeof *w, err);
    *state = w;
    if (!w)
        return RWA_NOMEM;
    w->request = request;
    if (asks_for_tree(request->opts))
        return scheme_refuse(request, "a wavefront has no radices, stages or groups");
    w->limits = (struct front_limits){.nodes = request->coll->nodes, .channels = rwa_network_channels(request->net),
                                      .max_hops = request->opts->max_hops};
    w->watch = base_watch(0, request->opts->poll, request->opts->poll_data);
    return front_find(&w->front, &w->limits, &w->watch, err);
}

static void wavefront_close(void *state)
{
    struct wavefront *w = state;
    if (w)
        front_free(&w->front);
    free(w);
}

struct record_list {
    rwa_lightpath *records;
    size_t count, room;
};

/** The hop to an offset as it happens: forwards in an all-gather, backwards in time and space in a reduce-scatter. */
static rwa_lightpath record_of(const struct wave *wave, uint32_t offset, bool backwards)
{
    rwa_lightpath lp = {.step = wave->step[offset], .src = wave->from[offset], .dst = offset,
                        .direction = (rwa_direction)wave->direction[offset]};
    if (backwards)
        lp = (rwa_lightpath){.step = wave->steps + 1 - lp.step, .src = lp.dst, .dst = lp.src, .op = RWA_REDUCE,
                             .direction = lp.direction == RWA_CW ? RWA_CCW : RWA_CW};
    return lp;
}

/** The hop of every owner's block, in as few orbits as the tiling allows. */
static rwa_status add_hop(struct record_list *list, const rwa_lightpath *hop, const struct tiling *tiling, size_t index,
                          uint32_t wavelengths, rwa_error *err)
{
    uint32_t nodes = tiling->nodes, run = 0, period = 0;
    uint32_t lowest = hop->direction == RWA_CW ? hop->src : hop->dst; /* where the route begins, seen clockwise */
    rwa_status st = RWA_OK;
    for (uint32_t node = 0; node < nodes; node += run) {
        uint32_t channel = tiling_channel(tiling, index, node, &run, &period);
        uint32_t owner = (node + nodes - lowest) % nodes;
        TRY(base_grow((void **)&list->records, &list->room, list->count + 1, sizeof *list->records, err));
        rwa_lightpath *lp = &list->records[list->count++];
        *lp = *hop;
        lp->src = (uint32_t)(((uint64_t)hop->src + owner) % nodes);
        lp->dst = (uint32_t)(((uint64_t)hop->dst + owner) % nodes);
        lp->block = owner;
        lp->fiber = channel / wavelengths;
        lp->wavelength = channel % wavelengths;
        lp->orbit = run;
        lp->period = period;
    }
done:
    return st;
}

static rwa_status add_group(struct record_list *list, const struct front *front, size_t group, bool backwards,
                            uint32_t wavelengths, rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (uint32_t i = front->first[group]; i < front->first[group + 1]; i++) {
        rwa_lightpath hop = record_of(&front->wave, front->order[i], backwards);
        TRY(add_hop(list, &hop, &front->tiling[group], i - front->first[group], wavelengths, err));
    }
done:
    return st;
}

static rwa_status emit(struct stage *stage, const struct front *front, bool backwards, uint32_t wavelengths,
                       rwa_error *err)
{
    struct record_list list = {0};
    size_t groups = (size_t)2 * front->wave.steps;
    rwa_status st = RWA_OK;
    for (size_t g = 0; g < groups; g++)
        TRY(add_group(&list, front, backwards ? groups - 1 - g : g, backwards, wavelengths, err));
    stage->records = list.records;
    stage->record_count = list.count;
    list.records = NULL;
done:
    free(list.records);
    return st;
}

static unsigned stages_of(rwa_collective_kind kind)
{
    return kind == RWA_ALL_REDUCE ? 2 : 1;
}

static rwa_status wavefront_next(void *state, struct stage *stage, rwa_error *err)
{
    struct wavefront *w = state;
    rwa_collective_kind kind = w->request->coll->kind;
    unsigned at = w->stages_done++;
    if (at == stages_of(kind))
        return RWA_OK;
    return emit(stage, &w->front, kind != RWA_ALL_GATHER && at == 0, rwa_network_wavelengths(w->request->net), err);
}

const struct scheme scheme_wavefront = {
    .name = "wavefront",
    .summary = "every block spreads along a cheapest tree, all trees alike and turned",
    .source = "own; meets the broadcast-tree bound",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_REDUCE_SCATTER | 1u << RWA_ALL_REDUCE,
    .networks = 1u << RWA_RING,
    .symbolic = true,
    .validate = wavefront_validate,
    .open = wavefront_open,
    .next = wavefront_next,
    .close = wavefront_close,
};
