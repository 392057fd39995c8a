/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signal-to-noise ratio along a route of amplified fibre, and the modulation formats that the route carries. */
#include "cli/plant.h"
#include "cli/plot.h"
#include "commands.h"

enum { CARRIERS_MAX = 4096, SPANS_MAX = 100000 };

/* The values of the options; 0 or NULL: not given. */
static const char *route_text, *spans_text, *launch_text;
static double rate_bps, spacing_hz = 50e9, baud = 32e9, first_hz;
static uint32_t carriers_asked, carrier_asked;

static const option own_options[] =
    {{"network", "SPEC|FILE", "with lengths of the links, as nsfnet14-21 (docs/guide/networks.md)",
      IS_TEXT(target.spec)},
     {"route", "NODES", "from node to node, names or numbers with commas", IS_TEXT(route_text)},
     {"spans", "LIST", "lengths in km in place of a network, as 80,75.5 or 10x80", IS_TEXT(spans_text)},
     {"rate", "RATE", "of a demand: also say the format it gets", IS_RATE(rate_bps)},
     {"spacing", "GHZ", "between the centres of carriers (50)",
      IS_POSITIVE(spacing_hz, " GHz MHz THz", "GHz, such as 50 or 37.5GHz")},
     {"baud", "GBAUD", "symbol rate of the carriers (32)", IS_POSITIVE(baud, " GBd G Gbaud", "Gbaud, such as 32")},
     {"carriers", "N", "side by side (as many as the band holds)", IS_COUNT(carriers_asked, 1, CARRIERS_MAX)},
     {"first", "THZ", "centre of carrier 1 (half a spacing above the band's edge)",
      IS_POSITIVE(first_hz, " THz GHz", "THz, such as 191.4")},
     {"launch", "DBM", "power of each carrier into every span (of the profile)", IS_TEXT(launch_text)},
     {"carrier", "I", "show carrier I, from 1 (the one of least GSNR)", IS_COUNT(carrier_asked, 1, CARRIERS_MAX)},
     {"output", "FILE.svg", "draw the ratios over the length of the route", IS(output.file, read_plot)},
     {0}};

/* The route, the carriers and the results. */
static double *length_km;       /* of each link */
static size_t links;
static rwa_span *spans;
static size_t span_count;
static rwa_carrier carriers[CARRIERS_MAX];
static rwa_gsnr at_end[CARRIERS_MAX], *along;   /* of each carrier; of carrier `shown` behind each span */
static size_t carrier_count, shown;
static rwa_modulation_choice *worst;            /* of each format */
static rwa_modulation_choice chosen = {.modulation = RWA_NONE};     /* for the rate, when one is given */

static const char *profile_name(void)
{
    return rwa_fiber_profile_name(plant.profile);
}

/* ---- the route ---- */

/* Read `item`: "10x80" as *times = 10 spans of *km = 80 km each, or "75.5" as one span.  Return 0 if it is neither,
 * else 1. */
static int read_span_item(uint64_t *times, double *km, char *item)
{
    char *x = strchr(item, 'x');
    *times = 1;
    if (x)
        *x = '\0';
    return (!x || parse_count(times, item, 1, SPANS_MAX)) && parse_quantity(km, x ? x + 1 : item, PLAIN_UNITS, 1);
}

static int read_spans(void)
{
    char item[ITEM_MAX];
    MUST(NEW(spans, SPANS_MAX));
    for (const char *text = spans_text; text;) {
        uint64_t times;
        double km;
        if (!next_item(item, &text) || !read_span_item(&times, &km, item))
            return BAD_INPUT("--spans %s: expected lengths in km with commas, such as 80,75.5 or 10x80", spans_text);
        if (span_count + times > SPANS_MAX)
            return BAD_INPUT("--spans %s: expected at most %d spans", spans_text, SPANS_MAX);
        for (; times > 0; times--, span_count++)
            spans[span_count] = (rwa_span){.length_km = km, .behind_node = span_count == 0};
    }
    return 0;
}

