/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static assignment of several slots: exact search, integer program and brute force agree; bounds hold; spoilt answers
 *  are refused. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NODES = 6, PAIRS = 9, LINKS = 2 * PAIRS, DEMANDS = 6, SLOTS = 12, FIBERS = 2 };

/** A small task, and what brute force needs of it. */
struct task {
    rwa_network *net;
    rwa_demands *demands;
    rwa_model model;
    uint32_t nodes, links, fibers, count, guard;
    rwa_link link[LINKS];
    uint32_t carrier[LINKS];
    bool closed[LINKS][FIBERS][SLOTS];      /* of a carrier: reserved, or no such fibre */
    rwa_demand demand[DEMANDS];
    uint32_t width[DEMANDS];
    uint64_t random;
};

static uint32_t below(struct task *t, uint32_t n)
{
    return (uint32_t)base_random_below(&t->random, n);
}

/* ---- a task ---- */

static void take_network(struct task *t)
{
    t->links = rwa_network_links(t->net);
    t->fibers = 1;
    for (uint32_t a = 0; a < t->links; a++) {
        t->link[a] = rwa_network_link(t->net, a);
        t->carrier[a] = t->model == RWA_UNDIRECTED ? rwa_network_pair(t->net, a) : a;
        t->fibers = t->link[a].fibers > t->fibers ? t->link[a].fibers : t->fibers;
    }
    for (uint32_t a = 0; a < t->links; a++)
        for (uint32_t f = 0; f < FIBERS; f++)
            for (uint32_t s = 0; s < SLOTS; s++)
                if (f >= t->link[a].fibers || rwa_network_is_reserved(t->net, a, f, s))
                    t->closed[t->carrier[a]][f][s] = true;
}

static void make_network(struct task *t)
{
    rwa_network_options o;
    rwa_link links[PAIRS];
    rwa_reserved reserved[2];
    rwa_network_options_init(&o);
    uint32_t count = 0;
    o.both_ways = 1;
    o.wavelengths = SLOTS;
    o.slot_hz = RWA_SLOT_HZ;
    t->nodes = 2 + below(t, NODES - 1);
    for (uint32_t v = 1; v < t->nodes; v++)
        links[count++] = (rwa_link){below(t, v), v, 0, below(t, 8) ? 1 : FIBERS};
    for (uint32_t more = below(t, 4); more > 0 && t->nodes > 2 && count < PAIRS; more--) {
        uint32_t from = below(t, t->nodes), to = below(t, t->nodes - 1);
        links[count++] = (rwa_link){from, to + (to >= from), 0, 1};
    }
    o.reserved = reserved;
    for (o.reserved_count = 0; o.reserved_count < below(t, 3); o.reserved_count++)
        reserved[o.reserved_count] = (rwa_reserved){below(t, count), 0, below(t, 4)};
    OK(rwa_network_create_graph(&t->net, t->nodes, links, count, &o, NULL));
    t->model = below(t, 2) ? RWA_DIRECTED : RWA_UNDIRECTED;
    take_network(t);
}

static void make_task(struct task *t, uint64_t seed, uint32_t most)
{
    rwa_demands *narrow = NULL;
    memset(t, 0, sizeof *t);
    t->random = seed * 977;
    make_network(t);
    t->count = 1 + below(t, most);
    t->guard = below(t, 3) == 0;
    for (uint32_t d = 0; d < t->count; d++) {
        uint32_t src = below(t, t->nodes), dst = below(t, t->nodes - 1);
        t->demand[d] = (rwa_demand){src, dst + (dst >= src), 1, RWA_NONE};
        t->width[d] = 1 + below(t, 3);
    }
    OK(rwa_demands_create(&narrow, t->nodes, t->demand, t->count, NULL));
    OK(rwa_demands_with_widths(&t->demands, narrow, t->width, NULL));
    rwa_demands_free(narrow);
}

static void free_task(struct task *t)
{
    rwa_network_free(t->net);
    rwa_demands_free(t->demands);
}

/* ---- brute force: every simple path, every fibre, every slot, demand after demand ---- */

struct brute {
    const struct task *t;
    bool taken[LINKS][FIBERS][SLOTS];
    uint32_t slots;         /* of a fibre */
    bool most;              /* count what is served, and let demands go */
    uint32_t served, best;
    bool traffic;
    uint32_t path[NODES];
};

static void serve(struct brute *b, uint32_t d);

static bool is_open(const struct brute *b, uint32_t hops, uint32_t fiber, uint32_t slot, uint32_t span)
{
    for (uint32_t k = 0; k < hops; k++)
        for (uint32_t i = slot; i < slot + span; i++)
            if (b->taken[b->t->carrier[b->path[k]]][fiber][i] || b->t->closed[b->t->carrier[b->path[k]]][fiber][i])
                return false;
    return true;
}

