/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Plans beside lightpaths: what a state leaves for them, and the channels that it holds for them.  The test walks over
 * lightpaths, backups and schedules itself, link by link, and notes every channel in two plain tables.
 */

#include "tests/support/assigning.h"
#include "tests/support/files.h"
#include "tests/support/same.h"
#include "tests/support/states.h"


enum { NODES = 16, LINKS = 64, FIBERS = 2, WAVELENGTHS = 24 };

typedef bool table[LINKS][FIBERS][WAVELENGTHS];

struct walk {
    const rwa_network *net;
    bool both;              /* a channel of a link is one of its fibre pair */
};

static void note(const struct walk *w, table used, uint32_t link, uint32_t fiber, uint32_t wavelength)
{
    for (uint32_t a = 0; a < rwa_network_links(w->net); a++)
        if (a == link || (w->both && rwa_network_pair(w->net, a) == rwa_network_pair(w->net, link)))
            used[a][fiber][wavelength] = true;
}

static void note_route(const struct walk *w, table used, const rwa_placed *p, uint32_t span)
{
    for (uint32_t k = 0; k < p->hops; k++)
        for (uint32_t i = 0; i < span; i++)
            note(w, used, p->links[k], p->fiber, p->wavelength + i);
}

static void note_state(const struct walk *w, table used, const rwa_state *state)
{
    rwa_placed p;
    memset(used, 0, sizeof(table));
    for (uint64_t id = 0; (id = rwa_state_next(state, id)) != RWA_NO_LIGHTPATH;) {
        rwa_state_get(&p, state, id);
        note_route(w, used, &p, p.width + p.guard);
        if (rwa_state_backup(&p, state, id))
            note_route(w, used, &p, p.width + p.guard);
    }
}

/** Channels of the steps of a schedule, every orbit written out, on the links of the state's network. */
static void note_steps(const struct walk *w, table used, const rwa_schedule *sched, uint32_t first, uint32_t last)
{
    const rwa_schedule *each = expanded(sched);
    memset(used, 0, sizeof(table));
    for (uint64_t i = rwa_schedule_first(each, first); i < rwa_schedule_first(each, last + 1); i++) {
        rwa_lightpath lp = lightpath_of(each, i);
        uint32_t count, at, next;
        const uint32_t *path = rwa_schedule_path(&count, each, i), n = rwa_network_nodes(w->net);
        at = lp.src;
        for (uint32_t k = 1; at != lp.dst; at = next, k++) {
            next = path ? path[k] : (at + (lp.direction == RWA_CW ? 1 : n - 1)) % n;
            note(w, used, rwa_network_find_link(w->net, at, next), lp.fiber, lp.wavelength);
        }
    }
}

/** The channels of the tables are taken, and no others but those that the network reserves. */
static void expect_taken(const rwa_state *state, table one, table two)
{
    const rwa_network *net = rwa_state_network(state);
    for (uint32_t l = 0; l < rwa_network_links(net); l++)
        for (uint32_t f = 0; f < rwa_network_link(net, l).fibers; f++)
            for (uint32_t w = 0; w < rwa_network_wavelengths(net); w++)
                CU_ASSERT_EQUAL(rwa_state_is_free(state, l, f, w),
                                !one[l][f][w] && !two[l][f][w] && !rwa_network_is_reserved(net, l, f, w) &&
                                    !rwa_state_is_failed(state, RWA_FAILURE_LINK, l));
}

static rwa_network *left_by(const rwa_state *state)
{
    rwa_network *left = NULL;
    OK(rwa_state_residual(&left, state, NULL));
    return keep_network(left);
}

/** A plan on what the state leaves runs beside its lightpaths; the state holds its channels, those of a step alone, and
 *  gives back exactly them. */
