/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocking of random traffic over a range of loads. */
#include "cli/plant.h"
#include "cli/plot.h"
#include "cli/pool.h"
#include "cli/target.h"
#include "cli/wrap.h"
#include "commands.h"

enum { CLASSES_MAX = 64 };
typedef struct class_list { rwa_traffic_class values[CLASSES_MAX]; size_t count; } class_list;

typedef struct traffic_options {
    common common;
    network_choice network;
    const char *failed;
    uint32_t slots;
    int protection, shared;
    plant_choice plant;
    class_list classes;
    figure_list loads;              /* Erlang */
    name_list routings, policies;   /* rwa_routing, rwa_policy */
    rwa_blocking_options blocking;
    const char *plot;
    uint32_t threads;
    output_choice output;
} traffic_options;

/* "4", "4:2" with a share, "4:2:100G" with a share and a bit rate. */
static int add_class(class_list *list, char *item)
{
    char *share = strchr(item, ':'), *rate = share != NULL ? strchr(share + 1, ':') : NULL;
    rwa_traffic_class c = {1, 1, 0};
    uint64_t width = 0;
    if (rate != NULL)
        *rate++ = '\0';
    if (share != NULL)
        *share++ = '\0';
    if (list->count == CLASSES_MAX || !parse_count(&width, item, 1, RWA_CHANNELS_MAX) ||
        (share != NULL && !parse_quantity(&c.share, share, plain_units, 1)) ||
        (rate != NULL && !parse_quantity(&c.rate_bps, rate, rate_units, 1)))
        return 0;
    c.width = (uint32_t)width;
    list->values[list->count++] = c;
    return 1;
}

static int read_classes(void *to, const option *opt, const char *value)
{
    class_list *list = to;
    char item[64];
    list->count = 0;
    for (const char *p = value; p != NULL;)
        if (!next_item(item, &p) || !add_class(list, item))
            return bad_value(opt, value, "widths in slots with commas, each with a share and a bit rate if need be, as 2:3:25G,4:1:100G");
    return 0;
}

static const choice models[] = {{"directed", RWA_DIRECTED}, {"undirected", RWA_UNDIRECTED}, {NULL, 0}};
static const char *routing_name(size_t i)
{
    return rwa_routing_name((rwa_routing)i);
}

static const char *policy_name(size_t i)
{
    return rwa_policy_name((rwa_policy)i);
}

static const option own_options[] = {
    {"network", 0, "SPEC|FILE", "as nsfnet14-21, net.graphml or ring:16 (rwa network --list; docs/networks.md)", "required",
     IS_TEXT(traffic_options, network.spec)},
    {"fail", 0, "LIST", "failed links that carry nothing, as 5-6, 'Berlin>Hamburg' or numbers, with commas", NULL,
     IS_TEXT(traffic_options, failed)},
    {"load", 0, "RANGE", "Erlang offered in all, as 60,80,100, or 60..140:20, or 60..140: nine loads", "required",
     IS(traffic_options, loads, read_figure_list), .expected = "loads above 0 with commas, or a range, such as 60..140:20"},
    {"wavelengths", 'w', "W", "of each fibre", "64", IS_COUNT(traffic_options, network.opts.wavelengths, 1, RWA_CHANNELS_MAX)},
    {"fibers", 0, "F", "fibres of each link and direction, unless a file gives them", "1",
     IS_COUNT(traffic_options, network.opts.fibers, 1, RWA_CHANNELS_MAX)},
    {"slots", 0, "S", "of each fibre on a flexible grid, 12.5 GHz each, in place of -w", NULL,
     IS_COUNT(traffic_options, slots, 1, RWA_CHANNELS_MAX)},
    {"widths", 0, "LIST", "a mix of requests: slots of each, as 1,2,4, each with its share and bit rate if need be, as 2:3:25G", "1",
     IS(traffic_options, classes, read_classes), .field = "classes"},
    {"guard", 0, "G", "slots kept free above each lightpath", "0", IS_COUNT(traffic_options, blocking.guard, 0, RWA_GUARD_MAX)},
    {"protection", 0, NULL, "1+1: a second, disjoint lightpath for each", NULL, IS_FLAG(traffic_options, protection)},
    {"shared", 0, NULL, "with --protection: backups share slots where no single failure needs both", NULL,
     IS_FLAG(traffic_options, shared)},
    {"scattered", 0, NULL, "any slots serve a request, neighbours or not: for comparison with Kaufman and Roberts", NULL,
     IS_FLAG(traffic_options, blocking.scattered)},
    {"model", 0, "MODEL", "undirected: a lightpath takes both directions; or directed", "as the network is",
     IS_CHOICE(traffic_options, blocking.state.model, models)},
    {"routing", 0, "LIST", "shortest, alternate, least-loaded; with commas", "shortest",
     IS_NAME_LIST(traffic_options, routings, rwa_routing_find, routing_name, "shortest, alternate or least-loaded, with commas")},
    {"paths", 0, "K", "routes known for each pair of nodes: alternate, least-loaded", "3",
     IS_COUNT(traffic_options, blocking.state.paths, 1, 1u << 16)},
    {"max-hops", 0, "H", "no route longer than H links", NULL, IS_COUNT(traffic_options, blocking.state.max_hops, 1, RWA_NODES_MAX)},
    {"policy", 0, "LIST", "first-fit, last-fit, most-used, least-used, random, exact-fit, least-fragmentation; with commas", "first-fit",
     IS_NAME_LIST(traffic_options, policies, rwa_policy_find, policy_name,
                  "first-fit, last-fit, most-used, least-used, random, exact-fit or least-fragmentation, with commas")},
    {"requests", 0, "N", "counted at each load", "200000", IS_NUMBER(traffic_options, blocking.requests, 1, 1u << 31)},
    {"warm-up", 0, "N", "requests before counting begins", "10000", IS_NUMBER(traffic_options, blocking.warm_up, 0, 1u << 31)},
    {"batches", 0, "N", "that the confidence interval is taken over", "20", IS_COUNT(traffic_options, blocking.batches, 2, 1000)},
    {"seed", 0, "N", "of the traffic, the same for every policy and routing, and of random", "1",
     IS_NUMBER(traffic_options, blocking.state.seed, 0, UINT64_MAX)},
    {"threads", 0, "N", "simulate N points at a time; 0: as many as there are processors", "1",
     IS_COUNT(traffic_options, threads, 0, THREADS_MAX)},
    {"plot", 0, "FILE.svg", "draw the blocking over the load, with gnuplot", NULL, IS(traffic_options, plot, read_plot)},
    {0}};
