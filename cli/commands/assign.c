/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plant.h"
#include "commands.h"

static const char *demand_set = "all-to-all", *avoid, *converters;
static uint32_t width;
static int solvers;
static rwa_assignment_options opts;
static name_list compared;

static const option own_options[] = {
    {"demands", "SET|FILE", "all-to-all, random:COUNT, or a file (all-to-all)", IS_TEXT(demand_set)},
    {"model", "MODEL", "undirected: one lightpath serves a pair both ways; or directed (as the network is)",
     IS_CHOICE(opts.model, RWA_DIRECTED, "directed", "undirected")},
    {"wavelengths", "W", "of each fibre (the fewest possible, whatever the file says)",
     IS_COUNT(opts.wavelengths, 1, RWA_CHANNELS_MAX)},
    {"width", "N", "neighbouring slots of each demand, unless a file gives them (1)",
     IS_COUNT(width, 1, RWA_CHANNELS_MAX)},
    {"guard", "G", "slots kept free above each lightpath (0)", IS_COUNT(opts.guard, 0, RWA_CHANNELS_MAX)},
    {"objective", "WHAT",
     "wavelengths: serve all; or with W or S as many as possible: demands, or traffic (slots) (wavelengths)",
     IS_CHOICE(opts.objective, RWA_FEWEST_WAVELENGTHS, "wavelengths", "demands", "traffic")},
    {"rate", "RATE", "bit/s of one wavelength, for demands in bit/s and formats (40G)", IS_RATE(target.opts.rate_bps)},
    {"routing", "NAME",
     "shortest, k-shortest, min-load or auto: all of these with the solvers auto and exact, k-shortest with best-fit "
     "or --paths above 1, else shortest (auto)",
     IS_CHOICE(opts.routing, RWA_ROUTES_AUTO, "auto", "shortest", "k-shortest", "min-load")},
    {"paths", "K", "routes tried for each demand (chosen)", IS_COUNT(opts.paths, 1, 1u << 16)},
    {"max-hops", "H", "no route longer than H links", IS_COUNT(opts.max_hops, 1, RWA_NODES_MAX)},
    {"avoid", "NODES", "nodes that no route passes, with commas", IS_TEXT(avoid), .field = "forbidden"},
    {"converters", "NODES", "nodes that can change a lightpath's wavelength, with commas", IS_TEXT(converters)},
    {"protection", NULL,
     "1+1: a second, disjoint lightpath for each, on channels of its own (shared ones: rwa traffic)",
     IS_FLAG(opts.protection)},
    {"solver", "NAME", "one that --solvers lists, or auto (auto)",
     IS_NAME_OR_AUTO(opts.solver, rwa_assignment_solver_name)},
    {"compare", "LIST",
     "a table of these solvers, all on the same routes: the --paths K shortest, unless --routing gives others",
     IS_NAME_LIST(compared, NULL, rwa_assignment_solver_name)},
    {"solvers", NULL, "list the solvers", IS_FLAG(solvers)},
    {"time-limit", "SECONDS", "keep the best answer so far; 0: no limit (10)", IS_LIMIT(opts.time_limit_s)},
    {"seed", "N", "of random demands and of the search (1)", IS_NUMBER(opts.seed, 0, UINT64_MAX)},
    {"format", "FORMAT", "text, json, or the routes as csv or table (text)",
     IS_CHOICE(output.format, AS_TEXT, "text", "json", "csv", "table")},
    {"output", "FILE", "write the assignment; .gz compresses, - is standard output", IS_FILE(output.file)},
    {0}};

static void init(void)
{
    rwa_assignment_options_init(&opts);
}

/* The demands, and the answers to them, one or, with --compare, that of each solver. */
static rwa_demands *demands;
static rwa_assignment *answers[LIST_MAX];
static const rwa_assignment *result;        /* the one that is looked at, its report and its network */
static const rwa_assignment_report *s;
static const rwa_network *net;
static uint32_t *avoided, *converting;

static void look_at(size_t i)
{
    result = answers[i];
    s = rwa_assignment_summary(result);
    net = rwa_assignment_network(result);
}

static int is_undirected(void)
{
    return rwa_assignment_model(result) == RWA_UNDIRECTED;
}

/* Return link i of the network, from 0: a directed link or, if demands are undirected, the first directed link of fibre
 * pair i. */
static rwa_link link_at(uint32_t i)
{
    if (!is_undirected() || rwa_network_pair(net, i) == i)
        return rwa_network_link(net, i);    /* ring and line: clockwise links are the pairs */
    return rwa_network_link(net, 2 * i);
}

