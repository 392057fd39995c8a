/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lightpaths with backups: numbers known by hand, remedies, files, blocking. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/fibers.h"
#include "tests/support/files.h"
#include "tests/support/report.h"
#include "tests/support/states.h"
#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

static rwa_placed add(rwa_state *state, uint32_t src, uint32_t dst, rwa_protection protection)
{
    rwa_request q;
    rwa_placed placed;
    rwa_request_init(&q, src, dst);
    q.protection = protection;
    q.routing = RWA_ROUTING_ALTERNATE;
    OK(rwa_state_add(&placed, state, &q, NULL));
    return placed;
}

/** The checker, which shares no code with states and none with this file, agrees; and so does the file. */
static void judge_export(const rwa_state *state)
{
    rwa_assignment *result = NULL;
    rwa_check_report report;
    struct file file = file_make("state.jsonl", "", 0);
    OK(rwa_state_export(&result, state, NULL));
    OK(report_assignment(&report, result, NULL, NULL));
    CU_ASSERT_TRUE(report.ok);
    OK(rwa_state_write(state, file.path, NULL));
    OK(report_file(&report, file.path, NULL, NULL));
    CU_ASSERT_TRUE(report.ok);
    rwa_assignment_free(result);
    file_drop(&file);
}

/* ---- known numbers ---- */

/* On a ring a lightpath and its backup take the whole ring: W channels hold W of them with 1+1.  With shared backups
 * the N neighbours are joined on one channel, and one more, all the way round, protects them all: each failure breaks
 * one of them.  Backups go to the high end, so that nothing is in the way. */
static void a_ring_holds_as_many_as_it_must(void)
{
    for (uint32_t n = 4; n <= 12; n += 2) {
        char spec[16];
        snprintf(spec, sizeof spec, "ring:%u", n);
        rwa_network *net = network_of(spec, 2, 1, 0);
        for (int shared = 0; shared < 2; shared++) {
            rwa_state *state = state_on(net, RWA_UNDIRECTED, 3);
            uint32_t up = 0;
            for (uint32_t v = 0; v < n; v++)
                up += add(state, v, (v + 1) % n, shared ? RWA_PROTECTION_SHARED : RWA_PROTECTION_DEDICATED).hops > 0;
            CU_ASSERT_EQUAL(up, shared ? n : 2);
            judge_export(state);
            rwa_state_free(state);
        }
        rwa_network_free(net);
    }
}

/* In a line no two routes are apart, and a tree has only one. */
static void without_a_second_route_nothing_is_protected(void)
{
    rwa_network *net = network_of("line:5", 4, 1, 0);
    rwa_state *state = state_on(net, RWA_UNDIRECTED, 3);
    rwa_request q;
    rwa_obstacle why;
    rwa_request_init(&q, 0, 3);
    q.protection = RWA_PROTECTION_SHARED;
    CU_ASSERT_EQUAL(add(state, 0, 3, RWA_PROTECTION_DEDICATED).hops, 0);
    OK(rwa_state_explain(&why, state, &q, NULL));
    CU_ASSERT_EQUAL(why.kind, RWA_OBSTACLE_NO_BACKUP);
    expect_part(why.text, "it would fit without protection");
    CU_ASSERT_EQUAL(add(state, 0, 3, RWA_PROTECTION_NONE).hops, 3);
    rwa_state_free(state);
    rwa_network_free(net);
}

/* Every route to node 4 ends with the link from node 2: free channels elsewhere are no remedy for a request with a
   backup. */
