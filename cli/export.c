/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

int command_export(options *o)
{
    rwa_schedule *read = NULL, *expanded = NULL;
    rwa_error err = {0};
    if (o->file == NULL || !o->expand || o->output == NULL)
        return fail(EXIT_BAD_INPUT, "%s missing, expected: rwa export FILE --expand -o OUT",
                    o->file == NULL ? "a file is" : !o->expand ? "--expand is" : "-o is");
    int writing = 0;
    rwa_status status = rwa_schedule_read(&read, o->file, &err);
    if (status == RWA_OK)
        status = rwa_schedule_expand(&expanded, read, &err);
    if (status == RWA_OK) {
        writing = 1;
        status = rwa_schedule_write_polled(expanded, o->output, poll_progress, o, &err);
    }
    int code = status == RWA_OK ? finish(EXIT_YES) : fail_status(status, &err, writing);
    rwa_schedule_free(expanded);
    rwa_schedule_free(read);
    return code;
}