/* ---- modulation formats ---- */

/* The formats of the lightpaths. */
static struct {
    uint64_t *lightpaths;           /* of each format of the table */
    double least_margin_db;         /* NaN without a profile or without lightpaths */
} usage = {.least_margin_db = NAN};

static uint32_t *links;     /* of a route, which passes no node twice */

/* Choose the modulation format of lightpath i as the solver did, and add the lightpath to `usage`.  Return 0, or the
 * exit code after an error message. */
static int count_format(uint64_t i)
{
    const double *rates = rwa_demands_rates(rwa_assignment_demands(result));
    int flexible = rwa_network_slot_hz(net) > 0;
    rwa_modulation_choice c;
    rwa_route route;
    rwa_assignment_get(&route, result, i);
    if (route.hops == 0)
        return 0;
    double rate_bps = flexible && rates && rates[route.demand] > 0 ? rates[route.demand] : rwa_network_rate_bps(net);
    for (uint32_t k = 0; k < route.hops; k++)
        links[k] = rwa_assignment_link(result, i, k);
    MUST(CALL(rwa_transmission_choose_route, &c, plant.transmission, net, links, route.hops, rate_bps,
              flexible ? 0 : rwa_transmission_channel_slots(plant.transmission)));
    if (c.modulation == RWA_NONE)
        return 0;
    usage.lightpaths[c.modulation]++;
    usage.least_margin_db = fmin(usage.least_margin_db, c.margin_db);
    return 0;
}

/* Set `usage` to the number of lightpaths of each modulation format.  Return 0 or the exit code. */
static int count_formats(void)
{
    MUST(NEW(usage.lightpaths, formats()));
    MUST(NEW(links, rwa_network_nodes(net)));
    for (uint64_t i = 0; i < rwa_assignment_count(result); i++)
        MUST(count_format(i));
    return 0;
}

static void say_usage(void)
{
    const char *before = "";
    say("Formats           ");
    for (size_t i = 0; i < formats(); i++)
        if (usage.lightpaths[i] > 0) {
            say("%s%s for %" PRIu64, before, format_at(i).name, usage.lightpaths[i]);
            before = ", ";
        }
    if (!*before)
        say("none");
    if (isfinite(usage.least_margin_db))
        say("; least margin %.2f dB if every channel were lit", usage.least_margin_db);
    say("\n");
}

static json_t *format_json(size_t i)
{
    uint64_t lightpaths = usage.lightpaths[i];
    return lightpaths > 0 ? JSON("modulation:s lightpaths:U", format_at(i).name, lightpaths) : NULL;
}

static json_t *usage_json(void)
{
    return JSON("device:s modulations:s formats:o least_margin_db:f",
                plant.profile ? rwa_fiber_profile_name(plant.profile) : NULL,
                rwa_modulations_name(plant.modulations), json_list(formats(), format_json), usage.least_margin_db);
}

/* ---- JSON ---- */

static json_t *link_json(uint32_t i)
{
    rwa_link link = link_at(i);
    return JSON_COUNTS(link.from, link.to);
}

/* Return as JSON the length that the certificate, the proof of the bound, gives link i, [from, to, length]; NULL if it
 * is 0. */
static json_t *length_json(size_t i)
{
    rwa_link link = link_at((uint32_t)i);
    return s->bound.lengths[i] > 0 ? JSON_COUNTS(link.from, link.to, s->bound.lengths[i]) : NULL;
}

/* Return odd set i of the certificate, the proof of the bound, as JSON: {"weight": .., "nodes": [..]}. */
static json_t *odd_set_json(size_t i)
{
    json_t *nodes = json_array();
    for (size_t k = 0; k < s->odd_sets[i].count; k++)
        json_array_append_new(nodes, json_count(s->odd_sets[i].nodes[k]));
    return JSON("weight:u nodes:o", s->odd_sets[i].weight, nodes);
}

static json_t *witness(const rwa_certificate *c)
{
    switch (c->kind) {
    case RWA_WITNESS_NONE:
        break;
    case RWA_WITNESS_LENGTHS:
        return JSON("kind:s links:o", "lengths", json_list(c->length_count, length_json));
    case RWA_WITNESS_ODD_CUTS:
        return JSON("kind:s links:o sets:o", "odd-cuts", json_list(c->length_count, length_json),
                    json_list(s->odd_set_count, odd_set_json));
    case RWA_WITNESS_LINK:
        return JSON("kind:s link:o routes:o", "link", link_json(c->link), json_counts(c->routes, c->route_count));
    case RWA_WITNESS_CLIQUE:
        return JSON("kind:s routes:o", "clique", json_counts(c->routes, c->route_count));
    case RWA_WITNESS_SEARCH:
        return JSON("kind:s", "search");
    }
    return json_null();
}

