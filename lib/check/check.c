/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The checker of schedules: reads records one by one, expands orbits, and recomputes all constraints from these. */
#include "check/check.h"
#include "check/physics/gsnr.h"
#include "check/symmetry.h"
#include "assignment/reader.h"
#include "schedule/schedule.h"

#include <sys/stat.h>

/* Units of work that a file may demand: in total, for each record, for each bit that arrives; between two polls. */
enum { WORK_FREE = 1 << 25, WORK_RECORD = 1 << 12, WORK_GAIN = 16, POLL_EVERY = 1 << 22 };

NAMED(rwa_violation_name, rwa_violation_kind, RWA_VIOLATION_MAP, NULL)

OPTIONS(rwa_check_options, .lightpath = RWA_NO_INDEX)

void report_count(rwa_check_report *report, rwa_violation_kind kind, uint64_t count)
{
    report->violations += count;
    report->by_kind[kind] += count;
}

void report_add(rwa_check_report *report, uint64_t line, rwa_violation violation, const char *format, ...)
{
    va_list args;
    bool full = report_is_full(report, violation.kind);
    report_count(report, violation.kind, 1);
    if (full)
        return;
    size_t prefix = strlen(violation.text);
    va_start(args, format);
    vsnprintf(violation.text + prefix, sizeof violation.text - prefix, format, args);
    va_end(args);
    report->first_line[report->named] = line;
    report->first[report->named++] = violation;
}

rwa_violation lightpath_violation(const struct checker *chk, rwa_violation_kind kind, const rwa_lightpath *lp,
                                  uint64_t link)
{
    rwa_violation violation = {
        .kind = kind, .step = chk->step, .lightpath = chk->record, .link = link, .wavelength = lp->wavelength};
    snprintf(violation.text, sizeof violation.text, "step %u: lightpath %u to %u ", chk->step, lp->src, lp->dst);
    return violation;
}

const char *link_text(char to[LINK_TEXT_SIZE], const struct checker *chk, const rwa_lightpath *lp, uint64_t link)
{
    bool arcs = network_has_arcs(chk->net), back = arcs && lp->direction == RWA_CCW;
    rwa_link ends = rwa_network_link(chk->net, (uint32_t)link + (back ? rwa_network_pairs(chk->net) : 0));
    snprintf(to, LINK_TEXT_SIZE, "link %" PRIu64 "%s (%u to %u)", link, !arcs ? "" : back ? " ccw" : " cw", ends.from,
             ends.to);
    return to;
}

void report_failed(struct checker *chk, const rwa_lightpath *lp, uint64_t link)
{
    report_lightpath(chk, RWA_VIOLATION_CHANNEL, lp, link, "uses %s, which failed", LINK_TEXT(chk, lp, link));
}

rwa_status poll_check(struct checker *chk)
{
    if (!base_must_stop(&chk->budget, "checking", -1))
        return RWA_OK;
    return chk->step == 0 ? base_fail(chk->err, RWA_CANCELLED, "the check was stopped at the end of the schedule")
                          : base_fail(chk->err, RWA_CANCELLED, "the check was stopped at step %u", chk->step);
}

rwa_status spend_more(struct checker *chk)
{
    uint64_t earned = WORK_FREE + WORK_RECORD * (chk->record + 1) + WORK_GAIN * chk->gained;
    if (chk->spent > earned)
        return base_refuse(chk->err,
                           "step %u: the lightpaths repeat too much of what others carry already, expected less "
                           "than %d times the blocks that arrive",
                           chk->step, WORK_GAIN);
    if (chk->spent - chk->polled >= POLL_EVERY) {
        chk->polled = chk->spent;
        MUST(poll_check(chk));
    }
    chk->unasked = chk->polled + POLL_EVERY - 1;
    LOWER(chk->unasked, earned);
    return RWA_OK;
}

static const struct channel_model *channel_model_of(const rwa_network *net)
{
    switch (rwa_network_topology(net)) {
    case RWA_RING:
    case RWA_LINE: return &channels_of_arcs;
    case RWA_STAR: return &channels_of_star;
    case RWA_RON: return &channels_of_ron;
    case RWA_OCS: return &channels_of_ocs;
    default: return &channels_of_links;
    }
}

