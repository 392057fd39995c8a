/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Random networks of every kind, whole or with links that failed and channels that are reserved, collectives of all
 * nodes or of some, limits and schemes: what comes back is a schedule that passes the checker and, read back from a
 * file, the plain judge written here, and is finished after a failure as well; or a reason in words why there is none.
 * Usage: random_test [CASES [SEED]]
 */
#include "tests/support/random.h"
#include "tests/support/same.h"
#include "tests/support/suite.h"
#include "tests/support/wants.h"

#include <unistd.h>

enum { NODES = 24, BLOCKS = NODES * NODES, CHANNELS = 48 };

static int cases = 600;
static char path[] = "/tmp/rwa-random-XXXXXX", graph[64];

/* ---- the second judge: one lightpath after the other over plain tables, no bits, no orbits ---- */

struct judge {
    const rwa_network *net;
    const rwa_collective *coll;
    rwa_topology kind;
    bool sums;
    uint32_t nodes, step;
    uint32_t place[NODES];          /* as the collective counts; NODES: takes no part */
    rwa_faults faults;
    /* Of this step: who is on a channel of a hop, the nodes that switches join, ports in use. */
    struct {
        uint64_t user[NODES][NODES][CHANNELS];
        uint32_t next[CHANNELS][NODES], before[CHANNELS][NODES], sent[NODES], received[NODES];
    } now;
    /* holds[v][b][c]: how often node v counts what c gave to block b; without reductions c = 0 alone matters */
    uint32_t holds[NODES][BLOCKS][NODES], before[NODES][BLOCKS][NODES];
    char fault[160];
};

static void blame(struct judge *j, const char *what, const rwa_lightpath *lp)
{
    if (!j->fault[0])
        snprintf(j->fault, sizeof j->fault, "%s: step %u, %u to %u, fibre %u, wavelength %u, block %llu", what,
                 lp->step, lp->src, lp->dst, lp->fiber, lp->wavelength, (unsigned long long)lp->block);
}

static void begin(struct judge *j, const rwa_schedule *sched)
{
    const uint32_t *members = rwa_schedule_members(sched);
    memset(j, 0, sizeof *j);
    j->net = rwa_schedule_network(sched);
    j->coll = rwa_schedule_collective(sched);
    j->kind = rwa_network_topology(j->net);
    j->nodes = rwa_network_nodes(j->net);
    j->sums = rwa_collective_is_reduction(j->coll->kind);
    rwa_network_faults(&j->faults, j->net);
    for (uint32_t v = 0; v < NODES; v++)
        j->place[v] = members ? NODES : v;
    for (uint32_t i = 0; members && i < j->coll->nodes; i++)
        j->place[members[i]] = i;
    for (uint32_t v = 0; v < j->nodes; v++)
        for (uint64_t b = 0; b < j->coll->blocks && j->place[v] < NODES; b++)
            j->holds[v][b][j->sums ? v : 0] = j->sums || starts_with(j->coll, j->place[v], b);
}

/** Use the channel of one hop, and tell whether its transmission, or its circuit, is new.  On a star a wavelength is
 *  one channel for all nodes, on which one node sends one block. */
static bool light(struct judge *j, const rwa_lightpath *lp, uint32_t from, uint32_t to)
{
    bool star = j->kind == RWA_STAR;
    uint64_t *user =
        &j->now.user[star ? 0 : from][star ? 0 : to][lp->fiber * rwa_network_wavelengths(j->net) + lp->wavelength];
    uint64_t me = lp->src * BLOCKS + lp->block + 1;
    if (*user && (!star || *user != me))
        blame(j, "two lightpaths on a channel", lp);
    uint32_t *next = &j->now.next[lp->fiber][from], *before = &j->now.before[lp->fiber][to];
    bool fresh = star ? *user == 0 : j->kind != RWA_OCS || *next == 0;
    if (j->kind == RWA_OCS && ((*next && *next != to + 1) || (*before && *before != from + 1)))
        blame(j, "a switch joins a node to two", lp);
    *user = me;
    *next = to + 1;
    *before = from + 1;
    return fresh;
}

