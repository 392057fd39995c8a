/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Many greedy passes with random parameters, each aiming a little lower than the best so far; the best made shorter by gap repair and
 *  negotiation; and its channels. */
#include "delivery/line/line_schedule.h"

#include "base/arena.h"
#include "base/arithmetic.h"
#include "delivery/line/gap_repair.h"
#include "delivery/line/negotiation.h"

struct search {
    struct line_limits limits;
    struct greedy_pass pass;
    struct delivery_tree *best;
    uint64_t random;
};

uint32_t line_fewest_steps(const struct line_limits *l)
{
    uint32_t far = l->nodes - 1, width = l->ports > 0 && l->ports < l->channels ? l->ports : l->channels;
    uint64_t by_capacity = ceil_div(far, width), by_hops = l->max_hops > 0 && !l->failed ? ceil_div(far, l->max_hops) : 0;
    return (uint32_t)(by_capacity > by_hops ? by_capacity : by_hops);
}

/* ---- passes ---- */

/** Between low and high. */
static uint32_t pick(struct search *s, uint32_t low, uint32_t high)
{
    return low + (uint32_t)base_random_below(&s->random, (uint64_t)high - low + 1);
}

/** The ranges hold what did well for one setting or another from 3 to 1024 nodes; the first choice is a good one for most. */
static struct greedy_parameters line_parameters(struct search *s, uint32_t attempt)
{
    uint32_t full = s->limits.channels * GREEDY_ONE, fewest = line_fewest_steps(&s->limits), best = s->best->steps;
    struct greedy_parameters p;
    if (attempt == 0)
        return (struct greedy_parameters){fewest + fewest * 3 / 8, full / 16 * 15, full / 4, GREEDY_ONE * 3 / 10, 3, GREEDY_ONE / 2};
    p.aim = pick(s, best > fewest + 3 ? best - 3 : fewest, best);
    p.speed = pick(s, full / 8 * 7, full);
    p.last_speed = pick(s, full / 16, full / 2);
    p.slope = pick(s, GREEDY_ONE / 5, pick(s, GREEDY_ONE / 2, GREEDY_ONE));
    p.cut = pick(s, 2, pick(s, 2, 10));
    p.bias = pick(s, 0, GREEDY_ONE);
    return p;
}

/** So often can the nodes of a ring be halved. */
static uint32_t digits(uint32_t nodes)
{
    uint32_t count = 0;
    while (nodes >> count > 1)
        count++;
    return count;
}

/** The same for rings from 24 to 1024 nodes. */
static struct greedy_parameters ring_parameters(struct search *s, uint32_t attempt)
{
    uint32_t full = s->limits.channels * GREEDY_ONE, fewest = line_fewest_steps(&s->limits), best = s->best->steps;
    struct greedy_parameters p;
    if (attempt == 0)
        return (struct greedy_parameters){fewest + digits(s->limits.nodes), full, full / 3, GREEDY_ONE / 2, 4, GREEDY_ONE / 2};
    p.aim = pick(s, best > fewest + 4 ? best - 4 : fewest, best + 4);
    p.speed = pick(s, full / 5 * 4, full / 4 * 5);
    p.last_speed = pick(s, full / 8, full / 2);
    p.slope = pick(s, GREEDY_ONE / 4, GREEDY_ONE / 4 * 3);
    p.cut = pick(s, 3, pick(s, 3, 7));
    p.bias = pick(s, GREEDY_ONE / 8, GREEDY_ONE / 8 * 7);
    return p;
}

/** As many as take some seconds at most; small lines get the effort that solves nearly all of them. */
static uint32_t attempts_for(const struct line_limits *l)
{
    enum { LEAST = 8 };
    uint32_t effort = (l->failed ? 1u << 20 : 1u << 21) / (l->brief ? 8 : 1), most = l->failed ? 256 : 1024;
    uint32_t attempts = effort / (l->nodes * l->nodes);
    return attempts < LEAST ? LEAST : attempts > most ? most : attempts;
}

/** The trees of the pass are the best now; it goes on in the memory of the best before. */
static rwa_status keep(struct search *s, rwa_error *err)
{
    delivery_tree_swap(s->best, &s->pass.made);
    return s->pass.made.at ? RWA_OK : delivery_tree_create(&s->pass.made, s->limits.nodes, s->limits.nodes, 0, err);
}

static rwa_status try_parameters(struct search *s, struct budget *budget, rwa_error *err)
{
    uint32_t fewest = line_fewest_steps(&s->limits), attempts = attempts_for(&s->limits);
    for (uint32_t i = 0; i < attempts && s->best->steps > fewest; i++) {
        bool done = false;
        if ((i > 0 || s->best->at) && base_must_stop(budget, "greedy passes", (double)i / attempts))
            break;
        struct greedy_parameters p = s->limits.failed ? ring_parameters(s, i) : line_parameters(s, i);
        MUST(greedy_pass_go(&s->pass, &done, &p, s->best->steps - 1, base_random(&s->random), budget, err));
        if (done)
            MUST(keep(s, err));
    }
    if (budget->cancelled)
        return base_fail(err, RWA_CANCELLED, "planning was stopped");
    return RWA_OK;
}