static json_t *bound(const rwa_certificate *c)
{
    if (!c->name)
        return json_null();
    return JSON("name:s value:U fixed_routes:b source:s verified:v proof:s witness:o", c->name, c->value,
                c->fixed_routes, c->source ? c->source : "", s->check->bound_verdict, s->check->bound_proof,
                witness(c));
}

static const rwa_remedy *remedies;      /* of the result */

/* Return remedy i as JSON: {"demand": .., "change": .., and a link, node or value}.  A remedy is a change that would
 * serve a demand. */
static json_t *remedy_json(size_t i)
{
    const rwa_remedy *r = &remedies[i];
    json_t *one = JSON("demand:z change:s", r->demand, rwa_remedy_name(r->kind));
    if (r->kind == RWA_REMEDY_FIBER)
        return json_add(one, "link:o", link_json(r->where));
    return json_add(one, r->kind == RWA_REMEDY_WAVELENGTHS || r->kind == RWA_REMEDY_HOPS ? "value:u" : "node:u",
                    r->where);
}

/* The slots of the signals that are served, and of all that are requested. */
static uint64_t served, asked;

static void sum_slots(void)
{
    served = asked = 0;
    for (uint64_t i = 0; i < rwa_assignment_count(result); i++) {
        rwa_route route;
        rwa_assignment_get(&route, result, i);
        uint32_t slots = route.role == RWA_WORKING ? rwa_assignment_width(result, i) : 0;
        asked += slots;
        served += route.hops > 0 ? slots : 0;
    }
}

static json_t *report(void)
{
    json_t *all =
        JSON("model:s nodes:u links:u demands:U routed:U wavelengths:u bound:o optimal:b outcome:s",
             rwa_model_name(rwa_assignment_model(result)), rwa_network_nodes(net),
             model_links(net, rwa_assignment_model(result)), s->lightpaths, s->routed, s->wavelengths,
             bound(&s->bound), s->outcome == RWA_OPTIMAL, rwa_outcome_text(s->outcome));
    if (rwa_network_slot_hz(net) > 0) {
        sum_slots();
        all = json_add(all, "slot_ghz:f guard:u slots_requested:U slots_served:U", rwa_network_slot_hz(net) / 1e9,
                       opts.guard, asked, served);
    }
    return json_add(
        all,
        "routes_offered:U program:s routing:s solver:s why:s extra_wavelengths:p remedies:o longest_hops:u seconds:f "
        "solver_seconds:f check:s fiber:o",
        s->routes_offered, s->program, rwa_assignment_routing_name(s->routing), s->solver ? s->solver : "",
        as_flags(s->why), s->extra_wavelengths,
        json_list(rwa_assignment_remedies(&remedies, result), remedy_json), s->check->longest_hops, s->seconds,
        s->solver_seconds, check_text(s->check), plant.transmission ? usage_json() : json_null());
}

/* ---- text ---- */

static void say_slots(void)
{
    sum_slots();
    say("Slots             %u of %g GHz\nTraffic           %" PRIu64 " of %" PRIu64 " slots served\n", s->wavelengths,
        rwa_network_slot_hz(net) / 1e9, served, asked);
}

/* Report whether an integer program was solved; nothing if it had no routes. */
static void say_program(void)
{
    if (s->program && s->routes_offered > 0)
        say("Integer program   %s%s\n", s->program,
            strcmp(s->program, "solved") == 0       ? ": no answer on these routes is better"
            : strcmp(s->program, "unfinished") == 0 ? " (time limit, or too large): its best answer so far"
                                                    : ": a greedy answer meets the bound, so none on these routes is "
                                                      "better");
}

/* Report the routing and how many routes it gave the solver; nothing if none were listed (closed forms, large traffic,
 * lines and rings).  With --compare, all solvers choose from the same. */
