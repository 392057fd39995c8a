/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/ring_records.h"

#include <stdlib.h>

/** Where an owner's hop to an offset happens, in a ring that may have more nodes than the network. */
struct place {
    uint32_t owner, src, dst;
};

/** A channel that rises by one a node, modulo its period. */
struct lane {
    uint32_t channel, orbit, period;
};

struct record_list {
    uint32_t nodes, wavelengths;
    rwa_lightpath *records;
    size_t count, room;
    uint32_t *taps;             /* of all records, one after the other */
    size_t *tap_first;          /* where each record's begin, and the end; NULL: none has any */
    size_t tap_count, tap_room, first_room;
};

static uint32_t real(uint32_t node, uint32_t nodes)
{
    return node < nodes ? node : nodes - 1;
}

static rwa_status add_record(struct record_list *list, const struct wave *w, uint32_t offset, const struct place *at,
                             const struct lane *lane, rwa_error *err)
{
    rwa_status st = base_grow((void **)&list->records, &list->room, list->count + 1, sizeof *list->records, err);
    if (st != RWA_OK)
        return st;
    list->records[list->count++] = (rwa_lightpath){
        .step = w->step[offset],
        .src = real(at->src, list->nodes),
        .dst = real(at->dst, list->nodes),
        .direction = (rwa_direction)w->direction[offset],
        .block = at->owner,
        .fiber = lane->channel / list->wavelengths,
        .wavelength = lane->channel % list->wavelengths,
        .orbit = lane->orbit,
        .period = lane->period,
    };
    return RWA_OK;
}

static void hand_over(struct stage *stage, struct record_list *list)
{
    stage->records = list->records;
    stage->record_count = list->count;
    stage->taps = list->taps;
    stage->tap_first = list->tap_first;
    list->records = NULL;
    list->taps = NULL;
    list->tap_first = NULL;
}

static void free_list(struct record_list *list)
{
    free(list->records);
    free(list->taps);
    free(list->tap_first);
}

/** Of the nodes from nodes-1 on, the one that hears of an owner's block before the others. */
static uint32_t told_first(const struct ring_schedule *f, uint32_t owner)
{
    uint32_t best = f->nodes - 1;
    for (uint32_t node = best; node < f->wave.nodes; node++)
        if (f->wave.step[node - owner] < f->wave.step[best - owner])
            best = node;
    return best;
}

/** For each owner; *told stays NULL when no nodes are taken for one. */
static rwa_status list_told(uint32_t **told, const struct ring_schedule *f, rwa_error *err)
{
    if (f->wave.nodes == f->nodes)
        return RWA_OK;
    *told = base_array(f->nodes, sizeof **told, err);
    for (uint32_t owner = 0; *told && owner < f->nodes; owner++)
        (*told)[owner] = told_first(f, owner);
    return *told ? RWA_OK : RWA_NOMEM;
}

/** The place of the hop whose route begins, seen clockwise, at node `lowest`. */
static struct place place_of(const struct wave *w, uint32_t offset, uint32_t lowest)
{
    uint32_t from = w->from[offset], n = w->nodes;
    uint32_t owner = (lowest + n - (w->direction[offset] == RWA_CW ? from : offset)) % n;
    return (struct place){owner, (owner + from) % n, (owner + offset) % n};
}

/** Reader i of a lightpath, 0 being the one nearest to the sender: its offset. */
static uint32_t reader(const struct ring_schedule *f, uint32_t light, uint32_t i)
{
    bool up = f->wave.direction[f->order[f->light[light]]] == RWA_CW;
    return f->order[up ? f->light[light] + i : f->light[light + 1] - 1 - i];
}

static uint32_t readers(const struct ring_schedule *f, uint32_t light)
{
    return f->light[light + 1] - f->light[light];
}

/** For how many owners from this one on the lightpath does the same. */
static uint32_t alike(const struct ring_schedule *f, uint32_t light, const struct place *at)
{
    uint32_t last = f->nodes - 1, farthest = at->src, left = f->nodes - at->owner;
    if (f->wave.nodes == f->nodes)
        return UINT32_MAX;
    if (at->owner > last)
        return f->wave.nodes - at->owner;
    for (uint32_t i = 0; i < readers(f, light); i++) {
        uint32_t node = (at->owner + reader(f, light, i)) % f->wave.nodes;
        farthest = node > farthest ? node : farthest;
    }
    if (farthest >= last)
        return 1;
    return last - farthest < left ? last - farthest : left;
}

