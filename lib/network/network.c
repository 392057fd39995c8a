/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/network.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    rwa_network_kind kind;
    const char *name;
} kinds[] = {{RWA_RING, "ring"}, {RWA_LINE, "line"}};

static const size_t kind_count = sizeof kinds / sizeof kinds[0];

void rwa_network_options_init_sized(rwa_network_options *opts, size_t size)
{
    rwa_network_options defaults = {sizeof defaults, 1, 64, 40e9};
    memcpy(opts, &defaults, size < sizeof defaults ? size : sizeof defaults);
    opts->struct_size = size;
}

static rwa_status check_options(const rwa_network_options *o, rwa_error *err)
{
    if (o->fibers < 1 || o->fibers > RWA_CHANNELS_MAX)
        return base_fail(err, RWA_BADARG, "fibers: %u, expected 1 to %u", o->fibers, RWA_CHANNELS_MAX);
    if (o->wavelengths < 1 || o->wavelengths > RWA_CHANNELS_MAX)
        return base_fail(err, RWA_BADARG, "wavelengths: %u, expected 1 to %u", o->wavelengths, RWA_CHANNELS_MAX);
    if ((uint64_t)o->fibers * o->wavelengths > RWA_CHANNELS_MAX)
        return base_fail(err, RWA_BADARG, "%u fibers of %u wavelengths: expected at most %u channels", o->fibers,
                         o->wavelengths, RWA_CHANNELS_MAX);
    if (!(o->rate_bps > 0) || !isfinite(o->rate_bps))
        return base_fail(err, RWA_BADARG, "rate: expected a positive number of bit/s");
    return RWA_OK;
}

rwa_status rwa_network_create(rwa_network **out, rwa_network_kind kind, uint32_t nodes, const rwa_network_options *opts,
                              rwa_error *err)
{
    rwa_network_options o;
    rwa_status st = RWA_OK;
    rwa_network *net = NULL;
    *out = NULL;
    rwa_network_options_init(&o);
    TRY(base_take_options(&o, sizeof o, opts, "network options", err));
    TRY(check_options(&o, err));
    if (!rwa_network_kind_name(kind))
        return base_fail(err, RWA_BADARG, "network kind %d: expected ring or line", (int)kind);
    if (nodes < 2 || nodes > RWA_NODES_MAX)
        return base_fail(err, RWA_BADARG, "%s of %u nodes: expected 2 to %u", rwa_network_kind_name(kind), nodes,
                         RWA_NODES_MAX);
    net = base_array(1, sizeof *net, err);
    if (!net)
        return RWA_NOMEM;
    *net = (rwa_network){kind, nodes, o.fibers, o.wavelengths, o.rate_bps};
    *out = net;
done:
    return st;
}

/** The nodes of a specification: digits only, so that a sign, a space or a huge number is refused, not misread. */
static rwa_status parse_nodes(uint32_t *nodes, const char *digits, const char *spec, rwa_error *err)
{
    uint64_t value = 0;
    const char *at = digits;
    while (*at >= '0' && *at <= '9' && value <= RWA_NODES_MAX)
        value = value * 10 + (uint64_t)(*at++ - '0');
    while (*at >= '0' && *at <= '9')
        at++;
    if (at == digits || *at != '\0' || value < 2 || value > RWA_NODES_MAX)
        return base_fail(err, RWA_BADARG, "network \"%s\": expected a number of nodes from 2 to %u, as in ring:16", spec,
                         RWA_NODES_MAX);
    *nodes = (uint32_t)value;
    return RWA_OK;
}

rwa_status rwa_network_parse(rwa_network **out, const char *spec, const rwa_network_options *opts, rwa_error *err)
{
    uint32_t nodes = 0;
    *out = NULL;
    if (!spec)
        return base_fail(err, RWA_BADARG, "network: expected ring:NODES or line:NODES");
    for (size_t i = 0; i < kind_count; i++) {
        size_t length = strlen(kinds[i].name);
        if (strncmp(spec, kinds[i].name, length) != 0 || spec[length] != ':')
            continue;
        rwa_status st = parse_nodes(&nodes, spec + length + 1, spec, err);
        return st == RWA_OK ? rwa_network_create(out, kinds[i].kind, nodes, opts, err) : st;
    }
    return base_fail(err, RWA_BADARG, "network \"%.64s\": unknown kind, expected ring:NODES or line:NODES", spec);
}

struct rwa_network *network_copy(const struct rwa_network *net, rwa_error *err)
{
    struct rwa_network *copy = base_array(1, sizeof *copy, err);
    if (copy)
        *copy = *net;
    return copy;
}

void rwa_network_free(rwa_network *net)
{
    free(net);
}

rwa_network_kind rwa_network_get_kind(const rwa_network *net)
{
    return net->kind;
}

const char *rwa_network_kind_name(rwa_network_kind kind)
{
    for (size_t i = 0; i < kind_count; i++)
        if (kinds[i].kind == kind)
            return kinds[i].name;
    return NULL;
}

uint32_t rwa_network_nodes(const rwa_network *net)
{
    return net->nodes;
}

uint32_t rwa_network_links(const rwa_network *net)
{
    return net->kind == RWA_RING ? net->nodes : net->nodes - 1;
}

uint32_t rwa_network_fibers(const rwa_network *net)
{
    return net->fibers;
}

uint32_t rwa_network_wavelengths(const rwa_network *net)
{
    return net->wavelengths;
}

uint32_t rwa_network_channels(const rwa_network *net)
{
    return net->fibers * net->wavelengths;
}

double rwa_network_rate_bps(const rwa_network *net)
{
    return net->rate_bps;
}

uint32_t rwa_network_hops(const rwa_network *net, uint32_t src, uint32_t dst, rwa_direction dir)
{
    uint32_t from = dir == RWA_CW ? src : dst;
    uint32_t to = dir == RWA_CW ? dst : src;
    if (src >= net->nodes || dst >= net->nodes)
        return 0;
    if (to >= from)
        return to - from;
    return net->kind == RWA_RING ? net->nodes - from + to : 0;
}
