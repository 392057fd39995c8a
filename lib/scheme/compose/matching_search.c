/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Find the quickest term of matchings: time all of a few hundred terms, without listing their transfers. */
#include "scheme/compose/matchings.h"

#include "collective/needs.h"

/** PART_BYTES: fewest bytes of a part of a block.  SCALES_MOST: largest number of parts. */
enum { PART_BYTES = 64, SCALES_MOST = 4096 };

/** Prefer plans of at most this many lightpaths, which are built and checked in about a second. */
#define LIGHTPATHS_MOST 2097152.0

struct matching_search {
    const struct plan_request *request;
    struct matchings m;
    struct matching_found best;
    struct budget budget;
};

uint64_t matching_block_bytes(const rwa_collective *coll, uint64_t blocks)
{
    return ceil_div(coll->message_bytes * (collective_message_is_whole(coll->kind) ? 1 : coll->nodes), blocks);
}

bool matching_factors(struct term *out, uint32_t of, uint32_t most)
{
    *out = (struct term){.phase = PHASE_SUMS};
    for (uint32_t f = lesser(of, most); of > 1 && f > 1 && out->numbers < TERM_NUMBERS;) {
        if (of % f != 0) {
            f--;
            continue;
        }
        out->number[out->numbers++] = f;
        of /= f;
    }
    return of == 1;
}

/** Return the largest number of parts to try for each of `units` units (uncut blocks), at least 1: more parts would be
 * too small, or too many for the checker. */
static uint64_t largest_scale(const struct matching_search *s, uint64_t units)
{
    const rwa_collective *coll = s->request->coll;
    double held = rwa_collective_is_reduction(coll->kind) ? SUMS_HELD_MOST : HELD_MOST;
    double most = held / ((double)coll->nodes * (double)units);
    double bytes = (double)matching_block_bytes(coll, 1) / ((double)units * PART_BYTES),
           scale = most < bytes ? most : bytes;
    return scale < 1 ? 1 : scale < SCALES_MOST ? (uint64_t)scale : SCALES_MOST;
}

static rwa_status try_scale(struct matching_search *s, const struct composition *t, uint64_t scale)
{
    struct matchings *m = &s->m;
    m->turns = m->circuits = 0;
    MUST(matching_write(m, t, s->request, scale));
    double time_s =
        matchings_time(m, s->request, matching_block_bytes(s->request->coll, matching_units(t, s->request) * scale));
    double lightpaths = matchings_lightpaths(m);
    double gain = lightpaths > s->best.lightpaths ? 0.998 : 1 - 1e-9; /* fewer lightpaths are worth that */
    bool fewer = lightpaths < s->best.lightpaths && s->best.lightpaths > LIGHTPATHS_MOST;
    bool better = time_s < s->best.time_s * gain && lightpaths <= fmax(LIGHTPATHS_MOST, s->best.lightpaths);
    if ((m->load == 0 || scale == 1) && (s->best.lightpaths == 0 || better || fewer))
        s->best = (struct matching_found){*t, scale, time_s, lightpaths};
    return RWA_OK;
}

/** Time a term with several numbers of parts of a block, and keep the best in s->best.  The numbers are the powers of
 * 2, and as many parts as a circuit has parallel lightpaths. */
static rwa_status try_term(struct matching_search *s, const struct composition *t)
{
    struct fabric f = fabric_of(s->request->net);
    uint64_t most = largest_scale(s, matching_units(t, s->request));
    rwa_status st = RWA_OK;
    if (base_must_stop(&s->budget, "choosing matchings", -1))
        return base_fail(s->m.err, RWA_CANCELLED, "planning was stopped while matchings were compared");
    for (uint64_t scale = 1; scale <= most && st == RWA_OK; scale *= 2)
        st = try_scale(s, t, scale);
    if (f.lanes > 1 && f.lanes <= most && st == RWA_OK)
        st = try_scale(s, t, f.lanes);
    return st;
}

