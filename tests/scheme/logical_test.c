/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Logical topologies: lightpaths do not meet, blocks arrive once and in time, and one reconfiguration is all that a plan takes. */
#include "rwa.h"

#include "scheme/own/logical.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <stdlib.h>

static bool thorough;

static const char *const specs[] = {"line:3", "line:10", "line:17", "ring:5", "ring:12", "ring:19", "ring:26", "mesh:3x4", "mesh:4x4",
                                    "torus:3x3", "hypercube:3", "tree:2x3", "nsfnet14-21", "circulant:13:1,5"};
enum { SPECS = sizeof specs / sizeof *specs };

/* ---- topologies ---- */

/** Mark the channel of a lightpath on each of its links; false: another has it, or there is no such link or channel. */
static bool take_channel(uint8_t *used, const struct logical *t, uint32_t link)
{
    const rwa_network *net = t->physical->listed;
    uint32_t path[LOGICAL_NODES + 1], nodes = logical_path(path, t, link);
    bool free_so_far = t->channel[link] < t->physical->channels && path[0] == t->from[link] && path[nodes - 1] == t->to[link];
    for (uint32_t i = 0; i + 1 < nodes && free_so_far; i++) {
        uint32_t k = net->first[path[i]], end = net->first[path[i] + 1];
        while (k < end && net->links[net->out[k]].to != path[i + 1])
            k++;
        uint8_t *at = k < end ? &used[(size_t)net->out[k] * t->physical->channels + t->channel[link]] : NULL;
        free_so_far = at && !*at;
        if (at)
            *at = 1;
    }
    return free_so_far;
}

/** Fewest lightpaths from a node to all others, by going over all of them again and again. */
static void find_hops(uint32_t *hops, const struct logical *t, uint32_t src)
{
    uint32_t nodes = t->physical->nodes;
    for (uint32_t v = 0; v < nodes; v++)
        hops[v] = v == src ? 0 : nodes;
    for (bool nearer = true; nearer;) {
        nearer = false;
        for (uint32_t l = 0; l < t->links; l++)
            if (hops[t->from[l]] + 1 < hops[t->to[l]]) {
                hops[t->to[l]] = hops[t->from[l]] + 1;
                nearer = true;
            }
    }
}

