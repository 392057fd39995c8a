/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The quickest term of matchings: all of a few hundred are timed, which takes no list of transfers. */
#include "scheme/matching/matchings.h"

#include "collective/needs.h"

/** Blocks that one more part of each would make too many to check, or parts of few bytes. */
enum { PART_BYTES = 64, SCALES_MOST = 4096 };

/** A plan of so many is built and checked in about a second. */
#define LIGHTPATHS_MOST 2097152.0

struct search {
    const struct plan_request *request;
    struct fabric fabric;
    struct matchings m;
    struct matching_found best;
    struct budget budget;
    rwa_error *err;
};

static uint64_t total_bytes(const rwa_collective *coll)
{
    return coll->message_bytes * (collective_message_is_whole(coll->kind) ? 1 : coll->nodes);
}

/** Blocks of a collective with so many, in bytes. */
static uint64_t bytes_of(const rwa_collective *coll, uint64_t blocks)
{
    return ceil_div(total_bytes(coll), blocks);
}

/** The most parts of a unit: of enough bytes, few enough to check. */
static uint64_t largest_scale(const struct search *s, const struct matching_term *t)
{
    const rwa_collective *coll = s->request->coll;
    uint64_t units = matching_units(t, coll) * (t->style == MATCHING_TREES ? s->fabric.ports : 1);
    double most = (rwa_collective_is_reduction(coll->kind) ? 1 << 24 : 1 << 28) / ((double)coll->nodes * (double)units);
    double bytes = (double)total_bytes(coll) / ((double)units * PART_BYTES), scale = most < bytes ? most : bytes;
    scale = scale < SCALES_MOST ? scale : SCALES_MOST;
    return scale < 1 ? 1 : (uint64_t)scale;
}

static rwa_status time_term(double *time_s, struct search *s, const struct matching_term *t, uint64_t scale)
{
    struct matchings *m = &s->m;
    uint64_t blocks = matching_units(t, s->request->coll) * scale * (t->style == MATCHING_TREES ? s->fabric.ports : 1);
    bool scaled = scale > 1 && matching_keeps_units(t); /* written before with a scale of 1 */
    rwa_status st = RWA_OK;
    if (scaled) {
        matchings_scale(m, scale);
    } else {
        m->turns = m->circuits = m->legs = m->runs = 0;
        st = matching_write(m, t, s->request, scale);
    }
    if (st == RWA_OK)
        *time_s = matchings_time(m, s->request, bytes_of(s->request->coll, blocks));
    return st;
}

/** Whether no lightpath carries more blocks than the caller wants, none of which is cut then. */
static bool keeps_load(const struct search *s, uint64_t scale)
{
    uint32_t most = s->request->opts->lightpath_blocks;
    bool keeps = most == 0 || scale == 1;
    for (size_t t = 0; t < s->m.turns && most > 0; t++)
        keeps = keeps && s->m.turn[t].most <= most;
    return keeps;
}

static rwa_status try_scale(struct search *s, const struct matching_term *t, uint64_t scale)
{
    double time_s = INFINITY;
    rwa_status st = time_term(&time_s, s, t, scale);
    double lightpaths = matchings_lightpaths(&s->m);
    double gain = lightpaths > s->best.lightpaths ? 0.998 : 1 - 1e-9; /* fewer lightpaths are worth that */
    bool large = lightpaths > LIGHTPATHS_MOST, yields = s->best.lightpaths > LIGHTPATHS_MOST && lightpaths < s->best.lightpaths;
    bool better = large == (s->best.lightpaths > LIGHTPATHS_MOST) && time_s < s->best.time_s * gain;
    if (st == RWA_OK && keeps_load(s, scale) && (s->best.lightpaths == 0 || better || yields))
        s->best = (struct matching_found){*t, scale, time_s, lightpaths};
    return st;
}