static void init(void *options)
{
    traffic_options *o = options;
    rwa_network_options_init(&o->network.opts);
    rwa_blocking_options_init(&o->blocking);
    o->threads = 1;
    o->routings = (name_list){{RWA_ROUTING_SHORTEST}, 1};
    o->policies = (name_list){{RWA_POLICY_FIRST_FIT}, 1};
}

static const option_group groups[] = {{own_options, 0, init}, {table_options, offsetof(traffic_options, output), NULL},
    PLANT_GROUPS(traffic_options, plant), {NULL, 0, NULL}};

/* The simulations, one point each, of which `done` have ended. */
typedef struct work {
    const traffic_options *o;
    rwa_network *net;
    traffic_point *points;
    rwa_class_blocking *classes;    /* of each point, those of --widths */
    size_t count, done;
    double begin;
} work;

/* ---- simulating ---- */

static int poll_point(void *data, const char *phase, double fraction)
{
    const work *w = data;
    double done = ((double)w->done + fraction) / (double)w->count, passed = clock_s() - w->begin;
    (void)phase;
    progress_bar(&w->o->common, w->done, w->count, done, done > 0 ? passed * (1 - done) / done : -1);
    return signals_asked();
}

/* Every routing with every policy at every load. */
static void list_points(work *w)
{
    const traffic_options *o = w->o;
    size_t i = 0;
    for (size_t r = 0; r < o->routings.count; r++)
        for (size_t p = 0; p < o->policies.count; p++)
            for (size_t l = 0; l < o->loads.count; l++)
                w->points[i++] = (traffic_point){(rwa_routing)o->routings.values[r], (rwa_policy)o->policies.values[p],
                                                 {.erlang = o->loads.values[l]}};
}

static rwa_status simulate_point(void *data, size_t index, rwa_poll poll, void *poll_data, rwa_error *err)
{
    const work *w = data;
    traffic_point *p = &w->points[index];
    rwa_blocking_options opts = w->o->blocking;
    opts.routing = p->routing;
    opts.policy = p->policy;
    opts.poll = poll;
    opts.poll_data = poll_data;
    opts.classes = w->o->classes.values;
    opts.class_count = w->o->classes.count;
    opts.class_answers = opts.class_count > 0 ? w->classes + index * opts.class_count : NULL;
    return rwa_blocking_simulate(&p->seen, w->net, p->seen.erlang, &opts, err);
}