static void say_offer(void)
{
    if (s->routes_offered == s->lightpaths)
        say("Routes offered    1 for each lightpath, ");
    else if (s->routes_offered > 0)
        say("Routes offered    %" PRIu64 " for %s, ", s->routes_offered, counted(s->lightpaths, "lightpath"));
    if (s->routes_offered > 0)
        say("%s%s\n",
            s->routing == RWA_ROUTES_AUTO ? "found by the solver itself" : rwa_assignment_routing_name(s->routing),
            compared.count > 0 ? "; every solver chooses among the same" : "");
}

/* Report that auto used first-fit, since a search would have exceeded the time limit. */
static void say_fallback(void)
{
    if ((!opts.solver || strcmp(opts.solver, "auto") == 0) && s->solver && strcmp(s->solver, "first-fit") == 0)
        say("  auto would not keep the time limit of %g s; a longer --time-limit may find a better answer\n",
            opts.time_limit_s);
}

static void say_network(void)
{
    say("Network           %s, %u nodes, %u %s\n", target.spec, rwa_network_nodes(net),
        model_links(net, rwa_assignment_model(result)),
        is_undirected() ? "fibre pairs; lightpaths go both ways" : "directed links");
}

static void say_report(void)
{
    say_network();
    say("Lightpaths        %" PRIu64 " of %" PRIu64 " routed, the longest of %s\n", s->routed, s->lightpaths,
        counted(s->check->longest_hops, "hop"));
    if (opts.protection)
        say("Protection        each has a second, disjoint one\n");
    if (rwa_network_slot_hz(net) > 0)
        say_slots();
    else
        say("Wavelengths       %u\n", s->wavelengths);
    if (plant.transmission)
        say_usage();
    say_bound(s->check, s->bound.name);
    say("Outcome           %s%s\n", rwa_outcome_text(s->outcome),
        !s->bound.fixed_routes || s->wavelengths > s->bound.value || s->routed < s->lightpaths
            ? "" : "; optimal on these routes, others may need fewer");
    if (s->why[0])
        say("  %s\n", as_flags(s->why));
    say_unserved(result);
    say("Found by          %s in %s (routes and bound included): %s\n", s->solver, time_text(s->seconds),
        rwa_assignment_solver_summary((size_t)number_of(rwa_assignment_solver_name, s->solver)));
    say_fallback();
    say_offer();
    say_program();
    say("Check             %s", check_text(s->check));
    if (s->routed < s->lightpaths)
        say(", the %" PRIu64 " that are routed", s->routed);
    say("\n");
    say_violations(s->check, NULL);
    say_programs();
    if (s->check->ok)
        say_written();
}

/* ---- the command ---- */

/* Give all demands the width of --width; refuse it if the demands have widths of their own.  Return 0 or the exit
 * code. */
static int apply_width(void)
{
    static uint32_t *widths;
    static rwa_demands *narrow;
    size_t count = rwa_demands_count(demands);
    if (width == 0)
        return 0;
    if (rwa_demands_widths(demands))
        return BAD_INPUT("--width %u: %s gives the widths, expected no --width", width, demand_set);
    MUST(NEW(widths, count + 1));
    for (size_t d = 0; d < count; d++)
        widths[d] = width;
    narrow = demands;
    return CALL(rwa_demands_with_widths, &demands, narrow, widths);
}

/* Tell whether modulation formats are to be chosen, from a fibre profile or a table. */
static int has_formats(void)
{
    return plant.device || plant.table;
}

/* If lightpaths take several slots or have guards, open the network with a flexible grid unless it has one.  Refuse
 * --wavelengths with such a grid.  Return 0 or the exit code. */
static int apply_grid(void)
{
    double slot_hz = rwa_network_slot_hz(target.net);
    if (slot_hz > 0 && given("wavelengths"))
        return BAD_INPUT("--wavelengths: %s has slots, expected --slots", target.spec);
    if (slot_hz > 0 && opts.wavelengths == 0)
        opts.wavelengths = rwa_network_wavelengths(target.net);
    int by_rate = has_formats() && rwa_demands_rates(demands);
    if (slot_hz > 0 || (opts.guard == 0 && !rwa_demands_widths(demands) && !by_rate))
        return 0;
    if (given("wavelengths"))
        return BAD_INPUT(
            "--wavelengths: lightpaths of several slots, or with guards, need a flexible grid, expected --slots");
    rwa_network_free(target.net);
    target.opts.slot_hz = RWA_SLOT_HZ;
    return open_faulty();
}

