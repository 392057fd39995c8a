/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The file of a journal: a line is appended for each operation before it is answered, and now and then the file is
 *  written anew. */
#include "state/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static rwa_status cannot(const struct journal *j, const char *what, rwa_error *err)
{
    return base_fail(err, RWA_IO, "%s: cannot %s: %s", j->path, what, strerror(errno));
}

/** Truncate the file to its last whole line, at j->size bytes, and continue there.  Return false if the system
 *  refuses. */
static bool cut(struct journal *j)
{
    return ftruncate(j->fd, (off_t)j->size) == 0 && lseek(j->fd, (off_t)j->size, SEEK_SET) >= 0;
}

/* ---- appending ---- */

/** Append the lines of j->text to the file.  On failure truncate the file to its former size; if that fails too, set
 *  j->broken.  RWA_IO. */
static rwa_status write_lines(struct journal *j, rwa_error *err)
{
    if (j->text.used == 0)
        return RWA_OK;
    if (j->broken)
        return base_fail(err, RWA_IO, "%s: an earlier failure could not be mended: open the state again", j->path);
    if (base_write_all(j->fd, j->text.data, j->text.used) && (!j->sync || fdatasync(j->fd) == 0)) {
        j->size += j->text.used;
        j->text.used = 0;
        return RWA_OK;
    }
    cannot(j, "write", err);
    j->broken = !cut(j);
    return RWA_IO;
}

rwa_status journal_append(struct rwa_state *s, const struct event *event, rwa_error *err)
{
    struct journal *j = s->journal;
    uint32_t chain = j->chain;
    size_t used = j->text.used;
    j->text.status = RWA_OK;
    j->text.err = err;
    journal_put(s, j, event);
    rwa_status st = j->text.status;
    if (st == RWA_OK && (!j->batch || j->text.used > SINK_BUFFER))
        st = write_lines(j, err);
    if (st == RWA_OK) {
        j->random = s->random;
        j->next_id = s->slots.next_id;
        return st;
    }
    if (err)
        text_append(err->text, "; the operation was not done");
    j->text.used = used;
    j->chain = chain;
    s->random = j->random;  /* undoing the operation does not bring them back */
    s->slots.next_id = j->next_id;
    return st;
}

rwa_status rwa_state_commit(rwa_state *state, rwa_error *err)
{
    BEGIN(err, state);
    return state->journal ? write_lines(state->journal, err) : RWA_OK;
}

/* ---- writing anew ---- */

static void put_again(void *state, const struct event *e)
{
    const struct rwa_state *s = state;
    struct journal *j = s->journal;
    if (e) {
        journal_put(s, j, e);
        return;
    }
    journal_put_header(s, j);
    EACH_LIGHTPATH(s, slot)
        journal_put(s, j, &(struct event){.operation = ADDED, .subject = slot});
    for (uint32_t element = 0; element < state_elements(s); element++)
        if (s->marked[element])
            journal_put(s, j, &(struct event){.operation = FAILED, .subject = element});
    journal_put(s, j, &(struct event){.operation = BASE});
}

rwa_status journal_rewrite(struct rwa_state *s, uint32_t undoable, rwa_error *err)
{
    struct journal *j = s->journal;
    struct text *t = &j->text;
    struct sink sink = {.fd = -1};
    uint32_t chain = j->chain;
    int fd = -1;
    rwa_status st = RWA_OK;
    MUST(write_lines(j, err));  /* the text is needed */
    t->status = RWA_OK;
    t->err = err;
    history_replay(s, undoable, put_again, s);
    TRY(t->status);
    TRY(sink_open(&sink, j->path, err));
    if (sink.gz || !sink.target)
        TRY(base_fail(err, RWA_IO, "%s: expected the name of a regular file, not ending in .gz", j->path));
    TRY(sink_write(&sink, t->data, t->used));
    fd = dup(sink.fd);
    TRY(fd >= 0 ? sink_finish(&sink) : cannot(j, "write", err));
done:
    if (fd >= 0 && !sink.created) { /* renamed, even if what came after it failed; the lock goes with the descriptor */
        close(j->fd);
        j->fd = fd;
        j->size = j->rewritten = t->used;
        j->next_id = s->slots.next_id;
        j->broken = st != RWA_OK;
    } else {
        j->chain = chain;
        if (fd >= 0)
            close(fd);
    }
    t->used = 0;
    sink_drop(&sink);
    return st;
}

