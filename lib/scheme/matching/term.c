/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Terms of matchings as text, which collectives they carry out, and how they are written. */
#include "scheme/matching/matchings.h"

#include <ctype.h>

static const char *const names[] = {
    [MATCHING_WINDOWS] = "windows", [MATCHING_SPLIT] = "split", [MATCHING_TREES] = "trees",
    [MATCHING_TREE] = "tree",       [MATCHING_FLOW] = "flow",   [MATCHING_DIGITS] = "digits", [MATCHING_CIRCLES] = "circles",
};
enum { STYLES = sizeof names / sizeof names[0] };

/* ---- text ---- */

static size_t print_numbers(char *text, size_t used, const char *name, const uint32_t *number, uint32_t count, uint32_t chained)
{
#define PUT(...) (used += used < TERM_TEXT ? (size_t)snprintf(text + used, TERM_TEXT - used, __VA_ARGS__) : 0)
    PUT("%s", name);
    for (uint32_t i = 0; i < count; i++)
        PUT("%s%s%u", i == 0 ? "(" : ",", chained >> i & 1 ? "chain " : "", number[i]);
    if (count > 0)
        PUT(")");
#undef PUT
    return used;
}

void matching_term_print(char text[TERM_TEXT], const struct matching_term *t)
{
    size_t used = 0;
    switch (t->style) {
    case MATCHING_SPLIT:
        print_numbers(text, 0, names[t->style], &t->classes, 1, 0);
        break;
    case MATCHING_TREES:
    case MATCHING_FLOW:
        print_numbers(text, 0, names[t->style], &t->chunks, 1, 0);
        break;
    default:
        if (t->stages > 0 || t->sums == 0)
            used = print_numbers(text, used, names[t->style], t->stage, t->stages, t->chained);
        if (t->sums > 0)
            print_numbers(text, used, used > 0 ? "+sums" : "sums", t->sum, t->sums, 0);
    }
}

/** "(2,chain 3,4)", or nothing. */
static bool read_numbers(const char **at, uint32_t number[MATCHING_STAGES], uint32_t *count, uint32_t *chained)
{
    char *end;
    *count = *chained = 0;
    if (**at != '(')
        return true;
    do {
        ++*at;
        bool chain = strncmp(*at, "chain ", 6) == 0;
        *at += chain ? 6 : 0;
        unsigned long value = isdigit((unsigned char)**at) ? strtoul(*at, &end, 10) : 0;
        if (value == 0 || value > UINT32_MAX || *count == MATCHING_STAGES)
            return false;
        *chained |= (uint32_t)chain << *count;
        number[(*count)++] = (uint32_t)value;
        *at = end;
    } while (**at == ',');
    return *(*at)++ == ')';
}

static bool read_sums(const char **at, struct matching_term *t)
{
    uint32_t chained;
    if (strncmp(*at, "sums", 4) != 0)
        return false;
    *at += 4;
    return read_numbers(at, t->sum, &t->sums, &chained) && chained == 0;
}

static bool read_term(struct matching_term *t, const char *at)
{
    for (int s = 0; s < STYLES; s++) {
        size_t length = strlen(names[s]);
        if (strncmp(at, names[s], length) != 0 || isalpha((unsigned char)at[length]))
            continue;
        at += length;
        t->style = (enum matching_style)s;
        if (!read_numbers(&at, t->stage, &t->stages, &t->chained))
            return false;
        t->classes = t->chunks = t->stage[0];
        return *at == '\0' || (*at++ == '+' && read_sums(&at, t) && *at == '\0');
    }
    return read_sums(&at, t) && *at == '\0'; /* windows of one class */
}

rwa_status matching_term_parse(struct matching_term *out, const char *text, rwa_error *err)
{
    *out = (struct matching_term){.style = MATCHING_WINDOWS};
    if (read_term(out, text))
        return RWA_OK;
    return base_fail(err, RWA_BADARG, "term \"%.100s\": expected windows(r,…), windows(r,…)+sums(r,…), sums(r,…), split(classes), "
                     "trees(chunks), tree, flow(classes), digits(r,…) or circles; \"chain r\" makes a stage of windows a chain", text);
}

