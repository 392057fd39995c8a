/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The lines of a journal: written from the state as an operation has left it, and read by doing the operation again
 *  with the result that it had. */
#include "assignment/assignment.h"
#include "base/json.h"
#include "base/lines.h"
#include "state/journal.h"

enum { LONGEST_LINE = 1 << 28 };

struct replay {
    struct rwa_state *s;
    struct journal *j;
    struct lines lines;
    const json_t *root, *value;     /* the current line, and the member that names its operation */
    uint64_t end;           /* bytes of the lines so far */
    bool begun;             /* the base is complete */
    bool damaged;           /* the current line has another checksum than its own */
    uint32_t *links;        /* of the current route; nodes entries */
    rwa_error *err;
};

static rwa_status unfit(struct replay *r)
{
    return base_fail(r->err, RWA_FORMAT, "no operation that fits this network");
}

/* ---- checksums ---- */

/* A line is LINE_START, a checksum in digits, and the text that the checksum covers. */
#define LINE_START "{\"crc\":\""
enum { CRC_DIGITS = 8, START = sizeof LINE_START - 1, SUMMED = START + CRC_DIGITS };

static uint32_t put_sum(char *digits, const char *line, size_t length, uint32_t chain)
{
    chain = (uint32_t)crc32(chain, (const Bytef *)line + SUMMED, (uInt)(length - SUMMED));
    for (int i = CRC_DIGITS, shift = 0; i-- > 0; shift += 4)
        digits[i] = "0123456789abcdef"[chain >> shift & 15];
    return chain;
}

/** Begin a line at the end of a text, with zeros for its checksum.  Return its index in the text. */
static size_t begin_line(struct text *t)
{
    size_t start = t->used;
    text_put(t, LINE_START "00000000\"");
    return start;
}

static void end_line(struct text *t, size_t start, uint32_t *chain)
{
    text_put(t, "}\n");
    if (t->status == RWA_OK)
        *chain = put_sum(t->data + start + START, t->data + start, t->used - start - 1, *chain);
}

/** Tell whether a line of the file, without its newline, has the right checksum: that of the line together with
 *  *chain, the checksum of the line before.  If so, set *chain to the line's checksum. */
static bool is_sound(const char *line, size_t length, uint32_t *chain)
{
    char start[SUMMED + 1] = LINE_START;
    if (length <= SUMMED)
        return false;
    uint32_t crc = put_sum(start + START, line, length, *chain);
    if (memcmp(line, start, SUMMED) != 0)
        return false;
    *chain = crc;
    return true;
}

/* ---- lightpaths ---- */

/** The entries of a route, whose links follow; and of a lightpath, whose backup may follow. */
enum { FIBER, WAVELENGTH, WIDTH, GUARD, FORMAT, LINKS };
enum { ID, RATE, TAG, REQUESTED, ROUTE, LIT, BACKUP_ROUTE };

static void put_route(struct text *t, const struct rwa_state *s, uint32_t slot)
{
    const struct slot *one = slot_at(s, slot);
    text_put(t, ",[%u,%u,%u,%u,", fiber_of(s, one->channel), wavelength_of(s, one->channel), one->width,
             (uint32_t)one->guard);
    text_add_json(t, one->format);
    for (uint32_t k = 0; k < one->hops; k++)
        text_put(t, ",%u", slot_links(s, slot)[k]);
    text_put(t, "]");
}

/** Append the lightpath in `slot`, with its backup if it has one, to the text as a JSON list. */
static void put_lightpath(struct text *t, const struct rwa_state *s, uint32_t slot)
{
    const struct slot *one = slot_at(s, slot);
    text_put(t, "[%" PRIu64 ",", one->id);
    if (one->rate_bps > 0)
        text_add(t, "%.17g,", one->rate_bps);
    else
        text_put(t, "0,");
    text_add_json(t, one->tag);
    text_put(t, ",%u", (uint32_t)one->requested);
    put_route(t, s, slot);
    if (one->other != NO_SLOT) {
        text_put(t, ",%u", (uint32_t)slot_at(s, one->other)->lit);
        put_route(t, s, one->other);
    }
    text_put(t, "]");
}

