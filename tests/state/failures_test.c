/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Protection through up to three failures of links, nodes and risk groups.  The judge here keeps routes and channels as
 * the state announced them, asks of each new backup whether another one on its channels can be needed after the same
 * failure, follows the failures itself, and says which lightpaths carry their signal and which survive the next
 * failure; state, checker and file must agree after every operation.  Of a request that is blocked it says whether two
 * routes lead there; applied, the remedy lets it in.  `thorough`: 200 random networks.
 */
#include "tests/support/state_failures.h"

/* ---- new lightpaths ---- */

static void keep_course(const struct judge *j, struct course *c, const rwa_placed *p, uint32_t span)
{
    *c = (struct course){.hops = p->hops, .fiber = p->fiber, .low = p->wavelength, .high = p->wavelength + span};
    CU_ASSERT_FATAL(p->hops < NODES);
    memcpy(c->links, p->links, p->hops * sizeof *p->links);
    uint32_t at = p->src;
    for (uint32_t k = 0; k < p->hops; at = j->link[c->links[k++]].to)
        CU_ASSERT_EQUAL(j->link[c->links[k]].from, at);
    CU_ASSERT_EQUAL(at, p->dst);
}

static bool is_let_in(const struct judge *j, const rwa_request *q)
{
    rwa_placed placed;
    OK(rwa_state_try(&placed, j->state, q, NULL));
    return placed.hops > 0;
}

/** Whether some release, or some repair, lets the request in; the state is as before. */
static void try_changes(const struct judge *j, const rwa_request *q, bool *release, bool *repair)
{
    uint64_t mark = rwa_state_mark(j->state);
    for (uint32_t i = 0; i < j->now.count; i++)
        if (j->now.lights[i].up) {
            OK(rwa_state_release(j->state, j->now.lights[i].id, NULL));
            *release = *release || is_let_in(j, q);
            OK(rwa_state_rollback(j->state, mark, NULL));
        }
    for (int kind = RWA_FAILURE_LINK; kind <= RWA_FAILURE_GROUP; kind++)
        for (uint32_t n = 0; n < 2 * LINKS; n++) {
            if (rwa_state_is_failed(j->state, (rwa_failure)kind, n) != 1)
                continue;
            OK(rwa_state_repair(j->state, (rwa_failure)kind, n, NULL));
            *repair = *repair || is_let_in(j, q);
            OK(rwa_state_rollback(j->state, mark, NULL));
        }
}

/** Why a request with a backup is blocked: the remedy lets it in, and where none is named no release or repair does. */
static void check_remedy(const struct judge *j, const rwa_request *q)
{
    static struct routes all;
    struct course none = {0};
    rwa_obstacle why;
    rwa_request alone = *q;
    uint64_t mark = rwa_state_mark(j->state);
    bool two = false, release = false, repair = false;
    OK(rwa_state_explain(&why, j->state, q, NULL));
    CU_ASSERT_EQUAL(rwa_state_mark(j->state), mark);
    all.count = 0;
    list_routes(j, &all, &none, q->src, q->dst, 1u << q->src);
    for (uint32_t a = 0; a < all.count; a++)
        for (uint32_t b = 0; b < a; b++)
            two = two || !share_fate(j, &all.list[a], &all.list[b]);
    CU_ASSERT_EQUAL(why.kind, all.count > 0 ? RWA_OBSTACLE_NO_BACKUP : RWA_OBSTACLE_NO_ROUTE);
    CU_ASSERT_EQUAL(why.routes > 0, two);
    CU_ASSERT_EQUAL(strstr(why.text, "lead there") != NULL, all.count > 0 && !two);
    try_changes(j, q, &release, &repair);
    CU_ASSERT_TRUE(why.remedy == RWA_REMEDY_MOVE || (why.remedy == RWA_REMEDY_REPAIR) == repair);
    CU_ASSERT_TRUE(why.remedy == RWA_REMEDY_MOVE || repair || (why.remedy == RWA_REMEDY_RELEASE) == release);
    seen.remedies[why.remedy]++;
    alone.protection = RWA_PROTECTION_NONE;
    if (why.remedy == RWA_REMEDY_NONE) {
        CU_ASSERT_EQUAL(strstr(why.text, "it would fit without protection") != NULL, is_let_in(j, &alone));
        return;
    }
    apply_remedy(j->state, &why);
    CU_ASSERT_TRUE(is_let_in(j, q));
    OK(rwa_state_rollback(j->state, mark, NULL));
}

