/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/ring_schedule.h"

#include <stdlib.h>
#include <string.h>

static size_t group_of(const struct wave *w, uint32_t v)
{
    return (size_t)2 * (w->step[v] - 1) + w->direction[v];
}

/** Counting sort of the offsets by step and direction. */
static rwa_status sort_offsets(struct ring_schedule *f, rwa_error *err)
{
    const struct wave *w = &f->wave;
    size_t groups = (size_t)2 * w->steps;
    f->order = base_array(w->nodes, sizeof *f->order, err);
    f->first = base_array(groups + 2, sizeof *f->first, err);
    f->colouring = base_array(groups, sizeof *f->colouring, err);
    if (!f->order || !f->first || !f->colouring)
        return RWA_NOMEM;
    for (uint32_t v = 1; v < w->nodes; v++)
        f->first[group_of(w, v) + 2]++;
    for (size_t g = 2; g <= groups; g++)
        f->first[g + 1] += f->first[g];
    for (uint32_t v = 1; v < w->nodes; v++)
        f->order[f->first[group_of(w, v) + 1]++] = v;
    return RWA_OK;
}

/** The end of the run of offsets from `at` on that one node tells. */
static uint32_t end_of_run(const struct ring_schedule *f, uint32_t at, uint32_t end)
{
    uint32_t from = f->wave.from[f->order[at]];
    while (at < end && f->wave.from[f->order[at]] == from)
        at++;
    return at;
}

/** A run on as few lightpaths as can be, the farthest readers together, which clockwise stand last; the next of them. */
static uint32_t cut_run(struct ring_schedule *f, uint32_t lights, uint32_t at, uint32_t end, uint32_t drops)
{
    uint32_t over = (end - at) % drops;
    bool near_first = f->wave.direction[f->order[at]] == RWA_CW && over > 0;
    for (uint32_t size = near_first ? over : drops; at < end; at += size, size = drops)
        f->light[lights++] = at;
    return lights;
}

/** The offsets of each group on lightpaths; from here on f->first counts these. */
static rwa_status cut_lightpaths(struct ring_schedule *f, uint32_t drops, rwa_error *err)
{
    uint32_t lights = 0, at = 0;
    f->light = base_array(f->wave.nodes, sizeof *f->light, err);
    if (!f->light)
        return RWA_NOMEM;
    for (size_t g = 0; g < (size_t)2 * f->wave.steps; g++) {
        uint32_t end = f->first[g + 1];
        f->first[g] = lights;
        for (uint32_t next; at < end; at = next) {
            next = end_of_run(f, at, end);
            lights = cut_run(f, lights, at, next, drops);
        }
    }
    f->first[(size_t)2 * f->wave.steps] = lights;
    f->light[lights] = at;
    return RWA_OK;
}

uint32_t ring_schedule_end(const struct ring_schedule *f, uint32_t k)
{
    bool up = f->wave.direction[f->order[f->light[k]]] == RWA_CW;
    return f->order[up ? f->light[k + 1] - 1 : f->light[k]];
}

static uint32_t length_of(const struct ring_schedule *f, uint32_t k)
{
    return wave_hops(&f->wave, ring_schedule_end(f, k));
}

/** Whether no node reads more lightpaths in a step than it has ports; it sends no more than it reads. */
static bool keeps_to_ports(const struct ring_schedule *f, uint32_t ports)
{
    for (uint32_t s = 0; s < f->wave.steps && ports > 0; s++)
        if (f->light[f->first[2 * s + 2]] - f->light[f->first[2 * s]] > ports)
            return false;
    return true;
}

/** Whether no lightpath is too long, no group too heavy, and no node reads too many. */
static bool respects(const struct ring_schedule *f, const struct ring_limits *limits)
{
    const struct wave *w = &f->wave;
    for (size_t g = 0; g < (size_t)2 * w->steps; g++) {
        uint64_t load = 0;
        for (uint32_t i = f->first[g]; i < f->first[g + 1]; i++) {
            uint32_t hops = length_of(f, i);
            load += hops;
            if (limits->max_hops > 0 && hops > limits->max_hops)
                return false;
        }
        if (load > limits->channels)
            return false;
    }
    return keeps_to_ports(f, limits->ports);
}

