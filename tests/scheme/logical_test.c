/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Logical topologies: lightpaths do not meet, blocks arrive once and in time, and one reconfiguration is all that a
 *  plan takes. */
#include "rwa.h"

#include "scheme/circuits/circuits.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <stdlib.h>

static bool thorough;

static const char *const specs[] = {"line:3", "line:10", "line:17", "ring:5", "ring:12", "ring:19", "ring:26", "mesh:3x4", "mesh:4x4",
                                    "torus:3x3", "hypercube:3", "tree:2x3", "nsfnet14-21", "circulant:13:1,5"};
enum { SPECS = sizeof specs / sizeof *specs };

/* ---- circuits ---- */

/** Mark the channel of a circuit on each of its links; false: another has it, or there is no such link or channel. */
static bool take_channel(uint8_t *used, const struct circuits *t, uint32_t circuit)
{
    const rwa_network *net = t->routes->net;
    uint32_t path[CIRCUIT_NODES + 1], nodes = circuit_path(path, t, circuit);
    bool free_so_far = t->channel[circuit] < t->routes->channels && path[0] == t->from[circuit] && path[nodes - 1] == t->to[circuit];
    for (uint32_t i = 0; i + 1 < nodes && free_so_far; i++) {
        uint32_t k = net->first[path[i]], end = net->first[path[i] + 1];
        while (k < end && net->links[net->out[k]].to != path[i + 1])
            k++;
        uint8_t *at = k < end ? &used[(size_t)net->out[k] * t->routes->channels + t->channel[circuit]] : NULL;
        free_so_far = at && !*at;
        if (at)
            *at = 1;
    }
    return free_so_far;
}

/** Fewest circuits to a node from all others, by going over all of them again and again; returns the most of these. */
static uint32_t check_hops(const struct circuits *t, uint32_t to)
{
    uint32_t nodes = t->routes->nodes, hops[CIRCUIT_NODES], queue[CIRCUIT_NODES], farthest = 0;
    uint16_t found[CIRCUIT_NODES];
    for (uint32_t v = 0; v < nodes; v++)
        hops[v] = v == to ? 0 : nodes;
    for (bool nearer = true; nearer;) {
        nearer = false;
        for (uint32_t l = 0; l < t->count; l++)
            if (hops[t->to[l]] + 1 < hops[t->from[l]]) {
                hops[t->from[l]] = hops[t->to[l]] + 1;
                nearer = true;
            }
    }
    uint32_t most = circuits_hops(found, t, to, queue);
    for (uint32_t v = 0; v < nodes; v++) {
        CU_ASSERT_EQUAL(found[v], hops[v]);
        farthest = hops[v] > farthest ? hops[v] : farthest;
    }
    CU_ASSERT_EQUAL(farthest, most);
    return farthest;
}

/** Returns circuits of the longest way. */
static uint32_t check_circuits(const struct circuits *t, const struct circuit_choice *choice)
{
    uint32_t path[CIRCUIT_NODES + 1], farthest = 0, *out = calloc(t->routes->nodes, sizeof *out), fewest = UINT32_MAX;
    uint8_t *used = calloc((size_t)t->routes->net->link_count * t->routes->channels + 1, 1);
    CU_ASSERT_TRUE_FATAL(out && used);
    for (uint32_t l = 0; l < t->count; l++) {
        CU_ASSERT_TRUE(take_channel(used, t, l));
        CU_ASSERT_TRUE(circuit_path(path, t, l) - 1 <= choice->longest);
        out[t->from[l]]++;
    }
    for (uint32_t v = 0; v < t->routes->nodes; v++) {
        CU_ASSERT_TRUE(out[v] <= t->routes->ports && t->in.first[v + 1] - t->in.first[v] <= t->routes->ports);
        uint32_t most = check_hops(t, v);
        farthest = most > farthest ? most : farthest;
        fewest = out[v] < fewest ? out[v] : fewest;
    }
    CU_ASSERT_EQUAL(t->degree, fewest);
    free(used);
    free(out);
    return farthest;
}

