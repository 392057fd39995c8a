/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans circuits for traffic and reports them.  Between circuit switches, a plan is a sequence of episodes, in each of
 * which every switch connects nodes by a matching; on a ring, it is a set of lightpaths. */
#include "circuits.h"

typedef enum circuits_method { METHOD_AUTO, METHOD_EXACT, METHOD_FLOW, METHOD_ILP } circuits_method;

rwa_circuits *circuits;
rwa_allocation *ring;
static const rwa_circuits_report *s;    /* of the one that is made */
static const rwa_allocation_report *r;
static rwa_traffic *flows;      /* among all nodes of the network */
static circuits_method method;
static uint32_t episodes = 1;   /* 0: chosen */
static double duty, time_limit_s = 10;
static int one_way;

static int read_episodes(const option *opt, const char *value)
{
    episodes = 0;
    return strcmp(value, "auto") == 0 ? 0 : read_count(opt, value);
}

static int read_share(const option *opt, const char *value)
{
    MUST(read_quantity(opt, value));
    return duty >= 1 ? bad_value(opt, value, opt->expected) : 0;
}

const option circuits_options[] = {
    {"wavelengths", "W", "ring: wavelengths of each fibre (64)",
     IS_COUNT(target.opts.wavelengths, 1, RWA_CHANNELS_MAX)},
    {"fibers", "F", "ring: fibres of each link and direction (1)", IS_COUNT(target.opts.fibers, 1, RWA_CHANNELS_MAX)},
    {"rate", "RATE", "bit/s of one circuit or wavelength, as 25G (40G)", IS_RATE(target.opts.rate_bps)},
    {"method", "NAME", "switches: exact or ilp; ring: flow or ilp; or auto (auto)",
     IS_CHOICE(method, METHOD_AUTO, "auto", "exact", "flow", "ilp")},
    {"episodes", "E", "switches: set E times, or auto: what takes least time (1)", IS(episodes, read_episodes),
     .low = 1, .high = 1u << 20},
    {"duty", "SHARE", "with --episodes auto: transmit at least this share of the time, as 0.9", IS(duty, read_share),
     .low = 1, .units = " 1 %", .expected = "a share below 1, such as 0.9"},
    {"one-way", NULL, "ring: clockwise lightpaths only", IS_FLAG(one_way)},
    {"time-limit", "SECONDS", "for the integer program; 0: none (10)", IS_LIMIT(time_limit_s)},
    {"reconfig", "TIME", "one reconfiguration (switches 10ms, ring 25us)", IS_TIME(cost.reconfig_s)},
    {0}};

/* ---- planning ---- */

/* Set `flows` to the flows of t, as traffic among all `nodes` nodes of the network; t may have fewer nodes.  Return 0,
 * or the exit code after an error message. */
static int widen(const rwa_traffic *t, uint32_t nodes)
{
    static rwa_flow *flow;
    size_t count = rwa_traffic_flows(t);
    MUST(NEW(flow, count + 1));
    for (size_t i = 0; i < count; i++)
        flow[i] = rwa_traffic_flow(t, i);
    return CALL(rwa_traffic_create, &flows, nodes, flow, count);
}

static int plan_switches(void)
{
    rwa_circuits_options opts;
    rwa_circuits_options_init(&opts);
    opts.method = method == METHOD_ILP ? RWA_CIRCUITS_ILP : RWA_CIRCUITS_EXACT;
    opts.episodes = episodes;
    opts.duty = duty;
    opts.rate_bps = rwa_network_rate_bps(target.net);
    if (given("reconfig"))
        opts.reconfig_s = cost.reconfig_s;
    opts.time_limit_s = time_limit_s;
    opts.programs = programs_asked();
    SHOW_PROGRESS(opts);
    MUST(CALL(rwa_circuits_make, &circuits, flows, rwa_network_fibers(target.net), &opts));
    s = rwa_circuits_summary(circuits);
    return 0;
}

static int plan_ring(void)
{
    rwa_allocation_options opts;
    rwa_allocation_options_init(&opts);
    opts.method = method == METHOD_ILP ? RWA_RING_ILP : method == METHOD_FLOW ? RWA_RING_FLOW : RWA_RING_AUTO;
    opts.one_way = one_way;
    if (given("reconfig"))
        opts.reconfig_s = cost.reconfig_s;
    opts.time_limit_s = time_limit_s;
    opts.programs = programs_asked();
    SHOW_PROGRESS(opts);
    MUST(CALL(rwa_allocation_make, &ring, flows, target.net, &opts));
    r = rwa_allocation_summary(ring);
    return 0;
}

