/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The model `overlap`: the channels of a new lightpath retune while others carry data (docs/formats.md, "Time").
 *
 * `last` holds for every channel of every link the last step that used it.  A kept lightpath used all its channels in the step
 * before, so that only lightpaths whose channels were in use then have to be looked up there, and none after the first new one.
 */
#include "cost/cost.h"

#include "base/base.h"
#include "network/network.h"

enum { LOOKS_MOST = 16 };

/** The channel model: the resources that a lightpath occupies besides the ports of its ends. */
enum medium { ARCS, LINKS, STAR, SWITCHES, PORTS_ONLY };

struct clock {
    const rwa_schedule *sched;
    const rwa_network *net;
    enum medium medium;
    uint64_t channels, links;
    uint32_t *last;             /* by channel and link, or as slot_of(); 0: not used so far */
    uint32_t *sent, *received;  /* by node; NULL: the network does not count ports, or (received) only senders retune */
    uint32_t *peer;             /* switches: plus 1, to which a node's circuit led last */
    double *end;                /* of each step; end[0] = 0 */
    struct circuits before;     /* the step before, once asked for */
    uint32_t filled;            /* with the lightpaths of this step; 0: none */
    uint32_t looks;             /* into the records of the step before, in this step */
};

static enum medium medium_of(const rwa_network *net)
{
    switch (rwa_network_topology(net)) {
    case RWA_STAR:
        return STAR;
    case RWA_RON:
        return PORTS_ONLY;
    case RWA_OCS:
        return SWITCHES;
    default:
        return network_has_arcs(net) ? ARCS : LINKS;
    }
}

static uint64_t slots_of(const struct clock *c)
{
    switch (c->medium) {
    case ARCS:
        return 2 * c->channels * c->links;
    case LINKS:
        return c->channels * c->links;
    case STAR:
        return c->channels;
    case SWITCHES:
        return 2 * (uint64_t)rwa_network_fibers(c->net) * rwa_network_nodes(c->net);
    case PORTS_ONLY:
        break;
    }
    return 0;
}

static rwa_status clock_open(struct clock *c, const rwa_schedule *sched, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(rwa_schedule_network(sched));
    *c = (struct clock){.sched = sched, .net = rwa_schedule_network(sched), .before.sched = sched};
    c->medium = medium_of(c->net);
    c->channels = (uint64_t)network_most_fibers(c->net) * rwa_network_wavelengths(c->net);
    c->links = network_is_one_hop(c->net) ? 0 : network_links_each_way(c->net);
    MUST(base_fits_memory(4.0 * (double)slots_of(c), "the time of this schedule", err));
    bool ports = rwa_network_ports(c->net) > 0;
    c->last = base_array(slots_of(c) + 1, sizeof *c->last, err);
    c->end = base_array((size_t)rwa_schedule_steps(sched) + 1, sizeof *c->end, err);
    c->sent = ports ? base_array(nodes, sizeof *c->sent, err) : NULL;
    c->received = ports && c->medium != PORTS_ONLY ? base_array(nodes, sizeof *c->received, err) : NULL;
    c->peer = c->medium == SWITCHES ? base_array(slots_of(c) / 2, sizeof *c->peer, err) : NULL;
    bool complete = c->last && c->end && (c->sent || !ports) && (c->received || !ports || c->medium == PORTS_ONLY) &&
                    (c->peer || c->medium != SWITCHES);
    return complete ? RWA_OK : RWA_NOMEM;
}

static void clock_close(struct clock *c)
{
    free(c->last);
    free(c->sent);
    free(c->received);
    free(c->peer);
    free(c->end);
    circuits_close(&c->before);
}

/* ---- the channels of one lightpath ---- */

static inline uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/** Note `step` as the last use of slots, or with step 0 only ask for the last use there. */
static uint32_t visit_run(struct clock *c, uint64_t from, uint64_t count, uint32_t step)
{
    uint32_t found = 0;
    for (uint32_t *last = c->last + from; last < c->last + from + count; last++) {
        found = later(found, *last);
        *last = step > 0 ? step : *last;
    }
    return found;
}

static uint32_t visit_arc(struct clock *c, const rwa_lightpath *lp, uint64_t channel, uint32_t step)
{
    bool back = lp->direction == RWA_CCW;
    uint64_t hops = rwa_network_hops(c->net, lp->src, lp->dst, lp->direction), first = back ? lp->dst : lp->src;
    uint64_t row = ((back ? c->channels : 0) + channel) * c->links, ahead = hops < c->links - first ? hops : c->links - first;
    uint32_t found = visit_run(c, row + first, ahead, step);
    return later(found, visit_run(c, row, hops - ahead, step));
}

static uint32_t visit_path(struct clock *c, const rwa_lists *lists, uint64_t channel, uint32_t step)
{
    uint32_t found = 0;
    for (uint32_t h = 0; h + 1 < lists->path_nodes; h++) {
        uint32_t link = rwa_network_find_link(c->net, lists->path[h], lists->path[h + 1]);
        assert(link != RWA_NO_LINK);
        found = later(found, visit_run(c, link * c->channels + channel, 1, step));
    }
    return found;
}