/* ---- suits ---- */

/** The product, at most `most`. */
static uint64_t product(const uint32_t *number, uint32_t count, uint64_t most)
{
    uint64_t p = 1;
    for (uint32_t i = 0; i < count; i++)
        p = p * number[i] < most ? p * number[i] : most;
    return p;
}

static bool radices_fit(const uint32_t *radix, uint32_t count, uint32_t chained, uint64_t most)
{
    for (uint32_t i = 0; i < count; i++)
        if (radix[i] < 2 || (!(chained >> i & 1) && radix[i] > most))
            return false;
    return true;
}

static uint32_t sum_groups(const struct matching_term *t, uint32_t nodes)
{
    return (uint32_t)product(t->sum, t->sums, (uint64_t)nodes + 1);
}

bool matching_term_suits(const struct matching_term *t, const struct plan_request *request)
{
    struct fabric f = fabric_of(request->net);
    rwa_collective_kind kind = request->coll->kind;
    bool broadcast = kind == RWA_BROADCAST || kind == RWA_ROOTED_REDUCE; /* forwards or backwards */
    uint32_t nodes = f.nodes, groups = sum_groups(t, nodes);
    switch (t->style) {
    case MATCHING_WINDOWS:
        return (kind == RWA_ALL_REDUCE || (groups == 1 && (kind == RWA_ALL_GATHER || kind == RWA_REDUCE_SCATTER))) &&
               groups <= nodes && nodes % groups == 0 && radices_fit(t->stage, t->stages, t->chained, (uint64_t)f.ports + 1) &&
               radices_fit(t->sum, t->sums, 0, (uint64_t)f.ports + 1) && product(t->stage, t->stages, nodes) >= nodes / groups;
    case MATCHING_SPLIT:
        return broadcast && t->stages == 1 && t->classes > 0 && t->classes <= nodes && nodes % t->classes == 0;
    case MATCHING_TREES:
        return broadcast && t->stages == 1 && f.ports <= f.alike;
    case MATCHING_TREE:
        return (kind == RWA_SCATTER || kind == RWA_GATHER) && t->stages == 0;
    case MATCHING_FLOW:
        return (kind == RWA_GATHER || kind == RWA_SCATTER) && t->stages == 1;
    case MATCHING_CIRCLES:
        return (kind == RWA_ALL_TO_ALL || kind == RWA_ALL_GATHER || kind == RWA_REDUCE_SCATTER || kind == RWA_ALL_REDUCE) &&
               t->stages == 0 && t->sums == 0 && f.ports < nodes - 1;
    case MATCHING_DIGITS:
        return kind == RWA_ALL_TO_ALL && radices_fit(t->stage, t->stages, UINT32_MAX, 0) && product(t->stage, t->stages, nodes) >= nodes;
    }
    return false;
}

uint64_t matching_units(const struct matching_term *t, const rwa_collective *coll)
{
    uint64_t nodes = coll->nodes;
    switch (coll->kind) {
    case RWA_ALL_TO_ALL: return nodes * nodes;
    case RWA_ALL_REDUCE: return nodes / sum_groups(t, coll->nodes);
    case RWA_BROADCAST:
    case RWA_ROOTED_REDUCE: return t->style == MATCHING_SPLIT ? t->classes : (uint64_t)t->chunks;
    default: return nodes;
    }
}

bool matching_keeps_units(const struct matching_term *t)
{
    return t->style == MATCHING_FLOW || t->style == MATCHING_TREE || t->style == MATCHING_TREES;
}

/* ---- write ---- */

