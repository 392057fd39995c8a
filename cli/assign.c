/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fold.h"
#include "print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What an assignment is made of; borrowed by its options while it is made. */
typedef struct job {
    rwa_network *net;
    rwa_demands *demands;
    rwa_assign_result *result;
    uint32_t *avoid, *converters;
} job;

/* Links as people count them: fibre pairs, or directed links. */
static uint32_t count_links(const rwa_assign_result *r)
{
    const rwa_network *net = rwa_assign_result_network(r);
    return rwa_assign_result_model(r) == RWA_UNDIRECTED ? rwa_network_pairs(net) : rwa_network_directed_links(net);
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
            json_array_append_new(all, json_pack("[o, o, o]", json_count(link.from), json_count(link.to),
                                                 json_count(c->lengths[i])));
    }
    return all;
}

static json_t *numbers(const uint64_t *list, size_t count)
{
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(all, json_count(list[i]));
    return all;
}

static json_t *witness(const rwa_assign_result *r, const rwa_certificate *c)
{
    rwa_link link;
    switch (c->kind) {
    case RWA_WITNESS_NONE:
        break;
    case RWA_WITNESS_LENGTHS:
        return json_pack("{s:s, s:o}", "kind", "lengths", "links", lengths(r, c));
    case RWA_WITNESS_LINK:
        link = link_at(r, c->link);
        return json_pack("{s:s, s:[o, o], s:o}", "kind", "link", "link", json_count(link.from), json_count(link.to), "routes",
                         numbers(c->routes, c->route_count));
    case RWA_WITNESS_CLIQUE:
        return json_pack("{s:s, s:o}", "kind", "clique", "routes", numbers(c->routes, c->route_count));
    case RWA_WITNESS_FORMULA:
        return json_pack("{s:s, s:s}", "kind", "formula", "source", c->source != NULL ? c->source : "");
    case RWA_WITNESS_SEARCH:
        return json_pack("{s:s}", "kind", "search");
    }
    return json_null();
}

static json_t *bound(const rwa_assign_result *r, const rwa_certificate *c)
{
    if (c->name == NULL)
        return json_null();
    rwa_verdict verified = rwa_assign_result_summary(r)->check.bound_verdict;
    return json_pack("{s:s, s:o, s:b, s:s, s:o, s:o}", "name", c->name, "value", json_count(c->value), "fixed_routes",
                     c->fixed_routes, "source", c->source != NULL ? c->source : "", "verified",
                     verified == RWA_UNCHECKED ? json_null() : json_boolean(verified == RWA_PASS), "witness", witness(r, c));
}

/* [{"demand": .., "change": .., and where}, ...] */
static json_t *remedies(const rwa_assign_result *r)
{
    json_t *all = json_array();
    const rwa_remedy *list = NULL;
    size_t count = rwa_assign_result_remedies(r, &list);
    for (size_t i = 0; i < count; i++) {
        json_t *one = json_pack("{s:o, s:s}", "demand", json_count(list[i].demand), "change", rwa_change_name(list[i].change));
        if (list[i].change == RWA_CHANGE_FIBER) {
            rwa_link link = link_at(r, list[i].where);
            json_object_set_new(one, "link", json_pack("[o, o]", json_count(link.from), json_count(link.to)));
        } else {
            int is_count = list[i].change == RWA_CHANGE_WAVELENGTH || list[i].change == RWA_CHANGE_HOPS;
            json_object_set_new(one, is_count ? "value" : "node", json_count(list[i].where));
        }
        json_array_append_new(all, one);
    }
    return all;
}

static const char *verdict(const rwa_check *c)
{
    return c->ok ? "ok" : c->named > 0 ? c->first[0].text : "violations";
}

static json_t *report(const rwa_assign_result *r)
{
    const rwa_assign_summary *s = rwa_assign_result_summary(r);
    const rwa_network *net = rwa_assign_result_network(r);
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:s}", "model",
                     rwa_model_name(rwa_assign_result_model(r)), "nodes", json_count(rwa_network_nodes(net)), "links",
                     json_count(count_links(r)), "demands", json_count(s->lightpaths), "routed", json_count(s->routed),
                     "wavelengths", json_count(s->wavelengths), "bound", bound(r, &s->bound), "optimal",
                     s->outcome == RWA_OPTIMAL, "outcome", rwa_outcome_text(s->outcome), "routing",
                     s->routing != NULL ? s->routing : "", "solver", s->solver != NULL ? s->solver : "", "why", s->why,
                     "extra_wavelengths", s->extra_wavelengths > 0 ? json_count(s->extra_wavelengths) : json_null(),
                     "remedies", remedies(r), "longest_hops", json_count(s->check.longest_hops), "seconds",
                     json_figure(s->seconds), "check", verdict(&s->check));
}

