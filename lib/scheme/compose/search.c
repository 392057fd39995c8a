/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The quickest composition by loads.  All-gathers by dynamic programming: the time of a term is that of its own exchanges and of its
 * subterms, which depends only on how many participants there are, how far apart, in how many groups, and how much each holds.
 */
#include "scheme/compose/compose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A term for some participants and its time. */
struct choice {
    struct composition composition;
    double time_s;
};

/** Key of a subproblem. */
struct key {
    size_t count, groups;
    uint32_t stride;
    uint64_t holds;
    bool cycle, sums;
    unsigned depth;
};

struct memory {
    struct key key;
    struct choice choice;
};

enum { DEPTH = 3, SIZES = 24, CIRCLE_MOST = 64 };

/** Transfers of the largest exchange that is looked at: fewer where routes are paths. */
static size_t exchange_most(const struct composing *c)
{
    return (size_t)1 << (network_has_arcs(c->request->net) ? 17 : 15);
}


struct search {
    const struct composing *c;
    struct program p;           /* timed */
    struct memory *memory;
    size_t known, room;
    struct budget budget;
    uint64_t scale;                     /* parts into which each block is cut */
    double below_s;                     /* what takes no less is of no interest */
    struct found found[FOUND_MOST];     /* quickest first */
    size_t count;
};

/* ---- sizes worth a try ---- */

static size_t add_size(uint32_t *size, size_t count, uint64_t value, uint32_t most)
{
    if (value < 2 || value > most || count == SIZES)
        return count;
    for (size_t i = 0; i < count; i++)
        if (size[i] == value)
            return count;
    size[count] = (uint32_t)value;
    return count + 1;
}

/** Of segments: powers of 2, one more, what 2W channels reach, thirds, and everyone. */
static size_t segment_sizes(uint32_t size[SIZES], const struct search *s, uint32_t most)
{
    uint32_t reach = 2 * rwa_network_channels(s->c->request->net) + 1;
    size_t count = 0;
    count = add_size(size, count, 3, most);
    count = add_size(size, count, reach, most);
    count = add_size(size, count, most, most);
    for (uint64_t g = 2; g <= most; g *= 2)
        count = add_size(size, count, g, most);
    for (uint64_t g = 5; g <= most; g = 2 * g - 1)
        count = add_size(size, count, g, most);
    count = add_size(size, count, (most + 2) / 3, most);
    return count;
}

static size_t divisors(uint32_t size[SIZES], uint32_t of)
{
    size_t count = 0;
    for (uint32_t g = 2; g < of; g++)
        if (of % g == 0)
            count = add_size(size, count, g, of);
    return count;
}

/* ---- all-gathers ---- */

static rwa_status best_all_gather(struct choice *out, struct search *s, const struct parties *parties, unsigned depth);

static struct key key_of(const struct parties *parties, unsigned depth, bool sums)
{
    return (struct key){.sums = sums, .count = parties->count, .groups = parties->groups, .depth = depth,
                        .holds = parties->party[0].holds.count,
                        .stride = parties_of(parties, 0) > 1 ? parties->party[1].node - parties->party[0].node : 0,
                        .cycle = parties->cycle};
}

static bool same_key(const struct key *a, const struct key *b)
{
    return a->count == b->count && a->groups == b->groups && a->stride == b->stride && a->holds == b->holds && a->cycle == b->cycle &&
           a->depth == b->depth && a->sums == b->sums;
}

static rwa_status remember(struct search *s, const struct key *key, const struct choice *choice)
{
    rwa_status st = base_grow((void **)&s->memory, &s->room, s->known + 1, sizeof *s->memory, s->c->err);
    if (st == RWA_OK)
        s->memory[s->known++] = (struct memory){*key, *choice};
    return st;
}

static void keep_choice(struct choice *best, const struct term *head, const struct choice *a, const struct choice *b, double time_s)
{
    struct choice next = {.time_s = time_s};
    if (time_s < best->time_s && term_join(&next.composition, head, a ? &a->composition : NULL, b ? &b->composition : NULL))
        *best = next;
}