static uint64_t switch_end(const struct clock *c, const rwa_lightpath *lp, uint32_t node)
{
    return (uint64_t)lp->fiber * rwa_network_nodes(c->net) + node;
}

static uint32_t visit_switch(struct clock *c, const rwa_lightpath *lp, uint32_t step)
{
    uint64_t half = slots_of(c) / 2;
    uint32_t found = visit_run(c, switch_end(c, lp, lp->src), 1, step);
    if (step > 0)
        c->peer[switch_end(c, lp, lp->src)] = lp->dst + 1;
    return later(found, visit_run(c, half + switch_end(c, lp, lp->dst), 1, step));
}

static uint32_t visit_port(uint32_t *ports, uint32_t node, uint32_t step)
{
    uint32_t found = ports ? ports[node] : 0;
    if (ports && step > 0)
        ports[node] = step;
    return found;
}

/** The last step that used what the lightpath takes; with step > 0 this step uses it now. */
static uint32_t visit(struct clock *c, const struct walk *at, uint32_t step)
{
    const rwa_lightpath *lp = &at->lp;
    uint64_t channel = (uint64_t)lp->fiber * rwa_network_wavelengths(c->net) + lp->wavelength;
    uint32_t found = later(visit_port(c->sent, lp->src, step), visit_port(c->received, lp->dst, step));
    rwa_lists lists;
    rwa_schedule_lists(&lists, c->sched, at->record);
    for (uint32_t k = 0; k < lists.tap_count; k++)
        found = later(found, visit_port(c->received, walk_tap(at, lists.taps[k]), step));
    switch (c->medium) {
    case ARCS:
        return later(found, visit_arc(c, lp, channel, step));
    case LINKS:
        return later(found, visit_path(c, &lists, channel, step));
    case STAR:
        return later(found, visit_run(c, channel, 1, step));
    case SWITCHES:
        return later(found, visit_switch(c, lp, step));
    case PORTS_ONLY:
        break;
    }
    return found;
}

/* ---- steps ---- */

/** Whether the step before had this lightpath, all channels of which it used. */
static rwa_status is_kept(bool *kept, struct clock *c, const struct walk *at, uint32_t step, rwa_error *err)
{
    if (c->medium == SWITCHES) {
        uint64_t from = switch_end(c, &at->lp, at->lp.src);
        *kept = c->last[from] == step - 1 && c->peer[from] == at->lp.dst + 1;
        return RWA_OK;
    }
    if (c->filled != step - 1)
        MUST(circuits_fill(&c->before, step - 1, err));
    c->filled = step - 1;
    *kept = circuits_have(&c->before, at);
    return RWA_OK;
}

/** The same for the first lightpath of a record.  With ALL_PRESENT all others are kept as well.  Steps that retune at all mostly
 *  retune much, so that some looks decide, and orbits decide for many lightpaths: the hash table is rarely worth filling. */
static rwa_status find_presence(enum presence *out, struct clock *c, const struct walk *at, uint32_t step, rwa_error *err)
{
    bool kept = false;
    if (c->medium != SWITCHES && c->filled != step - 1 && (at->whole.orbit > 1 || c->looks++ < LOOKS_MOST)) {
        *out = cost_presence(c->sched, step, at->record);
        return RWA_OK;
    }
    MUST(is_kept(&kept, c, at, step, err));
    *out = kept ? FIRST_PRESENT : ABSENT;
    return RWA_OK;
}

/** The last step that used a channel of a new lightpath of this step; 0: none did, or no lightpath is new. */
static rwa_status last_use(uint32_t *latest, struct clock *c, uint32_t step, rwa_error *err)
{
    *latest = c->looks = 0;
    if (step == 1 || cost_repeats(c->sched, step))
        return RWA_OK;
    for (struct walk w = walk_step(c->sched, step); *latest < step - 1 && walk_next(&w);) {
        enum presence presence = ABSENT;
        bool kept = false;
        uint32_t used = visit(c, &w, 0);
        if (used > *latest && used == step - 1 && w.turn == 0)
            MUST(find_presence(&presence, c, &w, step, err));
        else if (used > *latest && used == step - 1)
            MUST(is_kept(&kept, c, &w, step, err));
        if (presence == ALL_PRESENT)
            w.turn = w.whole.orbit - 1;
        else if (presence == ABSENT && !kept)
            *latest = later(*latest, used);
    }
    return RWA_OK;
}

rwa_status cost_overlap(double *seconds, const rwa_schedule *sched, const rwa_cost_options *o, cost_step_time transfer, rwa_error *err)
{
    struct clock c;
    uint32_t steps = rwa_schedule_steps(sched), latest = 0;
    rwa_status st = clock_open(&c, sched, err);
    for (uint32_t step = 1; st == RWA_OK && step <= steps; step++) {
        TRY(last_use(&latest, &c, step, err));
        double tuned = c.end[latest] + o->reconfig_s, begin = c.end[step - 1] + o->alpha_s;
        if (latest > 0 || step == 1)
            begin = tuned > begin ? tuned : begin;
        c.end[step] = begin + transfer(sched, o, step);
        for (struct walk w = walk_step(sched, step); walk_next(&w);)
            visit(&c, &w, step);
    }
    *seconds = st == RWA_OK ? c.end[steps] : 0;
done:
    clock_close(&c);
    return st;
}