static int measure_links(const uint32_t *nodes, size_t count)
{
    const rwa_network *net = target.net;
    if (count < 2)
        return BAD_INPUT("--route %s: expected at least two nodes", route_text);
    links = count - 1;
    MUST(NEW(length_km, links));
    for (size_t i = 0; i < links; i++) {
        uint32_t link = rwa_network_find_link(net, nodes[i], nodes[i + 1]);
        length_km[i] = link != RWA_NONE ? rwa_network_link(net, link).length_km : 0;
        if (link == RWA_NONE || !(length_km[i] > 0))
            return BAD_INPUT(link == RWA_NONE
                                 ? "--route %s: no link from %s to %s"
                                 : "--route %s: the link from %s to %s has no length, expected one in km",
                             route_text, node_text(net, nodes[i]), node_text(net, nodes[i + 1]));
    }
    return 0;
}

static int read_route(void)
{
    static uint32_t *nodes;
    size_t count = 0;
    MUST(open_network());
    MUST(read_nodes(&nodes, &count, target.net, "route", route_text));
    MUST(measure_links(nodes, count));
    span_count = rwa_fiber_profile_place(NULL, plant.profile, length_km, links);
    MUST(NEW(spans, span_count));
    rwa_fiber_profile_place(spans, plant.profile, length_km, links);
    return 0;
}

/* ---- the carriers ---- */

static int read_launch(double *launch_dbm)
{
    char *end = NULL;
    *launch_dbm = rwa_fiber_profile_launch_dbm(plant.profile, baud);
    if (!launch_text)
        return 0;
    *launch_dbm = strtod(launch_text, &end);
    if (end == launch_text || (*end && strcmp(end, "dBm") != 0) || !(fabs(*launch_dbm) <= 60))
        return BAD_INPUT("--launch %s: expected dBm from -60 to 60", launch_text);
    return 0;
}

static int make_carriers(void)
{
    double edge = rwa_fiber_profile_first_hz(plant.profile),
           band = rwa_fiber_profile_slots(plant.profile) * RWA_SLOT_HZ;
    double first = first_hz > 0 ? first_hz : edge + spacing_hz / 2, launch_dbm;
    double fit = floor((edge + band - first) / spacing_hz + 0.5 + 1e-9);
    carrier_count = carriers_asked > 0 ? carriers_asked : fit >= 1 && fit <= CARRIERS_MAX ? (size_t)fit : 0;
    if (carrier_count == 0)
        return BAD_INPUT("the band of %s holds %.0f carriers every %g GHz from %g THz, expected 1 to %d",
                         profile_name(), fmax(fit, 0), spacing_hz / 1e9, first / 1e12, CARRIERS_MAX);
    if (carrier_asked > carrier_count)
        return BAD_INPUT("--carrier %u: expected 1 to %zu", carrier_asked, carrier_count);
    MUST(read_launch(&launch_dbm));
    for (size_t i = 0; i < carrier_count; i++)
        carriers[i] = (rwa_carrier){first + (double)i * spacing_hz, baud, launch_dbm};
    return 0;
}

static int measure(void)
{
    MUST(NEW(along, span_count));
    MUST(CALL(rwa_gsnr_line, at_end, plant.profile, spans, span_count, carriers, carrier_count));
    for (size_t i = 1; i < carrier_count; i++)
        if (at_end[i].gsnr_db < at_end[shown].gsnr_db)
            shown = i;
    if (carrier_asked > 0)
        shown = carrier_asked - 1;
    return CALL(rwa_gsnr_along, along, plant.profile, spans, span_count, carriers, carrier_count, shown);
}

static int measure_formats(void)
{
    MUST(NEW(worst, formats()));
    for (size_t i = 0; i < formats(); i++)
        MUST(CALL(rwa_transmission_worst_case, &worst[i], plant.transmission, spans, span_count, i));
    return rate_bps > 0
               ? CALL(rwa_transmission_choose, &chosen, plant.transmission, length_km, links, rate_bps, 0)
               : 0;
}

/* ---- the report ---- */

static int reaches(const rwa_modulation_choice *c)
{
    return rwa_modulation_choice_reaches(c, plant.transmission);
}

