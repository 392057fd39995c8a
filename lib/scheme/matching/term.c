/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Terms of matchings as text, which collectives they carry out, and how they are written. */
#include "scheme/matching/matchings.h"

#include <ctype.h>

#define BIT(kind) (1u << RWA_##kind)
#define ALL_NEED  (BIT(ALL_GATHER) | BIT(REDUCE_SCATTER) | BIT(ALL_REDUCE))

/** What a style is called and carries out, and how many numbers follow. */
static const struct style {
    const char *name;
    unsigned collectives;
    uint32_t least, most;
} styles[] = {
    [MATCHING_WINDOWS] = {"windows", ALL_NEED, 0, MATCHING_STAGES},
    [MATCHING_SPLIT] = {"split", BIT(BROADCAST) | BIT(ROOTED_REDUCE), 1, 1},
    [MATCHING_TREES] = {"trees", BIT(BROADCAST) | BIT(ROOTED_REDUCE), 1, 1},
    [MATCHING_TREE] = {"tree", BIT(SCATTER) | BIT(GATHER), 0, 0},
    [MATCHING_DIGITS] = {"digits", BIT(ALL_TO_ALL), 1, MATCHING_STAGES},
    [MATCHING_CIRCLES] = {"circles", ALL_NEED | BIT(ALL_TO_ALL), 0, 0},
};
enum { STYLES = sizeof styles / sizeof styles[0] };

/* ---- text ---- */

static size_t print_numbers(char *text, size_t used, const char *name, const struct radices *r)
{
#define PUT(...) (used += used < TERM_TEXT ? (size_t)snprintf(text + used, TERM_TEXT - used, __VA_ARGS__) : 0)
    PUT("%s", name);
    for (uint32_t i = 0; i < r->count; i++)
        PUT("%s%u", i == 0 ? "(" : ",", r->number[i]);
    if (r->count > 0)
        PUT(")");
#undef PUT
    return used;
}

void matching_term_print(char text[TERM_TEXT], const struct matching_term *t)
{
    size_t used = 0;
    if (t->stage.count > 0 || t->sum.count == 0)
        used = print_numbers(text, 0, styles[t->style].name, &t->stage);
    if (t->sum.count > 0)
        print_numbers(text, used, used > 0 ? "+sums" : "sums", &t->sum);
}

/** "(2,3,4)", or nothing. */
static bool read_numbers(const char **at, struct radices *r)
{
    char *end;
    if (**at != '(')
        return true;
    do {
        ++*at;
        unsigned long value = isdigit((unsigned char)**at) ? strtoul(*at, &end, 10) : 0;
        if (value == 0 || value > UINT32_MAX || r->count == MATCHING_STAGES)
            return false;
        r->number[r->count++] = (uint32_t)value;
        *at = end;
    } while (**at == ',');
    return *(*at)++ == ')';
}

/** Whether the next word is this one; then it is read. */
static bool read_word(const char **at, const char *word)
{
    size_t length = strlen(word);
    bool is = strncmp(*at, word, length) == 0 && !isalpha((unsigned char)(*at)[length]);
    *at += is ? length : 0;
    return is;
}

/** A style and its numbers, or sums, which are windows of one class, or both. */
static bool read_term(struct matching_term *t, const char *at)
{
    bool sums = read_word(&at, "sums");
    for (int s = 0; s < STYLES && !sums; s++) {
        if (!read_word(&at, styles[s].name))
            continue;
        t->style = (enum matching_style)s;
        if (!read_numbers(&at, &t->stage))
            return false;
        if (*at == '\0')
            return true;
        sums = *at++ == '+' && read_word(&at, "sums");
        break;
    }
    return sums && read_numbers(&at, &t->sum) && *at == '\0';
}

/** Flows were trees, and chains circles, over circuits that stay. */
rwa_status matching_term_parse(struct matching_term *out, const char *text, rwa_error *err)
{
    bool flow = strncmp(text, "flow(", 5) == 0, chain = strstr(text, "(chain ") || strstr(text, ",chain ");
    *out = (struct matching_term){.style = MATCHING_WINDOWS};
    if (read_term(out, flow ? "tree" : chain ? "circles" : text))
        return RWA_OK;
    return base_fail(err, RWA_BADARG,
                     "term \"%.100s\": expected windows(r,…), windows(r,…)+sums(r,…), sums(r,…), split(classes), "
                     "trees(chunks), tree, digits(r,…) or circles",
                     text);
}

/* ---- suits ---- */

/** The product, at most `most`. */
static uint32_t product(const struct radices *r, uint32_t most)
{
    uint32_t p = 1;
    for (uint32_t i = 0; i < r->count; i++)
        p = lesser((uint64_t)p * r->number[i], most);
    return p;
}

static bool radices_fit(const struct radices *r, uint64_t most)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->number[i] < 2 || r->number[i] > most)
            return false;
    return true;
}

