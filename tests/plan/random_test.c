/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Random networks of every kind, whole or with links that failed and channels that are reserved, collectives of all nodes or of
 * some, limits and schemes: what comes back is a schedule that passes the checker and the plain judge written here, reads back
 * from a file and from a table as it was, and is finished after a failure as well; or a reason in words why there is none.
 * Random demands on random graphs likewise.
 * Usage: random_test [CASES [SEED]]
 */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/blocks.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NODES = 24, BLOCKS = NODES * NODES, CHANNELS = 16, LIT = 200000 };

static uint64_t seed = 5;
static int cases = 600;

static uint64_t any(uint64_t below)
{
    return base_random_below(&seed, below);
}

/* ---- the second judge: one lightpath after the other over plain lists, no bits, no orbits ---- */

/** The lightpath on a channel of a hop in this step. */
struct lit {
    uint32_t from, to, fiber, wavelength;
    uint32_t src;
    uint64_t block;
};

struct judge {
    const rwa_network *net;
    const rwa_collective *coll;
    rwa_topology kind;
    uint32_t nodes, step;
    uint32_t place[NODES];          /* as the collective counts; NODES: takes no part */
    rwa_faults faults;
    size_t lit_count;
    uint32_t sent[NODES], received[NODES];
    struct lit lit[LIT];
    /* holds[v][b][c]: how often node v counts what c gave to block b; without reductions c = 0 alone matters */
    uint32_t holds[NODES][BLOCKS][NODES], before[NODES][BLOCKS][NODES];
    char fault[160];
};

static bool sums(const rwa_collective *coll)
{
    return rwa_collective_is_reduction(coll->kind);
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
    return (uint32_t)(block * coll->nodes / coll->blocks);
}

static bool wanted(const rwa_collective *coll, uint32_t node, uint64_t block)
{
    switch (coll->kind) {
    case RWA_GATHER:
    case RWA_ROOTED_REDUCE:
        return node == coll->root;
    case RWA_SCATTER:
    case RWA_REDUCE_SCATTER:
        return node == block * coll->nodes / coll->blocks;
    case RWA_ALL_TO_ALL:
        return node == block * coll->nodes * coll->nodes / coll->blocks % coll->nodes;
    default:
        return true;
    }
}

static void begin(struct judge *j, const rwa_schedule *sched)
{
    const uint32_t *members = rwa_schedule_members(sched);
    memset(j, 0, sizeof *j);
    j->net = rwa_schedule_network(sched);
    j->coll = rwa_schedule_collective(sched);
    j->kind = rwa_network_topology(j->net);
    j->nodes = rwa_network_nodes(j->net);
    rwa_network_faults(&j->faults, j->net);
    for (uint32_t v = 0; v < NODES; v++)
        j->place[v] = members ? NODES : v;
    for (uint32_t i = 0; members && i < j->coll->nodes; i++)
        j->place[members[i]] = i;
    for (uint32_t v = 0; v < j->nodes; v++)
        for (uint64_t b = 0; b < j->coll->blocks && j->place[v] < NODES; b++)
            if (sums(j->coll))
                j->holds[v][b][v] = 1;
            else
                j->holds[v][b][0] = owner(j->coll, b) == j->place[v];
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
        link = lp->direction == RWA_CW ? from : rwa_network_pairs(j->net) + to;
    if (link == RWA_NONE && j->kind != RWA_STAR && j->kind != RWA_RON && j->kind != RWA_OCS)
        blame(j, "no such link", lp);
    for (size_t i = 0; i < j->faults.link_count && lp->step >= j->faults.links_from; i++)
        if (link == j->faults.links[i])
            blame(j, "a failed link", lp);
    light(j, lp, from, to);
}

/** The next node that the light comes to; whether it is the tap that is due. */
static uint32_t arrive(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t from, uint32_t to, uint32_t *taps)
{
    cross(j, lp, from, to);
    if (*taps < lists->tap_count && lists->taps[*taps] == to && to != lp->dst)
        ++*taps;
    return to;
}