/** The time of what a function writes; at least below_s where it takes no less. */
#define TIMED(seconds, below_s, call) \
    do {                              \
        s->p.time_s = 0;              \
        s->p.stop_s = (below_s);      \
        TRY(call);                    \
        (seconds) = s->p.time_s;      \
    } while (0)

static rwa_status try_direct(struct choice *best, struct search *s, const struct parties *parties)
{
    size_t n = parties_of(parties, 0);
    double time_s;
    rwa_status st = RWA_OK;
    if (parties->count * (n - 1) > exchange_most(s->c))
        return RWA_OK;
    TIMED(time_s, best->time_s, phase_direct(&s->p, parties));
    keep_choice(best, &(struct term){.phase = PHASE_DIRECT}, NULL, NULL, time_s);
done:
    return st;
}

static rwa_status try_steps(struct choice *best, struct search *s, const struct parties *parties)
{
    size_t n = parties_of(parties, 0);
    bool circle = parties->cycle || (!network_has_arcs(s->c->request->net) && n <= CIRCLE_MOST); /* rows of a torus are circles, too */
    double time_s;
    rwa_status st = RWA_OK;
    for (uint32_t t = 2; circle && t <= n / 2; t += 1 + t / 5) {
        if (t * s->p.prices.step_s >= best->time_s)
            break;
        TIMED(time_s, best->time_s, phase_steps(&s->p, parties, t));
        keep_choice(best, &(struct term){.phase = PHASE_STEPS, .number = {t}, .numbers = 1}, NULL, NULL, time_s);
    }
done:
    return st;
}

static rwa_status try_spreads(struct choice *best, struct search *s, const struct parties *parties)
{
    bool all = parties->groups == 1 && parties->count == s->c->request->coll->nodes && composing_spreads(s->c);
    uint32_t most = all ? spread_steps_most(&s->c->distances) : 0, least = most > 0 ? spread_steps_least(&s->c->distances) : 2;
    double time_s;
    rwa_status st = RWA_OK;
    for (uint32_t t = least; t <= most; t = t < most && t + 1 + t / 4 > most ? most : t + 1 + t / 4) {
        if (t * s->p.prices.step_s >= best->time_s)
            break;
        TIMED(time_s, best->time_s, phase_spread(&s->p, parties, t));
        keep_choice(best, &(struct term){.phase = PHASE_SPREAD, .number = {t}, .numbers = 1}, NULL, NULL, time_s);
    }
done:
    return st;
}

static rwa_status try_segments(struct choice *best, struct search *s, const struct parties *parties, uint32_t size, unsigned depth)
{
    struct parties leaders = {0};
    struct choice among;
    double gather_s, tell_s;
    rwa_status st = RWA_OK;
    TIMED(gather_s, best->time_s, phase_gather(&s->p, &leaders, parties, size));
    if (gather_s >= best->time_s)
        goto done;
    TRY(best_all_gather(&among, s, &leaders, depth - 1));
    for (int split = 0; split < 2; split++) {
        if (gather_s + among.time_s >= best->time_s || (split && size < 3))
            continue;
        TIMED(tell_s, best->time_s - gather_s - among.time_s, phase_tell(&s->p, parties, size, split));
        keep_choice(best, &(struct term){.phase = split ? PHASE_SPLIT : PHASE_LEADERS, .number = {size}, .numbers = 1}, &among, NULL,
                    gather_s + among.time_s + tell_s);
    }
done:
    parties_free(&leaders);
    return st;
}

static rwa_status try_positions(struct choice *best, struct search *s, const struct parties *parties, uint32_t size, unsigned depth)
{
    struct parties part = {0};
    struct choice far, near;
    rwa_status st = RWA_OK;
    TRY(parties_at_places(&part, parties, size, s->c->err));
    TRY(best_all_gather(&far, s, &part, depth - 1));
    if (far.time_s >= best->time_s)
        goto done;
    parties_free(&part);
    TRY(parties_in_segments(&part, parties, size, s->c->err));
    TRY(best_all_gather(&near, s, &part, depth - 1));
    keep_choice(best, &(struct term){.phase = PHASE_POSITIONS, .number = {size}, .numbers = 1}, &far, &near, far.time_s + near.time_s);
done:
    parties_free(&part);
    return st;
}

