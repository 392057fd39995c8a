/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The least time in the models `overlap` and `circuit` of any schedule on very small networks, found by trying all of them, against the
 * bound on time.  A step may leave channels idle, since a lightpath more may delay it: so the search tries every set of lightpaths, not
 * only those to which none can be added.  In the model `circuit` a lightpath may carry what its receiver holds, to stay up.  A reduce has
 * one block: bit v of what a node holds is the contribution of node v, and a lightpath brings all that its source has added up.
 */
#include "rwa/bound.h"
#include "rwa/cost.h"

#include "base/base.h"

#include "tests/support/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool thorough;

enum { NODES = 5, OPTIONS = 512, DEPTH = 8, PLACES = 64 };

/** A lightpath that may be set up: one bit for each channel of a link that it takes. */
struct option {
    rwa_lightpath lp;
    uint64_t places;
    unsigned blocks;    /* a set */
};

struct move {
    const struct option *list[PLACES];
    unsigned count;
};

struct search {
    const rwa_network *net;
    rwa_collective coll;
    rwa_cost_options cost;
    bool star;
    double block_s;         /* one block on a lightpath; merged blocks take as many times that */
    double best;
    uint64_t schedules;
};

/** The state so far. */
struct state {
    unsigned holds[NODES];  /* sets of blocks */
    double used[PLACES];    /* the end of the last step that used the place */
    struct option before[PLACES];   /* the lightpaths of the step before */
    unsigned before_count, steps;
    double end;
};

static bool is_demanded(const rwa_collective *c, unsigned node, unsigned block)
{
    switch (c->kind) {
    case RWA_SCATTER:
        return rwa_collective_owner(c, block) == node;
    case RWA_GATHER:
        return node == c->root;
    default:
        return true;
    }
}

static bool sums(const struct search *s)
{
    return s->coll.kind == RWA_ROOTED_REDUCE;
}

static bool is_complete(const struct search *s, const struct state *now)
{
    if (sums(s))
        return now->holds[s->coll.root] == (1u << s->coll.nodes) - 1;
    for (unsigned v = 0; v < s->coll.nodes; v++)
        for (unsigned b = 0; b < s->coll.blocks; b++)
            if (is_demanded(&s->coll, v, b) && !(now->holds[v] >> b & 1))
                return false;
    return true;
}

/** On a star a channel is one place; else the links of the arc, on this channel and in this direction. */
static uint64_t places_of(const struct search *s, const rwa_lightpath *lp, unsigned hops)
{
    unsigned nodes = s->coll.nodes;
    uint64_t places = 0;
    if (s->star)
        return UINT64_C(1) << lp->wavelength;
    for (unsigned h = 0; h < hops; h++) {
        unsigned link = lp->direction == RWA_CW ? (lp->src + h) % nodes : (lp->src + nodes - 1 - h) % nodes;
        places |= UINT64_C(1) << ((lp->wavelength * 2 + (lp->direction == RWA_CCW)) * nodes + link);
    }
    return places;
}

/** Every block alone that the receiver lacks, and all of them together. */
static void add_options(struct option *list, unsigned *count, const struct search *s, const struct state *now, rwa_lightpath lp,
                        unsigned hops)
{
    unsigned useful = now->holds[lp.src] & ~(s->cost.model == RWA_COST_CIRCUIT ? 0 : now->holds[lp.dst]);
    for (unsigned b = sums(s) ? 1 : 0; b <= s->coll.blocks; b++) {
        unsigned blocks = b < s->coll.blocks ? useful & 1u << b : useful;
        if (blocks == 0 || (b == s->coll.blocks && !sums(s) && (useful & (useful - 1)) == 0))
            continue;
        CU_ASSERT_FATAL(*count < OPTIONS);
        lp.block = b < s->coll.blocks ? b : 0;
        list[(*count)++] = (struct option){lp, places_of(s, &lp, hops), blocks};
    }
}

static unsigned find_options(struct option *list, const struct search *s, const struct state *now)
{
    unsigned count = 0, nodes = s->coll.nodes;
    for (unsigned w = 0; w < rwa_network_wavelengths(s->net); w++)
        for (unsigned src = 0; src < nodes; src++)
            for (unsigned dst = 0; dst < nodes; dst++)
                for (int back = 0; back < (s->star ? 1 : 2); back++) {
                    rwa_lightpath lp = {.src = src, .dst = dst, .wavelength = w, .orbit = 1, .direction = back ? RWA_CCW : RWA_CW};
                    unsigned hops = s->star ? src != dst : rwa_network_hops(s->net, src, dst, lp.direction);
                    if (hops > 0)
                        add_options(list, &count, s, now, lp, hops);
                }
    return count;
}

