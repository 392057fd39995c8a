/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small controller: an all-gather is under way when a link fails; the program plans the rest again, and every node gets
 * its changed settings.  Usage: controller LINK STEP SETTINGS-FILE, as in: controller cw:5 2 changes.jsonl */
#include <rwa.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 16, MESSAGE = 4 << 20 };

static rwa_status plan_all_gather(rwa_plan **out, const rwa_network *net, rwa_error *err)
{
    rwa_collective gather;
    rwa_status st = rwa_collective_init(&gather, RWA_ALL_GATHER, NODES, 0, MESSAGE, 0, err);
    return st == RWA_OK ? rwa_plan_make(out, net, &gather, NULL, err) : st;
}

/* A plan without a schedule is an answer too: the collective cannot be finished, and `why` says for want of what. */
static int report(const char *what, const rwa_plan *plan)
{
    const rwa_plan_report *sum = rwa_plan_summary(plan);
    if (sum->outcome == RWA_INFEASIBLE) {
        printf("%s: impossible: %s\n", what, sum->why);
        return 0;
    }
    printf("%s: %u steps, checked\n", what, (unsigned)sum->steps);
    return 1;
}

static rwa_status tell_nodes(const rwa_plan *plan, const char *file, rwa_error *err)
{
    rwa_export_options changes;
    rwa_export_options_init(&changes);
    changes.changes = 1;    /* only what a node sets differently from the step before */
    return rwa_schedule_export(rwa_plan_schedule(plan), "nodes", file, &changes, err);
}

int main(int argc, char **argv)
{
    rwa_network_options opts;
    rwa_network *net = NULL;
    rwa_plan *plan = NULL, *repaired = NULL;
    rwa_error err = {0};
    uint32_t failed[2];
    int finished = 0;
    if (argc != 4)
        return fputs("usage: controller LINK STEP SETTINGS-FILE\n", stderr), 2;
    rwa_network_options_init(&opts);
    opts.wavelengths = 2;
    rwa_status st = rwa_network_create(&net, RWA_RING, NODES, &opts, &err);
    if (st == RWA_OK)
        st = plan_all_gather(&plan, net, &err);
    size_t links = st == RWA_OK ? rwa_network_find_links(failed, net, argv[1]) : 0;
    if (st == RWA_OK && links == 0) {
        snprintf(err.text, sizeof err.text, "\"%s\" is no link of the ring", argv[1]);
        st = RWA_BADARG;
    }
    if (st == RWA_OK && report("before", plan))
        st = rwa_plan_repair(&repaired, rwa_plan_schedule(plan), failed, links, (uint32_t)strtoul(argv[2], NULL, 10), NULL,
                             &err);
    if (st == RWA_OK && repaired != NULL && report("after the failure", repaired)) {
        finished = 1;
        st = tell_nodes(repaired, argv[3], &err);
    }
    if (st != RWA_OK)
        fprintf(stderr, "controller: %s\n", err.text);
    rwa_plan_free(repaired);
    rwa_plan_free(plan);
    rwa_network_free(net);
    return st != RWA_OK ? 2 : !finished;
}
