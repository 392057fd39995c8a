/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Figures of the paper on passive stars: steps, tunings and lower bounds. */
#include "paper/paper.h"

#include "scheme/scheme.h"

/** The number behind NAME= in a variant such as "m=128 h=1". */
static uint32_t number(const char *variant, char name, uint32_t otherwise)
{
    for (const char *p = variant; *p; p++)
        if (p[0] == name && p[1] == '=' && (p == variant || p[-1] == ' '))
            return (uint32_t)strtoul(p + 2, NULL, 10);
    return otherwise;
}

/** A cell's network, collective and options. */
struct on_star {
    rwa_network *net;
    rwa_collective coll;
    rwa_plan_options opts;
};

static rwa_status set_up(struct on_star *h, struct reproduction *r, const struct cell *c)
{
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.ports = c->ports;
    o.tuning = c->tuning;
    o.wavelengths = c->wavelengths;
    rwa_plan_options_init(&h->opts);
    h->opts.scheme = c->scheme;
    h->opts.split_steps = number(c->variant, 'h', RWA_SPLIT_BEST);
    h->opts.poll = h->opts.solving.poll = r->opts->poll;
    h->opts.poll_data = h->opts.solving.poll_data = r->opts->poll_data;
    MUST(rwa_network_create(&h->net, RWA_STAR, c->nodes, &o, r->err));
    return rwa_collective_init(&h->coll, (rwa_collective_kind)rwa_collective_find(c->collective), c->nodes, 0, 1 << 20,
                               number(c->variant, 'm', 0), r->err);
}

static void ask_formula(rwa_formula *f, const struct on_star *h)
{
    struct parameters parameters = {0};
    struct plan_request request = {.net = h->net, .coll = &h->coll, .opts = &h->opts, .parameters = &parameters};
    memset(f, 0, sizeof *f);
    request.scheme = schemes[base_find_name(rwa_scheme_name, h->opts.scheme)];
    if (request.scheme->formula)
        request.scheme->formula(f, &request);
}

static rwa_status bound_row(rwa_paper_row *row, struct reproduction *r, const struct on_star *h)
{
    rwa_bound bound;
    MUST(rwa_bound_best(&bound, h->net, &h->coll, NULL, r->err));
    row->formula = (double)bound.value;
    snprintf(row->formula_name, sizeof row->formula_name, "lower bound: %s", bound.name);
    return RWA_OK;
}

static rwa_status plan_row(rwa_paper_row *row, struct reproduction *r, const struct on_star *h, bool tunings)
{
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    if (!r->opts->schedules)
        return RWA_OK;
    TRY(rwa_plan_make(&plan, h->net, &h->coll, &h->opts, r->err));
    const rwa_plan_report *s = rwa_plan_summary(plan);
    if (s->outcome != RWA_INFEASIBLE)
        row->schedule = tunings ? (double)s->check->tunings : (double)s->steps;
done:
    rwa_plan_free(plan);
    return st;
}

rwa_status paper_star(rwa_paper_row *row, struct reproduction *r, const struct cell *c)
{
    struct on_star h = {0};
    bool tunings = strcmp(c->quantity, "star-tunings") == 0;
    rwa_formula f;
    rwa_status st = RWA_OK;
    TRY(set_up(&h, r, c));
    if (strcmp(c->quantity, "star-bound") == 0) {
        TRY(bound_row(row, r, &h));
        goto done;
    }
    ask_formula(&f, &h);
    if (f.known) {
        row->formula = tunings ? (double)f.tunings : (double)f.steps;
        snprintf(row->formula_name, sizeof row->formula_name, "%s", f.source);
    }
    TRY(plan_row(row, r, &h, tunings));
done:
    rwa_network_free(h.net);
    return st;
}