static rwa_status rank_members(struct checker *chk, const uint32_t *members)
{
    chk->members = members;
    if (!members)
        return RWA_OK;
    if (!arena_new(&chk->memory, chk->ranks, chk->nodes))
        return RWA_NOMEM;
    for (uint32_t node = 0; node < chk->nodes; node++)
        chk->ranks[node] = NO_RANK;
    for (uint32_t rank = 0; rank < chk->coll->nodes; rank++)
        chk->ranks[members[rank]] = rank;
    return RWA_OK;
}

static rwa_status checker_open(struct checker *chk, const rwa_network *net, const rwa_collective *coll,
                               const uint32_t *members, const rwa_check_options *opts)
{
    chk->net = net;
    chk->coll = coll;
    chk->device = opts->device;
    chk->model = opts->power_model;
    chk->detailed = chk->report->gsnr_lightpath = opts->lightpath;
    chk->rate_bps = opts->rate_bps;
    MUST(limits_refuse_nodes(&chk->limits, rwa_network_nodes(net), chk->err));
    chk->nodes = rwa_network_nodes(net);
    chk->wavelengths = rwa_network_wavelengths(net);
    rwa_network_faults(&chk->faults, net);
    chk->links = network_is_one_hop(net) ? 0 : network_links_each_way(net);
    chk->fibers = network_most_fibers(net);
    chk->holdings = rwa_collective_is_reduction(coll->kind) ? &holdings_of_sums : &holdings_of_copies;
    chk->channel_model = channel_model_of(net);
    coordinates_open(&chk->group, net);
    classes_open(chk);
    MUST(rank_members(chk, members));
    MUST(symmetry_open(chk));
    MUST(chk->holdings->open(chk));
    if (!chk->symmetry)
        MUST(chk->channel_model->open(chk));
    MUST(ports_open(chk));
    MUST(timing_open(chk, opts));
    power_open(chk);
    return gsnr_open(chk, opts->transmission);
}

static void checker_close(struct checker *chk)
{
    if (chk->holdings)
        chk->holdings->close(chk);
    ports_close(chk);
    timing_close(chk);
    power_close(chk);
    gsnr_close(chk);
    free_all(chk->moved.nodes, chk->moved.runs);
    arena_free(&chk->memory);
}

/** End the current step: blocks that arrived count as held from now on, and all channels are free again. */
static rwa_status end_step(struct checker *chk)
{
    MUST(timing_end_step(chk));
    MUST(power_end_step(chk));
    MUST(chk->fiber_step ? gsnr_judge(chk->fiber_step) : RWA_OK);
    chk->channel_model->end_step(chk);
    if (chk->symmetry)
        memset(chk->symmetry->period, 0, chk->classes * sizeof *chk->symmetry->period);
    MUST(ports_end_step(chk));
    return chk->holdings->end_step(chk);
}

/** Return whether a node that a lightpath uses is a member of the collective; if not, report it. */
static bool takes_part(struct checker *chk, const rwa_lightpath *lp, uint32_t node)
{
    if (rank_of(chk, node) != NO_RANK)
        return true;
    REPORT(chk, RWA_VIOLATION_RANGE, "step %u: lightpath %u to %u: node %u takes no part", lp->step, lp->src, lp->dst,
           node);
    return false;
}

static bool all_take_part(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists)
{
    bool all = !chk->members || (takes_part(chk, lp, lp->src) && takes_part(chk, lp, lp->dst));
    for (uint32_t i = 0; i < lists->tap_count && all; i++)
        all = takes_part(chk, lp, lists->taps[i]);
    return all;
}

static bool report_range(struct checker *chk, const char *field, uint64_t value, uint64_t limit)
{
    REPORT(chk, RWA_VIOLATION_RANGE, "step %u: %s %" PRIu64 ", expected below %" PRIu64, chk->step, field, value,
           limit);
    return false;
}

/** Return whether the value of a field is below its limit; if not, report it. */
static inline bool is_below(struct checker *chk, const char *field, uint64_t value, uint64_t limit)
{
    return value < limit || report_range(chk, field, value, limit);
}

