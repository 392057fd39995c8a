/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Writes the journal of a state: a line for each operation before it is answered, and now and then a new base. */
#include "assignment/assignment.h"
#include "base/json.h"
#include "state/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- lines ---- */

/* A line is LINE_START, the digits of the checksum of all that follows them, and that. */
#define LINE_START "{\"crc\":\""
enum { CRC_DIGITS = 8, START = sizeof LINE_START - 1, SUMMED = START + CRC_DIGITS };

static void put_hex(char *to, uint32_t value)
{
    for (int i = CRC_DIGITS; i-- > 0; value >>= 4)
        to[i] = "0123456789abcdef"[value & 15];
}

static uint32_t sum(const char *line, size_t length, uint32_t chain)
{
    return (uint32_t)crc32(chain, (const Bytef *)line + SUMMED, (uInt)(length - SUMMED));
}

/** Begin a line at the end of a text, and return where it begins. */
static size_t begin_line(struct text *t)
{
    size_t start = t->used;
    text_put(t, LINE_START "00000000\"");
    return start;
}

/** End a line, and store its checksum, which takes that of the line before further, in *chain. */
static void end_line(struct text *t, size_t start, uint32_t *chain)
{
    text_put(t, "}\n");
    if (t->status != RWA_OK)
        return;
    *chain = sum(t->data + start, t->used - start - 1, *chain);
    put_hex(t->data + start + START, *chain);
}

bool journal_is_sound(const char *line, size_t length, uint32_t *chain)
{
    char digits[CRC_DIGITS];
    if (length <= SUMMED)
        return false;
    uint32_t crc = sum(line, length, *chain);
    put_hex(digits, crc);
    if (memcmp(line, LINE_START, START) != 0 || memcmp(line + START, digits, CRC_DIGITS) != 0)
        return false;
    *chain = crc;
    return true;
}

static void put_route(struct text *t, const struct rwa_state *s, uint32_t slot)
{
    const struct slot *one = slot_at(s, slot);
    const uint32_t *links = slot_links(s, slot);
    const char *format = details_name(&s->details, details_get(&s->details, slot));
    for (uint32_t k = 0; k < one->hops; k++)
        text_put(t, "%s%u", k ? "," : ",\"links\":[", links[k]);
    text_put(t, "],\"fiber\":%u,\"wavelength\":%u", fiber_of(s, one->channel), wavelength_of(s, one->channel));
    if (slot_span(one) > 1)
        text_put(t, ",\"width\":%u,\"guard\":%u", one->width, (uint32_t)one->guard);
    if (format) {
        text_put(t, ",\"modulation\":");
        text_add_json(t, format);
    }
}

/** Put a lightpath as it is now, after the name of the operation. */
static void put_lightpath(struct text *t, const struct rwa_state *s, const char *operation, uint32_t slot)
{
    const struct slot *one = slot_at(s, slot);
    struct detail detail = details_get(&s->details, slot);
    text_put(t, ",\"%s\":%" PRIu64, operation, one->id);
    put_route(t, s, slot);
    if (detail.rate_bps > 0)
        text_add(t, ",\"rate_bps\":%.17g", detail.rate_bps);
    if (detail.tag) {
        text_put(t, ",\"tag\":");
        text_add_json(t, detail.tag);
    }
    if (one->other != NO_SLOT) {
        text_put(t, ",\"backup\":{\"shared\":%s", slot_at(s, one->other)->shared ? "true" : "false");
        put_route(t, s, one->other);
        text_put(t, "}");
    } else if (one->wish) {
        text_put(t, ",\"lost\":%u", (uint32_t)one->wish);
    }
}

static void put_random(struct text *t, uint64_t random)
{
    text_put(t, ",\"random\":[%u,%u]", (uint32_t)(random >> 32), (uint32_t)random);
}

/** Put what has failed, as ["link",17]. */
static void put_failure(struct text *t, const struct rwa_state *s, uint32_t element)
{
    uint32_t number = 0;
    rwa_failure kind = state_kind(s, element, &number);
    text_put(t, "[\"%s\",%u]", assignment_failures_of[kind], number);
}

