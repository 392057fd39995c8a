/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Shared backups.  Those of routes that have failed are lit now, and no two on one channel; and every single failure is tried: whatever it
 * breaks must be able to switch over at once.
 */
#include "check/assignment.h"

#include "base/arena.h"

void failures_free(struct failures *f)
{
    free_all(f->working, f->list, f->numbers);
}

rwa_status failures_begin(struct failures *f, const uint32_t *carriers, uint32_t count, rwa_error *err)
{
    MUST(base_grow((void **)&f->working, &f->working_capacity, count, sizeof *f->working, err));
    memcpy(f->working, carriers, count * sizeof *carriers);
    f->working_count = count;
    return RWA_OK;
}

static rwa_status add_numbers(struct failures *f, const uint32_t *numbers, size_t count, rwa_error *err)
{
    if (count == 0)
        return RWA_OK;
    MUST(base_grow((void **)&f->numbers, &f->number_capacity, f->number_count + count, sizeof *f->numbers, err));
    memcpy(f->numbers + f->number_count, numbers, count * sizeof *numbers);
    f->number_count += count;
    return RWA_OK;
}

rwa_status failures_add(struct failures *f, const struct shared_backup *backup, rwa_error *err)
{
    struct shared_backup one = *backup;
    one.first = f->number_count;
    one.working = (uint32_t)f->working_count;
    one.places = 0;
    MUST(base_append(f->list, f->count, f->capacity, err, one));
    return add_numbers(f, f->working, f->working_count, err);
}

rwa_status failures_add_place(struct failures *f, uint32_t carrier, uint32_t channel, rwa_error *err)
{
    assert(f->count > 0);
    rwa_status st = add_numbers(f, (const uint32_t[]){carrier, channel}, 2, err);
    f->list[f->count - 1].places += st == RWA_OK;
    return st;
}

void failures_place(const struct failures *f, const struct shared_backup *backup, uint32_t i, uint32_t *carrier, uint32_t *channel)
{
    assert(i < backup->places);
    const uint32_t *at = f->numbers + backup->first + backup->working + 2 * (size_t)i;
    *carrier = at[0];
    *channel = at[1];
}

/** One failure after the other; the holders of places are forgotten in between. */
struct trial {
    const struct failures *f;
    struct bins broken;         /* backups by carrier of their working routes */
    uint64_t channels;
    uint32_t *holder;           /* of each place: the backup that switched over, plus 1 */
    size_t *switched;           /* of each backup: the last failure after which it did, plus 1 */
    size_t failure;
    void (*report)(void *data, const struct conflict *conflict);
    void *data;
};

static rwa_status list_broken(struct trial *t, uint32_t carriers, rwa_error *err)
{
    const struct failures *f = t->f;
    MUST(bins_open(&t->broken, carriers, err));
    for (int put = 0; put < 2; put++) {
        for (size_t b = 0; b < f->count; b++)
            for (uint32_t k = 0; k < f->list[b].working; k++) {
                uint32_t carrier = f->numbers[f->list[b].first + k];
                if (put)
                    bins_put(&t->broken, carrier, (uint32_t)b);
                else
                    bins_count(&t->broken, carrier);
            }
        if (!put)
            MUST(bins_divide(&t->broken, carriers, err));
    }
    return RWA_OK;
}

/** The lit backup on a place of this one, plus 1; with `take` it becomes this one, after a report of two. */
static uint32_t lit_on(struct trial *t, uint32_t b, bool take)
{
    const struct shared_backup *backup = &t->f->list[b];
    uint32_t found = 0;
    for (uint32_t i = 0; i < backup->places; i++) {
        uint32_t carrier, channel;
        failures_place(t->f, backup, i, &carrier, &channel);
        uint32_t *holder = &t->holder[carrier * t->channels + channel];
        if (take && *holder > 0)
            t->report(t->data, &(struct conflict){backup, &t->f->list[*holder - 1], carrier, channel, FAILED_NOW});
        found = *holder > 0 ? *holder : found;
        *holder = take ? b + 1 : *holder;
    }
    return found;
}