/** Powers of 2, and as many parts as a node has lightpaths, once or several times. */
static rwa_status try_term(struct search *s, const struct matching_term *t)
{
    uint64_t most = largest_scale(s, t), lightpaths = (uint64_t)s->fabric.ports * s->fabric.lanes;
    rwa_status st = RWA_OK;
    if (base_must_stop(&s->budget, "choosing matchings", -1))
        return base_fail(s->err, RWA_CANCELLED, "planning was stopped while matchings were compared");
    for (uint64_t scale = 1; scale <= most && st == RWA_OK; scale *= 2)
        st = try_scale(s, t, scale);
    for (uint64_t scale = lightpaths; scale > 1 && scale <= most && scale <= 4 * lightpaths && st == RWA_OK; scale += lightpaths)
        st = try_scale(s, t, scale);
    if (s->fabric.lanes > 1 && s->fabric.lanes <= most && st == RWA_OK)
        st = try_scale(s, t, s->fabric.lanes);
    return st;
}

/* ---- windows ---- */

/** So many stages of a spread, and a chain before or after them for what they leave. */
static rwa_status try_windows_with(struct search *s, struct matching_term t, uint32_t size, uint32_t spreads, bool chain_first)
{
    uint64_t reached = 1, radix = (uint64_t)s->fabric.ports + 1;
    for (uint32_t e = 0; e < spreads; e++)
        reached = reached * radix < size ? reached * radix : size;
    uint32_t rest = (uint32_t)ceil_div(size, reached);
    t.stages = t.chained = 0;
    if (rest > 1 && chain_first) {
        t.chained |= 1u << t.stages;
        t.stage[t.stages++] = rest;
    }
    for (uint32_t e = 0; e < spreads; e++)
        t.stage[t.stages++] = (uint32_t)radix;
    if (rest > 1 && !chain_first) {
        t.chained |= 1u << t.stages;
        t.stage[t.stages++] = rest;
    }
    return try_term(s, &t);
}

/** Windows in groups of `size`: all numbers of spreads. */
static rwa_status try_windows(struct search *s, const struct matching_term *t, uint32_t size)
{
    uint64_t reached = 1;
    rwa_status st = RWA_OK;
    if (size == 1)
        return try_term(s, t);
    for (uint32_t spreads = 0; spreads + 1 < MATCHING_STAGES && st == RWA_OK; spreads++) {
        st = try_windows_with(s, *t, size, spreads, false);
        if (st == RWA_OK && spreads > 0 && reached < size)
            st = try_windows_with(s, *t, size, spreads, true);
        if (reached >= size)
            break;
        reached *= (uint64_t)s->fabric.ports + 1;
    }
    return st;
}

/** The fewest factors of at most `most` with this product, largest first; 0: there are none. */
static uint32_t fewest_factors(uint32_t factor[MATCHING_STAGES], uint32_t of, uint32_t most, uint32_t left)
{
    uint32_t best = 0, rest[MATCHING_STAGES];
    if (of <= most) {
        factor[0] = of;
        return 1;
    }
    for (uint32_t f = most; f >= 2 && left > 1; f--) {
        uint32_t count = of % f == 0 ? fewest_factors(rest, of / f, f, best > 0 ? best - 2 : left - 1) : 0;
        if (count == 0 || (best > 0 && count + 1 >= best))
            continue;
        best = count + 1;
        factor[0] = f;
        for (uint32_t i = 0; i < count; i++)
            factor[i + 1] = rest[i];
    }
    return best;
}

static rwa_status search_sums(struct search *s)
{
    uint32_t nodes = s->fabric.nodes;
    rwa_status st = RWA_OK;
    for (uint32_t groups = 1; groups <= nodes && st == RWA_OK; groups++) {
        struct matching_term t = {.style = MATCHING_WINDOWS};
        if (nodes % groups != 0)
            continue;
        if (groups > 1)
            t.sums = fewest_factors(t.sum, groups, s->fabric.ports + 1, MATCHING_STAGES);
        if (groups == 1 || t.sums > 0)
            st = try_windows(s, &t, nodes / groups);
    }
    return st;
}

/* ---- from a root ---- */

static rwa_status search_broadcast(struct search *s)
{
    uint32_t nodes = s->fabric.nodes;
    rwa_status st = RWA_OK;
    for (uint32_t classes = 1; classes <= nodes && st == RWA_OK; classes++)
        if (nodes % classes == 0)
            st = try_term(s, &(struct matching_term){.style = MATCHING_SPLIT, .classes = classes, .stage = {classes}, .stages = 1});
    if (s->fabric.ports > s->fabric.alike) /* several trees may join the same two nodes */
        return st;
    for (uint32_t chunks = 1; chunks <= 1024 && st == RWA_OK; chunks += 1 + chunks / 4)
        st = try_term(s, &(struct matching_term){.style = MATCHING_TREES, .chunks = chunks, .stage = {chunks}, .stages = 1});
    return st;
}

