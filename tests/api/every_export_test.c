/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Every exported function that can fail, under failing memory and without one of its pointers.  Its first allocation
 * fails, then its second, and so on until it succeeds: RWA_NOMEM in words each time, nothing made, nothing lost.  NULL
 * where it needs a pointer is RWA_BADARG, and the text names the function and the parameter.
 */
#include "tests/support/assigning.h"
#include "tests/support/failing.h"
#include "tests/support/fibers.h"
#include "tests/support/placing.h"
#include "tests/support/states.h"

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

/** The pointer of a call that is NULL, by number; negative: none is. */
static int missing = -1;
#define P(...) (is_missing() ? NULL : (__VA_ARGS__))

static bool is_missing(void)
{
    return missing-- == 0;
}

/** The arguments of the calls, made before any memory fails. */
static struct world {
    rwa_network *ring, *torus, *mesh;
    rwa_collective seven, nine;     /* all-gather on ring:7, broadcast on torus:3x3 */
    rwa_plan *plan;
    const rwa_schedule *sched;
    rwa_device *device;
    rwa_fiber_profile *fiber;
    rwa_modulations *modulations;
    rwa_transmission *transmission;
    rwa_demands *demands;
    rwa_assignment *assigned, *modulated;
    rwa_traffic *traffic, *placed_traffic;
    rwa_circuits *placed_circuits;
    rwa_tasks *tasks;
    rwa_placement *placement;
    rwa_playbook *plays;            /* of the plan on ring:7 */
    const rwa_schedule *pair;       /* between two nodes */
    rwa_state *state;               /* on the mesh, with one lightpath from corner to corner */
    rwa_network_options graph;
    rwa_assignment_options assign;
    rwa_state_options keeping;
    rwa_request request, occupied, elsewhere, backed;
    rwa_check_options checking;
    rwa_cost_options cost;
    rwa_export_options exporting;
    rwa_paper_options reproducing;
    rwa_placement_options placing;
    rwa_plan_options planning;      /* by optree */
    rwa_blocking_options simulating;
    rwa_allocation_options ringing;
    rwa_circuits_options wiring;
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
    rwa_collective made;
    rwa_comparison comparison;
    rwa_defragmentation moved;
    rwa_obstacle why;
    rwa_restoration restored;
    rwa_cost_prices floor;
    rwa_error error;
    rwa_iteration iteration;
    rwa_lightpath lights[2];
    rwa_lists lists;
    rwa_placed placed, tried;
    uint32_t links[2];              /* of placed */
    rwa_power power[2];
    rwa_gsnr gsnr;
    rwa_modulation_choice choice;
} w;

/* A pointer that is not NULL, to see that a failure makes it NULL. */
#define NOTHING ((void *)&w)

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
    rwa_status st = rwa_playbook_make(P(folder), P(w.pair), RWA_PLAY_NODE, NULL, err);
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

/** With a lightpath on the highest wavelength. */
static rwa_status begin_state(rwa_state **out, rwa_error *err)
{
    rwa_status st = rwa_state_create(out, w.mesh, &w.keeping, err);
    THEN(rwa_state_add(&w.tried, *out, &w.elsewhere, err));
    return st;
}

/** Demand 0 is not served. */
static rwa_status begin_assignment(rwa_assignment **out, rwa_error *err)
{
    rwa_status st = rwa_assignment_create(out, w.mesh, w.demands, RWA_DIRECTED, err);
    THEN(rwa_assignment_add(*out, &(rwa_route){.why = "far"}, err));
    return st;
}

static const rwa_lightpath early = {.step = 1, .src = 0, .dst = 2, .orbit = 1},
                           late = {.step = 2, .src = 0, .dst = 2, .orbit = 1};

static rwa_status begin_schedule(rwa_schedule **out, rwa_error *err)
{
    rwa_status st = rwa_schedule_create(out, w.torus, &w.nine, "x", err);
    THEN(rwa_schedule_add_path(*out, &early, chain_path, 3, err));
    THEN(rwa_schedule_add_path(*out, &late, chain_path, 3, err));
    return st;
}