static bool fields_in_range(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists)
{
    uint64_t blocks = chk->coll->blocks;
    bool in = is_below(chk, "src", lp->src, chk->nodes) && is_below(chk, "dst", lp->dst, chk->nodes) &&
              is_below(chk, "fiber", lp->fiber, chk->fibers) &&
              is_below(chk, "wavelength", lp->wavelength, chk->wavelengths) &&
              is_below(chk, "block", lp->block, blocks);
    for (uint32_t i = 0; i < lists->run_count && in; i++) {
        const rwa_run *run = &lists->runs[i];
        in = is_below(chk, "block", run->first + (uint64_t)(run->count - 1) * run->stride, blocks) &&
             is_below(chk, "blocks of a run", run->count, blocks + 1);
    }
    for (uint32_t i = 0; i < lists->tap_count && in; i++)
        in = is_below(chk, "tap", lists->taps[i], chk->nodes);
    return in;
}

/** Tell whether the fields of a record are in range; if not, a violation is reported. */
static bool in_range(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists)
{
    if (!fields_in_range(chk, lp, lists))
        return false;
    if (lp->op == RWA_REDUCE && !rwa_collective_is_reduction(chk->coll->kind))
        REPORT(chk, RWA_VIOLATION_RANGE, "step %u: a reduction, expected only copies in %s", lp->step,
               rwa_collective_name(chk->coll->kind));
    else if (lists->block_count > chk->slots)
        REPORT(chk, RWA_VIOLATION_RANGE, "step %u: %u blocks on one lightpath, expected at most the header's %u slots",
               lp->step, lists->block_count, chk->slots);
    else
        return all_take_part(chk, lp, lists);
    return false;
}

/** Transfer a run of blocks (blocks at equal distances in their numbering) from the sender of a lightpath to its
 *  receiver and to every tap on the way. */
static rwa_status transfer_run(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, const rwa_run *run)
{
    uint64_t work = run->stride == 1 ? run->count / 64 + 1 : run->count;
    for (uint32_t t = 0; t <= lists->tap_count; t++) {
        MUST(spend(chk, work));
        MUST(chk->holdings->transfer(chk, lp, t < lists->tap_count ? lists->taps[t] : lp->dst, run));
    }
    return RWA_OK;
}

/** Transfer all blocks of a lightpath from its sender to its receiver and to every tap on the way. */
static rwa_status transfer_blocks(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists)
{
    if (lists->run_count == 0)
        return transfer_run(chk, lp, lists, &(rwa_run){(uint32_t)lp->block, 1, 1});
    for (uint32_t i = 0; i < lists->run_count; i++)
        MUST(transfer_run(chk, lp, lists, &lists->runs[i]));
    return RWA_OK;
}

/** Check one lightpath that has a route: its channel, its ports, and whether its sender holds the blocks.  Also its
 *  time, signal to noise and power, if the caller asked for them. */
static rwa_status check_lightpath(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    if (chk->faults.channel_count > 0 && rwa_network_is_reserved_everywhere(chk->net, (uint32_t)channel_of(chk, lp)))
        report_lightpath(chk, RWA_VIOLATION_CHANNEL, lp, RWA_NO_INDEX,
                         "uses fibre %u, wavelength %u, which is reserved", lp->fiber, lp->wavelength);
    if (chk->timing)
        MUST(timing_record(chk, lp, lists, hops));
    MUST(spend(chk, hops / 64 + 1));
    MUST(chk->channel_model->claim(chk, lp, lists, hops));
    MUST(ports_use(chk, lp, lists));
    MUST(transfer_blocks(chk, lp, lists));
    MUST(chk->fiber_step ? gsnr_add(chk, lp, hops) : RWA_OK);
    return chk->device ? power_add(chk, lp, lists, hops) : RWA_OK;
}

/** Check an orbit (a record that stands for one lightpath and its translations) lightpath by lightpath.  `hops`:
 *  length of the first route; on a ring or line the others are as long, elsewhere each route is checked. */
