/* SPDX-License-Identifier: GPL-3.0-or-later */
/** GSNR of every lightpath of an assignment, with its actual neighbours on each fibre. */
#include "assignment/assignment.h"

#include "base/bins.h"
#include "fiber/fiber.h"
#include "network/network.h"

/* The signal of a route: its format and its carriers, which are adjacent, in the middle of its slots or channel. */
struct assigned_signal {
    rwa_modulation format;
    uint32_t carriers;          /* 0: the route carries no signal */
    size_t first_carrier;       /* in `noise` */
    size_t first_hop;           /* in `hops` of all routes */
};

struct loading {
    const rwa_assignment *result;
    const rwa_transmission *t;
    const rwa_fiber_profile *profile;
    struct assigned_signal *signal;            /* of each route */
    uint32_t *route_of;         /* of each hop of all routes */
    size_t hops, carriers;
    struct noise *noise;        /* of each carrier of all routes */
    struct bins bins;           /* hops by link of the model and fibre */
    uint32_t fibers;
    rwa_carrier *neighbours;    /* on one fibre */
    size_t neighbour_capacity;
    struct arena arena;
    rwa_error *err;
};

/* ---- carriers ---- */

/* The number of carriers: on fixed channels as many as the rate needs, otherwise as many as the width holds. */
static uint32_t count_carriers(const struct loading *l, const rwa_modulation *m, uint64_t i)
{
    const rwa_network *net = l->result->net;
    if (rwa_network_slot_hz(net) > 0)
        return assignment_extent(l->result, i).width / m->slots;
    return (uint32_t)fmax(1, ceil(rwa_network_rate_bps(net) / m->rate_bps * (1 - 1e-12)));
}

static rwa_status find_format(struct loading *l, uint64_t i)
{
    const char *name = rwa_assignment_modulation(l->result, i);
    const rwa_modulations *table = rwa_transmission_modulations(l->t);
    uint32_t number = name ? rwa_modulations_find(table, name) : RWA_NONE;
    struct assigned_signal *signal = &l->signal[i];
    if (!name)
        return base_refuse(
            l->err, "route %" PRIu64 " names no modulation format, expected an assignment made with a device", i);
    if (number == RWA_NONE)
        return base_refuse(l->err, "route %" PRIu64 ": table %s has no modulation format %s", i,
                           rwa_modulations_name(table), name);
    rwa_modulations_get(&signal->format, table, number);
    signal->carriers = count_carriers(l, &signal->format, i);
    if (signal->carriers == 0)
        return base_refuse(l->err, "route %" PRIu64 ": %u slots are too few for a carrier of %s", i,
                           assignment_extent(l->result, i).width, name);
    return RWA_OK;
}

static rwa_carrier carrier_at(const struct loading *l, uint64_t i, uint32_t wavelength, uint32_t k)
{
    const struct assigned_signal *signal = &l->signal[i];
    bool flexible = rwa_network_slot_hz(l->result->net) > 0;
    double slots = flexible ? assignment_extent(l->result, i).width : rwa_transmission_channel_slots(l->t);
    double from = flexible ? wavelength : slots * wavelength;   /* in slots */
    double first = from + (slots - (double)signal->carriers * signal->format.slots) / 2;
    double middle = first + (k + 0.5) * signal->format.slots;
    return (rwa_carrier){rwa_fiber_profile_first_hz(l->profile) + middle * RWA_SLOT_HZ, signal->format.baud,
                         rwa_fiber_profile_launch_dbm(l->profile, signal->format.baud)};
}

/* ---- fibres ---- */

static rwa_status list_routes(struct loading *l)
{
    const rwa_assignment *r = l->result;
    if (!arena_new(&l->arena, l->signal, r->count))
        return RWA_NOMEM;
    for (uint64_t i = 0; i < r->count; i++) {
        rwa_route route = result_route(r, i);
        if (route.hops == 0 || route.down || route.role == RWA_SHARED_BACKUP)
            continue;   /* carries no signal */
        MUST(find_format(l, i));
        l->signal[i].first_carrier = l->carriers;
        l->signal[i].first_hop = l->hops;
        l->carriers += l->signal[i].carriers;
        l->hops += route.hops;
    }
    arena_new(&l->arena, l->noise, l->carriers);
    return arena_arrays(&l->arena, l->hops, l->route_of);
}

static size_t fiber_key(const struct loading *l, uint64_t i, const rwa_route *route, uint32_t k)
{
    const rwa_network *net = l->result->net;
    uint32_t link = rwa_assignment_link(l->result, i, k), fiber = route->fibers ? route->fibers[k] : route->fiber;
    uint32_t carrier = l->result->model == RWA_UNDIRECTED ? rwa_network_pair(net, link) : link;
    return (size_t)carrier * l->fibers + (fiber < l->fibers ? fiber : 0);
}

