/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much random traffic a network turns away, over a range of loads. */
#include "fold.h"
#include "plot.h"
#include "print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* What goes on while a point is simulated. */
typedef struct work {
    const options *o;
    rwa_network *net;
    traffic_point *points;
    size_t count, done;
    double begin;
} work;

/* ---- simulating ---- */

static int poll_point(void *data, const char *phase, double fraction)
{
    const work *w = data;
    double done = ((double)w->done + fraction) / (double)w->count, passed = clock_s() - w->begin;
    (void)phase;
    progress_bar(w->o, w->done, w->count, done, done > 0 ? passed * (1 - done) / done : -1);
    return signals_asked();
}

/* Every routing with every policy at every load. */
static void list_points(work *w)
{
    const options *o = w->o;
    size_t i = 0;
    for (size_t r = 0; r < o->routing_count; r++)
        for (size_t p = 0; p < o->policy_count; p++)
            for (size_t l = 0; l < o->load_count; l++)
                w->points[i++] = (traffic_point){o->routings[r], o->policies[p], {.erlang = o->loads[l]}};
}

static rwa_status simulate(work *w, rwa_error *err)
{
    rwa_status status = RWA_OK;
    w->begin = clock_s();
    while (w->done < w->count && status == RWA_OK) {
        traffic_point *p = &w->points[w->done];
        rwa_blocking_options opts = w->o->blocking;
        opts.routing = p->routing;
        opts.policy = p->policy;
        opts.poll = poll_point;
        opts.poll_data = w;
        status = rwa_blocking_simulate(&p->seen, w->net, p->seen.erlang, &opts, err);
        w->done += status == RWA_OK;
    }
    progress_clear();
    return status;
}

/* ---- showing ---- */

static uint32_t count_links(const work *w)
{
    return w->o->blocking.state.model == RWA_UNDIRECTED ? rwa_network_pairs(w->net) : rwa_network_directed_links(w->net);
}

static json_t *point_json(const traffic_point *p)
{
    const rwa_blocking *b = &p->seen;
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "routing", rwa_routing_name(p->routing),
                     "policy", rwa_policy_name(p->policy), "erlang", json_figure(b->erlang), "requests",
                     json_count(b->requests), "blocked", json_count(b->blocked), "probability", json_figure(b->probability),
                     "half_width", json_figure(b->half_width), "carried", json_figure(b->carried), "utilization",
                     json_figure(b->utilization), "mean_hops", json_figure(b->mean_hops), "erlang_b", json_figure(b->exact));
}

static json_t *report(const work *w)
{
    const rwa_blocking_options *b = &w->o->blocking;
    json_t *points = json_array();
    for (size_t i = 0; i < w->done; i++)
        json_array_append_new(points, point_json(&w->points[i]));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "model", rwa_model_name(b->state.model), "nodes",
                     json_count(rwa_network_nodes(w->net)), "links", json_count(count_links(w)), "wavelengths",
                     json_count(rwa_network_wavelengths(w->net)), "warm_up", json_count(b->warm_up), "batches",
                     json_count(b->batches), "seed", json_count(b->state.seed), "confidence", json_real(0.95), "points", points);
}

static void csv_figure(double value, char end)
{
    if (isfinite(value))
        printf("%.9g", value);
    putchar(end);
}

static void csv(const work *w)
{
    printf("routing,policy,erlang,requests,blocked,probability,half_width,carried,utilization,mean_hops,erlang_b\n");
    for (size_t i = 0; i < w->done; i++) {
        const traffic_point *p = &w->points[i];
        const rwa_blocking *b = &p->seen;
        printf("%s,%s,%.9g,%" PRIu64 ",%" PRIu64 ",", rwa_routing_name(p->routing), rwa_policy_name(p->policy), b->erlang,
               b->requests, b->blocked);
        csv_figure(b->probability, ',');
        csv_figure(b->half_width, ',');
        csv_figure(b->carried, ',');
        csv_figure(b->utilization, ',');
        csv_figure(b->mean_hops, ',');
        csv_figure(b->exact, '\n');
    }
}

/* Between two nodes, where Erlang B is exact, every route is one hop long. */
static void text_row(const traffic_point *p)
{
    const rwa_blocking *b = &p->seen;
    int exact = isfinite(b->exact);
    printf("%-12s %-10s %7.4g", rwa_routing_name(p->routing), rwa_policy_name(p->policy), b->erlang);
    if (b->blocked > 0)
        printf("  %9.3e +- %.1e", b->probability, b->half_width);
    else
        printf("  below        %.1e", b->half_width);
    if (exact)
        printf(" %9.3e", b->exact);
    printf(" %8.4g %5.1f %%", b->carried, 100 * b->utilization);
    if (!exact && isfinite(b->mean_hops))
        printf(" %6.2f", b->mean_hops);
    putchar('\n');
}