/* ---- how blocks move ---- */

static const rwa_plan_options *options(void)
{
    static rwa_plan_options o;
    rwa_plan_options_init(&o);
    return &o;
}

/** In so many parts, with `most` as the header says; *request and *coll are filled in. */
static struct moving moving(struct plan_request *request, rwa_collective *coll, const struct circuits *t, rwa_collective_kind kind,
                            uint32_t root, uint32_t parts, uint32_t most)
{
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(coll, kind, t->routes->nodes, root, 4096, 0, NULL), RWA_OK);
    *request = (struct plan_request){.net = t->routes->net, .coll = coll, .opts = options()};
    return (struct moving){.request = request, .parts = parts, .most = most, .bytes = 1, .limit_s = INFINITY};
}

/** Every circuit leaves from a holder of what it carries, no block comes twice, no circuit carries more than it may,
 *  and in the end all *  have all. */
static void check_all_gather(const struct circuits *t, uint32_t parts, uint32_t most)
{
    struct plan_request request;
    rwa_collective coll;
    struct moving how = moving(&request, &coll, t, RWA_ALL_GATHER, 0, parts, most);
    struct moves m;
    CU_ASSERT_EQUAL_FATAL(moves_gather(&m, t, &how, NULL), RWA_OK);
    uint32_t nodes = t->routes->nodes, blocks = nodes * parts, *load = calloc((size_t)(m.steps + 1) * t->count, sizeof *load);
    uint32_t *arrival = calloc((size_t)nodes * blocks, sizeof *arrival);
    CU_ASSERT_TRUE_FATAL(load && arrival);
    for (uint32_t i = 0; i < nodes * blocks; i++)
        arrival[i] = i % blocks / parts == i / blocks ? 0 : UINT32_MAX;
    for (size_t i = 0; i < m.count; i++) {
        const struct move *now = &m.list[i];
        uint32_t circuit = now->place % t->count, step = now->place / t->count + 1;
        uint32_t *at = &arrival[t->to[circuit] * blocks + now->block];
        CU_ASSERT_TRUE(step <= m.steps && ++load[now->place] <= most);
        CU_ASSERT_TRUE(arrival[t->from[circuit] * blocks + now->block] < step);
        CU_ASSERT_EQUAL(*at, UINT32_MAX);
        *at = step;
    }
    CU_ASSERT_EQUAL(m.count, (size_t)(nodes - 1) * blocks);
    free(load);
    free(arrival);
    moves_free(&m);
}

COMPARATOR(by_place, struct move, UP(place))

/** Every block goes from where it is to its end, a step after the other; all in as few steps as the farthest nodes
 *  are apart, and as many more as they may wait. */
static void check_exchange(const struct circuits *t, uint32_t farthest, uint32_t most)
{
    struct plan_request request;
    rwa_collective coll;
    uint32_t nodes = t->routes->nodes, blocks = nodes * nodes, *at = calloc(blocks, sizeof *at);
    struct moving how = moving(&request, &coll, t, RWA_ALL_TO_ALL, 0, 1, most);
    struct moves m;
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    CU_ASSERT_EQUAL_FATAL(moves_exchange(&m, t, &how, NULL), RWA_OK);
    CU_ASSERT_TRUE(m.steps >= farthest && m.steps <= farthest + most - 1);
    for (uint32_t b = 0; b < blocks; b++)
        at[b] = b / nodes;
    base_sort(m.list, m.count, by_place);
    for (size_t i = 0; i < m.count; i++) {
        uint32_t circuit = m.list[i].place % t->count;
        CU_ASSERT_TRUE(m.list[i].place < m.steps * t->count);
        CU_ASSERT_EQUAL(at[m.list[i].block], t->from[circuit]);
        at[m.list[i].block] = t->to[circuit];
    }
    for (uint32_t b = 0; b < blocks; b++)
        CU_ASSERT_EQUAL(at[b], b % nodes);
    free(at);
    moves_free(&m);
}