static void check_topology(const struct logical *t, const struct logical_choice *choice)
{
    uint32_t hops[LOGICAL_NODES], path[LOGICAL_NODES + 1], farthest = 0;
    uint8_t *used = calloc((size_t)t->physical->listed->link_count * t->physical->channels + 1, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(used);
    for (uint32_t l = 0; l < t->links; l++) {
        CU_ASSERT_TRUE(take_channel(used, t, l));
        CU_ASSERT_TRUE(t->from[l] == t->to[l ^ 1] && t->to[l] == t->from[l ^ 1]);
        CU_ASSERT_TRUE(logical_path(path, t, l) - 1 <= choice->longest);
    }
    for (uint32_t src = 0; src < t->physical->nodes; src++) {
        find_hops(hops, t, src);
        for (uint32_t v = 0; v < t->physical->nodes; v++) {
            CU_ASSERT_EQUAL(hops[v], t->hops[src * t->physical->nodes + v]);
            farthest = hops[v] > farthest ? hops[v] : farthest;
        }
    }
    CU_ASSERT_EQUAL(farthest, t->farthest);
    free(used);
}

/* ---- how blocks travel ---- */

/** Step in which each node has each block (0: from the start; UINT32_MAX: never); every lightpath leaves from a holder, no block comes
 *  twice, and the load of each step is that of its fullest lightpath. */
static uint32_t *arrivals_of(const struct carriages *c, const struct logical *t, uint32_t parts)
{
    uint32_t nodes = t->physical->nodes, blocks = nodes * parts, *arrival = calloc((size_t)nodes * blocks, sizeof *arrival);
    CU_ASSERT_PTR_NOT_NULL_FATAL(arrival);
    for (uint32_t i = 0; i < nodes * blocks; i++)
        arrival[i] = i % blocks / parts == i / blocks ? 0 : UINT32_MAX;
    for (size_t i = 0, side = 1; i < c->count; i++, side++) {
        const struct carriage *now = &c->list[i];
        bool same = i > 0 && c->list[i - 1].step == now->step && c->list[i - 1].link == now->link;
        side = same ? side : 1;
        CU_ASSERT_TRUE(side <= c->load[now->step]);
        CU_ASSERT_TRUE(arrival[t->from[now->link] * blocks + now->block] < now->step);
        uint32_t *at = &arrival[t->to[now->link] * blocks + now->block];
        CU_ASSERT_EQUAL(*at, UINT32_MAX);
        *at = now->step;
    }
    return arrival;
}

static void check_all_gather(const struct logical *t, uint32_t parts, uint32_t most)
{
    struct travelling how = {.parts = parts, .most = most, .limit_s = INFINITY};
    struct carriages c;
    CU_ASSERT_EQUAL_FATAL(logical_all_gather(&c, t, &how, NULL), RWA_OK);
    CU_ASSERT_TRUE(c.steps >= t->farthest);
    CU_ASSERT_EQUAL_FATAL(carriages_sort(&c, t, NULL), RWA_OK);
    uint32_t *arrival = arrivals_of(&c, t, parts), nodes = t->physical->nodes;
    for (uint32_t i = 0; i < nodes * nodes * parts; i++)
        CU_ASSERT_TRUE(arrival[i] <= c.steps);
    for (uint32_t step = 1; step <= c.steps; step++)
        CU_ASSERT_TRUE(c.load[step] <= most);
    free(arrival);
    carriages_free(&c);
}

static void check_all_to_all(const struct logical *t)
{
    struct carriages c;
    uint32_t nodes = t->physical->nodes, *at = calloc((size_t)nodes * nodes, sizeof *at);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    CU_ASSERT_EQUAL_FATAL(logical_all_to_all(&c, t, &(struct travelling){.parts = 1, .limit_s = INFINITY}, NULL), RWA_OK);
    CU_ASSERT_EQUAL(c.steps, t->farthest);
    CU_ASSERT_EQUAL_FATAL(carriages_sort(&c, t, NULL), RWA_OK);
    for (uint32_t pair = 0; pair < nodes * nodes; pair++)
        at[pair] = pair / nodes;
    for (size_t i = 0; i < c.count; i++) { /* steps ascend: every block goes on from where it is */
        CU_ASSERT_EQUAL(at[c.list[i].block], t->from[c.list[i].link]);
        at[c.list[i].block] = t->to[c.list[i].link];
    }
    for (uint32_t pair = 0; pair < nodes * nodes; pair++)
        CU_ASSERT_EQUAL(at[pair], pair % nodes);
    free(at);
    carriages_free(&c);
}

/** Levels, on rings and lines with enough channels and nodes; otherwise greedily chosen lightpaths. */
static struct logical_choice random_choice(uint64_t *random, const struct physical *p)
{
    uint32_t ratio = 3 + (uint32_t)base_random_below(random, 2), levels = 2 + (uint32_t)base_random_below(random, 2);
    uint32_t longest = levels == 2 ? ratio : ratio * ratio;
    if (network_has_arcs(p->net) && levels <= p->channels && longest <= p->farthest)
        return (struct logical_choice){.longest = longest, .levels = levels, .ratio = ratio,
                                       .extra = 1 + (uint32_t)base_random_below(random, levels - 1)};
    return (struct logical_choice){.longest = 1 + (uint32_t)base_random_below(random, p->farthest),
                                   .neighbours = 1 + (uint32_t)base_random_below(random, p->channels),
                                   .joined = (uint32_t)base_random_below(random, 9)};
}

/* The degree counts the lightpaths of the node that has fewest; where more are wanted, and only there, a topology is given up. */
static void check_given_up(const struct logical *t, const struct logical_choice *choice, uint32_t wanted)
{
    struct logical again;
    uint32_t fewest = UINT32_MAX;
    for (uint32_t v = 0; v < t->physical->nodes; v++) {
        uint32_t out = 0;
        for (uint32_t l = 0; l < t->links; l++)
            out += t->from[l] == v;
        fewest = out < fewest ? out : fewest;
    }
    CU_ASSERT_EQUAL(t->degree, fewest);
    CU_ASSERT_EQUAL_FATAL(logical_open(&again, t->physical, choice, wanted, NULL), RWA_OK);
    CU_ASSERT_EQUAL(again.given_up, t->degree < wanted);
    CU_ASSERT_TRUE(again.given_up || (again.links == t->links && again.farthest == t->farthest));
    logical_close(&again);
}

/* Lightpaths of a topology are all up at once, so no two share a channel of a link; blocks then travel as the headers say. */
static void topologies_and_travels_hold(void)
{
    uint64_t random = 5;
    for (int round = 0; round < 400; round++) {
        uint32_t wavelengths = 1 + (uint32_t)base_random_below(&random, 12), fibers = 1 + (uint32_t)base_random_below(&random, 2);
        rwa_network *net = network_with(specs[base_random_below(&random, SPECS)], wavelengths, fibers);
        struct physical physical;
        struct logical t;
        struct logical_choice choice;
        CU_ASSERT_EQUAL_FATAL(physical_open(&physical, net, NULL, NULL), RWA_OK);
        choice = random_choice(&random, &physical);
        CU_ASSERT_EQUAL_FATAL(logical_open(&t, &physical, &choice, 0, NULL), RWA_OK);
        check_topology(&t, &choice);
        check_given_up(&t, &choice, (uint32_t)base_random_below(&random, t.degree + 3));
        uint32_t parts = 1 + (uint32_t)base_random_below(&random, 5), most = 1 + (uint32_t)base_random_below(&random, 6);
        check_all_gather(&t, parts, most);
        check_all_to_all(&t);
        logical_close(&t);
        physical_close(&physical);
        rwa_network_free(net);
    }
}

/* On a large mesh the lines of a dimension have the same topology, whose extent says that of the mesh: the longest way, and how many
 * lightpaths lead to the node with the fewest, none twice from the same one. */
static void lines_say_what_a_mesh_has(void)
{
    static const char *const meshes[] = {"mesh:17x16", "mesh:7x1x38", "mesh:9x6x5"};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        rwa_network *net = network_of(meshes[i], 5);
        struct logical_choice choice = {.longest = 6, .neighbours = 2, .joined = 2};
        struct physical physical;
        struct logical t;
        struct lines_extent extent;
        CU_ASSERT_EQUAL_FATAL(physical_open(&physical, net, NULL, NULL), RWA_OK);
        CU_ASSERT_EQUAL(physical.lines, i < 2 ? 2 : 3);
        CU_ASSERT_EQUAL_FATAL(logical_measure(&extent, &physical, &choice, false, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(logical_open(&t, &physical, &choice, 0, NULL), RWA_OK);
        uint32_t nodes = physical.nodes, fewest = UINT32_MAX, *near = calloc(nodes, sizeof *near);
        CU_ASSERT_PTR_NOT_NULL_FATAL(near);
        for (uint32_t to = 0; to < nodes; to++) {
            uint32_t here = 0;
            for (uint32_t l = 0; l < t.links; l++)
                if (t.to[l] == to && near[t.from[l]] != to + 1) {
                    near[t.from[l]] = to + 1;
                    here++;
                }
            fewest = here < fewest ? here : fewest;
        }
        CU_ASSERT_TRUE(extent.farthest == t.farthest && extent.lit[0] == fewest && extent.lit[1] >= fewest);
        check_topology(&t, &choice);
        check_given_up(&t, &choice, t.degree + (uint32_t)i % 2);
        check_all_gather(&t, 1, 8);
        check_all_to_all(&t);
        free(near);
        logical_close(&t);
        physical_close(&physical);
        rwa_network_free(net);
    }
}

/* Beyond 256 nodes that are not all alike pairs are joined in random order, by no less than what neighbours take alone; what a topology
 * is said to have, it has. */
static void pairs_far_apart_are_joined(void)
{
    static const char *const unlike[] = {"geometric:300:1", "tree:6x3", "waxman:270:2"};
    for (size_t i = 0; i < sizeof unlike / sizeof *unlike; i++)
        for (uint32_t longest = 1; longest <= 6; longest += 5) {
            rwa_network *net = network_of(unlike[i], 3);
            struct logical_choice choice = {.longest = longest, .neighbours = 1, .joined = UINT32_MAX};
            struct physical physical;
            struct logical t;
            struct lines_extent gather, exchange;
            CU_ASSERT_EQUAL_FATAL(physical_open(&physical, net, NULL, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(logical_measure(&gather, &physical, &choice, false, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(logical_measure(&exchange, &physical, &choice, true, NULL), RWA_OK);
            CU_ASSERT_EQUAL_FATAL(logical_open(&t, &physical, &choice, 0, NULL), RWA_OK);
            CU_ASSERT_TRUE(physical.lines == 0 && gather.farthest == t.farthest && exchange.load > 0);
            CU_ASSERT_TRUE(longest == 1 ? t.farthest == physical.farthest : t.farthest < physical.farthest + (i > 0));
            CU_ASSERT_TRUE(gather.lit[0] >= 1 && gather.lit[0] <= gather.lit[1] && gather.lit[1] <= t.degree);
            check_topology(&t, &choice);
            check_given_up(&t, &choice, t.degree + longest % 2);
            check_all_gather(&t, 1, 8);
            check_all_to_all(&t);
            logical_close(&t);
            physical_close(&physical);
            rwa_network_free(net);
        }
}

/* Up to the nearest end of longer lightpaths a node needs (r - 1) / 2 lightpaths of each length but the longest, and as many lead down
 * again; between, half of the ring of the longest ones.  On other nodes these ways are the shortest, so that no all-gather and no
 * all-to-all takes fewer steps, and where lightpaths carry any number of blocks none takes more. */
static void levels_take_the_steps_of_their_closed_form(void)
{
    for (uint32_t levels = 2; levels <= 4; levels++)
        for (uint32_t ratio = 3; ratio <= 7; ratio += 2)
            for (uint32_t around = 4; around <= 12; around++) {
                uint32_t longest = (uint32_t)lround(pow(ratio, levels - 1));
                struct logical_choice choice = {.longest = longest, .levels = levels, .ratio = ratio, .extra = 1};
                uint32_t steps = (levels - 1) * (ratio - 1) + around / 2, nodes = longest * around;
                if (nodes > (levels == 4 ? 300 : 200))
                    continue;
                struct travelling how = {.parts = 1, .most = nodes, .limit_s = INFINITY};
                struct physical physical;
                struct logical t;
                struct carriages gather, exchange;
                char spec[16];
                snprintf(spec, sizeof spec, "ring:%u", nodes);
                rwa_network *net = network_of(spec, levels);
                CU_ASSERT_EQUAL_FATAL(physical_open(&physical, net, NULL, NULL), RWA_OK);
                CU_ASSERT_EQUAL_FATAL(logical_open(&t, &physical, &choice, 0, NULL), RWA_OK);
                CU_ASSERT_EQUAL_FATAL(logical_all_gather(&gather, &t, &how, NULL), RWA_OK);
                CU_ASSERT_EQUAL_FATAL(logical_all_to_all(&exchange, &t, &how, NULL), RWA_OK);
                CU_ASSERT_TRUE(t.farthest == steps && gather.steps == steps && exchange.steps == steps);
                carriages_free(&gather);
                carriages_free(&exchange);
                logical_close(&t);
                physical_close(&physical);
                rwa_network_free(net);
            }
}

/* Nothing that is slow goes on once the budget has ended: neither the distances over levels, nor the ways of blocks, nor their order. */
static void an_ended_budget_ends_it(void)
{
    struct budget budget = base_budget(0, NULL, NULL);
    struct travelling how = {.parts = 1, .most = 1, .limit_s = INFINITY};
    struct logical_choice greedy = {.longest = 4, .neighbours = 1, .joined = 2};
    struct logical_choice levels = {.longest = 3, .levels = 2, .ratio = 3, .extra = 1};
    rwa_network *net = network_of("ring:16", 4);
    struct physical physical;
    struct logical t, other;
    struct carriages c;
    CU_ASSERT_EQUAL_FATAL(physical_open(&physical, net, &budget, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(logical_open(&t, &physical, &greedy, 0, NULL), RWA_OK);
    budget.cancelled = true;
    CU_ASSERT_EQUAL(logical_open(&other, &physical, &levels, 0, NULL), RWA_CANCELLED);
    logical_close(&other);
    CU_ASSERT_EQUAL(logical_open(&other, &physical, &greedy, 0, NULL), RWA_CANCELLED);
    logical_close(&other);
    CU_ASSERT_EQUAL(logical_all_gather(&c, &t, &how, NULL), RWA_CANCELLED);
    carriages_free(&c);
    CU_ASSERT_EQUAL(logical_all_to_all(&c, &t, &how, NULL), RWA_CANCELLED);
    carriages_free(&c);
    logical_close(&t);
    physical_close(&physical);
    rwa_network_free(net);
}

/* ---- plans ---- */

static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE, RWA_ALL_TO_ALL};

/** NULL: the network has none. */
static rwa_plan *plan_on(const rwa_network *net, rwa_collective_kind kind, uint64_t bytes, const char *scheme, rwa_cost_model model)
{
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, rwa_network_nodes(net), 0, bytes, 0, NULL), RWA_OK);
    rwa_plan_options_init(&o);
    o.scheme = scheme;
    o.cost.model = model;
    o.cost.alpha_s = 1e-6;
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
    if (!rwa_plan_schedule(plan)) {
        rwa_plan_free(plan);
        return NULL;
    }
    return plan;
}

/* With and without tuning a plan differs by one reconfiguration: all lightpaths are up from the first step on, in both halves of an
 * all-reduce too.  An all-gather and an all-to-all exist everywhere; sums need a lightpath to each node that is not its only way. */
static void one_reconfiguration_is_all(void)
{
    static const uint32_t wavelengths[] = {1, 4, 7};
    uint32_t sums = 0;
    for (size_t i = 0; i < SPECS; i++)
        for (size_t k = 0; k < sizeof wavelengths / sizeof *wavelengths; k++)
            for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
                rwa_network *net = network_of(specs[i], wavelengths[k]);
                rwa_plan *plan = plan_on(net, kinds[c], 1 << 18, "logical-topology", RWA_COST_CIRCUIT);
                CU_ASSERT_TRUE(plan || rwa_collective_is_reduction(kinds[c]));
                sums += plan && rwa_collective_is_reduction(kinds[c]);
                if (plan) {
                    const rwa_plan_report *sum = rwa_plan_summary(plan);
                    CU_ASSERT_TRUE(sum->check->ok);
                    double free_s = circuit_s(rwa_plan_schedule(plan), 0), dear_s = circuit_s(rwa_plan_schedule(plan), 1e-3);
                    CU_ASSERT_DOUBLE_EQUAL(dear_s, free_s + 1e-3, 1e-12);
                    CU_ASSERT_TRUE(sum->time_s >= sum->time_bound_s * (1 - 1e-9));
                }
                rwa_plan_free(plan);
                rwa_network_free(net);
            }
    CU_ASSERT_TRUE(sums > 60);
}

/* With three ports a tree reaches all nodes, and with two a path of lightpaths does, which no link of one channel is in the way of; the
 * checker counts lightpaths at the ports, and one setting is all. */
static void few_ports_are_kept_to(void)
{
    for (size_t i = 0; i < SPECS; i++)
        for (uint32_t ports = 2; ports <= 4; ports++)
            for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
                rwa_network *net = NULL;
                rwa_network_options o;
                rwa_network_options_init(&o);
                o.wavelengths = 4;
                o.ports = ports;
                CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, specs[i], &o, NULL), RWA_OK);
                rwa_plan *plan = plan_on(net, kinds[c], 1 << 18, "logical-topology", RWA_COST_CIRCUIT);
                CU_ASSERT_TRUE(plan || rwa_collective_is_reduction(kinds[c]));
                if (plan) {
                    CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok);
                    CU_ASSERT_DOUBLE_EQUAL(circuit_s(rwa_plan_schedule(plan), 1e-3), circuit_s(rwa_plan_schedule(plan), 0) + 1e-3, 1e-12);
                }
                rwa_plan_free(plan);
                rwa_network_free(net);
            }
}

