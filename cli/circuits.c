/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "circuits.h"

static int read_episodes(void *to, const option *opt, const char *value)
{
    *(uint32_t *)to = 0;
    return strcmp(value, "auto") == 0 ? 0 : read_count(to, opt, value);
}

static int read_share(void *to, const option *opt, const char *value)
{
    int code = read_quantity(to, opt, value);
    return code == 0 && *(double *)to >= 1 ? bad_value(opt, value, opt->expected) : code;
}

static const choice methods[] = {{"auto", METHOD_AUTO}, {"exact", METHOD_EXACT}, {"flow", METHOD_FLOW}, {"ilp", METHOD_ILP}, {NULL, 0}};

const option circuits_options[] = {
    {"wavelengths", 'w', "W", "ring: wavelengths of each fibre", "64",
     IS_COUNT(circuits_choice, network.opts.wavelengths, 1, RWA_CHANNELS_MAX)},
    {"fibers", 0, "F", "ring: fibres of each link and direction", "1", IS_COUNT(circuits_choice, network.opts.fibers, 1, RWA_CHANNELS_MAX)},
    {"rate", 0, "RATE", "bit/s of one circuit or wavelength, as 25G", "40G", IS_RATE(circuits_choice, network.opts.rate_bps),
     .field = "rate_bps"},
    {"method", 0, "NAME", "switches: exact or ilp; ring: flow or ilp; or auto", "auto", IS_CHOICE(circuits_choice, method, methods)},
    {"episodes", 0, "E", "switches: set E times, or auto: what takes least time", "1", IS(circuits_choice, episodes, read_episodes),
     .low = 1, .high = 1u << 20},
    {"duty", 0, "SHARE", "with --episodes auto: transmit at least this share of the time, as 0.9", NULL,
     IS(circuits_choice, duty, read_share), .low = 1, .units = share_units, .expected = "a share below 1, such as 0.9"},
    {"one-way", 0, NULL, "ring: clockwise lightpaths only", NULL, IS_FLAG(circuits_choice, one_way)},
    {"time-limit", 0, "SECONDS", "for the integer program; 0: none", "10", IS_LIMIT(circuits_choice, time_limit_s),
     .field = "time_limit_s"},
    {"reconfig", 0, "TIME", "one reconfiguration", "switches 10ms, ring 25us", IS_TIME(circuits_choice, reconfig_s),
     .field = "reconfig_s"},
    {0}};

void circuits_init(void *chosen)
{
    circuits_choice *c = chosen;
    rwa_network_options_init(&c->network.opts);
    c->episodes = 1;
    c->time_limit_s = 10;
}

void circuits_free(circuits_answer *a)
{
    rwa_circuits_free(a->circuits);
    rwa_ring_free(a->ring);
    rwa_traffic_free(a->traffic);
    rwa_network_free(a->net);
}

/* ---- planning ---- */

/* The same flows among all nodes of the network: a list of flows may leave out the last ones. */
static rwa_status widen(rwa_traffic **out, const rwa_traffic *t, uint32_t nodes, rwa_error *err)
{
    size_t count = rwa_traffic_flows(t);
    rwa_flow *flow = calloc(count + 1, sizeof *flow);
    if (flow == NULL)
        return RWA_NOMEM;
    for (size_t i = 0; i < count; i++)
        flow[i] = rwa_traffic_flow(t, i);
    rwa_status status = rwa_traffic_create(out, nodes, flow, count, err);
    free(flow);
    return status;
}

static rwa_status plan_switches(circuits_answer *a, const circuits_choice *chosen, common *c, rwa_error *err)
{
    rwa_circuits_options opts;
    rwa_circuits_options_init(&opts);
    opts.method = chosen->method == METHOD_ILP ? RWA_CIRCUITS_ILP : RWA_CIRCUITS_EXACT;
    opts.episodes = chosen->episodes;
    opts.duty = chosen->duty;
    opts.rate_bps = rwa_network_rate_bps(a->net);
    if (option_given(c, "reconfig"))
        opts.reconfig_s = chosen->reconfig_s;
    opts.time_limit_s = chosen->time_limit_s;
    opts.programs = chosen->programs;
    SHOW_PROGRESS(&opts, c);
    return rwa_circuits_plan(&a->circuits, a->traffic, rwa_network_fibers(a->net), &opts, err);
}

