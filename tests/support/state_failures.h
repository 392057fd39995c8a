/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Who carries after failures of links, nodes and risk groups, and who survives the next one, judged from the routes
 *  alone, and compared with a state. */
#ifndef SUPPORT_STATE_FAILURES_H
#define SUPPORT_STATE_FAILURES_H

#include "rwa.h"
#include "tests/support/files.h"
#include "tests/support/report.h"
#include "tests/support/states.h"
#include "tests/support/suite.h"
#include <string.h>

enum {
    NODES = 9,
    LINKS = 12,
    FIBERS = 2,
    WAVELENGTHS = 70,
    LIGHTS = 400,
    DEPTH = 400,
    OPERATIONS = 250,
    PATHS = 2048,
    ROUTES = 200,
    GROUPS = 2
};

/** A route: directed links, its fibre, and its wavelengths from `low` up to `high`, exclusive, guard band included. */
struct course {
    uint32_t hops, links[NODES], fiber, low, high;
};

struct light {
    uint64_t id;
    rwa_protection protection;
    struct course working, backup;  /* backup without hops: none, or lost */
    double bps;
    bool up, lit, was_up;       /* was_up: it carried before the operation */
};

struct now {
    struct light lights[LIGHTS];
    uint32_t count;
    bool failed[RWA_FAILURE_GROUP + 1][2 * LINKS];  /* by kind: carriers, nodes, risk groups */
};

struct judge {
    rwa_network *net;
    rwa_state *state;
    rwa_state_options options;
    bool undirected;
    uint32_t nodes, links, fibers, wavelengths;     /* directed links: 2 i forth, 2 i + 1 back */
    rwa_link link[2 * LINKS];
    uint32_t groups[2 * LINKS];             /* bits, of each carrier */
    struct now now, past[DEPTH];
    uint32_t kept;
};

/* What the random operations met. */
static struct {
    uint32_t losers, second, relit, blocked, shared_dark, threefold, kinds[RWA_FAILURE_GROUP + 1];
    uint32_t restored, asides, left, optimal, renewed[2][2];
    uint32_t conditions[RWA_CONDITION_DOWN + 1], remedies[RWA_REMEDY_RELEASE + 1];
} seen;

static uint32_t carrier(const struct judge *j, uint32_t link)
{
    return j->undirected ? link / 2 : link;
}

/* ---- what the routes have in common ---- */

/** Itself, one of its nodes or a risk group that holds it. */
static bool is_failed(const struct judge *j, uint32_t link)
{
    uint32_t c = carrier(j, link);
    bool failed = j->now.failed[RWA_FAILURE_LINK][c] || j->now.failed[RWA_FAILURE_NODE][j->link[link].from] ||
                  j->now.failed[RWA_FAILURE_NODE][j->link[link].to];
    for (uint32_t g = 0; g < GROUPS; g++)
        failed = failed || (j->now.failed[RWA_FAILURE_GROUP][g] && (j->groups[c] >> g & 1));
    return failed;
}

static bool is_hit(const struct judge *j, const struct course *c)
{
    for (uint32_t k = 0; k < c->hops; k++)
        if (is_failed(j, c->links[k]))
            return true;
    return false;
}

static bool share_channel(const struct judge *j, const struct course *a, const struct course *b)
{
    for (uint32_t k = 0; k < a->hops; k++)
        for (uint32_t i = 0; i < b->hops; i++)
            if (carrier(j, a->links[k]) == carrier(j, b->links[i]))
                return a->fiber == b->fiber && a->low < b->high && b->low < a->high;
    return false;
}

/** A link, or a risk group. */
static bool share_fate(const struct judge *j, const struct course *a, const struct course *b)
{
    for (uint32_t k = 0; k < a->hops; k++)
        for (uint32_t i = 0; i < b->hops; i++) {
            uint32_t one = carrier(j, a->links[k]), other = carrier(j, b->links[i]);
            if (one == other || (j->groups[one] & j->groups[other]))
                return true;
        }
    return false;
}

