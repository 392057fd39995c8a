/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The time of a schedule in a cost model, from its definition: step by step, lightpath by lightpath.
 *
 * Everything that a lightpath occupies (a channel of a link, a port, an end of a switch's circuit) keeps the last two steps that
 * used it, so that the current step can be asked for the use before it.  A lightpath is new unless a lightpath of the same
 * fingerprint was in the step before.
 */
#include "check/checker.h"
#include "network/network.h"

/** The last step that used something, and the last step before that one; 0: none. */
struct use {
    uint32_t last, earlier;
};

/** A lightpath of a step: its identity, and the last step that used anything it occupies. */
struct occupant {
    uint64_t fingerprint;
    uint32_t used;
};

struct step_list {
    struct occupant *at;
    size_t count, capacity;
};

/** A step with lightpaths, and its end in seconds. */
struct ended {
    uint32_t step;
    double end_s;
};

struct timing {
    rwa_cost_options cost;
    double rate_bps;
    uint64_t channels;
    struct use *channel;            /* (direction, channel, link), (link, channel) or on a star the channel; switches: their ends */
    struct use *sender, *receiver;  /* by node; NULL: no limit of ports, or (receiver) only senders retune */
    struct step_list now, before;   /* of the current step, in the order of the file, and of the step before, sorted */
    uint32_t blocks;                /* of the fullest lightpath of the step */
    struct ended *ended;            /* ascending; a step of a ron without a lightpath takes no place */
    size_t ended_count, ended_capacity;
    uint32_t steps;
    double end_s;                   /* of the last step */
};

static uint64_t places(const struct checker *chk, uint64_t channels)
{
    switch (rwa_network_topology(chk->net)) {
    case RWA_RING:
    case RWA_LINE:
        return 2 * channels * chk->links;
    case RWA_STAR:
        return channels;
    case RWA_RON:
        return 1;
    case RWA_OCS:
        return 2 * (uint64_t)chk->fibers * chk->nodes;
    default:
        return channels * chk->links;
    }
}

static rwa_status refuse_cost(const rwa_cost_options *o, double rate_bps, rwa_error *err)
{
    bool model = o->model == RWA_COST_PAPER || o->model == RWA_COST_CIRCUIT || o->model == RWA_COST_OVERLAP;
    bool times = o->alpha_s >= 0 && o->reconfig_s >= 0 && o->cycles_per_flit >= 0 &&
                 isfinite(o->alpha_s + o->reconfig_s + o->cycles_per_flit);
    bool units = o->packet_bytes > 0 && o->flit_bytes > 0 && o->clock_hz > 0 && isfinite(o->clock_hz) && rate_bps > 0 && isfinite(rate_bps);
    return model && times && units ? RWA_OK
           : base_fail(err, RWA_BADARG, "cost: expected a known model, times of 0 or more, and packets, flits, clock and rate above 0");
}

rwa_status timing_open(struct checker *chk, const rwa_check_options *opts)
{
    struct timing *t;
    bool ports = rwa_network_ports(chk->net) > 0, both = rwa_network_topology(chk->net) != RWA_RON;
    chk->report->time_s = NAN;
    if (!opts->cost)
        return RWA_OK;
    if (!arena_new(&chk->memory, t, 1))
        return RWA_NOMEM;
    MUST(base_take_options(&t->cost, sizeof t->cost, opts->cost, "cost options", chk->err));
    t->rate_bps = opts->rate_bps > 0 ? opts->rate_bps : rwa_network_rate_bps(chk->net);
    t->channels = (uint64_t)chk->fibers * rwa_network_wavelengths(chk->net);
    MUST(refuse_cost(&t->cost, t->rate_bps, chk->err));
    MUST(limits_fit(&chk->limits, (double)places(chk, t->channels) * sizeof *t->channel, "the time of this schedule", chk->err));
    arena_new(&chk->memory, t->channel, places(chk, t->channels));
    if (ports)
        arena_new(&chk->memory, t->sender, chk->nodes);
    if (ports && both)
        arena_new(&chk->memory, t->receiver, chk->nodes);
    MUST(arena_status(&chk->memory));
    chk->timing = t;
    return RWA_OK;
}

void timing_close(struct checker *chk)
{
    if (!chk->timing)
        return;
    free(chk->timing->now.at);
    free(chk->timing->before.at);
    free(chk->timing->ended);
}

/* ---- a lightpath ---- */

/** Use something in this step. @return the last step before that used it */
static uint32_t occupy(struct use *u, uint32_t step)
{
    if (u->last != step)
        *u = (struct use){step, u->last};
    return u->earlier;
}

static void occupy_all(uint32_t *used, struct use *list, uint64_t count, uint32_t step)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t before = occupy(&list[i], step);
        *used = before > *used ? before : *used;
    }
}