static bool divides_all(const struct parties *parties, uint32_t size)
{
    for (size_t g = 0; g < parties->groups; g++)
        if (parties_of(parties, g) % size != 0)
            return false;
    return true;
}

static rwa_status try_all(struct choice *best, struct search *s, const struct parties *parties, unsigned depth)
{
    uint32_t n = (uint32_t)parties_of(parties, 0), size[SIZES];
    rwa_status st = RWA_OK;
    TRY(try_direct(best, s, parties));
    TRY(try_steps(best, s, parties));
    TRY(try_spreads(best, s, parties));
    if (depth == 0 || n < 4)
        return RWA_OK;
    size_t sizes = divisors(size, n);
    for (size_t i = 0; i < sizes; i++)
        if (divides_all(parties, size[i]))
            TRY(try_positions(best, s, parties, size[i], depth));
    sizes = segment_sizes(size, s, n);
    for (size_t i = 0; i < sizes; i++)
        TRY(try_segments(best, s, parties, size[i], depth));
    if (base_must_stop(&s->budget, "choosing a composition", -1))
        return base_fail(s->c->err, RWA_CANCELLED, "planning was stopped while compositions were compared");
done:
    return st;
}

/** Nothing to do, or found before; else *out is no choice yet. */
static bool is_known_choice(struct choice *out, const struct search *s, const struct parties *parties, const struct key *key)
{
    *out = (struct choice){.time_s = s->below_s};
    if (parties_of(parties, 0) == 1) {
        out->time_s = 0;
        out->composition = (struct composition){.node = {{.phase = PHASE_DIRECT}}, .nodes = 1, .parts = 1};
        return true;
    }
    for (size_t i = 0; i < s->known; i++)
        if (same_key(&s->memory[i].key, key)) {
            *out = s->memory[i].choice;
            return true;
        }
    return false;
}

static rwa_status best_all_gather(struct choice *out, struct search *s, const struct parties *parties, unsigned depth)
{
    struct key key = key_of(parties, depth, false);
    rwa_status st = RWA_OK;
    if (is_known_choice(out, s, parties, &key))
        return RWA_OK;
    TRY(try_all(out, s, parties, depth));
    TRY(remember(s, &key, out));
done:
    return st;
}

/* ---- sums ---- */

static rwa_status best_sums(struct choice *out, struct search *s, const struct parties *parties, unsigned depth);

static rwa_status try_direct_sums(struct choice *best, struct search *s, const struct parties *parties)
{
    double time_s;
    rwa_status st = RWA_OK;
    if (parties->count * (parties_of(parties, 0) - 1) > exchange_most(s->c))
        return RWA_OK;
    TIMED(time_s, best->time_s, phase_direct_sums(&s->p, parties));
    keep_choice(best, &(struct term){.phase = PHASE_DIRECT}, NULL, NULL, time_s);
done:
    return st;
}

static rwa_status try_sums_of_leaders(struct choice *best, struct search *s, const struct parties *parties, uint32_t size, unsigned depth)
{
    struct parties leaders = {0};
    struct choice among;
    double fold_s;
    rwa_status st = RWA_OK;
    TIMED(fold_s, best->time_s, phase_fold(&s->p, &leaders, parties, size));
    if (2 * fold_s >= best->time_s) /* sums come back as they went */
        goto done;
    TRY(best_sums(&among, s, &leaders, depth - 1));
    keep_choice(best, &(struct term){.phase = PHASE_LEADERS, .number = {size}, .numbers = 1}, &among, NULL, 2 * fold_s + among.time_s);
done:
    parties_free(&leaders);
    return st;
}