static rwa_status simulate(work *w, rwa_error *err)
{
    rwa_status status = RWA_OK;
    w->begin = clock_s();
    if (w->o->threads != 1)
        return pool_run(&w->o->common, w->o->threads, w->count, NULL, simulate_point, w, &w->done, err);
    while (w->done < w->count && status == RWA_OK) {
        status = simulate_point(w, w->done, poll_point, w, err);
        w->done += status == RWA_OK;
    }
    progress_clear();
    return status;
}

/* ---- showing ---- */

static uint32_t count_links(const work *w)
{
    return w->o->blocking.state.model == RWA_UNDIRECTED ? rwa_network_pairs(w->net) : rwa_network_links(w->net);
}

/* One object for each class of a point. */
static json_t *classes_json(const work *w, size_t point)
{
    const class_list *list = &w->o->classes;
    json_t *all = json_array();
    for (size_t k = 0; k < list->count; k++) {
        const rwa_class_blocking *c = &w->classes[point * list->count + k];
        const rwa_traffic_class *of = &list->values[k];
        json_array_append_new(all, json_add(json_object(), "width:u share:f rate_bps:f requests:U blocked:U probability:f half_width:f "
                                            "exact:f", of->width, of->share, of->rate_bps, c->requests, c->blocked, c->probability,
                                            c->half_width, c->exact));
    }
    return all;
}

static json_t *point_json(const work *w, size_t i)
{
    const traffic_point *p = &w->points[i];
    const rwa_blocking *s = &p->seen;
    json_t *one = json_add(json_object(), "routing:s policy:s erlang:f requests:U blocked:U probability:f half_width:f "
                           "carried:f utilization:f mean_hops:f erlang_b:f", rwa_routing_name(p->routing), rwa_policy_name(p->policy),
                           s->erlang, s->requests, s->blocked, s->probability, s->half_width, s->carried, s->utilization, s->mean_hops,
                           s->exact);
    return w->o->classes.count == 0 ? one
           : json_add(one, "bandwidth:f bandwidth_half_width:f fragmentation:f classes:o", s->bandwidth, s->bandwidth_half_width,
                      s->fragmentation, classes_json(w, i));
}

static json_t *report(const work *w)
{
    const rwa_blocking_options *b = &w->o->blocking;
    json_t *points = json_array();
    for (size_t i = 0; i < w->done; i++)
        json_array_append_new(points, point_json(w, i));
    return json_add(json_object(), "model:s nodes:u links:u wavelengths:u protection:s warm_up:U batches:u seed:U confidence:f "
                    "points:o",
                    rwa_model_name(b->state.model), rwa_network_nodes(w->net), count_links(w), rwa_network_wavelengths(w->net),
                    rwa_protection_name(b->protection), b->warm_up, b->batches, b->state.seed, 0.95, points);
}

/* The classes of a mix, numbered from 1 in the order of --widths. */
static void print_class_names(size_t count)
{
    for (size_t k = 1; k <= count; k++)
        printf(",class_%zu_width,class_%zu_rate_bps,class_%zu_requests,class_%zu_blocked,class_%zu_probability,class_%zu_half_width", k, k,
               k, k, k, k);
}

/* A class has six columns, one point one row. */
static void print_class_figures(const work *w, size_t point)
{
    const class_list *list = &w->o->classes;
    for (size_t k = 0; k < list->count; k++) {
        const rwa_class_blocking *c = &w->classes[point * list->count + k];
        printf("%" PRIu32 ",%.9g,%" PRIu64 ",%" PRIu64 ",", list->values[k].width, list->values[k].rate_bps, c->requests, c->blocked);
        print_figure(stdout, c->probability, ',');
        print_figure(stdout, c->half_width, k + 1 < list->count ? ',' : '\n');
    }
}

static void print_csv(const work *w)
{
    int wide = w->o->classes.count > 0;
    printf("routing,policy,erlang,requests,blocked,probability,half_width,carried,utilization,mean_hops,erlang_b%s",
           wide ? ",bandwidth,bandwidth_half_width,fragmentation" : "");
    print_class_names(w->o->classes.count);
    putchar('\n');
    for (size_t i = 0; i < w->done; i++) {
        const traffic_point *p = &w->points[i];
        const rwa_blocking *b = &p->seen;
        const double figures[] = {b->probability, b->half_width, b->carried, b->utilization, b->mean_hops, b->exact,
                                  b->bandwidth, b->bandwidth_half_width, b->fragmentation};
        size_t count = wide ? 9 : 6;
        printf("%s,%s,%.9g,%" PRIu64 ",%" PRIu64 ",", rwa_routing_name(p->routing), rwa_policy_name(p->policy), b->erlang,
               b->requests, b->blocked);
        for (size_t k = 0; k < count; k++)
            print_figure(stdout, figures[k], k + 1 < count || wide ? ',' : '\n');
        print_class_figures(w, i);
    }
}

