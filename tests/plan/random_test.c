/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Random networks of every kind, collectives, limits and schemes: what comes back is a schedule that passes the
 * checker and the plain judge written here, or a reason in words why there is none.  Random demands on random graphs likewise.
 * Usage: random_test [CASES]
 */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 24, BLOCKS = NODES * NODES, CHANNELS = 16, LIT = 200000 };

static uint64_t seed = 5;
static int cases = 600;

static uint64_t any(uint64_t below)
{
    return base_random_below(&seed, below);
}

/* ---- the second judge: one lightpath after the other over plain lists, no bits, no orbits ---- */

/** What lights a channel of a hop in this step. */
struct lit {
    uint32_t from, to, fiber, wavelength;
    uint32_t src;
    uint64_t block;
};

struct judge {
    const rwa_network *net;
    const rwa_collective *coll;
    rwa_network_kind kind;
    uint32_t nodes, step;
    size_t lit_count;
    uint32_t sent[NODES], received[NODES];
    struct lit lit[LIT];
    /* holds[v][b][c]: how often node v counts what c gave to block b; without reductions c = 0 alone matters */
    uint32_t holds[NODES][BLOCKS][NODES], before[NODES][BLOCKS][NODES];
    char fault[160];
};

static bool sums(const rwa_collective *coll)
{
    return coll->kind == RWA_ALL_REDUCE || coll->kind == RWA_REDUCE_SCATTER;
}

static void blame(struct judge *j, const char *what, const rwa_lightpath *lp)
{
    if (!j->fault[0])
        snprintf(j->fault, sizeof j->fault, "%s: step %u, %u to %u, fibre %u, wavelength %u, block %llu", what, lp->step, lp->src,
                 lp->dst, lp->fiber, lp->wavelength, (unsigned long long)lp->block);
}

static uint32_t owner(const rwa_collective *coll, uint64_t block)
{
    if (coll->kind == RWA_BROADCAST || coll->kind == RWA_SCATTER)
        return coll->root;
    return coll->kind == RWA_ALL_TO_ALL ? (uint32_t)(block / coll->nodes) : (uint32_t)(block * coll->nodes / coll->blocks);
}

static bool wanted(const rwa_collective *coll, uint32_t node, uint64_t block)
{
    switch (coll->kind) {
    case RWA_GATHER:
        return node == coll->root;
    case RWA_SCATTER:
    case RWA_REDUCE_SCATTER:
        return node == block * coll->nodes / coll->blocks;
    case RWA_ALL_TO_ALL:
        return node == block % coll->nodes;
    default:
        return true;
    }
}

static void begin(struct judge *j, const rwa_schedule *sched)
{
    memset(j, 0, sizeof *j);
    j->net = rwa_schedule_network(sched);
    j->coll = rwa_schedule_collective(sched);
    j->kind = rwa_network_get_kind(j->net);
    j->nodes = rwa_network_nodes(j->net);
    for (uint32_t v = 0; v < j->nodes; v++)
        for (uint64_t b = 0; b < j->coll->blocks; b++)
            if (sums(j->coll))
                j->holds[v][b][v] = 1;
            else
                j->holds[v][b][0] = owner(j->coll, b) == v;
}

static void next_step(struct judge *j, uint32_t step)
{
    j->step = step;
    j->lit_count = 0;
    memset(j->sent, 0, sizeof j->sent);
    memset(j->received, 0, sizeof j->received);
    memcpy(j->before, j->holds, sizeof j->before);
}

/** One hop.  On a star a wavelength is one channel for all, which one node sends one block on. */
static void light(struct judge *j, const rwa_lightpath *lp, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < j->lit_count; i++) {
        const struct lit *l = &j->lit[i];
        bool same = l->fiber == lp->fiber && l->wavelength == lp->wavelength;
        if (j->kind == RWA_STAR) {
            if (same && (l->src != lp->src || l->block != lp->block))
                blame(j, "two senders on a wavelength", lp);
        } else if (j->kind == RWA_OCS) {
            if (l->fiber == lp->fiber && ((l->from == from) != (l->to == to)))
                blame(j, "a switch joins a node to two", lp);
            if (same && l->from == from && l->to == to)
                blame(j, "clash", lp);
        } else if (same && l->from == from && l->to == to) {
            blame(j, "clash", lp);
        }
    }
    if (j->lit_count < LIT)
        j->lit[j->lit_count++] = (struct lit){from, to, lp->fiber, lp->wavelength, lp->src, lp->block};
}

