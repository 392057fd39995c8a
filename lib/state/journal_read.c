/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads the journal of a state: sets up its base, then does its operations again with the results that they had. */
#include "assignment/assignment.h"
#include "base/json.h"
#include "base/lines.h"
#include "state/journal.h"

#include <unistd.h>

enum { LONGEST_LINE = 1 << 28 };

struct replay {
    struct rwa_state *s;
    struct journal *j;
    struct lines lines;
    const json_t *root, *value;     /* the current line, and the member that names its operation */
    uint64_t end;           /* bytes of the lines so far */
    uint32_t chain;         /* checksum of the last of them */
    bool begun;             /* the base is complete */
    bool damaged;           /* the current line has another checksum than its own */
    uint32_t *links;        /* of the current route; nodes entries */
    rwa_error *err;
};

static rwa_status unfit(struct replay *r)
{
    return base_fail(r->err, RWA_FORMAT, "no operation that fits this network");
}

/** Not a fibre, wavelength, width or guard: the state refuses it. */
#define INVALID (RWA_ANY_CHANNEL - 1)

static uint32_t number(const json_t *in, const char *name, uint32_t otherwise)
{
    const json_t *value = json_object_get(in, name);
    uint32_t found;
    return !value ? otherwise : json_u32(value, &found) && found < INVALID ? found : INVALID;
}

/** Read a route and channel. */
static rwa_status take_route(struct replay *r, const json_t *in, rwa_request *q, const char **format)
{
    const json_t *links = json_object_get(in, "links");
    size_t hops = json_array_size(links);
    if (hops == 0 || hops >= r->s->nodes)
        return unfit(r);
    for (size_t k = 0; k < hops; k++)
        if (!json_u32(json_array_get(links, k), &r->links[k]) || r->links[k] >= r->s->links)
            return unfit(r);
    *q = (rwa_request){.struct_size = sizeof *q,
                       .src = rwa_network_link(r->s->net, r->links[0]).from,
                       .dst = rwa_network_link(r->s->net, r->links[hops - 1]).to,
                       .links = r->links,
                       .hops = (uint32_t)hops,
                       .fiber = number(in, "fiber", INVALID),
                       .wavelength = number(in, "wavelength", INVALID),
                       .width = number(in, "width", 1),
                       .guard = number(in, "guard", 0),
                       .rate_bps = json_number_value(json_object_get(r->root, "rate_bps"))};
    *format = json_string_value(json_object_get(in, "modulation"));
    return RWA_OK;
}

static bool is_id(const json_t *value, uint64_t *id)
{
    return json_whole(value, LIGHTPATH_IDS - 1, id) && *id > 0;
}

/* ---- operations ---- */

/** Set up the backup of a lightpath, or note that it has lost one. */
static rwa_status play_backup(struct replay *r, uint32_t slot, uint64_t id)
{
    const json_t *other = json_object_get(r->root, "backup");
    struct arrival a = {.number = id};
    uint32_t lost = number(r->root, "lost", RWA_PROTECTION_NONE);
    slot_at(r->s, slot)->wish = lost & 3u;
    if (!other)
        return rwa_protection_name((rwa_protection)lost) ? RWA_OK : unfit(r);
    MUST(take_route(r, other, &a.asked, &a.format));
    a.protects = json_is_true(json_object_get(other, "shared")) ? RWA_PROTECTION_SHARED : RWA_PROTECTION_DEDICATED;
    return state_arrive(&slot, r->s, &a, r->err);
}

static rwa_status play_add(struct replay *r)
{
    struct arrival a = {0};
    uint32_t slot = NO_SLOT;
    MUST(is_id(r->value, &a.id) ? take_route(r, r->root, &a.asked, &a.format) : unfit(r));
    a.asked.tag = json_string_value(json_object_get(r->root, "tag"));
    a.number = a.id;
    MUST(state_arrive(&slot, r->s, &a, r->err));
    MUST(play_backup(r, slot, a.id));
    return r->begun ? history_add(r->s, (struct event){.operation = ADDED, .subject = slot}, r->err) : RWA_OK;
}

static rwa_status play_release(struct replay *r)
{
    uint64_t id;
    return is_id(r->value, &id) ? rwa_state_release(r->s, id, r->err) : unfit(r);
}

