/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * If every node needs data of every other, lightpaths must join all pairs of nodes.  A lightpath joins at most the
 * nodes whose data has reached its source with the nodes that its receivers can still inform.
 * docs/reference/bounds.md, "Steps: joining all pairs".
 */
#include "bound/demand.h"
#include "bound/graph.h"

enum { MOST_STEPS = 1024 };
static const double margin = 1e-9; /* exceeds all rounding errors */

/** How many nodes a node can inform, or get data of, in 0, 1, … steps. */
struct pair_growth {
    uint64_t partners;      /* of a node in a step */
    uint64_t readers;       /* receivers of a lightpath */
    uint64_t nodes[MOST_STEPS];
};

static void growth_start(struct pair_growth *g, const struct bound_case *c, bool against, uint64_t readers)
{
    uint64_t lightpaths = c->arcs ? 2 * (uint64_t)c->lightpaths : bound_graph_widest(c->graph, against) / c->slots;
    if (c->ports > 0 && c->ports < lightpaths)
        lightpaths = c->ports;
    g->partners = times_saturated(lightpaths, readers);
    g->readers = readers;
    g->nodes[0] = 1;
}

static void growth_step(struct pair_growth *g, const struct bound_case *c, uint32_t step)
{
    uint64_t now = g->nodes[step - 1], next = plus_saturated(now, times_saturated(now, g->partners));
    uint64_t along = times_saturated(now, times_saturated(c->lightpaths, g->readers));
    if (c->arcs) /* a gap is filled from both ends */
        along = plus_saturated(now, times_saturated(2, along < c->max_hops ? along : c->max_hops));
    if (c->arcs && along < next)
        next = along;
    g->nodes[step] = next < c->nodes ? next : c->nodes;
}

/** Return the most pairs of nodes that lightpaths on one channel of a link can join in steps `first` … `last` of
 * `steps` steps.  A lightpath joins the nodes whose data its sender can have (`heard`) with the nodes that its
 * receivers can still inform (`informed`). */
static double pairs_of_channel(const struct pair_growth *heard, const struct pair_growth *informed,
                               const struct bound_case *c, uint32_t steps, uint32_t first, uint32_t last)
{
    double sum = 0;
    for (uint32_t t = first; t <= last; t++) {
        uint64_t to = times_saturated(informed->readers, informed->nodes[steps - t]);
        sum += (double)heard->nodes[t - 1] * (double)(to < c->nodes ? to : c->nodes);
    }
    return sum;
}

/** The nodes on both sides of a cut that must be joined, and the lightpaths over the cut in a step. */
struct sides {
    uint64_t from, to, lightpaths;
};

/** Tell whether `steps` steps can join each node on one side of a cut with each node on the other, by lightpaths over
 * the cut.
 * @param heard, informed  as in pairs_of_channel() */
static bool joins_sides(const struct pair_growth *heard, const struct pair_growth *informed, const struct bound_case *c,
                        uint32_t steps, const struct sides *s)
{
    uint64_t last = times_saturated(s->lightpaths, informed->readers);
    if (steps < 2 || s->from <= s->lightpaths || s->to <= last)
        return true;
    /* in the first step a lightpath carries data of one node only, in the last it informs only its receivers: the
       other steps must join the pairs that remain */
    double between = pairs_of_channel(heard, informed, c, steps, 2, steps - 1),
           needed = (double)(s->from - s->lightpaths) * (double)(s->to - last);
    if (needed * (1 - margin) <= between * (double)s->lightpaths)
        return true;
    bound_say(c, "of %" PRIu64 " lightpaths over a cut those of the first step carry data of as many of %" PRIu64
              " nodes, and those of the last inform %" PRIu64 " of %" PRIu64 "; that leaves %" PRIu64 " x %" PRIu64
              " pairs = %.0f for %" PRIu64 " step%s, where these lightpaths join %" PRIu64 " x %.6g = %.0f",
              s->lightpaths, s->from, last, s->to, s->from - s->lightpaths, s->to - last, needed,
              (uint64_t)steps - 2, plural(steps - 2), s->lightpaths, between, between * (double)s->lightpaths);
    return false;
}

/** Split the ring or line into the half that begins at place `first` and the other half.  Tell whether in `steps` steps
 * every node of each half can get data of every node of the other.
 * @param heard, informed  as in pairs_of_channel() */
