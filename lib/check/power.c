/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Power: every lightpath of a step is checked against the limits of a device profile. */
#include "check/checker.h"

#include "power/power.h"

/** Stop checking power, for the reason `why`, which the report gives.  The verdict on power cannot be PASS any
 *  more. */
static void give_up(struct checker *chk, const char *why)
{
    chk->report->power_unchecked = why;
    if (chk->report->power.verdict == RWA_PASS)
        chk->report->power.verdict = RWA_UNCHECKED;
    chk->device = NULL;
}

void power_open(struct checker *chk)
{
    chk->report->power_checked = chk->device != NULL;
    if (!chk->device)
        return;
    power_report_init(&chk->report->power);
    if (network_has_arcs(chk->net))
        return;
    chk->model = RWA_POWER_PAPER; /* the rings of other nodes are unknown: a node costs the same on every route */
    if (network_is_one_hop(chk->net))
        give_up(chk, "device profiles do not describe stars and switches");
    else if (isnan(chk->device->paper_pass_db))
        give_up(chk, "beyond rings and lines a profile must give paper_pass_db (dB per node)");
}

rwa_status power_add(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    struct lit_path *path;
    assert(chk->device);
    MUST(base_reserve(chk->lit, chk->lit_count + 1, chk->err));
    path = &chk->lit[chk->lit_count];
    *path = (struct lit_path){*lp, NULL, lists->tap_count, hops, chk->record, chk->line};
    if (lists->tap_count > 0) {
        MUST(base_new(path->taps, lists->tap_count, chk->err));
        memcpy(path->taps, lists->taps, lists->tap_count * sizeof *path->taps);
    }
    chk->lit_count++;
    return RWA_OK;
}

/** Forget lightpaths of a step. */
static void drop_paths(struct lit_path *list, size_t *count)
{
    while (*count > 0)
        free(list[--*count].taps);
}

/** Let violations that are reported from now on name this lightpath: set chk->record and chk->line. */
static void go_to(struct checker *chk, const struct lit_path *path)
{
    chk->record = path->record;
    chk->line = path->line;
}

/** Report the lightpaths of the step whose wavelengths are not in the device's grid.  Return whether there are any:
 *  then the power of this step is not computed. */
static bool outside_grid(struct checker *chk)
{
    uint32_t grid = rwa_device_wavelengths(chk->device);
    rwa_power_report *power = &chk->report->power;
    uint64_t before = chk->report->off_grid;
    for (size_t i = 0; i < chk->lit_count; i++) {
        const rwa_lightpath *lp = &chk->lit[i].lp;
        if (lp->wavelength < grid)
            continue;
        go_to(chk, &chk->lit[i]);
        report_lightpath(chk, RWA_VIOLATION_POWER, lp, RWA_NO_INDEX,
                         "on wavelength %u, outside the device's grid of wavelengths 0..%u", lp->wavelength, grid - 1);
        power_report_fail(power, chk->step, chk->step_first + i);
        chk->report->off_grid++;
    }
    return chk->report->off_grid > before;
}

/** Tell whether violation i in the report is worse than violation k, or as bad and by an earlier lightpath.  Both are
 *  violations of power, numbered by their index in report->first. */
static bool is_worse(const struct checker *chk, size_t i, size_t k)
{
    const rwa_violation *first = chk->report->first;
    return chk->severity[i] > chk->severity[k] ||
           (chk->severity[i] == chk->severity[k] && first[i].lightpath < first[k].lightpath);
}

#define SWAP(type, a, b) do { type kept = (a); (a) = (b); (b) = kept; } while (0)

/** Move the violation of power at index `place` of report->first ahead of less severe ones.  Violations of other kinds
 *  stay. */
static void move_up(struct checker *chk, size_t place)
{
    rwa_check_report *r = chk->report;
    for (size_t i = place; i-- > 0;)
        if (r->first[i].kind == RWA_VIOLATION_POWER && is_worse(chk, place, i)) {
            SWAP(rwa_violation, r->first[i], r->first[place]);
            SWAP(uint64_t, r->first_line[i], r->first_line[place]);
            SWAP(float, chk->severity[i], chk->severity[place]);
            place = i;
        }
}

/** Return the index in chk->report->first for a new violation of power.  If the report is full, that is the index of
 *  the violation that it replaces, the least severe one of power.  RWA_VIOLATIONS_NAMED: the report is full, and no
 *  violation of power in it is less severe than `severity`. */
