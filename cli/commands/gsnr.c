/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signal to noise along a route of amplified fibre, and the modulation formats that it carries. */
#include "cli/plant.h"
#include "cli/plot.h"
#include "cli/target.h"
#include "cli/wrap.h"
#include "commands.h"

typedef struct gsnr_options {
    common common;
    network_choice network;
    const char *route, *spans, *launch;
    plant_choice fiber;
    double rate_bps, spacing_hz, baud, first_hz;
    uint32_t carriers, carrier;
    output_choice output;
} gsnr_options;

static const unit ghz_units[] = {{"", 1e9}, {"GHz", 1e9}, {"MHz", 1e6}, {"THz", 1e12}, {NULL, 0}};
static const unit thz_units[] = {{"", 1e12}, {"THz", 1e12}, {"GHz", 1e9}, {NULL, 0}};
static const unit baud_units[] = {{"", 1e9}, {"G", 1e9}, {"GBd", 1e9}, {"Gbaud", 1e9}, {NULL, 0}};

static const option own_options[] = {
    {"network", 0, "SPEC|FILE", "with lengths of the links, as nsfnet14-21 (docs/networks.md)", NULL, IS_TEXT(gsnr_options, network.spec)},
    {"route", 0, "NODES", "from node to node, names or numbers with commas", NULL, IS_TEXT(gsnr_options, route)},
    {"spans", 0, "LIST", "lengths in km in place of a network, as 80,75.5 or 10x80", NULL, IS_TEXT(gsnr_options, spans)},
    {"rate", 0, "RATE", "of a demand: also say the format it gets", NULL, IS_RATE(gsnr_options, rate_bps), .field = "rate_bps"},
    {"spacing", 0, "GHZ", "between the centres of carriers", "50",
     IS_POSITIVE(gsnr_options, spacing_hz, ghz_units, "GHz, such as 50 or 37.5GHz")},
    {"baud", 0, "GBAUD", "symbol rate of the carriers", "32", IS_POSITIVE(gsnr_options, baud, baud_units, "Gbaud, such as 32")},
    {"carriers", 0, "N", "side by side", "as many as the band holds", IS_COUNT(gsnr_options, carriers, 1, 4096)},
    {"first", 0, "THZ", "centre of carrier 1", "half a spacing above the band's edge",
     IS_POSITIVE(gsnr_options, first_hz, thz_units, "THz, such as 191.4")},
    {"launch", 0, "DBM", "power of each carrier into every span", "of the profile", IS_TEXT(gsnr_options, launch)},
    {"carrier", 0, "I", "show carrier I, from 1", "the one of least GSNR", IS_COUNT(gsnr_options, carrier, 1, 4096)},
    {"output", 'o', "FILE.svg", "draw the ratios over the length of the route", NULL, IS(gsnr_options, output.file, read_plot)},
    {0}};

static void init(void *options)
{
    gsnr_options *o = options;
    rwa_network_options_init(&o->network.opts);
    o->spacing_hz = 50e9;
    o->baud = 32e9;
}

static const option_group groups[] = {
    {own_options, 0, init}, PLANT_GROUPS(gsnr_options, fiber),
    {table_options, offsetof(gsnr_options, output), NULL}, {NULL, 0, NULL}};

/* The route, the carriers and what became of them. */
typedef struct work {
    const gsnr_options *o;
    double *length_km;      /* of each link */
    size_t links;
    rwa_span *spans;
    size_t span_count;
    rwa_carrier *carriers;
    rwa_gsnr *at_end, *along;   /* of each carrier; of carrier `shown` behind each span */
    size_t count, shown;
    rwa_modulation_choice *worst;   /* of each format; by name in the table */
    rwa_modulation_choice chosen;   /* for the rate, when one is given */
} work;

static void work_free(work *w)
{
    free(w->length_km);
    free(w->spans);
    free(w->carriers);
    free(w->at_end);
    free(w->along);
    free(w->worst);
}

/* ---- the route ---- */

enum { SPANS_MAX = 100000 };