static int prepare(void)
{
    MUST(open_faulty());
    if (opts.model == (rwa_model)0)
        opts.model = rwa_network_model(target.net);
    MUST(CALL(rwa_demands_open, &demands, demand_set, target.net, opts.model, opts.seed));
    MUST(apply_width());
    MUST(apply_grid());
    MUST(read_nodes(&avoided, &opts.forbidden_count, target.net, "avoid", avoid));
    MUST(read_nodes(&converting, &opts.converter_count, target.net, "converters", converters));
    MUST(plant_open(0));
    opts.transmission = plant.transmission;
    opts.forbidden = avoided;
    opts.converters = converting;
    opts.programs = programs_asked();
    SHOW_PROGRESS(opts);
    return 0;
}

/* Refuse a command without a network, and options that have no effect with the others or with the demands.  Return 0 or
 * the exit code. */
static int refuse_options(void)
{
    int has_no_rates = strcmp(demand_set, "all-to-all") == 0 || strncmp(demand_set, "random:", 7) == 0;
    if (!target.spec)
        return BAD_INPUT("no network given, expected for example: rwa assign --network nsfnet14-21");
    if ((output.format == AS_CSV || output.format == AS_TABLE) && report_stream() == stderr)
        return BAD_INPUT("--format %s and -o - both write to standard output, expected one of them",
                         output.format == AS_CSV ? "csv" : "table");
    if (opts.objective != RWA_FEWEST_WAVELENGTHS && opts.wavelengths == 0 && target.slots == 0)
        return BAD_INPUT("--objective %s needs --wavelengths W or --slots S",
                         opts.objective == RWA_MOST_TRAFFIC ? "traffic" : "demands");
    if (opts.routing == RWA_ROUTES_SHORTEST)
        MUST(refuse_given("paths", "--routing shortest tries one route for each demand, expected another routing"));
    if (has_no_rates && !has_formats())
        MUST(refuse_given("rate", "is for demands in bit/s, expected --demands FILE with such"));
    return 0;
}

/* Return the exit code of the answer.  EXIT_YES: all demands are served, or the objective is to serve as many as
 * possible and there is an answer.  Else EXIT_NO, EXIT_STOPPED if there was no answer in time, or EXIT_MACHINE if the
 * checker rejects the answer. */
static int verdict(void)
{
    if (!s->check->ok)
        return EXIT_MACHINE;
    if (s->routed == s->lightpaths || (opts.objective != RWA_FEWEST_WAVELENGTHS && s->outcome != RWA_UNDECIDED))
        return EXIT_YES;
    return s->outcome == RWA_UNDECIDED ? EXIT_STOPPED : EXIT_NO;
}

static int print_routes(void)
{
    return WRITE(rwa_assignment_export, result, output.format == AS_CSV ? "csv" : "table", "-", NULL);
}

static int answer(void)
{
    look_at(0);
    if (plant.transmission)
        MUST(count_formats());
    if (output.file && s->check->ok)
        MUST(WRITE(rwa_assignment_write, result, output.file));
    MUST(print_answer(say_report, report, print_routes));
    return verdict();
}

/* ---- --compare ---- */

/* The solvers that do not suit; they leave the list `compared`. */
static reason refusals[LIST_MAX];
static size_t refused;

static json_t *refusal_json(size_t i)
{
    return JSON("solver:s why:s", refusals[i].name, refusals[i].why);
}

static json_t *answer_json(size_t i)
{
    look_at(i);
    return report();
}

static json_t *comparison(void)
{
    return JSON("answers:o refused:o", json_list(compared.count, answer_json), json_list(refused, refusal_json));
}

/* Return whether the answer's number of wavelengths is proven optimal, as text for a column.  `least` is the highest
 * lower bound that holds for all routes; `fewest` the fewest wavelengths that any solver found. */
static const char *proven(uint64_t least, uint32_t fewest)
{
    if (s->outcome == RWA_OPTIMAL || (s->routed == s->lightpaths && s->wavelengths == least))
        return "yes, meets the bound";
    if (s->routed < s->lightpaths)
        return "no, not all served";
    if (s->bound.fixed_routes && s->wavelengths == s->bound.value)
        return "on these routes";
    return s->wavelengths > fewest ? "no" : "unknown";
}