static rwa_status try_sums_of_positions(struct choice *best, struct search *s, const struct parties *parties, uint32_t size,
                                        unsigned depth)
{
    struct parties part = {0};
    struct choice far, near;
    rwa_status st = RWA_OK;
    TRY(parties_at_places(&part, parties, size, s->c->err));
    TRY(best_sums(&far, s, &part, depth - 1));
    if (far.time_s >= best->time_s)
        goto done;
    parties_free(&part);
    TRY(parties_by_segments(&part, parties, size, s->c->err));
    TRY(best_sums(&near, s, &part, depth - 1));
    keep_choice(best, &(struct term){.phase = PHASE_POSITIONS, .number = {size}, .numbers = 1}, &far, &near, far.time_s + near.time_s);
done:
    parties_free(&part);
    return st;
}

static rwa_status try_shares(struct choice *best, struct search *s, const struct parties *parties, uint32_t size, unsigned depth)
{
    struct parties share = {0}, part = {0};
    struct choice near, far;
    rwa_status st = RWA_OK;
    TRY(parties_with_shares(&share, parties, size, s->c->err));
    TRY(parties_by_segments(&part, &share, size, s->c->err));
    TRY(best_all_gather(&near, s, &part, depth - 1));
    if (2 * near.time_s >= best->time_s)
        goto done;
    parties_free(&part);
    TRY(parties_at_places(&part, &share, size, s->c->err));
    TRY(best_sums(&far, s, &part, depth - 1));
    keep_choice(best, &(struct term){.phase = PHASE_SHARES, .number = {size}, .numbers = 1}, &near, &far, 2 * near.time_s + far.time_s);
done:
    parties_free(&share);
    parties_free(&part);
    return st;
}

static rwa_status try_all_sums(struct choice *best, struct search *s, const struct parties *parties, unsigned depth)
{
    uint32_t n = (uint32_t)parties_of(parties, 0), size[SIZES];
    rwa_status st = RWA_OK;
    TRY(try_direct_sums(best, s, parties));
    if (depth == 0)
        return RWA_OK;
    size_t sizes = divisors(size, n);
    for (size_t i = 0; i < sizes; i++) {
        if (!divides_all(parties, size[i]))
            continue;
        TRY(try_sums_of_positions(best, s, parties, size[i], depth));
        TRY(try_shares(best, s, parties, size[i], depth));
    }
    sizes = segment_sizes(size, s, n);
    for (size_t i = 0; i < sizes; i++)
        TRY(try_sums_of_leaders(best, s, parties, size[i], depth));
done:
    return st;
}

static rwa_status best_sums(struct choice *out, struct search *s, const struct parties *parties, unsigned depth)
{
    struct key key = key_of(parties, depth, true);
    rwa_status st = RWA_OK;
    if (is_known_choice(out, s, parties, &key))
        return RWA_OK;
    TRY(try_all_sums(out, s, parties, depth));
    TRY(remember(s, &key, out));
done:
    return st;
}

/** Each participant begins with a partial sum of all blocks. */
static rwa_status best_all_sums(struct choice *out, struct search *s, const struct parties *parties)
{
    struct parties full = {0};
    struct choice sums;
    rwa_status st = RWA_OK;
    *out = (struct choice){.time_s = s->below_s};
    TRY(parties_with_all(&full, parties, s->c->err));
    TRY(best_sums(&sums, s, &full, DEPTH));
    keep_choice(out, &(struct term){.phase = PHASE_SUMS}, &sums, NULL, sums.time_s);
done:
    parties_free(&full);
    return st;
}

/* ---- trees ---- */

static rwa_status try_tree(struct choice *best, struct search *s, const struct parties *parties, const struct block_set *all,
                           const struct term *t)
{
    double time_s;
    rwa_status st = RWA_OK;
    TIMED(time_s, best->time_s, phase_tree(&s->p, parties, s->c->root, all, t->number, t->numbers));
    keep_choice(best, t, NULL, NULL, time_s);
done:
    return st;
}