static void plan_beside(rwa_state *state, const struct walk *w, const rwa_network *left)
{
    static table lit, planned, none;
    rwa_defragmentation d;
    struct file file = file_with("plans", "");
    const rwa_schedule *sched = rwa_plan_schedule(plan_in(left, "bytes=65536"));
    uint32_t steps = rwa_schedule_steps(sched);
    note_state(w, lit, state);
    for (uint32_t step = 0; step <= steps; step++) {
        uint64_t mark = rwa_state_mark(state);
        note_steps(w, planned, sched, step ? step : 1, step ? step : steps);
        OK(rwa_state_hold(state, sched, step, "plan:gather", NULL));
        expect_taken(state, lit, planned);
        uint64_t after = rwa_state_mark(state);
        CU_ASSERT_TRUE(after > mark);
        CU_ASSERT_EQUAL(rwa_state_hold(state, sched, step, "plan:again", NULL), RWA_BADARG);
        CU_ASSERT_EQUAL(rwa_state_mark(state), after);
        OK(step % 2 ? rwa_state_release_tag(state, "plan:gather", NULL) : rwa_state_rollback(state, mark, NULL));
        expect_taken(state, lit, none);
        CU_ASSERT_EQUAL(rwa_state_release_tag(state, "plan:gather", NULL), RWA_BADARG);
    }
    /* through a file, and while others move down */
    note_steps(w, planned, sched, 1, steps);
    OK(rwa_state_hold(state, sched, 0, "plan:gather", NULL));
    OK(rwa_state_write(state, file.path, NULL));
    rwa_state *again = state_of(w->net, rwa_state_model(state), 0);
    OK(rwa_state_read(again, file.path, NULL));
    expect_taken(again, lit, planned);
    OK(rwa_state_defragment(&d, again, 0, NULL));
    for (uint32_t l = 0; l < rwa_network_links(w->net); l++)
        for (uint32_t f = 0; f < FIBERS; f++)
            for (uint32_t i = 0; i < WAVELENGTHS; i++)
                CU_ASSERT_FALSE(planned[l][f][i] && rwa_state_is_free(again, l, f, i));
    OK(rwa_state_release_tag(again, "plan:gather", NULL));
    note_state(w, planned, again);
    expect_taken(again, planned, none);
    OK(rwa_state_release_tag(state, "plan:gather", NULL));
    expect_taken(state, lit, none);
    file_drop(&file);
}

/** Demands on what the state leaves are assigned beside its lightpaths, and come into it. */
static void assign_beside(rwa_state *state, const rwa_network *left)
{
    struct request r = request_of("links: pairs=0>3,5>1x2");
    rwa_assignment *result = assign_demands(left, request_demands(&r, left), NULL);
    CU_ASSERT_EQUAL(rwa_network_model(left), rwa_state_model(state));
    uint64_t before = rwa_state_count(state);
    OK(rwa_state_import(state, result, NULL));
    CU_ASSERT_EQUAL(rwa_state_count(state), before + 3);
}

static void try_network(const rwa_network *net, rwa_model model)
{
    static table lit;
    rwa_state *state = state_of(net, model, 0);
    struct walk w = {rwa_state_network(state), model == RWA_UNDIRECTED};
    uint32_t failed = any(rwa_network_links(net));
    for (int i = 0; i < 18; i++) {
        rwa_request q = any_request(state);
        rwa_placed p;
        q.routing = RWA_ROUTING_ALTERNATE;
        q.policy = (rwa_policy)any(4);
        q.protection = (rwa_protection)any(3);
        q.width = 1 + any(2);
        OK(rwa_state_add(&p, state, &q, NULL));
    }
    OK(rwa_state_fail(state, RWA_FAILURE_LINK, failed, NULL));
    note_state(&w, lit, state);
    rwa_network *left = left_by(state);
    expect_same_network(w.net, left);
    for (uint32_t l = 0; l < rwa_network_links(left); l++) {
        CU_ASSERT_EQUAL(rwa_network_is_failed(left, l), rwa_state_is_failed(state, RWA_FAILURE_LINK, l) > 0);
        for (uint32_t f = 0; f < rwa_network_link(left, l).fibers; f++)
            for (uint32_t i = 0; i < rwa_network_wavelengths(left); i++)
                CU_ASSERT_EQUAL(rwa_network_is_reserved(left, l, f, i),
                                lit[l][f][i] || rwa_network_is_reserved(net, l, f, i));
    }
    plan_beside(state, &w, left);
    assign_beside(state, left);
}

static void plans_run_beside_lightpaths(void)
{
    static const char *const specs[] = {"ring:8", "torus:4x4", "nsfnet14-21"};
    for (size_t i = 0; i < COUNT(specs); i++) {
        rwa_network *net = network_on("%s w=%d", specs[i], WAVELENGTHS);
        try_network(net, RWA_DIRECTED);
        if (i > 0)
            try_network(net, RWA_UNDIRECTED);
    }
}

/* Names, positions, groups and fibres of a graph stay, and so do the channels that it reserves itself. */
static void properties_of_the_network_stay(void)
{
    static const char *const lines[] = {
        "links:0>1x2@10,1>2x1,2>3x2@7,3>4x2@2.5,4>5x1@3,5>0x2@4,0>3x2@9,1>4x2@8,"
        "1>0x2@10,2>1x1,3>2x2@7,4>3x2@2.5,5>4x1@3,0>5x2@4,3>0x2@9,4>1x2@8 w=24",
        "links:0-1x2@10,1-2x1,2-3x2@7,3-4x2@2.5,4-5x1@3,5-0x2@4,0-3x2@9,1-4x2@8 w=24"};
    static const char *const names[] = {"A", NULL, "C", "D", "E", "F"};
    static const rwa_position positions[] = {{0, 1}, {2, 3}, {NAN, NAN}, {4, 5}, {6, 7}, {8, 9}};
    static const uint32_t duct[] = {0, 5}, bridge[] = {6};
    static const rwa_risk_group groups[] = {{duct, 2}, {bridge, 1}};
    static const rwa_reserved reserved[] = {{2, 1, 3}, {6, 0, 0}};
    for (int both = 0; both < 2; both++) {
        struct request r = request_of("%s", lines[both]);
        r.network.node_names = names;
        r.network.positions = positions;
        r.network.risk_groups = groups;
        r.network.risk_group_count = COUNT(groups);
        r.network.reserved = reserved;
        r.network.reserved_count = COUNT(reserved);
        try_network(request_network(r), both ? RWA_UNDIRECTED : RWA_DIRECTED);
    }
}