/* "10x80" or "75.5"; *text moves behind it.  0: neither. */
static int read_span_item(uint32_t *times, double *km, const char *item)
{
    char *end = NULL;
    const char *x = strchr(item, 'x'), *number = x != NULL ? x + 1 : item;
    char digits[64];
    uint64_t count = 1;
    snprintf(digits, sizeof digits, "%.*s", x != NULL ? (int)(x - item) : 0, item);
    if (x != NULL && !parse_count(&count, digits, 1, SPANS_MAX))
        return 0;
    *times = (uint32_t)count;
    *km = *number >= '0' && *number <= '9' ? strtod(number, &end) : NAN;
    return end != NULL && *end == '\0' && *km > 0 && isfinite(*km);
}

static int read_spans(work *w)
{
    const char *text = w->o->spans;
    char item[64];
    while (text != NULL) {
        uint32_t times = 0;
        double km = 0;
        if (!next_item(item, &text) || !read_span_item(&times, &km, item))
            return fail(EXIT_BAD_INPUT, "--spans %s: expected lengths in km with commas, such as 80,75.5 or 10x80", w->o->spans);
        if (w->span_count + times > SPANS_MAX)
            return fail(EXIT_BAD_INPUT, "--spans %s: expected at most %d spans", w->o->spans, SPANS_MAX);
        rwa_span *more = realloc(w->spans, (w->span_count + times) * sizeof *more);
        if (more == NULL)
            return fail_memory();
        w->spans = more;
        for (uint32_t i = 0; i < times; i++, w->span_count++)
            w->spans[w->span_count] = (rwa_span){.length_km = km, .behind_node = w->span_count == 0};
    }
    return 0;
}

static int measure_links(work *w, const rwa_network *net, const uint32_t *nodes, size_t count)
{
    if (count < 2)
        return fail(EXIT_BAD_INPUT, "--route %s: expected at least two nodes", w->o->route);
    w->links = count - 1;
    w->length_km = calloc(w->links, sizeof *w->length_km);
    if (w->length_km == NULL)
        return fail_memory();
    for (size_t i = 0; i < w->links; i++) {
        uint32_t link = rwa_network_find_link(net, nodes[i], nodes[i + 1]);
        if (link == RWA_NO_LINK)
            return fail(EXIT_BAD_INPUT, "--route %s: no link from %s to %s", w->o->route, NODE_TEXT(net, nodes[i]),
                        NODE_TEXT(net, nodes[i + 1]));
        w->length_km[i] = rwa_network_link(net, link).length_km;
        if (!(w->length_km[i] > 0))
            return fail(EXIT_BAD_INPUT, "--route %s: the link from %s to %s has no length, expected one in km", w->o->route,
                        NODE_TEXT(net, nodes[i]), NODE_TEXT(net, nodes[i + 1]));
    }
    return 0;
}

static int place_spans(work *w)
{
    const rwa_fiber_profile *profile = w->o->fiber.profile;
    w->span_count = rwa_fiber_profile_place(NULL, profile, w->length_km, w->links);
    w->spans = calloc(w->span_count, sizeof *w->spans);
    if (w->spans == NULL)
        return fail_memory();
    rwa_fiber_profile_place(w->spans, profile, w->length_km, w->links);
    return 0;
}

static int read_route(work *w)
{
    rwa_network *net = NULL;
    uint32_t *nodes = NULL;
    size_t count = 0;
    rwa_error err = {0};
    int code = fail_status(network_open(&net, w->o->network.spec, &w->o->network.opts, &err), &err, 0);
    THEN(read_nodes(&nodes, &count, net, "route", w->o->route));
    THEN(measure_links(w, net, nodes, count));
    THEN(place_spans(w));
    free(nodes);
    rwa_network_free(net);
    return code;
}

/* ---- the carriers ---- */

static int read_launch(double *launch_dbm, const gsnr_options *o)
{
    char *end = NULL;
    *launch_dbm = rwa_fiber_profile_launch_dbm(o->fiber.profile, o->baud);
    if (o->launch == NULL)
        return 0;
    *launch_dbm = strtod(o->launch, &end);
    if (end == o->launch || (*end != '\0' && strcmp(end, "dBm") != 0) || !(fabs(*launch_dbm) <= 60))
        return fail(EXIT_BAD_INPUT, "--launch %s: expected dBm from -60 to 60", o->launch);
    return 0;
}