static bool joins_halves(const struct pair_growth *heard, const struct pair_growth *informed,
                         const struct bound_case *c, uint32_t steps, uint32_t first)
{
    struct demand_run half = {first, c->nodes / 2};
    if (half.count == 0)
        return true;
    struct demand_side side = demand_of_run(c, half), rest = demand_others(c->coll, &side);
    struct sides out = {demand_senders(c->coll, &side), demand_receivers(c->coll, &rest),
                        demand_width_out(c, half) / c->slots};
    struct sides in = {demand_senders(c->coll, &rest), demand_receivers(c->coll, &side),
                       demand_width_in(c, half) / c->slots};
    return joins_sides(heard, informed, c, steps, &out) && joins_sides(heard, informed, c, steps, &in);
}

/** Tell whether `steps` steps can join all pairs of nodes over each of the examined cuts of a ring or line; true on
 * other networks.
 * @param heard, informed  as in pairs_of_channel() */
static bool joins_cuts(const struct pair_growth *heard, const struct pair_growth *informed, const struct bound_case *c,
                       uint32_t steps)
{
    bool joins = !c->arcs || joins_halves(heard, informed, c, steps, 0);
    for (size_t i = 0; joins && i < c->lost_count; i++)
        joins = joins_halves(heard, informed, c, steps, (c->lost[i].link + 1) % c->nodes);
    return joins;
}

/** Write into the proof how many pairs must be joined over a cut, and how many one channel joins in `steps` steps.
 * @param l  load of the cut, in pairs */
static void say_joined(const struct pair_growth *heard, const struct pair_growth *informed, const struct bound_case *c,
                       uint32_t steps, const struct bound_load *l)
{
    enum { TERMS_MOST = 12 };
    uint64_t width = l->width / c->slots;
    bound_say(c, "%" PRIu64 " pairs of nodes must be joined over a cut of %" PRIu64 " channel%s, %.6g on each",
              l->blocks, width, plural(width), l->share * c->slots);
    if (steps > 0)
        text_append(c->proof, "; a lightpath joins the nodes its sender has heard from with those its receiver%s can "
                    "still inform: in %u step%s at most ", plural(c->drops), steps, plural(steps));
    for (uint32_t t = 1; t <= steps && t <= TERMS_MOST; t++)
        text_append(c->proof, "%s%" PRIu64 " x %.0f", t > 1 ? " + " : "", heard->nodes[t - 1],
                    pairs_of_channel(heard, informed, c, steps, t, t) / (double)heard->nodes[t - 1]);
    if (steps > 0)
        text_append(c->proof, "%s = %.6g, too few", steps > TERMS_MOST ? " + ..." : "",
                    pairs_of_channel(heard, informed, c, steps, 1, steps));
}

rwa_status pairs_steps(uint64_t *steps, const struct bound_case *c, rwa_error *err)
{
    struct pair_growth heard, informed;
    struct bound_load l = {0};
    *steps = 0;
    if (!demand_joins_all(c->coll) || !(c->arcs || c->graph))
        return RWA_OK;
    rwa_status st = cut_load(&l, c, CUT_PAIRS, err);
    double pairs = l.share * c->slots; /* pairs that the fullest channel must join */
    growth_start(&heard, c, true, 1);
    growth_start(&informed, c, false, c->taps && c->drops == 1 ? c->nodes : c->drops);
    uint32_t most = 1;
    while (st == RWA_OK && most < MOST_STEPS && pairs > 0 &&
           (pairs_of_channel(&heard, &informed, c, most, 1, most) < pairs * (1 - margin) ||
            !joins_cuts(&heard, &informed, c, most))) {
        growth_step(&heard, c, most);
        growth_step(&informed, c, most);
        most++;
    }
    *steps = pairs > 0 ? most : 0;
    if (pairs_of_channel(&heard, &informed, c, most - 1, 1, most - 1) < pairs * (1 - margin))
        say_joined(&heard, &informed, c, most - 1, &l); /* else the halves have the proof */
    assert(*steps <= MOST_STEPS);
    return st;
}

static rwa_status compute(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    return pairs_steps(&b->value, c, err);
}

const struct bound_entry bound_pairs = {
    "pairs", "steps",
    "every node needs data of every other, but few nodes have heard of many in the first steps, and few can still be "
    "informed of much in the last: the lightpaths over a cut must join all pairs of nodes on its two sides",
    "docs/reference/bounds.md: this work",
    .compute = compute, .sides = 1 + CUT_PAIRS};