static void remember(struct judge *j)
{
    memmove(&j->past[1], &j->past[0], (DEPTH - 1) * sizeof j->past[0]);
    j->past[0] = j->now;
    j->kept++;
    before_change(j);
}

static void try_add(struct judge *j)
{
    rwa_request q = any_request(j->state);
    rwa_placed p, b, tried;
    rwa_obstacle why;
    q.protection = any(5) ? RWA_PROTECTION_SHARED : (rwa_protection)any(2);
    q.routing = any(4) ? RWA_ROUTING_ALTERNATE : (rwa_routing)any(3);
    q.policy = (rwa_policy)any(7);
    q.width = j->wavelengths > 1 && any(4) == 0 ? 2 : 1;
    q.guard = q.width < j->wavelengths && any(4) == 0;
    q.rate_bps = 30e9 * any(4);
    q.tag = tag_of(j->now.count);   /* it is copied */
    uint32_t span = q.width + q.guard;
    OK(rwa_state_try(&tried, j->state, &q, NULL));
    uint32_t foretold[] = {tried.hops, tried.fiber, tried.wavelength};
    OK(rwa_state_explain(&why, j->state, &q, NULL));
    OK(rwa_state_add(&p, j->state, &q, NULL));
    CU_ASSERT_EQUAL(why.kind == RWA_OBSTACLE_NONE, p.hops > 0);
    CU_ASSERT_EQUAL(p.hops, foretold[0]);
    if (p.hops == 0) {
        seen.blocked++;
        if (q.protection != RWA_PROTECTION_NONE)
            check_remedy(j, &q);
        CU_ASSERT_FALSE(q.routing != RWA_ROUTING_SHORTEST && must_fit(j, q.src, q.dst, span, q.protection));
        return;
    }
    CU_ASSERT_TRUE(p.fiber == foretold[1] && p.wavelength == foretold[2]);
    CU_ASSERT_TRUE(p.protection == q.protection && p.guard == q.guard);
    struct light l = {.id = p.id, .protection = q.protection, .up = true,
                      .bps = q.rate_bps > 0 ? q.rate_bps : q.width * rwa_network_rate_bps(j->net)};
    keep_course(j, &l.working, &p, span);
    CU_ASSERT_TRUE(is_free(j, &l.working));
    CU_ASSERT_FALSE(is_hit(j, &l.working));
    if (q.protection != RWA_PROTECTION_NONE) {
        CU_ASSERT_TRUE_FATAL(rwa_state_backup(&b, j->state, p.id) && b.id == p.id);
        keep_course(j, &l.backup, &b, span);
        CU_ASSERT_FALSE(is_hit(j, &l.backup));
        CU_ASSERT_FALSE(share_fate(j, &l.working, &l.backup));
        CU_ASSERT_TRUE(q.protection == RWA_PROTECTION_SHARED ? may_back(j, &l.working, &l.backup)
                                                             : is_free(j, &l.backup));
        seen.shared_dark += !is_free(j, &l.backup);
    }
    CU_ASSERT_FATAL(j->now.count < LIGHTS && (j->now.count == 0 || j->now.lights[j->now.count - 1].id < l.id));
    remember(j);
    j->now.lights[j->now.count++] = l;
}

/* ---- other operations ---- */

static struct light *pick_light(struct judge *j)
{
    struct light *l = j->now.count > 0 ? &j->now.lights[any(j->now.count)] : NULL;
    return l && l->up ? l : NULL;
}

static void try_release(struct judge *j)
{
    struct light *l = pick_light(j);
    if (!l)
        return;
    remember(j);
    l->up = l->lit = false;
    switch_over(j);
    OK(rwa_state_release(j->state, l->id, NULL));
}

