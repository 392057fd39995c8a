/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Shared backups.  In the present state, backups of failed routes are lit, and no two of them may share a channel.
 * Then every single failure is tried: all routes that it breaks must be able to switch over at once.
 */
#include "check/assignment.h"

static rwa_status add_working(struct assignment_checker *chk, const struct route_claim *p, bool broken)
{
    struct failures *f = &chk->failures;
    f->working_broken = broken;
    f->carrier_count = f->working;
    for (uint32_t k = 0; k < p->hops; k++)
        MUST(base_append(f->carriers, f->carrier_count, chk->err, carrier_of(chk, chk->links[k])));
    return RWA_OK;
}

static rwa_status add_backup(struct assignment_checker *chk, const struct route_claim *p, bool broken)
{
    struct failures *f = &chk->failures;
    struct shared_backup backup = {*p, f->place_count, 0, f->working_broken && !p->down && !broken, p->down && !broken};
    MUST(base_append(f->list, f->count, chk->err, backup));
    MUST(base_append(f->first, f->first_count, chk->err, f->working));
    f->working = f->carrier_count;
    return RWA_OK;
}

rwa_status failures_add(struct assignment_checker *chk, const struct route_claim *p, bool broken)
{
    if (p->role == RWA_WORKING)
        return add_working(chk, p, broken);
    return p->role == RWA_SHARED_BACKUP ? add_backup(chk, p, broken) : RWA_OK;
}

rwa_status failures_add_place(struct assignment_checker *chk, uint32_t carrier, uint32_t channel)
{
    struct failures *f = &chk->failures;
    assert(f->count > 0);
    f->list[f->count - 1].places++;
    return base_append(f->places, f->place_count, chk->err, (struct place){carrier, channel});
}

/** Return the i-th channel (from 0) that a shared backup uses, with the carrier (link or fibre pair) that it is on. */
static struct place place_of(const struct failures *f, const struct shared_backup *backup, uint32_t i)
{
    assert(i < backup->places);
    return f->places[backup->first + i];
}

/* ---- trials ---- */

#define PRESENT SIZE_MAX

/** The trial of one failure after the other.  The channels that backups took are cleared in between. */
struct failure_trial {
    struct assignment_checker *chk;
    const struct failures *f;
    struct bins broken;         /* for each carrier: the backups whose working routes use it */
    uint64_t channels;
    uint32_t *holder;           /* for each place: 1 + the backup that switched over to it; 0: none */
    size_t *switched;           /* for each backup: 1 + the last failure after which it switched over */
    size_t failure;             /* PRESENT; number of a carrier; from chk->carriers on, of a risk group */
};

static uint32_t *holder_of(const struct failure_trial *t, struct place at)
{
    return &t->holder[at.carrier * t->channels + at.channel];
}

/** Report that a backup and that of demand `other` both need the channel `at` in the state that is examined: the
 *  present one, or that after the failure t->failure. */
static void report_shared(const struct failure_trial *t, const struct shared_backup *backup, uint64_t other,
                          struct place at)
{
    bool group = t->failure >= t->chk->carriers;
    char before[sizeof t->chk->report->first->text];
    if (t->failure == PRESENT)
        snprintf(before, sizeof before, ": its shared backup and that of demand %" PRIu64 " are both lit on", other);
    else
        snprintf(before, sizeof before, ": after a failure of %s %zu its backup and that of demand %" PRIu64 " need",
                 group ? "risk group" : "link", group ? t->failure - t->chk->carriers : t->failure, other);
    report_place(t->chk, t->failure == PRESENT ? RWA_VIOLATION_CHANNEL : RWA_VIOLATION_PROTECTION, &backup->claim,
                 at.carrier, at.channel, before, "");
}

/** Let shared backup b carry traffic: take its channels.  Report a channel that another backup has taken already. */
static void light(struct failure_trial *t, uint32_t b)
{
    const struct shared_backup *backup = &t->f->list[b];
    for (uint32_t i = 0; i < backup->places; i++) {
        struct place at = place_of(t->f, backup, i);
        uint32_t *holder = holder_of(t, at);
        if (*holder > 0 && *holder != b + 1)
            report_shared(t, backup, t->f->list[*holder - 1].claim.demand, at);
        *holder = b + 1;
    }
}

