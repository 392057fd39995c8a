/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Static assignment by brute force, which shares nothing with the library: every lightpath hop by hop over every
 *  simple route, on every channel or block of slots; with protection its backup behind it. */
#pragma once

#include "rwa.h"

#include "tests/support/suite.h"

enum { BRUTE_NODES = 8, BRUTE_LINKS = 32, BRUTE_FIBERS = 3, BRUTE_SLOTS = 64, BRUTE_LINES = 10 };

struct brute {
    rwa_model model;
    const rwa_demand *demand;
    size_t demands;
    const uint32_t *width;          /* of the demands' lightpaths; NULL: 1 slot */
    uint32_t guard, max_hops, forbidden, converter[2];  /* 0, 0; RWA_NONE: no such node */
    bool protects, traffic;         /* traffic: what may be lost counts in slots */
    bool converts;                  /* at every node: then only loads count */
    /* NULL, or whether a lightpath of this width may go over these links. */
    bool (*reaches)(const void *data, size_t demand, uint32_t width, const uint32_t *links, uint32_t hops);
    const void *data;
    uint32_t width_most;            /* with `reaches`: widths from 1 on are tried */
    /* Of the network; a carrier is a link, or when undirected a pair. */
    uint32_t links, carrier[BRUTE_LINKS], fibers[BRUTE_LINKS];
    rwa_link link[BRUTE_LINKS];
    bool at_risk[BRUTE_LINKS], alike;   /* carriers of risk group 0; no wavelength differs from another */
    /* Of a search: the lines to place, and what is taken of each carrier. */
    uint32_t slots, spare, lines, todo[BRUTE_LINES], now[BRUTE_LINES], path[BRUTE_LINES][BRUTE_NODES];
    bool busy[BRUTE_LINKS][BRUTE_FIBERS][BRUTE_SLOTS];
    int avoid[BRUTE_LINES][BRUTE_LINKS];
};

static inline struct brute brute_of(const rwa_network *net, rwa_model model, const rwa_demand *demand, size_t demands)
{
    struct brute b = {.model = model, .demand = demand, .demands = demands, .forbidden = RWA_NONE,
                      .converter = {RWA_NONE, RWA_NONE}, .links = rwa_network_links(net), .alike = true};
    const uint32_t *group = NULL;
    rwa_faults faults;
    CU_ASSERT_FATAL(b.links <= BRUTE_LINKS && rwa_network_nodes(net) <= BRUTE_NODES);
    for (uint32_t l = 0; l < b.links; l++) {
        uint32_t carrier = b.carrier[l] = model == RWA_UNDIRECTED ? rwa_network_pair(net, l) : l;
        b.link[l] = rwa_network_link(net, l);
        b.fibers[carrier] = b.link[l].fibers;
        for (uint32_t f = 0; f < BRUTE_FIBERS; f++)
            for (uint32_t s = 0; s < BRUTE_SLOTS; s++)
                if (rwa_network_is_reserved(net, l, f, s)) {
                    b.busy[carrier][f][s] = true;
                    b.alike = false;
                }
    }
    rwa_network_faults(&faults, net);
    for (size_t i = 0; i < faults.link_count; i++)
        b.fibers[b.carrier[faults.links[i]]] = 0;
    for (size_t i = rwa_network_risk_group(&group, net, 0); i-- > 0;)
        b.at_risk[b.carrier[group[i]]] = true;
    return b;
}

static inline bool brute_place(struct brute *b, uint32_t line, uint32_t in_use);

/** Where a lightpath is; its channel is slot * BRUTE_FIBERS + fibre. */
struct brute_end {
    uint32_t node, hops, seen, channel, in_use;
};

