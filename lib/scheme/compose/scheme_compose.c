/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scheme "compose": a collective as a sequence of exchanges of aggregated blocks, by the quickest term or by the one
 * asked for ("compose:TERM"). */
#include "scheme/compose/compose.h"

static rwa_status read_term(struct composition *out, const struct composing *c, const char *text, rwa_error *err)
{
    rwa_status st = composition_parse(out, text, err);
    return st != RWA_OK || composition_suits(out, c) ? st : composition_refuse(c->request, text, err);
}

/** Tell whether a plan takes minutes even if only one term is tried: on rings and lines of many nodes, except for a
 * scatter. */
static bool is_too_large(const struct plan_request *request)
{
    enum { RING_NODES = 8192 };
    bool rooted = request->coll->kind == RWA_SCATTER;
    return request->coll->nodes > RING_NODES && !rooted && network_has_arcs(request->net);
}

/** Return, in words, the option or size that a composition does not support; NULL: it supports all. */
static const char *limit_of(const struct plan_request *request)
{
    if (is_too_large(request))
        return "more than 8192 nodes except in scatter and gather; auto does";
    return scheme_limit_of_paths(request);
}

static rwa_status estimate_compose(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    const char *asked = term_asked(request);
    struct composing c;
    struct composition given;
    struct found found;
    rwa_status st = RWA_OK;
    if (limit_of(request))
        return RWA_OK;
    TRY(composing_open(&c, request, err));
    if (asked)
        TRY(read_term(&given, &c, asked, err));
    TRY(compose_search(&found, &c, asked ? &given : NULL));
    given = found.composition;
    if (composing_divide(&c, &given))
        TRY(compose_search(&found, &c, &given));
    if (found.composition.nodes == 0) {
        *out = scheme_no_estimate(request);
        goto done;
    }
    composition_print(out->set[0].term, &found.composition);
    for (out->sets = 1; out->sets < PARAMETER_SETS && found.other[out->sets - 1].nodes > 0; out->sets++)
        composition_print(out->set[out->sets].term, &found.other[out->sets - 1]);
    out->blocks = c.units * found.scale;
    out->records = found.lightpaths;
    out->periodic = found.alike;
    out->least_s = found.least_s;
done:
    composing_close(&c);
    return st;
}

static rwa_status push_exchanges(struct schedule_sink *sink, const struct program *p,
                                 const struct plan_request *request)
{
    rwa_status st = RWA_OK;
    for (size_t s = 0; s < p->steps && st == RWA_OK && request->why[0] == '\0'; s++)
        st = sink_exchange(sink, &p->step[s]);
    return st;
}

static rwa_status plan_compose(struct schedule_sink *sink, const struct plan_request *request)
{
    struct composing c = {0};
    struct composition composition;
    struct program p = {.distances = &c.distances, .err = sink->err};
    rwa_status st = RWA_OK;
    if (limit_of(request))
        return scheme_refuse(request, "scheme compose does not support %s", limit_of(request));
    if (request->parameters->term[0] == '\0')
        return scheme_refuse(
            request, "no composition suits this collective on this network, or none is quicker than other schemes");
    TRY(composing_open(&c, request, sink->err));
    TRY(read_term(&composition, &c, request->parameters->term, sink->err));
    composing_divide(&c, &composition);
    TRY(composition_is_alike(&p.alike, &composition, &c));
    TRY(composition_write(&p, &composition, &c, request->coll->blocks / c.units));
    TRY(push_exchanges(sink, &p, request));
done:
    program_free(&p);
    composing_close(&c);
    return st;
}

const struct scheme scheme_compose = {
    .name = "compose", .former_names = "rotated-trees rotated-gather turned-trees",
    .summary = "blocks of several nodes travel together, exchanged within groups and between them",
    .source = "rwa's own, unpublished", .collectives = ALL_COLLECTIVES & ~(1u << RWA_ROOTED_REDUCE | 1u << RWA_GATHER),
    .needs = NETWORK_ARCS | NETWORK_LISTED, .traits = REVERSIBLE | TAKES_TERM | SEARCHES | TAKES_MEMBERS,
    .estimate = estimate_compose, .plan = plan_compose,
};