static void random_change(struct judge *j, const struct light *l, rwa_request *q)
{
    rwa_request_init(q, j->link[l->working.links[0]].from, j->link[l->working.links[l->working.hops - 1]].to);
    q->routing = any(4) ? RWA_ROUTING_ALTERNATE : (rwa_routing)any(3);
    q->policy = (rwa_policy)any(7);
}

/** The lightpath takes its new place; its backup is released. */
static void try_move(struct judge *j)
{
    struct light *l = pick_light(j);
    struct course course;
    rwa_request q;
    rwa_placed p;
    if (!l)
        return;
    uint32_t span = l->working.high - l->working.low;
    random_change(j, l, &q);
    OK(rwa_state_move(&p, j->state, l->id, &q, NULL));
    l->up = false;
    CU_ASSERT_FALSE(p.hops == 0 && q.routing != RWA_ROUTING_SHORTEST &&
                    must_fit(j, q.src, q.dst, span, RWA_PROTECTION_NONE));
    if (p.hops > 0) {
        keep_course(j, &course, &p, span);
        CU_ASSERT_TRUE(is_free(j, &course) && !is_hit(j, &course));
    }
    l->up = true;
    if (p.hops == 0)
        return;
    remember(j);
    l->working = course;
    l->backup.hops = 0;
    l->lit = false;
    switch_over(j);
}

/** Some route that shares no link and no risk group with this one has a place for a backup. */
static bool has_backup(const struct judge *j, const struct course *working, const rwa_request *q, uint32_t span)
{
    static struct routes all;
    struct course none = {0};
    all.count = 0;
    list_routes(j, &all, &none, q->src, q->dst, 1u << q->src);
    for (uint32_t a = 0; a < all.count; a++)
        if (!share_fate(j, working, &all.list[a]) &&
            has_place(j, working, &all.list[a], span, q->protection == RWA_PROTECTION_SHARED))
            return true;
    return false;
}

/** Another backup is on a channel of a lit one. */
static bool is_shared(const struct judge *j, const struct light *l)
{
    for (uint32_t i = 0; i < j->now.count; i++) {
        const struct light *other = &j->now.lights[i];
        if (other != l && other->up && share_channel(j, &l->backup, &other->backup))
            return true;
    }
    return false;
}

/** A new backup, disjoint from the route on which the lightpath runs, which is its working route from now on. */
static void try_protect(struct judge *j)
{
    struct light *l = pick_light(j);
    struct course course;
    rwa_request q;
    rwa_placed p;
    rwa_error err;
    for (uint32_t i = 0; i < j->now.count && any(4); i++)  /* rather one on its backup */
        l = rwa_state_condition(j->state, j->now.lights[i].id) == RWA_CONDITION_ON_BACKUP ? &j->now.lights[i] : l;
    if (!l)
        return;
    bool switched = is_hit(j, &l->working);
    struct course runs = switched ? l->backup : l->working;
    uint32_t span = l->working.high - l->working.low;
    random_change(j, l, &q);
    q.protection = (rwa_protection)any(3);
    rwa_protection kind = q.protection ? q.protection : l->protection;
    rwa_status st = rwa_state_protect(&p, j->state, l->id, &q, &err);
    CU_ASSERT_EQUAL_FATAL(st, carries(j, l) && kind ? RWA_OK : RWA_BADARG);
    if (st != RWA_OK)
        return;
    q.protection = kind;
    l->up = false;
    bool blocked = switched && is_shared(j, l);
    CU_ASSERT_FALSE(p.hops == 0 && q.routing != RWA_ROUTING_SHORTEST && !blocked && has_backup(j, &runs, &q, span));
    CU_ASSERT_FALSE(blocked && p.hops > 0);
    if (p.hops > 0) {
        keep_course(j, &course, &p, span);
        CU_ASSERT_TRUE(!is_hit(j, &course) && !share_fate(j, &runs, &course));
        CU_ASSERT_TRUE(kind == RWA_PROTECTION_SHARED ? may_back(j, &runs, &course) : is_free(j, &course));
    }
    l->up = true;
    seen.renewed[p.hops > 0][switched]++;
    if (p.hops == 0)
        return;
    remember(j);
    l->working = runs;
    l->backup = course;
    l->protection = kind;
    l->lit = false;
    switch_over(j);
    CU_ASSERT_EQUAL(rwa_state_condition(j->state, l->id), RWA_CONDITION_PROTECTED);
}

