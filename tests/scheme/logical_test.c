/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Logical topologies: lightpaths do not meet, blocks arrive once and in time, and one reconfiguration is all that a
 *  plan takes. */
#include "network/network.h"
#include "scheme/circuits/circuits.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static const char *const specs[] = {"line:3",      "line:10",  "line:17",     "ring:5",          "ring:12",
                                    "ring:19",     "ring:26",  "mesh:3x4",    "mesh:4x4",        "torus:3x3",
                                    "hypercube:3", "tree:2x3", "nsfnet14-21", "circulant:13:1,5"};
enum { SPECS = COUNT(specs) };

/* ---- circuits ---- */

/** Mark the channel of a circuit on each of its links; false: another has it, or there is no such link or channel. */
static bool take_channel(uint8_t *used, const struct circuits *t, uint32_t circuit)
{
    const rwa_network *net = t->routes->net;
    uint32_t path[CIRCUIT_NODES + 1], nodes = circuit_path(path, t, circuit);
    bool free_so_far = (t->channel[circuit] + 1) * t->width <= t->routes->channels && path[0] == t->from[circuit] &&
                       path[nodes - 1] == t->to[circuit];
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
    uint32_t most = circuits_hops(found, t, to, false, queue);
    bool right = true;
    for (uint32_t v = 0; v < nodes; v++) {
        right = right && found[v] == hops[v];
        farthest = hops[v] > farthest ? hops[v] : farthest;
    }
    CU_ASSERT(right && farthest == most);
    return farthest;
}

