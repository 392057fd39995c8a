/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocking of random traffic over a range of loads. */
#include "cli/plant.h"
#include "cli/plot.h"
#include "cli/pool.h"
#include "commands.h"

enum { CLASSES_MAX = 64 };

static struct { rwa_traffic_class values[CLASSES_MAX]; size_t count; } classes;
static int protection, shared;
static number_list loads;               /* Erlang */
static name_list routings = {{RWA_ROUTING_SHORTEST}, 1}, policies = {{RWA_POLICY_FIRST_FIT}, 1};
static rwa_blocking_options blocking;
static uint32_t threads = 1;

/* Append a traffic class to `classes`.  item: "4" (slots of a lightpath), "4:2" with a share of the requests,
 * "4:2:100G" also with a bit rate; its colons are overwritten.  Return 0 if it is no class or one too many, else 1. */
static int add_class(char *item)
{
    char *share = strchr(item, ':'), *rate = share ? strchr(share + 1, ':') : NULL;
    rwa_traffic_class c = {1, 1, 0};
    uint64_t width = 0;
    if (rate)
        *rate++ = '\0';
    if (share)
        *share++ = '\0';
    if (classes.count == CLASSES_MAX || !parse_count(&width, item, 1, RWA_CHANNELS_MAX) ||
        (share && !parse_quantity(&c.share, share, PLAIN_UNITS, 1)) ||
        (rate && !parse_quantity(&c.rate_bps, rate, RATE_UNITS, 1)))
        return 0;
    c.width = (uint32_t)width;
    classes.values[classes.count++] = c;
    return 1;
}

static int read_classes(const option *opt, const char *value)
{
    char item[ITEM_MAX];
    classes.count = 0;
    for (const char *p = value; p;)
        if (!next_item(item, &p) || !add_class(item))
            return bad_value(
                opt, value,
                "widths in slots with commas, each with a share and a bit rate if need be, as 2:3:25G,4:1:100G");
    return 0;
}

static const char *routing_name(size_t i)
{
    return rwa_routing_name((rwa_routing)i);
}

static const char *policy_name(size_t i)
{
    return rwa_policy_name((rwa_policy)i);
}

static const option own_options[] = {
    {"load", "RANGE", "Erlang offered in all, as 60,80,100, or 60..140:20, or 60..140: nine loads (required)",
     IS(loads, read_figure_list), .expected = "loads above 0 with commas, or a range, such as 60..140:20"},
    {"wavelengths", "W", "of each fibre (64)", IS_COUNT(target.opts.wavelengths, 1, RWA_CHANNELS_MAX)},
    {"widths", "LIST",
     "a mix of requests: slots of each, as 1,2,4, each with its share and bit rate if need be, as 2:3:25G (1)",
     IS(classes, read_classes), .field = "classes"},
    {"guard", "G", "slots kept free above each lightpath (0)", IS_COUNT(blocking.guard, 0, RWA_GUARD_MAX)},
    {"protection", NULL, "1+1: a second, disjoint lightpath for each", IS_FLAG(protection)},
    {"shared", NULL, "with --protection: backups share slots where no single failure needs both", IS_FLAG(shared)},
    {"scattered", NULL, "any slots serve a request, neighbours or not: for comparison with Kaufman and Roberts",
     IS_FLAG(blocking.scattered)},
    {"model", "MODEL", "undirected: a lightpath takes both directions; or directed (as the network is)",
     IS_CHOICE(blocking.state.model, RWA_DIRECTED, "directed", "undirected")},
    {"routing", "LIST", "shortest, alternate, least-loaded; with commas (shortest)",
     IS_NAME_LIST(routings, rwa_routing_find, routing_name)},
    {"paths", "K", "routes known for each pair of nodes: alternate, least-loaded (3)",
     IS_COUNT(blocking.state.paths, 1, 1u << 16)},
    {"max-hops", "H", "no route longer than H links", IS_COUNT(blocking.state.max_hops, 1, RWA_NODES_MAX)},
    {"policy", "LIST",
     "first-fit, last-fit, most-used, least-used, random, exact-fit, least-fragmentation; with commas (first-fit)",
     IS_NAME_LIST(policies, rwa_policy_find, policy_name)},
    {"requests", "N", "counted at each load (200000)", IS_NUMBER(blocking.requests, 1, 1u << 31)},
    {"warm-up", "N", "requests before counting begins (10000)", IS_NUMBER(blocking.warm_up, 0, 1u << 31)},
    {"batches", "N", "that the confidence interval is taken over (20)", IS_COUNT(blocking.batches, 2, 1000)},
    {"seed", "N", "of the traffic, the same for every policy and routing, and of random (1)",
     IS_NUMBER(blocking.state.seed, 0, UINT64_MAX)},
    {"threads", "N", "simulate N points at a time; 0: as many as there are processors (1)",
     IS_COUNT(threads, 0, THREADS_MAX)},
    {"plot", "FILE.svg", "draw the blocking over the load, with gnuplot", IS(plot_file, read_plot)},
    {0}};

