/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Every exported function under failing memory.  A function that allocates is called with its first allocation failing,
 * then its second, and so on until it succeeds: RWA_NOMEM in words each time, nothing made, nothing lost.  A function
 * that does not is called with every allocation failing.  A function that is in tests/exports.txt and not in
 * every_export.h fails the test.
 */
#include "tests/support/failing.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { NAME = 80, EXPORTS_MAX = 1000 };

static const rwa_link triangle[] = {{0, 1, 10, 0}, {1, 2, 0, 2}, {2, 0, 2.5, 0}};
static const rwa_flow flows[] = {{0, 1, 1e6}, {1, 2, 5e5}, {5, 0, 7}};
static const rwa_task two_tasks[] = {{1, 2, 3}, {4, 5, 6}};
static const char *const names[] = {"A", "B"};
static const char *const three_names[] = {"A", NULL, "C"};
static const rwa_transfer hop[] = {{1, 4, 8, RWA_COPY, 0}};
static const rwa_span span = {80, 0};
static const rwa_carrier carrier = {193.1e12, 32e9, 0};
static const double hundred_km = 100;
static const uint32_t chain_path[] = {0, 1, 2};

/** The arguments of the calls, made before any memory fails. */
static struct world {
    rwa_network *ring, *torus, *mesh;
    rwa_collective seven, nine;     /* all-gather on ring:7, broadcast on torus:3x3 */
    rwa_plan *plan;
    const rwa_schedule *sched;
    rwa_settings *settings;         /* of its first step: none is kept */
    rwa_device *device;
    rwa_fiber_profile *fiber;
    rwa_modulations *modulations;
    rwa_transmission *transmission;
    rwa_demands *demands;
    rwa_assignment *assigned, *modulated;
    rwa_bounds *bounds;
    rwa_media_check *media;
    rwa_traffic *traffic, *placed_traffic;
    rwa_circuits *circuits, *placed_circuits;
    rwa_allocation *lightpaths;
    rwa_tasks *tasks;
    rwa_placement *placement;
    rwa_paper *paper;
    rwa_reader *reader;
    rwa_playbook *plays;            /* of the plan on ring:7 */
    rwa_schedule *pair;             /* between two nodes */
    rwa_state *state;               /* on the mesh, with one lightpath from corner to corner */
    rwa_network_options graph;
    rwa_assignment_options assign;
    rwa_state_options keeping;
    rwa_request request;
    rwa_check_options checking;
    rwa_cost_options cost;
    rwa_export_options exporting;
    rwa_paper_options reproducing;
    rwa_placement_options placing;
    rwa_plan_options planning;
    rwa_allocation_options ringing;
    rwa_solver_options solving;
    rwa_view_options viewing;
    char folder[32], output[64], output_gz[64], schedule_file[64], assignment_file[64], network_file[64],
        demands_file[64], openconfig_file[64], traffic_file[64], tasks_file[64], table_file[64], plays_folder[64];
    /* where the calls leave their answers */
    rwa_blocking blocking;
    rwa_bound bound;
    double seconds, begin_s[64], end_s[64];
    uint32_t epoch[64];
    rwa_hold hold[4096];
    rwa_position position;
    rwa_check_report check;
    rwa_comparison comparison;
    rwa_cost_prices floor;
    rwa_error error;
    rwa_faults faults;
    rwa_iteration iteration;
    rwa_run run;
    rwa_lightpath light, lights[2], turning;
    rwa_lists lists;
    rwa_placed placed, tried;
    rwa_power power[2];
    rwa_gsnr gsnr;
    rwa_modulation modulation;
    rwa_modulation_choice choice;
    rwa_route route;
    const rwa_reserved *reserved;
    const uint32_t *numbers;
    uint32_t links[2];
} w;

/* ---- calls that need more than one line ---- */

/** So that every call writes a new file. */
static const char *fresh(const char *path)
{
    unlink(path);
    return path;
}

/** Of two nodes: either failure leaves one, and nothing to write but the plan. */
static rwa_status make_short_playbook(rwa_error *err)
{
    char folder[64], file[96];
    snprintf(folder, sizeof folder, "%.50s/pair", w.folder);
    rwa_status st = rwa_playbook_make(folder, w.pair, RWA_FAILED_NODE, NULL, err);
    snprintf(file, sizeof file, "%s/plan.jsonl", folder);
    unlink(file);
    snprintf(file, sizeof file, "%s/playbook.json", folder);
    unlink(file);
    rmdir(folder);
    return st;
}

static rwa_status reach(rwa_error *err)
{
    rwa_error_clear(err);
    return rwa_device_reach(w.device, RWA_POWER_RINGS, 64, 64) > 0 ? RWA_OK : RWA_NOMEM;
}