/* ---- who carries ---- */

static bool is_needed(const struct judge *j, const struct light *l)
{
    return l->up && l->protection == RWA_PROTECTION_SHARED && l->backup.hops > 0 && is_hit(j, &l->working) &&
           !is_hit(j, &l->backup);
}

/** A lit backup of another lightpath is on one of this backup's channels. */
static bool is_taken(const struct judge *j, const struct light *l)
{
    for (uint32_t i = 0; i < j->now.count; i++) {
        const struct light *other = &j->now.lights[i];
        if (other != l && other->up && other->lit && share_channel(j, &l->backup, &other->backup))
            return true;
    }
    return false;
}

static bool carries(const struct judge *j, const struct light *l)
{
    if (!is_hit(j, &l->working))
        return true;
    return l->protection == RWA_PROTECTION_DEDICATED ? l->backup.hops > 0 && !is_hit(j, &l->backup) : l->lit;
}

static void before_change(struct judge *j)
{
    for (uint32_t i = 0; i < j->now.count; i++)
        j->now.lights[i].was_up = carries(j, &j->now.lights[i]);
}

/** After a change of links or lightpaths: lights stand by number; those that carried before it come first. */
static void switch_over(struct judge *j)
{
    for (uint32_t i = 0; i < j->now.count; i++)
        j->now.lights[i].lit = j->now.lights[i].lit && is_needed(j, &j->now.lights[i]);
    for (uint32_t i = 0; i < 2 * j->now.count; i++) {
        struct light *l = &j->now.lights[i % j->now.count];
        if (l->lit || l->was_up != (i < j->now.count) || !is_needed(j, l))
            continue;
        l->lit = !is_taken(j, l);
        seen.losers += !l->lit;
        seen.relit += l->lit;
    }
}

/** Try the failure of one more link or risk group, each in turn. */
static void find_survivors(struct judge *j, bool *survives)
{
    static struct light kept[LIGHTS];
    uint32_t counts[] = {[RWA_FAILURE_LINK] = j->links, [RWA_FAILURE_GROUP] = GROUPS}, losers = seen.losers,
             relit = seen.relit;
    memcpy(kept, j->now.lights, sizeof kept);
    memset(survives, true, LIGHTS * sizeof *survives);
    for (int kind = RWA_FAILURE_LINK; kind <= RWA_FAILURE_GROUP; kind += RWA_FAILURE_GROUP)
        for (uint32_t n = 0; n < counts[kind]; n++) {
            if (j->now.failed[kind][n])
                continue;
            before_change(j);
            j->now.failed[kind][n] = true;
            switch_over(j);
            for (uint32_t i = 0; i < j->now.count; i++)
                survives[i] = survives[i] && carries(j, &j->now.lights[i]);
            j->now.failed[kind][n] = false;
            memcpy(j->now.lights, kept, j->now.count * sizeof *kept);
        }
    seen.losers = losers;
    seen.relit = relit;
}

/* ---- places ---- */

/** A backup may have this place, for a lightpath on the route `working`. */
static bool may_back(const struct judge *j, const struct course *working, const struct course *backup)
{
    for (uint32_t i = 0; i < j->now.count; i++) {
        const struct light *l = &j->now.lights[i];
        if (!l->up)
            continue;
        if (share_channel(j, &l->working, backup))
            return false;
        if (!share_channel(j, &l->backup, backup))
            continue;
        if (l->protection == RWA_PROTECTION_DEDICATED || l->lit || share_fate(j, &l->working, working))
            return false;
    }
    return true;
}

/** Nothing else is on a place, not even a dark backup. */
static bool is_free(const struct judge *j, const struct course *c)
{
    for (uint32_t i = 0; i < j->now.count; i++) {
        const struct light *l = &j->now.lights[i];
        if (l->up && (share_channel(j, &l->working, c) || share_channel(j, &l->backup, c)))
            return false;
    }
    return true;
}

struct routes {
    struct course list[ROUTES];
    uint32_t count;
};

