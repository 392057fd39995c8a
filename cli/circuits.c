/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "circuits.h"
#include "fold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void circuits_drop(circuits_answer *a)
{
    rwa_circuits_free(a->circuits);
    rwa_ring_free(a->ring);
    rwa_traffic_free(a->traffic);
    rwa_network_free(a->net);
    memset(a, 0, sizeof *a);
}

/* The same flows among all nodes of the network: a list of flows need not name the last ones. */
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

static rwa_status plan_switches(circuits_answer *a, options *o, rwa_error *err)
{
    rwa_circuits_options c;
    rwa_circuits_options_init(&c);
    c.method = strcmp(o->method, "ilp") == 0 ? RWA_CIRCUITS_ILP : RWA_CIRCUITS_EXACT;
    c.episodes = o->episodes;
    c.duty = o->duty;
    c.rate_bps = rwa_network_rate_bps(a->net);
    if (option_given(o, "reconfig"))
        c.reconfig_s = o->plan.cost.reconfig_s;
    c.time_limit_s = o->plan.time_limit_s;
    c.poll = poll_progress;
    c.poll_data = o;
    return rwa_circuits_plan(&a->circuits, a->traffic, rwa_network_fibers(a->net), &c, err);
}

static rwa_status plan_ring(circuits_answer *a, options *o, rwa_error *err)
{
    rwa_ring_options r;
    rwa_ring_options_init(&r);
    r.method = strcmp(o->method, "ilp") == 0 ? RWA_RING_ILP : strcmp(o->method, "flow") == 0 ? RWA_RING_FLOW : RWA_RING_AUTO;
    r.one_way = o->one_way;
    if (option_given(o, "reconfig"))
        r.reconfig_s = o->plan.cost.reconfig_s;
    r.time_limit_s = o->plan.time_limit_s;
    r.poll = poll_progress;
    r.poll_data = o;
    return rwa_ring_allocate(&a->ring, a->traffic, a->net, &r, err);
}

/* Options that mean nothing on the other kind of network are refused, not ignored. */
static int check_options(const options *o, rwa_network_kind kind)
{
    if (kind != RWA_OCS && kind != RWA_RING)
        return fail(EXIT_BAD_INPUT, "--network %s: expected switches, such as ocs:64x8, or a ring, such as ring:64", o->network);
    if (kind == RWA_OCS && (o->one_way || strcmp(o->method, "flow") == 0))
        return fail(EXIT_BAD_INPUT, "%s is for rings, expected %s", o->one_way ? "--one-way" : "--method flow",
                    o->one_way ? "ring:NODES" : "auto, exact or ilp");
    if (kind == RWA_OCS && (option_given(o, "wavelengths") || option_given(o, "fibers")))
        return refuse_given(o, NAMES("wavelengths", "fibers"), "is for rings, expected --network ring:NODES, or without it");
    if (kind == RWA_RING && (o->episodes != 1 || o->duty > 0 || strcmp(o->method, "exact") == 0))
        return fail(EXIT_BAD_INPUT, "%s is for circuit switches, expected %s", o->episodes != 1 ? "--episodes" :
                    o->duty > 0 ? "--duty" : "--method exact", strcmp(o->method, "exact") == 0 ? "auto, flow or ilp" : "ocs:NxQ");
    if (o->duty > 0 && o->episodes != 0)
        return fail(EXIT_BAD_INPUT, "--duty chooses the number of episodes, expected --episodes auto with it");
    return 0;
}

