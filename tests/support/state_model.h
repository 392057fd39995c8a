/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A state in plain arrays: routes by listing all simple paths, channels one after the other, copies for undoing. */
#ifndef SUPPORT_STATE_MODEL_H
#define SUPPORT_STATE_MODEL_H

#include "rwa.h"
#include "tests/support/random.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NODES = 6,
    LINKS = 2 * 12,
    FIBERS = 2,
    WAVELENGTHS = 70,
    PATHS = 512,
    LIGHTPATHS = 600,
    DEPTH = 24,
    HISTORY = 16
};

struct light {
    uint64_t id;
    uint32_t src, dst, hops, links[NODES], fiber, wavelength, width, guard;
    double rate_bps;
    bool up;
};

/** The model of the state now. */
struct now {
    bool taken[LINKS][FIBERS][WAVELENGTHS];   /* by carrier */
    bool failed[LINKS];
    struct light lights[LIGHTPATHS];
    uint32_t count;
};

struct model {
    rwa_network *net, *whole;           /* whole: without failed links */
    rwa_state *state;
    rwa_state_options options;
    uint32_t nodes, links, carriers, fibers, wavelengths, most_width;
    uint64_t last;                      /* the highest number of a lightpath so far */
    rwa_link link[LINKS];
    uint32_t carrier[LINKS], carrier_fibers[LINKS];
    bool closed[LINKS][FIBERS][WAVELENGTHS];  /* reserved, or no such fibre */
    struct now now, past[DEPTH];        /* past[i]: before operation number (undoable - i) */
    uint32_t kept;                      /* copies in past */
};

struct path {
    uint32_t hops, links[NODES];
    double km;
};

/* ---- routes ---- */

struct listing {
    struct path paths[PATHS];
    size_t count;
};

static void list_on(const struct model *m, struct listing *all, struct path *path, uint32_t at, uint32_t dst,
                    uint32_t seen)
{
    if (at == dst) {
        CU_ASSERT_FATAL(all->count < PATHS);
        all->paths[all->count++] = *path;
        return;
    }
    for (uint32_t a = 0; a < m->links; a++) {
        if (m->link[a].from != at || (seen >> m->link[a].to & 1) || m->now.failed[m->carrier[a]])
            continue;
        struct path longer = *path;
        longer.links[longer.hops++] = a;
        longer.km += m->link[a].length_km;
        if (m->options.max_hops == 0 || longer.hops <= m->options.max_hops)
            list_on(m, all, &longer, m->link[a].to, dst, seen | 1u << m->link[a].to);
    }
}

static int by_length(const void *a, const void *b)
{
    const struct path *x = a, *y = b;
    if (x->hops != y->hops)
        return x->hops < y->hops ? -1 : 1;
    return x->km < y->km ? -1 : x->km > y->km;
}

/** The routes that a request tries, in order. */
static size_t routes(const struct model *m, struct listing *all, const rwa_request *q)
{
    struct path none = {0};
    all->count = 0;
    if (q->links) {
        all->paths[0].hops = q->hops;
        memcpy(all->paths[0].links, q->links, q->hops * sizeof *q->links);
        for (uint32_t k = 0; k < q->hops; k++)
            if (m->now.failed[m->carrier[q->links[k]]])
                return 0;
        return 1;
    }
    list_on(m, all, &none, q->src, q->dst, 1u << q->src);
    qsort(all->paths, all->count, sizeof all->paths[0], by_length);
    size_t most = q->routing == RWA_ROUTING_SHORTEST ? 1 : m->options.paths;
    return all->count < most ? all->count : most;
}

/* ---- channels ---- */

static uint32_t span_of(const rwa_request *q)
{
    return (q->width ? q->width : 1) + q->guard;
}

/** All of a run of wavelengths from `wavelength` on are free on the whole route. */
static bool run_is_free(const struct model *m, const struct path *p, uint32_t fiber, uint32_t wavelength, uint32_t span)
{
    for (uint32_t k = 0; k < p->hops; k++)
        for (uint32_t i = wavelength; i < wavelength + span; i++)
            if (i >= m->wavelengths || m->now.taken[m->carrier[p->links[k]]][fiber][i] ||
                m->closed[m->carrier[p->links[k]]][fiber][i])
                return false;
    return true;
}

static bool fits(const struct model *m, const struct path *p, const rwa_request *q, uint32_t fiber, uint32_t wavelength)
{
    return (q->fiber == RWA_ANY_CHANNEL || q->fiber == fiber) &&
           (q->wavelength == RWA_ANY_CHANNEL || q->wavelength == wavelength) &&
           run_is_free(m, p, fiber, wavelength, span_of(q));
}

static uint32_t count_free(const struct model *m, const struct path *p, const rwa_request *q)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < m->wavelengths; w++)
        for (uint32_t f = 0; f < m->fibers; f++)
            count += fits(m, p, q, f, w);
    return count;
}