static void a_remedy_for_one_route_is_none_for_two(void)
{
    static const rwa_link links[] = {{0, 1, 0, 0}, {1, 2, 0, 0}, {2, 3, 0, 0}, {3, 0, 0, 0}, {2, 4, 0, 0}};
    rwa_network *net = graph_of(links, 5, 5, 1, 0);
    rwa_state *state = state_on(net, RWA_UNDIRECTED, 3);
    rwa_request q;
    rwa_obstacle why;
    rwa_request_init(&q, 0, 4);
    CU_ASSERT_EQUAL(add(state, 0, 2, RWA_PROTECTION_NONE).hops, 2);
    OK(rwa_state_explain(&why, state, &q, NULL));
    CU_ASSERT_EQUAL(why.remedy, RWA_REMEDY_ROUTE);
    q.protection = RWA_PROTECTION_DEDICATED;
    OK(rwa_state_explain(&why, state, &q, NULL));
    CU_ASSERT_EQUAL(why.kind, RWA_OBSTACLE_NO_BACKUP);
    CU_ASSERT_EQUAL(why.remedy, RWA_REMEDY_NONE);
    CU_ASSERT_EQUAL(why.routes, 0);
    expect_part(why.text, "no two routes without a common link or risk group lead there");
    /* to node 2 the square has two routes, and the lightpath is in the way of one */
    rwa_request_init(&q, 0, 2);
    q.protection = RWA_PROTECTION_DEDICATED;
    OK(rwa_state_explain(&why, state, &q, NULL));
    CU_ASSERT_EQUAL(why.kind, RWA_OBSTACLE_NO_BACKUP);
    CU_ASSERT_EQUAL(why.remedy, RWA_REMEDY_RELEASE);
    expect_part(why.text, "no pair of routes tried");
    OK(rwa_state_release(state, why.id, NULL));
    OK(rwa_state_explain(&why, state, &q, NULL));
    CU_ASSERT_EQUAL(why.kind, RWA_OBSTACLE_NONE);
    rwa_state_free(state);
    rwa_network_free(net);
}

/* A cut of one working link, whose removal parts the ends: by Menger's theorem there are two routes if and only if
 * there is none.  The links are pairs: link 2 i leads forth, 2 i + 1 back. */
static bool has_two_routes(const rwa_state *state, const rwa_link *links, size_t count, uint32_t src, uint32_t dst)
{
    for (size_t without = 0; without <= count; without++) {
        uint32_t reached = 1u << src, before = 0;
        while (before != reached) {
            before = reached;
            for (size_t i = 0; i < count; i++) {
                if (i == without || rwa_state_is_failed(state, (uint32_t)(2 * i)))
                    continue;
                if (reached >> links[i].from & 1 || reached >> links[i].to & 1)
                    reached |= 1u << links[i].from | 1u << links[i].to;
            }
        }
        if (!(reached >> dst & 1))
            return false;
    }
    return true;
}

static bool is_let_in(rwa_state *state, const rwa_request *q)
{
    rwa_placed placed;
    OK(rwa_state_try(&placed, state, q, NULL));
    return placed.hops > 0;
}

/** Whether some release, or some repair, lets the request in; the state is as before. */
static void try_changes(rwa_state *state, const rwa_request *q, uint32_t links, bool *release, bool *repair)
{
    uint64_t ids[64], mark = rwa_state_mark(state);
    size_t count = 0;
    for (uint64_t id = rwa_state_next(state, RWA_NO_LIGHTPATH); id != RWA_NO_LIGHTPATH && count < 64;
         id = rwa_state_next(state, id))
        ids[count++] = id;
    for (size_t i = 0; i < count; i++) {
        OK(rwa_state_release(state, ids[i], NULL));
        *release = *release || is_let_in(state, q);
        OK(rwa_state_rollback(state, mark, NULL));
    }
    for (uint32_t l = 0; l < links; l++) {
        OK(rwa_state_repair_link(state, l, NULL));
        *repair = *repair || is_let_in(state, q);
        OK(rwa_state_rollback(state, mark, NULL));
    }
}

/** Apply the remedy. */
static void apply_remedy(rwa_state *state, const rwa_obstacle *why)
{
    rwa_placed placed;
    rwa_request other;
    uint32_t links[16];
    if (why->remedy == RWA_REMEDY_REPAIR)
        OK(rwa_state_repair_link(state, why->repair, NULL));
    if (why->remedy == RWA_REMEDY_RELEASE)
        OK(rwa_state_release(state, why->id, NULL));
    if (why->remedy != RWA_REMEDY_MOVE)
        return;
    CU_ASSERT_TRUE_FATAL(rwa_state_get(&placed, state, why->id) && placed.hops <= 16);
    memcpy(links, placed.links, placed.hops * sizeof *links);
    rwa_request_init(&other, placed.src, placed.dst);
    other.links = links;
    other.hops = placed.hops;
    other.fiber = why->fiber;
    other.wavelength = why->wavelength;
    OK(rwa_state_move(&placed, state, why->id, &other, NULL));
    CU_ASSERT_TRUE(placed.hops > 0);
}