static struct circuit_choice random_choice(uint64_t *random, const struct route_table *r, bool arcs)
{
    uint32_t ratio = 3 + (uint32_t)base_random_below(random, 2), levels = 2 + (uint32_t)base_random_below(random, 2);
    uint32_t longest = levels == 2 ? ratio : ratio * ratio;
    if (arcs && levels <= r->channels && longest <= r->farthest)
        return (struct circuit_choice){.longest = longest, .levels = levels, .ratio = ratio};
    if (arcs && base_random_below(random, 3) == 0)
        return (struct circuit_choice){.longest = r->farthest, .levels = levels - 1, .ratio = ratio, .round = true};
    return (struct circuit_choice){.longest = 1 + (uint32_t)base_random_below(random, r->farthest),
                                   .neighbours = 1 + (uint32_t)base_random_below(random, r->channels)};
}

/* Circuits are all up at once, so no two share a channel of a link; blocks then move as the headers say. */
static void circuits_and_moves_hold(void)
{
    uint64_t random = 5;
    for (int round = 0; round < 400; round++) {
        uint32_t wavelengths = 1 + (uint32_t)base_random_below(&random, 12), fibers = 1 + (uint32_t)base_random_below(&random, 2);
        rwa_network *net = network_with(specs[base_random_below(&random, SPECS)], wavelengths, fibers);
        struct route_table routes;
        struct circuits t;
        CU_ASSERT_EQUAL_FATAL(routes_open(&routes, net, NULL, rwa_network_nodes(net), NULL, NULL), RWA_OK);
        struct circuit_choice choice = random_choice(&random, &routes, network_has_arcs(net));
        CU_ASSERT_EQUAL_FATAL(circuits_open(&t, &routes, &choice, NULL), RWA_OK);
        uint32_t farthest = check_circuits(&t, &choice), wait = 1 + (uint32_t)base_random_below(&random, 4);
        check_all_gather(&t, 1 + (uint32_t)base_random_below(&random, 5), 1 + (uint32_t)base_random_below(&random, 6));
        check_exchange(&t, farthest, wait);
        circuits_close(&t);
        routes_close(&routes);
        rwa_network_free(net);
    }
}

/* Up to the nearest end of longer circuits a node needs (r - 1) / 2 circuits of each length but the longest, and as many lead down again;
 * between, half of the ring of the longest ones.  No all-gather takes fewer steps, and where circuits carry any number of blocks none
 * takes more. */
static void levels_take_the_steps_of_their_closed_form(void)
{
    for (uint32_t levels = 2; levels <= 4; levels++)
        for (uint32_t ratio = 3; ratio <= 7; ratio += 2)
            for (uint32_t around = 4; around <= 12; around++) {
                uint32_t longest = (uint32_t)lround(pow(ratio, levels - 1)), steps = (levels - 1) * (ratio - 1) + around / 2;
                struct circuit_choice choice = {.longest = longest, .levels = levels, .ratio = ratio};
                uint32_t nodes = longest * around;
                if (nodes > (levels == 4 ? 300 : 200))
                    continue;
                struct plan_request request;
                rwa_collective coll;
                struct route_table routes;
                struct circuits t;
                struct moves m;
                char spec[16];
                snprintf(spec, sizeof spec, "ring:%u", nodes);
                rwa_network *net = network_of(spec, levels);
                CU_ASSERT_EQUAL_FATAL(routes_open(&routes, net, NULL, rwa_network_nodes(net), NULL, NULL), RWA_OK);
                CU_ASSERT_EQUAL_FATAL(circuits_open(&t, &routes, &choice, NULL), RWA_OK);
                struct moving how = moving(&request, &coll, &t, RWA_ALL_GATHER, 0, 1, nodes);
                CU_ASSERT_EQUAL_FATAL(moves_gather(&m, &t, &how, NULL), RWA_OK);
                CU_ASSERT_EQUAL(m.steps, steps);
                check_exchange(&t, steps, 1);
                moves_free(&m);
                circuits_close(&t);
                routes_close(&routes);
                rwa_network_free(net);
            }
}