/** The sums of windows backwards, then between groups, and the windows forwards. */
static void write_windows(struct matchings *m, const struct matching_term *t, rwa_collective_kind kind, uint64_t scale)
{
    uint32_t groups = sum_groups(t, m->fabric.nodes);
    struct window_groups g = {.size = m->fabric.nodes / groups, .groups = groups, .scale = scale};
    if (kind != RWA_ALL_GATHER) {
        g.mirror = true;
        phase_windows(m, &g, t);
        if (m->status == RWA_OK)
            matchings_reverse(m, 0, RWA_REDUCE);
        g.mirror = false;
    }
    phase_sums(m, &g, t->sum, t->sums);
    if (kind != RWA_REDUCE_SCATTER)
        phase_windows(m, &g, t);
}

/** Stages that grow as fast as ports allow. */
static void spread_stages(struct matching_term *t, uint32_t size, uint32_t ports)
{
    t->stages = t->chained = 0;
    for (uint64_t have = 1; have < size && t->stages < MATCHING_STAGES; have *= (uint64_t)ports + 1)
        t->stage[t->stages++] = ports + 1;
}

/** Backwards every class is added up at its node of the first group, which then sends the sum to the root. */
static void write_split(struct matchings *m, const struct matching_term *t, const rwa_collective *coll, uint64_t scale)
{
    struct window_groups g = {.size = t->classes, .groups = m->fabric.nodes / t->classes, .scale = scale, .root = coll->root};
    struct matching_term windows = *t;
    bool backwards = coll->kind == RWA_ROOTED_REDUCE;
    spread_stages(&windows, t->classes, m->fabric.ports);
    if (!backwards)
        phase_scatter(m, &g);
    phase_copies(m, &g);
    phase_windows(m, &g, &windows);
    if (backwards && m->status == RWA_OK) {
        size_t sums = m->turns;
        matchings_reverse(m, 0, RWA_REDUCE);
        phase_scatter(m, &g);
        if (m->status == RWA_OK)
            matchings_reverse(m, sums, RWA_COPY);
    }
}

static void write_tree(struct matchings *m, const rwa_collective *coll, uint64_t scale)
{
    struct window_groups g = {.size = coll->nodes, .groups = 1, .scale = scale, .root = coll->root, .first = coll->root * scale};
    phase_scatter(m, &g);
    if (coll->kind == RWA_GATHER && m->status == RWA_OK)
        matchings_reverse(m, 0, RWA_COPY);
}

static void write_circles(struct matchings *m, rwa_collective_kind kind, uint64_t scale)
{
    if (kind == RWA_ALL_TO_ALL) {
        phase_circles(m, scale);
        return;
    }
    if (kind != RWA_ALL_GATHER) {
        phase_circles_gather(m, scale, true);
        if (m->status == RWA_OK)
            matchings_reverse(m, 0, RWA_REDUCE);
    }
    if (kind != RWA_REDUCE_SCATTER)
        phase_circles_gather(m, scale, false);
}

rwa_status matching_write(struct matchings *m, const struct matching_term *t, const struct plan_request *request, uint64_t scale)
{
    const rwa_collective *coll = request->coll;
    m->fabric = fabric_of(request->net);
    switch (t->style) {
    case MATCHING_WINDOWS:
        write_windows(m, t, coll->kind, scale);
        break;
    case MATCHING_SPLIT:
        write_split(m, t, coll, scale);
        break;
    case MATCHING_TREES:
        phase_trees(m, coll->root, t->chunks, scale);
        if (coll->kind == RWA_ROOTED_REDUCE && m->status == RWA_OK)
            matchings_reverse(m, 0, RWA_REDUCE);
        break;
    case MATCHING_TREE:
        write_tree(m, coll, scale);
        break;
    case MATCHING_FLOW:
        phase_flow(m, &(struct window_groups){.size = coll->nodes, .groups = 1, .scale = scale, .root = coll->root}, t->chunks);
        if (coll->kind == RWA_SCATTER && m->status == RWA_OK)
            matchings_reverse(m, 0, RWA_COPY);
        break;
    case MATCHING_CIRCLES:
        write_circles(m, coll->kind, scale);
        break;
    case MATCHING_DIGITS:
        phase_shift_digits(m, t->stage, t->stages, scale);
        break;
    }
    matchings_end(m);
    return m->status;
}
