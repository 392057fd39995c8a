/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A state in plain arrays: routes by listing all simple paths, channels one after the other, who carries after
 *  failures by definition, copies for undoing; and whether a state agrees with it. */
#pragma once

#include "tests/support/files.h"
#include "tests/support/report.h"
#include "tests/support/states.h"

enum {
    NODES = 8,
    LINKS = 2 * 12,
    FIBERS = 2,
    WAVELENGTHS = 70,
    GROUPS = 2,
    ROUTES = 512,
    LIGHTS = 400,
    HISTORY = 16,
    DEPTH = 128,
    KINDS = RWA_FAILURE_GROUP + 1
};

/** A route: directed links, its fibre, and its wavelengths from `low` up to `high`, exclusive, guard band included. */
struct course {
    uint32_t hops, links[NODES], fiber, low, high;
    double km;
};
COMPARATOR(by_length, struct course, UP(hops) UP(km))

struct light {
    uint64_t id;
    uint32_t src, dst, width, guard;
    rwa_protection protection;
    struct course working, backup;  /* backup without hops: none, or lost */
    double rate_bps;
    bool up, lit, was_up;           /* was_up: it carried before the operation */
};

/** The model of the state now. */
struct now {
    struct light lights[LIGHTS];
    uint32_t count;
    bool failed[KINDS][LINKS];      /* by kind: carriers, nodes, risk groups */
};

struct model {
    rwa_network *net, *whole;       /* whole: without failed links */
    rwa_state *state;
    rwa_state_options options;
    uint32_t nodes, links, carriers, fibers, wavelengths, most_width;
    uint32_t backups;               /* of three requests have one, or all */
    bool complete;                  /* every route is tried */
    uint64_t last;                  /* the highest number of a lightpath so far */
    rwa_link link[LINKS];
    uint32_t carrier[LINKS], link_of[LINKS], groups[LINKS];     /* link_of, groups (as bits): of each carrier */
    bool closed[LINKS][FIBERS][WAVELENGTHS];    /* by carrier: reserved, or no such fibre */
    bool taken[LINKS][FIBERS][WAVELENGTHS];
    struct now now, past[DEPTH];    /* past[i % DEPTH]: before operation i */
    uint32_t done, kept;            /* operations; how many of them can be undone */
};

/* What the random operations met. */
static struct {
    uint32_t losers, second, relit, blocked, shared_dark, threefold, kinds[KINDS];
    uint32_t restored, asides, left, optimal, defragmented, renewed[2][2];
    uint32_t conditions[RWA_CONDITION_DOWN + 1];
    uint32_t remedies[2][RWA_REMEDY_RELEASE + 1];   /* without a backup, with one */
} seen;

/* ---- routes ---- */

/** Itself, one of its nodes or a risk group that holds it. */
static bool is_failed(const struct model *m, uint32_t link)
{
    uint32_t c = m->carrier[link];
    bool failed = m->now.failed[RWA_FAILURE_LINK][c] || m->now.failed[RWA_FAILURE_NODE][m->link[link].from] ||
                  m->now.failed[RWA_FAILURE_NODE][m->link[link].to];
    for (uint32_t g = 0; g < GROUPS; g++)
        failed = failed || (m->now.failed[RWA_FAILURE_GROUP][g] && (m->groups[c] >> g & 1));
    return failed;
}

static bool is_hit(const struct model *m, const struct course *c)
{
    for (uint32_t k = 0; k < c->hops; k++)
        if (is_failed(m, c->links[k]))
            return true;
    return false;
}

struct routes {
    struct course list[ROUTES];
    size_t count;
    bool across;    /* also across failed links */
};

static void list_on(const struct model *m, struct routes *all, const struct course *c, uint32_t at, uint32_t dst,
                    uint32_t passed)
{
    if (at == dst) {
        CU_ASSERT_FATAL(all->count < ROUTES);
        all->list[all->count++] = *c;
        return;
    }
    for (uint32_t a = 0; a < m->links; a++) {
        if (m->link[a].from != at || (passed >> m->link[a].to & 1) || (!all->across && is_failed(m, a)))
            continue;
        struct course longer = *c;
        longer.links[longer.hops++] = a;
        longer.km += m->link[a].length_km;
        if (m->options.max_hops == 0 || longer.hops <= m->options.max_hops)
            list_on(m, all, &longer, m->link[a].to, dst, passed | 1u << m->link[a].to);
    }
}

