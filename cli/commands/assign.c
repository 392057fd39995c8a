/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plant.h"
#include "cli/target.h"
#include "cli/wrap.h"
#include "commands.h"

typedef struct assign_options {
    common common;
    network_choice network;
    const char *demands, *avoid, *converters, *failed;
    uint32_t slots, width;
    rwa_assign_options opts;
    plant_choice plant;
    plant_usage usage;              /* filled with a result */
    output_choice output;
    rwa_programs programs;
} assign_options;

static const choice models[] = {{"directed", RWA_DIRECTED}, {"undirected", RWA_UNDIRECTED}, {NULL, 0}};
static const choice objectives[] = {{"wavelengths", RWA_FEWEST_WAVELENGTHS}, {"demands", RWA_MOST_DEMANDS},
                                    {"traffic", RWA_MOST_TRAFFIC}, {NULL, 0}};
static const choice formats[] = {{"text", AS_TEXT}, {"json", AS_JSON}, {"csv", AS_CSV}, {"table", AS_TABLE}, {NULL, 0}};
static const option own_options[] = {
    {"network", 0, "SPEC|FILE", "as nsfnet14-21, net.graphml or ring:16 (rwa network --list; docs/networks.md)", "required",
     IS_TEXT(assign_options, network.spec)},
    {"demands", 0, "SET|FILE", "all-to-all, random:COUNT, or a file", "all-to-all", IS_TEXT(assign_options, demands)},
    {"model", 0, "MODEL", "undirected: one lightpath serves a pair both ways; or directed", "as the network is",
     IS_CHOICE(assign_options, opts.model, models)},
    {"wavelengths", 'w', "W", "of each fibre", "the fewest possible", IS_COUNT(assign_options, opts.wavelengths, 1, RWA_CHANNELS_MAX)},
    {"slots", 0, "S", "of each fibre on a flexible grid, 12.5 GHz each, in place of -w", "the fewest possible",
     IS_COUNT(assign_options, slots, 1, RWA_CHANNELS_MAX)},
    {"width", 0, "N", "neighbouring slots of each demand, unless a file gives them", "1",
     IS_COUNT(assign_options, width, 1, RWA_CHANNELS_MAX)},
    {"guard", 0, "G", "slots kept free above each lightpath", "0", IS_COUNT(assign_options, opts.guard, 0, RWA_CHANNELS_MAX)},
    {"objective", 0, "WHAT", "wavelengths: serve all; or with W or S as many as possible: demands, or traffic (slots)", "wavelengths",
     IS_CHOICE(assign_options, opts.objective, objectives)},
    {"fibers", 0, "F", "fibres of each link and direction, unless a file gives them", "1",
     IS_COUNT(assign_options, network.opts.fibers, 1, RWA_CHANNELS_MAX)},
    {"rate", 0, "RATE", "bit/s of one wavelength, for demands in bit/s and formats", "40G", IS_RATE(assign_options, network.opts.rate_bps),
     .field = "rate_bps"},
    {"routing", 0, "NAME", "shortest, k-shortest, min-load or auto, which is k-shortest for best-fit and shortest for all other solvers "
     "but auto and exact", "auto",
     IS_NAME_OR_AUTO(assign_options, opts.routing, rwa_assign_routing_name)},
    {"paths", 0, "K", "routes tried for each demand", "chosen", IS_COUNT(assign_options, opts.paths, 1, 1u << 16)},
    {"max-hops", 0, "H", "no route longer than H links", NULL, IS_COUNT(assign_options, opts.max_hops, 1, RWA_NODES_MAX)},
    {"avoid", 0, "NODES", "nodes that no route passes, with commas", NULL, IS_TEXT(assign_options, avoid), .field = "forbidden"},
    {"converters", 0, "NODES", "nodes that can change a lightpath's wavelength, with commas", NULL, IS_TEXT(assign_options, converters)},
    {"fail", 0, "LIST", "failed links that no route crosses, as 5-6, 'Berlin>Hamburg' or numbers, with commas", NULL,
     IS_TEXT(assign_options, failed)},
    {"protection", 0, NULL, "1+1: a second, disjoint lightpath for each, on channels of its own (shared ones: rwa traffic)", NULL,
     IS_FLAG(assign_options, opts.protection)},
    {"solver", 0, "NAME", "one of those below, or auto", "auto", IS_NAME_OR_AUTO(assign_options, opts.solver, rwa_assign_solver_name)},
    {"time-limit", 0, "SECONDS", "keep the best answer so far; 0: no limit", "10", IS_LIMIT(assign_options, opts.time_limit_s),
     .field = "time_limit_s"},
    {"seed", 0, "N", "of random demands and of the search", "1", IS_NUMBER(assign_options, opts.seed, 0, UINT64_MAX)},
    {"format", 0, "FORMAT", "text, json, or the routes as csv or table", "text", IS_CHOICE(assign_options, output.format, formats)},
    {"write-lp", 0, "FILE", "write each integer program before it is solved: .lp, or .mps", NULL, IS_FILE(assign_options, programs.path)},
    {"output", 'o', "FILE", "write the assignment; .gz compresses, - is standard output", NULL, IS_FILE(assign_options, output.file)},
    {0}};
