/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SiP-OCS: chooses the number of circuits of each flow, the number of episodes, and the switch of each circuit. */
#include "place/place.h"

#include "lp/lp.h"

enum { PORTS_MAX = 1 << 20, EPISODES_TRIED = 1024 };

struct rwa_circuits {
    rwa_circuits_report summary;
    rwa_traffic *traffic;
    uint32_t *count;    /* per flow */
    uint32_t *peer;     /* [(episode * switches + switch) * nodes + node]; NULL when the outcome is INFEASIBLE */
};

OPTIONS(rwa_circuits_options, .episodes = 1, .rate_bps = 25e9, .reconfig_s = 10e-3, .time_limit_s = 60)

void rwa_circuits_free(rwa_circuits *c)
{
    if (!c)
        return;
    rwa_traffic_free(c->traffic);
    free_all(c->count, c->peer, c);
}

GETTER_ADDRESS(rwa_circuits_report, rwa_circuits_summary, rwa_circuits, summary)

COMPARATOR(by_destination, rwa_flow, UP(dst))

uint32_t rwa_circuits_count(const rwa_circuits *c, uint32_t src, uint32_t dst)
{
    if (src >= c->traffic->nodes)
        return 0;
    const rwa_flow *flow = c->traffic->flow;
    size_t first = c->traffic->of[0].first[src], end = c->traffic->of[0].first[src + 1];
    size_t at =
        first + base_first_from(flow + first, end - first, sizeof *flow, &(rwa_flow){.dst = dst}, by_destination);
    return at < end && flow[at].dst == dst ? c->count[at] : 0;
}

uint32_t rwa_circuits_peer(const rwa_circuits *c, uint32_t episode, uint32_t sw, uint32_t node)
{
    const rwa_circuits_report *s = &c->summary;
    if (!c->peer || episode >= s->episodes || sw >= s->switches || node >= s->nodes)
        return RWA_NONE;
    return c->peer[((size_t)episode * s->switches + sw) * s->nodes + node];
}

static rwa_status check_options(const rwa_circuits_options *o, uint32_t switches, rwa_error *err)
{
    if (switches == 0 || switches > PORTS_MAX || (uint64_t)switches * o->episodes > PORTS_MAX)
        return base_refuse(err, "%u switches in %u episodes, expected 1 to %d ports a node in all", switches,
                           o->episodes, PORTS_MAX);
    if (!(o->rate_bps > 0) || !isfinite(o->rate_bps))
        return base_refuse(err, "rate %g bit/s, expected a number above 0", o->rate_bps);
    if (o->episodes == 0 && o->reconfig_s <= 0)
        return base_refuse(err, "reconfiguration of 0 s, expected more where the number of episodes is to be chosen");
    if (!(o->duty >= 0 && o->duty < 1))
        return base_refuse(err, "duty cycle %g, expected at least 0 and below 1", o->duty);
    return RWA_OK;
}

/** Set *busiest to the node with the most peers in one direction, and s->most_peers to their number.  *sends: the node
 *  sends to these peers; otherwise it receives from them. */
static void count_peers(rwa_circuits_report *s, uint32_t *busiest, bool *sends, const rwa_traffic *t)
{
    *busiest = 0;
    *sends = true;
    for (uint32_t v = 0; v < t->nodes; v++)
        for (int end = 0; end < 2; end++) {
            uint32_t peers = (uint32_t)(t->of[end].first[v + 1] - t->of[end].first[v]);
            if (peers <= s->most_peers)
                continue;
            *busiest = v;
            *sends = end == 0;
            s->most_peers = peers;
        }
}

static double time_of(double load, uint32_t episodes, const rwa_circuits_options *o)
{
    return episodes * (o->reconfig_s + load * 8 / o->rate_bps);
}

static double duty_of(double load, const rwa_circuits_options *o)
{
    double transfer = load * 8 / o->rate_bps;
    return transfer > 0 ? transfer / (transfer + o->reconfig_s) : 0;
}

/** Set s->episodes to the number of episodes (periods between reconfigurations of the switches) with the least total
 *  time; each further episode costs one more reconfiguration. */