static rwa_status hold_step(rwa_error *err)
{
    rwa_state *state = NULL;
    rwa_status st = rwa_state_create(&state, w.ring, NULL, err);
    THEN(rwa_state_hold(P(state), P(w.sched), 1, P("plan:1"), err));
    rwa_state_free(state);
    return st;
}

/** Many records, whose list grows several times. */
static rwa_status add_many(rwa_error *err)
{
    rwa_schedule *sched = NULL;
    rwa_status st = rwa_schedule_create(&sched, w.ring, &w.seven, "x", err);
    for (uint32_t i = 0; i < 600; i++) {
        rwa_lightpath lp = {.step = i + 1, .src = i % 7, .dst = (i + 1) % 7, .orbit = 1 + i % 2, .period = 64};
        THEN(rwa_schedule_add(P(sched), P(&lp), err));
    }
    rwa_schedule_free(sched);
    return st;
}

static rwa_status read_all(rwa_error *err)
{
    rwa_reader *reader = NULL;
    rwa_lightpath light;
    int got = 1;
    rwa_status st = rwa_reader_open(&reader, w.schedule_file, NULL, err);
    while (st == RWA_OK && got)
        st = rwa_reader_next(P(&light), P(&got), P(reader), err);
    rwa_reader_free(reader);
    return st;
}

static rwa_status check_files(rwa_error *err)
{
    rwa_check *check = NOTHING, **at = P(&check);
    rwa_status st = rwa_check_file(at, P(w.schedule_file), &w.checking, err);
    rwa_check_free(st == RWA_OK ? check : NULL);
    THEN(rwa_check_file(&check, w.assignment_file, NULL, err));
    CU_ASSERT_TRUE(st == RWA_OK || !check || !at);
    rwa_check_free(st == RWA_OK ? check : NULL);
    return st;
}

static rwa_status export_all(rwa_error *err)
{
    rwa_export_options opts = w.exporting;
    rwa_status st = rwa_schedule_export(P(w.sched), P("csv"), P(fresh(w.output)), &opts, err);
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
        st = rwa_solver_run(P(colour), P(&found), rwa_solver_name(i), P(&arcs), &w.solving, err);
        THEN(rwa_solver_run(colour, &found, rwa_solver_name(i), &lists, &w.solving, err));
    }
    return st;
}

/* ---- the table ---- */

struct call {
    const char *name;
    rwa_status (*work)(rwa_error *err);
};

static int swallow(void *data, const char *bytes, size_t size)
{
    (void)data;
    return bytes && size > 0 ? 0 : 1;
}

typedef char rwa_text;
#define MAKES(name, type, ...)                              \
    static rwa_status work_##name(rwa_error *err)           \
    {                                                       \
        rwa_##type *out = NOTHING, **at = P(&out);          \
        rwa_status st = name(at, __VA_ARGS__, err);         \
        CU_ASSERT_TRUE(st == RWA_OK || !out || !at);        \
        rwa_##type##_free(st == RWA_OK ? out : NULL);       \
        return st;                                          \
    }
#define WORKS(name, call)                                   \
    static rwa_status work_##name(rwa_error *err)           \
    {                                                       \
        return (call);                                      \
    }
#define DOES(name, ...) WORKS(name, name(__VA_ARGS__, err))
#define ON(name, type, ...)                                 \
    static rwa_status work_##name(rwa_error *err)           \
    {                                                       \
        rwa_##type *it = NULL;                              \
        rwa_status st = begin_##type(&it, err);             \
        THEN(name(__VA_ARGS__, err));                       \
        rwa_##type##_free(it);                              \
        return st;                                          \
    }
#include "tests/api/every_export.h"
#undef MAKES
#undef WORKS
#undef DOES
#undef ON

static const struct call calls[] = {
#define WORKS(name, ...) {#name, work_##name},
#define MAKES WORKS
#define DOES WORKS
#define ON WORKS
#include "tests/api/every_export.h"
};
enum { CALLS = COUNT(calls), POINTERS_MOST = 4 };

/* ---- the world ---- */