/** The failures there are: a backup that is lit has its channels alone, and one waits only for a lit one. */
static void judge_lit(struct trial *t, uint64_t places)
{
    const struct failures *f = t->f;
    for (size_t b = 0; b < f->count; b++)
        if (f->list[b].lit)
            lit_on(t, (uint32_t)b, true);
    for (size_t b = 0; b < f->count; b++)
        if (f->list[b].waits && lit_on(t, (uint32_t)b, false) == 0)
            t->report(t->data, &(struct conflict){.backup = &f->list[b], .failure = FAILED_NOW});
    memset(t->holder, 0, places * sizeof *t->holder);
}

static void switch_over(struct trial *t, uint32_t b)
{
    const struct shared_backup *backup = &t->f->list[b];
    if (t->switched[b] == t->failure + 1)
        return;
    t->switched[b] = t->failure + 1;
    for (uint32_t i = 0; i < backup->places; i++) {
        uint32_t carrier, channel;
        failures_place(t->f, backup, i, &carrier, &channel);
        uint32_t *holder = &t->holder[carrier * t->channels + channel];
        if (*holder > 0 && *holder != b + 1)
            t->report(t->data, &(struct conflict){backup, &t->f->list[*holder - 1], carrier, channel, t->failure});
        *holder = b + 1;
    }
}

static void break_carrier(struct trial *t, uint32_t carrier)
{
    for (size_t i = t->broken.first[carrier]; i < t->broken.first[carrier + 1]; i++)
        switch_over(t, t->broken.number[i]);
}

static void switch_back(struct trial *t, uint32_t carrier)
{
    for (size_t i = t->broken.first[carrier]; i < t->broken.first[carrier + 1]; i++) {
        const struct shared_backup *backup = &t->f->list[t->broken.number[i]];
        for (uint32_t k = 0; k < backup->places; k++) {
            uint32_t at, channel;
            failures_place(t->f, backup, k, &at, &channel);
            t->holder[at * t->channels + channel] = 0;
        }
    }
}

/** All of these carriers at once. */
static void try_failure(struct trial *t, const uint32_t *carriers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        break_carrier(t, carriers[i]);
    for (size_t i = 0; i < count; i++)
        switch_back(t, carriers[i]);
    t->failure++;
}

static rwa_status try_all(struct trial *t, uint32_t carriers, const struct bins *risks, size_t groups, rwa_error *err)
{
    struct bins members = {0};
    rwa_status st = bins_index(&members, groups, carriers, risks->first, risks->number, NULL, err);
    if (st == RWA_OK) {
        for (uint32_t c = 0; c < carriers; c++)
            try_failure(t, &c, 1);
        for (size_t g = 0; g < groups; g++)
            try_failure(t, members.number + members.first[g], members.first[g + 1] - members.first[g]);
    }
    bins_free(&members);
    return st;
}

rwa_status failures_check(const struct failures *f, uint32_t carriers, uint64_t channels, const struct bins *risks, size_t groups,
                          void (*report)(void *data, const struct conflict *conflict), void *data, rwa_error *err)
{
    struct trial t = {.f = f, .channels = channels, .report = report, .data = data};
    struct arena arena = {.err = err};
    rwa_status st = RWA_OK;
    if (f->count == 0)
        return RWA_OK;
    TRY(base_fits_memory(4.0 * carriers * (double)channels, "checking shared backups", err));
    arena_new(&arena, t.holder, carriers * channels);
    arena_new(&arena, t.switched, f->count);
    TRY(arena_status(&arena));
    TRY(list_broken(&t, carriers, err));
    judge_lit(&t, carriers * channels);
    TRY(try_all(&t, carriers, risks, groups, err));
done:
    bins_free(&t.broken);
    arena_free(&arena);
    return st;
}
