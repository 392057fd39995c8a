/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The best of several greedy passes (greedy_pass.h), with channels.  On a line the lightpaths of a step and direction
 * are intervals, so they need no more channels than the most loaded link has lightpaths. */
#include "delivery/line/line_schedule.h"

#include "base/arena.h"
#include "base/arithmetic.h"
#include "delivery/line/greedy_pass.h"
#include "delivery/line/line_position.h"

uint32_t line_fewest_steps(const struct spread_limits *l)
{
    uint32_t far = l->nodes - 1;
    uint64_t by_hops = l->max_hops > 0 && !l->cut ? ceil_div(far, l->max_hops) : 0;
    return (uint32_t)RAISE(by_hops, ceil_div(far, limited(l->channels, l->ports)));
}

/** Trees, and their deliveries sorted by step, block and place. */
struct listed {
    const struct spread_limits *limits;
    const struct delivery_tree *trees;
    struct bins steps;
};

/* ---- taps ---- */

/** Write to the end of taps[], which has s->limits->drops - 1 entries, the nodes that tap the lightpath by which a
 * block reaches place `end`, the nearest to the sender first.  node[] has the node of the network at each position.
 * Returns their number. */
static uint32_t list_taps(uint32_t *taps, const struct listed *s, const uint32_t *node, uint32_t block,
                          uint32_t end)
{
    const struct delivery *row = delivery_tree_row(s->trees, block), *last = &row[end];
    uint32_t count = 0, most = s->limits->drops - 1;
    for (uint32_t i = 1; i < last->links && count < most; i++) {
        uint32_t v = last->way == RISING ? end - i : end + i;
        if (row[v].step != last->step || row[v].way != last->way || row[v].from != last->from)
            continue;
        if (row[v].ends)
            break;
        taps[most - ++count] = node[line_position(s->limits, block, v)];
    }
    return count;
}

/* ---- channels ---- */

/** Scratch for the channels of a step: lists of deliveries by the positions where they start and end, and the free
 * channels. */
struct channels {
    size_t *starting, *ending, *next_starting, *next_ending;
    uint32_t *free, free_count;
};

/** Assign channels to the lightpaths of one step and direction of s->trees, in the order of their lower ends.  A
 * channel is always free, since no link carries more lightpaths than it has channels.  `c` is scratch. */
static void assign_slot(struct listed *s, struct channels *c, uint32_t step, uint8_t way)
{
    const size_t none = SIZE_MAX, from = s->steps.first[step], count = s->steps.first[step + 1] - from;
    const uint32_t nodes = s->trees->nodes, *list = s->steps.number + from;
    memset(c->starting, 0xff, ((size_t)nodes + 1) * sizeof *c->starting);
    memset(c->ending, 0xff, ((size_t)nodes + 1) * sizeof *c->ending);
    for (size_t i = 0; i < count; i++) {
        const struct delivery *d = &s->trees->at[list[i]];
        if (d->way != way || !d->ends)
            continue;
        uint32_t low = line_lowest_link(s->limits, list[i] / nodes, d), high = low + d->links;
        assert(high <= nodes);
        c->next_starting[i] = c->starting[low];
        c->next_ending[i] = c->ending[high];
        c->starting[low] = c->ending[high] = i;
    }
    for (c->free_count = 0; c->free_count < s->limits->channels; c->free_count++)
        c->free[c->free_count] = s->limits->channels - 1 - c->free_count;
    for (uint32_t at = 0; at <= nodes; at++) {
        for (size_t i = c->ending[at]; i != none; i = c->next_ending[i])
            c->free[c->free_count++] = s->trees->at[list[i]].channel;
        for (size_t i = c->starting[at]; i != none; i = c->next_starting[i]) {
            assert(c->free_count > 0);
            s->trees->at[list[i]].channel = c->free[--c->free_count];
        }
    }
}

/** Set the channel of every lightpath in trees->at[].  No link may carry more lightpaths than channels in a step and
 * direction. */