/** The shortest first. */
static void list_routes(const struct model *m, struct routes *all, uint32_t src, uint32_t dst)
{
    struct course none = {0};
    all->count = 0;
    list_on(m, all, &none, src, dst, 1u << src);
    qsort(all->list, all->count, sizeof all->list[0], by_length);
}

/** The routes that a request tries, in order. */
static void list_tried(const struct model *m, struct routes *all, const rwa_request *q)
{
    if (q->links) {
        all->list[0].hops = q->hops;
        memcpy(all->list[0].links, q->links, q->hops * sizeof *q->links);
        all->count = !is_hit(m, &all->list[0]);
        return;
    }
    list_routes(m, all, q->src, q->dst);
    size_t most = q->routing == RWA_ROUTING_SHORTEST ? 1 : m->options.paths;
    LOWER(all->count, most);
}

/* ---- channels ---- */

static void occupy(struct model *m, const struct course *c)
{
    for (uint32_t k = 0; k < c->hops; k++)
        for (uint32_t i = c->low; i < c->high; i++)
            m->taken[m->carrier[c->links[k]]][c->fiber][i] = true;
}

/** After a change of lightpaths: what they take, dark backups too. */
static void find_taken(struct model *m)
{
    memset(m->taken, 0, sizeof m->taken);
    for (uint32_t i = 0; i < m->now.count; i++)
        if (m->now.lights[i].up) {
            occupy(m, &m->now.lights[i].working);
            occupy(m, &m->now.lights[i].backup);
        }
}

/** As if a lightpath were not there, or were there again. */
static void set_up(struct model *m, struct light *l, bool up)
{
    l->up = up;
    find_taken(m);
}

static bool is_open(const struct model *m, const struct course *c)
{
    for (uint32_t k = 0; k < c->hops; k++)
        for (uint32_t i = c->low; i < c->high; i++)
            if (i >= m->wavelengths || m->closed[m->carrier[c->links[k]]][c->fiber][i])
                return false;
    return true;
}

static bool is_free(const struct model *m, const struct course *c)
{
    for (uint32_t k = 0; k < c->hops; k++)
        for (uint32_t i = c->low; i < c->high && i < m->wavelengths; i++)
            if (m->taken[m->carrier[c->links[k]]][c->fiber][i])
                return false;
    return is_open(m, c);
}

static uint32_t span_of(const rwa_request *q)
{
    return (q->width ? q->width : 1) + q->guard;
}

static struct course course_at(const struct course *route, uint32_t fiber, uint32_t low, uint32_t span)
{
    struct course c = *route;
    c.fiber = fiber;
    c.low = low;
    c.high = low + span;
    return c;
}

/** The place on a route is free, and one that the request allows. */
static bool fits(const struct model *m, const struct course *route, const rwa_request *q, uint32_t fiber, uint32_t low)
{
    struct course c = course_at(route, fiber, low, span_of(q));
    return (q->fiber == RWA_ANY_CHANNEL || q->fiber == fiber) &&
           (q->wavelength == RWA_ANY_CHANNEL || q->wavelength == low) && is_free(m, &c);
}

static uint32_t count_free(const struct model *m, const struct course *route, const rwa_request *q)
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < m->fibers * m->wavelengths; at++)
        count += fits(m, route, q, at / m->wavelengths, at % m->wavelengths);
    return count;
}

/* ---- the choice ---- */

/** Channels in use on the wavelengths of a place. */
static uint32_t use_of(const struct model *m, const struct course *c)
{
    uint32_t use = 0;
    for (uint32_t i = c->low; i < c->high; i++)
        for (uint32_t a = 0; a < m->carriers; a++)
            for (uint32_t f = 0; f < m->fibers; f++)
                use += m->taken[a][f][i];
    return use;
}

/** The places in a row, allowed by the request, around this one. */
static uint32_t places_around(const struct model *m, const struct course *c, const rwa_request *q)
{
    uint32_t count = 1;
    for (uint32_t w = c->low; w > 0 && fits(m, c, q, c->fiber, w - 1); w--)
        count++;
    for (uint32_t w = c->low + 1; w < m->wavelengths && fits(m, c, q, c->fiber, w); w++)
        count++;
    return count;
}