static void occupy_arc(uint32_t *used, const struct checker *chk, const rwa_lightpath *lp, uint32_t hops)
{
    const struct timing *t = chk->timing;
    uint64_t lane = (lp->direction == RWA_CCW ? t->channels : 0) + channel_of(chk, lp);
    uint32_t first = lp->direction == RWA_CCW ? lp->dst : lp->src;
    for (uint32_t h = 0; h < hops; h++)
        occupy_all(used, &t->channel[lane * chk->links + (first + h) % chk->links], 1, chk->step);
}

static void occupy_path(uint32_t *used, const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists)
{
    const struct timing *t = chk->timing;
    for (uint32_t h = 1; h < lists->path_nodes; h++) {
        uint64_t link = rwa_network_find_link(chk->net, lists->path[h - 1], lists->path[h]);
        occupy_all(used, &t->channel[link * t->channels + channel_of(chk, lp)], 1, chk->step);
    }
}

static void occupy_ports(uint32_t *used, const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t turn)
{
    const struct timing *t = chk->timing;
    if (t->sender)
        occupy_all(used, &t->sender[lp->src], 1, chk->step);
    if (t->receiver)
        occupy_all(used, &t->receiver[lp->dst], 1, chk->step);
    for (uint32_t i = 0; i < lists->tap_count && t->receiver; i++)
        occupy_all(used, &t->receiver[(lists->taps[i] + turn) % chk->nodes], 1, chk->step);
}

static uint32_t occupy_lightpath(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t turn, uint32_t hops)
{
    const struct timing *t = chk->timing;
    uint64_t ends = (uint64_t)lp->fiber * chk->nodes, half = (uint64_t)chk->fibers * chk->nodes;
    uint32_t used = 0;
    occupy_ports(&used, chk, lp, lists, turn);
    switch (rwa_network_topology(chk->net)) {
    case RWA_RING:
    case RWA_LINE:
        occupy_arc(&used, chk, lp, hops);
        break;
    case RWA_STAR:
        occupy_all(&used, &t->channel[channel_of(chk, lp)], 1, chk->step);
        break;
    case RWA_RON:
        break;
    case RWA_OCS:
        occupy_all(&used, &t->channel[ends + lp->src], 1, chk->step);
        occupy_all(&used, &t->channel[half + ends + lp->dst], 1, chk->step);
        break;
    default:
        occupy_path(&used, chk, lp, lists);
    }
    return used;
}

static uint64_t mix(uint64_t sum, uint64_t next)
{
    uint64_t state = sum ^ next;
    return base_random(&state) + sum;
}

/** Ends, route, channel and receivers.  In the model overlap a circuit of a switch is one, whatever its wavelengths. */
static uint64_t fingerprint_of(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t turn)
{
    bool circuit = rwa_network_topology(chk->net) == RWA_OCS && chk->timing->cost.model == RWA_COST_OVERLAP;
    uint64_t sum = mix((uint64_t)lp->src << 32 | lp->dst, circuit ? lp->fiber : channel_of(chk, lp));
    sum = mix(sum, lp->direction == RWA_CCW && network_has_arcs(chk->net));
    for (uint32_t h = 0; h < lists->path_nodes && !network_is_one_hop(chk->net); h++)
        sum = mix(sum, lists->path[h]);
    for (uint32_t i = 0; i < lists->tap_count; i++)
        sum = mix(sum, (uint64_t)1 << 32 | (lists->taps[i] + turn) % chk->nodes);
    return sum;
}

rwa_status timing_record(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops)
{
    struct timing *t = chk->timing;
    rwa_lightpath lp;
    if (chk->report->violations > 0)
        return RWA_OK;
    t->blocks = lists->block_count > t->blocks ? lists->block_count : t->blocks;
    if (t->cost.model == RWA_COST_PAPER)
        return RWA_OK;
    MUST(base_grow((void **)&t->now.at, &t->now.capacity, t->now.count + record->orbit, sizeof *t->now.at, chk->err));
    for (uint32_t i = 0; i < record->orbit; i++) {
        rwa_lightpath_of_orbit(&lp, record, i, chk->net, chk->coll);
        uint32_t used = t->cost.model == RWA_COST_OVERLAP ? occupy_lightpath(chk, &lp, lists, i, hops) : 0;
        t->now.at[t->now.count++] = (struct occupant){fingerprint_of(chk, &lp, lists, i), used};
    }
    return RWA_OK;
}