static rwa_status check_orbit(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops)
{
    rwa_lightpath lp;
    rwa_lists moved;
    bool arcs = network_has_arcs(chk->net);
    for (uint32_t i = 0; i < record->orbit; i++) {
        MUST(orbit_lightpath(&lp, &moved, chk, record, lists, i));
        hops = arcs ? hops : chk->channel_model->route(chk, &lp, &moved);
        if (hops > 0)
            MUST(check_lightpath(chk, &lp, &moved, hops));
    }
    return RWA_OK;
}

/** Check an orbit of all nodes: the power of each of its lightpaths, but channels, time and blocks at node 0 alone,
 *  which stands for all others.  If the record breaks the symmetry or meets a taken channel, set chk->asymmetric and do
 *  nothing else. */
static rwa_status check_whole(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops)
{
    rwa_lightpath lp;
    rwa_lists moved;
    chk->asymmetric = !symmetry_take(chk, record, lists, hops);
    if (chk->asymmetric)
        return RWA_OK;
    if (chk->timing)
        MUST(timing_record(chk, record, lists, hops));
    MUST(transfer_blocks(chk, record, lists));
    for (uint32_t i = 0; chk->device && i < record->orbit; i++) {
        MUST(orbit_lightpath(&lp, &moved, chk, record, lists, i));
        MUST(power_add(chk, &lp, &moved, hops));
    }
    return RWA_OK;
}

/** Check the lightpaths that a record stands for, after its fields were found to be in range. */
static rwa_status check_lightpaths(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists)
{
    uint32_t hops = chk->channel_model->route(chk, record, lists);
    chk->report->lightpaths += record->orbit;
    if (chk->limits.lightpaths > 0 && chk->report->lightpaths > chk->limits.lightpaths)
        return base_refuse(chk->err, "step %u: more than %" PRIu64 " lightpaths, the caller's limit", chk->step,
                           chk->limits.lightpaths);
    RAISE(chk->report->longest_hops, hops);
    RAISE(chk->report->receivers, lists->tap_count + 1);
    if (hops > 0 && chk->begins && !chk->symmetry)
        MUST(symmetry_begin(chk, record));
    chk->begins = false;
    if (hops == 0)
        return RWA_OK;
    if (chk->symmetry)
        return check_whole(chk, record, lists, hops);
    return record->orbit == 1 ? check_lightpath(chk, record, lists, hops) : check_orbit(chk, record, lists, hops);
}

/** End the step before, and begin step `step`.  Report it if it does not follow the step before. */
static rwa_status begin_step(struct checker *chk, uint32_t step)
{
    uint32_t before = chk->step;
    uint64_t line = chk->line;
    /* On a ron steps may be empty while ports retune. */
    bool skips = rwa_network_topology(chk->net) == RWA_RON && step > before;
    chk->line = 0;      /* violations at the end of a step do not concern this record */
    if (before > 0)
        MUST(end_step(chk));
    if (skips)
        MUST(timing_skip_to(chk, step));
    chk->step = step;
    chk->first_record = chk->record;
    chk->begins = true;
    chk->line = line;
    if (step != before + 1 && !skips)
        REPORT(chk, RWA_VIOLATION_ORDER, "step %u follows step %u: expected step %u", step, before, before + 1);
    RAISE(chk->report->steps, step);
    return poll_check(chk);
}

static rwa_status check_record(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists)
{
    if (record->step == 0)
        REPORT(chk, RWA_VIOLATION_RANGE, "a record of step 0, expected steps from 1");
    else if (record->step != chk->step)
        MUST(begin_step(chk, record->step));
    if (record->step > 0 && in_range(chk, record, lists) && orbit_allowed(chk, record))
        MUST(check_lightpaths(chk, record, lists));
    chk->asymmetric = chk->asymmetric || (chk->symmetry && is_violated(chk));
    chk->record++;
    return RWA_OK;
}

/** Store in chk->report how many steps all retunings take together (tuning_cost).  Also store the step in which the
 *  schedule ends if each step waits until its ports are retuned (finish_steps).  On a ron (nodes with ports that are
 *  retuned while others send) the steps of the schedule include the waiting already. */
static void check_tuning(struct checker *chk)
{
    uint64_t tuning = rwa_network_tuning(chk->net);
    uint64_t rounds = rwa_network_topology(chk->net) == RWA_RON ? 0 : chk->tuning_rounds;
    chk->report->tuning_cost = chk->report->tunings * tuning;
    chk->report->finish_steps = chk->report->steps + rounds * tuning;
}

