/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static assignment of several slots: exact search, integer program and brute force agree; bounds hold. */
#include "tests/support/assigning.h"
#include "tests/support/brute.h"
#include "tests/support/random.h"

#include <time.h>

enum { NODES = 6, DEMANDS = 6, SLOTS = 12 };

/** A small task, and what brute force needs of it. */
struct task {
    struct request r;
    rwa_reserved reserved[2];
    rwa_demand demand[DEMANDS];
    uint32_t width[DEMANDS], count;
    rwa_demands *demands;
    struct brute brute;
};

static void make_task(struct task *t, uint32_t most)
{
    *t = (struct task){.r = request_of("links: w=%u guard=%u paths=64 %s", SLOTS, any(3) == 0,
                                     any(2) ? "directed" : "undirected")};
    uint32_t nodes = 2 + any(NODES - 1), more = any(4);
    rwa_demands *narrow = NULL;
    char *end = t->r.spec + strlen(t->r.spec);
    for (uint32_t v = 1; v < nodes + more; v++) {
        uint32_t from = v < nodes ? v : any(nodes), to = any(v < nodes ? v : nodes);
        if (from != to)
            end += sprintf(end, "%u-%ux%u,", from, to, v >= nodes || any(8) ? 1 : 2);
    }
    t->r.network.slot_hz = RWA_SLOT_HZ;
    for (size_t *n = &t->r.network.reserved_count, some = any(3); *n < some; ++*n)
        t->reserved[*n] = (rwa_reserved){any(nodes - 1), 0, any(4)};
    t->r.network.reserved = t->reserved;
    t->count = 1 + any(most);
    for (uint32_t d = 0; d < t->count; d++) {
        uint32_t src = any(nodes);
        t->demand[d] = (rwa_demand){src, (src + 1 + any(nodes - 1)) % nodes, 1, RWA_NONE};
        t->width[d] = 1 + any(3);
    }
    OK(rwa_demands_create(&narrow, nodes, t->demand, t->count, NULL));
    OK(rwa_demands_with_widths(&t->demands, keep_demands(narrow), t->width, NULL));
    keep_demands(t->demands);
    t->brute = brute_of(request_network(t->r), t->r.assign.model, t->demand, t->count);
    t->brute.width = t->width;
    t->brute.guard = t->r.assign.guard;
}

/* ---- the library ---- */

static rwa_assignment *solve(const struct task *t, const char *solver, rwa_objective objective, uint32_t slots)
{
    rwa_assignment_options o = t->r.assign;
    o.solver = solver;
    o.objective = objective;
    o.wavelengths = slots;
    if (strcmp(solver, "ilp") == 0)
        o.routing = RWA_ROUTES_K_SHORTEST;
    return assign_demands(request_network(t->r), t->demands, &o);
}

static uint64_t traffic_of(const rwa_assignment *r, const struct task *t)
{
    uint64_t slots = 0;
    for (uint64_t i = 0; i < rwa_assignment_count(r); i++) {
        rwa_route route;
        rwa_assignment_get(&route, r, i);
        slots += route.hops > 0 ? t->width[route.demand] : 0;
    }
    return slots;
}

/** Its bound is one, verified or not, and proof where it says so. */
static void check_fewest(const rwa_assignment_report *s, uint32_t optimum, bool must_prove)
{
    CU_ASSERT(!s->bound.name || s->bound.fixed_routes || s->bound.most_served || s->bound.value <= optimum);
    CU_ASSERT(s->routed < s->lightpaths || s->wavelengths >= optimum);
    if (s->outcome == RWA_OPTIMAL || must_prove)
        CU_ASSERT(s->outcome == RWA_OPTIMAL && s->routed == s->lightpaths && s->wavelengths == optimum);
}

static const char *const solvers[] = {"exact",        "ilp",      "auto",   "first-fit",
                                      "best-fit",     "last-fit", "random", "least-fragmentation",
                                      "longest-first"};

static void all_solvers_agree_with_brute_force(void)
{
    seed = 977;
    int by_search = 0, by_cut = 0;
    for (uint32_t round = 1; round <= 1000; round++) {
        struct task t;
        make_task(&t, round % 10 ? 4 : DEMANDS);
        uint32_t optimum = brute_fewest(&t.brute, SLOTS);
        for (size_t i = 0; optimum > 0 && i < COUNT(solvers); i++) {
            const rwa_assignment_report *s =
                rwa_assignment_summary(solve(&t, solvers[i], RWA_FEWEST_WAVELENGTHS, 0));
            check_fewest(s, optimum, i < 2);
            by_search += i == 0 && strcmp(s->bound.name, "search") == 0;
            by_cut += i == 0 && strcmp(s->bound.name, "cut") == 0;
        }
    }
    CU_ASSERT_TRUE(by_search > 20 && by_cut > 200);
}