/* Beyond 256 nodes lightpaths have levels, lie along the lines of a mesh or join pairs far apart; every collective of every
 * size is planned there too, its lightpaths tuned once. */
static void large_networks_are_tuned_once(void)
{
    static const char *const large[] = {"ring:257", "ring:300", "line:300", "ring:511", "mesh:17x16", "mesh:9x6x5",
                                        "geometric:300:1"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
            if (!thorough && c != i % 4)
                continue;
            rwa_network *net = network_of(large[i], 4);
            rwa_plan *plan = plan_on(net, kinds[c], 4000, "logical-topology", RWA_COST_CIRCUIT);
            CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
            CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok);
            CU_ASSERT_DOUBLE_EQUAL(circuit_s(rwa_plan_schedule(plan), 1e-3), circuit_s(rwa_plan_schedule(plan), 0) + 1e-3, 1e-12);
            rwa_plan_free(plan);
            rwa_network_free(net);
        }
}

/* In the model `overlap` lightpaths may come up later, on channels that were idle so far; once up they stay, so that tuning is paid for
 * once, before the first step, and each step after it starts up for 1 us. */
static void later_lightpaths_are_tuned_in_time(void)
{
    for (size_t i = 0; i < SPECS; i++)
        for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
            rwa_network *net = network_of(specs[i], 4);
            rwa_plan *plan = plan_on(net, kinds[c], 1 << 18, "logical-topology", RWA_COST_OVERLAP);
            rwa_cost_options paper;
            double paper_s = 0;
            CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
            rwa_cost_options_init(&paper);
            CU_ASSERT_EQUAL(rwa_cost_schedule(&paper_s, rwa_plan_schedule(plan), &paper, NULL), RWA_OK);
            const rwa_plan_report *sum = rwa_plan_summary(plan);
            CU_ASSERT_TRUE(sum->check->ok);
            CU_ASSERT_DOUBLE_EQUAL(sum->time_s, paper_s - (sum->steps - 1) * (paper.reconfig_s - 1e-6), 1e-10);
            rwa_plan_free(plan);
            rwa_network_free(net);
        }
}