static void put(char *path, const char *name, const char *text)
{
    snprintf(path, 64, "%s/%s", w.folder, name);
    if (text)
        OK(rwa_text_write(text, path, NULL));
}

static void make_files(void)
{
    strcpy(w.folder, "/tmp/rwa-api-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(w.folder));
    put(w.output, "output", NULL);
    put(w.output_gz, "output.gz", NULL);
    put(w.schedule_file, "schedule.jsonl.gz", NULL);
    put(w.assignment_file, "assignment.jsonl", NULL);
    put(w.openconfig_file, "openconfig.json", NULL);
    put(w.table_file, "table.csv", NULL);
    put(w.network_file, "network.json", "{\"nodes\":[\"A\",\"B\",\"C\"],\"links\":[[0,1,10],[1,2],[2,0]]}");
    put(w.demands_file, "demands.csv", "src,dst,count\n0,1,2\n2,3\n");
    put(w.traffic_file, "traffic.json", "{\"nodes\":3,\"flows\":[[0,1,1e6],[1,2,5e5]]}");
    put(w.tasks_file, "tasks.json",
        "{\"tasks\":[{\"name\":\"A\",\"duration\":4,\"gradient\":8},{\"duration\":1},{\"name\":\"C\",\"duration\":3},"
        "{\"name\":\"D\",\"duration\":2}],\"edges\":[[\"A\",1,8],[1,\"C\",8],[\"A\",\"D\",3],[\"C\",\"D\",8]]}");
}

static void set_options(void)
{
    rwa_network_options_init(&w.graph);
    w.graph.both_ways = 1;
    w.graph.node_names = three_names;
    rwa_assignment_options_init(&w.assign);
    rwa_check_options_init(&w.checking);
    w.checking.device = w.device;
    rwa_cost_options_init(&w.cost);
    w.cost.model = RWA_COST_CIRCUIT;
    w.exporting = exporting(w.device);
    rwa_paper_options_init(&w.reproducing);
    w.reproducing.schedules = 0;
    w.reproducing.item = "table-1";
    w.planning = request_of("ring:7").options;
    w.planning.scheme = "optree";
    rwa_placement_options_init(&w.placing);
    w.placing.devices = 4;
    rwa_allocation_options_init(&w.ringing);
    w.ringing.method = RWA_RING_ILP;
    rwa_circuits_options_init(&w.wiring);
    w.wiring.method = RWA_CIRCUITS_ILP;
    rwa_solver_options_init(&w.solving);
    rwa_view_options_init(&w.viewing);
    w.viewing.device = w.device;
    w.lights[0] = (rwa_lightpath){.step = 1, .src = 0, .dst = 3, .orbit = 1};
    w.lights[1] = (rwa_lightpath){.step = 1, .src = 3, .dst = 5, .orbit = 1};
}

static void make_playbooks(void)
{
    w.pair = schedule_on("line:2 broadcast");
    snprintf(w.plays_folder, sizeof w.plays_folder, "%.50s/plays", w.folder);
    OK(rwa_playbook_make(w.plays_folder, w.sched, RWA_PLAY_LINK, NULL, NULL));
    OK(rwa_playbook_read(&w.plays, w.plays_folder, NULL, NULL));
}

static void make_plans(void)
{
    w.ring = network_on("ring:7");
    w.torus = network_on("torus:3x3");
    w.mesh = network_on("mesh:2x2");
    OK(rwa_collective_init(&w.nine, RWA_BROADCAST, 9, 4, 1000, 2, NULL));
    w.plan = plan_on("ring:7 bytes=1000 by optree");
    w.sched = rwa_plan_schedule(w.plan);
    w.seven = *rwa_schedule_collective(w.sched);
    make_playbooks();
    OK(rwa_schedule_write(w.sched, w.schedule_file, NULL));
    OK(rwa_schedule_export(w.sched, "csv", w.table_file, NULL, NULL));
    rwa_export_options one = w.exporting;
    one.step = 1;
    one.node = 1;
    OK(rwa_schedule_export(w.sched, "openconfig", w.openconfig_file, &one, NULL));
}

/** One lightpath over 80 km, with its format. */
static void make_modulated(void)
{
    rwa_route route = {.hops = 1, .links = &(uint32_t){0}};
    w.modulated = unassigned_on("links:0>1@80 pairs=0>1 directed");
    OK(rwa_assignment_add(w.modulated, &route, NULL));
    OK(rwa_assignment_set_modulation(w.modulated, 0, "QPSK-32", NULL));
}

static void make_world(void)
{
    make_files();
    w.device = device_named("synthetic-64");
    w.fiber = builtin_profile("ssmf");
    w.modulations = builtin_modulations("coherent");
    w.transmission = builtin_transmission("coherent", "ssmf");
    make_modulated();
    set_options();
    make_plans();
    OK(rwa_demands_all_to_all(&w.demands, 4, RWA_DIRECTED, NULL));
    w.assign.model = RWA_DIRECTED;
    w.assign.wavelengths = 1;       /* some demands are not served, and say why */
    w.assigned = assign_demands(w.mesh, keep_demands(w.demands), &w.assign);
    OK(rwa_assignment_write(w.assigned, w.assignment_file, NULL));
    rwa_state_options_init(&w.keeping);
    w.keeping.history = 4;
    rwa_request_init(&w.request, 0, 3);
    w.occupied = w.elsewhere = w.backed = w.request;
    w.occupied.wavelength = 63;
    w.elsewhere.policy = RWA_POLICY_LAST_FIT;
    w.elsewhere.tag = "tag";
    w.backed.routing = RWA_ROUTING_ALTERNATE;
    w.backed.protection = RWA_PROTECTION_DEDICATED;
    rwa_blocking_options_init(&w.simulating);
    w.simulating.state = w.keeping;
    w.simulating.batches = 2;
    w.simulating.requests = 20;
    w.simulating.protection = RWA_PROTECTION_SHARED;
    w.state = state_of(w.mesh, RWA_DIRECTED, 0);
    OK(rwa_state_add(&w.placed, w.state, &w.request, NULL));
    memcpy(w.links, w.placed.links, sizeof w.links);
    w.traffic = traffic_of(7, flows, 3);
    OK(rwa_tasks_read(&w.tasks, w.tasks_file, NULL));
    OK(rwa_placement_make(&w.placement, w.tasks, &w.placing, NULL));
    OK(rwa_placement_traffic(&w.placed_traffic, w.placement, NULL));
    w.placed_circuits = circuits_of(keep_traffic(w.placed_traffic), 4, NULL);
}

static void free_world(void)
{
    char *const files[] = {w.output, w.output_gz, w.schedule_file, w.assignment_file, w.network_file, w.demands_file,
                           w.openconfig_file, w.traffic_file, w.tasks_file, w.table_file};
    rwa_playbook_free(w.plays);
    rwa_placement_free(w.placement);
    rwa_tasks_free(w.tasks);
    for (size_t i = 0; i < COUNT(files); i++)
        unlink(files[i]);
    char line[96];
    snprintf(line, sizeof line, "rm -rf %s", w.plays_folder);
    CU_ASSERT_EQUAL(system(line), 0);
    CU_ASSERT_EQUAL(rmdir(w.folder), 0); /* no call left a file of its own */
}

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
        expect_every_failure_told(call_again, &call, -1);
        if (CU_get_number_of_failure_records() > before)
            fprintf(stderr, "%s: see above\n", call.name);
    }
}