static rwa_status check_end(struct checker *chk, uint32_t claimed_steps)
{
    chk->line = 0;
    if (chk->step > 0)
        MUST(end_step(chk));
    MUST(power_end(chk));
    chk->step = 0;
    chk->record = RWA_NO_INDEX;
    if (claimed_steps != chk->report->steps)
        REPORT(chk, RWA_VIOLATION_HEADER, "the header says %u steps, the schedule has %u", claimed_steps,
               chk->report->steps);
    MUST(chk->holdings->check_end(chk));
    chk->asymmetric = chk->asymmetric || (chk->symmetry && is_violated(chk));
    check_tuning(chk);
    timing_report(chk);
    chk->report->ok = chk->report->violations == 0;
    return RWA_OK;
}

/* ---- records ---- */

/** The source of the records to check: a schedule in memory, or a file. */
struct records {
    const rwa_schedule *sched;
    const char *path;
    rwa_reader *reader;
    uint32_t step;      /* of a schedule: step of the previous record; before the first record, of none */
};

/** Tell whether the records can be read a second time; those of a pipe cannot. */
static bool records_can_reopen(const struct records *from)
{
    struct stat info;
    return from->sched || (strcmp(from->path, "-") != 0 && stat(from->path, &info) == 0 && S_ISREG(info.st_mode));
}

/** Begin to read at the first record, for the first time or again. */
static rwa_status records_open(struct records *from, const rwa_limits *limits, rwa_error *err)
{
    rwa_reader_free(from->reader);
    from->reader = NULL;
    from->step = 1;
    return from->sched ? RWA_OK : rwa_reader_open(&from->reader, from->path, limits, err);
}

/** Read record number chk->record with its lists of nodes and blocks.  *got is 0 after the last record. */
static rwa_status records_next(rwa_lightpath *record, rwa_lists *lists, int *got, struct checker *chk,
                               struct records *from)
{
    if (from->reader) {
        MUST(rwa_reader_next(record, got, from->reader, chk->err));
        rwa_reader_lists(lists, from->reader);
        chk->line = rwa_reader_line(from->reader);
        return RWA_OK;
    }
    *got = chk->record < rwa_schedule_records(from->sched);
    if (!*got)
        return RWA_OK;
    while (chk->record >= first_of_step(from->sched, from->step + 1))
        from->step++;
    *record = record_in_step(from->sched, chk->record, from->step);
    rwa_schedule_lists(lists, from->sched, chk->record);
    return RWA_OK;
}

/* ---- a whole schedule ---- */

static rwa_status open_records(struct checker *chk, uint32_t *steps, struct records *from, const rwa_check_options *o)
{
    const rwa_header *h = from->reader ? rwa_reader_header(from->reader) : NULL;
    const rwa_schedule *sched = from->sched;
    chk->cuts = h ? h->cuts : sched->cuts;
    chk->cut_count = h ? h->cut_count : sched->cut_count;
    chk->slots = h ? h->lightpath_blocks : sched->slots;
    *steps = h ? h->steps : sched->steps;
    return checker_open(chk, h ? h->network : sched->net, h ? &h->collective : &sched->coll,
                        h ? h->members : sched->members, o);
}

/** Check all records of a schedule.  While node 0 stands for all nodes, stop at the first record that breaks the
 *  symmetry or a constraint; chk->asymmetric then says that the schedule must be checked again. */
static rwa_status check_all(struct checker *chk, struct records *from, const rwa_check_options *o)
{
    rwa_lightpath record;
    rwa_lists lists;
    uint32_t steps = 0;
    int got = 1;
    MUST(records_open(from, &chk->limits, chk->err));
    MUST(open_records(chk, &steps, from, o));
    while (!chk->asymmetric) {
        MUST(records_next(&record, &lists, &got, chk, from));
        if (!got)
            return check_end(chk, steps);
        MUST(check_record(chk, &record, &lists));
    }
    return RWA_OK;
}

