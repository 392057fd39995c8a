/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * States against a model that keeps every channel of every link as a truth value, finds its routes by listing all
 * simple paths, chooses by looking at one channel after the other, follows up to three failures of links, nodes and
 * risk groups itself, and undoes by taking up an earlier copy of itself.  Where a request without a backup goes is
 * known; of a backup, whether another one on its channels can be needed after the same failure; and which lightpaths
 * carry their signal and survive the next failure.  State, checker and file must agree.  `thorough`: ten times the
 * cases.
 */
#include "tests/support/state_compare.h"

/** An operation begins. */
static void remember(struct model *m)
{
    m->past[m->done++ % DEPTH] = m->now;
    m->kept = m->kept < m->options.history ? m->kept + 1 : m->options.history;
    before_change(m);
}

/** The course of a route that a state announced: links from end to end, which work. */
static void keep_course(const struct model *m, struct course *c, const rwa_placed *p, uint32_t span)
{
    *c = (struct course){.hops = p->hops, .fiber = p->fiber, .low = p->wavelength, .high = p->wavelength + span};
    CU_ASSERT_FATAL(p->hops < NODES);
    memcpy(c->links, p->links, p->hops * sizeof *p->links);
    uint32_t at = p->src;
    for (uint32_t k = 0; k < p->hops; at = m->link[c->links[k++]].to)
        CU_ASSERT_EQUAL(m->link[c->links[k]].from, at);
    CU_ASSERT_EQUAL(at, p->dst);
    CU_ASSERT_FALSE(is_hit(m, c));
}

/** The placement is what the model expects. */
static void compare_placed(const struct model *m, const rwa_request *q, const rwa_placed *placed,
                           const struct course *best)
{
    CU_ASSERT_EQUAL_FATAL(placed->hops, best->hops);
    if (best->hops == 0)
        return;
    CU_ASSERT_EQUAL(memcmp(placed->links, best->links, best->hops * sizeof *best->links), 0);
    CU_ASSERT_TRUE_FATAL(q->policy == RWA_POLICY_RANDOM ? fits(m, best, q, placed->fiber, placed->wavelength)
                                                        : is_course(best, placed));
    CU_ASSERT_FALSE(placed->down);
}

/** A backup apart from the route `working`, whose channels are free for it. */
static void keep_backup(const struct model *m, struct course *backup, const rwa_placed *p, uint32_t span,
                        rwa_protection protection, const struct course *working)
{
    keep_course(m, backup, p, span);
    CU_ASSERT_FALSE(share_fate(m, working, backup));
    CU_ASSERT_TRUE(may_have(m, protection, working, backup));
    seen.shared_dark += !is_free(m, backup);
}

static struct light *pick_light(struct model *m)
{
    struct light *l = m->now.count > 0 ? &m->now.lights[any(m->now.count)] : NULL;
    return l && l->up ? l : NULL;
}

/* ---- setting up, moving, releasing ---- */

/** Any simple path will do as a given route, also one across failed links. */
static void give_route(const struct model *m, rwa_request *q)
{
    static struct routes all = {.across = true};
    list_routes(m, &all, q->src, q->dst);
    if (all.count == 0)
        return;
    const struct course *c = &all.list[any(all.count)];
    q->links = c->links;
    q->hops = c->hops;
}

static void make_request(struct model *m, rwa_request *q, uint32_t src, uint32_t dst)
{
    rwa_request_init(q, src, dst);
    q->policy = (rwa_policy)any(7);
    q->routing = any(2) ? RWA_ROUTING_ALTERNATE : (rwa_routing)any(3);
    q->rate_bps = 30e9 * any(4);
    if (m->most_width > 1) {
        q->width = any(m->most_width + 1);
        q->guard = any(3) ? 0 : any(3);
    }
    if (any(8) == 0)
        q->fiber = any(m->fibers);
    if (any(8) == 0)
        q->wavelength = any(m->wavelengths);
    if (any(6) == 0)
        give_route(m, q);
}

