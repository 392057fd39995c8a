/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Threads that plan, check, assign, place and read on the same networks, profiles and schedules at the same time come
 * to what one thread comes to.  `make check-tsan` runs this under the thread sanitizer.
 */
#include "tests/support/assigning.h"
#include "tests/support/files.h"
#include "tests/support/report.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 2 };

/** Data that all threads read and none writes. */
static struct {
    rwa_network *ring, *torus, *graph;
    rwa_collective gather, nine;
    rwa_device *device;
    rwa_demands *demands;
    rwa_traffic *traffic;
    rwa_plan *plan;
    struct file graphml;
} shared;

/** The results of a round; no pointers, so that two can be compared. */
struct found {
    rwa_status status;
    uint64_t steps[3], lightpaths[3], violations, wavelengths, polls_cancelled, nodes, bound;
    double seconds, load, ring_load;
    size_t svg, placed;
};

struct poll {
    unsigned calls, stop_after;     /* stop_after 0: never */
};

static int count_polls(void *data, const char *phase, double fraction)
{
    struct poll *poll = data;
    (void)fraction;
    return phase != NULL && ++poll->calls == poll->stop_after;
}

static void note(struct found *f, rwa_status st)
{
    if (f->status == RWA_OK)
        f->status = st;
}

static void plan(struct found *f, int i, const char *scheme, const rwa_network *net, const rwa_collective *coll)
{
    struct poll poll = {0, 0};
    rwa_plan_options opts;
    rwa_plan *made = NULL;
    rwa_plan_options_init(&opts);
    opts.scheme = scheme;
    opts.poll = count_polls;
    opts.poll_data = &poll;
    opts.device = net == shared.ring ? shared.device : NULL;
    note(f, rwa_plan_make(&made, net, coll, &opts, NULL));
    if (made) {
        f->steps[i] = rwa_plan_summary(made)->steps;
        f->lightpaths[i] = rwa_plan_summary(made)->lightpaths;
    }
    rwa_plan_free(made);
}

/** Stopped at its first question, planning says so and leaves nothing. */
static void cancel(struct found *f)
{
    struct poll poll = {0, 1};
    rwa_plan_options opts;
    rwa_plan *made = NULL;
    rwa_plan_options_init(&opts);
    opts.scheme = "optree";
    opts.poll = count_polls;
    opts.poll_data = &poll;
    if (rwa_plan_make(&made, shared.ring, &shared.gather, &opts, NULL) == RWA_CANCELLED && !made)
        f->polls_cancelled++;
    rwa_plan_free(made);
}

static void judge(struct found *f)
{
    rwa_check_report check;
    rwa_check_options opts;
    rwa_bound bound;
    char *svg = NULL;
    rwa_check_options_init(&opts);
    opts.device = shared.device;
    note(f, report_schedule(&check, rwa_plan_schedule(shared.plan), &opts, NULL));
    note(f, rwa_cost_schedule(&f->seconds, rwa_plan_schedule(shared.plan), NULL, NULL));
    note(f, rwa_bound_best(&bound, shared.torus, &shared.nine, NULL, NULL));
    note(f, rwa_view_svg(&svg, rwa_plan_schedule(shared.plan), NULL, NULL));
    f->violations = check.violations;
    f->bound = bound.value;
    f->svg = svg ? strlen(svg) : 0;
    rwa_text_free(svg);
}

static void assign(struct found *f)
{
    rwa_assignment_options opts;
    rwa_assignment *result = NULL;
    rwa_network *read = NULL;
    rwa_assignment_options_init(&opts);
    opts.solver = "first-fit";
    note(f, rwa_assignment_make(&result, shared.graph, shared.demands, &opts, NULL));
    f->wavelengths = result ? rwa_assignment_summary(result)->wavelengths : 0;
    rwa_assignment_free(result);
    note(f, rwa_network_read(&read, shared.graphml.path, NULL, NULL)); /* through igraph, which knows no threads */
    f->nodes = read ? rwa_network_nodes(read) : 0;
    rwa_network_free(read);
}