static void text_head(const work *w)
{
    const rwa_blocking_options *b = &w->o->blocking;
    fold folded;
    FILE *to = fold_open(&folded, stdout);
    uint32_t links = count_links(w);
    const char *kind = b->state.model == RWA_UNDIRECTED ? "fibre pair" : "directed link";
    fprintf(to, "Network           %s, %" PRIu32 " nodes, %" PRIu32 " %s%s of %" PRIu32 " wavelengths, %s model\n", w->o->network,
            rwa_network_nodes(w->net), links, kind, links == 1 ? "" : "s", rwa_network_wavelengths(w->net),
            rwa_model_name(b->state.model));
    fprintf(to, "Traffic           %" PRIu64 " requests in %" PRIu32 " batches after %" PRIu64 " to warm up, seed %" PRIu64 "\n\n",
            w->points[0].seen.requests, b->batches, b->warm_up, b->state.seed);
    fold_close(&folded, FOLD_HANG, 0);
}

static void text(const work *w)
{
    int exact = isfinite(w->points[0].seen.exact);
    text_head(w);
    printf("%-12s %-10s %7s  %-20s%s %8s %7s%s\n", "routing", "policy", "Erlang", "blocked, 95 %", exact ? "  Erlang B" : "",
           "carried", "in use", exact ? "" : "   hops");
    for (size_t i = 0; i < w->done; i++)
        text_row(&w->points[i]);
}

static int show(const work *w)
{
    int code = 0;
    if (w->o->json)
        code = json_print(stdout, report(w));
    else if (w->o->csv)
        csv(w);
    else
        text(w);
    return code != 0 ? code : finish(EXIT_YES);
}

/* ---- the command ---- */

/* What other commands call the same, and one of each that was not given. */
static void take_settings(options *o, const rwa_network *net)
{
    rwa_state_options *s = &o->blocking.state;
    s->seed = o->plan.seed;
    s->max_hops = o->plan.max_hops;
    s->model = o->assign.model != (rwa_model)0 ? o->assign.model : rwa_network_model(net);
    if (o->assign.paths > 0)
        s->paths = o->assign.paths;
    if (o->routing_count == 0)
        o->routings[o->routing_count++] = RWA_ROUTING_SHORTEST;
    if (o->policy_count == 0)
        o->policies[o->policy_count++] = RWA_POLICY_FIRST_FIT;
}

/* The number of routes is for a routing that has a choice. */
static int check_options(const options *o, const rwa_network *net)
{
    for (size_t r = 0; r < o->routing_count; r++)
        if (o->routings[r] != RWA_ROUTING_SHORTEST)
            return refuse_fibers(o, net);
    int code = refuse_given(o, NAMES("paths"), "--routing shortest knows one route for each pair, expected another routing");
    return code != 0 ? code : refuse_fibers(o, net);
}

static int run(work *w)
{
    rwa_error err = {0};
    rwa_status status = simulate(w, &err);
    if (status != RWA_OK && status != RWA_CANCELLED)
        return fail_status(status, &err, 0);
    int code = w->done > 0 ? show(w) : EXIT_YES;
    if (status == RWA_CANCELLED)
        return fail(EXIT_STOPPED, "stopped after %zu of %zu simulations", w->done, w->count);
    if (code == EXIT_YES && w->o->plot != NULL)
        code = plot_traffic(w->o->plot, w->points, w->count, w->o->network, w->net);
    return code;
}

int command_traffic(options *o)
{
    work w = {.o = o};
    rwa_error err = {0};
    if (o->network == NULL || o->load_count == 0)
        return fail(EXIT_BAD_INPUT, "no %s given, expected for example: rwa traffic --network nsfnet14-21 --load 60..140",
                    o->network == NULL ? "network" : "load");
    rwa_status status = rwa_network_open(&w.net, o->network, &o->net, &err);
    if (status != RWA_OK)
        return fail_status(status, &err, 0);
    take_settings(o, w.net);
    w.count = o->routing_count * o->policy_count * o->load_count;
    w.points = calloc(w.count, sizeof *w.points);
    int code = w.points == NULL ? fail(EXIT_MACHINE, "out of memory") : check_options(o, w.net);
    if (code == 0) {
        list_points(&w);
        code = run(&w);
    }
    free(w.points);
    rwa_network_free(w.net);
    return code;
}
