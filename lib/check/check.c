/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The judge.  Reads records one by one, expands orbits, and recomputes every constraint from them alone. */
#include "rwa/check.h"

#include "check/check.h"
#include "check/judge.h"
#include "network/network.h"
#include "assignment/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void accuse(struct judge *j, rwa_violation_kind kind, uint64_t link, uint64_t wavelength, const char *format, ...)
{
    rwa_check_report *v = j->verdict;
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

void accuse_closed(struct judge *j, const rwa_lightpath *lp)
{
    accuse(j, RWA_VIOLATION_CHANNEL, RWA_NO_INDEX, lp->wavelength,
           "step %u: lightpath %u to %u uses fiber %u, wavelength %u, which is reserved", j->step, lp->src, lp->dst,
           lp->fiber, lp->wavelength);
}

void accuse_failed(struct judge *j, const rwa_lightpath *lp, uint64_t link)
{
    const char *way = !network_has_arcs(j->net) ? "" : lp->direction == RWA_CW ? " cw" : " ccw";
    accuse(j, RWA_VIOLATION_CHANNEL, link, lp->wavelength, "step %u: lightpath %u to %u uses link %llu%s, which failed",
           j->step, lp->src, lp->dst, (unsigned long long)link, way);
}

static bool is_reduction(const rwa_collective *coll)
{
    return coll->kind == RWA_ALL_REDUCE || coll->kind == RWA_REDUCE_SCATTER;
}

static const struct medium *medium_of(const rwa_network *net)
{
    switch (rwa_network_topology(net)) {
    case RWA_RING:
    case RWA_LINE:
        return &medium_of_arcs;
    case RWA_STAR:
        return &medium_of_star;
    case RWA_RON:
        return &medium_of_ron;
    case RWA_OCS:
        return &medium_of_ocs;
    default:
        return &medium_of_links;
    }
}

static rwa_status rank_members(struct judge *j, const uint32_t *members)
{
    j->members = members;
    if (!members)
        return RWA_OK;
    j->ranks = base_array(j->nodes, sizeof *j->ranks, j->err);
    if (!j->ranks)
        return RWA_NOMEM;
    for (uint32_t node = 0; node < j->nodes; node++)
        j->ranks[node] = NO_RANK;
    for (uint32_t rank = 0; rank < j->coll->nodes; rank++)
        j->ranks[members[rank]] = rank;
    return RWA_OK;
}

rwa_status judge_open_fully(struct judge *j)
{
    rwa_status st = RWA_OK;
    TRY(j->book->open(j));
    TRY(j->medium->open(j));
done:
    return st;
}

static rwa_status judge_open(struct judge *j, const rwa_network *net, const rwa_collective *coll, const uint32_t *members,
                             const rwa_check_options *opts)
{
    rwa_status st = RWA_OK;
    rwa_faults faults;
    j->net = net;
    rwa_network_faults(&faults, net);
    j->failed_from = faults.links_from;
    j->coll = coll;
    j->device = opts->device;
    j->model = opts->power_model;
    j->budget = base_budget(0, opts->poll, opts->poll_data);
    j->nodes = rwa_network_nodes(net);
    j->links = network_is_one_hop(net) ? 0 : network_links_each_way(net);
    j->fibers = network_most_fibers(net);
    j->book = is_reduction(coll) ? &book_of_sums : &book_of_copies;
    j->medium = medium_of(net);
    TRY(rank_members(j, members));
    TRY(turns_open(j));
    if (!j->turns)
        TRY(judge_open_fully(j));
    TRY(ports_open(j));
    power_open(j);
done:
    return st;
}

static void judge_close(struct judge *j)
{
    if (j->book)
        j->book->close(j);
    if (j->medium)
        j->medium->close(j);
    turns_close(j);
    ports_close(j);
    power_close(j);
    free(j->ranks);
}

/** What arrived is held from now on; the channels are free again. */
static rwa_status end_step(struct judge *j)
{
    rwa_status st = power_end_step(j);
    if (j->turns) {
        turns_end_step(j);
        return st;
    }
    j->book->end_step(j);
    j->medium->end_step(j);
    ports_end_step(j);
    return st;
}

/** Whether all who send and receive take part. */
static bool by_members(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists)
{
    if (!j->members)
        return true;
    uint32_t outsider = rank_of(j, lp->src) == NO_RANK ? lp->src : rank_of(j, lp->dst) == NO_RANK ? lp->dst : NO_RANK;
    for (uint32_t i = 0; i < lists->tap_count && outsider == NO_RANK; i++)
        outsider = rank_of(j, lists->taps[i]) == NO_RANK ? lists->taps[i] : NO_RANK;
    if (outsider != NO_RANK)
        ACCUSE(j, RWA_VIOLATION_RANGE, "step %u: lightpath %u to %u: node %u takes no part", lp->step, lp->src, lp->dst,
               outsider);
    return outsider == NO_RANK;
}

static bool in_range(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists)
{
    const char *what = NULL;
    unsigned long long value = 0, below = 0;
    if (lp->src >= j->nodes)
        what = "src", value = lp->src, below = j->nodes;
    else if (lp->dst >= j->nodes)
        what = "dst", value = lp->dst, below = j->nodes;
    else if (lp->fiber >= j->fibers)
        what = "fiber", value = lp->fiber, below = j->fibers;
    else if (lp->wavelength >= rwa_network_wavelengths(j->net))
        what = "wavelength", value = lp->wavelength, below = rwa_network_wavelengths(j->net);
    else if (lp->block >= j->coll->blocks)
        what = "block", value = lp->block, below = j->coll->blocks;
    for (uint32_t i = 0; i < lists->run_count && !what; i++) {
        const rwa_run *run = &lists->runs[i];
        uint64_t last = run->first + (uint64_t)(run->count - 1) * run->stride;
        if (last >= j->coll->blocks)
            what = "block", value = last, below = j->coll->blocks;
        else if (run->count > j->coll->blocks)
            what = "blocks of a run", value = run->count, below = j->coll->blocks + 1;
    }
    for (uint32_t i = 0; i < lists->tap_count && !what; i++)
        if (lists->taps[i] >= j->nodes)
            what = "tap", value = lists->taps[i], below = j->nodes;
    if (what)
        ACCUSE(j, RWA_VIOLATION_RANGE, "step %u: %s %llu, expected below %llu", lp->step, what, value, below);
    else if (lp->op == RWA_REDUCE && !is_reduction(j->coll))
        ACCUSE(j, RWA_VIOLATION_RANGE, "step %u: a reduction, expected only copies in %s", lp->step,
               rwa_collective_name(j->coll->kind));
    else if (lists->block_count > j->slots)
        ACCUSE(j, RWA_VIOLATION_RANGE, "step %u: %u blocks on one lightpath, expected at most the header's %u slots",
               lp->step, lists->block_count, j->slots);
    else
        return by_members(j, lp, lists);
    return false;
}

static bool orbit_allowed(struct judge *j, const rwa_lightpath *lp)
{
    const rwa_collective *c = j->coll;
    uint64_t channel = (uint64_t)lp->fiber * rwa_network_wavelengths(j->net) + lp->wavelength;
    bool rooted = c->kind == RWA_BROADCAST || c->kind == RWA_SCATTER || c->kind == RWA_GATHER;
    bool moves = c->kind == RWA_ALL_TO_ALL || c->blocks % c->nodes == 0;
    if (lp->orbit == 1)
        return true;
    if (lp->orbit >= 1 && lp->orbit <= j->nodes && rwa_network_topology(j->net) == RWA_RING && !j->members && !rooted &&
        moves &&
        lp->period >= 1 && lp->period <= rwa_network_channels(j->net) && channel < lp->period)
        return true;
    ACCUSE(j, RWA_VIOLATION_ORBIT,
           "step %u: orbit %u with period %u is not allowed here (rings, orbit up to %u, channel below the period)",
           lp->step, lp->orbit, lp->period, j->nodes);
    return false;
}

/** Lightpath i of a record with lists: every block of it reaches every tap and dst. */
static rwa_status carry_lists(struct judge *j, const rwa_lightpath *record, const rwa_lists *lists, uint32_t i)
{
    rwa_lightpath one = *record, lp;
    rwa_status st = RWA_OK;
    for (struct blocks_of b = blocks_of(record, lists); next_block(&b, &one.block);)
        for (uint32_t r = 0; r <= lists->tap_count; r++) {
            one.dst = r < lists->tap_count ? lists->taps[r] : record->dst;
            rwa_lightpath_of_orbit(&lp, &one, i, j->net, j->coll);
            TRY(j->book->carry(j, &lp));
        }
done:
    return st;
}

/** A record in its ranges: every lightpath of its orbit. */
static rwa_status judge_lightpaths(struct judge *j, const rwa_lightpath *record, const rwa_lists *lists)
{
    rwa_lightpath lp;
    rwa_status st = RWA_OK;
    bool listed = lists->block_count > 0 || lists->tap_count > 0, judged = false;
    uint32_t hops = j->medium->route(j, record, lists);
    j->verdict->lightpaths += record->orbit;
    if (hops > j->verdict->longest_hops)
        j->verdict->longest_hops = hops;
    if (lists->tap_count >= j->verdict->drops)
        j->verdict->drops = lists->tap_count + 1;
    if (hops > 0)
        TRY(turns_judge(&judged, j, record, lists, hops));
    if (judged)
        return RWA_OK;
    for (uint32_t i = 0; hops > 0 && i < record->orbit; i++) {
        rwa_lightpath_of_orbit(&lp, record, i, j->net, j->coll);
        if (rwa_network_is_reserved_everywhere(j->net, (uint32_t)channel_of(j, &lp)))
            accuse_closed(j, &lp);
        TRY(j->medium->claim(j, &lp, lists, hops));
        TRY(ports_see(j, record, lists, i));
        TRY(listed ? carry_lists(j, record, lists, i) : j->book->carry(j, &lp));
        TRY(power_see(j, &lp, lists, i));
    }
done:
    return st;
}

/** The first record of another step ends the one before. */
static rwa_status turn_to_step(struct judge *j, uint32_t step)
{
    uint32_t before = j->step;
    /* On a ron nothing may happen in a step: its nodes are turning their ports. */
    bool skips = rwa_network_topology(j->net) == RWA_RON && step > before;
    rwa_status st = RWA_OK;
    if (before > 0)
        TRY(end_step(j));
    j->step = step;
    if (step != before + 1 && !skips)
        ACCUSE(j, RWA_VIOLATION_ORDER, "step %u follows step %u: expected step %u", step, before, before + 1);
    j->verdict->steps = step > j->verdict->steps ? step : j->verdict->steps;
    if (base_must_stop(&j->budget, "checking", -1))
        st = base_fail(j->err, RWA_CANCELLED, "the check was stopped at step %u", j->step);
done:
    return st;
}

static rwa_status judge_record(struct judge *j, const rwa_lightpath *record, const rwa_lists *lists)
{
    rwa_status st = RWA_OK;
    if (record->step == 0)
        ACCUSE(j, RWA_VIOLATION_RANGE, "a record of step 0, expected steps from 1");
    else if (record->step != j->step)
        TRY(turn_to_step(j, record->step));
    if (record->step > 0 && in_range(j, record, lists) && orbit_allowed(j, record))
        TRY(judge_lightpaths(j, record, lists));
    j->record++;
done:
    return st;
}

/** On a ron the steps without a send are the time that turning takes. */
static void judge_tuning(struct judge *j)
{
    uint64_t tuning = rwa_network_tuning(j->net);
    uint64_t rounds = rwa_network_topology(j->net) == RWA_RON ? 0 : j->tuning_rounds;
    j->verdict->tuning_cost = j->verdict->tunings * tuning;
    j->verdict->finish_steps = j->verdict->steps + rounds * tuning;
}

static rwa_status judge_end(struct judge *j, uint32_t claimed_steps)
{
    rwa_status st = RWA_OK;
    if (j->step > 0)
        TRY(end_step(j));
    j->step = 0;
    j->record = RWA_NO_INDEX;
    if (claimed_steps != j->verdict->steps)
        ACCUSE(j, RWA_VIOLATION_HEADER, "the header says %u steps, the schedule has %u",
               claimed_steps, j->verdict->steps);
    if (j->turns)
        TRY(turns_judge_end(j));
    if (!j->turns)
        TRY(j->book->judge_end(j));
    judge_tuning(j);
    j->verdict->ok = j->verdict->violations == 0;
done:
    return st;
}

static rwa_status start(struct judge *j, rwa_check_report *out, rwa_check_options *o, const rwa_check_options *opts,
                        rwa_error *err)
{
    memset(out, 0, sizeof *out);
    *j = (struct judge){.verdict = out, .err = err};
    rwa_check_options_init(o);
    return base_take_options(o, sizeof *o, opts, "check options", err);
}

rwa_status check_schedule(rwa_check_report *out, const rwa_schedule *sched, const rwa_check_options *opts, rwa_error *err)
{
    struct judge j;
    rwa_check_options o;
    rwa_lightpath record;
    rwa_lists lists;
    rwa_status st = start(&j, out, &o, opts, err);
    if (st != RWA_OK)
        return st;
    TRY(judge_open(&j, rwa_schedule_network(sched), rwa_schedule_collective(sched), rwa_schedule_members(sched), &o));
    j.slots = rwa_schedule_slots(sched);
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_schedule_get(&record, sched, i);
        rwa_schedule_lists(&lists, sched, i);
        TRY(judge_record(&j, &record, &lists));
    }
    TRY(judge_end(&j, rwa_schedule_steps(sched)));
done:
    judge_close(&j);
    return st;
}