static int make_carriers(work *w)
{
    const gsnr_options *o = w->o;
    double edge = rwa_fiber_profile_first_hz(o->fiber.profile), band = rwa_fiber_profile_slots(o->fiber.profile) * RWA_SLOT_HZ;
    double first = o->first_hz > 0 ? o->first_hz : edge + o->spacing_hz / 2, launch_dbm;
    double fit = floor((edge + band - first) / o->spacing_hz + 0.5 + 1e-9);
    w->count = o->carriers > 0 ? o->carriers : fit >= 1 && fit <= 4096 ? (size_t)fit : 0;
    if (w->count == 0)
        return fail(EXIT_BAD_INPUT, "the band of %s holds %.0f carriers every %g GHz from %g THz, expected 1 to 4096",
                    rwa_fiber_profile_name(o->fiber.profile), fmax(fit, 0), o->spacing_hz / 1e9, first / 1e12);
    if (o->carrier > w->count)
        return fail(EXIT_BAD_INPUT, "--carrier %" PRIu32 ": expected 1 to %zu", o->carrier, w->count);
    int code = read_launch(&launch_dbm, o);
    if (code != 0)
        return code;
    w->carriers = calloc(w->count, sizeof *w->carriers);
    if (w->carriers == NULL)
        return fail_memory();
    for (size_t i = 0; i < w->count; i++)
        w->carriers[i] = (rwa_carrier){first + (double)i * o->spacing_hz, o->baud, launch_dbm};
    return 0;
}

static int measure(work *w)
{
    rwa_error err = {0};
    const rwa_fiber_profile *profile = w->o->fiber.profile;
    w->at_end = calloc(w->count, sizeof *w->at_end);
    w->along = calloc(w->span_count, sizeof *w->along);
    if (w->at_end == NULL || w->along == NULL)
        return fail_memory();
    rwa_status status = rwa_gsnr_line(w->at_end, profile, w->spans, w->span_count, w->carriers, w->count, &err);
    for (size_t i = 1; i < w->count && status == RWA_OK; i++)
        if (w->at_end[i].gsnr_db < w->at_end[w->shown].gsnr_db)
            w->shown = i;
    if (w->o->carrier > 0)
        w->shown = w->o->carrier - 1;
    if (status == RWA_OK)
        status = rwa_gsnr_along(w->along, profile, w->spans, w->span_count, w->carriers, w->count, w->shown, &err);
    return fail_status(status, &err, 0);
}

/* ---- formats ---- */

static int measure_formats(work *w)
{
    const rwa_transmission *t = w->o->fiber.transmission;
    size_t formats = rwa_modulations_count(w->o->fiber.modulations);
    rwa_error err = {0};
    rwa_status status = RWA_OK;
    w->worst = calloc(formats, sizeof *w->worst);
    if (w->worst == NULL)
        return fail_memory();
    for (size_t i = 0; i < formats && status == RWA_OK; i++)
        status = rwa_transmission_worst_case(&w->worst[i], t, w->spans, w->span_count, i, &err);
    w->chosen.modulation = RWA_NO_MODULATION;
    if (status == RWA_OK && w->o->rate_bps > 0)
        status = rwa_transmission_choose(&w->chosen, t, w->length_km, w->links, w->o->rate_bps, 0, &err);
    return fail_status(status, &err, 0);
}

/* ---- text ---- */

static void print_along(FILE *to, const work *w)
{
    fprintf(to, "\n%10s %10s %8s %8s %8s %14s\n", "span", "km", "OSNR", "NLI", "GSNR", "GSNR in 0.1 nm");
    for (size_t k = 0; k < w->span_count; k++) {
        const rwa_gsnr *g = &w->along[k];
        fprintf(to, "%10zu %10.1f %8.2f %8.2f %8.2f %14.2f\n", k + 1, g->length_km, g->osnr_db, g->nli_db, g->gsnr_db, g->gsnr_01nm_db);
    }
    fprintf(to, "\n");
}