static size_t place_of(const struct checker *chk, float severity)
{
    const rwa_check_report *r = chk->report;
    size_t last = RWA_VIOLATIONS_NAMED - KEPT_FOR_OTHERS;
    if (!report_is_full(r, RWA_VIOLATION_POWER))
        return r->named;
    while (last > 0 && r->first[last - 1].kind != RWA_VIOLATION_POWER)
        last--;
    return last > 0 && chk->severity[last - 1] < severity ? last - 1 : RWA_VIOLATIONS_NAMED;
}

/** Report a violation if a lightpath lacks power or has too many bit errors.  If there are too many for the report, it
 *  keeps the worst.  `number`: that of the lightpath in the schedule. */
static void report_power(struct checker *chk, const rwa_lightpath *lp, const rwa_power *power, uint64_t number)
{
    bool weak = power->budget == RWA_FAIL;
    float severity = (float)(weak ? fmax(-power->margin_db, 0) : power->log10_ber);
    if (!weak && power->crosstalk != RWA_FAIL)
        return;
    size_t named = chk->report->named, place = chk->report->named = place_of(chk, severity);
    rwa_violation found = lightpath_violation(chk, RWA_VIOLATION_POWER, lp, RWA_NO_INDEX);
    snprintf(found.text, sizeof found.text, "step %u: lightpath %" PRIu64 " (node %u to %u, wavelength %u) ", chk->step,
             number, lp->src, lp->dst, lp->wavelength);
    if (weak && power->margin_db < 0)
        report_add(chk->report, chk->line, found, "has a margin of %.2f dB, below 0", power->margin_db);
    else if (weak)
        report_add(chk->report, chk->line, found, "is in a waveguide that carries more than %g dBm",
                   chk->device->waveguide_max_dbm);
    else
        report_add(chk->report, chk->line, found, "has a bit error rate of %.1e, above %g",
                   pow(10, power->log10_ber), chk->device->ber_max);
    chk->report->named = named;
    if (place == RWA_VIOLATIONS_NAMED)
        return;
    chk->report->named += place == named;
    chk->severity[place] = severity;
    move_up(chk, place);
}

/** Add the power figures of `count` lightpaths of chk->step to the report, and report violations by them.  `index`:
 *  number of the first lightpath in the schedule; `waveguide_dbm`: the most power at any node's output. */
static void report_step(struct checker *chk, uint64_t index, const struct lit_path *list, const rwa_power *power,
                        size_t count, double waveguide_dbm)
{
    rwa_power_report *report = &chk->report->power;
    power_report_add(report, chk->device, chk->step, index, power, count);
    report->waveguide_max_dbm = fmax(report->waveguide_max_dbm, waveguide_dbm);
    for (size_t i = 0; i < count; i++) {
        go_to(chk, &list[i]);
        report_power(chk, &list[i].lp, &power[i], index + i);
    }
}

/** Store in `power` the power figures of the lightpaths in `set` that send in a step, and in *waveguide_dbm the most
 *  power at any node's output.  `index`: number of the first lightpath in the schedule.  If one of them is the
 *  lightpath whose link budget the caller wants, put its budget into the report. */
static rwa_status compute_power(rwa_power *power, double *waveguide_dbm, struct checker *chk, struct lit_set *set,
                                uint32_t step, uint64_t index)
{
    rwa_link_budget *b = &chk->report->budget;
    set->detailed = (size_t)(chk->detailed - index);
    set->detail = chk->detailed >= index && set->detailed < set->lit ? b : NULL;
    MUST(physics_of(power, waveguide_dbm, set, &chk->budget, chk->err));
    if (!set->detail)
        return RWA_OK;
    b->lightpath = chk->detailed;
    b->step = step;
    for (size_t i = 0; i < b->aggressors && i < RWA_AGGRESSORS_NAMED; i++)
        b->worst[i].lightpath += index;
    if (b->power.aggressor != RWA_NO_INDEX)
        b->power.aggressor += index;
    return RWA_OK;
}

/** Return a set of `count` lightpaths that have their rings tuned in a step.  The first `lit` of them send. */
static struct lit_set set_of(const struct checker *chk, const struct lit_path *list, size_t count, size_t lit)
{
    return (struct lit_set){.net = chk->net, .device = chk->device, .model = chk->model, .list = list, .count = count,
                            .lit = lit};
}

/** Tell whether two lightpaths on the same channel of some link need the same rings: source, end and taps are
 *  equal. */
