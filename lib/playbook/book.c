/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A playbook in its folder: the index, and the schedules of plays. */
#include "playbook/playbook.h"

#include "base/file.h"
#include "base/json.h"
#include "network/network.h"

/** Most bytes of an index. */
enum { INDEX_MAX = 1 << 28 };

static const char *const kind_names[] = {"links", "nodes"};

/* ---- write ---- */

static void add_play(struct text *t, const struct rwa_playbook *b, const struct play *p)
{
    const rwa_play *seen = &p->seen;
    text_add(t, "{\"failure\":%" PRIu32 ",\"name\":", seen->failure);
    text_add_json(t, seen->name);
    text_add(t, ",\"step\":%" PRIu32 ",\"begins_again\":%s,\"lost\":%" PRIu64, seen->step,
             seen->begins_again ? "true" : "false", seen->lost);
    if (!p->path) {
        text_add(t, ",\"why\":");
        text_add_json(t, seen->why);
    } else
        text_add(t,
                 ",\"file\":\"%s\",\"move\":%" PRIu32 ",\"steps\":%" PRIu32
                 ",\"time_seconds\":%.17g,\"after_seconds\":%.17g,\"changed\":%" PRIu64,
                 p->path + strlen(b->folder) + 1, p->move, seen->steps, seen->time_s, seen->after_s, seen->changed);
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
        add_play(t, b, &b->plays[i]);
    }
    text_add(t, "\n]}\n");
}

/* ---- read ---- */

const char *playbook_path(struct rwa_playbook *b, const char *file)
{
    size_t size = strlen(b->folder) + strlen(file) + 2;
    char *path = arena_array(&b->arena, size, 1);
    if (path)
        snprintf(path, size, "%s/%s", b->folder, file);
    return path;
}

/** Tell whether a text names a file in the folder itself. */
static bool is_file(const char *name)
{
    return name && *name && *name != '.' && !strchr(name, '/');
}

/** Take an entry of the index; false: it is not one for this play. */
static bool take_play(struct rwa_playbook *b, struct play *p, const json_t *entry)
{
    rwa_play *seen = &p->seen;
    const char *why = NULL, *file = NULL;
    json_int_t failure, step, lost, move = 0, steps = 0, changed = -1;
    uint32_t own_move = 0;
    int again;
    if (json_unpack((json_t *)entry, "{s:I,s:I,s:b,s:I,s?s,s?s,s?I,s?I,s?F,s?F,s?I}", "failure", &failure, "step",
                    &step, "begins_again", &again, "lost", &lost, "why", &why, "file", &file, "move", &move, "steps",
                    &steps, "time_seconds", &seen->time_s, "after_seconds", &seen->after_s, "changed", &changed) != 0 ||
        failure != seen->failure || step != seen->step || again != seen->begins_again || lost < 0)
        return false;
    seen->lost = (uint64_t)lost;
    if (why)
        return arena_copy(&b->arena, seen->why, why, strlen(why) + 1) && *why;
    playbook_origin(&own_move, b, seen->failure, again ? 1 : seen->step);
    p->move = (uint32_t)move;
    seen->steps = (uint32_t)steps;
    seen->changed = (uint64_t)changed;
    return is_file(file) && (p->path = playbook_path(b, file)) && (move == 0 || move == own_move) && steps > 0 &&
           steps <= UINT32_MAX && isfinite(seen->time_s) && isfinite(seen->after_s) && changed >= 0;
}

static rwa_status take_plays(struct rwa_playbook *b, const json_t *list, const char *path, rwa_error *err)
{
    size_t count = (size_t)b->failures * b->steps;
    if (json_array_size(list) != count)
        return base_fail(err, RWA_FORMAT, "%s: plays: expected %zu, one for each failure and step", path, count);
    for (size_t i = 0; i < count; i++)
        if (!take_play(b, &b->plays[i], json_array_get(list, i)))
            return base_fail(err, b->arena.failed ? RWA_NOMEM : RWA_FORMAT,
                             "%s: plays[%zu]: expected that of failure %u in step %u, with lost, begins_again, and why "
                             "or file, move, steps, time_seconds, after_seconds and changed",
                             path, i, b->plays[i].seen.failure, b->plays[i].seen.step);
    return RWA_OK;
}

static rwa_status check_accepted(const rwa_schedule *sched, const char *path, const rwa_check_options *checking,
                                 rwa_error *err)
{
    rwa_check_report report;
    MUST(check_schedule(&report, sched, checking, err));
    return report.ok ? RWA_OK
                     : base_fail(err, RWA_FORMAT, "%s: the checker rejects it: %s", path, report.first[0].text);
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

static rwa_status read_index(struct rwa_playbook *b, rwa_error *err)
{
    const char *path = playbook_path(b, PLAYBOOK_INDEX), *plan = playbook_path(b, PLAYBOOK_PLAN);
    uint64_t most = b->limits.file_bytes;
    char *text = NULL;
    size_t length = 0;
    json_t *index = NULL;
    int kind = 0;
    rwa_status st = RWA_OK;
    TRY(arena_status(&b->arena));
    TRY(file_load(&text, &length, path, most > 0 && most < INDEX_MAX ? (size_t)most : INDEX_MAX,
                  "the index of a playbook", err));
    TRY(json_open(&index, text, length, path, err));
    TRY(take_head(&kind, index, path, err));
    TRY(rwa_schedule_read(&b->own, plan, &b->limits, err));
    TRY(check_accepted(b->own, plan, NULL, err));
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
    rwa_status st = RWA_OK;
    TRY(base_new(b, 1, err));
    b->folder = folder;
    b->arena.err = err;
    TRY(limits_take(&b->limits, limits, err));
    TRY(read_index(b, err));
    *out = b;
    b = NULL;
done:
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

rwa_status playbook_load(rwa_schedule **out, const struct rwa_playbook *b, const struct play *play,
                         const rwa_check_options *checking, rwa_error *err)
{
    rwa_schedule *kept = NULL;
    rwa_status st = RWA_OK;
    TRY(rwa_schedule_read(&kept, play->path, &b->limits, err));
    TRY(base_blame(playbook_assemble(out, b, play, kept, err), play->path, 0, err));
    st = check_accepted(*out, play->path, checking, err);
done:
    rwa_schedule_free(kept);
    if (st != RWA_OK) {
        rwa_schedule_free(*out);
        *out = NULL;
    }
    return st;
}

rwa_status rwa_playbook_schedule(rwa_schedule **out, const rwa_playbook *book, uint32_t failure, uint32_t step,
                                 rwa_error *err)
{
    BEGIN_NEW(out, err, book);
    if (!rwa_playbook_play(book, failure, step))
        return base_refuse(err, "failure %u in step %u: expected below %u, in step 1 to %u", failure, step,
                           book->failures, book->steps);
    const struct play *play = play_at(book, failure, step);
    if (!play->path)
        return base_refuse(err, "failure %u in step %u: %s", failure, step, play->seen.why);
    return playbook_load(out, book, play, NULL, err);
}