/** Nobody owns the blocks of nodes taken for another, and that other one is told only once. */
static bool is_real(const struct ring_schedule *f, const uint32_t *told, uint32_t owner, uint32_t node)
{
    uint32_t last = f->nodes - 1;
    return !told || (owner <= last && (node < last || node == told[owner]));
}

/** The real readers of an owner's block, the nearest first; the last of them is where the lightpath ends. */
static rwa_status put_readers(struct record_list *list, uint32_t *end, uint32_t *count, const struct ring_schedule *f,
                              const uint32_t *told, uint32_t light, uint32_t owner, rwa_error *err)
{
    uint32_t most = readers(f, light);
    rwa_status st = RWA_OK;
    *count = 0;
    TRY(base_grow((void **)&list->taps, &list->tap_room, list->tap_count + most, sizeof *list->taps, err));
    for (uint32_t i = 0; i < most; i++) {
        uint32_t node = (owner + reader(f, light, i)) % f->wave.nodes;
        if (!is_real(f, told, owner, node))
            continue;
        *end = node;
        list->taps[list->tap_count + (*count)++] = real(node, f->nodes);
    }
done:
    return st;
}

/** All readers put but the last are taps of the record that comes next. */
static rwa_status keep_taps(struct record_list *list, uint32_t count, rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(base_grow((void **)&list->tap_first, &list->first_room, list->count + 2, sizeof *list->tap_first, err));
    list->tap_first[list->count] = list->tap_count;
    list->tap_count += count - 1;
    list->tap_first[list->count + 1] = list->tap_count;
done:
    return st;
}

/** The lightpath of every owner's block, in as few orbits as the tiling allows. */
static rwa_status add_lightpath(struct record_list *list, const struct ring_schedule *f, const uint32_t *told, uint32_t light,
                                const struct colouring *tiling, size_t index, rwa_error *err)
{
    struct lane lane;
    uint32_t offset = ring_schedule_end(f, light), count;
    rwa_status st = RWA_OK;
    for (uint32_t node = 0; node < tiling->nodes; node += lane.orbit) {
        struct place at = place_of(&f->wave, offset, node);
        uint32_t same = alike(f, light, &at);
        lane.channel = colouring_channel(tiling, index, node, &lane.orbit, &lane.period);
        lane.orbit = lane.orbit < same ? lane.orbit : same;
        TRY(put_readers(list, &at.dst, &count, f, told, light, at.owner, err));
        if (count == 0)
            continue;
        TRY(keep_taps(list, count, err));
        TRY(add_record(list, &f->wave, offset, &at, &lane, err));
    }
done:
    return st;
}

static rwa_status add_group(struct record_list *list, const struct ring_schedule *f, const uint32_t *told, size_t group,
                            rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (uint32_t i = f->first[group]; i < f->first[group + 1]; i++)
        TRY(add_lightpath(list, f, told, i, &f->colouring[group], i - f->first[group], err));
done:
    return st;
}

rwa_status records_of_schedule(struct stage *stage, const struct ring_schedule *f, uint32_t wavelengths, rwa_error *err)
{
    struct record_list list = {.nodes = f->nodes, .wavelengths = wavelengths};
    size_t groups = (size_t)2 * f->wave.steps;
    uint32_t *told = NULL;
    rwa_status st = RWA_OK;
    TRY(list_told(&told, f, err));
    for (size_t g = 0; g < groups; g++)
        TRY(add_group(&list, f, told, g, err));
    hand_over(stage, &list);
done:
    free_list(&list);
    free(told);
    return st;
}

/** All hops of one owner in a step. */
static rwa_status add_owner(struct record_list *list, const struct owner_trees *m, uint32_t owner, uint32_t step,
                            rwa_error *err)
{
    const struct wave *w = &m->wave[owner];
    rwa_status st = RWA_OK;
    for (uint32_t v = 1; v < m->nodes; v++) {
        struct place at = {owner, (owner + w->from[v]) % m->nodes, (owner + v) % m->nodes};
        struct lane lane = {m->channel[owner * m->nodes + v], 1, 0};
        if (w->step[v] == step)
            TRY(add_record(list, w, v, &at, &lane, err));
    }
done:
    return st;
}

rwa_status records_of_owner_trees(struct stage *stage, const struct owner_trees *m, uint32_t wavelengths, rwa_error *err)
{
    struct record_list list = {.nodes = m->nodes, .wavelengths = wavelengths};
    rwa_status st = RWA_OK;
    for (uint32_t step = 1; step <= m->steps; step++)
        for (uint32_t owner = 0; owner < m->nodes; owner++)
            TRY(add_owner(&list, m, owner, step, err));
    hand_over(stage, &list);
done:
    free_list(&list);
    return st;
}