/** Try the term of a single phase with one number, for example trees of 4 chunks; `number` 0: the term has none. */
static rwa_status try_numbers(struct matching_search *s, enum phase phase, uint32_t number)
{
    struct term t = {.phase = phase, .number = {number}, .numbers = number > 0};
    struct composition c = {.node = {t}, .nodes = 1};
    return matching_suits(&c, s->request) ? try_term(s, &c) : RWA_OK;
}

/** Return the windows term of an all-gather in a group of `size` nodes that takes the fewest steps: in each step the
 * blocks that a node holds grow by the factor ports + 1. */
static struct term windows_of(uint32_t size, uint32_t ports)
{
    struct term t = {.phase = PHASE_WINDOWS};
    for (uint64_t have = 1; have < size && t.numbers < TERM_NUMBERS; have *= (uint64_t)ports + 1)
        t.number[t.numbers++] = ports + 1;
    return t;
}

/** Divide the nodes into `groups` groups, and try the term that gathers by windows inside each group and adds up sums
 * between the groups. */
static rwa_status try_groups(struct matching_search *s, uint32_t groups)
{
    uint32_t nodes = s->request->coll->nodes, ports = fabric_of(s->request->net).ports;
    struct composition sums = {.nodes = 1}, c = sums;
    const struct composition *sub = &sums;
    struct term windows = windows_of(nodes / groups, ports);
    bool factors = matching_factors(&sums.node[0], groups, ports + 1);
    if (!factors)
        return RWA_OK;
    if (windows.numbers == 0)
        c = sums;
    else
        term_join(&c, &windows, &sub, groups > 1);
    return try_term(s, &c);
}

static rwa_status search_broadcast(struct matching_search *s)
{
    enum { CHUNKS_MOST = 1024 };
    MUST(try_numbers(s, PHASE_COPIES, 0));
    for (uint32_t chunks = 1; chunks <= CHUNKS_MOST; chunks = larger_number(chunks))
        MUST(try_numbers(s, PHASE_TREES, chunks));
    return RWA_OK;
}

/** Try terms for an all-to-all in which blocks move by the digits of their distance: a single digit, and several digits
 * of equal radix, of which the most significant one may have fewer values. */
static rwa_status search_digits(struct matching_search *s)
{
    enum { ONE_BY_ONE = 1024 };     /* radices */
    uint32_t n = s->request->coll->nodes;
    MUST(try_numbers(s, PHASE_DIGITS, n));
    for (uint32_t radix = 2; radix < n; radix = n > ONE_BY_ONE ? larger_number(radix) : radix + 1) {
        struct composition c = {.node = {windows_of(n, radix - 1)}, .nodes = 1};
        c.node[0].phase = PHASE_DIGITS;
        MUST(try_term(s, &c));
    }
    return RWA_OK;
}

static rwa_status search_terms(struct matching_search *s)
{
    uint32_t nodes = s->request->coll->nodes;
    switch (s->request->coll->kind) {
    case RWA_BROADCAST:
    case RWA_ROOTED_REDUCE: return search_broadcast(s);
    case RWA_GATHER:
    case RWA_SCATTER: return try_numbers(s, PHASE_TREE, 0);
    case RWA_ALL_TO_ALL: MUST(search_digits(s)); break;
    case RWA_ALL_GATHER:
    case RWA_REDUCE_SCATTER: MUST(try_groups(s, 1)); break;
    case RWA_ALL_REDUCE:
        for (uint32_t groups = 1; groups <= nodes; groups++)
            if (nodes % groups == 0)
                MUST(try_groups(s, groups));
    }
    return try_numbers(s, PHASE_CIRCLES, 0);
}

rwa_status matching_search(struct matching_found *out, const struct plan_request *request,
                           const struct composition *given, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    struct matching_search s = {.request = request,
                       .m = {.timed = true, .err = err},
                       .best = {.time_s = INFINITY},
                       .budget = base_budget(0, o->poll, o->poll_data)};
    rwa_status st = given ? try_term(&s, given) : search_terms(&s);
    matchings_free(&s.m);
    *out = s.best;
    return st;
}