/** Not a fibre, wavelength, width, guard or protection: the state refuses it. */
#define INVALID (RWA_ANY_CHANNEL - 1)

static uint32_t number(const json_t *list, size_t i)
{
    uint32_t found;
    return json_u32(json_array_get(list, i), &found) && found < INVALID ? found : INVALID;
}

/** Set up the lightpath that `a` describes on the route and channel of the JSON list `route`, and set *slot to its
 *  record.  With a->protects set, `a` is a backup: set it up for the lightpath that is in *slot already. */
static rwa_status play_route(struct replay *r, const json_t *route, struct arrival *a, uint32_t *slot)
{
    size_t hops = 0;
    for (; hops + LINKS < json_array_size(route) && hops < r->s->nodes; hops++)
        if ((r->links[hops] = number(route, hops + LINKS)) >= r->s->links)
            return unfit(r);
    if (hops == 0)
        return unfit(r);
    a->number = a->id;
    a->format = json_string_value(json_array_get(route, FORMAT));
    a->asked = (rwa_request){.struct_size = sizeof a->asked,
                             .src = rwa_network_link(r->s->net, r->links[0]).from,
                             .dst = rwa_network_link(r->s->net, r->links[hops - 1]).to,
                             .links = r->links,
                             .hops = (uint32_t)hops,
                             .fiber = number(route, FIBER),
                             .wavelength = number(route, WAVELENGTH),
                             .width = number(route, WIDTH),
                             .guard = number(route, GUARD),
                             .rate_bps = json_number_value(json_array_get(r->value, RATE)),
                             .tag = a->protects ? NULL : json_string_value(json_array_get(r->value, TAG))};
    return state_arrive(slot, r->s, a, r->err);
}

static bool is_id(const json_t *value, uint64_t *id)
{
    return json_whole(value, LIGHTPATH_IDS - 1, id) && *id > 0;
}

/** Set up the lightpath of the current line, with its backup; *slot: its record.  `moves`: it is the new route of an
 *  existing lightpath, which state_exchange() will give to that lightpath. */
static rwa_status play_lightpath(struct replay *r, bool moves, uint32_t *slot)
{
    const json_t *backup = json_array_get(r->value, BACKUP_ROUTE);
    struct arrival a = {.moves = moves};
    rwa_protection requested = (rwa_protection)number(r->value, REQUESTED);
    MUST(is_id(json_array_get(r->value, ID), &a.id) && rwa_protection_name(requested) ? RWA_OK : unfit(r));
    MUST(play_route(r, json_array_get(r->value, ROUTE), &a, slot));
    slot_at(r->s, *slot)->requested = requested & 3u;
    if (!backup)
        return RWA_OK;
    a.protects = requested;
    MUST(requested == RWA_PROTECTION_NONE ? unfit(r) : play_route(r, backup, &a, slot));
    slot_at(r->s, slot_at(r->s, *slot)->other)->was_up = number(r->value, LIT) & 1;
    return RWA_OK;
}

static rwa_status play_add(struct replay *r)
{
    uint32_t slot = NO_SLOT;
    MUST(play_lightpath(r, false, &slot));
    return r->begun ? history_add(r->s, (struct event){.operation = ADDED, .subject = slot}, r->err) : RWA_OK;
}

/** Move the lightpath of the current line to the route and backup in the line. */
static rwa_status play_move(struct replay *r)
{
    struct rwa_state *s = r->s;
    uint32_t slot = NO_SLOT, made = NO_SLOT;
    uint64_t id;
    MUST(is_id(json_array_get(r->value, ID), &id) ? state_find(s, id, &slot, r->err) : unfit(r));
    MUST(switching_prepare(s, slot, r->err));
    state_vacate(s, slot);
    MUST(play_lightpath(r, true, &made));
    if (slot_at(s, made)->src != slot_at(s, slot)->src || slot_at(s, made)->dst != slot_at(s, slot)->dst)
        return unfit(r);
    state_vacate(s, made);
    state_occupy(s, slot);
    return state_exchange(s, slot, made, r->err);
}

