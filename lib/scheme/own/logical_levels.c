/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Levels of lightpaths of lengths 1, r, r² ... along a ring or line: which ones, from closed forms of the steps and loads. */
#include "scheme/own/logical.h"

uint32_t levels_copies(const struct logical_choice *c, uint32_t channels, uint32_t level)
{
    uint32_t rest = channels - c->levels, above = c->levels - 1;
    assert(c->levels >= 2 && c->levels <= channels && level < c->levels);
    return level == 0 ? 1 : 1 + rest / above + (level == c->extra ? rest % above : 0);
}

/** Lightpaths of a level that a block takes on its way up to the next level and down again, at most.  Where that has several channels, one
 *  of them leads near both the owner and the end: half as many. */
static double climb_on(const struct logical_choice *c, uint32_t channels, uint32_t level)
{
    return (double)c->ratio / (levels_copies(c, channels, level + 1) > 1 ? 2 : 1);
}

static double climb_of(const struct logical_choice *c, uint32_t channels)
{
    double climb = 0;
    for (uint32_t level = 0; level + 1 < c->levels; level++)
        climb += climb_on(c, channels, level);
    return climb;
}

/**
 * At the rate of `most` blocks on each lightpath and step half of all blocks, on a line all, come down to a node from either side, after
 * those that climb; no fewer steps than the longest way has lightpaths.
 */
static void rate_gather(struct levels *l, const struct levels_use *use, double farthest, double climb)
{
    const double start = 4; /* measured on 256 to 1024 nodes: steps until most lightpaths are busy */
    double fill = climb + start, blocks = (double)use->nodes / (use->ring ? 2 : 1);
    double most = sqrt(blocks * use->step_s / (fill * use->block_s));
    most = farthest > fill ? fmin(most, 0.9 * blocks / (farthest - fill)) : most;
    l->most = most < 1 ? 1 : most < use->nodes ? (uint32_t)most : use->nodes;
    l->time_s = fmax(farthest, fill + blocks / l->most) * (use->step_s + l->most * use->block_s);
}

/** Half of all pairs lie on either side of the middle, and their blocks cross it, on a ring there or opposite, over the longest lightpaths;
 *  those of other levels, in steps of their own, carry each block half as far as the farthest. */
static void rate_exchange(struct levels *l, const struct levels_use *use, double farthest)
{
    const double carriages_most = 1 << 25; /* the plan of more takes seconds and gigabytes */
    const struct logical_choice *c = &l->choice;
    double pairs = (double)use->nodes * use->nodes, length = 1;
    double loads = pairs / (use->ring ? 8 : 4) / levels_copies(c, use->channels, c->levels - 1);
    for (uint32_t level = 0; level + 1 < c->levels; level++, length *= c->ratio) {
        double lightpaths = 2 * use->nodes / length * levels_copies(c, use->channels, level);
        loads += pairs * climb_on(c, use->channels, level) / 2 / lightpaths;
    }
    l->most = 1;
    l->time_s = pairs * farthest <= carriages_most ? farthest * use->step_s + loads * use->block_s : INFINITY;
}

static void rate_levels(struct levels *l, const struct levels_use *use)
{
    const struct logical_choice *c = &l->choice;
    double climb = climb_of(c, use->channels), farthest = climb + (double)use->nodes / c->longest / (use->ring ? 2 : 1);
    if (use->exchange)
        rate_exchange(l, use, farthest);
    else
        rate_gather(l, use, farthest, climb);
}

/** The quickest of so many levels; time_s is infinite where lightpaths would be too long, or ways. */
static struct levels best_of(const struct levels_use *use, uint32_t levels)
{
    struct levels best = {.time_s = INFINITY}, next = {.choice = {.levels = levels}};
    double most = fmin(use->nodes / 2, use->longest);
    for (uint32_t ratio = 3; pow(ratio, levels - 1.0) <= most; ratio++)
        for (uint32_t extra = 1; extra < (use->channels > levels ? levels : 2); extra++) {
            next.choice.longest = (uint32_t)pow(ratio, levels - 1.0);
            next.choice.ratio = ratio;
            next.choice.extra = extra;
            rate_levels(&next, use);
            best = next.time_s < best.time_s ? next : best;
        }
    return best;
}

size_t levels_list(struct levels *list, const struct levels_use *use)
{
    size_t count = 0;
    bool aligned = use->ring || use->exchange; /* on a line, where lightpaths of all levels end, no way leads past a node */
    for (uint32_t levels = 2; levels + !aligned <= use->channels && levels <= LEVELS_MOST; levels++) {
        struct levels next = best_of(use, levels);
        size_t at = count;
        for (; at > 0 && list[at - 1].time_s > next.time_s; at--)
            list[at] = list[at - 1];
        list[at] = next;
        count += isfinite(next.time_s) != 0;
    }
    return count;
}