/** By integer programs: GLPK keeps an environment for each thread. */
static void place(struct found *f)
{
    rwa_circuits_options opts;
    rwa_circuits *circuits = NULL;
    rwa_allocation_options ro;
    rwa_allocation *ring = NULL;
    rwa_circuits_options_init(&opts);
    opts.method = RWA_CIRCUITS_ILP;
    note(f, rwa_circuits_make(&circuits, shared.traffic, 2, &opts, NULL));
    f->load = circuits ? rwa_circuits_summary(circuits)->load_bytes : 0;
    rwa_circuits_free(circuits);
    rwa_allocation_options_init(&ro);
    ro.method = RWA_RING_FLOW;
    note(f, rwa_allocation_make(&ring, shared.traffic, shared.ring, &ro, NULL));
    f->ring_load = ring ? rwa_allocation_summary(ring)->load_bytes : 0;
    rwa_allocation_free(ring);
}

/** A state of its own on the shared network. */
static void fill_state(struct found *f)
{
    rwa_state *state = NULL;
    rwa_placed placed;
    rwa_request request;
    note(f, rwa_state_create(&state, shared.graph, NULL, NULL));
    for (uint32_t i = 0; state && i < 40; i++) {
        rwa_request_init(&request, i % 14, (i * 5 + 1) % 14);
        if (request.src != request.dst && rwa_state_add(&placed, state, &request, NULL) == RWA_OK && placed.hops > 0)
            f->placed++;
    }
    rwa_state_free(state);
}

static struct found one_round(void)
{
    struct found f;
    memset(&f, 0, sizeof f);
    plan(&f, 0, "optree", shared.ring, &shared.gather);
    plan(&f, 1, "wavefront", shared.ring, &shared.gather);
    plan(&f, 2, "auto", shared.torus, &shared.nine);
    cancel(&f);
    judge(&f);
    assign(&f);
    place(&f);
    fill_state(&f);
    return f;
}

static void *work(void *data)
{
    struct found *found = data;
    for (int i = 0; i < ROUNDS; i++)
        found[i] = one_round();
    return NULL;
}

static void make_shared(void)
{
    static const rwa_flow flows[] = {{0, 1, 1e6}, {1, 2, 5e5}, {5, 0, 7}, {3, 9, 1e5}};
    static const char graphml[] =
        "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>"
        "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"c\"/></graph></graphml>";
    shared.graphml = file_make("n.graphml", graphml, strlen(graphml));
    struct request gather = request_of("ring:12 bytes=1000"), nine = request_of("torus:3x3 bytes=1000"),
                   graph = request_of("nsfnet14-21 undirected");
    shared.ring = request_network(gather);
    shared.torus = request_network(nine);
    shared.graph = request_network(graph);
    shared.gather = request_collective(&gather, shared.ring);
    shared.nine = request_collective(&nine, shared.torus);
    shared.device = device_named("synthetic-64");
    shared.demands = request_demands(&graph, shared.graph);
    OK(rwa_traffic_create(&shared.traffic, 12, flows, 4, NULL));
    shared.plan = plan_for(gather);
}

static void free_shared(void)
{
    rwa_traffic_free(shared.traffic);
    file_drop(&shared.graphml);
}

static void threads_come_to_what_one_comes_to(void)
{
    static struct found found[THREADS][ROUNDS];
    pthread_t threads[THREADS];
    make_shared();
    struct found alone = one_round();
    OK(alone.status);
    CU_ASSERT_EQUAL(alone.violations, 0);
    CU_ASSERT_EQUAL(alone.polls_cancelled, 1);
    CU_ASSERT_EQUAL(alone.nodes, 3);
    CU_ASSERT_TRUE(alone.wavelengths >= 13 && alone.placed > 0 && alone.svg > 0 && alone.load > 0 &&
                   alone.ring_load > 0);
    for (int t = 0; t < THREADS; t++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[t], NULL, work, found[t]), 0);
    for (int t = 0; t < THREADS; t++)
        CU_ASSERT_EQUAL_FATAL(pthread_join(threads[t], NULL), 0);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < ROUNDS; i++)
            CU_ASSERT_EQUAL(memcmp(&found[t][i], &alone, sizeof alone), 0);
    free_shared();
}

TESTS("threads", threads_come_to_what_one_comes_to)