/* On too few slots: as many lightpaths, or as much traffic, as brute force serves. */
static void the_most_is_served(void)
{
    int short_ones = 0;
    for (uint32_t round = 0; round < 300 * 3 * 2; round++) {
        static struct task t;
        uint32_t slots = 1 + round / 2 % 3 * 2, lost = 0, all = 0;
        bool traffic = round % 2;
        if (round % 6 == 0)
            make_task(&t, 5);
        t.brute.traffic = traffic;
        while (!brute_fits(&t.brute, slots, lost))
            lost++;
        for (uint32_t d = 0; d < t.count; d++)
            all += traffic ? t.width[d] : 1;
        for (size_t i = 0; i < 2; i++) {
            const rwa_assignment *a = solve(&t, solvers[i], traffic ? RWA_MOST_TRAFFIC : RWA_MOST_DEMANDS, slots);
            const rwa_assignment_report *s = rwa_assignment_summary(a);
            CU_ASSERT_EQUAL(traffic ? traffic_of(a, &t) : s->routed, all - lost);
            CU_ASSERT(s->outcome == RWA_OPTIMAL && s->wavelengths <= slots);
            CU_ASSERT(!s->bound.name || !s->bound.most_served || s->bound.value >= all - lost);
            short_ones += s->routed < s->lightpaths;
        }
    }
    CU_ASSERT_TRUE(short_ones > 200);
}

/* Widths all w are an assignment of one slot w times: no more than w times the wavelengths, and the cut w times as
   many. */
static void equal_widths_scale_known_optima(void)
{
    for (uint32_t width = 1; width <= 4; width++)
        for (uint32_t guard = 0; guard <= 1; guard++) {
            struct request r = request_of("nsfnet14-21 guard=%u", guard);
            uint32_t widths[91];
            for (size_t i = 0; i < 91; i++)
                widths[i] = width;
            rwa_demands *wide = NULL;
            const rwa_network *net = request_network(r);
            OK(rwa_demands_with_widths(&wide, request_demands(&r, net), widths, NULL));
            const rwa_assignment_report *s = rwa_assignment_summary(assign_demands(net, keep_demands(wide), &r.assign));
            CU_ASSERT_EQUAL(expect_fewest(s, 13 * (width + guard))->check->bound_verdict, RWA_PASS);
        }
}

/** A quarter of a million lightpaths of 4 slots from node 0 to node 3 over two routes of 99 slots: 24 on each fit, and
 *  the time that all would take on slots enough is not spent. */
static void few_slots_for_many_keep_the_time(void)
{
    clock_t begun = clock();
    const rwa_assignment_report *s = assigned_on("mesh:2x2 pairs=0>3x262144 widths=4 given=99 seconds=0.5");
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    CU_ASSERT(s->routed > 0 && s->routed <= 48 && seconds < 5);
    printf(" %llu served in %.2f s ", (unsigned long long)s->routed, seconds);
}

static void bad_options_are_told(void)
{
    static const char *const narrow[] = {"most-used", "least-used", "dsatur", "largest-degree-first"};
    struct request r = request_of("line:4 guard=1");
    rwa_assignment *a = NULL;
    for (size_t i = 0; i < COUNT(narrow); i++) {
        rwa_error err = {0};
        strcpy(r.scheme, narrow[i]);
        CU_ASSERT_EQUAL(request_assignment(&a, &r, &err), RWA_BADARG);
        expect_part(err.text, narrow[i]);
    }
    r = request_of("line:4 guard=%u", RWA_CHANNELS_MAX + 1);
    CU_ASSERT_EQUAL(request_assignment(&a, &r, NULL), RWA_BADARG);
    r = request_of("line:4");
    r.assign.objective = RWA_MOST_TRAFFIC;
    CU_ASSERT_EQUAL(request_assignment(&a, &r, NULL), RWA_BADARG);
}

TESTS("assignment of several slots", all_solvers_agree_with_brute_force, the_most_is_served,
      equal_widths_scale_known_optima, few_slots_for_many_keep_the_time, bad_options_are_told)
