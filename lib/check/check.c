/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The judge.  Reads records one by one, expands orbits, and recomputes every constraint from them alone. */
#include "rwa/check.h"

#include "base/base.h"
#include "network/network.h"
#include "power/power.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct delivery {
    uint32_t dst;
    uint32_t block;
};

struct judge {
    rwa_check *verdict;
    const rwa_network *net;
    const rwa_collective *coll;
    const rwa_device *device;
    rwa_power_model model;
    struct watch watch;
    uint32_t nodes, links, channels;
    uint64_t *held;             /* bit node * blocks + block: held at the start of the step */
    uint64_t *busy;             /* bit (direction * channels + channel) * links + link, of the current step */
    uint64_t *lit;              /* bit direction * channels + channel: used in the current step */
    size_t busy_words, lit_words;
    struct delivery *arrived;   /* in the current step; held from the next one on */
    size_t arrivals, arrival_room;
    rwa_lightpath *shining;     /* of the current step, kept only when a device is given */
    size_t shine, shine_room;
    uint64_t step_first;        /* number of the first lightpath of the step, orbits counted in full */
    uint64_t record;
    uint32_t step;
    rwa_error *err;
};

const char *rwa_violation_name(rwa_violation_kind kind)
{
    switch (kind) {
#define X(id, value, name)     \
    case RWA_VIOLATION_##id: \
        return name;
        RWA_VIOLATION_MAP(X)
#undef X
    }
    return NULL;
}

void rwa_check_options_init_sized(rwa_check_options *opts, size_t size)
{
    memset(opts, 0, size);
    opts->struct_size = size;
}