static rwa_status assign_channels(const struct delivery_tree *trees, const struct spread_limits *limits, rwa_error *err)
{
    struct listed of = {limits, trees, {0}}, *s = &of;
    struct channels c;
    struct arena scratch = {.err = err};
    size_t most = 0, nodes = s->trees->nodes;
    rwa_status st = RWA_OK;
    TRY(delivery_tree_list(&s->steps, trees, false, err));
    for (uint32_t step = 0; step < s->trees->steps; step++) {
        size_t count = s->steps.first[step + 1] - s->steps.first[step];
        RAISE(most, count);
    }
    arena_arrays(&scratch, nodes + 1, c.starting, c.ending);
    arena_arrays(&scratch, most, c.next_starting, c.next_ending);
    TRY(arena_arrays(&scratch, s->limits->channels, c.free));
    for (uint32_t slot = 0; slot < 2 * s->trees->steps; slot++)
        assign_slot(s, &c, slot / 2, slot % 2);
done:
    bins_free(&s->steps);
    arena_free(&scratch);
    return st;
}

/* ---- the whole ---- */

/** Run some greedy passes and store in *best the trees with the fewest steps.  The first pass is always finished. */
static rwa_status first_trees(struct delivery_tree *best, const struct spread_limits *limits, struct budget *budget,
                              rwa_error *err)
{
    enum { PASSES = 16 * GREEDY_PASSES };
    const double most_work = 1 << 23; /* pairs looked at: about half a second */
    uint32_t nodes = limits->nodes, fewest = line_fewest_steps(limits);
    struct delivery_tree tried = {0};
    rwa_status st = RWA_OK;
    double work = 0;
    best->steps = UINT32_MAX;
    for (uint32_t i = 0; i < PASSES && best->steps > fewest && (i < GREEDY_PASSES || work < most_work); i++) {
        if (i > 0 && base_must_stop(budget, "greedy passes", work / most_work))
            break;
        if (!tried.at)
            TRY(delivery_tree_create(&tried, nodes, nodes, 0, err));
        TRY(greedy_pass(&tried, limits, i, best->steps - 1, budget, err));
        work += (double)nodes * nodes * lesser(tried.steps, best->steps);
        if (tried.steps < best->steps)
            delivery_tree_swap(&tried, best);
    }
done:
    delivery_tree_free(&tried);
    return st;
}

rwa_status line_schedule_find(struct delivery_tree *out, const struct spread_limits *limits, struct budget *budget,
                              rwa_error *err)
{
    *out = (struct delivery_tree){0};
    MUST(first_trees(out, limits, budget, err));
    return assign_channels(out, limits, err);
}

rwa_status push_line_schedule(struct schedule_sink *sink, const struct delivery_tree *trees,
                              const struct spread_limits *limits, const uint32_t *node, rwa_direction rising)
{
    struct listed s = {limits, trees, {0}};
    uint32_t *taps, nodes = trees->nodes;
    MUST(base_new(taps, limits->drops, sink->err));
    rwa_status st = delivery_tree_list(&s.steps, trees, false, sink->err);
    for (uint32_t step = 0; st == RWA_OK && step < trees->steps; step++) {
        for (size_t i = s.steps.first[step]; i < s.steps.first[step + 1]; i++) {
            uint32_t block = s.steps.number[i] / nodes, place = s.steps.number[i] % nodes;
            const struct delivery *d = &trees->at[s.steps.number[i]];
            if (!d->ends)
                continue;
            uint32_t count = list_taps(taps, &s, node, block, place);
            rwa_lists lists = {.taps = taps + limits->drops - 1 - count, .tap_count = count};
            rwa_lightpath lp = {.step = 1, .src = node[line_position(limits, block, d->from)],
                                .dst = node[line_position(limits, block, place)], .block = node[block], .orbit = 1,
                                .direction = d->way == RISING ? rising : rising == RWA_CW ? RWA_CCW : RWA_CW,
                                .wavelength = d->channel};
            TRY(sink_lightpath(sink, &lp, &lists));
        }
        st = sink_end_stage(sink);
    }
done:
    bins_free(&s.steps);
    free(taps);
    return st;
}
