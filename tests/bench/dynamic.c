/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Lightpaths that come and go: operations a second and how long the slow ones take, for every policy and routing; the
 * same first-fit requests, of one wavelength over the shortest route or of 2, 4 and 8 slots over one of 5 routes, by a
 * plain scan, route after route, slot after slot, link after link, which must find the same slots; and requests a
 * second of simulated Poisson traffic.  `dynamic FOLDER`: what a journal in this folder costs.
 */
#include "routing/k_shortest.h"

#include "tests/bench/timing.h"

enum { WAVELENGTHS = 80, SLOTS = 320, PATHS = 5, OPERATIONS = 1000000, WIDTHS = 3 };
static const uint32_t widths[WIDTHS] = {2, 4, 8};

/** A network nearly empty, well used or overfull, as about half of the places are taken. */
struct setting {
    const char *spec;
    uint32_t up, paths;     /* paths: 0: the usual number */
    bool flexible;          /* the grid of 320 slots; else 80 wavelengths */
};

/** A request that comes and goes by turns. */
struct place {
    uint64_t id;            /* of the state's lightpath */
    uint32_t src, dst, width;
    size_t first, count;    /* its routes */
    size_t route;           /* of the plain scan's lightpath, and its lowest slot; -1: none */
    int slot;
};

struct bench {
    rwa_network *net;
    rwa_state *state;
    rwa_request request;    /* routing and policy of all */
    struct routing_graph graph;
    struct paths paths;
    struct place *ours, *theirs;
    uint32_t up, slots;
    unsigned char *taken;   /* links * slots */
    size_t blocked;
    uint64_t seed;
};

/** Of this process alone: what else the machine does is not counted. */
static double cpu_s(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

/** The same numbers on every machine (Knuth's multiplier for a linear congruence of 64 bits). */
static uint32_t next_number(uint64_t *seed, uint32_t below)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1;
    return (uint32_t)((*seed >> 33) % below);
}

/** Returns the lowest slot, or -1. */
static int toggle(struct bench *b, struct place *p)
{
    rwa_placed placed;
    if (p->id != RWA_NO_LIGHTPATH) {
        demand(rwa_state_release(b->state, p->id, NULL));
        p->id = RWA_NO_LIGHTPATH;
        return -1;
    }
    b->request.src = p->src;
    b->request.dst = p->dst;
    b->request.width = p->width;
    demand(rwa_state_add(&placed, b->state, &b->request, NULL));
    p->id = placed.id;
    return placed.hops > 0 ? (int)placed.wavelength : -1;
}

static int toggle_any(struct bench *b)
{
    return toggle(b, &b->ours[next_number(&b->seed, b->up)]);
}

static void set_slots(struct bench *b, const struct place *p, unsigned char value)
{
    for (size_t k = b->paths.first[p->route]; k < b->paths.first[p->route + 1]; k++)
        memset(&b->taken[(size_t)b->graph.link[b->paths.arc[k]] * b->slots + (uint32_t)p->slot], value, p->width);
}

/** A slot of the run that is taken on some link of the route; -1: none. */
static int obstacle(const struct bench *b, size_t route, uint32_t slot, uint32_t width)
{
    for (size_t k = b->paths.first[route]; k < b->paths.first[route + 1]; k++)
        for (uint32_t i = width; i-- > 0;)
            if (b->taken[(size_t)b->graph.link[b->paths.arc[k]] * b->slots + slot + i])
                return (int)(slot + i);
    return -1;
}

static int plain_toggle(struct bench *b, struct place *p)
{
    if (p->slot >= 0) {
        set_slots(b, p, 0);
        p->slot = -1;
        return -1;
    }
    for (size_t i = 0; i < p->count; i++)
        for (uint32_t slot = 0; slot + p->width <= b->slots; slot++) {
            int at = obstacle(b, p->first + i, slot, p->width);
            if (at < 0) {
                p->route = p->first + i;
                p->slot = (int)slot;
                set_slots(b, p, 1);
                return p->slot;
            }
            slot = (uint32_t)at;    /* no run across it is free */
        }
    b->blocked++;
    return -1;
}

static void make_places(struct bench *b, const struct setting *s)
{
    uint64_t seed = 1;
    uint32_t nodes = rwa_network_nodes(b->net);
    struct k_shortest *k_shortest = NULL;
    demand(k_shortest_open(&k_shortest, &b->graph, NULL));
    for (size_t i = 0; i < b->up; i++) {
        uint32_t src = next_number(&seed, nodes), dst = next_number(&seed, nodes - 1);
        size_t first = b->paths.count;
        dst += dst >= src;
        demand(k_shortest_find(k_shortest, &b->paths, src, dst, s->paths ? s->paths : 1, 0, NULL));
        b->ours[i] = (struct place){.src = src,
                                    .dst = dst,
                                    .width = s->flexible ? widths[next_number(&seed, WIDTHS)] : 1,
                                    .first = first,
                                    .count = b->paths.count - first,
                                    .slot = -1};
        b->theirs[i] = b->ours[i];
    }
    k_shortest_close(k_shortest);
}

