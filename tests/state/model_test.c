/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * States against a model that keeps every channel of every link as a truth value, finds its routes by listing all
 * simple paths, chooses by looking at one channel after the other, and undoes by taking up an earlier copy of itself:
 * what is set up and why not, moves, failed links, undoing, defragmentation, its measures, and files, from which the
 * state goes on as before.  `thorough`: 20 times the cases.
 */
#include "rwa.h"

#include "tests/support/files.h"
#include "tests/support/report.h"
#include "tests/support/state_model.h"
#include "tests/support/states.h"

/* ---- why blocked ---- */

static rwa_state *new_state(const struct model *m, const rwa_network *net)
{
    rwa_state *state = NULL;
    OK(rwa_state_create(&state, net, &m->options, NULL));
    return state;
}

/** A state that holds the same lightpaths by the same numbers, and forgets what it is asked to do. */
static rwa_state *twin_of(const struct model *m)
{
    rwa_assignment *result = NULL;
    rwa_state *twin = new_state(m, m->whole);
    OK(rwa_state_export(&result, m->state, NULL));
    OK(rwa_state_import(twin, result, NULL));
    CU_ASSERT_EQUAL(rwa_state_undo(twin, 1, NULL), RWA_BADARG);
    rwa_assignment_free(result);
    return twin;
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
    q.width = at.width;
    q.guard = at.guard;
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
        if (rwa_state_is_failed(twin, RWA_FAILURE_LINK, a)) {
            OK(rwa_state_repair(twin, RWA_FAILURE_LINK, a, NULL));
            *repair += fits_now(twin, q);
            OK(rwa_state_undo(twin, 1, NULL));
        }
}

