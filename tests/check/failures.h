/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schedules of stories whose links fail one after the other. */
#pragma once

#include "network/network.h"

#include "tests/support/orbits.h"

static inline rwa_schedule *failing_schedule_of(const struct story *s)
{
    rwa_network *net = NULL;
    uint32_t links[4], from[4];
    for (size_t f = 0; f < s->failure_count; f++) {
        links[f] = has_arcs(s->net) ? s->failed[f].from
                                            : rwa_network_find_link(s->net, s->failed[f].from, s->failed[f].to);
        from[f] = s->failed[f].step;
    }
    rwa_faults faults = {.links = links, .link_count = s->failure_count};
    OK(network_with_failures(&net, s->net, &faults, from, NULL));
    return schedule_of(s, keep_network(net));
}