static void put_id(struct text *t, const struct rwa_state *s, uint32_t slot)
{
    text_put(t, "%" PRIu64, slot_at(s, slot)->id);
}

static rwa_status play_release(struct replay *r)
{
    uint64_t id;
    return is_id(r->value, &id) ? rwa_state_release(r->s, id, r->err) : unfit(r);
}

/* ---- failures ---- */

static void put_failure(struct text *t, const struct rwa_state *s, uint32_t element)
{
    uint32_t number = 0;
    rwa_failure kind = state_kind(s, element, &number);
    text_put(t, "[%u,%u]", (uint32_t)kind, number);
}

static rwa_status play_failure(struct replay *r)
{
    struct rwa_state *s = r->s;
    rwa_failure kind = (rwa_failure)number(r->value, 0);
    uint32_t what = number(r->value, 1), element = state_element(s, kind, what);
    if (element == state_elements(s))
        return unfit(r);
    if (r->begun)
        return (json_object_get(r->root, "fail") ? rwa_state_fail : rwa_state_repair)(s, kind, what, r->err);
    state_fail(s, element, true);
    return RWA_OK;
}

static void put_count(struct text *t, const struct rwa_state *s, uint32_t count)
{
    (void)s;
    text_put(t, "%u", count);
}

static rwa_status play_undo(struct replay *r)
{
    uint32_t count;
    return json_u32(r->value, &count) ? rwa_state_undo(r->s, count, r->err) : unfit(r);
}

/* ---- the base ---- */

enum { LINK_NUMBERS = 3 };

static uLong add_numbers(uLong crc, const uint32_t *numbers, uInt count)
{
    return crc32(crc, (const Bytef *)numbers, count * (uInt)sizeof *numbers);
}

void journal_put_header(const struct rwa_state *s, struct journal *j)
{
    uLong crc = 0;
    struct text *t = &j->text;
    size_t start = begin_line(t);
    j->chain = 0;
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
    end_line(t, start, &j->chain);
}

/** Append the data of the line "begin", which stands before the operations that can be undone: how many operations
 *  went before it, the number of the next lightpath, and how many operations the history keeps.  `none` is not used,
 *  as the line has no subject. */
static void put_base(struct text *t, const struct rwa_state *s, uint32_t none)
{
    (void)none;
    text_put(t, "[%" PRIu64 ",%" PRIu64 ",%u]", s->history.operations, s->slots.next_id, s->history.capacity);
}

static rwa_status play_base(struct replay *r)
{
    struct rwa_state *s = r->s;
    uint64_t next;
    uint32_t history;
    if (r->begun || !json_whole(json_array_get(r->value, 0), INT64_MAX, &s->history.operations) ||
        !json_whole(json_array_get(r->value, 1), LIGHTPATH_IDS, &next) ||
        !json_u32(json_array_get(r->value, 2), &history))
        return unfit(r);
    MUST(switching_reserve(s, r->err));
    switching_update(s);    /* first those that were lit, which lets no other be lit */
    switching_end(s);
    history_forget(s);
    RAISE(s->slots.next_id, next);
    r->begun = true;
    return history_resize(s, history, r->err);
}

/* ---- lines ---- */

static const struct {
    const char *name;
    void (*put)(struct text *t, const struct rwa_state *s, uint32_t subject);
    rwa_status (*play)(struct replay *r);
} operations[] = {[ADDED] = {"add", put_lightpath, play_add},
                  [FAILED] = {"fail", put_failure, play_failure},
                  [BASE] = {"begin", put_base, play_base},
                  [RELEASED] = {"release", put_id, play_release},
                  [MOVED] = {"move", put_lightpath, play_move},
                  [REPAIRED] = {"repair", put_failure, play_failure},
                  [UNDONE] = {"undo", put_count, play_undo}};

