/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/limits.h"

#include "base/base.h"

OPTIONS(rwa_limits, 0)

rwa_status limits_take(rwa_limits *ours, const rwa_limits *theirs, rwa_error *err)
{
    rwa_limits_init(ours);
    rwa_status st = base_take_options(ours, sizeof *ours, theirs, "limits", err);
    if (st == RWA_OK && !(ours->time_limit_s >= 0 && isfinite(ours->time_limit_s)))
        return base_refuse(err, "time_limit_s: expected seconds, or 0 for no limit");
    return st;
}

rwa_status limits_refuse_nodes(const rwa_limits *limits, uint64_t nodes, rwa_error *err)
{
    if (limits->nodes > 0 && nodes > limits->nodes)
        return base_refuse(err, "%" PRIu64 " nodes: expected at most %" PRIu64 ", the caller's limit", nodes,
                           limits->nodes);
    return RWA_OK;
}

rwa_status limits_refuse_lightpaths(const rwa_limits *limits, double lightpaths, rwa_error *err)
{
    if (limits->lightpaths > 0 && lightpaths > (double)limits->lightpaths)
        return base_refuse(err, "%.0f lightpaths: expected at most %" PRIu64 ", the caller's limit", lightpaths,
                           limits->lightpaths);
    return RWA_OK;
}

rwa_status limits_allow(const rwa_limits *limits, double bytes, const char *what, rwa_error *err)
{
    if (limits->memory_bytes > 0 && bytes > (double)limits->memory_bytes)
        return base_fail(err, RWA_NOMEM,
                         "%s would need about %.0f bytes of memory, expected at most %" PRIu64 ", the caller's limit",
                         what, bytes, limits->memory_bytes);
    return RWA_OK;
}

rwa_status limits_fit(const rwa_limits *limits, double bytes, const char *what, rwa_error *err)
{
    rwa_status st = limits_allow(limits, bytes, what, err);
    return st == RWA_OK ? base_fits_memory(bytes, what, err) : st;
}
