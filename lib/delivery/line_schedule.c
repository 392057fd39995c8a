/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Many attempts at random paces, each aiming a little lower than the best so far; the best mended and rerouted to be shorter
 *  still; and its channels. */
#include "delivery/gap_repair.h"
#include "delivery/negotiation.h"
#include "delivery/line_run.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct line_limits limits;
    struct line_run run;
    struct line_schedule *best;
    uint64_t random;
};

uint32_t line_fewest_steps(const struct line_limits *l)
{
    uint32_t far = l->nodes - 1, width = l->ports > 0 && l->ports < l->channels ? l->ports : l->channels;
    uint32_t by_room = far / width + (far % width != 0);
    uint32_t by_hops = l->max_hops > 0 ? far / l->max_hops + (far % l->max_hops != 0) : 0;
    return by_room > by_hops ? by_room : by_hops;
}

/** Between low and high. */
static uint32_t pick(struct search *s, uint32_t low, uint32_t high)
{
    return low + (uint32_t)base_random_below(&s->random, (uint64_t)high - low + 1);
}

/** The ranges hold what did well for one setting or another from 3 to 1024 nodes; the first pace is a good one for most. */
static void choose_pace(struct line_pace *pace, struct search *s, uint32_t attempt)
{
    uint32_t full = s->limits.channels * PACE_ONE, fewest = line_fewest_steps(&s->limits), best = s->best->steps;
    if (attempt == 0) {
        *pace = (struct line_pace){fewest + fewest * 3 / 8, full / 16 * 15, full / 4, PACE_ONE * 3 / 10, 3, PACE_ONE / 2};
        return;
    }
    pace->aim = pick(s, best > fewest + 3 ? best - 3 : fewest, best);
    pace->speed = pick(s, full / 8 * 7, full);
    pace->last_speed = pick(s, full / 16, full / 2);
    pace->rise = pick(s, PACE_ONE / 5, pick(s, PACE_ONE / 2, PACE_ONE));
    pace->cut = pick(s, 2, pick(s, 2, 10));
    pace->lean = pick(s, 0, PACE_ONE);
}

rwa_status line_schedule_open(struct line_schedule *f, uint32_t nodes, rwa_error *err)
{
    f->hop = base_array((size_t)nodes * (nodes - 1), sizeof *f->hop, err);
    return f->hop ? base_grow((void **)&f->first, &f->first_room, nodes, sizeof *f->first, err) : RWA_NOMEM;
}

/** What the run made is the best now; the run goes on in the room of the one before. */
static rwa_status keep(struct search *s, rwa_error *err)
{
    struct line_schedule before = *s->best;
    *s->best = s->run.made;
    s->run.made = before;
    return before.hop ? RWA_OK : line_schedule_open(&s->run.made, s->limits.nodes, err);
}

/** As many as take some seconds at most; small lines get the effort that solves nearly all of them. */
static uint32_t attempts_for(uint32_t nodes)
{
    const uint32_t effort = 1u << 21;
    uint32_t attempts = effort / (nodes * nodes);
    return attempts < 8 ? 8 : attempts > 1024 ? 1024 : attempts;
}

static rwa_status try_paces(struct search *s, struct budget *budget, rwa_error *err)
{
    uint32_t fewest = line_fewest_steps(&s->limits), attempts = attempts_for(s->limits.nodes);
    rwa_status st = RWA_OK;
    for (uint32_t i = 0; i < attempts && s->best->steps > fewest; i++) {
        struct line_pace pace;
        bool done = false;
        if ((i > 0 || s->best->hop) && base_must_stop(budget, "running along the line", (double)i / attempts))
            return budget->cancelled ? base_fail(err, RWA_CANCELLED, "planning was stopped on a line") : RWA_OK;
        choose_pace(&pace, s, i);
        TRY(line_run_go(&s->run, &done, &pace, s->best->steps - 1, base_random(&s->random), budget, err));
        if (done)
            TRY(keep(s, err));
    }
done:
    return st;
}

/** Scratch for the channels of a step: lists of hops by the nodes between which they run, and channels that are free. */
struct channels {
    size_t *starting, *ending, *next_starting, *next_ending;
    uint32_t *free, free_count;
};