static void try_add(struct model *m)
{
    struct course best = {0};
    rwa_request any_two = any_request(m->state), q;
    rwa_placed p, b, asked;
    rwa_obstacle why;
    make_request(m, &q, any_two.src, any_two.dst);
    if (any(3) < m->backups) {
        q.protection = any(8) ? RWA_PROTECTION_SHARED : RWA_PROTECTION_DEDICATED;
        q.links = NULL;
        q.hops = 0;
        q.fiber = q.wavelength = RWA_ANY_CHANNEL;
    } else {
        best = expected(m, &q);
    }
    q.tag = tag_of(m->now.count);   /* it is copied */
    OK(rwa_state_try(&asked, m->state, &q, NULL));
    uint32_t foretold[] = {asked.hops, asked.fiber, asked.wavelength};
    OK(rwa_state_explain(&why, m->state, &q, NULL));
    OK(rwa_state_add(&p, m->state, &q, NULL));
    CU_ASSERT_EQUAL(asked.id, RWA_NO_LIGHTPATH);
    CU_ASSERT_TRUE(p.hops == foretold[0] && (why.kind == RWA_OBSTACLE_NONE) == (p.hops > 0));
    if (q.protection == RWA_PROTECTION_NONE)
        compare_placed(m, &q, &p, &best);
    if (p.hops == 0) {
        seen.blocked++;
        if (any(3) == 0)
            check_reason(m, &q);
        CU_ASSERT_FALSE(m->complete && q.protection != RWA_PROTECTION_NONE && q.routing != RWA_ROUTING_SHORTEST &&
                        must_fit(m, q.src, q.dst, span_of(&q), q.protection));
        return;
    }
    CU_ASSERT_TRUE(p.fiber == foretold[1] && p.wavelength == foretold[2]);  /* also at random */
    CU_ASSERT_EQUAL(p.id, ++m->last);   /* also where lightpaths were undone, or read from a file */
    struct light l = {.id = p.id, .src = q.src, .dst = q.dst, .width = q.width ? q.width : 1, .guard = q.guard,
                      .protection = q.protection, .rate_bps = q.rate_bps, .up = true};
    keep_course(m, &l.working, &p, span_of(&q));
    CU_ASSERT_TRUE(is_free(m, &l.working));
    if (q.protection != RWA_PROTECTION_NONE) {
        CU_ASSERT_TRUE_FATAL(rwa_state_backup(&b, m->state, p.id));
        keep_backup(m, &l.backup, &b, span_of(&q), q.protection, &l.working);
    }
    CU_ASSERT_FATAL(m->now.count < LIGHTS);
    remember(m);
    m->now.lights[m->now.count++] = l;
    switch_over(m);
}

static void try_release(struct model *m)
{
    struct light *l = pick_light(m);
    if (!l)
        return;
    remember(m);
    l->up = l->lit = false;
    switch_over(m);
    OK(rwa_state_release(m->state, l->id, NULL));
    CU_ASSERT_EQUAL(rwa_state_release(m->state, l->id, NULL), RWA_BADARG);
}

/** A new place on its route, or another one; its backup is released. */
static void move_light(struct model *m, struct light *l, const struct course *to)
{
    remember(m);
    l->working = *to;
    l->backup.hops = 0;
    l->lit = false;
    switch_over(m);
}

/** Where the request says no width, the lightpath keeps its own. */
static void try_move(struct model *m)
{
    struct light *l = pick_light(m);
    struct course course;
    rwa_request q;
    rwa_placed p;
    if (!l)
        return;
    make_request(m, &q, l->src, l->dst);
    rwa_request stated = q;
    if (q.width == 0) {
        stated.width = l->width;
        stated.guard = l->guard;
        q = any(2) ? stated : q;
    }
    set_up(m, l, false);
    struct course best = expected(m, &stated);
    OK(rwa_state_move(&p, m->state, l->id, &q, NULL));
    compare_placed(m, &stated, &p, &best);
    set_up(m, l, true);
    if (p.hops == 0)
        return;
    keep_course(m, &course, &p, span_of(&stated));
    CU_ASSERT_EQUAL(p.id, l->id);
    move_light(m, l, &course);
    l->width = stated.width;
    l->guard = stated.guard;
    l->rate_bps = q.rate_bps > 0 ? q.rate_bps : l->rate_bps;
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
        if (!l->up || !rwa_state_get(&p, m->state, l->id) || p.wavelength == l->working.low)
            continue;
        struct course to = course_at(&l->working, p.fiber, p.wavelength, l->width + l->guard);
        CU_ASSERT(to.low < l->working.low && d.moves-- == 1);
        set_up(m, l, false);
        CU_ASSERT_TRUE(is_free(m, &to));
        l->working = to;
        set_up(m, l, true);
        seen.defragmented++;
    }
}

/* ---- protecting and restoring ---- */

