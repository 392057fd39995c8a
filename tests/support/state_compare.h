/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Whether a state agrees with its model: lightpaths, conditions, free channels, the assignment, and why a request is
 *  blocked. */
#pragma once

#include "tests/support/state_model.h"

/* ---- lightpaths ---- */

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

/** The lightpaths of some conditions or with a tag are so many. */
static void expect_listed(const rwa_state *state, int conditions, const char *tag, uint32_t count)
{
    for (uint64_t id = 0; (id = rwa_state_next_in(state, id, conditions, tag)) != RWA_NO_LIGHTPATH;)
        count--;
    CU_ASSERT_EQUAL(count, 0);
}

static void compare_lights(const struct model *m)
{
    uint32_t up = 0, tagged[7] = {0};
    for (uint32_t i = 0; i < m->now.count; i++) {
        const struct light *l = &m->now.lights[i];
        rwa_placed p, b;
        const char *tag = rwa_state_tag(m->state, l->id);
        CU_ASSERT_EQUAL_FATAL(rwa_state_get(&p, m->state, l->id), l->up);
        CU_ASSERT_TRUE(l->up ? tag && strcmp(tag, tag_of(i)) == 0 : !tag);
        if (!l->up)
            continue;
        up++;
        tagged[i % 7]++;
        CU_ASSERT_TRUE_FATAL(p.id == l->id && p.src == l->src && p.dst == l->dst && is_course(&l->working, &p));
        CU_ASSERT_TRUE(p.width == l->width && p.guard == l->guard && p.rate_bps == l->rate_bps);
        CU_ASSERT_TRUE(p.protection == l->protection && p.down == is_hit(m, &l->working));
        CU_ASSERT_EQUAL_FATAL(rwa_state_backup(&b, m->state, l->id), l->backup.hops > 0);
        if (l->backup.hops == 0)
            continue;
        bool taken = l->protection == RWA_PROTECTION_SHARED && is_shared(m, l, true);
        CU_ASSERT_TRUE(is_course(&l->backup, &b) && b.id == l->id);
        CU_ASSERT_EQUAL(b.down, is_hit(m, &l->backup) || taken);
    }
    CU_ASSERT_EQUAL(rwa_state_count(m->state), up);
    for (uint32_t i = 0; i < 7; i++)
        expect_listed(m->state, 0, tag_of(i), tagged[i]);
    for (uint64_t id = 0; (id = rwa_state_next(m->state, id)) != RWA_NO_LIGHTPATH;)
        up--;
    CU_ASSERT_EQUAL(up, 0);
}

/** By definition; and all further failures of links and risk groups, tried. */
static void compare_conditions(struct model *m)
{
    static bool survives[LIGHTS];
    uint32_t listed = 0;
    find_survivors(m, survives);
    for (uint32_t i = 0; i < m->now.count; i++) {
        const struct light *l = &m->now.lights[i];
        int condition = !l->up                                    ? 0
                        : !carries(m, l)                          ? RWA_CONDITION_DOWN
                        : is_hit(m, &l->working)                  ? RWA_CONDITION_ON_BACKUP
                        : l->protection == RWA_PROTECTION_NONE    ? RWA_CONDITION_UNPROTECTED
                        : l->backup.hops == 0 || is_hit(m, &l->backup) || is_shared(m, l, true)
                                                                  ? RWA_CONDITION_EXPOSED
                                                                  : RWA_CONDITION_PROTECTED;
        CU_ASSERT_TRUE(condition != RWA_CONDITION_PROTECTED || survives[i]);
        CU_ASSERT_FALSE(condition == RWA_CONDITION_EXPOSED && !is_shared(m, l, true) && survives[i]);
        CU_ASSERT_EQUAL(rwa_state_condition(m->state, l->id), condition);
        seen.conditions[condition]++;
        listed += (condition & (RWA_CONDITION_EXPOSED | RWA_CONDITION_DOWN)) != 0;
    }
    expect_listed(m->state, RWA_CONDITION_EXPOSED | RWA_CONDITION_DOWN, NULL, listed);
}

/** Lightpaths of the assignment whose every line is marked down are those that carry nothing.  The checker counts as
 *  many working routes as the state has lightpaths, and their backups apart. */