/** Complete chk->report: in each violation on a taken channel, name the lightpath that had taken the channel before.
 *  For that check the schedule once more, with the new checker `again`.  If an error or the end of the budget stops
 *  this, these lightpaths stay unnamed, and the verdict is the same. */
static void name_others(const struct checker *chk, struct checker again, struct records *from)
{
    rwa_check_report scratch = {.named = RWA_VIOLATIONS_NAMED};
    rwa_check_options plain;
    if (chk->meeting_count == 0 || !records_can_reopen(from))
        return;
    rwa_check_options_init(&plain);
    again.named = chk->report;
    again.report = &scratch;
    again.err = again.memory.err = NULL;
    again.may_turn = false;
    again.budget = chk->budget;
    again.meeting_count = chk->meeting_count;
    memcpy(again.meetings, chk->meetings, sizeof again.meetings);
    (void)check_all(&again, from, &plain);
    checker_close(&again);
}

/** Check a schedule.  As long as all nodes are alike, node 0 stands for all of them.  If a record breaks this
 *  symmetry, check again from the start, lightpath by lightpath. */
static rwa_status check_records(rwa_check_report *out, struct records *from, const rwa_check_options *opts,
                                rwa_error *err)
{
    struct checker chk, fresh = {.report = out, .memory.err = err, .err = err};
    rwa_check_options o;
    MUST(base_options(rwa_check_options, &o, opts, err));
    MUST(limits_take(&fresh.limits, o.limits, err));
    fresh.may_turn = !o.transmission && records_can_reopen(from);   /* a transmission: the lengths of links differ */
    fresh.budget = base_budget(fresh.limits.time_limit_s, o.poll, o.poll_data);
    memset(out, 0, sizeof *out);
    chk = fresh;
    rwa_status st = check_all(&chk, from, &o);
    if (st == RWA_OK && chk.asymmetric) {
        fresh.may_turn = false;
        fresh.budget = chk.budget;
        checker_close(&chk);
        memset(out, 0, sizeof *out);
        chk = fresh;
        st = check_all(&chk, from, &o);
    }
    if (st == RWA_OK)
        name_others(&chk, fresh, from);
    checker_close(&chk);
    rwa_reader_free(from->reader);
    return st;
}

rwa_status check_schedule(rwa_check_report *out, const rwa_schedule *sched, const rwa_check_options *opts,
                          rwa_error *err)
{
    struct records from = {.sched = sched};
    MUST(check_records(out, &from, opts, err));
    for (size_t i = 0; i < out->named; i++)
        if (out->first[i].lightpath < sched->line_count)
            out->first_line[i] = sched->line[out->first[i].lightpath];
    return RWA_OK;
}

static rwa_status check_file(rwa_check_report *out, const char *path, const rwa_check_options *opts, rwa_error *err)
{
    struct records from = {.path = path};
    bool assignment = false;
    MUST(assignment_is_file(&assignment, path, err));
    return assignment ? check_assignment_file(out, path, opts, err) : check_records(out, &from, opts, err);
}

/* ---- the public handle ---- */

/** If `st` is RWA_OK (the check ran, whatever its verdict), hand its result to the caller in *out; else free it.
 *  Return `st`. */
static rwa_status publish(rwa_check **out, rwa_check *check, rwa_status st)
{
    if (st == RWA_OK)
        *out = check;
    else
        rwa_check_free(check);
    return st;
}

rwa_status rwa_check_schedule(rwa_check **out, const rwa_schedule *sched, const rwa_check_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, sched);
    rwa_check *check = base_array(1, sizeof *check, err);
    return publish(out, check, check ? check_schedule(&check->report, sched, opts, err) : RWA_NOMEM);
}

rwa_status rwa_check_file(rwa_check **out, const char *path, const rwa_check_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, path);
    rwa_check *check = base_array(1, sizeof *check, err);
    return publish(out, check, check ? check_file(&check->report, path, opts, err) : RWA_NOMEM);
}

rwa_status rwa_check_assignment(rwa_check **out, const rwa_assignment *result, const rwa_check_options *opts,
                                rwa_error *err)
{
    BEGIN_NEW(out, err, result);
    rwa_check *check = base_array(1, sizeof *check, err);
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