/* With one channel a lightpath over two links would leave the first of them to no other: blocks go from node to node, down the line. */
static void one_channel_goes_from_node_to_node(void)
{
    for (uint32_t n = 3; n <= 40; n++) {
        char spec[16];
        snprintf(spec, sizeof spec, "line:%u", n);
        rwa_network *net = network_of(spec, 1);
        rwa_plan *plan = plan_on(net, RWA_ALL_GATHER, 1 << 16, "logical-topology", RWA_COST_CIRCUIT);
        CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
        CU_ASSERT_EQUAL(rwa_plan_summary(plan)->steps, n - 1);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

/* Where tuning takes 25 us and a step 1 us, a plan that tunes twice takes more than 50 us: these take no more than 1.3 times the bound. */
static void auto_takes_it_where_tuning_is_dear(void)
{
    static const struct {
        const char *spec;
        rwa_collective_kind kind;
    } rows[] = {
        {"line:64", RWA_REDUCE_SCATTER}, {"mesh:8x8", RWA_ALL_GATHER}, {"mesh:8x8", RWA_ALL_TO_ALL}, {"nsfnet14-21", RWA_ALL_REDUCE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rwa_network *net = network_of(rows[i].spec, 4);
        rwa_plan *plan = plan_on(net, rows[i].kind, 4000, "auto", RWA_COST_CIRCUIT);
        CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
        const rwa_plan_report *sum = rwa_plan_summary(plan);
        CU_ASSERT_STRING_EQUAL(rwa_schedule_scheme(rwa_plan_schedule(plan)), "logical-topology");
        CU_ASSERT_TRUE(sum->time_s <= 1.3 * sum->time_bound_s);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

static void what_does_not_suit_is_refused(void)
{
    static const char *const others[] = {"line:2049", "torus:17x17", "hypercube:9", "line:2"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        rwa_network *net = network_of(others[i], 4);
        CU_ASSERT_PTR_NULL(plan_on(net, RWA_ALL_GATHER, 4000, "logical-topology", RWA_COST_CIRCUIT));
        rwa_network_free(net);
    }
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(topologies_and_travels_hold), TEST(an_ended_budget_ends_it), TEST(one_reconfiguration_is_all),
        TEST(later_lightpaths_are_tuned_in_time),
        TEST(one_channel_goes_from_node_to_node), TEST(levels_take_the_steps_of_their_closed_form), TEST(large_networks_are_tuned_once),
        TEST(lines_say_what_a_mesh_has), TEST(pairs_far_apart_are_joined), TEST(few_ports_are_kept_to),
        TEST(auto_takes_it_where_tuning_is_dear), TEST(what_does_not_suit_is_refused), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("logical-topology", tests);
}
