/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Small states whose every channel is known by hand: blocking and its reasons, faults, undoing, files. */
#include "rwa.h"
#include "tests/support/report.h"
#include "tests/support/files.h"
#include "tests/support/states.h"
#include "tests/support/suite.h"

static rwa_state *open_state(const char *spec, uint32_t wavelengths, uint32_t paths)
{
    rwa_network *net = network_of(spec, wavelengths, 1, 0);
    rwa_state *state = state_on(net, 0, paths);
    rwa_network_free(net);
    return state;
}

static rwa_placed add(rwa_state *state, uint32_t src, uint32_t dst)
{
    rwa_request q;
    rwa_placed placed;
    rwa_request_init(&q, src, dst);
    OK(rwa_state_add(&placed, state, &q, NULL));
    return placed;
}

static rwa_obstacle explain(rwa_state *state, uint32_t src, uint32_t dst)
{
    rwa_request q;
    rwa_obstacle why;
    rwa_request_init(&q, src, dst);
    OK(rwa_state_explain(&why, state, &q, NULL));
    return why;
}

/* On a line there is one route.  0-1 on wavelength 0 and 1-2 on wavelength 1 leave 0-2 each link half free and nothing
 * in common; the first of the two can go to the other's wavelength. */
static void continuity_blocks_and_a_move_helps(void)
{
    rwa_state *state = open_state("line:3", 2, 1);
    rwa_request q;
    rwa_placed moved, first = add(state, 0, 1);
    uint64_t filler = add(state, 1, 2).id, second = add(state, 1, 2).id;
    OK(rwa_state_release(state, filler, NULL));
    CU_ASSERT_EQUAL(add(state, 0, 2).hops, 0);
    rwa_obstacle why = explain(state, 0, 2);
    CU_ASSERT_EQUAL(why.kind, RWA_OBSTACLE_NO_COMMON_CHANNEL);
    CU_ASSERT_EQUAL(why.remedy, RWA_REMEDY_MOVE);
    CU_ASSERT_TRUE(why.id == first.id && why.wavelength == 1);
    expect_part(why.text, "none is free on all of them");
    rwa_request_init(&q, 0, 1);
    q.wavelength = why.wavelength;
    OK(rwa_state_move(&moved, state, first.id, &q, NULL));
    CU_ASSERT_TRUE(moved.id == first.id && moved.wavelength == 1);
    uint64_t across = add(state, 0, 2).id;
    CU_ASSERT_NOT_EQUAL(across, RWA_NO_LIGHTPATH);
    why = explain(state, 0, 2); /* now both links are full: `across` on wavelength 0, the two others on wavelength 1 */
    CU_ASSERT_TRUE(why.kind == RWA_OBSTACLE_FULL_LINK && why.link == 0);
    CU_ASSERT_TRUE(why.remedy == RWA_REMEDY_RELEASE && why.id == across);
    OK(rwa_state_release(state, first.id, NULL));
    CU_ASSERT_EQUAL(add(state, 0, 2).hops, 0);
    OK(rwa_state_release(state, second, NULL));
    CU_ASSERT_EQUAL(add(state, 0, 2).hops, 2);
    rwa_state_free(state);
}

/* A ring of 4 with one wavelength: 0 to 1 the short way is taken, the long way is free. */
static void another_route_is_named(void)
{
    rwa_state *state = open_state("ring:4", 1, 1);
    rwa_request q;
    rwa_placed placed;
    add(state, 0, 1);
    CU_ASSERT_EQUAL(add(state, 0, 1).hops, 0);
    rwa_obstacle why = explain(state, 0, 1);
    CU_ASSERT_TRUE(why.kind == RWA_OBSTACLE_FULL_LINK && why.remedy == RWA_REMEDY_ROUTE && why.hops == 3);
    rwa_request_init(&q, 0, 1);
    q.links = why.links;    /* the state's own memory is a legal route */
    q.hops = why.hops;
    OK(rwa_state_add(&placed, state, &q, NULL));
    CU_ASSERT_TRUE(placed.hops == 3 && placed.links[0] == 7 && placed.links[2] == 5); /* counter-clockwise: 4 + 3, 2,
                                                                                         1 */
    rwa_state_free(state);
}