static rwa_status check_file(rwa_check_report *out, const char *path, const rwa_check_options *opts, rwa_error *err)
{
    struct judge j;
    rwa_check_options o;
    rwa_lightpath record;
    rwa_lists lists;
    rwa_reader *reader = NULL;
    int got = 1;
    bool assignment = false;
    rwa_status st = assignment_is_file(&assignment, path, err);
    if (st != RWA_OK)
        return st;
    if (assignment)
        return check_assignment_file(out, path, opts, err);
    st = start(&j, out, &o, opts, err);
    if (st != RWA_OK)
        return st;
    TRY(rwa_reader_open(&reader, path, err));
    TRY(judge_open(&j, rwa_reader_network(reader), rwa_reader_collective(reader), rwa_reader_members(reader), &o));
    j.slots = rwa_reader_slots(reader);
    for (;;) {
        TRY(rwa_reader_next(&record, &got, reader, err));
        if (!got)
            break;
        rwa_reader_lists(&lists, reader);
        TRY(judge_record(&j, &record, &lists));
    }
    TRY(judge_end(&j, rwa_reader_steps(reader)));
done:
    judge_close(&j);
    rwa_reader_free(reader);
    return st;
}

/* ---- the public handle ---- */

/** Hand out the handle when the check ran, whatever it found; else free it. */
static rwa_status publish(rwa_check **out, rwa_check *check, rwa_status st)
{
    if (st == RWA_OK)
        *out = check;
    else
        rwa_check_free(check);
    return st;
}

static rwa_check *begin(rwa_check **out, rwa_error *err)
{
    base_begin(err);
    *out = NULL;
    return base_array(1, sizeof **out, err);
}

rwa_status rwa_check_schedule(rwa_check **out, const rwa_schedule *sched, const rwa_check_options *opts, rwa_error *err)
{
    rwa_check *check = begin(out, err);
    return publish(out, check, check ? check_schedule(&check->report, sched, opts, err) : RWA_NOMEM);
}

rwa_status rwa_check_file(rwa_check **out, const char *path, const rwa_check_options *opts, rwa_error *err)
{
    rwa_check *check = begin(out, err);
    return publish(out, check, check ? check_file(&check->report, path, opts, err) : RWA_NOMEM);
}

rwa_status rwa_check_assignment(rwa_check **out, const rwa_assign_result *result, const rwa_check_options *opts, rwa_error *err)
{
    rwa_check *check = begin(out, err);
    return publish(out, check, check ? check_assignment(&check->report, result, opts, err) : RWA_NOMEM);
}

void rwa_check_free(rwa_check *check)
{
    free(check);
}

const rwa_check_report *rwa_check_summary(const rwa_check *check)
{
    return check ? &check->report : NULL;
}
