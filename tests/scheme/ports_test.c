/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Few ports: every collective has a plan that keeps to them, and no bound that counts them is above it. */
#include "tests/support/request.h"

/* So many holders can there be after t steps: each of them tells k more at most. */
static uint32_t fewest_to_tell(uint32_t nodes, uint32_t ports)
{
    uint32_t steps = 0;
    for (uint64_t holders = 1; holders < nodes; holders *= ports + 1)
        steps++;
    return steps;
}

/* Runs of any length are cut into k + 1, wherever the holder is in them, and k lightpaths fit the channels.  With more
 * ports than channels on a side a holder uses as many on either side as it may, never more than it has. */
static void trees_are_optimal(void)
{
    for (uint32_t n = 2; n <= 40; n++)
        for (uint32_t ports = 1; ports <= 3; ports++)
            for (uint32_t root = 0; root < n; root += n / 5 + 1) {
                const rwa_plan_report *s =
                    n < 3 ? NULL : report_on("ring:%u w=3 ports=%u root=%u broadcast by tree", n, ports, root);
                CU_ASSERT(!s || (s->steps == fewest_to_tell(n, ports) && s->outcome == RWA_OPTIMAL));
                CU_ASSERT_EQUAL(steps_on("line:%u w=3 ports=%u root=%u broadcast by tree", n, ports, root),
                                fewest_to_tell(n, ports));
            }
    for (uint32_t ports = 4; ports <= 9; ports++)
        plan_on("ring:50 w=3 ports=%u root=7 broadcast by tree", ports);
}

/*
 * hypercube:4: a block doubles along one dimension after the other.  Complete graph of 7: in step s everyone sends to
 * the node s further on.  An all-gather brings N - 1 blocks to everyone, k in a step; a scatter takes as many from its
 * root.
 */
static void bounds_are_met(void)
{
    static const struct known rows[] = {
        {"hypercube:4 w=2 ports=1 root=5 broadcast by nearest", 4}, {"circulant:7:1,2,3 w=1 ports=1 by nearest", 6},
        {"nsfnet14-21 w=4 ports=1 by nearest", 13}, {"nsfnet14-21 w=4 ports=2 reduce-scatter by nearest", 7},
        {"nsfnet14-21 w=4 ports=3 root=3 scatter by nearest", 5}, {"ring:16 w=4 ports=1 by wavefront", 15},
        {"ring:16 w=4 ports=2 by wavefront", 8}, {"ring:16 w=4 ports=3 root=2 gather by relay", 5},
        {"ring:16 w=4 ports=4 by ring-striped", 8}};
    take_steps(rows, COUNT(rows), OPTIMAL);
}

/* Where a node has no more ports than channels on a side, reading is all that takes time: N - 1 blocks, as many in a
   step. */
static void wavefronts_read_what_ports_take(void)
{
    for (uint32_t n = 5; n <= 65; n += 6)
        for (uint32_t w = 2; w <= 6; w++)
            for (uint32_t ports = 1; ports <= w; ports++) {
                uint32_t least = (n - 1 + ports - 1) / ports;
                const char *kind = n % 12 == 5 ? "all-gather" : "reduce-scatter";
                uint32_t steps = steps_on("ring:%u w=%u ports=%u %s by wavefront", n, w, ports, kind);
                CU_ASSERT(ports * 2 <= w ? steps == least : steps >= least);
            }
}

/* All send to all: over each difference of node numbers every node sends once and receives once, so that with channels
 * enough a step takes as many differences as there are ports.  Two nodes that differ in one bit exchange in one
 * step. */
static void exchanges_fill_all_ports(void)
{
    static const char bits[] = "compose:positions(8,direct,positions(4,direct,positions(2,direct,direct)))";
    for (uint32_t n = 5; n <= 17; n += 3)
        for (uint32_t ports = 1; ports <= 4; ports++) {
            CU_ASSERT_EQUAL(steps_on("ring:%u w=40 ports=%u by compose:direct", n, ports), (n - 1 + ports - 1) / ports);
            CU_ASSERT_EQUAL(steps_on("torus:3x%u w=100 ports=%u by compose:direct", n, ports),
                            (3 * n - 1 + ports - 1) / ports);
        }
    CU_ASSERT_EQUAL(steps_on("hypercube:4 w=1 ports=1 all-to-all by %s", bits), 4);
    CU_ASSERT_EQUAL(steps_on("ring:16 w=8 ports=1 all-to-all by %s", bits), 4);
}

TESTS("ports", trees_are_optimal, bounds_are_met, wavefronts_read_what_ports_take,
      exchanges_fill_all_ports)