static void set(struct brute *b, const uint32_t *path, uint32_t hops, uint32_t fiber, uint32_t slot, uint32_t span,
                bool taken)
{
    for (uint32_t k = 0; k < hops; k++)
        for (uint32_t i = slot; i < slot + span; i++)
            b->taken[b->t->carrier[path[k]]][fiber][i] = taken;
}

static void place(struct brute *b, uint32_t d, uint32_t hops)
{
    uint32_t span = b->t->width[d] + b->t->guard, path[NODES];
    memcpy(path, b->path, sizeof path);
    for (uint32_t fiber = 0; fiber < b->t->fibers; fiber++)
        for (uint32_t slot = 0; slot + span <= b->slots; slot++)
            if (is_open(b, hops, fiber, slot, span)) {
                set(b, path, hops, fiber, slot, span, true);
                serve(b, d);
                set(b, path, hops, fiber, slot, span, false);
                memcpy(b->path, path, sizeof path);
            }
}

static void walk(struct brute *b, uint32_t d, uint32_t at, uint32_t hops, uint32_t seen)
{
    if (at == b->t->demand[d].dst) {
        place(b, d, hops);
        return;
    }
    for (uint32_t a = 0; a < b->t->links; a++)
        if (b->t->link[a].from == at && !(seen >> b->t->link[a].to & 1)) {
            b->path[hops] = a;
            walk(b, d, b->t->link[a].to, hops + 1, seen | 1u << b->t->link[a].to);
        }
}

static void attempt(struct brute *b, uint32_t d)
{
    uint32_t left = 0;
    for (uint32_t i = d; i < b->t->count; i++)
        left += b->traffic ? b->t->width[i] : 1;
    if (b->served + left <= b->best)
        return;
    if (d == b->t->count) {
        b->best = b->served;
        return;
    }
    walk(b, d, b->t->demand[d].src, 0, 1u << b->t->demand[d].src);
    if (b->most)
        attempt(b, d + 1);
}

/** Demand d has its place; the next one. */
static void serve(struct brute *b, uint32_t d)
{
    uint32_t value = b->traffic ? b->t->width[d] : 1;
    b->served += value;
    attempt(b, d + 1);
    b->served -= value;
}

/** 0: more than SLOTS. */
static uint32_t fewest_by_brute_force(const struct task *t)
{
    for (uint32_t slots = 1; slots <= SLOTS; slots++) {
        struct brute b = {.t = t, .slots = slots};
        attempt(&b, 0);
        if (b.best == t->count)
            return slots;
    }
    return 0;
}

static uint32_t most_by_brute_force(const struct task *t, uint32_t slots, bool traffic)
{
    struct brute b = {.t = t, .slots = slots, .most = true, .traffic = traffic};
    attempt(&b, 0);
    return b.best;
}

/* ---- the library ---- */

static rwa_assignment *solve(const struct task *t, const char *solver, rwa_objective objective, uint32_t slots)
{
    rwa_assignment_options o;
    rwa_assignment *r = NULL;
    rwa_error err = {0};
    rwa_assignment_options_init(&o);
    o.model = t->model;
    o.solver = solver;
    o.objective = objective;
    o.wavelengths = slots;
    o.guard = t->guard;
    o.paths = 64;   /* more than there are */
    if (strcmp(solver, "ilp") == 0)
        o.routing = RWA_ROUTES_K_SHORTEST;
    rwa_status st = rwa_assignment_make(&r, t->net, t->demands, &o, &err);
    if (st != RWA_OK)
        fprintf(stderr, "%s: %s\n", solver, err.text);
    OK(st);
    return r;
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

/** The answer is right, and its bound is one: below the optimum, verified or not, and proof of it where it says so. */
static void check_fewest(const rwa_assignment *r, uint32_t optimum, bool must_prove)
{
    const rwa_assignment_report *s = rwa_assignment_summary(r);
    CU_ASSERT_TRUE(s->check->ok);
    CU_ASSERT_NOT_EQUAL(s->check->bound_verdict, RWA_FAIL);
    if (s->bound.name && !s->bound.fixed_routes && !s->bound.most_served)
        CU_ASSERT_TRUE(s->bound.value <= optimum);
    if (s->routed == s->lightpaths)
        CU_ASSERT_TRUE(s->wavelengths >= optimum);
    if (s->outcome == RWA_OPTIMAL || must_prove)
        CU_ASSERT_TRUE(s->outcome == RWA_OPTIMAL && s->routed == s->lightpaths && s->wavelengths == optimum);
}

static const char *const solvers[] = {"exact",        "ilp",      "auto",   "first-fit",
                                      "best-fit",     "last-fit", "random", "least-fragmentation",
                                      "longest-first"};

static void all_solvers_agree_with_brute_force(void)
{
    int by_search = 0, by_cut = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        static struct task t;
        make_task(&t, seed, seed % 10 ? 4 : DEMANDS);
        uint32_t optimum = fewest_by_brute_force(&t);
        for (size_t i = 0; optimum > 0 && i < sizeof solvers / sizeof *solvers; i++) {
            rwa_assignment *r = solve(&t, solvers[i], RWA_FEWEST_WAVELENGTHS, 0);
            check_fewest(r, optimum, i < 2);
            by_search += i == 0 && strcmp(rwa_assignment_summary(r)->bound.name, "search") == 0;
            by_cut += i == 0 && strcmp(rwa_assignment_summary(r)->bound.name, "cut") == 0;
            rwa_assignment_free(r);
        }
        free_task(&t);
    }
    CU_ASSERT_TRUE(by_search > 20 && by_cut > 200);
}

