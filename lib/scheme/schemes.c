/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The table of schemes, and functions that several schemes share. */
#include "scheme/scheme.h"

#include "network/translations.h"

#define SCHEME(name) extern const struct scheme scheme_##name;
#include "scheme/schemes.inc"
#undef SCHEME
#define SCHEME(name) &scheme_##name,
const struct scheme *const schemes[] = {
#include "scheme/schemes.inc"
};
#undef SCHEME
const size_t scheme_count = sizeof schemes / sizeof schemes[0];

LISTED(rwa_scheme_name, schemes, ->name)
LISTED(rwa_scheme_summary, schemes, ->summary)
LISTED(rwa_scheme_source, schemes, ->source)

/** Tell whether a name occurs in a list of names that are separated by blanks. */
static bool is_listed(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (; names; names = strchr(names, ' ') ? strchr(names, ' ') + 1 : NULL)
        if (strncmp(names, name, length) == 0 && (names[length] == ' ' || names[length] == '\0'))
            return true;
    return false;
}

bool scheme_is_named(const struct scheme *scheme, const char *name)
{
    size_t length = strlen(scheme->name);
    bool with_term = scheme_has(scheme, TAKES_TERM) && strncmp(scheme->name, name, length) == 0 && name[length] == ':';
    return with_term || strcmp(scheme->name, name) == 0 || is_listed(scheme->former_names, name);
}

const char *rwa_scheme_find(const char *name)
{
    for (size_t i = 0; i < scheme_count; i++)
        if (scheme_is_named(schemes[i], name))
            return schemes[i]->name;
    return NULL;
}

rwa_status scheme_refuse(const struct plan_request *request, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(request->why, RWA_ERROR_TEXT, format, args);
    va_end(args);
    return RWA_OK;
}

uint32_t scheme_steps_below(const struct plan_request *request)
{
    const rwa_cost_options *cost = &request->opts->cost;
    double least_s = cost->model == RWA_COST_PAPER ? cost->reconfig_s
                                                   : cost->alpha_s; /* of a step that tunes nothing, or hides it */
    double step_s = least_s + request->price.byte_s * (double)request->coll->block_bytes,
           steps = ceil(fmax(request->below_s - request->price.once_s, step_s) / step_s);
    return request->below_s > 0 && steps < UINT32_MAX ? (uint32_t)steps : 0;
}

rwa_status estimate_whole_message(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    (void)err;
    out->blocks = request->coll->kind == RWA_ALL_REDUCE ? 1 : 0;
    return RWA_OK;
}

rwa_status validate_group(const struct plan_request *request, rwa_error *err)
{
    return request->opts->group == 1 ? base_refuse(err, "group 1: expected at least 2 nodes") : RWA_OK;
}

double scheme_block_bytes(const struct plan_request *request, uint64_t blocks)
{
    const rwa_collective *coll = request->coll;
    rwa_collective cut;
    rwa_status st = rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks, NULL);
    return st == RWA_OK ? (double)cut.block_bytes : INFINITY;
}

const char *scheme_limit_of_paths(const struct plan_request *request)
{
    if (!network_has_arcs(request->net) && network_has_parallel_links(request->net))
        return "parallel links";
    return request->opts->stripes > 1 ? "stripes, since it cuts blocks by itself" : NULL;
}

const char *scheme_limit_of_circuits(const struct plan_request *request)
{
    const rwa_network *net = request->net;
    if (network_has_reserved(net) || !network_is_uniform(net))
        return "links that are not alike, reserved channels or failed links";
    return scheme_limit_of_paths(request);
}