int circuits_make(circuits_answer *out, const rwa_traffic *traffic, options *o)
{
    rwa_error err = {0};
    memset(out, 0, sizeof *out);
    rwa_status status = rwa_network_parse(&out->net, o->network, &o->net, &err);
    if (status != RWA_OK)
        return fail_status(status, &err, 0);
    rwa_network_kind kind = rwa_network_get_kind(out->net);
    int code = check_options(o, kind);
    if (code != 0)
        return code;
    if (rwa_network_nodes(out->net) < rwa_traffic_nodes(traffic))
        return fail(EXIT_BAD_INPUT, "traffic among %lu nodes, but %s has %lu; expected a network of at least as many",
                    (unsigned long)rwa_traffic_nodes(traffic), o->network, (unsigned long)rwa_network_nodes(out->net));
    status = widen(&out->traffic, traffic, rwa_network_nodes(out->net), &err);
    if (status == RWA_OK)
        status = kind == RWA_OCS ? plan_switches(out, o, &err) : plan_ring(out, o, &err);
    progress_clear();
    return status == RWA_OK ? 0 : fail_status(status, &err, 0);
}

int circuits_verdict(const circuits_answer *a)
{
    rwa_outcome outcome = a->circuits != NULL ? rwa_circuits_get_summary(a->circuits)->outcome
                                              : rwa_ring_get_summary(a->ring)->outcome;
    return outcome == RWA_OPTIMAL || outcome == RWA_FEASIBLE ? EXIT_YES : EXIT_NO;
}

/* ---- circuit switches ---- */

static json_t *count_list(const circuits_answer *a)
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

static json_t *matching_list(const rwa_circuits *c)
{
    const rwa_circuits_summary *s = rwa_circuits_get_summary(c);
    json_t *all = json_array();
    for (uint32_t e = 0; e < s->episodes; e++)
        for (uint32_t q = 0; q < s->switches; q++) {
            json_t *joins = json_array();
            for (uint32_t v = 0; v < s->nodes; v++)
                if (rwa_circuits_peer(c, e, q, v) != RWA_NO_NODE)
                    json_array_append_new(joins, json_pack("[I,I]", (json_int_t)v,
                                                           (json_int_t)rwa_circuits_peer(c, e, q, v)));
            json_array_append_new(all, json_pack("{s:I, s:I, s:o}", "episode", (json_int_t)e, "switch", (json_int_t)q, "joins",
                                                 joins));
        }
    return all;
}

static json_t *switches_json(const circuits_answer *a)
{
    const rwa_circuits_summary *s = rwa_circuits_get_summary(a->circuits);
    json_t *out = json_pack("{s:s, s:I, s:I, s:I, s:s, s:b, s:I, s:I}", "network", "ocs", "nodes", (json_int_t)s->nodes,
                            "switches", (json_int_t)s->switches, "episodes", (json_int_t)s->episodes, "outcome",
                            rwa_outcome_text(s->outcome), "optimal", s->outcome == RWA_OPTIMAL, "most_peers",
                            (json_int_t)s->most_peers, "circuits", (json_int_t)s->circuits);
    if (circuits_verdict(a) != EXIT_YES) {
        json_object_set_new(out, "why", json_string(s->why));
        return out;
    }
    json_object_set_new(out, "load_bytes", json_real(s->load_bytes));
    json_object_set_new(out, "bound_bytes", json_real(s->bound_bytes));
    json_object_set_new(out, "slowest", json_pack("[I,I]", (json_int_t)s->slowest_src, (json_int_t)s->slowest_dst));
    json_object_set_new(out, "time_seconds", json_real(s->time_s));
    json_object_set_new(out, "hold_seconds", json_real(s->hold_s));
    json_object_set_new(out, "duty", json_real(s->duty));
    json_object_set_new(out, "counts", count_list(a));
    json_object_set_new(out, "matchings", matching_list(a->circuits));
    return out;
}