static void init(void)
{
    rwa_blocking_options_init(&blocking);
}

/* The result of simulated traffic at one load. */
typedef struct traffic_point {
    rwa_routing routing;
    rwa_policy policy;
    rwa_blocking seen;
} traffic_point;

/* The simulations, one point each, of which `done` have ended. */
static traffic_point *points;
static rwa_class_blocking *class_answers;   /* of each point, those of --widths */
static size_t count, done;

static const rwa_class_blocking *class_at(size_t point, size_t k)
{
    return &class_answers[point * classes.count + k];
}

/* ---- simulating ---- */

/* Fill points[], a point for each simulation: every routing with every policy at every load. */
static void list_points(void)
{
    size_t i = 0;
    for (size_t r = 0; r < routings.count; r++)
        for (size_t p = 0; p < policies.count; p++)
            for (size_t l = 0; l < loads.count; l++)
                points[i++] = (traffic_point){(rwa_routing)routings.values[r], (rwa_policy)policies.values[p],
                                              {.erlang = loads.values[l]}};
}

static rwa_status simulate_point(size_t index, rwa_poll poll, void *poll_data, rwa_error *err)
{
    traffic_point *p = &points[index];
    rwa_blocking_options opts = blocking;
    opts.routing = p->routing;
    opts.policy = p->policy;
    opts.poll = poll;
    opts.poll_data = poll_data;
    opts.classes = classes.values;
    opts.class_count = classes.count;
    opts.class_answers = classes.count > 0 ? class_answers + index * classes.count : NULL;
    return rwa_blocking_simulate(&p->seen, target.net, p->seen.erlang, &opts, err);
}

/* ---- JSON and CSV ---- */

/* Return the results of simulation number `point` as JSON, an object for each traffic class. */
static json_t *classes_json(size_t point)
{
    json_t *all = json_array();
    for (size_t k = 0; k < classes.count; k++) {
        const rwa_class_blocking *c = class_at(point, k);
        const rwa_traffic_class *of = &classes.values[k];
        json_array_append_new(
            all, JSON("width:u share:f rate_bps:f requests:U blocked:U probability:f half_width:f exact:f", of->width,
                      of->share, of->rate_bps, c->requests, c->blocked, c->probability, c->half_width, c->exact));
    }
    return all;
}

static json_t *point_json(size_t i)
{
    const traffic_point *p = &points[i];
    const rwa_blocking *s = &p->seen;
    json_t *one =
        JSON("routing:s policy:s erlang:f requests:U blocked:U probability:f half_width:f carried:f utilization:f "
             "mean_hops:f erlang_b:f",
             rwa_routing_name(p->routing), rwa_policy_name(p->policy), s->erlang, s->requests, s->blocked,
             s->probability, s->half_width, s->carried, s->utilization, s->mean_hops, s->exact);
    return classes.count == 0 ? one
                              : json_add(one, "bandwidth:f bandwidth_half_width:f fragmentation:f classes:o",
                                         s->bandwidth, s->bandwidth_half_width, s->fragmentation, classes_json(i));
}