/** Balanced trees of each depth, and trees that fan out otherwise in the first one or two levels. */
static rwa_status best_tree(struct choice *best, struct search *s, const struct parties *parties, bool whole)
{
    const struct block_set all = {.count = whole ? parties->count * s->scale : 0}, *informed = whole ? &all : NULL;
    uint32_t n = (uint32_t)parties->count, size[SIZES];
    size_t sizes = segment_sizes(size, s, n);
    rwa_status st = RWA_OK;
    *best = (struct choice){.time_s = s->below_s};
    for (unsigned levels = 1; levels <= 10; levels++) {
        uint32_t fan = (uint32_t)ceil(pow(n, 1.0 / levels) - 1e-9);
        TRY(try_tree(best, s, parties, informed, &(struct term){.phase = PHASE_TREE, .number = {fan < 2 ? 2 : fan}, .numbers = 1}));
    }
    for (size_t i = 0; i < sizes; i++) {
        uint32_t rest = (n + size[i] - 1) / size[i];
        for (unsigned levels = 1; levels <= 4; levels++) {
            uint32_t fan = (uint32_t)ceil(pow(rest, 1.0 / levels) - 1e-9);
            TRY(try_tree(best, s, parties, informed,
                         &(struct term){.phase = PHASE_TREE, .number = {size[i], fan < 2 ? 2 : fan}, .numbers = 2}));
        }
    }
done:
    return st;
}

/* ---- all-to-all ---- */

static rwa_status try_all_to_all(struct choice *best, struct search *s, const struct term *t)
{
    double time_s;
    uint32_t n = s->c->request->coll->nodes;
    rwa_status st = RWA_OK;
    if (t->phase == PHASE_MERGE)
        TIMED(time_s, best->time_s, phase_merge(&s->p, s->c->order, n, t->number, t->numbers));
    else
        TIMED(time_s, best->time_s, phase_digits(&s->p, s->c->order, n, t->number, t->numbers));
    keep_choice(best, t, NULL, NULL, time_s);
done:
    return st;
}

/** Every way to write n as a product of up to so many factors. */
static rwa_status try_digits(struct choice *best, struct search *s, struct term *t, uint32_t left, unsigned most)
{
    rwa_status st = RWA_OK;
    if (left == 1)
        return t->numbers > 1 ? try_all_to_all(best, s, t) : RWA_OK;
    if (t->numbers == most)
        return RWA_OK;
    for (uint32_t r = 2; r <= left && r <= 64; r++) {
        if (left % r != 0)
            continue;
        t->number[t->numbers++] = r;
        TRY(try_digits(best, s, t, left / r, most));
        t->numbers--;
    }
done:
    return st;
}

static rwa_status try_merges(struct choice *best, struct search *s)
{
    static const uint32_t more[] = {3, 6, 10, 12, 14, 20, 24, 28, 40, 48, 56};
    uint32_t n = s->c->request->coll->nodes, top[2 * SIZES], size[SIZES];
    size_t tops = segment_sizes(top, s, n), sizes = segment_sizes(size, s, n);
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        top[tops + i] = more[i];
    top[tops + sizeof more / sizeof more[0]] = 1;
    tops += sizeof more / sizeof more[0] + 1;
    for (size_t i = 0; i < tops; i++) {
        struct term t = {.phase = PHASE_MERGE, .number = {top[i]}, .numbers = 1};
        if (top[i] > n || (uint64_t)top[i] * top[i] > exchange_most(s->c))
            continue;
        TRY(try_all_to_all(best, s, &t));
        for (size_t k = 0; k < sizes; k++) {
            t.number[1] = size[k];
            t.numbers = 2;
            if ((uint64_t)top[i] * size[k] < n)
                TRY(try_all_to_all(best, s, &t));
        }
        t.number[1] = (uint32_t)ceil(cbrt((double)n / top[i]));
        t.number[2] = t.number[1];
        t.numbers = 3;
        if (t.number[1] > 1)
            TRY(try_all_to_all(best, s, &t));
    }
done:
    return st;
}