static void walk(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists)
{
    uint32_t at = lp->src, hops = 0, taps = 0;
    for (size_t i = 0; i < j->faults.channel_count; i++)
        if (j->faults.channels[i] == lp->fiber * rwa_network_wavelengths(j->net) + lp->wavelength)
            blame(j, "a reserved channel", lp);
    if (j->kind == RWA_RING || j->kind == RWA_LINE) {
        while (at != lp->dst && hops++ < j->nodes) {
            bool up = lp->direction == RWA_CW;
            if (j->kind == RWA_LINE && at == (up ? j->nodes - 1 : 0))
                break;
            at = arrive(j, lp, lists, at, (at + (up ? 1 : j->nodes - 1)) % j->nodes, &taps);
        }
    } else if (lists->path_nodes == 0) {
        at = arrive(j, lp, lists, lp->src, lp->dst, &taps);
    } else {
        for (uint32_t i = 0; i + 1 < lists->path_nodes; i++)
            at = arrive(j, lp, lists, lists->path[i], lists->path[i + 1], &taps);
        if (lists->path[0] != lp->src)
            blame(j, "begins elsewhere", lp);
    }
    if (at != lp->dst || lp->src == lp->dst)
        blame(j, "ends elsewhere", lp);
    if (taps < lists->tap_count)
        blame(j, "is read where it does not pass, or out of turn", lp);
}

static void deliver(struct judge *j, const rwa_lightpath *lp, uint64_t block, uint32_t to)
{
    if (j->place[lp->src] == NODES || j->place[to] == NODES)
        blame(j, "for a node that takes no part", lp);
    for (uint32_t c = 0; c < (sums(j->coll) ? j->nodes : 1); c++) {
        uint32_t arrives = j->before[lp->src][block][c];
        if (!sums(j->coll) && arrives == 0)
            blame(j, "sends what it does not hold", lp);
        j->holds[to][block][c] = lp->op == RWA_REDUCE ? j->holds[to][block][c] + arrives : arrives;
    }
}

/** A port sends and one at each reader receives, however many blocks there are.  Several lightpaths in one circuit, and one
 *  transmission that several hear on a star, are the checker's alone to count. */
static void use_ports(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists)
{
    uint32_t ports = rwa_network_ports(j->net), most = ++j->sent[lp->src];
    for (uint32_t r = 0; r <= lists->tap_count; r++) {
        uint32_t got = ++j->received[r < lists->tap_count ? lists->taps[r] : lp->dst];
        most = got > most ? got : most;
    }
    if (ports > 0 && most > ports && j->kind != RWA_STAR && j->kind != RWA_OCS)
        blame(j, "more than its ports", lp);
}

static void see(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists)
{
    if (lp->step != j->step)
        next_step(j, lp->step);
    walk(j, lp, lists);
    use_ports(j, lp, lists);
    for (uint32_t b = 0; b < (lists->block_count ? lists->block_count : 1); b++) {
        uint64_t block = lists->block_count ? nth_block(lists, b) : lp->block;
        deliver(j, lp, block, lp->dst);
        for (uint32_t t = 0; t < lists->tap_count; t++)
            deliver(j, lp, block, lists->taps[t]);
    }
}