/* ---- text ---- */

static void print_bound(FILE *to, const rwa_assign_summary *s)
{
    const rwa_certificate *c = &s->bound;
    if (c->name == NULL)
        return;
    fprintf(to, "Bound             %" PRIu64 " (%s%s)%s\n", c->value, c->name, c->fixed_routes ? ", for these routes" : "",
            s->outcome == RWA_OPTIMAL ? ": this is optimal" : "");
}

/* Up to so many demands that got nothing are named. */
enum { NAMED = 10 };

static void print_unserved(FILE *to, const rwa_assign_result *r)
{
    uint64_t seen = 0;
    for (uint64_t i = 0; i < rwa_assign_result_routes(r); i++) {
        rwa_route route;
        rwa_assign_result_get(r, i, &route);
        if (route.hops > 0 || seen++ >= NAMED)
            continue;
        const rwa_demand *d = &rwa_demands_list(rwa_assign_result_demands(r))[route.demand];
        fprintf(to, "  not served: demand %zu, %" PRIu32 " to %" PRIu32 "%s%s\n", route.demand, d->src, d->dst,
                *route.why ? ": " : "", route.why);
    }
    if (seen > NAMED)
        fprintf(to, "  ... and %" PRIu64 " more\n", seen - NAMED);
}

static void text(FILE *where, const options *o, const rwa_assign_result *r)
{
    fold folded;
    FILE *to = fold_open(&folded, where);
    const rwa_assign_summary *s = rwa_assign_result_summary(r);
    const rwa_network *net = rwa_assign_result_network(r);
    fprintf(to, "Network           %s, %" PRIu32 " nodes, %" PRIu32 " %s, %s model\n", o->network, rwa_network_nodes(net),
            count_links(r), rwa_assign_result_model(r) == RWA_UNDIRECTED ? "fibre pairs" : "directed links",
            rwa_model_name(rwa_assign_result_model(r)));
    fprintf(to, "Lightpaths        %" PRIu64 " of %" PRIu64 " routed, the longest of %" PRIu32 " hop%s\n", s->routed,
            s->lightpaths, s->check.longest_hops, s->check.longest_hops == 1 ? "" : "s");
    if (o->assign.protection)
        fprintf(to, "Protection        each has a second one apart from it\n");
    fprintf(to, "Wavelengths       %" PRIu32 "\n", s->wavelengths);
    print_bound(to, s);
    fprintf(to, "Outcome           %s\n", rwa_outcome_text(s->outcome));
    if (s->why[0] != '\0')
        fprintf(to, "  %s\n", s->why);
    print_unserved(to, r);
    fprintf(to, "Found by          %s over %s routes in ", s->solver != NULL ? s->solver : "-",
            s->routing != NULL ? s->routing : "-");
    print_time(to, s->seconds);
    fprintf(to, "\nCheck             %s\n", verdict(&s->check));
    print_violations(to, &s->check);
    if (o->output != NULL && strcmp(o->output, "-") != 0 && s->check.ok)
        fprintf(to, "Written           %s\n", o->output);
    fold_close(&folded, -1, 0);
}

/* ---- the command ---- */

/* Names or numbers with commas; a name with a comma in it stands in quotes. */
static int read_nodes(uint32_t **nodes, size_t *count, const rwa_network *net, const char *option, const char *list)
{
    char name[256];
    *count = 0;
    *nodes = NULL;
    if (list == NULL)
        return 0;
    *nodes = calloc(strlen(list) + 1, sizeof **nodes);
    if (*nodes == NULL)
        return fail(EXIT_MACHINE, "out of memory");
    for (const char *p = list; ; p++) {
        int quoted = *p == '"';
        size_t length = quoted ? strcspn(++p, "\"") : strcspn(p, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), p);
        uint32_t node = rwa_network_find_node(net, name);
        if (node == RWA_NO_NODE)
            return fail(EXIT_BAD_INPUT, "--%s: no node \"%s\", expected names or numbers of nodes with commas", option, name);
        (*nodes)[(*count)++] = node;
        p += length;
        if (quoted && *p == '"')
            p++;
        if (*p == '\0')
            return 0;
    }
}