/** By block, sender and direction, then by distance: those that may share lightpaths follow each other. */
static int compare_hops(const void *left, const void *right)
{
    const struct line_hop *a = left, *b = right;
    uint32_t far_a = a->dst > a->src ? a->dst - a->src : a->src - a->dst, far_b = b->dst > b->src ? b->dst - b->src : b->src - b->dst;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    if ((a->dst > a->src) != (b->dst > b->src))
        return a->dst > a->src ? -1 : 1;
    return far_a < far_b ? -1 : far_a > far_b;
}

static bool may_share(const struct line_hop *a, const struct line_hop *b)
{
    return a->block == b->block && a->src == b->src && (a->dst > a->src) == (b->dst > b->src);
}

void line_schedule_share(struct line_schedule *f, uint32_t drops)
{
    f->drops = drops;
    for (uint32_t s = 0; s < f->steps && drops > 1; s++) {
        struct line_hop *hop = f->hop + f->first[s];
        size_t count = f->first[s + 1] - f->first[s];
        qsort(hop, count, sizeof *hop, compare_hops);
        for (size_t i = count, behind = 0; i-- > 0;) {
            behind = i + 1 < count && may_share(&hop[i], &hop[i + 1]) ? behind + 1 : 0;
            hop[i].ends = behind % drops == 0;
        }
    }
}

/** Take the lightpaths of one step and direction in the order of their lower ends: a channel is free wherever load leaves one. */
static void assign_step(struct line_schedule *f, struct channels *c, uint32_t step, bool up, uint32_t channels)
{
    const size_t none = SIZE_MAX, from = f->first[step], to = f->first[step + 1];
    memset(c->starting, 0xff, f->nodes * sizeof *c->starting);
    memset(c->ending, 0xff, f->nodes * sizeof *c->ending);
    for (size_t i = from; i < to; i++) {
        const struct line_hop *h = &f->hop[i];
        if ((h->dst > h->src) != up || !h->ends)
            continue;
        uint32_t low = up ? h->src : h->dst, high = up ? h->dst : h->src;
        c->next_starting[i - from] = c->starting[low];
        c->next_ending[i - from] = c->ending[high];
        c->starting[low] = c->ending[high] = i - from;
    }
    for (c->free_count = 0; c->free_count < channels; c->free_count++)
        c->free[c->free_count] = channels - 1 - c->free_count;
    for (uint32_t node = 0; node < f->nodes; node++) {
        for (size_t i = c->ending[node]; i != none; i = c->next_ending[i])
            c->free[c->free_count++] = f->hop[from + i].channel;
        for (size_t i = c->starting[node]; i != none; i = c->next_starting[i])
            f->hop[from + i].channel = c->free[--c->free_count];
    }
}

rwa_status line_schedule_assign(struct line_schedule *f, uint32_t channels, rwa_error *err)
{
    struct channels c = {0};
    size_t most = 0;
    rwa_status st = RWA_OK;
    for (uint32_t s = 0; s < f->steps; s++)
        most = f->first[s + 1] - f->first[s] > most ? f->first[s + 1] - f->first[s] : most;
    c.starting = base_array(f->nodes, sizeof *c.starting, err);
    c.ending = base_array(f->nodes, sizeof *c.ending, err);
    c.next_starting = base_array(most, sizeof *c.next_starting, err);
    c.next_ending = base_array(most, sizeof *c.next_ending, err);
    c.free = base_array(channels, sizeof *c.free, err);
    if (!c.starting || !c.ending || !c.next_starting || !c.next_ending || !c.free)
        st = RWA_NOMEM;
    for (uint32_t s = 0; st == RWA_OK && s < f->steps; s++) {
        assign_step(f, &c, s, true, channels);
        assign_step(f, &c, s, false, channels);
    }
    free(c.starting);
    free(c.ending);
    free(c.next_starting);
    free(c.next_ending);
    free(c.free);
    return st;
}

/** Take out->steps for what is to be beaten; where out has no hops yet, any will do.  What makes the best shorter looks at links
 *  alone, not at ports. */