/* Refuse a network that is neither circuit switches (kind RWA_OCS) nor a ring (RWA_RING), options that do not suit its
 * kind, and --duty with a number of episodes.  Return 0, or the exit code after an error message. */
static int refuse_options(rwa_topology kind)
{
    if (kind != RWA_OCS && kind != RWA_RING)
        return BAD_INPUT("--network %s: expected switches, such as ocs:64x8, or a ring, such as ring:64", target.spec);
    if (kind == RWA_OCS && method == METHOD_FLOW)
        return BAD_INPUT("--method flow is for rings, expected auto, exact or ilp");
    if (kind == RWA_RING && method == METHOD_EXACT)
        return BAD_INPUT("--method exact is for circuit switches, expected auto, flow or ilp");
    if (kind == RWA_OCS)
        MUST(refuse_given("one-way wavelengths fibers",
                          "is for rings, expected --network ring:NODES, or no such option"));
    else
        MUST(refuse_given(episodes == 1 ? "duty" : "episodes duty",
                          "is for circuit switches, expected --network ocs:NxQ"));
    if (duty > 0 && episodes != 0)
        return BAD_INPUT("--duty chooses the number of episodes, expected --episodes auto with it");
    return 0;
}

int circuits_make(const rwa_traffic *traffic)
{
    MUST(CALL(rwa_network_parse, &target.net, target.spec, &target.opts));
    rwa_topology kind = rwa_network_topology(target.net);
    uint32_t nodes = rwa_network_nodes(target.net), needed = rwa_traffic_nodes(traffic);
    MUST(refuse_options(kind));
    if (nodes < needed)
        return BAD_INPUT("traffic among %u nodes, but %s has %u; expected a network of at least as many", needed,
                         target.spec, nodes);
    MUST(widen(traffic, nodes));
    return kind == RWA_OCS ? plan_switches() : plan_ring();
}

int circuits_verdict(void)
{
    return is_answer(circuits ? s->outcome : r->outcome) ? EXIT_YES : EXIT_NO;
}

/* Return as JSON the number of circuits or lightpaths that serve flow i: [src, dst, number]; NULL if there are none. */
static json_t *count_json(size_t i)
{
    rwa_flow f = rwa_traffic_flow(flows, i);
    uint32_t count = circuits ? rwa_circuits_count(circuits, f.src, f.dst) : rwa_allocation_count(ring, i);
    return count > 0 ? JSON_COUNTS(f.src, f.dst, count) : NULL;
}

static json_t *counts_json(void)
{
    return json_list(rwa_traffic_flows(flows), count_json);
}

/* ---- circuit switches ---- */

/* Return the node that `node` is connected to in a matching; RWA_NONE: none.  A switch has one matching in each
 * episode: number episode * switches + switch. */
static uint32_t peer_of(uint32_t node, size_t matching)
{
    return rwa_circuits_peer(circuits, (uint32_t)matching / s->switches, (uint32_t)matching % s->switches, node);
}

static json_t *matching_json(size_t i)
{
    json_t *joins = json_array();
    for (uint32_t v = 0; v < s->nodes; v++)
        if (peer_of(v, i) != RWA_NONE)
            json_array_append_new(joins, JSON_COUNTS(v, peer_of(v, i)));
    return JSON("episode:z switch:z joins:o", i / s->switches, i % s->switches, joins);
}

static json_t *switches_json(void)
{
    json_t *all = JSON("network:s nodes:u switches:u episodes:u outcome:s optimal:b most_peers:u circuits:U", "ocs",
                       s->nodes, s->switches, s->episodes, rwa_outcome_text(s->outcome), s->outcome == RWA_OPTIMAL,
                       s->most_peers, s->circuits);
    if (circuits_verdict() != EXIT_YES)
        return json_add(all, "why:s", s->why);
    return json_add(all,
                    "load_bytes:f bound_bytes:f slowest:o time_seconds:f hold_seconds:f duty:f counts:o matchings:o",
                    s->load_bytes, s->bound_bytes, JSON_COUNTS(s->slowest_src, s->slowest_dst), s->time_s, s->hold_s,
                    s->duty, counts_json(),
                    json_list((size_t)s->episodes * s->switches, matching_json));
}