static void end(struct judge *j)
{
    for (uint32_t v = 0; v < j->nodes; v++)
        for (uint64_t b = 0; b < j->coll->blocks; b++)
            for (uint32_t c = 0; j->place[v] < NODES && wanted(j->coll, j->place[v], b) && c < (sums(j->coll) ? j->nodes : 1); c++)
                if ((sums(j->coll) ? j->holds[v][b][c] != (j->place[c] < NODES) : j->holds[v][b][c] == 0) && !j->fault[0])
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
        rwa_schedule_get(&lp, all, i);
        rwa_schedule_lists(&lists, all, i);
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
    links[0].fibers = 0; /* as many as the network says, so that some link has every channel that add_faults() may reserve */
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
    case 1: snprintf(spec, sizeof spec, any(4) ? "torus:%ux%u" : "torus:%ux1x%u", a, b); break;
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

/** So many different numbers below `below`, ascending. */
static void random_numbers(uint32_t *list, uint64_t count, uint64_t below)
{
    for (uint64_t number = 0; count > 0; number++)
        if (any(below - number) < count) {
            *list++ = (uint32_t)number;
            count--;
        }
}

/** Every pair of nodes is one hop apart: no link fails there. */
static bool is_one_hop(const rwa_network *net)
{
    rwa_topology kind = rwa_network_topology(net);
    return kind == RWA_STAR || kind == RWA_RON || kind == RWA_OCS;
}

/** The same network with channels that are reserved, or links that failed. */
static void add_faults(rwa_network **net)
{
    uint32_t channels[CHANNELS], links[2];
    rwa_faults faults = {.channels = channels, .links = links};
    rwa_network *faulty = NULL;
    uint64_t all = rwa_network_channels(*net);
    if (all > 1 && any(4) == 0 && rwa_network_topology(*net) != RWA_OCS)
        random_numbers(channels, faults.channel_count = 1 + any(all - 1), all);
    if (any(4) == 0 && !is_one_hop(*net))
        random_numbers(links, faults.link_count = 1 + any(2), rwa_network_links(*net));
    CU_ASSERT_EQUAL_FATAL(rwa_network_with_faults(&faulty, *net, &faults, NULL), RWA_OK);
    rwa_network_free(*net);
    *net = faulty;
}

/** A refusal is of the caller's options, or of a time limit in which a busy machine finds nothing; NULL: it says why. */
static const char *wrong_refusal(rwa_status st, double time_limit_s, const rwa_error *err)
{
    bool known = st == RWA_BADARG || (st == RWA_CANCELLED && time_limit_s > 0);
    return !known ? rwa_status_text(st) : !err->text[0] ? "no words" : NULL;
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

/** Messages of up to a gigabyte, in the usual number of blocks or another one. */
static void random_collective(rwa_collective *coll, rwa_collective_kind kind, uint32_t nodes)
{
    uint64_t blocks = any(8) || kind == RWA_ALL_TO_ALL ? 0 : 1 + any(2 * nodes), bytes = 1 + any(any(8) ? 100000 : 1 << 30);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(coll, kind, nodes, (uint32_t)any(nodes), bytes, blocks, NULL), RWA_OK);
}

/** Several readers of a lightpath, several blocks on it, or a block on several. */
static void random_loads(rwa_plan_options *o)
{
    switch (any(6)) {
    case 0: o->max_drops = 1 + (uint32_t)any(6); break;
    case 1: o->lightpath_blocks = 1 + (uint32_t)any(4); break;
    case 2: o->stripes = 1 + (uint32_t)any(3); break;
    default: break;
    }
}

static void random_options(rwa_plan_options *o, const char *scheme)
{
    static const uint32_t radix[] = {2, 3, 4};
    bool sets = !any(3); /* most schemes refuse most of it */
    rwa_plan_options_init(o);
    o->scheme = scheme;
    o->max_hops = any(4) ? 0 : 1 + (uint32_t)any(6);
    random_loads(o);
    o->stages = !sets || any(3) ? 0 : 1 + (uint32_t)any(4);
    o->group = !sets || any(3) ? 0 : 2 + (uint32_t)any(4);
    o->last_exchange = !sets || any(3) ? RWA_LAST_AUTO : (rwa_last_exchange)any(3);
    o->split_steps = !sets || any(3) ? RWA_SPLIT_BEST : (uint32_t)any(4);
    o->cost.model = (rwa_cost_model)any(3);
    o->seed = any(100);
    if (strcmp(scheme, "optree") == 0 && any(3) == 0) {
        o->radix = radix;
        o->radix_count = sizeof radix / sizeof *radix;
    }
}

/** A whole ring on which several readers, or several blocks, of a lightpath save steps. */
static rwa_network *crowded_ring(rwa_plan_options *o)
{
    rwa_network *net = NULL;
    rwa_network_options no;
    char spec[16];
    rwa_network_options_init(&no);
    no.wavelengths = 4;
    snprintf(spec, sizeof spec, "ring:%u", NODES - 2 + (unsigned)any(3));
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &no, NULL), RWA_OK);
    random_options(o, any(2) ? "wavefront" : "auto");
    o->stripes = o->lightpath_blocks = o->max_drops = o->max_hops = 0;
    *(any(2) ? &o->max_drops : &o->lightpath_blocks) = 2 + (uint32_t)any(3);
    return net;
}