static void list_routes(const struct judge *j, struct routes *out, struct course *c, uint32_t at, uint32_t dst,
                        uint32_t passed)
{
    if (at == dst) {
        CU_ASSERT_FATAL(out->count < ROUTES);
        out->list[out->count++] = *c;
        return;
    }
    for (uint32_t a = 0; a < j->links; a++) {
        if (j->link[a].from != at || (passed >> j->link[a].to & 1) || is_failed(j, a))
            continue;
        c->links[c->hops++] = a;
        list_routes(j, out, c, j->link[a].to, dst, passed | 1u << j->link[a].to);
        c->hops--;
    }
}

static bool has_place(const struct judge *j, const struct course *working, struct course *c, uint32_t span, bool shared)
{
    for (c->fiber = 0; c->fiber < j->fibers; c->fiber++)
        for (c->low = 0; c->low + span <= j->wavelengths; c->low++) {
            c->high = c->low + span;
            if (shared ? may_back(j, working, c) : is_free(j, c))
                return true;
        }
    return false;
}

/** Some two routes, the shorter one for the signal, have places.  Of equal ones the state may try either way round:
 *  they are left out. */
static bool must_fit(const struct judge *j, uint32_t src, uint32_t dst, uint32_t span, rwa_protection protection)
{
    static struct routes all;
    struct course none = {0};
    all.count = 0;
    list_routes(j, &all, &none, src, dst, 1u << src);
    for (uint32_t a = 0; a < all.count; a++) {
        if (!has_place(j, NULL, &all.list[a], span, false))
            continue;
        if (protection == RWA_PROTECTION_NONE)
            return true;
        for (uint32_t b = 0; b < all.count; b++)
            if (all.list[b].hops > all.list[a].hops && !share_fate(j, &all.list[a], &all.list[b]) &&
                has_place(j, &all.list[a], &all.list[b], span, protection == RWA_PROTECTION_SHARED))
                return true;
    }
    return false;
}

/* ---- comparing ---- */

/** The tag of a lightpath by its place, until the next call: every seventh has the same. */
static const char *tag_of(uint32_t i)
{
    static char text[32];
    snprintf(text, sizeof text, "order \"%u\" \\ \xc3\xa9t\xc3\xa9", i % 7);
    return text;
}

static bool is_course(const struct course *c, const rwa_placed *p)
{
    return c->hops == p->hops && c->fiber == p->fiber && c->low == p->wavelength &&
           memcmp(c->links, p->links, c->hops * sizeof *c->links) == 0;
}

static void expect_agreement(const struct judge *j)
{
    size_t up = 0;
    uint32_t counts[] = {j->links, j->nodes, (uint32_t)rwa_network_risk_groups(j->net)};
    for (int kind = RWA_FAILURE_LINK; kind <= RWA_FAILURE_GROUP; kind++)
        for (uint32_t n = 0; n < counts[kind]; n++) {
            bool link = kind == RWA_FAILURE_LINK;
            CU_ASSERT_EQUAL(rwa_state_is_failed(j->state, (rwa_failure)kind, n),
                            j->now.failed[kind][link ? carrier(j, n) : n] ? 1 : link && is_failed(j, n) ? 2 : 0);
        }
    for (uint32_t i = 0; i < j->now.count; i++) {
        const struct light *l = &j->now.lights[i];
        rwa_placed p, b;
        const char *tag = rwa_state_tag(j->state, l->id);
        CU_ASSERT_EQUAL_FATAL(rwa_state_get(&p, j->state, l->id), l->up);
        CU_ASSERT_TRUE(l->up ? tag && strcmp(tag, tag_of(i)) == 0 : !tag);
        up += l->up;
        if (!l->up)
            continue;
        CU_ASSERT_TRUE(is_course(&l->working, &p));
        CU_ASSERT_EQUAL(p.down, is_hit(j, &l->working));
        CU_ASSERT_EQUAL(p.protection, l->protection);
        CU_ASSERT_EQUAL(rwa_state_backup(&b, j->state, l->id), l->backup.hops > 0);
        if (l->backup.hops == 0)
            continue;
        bool taken = l->protection == RWA_PROTECTION_SHARED && is_taken(j, l);
        CU_ASSERT_TRUE(is_course(&l->backup, &b));
        CU_ASSERT_EQUAL(b.down, is_hit(j, &l->backup) || taken);
    }
    CU_ASSERT_EQUAL(rwa_state_count(j->state), up);
    for (uint32_t i = 0; i < 7; i++)
        for (uint64_t id = 0; (id = rwa_state_next_in(j->state, id, 0, tag_of(i))) != RWA_NO_LIGHTPATH;)
            up--;
    CU_ASSERT_EQUAL(up, 0);
}