/** Give a lightpath another route, backup or both: those of a slot made for them. */
static rwa_status play_move(struct replay *r)
{
    struct rwa_state *s = r->s;
    struct request request;
    struct choice choice;
    rwa_request q;
    const char *format;
    uint64_t id;
    uint32_t slot, made;
    MUST(is_id(r->value, &id) ? take_route(r, r->root, &q, &format) : unfit(r));
    MUST(state_take_change(s, id, &q, &request, &slot, r->err));
    request.format = format;
    MUST(switching_is_lit(s, slot) ? switching_prepare(s, r->err) : RWA_OK);
    state_vacate(s, slot);
    MUST(request_choose(s, &request, &choice, r->err));
    MUST(choice.hops > 0 ? state_take_slot(s, &request, &choice, &made, r->err) : unfit(r));
    state_set_slot(s, made, false);
    MUST(play_backup(r, made, id));
    state_vacate(s, made);
    state_occupy(s, slot);
    return state_exchange(s, slot, made, r->err);
}

/** Read what fails or is repaired, as ["link",17]. */
static bool is_failure(const struct replay *r, const json_t *value, rwa_failure *kind, uint32_t *what)
{
    const char *name = json_string_value(json_array_get(value, 0));
    for (*kind = RWA_FAILURE_LINK; name && assignment_failures_of[*kind]; ++*kind)
        if (strcmp(name, assignment_failures_of[*kind]) == 0)
            return json_u32(json_array_get(value, 1), what) &&
                   state_element(r->s, *kind, *what) < state_elements(r->s);
    return false;
}

static rwa_status play_failure(struct replay *r)
{
    rwa_failure kind;
    uint32_t what;
    if (!is_failure(r, r->value, &kind, &what))
        return unfit(r);
    return json_object_get(r->root, "fail") ? rwa_state_fail(r->s, kind, what, r->err)
                                            : rwa_state_repair(r->s, kind, what, r->err);
}

static rwa_status play_count(struct replay *r)
{
    uint32_t count;
    if (!json_u32(r->value, &count))
        return unfit(r);
    return json_object_get(r->root, "undo") ? rwa_state_undo(r->s, count, r->err)
                                            : history_resize(r->s, count, r->err);
}

/** Mark what has failed, and light the backups that were lit. */
static rwa_status play_failures(struct replay *r)
{
    const json_t *failed = json_object_get(r->root, "failed"), *lit = json_object_get(r->root, "lit");
    struct rwa_state *s = r->s;
    MUST(switching_prepare(s, r->err));
    for (size_t i = 0; i < json_array_size(failed); i++) {
        rwa_failure kind;
        uint32_t what;
        if (!is_failure(r, json_array_get(failed, i), &kind, &what) || s->marked[state_element(s, kind, what)])
            return unfit(r);
        state_fail(s, state_element(s, kind, what), true);
    }
    for (size_t i = 0; i < json_array_size(lit); i++) {
        uint32_t slot = slots_find(&s->slots, (uint64_t)json_integer_value(json_array_get(lit, i)));
        if (slot != NO_SLOT)
            switching_light(s, slot);
    }
    switching_update(s);    /* changes nothing if the list is right */
    switching_end(s);
    return RWA_OK;
}

/** The last line of the base. */
static rwa_status play_begin(struct replay *r)
{
    struct rwa_state *s = r->s;
    uint64_t next;
    if (r->begun || !json_whole(r->value, INT64_MAX, &s->history.operations) ||
        !json_whole(json_object_get(r->root, "next"), LIGHTPATH_IDS, &next) ||
        !json_u32(json_object_get(r->root, "then"), &r->chain))
        return unfit(r);
    MUST(play_failures(r));
    RAISE(s->slots.next_id, next);
    history_forget(s);
    r->begun = true;
    r->value = json_object_get(r->root, "history");
    return play_count(r);
}

/* ---- lines ---- */

static rwa_status play_line(struct replay *r)
{
    static const struct {
        const char *name;
        rwa_status (*play)(struct replay *r);
    } operations[] = {{"add", play_add}, {"begin", play_begin}, {"release", play_release}, {"move", play_move},
                      {"fail", play_failure}, {"repair", play_failure}, {"undo", play_count}, {"history", play_count}};
    const json_t *random = json_object_get(r->root, "random");
    uint32_t high, low;
    size_t i = 0, in_base = 2, count = r->begun ? sizeof operations / sizeof *operations : in_base;
    while (i < count && !(r->value = json_object_get(r->root, operations[i].name)))
        i++;
    MUST(i < count ? operations[i].play(r) : unfit(r));
    if (!random)
        return RWA_OK;
    if (!json_u32(json_array_get(random, 0), &high) || !json_u32(json_array_get(random, 1), &low))
        return unfit(r);
    r->s->random = (uint64_t)high << 32 | low;
    return RWA_OK;
}

