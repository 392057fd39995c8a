/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Lightpaths that come and go on NSFNET with 80 wavelengths: operations a second and how long the slow ones take, for every
 * policy and routing; and the same first-fit requests by a plain scan, wavelength after wavelength, link after link, which
 * must find the same channels.
 */
#include "rwa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NODES = 14, LINKS = 42, WAVELENGTHS = 80, UP = 1600, OPERATIONS = 1000000 };

/** Places for lightpaths, about half of them taken: a network that is nearly empty, well used, overfull. */
static const size_t loads[] = {400, 800, UP};

struct route {
    uint32_t hops, pairs[NODES];
};

struct plain {
    struct route routes[NODES][NODES];
    unsigned char taken[LINKS / 2][WAVELENGTHS];
};

/** One place for a lightpath: taken by turns, so that half of them are up on average. */
struct place {
    uint64_t id;            /* of the state's */
    uint32_t src, dst;
    int wavelength;               /* of the plain scan's; -1: none */
};

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** Of this process alone: what else the machine does is not counted. */
static double cpu_s(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static double now_s(void)
{
    return seconds_of(CLOCK_MONOTONIC);
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

static rwa_state *open_state(void)
{
    rwa_network_options o;
    rwa_network *net = NULL;
    rwa_state *state = NULL;
    rwa_network_options_init(&o);
    o.wavelengths = WAVELENGTHS;
    demand(rwa_network_open(&net, "nsfnet14-21", &o, NULL));
    demand(rwa_state_create(&state, net, NULL, NULL));
    rwa_network_free(net);
    return state;
}

static int toggle(rwa_state *state, struct place *p, rwa_routing routing, rwa_policy policy)
{
    rwa_request request;
    rwa_placed placed;
    if (p->id != RWA_NO_LIGHTPATH) {
        demand(rwa_state_release(state, p->id, NULL));
        p->id = RWA_NO_LIGHTPATH;
        return -1;
    }
    rwa_request_init(&request, p->src, p->dst);
    request.routing = routing;
    request.policy = policy;
    demand(rwa_state_add(&placed, state, &request, NULL));
    p->id = placed.id;
    return placed.hops > 0 ? (int)placed.wavelength : -1;
}

static void find_routes(struct plain *plain, rwa_state *state)
{
    for (uint32_t src = 0; src < NODES; src++)
        for (uint32_t dst = 0; dst < NODES; dst++) {
            rwa_request request;
            rwa_placed placed;
            struct route *r = &plain->routes[src][dst];
            if (src == dst)
                continue;
            rwa_request_init(&request, src, dst);
            demand(rwa_state_try(&placed, state, &request, NULL));
            r->hops = placed.hops;
            for (uint32_t k = 0; k < placed.hops; k++)
                r->pairs[k] = placed.links[k] / 2;
        }
}

static int plain_toggle(struct plain *plain, struct place *p, size_t *blocked)
{
    const struct route *r = &plain->routes[p->src][p->dst];
    int wavelength = p->wavelength;
    if (wavelength >= 0) {
        for (uint32_t k = 0; k < r->hops; k++)
            plain->taken[r->pairs[k]][wavelength] = 0;
        p->wavelength = -1;
        return -1;
    }
    for (wavelength = 0; wavelength < WAVELENGTHS; wavelength++) {
        uint32_t k = 0;
        while (k < r->hops && !plain->taken[r->pairs[k]][wavelength])
            k++;
        if (k == r->hops)
            break;
    }
    if (wavelength == WAVELENGTHS) {
        ++*blocked;
        return -1;
    }
    for (uint32_t k = 0; k < r->hops; k++)
        plain->taken[r->pairs[k]][wavelength] = 1;
    p->wavelength = wavelength;
    return wavelength;
}

static void make_places(struct place *places)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < UP; i++) {
        uint32_t src = next_number(&seed, NODES), dst = next_number(&seed, NODES - 1);
        places[i] = (struct place){.src = src, .dst = dst + (dst >= src), .wavelength = -1};
    }
}