static rwa_status plan_ring(circuits_answer *a, const circuits_choice *chosen, common *c, rwa_error *err)
{
    rwa_ring_options opts;
    rwa_ring_options_init(&opts);
    opts.method = chosen->method == METHOD_ILP ? RWA_RING_ILP : chosen->method == METHOD_FLOW ? RWA_RING_FLOW : RWA_RING_AUTO;
    opts.one_way = chosen->one_way;
    if (option_given(c, "reconfig"))
        opts.reconfig_s = chosen->reconfig_s;
    opts.time_limit_s = chosen->time_limit_s;
    opts.programs = chosen->programs;
    SHOW_PROGRESS(&opts, c);
    return rwa_ring_allocate(&a->ring, a->traffic, a->net, &opts, err);
}

/* Options for the other kind of network are an error. */
static int check_options(const circuits_choice *chosen, rwa_topology kind, const common *c)
{
    int code = 0;
    if (kind != RWA_OCS && kind != RWA_RING)
        return fail(EXIT_BAD_INPUT, "--network %s: expected switches, such as ocs:64x8, or a ring, such as ring:64", chosen->network.spec);
    if (kind == RWA_OCS && chosen->method == METHOD_FLOW)
        return fail(EXIT_BAD_INPUT, "--method flow is for rings, expected auto, exact or ilp");
    if (kind == RWA_RING && chosen->method == METHOD_EXACT)
        return fail(EXIT_BAD_INPUT, "--method exact is for circuit switches, expected auto, flow or ilp");
    if (kind == RWA_OCS)
        code = refuse_given(c, NAMES("one-way", "wavelengths", "fibers"), "is for rings, expected --network ring:NODES, or no such option");
    if (kind == RWA_RING && chosen->episodes == 1)
        code = refuse_given(c, NAMES("duty"), "is for circuit switches, expected --network ocs:NxQ");
    else if (kind == RWA_RING)
        code = refuse_given(c, NAMES("episodes", "duty"), "is for circuit switches, expected --network ocs:NxQ");
    if (code == 0 && chosen->duty > 0 && chosen->episodes != 0)
        code = fail(EXIT_BAD_INPUT, "--duty chooses the number of episodes, expected --episodes auto with it");
    return code;
}

int circuits_make(circuits_answer *out, const rwa_traffic *traffic, const circuits_choice *chosen, common *c)
{
    rwa_error err = {0};
    *out = (circuits_answer){0};
    rwa_status status = rwa_network_parse(&out->net, chosen->network.spec, &chosen->network.opts, &err);
    if (status != RWA_OK)
        return fail_status(status, &err, 0);
    rwa_topology kind = rwa_network_topology(out->net);
    uint32_t nodes = rwa_network_nodes(out->net), needed = rwa_traffic_nodes(traffic);
    int code = check_options(chosen, kind, c);
    if (code != 0)
        return code;
    if (nodes < needed)
        return fail(EXIT_BAD_INPUT, "traffic among %" PRIu32 " nodes, but %s has %" PRIu32 "; expected a network of at least as many",
                    needed, chosen->network.spec, nodes);
    status = widen(&out->traffic, traffic, nodes, &err);
    if (status == RWA_OK)
        status = kind == RWA_OCS ? plan_switches(out, chosen, c, &err) : plan_ring(out, chosen, c, &err);
    progress_clear();
    assert(status != RWA_OK || (out->circuits != NULL) != (out->ring != NULL));
    return fail_status(status, &err, 0);
}

int circuits_verdict(const circuits_answer *a)
{
    rwa_outcome outcome = a->circuits != NULL ? rwa_circuits_summary(a->circuits)->outcome : rwa_ring_summary(a->ring)->outcome;
    return outcome == RWA_OPTIMAL || outcome == RWA_FEASIBLE ? EXIT_YES : EXIT_NO;
}