static void print_loss(double probability, double half_width, uint64_t blocked)
{
    if (blocked > 0)
        printf("  %9.3e +- %.1e", probability, half_width);
    else
        printf("  below        %.1e", half_width);
}

/* Between two nodes, where Erlang B is exact, every route is one hop long. */
static void print_row(const traffic_point *p, int policy_width)
{
    const rwa_blocking *b = &p->seen;
    int exact = isfinite(b->exact);
    printf("%-12s %-*s %7.4g", rwa_routing_name(p->routing), policy_width, rwa_policy_name(p->policy), b->erlang);
    print_loss(b->probability, b->half_width, b->blocked);
    if (exact)
        printf(" %9.3e", b->exact);
    printf(" %8.4g %5.1f %%", b->carried, 100 * b->utilization);
    if (!exact && isfinite(b->mean_hops))
        printf(" %6.2f", b->mean_hops);
    putchar('\n');
}

/* The classes of a point, and their bandwidth, below its row. */
static void print_classes(const work *w, size_t point, int policy_width)
{
    int start = 21 + policy_width;
    const class_list *list = &w->o->classes;
    const rwa_blocking *b = &w->points[point].seen;
    for (size_t k = 0; k < list->count; k++) {
        const rwa_class_blocking *c = &w->classes[point * list->count + k];
        char rate[32];
        snprintf(rate, sizeof rate, "%g Gbit/s", list->values[k].rate_bps / 1e9);
        if (w->o->plant.transmission != NULL && list->values[k].rate_bps > 0)
            printf("  %-*s", start - 2, rate);
        else
            printf("  width %-*" PRIu32, start - 8, list->values[k].width);
        print_loss(c->probability, c->half_width, c->blocked);
        if (isfinite(c->exact))
            printf(" %9.3e", c->exact);
        putchar('\n');
    }
    if (list->count > 0) {
        printf("  bandwidth%*s", start - 11, "");
        print_loss(b->bandwidth, b->bandwidth_half_width, b->blocked);
        printf("  fragmentation %.2f\n", b->fragmentation);
    }
}

static void print_head(const work *w)
{
    const rwa_blocking_options *b = &w->o->blocking;
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, stdout);
    uint32_t links = count_links(w);
    const char *kind = b->state.model == RWA_UNDIRECTED ? "fibre pair" : "directed link";
    fprintf(to, "Network           %s, %" PRIu32 " nodes, %" PRIu32 " %s%s of %" PRIu32 " %s%s, %s model\n",
            w->o->network.spec, rwa_network_nodes(w->net), links, kind, plural(links), rwa_network_wavelengths(w->net),
            rwa_network_slot_hz(w->net) > 0 ? "slot" : "wavelength", plural(rwa_network_wavelengths(w->net)),
            rwa_model_name(b->state.model));
    fprintf(to, "Traffic           %" PRIu64 " requests in %" PRIu32 " batches after %" PRIu64 " to warm up, seed %" PRIu64 "\n",
            w->points[0].seen.requests, b->batches, b->warm_up, b->state.seed);
    if (b->protection != RWA_PROTECTION_NONE)
        fprintf(to, "Protection        %s\n", b->protection == RWA_PROTECTION_SHARED ? "each has a disjoint backup; backups share slots"
                                                                                   : "each has a second, disjoint one");
    putc('\n', to);
    wrap_close(&wrapped, WRAP_HANG, 0);
}

/* Of the column of policies; at least 10. */
static int widest_policy(const work *w)
{
    size_t most = 10;
    for (size_t p = 0; p < w->o->policies.count; p++) {
        size_t length = strlen(rwa_policy_name((rwa_policy)w->o->policies.values[p]));
        most = length > most ? length : most;
    }
    return (int)most;
}

static void print_table(const work *w)
{
    int exact = isfinite(w->points[0].seen.exact), policy_width = widest_policy(w);
    print_head(w);
    printf("%-12s %-*s %7s  %-20s%s %8s %7s%s\n", "routing", policy_width, "policy", "Erlang", "blocked, 95 %",
           !exact ? "" : w->o->classes.count > 0 ? "     exact" : "  Erlang B",
           "carried", "in use", exact ? "" : "   hops");
    for (size_t i = 0; i < w->done; i++) {
        print_row(&w->points[i], policy_width);
        print_classes(w, i, policy_width);
    }
}

static int show(const work *w)
{
    int code = 0;
    if (w->o->output.format == AS_JSON)
        code = json_print(stdout, report(w));
    else if (w->o->output.format == AS_CSV)
        print_csv(w);
    else
        print_table(w);
    return code != 0 ? code : finish(EXIT_YES);
}