/** Two lightpaths of a step take different places; listeners of one transmission share its channel. */
static bool meet(const struct search *s, const struct option *a, const struct option *b)
{
    bool one_sender = s->star && a->lp.src == b->lp.src && a->lp.dst != b->lp.dst && a->blocks == b->blocks;
    return (a->places & b->places) != 0 && !one_sender;
}

static bool is_kept(const struct state *now, const struct option *o)
{
    for (unsigned i = 0; i < now->before_count; i++) {
        const rwa_lightpath *b = &now->before[i].lp;
        if (b->src == o->lp.src && b->dst == o->lp.dst && b->wavelength == o->lp.wavelength && b->direction == o->lp.direction)
            return true;
    }
    return false;
}

static unsigned number_in(unsigned set)
{
    return set == 0 ? 0 : 1 + number_in(set & (set - 1));
}

/** The step may start when channels that change are tuned: since their last use, or in the model `circuit` since the step before. */
static double tuned(const struct search *s, const struct state *now, const struct option *o)
{
    double start = s->cost.model == RWA_COST_CIRCUIT ? now->end + s->cost.alpha_s + s->cost.reconfig_s : 0;
    for (unsigned p = 0; p < PLACES; p++)
        if (o->places >> p & 1)
            start = fmax(start, now->used[p] + s->cost.reconfig_s);
    return start;
}

static void take_step(struct state *next, const struct search *s, const struct state *now, const struct move *m)
{
    double start = now->end + s->cost.alpha_s;
    unsigned most = 0;
    *next = *now;
    for (unsigned i = 0; i < m->count; i++) {
        const struct option *o = m->list[i];
        start = is_kept(now, o) ? start : fmax(start, tuned(s, now, o));
        unsigned length = sums(s) ? 1 : number_in(o->blocks);
        most = length > most ? length : most;
        next->holds[o->lp.dst] |= o->blocks;
        next->before[i] = *o;
    }
    next->before_count = m->count;
    next->steps++;
    next->end = start + most * s->block_s;
    for (unsigned i = 0; i < m->count; i++)
        for (unsigned p = 0; p < PLACES; p++)
            if (m->list[i]->places >> p & 1)
                next->used[p] = next->end;
}

static void try_all(struct search *s, const struct state *now);

/** Every set of the options from `from` on, beside those of the move. */
static void choose(struct search *s, const struct state *now, const struct option *list, unsigned count, unsigned from, struct move *m)
{
    struct state next;
    if (m->count > 0) {
        take_step(&next, s, now, m);
        if (next.end >= s->best)
            return; /* more lightpaths end no sooner */
        try_all(s, &next);
    }
    for (; from < count; from++) {
        bool fits = m->count < PLACES;
        for (unsigned i = 0; fits && i < m->count; i++)
            fits = !meet(s, m->list[i], &list[from]);
        if (!fits)
            continue;
        m->list[m->count++] = &list[from];
        choose(s, now, list, count, from + 1, m);
        m->count--;
    }
}

static void try_all(struct search *s, const struct state *now)
{
    struct option list[OPTIONS];
    struct move m = {.count = 0};
    s->schedules++;
    if (is_complete(s, now)) {
        s->best = now->end;
        return;
    }
    if (now->steps < DEPTH && now->end + s->cost.alpha_s + s->block_s < s->best)
        choose(s, now, list, find_options(list, s, now), 0, &m);
}

static double least_time(const rwa_network *net, const rwa_collective *coll, const rwa_cost_options *cost)
{
    rwa_cost_prices floor;
    CU_ASSERT_EQUAL_FATAL(rwa_cost_floor(&floor, rwa_network_rate_bps(net), cost, NULL), RWA_OK);
    struct search s = {.net = net, .coll = *coll, .cost = *cost, .star = rwa_network_topology(net) == RWA_STAR, .best = INFINITY};
    struct state start = {.steps = 0};
    s.block_s = floor.byte_s * (double)coll->block_bytes;
    for (unsigned v = 0; v < coll->nodes; v++)
        for (unsigned b = 0; b < coll->blocks; b++)
            if (coll->kind == RWA_SCATTER ? v == coll->root : rwa_collective_owner(coll, b) == v)
                start.holds[v] |= 1u << b;
    for (unsigned v = 0; v < coll->nodes && sums(&s); v++)
        start.holds[v] = 1u << v;
    try_all(&s, &start);
    return s.best;
}

static unsigned tested, reached;