/* Both ways round are the routes of a ring: the shorter one first, clockwise first where they are equal, and no third
   one. */
static void a_ring_has_two_routes(void)
{
    rwa_state *state = open_state("ring:100000", 1, 5);
    rwa_request q;
    rwa_placed p;
    rwa_request_init(&q, 10, 50010);
    q.routing = RWA_ROUTING_ALTERNATE;
    OK(rwa_state_add(&p, state, &q, NULL));
    CU_ASSERT_TRUE(p.hops == 50000 && p.links[0] == 10);
    OK(rwa_state_add(&p, state, &q, NULL));
    CU_ASSERT_TRUE(p.hops == 50000 && p.links[0] == 100009 && p.links[49999] == 150010);
    OK(rwa_state_add(&p, state, &q, NULL));
    CU_ASSERT_EQUAL(p.hops, 0);
    CU_ASSERT_EQUAL(add(state, 20, 18).hops, 2);  /* counter-clockwise, where only clockwise is taken */
    rwa_state_free(state);
}

/* A directed link of a ring fails: those who cross it are down, move around it under their ids, and undoing brings all
   back. */
static void faults_hit_and_lightpaths_move_around(void)
{
    rwa_state *state = open_state("ring:6", 4, 2);
    rwa_placed over = add(state, 0, 2), beside = add(state, 3, 5), p;
    rwa_request q;
    uint64_t mark = rwa_state_mark(state);
    OK(rwa_state_fail_link(state, 1, NULL));
    OK(rwa_state_fail_link(state, 1, NULL));
    CU_ASSERT_EQUAL(rwa_state_mark(state), mark + 1);
    CU_ASSERT_EQUAL(rwa_state_next_down(state, 0), over.id);
    CU_ASSERT_EQUAL(rwa_state_next_down(state, over.id), RWA_NO_LIGHTPATH);
    rwa_request_init(&q, 0, 2);
    OK(rwa_state_move(&p, state, over.id, &q, NULL));
    CU_ASSERT_TRUE(p.id == over.id && p.hops == 4 && !p.down);
    CU_ASSERT_EQUAL(rwa_state_next_down(state, 0), RWA_NO_LIGHTPATH);
    CU_ASSERT_EQUAL(add(state, 0, 2).hops, 4);
    OK(rwa_state_release(state, beside.id, NULL));
    OK(rwa_state_rollback(state, mark, NULL));
    CU_ASSERT_TRUE(rwa_state_get(&p, state, over.id) && p.hops == 2 && !p.down);
    CU_ASSERT_TRUE(rwa_state_get(&p, state, beside.id));
    CU_ASSERT_EQUAL(rwa_state_count(state), 2);
    CU_ASSERT_EQUAL(add(state, 0, 2).hops, 2);
    rwa_state_free(state);
}

/* On a line a failed link cuts the network; that it be repaired is the only change that helps. */
static void a_cut_is_explained(void)
{
    rwa_state *state = open_state("line:4", 2, 3);
    const uint32_t straight[] = {0, 1, 2};
    rwa_request q;
    rwa_obstacle why;
    OK(rwa_state_fail_link(state, 1, NULL));
    why = explain(state, 0, 3);
    CU_ASSERT_TRUE(why.kind == RWA_OBSTACLE_NO_ROUTE && why.remedy == RWA_REMEDY_REPAIR && why.repair == 1);
    rwa_request_init(&q, 0, 3);
    q.links = straight;
    q.hops = 3;
    OK(rwa_state_explain(&why, state, &q, NULL));
    CU_ASSERT_TRUE(why.kind == RWA_OBSTACLE_FAILED_LINK && why.link == 1 && why.remedy == RWA_REMEDY_REPAIR);
    CU_ASSERT_EQUAL(explain(state, 3, 0).kind, RWA_OBSTACLE_NONE); /* the other way still works */
    rwa_state_free(state);
}

