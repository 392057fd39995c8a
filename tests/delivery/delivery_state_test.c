/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Delivery states: a search finds a nearest holder on the lowest channel if there is one, as a search by exhaustion
 *  does; load maps hold what is free. */
#include "rwa.h"

#include "delivery/delivery_state.h"
#include "network/network.h"
#include "tests/support/random.h"

enum { NODES = 7, WAVELENGTHS = 3, BLOCKS = 4 };

/* ---- load maps ---- */

/* Two fibres of three wavelengths: wavelength 3 of fibre 0 is not wavelength 0 of fibre 1, and 1048575 is in no
   list. */
static void wavelengths_beyond_the_band_may_be_reserved(void)
{
    static const rwa_reserved reserved[] = {{0, 0, 3}, {0, 1, 2}, {1, 1, 1048575}};
    struct request r = request_of("links:0>1x2,1>2x2 w=3 f=2");
    struct load_map map = {0};
    r.network.reserved = reserved;
    r.network.reserved_count = 3;
    const rwa_network *net = request_network(r);
    OK(load_map_open(&map, net, false, false, NULL));
    for (uint32_t c = 0; c < 6; c++) {
        CU_ASSERT_EQUAL(load_map_has(&map, 0, c), c != 5);
        CU_ASSERT(load_map_has(&map, 1, c));
    }
    load_map_close(&map);
}

/* 70 channels are two words; link 3 failed, channel 65 is reserved everywhere. */
static void a_step_has_all_channels_but_those_that_are_taken(void)
{
    const rwa_network *net = network_on("torus:3x3 w=70 links=3 reserved=65");
    struct load_map map = {0};
    OK(load_map_open(&map, net, false, false, NULL));
    for (uint32_t l = 0; l < map.links; l++)
        CU_ASSERT_EQUAL(load_map_free_channels(&map, l), l == 3 ? 0 : 69);
    CU_ASSERT_FALSE(load_map_has(&map, 0, 65));
    load_map_take(&map, 0, 69);
    CU_ASSERT_FALSE(load_map_has(&map, 0, 69));
    CU_ASSERT_EQUAL(load_map_free_channels(&map, 0), 68);
    load_map_return(&map, 0, 69);
    load_map_take(&map, 0, 2);
    load_map_begin_step(&map);
    CU_ASSERT_EQUAL(load_map_free_channels(&map, 0), 69);
    CU_ASSERT_EQUAL(load_map_free_channels(&map, 3), 0);
    load_map_close(&map);
    OK(load_map_open(&map, net, true, true, NULL));
    CU_ASSERT_EQUAL(load_map_free_channels(&map, 2), 0); /* the other link of the pair */
    load_map_close(&map);
}

/* ---- searches ---- */

/* Links from one node to another, at random; both ways in half the cases. */
static rwa_network *random_network(void)
{
    struct request r = request_of("links: w=%d", WAVELENGTHS);
    char *end = r.spec + strlen(r.spec);
    bool both = any(2);
    for (uint32_t a = 0; a < NODES; a++)
        for (uint32_t b = 0; b < NODES; b++)
            if (a != b && (b == (a + 1) % NODES || (any(4) == 0 && (!both || a < b))))
                end += sprintf(end, "%u%c%u,", a, both ? '-' : '>', b);
    return request_network(r);
}

/* The nearest holder that the node can be served from over free links of one channel; RWA_NONE hops when there is
   none. */
static uint32_t hops_on(const struct delivery_state *s, uint32_t node, uint64_t block, uint32_t channel)
{
    uint32_t distance[NODES], queue[NODES], filled = 1;
    for (uint32_t v = 0; v < NODES; v++)
        distance[v] = RWA_NONE;
    distance[node] = 0;
    queue[0] = node;
    for (uint32_t i = 0; i < filled; i++)
        for (uint32_t l = 0; l < s->links; l++) {
            rwa_link link = rwa_network_link(s->net, l);
            if (link.to != queue[i] || distance[link.from] != RWA_NONE || !load_map_has(&s->map, l, channel))
                continue;
            distance[link.from] = distance[queue[i]] + 1;
            if (delivery_holds(s, link.from, block) && s->may_send[link.from] > 0)
                return distance[link.from];
            queue[filled++] = link.from;
        }
    return RWA_NONE;
}