/* On too few slots: as many lightpaths, or as much traffic, as brute force serves. */
static void the_most_is_served(void)
{
    int short_ones = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        static struct task t;
        make_task(&t, seed + 5000, 5);
        for (uint32_t slots = 1; slots <= 5; slots += 2)
            for (int traffic = 0; traffic < 2; traffic++) {
                uint32_t most = most_by_brute_force(&t, slots, traffic);
                for (size_t i = 0; i < 2; i++) {
                    rwa_assignment *r = solve(&t, solvers[i], traffic ? RWA_MOST_TRAFFIC : RWA_MOST_DEMANDS, slots);
                    const rwa_assignment_report *s = rwa_assignment_summary(r);
                    CU_ASSERT_EQUAL(traffic ? traffic_of(r, &t) : s->routed, most);
                    CU_ASSERT_EQUAL(s->outcome, RWA_OPTIMAL);
                    CU_ASSERT_TRUE(s->check->ok && s->wavelengths <= slots);
                    CU_ASSERT_TRUE(!s->bound.name || !s->bound.most_served || s->bound.value >= most);
                    short_ones += s->routed < s->lightpaths;
                    rwa_assignment_free(r);
                }
            }
        free_task(&t);
    }
    CU_ASSERT_TRUE(short_ones > 200);
}

/* An answer with one lightpath a slot lower, or of another width, or a bound one higher, does not pass the checker. */
static void spoilt_answers_are_refused(void)
{
    int clashes = 0, bounds = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        static struct task t;
        char path[] = "/tmp/rwa-spoilt-XXXXXX", text[1 << 13] = "";
        rwa_check_report c;
        make_task(&t, seed + 9000, 6);
        rwa_assignment *r = solve(&t, "exact", RWA_FEWEST_WAVELENGTHS, 0);
        const rwa_assignment_report *s = rwa_assignment_summary(r);
        int fd = mkstemp(path);
        OK(rwa_assignment_write(r, path, NULL));
        FILE *in = fdopen(fd, "r");
        in = freopen(path, "r", in);
        CU_ASSERT_PTR_NOT_NULL_FATAL(in);
        text[fread(text, 1, sizeof text - 1, in)] = 0;
        fclose(in);
        OK(report_file(&c, path, NULL, NULL));
        CU_ASSERT_TRUE(c.ok);
        char *value = strstr(text, "\"value\":");
        if (value && s->bound.kind == RWA_WITNESS_LENGTHS) {
            char spoilt[1 << 13];
            snprintf(spoilt, sizeof spoilt, "%.*s\"value\":%llu%s", (int)(value - text), text,
                     (unsigned long long)s->bound.value + 1, value + 8 + strspn(value + 8, "0123456789"));
            FILE *to = fopen(path, "w");
            fputs(spoilt, to);
            fclose(to);
            OK(report_file(&c, path, NULL, NULL));
            CU_ASSERT_TRUE(!c.ok && c.bound_verdict == RWA_FAIL);
            bounds++;
        }
        for (uint64_t i = 0; i < rwa_assignment_count(r); i++) {
            rwa_assignment *other = NULL;
            bool all = true;
            OK(rwa_assignment_create(&other, t.net, t.demands, t.model, NULL));
            for (uint64_t k = 0; k < rwa_assignment_count(r); k++) {
                rwa_route route;
                rwa_assignment_get(&route, r, k);
                all = all && route.hops > 0;
                uint32_t width = rwa_assignment_width(r, k);
                rwa_assignment_add_wide(other, &route, k == i && width > 1 ? width - 1 : width, t.guard, NULL);
            }
            OK(report_assignment(&c, other, NULL, NULL));
            if (all)
                CU_ASSERT_EQUAL(c.ok, t.width[i] == 1);
            clashes += !c.ok;
            rwa_assignment_free(other);
        }
        remove(path);
        rwa_assignment_free(r);
        free_task(&t);
    }
    CU_ASSERT_TRUE(clashes > 100 && bounds > 100);
}