/** Whether a lightpath that is down has a place on another route as things are; or once a lightpath without a backup
 *  has changed its channel. */
static bool fits_alone(struct judge *j, struct light *l)
{
    uint32_t src = j->link[l->working.links[0]].from, dst = j->link[l->working.links[l->working.hops - 1]].to;
    l->up = false;
    bool fits = must_fit(j, src, dst, l->working.high - l->working.low, RWA_PROTECTION_NONE);
    l->up = true;
    return fits;
}

static bool fits_after_another(struct judge *j, struct light *l)
{
    bool fits = false;
    for (uint32_t i = 0; i < j->now.count && !fits; i++) {
        struct light *other = &j->now.lights[i];
        const struct course own = other->working;
        uint32_t span = own.high - own.low;
        if (!other->up || other->backup.hops > 0 || is_hit(j, &own))
            continue;
        for (uint32_t at = 0; at < j->fibers * j->wavelengths && !fits; at++) {
            struct course aside = own;
            aside.fiber = at / j->wavelengths;
            aside.low = at % j->wavelengths;
            aside.high = aside.low + span;
            if (aside.high > j->wavelengths || !is_free(j, &aside))
                continue;
            other->working = aside;
            fits = fits_alone(j, l);
            other->working = own;
        }
    }
    return fits;
}

/** The moves are taken up one by one: lightpaths that are up change to a free channel of their route.  In the end no
 *  lightpath that is down can be restored by one move, or by two; nor was one of most traffic left that could be. */
static void try_restore(struct judge *j)
{
    static struct course courses[LIGHTS];
    static uint64_t moved[LIGHTS];
    rwa_restore_order order = (rwa_restore_order)any(2);
    rwa_restoration r;
    struct light *most = NULL;
    uint32_t down = 0, restored = 0, reachable = 0;
    for (uint32_t i = 0; i < j->now.count; i++) {
        struct light *l = &j->now.lights[i];
        if (!l->up || carries(j, l))
            continue;
        down++;
        most = !most || l->bps > most->bps ? l : most;
    }
    bool alone = most && fits_alone(j, most), second = most && !alone && fits_after_another(j, most);
    OK(rwa_state_restore(&r, j->state, order, NULL, NULL));
    CU_ASSERT_TRUE(r.down == down && r.restored + r.cut_off <= down);
    CU_ASSERT_FATAL(r.moves <= COUNT(courses));
    for (uint32_t i = r.moves; i-- > 0;) {  /* where each move led: a lightpath may make way twice */
        rwa_placed p;
        moved[i] = r.ids[i];
        CU_ASSERT_TRUE_FATAL(rwa_state_get(&p, j->state, moved[i]));
        keep_course(j, &courses[i], &p, p.width + p.guard);
        OK(rwa_state_undo(j->state, 1, NULL));
    }
    OK(rwa_state_restore(&r, j->state, order, NULL, NULL));
    for (uint32_t i = 0; i < r.moves; i++) {
        struct light *l = j->now.lights;
        struct course course = courses[i];
        CU_ASSERT_EQUAL_FATAL(r.ids[i], moved[i]);
        while (l->id != r.ids[i])
            l++;
        bool was_down = !carries(j, l);
        CU_ASSERT_TRUE(was_down || (!is_hit(j, &l->working) && l->backup.hops == 0 && course.hops == l->working.hops &&
                                    memcmp(course.links, l->working.links, course.hops * sizeof *course.links) == 0));
        l->up = !was_down;
        CU_ASSERT_TRUE(is_free(j, &course) && !is_hit(j, &course));
        l->up = true;
        remember(j);
        l->working = course;
        l->backup.hops = 0;
        restored += was_down;
        seen.asides += !was_down;
    }
    CU_ASSERT_EQUAL(r.restored, restored);
    CU_ASSERT_TRUE(!(alone || (second && order == RWA_RESTORE_MOST_TRAFFIC)) || carries(j, most));
    for (uint32_t i = 0; i < j->now.count; i++) {
        struct light *l = &j->now.lights[i];
        if (l->up && !carries(j, l)) {
            CU_ASSERT_FALSE(fits_alone(j, l) || fits_after_another(j, l));
            reachable++;
        }
    }
    CU_ASSERT_TRUE(reachable >= r.cut_off);
    seen.restored += restored;
    seen.left += reachable - r.cut_off;
    seen.optimal += down > 0 && reachable == r.cut_off;
}