/* ---- the command ---- */

/* The number of routes is for a routing that has a choice. */
static int check_options(const traffic_options *o, const rwa_network *net)
{
    int code = refuse_fibers(&o->network, net, &o->common);
    if (code == 0 && o->blocking.scattered && o->blocking.guard > 0)
        code = fail(EXIT_BAD_INPUT, "--scattered --guard %" PRIu32 ": scattered slots have no guard, expected one of the two",
                    o->blocking.guard);
    if (code == 0 && o->shared && !o->protection)
        code = fail(EXIT_BAD_INPUT, "--shared: expected with --protection, whose backups share slots");
    if (code == 0 && o->blocking.scattered && o->protection)
        code = fail(EXIT_BAD_INPUT, "--scattered --protection: expected one of the two");
    for (size_t r = 0; r < o->routings.count && code == 0; r++)
        if (o->routings.values[r] != RWA_ROUTING_SHORTEST)
            return code;
    return code != 0 ? code
           : refuse_given(&o->common, NAMES("paths"), "--routing shortest knows one route for each pair, expected another routing");
}

static int run_points(work *w)
{
    rwa_error err = {0};
    rwa_status status = simulate(w, &err);
    if (status != RWA_OK && status != RWA_CANCELLED)
        return fail_status(status, &err, 0);
    int code = w->done > 0 ? show(w) : EXIT_YES;
    if (status == RWA_CANCELLED)
        return fail(EXIT_STOPPED, "stopped after %zu of %zu simulations", w->done, w->count);
    if (code == EXIT_YES && w->o->plot != NULL)
        code = plot_traffic(w->o->plot, w->points, w->count, w->o->network.spec, w->net);
    return code;
}

static int run(void *options)
{
    traffic_options *o = options;
    work w = {.o = o, .count = o->routings.count * o->policies.count * o->loads.count};
    rwa_error err = {0};
    if (o->network.spec == NULL || o->loads.count == 0)
        return fail(EXIT_BAD_INPUT, "no %s given, expected for example: rwa traffic --network nsfnet14-21 --load 60..140",
                    o->network.spec == NULL ? "network" : "load");
    int code = take_slots(&o->network, o->slots, &o->common);
    THEN(fail_status(network_open(&w.net, o->network.spec, &o->network.opts, &err), &err, 0));
    THEN(apply_faults(&w.net, NULL, o->failed));
    THEN(check_options(o, w.net));
    THEN(plant_open(&o->plant, 0, 0));
    o->blocking.transmission = o->plant.transmission;
    o->blocking.protection = !o->protection ? RWA_PROTECTION_NONE : o->shared ? RWA_PROTECTION_SHARED : RWA_PROTECTION_DEDICATED;
    if (code == 0 && ((w.points = calloc(w.count, sizeof *w.points)) == NULL ||
                      (w.classes = calloc(w.count * o->classes.count + 1, sizeof *w.classes)) == NULL))
        code = fail_memory();
    if (code == 0) {
        if (o->blocking.state.model == (rwa_model)0)
            o->blocking.state.model = rwa_network_model(w.net);
        list_points(&w);
        code = run_points(&w);
    }
    free(w.points);
    free(w.classes);
    rwa_network_free(w.net);
    plant_close(&o->plant);
    return code;
}

const command command_traffic = {
    "traffic", "blocking of random traffic on a network",
    "rwa traffic --network SPEC|FILE --load RANGE [options]\n\n"
    "Simulates requests that arrive as a Poisson process between random nodes, hold for exponential times and are blocked "
    "when no route that is tried has a wavelength free on all its links; a load of A Erlang is A requests in a mean holding "
    "time.  Several routings and policies see the same traffic.  Between two nodes Erlang B is exact, and printed too.  "
    "With --widths requests take several neighbouring slots; the loss of each width and of the bandwidth is printed "
    "(docs/spectrum.md).  With --device or --modulations the slots of a request follow from its bit rate and the length of its route "
    "(docs/fiber.md).  With --protection every request gets two routes without a common link or risk group.\n\n"
    "Examples:\n"
    "  rwa traffic --network nsfnet14-21 -w 16 --load 60..140\n"
    "  rwa traffic --network nsfnet14-21 -w 16 --load 60..140 --plot blocking.svg\n"
    "  rwa traffic --network line:2 --model undirected -w 8 --load 2,4,8 --format csv\n"
    "  rwa traffic --network nsfnet14-21 --slots 320 --widths 1,2:3:25G --load 400\n",
    groups, sizeof(traffic_options), 0, run, NULL};