/* ---- a step ---- */

static int by_fingerprint(const void *a, const void *b)
{
    uint64_t x = ((const struct occupant *)a)->fingerprint, y = ((const struct occupant *)b)->fingerprint;
    return (x > y) - (x < y);
}

/** Whether the step has a lightpath that the step before lacks; *used: the last use of anything that these occupy. */
static bool any_new(uint32_t *used, const struct timing *t)
{
    bool any = false;
    *used = 0;
    for (const struct occupant *o = t->now.at; o < t->now.at + t->now.count; o++)
        if ((!any || o->used > *used) && (t->before.count == 0 || !bsearch(o, t->before.at, t->before.count, sizeof *o, by_fingerprint))) {
            any = true;
            *used = o->used > *used ? o->used : *used;
        }
    return any;
}

static double transfer_s(const struct checker *chk, const struct timing *t)
{
    uint64_t bytes = chk->coll->block_bytes * t->blocks;
    double packets = ceil((double)bytes / (double)t->cost.packet_bytes);
    double flits = ceil((double)t->cost.packet_bytes / (double)t->cost.flit_bytes);
    return (double)bytes * 8 / t->rate_bps + packets * flits * t->cost.cycles_per_flit / t->cost.clock_hz;
}

static int by_step(const void *a, const void *b)
{
    uint32_t x = ((const struct ended *)a)->step, y = ((const struct ended *)b)->step;
    return (x > y) - (x < y);
}

/** The end of a step with lightpaths; 0 for step 0. */
static double end_of(const struct timing *t, uint32_t step)
{
    struct ended key = {step, 0};
    const struct ended *found = step > 0 ? bsearch(&key, t->ended, t->ended_count, sizeof key, by_step) : &key;
    assert(found && step <= t->steps);
    return found->end_s;
}

/** When the step starts. */
static double start_s(const struct timing *t, bool tunes, uint32_t used)
{
    const rwa_cost_options *o = &t->cost;
    double before = t->end_s;
    switch (o->model) {
    case RWA_COST_PAPER:
        return before + o->reconfig_s;
    case RWA_COST_CIRCUIT:
        return before + o->alpha_s + (tunes ? o->reconfig_s : 0);
    case RWA_COST_OVERLAP:
        break;
    }
    return tunes ? fmax(before + o->alpha_s, end_of(t, used) + o->reconfig_s) : before + o->alpha_s;
}

rwa_status timing_end_step(struct checker *chk)
{
    struct timing *t = chk->timing;
    uint32_t used = 0;
    if (!t || chk->report->violations > 0)
        return RWA_OK;
    bool tunes = any_new(&used, t) || t->steps == 0;
    t->blocks = t->blocks > 0 ? t->blocks : 1;
    t->end_s = start_s(t, tunes, used) + transfer_s(chk, t);
    t->steps++;
    if (t->now.count > 0) {
        MUST(base_grow((void **)&t->ended, &t->ended_capacity, t->ended_count + 1, sizeof *t->ended, chk->err));
        t->ended[t->ended_count++] = (struct ended){t->steps, t->end_s};
    }
    struct step_list done = t->now;
    if (done.count > 1)
        qsort(done.at, done.count, sizeof *done.at, by_fingerprint);
    t->now = t->before;
    t->before = done;
    t->now.count = 0;
    t->blocks = 0;
    return RWA_OK;
}

rwa_status timing_skip_to(struct checker *chk, uint32_t step)
{
    struct timing *t = chk->timing;
    if (!t)
        return RWA_OK;
    /* The first step always retunes; any other one without lightpaths takes as long as the next. */
    if (t->steps == 0 && step > 1)
        MUST(timing_end_step(chk));
    if (t->steps + 1 >= step || chk->report->violations > 0)
        return RWA_OK;
    t->blocks = 1;
    double pause_s = t->cost.model == RWA_COST_PAPER ? t->cost.reconfig_s : t->cost.alpha_s;
    t->end_s += (step - 1 - t->steps) * (pause_s + transfer_s(chk, t));
    t->steps = step - 1;
    t->before.count = t->blocks = 0;
    return RWA_OK;
}

void timing_report(struct checker *chk)
{
    if (chk->timing && chk->report->violations == 0)
        chk->report->time_s = chk->timing->end_s;
}