static void init(void *options)
{
    assign_options *o = options;
    rwa_network_options_init(&o->network.opts);
    rwa_assign_options_init(&o->opts);
}

static const option_group groups[] = {
    {own_options, 0, init}, PLANT_GROUPS(assign_options, plant), {NULL, 0, NULL}};

/* The parts of an assignment; its options borrow the lists of nodes. */
typedef struct job {
    rwa_network *net;
    rwa_demands *demands;
    rwa_assign_result *result;
    uint32_t *avoid, *converters;
} job;

/* Links of the model: fibre pairs, or directed links. */
static uint32_t count_links(const rwa_assign_result *r)
{
    const rwa_network *net = rwa_assign_result_network(r);
    return rwa_assign_result_model(r) == RWA_UNDIRECTED ? rwa_network_pairs(net) : rwa_network_links(net);
}

/* The link number i of the model. */
static rwa_link link_at(const rwa_assign_result *r, uint32_t i)
{
    const rwa_network *net = rwa_assign_result_network(r);
    if (rwa_assign_result_model(r) == RWA_DIRECTED || rwa_network_pair(net, i) == i)
        return rwa_network_link(net, i);    /* ring and line: clockwise links are the pairs */
    return rwa_network_link(net, 2 * i);
}

/* ---- JSON ---- */

/* [[from, to, length], ...] without the links of length 0. */
static json_t *lengths(const rwa_assign_result *r, const rwa_certificate *c)
{
    json_t *all = json_array();
    for (size_t i = 0; i < c->length_count; i++) {
        rwa_link link = link_at(r, (uint32_t)i);
        if (c->lengths[i] > 0)
            json_array_append_new(all, json_pack("[o, o, o]", json_count(link.from), json_count(link.to), json_count(c->lengths[i])));
    }
    return all;
}

static json_t *link_json(rwa_link link)
{
    return json_pack("[I, I]", (json_int_t)link.from, (json_int_t)link.to);
}

/* [{"weight": .., "nodes": [..]}, ...] */
static json_t *odd_sets(const rwa_assign_report *s)
{
    json_t *all = json_array();
    for (size_t i = 0; i < s->odd_set_count; i++) {
        json_t *nodes = json_array();
        for (size_t k = 0; k < s->odd_sets[i].count; k++)
            json_array_append_new(nodes, json_count(s->odd_sets[i].nodes[k]));
        json_array_append_new(all, json_add(json_object(), "weight:u nodes:o", s->odd_sets[i].weight, nodes));
    }
    return all;
}

static json_t *witness(const rwa_assign_result *r, const rwa_certificate *c)
{
    switch (c->kind) {
    case RWA_WITNESS_NONE:
        break;
    case RWA_WITNESS_LENGTHS:
        return json_add(json_object(), "kind:s links:o", "lengths", lengths(r, c));
    case RWA_WITNESS_ODD_CUTS:
        return json_add(json_object(), "kind:s links:o sets:o", "odd-cuts", lengths(r, c), odd_sets(rwa_assign_result_summary(r)));
    case RWA_WITNESS_LINK:
        return json_add(json_object(), "kind:s link:o routes:o", "link", link_json(link_at(r, c->link)),
                        json_counts(c->routes, c->route_count));
    case RWA_WITNESS_CLIQUE:
        return json_add(json_object(), "kind:s routes:o", "clique", json_counts(c->routes, c->route_count));
    case RWA_WITNESS_FORMULA:
        return json_add(json_object(), "kind:s source:s", "formula", c->source != NULL ? c->source : "");
    case RWA_WITNESS_SEARCH:
        return json_add(json_object(), "kind:s", "search");
    }
    return json_null();
}