static rwa_status list_hops(struct loading *l)
{
    const rwa_assignment *r = l->result;
    size_t keys = (size_t)rwa_network_links(r->net) * l->fibers;
    rwa_route route;
    MUST(bins_open(&l->bins, keys, l->err));
    for (int put = 0; put < 2; put++) {
        for (uint64_t i = 0; i < r->count; i++) {
            rwa_assignment_get(&route, r, i);
            for (uint32_t k = 0; l->signal[i].carriers > 0 && k < route.hops; k++) {
                size_t hop = l->signal[i].first_hop + k;
                l->route_of[hop] = (uint32_t)i;
                if (put)
                    bins_put(&l->bins, fiber_key(l, i, &route, k), (uint32_t)hop);
                else
                    bins_count(&l->bins, fiber_key(l, i, &route, k));
            }
        }
        if (!put)
            MUST(bins_divide(&l->bins, keys, l->err));
    }
    return RWA_OK;
}

/* ---- noise ---- */

static rwa_status gather(struct loading *l, size_t from, size_t to, size_t *count)
{
    *count = 0;
    for (size_t e = from; e < to; e++) {
        uint32_t hop = l->bins.number[e], i = l->route_of[hop];
        rwa_route route = result_route(l->result, i);
        uint32_t k = (uint32_t)(hop - l->signal[i].first_hop),
                 wavelength = route.wavelengths ? route.wavelengths[k] : route.wavelength;
        MUST(base_reserve(l->neighbours, *count + l->signal[i].carriers, l->neighbour_capacity, l->err));
        for (uint32_t c = 0; c < l->signal[i].carriers; c++)
            l->neighbours[(*count)++] = carrier_at(l, i, wavelength, c);
    }
    return RWA_OK;
}

/* Add the noise that carrier number `own` on a link collects there. */
static void add_link(const struct loading *l, struct noise *noise, size_t own, size_t count, double length_km)
{
    double interference = fiber_interference_of(l->profile, l->neighbours, count, own);
    uint32_t spans = rwa_fiber_profile_spans(l->profile, length_km);
    for (uint32_t k = 0; k < spans; k++) {
        rwa_span span = {length_km / spans, k == 0};
        fiber_add_span(noise, l->profile, &l->neighbours[own], &span, interference);
    }
}

static rwa_status add_fiber(struct loading *l, size_t key)
{
    const rwa_network *net = l->result->net;
    size_t from = l->bins.first[key], to = l->bins.first[key + 1], count = 0, own = 0;
    if (from == to)
        return RWA_OK;
    MUST(gather(l, from, to, &count));
    for (size_t e = from; e < to; e++) {
        uint32_t hop = l->bins.number[e], i = l->route_of[hop];
        uint32_t k = (uint32_t)(hop - l->signal[i].first_hop);
        rwa_link link = rwa_network_link(net, rwa_assignment_link(l->result, i, k));
        if (!(link.length_km > 0))
            return base_refuse(l->err, "the link from node %u to %u has no length, expected one in km", link.from,
                               link.to);
        for (uint32_t c = 0; c < l->signal[i].carriers; c++)
            add_link(l, &l->noise[l->signal[i].first_carrier + c], own++, count, link.length_km);
    }
    assert(own == count);
    return RWA_OK;
}

static double length_of(const struct loading *l, uint64_t i, uint32_t hops)
{
    double km = 0;
    for (uint32_t k = 0; k < hops; k++)
        km += rwa_network_link(l->result->net, rwa_assignment_link(l->result, i, k)).length_km;
    return km;
}

/* Report the carrier of the route that has the most noise. */
static void answer(rwa_gsnr *out, const struct loading *l, uint64_t i)
{
    const struct assigned_signal *signal = &l->signal[i];
    const struct noise *most = &l->noise[signal->first_carrier];
    if (signal->carriers == 0) {
        *out = (rwa_gsnr){NAN, NAN, NAN, NAN, NAN, 0, NULL};
        return;
    }
    for (uint32_t c = 1; c < signal->carriers; c++)
        if (fiber_noise_sum(&l->noise[signal->first_carrier + c]) > fiber_noise_sum(most))
            most = &l->noise[signal->first_carrier + c];
    fiber_gsnr(out, most, signal->format.baud, length_of(l, i, l->result->routes[i].hops));
}

rwa_status rwa_assignment_gsnr(rwa_gsnr *out, const rwa_assignment *result, const rwa_transmission *transmission,
                               rwa_error *err)
{
    BEGIN(err, out, result, transmission);
    rwa_status st = RWA_OK;
    struct loading l = {.result = result,
                        .t = transmission,
                        .profile = rwa_transmission_profile(transmission),
                        .err = err,
                        .fibers = network_most_fibers(result->net)};
    l.arena.err = err;
    if (!l.profile)
        return base_refuse(err, "GSNR needs a fibre profile");
    TRY(list_routes(&l));
    TRY(list_hops(&l));
    for (uint64_t i = 0; i < result->count; i++)
        for (uint32_t c = 0; c < l.signal[i].carriers; c++)
            l.noise[l.signal[i].first_carrier + c] = fiber_transmitter(l.profile, l.signal[i].format.baud);
    for (size_t key = 0; key < (size_t)rwa_network_links(result->net) * l.fibers; key++)
        TRY(add_fiber(&l, key));
    for (uint64_t i = 0; i < result->count; i++)
        answer(&out[i], &l, i);
done:
    bins_free(&l.bins);
    arena_free(&l.arena);
    free(l.neighbours);
    return st;
}