/** Up to what the root takes in on a port in all; of many nodes none, since the queues of all are long. */
static rwa_status search_flows(struct search *s)
{
    enum { FLOW_NODES = 2048 };
    uint64_t most = s->fabric.nodes <= FLOW_NODES ? ceil_div(s->fabric.nodes - 1, s->fabric.ports) : 0;
    rwa_status st = RWA_OK;
    for (uint32_t chunks = 1; chunks <= most && st == RWA_OK; chunks *= 2)
        st = try_term(s, &(struct matching_term){.style = MATCHING_FLOW, .chunks = chunks, .stage = {chunks}, .stages = 1});
    return st;
}

/* ---- all-to-all ---- */

static rwa_status try_digits(struct search *s, const uint32_t *radix, uint32_t count)
{
    struct matching_term t = {.style = MATCHING_DIGITS, .stages = count};
    for (uint32_t i = 0; i < count; i++)
        t.stage[i] = radix[i];
    return try_term(s, &t);
}

/** All pairs of radices; of three the first two from a few; more only equal. */
static rwa_status search_digits(struct search *s)
{
    uint32_t n = s->fabric.nodes, few = 2 * s->fabric.ports + 1, r[MATCHING_STAGES];
    rwa_status st = try_digits(s, &n, 1);
    few = few < 33 ? few : 33;
    for (r[0] = 2; r[0] < n && st == RWA_OK; r[0] += n > 1024 ? 1 + r[0] / 8 : 1) {
        r[1] = (uint32_t)ceil_div(n, r[0]);
        if (r[1] > 1)
            st = try_digits(s, r, 2);
        for (r[1] = 2; r[0] <= few && r[1] <= few && st == RWA_OK && (uint64_t)r[0] * r[1] < n; r[1]++) {
            r[2] = (uint32_t)ceil_div(n, (uint64_t)r[0] * r[1]);
            st = try_digits(s, r, 3);
        }
    }
    for (uint32_t base = 2; base < 16 && base < n && st == RWA_OK; base++) {
        uint32_t count = 0;
        for (uint64_t reached = 1; reached < n && count < MATCHING_STAGES; reached *= base)
            r[count++] = base;
        if (count < MATCHING_STAGES)
            st = try_digits(s, r, count);
    }
    return st;
}

/** Circles pass blocks on: only for nodes that are more than one circuit apart. */
static rwa_status try_circles(struct search *s)
{
    return s->fabric.ports + 1 < s->fabric.nodes ? try_term(s, &(struct matching_term){.style = MATCHING_CIRCLES}) : RWA_OK;
}

static rwa_status search_terms(struct search *s)
{
    struct matching_term windows = {.style = MATCHING_WINDOWS};
    switch (s->request->coll->kind) {
    case RWA_ALL_GATHER:
    case RWA_REDUCE_SCATTER:
        MUST(try_windows(s, &windows, s->fabric.nodes));
        return try_circles(s);
    case RWA_ALL_REDUCE:
        MUST(search_sums(s));
        return try_circles(s);
    case RWA_BROADCAST:
    case RWA_ROOTED_REDUCE:
        return search_broadcast(s);
    case RWA_GATHER:
    case RWA_SCATTER:
        MUST(search_flows(s));
        return try_term(s, &(struct matching_term){.style = MATCHING_TREE});
    case RWA_ALL_TO_ALL:
        MUST(search_digits(s));
        return try_circles(s);
    }
    return RWA_OK;
}

rwa_status matching_search(struct matching_found *out, const struct plan_request *request, const struct matching_term *given,
                           rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    struct search s = {.request = request, .fabric = fabric_of(request->net), .m = {.timed = true, .err = err},
                       .best = {.time_s = INFINITY}, .budget = base_budget(0, o->poll, o->poll_data), .err = err};
    rwa_status st = given ? try_term(&s, given) : search_terms(&s);
    matchings_free(&s.m);
    *out = s.best;
    return st;
}