static json_t *bound(const rwa_assign_result *r, const rwa_certificate *c)
{
    if (c->name == NULL)
        return json_null();
    return json_add(json_object(), "name:s value:U fixed_routes:b source:s verified:v witness:o", c->name, c->value, c->fixed_routes,
                    c->source != NULL ? c->source : "", rwa_assign_result_summary(r)->check->bound_verdict, witness(r, c));
}

/* [{"demand": .., "change": .., and a link, node or value}, ...] */
static json_t *remedies(const rwa_assign_result *r)
{
    json_t *all = json_array();
    const rwa_remedy *list = NULL;
    size_t count = rwa_assign_result_remedies(&list, r);
    for (size_t i = 0; i < count; i++) {
        json_t *one = json_add(json_object(), "demand:z change:s", list[i].demand, rwa_remedy_name(list[i].kind));
        if (list[i].kind == RWA_REMEDY_FIBER)
            one = json_add(one, "link:o", link_json(link_at(r, list[i].where)));
        else if (list[i].kind == RWA_REMEDY_WAVELENGTHS || list[i].kind == RWA_REMEDY_HOPS)
            one = json_add(one, "value:u", list[i].where);
        else
            one = json_add(one, "node:u", list[i].where);
        json_array_append_new(all, one);
    }
    return all;
}

static int is_flexible(const rwa_assign_result *r)
{
    return rwa_network_slot_hz(rwa_assign_result_network(r)) > 0;
}

/* Slots of the signals that are served, and of all requested. */
static void sum_slots(const rwa_assign_result *r, uint64_t *served, uint64_t *asked)
{
    *served = *asked = 0;
    for (uint64_t i = 0; i < rwa_assign_result_routes(r); i++) {
        rwa_route route;
        rwa_assign_result_get(&route, r, i);
        uint32_t width = rwa_assign_result_width(r, i);
        *asked += route.role == RWA_WORKING ? width : 0;
        *served += route.role == RWA_WORKING && route.hops > 0 ? width : 0;
    }
}

static json_t *report(const assign_options *o, const rwa_assign_result *r)
{
    const rwa_assign_report *s = rwa_assign_result_summary(r);
    char why[RWA_ERROR_TEXT];
    json_t *all = json_add(json_object(), "model:s nodes:u links:u demands:U routed:U wavelengths:u bound:o optimal:b outcome:s",
                           rwa_model_name(rwa_assign_result_model(r)), rwa_network_nodes(rwa_assign_result_network(r)),
                           count_links(r), s->lightpaths, s->routed, s->wavelengths, bound(r, &s->bound),
                           s->outcome == RWA_OPTIMAL, rwa_outcome_text(s->outcome));
    if (is_flexible(r)) {
        uint64_t served, asked;
        sum_slots(r, &served, &asked);
        all = json_add(all, "slot_ghz:f guard:u slots_requested:U slots_served:U", rwa_network_slot_hz(rwa_assign_result_network(r)) / 1e9,
                       o->opts.guard, asked, served);
    }
    all = json_add(all, "routes_offered:U program:o", s->routes_offered, s->program != NULL ? json_string(s->program) : json_null());
    return json_add(all, "routing:s solver:s why:s extra_wavelengths:o remedies:o longest_hops:u seconds:f check:s fiber:o",
                    s->routing != NULL ? s->routing : "", s->solver != NULL ? s->solver : "", fields_as_flags(why, sizeof why, s->why),
                    s->extra_wavelengths > 0 ? json_count(s->extra_wavelengths) : json_null(), remedies(r), s->check->longest_hops,
                    s->seconds, check_text(s->check), o->plant.transmission != NULL ? usage_json(&o->plant, &o->usage) : json_null());
}

/* ---- text ---- */

static void print_bound(FILE *to, const rwa_assign_report *s)
{
    const rwa_certificate *c = &s->bound;
    if (c->name == NULL)
        return;
    fprintf(to, "Bound             %" PRIu64 " (%s%s)%s\n", c->value, c->name, c->fixed_routes ? ", for these routes" : "",
            s->outcome == RWA_OPTIMAL ? ": this is optimal" : "");
}

/* The first unserved demands are named. */
enum { NAMED = 10 };