/* Report for every modulation format whether it reaches over the route in the worst case, and the reason. */
static void say_formats(void)
{
    say("Formats           %-12s %8s %6s %10s %10s %8s\n", "worst case", "Gbit/s", "slots", "GSNR", "required",
        "margin");
    for (size_t i = 0; i < formats(); i++) {
        rwa_modulation m = format_at(i);
        say("                  %-12s %8g %6u %10.2f %10.2f %+8.2f  %s\n", m.name, m.rate_bps / 1e9, m.slots,
            worst[i].gsnr_db, m.required_gsnr_db, worst[i].margin_db,
            reaches(&worst[i]) ? "reaches" : "does not reach");
    }
}

static json_t *choice_json(const rwa_modulation_choice *c)
{
    if (c->modulation == RWA_NONE)
        return json_null();
    rwa_modulation m = format_at(c->modulation);
    return JSON("modulation:s carriers:u slots:u rate_bps:f length_km:f gsnr_db:f required_gsnr_db:f reach_km:f "
                "margin_db:f reaches:b",
                m.name, c->carriers, c->width, m.rate_bps * c->carriers, c->length_km,
                c->gsnr_db, m.required_gsnr_db, m.reach_km, c->margin_db, reaches(c));
}

static json_t *format_json(size_t i)
{
    return choice_json(&worst[i]);
}

/* Report the formats that would take fewer slots than the chosen one, or any format if none was chosen, and how much
 * GSNR or reach they lack. */
static void say_narrower(void)
{
    for (size_t i = 0; i < formats(); i++) {
        rwa_modulation m = format_at(i);
        double width = ceil(rate_bps / m.rate_bps * (1 - 1e-12)) * m.slots;
        if ((chosen.modulation != RWA_NONE && width >= chosen.width) || reaches(&worst[i]))
            continue;
        say("  %s would take %.0f slots, but ", m.name, width);
        if (isfinite(worst[i].margin_db))
            say("lacks %.2f dB\n", -worst[i].margin_db);
        else
            say("reaches %.1f km\n", m.reach_km);
    }
}

/* Report the modulation format chosen for the rate, or that there is none, and why no narrower one was chosen. */
static void say_choice(void)
{
    if (chosen.modulation == RWA_NONE) {
        say("Choice            none: no format carries %g Gbit/s over %.1f km", rate_bps / 1e9, chosen.length_km);
    } else {
        say("Choice            %s for %g Gbit/s: %s, %u slots of 12.5 GHz", format_at(chosen.modulation).name,
            rate_bps / 1e9, counted(chosen.carriers, "carrier"), chosen.width);
        if (isfinite(chosen.margin_db))
            say(", %.2f dB of margin", chosen.margin_db);
    }
    say("\n");
    say_narrower();
}

static void say_report(void)
{
    assert(shown < carrier_count);
    const rwa_carrier *c = &carriers[shown];
    const rwa_gsnr *g = &at_end[shown];
    say("Route             %s, %.1f km, %s\n", counted(span_count, "span"), g->length_km, profile_name());
    say("Carriers          %zu of %g Gbaud every %g GHz, %.2f dBm each\n", carrier_count, c->baud / 1e9,
        spacing_hz / 1e9, c->launch_dbm);
    say("Shown             carrier %zu at %.4f THz%s\n", shown + 1, c->frequency_hz / 1e12,
        carrier_asked > 0 ? "" : ", the one of least GSNR");
    say("\n%10s %10s %8s %8s %8s %14s\n", "span", "km", "OSNR", "NLI", "GSNR", "GSNR in 0.1 nm");
    for (size_t k = 0; k < span_count; k++) {
        const rwa_gsnr *at = &along[k];
        say("%10zu %10.1f %8.2f %8.2f %8.2f %14.2f\n", k + 1, at->length_km, at->osnr_db, at->nli_db, at->gsnr_db,
            at->gsnr_01nm_db);
    }
    say("\nGSNR              %.2f dB in the signal bandwidth, %.2f dB in 0.1 nm\n", g->gsnr_db, g->gsnr_01nm_db);
    say("Largest noise     %s\n", g->binding);
    say_formats();
    if (rate_bps > 0)
        say_choice();
    say_written();
}