static void accuse(struct judge *j, rwa_violation_kind kind, uint64_t link, uint64_t wavelength, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/** Count a violation; the first ones are also named. */
static void accuse(struct judge *j, rwa_violation_kind kind, uint64_t link, uint64_t wavelength, const char *format, ...)
{
    rwa_check *v = j->verdict;
    v->violations++;
    v->by_kind[kind]++;
    if (v->named == RWA_VIOLATIONS_NAMED)
        return;
    rwa_violation *first = &v->first[v->named++];
    va_list args;
    *first = (rwa_violation){.kind = kind, .step = j->step, .lightpath = j->record, .link = link,
                             .wavelength = wavelength};
    va_start(args, format);
    vsnprintf(first->text, sizeof first->text, format, args);
    va_end(args);
}

static bool get_bit(const uint64_t *bits, uint64_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static void set_bit(uint64_t *bits, uint64_t i)
{
    bits[i / 64] |= (uint64_t)1 << (i % 64);
}

/** Where each block is before the first step. */
static void place_blocks(struct judge *j)
{
    uint64_t blocks = j->coll->blocks;
    for (uint64_t b = 0; b < blocks; b++) {
        uint32_t owner = rwa_collective_owner(j->coll, b);
        if (j->coll->kind == RWA_SCATTER)
            owner = j->coll->root;
        set_bit(j->held, owner * blocks + b);
    }
}

static rwa_status judge_open(struct judge *j, const rwa_network *net, const rwa_collective *coll,
                             const rwa_check_options *opts)
{
    rwa_status st = network_needs_arcs(net, "the checker", j->err);
    if (st != RWA_OK)
        return st;
    j->net = net;
    j->coll = coll;
    j->device = opts->device;
    j->model = opts->power_model;
    j->watch = base_watch(0, opts->poll, opts->poll_data);
    j->nodes = rwa_network_nodes(net);
    j->links = rwa_network_links(net);
    j->channels = rwa_network_channels(net);
    if (coll->kind == RWA_ALL_REDUCE || coll->kind == RWA_REDUCE_SCATTER)
        return base_fail(j->err, RWA_BADARG, "%s cannot be checked yet, expected a collective without reductions",
                         rwa_collective_name(coll->kind));
    double bits = (double)j->nodes * (double)coll->blocks;
    st = base_fits_memory(bits / 8 + (double)j->links * j->channels / 4, "checking this schedule", j->err);
    if (st != RWA_OK)
        return st;
    j->busy_words = (size_t)(((uint64_t)j->links * j->channels * 2 + 63) / 64);
    j->lit_words = ((size_t)j->channels * 2 + 63) / 64;
    j->held = base_array((size_t)(((uint64_t)j->nodes * coll->blocks + 63) / 64), 8, j->err);
    j->busy = base_array(j->busy_words, 8, j->err);
    j->lit = base_array(j->lit_words, 8, j->err);
    if (!j->held || !j->busy || !j->lit)
        return RWA_NOMEM;
    place_blocks(j);
    if (j->device)
        power_report_init(&j->verdict->power);
    j->verdict->power_checked = j->device != NULL;
    return RWA_OK;
}

static void judge_close(struct judge *j)
{
    free(j->held);
    free(j->busy);
    free(j->lit);
    free(j->arrived);
    free(j->shining);
}

static void judge_range_power(struct judge *j)
{
    accuse(j, RWA_VIOLATION_POWER, RWA_NO_INDEX, RWA_NO_INDEX,
           "step %u: a wavelength lies outside the grid of the device profile", j->step);
}

static rwa_status judge_power(struct judge *j)
{
    rwa_status st = RWA_OK;
    rwa_power *power = NULL;
    double waveguide_dbm = NAN;
    if (!j->device || j->shine == 0)
        return RWA_OK;
    for (size_t i = 0; i < j->shine; i++)
        if (j->shining[i].wavelength >= rwa_device_wavelengths(j->device)) {
            judge_range_power(j);
            return RWA_OK;
        }
    power = base_array(j->shine, sizeof *power, j->err);
    if (!power)
        return RWA_NOMEM;
    TRY(power_step(power, &waveguide_dbm, j->device, j->model, j->net, j->shining, j->shine, j->err));
    power_report_add(&j->verdict->power, j->device, j->step, j->step_first, power, j->shine);
    power_report_waveguide(&j->verdict->power, waveguide_dbm);
    for (size_t i = 0; i < j->shine; i++)
        if (power[i].budget == RWA_FAIL || power[i].crosstalk == RWA_FAIL)
            accuse(j, RWA_VIOLATION_POWER, RWA_NO_INDEX, j->shining[i].wavelength,
                   "step %u: lightpath %u to %u on wavelength %u fails its %s (margin %.2f dB, log10 BER %.2f)", j->step,
                   j->shining[i].src, j->shining[i].dst, j->shining[i].wavelength,
                   power[i].budget == RWA_FAIL ? "loss budget" : "error rate", power[i].margin_db, power[i].log10_ber);
done:
    free(power);
    return st;
}

/** What arrived is held from now on; the channels are free again. */
static rwa_status end_step(struct judge *j)
{
    uint32_t used = 0;
    rwa_status st = judge_power(j);
    for (size_t i = 0; i < j->arrivals; i++)
        set_bit(j->held, j->arrived[i].dst * j->coll->blocks + j->arrived[i].block);
    for (uint32_t dir = 0; dir < 2; dir++) {
        uint32_t lit = 0;
        for (uint32_t c = 0; c < j->channels; c++)
            lit += get_bit(j->lit, (uint64_t)dir * j->channels + c);
        used = lit > used ? lit : used;
    }
    if (used > j->verdict->wavelengths_used)
        j->verdict->wavelengths_used = used;
    memset(j->busy, 0, j->busy_words * 8);
    memset(j->lit, 0, j->lit_words * 8);
    j->step_first += j->shine;
    j->arrivals = 0;
    j->shine = 0;
    return st;
}

/** Set `count` bits from `at`, a word at a time; how far the first one already set lies from `at` (count: none was). */
static uint32_t claim_run(uint64_t *bits, uint64_t at, uint32_t count)
{
    uint32_t met = count;
    for (uint32_t done = 0; done < count;) {
        uint32_t shift = (uint32_t)((at + done) % 64);
        uint32_t take = 64 - shift < count - done ? 64 - shift : count - done;
        uint64_t mask = (take == 64 ? ~(uint64_t)0 : ((uint64_t)1 << take) - 1) << shift;
        uint64_t *word = &bits[(at + done) / 64];
        if ((*word & mask) != 0 && met == count)
            met = done + (uint32_t)__builtin_ctzll(*word & mask) - shift;
        *word |= mask;
        done += take;
    }
    return met;
}

/** Claim every link of the route on its channel; a link already claimed is a clash. */
static void claim_channel(struct judge *j, const rwa_lightpath *lp, uint32_t hops)
{
    uint64_t lane = (uint64_t)(lp->direction == RWA_CCW) * j->channels + (uint64_t)lp->fiber *
                    rwa_network_wavelengths(j->net) + lp->wavelength;
    uint64_t row = lane * j->links;
    uint32_t link = lp->direction == RWA_CW ? lp->src : lp->dst;
    uint32_t clash = UINT32_MAX;
    set_bit(j->lit, lane);
    while (hops > 0) { /* at most two runs: up to the last link, and from link 0 */
        uint32_t run = hops < j->links - link ? hops : j->links - link;
        uint32_t met = claim_run(j->busy, row + link, run);
        if (met < run && clash == UINT32_MAX)
            clash = link + met;
        hops -= run;
        link = 0;
    }
    if (clash != UINT32_MAX)
        accuse(j, RWA_VIOLATION_CHANNEL, clash, lp->wavelength,
               "step %u: lightpath %u to %u meets another on link %u %s, fiber %u, wavelength %u", j->step, lp->src,
               lp->dst, clash, lp->direction == RWA_CW ? "cw" : "ccw", lp->fiber, lp->wavelength);
}

static bool in_range(struct judge *j, const rwa_lightpath *lp)
{
    const char *what = NULL;
    unsigned long long value = 0, below = 0;
    if (lp->src >= j->nodes)
        what = "src", value = lp->src, below = j->nodes;
    else if (lp->dst >= j->nodes)
        what = "dst", value = lp->dst, below = j->nodes;
    else if (lp->fiber >= rwa_network_fibers(j->net))
        what = "fiber", value = lp->fiber, below = rwa_network_fibers(j->net);
    else if (lp->wavelength >= rwa_network_wavelengths(j->net))
        what = "wavelength", value = lp->wavelength, below = rwa_network_wavelengths(j->net);
    else if (lp->block >= j->coll->blocks)
        what = "block", value = lp->block, below = j->coll->blocks;
    if (what)
        accuse(j, RWA_VIOLATION_RANGE, RWA_NO_INDEX, RWA_NO_INDEX, "step %u: %s %llu, expected below %llu", lp->step,
               what, value, below);
    return what == NULL;
}

static bool orbit_allowed(struct judge *j, const rwa_lightpath *lp)
{
    const rwa_collective *c = j->coll;
    uint64_t channel = (uint64_t)lp->fiber * rwa_network_wavelengths(j->net) + lp->wavelength;
    bool rooted = c->kind == RWA_BROADCAST || c->kind == RWA_SCATTER || c->kind == RWA_GATHER;
    bool moves = c->kind == RWA_ALL_TO_ALL || c->blocks % c->nodes == 0;
    if (lp->orbit == 1)
        return true;
    if (lp->orbit >= 1 && lp->orbit <= j->nodes && rwa_network_get_kind(j->net) == RWA_RING && !rooted && moves &&
        lp->period >= 1 && lp->period <= j->channels && channel < lp->period)
        return true;
    accuse(j, RWA_VIOLATION_ORBIT, RWA_NO_INDEX, RWA_NO_INDEX,
           "step %u: orbit %u with period %u is not allowed here (rings, orbit up to %u, channel below the period)",
           lp->step, lp->orbit, lp->period, j->nodes);
    return false;
}

static rwa_status remember(struct judge *j, const rwa_lightpath *lp)
{
    rwa_status st = RWA_OK;
    TRY(base_grow((void **)&j->arrived, &j->arrival_room, j->arrivals + 1, sizeof *j->arrived, j->err));
    j->arrived[j->arrivals++] = (struct delivery){lp->dst, (uint32_t)lp->block};
    if (j->device) {
        TRY(base_grow((void **)&j->shining, &j->shine_room, j->shine + 1, sizeof *j->shining, j->err));
        j->shining[j->shine++] = *lp;
    }
done:
    return st;
}

static rwa_status judge_lightpath(struct judge *j, const rwa_lightpath *lp)
{
    uint32_t hops = rwa_network_hops(j->net, lp->src, lp->dst, lp->direction);
    if (hops == 0) {
        accuse(j, RWA_VIOLATION_CONTINUITY, RWA_NO_INDEX, lp->wavelength,
               "step %u: no %s route from node %u to node %u", j->step, lp->direction == RWA_CW ? "cw" : "ccw", lp->src,
               lp->dst);
        return RWA_OK;
    }
    claim_channel(j, lp, hops);
    if (hops > j->verdict->longest_hops)
        j->verdict->longest_hops = hops;
    if (!get_bit(j->held, lp->src * j->coll->blocks + lp->block))
        accuse(j, RWA_VIOLATION_CAUSALITY, RWA_NO_INDEX, lp->wavelength,
               "step %u: node %u sends block %llu, which it does not hold at the start of the step", j->step, lp->src,
               (unsigned long long)lp->block);
    return remember(j, lp);
}

static rwa_status judge_record(struct judge *j, const rwa_lightpath *record)
{
    rwa_lightpath single;
    rwa_status st = RWA_OK;
    if (record->step != j->step) {
        uint32_t before = j->step;
        if (before > 0)
            TRY(end_step(j));
        j->step = record->step;
        if (record->step < before || record->step != before + 1)
            accuse(j, RWA_VIOLATION_ORDER, RWA_NO_INDEX, RWA_NO_INDEX, "step %u follows step %u: expected step %u",
                   record->step, before, before + 1);
        j->verdict->steps = record->step > j->verdict->steps ? record->step : j->verdict->steps;
        if (base_must_stop(&j->watch, "checking", -1))
            return base_fail(j->err, RWA_CANCELLED, "the check was stopped at step %u", j->step);
    }
    if (in_range(j, record) && orbit_allowed(j, record)) {
        j->verdict->lightpaths += record->orbit;
        for (uint32_t i = 0; i < record->orbit; i++) {
            rwa_lightpath_of_orbit(&single, record, i, j->net, j->coll);
            TRY(judge_lightpath(j, &single));
        }
    }
    j->record++;
done:
    return st;
}

static bool must_hold(const rwa_collective *c, uint32_t node, uint64_t block)
{
    switch (c->kind) {
    case RWA_GATHER:
        return node == c->root;
    case RWA_SCATTER:
        return rwa_collective_owner(c, block) == node;
    case RWA_ALL_TO_ALL:
        return block % c->nodes == node;
    default:
        return true;
    }
}

static rwa_status judge_end(struct judge *j, uint32_t claimed_steps)
{
    rwa_status st = j->step > 0 ? end_step(j) : RWA_OK;
    j->step = 0;
    j->record = RWA_NO_INDEX;
    if (st == RWA_OK && claimed_steps != j->verdict->steps)
        accuse(j, RWA_VIOLATION_HEADER, RWA_NO_INDEX, RWA_NO_INDEX, "the header says %u steps, the schedule has %u",
               claimed_steps, j->verdict->steps);
    for (uint32_t node = 0; node < j->nodes; node++)
        for (uint64_t b = 0; b < j->coll->blocks; b++)
            if (!get_bit(j->held, node * j->coll->blocks + b) && must_hold(j->coll, node, b))
                accuse(j, RWA_VIOLATION_COMPLETENESS, RWA_NO_INDEX, RWA_NO_INDEX,
                       "at the end node %u lacks block %llu", node, (unsigned long long)b);
    j->verdict->ok = j->verdict->violations == 0;
    return st;
}

static rwa_status start(struct judge *j, rwa_check *out, rwa_check_options *o, const rwa_check_options *opts,
                        rwa_error *err)
{
    memset(out, 0, sizeof *out);
    *j = (struct judge){.verdict = out, .err = err};
    rwa_check_options_init(o);
    return base_take_options(o, sizeof *o, opts, "check options", err);
}

rwa_status rwa_check_schedule(rwa_check *out, const rwa_schedule *sched, const rwa_check_options *opts, rwa_error *err)
{
    struct judge j;
    rwa_check_options o;
    rwa_lightpath record;
    rwa_status st = start(&j, out, &o, opts, err);
    if (st != RWA_OK)
        return st;
    TRY(judge_open(&j, rwa_schedule_network(sched), rwa_schedule_collective(sched), &o));
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_schedule_get(sched, i, &record);
        TRY(judge_record(&j, &record));
    }
    TRY(judge_end(&j, rwa_schedule_steps(sched)));
done:
    judge_close(&j);
    return st;
}

rwa_status rwa_check_file(rwa_check *out, const char *path, const rwa_check_options *opts, rwa_error *err)
{
    struct judge j;
    rwa_check_options o;
    rwa_lightpath record;
    rwa_reader *reader = NULL;
    int got = 1;
    rwa_status st = start(&j, out, &o, opts, err);
    if (st != RWA_OK)
        return st;
    TRY(rwa_reader_open(&reader, path, err));
    TRY(judge_open(&j, rwa_reader_network(reader), rwa_reader_collective(reader), &o));
    for (;;) {
        TRY(rwa_reader_next(reader, &record, &got, err));
        if (!got)
            break;
        TRY(judge_record(&j, &record));
    }
    TRY(judge_end(&j, rwa_reader_steps(reader)));
done:
    judge_close(&j);
    rwa_reader_free(reader);
    return st;
}