static rwa_status choose_episodes(rwa_circuits_report *s, const rwa_traffic *t, const rwa_circuits_options *o,
                                  struct budget *budget, rwa_error *err)
{
    double best = INFINITY;
    double transfer = least_share(t, s->switches) * 8 / o->rate_bps; /* lower bound on the transfer time of all
                                                                        episodes together */
    uint32_t fewest = s->most_peers > s->switches ? (s->most_peers - 1) / s->switches + 1 : 1;
    uint32_t most = PORTS_MAX / s->switches;
    s->episodes = fewest;
    for (uint32_t e = fewest; e <= most && e - fewest < EPISODES_TRIED; e++) {
        if (e * o->reconfig_s + transfer >= best)
            break;
        if (base_must_stop(budget, "episodes", -1))
            return base_fail(err, RWA_CANCELLED, "stopped while choosing the number of episodes");
        double load = least_load(t, e * s->switches);
        if (duty_of(load, o) >= o->duty && time_of(load, e, o) < best) {
            best = time_of(load, e, o);
            s->episodes = e;
        }
    }
    return RWA_OK;
}

static void fill_summary(rwa_circuits *c, const rwa_circuits_options *o)
{
    rwa_circuits_report *s = &c->summary;
    for (size_t i = 0; i < c->traffic->count; i++) {
        const rwa_flow *f = &c->traffic->flow[i];
        s->circuits += c->count[i];
        if (f->bytes / c->count[i] <= s->load_bytes)
            continue;
        s->load_bytes = f->bytes / c->count[i];
        s->slowest_src = f->src;
        s->slowest_dst = f->dst;
    }
    s->duty = duty_of(s->load_bytes, o);
    s->time_s = time_of(s->load_bytes, s->episodes, o);
    s->hold_s = s->time_s / s->episodes;
}

/* ---- the integer program: maximise z subject to z T_uv / max T <= x_uv, where T_uv are the bytes from node u to node
 * v and x_uv the circuits that carry them; at most `ports` circuits leave and enter each node ---- */

static void set_columns(struct lp *m, const rwa_traffic *t, uint32_t ports)
{
    for (size_t i = 0; i < t->count; i++) {
        m->lower[i] = 1;
        m->upper[i] = ports;
        lp_name_column(m, i, "x_%u_%u", t->flow[i].src, t->flow[i].dst);
    }
    lp_name_column(m, t->count, "z");
    m->upper[t->count] = ports;
    m->continuous[t->count] = true;
    m->cost[t->count] = -1;
}

static void set_rows(struct lp *m, const rwa_traffic *t, uint32_t ports, double most)
{
    for (size_t i = 0; i < t->count; i++) {
        lp_put(m, i, 1);
        lp_put(m, t->count, -t->flow[i].bytes / most);
        lp_end(m, 0, INFINITY, "flow_%u_%u", t->flow[i].src, t->flow[i].dst);
    }
    for (int end = 0; end < 2; end++)
        for (uint32_t v = 0; v < t->nodes; v++) {
            for (size_t i = t->of[end].first[v]; i < t->of[end].first[v + 1]; i++)
                lp_put(m, t->of[end].number[i], 1);
            lp_end(m, -INFINITY, ports, "%s_%u", end ? "in" : "out", v);
        }
}

/** Choose the number of circuits of each flow, count[], by an integer program, such that the most bytes on a circuit
 *  are as few as possible.  Set *bound to the lower bound on these bytes that GLPK proved.  RWA_CANCELLED: a limit
 *  stopped the program before it found any circuits. */
static rwa_status least_load_ilp(double *bound, uint32_t *count, const rwa_traffic *t, uint32_t ports,
                                 struct budget *budget, rwa_error *err)
{
    struct lp m;
    struct lp_result result;
    double most = most_bytes(t);
    rwa_status st = RWA_OK;
    TRY(lp_open(&m, t->count + 1, t->count + 2 * (size_t)t->nodes, 4 * t->count, budget, err));
    set_columns(&m, t, ports);
    set_rows(&m, t, ports, most);
    TRY(lp_solve(&result, &m, false, err));
    if (!result.solved)
        TRY(base_fail(err, RWA_CANCELLED, "the integer program found no circuits within its limit"));
    *bound = most / -result.bound;
    for (size_t i = 0; i < t->count; i++)
        count[i] = (uint32_t)llround(result.x[i]);
done:
    lp_free(&m);
    return st;
}

static rwa_status count_circuits(rwa_circuits *c, const rwa_circuits_options *o, struct budget *budget, rwa_error *err)
{
    const rwa_traffic *t = c->traffic;
    rwa_circuits_report *s = &c->summary;
    uint32_t ports = s->episodes * s->switches;
    double load = 0;
    if (t->count > 0 && o->method == RWA_CIRCUITS_ILP) {
        MUST(least_load_ilp(&s->bound_bytes, c->count, t, ports, budget, err));
    } else if (t->count > 0) {
        load = s->bound_bytes = least_load(t, ports);
        for (size_t i = 0; i < t->count; i++)
            c->count[i] = circuits_for(t->flow[i].bytes, load);
    }
    fill_summary(c, o);
    /* GLPK works in floating point: its proofs hold to a few parts in 10^9 */
    s->outcome = s->load_bytes <= s->bound_bytes * (1 + 1e-8) ? RWA_OPTIMAL : RWA_FEASIBLE;
    if (s->outcome == RWA_OPTIMAL)
        s->bound_bytes = s->load_bytes;
    return RWA_OK;
}