/** Returns circuits of the longest way. */
static uint32_t check_circuits(const struct circuits *t, const struct circuit_choice *choice)
{
    uint32_t path[CIRCUIT_NODES + 1], farthest = 0, *out = calloc(t->routes->nodes, sizeof *out), fewest = UINT32_MAX;
    uint8_t *used = calloc((size_t)t->routes->net->link_count * t->routes->channels + 1, 1);
    bool right = true;
    CU_ASSERT_TRUE_FATAL(out && used);
    for (uint32_t l = 0; l < t->count; l++) {
        right = right && take_channel(used, t, l) && circuit_path(path, t, l) - 1 <= choice->longest;
        out[t->from[l]]++;
    }
    for (uint32_t v = 0; v < t->routes->nodes; v++) {
        right = right && out[v] <= t->routes->ports && t->in.first[v + 1] - t->in.first[v] <= t->routes->ports;
        uint32_t most = check_hops(t, v);
        farthest = most > farthest ? most : farthest;
        fewest = out[v] < fewest ? out[v] : fewest;
    }
    CU_ASSERT(right && t->degree == fewest);
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
static struct moving moving(struct plan_request *request, rwa_collective *coll, const struct circuits *t,
                            rwa_collective_kind kind, uint32_t root, uint32_t parts, uint32_t most)
{
    OK(rwa_collective_init(coll, kind, t->routes->nodes, root, 4096, 0, NULL));
    *request = (struct plan_request){.net = t->routes->net, .coll = coll, .opts = options()};
    return (struct moving){.request = request, .parts = parts, .most = most, .bytes = 1, .limit_s = INFINITY};
}

/** Without the list the same moves are counted and timed. */
static void check_timed(const struct moves *m, const struct circuits *t, struct moving how, bool gather)
{
    struct moves timed;
    how.timed = true;
    OK((gather ? moves_gather : moves_exchange)(&timed, t, &how, NULL));
    CU_ASSERT_PTR_NULL(timed.list);
    CU_ASSERT_EQUAL(timed.count, m->count);
    CU_ASSERT_EQUAL(timed.steps, m->steps);
    CU_ASSERT_DOUBLE_EQUAL(timed.time_s, m->time_s, 0);
    moves_free(&timed);
}

/** Every circuit leaves from a holder of what it carries, no block comes twice, no circuit carries more than it may,
 *  and in the end all have all. */
static void check_all_gather(const struct circuits *t, uint32_t parts, uint32_t most)
{
    struct plan_request request;
    rwa_collective coll;
    struct moving how = moving(&request, &coll, t, RWA_ALL_GATHER, 0, parts, most);
    struct moves m;
    OK(moves_gather(&m, t, &how, NULL));
    check_timed(&m, t, how, true);
    uint32_t nodes = t->routes->nodes, blocks = nodes * parts,
             *load = calloc((size_t)(m.steps + 1) * t->count, sizeof *load);
    uint32_t *arrival = calloc((size_t)nodes * blocks, sizeof *arrival);
    bool right = true;
    CU_ASSERT_TRUE_FATAL(load && arrival);
    for (uint32_t i = 0; i < nodes * blocks; i++)
        arrival[i] = i % blocks / parts == i / blocks ? 0 : UINT32_MAX;
    for (size_t i = 0; i < m.count; i++) {
        const struct move *now = &m.list[i];
        uint32_t circuit = now->place % t->count, step = now->place / t->count + 1;
        uint32_t *at = &arrival[t->to[circuit] * blocks + now->block];
        right = right && step <= m.steps && ++load[now->place] <= most &&
                arrival[t->from[circuit] * blocks + now->block] < step && *at == UINT32_MAX;
        *at = step;
    }
    CU_ASSERT(right && m.count == (size_t)(nodes - 1) * blocks);
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
    bool right = true;
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    OK(moves_exchange(&m, t, &how, NULL));
    check_timed(&m, t, how, false);
    CU_ASSERT_TRUE(m.steps >= farthest && m.steps <= farthest + most - 1);
    for (uint32_t b = 0; b < blocks; b++)
        at[b] = b / nodes;
    base_sort(m.list, m.count, by_place);
    for (size_t i = 0; i < m.count; i++) {
        uint32_t circuit = m.list[i].place % t->count;
        right = right && m.list[i].place < m.steps * t->count && at[m.list[i].block] == t->from[circuit];
        at[m.list[i].block] = t->to[circuit];
    }
    for (uint32_t b = 0; b < blocks; b++)
        right = right && at[b] == b % nodes;
    CU_ASSERT(right);
    free(at);
    moves_free(&m);
}

static struct circuit_choice random_choice(const struct route_table *r, bool arcs)
{
    uint32_t ratio = 3 + any(2), levels = 2 + any(2);
    uint32_t longest = levels == 2 ? ratio : ratio * ratio;
    if (arcs && levels <= r->channels && longest <= r->farthest)
        return (struct circuit_choice){.longest = longest, .levels = levels, .ratio = ratio};
    if (arcs && any(3) == 0)
        return (struct circuit_choice){.longest = r->farthest, .levels = levels - 1, .ratio = ratio, .round = true};
    return (struct circuit_choice){.longest = 1 + any(r->farthest),
                                   .neighbours = 1 + any(r->channels),
                                   .more = any(r->channels)};
}

/* Circuits are all up at once, so no two share a channel of a link; blocks then move as the headers say. */
static void circuits_and_moves_hold(void)
{
    seed = 5;
    for (int round = 0; round < 400; round++) {
        uint32_t wavelengths = 1 + any(12),
                 fibers = 1 + any(2);
        rwa_network *net = network_on("%s w=%u f=%u", specs[any(SPECS)], wavelengths, fibers);
        struct route_table routes;
        struct circuits t;
        OK(routes_open(&routes, net, NULL, rwa_network_nodes(net), NULL, NULL));
        struct circuit_choice choice = random_choice(&routes, network_has_arcs(net));
        OK(circuits_open(&t, &routes, &choice, NULL));
        uint32_t farthest = check_circuits(&t, &choice), wait = 1 + any(4);
        check_all_gather(&t, 1 + any(5), 1 + any(6));
        check_exchange(&t, farthest, wait);
        circuits_close(&t);
        routes_close(&routes);
    }
}

/* Up to the nearest end of longer circuits a node needs (r - 1) / 2 circuits of each length but the longest, and as
 * many lead down again; between, half of the ring of the longest ones.  No all-gather takes fewer steps, and where
 * circuits carry any number of blocks none takes more. */
static void levels_take_the_steps_of_their_closed_form(void)
{
    for (uint32_t levels = 2; levels <= 4; levels++)
        for (uint32_t ratio = 3; ratio <= 7; ratio += 2)
            for (uint32_t around = 4; around <= 12; around++) {
                uint32_t longest = (uint32_t)lround(pow(ratio, levels - 1)),
                         steps = (levels - 1) * (ratio - 1) + around / 2;
                struct circuit_choice choice = {.longest = longest, .levels = levels, .ratio = ratio};
                uint32_t nodes = longest * around;
                if (nodes > (levels == 4 ? 300 : 200))
                    continue;
                struct plan_request request;
                rwa_collective coll;
                struct route_table routes;
                struct circuits t;
                struct moves m;
                rwa_network *net = network_on("ring:%u w=%u", nodes, levels);
                OK(routes_open(&routes, net, NULL, rwa_network_nodes(net), NULL, NULL));
                OK(circuits_open(&t, &routes, &choice, NULL));
                struct moving how = moving(&request, &coll, &t, RWA_ALL_GATHER, 0, 1, nodes);
                OK(moves_gather(&m, &t, &how, NULL));
                CU_ASSERT_EQUAL(m.steps, steps);
                check_exchange(&t, steps, 1);
                moves_free(&m);
                circuits_close(&t);
                routes_close(&routes);
            }
}

/* Nothing that is slow goes on once the budget has ended: neither the choice of circuits, nor the moves of blocks. */
static void an_ended_budget_ends_it(void)
{
    struct budget budget = base_budget(0, NULL, NULL);
    struct circuit_choice choice = {.longest = 4, .neighbours = 1};
    rwa_network *net = network_on("ring:16 w=4");
    struct plan_request request;
    rwa_collective coll;
    struct route_table routes;
    struct circuits t, other;
    struct moves m;
    OK(routes_open(&routes, net, NULL, rwa_network_nodes(net), &budget, NULL));
    OK(circuits_open(&t, &routes, &choice, NULL));
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
}

/* ---- plans ---- */

static const char *const kinds[] = {"all-gather", "reduce-scatter", "all-reduce", "all-to-all", "gather"};
enum { KINDS = COUNT(kinds) };

/* All lightpaths are up from the first step on, in both halves of an all-reduce too, at few ports, and among members
 * whose lightpaths lead past nodes that take no part.  With three ports a tree reaches all nodes, with two a path of
 * lightpaths, and with one a way round, of which no link carries more than one; with one port only pairs of nodes have
 * lightpaths both ways. */
static void one_reconfiguration_is_all(void)
{
    static const uint32_t wavelengths[] = {4, 1, 7, 4, 4, 4, 4}, ports[] = {0, 0, 0, 1, 2, 3, 4};
    for (size_t i = 0; i < SPECS; i++)
        for (size_t k = 0; k < COUNT(ports); k++)
            for (size_t c = 0; c < KINDS; c++)
                if (ports[k] != 1 || strcmp(kinds[c], "all-reduce") != 0)
                    CU_ASSERT_EQUAL(settings_of(schedule_on(
                                        "%s w=%u ports=%u bytes=262144 model=circuit alpha=1e-6 %s by logical-topology",
                                        specs[i], wavelengths[k], ports[k], kinds[c])),
                                    1);
}

/* With a limit a lightpath carries no more, and blocks take more steps. */
static void a_limit_of_blocks_is_kept_to(void)
{
    for (size_t i = 0; i < SPECS; i++)
        for (uint32_t most = 1; most <= 4; most *= 2)
            for (size_t c = 0; c < KINDS; c++) {
                rwa_plan *plan =
                    plan_if_any(request_of("%s w=4 load=%u bytes=16384 model=circuit %s by logical-topology", specs[i],
                                           most, kinds[c]));
                CU_ASSERT(plan ? rwa_schedule_lightpath_blocks(rwa_plan_schedule(plan)) <= most : c >= 3);
            }
}

static void members_are_joined_past_others(void)
{
    static const char *const shapes[] = {"torus:5x6", "mesh:4x4", "nsfnet14-21", "tree:2x3", "hypercube:4"};
    seed = 3;
    for (size_t i = 0; i < COUNT(shapes); i++)
        for (size_t c = 0; c < KINDS; c++) {
            struct request r =
                request_of("%s w=4 bytes=1000000 model=circuit alpha=1e-6 %s by logical-topology", shapes[i], kinds[c]);
            for (uint32_t v = 0; v < rwa_network_nodes(request_network(r)); v++)
                if (v < 3 || any(2))
                    r.members.at[r.members.count++] = v;
            CU_ASSERT_EQUAL(settings_of(rwa_plan_schedule(plan_for(r))), 1);
        }
}

static void times_are_near_their_bound(void)
{
    static const struct near_bound rows[] =
        {/* Two pairs of rows of a torus. */
         {"torus:6x6 w=2 members=0,1,2,3,4,5,6,7,8,9,10,11,18,19,20,21,22,23,24,25,26,27,28,29 bytes=1000000 "
          "model=circuit alpha=1e-6 "
          "all-reduce",
          1.6},
         /* Through one port a lightpath a node, one way round, brings small blocks in one setting. */
         {"ring:15 w=2 ports=1 bytes=4000 model=circuit alpha=1e-6 all-to-all", 1.2},
         {"ring:32 w=2 ports=1 bytes=4000 model=circuit alpha=1e-6 all-to-all", 1.2},
         {"line:12 w=2 ports=1 bytes=4000 model=circuit alpha=1e-6 all-to-all", 1.2},
         {"line:24 w=2 ports=1 bytes=4000 model=circuit alpha=1e-6 all-to-all", 1.2},
         /* Where tuning takes 25 us and a step 1 us, a plan that tunes twice takes more than 50 us. */
         {"line:64 w=4 bytes=4000 model=circuit alpha=1e-6 reduce-scatter", 1.3},
         {"mesh:8x8 w=4 bytes=4000 model=circuit alpha=1e-6 all-gather", 1.3},
         {"mesh:8x8 w=4 bytes=4000 model=circuit alpha=1e-6 all-to-all", 1.3},
         {"nsfnet14-21 w=4 bytes=4000 model=circuit alpha=1e-6 all-reduce", 1.3},
         /* Both links of a corner bring something new on each channel in each step. */
         {"mesh:7x9 w=64 bytes=64000000 model=circuit all-gather", 1.001},
         {"mesh:13x19 w=16 bytes=64000000 model=circuit reduce-scatter", 1.001},
         /* Paths of the fewest circuits crowd those of many links. */
         {"mesh:9x13 w=16 bytes=1000000 model=circuit all-to-all", 1.3},
         /* Schemes whose work it does, by their names; with links alone a leaf of a tree takes something new in nearly
           every step. */
         {"tree:3x4 w=4 bytes=100000000 model=overlap alpha=1e-6 all-gather by gossip", 1.1},
         {"tree:3x4 w=4 bytes=100000000 model=overlap alpha=1e-6 gather by central-tree", 1.3},
         {"tree:3x4 w=4 bytes=100000000 model=overlap alpha=1e-6 all-to-all by link-exchange", 1.7}};
    stay_near_bound(rows, COUNT(rows));
    for (size_t i = 5; i < COUNT(rows); i++) /* "auto" takes it there, and the names are answered to */
        CU_ASSERT_STRING_EQUAL(rwa_schedule_scheme(schedule_on("%s", rows[i].line)), "logical-topology");
    /* A lightpath through a third port is no duty: on a line two of a node suffice. */
    CU_ASSERT(time_on("line:24 w=2 ports=3 bytes=1000000 model=circuit alpha=1e-6 all-reduce") <=
              time_on("line:24 w=2 ports=2 bytes=1000000 model=circuit alpha=1e-6 all-reduce"));
}

/* Beyond 256 nodes lightpaths have levels, lie along the lines of a mesh or join pairs far apart; every collective of
 * every size is planned there too. */
static void large_networks_are_tuned_once(void)
{
    static const char *const large[] = {"ring:257",   "ring:300",   "line:300",       "ring:511",
                                        "mesh:17x16", "mesh:9x6x5", "geometric:300:1"};
    for (size_t i = 0; i < COUNT(large); i++)
        for (size_t c = 0; c < KINDS; c++)
            if (thorough || c == i % KINDS)
                CU_ASSERT_EQUAL(settings_of(
                                    schedule_on("%s w=4 bytes=4000 model=circuit alpha=1e-6 %s by logical-topology",
                                                large[i], kinds[c])),
                                1);
}

/* In the model `overlap` lightpaths may come up later, on channels that were idle so far; once up they stay, so that
 * tuning is paid for once, before the first step, and each step after it starts up for 1 us. */
static void later_lightpaths_are_tuned_in_time(void)
{
    for (size_t i = 0; i < SPECS; i++)
        for (size_t c = 0; c < KINDS; c++) {
            const rwa_plan_report *s =
                report_on("%s w=4 bytes=262144 model=overlap alpha=1e-6 %s by logical-topology", specs[i], kinds[c]);
            CU_ASSERT_DOUBLE_EQUAL(s->time_s, s->paper_s - (s->steps - 1) * (25e-6 - 1e-6), 1e-10);
        }
}

/* With one channel a lightpath over two links would leave the first of them to no other: blocks go from node to node,
   down the line. */
static void one_channel_goes_from_node_to_node(void)
{
    for (uint32_t n = 3; n <= 40; n++)
        CU_ASSERT_EQUAL(steps_on("line:%u w=1 bytes=65536 model=circuit alpha=1e-6 by logical-topology", n), n - 1);
    CU_ASSERT_PTR_NOT_NULL(refusal_on("line:2 w=4 model=circuit by logical-topology"));
    CU_ASSERT_PTR_NOT_NULL(refusal_on("line:2049 w=4 model=circuit by logical-topology"));
}

/* Where each node has few ports some choices of circuits lead to no node of a side of the torus: they are no plan. */
static void circuits_join_all_nodes(void)
{
    CU_ASSERT(time_on("torus:6x6x4 w=1 ports=3 bytes=4000 model=overlap alpha=1e-6 broadcast") < 50e-6);
}

/* The root sends all blocks, so that its links bound a scatter, and not the fewest of any node, as a leaf has. */
static void auto_scatters_down_a_tree_as_well(void)
{
    static const char line[] = "tree:2x4 w=1 bytes=64000 model=circuit alpha=1e-6 scatter";
    CU_ASSERT(time_on("%s", line) <= time_on("%s by logical-topology", line));
    CU_ASSERT(time_on("%s", line) < 0.99 * time_on("%s by compose", line));
}

TESTS("logical-topology", circuits_and_moves_hold, an_ended_budget_ends_it, levels_take_the_steps_of_their_closed_form,
      one_reconfiguration_is_all, a_limit_of_blocks_is_kept_to, members_are_joined_past_others,
      times_are_near_their_bound, large_networks_are_tuned_once, later_lightpaths_are_tuned_in_time,
      one_channel_goes_from_node_to_node, circuits_join_all_nodes, auto_scatters_down_a_tree_as_well)