static uint32_t use_of(const struct model *m, uint32_t wavelength)
{
    uint32_t use = 0;
    for (uint32_t c = 0; c < m->carriers; c++)
        for (uint32_t f = 0; f < m->fibers; f++)
            use += m->now.taken[c][f][wavelength];
    return use;
}

static uint32_t use_of_run(const struct model *m, uint32_t wavelength, uint32_t span)
{
    uint32_t use = 0;
    for (uint32_t i = wavelength; i < wavelength + span; i++)
        use += use_of(m, i);
    return use;
}

/** The places in a row, allowed by the request, around this one. */
static uint32_t places_around(const struct model *m, const struct path *p, const rwa_request *q, uint32_t fiber,
                              uint32_t wavelength)
{
    uint32_t count = 1;
    for (uint32_t w = wavelength; w > 0 && fits(m, p, q, fiber, w - 1); w--)
        count++;
    for (uint32_t w = wavelength + 1; w < m->wavelengths && fits(m, p, q, fiber, w); w++)
        count++;
    return count;
}

static int blocks_on(const struct model *m, const struct path *p, uint32_t fiber, uint32_t from, uint32_t to)
{
    int blocks = 0;
    for (uint32_t k = 0; k < p->hops; k++) {
        struct path link = {1, {p->links[k]}, 0};
        bool open = false, before = false;
        for (uint32_t w = 0; w < m->wavelengths; w++, before = open) {
            open = (w < from || w >= to) && run_is_free(m, &link, fiber, w, 1);
            blocks += open && !before;
        }
    }
    return blocks;
}

/** The free blocks that a lightpath there adds to its links, counted one by one. */
static int blocks_added(const struct model *m, const struct path *p, const rwa_request *q, uint32_t fiber,
                        uint32_t wavelength)
{
    return blocks_on(m, p, fiber, wavelength, wavelength + span_of(q)) -
           blocks_on(m, p, fiber, m->wavelengths, m->wavelengths);
}

struct place {
    uint32_t fiber, wavelength;
};

/** Whether place a is to be preferred to b, which is lower. */
static bool better(const struct model *m, const struct path *p, const rwa_request *q, struct place a, struct place b)
{
    uint32_t span = span_of(q);
    switch (q->policy) {
    case RWA_POLICY_LAST_FIT: return true;
    case RWA_POLICY_MOST_USED: return use_of_run(m, a.wavelength, span) > use_of_run(m, b.wavelength, span);
    case RWA_POLICY_LEAST_USED: return use_of_run(m, a.wavelength, span) < use_of_run(m, b.wavelength, span);
    case RWA_POLICY_EXACT_FIT:
        return places_around(m, p, q, a.fiber, a.wavelength) < places_around(m, p, q, b.fiber, b.wavelength);
    case RWA_POLICY_LEAST_FRAGMENTATION:
        return blocks_added(m, p, q, a.fiber, a.wavelength) < blocks_added(m, p, q, b.fiber, b.wavelength);
    case RWA_POLICY_FIRST_FIT:
    case RWA_POLICY_RANDOM: break;
    }
    return false;
}

/** The expected outcome: the route, and the channel (that of a random policy is free to differ).  false: blocked. */
static bool expected(const struct model *m, const rwa_request *q, struct path *route, uint32_t *fiber,
                     uint32_t *wavelength)
{
    static struct listing all;
    size_t count = routes(m, &all, q);
    const struct path *best = NULL;
    uint32_t most = 0;
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        uint32_t channels = count_free(m, &all.paths[i], q);
        if (channels > most && (best == NULL || q->routing == RWA_ROUTING_LEAST_LOADED)) {
            best = &all.paths[i];
            most = channels;
        }
    }
    if (best == NULL)
        return false;
    *route = *best;
    for (uint32_t w = 0; w < m->wavelengths; w++)
        for (uint32_t f = 0; f < m->fibers; f++)
            if (fits(m, best, q, f, w) &&
                (!found || better(m, best, q, (struct place){f, w}, (struct place){*fiber, *wavelength}))) {
                *fiber = f;
                *wavelength = w;
                found = true;
            }
    return true;
}

/* ---- keeping the model up to date ---- */

static void remember(struct model *m)
{
    memmove(&m->past[1], &m->past[0], (DEPTH - 1) * sizeof m->past[0]);
    m->past[0] = m->now;
    m->kept = m->kept < HISTORY ? m->kept + 1 : HISTORY;
}

static void set_taken(struct model *m, const struct light *l, bool taken)
{
    for (uint32_t k = 0; k < l->hops; k++)
        for (uint32_t i = 0; i < l->width + l->guard; i++) {
            bool *channel = &m->now.taken[m->carrier[l->links[k]]][l->fiber][l->wavelength + i];
            CU_ASSERT_NOT_EQUAL(*channel, taken);
            *channel = taken;
        }
}

static struct light *pick_light(struct model *m)
{
    for (uint32_t tries = 0; m->now.count > 0 && tries < 50; tries++) {
        struct light *l = &m->now.lights[any(m->now.count)];
        if (l->up)
            return l;
    }
    return NULL;
}