static void put_event(struct text *t, const struct rwa_state *s, const struct event *e)
{
    switch (e->operation) {
    case ADDED: put_lightpath(t, s, "add", e->subject); break;
    case RELEASED: text_put(t, ",\"release\":%" PRIu64, slot_at(s, e->subject)->id); break;
    case MOVED: put_lightpath(t, s, "move", e->subject); break;
    case FAILED:
    case REPAIRED:
        text_put(t, e->operation == FAILED ? ",\"fail\":" : ",\"repair\":");
        put_failure(t, s, e->subject);
        break;
    }
}

/* ---- appending ---- */

static rwa_status cannot_write(const struct journal *j, rwa_error *err)
{
    return base_fail(err, RWA_IO, "%s: cannot write: %s; the operation was not done", j->path, strerror(errno));
}

static bool write_all(int fd, const char *data, size_t size, uint64_t at)
{
    while (size > 0) {
        ssize_t n = pwrite(fd, data, size, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        size -= (size_t)n;
        at += (uint64_t)n;
    }
    return true;
}

/** End the line and write it behind the others.  On failure the file is as before, and so are the numbers of the state
 *  that undoing the operation does not bring back. */
static rwa_status append(struct rwa_state *s, rwa_error *err)
{
    struct journal *j = s->journal;
    uint32_t chain = j->chain;
    rwa_status st = RWA_OK;
    if (s->random != j->random)
        put_random(&j->line, s->random);
    end_line(&j->line, 0, &chain);
    TRY(j->line.status);
    if (j->broken)
        TRY(base_fail(err, RWA_IO, "%s: a failed line could not be cut off: open the state again", j->path));
    if (!write_all(j->fd, j->line.data, j->line.used, j->size) || (j->sync && fdatasync(j->fd) != 0)) {
        st = cannot_write(j, err);
        j->broken = ftruncate(j->fd, (off_t)j->size) != 0;
        goto done;
    }
    j->chain = chain;
    j->size += j->line.used;
    j->random = s->random;
    j->next_id = s->slots.next_id;
done:
    s->random = j->random;
    s->slots.next_id = j->next_id;
    return st;
}

static struct text *begin(struct rwa_state *s, rwa_error *err)
{
    struct text *t = &s->journal->line;
    t->used = 0;
    t->status = RWA_OK;
    t->err = err;
    begin_line(t);
    return t;
}

rwa_status journal_event(struct rwa_state *s, const struct event *event, rwa_error *err)
{
    put_event(begin(s, err), s, event);
    return append(s, err);
}

rwa_status journal_number(struct rwa_state *s, const char *operation, uint32_t number, rwa_error *err)
{
    text_put(begin(s, err), ",\"%s\":%u", operation, number);
    return append(s, err);
}

/* ---- a new base ---- */

enum { LINK_NUMBERS = 3 };

static uLong add_numbers(uLong crc, const uint32_t *numbers, uInt count)
{
    return crc32(crc, (const Bytef *)numbers, count * (uInt)sizeof *numbers);
}

void journal_put_header(struct text *t, const struct rwa_state *s, uint32_t *chain)
{
    uLong crc = 0;
    size_t start = begin_line(t);
    for (uint32_t a = 0; a < s->links; a++) {
        rwa_link link = rwa_network_link(s->net, a);
        crc = add_numbers(crc, (uint32_t[]){link.from, link.to, link.fibers}, LINK_NUMBERS);
        for (uint32_t channel = 0; channel < s->channels; channel++)
            if (rwa_network_is_reserved(s->net, a, fiber_of(s, channel), wavelength_of(s, channel)))
                crc = add_numbers(crc, &channel, 1);
    }
    text_put(t, ",\"format\":\"rwa-journal\",\"version\":1,\"model\":\"%s\",\"nodes\":%u,\"links\":%u,"
             "\"fibers\":%u,\"wavelengths\":%u,\"net\":%u",
             rwa_model_name(s->model), s->nodes, s->links, s->fibers, rwa_network_wavelengths(s->net), (uint32_t)crc);
    end_line(t, start, chain);
}

/** Put what the lightpaths do not tell: failures, lit backups, and the numbers of the state.  `then` is what the
 *  checksum of the next line begins with. */
static void put_rest(struct text *t, const struct rwa_state *s, uint32_t then)
{
    const char *before = "";
    text_put(t, ",\"begin\":%" PRIu64 ",\"then\":%u,\"next\":%" PRIu64 ",\"history\":%u", s->history.operations, then,
             s->slots.next_id, s->history.capacity);
    put_random(t, s->random);
    text_put(t, ",\"failed\":[");
    for (uint32_t e = 0; e < state_elements(s); e++)
        if (s->marked[e]) {
            text_put(t, "%s", before);
            put_failure(t, s, e);
            before = ",";
        }
    text_put(t, "],\"lit\":[");
    before = "";
    for (uint32_t slot = s->slots.first; slot != NO_SLOT; slot = slot_at(s, slot)->after)
        if (switching_is_lit(s, slot)) {
            text_put(t, "%s%" PRIu64, before, slot_at(s, slot)->id);
            before = ",";
        }
    text_put(t, "]");
}

static void drop_next(struct journal *j)
{
    if (j->has_next)
        sink_drop(&j->next);
    j->has_next = false;
}

/** Write a whole text to the next journal, and empty it. */
static rwa_status flush(struct journal *j, struct text *t)
{
    MUST(t->status);
    j->next_base += t->used;
    rwa_status st = sink_write(&j->next, t->data, t->used);
    t->used = 0;
    return st;
}

static rwa_status write_base(struct rwa_state *s, struct journal *j, rwa_error *err)
{
    struct text t = {.err = err};
    uint32_t chain = 0;
    rwa_status st = RWA_OK;
    j->has_next = true;
    j->mark = s->history.operations;
    j->tail = j->size;
    j->next_base = 0;
    TRY(sink_open(&j->next, j->path, err));
    if (j->next.gz || !j->next.target)
        TRY(base_fail(err, RWA_IO, "%s: expected the name of a regular file, not ending in .gz", j->path));
    journal_put_header(&t, s, &chain);
    for (uint32_t slot = s->slots.first; slot != NO_SLOT; slot = slot_at(s, slot)->after) {
        size_t start = begin_line(&t);
        put_lightpath(&t, s, "add", slot);
        end_line(&t, start, &chain);
        if (t.used > SINK_BUFFER)
            TRY(flush(j, &t));
    }
    size_t start = begin_line(&t);
    put_rest(&t, s, j->chain);
    end_line(&t, start, &chain);
    TRY(flush(j, &t));
done:
    free(t.data);
    return st;
}

/** Copy the lines behind those that the base stands for. */
static rwa_status copy_tail(struct journal *j)
{
    char piece[1 << 12];
    for (uint64_t at = j->tail; at < j->size;) {
        size_t size = j->size - at < sizeof piece ? (size_t)(j->size - at) : sizeof piece;
        ssize_t n = pread(j->fd, piece, size, (off_t)at);
        if (n <= 0)
            return cannot_write(j, j->next.err);
        MUST(sink_write(&j->next, piece, (size_t)n));
        at += (uint64_t)n;
    }
    return RWA_OK;
}

/** Put the next journal in the place of this one.  Its lock goes with its descriptor. */
static rwa_status take_next(struct journal *j, rwa_error *err)
{
    rwa_status st = RWA_OK;
    j->next.err = err;
    int fd = dup(j->next.fd);
    if (fd < 0)
        return cannot_write(j, err);
    TRY(copy_tail(j));
    TRY(sink_finish(&j->next));
done:
    if (j->next.created) {  /* the file was not renamed */
        close(fd);
        return st;
    }
    close(j->fd);
    j->fd = fd;
    j->size += j->next_base - j->tail;
    j->base = j->next_base;
    drop_next(j);
    return st;
}

rwa_status journal_restart(struct rwa_state *s, struct journal *j, rwa_error *err)
{
    drop_next(j);
    rwa_status st = write_base(s, j, err);
    if (st == RWA_OK)
        st = take_next(j, err);
    drop_next(j);
    if (st == RWA_OK) {
        j->random = s->random;
        j->next_id = s->slots.next_id;
    }
    return st;
}

void journal_compact(struct rwa_state *s)
{
    struct journal *j = s->journal;
    const struct history *h = &s->history;
    rwa_status st = RWA_OK;
    if (j->has_next && h->operations < j->mark)
        drop_next(j);
    /* The operations take more space than the base, and more than one read. */
    if (!j->has_next && j->size - j->base > (j->base > SINK_BUFFER ? j->base : SINK_BUFFER))
        st = write_base(s, j, NULL);
    if (st == RWA_OK && j->has_next && h->operations - j->mark >= h->kept)
        st = take_next(j, NULL);
    if (st == RWA_OK)
        return;
    drop_next(j);
    j->base = j->size;  /* not before the journal is twice as long */
}

/* ---- opening ---- */

/** Lock the file for this state alone. */
static rwa_status lock(const struct journal *j, struct stat *opened, rwa_error *err)
{
    struct stat found;
    if (flock(j->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return base_fail(err, RWA_IO, "%s: another state has this journal open, expected one at a time", j->path);
    if (fstat(j->fd, opened) != 0 || stat(j->path, &found) != 0 || opened->st_ino != found.st_ino)
        return base_fail(err, RWA_IO, "%s: another process has just replaced it, try again", j->path);
    return RWA_OK;
}

bool journal_is(const struct journal *j, const char *path)
{
    struct stat ours, other;
    return j && fstat(j->fd, &ours) == 0 && stat(path, &other) == 0 && ours.st_ino == other.st_ino &&
           ours.st_dev == other.st_dev;
}

static void close_journal(struct journal *j)
{
    if (!j)
        return;
    drop_next(j);
    if (j->fd >= 0)
        close(j->fd);
    free_all(j->path, j->line.data, j);
}

void journal_leave(struct rwa_state *s)
{
    close_journal(s->journal);
}

static rwa_status open_journal(struct rwa_state *s, const char *path, bool sync, rwa_error *err)
{
    struct journal *j = NULL;
    struct stat info;
    uint32_t history = s->history.capacity;
    rwa_status st = RWA_OK;
    MUST(base_new(j, 1, err));
    j->sync = sync;
    j->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int code = errno;
    if (j->fd < 0)
        TRY(base_fail(err, RWA_IO, "%s: cannot open: %s", path, strerror(code)));
    j->path = realpath(path, NULL);     /* a new journal is renamed over the file, not over a link to it */
    if (!j->path)
        TRY(base_fail(err, errno == ENOMEM ? RWA_NOMEM : RWA_IO, "%s: cannot find it: %s", path, strerror(errno)));
    TRY(lock(j, &info, err));
    j->size = (uint64_t)info.st_size;
    TRY(j->size > 0 ? journal_play(s, j, err) : journal_restart(s, j, err));
    s->journal = j;
    j = NULL;
    if (history != s->history.capacity)
        TRY(journal_number(s, "history", history, err));
    st = history_resize(s, history, err);
done:
    close_journal(j);
    return st;
}

rwa_status rwa_state_open(rwa_state **out, const rwa_network *net, const rwa_state_options *opts, const char *path,
                          rwa_error *err)
{
    BEGIN_NEW(out, err, net, path);
    rwa_state_options o;
    rwa_state *s = NULL;
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_state_options, &o, opts, "rwa_state_options", err));
    TRY(rwa_state_create(&s, net, &o, err));
    TRY(open_journal(s, path, o.sync, err));
    *out = s;
    s = NULL;
done:
    rwa_state_free(s);
    return st;
}