/** It lets the request through; another route on this state, whose memory it is in, the others on a twin. */
static void apply(const struct model *m, rwa_state *twin, const rwa_request *q, const rwa_obstacle *why)
{
    rwa_request other = *q;
    if (why->remedy == RWA_REMEDY_ROUTE) {
        other.links = why->links;
        other.hops = why->hops;
        other.fiber = why->fiber;
        other.wavelength = why->wavelength;
        CU_ASSERT_TRUE(fits_now(m->state, &other));
        return;
    }
    apply_remedy(twin, why);
    CU_ASSERT_EQUAL(fits_now(twin, q), why->remedy != RWA_REMEDY_NONE && why->remedy != RWA_REMEDY_CONVERTER);
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

/** What is in the way, by the first of the routes tried; the text names it. */
static void check_obstacle(const struct model *m, const rwa_request *q, const rwa_obstacle *why)
{
    static const char *const texts[] = {[RWA_OBSTACLE_NO_ROUTE] = "no route leads there",
                                        [RWA_OBSTACLE_FAILED_LINK] = "on the given route has failed",
                                        [RWA_OBSTACLE_FULL_LINK] = " is free on link ",
                                        [RWA_OBSTACLE_NO_COMMON_CHANNEL] = "none is free on all of them"};
    static struct listing all;
    size_t count = routes(m, &all, q);
    bool full = false;
    for (uint32_t k = 0; count > 0 && k < all.paths[0].hops; k++)
        full = full || count_free(m, &(struct path){1, {all.paths[0].links[k]}, 0}, q) == 0;
    CU_ASSERT_EQUAL(why->kind, count > 0  ? (full ? RWA_OBSTACLE_FULL_LINK : RWA_OBSTACLE_NO_COMMON_CHANNEL)
                               : q->links ? RWA_OBSTACLE_FAILED_LINK
                                          : RWA_OBSTACLE_NO_ROUTE);
    CU_ASSERT_TRUE(!full || count_free(m, &(struct path){1, {why->link}, 0}, q) == 0);
    CU_ASSERT_TRUE(why->kind != RWA_OBSTACLE_FAILED_LINK || m->now.failed[m->carrier[why->link]]);
    expect_part(why->text, texts[why->kind]);
}

static int remedies[RWA_REMEDY_RELEASE + 1];

/** The remedy works, and what ranks before it does not exist. */
static void check_reason(struct model *m, const rwa_request *q)
{
    static const char *const texts[] = {[RWA_REMEDY_NONE] = "no single change would be enough",
                                        [RWA_REMEDY_ROUTE] = "; another route, of ",
                                        [RWA_REMEDY_MOVE] = "; it would fit if lightpath ",
                                        [RWA_REMEDY_REPAIR] = " were repaired",
                                        [RWA_REMEDY_CONVERTER] = "; it would fit with a wavelength converter at node ",
                                        [RWA_REMEDY_RELEASE] = " were released"};
    static struct listing all;
    rwa_obstacle why;
    rwa_state *twin = twin_of(m);
    int release = 0, move = 0, repair = 0;
    bool elsewhere = false;
    struct path none = {0};
    OK(rwa_state_explain(&why, m->state, q, NULL));
    check_obstacle(m, q, &why);
    expect_part(why.text, texts[why.remedy]);
    all.count = 0;
    list_on(m, &all, &none, q->src, q->dst, 1u << q->src);
    for (size_t i = 0; i < all.count; i++)
        elsewhere = elsewhere || count_free(m, &all.paths[i], q) > 0;
    count_ways_out(m, twin, q, &release, &move, &repair);
    apply(m, twin, q, &why);
    CU_ASSERT_EQUAL(why.remedy == RWA_REMEDY_ROUTE, elsewhere);
    CU_ASSERT_EQUAL(why.remedy == RWA_REMEDY_MOVE, !elsewhere && move > 0);
    CU_ASSERT_EQUAL(why.remedy == RWA_REMEDY_REPAIR, !elsewhere && !move && repair > 0);
    CU_ASSERT_TRUE(why.remedy != RWA_REMEDY_CONVERTER || converts(m, q, why.node));
    CU_ASSERT_TRUE(why.remedy != RWA_REMEDY_NONE || !release);
    remedies[why.remedy]++;
    rwa_state_free(twin);
}

/* ---- operations ---- */

static uint32_t defragmented;

static void make_request(struct model *m, rwa_request *q, uint32_t src, uint32_t dst)
{
    static uint32_t links[NODES];
    static struct listing all;
    rwa_request_init(q, src, dst);
    q->policy = (rwa_policy)any(7);
    q->routing = (rwa_routing)any(3);
    q->rate_bps = 1e9 * any(3);
    if (m->most_width > 1) {
        q->width = any(m->most_width + 1);
        q->guard = any(3) ? 0 : any(3);
    }
    if (any(8) == 0)
        q->fiber = any(m->fibers);
    if (any(8) == 0)
        q->wavelength = any(m->wavelengths);
    if (any(6) == 0) { /* any simple path will do as a given route, also one across failed links */
        struct path none = {0};
        struct now kept = m->now;
        memset(m->now.failed, 0, sizeof m->now.failed);
        all.count = 0;
        list_on(m, &all, &none, src, dst, 1u << src);
        m->now = kept;
        if (all.count > 0) {
            const struct path *p = &all.paths[any(all.count)];
            memcpy(links, p->links, sizeof links);
            q->links = links;
            q->hops = p->hops;
        }
    }
}

static void try_add(struct model *m)
{
    uint32_t src = any(m->nodes), dst = any(m->nodes - 1), fiber = 0, wavelength = 0;
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
    if (!fit && any(3) == 0)
        check_reason(m, &q);
    if (!fit || m->now.count == LIGHTPATHS)
        return;
    CU_ASSERT_TRUE(placed.fiber == foretold[0] && placed.wavelength == foretold[1]); /* also at random */
    remember(m);
    struct light *l = &m->now.lights[m->now.count++];
    *l = (struct light){placed.id, q.src, q.dst, route.hops, {0}, placed.fiber, placed.wavelength,
                        q.width ? q.width : 1, q.guard, q.rate_bps, true};
    memcpy(l->links, route.links, sizeof l->links);
    CU_ASSERT_EQUAL(placed.id, ++m->last);  /* also where lightpaths were undone, or read from a file */
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
    if (width == 0 && any(2)) {    /* as before, said or not */
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
    l->rate_bps = q.rate_bps > 0 ? q.rate_bps : l->rate_bps;
    set_taken(m, l, true);
}

static void try_link(struct model *m)
{
    uint32_t a = any(m->links);
    bool fail = any(3) == 0;
    if (m->now.failed[m->carrier[a]] != fail)
        remember(m);
    OK((fail ? rwa_state_fail : rwa_state_repair)(m->state, RWA_FAILURE_LINK, a, NULL));
    m->now.failed[m->carrier[a]] = fail;
}

static void try_undo(struct model *m)
{
    uint32_t count = any(6) ? any(5) : HISTORY - 1 + any(3);
    uint64_t mark = rwa_state_mark(m->state);
    rwa_status st = any(2) || mark < count ? rwa_state_undo(m->state, count, NULL)
                                                : rwa_state_rollback(m->state, mark - count, NULL);
    CU_ASSERT_EQUAL_FATAL(st, count <= m->kept ? RWA_OK : RWA_BADARG);
    if (st != RWA_OK || count == 0)
        return;
    m->now = m->past[count - 1];
    memmove(&m->past[0], &m->past[count], (DEPTH - count) * sizeof m->past[0]);
    m->kept -= count;
}

/** One lightpath moves to a lower place, or none can; the places in use go no higher. */
static void try_defragment(struct model *m)
{
    rwa_defragmentation d;
    OK(rwa_state_defragment(&d, m->state, 1, NULL));
    CU_ASSERT(d.moves <= 1 && d.after.highest <= d.before.highest);
    if (d.moves > 0)
        remember(m);
    for (uint32_t i = 0; i < m->now.count; i++) {
        struct light *l = &m->now.lights[i];
        rwa_placed p;
        if (!l->up || !rwa_state_get(&p, m->state, l->id) || p.wavelength == l->wavelength)
            continue;
        CU_ASSERT(p.wavelength < l->wavelength && d.moves-- == 1);
        set_taken(m, l, false);
        l->fiber = p.fiber;
        l->wavelength = p.wavelength;
        set_taken(m, l, true);
        defragmented++;
    }
}

/** The file is checked, the state that reads it goes on as this one, and writes the same file. */
static void try_file(struct model *m)
{
    struct file file = file_make("state.jsonl", "", 0);
    rwa_check_report report;
    OK(rwa_state_write(m->state, file.path, NULL));
    OK(report_file(&report, file.path, NULL, NULL));
    CU_ASSERT_TRUE(report.ok && report.lightpaths == rwa_state_count(m->state));
    rwa_state_free(m->state);
    m->state = new_state(m, m->whole);
    OK(rwa_state_read(m->state, file.path, NULL));
    m->kept = 0;
    char *written = text_of(file.path);
    OK(rwa_state_write(m->state, file.path, NULL));
    char *again = text_of(file.path);
    CU_ASSERT_STRING_EQUAL(written, again);
    free(written);
    free(again);
    file_drop(&file);
}

static void operate(struct model *m)
{
    uint32_t dice = any(100);
    if (dice < 52)
        try_add(m);
    else if (dice < 72)
        try_release(m);
    else if (dice < 82)
        try_move(m);
    else if (dice < 87)
        try_link(m);
    else if (dice < 90)
        try_defragment(m);
    else if (dice < 92)
        try_file(m);
    else
        try_undo(m);
}

/* ---- networks ---- */

/** A way round, and some more links; lengths that make no two routes equal. */
static rwa_network *random_network(uint32_t wavelengths)
{
    rwa_network_options o;
    rwa_link links[LINKS];
    rwa_reserved reserved[6];
    rwa_network *net = NULL;
    uint32_t nodes = 3 + any(NODES - 2), both = any(2), count = nodes + any(4);
    rwa_network_options_init(&o);
    o.both_ways = (int)both;
    o.wavelengths = wavelengths;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = i < nodes ? i : any(nodes), to = i < nodes ? (i + 1) % nodes : any(nodes - 1);
        to += i >= nodes && to >= from;
        links[i] = (rwa_link){from, to, 1 + any(1000000) / 1000.0, 1 + any(FIBERS)};
    }
    o.reserved = reserved;
    for (o.reserved_count = 0; o.reserved_count < any(6); o.reserved_count++) {
        uint32_t link = any(count);
        reserved[o.reserved_count] = (rwa_reserved){link, any(links[link].fibers), any(wavelengths)};
    }
    OK(rwa_network_create_graph(&net, nodes, links, count, &o, NULL));
    return net;
}

/** Odd rings have no two shortest routes of one length. */
static rwa_network *plain_network(uint32_t wavelengths)
{
    static const char *const specs[] = {"ring:5", "line:5", "ring:3"};
    rwa_network_options o;
    rwa_network *net = NULL, *faulty = NULL;
    uint32_t channel = any(wavelengths), link = any(3);
    rwa_faults faults = {.channels = &channel, .channel_count = any(2), .links = &link, .link_count = any(2)};
    rwa_network_options_init(&o);
    o.wavelengths = wavelengths;
    o.fibers = 1 + any(FIBERS);
    OK(rwa_network_parse(&net, specs[any(3)], &o, NULL));
    OK(rwa_network_with_faults(&faulty, net, &faults, NULL));
    rwa_network_free(net);
    return faulty;
}

static void take_network(struct model *m)
{
    rwa_faults faults;
    rwa_network_faults(&faults, m->net);
    faults.link_count = 0;
    OK(rwa_network_with_faults(&m->whole, m->net, &faults, NULL));
    m->nodes = rwa_network_nodes(m->net);
    m->links = rwa_network_links(m->net);
    m->carriers = m->options.model == RWA_UNDIRECTED ? rwa_network_pairs(m->net) : m->links;
    m->wavelengths = rwa_network_wavelengths(m->net);
    m->fibers = 1;
    for (uint32_t a = 0; a < m->links; a++) {
        m->link[a] = rwa_network_link(m->net, a);
        m->carrier[a] = m->options.model == RWA_UNDIRECTED ? rwa_network_pair(m->net, a) : a;
        m->carrier_fibers[m->carrier[a]] = m->link[a].fibers;
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

static void run_case(struct model *m, uint64_t number, uint32_t operations)
{
    memset(m, 0, sizeof *m);
    rwa_state_options_init(&m->options);
    seed = m->options.seed = number;
    m->options.history = HISTORY;
    m->options.paths = 1 + any(4);
    m->options.max_hops = any(3) ? 0 : 1 + any(3);
    uint32_t wavelengths = any(4) ? 1 + any(5) : 30 + any(WAVELENGTHS - 29);
    m->most_width = any(2) ? 1 : 1 + any(wavelengths < 12 ? 3 : 30);
    m->net = any(4) ? random_network(wavelengths) : plain_network(wavelengths);
    m->options.model = rwa_network_is_paired(m->net) && any(2) ? RWA_UNDIRECTED : RWA_DIRECTED;
    take_network(m);
    m->state = new_state(m, m->net);
    for (uint32_t i = 0; i < operations && m->now.count < LIGHTPATHS; i++) {
        operate(m);
        compare_lights(m);
        if (i % 8 == 0) {
            compare_free(m);
            compare_fragmentation(m);
        }
    }
    compare_free(m);
    rwa_state_free(m->state);
    rwa_network_free(m->net);
    rwa_network_free(m->whole);
}

static void thousands_of_operations_agree_with_a_scan(void)
{
    struct model *m = malloc(sizeof *m);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    for (uint64_t number = 1; number <= (thorough ? 1200 : 60); number++)
        run_case(m, number, 300);
    for (int i = RWA_REMEDY_NONE; i <= RWA_REMEDY_RELEASE; i++)
        CU_ASSERT_TRUE(remedies[i] >= 5);   /* or the cases above show little */
    CU_ASSERT_TRUE(defragmented > 50);
    free(m);
}

TESTS("state against a model", thousands_of_operations_agree_with_a_scan)