/** Take or give back the slots of a channel; false: one is taken. */
static inline bool brute_take(struct brute *b, uint32_t line, uint32_t carrier, uint32_t channel, bool take)
{
    bool *slot = &b->busy[carrier][channel % BRUTE_FIBERS][channel / BRUTE_FIBERS];
    uint32_t span = b->now[line] + b->guard;
    for (uint32_t i = 0; i < span && take; i++)
        if (slot[i])
            return false;
    for (uint32_t i = 0; i < span; i++)
        slot[i] = take;
    for (uint32_t c = 0; c < BRUTE_LINKS && b->protects && line % 2 == 0; c++) /* its backup keeps apart */
        b->avoid[line + 1][c] += (c == carrier || (b->at_risk[c] && b->at_risk[carrier])) * (take ? 1 : -1);
    return true;
}

static inline bool brute_walk(struct brute *b, uint32_t line, struct brute_end e)
{
    const rwa_demand *d = &b->demand[b->todo[line]];
    if (e.node == d->dst)
        return (d->via == RWA_NONE || e.seen >> d->via & 1) &&
               (!b->reaches || b->reaches(b->data, b->todo[line], b->now[line], b->path[line], e.hops)) &&
               brute_place(b, line + 1, e.in_use);
    if ((e.hops > 0 && e.node == b->forbidden) || (b->max_hops > 0 && e.hops == b->max_hops))
        return false;
    bool any = e.hops == 0 || b->converts || e.node == b->converter[0] || e.node == b->converter[1];
    uint32_t end = any ? (b->slots + 1) * BRUTE_FIBERS : e.channel + 1;
    for (uint32_t l = 0; l < b->links; l++)
        for (uint32_t c = any ? 0 : e.channel, tried = 0; c < end && b->link[l].from == e.node && !tried; c++) {
            uint32_t carrier = b->carrier[l], top = c / BRUTE_FIBERS + b->now[line] + b->guard;
            if (e.seen >> b->link[l].to & 1 || top > b->slots || c % BRUTE_FIBERS >= b->fibers[carrier] ||
                b->avoid[line][carrier] > 0 || (b->alike && top > e.in_use + b->now[line] + b->guard) ||
                !brute_take(b, line, carrier, c, true))
                continue;
            b->path[line][e.hops] = l;
            bool found = brute_walk(b, line, (struct brute_end){b->link[l].to, e.hops + 1,
                                                                e.seen | 1u << b->link[l].to, c,
                                                                top > e.in_use ? top : e.in_use});
            brute_take(b, line, carrier, c, false);
            if (found)
                return true;
            tried = b->converts;    /* any other channel is as good */
        }
    return false;
}

/** The lines from this one on, of which so many may be left out as b->spare says. */
static inline bool brute_place(struct brute *b, uint32_t line, uint32_t in_use)
{
    if (line == b->lines)
        return true;
    uint32_t demand = b->todo[line], src = b->demand[demand].src, width = b->width ? b->width[demand] : 1,
             value = b->traffic ? width : 1;
    for (uint32_t most = b->reaches ? b->width_most : width; width <= most; width++) {
        b->now[line] = width;
        if (brute_walk(b, line, (struct brute_end){.node = src, .seen = 1u << src, .in_use = in_use}))
            return true;
    }
    if (b->spare < value || (b->protects && line % 2))
        return false;
    b->spare -= value;
    bool found = brute_place(b, line + 1 + b->protects, in_use);
    b->spare += value;
    return found;
}

/** Whether all lightpaths but `spare` fit on so many wavelengths or slots. */
static inline bool brute_fits(const struct brute *task, uint32_t slots, uint32_t spare)
{
    struct brute b = *task;
    b.slots = slots;
    b.spare = spare;
    b.alike = b.alike && !b.width && !b.reaches && b.guard == 0;
    for (uint32_t d = 0; d < b.demands; d++)
        for (uint32_t k = 0; k < b.demand[d].count * (1 + b.protects); k++) {
            CU_ASSERT_FATAL(b.lines < BRUTE_LINES && slots <= BRUTE_SLOTS);
            b.todo[b.lines++] = d;
        }
    return brute_place(&b, 0, 0);
}

/** The fewest wavelengths or slots; 0: more than `most`. */
static inline uint32_t brute_fewest(const struct brute *b, uint32_t most)
{
    for (uint32_t slots = 1; slots <= most; slots++)
        if (brute_fits(b, slots, 0))
            return slots;
    return 0;
}