static rwa_network *open_network(const struct setting *s)
{
    rwa_network_options o;
    rwa_network *net = NULL;
    rwa_network_options_init(&o);
    o.wavelengths = s->flexible ? SLOTS : WAVELENGTHS;
    o.slot_hz = s->flexible ? RWA_SLOT_HZ : 0;
    demand(rwa_network_open(&net, s->spec, &o, NULL));
    return net;
}

static void bench_open(struct bench *b, const struct setting *s)
{
    rwa_state_options so;
    rwa_state_options_init(&so);
    so.paths = s->paths ? s->paths : so.paths;
    *b = (struct bench){.net = open_network(s), .up = s->up, .slots = s->flexible ? SLOTS : WAVELENGTHS, .seed = 7};
    demand(rwa_state_create(&b->state, b->net, &so, NULL));
    demand(routing_graph_create(&b->graph, b->net, rwa_state_model(b->state), NULL));
    rwa_request_init(&b->request, 0, 1);
    b->request.routing = RWA_ROUTING_ALTERNATE;
    b->ours = calloc(b->up, sizeof *b->ours);
    b->theirs = calloc(b->up, sizeof *b->theirs);
    b->taken = calloc(b->graph.links, b->slots);
    demand(b->ours && b->theirs && b->taken ? RWA_OK : RWA_NOMEM);
    make_places(b, s);
}

static void bench_close(struct bench *b)
{
    rwa_state_free(b->state);
    rwa_network_free(b->net);
    routing_graph_free(&b->graph);
    paths_free(&b->paths);
    free(b->ours);
    free(b->theirs);
    free(b->taken);
}