static void expect_remedy(rwa_state *state, const rwa_request *q, const rwa_link *links, size_t count, int seen[])
{
    rwa_obstacle why;
    uint64_t mark = rwa_state_mark(state);
    bool release = false, repair = false, fitted = is_let_in(state, q);
    OK(rwa_state_explain(&why, state, q, NULL));
    CU_ASSERT_EQUAL(rwa_state_mark(state), mark);
    CU_ASSERT_EQUAL(why.kind == RWA_OBSTACLE_NONE, fitted);
    CU_ASSERT_EQUAL(is_let_in(state, q), fitted);
    if (fitted)
        return;
    bool two = has_two_routes(state, links, count, q->src, q->dst);
    CU_ASSERT_EQUAL(why.routes > 0, two);
    CU_ASSERT_EQUAL(why.kind == RWA_OBSTACLE_NO_BACKUP, why.kind != RWA_OBSTACLE_NO_ROUTE);
    CU_ASSERT_EQUAL(strstr(why.text, "lead there") != NULL, why.kind == RWA_OBSTACLE_NO_BACKUP && !two);
    try_changes(state, q, 2 * (uint32_t)count, &release, &repair);
    CU_ASSERT_TRUE(why.remedy == RWA_REMEDY_MOVE || (why.remedy == RWA_REMEDY_REPAIR) == repair);
    CU_ASSERT_TRUE(why.remedy == RWA_REMEDY_MOVE || repair || (why.remedy == RWA_REMEDY_RELEASE) == release);
    seen[why.remedy]++;
    if (why.remedy == RWA_REMEDY_NONE)
        return;
    apply_remedy(state, &why);
    CU_ASSERT_TRUE(is_let_in(state, q));
    OK(rwa_state_rollback(state, mark, NULL));
}

/* Small random networks, partly full: applying the remedy lets the request in with its backup, and where none is named
 * no release and no repair does. */
static void a_remedy_lets_the_backup_in(void)
{
    uint64_t seed = 41;
    int seen[RWA_REMEDY_RELEASE + 1] = {0};
    for (int round = 0; round < 400; round++) {
        rwa_link links[12];
        uint32_t nodes = 4 + (uint32_t)base_random_below(&seed, 3);
        size_t count = 0;
        for (uint32_t a = 0; a < nodes; a++)
            for (uint32_t b = a + 1; b < nodes && count < 12; b++)
                if (b == a + 1 || base_random_below(&seed, 3) == 0)
                    links[count++] = (rwa_link){a, b, 0, 0};
        rwa_network *net = graph_of(links, count, nodes, 1 + (uint32_t)base_random_below(&seed, 3), 0);
        rwa_state *state = state_on(net, RWA_UNDIRECTED, 8);
        for (int i = 0; i < 10; i++) {
            uint32_t src = (uint32_t)base_random_below(&seed, nodes);
            uint32_t dst = (src + 1 + (uint32_t)base_random_below(&seed, nodes - 1)) % nodes;
            rwa_protection protection = (rwa_protection)base_random_below(&seed, 3);
            rwa_request q;
            rwa_request_init(&q, src, dst);
            q.protection = 1 + (rwa_protection)base_random_below(&seed, 2);
            q.routing = (rwa_routing)base_random_below(&seed, 3);
            add(state, src, dst, protection);
            if (base_random_below(&seed, 4) == 0)
                OK(rwa_state_fail_link(state, (uint32_t)base_random_below(&seed, 2 * count), NULL));
            q.src = (uint32_t)base_random_below(&seed, nodes);
            q.dst = (q.src + 1 + (uint32_t)base_random_below(&seed, nodes - 1)) % nodes;
            expect_remedy(state, &q, links, count, seen);
        }
        rwa_state_free(state);
        rwa_network_free(net);
    }
    CU_ASSERT_TRUE(seen[RWA_REMEDY_NONE] > 0 && seen[RWA_REMEDY_MOVE] > 0 && seen[RWA_REMEDY_REPAIR] > 0 &&
                   seen[RWA_REMEDY_RELEASE] > 0);
}