/** The free blocks of the links of a place; with it: once it is taken. */
static int blocks_of(const struct model *m, const struct course *c, bool with)
{
    int blocks = 0;
    for (uint32_t k = 0; k < c->hops; k++) {
        struct course link = {1, {c->links[k]}, 0, 0, 0, 0};
        bool open = false, before = false;
        for (uint32_t w = 0; w < m->wavelengths; w++, before = open) {
            struct course one = course_at(&link, c->fiber, w, 1);
            open = !(with && w >= c->low && w < c->high) && is_free(m, &one);
            blocks += open && !before;
        }
    }
    return blocks;
}

/** Whether place a is to be preferred to b, which is lower, on the same route. */
static bool better(const struct model *m, const rwa_request *q, const struct course *a, const struct course *b)
{
    switch (q->policy) {
    case RWA_POLICY_LAST_FIT: return true;
    case RWA_POLICY_MOST_USED: return use_of(m, a) > use_of(m, b);
    case RWA_POLICY_LEAST_USED: return use_of(m, a) < use_of(m, b);
    case RWA_POLICY_EXACT_FIT: return places_around(m, a, q) < places_around(m, b, q);
    case RWA_POLICY_LEAST_FRAGMENTATION:
        return blocks_of(m, a, true) - blocks_of(m, a, false) < blocks_of(m, b, true) - blocks_of(m, b, false);
    case RWA_POLICY_FIRST_FIT:
    case RWA_POLICY_RANDOM: break;
    }
    return false;
}

/** Where a request without a backup must go, but for the channel of a random policy; without hops: it is blocked. */
static struct course expected(const struct model *m, const rwa_request *q)
{
    static struct routes all;
    struct course out = {0};
    const struct course *best = NULL;
    uint32_t most = 0;
    list_tried(m, &all, q);
    for (size_t i = 0; i < all.count; i++) {
        uint32_t channels = count_free(m, &all.list[i], q);
        if (channels > most && (best == NULL || q->routing == RWA_ROUTING_LEAST_LOADED)) {
            best = &all.list[i];
            most = channels;
        }
    }
    for (uint32_t w = 0; best && w < m->wavelengths; w++)
        for (uint32_t f = 0; f < m->fibers; f++) {
            struct course c = course_at(best, f, w, span_of(q));
            if (fits(m, best, q, f, w) && (out.hops == 0 || better(m, q, &c, &out)))
                out = c;
        }
    return out;
}

/* ---- what two routes have in common ---- */

static bool share_channel(const struct model *m, const struct course *a, const struct course *b)
{
    if (a->fiber == b->fiber && a->low < b->high && b->low < a->high)
        for (uint32_t k = 0; k < a->hops; k++)
            for (uint32_t i = 0; i < b->hops; i++)
                if (m->carrier[a->links[k]] == m->carrier[b->links[i]])
                    return true;
    return false;
}

/** A link, or a risk group. */
static bool share_fate(const struct model *m, const struct course *a, const struct course *b)
{
    for (uint32_t k = 0; k < a->hops; k++)
        for (uint32_t i = 0; i < b->hops; i++) {
            uint32_t one = m->carrier[a->links[k]], other = m->carrier[b->links[i]];
            if (one == other || (m->groups[one] & m->groups[other]))
                return true;
        }
    return false;
}

/* ---- who carries ---- */

static bool is_needed(const struct model *m, const struct light *l)
{
    return l->up && l->protection == RWA_PROTECTION_SHARED && l->backup.hops > 0 && is_hit(m, &l->working) &&
           !is_hit(m, &l->backup);
}

/** Another backup is on a channel of this one; `lit`: one that carries. */
static bool is_shared(const struct model *m, const struct light *l, bool lit)
{
    for (uint32_t i = 0; i < m->now.count; i++) {
        const struct light *other = &m->now.lights[i];
        if (other != l && other->up && (other->lit || !lit) && share_channel(m, &l->backup, &other->backup))
            return true;
    }
    return false;
}

static bool carries(const struct model *m, const struct light *l)
{
    if (!is_hit(m, &l->working))
        return true;
    return l->protection == RWA_PROTECTION_DEDICATED ? l->backup.hops > 0 && !is_hit(m, &l->backup) : l->lit;
}