/* ---- planning ---- */

struct tally {
    int planned, none, refused, optimal;
    int tapped, merged, striped, reserved, failed, parted, repaired, lost;
};

/** The features of a plan, so that no feature is missing in all plans. */
static void count_plan(struct tally *t, const rwa_plan *plan)
{
    const rwa_plan_report *s = rwa_plan_summary(plan);
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    rwa_faults faults;
    rwa_network_faults(&faults, rwa_schedule_network(sched));
    t->planned++;
    t->optimal += s->outcome == RWA_OPTIMAL;
    t->tapped += s->receivers > 1;
    t->merged += s->lightpath_blocks > 1;
    t->striped += s->stripes > 1;
    t->reserved += faults.channel_count > 0;
    t->failed += faults.link_count > 0;
    t->parted += rwa_schedule_members(sched) != NULL;
}

static bool same_lists(const rwa_lists *a, const rwa_lists *b)
{
    return a->path_nodes == b->path_nodes && same_blocks(a, b) && a->tap_count == b->tap_count &&
           (a->path_nodes == 0 || memcmp(a->path, b->path, a->path_nodes * sizeof *a->path) == 0) &&
           (a->tap_count == 0 || memcmp(a->taps, b->taps, a->tap_count * sizeof *a->taps) == 0);
}

/** Record by record; without ring or line a direction says nothing. */
static bool same_schedule(const rwa_schedule *a, const rwa_schedule *b)
{
    rwa_topology kind = rwa_network_topology(rwa_schedule_network(a));
    bool arcs = kind == RWA_RING || kind == RWA_LINE;
    bool same = rwa_schedule_records(a) == rwa_schedule_records(b) && rwa_schedule_steps(a) == rwa_schedule_steps(b);
    for (uint64_t i = 0; same && i < rwa_schedule_records(a); i++) {
        rwa_lightpath x, y;
        rwa_lists p, q;
        rwa_schedule_get(&x, a, i);
        rwa_schedule_get(&y, b, i);
        rwa_schedule_lists(&p, a, i);
        rwa_schedule_lists(&q, b, i);
        same = x.step == y.step && x.src == y.src && x.dst == y.dst && x.fiber == y.fiber && x.wavelength == y.wavelength &&
               x.orbit == y.orbit && (x.orbit == 1 || x.period == y.period) && x.op == y.op &&
               (!arcs || x.direction == y.direction) && (p.block_count > 0 || x.block == y.block) && same_lists(&p, &q);
    }
    return same;
}

/** NULL, or what does not come back from a file or a table of the schedule. */
static const char *wrong_when_read_back(const rwa_schedule *sched)
{
    char path[] = "/tmp/rwa-random-XXXXXX";
    int fd = mkstemp(path);
    const char *wrong = NULL;
    rwa_schedule *all = NULL, *back = NULL, *table = NULL;
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&all, sched, NULL), RWA_OK);
    if (rwa_schedule_write(sched, path, NULL) != RWA_OK || rwa_schedule_read(&back, path, NULL, NULL) != RWA_OK ||
        !same_schedule(sched, back))
        wrong = "does not come back from its file";
    else if (rwa_schedule_export(sched, "csv", path, NULL, NULL) != RWA_OK ||
             rwa_schedule_import(&table, NULL, path, rwa_schedule_network(sched), NULL, NULL) != RWA_OK || !same_schedule(all, table))
        wrong = "does not come back from a table";
    unlink(path);
    rwa_schedule_free(all);
    rwa_schedule_free(back);
    rwa_schedule_free(table);
    return wrong;
}

static void tell(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o, const char *what)
{
    fprintf(stderr, "%s of %u nodes, %u channels, %u ports; %s by %s, max hops %u, max drops %u, stages %u, group %u: %s\n",
            rwa_topology_name(rwa_network_topology(net)), rwa_network_nodes(net), rwa_network_channels(net),
            rwa_network_ports(net), rwa_collective_name(coll->kind), o->scheme, o->max_hops, o->max_drops, o->stages, o->group, what);
}