/* A failed link is on neither route of a new lightpath, and the lightpaths that it breaks are down while their backups
   are not. */
static void backups_avoid_failed_links(void)
{
    rwa_network *net = network_of("ring:6", 4, 1, 0);
    rwa_state *state = state_on(net, RWA_UNDIRECTED, 3);
    rwa_placed one = add(state, 0, 2, RWA_PROTECTION_SHARED), now, backup;
    CU_ASSERT_EQUAL(one.hops, 2);
    OK(rwa_state_fail_link(state, one.links[0], NULL));
    CU_ASSERT_TRUE(rwa_state_get(&now, state, one.id) && now.down);
    CU_ASSERT_TRUE(rwa_state_backup(&backup, NULL, state, one.id) && !backup.down && backup.hops == 4);
    CU_ASSERT_EQUAL(add(state, 3, 5, RWA_PROTECTION_SHARED).hops, 0);
    OK(rwa_state_undo(state, 1, NULL));
    CU_ASSERT_EQUAL(add(state, 3, 5, RWA_PROTECTION_SHARED).hops, 2);
    rwa_state_free(state);
    rwa_network_free(net);
}

static void what_protection_does_not_go_with_is_refused(void)
{
    rwa_network *net = network_of("ring:6", 4, 1, 0);
    rwa_state *state = state_on(net, RWA_UNDIRECTED, 3);
    rwa_placed one = add(state, 0, 2, RWA_PROTECTION_DEDICATED), moved;
    rwa_defragmentation d;
    rwa_request q;
    uint32_t links[2] = {one.links[0], one.links[1]};
    rwa_error err = {0};
    rwa_request_init(&q, 0, 2);
    CU_ASSERT_EQUAL(rwa_state_move(&moved, state, one.id, &q, &err), RWA_BADARG);
    expect_part(err.text, "has a backup");
    q.protection = RWA_PROTECTION_SHARED;
    q.links = links;
    q.hops = 2;
    CU_ASSERT_EQUAL(rwa_state_add(&moved, state, &q, NULL), RWA_BADARG);
    q.links = NULL;
    q.protection = (rwa_protection)3;
    CU_ASSERT_EQUAL(rwa_state_add(&moved, state, &q, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(rwa_protection_name((rwa_protection)3));
    OK(rwa_state_release(state, add(state, 0, 1, RWA_PROTECTION_NONE).id, NULL));
    OK(rwa_state_defragment(&d, state, 0, NULL));
    CU_ASSERT_EQUAL(d.moves, 0);
    rwa_state_free(state);
    rwa_network_free(net);
}

/* ---- files ---- */

/** Lightpaths of a state in an order that does not depend on ids. */
static uint64_t sum_of(const rwa_state *state)
{
    rwa_placed p;
    uint64_t sum = 0;
    for (uint64_t id = rwa_state_next(state, RWA_NO_LIGHTPATH); id != RWA_NO_LIGHTPATH;
         id = rwa_state_next(state, id)) {
        uint32_t width = 0;
        uint64_t one = (uint64_t)rwa_state_protection(state, id) + 7 * (uint64_t)rwa_state_rate(state, id);
        for (const char *c = rwa_state_modulation(state, id); c && *c; c++)
            one = one * 31 + (unsigned char)*c;
        CU_ASSERT_FATAL(rwa_state_get(&p, state, id));
        one = one * 1009 + p.wavelength + 64 * rwa_state_width(state, id) + 4096 * (uint64_t)rwa_state_guard(state, id);
        for (uint32_t k = 0; k < p.hops; k++)
            one = one * 1009 + p.links[k];
        if (rwa_state_backup(&p, &width, state, id))
            one = one * 1009 + p.wavelength + 64 * width + p.links[p.hops - 1];
        sum += base_random(&one);
    }
    return sum;
}

/* Written, checked with the device and read again, a state is the same: rates, formats, widths, backups. */
static void files_keep_rates_formats_and_backups(void)
{
    rwa_modulations *table = builtin_modulations("coherent");
    rwa_fiber_profile *profile = builtin_profile("ssmf");
    rwa_transmission *t = NULL;
    rwa_network *net = network_of("nsfnet14-21", 120, 1, 1);
    rwa_state *state = state_on(net, RWA_UNDIRECTED, 4), *again = state_on(net, RWA_UNDIRECTED, 4);
    struct file file = file_make("state.jsonl", "", 0);
    rwa_check_options check;
    rwa_check_report report;
    rwa_assignment *result = NULL;
    uint64_t random = 3, rated = 0;
    OK(rwa_transmission_create(&t, table, profile, 0, NULL));
    for (int i = 0; i < 60; i++) {
        rwa_request q;
        rwa_placed placed;
        uint32_t src = (uint32_t)base_random_below(&random, 14);
        rwa_request_init(&q, src, (src + 1 + (uint32_t)base_random_below(&random, 13)) % 14);
        q.protection = (rwa_protection)(i % 3);
        q.transmission = t;
        q.rate_bps = 50e9 * (1 + i % 8);
        OK(rwa_state_add(&placed, state, &q, NULL));
        if (placed.hops == 0)
            continue;
        CU_ASSERT_DOUBLE_EQUAL(rwa_state_rate(state, placed.id), q.rate_bps, 0);
        CU_ASSERT_PTR_NOT_NULL(rwa_state_modulation(state, placed.id));
    }
    OK(rwa_state_write(state, file.path, NULL));
    rwa_check_options_init(&check);
    check.transmission = t;
    OK(report_file(&report, file.path, &check, NULL));
    CU_ASSERT_TRUE(report.ok && report.gsnr_checked > 0);
    OK(rwa_state_read(again, file.path, NULL));
    CU_ASSERT_EQUAL(rwa_state_count(again), rwa_state_count(state));
    CU_ASSERT_EQUAL(sum_of(again), sum_of(state));
    OK(rwa_assignment_read(&result, file.path, NULL));
    const double *rates = rwa_demands_rates(rwa_assignment_demands(result));
    CU_ASSERT_PTR_NOT_NULL_FATAL(rates);
    for (size_t d = 0; d < rwa_demands_count(rwa_assignment_demands(result)); d++)
        rated += rates[d] >= 50e9;
    CU_ASSERT_EQUAL(rated, rwa_state_count(state));
    rwa_assignment_free(result);
    rwa_state_free(state);
    rwa_state_free(again);
    rwa_network_free(net);
    rwa_transmission_free(t);
    rwa_modulations_free(table);
    rwa_fiber_profile_free(profile);
    file_drop(&file);
}

#define HEAD "{\"format\":\"rwa-assignment\",\"version\":1,\"model\":\"undirected\",\"network\":{\"nodes\":4," \
             "\"links\":[[0,1],[1,2],[2,3],[3,0],[0,2]],\"fibers\":1%s},\"demands\":2,\"wavelengths\":3}\n"

/* Two lightpaths 0-1 and 2-3 (or both 0-1) and their backups on one channel, spoilt in one way each. */
static void spoilt_backups_are_found(void)
{
    static const struct { const char *network, *lines; rwa_violation_kind kind;
    } cases[] = {
        {"",
         "{\"demand\":0,\"src\":0,\"dst\":1,\"path\":[0,1],\"fiber\":0,\"wavelength\":0}\n"
         "{\"demand\":0,\"src\":0,\"dst\":1,\"role\":\"shared-backup\",\"path\":[0,2,1],\"fiber\":0,\"wavelength\":1}\n"
         "{\"demand\":1,\"src\":2,\"dst\":3,\"path\":[2,3],\"fiber\":0,\"wavelength\":0}\n"
         "{\"demand\":1,\"src\":2,\"dst\":3,\"role\":\"shared-backup\",\"path\":[2,0,3],\"fiber\":0,\"wavelength\":1}"
         "\n",
         0},
        {",\"risk_groups\":[[0,2]]", NULL, RWA_VIOLATION_PROTECTION}, /* both working routes fail with the group */
        {"",
         "{\"demand\":0,\"src\":0,\"dst\":1,\"path\":[0,1],\"fiber\":0,\"wavelength\":0}\n"
         "{\"demand\":0,\"src\":0,\"dst\":1,\"role\":\"shared-backup\",\"path\":[0,2,1],\"fiber\":0,\"wavelength\":1}\n"
         "{\"demand\":1,\"src\":0,\"dst\":1,\"path\":[0,1],\"fiber\":0,\"wavelength\":2}\n"
         "{\"demand\":1,\"src\":0,\"dst\":1,\"role\":\"shared-backup\",\"path\":[0,3,2,1],\"fiber\":0,\"wavelength\":1}"
         "\n",
         RWA_VIOLATION_PROTECTION}, /* link 0-1 breaks both, and both need 1-2 */
        {"",
         "{\"demand\":0,\"src\":0,\"dst\":1,\"path\":[0,1],\"fiber\":0,\"wavelength\":0}\n"
         "{\"demand\":0,\"src\":0,\"dst\":1,\"role\":\"shared-backup\",\"path\":[0,2,1],\"fiber\":0,\"wavelength\":1}\n"
         "{\"demand\":1,\"src\":1,\"dst\":2,\"path\":[1,2],\"fiber\":0,\"wavelength\":1}\n",
         RWA_VIOLATION_CHANNEL},
        {"",
         "{\"demand\":0,\"src\":0,\"dst\":1,\"path\":[0,1],\"fiber\":0,\"wavelength\":0}\n"
         "{\"demand\":0,\"src\":0,\"dst\":1,\"role\":\"shared-backup\",\"path\":[0,2,1],\"fiber\":0,\"wavelength\":3}\n"
         "{\"demand\":1,\"src\":1,\"dst\":2,\"path\":[1,2],\"fiber\":0,\"wavelength\":1}\n",
         RWA_VIOLATION_RANGE},
        {"",
         "{\"demand\":0,\"src\":0,\"dst\":1,\"path\":[0,1],\"fiber\":0,\"wavelength\":0}\n"
         "{\"demand\":0,\"src\":0,\"dst\":1,\"role\":\"shared-backup\",\"path\":[0,1],\"fiber\":0,\"wavelength\":2}\n"
         "{\"demand\":1,\"src\":1,\"dst\":2,\"path\":[1,2],\"fiber\":0,\"wavelength\":1}\n",
         RWA_VIOLATION_PROTECTION},
    };
    const char *lines = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        lines = cases[i].lines ? cases[i].lines : lines;
        int head = snprintf(text, sizeof text, HEAD, cases[i].network);
        snprintf(text + head, sizeof text - (size_t)head, "%s", lines);
        struct file file = file_make("a.jsonl", text, strlen(text));
        rwa_check_report streamed, whole;
        rwa_assignment *result = NULL;
        OK(report_file(&streamed, file.path, NULL, NULL));
        OK(rwa_assignment_read(&result, file.path, NULL));
        OK(report_assignment(&whole, result, NULL, NULL));
        CU_ASSERT_EQUAL(streamed.ok, cases[i].kind == 0);
        CU_ASSERT_EQUAL(whole.violations, streamed.violations);
        if (cases[i].kind)
            CU_ASSERT_EQUAL(streamed.by_kind[cases[i].kind], streamed.violations);
        /* A state takes what the checker accepts, and nothing else. */
        rwa_state *state = state_on(rwa_assignment_network(result), RWA_UNDIRECTED, 3);
        rwa_status st = rwa_state_import(state, result, NULL);
        CU_ASSERT_EQUAL(st, streamed.ok ? RWA_OK : RWA_BADARG);
        CU_ASSERT_TRUE(st == RWA_OK || rwa_state_count(state) == 0);
        rwa_state_free(state);
        rwa_assignment_free(result);
        file_drop(&file);
    }
}

/* ---- blocking ---- */

static rwa_blocking blocking_of(const rwa_network *net, double erlang, rwa_protection protection, rwa_routing routing)
{
    static const rwa_traffic_class classes[] = {{2, 1, 25e9}, {4, 1, 50e9}, {8, 1, 100e9}};
    rwa_blocking b;
    rwa_blocking_options o;
    rwa_blocking_options_init(&o);
    o.requests = 30000;
    o.warm_up = 3000;
    o.routing = routing;
    o.protection = protection;
    o.classes = rwa_network_slot_hz(net) > 0 ? classes : NULL;
    o.class_count = o.classes ? 3 : 0;
    OK(rwa_blocking_simulate(&b, net, erlang, &o, NULL));
    return b;
}

/* The same traffic: backups that share channels leave more for others, and no backup at all leaves most. */
static void shared_backups_block_less(void)
{
    static const struct { int flexible; uint32_t slots; double erlang; rwa_routing routing; } cases[] = {
        {1, 100, 40, RWA_ROUTING_ALTERNATE}, {1, 100, 60, RWA_ROUTING_LEAST_LOADED}, {1, 160, 90, RWA_ROUTING_SHORTEST},
        {0, 40, 100, RWA_ROUTING_SHORTEST}, {0, 40, 120, RWA_ROUTING_ALTERNATE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network *net = network_of("nsfnet14-21", cases[i].slots, 1, cases[i].flexible);
        rwa_blocking b[3];
        for (int p = 0; p < 3; p++)
            b[p] = blocking_of(net, cases[i].erlang, (rwa_protection)p, cases[i].routing);
        const rwa_blocking *none = &b[RWA_PROTECTION_NONE], *own = &b[RWA_PROTECTION_DEDICATED],
                           *shared = &b[RWA_PROTECTION_SHARED];
        CU_ASSERT_TRUE(shared->probability + shared->half_width < own->probability - own->half_width);
        CU_ASSERT_TRUE(none->probability + none->half_width < shared->probability - shared->half_width);
        CU_ASSERT_TRUE(shared->carried > own->carried && none->carried > shared->carried);
        CU_ASSERT_TRUE(own->utilization <= 1 && shared->utilization <= 1);
        CU_ASSERT_TRUE(own->exact != own->exact);
        rwa_network_free(net);
    }
}

/* On a ring 1+1 takes a channel of all links: it is a system of W servers, and Erlang B is exact. */
static void a_ring_with_1_plus_1_is_erlang_b(void)
{
    rwa_network *net = network_of("ring:5", 10, 1, 0);
    rwa_blocking b;
    rwa_blocking_options o;
    rwa_blocking_options_init(&o);
    o.state.model = RWA_UNDIRECTED;
    o.protection = RWA_PROTECTION_DEDICATED;
    for (double erlang = 5; erlang <= 20; erlang += 5) {
        OK(rwa_blocking_simulate(&b, net, erlang, &o, NULL));
        CU_ASSERT_DOUBLE_EQUAL(b.probability, rwa_erlang_b(erlang, 10), 3 * b.half_width);
        CU_ASSERT_DOUBLE_EQUAL(b.utilization * 10, b.carried, 1e-6 * b.carried);
    }
    rwa_network_free(net);
}

int main(void)
{
    return RUN_TESTS("protection", a_ring_holds_as_many_as_it_must, without_a_second_route_nothing_is_protected,
                     a_remedy_for_one_route_is_none_for_two, a_remedy_lets_the_backup_in, backups_avoid_failed_links,
                     what_protection_does_not_go_with_is_refused, files_keep_rates_formats_and_backups,
                     spoilt_backups_are_found, shared_backups_block_less, a_ring_with_1_plus_1_is_erlang_b);
}
