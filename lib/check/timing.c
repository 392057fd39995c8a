/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The time of a schedule in a cost model, from its definition: step by step, lightpath by lightpath.
 *
 * Everything that a lightpath occupies (a channel of a link, a port, an end of a switch's circuit) keeps the last two steps that
 * used it, so that the current step can be asked for the use before it.  A lightpath is new unless a lightpath of the same
 * fingerprint was in the step before.
 *
 * An orbit of all nodes along links of one class (symmetry.c) is the same lightpaths from whichever of them it is counted, if its period
 * P divides the nodes of the cycle: moving by one node round the cycle adds 1 to position and channel, modulo P.  So one fingerprint, of
 * its lightpath from node 0, stands for it; two such orbits of the same period are equal or share no lightpath; and an orbit that uses
 * a channel of a link uses all channels and links of the class with the same key, a diagonal.  Of each class orbits of the first such
 * period are taken whole; other lightpaths one by one.
 */
#include "check/checker.h"
#include "network/network.h"

/** The last step that used something, and the last step before that one; 0: none. */
struct use {
    uint32_t last, earlier;
};

/** Lightpaths, or whole orbits, of a step. */
struct fingerprints {
    uint64_t *at;
    size_t count, capacity;
};

struct lightpaths {
    struct fingerprints single, whole;
};

/** The same of the step before: a hash table with open addressing, at most half full; 0 is free. */
struct fingerprint_table {
    uint64_t *slot;
    size_t count, slots;        /* slots: a power of two */
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
    struct use *diagonal;           /* by key; NULL: no whole orbit so far */
    uint32_t *period;               /* of whole orbits, by class; 0: none so far */
    struct use *sender, *receiver;  /* by node; NULL: no limit of ports, or (receiver) only senders retune */
    struct lightpaths now;          /* of the current step */
    struct fingerprint_table single_before, whole_before;
    bool tunes;                     /* the step has a lightpath that the step before lacks */
    uint32_t used;                  /* the last step before that used anything these lightpaths occupy */
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
    case RWA_LINE: return 2 * channels * chk->links;
    case RWA_STAR: return channels;
    case RWA_RON: return 1;
    case RWA_OCS: return 2 * (uint64_t)chk->fibers * chk->nodes;
    default: return channels * chk->links;
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
    if (ports)
        arena_new(&chk->memory, t->sender, chk->nodes);
    if (ports && both)
        arena_new(&chk->memory, t->receiver, chk->nodes);
    arena_new(&chk->memory, t->period, (size_t)chk->classes + 1);
    MUST(arena_status(&chk->memory));
    chk->timing = t;
    return RWA_OK;
}

void timing_close(struct checker *chk)
{
    if (!chk->timing)
        return;
    const struct timing *t = chk->timing;
    free_all(t->now.single.at, t->now.whole.at, t->single_before.slot, t->whole_before.slot, t->ended);
}

/* ---- a lightpath ---- */

/** The last step before this one that used something. */
static uint32_t used_before(const struct use *u, uint32_t step)
{
    return u->last != step ? u->last : u->earlier;
}

/** Use something in this step. @return the last step before that used it */
static uint32_t occupy(struct use *u, uint32_t step)
{
    if (u->last != step)
        *u = (struct use){step, u->last};
    return u->earlier;
}

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void occupy_one(uint32_t *used, struct use *u, uint32_t step)
{
    *used = later(*used, occupy(u, step));
}

/** The node of lightpath `turn` of an orbit. */
static uint32_t node_of(const struct checker *chk, uint32_t node, uint32_t turn)
{
    return turn == 0 ? node : translations_add(&chk->group, node, turn);
}

/** The diagonal of a channel on the links of a class from a node; NULL: orbits that are taken whole do not use it. */
static struct use *diagonal_of(const struct checker *chk, uint32_t class, uint64_t channel, uint32_t node)
{
    const struct timing *t = chk->timing;
    uint32_t period = t->diagonal && class < chk->classes ? t->period[class] : 0;
    if (period == 0 || channel / period >= t->channels / period)
        return NULL;
    return &t->diagonal[class_key(chk, class, period, channel, class_position(chk, class, node))];
}

/** A single lightpath uses a channel of a link of a class from a node. */
static void occupy_link(uint32_t *used, const struct checker *chk, uint64_t place, uint32_t class, uint64_t channel, uint32_t node)
{
    const struct timing *t = chk->timing;
    const struct use *diagonal = diagonal_of(chk, class, channel, node);
    occupy_one(used, &t->channel[place], chk->step);
    if (diagonal)
        *used = later(*used, used_before(diagonal, chk->step));
}

static void occupy_arc(uint32_t *used, const struct checker *chk, const rwa_lightpath *lp, uint32_t hops)
{
    const struct timing *t = chk->timing;
    uint64_t channel = channel_of(chk, lp), lane = (lp->direction == RWA_CCW ? t->channels : 0) + channel;
    uint32_t first = lp->direction == RWA_CCW ? lp->dst : lp->src;
    for (uint32_t h = 0; h < hops; h++) {
        uint32_t link = (first + h) % chk->links;
        occupy_link(used, chk, lane * chk->links + link, lp->direction == RWA_CCW, channel, link);
    }
}

/** Lightpath `turn` of a record with these lists. */
static void occupy_path(uint32_t *used, const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t turn)
{
    const struct timing *t = chk->timing;
    for (uint32_t h = 1; h < lists->path_nodes; h++) {
        uint32_t from = node_of(chk, lists->path[h - 1], turn), to = node_of(chk, lists->path[h], turn);
        uint64_t place = rwa_network_find_link(chk->net, from, to) * t->channels + channel_of(chk, lp);
        occupy_link(used, chk, place, t->diagonal ? class_of_link(chk, from, to) : 0, channel_of(chk, lp), from);
    }
}

static void occupy_ports(uint32_t *used, const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t turn)
{
    const struct timing *t = chk->timing;
    if (t->sender)
        occupy_one(used, &t->sender[lp->src], chk->step);
    if (t->receiver)
        occupy_one(used, &t->receiver[lp->dst], chk->step);
    for (uint32_t i = 0; i < lists->tap_count && t->receiver; i++)
        occupy_one(used, &t->receiver[node_of(chk, lists->taps[i], turn)], chk->step);
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
        occupy_one(&used, &t->channel[channel_of(chk, lp)], chk->step);
        break;
    case RWA_RON:
        break;
    case RWA_OCS:
        occupy_one(&used, &t->channel[ends + lp->src], chk->step);
        occupy_one(&used, &t->channel[half + ends + lp->dst], chk->step);
        break;
    default:
        occupy_path(&used, chk, lp, lists, turn);
    }
    return used;
}

