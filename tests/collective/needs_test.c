/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which blocks a node needs, by their numbers, against a look at each block. */
#include "collective/needs.h"
#include "tests/support/suite.h"

static const rwa_collective_kind kinds[] = {RWA_BROADCAST,  RWA_SCATTER,    RWA_GATHER,         RWA_ALL_GATHER,
                                            RWA_ALL_TO_ALL, RWA_ALL_REDUCE, RWA_REDUCE_SCATTER, RWA_ROOTED_REDUCE};

static void check_node(const rwa_collective *c, uint32_t node)
{
    uint64_t needed = 0, next = collective_next_needed(c, node, 0);
    for (uint64_t b = 0; b < c->blocks; b++) {
        bool needs = collective_needs(c, node, b);
        CU_ASSERT_EQUAL(needs, next == b);
        CU_ASSERT_EQUAL(collective_next_needed(c, node, b), next);
        needed += needs && node != collective_source(c, b);
        next = needs ? collective_next_needed(c, node, b + 1) : next;
    }
    CU_ASSERT_EQUAL(next, c->blocks);
    CU_ASSERT_EQUAL(collective_blocks_needed(c, node), needed);
}

/* Also numbers of blocks that nodes do not share evenly, as a caller's file may have. */
static void needed_blocks_are_those_that_a_look_at_each_finds(void)
{
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (uint32_t nodes = 2; nodes <= 7; nodes++)
            for (uint64_t blocks = 1; blocks <= 3 * nodes * nodes; blocks++) {
                rwa_collective c = {.kind = kinds[k], .nodes = nodes, .root = nodes / 2, .blocks = blocks};
                if (c.kind == RWA_ALL_TO_ALL && blocks % (nodes * nodes) != 0)
                    continue;
                for (uint32_t v = 0; v < nodes; v++)
                    check_node(&c, v);
            }
}

TESTS("needs", needed_blocks_are_those_that_a_look_at_each_finds)