/** Load that finds its wavelengths whatever its lengths: as many rounds of them as the whole ring holds. */
static uint32_t safe_load(uint32_t ring, uint32_t channels)
{
    return channels < ring ? ring / ((ring + channels - 1) / channels) : channels;
}

/** What a group whose lengths found no wavelengths may carry in the next attempt.  Where readers share lightpaths little may be to
 *  spare, and with one channel less other lengths come about: so less and less. */
static uint32_t less_room(uint32_t load, uint32_t ring, const struct ring_limits *limits)
{
    uint32_t safe = safe_load(ring, limits->channels);
    return limits->drops > 1 && load > safe ? load - 1 : safe;
}

/** Wavelengths for every group; *fits says whether there are enough.  Where there are not, less room is allowed. */
static rwa_status tile(struct ring_schedule *f, bool *fits, const struct ring_limits *limits, uint32_t *room, rwa_error *err)
{
    const struct wave *w = &f->wave;
    rwa_status st = RWA_OK;
    uint32_t *length = base_array(w->nodes, sizeof *length, err);
    if (!length)
        return RWA_NOMEM;
    *fits = true;
    for (size_t g = 0; g < (size_t)2 * w->steps; g++) {
        size_t count = f->first[g + 1] - f->first[g];
        uint32_t load = 0;
        for (size_t i = 0; i < count; i++)
            load += length[i] = length_of(f, f->first[g] + (uint32_t)i);
        TRY(colouring_find(&f->colouring[g], length, count, w->nodes, limits->channels, err));
        if (count == 0 || f->colouring[g].size > 0)
            continue;
        room[g] = less_room(load, w->nodes, limits);
        *fits = false;
    }
done:
    free(length);
    return st;
}

static rwa_status lay(struct ring_schedule *f, struct lattice_points *points, uint32_t steps, uint32_t drops, rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(wave_lay(&f->wave, points, steps, err));
    TRY(sort_offsets(f, err));
    TRY(cut_lightpaths(f, drops, err));
done:
    return st;
}

/** The even choice of points for lightpaths of one reader, as long as no limit stands against it. */
static rwa_status lay_even(struct ring_schedule *f, bool *fits, uint32_t ring, uint32_t steps, const struct ring_limits *limits,
                           rwa_error *err)
{
    struct lattice_points points = {0};
    rwa_status st = RWA_OK;
    ring_schedule_free(f);
    TRY(lattice_points_choose(&points, ring, steps, err));
    TRY(lay(f, &points, steps, 1, err));
    *fits = respects(f, limits);
done:
    free(points.coordinate);
    return st;
}

static rwa_status lay_searched(struct ring_schedule *f, bool *fits, uint32_t ring, uint32_t steps, const uint32_t *room,
                               const struct ring_limits *limits, struct budget *budget, rwa_error *err)
{
    struct lattice_points points = {0};
    struct point_limits within = {ring, steps, limits->max_hops > 0 ? limits->max_hops : limits->channels,
                                  limits->drops, room, limits->ports};
    rwa_status st = RWA_OK;
    ring_schedule_free(f);
    TRY(lattice_points_search(&points, &within, limits->seed, budget, err));
    *fits = points.count > 0;
    if (*fits)
        TRY(lay(f, &points, steps, limits->drops, err));
done:
    free(points.coordinate);
    return st;
}