static rwa_status check_header(struct replay *r, const struct line *line)
{
    struct text t = {.err = r->err};
    journal_put_header(&t, r->s, &(uint32_t){0});
    rwa_status st = t.status;
    if (st == RWA_OK && (t.used != line->length + 1 || memcmp(t.data, line->text, line->length) != 0))
        st = base_fail(r->err, RWA_FORMAT,
                       "not of this network and model: line 1 names other nodes, links, channels or another model");
    free(t.data);
    return st;
}

static rwa_status check_line(struct replay *r, const struct line *line)
{
    json_t *root = NULL;
    if (line->number == 1)
        MUST(check_header(r, line));
    r->damaged = line->open || !journal_is_sound(line->text, line->length, &r->chain);
    if (r->damaged)
        return base_fail(r->err, RWA_FORMAT, "damaged");
    if (line->number == 1)
        return RWA_OK;
    MUST(json_open(&root, line->text, line->length, "", r->err));
    r->root = root;
    rwa_status st = play_line(r);
    json_decref(root);
    return st;
}

/** Tell whether a last line was not written whole, and so was never answered; not if just its newline is damaged. */
static bool is_torn(const struct replay *r, const struct line *line)
{
    uint32_t chain = r->chain;
    return r->begun && line->open && !(line->length > 0 && journal_is_sound(line->text, line->length - 1, &chain));
}

/** Name the line that was refused, and the remedy. */
static rwa_status blame(const struct replay *r, rwa_status st, const char *why, rwa_error *err)
{
    unsigned long long line = r->lines.number, end = r->end;
    if (st == RWA_NOMEM)
        return base_fail(err, st, "%s: %s", r->j->path, why);
    if (!r->begun)
        return base_fail(err, RWA_FORMAT, "%s:%llu: %s; expected a journal of this network, or no file", r->j->path,
                         line, why);
    if (!r->damaged)
        return base_fail(err, RWA_FORMAT, "%s:%llu: %s, although the line is whole; the file was not changed",
                         r->j->path, line, why);
    return base_fail(err, RWA_FORMAT,
                     "%s:%llu: %s; its first %llu bytes are the journal before this line (truncate -s %llu drops it "
                     "and all that follow)",
                     r->j->path, line, why, end, end);
}

static rwa_status play_lines(struct replay *r, rwa_error *err)
{
    struct line line;
    int got = 1;
    for (;;) {
        rwa_error why = {0};
        MUST(lines_next(&r->lines, LONGEST_LINE, &line, &got, err));
        if (!got || is_torn(r, &line))
            break;
        r->err = &why;
        rwa_status st = check_line(r, &line);
        if (st != RWA_OK)
            return blame(r, st, why.text, err);
        r->end += line.length + 1;
        r->j->base = r->j->base > 0 || !r->begun ? r->j->base : r->end;
    }
    return r->begun ? RWA_OK : blame(r, RWA_FORMAT, "cut short", err);
}

rwa_status journal_play(struct rwa_state *s, struct journal *j, rwa_error *err)
{
    struct replay r = {.s = s, .j = j};
    rwa_status st = RWA_OK;
    TRY(base_new(r.links, s->nodes, err));
    for (uint32_t e = 0; e < state_elements(s); e++)    /* the journal says what has failed */
        if (s->marked[e])
            state_fail(s, e, false);
    TRY(lines_open(&r.lines, j->path, err));
    TRY(play_lines(&r, err));
    if (r.end > j->size)
        TRY(base_fail(err, RWA_FORMAT, "%s: compressed, expected a plain journal: gunzip it first", j->path));
    if (r.end < j->size && ftruncate(j->fd, (off_t)r.end) != 0)
        TRY(base_fail(err, RWA_IO, "%s: cannot cut off its last line, which was not written whole", j->path));
    j->size = r.end;
    j->chain = r.chain;
    j->random = s->random;
    j->next_id = s->slots.next_id;
done:
    lines_close(&r.lines);
    free(r.links);
    return st;
}
