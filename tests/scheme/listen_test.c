/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Stars where many nodes hear a transmission: steps and times follow closed forms, and the checker accepts every
 *  plan. */
#include "tests/support/request.h"
#include "tests/support/suite.h"

/* A root is heard by all at once.  Every other node must be a transmitter of some channel in some step: ceil(N / W)
 * steps, which copies take, and sums with N channels or with one; chains of sums take one more to exchange what W of
 * them hold, and to tell it. */
static void short_messages_take_a_turn_of_each_node(void)
{
    for (uint32_t n = 2; n <= 40; n += 1 + n / 4)
        for (uint32_t w = 1; w <= 64; w *= 4) {
            uint32_t turns = (n + w - 1) / w, others = (n - 1 + w - 1) / w, sums = w == 1 || w >= n ? turns : turns + 1;
            const struct known forms[] = {{"broadcast", 1},      {"scatter", 1},          {"gather", others},
                                          {"all-gather", turns}, {"all-to-all", turns},   {"all-reduce", sums},
                                          {"reduce", others},    {"reduce-scatter", sums}};
            for (size_t i = 0; i < COUNT(forms); i++)
                CU_ASSERT_EQUAL(steps_on("star:%u w=%u bytes=64 %s by listen", n, w, forms[i].line), forms[i].steps);
        }
    CU_ASSERT_EQUAL(steps_on("star:64 w=1 ports=1 bytes=64 by listen"), 64); /* 4032 blocks, each sent once to one node,
                                                                                take as many */
    CU_ASSERT_EQUAL(steps_on("star:64 w=1 ports=1 bytes=64 all-to-all by listen"), 64);
}

/* At the bound: what must be sent fills all channels. */
static void large_messages_fill_all_channels(void)
{
    for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
        for (uint32_t w = 1; w <= 64; w *= 8) {
            const rwa_plan_report *s =
                report_on("star:64 w=%u bytes=16777216 %s by listen", w, rwa_collective_name(kind));
            CU_ASSERT(s->time_s <= 1.15 * s->time_bound_s);
        }
}

static void any_ports_and_roots_are_planned(void)
{
    for (uint32_t n = 2; n <= 13; n++)
        for (uint32_t w = 1; w <= 6; w++)
            for (uint32_t ports = 0; ports <= 3; ports++)
                for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
                    CU_ASSERT(time_on("star:%u w=%u ports=%u root=%u bytes=%u %s by listen", n, w, ports,
                                      rwa_collective_has_root(kind) ? (n + w) % n : 0, w % 2 ? 100 : 1000000,
                                      rwa_collective_name(kind)) > 0);
}

/* All that a node has for others can always be sent block by block. */
static void any_load_is_kept(void)
{
    for (uint32_t n = 2; n <= 9; n++)
        for (uint32_t w = 1; w <= 2 * n; w += n - 1)
            for (uint32_t load = 1; load <= 3; load++)
                for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
                    CU_ASSERT(rwa_schedule_lightpath_blocks(
                                  schedule_on("star:%u w=%u ports=%u root=%u load=%u stripes=1 bytes=100000 %s", n, w,
                                              w % 3, rwa_collective_has_root(kind) ? w % n : 0, load,
                                              rwa_collective_name(kind))) <= load);
}

TESTS("listen", short_messages_take_a_turn_of_each_node, large_messages_fill_all_channels,
      any_ports_and_roots_are_planned, any_load_is_kept)