/* Nothing that is slow goes on once the budget has ended: neither the choice of circuits, nor the moves of blocks. */
static void an_ended_budget_ends_it(void)
{
    struct budget budget = base_budget(0, NULL, NULL);
    struct circuit_choice choice = {.longest = 4, .neighbours = 1};
    rwa_network *net = network_of("ring:16", 4);
    struct plan_request request;
    rwa_collective coll;
    struct route_table routes;
    struct circuits t, other;
    struct moves m;
    CU_ASSERT_EQUAL_FATAL(routes_open(&routes, net, NULL, rwa_network_nodes(net), &budget, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(circuits_open(&t, &routes, &choice, NULL), RWA_OK);
    budget.cancelled = true;
    CU_ASSERT_EQUAL(circuits_open(&other, &routes, &choice, NULL), RWA_CANCELLED);
    circuits_close(&other);
    struct moving how = moving(&request, &coll, &t, RWA_ALL_GATHER, 0, 1, 1);
    CU_ASSERT_EQUAL(moves_gather(&m, &t, &how, NULL), RWA_CANCELLED);
    moves_free(&m);
    how = moving(&request, &coll, &t, RWA_ALL_TO_ALL, 0, 1, 1);
    CU_ASSERT_EQUAL(moves_exchange(&m, &t, &how, NULL), RWA_CANCELLED);
    moves_free(&m);
    circuits_close(&t);
    routes_close(&routes);
    rwa_network_free(net);
}

/* ---- plans ---- */

static const rwa_collective_kind kinds[] = {RWA_ALL_GATHER, RWA_REDUCE_SCATTER, RWA_ALL_REDUCE, RWA_ALL_TO_ALL, RWA_GATHER};
enum { KINDS = sizeof kinds / sizeof *kinds };

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
 * all-reduce too. */
static void one_reconfiguration_is_all(void)
{
    static const uint32_t wavelengths[] = {1, 4, 7};
    for (size_t i = 0; i < SPECS; i++)
        for (size_t k = 0; k < sizeof wavelengths / sizeof *wavelengths; k++)
            for (size_t c = 0; c < KINDS; c++) {
                rwa_network *net = network_of(specs[i], wavelengths[k]);
                rwa_plan *plan = plan_on(net, kinds[c], 1 << 18, "logical-topology", RWA_COST_CIRCUIT);
                CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
                const rwa_plan_report *sum = rwa_plan_summary(plan);
                CU_ASSERT_TRUE(sum->check->ok);
                double free_s = circuit_s(rwa_plan_schedule(plan), 0), dear_s = circuit_s(rwa_plan_schedule(plan), 1e-3);
                CU_ASSERT_DOUBLE_EQUAL(dear_s, free_s + 1e-3, 1e-12);
                CU_ASSERT_TRUE(sum->time_s >= sum->time_bound_s * (1 - 1e-9));
                rwa_plan_free(plan);
                rwa_network_free(net);
            }
}

/* With three ports a tree reaches all nodes, with two a path of lightpaths, and with one a way round, of which no link carries more than
 * one; the checker counts lightpaths at the ports, and one setting is all.  With one port only pairs of nodes have lightpaths both ways. */
static void few_ports_are_kept_to(void)
{
    for (size_t i = 0; i < SPECS; i++)
        for (uint32_t ports = 1; ports <= 4; ports++)
            for (size_t c = 0; c < KINDS; c++) {
                rwa_network *net = NULL;
                if (ports == 1 && kinds[c] == RWA_ALL_REDUCE)
                    continue;
                rwa_network_options o;
                rwa_network_options_init(&o);
                o.wavelengths = 4;
                o.ports = ports;
                CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, specs[i], &o, NULL), RWA_OK);
                rwa_plan *plan = plan_on(net, kinds[c], 1 << 18, "logical-topology", RWA_COST_CIRCUIT);
                CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
                CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok);
                CU_ASSERT_DOUBLE_EQUAL(circuit_s(rwa_plan_schedule(plan), 1e-3), circuit_s(rwa_plan_schedule(plan), 0) + 1e-3, 1e-12);
                rwa_plan_free(plan);
                rwa_network_free(net);
            }
}