static void say_comparison(void)
{
    size_t best = 0;
    uint64_t least = 0;
    uint32_t fewest = UINT32_MAX;
    for (size_t i = 0; i < compared.count; i++) {
        look_at(i);
        if (s->routed == s->lightpaths && s->wavelengths < fewest)
            fewest = s->wavelengths;
        if (!s->bound.fixed_routes && s->bound.value > least) {
            best = i;
            least = s->bound.value;
        }
    }
    say_network();
    say_offer();
    say("Time              of the solver alone, without finding routes and bound\n\n"
        "%-20s %6s %6s %11s  %-20s %8s\n",
        "solver", "served", "waves", "lower bound", "fewest?", "time");
    for (size_t i = 0; i < compared.count; i++) {
        look_at(i);
        uint64_t bound = least > 0 ? least : s->bound.value;
        say("%-20s %6" PRIu64 " %6u %11s  %-20s %8s\n", rwa_assignment_solver_name((size_t)compared.values[i]),
            s->routed, s->wavelengths, cell_text(bound), proven(least, fewest),
            time_text(s->solver_seconds));
    }
    for (size_t i = 0; i < refused; i++)
        say("%-20s %6s\n", refusals[i].name, "none*");
    say("\n");
    say_reasons("* no answer", refusals, refused);
    for (size_t i = 0; i < compared.count; i++) {
        look_at(i);
        say_program();
    }
    look_at(best);
    say_bound(s->check, s->bound.name);
}

/* Solve the problem by each solver of --compare, on the same routes, and report the answers in a table.  A solver that
 * does not suit gets a row with the reason.  Return EXIT_YES if an answer serves all demands, else EXIT_NO;
 * another exit code after a failure, such as that no solver suits. */
static int compare(void)
{
    int any_served = 0;
    size_t count = compared.count;
    MUST(refuse_given("solver output", "--compare shows no single answer, expected one of them"));
    if (output.format != AS_TEXT && output.format != AS_JSON)
        return BAD_INPUT("--compare: expected --format text or json");
    MUST(prepare());
    if (opts.routing == RWA_ROUTES_AUTO)
        opts.routing = RWA_ROUTES_K_SHORTEST;
    compared.count = 0;
    for (size_t i = 0; i < count; i++) {
        rwa_error *err = new_error();
        opts.solver = rwa_assignment_solver_name((size_t)compared.values[i]);
        rwa_status status = rwa_assignment_make(&answers[compared.count], target.net, demands, &opts, err);
        if (status == RWA_BADARG && compared.count + count - i > 1) {
            refusals[refused++] = reason_of(opts.solver, opts.solver, err->text);
            continue;
        }
        MUST(fail_call(status, 0));
        look_at(compared.count);
        compared.values[compared.count++] = compared.values[i];
        any_served |= s->routed == s->lightpaths;
        MUST(s->check->ok ? 0 : EXIT_MACHINE);
    }
    MUST(print_answer(say_comparison, comparison, NULL));
    return any_served ? EXIT_YES : EXIT_NO;
}

static int list_solvers(void)
{
    MUST(refuse_others("solvers", "--solvers lists all solvers, expected nothing else"));
    for (size_t i = 0; rwa_assignment_solver_name(i); i++)
        say("%-20s %s\n", rwa_assignment_solver_name(i), rwa_assignment_solver_summary(i));
    print_said(21, WRAP_PROSE);
    return EXIT_YES;
}

static int run(void)
{
    if (solvers)
        return list_solvers();
    MUST(refuse_options());
    if (compared.count > 0)
        return compare();
    MUST(prepare());
    MUST(CALL(rwa_assignment_make, &answers[0], target.net, demands, &opts));
    return answer();
}

const command command_assign = {
    "assign", "routing and wavelength assignment for demands on any network",
    "rwa assign --network SPEC|FILE [options]\n"
    "       rwa assign --solvers\n\n"
    "Routing and wavelength assignment (RWA): gives every demand a route, a fibre and a wavelength, checks the answer, "
    "and proves a lower bound by a witness.  "
    "Networks and demands come from files too: GraphML, GML, SNDlib, GNPy, JSON, CSV (docs/guide/networks.md).\n"
    "Exit 1: the given wavelengths cannot serve the demands; the answer names what would help.\n\n"
    "Examples:\n"
    "  rwa assign --network nsfnet14-21 -o assignment.jsonl\n"
    "  rwa assign --network net.graphml --demands demands.csv -w 8 --format json\n"
    "  rwa assign --network nsfnet14-21 --wavelengths 4 --objective demands\n"
    "  rwa assign --network nsfnet14-21 --compare first-fit,best-fit,exact --paths 3\n"
    "  rwa assign --network nsfnet14-21 --format table\n",
    TABLES(graph_options, own_options, program_options, plant_options, modulation_options), 0, run, init};
