/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/print.h"
#include "cli/target.h"
#include "commands.h"

typedef struct export_options {
    common common;
    const char *to, *file, *node;
    int expand;
    rwa_export_options opts;
    rwa_cost_options cost;
    device_choice device;
} export_options;

/* The names of --to: formats of schedules, then those of assignments that schedules do not have. */
static const char *format_name(size_t i)
{
    size_t known = 0;
    for (; rwa_export_name(known) != NULL; known++)
        if (known == i)
            return rwa_export_name(i);
    for (size_t k = 0; rwa_assign_export_name(k) != NULL; k++) {
        size_t s = 0;
        while (rwa_export_name(s) != NULL && strcmp(rwa_export_name(s), rwa_assign_export_name(k)) != 0)
            s++;
        if (rwa_export_name(s) == NULL && known++ == i)
            return rwa_assign_export_name(k);
    }
    return NULL;
}

static const choice json_csv[] = {{"json", 0}, {"csv", 1}, {NULL, 0}};
static const option own_options[] = {
    {"expand", 0, NULL, "write every orbit out, one lightpath a line", NULL, IS_FLAG(export_options, expand)},
    {"to", 0, "FORMAT", "csv, nodes, settings, openconfig, harvest, msccl, mscclpp, chakra, gnpy or sndlib; of assignments csv, table, "
     "openconfig, gnpy or sndlib", NULL,
     IS_NAME(export_options, to, format_name)},
    {"changes", 0, NULL, "nodes, settings: only those that differ from the step before, the nodes with the fewest first", NULL,
     IS_FLAG(export_options, opts.changes)},
    {"step", 0, "S", "only this step", NULL, IS_COUNT(export_options, opts.step, 1, UINT32_MAX)},
    {"node", 0, "V", "only this node, by number or name", NULL, IS_TEXT(export_options, node)},
    {"device", 0, "NAME|FILE", "device profile: the grid of openconfig and gnpy, the rate of gnpy and sndlib", NULL,
     IS_TEXT(export_options, device.name)},
    {"output", 'o', "FILE", "write the schedule; .gz compresses, - is standard output", NULL, IS_FILE(export_options, file)},
    {"format", 0, "FORMAT", "of --to nodes: json or csv", "json", IS_CHOICE(export_options, opts.csv, json_csv)},
    {0}};
static void init(void *options)
{
    export_options *o = options;
    rwa_export_options_init(&o->opts);
    o->opts.node = RWA_EXPORT_ALL;
}

static const option_group groups[] = {
    {own_options, 0, init}, {cost_model_options, offsetof(export_options, cost), cost_init}, {NULL, 0, NULL}};

static int write_expanded(const rwa_schedule *sched, export_options *o)
{
    rwa_schedule *expanded = NULL;
    rwa_error err = {0};
    int code = fail_status(rwa_schedule_expand(&expanded, sched, &err), &err, 0);
    THEN(fail_status(rwa_schedule_write_polled(expanded, o->file, poll_progress, &o->common, &err), &err, 1));
    rwa_schedule_free(expanded);
    return code;
}

static int write_foreign(const rwa_schedule *sched, export_options *o)
{
    rwa_error err = {0};
    int code = device_open(&o->device, &o->common);
    o->opts.device = o->device.device;
    o->opts.cost = &o->cost;
    SHOW_PROGRESS(&o->opts, &o->common);
    if (code == 0 && o->node != NULL) {
        uint32_t node = 0;
        code = read_node(&node, rwa_schedule_network(sched), "node", o->node);
        o->opts.node = node;
    }
    THEN(fail_status(rwa_schedule_export(sched, o->to, o->file, &o->opts, &err), &err, 1));
    progress_clear();
    rwa_device_free(o->device.device);
    return code;
}

static int is_assignment_format(const char *name)
{
    for (size_t i = 0; rwa_assign_export_name(i) != NULL; i++)
        if (strcmp(rwa_assign_export_name(i), name) == 0)
            return 1;
    return 0;
}

