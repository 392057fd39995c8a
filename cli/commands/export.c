/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"

static const char *to, *node;
static int expand;
static rwa_export_options opts;

/* Return name number i for --to: the formats of schedules, then those that only assignments have; NULL past the end. */
static const char *format_name(size_t i)
{
    for (size_t k = 0; rwa_schedule_format_name(k); k++)
        if (i-- == 0)
            return rwa_schedule_format_name(k);
    for (size_t k = 0; rwa_assignment_format_name(k); k++)
        if (number_of(rwa_schedule_format_name, rwa_assignment_format_name(k)) < 0 && i-- == 0)
            return rwa_assignment_format_name(k);
    return NULL;
}

static const option own_options[] = {
    {"expand", NULL, "write every orbit out, one lightpath a line", IS_FLAG(expand)},
    {"to", "FORMAT", "one of the formats above", IS_NAME(to, format_name), .field = "format"},
    {"changes", NULL, "nodes, settings: only those that differ from the step before, the nodes with the fewest first",
     IS_FLAG(opts.changes)},
    {"step", "S", "only this step", IS_COUNT(opts.step, 1, UINT32_MAX)},
    {"node", "V", "only this node, by number or name", IS_TEXT(node)},
    {"device", "NAME|FILE", "device profile: the grid of openconfig and gnpy, the rate of gnpy and sndlib",
     IS_TEXT(target.device_name)},
    {"format", "FORMAT", "of --to nodes: json or csv (json)", IS_CHOICE(opts.csv, 0, "json", "csv")},
    {0}};

static void init(void)
{
    rwa_export_options_init(&opts);
    opts.cost = &cost;
    SHOW_PROGRESS(opts);
}

static int write_expanded(const rwa_schedule *sched)
{
    static rwa_schedule *expanded;
    MUST(CALL(rwa_schedule_expand, &expanded, sched));
    return WRITE(rwa_schedule_write_polled, expanded, output.file, poll_progress, NULL);
}

static int write_foreign(const rwa_schedule *sched)
{
    uint32_t number = 0;
    MUST(device_open());
    opts.device = target.device;
    if (node) {
        MUST(read_node(&number, rwa_schedule_network(sched), "node", node));
        opts.node = number;
    }
    return WRITE(rwa_schedule_export, sched, to, output.file, &opts);
}

static int write_schedule(void)
{
    static rwa_schedule *sched;
    MUST(CALL(rwa_schedule_read, &sched, args.file, NULL));
    return expand ? write_expanded(sched) : write_foreign(sched);
}

static int write_assignment(void)
{
    static rwa_assignment *result;
    if (expand || number_of(rwa_assignment_format_name, to) < 0)
        return BAD_INPUT("%s is an assignment, expected a schedule for %s%s", args.file, expand ? "--expand" : "--to ",
                         expand ? "" : to);
    MUST(refuse_given("step node changes format cost", "is for schedules, and the file is an assignment"));
    MUST(device_open());
    opts.device = target.device;
    MUST(CALL(rwa_assignment_read, &result, args.file));
    return WRITE(rwa_assignment_export, result, to, output.file, &opts);
}

/* Refuse options that the format of --to does not read, since the library would ignore them.  Return 0 or the exit
 * code. */
static int refuse_unread(void)
{
    static const struct {
        const char *option, *readers;
    } only[] = {{"node", "nodes, settings, openconfig"},
                {"changes", "nodes, settings"},
                {"cost", "nodes, settings, openconfig, harvest"},
                {"format", "nodes"},
                {"device", "openconfig, gnpy, sndlib"}};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        if (given(only[i].option) && !strstr(only[i].readers, to))
            return BAD_INPUT("--%s: not read by --to %s, but by %s", only[i].option, to, only[i].readers);
    return 0;
}

static int run(void)
{
    const char *fault = !args.file       ? "a file is missing"
                        : !output.file   ? "-o is missing"
                        : expand && to  ? "--to and --expand exclude each other"
                        : !expand && !to ? "--to is missing"
                                                : NULL;
    if (fault)
        return BAD_INPUT("%s, expected: rwa export FILE --to FORMAT -o OUT, or --expand", fault);
    MUST(expand ? refuse_others("expand output", "needs --to FORMAT; --expand writes the whole schedule")
                : refuse_unread());
    MUST(rwa_assignment_is_file(args.file) ? write_assignment() : write_schedule());
    if (names_file() && !args.quiet)
        say("Written           %s, %s%s\n", output.file, expand ? "a lightpath a line" : "as ", expand ? "" : to);
    return EXIT_YES;
}

const command command_export = {"export",
                                "write a schedule or an assignment for other tools",
                                "rwa export FILE --to FORMAT -o OUT [options]\n"
                                "       rwa export FILE --expand -o OUT\n\n"
                                "csv, a lightpath a line; nodes, what each node of a ring or line adds, drops or "
                                "passes; settings, the same on every network; openconfig, media channels, a "
                                "document for each node and step in a new folder (or one file, with --node and "
                                "--step); harvest, topologies; msccl and mscclpp, programs; chakra, traces in a "
                                "new folder; gnpy and sndlib, requests and routes.  An assignment: csv or table, "
                                "its routes; openconfig, gnpy and sndlib.  With --cost circuit or overlap nodes, "
                                "settings and openconfig hold a lightpath from its epoch on.\n\n"
                                "Examples:\n"
                                "  rwa export plan.jsonl --to csv -o plan.csv\n"
                                "  rwa export plan.jsonl --to nodes --node 3 --changes -o -\n"
                                "  rwa export plan.jsonl --to openconfig --device onoc-typical -o settings\n"
                                "  rwa export plan.jsonl --expand -o all.jsonl.gz\n",
                                TABLES(own_options, schedule_file_options, cost_model_options),
                                1,
                                run,
                                init};