bool matching_term_suits(const struct matching_term *t, const struct plan_request *request)
{
    struct fabric f = fabric_of(request->net);
    const struct style *style = &styles[t->style];
    rwa_collective_kind kind = request->coll->kind;
    uint32_t groups = product(&t->sum, f.nodes + 1), most = f.ports + 1;
    if (!(style->collectives >> kind & 1) || t->stage.count < style->least || t->stage.count > style->most)
        return false;
    switch (t->style) {
    case MATCHING_WINDOWS:
        return (kind == RWA_ALL_REDUCE || groups == 1) && groups <= f.nodes && f.nodes % groups == 0 &&
               radices_fit(&t->stage, most) && radices_fit(&t->sum, most) &&
               product(&t->stage, f.nodes) >= f.nodes / groups;
    case MATCHING_TREES: return f.ports <= f.alike;
    case MATCHING_SPLIT:
    case MATCHING_TREE: return true;
    case MATCHING_DIGITS: return radices_fit(&t->stage, UINT32_MAX) && product(&t->stage, f.nodes) >= f.nodes;
    case MATCHING_CIRCLES: return f.ports + 1 < f.nodes && groups == 1;
    }
    return false;
}

uint64_t matching_units(const struct matching_term *t, const struct plan_request *request)
{
    uint64_t nodes = request->coll->nodes;
    switch (request->coll->kind) {
    case RWA_ALL_TO_ALL: return nodes * nodes;
    case RWA_ALL_REDUCE: return nodes / product(&t->sum, (uint32_t)nodes);
    case RWA_BROADCAST:
    case RWA_ROOTED_REDUCE:
        if (t->style == MATCHING_TREES)
            return (uint64_t)t->stage.number[0] * fabric_of(request->net).ports;
        return t->stage.number[0] > 1 ? nodes : 1;
    default: return nodes;
    }
}

/* ---- write ---- */

static void write_gather(struct matchings *m, const struct matching_term *t, const struct window_groups *g)
{
    if (t->style == MATCHING_CIRCLES)
        phase_circles(m, g, false);
    else
        phase_windows(m, g, &t->stage);
}

/** All-gathers backwards, then sums between groups, then all-gathers forwards: one of these, or all for an all-reduce.
 */
static void write_gathers(struct matchings *m, const struct matching_term *t, rwa_collective_kind kind,
                          struct window_groups g)
{
    g.groups = product(&t->sum, g.size);
    g.size /= g.groups;
    if (kind != RWA_ALL_GATHER) {
        g.mirror = true;
        write_gather(m, t, &g);
        matchings_reverse(m, 0, RWA_REDUCE);
        g.mirror = false;
    }
    phase_sums(m, &g, &t->sum);
    if (kind != RWA_REDUCE_SCATTER)
        write_gather(m, t, &g);
}

struct radices matching_stages(uint32_t size, uint32_t ports)
{
    struct radices r = {0};
    for (uint64_t have = 1; have < size && r.count < MATCHING_STAGES; have *= (uint64_t)ports + 1)
        r.number[r.count++] = ports + 1;
    return r;
}

/** A scatter and an all-gather.  Backwards every class is added up at its node, which then sends the sum to the root.
 */
static void write_split(struct matchings *m, const struct window_groups *g, bool backwards)
{
    struct radices windows = matching_stages(g->size, m->fabric.ports);
    size_t sums;
    if (!backwards)
        phase_scatter(m, g);
    phase_windows(m, g, &windows);
    if (!backwards)
        return;
    matchings_reverse(m, 0, RWA_REDUCE);
    sums = m->turns;
    phase_scatter(m, g);
    matchings_reverse(m, sums, RWA_COPY);
}

rwa_status matching_write(struct matchings *m, const struct matching_term *t, const struct plan_request *request,
                          uint64_t scale)
{
    const rwa_collective *coll = request->coll;
    struct window_groups g = {.size = coll->nodes, .groups = 1, .scale = scale, .root = coll->root};
    bool backwards = coll->kind == RWA_ROOTED_REDUCE;
    m->fabric = fabric_of(request->net);
    m->load = request->opts->lightpath_blocks;
    switch (t->style) {
    case MATCHING_WINDOWS:
    case MATCHING_CIRCLES:
        g.root = 0;
        if (coll->kind == RWA_ALL_TO_ALL)
            phase_circles(m, &g, true);
        else
            write_gathers(m, t, coll->kind, g);
        break;
    case MATCHING_SPLIT:
    case MATCHING_TREES:
        if (t->style == MATCHING_SPLIT && t->stage.number[0] > 1) {
            write_split(m, &g, backwards);
            break;
        }
        if (t->style == MATCHING_TREES)
            phase_trees(m, coll->root, t->stage.number[0], scale);
        else
            phase_copies(m, &g);
        if (backwards)
            matchings_reverse(m, 0, RWA_REDUCE);
        break;
    case MATCHING_TREE:
        g.first = coll->root * scale;
        phase_scatter(m, &g);
        if (coll->kind == RWA_GATHER)
            matchings_reverse(m, 0, RWA_COPY);
        break;
    case MATCHING_DIGITS: phase_shift_digits(m, &t->stage, scale); break;
    }
    matchings_end(m);
    return m->status;
}