static void switches_text(FILE *to, const circuits_answer *a)
{
    const rwa_circuits_summary *s = rwa_circuits_get_summary(a->circuits);
    fprintf(to, "Circuit switches  %lu, %lu nodes, %lu episode%s\n", (unsigned long)s->switches, (unsigned long)s->nodes,
            (unsigned long)s->episodes, s->episodes == 1 ? "" : "s");
    if (circuits_verdict(a) != EXIT_YES) {
        fprintf(to, "No circuits       %s\n", s->why);
        return;
    }
    fprintf(to, "Circuits          %" PRIu64 ", a node has at most %lu peer%s\n", s->circuits, (unsigned long)s->most_peers,
            s->most_peers == 1 ? "" : "s");
    fprintf(to, "Slowest transfer  %.6g bytes per circuit, node %lu to %lu, %s\n", s->load_bytes, (unsigned long)s->slowest_src,
            (unsigned long)s->slowest_dst, s->outcome == RWA_OPTIMAL ? "proven the least possible" : "not proven the least");
    fprintf(to, "Time              ");
    print_time(to, s->time_s);
    fprintf(to, ", each setting held ");
    print_time(to, s->hold_s);
    fprintf(to, ", %.1f %% of it transmitting\n", 100 * s->duty);
}

static void switches_csv(const rwa_circuits *c)
{
    const rwa_circuits_summary *s = rwa_circuits_get_summary(c);
    printf("episode,switch,src,dst\n");
    for (uint32_t e = 0; e < s->episodes; e++)
        for (uint32_t q = 0; q < s->switches; q++)
            for (uint32_t v = 0; v < s->nodes; v++)
                if (rwa_circuits_peer(c, e, q, v) != RWA_NO_NODE)
                    printf("%lu,%lu,%lu,%lu\n", (unsigned long)e, (unsigned long)q, (unsigned long)v,
                           (unsigned long)rwa_circuits_peer(c, e, q, v));
}

/* ---- rings ---- */

static const char *direction_name(rwa_direction dir)
{
    return dir == RWA_CW ? "cw" : "ccw";
}

static json_t *lightpath_list(const rwa_ring *ring)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < rwa_ring_get_summary(ring)->lightpaths; i++) {
        rwa_lightpath p = rwa_ring_lightpath(ring, i);
        json_array_append_new(list, json_pack("{s:I, s:I, s:s, s:I, s:I}", "src", (json_int_t)p.src, "dst", (json_int_t)p.dst,
                                              "dir", direction_name(p.direction), "fiber", (json_int_t)p.fiber, "wavelength",
                                              (json_int_t)p.wavelength));
    }
    return list;
}

static json_t *ring_json(const circuits_answer *a)
{
    const rwa_ring_summary *s = rwa_ring_get_summary(a->ring);
    json_t *out = json_pack("{s:s, s:I, s:I, s:I, s:s, s:b, s:s, s:I, s:I, s:I}", "network", "ring", "nodes",
                            (json_int_t)rwa_network_nodes(a->net), "fibers", (json_int_t)rwa_network_fibers(a->net),
                            "wavelengths", (json_int_t)rwa_network_wavelengths(a->net), "outcome",
                            rwa_outcome_text(s->outcome), "optimal", s->outcome == RWA_OPTIMAL, "method", s->method, "pairs",
                            (json_int_t)s->pairs, "served", (json_int_t)s->served, "lightpaths", (json_int_t)s->lightpaths);
    if (s->why[0] != '\0')
        json_object_set_new(out, "why", json_string(s->why));
    json_object_set_new(out, "load_bytes", json_figure(s->load_bytes));
    json_object_set_new(out, "bound_bytes", json_figure(s->bound_bytes));
    json_object_set_new(out, "slowest", json_pack("[I,I]", (json_int_t)s->slowest_src, (json_int_t)s->slowest_dst));
    json_object_set_new(out, "time_seconds", json_real(s->transfer_s));
    json_object_set_new(out, "duty", json_real(s->duty));
    json_object_set_new(out, "rate_bps", json_real(rwa_network_rate_bps(a->net)));
    json_object_set_new(out, "counts", count_list(a));
    json_object_set_new(out, "assigned", lightpath_list(a->ring));
    return out;
}