/** Without memory the answer is no, and no reason is given. */
static rwa_status ask_whether(int yes, rwa_error *err)
{
    rwa_error_clear(err);
    if (!yes)
        *err = (rwa_error){RWA_NOMEM, "no"};
    return yes ? RWA_OK : RWA_NOMEM;
}

/** On a state of its own. */
static rwa_status with_state(rwa_status (*work)(rwa_state *state, rwa_error *err), rwa_error *err)
{
    rwa_state *state = NULL;
    rwa_status st = rwa_state_create(&state, w.mesh, &w.keeping, err);
    THEN(work(state, err));
    rwa_state_free(state);
    return st;
}

static rwa_status add_twice(rwa_state *state, rwa_error *err)
{
    rwa_status st = rwa_state_add(&w.tried, state, &w.request, err);
    return st == RWA_OK ? rwa_state_add(&w.tried, state, &w.request, err) : st;
}

static rwa_status add_and_move(rwa_state *state, rwa_error *err)
{
    rwa_request request = w.request;
    request.policy = RWA_POLICY_LAST_FIT;
    rwa_status st = rwa_state_add(&w.tried, state, &w.request, err);
    return st == RWA_OK ? rwa_state_move(&w.tried, state, w.tried.id, &request, err) : st;
}

static rwa_status fail_and_add(rwa_state *state, rwa_error *err)
{
    rwa_status st = rwa_state_fail(state, RWA_FAILURE_LINK, w.placed.links[0], err);
    return st == RWA_OK ? rwa_state_add(&w.tried, state, &w.request, err) : st;
}

/** Why a second lightpath does not fit on the channel of the first. */
static rwa_status ask_why(rwa_state *state, rwa_error *err)
{
    rwa_request request = w.request;
    rwa_obstacle why;
    request.wavelength = 0;
    rwa_status st = rwa_state_add(&w.tried, state, &request, err);
    return st == RWA_OK ? rwa_state_explain(&why, state, &request, err) : st;
}

static rwa_status import_all(rwa_state *state, rwa_error *err)
{
    return rwa_state_import(state, w.assigned, err);
}

static rwa_status read_all_in(rwa_state *state, rwa_error *err)
{
    return rwa_state_read(state, w.assignment_file, err);
}

static rwa_status hold_step(rwa_error *err)
{
    rwa_state *state = NULL;
    rwa_status st = rwa_state_create(&state, w.ring, NULL, err);
    THEN(rwa_state_hold(state, w.sched, 1, "plan:1", err));
    rwa_state_free(state);
    return st;
}

/** On an assignment of its own. */
static rwa_status with_assignment(rwa_status (*work)(rwa_assignment *result, rwa_error *err), rwa_error *err)
{
    rwa_assignment *result = NULL;
    rwa_status st = rwa_assignment_create(&result, w.mesh, w.demands, RWA_DIRECTED, err);
    THEN(work(result, err));
    rwa_assignment_free(result);
    return st;
}

static rwa_status add_route(rwa_assignment *result, rwa_error *err)
{
    uint32_t link = rwa_network_find_link(w.mesh, 0, 1);
    rwa_route route = {.hops = 1, .links = &link}, none = {.demand = 1, .why = "far"};
    rwa_status st = rwa_assignment_add(result, &route, err);
    THEN(rwa_assignment_add(result, &none, err));
    return st;
}

static rwa_status add_wide_route(rwa_assignment *result, rwa_error *err)
{
    uint32_t link = rwa_network_find_link(w.mesh, 0, 1);
    return rwa_assignment_add_wide(result, &(rwa_route){.hops = 1, .links = &link}, 2, 1, err);
}

static rwa_status name_modulation(rwa_assignment *result, rwa_error *err)
{
    rwa_status st = rwa_assignment_add(result, &(rwa_route){.why = "far"}, err);
    THEN(rwa_assignment_set_modulation(result, 0, "16QAM", err));
    return st;
}

/** On a schedule of its own, of a ring or a torus. */
static rwa_status with_schedule(rwa_status (*work)(rwa_schedule *sched, rwa_error *err), bool torus, rwa_error *err)
{
    rwa_schedule *sched = NULL;
    rwa_status st = rwa_schedule_create(&sched, torus ? w.torus : w.ring, torus ? &w.nine : &w.seven, "x", err);
    THEN(work(sched, err));
    rwa_schedule_free(sched);
    return st;
}

static rwa_status add_light(rwa_schedule *sched, rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (uint32_t i = 0; i < 600; i++)
        THEN(rwa_schedule_add(
            sched, &(rwa_lightpath){.step = i + 1, .src = i % 7, .dst = (i + 1) % 7, .orbit = 1 + i % 2, .period = 64},
            err));
    return st;
}