static bool is_same(const struct lit_path *a, const struct lit_path *b)
{
    bool same = a->lp.src == b->lp.src && a->lp.dst == b->lp.dst && a->tap_count == b->tap_count;
    return same && (a->tap_count == 0 || memcmp(a->taps, b->taps, a->tap_count * sizeof *a->taps) == 0);
}

/** Tell whether the step has the lightpaths of the step before, in the same order, and none whose link budget the
 *  caller wants. */
static bool is_known(const struct checker *chk)
{
    size_t i = 0;
    for (; i < chk->lit_count && chk->lit_count == chk->known_count; i++) {
        const struct lit_path *a = &chk->lit[i], *b = &chk->known[i];
        if (!is_same(a, b) || a->lp.direction != b->lp.direction || a->lp.fiber != b->lp.fiber ||
            a->lp.wavelength != b->lp.wavelength || a->hops != b->hops)
            break;
    }
    return i == chk->lit_count && chk->detailed - chk->step_first >= chk->lit_count;
}

/** Check the power of the current step, in which only its own lightpaths have their rings tuned.  Where they are those
 *  of the step before, so are the figures. */
static rwa_status check_power(struct checker *chk)
{
    enum { KNOWN_MOST = 1 << 18 };  /* lightpaths of a step that are kept for the next step */
    struct lit_set set = set_of(chk, chk->lit, chk->lit_count, chk->lit_count);
    if (!is_known(chk)) {
        drop_paths(chk->known, &chk->known_count);
        free(chk->known_power);
        MUST(base_new(chk->known_power, chk->lit_count, chk->err));
        MUST(compute_power(chk->known_power, &chk->known_dbm, chk, &set, chk->step, chk->step_first));
    }
    report_step(chk, chk->step_first, chk->lit, chk->known_power, chk->lit_count, chk->known_dbm);
    if (chk->lit_count <= KNOWN_MOST) {
        SWAP(struct lit_path *, chk->lit, chk->known);
        SWAP(size_t, chk->lit_count, chk->known_count);
    }
    return RWA_OK;
}

/* ---- rings that stay tuned from step to step ---- */

/** A lightpath whose rings are on resonance. */
struct tuned {
    struct lit_path path;
    uint32_t used;          /* the last step; 0: the entry is free */
    bool sends;             /* in the current step */
};

/** A lightpath that sends in a step, as an index of the tuned ones, and the number of its record within the step. */
struct power_sender {
    uint32_t tuned, record;
};

/** A step whose power is checked later, when it is known which rings are tuned in it. */
struct waiting_power {
    uint32_t step;
    uint64_t index, record, line;   /* of the first lightpath of the step */
    size_t first, count;            /* the lightpaths that send in it; consecutive equal steps share them */
};

struct rings {
    struct tuned *tuned;
    size_t tuned_count;
    uint32_t *spare;        /* free entries */
    size_t spare_count;
    uint32_t *owner;        /* by arc_place(): 1 + the tuned lightpath that owns it; 0: none */
    struct power_sender *senders;
    size_t sender_count;
    struct waiting_power *waiting;
    size_t waiting_count;
};

/** All tuned lightpaths in a step; those that send come first. */
struct shining {
    struct arena memory;
    struct lit_path *list;
    size_t count;
    rwa_power *power;
    double waveguide_dbm;
};

/** Store `owner` in chk->rings->owner for the channel of a lightpath on each of its links: 1 + the index of the owner
 *  among the tuned lightpaths; 0: none. */
static void own(const struct checker *chk, const rwa_lightpath *lp, uint32_t owner)
{
    for (uint32_t h = arc_hops(chk, lp); h-- > 0;)
        chk->rings->owner[arc_place(chk, lp, h)] = owner;
}

static rwa_status let_go(struct checker *chk, uint32_t i)
{
    struct rings *r = chk->rings;
    struct tuned *t = &r->tuned[i];
    MUST(base_append(r->spare, r->spare_count, chk->err, i));
    own(chk, &t->path.lp, 0);
    free(t->path.taps);
    *t = (struct tuned){.used = 0};
    return RWA_OK;
}

static rwa_status let_go_all(struct checker *chk)
{
    for (uint32_t i = 0; i < chk->rings->tuned_count; i++)
        if (chk->rings->tuned[i].used > 0)
            MUST(let_go(chk, i));
    return RWA_OK;
}