/** The number of the directed link, and whether it may be used; ring and line by arithmetic. */
static bool cross(struct judge *j, const rwa_lightpath *lp, uint32_t from, uint32_t to)
{
    bool arcs = j->kind == RWA_RING || j->kind == RWA_LINE,
         one_hop = j->kind == RWA_STAR || j->kind == RWA_RON || j->kind == RWA_OCS;
    uint32_t link = rwa_network_find_link(j->net, from, to);
    if (arcs)
        link = lp->direction == RWA_CW ? from : rwa_network_pairs(j->net) + to;
    if (link == RWA_NONE && !one_hop)
        blame(j, "no such link", lp);
    for (size_t i = 0; i < j->faults.link_count && lp->step >= j->faults.links_from; i++)
        if (link == j->faults.links[i])
            blame(j, "a failed link", lp);
    return light(j, lp, from, to);
}

/** The node behind `at` on the way; RWA_NONE: there is none. */
static uint32_t next_on_way(const struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t at,
                            uint32_t hop)
{
    bool up = lp->direction == RWA_CW;
    if (j->kind != RWA_RING && j->kind != RWA_LINE)
        return lists->path_nodes == 0                                  ? lp->dst
               : hop + 1 < lists->path_nodes && lists->path[hop] == at ? lists->path[hop + 1]
                                                                       : RWA_NONE;
    return j->kind == RWA_LINE && at == (up ? j->nodes - 1 : 0) ? RWA_NONE : (at + (up ? 1 : j->nodes - 1)) % j->nodes;
}

static bool walk(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists)
{
    uint32_t at = lp->src, taps = 0;
    bool fresh = true;
    for (size_t i = 0; i < j->faults.channel_count; i++)
        if (j->faults.channels[i] == lp->fiber * rwa_network_wavelengths(j->net) + lp->wavelength)
            blame(j, "a reserved channel", lp);
    for (uint32_t hop = 0, next; at != lp->dst && hop < j->nodes; hop++, at = next) {
        next = next_on_way(j, lp, lists, at, hop);
        if (next == RWA_NONE)
            break;
        fresh = cross(j, lp, at, next);
        taps += taps < lists->tap_count && lists->taps[taps] == next && next != lp->dst;
    }
    if (at != lp->dst || lp->src == lp->dst)
        blame(j, "ends elsewhere", lp);
    if (taps < lists->tap_count)
        blame(j, "is read where it does not pass, or out of turn", lp);
    return fresh;
}

static void deliver(struct judge *j, const rwa_lightpath *lp, uint64_t block, uint32_t to)
{
    if (j->place[lp->src] == NODES || j->place[to] == NODES)
        blame(j, "for a node that takes no part", lp);
    for (uint32_t c = 0; c < (j->sums ? j->nodes : 1); c++) {
        uint32_t arrives = j->before[lp->src][block][c];
        if (!j->sums && arrives == 0)
            blame(j, "sends what it does not hold", lp);
        j->holds[to][block][c] = lp->op == RWA_REDUCE ? j->holds[to][block][c] + arrives : arrives;
    }
}

/** One port sends and one at each receiver receives, however many blocks there are, lightpaths in one circuit, or nodes
 *  that hear one transmission on a star. */
static void see(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists)
{
    if (lp->step != j->step) {
        j->step = lp->step;
        memset(&j->now, 0, sizeof j->now);
        memcpy(j->before, j->holds, sizeof j->before);
    }
    bool fresh = walk(j, lp, lists), heard = fresh || j->kind == RWA_STAR;
    uint32_t ports = rwa_network_ports(j->net), most = j->now.sent[lp->src] += fresh;
    for (uint32_t r = 0; r <= lists->tap_count; r++) {
        uint32_t to = r < lists->tap_count ? lists->taps[r] : lp->dst, got = j->now.received[to] += heard;
        most = got > most ? got : most;
        for (uint32_t b = 0; b < (lists->block_count ? lists->block_count : 1); b++)
            deliver(j, lp, lists->block_count ? nth_block(lists, b) : lp->block, to);
    }
    if (ports > 0 && most > ports)
        blame(j, "more than its ports", lp);
}