static void print_text(FILE *where, const work *w)
{
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, where);
    assert(w->carriers && w->at_end && w->shown < w->count);
    const rwa_carrier *c = &w->carriers[w->shown];
    const rwa_gsnr *g = &w->at_end[w->shown];
    fprintf(to, "Route             %zu span%s, %.1f km, %s\n", w->span_count, plural(w->span_count), g->length_km,
            rwa_fiber_profile_name(w->o->fiber.profile));
    fprintf(to, "Carriers          %zu of %g Gbaud every %g GHz, %.2f dBm each\n", w->count, c->baud / 1e9, w->o->spacing_hz / 1e9,
            c->launch_dbm);
    fprintf(to, "Shown             carrier %zu at %.4f THz%s\n", w->shown + 1, c->frequency_hz / 1e12,
            w->o->carrier > 0 ? "" : ", the one of least GSNR");
    print_along(to, w);
    fprintf(to, "GSNR              %.2f dB in the signal bandwidth, %.2f dB in 0.1 nm\n", g->gsnr_db, g->gsnr_01nm_db);
    fprintf(to, "Largest noise     %s\n", g->binding);
    print_formats(to, &w->o->fiber, w->worst);
    if (w->o->rate_bps > 0)
        print_choice(to, &w->o->fiber, w->worst, &w->chosen, w->o->rate_bps);
    if (names_file(&w->o->output))
        print_written(to, &w->o->output);
    wrap_close(&wrapped, WRAP_HANG, 0);
}

/* ---- JSON and CSV ---- */

static json_t *ratios(json_t *object, const rwa_gsnr *g)
{
    return json_add(object, "osnr_db:f nli_db:f gsnr_db:f osnr_01nm_db:f gsnr_01nm_db:f largest_noise:s", g->osnr_db, g->nli_db,
                    g->gsnr_db, g->osnr_01nm_db, g->gsnr_01nm_db, g->binding);
}

static json_t *carrier_json(const work *w, size_t i)
{
    assert(w->carriers && w->at_end && i < w->count);
    const rwa_carrier *c = &w->carriers[i];
    return ratios(json_add(json_object(), "carrier:z frequency_thz:f baud_gbd:f launch_dbm:f", i + 1, c->frequency_hz / 1e12,
                           c->baud / 1e9, c->launch_dbm), &w->at_end[i]);
}

static json_t *report(const work *w)
{
    json_t *all = json_array(), *along = json_array();
    for (size_t i = 0; i < w->count; i++)
        json_array_append_new(all, carrier_json(w, i));
    for (size_t k = 0; k < w->span_count; k++)
        json_array_append_new(along, ratios(json_add(json_object(), "span:z km:f", k + 1, w->along[k].length_km), &w->along[k]));
    return json_add(json_object(), "device:s spans:z length_km:f shown:o along:o carriers:o formats:o rate_bps:f choice:o",
                    rwa_fiber_profile_name(w->o->fiber.profile), w->span_count, w->at_end[0].length_km,
                    carrier_json(w, w->shown), along, all, formats_json(&w->o->fiber, w->worst), w->o->rate_bps > 0 ? w->o->rate_bps : NAN,
                    w->o->rate_bps > 0 ? choice_json(&w->o->fiber, &w->chosen) : json_null());
}

static void print_csv(FILE *to, const work *w)
{
    fprintf(to, "carrier,frequency_thz,osnr_db,nli_db,gsnr_db,osnr_01nm_db,gsnr_01nm_db\n");
    for (size_t i = 0; i < w->count; i++) {
        const rwa_gsnr *g = &w->at_end[i];
        fprintf(to, "%zu,%.6f,%.4f,%.4f,%.4f,%.4f,%.4f\n", i + 1, w->carriers[i].frequency_hz / 1e12, g->osnr_db, g->nli_db, g->gsnr_db,
                g->osnr_01nm_db, g->gsnr_01nm_db);
    }
}

/* ---- the answer ---- */

/* The line of the format that the demand gets, else none. */
static double required_db(const work *w)
{
    rwa_modulation m;
    if (w->chosen.modulation == RWA_NO_MODULATION)
        return NAN;
    rwa_modulations_get(&m, w->o->fiber.modulations, w->chosen.modulation);
    return m.required_gsnr_db;
}

static int draw(const work *w)
{
    char title[160], *text = NULL;
    rwa_error err = {0};
    if (w->o->output.file == NULL)
        return 0;
    assert(w->carriers && w->at_end);
    snprintf(title, sizeof title, "Carrier %zu at %.4f THz over %.1f km", w->shown + 1, w->carriers[w->shown].frequency_hz / 1e12,
             w->at_end[0].length_km);
    rwa_status status = rwa_view_gsnr(&text, w->along, w->span_count, required_db(w), title, &err);
    int code = fail_status(status, &err, 0);
    THEN(fail_status(rwa_text_write(text, w->o->output.file, &err), &err, 1));
    rwa_text_free(text);
    return code;
}