static void before_change(struct model *m)
{
    for (uint32_t i = 0; i < m->now.count; i++)
        m->now.lights[i].was_up = carries(m, &m->now.lights[i]);
}

/** After a change of links or lightpaths: lights stand by number; those that carried before it come first. */
static void switch_over(struct model *m)
{
    find_taken(m);
    for (uint32_t i = 0; i < m->now.count; i++)
        m->now.lights[i].lit = m->now.lights[i].lit && is_needed(m, &m->now.lights[i]);
    for (uint32_t i = 0; i < 2 * m->now.count; i++) {
        struct light *l = &m->now.lights[i % m->now.count];
        if (l->lit || l->was_up != (i < m->now.count) || !is_needed(m, l))
            continue;
        l->lit = !is_shared(m, l, true);
        seen.losers += !l->lit;
        seen.relit += l->lit;
    }
}

/** Try the failure of one more link or risk group, each in turn. */
static void find_survivors(struct model *m, bool *survives)
{
    static struct light kept[LIGHTS];
    uint32_t counts[] = {[RWA_FAILURE_LINK] = m->carriers, [RWA_FAILURE_GROUP] = GROUPS}, losers = seen.losers,
             relit = seen.relit;
    memcpy(kept, m->now.lights, sizeof kept);
    memset(survives, true, LIGHTS * sizeof *survives);
    for (int kind = RWA_FAILURE_LINK; kind <= RWA_FAILURE_GROUP; kind += RWA_FAILURE_GROUP)
        for (uint32_t n = 0; n < counts[kind]; n++) {
            if (m->now.failed[kind][n])
                continue;
            before_change(m);
            m->now.failed[kind][n] = true;
            switch_over(m);
            for (uint32_t i = 0; i < m->now.count; i++)
                survives[i] = survives[i] && carries(m, &m->now.lights[i]);
            m->now.failed[kind][n] = false;
            memcpy(m->now.lights, kept, m->now.count * sizeof *kept);
        }
    seen.losers = losers;
    seen.relit = relit;
}

/** A backup may have this place, for a lightpath on the route `working`. */
static bool may_back(const struct model *m, const struct course *working, const struct course *backup)
{
    for (uint32_t i = 0; i < m->now.count; i++) {
        const struct light *l = &m->now.lights[i];
        if (l->up && (share_channel(m, &l->working, backup) ||
                      (share_channel(m, &l->backup, backup) && (l->protection == RWA_PROTECTION_DEDICATED || l->lit ||
                                                                share_fate(m, &l->working, working)))))
            return false;
    }
    return is_open(m, backup);
}

static bool may_have(const struct model *m, rwa_protection protection, const struct course *working,
                     const struct course *backup)
{
    return protection == RWA_PROTECTION_SHARED ? may_back(m, working, backup) : is_free(m, backup);
}

/** Some place on a route is free; or there is one for the backup of `working`. */
static bool has_place(const struct model *m, const struct course *working, const struct course *route, uint32_t span,
                      rwa_protection protection)
{
    for (uint32_t at = 0; at < m->fibers * m->wavelengths; at++) {
        struct course c = course_at(route, at / m->wavelengths, at % m->wavelengths, span);
        if (may_have(m, protection, working, &c))
            return true;
    }
    return false;
}

/** Some route between two nodes has a free place; with protection also another one that shares no fate with it and has
 *  a place for the backup.  This one is longer in hops: of equal ones the state may try either way round. */
static bool must_fit(const struct model *m, uint32_t src, uint32_t dst, uint32_t span, rwa_protection protection)
{
    static struct routes all;
    list_routes(m, &all, src, dst);
    for (uint32_t a = 0; a < all.count; a++) {
        if (!has_place(m, NULL, &all.list[a], span, RWA_PROTECTION_NONE))
            continue;
        if (protection == RWA_PROTECTION_NONE)
            return true;
        for (uint32_t b = 0; b < all.count; b++)
            if (all.list[b].hops > all.list[a].hops && !share_fate(m, &all.list[a], &all.list[b]) &&
                has_place(m, &all.list[a], &all.list[b], span, protection))
                return true;
    }
    return false;
}