static rwa_status best_all_to_all(struct choice *best, struct search *s)
{
    enum { DIGITS = 4 };
    struct term t = {.phase = PHASE_DIGITS};
    rwa_status st = RWA_OK;
    *best = (struct choice){.time_s = s->below_s};
    TRY(try_merges(best, s));
    TRY(try_digits(best, s, &t, s->c->request->coll->nodes, DIGITS));
done:
    return st;
}

/* ---- collectives ---- */

static void keep_found(struct search *s, const struct choice *a, const struct choice *b, double time_s)
{
    struct found next = {.composition = a->composition, .time_s = time_s, .scale = s->scale};
    size_t at = s->count;
    if (!(time_s < s->below_s) || (b && !composition_add(&next.composition, &b->composition)))
        return;
    while (at > 0 && time_s < s->found[at - 1].time_s)
        at--;
    if (at == FOUND_MOST)
        return;
    s->count += s->count < FOUND_MOST;
    for (size_t k = s->count - 1; k > at; k--)
        s->found[k] = s->found[k - 1];
    s->found[at] = next;
}

static rwa_status search_collective(struct search *s, const struct parties *parties)
{
    struct choice gathered = {.time_s = s->below_s}, spread = gathered, sent = gathered, sums = gathered;
    rwa_collective_kind kind = s->c->request->coll->kind;
    bool trees = kind != RWA_ALL_GATHER && kind != RWA_ALL_TO_ALL;
    rwa_status st = RWA_OK;
    if (kind == RWA_ALL_TO_ALL) {
        TRY(best_all_to_all(&gathered, s));
        keep_found(s, &gathered, NULL, gathered.time_s);
        return RWA_OK;
    }
    if (kind != RWA_SCATTER && kind != RWA_GATHER)
        TRY(best_all_gather(&gathered, s, parties, DEPTH));
    if (kind == RWA_ALL_REDUCE || kind == RWA_REDUCE_SCATTER) {
        TRY(best_all_sums(&sums, s, parties));
        keep_found(s, &sums, NULL, sums.time_s);
    }
    if (trees && kind != RWA_ALL_REDUCE)
        TRY(best_tree(&sent, s, parties, false));
    if (trees && kind != RWA_SCATTER && kind != RWA_GATHER)
        TRY(best_tree(&spread, s, parties, true));
    if (kind == RWA_SCATTER || kind == RWA_GATHER)
        keep_found(s, &sent, NULL, sent.time_s);
    if (kind == RWA_ALL_GATHER || kind == RWA_REDUCE_SCATTER)
        keep_found(s, &gathered, NULL, gathered.time_s);
    if (kind == RWA_BROADCAST) {
        keep_found(s, &spread, NULL, spread.time_s);
        keep_found(s, &sent, &gathered, sent.time_s + gathered.time_s);
    }
    if (kind == RWA_REDUCE_SCATTER)
        keep_found(s, &spread, &sent, spread.time_s + sent.time_s);
    if (kind == RWA_ALL_REDUCE) {
        keep_found(s, &spread, NULL, 2 * spread.time_s);
        keep_found(s, &gathered, NULL, 2 * gathered.time_s);
    }
done:
    return st;
}

/* ---- scale ---- */

/** Blocks are cut into so many parts. */
static void set_prices(struct search *s, uint64_t scale)
{
    const rwa_collective *coll = s->c->request->coll;
    const rwa_cost_prices *price = &s->c->request->price;
    rwa_collective cut = *coll;
    rwa_status st = rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, s->c->units, NULL);
    assert(st == RWA_OK);
    (void)st;
    s->scale = scale;
    s->p.prices = (struct prices){.step_s = price->step_s, .block_s = price->byte_s * (double)cut.block_bytes / (double)scale};
}

static rwa_status time_at(struct found *out, struct search *s, const struct composition *composition, uint64_t scale)
{
    rwa_status st = RWA_OK;
    s->p.time_s = s->p.lightpaths = 0;
    s->p.stop_s = NEVER_S;
    set_prices(s, scale);
    TRY(composition_write(&s->p, composition, s->c, scale));
    *out = (struct found){.composition = *composition, .time_s = s->p.time_s, .lightpaths = s->p.lightpaths, .scale = scale};
done:
    return st;
}

