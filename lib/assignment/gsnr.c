/* SPDX-License-Identifier: GPL-3.0-or-later */
/** GSNR of every lightpath of an assignment, with its actual neighbours on each fibre. */
#include "assignment/assignment.h"

#include "fiber/fiber.h"
#include "network/network.h"

/* The signal of a route: its format and its carriers, which are adjacent, in the middle of its slots or channel. */
struct assigned_signal {
    rwa_modulation format;
    uint32_t carriers;          /* 0: the route carries no signal */
    size_t first_carrier;       /* in `noise` */
};

/* A carrier on a fibre of a link of the model. */
struct crossing {
    size_t fiber, carrier;      /* carrier: in `noise` */
    rwa_carrier signal;
    rwa_link link;
};

struct loading {
    const rwa_assignment *result;
    const rwa_transmission *t;
    const rwa_fiber_profile *profile;
    struct assigned_signal *signal;            /* of each route */
    struct crossing *list;
    size_t count;
    size_t carriers;
    struct noise *noise;        /* of each carrier of all routes */
    uint32_t fibers;
    rwa_carrier *neighbours;    /* on one fibre */
    struct arena arena;
    rwa_error *err;
};

/* ---- carriers ---- */

/* Return how many carriers route i has in modulation format m.  On fixed channels it has as many as the network's rate
 * needs, on a flexible grid as many as its slots hold. */
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

static rwa_status list_hop(struct loading *l, uint64_t i, const rwa_route *route, uint32_t k)
{
    const rwa_network *net = l->result->net;
    uint32_t link = rwa_assignment_link(l->result, i, k), fiber = route_fiber(route, k);
    size_t carrier = network_carrier(net, link, l->result->model);
    struct crossing one = {.fiber = carrier * l->fibers + (fiber < l->fibers ? fiber : 0),
                           .carrier = l->signal[i].first_carrier,
                           .link = rwa_network_link(net, link)};
    if (!(one.link.length_km > 0))
        return base_refuse(l->err, "the link from node %u to %u has no length, expected one in km", one.link.from,
                           one.link.to);
    for (uint32_t c = 0; c < l->signal[i].carriers; c++, one.carrier++) {
        one.signal = carrier_at(l, i, route_channel(route, k), c);
        MUST(base_append(l->list, l->count, l->err, one));
    }
    return RWA_OK;
}

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
        l->carriers += l->signal[i].carriers;
        for (uint32_t k = 0; k < route.hops; k++)
            MUST(list_hop(l, i, &route, k));
    }
    arena_new(&l->arena, l->noise, l->carriers);
    return arena_arrays(&l->arena, l->count, l->neighbours);
}

/* ---- noise ---- */

COMPARATOR(by_fiber, struct crossing, UP(fiber) UP(carrier))

/* Add to l->noise[at->carrier] the noise that this carrier collects on the link at->link.  It comes from amplifiers and
 * from the `count` carriers on the fibre, l->neighbours, of which number `own` is this one. */
static void add_link(const struct loading *l, const struct crossing *at, size_t own, size_t count)
{
    double interference = fiber_interference_of(l->profile, l->neighbours, count, own);
    uint32_t spans = rwa_fiber_profile_spans(l->profile, at->link.length_km);
    for (uint32_t k = 0; k < spans; k++) {
        rwa_span span = {at->link.length_km / spans, k == 0};
        fiber_add_span(&l->noise[at->carrier], l->profile, &at->signal, &span, interference);
    }
}

static void add_noise(const struct loading *l)
{
    base_sort(l->list, l->count, by_fiber);
    for (size_t from = 0, count; from < l->count; from += count) {
        for (count = 0; from + count < l->count && l->list[from + count].fiber == l->list[from].fiber; count++)
            l->neighbours[count] = l->list[from + count].signal;
        assert(count > 0 && l->list[from].carrier < l->carriers);
        for (size_t own = 0; own < count; own++)
            add_link(l, &l->list[from + own], own, count);
    }
}

static double length_of(const struct loading *l, uint64_t i, uint32_t hops)
{
    double km = 0;
    for (uint32_t k = 0; k < hops; k++)
        km += rwa_network_link(l->result->net, rwa_assignment_link(l->result, i, k)).length_km;
    return km;
}

/* Set *out to the GSNR of route i: that of its carrier with the most noise.  NAN: the route carries no signal. */
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
    for (uint64_t i = 0; i < result->count; i++)
        for (uint32_t c = 0; c < l.signal[i].carriers; c++)
            l.noise[l.signal[i].first_carrier + c] = fiber_transmitter(l.profile, l.signal[i].format.baud);
    add_noise(&l);
    for (uint64_t i = 0; i < result->count; i++)
        answer(&out[i], &l, i);
done:
    arena_free(&l.arena);
    free(l.list);
    return st;
}