static void play(rwa_cost_model model, const char *spec, unsigned wavelengths, rwa_collective_kind kind, unsigned root, uint64_t blocks)
{
    static const double times[][2] = {{1e-6, 25e-6}, {0, 25e-6}, {2e-6, 1e-6}, {1e-7, 1e-6}};
    static const uint64_t messages[] = {128, 128000}; /* whole packets */
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.wavelengths = wavelengths;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &o, NULL), RWA_OK);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        for (size_t k = 0; k < sizeof messages / sizeof messages[0]; k++) {
            rwa_collective coll;
            rwa_cost_options cost;
            rwa_cost_prices floor;
            double bound = 0;
            rwa_cost_options_init(&cost);
            cost.model = model;
            cost.alpha_s = times[i][0];
            cost.reconfig_s = times[i][1];
            CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), root, messages[k], blocks, NULL), RWA_OK);
            double least = least_time(net, &coll, &cost);
            CU_ASSERT_EQUAL_FATAL(rwa_cost_floor(&floor, rwa_network_rate_bps(net), &cost, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(rwa_bound_time(&bound, net, &coll, &floor, NULL, NULL), RWA_OK);
            CU_ASSERT(bound <= least * (1 + 1e-9));
            if (bound > least * (1 + 1e-9) || getenv("RWA_TEST_VERBOSE"))
                printf("%s: %s of %u blocks on %s, %u wavelengths, alpha %g, reconfiguration %g, %u bytes: bound %g, "
                       "least %g\n",
                       rwa_cost_model_name(model), rwa_collective_name(kind), (unsigned)coll.blocks, spec, wavelengths, cost.alpha_s,
                       cost.reconfig_s, (unsigned)messages[k], bound, least);
            tested++;
            reached += least <= bound * (1 + 1e-9);
        }
    rwa_network_free(net);
}

static void no_schedule_beats_the_bound(void)
{
    static const char *small[] = {"ring:3", "line:3", "star:3"}, *large[] = {"ring:4", "ring:5", "line:4", "line:5", "star:4", "star:5"};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        for (unsigned root = 0; root < 2; root++)
            for (unsigned w = 1; w <= 2; w++)
                play(RWA_COST_OVERLAP, large[i], w, RWA_BROADCAST, root, 1);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        for (unsigned w = 1; w <= 2; w++)
            for (unsigned root = 0; root < 2; root++) {
                play(RWA_COST_OVERLAP, small[i], w, RWA_BROADCAST, root, 1);
                play(RWA_COST_OVERLAP, small[i], w, RWA_SCATTER, root, 0);
                play(RWA_COST_OVERLAP, small[i], w, RWA_GATHER, root, 0);
                play(RWA_COST_OVERLAP, small[i], w, RWA_ROOTED_REDUCE, root, 1);
            }
    play(RWA_COST_OVERLAP, "ring:4", 1, RWA_ROOTED_REDUCE, 0, 1);
    play(RWA_COST_OVERLAP, "star:4", 2, RWA_ROOTED_REDUCE, 0, 1);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        for (unsigned w = 1; w <= 2; w++)
            play(RWA_COST_OVERLAP, small[i], w, RWA_ALL_GATHER, 0, 0);
    play(RWA_COST_OVERLAP, "star:4", 1, RWA_ALL_GATHER, 0, 0);
    play(RWA_COST_OVERLAP, "star:4", 2, RWA_GATHER, 0, 0);
    play(RWA_COST_OVERLAP, "ring:4", 1, RWA_GATHER, 0, 0);
    printf("%u of %u bounds are reached ... ", reached, tested);
    CU_ASSERT(reached > tested / 4); /* or the bound says little */
}

/** From a root every node beyond its reach costs a setting more. */
static void no_schedule_saves_a_setting(void)
{
    static const char *const nets[] = {"ring:3", "line:3", "line:4"};
    tested = reached = 0;
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++)
        for (unsigned root = 0; root < 2; root++)
            play(RWA_COST_CIRCUIT, nets[i], 1, RWA_BROADCAST, root, 1);
    for (size_t i = 0; i < 2; i++)
        play(RWA_COST_CIRCUIT, nets[i], 1, RWA_ROOTED_REDUCE, 1, 1);
    for (unsigned root = 0; root < (thorough ? 2u : 1u); root++)
        play(RWA_COST_CIRCUIT, "line:3", 1, RWA_SCATTER, root, 0);
    printf("%u of %u bounds are reached ... ", reached, tested);
    CU_ASSERT(reached > tested / 4);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(no_schedule_beats_the_bound), TEST(no_schedule_saves_a_setting), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("bounds of overlap and circuit", tests);
}