static void expect_nearest(struct delivery_state *s, uint32_t node, uint64_t block)
{
    enum delivery_answer answer;
    uint32_t nearest = RWA_NONE, channel = 0;
    for (uint32_t c = 0; c < WAVELENGTHS; c++) {
        uint32_t hops = hops_on(s, node, block, c);
        if (hops < nearest) {
            nearest = hops;
            channel = c;
        }
    }
    if (nearest == RWA_NONE || s->may_receive[node] == 0) {
        OK(delivery_serve(s, node, block, NODES - 1, &answer));
        CU_ASSERT_NOT_EQUAL(answer, DELIVERY_SENT);
        return;
    }
    for (uint32_t reach = 1; reach < nearest; reach++) {
        OK(delivery_serve(s, node, block, reach, &answer));
        CU_ASSERT_EQUAL(answer, DELIVERY_TOO_FAR);
    }
    OK(delivery_serve(s, node, block, nearest, &answer));
    CU_ASSERT_EQUAL_FATAL(answer, DELIVERY_SENT);
    const struct deliveries *d = &s->sent;
    CU_ASSERT_EQUAL(d->list[d->count - 1].wavelength, channel);
    CU_ASSERT_EQUAL(d->path_first[d->count] - d->path_first[d->count - 1], nearest + 1);
}

static void searches_find_the_nearest_holder(void)
{
    seed = 5;
    for (int round = 0; round < 300; round++) {
        rwa_network *net = random_network();
        struct delivery_state s = {0};
        OK(delivery_open(&s, net, BLOCKS, NULL, NULL));
        for (uint64_t b = 0; b < BLOCKS; b++)
            delivery_hold(&s, any(NODES), b);
        for (int step = 0; step < 4; step++) {
            delivery_begin_step(&s);
            for (int i = 0; i < 12; i++) {
                uint32_t node = any(NODES);
                uint64_t block = any(BLOCKS);
                if (delivery_lacks(&s, node, block))
                    expect_nearest(&s, node, block);
            }
            delivery_check(&s);
            delivery_end_step(&s);
        }
        delivery_close(&s);
    }
}

/* Node 0 can send block 0 to its neighbours alone: the channel of the link 1 -> 2 is taken, and so is that of 0 -> 63.
 * Searches for all other nodes, of up to 61 nodes each, are in vain, which one sweep says of them all. */
static void searches_in_vain_for_a_block_end_soon(void)
{
    enum { RING = 64 };
    rwa_network *net = network_on("ring:64 w=1");
    struct delivery_state s = {0};
    enum delivery_answer answer;
    OK(delivery_open(&s, net, 2, NULL, NULL));
    delivery_hold(&s, 0, 0);
    delivery_hold(&s, 1, 1);
    delivery_begin_step(&s);
    OK(delivery_serve(&s, 2, 1, 1, &answer));
    CU_ASSERT_EQUAL(answer, DELIVERY_SENT);
    OK(delivery_serve(&s, RING - 1, 0, 1, &answer));
    CU_ASSERT_EQUAL(answer, DELIVERY_SENT);
    for (uint32_t node = 2; node < RING - 1; node++) {
        OK(delivery_serve(&s, node, 0, RING - 1, &answer));
        CU_ASSERT_EQUAL(answer, DELIVERY_CUT_OFF);
    }
    CU_ASSERT(s.looked < (uint64_t)4 * RING);
    delivery_close(&s);
}

TESTS("delivery state", a_step_has_all_channels_but_those_that_are_taken, wavelengths_beyond_the_band_may_be_reserved,
      searches_find_the_nearest_holder, searches_in_vain_for_a_block_end_soon)
