/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * States against a model that keeps every channel of every link as a truth value, finds its routes by listing all simple
 * paths, chooses by looking at one channel after the other, and undoes by taking up an earlier copy of itself.
 */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 6, LINKS = 2 * 12, FIBERS = 2, WAVELENGTHS = 70, PATHS = 512, LIGHTPATHS = 600, DEPTH = 24, HISTORY = 16 };

struct light {
    uint64_t id;
    uint32_t src, dst, hops, links[NODES], fiber, wavelength, width, guard;
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
    rwa_network *net;
    rwa_state *state;
    uint32_t nodes, links, carriers, fibers, wavelengths, paths, max_hops, most_width;
    rwa_model kind;
    rwa_link link[LINKS];
    uint32_t carrier[LINKS];
    bool closed[LINKS][FIBERS][WAVELENGTHS];  /* reserved, or no such fibre */
    struct now now, past[DEPTH];        /* past[i]: before operation number (undoable - i) */
    uint32_t kept;                      /* copies in past */
    uint64_t random;
};

struct path {
    uint32_t hops, links[NODES];
    double km;
};

static uint32_t below(struct model *m, uint32_t n)
{
    return (uint32_t)base_random_below(&m->random, n);
}

/* ---- routes ---- */

struct listing {
    struct path paths[PATHS];
    size_t count;
};

static void list_on(const struct model *m, struct listing *all, struct path *path, uint32_t at, uint32_t dst, uint32_t seen)
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
        if (m->max_hops == 0 || longer.hops <= m->max_hops)
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
    size_t most = q->routing == RWA_ROUTING_SHORTEST ? 1 : m->paths;
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
            if (i >= m->wavelengths || m->now.taken[m->carrier[p->links[k]]][fiber][i] || m->closed[m->carrier[p->links[k]]][fiber][i])
                return false;
    return true;
}

static bool fits(const struct model *m, const struct path *p, const rwa_request *q, uint32_t fiber, uint32_t wavelength)
{
    return (q->fiber == RWA_ANY_CHANNEL || q->fiber == fiber) && (q->wavelength == RWA_ANY_CHANNEL || q->wavelength == wavelength) &&
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
static uint32_t places_around(const struct model *m, const struct path *p, const rwa_request *q, uint32_t fiber, uint32_t wavelength)
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
static int blocks_added(const struct model *m, const struct path *p, const rwa_request *q, uint32_t fiber, uint32_t wavelength)
{
    return blocks_on(m, p, fiber, wavelength, wavelength + span_of(q)) - blocks_on(m, p, fiber, m->wavelengths, m->wavelengths);
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
    case RWA_POLICY_EXACT_FIT: return places_around(m, p, q, a.fiber, a.wavelength) < places_around(m, p, q, b.fiber, b.wavelength);
    case RWA_POLICY_LEAST_FRAGMENTATION: return blocks_added(m, p, q, a.fiber, a.wavelength) < blocks_added(m, p, q, b.fiber, b.wavelength);
    case RWA_POLICY_FIRST_FIT:
    case RWA_POLICY_RANDOM: break;
    }
    return false;
}

/** The expected outcome: the route, and the channel (that of a random policy is free to differ).  false: blocked. */
static bool expected(const struct model *m, const rwa_request *q, struct path *route, uint32_t *fiber, uint32_t *wavelength)
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
        struct light *l = &m->now.lights[below(m, m->now.count)];
        if (l->up)
            return l;
    }
    return NULL;
}

/** The placement is what the model expects, and the model takes it over. */
static void compare_placed(struct model *m, const rwa_request *q, const rwa_placed *placed, bool fit, const struct path *route,
                           uint32_t fiber, uint32_t wavelength)
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

static void compare_free(const struct model *m)
{
    for (uint32_t a = 0; a < m->links; a++) {
        uint32_t c = m->carrier[a], count = 0;
        CU_ASSERT_EQUAL(rwa_state_is_failed(m->state, a), m->now.failed[c]);
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
        CU_ASSERT_TRUE(rwa_state_width(m->state, l->id) == l->width && rwa_state_guard(m->state, l->id) == l->guard);
        CU_ASSERT_TRUE_FATAL(p.id == l->id && p.src == l->src && p.dst == l->dst && p.hops == l->hops &&
                             p.fiber == l->fiber && p.wavelength == l->wavelength && p.down == is_down(m, l) &&
                             memcmp(p.links, l->links, l->hops * sizeof *p.links) == 0);
    }
    for (uint64_t id = rwa_state_next(m->state, 0); id != RWA_NO_LIGHTPATH; id = rwa_state_next(m->state, id))
        seen++;
    for (uint64_t id = rwa_state_next_down(m->state, 0); id != RWA_NO_LIGHTPATH; id = rwa_state_next_down(m->state, id))
        seen_down++;
    CU_ASSERT_EQUAL(rwa_state_count(m->state), up);
    CU_ASSERT_EQUAL(seen, up);
    CU_ASSERT_EQUAL(seen_down, down);
}