static int answer(const work *w)
{
    int code = draw(w), verdict = w->o->rate_bps > 0 && w->chosen.modulation == RWA_NO_MODULATION ? EXIT_NO : EXIT_YES;
    if (code != 0)
        return code;
    if (w->o->output.format == AS_JSON)
        code = json_print(stdout, report(w));
    else if (w->o->output.format == AS_CSV)
        print_csv(stdout, w);
    else
        print_text(stdout, w);
    return code != 0 ? code : finish(verdict);
}

/* ---- assignments ---- */

typedef struct listing {
    rwa_assign_result *result;
    rwa_gsnr *gsnr;     /* of each route */
} listing;

static double margin_of(const gsnr_options *o, const listing *l, uint64_t i, rwa_modulation *m)
{
    const rwa_modulations *table = o->fiber.modulations;
    rwa_modulations_get(m, table, rwa_modulations_find(table, rwa_assign_result_modulation(l->result, i)));
    return l->gsnr[i].gsnr_db - m->required_gsnr_db - rwa_fiber_profile_margin_db(o->fiber.profile);
}

static json_t *lightpath_json(const gsnr_options *o, const listing *l, uint64_t i, const rwa_route *route, const rwa_demand *d)
{
    rwa_modulation m;
    double margin = margin_of(o, l, i, &m);
    return ratios(json_add(json_object(), "demand:z src:u dst:u length_km:f modulation:s required_gsnr_db:f margin_db:f", route->demand,
                           d->src, d->dst, l->gsnr[i].length_km, m.name, m.required_gsnr_db, margin), &l->gsnr[i]);
}

/* The ends by name, in a column behind the noise, of which `used` letters stand there; then the end of the line. */
static void print_ends(FILE *to, const rwa_network *net, const rwa_demand *d, size_t used)
{
    enum { NOISE = 32 };
    if (rwa_network_node_name(net, d->src) != NULL || rwa_network_node_name(net, d->dst) != NULL) {
        fprintf(to, "%*s  %s to %s", used < NOISE ? (int)(NOISE - used) : 0, "", NODE_TEXT(net, d->src), NODE_TEXT(net, d->dst));
    }
    fputc('\n', to);
}

static void print_lightpath(FILE *to, const gsnr_options *o, const listing *l, uint64_t i, const rwa_route *route, const rwa_demand *d)
{
    rwa_modulation m;
    const rwa_gsnr *g = &l->gsnr[i];
    double margin = margin_of(o, l, i, &m);
    if (o->output.format == AS_CSV)
        fprintf(to, "%zu,%" PRIu32 ",%" PRIu32 ",%.3f,%s,%.4f,%.4f,%.4f,%.4f,%.4f\n", route->demand, d->src, d->dst, g->length_km, m.name,
                g->osnr_db, g->nli_db, g->gsnr_db, m.required_gsnr_db, margin);
    else
        fprintf(to, "%8zu %6" PRIu32 " %6" PRIu32 " %9.1f %-12s %8.2f %8.2f %8.2f %8.2f %+8.2f  %s", route->demand, d->src, d->dst,
                g->length_km, m.name, g->osnr_db, g->nli_db, g->gsnr_db, m.required_gsnr_db, margin, g->binding);
    if (o->output.format != AS_CSV)
        print_ends(to, rwa_assign_result_network(l->result), d, strlen(g->binding));
}