/** The placement is what the model expects, and the model takes it over. */
static void compare_placed(struct model *m, const rwa_request *q, const rwa_placed *placed, bool fit,
                           const struct path *route, uint32_t fiber, uint32_t wavelength)
{
    CU_ASSERT_EQUAL_FATAL(placed->hops, fit ? route->hops : 0);
    if (!fit)
        return;
    CU_ASSERT_EQUAL(memcmp(placed->links, route->links, route->hops * sizeof *route->links), 0);
    if (q->policy == RWA_POLICY_RANDOM)
        CU_ASSERT_FATAL(fits(m, route, q, placed->fiber, placed->wavelength));
    if (q->policy != RWA_POLICY_RANDOM)
        CU_ASSERT_TRUE_FATAL(placed->fiber == fiber && placed->wavelength == wavelength);
    CU_ASSERT_FALSE(placed->down);
}

/** The measures of free blocks, counted one by one, of the links that work. */
static void compare_fragmentation(const struct model *m)
{
    uint32_t fibers = 0, open = 0;
    rwa_fragmentation f = {0}, found;
    for (uint32_t c = 0; c < m->carriers; c++)
        for (uint32_t fiber = 0; fiber < m->carrier_fibers[c]; fiber++) {
            uint32_t free = 0, largest = 0, run = 0, blocks = 0;
            double entropy = 0;
            for (uint32_t w = 0; w <= m->wavelengths; w++) {
                bool taken = w < m->wavelengths && m->now.taken[c][fiber][w];
                f.highest = taken && w >= f.highest ? w + 1 : f.highest;
                if (w < m->wavelengths && !taken && !m->closed[c][fiber][w]) {
                    run++;
                    continue;
                }
                free += run;
                largest = run > largest ? run : largest;
                blocks += run > 0;
                entropy -= run > 0 ? (double)run / m->wavelengths * log((double)run / m->wavelengths) : 0;
                run = 0;
            }
            if (m->now.failed[c])
                continue;
            fibers++;
            f.blocks += blocks;
            f.entropy += entropy;
            open += free > 0;
            f.external += free > 0 ? 1 - (double)largest / free : 0;
        }
    rwa_state_fragmentation(&found, m->state);
    CU_ASSERT_DOUBLE_EQUAL(found.external, f.external / (open ? open : 1), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(found.entropy, f.entropy / (fibers ? fibers : 1), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(found.blocks, f.blocks / (fibers ? fibers : 1), 1e-12);
    CU_ASSERT_EQUAL(found.highest, f.highest);
}

static void compare_free(const struct model *m)
{
    for (uint32_t a = 0; a < m->links; a++) {
        uint32_t c = m->carrier[a], count = 0;
        CU_ASSERT_EQUAL(rwa_state_is_failed(m->state, RWA_FAILURE_LINK, a), m->now.failed[c]);
        for (uint32_t f = 0; f < m->fibers; f++)
            for (uint32_t w = 0; w < m->wavelengths; w++) {
                int open = !m->now.failed[c] && !m->now.taken[c][f][w] && !m->closed[c][f][w];
                CU_ASSERT_EQUAL_FATAL(rwa_state_is_free(m->state, a, f, w), open);
                count += (uint32_t)open;
            }
        CU_ASSERT_EQUAL(rwa_state_free_channels(m->state, a), count);
    }
}

static bool is_down(const struct model *m, const struct light *l)
{
    for (uint32_t k = 0; k < l->hops; k++)
        if (m->now.failed[m->carrier[l->links[k]]])
            return true;
    return false;
}

static void compare_lights(const struct model *m)
{
    size_t up = 0, seen = 0, down = 0, seen_down = 0;
    for (uint32_t i = 0; i < m->now.count; i++) {
        const struct light *l = &m->now.lights[i];
        rwa_placed p;
        CU_ASSERT_EQUAL_FATAL(rwa_state_get(&p, m->state, l->id), l->up);
        if (!l->up)
            continue;
        up++;
        down += is_down(m, l);
        CU_ASSERT_TRUE(p.width == l->width && p.guard == l->guard && p.rate_bps == l->rate_bps);
        CU_ASSERT_TRUE_FATAL(p.id == l->id && p.src == l->src && p.dst == l->dst && p.hops == l->hops &&
                             p.fiber == l->fiber && p.wavelength == l->wavelength && p.down == is_down(m, l) &&
                             memcmp(p.links, l->links, l->hops * sizeof *p.links) == 0);
    }
    for (uint64_t id = rwa_state_next(m->state, 0); id != RWA_NO_LIGHTPATH; id = rwa_state_next(m->state, id))
        seen++;
    for (uint64_t id = 0; (id = rwa_state_next_in(m->state, id, RWA_CONDITION_DOWN, NULL)) != RWA_NO_LIGHTPATH;)
        seen_down++;
    CU_ASSERT_EQUAL(rwa_state_count(m->state), up);
    CU_ASSERT_EQUAL(seen, up);
    CU_ASSERT_EQUAL(seen_down, down);
}

#endif