/** At most three at a time. */
static void try_failure(struct judge *j)
{
    static const uint32_t kinds[] = {RWA_FAILURE_LINK, RWA_FAILURE_LINK, RWA_FAILURE_NODE, RWA_FAILURE_GROUP};
    uint32_t count = 0, dice = any(100);
    rwa_failure kind = (rwa_failure)kinds[any(4)];
    uint32_t counts[] = {j->links, j->nodes, (uint32_t)rwa_network_risk_groups(j->net)};
    if (counts[kind] == 0)
        kind = RWA_FAILURE_LINK;
    uint32_t number = any(counts[kind]), item = kind == RWA_FAILURE_LINK ? carrier(j, number) : number;
    for (uint32_t k = 0; k <= RWA_FAILURE_GROUP; k++)
        for (uint32_t n = 0; n < 2 * LINKS; n++)
            count += j->now.failed[k][n];
    for (uint32_t k = 0; k <= RWA_FAILURE_GROUP && count > 0 && (count == 3 || dice < 40); k++)   /* repair the first */
        for (uint32_t n = 0; n < counts[k] && count > 0; n++)
            if (j->now.failed[k][k == RWA_FAILURE_LINK ? carrier(j, n) : n] && any(count--) == 0) {
                count = 0;
                kind = (rwa_failure)k;
                number = n;
                item = k == RWA_FAILURE_LINK ? carrier(j, n) : n;
            }
    bool fail = !j->now.failed[kind][item];
    seen.second += fail && count == 1;
    seen.threefold += fail && count == 2;
    seen.kinds[kind] += fail;
    remember(j);
    j->now.failed[kind][item] = fail;
    switch_over(j);
    OK((fail ? rwa_state_fail : rwa_state_repair)(j->state, kind, number, NULL));
}

static void try_undo(struct judge *j)
{
    uint32_t count = any(4);
    if (count == 0 || count > j->kept)
        return;
    OK(rwa_state_undo(j->state, count, NULL));
    j->now = j->past[count - 1];
    memmove(&j->past[0], &j->past[count], (DEPTH - count) * sizeof j->past[0]);
    j->kept -= count;
}

/** The file is checked, and the state goes on as the one that reads it. */
static void try_file(struct judge *j)
{
    struct file file = file_make("state.jsonl", "", 0);
    rwa_check_report report;
    OK(rwa_state_write(j->state, file.path, NULL));
    OK(report_file(&report, file.path, NULL, NULL));
    CU_ASSERT_TRUE(report.ok);
    rwa_state_free(j->state);
    OK(rwa_state_create(&j->state, j->net, &j->options, NULL));
    OK(rwa_state_read(j->state, file.path, NULL));
    j->kept = 0;
    file_drop(&file);
}

static void operate(struct judge *j)
{
    uint32_t dice = any(100);
    if (dice < 38)
        try_add(j);
    else if (dice < 44)
        try_release(j);
    else if (dice < 48)
        try_move(j);
    else if (dice < 56)
        try_protect(j);
    else if (dice < 59)
        try_restore(j);
    else if (dice < 82)
        try_failure(j);
    else if (dice < 95)
        try_undo(j);
    else
        try_file(j);
}

/* ---- networks ---- */