static rwa_status cut_epochs(rwa_schedule *sched, rwa_error *err)
{
    rwa_status st = add_light(sched, err);
    THEN(rwa_schedule_cut_epochs(sched, (uint32_t[]){2}, 1, err));
    return st;
}

static const rwa_lightpath straight = {.step = 1, .src = 0, .dst = 2, .orbit = 1};

static rwa_status add_lists(rwa_schedule *sched, rwa_error *err)
{
    rwa_lists lists = {.path = chain_path,
                       .path_nodes = 3,
                       .blocks = chain_path,
                       .block_count = 2,
                       .taps = chain_path + 1,
                       .tap_count = 1};
    return rwa_schedule_add_lists(sched, &straight, &lists, err);
}

static rwa_status add_path(rwa_schedule *sched, rwa_error *err)
{
    return rwa_schedule_add_path(sched, &straight, chain_path, 3, err);
}

static rwa_status read_all(rwa_error *err)
{
    rwa_reader *reader = NULL;
    rwa_lightpath light;
    int got = 1;
    rwa_status st = rwa_reader_open(&reader, w.schedule_file, NULL, err);
    while (st == RWA_OK && got)
        st = rwa_reader_next(&light, &got, reader, err);
    rwa_reader_free(reader);
    return st;
}

static rwa_status export_all(rwa_error *err)
{
    rwa_export_options opts = w.exporting;
    rwa_status st = RWA_OK;
    opts.step = 1;
    opts.node = 2;
    for (size_t i = 0; rwa_schedule_format_name(i) && st == RWA_OK; i++) {
        opts.step = strncmp(rwa_schedule_format_name(i), "msccl", 5) != 0; /* programs hold every step */
        st = rwa_schedule_export(w.sched, rwa_schedule_format_name(i), fresh(w.output), &opts, err);
        if (st == RWA_BADARG) { /* the format has no words for a ring */
            rwa_error_clear(err);
            st = RWA_OK;
        }
    }
    return st;
}

/** Arcs of a ring of four, and the same as lists of links. */
static rwa_status solve_all(rwa_error *err)
{
    static const uint32_t start[] = {0, 1, 2, 3, 0}, end[] = {2, 3, 0, 1, 1}, link[] = {0, 1, 1, 2, 2, 3, 3, 0, 0};
    static const uint64_t first[] = {0, 2, 4, 6, 8, 9};
    rwa_problem arcs = {.struct_size = sizeof arcs, .links = 4, .paths = 5, .start = start, .end = end},
                lists = {.struct_size = sizeof lists, .links = 4, .paths = 5, .first = first, .link = link};
    uint32_t colour[5];
    rwa_solver_result found;
    rwa_status st = RWA_OK;
    for (size_t i = 0; rwa_solver_name(i) && st == RWA_OK; i++) {
        st = rwa_solver_run(colour, &found, rwa_solver_name(i), &arcs, &w.solving, err);
        THEN(rwa_solver_run(colour, &found, rwa_solver_name(i), &lists, &w.solving, err));
    }
    return st;
}

static int never(void *data, const char *phase, double fraction)
{
    (void)data;
    (void)phase;
    (void)fraction;
    return 0;
}

/* ---- the table ---- */

struct call {
    const char *name;
    rwa_status (*work)(rwa_error *err);     /* NULL: holds says whether it is true, without memory */
    int (*holds)(void);
};

/* A pointer that is not NULL, to see that a failure makes it NULL. */
static int swallow(void *data, const char *bytes, size_t size)
{
    (void)data;
    return bytes && size > 0 ? 0 : 1;
}

#define NOTHING ((void *)&w)

typedef char rwa_text;
#define MAKES(name, type, ...)                          \
    static rwa_status work_##name(rwa_error *err)       \
    {                                                   \
        rwa_##type *out = NOTHING;                      \
        rwa_status st = name(&out, __VA_ARGS__, err);   \
        CU_ASSERT_TRUE(st == RWA_OK || !out);           \
        rwa_##type##_free(st == RWA_OK ? out : NULL);   \
        return st;                                      \
    }
#define WORKS(name, call)                               \
    static rwa_status work_##name(rwa_error *err)       \
    {                                                   \
        return (call);                                  \
    }
#define DOES(name, ...) WORKS(name, name(__VA_ARGS__, err))
#define HOLDS(name, truth)                              \
    static int work_##name(void)                        \
    {                                                   \
        return (truth) ? 1 : 0;                         \
    }
#define STILL(name, truth) HOLDS(name, name truth)
#define LACKS(name, ...) HOLDS(name, !name(__VA_ARGS__))
#define NAMED(name, text, ...) HOLDS(name, strcmp(name(__VA_ARGS__), text) == 0)
#define LISTS(name) HOLDS(name, name(0) && !name(1000))
#define FREES(name) HOLDS(name, (name(NULL), 1))
#define INITS(type)                                     \
    static int work_##type(void)                        \
    {                                                   \
        rwa_##type made;                                \
        rwa_##type##_init(&made);                       \
        return made.struct_size == sizeof made;         \
    }