/** Points, their places, their wavelengths; steps without enough wavelengths get less to carry in the next attempt. */
static rwa_status attempt(struct ring_schedule *f, bool *fits, uint32_t ring, uint32_t steps, uint32_t *room,
                          const struct ring_limits *limits, struct budget *budget, rwa_error *err)
{
    enum { ATTEMPTS = 4, TAPPED_ATTEMPTS = 16 };
    bool worth = limits->drops > 1 || ring == limits->nodes || ring % limits->channels == 0;
    int attempts = limits->drops > 1 ? TAPPED_ATTEMPTS : ATTEMPTS;
    rwa_status st = RWA_OK;
    for (size_t h = 0; h < (size_t)2 * steps; h++)
        room[h] = limits->one_way && h % 2 != (size_t)limits->way ? 0 : limits->channels;
    if (!limits->one_way && limits->drops == 1)
        TRY(lay_even(f, fits, ring, steps, limits, err));
    if (*fits)
        TRY(tile(f, fits, limits, room, err));
    for (int i = 0; i < attempts && !*fits && worth; i++) {
        TRY(lay_searched(f, fits, ring, steps, room, limits, budget, err));
        if (!*fits)
            break;
        TRY(tile(f, fits, limits, room, err));
    }
    f->nodes = limits->nodes;
done:
    return st;
}

static rwa_status try_ring(struct ring_schedule *f, bool *fits, uint32_t ring, uint32_t steps, const struct ring_limits *limits,
                           struct budget *budget, rwa_error *err)
{
    rwa_status st = RWA_OK;
    if (base_must_stop(budget, "spreading", -1) && budget->cancelled)
        return base_fail(err, RWA_CANCELLED, "planning was stopped at a wavefront of %u steps", steps);
    uint32_t *room = base_array((size_t)2 * steps, sizeof *room, err);
    st = room ? attempt(f, fits, ring, steps, room, limits, budget, err) : RWA_NOMEM;
    free(room);
    return st;
}

/** A multiple of the channels always finds its wavelengths; smaller rings are tried before it.  Where ports limit, what is taken
 *  for one node might send more than others. */
static rwa_status try_steps(struct ring_schedule *f, bool *fits, uint32_t steps, const struct ring_limits *limits,
                            struct budget *budget, rwa_error *err)
{
    const uint32_t effort = 1u << 22;
    uint32_t nodes = limits->nodes, sure = nodes + (limits->channels - nodes % limits->channels) % limits->channels;
    rwa_status st = RWA_OK;
    sure = limits->ports > 0 ? nodes : sure;
    *fits = false;
    for (uint32_t ring = nodes; ring <= sure && !*fits; ring++) {
        if (ring - nodes > effort / nodes && ring < sure)
            ring = sure;
        if (lattice_least_steps(ring, limits->channels, limits->drops, limits->one_way) > steps)
            break;
        TRY(try_ring(f, fits, ring, steps, limits, budget, err));
    }
done:
    return st;
}

uint32_t ring_schedule_fewest_steps(const struct ring_limits *l)
{
    uint64_t ends = l->one_way ? 1 : 2, others = l->nodes - 1;
    uint32_t by_load = lattice_least_steps(l->nodes, l->channels, l->drops, l->one_way);
    uint32_t by_hops = l->max_hops > 0 ? (uint32_t)((others + ends * l->max_hops - 1) / (ends * l->max_hops)) : 0;
    uint32_t by_ports = l->ports > 0 ? (uint32_t)((others + l->ports - 1) / l->ports) : 0, most = by_load > by_hops ? by_load : by_hops;
    return most > by_ports ? most : by_ports;
}

/** One step more, and one more; after some failures in longer strides. */
rwa_status ring_schedule_find(struct ring_schedule *f, const struct ring_limits *limits, uint32_t fewer_than, struct budget *budget,
                      rwa_error *err)
{
    bool fits = false;
    uint32_t steps = ring_schedule_fewest_steps(limits), tries = 0;
    rwa_status st = RWA_OK;
    memset(f, 0, sizeof *f);
    while (!fits && (fewer_than == 0 || steps < fewer_than)) {
        TRY(try_steps(f, &fits, steps, limits, budget, err));
        steps += tries++ < 16 ? 1 : steps / 16 + 1;
    }
    if (!fits)
        ring_schedule_free(f);
done:
    return st;
}

void ring_schedule_free(struct ring_schedule *f)
{
    for (size_t g = 0; f->colouring && g < (size_t)2 * f->wave.steps; g++)
        colouring_free(&f->colouring[g]);
    free(f->colouring);
    free(f->order);
    free(f->light);
    free(f->first);
    wave_free(&f->wave);
    memset(f, 0, sizeof *f);
}
