/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A playbook in its folder: the index, and the schedules of plays. */
#include "playbook/playbook.h"

#include "base/file.h"
#include "base/json.h"
#include "check/check.h"
#include "network/network.h"

/** Most bytes of an index. */
enum { INDEX_MAX = 1 << 28 };

static const char *const kind_names[] = {"links", "nodes"};

/* ---- write ---- */

static void add_play(struct text *t, const struct play *p)
{
    const rwa_play *seen = &p->seen;
    text_add(t, "{\"failure\":%" PRIu32 ",\"name\":", seen->failure);
    text_add_json(t, p->name);
    text_add(t, ",\"step\":%" PRIu32 ",\"begins_again\":%s,\"lost\":%" PRIu64, seen->step,
             seen->begins_again ? "true" : "false", seen->lost);
    if (!p->file) {
        text_add(t, ",\"why\":");
        text_add_json(t, p->why);
    } else
        text_add(t,
                 ",\"file\":\"%s\",\"move\":%" PRIu32 ",\"steps\":%" PRIu32
                 ",\"time_seconds\":%.17g,\"after_seconds\":%.17g,\"changed\":%" PRIu64,
                 p->file, p->move, seen->steps, seen->time_s, seen->after_s, seen->changed);
    text_add(t, "}");
}

void playbook_write(struct text *t, const struct rwa_playbook *b)
{
    size_t count = (size_t)b->failures * b->steps;
    text_add(t, "{\"format\":\"rwa-playbook\",\"version\":1,\"failures\":\"%s\",\"collective\":\"%s\",\"plan\":\"%s\","
             "\"steps\":%" PRIu32 ",\"plays\":[", kind_names[b->kind],
             rwa_collective_name(rwa_schedule_collective(b->plan)->kind), PLAYBOOK_PLAN, b->steps);
    for (size_t i = 0; i < count; i++) {
        text_add(t, "%s\n", i ? "," : "");
        add_play(t, &b->plays[i]);
    }
    text_add(t, "\n]}\n");
}

/* ---- read ---- */

static bool take_seconds(const json_t *value, double *seconds)
{
    *seconds = json_number_value(value);
    return json_is_number(value) && isfinite(*seconds);
}

/** Tell whether a text names a file in the folder itself. */
static bool is_file(const char *name)
{
    return name && *name && *name != '.' && !strchr(name, '/');
}

/** Take the numbers of an entry of the index; false: it is not one for this play. */
static bool take_numbers(struct rwa_playbook *b, struct play *p, const json_t *entry)
{
    rwa_play *seen = &p->seen;
    uint32_t failure = 0, step = 0;
    const json_t *again = json_object_get(entry, "begins_again"), *why = json_object_get(entry, "why");
    if (!json_u32(json_object_get(entry, "failure"), &failure) || !json_u32(json_object_get(entry, "step"), &step) ||
        failure != seen->failure || step != seen->step || !json_is_boolean(again) ||
        !json_whole(json_object_get(entry, "lost"), INT64_MAX, &seen->lost))
        return false;
    seen->begins_again = json_is_true(again);
    if (seen->begins_again && !playbook_loses_member(b, failure))
        return false;
    if (why)
        return json_is_string(why) && json_string_length(why) > 0;
    return is_file(json_string_value(json_object_get(entry, "file"))) &&
           json_u32(json_object_get(entry, "move"), &p->move) &&
           p->move < rwa_network_nodes(rwa_schedule_network(b->plan)) &&
           (p->move == 0 || step <= b->symmetric || (seen->begins_again && b->symmetric)) &&
           json_u32(json_object_get(entry, "steps"), &seen->steps) && seen->steps > 0 &&
           take_seconds(json_object_get(entry, "time_seconds"), &seen->time_s) &&
           take_seconds(json_object_get(entry, "after_seconds"), &seen->after_s) &&
           json_whole(json_object_get(entry, "changed"), INT64_MAX, &seen->changed);
}

/** Copy the reason or the name of the file of an entry. */
static rwa_status take_text(struct play *p, const json_t *entry, rwa_error *err)
{
    const char *why = json_string_value(json_object_get(entry, "why"));
    char **text = why ? &p->why : &p->file;
    *text = base_copy_text(why ? why : json_string_value(json_object_get(entry, "file")), err);
    p->seen.why = p->why ? p->why : "";
    return *text ? RWA_OK : RWA_NOMEM;
}

static rwa_status take_plays(struct rwa_playbook *b, const json_t *list, const char *path, rwa_error *err)
{
    size_t count = (size_t)b->failures * b->steps;
    if (json_array_size(list) != count)
        return base_fail(err, RWA_FORMAT, "%s: plays: expected %zu, one for each failure and step", path, count);
    for (size_t i = 0; i < count; i++) {
        const json_t *entry = json_array_get(list, i);
        if (!take_numbers(b, &b->plays[i], entry))
            return base_fail(err, RWA_FORMAT,
                             "%s: plays[%zu]: expected that of failure %u in step %u, with lost, begins_again, and why "
                             "or file, move, steps, time_seconds, after_seconds and changed",
                             path, i, b->plays[i].seen.failure, b->plays[i].seen.step);
        MUST(take_text(&b->plays[i], entry, err));
    }
    return RWA_OK;
}