/** Parts of a block beyond which cutting finer gains nothing: of few bytes, or too many to check. */
static uint64_t largest_scale(const struct composing *c)
{
    enum { PART_BYTES = 64, SPREAD_PARTS = 32 };
    const rwa_collective *coll = c->request->coll;
    bool sums = coll->kind == RWA_ALL_REDUCE || coll->kind == RWA_REDUCE_SCATTER;
    double held = (double)coll->nodes * (double)c->units, most = sums ? 1 << 24 : 1 << 28;
    uint64_t bytes = coll->message_bytes / (sums || coll->kind == RWA_BROADCAST ? coll->nodes : 1);
    uint64_t scale = 1, parts = 2ULL * rwa_network_channels(c->request->net); /* or half as many again */
    if (composing_spreads(c)) /* branches of trees carry parts of what an owner has */
        parts = parts > SPREAD_PARTS ? parts : SPREAD_PARTS;
    while (coll->kind != RWA_ALL_TO_ALL && 2 * scale <= parts && 2 * scale * PART_BYTES <= bytes && 3 * (double)scale * held <= most)
        scale *= 2;
    return scale;
}

/** 1, 2, 3, 4, 6, 8, 12 …: degrees and sizes of networks divide some of them. */
static uint64_t next_scale(uint64_t scale)
{
    bool power = (scale & (scale - 1)) == 0;
    return scale == 1 ? 2 : power ? scale + scale / 2 : scale / 3 * 4;
}

/** As few parts as take hardly longer. */
static rwa_status choose_scale(struct search *s, struct found *found, uint64_t most)
{
    const struct composition composition = found->composition;
    struct found next;
    rwa_status st = RWA_OK;
    TRY(time_at(found, s, &composition, most));
    TRY(time_at(&next, s, &composition, most + most / 2));
    if (next.time_s < found->time_s)
        *found = next;
    for (uint64_t scale = 1; scale < found->scale; scale = next_scale(scale)) {
        TRY(time_at(&next, s, &composition, scale));
        if (next.time_s <= 1.002 * found->time_s) {
            *found = next;
            break;
        }
    }
done:
    return st;
}

/** Leave out what takes clearly longer than the quickest; the others are cut into as many parts. */
static void keep_near(struct search *s)
{
    const double worth_building = 1.1;
    size_t kept = 1;
    assert(s->count > 0);
    for (size_t k = 1; k < s->count; k++) {
        s->found[k].scale = s->found[0].scale;
        if (s->found[k].time_s <= worth_building * s->found[0].time_s)
            s->found[kept++] = s->found[k];
    }
    s->count = kept;
}

rwa_status compose_search(struct found out[FOUND_MOST], size_t *count, const struct composing *c, const struct composition *given)
{
    uint64_t scale = largest_scale(c);
    const rwa_plan_options *o = c->request->opts;
    struct search s = {.c = c, .p = {.timed = true, .distances = &c->distances, .err = c->err},
                       .below_s = c->request->below_s > 0 ? c->request->below_s : NEVER_S,
                       .budget = base_budget(0, o->poll, o->poll_data)};
    struct parties parties = {0};
    rwa_status st = RWA_OK;
    *count = 0;
    set_prices(&s, scale);
    TRY(composing_parties(&parties, c, scale, true));
    if (given)
        s.found[s.count++].composition = *given;
    else
        TRY(search_collective(&s, &parties));
    if (s.count == 0) /* nothing suits */
        goto done;
    assert(composition_suits(&s.found[0].composition, c));
    TRY(choose_scale(&s, &s.found[0], scale));
    keep_near(&s);
    memcpy(out, s.found, s.count * sizeof *out);
    *count = s.count;
done:
    parties_free(&parties);
    program_free(&s.p);
    free(s.memory);
    return st;
}