static json_t *ratios(json_t *object, const rwa_gsnr *g)
{
    return json_add(object, "osnr_db:f nli_db:f gsnr_db:f osnr_01nm_db:f gsnr_01nm_db:f largest_noise:s", g->osnr_db,
                    g->nli_db, g->gsnr_db, g->osnr_01nm_db, g->gsnr_01nm_db, g->binding);
}

static json_t *carrier_json(size_t i)
{
    assert(i < carrier_count);
    const rwa_carrier *c = &carriers[i];
    return ratios(JSON("carrier:z frequency_thz:f baud_gbd:f launch_dbm:f", i + 1, c->frequency_hz / 1e12,
                       c->baud / 1e9, c->launch_dbm),
                  &at_end[i]);
}

static json_t *span_json(size_t k)
{
    return ratios(JSON("span:z km:f", k + 1, along[k].length_km), &along[k]);
}

static json_t *report(void)
{
    return JSON("device:s spans:z length_km:f shown:o along:o carriers:o formats:o rate_bps:F choice:o", profile_name(),
                span_count, at_end[0].length_km, carrier_json(shown), json_list(span_count, span_json),
                json_list(carrier_count, carrier_json), json_list(formats(), format_json), rate_bps,
                choice_json(&chosen));
}

static int draw(void)
{
    static char *text;
    if (!output.file)
        return 0;
    const char *title = phrase("Carrier %zu at %.4f THz over %.1f km", shown + 1,
                               carriers[shown].frequency_hz / 1e12, at_end[0].length_km);
    /* with the line of the format that the demand gets */
    double required_db =
        chosen.modulation != RWA_NONE ? format_at(chosen.modulation).required_gsnr_db : NAN;
    MUST(CALL(rwa_view_gsnr, &text, along, span_count, required_db, title));
    return WRITE(rwa_text_write, text, output.file);
}

static int print_carriers(void)
{
    return print_csv("carrier,frequency_thz:6,osnr_db:4,nli_db:4,gsnr_db:4,osnr_01nm_db:4,gsnr_01nm_db:4",
                     json_list(carrier_count, carrier_json));
}

static int answer(void)
{
    MUST(draw());
    MUST(print_answer(say_report, report, print_carriers));
    return rate_bps > 0 && chosen.modulation == RWA_NONE ? EXIT_NO : EXIT_YES;
}

static int follow_route(void)
{
    MUST(spans_text ? read_spans() : read_route());
    MUST(make_carriers());
    MUST(measure());
    MUST(measure_formats());
    return answer();
}

/* ---- assignments ---- */

static rwa_assignment *result;
static rwa_gsnr *gsnr;          /* of each lightpath */

/* Return lightpath i of the assignment as JSON: its ends, its signal-to-noise ratios and its format; NULL if it has no
 * signal. */
static json_t *lightpath_json(size_t i)
{
    const rwa_gsnr *g = &gsnr[i];
    rwa_route route;
    if (!g->binding)
        return NULL;
    rwa_assignment_get(&route, result, i);
    const rwa_demand *d = &rwa_demands_list(rwa_assignment_demands(result))[route.demand];
    rwa_modulation m = format_at(rwa_modulations_find(plant.modulations, rwa_assignment_modulation(result, i)));
    double margin_db = g->gsnr_db - m.required_gsnr_db - rwa_fiber_profile_margin_db(plant.profile);
    return ratios(JSON("demand:z src:u dst:u length_km:f modulation:s required_gsnr_db:f margin_db:f", route.demand,
                       d->src, d->dst, g->length_km, m.name, m.required_gsnr_db, margin_db),
                  g);
}

static json_t *lightpath_list(void)
{
    return json_list(rwa_assignment_count(result), lightpath_json);
}

static double figure(const json_t *at, const char *name)
{
    return json_number_value(json_object_get(at, name));
}

/* Report a lightpath as a row of the table.  If its end nodes have names, they are in a last column.  at: the lightpath
 * as lightpath_json() returns it */
