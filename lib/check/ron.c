/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A reconfigurable optical network (Afsahi and Dimopoulos): every node reaches every other one in one hop through
 * one of its ports.  A port keeps its receiver until it is retuned.  Only the sender retunes; its port rests for
 * `tuning` steps meanwhile.  Ports get their first setting before the first step.  The checker retunes the port
 * that has been idle longest.  This is exact when all receivers of a node change together, and never too lenient.
 */
#include "check/checker.h"

/** A channel between two nodes of a ron, and the last step that used it. */
struct connection {
    uint32_t step;
    uint32_t src, dst;
    uint32_t channel;
};

static rwa_status ron_open(struct checker *chk)
{
    uint32_t ports = rwa_network_ports(chk->net);
    MUST(channels_open(chk, 0, 1, rwa_network_channels(chk->net)));
    if (ports > 0) /* without a limit every pair of nodes has a port of its own */
        MUST(bank_open(chk, &chk->senders, ports < chk->nodes ? ports : chk->nodes));
    chk->senders.rests = true;
    return RWA_OK;
}

/** Return the entry of a connection in the hash table, or the free entry where it belongs. */
static struct connection *find_connection(struct connection *at, size_t size, struct connection b)
{
    uint64_t state = ((uint64_t)b.src << 32 | b.dst) ^ (uint64_t)b.channel * 0x9E3779B97F4A7C15u;
    size_t i = (size_t)base_random(&state) & (size - 1);
    while (at[i].step == b.step && (at[i].src != b.src || at[i].dst != b.dst || at[i].channel != b.channel))
        i = (i + 1) & (size - 1);
    return &at[i];
}

/** Double the capacity of the hash table, and keep only the connections of the current step. */
static rwa_status grow_connections(struct connections *connections, uint32_t step, rwa_error *err)
{
    size_t size = connections->size ? connections->size * 2 : 64;
    struct connection *at;
    MUST(base_new(at, size, err));
    for (size_t i = 0; i < connections->size; i++)
        if (connections->at[i].step == step)
            *find_connection(at, size, connections->at[i]) = connections->at[i];
    free(connections->at);
    connections->at = at;
    connections->size = size;
    return RWA_OK;
}

static rwa_status claim_connection(struct checker *chk, const rwa_lightpath *lp)
{
    struct connections *connections = &chk->connections;
    if (connections->used >= connections->size / 2)
        MUST(grow_connections(connections, chk->step, chk->err));
    struct connection connection = {chk->step, lp->src, lp->dst, (uint32_t)channel_of(chk, lp)};
    assert(connections->used < connections->size);
    struct connection *place = find_connection(connections->at, connections->size, connection);
    if (place->step == chk->step)
        report_lightpath(chk, RWA_VIOLATION_CHANNEL, lp, RWA_NO_INDEX,
                         "meets another of the same ends on fiber %u, wavelength %u", lp->fiber, lp->wavelength);
    else
        chk->gained++;
    *place = connection;
    connections->used++;
    return RWA_OK;
}

static rwa_status ron_claim(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    enum tuning use;
    (void)lists;
    (void)hops;
    channels_light(chk, 0, channel_of(chk, lp));
    MUST(claim_connection(chk, lp));
    if (chk->senders.of)
        MUST(bank_use(&use, chk, &chk->senders, lp->src, lp->dst));
    MUST(ports_send(chk, lp->src));
    return ports_receive(chk, lp->dst);
}

static void ron_end_step(struct checker *chk)
{
    channels_end_step(chk);
    chk->connections.used = 0;
}

const struct channel_model channels_of_ron = {ron_open, one_hop_route, ron_claim, ron_end_step};
