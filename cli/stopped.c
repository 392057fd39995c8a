/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known when a plan was stopped before there was one. */
#include "print.h"

#include <inttypes.h>

/* Who has asked to stop will not wait long. */
static int one_second(void *begin, const char *phase, double fraction)
{
    (void)phase;
    (void)fraction;
    return clock_s() - *(const double *)begin > 1;
}

int stopped_answer(const options *o, const rwa_network *net, const rwa_collective *coll)
{
    rwa_bound bound = {.value = 0};
    rwa_bound_options opts;
    double begin = clock_s();
    FILE *to = o->output != NULL && *o->output == '-' ? stderr : stdout;
    rwa_bound_options_init(&opts);
    opts.max_hops = o->plan.max_hops;
    opts.max_drops = o->plan.max_drops;
    opts.members = o->plan.members;
    opts.poll = one_second;
    opts.poll_data = &begin;
    if (rwa_bound_best(&bound, net, coll, &opts, NULL) != RWA_OK || bound.value == 0)
        return 0;
    if (!o->json) {
        fprintf(to, "Steps             at least %" PRIu64 " (lower bound: %s); no schedule yet\n", bound.value, bound.name);
        return 0;
    }
    return json_print(to, json_pack("{s:s, s:s, s:{s:s, s:o}}", "collective", rwa_collective_name(coll->kind), "outcome",
                                    "undecided", "bound", "name", bound.name, "steps", json_count(bound.value)));
}
