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

/** Where the records go. */
struct writer {
    struct schedule_sink *sink;
    uint32_t nodes, wavelengths;
    uint32_t *readers;          /* of one lightpath */
    size_t room;
};

static uint32_t real(uint32_t node, uint32_t nodes)
{
    return node < nodes ? node : nodes - 1;
}

/** @param taps  of the lightpath, the first `count` of writer->readers */
static rwa_status push_record(const struct writer *to, const struct wave *w, uint32_t offset, const struct place *at,
                              const struct lane *lane, uint32_t count, rwa_error *err)
{
    rwa_lists lists = {.taps = to->readers, .tap_count = count};
    rwa_lightpath lp = {
        .step = w->step[offset],
        .src = real(at->src, to->nodes),
        .dst = real(at->dst, to->nodes),
        .direction = (rwa_direction)w->direction[offset],
        .block = at->owner,
        .fiber = lane->channel / to->wavelengths,
        .wavelength = lane->channel % to->wavelengths,
        .orbit = lane->orbit,
        .period = lane->period,
    };
    return sink_lightpath(to->sink, &lp, &lists, err);
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
static rwa_status list_readers(struct writer *to, uint32_t *end, uint32_t *count, const struct ring_schedule *f, const uint32_t *told,
                               uint32_t light, uint32_t owner, rwa_error *err)
{
    uint32_t most = readers(f, light);
    rwa_status st = RWA_OK;
    *count = 0;
    TRY(base_grow((void **)&to->readers, &to->room, most, sizeof *to->readers, err));
    for (uint32_t i = 0; i < most; i++) {
        uint32_t node = (owner + reader(f, light, i)) % f->wave.nodes;
        if (!is_real(f, told, owner, node))
            continue;
        *end = node;
        to->readers[(*count)++] = real(node, f->nodes);
    }
done:
    return st;
}

/** The lightpath of every owner's block, in as few orbits as the tiling allows. */
static rwa_status add_lightpath(struct writer *to, const struct ring_schedule *f, const uint32_t *told, uint32_t light,
                                const struct colouring *colouring, size_t index, rwa_error *err)
{
    struct lane lane;
    uint32_t offset = ring_schedule_end(f, light), count;
    rwa_status st = RWA_OK;
    for (uint32_t node = 0; node < colouring->nodes; node += lane.orbit) {
        struct place at = place_of(&f->wave, offset, node);
        uint32_t same = alike(f, light, &at);
        lane.channel = colouring_channel(colouring, index, node, &lane.orbit, &lane.period);
        lane.orbit = lane.orbit < same ? lane.orbit : same;
        TRY(list_readers(to, &at.dst, &count, f, told, light, at.owner, err));
        if (count > 0)
            TRY(push_record(to, &f->wave, offset, &at, &lane, count - 1, err));
    }
done:
    return st;
}

static rwa_status add_group(struct writer *to, const struct ring_schedule *f, const uint32_t *told, size_t group,
                            rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (uint32_t i = f->first[group]; i < f->first[group + 1]; i++)
        TRY(add_lightpath(to, f, told, i, &f->colouring[group], i - f->first[group], err));
done:
    return st;
}

rwa_status push_ring_schedule(struct schedule_sink *sink, const struct ring_schedule *f, uint32_t wavelengths, rwa_error *err)
{
    struct writer to = {.sink = sink, .nodes = f->nodes, .wavelengths = wavelengths};
    size_t groups = (size_t)2 * f->wave.steps;
    uint32_t *told = NULL;
    rwa_status st = RWA_OK;
    TRY(list_told(&told, f, err));
    for (size_t g = 0; g < groups; g++)
        TRY(add_group(&to, f, told, g, err));
done:
    free(to.readers);
    free(told);
    return st;
}

/** All hops of one owner in a step. */
static rwa_status add_owner(const struct writer *to, const struct owner_trees *m, uint32_t owner, uint32_t step, rwa_error *err)
{
    const struct wave *w = &m->wave[owner];
    rwa_status st = RWA_OK;
    for (uint32_t v = 1; v < m->nodes; v++) {
        struct place at = {owner, (owner + w->from[v]) % m->nodes, (owner + v) % m->nodes};
        struct lane lane = {m->channel[owner * m->nodes + v], 1, 0};
        if (w->step[v] == step)
            TRY(push_record(to, w, v, &at, &lane, 0, err));
    }
done:
    return st;
}

rwa_status push_owner_trees(struct schedule_sink *sink, const struct owner_trees *m, uint32_t wavelengths, rwa_error *err)
{
    struct writer to = {.sink = sink, .nodes = m->nodes, .wavelengths = wavelengths};
    rwa_status st = RWA_OK;
    for (uint32_t step = 1; step <= m->steps; step++)
        for (uint32_t owner = 0; owner < m->nodes; owner++)
            TRY(add_owner(&to, m, owner, step, err));
done:
    return st;
}