#include "tests/api/every_export.h"
#undef MAKES
#undef WORKS
#undef DOES
#undef HOLDS
#undef STILL
#undef LACKS
#undef NAMED
#undef LISTS
#undef FREES
#undef INITS

static const struct call calls[] = {
#define WORKS(name, ...) {#name, work_##name, NULL},
#define MAKES WORKS
#define DOES WORKS
#define HOLDS(name, ...) {#name, NULL, work_##name},
#define STILL HOLDS
#define LACKS HOLDS
#define NAMED HOLDS
#define LISTS(name) HOLDS(name, )
#define FREES LISTS
#define INITS(type) {"rwa_" #type "_init_sized", NULL, work_##type},
#include "tests/api/every_export.h"
};
enum { CALLS = COUNT(calls) };

#include "tests/support/export_world.h"

/* ---- the tests ---- */

/** The record still holds the failure of an earlier call, which no call may report as its own. */
static rwa_status call_again(void *call)
{
    rwa_error err = {RWA_IO, "an earlier failure"};
    rwa_status st = ((const struct call *)call)->work(&err);
    if (err.status != st || (st != RWA_OK) != (err.text[0] != 0) || strcmp(err.text, "an earlier failure") == 0) {
        fprintf(stderr, "%s: %s is not told, but %s\n", ((const struct call *)call)->name, rwa_status_text(st),
                err.text);
        return RWA_BACKEND;
    }
    return st;
}

static void failing_memory_is_a_status(void)
{
    for (size_t i = 0; i < CALLS; i++) {
        struct call call = calls[i];
        unsigned before = CU_get_number_of_failure_records();
        if (call.work)
            expect_every_failure_told(call_again, &call, -1);
        if (CU_get_number_of_failure_records() > before)
            fprintf(stderr, "%s: see above\n", call.name);
    }
}

static void what_needs_no_memory_works_without(void)
{
    for (size_t i = 0; i < CALLS; i++) {
        int holds = 1;
        long allocated = 0;
        if (calls[i].holds)
            allocated = allocations_of(calls[i].holds, &holds);
        if (!holds || allocated > 0)
            fprintf(stderr, "%s: %s\n", calls[i].name,
                    holds ? "allocates: it belongs under MAKES or DOES" : "does not hold");
        CU_ASSERT_TRUE(holds);
        CU_ASSERT_EQUAL(allocated, 0);
    }
}

/** Calls that allocate nothing forget an earlier failure as well, whether they work or refuse. */
static void an_earlier_failure_is_forgotten(void)
{
    static const rwa_error earlier = {RWA_IO, "an earlier failure"};
    rwa_allocator none = {.struct_size = sizeof none};
    for (int i = 0; i < 6; i++) {
        rwa_error err = earlier;
        rwa_status st = i == 0   ? rwa_set_allocator(&none, &err)
                        : i == 1 ? rwa_state_release(w.state, RWA_NO_LIGHTPATH, &err)
                        : i == 2 ? rwa_state_repair(w.state, RWA_FAILURE_LINK, 0, &err)
                        : i == 3 ? rwa_state_rollback(w.state, 1, &err)
                        : i == 4 ? rwa_state_try(&w.tried, w.state, &w.request, &err)
                                 : rwa_state_undo(w.state, 99, &err);
        CU_ASSERT_EQUAL(err.status, st);
        CU_ASSERT_EQUAL(err.text[0] == '\0', st == RWA_OK);
        CU_ASSERT_NOT_EQUAL(strcmp(err.text, earlier.text), 0);
    }
}

/** Both lists are sorted: they are the same line by line. */
static void every_export_is_called(void)
{
    char name[NAME];
    FILE *list = fopen(RWA_TEST_DATA "/exports.txt", "r");
    size_t i = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(list);
    while (fscanf(list, "%79s", name) == 1) {
        for (; i < CALLS && strcmp(calls[i].name, name) < 0; i++) {
            CU_FAIL("a call of what is not exported");
            fprintf(stderr, "%s stands in every_export.h and not, in this place, in exports.txt\n", calls[i].name);
        }
        if (i == CALLS || strcmp(calls[i].name, name) != 0) {
            CU_FAIL("an export that is not called");
            fprintf(stderr, "%s is exported: it needs a line in tests/api/every_export.h, sorted\n", name);
        } else {
            i++;
        }
    }
    CU_ASSERT_EQUAL(i, CALLS);
    fclose(list);
}

TESTS("every export", make_world, every_export_is_called, what_needs_no_memory_works_without,
      failing_memory_is_a_status, an_earlier_failure_is_forgotten, free_world)
