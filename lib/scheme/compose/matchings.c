/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Programs of matchings.  A turn is one exchange over given circuits, and a leg one transfer of a turn.  The pattern
 * of a port in a turn identifies the pairs of nodes that it connects; where a pattern changes, the port is retuned. */
#include "scheme/compose/matchings.h"

struct fabric fabric_of(const rwa_network *net)
{
    uint32_t nodes = rwa_network_nodes(net), ports = rwa_network_ports(net), channels = rwa_network_channels(net);
    struct fabric f = {.nodes = nodes,
                       .ports = ports > 0 ? lesser(ports, nodes - 1) : nodes - 1,
                       .lanes = 1,
                       .alike = channels,
                       .wavelengths = rwa_network_wavelengths(net),
                       .channels = channels,
                       .limit = ports,
                       .shared = network_capabilities(net) & NETWORK_STAR,
                       .switches = network_capabilities(net) & NETWORK_SWITCHES};
    if (f.shared || f.switches) {
        f.ports = f.alike = lesser(f.ports, f.shared ? channels / nodes : rwa_network_fibers(net));
        f.lanes = f.switches ? f.wavelengths : 1;
        return f;
    }
    f.pause = rwa_network_tuning(net);
    if (ports == 0) { /* every pair has all channels */
        f.lanes = channels;
        f.alike = 1;
    }
    return f;
}

void matchings_free(struct matchings *m)
{
    exchange_free(&m->legs);
    free_all(m->turn, m->circuit, m->port);
    *m = (struct matchings){.err = m->err};
}

void matchings_fail(struct matchings *m, rwa_status st)
{
    m->status = m->status == RWA_OK ? st : m->status;
}

void matchings_begin(struct matchings *m)
{
    if (m->status == RWA_OK)
        m->status = base_append(m->turn, m->turns, m->err,
                                (struct turn){.leg = m->legs.count, .circuit = m->circuits});
    for (uint32_t p = 0; p < m->fabric.ports && m->status == RWA_OK; p++)
        m->status = base_append(m->circuit, m->circuits, m->err, (struct circuit){0});
}

static uint32_t lanes_of(const struct matchings *m, uint64_t blocks)
{
    return blocks < m->fabric.lanes ? (uint32_t)blocks : m->fabric.lanes;
}

void matchings_send(struct matchings *m, uint32_t port, uint64_t pattern, uint32_t src, uint32_t dst, uint64_t blocks)
{
    if (m->status != RWA_OK)
        return;
    assert(m->turns > 0 && port < m->fabric.ports && src != dst && blocks > 0);
    struct turn *turn = &m->turn[m->turns - 1];
    struct circuit *circuit = &m->circuit[turn->circuit + port];
    uint32_t lanes = lanes_of(m, blocks);
    uint64_t most = ceil_div(blocks, lanes);
    assert(circuit->lanes == 0 || circuit->pattern == pattern);
    RAISE(turn->most, most);
    circuit->pattern = pattern;
    RAISE(circuit->lanes, lanes);
    if (m->timed)
        return;
    m->status = base_reserve(m->port, m->legs.count + 1, m->err);
    if (m->status == RWA_OK)
        m->status = exchange_add(&m->legs, src, dst, blocks, m->err);
    if (m->status == RWA_OK)
        m->port[turn->leg + turn->legs++] = port;
}

void matchings_run(struct matchings *m, rwa_run run)
{
    if (!m->timed && m->status == RWA_OK)
        m->status = exchange_run(&m->legs, run, m->err);
}

void matchings_range(struct matchings *m, uint64_t first, uint64_t count, uint64_t all)
{
    uint64_t from = first % all, head = all - from < count ? all - from : count;
    assert(count > 0 && count <= all && all <= UINT32_MAX);
    matchings_run(m, (rwa_run){(uint32_t)from, (uint32_t)head, 1});
    if (head < count)
        matchings_run(m, (rwa_run){0, (uint32_t)(count - head), 1});
}

