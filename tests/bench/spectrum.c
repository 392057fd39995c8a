/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Requests of 2, 4 and 8 slots on the flexible grid of 320 slots, 5 routes each, first-fit: operations a second, on NSFNET and on a
 * random network of 256 nodes; the same requests by a plain scan, route after route, slot after slot, link after link, which must find
 * the same slots; and requests a second of simulated Poisson traffic.
 */
#include "routing/k_shortest.h"
#include "rwa.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLOTS = 320, PATHS = 5, OPERATIONS = 1000000, WIDTHS = 3 };
static const uint32_t widths[WIDTHS] = {2, 4, 8};

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
    struct routing_graph graph;
    struct paths paths;
    struct place *ours, *theirs;
    uint32_t up, links;
    unsigned char *taken;   /* links * SLOTS */
    size_t blocked;
};

/** Of this process alone: what else the machine does is not counted. */
static double cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void demand(rwa_status st)
{
    if (st == RWA_OK)
        return;
    fprintf(stderr, "bench: %s\n", rwa_status_text(st));
    exit(1);
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
    rwa_request request;
    rwa_placed placed;
    if (p->id != RWA_NO_LIGHTPATH) {
        demand(rwa_state_release(b->state, p->id, NULL));
        p->id = RWA_NO_LIGHTPATH;
        return -1;
    }
    rwa_request_init(&request, p->src, p->dst);
    request.routing = RWA_ROUTING_ALTERNATE;
    request.width = p->width;
    demand(rwa_state_add(&placed, b->state, &request, NULL));
    p->id = placed.id;
    return placed.hops > 0 ? (int)placed.wavelength : -1;
}

static void set_slots(struct bench *b, const struct place *p, unsigned char value)
{
    for (size_t k = b->paths.first[p->route]; k < b->paths.first[p->route + 1]; k++)
        for (uint32_t i = 0; i < p->width; i++)
            b->taken[(size_t)b->graph.link[b->paths.arc[k]] * SLOTS + (uint32_t)p->slot + i] = value;
}