/* ---- why blocked ---- */

/** A state that holds the same, and forgets what it is asked to do; ids[i] of ours is its number i + 1. */
static rwa_state *twin_of(const struct model *m)
{
    rwa_state_options o;
    rwa_assignment *result = NULL;
    rwa_state *twin = NULL;
    rwa_network *whole = NULL;
    rwa_faults faults;
    rwa_network_faults(&faults, m->net);
    faults.link_count = 0;
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&whole, m->net, &faults, NULL), RWA_OK);
    rwa_state_options_init(&o);
    o.model = m->kind;
    o.paths = m->paths;
    o.max_hops = m->max_hops;
    CU_ASSERT_EQUAL_FATAL(rwa_state_create(&twin, whole, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_state_export(&result, m->state, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_state_import(twin, result, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_state_undo(twin, 1, NULL), RWA_BADARG);
    for (uint32_t a = 0; a < m->links; a++)
        if (m->now.failed[m->carrier[a]])
            CU_ASSERT_EQUAL(rwa_state_fail_link(twin, a, NULL), RWA_OK);
    rwa_assignment_free(result);
    rwa_network_free(whole);
    return twin;
}

/** The twin's id of a lightpath: both go through theirs in one order. */
static uint64_t twin_id(const struct model *m, const rwa_state *twin, uint64_t id)
{
    uint64_t theirs = rwa_state_next(twin, RWA_NO_LIGHTPATH);
    for (uint64_t ours = rwa_state_next(m->state, RWA_NO_LIGHTPATH); ours != id; ours = rwa_state_next(m->state, ours))
        theirs = rwa_state_next(twin, theirs);
    return theirs;
}

static bool fits_now(rwa_state *state, const rwa_request *q)
{
    rwa_placed placed;
    CU_ASSERT_EQUAL_FATAL(rwa_state_try(&placed, state, q, NULL), RWA_OK);
    return placed.hops > 0;
}

/** Without a lightpath: is there a place for the request and then one for the lightpath where it runs, whatever place the request
 *  takes?  The twin is as before. */
static bool can_move(const struct model *m, rwa_state *twin, uint64_t id, const rwa_request *request)
{
    static struct listing all;
    rwa_placed at, placed;
    rwa_request q, exact = *request;
    uint32_t links[NODES];
    uint64_t mark = rwa_state_mark(twin);
    bool found = false;
    CU_ASSERT_TRUE_FATAL(rwa_state_get(&at, twin, id));
    memcpy(links, at.links, at.hops * sizeof *links);
    rwa_request_init(&q, at.src, at.dst);
    q.links = links;
    q.hops = at.hops;
    q.width = rwa_state_width(twin, id);
    q.guard = rwa_state_guard(twin, id);
    if (at.down)
        return false;
    CU_ASSERT_EQUAL(rwa_state_release(twin, id, NULL), RWA_OK);
    size_t count = routes(m, &all, request);
    for (size_t i = 0; i < count && !found; i++)
        for (uint32_t channel = 0; channel < m->fibers * m->wavelengths && !found; channel++) {
            exact.links = all.paths[i].links;
            exact.hops = all.paths[i].hops;
            exact.fiber = channel / m->wavelengths;
            exact.wavelength = channel % m->wavelengths;
            if ((request->fiber != RWA_ANY_CHANNEL && request->fiber != exact.fiber) ||
                (request->wavelength != RWA_ANY_CHANNEL && request->wavelength != exact.wavelength))
                continue;
            CU_ASSERT_EQUAL_FATAL(rwa_state_add(&placed, twin, &exact, NULL), RWA_OK);
            if (placed.hops == 0)
                continue;
            found = fits_now(twin, &q);
            CU_ASSERT_EQUAL(rwa_state_undo(twin, 1, NULL), RWA_OK);
        }
    CU_ASSERT_EQUAL(rwa_state_rollback(twin, mark, NULL), RWA_OK);
    return found;
}

/** Every single release and repair, tried. */
static void count_ways_out(const struct model *m, rwa_state *twin, const rwa_request *q, int *release, int *move, int *repair)
{
    *release = *move = *repair = 0;
    for (uint64_t id = rwa_state_next(twin, 0), next; id != RWA_NO_LIGHTPATH; id = next) {
        bool movable = can_move(m, twin, id, q);
        CU_ASSERT_EQUAL(rwa_state_release(twin, id, NULL), RWA_OK);
        bool fit = fits_now(twin, q);
        CU_ASSERT_EQUAL(rwa_state_undo(twin, 1, NULL), RWA_OK);
        *release += fit;
        CU_ASSERT_TRUE(fit || !movable);
        *move += movable;
        next = rwa_state_next(twin, id);
    }
    for (uint32_t a = 0; a < m->links; a++)
        if (rwa_state_is_failed(twin, a)) {
            CU_ASSERT_EQUAL(rwa_state_repair_link(twin, a, NULL), RWA_OK);
            *repair += fits_now(twin, q);
            CU_ASSERT_EQUAL(rwa_state_undo(twin, 1, NULL), RWA_OK);
        }
}

/** Does it let the request through? */
static void apply(const struct model *m, rwa_state *twin, const rwa_request *q, const rwa_obstacle *why)
{
    rwa_request other = *q;
    rwa_placed placed;
    uint32_t links[NODES];
    other.fiber = why->fiber;
    other.wavelength = why->wavelength;
    if (why->remedy == RWA_REMEDY_ROUTE) {
        other.links = why->links;
        other.hops = why->hops;
        CU_ASSERT_EQUAL(rwa_state_add(&placed, twin, &other, NULL), RWA_OK);
        CU_ASSERT_EQUAL(placed.hops, why->hops);
        return;
    }
    if (why->remedy == RWA_REMEDY_MOVE) {
        uint64_t id = twin_id(m, twin, why->id);
        CU_ASSERT_TRUE_FATAL(rwa_state_get(&placed, twin, id));
        memcpy(links, placed.links, placed.hops * sizeof *links);
        rwa_request_init(&other, placed.src, placed.dst);
        other.links = links;
        other.hops = placed.hops;
        other.fiber = why->fiber;
        other.wavelength = why->wavelength;
        other.width = rwa_state_width(twin, id);
        other.guard = rwa_state_guard(twin, id);
        CU_ASSERT_EQUAL(rwa_state_move(&placed, twin, id, &other, NULL), RWA_OK);
        CU_ASSERT_NOT_EQUAL(placed.hops, 0);
    } else if (why->remedy == RWA_REMEDY_REPAIR) {
        CU_ASSERT_EQUAL(rwa_state_repair_link(twin, why->repair, NULL), RWA_OK);
    } else if (why->remedy == RWA_REMEDY_RELEASE) {
        CU_ASSERT_EQUAL(rwa_state_release(twin, twin_id(m, twin, why->id), NULL), RWA_OK);
    } else
        return;
    CU_ASSERT_TRUE(fits_now(twin, q));
}

/** One of the routes tried passes the node, and has channels free before and behind it. */
static bool converts(const struct model *m, const rwa_request *q, uint32_t node)
{
    static struct listing all;
    size_t count = routes(m, &all, q);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 1; k < all.paths[i].hops; k++) {
            struct path before = all.paths[i], behind = {.hops = before.hops - k};
            before.hops = k;
            memcpy(behind.links, all.paths[i].links + k, behind.hops * sizeof *behind.links);
            if (m->link[behind.links[0]].from == node && count_free(m, &before, q) > 0 && count_free(m, &behind, q) > 0)
                return true;
        }
    return false;
}

static int remedies[RWA_REMEDY_RELEASE + 1];

/** The remedy works, and what ranks before it does not exist. */
static void check_reason(struct model *m, const rwa_request *q)
{
    static struct listing all;
    rwa_obstacle why;
    rwa_request any = *q;
    rwa_state *twin = twin_of(m);
    int release = 0, move = 0, repair = 0;
    bool elsewhere = false;
    struct path none = {0};
    CU_ASSERT_EQUAL_FATAL(rwa_state_explain(&why, m->state, q, NULL), RWA_OK);
    CU_ASSERT_NOT_EQUAL(why.kind, RWA_OBSTACLE_NONE);
    all.count = 0;
    list_on(m, &all, &none, q->src, q->dst, 1u << q->src);
    for (size_t i = 0; i < all.count; i++)
        elsewhere = elsewhere || count_free(m, &all.paths[i], &any) > 0;
    count_ways_out(m, twin, q, &release, &move, &repair);
    apply(m, twin, q, &why);
    CU_ASSERT_EQUAL(why.remedy == RWA_REMEDY_ROUTE, elsewhere);
    CU_ASSERT_EQUAL(why.remedy == RWA_REMEDY_MOVE, !elsewhere && move > 0);
    CU_ASSERT_EQUAL(why.remedy == RWA_REMEDY_REPAIR, !elsewhere && !move && repair > 0);
    CU_ASSERT_TRUE(why.remedy != RWA_REMEDY_CONVERTER || converts(m, q, why.node));
    remedies[why.remedy]++;
    if (why.remedy == RWA_REMEDY_NONE)
        CU_ASSERT_TRUE(!release && !repair && !elsewhere);
    if (why.kind == RWA_OBSTACLE_FULL_LINK) {
        struct path link = {1, {why.link}, 0};
        CU_ASSERT_EQUAL(count_free(m, &link, q), 0);
    }
    rwa_state_free(twin);
}

/* ---- operations ---- */

static void make_request(struct model *m, rwa_request *q, uint32_t src, uint32_t dst)
{
    static uint32_t links[NODES];
    static struct listing all;
    rwa_request_init(q, src, dst);
    q->policy = (rwa_policy)below(m, 7);
    q->routing = (rwa_routing)below(m, 3);
    if (m->most_width > 1) {
        q->width = below(m, m->most_width + 1);
        q->guard = below(m, 3) ? 0 : below(m, 3);
    }
    if (below(m, 8) == 0)
        q->fiber = below(m, m->fibers);
    if (below(m, 8) == 0)
        q->wavelength = below(m, m->wavelengths);
    if (below(m, 6) == 0) { /* any simple path will do as a given route, also one across failed links */
        struct path none = {0};
        struct now kept = m->now;
        memset(m->now.failed, 0, sizeof m->now.failed);
        all.count = 0;
        list_on(m, &all, &none, src, dst, 1u << src);
        m->now = kept;
        if (all.count > 0) {
            const struct path *p = &all.paths[below(m, (uint32_t)all.count)];
            memcpy(links, p->links, sizeof links);
            q->links = links;
            q->hops = p->hops;
        }
    }
}

static void try_add(struct model *m)
{
    uint32_t src = below(m, m->nodes), dst = below(m, m->nodes - 1), fiber = 0, wavelength = 0;
    rwa_request q;
    rwa_placed asked, placed;
    struct path route = {0};
    make_request(m, &q, src, dst + (dst >= src));
    bool fit = expected(m, &q, &route, &fiber, &wavelength);
    CU_ASSERT_EQUAL_FATAL(rwa_state_try(&asked, m->state, &q, NULL), RWA_OK);
    compare_placed(m, &q, &asked, fit, &route, fiber, wavelength);
    uint32_t foretold[2] = {asked.fiber, asked.wavelength};
    CU_ASSERT_EQUAL_FATAL(rwa_state_add(&placed, m->state, &q, NULL), RWA_OK);
    compare_placed(m, &q, &placed, fit, &route, fiber, wavelength);
    CU_ASSERT_EQUAL(asked.id, RWA_NO_LIGHTPATH);
    if (!fit && below(m, 3) == 0)
        check_reason(m, &q);
    if (!fit || m->now.count == LIGHTPATHS)
        return;
    CU_ASSERT_TRUE(placed.fiber == foretold[0] && placed.wavelength == foretold[1]); /* also at random */
    remember(m);
    struct light *l = &m->now.lights[m->now.count++];
    *l = (struct light){placed.id, q.src, q.dst, route.hops, {0}, placed.fiber, placed.wavelength, q.width ? q.width : 1, q.guard,
                        true};
    memcpy(l->links, route.links, sizeof l->links);
    for (uint32_t i = 0; i + 1 < m->now.count; i++)
        CU_ASSERT_NOT_EQUAL(m->now.lights[i].id, placed.id);
    set_taken(m, l, true);
}

static void try_release(struct model *m)
{
    struct light *l = pick_light(m);
    if (!l)
        return;
    remember(m);
    CU_ASSERT_EQUAL(rwa_state_release(m->state, l->id, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_state_release(m->state, l->id, NULL), RWA_BADARG);
    set_taken(m, l, false);
    l->up = false;
}

static void try_move(struct model *m)
{
    struct light *l = pick_light(m);
    uint32_t fiber = 0, wavelength = 0;
    struct path route = {0};
    rwa_request q;
    rwa_placed placed;
    if (!l)
        return;
    make_request(m, &q, l->src, l->dst);
    uint32_t width = q.width, guard = q.guard;
    if (width == 0 && below(m, 2)) {    /* as before, said or not */
        q.width = width = l->width;
        q.guard = guard = l->guard;
    } else if (width == 0) {
        width = l->width;
        guard = l->guard;
    }
    rwa_request stated = q;
    stated.width = width;
    stated.guard = guard;
    struct now before = m->now;
    set_taken(m, l, false);
    bool fit = expected(m, &stated, &route, &fiber, &wavelength);
    CU_ASSERT_EQUAL_FATAL(rwa_state_move(&placed, m->state, l->id, &q, NULL), RWA_OK);
    compare_placed(m, &stated, &placed, fit, &route, fiber, wavelength);
    struct now after = m->now;
    m->now = before;
    if (!fit)
        return;
    CU_ASSERT_EQUAL(placed.id, l->id);
    remember(m);
    m->now = after;
    l->hops = route.hops;
    memcpy(l->links, route.links, sizeof l->links);
    l->fiber = placed.fiber;
    l->wavelength = placed.wavelength;
    l->width = width;
    l->guard = guard;
    set_taken(m, l, true);
}

static void try_link(struct model *m)
{
    uint32_t a = below(m, m->links);
    bool fail = below(m, 3) == 0;
    if (m->now.failed[m->carrier[a]] != fail)
        remember(m);
    CU_ASSERT_EQUAL(fail ? rwa_state_fail_link(m->state, a, NULL) : rwa_state_repair_link(m->state, a, NULL), RWA_OK);
    m->now.failed[m->carrier[a]] = fail;
}

static void try_undo(struct model *m)
{
    uint32_t count = below(m, 6) ? below(m, 5) : HISTORY - 1 + below(m, 3);
    uint64_t mark = rwa_state_mark(m->state);
    rwa_status st = below(m, 2) || mark < count ? rwa_state_undo(m->state, count, NULL)
                                                : rwa_state_rollback(m->state, mark - count, NULL);
    CU_ASSERT_EQUAL_FATAL(st, count <= m->kept ? RWA_OK : RWA_BADARG);
    if (st != RWA_OK || count == 0)
        return;
    m->now = m->past[count - 1];
    memmove(&m->past[0], &m->past[count], (DEPTH - count) * sizeof m->past[0]);
    m->kept -= count;
}

/** The judge of assignments has no complaint. */
static void check_export(const struct model *m)
{
    rwa_assignment *result = NULL;
    rwa_check_report check;
    CU_ASSERT_EQUAL_FATAL(rwa_state_export(&result, m->state, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(report_assignment(&check, result, NULL, NULL), RWA_OK);
    CU_ASSERT_TRUE(check.ok);
    CU_ASSERT_EQUAL(check.lightpaths, rwa_state_count(m->state));
    rwa_assignment_free(result);
}

static void operate(struct model *m)
{
    uint32_t dice = below(m, 100);
    if (dice < 55)
        try_add(m);
    else if (dice < 75)
        try_release(m);
    else if (dice < 85)
        try_move(m);
    else if (dice < 90)
        try_link(m);
    else
        try_undo(m);
}

/* ---- networks ---- */

/** A way round, and some more links; lengths that make no two routes equal. */
static rwa_network *random_network(struct model *m, uint32_t wavelengths)
{
    rwa_network_options o;
    rwa_link links[LINKS];
    rwa_reserved reserved[6];
    rwa_network *net = NULL;
    uint32_t nodes = 3 + below(m, NODES - 2), both = below(m, 2), count = nodes + below(m, 4);
    rwa_network_options_init(&o);
    o.both_ways = (int)both;
    o.wavelengths = wavelengths;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = i < nodes ? i : below(m, nodes), to = i < nodes ? (i + 1) % nodes : below(m, nodes - 1);
        to += i >= nodes && to >= from;
        links[i] = (rwa_link){from, to, 1 + below(m, 1000000) / 1000.0, 1 + below(m, FIBERS)};
    }
    o.reserved = reserved;
    for (o.reserved_count = 0; o.reserved_count < below(m, 6); o.reserved_count++) {
        uint32_t link = below(m, count);
        reserved[o.reserved_count] = (rwa_reserved){link, below(m, links[link].fibers), below(m, wavelengths)};
    }
    CU_ASSERT_EQUAL_FATAL(rwa_network_create_graph(&net, nodes, links, count, &o, NULL), RWA_OK);
    return net;
}

/** Odd rings have no two shortest routes of one length. */
static rwa_network *plain_network(struct model *m, uint32_t wavelengths)
{
    static const char *const specs[] = {"ring:5", "line:5", "ring:3"};
    rwa_network_options o;
    rwa_network *net = NULL, *faulty = NULL;
    uint32_t channel = below(m, wavelengths), link = below(m, 3);
    rwa_faults faults = {.channels = &channel, .channel_count = below(m, 2), .links = &link, .link_count = below(m, 2)};
    rwa_network_options_init(&o);
    o.wavelengths = wavelengths;
    o.fibers = 1 + below(m, FIBERS);
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, specs[below(m, 3)], &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&faulty, net, &faults, NULL), RWA_OK);
    rwa_network_free(net);
    return faulty;
}

static void take_network(struct model *m)
{
    m->nodes = rwa_network_nodes(m->net);
    m->links = rwa_network_links(m->net);
    m->carriers = m->kind == RWA_UNDIRECTED ? rwa_network_pairs(m->net) : m->links;
    m->wavelengths = rwa_network_wavelengths(m->net);
    m->fibers = 1;
    for (uint32_t a = 0; a < m->links; a++) {
        m->link[a] = rwa_network_link(m->net, a);
        m->carrier[a] = m->kind == RWA_UNDIRECTED ? rwa_network_pair(m->net, a) : a;
        m->fibers = m->link[a].fibers > m->fibers ? m->link[a].fibers : m->fibers;
        if (rwa_network_is_failed(m->net, a))
            m->now.failed[m->carrier[a]] = true;
    }
    for (uint32_t a = 0; a < m->links; a++)
        for (uint32_t f = 0; f < m->fibers; f++)
            for (uint32_t w = 0; w < m->wavelengths; w++)
                if (f >= m->link[a].fibers || rwa_network_is_reserved(m->net, a, f, w))
                    m->closed[m->carrier[a]][f][w] = true;
}

static void run_case(struct model *m, uint64_t seed, uint32_t operations)
{
    rwa_state_options o;
    memset(m, 0, sizeof *m);
    m->random = seed;
    uint32_t wavelengths = below(m, 4) ? 1 + below(m, 5) : 30 + below(m, WAVELENGTHS - 29);
    m->most_width = below(m, 2) ? 1 : 1 + below(m, wavelengths < 12 ? 3 : 30);
    m->net = below(m, 4) ? random_network(m, wavelengths) : plain_network(m, wavelengths);
    m->kind = rwa_network_is_paired(m->net) && below(m, 2) ? RWA_UNDIRECTED : RWA_DIRECTED;
    take_network(m);
    rwa_state_options_init(&o);
    m->paths = o.paths = 1 + below(m, 4);
    m->max_hops = o.max_hops = below(m, 3) ? 0 : 1 + below(m, 3);
    o.model = m->kind;
    o.history = HISTORY;
    o.seed = seed;
    CU_ASSERT_EQUAL_FATAL(rwa_state_create(&m->state, m->net, &o, NULL), RWA_OK);
    for (uint32_t i = 0; i < operations && m->now.count < LIGHTPATHS; i++) {
        operate(m);
        compare_lights(m);
        if (i % 8 == 0)
            compare_free(m);
        if (i % 50 == 0)
            check_export(m);
    }
    compare_free(m);
    rwa_state_free(m->state);
    rwa_network_free(m->net);
}

static void thousands_of_operations_agree_with_a_scan(void)
{
    struct model *m = malloc(sizeof *m);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    for (uint64_t seed = 1; seed <= 60; seed++)
        run_case(m, seed, 300);
    for (int i = RWA_REMEDY_NONE; i <= RWA_REMEDY_RELEASE; i++)
        CU_ASSERT_TRUE(remedies[i] >= 5);   /* or the cases above show little */
    free(m);
}

int main(void)
{
    static const struct test tests[] = {TEST(thousands_of_operations_agree_with_a_scan), {0}};
    return run_tests("state against a model", tests);
}