static json_t *report(void)
{
    return JSON("model:s nodes:u links:u wavelengths:u protection:s warm_up:U batches:u seed:U confidence:f points:o",
                rwa_model_name(blocking.state.model), rwa_network_nodes(target.net),
                model_links(target.net, blocking.state.model),
                rwa_network_wavelengths(target.net), rwa_protection_name(blocking.protection), blocking.warm_up,
                blocking.batches, blocking.state.seed, 0.95, json_list(done, point_json));
}

/* Print the results as CSV, one row for each simulation.  Each traffic class has six columns; classes are numbered from
 * 1 in the order of --widths.  Return 0, or the exit code after an error message. */
static int print_table(void)
{
    static const char *const figures[] = {"width", "rate_bps", "requests", "blocked", "probability", "half_width"};
    static char *columns;
    static size_t size;
    FILE *to = open_memstream(&columns, &size);
    if (!to)
        return fail_memory();
    fprintf(to,
            "routing,policy,erlang,requests,blocked,probability,half_width,carried,utilization,mean_hops,erlang_b%s",
            classes.count > 0 ? ",bandwidth,bandwidth_half_width,fragmentation" : "");
    for (size_t k = 0; k < classes.count; k++)
        for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
            fprintf(to, ",class_%zu_%s=classes.%zu.%s", k + 1, figures[i], k, figures[i]);
    return fclose(to) == 0 ? print_csv(columns, json_list(done, point_json)) : fail_memory();
}

/* ---- text ---- */

/* Print a measured blocking probability with half the width of its confidence interval; if nothing was blocked, print
 * "below" and this half width.  Then print the exact probability, unless it is unknown (NaN). */
static void print_loss(double probability, double half_width, uint64_t blocked, double exact)
{
    if (blocked > 0)
        printf("  %9.3e +- %.1e", probability, half_width);
    else
        printf("  below        %.1e", half_width);
    if (isfinite(exact))
        printf(" %9.3e", exact);
}

/* Print the row of one simulation.  Where Erlang B is exact, its value replaces the mean hops, which are always 1
 * there.  policy_width: the width of the column of policies */
static void print_row(const traffic_point *p, int policy_width)
{
    const rwa_blocking *b = &p->seen;
    printf("%-12s %-*s %7.4g", rwa_routing_name(p->routing), policy_width, rwa_policy_name(p->policy), b->erlang);
    print_loss(b->probability, b->half_width, b->blocked, b->exact);
    printf(" %8.4g %5.1f %%", b->carried, 100 * b->utilization);
    if (!isfinite(b->exact) && isfinite(b->mean_hops))
        printf(" %6.2f", b->mean_hops);
    putchar('\n');
}

/* Print, below the row of simulation number `point`, a line for each traffic class and one for bandwidth.
 * policy_width: the width of the column of policies */
static void print_classes(size_t point, int policy_width)
{
    int start = 21 + policy_width;
    const rwa_blocking *b = &points[point].seen;
    for (size_t k = 0; k < classes.count; k++) {
        const rwa_class_blocking *c = class_at(point, k);
        const rwa_traffic_class *of = &classes.values[k];
        printf("  %-*s", start - 2,
               plant.transmission && of->rate_bps > 0 ? phrase("%g Gbit/s", of->rate_bps / 1e9)
                                                      : phrase("width %u", of->width));
        print_loss(c->probability, c->half_width, c->blocked, c->exact);
        putchar('\n');
    }
    if (classes.count > 0) {
        printf("  %-*s", start - 2, "bandwidth");
        print_loss(b->bandwidth, b->bandwidth_half_width, b->blocked, NAN);
        printf("  fragmentation %.2f\n", b->fragmentation);
    }
}

static void print_head(void)
{
    const rwa_blocking_options *b = &blocking;
    const rwa_network *net = target.net;
    say("Network           %s, %u nodes, %s of %s, %s model\n", target.spec, rwa_network_nodes(net),
        counted(model_links(net, b->state.model), b->state.model == RWA_UNDIRECTED ? "fibre pair" : "directed link"),
        channels_text(rwa_network_wavelengths(net), rwa_network_slot_hz(net) > 0),
        rwa_model_name(b->state.model));
    say("Traffic           %" PRIu64 " requests in %u batches after %" PRIu64 " to warm up, seed %" PRIu64 "\n",
        points[0].seen.requests, b->batches, b->warm_up, b->state.seed);
    if (protection)
        say("Protection        each has a %s\n",
            shared ? "disjoint backup; backups share slots" : "second, disjoint one");
    say("\n");
    print_said(WRAP_HANG, 0);
}