/** Some route that shares no link and no risk group with this one has a place for a backup. */
static bool has_backup(const struct model *m, const struct course *working, const rwa_request *q, uint32_t span)
{
    static struct routes all;
    list_routes(m, &all, q->src, q->dst);
    for (uint32_t a = 0; a < all.count; a++)
        if (!share_fate(m, working, &all.list[a]) && has_place(m, working, &all.list[a], span, q->protection))
            return true;
    return false;
}

/** A new backup, disjoint from the route on which the lightpath runs, which is its working route from now on. */
static void try_protect(struct model *m)
{
    struct light *l = pick_light(m);
    struct course course;
    rwa_request q;
    rwa_placed p;
    for (uint32_t i = 0; i < m->now.count && any(4); i++)  /* rather one on its backup */
        l = rwa_state_condition(m->state, m->now.lights[i].id) == RWA_CONDITION_ON_BACKUP ? &m->now.lights[i] : l;
    if (!l)
        return;
    bool switched = is_hit(m, &l->working);
    struct course runs = switched ? l->backup : l->working;
    uint32_t span = l->width + l->guard;
    rwa_request_init(&q, l->src, l->dst);
    q.routing = any(4) ? RWA_ROUTING_ALTERNATE : (rwa_routing)any(3);
    q.policy = (rwa_policy)any(7);
    q.protection = (rwa_protection)any(3);
    rwa_protection kind = q.protection ? q.protection : l->protection;
    rwa_status st = rwa_state_protect(&p, m->state, l->id, &q, NULL);
    CU_ASSERT_EQUAL_FATAL(st, carries(m, l) && kind ? RWA_OK : RWA_BADARG);
    if (st != RWA_OK)
        return;
    q.protection = kind;
    bool blocked = switched && is_shared(m, l, false);
    set_up(m, l, false);
    CU_ASSERT_FALSE(m->complete && p.hops == 0 && q.routing != RWA_ROUTING_SHORTEST && !blocked &&
                    has_backup(m, &runs, &q, span));
    CU_ASSERT_FALSE(blocked && p.hops > 0);
    if (p.hops > 0)
        keep_backup(m, &course, &p, span, kind, &runs);
    set_up(m, l, true);
    seen.renewed[p.hops > 0][switched]++;
    if (p.hops == 0)
        return;
    move_light(m, l, &runs);
    l->backup = course;
    l->protection = kind;
    find_taken(m);
    CU_ASSERT_EQUAL(rwa_state_condition(m->state, l->id), RWA_CONDITION_PROTECTED);
}

/** Whether a lightpath that is down has a place on another route as things are; or once a lightpath without a backup
 *  has changed its channel. */
static bool fits_alone(struct model *m, struct light *l)
{
    set_up(m, l, false);
    bool fits = must_fit(m, l->src, l->dst, l->width + l->guard, RWA_PROTECTION_NONE);
    set_up(m, l, true);
    return fits;
}

static bool fits_after_another(struct model *m, struct light *l)
{
    bool fits = false;
    for (uint32_t i = 0; i < m->now.count && !fits; i++) {
        struct light *other = &m->now.lights[i];
        const struct course own = other->working;
        if (!other->up || other->backup.hops > 0 || is_hit(m, &own))
            continue;
        for (uint32_t at = 0; at < m->fibers * m->wavelengths && !fits; at++) {
            other->working = course_at(&own, at / m->wavelengths, at % m->wavelengths, other->width + other->guard);
            fits = is_free(m, &other->working) && fits_alone(m, l);
            other->working = own;
            find_taken(m);
        }
    }
    return fits;
}

static double rate_of(const struct model *m, const struct light *l)
{
    return l->rate_bps > 0 ? l->rate_bps : l->width * rwa_network_rate_bps(m->net);
}

/** The moves are taken up one by one: lightpaths that are up change to a free channel of their route.  In the end no
 *  lightpath that is down can be restored by one move, or by two; nor was one of most traffic left that could be. */