static void print_unserved(FILE *to, const rwa_assign_result *r)
{
    const rwa_network *net = rwa_assign_result_network(r);
    uint64_t seen = 0;
    for (uint64_t i = 0; i < rwa_assign_result_routes(r); i++) {
        rwa_route route;
        rwa_assign_result_get(&route, r, i);
        if (route.hops > 0 || seen++ >= NAMED)
            continue;
        const rwa_demand *d = &rwa_demands_list(rwa_assign_result_demands(r))[route.demand];
        fprintf(to, "  not served: demand %zu, %s to %s%s%s\n", route.demand, NODE_TEXT(net, d->src), NODE_TEXT(net, d->dst),
                *route.why ? ": " : "", route.why);
    }
    if (seen > NAMED)
        fprintf(to, "  ... and %" PRIu64 " more\n", seen - NAMED);
}

static void print_slots(FILE *to, const rwa_assign_result *r)
{
    uint64_t served, asked;
    sum_slots(r, &served, &asked);
    fprintf(to, "Slots             %" PRIu32 " of %g GHz\n", rwa_assign_result_summary(r)->wavelengths,
            rwa_network_slot_hz(rwa_assign_result_network(r)) / 1e9);
    fprintf(to, "Traffic           %" PRIu64 " of %" PRIu64 " slots served\n", served, asked);
}

/* Routes that a named solver could choose from, and whether an integer program was solved. */
static void print_offer(FILE *to, const rwa_assign_report *s)
{
    const char *const words[][2] = {{"solved", "solved: no better answer on these routes"},
                                    {"unfinished", "not solved within the limits of time and size"},
                                    {"not needed", "not solved: a greedy answer meets the bound"}};
    if (s->solver == NULL || strcmp(s->solver, "auto") == 0)
        return;
    if (s->routes_offered == s->lightpaths)
        fprintf(to, "Routes offered    1 for each lightpath\n");
    else if (s->routes_offered > 0)
        fprintf(to, "Routes offered    %" PRIu64 " for %" PRIu64 " lightpath%s\n", s->routes_offered, s->lightpaths, plural(s->lightpaths));
    for (size_t i = 0; i < sizeof words / sizeof words[0] && s->program != NULL; i++)
        if (strcmp(s->program, words[i][0]) == 0)
            fprintf(to, "Integer program   %s\n", words[i][1]);
}

/* The search was asked for and could not keep the limit of time. */
static void print_fallback(FILE *to, const assign_options *o, const rwa_assign_report *s)
{
    int search = o->opts.solver == NULL || strcmp(o->opts.solver, "auto") == 0;
    if (search && s->solver != NULL && strcmp(s->solver, "first-fit") == 0)
        fprintf(to, "  auto would not keep the time limit of %g s; a longer --time-limit may find a better answer\n", o->opts.time_limit_s);
}

static void print_report(FILE *where, const assign_options *o, const rwa_assign_result *r)
{
    wrap wrapped;
    char why[RWA_ERROR_TEXT];
    FILE *to = wrap_open(&wrapped, where);
    const rwa_assign_report *s = rwa_assign_result_summary(r);
    const rwa_network *net = rwa_assign_result_network(r);
    fprintf(to, "Network           %s, %" PRIu32 " nodes, %" PRIu32 " %s, %s model\n", o->network.spec, rwa_network_nodes(net),
            count_links(r), rwa_assign_result_model(r) == RWA_UNDIRECTED ? "fibre pairs" : "directed links",
            rwa_model_name(rwa_assign_result_model(r)));
    fprintf(to, "Lightpaths        %" PRIu64 " of %" PRIu64 " routed, the longest of %" PRIu32 " hop%s\n", s->routed,
            s->lightpaths, s->check->longest_hops, plural(s->check->longest_hops));
    if (o->opts.protection)
        fprintf(to, "Protection        each has a second, disjoint one\n");
    if (is_flexible(r))
        print_slots(to, r);
    else
        fprintf(to, "Wavelengths       %" PRIu32 "\n", s->wavelengths);
    if (o->plant.transmission != NULL)
        print_usage(to, &o->plant, &o->usage);
    print_bound(to, s);
    fprintf(to, "Outcome           %s\n", rwa_outcome_text(s->outcome));
    if (s->why[0] != '\0')
        fprintf(to, "  %s\n", fields_as_flags(why, sizeof why, s->why));
    print_unserved(to, r);
    fprintf(to, "Found by          %s over %s routes in %s\n", s->solver != NULL ? s->solver : "-", s->routing != NULL ? s->routing : "-",
            TIME_TEXT(s->seconds));
    print_fallback(to, o, s);
    print_offer(to, s);
    fprintf(to, "Check             %s\n", check_text(s->check));
    print_violations(to, s->check, NULL);
    print_programs(to, &o->programs);
    if (s->check->ok)
        print_written(to, &o->output);
    wrap_close(&wrapped, -1, 0);
}

