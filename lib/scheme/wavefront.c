/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The wavefront: all nodes spread their blocks alike, along the cheapest trees that the ring's channels allow. */
#include "scheme/scheme.h"
#include "scheme/wavefront_front.h"

#include <stdlib.h>
#include <string.h>

struct wavefront {
    bool direct;                /* one step is enough */
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
                                      .max_hops = request->opts->max_hops, .seed = request->opts->seed};
    w->watch = base_watch(request->opts->time_limit_s, request->opts->poll, request->opts->poll_data);
    w->direct = front_fewest_steps(&w->limits) == 1;
    return w->direct ? RWA_OK : front_find(&w->front, &w->limits, &w->watch, err);
}

static void wavefront_close(void *state)
{
    struct wavefront *w = state;
    if (w)
        front_free(&w->front);
    free(w);
}

/** Records under construction. */
struct record_list {
    const struct front *front;
    uint32_t *told;         /* for each owner: which of the nodes taken for one is told first; NULL when there are none */
    uint32_t wavelengths;
    bool backwards;         /* in time and space, and adding up: a reduce-scatter */
    rwa_lightpath *records;
    size_t count, room;
};

/** Of the nodes from nodes-1 on, the one that hears of an owner's block before the others. */
static uint32_t told_first(const struct front *f, uint32_t owner)
{
    uint32_t best = f->nodes - 1;
    for (uint32_t node = best; node < f->wave.nodes; node++)
        if (f->wave.step[node - owner] < f->wave.step[best - owner])
            best = node;
    return best;
}

static rwa_status list_create(struct record_list *list, const struct front *f, bool backwards, uint32_t wavelengths,
                              rwa_error *err)
{
    *list = (struct record_list){.front = f, .backwards = backwards, .wavelengths = wavelengths};
    if (f->wave.nodes == f->nodes)
        return RWA_OK;
    list->told = base_array(f->nodes, sizeof *list->told, err);
    for (uint32_t owner = 0; list->told && owner < f->nodes; owner++)
        list->told[owner] = told_first(f, owner);
    return list->told ? RWA_OK : RWA_NOMEM;
}

/** Where an owner's hop to an offset happens, in the front's ring. */
struct place {
    uint32_t owner, src, dst;
};

static struct place place_of(const struct wave *w, uint32_t offset, uint32_t lowest)
{
    uint32_t from = w->from[offset], n = w->nodes;
    uint32_t owner = (lowest + n - (w->direction[offset] == RWA_CW ? from : offset)) % n;
    return (struct place){owner, (owner + from) % n, (owner + offset) % n};
}

/** For how many owners from this one on the hop does the same. */
static uint32_t alike(const struct front *f, const struct place *at)
{
    uint32_t last = f->nodes - 1;
    if (f->wave.nodes == f->nodes)
        return UINT32_MAX;
    if (at->owner > last)
        return f->wave.nodes - at->owner;
    if (at->src >= last || at->dst >= last)
        return 1;
    uint32_t farther = at->src > at->dst ? at->src : at->dst;
    uint32_t left = last + 1 - at->owner;
    return last - farther < left ? last - farther : left;
}

/** Nobody owns the blocks of nodes taken for another, and that other one is told only once. */
static bool is_real(const struct record_list *list, const struct place *at)
{
    uint32_t last = list->front->nodes - 1;
    if (!list->told)
        return true;
    return at->owner <= last && (at->dst < last || at->dst == list->told[at->owner]);
}

static uint32_t real(const struct front *f, uint32_t node)
{
    return node < f->nodes ? node : f->nodes - 1;
}

static rwa_status add_record(struct record_list *list, uint32_t offset, const struct place *at, uint32_t channel,
                             uint32_t orbit, uint32_t period, rwa_error *err)
{
    const struct wave *w = &list->front->wave;
    uint32_t src = real(list->front, at->src), dst = real(list->front, at->dst);
    bool cw = w->direction[offset] == RWA_CW;
    rwa_status st = base_grow((void **)&list->records, &list->room, list->count + 1, sizeof *list->records, err);
    if (st != RWA_OK)
        return st;
    list->records[list->count++] = (rwa_lightpath){
        .step = list->backwards ? w->steps + 1 - w->step[offset] : w->step[offset],
        .src = list->backwards ? dst : src,
        .dst = list->backwards ? src : dst,
        .direction = cw != list->backwards ? RWA_CW : RWA_CCW,
        .op = list->backwards ? RWA_REDUCE : RWA_COPY,
        .block = at->owner,
        .fiber = channel / list->wavelengths,
        .wavelength = channel % list->wavelengths,
        .orbit = orbit,
        .period = period,
    };
    return RWA_OK;
}

/** The hop of every owner's block, in as few orbits as the tiling allows. */
static rwa_status add_hop(struct record_list *list, uint32_t offset, const struct tiling *tiling, size_t index,
                          rwa_error *err)
{
    rwa_status st = RWA_OK;
    uint32_t run = 0, period = 0;
    for (uint32_t node = 0; node < tiling->nodes; node += run) {
        struct place at = place_of(&list->front->wave, offset, node);
        uint32_t channel = tiling_channel(tiling, index, node, &run, &period), same = alike(list->front, &at);
        run = run < same ? run : same;
        if (is_real(list, &at))
            TRY(add_record(list, offset, &at, channel, run, period, err));
    }
done:
    return st;
}

static rwa_status add_group(struct record_list *list, size_t group, rwa_error *err)
{
    const struct front *f = list->front;
    rwa_status st = RWA_OK;
    for (uint32_t i = f->first[group]; i < f->first[group + 1]; i++)
        TRY(add_hop(list, f->order[i], &f->tiling[group], i - f->first[group], err));
done:
    return st;
}

static rwa_status emit(struct stage *stage, const struct front *front, bool backwards, uint32_t wavelengths,
                       rwa_error *err)
{
    struct record_list list;
    size_t groups = (size_t)2 * front->wave.steps;
    rwa_status st = RWA_OK;
    TRY(list_create(&list, front, backwards, wavelengths, err));
    for (size_t g = 0; g < groups; g++)
        TRY(add_group(&list, backwards ? groups - 1 - g : g, err));
    stage->records = list.records;
    stage->record_count = list.count;
    list.records = NULL;
done:
    free(list.records);
    free(list.told);
    return st;
}

/** One step: everyone to everyone, for which the planner knows the fewest wavelengths. */
static rwa_status emit_direct(struct stage *stage, uint32_t nodes, bool backwards, rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(stage_create(stage, (size_t)nodes * (nodes - 1), err));
    stage->op = backwards ? RWA_REDUCE : RWA_COPY;
    stage->ranks = nodes;
    stage->copies = 1;
    stage->rank_of = base_array(nodes, sizeof *stage->rank_of, err);
    stage->copy_of = base_array(nodes, sizeof *stage->copy_of, err);
    if (!stage->rank_of || !stage->copy_of)
        return RWA_NOMEM;
    for (uint32_t owner = 0; owner < nodes; owner++) {
        stage->rank_of[owner] = owner;
        for (uint32_t other = 0; other < nodes; other++)
            if (other != owner) {
                stage->src[stage->count] = backwards ? other : owner;
                stage->dst[stage->count] = backwards ? owner : other;
                stage->block[stage->count++] = owner;
            }
    }
done:
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
    bool backwards = kind != RWA_ALL_GATHER && at == 0;
    if (w->direct)
        return emit_direct(stage, w->limits.nodes, backwards, err);
    return emit(stage, &w->front, backwards, rwa_network_wavelengths(w->request->net), err);
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