/** Assign each circuit to an episode and a switch, and write its destination to c->peer.  A circuit is an edge between
 *  two nodes, and each (episode, switch) pair is a colour for the edges. */
static rwa_status split(rwa_circuits *c, struct budget *budget, rwa_error *err)
{
    rwa_circuits_report *s = &c->summary;
    rwa_status st = RWA_OK;
    uint32_t colours = s->episodes * s->switches;
    size_t edges = 0, slots = (size_t)s->nodes * colours;
    struct arena memory = {.err = err};
    uint32_t *src, *dst, *colour;
    TRY(arena_arrays(&memory, s->circuits, src, dst, colour));
    TRY(base_new(c->peer, slots, err));
    for (size_t i = 0; i < c->traffic->count; i++)
        for (uint32_t x = 0; x < c->count[i]; x++) {
            src[edges] = c->traffic->flow[i].src;
            dst[edges++] = c->traffic->flow[i].dst;
        }
    TRY(edges_colour(colour, s->nodes, src, dst, edges, colours, budget, err));
    for (size_t i = 0; i < slots; i++)
        c->peer[i] = RWA_NONE;
    assert(edges == s->circuits);
    for (size_t e = 0; e < edges; e++)
        c->peer[(size_t)colour[e] * s->nodes + src[e]] = dst[e];
done:
    arena_free(&memory);
    return st;
}

/** Tell whether a node has too few ports for its peers.  If so, s->why names the node and a remedy. */
static bool is_infeasible(rwa_circuits_report *s, const rwa_traffic *t)
{
    uint32_t busiest;
    bool sends;
    count_peers(s, &busiest, &sends, t);
    uint64_t ports = (uint64_t)s->switches * s->episodes;
    if (s->episodes == 0 || s->most_peers <= ports)
        return false;
    snprintf(s->why, sizeof s->why,
             "node %u %s %u others, but %u switches in %u episode%s give it %" PRIu64
             " ports; expected at least %u switches, "
             "or %u "
             "episodes",
             busiest, sends ? "sends to" : "receives from", s->most_peers, s->switches, s->episodes,
             plural(s->episodes), ports, (s->most_peers - 1) / s->episodes + 1,
             (s->most_peers - 1) / s->switches + 1);
    s->outcome = RWA_INFEASIBLE;
    return true;
}

static rwa_status plan(rwa_circuits *c, const rwa_circuits_options *o, rwa_error *err)
{
    rwa_circuits_report *s = &c->summary;
    struct budget budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    struct budget work = base_budget(0, o->poll, o->poll_data);
    budget.programs = work.programs = o->programs;
    if (is_infeasible(s, c->traffic))
        return RWA_OK;
    if (s->episodes == 0)
        MUST(choose_episodes(s, c->traffic, o, &work, err));
    MUST(count_circuits(c, o, &budget, err));
    if (o->episodes == 0 && s->duty < o->duty) {
        s->outcome = RWA_INFEASIBLE;
        s->circuits = 0;
        memset(c->count, 0, c->traffic->count * sizeof *c->count);
        snprintf(s->why, sizeof s->why,
                 "%u episode%s, the fewest, transmit %.3g of the time, expected %.3g: more traffic, or a shorter "
                 "reconfiguration", s->episodes, plural(s->episodes), s->duty, o->duty);
        return RWA_OK;
    }
    return split(c, &work, err);
}

rwa_status rwa_circuits_make(rwa_circuits **out, const rwa_traffic *traffic, uint32_t switches,
                             const rwa_circuits_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, traffic);
    rwa_circuits *c = NULL;
    rwa_circuits_options o;
    rwa_status st = RWA_NOMEM;
    TRY(base_options(rwa_circuits_options, &o, opts, err));
    TRY(check_options(&o, switches, err));
    MUST(base_new(c, 1, err));
    c->summary.nodes = traffic->nodes;
    c->summary.switches = switches;
    c->summary.episodes = o.episodes;
    TRY(rwa_traffic_create(&c->traffic, traffic->nodes, traffic->flow, traffic->count, err));
    TRY(base_new(c->count, traffic->count, err));
    TRY(plan(c, &o, err));
    *out = c;
    c = NULL;
done:
    rwa_circuits_free(c);
    return st;
}
