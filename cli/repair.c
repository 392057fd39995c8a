/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What cannot be repaired is the file's, and the file is named. */
static int refuse(rwa_status status, const rwa_error *err, const options *o)
{
    return status == RWA_BADARG ? fail(EXIT_BAD_INPUT, "--repair %s: %s", o->repair, err->text) : fail_status(status, err, 0);
}

static int repair(const rwa_schedule *sched, options *o)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t *links = NULL;
    size_t count = 0;
    char name[64];
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    int code = links_read(&links, &count, net, o->failed);
    if (code == 0) {
        rwa_status status = rwa_plan_repair(&plan, sched, links, count, o->at_step, &o->plan, &err);
        progress_clear();
        snprintf(name, sizeof name, "%s:%" PRIu32, rwa_network_kind_name(rwa_network_get_kind(net)), rwa_network_nodes(net));
        o->network = name;
        o->steps_before = rwa_schedule_steps(sched);
        code = status == RWA_OK ? plan_answer(plan, o, net, rwa_schedule_collective(sched)) : refuse(status, &err, o);
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
    int code = refuse_others(o, NAMES("repair", "fail", "at-step", "network", "max-hops", "time-limit", "seed", "device", "power-model",
                                      "cost", "alpha", "reconfig", "packet", "flit", "clock", "format", "output"),
                             "the file of --repair says it, expected only --fail, --at-step, limits, costs and a device");
    if (code != 0)
        return code;
    if (o->failed == NULL || o->at_step == 0 || o->network != NULL)
        return fail(EXIT_BAD_INPUT, "%s, expected for example: rwa plan --repair plan.jsonl --fail 17 --at-step 3",
                    o->network != NULL ? "the file says the network" : o->failed == NULL ? "--fail is missing" : "--at-step is missing");
    rwa_status status = rwa_schedule_read(&sched, o->repair, &err);
    code = status == RWA_OK ? device_apply(&device, o) : fail_status(status, &err, 0);
    o->plan.poll = poll_progress;
    o->plan.poll_data = o;
    if (code == 0)
        code = repair(sched, o);
    rwa_schedule_free(sched);
    rwa_device_free(device);
    return code;
}