/** A slot of the run that is taken on some link of the route; -1: none. */
static int obstacle(const struct bench *b, size_t route, uint32_t slot, uint32_t width)
{
    for (size_t k = b->paths.first[route]; k < b->paths.first[route + 1]; k++)
        for (uint32_t i = width; i-- > 0;)
            if (b->taken[(size_t)b->graph.link[b->paths.arc[k]] * SLOTS + slot + i])
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
        for (uint32_t slot = 0; slot + p->width <= SLOTS; slot++) {
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

static void make_places(struct bench *b)
{
    uint64_t seed = 1;
    uint32_t nodes = rwa_network_nodes(b->net);
    struct k_shortest *k_shortest = NULL;
    demand(k_shortest_open(&k_shortest, &b->graph, NULL));
    for (size_t i = 0; i < b->up; i++) {
        uint32_t src = next_number(&seed, nodes), dst = next_number(&seed, nodes - 1);
        size_t first = b->paths.count;
        dst += dst >= src;
        demand(k_shortest_find(k_shortest, &b->paths, src, dst, PATHS, 0, NULL));
        b->ours[i] = (struct place){.src = src, .dst = dst, .width = widths[next_number(&seed, WIDTHS)], .first = first,
                                    .count = b->paths.count - first, .slot = -1};
        b->theirs[i] = b->ours[i];
    }
    k_shortest_close(k_shortest);
}

static void bench_open(struct bench *b, const char *spec, uint32_t up)
{
    rwa_network_options o;
    rwa_state_options so;
    rwa_network_options_init(&o);
    o.wavelengths = SLOTS;
    o.slot_hz = RWA_SLOT_HZ;
    rwa_state_options_init(&so);
    so.paths = PATHS;
    demand(rwa_network_open(&b->net, spec, &o, NULL));
    demand(rwa_state_create(&b->state, b->net, &so, NULL));
    demand(routing_graph_create(&b->graph, b->net, rwa_state_model(b->state), NULL));
    b->up = up;
    b->ours = calloc(up, sizeof *b->ours);
    b->theirs = calloc(up, sizeof *b->theirs);
    b->taken = calloc(b->graph.links, SLOTS);
    demand(b->ours && b->theirs && b->taken ? RWA_OK : RWA_NOMEM);
    make_places(b);
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

/** One after the other, and their answers compared; the first tenth finds the routes and fills the network. */
static void compare(const char *spec, uint32_t up)
{
    static int answers[OPERATIONS];
    struct bench b = {0};
    uint64_t seed = 7;
    double begin, state_s, plain_s;
    bench_open(&b, spec, up);
    for (size_t i = 0; i < OPERATIONS / 10; i++) {
        uint32_t at = next_number(&seed, up);
        toggle(&b, &b.ours[at]);
        plain_toggle(&b, &b.theirs[at]);
    }
    uint64_t again = seed;
    begin = cpu_s();
    for (size_t i = 0; i < OPERATIONS; i++)
        answers[i] = toggle(&b, &b.ours[next_number(&seed, up)]);
    state_s = cpu_s() - begin;
    b.blocked = 0;
    begin = cpu_s();
    for (size_t i = 0; i < OPERATIONS; i++)
        if (plain_toggle(&b, &b.theirs[next_number(&again, up)]) != answers[i]) {
            fprintf(stderr, "bench: the plain scan finds other slots\n");
            exit(1);
        }
    plain_s = cpu_s() - begin;
    printf("%-12s %5u places, %4.1f %% blocked: state %5.2f million/s, plain scan %5.2f million/s: %4.1f times as fast\n", spec, up,
           200.0 * (double)b.blocked / OPERATIONS, OPERATIONS / state_s / 1e6, OPERATIONS / plain_s / 1e6, plain_s / state_s);
    bench_close(&b);
}

/** Processor time of so many requests of simulated traffic, each with its random numbers, arrival and departure. */
static double simulate(rwa_blocking *seen, const char *spec, double erlang, uint64_t requests)
{
    static const rwa_traffic_class classes[WIDTHS] = {{2, 1, 25e9}, {4, 1, 50e9}, {8, 1, 100e9}};
    rwa_network_options o;
    rwa_blocking_options bo;
    rwa_network *net = NULL;
    rwa_network_options_init(&o);
    o.wavelengths = SLOTS;
    o.slot_hz = RWA_SLOT_HZ;
    rwa_blocking_options_init(&bo);
    bo.state.paths = PATHS;
    bo.routing = RWA_ROUTING_ALTERNATE;
    bo.classes = classes;
    bo.class_count = WIDTHS;
    bo.requests = requests;
    demand(rwa_network_open(&net, spec, &o, NULL));
    double begin = cpu_s();
    demand(rwa_blocking_simulate(seen, net, erlang, &bo, NULL));
    begin = cpu_s() - begin;
    rwa_network_free(net);
    return begin;
}

/** Of two runs, one longer than the other, the difference: both find the routes of nearly all pairs in their first million. */
static void time_traffic(const char *spec, double erlang)
{
    rwa_blocking seen;
    double few_s = simulate(&seen, spec, erlang, OPERATIONS), many_s = simulate(&seen, spec, erlang, 3 * OPERATIONS);
    printf("%-12s %5g Erlang, %5.2f %% blocked: %5.2f million requests/s of Poisson traffic\n", spec, erlang, 100 * seen.probability,
           2 * OPERATIONS / (many_s - few_s) / 1e6);
}

int main(void)
{
    printf("%d slots, widths 2, 4 and 8, %d routes, first-fit: lightpaths that come and go\n", SLOTS, PATHS);
    compare("nsfnet14-21", 400);
    compare("nsfnet14-21", 800);
    compare("nsfnet14-21", 1600);
    compare("waxman:256:7", 4000);
    compare("waxman:256:7", 8000);
    time_traffic("nsfnet14-21", 400);
    time_traffic("waxman:256:7", 2000);
    return 0;
}