/* Return the width of the column of policies, at least 10. */
static int widest_policy(void)
{
    size_t most = 10;
    for (size_t p = 0; p < policies.count; p++) {
        size_t length = strlen(policy_name((size_t)policies.values[p]));
        most = length > most ? length : most;
    }
    return (int)most;
}

static void print_text(void)
{
    int exact = isfinite(points[0].seen.exact), policy_width = widest_policy();
    print_head();
    printf("%-12s %-*s %7s  %-20s%s %8s %7s%s\n", "routing", policy_width, "policy", "Erlang", "blocked, 95 %",
           !exact ? "" : classes.count > 0 ? "     exact" : "  Erlang B", "carried", "in use", exact ? "" : "   hops");
    for (size_t i = 0; i < done; i++) {
        print_row(&points[i], policy_width);
        print_classes(i, policy_width);
    }
}

/* ---- the figure: a curve for each routing and policy, with its confidence interval as a band ---- */

/* Colours that are distinct in print and for most forms of colour blindness (M. Okabe and K. Ito, Color universal
 * design). */
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
enum { COLORS = sizeof colors / sizeof *colors };

/* Write curve number `curve` for gnuplot, a line for each load: load, blocking probability, its confidence interval,
 * the value of Erlang B.  Loads without blocking are left out, since the axis is logarithmic. */
static void put_points(FILE *to, size_t curve)
{
    fprintf(to, "$c%zu << END\n", curve);
    for (size_t l = 0; l < loads.count; l++) {
        const rwa_blocking *b = &points[curve * loads.count + l].seen;
        double low = b->probability - b->half_width;
        if (b->blocked == 0)
            continue;
        fprintf(to, "%.9g %.9g %.9g %.9g", b->erlang, b->probability, low > 0 ? low : b->probability / 10,
                b->probability + b->half_width);
        fprintf(to, isfinite(b->exact) ? " %.9g\n" : " ?\n", b->exact);
    }
    fprintf(to, "END\n");
}

/* Tell whether something was blocked in the simulations from `first` to before `end`. */
static int has_points(size_t first, size_t end)
{
    while (first < end && points[first].seen.blocked == 0)
        first++;
    return first < end;
}

static void put_axes(FILE *to)
{
    fprintf(to, "set title ");
    print_quoted(to,
                 phrase("Blocking on %s, %s", target.spec,
                        channels_text(rwa_network_wavelengths(target.net), rwa_network_slot_hz(target.net) > 0)),
                 '\'');
    fprintf(to,
            " font ',15' noenhanced\nset datafile missing '?'\nset logscale y\nset format y '10^{%%L}'\n"
            "set border 3 linecolor rgb '#606060'\nset tics nomirror out\nset mytics 10\n"
            "set grid ytics mytics xtics linetype 1 linecolor rgb '#dddddd', linetype 1 linecolor rgb '#f1f1f1'\n"
            "set xlabel 'offered load, Erlang'\nset ylabel 'share of requests blocked'\n"
            "set key bottom right Left reverse spacing 1.3 samplen 2.5 noenhanced box linecolor rgb '#d0d0d0' opaque\n"
            "set style fill transparent solid 0.22 noborder\nset offsets graph 0.03, graph 0.03, 0, 0\n");
}

static void put_curve(FILE *to, size_t curve, int follows)
{
    const traffic_point *first = &points[curve * loads.count];
    const char *color = colors[curve % COLORS];
    fprintf(to, "%s$c%zu using 1:3:4 with filledcurves linecolor rgb '%s' notitle, "
                "'' using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 0.6 linecolor rgb '%s' title '%s, %s'",
            follows ? ", " : "plot ", curve, color, color, rwa_routing_name(first->routing),
            rwa_policy_name(first->policy));
    if (isfinite(first->seen.exact) && !follows)
        fprintf(to, ", '' using 1:5 with lines dashtype 2 linewidth 2 linecolor rgb 'black' title 'Erlang B'");
}