static void try_restore(struct model *m)
{
    static struct course courses[LIGHTS];
    static uint64_t moved[LIGHTS];
    static struct routes all;
    rwa_restore_order order = (rwa_restore_order)any(2);
    rwa_restoration r;
    struct light *most = NULL;
    uint32_t down = 0, cut_off = 0, restored = 0, reachable = 0;
    double down_bps = 0, cut_off_bps = 0, restored_bps = 0;
    for (uint32_t i = 0; i < m->now.count; i++) {
        struct light *l = &m->now.lights[i];
        if (!l->up || carries(m, l))
            continue;
        list_routes(m, &all, l->src, l->dst);
        down++;
        down_bps += rate_of(m, l);
        cut_off += all.count == 0;
        cut_off_bps += all.count == 0 ? rate_of(m, l) : 0;
        most = !most || rate_of(m, l) > rate_of(m, most) ? l : most;
    }
    bool alone = most && fits_alone(m, most), second = most && !alone && fits_after_another(m, most);
    OK(rwa_state_restore(&r, m->state, order, NULL, NULL));
    CU_ASSERT_TRUE(r.down == down && r.cut_off == cut_off);
    CU_ASSERT_TRUE(fabs(r.down_bps - down_bps) < 1 && fabs(r.cut_off_bps - cut_off_bps) < 1);
    CU_ASSERT_FATAL(r.moves <= COUNT(courses));
    for (uint32_t i = r.moves; i-- > 0;) {  /* where each move led: a lightpath may make way twice */
        rwa_placed p;
        moved[i] = r.ids[i];
        CU_ASSERT_TRUE_FATAL(rwa_state_get(&p, m->state, moved[i]));
        keep_course(m, &courses[i], &p, p.width + p.guard);
        OK(rwa_state_undo(m->state, 1, NULL));
    }
    OK(rwa_state_restore(&r, m->state, order, NULL, NULL));
    for (uint32_t i = 0; i < r.moves; i++) {
        struct light *l = m->now.lights;
        const struct course *to = &courses[i];
        CU_ASSERT_EQUAL_FATAL(r.ids[i], moved[i]);
        while (l->id != r.ids[i])
            l++;
        bool was_down = !carries(m, l);
        CU_ASSERT_TRUE(was_down || (!is_hit(m, &l->working) && l->backup.hops == 0 && to->hops == l->working.hops &&
                                    memcmp(to->links, l->working.links, to->hops * sizeof *to->links) == 0));
        set_up(m, l, !was_down);
        CU_ASSERT_TRUE(is_free(m, to));
        set_up(m, l, true);
        move_light(m, l, to);
        restored += was_down;
        restored_bps += was_down ? rate_of(m, l) : 0;
        seen.asides += !was_down;
    }
    CU_ASSERT_TRUE(r.restored == restored && fabs(r.restored_bps - restored_bps) < 1);
    CU_ASSERT_TRUE(!(alone || (second && order == RWA_RESTORE_MOST_TRAFFIC)) || carries(m, most));
    for (uint32_t i = 0; i < m->now.count; i++) {
        struct light *l = &m->now.lights[i];
        if (l->up && !carries(m, l)) {
            CU_ASSERT_FALSE(fits_alone(m, l) || fits_after_another(m, l));
            reachable++;
        }
    }
    seen.restored += restored;
    seen.left += reachable - cut_off;
    seen.optimal += down > 0 && reachable == cut_off;
}

/* ---- failing, undoing, files ---- */

/** At most three at a time; what is as asked already is no operation. */
static void try_failure(struct model *m)
{
    static const uint32_t kinds[] = {RWA_FAILURE_LINK, RWA_FAILURE_LINK, RWA_FAILURE_NODE, RWA_FAILURE_GROUP};
    uint32_t count = 0, dice = any(100), kind = kinds[any(4)];
    uint32_t counts[] = {m->links, m->nodes, (uint32_t)rwa_network_risk_groups(m->net)};
    kind = counts[kind] == 0 ? RWA_FAILURE_LINK : kind;
    uint32_t number = any(counts[kind]);
    for (uint32_t k = 0; k < KINDS; k++)
        for (uint32_t n = 0; n < LINKS; n++)
            count += m->now.failed[k][n];
    for (uint32_t k = 0; k < KINDS && count > 0 && (count == 3 || dice < 40); k++)   /* repair the first */
        for (uint32_t n = 0; n < counts[k] && count > 0; n++)
            if (m->now.failed[k][k == RWA_FAILURE_LINK ? m->carrier[n] : n] && any(count--) == 0) {
                count = 0;
                kind = k;
                number = n;
            }
    bool *failed = &m->now.failed[kind][kind == RWA_FAILURE_LINK ? m->carrier[number] : number];
    bool fail = any(9) ? !*failed : *failed;
    seen.second += fail && count == 1;
    seen.threefold += fail && count == 2;
    seen.kinds[kind] += fail;
    if (fail != *failed)
        remember(m);
    *failed = fail;
    switch_over(m);
    OK((fail ? rwa_state_fail : rwa_state_repair)(m->state, (rwa_failure)kind, number, NULL));
}

