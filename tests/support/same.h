/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Two networks, or two schedules, are the same; reserved channels and what has failed aside. */
#pragma once

#include "tests/support/blocks.h"
#include "tests/support/request.h"

static inline void expect_same_network(const rwa_network *a, const rwa_network *b)
{
    CU_ASSERT_EQUAL_FATAL(rwa_network_nodes(a), rwa_network_nodes(b));
    CU_ASSERT_EQUAL_FATAL(rwa_network_links(a), rwa_network_links(b));
    CU_ASSERT_EQUAL(rwa_network_risk_groups(a), rwa_network_risk_groups(b));
    CU_ASSERT_EQUAL(rwa_network_rate_bps(a), rwa_network_rate_bps(b));
    CU_ASSERT_EQUAL(rwa_network_ports(a), rwa_network_ports(b));
    CU_ASSERT_EQUAL(rwa_network_tuning(a), rwa_network_tuning(b));
    CU_ASSERT_EQUAL(rwa_network_slot_hz(a), rwa_network_slot_hz(b));
    for (uint32_t l = 0; l < rwa_network_links(a); l++) {
        rwa_link x = rwa_network_link(a, l), y = rwa_network_link(b, l);
        CU_ASSERT_TRUE(x.from == y.from && x.to == y.to && x.length_km == y.length_km && x.fibers == y.fibers);
    }
    for (uint32_t v = 0; v < rwa_network_nodes(a); v++) {
        const char *name = rwa_network_node_name(a, v), *other = rwa_network_node_name(b, v);
        rwa_position x, y;
        CU_ASSERT_TRUE(name ? other && strcmp(name, other) == 0 : !other);
        CU_ASSERT_EQUAL(rwa_network_position(&x, a, v), rwa_network_position(&y, b, v));
        CU_ASSERT_TRUE(memcmp(&x, &y, sizeof x) == 0 || (x.x != x.x && y.x != y.x));
    }
    for (size_t g = 0; g < rwa_network_risk_groups(a); g++) {
        const uint32_t *x, *y;
        size_t count = rwa_network_risk_group(&x, a, g);
        CU_ASSERT_EQUAL_FATAL(rwa_network_risk_group(&y, b, g), count);
        CU_ASSERT_EQUAL(memcmp(x, y, count * sizeof *x), 0);
    }
}

static inline bool same_words(const uint32_t *a, uint32_t count, const uint32_t *b, uint32_t other)
{
    return count == other && (count == 0 || memcmp(a, b, count * sizeof *a) == 0);
}

static inline void expect_same_schedule(const rwa_schedule *a, const rwa_schedule *b)
{
    const rwa_network *m = rwa_schedule_network(a), *n = rwa_schedule_network(b);
    CU_ASSERT_STRING_EQUAL(rwa_schedule_scheme(a), rwa_schedule_scheme(b));
    CU_ASSERT_EQUAL(rwa_schedule_collective(a)->block_bytes, rwa_schedule_collective(b)->block_bytes);
    CU_ASSERT_EQUAL(rwa_network_topology(m), rwa_network_topology(n));
    CU_ASSERT_EQUAL(rwa_network_ports(m), rwa_network_ports(n));
    CU_ASSERT_EQUAL(rwa_network_tuning(m), rwa_network_tuning(n));
    CU_ASSERT_EQUAL(rwa_schedule_lightpath_blocks(a), rwa_schedule_lightpath_blocks(b));
    CU_ASSERT_EQUAL(rwa_schedule_receivers(a), rwa_schedule_receivers(b));
    CU_ASSERT_EQUAL(rwa_schedule_steps(a), rwa_schedule_steps(b));
    CU_ASSERT_EQUAL(rwa_schedule_lightpaths(a), rwa_schedule_lightpaths(b));
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_records(a), rwa_schedule_records(b));
    for (uint64_t i = 0; i < rwa_schedule_records(a); i++) {
        rwa_lightpath x = lightpath_of(a, i), y = lightpath_of(b, i);
        rwa_lists k = lists_of(a, i), l = lists_of(b, i);
        CU_ASSERT(x.step == y.step && x.src == y.src && x.dst == y.dst && x.fiber == y.fiber && x.block == y.block);
        CU_ASSERT(x.wavelength == y.wavelength && x.direction == y.direction && x.op == y.op && x.orbit == y.orbit &&
                  x.period == y.period);
        CU_ASSERT(same_words(k.path, k.path_nodes, l.path, l.path_nodes));
        CU_ASSERT(same_blocks(&k, &l));
        CU_ASSERT(same_words(k.taps, k.tap_count, l.taps, l.tap_count));
    }
}
