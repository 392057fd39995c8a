/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In C as in C++: plan an all-gather, check it once more, and print what the rings of node 3 are set to in every
   step. */
#include <rwa.h>
#include <stdio.h>

int main(void)
{
    rwa_network *net = NULL;
    rwa_plan *plan = NULL;
    rwa_collective gather;
    rwa_export_options only;
    rwa_check *verdict = NULL;
    static rwa_error err;
    rwa_export_options_init(&only);
    only.node = 3;
    rwa_status st = rwa_network_parse(&net, "ring:16", NULL, &err);
    if (st == RWA_OK)
        st = rwa_collective_init(&gather, RWA_ALL_GATHER, 16, 0, 4 << 20, 0, &err);
    if (st == RWA_OK)
        st = rwa_plan_make(&plan, net, &gather, NULL, &err);
    if (st == RWA_OK)
        st = rwa_check_schedule(&verdict, rwa_plan_schedule(plan), NULL, &err);
    int ok = st == RWA_OK && rwa_check_summary(verdict)->ok;
    if (ok)
        st = rwa_schedule_export(rwa_plan_schedule(plan), "nodes", "-", &only, &err);
    if (st != RWA_OK)
        fprintf(stderr, "%s\n", err.text);
    rwa_check_free(verdict);
    rwa_plan_free(plan);
    rwa_network_free(net);
    return st == RWA_OK && ok ? 0 : 1;
}
