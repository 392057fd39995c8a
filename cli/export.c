/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <string.h>

static rwa_status write_expanded(const rwa_schedule *sched, options *o, int *writing, rwa_error *err)
{
    rwa_schedule *expanded = NULL;
    rwa_status status = rwa_schedule_expand(&expanded, sched, err);
    *writing = status == RWA_OK;
    if (status == RWA_OK)
        status = rwa_schedule_write_polled(expanded, o->output, poll_progress, o, err);
    rwa_schedule_free(expanded);
    return status;
}

static rwa_status write_foreign(const rwa_schedule *sched, options *o, int *writing, rwa_error *err)
{
    rwa_export_options opts;
    rwa_device *device = NULL;
    rwa_status status = o->device != NULL ? rwa_device_open(&device, o->device, err) : RWA_OK;
    rwa_export_options_init(&opts);
    opts.step = o->step;
    opts.node = option_given(o, "node") ? o->node : RWA_EXPORT_ALL;
    opts.changes = o->changes;
    opts.csv = o->csv;
    opts.device = device;
    opts.poll = poll_progress;
    opts.poll_data = o;
    *writing = status == RWA_OK;
    if (status == RWA_OK)
        status = rwa_schedule_export(sched, o->to, o->output, &opts, err);
    progress_clear();
    rwa_device_free(device);
    return status;
}

/** The library leaves aside what a format does not read; here somebody asked for it. */
static int refuse_unread(const options *o)
{
    static const struct { const char *option, *readers; } only[] = {{"node", "nodes, openconfig"}, {"changes", "nodes"},
                                                                    {"format", "nodes"}, {"device", "openconfig, gnpy"}};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        if (option_given(o, only[i].option) && strstr(only[i].readers, o->to) == NULL)
            return fail(EXIT_BAD_INPUT, "--%s: not read by --to %s, but by %s", only[i].option, o->to, only[i].readers);
    return 0;
}

int command_export(options *o)
{
    rwa_schedule *read = NULL;
    rwa_error err = {0};
    if (o->file == NULL || o->expand == (o->to != NULL) || o->output == NULL)
        return fail(EXIT_BAD_INPUT, "%s, expected: rwa export FILE --to FORMAT -o OUT, or --expand",
                    o->file == NULL ? "a file is missing" : o->output == NULL ? "-o is missing"
                    : o->expand ? "--to and --expand exclude each other" : "--to is missing");
    int writing = 0;
    int code = o->expand ? refuse_others(o, NAMES("expand", "output"), "is for --to FORMAT, and --expand writes all there is")
                         : refuse_unread(o);
    if (code != 0)
        return code;
    rwa_status status = rwa_schedule_read(&read, o->file, &err);
    if (status == RWA_OK)
        status = o->expand ? write_expanded(read, o, &writing, &err) : write_foreign(read, o, &writing, &err);
    code = status == RWA_OK ? finish(EXIT_YES) : fail_status(status, &err, writing);
    rwa_schedule_free(read);
    return code;
}