void journal_put(const struct rwa_state *s, struct journal *j, const struct event *e)
{
    struct text *t = &j->text;
    size_t start = begin_line(t);
    text_put(t, ",\"%s\":", operations[e->operation].name);
    operations[e->operation].put(t, s, e->subject);
    if (s->random != j->random || e->operation == BASE)
        text_add(t, ",\"random\":%" PRIi64, (int64_t)s->random);
    end_line(t, start, &j->chain);
}

static rwa_status play_line(struct replay *r)
{
    const json_t *random = json_object_get(r->root, "random");
    size_t i = 0, count = r->begun ? sizeof operations / sizeof *operations : BASE + 1;
    while (i < count && !(r->value = json_object_get(r->root, operations[i].name)))
        i++;
    MUST(i < count ? operations[i].play(r) : unfit(r));
    if (random)
        r->s->random = (uint64_t)json_integer_value(random);
    return RWA_OK;
}

/** Report in *err the first JSON member in which the header `found` in a journal differs from the header `own` of this
 *  state.  Both end with a newline. */
static rwa_status name_difference(const char *found, const char *own, rwa_error *err)
{
    size_t member = 0;
    for (size_t i = 0; found[i] == own[i]; i++)
        if (own[i] == ',')
            member = i + 1;
    return base_fail(err, RWA_FORMAT, "%.*s in the journal, %.*s here (net: links and reserved channels)",
                     (int)strcspn(found + member, ",}\n"), found + member, (int)strcspn(own + member, ",}"),
                     own + member);
}

static rwa_status check_header(struct replay *r, const struct line *line)
{
    struct text *t = &r->j->text;
    t->err = r->err;
    journal_put_header(r->s, r->j);
    r->j->chain = 0;
    MUST(t->status);
    bool same = t->used == line->length + 1 && memcmp(t->data, line->text, line->length) == 0;
    t->used = 0;
    if (same)
        return RWA_OK;
    if (line->open || !is_sound(line->text, line->length, &r->j->chain))
        return base_fail(r->err, RWA_FORMAT, "no journal, or a damaged one");
    return name_difference(line->text + SUMMED, t->data + SUMMED, r->err);
}

static rwa_status check_line(struct replay *r, const struct line *line)
{
    json_t *root = NULL;
    if (line->number == 1)
        MUST(check_header(r, line));
    r->damaged = line->open || !is_sound(line->text, line->length, &r->j->chain);
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

/** Tell whether the last line of the file was cut short: a crash stopped its writing, so its operation was never
 *  answered.  If only its newline was replaced by another character, it was not cut short. */
static bool is_torn(const struct replay *r, const struct line *line)
{
    uint32_t chain = r->j->chain;
    return r->begun && line->open && !(line->length > 0 && is_sound(line->text, line->length - 1, &chain));
}

/** Report in *err the line at which the replay failed, why, and what the user can do.  Return RWA_NOMEM if `st` is
 *  that, else RWA_FORMAT. */
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
        r->j->rewritten = r->j->rewritten > 0 || !r->begun ? r->j->rewritten : r->end;
    }
    return r->begun ? RWA_OK : blame(r, RWA_FORMAT, "cut short", err);
}

rwa_status journal_play(struct rwa_state *s, struct journal *j, rwa_error *err)
{
    struct replay r = {.s = s, .j = j};
    rwa_status st = RWA_OK;
    TRY(base_new(r.links, s->nodes, err));
    for (uint32_t e = 0; e < state_elements(s); e++)
        state_fail(s, e, false);    /* the journal says what has failed */
    TRY(lines_open(&r.lines, j->path, err));
    TRY(play_lines(&r, err));
    if (r.lines.bytes != j->size)
        TRY(base_fail(err, RWA_FORMAT, "%s: compressed, expected a plain journal: gunzip it first", j->path));
    j->size = r.end;
done:
    lines_close(&r.lines);
    free(r.links);
    return st;
}