/** A ring and some chords; every other network has risk groups. */
static void make_network(struct judge *j)
{
    rwa_network_options o;
    rwa_link links[LINKS];
    uint32_t count = 0, members[GROUPS][4], group[2 * LINKS] = {0};
    rwa_risk_group groups[GROUPS];
    j->nodes = 5 + any(NODES - 4);
    for (uint32_t v = 0; v < j->nodes; v++)
        links[count++] = (rwa_link){v, (v + 1) % j->nodes, 0, 0};
    for (uint32_t a = 0; a < j->nodes; a++)
        for (uint32_t b = a + 2; b < j->nodes && count < LINKS; b++)
            if (b - a < j->nodes - 1)
                links[count++] = (rwa_link){a, b, 0, 0};
    rwa_network_options_init(&o);
    o.both_ways = 1;
    j->undirected = any(3) > 0;
    o.wavelengths = j->wavelengths = any(5) ? 1 + any(4) : WAVELENGTHS;    /* or more than a word of bits */
    o.fibers = j->fibers = any(4) ? 1 : FIBERS;
    o.risk_groups = groups;
    o.risk_group_count = any(2) ? GROUPS : 0;
    for (uint32_t g = 0; g < GROUPS; g++) {
        groups[g] = (rwa_risk_group){members[g], 2};
        members[g][0] = any(count);
        members[g][1] = (members[g][0] + 1 + any(count - 1)) % count;
        for (uint32_t k = 0; k < 2 && o.risk_group_count > 0; k++)
            group[members[g][k]] |= 1u << g;
    }
    OK(rwa_network_create_graph(&j->net, j->nodes, links, count, &o, NULL));
    j->links = 2 * count;
    for (uint32_t a = 0; a < j->links; a++) {
        j->link[a] = rwa_network_link(j->net, a);
        j->groups[carrier(j, a)] = group[a / 2];
    }
}

/** Then every channel of a link that works is free. */
static void release_all(const struct judge *j)
{
    for (uint64_t id; (id = rwa_state_next(j->state, RWA_NO_LIGHTPATH)) != RWA_NO_LIGHTPATH;)
        OK(rwa_state_release(j->state, id, NULL));
    for (uint32_t a = 0; a < j->links; a++)
        CU_ASSERT_EQUAL(rwa_state_free_channels(j->state, a),
                        is_failed(j, a) ? 0 : j->fibers * j->wavelengths);
}

static void states_agree_with_the_judge(void)
{
    static struct judge j;
    for (uint32_t n = 0; n < (thorough ? 200 : 30); n++) {
        memset(&j, 0, sizeof j);
        seed = 77 + n;
        make_network(&j);
        rwa_state_options_init(&j.options);
        j.options.model = j.undirected ? RWA_UNDIRECTED : RWA_DIRECTED;
        j.options.paths = PATHS;
        OK(rwa_state_create(&j.state, j.net, &j.options, NULL));
        for (uint32_t i = 0; i < OPERATIONS; i++) {
            operate(&j);
            expect_agreement(&j);
            expect_conditions(&j);
            if (i % 5 == 0)
                expect_checked(&j);
        }
        release_all(&j);
        rwa_state_free(j.state);
        rwa_network_free(j.net);
    }
    CU_ASSERT_TRUE(seen.losers > 20 && seen.second > 50 && seen.threefold > 50 &&
                   seen.relit > 50); /* or little was shown */
    for (int c = RWA_CONDITION_UNPROTECTED; c <= RWA_CONDITION_DOWN; c *= 2)
        CU_ASSERT_TRUE(seen.conditions[c] > 100);
    CU_ASSERT_TRUE(seen.kinds[0] > 50 && seen.kinds[RWA_FAILURE_NODE] > 50 && seen.kinds[RWA_FAILURE_GROUP] > 20);
    CU_ASSERT_TRUE(seen.renewed[0][0] > 5 && seen.renewed[0][1] > 5 && seen.renewed[1][0] > 20 &&
                   seen.renewed[1][1] > 5);
    CU_ASSERT_TRUE(seen.restored > 30 && seen.asides > 0 && seen.left > 10 && seen.optimal > 30);
    CU_ASSERT_TRUE(seen.blocked > 50 && seen.shared_dark > 50);
    CU_ASSERT_TRUE(seen.remedies[RWA_REMEDY_NONE] > 20 && seen.remedies[RWA_REMEDY_MOVE] > 2 &&
                   seen.remedies[RWA_REMEDY_REPAIR] > 20 && seen.remedies[RWA_REMEDY_RELEASE] > 20);
}

TESTS("shared backups after failures", states_agree_with_the_judge)