static void print_lightpath(const json_t *at)
{
    const rwa_network *net = rwa_assignment_network(result);
    enum { NOISE = 32 };
    uint32_t src = (uint32_t)figure(at, "src"), dst = (uint32_t)figure(at, "dst");
    const char *noise = json_string_value(json_object_get(at, "largest_noise"));
    int named = rwa_network_node_name(net, src) || rwa_network_node_name(net, dst);
    printf("%8.0f %6u %6u %9.1f %-12s %8.2f %8.2f %8.2f %8.2f %+8.2f  %-*s", figure(at, "demand"), src, dst,
           figure(at, "length_km"), json_string_value(json_object_get(at, "modulation")), figure(at, "osnr_db"),
           figure(at, "nli_db"), figure(at, "gsnr_db"), figure(at, "required_gsnr_db"), figure(at, "margin_db"),
           named ? NOISE : 0, noise);
    if (named)
        printf("  %s to %s", node_text(net, src), node_text(net, dst));
    putchar('\n');
}

static void print_table(void)
{
    json_t *rows = lightpath_list();
    printf("%8s %6s %6s %9s %-12s %8s %8s %8s %8s %8s  %s\n", "demand", "src", "dst", "km", "format", "OSNR", "NLI",
           "GSNR", "required", "margin", "largest noise");
    for (size_t i = 0; i < json_array_size(rows); i++)
        print_lightpath(json_array_get(rows, i));
    json_decref(rows);
}

static json_t *lightpaths_json(void)
{
    return JSON("device:s lightpaths:o", profile_name(), lightpath_list());
}

static int print_lightpaths(void)
{
    return print_csv(
        "demand,src,dst,length_km:3,modulation,osnr_db:4,nli_db:4,gsnr_db:4,required_gsnr_db:4,margin_db:4",
        lightpath_list());
}

static int list_assignment(void)
{
    MUST(CALL(rwa_assignment_read, &result, args.file));
    MUST(NEW(gsnr, rwa_assignment_count(result) + 1));
    MUST(CALL(rwa_assignment_gsnr, gsnr, result, plant.transmission));
    return print_answer(print_table, lightpaths_json, print_lightpaths);
}

/* ---- the command ---- */

static int refuse_options(void)
{
    if (args.file)
        return refuse_others("device modulations format", "is for a route, not for the lightpaths of a file");
    if (!target.spec == !spans_text)
        return BAD_INPUT(
            "%s, expected for example: rwa gsnr --network nsfnet14-21 --route 0,1,3, or rwa gsnr --spans 10x80",
            !spans_text ? "no route given" : "--spans and --network exclude each other");
    if (!target.spec != !route_text)
        return BAD_INPUT("--%s", !route_text ? "network needs --route NODES" : "route needs --network SPEC");
    if (spans_text)
        return refuse_given("rate", "is for routes of a network, expected --network and --route");
    return 0;
}

static int run(void)
{
    MUST(refuse_options());
    MUST(plant_open(1));
    return args.file ? list_assignment() : follow_route();
}

const command command_gsnr = {"gsnr",
                              "signal to noise along a route of amplified fibre",
                              "rwa gsnr --network SPEC|FILE --route NODES [options]\n"
                              "       rwa gsnr --spans LIST [options]\n"
                              "       rwa gsnr FILE [options]\n\n"
                              "Amplifier noise and nonlinear interference (incoherent GN model) of equal carriers "
                              "behind every span of a route, and which modulation formats reach its end whatever else "
                              "fills the band.  Of an assignment FILE: every lightpath among its neighbours (of a "
                              "schedule: rwa check --lightpath).  Exit 1: no format carries --rate over the route.\n\n"
                              "Examples:\n"
                              "  rwa gsnr --network nsfnet14-21 --route 0,1,3 --rate 400G\n"
                              "  rwa gsnr --spans 10x80 --carriers 95 --first 191.4 --format csv\n"
                              "  rwa gsnr assignment.jsonl --device ssmf --format csv\n",
                              TABLES(own_options, plant_options, modulation_options, table_options),
                              1,
                              run,
                              NULL};
