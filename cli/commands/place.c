/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chain: task graph -> placement -> traffic -> circuits -> time. */
#include "cli/circuits.h"
#include "commands.h"

static uint32_t devices, replicas = 1, degree;
static uint64_t memory;
static double quantum_s;        /* 0: no splitting */

static const option own_options[] = {
    {"devices", "K", "devices that one replica of the model is spread over (required)",
     IS_COUNT(devices, 1, 1u << 20)},
    {"replicas", "L", "replicas of the model, each on K devices of its own (1)",
     IS_COUNT(replicas, 1, RWA_NODES_MAX)},
    {"degree", "D", "other devices that a device may send to, the next replica among them (all)",
     IS_COUNT(degree, 1, RWA_NODES_MAX)},
    {"quantum", "TIME", "split tasks into parts of about this time, at most K (no splitting)",
     IS_POSITIVE(quantum_s, TIME_UNITS, "a time, such as 50us")},
    {"memory", "SIZE", "of a device, as 40GiB (no limit)", IS_SIZE(memory)},
    {"network", "SPEC", "find circuits too: as ocs:64x8 or ring:64", IS_TEXT(target.spec)},
    {"format", "FORMAT", "text, json, or csv: the traffic, as circuits reads it (text)",
     IS_CHOICE(output.format, AS_TEXT, "text", "json", "csv")},
    {0}};

/* The results of the chain so far. */
static rwa_tasks *tasks;
static rwa_placement *placement;
static const rwa_placement_report *s;
static rwa_traffic *traffic;    /* NULL: a single node */
static rwa_iteration iteration;
static int timed;

static int placed(void)
{
    return !s->why[0];
}

/* ---- the report ---- */

static json_t *task_json(size_t i)
{
    const char *name = rwa_tasks_name(tasks, i);
    json_t *task = JSON("device:u start:f", rwa_placement_device(placement, i), rwa_placement_start(placement, i));
    return name ? json_add(task, "name:s", name) : task;
}

/* Return flow i of the traffic as JSON: [src, dst, bytes]. */
static json_t *flow_json(size_t i)
{
    rwa_flow f = rwa_traffic_flow(traffic, i);
    return json_pack("[I,I,f]", (json_int_t)f.src, (json_int_t)f.dst, f.bytes);
}

static json_t *report(void)
{
    json_t *all = JSON("devices:u replicas:u distance:u outcome:s optimal:b", s->devices, s->replicas, s->distance,
                       rwa_outcome_text(s->outcome), s->outcome == RWA_OPTIMAL);
    if (!placed())
        return json_add(all, "why:s", s->why);
    json_t *times = !timed ? json_null()
                                 : JSON("compute_seconds:f reduce_seconds:f time_seconds:f", iteration.compute_s,
                                        iteration.reduce_s, iteration.time_s);
    return json_add(
        all,
        "reach:u makespan_seconds:f bound_seconds:f repairs:U moved:U memory_bytes:f tasks:o nodes:U flows:o "
        "circuits:o iteration:o",
        s->reach, s->makespan_s, s->bound_s, s->repairs, s->moved, s->memory_bytes,
        json_list(rwa_tasks_count(tasks), task_json), (uint64_t)s->devices * s->replicas,
        json_list(traffic ? rwa_traffic_flows(traffic) : 0, flow_json),
        target.net ? circuits_json() : json_null(), times);
}

static void say_chain(void)
{
    say("Placement         %s on %s, %s, consumers at most %u ahead\n", counted(rwa_tasks_count(tasks), "task"),
        counted(s->devices, "device"), counted(s->replicas, "replica"), s->distance);
    if (!placed()) {
        say("No placement      %s\n", s->why);
        return;
    }
    say("Makespan          %s without communication; lower bound %s\nRepairs           %" PRIu64 ", %s moved\n",
        time_text(s->makespan_s), time_text(s->bound_s), s->repairs, counted(s->moved, "task"));
    if (target.net)
        say_circuits();
    if (timed)
        say("Iteration         %s: %s of tasks and transfers, %s of adding up gradients\n",
            time_text(iteration.time_s), time_text(iteration.compute_s), time_text(iteration.reduce_s));
}

static int print_traffic(void)
{
    printf("src,dst,bytes\n");
    for (size_t i = 0; traffic && i < rwa_traffic_flows(traffic); i++) {
        rwa_flow f = rwa_traffic_flow(traffic, i);
        printf("%u,%u,%.17g\n", f.src, f.dst, f.bytes);
    }
    return 0;
}

/* ---- the chain ---- */

static int read_tasks(void)
{
    static rwa_tasks *whole;
    MUST(CALL(rwa_tasks_read, quantum_s > 0 ? &whole : &tasks, args.file));
    return whole ? CALL(rwa_tasks_split, &tasks, whole, quantum_s, devices) : 0;
}

static int place(void)
{
    rwa_placement_options opts;
    rwa_placement_options_init(&opts);
    opts.devices = devices;
    opts.replicas = replicas;
    opts.degree = degree;
    opts.memory_bytes = (double)memory;
    SHOW_PROGRESS(opts);
    MUST(CALL(rwa_placement_make, &placement, tasks, &opts));
    s = rwa_placement_summary(placement);
    return placed() && (uint64_t)devices * replicas > 1 ? CALL(rwa_placement_traffic, &traffic, placement) : 0;
}

/* Plan the circuits for the traffic between devices.  If circuit switches serve it all in a single episode, set
 * `iteration` to the time of an iteration.  Return 0, or the exit code after an error message. */
static int connect_devices(void)
{
    if (!traffic)
        return BAD_INPUT("a single device has no traffic, expected no --network, or more devices");
    MUST(circuits_make(traffic));
    timed = circuits && circuits_verdict() == EXIT_YES && rwa_circuits_summary(circuits)->episodes == 1;
    return timed ? CALL(rwa_placement_time, &iteration, placement, circuits, rwa_network_rate_bps(target.net))
                   : 0;
}

static int run(void)
{
    if (!args.file || devices == 0)
        return BAD_INPUT("no %s given, expected for example: rwa place tasks.json --devices 4 --replicas 2 --degree 3",
                         !args.file ? "task graph" : "devices");
    if (!target.spec)
        MUST(refuse_given("wavelengths fibers rate method episodes duty one-way time-limit reconfig",
                          "is for circuits, expected --network too"));
    MUST(read_tasks());
    MUST(place());
    if (target.spec && placed())
        MUST(connect_devices());
    return report_answer(print_traffic, say_chain, report,
                         !placed()    ? EXIT_NO
                         : target.net ? circuits_verdict()
                                      : EXIT_YES);
}

const command command_place = {
    "place",
    "place a task graph onto devices; traffic, circuits and time from it",
    "rwa place TASKS --devices K [options]\n\n"
    "Places tasks so that every device sends to few others: the traffic that follows and, with --network, the "
    "circuits and the time of an iteration.  Exit 1: the tasks do not fit, or not every pair can be served.\n\n"
    "Examples:\n"
    "  rwa place tasks.json --devices 4 --replicas 2 --degree 3 --network ocs:8x3\n"
    "  rwa place tasks.json --devices 8 --quantum 1ms --format csv |\n"
    "    rwa circuits - --network ring:8\n",
    TABLES(own_options, report_file_options, circuits_options),
    1,
    run,
    NULL};