/* With a limit a lightpath carries no more, and blocks take more steps. */
static void a_limit_of_blocks_is_kept_to(void)
{
    for (size_t i = 0; i < SPECS; i++)
        for (uint32_t most = 1; most <= 4; most *= 2)
            for (size_t c = 0; c < KINDS; c++) {
                rwa_network *net = network_of(specs[i], 4);
                rwa_collective coll;
                rwa_plan_options o;
                rwa_plan *plan = NULL;
                rwa_plan_options_init(&o);
                o.scheme = "logical-topology";
                o.cost.model = RWA_COST_CIRCUIT;
                o.lightpath_blocks = most;
                CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kinds[c], rwa_network_nodes(net), 0, 1 << 14, 0, NULL), RWA_OK);
                CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
                if (rwa_plan_schedule(plan))
                    CU_ASSERT_TRUE(rwa_schedule_lightpath_blocks(rwa_plan_schedule(plan)) <= most);
                CU_ASSERT_TRUE(rwa_plan_schedule(plan) || kinds[c] == RWA_ALL_TO_ALL || kinds[c] == RWA_GATHER);
                rwa_plan_free(plan);
                rwa_network_free(net);
            }
}

static rwa_plan *plan_among(const rwa_network *net, rwa_collective_kind kind, uint32_t *members, uint32_t count, const char *scheme)
{
    rwa_collective coll;
    rwa_plan_options o;
    rwa_plan *plan = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, kind, count, 0, 1000000, 0, NULL), RWA_OK);
    rwa_plan_options_init(&o);
    o.scheme = scheme;
    o.members = members;
    o.cost.model = RWA_COST_CIRCUIT;
    o.cost.alpha_s = 1e-6;
    CU_ASSERT_EQUAL_FATAL(rwa_plan_make(&plan, net, &coll, &o, NULL), RWA_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_plan_schedule(plan));
    CU_ASSERT_TRUE(rwa_plan_summary(plan)->check->ok);
    return plan;
}

/* Lightpaths lead past nodes that take no part, and among any of them all collectives are tuned once. */
static void members_are_joined_past_others(void)
{
    static const char *const shapes[] = {"torus:5x6", "mesh:4x4", "nsfnet14-21", "tree:2x3", "hypercube:4"};
    uint64_t random = 3;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t c = 0; c < KINDS; c++) {
            rwa_network *net = network_of(shapes[i], 4);
            uint32_t members[30], count = 0;
            for (uint32_t v = 0; v < rwa_network_nodes(net); v++)
                if (v < 3 || base_random_below(&random, 2))
                    members[count++] = v;
            rwa_plan *plan = plan_among(net, kinds[c], members, count, "logical-topology");
            const rwa_schedule *found = rwa_plan_schedule(plan);
            CU_ASSERT_DOUBLE_EQUAL(circuit_s(found, 1e-3), circuit_s(found, 0) + 1e-3, 1e-12);
            rwa_plan_free(plan);
            rwa_network_free(net);
        }
}

/* Two pairs of rows of a torus: an all-reduce is near its bound. */
static void rows_of_a_torus_are_near_the_bound(void)
{
    rwa_network *net = network_of("torus:6x6", 2);
    uint32_t members[24];
    for (uint32_t i = 0; i < 24; i++)
        members[i] = i < 12 ? i : i + 6;
    rwa_plan *plan = plan_among(net, RWA_ALL_REDUCE, members, 24, NULL);
    CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s <= 1.6 * rwa_plan_summary(plan)->time_bound_s);
    rwa_plan_free(plan);
    rwa_network_free(net);
}

