/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "17,cw:3" as directed links; 0, or the exit code after one line. */
static int read_links(uint32_t **links, size_t *count, const rwa_network *net, const char *list)
{
    size_t length = strlen(list), most = 2;
    for (const char *p = list; *p != '\0'; p++)
        most += *p == ',' ? 2 : 0;
    char *text = malloc(length + 1);
    *links = malloc(most * sizeof **links);
    *count = 0;
    if (text == NULL || *links == NULL) {
        free(text);
        return fail(EXIT_MACHINE, "out of memory");
    }
    memcpy(text, list, length + 1);
    int code = 0;
    for (char *name = text, *next; name != NULL && code == 0; name = next) {
        next = strchr(name, ',');
        if (next != NULL)
            *next++ = '\0';
        size_t found = rwa_network_name_links(net, name, *links + *count);
        *count += found;
        if (found == 0)
            code = fail(EXIT_BAD_INPUT, "--fail %s: no such link, expected 0 to %" PRIu32 ", or cw: or ccw: before it", name,
                        rwa_network_links(net) - 1);
    }
    free(text);
    return code;
}

static int repair(const rwa_schedule *sched, options *o)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t *links = NULL;
    size_t count = 0;
    char name[64];
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    int code = read_links(&links, &count, net, o->failed);
    if (code == 0) {
        rwa_status status = rwa_plan_repair(&plan, sched, links, count, o->at_step, &o->plan, &err);
        progress_clear();
        snprintf(name, sizeof name, "%s:%" PRIu32, rwa_network_kind_name(rwa_network_get_kind(net)), rwa_network_nodes(net));
        o->network = name;
        code = status == RWA_OK ? plan_answer(plan, o, net, rwa_schedule_collective(sched)) : fail_status(status, &err, 0);
    }
    rwa_plan_free(plan);
    free(links);
    return code;
}

int command_repair(options *o)
{
    rwa_schedule *sched = NULL;
    rwa_device *device = NULL;
    rwa_error err = {0};
    if (o->failed == NULL || o->at_step == 0 || o->network != NULL)
        return fail(EXIT_BAD_INPUT, "%s, expected for example: rwa plan --repair plan.jsonl --fail 17 --at-step 3",
                    o->network != NULL ? "the file says the network" : o->failed == NULL ? "--fail is missing" : "--at-step is missing");
    rwa_status status = rwa_schedule_read(&sched, o->repair, &err);
    int code = status == RWA_OK ? device_apply(&device, o) : fail_status(status, &err, 0);
    o->plan.poll = poll_progress;
    o->plan.poll_data = o;
    if (code == 0)
        code = repair(sched, o);
    rwa_schedule_free(sched);
    rwa_device_free(device);
    return code;
}
