/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scheme "matchings": on switches and reconfigurable networks, the quickest term, or the one asked for
 * ("matchings:TERM"). */
#include "scheme/compose/matchings.h"

static rwa_status read_term(struct composition *out, const struct plan_request *request, const char *text,
                            rwa_error *err)
{
    rwa_status st = composition_parse(out, text, err);
    return st != RWA_OK || matching_suits(out, request) ? st : composition_refuse(request, text, err);
}

static rwa_status estimate_matchings(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    const char *asked = term_asked(request);
    struct composition given;
    struct matching_found found;
    if (fabric_of(request->net).ports == 0)
        return RWA_OK;
    if (asked)
        MUST(read_term(&given, request, asked, err));
    MUST(matching_search(&found, request, asked ? &given : NULL, err));
    if (found.lightpaths == 0)
        return RWA_OK;
    assert(isfinite(found.time_s));
    out->blocks = matching_units(&found.term, request) * found.scale;
    out->time_s = found.time_s;
    out->records = found.lightpaths;
    composition_print(out->set[0].term, &found.term);
    out->sets = 1;
    return RWA_OK;
}

static rwa_status plan_matchings(struct schedule_sink *sink, const struct plan_request *request)
{
    struct matchings m = {.err = sink->err};
    struct composition term;
    rwa_status st = RWA_OK;
    if (fabric_of(request->net).ports == 0)
        return scheme_refuse(request,
                             "scheme matchings needs a channel for each node, and this star has %u for %u nodes",
                             rwa_network_channels(request->net), request->coll->nodes);
    if (request->parameters->term[0] == '\0')
        return scheme_refuse(request, "scheme matchings has no such plan of load_factor %u; expected another, or none",
                             request->opts->lightpath_blocks);
    TRY(read_term(&term, request, request->parameters->term, sink->err));
    TRY(matching_write(&m, &term, request, request->coll->blocks / matching_units(&term, request)));
    TRY(matchings_push(sink, &m));
done:
    matchings_free(&m);
    return st;
}

const struct scheme scheme_matchings = {
    .name = "matchings",
    .summary = "in each step a port of a node sends to one other node at most, and hears from one",
    .source = "rwa's own, unpublished",
    .collectives = ALL_COLLECTIVES,
    .needs = NETWORK_STAR | NETWORK_PORTS | NETWORK_SWITCHES,
    .traits = TAKES_TERM,
    .estimate = estimate_matchings,
    .plan = plan_matchings,
};
