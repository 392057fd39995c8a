/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which collectives a term of matchings carries out, and how it is written. */
#include "scheme/compose/matchings.h"

#define BIT(kind) (1u << RWA_##kind)
#define ALL_NEED  (BIT(ALL_GATHER) | BIT(REDUCE_SCATTER) | BIT(ALL_REDUCE))

/** The collectives that each phase can carry out as a whole, and the least and largest count of numbers in its term. */
static const struct {
    unsigned collectives;
    uint8_t least, most;
} uses[PHASES] = {
    [PHASE_WINDOWS] = {ALL_NEED, 0, TERM_NUMBERS},
    [PHASE_SUMS] = {BIT(ALL_REDUCE), 1, TERM_NUMBERS},
    [PHASE_COPIES] = {BIT(BROADCAST) | BIT(ROOTED_REDUCE), 0, 0},
    [PHASE_TREES] = {BIT(BROADCAST) | BIT(ROOTED_REDUCE), 1, 1},
    [PHASE_TREE] = {BIT(SCATTER) | BIT(GATHER), 0, 0},
    [PHASE_DIGITS] = {BIT(ALL_TO_ALL), 1, TERM_NUMBERS},
    [PHASE_CIRCLES] = {ALL_NEED | BIT(ALL_TO_ALL), 0, 0},
};

/** Return the PHASE_SUMS term of a composition, which is the outermost term or its first subterm; NULL: there is
 * none. */
static const struct term *sums_of(const struct composition *c)
{
    const struct term *t = c->node, *sub = t->subs > 0 ? &c->node[t->sub[0]] : t;
    return sub->phase == PHASE_SUMS ? sub : NULL;
}

/** Return the product of a term's numbers, but at most `most`; 1 without a term. */
static uint32_t product(const struct term *t, uint32_t most)
{
    uint32_t p = 1;
    for (uint8_t i = 0; t && i < t->numbers; i++)
        p = lesser((uint64_t)p * t->number[i], most);
    return p;
}

static bool numbers_fit(const struct term *t, uint64_t most)
{
    for (uint8_t i = 0; t && i < t->numbers; i++)
        if (t->number[i] < 2 || t->number[i] > most)
            return false;
    return true;
}

bool matching_suits(const struct composition *c, const struct plan_request *request)
{
    struct fabric f = fabric_of(request->net);
    const struct term *t = c->node, *sums = sums_of(c);
    uint32_t groups = product(sums, f.nodes + 1), most = f.ports + 1;
    bool grouped = request->coll->kind == RWA_ALL_REDUCE && t->phase == PHASE_WINDOWS && sums && sums->subs == 0;
    if (!(uses[t->phase].collectives >> request->coll->kind & 1) || t->numbers < uses[t->phase].least ||
        t->numbers > uses[t->phase].most || t->subs > grouped || c->rotated)
        return false;
    switch (t->phase) {
    case PHASE_WINDOWS:
        return groups <= f.nodes && f.nodes % groups == 0 && numbers_fit(t, most) && numbers_fit(sums, most) &&
               product(t, f.nodes) >= f.nodes / groups;
    case PHASE_SUMS: return groups == f.nodes && numbers_fit(t, most);
    case PHASE_TREES: return f.ports <= f.alike; /* several trees join the same two nodes */
    case PHASE_DIGITS: return numbers_fit(t, UINT32_MAX) && product(t, f.nodes) >= f.nodes;
    case PHASE_CIRCLES: return f.ports + 1 < f.nodes; /* they pass blocks on */
    default: return true;
    }
}

uint64_t matching_units(const struct composition *c, const struct plan_request *request)
{
    uint64_t nodes = request->coll->nodes;
    switch (request->coll->kind) {
    case RWA_ALL_TO_ALL: return nodes * nodes;
    case RWA_ALL_REDUCE: return nodes / product(sums_of(c), (uint32_t)nodes);
    case RWA_BROADCAST:
    case RWA_ROOTED_REDUCE:
        return c->node[0].phase == PHASE_TREES ? (uint64_t)c->node[0].number[0] * fabric_of(request->net).ports : 1;
    default: return nodes;
    }
}

/* ---- write ---- */

/** Write the all-gather inside groups by the phase of term `t`, circles or windows.  If the term consists only of
 * sums, nothing is written. */
static void write_gather(struct matchings *m, const struct term *t, const struct window_groups *g)
{
    if (t->phase == PHASE_CIRCLES)
        phase_circles(m, g, false);
    else if (t->phase == PHASE_WINDOWS)
        phase_windows(m, g, t);
}

/** Write an all-gather, a reduce-scatter or an all-reduce.  For a reduction the all-gather inside groups comes first,
 * reversed in time; then the sums between groups, if the composition has any; last, unless it is a reduce-scatter, the
 * all-gather. */
static void write_gathers(struct matchings *m, const struct composition *c, rwa_collective_kind kind,
                          struct window_groups g)
{
    const struct term *sums = sums_of(c);
    g.groups = product(sums, g.size);
    g.size /= g.groups;
    if (kind != RWA_ALL_GATHER) {
        g.mirror = true;
        write_gather(m, c->node, &g);
        matchings_reverse(m, 0, RWA_REDUCE);
        g.mirror = false;
    }
    if (sums)
        phase_sums(m, &g, sums);
    if (kind != RWA_REDUCE_SCATTER)
        write_gather(m, c->node, &g);
}

rwa_status matching_write(struct matchings *m, const struct composition *c, const struct plan_request *request,
                          uint64_t scale)
{
    const rwa_collective *coll = request->coll;
    struct window_groups g = {.size = coll->nodes, .groups = 1, .scale = scale, .root = coll->root};
    m->fabric = fabric_of(request->net);
    m->load = request->opts->lightpath_blocks;
    switch (coll->kind) {
    case RWA_ALL_TO_ALL:
        if (c->node[0].phase == PHASE_CIRCLES)
            phase_circles(m, &g, true);
        else
            phase_shift_digits(m, c->node, scale);
        break;
    case RWA_BROADCAST:
    case RWA_ROOTED_REDUCE:
        if (c->node[0].phase == PHASE_TREES)
            phase_trees(m, coll->root, c->node[0].number[0], scale);
        else
            phase_copies(m, &g);
        break;
    case RWA_SCATTER:
    case RWA_GATHER: phase_scatter(m, &g); break;
    default: write_gathers(m, c, coll->kind, g);
    }
    if (coll->kind == RWA_ROOTED_REDUCE || coll->kind == RWA_GATHER)
        matchings_reverse(m, 0, coll->kind == RWA_GATHER ? RWA_COPY : RWA_REDUCE);
    matchings_end(m);
    return m->status;
}