/* ---- the command ---- */

/* --width for all demands, if none has a width of its own. */
static int apply_width(job *j, const assign_options *o)
{
    size_t count = rwa_demands_count(j->demands);
    rwa_demands *wide = NULL;
    rwa_error err = {0};
    if (o->width == 0)
        return 0;
    if (rwa_demands_widths(j->demands) != NULL)
        return fail(EXIT_BAD_INPUT, "--width %" PRIu32 ": %s gives the widths, expected no --width", o->width, o->demands);
    uint32_t *widths = calloc(count + 1, sizeof *widths);
    if (widths == NULL)
        return fail_memory();
    for (size_t d = 0; d < count; d++)
        widths[d] = o->width;
    int code = fail_status(rwa_demands_with_widths(&wide, j->demands, widths, &err), &err, 0);
    free(widths);
    if (code == 0) {
        rwa_demands_free(j->demands);
        j->demands = wide;
    }
    return code;
}

/* Lightpaths of several slots make a flexible grid of a network that has none yet. */
static int apply_grid(job *j, assign_options *o)
{
    rwa_error err = {0};
    double slot_hz = rwa_network_slot_hz(j->net);
    if (slot_hz > 0 && option_given(&o->common, "wavelengths"))
        return fail(EXIT_BAD_INPUT, "--wavelengths: %s has slots, expected --slots", o->network.spec);
    if (slot_hz > 0 && o->opts.wavelengths == 0)
        o->opts.wavelengths = rwa_network_wavelengths(j->net);
    int by_rate = (o->plant.device != NULL || o->plant.table != NULL) && rwa_demands_rates(j->demands) != NULL;
    if (slot_hz > 0 || (o->opts.guard == 0 && rwa_demands_widths(j->demands) == NULL && !by_rate))
        return 0;
    if (option_given(&o->common, "wavelengths"))
        return fail(EXIT_BAD_INPUT, "--wavelengths: lightpaths of several slots, or with guards, need a flexible grid, expected --slots");
    rwa_network_free(j->net);
    j->net = NULL;
    o->network.opts.slot_hz = RWA_SLOT_HZ;
    int code = fail_status(network_open(&j->net, o->network.spec, &o->network.opts, &err), &err, 0);
    return code != 0 ? code : apply_faults(&j->net, NULL, o->failed);
}

static int open_job(job *j, assign_options *o)
{
    rwa_error err = {0};
    const char *demands = o->demands != NULL ? o->demands : "all-to-all";
    int code = take_slots(&o->network, o->slots, &o->common);
    THEN(fail_status(network_open(&j->net, o->network.spec, &o->network.opts, &err), &err, 0));
    THEN(apply_faults(&j->net, NULL, o->failed));
    THEN(refuse_fibers(&o->network, j->net, &o->common));
    if (code == 0 && o->opts.model == (rwa_model)0)
        o->opts.model = rwa_network_model(j->net);
    THEN(fail_status(rwa_demands_open(&j->demands, demands, j->net, o->opts.model, o->opts.seed, &err), &err, 0));
    THEN(apply_width(j, o));
    THEN(apply_grid(j, o));
    THEN(read_nodes(&j->avoid, &o->opts.forbidden_count, j->net, "avoid", o->avoid));
    THEN(read_nodes(&j->converters, &o->opts.converter_count, j->net, "converters", o->converters));
    THEN(plant_open(&o->plant, 0, 0));
    o->opts.transmission = o->plant.transmission;
    o->opts.forbidden = j->avoid;
    o->opts.converters = j->converters;
    o->programs.struct_size = sizeof o->programs;
    o->opts.programs = o->programs.path != NULL ? &o->programs : NULL;
    SHOW_PROGRESS(&o->opts, &o->common);
    return code;
}