static void try_undo(struct model *m)
{
    uint32_t count = any(6) ? any(5) : m->options.history - 1 + any(3);
    uint64_t mark = rwa_state_mark(m->state);
    rwa_status st = any(2) || mark < count ? rwa_state_undo(m->state, count, NULL)
                                           : rwa_state_rollback(m->state, mark - count, NULL);
    CU_ASSERT_EQUAL_FATAL(st, count <= m->kept ? RWA_OK : RWA_BADARG);
    if (st != RWA_OK || count == 0)
        return;
    m->done -= count;
    m->kept -= count;
    m->now = m->past[m->done % DEPTH];
    find_taken(m);
}

/** The file is checked; the state that reads it forgets the history, goes on as this one, and writes the same file. */
static void try_file(struct model *m)
{
    struct file file = file_make("state.jsonl", "", 0);
    rwa_check_report report;
    OK(rwa_state_write(m->state, file.path, NULL));
    OK(report_file(&report, file.path, NULL, NULL));
    CU_ASSERT_TRUE(report.ok);
    rwa_state_free(m->state);
    OK(rwa_state_create(&m->state, m->whole, &m->options, NULL));
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
    if (dice < 45)
        try_add(m);
    else if (dice < 57)
        try_release(m);
    else if (dice < 63)
        try_move(m);
    else if (dice < 65)
        try_defragment(m);
    else if (dice < 71)
        try_protect(m);
    else if (dice < 74 && m->complete)
        try_restore(m);
    else if (dice < 86)
        try_failure(m);
    else if (dice < 87)
        try_file(m);
    else
        try_undo(m);
}

/* ---- networks ---- */

/** A ring and some more links, also parallel ones; lengths that make no two routes equal; some have risk groups. */
static rwa_network *random_network(uint32_t wavelengths)
{
    rwa_network_options o;
    rwa_link links[LINKS];
    rwa_reserved reserved[6];
    rwa_risk_group groups[GROUPS];
    rwa_network *net = NULL;
    uint32_t nodes = 3 + any(NODES - 2), count = nodes + any(LINKS / 2 + 1 - nodes), members[GROUPS][2];
    bool wide = any(2);
    rwa_network_options_init(&o);
    o.both_ways = any(4) > 0;
    o.wavelengths = wavelengths;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = i < nodes ? i : any(nodes), to = i < nodes ? (i + 1) % nodes : any(nodes - 1);
        to += i >= nodes && to >= from;
        links[i] = (rwa_link){from, to, 1 + any(1000000) / 1000.0, wide ? 1 + any(FIBERS) : 1};
    }
    o.reserved = reserved;
    for (o.reserved_count = 0; o.reserved_count < any(6); o.reserved_count++) {
        uint32_t link = any(count);
        reserved[o.reserved_count] = (rwa_reserved){link, any(links[link].fibers), any(wavelengths)};
    }
    o.risk_groups = groups;
    o.risk_group_count = any(2) ? GROUPS : 0;
    for (uint32_t g = 0; g < GROUPS; g++) {
        groups[g] = (rwa_risk_group){members[g], 2};
        members[g][0] = any(count);
        members[g][1] = (members[g][0] + 1 + any(count - 1)) % count;
    }
    OK(rwa_network_create_graph(&net, nodes, links, count, &o, NULL));
    return keep_network(net);
}

/** Odd rings have no two shortest routes of one length. */
static rwa_network *plain_network(uint32_t wavelengths)
{
    static const char *const specs[] = {"ring:5", "line:5", "ring:3"};
    struct request r = request_of("%s w=%u f=%u", specs[any(3)], wavelengths, 1 + any(FIBERS));
    r.reserved = (struct numbers){{any(wavelengths)}, any(2)};
    r.links = (struct numbers){{any(3)}, any(2)};
    return request_network(r);
}

