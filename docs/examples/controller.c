/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small controller: an all-reduce among 24 of 64 nodes, two channels reserved; a link fails in step 3, and the sums
 * are finished over the links that are left.  Its datastore is a folder of documents in the shape of
 * openconfig-wavelength-router, one a node.  In each step it pushes what differs from the datastore, and nothing else,
 * to the nodes with the fewest differences first.  Usage: controller FOLDER LINK [LAST-STEP [CANCEL-AFTER-MS]], as in:
 * controller datastore 5-6 */
#include <rwa.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { NODES = 64, MEMBERS = 24, FAILURE = 3, WAVES = 64, CHANNELS = 6 * WAVES };
static const char *const ports[][2] = {{"cw-in", "cw-out"}, {"add-cw", "cw-out"}, {"cw-in", "drop-cw"},
                                       {"ccw-in", "ccw-out"}, {"add-ccw", "ccw-out"}, {"ccw-in", "drop-ccw"}};
static char view[NODES][CHANNELS];      /* the datastore: 1 where a node has that media channel */
static int is_time_up(void *end, const char *phase, double fraction)    /* the planner asks again and again */
{
    return (void)phase, (void)fraction, *(clock_t *)end > 0 && clock() > *(clock_t *)end;
}
static int visit(const char *folder, unsigned node, int store)          /* read the document of a node, or write it; 0:
                                                                           not written */
{
    char line[400];
    unsigned index, count = 0;
    snprintf(line, sizeof line, "%s/n%u.json", folder, node);
    FILE *file = fopen(line, store ? "w" : "r");
    while (file && !store && fgets(line, sizeof line, file))
        if (sscanf(line, " {\"index\": %u", &index) == 1 && index < CHANNELS)
            view[node][index] = 1;
    for (unsigned i = 0; file && store && i < CHANNELS; i++)
        if (view[node][i])
            fprintf(
                file,
                "%s\n {\"index\": %u, \"config\": {\"index\": %u, \"lower-frequency\": \"%u\", \"upper-frequency\": "
                "\"%u\"}, "
                "\"source\": {\"config\": {\"port-name\": \"%s\"}}, \"dest\": {\"config\": {\"port-name\": \"%s\"}}}",
                count++ ? ","
                        : "{\"openconfig-wavelength-router:wavelength-router\": {\"media-channels\": {\"channel\": [",
                i, i, 191350000 + 50000 * (i % WAVES), 191400000 + 50000 * (i % WAVES), ports[i / WAVES][0],
                ports[i / WAVES][1]);
    return file && (!store || fputs(count ? "]}}}\n" : "{}\n", file) >= 0) && fclose(file) == 0;
}
static rwa_status push(const char *folder, const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    rwa_settings *settings = NULL;
    const uint32_t *nodes = NULL;
    const rwa_setting *s;
    rwa_status st = rwa_settings_make(&settings, sched, step, RWA_NONE, NULL, err);
    for (size_t n = 0, changes = 0; st == RWA_OK && n < rwa_settings_nodes(&nodes, settings); n++, changes = 0) {
        char want[CHANNELS] = {0}, *have = view[nodes[n]];
        for (size_t left = rwa_settings_of_node(&s, settings, nodes[n]); left > 0; left--, s++)
            if (s->change != RWA_CHANGE_CLEAR)      /* links from 64 on are counter-clockwise; uses: pass 4, add 1, drop
                                                       2 */
                want[((s->use & RWA_USE_ADD ? s->out_link : s->in_link) / NODES * 3 + s->use % 4) * WAVES +
                     s->wavelength] = 1;
        for (unsigned i = 0; i < CHANNELS; i++)
            if (want[i] != have[i] && ++changes > 0)
                printf("step %u node %u %s %u\n", (unsigned)step, (unsigned)nodes[n], want[i] ? "merge" : "delete", i),
                    have[i] = want[i];
        st = changes > 0 && !visit(folder, nodes[n], 1) ? RWA_IO : RWA_OK;
    }
    return rwa_settings_free(settings), st;
}
int main(int argc, char **argv)
{
    uint32_t members[MEMBERS], reserved[] = {0, 7}, failed[2], last = argc > 3 ? (uint32_t)atoi(argv[3]) : UINT32_MAX;
    clock_t end = argc > 4 ? clock() + atoi(argv[4]) * (CLOCKS_PER_SEC / 1000) : 0;
    rwa_network *whole = NULL, *net = NULL;
    rwa_collective sum;
    rwa_plan *plan = NULL, *repaired = NULL;
    rwa_plan_options opts;
    rwa_error err = {0};
    rwa_plan_options_init(&opts);
    opts.members = members, opts.poll = is_time_up, opts.poll_data = &end;
    for (unsigned v = 0; v < NODES; v++)    /* 24 members, spread evenly */
        visit(argc > 1 ? argv[1] : "", v, 0), members[v * MEMBERS / NODES] = v;
    size_t links = argc > 2 && rwa_network_parse(&whole, "ring:64", NULL, NULL) == 0
                       ? rwa_network_find_links(failed, whole, argv[2])
                       : 0;
    rwa_faults faults = {.channels = reserved, .channel_count = 2};
    rwa_status st = links > 0 ? rwa_network_with_faults(&net, whole, &faults, &err) : RWA_BADARG;
    if (st == RWA_OK && (st = rwa_collective_init(&sum, RWA_ALL_REDUCE, MEMBERS, 0, 4 << 20, 0, &err)) == RWA_OK &&
        (st = rwa_plan_make(&plan, net, &sum, &opts, &err)) == RWA_OK)
        st = rwa_plan_repair(&repaired, rwa_plan_schedule(plan), failed, links, FAILURE, NULL, &err);
    for (uint32_t step = 1; st == RWA_OK && step <= rwa_schedule_steps(rwa_plan_schedule(repaired)) + 1 && step <= last;
         step++)
        st = push(argv[1], rwa_plan_schedule(step < FAILURE ? plan : repaired), step, &err);
    if (st != RWA_OK)
        fprintf(stderr, "controller: %s; stopped after %.0f ms\n",
                links == 0     ? "expected FOLDER LINK [LAST-STEP [CANCEL-AFTER-MS]]"
                : st == RWA_IO ? "the datastore cannot be written"
                               : err.text,
                (double)clock() * 1e3 / CLOCKS_PER_SEC);
    rwa_plan_free(repaired), rwa_plan_free(plan), rwa_network_free(net), rwa_network_free(whole);
    return st == RWA_OK ? 0 : st == RWA_CANCELLED ? 3 : st == RWA_BADARG ? 2 : 1;
}
