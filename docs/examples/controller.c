/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small controller: an all-reduce among 24 of 64 nodes, with two channels reserved.  It pushes the settings of each step from
 * memory, differences only; when a link fails in step 3, it finishes the sums over the links that are left.
 * Usage: controller LINK [CANCEL-AFTER-MS], as in: controller 5-6 */
#include <rwa.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NODES = 64, MEMBERS = 24, FAILURE = 3 };

static double now_ms(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* The planner asks again and again whether to go on: *data is the time when it shall stop. */
static int is_time_up(void *data, const char *phase, double fraction)
{
    (void)phase, (void)fraction;
    return now_ms() > *(double *)data;
}

/* A datastore would get this as one transaction: what to clear, then what to set; kept lightpaths are not touched. */
static rwa_status push(const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    rwa_settings *settings = NULL;
    const rwa_setting *list;
    rwa_status st = rwa_settings_create(&settings, sched, step, RWA_NO_NODE, err);
    size_t count = st == RWA_OK ? rwa_settings_list(&list, settings) : 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].change != RWA_CHANGE_KEEP)
            printf("step %u node %u %s channel %u in %d out %d\n", (unsigned)step, (unsigned)list[i].node,
                   list[i].change == RWA_CHANGE_SET ? "set" : "clear", (unsigned)list[i].wavelength, (int)list[i].in_link,
                   (int)list[i].out_link);
    rwa_settings_free(settings);
    return st;
}

int main(int argc, char **argv)
{
    uint32_t members[MEMBERS], reserved[] = {0, 7}, failed[2];
    rwa_faults faults = {.channels = reserved, .channel_count = 2};
    rwa_network *whole = NULL, *net = NULL;
    rwa_collective sum;
    rwa_plan *plan = NULL, *repaired = NULL;
    rwa_plan_options opts;
    rwa_error err = {0};
    double end = argc > 2 ? now_ms() + strtod(argv[2], NULL) : 1e300;
    for (uint32_t i = 0; i < MEMBERS; i++)
        members[i] = i * 2;
    rwa_plan_options_init(&opts);
    opts.members = members;
    rwa_status st = rwa_network_parse(&whole, "ring:64", NULL, &err);
    size_t links = st == RWA_OK && argc > 1 ? rwa_network_find_links(failed, whole, argv[1]) : 0;
    if (links == 0)
        return rwa_network_free(whole), fputs("usage: controller LINK [CANCEL-AFTER-MS]\n", stderr), 2;
    st = rwa_network_with_faults(&net, whole, &faults, &err);
    if (st == RWA_OK)
        st = rwa_collective_init(&sum, RWA_ALL_REDUCE, MEMBERS, 0, 4 << 20, 0, &err);
    opts.poll = is_time_up, opts.poll_data = &end;
    if (st == RWA_OK && (st = rwa_plan_make(&plan, net, &sum, &opts, &err)) == RWA_CANCELLED)
        printf("cancelled after %.0f ms more\n", now_ms() - end);
    for (uint32_t step = 1; st == RWA_OK && step < FAILURE; step++)
        st = push(rwa_plan_schedule(plan), step, &err);
    if (st == RWA_OK)
        st = rwa_plan_repair(&repaired, rwa_plan_schedule(plan), failed, links, FAILURE, NULL, &err);
    const rwa_schedule *rest = st == RWA_OK ? rwa_plan_schedule(repaired) : NULL;
    for (uint32_t step = FAILURE; rest && st == RWA_OK && step <= rwa_schedule_steps(rest) + 1; step++)
        st = push(rest, step, &err);
    if (st != RWA_OK || !rest)
        fprintf(stderr, "controller: %s\n", st != RWA_OK ? err.text : rwa_plan_summary(repaired)->why);
    rwa_plan_free(repaired), rwa_plan_free(plan);
    rwa_network_free(net), rwa_network_free(whole);
    return st == RWA_OK && rest ? 0 : st == RWA_CANCELLED ? 3 : 1;
}