/** The number of the directed link, and whether it may be used; ring and line by arithmetic. */
static void cross(struct judge *j, const rwa_lightpath *lp, uint32_t from, uint32_t to)
{
    uint32_t link = rwa_network_find_link(j->net, from, to);
    if (j->kind == RWA_RING || j->kind == RWA_LINE)
        link = lp->direction == RWA_CW ? from : rwa_network_links(j->net) + to;
    if (link == RWA_NO_LINK && j->kind != RWA_STAR && j->kind != RWA_RON && j->kind != RWA_OCS)
        blame(j, "no such link", lp);
    else if (link != RWA_NO_LINK && rwa_network_is_failed(j->net, link))
        blame(j, "a failed link", lp);
    light(j, lp, from, to);
}

static void walk(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists)
{
    uint32_t at = lp->src, hops = 0;
    if (rwa_network_is_closed(j->net, lp->fiber * rwa_network_wavelengths(j->net) + lp->wavelength))
        blame(j, "a reserved channel", lp);
    if (j->kind == RWA_RING || j->kind == RWA_LINE) {
        while (at != lp->dst && hops++ < j->nodes) {
            bool up = lp->direction == RWA_CW;
            if (j->kind == RWA_LINE && at == (up ? j->nodes - 1 : 0))
                break;
            uint32_t next = (at + (up ? 1 : j->nodes - 1)) % j->nodes;
            cross(j, lp, at, next);
            at = next;
        }
    } else if (lists->path_nodes == 0) {
        cross(j, lp, lp->src, lp->dst);
        at = lp->dst;
    } else {
        for (uint32_t i = 0; i + 1 < lists->path_nodes; i++)
            cross(j, lp, lists->path[i], at = lists->path[i + 1]);
        if (lists->path[0] != lp->src)
            blame(j, "begins elsewhere", lp);
    }
    if (at != lp->dst || lp->src == lp->dst)
        blame(j, "ends elsewhere", lp);
}

static void deliver(struct judge *j, const rwa_lightpath *lp, uint64_t block, uint32_t to)
{
    j->received[to]++;
    for (uint32_t c = 0; c < (sums(j->coll) ? j->nodes : 1); c++) {
        uint32_t arrives = j->before[lp->src][block][c];
        if (!sums(j->coll) && arrives == 0)
            blame(j, "sends what it does not hold", lp);
        j->holds[to][block][c] = lp->op == RWA_REDUCE ? j->holds[to][block][c] + arrives : arrives;
    }
}

static void see(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists)
{
    uint32_t ports = rwa_network_ports(j->net);
    if (lp->step != j->step)
        next_step(j, lp->step);
    walk(j, lp, lists);
    j->sent[lp->src]++;
    for (uint32_t b = 0; b < (lists->block_count ? lists->block_count : 1); b++) {
        uint64_t block = lists->block_count ? lists->blocks[b] : lp->block;
        deliver(j, lp, block, lp->dst);
        for (uint32_t t = 0; t < lists->tap_count; t++)
            deliver(j, lp, block, lists->taps[t]);
    }
    /* Several blocks on one lightpath, several lightpaths in one circuit, and one transmission that several hear on a star are
       the checker's alone to count. */
    bool counted = ports > 0 && lists->block_count <= 1 && j->kind != RWA_STAR && j->kind != RWA_OCS;
    if (counted && (j->sent[lp->src] > ports || j->received[lp->dst] > ports))
        blame(j, "more than its ports", lp);
}

static void end(struct judge *j)
{
    for (uint32_t v = 0; v < j->nodes; v++)
        for (uint64_t b = 0; b < j->coll->blocks; b++)
            for (uint32_t c = 0; wanted(j->coll, v, b) && c < (sums(j->coll) ? j->nodes : 1); c++)
                if ((sums(j->coll) ? j->holds[v][b][c] != 1 : j->holds[v][b][c] == 0) && !j->fault[0])
                    snprintf(j->fault, sizeof j->fault, "node %u lacks block %llu of %u, or counts it twice", v,
                             (unsigned long long)b, c);
}

/** NULL, or what is wrong in words. */
static const char *second_opinion(const rwa_schedule *sched)
{
    static struct judge j;
    rwa_schedule *all = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&all, sched, NULL), RWA_OK);
    begin(&j, all);
    for (uint64_t i = 0; i < rwa_schedule_records(all); i++) {
        rwa_lightpath lp;
        rwa_lists lists;
        rwa_schedule_get(all, i, &lp);
        rwa_schedule_lists(all, i, &lists);
        see(&j, &lp, &lists);
    }
    end(&j);
    /* The network and the collective belong to the schedule. */
    rwa_schedule_free(all);
    return j.fault[0] ? j.fault : NULL;
}

