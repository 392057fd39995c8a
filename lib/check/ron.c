/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A reconfigurable optical network (Afsahi and Dimopoulos): every node reaches every other in one hop through one of its
 * ports, which stays turned to a receiver until it is turned to another.  Only the sender turns, and the port rests
 * meanwhile, `tuning` steps.  Its first setting took place before the first step.  The port that rested longest is
 * turned: exact when a node's receivers change all at once, and never too lenient.
 */
#include "check/judge.h"

#include <stdlib.h>
#include <string.h>

/** A channel between two nodes, in use in `step`. */
struct beam {
    uint32_t step;
    uint32_t src, dst;
    uint32_t channel;
};

/** Open addressing; entries of earlier steps are free places. */
struct beams {
    struct beam *at;
    size_t size, used;
};

static rwa_status ron_open(struct judge *j)
{
    uint32_t ports = rwa_network_ports(j->net);
    rwa_status st = RWA_OK;
    TRY(lanes_open(j, 0, 1, rwa_network_channels(j->net)));
    if (ports > 0) /* without a limit every pair has a port of its own */
        TRY(bank_open(j, &j->senders, ports < j->nodes ? ports : j->nodes));
    j->beams = base_array(1, sizeof *j->beams, j->err);
    st = j->beams ? RWA_OK : RWA_NOMEM;
done:
    return st;
}

/** Where the beam is, or the free place where it belongs. */
static struct beam *find(struct beam *at, size_t size, struct beam b)
{
    uint64_t state = ((uint64_t)b.src << 32 | b.dst) ^ (uint64_t)b.channel * 0x9E3779B97F4A7C15u;
    size_t i = (size_t)base_random(&state) & (size - 1);
    while (at[i].step == b.step && (at[i].src != b.src || at[i].dst != b.dst || at[i].channel != b.channel))
        i = (i + 1) & (size - 1);
    return &at[i];
}

/** Twice the room, with the beams of the current step. */
static rwa_status grow(struct beams *beams, uint32_t step, rwa_error *err)
{
    size_t size = beams->size ? beams->size * 2 : 64;
    struct beam *at = base_array(size, sizeof *at, err);
    if (!at)
        return RWA_NOMEM;
    for (size_t i = 0; i < beams->size; i++)
        if (beams->at[i].step == step)
            *find(at, size, beams->at[i]) = beams->at[i];
    free(beams->at);
    beams->at = at;
    beams->size = size;
    return RWA_OK;
}

static rwa_status claim_beam(struct judge *j, const rwa_lightpath *lp)
{
    struct beams *beams = j->beams;
    rwa_status st = RWA_OK;
    if (beams->used >= beams->size / 2)
        TRY(grow(beams, j->step, j->err));
    struct beam beam = {j->step, lp->src, lp->dst, (uint32_t)channel_of(j, lp)};
    struct beam *place = find(beams->at, beams->size, beam);
    if (place->step == j->step)
        accuse(j, RWA_VIOLATION_CHANNEL, RWA_NO_INDEX, lp->wavelength,
               "step %u: lightpath %u to %u meets another of the same ends on fiber %u, wavelength %u", j->step, lp->src,
               lp->dst, lp->fiber, lp->wavelength);
    *place = beam;
    beams->used++;
done:
    return st;
}

/** Which port sends, and whether it had the time to turn. */
static rwa_status use_port(struct judge *j, const rwa_lightpath *lp)
{
    uint32_t rested, turning = rwa_network_tuning(j->net);
    enum tuning use;
    rwa_status st = bank_use(&use, j, &j->senders, lp->src, lp->dst, &rested);
    if (st != RWA_OK || use != PORT_TUNED || rested == 0)
        return st;
    count_tuning(j);
    if (j->step - rested - 1 < turning)
        ACCUSE(j, RWA_VIOLATION_PORTS,
               "step %u: node %u turns a port to node %u that was in use in step %u: expected %u steps between", j->step,
               lp->src, lp->dst, rested, turning);
    return RWA_OK;
}

static rwa_status ron_claim(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops)
{
    rwa_status st = RWA_OK;
    (void)lists;
    (void)hops;
    set_bit(j->lanes.lit, channel_of(j, lp));
    TRY(claim_beam(j, lp));
    if (j->senders.of)
        TRY(use_port(j, lp));
    TRY(ports_send(j, lp->src));
    TRY(ports_receive(j, lp->dst));
done:
    return st;
}

static void ron_end_step(struct judge *j)
{
    lanes_end_step(j);
    j->beams->used = 0;
}

static void ron_close(struct judge *j)
{
    lanes_close(j);
    if (j->beams)
        free(j->beams->at);
    free(j->beams);
}

const struct medium medium_of_ron = {ron_open, one_hop_route, ron_claim, ron_end_step, ron_close};
