/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How many blocks, and the tree of the fewest steps for so many. */
#include "scheme/own/rotated.h"

#include "lattice/lattice_points.h"

/** Channels are used up to so many times the blocks: more are of little use to so few. */
enum { CHAINS_MOST = 256 };
/** Numbers of roots that are tried, from the largest down, beside one. */
enum { ROOTS_TRIED = 4 };

static uint32_t usable(uint32_t channels, uint32_t blocks)
{
    uint64_t most = (uint64_t)CHAINS_MOST * blocks;
    return channels < most ? channels : (uint32_t)most;
}

/** How many chains the channels are cut into; few leave little unused. */
static uint32_t count_chains(uint32_t blocks, uint32_t channels)
{
    uint32_t count = 0;
    for (uint32_t m = blocks < channels ? blocks : channels; m > 0 && channels > 0; m--)
        if (blocks % m == 0) {
            count += channels / m;
            channels %= m;
        }
    return count;
}

struct rotation rotation_of(uint32_t nodes, uint32_t channels, uint32_t group)
{
    enum { SLACK = 16 };
    assert(group >= 1 && group <= nodes && channels > 0);
    uint32_t least = (uint32_t)ceil_div(nodes, group), best = least;
    for (uint32_t b = least; b <= least + least / SLACK && (uint64_t)b * group <= 2 * (uint64_t)nodes; b++)
        if (count_chains(b, usable(channels, b)) < count_chains(best, usable(channels, best)))
            best = b;
    return (struct rotation){nodes, usable(channels, best), best, group, best * group};
}

/** Channels for all blocks' roots to exchange all-to-all, if their arcs tile the ring. */
static uint64_t exchange_need(uint64_t blocks, uint64_t roots)
{
    return blocks * (roots * roots / 4) / 2;
}

/** The most roots, at least 1. */
static uint32_t most_roots(const struct rotation *at)
{
    uint32_t roots = 1;
    while (roots < at->places && exchange_need(at->blocks, roots + 1) <= at->channels)
        roots++;
    return roots;
}

/** Whether no bound says that it cannot be.  Roots two places apart are different nodes. */
static bool may_fit(const struct rotation *at, uint32_t levels, uint32_t roots)
{
    enum { APART = 4 };
    uint32_t nodes = at->places / roots;
    if (levels == 0 || nodes == 1)
        return levels == 0 && roots == at->places && at->places == at->nodes;
    return (roots == 1 || nodes >= APART) &&
           lattice_least_steps(nodes, (uint32_t)ceil_div((uint64_t)at->spacing * at->channels, roots), 1, false) <= levels;
}

/** The fewest levels that no bound rules out. */
static uint32_t least_levels(const struct rotation *at, uint32_t roots)
{
    uint32_t levels = 0;
    while (levels < at->places && !may_fit(at, levels, roots))
        levels++;
    return levels;
}

/** Trees of a few more levels than the fewest possible: they are cheaper, and what they leave over waits less.  Where each of these has
 * a step that informs nothing but second places of nodes, longer ones. */
static rwa_status try_roots(struct rotated_tree *best, const struct rotation *at, uint32_t roots, struct budget *budget, rwa_error *err)
{
    enum { LONGER = 3, LONGEST = 12 };
    struct rotated_tree tree = {.count = 0};
    uint32_t levels = least_levels(at, roots);
    rwa_status st = RWA_OK;
    for (uint32_t planned = levels; planned <= levels + (best->count > 0 ? LONGER : LONGEST); planned++) {
        uint32_t most = best->count == 0 ? at->places : (rotated_steps(best) - 1 - (roots > 1)) / 2;
        if (planned > most || !may_fit(at, planned, roots))
            break;
        TRY(rotated_tree_place(&tree, at, planned, roots, most, budget, err));
        if (tree.count > 0) {
            rotated_tree_free(best);
            *best = tree;
            tree = (struct rotated_tree){.count = 0};
        }
    }
done:
    rotated_tree_free(&tree);
    return st;
}

uint32_t rotated_least_levels(uint32_t nodes, uint32_t channels, uint32_t group)
{
    struct rotation at = rotation_of(nodes, channels, group);
    uint32_t most = most_roots(&at), least = least_levels(&at, 1);
    for (uint32_t roots = most; roots > 1 && most - roots < ROOTS_TRIED; roots--) {
        uint32_t levels = least_levels(&at, roots);
        least = levels < least ? levels : least;
    }
    return least;
}

rwa_status rotated_find(struct rotated_tree *tree, struct rotation *at, uint32_t nodes, uint32_t channels, uint32_t group,
                       struct budget *budget, rwa_error *err)
{
    *at = rotation_of(nodes, channels, group);
    *tree = (struct rotated_tree){.count = 0};
    MUST(try_roots(tree, at, 1, budget, err));
    uint32_t most = most_roots(at);
    for (uint32_t roots = most; roots > 1 && most - roots < ROOTS_TRIED; roots--)
        MUST(try_roots(tree, at, roots, budget, err));
    return RWA_OK;
}