/** NULL, or what is wrong in words. */
static const char *second_opinion(const rwa_schedule *sched)
{
    static struct judge j;
    const rwa_schedule *all = expanded(sched);
    begin(&j, all);
    for (uint64_t i = 0; i < rwa_schedule_records(all); i++) {
        rwa_lightpath lp = lightpath_of(all, i);
        rwa_lists lists = lists_of(all, i);
        see(&j, &lp, &lists);
    }
    for (uint32_t v = 0; v < j.nodes; v++)
        for (uint64_t b = 0; b < j.coll->blocks; b++)
            for (uint32_t c = 0; j.place[v] < NODES && wants(j.coll, j.place[v], b) && c < (j.sums ? j.nodes : 1); c++)
                if ((j.sums ? j.holds[v][b][c] != (j.place[c] < NODES) : j.holds[v][b][c] == 0) && !j.fault[0])
                    snprintf(j.fault, sizeof j.fault, "node %u lacks block %u of %u, or counts it twice", v,
                             (unsigned)b, c);
    return j.fault[0] ? j.fault : NULL;
}

/* ---- random requests ---- */

/** Links of one or two fibres, or as many as the network says, so that some link has every channel that may be
 * reserved. */
static const char *random_graph(void)
{
    FILE *file = fopen(graph, "w");
    uint32_t nodes = 3 + any(8), more = any(nodes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "{\"nodes\":%u,\"links\":[[0,1]", nodes);
    for (uint32_t v = 2; v < nodes + more; v++) {
        uint32_t a = v < nodes ? v : any(nodes), b = any(v < nodes ? v : nodes), fibers = v < nodes ? any(3) : 1;
        if (a != b)
            fprintf(file, fibers ? ",{\"from\":%u,\"to\":%u,\"fibers\":%u}" : ",[%u,%u]", b, a, fibers);
    }
    fprintf(file, "]}\n");
    fclose(file);
    return graph;
}

static const char *random_spec(void)
{
    static char spec[64];
    unsigned a = 2 + any(3), b = 2 + any(4);
    switch (any(12)) {
    case 0: snprintf(spec, sizeof spec, "line:%u", a * b); break;
    case 1: snprintf(spec, sizeof spec, any(4) ? "torus:%ux%u" : "torus:%ux1x%u", a, b); break;
    case 2: snprintf(spec, sizeof spec, "mesh:%ux%u", a, b); break;
    case 3: snprintf(spec, sizeof spec, "hypercube:%u", a); break;
    case 4: snprintf(spec, sizeof spec, "tree:2x%u", a - 1); break;
    case 5: snprintf(spec, sizeof spec, "circulant:%u:1,2", 5 + b); break;
    case 6: snprintf(spec, sizeof spec, "star:%u f=1", a * b); break;
    case 7: snprintf(spec, sizeof spec, "ron:%u f=1 tuning=%u", a * b, any(3)); break;
    case 8: snprintf(spec, sizeof spec, "ocs:%ux%u f=1", a * b, 1 + a); break;
    case 9: return random_graph();
    default: snprintf(spec, sizeof spec, "ring:%u", a * b);
    }
    return spec;
}

/** "auto" or a scheme that does this collective on this network; false: none does. */
static bool choose_scheme(struct request *r)
{
    const char *fits[64] = {"auto"};
    size_t count = 1;
    for (size_t i = 0; rwa_scheme_name(i) && count < COUNT(fits); i++)
        if (rwa_scheme_fits(i, request_network(*r), r->kind))
            fits[count++] = rwa_scheme_name(i);
    strcpy(r->scheme, fits[any((uint32_t)count)]);
    return count > 1;
}

/** Most schemes refuse most options; several receivers of a lightpath, several blocks on it, or a block on several. */
static void random_options(struct request *r)
{
    rwa_plan_options *o = &r->options;
    bool sets = !any(3);
    o->max_hops = any(4) ? 0 : 1 + any(6);
    switch (any(6)) {
    case 0: o->max_drops = 1 + any(6); break;
    case 1: o->lightpath_blocks = 1 + any(4); break;
    case 2: o->stripes = 1 + any(3); break;
    default: break;
    }
    o->stages = !sets || any(3) ? 0 : 1 + any(4);
    o->group = !sets || any(3) ? 0 : 2 + any(4);
    o->last_exchange = !sets || any(3) ? RWA_LAST_AUTO : (rwa_last_exchange)any(3);
    o->split_steps = !sets || any(3) ? RWA_SPLIT_BEST : any(4);
    o->cost.model = (rwa_cost_model)any(3);
    if (strcmp(r->scheme, "optree") == 0 && any(3) == 0)
        r->radices = (struct numbers){{2, 3, 4}, 3};
}