static void a_missing_pointer_is_named(void)
{
    for (size_t i = 0; i < CALLS; i++)
        for (int pointer = 0; pointer < POINTERS_MOST; pointer++) {
            const char *name = calls[i].name;
            rwa_error err = {RWA_IO, "an earlier failure"};
            missing = pointer;
            rwa_status st = calls[i].work(&err);
            if (missing >= 0) { /* it has fewer pointers */
                OK(st);
                break;
            }
            if (st != RWA_BADARG || strncmp(err.text, name, strlen(name)) != 0)
                fprintf(stderr, "%s, pointer %d: %s, %s\n", name, pointer, rwa_status_text(st), err.text);
            CU_ASSERT(st == RWA_BADARG && err.status == st && strncmp(err.text, name, strlen(name)) == 0);
            expect_part(err.text, " is NULL, expected a pointer");
            missing = pointer;
            CU_ASSERT_EQUAL(calls[i].work(NULL), RWA_BADARG); /* without a record too */
        }
    missing = -1;
}

/** The name is that of the parameter in the header, so that a program's author finds it; an array without entries may
 *  be NULL: a network of two nodes needs no links. */
static void the_text_names_the_parameter(void)
{
    rwa_error err = {0};
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    CU_ASSERT_EQUAL(rwa_network_create_graph(&net, 2, NULL, 1, NULL, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "rwa_network_create_graph(): links is NULL, expected a pointer");
    OK(rwa_network_create_graph(&net, 2, NULL, 0, NULL, &err));
    OK(rwa_demands_create(&demands, 2, NULL, 0, &err));
    rwa_demands_free(demands);
    rwa_network_free(net);
}

#define LISTS(name) CU_ASSERT(name(0) && !name(1000))

/** Of functions that no other test calls. */
static void answers_are_right(void)
{
    LISTS(rwa_assignment_format_name);
    LISTS(rwa_assignment_solver_summary);
    LISTS(rwa_import_format_name);
    LISTS(rwa_library_name);
    LISTS(rwa_library_version);
    LISTS(rwa_scheme_source);
    LISTS(rwa_scheme_summary);
    CU_ASSERT(!rwa_assignment_is_file("nowhere.jsonl") && !rwa_assignment_tag(w.assigned, 0));
    CU_ASSERT_EQUAL(rwa_collective_default_blocks(RWA_ALL_TO_ALL, 7), 49);
    CU_ASSERT(rwa_device_alpha_s(w.device) >= 0 && rwa_device_reconfig_s(w.device) > 0);
    CU_ASSERT(*rwa_device_description(w.device) && *rwa_outcome_text(RWA_OPTIMAL));
    CU_ASSERT(rwa_fiber_profile_margin_db(w.fiber) == 0);
    CU_ASSERT_STRING_EQUAL(rwa_model_name(RWA_DIRECTED), "directed");
    CU_ASSERT_STRING_EQUAL(rwa_remedy_name(RWA_REMEDY_MOVE), "move");
    CU_ASSERT_STRING_EQUAL(rwa_text_make_visible((char[]){"a\tb\x1b"}), "a?b?");
    CU_ASSERT(!rwa_plan_left_out(w.plan, 1000) && rwa_playbook_kind(w.plays) == RWA_PLAY_LINK);
    CU_ASSERT(rwa_topology_find("ocs") == RWA_OCS && rwa_scheme_find("gossip") && !rwa_scheme_find("no scheme"));
    CU_ASSERT_PTR_NOT_NULL(strchr(rwa_version(), '.'));
    rwa_error_clear(&w.error);
    CU_ASSERT_EQUAL(w.error.status, RWA_OK);
}

/** The header of a file that is read record by record. */
static void a_reader_tells_the_header(void)
{
    rwa_reader *reader = NULL;
    rwa_columns columns;
    OK(rwa_reader_open(&reader, w.schedule_file, NULL, NULL));
    rwa_reader_lists(&w.lists, reader);
    const rwa_header *header = rwa_reader_header(reader);
    CU_ASSERT(header->collective.nodes == 7 && rwa_network_nodes(header->network) == 7);
    CU_ASSERT(header->lightpath_blocks == 1 && rwa_reader_line(reader) <= 1 && !header->members);
    CU_ASSERT_EQUAL(header->steps, rwa_schedule_steps(w.sched));
    CU_ASSERT_STRING_EQUAL(header->scheme, rwa_schedule_scheme(w.sched));
    rwa_schedule_columns(&columns, w.sched);
    CU_ASSERT_EQUAL(columns.src[0], lightpath_of(w.sched, 0).src);
    rwa_reader_free(reader);
}

TESTS("every export", make_world, a_missing_pointer_is_named, the_text_names_the_parameter, answers_are_right,
      a_reader_tells_the_header, failing_memory_is_a_status, free_world)