/* A ring's links have other numbers in a graph of pairs; the plan still comes back to the right ones. */
static void a_ring_in_the_undirected_model(void)
{
    static table lit, planned;
    rwa_network *net = network_on("ring:6 w=8");
    rwa_state *state = state_of(net, RWA_UNDIRECTED, 0);
    struct walk w = {rwa_state_network(state), true};
    rwa_placed p = add_lightpath(state, 4, 1, RWA_PROTECTION_NONE);
    note_state(&w, lit, state);
    rwa_network *left = left_by(state);
    CU_ASSERT_EQUAL(rwa_network_model(left), RWA_UNDIRECTED);
    for (uint32_t l = 0; l < rwa_network_links(left); l++) {
        rwa_link link = rwa_network_link(left, l);
        uint32_t here = rwa_network_find_link(net, link.from, link.to);
        CU_ASSERT_EQUAL(rwa_network_is_reserved(left, l, p.fiber, p.wavelength), lit[here][p.fiber][p.wavelength]);
    }
    const rwa_schedule *sched = rwa_plan_schedule(plan_in(left, "bytes=65536"));
    note_steps(&w, planned, sched, 1, rwa_schedule_steps(sched));
    OK(rwa_state_hold(state, sched, 0, "plan:", NULL));
    expect_taken(state, lit, planned);
}

/* Nothing is held on a link that has failed, where no lightpath can be set up again: so the journal can be read. */
static void held_channels_survive_a_restart(void)
{
    struct file file = file_with("plans", "");
    rwa_network *net = network_on("ring:4 w=4");
    rwa_state *state = NULL;
    OK(rwa_state_open(&state, net, NULL, file.path, NULL));
    const rwa_schedule *sched = rwa_plan_schedule(plan_in(left_by(state), "bytes=65536"));
    OK(rwa_state_fail(state, RWA_FAILURE_LINK, 1, NULL));
    OK(rwa_state_hold(state, sched, 0, "plan:a", NULL));
    size_t held = rwa_state_count(state);
    CU_ASSERT(held > 0 && rwa_state_next_in(state, RWA_NO_LIGHTPATH, RWA_CONDITION_DOWN, NULL) == RWA_NO_LIGHTPATH);
    rwa_state_free(state);
    OK(rwa_state_open(&state, net, NULL, file.path, NULL));
    CU_ASSERT_EQUAL(rwa_state_count(state), held);
    rwa_state_free(state);
    file_drop(&file);
}

/* A refusal says which channel it is about and what to do; an empty state leaves its network as it is. */
static void refusals_say_what_to_do(void)
{
    rwa_state *state = state_on("ring:6 w=2 directed"), *seven = state_on("ring:7 w=2 directed");
    rwa_network *left = left_by(state);
    rwa_error err = {0};
    CU_ASSERT_EQUAL(rwa_network_topology(left), RWA_RING);
    const rwa_schedule *sched = rwa_plan_schedule(plan_in(left, "bytes=65536"));
    add_lightpath(state, 0, 3, RWA_PROTECTION_NONE);
    CU_ASSERT_EQUAL(rwa_state_hold(state, sched, 0, "plan:a", &err), RWA_BADARG);
    expect_part(err.text, "wavelength 0 of link");
    expect_part(err.text, "rwa_state_residual()");
    CU_ASSERT_EQUAL(rwa_state_count(state), 1);
    CU_ASSERT_EQUAL(rwa_state_hold(state, sched, 0, "a", &err), RWA_BADARG);
    expect_part(err.text, "plan:");
    CU_ASSERT_EQUAL(rwa_state_hold(state, sched, rwa_schedule_steps(sched) + 1, "plan:a", &err), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_state_hold(seven, sched, 0, "plan:a", &err), RWA_BADARG);
}

TESTS("plans beside lightpaths", plans_run_beside_lightpaths, properties_of_the_network_stay,
      a_ring_in_the_undirected_model, refusals_say_what_to_do, held_channels_survive_a_restart)