/* Every lightpath that has light. */
static int print_lightpaths_gsnr(const gsnr_options *o, const listing *l)
{
    json_t *all = json_array();
    if (o->output.format == AS_CSV)
        printf("demand,src,dst,length_km,modulation,osnr_db,nli_db,gsnr_db,required_gsnr_db,margin_db\n");
    else if (o->output.format == AS_TEXT)
        printf("%8s %6s %6s %9s %-12s %8s %8s %8s %8s %8s  %s\n", "demand", "src", "dst", "km", "format", "OSNR", "NLI", "GSNR", "required",
               "margin", "largest noise");
    for (uint64_t i = 0; i < rwa_assign_result_routes(l->result); i++) {
        rwa_route route;
        rwa_assign_result_get(&route, l->result, i);
        const rwa_demand *d = &rwa_demands_list(rwa_assign_result_demands(l->result))[route.demand];
        assert(l->gsnr && d);
        if (l->gsnr[i].binding == NULL)
            continue;
        if (o->output.format == AS_JSON)
            json_array_append_new(all, lightpath_json(o, l, i, &route, d));
        else
            print_lightpath(stdout, o, l, i, &route, d);
    }
    if (o->output.format != AS_JSON) {
        json_decref(all);
        return 0;
    }
    return json_print(stdout, json_add(json_object(), "device:s lightpaths:o", rwa_fiber_profile_name(o->fiber.profile), all));
}

static int list_assignment(const gsnr_options *o, const char *file)
{
    listing l = {NULL, NULL};
    rwa_error err = {0};
    int code = fail_status(rwa_assign_result_read(&l.result, file, &err), &err, 0);
    if (code == 0) {
        l.gsnr = calloc(rwa_assign_result_routes(l.result) + 1, sizeof *l.gsnr);
        code = l.gsnr == NULL ? fail_memory() : fail_status(rwa_assign_result_gsnr(l.gsnr, l.result, o->fiber.transmission, &err), &err, 0);
    }
    THEN(print_lightpaths_gsnr(o, &l));
    free(l.gsnr);
    rwa_assign_result_free(l.result);
    return code != 0 ? code : finish(EXIT_YES);
}

/* ---- the command ---- */

static int check_options(const gsnr_options *o)
{
    if (o->common.operands[0] != NULL)
        return refuse_others(&o->common, NAMES("device", "modulations", "format"), "is for a route, not for the lightpaths of a file");
    if ((o->network.spec == NULL) == (o->spans == NULL))
        return fail(EXIT_BAD_INPUT, "%s, expected for example: rwa gsnr --network nsfnet14-21 --route 0,1,3, or rwa gsnr --spans 10x80",
                    o->spans == NULL ? "no route given" : "--spans and --network exclude each other");
    if ((o->network.spec == NULL) != (o->route == NULL))
        return fail(EXIT_BAD_INPUT, "--%s", o->route == NULL ? "network needs --route NODES" : "route needs --network SPEC");
    if (o->spans != NULL)
        return refuse_given(&o->common, NAMES("rate"), "is for routes of a network, expected --network and --route");
    return 0;
}

static int run(void *options)
{
    gsnr_options *o = options;
    work w = {.o = o};
    int code = check_options(o);
    THEN(plant_open(&o->fiber, 1, 0));
    if (o->common.operands[0] != NULL) {
        code = code == 0 ? list_assignment(o, o->common.operands[0]) : code;
        plant_close(&o->fiber);
        return code;
    }
    THEN(o->spans != NULL ? read_spans(&w) : read_route(&w));
    THEN(make_carriers(&w));
    THEN(measure(&w));
    THEN(measure_formats(&w));
    THEN(answer(&w));
    work_free(&w);
    plant_close(&o->fiber);
    return code;
}

const command command_gsnr = {
    "gsnr", "signal to noise along a route of amplified fibre",
    "rwa gsnr --network SPEC|FILE --route NODES [options]\n       rwa gsnr --spans LIST [options]\n       rwa gsnr FILE [options]\n\n"
    "Amplifier noise and nonlinear interference (incoherent GN model) of equal carriers behind every span of a route, and which "
    "modulation formats reach its end whatever else fills the band.  Of an assignment FILE: every lightpath among its neighbours.\n"
    "Exit 1: no format carries --rate over the route.\n\n"
    "Examples:\n"
    "  rwa gsnr --network nsfnet14-21 --route 0,1,3 --rate 400G\n"
    "  rwa gsnr --spans 10x80 --carriers 95 --first 191.4 --format csv\n"
    "  rwa gsnr --network nsfnet14-21 --route 0,7,8 --device ssmf-roadm -o route.svg\n"
    "  rwa gsnr assignment.jsonl --device ssmf --format csv\n",
    groups, sizeof(gsnr_options), 1, run, NULL};