static json_t *pair_json(uint32_t a, uint32_t b)
{
    return json_pack("[I,I]", (json_int_t)a, (json_int_t)b);
}

/* Of each flow the circuits or lightpaths it got. */
static json_t *counts_json(const circuits_answer *a)
{
    json_t *list = json_array();
    for (size_t i = 0; i < rwa_traffic_flows(a->traffic); i++) {
        rwa_flow f = rwa_traffic_flow(a->traffic, i);
        uint32_t count = a->circuits != NULL ? rwa_circuits_count(a->circuits, f.src, f.dst) : rwa_ring_count(a->ring, i);
        if (count > 0)
            json_array_append_new(list, json_pack("[I,I,I]", (json_int_t)f.src, (json_int_t)f.dst, (json_int_t)count));
    }
    return list;
}

/* ---- circuit switches ---- */

static json_t *matching_list(const rwa_circuits *c)
{
    const rwa_circuits_report *s = rwa_circuits_summary(c);
    json_t *all = json_array();
    for (uint32_t e = 0; e < s->episodes; e++)
        for (uint32_t q = 0; q < s->switches; q++) {
            json_t *joins = json_array();
            for (uint32_t v = 0; v < s->nodes; v++)
                if (rwa_circuits_peer(c, e, q, v) != RWA_NO_NODE)
                    json_array_append_new(joins, pair_json(v, rwa_circuits_peer(c, e, q, v)));
            json_array_append_new(all, json_add(json_object(), "episode:u switch:u joins:o", e, q, joins));
        }
    return all;
}

static json_t *switches_json(const circuits_answer *a)
{
    const rwa_circuits_report *s = rwa_circuits_summary(a->circuits);
    json_t *all = json_add(json_object(), "network:s nodes:u switches:u episodes:u outcome:s optimal:b most_peers:u circuits:U", "ocs",
                           s->nodes, s->switches, s->episodes, rwa_outcome_text(s->outcome), s->outcome == RWA_OPTIMAL,
                           s->most_peers, s->circuits);
    if (circuits_verdict(a) != EXIT_YES)
        return json_add(all, "why:s", s->why);
    return json_add(all, "load_bytes:f bound_bytes:f slowest:o time_seconds:f hold_seconds:f duty:f counts:o matchings:o",
                    s->load_bytes, s->bound_bytes, pair_json(s->slowest_src, s->slowest_dst), s->time_s, s->hold_s, s->duty,
                    counts_json(a), matching_list(a->circuits));
}

static void print_switches(FILE *to, const circuits_answer *a)
{
    const rwa_circuits_report *s = rwa_circuits_summary(a->circuits);
    fprintf(to, "Circuit switches  %" PRIu32 ", %" PRIu32 " nodes, %" PRIu32 " episode%s\n", s->switches, s->nodes, s->episodes,
            plural(s->episodes));
    if (circuits_verdict(a) != EXIT_YES) {
        fprintf(to, "No circuits       %s\n", s->why);
        return;
    }
    fprintf(to, "Circuits          %" PRIu64 ", a node has at most %" PRIu32 " peer%s\n"
            "Slowest transfer  %s per circuit, node %" PRIu32 " to %" PRIu32 ", %s\n"
            "Time              %s, each setting held %s, %.1f %% of it transmitting\n",
            s->circuits, s->most_peers, plural(s->most_peers), SIZE_TEXT(s->load_bytes), s->slowest_src, s->slowest_dst,
            s->outcome == RWA_OPTIMAL ? "proven the least possible" : "not proven the least", TIME_TEXT(s->time_s),
            TIME_TEXT(s->hold_s), 100 * s->duty);
}

static void print_switches_csv(const rwa_circuits *c)
{
    const rwa_circuits_report *s = rwa_circuits_summary(c);
    printf("episode,switch,src,dst\n");
    for (uint32_t e = 0; e < s->episodes; e++)
        for (uint32_t q = 0; q < s->switches; q++)
            for (uint32_t v = 0; v < s->nodes; v++)
                if (rwa_circuits_peer(c, e, q, v) != RWA_NO_NODE)
                    printf("%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", e, q, v, rwa_circuits_peer(c, e, q, v));
}