static uint64_t mix(uint64_t sum, uint64_t next)
{
    uint64_t state = sum ^ next;
    return base_random(&state) + sum;
}

/** Ends, route, channel and receivers; not 0.  In the model overlap a circuit of a switch is one, whatever its wavelengths. */
static uint64_t fingerprint_of(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t turn)
{
    bool circuit = rwa_network_topology(chk->net) == RWA_OCS && chk->timing->cost.model == RWA_COST_OVERLAP;
    uint64_t sum = mix((uint64_t)lp->src << 32 | lp->dst, circuit ? lp->fiber : channel_of(chk, lp));
    sum = mix(sum, lp->direction == RWA_CCW && network_has_arcs(chk->net));
    for (uint32_t h = 0; h < lists->path_nodes && !network_is_one_hop(chk->net); h++)
        sum = mix(sum, node_of(chk, lists->path[h], turn));
    for (uint32_t i = 0; i < lists->tap_count; i++)
        sum = mix(sum, (uint64_t)1 << 32 | node_of(chk, lists->taps[i], turn));
    return sum > 0 ? sum : 1;
}

/* ---- whole orbits ---- */

/** The class of the route of a record that is taken as a whole orbit, or that its lightpaths share with such orbits; chk->classes: none.
 *  The first whole orbit of a class sets its period. */
static uint32_t class_of_whole(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops, bool *whole)
{
    struct timing *t = chk->timing;
    uint32_t class = chk->classes;
    if (record->orbit > 1 || t->whole_before.count > 0)
        class = class_of_route(chk, record, lists, hops);
    *whole = class < chk->classes && record->orbit == chk->nodes && !t->sender && class_cycle(chk, class) % record->period == 0;
    if (*whole && !t->diagonal)
        arena_new(&chk->memory, t->diagonal, chk->classes * (size_t)t->channels);
    if (*whole && t->period[class] == 0 && t->diagonal)
        t->period[class] = record->period;
    *whole = *whole && t->period[class] == record->period;
    return class;
}