void matchings_reverse(struct matchings *m, size_t from, rwa_op op)
{
    for (size_t a = from, b = m->turns; m->status == RWA_OK && a + 1 < b; a++, b--) {
        struct turn kept = m->turn[a];
        m->turn[a] = m->turn[b - 1];
        m->turn[b - 1] = kept;
    }
    for (size_t t = from; m->status == RWA_OK && t < m->turns; t++) {
        m->turn[t].op = op;
        m->turn[t].backwards = !m->turn[t].backwards;
        for (size_t l = m->turn[t].leg; l < m->turn[t].leg + m->turn[t].legs; l++) {
            uint32_t src = m->legs.src[l];
            m->legs.src[l] = m->legs.dst[l];
            m->legs.dst[l] = src;
        }
    }
}

/* ---- time ---- */

/** Return the number of steps of a turn (an exchange over given circuits): 1, or more if a lightpath carries at most
 * m->load blocks in a step. */
static uint32_t steps_of(const struct matchings *m, const struct turn *turn)
{
    return m->load > 0 ? (uint32_t)ceil_div(turn->most, m->load) : 1;
}

/** Return the last step of the t-th turn, where t counts from 1; 0 if t is 0. */
static uint32_t last_step(const struct matchings *m, size_t t)
{
    return t > 0 ? m->turn[t - 1].step + steps_of(m, &m->turn[t - 1]) - 1 : 0;
}

/** A pattern of circuits on a port, and the last turn that used it, from 1. */
struct port_user {
    uint64_t pattern;
    uint32_t port;
    size_t last;
};

/** Move `user`, a port and its pattern of circuits, to the front of the list `of`.  The list has the `capacity`
 * patterns that were used last, and behind them, in of[capacity], the pattern that was last pushed off.  Returns the
 * last turn that used that pattern; 0: none was pushed off. */
static size_t use_place(struct port_user *of, uint32_t capacity, const struct port_user *user)
{
    uint32_t k = 0;
    while (k < capacity && of[k].last > 0 && (of[k].pattern != user->pattern || of[k].port != user->port))
        k++;
    memmove(of + 1, of, k * sizeof *of);
    of[0] = *user;
    return of[capacity].last;
}

/** Return the pattern of a port in a turn, as find_conflict() compares it: between two turns with equal patterns the
 * port is not retuned.  It is `pattern`.  The number of the turn is left out of it if each node receives only once in
 * the phase (MATCHING_ONCE) and no port is retuned within the phase. */
static uint64_t pattern_of(const struct matchings *m, const struct turn *turn, uint64_t pattern)
{
    /* on a star only receivers tune; on a reconfigurable network only senders, and backwards each sends only once */
    bool once = pattern >> MATCHING_KIND == 1 && !m->fabric.switches && turn->backwards != m->fabric.shared;
    return once ? pattern >> 32 << 32 : pattern;
}

/** Set the conflict of turn m->turn[t], the last turn that must end before ports are retuned for this one, and its
 * first step.  `users` lists the patterns that the ports used last, and is brought up to date. */
static void find_conflict(const struct matchings *m, size_t t, struct port_user *users)
{
    const struct fabric *f = &m->fabric;
    struct turn *turn = &m->turn[t];
    const struct circuit *circuit = m->circuit + turn->circuit;
    for (uint32_t p = 0; p < f->ports; p++) {
        struct port_user user = {pattern_of(m, turn, circuit[p].pattern), p, t + 1};
        if (circuit[p].lanes == 0 || (!f->switches && f->limit == 0))
            continue;
        /* a port of a switch has one setting; otherwise the one unused for the longest time gives way */
        size_t last = f->switches ? use_place(users + 2 * p, 1, &user) : use_place(users, f->limit, &user);
        RAISE(turn->conflict, last);
    }
    uint32_t rested = turn->conflict > 0 ? last_step(m, turn->conflict) + f->pause : 0, before = last_step(m, t);
    turn->step = 1 + (rested > before ? rested : before);
}

void matchings_end(struct matchings *m)
{
    size_t places = m->fabric.switches ? 2 * (size_t)m->fabric.ports : m->fabric.limit + (size_t)1;
    struct port_user *users;
    matchings_fail(m, base_new(users, places, m->err));
    for (size_t t = 0; t < m->turns && m->status == RWA_OK; t++)
        find_conflict(m, t, users);
    free(users);
}