/* Through one port a lightpath a node, one way round, brings small blocks in one setting: on rings and lines `auto` is near the bound. */
static void one_port_is_tuned_once(void)
{
    static const char *const shapes[] = {"ring:15", "ring:32", "line:12", "line:24"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        rwa_network *net = NULL;
        rwa_network_options o;
        rwa_network_options_init(&o);
        o.wavelengths = 2;
        o.ports = 1;
        CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, shapes[i], &o, NULL), RWA_OK);
        rwa_plan *plan = plan_on(net, RWA_ALL_TO_ALL, 4000, NULL, RWA_COST_CIRCUIT);
        CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s <= 1.2 * rwa_plan_summary(plan)->time_bound_s);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

/* A lightpath through a third port is no duty: on a line two of a node suffice. */
static void more_ports_are_no_slower(void)
{
    double before = INFINITY;
    for (uint32_t ports = 2; ports <= 3; ports++) {
        rwa_network *net = NULL;
        rwa_network_options o;
        rwa_network_options_init(&o);
        o.wavelengths = 2;
        o.ports = ports;
        CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, "line:24", &o, NULL), RWA_OK);
        rwa_plan *plan = plan_on(net, RWA_ALL_REDUCE, 1000000, NULL, RWA_COST_CIRCUIT);
        CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s <= before);
        before = rwa_plan_summary(plan)->time_s;
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
        for (size_t c = 0; c < KINDS; c++) {
            if (!thorough && c != i % KINDS)
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
        for (size_t c = 0; c < KINDS; c++) {
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

/* The names of schemes whose work it does plan by it; with links alone a leaf of a tree takes something new in nearly every step. */
static void former_names_are_answered_to(void)
{
    static const struct {
        const char *name;
        rwa_collective_kind kind;
        double most;            /* times the bound */
    } rows[] = {{"gossip", RWA_ALL_GATHER, 1.1}, {"central-tree", RWA_GATHER, 1.3}, {"link-exchange", RWA_ALL_TO_ALL, 1.7}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rwa_network *net = network_of("tree:3x4", 4);
        rwa_plan *plan = plan_on(net, rows[i].kind, 100000000, rows[i].name, RWA_COST_OVERLAP);
        CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
        CU_ASSERT_STRING_EQUAL(rwa_schedule_scheme(rwa_plan_schedule(plan)), "logical-topology");
        CU_ASSERT_TRUE(rwa_plan_summary(plan)->time_s <= rows[i].most * rwa_plan_summary(plan)->time_bound_s);
        rwa_plan_free(plan);
        rwa_network_free(net);
    }
}

static void what_does_not_suit_is_refused(void)
{
    static const char *const others[] = {"line:2049", "line:2"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        rwa_network *net = network_of(others[i], 4);
        CU_ASSERT_PTR_NULL(plan_on(net, RWA_ALL_GATHER, 4000, "logical-topology", RWA_COST_CIRCUIT));
        rwa_network_free(net);
    }
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(circuits_and_moves_hold), TEST(an_ended_budget_ends_it), TEST(one_reconfiguration_is_all),
        TEST(later_lightpaths_are_tuned_in_time),
        TEST(one_channel_goes_from_node_to_node), TEST(levels_take_the_steps_of_their_closed_form), TEST(large_networks_are_tuned_once),
        TEST(few_ports_are_kept_to),
        TEST(a_limit_of_blocks_is_kept_to), TEST(one_port_is_tuned_once), TEST(more_ports_are_no_slower),
        TEST(members_are_joined_past_others),
        TEST(rows_of_a_torus_are_near_the_bound), TEST(former_names_are_answered_to),
        TEST(auto_takes_it_where_tuning_is_dear), TEST(what_does_not_suit_is_refused), {0}};
    thorough = is_thorough(argc, argv);
    return run_tests("logical-topology", tests);
}