static rwa_status find_fewer(struct line_schedule *out, const struct line_limits *limits, struct budget *budget, rwa_error *err)
{
    struct search s = {.limits = *limits, .best = out, .random = limits->seed};
    struct gap_table table = {0};
    struct budget most = base_budget_part(budget, 0.6);    /* the rest is for what makes the best shorter */
    rwa_status st = RWA_OK;
    TRY(gap_table_create(&table, limits->nodes, 2 * line_fewest_steps(limits) + 8, limits->drops, err));
    TRY(line_run_create(&s.run, limits, &table, err));
    TRY(try_paces(&s, &most, err));
    line_schedule_share(out, limits->drops);
    if (limits->ports > 0)
        goto done;
    TRY(gap_repair(out, limits, budget, err));
    TRY(negotiate(out, limits, budget, err));
done:
    line_run_free(&s.run);
    gap_table_free(&table);
    return st;
}

/** One without hops stays one. */
static rwa_status copy_front(struct line_schedule *to, const struct line_schedule *from, rwa_error *err)
{
    rwa_status st = RWA_OK;
    *to = (struct line_schedule){.steps = from->steps};
    if (!from->hop)
        return RWA_OK;
    TRY(line_schedule_open(to, from->nodes, err));
    TRY(base_grow((void **)&to->first, &to->first_room, (size_t)from->steps + 1, sizeof *to->first, err));
    to->nodes = from->nodes;
    to->steps = from->steps;
    memcpy(to->hop, from->hop, from->first[from->steps] * sizeof *from->hop);
    memcpy(to->first, from->first, ((size_t)from->steps + 1) * sizeof *from->first);
done:
    return st;
}

/** Whether no node reads, or sends, more lightpaths in a step than it has ports. */
static rwa_status keeps_to_ports(bool *keeps, const struct line_schedule *f, uint32_t ports, rwa_error *err)
{
    uint32_t *sent = base_array(f->nodes, sizeof *sent, err), *read = base_array(f->nodes, sizeof *read, err);
    rwa_status st = sent && read ? RWA_OK : RWA_NOMEM;
    *keeps = true;
    for (uint32_t s = 0; st == RWA_OK && s < f->steps && ports > 0; s++) {
        memset(sent, 0, f->nodes * sizeof *sent);
        memset(read, 0, f->nodes * sizeof *read);
        for (size_t i = f->first[s]; i < f->first[s + 1]; i++) {
            read[f->hop[i].dst]++;
            sent[f->hop[i].src] += f->hop[i].ends;
            *keeps = *keeps && read[f->hop[i].dst] <= ports && sent[f->hop[i].src] <= ports;
        }
    }
    free(sent);
    free(read);
    return st;
}

/** Fewer steps than `front` has (none yet: any number), first as if there were ports enough, then within those there are. */
static rwa_status find_within_ports(struct line_schedule *front, const struct line_limits *limits, struct budget *budget,
                                    rwa_error *err)
{
    struct line_limits roomy = *limits;
    struct line_schedule found = {0};
    bool keeps = false;
    rwa_status st = RWA_OK;
    roomy.ports = 0;
    TRY(copy_front(&found, front, err));
    TRY(find_fewer(&found, &roomy, budget, err));
    line_schedule_share(&found, limits->drops);
    if (found.steps < front->steps)
        TRY(keeps_to_ports(&keeps, &found, limits->ports, err));
    if (!keeps && limits->ports > 0) {
        line_schedule_free(&found);
        TRY(copy_front(&found, front, err));
        TRY(find_fewer(&found, limits, budget, err));
        line_schedule_share(&found, limits->drops);
        keeps = found.steps < front->steps;
    }
    if (keeps) {
        struct line_schedule old = *front;
        *front = found;
        found = old;
    }
done:
    line_schedule_free(&found);
    return st;
}

rwa_status line_schedule_find(struct line_schedule *out, const struct line_limits *limits, struct budget *budget, rwa_error *err)
{
    struct line_limits plain = *limits;
    struct budget half = base_budget_part(budget, limits->drops > 1 ? 0.5 : 1);
    rwa_status st = RWA_OK;
    plain.drops = 1;
    *out = (struct line_schedule){.steps = UINT32_MAX};
    TRY(find_within_ports(out, &plain, &half, err));
    if (limits->drops > 1 && out->steps > line_fewest_steps(limits))
        TRY(find_within_ports(out, limits, budget, err));
    TRY(line_schedule_assign(out, limits->channels, err));
done:
    return st;
}

void line_schedule_free(struct line_schedule *f)
{
    free(f->hop);
    free(f->first);
    memset(f, 0, sizeof *f);
}