/* ---- taps ---- */

/** Scratch of share_taps(): of each sender the step of its lightpath at hand, and how many readers this one has. */
struct sharing_state {
    uint32_t *step, *readers;
};

/** The farthest of `drops` receivers of one sender and step ends a lightpath, the others tap it; the farthest come first.  No lightpath
 *  passes an earlier holder, so that those of one sender and step follow each other. */
static void share_row(struct delivery *row, uint32_t nodes, uint8_t way, uint32_t drops, struct sharing_state *s)
{
    memset(s->step, 0, nodes * sizeof *s->step);
    for (uint32_t i = 0; i < nodes; i++) {
        struct delivery *d = &row[way == 0 ? nodes - 1 - i : i];
        if (d->step == 0 || d->way != way)
            continue;
        assert(d->step >= s->step[d->from]);
        if (d->step != s->step[d->from])
            s->readers[d->from] = 0;
        s->step[d->from] = d->step;
        d->ends = s->readers[d->from]++ % drops == 0;
    }
}

/** Let deliveries of one block from one node in one direction and step share lightpaths, which takes the fewest channels on every
 *  link. */
static rwa_status share_taps(struct delivery_tree *t, uint32_t drops, rwa_error *err)
{
    struct sharing_state s = {base_array(t->nodes, sizeof *s.step, err), base_array(t->nodes, sizeof *s.readers, err)};
    rwa_status st = s.step && s.readers ? RWA_OK : RWA_NOMEM;
    for (uint32_t b = 0; st == RWA_OK && b < t->trees && drops > 1; b++) {
        share_row(delivery_tree_row(t, b), t->nodes, 0, drops, &s);
        share_row(delivery_tree_row(t, b), t->nodes, 1, drops, &s);
    }
    free_all(s.step, s.readers);
    return st;
}

/** From the end of a lightpath towards its sender, in the list and on the line. */
uint32_t line_schedule_taps(uint32_t *taps, const struct line_schedule *s, size_t i)
{
    const uint32_t *list = s->steps.number, nodes = s->trees.nodes;
    const struct delivery *end = &s->trees.at[list[i]];
    bool rising = end->way == 0;
    size_t limit = rising ? s->steps.first[end->step - 1] : s->steps.first[end->step] - 1;
    uint32_t count = 0;
    assert(end->ends);
    for (size_t k = i; k != limit;) {
        k = rising ? k - 1 : k + 1;
        const struct delivery *d = &s->trees.at[list[k]];
        if (list[k] / nodes != list[i] / nodes || (d->way == end->way && d->from != end->from) || (d->way == end->way && d->ends))
            break;
        if (d->way == end->way)
            taps[count++] = list[k] % nodes;
    }
    for (uint32_t a = 0, b = count; a + 1 < b; a++, b--) {
        uint32_t kept = taps[a];
        taps[a] = taps[b - 1];
        taps[b - 1] = kept;
    }
    return count;
}

/* ---- channels ---- */

/** Scratch for the channels of a step: lists of deliveries by the positions between which they run, and channels that are free. */
struct channels {
    size_t *starting, *ending, *next_starting, *next_ending;
    uint32_t *free, free_count;
};

/** Take the lightpaths of one step and direction in the order of their lower ends: a channel is free wherever load leaves one. */
static void assign_slot(struct line_schedule *s, struct channels *c, uint32_t step, uint8_t way, uint32_t channels)
{
    const size_t none = SIZE_MAX, from = s->steps.first[step], count = s->steps.first[step + 1] - from;
    const uint32_t nodes = s->trees.nodes, *list = s->steps.number + from;
    memset(c->starting, 0xff, ((size_t)nodes + 1) * sizeof *c->starting);
    memset(c->ending, 0xff, ((size_t)nodes + 1) * sizeof *c->ending);
    for (size_t i = 0; i < count; i++) {
        const struct delivery *d = &s->trees.at[list[i]];
        if (d->way != way || !d->ends)
            continue;
        uint32_t low = lowest_link(d, nodes), high = low + d->links;
        assert(high <= nodes);
        c->next_starting[i] = c->starting[low];
        c->next_ending[i] = c->ending[high];
        c->starting[low] = c->ending[high] = i;
    }
    for (c->free_count = 0; c->free_count < channels; c->free_count++)
        c->free[c->free_count] = channels - 1 - c->free_count;
    for (uint32_t at = 0; at <= nodes; at++) {
        for (size_t i = c->ending[at]; i != none; i = c->next_ending[i])
            c->free[c->free_count++] = s->trees.at[list[i]].channel;
        for (size_t i = c->starting[at]; i != none; i = c->next_starting[i]) {
            assert(c->free_count > 0);
            s->trees.at[list[i]].channel = c->free[--c->free_count];
        }
    }
}