static int by_size(const void *a, const void *b)
{
    const float *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/** The results of one run. */
struct figures {
    double rate;                    /* operations a second of one processor */
    double late_us, longest_us;     /* the 99th percentile and the longest, by the clock on the wall, of a second run */
};

static struct figures measure(size_t up, rwa_routing routing, rwa_policy policy)
{
    static struct place places[UP];
    static float took[OPERATIONS];
    struct figures f;
    rwa_state *state = open_state();
    uint64_t seed = 7;
    make_places(places);
    for (size_t i = 0; i < OPERATIONS / 10; i++)
        toggle(state, &places[next_number(&seed, (uint32_t)up)], routing, policy);
    double begin = cpu_s();
    for (size_t i = 0; i < OPERATIONS; i++)
        toggle(state, &places[next_number(&seed, (uint32_t)up)], routing, policy);
    f.rate = OPERATIONS / (cpu_s() - begin);
    for (size_t i = 0; i < OPERATIONS; i++) {
        struct place *place = &places[next_number(&seed, (uint32_t)up)];
        double from = now_s();
        toggle(state, place, routing, policy);
        took[i] = (float)(1e6 * (now_s() - from));
    }
    qsort(took, OPERATIONS, sizeof *took, by_size);
    f.late_us = (double)took[OPERATIONS / 100 * 99];
    f.longest_us = (double)took[OPERATIONS - 1];
    rwa_state_free(state);
    return f;
}

static void show_all(size_t up)
{
    printf("nsfnet14-21, %d wavelengths, lightpaths that come and go in %zu places: operations, each a lightpath set up (or\n"
           "blocked) or taken down\n%-13s %-10s %14s %16s %12s\n", WAVELENGTHS, up, "routing", "policy", "million/s",
           "99th percentile", "longest");
    for (int r = 0; rwa_routing_name((rwa_routing)r); r++)
        for (int p = 0; rwa_policy_name((rwa_policy)p); p++) {
            struct figures f = measure(up, (rwa_routing)r, (rwa_policy)p);
            printf("%-13s %-10s %14.2f %13.2f us %9.0f us\n", rwa_routing_name((rwa_routing)r), rwa_policy_name((rwa_policy)p),
                   f.rate / 1e6, f.late_us, f.longest_us);
        }
}

/** One after the other, and their answers compared. */
static void compare_with_plain_scan(size_t up)
{
    static struct plain plain;
    static struct place ours[UP], theirs[UP];
    static int answers[OPERATIONS];
    rwa_state *state = open_state();
    uint64_t seed = 7, again = 7;
    size_t blocked = 0;
    find_routes(&plain, state);
    memset(plain.taken, 0, sizeof plain.taken);
    make_places(ours);
    make_places(theirs);
    double begin = cpu_s();
    for (size_t i = 0; i < OPERATIONS; i++)
        answers[i] = toggle(state, &ours[next_number(&seed, (uint32_t)up)], RWA_ROUTING_SHORTEST, RWA_POLICY_FIRST_FIT);
    double state_s = cpu_s() - begin;
    begin = cpu_s();
    for (size_t i = 0; i < OPERATIONS; i++)
        if (plain_toggle(&plain, &theirs[next_number(&again, (uint32_t)up)], &blocked) != answers[i]) {
            fprintf(stderr, "bench: the plain scan finds another channel\n");
            exit(1);
        }
    double plain_s = cpu_s() - begin;
    printf("%4zu places, %4.1f %% blocked: state %.2f million/s, plain scan (no ids, no undoing, no checks) %.2f million/s: "
           "%.1f times as fast\n", up, 200.0 * (double)blocked / OPERATIONS, OPERATIONS / state_s / 1e6,
           OPERATIONS / plain_s / 1e6, plain_s / state_s);
    rwa_state_free(state);
}

int main(void)
{
    show_all(loads[1]);
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        compare_with_plain_scan(loads[i]);
    return 0;
}