/** Every plan passes both checkers, is not below its bound, and is called optimal exactly at the bound. */
static const char *wrong_with(const rwa_plan *plan)
{
    const rwa_plan_report *s = rwa_plan_summary(plan);
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    if (s->outcome == RWA_INFEASIBLE)
        return sched ? "infeasible, with a schedule" : !s->why[0] ? "no reason" : NULL;
    if (!sched || !s->check->ok)
        return "not checked";
    if (s->bound.value > s->steps)
        return "fewer steps than its bound";
    if ((s->outcome == RWA_OPTIMAL) != (s->bound.value == s->steps))
        return "optimal is not at its bound";
    const char *wrong = rwa_schedule_collective(sched)->blocks <= BLOCKS ? second_opinion(sched) : NULL;
    return wrong ? wrong : wrong_when_read_back(sched);
}

/** Links fail in the middle of a schedule of copies by all nodes of a ring or line: it is finished, or cannot be. */
static const char *wrong_with_repair(const rwa_schedule *sched, struct tally *tally)
{
    const rwa_network *net = rwa_schedule_network(sched);
    rwa_topology kind = rwa_network_topology(net);
    uint32_t links[2];
    rwa_faults faults;
    rwa_plan *plan = NULL;
    rwa_plan_options o;
    rwa_network_faults(&faults, net);
    if ((kind != RWA_RING && kind != RWA_LINE) || sums(rwa_schedule_collective(sched)) || rwa_schedule_members(sched) ||
        faults.link_count > 0)
        return NULL;
    rwa_plan_options_init(&o);
    o.time_limit_s = 0.02;
    size_t count = 1 + any(2);
    random_numbers(links, count, rwa_network_links(net));
    uint32_t at = 1 + (uint32_t)any(rwa_schedule_steps(sched) + 1);
    rwa_status st = rwa_plan_repair(&plan, sched, links, count, at, &o, NULL);
    bool plain = rwa_schedule_lightpath_blocks(sched) == 1 && rwa_schedule_receivers(sched) == 1;
    const char *wrong = st == RWA_OK ? wrong_with(plan) : st == RWA_BADARG && !plain ? NULL : rwa_status_text(st);
    tally->repaired += st == RWA_OK && rwa_plan_schedule(plan);
    tally->lost += st == RWA_OK && !rwa_plan_schedule(plan);
    rwa_plan_free(plan);
    return wrong;
}

static void plan_one(struct tally *tally)
{
    static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_ALL_GATHER, RWA_ALL_REDUCE, RWA_REDUCE_SCATTER, RWA_BROADCAST,
                                                RWA_SCATTER, RWA_GATHER, RWA_ALL_TO_ALL, RWA_ROOTED_REDUCE};
    rwa_network *net = NULL;
    rwa_collective_kind kind;
    const char *scheme = NULL;
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    uint32_t members[NODES];
    bool crowded = any(8) == 0;
    while (!scheme && !crowded) {
        rwa_network_free(net);
        net = random_network();
        kind = kinds[any(9)];
        scheme = random_scheme(net, kind);
    }
    if (crowded) {
        net = crowded_ring(&o);
        kind = RWA_ALL_GATHER;
    } else {
        add_faults(&net);
        random_options(&o, scheme);
    }
    uint32_t nodes = rwa_network_nodes(net);
    if (!crowded && nodes > 2 && any(4) == 0) {
        uint32_t part = 2 + (uint32_t)any(nodes - 2);
        random_numbers(members, part, nodes);
        o.members = members;
        nodes = part;
    }
    random_collective(&coll, kind, nodes);
    rwa_status st = rwa_plan_make(&plan, net, &coll, &o, &err);
    const rwa_schedule *sched = st == RWA_OK ? rwa_plan_schedule(plan) : NULL;
    const char *wrong = st == RWA_OK ? wrong_with(plan) : wrong_refusal(st, o.time_limit_s, &err);
    if (sched)
        count_plan(tally, plan);
    if (!wrong && sched && any(2))
        wrong = wrong_with_repair(sched, tally);
    if (wrong)
        tell(net, &coll, &o, st == RWA_OK ? wrong : err.text);
    CU_ASSERT_PTR_NULL(wrong);
    tally->refused += st != RWA_OK;
    tally->none += st == RWA_OK && !sched;
    rwa_plan_free(plan);
    rwa_network_free(net);
}