/** Messages of up to a gigabyte, in the usual number of blocks or another one. */
static struct request random_request(void)
{
    struct request r;
    do {
        r = request_of("%s w=%u ports=%u bytes=%u %s", random_spec(), 1 + any(8), any(3) ? 0 : 1 + any(4),
                       1 + any(any(8) ? 100000 : 1 << 30),
                       rwa_collective_name(RWA_ALL_GATHER + any(RWA_ROOTED_REDUCE)));
        r.network.fibers = r.network.fibers > 1 || is_one_hop(&r) ? r.network.fibers : 1 + any(2);
    } while (!choose_scheme(&r));
    random_faults(&r);
    random_options(&r);
    r.blocks = any(8) || r.kind == RWA_ALL_TO_ALL ? 0 : 1 + any(2 * places_of(&r));
    r.root = any(places_of(&r));
    return r;
}

/** A whole ring on which several receivers, or several blocks, of a lightpath save steps. */
static struct request crowded_request(void)
{
    return request_of("ring:%u w=4 %s=%u bytes=%u model=%s by %s", NODES - 2 + any(3), any(2) ? "drops" : "load",
                      2 + any(3), 1 + any(100000), any(2) ? "paper" : "overlap", any(2) ? "wavefront" : "auto");
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
    rwa_faults faults;
    rwa_network_faults(&faults, rwa_schedule_network(rwa_plan_schedule(plan)));
    t->planned++;
    t->optimal += s->outcome == RWA_OPTIMAL;
    t->tapped += s->receivers > 1;
    t->merged += s->lightpath_blocks > 1;
    t->striped += s->stripes > 1;
    t->reserved += faults.channel_count > 0;
    t->failed += faults.link_count > 0;
    t->parted += rwa_schedule_members(rwa_plan_schedule(plan)) != NULL;
}

/** The plan is one of the network, the nodes and the blocks that were asked for. */
static void expect_as_asked(const struct request *r, const rwa_schedule *sched)
{
    const rwa_network *asked = request_network(*r), *net = rwa_schedule_network(sched);
    const rwa_collective *coll = rwa_schedule_collective(sched);
    const uint32_t *members = rwa_schedule_members(sched);
    rwa_faults a, b;
    expect_same_network(asked, net);
    rwa_network_faults(&a, asked);
    rwa_network_faults(&b, net);
    CU_ASSERT_EQUAL(rwa_network_channels(net), rwa_network_channels(asked));
    CU_ASSERT(same_words(a.channels, (uint32_t)a.channel_count, b.channels, (uint32_t)b.channel_count) &&
              same_words(a.links, (uint32_t)a.link_count, b.links, (uint32_t)b.link_count));
    CU_ASSERT(same_words(r->members.at, (uint32_t)r->members.count, members, members ? coll->nodes : 0));
    CU_ASSERT(r->blocks == 0 || coll->blocks == r->blocks * (r->options.stripes ? r->options.stripes : 1));
    CU_ASSERT(r->options.lightpath_blocks == 0 ||
              rwa_schedule_lightpath_blocks(sched) <= r->options.lightpath_blocks);
}

/** Every plan passes both checkers, the second as it is read back from a file; NULL: it does, or there is a reason why
 * there is none. */
static const char *wrong_with(const rwa_plan *plan, const rwa_plan_options *o)
{
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    rwa_schedule *back = NULL;
    if (!sched)
        return rwa_plan_summary(plan)->why[0] ? NULL : "no reason";
    if (rwa_schedule_write(sched, path, NULL) != RWA_OK || rwa_schedule_read(&back, path, NULL, NULL) != RWA_OK ||
        rwa_schedule_records(keep_schedule(back)) != rwa_schedule_records(sched))
        return "does not come back from its file";
    const char *wrong = rwa_schedule_collective(sched)->blocks <= BLOCKS ? second_opinion(back) : NULL;
    return wrong ? wrong : plan_fault(plan, o);
}