static void take_network(struct model *m)
{
    rwa_faults faults;
    const uint32_t *members = NULL;
    rwa_network_faults(&faults, m->net);
    faults.link_count = 0;
    OK(rwa_network_with_faults(&m->whole, m->net, &faults, NULL));
    keep_network(m->whole);
    m->nodes = rwa_network_nodes(m->net);
    m->links = rwa_network_links(m->net);
    m->carriers = m->options.model == RWA_UNDIRECTED ? rwa_network_pairs(m->net) : m->links;
    m->wavelengths = rwa_network_wavelengths(m->net);
    for (uint32_t a = 0; a < m->links; a++) {
        uint32_t c = m->carrier[a] = m->options.model == RWA_UNDIRECTED ? rwa_network_pair(m->net, a) : a;
        m->link[a] = rwa_network_link(m->net, a);
        m->link_of[c] = a;
        m->now.failed[RWA_FAILURE_LINK][c] |= rwa_network_is_failed(m->net, a);
        RAISE(m->fibers, m->link[a].fibers);
        for (uint32_t f = 0; f < FIBERS; f++)
            for (uint32_t w = 0; w < m->wavelengths; w++)
                m->closed[c][f][w] |= f >= m->link[a].fibers || rwa_network_is_reserved(m->net, a, f, w);
    }
    for (uint32_t g = 0; g < rwa_network_risk_groups(m->net); g++)
        for (size_t i = rwa_network_risk_group(&members, m->net, g); i-- > 0;)
            m->groups[m->carrier[members[i]]] |= 1u << g;
}

static void run_case(struct model *m, uint64_t number)
{
    memset(m, 0, sizeof *m);
    rwa_state_options_init(&m->options);
    seed = m->options.seed = number;
    m->complete = any(3) > 0;
    m->backups = any(5);
    m->options.history = m->complete ? DEPTH - 1 : HISTORY;
    m->options.paths = m->complete ? ROUTES : 1 + any(4);
    m->options.max_hops = m->complete || any(3) ? 0 : 1 + any(3);
    uint32_t wavelengths = any(4) ? 1 + any(5) : 30 + any(WAVELENGTHS - 29);
    m->most_width = any(2) ? 1 : 1 + any(wavelengths < 12 ? 3 : 30);
    m->net = any(4) ? random_network(wavelengths) : plain_network(wavelengths);
    m->options.model = rwa_network_is_paired(m->net) && any(3) ? RWA_UNDIRECTED : RWA_DIRECTED;
    take_network(m);
    OK(rwa_state_create(&m->state, m->net, &m->options, NULL));
    for (uint32_t i = 0; i < 300; i++) {
        operate(m);
        compare_lights(m);
        if (i % 4 == 0) {
            compare_conditions(m);
            compare_free(m);
            compare_fragmentation(m);
            compare_assignment(m);
        }
    }
    for (uint64_t id; (id = rwa_state_next(m->state, RWA_NO_LIGHTPATH)) != RWA_NO_LIGHTPATH;)
        OK(rwa_state_release(m->state, id, NULL));
    m->now.count = 0;
    find_taken(m);
    compare_free(m);
    rwa_state_free(m->state);
}

static void thousands_of_operations_agree_with_the_model(void)
{
    static struct model m;
    for (uint64_t number = 1; number <= (thorough ? 2400 : 240); number++)
        run_case(&m, number);
    /* or the cases above show little */
    CU_ASSERT_TRUE(seen.losers > 20 && seen.second > 50 && seen.threefold > 50 && seen.relit > 50);
    for (int c = RWA_CONDITION_UNPROTECTED; c <= RWA_CONDITION_DOWN; c *= 2)
        CU_ASSERT_TRUE(seen.conditions[c] > 100);
    CU_ASSERT_TRUE(seen.kinds[0] > 50 && seen.kinds[RWA_FAILURE_NODE] > 50 && seen.kinds[RWA_FAILURE_GROUP] > 20);
    CU_ASSERT_TRUE(seen.renewed[0][0] > 5 && seen.renewed[0][1] > 5 && seen.renewed[1][0] > 20 &&
                   seen.renewed[1][1] > 5);
    CU_ASSERT_TRUE(seen.restored > 30 && seen.asides > 0 && seen.left > 10 && seen.optimal > 30);
    CU_ASSERT_TRUE(seen.blocked > 50 && seen.shared_dark > 50 && seen.defragmented > 50);
    for (int i = RWA_REMEDY_NONE; i <= RWA_REMEDY_RELEASE; i++)
        CU_ASSERT_TRUE(seen.remedies[0][i] >= 5 && (seen.remedies[1][i] > 2 || i == RWA_REMEDY_ROUTE ||
                                                    i == RWA_REMEDY_CONVERTER));
}

TESTS("state against a model", thousands_of_operations_agree_with_the_model)