static int write_assignment(export_options *o)
{
    rwa_assign_result *result = NULL;
    rwa_error err = {0};
    int code = 0;
    if (o->expand || !is_assignment_format(o->to))
        code = fail(EXIT_BAD_INPUT, "%s is an assignment, expected a schedule for %s%s", o->common.operands[0],
                    o->expand ? "--expand" : "--to ", o->expand ? "" : o->to);
    THEN(refuse_given(&o->common, NAMES("step", "node", "changes", "format", "cost"), "is for schedules, and the file is an assignment"));
    THEN(device_open(&o->device, &o->common));
    o->opts.device = o->device.device;
    THEN(fail_status(rwa_assign_result_read(&result, o->common.operands[0], &err), &err, 0));
    THEN(fail_status(rwa_assign_result_export(result, o->to, o->file, &o->opts, &err), &err, 1));
    rwa_assign_result_free(result);
    rwa_device_free(o->device.device);
    return code;
}

/* The library ignores what a format does not read; the command refuses it. */
static int refuse_unread(const export_options *o)
{
    static const struct { const char *option, *readers; } only[] = {{"node", "nodes, settings, openconfig"}, {"changes", "nodes, settings"},
                                                                    {"cost", "nodes, settings, openconfig, harvest"},
                                                                    {"format", "nodes"}, {"device", "openconfig, gnpy, sndlib"}};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        if (option_given(&o->common, only[i].option) && strstr(only[i].readers, o->to) == NULL)
            return fail(EXIT_BAD_INPUT, "--%s: not read by --to %s, but by %s", only[i].option, o->to, only[i].readers);
    return 0;
}

static int run(void *options)
{
    export_options *o = options;
    rwa_schedule *sched = NULL;
    rwa_error err = {0};
    const char *from = o->common.operands[0];
    const char *fault = from == NULL ? "a file is missing" : o->file == NULL ? "-o is missing" : o->expand && o->to != NULL
                        ? "--to and --expand exclude each other" : !o->expand && o->to == NULL ? "--to is missing" : NULL;
    if (fault != NULL)
        return fail(EXIT_BAD_INPUT, "%s, expected: rwa export FILE --to FORMAT -o OUT, or --expand", fault);
    int code = o->expand ? refuse_others(&o->common, NAMES("expand", "output"), "needs --to FORMAT; --expand writes the whole schedule")
                         : refuse_unread(o);
    if (code == 0 && rwa_is_assignment_file(from)) {
        code = write_assignment(o);
        return code != 0 ? code : finish(EXIT_YES);
    }
    THEN(fail_status(rwa_schedule_read(&sched, from, &err), &err, 0));
    THEN(o->expand ? write_expanded(sched, o) : write_foreign(sched, o));
    rwa_schedule_free(sched);
    return code != 0 ? code : finish(EXIT_YES);
}

const command command_export = {
    "export", "write a schedule or an assignment for other tools",
    "rwa export FILE --to FORMAT -o OUT [options]\n"
    "       rwa export FILE --expand -o OUT\n\n"
    "Formats: csv, a lightpath a line; nodes, what each node of a ring or line adds, drops or passes; settings, the "
    "same on every network; openconfig, media channels, a document "
    "for each node and step in a new folder (or one file, with --node and --step); harvest, per-step topologies; msccl and "
    "mscclpp, programs for runtimes; chakra, traces for simulators in a new folder; gnpy and sndlib, requests and routes.  An "
    "assignment: csv or table, its routes; openconfig, media channels of any width, a document for each node; "
    "gnpy, a new folder that gnpy-path-request runs as it is; sndlib, network, demands and "
    "routes.\n\n"
    "In the cost models circuit and overlap a lightpath is set before the first step of its epoch, or once it fits, and held while it "
    "carries nothing: with --cost nodes, settings and openconfig say so.\n\n"
    "Examples:\n"
    "  rwa export plan.jsonl --to csv -o plan.csv\n"
    "  rwa export plan.jsonl --to nodes --node 3 --changes -o -\n"
    "  rwa export plan.jsonl --to settings --cost circuit --changes -o settings.jsonl\n"
    "  rwa export plan.jsonl --to openconfig --device onoc-typical -o settings\n"
    "  rwa export plan.jsonl --expand -o all.jsonl.gz\n",
    groups, sizeof(export_options), 1, run, NULL};