static void compare_assignment(const struct model *m)
{
    rwa_assignment *result = NULL;
    rwa_check_report report;
    uint64_t i = 0, dark_backups = 0;
    OK(rwa_state_export(&result, m->state, NULL));
    OK(report_assignment(&report, result, NULL, NULL));
    CU_ASSERT_TRUE(report.ok);
    for (uint32_t n = 0; n < m->now.count; n++) {
        const struct light *l = &m->now.lights[n];
        rwa_route route;
        bool dark = true;
        for (uint32_t line = 0; l->up && line < (l->backup.hops == 0 ? 1u : 2u); line++, i++) {
            CU_ASSERT_FATAL(i < rwa_assignment_count(result));
            rwa_assignment_get(&route, result, i);
            CU_ASSERT_EQUAL(rwa_assignment_lightpath(result, i), l->id);
            dark = dark && route.down;
            dark_backups += line == 1 && route.down;
        }
        CU_ASSERT_TRUE(!l->up || dark == !carries(m, l));
    }
    CU_ASSERT_EQUAL(i, rwa_assignment_count(result));
    CU_ASSERT_EQUAL(report.lightpaths, i);
    CU_ASSERT_EQUAL(report.lightpaths - report.backups, rwa_state_count(m->state));
    CU_ASSERT_EQUAL(report.backups_down, dark_backups);
    rwa_assignment_free(result);
}

/* ---- channels ---- */

static void compare_free(const struct model *m)
{
    uint32_t counts[] = {m->links, m->nodes, (uint32_t)rwa_network_risk_groups(m->net)};
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (uint32_t n = 0; n < counts[kind]; n++) {
            bool link = kind == RWA_FAILURE_LINK;
            CU_ASSERT_EQUAL(rwa_state_is_failed(m->state, (rwa_failure)kind, n),
                            m->now.failed[kind][link ? m->carrier[n] : n] ? 1 : link && is_failed(m, n) ? 2 : 0);
        }
    for (uint32_t a = 0; a < m->links; a++) {
        uint32_t count = 0;
        for (uint32_t at = 0; at < m->fibers * m->wavelengths; at++) {
            uint32_t f = at / m->wavelengths, w = at % m->wavelengths;
            struct course one = {1, {a}, f, w, w + 1, 0};
            bool open = !is_failed(m, a) && is_free(m, &one);
            CU_ASSERT_EQUAL_FATAL(rwa_state_is_free(m->state, a, f, w), open);
            count += open;
        }
        CU_ASSERT_EQUAL(rwa_state_free_channels(m->state, a), count);
    }
}