/** Tune the rings of a lightpath of the step, and set *out to the index of the lightpath among the tuned ones.  If the
 *  same rings are tuned already, only note that the step uses them.  Otherwise release all tuned lightpaths that hold
 *  the channel on one of its links.  Then the list path->taps belongs to the tuned lightpath, and path->taps is NULL.
 *  RWA_NOMEM. */
static rwa_status tune(uint32_t *out, struct checker *chk, struct lit_path *path)
{
    struct rings *r = chk->rings;
    uint32_t hops = arc_hops(chk, &path->lp), owner = r->owner[arc_place(chk, &path->lp, 0)];
    *out = owner - 1;
    if (owner > 0 && is_same(&r->tuned[owner - 1].path, path)) {
        r->tuned[owner - 1].used = chk->step;
        return RWA_OK;
    }
    for (uint32_t h = 0; h < hops; h++)
        if (r->owner[arc_place(chk, &path->lp, h)] > 0)
            MUST(let_go(chk, r->owner[arc_place(chk, &path->lp, h)] - 1));
    *out = r->spare_count > 0 ? r->spare[--r->spare_count] : (uint32_t)r->tuned_count;
    if (*out == r->tuned_count)
        MUST(base_append(r->tuned, r->tuned_count, chk->err, (struct tuned){.used = 0}));
    r->tuned[*out] = (struct tuned){.path = *path, .used = chk->step};
    path->taps = NULL;
    own(chk, &path->lp, *out + 1);
    return RWA_OK;
}

/** Release each tuned lightpath whose ports other lightpaths may have retuned since it was last used.  RWA_NOMEM. */
static rwa_status release_ports(struct checker *chk)
{
    struct rings *r = chk->rings;
    for (uint32_t i = 0; i < r->tuned_count && rwa_network_ports(chk->net) > 0; i++) {
        const struct tuned *t = &r->tuned[i];
        if (t->used > 0 && !timing_keeps_ports(chk, &t->path, t->used))
            MUST(let_go(chk, i));
    }
    return RWA_OK;
}

/** Tell whether the caller's limits leave memory for the lightpaths of one more step. */
static bool has_memory(const struct checker *chk)
{
    const struct rings *r = chk->rings;
    double more = (double)chk->lit_count,
           place = 2.0 * chk->fibers * chk->wavelengths * chk->links * sizeof *r->owner;
    double bytes = ((r ? (double)r->tuned_count : 0) + more) * sizeof *r->tuned +
                   ((r ? (double)r->sender_count : 0) + more) * sizeof *r->senders + place;
    return limits_fit(&chk->limits, bytes, "the power of this schedule", NULL) == RWA_OK;
}

static rwa_status open_rings(struct checker *chk)
{
    uint64_t places = 2 * (uint64_t)chk->fibers * chk->wavelengths * chk->links;
    if (chk->rings)
        return RWA_OK;
    MUST(base_new(chk->rings, 1, chk->err));
    return base_new(chk->rings->owner, places, chk->err);
}

/** Tune the rings of the ending step's lightpaths, and let the step wait: its power is checked when it is known which
 *  rings are tuned in it. */
static rwa_status hold_step(struct checker *chk)
{
    if (!has_memory(chk)) {
        give_up(chk, "the lightpaths that stay tuned take more memory than allowed");
        return RWA_OK;
    }
    MUST(open_rings(chk));
    struct rings *r = chk->rings;
    struct waiting_power w = {chk->step, chk->step_first, chk->lit[0].record, chk->lit[0].line, r->sender_count,
                              chk->lit_count};
    for (size_t i = 0; i < chk->lit_count; i++) {
        struct power_sender sender = {0, (uint32_t)(chk->lit[i].record - w.record)};
        MUST(tune(&sender.tuned, chk, &chk->lit[i]));
        MUST(base_append(r->senders, r->sender_count, chk->err, sender));
    }
    MUST(release_ports(chk));
    const struct waiting_power *before = r->waiting_count > 0 ? &r->waiting[r->waiting_count - 1] : NULL;
    if (before && before->count == w.count &&
        memcmp(r->senders + before->first, r->senders + w.first, w.count * sizeof *r->senders) == 0) {
        r->sender_count = w.first;
        w.first = before->first;
    }
    return base_append(r->waiting, r->waiting_count, chk->err, w);
}