/** Check that no working route and no dedicated backup uses the channels of a shared backup. */
static void check_places(struct assignment_checker *chk, const struct shared_backup *backup)
{
    for (uint32_t i = 0; i < backup->places; i++) {
        struct place at = place_of(&chk->failures, backup, i);
        if (get_bit(chk->busy, (uint64_t)at.channel * chk->carriers + at.carrier))
            report_place(chk, RWA_VIOLATION_CHANNEL, &backup->claim, at.carrier, at.channel, ":", " is taken");
        set_bit(chk->lit, at.channel);
    }
}

/** Tell whether a backup that carries traffic uses one of this backup's channels. */
static bool waits_for_light(const struct failure_trial *t, const struct shared_backup *backup)
{
    bool lit = false;
    for (uint32_t i = 0; i < backup->places && !lit; i++)
        lit = *holder_of(t, place_of(t->f, backup, i)) > 0;
    return lit;
}

/** Report what is wrong with the shared backups in the present state: two that carry traffic use the same channel, or
 *  one is marked down though it has no failed link and none that carries traffic uses its channels.  `places`: number
 *  of channels of all carriers. */
static void judge_lit(struct failure_trial *t, uint64_t places)
{
    const struct failures *f = t->f;
    for (size_t b = 0; b < f->count; b++)
        if (f->list[b].lit)
            light(t, (uint32_t)b);
    for (size_t b = 0; b < f->count; b++)
        if (f->list[b].waits && !waits_for_light(t, &f->list[b]))
            REPORT(t->chk, RWA_VIOLATION_HEADER, &f->list[b].claim,
                   ": its shared backup is marked down, but no link of it has failed, and no lit backup is on its "
                   "channels");
    memset(t->holder, 0, places * sizeof *t->holder);
    t->failure = 0;
}

static void break_carrier(struct failure_trial *t, uint32_t carrier)
{
    for (size_t i = t->broken.first[carrier]; i < t->broken.first[carrier + 1]; i++) {
        uint32_t b = t->broken.number[i];
        if (t->switched[b] != t->failure + 1)
            light(t, b);
        t->switched[b] = t->failure + 1;
    }
}

static void switch_back(struct failure_trial *t, uint32_t carrier)
{
    for (size_t i = t->broken.first[carrier]; i < t->broken.first[carrier + 1]; i++) {
        const struct shared_backup *backup = &t->f->list[t->broken.number[i]];
        for (uint32_t k = 0; k < backup->places; k++)
            *holder_of(t, place_of(t->f, backup, k)) = 0;
    }
}

/** Let each carrier fail in turn, then each risk group with all its links at once.  After each failure report the
 *  channels that two shared backups need. */
static void try_all(struct failure_trial *t)
{
    const rwa_network *net = t->chk->net;
    const uint32_t *links = NULL;
    for (uint32_t c = 0; c < t->chk->carriers; c++, t->failure++) {
        break_carrier(t, c);
        switch_back(t, c);
    }
    for (size_t g = 0; g < rwa_network_risk_groups(net); g++, t->failure++) {
        size_t count = rwa_network_risk_group(&links, net, g);
        for (size_t k = 0; k < count; k++)
            break_carrier(t, carrier_of(t->chk, links[k]));
        for (size_t k = 0; k < count; k++)
            switch_back(t, carrier_of(t->chk, links[k]));
    }
}

rwa_status failures_check(struct assignment_checker *chk)
{
    struct failures *f = &chk->failures;
    struct failure_trial t = {.chk = chk, .f = f, .channels = (uint64_t)chk->fibers * chk->wavelengths,
                              .failure = PRESENT};
    uint64_t places = chk->carriers * t.channels;
    struct arena arena = {.err = chk->err};
    rwa_status st = RWA_OK;
    if (f->count == 0)
        return RWA_OK;
    for (size_t b = 0; b < f->count; b++)
        check_places(chk, &f->list[b]);
    TRY(base_fits_memory((double)places * sizeof *t.holder, "checking shared backups", chk->err));
    arena_new(&arena, t.holder, places);
    TRY(arena_arrays(&arena, f->count, t.switched));
    TRY(base_append(f->first, f->first_count, chk->err, f->working));
    TRY(bins_index(&t.broken, chk->carriers, f->count, f->first, f->carriers, NULL, chk->err));
    judge_lit(&t, places);
    try_all(&t);
done:
    bins_free(&t.broken);
    arena_free(&arena);
    return st;
}