/** The measures of free blocks, counted one by one, of the links that work. */
static void compare_fragmentation(const struct model *m)
{
    uint32_t fibers = 0, open = 0;
    rwa_fragmentation f = {0}, found;
    for (uint32_t c = 0; c < m->carriers; c++)
        for (uint32_t fiber = 0; fiber < m->link[m->link_of[c]].fibers; fiber++) {
            uint32_t free = 0, largest = 0, run = 0, blocks = 0;
            double entropy = 0;
            for (uint32_t w = 0; w <= m->wavelengths; w++) {
                bool taken = w < m->wavelengths && m->taken[c][fiber][w];
                f.highest = taken && w >= f.highest ? w + 1 : f.highest;
                if (w < m->wavelengths && !taken && !m->closed[c][fiber][w]) {
                    run++;
                    continue;
                }
                free += run;
                RAISE(largest, run);
                blocks += run > 0;
                entropy -= run > 0 ? (double)run / m->wavelengths * log((double)run / m->wavelengths) : 0;
                run = 0;
            }
            if (is_failed(m, m->link_of[c]))
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

/* ---- why blocked ---- */

static bool fits_now(rwa_state *state, const rwa_request *q)
{
    rwa_placed placed;
    OK(rwa_state_try(&placed, state, q, NULL));
    return placed.hops > 0;
}

/** What was tried since `base` is undone as far as `mark`; it has taken places of the history. */
static void take_back(struct model *m, uint64_t base, uint64_t mark)
{
    uint32_t left = m->options.history - (uint32_t)(rwa_state_mark(m->state) - base);
    LOWER(m->kept, left);
    OK(rwa_state_rollback(m->state, mark, NULL));
}

/** Without a lightpath, which has no backup: is there a place for the request and then one for the lightpath where it
 *  runs, whatever place the request takes? */
static bool can_move(struct model *m, const struct light *l, const rwa_request *request)
{
    static struct routes all;
    rwa_placed placed;
    rwa_request q, exact = *request;
    uint64_t mark = rwa_state_mark(m->state);
    bool found = false;
    if (is_hit(m, &l->working) || l->backup.hops > 0)
        return false;
    rwa_request_init(&q, l->src, l->dst);
    q.links = l->working.links;
    q.hops = l->working.hops;
    q.width = l->width;
    q.guard = l->guard;
    OK(rwa_state_release(m->state, l->id, NULL));
    list_tried(m, &all, request);
    for (size_t i = 0; i < all.count && !found; i++)
        for (uint32_t at = 0; at < m->fibers * m->wavelengths && !found; at++) {
            exact.links = all.list[i].links;
            exact.hops = all.list[i].hops;
            exact.fiber = at / m->wavelengths;
            exact.wavelength = at % m->wavelengths;
            if ((request->fiber != RWA_ANY_CHANNEL && request->fiber != exact.fiber) ||
                (request->wavelength != RWA_ANY_CHANNEL && request->wavelength != exact.wavelength))
                continue;
            OK(rwa_state_add(&placed, m->state, &exact, NULL));
            if (placed.hops == 0)
                continue;
            found = fits_now(m->state, &q);
            take_back(m, mark, mark + 1);
            m->last++;
        }
    take_back(m, mark, mark);
    return found;
}

/** Whether a single release, move or repair lets the request in, each tried; moves only without protection. */
static void try_changes(struct model *m, const rwa_request *q, bool *move, bool *repair, bool *release)
{
    uint64_t mark = rwa_state_mark(m->state);
    for (uint32_t i = 0; i < m->now.count; i++) {
        const struct light *l = &m->now.lights[i];
        if (!l->up)
            continue;
        bool movable = q->protection == RWA_PROTECTION_NONE && can_move(m, l, q);
        OK(rwa_state_release(m->state, l->id, NULL));
        bool fit = fits_now(m->state, q);
        take_back(m, mark, mark);
        CU_ASSERT_TRUE(fit || !movable);
        *release = *release || fit;
        *move = *move || movable;
    }
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t n = 0; n < LINKS; n++) {
            if (rwa_state_is_failed(m->state, (rwa_failure)kind, n) != 1)
                continue;
            OK(rwa_state_repair(m->state, (rwa_failure)kind, n, NULL));
            *repair = *repair || fits_now(m->state, q);
            take_back(m, mark, mark);
        }
}

/** One of the routes tried passes the node, and has channels free before and behind it. */
static bool converts(const struct model *m, const rwa_request *q, uint32_t node)
{
    static struct routes all;
    list_tried(m, &all, q);
    for (size_t i = 0; i < all.count; i++)
        for (uint32_t k = 1; k < all.list[i].hops; k++) {
            struct course before = all.list[i], behind = {.hops = before.hops - k};
            before.hops = k;
            memcpy(behind.links, all.list[i].links + k, behind.hops * sizeof *behind.links);
            if (m->link[behind.links[0]].from == node && count_free(m, &before, q) > 0 && count_free(m, &behind, q) > 0)
                return true;
        }
    return false;
}

/** What is in the way, by the first of the routes tried; with protection by the pairs of routes.  The text names it. */
static void check_obstacle(const struct model *m, const rwa_request *q, const rwa_obstacle *why)
{
    static const char *const texts[] = {[RWA_OBSTACLE_NO_ROUTE] = "no route leads there",
                                        [RWA_OBSTACLE_FAILED_LINK] = "on the given route has failed",
                                        [RWA_OBSTACLE_FULL_LINK] = " is free on link ",
                                        [RWA_OBSTACLE_NO_COMMON_CHANNEL] = "none is free on all of them"};
    static struct routes all;
    bool full = false, two = false;
    list_tried(m, &all, q);
    if (q->protection != RWA_PROTECTION_NONE) {
        if (!m->complete)
            return;
        list_routes(m, &all, q->src, q->dst);
        for (uint32_t a = 0; a < all.count; a++)
            for (uint32_t b = 0; b < a; b++)
                two = two || !share_fate(m, &all.list[a], &all.list[b]);
        CU_ASSERT_EQUAL(why->kind, all.count > 0 ? RWA_OBSTACLE_NO_BACKUP : RWA_OBSTACLE_NO_ROUTE);
        CU_ASSERT_EQUAL(why->routes > 0, two);
        CU_ASSERT_EQUAL(strstr(why->text, "lead there") != NULL, all.count > 0 && !two);
        return;
    }
    for (uint32_t k = 0; all.count > 0 && k < all.list[0].hops; k++)
        full = full || count_free(m, &(struct course){1, {all.list[0].links[k]}, 0, 0, 0, 0}, q) == 0;
    CU_ASSERT_EQUAL(why->kind, all.count > 0 ? (full ? RWA_OBSTACLE_FULL_LINK : RWA_OBSTACLE_NO_COMMON_CHANNEL)
                               : q->links    ? RWA_OBSTACLE_FAILED_LINK
                                             : RWA_OBSTACLE_NO_ROUTE);
    CU_ASSERT_TRUE(!full || count_free(m, &(struct course){1, {why->link}, 0, 0, 0, 0}, q) == 0);
    CU_ASSERT_TRUE(why->kind != RWA_OBSTACLE_FAILED_LINK || is_failed(m, why->link));
    expect_part(why->text, texts[why->kind]);
}

/** It lets the request through. */
static void check_applied(struct model *m, const rwa_request *q, const rwa_obstacle *why)
{
    uint64_t mark = rwa_state_mark(m->state);
    rwa_request other = *q;
    if (why->remedy == RWA_REMEDY_ROUTE) {
        other.links = why->links;
        other.hops = why->hops;
        other.fiber = why->fiber;
        other.wavelength = why->wavelength;
    }
    apply_remedy(m->state, why);
    CU_ASSERT_EQUAL(fits_now(m->state, &other),
                    why->remedy != RWA_REMEDY_NONE && why->remedy != RWA_REMEDY_CONVERTER);
    take_back(m, mark, mark);
}

/** The remedy works, and what ranks before it does not exist; with protection a move may be named or not. */
static void check_reason(struct model *m, const rwa_request *q)
{
    static const char *const texts[] = {[RWA_REMEDY_NONE] = "no single change",
                                        [RWA_REMEDY_ROUTE] = "; another route, of ",
                                        [RWA_REMEDY_MOVE] = "; it would fit if lightpath ",
                                        [RWA_REMEDY_REPAIR] = " were repaired",
                                        [RWA_REMEDY_CONVERTER] = "; it would fit with a wavelength converter at node ",
                                        [RWA_REMEDY_RELEASE] = " were released"};
    static struct routes all;
    rwa_obstacle why;
    rwa_request without = *q;
    bool alone = q->protection == RWA_PROTECTION_NONE, route = false, move = false, repair = false, release = false;
    without.protection = RWA_PROTECTION_NONE;
    OK(rwa_state_explain(&why, m->state, q, NULL));
    check_applied(m, q, &why);      /* now: a route is in the state's memory */
    check_obstacle(m, q, &why);
    expect_part(why.text, why.remedy == RWA_REMEDY_NONE && !alone && fits_now(m->state, &without)
                              ? "it would fit without protection" : texts[why.remedy]);
    list_routes(m, &all, q->src, q->dst);
    for (size_t i = 0; i < all.count; i++)
        route = route || (alone && count_free(m, &all.list[i], q) > 0);
    try_changes(m, q, &move, &repair, &release);
    move = alone ? move : why.remedy == RWA_REMEDY_MOVE;
    CU_ASSERT_EQUAL(why.remedy == RWA_REMEDY_ROUTE, route);
    CU_ASSERT_EQUAL(why.remedy == RWA_REMEDY_MOVE, !route && move);
    CU_ASSERT_EQUAL(why.remedy == RWA_REMEDY_REPAIR, !route && !move && repair);
    bool converted = why.remedy == RWA_REMEDY_CONVERTER;
    CU_ASSERT_TRUE(!converted || (alone && converts(m, q, why.node)));
    CU_ASSERT_TRUE(converted || (why.remedy == RWA_REMEDY_RELEASE) == (!route && !move && !repair && release));
    seen.remedies[!alone][why.remedy]++;
}
