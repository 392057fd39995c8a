/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Who carries after failures, judged from the routes alone, and compared with a state. */
#ifndef SUPPORT_STATE_FAILURES_H
#define SUPPORT_STATE_FAILURES_H

#include "rwa.h"
#include "base/base.h"
#include "tests/support/files.h"
#include "tests/support/report.h"
#include "tests/support/states.h"
#include "tests/support/suite.h"
#include <string.h>

enum {
    NODES = 7,
    LINKS = 12,
    FIBERS = 2,
    WAVELENGTHS = 70,
    LIGHTS = 400,
    DEPTH = 400,
    OPERATIONS = 150,
    PATHS = 64,
    ROUTES = 200
};

/** A route: directed links, its fibre, and its wavelengths from `low` up to `high`, exclusive, guard band included. */
struct course {
    uint32_t hops, links[NODES], fiber, low, high;
};

struct light {
    uint64_t id;
    rwa_protection protection;
    struct course working, backup;
    bool up, lit;
};

struct now {
    struct light lights[LIGHTS];
    uint32_t count;
    bool failed[2 * LINKS];     /* carriers */
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
    uint64_t random;
};

/* What the random operations met. */
static struct {
    uint32_t losers, second, relit, blocked, shared_dark, threefold, remedies[RWA_REMEDY_RELEASE + 1];
} seen;

static uint32_t below(struct judge *j, uint32_t n)
{
    return (uint32_t)base_random_below(&j->random, n);
}

static uint32_t carrier(const struct judge *j, uint32_t link)
{
    return j->undirected ? link / 2 : link;
}

/* ---- what the routes have in common ---- */

static bool is_hit(const struct judge *j, const struct course *c)
{
    for (uint32_t k = 0; k < c->hops; k++)
        if (j->now.failed[carrier(j, c->links[k])])
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
    return l->up && l->protection == RWA_PROTECTION_SHARED && is_hit(j, &l->working) && !is_hit(j, &l->backup);
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

/** After a change of links or lightpaths: lights stand by number. */
static void switch_over(struct judge *j)
{
    for (uint32_t i = 0; i < j->now.count; i++)
        j->now.lights[i].lit = j->now.lights[i].lit && is_needed(j, &j->now.lights[i]);
    for (uint32_t i = 0; i < j->now.count; i++) {
        struct light *l = &j->now.lights[i];
        if (l->lit || !is_needed(j, l))
            continue;
        l->lit = !is_taken(j, l);
        seen.losers += !l->lit;
        seen.relit += l->lit;
    }
}

static bool carries(const struct judge *j, const struct light *l)
{
    if (!is_hit(j, &l->working))
        return true;
    return l->protection == RWA_PROTECTION_DEDICATED ? !is_hit(j, &l->backup) : l->lit;
}

/* ---- comparing ---- */

static bool is_course(const struct course *c, const rwa_placed *p)
{
    return c->hops == p->hops && c->fiber == p->fiber && c->low == p->wavelength &&
           memcmp(c->links, p->links, c->hops * sizeof *c->links) == 0;
}

static void expect_agreement(const struct judge *j)
{
    size_t up = 0;
    for (uint32_t i = 0; i < j->now.count; i++) {
        const struct light *l = &j->now.lights[i];
        rwa_placed p, b;
        CU_ASSERT_EQUAL_FATAL(rwa_state_get(&p, j->state, l->id), l->up);
        CU_ASSERT_EQUAL(rwa_state_carries(j->state, l->id), l->up && carries(j, l));
        up += l->up;
        if (!l->up)
            continue;
        CU_ASSERT_TRUE(is_course(&l->working, &p));
        CU_ASSERT_EQUAL(p.down, is_hit(j, &l->working));
        CU_ASSERT_EQUAL(rwa_state_backup(&b, NULL, j->state, l->id), l->protection != RWA_PROTECTION_NONE);
        if (l->protection == RWA_PROTECTION_NONE)
            continue;
        bool taken = l->protection == RWA_PROTECTION_SHARED && is_taken(j, l);
        CU_ASSERT_TRUE(is_course(&l->backup, &b));
        CU_ASSERT_EQUAL(b.down, is_hit(j, &l->backup) || taken);
    }
    CU_ASSERT_EQUAL(rwa_state_count(j->state), up);
}

/** Lightpaths of the assignment whose every line is marked down are those that carry nothing. */
static void expect_checked(const struct judge *j)
{
    rwa_assignment *result = NULL;
    rwa_check_report report;
    uint64_t i = 0;
    CU_ASSERT_EQUAL_FATAL(rwa_state_export(&result, j->state, NULL), RWA_OK);
    CU_ASSERT_EQUAL(report_assignment(&report, result, NULL, NULL), RWA_OK);
    CU_ASSERT_TRUE(report.ok);
    for (uint32_t n = 0; n < j->now.count; n++) {
        const struct light *l = &j->now.lights[n];
        rwa_route route;
        bool dark = true;
        for (uint32_t line = 0; l->up && line < (l->protection == RWA_PROTECTION_NONE ? 1u : 2u); line++, i++) {
            CU_ASSERT_FATAL(i < rwa_assignment_count(result));
            rwa_assignment_get(&route, result, i);
            CU_ASSERT_EQUAL(rwa_assignment_lightpath(result, i), l->id);
            dark = dark && route.down;
        }
        CU_ASSERT_TRUE(!l->up || dark == !carries(j, l));
    }
    CU_ASSERT_EQUAL(i, rwa_assignment_count(result));
    rwa_assignment_free(result);
}

#endif