/* ---- random settings ---- */

static rwa_status random_graph(rwa_network **out, const rwa_network_options *opts)
{
    rwa_link links[3 * NODES];
    rwa_network_options o = *opts;
    uint32_t nodes = 3 + (uint32_t)any(8);
    size_t count = 0;
    for (uint32_t v = 1; v < nodes; v++)
        links[count++] = (rwa_link){(uint32_t)any(v), v, 0, (uint32_t)any(3)};
    for (uint64_t more = any(nodes); more > 0; more--) {
        uint32_t a = (uint32_t)any(nodes), b = (uint32_t)any(nodes);
        if (a != b)
            links[count++] = (rwa_link){a, b, 1, 0};
    }
    o.both_ways = 1;
    return rwa_network_create_graph(out, nodes, links, count, &o, NULL);
}

static rwa_network *random_network(void)
{
    char spec[64];
    rwa_network *net = NULL;
    rwa_network_options o;
    unsigned a = 2 + (unsigned)any(3), b = 2 + (unsigned)any(4);
    rwa_network_options_init(&o);
    o.fibers = 1 + (uint32_t)any(2);
    o.wavelengths = 1 + (uint32_t)any(CHANNELS / 2);
    o.ports = any(3) ? 0 : 1 + (uint32_t)any(4);
    switch (any(12)) {
    case 0: snprintf(spec, sizeof spec, "line:%u", a * b); break;
    case 1: snprintf(spec, sizeof spec, "torus:%ux%u", a, b); break;
    case 2: snprintf(spec, sizeof spec, "mesh:%ux%u", a, b); break;
    case 3: snprintf(spec, sizeof spec, "hypercube:%u", a); break;
    case 4: snprintf(spec, sizeof spec, "tree:2x%u", a - 1); break;
    case 5: snprintf(spec, sizeof spec, "circulant:%u:1,2", 5 + b); break;
    case 6: snprintf(spec, sizeof spec, "star:%u", a * b), o.fibers = 1; break;
    case 7: snprintf(spec, sizeof spec, "ron:%u", a * b), o.fibers = 1, o.tuning = (uint32_t)any(3); break;
    case 8: snprintf(spec, sizeof spec, "ocs:%ux%u", a * b, 1 + a), o.fibers = 1; break;
    case 9: CU_ASSERT_EQUAL_FATAL(random_graph(&net, &o), RWA_OK); return net;
    default: snprintf(spec, sizeof spec, "ring:%u", a * b); break;
    }
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &o, NULL), RWA_OK);
    return net;
}

/** NULL: none does this collective on this network. */
static const char *random_scheme(const rwa_network *net, rwa_collective_kind kind)
{
    const char *fits[64] = {"auto"};
    size_t count = 1;
    for (size_t i = 0; rwa_scheme_name(i) && count < 64; i++)
        if (rwa_scheme_fits(i, net, kind))
            fits[count++] = rwa_scheme_name(i);
    return count > 1 ? fits[any(count)] : NULL;
}

static void random_options(rwa_plan_options *o, const char *scheme)
{
    rwa_plan_options_init(o);
    o->scheme = scheme;
    o->max_hops = any(4) ? 0 : 1 + (uint32_t)any(6);
    o->max_drops = any(3) ? 0 : 1 + (uint32_t)any(6);
    o->stages = any(8) ? 0 : 1 + (uint32_t)any(4);
    o->group = any(4) ? 0 : 2 + (uint32_t)any(4);
    o->last_exchange = (rwa_last_exchange)any(3);
    o->time_limit_s = 0.02;
    o->solving.time_limit_s = 0.02;
    o->seed = any(100);
}

/* ---- planning ---- */

struct tally {
    int planned, none, refused, optimal;
};

static void tell(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o, const char *what)
{
    fprintf(stderr, "%s of %u nodes, %u channels, %u ports; %s by %s, max hops %u, max drops %u, stages %u, group %u: %s\n",
            rwa_network_kind_name(rwa_network_get_kind(net)), rwa_network_nodes(net), rwa_network_channels(net),
            rwa_network_ports(net), rwa_collective_name(coll->kind), o->scheme, o->max_hops, o->max_drops, o->stages, o->group, what);
}