/** No link has fewer channels than lightpaths in a slot. */
static rwa_status assign_channels(struct line_schedule *s, uint32_t channels, rwa_error *err)
{
    struct channels c;
    struct arena scratch = {.err = err};
    size_t most = 0, nodes = s->trees.nodes;
    rwa_status st = RWA_OK;
    TRY(delivery_tree_by_step(&s->steps, &s->trees, err));
    for (uint32_t step = 0; step < s->trees.steps; step++) {
        size_t count = s->steps.first[step + 1] - s->steps.first[step];
        most = count > most ? count : most;
    }
    arena_new(&scratch, c.starting, nodes + 1);
    arena_new(&scratch, c.ending, nodes + 1);
    arena_new(&scratch, c.next_starting, most);
    arena_new(&scratch, c.next_ending, most);
    arena_new(&scratch, c.free, channels);
    TRY(arena_status(&scratch));
    for (uint32_t step = 0; step < s->trees.steps; step++) {
        assign_slot(s, &c, step, 0, channels);
        assign_slot(s, &c, step, 1, channels);
    }
done:
    arena_free(&scratch);
    return st;
}

/* ---- the whole ---- */

/** Take out->steps for what is to be beaten; where `out` has no trees yet, any number will do.  Gap repair and negotiation look at
 *  links alone, not at ports nor at failed links. */
static rwa_status find_fewer(struct delivery_tree *out, const struct line_limits *limits, struct budget *budget, rwa_error *err)
{
    struct search s = {.limits = *limits, .best = out, .random = limits->seed};
    struct gap_table table = {0};
    struct budget most = base_budget_part(budget, limits->failed ? 1 : 0.6);    /* the rest is for improvement */
    rwa_status st = RWA_OK;
    TRY(gap_table_create(&table, limits->nodes + (limits->failed != NULL), 2 * line_fewest_steps(limits) + 8, limits->drops, err));
    TRY(greedy_pass_create(&s.pass, limits, &table, err));
    TRY(try_parameters(&s, &most, err));
    TRY(share_taps(out, limits->drops, err));
    if (limits->ports > 0 || limits->failed)
        goto done;
    TRY(gap_repair(out, &s.pass.made, limits, budget, err));
    TRY(negotiate(out, limits, budget, err));
    TRY(share_taps(out, limits->drops, err));
done:
    greedy_pass_free(&s.pass);
    gap_table_free(&table);
    return st;
}

/** Whether no node reads, or sends, more lightpaths in a step than it has ports. */
static rwa_status keeps_to_ports(bool *keeps, const struct delivery_tree *t, uint32_t ports, rwa_error *err)
{
    size_t cells = (size_t)t->steps * t->nodes;
    uint32_t *sent = base_array(cells, sizeof *sent, err), *read = base_array(cells, sizeof *read, err);
    rwa_status st = sent && read ? RWA_OK : RWA_NOMEM;
    *keeps = true;
    for (size_t i = 0; st == RWA_OK && i < (size_t)t->nodes * t->nodes && ports > 0 && *keeps; i++) {
        const struct delivery *d = &t->at[i];
        if (d->step == 0)
            continue;
        uint32_t *row = sent + (size_t)(d->step - 1) * t->nodes;
        row[d->from] += d->ends;
        *keeps = ++read[(size_t)(d->step - 1) * t->nodes + i % t->nodes] <= ports && row[d->from] <= ports;
    }
    free_all(sent, read);
    return st;
}

/** Fewer steps than `trees` has (none yet: any number), first as if there were ports enough, then within those there are. */
static rwa_status find_within_ports(struct delivery_tree *trees, const struct line_limits *limits, struct budget *budget, rwa_error *err)
{
    struct line_limits without = *limits;
    struct delivery_tree found = {0};
    bool keeps = false;
    rwa_status st = RWA_OK;
    without.ports = 0;
    TRY(delivery_tree_copy(&found, trees, err));
    TRY(find_fewer(&found, &without, budget, err));
    if (found.steps < trees->steps)
        TRY(keeps_to_ports(&keeps, &found, limits->ports, err));
    if (!keeps && limits->ports > 0) {
        delivery_tree_free(&found);
        TRY(delivery_tree_copy(&found, trees, err));
        TRY(find_fewer(&found, limits, budget, err));
        keeps = found.steps < trees->steps;
    }
    if (keeps)
        delivery_tree_swap(trees, &found);
done:
    delivery_tree_free(&found);
    return st;
}

rwa_status line_schedule_find(struct line_schedule *out, const struct line_limits *limits, struct budget *budget, rwa_error *err)
{
    struct line_limits plain = *limits;
    struct budget half = base_budget_part(budget, limits->drops > 1 ? 0.5 : 1);
    plain.drops = 1;
    *out = (struct line_schedule){.trees = {.steps = UINT32_MAX}};
    MUST(find_within_ports(&out->trees, &plain, &half, err));
    if (limits->drops > 1 && out->trees.steps > line_fewest_steps(limits))
        MUST(find_within_ports(&out->trees, limits, budget, err));
    delivery_tree_check(&out->trees);
    return assign_channels(out, limits->channels, err);
}

void line_schedule_free(struct line_schedule *s)
{
    delivery_tree_free(&s->trees);
    bins_free(&s->steps);
}
