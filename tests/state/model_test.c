/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * States against a model that keeps every channel of every link as a truth value, finds its routes by listing all
 * simple paths, chooses by looking at one channel after the other, and undoes by taking up an earlier copy of itself.
 */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>
#include "tests/support/state_model.h"

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
    OK(rwa_network_with_faults(&whole, m->net, &faults, NULL));
    rwa_state_options_init(&o);
    o.model = m->kind;
    o.paths = m->paths;
    o.max_hops = m->max_hops;
    OK(rwa_state_create(&twin, whole, &o, NULL));
    OK(rwa_state_export(&result, m->state, NULL));
    OK(rwa_state_import(twin, result, NULL));
    CU_ASSERT_EQUAL(rwa_state_undo(twin, 1, NULL), RWA_BADARG);
    for (uint32_t a = 0; a < m->links; a++)
        if (m->now.failed[m->carrier[a]])
            OK(rwa_state_fail_link(twin, a, NULL));
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
    OK(rwa_state_try(&placed, state, q, NULL));
    return placed.hops > 0;
}

/** Without a lightpath: is there a place for the request and then one for the lightpath where it runs, whatever place
 *  the request takes?  The twin is as before. */
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
    OK(rwa_state_release(twin, id, NULL));
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
            OK(rwa_state_add(&placed, twin, &exact, NULL));
            if (placed.hops == 0)
                continue;
            found = fits_now(twin, &q);
            OK(rwa_state_undo(twin, 1, NULL));
        }
    OK(rwa_state_rollback(twin, mark, NULL));
    return found;
}

/** Every single release and repair, tried. */
static void count_ways_out(const struct model *m, rwa_state *twin, const rwa_request *q, int *release, int *move,
                           int *repair)
{
    *release = *move = *repair = 0;
    for (uint64_t id = rwa_state_next(twin, 0), next; id != RWA_NO_LIGHTPATH; id = next) {
        bool movable = can_move(m, twin, id, q);
        OK(rwa_state_release(twin, id, NULL));
        bool fit = fits_now(twin, q);
        OK(rwa_state_undo(twin, 1, NULL));
        *release += fit;
        CU_ASSERT_TRUE(fit || !movable);
        *move += movable;
        next = rwa_state_next(twin, id);
    }
    for (uint32_t a = 0; a < m->links; a++)
        if (rwa_state_is_failed(twin, a)) {
            OK(rwa_state_repair_link(twin, a, NULL));
            *repair += fits_now(twin, q);
            OK(rwa_state_undo(twin, 1, NULL));
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
        OK(rwa_state_add(&placed, twin, &other, NULL));
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
        OK(rwa_state_move(&placed, twin, id, &other, NULL));
        CU_ASSERT_NOT_EQUAL(placed.hops, 0);
    } else if (why->remedy == RWA_REMEDY_REPAIR) {
        OK(rwa_state_repair_link(twin, why->repair, NULL));
    } else if (why->remedy == RWA_REMEDY_RELEASE) {
        OK(rwa_state_release(twin, twin_id(m, twin, why->id), NULL));
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
    OK(rwa_state_explain(&why, m->state, q, NULL));
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
    OK(rwa_state_try(&asked, m->state, &q, NULL));
    compare_placed(m, &q, &asked, fit, &route, fiber, wavelength);
    uint32_t foretold[2] = {asked.fiber, asked.wavelength};
    OK(rwa_state_add(&placed, m->state, &q, NULL));
    compare_placed(m, &q, &placed, fit, &route, fiber, wavelength);
    CU_ASSERT_EQUAL(asked.id, RWA_NO_LIGHTPATH);
    if (!fit && below(m, 3) == 0)
        check_reason(m, &q);
    if (!fit || m->now.count == LIGHTPATHS)
        return;
    CU_ASSERT_TRUE(placed.fiber == foretold[0] && placed.wavelength == foretold[1]); /* also at random */
    remember(m);
    struct light *l = &m->now.lights[m->now.count++];
    *l =
        (struct light){placed.id, q.src, q.dst, route.hops, {0}, placed.fiber, placed.wavelength, q.width ? q.width : 1,
                       q.guard,   true};
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
    OK(rwa_state_release(m->state, l->id, NULL));
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
    OK(rwa_state_move(&placed, m->state, l->id, &q, NULL));
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
    OK(fail ? rwa_state_fail_link(m->state, a, NULL) : rwa_state_repair_link(m->state, a, NULL));
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
    OK(rwa_state_export(&result, m->state, NULL));
    OK(report_assignment(&check, result, NULL, NULL));
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
    OK(rwa_network_create_graph(&net, nodes, links, count, &o, NULL));
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
    OK(rwa_network_parse(&net, specs[below(m, 3)], &o, NULL));
    OK(rwa_network_with_faults(&faulty, net, &faults, NULL));
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
    OK(rwa_state_create(&m->state, m->net, &o, NULL));
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
    return RUN_TESTS("state against a model", thousands_of_operations_agree_with_a_scan);
}