static int open_job(job *j, options *o)
{
    rwa_error err = {0};
    rwa_status status = rwa_network_open(&j->net, o->network, &o->net, &err);
    if (status != RWA_OK)
        return fail_status(status, &err, 0);
    int code = refuse_fibers(o, j->net);
    if (code != 0)
        return code;
    if (o->assign.model == (rwa_model)0)
        o->assign.model = rwa_network_model(j->net);
    status = rwa_demands_open(&j->demands, o->demands != NULL ? o->demands : "all-to-all", j->net, o->assign.model,
                              o->plan.seed, &err);
    if (status != RWA_OK)
        return fail_status(status, &err, 0);
    code = read_nodes(&j->avoid, &o->assign.forbidden_count, j->net, "avoid", o->avoid);
    if (code == 0)
        code = read_nodes(&j->converters, &o->assign.converter_count, j->net, "converters", o->converters);
    o->assign.forbidden = j->avoid;
    o->assign.converters = j->converters;
    return code;
}

/* What the routing and the demands that were chosen have no use for. */
static int check_options(const options *o)
{
    const char *routing = o->assign.routing, *demands = o->demands;
    if (routing != NULL && strcmp(routing, "shortest") == 0 && option_given(o, "paths"))
        return refuse_given(o, NAMES("paths"), "--routing shortest tries one route for each demand, expected another routing");
    if (demands == NULL || strcmp(demands, "all-to-all") == 0 || strncmp(demands, "random:", 7) == 0)
        return refuse_given(o, NAMES("rate"), "is for demands in bit/s, expected --demands FILE with such");
    return 0;
}

static void take_limits(options *o)
{
    o->assign.wavelengths = option_given(o, "wavelengths") ? o->net.wavelengths : 0;
    o->assign.max_hops = o->plan.max_hops;
    o->assign.time_limit_s = o->plan.time_limit_s;
    o->assign.seed = o->plan.seed;
    o->assign.poll = poll_progress;
    o->assign.poll_data = o;
}

/* The best found within a limit is an answer when it serves what was asked for. */
static int code_of(const options *o, const rwa_assign_summary *s)
{
    if (!s->check.ok)
        return EXIT_MACHINE;
    if (s->routed == s->lightpaths || (o->assign.objective == RWA_MOST_DEMANDS && s->outcome != RWA_UNDECIDED))
        return EXIT_YES;
    return s->outcome == RWA_UNDECIDED ? EXIT_STOPPED : EXIT_NO;
}

static int answer(const options *o, const rwa_assign_result *r)
{
    const rwa_assign_summary *s = rwa_assign_result_summary(r);
    FILE *to = o->output != NULL && strcmp(o->output, "-") == 0 ? stderr : stdout;
    rwa_error err = {0};
    if (o->output != NULL && s->check.ok) {
        rwa_status status = rwa_assign_result_write(r, o->output, &err);
        if (status != RWA_OK)
            return fail_status(status, &err, 1);
    }
    int code = 0;
    if (o->json)
        code = json_print(to, report(r));
    else
        text(to, o, r);
    return code != 0 ? code : finish(code_of(o, s));
}

int command_assign(options *o)
{
    job j = {NULL, NULL, NULL, NULL, NULL};
    rwa_error err = {0};
    if (o->network == NULL)
        return fail(EXIT_BAD_INPUT, "no network given, expected for example: rwa assign --network nsfnet14-21");
    if (o->assign.objective == RWA_MOST_DEMANDS && !option_given(o, "wavelengths"))
        return fail(EXIT_BAD_INPUT, "--objective demands needs --wavelengths W");
    int code = check_options(o);
    if (code == 0)
        code = open_job(&j, o);
    if (code == 0) {
        take_limits(o);
        rwa_status status = rwa_assign(&j.result, j.net, j.demands, &o->assign, &err);
        progress_clear();
        code = status == RWA_OK ? answer(o, j.result) : fail_status(status, &err, 0);
    }
    rwa_assign_result_free(j.result);
    rwa_demands_free(j.demands);
    rwa_network_free(j.net);
    free(j.avoid);
    free(j.converters);
    return code;
}