double matchings_time(struct matchings *m, const struct plan_request *request, uint64_t block_bytes)
{
    const rwa_cost_options *cost = &request->opts->cost;
    double rate = rwa_network_rate_bps(request->net), end = 0, sends_s = 0,
           start_s = cost->model == RWA_COST_PAPER ? 0 : cost->alpha_s;
    double kept_s =
        cost->model == RWA_COST_PAPER ? 0 : cost->reconfig_s - cost->alpha_s; /* of a step that sets nothing */
    double idle_s = rwa_cost_steps(1, block_bytes, rate, cost) - kept_s;
    size_t epoch = 0; /* the first turn of the epoch, from 1 */
    for (size_t t = 0; t < m->turns; t++) {
        struct turn *turn = &m->turn[t];
        uint32_t more = steps_of(m, turn) - 1;
        if (t == 0 || turn->most != turn[-1].most)
            sends_s = rwa_cost_steps(1, block_bytes * (turn->most - more * m->load), rate, cost) - cost->reconfig_s +
                      more * (rwa_cost_steps(1, block_bytes * m->load, rate, cost) - kept_s);
        bool begins = t == 0 || turn->conflict >= epoch;
        epoch = begins ? t + 1 : epoch;
        end += (turn->step - 1 - last_step(m, t)) * idle_s + start_s;
        if (cost->model == RWA_COST_OVERLAP)
            end = fmax(end, (turn->conflict > 0 ? m->turn[turn->conflict - 1].end_s : 0) + cost->reconfig_s);
        else if (cost->model == RWA_COST_PAPER || begins)
            end += cost->reconfig_s;
        turn->end_s = end += sends_s;
    }
    return end;
}

double matchings_lightpaths(const struct matchings *m)
{
    double lanes = 0;
    for (size_t c = 0; c < m->circuits; c++)
        lanes += m->circuit[c].lanes;
    return lanes * m->fabric.nodes;
}

/* ---- push ---- */

/** Push the lightpaths of a leg (one transfer of a turn) in one of the steps of the turn; `at` counts these steps from
 * 0.  `runs` is scratch. */
static rwa_status push_leg(struct schedule_sink *sink, const struct matchings *m, size_t leg, const struct turn *turn,
                           uint32_t at, rwa_run *runs)
{
    const struct fabric *f = &m->fabric;
    uint64_t blocks = m->legs.blocks[leg];
    uint32_t lanes = lanes_of(m, blocks), src = m->legs.src[leg], port = m->port[leg];
    rwa_status st = RWA_OK;
    for (uint32_t lane = 0; lane < lanes && st == RWA_OK; lane++) {
        uint64_t from = blocks * lane / lanes + (uint64_t)at * m->load, to = blocks * (lane + 1) / lanes;
        if (from >= to)
            continue;
        to = m->load > 0 && to - from > m->load ? from + m->load : to;
        rwa_lists lists = {.runs = runs, .block_count = (uint32_t)(to - from)};
        uint32_t channel = f->shared      ? src * f->ports + port
                           : f->switches  ? port * f->wavelengths + lane
                           : f->lanes > 1 ? lane
                                          : port % f->channels;
        rwa_lightpath lp = {.step = turn->step + at,
                            .src = src,
                            .dst = m->legs.dst[leg],
                            .wavelength = channel,
                            .orbit = 1,
                            .op = turn->op};
        lists.run_count = exchange_slice(runs, &m->legs, leg, from, to - from);
        st = sink_lightpath(sink, &lp, &lists);
    }
    return st;
}

rwa_status matchings_push(struct schedule_sink *sink, const struct matchings *m)
{
    rwa_run *runs;
    MUST(base_new(runs, m->legs.runs + 1, m->err));
    rwa_status st = m->status;
    for (size_t t = 0; t < m->turns; t++)
        for (uint32_t at = 0; at < steps_of(m, &m->turn[t]); at++)
            for (size_t l = m->turn[t].leg; l < m->turn[t].leg + m->turn[t].legs && st == RWA_OK; l++)
                st = push_leg(sink, m, l, &m->turn[t], at, runs);
    free(runs);
    return st == RWA_OK ? sink_end_stage(sink) : st;
}
