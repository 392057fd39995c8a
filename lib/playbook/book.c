/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A playbook in its folder: the index, and the schedules of plays. */
#include "playbook/playbook.h"

#include "base/file.h"
#include "base/json.h"
#include "network/network.h"

/** Most bytes of an index. */
enum { INDEX_MAX = 1 << 28 };

const char *const playbook_kinds[] = {"links", "nodes"};

/* ---- read ---- */

const char *playbook_path(struct rwa_playbook *b, const char *file)
{
    size_t size = strlen(b->folder) + strlen(file) + 2;
    char *path = arena_array(&b->arena, size, 1);
    if (path)
        snprintf(path, size, "%s/%s", b->folder, file);
    return path;
}

/** Tell whether a text from the index can be the name of a file in the playbook's own folder: it is not empty, has no
 *  "/" and does not begin with a dot.  The file need not exist. */
static bool is_file(const char *name)
{
    return name && *name && *name != '.' && !strchr(name, '/');
}

/** Fill in p, the play for a failure in a step, from its entry in the index.  Return false if the entry is for another
 *  failure or step, or names a translation that the network does not have, or if memory is out. */
static bool take_play(struct rwa_playbook *b, struct play *p, const json_t *entry)
{
    const char *why = NULL, *file = NULL;
    json_int_t failure, step, moved = 0;
    if (json_unpack((json_t *)entry, "{s:I,s:I,s?s,s?s,s?I}", "failure", &failure, "step", &step, "why", &why, "file",
                    &file, "move", &moved) != 0 ||
        failure != p->seen.failure || step != p->seen.step)
        return false;
    if (moved < 0 || moved >= (b->symmetric > 0 ? rwa_network_nodes(rwa_schedule_network(b->plan)) : 1))
        return false;
    p->move = (uint32_t)moved;
    if (why)
        return arena_copy(&b->arena, p->seen.why, why, strlen(why) + 1) && *why;
    return is_file(file) && (p->path = playbook_path(b, file));
}

/** Tell whether the schedule of the play p, with the plan's steps before the failure, is that of the play `origin`,
 *  translated so that node 0 moves to `move`.  The numbers of the two plays, such as the time, are then the same. */
static bool is_translation(const struct rwa_playbook *b, const struct play *p, const struct play *origin, uint32_t move)
{
    return p != origin && origin->path && strcmp(p->path, origin->path) == 0 && p->seen.step < b->symmetric &&
           translations_move(&b->group, move, 0, origin->move) == p->move;
}

/** Set the numbers of the play p, such as its time: copy those of the play `origin` if is_translation() holds, else
 *  load the schedule of p and measure it.  Step s of the plan ends at end_s[s - 1] seconds. */
static rwa_status measure_play(struct rwa_playbook *b, struct play *p, const struct play *origin, uint32_t move,
                               const double *end_s, rwa_error *err)
{
    rwa_schedule *sched = NULL;
    rwa_play seen = origin->seen;
    if (!is_translation(b, p, origin, move)) {
        MUST(playbook_load(&sched, b, p, err));
        rwa_status st = playbook_measure(b, p, sched, end_s, err);
        rwa_schedule_free(sched);
        return st;
    }
    seen.failure = p->seen.failure;
    seen.name = p->seen.name;
    p->seen = seen;
    return RWA_OK;
}

static rwa_status take_plays(struct rwa_playbook *b, const json_t *list, const char *path, rwa_error *err)
{
    size_t count = (size_t)b->failures * b->steps;
    double *end_s;
    if (json_array_size(list) != count)
        return base_fail(err, RWA_FORMAT, "%s: plays: expected %zu, one for each failure and step", path, count);
    MUST(arena_arrays(&b->arena, b->steps, end_s));
    MUST(rwa_cost_step_times(NULL, NULL, end_s, b->plan, 0, &b->opts.cost, err));
    for (size_t i = 0; i < count; i++) {
        struct play *p = &b->plays[i];
        uint32_t move, from = playbook_origin(&move, b, p->seen.failure, p->seen.begins_again ? 1 : p->seen.step);
        if (!take_play(b, p, json_array_get(list, i)))
            return base_fail(err, b->arena.failed ? RWA_NOMEM : RWA_FORMAT,
                             "%s: plays[%zu]: expected that of failure %u in step %u, with why, or file and move", path,
                             i, p->seen.failure, p->seen.step);
        if (p->path)
            MUST(measure_play(b, p, play_at(b, from, p->seen.step), move, end_s, err));
    }
    return RWA_OK;
}

/** Check the head of the index, set *kind to the kind of its failures, and return the array of its plays; NULL: the
 *  head is wrong. */
static const json_t *take_head(int *kind, json_t *index)
{
    const char *format, *failures;
    json_t *plays;
    int version;
    if (json_unpack(index, "{s:s,s:i,s:s,s:o}", "format", &format, "version", &version, "failures", &failures, "plays",
                    &plays) != 0 ||
        strcmp(format, PLAYBOOK_FORMAT) != 0 || version != PLAYBOOK_VERSION)
        return NULL;
    *kind = strcmp(failures, playbook_kinds[RWA_PLAY_LINK]) == 0 ? RWA_PLAY_LINK : RWA_PLAY_NODE;
    return strcmp(failures, playbook_kinds[*kind]) == 0 ? plays : NULL;
}

static rwa_status read_index(struct rwa_playbook *b, rwa_error *err)
{
    const char *path = playbook_path(b, PLAYBOOK_INDEX), *plan = playbook_path(b, PLAYBOOK_PLAN);
    uint64_t most = b->limits.file_bytes;
    char *text = NULL;
    size_t length = 0;
    json_t *index = NULL;
    const json_t *plays;
    int kind = RWA_PLAY_LINK;
    rwa_status st = RWA_OK;
    TRY(arena_status(&b->arena));
    TRY(file_load(&text, &length, path, most > 0 && most < INDEX_MAX ? (size_t)most : INDEX_MAX,
                  "the index of a playbook", err));
    TRY(json_open(&index, text, length, path, err));
    if (!(plays = take_head(&kind, index)))
        TRY(base_fail(err, RWA_FORMAT, "%s: expected format \"" PLAYBOOK_FORMAT "\", version 1, failures \"links\" or "
                                       "\"nodes\", and plays", path));
    TRY(rwa_schedule_read(&b->own, plan, &b->limits, err));
    TRY(playbook_accept(b->own, plan, NULL, err));
    TRY(base_blame(playbook_open(b, b->own, (rwa_play_kind)kind, err), path, 0, err));
    TRY(take_plays(b, plays, path, err));
done:
    json_decref(index);
    free(text);
    return st;
}

rwa_status rwa_playbook_read(rwa_playbook **out, const char *folder, const rwa_plan_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, folder);
    struct rwa_playbook *b = NULL;
    rwa_status st = RWA_OK;
    TRY(base_new(b, 1, err));
    b->folder = folder;
    b->arena.err = err;
    TRY(playbook_take_options(b, opts, err));
    TRY(read_index(b, err));
    rwa_check_options_init(&b->checking);   /* the device was borrowed */
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

GETTER(rwa_play_kind, rwa_playbook_kind, rwa_playbook, kind)
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
    if (!rwa_playbook_play(book, failure, step))
        return base_refuse(err, "failure %u in step %u: expected below %u, in step 1 to %u", failure, step,
                           book->failures, book->steps);
    const struct play *play = play_at(book, failure, step);
    if (!play->path)
        return base_refuse(err, "failure %u in step %u: %s", failure, step, play->seen.why);
    return playbook_load(out, book, play, err);
}