static rwa_status shine(struct shining *s, struct checker *chk, const struct waiting_power *w)
{
    struct rings *r = chk->rings;
    s->count = 0;
    for (size_t k = 0; k < w->count; k++) {
        struct tuned *t = &r->tuned[r->senders[w->first + k].tuned];
        assert(t->used > 0);
        s->list[s->count++] = t->path;
        t->sends = true;
    }
    for (size_t i = 0; i < r->tuned_count; i++) {
        if (r->tuned[i].used > 0 && !r->tuned[i].sends)
            s->list[s->count++] = r->tuned[i].path;
        r->tuned[i].sends = false;
    }
    struct lit_set set = set_of(chk, s->list, s->count, w->count);
    return compute_power(s->power, &s->waveguide_dbm, chk, &set, w->step, w->index);
}

static void report_waiting(struct checker *chk, const struct waiting_power *w, const struct shining *s)
{
    for (size_t k = 0; k < w->count; k++) {
        uint32_t record = chk->rings->senders[w->first + k].record;
        s->list[k].record = w->record + record;
        s->list[k].line = w->line > 0 ? w->line + record : 0;
    }
    chk->step = w->step;
    report_step(chk, w->index, s->list, s->power, w->count, s->waveguide_dbm);
}

static void drop_waiting(struct rings *r, size_t count)
{
    size_t first = count < r->waiting_count ? r->waiting[count].first : r->sender_count;
    r->waiting_count -= count;
    r->sender_count -= first;
    if (r->waiting_count > 0)
        memmove(r->waiting, r->waiting + count, r->waiting_count * sizeof *r->waiting);
    if (r->sender_count > 0)
        memmove(r->senders, r->senders + first, r->sender_count * sizeof *r->senders);
    for (size_t i = 0; i < r->waiting_count; i++)
        r->waiting[i].first -= first;
}

/** Check the power of the waiting steps up to step `last`.  Lightpaths that are tuned now but do not send in a step
 *  keep their rings on resonance in it. */
static rwa_status judge_until(struct checker *chk, uint32_t last)
{
    struct shining s = {.memory.err = chk->err};
    struct rings *r = chk->rings;
    size_t done = 0;
    rwa_status st = RWA_OK;
    if (!r || !chk->device || r->waiting_count == 0 || r->waiting[0].step > last)
        return RWA_OK;
    TRY(arena_arrays(&s.memory, r->tuned_count, s.list, s.power));
    for (; done < r->waiting_count && r->waiting[done].step <= last; done++) {
        const struct waiting_power *w = &r->waiting[done];
        if (done == 0 || w->first != w[-1].first || chk->detailed - w->index < w->count)
            TRY(shine(&s, chk, w));
        report_waiting(chk, w, &s);
    }
    drop_waiting(r, done);
done:
    arena_free(&s.memory);
    return st;
}

/* ---- the end of a step ---- */

static rwa_status settle_steps(struct checker *chk)
{
    bool together;
    uint32_t last;
    if (!timing_settled(&last, &together, chk)) {
        give_up(chk, "a link fails in a step that sets up no lightpath");
        return RWA_OK;
    }
    bool over = chk->rings && chk->rings->waiting_count > 0 && chk->rings->waiting[0].step <= last;
    MUST(judge_until(chk, last));
    return over && together ? let_go_all(chk) : RWA_OK;
}

rwa_status power_end_step(struct checker *chk)
{
    rwa_status st = RWA_OK;
    size_t count = chk->lit_count;
    uint32_t step = chk->step;
    uint64_t record = chk->record, line = chk->line;
    bool epochs = timing_has_epochs(chk) && network_has_arcs(chk->net);
    if (chk->device && network_has_arcs(chk->net))
        st = settle_steps(chk);
    chk->step = step;
    if (st == RWA_OK && chk->device && chk->lit_count > 0 && !outside_grid(chk))
        st = epochs ? hold_step(chk) : check_power(chk);
    chk->record = record;
    chk->line = line;
    chk->step_first += count;
    drop_paths(chk->lit, &chk->lit_count);
    return st;
}

rwa_status power_end(struct checker *chk)
{
    return judge_until(chk, UINT32_MAX);
}

void power_close(struct checker *chk)
{
    struct rings *r = chk->rings;
    for (size_t i = 0; r && i < r->tuned_count; i++)
        free(r->tuned[i].path.taps);
    if (r)
        free_all(r->tuned, r->spare, r->owner, r->senders, r->waiting, r);
    drop_paths(chk->lit, &chk->lit_count);
    drop_paths(chk->known, &chk->known_count);
    free_all(chk->lit, chk->known, chk->known_power);
}