/* Options without effect on the routing and the demands that were chosen. */
static int check_options(const assign_options *o)
{
    const char *routing = o->opts.routing, *demands = o->demands;
    int code = 0;
    if (o->network.spec == NULL)
        return fail(EXIT_BAD_INPUT, "no network given, expected for example: rwa assign --network nsfnet14-21");
    if ((o->output.format == AS_CSV || o->output.format == AS_TABLE) && report_stream(&o->output) == stderr)
        return fail(EXIT_BAD_INPUT, "--format %s and -o - both write to standard output, expected one of them",
                    o->output.format == AS_CSV ? "csv" : "table");
    if (o->opts.objective != RWA_FEWEST_WAVELENGTHS && o->opts.wavelengths == 0 && o->slots == 0)
        return fail(EXIT_BAD_INPUT, "--objective %s needs --wavelengths W or --slots S",
                    o->opts.objective == RWA_MOST_TRAFFIC ? "traffic" : "demands");
    if (routing != NULL && strcmp(routing, "shortest") == 0)
        code = refuse_given(&o->common, NAMES("paths"), "--routing shortest tries one route for each demand, expected another routing");
    int counted = demands == NULL || strcmp(demands, "all-to-all") == 0 || strncmp(demands, "random:", 7) == 0;
    if (code == 0 && counted && o->plant.device == NULL && o->plant.table == NULL)
        code = refuse_given(&o->common, NAMES("rate"), "is for demands in bit/s, expected --demands FILE with such");
    return code;
}

/* The best found within a limit is an answer when it serves all that was asked for. */
static int code_of(const assign_options *o, const rwa_assign_report *s)
{
    if (!s->check->ok)
        return EXIT_MACHINE;
    if (s->routed == s->lightpaths || (o->opts.objective != RWA_FEWEST_WAVELENGTHS && s->outcome != RWA_UNDECIDED))
        return EXIT_YES;
    return s->outcome == RWA_UNDECIDED ? EXIT_STOPPED : EXIT_NO;
}

static int answer(assign_options *o, const rwa_assign_result *r)
{
    const rwa_assign_report *s = rwa_assign_result_summary(r);
    rwa_error err = {0};
    int code = o->plant.transmission != NULL ? plant_count(&o->usage, &o->plant, r) : 0;
    if (code != 0)
        return code;
    if (o->output.file != NULL && s->check->ok)
        code = fail_status(rwa_assign_result_write(r, o->output.file, &err), &err, 1);
    if (code == 0 && o->output.format == AS_JSON)
        code = json_print(report_stream(&o->output), report(o, r));
    else if (code == 0 && o->output.format != AS_TEXT)
        code = fail_status(rwa_assign_result_export(r, o->output.format == AS_CSV ? "csv" : "table", "-", NULL, &err), &err, 1);
    else if (code == 0)
        print_report(report_stream(&o->output), o, r);
    return code != 0 ? code : finish(code_of(o, s));
}

static int run(void *options)
{
    assign_options *o = options;
    job j = {NULL, NULL, NULL, NULL, NULL};
    rwa_error err = {0};
    int code = check_options(o);
    THEN(open_job(&j, o));
    if (code == 0) {
        rwa_status status = rwa_assign(&j.result, j.net, j.demands, &o->opts, &err);
        progress_clear();
        code = status == RWA_OK ? answer(o, j.result) : fail_status(status, &err, 0);
    }
    rwa_assign_result_free(j.result);
    rwa_demands_free(j.demands);
    rwa_network_free(j.net);
    free(j.avoid);
    free(j.converters);
    free(o->usage.lightpaths);
    plant_close(&o->plant);
    return code;
}

static void solvers_help(void)
{
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, stdout);
    fprintf(to, "\nSolvers:\n");
    for (size_t i = 0; rwa_assign_solver_name(i) != NULL; i++)
        fprintf(to, "  %-20s %s\n", rwa_assign_solver_name(i), rwa_assign_solver_summary(i));
    wrap_close(&wrapped, 23, WRAP_PROSE);
}

const command command_assign = {
    "assign", "routes and wavelengths for demands on any network",
    "rwa assign --network SPEC|FILE [options]\n\n"
    "Gives every demand a route, a fibre and a wavelength, checks the answer, and gives a lower bound with a witness.  "
    "Networks and demands come from files too: GraphML, GML, SNDlib, GNPy, JSON, CSV (docs/networks.md).\n"
    "Exit 1: the given wavelengths cannot serve the demands; the answer names what would help.\n\n"
    "Examples:\n"
    "  rwa assign --network nsfnet14-21 -o assignment.jsonl\n"
    "  rwa assign --network net.graphml --demands demands.csv -w 8 --format json\n"
    "  rwa assign --network nsfnet14-21 --wavelengths 4 --objective demands\n"
    "  rwa assign --network nsfnet14-21 --format table\n",
    groups, sizeof(assign_options), 0, run, solvers_help};
