/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of a controller: it begins where its journal ends, sets up protected lightpaths and, on the channels left, a
 * collective; a link fails, then a second; it restores what is down, protects anew, and crashes.  Begun again, it finds
 * all of that, and gives the collective's channels back.
 * Usage: lightpaths NETWORK WAVELENGTHS LINK LINK JOURNAL, as in: lightpaths nsfnet14-21 16 4 17 journal */
#include <rwa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define PLAN RWA_HOLD_TAG "all-gather"
static rwa_error err;
static void must(rwa_status st)
{
    if (st != RWA_OK)
        fprintf(stderr, "lightpaths: %s\n", err.text), exit(2);
}
static void show(const char *when, const rwa_state *state)
{
    unsigned in[RWA_CONDITION_DOWN + 1] = {0}, held = 0;
    for (uint64_t id = 0; (id = rwa_state_next(state, id)) != RWA_NO_LIGHTPATH;)
        if (strcmp(rwa_state_tag(state, id), PLAN) == 0)
            held++;
        else
            in[rwa_state_condition(state, id)]++;
    printf("%s: %u protected, %u exposed, %u on backup, %u down; %u blocks of channels held\n", when,
           in[RWA_CONDITION_PROTECTED], in[RWA_CONDITION_EXPOSED], in[RWA_CONDITION_ON_BACKUP], in[RWA_CONDITION_DOWN],
           held);
}
static void begin(rwa_state *state)     /* a lightpath from each node to the third next, then a plan beside them */
{
    uint32_t nodes = rwa_network_nodes(rwa_state_network(state));
    rwa_network *left = NULL;
    rwa_collective gather;
    rwa_plan *plan = NULL;
    for (uint32_t v = 0; v < nodes; v++) {
        char tag[32];
        rwa_request request;
        rwa_placed placed;
        snprintf(tag, sizeof tag, "customer %u", (unsigned)v);
        rwa_request_init(&request, v, (v + 3) % nodes);
        request.protection = RWA_PROTECTION_SHARED, request.routing = RWA_ROUTING_ALTERNATE, request.tag = tag;
        must(rwa_state_add(&placed, state, &request, &err));
        if (placed.hops == 0)
            printf("%s is blocked\n", tag);     /* rwa_state_explain() says why, and what would help */
    }
    must(rwa_state_residual(&left, state, &err));
    must(rwa_collective_init(&gather, RWA_ALL_GATHER, nodes, 0, 1 << 20, 0, &err));
    must(rwa_plan_make(&plan, left, &gather, NULL, &err));
    if (rwa_plan_schedule(plan))
        must(rwa_state_hold(state, rwa_plan_schedule(plan), 0, PLAN, &err));
    rwa_plan_free(plan), rwa_network_free(left);
}
static void protect(rwa_state *state, int conditions)   /* anew, lightpaths that the next failure would stop */
{
    for (uint64_t id = 0; (id = rwa_state_next_in(state, id, conditions, NULL)) != RWA_NO_LIGHTPATH;) {
        rwa_request request;
        rwa_placed placed;
        rwa_state_get(&placed, state, id);
        rwa_request_init(&request, placed.src, placed.dst);
        must(rwa_state_protect(&placed, state, id, &request, &err));
    }
}
static void lose(rwa_state *state, const char *link)
{
    rwa_restoration moved;
    must(rwa_state_fail(state, RWA_FAILURE_LINK, (uint32_t)strtoul(link, NULL, 10), &err));
    show("failed", state);      /* the state has switched to backups by itself */
    must(rwa_state_restore(&moved, state, RWA_RESTORE_MOST_TRAFFIC, NULL, &err));
    protect(state, RWA_CONDITION_EXPOSED);
    protect(state, RWA_CONDITION_ON_BACKUP);
    show("mended", state);
}
int main(int argc, char **argv)
{
    rwa_network_options opts;
    rwa_network *net = NULL;
    rwa_state *state = NULL;
    if (argc != 6)
        return fputs("usage: lightpaths NETWORK WAVELENGTHS LINK LINK JOURNAL\n", stderr), 2;
    rwa_network_options_init(&opts);
    opts.wavelengths = (uint32_t)strtoul(argv[2], NULL, 10);
    must(rwa_network_open(&net, argv[1], &opts, &err));
    must(rwa_state_open(&state, net, NULL, argv[5], &err));
    if (rwa_state_count(state) == 0) {
        begin(state), lose(state, argv[3]), lose(state, argv[4]);
        fflush(stdout), _Exit(3);       /* a crash: nothing is closed, written or freed */
    }
    show("begun again", state);
    if (rwa_state_next_in(state, RWA_NO_LIGHTPATH, 0, PLAN) != RWA_NO_LIGHTPATH)
        must(rwa_state_release_tag(state, PLAN, &err));
    protect(state, RWA_CONDITION_EXPOSED);      /* with the channels of the plan there is room for more backups */
    protect(state, RWA_CONDITION_ON_BACKUP);
    show("collective done", state);
    rwa_state_free(state), rwa_network_free(net);
    return 0;
}