static void plans_are_right_or_say_why_not(void)
{
    struct tally t = {0};
    for (int i = 0; i < cases; i++)
        plan_one(&t);
    printf(" %d planned (%d optimal, %d tapped, %d merged, %d striped, %d with reserved channels, %d with failed links, %d in part, "
           "%d repaired, %d beyond repair), %d without a schedule, %d refused ", t.planned, t.optimal, t.tapped, t.merged, t.striped,
           t.reserved, t.failed, t.parted, t.repaired, t.lost, t.none, t.refused);
    CU_ASSERT_TRUE(t.planned > cases / 3 && t.optimal > 0 && t.none > 0);
    CU_ASSERT_TRUE(t.tapped > 0 && t.merged > 0 && t.striped > 0 && t.reserved > 0 && t.failed > 0 && t.parted > 0);
    CU_ASSERT_TRUE(t.repaired > 0 && (t.lost > 0 || cases < 2000));
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
        rwa_schedule_get(&lp, all, i);
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
static const char *clash(const rwa_assignment *r)
{
    bool undirected = rwa_assignment_model(r) == RWA_UNDIRECTED;
    const rwa_network *net = rwa_assignment_network(r);
    uint64_t routes = rwa_assignment_count(r);
    for (uint64_t i = 0; i < routes; i++)
        for (uint64_t k = 0; k < i; k++) {
            rwa_route a, b;
            rwa_assignment_get(&a, r, i);
            rwa_assignment_get(&b, r, k);
            for (uint32_t x = 0; x < a.hops; x++)
                for (uint32_t y = 0; y < b.hops; y++) {
                    uint32_t one = rwa_assignment_link(r, i, x), other = rwa_assignment_link(r, k, y);
                    bool meet = undirected ? rwa_network_pair(net, one) == rwa_network_pair(net, other) : one == other;
                    if (meet && (a.fibers ? a.fibers[x] : a.fiber) == (b.fibers ? b.fibers[y] : b.fiber) &&
                        (a.wavelengths ? a.wavelengths[x] : a.wavelength) == (b.wavelengths ? b.wavelengths[y] : b.wavelength))
                        return "two lightpaths on one channel";
                }
        }
    return NULL;
}

static const char *wrong_assignment(const rwa_assignment *r, const rwa_assignment_options *o)
{
    const rwa_assignment_report *s = rwa_assignment_summary(r);
    if (!s->check->ok)
        return s->check->first[0].text;
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
    rwa_assignment_options o;
    rwa_assignment *result = NULL;
    rwa_error err = {0};
    uint32_t closed[2], converting[2];
    rwa_network_options_init(&no);
    no.fibers = 1 + (uint32_t)any(2);
    CU_ASSERT_EQUAL_FATAL(random_graph(&net, &no), RWA_OK);
    uint32_t nodes = rwa_network_nodes(net);
    rwa_assignment_options_init(&o);
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
    rwa_status st = rwa_assignment_make(&result, net, demands, &o, &err);
    const char *wrong = st == RWA_OK ? wrong_assignment(result, &o) : wrong_refusal(st, o.time_limit_s, &err);
    if (wrong)
        fprintf(stderr, "assign on %u nodes: %s\n", nodes, wrong);
    CU_ASSERT_PTR_NULL(wrong);
    tally->planned += st == RWA_OK && rwa_assignment_summary(result)->routed == rwa_demands_lightpaths(demands);
    tally->none += st == RWA_OK && rwa_assignment_summary(result)->routed < rwa_demands_lightpaths(demands);
    tally->refused += st != RWA_OK;
    rwa_assignment_free(result);
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
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : seed;
    return run_tests("random plans", tests);
}