/** By definition; and all further failures of links and risk groups, tried. */
static void expect_conditions(struct judge *j)
{
    static bool survives[LIGHTS];
    uint32_t listed = 0;
    find_survivors(j, survives);
    for (uint32_t i = 0; i < j->now.count; i++) {
        const struct light *l = &j->now.lights[i];
        int condition = !l->up                                    ? 0
                        : !carries(j, l)                          ? RWA_CONDITION_DOWN
                        : is_hit(j, &l->working)                  ? RWA_CONDITION_ON_BACKUP
                        : l->protection == RWA_PROTECTION_NONE    ? RWA_CONDITION_UNPROTECTED
                        : l->backup.hops == 0 || is_hit(j, &l->backup) || is_taken(j, l)
                                                                  ? RWA_CONDITION_EXPOSED
                                                                  : RWA_CONDITION_PROTECTED;
        CU_ASSERT_TRUE(condition != RWA_CONDITION_PROTECTED || survives[i]);
        CU_ASSERT_FALSE(condition == RWA_CONDITION_EXPOSED && !is_taken(j, l) && survives[i]);
        CU_ASSERT_EQUAL(rwa_state_condition(j->state, l->id), condition);
        seen.conditions[condition]++;
        listed += (condition & (RWA_CONDITION_EXPOSED | RWA_CONDITION_DOWN)) != 0;
    }
    const int conditions = RWA_CONDITION_EXPOSED | RWA_CONDITION_DOWN;
    for (uint64_t id = 0; (id = rwa_state_next_in(j->state, id, conditions, NULL)) != 0;)
        listed--;
    CU_ASSERT_EQUAL(listed, 0);
}

/** Lightpaths of the assignment whose every line is marked down are those that carry nothing.  The checker counts as
 *  many working routes as the state has lightpaths, and their backups apart. */
static void expect_checked(const struct judge *j)
{
    rwa_assignment *result = NULL;
    rwa_check_report report;
    uint64_t i = 0, dark_backups = 0;
    CU_ASSERT_EQUAL_FATAL(rwa_state_export(&result, j->state, NULL), RWA_OK);
    CU_ASSERT_EQUAL(report_assignment(&report, result, NULL, NULL), RWA_OK);
    CU_ASSERT_TRUE(report.ok);
    for (uint32_t n = 0; n < j->now.count; n++) {
        const struct light *l = &j->now.lights[n];
        rwa_route route;
        bool dark = true;
        for (uint32_t line = 0; l->up && line < (l->backup.hops == 0 ? 1u : 2u); line++, i++) {
            CU_ASSERT_FATAL(i < rwa_assignment_count(result));
            rwa_assignment_get(&route, result, i);
            CU_ASSERT_EQUAL(rwa_assignment_lightpath(result, i), l->id);
            dark = dark && route.down;
            dark_backups += line == 1 && route.down;
        }
        CU_ASSERT_TRUE(!l->up || dark == !carries(j, l));
    }
    CU_ASSERT_EQUAL(i, rwa_assignment_count(result));
    CU_ASSERT_EQUAL(report.lightpaths, i);
    CU_ASSERT_EQUAL(report.lightpaths - report.backups, rwa_state_count(j->state));
    CU_ASSERT_EQUAL(report.backups_down, dark_backups);
    rwa_assignment_free(result);
}

#endif