/** What is planned passes both judges, is not below its bound, and is called optimal exactly at the bound. */
static const char *wrong_with(const rwa_plan *plan)
{
    const rwa_plan_summary *s = rwa_plan_get_summary(plan);
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    if (s->outcome == RWA_INFEASIBLE)
        return sched ? "infeasible, with a schedule" : !s->why[0] ? "no reason" : NULL;
    if (!sched || !s->check.ok)
        return "not checked";
    if (s->bound.value > s->steps)
        return "fewer steps than its bound";
    if ((s->outcome == RWA_OPTIMAL) != (s->bound.value == s->steps))
        return "optimal is not at its bound";
    return rwa_schedule_collective(sched)->blocks <= BLOCKS ? second_opinion(sched) : NULL;
}

static void plan_one(struct tally *tally)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_ALL_GATHER, RWA_ALL_REDUCE, RWA_REDUCE_SCATTER, RWA_BROADCAST,
                                                RWA_SCATTER, RWA_GATHER, RWA_ALL_TO_ALL};
    rwa_network *net = NULL;
    rwa_collective_kind kind;
    const char *scheme = NULL;
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    while (!scheme) {
        rwa_network_free(net);
        net = random_network();
        kind = kinds[any(8)];
        scheme = random_scheme(net, kind);
    }
    uint32_t nodes = rwa_network_nodes(net);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, nodes, (uint32_t)any(nodes), 1 + any(100000), 0, NULL), RWA_OK);
    random_options(&o, scheme);
    rwa_status st = rwa_plan_make(&plan, net, &coll, &o, &err);
    const char *wrong = st == RWA_OK ? wrong_with(plan) : st != RWA_BADARG ? rwa_status_text(st) : !err.text[0] ? "no words" : NULL;
    if (wrong)
        tell(net, &coll, &o, st == RWA_OK ? wrong : err.text);
    CU_ASSERT_PTR_NULL(wrong);
    tally->refused += st != RWA_OK;
    tally->none += st == RWA_OK && !rwa_plan_schedule(plan);
    tally->planned += st == RWA_OK && rwa_plan_schedule(plan);
    tally->optimal += st == RWA_OK && rwa_plan_get_summary(plan)->outcome == RWA_OPTIMAL;
    rwa_plan_free(plan);
    rwa_network_free(net);
}

static void plans_are_right_or_say_why_not(void)
{
    struct tally t = {0};
    for (int i = 0; i < cases; i++)
        plan_one(&t);
    printf(" %d planned (%d optimal), %d without a schedule, %d refused ", t.planned, t.optimal, t.none, t.refused);
    CU_ASSERT_TRUE(t.planned > cases / 3 && t.optimal > 0 && t.none > 0);
}

/** A judge that never finds anything would agree with all: of a right schedule on one wavelength both clashes and gaps show. */
static void the_second_judge_finds_what_is_wrong(void)
{
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_schedule *crowded = NULL, *gap = NULL, *all = NULL;
    rwa_network_options_init(&o);
    o.wavelengths = 3;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "ring:8", &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, 8, 0, 64, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&all, rwa_plan_schedule(plan), NULL), RWA_OK);
    coll = *rwa_schedule_collective(all);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&crowded, net, &coll, NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&gap, net, &coll, NULL, NULL), RWA_OK);
    for (uint64_t i = 0; i < rwa_schedule_records(all); i++) {
        rwa_lightpath lp;
        rwa_schedule_get(all, i, &lp);
        if (i > 0)
            CU_ASSERT_EQUAL(rwa_schedule_add(gap, &lp, NULL), RWA_OK);
        lp.fiber = lp.wavelength = 0;
        CU_ASSERT_EQUAL(rwa_schedule_add(crowded, &lp, NULL), RWA_OK);
    }
    CU_ASSERT_PTR_NULL(second_opinion(all));
    CU_ASSERT_PTR_NOT_NULL(second_opinion(crowded));
    CU_ASSERT_PTR_NOT_NULL(second_opinion(gap));
    rwa_schedule_free(all);
    rwa_schedule_free(gap);
    rwa_schedule_free(crowded);
    rwa_plan_free(plan);
    rwa_network_free(net);
}

/* ---- assigning ---- */