static void say_switches(void)
{
    say("Circuit switches  %u, %u nodes, %s\n", s->switches, s->nodes, counted(s->episodes, "episode"));
    if (circuits_verdict() != EXIT_YES) {
        say("No circuits       %s\n", s->why);
        return;
    }
    say("Circuits          %" PRIu64 ", a node has at most %s\n"
        "Slowest transfer  %s per circuit, node %u to %u, %s\n"
        "Time              %s, each setting held %s, %.1f %% of it transmitting\n",
        s->circuits, counted(s->most_peers, "peer"), size_text(s->load_bytes), s->slowest_src, s->slowest_dst,
        s->outcome == RWA_OPTIMAL ? "proven the least possible" : "not proven the least", time_text(s->time_s),
        time_text(s->hold_s), 100 * s->duty);
}

/* ---- rings ---- */

static json_t *lightpath_json(size_t i)
{
    rwa_lightpath p = rwa_allocation_lightpath(ring, i);
    return JSON("src:u dst:u dir:s fiber:u wavelength:u", p.src, p.dst, p.direction == RWA_CW ? "cw" : "ccw", p.fiber,
                p.wavelength);
}

static json_t *lightpath_list(void)
{
    return json_list((size_t)r->lightpaths, lightpath_json);
}

static json_t *ring_json(void)
{
    const rwa_network *net = target.net;
    json_t *all =
        JSON("network:s nodes:u fibers:u wavelengths:u outcome:s optimal:b method:s pairs:z served:z lightpaths:U",
             "ring", rwa_network_nodes(net), rwa_network_fibers(net), rwa_network_wavelengths(net),
             rwa_outcome_text(r->outcome), r->outcome == RWA_OPTIMAL, r->method, r->pairs, r->served, r->lightpaths);
    if (r->why[0])
        all = json_add(all, "why:s", r->why);
    return json_add(all, "load_bytes:f bound_bytes:f slowest:o time_seconds:f duty:f rate_bps:f counts:o assigned:o",
                    r->load_bytes, r->bound_bytes, JSON_COUNTS(r->slowest_src, r->slowest_dst), r->transfer_s, r->duty,
                    rwa_network_rate_bps(net), counts_json(), lightpath_list());
}

static void say_ring(void)
{
    say("Ring              %u nodes, %s in each direction\n", rwa_network_nodes(target.net),
        counted(rwa_network_channels(target.net), "wavelength"));
    say("Lightpaths        %" PRIu64 ", %zu of %zu pairs have some (%s)\n", r->lightpaths, r->served, r->pairs,
        r->method);
    if (r->why[0])
        say("Not all           %s\n", r->why);
    say("Slowest transfer  %s per lightpath, node %u to %u", size_text(r->load_bytes), r->slowest_src, r->slowest_dst);
    if (r->served < r->pairs)
        say("\n");
    else if (r->outcome == RWA_OPTIMAL)
        say(", proven the least possible\n");
    else
        say("; lower bound %s\n", size_text(r->bound_bytes));
    say("Time              %s after a reconfiguration, %.1f %% of both transmitting\n", time_text(r->transfer_s),
        100 * r->duty);
}

/* ---- both ---- */

json_t *circuits_json(void)
{
    return circuits ? switches_json() : ring_json();
}

void say_circuits(void)
{
    if (circuits)
        say_switches();
    else
        say_ring();
}

/* Return as JSON the circuit that leaves a node in a matching (see peer_of()), with i = matching * nodes + node; NULL:
 * there is none. */
static json_t *circuit_json(size_t i)
{
    size_t matching = i / s->nodes;
    uint32_t node = (uint32_t)(i % s->nodes), peer = peer_of(node, matching);
    return peer == RWA_NONE ? NULL
                            : JSON("episode:z switch:z src:u dst:u", matching / s->switches, matching % s->switches,
                                   node, peer);
}

int print_circuits(void)
{
    if (circuits)
        return print_csv("episode,switch,src,dst",
                         json_list((size_t)s->episodes * s->switches * s->nodes, circuit_json));
    return print_csv("src,dst,dir,fiber,wavelength", lightpath_list());
}

int report_answer(int (*csv)(void), void (*text)(void), json_t *(*json)(void), int verdict)
{
    static char *report;
    if (!output.file || output.format != AS_JSON)
        MUST(print_answer(text, json, csv));
    if (!output.file)
        return verdict;
    report = text_of_json(json());
    MUST(!report ? fail_memory() : WRITE(rwa_text_write, report, output.file));
    return verdict;
}