static void ring_text(FILE *to, const circuits_answer *a)
{
    const rwa_ring_summary *s = rwa_ring_get_summary(a->ring);
    fprintf(to, "Ring              %lu nodes, %lu wavelengths in each direction\n", (unsigned long)rwa_network_nodes(a->net),
            (unsigned long)rwa_network_channels(a->net));
    fprintf(to, "Lightpaths        %" PRIu64 ", %zu of %zu pairs have some (%s)\n", s->lightpaths, s->served, s->pairs, s->method);
    if (s->why[0] != '\0')
        fprintf(to, "Not all           %s\n", s->why);
    fprintf(to, "Slowest transfer  %.6g bytes per lightpath, node %lu to %lu", s->load_bytes, (unsigned long)s->slowest_src,
            (unsigned long)s->slowest_dst);
    if (s->served < s->pairs)
        fprintf(to, "\n");
    else if (s->outcome == RWA_OPTIMAL)
        fprintf(to, ", proven the least possible\n");
    else
        fprintf(to, "; none does with less than %.6g\n", s->bound_bytes);
    fprintf(to, "Time              ");
    print_time(to, s->transfer_s);
    fprintf(to, " after a reconfiguration, %.1f %% of both transmitting\n", 100 * s->duty);
}

static void ring_csv(const rwa_ring *ring)
{
    printf("src,dst,dir,fiber,wavelength\n");
    for (uint64_t i = 0; i < rwa_ring_get_summary(ring)->lightpaths; i++) {
        rwa_lightpath p = rwa_ring_lightpath(ring, i);
        printf("%lu,%lu,%s,%lu,%lu\n", (unsigned long)p.src, (unsigned long)p.dst, direction_name(p.direction),
               (unsigned long)p.fiber, (unsigned long)p.wavelength);
    }
}

/* ---- both ---- */

json_t *circuits_json(const circuits_answer *a)
{
    return a->circuits != NULL ? switches_json(a) : ring_json(a);
}

void circuits_text(FILE *to, const circuits_answer *a)
{
    if (a->circuits != NULL)
        switches_text(to, a);
    else
        ring_text(to, a);
}

int report_print(const options *o, json_t *json, int code)
{
    rwa_error err = {0};
    int printed = 0;
    if (o->output != NULL) {
        char *text = json != NULL ? json_dumps(json, JSON_REAL_PRECISION(15)) : NULL;
        rwa_status status = text != NULL ? rwa_text_write(text, o->output, &err) : RWA_NOMEM;
        free(text);
        if (status != RWA_OK)
            printed = fail_status(status, &err, 1);
        json_decref(json);
    } else if (o->json) {
        printed = json_print(stdout, json);
    } else {
        json_decref(json);
    }
    return printed != 0 ? printed : finish(code);
}

static void print_folded(FILE *where, const circuits_answer *a)
{
    fold folded;
    circuits_text(fold_open(&folded, where), a);
    fold_close(&folded, FOLD_HANG, 0);
}

int command_circuits(options *o)
{
    rwa_traffic *traffic = NULL;
    circuits_answer a = {0};
    rwa_error err = {0};
    if (o->file == NULL || o->network == NULL)
        return fail(EXIT_BAD_INPUT, "no %s given, expected for example: rwa circuits traffic.csv --network ocs:64x8",
                    o->file == NULL ? "traffic" : "network");
    rwa_status status = rwa_traffic_read(&traffic, o->file, &err);
    if (status != RWA_OK)
        return fail_status(status, &err, 0);
    int code = circuits_make(&a, traffic, o);
    if (code == 0) {
        FILE *to = o->output != NULL && strcmp(o->output, "-") == 0 ? stderr : stdout;
        if (o->csv && a.circuits != NULL)
            switches_csv(a.circuits);
        else if (o->csv)
            ring_csv(a.ring);
        else if (!o->json)
            print_folded(to, &a);
        code = report_print(o, o->json || o->output != NULL ? circuits_json(&a) : NULL, circuits_verdict(&a));
    }
    circuits_drop(&a);
    rwa_traffic_free(traffic);
    return code;
}