/* ---- rings ---- */

static const char *direction_name(rwa_direction dir)
{
    return dir == RWA_CW ? "cw" : "ccw";
}

static json_t *lightpath_list(const rwa_ring *ring)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < rwa_ring_summary(ring)->lightpaths; i++) {
        rwa_lightpath p = rwa_ring_lightpath(ring, i);
        json_array_append_new(list, json_add(json_object(), "src:u dst:u dir:s fiber:u wavelength:u", p.src, p.dst,
                                             direction_name(p.direction), p.fiber, p.wavelength));
    }
    return list;
}

static json_t *ring_json(const circuits_answer *a)
{
    const rwa_ring_report *s = rwa_ring_summary(a->ring);
    json_t *all = json_add(json_object(), "network:s nodes:u fibers:u wavelengths:u outcome:s optimal:b method:s pairs:z served:z "
                           "lightpaths:U", "ring", rwa_network_nodes(a->net), rwa_network_fibers(a->net),
                           rwa_network_wavelengths(a->net), rwa_outcome_text(s->outcome), s->outcome == RWA_OPTIMAL, s->method,
                           s->pairs, s->served, s->lightpaths);
    if (s->why[0] != '\0')
        all = json_add(all, "why:s", s->why);
    return json_add(all, "load_bytes:f bound_bytes:f slowest:o time_seconds:f duty:f rate_bps:f counts:o assigned:o", s->load_bytes,
                    s->bound_bytes, pair_json(s->slowest_src, s->slowest_dst), s->transfer_s, s->duty, rwa_network_rate_bps(a->net),
                    counts_json(a), lightpath_list(a->ring));
}

static void print_ring(FILE *to, const circuits_answer *a)
{
    const rwa_ring_report *s = rwa_ring_summary(a->ring);
    fprintf(to, "Ring              %" PRIu32 " nodes, %" PRIu32 " wavelength%s in each direction\n", rwa_network_nodes(a->net),
            rwa_network_channels(a->net), plural(rwa_network_channels(a->net)));
    fprintf(to, "Lightpaths        %" PRIu64 ", %zu of %zu pairs have some (%s)\n", s->lightpaths, s->served, s->pairs, s->method);
    if (s->why[0] != '\0')
        fprintf(to, "Not all           %s\n", s->why);
    fprintf(to, "Slowest transfer  %s per lightpath, node %" PRIu32 " to %" PRIu32, SIZE_TEXT(s->load_bytes), s->slowest_src,
            s->slowest_dst);
    if (s->served < s->pairs)
        fprintf(to, "\n");
    else if (s->outcome == RWA_OPTIMAL)
        fprintf(to, ", proven the least possible\n");
    else
        fprintf(to, "; lower bound %s\n", SIZE_TEXT(s->bound_bytes));
    fprintf(to, "Time              %s after a reconfiguration, %.1f %% of both transmitting\n", TIME_TEXT(s->transfer_s), 100 * s->duty);
}

static void print_ring_csv(const rwa_ring *ring)
{
    printf("src,dst,dir,fiber,wavelength\n");
    for (uint64_t i = 0; i < rwa_ring_summary(ring)->lightpaths; i++) {
        rwa_lightpath p = rwa_ring_lightpath(ring, i);
        printf("%" PRIu32 ",%" PRIu32 ",%s,%" PRIu32 ",%" PRIu32 "\n", p.src, p.dst, direction_name(p.direction), p.fiber, p.wavelength);
    }
}

/* ---- both ---- */

json_t *circuits_json(const circuits_answer *a)
{
    return a->circuits != NULL ? switches_json(a) : ring_json(a);
}

void print_circuits(FILE *to, const circuits_answer *a)
{
    if (a->circuits != NULL)
        print_switches(to, a);
    else
        print_ring(to, a);
}

void print_circuits_csv(const circuits_answer *a)
{
    if (a->circuits != NULL)
        print_switches_csv(a->circuits);
    else
        print_ring_csv(a->ring);
}