/** The fingerprint of the whole orbit that lightpath `turn` of a record, on a channel of whole periods, belongs to. */
static uint64_t orbit_of(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t turn, uint32_t class)
{
    uint32_t period = chk->timing->period[class];
    uint64_t channel = class_key(chk, 0, period, channel_of(chk, lp), class_position(chk, class, lp->src));
    rwa_lightpath first = *lp;
    first.src = 0;
    first.dst = translations_move(&chk->group, lp->dst, lp->src, 0);
    first.fiber = (uint32_t)(channel / chk->wavelengths);
    first.wavelength = (uint32_t)(channel % chk->wavelengths);
    return fingerprint_of(chk, &first, lists, translations_move(&chk->group, turn, lp->src, 0));
}

static uint32_t occupy_diagonals(const struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops,
                                 uint32_t class)
{
    const struct timing *t = chk->timing;
    uint32_t used = 0;
    for (uint32_t h = 0; h < hops && h < t->period[class]; h++)
        occupy_one(&used, diagonal_of(chk, class, channel_of(chk, record), link_node(chk, record, lists, h)), chk->step);
    return used;
}

/* ---- a record ---- */

/** The slot of a fingerprint, or where it would be put.  Fingerprints are random numbers. */
static uint64_t *find_slot(const struct fingerprint_table *f, uint64_t one)
{
    size_t i = one & (f->slots - 1);
    assert(f->count < f->slots);
    while (f->slot[i] != 0 && f->slot[i] != one)
        i = (i + 1) & (f->slots - 1);
    return &f->slot[i];
}

static bool has(const struct fingerprint_table *f, uint64_t one)
{
    return f->count > 0 && *find_slot(f, one) == one;
}

static void note_new(struct timing *t, uint32_t used)
{
    t->tunes = true;
    t->used = later(t->used, used);
}

static rwa_status push(struct fingerprints *f, uint64_t one, rwa_error *err)
{
    return base_append(f->at, f->count, f->capacity, err, one);
}

/** Whether no further lightpath of the step can change when it starts: one is new, and in the model overlap waits for the step before. */
static bool is_decided(const struct checker *chk)
{
    const struct timing *t = chk->timing;
    return t->tunes && (t->cost.model != RWA_COST_OVERLAP || t->used + 1 == chk->step);
}

/** class: of the route; chk->classes: none that whole orbits have. */
static bool was_before(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint64_t fingerprint, uint32_t turn,
                       uint32_t class)
{
    const struct timing *t = chk->timing;
    if (has(&t->single_before, fingerprint))
        return true;
    bool may = t->whole_before.count > 0 && diagonal_of(chk, class, channel_of(chk, lp), lp->src);
    return may && has(&t->whole_before, orbit_of(chk, lp, lists, turn, class));
}

/** All lightpaths of a record, one by one. */
static rwa_status time_each(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops, uint32_t class,
                            bool keep)
{
    struct timing *t = chk->timing;
    rwa_lightpath lp;
    for (uint32_t i = 0; i < record->orbit; i++) {
        rwa_lightpath_of_orbit(&lp, record, i, chk->net, chk->coll);
        uint32_t used = t->cost.model == RWA_COST_OVERLAP ? occupy_lightpath(chk, &lp, lists, i, hops) : 0;
        uint64_t fingerprint = fingerprint_of(chk, &lp, lists, i);
        if (keep)
            MUST(push(&t->now.single, fingerprint, chk->err));
        if (!is_decided(chk) && !was_before(chk, &lp, lists, fingerprint, i, class))
            note_new(t, used);
    }
    return RWA_OK;
}

/** Room for the uses of single lightpaths, once there is one. */
static rwa_status open_channels(struct checker *chk)
{
    struct timing *t = chk->timing;
    uint64_t count = places(chk, t->channels);
    if (t->channel)
        return RWA_OK;
    MUST(limits_fit(&chk->limits, (double)count * sizeof *t->channel, "the time of this schedule", chk->err));
    return arena_new(&chk->memory, t->channel, count) ? RWA_OK : RWA_NOMEM;
}

