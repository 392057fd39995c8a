/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Traffic and circuits; the last few of each kind are kept. */
#pragma once

#include "tests/support/request.h"

KEEPER(traffic)
KEEPER(circuits)

static inline rwa_traffic *traffic_of(uint32_t nodes, const rwa_flow *flow, size_t count)
{
    rwa_traffic *traffic = NULL;
    OK(rwa_traffic_create(&traffic, nodes, flow, count, NULL));
    return keep_traffic(traffic);
}

static inline rwa_circuits *circuits_of(const rwa_traffic *traffic, uint32_t switches, const rwa_circuits_options *o)
{
    rwa_circuits *circuits = NULL;
    OK(rwa_circuits_make(&circuits, traffic, switches, o, NULL));
    return keep_circuits(circuits);
}