/** Every pair of lightpaths that share a link, by comparing each with each. */
static const char *clash(const rwa_assign_result *r)
{
    bool undirected = rwa_assign_result_model(r) == RWA_UNDIRECTED;
    const rwa_network *net = rwa_assign_result_network(r);
    uint64_t routes = rwa_assign_result_routes(r);
    for (uint64_t i = 0; i < routes; i++)
        for (uint64_t k = 0; k < i; k++) {
            rwa_route a, b;
            rwa_assign_result_get(r, i, &a);
            rwa_assign_result_get(r, k, &b);
            for (uint32_t x = 0; x < a.hops; x++)
                for (uint32_t y = 0; y < b.hops; y++) {
                    uint32_t one = rwa_assign_result_link(r, i, x), other = rwa_assign_result_link(r, k, y);
                    bool meet = undirected ? rwa_network_pair(net, one) == rwa_network_pair(net, other) : one == other;
                    if (meet && (a.fibers ? a.fibers[x] : a.fiber) == (b.fibers ? b.fibers[y] : b.fiber) &&
                        (a.wavelengths ? a.wavelengths[x] : a.wavelength) == (b.wavelengths ? b.wavelengths[y] : b.wavelength))
                        return "two lightpaths on one channel";
                }
        }
    return NULL;
}

static const char *wrong_assignment(const rwa_assign_result *r, const rwa_assign_options *o)
{
    const rwa_assign_summary *s = rwa_assign_result_summary(r);
    if (!s->check.ok)
        return s->check.first[0].text;
    if (s->routed > s->lightpaths || (s->routed < s->lightpaths && !s->why[0]))
        return "not all served, and no reason";
    if (o->wavelengths > 0 && s->wavelengths > o->wavelengths)
        return "more wavelengths than there are";
    if (s->bound.name && !s->bound.fixed_routes && !s->bound.most_served && s->routed == s->lightpaths &&
        s->bound.value > s->wavelengths)
        return "below its bound";
    return clash(r);
}

static void assign_one(struct tally *tally)
{
    rwa_network *net = NULL;
    rwa_network_options no;
    rwa_demands *demands = NULL;
    rwa_assign_options o;
    rwa_assign_result *result = NULL;
    rwa_error err = {0};
    uint32_t closed[2], converting[2];
    rwa_network_options_init(&no);
    no.fibers = 1 + (uint32_t)any(2);
    CU_ASSERT_EQUAL_FATAL(random_graph(&net, &no), RWA_OK);
    uint32_t nodes = rwa_network_nodes(net);
    rwa_assign_options_init(&o);
    o.model = any(2) ? RWA_DIRECTED : RWA_UNDIRECTED;
    CU_ASSERT_EQUAL_FATAL(rwa_demands_random(&demands, nodes, o.model, 1 + any(12), any(1000), NULL), RWA_OK);
    o.forbidden = closed;
    o.converters = converting;
    for (uint64_t i = any(3); i > 0; i--)
        closed[o.forbidden_count++] = (uint32_t)any(nodes);
    for (uint64_t i = any(3); i > 0; i--)
        converting[o.converter_count++] = (uint32_t)any(nodes);
    o.wavelengths = any(2) ? 0 : 1 + (uint32_t)any(4);
    o.objective = o.wavelengths && any(2) ? RWA_MOST_DEMANDS : RWA_FEWEST_WAVELENGTHS;
    o.max_hops = any(3) ? 0 : 1 + (uint32_t)any(5);
    o.protection = any(4) == 0;
    o.time_limit_s = 0.01;
    rwa_status st = rwa_assign(&result, net, demands, &o, &err);
    const char *wrong = st == RWA_OK ? wrong_assignment(result, &o) : st == RWA_BADARG && err.text[0] ? NULL : err.text;
    if (wrong)
        fprintf(stderr, "assign on %u nodes: %s\n", nodes, wrong);
    CU_ASSERT_PTR_NULL(wrong);
    tally->planned += st == RWA_OK && rwa_assign_result_summary(result)->routed == rwa_demands_lightpaths(demands);
    tally->none += st == RWA_OK && rwa_assign_result_summary(result)->routed < rwa_demands_lightpaths(demands);
    tally->refused += st != RWA_OK;
    rwa_assign_result_free(result);
    rwa_demands_free(demands);
    rwa_network_free(net);
}

static void assignments_are_right_or_say_why_not(void)
{
    struct tally t = {0};
    for (int i = 0; i < cases / 2; i++)
        assign_one(&t);
    printf(" %d served, %d not all, %d refused ", t.planned, t.none, t.refused);
    CU_ASSERT_TRUE(t.planned > cases / 8 && t.none > 0);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(the_second_judge_finds_what_is_wrong), TEST(plans_are_right_or_say_why_not),
        TEST(assignments_are_right_or_say_why_not), {0}};
    cases = argc > 1 ? atoi(argv[1]) : cases;
    return run_tests("random plans", tests);
}