static int by_size(const void *a, const void *b)
{
    const float *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/** Operations a second of one processor; of a second run, by the clock on the wall, the 99th percentile and the
 * longest. */
static void measure(const struct setting *s, rwa_routing routing, rwa_policy policy)
{
    static float took[OPERATIONS];
    struct bench b;
    bench_open(&b, s);
    b.request.routing = routing;
    b.request.policy = policy;
    for (size_t i = 0; i < OPERATIONS / 10; i++)
        toggle_any(&b);
    double begin = cpu_s();
    for (size_t i = 0; i < OPERATIONS; i++)
        toggle_any(&b);
    double rate = OPERATIONS / (cpu_s() - begin);
    for (size_t i = 0; i < OPERATIONS; i++) {
        struct place *place = &b.ours[next_number(&b.seed, b.up)];
        double from = seconds_of(CLOCK_MONOTONIC);
        toggle(&b, place);
        took[i] = (float)(1e6 * (seconds_of(CLOCK_MONOTONIC) - from));
    }
    qsort(took, OPERATIONS, sizeof *took, by_size);
    printf("%-13s %-10s %14.2f %13.2f us %9.0f us\n", rwa_routing_name(routing), rwa_policy_name(policy), rate / 1e6,
           (double)took[OPERATIONS / 100 * 99], (double)took[OPERATIONS - 1]);
    bench_close(&b);
}

static void show_all(const struct setting *s)
{
    printf("%s, %d wavelengths, lightpaths that come and go in %u places: operations, each a lightpath set up (or\n"
           "blocked) or taken down\n%-13s %-10s %14s %16s %12s\n",
           s->spec, WAVELENGTHS, s->up, "routing", "policy", "million/s", "99th percentile", "longest");
    for (int r = 0; rwa_routing_name((rwa_routing)r); r++)
        for (int p = 0; rwa_policy_name((rwa_policy)p); p++)
            measure(s, (rwa_routing)r, (rwa_policy)p);
}

/** One after the other, and their answers compared; the first tenth finds the routes and fills the network. */
static void compare(const struct setting *s)
{
    static int answers[OPERATIONS];
    struct bench b;
    bench_open(&b, s);
    for (size_t i = 0; i < OPERATIONS / 10; i++) {
        uint32_t at = next_number(&b.seed, b.up);
        toggle(&b, &b.ours[at]);
        plain_toggle(&b, &b.theirs[at]);
    }
    uint64_t again = b.seed;
    double begin = cpu_s();
    for (size_t i = 0; i < OPERATIONS; i++)
        answers[i] = toggle_any(&b);
    double state_s = cpu_s() - begin;
    b.blocked = 0;
    begin = cpu_s();
    for (size_t i = 0; i < OPERATIONS; i++)
        if (plain_toggle(&b, &b.theirs[next_number(&again, b.up)]) != answers[i]) {
            fprintf(stderr, "bench: the plain scan finds other slots\n");
            exit(1);
        }
    double plain_s = cpu_s() - begin;
    printf("%-12s %3u slots, %5u places, %4.1f %% blocked: state %5.2f million/s, plain scan (no ids, no undoing, no "
           "checks) %5.2f "
           "million/s: %4.1f times as fast\n",
           s->spec, b.slots, s->up, 200.0 * (double)b.blocked / OPERATIONS, OPERATIONS / state_s / 1e6,
           OPERATIONS / plain_s / 1e6, plain_s / state_s);
    bench_close(&b);
}

/** Processor time of so many requests of simulated traffic, each with its random numbers, arrival and departure. */
static double simulate(rwa_blocking *seen, const struct setting *s, uint64_t requests)
{
    static const rwa_traffic_class classes[WIDTHS] = {{2, 1, 25e9}, {4, 1, 50e9}, {8, 1, 100e9}};
    rwa_blocking_options bo;
    rwa_network *net = open_network(s);
    rwa_blocking_options_init(&bo);
    bo.state.paths = PATHS;
    bo.routing = RWA_ROUTING_ALTERNATE;
    bo.classes = classes;
    bo.class_count = WIDTHS;
    bo.requests = requests;
    double begin = cpu_s();
    demand(rwa_blocking_simulate(seen, net, s->up, &bo, NULL));
    begin = cpu_s() - begin;
    rwa_network_free(net);
    return begin;
}

/** At so many Erlang.  Of two runs, one longer than the other, the difference: both find the routes of nearly all pairs
 * in their first million. */
static void time_traffic(const struct setting *s)
{
    rwa_blocking seen;
    double few_s = simulate(&seen, s, OPERATIONS), many_s = simulate(&seen, s, 3 * OPERATIONS);
    printf("%-12s %5u Erlang, %5.2f %% blocked: %5.2f million requests/s of Poisson traffic\n", s->spec, s->up,
           100 * seen.probability, 2 * OPERATIONS / (many_s - few_s) / 1e6);
}

/** Random operations with failures, and lightpaths that come and go, on a state in memory and on one with a journal in
 *  this folder: operations a second of one processor. */
static void compare_journal(const char *folder)
{
    static const struct setting s = {"nsfnet14-21", 800, 0, false};
    char path[512];
    snprintf(path, sizeof path, "%s/rwa-bench.journal", folder);
    for (int way = 0; way < 3; way++) {
        static const char *const ways[] = {"with failures, all policies", "all policies", "shortest, first-fit"};
        double took[3];
        for (int kept = 0; kept < 3; kept++) {  /* in memory, with a journal, with one in batches */
            rwa_state_options o;
            struct bench b;
            rwa_state *state = NULL;
            size_t count = way == 0 ? OPERATIONS / 20 : OPERATIONS / 2;
            bench_open(&b, &s);
            remove(path);
            rwa_state_options_init(&o);
            o.batch = kept == 2;
            demand(rwa_state_open(&state, b.net, &o, path, NULL));
            if (kept) {
                rwa_state_free(b.state);
                b.state = state;
            }
            double begin = cpu_s();
            for (size_t i = 0; i < count; i++) {
                b.request.routing = way < 2 ? (rwa_routing)(i % 3) : RWA_ROUTING_SHORTEST;
                b.request.policy = way < 2 ? (rwa_policy)(i % 7) : RWA_POLICY_FIRST_FIT;
                b.request.protection = way < 2 ? (rwa_protection)(i / 7 % 3) : RWA_PROTECTION_NONE;
                if (way == 0 && i % 20 == 0)
                    demand((i % 40 ? rwa_state_repair : rwa_state_fail)(b.state, RWA_FAILURE_NODE,
                                                                        (uint32_t)(i / 40 % 14), NULL));
                toggle_any(&b);
                if (kept == 2 && i % 100 == 0)
                    demand(rwa_state_commit(b.state, NULL));
            }
            took[kept] = 1e6 * (cpu_s() - begin) / (double)count;
            if (!kept)
                rwa_state_free(state);
            bench_close(&b);
        }
        printf("%-28s %6.2f us an operation, with a journal in %s %6.2f us: %.2f as fast; a commit for 100: %6.2f us, "
               "%.2f\n",
               ways[way], took[0], folder, took[1], took[0] / took[1], took[2], took[0] / took[2]);
    }
    remove(path);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        compare_journal(argv[1]);
        return 0;
    }
    static const struct setting usual = {"nsfnet14-21", 800, 0, false};
    static const struct setting settings[] = {
        {"nsfnet14-21", 400, 1, false}, {"nsfnet14-21", 800, 1, false}, {"nsfnet14-21", 1600, 1, false},
        {"nsfnet14-21", 400, PATHS, true}, {"nsfnet14-21", 800, PATHS, true}, {"nsfnet14-21", 1600, PATHS, true},
        {"waxman:256:7", 4000, PATHS, true}, {"waxman:256:7", 8000, PATHS, true}};
    static const struct setting traffic[] = {{"nsfnet14-21", 400, PATHS, true}, {"waxman:256:7", 2000, PATHS, true}};
    show_all(&usual);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        compare(&settings[i]);
    for (size_t i = 0; i < sizeof traffic / sizeof *traffic; i++)
        time_traffic(&traffic[i]);
    return 0;
}