/* Widths all w are an assignment of one slot w times: no more than w times the wavelengths, and the cut w times as
   many. */
static void equal_widths_scale_known_optima(void)
{
    static const struct {
        const char *spec;
        uint32_t wavelengths;
    } known[] = {{"nsfnet14-21", 13}, {"abilene12-15", 0}};
    for (uint32_t width = 1; width <= 4; width++)
        for (uint32_t guard = 0; guard <= 1; guard++) {
            rwa_network *net = NULL;
            rwa_demands *plain = NULL, *wide = NULL;
            rwa_assignment *r = NULL;
            rwa_assignment_options o;
            uint32_t widths[91];
            for (size_t i = 0; i < 91; i++)
                widths[i] = width;
            OK(rwa_network_open(&net, known[0].spec, NULL, NULL));
            OK(rwa_demands_all_to_all(&plain, 14, RWA_UNDIRECTED, NULL));
            OK(rwa_demands_with_widths(&wide, plain, widths, NULL));
            rwa_assignment_options_init(&o);
            o.guard = guard;
            OK(rwa_assignment_make(&r, net, wide, &o, NULL));
            const rwa_assignment_report *s = rwa_assignment_summary(r);
            CU_ASSERT_EQUAL(s->wavelengths, known[0].wavelengths * (width + guard));
            CU_ASSERT_EQUAL(s->outcome, RWA_OPTIMAL);
            CU_ASSERT_TRUE(s->check->ok && s->check->bound_verdict == RWA_PASS);
            rwa_assignment_free(r);
            rwa_demands_free(plain);
            rwa_demands_free(wide);
            rwa_network_free(net);
        }
}

/** A quarter of a million lightpaths of 4 slots from node 0 to node 3 over two routes of 99 slots: 24 on each fit, and
 *  the time that all would take on slots enough is not spent. */
static void few_slots_for_many_keep_the_time(void)
{
    static const rwa_demand demand = {0, 3, 1 << 18, RWA_NONE};
    static const uint32_t width = 4;
    rwa_network *net = NULL;
    rwa_demands *plain = NULL, *wide = NULL;
    rwa_assignment *r = NULL;
    rwa_assignment_options o;
    OK(rwa_network_open(&net, "mesh:2x2", NULL, NULL));
    OK(rwa_demands_create(&plain, 4, &demand, 1, NULL));
    OK(rwa_demands_with_widths(&wide, plain, &width, NULL));
    rwa_assignment_options_init(&o);
    o.wavelengths = 99;
    o.time_limit_s = 0.5;
    clock_t begun = clock();
    OK(rwa_assignment_make(&r, net, wide, &o, NULL));
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    const rwa_assignment_report *s = rwa_assignment_summary(r);
    CU_ASSERT_TRUE(s->routed > 0 && s->routed <= 48 && s->check->ok);
    CU_ASSERT_TRUE(seconds < 5);
    printf(" %llu served in %.2f s ", (unsigned long long)s->routed, seconds);
    rwa_assignment_free(r);
    rwa_demands_free(wide);
    rwa_demands_free(plain);
    rwa_network_free(net);
}

static void bad_options_are_told(void)
{
    static struct task t;
    rwa_assignment_options o;
    rwa_assignment *r = NULL;
    static const char *const narrow[] = {"most-used", "least-used", "dsatur", "largest-degree-first"};
    make_task(&t, 4711, DEMANDS);
    rwa_assignment_options_init(&o);
    o.guard = 1;
    for (size_t i = 0; i < 4; i++) {
        rwa_error err = {0};
        o.solver = narrow[i];
        CU_ASSERT_EQUAL(rwa_assignment_make(&r, t.net, t.demands, &o, &err), RWA_BADARG);
        says(err.text, narrow[i]);
    }
    o.solver = NULL;
    o.guard = RWA_CHANNELS_MAX + 1;
    CU_ASSERT_EQUAL(rwa_assignment_make(&r, t.net, t.demands, &o, NULL), RWA_BADARG);
    o.guard = 0;
    o.objective = RWA_MOST_TRAFFIC;
    CU_ASSERT_EQUAL(rwa_assignment_make(&r, t.net, t.demands, &o, NULL), RWA_BADARG);
    free_task(&t);
}

int main(void)
{
    return RUN_TESTS("assignment of several slots", all_solvers_agree_with_brute_force, the_most_is_served,
                     spoilt_answers_are_refused, equal_widths_scale_known_optima, few_slots_for_many_keep_the_time,
                     bad_options_are_told);
}