static void put_figure(FILE *to)
{
    size_t curves = count / loads.count;
    int follows = 0;
    for (size_t curve = 0; curve < curves; curve++)
        put_points(to, curve);
    put_axes(to);
    for (size_t curve = 0; curve < curves; curve++)
        if (has_points(curve * loads.count, (curve + 1) * loads.count)) {
            put_curve(to, curve, follows);
            follows = 1;
        }
    fputc('\n', to);
}

static int draw(void)
{
    if (!has_points(0, count))
        return fail(EXIT_NO, "--plot %s: nothing was blocked at these loads, expected higher ones", plot_file);
    return plot_script(put_figure, 860, 560);
}

/* ---- the command ---- */

/* Refuse options that contradict each other, and --paths if no routing has a choice.  Return 0 or the exit code. */
static int refuse_options(void)
{
    if (blocking.scattered && blocking.guard > 0)
        return BAD_INPUT("--scattered --guard %u: scattered slots have no guard, expected one of the two",
                         blocking.guard);
    if (shared && !protection)
        return BAD_INPUT("--shared: expected with --protection, whose backups share slots");
    if (blocking.scattered && protection)
        return BAD_INPUT("--scattered --protection: expected one of the two");
    for (size_t r = 0; r < routings.count; r++)
        if (routings.values[r] != RWA_ROUTING_SHORTEST)
            return 0;
    return refuse_given("paths", "--routing shortest knows one route for each pair, expected another routing");
}

/* Run the simulations and report them.  If a signal stops them, report those that have ended and return EXIT_STOPPED.
 * Else return 0, or the exit code after an error message. */
static int run_points(void)
{
    int stopped = pool_run(threads, count, NULL, simulate_point, &done);
    if (stopped != 0 && stopped != EXIT_STOPPED)
        return stopped;
    if (done > 0)
        MUST(print_answer(print_text, report, print_table));
    MUST(finish(EXIT_YES));
    if (stopped != 0)
        return fail(EXIT_STOPPED, "stopped after %zu of %zu simulations", done, count);
    return plot_file ? draw() : EXIT_YES;
}

static int run(void)
{
    if (!target.spec || loads.count == 0)
        return BAD_INPUT("no %s given, expected for example: rwa traffic --network nsfnet14-21 --load 60..140",
                         !target.spec ? "network" : "load");
    MUST(open_faulty());
    MUST(refuse_options());
    MUST(plant_open(0));
    MUST(plot_needs());
    count = routings.count * policies.count * loads.count;
    MUST(NEW(points, count));
    MUST(NEW(class_answers, count * classes.count + 1));
    blocking.transmission = plant.transmission;
    blocking.protection = !protection ? RWA_PROTECTION_NONE
                          : shared    ? RWA_PROTECTION_SHARED
                                      : RWA_PROTECTION_DEDICATED;
    if (blocking.state.model == (rwa_model)0)
        blocking.state.model = rwa_network_model(target.net);
    list_points();
    return run_points();
}

const command command_traffic =
    {"traffic",
     "blocking of random traffic on a network",
     "rwa traffic --network SPEC|FILE --load RANGE [options]\n\n"
     "Poisson requests between random nodes are blocked when no route that is tried has a wavelength free on all "
     "its links; A Erlang is A requests in a mean holding time.  All routings and policies see the same traffic; "
     "between two nodes Erlang B is printed.  --widths: requests of several slots (docs/guide/spectrum.md); with a "
     "device or formats as many as rate and route need (docs/guide/fiber.md).\n\n"
     "Examples:\n"
     "  rwa traffic --network nsfnet14-21 -w 16 --load 60..140 --plot blocking.svg\n"
     "  rwa traffic --network line:2 --model undirected -w 8 --load 2,4,8 --format csv\n"
     "  rwa traffic --network nsfnet14-21 --slots 320 --widths 1,2:3:25G --load 400\n",
     TABLES(graph_options, own_options, table_options, plant_options, modulation_options),
     0,
     run,
     init};