void journal_shorten(struct rwa_state *s)
{
    struct journal *j = s->journal;
    if (j->size > 2 * j->rewritten + SINK_BUFFER && journal_rewrite(s, s->history.kept, NULL) != RWA_OK)
        j->rewritten = j->size;     /* not before the journal is twice as long */
}

/* ---- opening ---- */

bool journal_is(const struct journal *j, const char *path)
{
    struct stat ours, other;
    return j && fstat(j->fd, &ours) == 0 && stat(path, &other) == 0 && ours.st_ino == other.st_ino &&
           ours.st_dev == other.st_dev;
}

void journal_leave(struct journal *j)
{
    if (!j)
        return;
    if (j->fd >= 0) {
        write_lines(j, NULL);
        close(j->fd);
    }
    free_all(j->path, j->text.data, j);
}

/** Open the file of a journal and lock it, so that no other state opens it.  If there is no file, create an empty
 *  one and set *created. */
static rwa_status open_file(struct journal *j, const char *path, bool *created, rwa_error *err)
{
    char target[PATH_MAX];
    j->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool first = j->fd >= 0;
    if (!first && errno == EEXIST)
        j->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (j->fd < 0 || !realpath(path, target))   /* a new journal is renamed over the file, not over a link */
        return base_fail(err, errno == ENOMEM ? RWA_NOMEM : RWA_IO, "%s: cannot open: %s", path, strerror(errno));
    if (!(j->path = base_copy_text(target, err)))
        return RWA_NOMEM;
    if (flock(j->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return base_fail(err, RWA_IO, "%s: another state has this journal open, expected one at a time", path);
    if (!journal_is(j, path))
        return base_fail(err, RWA_IO, "%s: another process has just replaced it, try again", path);
    *created = first;   /* only now: before the lock another process could begin its journal in the file */
    j->size = (uint64_t)lseek(j->fd, 0, SEEK_END);
    return RWA_OK;
}

/** Replay the journal's file in a new state; if the file is empty, begin a journal in it. */
static rwa_status open_journal(struct rwa_state *s, struct journal *j, rwa_error *err)
{
    uint32_t history = s->history.capacity;
    bool begins = j->size == 0;
    if (!begins)
        MUST(journal_play(s, j, err));
    if (!cut(j))
        return cannot(j, "cut off its last line, which was not written whole", err);
    j->random = s->random;
    j->next_id = s->slots.next_id;
    s->journal = j;
    if (!begins && history == s->history.capacity)
        return RWA_OK;
    MUST(history_resize(s, history, err));
    return journal_rewrite(s, s->history.kept, err);
}

rwa_status rwa_state_open(rwa_state **out, const rwa_network *net, const rwa_state_options *opts, const char *path,
                          rwa_error *err)
{
    BEGIN_NEW(out, err, net, path);
    rwa_state_options o;
    rwa_state *s = NULL;
    struct journal *j = NULL;
    bool created = false;
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_state_options, &o, opts, err));
    TRY(rwa_state_create(&s, net, &o, err));
    TRY(base_new(j, 1, err));
    j->sync = o.sync;
    j->batch = o.batch;
    TRY(open_file(j, path, &created, err));
    TRY(open_journal(s, j, err));
    *out = s;
    return st;
done:
    if (created)
        unlink(path);   /* no empty file stays */
    if (s)
        s->journal = NULL;
    journal_leave(j);
    rwa_state_free(s);
    return st;
}