/** A whole orbit, one by one only where single lightpaths may have been there before it. */
static rwa_status time_whole(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops, uint32_t class)
{
    struct timing *t = chk->timing;
    bool overlap = t->cost.model == RWA_COST_OVERLAP, singles = overlap ? t->channel != NULL : t->single_before.count > 0;
    uint32_t used = overlap ? occupy_diagonals(chk, record, lists, hops, class) : 0;
    uint64_t fingerprint = orbit_of(chk, record, lists, 0, class);
    MUST(push(&t->now.whole, fingerprint, chk->err));
    if (is_decided(chk) || has(&t->whole_before, fingerprint))
        return RWA_OK;
    if (singles)
        return time_each(chk, record, lists, hops, class, false);
    note_new(t, used);
    return RWA_OK;
}

rwa_status timing_record(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops)
{
    struct timing *t = chk->timing;
    if (chk->report->violations > 0)
        return RWA_OK;
    t->blocks = later(lists->block_count, t->blocks);
    if (t->cost.model == RWA_COST_PAPER)
        return RWA_OK;
    bool whole;
    uint32_t class = class_of_whole(chk, record, lists, hops, &whole);
    MUST(arena_status(&chk->memory));
    if (whole)
        return time_whole(chk, record, lists, hops, class);
    if (t->cost.model == RWA_COST_OVERLAP)
        MUST(open_channels(chk));
    return time_each(chk, record, lists, hops, class, true);
}

/* ---- a step ---- */

static double transfer_s(const struct checker *chk, const struct timing *t)
{
    uint64_t bytes = chk->coll->block_bytes * t->blocks;
    double packets = ceil((double)bytes / (double)t->cost.packet_bytes);
    double flits = ceil((double)t->cost.packet_bytes / (double)t->cost.flit_bytes);
    return (double)bytes * 8 / t->rate_bps + packets * flits * t->cost.cycles_per_flit / t->cost.clock_hz;
}

COMPARATOR(by_step, struct ended, UP(step))

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
    case RWA_COST_PAPER: return before + o->reconfig_s;
    case RWA_COST_CIRCUIT: return before + o->alpha_s + (tunes ? o->reconfig_s : 0);
    case RWA_COST_OVERLAP: break;
    }
    return tunes ? fmax(before + o->alpha_s, end_of(t, used) + o->reconfig_s) : before + o->alpha_s;
}

static rwa_status empty_table(struct fingerprint_table *f, size_t most, rwa_error *err)
{
    size_t slots = f->slots > 0 ? f->slots : 16;
    while (slots < 2 * most)
        slots *= 2;
    if (slots > f->slots)
        MUST(base_resize((void **)&f->slot, slots, sizeof *f->slot, err));
    f->slots = slots;
    f->count = 0;
    memset(f->slot, 0, slots * sizeof *f->slot);
    return RWA_OK;
}

/** Move fingerprints to a table. */
static rwa_status turn_over_list(struct fingerprint_table *to, struct fingerprints *from, rwa_error *err)
{
    if (from->count + to->count > 0)
        MUST(empty_table(to, from->count, err));
    for (size_t i = 0; i < from->count; i++) {
        *find_slot(to, from->at[i]) = from->at[i];
        to->count++;
    }
    from->count = 0;
    return RWA_OK;
}

/** The lightpaths of the step that ends become those before the next one. */
static rwa_status turn_over(struct timing *t, rwa_error *err)
{
    MUST(turn_over_list(&t->single_before, &t->now.single, err));
    MUST(turn_over_list(&t->whole_before, &t->now.whole, err));
    t->tunes = false;
    t->blocks = t->used = 0;
    return RWA_OK;
}

rwa_status timing_end_step(struct checker *chk)
{
    struct timing *t = chk->timing;
    if (!t || chk->report->violations > 0)
        return RWA_OK;
    t->blocks = t->blocks > 0 ? t->blocks : 1;
    t->end_s = start_s(t, t->tunes || t->steps == 0, t->used) + transfer_s(chk, t);
    t->steps++;
    if (t->now.single.count + t->now.whole.count > 0) {
        MUST(base_append(t->ended, t->ended_count, t->ended_capacity, chk->err, (struct ended){t->steps, t->end_s}));
    }
    return turn_over(t, chk->err);
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
    t->single_before.count = t->whole_before.count = t->blocks = 0;
    return RWA_OK;
}

void timing_report(struct checker *chk)
{
    if (chk->timing && chk->report->violations == 0)
        chk->report->time_s = chk->timing->end_s;
}