/* The undirected model takes both directions of a fibre pair with one lightpath. */
static void a_fibre_pair_carries_a_wavelength_once(void)
{
    rwa_state *state = open_state("nsfnet14-21", 1, 1);
    CU_ASSERT_EQUAL(rwa_state_model(state), RWA_UNDIRECTED);
    rwa_link link = rwa_network_link(rwa_state_network(state), 0);
    CU_ASSERT_EQUAL(add(state, link.from, link.to).hops, 1);
    CU_ASSERT_EQUAL(add(state, link.to, link.from).hops, 0);
    CU_ASSERT_FALSE(rwa_state_is_free(state, 0, 0, 0) || rwa_state_is_free(state, 1, 0, 0));
    rwa_state_free(state);
}

static void bad_requests_are_told(void)
{
    rwa_state *state = open_state("ring:5", 2, 1);
    const uint32_t gap[] = {0, 2}, round_trip[] = {0, 5}, other_end[] = {0}, none[] = {10};
    const struct {
        uint32_t dst, hops;
        const uint32_t *links;
        uint32_t fiber, wavelength;
        const char *says;
    } cases[] = {
        {5, 0, NULL, 0, 0, "two nodes below 5"},
        {0, 0, NULL, 0, 0, "two nodes below 5"},
        {2, 0, NULL, 1, 0, "fibre 1"},
        {2, 0, NULL, 0, 2, "wavelength 2"},
        {2, 2, gap, 0, 0, "hop 1 of the route leaves node 2, expected node 1"},
        {2, 2, round_trip, 0, 0, "passes node 0 twice"},
        {2, 1, other_end, 0, 0, "ends at node 1"},
        {2, 1, none, 0, 0, "link 10, expected one below 10"},
        {2, 5, gap, 0, 0, "expected 1 to 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_request q;
        rwa_placed placed;
        rwa_error err = {0};
        rwa_request_init(&q, 0, cases[i].dst);
        q.links = cases[i].links;
        q.hops = cases[i].hops;
        q.fiber = cases[i].fiber;
        q.wavelength = cases[i].wavelength;
        CU_ASSERT_EQUAL(rwa_state_add(&placed, state, &q, &err), RWA_BADARG);
        expect_part(err.text, cases[i].says);
    }
    CU_ASSERT_EQUAL(rwa_state_release(state, 1, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_state_fail_link(state, 10, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_state_undo(state, 1, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_state_rollback(state, 1, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_state_count(state), 0);
    rwa_state_free(state);
}

static void networks_without_routes_are_refused(void)
{
    static const char *const specs[] = {"star:4", "ron:4", "ocs:4x2"};
    for (size_t i = 0; i < 3; i++) {
        rwa_network *net = NULL;
        rwa_state *state = NULL;
        OK(rwa_network_open(&net, specs[i], NULL, NULL));
        CU_ASSERT_EQUAL(rwa_state_create(&state, net, NULL, NULL), RWA_BADARG);
        CU_ASSERT_PTR_NULL(state);
        rwa_network_free(net);
    }
}

/** A state of a network whose channel 1 is reserved on every link. */
static rwa_state *open_reserved(const char *spec, rwa_model model)
{
    static const uint32_t reserved[] = {1};
    rwa_faults faults = {.channels = reserved, .channel_count = 1};
    rwa_network *net = network_of(spec, 5, 1, 0), *faulty = NULL;
    OK(rwa_network_with_faults(&faulty, net, &faults, NULL));
    rwa_state *state = state_on(faulty, model, 3);
    rwa_network_free(faulty);
    rwa_network_free(net);
    return state;
}

static uint64_t count_down(const rwa_state *state)
{
    uint64_t count = 0;
    for (uint64_t id = rwa_state_next_down(state, RWA_NO_LIGHTPATH); id != RWA_NO_LIGHTPATH;
         id = rwa_state_next_down(state, id))
        count++;
    return count;
}

static void expect_same(const rwa_state *a, const rwa_state *b)
{
    const rwa_network *net = rwa_state_network(a);
    CU_ASSERT_EQUAL(rwa_state_count(a), rwa_state_count(b));
    CU_ASSERT_EQUAL(count_down(a), count_down(b));
    for (uint32_t link = 0; link < rwa_network_links(net); link++) {
        CU_ASSERT_EQUAL(rwa_state_is_failed(a, link), rwa_state_is_failed(b, link));
        for (uint32_t w = 0; w < 5; w++)
            CU_ASSERT_EQUAL(rwa_state_is_free(a, link, 0, w), rwa_state_is_free(b, link, 0, w));
    }
}

/** The file without what is down, which then crosses failed links unsaid; and the verdict on it. */
static void judge_unsaid(rwa_check_report *check, const char *path)
{
    static char text[65536];
    FILE *from = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(from);
    size_t size = fread(text, 1, sizeof text - 1, from);
    fclose(from);
    text[size] = '\0';
    for (char *p; (p = strstr(text, ",\"down\":true")) != NULL;)
        memmove(p, p + 12, strlen(p + 12) + 1);
    struct file file = file_make("unsaid.jsonl", text, strlen(text));
    OK(report_file(check, file.path, NULL, NULL));
    file_drop(&file);
}

/* Failed links and reserved channels go through a file too.  A lightpath across a failed link is down in both states,
 * until the link works again; to a state that lost another link, what crosses it cannot come, and it stays as it
 * was. */
static void failures_go_through_a_file(void)
{
    static const struct { const char *spec; rwa_model model; uint32_t lost;
    } cases[] = {{"nsfnet14-21", RWA_UNDIRECTED, 6},
                 {"ring:7", RWA_DIRECTED, 9},
                 {"ring:7", RWA_UNDIRECTED, 3},
                 {"torus:3x3", RWA_DIRECTED, 4},
                 {"line:5", RWA_UNDIRECTED, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_state *state = open_reserved(cases[i].spec, cases[i].model),
                  *copy = open_reserved(cases[i].spec, cases[i].model);
        rwa_state *other = open_reserved(cases[i].spec, cases[i].model);
        struct file file = file_make("failed.jsonl", "", 0);
        uint32_t nodes = rwa_network_nodes(rwa_state_network(state));
        rwa_check_report check;
        for (uint32_t n = 0; n < 60; n++)
            add(state, n * 5 % nodes, (n * 5 + 1 + n % (nodes - 1)) % nodes);
        OK(rwa_state_fail_link(state, cases[i].lost, NULL));
        CU_ASSERT(count_down(state) > 0);
        OK(rwa_state_write(state, file.path, NULL));
        OK(report_file(&check, file.path, NULL, NULL));
        CU_ASSERT_TRUE(check.ok && check.down == count_down(state));
        judge_unsaid(&check, file.path);
        CU_ASSERT_EQUAL(check.by_kind[RWA_VIOLATION_CHANNEL], count_down(state));
        OK(rwa_state_read(copy, file.path, NULL));
        expect_same(copy, state);
        CU_ASSERT_EQUAL(rwa_state_read(copy, file.path, NULL), RWA_BADARG);
        expect_same(copy, state);
        OK(rwa_state_repair_link(copy, cases[i].lost, NULL));
        CU_ASSERT_EQUAL(count_down(copy), 0);
        OK(rwa_state_fail_link(other, cases[i].lost, NULL)); /* the same link: nothing is in the
                                                                                     way */
        OK(rwa_state_read(other, file.path, NULL));
        expect_same(other, state);
        rwa_state_free(other);
        other = open_reserved(cases[i].spec, cases[i].model);
        OK(rwa_state_fail_link(other, 0, NULL));
        CU_ASSERT_EQUAL(rwa_state_read(other, file.path, NULL), RWA_BADARG);
        CU_ASSERT_TRUE(rwa_state_count(other) == 0 && rwa_state_is_failed(other, 0) &&
                       !rwa_state_is_failed(other, cases[i].lost));
        file_drop(&file);
        rwa_state_free(other);
        rwa_state_free(copy);
        rwa_state_free(state);
    }
}

/* An all-to-all assignment leaves on each link as many channels as its load does not take. */
static void an_assignment_comes_in(void)
{
    rwa_state *state = open_state("nsfnet14-21", 16, 1), *ring = open_state("ring:14", 16, 1);
    const rwa_network *net = rwa_state_network(state);
    rwa_demands *demands = NULL;
    rwa_assignment *result = NULL;
    rwa_error err = {0};
    OK(rwa_demands_all_to_all(&demands, 14, RWA_UNDIRECTED, NULL));
    OK(rwa_assignment_make(&result, net, demands, NULL, NULL));
    CU_ASSERT_EQUAL(rwa_state_import(ring, result, &err), RWA_BADARG);
    OK(rwa_state_import(state, result, NULL));
    CU_ASSERT_EQUAL(rwa_state_count(state), 91);
    for (uint32_t pair = 0; pair < rwa_network_pairs(net); pair++) {
        uint32_t load = 0;
        for (uint64_t i = 0; i < rwa_assignment_count(result); i++) {
            rwa_route route;
            rwa_assignment_get(&route, result, i);
            for (uint32_t k = 0; k < route.hops; k++)
                load += route.links[k] / 2 == pair;
        }
        CU_ASSERT_EQUAL(rwa_state_free_channels(state, 2 * pair), 16 - load);
    }
    rwa_assignment_free(result);
    rwa_demands_free(demands);
    rwa_state_free(ring);
    rwa_state_free(state);
}

/* Every step of a plan fits an empty network, and its channels are as many as its hops; a second time it does not. */
static void steps_of_schedules_come_in(void)
{
    static const char *const specs[] = {"ring:12", "line:7", "torus:4x4"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        rwa_network *net = network_of(specs[i], 4, 1, 0);
        rwa_collective gather;
        rwa_plan *plan = NULL;
        rwa_collective_init(&gather, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 1024, 0, NULL);
        OK(rwa_plan_make(&plan, net, &gather, NULL, NULL));
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        uint64_t lightpaths = 0;
        for (uint32_t step = 1; step <= rwa_schedule_steps(sched); step++) {
            rwa_state *state = open_state(specs[i], 4, 1);
            rwa_error err = {0};
            OK(rwa_state_import_step(state, sched, step, &err));
            lightpaths += rwa_state_count(state);
            CU_ASSERT_EQUAL(rwa_state_import_step(state, sched, step, NULL), RWA_BADARG);
            rwa_state_free(state);
        }
        CU_ASSERT_EQUAL(lightpaths, rwa_schedule_lightpaths(sched));
        rwa_state *state = open_state(specs[i], 4, 1);
        CU_ASSERT_EQUAL(rwa_state_import_step(state, sched, 0, NULL), RWA_BADARG);
        CU_ASSERT_EQUAL(rwa_state_import_step(state, sched, rwa_schedule_steps(sched) + 1, NULL), RWA_BADARG);
        rwa_state_free(state);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

static void names_are_found(void)
{
    for (int i = 0; rwa_policy_name((rwa_policy)i); i++)
        CU_ASSERT_EQUAL(rwa_policy_find(rwa_policy_name((rwa_policy)i)), i);
    for (int i = 0; rwa_routing_name((rwa_routing)i); i++)
        CU_ASSERT_EQUAL(rwa_routing_find(rwa_routing_name((rwa_routing)i)), i);
    CU_ASSERT_EQUAL(rwa_policy_find("best-fit"), RWA_POLICY_MOST_USED);
    CU_ASSERT_EQUAL(rwa_policy_find("worst-fit"), -1);
    CU_ASSERT_EQUAL(rwa_routing_find(""), -1);
}

int main(void)
{
    return RUN_TESTS("state", continuity_blocks_and_a_move_helps, another_route_is_named, a_ring_has_two_routes,
                     faults_hit_and_lightpaths_move_around, a_cut_is_explained, a_fibre_pair_carries_a_wavelength_once,
                     bad_requests_are_told, networks_without_routes_are_refused, failures_go_through_a_file,
                     an_assignment_comes_in, steps_of_schedules_come_in, names_are_found);
}