/** Return the path of a file in a folder, which the caller frees, or NULL if memory ran out. */
static char *path_in(const char *folder, const char *file, rwa_error *err)
{
    struct text path = {.err = err};
    char *whole = NULL;
    text_add(&path, "%s/%s", folder, file);
    text_finish(&path, &whole);
    return whole;
}

/** Read a schedule of a folder. */
static rwa_status read_schedule(rwa_schedule **out, const char *folder, const char *file, const rwa_limits *limits,
                                rwa_error *err)
{
    char *path = path_in(folder, file, err);
    rwa_status st = path ? rwa_schedule_read(out, path, limits, err) : RWA_NOMEM;
    free(path);
    return st;
}

static rwa_status check_accepted(const rwa_schedule *sched, const char *file, rwa_error *err)
{
    rwa_check_report report;
    MUST(check_schedule(&report, sched, NULL, err));
    return report.ok ? RWA_OK
                     : base_fail(err, RWA_FORMAT, "%s: the checker rejects it: %s", file, report.first[0].text);
}

static rwa_status take_head(int *kind, const json_t *index, const char *path, rwa_error *err)
{
    const char *format = json_string_value(json_object_get(index, "format"));
    const char *failures = json_string_value(json_object_get(index, "failures"));
    if (!format || strcmp(format, "rwa-playbook") != 0)
        return base_fail(err, RWA_FORMAT, "%s: format: expected \"rwa-playbook\"", path);
    if (json_integer_value(json_object_get(index, "version")) != 1)
        return base_fail(err, RWA_FORMAT, "%s: version: expected 1, the one this library knows", path);
    for (*kind = 0; *kind < 2; ++*kind)
        if (failures && strcmp(failures, kind_names[*kind]) == 0)
            return RWA_OK;
    return base_fail(err, RWA_FORMAT, "%s: failures: expected \"links\" or \"nodes\"", path);
}

static rwa_status read_index(struct rwa_playbook *b, const char *path, const rwa_limits *limits, rwa_error *err)
{
    char *text = NULL;
    size_t length = 0;
    json_t *index = NULL;
    int kind = 0;
    rwa_status st = RWA_OK;
    TRY(file_load(&text, &length, path, INDEX_MAX, "the index of a playbook", err));
    TRY(json_open(&index, text, length, path, err));
    TRY(take_head(&kind, index, path, err));
    TRY(read_schedule(&b->own, b->folder, PLAYBOOK_PLAN, limits, err));
    TRY(check_accepted(b->own, PLAYBOOK_PLAN, err));
    TRY(base_blame(playbook_open(b, b->own, (rwa_failure_kind)kind, err), path, 0, err));
    TRY(take_plays(b, json_object_get(index, "plays"), path, err));
done:
    json_decref(index);
    free(text);
    return st;
}

rwa_status rwa_playbook_read(rwa_playbook **out, const char *folder, const rwa_limits *limits, rwa_error *err)
{
    BEGIN_NEW(out, err, folder);
    struct rwa_playbook *b = NULL;
    char *path = NULL;
    rwa_status st = RWA_OK;
    TRY(base_new(b, 1, err));
    TRY((b->folder = base_copy_text(folder, err)) ? RWA_OK : RWA_NOMEM);
    TRY((path = path_in(folder, PLAYBOOK_INDEX, err)) ? RWA_OK : RWA_NOMEM);
    TRY(read_index(b, path, limits, err));
    *out = b;
    b = NULL;
done:
    free(path);
    rwa_playbook_free(b);
    return st;
}

void rwa_playbook_free(rwa_playbook *book)
{
    if (book)
        playbook_close(book);
    free(book);
}

/* ---- answers ---- */

GETTER(rwa_failure_kind, rwa_playbook_kind, rwa_playbook, kind)
GETTER(const rwa_schedule *, rwa_playbook_plan, rwa_playbook, plan)
GETTER(uint32_t, rwa_playbook_failures, rwa_playbook, failures)

const rwa_play *rwa_playbook_play(const rwa_playbook *book, uint32_t failure, uint32_t step)
{
    bool is_there = failure < book->failures && step >= 1 && step <= book->steps;
    return is_there ? &play_at(book, failure, step)->seen : NULL;
}

rwa_status rwa_playbook_schedule(rwa_schedule **out, const rwa_playbook *book, uint32_t failure, uint32_t step,
                                 rwa_error *err)
{
    BEGIN_NEW(out, err, book);
    rwa_schedule *kept = NULL, *sched = NULL;
    rwa_status st = RWA_OK;
    if (!rwa_playbook_play(book, failure, step))
        return base_refuse(err, "failure %u in step %u: expected below %u, in step 1 to %u", failure, step,
                           book->failures, book->steps);
    const struct play *play = play_at(book, failure, step);
    if (!play->file)
        return base_refuse(err, "failure %u in step %u: %s", failure, step, play->why);
    TRY(read_schedule(&kept, book->folder, play->file, NULL, err));
    TRY(base_blame(playbook_assemble(&sched, book, play, kept, err), play->file, 0, err));
    TRY(check_accepted(sched, play->file, err));
    *out = sched;
    sched = NULL;
done:
    rwa_schedule_free(kept);
    rwa_schedule_free(sched);
    return st;
}