/** Links fail in the middle of a schedule of copies by all nodes of a ring or line: it is finished, or cannot be. */
static const char *wrong_with_repair(const rwa_schedule *sched, struct tally *tally)
{
    const rwa_network *net = rwa_schedule_network(sched);
    rwa_topology kind = rwa_network_topology(net);
    struct numbers links;
    rwa_faults faults;
    rwa_plan *plan = NULL;
    rwa_plan_options o;
    rwa_network_faults(&faults, net);
    if ((kind != RWA_RING && kind != RWA_LINE) || rwa_collective_is_reduction(rwa_schedule_collective(sched)->kind) ||
        rwa_schedule_members(sched) || faults.link_count > 0)
        return NULL;
    rwa_plan_options_init(&o);
    random_numbers(&links, 1 + any(2), rwa_network_links(net));
    rwa_status st =
        rwa_plan_repair(&plan, sched, links.at, links.count, 1 + any(rwa_schedule_steps(sched) + 1), &o, NULL);
    bool plain = rwa_schedule_lightpath_blocks(sched) == 1 && rwa_schedule_receivers(sched) == 1;
    keep_plan(plan);
    tally->repaired += st == RWA_OK && rwa_plan_schedule(plan);
    tally->lost += st == RWA_OK && !rwa_plan_schedule(plan);
    o.max_drops = UINT32_MAX;
    return st == RWA_OK ? wrong_with(plan, &o) : st == RWA_BADARG && !plain ? NULL : rwa_status_text(st);
}

static void plan_one(struct tally *tally)
{
    struct request r = any(8) == 0 ? crowded_request() : random_request();
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    rwa_status st = request_plan(&plan, &r, &err);
    const rwa_schedule *sched = plan ? rwa_plan_schedule(plan) : NULL;
    const char *wrong = plan                               ? wrong_with(plan, &r.options)
                        : st != RWA_BADARG || !err.text[0] ? rwa_status_text(st)
                                                           : NULL;
    if (sched) {
        expect_as_asked(&r, sched);
        count_plan(tally, plan);
    }
    if (!wrong && sched && any(2))
        wrong = wrong_with_repair(sched, tally);
    if (wrong)
        fprintf(stderr, "%s by %s: %s\n", r.line, r.scheme, wrong);
    CU_ASSERT_PTR_NULL(wrong);
    tally->refused += !plan;
    tally->none += plan && !sched;
}

static void plans_are_right_or_say_why_not(void)
{
    struct tally t = {0};
    for (int i = 0; i < cases; i++)
        plan_one(&t);
    printf(" %d planned (%d optimal, %d tapped, %d merged, %d striped, %d with reserved channels, %d with failed "
           "links, %d in part, "
           "%d repaired, %d beyond repair), %d without a schedule, %d refused ",
           t.planned, t.optimal, t.tapped, t.merged, t.striped, t.reserved, t.failed, t.parted, t.repaired, t.lost,
           t.none, t.refused);
    CU_ASSERT_TRUE(t.planned > cases / 3 && t.optimal > 0 && t.none > 0);
    CU_ASSERT_TRUE(t.tapped > 0 && t.merged > 0 && t.striped > 0 && t.reserved > 0 && t.failed > 0 && t.parted > 0);
    CU_ASSERT_TRUE(t.repaired > 0 && (t.lost > 0 || cases < 2000));
}

/** A judge that never finds anything would agree with all: of a right schedule on one wavelength both clashes and gaps
 * show. */
static void the_second_judge_finds_what_is_wrong(void)
{
    rwa_schedule *all = expanded(schedule_on("ring:8 w=3 bytes=64")), *made[2] = {NULL};    /* crowded, with a gap */
    for (size_t k = 0; k < COUNT(made); k++) {
        OK(rwa_schedule_create(&made[k], rwa_schedule_network(all), rwa_schedule_collective(all), NULL, NULL));
        for (uint64_t i = k; i < rwa_schedule_records(all); i++) {
            rwa_lightpath lp = lightpath_of(all, i);
            lp.wavelength = k ? lp.wavelength : 0;
            OK(rwa_schedule_add(made[k], &lp, NULL));
        }
        CU_ASSERT_PTR_NOT_NULL(second_opinion(keep_schedule(made[k])));
    }
    CU_ASSERT_PTR_NULL(second_opinion(all));
}

int main(int argc, char **argv)
{
    cases = argc > 1 ? atoi(argv[1]) : cases;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 5;
    close(mkstemp(path));
    snprintf(graph, sizeof graph, "%s.json", path);
    int failed = RUN_TESTS("random plans", the_second_judge_finds_what_is_wrong, plans_are_right_or_say_why_not);
    unlink(path);
    unlink(graph);
    return failed;
}
